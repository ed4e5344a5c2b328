/* SPDX-License-Identifier: MIT */
/*
 * Every listing of the assembly language guide, section by section, and every example of the ISA
 * guide, in programs of our own that say the same with other registers: what parses is printed back
 * byte for byte, and becomes words that are printed as the text, or is refused with the reason.
 *
 * guide.py tries the guide's own text, which is no part of this repository.
 */
#include "common.h"

#define END "END_OF_PROGRAM\n"

struct example {
   const char *place, *text;
   const char *refused; /* line:column: why Cayman's assembler does not take it; NULL: it does */
   bool whole;          /* a program in the printer's spelling: its words have this listing */
};

/* The words' listing: that of the text, or of a fragment another one of the same words. */
static bool
comes_back(const struct example *e, const uint32_t *words, size_t num_words)
{
   size_t length, again_count;
   struct isa_error error;
   char *listing = cayman_listing_text(CAYMAN_VLIW4, words, num_words, &length);
   bool same;

   if (e->whole) {
      same = strcmp(listing, strstr(e->text, "00 ")) == 0;
   } else {
      uint32_t *again = cayman_assemble(listing, length, &again_count, &error);
      same = again && again_count == num_words && memcmp(again, words, 4 * num_words) == 0;
      free(again);
   }
   if (!same)
      print_message("%s: disassembled as\n%s\n", e->place, listing);
   free(listing);
   return same;
}

static void
check_examples(const struct example *examples, unsigned count)
{
   unsigned wrong = 0;

   for (unsigned i = 0; i < count; i++) {
      const struct example *e = &examples[i];
      struct isa_error error;
      size_t num_words;
      char message[400] = "";
      char *again = cayman_reprint(CAYMAN_VLIW4, e->text, strlen(e->text), &error);
      uint32_t *words = cayman_assemble(e->text, strlen(e->text), &num_words, &error);

      if (!words)
         snprintf(message, sizeof(message), "%u:%u: %s", error.line, error.column, error.text);
      if (!again || strcmp(again, e->text) != 0) {
         print_message("%s: printed back as\n%s\n", e->place, again ? again : message);
         wrong++;
      }
      if (!words != !!e->refused ||
          (e->refused && strncmp(message, e->refused, strlen(e->refused)) != 0)) {
         print_message("%s: '%s', not '%s'\n", e->place, message,
                       e->refused ? e->refused : "words");
         wrong++;
      }
      wrong += words && !e->refused && !comes_back(e, words, num_words);
      free(words);
      free(again);
   }
   print_message("%u listings\n", count);
   assert_int_equal(wrong, 0);
}

/* --- the assembly language guide -------------------------------------------------------------- */

#define NO_CLAUSE "1:7: no clause instruction stands above this"
#define WATERFALL "not for Cayman: waterfalls ended with R700"

