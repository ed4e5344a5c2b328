/* SPDX-License-Identifier: MIT */
/* What the state outside a shader adds to it: polygon stipple, smooth points, lines and polygons,
 * coverage by alpha, and what a draw's targets are. */
#include "translate.h"

#include "nir_builder.h"

/* Row y of the stipple is dword y of the driver's constants; its bit 31 is the leftmost pixel. */
static void
polygon_stipple(nir_shader *nir)
{
   nir_builder b = nir_builder_at(nir_before_impl(nir_shader_get_entrypoint(nir)));
   nir_def *pos = nir_f2i32(&b, nir_channels(&b, nir_load_frag_coord(&b), 3));
   nir_def *x = nir_iand_imm(&b, nir_channel(&b, pos, 0), 31);
   nir_def *y = nir_iand_imm(&b, nir_channel(&b, pos, 1), 31);
   nir_def *row = nir_load_ubo_vec4(&b, 4, 32, nir_imm_int(&b, DRIVER_BLOCK),
                                    nir_iadd_imm(&b, nir_ushr_imm(&b, y, 2), IL_DRV_STIPPLE));
   nir_def *word = nir_vector_extract(&b, row, nir_iand_imm(&b, y, 3));
   nir_def *bit = nir_iand(&b, word, nir_ushr(&b, nir_imm_int(&b, INT32_MIN), x));
   nir_demote_if(&b, nir_ieq_imm(&b, bit, 0));
   nir->info.fs.uses_discard = true;
}

/* The part of the pixel that is within a smooth point: a circle around its centre (OpenGL 4.6
 * compatibility, 14.4.1).  Strips of the pixel along the longer way to the centre: each is covered
 * from one side of the circle to the other.  Six of them are within 2 % of a pixel for a point of
 * size 1, and within half a percent for larger ones. */
static nir_def *
point_area(nir_shader *nir)
{
   enum { STRIPS = 6 };
   nir_builder b = nir_builder_at(nir_before_impl(nir_shader_get_entrypoint(nir)));
   nir_def *coord = nir_load_point_coord(&b);
   nir_def *size = nir_frcp(&b, nir_ddx(&b, nir_channel(&b, coord, 0)));
   nir_def *radius = nir_fmul_imm(&b, size, 0.5);
   nir_def *square = nir_fmul(&b, radius, radius);
   nir_def *way = nir_fabs(&b, nir_fmul(&b, nir_fadd_imm(&b, coord, -0.5), size));
   nir_def *x = nir_channel(&b, way, 0), *y = nir_channel(&b, way, 1);
   nir_def *far = nir_fmax(&b, x, y), *near = nir_fmin(&b, x, y);
   nir_def *left = nir_fadd_imm(&b, far, -0.5), *right = nir_fadd_imm(&b, far, 0.5);
   nir_def *area = NULL;

   for (unsigned i = 0; i < STRIPS; i++) {
      nir_def *at = nir_fadd_imm(&b, near, (i + 0.5) / STRIPS - 0.5);
      nir_def *room = nir_fsub(&b, square, nir_fmul(&b, at, at));
      nir_def *half = nir_fsqrt(&b, nir_fmax(&b, room, nir_imm_float(&b, 0.0f)));
      nir_def *length =
         nir_fsub(&b, nir_fmin(&b, half, right), nir_fmax(&b, nir_fneg(&b, half), left));
      length = nir_fmax(&b, length, nir_imm_float(&b, 0.0f));
      area = area ? nir_fadd(&b, area, length) : length;
   }
   area = nir_fmul_imm(&b, area, 1.0 / STRIPS);
   /* A pixel that the circle does not touch is no fragment. */
   nir_demote_if(&b, nir_feq_imm(&b, area, 0.0));
   nir->info.fs.uses_discard = true;
   return area;
}

/* Alpha of each colour times `data`, or the share of samples that are covered.  Mesa's own passes
 * take vec4s alone, and branch; and its smooth points are a pixel too small. */
