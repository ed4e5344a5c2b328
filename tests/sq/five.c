/* SPDX-License-Identifier: MIT */
/*
 * Programs of five-slot chips leave what Cayman's leave that compute the same: every operation of
 * slot t, PS, groups of five that read each other's registers, predicates, and what Cayman spells
 * otherwise in control flow; of whole waves and of waves with lanes that do not run.  And what the
 * two do differently with the same words: gathers, append counters, comparisons in memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/cayman/isa.h"
#include "kernel.h"
#include "port/rat.h"
#include "port/state.h"
#include "reference.h"
#include "run_wave.h"

#define GPRS 8

static struct run_wave r;
static uint32_t constants[2][64];
static uint32_t counters[SQ_APPEND_COUNTERS], shared[16], target[8];
static wave_lane left[CAYMAN_VLIWS][GPRS][4]; /* what a program of each leaves */
static unsigned old_programs[CAYMAN_VLIWS];   /* of five slots that R700 and R600 ran, too */

static const struct isa *const isas[CAYMAN_VLIWS] = { &isa_cayman, &isa_evergreen, &isa_r700,
                                                      &isa_r600 };

static struct isa_binary
assemble(const struct isa *isa, const char *text)
{
   const struct isa_limits limits = { .num_gprs = GPRS, .stage = ISA_STAGE_VERTEX };
   struct isa_binary binary;
   struct isa_error error;

   if (!isa->assemble(text, strlen(text), &limits, &binary, &error))
      fail_msg("%s%u:%u: %s", text, error.line, error.column, error.text);
   return binary;
}

/* Numbers of all kinds: R0 and R1 floats that are near each other, R2 and R3 bits, others small. */
static void
fill(uint64_t seed)
{
   for (unsigned g = 0; g < GPRS; g++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
            uint32_t v = reference_random(&seed);
            r.gpr[g][c][lane] = g < 2   ? (v & 0x807fffff) | (120u + (v >> 23 & 15)) << 23
                                : g < 4 ? v
                                        : v >> 28;
         }
      }
   }
   for (unsigned n = 0; n < 64; n++) {
      constants[0][n] = reference_random(&seed);
      constants[1][n] = 0x3f800000 + n;
   }
}

static void
run(enum cayman_vliw vliw, const char *text, uint64_t active)
{
   struct isa_binary binary = assemble(isas[vliw], text);

   run_wave_init(&r, SQ_STAGE_VS);
   r.source.vliw = vliw;
   fill(7);
   r.wave.active = r.wave.valid = active;

   static struct rat rats[RATS];
   rats[0] = (struct rat){ .base = (uint8_t *)target,
                           .kind = RAT_KIND_BUFFER,
                           .bytes = 4,
                           .width = 8,
                           .height = 1,
                           .layers = 1 };
   r.bind.rats = rats;
   r.bind.append = counters;
   r.bind.gds = (uint8_t *)shared;
   r.bind.gds_bytes = sizeof(shared);
   memset(counters, 0, sizeof(counters));
   memset(shared, 0, sizeof(shared));
   for (unsigned n = 0; n < 2; n++) {
      r.kcache[n] = constants[n];
      r.kcache_bytes[n] = sizeof(constants[n]);
   }
   if (!run_wave(&r, binary.words, binary.num_dwords))
      fail_msg("%s%s", text, r.program && r.program->core.error ? r.program->core.error : "fault");
   memcpy(left[vliw], r.gpr, sizeof(left[vliw]));
   run_wave_free(&r);
   free(binary.words);
   free(binary.before);
   free(binary.after);
}

/* Of R700 and R600, as far as they have its operations in these slots: what Evergreen's leaves. */
static void
same_of_old(const char *five, uint64_t active)
{
   for (enum cayman_vliw vliw = CAYMAN_R700; vliw <= CAYMAN_R600; vliw++) {
      const struct isa_limits limits = { .num_gprs = GPRS, .stage = ISA_STAGE_VERTEX };
      struct isa_binary binary;
      struct isa_error error;

      if (!isas[vliw]->assemble(five, strlen(five), &limits, &binary, &error))
         continue;
      free(binary.words);
      free(binary.before);
      free(binary.after);
      run(vliw, five, active);
      if (memcmp(left[vliw], left[CAYMAN_VLIW5], sizeof(left[vliw])) != 0)
         fail_msg("%sof %s leaves something else", five, isas[vliw]->name);
      old_programs[vliw]++;
   }
}

