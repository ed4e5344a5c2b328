/* SPDX-License-Identifier: MIT */
/*
 * Text of Valhall: spellings, and messages with line and column for what is wrong.
 */
#include "common.h"

static void
test_spellings(void **state)
{
   static const struct {
      const char *text, *canonical;
   } cases[] = {
      { "  MOV.i32   r1 ,r2 ", "MOV.i32 r1, r2" },
      { "MOV.i32 r1, u255", "MOV.i32 r1, u255" },
      { "MOV.i32 r1, imm0", "MOV.i32 r1, 0x0" },
      { "MOV.i32 r1, imm21", "MOV.i32 r1, imm21" },
      { "FADD.f32 r0, r1.abs.neg, r2", "FADD.f32 r0, r1.neg.abs, r2" },
      { "FADD.f32.wait0.clamp_0_1 r0, r1, r2", "FADD.f32.clamp_0_1.wait0 r0, r1, r2" },
      { "MUX.i32.int_zero r0, r1, r2, r3", "MUX.i32 r0, r1, r2, r3" },
      { "BRANCHZ.reconverge r1, offset:0x10", "BRANCHZ.reconverge r1, offset:16" },
      { "FLUSH.f32.none.ftz r0, r1", "FLUSH.f32.none.ftz r0, r1" },
      { "NOP", "NOP " },
      { "VAR_TEX_SINGLE.slot0.sample_store.f.16.32.2d.zero @r0:r1, u2, u0",
        "VAR_TEX_SINGLE.slot0.sample_store.f.16.32.2d.zero @r0:r1, u2, u0" },
      { "LSHIFT_OR.i32 r0, r1, r2.b02, r3.not", "LSHIFT_OR.i32 r0, r1, r2.b02, r3.not" },
      { "IADD.u64 r0, thread_local_pointer.w0, r2.h1",
        "IADD.u64 r0, thread_local_pointer.w0, r2.h1" },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct valhall_instr instr;
      struct isa_error error;
      char text[VALHALL_TEXT_MAX];
      if (!valhall_parse(cases[i].text, strlen(cases[i].text), &instr, &error))
         fail_msg("%s: column %u: %s", cases[i].text, error.column, error.text);
      valhall_print(&instr, text);
      assert_string_equal(text, cases[i].canonical);
   }
}

static void
test_errors(void **state)
{
   static const struct {
      const char *text;
      unsigned line, column;
      const char *part;
   } cases[] = {
      { "MOV.i33 r1, r2", 1, 1, "no instruction is called MOV" },
      { "\n\n  FOO", 3, 3, "no instruction is called FOO" },
      { "MOV.i32.sat r1, r2", 1, 9, "sat is no modifier of this instruction" },
      { "MOV.i32.wait0.wait1 r1, r2", 1, 15, "one flow only" },
      { "FADD.f32.clamp_0_1.clamp_0_1 r0, r1, r2", 1, 20, "the modifier is there already" },
      { "FCMP_OR.f32.gt r0, r1, r2, r3", 1, 1, "needs a result type" },
      { "MOV.i32 r1", 1, 11, "expected , and operand 2 of 2" },
      { "MOV.i32 r1, r2, r3", 1, 15, "MOV.i32 has 2 operands" },
      { "MOV.i32 r64, r2", 1, 10, "larger than 63" },
      { "MOV.i32 x1, r2", 1, 9, "expected a register" },
      { "MOV.i32 r1.b0, r2", 1, 12, "h0 or h1" },
      { "MOV.i32 r1, 0x5", 1, 13, "not one of the 32 constants" },
      { "MOV.i32 r1, imm32", 1, 16, "larger than 31" },
      { "MOV.i32 r1, u256", 1, 14, "larger than 255" },
      { "MOV.i32 r1, lane_id", 1, 20, "needs .w0 or .w1" },
      { "MOV.i32 r1, banana", 1, 13, "expected a register, a uniform" },
      { "MOV.i32 r1, r2.h0", 1, 16, "h0 is no modifier of this source" },
      { "FADD.f32 r0, r1.neg.neg, r2", 1, 21, "has such a modifier already" },
      { "FADD.f32 r0, r1.h0.h1, r2", 1, 20, "has such a modifier already" },
      { "S8_TO_S32 r0, r1", 1, 17, "needs a byte" },
      { "FADD.f32 r0, u1, u64", 1, 18, "pages 0 and 1" },
      { "LOAD.i32.slot0 r0, r2, offset:0", 1, 16, "expected staging registers" },
      { "LOAD.i64.slot0 @r0:r2, r2, offset:0", 1, 20, "follow each other" },
      { "STORE.i32.slot0 @r0:r1:r2:r3:r4:r5:r6:r7, r2, offset:0", 1, 17, "there can be 0 to 7" },
      { "LOAD.i32.slot0 @r0, r2", 1, 23, "expected , and operand 3" },
      { "LOAD.i32.slot0 @r0, r2, disp:0", 1, 25, "expected offset:" },
      { "LOAD.i32.slot0 @r0, r2, offset 0", 1, 31, "expected : after offset" },
      { "LOAD.i32.slot0 @r0, r2, offset:32768", 1, 32, "larger than 32767" },
      { "LOAD.i32.slot0 @r0, r2, offset:-32769", 1, 33, "larger than 32768" },
      { "LOAD.i32.slot0 @r0, r2, offset:z", 1, 32, "expected a number" },
      { "IADD_IMM.i32 r0, r1, 0x1", 1, 22, "expected an immediate" },
      { "MOV.i32! r1, r2", 1, 8, "expected . or a blank" },
      { ".word 12", 1, 7, "expected 0x" },
      { ".word 0x12345678123456789", 1, 25, "64 bits" },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct isa_error error;
      size_t count;
      uint64_t *words = valhall_assemble(cases[i].text, strlen(cases[i].text), &count, &error);
      if (words)
         fail_msg("%s assembles", cases[i].text);
      if (error.line != cases[i].line || error.column != cases[i].column) {
         fail_msg("%s: line %u, column %u (expected %u, %u): %s", cases[i].text, error.line,
                  error.column, cases[i].line, cases[i].column, error.text);
      }
      assert_contains(error.text, cases[i].part);
   }
}

static void
test_remarks(void **state)
{
   static const char text[] =
      "# a remark\n\nNOP ; one\r\n   # another\n.word 0x123 ; words\nNOP.end";
   size_t count;
   struct isa_error error;
   uint64_t *words = valhall_assemble(text, sizeof(text) - 1, &count, &error);
   assert_non_null(words);
   assert_int_equal(count, 3);
   assert_int_equal(words[1], 0x123);
   free(words);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spellings),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_remarks),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
