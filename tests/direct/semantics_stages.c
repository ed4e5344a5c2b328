/* SPDX-License-Identifier: MIT */
/*
 * Geometry, hull and domain shaders executed directly: what they emit, control points, phases and
 * tessellation factors, worked out by hand from the document (7.2.8, 7.2.9, 7.4.5, 7.5).
 */
#include "semantic.h"

static struct semantic *s;

static int
set_up(void **state)
{
   (void)state;
   s = semantic_new();
   return 0;
}

static int
tear_down(void **state)
{
   (void)state;
   free(s);
   return 0;
}

/* --- geometry shaders ------------------------------------------------------------------------- */

/* What slot `slot` of vertex `v` of the lane's primitive has. */
static uint32_t
vertex_value(unsigned v, unsigned slot, unsigned c, unsigned lane)
{
   return 1000000 * (v + 1) + 10000 * slot + 100 * c + lane;
}

static void
geometry(const char *text)
{
   char all[4096];

   snprintf(all, sizeof(all),
            "il_gs_2_0\ndcl_x_version 1\ndcl_input_primitive_triangle\n"
            "dcl_input_position v[3][0]\ndcl_input_generic v[3][34]\n"
            "dcl_output_position o0\ndcl_output_generic o32\n"
            "dcl_literal l0, 0, 1, 2, 3\ndcl_literal l1, 50, 60, 70, 80\n%send\n",
            text);
   semantic_begin(s, all);
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      s->file[0][2][lane] = 500 + lane; /* primitive */
      s->file[1][3][lane] = lane / 16;  /* invocation */
      for (unsigned i = 0; i < 3 * DIRECT_INPUTS * 4; i++) {
         unsigned v = i / 4 / DIRECT_INPUTS, slot = i / 4 % DIRECT_INPUTS;
         s->file[s->direct.input_row + i / 4][i % 4][lane] = vertex_value(v, slot, i % 4, lane);
      }
   }
   semantic_run(s);
}

/* Output `n` of the outputs that are written, of an emitted vertex. */
static uint32_t
emitted(unsigned stream, unsigned vertex, unsigned n, unsigned c, unsigned lane)
{
   const struct direct_program *p = &s->direct;
   assert_true(p->vertex_row[stream] && n < p->vertex_outputs && vertex < p->max_vertices);
   return s->file[p->vertex_row[stream] + vertex * p->vertex_outputs + n][c][lane];
}

/* Outputs keep their values after an emit; a cut ends the strip. */
static void
vertices(void **state)
{
   (void)state;
   geometry("dcl_output_topology trianglestrip\ndcl_max_output_vertex_count 8\n"
            "mov o0, v[2][34]\nmov o32, l1\nemit\n"
            "mov o0.x___, vPrim.x\nemit\ncut\n"
            "mov r0.x, l0.y\nmov o0, v[r0.x][0]\nmov o32._y__, vInstanceID.x\nemitthencut\nemit\n");
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      assert_int_equal(s->rings.emitted[0][lane], 4);
      assert_int_equal(s->rings.restart[0][0][lane], 1 << 2 | 1 << 3);
      for (unsigned c = 0; c < 4; c++) {
         uint32_t first = vertex_value(2, 34, c, lane), third = vertex_value(1, 0, c, lane);
         assert_int_equal(emitted(0, 0, 0, c, lane), first);
         assert_int_equal(emitted(0, 0, 1, c, lane), 50 + 10 * c);
         assert_int_equal(emitted(0, 1, 0, c, lane), c ? first : 500 + lane);
         assert_int_equal(emitted(0, 1, 1, c, lane), 50 + 10 * c);
         assert_int_equal(emitted(0, 2, 0, c, lane), third);
         assert_int_equal(emitted(0, 2, 1, c, lane), c == 1 ? lane / 16 : 50 + 10 * c);
         assert_int_equal(emitted(0, 3, 0, c, lane), third);
      }
   }
   semantic_end(s);
}

/* Lanes emit as many as their numbers say, up to the declared count; those with odd ones cut in
 * between. */