static void
same(const char *four, const char *five)
{
   static const uint64_t masks[] = { ~UINT64_C(0), UINT64_C(0x123456789abcdef1) };

   for (unsigned m = 0; m < 2; m++) {
      run(CAYMAN_VLIW4, four, masks[m]);
      run(CAYMAN_VLIW5, five, masks[m]);
      same_of_old(five, masks[m]);
      for (unsigned g = 0; g < GPRS; g++) {
         for (unsigned c = 0; c < 4; c++) {
            for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
               if (left[0][g][c][lane] != left[1][g][c][lane]) {
                  fail_msg("%sleaves %08x in R%u.%c of lane %u,\n%sleaves %08x", four,
                           left[0][g][c][lane], g, "xyzw"[c], lane, five, left[1][g][c][lane]);
               }
            }
         }
      }
   }
}

#define CLAUSE "ALU: KCACHE0(CB0:0-15) KCACHE1(CB1:0-15)\n"
#define END    "EXP_DONE: POS0, R0\nEND_OF_PROGRAM\n"

/* The slots in which Cayman computes what slot t does. */
static const char *
replicated(const struct cayman_alu_info *info)
{
   return info->slots == CAYMAN_SLOTS_XYZ ? "xyz" : info->slots == CAYMAN_SLOTS_QUAD ? "xyzw" : "x";
}

static void
every_operation_of_t(void **state)
{
   (void)state;
   unsigned count = 0;

   for (unsigned op = 0; op < CAYMAN_ALU_OP_COUNT; op++) {
      const struct cayman_alu_info *five = cayman_alu_info_of(CAYMAN_VLIW5, op);
      const struct cayman_alu_info *four = cayman_alu_info(op);
      if (!five->name || five->slots != CAYMAN_SLOTS_T || !four->name ||
          four->src_type == CAYMAN_TYPE_F64)
         continue;
      for (unsigned gpr = 0; gpr < 4; gpr += 2) {
         char a[1000], b[400], sources[100];
         int n = snprintf(a, sizeof(a), "%s 0", CLAUSE);
         snprintf(sources, sizeof(sources), "%sR%u.x%s%s",
                  five->src_type == CAYMAN_TYPE_F32 && gpr ? "-" : "", gpr,
                  five->num_src > 1 ? ", KC0[1].y" : "", five->num_src > 2 ? ", R1.z" : "");
         for (const char *c = replicated(four); *c; c++)
            n += snprintf(a + n, sizeof(a) - (size_t)n, " %c: %s %s, %s\n", *c, four->name,
                          *c == 'x' ? "R5.x" : "____", sources);
         snprintf(a + n, sizeof(a) - (size_t)n, END);
         snprintf(b, sizeof(b), "%s 0 t: %s R5.x, %s%s\n%s", CLAUSE, five->name, sources,
                  five->num_src > 2 ? " SCL_221" : "", END);
         same(a, b);
         count++;
      }
   }
   assert_int_equal(count, 2 * 20);
}

#define THREE(op, dst, rest) \
   " x: " op " " dst ", " rest "\n y: " op " ____, " rest "\n z: " op " ____, " rest "\n"

