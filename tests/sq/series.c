/* SPDX-License-Identifier: MIT */
/*
 * Lookups that the lifter has done at once (sq/series.c): which those are, and that random programs
 * leave the same whether they are.  A stand-in for the sampler makes every bit of both coordinates
 * count.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_wave.h"
#include "port/state.h"
#include "sq/program.h"

static struct asm_program a;
static struct run_wave r;
static struct td_tex_bind binds[256];
static unsigned at_once; /* lookups so done */

static uint32_t
looked_up(uint32_t x, uint32_t y, unsigned c)
{
   const uint32_t h = (x * 0x9e3779b1u ^ (y + c) * 0x85ebca6bu) >> 7;

   /* A float between 1 and 2. */
   return 0x3f800000u | (h & 0x7fffff);
}

static void
look_up(const struct td_tex_bind *bind, const struct td_tex_args *args)
{
   wave_lane x, y;

   memcpy(x, args->src[0], sizeof(x));
   memcpy(y, args->src[1], sizeof(y));
   for (unsigned c = 0; c < 4; c++)
      for (unsigned lane = 0; lane < 64 && args->dst[c]; lane++)
         if (args->lanes >> lane & 1)
            args->dst[c][lane] = looked_up(x[lane], y[lane], c);
}

/* All coordinates are read before any result is written. */
static void
look_up_series(const struct td_tex_bind *bind, const struct td_tex_series *s, uint8_t *registers,
               uint64_t lanes)
{
   static wave_lane coord[2][TD_SERIES_MAX];
   const uint8_t *sel = r.program->tex[bind - binds].lookup.swizzle;

   for (unsigned axis = 0; axis < 2; axis++)
      for (unsigned n = 0; n < s->num_coords[axis]; n++)
         memcpy(coord[axis][n], registers + s->coord[axis][n], sizeof(wave_lane));
   for (unsigned i = 0; i < s->count; i++) {
      const uint32_t *x = coord[0][s->lookup[i].coord[0]], *y = coord[1][s->lookup[i].coord[1]];
      wave_lane *to = (wave_lane *)(void *)(registers + s->lookup[i].to);

      for (unsigned c = 0; c < 4; c++)
         for (unsigned lane = 0; lane < 64 && sel[c] != SWIZZLE_NONE; lane++)
            if (lanes >> lane & 1)
               to[c][lane] = looked_up(x[lane], y[lane], c);
   }
   at_once += s->count;
}

static void
choose(bool series)
{
   for (unsigned n = 0; n < 256; n++) {
      binds[n].run = look_up;
      binds[n].run_series = series ? look_up_series : NULL;
   }
}

/* ------------------------------------------------------------------------------------------------
 * What is found
 */
static struct cayman_fetch
sample(unsigned to, unsigned from, unsigned x, unsigned y)
{
   return (struct cayman_fetch){ .kind = CAYMAN_FETCH_TEX,
                                 .tex = { .op = CAYMAN_TEX_SAMPLE,
                                          .coord_type = 15,
                                          .src_gpr = (uint8_t)from,
                                          .dst_gpr = (uint8_t)to,
                                          .src_sel = { (uint8_t)x, (uint8_t)y, 4, 4 },
                                          .dst_sel = { 0, 1, 2, 7 } } };
}

static void
fetch(struct cayman_fetch f)
{
   asm_fetch(&a, &f);
}

static void
end_fetches(void)
{
   struct cayman_cf tc = { .op = CAYMAN_CF_TC, .barrier = true };

   asm_clause(&a, &tc);
}

/* Ends the program with R1 for its colour, and runs it. */
static const struct program *
run_pixels(void)
{
   asm_export(&a, CAYMAN_EXPORT_PIXEL, 0, 1);
   assert_true(asm_finish(&a));
   run_wave_init(&r, SQ_STAGE_PS);
   r.bind.tex = binds;
   choose(true);
   assert_true(run_wave(&r, a.words, a.num_words));
   return (const struct program *)r.program;
}

