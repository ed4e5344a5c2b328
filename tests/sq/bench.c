/* SPDX-License-Identifier: MIT */
/*
 * Time per VLIW group over a wave of 64 lanes, in every kernel build, as machine code and
 * interpreted: ns, best of several runs.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "run_wave.h"

static struct asm_program a;
static struct run_wave r;

static double
now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void
group(unsigned op, unsigned shape, unsigned n)
{
   const struct cayman_alu_info *info = cayman_alu_info(op);
   struct cayman_alu s[4];
   unsigned base = 1 + n % 5;
   for (unsigned c = 0; c < 4; c++) {
      struct cayman_alu_src x = asm_gpr(base, c), y = asm_gpr(base + 1, 3 - c);
      struct cayman_alu_src z = asm_gpr(base + 2, c);
      if (shape == 1) { /* a row of a matrix */
         x = asm_sel(CAYMAN_SRC_KCACHE0 + n % 32, c);
         y = asm_gpr(base + 1, n % 4);
         if (n)
            z = asm_sel(CAYMAN_SRC_PV, c);
      }
      if (shape == 2)
         z.neg = true;
      s[c] = info->num_src > 2   ? asm_op3(op, base + 3, c, x, y, z)
             : info->num_src > 1 ? asm_op2(op, base + 3, c, x, y)
                                 : asm_op1(op, base + 3, c, x);
      if (shape == 3)
         s[c].clamp = true;
      if (shape == 4)
         s[c].op = (uint16_t[]){ CAYMAN_ALU_MUL_IEEE, CAYMAN_ALU_ADD, CAYMAN_ALU_MULADD_IEEE,
                                 CAYMAN_ALU_MOV }[c];
   }
   if (info->slots == CAYMAN_SLOTS_XYZ) {
      for (unsigned c = 0; c < 3; c++) {
         s[c].src[0] = asm_gpr(base, 0);
         s[c].write_mask = c == n % 3;
      }
      asm_slots(&a, s, 3, NULL, 0);
      return;
   }
   if (info->slots == CAYMAN_SLOTS_QUAD && op != CAYMAN_ALU_DOT4_IEEE) {
      for (unsigned c = 0; c < 4; c++) {
         s[c].src[0] = asm_gpr(base, 1 - c % 2);
         if (op == CAYMAN_ALU_INTERP_XY || op == CAYMAN_ALU_INTERP_ZW) {
            s[c].src[1] = asm_sel(CAYMAN_SRC_PARAM + n % 8, 0);
            s[c].write_mask = op == CAYMAN_ALU_INTERP_XY ? c < 2 : c >= 2;
         } else {
            s[c].src[1] = asm_gpr(base + 1, 0);
            s[c].write_mask = c == 0;
         }
      }
   }
   asm_slots(&a, s, 4, NULL, 0);
}

static void
measure(const char *name, unsigned op, unsigned shape, bool diverged)
{
   static uint32_t constants[32 * 4];
   const unsigned count = 24, rounds = 2000;
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds);
   printf("%-34s", name);
   for (unsigned k = num_builds * 2; k-- > 0;) {
      double best = 1e30;
      if (k == 0)
         continue; /* SSE2 has no machine code */
      {
         asm_init(&a);
         asm_begin_diverged(&a, 60);
         for (unsigned n = 0; n < count; n++)
            group(op, shape, n);
         asm_alu_clause(&a, CAYMAN_CF_ALU);
         asm_end_diverged(&a);
         if (!asm_finish(&a)) {
            printf(" does not assemble\n");
            return;
         }
         run_wave_init(&r, SQ_STAGE_PS);
         r.kernels = builds[k / 2];
         r.source.interpret = !(k & 1) || k == 1;
         r.kcache[0] = constants;
         r.kcache_bytes[0] = sizeof(constants);
         for (unsigned n = 0; n < 128; n++)
            memcpy(&constants[n], &(float){ 0.5f + n / 256.0f }, 4);
         for (unsigned lane = 0; lane < 64; lane++) {
            r.gpr[60][0][lane] = !diverged || lane != 5;
            for (unsigned g = 0; g < 12; g++)
               for (unsigned c = 0; c < 4; c++)
                  memcpy(&r.gpr[g][c][lane], &(float){ 0.25f + lane / 200.0f }, 4);
         }
         if (!run_wave(&r, a.words, a.num_words)) {
            printf(" %s\n", r.wave.fault);
            return;
         }
         static uint32_t consts[256];
         for (uint32_t n = 0; n < r.program->num_consts; n++)
            consts[n] = constants[r.program->consts[n].dword % 128];
         r.bind.consts = consts;
         for (unsigned t = 0; t < 9; t++) {
            double start = now();
            for (unsigned n = 0; n < rounds; n++)
               core_run(&r.wave);
            double each = (now() - start) / rounds;
            best = each < best ? each : best;
         }
      }
      run_wave_free(&r);
      printf("  %s%s %6.2f", builds[k / 2]->name, k & 1 && k > 1 ? " native" : "", best / count);
   }
   printf("\n");
   fflush(stdout);
}

int
main(void)
{
   measure("4 MULADD_IEEE", CAYMAN_ALU_MULADD_IEEE, 0, false);
   measure("4 MULADD_IEEE, matrix row", CAYMAN_ALU_MULADD_IEEE, 1, false);
   measure("4 MULADD_IEEE, negated", CAYMAN_ALU_MULADD_IEEE, 2, false);
   measure("4 MULADD_IEEE, clamped", CAYMAN_ALU_MULADD_IEEE, 3, false);
   measure("4 MULADD_IEEE, diverged", CAYMAN_ALU_MULADD_IEEE, 0, true);
   measure("4 MULADD", CAYMAN_ALU_MULADD, 0, false);
   measure("4 MUL_IEEE", CAYMAN_ALU_MUL_IEEE, 0, false);
   measure("4 ADD", CAYMAN_ALU_ADD, 0, false);
   measure("4 MAX_DX10", CAYMAN_ALU_MAX_DX10, 0, false);
   measure("4 MOV", CAYMAN_ALU_MOV, 0, false);
   measure("MUL ADD MULADD MOV", CAYMAN_ALU_MULADD_IEEE, 4, false);
   measure("DOT4_IEEE", CAYMAN_ALU_DOT4_IEEE, 0, false);
   measure("INTERP_XY", CAYMAN_ALU_INTERP_XY, 0, false);
   measure("4 SETGT_DX10", CAYMAN_ALU_SETGT_DX10, 0, false);
   measure("4 CNDE_INT", CAYMAN_ALU_CNDE_INT, 0, false);
   measure("4 AND_INT", CAYMAN_ALU_AND_INT, 0, false);
   measure("RECIP_IEEE", CAYMAN_ALU_RECIP_IEEE, 0, false);
   measure("RECIPSQRT_IEEE", CAYMAN_ALU_RECIPSQRT_IEEE, 0, false);
   measure("EXP_IEEE", CAYMAN_ALU_EXP_IEEE, 0, false);
   measure("LOG_IEEE", CAYMAN_ALU_LOG_IEEE, 0, false);
   measure("SIN", CAYMAN_ALU_SIN, 0, false);
   return 0;
}