/* Cayman's program, and one of five slots. */
static const struct {
   const char *four, *five;
} pairs[] = {
   /* PS: of a register that was written, of none, beside PV */
   { CLAUSE " 0" THREE("COS", "R5.x", "R0.x") " 1 x: ADD R6.x, PV0.x, R1.y\n" END,
     CLAUSE " 0 t: COS R5.x, R0.x\n 1 x: ADD R6.x, PS0, R1.y\n" END },
   { CLAUSE " 0" THREE("COS", "____", "R0.x") " 1 x: ADD R6.x, PV0.x, R1.y\n" END,
     CLAUSE " 0 t: COS ____, R0.x\n 1 x: ADD R6.x, PS0, R1.y\n" END },
   { CLAUSE " 0" THREE("COS", "____", "R0.x") " w: MUL R5.w, R0.w, R1.w\n"
                                              " 1 x: ADD R6.x, PV0.x, PV0.w\n" END,
     CLAUSE " 0 w: MUL R5.w, R0.w, R1.w\n t: COS ____, R0.x\n 1 x: ADD R6.x, PS0, PV0.w\n" END },
   /* PS for two groups on */
   { CLAUSE " 0" THREE("COS", "R5.x", "R0.x") " 1 x: MUL R6.x, PV0.x, R1.y\n"
                                              " 2" THREE("SIN", "R7.x",
                                                         "R6.x") " 3 y: ADD R5.y, R7.x, R6.x\n" END,
     CLAUSE " 0 t: COS R5.x, R0.x\n 1 x: MUL R6.x, PS0, R1.y\n 2 t: SIN R7.x, PV1.x\n"
            " 3 y: ADD R5.y, PS2, R6.x\n" END },
   /* five slots that read each other's registers */
   { CLAUSE " 0 x: MOV T0.x, R0.x\n 1 x: MOV R0.x, R0.y\n y: MOV R0.y, R0.z\n z: MOV R0.z, R0.w\n"
            " w: MOV R0.w, R1.x\n 2 x: MOV R1.x, T0.x\n" END,
     CLAUSE " 0 x: MOV R0.x, R0.y\n y: MOV R0.y, R0.z\n z: MOV R0.z, R0.w\n w: MOV R0.w, R1.x\n"
            " t: MOV R1.x, R0.x\n" END },
   /* t of an operation that any slot has */
   { CLAUSE " 0 x: ADD R5.x, R0.x, R1.x\n 1 x: MULADD R6.x, R0.x, R1.x, R0.y\n" END,
     CLAUSE " 0 x: ADD R5.x, R0.x, R1.x\n t: MULADD R6.x, R0.x, R1.x, R0.y\n" END },
   /* a reduction of four beside it */
   { CLAUSE " 0 x: DOT4 R5.x, R0.x, R1.x\n y: DOT4 ____, R0.y, R1.y\n z: DOT4 ____, R0.z, R1.z\n"
            " w: DOT4 ____, R0.w, R1.w\n 1" THREE("RECIP_IEEE", "R6.x",
                                                  "R0.x") " 2 x: ADD R7.x, R5.x, R6.x\n" END,
     CLAUSE
     " 0 x: DOT4 R5.x, R0.x, R1.x\n y: DOT4 ____, R0.y, R1.y\n z: DOT4 ____, R0.z, R1.z\n"
     " w: DOT4 ____, R0.w, R1.w\n t: RECIP_IEEE R6.x, R0.x\n 1 x: ADD R7.x, PV0.x, PS0\n" END },
   /* four literals, one of them twice */
   { CLAUSE " 0 x: ADD R5.x, R0.x, (1.5f).x\n y: ADD R5.y, R0.y, (2.5f).y\n"
            " z: ADD R5.z, R0.z, (3.5f).z\n w: ADD R5.w, R0.w, (4.5f).w\n"
            " 1 x: MUL R6.x, R0.x, (2.5f).x\n" END,
     CLAUSE " 0 x: ADD R5.x, R0.x, (1.5f).x\n y: ADD R5.y, R0.y, (2.5f).y\n"
            " z: ADD R5.z, R0.z, (3.5f).z\n w: ADD R5.w, R0.w, (4.5f).w\n"
            " t: MUL R6.x, R0.x, (2.5f).y\n" END },
   /* predicates: for t, and by t */
   { CLAUSE " 0 x: PRED_SETGT ____, R0.x, 0.0f UPDATE_PRED\n"
            " 1" THREE("RECIP_IEEE", "R5.x", "R0.y PRED_SEL(1)") " 2 x: MOV R6.x, R0.x\n" END,
     CLAUSE " 0 x: PRED_SETGT ____, R0.x, 0.0f UPDATE_PRED\n"
            " 1 t: RECIP_IEEE R5.x, R0.y PRED_SEL(1)\n 2 x: MOV R6.x, R0.x\n" END },
   { CLAUSE " 0 x: ADD R5.x, R0.x, R1.x\n 1 x: PRED_SETGT R6.x, R0.x, 0.0f UPDATE_PRED\n"
            " 2 y: MOV R5.y, R1.y PRED_SEL(0)\n" END,
     CLAUSE " 0 x: ADD R5.x, R0.x, R1.x\n t: PRED_SETGT R6.x, R0.x, 0.0f UPDATE_PRED\n"
            " 1 y: MOV R5.y, R1.y PRED_SEL(0)\n" END },
   /* indexed registers, read and written by t */
   { CLAUSE " 0 x: MOVA_INT A0.x, R4.x\n 1" THREE("RECIP_IEEE", "R2[A0.x].x",
                                                  "R0[A0.x].y") " 2 x: MOV R7.x, R0.x\n" END,
     CLAUSE " 0 x: MOVA_INT A0.x, R4.x\n 1 t: RECIP_IEEE R2[A0.x].x, R0[A0.x].y\n"
            " 2 x: MOV R7.x, R0.x\n" END },
   /* modifiers */
   { CLAUSE " 0" THREE("RECIPSQRT_IEEE*4", "R5.x", "-|R0.x| CLAMP") " 1 x: MOV R6.x, R5.x\n" END,
     CLAUSE " 0 t: RECIPSQRT_IEEE*4 R5.x, -|R0.x| CLAMP\n 1 x: MOV R6.x, PS0\n" END },
   /* lanes that leave a loop with a clause, and skip the rest of it */
   { "LOOP_DX10 i0 FAIL_JUMP_ADDR(4)\nALU:\n"
     " 0 x: PRED_SETGT_INT ____, R4.x, 0.0f UPDATE_EXEC_MASK_BREAK UPDATE_PRED\n"
     "ALU:\n 1 x: ADD_INT R4.x, R4.x, -1\n y: ADD_INT R5.y, R5.y, 1\n"
     "ENDLOOP i0 PASS_JUMP_ADDR(1)\n" END,
     "LOOP_DX10 i0 FAIL_JUMP_ADDR(4)\nALU_BREAK:\n"
     " 0 x: PRED_SETGT_INT ____, R4.x, 0.0f UPDATE_EXEC_MASK UPDATE_PRED\n"
     "ALU:\n 1 x: ADD_INT R4.x, R4.x, -1\n y: ADD_INT R5.y, R5.y, 1\n"
     "ENDLOOP i0 PASS_JUMP_ADDR(1)\n" END },
   { "LOOP_DX10 i0 FAIL_JUMP_ADDR(5)\nALU:\n 0 x: ADD_INT R4.x, R4.x, -1\n"
     " 1 x: PRED_SETGE_INT ____, R4.x, 0.0f UPDATE_EXEC_MASK_BREAK UPDATE_PRED\n"
     "ALU:\n 2 x: AND_INT T0.x, R4.x, 1\n"
     " 3 x: PRED_SETE_INT ____, T0.x, 0.0f UPDATE_EXEC_MASK_CONTINUE UPDATE_PRED\n"
     "ALU:\n 4 y: ADD_INT R5.y, R5.y, 1\n"
     "ENDLOOP i0 PASS_JUMP_ADDR(1)\n" END,
     "LOOP_DX10 i0 FAIL_JUMP_ADDR(5)\nALU_BREAK:\n 0 x: ADD_INT R4.x, R4.x, -1\n"
     " 1 x: PRED_SETGE_INT ____, R4.x, 0.0f UPDATE_EXEC_MASK UPDATE_PRED\n"
     "ALU_CONTINUE:\n 2 x: AND_INT T0.x, R4.x, 1\n"
     " 3 x: PRED_SETE_INT ____, T0.x, 0.0f UPDATE_EXEC_MASK UPDATE_PRED\n"
     "ALU:\n 4 y: ADD_INT R5.y, R5.y, 1\n"
     "ENDLOOP i0 PASS_JUMP_ADDR(1)\n" END },
   /* an index of constants by way of AR */
   { "ALU:\n 0 x: MOVA_INT CF_IDX0, 1\n 1 x: MOV R6.x, R0.x\n"
     "ALU: KCACHE0(CB0:0-15) KCACHE0_IDX0\n 2 x: MOV R5.x, KC0[3].x\n" END,
     "ALU:\n 0 x: MOVA_INT A0.x, 1\n 1 x: SET_CF_IDX0 ____\n t: MOV R6.x, R0.x\n"
     "ALU: KCACHE0(CB0:0-15) KCACHE0_IDX0\n 2 x: MOV R5.x, KC0[3].x\n" END },
   /* a subroutine after the end */
   { "CALL 03\n" END "ALU:\n 0" THREE("SIN", "R5.x", "R0.x") "RET\n",
     "CALL 02\n" END "ALU:\n 0 t: SIN R5.x, R0.x\nRET\n" },
   /* whole quads of a branch */
   { "PUSH_WQM ADDR(1)\nALU:\n 0 x: MOV R5.x, R0.x\nPOP_WQM POP_CNT(1) ADDR(3)\n" END,
     "PUSH ADDR(1) WHOLE_QUAD_MODE\nALU:\n 0 x: MOV R5.x, R0.x\n"
     "POP (1) ADDR(3) WHOLE_QUAD_MODE\n" END },
};