/* The program's only series, of so many lookups and coordinates; 0: it has none. */
static void
check_series(unsigned count, unsigned xs, unsigned ys)
{
   const struct program *p = run_pixels();

   assert_int_equal(p->num_series, count != 0);
   if (count) {
      assert_int_equal(p->series[0].count, count);
      assert_int_equal(p->series[0].num_coords[0], xs);
      assert_int_equal(p->series[0].num_coords[1], ys);
   }
   run_wave_free(&r);
}

/* A lookup by a reserved selector writes nothing: what it would have written is cleared. */
static void
reserved_selectors(void **state)
{
   for (unsigned sel = 6; sel < 8; sel++) {
      struct cayman_fetch f = sample(7, 1, 0, 1);

      asm_init(&a);
      f.tex.dst_sel[0] = (uint8_t)sel;
      fetch(f);
      end_fetches();
      asm_one(&a, asm_op2(CAYMAN_ALU_ADD_INT, 1, 0, asm_gpr(7, 0), asm_sel(CAYMAN_SRC_1_INT, 0)));
      asm_alu_clause(&a, CAYMAN_CF_ALU);

      const struct program *p = run_pixels();
      bool cleared = false;

      for (uint32_t n = 0; n < p->num_clear; n++)
         cleared |= p->clear[n] == REG(7, 0);
      assert_true(cleared);
      run_wave_free(&r);
   }
}

static void
neighbours(void **state)
{
   asm_init(&a);
   fetch(sample(5, 1, 0, 1));
   fetch(sample(6, 1, 2, 1));
   fetch(sample(1, 1, 2, 3));
   end_fetches();
   check_series(3, 2, 2);
}

/* A result that is a coordinate of a later lookup, and what is not of the same kind. */
static void
ends_of_series(void **state)
{
   asm_init(&a);
   fetch(sample(5, 1, 0, 1));
   fetch(sample(2, 1, 2, 1));
   fetch(sample(6, 2, 3, 2));
   end_fetches();
   check_series(2, 2, 1);
   /* w is masked. */
   asm_init(&a);
   fetch(sample(2, 1, 0, 1));
   fetch(sample(6, 2, 3, 3));
   end_fetches();
   check_series(2, 2, 2);

   for (unsigned which = 0; which < 9; which++) {
      struct cayman_fetch f = sample(6, 1, 0, 1);

      asm_init(&a);
      fetch(sample(5, 1, 0, 1));
      f.tex.resource_id = which == 1;
      f.tex.sampler_id = which == 2;
      f.tex.dst_sel[3] = which == 3 ? 3 : 7;
      f.tex.src_sel[1] = which == 4 ? 5 : 1;
      f.tex.fetch_whole_quad = which == 5;
      f.tex.offset[0] = which == 6 ? 2 : 0;
      f.tex.op = which == 7 ? CAYMAN_TEX_SAMPLE_C : CAYMAN_TEX_SAMPLE;
      f.tex.src_rel = which == 8;
      fetch(f);
      end_fetches();
      check_series(which ? 0 : 2, 1, 1);
   }
}

/* Copies, and equal operations on equal values, are one coordinate, but not in a program where
 * lanes diverge. */
static void
equal_values(void **state)
{
   const uint32_t step = 0x3c000000u;
   const struct cayman_alu_src literal = asm_sel(CAYMAN_SRC_LITERAL, 0);

   for (unsigned parts = 0; parts < 2; parts++) {
      asm_init(&a);
      struct cayman_alu s[4] = {
         asm_op2(CAYMAN_ALU_ADD, 2, 0, asm_gpr(1, 0), literal),
         asm_op1(CAYMAN_ALU_MOV, 2, 1, asm_gpr(1, 1)),
         asm_op2(CAYMAN_ALU_ADD, 2, 2, asm_gpr(1, 0), literal),
         asm_op2(CAYMAN_ALU_MUL_IEEE, 2, 3, asm_gpr(1, 0), literal),
      };
      asm_slots(&a, s, 4, &step, 1);
      asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 3, 0, asm_gpr(2, 0)));
      asm_one(&a, asm_op1(CAYMAN_ALU_MOV, 3, 1, asm_gpr(2, 1)));
      asm_alu_clause(&a, CAYMAN_CF_ALU);
      if (parts) {
         struct cayman_cf nothing = { .op = CAYMAN_CF_REACTIVATE, .barrier = true };
         asm_cf(&a, &nothing);
      }
      fetch(sample(5, 1, 0, 1));
      fetch(sample(6, 2, 0, 1));
      fetch(sample(7, 3, 0, 1));
      fetch(sample(8, 2, 2, 1));
      fetch(sample(9, 2, 3, 1));
      end_fetches();
      check_series(5, parts ? 5 : 3, parts ? 3 : 1);
   }
}

