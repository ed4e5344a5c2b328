/* SPDX-License-Identifier: MIT */
/*
 * Machine code for ALU clauses against the interpreter: long random clauses over many registers
 * and all lane-wise operations, predicates and kills among them, give equal bits and leave the same
 * lanes, diverged and not, also where neighbours are one run; so do loops and branches that are one
 * function with the clauses around them, which take the same cycles and end at the same
 * instructions where their budget is used up; a host that refuses executable pages runs the same
 * programs interpreted.
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
#include "sq/program.h"

#define GPRS 24

static struct asm_program a;
static struct run_wave r;
static uint64_t seed;
static uint16_t ops[CAYMAN_ALU_OP_COUNT];
static unsigned num_ops;
static uint32_t kcache[2][32 * 4];
/* What a region takes (emulator/sq/regions.c): few operations; lanes that fail predicates become
 * exec_op, if that is not NO_OP. */
#define NO_OP 0xffu
static bool for_region;
static unsigned exec_op = NO_OP, num_tests;
static bool quiet;          /* nothing but registers is written, whatever the predicate */
static unsigned num_joined; /* clauses that are of one run with those before them */

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
      CAYMAN_ALU_FMA,
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
   if (!for_region && !quiet && pick(24) == 0)
      s.pred_sel = pick(2) ? CAYMAN_PRED_SEL_ZERO : CAYMAN_PRED_SEL_ONE;
   return s;
}

/* A comparison that changes the predicate, the execution mask or the coverage. */
static struct cayman_alu
random_predicate(unsigned chan, const bool pv[4], bool *literal)
{
   unsigned op;
   do {
      op = pick(CAYMAN_ALU_OP_COUNT);
   } while (!cayman_alu_info(op)->name || cayman_alu_info(op)->slots != CAYMAN_SLOTS_ANY ||
            !(cayman_alu_info(op)->flags & (CAYMAN_ALU_FLAG_PRED | CAYMAN_ALU_FLAG_KILL)) ||
            (for_region && (op < CAYMAN_ALU_PRED_SETE || op > CAYMAN_ALU_PRED_SETNE)));
   struct cayman_alu s = random_slot(op, chan, pv, literal);
   s.write_mask = pick(2);
   s.omod = 0; /* what a failing lane becomes stands there */
   if (cayman_alu_info(op)->flags & CAYMAN_ALU_FLAG_PRED) {
      s.update_pred = pick(2);
      s.update_exec_mask = pick(3) == 0;
      s.execute_mask_op = CAYMAN_EXECUTE_MASK_DEACTIVATE;
   }
   if (for_region) {
      s.update_exec_mask = exec_op != NO_OP && pick(2);
      s.execute_mask_op = (uint8_t)(exec_op & 3);
      num_tests += s.update_exec_mask;
   }
   return s;
}

static unsigned
random_op(void)
{
   /* The common ones stand at the end. */
   return for_region ? ops[num_ops - 1 - pick(32)] : ops[pick(num_ops)];
}

/* A function of one operand: some are many instructions of machine code. */
static void
random_function(void)
{
   static const uint16_t functions[] = {
      CAYMAN_ALU_EXP_IEEE, CAYMAN_ALU_LOG_IEEE,       CAYMAN_ALU_SIN,
      CAYMAN_ALU_COS,      CAYMAN_ALU_RECIPSQRT_IEEE, CAYMAN_ALU_SQRT_IEEE,
   };
   const bool no_pv[4] = { false };
   bool literal;
   struct cayman_alu s;

   do {
      literal = false;
      s = random_slot(functions[pick(sizeof(functions) / sizeof(*functions))], pick(3), no_pv,
                      &literal);
   } while (literal);
   s.pred_sel = 0;
   asm_one(&a, s);
}

