/* SPDX-License-Identifier: MIT */
/*
 * One program for every rule of the validator, which breaks it and nothing else, with the message
 * in full, and the change that makes it legal.  The test reads validate.c: a rule without a program
 * here fails it.
 */
#include "common.h"

#include "isa/cayman/isa.h"

#include "../rule_cases.h"

#define END      "END_OF_PROGRAM\n"
#define EXP      "EXP_DONE: PIX0, R0\nEND_OF_PROGRAM\n"
#define ALU(...) "ALU: KCACHE0(CB0:0-15)\n" __VA_ARGS__ EXP
#define TEX(...) "TEX:\n" __VA_ARGS__ EXP

static const struct {
   char stage; /* p: pixel, v: other, f: fetch shader; a capital: of a five-slot chip */
   const char *text;
   const char *error;
   const char *from, *to; /* what makes it legal: a change of the text; no `from`: another stage */
} cases[] = {
   /* 1: opcodes, clauses, ends */
   { 'p', "UNDEFINED BITS(0, 0x07000000)\n" END, "CF 0: undefined opcode",
     "UNDEFINED BITS(0, 0x07000000)", "NOP" },
   { 'p', "NOP\n", "CF 1: the program ends inside an instruction", "NOP\n", "NOP\n" END "" },
   { 'p', "ALU: ADDR(100) CNT(1)\n" EXP, "CF 0: a clause or jump target lies outside the program",
     "ALU: ADDR(100) CNT(1)\n", "ALU:\n x: MOV R1.x, R0.x\n" },
   { 'p', ALU(" 0 x: OP2_7 R1.x, R0.x, R0.x\n"), "CF 0, group 0, slot x: undefined opcode", "OP2_7",
     "ADD" },
   { 'p', TEX(" 0 UNDEFINED BITS(0x1F02, 0, 0, 0)\n"), "CF 0, instruction 0: undefined opcode",
     "UNDEFINED BITS(0x1F02, 0, 0, 0)", "VFETCH R1, R0.x, f0" },
   { 'p', ALU(" WORDS: 0 0\n"), "CF 0, group 0, slot x: the program ends inside an instruction",
     "WORDS: 0 0", "0 x: MOV R1.x, R0.x" },
   { 'v', "JUMP ADDR(9)\n" END, "CF 2: the program ends inside an instruction", "ADDR(9)",
     "ADDR(1)" },
   { 'v', "POP ADDR(9)\n" END, "CF 1: a jump leaves the program", "ADDR(9)", "ADDR(1)" },
   { 'p',
     "TEX: ADDR(3) CNT(1)\nEXP_DONE: PIX0, R0\nEND_OF_PROGRAM\n"
     "WORDS ADDR(3): 0 0xfcd1000 0 0\n",
     "CF 0: clause is not 16-byte aligned", "ADDR(3)", "ADDR(4)" },
   { 'p', "TEX: ADDR(4) CNT(17)\nEXP_DONE: PIX0, R0\nEND_OF_PROGRAM\nWORDS ADDR(37): 0 0\n",
     "CF 0: more than 16 instructions in a clause", "CNT(17)", "CNT(1)" },
   { 'p', "TEX: CND(BOOL) b0\n 0 VFETCH R1, R0.x, f0\n" EXP,
     "CF 0: a fetch clause with a condition", " CND(BOOL) b0", "" },
   { 'p', TEX(" 0 GDS_ADD R1.____, R0.xyz\n"),
     "CF 0, instruction 0: instruction of the wrong kind for this clause", "TEX", "GDS" },
   /* 2: slots */
   { 'p', ALU(" 0 x: ADD_64 R1.x, R0.x, R0.x\n"),
     "CF 0, group 0, slot x: ADD_64 does not occupy the slots it needs", "R0.x, R0.x\n",
     "R0.x, R0.x\n y: ADD_64 R1.y, R0.x, R0.x\n" },
   { 'p', ALU(" 0 y: LDS_WRITE OFFSET(0), R0.x, R0.x\n"),
     "CF 0, group 0, slot y: LDS_WRITE does not occupy the slots it needs", "y:", "x:" },
   /* 3: ports and constants */
   { 'p', ALU(" 0 x: ADD R1.x, R0.x, R1.x\n y: ADD R1.y, R2.x, R3.x\n"),
     "CF 0, group 0: read port conflict", "R2.x, R3.x", "R0.x, R1.x" },
   { 'p', ALU(" 0 x: MOV R1.x, KC0[0].x\n y: MOV R1.y, KC0[1].x\n z: MOV R1.z, KC0[2].x\n"),
     "CF 0, group 0: more than two kcache addresses", "KC0[2]", "KC0[1]" },
   { 'p', ALU(" 0 x: MOV R1.x, KC0[16].x\n"),
     "CF 0, group 0, slot x: operand 0 reads kcache set 0, constant 16, outside the locked "
     "window",
     "KC0[16]", "KC0[15]" },
   { 'p', ALU(" 0 x: MOV R1.x, KC2[0].x\n"),
     "CF 0, group 0, slot x: operand 0 uses kcache set 2 without ALU_EXTENDED", "KC2[0]",
     "KC0[0]" },
   /* 4: previous results */
   { 'p', ALU(" 0 x: MOV R1.x, PV.x\n"),
     "CF 0, group 0, slot x: operand 0 reads PV.x, which no slot of the previous group wrote",
     "PV.x", "R0.x" },
   { 'p',
     ALU(" 0 x: SETE_64 R1.x, R0.x, R0.x\n y: SETE_64 R1.y, R0.x, R0.x\n 1 x: MOV R2.x, PV0.x\n"),
     "CF 0, group 1, slot x: operand 0 forwards PV from or to a 64-bit operation", "PV0.x",
     "R1.x" },
   { 'p', ALU(" 0 x: MOV R1.x, R0.x PRED_SEL(1)\n 1 x: MOV R2.x, PV0.x\n"),
     "CF 0, group 1, slot x: operand 0 reads PV of a predicated slot", " PRED_SEL(1)", "" },
   { 'p', ALU(" 0 x: MOVA_INT A0.x, R0.x\n 1 x: MOV R2.x, PV0.x\n"),
     "CF 0, group 1, slot x: operand 0 reads PV of a MOVA", "PV0.x", "R0.x" },
   { 'p',
     ALU(" 0 x: DOT4 R1.x, R0.x, R0.x\n y: DOT4 R1.y, R0.x, R0.x\n z: DOT4 R1.z, R0.x, R0.x\n"
         " w: DOT4 R1.w, R0.x, R0.x\n 1 x: MOV R2.x, PV0.y\n"),
     "CF 0, group 1, slot x: operand 0 reads PV.y, but a reduction leaves its result in PV.x",
     "PV0.y", "PV0.x" },
   /* 5: index registers */
   { 'p', ALU(" 0 x: MOVA_INT A0.x, R0.x\n y: MOVA_INT A0.x, R0.x\n 1 x: MOV R2.x, R0.x\n"),
     "CF 0, group 0: MOVA shares its group with another or with an indexed operand",
     " y: MOVA_INT A0.x, R0.x\n", "" },
   { 'p', ALU(" 0 x: MOVA_INT A0.x, R0.x\n"), "CF 0: MOVA in the last group of a clause", "R0.x\n",
     "R0.x\n 1 x: MOV R1.x, R0.x\n" },
   { 'p', ALU(" 0 x: MOV R1.x, R0[A0.x].x\n"),
     "CF 0, group 0, slot x: operand 0 is indexed by AR, which this clause has not set",
     "R0[A0.x].x", "R0.x" },
   { 'p', ALU(" 0 x: MOV R1[A0.x].x, R0.x\n"),
     "CF 0, group 0, slot x: result is indexed by AR, which this clause has not set", "R1[A0.x].x",
     "R1.x" },
   { 'p', ALU(" 0 x: MOV R1.x, KC0[AL+1].x\n"),
     "CF 0, group 0, slot x: operand 0: only GPRs are indexed here", "AL+", "" },
   { 'p', ALU(" 0 x: MOV R1[X2].x, R0.x\n"), "CF 0, group 0, slot x: undefined index mode 2", "X2",
     "AL" },
   { 'p', ALU(" 0 x: MOV R1[X7].x, R0.x\n"), "CF 0, group 0, slot x: undefined index mode 7", "X7",
     "AL" },
   { 'p', ALU(" 0 x: MOVA_INT A0.x, R0.x BITS(0x80000000, 0x6610)\n 1 x: MOV R2.x, R0.x\n"),
     "CF 0, group 0, slot x: MOVA_INT with WRITE_MASK", " BITS(0x80000000, 0x6610)", "" },
   /* 6: predicates and kills */
   { 'p', ALU(" 0 x: PRED_SETE ____, R0.x, 0.0f\n y: PRED_SETE ____, R0.x, 0.0f\n"),
     "CF 0, group 0: more than one predicate or kill operation", "y: PRED_SETE ____",
     "y: SETE R1.y" },
   { 'p', ALU(" 0 x: KILLE ____, R0.x, 0.0f\n 1 x: MOV R1.x, R0.x\n"),
     "CF 0, group 1, slot x: an instruction follows a kill in the same clause",
     " 1 x: MOV R1.x, R0.x\n", "" },
   { 'v', "ALU:\n 0 x: KILLE ____, R0.x, 0.0f\n" END,
     "CF 0, group 0: a kill outside a pixel shader", NULL, "p" },
   { 'p', ALU(" 0 x: MOV R1.x, R0.x UPDATE_PRED\n"),
     "CF 0, group 0, slot x: MOV updates the predicate or the execute mask", " UPDATE_PRED", "" },
   { 'p', "ALU_PUSH_BEFORE:\n 0 x: MOV R1.x, R0.x\nPOP (1) ADDR(2)\n" EXP,
     "CF 0: ALU_PUSH_BEFORE with 0 updates of the execute mask", "MOV R1.x, R0.x",
     "PRED_SETE ____, R0.x, 0.0f UPDATE_EXEC_MASK" },
   { 'p',
     ALU(
        " 0 x: LDS_READ_RET OFFSET(0), R0.x\n 1 x: MOV R1.x, QA.pop\n y: KILLE ____, R0.x, 0.0f\n"),
     "CF 0, group 1: a kill while results are in the LDS queue", " y: KILLE", " 2 x: KILLE" },
   /* 7: modifiers */
   { 'p', ALU(" 0 x: AND_INT R1.x, -R0.x, R0.x\n"),
     "CF 0, group 0, slot x: operand 0 of AND_INT has a float modifier", "-R0.x", "R0.x" },
   { 'p', ALU(" 0 x: AND_INT R1.x, R0.x, R0.x CLAMP\n"),
     "CF 0, group 0, slot x: AND_INT has CLAMP or OMOD, but no float result", " CLAMP", "" },
   { 'p', ALU(" 0 x: MOV R1.x, R0.x BITS(0x80000000, 0x00380c90)\n"),
     "CF 0, group 0, slot x: undefined bank swizzle 6", " BITS(0x80000000, 0x00380c90)", "" },
   { 'p', ALU(" 0 x: MOV R1.x, SRC200.x\n"),
     "CF 0, group 0, slot x: operand 0 has the undefined select 200", "SRC200.x", "R0.x" },
   { 'v', "ALU:\n 0 x: LDS_OP_60 OFFSET(0), R0.x, R0.x, R0.x\n" END,
     "CF 0, group 0, slot x: undefined LDS operation 60", "LDS_OP_60 OFFSET(0), R0.x, ",
     "LDS_WRITE OFFSET(0), " },
   /* 8: registers */
   { 'p', ALU(" 0 x: MOV R1.x, R9.x\n"),
     "CF 0, group 0, slot x: operand 0 reads R9, which is not declared", "R9", "R7" },
   { 'p', ALU(" 0 x: MOV R9.x, R0.x\n"), "CF 0, group 0, slot x: writes R9, which is not declared",
     "R9", "R7" },
   { 'p', TEX(" 0 VFETCH R1, R9.x, f0\n"), "CF 0, instruction 0: reads R9, which is not declared",
     "R9", "R7" },
   { 'p', TEX(" 0 VFETCH R9, R0.x, f0\n"), "CF 0, instruction 0: writes R9, which is not declared",
     "R9", "R7" },
   { 'p', "EXP_DONE: PIX0, R9\n" END, "CF 0: stores R9, which is not declared", "R9", "R7" },
   { 'v', "MEM_EXPORT_WRITE_IND: DWORD_PTR[0+R9.x], R0, ELEM_SIZE(3)\n" END,
     "CF 0: indexes with R9, which is not declared", "R9", "R7" },
   /* 9: fetches */
   { 'p', TEX(" 0 VFETCH R1, R0.x, f0\n 1 VFETCH R2, R1.x, f0\n"),
     "CF 0, instruction 1: reads R1, which an earlier fetch of the clause writes", "R2, R1.x",
     "R2, R0.x" },
   { 'p', TEX(" 0 SET_GRADIENTS_H R1.____, R0, t0, s0 NORM(XYZW)\n"),
     "CF 0, instruction 1: gradients or offsets are set, but not used in this clause",
     "NORM(XYZW)\n",
     "NORM(XYZW)\n SET_GRADIENTS_V R1.____, R0, t0, s0 NORM(XYZW)\n SAMPLE_G R1, R0, t0, s0\n" },
   { 'p', TEX(" 0 GATHER4_O R1, R0, t0, s0 COMP(X) NORM(XYZW)\n"),
     "CF 0, instruction 0: gather with offsets that were not set in this clause", "GATHER4_O",
     "GATHER4" },
   { 'p', TEX(" 0 SAMPLE R1.?yzw, R0, t0, s0 NORM(XYZW)\n"),
     "CF 0, instruction 0: undefined component select 6", ".?yzw", ".xyzw" },
   /* 10: stack */
   { 'p', "POP (1) ADDR(1)\n" EXP, "CF 0: more pops than pushes", "(1) ", "(0) " },
   { 'p', "PUSH ADDR(1)\n" EXP, "CF 2: the program ends inside a branch or loop", "PUSH ADDR(1)\n",
     "PUSH ADDR(1)\nPOP (1) ADDR(2)\n" },
   { 'p', "ENDLOOP i0 PASS_JUMP_ADDR(0)\n" EXP, "CF 0: LOOP_END without a loop",
     "ENDLOOP i0 PASS_JUMP_ADDR(0)",
     "LOOP_DX10 i0 FAIL_JUMP_ADDR(2)\nENDLOOP i0 PASS_JUMP_ADDR(1)" },
   { 'p', "BREAK 0\n" EXP, "CF 0: break or continue outside a loop", "BREAK 0\n",
     "LOOP_DX10 i0 FAIL_JUMP_ADDR(3)\nBREAK 2\nENDLOOP i0 PASS_JUMP_ADDR(1)\n" },
   { 'p',
     "LOOP_DX10 i0 FAIL_JUMP_ADDR(4)\nLOOP_DX10 i0 FAIL_JUMP_ADDR(3)\n"
     "ENDLOOP i0 PASS_JUMP_ADDR(2)\nENDLOOP i0 PASS_JUMP_ADDR(1)\n" EXP,
     "CF 1: the stack of 1 entries overflows",
     "LOOP_DX10 i0 FAIL_JUMP_ADDR(3)\nENDLOOP i0 PASS_JUMP_ADDR(2)\n", "NOP\nNOP\n" },
   /* 11: exports */
   { 'p', "EXP: PIX0, R0\n" END, "CF 1: the last export of type 0 is not EXPORT_DONE",
     "EXP:", "EXP_DONE:" },
   { 'p', "EXP_DONE: PIX0, R0\nEXP_DONE: PIX1, R0\n" END,
     "CF 1: export after the EXPORT_DONE of its type", "EXP_DONE: PIX0", "EXP: PIX0" },
   { 'v', "EXP_DONE: PIX0, R0\n" END, "CF 0: export of a type that this stage does not have",
     "PIX0", "POS0" },
   { 'p', "EXP_DONE: PIX0, R0 BITS(0x6000, 0x15000688)\n" END, "CF 0: undefined export type",
     " BITS(0x6000, 0x15000688)", "" },
   /* 12: LDS queue */
   { 'v', "ALU:\n 0 x: MOV R1.x, QA.pop\n" END,
     "CF 0, group 0: reads the LDS queue, which is empty", "QA.pop", "R0.x" },
   { 'v', "ALU:\n 0 x: LDS_READ_RET OFFSET(0), R0.x\n" END,
     "CF 0: 1 results are left in the LDS queue", "R0.x\n", "R0.x\n 1 x: MOV R1.x, QA.pop\n" },
   { 'v',
     "ALU:\n 0 x: LDS_READ2_RET OFFSET(0), R0.x, R0.y\n 1 x: MOV R1.x, QA.pop\n y: MOV R1.y, "
     "QB\n" END,
     "CF 0, group 1: some reads of the LDS queue pop and some do not", "QB\n", "QB.pop\n" },
   /* 13: barriers */
   { 'v', "ALU:\n 0 x: GROUP_BARRIER ____\n y: MOV R1.y, R0.y\n" END,
     "CF 0, group 0: GROUP_BARRIER shares its group", " y: MOV", " 1 y: MOV" },
   /* 14, and what slot t makes of others */
   { 'P', "NOP\n", "CF 1: the program ends inside an instruction", "NOP\n", "NOP\n" END "" },
   { 'P', ALU(" 0 t: RECIP_IEEE R1.x, R0.x\n 1 x: MOV R1.x, PV0.x\n"),
     "CF 0, group 1, slot x: operand 0 reads PV.x, which no slot of the previous group wrote",
     "PV0.x", "PS0" },
   { 'P', ALU(" 0 x: MOV R1.x, R0.x\n 1 t: RECIP_IEEE R1.x, PS0\n"),
     "CF 0, group 1, slot t: operand 0 reads PS, and slot t of the previous group wrote none",
     "PS0", "PV0.x" },
   { 'P', ALU(" 0 x: SET_CF_IDX0 ____\n"),
     "CF 0, group 0, slot x: SET_CF_IDX0 of AR, which this clause has not set", " 0 x: SET",
     " 0 x: MOVA_INT A0.x, R0.x\n 1 x: SET" },
   { 'P', TEX(" 0 VFETCH R1, R0.x, f0\n"), "CF 0, instruction 0: a mini-fetch", "f0",
     "f0 MEGAFETCH(15)" },
   { 'P', "ALU_BREAK:\n 0 x: MOV R1.x, R0.x\n" EXP, "CF 0: break or continue outside a loop",
     "ALU_BREAK", "ALU" },
   { 'P', ALU(" 0 t: RECIP_IEEE R1.x, R0.x BITS(0x80000000, 0x20304310)\n"),
     "CF 0, group 0, slot t: undefined bank swizzle 4", " BITS(0x80000000, 0x20304310)", "" },
   /* t has two constants at most, and reads GPRs after them. */
   { 'P', ALU(" 0 t: MUL_LIT R1.x, 1.0f, 0.5f, 0.0f\n"), "CF 0, group 0: read port conflict",
     ", 0.0f", ", R0.x SCL_122" },
   { 'P', ALU(" 0 t: MUL_LIT R1.x, R0.x, 1.0f, 0.5f SCL_122\n"),
     "CF 0, group 0: read port conflict", "SCL_122", "SCL_212" },
   { 'P', ALU(" 0 x: ADD R1.x, R0.x, R1.x\n t: RECIP_IEEE R2.x, R3.x SCL_122\n"),
     "CF 0, group 0: read port conflict", "SCL_122", "SCL_210" },
   { 'P', ALU(" 0 x: MOV R1.x, KC0[0].x\n y: MOV R1.y, KC0[1].x\n t: RECIP_IEEE R1.z, KC0[2].x\n"),
     "CF 0, group 0: more than two kcache addresses", "KC0[2]", "KC0[1]" },
};

