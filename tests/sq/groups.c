/* SPDX-License-Identifier: MIT */
/*
 * VLIW groups: generated clauses against a scalar model of a group (all sources read before any
 * result is written; PV; literals; constants; indexed registers; predicates; reductions), in
 * every kernel build, diverged and not.  Interpolation, doubles and exports have cases of their
 * own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <math.h>

#include <cmocka.h>

#include "reference.h"
#include "run_wave.h"

static struct asm_program a;
static struct run_wave r;
static uint64_t seed;

static unsigned
pick(unsigned n)
{
   return (reference_random(&seed) >> 7) % n;
}

static const uint16_t ops[] = {
   CAYMAN_ALU_ADD,        CAYMAN_ALU_MUL,     CAYMAN_ALU_MUL_IEEE,    CAYMAN_ALU_MAX_DX10,
   CAYMAN_ALU_MIN_DX10,   CAYMAN_ALU_MOV,     CAYMAN_ALU_ADD_INT,     CAYMAN_ALU_SUB_INT,
   CAYMAN_ALU_AND_INT,    CAYMAN_ALU_XOR_INT, CAYMAN_ALU_MULADD_IEEE, CAYMAN_ALU_MULADD,
   CAYMAN_ALU_CNDE_INT,   CAYMAN_ALU_CNDGE,   CAYMAN_ALU_BFI_INT,     CAYMAN_ALU_SETGT_DX10,
   CAYMAN_ALU_SETGE,      CAYMAN_ALU_FLOOR,   CAYMAN_ALU_INT_TO_FLT,  CAYMAN_ALU_SQRT_IEEE,
   CAYMAN_ALU_RECIP_IEEE, CAYMAN_ALU_FRACT,   CAYMAN_ALU_MULLO_INT,   CAYMAN_ALU_SETNE_DX10,
};
#define NUM_GPRS   8
#define MAX_GROUPS 24

struct model {
   uint32_t gpr[NUM_GPRS][4];
   uint32_t pv[4];
   bool pv_valid[4];
   int32_t ar;
   bool pred;
};

static struct cayman_alu_group groups[MAX_GROUPS];
static uint32_t kcache[2][32 * 4];
static bool ar_loaded;

static struct cayman_alu_src
random_source(const bool pv[4], bool *literal)
{
   struct cayman_alu_src s = { 0 };
   switch (pick(8)) {
   case 0:
      *literal = true;
      return asm_sel(CAYMAN_SRC_LITERAL, pick(4));
   case 1:
      return asm_sel(CAYMAN_SRC_KCACHE0 + pick(32), pick(4));
   case 2:
      return asm_sel(CAYMAN_SRC_KCACHE1 + pick(32), pick(4));
   case 3:
      return asm_sel(CAYMAN_SRC_0 + pick(5), 0);
   case 4:
   case 5: {
      unsigned c = pick(4);
      if (pv[c])
         return asm_sel(CAYMAN_SRC_PV, c);
   }
      /* fall through */
   default:
      s = asm_gpr(pick(NUM_GPRS), pick(4));
      s.rel = ar_loaded && pick(8) == 0;
      return s;
   }
}

static struct cayman_alu
random_slot(unsigned op, unsigned chan, const bool pv[4], bool *literal)
{
   const struct cayman_alu_info *info = cayman_alu_info(op);
   struct cayman_alu s = { .op = (uint16_t)op, .dst_chan = (uint8_t)chan };
   s.dst_gpr = (uint8_t)pick(NUM_GPRS);
   s.write_mask = info->op3 || pick(5);
   s.dst_rel = ar_loaded && pick(12) == 0;
   for (unsigned n = 0; n < info->num_src; n++) {
      s.src[n] = random_source(pv, literal);
      if (info->src_type == CAYMAN_TYPE_F32 && op != CAYMAN_ALU_CNDGE) {
         s.src[n].neg = pick(6) == 0;
         s.src[n].abs = !info->op3 && pick(8) == 0;
      }
   }
   if (info->dst_type == CAYMAN_TYPE_F32 && op != CAYMAN_ALU_MOV && op != CAYMAN_ALU_CNDGE) {
      s.clamp = pick(8) == 0;
      s.omod = info->op3 ? 0 : pick(8) == 0 ? pick(4) : 0;
   }
   if (pick(10) == 0)
      s.pred_sel = pick(2) ? CAYMAN_PRED_SEL_ONE : CAYMAN_PRED_SEL_ZERO;
   return s;
}

