/* SPDX-License-Identifier: MIT */
/* Damaged IL: whatever the reader lets through is compiled or refused with a message, and executed
 * as it is or refused; nothing traps, and what is compiled is a legal program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/cayman/cayman_compile.h"
#include "direct/direct.h"
#include "il/il.h"
#include "kernel.h"

static const char pixel[] =
   "il_ps_2_0\n"
   "dcl_cb cb0[4]\n"
   "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(1)_type(cubemap)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_input_generic_interp(linear) v32\n"
   "dcl_input_generic_interp(constant) v33\n"
   "dcl_output_generic o0\n"
   "dcl_indexed_temp_array x0[5]\n"
   "dcl_literal l0, 0x3f800000, 2, 3, 0x3e99999a\n"
   "mov x0[1], v33\n"
   "sample_resource(0)_sampler(0) r0, v32.xy00\n"
   "sample_resource(1)_sampler(1) r1, v32.xyz0\n"
   "sample_g_resource(0)_sampler(0) r2, v32.xy00, v32.zwww, v33.xyyy\n"
   "mul_ieee r0, r0, r1\n"
   "mad_ieee r0, r0, cb0[0], cb0[1]\n"
   "iand r3.x, v33.x, l0.z\n"
   "add r0, r0, x0[r3.x+1]\n"
   "mov x0[r3.x].xy__, r2\n"
   "add r0, r0, cb0[r3.x+1]\n"
   "mov r4.x, l0.x\n"
   "whileloop\n"
   "  ige r5.x, r4.x, l0.y\n"
   "  break_logicalnz r5.x\n"
   "  if_logicalnz r3.x\n"
   "    mov r0.xy__, r0.yx00\n"
   "  else\n"
   "    mul_ieee r0, r0, r0\n"
   "  endif\n"
   "  iadd r4.x, r4.x, l0.y\n"
   "endloop\n"
   "lt r6.x, r0.x, l0.w\n"
   "discard_logicalnz r6.x\n"
   "dp4_ieee r7.x, r0, x0[1]\n"
   "rsq_vec r7.x, r7.x\n"
   "sin_vec r7.y, r0.x\n"
   "udiv r7.z, r0.x, r0.y\n"
   "dsx r8, r0\n"
   "add r0, r0, r7.xyzx\n"
   "add_sat r0, r0, r8\n"
   "mov o0, r0\n"
   "end\n";

static const char vertex[] = "il_vs_2_0\n"
                             "dcl_x_version 1\n"
                             "dcl_cb cb1[64]\n"
                             "dcl_input_generic v0\n"
                             "dcl_input_generic v3.xy__\n"
                             "dcl_output_position o0\n"
                             "dcl_output_pointsize o1.x___\n"
                             "dcl_output_clipdistance o8\n"
                             "dcl_output_generic o32\n"
                             "dp4_ieee r0.x, v0, cb1[0]\n"
                             "dp4_ieee r0.y, v0, cb1[17]\n"
                             "dp4_ieee r0.z, v0, cb1[33]\n"
                             "dp4_ieee r0.w, v0, cb1[63]\n"
                             "mov o0, r0\n"
                             "mov o1.x, cb1[5].w\n"
                             "dp4_ieee r1.x, v0, cb1[3]\n"
                             "dp4_ieee r1.y, v0, cb1[4]\n"
                             "mov o8.xy__, r1.xy00\n"
                             "x_sysval_id(base_vertex) r2.x\n"
                             "mov o32, v3.xyxy\n"
                             "end\n";

/* What the lowering pass expands. */
static const char calls[] = "mdef(1)_out(1)_in(2)\n"
                            "dcl_literal l0, 5, 6, 7, 8\n"
                            "iadd r0, in0, in1\n"
                            "ixor out0, r0, l0\n"
                            "mend\n"
                            "il_vs_2_0\n"
                            "dcl_input_generic v0\n"
                            "dcl_output_position o0\n"
                            "dcl_literal l0, 0, 1, 3, 7\n"
                            "mov r0, v0\n"
                            "iand r4, r0, l0.w\n"
                            "mcall(1) (r1), (r0, r4)\n"
                            "call 1\n"
                            "call_logicalnz r4.x, 2\n"
                            "ddiv r2.xy__, r0, r1\n"
                            "i64div r2.__zw, r0, r1\n"
                            "ixor r0, r0, r2\n"
                            "mov o0, r0\n"
                            "endmain\n"
                            "func 1\n"
                            "whileloop\n"
                            "ret_logicalz r4.x\n"
                            "iadd r4.x, r4.x, l0.y_neg(xyzw)\n"
                            "switch r4.x\n"
                            "case 1\n"
                            "ret_dyn\n"
                            "default\n"
                            "call 2\n"
                            "break\n"
                            "endswitch\n"
                            "endloop\n"
                            "ret\n"
                            "endfunc\n"
                            "func 2\n"
                            "iadd r0, r0, r4.y\n"
                            "ret\n"
                            "endfunc\n"
                            "end\n";

