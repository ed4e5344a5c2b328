/* SPDX-License-Identifier: MIT */
/* Inputs, outputs, constants, system values. */
#include "common.h"

static void
vertex_shader(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   output(&b, VARYING_SLOT_POS, vs_input(&b, 0, 4));
   output(&b, VARYING_SLOT_VAR3, vs_input(&b, 2, 2));
   output(&b, VARYING_SLOT_PSIZ, nir_i2f32(&b, nir_load_vertex_id(&b)));
   char *t = finish(&b, NULL);
   contains(t, "il_vs_2_0\n");
   contains(t, "dcl_input_usage(generic) v0\n");
   contains(t, "dcl_input_usage(generic) v2.xy__\n");
   contains(t, "dcl_input_usage(vertexid) v32.x___\n");
   contains(t, "dcl_output_usage(position) o0\n");
   contains(t, "dcl_output_usage(pointsize) o1.x___\n");
   contains(t, "dcl_output_usage(generic) o35.xy__\n");
   contains(t, "mov o0, r0\n");
   lacks(t, "dcl_x_version");
   free(t);
}

static void
interpolation(void **state)
{
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_def *sum = ps_smooth(&b, VARYING_SLOT_VAR0, 4, INTERP_MODE_SMOOTH);
   sum = nir_fadd(&b, sum, ps_smooth(&b, VARYING_SLOT_VAR1, 4, INTERP_MODE_NOPERSPECTIVE));
   sum = nir_fadd(&b, sum, ps_smooth(&b, VARYING_SLOT_COL0, 4, INTERP_MODE_NONE));
   sum = nir_fadd(&b, sum, ps_flat(&b, 5, 4));
   sum = nir_fadd(&b, sum, nir_load_frag_coord(&b));
   output(&b, FRAG_RESULT_DATA0, sum);
   char *t = finish(&b, NULL);
   contains(t, "dcl_input_usage(generic)_interp(linear) v32\n");
   contains(t, "dcl_input_usage(generic)_interp(noperspective) v33\n");
   contains(t, "dcl_input_usage(color) v2\n");
   contains(t, "dcl_input_usage(generic)_interp(constant) v37\n");
   contains(t, "dcl_input_usage(position)_interp(noperspective) v0\n");
   contains(t, "dcl_output_usage(generic) o0\n");
   free(t);
}

/* One register, two positions in the pixel: the second, in the order of reading, is evaluated. */
static void
centroid_of_smooth(void **state)
{
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_def *smooth = ps_smooth(&b, VARYING_SLOT_VAR0, 4, INTERP_MODE_SMOOTH);
   nir_def *bary = nir_load_barycentric_centroid(&b, 32, .interp_mode = INTERP_MODE_SMOOTH);
   nir_def *centroid = nir_load_interpolated_input(
      &b, 4, 32, bary, nir_imm_int(&b, 0), .dest_type = nir_type_float32,
      .io_semantics = { .location = VARYING_SLOT_VAR0, .num_slots = 1 });
   output(&b, FRAG_RESULT_DATA0, nir_fsub(&b, smooth, centroid));
   char *t = finish(&b, NULL);
   contains(t, "dcl_input_usage(generic)_interp(centroid) v32\n");
   contains(t, "eval_snapped r");
   free(t);
}

static void
colour_key(void **state)
{
   struct atoll_nir_key key = { .color_count = 3, .alpha_to_one = true };
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   output(&b, FRAG_RESULT_COLOR, ps_smooth(&b, VARYING_SLOT_VAR0, 4, INTERP_MODE_SMOOTH));
   output(&b, FRAG_RESULT_DEPTH, nir_imm_float(&b, 0.5));
   char *t = finish(&b, &key);
   contains(t, "mov o0.xyz1, ");
   contains(t, "mov o2.xyz1, ");
   lacks(t, "o3");
   contains(t, "dcl_odepth\n");
   contains(t, "mov oDepth.x___, l0.x\n");
   free(t);
}