static const struct example guide[] = {
   { "2",
     "; ----- Disassembly -----\n"
     "00 ALU: ADDR(32) CNT(4) KCACHE0(CB0:0-15)\n"
     "      0  x: MUL         R1.x,  KC0[2].x,  KC0[3].x\n"
     "         y: MUL         R1.y,  KC0[2].y,  KC0[3].y\n"
     "      1  z: MUL         R1.z,  KC0[2].z,  KC0[3].z\n"
     "         w: MUL         R1.w,  KC0[2].w,  KC0[3].w\n"
     "01 EXP_DONE: PIX0, R1\n" END,
     NULL, true },
   { "3.1", "00 ALU: ADDR(48) CNT(8)\n", NULL },
   { "3.1, waterfall", "00 ALU: ADDR(48) CNT(8) USES_WATERFALL\n", "1:25: " WATERFALL },
   { "3.1, clauses",
     "02 TEX: ADDR(40) CNT(2) BARRIER\n"
     "02 VTX: ADDR(40) CNT(3)\n"
     "02 ALU: ADDR(48) CNT(5) WHOLE_QUAD_MODE USES_WATERFALL\n"
     "02 ALU: ADDR(48) CNT(5) KCACHE_MODE0(LOCK_0) KCACHE_BANK(0)\n",
     "2:4: not for Cayman: older parts: runs a clause of vertex fetches by way of the vertex "
     "cache; "
     "Cayman fetches vertices in TEX clauses" },
   { "3.1, the old properties", "02 ALU: ADDR(48) CNT(5) KCACHE_MODE0(LOCK_0) KCACHE_BANK(0)\n",
     "1:25: not for Cayman: written KCACHE0(CBn:first-last) here" },
   { "3.1, end", "02 TEX: ADDR(40) CNT(2) BARRIER\n" END, "1:1: CF instruction 2 stands at 0" },
   { "3.2",
     "01 EXP_DONE: POS0, R1 ; the last position\n"
     "02 EXP_DONE: POS1, R5\n"
     "01 EXP: PARAM0, R2 ; parameters\n"
     "01 EXP: PIX0, R3\n"
     "01 EXP_DONE: PIX1, R3\n",
     "1:1: CF instruction 1 stands at 0" },
   { "3.2, properties",
     "01 EXP_DONE: PIX1, R3 WHOLE_QUAD_MODE BARRIER\n"
     "01 EXP: PARAM1, R1 BARRIER\n",
     "1:23: not for Cayman: only ALU clauses have WHOLE_QUAD_MODE" },
   { "3.3",
     "00 MEM_SCRATCH_WRITE: VEC_PTR[5], R2, ELEM_SIZE(3)\n"
     "01 MEM_SCRATCH_WRITE_IND: VEC_PTR[R3 + 5], R2, ELEM_SIZE(3)\n"
     "02 MEM_SCRATCH_WRITE_ACK: DWORD_PTR[5], R2, ELEM_SIZE(3)\n"
     "03 MEM_RING_WRITE_IND_ACK: DWORD_PTR[R3 + 5], R2, ELEM_SIZE(3)\n"
     "04 MEM_REDUCTION_WRITE: VEC_PTR[0], R2\n"
     "05 MEM_GLOBAL_WRITE_IND: DWORD_PTR[R3 + 5], R2\n"
     "06 MEM_STREAM0_WRITE: VEC_PTR[0], R2\n"
     "07 MEM_STREAM3_WRITE_IND: VEC_PTR[R3 + 5], R2\n",
     "5:4: not for Cayman: R600: reduction buffers" },
   { "3.3, an index with an index",
     "00 MEM_RING_WRITE_IND: DWORD_PTR[R3[AL] + 5], R2, ELEM_SIZE(3)\n",
     "1:34: not for Cayman: the index of a pointer is not indexed" },
   { "3.3, reads",
     "00 MEM_SCRATCH_READ: R2, VEC_PTR[5]\n01 MEM_GLOBAL_READ_IND: R2, VEC_PTR[R3 + 5]\n",
     "1:4: not for Cayman: R600: Cayman reads memory in TEX clauses" },
   { "3.4", "00 EMIT\n01 CUT\n02 EMIT_CUT\n03 NOP\n04 RET\n05 PUSH\n06 CALL_FS\n07 POP (2)\n",
     NULL },
   { "3.5.1",
     "; while the constant says so\n"
     "01 LOOP AL, i1 FAIL_JUMP_ADDR(4)\n"
     "02 ...\n"
     "03 ENDLLOOP i1 PASS_JUMP_ADDR(2)\n"
     "04 ...\n"
     "01 REP i1 FAIL_JUMP_ADDR(4)\n"
     "03 ENDREP i1 PASS_JUMP_ADDR(2)\n",
     "3:4: not for Cayman: an ellipsis stands for instructions" },
   { "3.5.1, opcodes",
     "00 LOOP_NO_AL i0 FAIL_JUMP_ADDR(8)\n"
     "01 LOOP_AL i1 FAIL_JUMP_ADDR(7)\n"
     "02 LOOP_DX10 i2 FAIL_JUMP_ADDR(6)\n"
     "03 ENDLLOOP i2 PASS_JUMP_ADDR(3)\n",
     NULL },
   { "3.5.2",
     "03 PUSH ; keeps the pixels\n"
     "04 ALU: ADDR(46) CNT(1)\n"
     "      0  w: PRED_SETE   ____,  R3.w  UPDATE_EXEC_MASK  UPDATE_PRED\n"
     "06 ... ; if\n"
     "07 ELSE ; the others\n"
     "08 ... ; else\n"
     "09 POP (1)\n",
     "4:4: not for Cayman: an ellipsis stands for instructions" },
   { "3.5.2, counts", "00 PUSH POP_CNT(1)\n01 ELSE POP_CNT(2)\n02 POP POP_CNT(3) ; POP (3)\n",
     NULL },
   { "3.5.3", "06 BREAK 9 ; leaves\n06 CONTINUE 8\n", "1:1: CF instruction 6 stands at 0" },
   { "3.5.3, a loop",
     "01 LOOP AL, i1 FAIL_JUMP_ADDR(10)\n"
     "02 ALU: ADDR(44) CNT(2)\n"
     "      1  w: SETGE       R3.w,  (0.300000012f).x,  R1.x\n"
     "03 PUSH\n"
     "04 ALU: ADDR(46) CNT(1)\n"
     "      2  w: PRED_SETE   _____,  R3.w  UPDATE_EXEC_MASK  UPDATE_PRED\n"
     "05 BREAK 9\n"
     "06 ELSE\n"
     "07 ALU: ADDR(47) CNT(4)\n"
     "      3  x: ADD         R1.x,  R2.x,  R1.x\n"
     "         y: ADD         R1.y,  R2.y,  R1.y\n"
     "         z: ADD         R1.z,  R2.z,  R1.z\n"
     "         w: ADD         R1.w,  R2.w,  R1.w\n"
     "08 POP (1)\n"
     "09 ENDLOOP i1 PASS_JUMP_ADDR(2)\n",
     "1:1: CF instruction 1 stands at 0" },
   { "3.5.4", "01 CALL 05 ; the subroutine\n02 ...\n" END "05 ...\n07 RET ; back\n",
     "2:4: not for Cayman: an ellipsis stands for instructions" },
   { "3.5.4, number", "00 CALL 3\n01 CALL 03\n02 CALL 003\n" END, NULL },
   { "3.5.5",
     "00 JUMP ADDR(4) CF_CONST(3)\n01 JUMP ADDR(4) CND(BOOL) b2\n02 JUMP ADDR(4) CND(NOT_BOOL) "
     "b3\n",
     NULL },
   { "4",
     "***** change (0xffff, float)\n"
     "00 ALU: ADDR(34) CNT(7)\n"
     "      0  x: MUL         R1.x,  R1.x,  (1.5f).x\n"
     "         y: MUL         R1.y,  R1.y,  (0.25f).y\n"
     "         z: MUL         R1.z,  R1.z,  (0.125f).z\n"
     "         w: MUL         R1.w,  R1.x,  (0.75f).w\n"
     "         t: RECIPSQRT_IEEEE R3.w,  R1.w\n",
     "7:10: not for Cayman: Cayman has no t unit: a group has slots x, y, z and w" },
   { "4.1",
     "      0  x: MUL         R1.x,  R1.x,  R2.x\n"
     "         y: MUL         R1.y,  R1.y,  R2.y\n"
     "         z: MUL         R1.z,  R1.z,  R2.z\n"
     "         w: MUL         R1.w,  R1.w,  R2.w\n"
     "      1  x: ADD         R1.x,  R1.x,  R2.x\n"
     "         w: ADD         R1.w,  R1.w,  R2.w\n",
     NO_CLAUSE },
   { "4.4",
     "      0  x: MUL*2       R1.x,  R1.x,  1.000000.x\n"
     "         y: MUL/2       R1.y,  R1.y,  1.000000.x\n",
     NO_CLAUSE },
   { "4.5",
     "      0  x: DOT4        _____,  R3.x,  R3.x\n"
     "         y: DOT4        _____,  R3.y,  R3.y\n"
     "         z: DOT4        _____,  R3.z,  R3.z\n"
     "         w: DOT4        R2.w,  0.0f,  0.0f\n",
     NO_CLAUSE },
   { "4.6, T and KC",
     "00 ALU: ADDR(1) CNT(2) KCACHE0(CB0:0-15) KCACHE1(CB1:0-15)\n"
     "      0  x: MUL         T0.x,  KC0[1].x,  KC1[2].x\n"
     "      1  x: ADD         R1.x,  T0.x,  PV0.x\n",
     NULL },
   { "4.6, c", "00 ALU:\n      0  x: MOV         R1.x,  C3.x\n",
     "2:32: not for Cayman: C registers, the constant file, ended with R700" },
   { "4.6, i", "00 ALU:\n      0  x: MOV         R1.x,  i3.x\n",
     "2:32: not for Cayman: i and b are constants of control flow" },
   { "4.6, b", "00 ALU:\n      0  x: MOV         R1.x,  b3\n",
     "2:32: not for Cayman: i and b are constants of control flow" },
   { "4.6, CBn", "00 ALU:\n      0  x: MOV         R1.x,  -CB0[3].x\n",
     "2:33: not for Cayman: buffers are read through the windows of a clause" },
   { "4.7",
     "      0  x: MUL         R1.x,  R1.x,  R3[A0.x].x\n"
     "         y: MUL         R1.y,  R1.y,  R4[A0.y].x\n",
     "2:42: not for Cayman: Cayman indexes with A0.x alone" },
   { "4.7, constants", "      0  x: MUL         R1.x,  R1.x,  C3[A0.w].x\n",
     "1:39: not for Cayman: C registers" },
   { "4.7, loop",
     "      0  x: MUL         R1.x,  R1.x,  R3[AL].x\n"
     "         y: MUL         R1.y,  R1.y,  R4[AL].x\n",
     NO_CLAUSE },
   { "4.7, global", "      0  x: MUL         R1.x,  R1.x,  R3[Ga0.x].x\n", NO_CLAUSE },
   { "4.8",
     "      0  x: MUL         R1.x,  |R1.x|,  R2.x ; magnitude\n"
     "         y: MUL         R1.y,  -|R1.y|,  R2.x\n",
     NO_CLAUSE },
   { "4.9",
     "      0  x: MUL         R1.x,  |R1.x|,  1.0f\n"
     "         y: MUL         R1.y,  -|R1.y|,  -|0.5f|\n"
     "         z: ADD_INT     R1.z,  R1.z,  1\n"
     "         w: MOV         R1.w,  (0x7F800000, 1.#INFf).y\n",
     NO_CLAUSE },
   { "4.10",
     "      2  x: ADD         R2.x,  R1.x,  C1.x\n"
     "         y: ADD         R2.y,  R1.y,  C1.y\n"
     "      3  x: MUL         R2.x,  R1.x,  C1.x\n"
     "      4  x: MUL         R2.x,  PV3.x,  C1.x ; of group 3\n"
     "         y: MUL         R2.y,  PV2.y,  C1.y\n"
     "         z: MUL         R2.z,  PS(2),  PS2\n",
     "1:39: not for Cayman: C registers" },
   { "4.11",
     "04 ALU: ADDR(67) CNT(3)\n"
     "     10  w: CNDGE       R2.w,  -R2.w,  0.0f,  1.0f\n"
     "     11  w: SETE        R5.w,  PV(10).w,  -PV(10).w\n"
     "     12  w: PRED_SETE   _____,  R5.w  UPDATE_EXEC_MASK  UPDATE_PRED\n",
     "1:1: CF instruction 4 stands at 0" },
   { "4.11, swizzles",
     "      0  x: MOV         R1.x,  R2.x VEC_012\n"
     "         y: MOV         R1.y,  R2.y  CLAMP  VEC_210\n"
     "         z: MOV         R1.z,  R2.z  SCL_210\n"
     "         w: MOV         R1.w,  R2.w FOG_MERGE\n",
     "3:38: not for Cayman: SCL bank swizzles are the t unit's, which Cayman has not" },
   { "5", "00 TEX: ADDR(214) CNT(1)\n      0  SAMPLE R2, R1.xyxx, t2, s1 NORM(XYZW)\n", NULL },
   { "5.1, other names",
     "00 TEX: ADDR(20) CNT(6)\n"
     "      0  GET_SAMPLE_INFO R1, t3, s0 UNNORM(XYZW)\n"
     "      1  GET_COMP_TEX_LOD R1, R2, t3, s1 UNNORM(XYZW)\n"
     "      2  RESINFO_TEX R1, R2, t3, s0 UNNORM(XYZW)\n"
     "      3  FETCH4 R1, R2, t3, s1 COMP(X) UNNORM(XYZW)\n"
     "      4  VTX_FETCH R1, R2.x, f3 FORMAT(0x22)\n"
     "      5  VSEMATIC SemId4, R2.x, f3 FORMAT(0x22)\n",
     NULL },
   { "5.1, PASS", "00 TEX:\n      0  PASS R1, R2, t3, s0 UNNORM(XYZW)\n",
     "2:10: not for Cayman: R700: coordinates as they are" },
   { "5.1, SET_CUBE_INDEX", "00 TEX:\n      0  SET_CUBE_INDEX R1, R2, t3, s0 UNNORM(XYZW)\n",
     "2:10: not for Cayman: R700: the face of a cube" },
   { "5.1, SAMPLE_C_G_LZ", "00 TEX:\n      0  SAMPLE_C_G_LZ R1, R2, t3, s0 UNNORM(XYZW)\n",
     "2:10: not for Cayman: R700: gradients beside a level" },
   { "5.6",
     "00 TEX: ADDR(20) CNT(1)\n"
     "      0  SAMPLE R1, R2, t3, s0 UNNORM(ZW) NORM(XY) XOFFSET(3.5) YOFFSET(-1.5) ZOFFSET(1) "
     "LOD(1.25) WHOLE_QUAD\n",
     NULL },
   { "5.6, BC_FRAC_MODE", "00 TEX:\n      0  SAMPLE R1, R2, t3, s0 BC_FRAC_MODE UNNORM(XYZW)\n",
     "2:32: not for Cayman: BC_FRAC_MODE ended with R700" },
   { "6",
     "00 CALL 3\n"
     "01 EXP_DONE: POS0, R1\n"
     "02 EXP_DONE: PARAM0, R2\n" END "03 VTX: ADDR(26) CNT(2)\n"
     "      0  VFETCH R1.xyz1, R1.x, f150 MEGAFETCH(11) FORMAT(0x39)\n"
     "      1  VFETCH R2, R1.x, f150 MEGAFETCH(3) OFFSET(0xC) FORMAT(0x6)\n"
     "04 RET\n",
     "5:4: not for Cayman: older parts: runs a clause of vertex fetches by way of the vertex "
     "cache; "
     "Cayman fetches vertices in TEX clauses" },
   { "6.3, 6.5",
     "00 TEX: ADDR(20) CNT(1)\n"
     "      0  VFETCH R1.xy01, R5[AL].x, f3 OFFSET(0xC) FORMAT(0x32) NUM_FORMAT_ALL(SCALED) "
     "FORMAT_COMP_ALL(SIGNED) OGL ENDIAN(8IN16) FETCHTYPE(INSTANCE_DATA) WHOLE_QUAD\n",
     NULL },
   { "6.4", "00 TEX:\n      0  VFETCH R1, R2.x FORMAT(0x22)\n",
     "2:26: not for Cayman: a fetch names its buffer" },
   { "6.5, bias", "00 TEX:\n      0  VFETCH R1, R2.x, f3 DX FORMAT_COMP_ALL(UNSIGNED_BIASED)\n",
     "2:33: not for Cayman: biased formats ended with R700" },
   { "7, 8, a compute shader",
     "ShaderType = 3\n"
     "TargetChip = w\n"
     ";SC Dep components\n"
     "NumClauseTemps = 4\n"
     "\n"
     "; ----- Disassembly -----\n"
     "00 ALU: ADDR(32) CNT(9) KCACHE0(CB0:0-15)\n"
     "      0  x: LSHL        R2.x,  R1.x,  (0x00000002, 2.802596929e-45f).x\n"
     "         w: MOV         T0.w,  |KC0[0].x|\n"
     "         t: I_TO_F      T0.y,  R1.x\n"
     "      1  z: MOV         T0.z,  |PS0|\n"
     "         w: MUL         _____,  PS0,  KC0[0].y\n"
     "         t: RCP_e       _____,  |KC0[0].x|\n"
     "      2  x: MULADD      T0.x,  -PV1.w,  T0.w,  T0.z\n"
     "         y: CNDGT       R123.y,  -T0.z,  PV1.z,  PS1\n"
     "01 TEX: ADDR(64) CNT(1)\n"
     "      3  SAMPLE R1, R1.xyxx, t1, s0 UNNORM(XYZW)\n"
     "02 MEM_EXPORT_WRITE_IND: DWORD_PTR[0+R2.x], R1, ELEM_SIZE(3) VPM\n" END "\n"
     "; ----- CS Data -----\n"
     "; Input Semantic Mappings\n"
     "\n"
     "GprPoolSize = 0\n"
     "CodeLen      = 528;Bytes\n"
     "PGM_END_CF   = 0; words(64 bit)\n"
     "; texResourceUsage[0] = 0x00000000\n"
     "ResourcesAffectAlphaOutput[3] = 0x00000000\n"
     ";SQ_PGM_RESOURCES = 0x30000002\n"
     "SQ_PGM_RESOURCES:NUM_GPRS = 2\n"
     "CsSetupMode = Fast\n"
     "IsMaxNumWavePerSIMD = No\n",
     "10:10: not for Cayman: Cayman has no t unit" },
   { "7, 8, options alone",
     "I2.x = 5\nC3.x = 1, r2 x\nIN R1 = Generic 0 V1 xyzw\ncbOutput<0>_enable = 1\nField = 1\n",
     "0:0: the text holds no instruction" },
};

