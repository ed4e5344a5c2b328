/* SPDX-License-Identifier: MIT */
/*
 * A text for every error of IL's parser, with line, column and message in full.  The test reads the
 * parser's sources: a message without a text here fails it.
 */
#include "common.h"

#include "../rule_cases.h"

#define IL(line) "il_ps_2_0\n" line "\nend\n"

static const struct {
   const char *text;
   uint32_t line, column;
   const char *error;
} cases[] = {
   { "", 1, 1, "there is no program" },
   { "; nothing\n", 2, 1, "there is no program" },
   { "mov r0, r1\n", 1, 1, "a program starts with its header (3)" },
   { "il_qs_2_0\nend\n", 1, 1, "expected il_vs, il_ps, il_gs, il_cs, il_hs or il_ds" },
   { "il_ps_999\nend\n", 1, 10, "a version is 0 to 255" },
   { "il_ps_2_999\nend\n", 1, 12, "a version is 0 to 255" },
   { "il_ps_2_0_zz\nend\n", 1, 11, "unknown suffix of the header" },
   { "il_ps_2_0\nmov r0, r1\n", 3, 1, "the program has no end (4.1)" },
   { "il_ps_2_0\nend\nmov r0, r1\n", 3, 1, "text after end (4.1)" },
   { IL("mov r0 r1"), 2, 8, "expected ','" },
   { IL("frob r0"), 2, 1, "unknown instruction" },
   { IL("mov_foo r0, r1"), 2, 5, "unknown suffix" },
   { IL("mov q0, r1"), 2, 5, "expected a register" },
   { IL("mov r0, r1, r2"), 2, 11, "unexpected text after the instruction" },
   { IL("mov r0, r1 r2"), 2, 12, "unknown instruction" },
   { IL("mov r0,"), 3, 1, "expected a register" },
   { IL("mov r0\n, r1"), 2, 7, "expected ','" },
   { IL("mov r0, r1_neg(x).yx.z"), 2, 21, "unexpected text after the instruction" },
   { IL("mov r0_neg(x), r1"), 2, 7, "expected ','" },
   { IL("mov r0.x_q, r1"), 2, 10, "expected ','" },
   { IL("set_relop(zz) r0, r1, r2"), 2, 11, "unknown name" },
   { IL("dcl_input_position_interp(IL_RELOP_NE) v0"), 2, 27, "unknown name" },
   { IL("dcl_input_position_interp(linear_no) v0"), 2, 27, "unknown name" },
   { IL("div_scale r0"), 2, 1, "the operands of this instruction are not documented" },
   { IL("mov r0, x0[x1[r0.x+1].x+2]"), 2, 15, "an index may not be indexed itself (2.2.6)" },
   { IL("dcl_resource_id(0)_type(2d,foo)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)"), 2, 28,
     "expected 'unnorm'" },
   { IL("sample_resource(300)_sampler(0) r0, r1"), 2, 17, "the value does not fit its field" },
   { IL("sample_resource(0)_sampler(0)_aoffimmi(99,0,0) r0, r1"), 2, 42,
     "a texel offset is -64 to 63.5 (7-83)" },
   { IL("mov_ctl(0x10000) r0, r1"), 2, 17, "control bits are 16" },
   { IL("dcl_num_thread_per_group"), 2, 25, "expected a number" },
   { IL("dcl_num_thread_per_group 1, 2, 3, 4"), 2, 36, "one to three sizes" },
   { IL("dcl_cb icb[2], 1"), 2, 17, "icb[n] must be followed by n values" },
   { IL("comment 5, 1"), 2, 13, "the first value must be the number of values after it" },
   { IL("dcl_literal l0, 1, 2, 3"), 2, 24, "expected ',' and another value" },
   { IL("endif_sat"), 2, 10, "_sat and scales need a destination" },
   { IL("mov(1) r0, r1"), 2, 4, "unexpected '('" },
   { IL("ffb(lo)(hi) r0, r1"), 2, 8, "unexpected '('" },
   { IL("mov r0, r99999999999"), 2, 19, "the number does not fit 32 bits" },
   { IL("mov r0, cb0[]"), 2, 13, "expected a number" },
   { IL("dcl_literal l0, x, 1, 2, 3"), 2, 17, "expected a number" },
   { IL("mov r0, v[a0.q+1]"), 2, 14, "expected an address register component" },
   { IL("mov r0, v[a99999.x+1]"), 2, 17, "expected an address register component" },
   { IL("mov r0, r1_divcomp(q)"), 2, 20, "expected a divcomp" },
   { IL("mov r0, r1_foo"), 2, 12, "unknown source modifier" },
   { IL("mov r0, r1."), 2, 12, "expected a swizzle" },
   { IL("mov r0., r1"), 2, 8, "expected a write mask" },
   { IL("mov r0, r1_neg(x"), 2, 17, "expected ')'" },
   { IL("emit_stream 70000"), 2, 13, "the value does not fit its field" },
   { IL("dcl_x_stage zz"), 2, 13, "unknown name" },
   { IL("dcl_stream 70000"), 2, 12, "the value does not fit its field" },
   { IL("hs_fork_phase 70000"), 2, 15, "the value does not fit its field" },
   { IL("dcl_max_output_vertex_count 70000"), 2, 29, "the value does not fit its field" },
   { IL("dcl_interface_ptr_id(1)_dynamic(0)[1][1] = {1"), 2, 46, "expected ','" },
   { IL("dcl_function_table_id(0) = {1 2}"), 2, 31, "expected ','" },
   { IL("movx r0"), 2, 1, "unknown instruction" },
   { IL("add7 r0, r1, r2"), 2, 1, "unknown instruction" },
   { IL("dcl_input_primitive_99999"), 2, 21, "the value does not fit its field" },
};

