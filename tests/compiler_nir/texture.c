/* SPDX-License-Identifier: MIT */
/* Texture operations: instruction, operands, declaration. */
#include "common.h"

struct tex {
   nir_texop op;
   enum glsl_sampler_dim dim;
   bool array, shadow;
   nir_alu_type type;
   unsigned comps; /* of the coordinate */
   bool bias, lod, grad, sample;
   int offset;
   unsigned component;
   bool vertex;      /* not in a pixel shader */
   bool indexed;     /* a texture of several */
   uint32_t limited; /* the key's */
};

static char *
one_tex(const struct tex *x)
{
   nir_builder b = begin(x->vertex ? MESA_SHADER_VERTEX : MESA_SHADER_FRAGMENT);
   nir_def *coord =
      x->vertex ? vs_input(&b, 0, 4) : ps_smooth(&b, VARYING_SLOT_VAR0, 4, INTERP_MODE_SMOOTH);
   nir_def *extra =
      x->vertex ? vs_input(&b, 1, 4) : ps_smooth(&b, VARYING_SLOT_VAR1, 4, INTERP_MODE_SMOOTH);
   bool ints = x->op == nir_texop_txf || x->op == nir_texop_txf_ms;
   if (ints) {
      coord = nir_f2i32(&b, coord);
      extra = nir_f2i32(&b, extra);
   }
   nir_tex_instr *tex = nir_tex_instr_create(b.shader, 8);
   unsigned n = 0;
   tex->op = x->op;
   tex->sampler_dim = x->dim;
   tex->is_array = x->array;
   tex->is_shadow = x->shadow;
   tex->is_new_style_shadow = x->shadow;
   tex->dest_type = x->type;
   tex->texture_index = 3;
   tex->sampler_index = 2;
   tex->component = x->component;
   tex->coord_components = x->comps;
   if (x->comps)
      tex->src[n++] = nir_tex_src_for_ssa(nir_tex_src_coord, nir_trim_vector(&b, coord, x->comps));
   if (x->shadow)
      tex->src[n++] = nir_tex_src_for_ssa(nir_tex_src_comparator, nir_channel(&b, extra, 0));
   if (x->bias)
      tex->src[n++] = nir_tex_src_for_ssa(nir_tex_src_bias, nir_channel(&b, extra, 1));
   if (x->lod)
      tex->src[n++] = nir_tex_src_for_ssa(nir_tex_src_lod, nir_channel(&b, extra, 2));
   if (x->grad) {
      tex->src[n++] = nir_tex_src_for_ssa(nir_tex_src_ddx, nir_trim_vector(&b, extra, 2));
      tex->src[n++] = nir_tex_src_for_ssa(nir_tex_src_ddy, nir_trim_vector(&b, coord, 2));
   }
   if (x->sample)
      tex->src[n++] = nir_tex_src_for_ssa(nir_tex_src_ms_index, nir_channel(&b, extra, 3));
   if (x->offset)
      tex->src[n++] = nir_tex_src_for_ssa(nir_tex_src_offset, nir_imm_ivec2(&b, x->offset, -1));
   if (x->indexed) {
      nir_def *index = nir_f2i32(&b, nir_channel(&b, coord, 3));
      tex->src[n++] = nir_tex_src_for_ssa(nir_tex_src_texture_offset, index);
      tex->src[n++] = nir_tex_src_for_ssa(nir_tex_src_sampler_offset, index);
   }
   for (unsigned i = n; i < tex->num_srcs; i++)
      tex->src[i].src_type = nir_num_tex_src_types;
   tex->num_srcs = n;
   nir_def_init(&tex->instr, &tex->def, nir_tex_instr_dest_size(tex), 32);
   nir_builder_instr_insert(&b, &tex->instr);
   output(&b, x->vertex ? VARYING_SLOT_POS : FRAG_RESULT_DATA0, &tex->def);
   const struct atoll_nir_key key = { .limited_references = x->limited };
   return finish(&b, &key);
}

static void
check(struct tex x, const char *decl, const char *inst)
{
   if (!x.type)
      x.type = nir_type_float32;
   char *t = one_tex(&x);
   contains(t, decl);
   contains(t, inst);
   free(t);
}

#define FLOATS "_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
#define TEX(n) nir_texop_##n
#define DIM(n) GLSL_SAMPLER_DIM_##n

