/* SPDX-License-Identifier: MIT */
/*
 * What passes of Valhall's compiler make of an instruction or two: IL, and the words' text.
 *
 * CASE: the text of the whole program, but for what is around every case.  A case reads constants
 * (cb0) and writes r0 to storage buffer 0.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/valhall/valhall_compile.h"
#include "il/il.h"
#include "isa/valhall/valhall.h"

static const char before[] = "il_cs_2_0\ndcl_num_thread_per_group 16\ndcl_raw_uav_id(0)\n"
                             "dcl_cb cb0[300]\ndcl_cb cb1[4]\ndcl_literal l0, 0, 1, 7, 100\n"
                             "dcl_literal l1, 1.0, 2.0, 0.3, -1.0\n";
static const char after[] = "\nuav_raw_store_id(0) mem.x, vTidInGrp.z, r0.x\nend\n";

/* The text of what is compiled, in front of the store. */
static char *
compile(const char *body, unsigned flags, bool whole)
{
   char text[2048], error[256];
   struct il_error where;
   struct shader_code code;
   size_t count, length;

   snprintf(text, sizeof(text), "%s%s%s", before, body, after);
   struct il_program *p = il_parse(text, strlen(text), &where);
   if (!p)
      fail_msg("%u: %s", where.where, where.text);
   if (!valhall_compiler.compile(p, flags, &code, error, sizeof(error)))
      fail_msg("%s: %s", body, error);
   assert_true(valhall_compiler.validate(&code, error, sizeof(error)));
   uint64_t *words = valhall_words(code.words, code.num_dwords, &count);
   char *out = valhall_disassemble(words, count, &length), *end = strstr(out, "LEA_BUFFER");
   char *result = calloc(1, length + 1);
   memcpy(result, out, end && !whole ? (size_t)(end - out) : length);
   free(out);
   free(words);
   shader_code_finish(&code);
   il_program_free(p);
   return result;
}

static void
check(const char *body, const char *expected)
{
   char *text = compile(body, 0, false);
   assert_string_equal(text, expected);
   free(text);
}

#define HANDLE(reg)          "IADD_IMM.i32 " reg ", 0x0, #0x6000000\n"
#define CASE(body, expected) check(body, expected)

/* Modifiers of operands and results cost nothing; `mad` rounds twice, `fma` once. */
static void
test_import(void **state)
{
   (void)state;
   CASE("add r0.x, cb0[0].x_neg(xyzw), cb0[0].y_abs", "FADD.f32 r2, u0.neg, u1.abs\n" HANDLE("r0"));
   CASE("mul_ieee r0.x, cb0[0].x, cb0[0].x", "FMA.f32 r2, u0, u0, 0x0.neg\n" HANDLE("r0"));
   CASE("mad_ieee r0.x, cb0[0].x, cb0[0].x, cb0[0].y",
        "FMA.f32 r0, u0, u0, 0x0.neg\nFADD.f32 r2, ^r0, u1\n" HANDLE("r0"));
   CASE("fma r0.x, cb0[0].x, cb0[0].x, cb0[0].y", "FMA.f32 r2, u0, u0, u1\n" HANDLE("r0"));
}

/* Ballots are of a warp, and both words of the time are read at once. */
static void
test_waves(void **state)
{
   (void)state;
   CASE("x_ballot r0, vTidInGrp.z", "WMASK r2, r56\n" HANDLE("r0"));
   CASE("x_sysval_id(lane) r1\niadd r0.x, r1.x, vTidInGrp.z",
        "IADD.u32 r2, lane_id.w0, r56\n" HANDLE("r0"));
   CASE(
      "mov r1.xy, Tmr.xy\niadd r0.x, r1.x, r1.y",
      "IADD_IMM.i32 r0, 0x0, #0x9000000\n"
      "LD_BUFFER.i64.unsigned.slot0.wait0 @r0:r1, 0x0, ^r0\nIADD.u32 r2, ^r0, ^r1\n" HANDLE("r0"));
}