#define NUM_CASES (sizeof(cases) / sizeof(*cases))

static void
each_error(void **state)
{
   unsigned wrong = 0;

   for (unsigned i = 0; i < NUM_CASES; i++) {
      struct il_error err = { 0 };
      struct il_program *p = il_parse(cases[i].text, strlen(cases[i].text), &err);
      if (p || err.where != cases[i].line || err.column != cases[i].column ||
          strcmp(err.text, cases[i].error) != 0) {
         print_message("'%s' gives %u:%u: %s, not %u:%u: %s\n", cases[i].text, err.where,
                       err.column, p ? "a program" : err.text, cases[i].line, cases[i].column,
                       cases[i].error);
         wrong++;
      }
      il_program_free(p);
   }
   assert_int_equal(wrong, 0);
}

static void
every_error_has_a_case(void **state)
{
   static const char *const files[] = { "parse.c", "parse_operand.c" };
   /* Said by other tests (text.c calls with 256 operands), or by none: memory that is out, and a
    * character that the parser's own calls do not ask for. */
   static const char *const elsewhere[] = { "a macro call has at most 255 operands of a kind",
                                            "out of memory", "unexpected character" };
   enum { NUM_ELSEWHERE = sizeof(elsewhere) / sizeof(*elsewhere) };
   const char *messages[NUM_CASES + NUM_ELSEWHERE];
   unsigned rules = 0, missing = 0;

   for (unsigned i = 0; i < NUM_CASES; i++)
      messages[i] = cases[i].error;
   memcpy(messages + NUM_CASES, elsewhere, sizeof(elsewhere));
   for (unsigned f = 0; f < sizeof(files) / sizeof(*files); f++) {
      char path[500];
      unsigned without;
      snprintf(path, sizeof(path), "%s/%s", IL_SOURCES, files[f]);
      rules +=
         rules_without_case(path, "il_text_fail(s", messages, NUM_CASES + NUM_ELSEWHERE, &without);
      missing += without;
   }
   print_message("%u messages\n", rules);
   assert_int_equal(missing, 0);
   assert_true(rules > 35);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_error),
      cmocka_unit_test(every_error_has_a_case),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