static void
random_clause(unsigned count)
{
   bool pv[4] = { false };
   for (unsigned g = 0; g < count; g++) {
      if (pick(10) == 0) {
         random_function();
         memset(pv, 0, sizeof(pv));
         continue;
      }
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
         unsigned channels = pick(2) ? 15 : 1 + pick(15), same = random_op();
         unsigned tests = quiet || pick(6) ? 4 : pick(4); /* the channel that has a predicate */
         bool equal = pick(2);
         for (unsigned c = 0; c < 4; c++) {
            if (!(channels >> c & 1))
               continue;
            unsigned op = equal ? same : random_op();
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

/* What a wave leaves. */
struct left {
   uint32_t gpr[GPRS][4][64];
   uint64_t valid, cycles;
   bool ran;
   uint32_t fault_at;
};

static void
compare_left(unsigned n, const struct left *want, const struct left *got)
{
   const char *build = r.kernels->name;

   if (want->ran != got->ran || want->fault_at != got->fault_at || want->cycles != got->cycles ||
       want->valid != got->valid)
      fail_msg(
         "program %u, %s: %s at %u after %llu cycles, %016llx are covered, not %s at %u after "
         "%llu, %016llx",
         n, build, got->ran ? "ends" : "faults", got->fault_at, (unsigned long long)got->cycles,
         (unsigned long long)got->valid, want->ran ? "ends" : "faults", want->fault_at,
         (unsigned long long)want->cycles, (unsigned long long)want->valid);
   for (unsigned v = 0; got->ran && v < GPRS * 256; v++) {
      const unsigned g = v / 256, c = v / 64 % 4, lane = v % 64;
      if (want->gpr[g][c][lane] == got->gpr[g][c][lane])
         continue;
      cayman_disassemble(stdout, a.words, a.num_words);
      fail_msg("program %u, %s, lane %u: R%u.%c = %08x, not %08x", n, build, lane, g, "xyzw"[c],
               got -> gpr[g][c][lane], want -> gpr[g][c][lane]);
   }
}

/* The program in `a`, run by each executor, on values that n chooses; true if machine code was
 * made.  *regions: of how many regions. */
static bool
compare(unsigned n, const struct kernels *kernels, uint64_t budget, unsigned *regions)
{
   static uint32_t start[GPRS][4][64];
   static struct left left[2];
   bool made = false;

   assert_true(asm_finish(&a));
   uint32_t *values = &start[0][0][0];
   for (unsigned v = 0; v < GPRS * 4 * 64; v++)
      values[v] = random_value();
   for (unsigned v = 0; v < 128; v++)
      kcache[0][v] = random_value();
   const unsigned most = pick(4) ? 1 + pick(12) : 0;
   const uint64_t launched = pick(3) ? ~UINT64_C(0) : n * 0xc2b2ae3d27d4eb4full | 1;

   for (unsigned native = 0; native < 2; native++) {
      struct left *l = &left[native];
      run_wave_init(&r, n & 2 ? SQ_STAGE_PS : SQ_STAGE_VS);
      r.kernels = kernels;
      r.source.pgm_resources = 64 | 32 << 8 | (n >> 2 & 1) << 21;
      /* Rounding and denormals, in all ways. */
      r.source.pgm_resources_2 = n >> 3 & 0xff;
      r.source.interpret = !native;
      r.kcache[0] = kcache[0];
      r.kcache_bytes[0] = sizeof(kcache[0]);
      r.bind.core.budget = budget;
      r.bind.loop_consts[0] = 3;
      for (unsigned g = 0; g < GPRS; g++)
         memcpy(r.gpr[g], start[g], sizeof(start[g]));
      for (unsigned lane = 0; lane < 64; lane++) {
         r.gpr[63][0][lane] = most / 2;
         r.gpr[60][0][lane] = (n * 0x9e3779b97f4a7c15ull >> lane & 1) || lane == 9;
         r.gpr[61][0][lane] = most ? (lane * n >> 4) % most : n % 8;
      }
      if (regions)
         r.wave.active = r.wave.valid = launched;
      l->ran = run_wave(&r, a.words, a.num_words);
      if (!l->ran && !budget) {
         cayman_disassemble(stdout, a.words, a.num_words);
         fail_msg("program %u: %s", n, r.wave.fault);
      }
      if (native)
         made = r.program->code_bytes != 0;
      else
         assert_int_equal(r.program->code_bytes, 0);
      const struct program *p = (const struct program *)r.program;
      for (uint32_t k = 0; k < p->num_cfs && made; k++)
         num_joined += p->cfs[k].groups != 0 && p->cfs[k].plain.count == 0;
      for (uint32_t k = 0; k < p->num_cfs && regions; k++)
         *regions += p->cfs[k].region != 0;
      l->valid = r.wave.valid;
      l->cycles = r.wave.cycles;
      l->fault_at = r.wave.fault_place;
      for (unsigned g = 0; g < GPRS; g++)
         for (unsigned v = 0; v < 256; v++)
            l->gpr[g][v / 64][v % 64] =
               !regions || launched >> v % 64 & 1 ? r.gpr[g][v / 64][v % 64] : 0;
      if (native)
         compare_left(n, &left[0], l);
      run_wave_free(&r);
   }
   return made;
}

/* A program of two clauses, or three; true if machine code was made. */
static bool
compare_clauses(unsigned n, const struct kernels *kernels)
{
   seed = n * 77ull + 5;
   asm_init(&a);
   if (n & 1)
      asm_begin_diverged(&a, 60);
   quiet = pick(3) == 0;
   for (unsigned clauses = !quiet; clauses < 3; clauses++) {
      random_clause(2 + pick(20));
      asm_alu_clause(&a, CAYMAN_CF_ALU);
   }
   quiet = false;
   if (n & 1)
      asm_end_diverged(&a);
   return compare(n, kernels, 0, NULL);
}

/* Where an item of a region stands. */
struct where {
   unsigned depth; /* of branches */
   bool loop;
};

/* A clause of instruction `op`; true if lanes may break after it. */
static bool
region_clause(unsigned groups, unsigned op, const struct where *w)
{
   const unsigned before = num_tests, what = pick(6);

   exec_op = w->depth && what < 2 ? CAYMAN_EXECUTE_MASK_DEACTIVATE
             : !w->loop           ? NO_OP
             : what == 3          ? CAYMAN_EXECUTE_MASK_BREAK
             : what == 4          ? CAYMAN_EXECUTE_MASK_CONTINUE
                                  : NO_OP;
   const bool breaks = exec_op == CAYMAN_EXECUTE_MASK_BREAK;
   random_clause(groups);
   exec_op = NO_OP;
   asm_alu_clause(&a, op);
   return breaks && num_tests != before;
}

/* A predicate by which some lanes become what `op` says: R61.x and the count decide. */
static void
limit(unsigned count, unsigned op)
{
   struct cayman_alu p =
      asm_op2(CAYMAN_ALU_PRED_SETGE_INT, 0, 0, asm_gpr(61, 0), asm_gpr(count, 0));
   p.write_mask = false;
   p.update_exec_mask = true;
   p.execute_mask_op = (uint8_t)op;
   asm_one(&a,
           asm_op2(CAYMAN_ALU_ADD_INT, count, 0, asm_gpr(count, 0), asm_sel(CAYMAN_SRC_1_INT, 0)));
   if (pick(4) == 0)
      random_clause(1);
   asm_one(&a, p);
   if (pick(4) == 0)
      random_clause(1 + pick(3)); /* lanes that fail a predicate still do what follows it */
}

static void
random_branch(struct where w)
{
   limit(63, CAYMAN_EXECUTE_MASK_DEACTIVATE);
   asm_alu_clause(&a, CAYMAN_CF_ALU_PUSH_BEFORE);
   w.depth++;
   for (unsigned sides = 1 + pick(2); sides > 0; sides--) {
      for (unsigned k = pick(3); k > 0; k--)
         if (w.depth < 4 && pick(4) == 0)
            random_branch(w);
         else
            region_clause(1 + pick(4), CAYMAN_CF_ALU, &w);
      if (sides == 2)
         region_clause(1 + pick(12), CAYMAN_CF_ALU_ELSE_AFTER, &w);
      else if (pick(2))
         region_clause(1 + pick(12), CAYMAN_CF_ALU_POP_AFTER, &w);
      else
         asm_branch(&a, CAYMAN_CF_POP, a.num_cfs + 1, 1);
   }
}

/* Clauses, and branches if there may be some. */
static void
random_items(unsigned most, bool branches)
{
   const struct where w = { 0 };

   for (unsigned k = pick(most); k > 0; k--)
      if (branches && pick(3) == 0)
         random_branch(w);
      else
         region_clause(1 + pick(6), CAYMAN_CF_ALU, &w);
}

static void
random_loop(bool endless, bool branches)
{
   const struct where w = { .loop = true };
   unsigned jumps[8], num_jumps = 0, count_at = endless ? ~0u : pick(3);

   random_items(3, branches);
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 62, 0, asm_sel(CAYMAN_SRC_0, 0)));
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 63, 0, asm_sel(CAYMAN_SRC_0, 0)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   const unsigned start = asm_branch(&a, CAYMAN_CF_LOOP_START_DX10, 0, 0);
   for (unsigned k = 0; k < 3; k++) {
      bool breaks = true;
      if (k == count_at) {
         limit(62, CAYMAN_EXECUTE_MASK_BREAK);
         asm_alu_clause(&a, CAYMAN_CF_ALU);
      } else if (branches && pick(2)) {
         random_branch(w);
         breaks = false;
      } else {
         const struct where nowhere = { 0 };
         breaks = region_clause(1 + pick(pick(3) ? 4 : 20), CAYMAN_CF_ALU,
                                endless || pick(2) ? &nowhere : &w);
      }
      if (breaks && pick(2))
         jumps[num_jumps++] = asm_branch(&a, CAYMAN_CF_JUMP, 0, 0);
   }
   const unsigned end = asm_branch(&a, CAYMAN_CF_LOOP_END, start + 1, 0);
   a.cf[start].addr = end + 1;
   for (unsigned k = 0; k < num_jumps; k++)
      a.cf[jumps[k]].addr = end;
   random_items(3, branches);
}

/* Loops, by themselves, in a branch and in a counted loop, some beyond their budget; returns how
 * many regions became code. */
static unsigned
compare_loops(unsigned n, const struct kernels *kernels)
{
   unsigned regions = 0, outer = 0;
   bool diverged, endless, counted, branches;

   seed = n * 99ull + 3;
   diverged = pick(3) == 0, counted = pick(4) == 0, endless = pick(16) == 0, branches = pick(3);
   for_region = true;
   asm_init(&a);
   if (diverged)
      asm_begin_diverged(&a, 60);
   if (counted)
      outer = asm_branch(&a, CAYMAN_CF_LOOP_START_NO_AL, 0, 0);
   for (unsigned loops = 1 + pick(2); loops > 0; loops--)
      if (pick(5))
         random_loop(endless, branches);
      else
         random_items(6, true);
   if (counted)
      a.cf[outer].addr = asm_branch(&a, CAYMAN_CF_LOOP_END, outer + 1, 0) + 1;
   if (diverged)
      asm_end_diverged(&a);
   const uint64_t budget = endless ? 3000 + pick(1000) : pick(3) ? 100000 : 20 + pick(1500);
   compare(n, kernels, budget, &regions);
   for_region = false;
   return regions;
}

static void
test_equal(void **state)
{
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds), made = 0;
   for (unsigned n = 0; n < 4000; n++)
      made += compare_clauses(n, builds[n / 2 % num_builds]);
   /* All but SSE2's. */
   printf("%u of 4000 as machine code, %u clauses with those before them\n", made, num_joined);
   if (num_builds > 1) {
      assert_true(made >= 4000 / num_builds * (num_builds - 1) - 100);
      assert_true(num_joined > 500);
   }
}