/* Alpha is coverage before it is 1, within what the shader writes of coverage itself. */
static void
alpha_key(void **state)
{
   for (unsigned dither = 0; dither < 2; dither++) {
      struct atoll_nir_key key = { .alpha_to_one = true,
                                   .alpha_samples = 4,
                                   .alpha_dither = dither };
      nir_builder b = begin(MESA_SHADER_FRAGMENT);
      nir_store_output(&b, nir_imm_int(&b, 0x5a), nir_imm_int(&b, 0), .write_mask = 1,
                       .src_type = nir_type_int32,
                       .io_semantics = { .location = FRAG_RESULT_SAMPLE_MASK, .num_slots = 1 });
      output(&b, FRAG_RESULT_DATA0, ps_smooth(&b, VARYING_SLOT_VAR0, 4, INTERP_MODE_SMOOTH));
      char *t = finish(&b, &key);
      contains(t, "mov o0.xyz1, ");
      contains(t, "mov_sat r");
      contains(t, "ishl r");
      contains(t, "iand r");
      contains(t, "mov oMask.x___, r");
      assert_null(strstr(strstr(t, "oMask.x___") + 1, "oMask.x___"));
      assert_int_equal(strstr(t, "dcl_input_usage(position)") != NULL, dither);
      free(t);
   }
}

/* A colour of a buffer that is not bound, and a second source that blending does not read, take
 * with them what they alone are computed from. */
static void
dropped_colours(void **state)
{
   const struct {
      struct atoll_nir_key key;
      bool one, two, second;
   } cases[] = {
      { { .color_count = 0 }, true, true, true },
      { { .color_count = 2 }, true, true, true },
      { { .color_count = 1 }, true, false, true },
      { { .one_source = true }, true, true, false },
      { { .color_count = 1, .one_source = true }, true, false, false },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      nir_builder b = begin(MESA_SHADER_FRAGMENT);
      output(&b, FRAG_RESULT_DATA0, ps_smooth(&b, VARYING_SLOT_VAR0, 4, INTERP_MODE_SMOOTH));
      output(&b, FRAG_RESULT_DATA0 + 1, nir_fsqrt(&b, ps_smooth(&b, VARYING_SLOT_VAR1, 4, 0)));
      nir_def *second = nir_fexp2(&b, ps_smooth(&b, VARYING_SLOT_VAR2, 4, 0));
      nir_store_output(
         &b, second, nir_imm_int(&b, 0), .src_type = nir_type_float32, .write_mask = 15,
         .io_semantics = {
            .location = FRAG_RESULT_DATA0, .num_slots = 1, .dual_source_blend_index = 1 });
      char *t = finish(&b, &cases[i].key);
      assert_int_equal(strstr(t, "mov o0, ") != NULL, cases[i].one);
      assert_int_equal(strstr(t, "sqrt_vec") != NULL, cases[i].two);
      assert_int_equal(strstr(t, "exp_vec") != NULL, cases[i].second);
      assert_int_equal(strstr(t, "mov o1, ") != NULL, cases[i].two || cases[i].second);
      free(t);
   }
}

static void
stipple_key(void **state)
{
   struct atoll_nir_key key = { .poly_stipple = true };
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   output(&b, FRAG_RESULT_COLOR, nir_imm_vec4(&b, 1, 1, 1, 1));
   char *t = finish(&b, &key);
   contains(t, "dcl_x_version 1\n");
   contains(t, "dcl_cb cb15[84]\n");
   contains(t, ", cb15[");
   contains(t, "discard_logicalnz ");
   free(t);
}

