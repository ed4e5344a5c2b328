/* SPDX-License-Identifier: MIT */
/*
 * One program for every rule of IL's validator, which breaks it, with the message.  The test reads
 * il/validate.c: a rule without a program here fails it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "il/il.h"

/* What no text says: done to the instruction in front of END. */
enum mutation {
   NOTHING,
   NO_END,
   SHADER,
   OPCODE,
   OPERANDS,
   REGTYPE,
   SELECTOR,
   SHIFT,
   TWO_LEVELS,
   NO_INDEX,
   NO_ELEMENT,
   DEEP,
   END_TWICE,
};

#define CB "dcl_cb cb0[4]\n"

static const struct {
   const char *stage, *body;
   const char *error;
   enum mutation mutation;
   bool standard;
} cases[] = {
   { "ps", "mov r0, l0", "literal without dcl_literal (7-39)" },
   { "ps", "mov r0, x0[1]", "array without dcl_indexed_temp_array (7-34)" },
   { "ps", "mov r0, cb15[1]", "cb15 needs dcl_x_version" },
   { "ps", "dcl_cb cb15[4]", "cb15 needs dcl_x_version" },
   { "ps", "mov r0, cb0[1]", "constant buffer without dcl_cb (7-32)" },
   { "ps", "mov r0, icb[1]", "icb without data (7-32)" },
   { "ps", CB "mov r0, cb0[1]", "an array register needs an element", NO_ELEMENT },
   { "ps", CB "mov r0, cb0[4]", "element outside the declared size" },
   { "ps", "mov r0, r1", "register type does not exist (5)", REGTYPE },
   { "vs", "mov oDepth, r0", "the register does not exist in this stage (5)" },
   { "ps", "dcl_literal l0, 1, 2, 3, 4\nmov l0, r0", "write to a read-only register (5)" },
   { "ps", "dcl_output_generic o0\nmov r0, o0", "read of a write-only register (5)" },
   { "ps", CB "mov r0, cb0[r0.x+1]", "one level of indexing only (2.2.6)", TWO_LEVELS },
   { "ps", CB "mov r0, cb0[r0.x+1]", "no index", NO_INDEX },
   { "ps", CB "mov r0, cb0[r0.xy+1]", "an index selects one component (2.2.6)" },
   { "gs", "mov r0, v[0][1]", "vertex input without dcl_input (7-35)" },
   { "ps", "mov r0, v0", "input without dcl_input (7-35)" },
   { "ps", "mov o0, r0", "output without dcl_output (7-45)" },
   { "ps", "mov r0, r1.wzyx", "component selector (6.4)", SELECTOR },
   { "ps", "iadd r0, r1_bias, r2", "float modifier on an operand that is no float (Table 2.10)" },
   { "ps", "iadd r0, r1_abs, r2", "_abs on an operand that is no float (Table 2.10)" },
   { "ps", "ixor r0, r1_neg(x), r2", "_neg on bits (2.2.7)" },
   { "ps", "add_x2 r0, r1, r2", "shift scale (6.26)", SHIFT },
   { "ps", "iadd_sat r0, r1, r2", "_sat or scale on a result that is no float (2.2.5)" },
   { "ps", "dcl_literal r0, 1, 2, 3, 4", "dcl_literal declares l# (7-39)" },
   { "ps", "dcl_literal l0, 1, 2, 3, 4\ndcl_literal l0, 1, 2, 3, 4",
     "literal declared twice (7-39)" },
   { "ps", "dcl_indexed_temp_array x0[5000]", "xN[1..4096] (7-34)" },
   { "ps", "dcl_indexed_temp_array x0[4]\ndcl_indexed_temp_array x0[4]",
     "array declared twice (7-34)" },
   { "ps", "dcl_cb cb0[5000]", "cbN[1..4096], N 0-15 (7-32)" },
   { "ps", "dcl_resource_id(0)_type(15)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)",
     "enumerant: type" },
   { "ps", "dcl_input_usage(31) v0", "enumerant: usage" },
   { "ps", "dcl_output_usage(99) o0", "enumerant: usage" },
   { "vs", "dcl_x_version 1\ndcl_x_streamout_buffer(0) o1, 0",
     "streamout of an output that is not declared" },
   { "ps", "nop", "nested deeper than 256", DEEP },
   { "ps", "func 0\nret\nendfunc", "func only behind endmain (7-24)" },
   { "hs", "if_logicalnz r0.x\nhs_cp_phase\nendphase\nendif", "a phase inside a block (7-25)" },
   { "hs", "dcl_x_version 1\ndcl_x_flat_hs\nhs_cp_phase\nendphase",
     "a phase in a flat hull shader" },
   { "hs", "mov r0, vpc3", "vpc in a hull shader needs dcl_x_flat_hs" },
   { "hs", "fence_threads_lds", "a fence in a hull shader needs dcl_x_flat_hs" },
   { "ps", "else", "else without if (7-20)" },
   { "ps", "endif", "endif without if (7-22)" },
   { "ps", "endloop", "endloop without loop (7-22)" },
   { "ps", "endswitch", "endswitch without switch (7-24)" },
   { "ps", "endfunc", "endfunc without func (7-21)" },
   { "hs", "endphase", "endphase without a phase (7-23)" },
   { "ps", "case 1", "a label outside a switch (7-18)" },
   { "ps", "break", "break outside a loop or switch (7-13)" },
   { "ps", "switch r0.x\ncontinue\nendswitch", "continue outside a loop (7-18)" },
   { "ps", "endmain\nendmain", "endmain inside a block or twice (7-23)" },
   { "ps", "if_logicalnz r0.x", "end inside a block (7-21)" },
   { "ps", "mov r0, r1", "instructions behind end (4.1)", END_TWICE },
   { "ps", "set_relop(7) r0, r1, r2", "enumerant: " },
   { "ps", "mov r0, r1", "enumerant: opcode 500", OPCODE },
   { "ps", "dcl_x_version 1", "not in IL 2.4", NOTHING, true },
   { "ps", "x_sysval_id(draw_id) r0.x", "needs dcl_x_version in front" },
   { "vs", "discard_logicalz r0.x", "the instruction does not exist in this stage (C)" },
   { "ps", "texld_stage(0) r0, r1\ndcl_cb cb0[1]",
     "shader model 3 and 4 instructions in one program (C.2, C.3)" },
   { "ps", "mov r0, r1", "wrong number of operands", OPERANDS },
   { "ps", "sample_resource(0)_sampler(0) r0, r1", "resource without dcl_resource (7-47)" },
   { "ps", "mov r0, r1", "enumerant: shader type (6.25)", SHADER },
   { "ps", "mov r0, r1", "end: the program has no END (4.1)", NO_END },
};