static void
random_clause(unsigned count)
{
   bool pv[4] = { false };
   ar_loaded = false;
   for (unsigned g = 0; g < count; g++) {
      struct cayman_alu_group *group = &groups[g];
      bool literal = false, now[4] = { false };
      memset(group, 0, sizeof(*group));
      unsigned shape = pick(12);
      if (shape == 0) {
         struct cayman_alu s = { .op = CAYMAN_ALU_MOVA_INT, .dst_chan = 0 };
         s.src[0] = asm_gpr(0, pick(4));
         group->slot[group->num_slots++] = s;
      } else if (shape == 1) {
         /* Predicate, for the groups after it. */
         struct cayman_alu s = random_slot(CAYMAN_ALU_PRED_SETGT_INT, pick(4), pv, &literal);
         s.update_pred = true;
         s.dst_rel = false;
         s.clamp = false;
         s.omod = 0;
         group->slot[group->num_slots++] = s;
         now[s.dst_chan] = s.pred_sel == 0;
      } else if (shape == 2) {
         unsigned op = pick(2) ? CAYMAN_ALU_DOT4 : CAYMAN_ALU_DOT4_IEEE;
         for (unsigned c = 0; c < 4; c++) {
            struct cayman_alu s = random_slot(op, c, pv, &literal);
            s.dst_rel = false;
            s.pred_sel = 0;
            s.clamp = c ? group->slot[0].clamp : s.clamp;
            s.omod = c ? group->slot[0].omod : s.omod;
            group->slot[group->num_slots++] = s;
         }
         now[0] = true;
      } else {
         bool same = pick(2);
         unsigned op = ops[pick(sizeof(ops) / sizeof(*ops))];
         unsigned channels = pick(3) ? 15 : 1 + pick(15);
         for (unsigned c = 0; c < 4; c++) {
            if (!(channels >> c & 1))
               continue;
            if (!same)
               op = ops[pick(sizeof(ops) / sizeof(*ops))];
            group->slot[group->num_slots++] = random_slot(op, c, pv, &literal);
            now[c] = group->slot[group->num_slots - 1].pred_sel == 0;
         }
      }
      /* No two slots may write one register element through an index. */
      unsigned rel = 0;
      for (unsigned n = 0; n < group->num_slots; n++)
         rel += group->slot[n].dst_rel;
      if (rel && group->num_slots > 1)
         for (unsigned n = 0; n < group->num_slots; n++)
            group->slot[n].dst_rel = false;
      if (literal) {
         unsigned max_chan = 0;
         for (unsigned n = 0; n < group->num_slots; n++)
            cayman_alu_selects_literal(&group->slot[n], &max_chan);
         group->num_literals = max_chan >= 2 ? 4 : 2;
         for (unsigned n = 0; n < 4; n++)
            group->literal[n] =
               pick(2) ? reference_random(&seed) : reference_operands[pick(reference_num_operands)];
      }
      memcpy(pv, now, sizeof(pv));
      if (shape == 0)
         ar_loaded = true;
      asm_group(&a, group);
   }
}

static uint32_t
model_source(const struct model *m, const struct cayman_alu_group *g,
             const struct cayman_alu_src *s)
{
   uint32_t v = 0;
   unsigned set, index;
   if (s->sel < 128) {
      int n = s->sel + (s->rel ? m->ar : 0);
      if (n < 0 || n >= NUM_GPRS)
         n = 0;
      v = m->gpr[n][s->chan];
   } else if (cayman_src_is_kcache(s->sel, &set, &index)) {
      v = kcache[set][index * 4 + s->chan];
   } else {
      static const uint32_t fixed[] = { 0, 0x3f800000, 1, ~0u, 0x3f000000 };
      v = s->sel == CAYMAN_SRC_LITERAL ? g->literal[s->chan]
          : s->sel == CAYMAN_SRC_PV    ? m->pv[s->chan]
                                       : fixed[s->sel - CAYMAN_SRC_0];
   }
   return v;
}