static void
vertices_by_lane(void **state)
{
   (void)state;
   geometry("dcl_output_topology pointlist\ndcl_max_output_vertex_count 5\n"
            "dcl_literal l2, 7, 500, 0, 0\nmov o0, v[0][0]\niadd r1.x, vPrim.x, l2.y_neg(xyzw)\n"
            "iand r1.x, r1.x, l2.x\niand r1._y, r1.x, l0.y\nmov r0, l0.x\n"
            "whileloop\nige r2.x, r0.x, r1.x\nbreak_logicalnz r2.x\n"
            "mov o32, r0.x\nemit\nif_logicalnz r1.y\ncut\nendif\niadd r0.x, r0.x, l0.y\nendloop\n");
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      unsigned asked = lane & 7, count = asked < 5 ? asked : 5;
      assert_int_equal(s->rings.emitted[0][lane], count);
      /* after the fifth, too: no strip that starts after the last vertex is seen */
      uint32_t cuts = asked & 1 ? ((2u << count) - 1) & ~1u : 0;
      assert_int_equal(s->rings.restart[0][0][lane], cuts);
      for (unsigned v = 0; v < count; v++)
         assert_int_equal(emitted(0, v, 1, 0, lane), v);
   }
   semantic_end(s);
}

/* Streams count for themselves, and each vertex has the outputs as they were. */
static void
streams(void **state)
{
   (void)state;
   geometry("dcl_output_topology pointlist\ndcl_max_output_vertex_count 4\n"
            "mov o0, v[0][0]\nmov o32, l0.x\nemit_stream 0\nmov o32, l0.y\nemit_stream 2\n"
            "mov o32, l0.z\nemitcut_stream 2\nmov o32, l0.w\nemit_stream 0\ncut_stream 2\n"
            "mov o32, l1.x\nemit_stream 2\n");
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      assert_int_equal(s->rings.emitted[0][lane], 2);
      assert_int_equal(s->rings.emitted[1][lane], 0);
      assert_int_equal(s->rings.emitted[2][lane], 3);
      assert_int_equal(s->rings.restart[0][0][lane], 0);
      assert_int_equal(s->rings.restart[2][0][lane], 1 << 2);
      assert_int_equal(emitted(0, 0, 1, 0, lane), 0);
      assert_int_equal(emitted(0, 1, 1, 0, lane), 3);
      assert_int_equal(emitted(2, 0, 1, 0, lane), 1);
      assert_int_equal(emitted(2, 1, 1, 0, lane), 2);
      assert_int_equal(emitted(2, 2, 1, 0, lane), 50);
   }
   assert_int_equal(s->direct.vertex_row[1], 0);
   semantic_end(s);
}

/* --- hull shaders ----------------------------------------------------------------------------- */
#define POINTS 3u

/* Control point n has 100 n + 10 c in slot 0, and 1000 more in slot 32. */
static uint32_t
point_value(unsigned n, unsigned slot, unsigned c)
{
   return 100 * n + 10 * c + (slot == 32 ? 1000 : 0);
}

static void
fill_points(void)
{
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      for (unsigned i = 0; i < 4 * 2 * 4; i++) {
         unsigned n = i / 8, slot = i / 4 % 2 ? 32 : 0;
         s->file[s->direct.input_row + n * DIRECT_INPUTS + slot][i % 4][lane] =
            point_value(n, slot, i % 4);
      }
   }
}

static void
hull(const char *phases)
{
   char all[4096];

   snprintf(all, sizeof(all),
            "il_hs_2_0\ndcl_x_version 1\ndcl_num_icp 4\ndcl_num_ocp 3\ndcl_ts_domain tri\n"
            "dcl_ts_partition integer\ndcl_ts_output_primitive triangle_cw\n"
            "dcl_literal l0, 0, 1, 2, 3\ndcl_literal l1, 1.5, 2.5, 0, 0\n%send\n",
            phases);
   semantic_begin(s, all);
   fill_points();
   for (unsigned lane = 0; lane < POINTS; lane++) {
      s->file[0][0][lane] = 77;
      s->file[0][2][lane] = lane;
   }
   s->wave.active = s->wave.valid = (1u << POINTS) - 1;
   semantic_run(s);
}

static uint32_t
patch(unsigned n, unsigned c)
{
   return s->file[s->direct.patch_row + n][c][0];
}