static bool
smooth_alpha(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if (intr->intrinsic != nir_intrinsic_store_output)
      return false;
   const nir_io_semantics io = nir_intrinsic_io_semantics(intr);
   const unsigned alpha = 3 - nir_intrinsic_component(intr);
   if ((io.location != FRAG_RESULT_COLOR && io.location < FRAG_RESULT_DATA0) ||
       io.dual_source_blend_index || nir_intrinsic_src_type(intr) != nir_type_float32 ||
       alpha >= intr->num_components || !(nir_intrinsic_write_mask(intr) >> alpha & 1))
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_def *value = intr->src[0].ssa;
   nir_def *share = data;
   if (!share) {
      nir_def *covered = nir_u2f32(b, nir_bit_count(b, nir_load_sample_mask_in(b)));
      share = nir_fmul_imm(b, covered, 1.0 / IL_SMOOTH_SAMPLES);
   }
   value = nir_vector_insert_imm(b, value, nir_fmul(b, nir_channel(b, value, alpha), share), alpha);
   nir_src_rewrite(&intr->src[0], value);
   return true;
}

/* What a pixel shader's coverage is made of. */
struct coverage {
   const struct atoll_nir_key *key;
   nir_variable *alpha, *own; /* by its alpha, and what it writes itself */
};

/* As many samples as alpha is worth, by the rule that the hardware has (SX): alpha's share of them,
 * and a half, or, dithered, a part in eighths for each pixel of a quad. */
static nir_def *
coverage_of_alpha(nir_builder *b, nir_def *alpha, const struct atoll_nir_key *key)
{
   nir_def *part = nir_imm_float(b, 0.5f);
   if (key->alpha_dither) {
      nir_def *pos = nir_iand_imm(b, nir_f2i32(b, nir_channels(b, nir_load_frag_coord(b), 3)), 1);
      nir_def *pixel =
         nir_iadd(b, nir_channel(b, pos, 0), nir_ishl_imm(b, nir_channel(b, pos, 1), 1));
      nir_def *eighths =
         nir_iand_imm(b, nir_ushr(b, nir_imm_int(b, 0x5137), nir_ishl_imm(b, pixel, 2)), 15);
      part = nir_fmul_imm(b, nir_u2f32(b, eighths), 0.125);
   }
   nir_def *worth = nir_fmul_imm(b, nir_fsat(b, alpha), key->alpha_samples);
   nir_def *count = nir_f2i32(b, nir_ffloor(b, nir_fadd(b, worth, part)));
   return nir_iadd_imm(b, nir_ishl(b, nir_imm_int(b, 1), count), -1);
}

static bool
gather_coverage(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   const struct coverage *coverage = data;
   if (intr->intrinsic != nir_intrinsic_store_output)
      return false;
   const nir_io_semantics io = nir_intrinsic_io_semantics(intr);
   b->cursor = nir_before_instr(&intr->instr);
   if (io.location == FRAG_RESULT_SAMPLE_MASK) {
      nir_store_var(b, coverage->own, nir_channel(b, intr->src[0].ssa, 0), 1);
      nir_instr_remove(&intr->instr);
      return true;
   }
   const unsigned alpha = 3 - nir_intrinsic_component(intr);
   if ((io.location != FRAG_RESULT_COLOR && io.location != FRAG_RESULT_DATA0) ||
       io.dual_source_blend_index || !nir_src_is_const(intr->src[1]) ||
       nir_src_as_uint(intr->src[1]) || nir_intrinsic_src_type(intr) != nir_type_float32 ||
       alpha >= intr->num_components || !(nir_intrinsic_write_mask(intr) >> alpha & 1))
      return false;
   nir_store_var(b, coverage->alpha,
                 coverage_of_alpha(b, nir_channel(b, intr->src[0].ssa, alpha), coverage->key), 1);
   return true;
}

/* Alpha, which is 1 in what the shader hands over, is coverage before that: the shader writes
 * it. */
static void
alpha_to_mask(nir_shader *nir, const struct atoll_nir_key *key)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(nir);
   struct coverage coverage = {
      .key = key,
      .alpha = nir_local_variable_create(impl, glsl_int_type(), "alpha"),
      .own = nir_local_variable_create(impl, glsl_int_type(), "own"),
   };
   nir_builder b = nir_builder_at(nir_before_impl(impl));
   nir_store_var(&b, coverage.alpha, nir_imm_int(&b, -1), 1);
   nir_store_var(&b, coverage.own, nir_imm_int(&b, -1), 1);
   NIR_PASS_V(nir, nir_shader_intrinsics_pass, gather_coverage, nir_metadata_control_flow,
              &coverage);
   b.cursor = nir_after_impl(impl);
   nir_store_output(&b,
                    nir_iand(&b, nir_load_var(&b, coverage.alpha), nir_load_var(&b, coverage.own)),
                    nir_imm_int(&b, 0), .write_mask = 1, .src_type = nir_type_int32,
                    .io_semantics = { .location = FRAG_RESULT_SAMPLE_MASK, .num_slots = 1 });
   NIR_PASS_V(nir, nir_lower_vars_to_ssa);
   nir->info.outputs_written |= BITFIELD64_BIT(FRAG_RESULT_SAMPLE_MASK);
}