static uint32_t
modified(const struct cayman_alu *s, unsigned n, uint32_t v)
{
   if (s->src[n].abs)
      v &= 0x7fffffffu;
   return s->src[n].neg ? v ^ 0x80000000u : v;
}

static uint32_t
output(const struct cayman_alu *s, uint32_t v)
{
   static const uint32_t scale[4] = { 0, 0x40000000, 0x40800000, 0x3f000000 };
   if (s->omod)
      reference_op(CAYMAN_ALU_MUL_IEEE, v, scale[s->omod], 0, &v);
   if (s->clamp) {
      float f;
      memcpy(&f, &v, 4);
      f = f > 0 ? (f < 1 ? f : 1) : 0;
      memcpy(&v, &f, 4);
   }
   return v;
}

static void
model_group(struct model *m, const struct cayman_alu_group *g)
{
   uint32_t result[4], src[4][3];
   bool pred = m->pred;
   int32_t ar = m->ar;
   for (unsigned n = 0; n < g->num_slots; n++)
      for (unsigned k = 0; k < 3; k++)
         src[n][k] = modified(&g->slot[n], k, model_source(m, g, &g->slot[n].src[k]));
   if (g->slot[0].op == CAYMAN_ALU_MOVA_INT) {
      int32_t v = (int32_t)src[0][0];
      m->ar = v < -256 || v > 255 ? -256 : v;
      return;
   }
   if (g->slot[0].op == CAYMAN_ALU_DOT4 || g->slot[0].op == CAYMAN_ALU_DOT4_IEEE) {
      uint32_t sum = 0;
      for (unsigned n = 0; n < 4; n++) {
         uint32_t p;
         reference_op(g->slot[0].op == CAYMAN_ALU_DOT4 ? CAYMAN_ALU_MUL : CAYMAN_ALU_MUL_IEEE,
                      src[n][0], src[n][1], 0, &p);
         if (n)
            reference_op(CAYMAN_ALU_ADD, sum, p, 0, &sum);
         else
            sum = p;
      }
      for (unsigned n = 0; n < 4; n++)
         result[n] = output(&g->slot[0], sum);
   } else {
      for (unsigned n = 0; n < g->num_slots; n++) {
         if (!reference_op(g->slot[n].op, src[n][0], src[n][1], src[n][2], &result[n]))
            fail_msg("no reference");
         result[n] = output(&g->slot[n], result[n]);
      }
   }
   for (unsigned n = 0; n < g->num_slots; n++) {
      const struct cayman_alu *s = &g->slot[n];
      if (s->pred_sel && (s->pred_sel == CAYMAN_PRED_SEL_ONE) != m->pred)
         continue;
      m->pv[s->dst_chan] = result[n];
      if (s->update_pred)
         pred = (int32_t)src[n][0] > (int32_t)src[n][1];
      int to = s->dst_gpr + (s->dst_rel ? ar : 0);
      if (s->write_mask && to >= 0 && to < NUM_GPRS)
         m->gpr[to][s->dst_chan] = result[n];
   }
   m->pred = pred;
}