static const char hull[] = "il_hs_2_0\n"
                           "dcl_num_icp 4\n"
                           "dcl_num_ocp 3\n"
                           "dcl_ts_domain quad\n"
                           "hs_cp_phase\n"
                           "dcl_output_generic o32\n"
                           "mov r0.x, vOutputControlPointID.x\n"
                           "add r1, vicp[r0.x][32], vicp[r0.x+1][33]\n"
                           "mov o32, r1\n"
                           "endphase\n"
                           "hs_fork_phase 4\n"
                           "dcl_output_edge_tessfactor o0.x\n"
                           "dcl_output_edge_tessfactor o1.x\n"
                           "dcl_output_inside_tessfactor o4.x\n"
                           "itof r0.x, vInstanceID.x\n"
                           "mov r1.x, vInstanceID.x\n"
                           "mov o[r1.x].x, r0.x\n"
                           "mov o4.x, vocp[1][32].x\n"
                           "endphase\n"
                           "end\n";

static const char flat_hull[] = "il_hs_2_0\n"
                                "dcl_x_version 1\n"
                                "dcl_x_flat_hs\n"
                                "dcl_x_link_slots 0, 1\n"
                                "dcl_num_ocp 4\n"
                                "dcl_ts_domain isoline\n"
                                "dcl_output_generic o32\n"
                                "dcl_output_generic o40\n"
                                "mov r0.x, vOutputControlPointID.x\n"
                                "add o32, vicp[r0.x][32], vicp[r0.x+1][33]\n"
                                "mov o40.y, r0.x\n"
                                "fence_threads_lds\n"
                                "mov r1, vocp[r0.x+1][40]\n"
                                "if_logicalnz r1.y\n"
                                "mov vpc[r0.x+3].xy, r1\n"
                                "mov vpc30.xy, vpc[r0.x+3]\n"
                                "endif\n"
                                "end\n";

static uint64_t seed = 1;

static uint32_t
rnd(void)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(seed >> 33);
}

static const char model3[] = "il_ps_2_0\n"
                             "dclpt_stage(0)_type(2d)_coordmode(normalized)\n"
                             "dclpt_stage(1)_type(2dmsaa)_coordmode(unnormalized)\n"
                             "dclpin_usage(generic)_usageIndex(3) vPixIn0\n"
                             "dclpin_usage(color)_usageIndex(0)_centroid vPixIn1\n"
                             "texld_stage(0)_lodbias(5) r0, vPixIn0\n"
                             "texldb_stage(0)_absolute r1, vPixIn0, vPixIn1\n"
                             "texldd_stage(0)_shadowmode(z) r2, vPixIn0, r0, r1\n"
                             "texldms_stage(1) r3, vWinCoord\n"
                             "lod_stage(0) r4, vPixIn0\n"
                             "kill_stage(0)_sample r0\n"
                             "memimport_elem(3) r5, r4\n"
                             "memexport_exportStream(2)_elemOffset(1) r4, r5\n"
                             "add r0, r0, r1\nadd r0, r0, r2\nadd r0, r0, r3\n"
                             "mul oC0, r0, vFace.x\nmov oC2, r5\n"
                             "end\n";

static const char shared[] =
   "il_cs_2_0\n"
   "dcl_num_thread_per_group 64, 2, 1\n"
   "dcl_lds_size_per_thread 8\n"
   "dcl_lds_sharing_mode _wavefrontRel\n"
   "dcl_raw_uav_id(0)\n"
   "dcl_semaphore_id(3)\n"
   "dcl_literal l0, 4, 1, 2, 3\n"
   "dcl_function_body 0\ndcl_function_body 1\n"
   "dcl_function_table_id(0) = {0}\ndcl_function_table_id(1) = {1}\n"
   "dcl_interface_ptr_id(2)_dynamic(1)[3][1] = {0, 1}\n"
   "mov r0, vTidInGrp\n"
   "semaphore_init_id(3) r0.x\n"
   "lds_write_vec_lOffset(4)_sharingMode(rel) mem.xy_w, r0\n"
   "fence_threads_lds\n"
   "lds_read_vec_neighborExch_sharingMode(rel) r1, r0.xy\n"
   "lds_read_vec_sharingMode(abs) r2, r0.xy\n"
   "fcall_id(2) r0.x, 0\n"
   "qsad_u8 r3, r1, r2, r0\nddiv_fixup r4, r1, r2, r3\ndiv_fixup r5, r1, r2, r3\n"
   "semaphore_wait_id(3)\nsemaphore_signal_id(3)\n"
   "iadd r4, r4, r5\n"
   "uav_raw_store_id(0) mem.xyzw, r0.x, r4\n"
   "endmain\n"
   "func 0\niadd r1, r1, r2\nret\nendfunc\n"
   "func 1\nixor r1, r1, r2\nret\nendfunc\n"
   "end\n";

