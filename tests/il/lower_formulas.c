/* SPDX-License-Identifier: MIT */
/* The legaliser's formulas, an instruction before and what it becomes; that they compute what they
 * should is for tests/compiler_cayman/arithmetic.c and tests/direct/semantics.c. */
#include "lower.h"

static void
names(void **state)
{
   CASE("flr r0, r1", "", "round_neginf r0, r1");
   CASE("trc_sat r0.x, r1_neg(xyzw)", "", "round_z_sat r0.x, r1_neg(xyzw)");
   CASE("clg r0, r1", "", "round_plusinf r0, r1");
   CASE("ifnz b5\nendif", "", "if_logicalnz b5\nendif");
   NEGCASE("round_neginf r0, r1");
}

/* One instruction for all components; of one alone, scalars. */
static void
components(void **state)
{
   CASE("clamp r0, r1, r2, r3", "", "max r10, r1, r2\nmin r0, r10, r3");
   CASE("clamp_sat r0.xy, r1.wzyx, r2, r3", "", "max r10.xy, r1.wzyx, r2\nmin_sat r0.xy, r10, r3");
   CASE("clamp r0.y, r1.wzyx, r2, r3", "", "max r10.x, r1.z, r2.y\nmin r0.y, r10.x, r3.y");
   /* An operand is read before the result is written, and its modifiers are applied once. */
   CASE("min3 r0, r0, r1_neg(x)_abs, r0.yxzw", "",
        "mov r10, r1.xyzw_abs_neg(x)\nmin r11, r0, r10\nmin r0, r11, r0.yxzw");
   CASE("imin3 r0, r1, r2_neg(xyzw), r3", "dcl_literal l10, 0, 0, 0, 0",
        "iadd r10, l10.x, r2_neg(xyzw)\nimin r11, r1, r10\nimin r0, r11, r3");
   CASE("umed3 r0, r1, r2, r3", "",
        "umin r10, r1, r2\numax r11, r1, r2\numin r12, r11, r3\numax r0, r10, r12");
   CASE("abs r0, r1", "", "mov r0, r1.xyzw_abs");
   CASE("sub r0, r1, r2", "", "add r0, r1, r2_neg(xyzw)");
   CASE("imad r0, r1, r2, r3", "", "imul r10, r1, r2\niadd r0, r10, r3");
   CASE("sgn r0.x, r1.x", "dcl_literal l10, 1.0, 0, -1.0, 0",
        "eq r10.x, r1.x, l10.y\ncmov_logical r10.y, r10.x, l10.y, l10.x\n"
        "lt r10.z, r1.x, l10.y\ncmov_logical r0.x, r10.z, l10.z, r10.y");
   CASE("cmp_relop(gt)_cmpval(0.5) r0, r1, r2, r3", "dcl_literal l10, 0.5, 0, 0, 0",
        "lt r10, l10.x, r1\ncmov_logical r0, r10, r2, r3");
   CASE("set_relop(le) r0, r1, r2", "dcl_literal l10, 1.0, 0, 0, 0",
        "ge r10, r2, r1\niand r0, r10, l10.x");
   /* A quotient: reciprocal, product, what the product misses by halves of 12 bits, correction. */
#define QUOTIENT                                                                            \
   "rcp_vec_zeroop(infinity) r10, r2\nmul_ieee r11, r1, r10\n"                              \
   "mul_ieee r12, r11, l10.x\nadd r13, r12, r11_neg(xyzw)\nadd r14, r12, r13_neg(xyzw)\n"   \
   "add r15, r11, r14_neg(xyzw)\n"                                                          \
   "mul_ieee r16, r2, l10.x\nadd r17, r16, r2_neg(xyzw)\nadd r18, r16, r17_neg(xyzw)\n"     \
   "add r19, r2, r18_neg(xyzw)\n"                                                           \
   "mul_ieee r20, r11, r2\nmad_ieee r21, r14_neg(xyzw), r18, r20\n"                         \
   "mad_ieee r22, r14_neg(xyzw), r19, r21\nmad_ieee r23, r15_neg(xyzw), r18, r22\n"         \
   "mad_ieee r24, r15_neg(xyzw), r19, r23\nadd r25, r1, r20_neg(xyzw)\nadd r26, r25, r24\n" \
   "mad_ieee r27, r26, r10, r11\nlt r28, r26_abs, r1_abs\n"
   CASE("div_zeroop(infinity) r0, r1, r2", "dcl_literal l10, 0x45800800, 0, 0, 0",
        QUOTIENT "cmov_logical r0, r28, r27, r11");
   CASE("div_zeroop(zero) r0, r1, r2", "dcl_literal l10, 0x45800800, 0, 0, 0",
        QUOTIENT "cmov_logical r29, r28, r27, r11\neq r30, r2, l10.y\n"
                 "cmov_logical r0, r30, l10.y, r29");
#undef QUOTIENT
   /* Nothing but 0 and 1 is written. */
   CASE("sub r0._01_, r1, r2", "", "add r10.x, r1.x, r2.x_neg(xyzw)\nmov r0._01_, r10.x");
}