static void
test_loops(void **state)
{
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds), regions = 0;
   for (unsigned n = 0; n < 6000; n++)
      regions += compare_loops(n, builds[n % num_builds]);
   printf("%u regions as machine code\n", regions);
   if (num_builds > 1)
      assert_true(regions > 2000);
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
         made |= compare_clauses(n, builds[num_builds - 1]);
      _exit(made ? 1 : 0);
   }
   int status = 0;
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status));
   if (WEXITSTATUS(status) == 2)
      skip(); /* no seccomp here */
   assert_int_equal(WEXITSTATUS(status), 0);
}

/* A straight program that exports registers between its clauses and after them. */
static void
random_exports(unsigned n)
{
   seed = n * 131ull + 7;
   for_region = true;
   exec_op = NO_OP;
   asm_init(&a);
   for (unsigned clauses = 0; clauses < 3; clauses++) {
      random_clause(2 + pick(12));
      asm_alu_clause(&a, CAYMAN_CF_ALU);
      if (clauses < 2 && pick(2))
         asm_export(&a, CAYMAN_EXPORT_PARAM, clauses, pick(GPRS));
   }
   for (unsigned k = 2; k < 6; k++)
      asm_export(&a, CAYMAN_EXPORT_PARAM, k, pick(GPRS));
   for_region = false;
   assert_true(asm_finish(&a));
}

