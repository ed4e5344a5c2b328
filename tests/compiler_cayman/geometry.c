/* SPDX-License-Identifier: MIT */
/*
 * Geometry shaders, compiled and executed on the device's shader core: vertex shader as ES, GS,
 * copy shader, with the rings between them as VGT lays them out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/conventions.h"
#include "il/il.h"
#include "core/core.h"

#include "run_wave.h"

#define PRIMS 21 /* triangles of 63 vertices */

static struct run_wave r;
static struct core_rings rings;
static uint32_t esgs[64 * 64], gsvs[64 * 4096];

static struct shader_code
compile(const char *text, unsigned flags, bool copy)
{
   struct il_error il_error;
   struct shader_code shader;
   char error[256];
   struct il_program *il = il_parse(text, strlen(text), &il_error);

   if (!il)
      fail_msg("line %u:%u: %s", il_error.where, il_error.column, il_error.text);
   if (!il_validate(il, IL_STD_EXTENDED, &il_error))
      fail_msg("instruction %u: %s", il_error.where, il_error.text);
   bool ok = copy ? cayman_compile_copy(il, flags, &shader, error, sizeof(error))
                  : cayman_compile(il, flags, &shader, error, sizeof(error));
   il_program_free(il);
   if (!ok)
      fail_msg("%s", error);
   return shader;
}

/* A fetch of four dwords at dword `index`, as a descriptor of stride 4 makes it. */
static void
fetch_ring(const struct td_vtx_bind *bind, const uint32_t *index, uint32_t *const dst[4],
           uint64_t lanes)
{
   const struct elements *desc = (const void *)(uintptr_t)bind->state[0];
   const uint32_t *ring = desc->ring;

   for (unsigned l = 0; l < 64; l++) {
      uint64_t at = (uint64_t)index[l] + desc->offset / 4;
      for (unsigned c = 0; c < 4 && (lanes >> l & 1); c++) {
         if (dst[c]) {
            unsigned sel = desc->swizzle[c];
            dst[c][l] = sel <= SWIZZLE_W && at + 4 <= desc->ring_bytes / 4 ? ring[at + sel] : 0;
         }
      }
   }
}

/* Runs with every vertex fetch reading `ring`. */
static void
run(const struct shader_code *shader, const uint32_t *ring, uint32_t bytes)
{
   struct sq_program_source *source = &r.source;
   struct elements desc[64];
   struct td_vtx_bind vtx[64];

   source->pgm_resources = shader->num_gprs | shader->stack_size << 8 | 1 << 21;
   source->words = shader->words;
   source->num_words = shader->num_dwords;
   r.lifted = r.kernels->sq_lift(source);
   r.program = r.lifted;
   assert_non_null(r.program);
   if (r.program->core.error) {
      cayman_disassemble(stdout, shader->words, shader->num_dwords);
      fail_msg("%s", r.program->core.error);
   }
   assert_true(r.program->num_vtx <= 64);
   for (uint32_t n = 0; n < r.program->num_vtx; n++) {
      const struct sq_vtx_ref *ref = &r.program->vtx[n];
      const struct elements buffer = { .ring = ring, .ring_bytes = bytes };

      assert_int_equal(ref->resource, CAYMAN_RESOURCE_RING);
      assert_int_equal(ref->adds, CAYMAN_FETCH_NO_INDEX_OFFSET);
      assert_int_equal(ref->fetch.format, FORMAT_R32G32B32A32_FLOAT);
      td_fetch_elements(&desc[n], &ref->fetch, &buffer, 0);
      vtx[n].run = fetch_ring;
      vtx[n].state[0] = (uintptr_t)&desc[n];
   }
   r.bind.vtx = vtx;
   if (!run_wave_again(&r)) {
      cayman_disassemble(stdout, shader->words, shader->num_dwords);
      fail_msg("the wave faulted: %s", r.wave.fault);
   }
}

static uint32_t
attribute(unsigned vertex, unsigned element, unsigned comp)
{
   return vertex * 100 + element * 10 + comp;
}

/* Vertex n's item begins at n * item. */
static void
run_es(const char *text, unsigned item, unsigned flags)
{
   uint32_t *fs;
   unsigned fs_dwords = cayman_build_fetch_shader(NULL, 0, &fs);
   struct shader_code shader = compile(text, flags, false);

   assert_int_equal(shader.stage, SHADER_STAGE_ES);
   run_wave_init(&r, SQ_STAGE_ES);
   r.source.fetch_words = fs;
   r.source.num_fetch_words = fs_dwords;
   for (unsigned v = 0; v < 64; v++) {
      r.gpr[0][0][v] = v;
      for (unsigned e = 0; e < 2; e++)
         for (unsigned c = 0; c < 4; c++)
            r.gpr[1 + e][c][v] = attribute(v, e, c);
   }
   memset(&rings, 0, sizeof(rings));
   memset(esgs, 0xee, sizeof(esgs));
   rings.ring[0] = (struct core_ring){ .base = esgs, .stride = item, .item = item };
   r.wave.rings = &rings;
   run(&shader, esgs, sizeof(esgs));
   run_wave_free(&r);
   shader_code_finish(&shader);
   free(fs);
}