static void
of_w(void **state)
{
   CASE("sqrt r0, r1", "", "sqrt_vec r10.x, r1.w\nmov r0, r10.x");
   CASE("rcp_zeroop(zero) r0.y, r1.x", "", "rcp_vec_zeroop(zero) r10.x, r1.x\nmov r0.y, r10.x");
   CASE("pow r0.x, r1, r2", "", "log_vec r10.x, r1.w\nmul r10.y, r10.x, r2.w\nexp_vec r0.x, r10.y");
   /* Which component divides is that of the whole operand. */
   CASE("exp r0.x, r1_divcomp(z)", "", "mov r10.w, r1.w\nexp_vec r0.x, r10.w");
}

/* Abs and neg stay; what else an operand's type allows are operations, what it denies is gone. */
static void
modifiers(void **state)
{
   CASE("add r0, r1_invert, r2", "dcl_literal l10, 1.0, 0, 0, 0",
        "add r10, l10.x, r1_neg(xyzw)\nadd r0, r10, r2");
   CASE("mov r0.xy, r1_bx2_abs_neg(y)", "dcl_literal l10, -0.5, 2.0, 0, 0",
        "add r10.xy, r1, l10.x\nmul_ieee r11.xy, r10, l10.y\nmov r0.xy, r11.xyzw_abs_neg(y)");
   CASE("mov r0.y, r1.wzyx_sign", "dcl_literal l10, 1.0, 0, -1.0, 0",
        "eq r10.x, r1.z, l10.y\ncmov_logical r10.y, r10.x, l10.y, l10.x\n"
        "lt r10.z, r1.z, l10.y\ncmov_logical r10.w, r10.z, l10.z, r10.y\nmov r0.y, r10.w");
   CASE("mov r0.x, r1_divcomp(y)", "dcl_literal l10, 0, 0x7f7fffff, 0xff7fffff, 0",
        "rcp_vec_zeroop(infinity) r11.x, r1.y\nmul_ieee r11.y, r1.x, r11.x\n"
        "lt r11.z, r1.x, l10.x\ncmov_logical r11.w, r11.z, l10.z, l10.y\n"
        "eq r12.x, r1.y, l10.x\ncmov_logical r12.y, r12.x, r11.w, r11.y\n"
        "mov r10.x, r12.y\nmov r0.x, r10");
   CASE("mov r0, r1_neg(x)_clamp", "", "mov_sat r10, r1_neg(x)\nmov r0, r10");
   CASE("iadd r0, r1_x2_abs_neg(xyzw)_clamp, r2_divcomp(w)", "", "iadd r0, r1_neg(xyzw), r2");
   CASE("iand r0, r1_neg(x), r2_sign", "", "iand r0, r1, r2");
   CASE_OF(&has_all, "dmov r0, r1_abs_neg(xyzw)_x2", "", "dmov r0, r1.xyzw_abs_neg(xyzw)");
   CASE("mov r0, cb0[r1.x_neg(xyzw)+1]", "", "mov r0, cb0[r1.x+1]");
   NEGCASE("add r0, r1.xyzw_abs_neg(x), r2_neg(xyzw)\niadd r0, r1_neg(x), cb0[r2.x+1]");
   refused(HEAD "mov r0, r1_divcomp(unknown)\nend\n", "what is no texture stage");
}