static void
assembly_guide(void **state)
{
   (void)state;
   check_examples(guide, sizeof(guide) / sizeof(*guide));
}

/* --- the ISA guide ---------------------------------------------------------------------------- */

#define ALU(n) "00 ALU: ADDR(3) CNT(" #n ")\n"
#define EXP    "01 EXP_DONE: PIX0, R0\n" END

/* Examples of the ISA guide are no listings; these are what they say, with the verdict of the
 * validator, which is the guide's. */
static const struct {
   const char *place, *text;
   const char *broken; /* the rule that the guide's illegal example breaks */
} isa_examples[] = {
   { "Table 2.7",
     "00 LOOP_DX10 i0 FAIL_JUMP_ADDR(5)\n"
     "01 TEX: ADDR(8) CNT(1)\n"
     "      0  SAMPLE R1, R0.xyxx, t0, s0 NORM(XYZW)\n"
     "02 ALU: ADDR(10) CNT(6)\n"
     "      1  x: MUL         R1.x,  R1.x,  (0x40000000, 2.0f).x\n"
     "         y: MUL         R1.y,  R1.y,  (0x40400000, 3.0f).y\n"
     "         z: MUL         R1.z,  R1.z,  (0x40800000, 4.0f).z\n"
     "         w: MUL         R1.w,  R1.w,  (0x40A00000, 5.0f).w\n"
     "03 ENDLOOP i0 PASS_JUMP_ADDR(1)\n"
     "04 MEM_EXPORT_WRITE: DWORD_PTR[0], R1, ELEM_SIZE(3)\n"
     "05 EXP_DONE: PIX0, R1\n" END,
     NULL },
   { "4.7.7, an operand twice",
     ALU(2) "      0  x: MULADD      R0.x,  R1.x,  R2.x,  R1.x\n"
            "         y: MULADD      R0.y,  R1.y,  R2.y,  R1.y\n" EXP,
     NULL },
   { "4.7.7, squares",
     ALU(2) "      0  x: MUL         R0.x,  R1.x,  R1.x\n"
            "         y: MUL         R0.y,  R1.y,  R1.y  VEC_120\n" EXP,
     NULL },
   { "4.7.7, squares beside others",
     ALU(3) "      0  x: MUL         R0.x,  R1.x,  R1.x\n"
            "         y: MUL         R0.y,  R1.y,  R1.y  VEC_102\n"
            "         z: MUL         R0.z,  R2.y,  R2.x\n" EXP,
     NULL },
   { "4.7.7, two registers in a cycle",
     ALU(3) "      0  x: MUL         R0.x,  R1.x,  R2.x\n"
            "         y: MUL         R0.y,  R3.x,  R1.y\n"
            "         z: MUL         R0.z,  R2.x,  R1.y\n" EXP,
     "read port conflict" },
   { "4.7.7, in other cycles",
     ALU(3) "      0  x: MUL         R0.x,  R1.x,  R2.x\n"
            "         y: MUL         R0.y,  R3.x,  R1.y  VEC_201\n"
            "         z: MUL         R0.z,  R2.x,  R1.y  VEC_102\n" EXP,
     NULL },
   { "4.11, previous results",
     ALU(5) "      0  x: MOV         R1.x,  R0.x\n"
            "      1  x: MOV         R2.x,  R1.x\n"
            "      2  x: MOV         R2.x,  R0.x\n"
            "      3  x: MOV         R2.x,  R1.x  PRED_SEL(1)\n"
            "      4  x: MOV         R3.x,  R2.x\n" EXP,
     NULL },
   { "4.11, GPR index",
     ALU(6) "      0  x: MOVA_INT    A0.x,  R0.x\n"
            "      1  x: MOV         R1[A0.x].x,  R0.x\n"
            "      2  x: MOV         R2.x,  R1[A0.x].x\n"
            "      3  x: MOV         R2[A0.x].x,  R1.x  PRED_SEL(1)\n"
            "      4  x: MOV         R3.x,  R2[A0.x].x\n"
            "      5  x: MOV         R2.x,  R1.x\n" EXP,
     NULL },
   { "4.11, loop index",
     ALU(2) "      0  x: MOV         R1[AL].x,  R0.x\n"
            "      1  x: MOV         R2.x,  R1.x\n" EXP,
     NULL },
   { "7.3.2",
     ALU(4) "      0  x: INTERP_XY   R1.x,  R0.y,  Param3.x  VEC_210\n"
            "         y: INTERP_XY   R1.y,  R0.x,  Param3.x  VEC_210\n"
            "         z: INTERP_XY   ____,  R0.y,  Param3.x  GPR(1)  VEC_210\n"
            "         w: INTERP_XY   ____,  R0.x,  Param3.x  GPR(1)  VEC_210\n" EXP,
     NULL },
   { "7.4.1 to 7.4.4",
     ALU(6) "      0  x: LDS_READ_RET OFFSET(0),  R0.x\n"
            "      1  x: MOV         R1.x,  QA.pop\n"
            "      2  x: LDS_WRITE   OFFSET(0),  R0.x,  R1.x\n"
            "      3  x: LDS_ADD     OFFSET(0),  R0.x,  R1.x\n"
            "      4  x: LDS_ADD_RET OFFSET(0),  R0.x,  R1.x\n"
            "      5  x: MOV         R1.x,  QA.pop\n" EXP,
     NULL },
   { "7.4.5",
     ALU(5) "      0  x: MOV         R0.x,  R2.x\n"
            "      1  x: ADD_INT     R1.x,  R0.x,  R3.x\n"
            "      2  x: LDS_READ2_RET OFFSET(0),  R0.x,  R1.x\n"
            "      3  x: MOV         R2.x,  QA.pop\n"
            "         y: MOV         R2.y,  QB.pop\n" EXP,
     NULL },
   { "8.2, ADD_64",
     ALU(4) "      0  x: ADD_64      R4.x,  R0.y,  R1.y\n"
            "         y: ADD_64      R4.y,  R0.x,  R1.x\n"
            "         z: ADD_64      R4.z,  R2.w,  R3.w\n"
            "         w: ADD_64      R4.w,  R2.z,  R3.z\n" EXP,
     NULL },
   { "8.2, MUL_64",
     ALU(4) "      0  x: MUL_64      R4.x,  R0.y,  R1.y\n"
            "         y: MUL_64      R4.y,  R0.y,  R1.y\n"
            "         z: MUL_64      R4.z,  R0.y,  R1.y\n"
            "         w: MUL_64      R4.w,  R0.x,  R1.x\n" EXP,
     NULL },
   { "8.2, FRACT_64",
     ALU(4) "      0  x: FRACT_64    R4.x,  R0.y\n"
            "         y: FRACT_64    R4.y,  R0.x\n"
            "         z: FRACT_64    R4.z,  R1.w\n"
            "         w: FRACT_64    R4.w,  R1.z\n" EXP,
     NULL },
   { "8.2, FREXP_64",
     ALU(4) "      0  x: FREXP_64    R4.x,  R0.y\n"
            "         y: FREXP_64    R4.y,  R0.x\n"
            "         z: FREXP_64    R4.z,  R0.x\n"
            "         w: FREXP_64    R4.w,  R0.x\n" EXP,
     NULL },
   { "8.2, LDEXP_64",
     ALU(4) "      0  x: LDEXP_64    R4.x,  R0.y,  R1.x\n"
            "         y: LDEXP_64    R4.y,  R0.x,  R1.x\n"
            "         z: LDEXP_64    R4.z,  R2.w,  R3.z\n"
            "         w: LDEXP_64    R4.w,  R2.z,  R3.z\n" EXP,
     NULL },
   { "8.2, FLT32_TO_FLT64",
     ALU(4) "      0  x: FLT32_TO_FLT64 R4.x,  R0.x\n"
            "         y: FLT32_TO_FLT64 R4.y,  R0.x\n"
            "         z: FLT32_TO_FLT64 R4.z,  R1.z\n"
            "         w: FLT32_TO_FLT64 R4.w,  R1.z\n" EXP,
     NULL },
   { "8.2, FLT64_TO_FLT32",
     ALU(4) "      0  x: FLT64_TO_FLT32 R4.x,  R0.y\n"
            "         y: FLT64_TO_FLT32 R4.y,  R0.x\n"
            "         z: FLT64_TO_FLT32 R4.z,  R1.w\n"
            "         w: FLT64_TO_FLT32 R4.w,  R1.z\n" EXP,
     NULL },
   { "8.2, PRED_SETGE_64 in slots x and y",
     ALU(2) "      0  x: PRED_SETGE_64 R4.x,  R0.y,  R1.y  UPDATE_PRED\n"
            "         y: PRED_SETGE_64 R4.y,  R0.x,  R1.x  UPDATE_PRED\n" EXP,
     NULL },
   { "8.2, PRED_SETGT_64 in slots z and w",
     ALU(2) "      0  z: PRED_SETGT_64 R4.z,  R1.y,  R0.y  UPDATE_PRED\n"
            "         w: PRED_SETGT_64 R4.w,  R1.x,  R0.x  UPDATE_PRED\n" EXP,
     NULL },
   { "8.2, CUBE",
     ALU(4) "      0  x: CUBE        R1.x,  R0.z,  R0.y\n"
            "         y: CUBE        R1.y,  R0.z,  R0.x\n"
            "         z: CUBE        R1.z,  R0.x,  R0.z\n"
            "         w: CUBE        R1.w,  R0.y,  R0.z\n" EXP,
     NULL },
   { "8.2, DOT, two of two",
     ALU(4) "      0  x: DOT         R1.x,  R0.x,  R2.x\n"
            "         y: MUL         R1.y,  R0.y,  R2.y\n"
            "         z: DOT         R1.z,  R0.z,  R2.z\n"
            "         w: MUL         R1.w,  R0.w,  R2.w\n" EXP,
     NULL },
   { "8.2, DOT of three",
     ALU(3) "      0  y: DOT         R1.y,  R0.y,  R2.y\n"
            "         z: DOT         R1.z,  R0.z,  R2.z\n"
            "         w: MUL         R1.w,  R0.w,  R2.w\n" EXP,
     NULL },
   { "8.2, MUL_PREV",
     ALU(4) "      0  x: MUL_PREV    R1.x,  R0.x,  R2.x\n"
            "         y: MUL_PREV    R1.y,  R0.y,  R2.y\n"
            "         z: MUL         R1.z,  R0.z,  R2.z\n"
            "         w: MUL         R1.w,  R0.w,  R2.w\n" EXP,
     NULL },
   { "8.2, MULADD_PREV",
     ALU(2) "      0  y: MULADD_PREV R1.y,  R0.y,  R2.y\n"
            "         w: MUL         R1.w,  R0.w,  R2.w\n" EXP,
     NULL },
};