/* The control point phase runs for each point; a fork phase as often as it says, then join phases.
 */
static void
phases(void **state)
{
   (void)state;
   hull("hs_cp_phase\ndcl_output_generic o32\ndcl_output_generic o33\n"
        "mov r0.x, vOutputControlPointID.x\n"
        "iadd o32, vicp[r0.x][32], vicp[r0.x+1][0]\nmov o33, r0.x\nendphase\n"
        "hs_fork_phase 3\ndcl_output_edge_tessfactor o0.x\ndcl_output_edge_tessfactor o1.x\n"
        "dcl_output_edge_tessfactor o2.x\n"
        "itof r0.x, vInstanceID.x\nadd r0.x, r0.x, l1.x\nmov r1.x, vInstanceID.x\n"
        "mov o[r1.x].x, r0.x\nendphase\n"
        "hs_fork_phase 1\ndcl_output_inside_tessfactor o3.x\ndcl_output_generic o7\n"
        "mov o3.x, l1.y\niadd o7, vocp[1][32], vocp[2][33]\nendphase\n"
        "hs_join_phase 1\ndcl_output_generic o8\nmov r0.x, vPrim.x\nmov o8, r0.x\n"
        "mov o8._y, vInstanceID.x\nendphase\n");
   for (unsigned lane = 0; lane < POINTS; lane++) {
      for (unsigned c = 0; c < 4; c++) {
         assert_int_equal(semantic_output(s, 32)[c][lane],
                          point_value(lane, 32, c) + point_value(lane + 1, 0, c));
         assert_int_equal(semantic_output(s, 33)[c][lane], lane);
      }
   }
   for (unsigned n = 0; n < 3; n++)
      assert_int_equal(patch(n, 0), semantic_bits(1.5f + (float)n));
   assert_int_equal(patch(3, 0), semantic_bits(2.5f));
   for (unsigned c = 0; c < 4; c++) {
      assert_int_equal(patch(7, c), point_value(1, 32, c) + point_value(2, 0, c) + 2);
      assert_int_equal(patch(8, c), c == 1 ? 0 : 77);
   }
   assert_int_equal(s->direct.output_mask[32], 15);
   assert_int_equal(s->direct.output_mask[7], 0);
   assert_int_equal(s->direct.patch_mask[7], 15);
   semantic_end(s);
}

/* A subroutine writes the outputs of the phase that calls it, and sees its instance. */
static void
calls_from_phases(void **state)
{
   (void)state;
   hull(
      "hs_cp_phase\ndcl_output_generic o5\ndcl_output_generic o6\nmov r3, vOutputControlPointID.x\n"
      "call 1\nendphase\n"
      "hs_fork_phase 2\ndcl_output_generic o5\ndcl_output_generic o6\ndcl_literal l2, 40, 41, 42, "
      "43\n"
      "mov r3, l2\nif_logicalnz vInstanceID.x\ncall 1\nendif\nendphase\n"
      "hs_fork_phase 3\ndcl_output_generic o10\ndcl_output_generic o11\ndcl_output_generic o12\n"
      "call 2\nendphase\nendmain\n"
      "func 1\nmov o5, r3\niadd o6.x, vInstanceID.x, l0.w\nret\nendfunc\n"
      "func 2\ndcl_literal l3, 10, 0, 0, 0\niadd r4.x, vInstanceID.x, l3.x\nmov o[r4.x], "
      "r4.x\nret\nendfunc\n");
   for (unsigned lane = 0; lane < POINTS; lane++) {
      assert_int_equal(semantic_output(s, 5)[0][lane], lane);
      assert_int_equal(semantic_output(s, 6)[0][lane], 3);
      assert_int_equal(semantic_output(s, 10)[0][lane], 0);
   }
   for (unsigned c = 0; c < 4; c++) {
      assert_int_equal(patch(5, c), 40 + c);
      assert_int_equal(patch(10, c), 10);
      assert_int_equal(patch(12, c), 12);
   }
   assert_int_equal(patch(6, 0), 1 + 3);
   semantic_end(s);
}