#define NUM_CASES (sizeof(cases) / sizeof(*cases))

/* Does the validator say of the text what is wanted, and nothing else? */
static bool
says(const char *text, char stage, const char *wanted)
{
   const bool five = stage < 'a';
   stage = (char)(stage | 0x20);
   struct cayman_limits limits = { .vliw = five ? CAYMAN_VLIW5 : CAYMAN_VLIW4,
                                   .num_gprs = 8,
                                   .num_clause_temps = 4,
                                   .stack_entries = 1,
                                   .pixel_shader = stage == 'p',
                                   .fetch_shader = stage == 'f' };
   const struct isa *isa = five ? &isa_evergreen : &isa_cayman;
   struct isa_error error;
   struct isa_binary binary;
   char message[200];

   if (!isa->assemble(text, strlen(text), NULL, &binary, &error)) {
      print_message("%s\ndoes not assemble: %u:%u: %s\n", text, error.line, error.column,
                    error.text);
      return false;
   }
   if (cayman_validate(binary.words, binary.num_dwords, &limits, message, sizeof(message)))
      strcpy(message, "legal");
   free(binary.words);
   free(binary.before);
   free(binary.after);
   if (strcmp(message, wanted) != 0) {
      print_message("%s\ngives '%s', not '%s'\n", text, message, wanted);
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
      wrong += !says(cases[i].text, cases[i].stage, cases[i].error);
      if (cases[i].from) {
         char *neighbour = rule_neighbour(cases[i].text, cases[i].from, cases[i].to);
         wrong += !says(neighbour, cases[i].stage, "legal");
         free(neighbour);
      } else {
         wrong += !says(cases[i].text, cases[i].to[0], "legal");
      }
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
   rules = rules_without_case(VALIDATOR_SOURCE, "fail(", messages, NUM_CASES, &missing);
   assert_int_equal(missing, 0);
   assert_true(rules > 45);
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