static void
sampling(void **state)
{
   check((struct tex){ TEX(tex), DIM(2D), .comps = 2 }, "dcl_resource_id(3)_type(2d)" FLOATS,
         "sample_resource(3)_sampler(2) r1, r0.xy00\n");
   check((struct tex){ TEX(tex), DIM(1D), .comps = 1 }, "_type(1d)" FLOATS, ".x000\n");
   check((struct tex){ TEX(tex), DIM(CUBE), .comps = 3 }, "_type(cubemap)" FLOATS, ", r0.xyz0\n");
   check((struct tex){ TEX(tex), DIM(CUBE), .array = true, .comps = 4 },
         "_type(cubemaparray)" FLOATS, "sample_resource(3)_sampler(2) r1, r0\n");
   check((struct tex){ TEX(tex), DIM(2D), .array = true, .comps = 3 }, "_type(2darray)" FLOATS,
         ".xyz0\n");
   check((struct tex){ TEX(tex), DIM(RECT), .comps = 2 }, "_type(2d,unnorm)" FLOATS, ".xy00\n");
   check((struct tex){ TEX(txb), DIM(2D), .comps = 2, .bias = true }, "_type(2d)",
         "sample_b_resource(3)_sampler(2) r2, r1.xy00, r0.x\n");
   check((struct tex){ TEX(txl), DIM(2D), .comps = 2, .lod = true }, "_type(2d)",
         "sample_l_resource(3)_sampler(2) r2, r1.xy00, r0.x\n");
   check((struct tex){ TEX(txd), DIM(2D), .comps = 2, .grad = true }, "_type(2d)",
         "sample_g_resource(3)_sampler(2) r1, r0.zw00, r0.xyyy, r0.zwww\n");
   check((struct tex){ TEX(tex), DIM(2D), .comps = 2, .shadow = true }, "_type(2d)",
         "sample_c_resource(3)_sampler(2) r2.x___, r1.xy00, r0.x\n");
   check((struct tex){ TEX(txb), DIM(2D), .comps = 2, .shadow = true, .bias = true }, "_type(2d)",
         "sample_c_b_resource(3)_sampler(2) r2.x___, r0.zw00, r1.x, r1.y\n");
   check((struct tex){ TEX(tex), DIM(2D), .comps = 2, .offset = 3 }, "_type(2d)",
         "sample_resource(3)_sampler(2)_aoffimmi(3,-1,0) r1");
   check((struct tex){ TEX(tex), DIM(2D), .comps = 2, .type = nir_type_int32 },
         "_fmtx(sint)_fmty(sint)_fmtz(sint)_fmtw(sint)\n", "sample_resource(3)");
   check((struct tex){ TEX(tex), DIM(2D), .comps = 2, .type = nir_type_uint32 },
         "_fmtx(uint)_fmty(uint)_fmtz(uint)_fmtw(uint)\n", "sample_resource(3)");
}

/* References of textures that the key names are limited, whatever looks them up; of one among
 * several, those with a bit. */
static void
limited_references(void **state)
{
   const struct tex shadows[] = {
      { TEX(tex), DIM(2D), .comps = 2 },
      { TEX(tex), DIM(CUBE), .comps = 3 },
      { TEX(tex), DIM(2D), .array = true, .comps = 3 },
      { TEX(txb), DIM(2D), .comps = 2, .bias = true },
      { TEX(txl), DIM(2D), .comps = 2, .lod = true },
      { TEX(txd), DIM(2D), .comps = 2, .grad = true },
      { TEX(tg4), DIM(2D), .comps = 2 },
      { TEX(tex), DIM(2D), .comps = 2, .vertex = true },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(shadows); i++) {
      struct tex x = shadows[i];
      x.type = nir_type_float32;
      x.limited = 1 << 3;
      char *plain = one_tex(&x);
      lacks(plain, "_sat");
      free(plain);
      x.shadow = true;
      char *limited = one_tex(&x);
      contains(limited, "mov_sat ");
      free(limited);
      x.limited = ~(1u << 3);
      char *other = one_tex(&x);
      lacks(other, "_sat");
      free(other);
   }
   struct tex x = { TEX(tex), DIM(2D), .comps = 2, .shadow = true, .indexed = true };
   x.type = nir_type_float32;
   x.limited = 7; /* none from 3 on */
   char *none = one_tex(&x);
   lacks(none, "_sat");
   free(none);
   x.limited = ~7u;
   char *all = one_tex(&x);
   contains(all, "mov_sat ");
   lacks(all, "cmov_logical");
   free(all);
   x.limited = 1 << 3 | 1 << 6;
   char *some = one_tex(&x);
   contains(some, "mov_sat ");
   contains(some, "cmov_logical");
   contains(some, "0x00000009");
   free(some);
}