/* The hardware hands over the pixel's whole coverage, whatever runs. */
static bool
own_sample(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if (intr->intrinsic != nir_intrinsic_load_sample_mask_in)
      return false;
   b->cursor = nir_after_instr(&intr->instr);
   nir_def *own = nir_iand(b, &intr->def, nir_ishl(b, nir_imm_int(b, 1), nir_load_sample_id(b)));
   nir_def_rewrite_uses_after(&intr->def, own, own->parent_instr);
   return true;
}

/* Without multisampling a pixel is one sample, whatever its target has. */
static bool
only_sample(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   nir_def *value;
   b->cursor = nir_before_instr(&intr->instr);
   switch (intr->intrinsic) {
   case nir_intrinsic_load_sample_id:
      value = nir_imm_int(b, 0);
      break;
   case nir_intrinsic_load_sample_mask_in:
      value = nir_imm_int(b, 1);
      break;
   case nir_intrinsic_load_sample_pos:
   case nir_intrinsic_load_sample_pos_or_center:
      value = nir_imm_vec2(b, 0.5f, 0.5f);
      break;
   default:
      return false;
   }
   nir_def_replace(&intr->def, value);
   return true;
}

/* The texture that an output is to a shader that reads it, and the component that the output begins
 * with; false: there is none. */
static bool
texture_of_output(const nir_intrinsic_instr *intr, unsigned *texture, unsigned *first)
{
   if (!nir_src_is_const(intr->src[0]))
      return false;
   const unsigned location =
      nir_intrinsic_io_semantics(intr).location + nir_src_as_uint(intr->src[0]);
   *first = 0;
   switch (location) {
   case FRAG_RESULT_DEPTH:
      *texture = ATOLL_NIR_TARGET_DEPTH;
      return true;
   case FRAG_RESULT_STENCIL:
      *texture = ATOLL_NIR_TARGET_STENCIL;
      return true;
   case FRAG_RESULT_COLOR:
      *texture = ATOLL_NIR_TARGET_COLOR;
      break;
   default:
      if (location < FRAG_RESULT_DATA0 || location > FRAG_RESULT_DATA7)
         return false;
      *texture = ATOLL_NIR_TARGET_COLOR + location - FRAG_RESULT_DATA0;
   }
   *first = nir_intrinsic_component(intr);
   return true;
}

/* The slice of a volume that colour buffer n is. */
static nir_def *
target_slice(nir_builder *b, unsigned n)
{
   nir_def *slices =
      nir_load_ubo_vec4(b, 4, 32, nir_imm_int(b, DRIVER_BLOCK), nir_imm_int(b, IL_DRV_TARGETS));
   nir_def *two = nir_channel(b, slices, n / 2);
   return n & 1 ? nir_ushr_imm(b, two, 16) : nir_iand_imm(b, two, 0xffff);
}

