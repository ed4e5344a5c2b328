/* SPDX-License-Identifier: MIT */
/*
 * The three stages of tessellation, compiled and executed on the device's shader core one after the
 * other over one patch's local data: what LS leaves there HS finds, what HS leaves there DS finds,
 * and the factors arrive.
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
#include "core/share.h"

#include "run_wave.h"

#define IN_POINTS  4
#define OUT_POINTS 3

static struct run_wave r;
static uint32_t lds[8192], factors[8], driver[IL_DRV_SIZE * 4];

static void
compile(const char *text, unsigned flags, struct shader_code *shader)
{
   struct il_error il_error;
   char error[256];
   struct il_program *il = il_parse(text, strlen(text), &il_error);

   if (!il)
      fail_msg("line %u:%u: %s", il_error.where, il_error.column, il_error.text);
   if (!il_validate(il, IL_STD_EXTENDED, &il_error))
      fail_msg("instruction %u: %s", il_error.where, il_error.text);
   if (!cayman_compile(il, flags, shader, error, sizeof(error)))
      fail_msg("%s", error);
   il_program_free(il);
}

static void
begin(enum sq_stage stage, const struct shader_code *shader, struct core_group *group,
      unsigned lanes)
{
   run_wave_init(&r, stage);
   r.wave.group = group;
   r.wave.valid = r.wave.active = (1ull << lanes) - 1;
   r.source.pgm_resources = shader->num_gprs | shader->stack_size << 8 | 1 << 21;
   r.kcache[IL_DRIVER_CB] = driver;
   r.kcache_bytes[IL_DRIVER_CB] = sizeof(driver);
}

static void
run(const struct shader_code *shader)
{
   if (!run_wave(&r, shader->words, shader->num_dwords)) {
      cayman_disassemble(stdout, shader->words, shader->num_dwords);
      fail_msg("the wave failed: %s",
               r.program && r.program->core.error ? r.program->core.error : "faulted");
   }
}

static const char vertex[] = "il_vs_2_0\n"
                             "dcl_x_version 1\n"
                             "dcl_x_stage ls\n"
                             "dcl_x_link_slots 1, 5\n" /* 0, 32, 34 */
                             "dcl_input_generic v0\n"
                             "dcl_output_position o0\n"
                             "dcl_output_generic o32\n"
                             "dcl_output_generic o33\n"
                             "dcl_output_generic o34\n"
                             "mov o0, v0\n"
                             "iadd o32, v0, v0\n"
                             "mov o33, v0.wwww\n"
                             "mov o34, v0.wzyx\n"
                             "end\n";

/* Output point p: slot 32 the sum of input points p and p + 1, slot 33 the other slots of p.  The
 * factors are of one output each, in a loop and alone; the join phase sees what the fork wrote. */
static const char hull[] = "il_hs_2_0\n"
                           "dcl_x_version 1\n"
                           "dcl_x_link_slots 0, 3\n" /* 32, 33 */
                           "dcl_num_icp 4\n"
                           "dcl_num_ocp 3\n"
                           "dcl_ts_domain tri\n"
                           "dcl_ts_partition fractional_odd\n"
                           "dcl_ts_output_primitive triangle_cw\n"
                           "dcl_literal l0, 1, 2, 3, 0\n"
                           "dcl_literal l1, 1.5, 2.5, 0, 0\n"
                           "hs_cp_phase\n"
                           "dcl_output_generic o32\n"
                           "dcl_output_generic o33\n"
                           "mov r0.x, vOutputControlPointID.x\n"
                           "iadd r1, vicp[r0.x][32], vicp[r0.x+1][32]\n"
                           "mov o32, r1\n"
                           "iadd o33, vicp[r0.x][0], vicp[r0.x][34]\n"
                           "endphase\n"
                           "hs_fork_phase 3\n"
                           "dcl_output_edge_tessfactor o0.x\n"
                           "dcl_output_edge_tessfactor o1.x\n"
                           "dcl_output_edge_tessfactor o2.x\n"
                           "itof r0.x, vInstanceID.x\n"
                           "add r0.x, r0.x, l1.x\n"
                           "mov r1.x, vInstanceID.x\n"
                           "mov o[r1.x].x, r0.x\n"
                           "endphase\n"
                           "hs_fork_phase 1\n"
                           "dcl_output_inside_tessfactor o3.x\n"
                           "dcl_output_generic o7\n"
                           "mov o3.x, l1.y\n"
                           "iadd o7, vocp[1][32], vocp[2][33]\n"
                           "endphase\n"
                           "hs_join_phase 1\n"
                           "dcl_output_generic o8\n"
                           "mov r0.x, vPrim.x\n"
                           "mov o8, r0.x\n"
                           "endphase\n"
                           "end\n";

/* The same of GL's kind: point 2 writes what the patch has, with what others have written. */
static const char flat_hull[] = "il_hs_2_0\n"
                                "dcl_x_version 1\n"
                                "dcl_x_flat_hs\n"
                                "dcl_x_link_slots 0, 3\n" /* 32, 33 */
                                "dcl_num_icp 4\n"
                                "dcl_num_ocp 3\n"
                                "dcl_ts_domain tri\n"
                                "dcl_ts_partition fractional_odd\n"
                                "dcl_ts_output_primitive triangle_cw\n"
                                "dcl_literal l0, 1, 2, 3, 30\n"
                                "dcl_literal l1, 1.5, 2.5, 3.5, 2.5\n"
                                "dcl_output_generic o32\n"
                                "dcl_output_generic o33\n"
                                "dcl_output_generic o40\n"
                                "mov r0.x, vOutputControlPointID.x\n"
                                "iadd r1, vicp[r0.x][32], vicp[r0.x+1][32]\n"
                                "mov o32, r1\n"
                                "iadd o33, vicp[r0.x][0], vicp[r0.x][34]\n"
                                "mov o40.x, r0.x\n"
                                "fence_threads_lds\n"
                                "ieq r2.x, vocp[r0.x][40].x, l0.y\n"
                                "if_logicalnz r2.x\n"
                                "mov r3.x, l0.w\n"
                                "mov vpc[r3.x].xyz, l1.xyz\n"
                                "mov vpc31.x, l1.w\n"
                                "iadd r4, vocp[1][32], vocp[2][33]\n"
                                "mov vpc7, r4\n"
                                "mov r0.y, vPrim.x\n"
                                "mov vpc8, r0.y\n"
                                "endif\n"
                                "end\n";

