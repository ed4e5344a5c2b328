/* SPDX-License-Identifier: MIT */
/*
 * Machine code for ALU clauses against the interpreter: long random clauses over many registers
 * and all lane-wise operations, predicates and kills among them, give equal bits and leave the same
 * lanes, diverged and not; a host that refuses executable pages runs the same programs interpreted.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cmocka.h>

#include "reference.h"
#include "run_wave.h"

#define GPRS 24

static struct asm_program a;
static struct run_wave r;
static uint64_t seed;
static uint16_t ops[CAYMAN_ALU_OP_COUNT];
static unsigned num_ops;
static uint32_t kcache[2][32 * 4];

static unsigned
pick(unsigned n)
{
   return (reference_random(&seed) >> 7) % n;
}

static uint32_t
random_value(void)
{
   return pick(2) ? reference_random(&seed) : reference_operands[pick(reference_num_operands)];
}

/* Lane-wise operations without neighbours; what programs do most comes up most. */
static void
list_ops(void)
{
   static const uint16_t common[] = {
      CAYMAN_ALU_MOV,     CAYMAN_ALU_ADD,        CAYMAN_ALU_MUL_IEEE, CAYMAN_ALU_MULADD_IEEE,
      CAYMAN_ALU_MULADD,  CAYMAN_ALU_MUL,        CAYMAN_ALU_CNDE_INT, CAYMAN_ALU_CNDGE,
      CAYMAN_ALU_AND_INT, CAYMAN_ALU_SETGT_DX10, CAYMAN_ALU_MAX_DX10, CAYMAN_ALU_MIN_DX10,
      CAYMAN_ALU_FRACT,   CAYMAN_ALU_RECIP_IEEE, CAYMAN_ALU_MAX,      CAYMAN_ALU_MIN,
   };
   for (unsigned op = 0; op < CAYMAN_ALU_OP_COUNT; op++) {
      const struct cayman_alu_info *info = cayman_alu_info(op);
      uint32_t dummy;
      if (info->name && info->slots == CAYMAN_SLOTS_ANY && reference_op(op, 0, 0, 0, &dummy) &&
          !(info->flags & ~(unsigned)CAYMAN_ALU_FLAG_REDUCE))
         ops[num_ops++] = (uint16_t)op;
   }
   for (unsigned n = 0; n < sizeof(common) / sizeof(*common) && num_ops + 2 < CAYMAN_ALU_OP_COUNT;
        n++) {
      ops[num_ops++] = common[n];
      ops[num_ops++] = common[n];
   }
}

static struct cayman_alu_src
random_source(const bool pv[4], bool *literal)
{
   unsigned c = pick(4);
   switch (pick(8)) {
   case 0:
      *literal = true;
      return asm_sel(CAYMAN_SRC_LITERAL, c);
   case 1:
      return asm_sel(CAYMAN_SRC_KCACHE0 + pick(32), c);
   case 2:
      return asm_sel(CAYMAN_SRC_0 + pick(5), 0);
   case 3:
   case 4:
      if (pv[c])
         return asm_sel(CAYMAN_SRC_PV, c);
      /* fall through */
   default:
      return asm_gpr(pick(GPRS), c);
   }
}

static struct cayman_alu
random_slot(unsigned op, unsigned chan, const bool pv[4], bool *literal)
{
   const struct cayman_alu_info *info = cayman_alu_info(op);
   struct cayman_alu s = { .op = (uint16_t)op, .dst_chan = (uint8_t)chan };
   s.dst_gpr = (uint8_t)pick(GPRS);
   s.write_mask = info->op3 || pick(4);
   for (unsigned n = 0; n < info->num_src; n++) {
      s.src[n] = random_source(pv, literal);
      if (info->src_type == CAYMAN_TYPE_F32) {
         s.src[n].neg = pick(5) == 0;
         s.src[n].abs = !info->op3 && pick(7) == 0;
      }
   }
   if (info->dst_type == CAYMAN_TYPE_F32) {
      s.clamp = pick(8) == 0;
      s.omod = info->op3 ? 0 : pick(8) == 0 ? pick(4) : 0;
   }
   if (pick(24) == 0)
      s.pred_sel = pick(2) ? CAYMAN_PRED_SEL_ZERO : CAYMAN_PRED_SEL_ONE;
   return s;
}

/* A comparison that changes the predicate, who runs or who is covered. */
static struct cayman_alu
random_predicate(unsigned chan, const bool pv[4], bool *literal)
{
   unsigned op;
   do {
      op = pick(CAYMAN_ALU_OP_COUNT);
   } while (!cayman_alu_info(op)->name || cayman_alu_info(op)->slots != CAYMAN_SLOTS_ANY ||
            !(cayman_alu_info(op)->flags & (CAYMAN_ALU_FLAG_PRED | CAYMAN_ALU_FLAG_KILL)));
   struct cayman_alu s = random_slot(op, chan, pv, literal);
   s.write_mask = pick(2);
   s.omod = 0; /* what a failing lane becomes stands there */
   if (cayman_alu_info(op)->flags & CAYMAN_ALU_FLAG_PRED) {
      s.update_pred = pick(2);
      s.update_exec_mask = pick(3) == 0;
      s.execute_mask_op = CAYMAN_EXECUTE_MASK_DEACTIVATE;
   }
   return s;
}