/* ------------------------------------------------------------------------------------------------
 * Random programs
 */
#define GPRS 4u

static uint32_t
random_word(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

static struct cayman_alu_src
random_source(uint32_t *seed)
{
   if (random_word(seed) % 3 == 0)
      return asm_sel(CAYMAN_SRC_LITERAL, random_word(seed) & 1);
   return asm_gpr(random_word(seed) % GPRS, random_word(seed) & 3);
}

static void
random_alu_clause(uint32_t *seed, unsigned op)
{
   static const uint16_t ops[] = { CAYMAN_ALU_MOV,     CAYMAN_ALU_MOV,      CAYMAN_ALU_ADD,
                                   CAYMAN_ALU_ADD,     CAYMAN_ALU_MUL_IEEE, CAYMAN_ALU_MAX_DX10,
                                   CAYMAN_ALU_ADD_INT, CAYMAN_ALU_DOT4,     CAYMAN_ALU_PRED_SETGT };
   static const uint32_t literals[2] = { 0x3f800000u, 0x3e99999au };
   const unsigned groups = 1 + random_word(seed) % 6;

   for (unsigned n = 0; n < groups; n++) {
      struct cayman_alu slots[4];
      unsigned kind = ops[random_word(seed) % (op == CAYMAN_CF_ALU ? 9 : 7)], count = 0;
      /* Often the same operation on the same operands, but for what is added to it. */
      const struct cayman_alu_src first = random_source(seed), second = random_source(seed);
      const unsigned alike = random_word(seed) % 3;
      const bool predicated = random_word(seed) % 3 == 0;
      bool literal = false;

      for (unsigned c = 0; c < 4; c++) {
         if (kind != CAYMAN_ALU_DOT4 && (random_word(seed) & 1))
            continue;
         struct cayman_alu s =
            asm_op2(kind, random_word(seed) % GPRS, c, alike ? first : random_source(seed),
                    alike == 2 ? second : random_source(seed));
         if (kind == CAYMAN_ALU_MOV)
            s.src[1] = (struct cayman_alu_src){ 0 };
         if (kind != CAYMAN_ALU_ADD_INT && kind != CAYMAN_ALU_PRED_SETGT) {
            s.src[0].neg = random_word(seed) % 8 == 0;
            s.clamp = kind != CAYMAN_ALU_DOT4 && random_word(seed) % 8 == 0;
         }
         s.update_pred = kind == CAYMAN_ALU_PRED_SETGT;
         s.pred_sel = predicated && (random_word(seed) & 1) && !s.update_pred
                         ? CAYMAN_PRED_SEL_ZERO + (random_word(seed) & 1)
                         : CAYMAN_PRED_SEL_OFF;
         if (kind == CAYMAN_ALU_DOT4 && c)
            s.dst_gpr = slots[0].dst_gpr;
         literal |= s.src[0].sel == CAYMAN_SRC_LITERAL || s.src[1].sel == CAYMAN_SRC_LITERAL;
         slots[count++] = s;
         if (s.update_pred)
            break;
      }
      if (count)
         asm_slots(&a, slots, count, literals, literal ? 2 : 0);
      else
         asm_one(&a, asm_op1(CAYMAN_ALU_MOV, random_word(seed) % GPRS, 0, asm_gpr(0, 0)));
   }
   asm_alu_clause(&a, op);
}

static void
random_fetches(uint32_t *seed)
{
   const unsigned count = 1 + random_word(seed) % 16;

   for (unsigned n = 0; n < count; n++) {
      struct cayman_fetch f = sample(random_word(seed) % (2 * GPRS), random_word(seed) % GPRS,
                                     random_word(seed) & 3, random_word(seed) & 3);

      f.tex.resource_id = random_word(seed) % 12 == 0;
      f.tex.dst_sel[random_word(seed) & 3] = random_word(seed) % 6 ? 7 : 0;
      f.tex.fetch_whole_quad = random_word(seed) % 16 == 0;
      if (random_word(seed) % 16 == 0)
         f.tex.op = CAYMAN_TEX_GET_GRADIENTS_H;
      fetch(f);
   }
   end_fetches();
}

static void
random_program(uint32_t *seed)
{
   const bool flow = random_word(seed) % 3 == 0;
   const unsigned clauses = 2 + random_word(seed) % 5;

   asm_init(&a);
   for (unsigned n = 0; n < clauses; n++) {
      const bool push = flow && random_word(seed) % 2;

      if (push) {
         struct cayman_alu p =
            asm_op2(CAYMAN_ALU_PRED_SETGT, 0, 0, random_source(seed), asm_gpr(1, 2));
         const uint32_t literals[2] = { 0x3f800000u, 0x3e99999au };
         p.write_mask = false;
         p.update_pred = p.update_exec_mask = true;
         asm_slots(&a, &p, 1, literals, p.src[0].sel == CAYMAN_SRC_LITERAL ? 2 : 0);
         asm_alu_clause(&a, CAYMAN_CF_ALU_PUSH_BEFORE);
      }
      if (random_word(seed) & 3)
         random_alu_clause(seed, flow ? CAYMAN_CF_ALU_POP_AFTER : CAYMAN_CF_ALU);
      random_fetches(seed);
   }
   asm_export(&a, CAYMAN_EXPORT_PIXEL, 0, 1);
}

static void
random_registers(uint32_t seed)
{
   for (unsigned n = 0; n < 2 * GPRS; n++)
      for (unsigned c = 0; c < 4; c++)
         for (unsigned lane = 0; lane < 64; lane++)
            r.gpr[n][c][lane] = 0x3e000000u + (random_word(&seed) << 8) % 0x02000000u;
}

/* Whether registers have the same in the quads that have lanes: others nobody reads. */
static bool
same_quads(wave_lane (*a)[4], wave_lane (*b)[4], uint64_t lanes)
{
   for (unsigned n = 0; n < CORE_WAVE_ROWS / 4; n++)
      for (unsigned c = 0; c < 4; c++)
         for (unsigned l = 0; l < 64; l++)
            if (a[n][c][l] != b[n][c][l] && lanes >> (l & ~3u) & 15)
               return false;
   return true;
}

static void
random_programs(void **state)
{
   static wave_lane singly[CORE_WAVE_ROWS / 4][4];
   const struct kernels *builds[3];
   const unsigned num_builds = run_wave_builds(builds);
   uint32_t seed = 1;
   unsigned ran = 0;

   at_once = 0;
   for (unsigned round = 0; round < 3000; round++) {
      random_program(&seed);
      assert_true(asm_finish(&a));
      const uint64_t lanes = round % 3 ? ~UINT64_C(0) : random_word(&seed) * UINT64_C(0x1000100011);
      for (unsigned b = 0; b < num_builds; b++) {
         bool ok[2];

         for (unsigned series = 0; series < 2; series++) {
            run_wave_init(&r, SQ_STAGE_PS);
            r.kernels = builds[b];
            r.source.interpret = round & 1;
            r.wave.active = r.wave.valid = lanes | 1;
            r.bind.tex = binds;
            random_registers(round);
            choose(series);
            ok[series] = run_wave(&r, a.words, a.num_words);
            if (series && !same_quads(singly, r.gpr, lanes | 1))
               fail_msg("round %u, %s: lookups at once leave something else", round,
                        builds[b]->name);
            memcpy(singly, r.gpr, sizeof(singly));
            run_wave_free(&r);
         }
         assert_int_equal(ok[0], ok[1]);
         ran += ok[0];
      }
   }
   printf("%u waves ran, %u lookups at once\n", ran, at_once);
   assert_true(ran > 3000 * num_builds / 2);
   /* A wave that is stepped makes its lookups one by one. */
   assert_true(getenv("ATOLL_STEP") ? at_once == 0 : at_once > 10000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(reserved_selectors), cmocka_unit_test(neighbours),
      cmocka_unit_test(ends_of_series),     cmocka_unit_test(equal_values),
      cmocka_unit_test(random_programs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