static void
test_groups(void **state)
{
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds);
   for (unsigned n = 0; n < 4000; n++) {
      seed = n * 31ull + 7;
      unsigned count = 1 + pick(MAX_GROUPS - 4);
      bool diverged = n & 1;
      asm_init(&a);
      if (diverged)
         asm_begin_diverged(&a, 60);
      random_clause(count);
      asm_alu_clause(&a, CAYMAN_CF_ALU);
      if (diverged)
         asm_end_diverged(&a);
      assert_true(asm_finish(&a));

      run_wave_init(&r, SQ_STAGE_VS);
      r.kernels = builds[n / 2 % num_builds];
      r.source.interpret = n / 16 & 1;
      r.source.pgm_resources = NUM_GPRS | 32 << 8 | 1 << 21;
      static struct model m[64];
      memset(m, 0, sizeof(m));
      for (unsigned b = 0; b < 2; b++) {
         for (unsigned k = 0; k < 128; k++)
            kcache[b][k] =
               pick(2) ? reference_random(&seed) : reference_operands[pick(reference_num_operands)];
         r.kcache[b] = kcache[b];
         r.kcache_bytes[b] = sizeof(kcache[b]);
      }
      for (unsigned lane = 0; lane < 64; lane++) {
         r.gpr[60][0][lane] = lane % 5 != 0;
         for (unsigned g = 0; g < NUM_GPRS; g++) {
            for (unsigned c = 0; c < 4; c++) {
               uint32_t v = g == 0    ? pick(12) - 2
                            : pick(2) ? reference_random(&seed)
                                      : reference_operands[pick(reference_num_operands)];
               r.gpr[g][c][lane] = m[lane].gpr[g][c] = v;
            }
         }
      }
      if (!run_wave(&r, a.words, a.num_words))
         fail_msg("clause %u: %s", n, r.wave.fault);
      for (unsigned lane = 0; lane < 64; lane++) {
         if (!diverged || lane % 5 != 0)
            for (unsigned g = 0; g < count; g++)
               model_group(&m[lane], &groups[g]);
         for (unsigned g = 0; g < NUM_GPRS; g++) {
            for (unsigned c = 0; c < 4; c++) {
               if (r.gpr[g][c][lane] == m[lane].gpr[g][c])
                  continue;
               cayman_disassemble(stdout, a.words, a.num_words);
               fail_msg("clause %u, %s%s, lane %u: R%u.%c = %08x, not %08x", n, r.kernels->name,
                        diverged ? ", diverged" : "", lane, g, "xyzw"[c], r.gpr[g][c][lane],
                        m[lane].gpr[g][c]);
            }
         }
      }
      run_wave_free(&r);
   }
}

static float
as_float(uint32_t v)
{
   float f;
   memcpy(&f, &v, 4);
   return f;
}

static void
set_float(uint32_t *v, float f)
{
   memcpy(v, &f, 4);
}

static void
test_interpolation(void **state)
{
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds);
   asm_init(&a);
   for (unsigned half = 0; half < 2; half++) {
      struct cayman_alu s[4];
      for (unsigned c = 0; c < 4; c++) {
         /* Even slots name j (y), odd ones i (x), as the stock compiler does. */
         s[c] = asm_op2(half ? CAYMAN_ALU_INTERP_ZW : CAYMAN_ALU_INTERP_XY, 1, c,
                        asm_gpr(0, 1 - c % 2), asm_sel(CAYMAN_SRC_PARAM + 5, 0));
         s[c].write_mask = half ? c >= 2 : c < 2;
         s[c].bank_swizzle = CAYMAN_VEC_210;
      }
      asm_slots(&a, s, 4, NULL, 0);
   }
   struct cayman_alu flat[4];
   for (unsigned c = 0; c < 4; c++)
      flat[c] = asm_op1(CAYMAN_ALU_INTERP_LOAD_P0, 2, c, asm_sel(CAYMAN_SRC_PARAM + 5, c));
   asm_slots(&a, flat, 4, NULL, 0);
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   asm_export(&a, CAYMAN_EXPORT_PIXEL, 0, 1);
   assert_true(asm_finish(&a));

   for (unsigned k = 0; k < num_builds; k++) {
      static struct spi_coef coef[16][8][4];
      run_wave_init(&r, SQ_STAGE_PS);
      r.kernels = builds[k];
      r.wave.one_primitive = false;
      r.wave.active = r.wave.valid = 0x0ffffffffffffff0ull; /* the outer quads have no primitive */
      for (unsigned q = 0; q < 16; q++) {
         r.wave.coef[q] = q && q < 15 ? coef[q] : NULL;
         for (unsigned c = 0; c < 4; c++)
            coef[q][5][c] = (struct spi_coef){ q + 1, c + 2, q * 0.5f - c, 0 };
      }
      for (unsigned lane = 0; lane < 64; lane++) {
         set_float(&r.gpr[0][0][lane], lane / 64.0f);
         set_float(&r.gpr[0][1][lane], 1.0f - lane / 128.0f);
      }
      assert_true(run_wave(&r, a.words, a.num_words));
      for (unsigned lane = 4; lane < 60; lane++) {
         for (unsigned c = 0; c < 4; c++) {
            const struct spi_coef *p = &coef[lane / 4][5][c];
            float want = p->p0 + p->p10 * (lane / 64.0f);
            want += p->p20 * (1.0f - lane / 128.0f);
            assert_true(as_float(r.outputs.mrt[0][c][lane]) == want);
            assert_true(as_float(r.gpr[2][c][lane]) == p->p0);
         }
      }
      assert_true(r.program->core.lane_varying);
      run_wave_free(&r);
   }
}