static void
isa_guide(void **state)
{
   (void)state;
   const struct cayman_limits limits = {
      .num_gprs = 16, .num_clause_temps = 4, .stack_entries = 4, .pixel_shader = true
   };
   unsigned wrong = 0;

   for (unsigned i = 0; i < sizeof(isa_examples) / sizeof(*isa_examples); i++) {
      const char *text = isa_examples[i].text, *broken = isa_examples[i].broken;
      struct isa_error error;
      size_t count;
      char message[200] = "legal";
      uint32_t *words = cayman_assemble(text, strlen(text), &count, &error);
      if (!words) {
         print_message("%s: %u:%u: %s\n", isa_examples[i].place, error.line, error.column,
                       error.text);
         wrong++;
         continue;
      }
      char *listing = cayman_listing_text(CAYMAN_VLIW4, words, count, NULL);
      if (strcmp(listing, text) != 0) {
         print_message("%s: disassembled as\n%s\n", isa_examples[i].place, listing);
         wrong++;
      }
      bool legal = cayman_validate(words, count, &limits, message, sizeof(message));
      if (legal != !broken || (broken && !strstr(message, broken))) {
         print_message("%s: '%s', not '%s'\n", isa_examples[i].place, message,
                       broken ? broken : "legal");
         wrong++;
      }
      free(listing);
      free(words);
   }
   assert_int_equal(wrong, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(assembly_guide),
      cmocka_unit_test(isa_guide),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