/* A target as it is where the shader runs: a texel of it. */
static bool
fetch_target(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   const struct atoll_nir_key *key = data;
   unsigned texture, first;
   if (intr->intrinsic != nir_intrinsic_load_output || !texture_of_output(intr, &texture, &first))
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_def *place = nir_f2i32(b, nir_channels(b, nir_load_frag_coord(b), 3));
   nir_def *z = texture < ATOLL_NIR_TARGET_DEPTH ? target_slice(b, texture - ATOLL_NIR_TARGET_COLOR)
                                                 : nir_imm_int(b, 0);
   if (key->target_layers) {
      const nir_io_semantics layer = { .location = VARYING_SLOT_LAYER, .num_slots = 1 };
      z = nir_iadd(b, z,
                   nir_load_input(b, 1, 32, nir_imm_int(b, 0), .dest_type = nir_type_int32,
                                  .io_semantics = layer));
   }
   nir_tex_instr *tex = nir_tex_instr_create(b->shader, 2);
   tex->op = key->target_samples ? nir_texop_txf_ms : nir_texop_txf;
   tex->sampler_dim = key->target_samples ? GLSL_SAMPLER_DIM_MS : GLSL_SAMPLER_DIM_2D;
   tex->is_array = true;
   tex->coord_components = 3;
   tex->dest_type = nir_intrinsic_dest_type(intr);
   tex->texture_index = texture;
   tex->src[0] = nir_tex_src_for_ssa(
      nir_tex_src_coord, nir_vec3(b, nir_channel(b, place, 0), nir_channel(b, place, 1), z));
   tex->src[1] = key->target_samples
                    ? nir_tex_src_for_ssa(nir_tex_src_ms_index, nir_load_sample_id(b))
                    : nir_tex_src_for_ssa(nir_tex_src_lod, nir_imm_int(b, 0));
   nir_def_init(&tex->instr, &tex->def, 4, 32);
   nir_builder_instr_insert(b, &tex->instr);
   nir_def_replace(&intr->def, nir_channels(b, &tex->def,
                                            nir_component_mask(intr->def.num_components) << first));
   return true;
}

/* Colours that nothing takes: of buffers that are not bound, and a second source. */
static bool
drop_color(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   const struct atoll_nir_key *key = data;
   if (intr->intrinsic != nir_intrinsic_store_output || !nir_src_is_const(intr->src[1]))
      return false;
   const nir_io_semantics io = nir_intrinsic_io_semantics(intr);
   const unsigned location = io.location + nir_src_as_uint(intr->src[1]);
   const bool drop = io.dual_source_blend_index
                        ? key->one_source
                        : key->color_count && location >= FRAG_RESULT_DATA0 + key->color_count;
   if (drop)
      nir_instr_remove(&intr->instr);
   return drop;
}

/* The pixel shader wants the primitive's number, and no geometry shader gives it one. */
static void
primitive_id(nir_shader *nir)
{
   nir_function_impl *impl = nir_shader_get_entrypoint(nir);
   nir_builder b = nir_builder_at(nir_after_impl(impl));
   nir_store_output(&b, nir_load_primitive_id(&b), nir_imm_int(&b, 0), .write_mask = 1,
                    .src_type = nir_type_int32,
                    .io_semantics = { .location = VARYING_SLOT_PRIMITIVE_ID, .num_slots = 1 });
}

/* Work groups of a size that each dispatch chooses: a program is made for one size. */
static bool
group_size(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if (intr->intrinsic != nir_intrinsic_load_workgroup_size)
      return false;
   const uint16_t *size = b->shader->info.workgroup_size;
   b->cursor = nir_before_instr(&intr->instr);
   nir_def_replace(&intr->def, nir_imm_ivec3(b, size[0], size[1], size[2]));
   return true;
}

static void
choose_group_size(nir_shader *nir, const uint16_t size[3])
{
   for (unsigned i = 0; i < 3; i++)
      nir->info.workgroup_size[i] = size[i];
   nir->info.workgroup_size_variable = false;
   NIR_PASS_V(nir, nir_shader_intrinsics_pass, group_size, nir_metadata_control_flow, NULL);
   NIR_PASS_V(nir, nir_copy_prop);
   NIR_PASS_V(nir, nir_opt_constant_folding);
   NIR_PASS_V(nir, nir_opt_algebraic);
   NIR_PASS_V(nir, nir_opt_dce);
}

/* The size of a point that is neither smooth nor a sprite is rounded (OpenGL 4.6 compatibility,
 * 14.4.1).  The device limits it, and then no size is 0. */
static bool
whole_points(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if (intr->intrinsic != nir_intrinsic_store_output ||
       nir_intrinsic_io_semantics(intr).location != VARYING_SLOT_PSIZ)
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_src_rewrite(&intr->src[0], nir_ffloor(b, nir_fadd_imm(b, intr->src[0].ssa, 0.5)));
   return true;
}

/* The textures, a bit each, that a lookup may be of: one by an index of the program's is any from
 * its array's first on. */
static uint32_t
textures_of(const nir_tex_instr *tex)
{
   if (tex->texture_index > 31)
      return 0;
   return nir_tex_instr_src_index(tex, nir_tex_src_texture_offset) < 0
             ? BITFIELD_BIT(tex->texture_index)
             : ~BITFIELD_MASK(tex->texture_index);
}

