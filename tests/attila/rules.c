/* SPDX-License-Identifier: MIT */
/*
 * One program for every rule of the validator, which breaks it and nothing else, with the message
 * in full.  The test reads attila/validate.c: a rule without a program here fails it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/attila/attila.h"

#include "../rule_cases.h"

#define Z "0x0000000000000000"

static const struct {
   enum isa_stage stage;
   const char *text, *error;
} cases[] = {
   { ISA_STAGE_ANY, ".bits 0x38, " Z "\nend", "instruction 0: undefined opcode 0x38" },
   { ISA_STAGE_ANY, ".bits 0x05, " Z "\nend", "instruction 0: undefined opcode 0x05" },
   { ISA_STAGE_ANY, ".bits 0x0040000000000037, " Z, "instruction 0: reserved bits are not zero" },
   { ISA_STAGE_ANY, ".bits 0x37, 0x0100000000000000", "instruction 0: reserved bits are not zero" },
   /* mov r0, r0 and add r0, r0, 0.0 with a bit more */
   { ISA_STAGE_ANY, ".bits 0x000000f301860001, 0x0000000001001b00\nend",
     "instruction 0: reserved bits are not zero" },
   { ISA_STAGE_ANY, "(p0) nop\nend", "instruction 0: NOP is never predicated" },
   { ISA_STAGE_ANY, "(p0) end", "instruction 0: END is never predicated" },
   { ISA_STAGE_PIXEL, "(p0) chs\nend", "instruction 0: CHS is never predicated" },
   { ISA_STAGE_VERTEX, "kil r0\nend", "instruction 0: KIL outside a pixel shader" },
   { ISA_STAGE_COMPUTE, "ddx r0, r1\nend", "instruction 0: DDX outside a pixel shader" },
   { ISA_STAGE_ANY, ".scalar\ndp3 r0.x, r1.x, r2.x\nend", "instruction 0: DP3 has no scalar form" },
   { ISA_STAGE_ANY, ".scalar\nadd r0.xy, r1.x, r2.x\nend",
     "instruction 0: a scalar form writes one component" },
   { ISA_STAGE_ANY, ".scalar\nadd r0.x, r1, r2.x\nend",
     "instruction 0: operand 1 of a scalar form reads one component" },
   { ISA_STAGE_ANY, "rcp r0, r1.xyzw\nend", "instruction 0: operand 1 selects one component" },
   { ISA_STAGE_ANY, "andp p0, p1, c0.xxxy\nend", "instruction 0: operand 2 selects one component" },
   { ISA_STAGE_ANY, "mov r0, o1\nend", "instruction 0: operand 1 reads an output" },
   /* mov with bank 6, and with bank 7 */
   { ISA_STAGE_ANY, ".bits 0x000000f3000c0016, 0x1b00\nend",
     "instruction 0: operand 1 is an immediate" },
   { ISA_STAGE_ANY, ".bits 0x000000f3000e0016, 0x1b00\nend",
     "instruction 0: operand 1 is of the reserved bank 7" },
   /* tex with an immediate for a unit */
   { ISA_STAGE_ANY, ".bits 0x000000f301860026, 0x1b00\nend",
     "instruction 0: operand 2 is an immediate" },
   { ISA_STAGE_ANY, ".bits 0x36, " Z "\nend",
     "instruction 0: the offset of a jump is an immediate" },
   { ISA_STAGE_ANY, "mov i0, r1\nend", "instruction 0: the result's bank is not written" },
   { ISA_STAGE_ANY, "add c0, r1, r2\nend", "instruction 0: the result's bank is not written" },
   { ISA_STAGE_ANY, "arl r0, r1\nend", "instruction 0: the result is an address register" },
   { ISA_STAGE_ANY, "arl a4, r1\nend", "instruction 0: a4: there are 4 address registers" },
   { ISA_STAGE_ANY, "mov r0, a9\nend", "instruction 0: a9: there are 4 address registers" },
   { ISA_STAGE_ANY, "setpeq p32, r0.x, r1.x\nend", "instruction 0: p32: there are 32 predicates" },
   { ISA_STAGE_ANY, "andp p0, p1, p77\nend", "instruction 0: p77: there are 32 predicates" },
   { ISA_STAGE_ANY, "mov r8, i0\nend", "instruction 0: r8, which is not declared" },
   { ISA_STAGE_ANY, "mov r0, r8\nend", "instruction 0: r8, which is not declared" },
   { ISA_STAGE_ANY, ".bits 0x000001f300060016, 0x1b00\nend",
     "instruction 0: relative addressing without a constant" },
   { ISA_STAGE_ANY, "mov r0.none, r1\nend", "instruction 0: no component is written" },
   { ISA_STAGE_ANY, "addi_sat r0, r1, r2\nend", "instruction 0: only floats are saturated" },
   { ISA_STAGE_ANY, "fxmul_sat acc, r1, r2\nend", "instruction 0: only floats are saturated" },
   { ISA_STAGE_ANY, "andp p0, true, false\nend", "instruction 0: both operands are immediates" },
   { ISA_STAGE_ANY, "nop\njmp p0, 2\nend", "instruction 1: the jump leaves the program" },
   { ISA_STAGE_ANY, "jmp p0, -1\nend", "instruction 0: the jump leaves the program" },
   { ISA_STAGE_ANY, "jmp p0, 2147483647\nend", "instruction 0: the jump leaves the program" },
   { ISA_STAGE_ANY, "mov r0, r1", "instruction 0: the program does not end" },
   { ISA_STAGE_ANY, "jmp p0, 0", "instruction 0: the program does not end" },
   { ISA_STAGE_ANY, "(p0) jmp true, 0", "instruction 0: the program does not end" },
   { ISA_STAGE_ANY, "end\n.dword 0x0", "5 dwords are no whole number of instructions" },
};
#define NUM_CASES (sizeof(cases) / sizeof(*cases))

