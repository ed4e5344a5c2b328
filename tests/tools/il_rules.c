/* SPDX-License-Identifier: MIT */
/*
 * One program for every rule of IL's validator, which breaks it, with the message, and the change
 * that makes it legal.  The test reads il/validate.c: a rule without a program here fails it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "il/conventions.h"
#include "il/il.h"

#include "../rule_cases.h"

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
   /* What makes it legal: a change of the body; no `from`: another stage, or neither mutation nor
    * standard. */
   const char *from, *to;
   enum mutation mutation;
   bool standard;
} cases[] = {
   { "ps", "mov r0, l0", "literal without dcl_literal (7-39)", "mov r0, l0",
     "dcl_literal l0, 1, 2, 3, 4\nmov r0, l0" },
   { "ps", "mov r0, x0[1]", "array without dcl_indexed_temp_array (7-34)", "mov",
     "dcl_indexed_temp_array x0[2]\nmov" },
   { "ps", "mov r0, cb15[1]", "cb15 and cb16 need dcl_x_version", "mov",
     "dcl_x_version 1\ndcl_cb cb15[2]\nmov" },
   { "ps", "dcl_cb cb15[4]", "cb15 and cb16 need dcl_x_version", "dcl_cb",
     "dcl_x_version 1\ndcl_cb" },
   { "ps", "mov r0, cb0[1]", "constant buffer without dcl_cb (7-32)", "mov", "dcl_cb cb0[2]\nmov" },
   { "ps", "mov r0, icb[1]", "icb without data (7-32)", "mov",
     "dcl_cb icb[8], 1, 2, 3, 4, 5, 6, 7, 8\nmov" },
   { "ps", CB "mov r0, cb0[1]", "an array register needs an element", NULL, NULL, NO_ELEMENT },
   { "ps", CB "mov r0, cb0[4]", "element outside the declared size", "cb0[4]\n", "cb0[5]\n" },
   { "ps", "mov r0, r1", "register type does not exist (5)", NULL, NULL, REGTYPE },
   { "vs", "mov oDepth, r0", "the register does not exist in this stage (5)", "oDepth", "r1" },
   { "ps", "dcl_literal l0, 1, 2, 3, 4\nmov l0, r0", "write to a read-only register (5)", "mov l0",
     "mov r1" },
   { "ps", "dcl_output_generic o0\nmov r0, o0", "read of a write-only register (5)", "r0, o0",
     "o0, r0" },
   { "ps", CB "mov r0, cb0[r0.x+1]", "one level of indexing only (2.2.6)", NULL, NULL, TWO_LEVELS },
   { "ps", CB "mov r0, cb0[r0.x+1]", "no index", NULL, NULL, NO_INDEX },
   { "ps", CB "mov r0, cb0[r0.xy+1]", "an index selects one component (2.2.6)", "xy", "x" },
   { "gs", "mov r0, v[0][1]", "vertex input without dcl_input (7-35)", "mov",
     "dcl_input_generic v[3][1]\nmov" },
   { "ps", "mov r0, v0", "input without dcl_input (7-35)", "mov", "dcl_input_generic v0\nmov" },
   { "ps", "mov o0, r0", "output without dcl_output (7-45)", "mov", "dcl_output_generic o0\nmov" },
   { "ps", "mov r0, r1.wzyx", "component selector (6.4)", NULL, NULL, SELECTOR },
   { "ps", "iadd r0, r1_bias, r2", "float modifier on an operand that is no float (Table 2.10)",
     "iadd", "add" },
   { "ps", "iadd r0, r1_abs, r2", "_abs on an operand that is no float (Table 2.10)", "iadd",
     "add" },
   { "ps", CB "mov r0, cb0[r1.x_neg(x)+1]", "a modifier of an index", "_neg(x)", "" },
   { "ps", "ixor r0, r1_neg(x), r2", "_neg on bits (2.2.7)", "_neg(x)", "" },
   { "ps", "add_x2 r0, r1, r2", "shift scale (6.26)", NULL, NULL, SHIFT },
   { "ps", "iadd_sat r0, r1, r2", "_sat or scale on a result that is no float (2.2.5)", "iadd",
     "add" },
   { "ps", "dcl_literal r0, 1, 2, 3, 4", "dcl_literal declares l# (7-39)", "r0", "l0" },
   { "ps", "dcl_literal l0, 1, 2, 3, 4\ndcl_literal l0, 1, 2, 3, 4",
     "literal declared twice (7-39)", "4\ndcl_literal l0", "4\ndcl_literal l1" },
   { "ps", "dcl_indexed_temp_array x0[5000]", "xN[1..4096] (7-34)", "5000", "4096" },
   { "ps", "dcl_indexed_temp_array x0[4]\ndcl_indexed_temp_array x0[4]",
     "array declared twice (7-34)", "[4]\ndcl_indexed_temp_array x0",
     "[4]\ndcl_indexed_temp_array x1" },
   { "ps", "dcl_cb cb0[5000]", "cbN[1..4096], N 0-16 (7-32)", "5000", "4096" },
   { "ps", "dcl_resource_id(0)_type(15)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)",
     "enumerant: type", "type(15)", "type(2d)" },
   { "ps", "dcl_input_usage(31) v0", "enumerant: usage", "31", "position" },
   { "ps", "dcl_output_usage(99) o0", "enumerant: usage", "99", "position" },
   { "vs", "dcl_x_version 1\ndcl_x_streamout_buffer(0) o1, 0",
     "streamout of an output that is not declared", "dcl_x_streamout",
     "dcl_output_generic o1\ndcl_x_streamout" },
   { "ps", "nop", "nested too deeply", NULL, NULL, DEEP },
   { "ps", "func 0\nret\nendfunc", "func only after endmain (7-24)", "func 0", "endmain\nfunc 0" },
   { "ps", "endmain\nfunc 0\nmov r0, r1", "a func without ret or endfunc (7-24)", "mov r0, r1",
     "mov r0, r1\nret" },
   { "ps", "endmain\nfunc 0\nfunc 1\nret", "a func in front of it has no ret or endfunc (7-24)",
     "func 1", "ret\nfunc 1" },
   { "hs", "if_logicalnz r0.x\nhs_cp_phase\nendphase\nendif", "a phase inside a block (7-25)",
     "if_logicalnz r0.x\nhs_cp_phase\nendphase\nendif", "hs_cp_phase\nendphase" },
   { "hs", "dcl_x_version 1\ndcl_x_flat_hs\nhs_cp_phase\nendphase", "a phase in a flat hull shader",
     "\ndcl_x_flat_hs", "" },
   { "hs", "mov r0, vpc3", "vpc in a hull shader needs dcl_x_flat_hs", "mov",
     "dcl_x_version 1\ndcl_x_flat_hs\nmov" },
   { "hs", "fence_threads_lds", "a fence in a hull shader needs dcl_x_flat_hs", "fence",
     "dcl_x_version 1\ndcl_x_flat_hs\nfence" },
   { "ps", "else", "else without if (7-20)", "else", "if_logicalnz r0.x\nelse\nendif" },
   { "ps", "endif", "endif without if (7-22)", "endif", "if_logicalnz r0.x\nendif" },
   { "ps", "endloop", "endloop without loop (7-22)", "endloop", "whileloop\nendloop" },
   { "ps", "endswitch", "endswitch without switch (7-24)", "endswitch", "switch r0.x\nendswitch" },
   { "ps", "endfunc", "endfunc without func (7-21)", "endfunc", "endmain\nfunc 0\nret\nendfunc" },
   { "hs", "endphase", "endphase without a phase (7-23)", "endphase", "hs_cp_phase\nendphase" },
   { "ps", "case 1", "a label outside a switch (7-18)", "case 1",
     "switch r0.x\ncase 1\nendswitch" },
   { "ps", "break", "break outside a loop or switch (7-13)", "break", "whileloop\nbreak\nendloop" },
   { "ps", "switch r0.x\ncontinue\nendswitch", "continue outside a loop (7-18)",
     "switch r0.x\ncontinue\nendswitch", "whileloop\nswitch r0.x\ncontinue\nendswitch\nendloop" },
   { "ps", "endmain\nendmain", "endmain inside a block or twice (7-23)", "endmain\nendmain",
     "endmain" },
   { "ps", "if_logicalnz r0.x", "end inside a block (7-21)", "r0.x", "r0.x\nendif" },
   { "ps", "mov r0, r1", "instructions after end (4.1)", NULL, NULL, END_TWICE },
   { "ps", "set_relop(7) r0, r1, r2", "enumerant: ", "7", "ne" },
   { "ps", "mov r0, r1", "enumerant: opcode 500", NULL, NULL, OPCODE },
   { "ps", "dcl_x_version 1", "not in IL 2.4", NULL, NULL, NOTHING, true },
   { "ps", "x_sysval_id(draw_id) r0.x", "needs dcl_x_version in front", "x_sysval",
     "dcl_x_version 1\nx_sysval" },
   { "vs", "discard_logicalz r0.x", "the instruction does not exist in this stage (C)", NULL,
     "ps" },
   { "ps", "texld_stage(0) r0, r1\ndcl_cb cb0[1]",
     "shader model 3 and 4 instructions in one program (C.2, C.3)", "\ndcl_cb cb0[1]", "" },
   { "ps", "mov r0, r1", "wrong number of operands", NULL, NULL, OPERANDS },
   { "ps", "sample_resource(0)_sampler(0) r0, r1", "resource without dcl_resource (7-47)",
     "sample_resource",
     "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\nsample_"
     "resource" },
   { "ps", "mov r0, r1", "enumerant: shader type (6.25)", NULL, NULL, SHADER },
   { "ps", "mov r0, r1", "end: the program has no END (4.1)", NULL, NULL, NO_END },
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

/* Does the validator say of the program what is wanted (NULL: nothing)? */
static bool
says(const char *stage, const char *body, enum mutation mutation, enum il_standard standard,
     const char *wanted)
{
   enum { MAX_TEXT = 32768 };
   struct il_error err = { 0 };
   char *text = calloc(1, MAX_TEXT);

   snprintf(text, MAX_TEXT, "il_%s_2_0\n%s\n", stage, body);
   for (unsigned n = 0; mutation == DEEP && n <= IL_MAX_DEPTH; n++)
      strcat(text, "if_logicalnz r0.x\n");
   strcat(text, "end\n");
   struct il_program *p = il_parse(text, strlen(text), &err);
   free(text);
   if (!p) {
      print_message("%s: %u:%u: %s\n", body, err.where, err.column, err.text);
      return false;
   }
   mutate(p, mutation);
   bool legal = il_validate(p, standard, &err);
   il_program_free(p);
   if (legal != !wanted || (wanted && !strstr(err.text, wanted))) {
      print_message("%s: '%s', not '%s'\n", body, legal ? "legal" : err.text,
                    wanted ? wanted : "legal");
      return false;
   }
   return true;
}

/* Each program breaks its rule, and its neighbour, in which that alone is mended, none. */
static void
each_rule(void **state)
{
   (void)state;
   unsigned wrong = 0;
   for (unsigned i = 0; i < NUM_CASES; i++) {
      const char *stage = cases[i].stage, *body = cases[i].body;
      wrong += !says(stage, body, cases[i].mutation,
                     cases[i].standard ? IL_STD_2_4 : IL_STD_EXTENDED, cases[i].error);
      if (cases[i].from) {
         char *neighbour = rule_neighbour(body, cases[i].from, cases[i].to);
         wrong += !says(stage, neighbour, NOTHING, IL_STD_EXTENDED, NULL);
         free(neighbour);
      } else {
         wrong += !says(cases[i].to ? cases[i].to : stage, body, NOTHING, IL_STD_EXTENDED, NULL);
      }
   }
   assert_int_equal(wrong, 0);
}

static void
every_rule_has_a_case(void **state)
{
   (void)state;
   /* What names a rule: a message after broken() and pop(), and what is said without them. */
   static const char *const calls[] = { "broken(c", "return pop(",
                                        "0, \"enumerant: ", "0, \"end: " };
   const char *messages[NUM_CASES];
   unsigned rules = 0, missing = 0;

   for (unsigned i = 0; i < NUM_CASES; i++)
      messages[i] = cases[i].error;
   for (unsigned k = 0; k < sizeof(calls) / sizeof(*calls); k++) {
      unsigned without;
      rules += rules_without_case(VALIDATOR_SOURCE, calls[k], messages, NUM_CASES, &without);
      missing += without;
   }
   assert_int_equal(missing, 0);
   assert_true(rules >= 55);
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