static void
random_clause(unsigned count)
{
   bool pv[4] = { false };
   for (unsigned g = 0; g < count; g++) {
      struct cayman_alu_group group = { 0 };
      bool literal = false, now[4] = { false };
      if (pick(10) == 0) {
         unsigned op = pick(2) ? CAYMAN_ALU_DOT4 : CAYMAN_ALU_DOT4_IEEE;
         for (unsigned c = 0; c < 4; c++) {
            struct cayman_alu s = random_slot(op, c, pv, &literal);
            s.pred_sel = 0;
            s.clamp = c ? group.slot[0].clamp : s.clamp;
            s.omod = c ? group.slot[0].omod : s.omod;
            group.slot[group.num_slots++] = s;
         }
         now[0] = true;
      } else {
         unsigned channels = pick(2) ? 15 : 1 + pick(15), same = ops[pick(num_ops)];
         unsigned tests = pick(6) ? 4 : pick(4); /* the channel that has a predicate */
         bool equal = pick(2);
         for (unsigned c = 0; c < 4; c++) {
            if (!(channels >> c & 1))
               continue;
            unsigned op = equal ? same : ops[pick(num_ops)];
            struct cayman_alu s =
               c == tests ? random_predicate(c, pv, &literal) : random_slot(op, c, pv, &literal);
            now[c] = s.pred_sel == 0;
            group.slot[group.num_slots++] = s;
         }
      }
      if (literal) {
         unsigned last = 0;
         for (unsigned n = 0; n < group.num_slots; n++)
            cayman_alu_selects_literal(&group.slot[n], &last);
         group.num_literals = last >= 2 ? 4 : 2;
         for (unsigned n = 0; n < 4; n++)
            group.literal[n] = random_value();
      }
      memcpy(pv, now, sizeof(pv));
      asm_group(&a, &group);
   }
}

/* A program of one clause, run by each executor; true if machine code was made. */
static bool
compare_clause(unsigned n, const struct kernels *kernels)
{
   static uint32_t start[GPRS][4][64], want[GPRS][4][64];
   bool diverged = n & 1, made = false;
   uint64_t covered = 0;
   seed = n * 77ull + 5;
   asm_init(&a);
   if (diverged) {
      struct cayman_alu p =
         asm_op2(CAYMAN_ALU_PRED_SETNE_INT, 0, 0, asm_gpr(60, 0), asm_sel(CAYMAN_SRC_0, 0));
      p.write_mask = false;
      p.update_exec_mask = true;
      asm_one(&a, p);
      asm_alu_clause(&a, CAYMAN_CF_ALU_PUSH_BEFORE);
   }
   for (unsigned clauses = 0; clauses < 2; clauses++) {
      random_clause(2 + pick(20));
      asm_alu_clause(&a, CAYMAN_CF_ALU);
   }
   if (diverged)
      asm_branch(&a, CAYMAN_CF_POP, a.num_cfs + 1, 1);
   assert_true(asm_finish(&a));
   uint32_t *values = &start[0][0][0];
   for (unsigned v = 0; v < GPRS * 4 * 64; v++)
      values[v] = random_value();
   for (unsigned v = 0; v < 128; v++)
      kcache[0][v] = random_value();

   for (unsigned native = 0; native < 2; native++) {
      run_wave_init(&r, n & 2 ? SQ_STAGE_PS : SQ_STAGE_VS);
      r.kernels = kernels;
      r.source.pgm_resources = 64 | 32 << 8 | (n >> 2 & 1) << 21;
      /* Rounding and denormals, in all ways. */
      r.source.pgm_resources_2 = n >> 3 & 0xff;
      r.source.interpret = !native;
      r.kcache[0] = kcache[0];
      r.kcache_bytes[0] = sizeof(kcache[0]);
      for (unsigned g = 0; g < GPRS; g++)
         memcpy(r.gpr[g], start[g], sizeof(start[g]));
      for (unsigned lane = 0; lane < 64; lane++)
         r.gpr[60][0][lane] = (n * 0x9e3779b97f4a7c15ull >> lane & 1) || lane == 9;
      if (!run_wave(&r, a.words, a.num_words)) {
         cayman_disassemble(stdout, a.words, a.num_words);
         fail_msg("clause %u: %s", n, r.wave.fault);
      }
      if (native)
         made = r.program->code_bytes != 0;
      else
         assert_int_equal(r.program->code_bytes, 0);
      if (!native)
         covered = r.wave.valid;
      else if (covered != r.wave.valid)
         fail_msg("clause %u, %s: lanes %016llx are covered, not %016llx", n, kernels->name,
                  (unsigned long long)r.wave.valid, (unsigned long long)covered);
      for (unsigned g = 0; g < GPRS && !native; g++)
         memcpy(want[g], r.gpr[g], sizeof(want[g]));
      for (unsigned g = 0; g < GPRS && native; g++) {
         if (memcmp(want[g], r.gpr[g], sizeof(want[g])) == 0)
            continue;
         for (unsigned v = 0; v < 256; v++) {
            if (want[g][v / 64][v % 64] == r.gpr[g][v / 64][v % 64])
               continue;
            cayman_disassemble(stdout, a.words, a.num_words);
            fail_msg("clause %u, %s%s, lane %u: R%u.%c = %08x, not %08x", n, kernels->name,
                     diverged ? ", diverged" : "", v % 64, g, "xyzw"[v / 64],
                     r.gpr[g][v / 64][v % 64], want[g][v / 64][v % 64]);
         }
      }
      run_wave_free(&r);
   }
   return made;
}