static void
programs(void **state)
{
   (void)state;
   for (unsigned i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
      same(pairs[i].four, pairs[i].five);
   /* All of these but one with CF_IDX0, and 19 operations of t, each with two masks or more. */
   print_message("R700 ran %u programs, R600 %u\n", old_programs[CAYMAN_R700],
                 old_programs[CAYMAN_R600]);
   assert_true(old_programs[CAYMAN_R700] > 80 && old_programs[CAYMAN_R600] > 80);
}

static void
recip_uint(void **state)
{
   (void)state;
   run(CAYMAN_VLIW5, CLAUSE " 0 t: RECIP_UINT R5.x, R2.x\n 1 t: RECIP_UINT R5.y, R4.x\n" END,
       ~UINT64_C(0));
   for (unsigned c = 0; c < 2; c++) {
      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         const uint32_t of = left[CAYMAN_VLIW5][c ? 4 : 2][0][lane];
         assert_int_equal(left[CAYMAN_VLIW5][5][c][lane],
                          of > 1 ? (uint32_t)(4294967296.0 / of) : UINT32_MAX);
      }
   }
}

/* An operation that returns nothing counts on the counter, or on GDS at its address. */
static void
counts(void **state)
{
   static const char text[] = "ALU:\n 0 x: MOV R1.x, 0.0f\n   y: MOV R1.y, (0x3).x\nGDS:\n"
                              " 1 GDS_ADD R2.____, R1.xyz ALLOC_CONSUME UAV(5)\n" END;

   (void)state;
   run(CAYMAN_VLIW4, text, 0xff);
   assert_int_equal(counters[5], 0);
   assert_int_equal(shared[0], 24);
   run(CAYMAN_VLIW5, text, 0xff);
   assert_int_equal(counters[5], 24);
   assert_int_equal(shared[0], 0);
}