static uint32_t stream_first[4], lane_item;

static void
run_gs(const struct shader_code *shader)
{
   static const uint8_t gpr[6] = { 0, 0, 0, 1, 1, 1 }, chan[6] = { 0, 1, 3, 0, 1, 2 };

   assert_int_equal(shader->stage, SHADER_STAGE_GS);
   run_wave_init(&r, SQ_STAGE_GS);
   memset(&rings, 0, sizeof(rings));
   memset(gsvs, 0xdd, sizeof(gsvs));
   lane_item = 0;
   for (unsigned s = 0; s < 4; s++) {
      stream_first[s] = lane_item;
      lane_item += shader->gs.vertex_dwords[s] * shader->gs.max_vertices;
   }
   assert_true(lane_item <= 4096);
   for (unsigned s = 0; s < 4; s++) {
      rings.ring[s] =
         (struct core_ring){ .base = gsvs,
                             .first = stream_first[s],
                             .stride = lane_item,
                             .item = shader->gs.vertex_dwords[s] * shader->gs.max_vertices };
   }
   rings.max_verts = shader->gs.max_vertices;
   r.wave.rings = &rings;
   r.wave.valid = r.wave.active = (1ull << PRIMS) - 1;
   for (unsigned p = 0; p < PRIMS; p++) {
      for (unsigned v = 0; v < 3; v++)
         r.gpr[gpr[v]][chan[v]][p] = (p * 3 + v) * shader->gs.input_dwords;
      r.gpr[0][2][p] = 1000 + p;
      r.gpr[1][3][p] = p % 3;
   }
   run(shader, esgs, sizeof(esgs));
   run_wave_free(&r);
}

/* Vertex `vertex` of stream `stream` of each primitive, one lane each. */
static void
run_copy(const char *text, unsigned stream, unsigned vertex, unsigned vertex_dwords, unsigned flags)
{
   struct shader_code shader = compile(text, flags, true);

   assert_int_equal(shader.stage, SHADER_STAGE_VS);
   run_wave_init(&r, SQ_STAGE_VS);
   r.wave.valid = r.wave.active = (1ull << PRIMS) - 1;
   for (unsigned p = 0; p < PRIMS; p++) {
      r.gpr[0][0][p] = (p * lane_item + stream_first[stream] + vertex * vertex_dwords) | stream
                                                                                            << 30;
   }
   run(&shader, gsvs, sizeof(gsvs));
   shader_code_finish(&shader);
}

static const char es_text[] = "il_vs_2_0\n"
                              "dcl_x_version 1\n"
                              "dcl_x_stage es\n"
                              "dcl_x_link_slots 0x00000001, 0x00000005\n"
                              "dcl_input_usage(generic) v0\n"
                              "dcl_input_usage(generic) v1\n"
                              "dcl_output_usage(position) o0\n"
                              "dcl_output_usage(generic) o32.xy__\n"
                              "dcl_output_usage(generic) o33\n"
                              "dcl_output_usage(generic) o34\n"
                              "mov o0, v0\n"
                              "mov o32.xy__, v1.wz\n"
                              "mov o33, v1\n"
                              "iadd o34, v0, v1\n"
                              "end\n";

/* One triangle, its vertices backwards, at fixed positions. */
static const char fixed_text[] = "il_gs_2_0\n"
                                 "dcl_x_version 1\n"
                                 "dcl_input_primitive_triangle\n"
                                 "dcl_output_topology trianglestrip\n"
                                 "dcl_max_output_vertex_count 3\n"
                                 "dcl_input_usage(position) v[3][0]\n"
                                 "dcl_input_usage(generic) v[3][32].xy__\n"
                                 "dcl_input_usage(generic) v[3][34]\n"
                                 "dcl_output_usage(position) o0\n"
                                 "dcl_output_usage(generic) o32\n"
                                 "dcl_literal l0, 7, 7, 7, 7\n"
                                 "mov o0, v[2][0]\n"
                                 "mov o32, v[2][34]\n"
                                 "emit\n"
                                 "mov o0, v[1][0]\n"
                                 "mov o32.xy__, v[1][32]\n"
                                 "mov o32.__z_, vPrim.x\n"
                                 "mov o32.__zw, l0\n"
                                 "emit\n"
                                 "mov o0, v[0][0]\n"
                                 "mov o32, vInstanceID.x\n"
                                 "mov o32.x___, vPrim.x\n"
                                 "emitthencut\n"
                                 "end\n";