#define NUM_CASES (sizeof(cases) / sizeof(*cases))

static struct il_src nested; /* an index with an index of its own */

static void
mutate(struct il_program *p, enum mutation m)
{
   struct il_inst *inst = &p->insts[p->ninsts >= 2 ? p->ninsts - 2 : 0];

   switch (m) {
   case NO_END:
      p->ninsts--;
      break;
   case SHADER:
      p->shader = 9;
      break;
   case OPCODE:
      inst->op = 500;
      break;
   case OPERANDS:
      inst->nsrc = 0;
      break;
   case REGTYPE:
      inst->src[0].r.type = 63;
      break;
   case SELECTOR:
      inst->src[0].swz[2] = 9;
      break;
   case SHIFT:
      inst->dst->shift = 7;
      break;
   case TWO_LEVELS:
      nested = *inst->src[0].r.index;
      inst->src[0].r.index->r.rel = IL_ADDR_REG_RELATIVE;
      inst->src[0].r.index->r.index = &nested;
      break;
   case NO_INDEX:
      inst->src[0].r.index = NULL;
      break;
   case END_TWICE:
      inst->op = IL_OP_END;
      inst->nsrc = inst->ndst = 0;
      break;
   case NO_ELEMENT:
      inst->src[0].r.has_imm = false;
      break;
   default:
      break;
   }
}

static void
each_rule(void **state)
{
   (void)state;
   unsigned wrong = 0;
   for (unsigned i = 0; i < NUM_CASES; i++) {
      char *text = calloc(1, 8192);
      struct il_error err = { 0 };
      snprintf(text, 8192, "il_%s_2_0\n%s\n", cases[i].stage, cases[i].body);
      for (unsigned n = 0; cases[i].mutation == DEEP && n < 300; n++) {
         strcat(text, "if_logicalnz r0.x\n");
      }
      strcat(text, "end\n");
      struct il_program *p = il_parse(text, strlen(text), &err);
      if (!p) {
         print_message("%s: %u:%u: %s\n", cases[i].body, err.where, err.column, err.text);
         wrong++;
         free(text);
         continue;
      }
      mutate(p, cases[i].mutation);
      bool legal = il_validate(p, cases[i].standard ? IL_STD_2_4 : IL_STD_EXTENDED, &err);
      if (legal || !strstr(err.text, cases[i].error)) {
         print_message("%s: '%s', not '%s'\n", cases[i].body, legal ? "legal" : err.text,
                       cases[i].error);
         wrong++;
      }
      il_program_free(p);
      free(text);
   }
   assert_int_equal(wrong, 0);
}

/* Every text of broken(), pop() and il_fail() in the validator belongs to a case: its longest
 * string, up to a conversion. */
static void
every_rule_has_a_case(void **state)
{
   (void)state;
   static const char *const calls[] = { "broken(c", "return pop(", "il_fail(err",
                                        "il_fail(c->err" };
   FILE *f = fopen(VALIDATOR_SOURCE, "rb");
   char *source = calloc(1, 1 << 18);
   unsigned rules = 0, missing = 0;

   assert_non_null(f);
   assert_true(fread(source, 1, (1 << 18) - 1, f) > 0);
   fclose(f);
   for (unsigned k = 0; k < 4; k++) {
      for (char *at = source; (at = strstr(at, calls[k])) != NULL; at++) {
         char *stop = strchr(at, ';'), rule[200] = "";
         for (char *q = strchr(at, '"'); q && stop && q < stop; q = strchr(q, '"')) {
            size_t n = strcspn(q + 1, "\"%");
            if (n >= strlen(rule) && n < sizeof(rule)) {
               memcpy(rule, q + 1, n);
               rule[n] = 0;
            }
            q += strcspn(q + 1, "\"") + 2;
         }
         /* Two are said again where the check of all fields has said it before. */
         bool found = !rule[0] || !strcmp(rule, "resource type (6.22)") ||
                      !strcmp(rule, "usage (6.10)") || !strcmp(rule, "out of memory") ||
                      !strcmp(rule, "enumerant") ||
                      !strcmp(rule, "structure"); /* the rule is a parameter */
         for (unsigned i = 0; i < NUM_CASES; i++) {
            found |= strstr(cases[i].error, rule) != NULL;
         }
         rules += rule[0] != 0;
         if (!found) {
            print_message("no program breaks the rule \"%s\"\n", rule);
            missing++;
         }
      }
   }
   free(source);
   assert_int_equal(missing, 0);
   assert_true(rules >= 50);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_rule),
      cmocka_unit_test(every_rule_has_a_case),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