static const char domain[] = "il_ds_2_0\n"
                             "dcl_output_position o0\n"
                             "dcl_output_generic o32\n"
                             "dcl_output_generic o33\n"
                             "mov o0, vDomain\n"
                             "iadd r0, vicp[2][32], vicp[1][33]\n"
                             "mov o32, r0\n"
                             "iadd r1, vpc[7], vpc[8]\n"
                             "iadd o33, r1, vPrim.x\n"
                             "end\n";

static uint32_t
input(unsigned point, unsigned comp)
{
   return 1000 * point + comp + 1;
}

static uint32_t
out32(unsigned p, unsigned c)
{
   return 2 * input(p, c) + 2 * input(p + 1, c);
}

static uint32_t
out33(unsigned p, unsigned c)
{
   return input(p, c) + input(p, 3 - c);
}

static float
as_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return f;
}

static void
patch(const char *hull_text)
{
   static const unsigned flags[] = { 0, SHADER_COMPILE_NO_OPT, SHADER_COMPILE_FEW_GPRS };
   struct shader_code ls, hs, ds;
   uint32_t *fs;
   unsigned fs_dwords = cayman_build_fetch_shader(NULL, 0, &fs);

   for (unsigned f = 0; f < 3; f++) {
      struct core_group group = { .lds = (uint8_t *)lds,
                                  .lds_bytes = sizeof(lds),
                                  .num_waves = 1,
                                  .tf = (uint8_t *)factors,
                                  .tf_bytes = sizeof(factors) };
      memset(lds, 0xcc, sizeof(lds));
      memset(factors, 0xcc, sizeof(factors));
      compile(vertex, flags[f], &ls);
      compile(hull_text, flags[f], &hs);
      compile(domain, flags[f], &ds);
      assert_int_equal(ls.stage, SHADER_STAGE_LS);
      assert_int_equal(hs.stage, SHADER_STAGE_HS);
      assert_int_equal(ds.stage, SHADER_STAGE_VS);
      assert_true(hs.tess.input_slots == 0x500000001ull && ds.tess.input_slots == 0x300000000ull);
      assert_int_equal(ls.tess.output_bytes, hs.tess.input_bytes);
      assert_int_equal(hs.tess.output_bytes, ds.tess.input_bytes);
      driver[IL_DRV_TESS * 4] = IN_POINTS * hs.tess.input_bytes;

      begin(SQ_STAGE_LS, &ls, &group, IN_POINTS);
      r.source.fetch_words = fs;
      r.source.num_fetch_words = fs_dwords;
      for (unsigned l = 0; l < IN_POINTS; l++) {
         r.gpr[0][1][l] = l;
         for (unsigned c = 0; c < 4; c++)
            r.gpr[1][c][l] = input(l, c);
      }
      run(&ls);
      run_wave_free(&r);
      assert_int_equal(lds[12 + 4 + 1], 2 * input(1, 1));

      begin(SQ_STAGE_HS, &hs, &group, OUT_POINTS);
      for (unsigned l = 0; l < OUT_POINTS; l++) {
         r.gpr[0][0][l] = 77;
         r.gpr[0][2][l] = l;
         r.gpr[0][3][l] = 0;
      }
      run(&hs);
      run_wave_free(&r);
      for (unsigned k = 0; k < 4; k++)
         assert_true(as_float(factors[k]) == (k < 3 ? k + 1.5f : 2.5f));

      begin(SQ_STAGE_VS, &ds, &group, 64 - 1);
      for (unsigned l = 0; l < 64; l++) {
         r.gpr[0][0][l] = 0x3e800000; /* 0.25 */
         r.gpr[0][1][l] = 0x3f000000;
         r.gpr[0][3][l] = l;
      }
      run(&ds);
      for (unsigned l = 0; l < 63; l++) {
         uint32_t position[4], got[2][4];
         for (unsigned c = 0; c < 4; c++) {
            memcpy(&position[c], &r.outputs.pos[0][c][l], 4);
            memcpy(&got[0][c], &r.outputs.param[0][c][l], 4);
            memcpy(&got[1][c], &r.outputs.param[1][c][l], 4);
            assert_int_equal(got[0][c], out32(2, c) + out33(1, c));
            assert_int_equal(got[1][c], out32(1, c) + out33(2, c) + 77 + l);
         }
         assert_int_equal(position[0], 0x3e800000);
         assert_int_equal(position[1], 0x3f000000);
         assert_int_equal(position[2], 0x3e800000); /* 1 - u - v */
      }
      run_wave_free(&r);
      shader_code_finish(&ls);
      shader_code_finish(&hs);
      shader_code_finish(&ds);
   }
   free(fs);
}

static void
phases(void **state)
{
   (void)state;
   patch(hull);
}

static void
flat(void **state)
{
   (void)state;
   patch(flat_hull);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(phases), cmocka_unit_test(flat) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