/* A return leaves this run of its phase, and nothing else. */
static void
returns_from_phases(void **state)
{
   (void)state;
   hull(
      "hs_cp_phase\ndcl_output_generic o5\nmov o5, l0.x\nieq r0.x, vOutputControlPointID.x, l0.y\n"
      "if_logicalnz r0.x\nret_dyn\nendif\nmov o5, l0.z\nendphase\n"
      "hs_fork_phase 3\ndcl_output_generic o1\ndcl_output_generic o2\ndcl_output_generic o3\n"
      "ieq r0.x, vInstanceID.x, l0.y\nwhileloop\nret_logicalnz r0.x\nbreak\nendloop\n"
      "iadd r1.x, vInstanceID.x, l0.y\nmov o[r1.x], l0.w\nendphase\n"
      "hs_join_phase 1\ndcl_output_generic o4\nmov o4, l0.y\nret\nmov o4, l0.w\nendphase\n");
   for (unsigned lane = 0; lane < POINTS; lane++)
      assert_int_equal(semantic_output(s, 5)[0][lane], lane == 1 ? 0 : 2);
   assert_int_equal(patch(1, 0), 3);
   assert_int_equal(patch(2, 0), 0);
   assert_int_equal(patch(3, 0), 3);
   assert_int_equal(patch(4, 0), 1);
   semantic_end(s);
   /* The same where there is nothing else to legalise: the phases after it run. */
   hull("hs_cp_phase\ndcl_output_generic o5\nmov o5, l0.y\nret\nmov o5, l0.z\nendphase\n"
        "hs_join_phase 1\ndcl_output_generic o4\nmov o4, l0.w\nret_dyn\nmov o4, l0.x\nendphase\n");
   for (unsigned lane = 0; lane < POINTS; lane++)
      assert_int_equal(semantic_output(s, 5)[0][lane], 1);
   assert_int_equal(patch(4, 0), 3);
   semantic_end(s);
}

/* --- domain shaders --------------------------------------------------------------------------- */
static void
domain(void **state)
{
   (void)state;
   semantic_begin(s, "il_ds_2_0\ndcl_x_version 1\ndcl_output_position o0\ndcl_output_generic o32\n"
                     "dcl_output_generic o33\ndcl_output_generic o34\ndcl_literal l0, 0, 1, 2, 3\n"
                     "mov o0, vDomain.xyzz\nmov o32, vicp[2][32]\n"
                     "iand r0.x, vPrim.x, l0.y\nmov o33, vicp[r0.x+1][0]\n"
                     "mov o34, vpc[r0.x+4]\nmov o34.__z_, vpc9.x\nmov o34.___w, vPrim.x\nend\n");
   fill_points();
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      s->file[0][0][lane] = semantic_bits((float)lane / 128);
      s->file[0][1][lane] = semantic_bits(0.25f);
      s->file[0][3][lane] = 600 + lane;
      for (unsigned i = 0; i < DIRECT_PATCH * 4; i++)
         s->file[s->direct.patch_row + i / 4][i % 4][lane] = 7000 + i;
   }
   semantic_run(s);
   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      assert_int_equal(semantic_output(s, 0)[0][lane], semantic_bits((float)lane / 128));
      assert_int_equal(semantic_output(s, 0)[1][lane], semantic_bits(0.25f));
      assert_int_equal(semantic_output(s, 0)[2][lane], semantic_bits(0.75f - (float)lane / 128));
      for (unsigned c = 0; c < 4; c++) {
         assert_int_equal(semantic_output(s, 32)[c][lane], point_value(2, 32, c));
         assert_int_equal(semantic_output(s, 33)[c][lane], point_value(1 + (lane & 1), 0, c));
      }
      assert_int_equal(semantic_output(s, 34)[1][lane], 7000 + 4 * (4 + (lane & 1)) + 1);
      assert_int_equal(semantic_output(s, 34)[2][lane], 7000 + 4 * 9);
      assert_int_equal(semantic_output(s, 34)[3][lane], 600 + lane);
   }
   semantic_end(s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(vertices),
      cmocka_unit_test(vertices_by_lane),
      cmocka_unit_test(streams),
      cmocka_unit_test(phases),
      cmocka_unit_test(calls_from_phases),
      cmocka_unit_test(returns_from_phases),
      cmocka_unit_test(domain),
   };
   return cmocka_run_group_tests(tests, set_up, tear_down);
}