/* Compares with z, or with w. */
static void
compares(void **state)
{
   static const char text[] = "ALU:\n 0 x: MOV R1.x, (0x4).x\n 1 y: MOV R1.y, 0.0f\n"
                              " 2 x: MOV R2.x, (0x77).x\n 3 z: MOV R2.z, (0x11).x\n"
                              " 4 w: MOV R2.w, (0x22).x\n"
                              "MEM_RAT_WRITE: RAT(0) CMPXCHG_INT, R1, R2\n" END;

   (void)state;
   for (enum cayman_vliw vliw = CAYMAN_VLIW4; vliw <= CAYMAN_VLIW5; vliw++) {
      for (uint32_t there = 0x11; there <= 0x22; there += 0x11) {
         target[4] = there;
         run(vliw, text, 1);
         assert_int_equal(target[4], (vliw == CAYMAN_VLIW4) == (there == 0x11) ? 0x77 : there);
      }
   }
}

/* x1y0, x0y1, x1y1, x0y0 of five slots; the last of Cayman is x0y0, too. */
static void
gathers(void **state)
{
   static const uint8_t texels[2][4] = { { 0, 1, 2, 3 }, { 2, 0, 1, 3 } };
   static const char *const ops[] = { "GATHER4", "GATHER4_C", "GATHER4_O", "GATHER4_C_O",
                                      "SAMPLE" };

   (void)state;
   for (unsigned n = 0; n < sizeof(ops) / sizeof(*ops); n++) {
      for (enum cayman_vliw vliw = CAYMAN_VLIW4; vliw <= CAYMAN_VLIW5; vliw++) {
         char text[200];

         snprintf(text, sizeof(text), "TEX:\n%s 1 %s R1.xyzw, R0, t18, s0\n" END,
                  strstr(ops[n], "_O") ? " 0 SET_TEXTURE_OFFSETS R1.____, R0, t18, s0\n" : "",
                  ops[n]);
         struct isa_binary b = assemble(vliw == CAYMAN_VLIW5 ? &isa_evergreen : &isa_cayman, text);
         run_wave_init(&r, SQ_STAGE_VS);
         r.source.vliw = vliw;
         r.source.words = b.words;
         r.source.num_words = b.num_dwords;
         struct sq_program *program = r.kernels->sq_lift(&r.source);
         assert_non_null(program);
         assert_null(program->core.error);
         assert_int_equal(program->num_tex, 1);
         for (unsigned c = 0; c < 4; c++)
            assert_int_equal(program->tex[0].lookup.swizzle[c],
                             SWIZZLE_X + texels[vliw == CAYMAN_VLIW5 && n < 4][c]);
         r.kernels->sq_program_free(program);
         run_wave_free(&r);
         free(b.words);
         free(b.before);
         free(b.after);
      }
   }
}