static void
uniforms(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *index = nir_f2i32(&b, vs_input(&b, 0, 1));
   nir_def *byte = nir_ishl_imm(&b, index, 4);
   nir_def *a = nir_load_ubo(&b, 4, 32, nir_imm_int(&b, 0), nir_imm_int(&b, 48), .align_mul = 16,
                             .range = ~0);
   nir_def *c = nir_load_ubo(&b, 4, 32, nir_imm_int(&b, 2), nir_iadd_imm(&b, byte, 32),
                             .align_mul = 16, .range = ~0);
   output(&b, VARYING_SLOT_POS, nir_fadd(&b, a, c));
   char *t = finish(&b, NULL);
   contains(t, "dcl_cb cb0[4096]\n");
   contains(t, "dcl_cb cb2[4096]\n");
   contains(t, ", cb0[3]\n");
   contains(t, ", cb2[r");
   contains(t, "+2]"); /* index and offset, not bytes */
   lacks(t, "ushr");
   free(t);
}

static void
system_values(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *v = nir_vec4(&b, nir_load_base_vertex(&b), nir_load_base_instance(&b),
                         nir_load_draw_id(&b), nir_load_instance_id(&b));
   output(&b, VARYING_SLOT_POS, v);
   char *t = finish(&b, NULL);
   contains(t, "dcl_x_version 1\n");
   contains(t, "x_sysval_id(base_vertex) r");
   contains(t, "x_sysval_id(base_instance) r");
   contains(t, "x_sysval_id(draw_id) r");
   contains(t, "dcl_input_usage(instanceid) v33.x___\n");
   free(t);
}

static void
clip_vertex(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   output(&b, VARYING_SLOT_POS, vs_input(&b, 0, 4));
   output(&b, VARYING_SLOT_CLIP_VERTEX, vs_input(&b, 1, 4));
   char *t = finish(&b, NULL);
   contains(t, "dcl_output_usage(clipdistance) o8\n");
   contains(t, "dcl_output_usage(clipdistance) o9\n");
   contains(t, "cb15[7]");
   contains(t, "dp4_ieee ");
   free(t);
}

static void
unsupported_is_an_error(void **state)
{
   struct atoll_nir_key key = { 0 };
   char error[100];
   nir_builder b = begin(MESA_SHADER_VERTEX);
   output(&b, VARYING_SLOT_POS, nir_load_num_subgroups(&b));
   atoll_nir_lower(b.shader, NULL, 64);
   assert_null(atoll_nir_to_il(b.shader, &key, NULL, NULL, error, sizeof(error)));
   assert_string_equal(error, "not implemented: NIR intrinsic load_num_subgroups");
   ralloc_free(b.shader);
}

static char *
samples(const struct atoll_nir_key *key)
{
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_def *place = nir_load_sample_pos(&b);
   output(&b, FRAG_RESULT_DATA0,
          nir_vec4(&b, nir_u2f32(&b, nir_load_sample_mask_in(&b)),
                   nir_u2f32(&b, nir_load_sample_id(&b)), nir_channel(&b, place, 0),
                   nir_channel(&b, place, 1)));
   return finish(&b, key);
}

/* One sample runs for itself, or there is none but the first. */
static void
sample_values(void **state)
{
   (void)state;
   struct atoll_nir_key key = { .own_sample = true };
   char *text = samples(&key);
   contains(text, "vCoverageMask");
   contains(text, "ishl ");
   contains(text, "iand ");
   contains(text, "x_sysval_id(sample_pos)");
   free(text);

   key = (struct atoll_nir_key){ .no_samples = true };
   text = samples(&key);
   lacks(text, "vCoverageMask");
   lacks(text, "sample_index");
   lacks(text, "x_sysval");
   free(text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertex_shader),
      cmocka_unit_test(interpolation),
      cmocka_unit_test(centroid_of_smooth),
      cmocka_unit_test(colour_key),
      cmocka_unit_test(alpha_key),
      cmocka_unit_test(dropped_colours),
      cmocka_unit_test(stipple_key),
      cmocka_unit_test(uniforms),
      cmocka_unit_test(system_values),
      cmocka_unit_test(clip_vertex),
      cmocka_unit_test(unsupported_is_an_error),
      cmocka_unit_test(sample_values),
   };
   glsl_type_singleton_init_or_ref();
   int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