static void
vectors(void **state)
{
   CASE_OF(&has_all, "len r0, r1", "",
           "dp3_ieee r10.x, r1, r1\nsqrt_vec r10.y, r10.x\nmov r0, r10.y");
   CASE("len r0.x, r1", "",
        "mul_ieee r11.x, r1.x, r1.x\nmad_ieee r11.y, r1.y, r1.y, r11.x\n"
        "mad_ieee r10.x, r1.z, r1.z, r11.y\nsqrt_vec r0.x, r10.x");
   CASE_OF(&has_all, "nrm_zeroop(infinity) r0.xyz, r1", "",
           "dp3_ieee r10.x, r1, r1\nrsq_zeroop(infinity) r10.y, r10.x\nmul_ieee r0.xyz, r1, r10.y");
   CASE_OF(&has_all, "dp2add r0.x, r1, r2, r3", "", "dp2 r10.x, r1, r2\nadd r0.x, r10.x, r3.z");
   /* Left-out products make 0 of -0, but not by the IEEE rules. */
   CASE("dp2 r0.x, r1, r2", "dcl_literal l10, 0, 0, 0, 0",
        "mul r10.x, r1.x, r2.x\nmad r10.y, r1.y, r2.y, r10.x\nadd r0.x, r10.y, l10.x");
   CASE("dp2_ieee r0.x, r1, r2", "",
        "mul_ieee r10.x, r1.x, r2.x\nmad_ieee r0.x, r1.y, r2.y, r10.x");
   NEGCASE("dp4 r0, r1, r2");
   CASE("crs r0.x, r1, r2", "dcl_literal l10, 0, 0, 0, 0",
        "mul_ieee r10.x, r1.z, r2.y\nmad_ieee r10.y, r1.y, r2.z, r10.x_neg(xyzw)\n"
        "mul_ieee r10.z, r1.x, r2.z\nmad_ieee r10.w, r1.z, r2.x, r10.z_neg(xyzw)\n"
        "mul_ieee r11.x, r1.y, r2.x\nmad_ieee r11.y, r1.x, r2.y, r11.x_neg(xyzw)\n"
        "mov r12.x, r10.y\nmov r0.x, r12");
   CASE_OF(&has_all, "mmul_matrix(3x2) r0, r1, r2", "",
           "dp3_ieee r10.x, r1, r2\ndp3_ieee r10.y, r1, r3\nmov r0, r10");
}

static void
integers(void **state)
{
   CASE("i64add r0.xy, r1, r2", "",
        "iadd r10.x, r1.x, r2.x\nicarry r10.y, r1.x, r2.x\niadd r10.z, r1.y, r2.y\n"
        "iadd r10.w, r10.z, r10.y\nmov r11.x, r10.x\nmov r11.y, r10.w\nmov r0.xy, r11");
   CASE("i64eq r0, r1.zwzw, r2", "",
        "ieq r10.x, r1.w, r2.y\nieq r10.y, r1.z, r2.x\niand r10.z, r10.y, r10.x\n"
        "mov r0, r10.z");
   CASE("u64lt r0.x, r1, r2", "",
        "ult r10.x, r1.y, r2.y\nieq r10.y, r1.y, r2.y\nult r10.z, r1.x, r2.x\n"
        "iand r10.w, r10.y, r10.z\nior r0.x, r10.x, r10.w");
   /* Shifts by what is known, and by what is not. */
   CASE("dcl_literal l0, 13, 45, 64, 0\ni64shl r0.xy, r1, l0.x", "dcl_literal l10, 13, 19, 0, 0",
        "dcl_literal l0, 13, 45, 64, 0\nishl r10.x, r1.x, l10.x\n"
        "bitalign r10.y, r1.y, r1.x, l10.y\nmov r11.x, r10.x\nmov r11.y, r10.y\nmov r0.xy, r11");
   CASE("dcl_literal l0, 13, 45, 64, 0\nu64shr r0.xy, r1, l0.y", "dcl_literal l10, 13, 0, 0, 0",
        "dcl_literal l0, 13, 45, 64, 0\nushr r10.x, r1.y, l10.x\n"
        "mov r11.x, r10.x\nmov r11.y, l10.y\nmov r0.xy, r11");
   CASE("dcl_literal l0, 13, 45, 64, 0\ni64shr r0.xy, r1, l0.z", "",
        "dcl_literal l0, 13, 45, 64, 0\nmov r10.x, r1.x\nmov r10.y, r1.y\nmov r0.xy, r10");
   CASE("u64shr r0.xy, r1, r2", "dcl_literal l10, 31, 32, 0, 0",
        "iand r10.x, r2.x, l10.x\niand r10.y, r2.x, l10.y\n"
        "bitalign r10.z, r1.y, r1.x, r10.x\nushr r10.w, r1.y, r10.x\n"
        "cmov_logical r11.x, r10.y, r10.w, r10.z\ncmov_logical r11.y, r10.y, l10.z, r10.w\n"
        "mov r12.x, r11.x\nmov r12.y, r11.y\nmov r0.xy, r12");
   NEGCASE("i64add r0.xy, r1, r2");
   NEGCASE("udiv r0, r1, r2");
   CASE("umod r0.x, r1, r2", "dcl_literal l10, 0x4f7ffffe, -1, 0, 0",
        "utof r10.x, r2.x\nrcp_vec_zeroop(infinity) r10.y, r10.x\nmul_ieee r10.z, r10.y, l10.x\n"
        "ftou r10.w, r10.z\numul r11.x, r2.x, r10.w\ninegate r11.y, r11.x\n"
        "umul_high r11.z, r10.w, r11.y\niadd r11.w, r10.w, r11.z\numul_high r12.x, r1.x, r11.w\n"
        "umul r12.y, r12.x, r2.x\niadd r12.z, r1.x, r12.y_neg(xyzw)\n"
        "uge r12.w, r12.z, r2.x\niand r13.x, r12.w, r2.x\niadd r13.y, r12.z, r13.x_neg(xyzw)\n"
        "uge r13.z, r13.y, r2.x\niand r13.w, r13.z, r2.x\niadd r14.x, r13.y, r13.w_neg(xyzw)\n"
        "cmov_logical r0.x, r2.x, r14.x, l10.y");
   CASE("sad4 r0.x, r1, r2, r3", "",
        "sad r10.x, r1.w, r2.w, r3.x\nsad r10.y, r1.z, r2.z, r10.x\nsad r10.z, r1.y, r2.y, r10.y\n"
        "sad r0.x, r1.x, r2.x, r10.z");
}