/* Before a pixel program of R700 its inputs are interpolated: two groups each, one of what is flat.
 * The barycentrics have registers beside the program's. */
static void
inputs(void **state)
{
   static const char text[] = "EXP_DONE: PIX0, R0\nEND_OF_PROGRAM\n";
   struct isa_binary b;
   struct isa_error error;

   (void)state;
   assert_true(isa_r700.assemble(text, strlen(text), NULL, &b, &error));
   for (unsigned gprs = 4; gprs <= 127; gprs += 123) {
      const struct sq_program_source source = {
         .vliw = CAYMAN_R700,
         .stage = SQ_STAGE_PS,
         .words = b.words,
         .num_words = b.num_dwords,
         .pgm_resources = gprs | 1u << 8,
         .inputs = { SOURCE_INPUT_FLAT | (SOURCE_INPUT_PAIR + CORE_PERSP_CENTER) << 4 |
                        (SOURCE_INPUT_PAIR + CORE_LINEAR_CENTER) << 8 |
                        (SOURCE_INPUT_PAIR + CORE_PERSP_SAMPLE) << 12,
                     0, 0, SOURCE_INPUT_FLAT << 28u },
      };
      struct sq_program *p = kernels_sse2.sq_lift(&source);

      assert_non_null(p);
      if (gprs == 4) {
         assert_null(p->core.error);
         assert_int_equal(p->alu_groups, 2 + 3 * 2);
         assert_int_equal(p->mrt_mask, 1);
      } else {
         assert_non_null(p->core.error);
         assert_non_null(strstr(p->core.error, "more than there are"));
      }
      kernels_sse2.sq_program_free(p);
   }
   /* The first colour may be that of all targets. */
   const struct sq_program_source all = {
      .vliw = CAYMAN_R700,
      .stage = SQ_STAGE_PS,
      .words = b.words,
      .num_words = b.num_dwords,
      .pgm_resources = 4 | 1u << 8,
      .pgm_resources_2 = SOURCE_ALL_TARGETS,
   };
   struct sq_program *p = kernels_sse2.sq_lift(&all);

   assert_non_null(p);
   assert_null(p->core.error);
   assert_int_equal(p->mrt_mask, 0xff);
   kernels_sse2.sq_program_free(p);
   free(b.words);
   free(b.before);
   free(b.after);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(inputs),   cmocka_unit_test(every_operation_of_t),
      cmocka_unit_test(programs), cmocka_unit_test(recip_uint),
      cmocka_unit_test(counts),   cmocka_unit_test(compares),
      cmocka_unit_test(gathers),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
