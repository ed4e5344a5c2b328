/* SPDX-License-Identifier: MIT */
/*
 * Control flow: generated programs of nested ifs and loops with breaks and continues, as machine
 * code and interpreted, against a scalar interpreter, lane by lane; calls, counted loops, kills,
 * stack limits, damaged words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reference.h"
#include "run_wave.h"
#include "sq/program.h"

static struct asm_program a;
static struct run_wave r;

/* ------------------------------------------------------------------------------------------------
 * Programs: R1.x is the value, R2.x scratch, R10+d.x the count and R20+d.x the limit of loop d.
 */
enum kind { MIX, IF, LOOP, LEAVE };

struct stmt {
   enum kind kind;
   uint32_t k0, k1;
   bool has_else, is_break;
   unsigned style;
   int body[6], other[4];
   unsigned num_body, num_other;
};

static struct stmt pool[400];
static unsigned used;
static uint64_t seed;

static unsigned
pick(unsigned n)
{
   return (reference_random(&seed) >> 7) % n;
}

static int
generate(unsigned depth, unsigned loops)
{
   if (used == 400)
      return -1;
   int n = (int)used++;
   struct stmt *s = &pool[n];
   memset(s, 0, sizeof(*s));
   s->k0 = reference_random(&seed);
   s->k1 = reference_random(&seed);
   s->style = pick(4);
   unsigned choice = pick(10);
   if (depth == 0 || choice < 3) {
      s->kind = MIX;
   } else if (choice < 7) {
      s->kind = IF;
      s->has_else = pick(2);
      s->k0 = 1u << pick(32) | 1u << pick(32);
   } else if (choice < 8 && loops < 3) {
      s->kind = LOOP;
      s->k0 = pick(29);
   } else if (loops) {
      s->kind = LEAVE;
      s->is_break = pick(2);
      s->k0 = 1u << pick(32) | 1u << pick(32) | 1u << pick(32);
   } else {
      s->kind = MIX;
   }
   if (s->kind == IF || s->kind == LOOP) {
      unsigned count = 1 + pick(s->kind == LOOP ? 5 : 3);
      for (unsigned b = 0; b < count; b++) {
         int c = generate(depth - 1, loops + (s->kind == LOOP));
         if (c >= 0)
            pool[n].body[pool[n].num_body++] = c;
      }
      for (unsigned b = 0; pool[n].has_else && b < 1 + count % 2; b++) {
         int c = generate(depth - 1, loops);
         if (c >= 0)
            pool[n].other[pool[n].num_other++] = c;
      }
   }
   return n;
}

/* ------------------------------------------------------------------------------------------------
 * The interpreter of one lane
 */
enum result { NEXT, BROKE, CONTINUED };

static enum result
interpret(const int *list, unsigned count, uint32_t *v)
{
   for (unsigned n = 0; n < count; n++) {
      const struct stmt *s = &pool[list[n]];
      enum result res = NEXT;
      switch (s->kind) {
      case MIX:
         *v = (*v ^ s->k0) + s->k1;
         break;
      case IF:
         if (*v & s->k0)
            res = interpret(s->body, s->num_body, v);
         else if (s->has_else)
            res = interpret(s->other, s->num_other, v);
         break;
      case LEAVE:
         if (*v & s->k0)
            res = s->is_break ? BROKE : CONTINUED;
         break;
      case LOOP: {
         uint32_t limit = *v >> s->k0 & 7;
         for (uint32_t count_now = 1; count_now <= limit; count_now++)
            if (interpret(s->body, s->num_body, v) == BROKE)
               break;
         break;
      }
      }
      if (res != NEXT)
         return res;
   }
   return NEXT;
}

/* ------------------------------------------------------------------------------------------------
 * The same as words
 */
static void
alu(unsigned op, unsigned dst, struct cayman_alu_src x, uint32_t value)
{
   struct cayman_alu s = asm_op2(op, dst, 0, x, asm_sel(CAYMAN_SRC_LITERAL, 0));
   asm_slots(&a, &s, 1, &value, 1);
}

