/* SPDX-License-Identifier: MIT */
/* Tessellation shaders, and vertex shaders in front of them: what their IL says. */
#include "common.h"

#include "il/conventions.h"

static nir_builder
begin_control(void)
{
   nir_builder b = begin(MESA_SHADER_TESS_CTRL);
   b.shader->info.tess.tcs_vertices_out = 4;
   return b;
}

static nir_def *
point_input(nir_builder *b, nir_def *point, nir_def *offset, unsigned location, unsigned slots)
{
   return nir_load_per_vertex_input(b, 4, 32, point, offset, .dest_type = nir_type_float32,
                                    .io_semantics = { .location = location, .num_slots = slots });
}

static void
point_output(nir_builder *b, nir_def *value, nir_def *offset, unsigned location, unsigned slots)
{
   nir_store_per_vertex_output(b, value, nir_load_invocation_id(b), offset, .write_mask = 15,
                               .src_type = nir_type_float32,
                               .io_semantics = { .location = location, .num_slots = slots });
}

static nir_def *
other_output(nir_builder *b, unsigned point, unsigned location)
{
   return nir_load_per_vertex_output(b, 4, 32, nir_imm_int(b, point), nir_imm_int(b, 0),
                                     .dest_type = nir_type_float32,
                                     .io_semantics = { .location = location, .num_slots = 1 });
}

static void
patch_output(nir_builder *b, nir_def *value, nir_def *offset, unsigned location)
{
   nir_store_output(b, value, offset, .src_type = nir_type_float32,
                    .write_mask = BITFIELD_MASK(value->num_components),
                    .io_semantics = { .location = location, .num_slots = 2 });
}

static void
control(void **state)
{
   (void)state;
   const struct atoll_nir_key key = { .link_slots = 3ull << IL_LINK_GENERIC0,
                                      .tess_domain = TESS_PRIMITIVE_QUADS };
   nir_builder b = begin_control();
   nir_def *zero = nir_imm_int(&b, 0), *id = nir_load_invocation_id(&b);
   point_output(&b, point_input(&b, id, zero, VARYING_SLOT_POS, 1), zero, VARYING_SLOT_VAR0, 1);
   nir_barrier(&b, .execution_scope = SCOPE_WORKGROUP, .memory_scope = SCOPE_WORKGROUP,
               .memory_semantics = NIR_MEMORY_ACQ_REL, .memory_modes = nir_var_shader_out);
   nir_def *other = other_output(&b, 2, VARYING_SLOT_VAR0);
   patch_output(&b, other, zero, VARYING_SLOT_PATCH3);
   patch_output(&b, other, id, VARYING_SLOT_PATCH0 + 5);
   patch_output(&b, nir_u2f32(&b, nir_load_patch_vertices_in(&b)), zero,
                VARYING_SLOT_TESS_LEVEL_OUTER);
   patch_output(&b, nir_channels(&b, other, 3), zero, VARYING_SLOT_TESS_LEVEL_INNER);
   char *text = finish(&b, &key);
   contains(text, "il_hs");
   contains(text, "dcl_x_flat_hs");
   contains(text, "dcl_num_ocp 4");
   contains(text, "dcl_ts_domain ts_domain_quad");
   contains(text, "dcl_x_link_slots 0, 3");
   contains(text, "vOutputControlPointID");
   contains(text, "][0]"); /* vicp[r#.x][0] */
   contains(text, "mov o32");
   contains(text, "fence_threads_lds");
   contains(text, "vocp[2][32]");
   contains(text, "mov vpc3,");
   contains(text, "mov vpc[");
   contains(text, "mov vpc30.x");
   contains(text, "mov vpc31.xy");
   contains(text, "cb15[11].y");
   free(text);
}

/* A slot at an index is one of all that it may be. */
static void
indices(void **state)
{
   (void)state;
   nir_builder b = begin_control();
   nir_def *id = nir_load_invocation_id(&b), *zero = nir_imm_int(&b, 0);
   point_output(&b, point_input(&b, zero, id, VARYING_SLOT_VAR4, 3), id, VARYING_SLOT_VAR0, 2);
   char *text = finish(&b, NULL);
   contains(text, "vicp[0][36]");
   contains(text, "vicp[0][37]");
   contains(text, "vicp[0][38]");
   contains(text, "if_logical");
   contains(text, "mov o32");
   contains(text, "mov o33");
   free(text);
}