static void
check_fixed(unsigned flags)
{
   run_es(es_text, 12, flags);
   for (unsigned v = 0; v < 64; v++) {
      assert_int_equal(esgs[v * 12 + 3], attribute(v, 0, 3));
      assert_int_equal(esgs[v * 12 + 4], attribute(v, 1, 3));
      assert_int_equal(esgs[v * 12 + 5], attribute(v, 1, 2));
      assert_int_equal(esgs[v * 12 + 9], attribute(v, 0, 1) + attribute(v, 1, 1));
   }
   struct shader_code gs = compile(fixed_text, flags, false);
   assert_true(gs.gs.input_slots == (1ull | 1ull << 32 | 1ull << 34));
   assert_int_equal(gs.gs.input_dwords, 12);
   assert_int_equal(gs.gs.vertex_dwords[0], 8);
   assert_int_equal(gs.gs.vertex_dwords[1], 0);
   assert_true(gs.gs.uses_primitive_id);
   run_gs(&gs);
   for (unsigned p = 0; p < PRIMS; p++) {
      assert_int_equal(rings.emitted[0][p], 3);
      assert_int_equal(rings.restart[0][0][p], 1u << 3);
   }
   for (unsigned k = 0; k < 3; k++) {
      run_copy(fixed_text, 0, k, 8, flags);
      for (unsigned p = 0; p < PRIMS; p++) {
         unsigned v = p * 3 + 2 - k;
         for (unsigned c = 0; c < 4; c++) {
            uint32_t want = k == 0   ? attribute(v, 0, c) + attribute(v, 1, c)
                            : k == 1 ? (c < 2 ? attribute(v, 1, 3 - c) : 7)
                            : c == 0 ? 1000 + p
                                     : p % 3;
            assert_int_equal(((uint32_t *)r.outputs.pos[0][c])[p], attribute(v, 0, c));
            assert_int_equal(((uint32_t *)r.outputs.param[0][c])[p], want);
         }
      }
      run_wave_free(&r);
   }
   shader_code_finish(&gs);
}

static void
fixed_places(void **state)
{
   (void)state;
   check_fixed(0);
   check_fixed(SHADER_COMPILE_NO_OPT);
   check_fixed(SHADER_COMPILE_FEW_GPRS);
}

/* As many vertices as the primitive's number says, read through an index; a cut after each second
 * one. */
static const char loop_text[] = "il_gs_2_0\n"
                                "dcl_x_version 1\n"
                                "dcl_input_primitive_triangle\n"
                                "dcl_output_topology linestrip\n"
                                "dcl_max_output_vertex_count 8\n"
                                "dcl_input_usage(position) v[3][0]\n"
                                "dcl_output_usage(position) o0\n"
                                "dcl_output_usage(generic) o40.x___\n"
                                "dcl_literal l0, 0, 1, 3, 7\n"
                                "mov r0, l0.x\n"
                                "iand r0.y, vPrim.x, l0.w\n"
                                "whileloop\n"
                                "ige r1.x, r0.x, r0.y\n"
                                "break_logicalnz r1.x\n"
                                "umod r2.x, r0.x, l0.z\n"
                                "mov o0, v[r2.x][0]\n"
                                "mov o40.x, r0.x\n"
                                "emit\n"
                                "iand r3.x, r0.x, l0.y\n"
                                "if_logicalnz r3.x\n"
                                "cut\n"
                                "endif\n"
                                "iadd r0.x, r0.x, l0.y\n"
                                "endloop\n"
                                "end\n";

static void
check_loop(unsigned flags)
{
   run_es(es_text, 12, flags);
   /* The ES stored three slots, this one reads one: run it with its own layout. */
   for (unsigned v = 0; v < 64; v++)
      for (unsigned c = 0; c < 4; c++)
         esgs[v * 4 + c] = attribute(v, 0, c);
   struct shader_code gs = compile(loop_text, flags, false);
   assert_int_equal(gs.gs.input_dwords, 4);
   run_gs(&gs);
   for (unsigned k = 0; k < 8; k++) {
      run_copy(loop_text, 0, k, 8, flags);
      for (unsigned p = 0; p < PRIMS; p++) {
         unsigned count = (1000 + p) & 7;
         assert_int_equal(rings.emitted[0][p], count);
         assert_int_equal(rings.restart[0][0][p], 0x154u & ((2u << count) - 1));
         if (k < count) {
            assert_int_equal(((uint32_t *)r.outputs.pos[0][1])[p], attribute(p * 3 + k % 3, 0, 1));
            assert_int_equal(((uint32_t *)r.outputs.param[0][0])[p], k);
         }
      }
      run_wave_free(&r);
   }
   shader_code_finish(&gs);
}