/* R(d).xy or .zw <- op(R1.xy, R2.xy, R3.xy), doubles with the low dword first. */
static double
run_double(const struct kernels *k, unsigned op, double x, double y, double z)
{
   const struct cayman_alu_info *info = cayman_alu_info(op);
   unsigned slots = info->slots == CAYMAN_SLOTS_QUAD ? 4 : info->slots == CAYMAN_SLOTS_XYZ ? 3 : 2;
   struct cayman_alu s[4];
   asm_init(&a);
   for (unsigned c = 0; c < slots; c++) {
      unsigned chan = c == slots - 1 ? 0 : 1;
      if (info->slots == CAYMAN_SLOTS_XYZ) {
         s[c] = asm_op2(op, 4, c, asm_gpr(1, 1), asm_gpr(1, 0));
         s[c].write_mask = c < 2;
      } else {
         s[c] = asm_op3(op, c < 2 || !info->op3 ? 4 : 5, c, asm_gpr(1, chan), asm_gpr(2, chan),
                        asm_gpr(3, chan));
         s[c].write_mask = c < 2 || info->op3;
      }
   }
   asm_slots(&a, s, slots, NULL, 0);
   asm_alu_clause(&a, CAYMAN_CF_ALU);
   assert_true(asm_finish(&a));
   run_wave_init(&r, SQ_STAGE_VS);
   r.kernels = k;
   r.source.pgm_resources_2 = 3 << 6; /* double denormals are kept */
   double in[3] = { x, y, z };
   for (unsigned n = 0; n < 3; n++) {
      uint64_t bits;
      memcpy(&bits, &in[n], 8);
      for (unsigned lane = 0; lane < 64; lane++) {
         r.gpr[1 + n][0][lane] = (uint32_t)bits;
         r.gpr[1 + n][1][lane] = (uint32_t)(bits >> 32);
      }
   }
   assert_true(run_wave(&r, a.words, a.num_words));
   uint64_t bits = (uint64_t)r.gpr[4][1][33] << 32 | r.gpr[4][0][33];
   run_wave_free(&r);
   double d;
   memcpy(&d, &bits, 8);
   return d;
}

static double
random_double(void)
{
   static const uint64_t special[] = { 0,
                                       1ull << 63,
                                       0x3ff0000000000000,
                                       0xbff0000000000000,
                                       1,
                                       0x000fffffffffffff,
                                       0x0010000000000000,
                                       0x7fefffffffffffff,
                                       0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7ff8000000000000,
                                       0x3fe0000000000001,
                                       0x4330000000000000 };
   uint64_t bits = (uint64_t)reference_random(&seed) << 32 | reference_random(&seed);
   switch (pick(4)) {
   case 0:
      bits = special[pick(sizeof(special) / 8)];
      break;
   case 1: /* near one: cancellations */
      bits = (bits & 0x800fffffffffffffull) | (uint64_t)(1023 - 2 + pick(5)) << 52;
      break;
   case 2:
      bits = (bits & 0x800fffffffffffffull) | (uint64_t)pick(120) << 52;
      break;
   }
   double d;
   memcpy(&d, &bits, 8);
   return d;
}