static void
test_equal(void **state)
{
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds), made = 0;
   for (unsigned n = 0; n < 4000; n++)
      made += compare_clause(n, builds[n / 2 % num_builds]);
   /* All but SSE2's. */
   printf("%u of 4000 as machine code\n", made);
   if (num_builds > 1)
      assert_true(made >= 4000 / num_builds * (num_builds - 1) - 100);
}

/* Interpolation, of one primitive and of several, flat and not, with modifiers. */
static void
test_interpolation(void **state)
{
   static struct spi_coef coef[16][8][4];
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds);
   for (unsigned n = 0; n < 200; n++) {
      static uint32_t want[4][4][64];
      seed = n + 1000;
      asm_init(&a);
      for (unsigned half = 0; half < 2; half++) {
         struct cayman_alu s[4];
         unsigned param = CAYMAN_SRC_PARAM + pick(8);
         for (unsigned c = 0; c < 4; c++) {
            s[c] = asm_op2(half ? CAYMAN_ALU_INTERP_ZW : CAYMAN_ALU_INTERP_XY, 1, c,
                           asm_gpr(0, 1 - c % 2), asm_sel(param, 0));
            s[c].write_mask = half ? c >= 2 : c < 2;
            s[c].bank_swizzle = CAYMAN_VEC_210;
            s[c].clamp = n & 1;
         }
         asm_slots(&a, s, 4, NULL, 0);
      }
      struct cayman_alu flat[4];
      for (unsigned c = 0; c < 4; c++) {
         flat[c] =
            asm_op1(CAYMAN_ALU_INTERP_LOAD_P0 + n % 3, 2, c, asm_sel(CAYMAN_SRC_PARAM + c + 1, c));
      }
      asm_slots(&a, flat, 4, NULL, 0);
      for (unsigned c = 0; c < 4; c++)
         flat[c] = asm_op2(CAYMAN_ALU_ADD, 3, c, asm_gpr(1, c), asm_gpr(2, 3 - c));
      asm_slots(&a, flat, 4, NULL, 0);
      asm_alu_clause(&a, CAYMAN_CF_ALU);
      assert_true(asm_finish(&a));
      uint32_t ij[2][64];
      for (unsigned lane = 0; lane < 64; lane++)
         ij[0][lane] = random_value(), ij[1][lane] = random_value();
      uint32_t *words = (uint32_t *)coef;
      for (unsigned w = 0; w < sizeof(coef) / 4; w++)
         words[w] = random_value();

      for (unsigned native = 0; native < 2; native++) {
         run_wave_init(&r, SQ_STAGE_PS);
         r.kernels = builds[n % num_builds];
         r.source.interpret = !native;
         r.wave.one_primitive = n >> 2 & 1;
         for (unsigned q = 0; q < 16; q++)
            r.wave.coef[q] = coef[q];
         memcpy(r.gpr[0], ij, sizeof(ij));
         assert_true(run_wave(&r, a.words, a.num_words));
         if (!native)
            memcpy(want, r.gpr, sizeof(want));
         else if (memcmp(want, r.gpr, sizeof(want)) != 0)
            fail_msg("interpolation %u, %s", n, r.kernels->name);
         run_wave_free(&r);
      }
   }
}

/* mprotect(PROT_EXEC) fails. */
static bool
refuse_execution(void)
{
   struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
   };
   struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };
   return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
          prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void
test_refused(void **state)
{
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds);
   fflush(stdout);
   pid_t child = fork();
   assert_true(child >= 0);
   if (child == 0) {
      if (!refuse_execution())
         _exit(2);
      bool made = false;
      for (unsigned n = 0; n < 40; n++)
         made |= compare_clause(n, builds[num_builds - 1]);
      _exit(made ? 1 : 0);
   }
   int status = 0;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status));
   if (WEXITSTATUS(status) == 2)
      skip(); /* no seccomp here */
   assert_int_equal(WEXITSTATUS(status), 0);
}

int
main(void)
{
   list_ops();
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal),
      cmocka_unit_test(test_interpolation),
      cmocka_unit_test(test_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