/* Tests R1.x & mask; `leave` says what failing lanes become. */
static void
test_bits(uint32_t mask, bool inverted, unsigned mask_op)
{
   alu(CAYMAN_ALU_AND_INT, 2, asm_gpr(1, 0), mask);
   struct cayman_alu p = asm_op2(inverted ? CAYMAN_ALU_PRED_SETE_INT : CAYMAN_ALU_PRED_SETNE_INT, 0,
                                 0, asm_sel(CAYMAN_SRC_PV, 0), asm_sel(CAYMAN_SRC_0, 0));
   p.write_mask = false;
   p.update_exec_mask = true;
   p.update_pred = true;
   p.execute_mask_op = (uint8_t)mask_op;
   asm_one(&a, p);
}

static void
emit_mix_clause(unsigned op)
{
   alu(CAYMAN_ALU_XOR_INT, 1, asm_gpr(1, 0), 0);
   asm_alu_clause(&a, op);
}

struct loop {
   unsigned leaves[64], num_leaves;
};

static void
emit(const int *list, unsigned count, struct loop *loop, unsigned depth)
{
   for (unsigned n = 0; n < count; n++) {
      const struct stmt *s = &pool[list[n]];
      switch (s->kind) {
      case MIX:
         alu(CAYMAN_ALU_XOR_INT, 1, asm_gpr(1, 0), s->k0);
         alu(CAYMAN_ALU_ADD_INT, 1, asm_sel(CAYMAN_SRC_PV, 0), s->k1);
         asm_alu_clause(&a, CAYMAN_CF_ALU);
         break;
      case IF: {
         if (s->style & 1) {
            unsigned push = asm_branch(&a, CAYMAN_CF_PUSH, 0, 0);
            a.cf[push].addr = push + 1;
            test_bits(s->k0, false, CAYMAN_EXECUTE_MASK_DEACTIVATE);
            asm_alu_clause(&a, CAYMAN_CF_ALU);
         } else {
            test_bits(s->k0, false, CAYMAN_EXECUTE_MASK_DEACTIVATE);
            asm_alu_clause(&a, CAYMAN_CF_ALU_PUSH_BEFORE);
         }
         unsigned jump = asm_branch(&a, CAYMAN_CF_JUMP, 0, s->has_else ? 0 : 1), other = 0;
         emit(s->body, s->num_body, loop, depth);
         if (s->has_else) {
            other = asm_branch(&a, CAYMAN_CF_ELSE, 0, 1);
            a.cf[jump].addr = other;
            emit(s->other, s->num_other, loop, depth);
         }
         if (s->style & 2) {
            emit_mix_clause(CAYMAN_CF_ALU_POP_AFTER);
         } else {
            unsigned pop = asm_branch(&a, CAYMAN_CF_POP, 0, 1);
            a.cf[pop].addr = pop + 1;
         }
         a.cf[s->has_else ? other : jump].addr = a.num_cfs;
         break;
      }
      case LEAVE: {
         unsigned mask_op = s->is_break ? CAYMAN_EXECUTE_MASK_BREAK : CAYMAN_EXECUTE_MASK_CONTINUE;
         if (s->style == 0) {
            /* Without a branch: lanes that fail the opposite test leave. */
            test_bits(s->k0, true, mask_op);
            asm_alu_clause(&a, CAYMAN_CF_ALU);
            break;
         }
         test_bits(s->k0, false, CAYMAN_EXECUTE_MASK_DEACTIVATE);
         asm_alu_clause(&a, CAYMAN_CF_ALU_PUSH_BEFORE);
         unsigned jump = asm_branch(&a, CAYMAN_CF_JUMP, 0, 1);
         unsigned leave =
            asm_branch(&a, s->is_break ? CAYMAN_CF_LOOP_BREAK : CAYMAN_CF_LOOP_CONTINUE, 0, 0);
         if (loop->num_leaves < 64)
            loop->leaves[loop->num_leaves++] = leave;
         asm_branch(&a, CAYMAN_CF_POP, a.num_cfs + 1, 1);
         a.cf[jump].addr = a.num_cfs;
         break;
      }
      case LOOP: {
         alu(CAYMAN_ALU_LSHR_INT, 20 + depth, asm_gpr(1, 0), s->k0);
         alu(CAYMAN_ALU_AND_INT, 20 + depth, asm_gpr(20 + depth, 0), 7);
         struct cayman_alu zero = asm_op1(CAYMAN_ALU_MOV, 10 + depth, 0, asm_sel(CAYMAN_SRC_0, 0));
         asm_one(&a, zero);
         asm_alu_clause(&a, CAYMAN_CF_ALU);
         struct loop inner = { .num_leaves = 0 };
         unsigned start = asm_branch(&a, CAYMAN_CF_LOOP_START_DX10, 0, 0);
         alu(CAYMAN_ALU_ADD_INT, 10 + depth, asm_gpr(10 + depth, 0), 1);
         struct cayman_alu p = asm_op2(CAYMAN_ALU_PRED_SETGT_INT, 0, 0, asm_gpr(10 + depth, 0),
                                       asm_gpr(20 + depth, 0));
         p.write_mask = false;
         p.update_exec_mask = true;
         asm_one(&a, p);
         asm_alu_clause(&a, CAYMAN_CF_ALU_PUSH_BEFORE);
         unsigned jump = asm_branch(&a, CAYMAN_CF_JUMP, 0, 1);
         inner.leaves[inner.num_leaves++] = asm_branch(&a, CAYMAN_CF_LOOP_BREAK, 0, 0);
         asm_branch(&a, CAYMAN_CF_POP, a.num_cfs + 1, 1);
         a.cf[jump].addr = a.num_cfs;
         emit(s->body, s->num_body, &inner, depth + 1);
         unsigned end = asm_branch(&a, CAYMAN_CF_LOOP_END, start + 1, 0);
         a.cf[start].addr = end + 1;
         for (unsigned k = 0; k < inner.num_leaves; k++)
            a.cf[inner.leaves[k]].addr = end;
         break;
      }
      }
   }
}

