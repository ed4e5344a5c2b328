/* SPDX-License-Identifier: MIT */
/* Geometry shaders, and vertex shaders in front of them: what their IL declares. */
#include "common.h"

#include "il/conventions.h"

static nir_def *
vertex_input(nir_builder *b, nir_def *vertex, unsigned location)
{
   return nir_load_per_vertex_input(b, 4, 32, vertex, nir_imm_int(b, 0),
                                    .dest_type = nir_type_float32,
                                    .io_semantics = { .location = location, .num_slots = 1 });
}

static nir_builder
begin_geometry(unsigned streams)
{
   nir_builder b = begin(MESA_SHADER_GEOMETRY);
   b.shader->info.gs.input_primitive = MESA_PRIM_TRIANGLES;
   b.shader->info.gs.output_primitive = MESA_PRIM_LINE_STRIP;
   b.shader->info.gs.vertices_in = 3;
   b.shader->info.gs.vertices_out = 7;
   b.shader->info.gs.invocations = 4;
   b.shader->info.gs.active_stream_mask = streams;
   return b;
}

static void
inputs_and_emits(void **state)
{
   (void)state;
   nir_builder b = begin_geometry(1);
   output(&b, VARYING_SLOT_POS, vertex_input(&b, nir_imm_int(&b, 2), VARYING_SLOT_POS));
   output(&b, VARYING_SLOT_VAR3, vertex_input(&b, nir_load_invocation_id(&b), VARYING_SLOT_VAR1));
   output(&b, VARYING_SLOT_LAYER, nir_load_primitive_id(&b));
   nir_emit_vertex(&b, .stream_id = 0);
   nir_end_primitive(&b, .stream_id = 0);
   char *text = finish(&b, NULL);
   contains(text, "il_gs");
   contains(text, "dcl_input_primitive_triangle");
   contains(text, "dcl_output_topology linestrip");
   contains(text, "dcl_max_output_vertex_count 7");
   contains(text, "dcl_num_instances 4");
   contains(text, "dcl_input_usage(position) v[3][0]");
   contains(text, "dcl_input_usage(generic) v[3][33]");
   contains(text, "v[2][0]");
   contains(text, "vInstanceID");
   contains(text, "vPrim");
   contains(text, "dcl_output_usage(rendertarget_array_index) o13.x");
   contains(text, "\nemit\n");
   contains(text, "\ncut\n");
   lacks(text, "emit_stream");
   free(text);
}

static void
streams(void **state)
{
   (void)state;
   nir_builder b = begin_geometry(5);
   output(&b, VARYING_SLOT_VAR0, vertex_input(&b, nir_imm_int(&b, 0), VARYING_SLOT_VAR0));
   nir_emit_vertex(&b, .stream_id = 2);
   nir_end_primitive(&b, .stream_id = 2);
   char *text = finish(&b, NULL);
   contains(text, "emit_stream 2");
   contains(text, "cut_stream 2");
   free(text);
}

/* Only what the geometry shader reads leaves an ES. */
static void
in_front(void **state)
{
   (void)state;
   const struct atoll_nir_key key = { .as_es = true, .link_slots = 1ull << IL_LINK_GENERIC0 };
   nir_builder b = begin(MESA_SHADER_VERTEX);
   output(&b, VARYING_SLOT_POS, vs_input(&b, 0, 4));
   output(&b, VARYING_SLOT_VAR0, vs_input(&b, 1, 4));
   char *text = finish(&b, &key);
   contains(text, "dcl_x_stage es");
   contains(text, "dcl_x_link_slots 0, 1");
   contains(text, "o32");
   lacks(text, "usage(position)");
   free(text);
}

static void
primitive_number(void **state)
{
   (void)state;
   const struct atoll_nir_key key = { .primitive_id = true };
   nir_builder b = begin(MESA_SHADER_VERTEX);
   output(&b, VARYING_SLOT_POS, vs_input(&b, 0, 4));
   char *text = finish(&b, &key);
   contains(text, "dcl_input_usage(primitiveid) v34.x");
   contains(text, "dcl_output_usage(primitiveid) o12.x");
   free(text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(inputs_and_emits),
      cmocka_unit_test(streams),
      cmocka_unit_test(in_front),
      cmocka_unit_test(primitive_number),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