static void
same_double(const struct kernels *k, unsigned op, double x, double y, double z, double want)
{
   double got = run_double(k, op, x, y, z);
   uint64_t g, w;
   if (want != want)
      want = NAN;
   memcpy(&g, &got, 8);
   memcpy(&w, &want, 8);
   if (want != want)
      w = 0x7ff8000000000000ull;
   if (g != w)
      fail_msg("%s %s(%a, %a, %a) = %a, not %a", k->name, cayman_alu_info(op)->name, x, y, z, got,
               want);
}

static void
test_doubles(void **state)
{
   const struct kernels *builds[3];
   unsigned num_builds = run_wave_builds(builds);
   seed = 5;
   for (unsigned n = 0; n < 3000; n++) {
      const struct kernels *k = builds[n % num_builds];
      double x = random_double(), y = random_double(), z = random_double();
      same_double(k, CAYMAN_ALU_ADD_64, x, y, z, x + y);
      same_double(k, CAYMAN_ALU_MUL_64, x, y, z, x * y);
      same_double(k, CAYMAN_ALU_FMA_64, x, y, z, fma(x, y, z));
      same_double(k, CAYMAN_ALU_RECIP_64, x, y, z, 1 / x);
      same_double(k, CAYMAN_ALU_SQRT_64, x, y, z, sqrt(x));
      same_double(k, CAYMAN_ALU_RECIPSQRT_64, x, y, z, 1 / sqrt(x));
      static const uint64_t narrow[][2] = {
         { 0x380fffffe0000000, 0x00800000 }, { 0xb80fffffe0000000, 0x80800000 },
         { 0x380fffffc0000000, 0 },          { 0x47effffff0000000, 0x7f800000 },
         { 0x47efffffefffffff, 0x7f7fffff }, { 0xfff8000000000000, 0x7fc00000 },
         { 0x3fff25ce60000000, 0x3ff92e73 }
      };
      unsigned c = n % (sizeof(narrow) / sizeof(*narrow));
      double from;
      memcpy(&from, &narrow[c][0], 8);
      run_double(k, CAYMAN_ALU_FLT64_TO_FLT32, from, y, z);
      assert_int_equal(r.gpr[4][0][33], narrow[c][1]);
      if (isfinite(x) && fabs(x) < 1e15) {
         double f = x - floor(x);
         same_double(k, CAYMAN_ALU_FRACT_64, x, y, z, f < 1 ? f : 0x1.fffffffffffffp-1);
      }
      if (x == x && y == y && x != y) {
         same_double(k, CAYMAN_ALU_MIN_64, x, y, z, x < y ? x : y);
         same_double(k, CAYMAN_ALU_MAX_64, x, y, z, x > y ? x : y);
      }
      if (x == x && z == z && y == y)
         same_double(k, CAYMAN_ALU_CNDNE_64, x, y, z, x != 0 ? y : z);
   }
}