static unsigned compiled, refused;

static unsigned lifted;

/* As it is, by the executor that this host takes. */
static void
try_directly(const struct il_program *il)
{
   const struct kernels *kernels = kernels_choose();
   struct direct_program direct;
   char error[300] = "";

   if (direct_lift(kernels, il, 0, &direct, error, sizeof(error))) {
      lifted++;
      direct_free(kernels, &direct);
   } else {
      assert_true(error[0]);
   }
}

static void
try_program(const struct il_program *il, unsigned flags)
{
   struct shader_code shader;
   char error[300];

   try_directly(il);
   if (cayman_compile(il, flags, &shader, error, sizeof(error))) {
      compiled++;
      assert_non_null(shader.words);
      shader_code_finish(&shader);
   } else {
      refused++;
      assert_true(error[0]);
      assert_null(shader.words);
      if (strstr(error, "illegal program") || strstr(error, "internal"))
         fail_msg("%s", error);
   }
}

/* One program that parses and must not compile. */
static void
is_refused(const char *text)
{
   struct il_error error;
   struct il_program *il = il_parse(text, strlen(text), &error);

   if (!il)
      fail_msg("line %u:%u: %s", error.where, error.column, error.text);
   compiled = refused = 0;
   try_program(il, 0);
   assert_int_equal(refused, 1);
   il_program_free(il);
}

static void
damage(const char *text, unsigned rounds)
{
   struct il_error error;
   struct il_program *il = il_parse(text, strlen(text), &error);
   uint32_t count;

   if (!il)
      fail_msg("line %u:%u: %s", error.where, error.column, error.text);
   compiled = refused = lifted = 0;
   try_program(il, 0);
   assert_int_equal(compiled, 1);
   assert_int_equal(lifted, 1);
   uint32_t *words = il_write(il, IL_NUMBERING_STREAM, &count, &error);
   assert_non_null(words);
   uint32_t *copy = malloc(count * 4);
   for (unsigned n = 0; n < rounds; n++) {
      memcpy(copy, words, count * 4);
      for (unsigned k = 0; k <= n % 3; k++) {
         uint32_t at = rnd() % count;
         switch (rnd() % 3) {
         case 0:
            copy[at] ^= 1u << rnd() % 32;
            break;
         case 1:
            copy[at] = copy[rnd() % count];
            break;
         default:
            copy[at] = (copy[at] & 0xffff0000) | (rnd() & 0xff);
            break;
         }
      }
      struct il_program *bad = il_read(copy, count, IL_NUMBERING_STREAM, &error);
      if (bad) {
         try_program(bad, n % 4 == 0 ? SHADER_COMPILE_FEW_GPRS : 0);
         il_program_free(bad);
      }
   }
   free(copy);
   free(words);
   il_program_free(il);
   assert_true(compiled > rounds / 20 && refused > rounds / 50 && lifted > rounds / 20);
}

static void
pixel_shader(void **state)
{
   (void)state;
   damage(pixel, 4000);
}

static void
vertex_shader(void **state)
{
   (void)state;
   damage(vertex, 4000);
}

static void
subroutines(void **state)
{
   (void)state;
   damage(calls, 1500);
}

static void
hull_shader(void **state)
{
   (void)state;
   damage(hull, 2000);
   damage(flat_hull, 2000);
}

static void
older_models(void **state)
{
   (void)state;
   damage(model3, 3000);
   damage(shared, 3000);
}

/* An indexed array of no elements has no registers. */
static void
empty_array(void **state)
{
   (void)state;
   static const char text[] = "il_ps_2_0\n"
                              "dcl_output_generic o0\n"
                              "dcl_literal l0, 0, 0, 0, 0\n"
                              "dcl_indexed_temp_array x0[0]\n"
                              "mov r0, l0\n"
                              "mov o0, x0[r0.x+0]\n"
                              "end\n";

   is_refused(text);
}

/* Calls of nothing but calls: 2^32 of them. */
static void
endless_calls(void **state)
{
   (void)state;
   is_refused("il_vs_2_0\n"
              "dcl_output_usage(position) o0\n"
              "call 0\nmov o0, r0\nret\nendmain\n"
              "func 0\ncall 0\ncall 0\nret\nendfunc\n"
              "end\n");
}

/* Which elements an index may name, its declarations do not say. */
static void
indexed_model3(void **state)
{
   (void)state;
   is_refused("il_ps_2_0\n"
              "dclpi vT0\ndclpi vT1\n"
              "ftoi r0.x, vT1.x\n"
              "mov oC0, vT[r0.x]\n"
              "end\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pixel_shader),  cmocka_unit_test(vertex_shader),
      cmocka_unit_test(subroutines),   cmocka_unit_test(hull_shader),
      cmocka_unit_test(empty_array),   cmocka_unit_test(older_models),
      cmocka_unit_test(endless_calls), cmocka_unit_test(indexed_model3),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