/* Constants: of the table, its bytes, inverted or negative, or in the word. */
static void
test_legalize(void **state)
{
   (void)state;
   CASE("add r0.x, cb0[0].x, l1.w", "FADD.f32 r2, u0, 0x3F800000.neg\n" HANDLE("r0"));
   CASE("iadd r0.x, cb0[0].x, l0.z", "IADD.u32 r2, u0, 0x7060504.b3\n" HANDLE("r0"));
   CASE("iadd r0.x, vTidInGrp.z, l0.w", "IADD_IMM.i32 r2, r56, #0x64\n" HANDLE("r0"));
   CASE("add r0.x, vTidInGrp.z, l1.z", "FADD_IMM.f32 r2, r56, #0x3E99999A\n" HANDLE("r0"));
   /* Two words of one 64-bit slot can be named, of two they cannot. */
   CASE("add r0.x, cb0[0].x, cb0[0].z", "MOV.i32 r0, u2\nFADD.f32 r2, u0, ^r0\n" HANDLE("r0"));
}

static void
test_fold(void **state)
{
   (void)state;
   CASE("add_sat r0.x, cb0[0].x, cb0[0].y", "FADD.f32.clamp_0_1 r2, u0, u1\n" HANDLE("r0"));
   CASE("lt r1.x, vTidInGrp.z, cb0[0].x\ncmov_logical r0.x, r1.x, cb0[0].y, l0.x",
        "MOV.i32 r0, 0x0\nCSEL.f32.lt r2, r56, u0, u1, ^r0\n" HANDLE("r0"));
   CASE("ishl r1.x, vTidInGrp.z, l0.z\nior r0.x, r1.x, cb0[0].x",
        "LSHIFT_OR.i32 r2, r56, 0x7060504.b33, u0\n" HANDLE("r0"));
   CASE("lt r1.x, vTidInGrp.z, l0.x\nige r1.y, vTidInGrp.z, l0.x\niand r0.x, r1.x, r1.y",
        "ICMP_OR.s32.ge.m1 r0, r56, 0x0, 0x0\nFCMP_AND.f32.lt.m1 r2, r56, 0x0, ^r0\n" HANDLE("r0"));
}

/* A clamp of what computes no float stays apart. */
static void
test_fold_not(void **state)
{
   (void)state;
   CASE("f2f16_sat r0.x, cb0[0].x", "V2F32_TO_V2F16 r0, u0, 0x0\n"
                                    "FADD.f32.clamp_0_1 r2, ^r0, 0x0.neg\n" HANDLE("r0"));
}

/* Signs are the reader's, if it is one of floats. */
static void
test_fold_signs(void **state)
{
   (void)state;
   CASE("mov r1.x, cb0[0].x_neg(xyzw)\nmul_ieee r0.x, r1.x, r1.x_neg(xyzw)",
        "FMA.f32 r2, u0.neg, u0, 0x0.neg\n" HANDLE("r0"));
   CASE("mov r1.x, cb0[0].x_abs_neg(xyzw)\nadd r0.x, r1.x_neg(xyzw), r1.x_abs",
        "FADD.f32 r2, u0.abs, u0.abs\n" HANDLE("r0"));
   CASE("mov r1.x, cb0[0].x_neg(xyzw)\niadd r0.x, r1.x, l0.y",
        "MOV.i32 r0, 0x7FFFFFFF\nLSHIFT_XOR.i32 r0, u0, 0x3020100.b00, ^r0.not\n"
        "IADD.u32 r2, ^r0, 0x3020100.b1\n" HANDLE("r0"));
}

/* One load brings what is read of a vector, and its slot is waited on before that alone. */
static void
test_drop_dead(void **state)
{
   (void)state;
   CASE(
      "add r0.x, cb1[2].y, cb1[2].x",
      "IADD_IMM.i32 r0, 0x0, #0x20\nIADD_IMM.i32 r1, 0x0, #0x1\n"
      "LD_BUFFER.i64.unsigned.slot0.wait0 @r0:r1, ^r0, ^r1\nFADD.f32 r2, ^r1, ^r0\n" HANDLE("r0"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_import),     cmocka_unit_test(test_legalize),
      cmocka_unit_test(test_fold),       cmocka_unit_test(test_fold_not),
      cmocka_unit_test(test_fold_signs), cmocka_unit_test(test_drop_dead),
      cmocka_unit_test(test_waves),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