/* A row of exports, a burst, selects, streams. */
static void
test_exports(void **state)
{
   asm_init(&a);
   struct cayman_cf e = { .op = CAYMAN_CF_EXPORT,
                          .type = CAYMAN_EXPORT_PARAM,
                          .array_base = 2,
                          .rw_gpr = 1,
                          .burst_count = 1,
                          .barrier = true,
                          .sel = { CAYMAN_SEL_W, CAYMAN_SEL_0, CAYMAN_SEL_1, CAYMAN_SEL_MASK } };
   asm_cf(&a, &e);
   struct cayman_cf s = { .op = CAYMAN_CF_MEM_STREAM0_BUF1,
                          .type = CAYMAN_MEM_WRITE,
                          .array_base = 1,
                          .rw_gpr = 2,
                          .comp_mask = 6,
                          .array_size = 0xfff,
                          .barrier = true };
   asm_cf(&a, &s);
   /* Elements of one dword: R3.x goes one dword after R2.x. */
   s = (struct cayman_cf){ .op = CAYMAN_CF_MEM_STREAM0_BUF1,
                           .type = CAYMAN_MEM_WRITE,
                           .array_base = 4,
                           .rw_gpr = 2,
                           .burst_count = 1,
                           .comp_mask = 1,
                           .array_size = 0xfff,
                           .barrier = true };
   asm_cf(&a, &s);
   asm_export(&a, CAYMAN_EXPORT_POS, 60, 2);
   assert_true(asm_finish(&a));
   run_wave_init(&r, SQ_STAGE_VS);
   static uint32_t buffer[64 * 6];
   memset(buffer, 0xee, sizeof(buffer));
   r.bind.core.stream[1] =
      (struct core_stream_buffer){ (uint8_t *)buffer, sizeof(buffer) - 24, 24, 0 };
   r.wave.stream_lanes = ~0ull << 1;
   for (unsigned lane = 0; lane < 64; lane++) {
      r.wave.stream_vertex[lane] = lane;
      for (unsigned g = 0; g < 4; g++)
         for (unsigned c = 0; c < 4; c++)
            r.gpr[g][c][lane] = g * 1000 + c * 100 + lane;
   }
   assert_true(run_wave(&r, a.words, a.num_words));
   assert_int_equal(r.outputs.param_written, 12);
   assert_int_equal(r.outputs.pos_written, 1);
   assert_int_equal(r.outputs.param[2][0][9], 1309);
   assert_int_equal(r.outputs.param[3][0][9], 2309);
   assert_int_equal(r.outputs.param[3][1][9], 0);
   assert_int_equal(r.outputs.param[3][2][9], 0x3f800000);
   assert_int_equal(buffer[9 * 6 + 2], 2109);
   assert_int_equal(buffer[9 * 6 + 3], 2209);
   assert_int_equal(buffer[9 * 6 + 1], 0xeeeeeeee);
   assert_int_equal(buffer[9 * 6 + 4], 2009);
   assert_int_equal(buffer[9 * 6 + 5], 3009);
   assert_int_equal(buffer[0 * 6 + 2], 0xeeeeeeee);  /* lane may not write */
   assert_int_equal(buffer[63 * 6 + 2], 0xeeeeeeee); /* past the end */
   assert_true(r.program->uses_stream);
   run_wave_free(&r);
}

/* A double operation with another one's instruction in its first slot: of four slots and of two. */
static void
test_split_doubles(void **state)
{
   static const struct {
      uint16_t first, others;
      unsigned slots;
   } cases[] = { { CAYMAN_ALU_FLOOR, CAYMAN_ALU_MUL_64, 4 },
                 { CAYMAN_ALU_FLOOR, CAYMAN_ALU_RECIP_64, 3 },
                 { CAYMAN_ALU_MOV, CAYMAN_ALU_ADD_64, 2 },
                 { CAYMAN_ALU_MIN_DX10, CAYMAN_ALU_FLT64_TO_FLT32, 2 } };

   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      struct cayman_alu slots[4];

      for (unsigned s = 0; s < cases[n].slots; s++)
         slots[s] = asm_op3(s ? cases[n].others : cases[n].first, 1, s, asm_gpr(2, s),
                            asm_gpr(2, s), asm_gpr(2, s));
      asm_init(&a);
      asm_slots(&a, slots, cases[n].slots, NULL, 0);
      asm_alu_clause(&a, CAYMAN_CF_ALU);
      asm_finish(&a);
      run_wave_init(&r, SQ_STAGE_VS);
      assert_false(run_wave(&r, a.words, a.num_words));
      assert_non_null(r.program->core.error);
      assert_non_null(strstr(r.program->core.error, "without its first slot"));
      run_wave_free(&r);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_groups),  cmocka_unit_test(test_interpolation),
      cmocka_unit_test(test_doubles), cmocka_unit_test(test_split_doubles),
      cmocka_unit_test(test_exports),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