static void
test_nested(void **state)
{
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds), loops = 0, ifs = 0;
   for (unsigned n = 0; n < 3000; n++) {
      seed = n * 77ull + 1;
      used = 0;
      int top[5];
      unsigned count = 0;
      for (unsigned k = 0; k < 5; k++) {
         top[count] = generate(5, 0);
         count += top[count] >= 0;
      }
      for (unsigned k = 0; k < used; k++) {
         loops += pool[k].kind == LOOP;
         ifs += pool[k].kind == IF;
      }
      asm_init(&a);
      emit(top, count, NULL, 0);
      asm_export(&a, CAYMAN_EXPORT_PARAM, 0, 1);
      if (!asm_finish(&a))
         continue; /* longer than the assembler's arrays */

      uint64_t lanes =
         n % 3 == 0 ? ~0ull : (uint64_t)reference_random(&seed) << 32 | n * 2654435761u;
      const struct kernels *k = builds[n % num_builds];
      wave_lane start;
      uint64_t cycles = 0;
      for (unsigned lane = 0; lane < 64; lane++)
         start[lane] = reference_random(&seed);
      for (unsigned native = 0; native < 2; native++) {
         run_wave_init(&r, SQ_STAGE_VS);
         r.kernels = k;
         r.source.interpret = !native;
         r.wave.active = r.wave.valid = lanes;
         memcpy(r.gpr[1][0], start, sizeof(start));
         if (!run_wave(&r, a.words, a.num_words))
            fail_msg("program %u: %s at CF %u", n, r.wave.fault, r.wave.fault_place);
         for (unsigned lane = 0; lane < 64; lane++) {
            if (!(lanes >> lane & 1))
               continue;
            uint32_t v = start[lane];
            interpret(top, count, &v);
            if (r.outputs.param[0][0][lane] != v)
               fail_msg("program %u, %s%s, lane %u: %08x, not %08x", n, k->name,
                        native ? "" : ", interpreted", lane, r.outputs.param[0][0][lane], v);
         }
         if (native && r.wave.cycles != cycles)
            fail_msg("program %u, %s: %llu cycles, not %llu", n, k->name,
                     (unsigned long long)r.wave.cycles, (unsigned long long)cycles);
         cycles = r.wave.cycles;
         run_wave_free(&r);
      }
   }
   printf("%u ifs, %u loops\n", ifs, loops);
   assert_true(loops > 1000 && ifs > 5000);
}

/* ---------------------------------------------------------------------------------------------- */

static bool
run(void)
{
   return asm_finish(&a) && run_wave(&r, a.words, a.num_words);
}