uint32_t
atoll_nir_compares(const nir_shader *nir)
{
   uint32_t textures = 0;

   nir_foreach_function_impl(impl, nir)
   {
      nir_foreach_block(block, impl)
      {
         nir_foreach_instr(instr, block)
         {
            if (instr->type != nir_instr_type_tex)
               continue;
            const nir_tex_instr *tex = nir_instr_as_tex(instr);
            if (nir_tex_instr_src_index(tex, nir_tex_src_comparator) >= 0)
               textures |= textures_of(tex);
         }
      }
   }
   return textures;
}

/* Fixed-point depth is compared with what is limited as it is; where it is floats in memory, the
 * device does not do it. */
static bool
limit_reference(nir_builder *b, nir_instr *instr, void *data)
{
   const struct atoll_nir_key *key = data;

   if (instr->type != nir_instr_type_tex)
      return false;
   nir_tex_instr *tex = nir_instr_as_tex(instr);
   const int reference = nir_tex_instr_src_index(tex, nir_tex_src_comparator);
   const int index = nir_tex_instr_src_index(tex, nir_tex_src_texture_offset);
   const uint32_t textures = reference < 0 ? 0 : textures_of(tex);

   if (!(textures & key->limited_references))
      return false;
   b->cursor = nir_before_instr(&tex->instr);
   nir_def *given = tex->src[reference].src.ssa, *limited = nir_fsat(b, given);
   if (index >= 0 && textures & ~key->limited_references) {
      nir_def *bits = nir_imm_int(b, (int)(key->limited_references >> tex->texture_index));
      nir_def *bit = nir_iand_imm(b, nir_ushr(b, bits, tex->src[index].src.ssa), 1);
      limited = nir_bcsel(b, nir_ine_imm(b, bit, 0), limited, given);
   }
   nir_src_rewrite(&tex->src[reference].src, limited);
   return true;
}

void
atoll_nir_lower_key(nir_shader *nir, const struct atoll_nir_key *key)
{
   if (nir->info.workgroup_size_variable)
      choose_group_size(nir, key->block);
   if (key->primitive_id && !key->as_es && !key->as_ls &&
       (nir->info.stage == MESA_SHADER_VERTEX || nir->info.stage == MESA_SHADER_TESS_EVAL))
      primitive_id(nir);
   if (key->whole_points)
      NIR_PASS_V(nir, nir_shader_intrinsics_pass, whole_points, nir_metadata_control_flow, NULL);
   if (key->limited_references)
      NIR_PASS_V(nir, nir_shader_instructions_pass, limit_reference, nir_metadata_control_flow,
                 (void *)key);
   if (nir->info.stage != MESA_SHADER_FRAGMENT)
      return;
   if (nir->info.outputs_read)
      NIR_PASS_V(nir, nir_shader_intrinsics_pass, fetch_target, nir_metadata_control_flow,
                 (void *)key);
   bool dropped = false;
   if (key->one_source || key->color_count)
      NIR_PASS(dropped, nir, nir_shader_intrinsics_pass, drop_color, nir_metadata_control_flow,
               (void *)key);
   if (dropped)
      NIR_PASS_V(nir, nir_opt_dce);
   if (key->poly_stipple)
      polygon_stipple(nir);
   if (key->point_smooth)
      NIR_PASS_V(nir, nir_shader_intrinsics_pass, smooth_alpha, nir_metadata_control_flow,
                 point_area(nir));
   if (key->line_smooth || key->poly_smooth)
      NIR_PASS_V(nir, nir_shader_intrinsics_pass, smooth_alpha, nir_metadata_control_flow, NULL);
   if (key->no_samples)
      NIR_PASS_V(nir, nir_shader_intrinsics_pass, only_sample, nir_metadata_control_flow, NULL);
   if (key->own_sample)
      NIR_PASS_V(nir, nir_shader_intrinsics_pass, own_sample, nir_metadata_control_flow, NULL);
   if (key->alpha_samples)
      alpha_to_mask(nir, key);
   if (key->poly_stipple || key->point_smooth || key->line_smooth || key->poly_smooth ||
       key->alpha_samples) {
      NIR_PASS_V(nir, nir_opt_algebraic);
      NIR_PASS_V(nir, nir_opt_constant_folding);
      NIR_PASS_V(nir, nir_copy_prop);
      NIR_PASS_V(nir, nir_opt_dce);
   }
}