/* There is no lookup without a level where there are no derivatives. */
static void
without_derivatives(void **state)
{
   const enum glsl_sampler_dim dims[] = { DIM(2D), DIM(RECT) };
   for (unsigned i = 0; i < 2; i++) {
      check((struct tex){ TEX(tex), dims[i], .comps = 2, .vertex = true }, "_type(2d",
            "sample_l_resource(3)_sampler(2) r1, r0.xy00, l0.x\n");
      check((struct tex){ TEX(tex), dims[i], .comps = 2, .shadow = true, .vertex = true },
            "_type(2d", "sample_c_lz_resource(3)_sampler(2) r2.x___, r1.xy00, r0.x\n");
   }
}

static void
loads_and_queries(void **state)
{
   check((struct tex){ TEX(txf), DIM(2D), .comps = 2, .lod = true }, "_type(2d)",
         "load_resource(3) r");
   check((struct tex){ TEX(txf), DIM(BUF), .comps = 1 }, "_type(buffer)", "load_resource(3) r");
   check((struct tex){ TEX(txf_ms), DIM(MS), .comps = 2, .sample = true }, "_type(2dmsaa)",
         "load_resource(3) r");
   check((struct tex){ TEX(tg4), DIM(2D), .comps = 2, .component = 2 }, "_type(2d)",
         "fetch4_resource(3)_sampler(2)_compselect(z) r1, r0.xy00\n");
   check((struct tex){ TEX(tg4), DIM(2D), .comps = 2, .shadow = true }, "_type(2d)",
         "fetch4c_resource(3)_sampler(2) r2.x___, r1.xy00, r0.x\n");
   check((struct tex){ TEX(txs), DIM(2D), .lod = true, .type = nir_type_int32 }, "_type(2d)",
         "resinfo_resource(3)_uint r");
   check((struct tex){ TEX(txs), DIM(BUF), .type = nir_type_int32 }, "_type(buffer)",
         "bufinfo_resource(3)_uint r");
   check((struct tex){ TEX(query_levels), DIM(2D), .type = nir_type_int32 }, "_type(2d)",
         "resinfo_resource(3)_uint r");
   check((struct tex){ TEX(lod), DIM(2D), .comps = 2 }, "_type(2d)",
         "getlod_resource(3)_sampler(2) r1.xy__, r0.xy00\n");
}

/* Samples are identical if none differs from the first: a loop over those that there are. */
static void
identical_samples(void **state)
{
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_tex_instr *tex = nir_tex_instr_create(b.shader, 1);
   tex->op = nir_texop_samples_identical;
   tex->sampler_dim = GLSL_SAMPLER_DIM_MS;
   tex->dest_type = nir_type_bool1;
   tex->texture_index = 3;
   tex->coord_components = 2;
   tex->src[0] = nir_tex_src_for_ssa(
      nir_tex_src_coord, nir_f2i32(&b, ps_smooth(&b, VARYING_SLOT_VAR0, 2, INTERP_MODE_SMOOTH)));
   nir_def_init(&tex->instr, &tex->def, 1, 1);
   nir_builder_instr_insert(&b, &tex->instr);
   output(&b, FRAG_RESULT_DATA0, nir_b2f32(&b, &tex->def));
   char *t = finish(&b, NULL);
   contains(t, "_type(2dmsaa)");
   contains(t, "whileloop\n");
   const char *first = strstr(t, "load_resource(3)");
   assert_non_null(first);
   contains(first + 1, "load_resource(3)");
   free(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(sampling),
      cmocka_unit_test(limited_references),
      cmocka_unit_test(without_derivatives),
      cmocka_unit_test(loads_and_queries),
      cmocka_unit_test(identical_samples),
   };
   glsl_type_singleton_init_or_ref();
   int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
