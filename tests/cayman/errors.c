/* SPDX-License-Identifier: MIT */
/*
 * A text for every error of the listing's parser and of the assembler, with line, column and
 * message in full.  The test reads their sources: a message without a text here fails it.
 */
#include "common.h"

#include "isa/cayman/isa.h"

#include "../rule_cases.h"

#define ALU "00 ALU: ADDR(2) CNT(1)\n 0 "
#define TEX "00 TEX:\n 0 "

static const struct {
   const char *text;
   unsigned line, column;
   const char *error;
   bool five; /* of a five-slot chip */
} cases[] = {
   { "", 0, 0, "the text holds no instruction" },
   { "; nothing\n", 0, 0, "the text holds no instruction" },
   { "00 FOO\n", 1, 4, "unknown instruction 'FOO'" },
   { "01 NOP\n", 1, 1,
     "CF instruction 1 stands at 0 (END_OF_PROGRAM and kcache sets 2 and 3 take an instruction)" },
   { "00 NOP FOO\n", 1, 8, "unknown property 'FOO'" },
   { "00 NOP CLAMP\n", 1, 8, "CLAMP does not belong to this instruction" },
   { "00 NOP KCACHE0(CB0:0-15)\n", 1, 8, "KCACHE0 does not belong to this instruction" },
   { "00 NOP ! \n", 1, 8, "expected the end of the line or a property" },
   { "00 JUMP ADDR(16777216)\n", 1, 14,
     "16777216 is more than the field holds, which is 16777215" },
   { "00 JUMP ADDR(99999999999)\n", 1, 14, "number does not fit 32 bits" },
   { "00 JUMP ADDR()\n", 1, 14, "expected a number" },
   { "00 ALU: ADDR(2) CNT(2)\n 0 x: MOV R0.x, R0.x\n", 1, 1, "CNT(2), but the clause has 1" },
   { "00 ALU: ADDR(2) CNT(0)\n", 1, 17, "a clause has at least one instruction" },
   { "00 ALU:\n", 1, 1, "a clause without instructions needs ADDR and CNT" },
   { "00 ALU: KCACHE0(CB0:3-18)\n", 1, 21, "a window is 16 or 32 constants from a multiple of 16" },
   { "00 ALU: ADDR(0) CNT(1)\n 0 x: MOV R0.x, R0.x\n", 1, 1,
     "overlaps what stands at quadword 0, and differs from it" },
   { " 0 x: MOV R0.x, R0.x\n", 1, 2, "no clause instruction stands above this" },
   { ALU "x: FOO R0.x\n", 2, 7, "unknown ALU operation 'FOO'" },
   { ALU "x: MOV R0.y, R0.x\n", 2, 13, "slot x writes channel x only" },
   { ALU "x: MOV R128.x, R0.x\n", 2, 12, "128 is more than the field holds, which is 127" },
   { ALU "x: MOV R0.x\n", 2, 15, "MOV has 1 operand" },
   { ALU "x: MOV R0.x, R0.x, R1.x\n", 2, 21, "MOV has 1 operand" },
   { ALU "x: MULADD R0.x, |R0.x|, R1.x, R1.x\n", 2, 20,
     "three-operand instructions have no absolute value" },
   { ALU "x: MULADD*2 R0.x, R0.x, R1.x, R1.x\n", 2, 13,
     "three-operand instructions have no output modifier" },
   { ALU "x: MULADD ____, R0.x, R1.x, R1.x\n", 2, 14,
     "three-operand instructions always write; R123 is the custom" },
   { ALU "x: MOV R0.x, R1[A0.x].x\n   y: MOV R0.y, PS0\n", 3, 17,
     "not for Cayman: PS is the result of the t unit, which Cayman has not" },
   { ALU "x: ADD R0.x, R1[A0.x].x, R1[AL].x\n", 2, 29,
     "an instruction has one index for all its operands" },
   { ALU "x: MOV R0.x, 3.0f\n", 2, 17, "3.0f is no inline constant: write a literal, (3.0f).x" },
   { ALU "x: MOV R0.x, (abc).x\n", 2, 18, "expected a number, (0x3F800000, 1.0f) or (1.0f)" },
   { ALU "x: MOV R0.x, (0x1).q\n", 2, 22, "expected a channel: .x, .y, .z or .w" },
   { ALU "y: MOV R0.y, R0.x\n   x: MOV R0.x, R0.x\n", 3, 4,
     "slots of a group stand in the order x, y, z, w, each once" },
   { ALU "x: ADD R0.x, (1.0f).x, (2.0f).x\n", 2, 2, "the group's literal .x has two values" },
   { ALU "t: MOV R0.x, R0.x\n", 2, 4,
     "not for Cayman: Cayman has no t unit: a group has slots x, y, z and w" },
   { ALU "x: RECIP_INT R0.x, R0.x\n", 2, 7,
     "not for Cayman: older parts: signed integer reciprocal, a fraction; 0 gives an undefined "
     "result" },
   { ALU "x: MOV R0.x, C5.x\n", 2, 17,
     "not for Cayman: C registers, the constant file, ended with R700" },
   { ALU "x: MOV R0.x, R1[A0.w].x\n", 2, 20, "not for Cayman: Cayman indexes with A0.x alone" },
   { "00 VTX: ADDR(2) CNT(1)\n 0 VFETCH R0, R0.x, f0\n", 1, 4,
     "not for Cayman: older parts: runs a clause of vertex fetches by way of the vertex cache; "
     "Cayman fetches vertices in TEX clauses" },
   { "00 TEX: ADDR(2) CNT(1)\n 0 VFETCH R0, R0.x, f0 MEGAFETCH(3)\n", 2, 24,
     "not for Cayman: Cayman has no mega-fetch" },
   { TEX "x: MOV R0.x, R0.x\n", 2, 2, "an ALU instruction in a fetch clause" },
   { "00 ALU:\n 0 VFETCH R0, R0.x, f0\n", 2, 2, "a fetch in an ALU clause" },
   { TEX "SAMPLE R0, R0, t0, s32\n", 2, 24, "32 is more than the field holds, which is 31" },
   { TEX "SAMPLE R0, R0, t0, s0 XOFFSET(9.5)\n", 2, 34, "out of the field's range, -8 to 7.5" },
   { TEX "SAMPLE R0, R0, t0, s0 XOFFSET(0.25)\n", 2, 34, "the field has 1 fraction bits" },
   { "00 MEM_EXPORT_WRITE_IND: DWORD_PTR[0], R0, ELEM_SIZE(3)\n", 1, 26,
     "the _IND form needs an index, [0+R1.x]" },
   { "00 MEM_RING_WRITE_IND: DWORD_PTR[0+R1.y], R0, ELEM_SIZE(3)\n", 1, 38,
     "the index is component x" },
   { "00 MEM_RAT_WRITE: RAT(0) FOO, R0, R1\n", 1, 26, "unknown RAT operation" },
   { "00 UNDEFINED\n", 1, 1, "an UNDEFINED instruction needs BITS" },
   { "00 NOP BITS(1)\n", 1, 14, "instructions have an even number of words" },
   { "WORDS ADDR(9999999): 1\n", 1, 1,
     "the program ends after 1048576 quadwords, which is more than is assembled" },
   { "WORDS ADDR(0):\n", 1, 15, "expected words" },
   { "00 MEM_RING_WRITE: R1, R0\n", 1, 20, "expected DWORD_PTR[ or VEC_PTR[" },
   { "00 MEM_RAT_WRITE: X\n", 1, 19, "expected RAT(n)" },
   { "00 MEM_RING_WRITE: DWORD_PTR[0+R1.x], R0, ELEM_SIZE(3)\n", 1, 20,
     "an index needs the _IND form" },
   { "00 MEM_RING_WRITE: DWORD_PTR[0], R0.yx, ELEM_SIZE(3)\n", 1, 36,
     "expected a mask such as .xy__" },
   { "00 EXP: FOO0, R0\n", 1, 9, "expected an export target: PIX, PIXZ, POS or PARAM" },
   { "00 WAIT_ACK: OUTSTANDING_ACKS < 3\n", 1, 31, "expected '<='" },
   { "00 GLOBAL_WAVE_SYNC FOO RESOURCE(1)\n", 1, 21, "expected SEMA_V, SEMA_P, BARRIER or INIT" },
   { "{\n", 1, 1, "expected an instruction" },
   { TEX "VFETCH R1[A0.x], R0.x, f0\n", 2, 11, "fetches index with AL alone" },
   { TEX "SAMPLE R1[A0.x], R0, t0, s0\n", 2, 11, "fetches index with AL alone" },
   { TEX "SAMPLE R1, R0, s0, t0\n", 2, 19, "expected t and a number" },
   { TEX "VSEMANTIC R1, R0.x, f0\n", 2, 14, "expected SemId and a number" },
   { TEX "MEM_SCRATCH_READ R1, R2\n", 2, 25, "expected VEC_PTR[" },
   { "00 GDS:\n 0 GDS_ADD R1, R0.xy\n", 2, 18, "expected three selects: address and two data" },
   { TEX "VFETCH R1, R0.x, f0 ENDIAN(9IN5)\n", 2, 31, "unknown value '9IN5'" },
   { "00 ALU: KCACHE0(3)\n", 1, 17, "expected CB and the bank" },
   { TEX "SAMPLE R1, R0, t0, s0 NORM(ABC)\n", 2, 31, "expected coordinates of XYZW" },
   { "00 NOP BITS(1, 2, 3, 4, 5, 6)\n", 1, 25, "more words than the instruction has" },
   { TEX "VFETCH R1, R0.x, f0 MEGAFETCH(1) MEGAFETCH(2) MEGAFETCH(3) MEGAFETCH(4) MEGAFETCH(5)\n",
     2, 76, "too many properties of older chips" },
   { ALU "x: LDS_WRITE OFFSET(0), R0.x, R0.x CLAMP\n", 2, 39, "LDS operations have no CLAMP" },
   { ALU "x: MOV*2 R0.x, R0.x UPDATE_EXEC_MASK\n", 2, 24,
     "the output modifier's bits are those of the mask" },
   { ALU "x: MOV R0.x, R0.x FOG_MERGE\n", 2, 22, "not for Cayman: FOG_MERGE ended with R600" },
   { "00 NOP END_OF_PROGRAM\n", 1, 8,
     "not for Cayman: Cayman ends with an instruction of its own" },
   { "00 EXP PIX0, R0\n", 1, 8, "expected ':'" },
   { "00 EXP: PIX0, R0.xyzwx\n", 1, 22, "more than four selects" },
   { "00 EXP: PIX0, R0.\n", 1, 17, "expected selects of x, y, z, w, 0, 1 or _" },
   { "00 EXP: PIX0, Q0\n", 1, 15, "expected a register, R0 to R127 or T0 to T3" },
   { "00 EXP: PIX0, R0[B0.x]\n", 1, 18, "expected an index: A0.x, AL, Ga or Ga0.x" },
   { ALU "x: OP3_3 R0.x, R0.x, R0.x, R0.x\n", 2, 7, "OP3 opcodes start at 4" },
   { ALU "x: LDS_WRITE R0.x, R0.x\n", 2, 17, "expected OFFSET(n)" },
   { ALU "x: MOVA_INT R0.x, R0.x\n", 2, 16,
     "expected A0.x, CF_PC, CF_IDX0, CF_IDX1 or a byte of CG" },
   { ALU "x: MOV R0.x, (1.#INFf).x\n", 2, 20, "expected ')'" },
   { ALU "x: MOV R0.x, FOO.x\n", 2, 17, "unknown operand 'FOO'" },
   { ALU "x: MOV R0.x, PS\n", 2, 17,
     "not for Cayman: PS is the result of the t unit, which Cayman has not" },
   { ALU "x: OP2_7 R0.x, R0.x\n", 2, 17, "it has 2 operands" },
   { ALU "x: MULADD R0.x, R1.x, R1.x, R1.x UPDATE_EXEC_MASK\n", 2, 37,
     "three-operand instructions update no mask" },
   { ALU "x: MULADD R0.x, R1.x, R1.x, R1.x UPDATE_PRED\n", 2, 37,
     "three-operand instructions update no predicate" },
   { ALU "x: MOV R0.x, R1.q\n", 2, 19, "expected a channel: .x, .y, .z or .w" },
   { ALU "x: MOV R0.x, KC4[0].x\n", 2, 19, "4 is more than the field holds, which is 3" },
   { ALU "x: MOV R0.x, KC0[32].x\n", 2, 21, "32 is more than the field holds, which is 31" },
   { "00 ALU: KCACHE0(CB16:0-15)\n", 1, 19, "16 is more than the field holds, which is 15" },
   { ALU "x: MOV R0.x, R0.x BITS(0x80000000, 0x00000c90, 1, 2)\n", 2, 2,
     "BITS with literals that no operand selects" },
   { "00 ALU:\n WORDS: 0\n", 1, 1, "the clause's WORDS end inside an instruction" },
   { TEX "VFETCH R0, R0.x, f0\n WORDS: 0 0\n", 1, 1,
     "the clause's WORDS end inside an instruction" },
   { "00 ALU:\n 0 x: MOV R0.x, R0.x\n   y: MOV R0.y, R0.x\n   z: MOV R0.z, R0.x\n   w: MOV R0.w, "
     "R0.x\n   x: MOV R0.x, R0.x\n",
     6, 4, "a group has at most four slots; a number starts the next" },
   { "00 UNDEFINED FOO\n", 1, 14, "unknown property 'FOO'" },
   { "00 UNDEFINED BITS(0, 1) MARK\n", 1, 25, "an UNDEFINED instruction is nothing but BITS" },
   { "00 UNDEFINED CLAMP\n", 1, 14, "CLAMP does not belong to this instruction" },
   { "00 UNDEFINED BITS(0, 1) CLAMP\n", 1, 25, "CLAMP does not belong to this instruction" },
   { TEX "SAMPLE R0, R0, t0, s0 RIM(IDX3)\n", 2, 30, "unknown value 'IDX3'" },
   { "00 ALU: ADDR(2) CNT(1) KCACHE0(CB0:AL+0-15)\n", 1, 39,
     "a window is 16 or 32 constants from a multiple of 16" },
   { TEX "PASS R0, R0, t0, s0\n", 2, 4, "not for Cayman: R700: coordinates as they are" },
   { "00 ALU: USES_WATERFALL\n", 1, 9, "not for Cayman: waterfalls ended with R700" },
   { "00 ALU: KCACHE_BANK(0)\n", 1, 9, "not for Cayman: written KCACHE0(CBn:first-last) here" },
   { "00 NOP WHOLE_QUAD_MODE\n", 1, 8, "not for Cayman: only ALU clauses have WHOLE_QUAD_MODE" },
   { TEX "VFETCH R0, R0.x, f0 FORMAT_COMP_ALL(UNSIGNED_BIASED)\n", 2, 24,
     "not for Cayman: biased formats ended with R700" },
   { TEX "SAMPLE R0, R0, t0, s0 BC_FRAC_MODE\n", 2, 26,
     "not for Cayman: BC_FRAC_MODE ended with R700" },
   { ALU "x: MOV R0.x, R0.x SCL_210\n", 2, 22,
     "not for Cayman: SCL bank swizzles are the t unit's, which Cayman has not" },
   { ALU "x: MOV R0.x, i0\n", 2, 17, "not for Cayman: i and b are constants of control flow" },
   { ALU "x: MOV R0.x, CB0[1].x\n", 2, 17,
     "not for Cayman: buffers are read through the windows of a clause, KC0 to KC3" },
   { TEX "VFETCH R0, R0.x FORMAT(1)\n", 2, 20,
     "not for Cayman: a fetch names its buffer, f0 to f255" },
   { "00 MEM_RING_READ: R0, VEC_PTR[0]\n", 1, 4,
     "not for Cayman: R600: Cayman reads memory in TEX clauses" },
   { "00 MEM_RING_WRITE_IND: VEC_PTR[R1[AL]], R0\n", 1, 32,
     "not for Cayman: the index of a pointer is not indexed" },
   { "00 ...\n", 1, 4, "not for Cayman: an ellipsis stands for instructions" },
   { TEX "SAMPLE R0, R0, t0, s0 LOD(x)\n", 2, 30, "expected a number" },
   { TEX "SAMPLE R0, R0, t0, s0 LOD(99)\n", 2, 30, "out of the field's range, -4 to 3.9375" },
   { TEX "SAMPLE R0, R0, t0, s0 LOD(0.01)\n", 2, 30, "the field has 4 fraction bits" },
   { "00 TEX: ADDR(2) CNT(2)\n 0 VFETCH R0, R0.x, f0 BITS(1, 2)\n", 2, 2,
     "the fetch says what its encoding cannot hold" },
   { ALU "t: MOV R0.x, R0.y\n", 2, 2,
     "t does not run it: it runs operations that only t has, and those of one slot that may be in "
     "any, of a channel that another slot takes",
     true },
   { ALU "x: RECIP_IEEE R0.x, R0.y\n", 2, 2, "only t runs it", true },
   { "00 ALU:\n 0 t: RECIP_IEEE R0.x, R0.y\n x: MOV R0.x, R0.x\n", 3, 2,
     "slots of a group stand in the order x, y, z, w, t, each once", true },
   { "00 ALU:\n 0 x: MOV R0.x, R0.x\n y: MOV R0.y, R0.x\n z: MOV R0.z, R0.x\n"
     " w: MOV R0.w, R0.x\n t: MOV R1.x, R0.x\n t: MOV R1.y, R0.x\n",
     7, 2, "a group has at most five slots; a number starts the next", true },
   { ALU "x: MOV R0.x, R0.x SCL_221\n", 2, 22,
     "SCL bank swizzles are slot t's, VEC those of the others", true },
   { ALU "x: PRED_SETE ____, R0.x, 0.0f UPDATE_EXEC_MASK_BREAK\n", 2, 34,
     "the clause's instruction says what becomes of lanes: ALU_BREAK, ALU_CONTINUE", true },
   { "00 ALU: END_OF_PROGRAM\n 0 x: MOV R0.x, R0.x\n", 1, 9,
     "an ALU clause does not end the program", true },
   { ALU "x: MUL_INT24 R0.x, R0.x, R0.x\n", 2, 7,
     "not for Evergreen: Cayman: low 32 bits of signed 24x24 multiply", true },
   { "00 SET_PRIORITY\n", 1, 4, "not for Evergreen: Cayman: set wavefront priority to COUNT",
     true },
   { ALU "x: MOV R0.x, C1.x\n", 2, 17,
     "not for Evergreen: C registers, the constant file, ended with R700", true },
};