static void
test_counted_loop_and_call(void **state)
{
   asm_init(&a);
   struct cayman_cf start = { .op = CAYMAN_CF_LOOP_START, .cf_const = 3, .barrier = true };
   unsigned s = asm_cf(&a, &start);
   struct cayman_cf call = { .op = CAYMAN_CF_CALL, .count = 1, .barrier = true };
   unsigned c = asm_cf(&a, &call);
   unsigned e = asm_branch(&a, CAYMAN_CF_LOOP_END, s + 1, 0);
   a.cf[s].addr = e + 1;
   asm_export(&a, CAYMAN_EXPORT_PARAM, 0, 1);
   struct cayman_cf end = { .op = CAYMAN_CF_END, .barrier = true };
   asm_cf(&a, &end);
   a.cf[c].addr = a.num_cfs;
   struct cayman_alu add =
      asm_op2(CAYMAN_ALU_ADD_INT, 1, 0, asm_gpr(1, 0), asm_sel(CAYMAN_SRC_LOOP_IDX, 0));
   asm_one(&a, add);
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_branch(&a, CAYMAN_CF_RETURN, 0, 0);

   run_wave_init(&r, SQ_STAGE_VS);
   r.bind.loop_consts[3] = 5 | 10 << 12 | 3u << 24; /* 10, 13, 16, 19, 22 */
   assert_true(run());
   assert_int_equal(r.outputs.param[0][0][17], 80);
   run_wave_free(&r);
}

static void
test_kill(void **state)
{
   asm_init(&a);
   struct cayman_alu k =
      asm_op2(CAYMAN_ALU_KILLGT_INT, 0, 0, asm_gpr(1, 0), asm_sel(CAYMAN_SRC_LITERAL, 0));
   k.write_mask = false;
   uint32_t twenty = 20;
   asm_slots(&a, &k, 1, &twenty, 1);
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   /* Killed lanes still compute: they serve their quads' derivatives. */
   asm_one(&a, asm_op2(CAYMAN_ALU_ADD_INT, 2, 0, asm_gpr(1, 0), asm_sel(CAYMAN_SRC_1_INT, 0)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_export(&a, CAYMAN_EXPORT_PIXEL, 0, 2);

   run_wave_init(&r, SQ_STAGE_PS);
   for (unsigned lane = 0; lane < 64; lane++)
      r.gpr[1][0][lane] = lane;
   assert_true(run());
   assert_true(r.outputs.lanes == (1ull << 21) - 1);
   assert_true(r.wave.valid == (1ull << 21) - 1);
   assert_int_equal(r.gpr[2][0][63], 64);
   assert_true(r.program->core.uses_kill);
   assert_int_equal(r.program->mrt_mask, 1);
   run_wave_free(&r);

   /* Outside a pixel shader a kill does nothing. */
   asm_init(&a);
   asm_slots(&a, &k, 1, &twenty, 1);
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_export(&a, CAYMAN_EXPORT_PARAM, 0, 1);
   run_wave_init(&r, SQ_STAGE_VS);
   for (unsigned lane = 0; lane < 64; lane++)
      r.gpr[1][0][lane] = lane;
   assert_true(run());
   assert_true(r.wave.valid == ~0ull);
   run_wave_free(&r);
}

/* A pixel wave; its launcher reads colours before rows change.  A lane's R[n].c is 100n + 10c +
 * lane / 64. */
static void
start_colors(void)
{
   run_wave_init(&r, SQ_STAGE_PS);
   r.wave.keeps_rows = true;
   for (unsigned n = 1; n <= 3; n++)
      for (unsigned c = 0; c < 4; c++)
         for (unsigned lane = 0; lane < 64; lane++)
            r.gpr[n][c][lane] = 100 * n + 10 * c + (lane == 63);
}

/* Of colour 0, component by component, which register's it is. */
static void
check_colors(const unsigned from[4])
{
   for (unsigned c = 0; c < 4; c++) {
      assert_int_equal(core_color(&r.outputs, 0, c)[0], 100 * from[c] + 10 * c);
      assert_int_equal(core_color(&r.outputs, 0, c)[63], 100 * from[c] + 10 * c + 1);
   }
}

/* Colours stay in their registers where nothing changes these any more. */
static void
test_colors_left(void **state)
{
   asm_init(&a);
   asm_export(&a, CAYMAN_EXPORT_PIXEL, 0, 2);
   start_colors();
   assert_true(run());
   assert_ptr_equal(core_color(&r.outputs, 0, 1), r.gpr[2][1]);
   check_colors((const unsigned[4]){ 2, 2, 2, 2 });
   run_wave_free(&r);

   /* An instruction after the export writes one. */
   asm_init(&a);
   asm_export(&a, CAYMAN_EXPORT_PIXEL, 0, 2);
   asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 2, 1, asm_gpr(3, 0)));
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   start_colors();
   assert_true(run());
   assert_int_equal(r.gpr[2][1][0], 300);
   check_colors((const unsigned[4]){ 2, 2, 2, 2 });
   run_wave_free(&r);

   /* A second export of the same colour, of some components. */
   struct cayman_cf second = { .op = CAYMAN_CF_EXPORT_DONE,
                               .barrier = true,
                               .type = CAYMAN_EXPORT_PIXEL,
                               .rw_gpr = 3,
                               .sel = { 0, CAYMAN_SEL_MASK, 2, CAYMAN_SEL_MASK } };
   asm_init(&a);
   asm_export(&a, CAYMAN_EXPORT_PIXEL, 0, 2);
   asm_cf(&a, &second);
   start_colors();
   assert_true(run());
   check_colors((const unsigned[4]){ 3, 2, 3, 2 });
   run_wave_free(&r);

   /* A launcher that does not say so gets copies. */
   asm_init(&a);
   asm_export(&a, CAYMAN_EXPORT_PIXEL, 0, 2);
   start_colors();
   r.wave.keeps_rows = false;
   assert_true(run());
   assert_ptr_equal(core_color(&r.outputs, 0, 1), r.outputs.mrt[0][1]);
   check_colors((const unsigned[4]){ 2, 2, 2, 2 });
   run_wave_free(&r);
}