static void
counted_places(void **state)
{
   (void)state;
   check_loop(0);
   check_loop(SHADER_COMPILE_NO_OPT);
}

/* Two streams, captured to two buffers. */
static const char streams_text[] = "il_gs_2_0\n"
                                   "dcl_x_version 1\n"
                                   "dcl_input_primitive_triangle\n"
                                   "dcl_output_topology pointlist\n"
                                   "dcl_max_output_vertex_count 4\n"
                                   "dcl_input_usage(position) v[3][0]\n"
                                   "dcl_output_usage(position) o0\n"
                                   "dcl_output_usage(generic) o32\n"
                                   "dcl_output_usage(generic) o33\n"
                                   "dcl_x_streamout_stride_buffer(0) 4\n"
                                   "dcl_x_streamout_stride_buffer(2) 2\n"
                                   "dcl_x_streamout_buffer(0) o32, 0\n"
                                   "dcl_x_streamout_buffer(2)_stream(1) o33.xy__, 0\n"
                                   "mov o0, v[0][0]\n"
                                   "mov o32, v[1][0]\n"
                                   "mov o33, v[2][0]\n"
                                   "emit_stream 0\n"
                                   "emit_stream 1\n"
                                   "mov o33, vPrim.x\n"
                                   "emit_stream 1\n"
                                   "cut_stream 1\n"
                                   "end\n";

static void
check_streams(unsigned flags)
{
   for (unsigned v = 0; v < 64; v++)
      for (unsigned c = 0; c < 4; c++)
         esgs[v * 4 + c] = attribute(v, 0, c);
   struct shader_code gs = compile(streams_text, flags, false);
   assert_int_equal(gs.gs.vertex_dwords[0], 12);
   assert_int_equal(gs.gs.vertex_dwords[1], 4);
   assert_int_equal(gs.gs.vertex_dwords[2], 0);
   run_gs(&gs);
   for (unsigned p = 0; p < PRIMS; p++) {
      const uint32_t *item = gsvs + p * lane_item;
      assert_int_equal(rings.emitted[0][p], 1);
      assert_int_equal(rings.emitted[1][p], 2);
      assert_int_equal(item[4], attribute(p * 3 + 1, 0, 0));
      assert_int_equal(item[stream_first[1] + 1], attribute(p * 3 + 2, 0, 1));
      assert_int_equal(item[stream_first[1] + 4], 1000 + p);
   }
   struct shader_code copy = compile(streams_text, flags, true);
   assert_int_equal(copy.vs.stream_buffers, 1u << 0 | 1u << 6);
   assert_int_equal(copy.vs.streamout_stride[2], 2);
   shader_code_finish(&copy);
   run_copy(streams_text, 0, 0, 12, flags);
   for (unsigned p = 0; p < PRIMS; p++)
      assert_int_equal(((uint32_t *)r.outputs.pos[0][2])[p], attribute(p * 3, 0, 2));
   run_wave_free(&r);
   run_copy(streams_text, 1, 1, 4, flags);
   run_wave_free(&r);
   shader_code_finish(&gs);
}

static void
streams(void **state)
{
   (void)state;
   check_streams(0);
   check_streams(SHADER_COMPILE_NO_OPT);
}

static void
refused(void **state)
{
   static const char no_primitive[] = "il_gs_2_0\ndcl_max_output_vertex_count 3\nemit\nend\n";
   struct il_error il_error;
   struct shader_code shader;
   char error[256];

   (void)state;
   struct il_program *il = il_parse(no_primitive, strlen(no_primitive), &il_error);
   assert_non_null(il);
   assert_false(cayman_compile(il, 0, &shader, error, sizeof(error)));
   assert_non_null(strstr(error, "input primitive"));
   il_program_free(il);
   il = il_parse("il_vs_2_0\nend\n", 14, &il_error);
   assert_non_null(il);
   assert_false(cayman_compile_copy(il, 0, &shader, error, sizeof(error)));
   il_program_free(il);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(fixed_places),
      cmocka_unit_test(counted_places),
      cmocka_unit_test(streams),
      cmocka_unit_test(refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