#define NUM_CASES (sizeof(cases) / sizeof(*cases))

static bool
says(const char *text, unsigned line, unsigned column, const char *wanted, bool five)
{
   const struct isa *isa = five ? &isa_evergreen : &isa_cayman;
   struct isa_binary binary;
   struct isa_error error;
   const bool words = isa->assemble(text, strlen(text), NULL, &binary, &error);
   bool right =
      !words && error.line == line && error.column == column && strcmp(error.text, wanted) == 0;

   if (!right) {
      print_message("'%s' gives %u:%u: %s, not %u:%u: %s\n", text, words ? 0 : error.line,
                    words ? 0 : error.column, words ? "words" : error.text, line, column, wanted);
   }
   free(binary.words);
   free(binary.before);
   free(binary.after);
   return right;
}

static void
each_error(void **state)
{
   (void)state;
   unsigned wrong = 0;

   for (unsigned i = 0; i < NUM_CASES; i++)
      wrong += !says(cases[i].text, cases[i].line, cases[i].column, cases[i].error, cases[i].five);
   assert_int_equal(wrong, 0);
}

#define TOO_LONG "the clause is longer than CNT can say"

/* A clause of more slots than CNT can count. */
static void
long_clause(void **state)
{
   (void)state;
   char text[8192] = "00 ALU:\n";

   for (unsigned n = 0; n < 129; n++)
      strcat(text, " 0 x: MOV R0.x, R0.x\n");
   assert_true(says(text, 1, 1, TOO_LONG, false));
}