/* What is exported does not depend on registers that are not read any more: machine code does not
 * store them if nothing looks at them after the program either. */
static void
test_forgotten(void **state)
{
   (void)state;
   static uint32_t want[6][4][64];
   const struct kernels *builds[3];
   const unsigned num_builds = run_wave_builds(builds);
   uint64_t bytes[2] = { 0, 0 };

   for (unsigned n = 0; n < 600; n++) {
      random_exports(n);
      for (unsigned v = 0; v < 128; v++)
         kcache[0][v] = random_value();
      for (unsigned way = 0; way < 1 + 2 * num_builds; way++) {
         const bool native = way > 0, forgets = way & 1;

         run_wave_init(&r, SQ_STAGE_VS);
         r.kernels = builds[native ? (way - 1) / 2 : 0];
         r.source.pgm_resources_2 = n >> 3 & 0xff;
         r.source.interpret = !native;
         r.source.forgets = native && forgets;
         r.kcache[0] = kcache[0];
         r.kcache_bytes[0] = sizeof(kcache[0]);
         for (unsigned v = 0; v < GPRS * 256; v++)
            r.gpr[v / 256][v / 64 % 4][v % 64] = v * 2654435761u ^ n * 40503u;
         assert_true(run_wave(&r, a.words, a.num_words));
         bytes[forgets] += r.program->code_bytes;
         for (unsigned p = 0; p < 6; p++) {
            if (!(r.outputs.param_written >> p & 1))
               continue;
            if (!native)
               memcpy(want[p], r.outputs.param[p], sizeof(want[p]));
            else if (memcmp(want[p], r.outputs.param[p], sizeof(want[p]))) {
               cayman_disassemble(stdout, a.words, a.num_words);
               fail_msg("program %u, %s: parameter %u differs", n, r.kernels->name, p);
            }
         }
         run_wave_free(&r);
      }
   }
   /* Where there is machine code, there is less of it. */
   assert_true(!bytes[0] || bytes[1] * 10 < bytes[0] * 9);
}

int
main(void)
{
   list_ops();
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal),         cmocka_unit_test(test_loops),
      cmocka_unit_test(test_interpolation), cmocka_unit_test(test_forgotten),
      cmocka_unit_test(test_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