static void
test_faults(void **state)
{
   /* An endless loop ends at its budget, at a CF instruction. */
   asm_init(&a);
   unsigned s = asm_branch(&a, CAYMAN_CF_LOOP_START_DX10, 0, 0);
   unsigned e = asm_branch(&a, CAYMAN_CF_LOOP_END, s + 1, 0);
   a.cf[s].addr = e + 1;
   run_wave_init(&r, SQ_STAGE_VS);
   r.bind.core.budget = 1000;
   assert_false(run());
   assert_string_equal(r.wave.fault, "cycle budget exhausted");
   assert_int_equal(r.wave.fault_place, e);
   run_wave_free(&r);

   /* The stack is as large as the state says. */
   asm_init(&a);
   for (unsigned n = 0; n < 9; n++)
      asm_branch(&a, CAYMAN_CF_PUSH, n + 1, 0);
   run_wave_init(&r, SQ_STAGE_VS);
   r.source.pgm_resources = 64 | 2 << 8;
   assert_false(run());
   assert_string_equal(r.wave.fault, "stack overflow");
   run_wave_free(&r);

   asm_init(&a);
   asm_branch(&a, CAYMAN_CF_POP, 1, 1);
   run_wave_init(&r, SQ_STAGE_VS);
   assert_false(run());
   assert_string_equal(r.wave.fault, "stack underflow");
   run_wave_free(&r);

   /* What is not there yet says so. */
   asm_init(&a);
   struct cayman_cf halt = { .op = CAYMAN_CF_HALT, .barrier = true };
   asm_cf(&a, &halt);
   run_wave_init(&r, SQ_STAGE_PS);
   assert_false(run());
   assert_non_null(strstr(r.wave.fault, "HALT: nothing can wake the wave"));
   run_wave_free(&r);

   /* A wave that waits for others ends where nobody runs beside it. */
   struct cayman_cf wait = { .op = CAYMAN_CF_GLOBAL_WAVE_SYNC,
                             .gws_op = CAYMAN_GWS_SEMA_P,
                             .barrier = true };
   struct core_gws gws[CORE_GWS] = { { 1, 0, 0 } };
   asm_init(&a);
   asm_cf(&a, &wait);
   asm_cf(&a, &wait);
   run_wave_init(&r, SQ_STAGE_PS);
   r.bind.gws = gws;
   assert_false(run());
   assert_string_equal(r.wave.fault, "waits for a wave that does not run beside it");
   assert_int_equal(r.wave.fault_place, 1);
   assert_int_equal(gws[0].value, 0);
   run_wave_free(&r);
}