static void
every_error_has_a_case(void **state)
{
   (void)state;
   static const char *const files[] = { "parse.c",      "parse_fetch.c", "parse_property.c",
                                        "parse_scan.c", "parse_slot.c",  "assemble.c" };
   static const char *const calls[] = { "cayman_parse_fail(ps", "cayman_parse_refuse(ps",
                                        "keep(ps, item", "fail_at(a", "isa_fail(a->error" };
   /* What no text asks for: memory that is out, and a value that a parser lets through and an
    * encoder does not. */
   static const char *const unreachable[] = {
      "no memory", "the slot says what its encoding cannot hold",
      "the instruction says what its encoding cannot hold"
   };
   enum { NUM_UNREACHABLE = sizeof(unreachable) / sizeof(*unreachable) };
   const char *messages[NUM_CASES + NUM_UNREACHABLE + 1] = { TOO_LONG };
   unsigned rules = 0, missing = 0, count = 1;

   for (unsigned i = 0; i < NUM_CASES; i++)
      messages[count++] = cases[i].error;
   memcpy(messages + count, unreachable, sizeof(unreachable));
   for (unsigned f = 0; f < sizeof(files) / sizeof(*files); f++) {
      char path[500];
      snprintf(path, sizeof(path), "%s/%s", CAYMAN_SOURCES, files[f]);
      for (unsigned c = 0; c < sizeof(calls) / sizeof(*calls); c++) {
         unsigned without;
         rules += rules_without_case(path, calls[c], messages, count + NUM_UNREACHABLE, &without);
         missing += without;
      }
   }
   print_message("%u messages\n", rules);
   assert_int_equal(missing, 0);
   assert_true(rules > 80);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_error),
      cmocka_unit_test(long_clause),
      cmocka_unit_test(every_error_has_a_case),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