static void
evaluation(void **state)
{
   (void)state;
   const struct atoll_nir_key key = { .primitive_id = true };
   nir_builder b = begin(MESA_SHADER_TESS_EVAL);
   b.shader->info.tess._primitive_mode = TESS_PRIMITIVE_TRIANGLES;
   nir_def *zero = nir_imm_int(&b, 0);
   nir_def *coord = nir_load_tess_coord(&b);
   nir_def *patch =
      nir_load_input(&b, 4, 32, zero, .dest_type = nir_type_float32,
                     .io_semantics = { .location = VARYING_SLOT_PATCH0 + 1, .num_slots = 1 });
   nir_def *level =
      nir_load_input(&b, 4, 32, zero, .dest_type = nir_type_float32,
                     .io_semantics = { .location = VARYING_SLOT_TESS_LEVEL_OUTER, .num_slots = 1 });
   nir_def *sum = nir_fadd(
      &b,
      nir_vec4(&b, nir_channel(&b, coord, 0), nir_channel(&b, coord, 1), nir_channel(&b, coord, 2),
               nir_channel(&b, level, 3)),
      nir_fadd(&b, patch, point_input(&b, nir_imm_int(&b, 1), zero, VARYING_SLOT_VAR2, 1)));
   output(&b, VARYING_SLOT_POS, sum);
   char *text = finish(&b, &key);
   contains(text, "il_ds");
   contains(text, "vDomain");
   contains(text, "vpc1");
   contains(text, "vpc30");
   contains(text, "vicp[1][34]");
   contains(text, "vPrim");
   contains(text, "dcl_output_usage(position) o0");
   contains(text, "dcl_output_usage(primitiveid) o12.x");
   lacks(text, "dcl_x_flat_hs");
   free(text);
}

/* IL has fences in the stages that write what others read. */
static void
evaluation_barrier(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_TESS_EVAL);
   b.shader->info.tess._primitive_mode = TESS_PRIMITIVE_TRIANGLES;
   nir_def *coord = nir_load_tess_coord(&b);
   nir_barrier(&b, .memory_scope = SCOPE_DEVICE, .memory_semantics = NIR_MEMORY_ACQ_REL,
               .memory_modes = nir_var_mem_ssbo | nir_var_image | nir_var_shader_out);
   output(&b, VARYING_SLOT_POS, nir_pad_vec4(&b, coord));
   char *text = finish(&b, NULL);
   contains(text, "il_ds");
   lacks(text, "fence");
   free(text);
}

static void
in_front(void **state)
{
   (void)state;
   struct atoll_nir_key key = { .as_ls = true, .link_slots = 1ull << IL_LINK_GENERIC0 };
   nir_builder b = begin(MESA_SHADER_VERTEX);
   output(&b, VARYING_SLOT_POS, vs_input(&b, 0, 4));
   output(&b, VARYING_SLOT_VAR0, vs_input(&b, 1, 4));
   char *text = finish(&b, &key);
   contains(text, "dcl_x_stage ls");
   contains(text, "dcl_x_link_slots 0, 1");
   contains(text, "o32");
   lacks(text, "usage(position)");
   free(text);

   key = (struct atoll_nir_key){ .as_es = true, .link_slots = 1 };
   b = begin(MESA_SHADER_TESS_EVAL);
   b.shader->info.tess._primitive_mode = TESS_PRIMITIVE_QUADS;
   nir_def *coord = nir_load_tess_coord(&b);
   output(&b, VARYING_SLOT_POS, nir_pad_vec4(&b, coord));
   text = finish(&b, &key);
   contains(text, "dcl_x_stage es");
   contains(text, "dcl_x_link_slots 1, 0");
   contains(text, "mov o0");
   free(text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(control),    cmocka_unit_test(indices),
      cmocka_unit_test(evaluation), cmocka_unit_test(evaluation_barrier),
      cmocka_unit_test(in_front),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