static const struct il_target_caps has_doubles = { 1u << IL_CORE_DOUBLE };

static void
doubles(void **state)
{
   CASE_OF(&has_doubles, "dfrexp_exp r0.x, r1.zwzw", "", "dfrexp r10, r1.zwzw\nmov r0.x, r10.y");
   CASE_OF(&has_doubles, "dmovc r0.xy, r1, r2, r3", "",
           "cmov_logical r10.x, r1.x, r3.x, r2.x\ncmov_logical r10.y, r1.x, r3.y, r2.y\n"
           "mov r11.x, r10.x\nmov r11.y, r10.y\nmov r0.xy, r11");
   /* A double's modifiers are those of its high dword, and the result's are a double's. */
   CASE_OF(&has_doubles, "dmovc_sat r0.xy, r1, r2_neg(xy), r3", "",
           "dmov r10.xy, r2_neg(xy)\ncmov_logical r10.z, r1.x, r3.x, r10.x\n"
           "cmov_logical r10.w, r1.x, r3.y, r10.y\ndmov_sat r0.xy, r10.zwzw");
   CASE_OF(
      &has_doubles, "utod r0.xy, r1", "dcl_literal l10, 16, 0xffff, 65536.0, 0",
      "ushr r10.x, r1.x, l10.x\nutof r10.y, r10.x\niand r10.z, r1.x, l10.y\nutof r10.w, r10.z\n"
      "mul_ieee r11.x, r10.y, l10.z\nf2d r11.zw, r11.x\nf2d r12.xy, r10.w\n"
      "dadd r12.zw, r11.zwzw, r12.xyxy\nmov r13.x, r12.z\nmov r13.y, r12.w\nmov r0.xy, r13");
   NEGCASE("dadd r0.xy, r1, r2");
}

/* Results of formulas of 32 bits with an operand that changes with the result. */
static void
parts(void **state)
{
   CASE("frexp_exp r0.x, r0", "dcl_literal l10, 23, 8, 254, -1\ndcl_literal l11, -126, 0, 0, 0",
        "ubit_extract r10.x, l10.y, l10.x, r0.x\niadd r10.y, r10.x, l10.w\n"
        "ult r10.z, r10.y, l10.z\niadd r10.w, r10.x, l11.x\niand r0.x, r10.w, r10.z");
   CASE("f2f16_neginf r0.x, r1", "dcl_literal l10, 0x8000, 0, 0, 0",
        "f2f16 r10.x, r1.x\nf162f r10.y, r10.x\nlt r10.z, r1.x, r10.y\niand r10.w, r10.x, l10.x\n"
        "iadd r11.x, r10.x, r10.z_neg(xyzw)\niadd r11.y, r10.x, r10.z\n"
        "cmov_logical r0.x, r10.w, r11.x, r11.y");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(names),     cmocka_unit_test(components), cmocka_unit_test(of_w),
      cmocka_unit_test(modifiers), cmocka_unit_test(vectors),    cmocka_unit_test(integers),
      cmocka_unit_test(doubles),   cmocka_unit_test(parts),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