/* R2.x = entry + 1, and 0 past the end of the table. */
static void
test_jump_table(void **state)
{
   static const struct {
      unsigned select;
      int32_t index;
      uint32_t want;
   } cases[] = {
      { SQ_JUMPTABLE_INDEX_0, 0, 1 },
      { SQ_JUMPTABLE_INDEX_0, 2, 3 },
      { SQ_JUMPTABLE_INDEX_0, 3, 0 },
      { SQ_JUMPTABLE_INDEX_0, -1, 0 },
      { SQ_JUMPTABLE_INDEX_0, 255, 0 },
      { SQ_JUMPTABLE_INDEX_1, 7, 1 },
      { 0, 0, 3 },
      { 1, 0, 2 },
      { 2, 0, 1 },
      { 3, 0, 0 },
   };
   for (unsigned n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
      uint32_t index = (uint32_t)cases[n].index;
      asm_init(&a);
      struct cayman_alu mova = asm_op1(CAYMAN_ALU_MOVA_INT, 0, 0, asm_sel(CAYMAN_SRC_LITERAL, 0));
      mova.mova_dst = CAYMAN_MOVA_CF_IDX0;
      mova.write_mask = false;
      asm_slots(&a, &mova, 1, &index, 1);
      asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 2, 0, asm_sel(CAYMAN_SRC_0, 0)));
      asm_alu_clause(&a, CAYMAN_CF_ALU);
      struct cayman_cf table = { .op = CAYMAN_CF_JUMPTABLE,
                                 .addr = 5,
                                 .jumptable_sel = (uint8_t)cases[n].select };
      struct cayman_cf jump = { .op = CAYMAN_CF_JUMP, .cond = CAYMAN_COND_FALSE };
      asm_cf(&a, &table);
      for (unsigned k = 0; k < 3; k++) {
         jump.addr = 6 + 2 * k;
         asm_cf(&a, &jump);
      }
      jump.addr = 12;
      asm_cf(&a, &jump);
      for (uint32_t k = 1; k <= 3; k++) {
         struct cayman_alu set = asm_op1(CAYMAN_ALU_MOV, 2, 0, asm_sel(CAYMAN_SRC_LITERAL, 0));
         asm_slots(&a, &set, 1, &k, 1);
         asm_alu_clause(&a, CAYMAN_CF_ALU);
         asm_cf(&a, &jump);
      }
      asm_export(&a, CAYMAN_EXPORT_PARAM, 0, 2);
      run_wave_init(&r, SQ_STAGE_VS);
      r.bind.loop_consts[0] = 0x09000102;
      assert_true(run());
      for (unsigned lane = 0; lane < 64; lane++)
         assert_int_equal(r.outputs.param[0][0][lane], cases[n].want);
      run_wave_free(&r);
   }
}

/* Any words give a program or an error, and a run or a fault. */
static void
test_damage(void **state)
{
   static uint32_t words[256];
   unsigned ran = 0;
   for (unsigned n = 0; n < 20000; n++) {
      seed = n + 1000003;
      unsigned count;
      if (n & 1) {
         /* A sound program with a few bits flipped. */
         used = 0;
         int top[2] = { generate(3, 0), generate(3, 0) };
         asm_init(&a);
         emit(top, 2, NULL, 0);
         asm_export(&a, CAYMAN_EXPORT_PARAM, 0, 1);
         if (!asm_finish(&a) || a.num_words > 256)
            continue;
         count = (unsigned)a.num_words;
         memcpy(words, a.words, count * sizeof(*words));
         for (unsigned k = 0; k < 4; k++)
            words[pick(count)] ^= 1u << pick(32);
      } else {
         count = 2 + pick(254);
         for (unsigned k = 0; k < count; k++)
            words[k] = reference_random(&seed) & reference_random(&seed);
      }
      run_wave_init(&r, n % 3 ? SQ_STAGE_PS : SQ_STAGE_VS);
      r.bind.core.budget = 20000;
      /* Fetches would need a draw's binds. */
      r.source.words = words;
      r.source.num_words = count;
      struct sq_program *p = r.kernels->sq_lift(&r.source);
      assert_non_null(p);
      bool fetches = p->num_tex || p->num_vtx;
      r.kernels->sq_program_free(p);
      if (!fetches)
         ran += run_wave(&r, words, count);
      run_wave_free(&r);
   }
   printf("%u of 20000 ran\n", ran);
   assert_true(ran > 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nested),      cmocka_unit_test(test_counted_loop_and_call),
      cmocka_unit_test(test_kill),        cmocka_unit_test(test_faults),
      cmocka_unit_test(test_damage),      cmocka_unit_test(test_jump_table),
      cmocka_unit_test(test_colors_left),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