static void
each_rule(void **state)
{
   (void)state;
   unsigned wrong = 0;
   for (unsigned i = 0; i < NUM_CASES; i++) {
      struct isa_limits limits = { .num_gprs = 8, .stage = cases[i].stage };
      struct isa_binary binary;
      struct isa_error error;
      size_t length = strlen(cases[i].text);
      if (!isa_attila.assemble(cases[i].text, length, NULL, &binary, &error)) {
         print_message("%s\ndoes not assemble: %u:%u: %s\n", cases[i].text, error.line,
                       error.column, error.text);
         wrong++;
         continue;
      }
      isa_binary_finish(&binary);
      bool legal = isa_attila.assemble(cases[i].text, length, &limits, &binary, &error);
      if (legal || strcmp(error.text, cases[i].error) != 0) {
         print_message("%s\ngives '%s', not '%s'\n", cases[i].text, legal ? "legal" : error.text,
                       cases[i].error);
         wrong++;
      }
      if (legal)
         isa_binary_finish(&binary);
   }
   assert_int_equal(wrong, 0);
}

static void
every_rule_has_a_case(void **state)
{
   (void)state;
   const char *messages[NUM_CASES];
   unsigned missing, rules;

   for (unsigned i = 0; i < NUM_CASES; i++)
      messages[i] = cases[i].error;
   rules = rules_without_case(VALIDATOR_SOURCE, "broken(", messages, NUM_CASES, &missing);
   assert_int_equal(missing, 0);
   assert_true(rules > 20);
}

/* Programs at the edge of rules, which are legal. */
static void
legal(void **state)
{
   (void)state;
   static const struct {
      enum isa_stage stage;
      const char *text;
   } programs[] = {
      { ISA_STAGE_ANY, "end" },
      { ISA_STAGE_ANY, "nop end" },
      { ISA_STAGE_ANY, "jmp true, 0" },
      { ISA_STAGE_ANY, "(p31) mov a3, c[a0.x - 256] end" },
      { ISA_STAGE_ANY, "andp !p31, true, !c511.w\nend" },
      { ISA_STAGE_PIXEL, "kil r0\nzxp r1\nkls r1, s3\nzxs r1\nchs\nend" },
      { ISA_STAGE_ANY, "arl a0.x, -|2.5|\nend" },
      { ISA_STAGE_ANY, ".scalar\nmad_sat r7.w, r1.x, i2.y, c3.z end" },
      { ISA_STAGE_ANY, "fxmul r200.x, r1, 2.0\nend" },
   };
   for (unsigned i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
      struct isa_limits limits = { .num_gprs = 8, .stage = programs[i].stage };
      struct isa_binary binary;
      struct isa_error error;
      if (!isa_attila.assemble(programs[i].text, strlen(programs[i].text), &limits, &binary,
                               &error))
         fail_msg("%s: %s", programs[i].text, error.text);
      isa_binary_finish(&binary);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_rule),
      cmocka_unit_test(every_rule_has_a_case),
      cmocka_unit_test(legal),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
