/* SPDX-License-Identifier: MIT */
/*
 * Blending: every factor with every factor under every operation, of floats, halves and bytes,
 * whole blocks and scattered lanes, against the equations of OpenGL in doubles.  Colours of floats
 * and halves are small dyadic fractions, so that no operation rounds and the result is exact; bytes
 * may be off by what rounding allows.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <atoll/cayman/enums.h>

#include "canvas.h"

#define LANES 64

struct colors {
   double src[4], src1[4], dst[4], constant[4];
};

/* The equations of OpenGL 4.6, tables 17.1 and 17.2. */
static double
factor(unsigned f, unsigned n, const struct colors *c)
{
   const double sat = c->src[3] < 1 - c->dst[3] ? c->src[3] : 1 - c->dst[3];

   switch (f) {
   case FACTOR_ZERO:
      return 0;
   case FACTOR_ONE:
      return 1;
   case FACTOR_SRC_COLOR:
      return c->src[n];
   case FACTOR_ONE_MINUS_SRC_COLOR:
      return 1 - c->src[n];
   case FACTOR_DST_COLOR:
      return c->dst[n];
   case FACTOR_ONE_MINUS_DST_COLOR:
      return 1 - c->dst[n];
   case FACTOR_SRC_ALPHA:
      return c->src[3];
   case FACTOR_ONE_MINUS_SRC_ALPHA:
      return 1 - c->src[3];
   case FACTOR_DST_ALPHA:
      return c->dst[3];
   case FACTOR_ONE_MINUS_DST_ALPHA:
      return 1 - c->dst[3];
   case FACTOR_CONSTANT_COLOR:
      return c->constant[n];
   case FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return 1 - c->constant[n];
   case FACTOR_CONSTANT_ALPHA:
      return c->constant[3];
   case FACTOR_ONE_MINUS_CONSTANT_ALPHA:
      return 1 - c->constant[3];
   case FACTOR_SRC_ALPHA_SATURATE:
      return n == 3 ? 1 : sat;
   case FACTOR_SRC1_COLOR:
      return c->src1[n];
   case FACTOR_ONE_MINUS_SRC1_COLOR:
      return 1 - c->src1[n];
   case FACTOR_SRC1_ALPHA:
      return c->src1[3];
   case FACTOR_ONE_MINUS_SRC1_ALPHA:
      return 1 - c->src1[3];
   default:
      fail_msg("factor %u is not tested", f);
      return 0;
   }
}

static double
equation(const struct cb_blend *b, unsigned n, const struct colors *c)
{
   const double s = c->src[n], d = c->dst[n];
   const double fs = factor(n < 3 ? b->src_rgb : b->src_alpha, n, c);
   const double fd = factor(n < 3 ? b->dst_rgb : b->dst_alpha, n, c);
   const unsigned op = n < 3 ? b->op_rgb : b->op_alpha;

   switch (op) {
   case BLEND_OP_ADD:
      return s * fs + d * fd;
   case BLEND_OP_SUBTRACT:
      return s * fs - d * fd;
   case BLEND_OP_REVERSE_SUBTRACT:
      return d * fd - s * fs;
   case BLEND_OP_MIN:
      return s < d ? s : d;
   case BLEND_OP_MAX:
      return s > d ? s : d;
   default:
      fail_msg("operation %u is not tested", op);
      return 0;
   }
}

static double
half_value(uint32_t h)
{
   const int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
   const double v = e ? ldexp(m | 1024, e - 25) : ldexp(m, -24);

   return h & 0x8000 ? -v : v;
}

/* Of a number that a half holds. */
static uint32_t
half_bits(double v)
{
   for (uint32_t h = 0; h < 0x7c00; h++)
      if (half_value(h) == fabs(v))
         return h | (signbit(v) ? 0x8000 : 0);
   fail_msg("%g is no half", v);
   return 0;
}

/* How a target stores what blending works on. */
struct kind {
   const char *name;
   unsigned format, numeric;
};
enum { FLOATS, HALVES, BYTES };
static const struct kind kinds[] = {
   [FLOATS] = { "floats", FORMAT_R32G32B32A32_FLOAT, NUMERIC_FLOAT },
   [HALVES] = { "halves", FORMAT_R16G16B16A16_FLOAT, NUMERIC_FLOAT },
   [BYTES] = { "bytes", FORMAT_R8G8B8A8, NUMERIC_UNORM },
};

static uint32_t eighths[33]; /* as halves: -2 to 2 */

/* Colours of all lanes, and what is in memory for them. */
static void
choose(struct canvas *c, unsigned kind, struct colors colors[LANES], uint32_t *seed)
{
   double constant[4];

   for (unsigned n = 0; n < 4; n++) {
      constant[n] = kind == BYTES ? pick(seed, 256) / 255.0 : pick(seed, 17) / 8.0 - 1;
      c->cb.constant[n] = (float)constant[n];
   }
   for (unsigned l = 0; l < LANES; l++) {
      struct colors *k = &colors[l];

      memset(k, 0, sizeof(*k));
      memcpy(k->constant, constant, sizeof(constant));
      for (unsigned n = 0; n < 4; n++) {
         uint32_t word = 0;

         if (kind == BYTES) {
            /* Beyond 0 and 1, too: sources are limited first. */
            const double s = pick(seed, 96) / 64.0 - 0.25, s1 = pick(seed, 64) / 63.0;
            const uint32_t code = pick(seed, 4) ? pick(seed, 256) : pick(seed, 2) * 255;

            c->outputs->mrt[0][n][l] = bits_of((float)s);
            c->outputs->mrt[1][n][l] = bits_of((float)s1);
            k->src[n] = s < 0 ? 0 : s > 1 ? 1 : s;
            k->src1[n] = (float)s1;
            k->dst[n] = code / 255.0;
            c->pixels[canvas_at(c, l) + c->cb.target[0].channel[n].shift / 8] = (uint8_t)code;
            continue;
         }
         k->src[n] = pick(seed, 33) / 8.0 - 2;
         k->src1[n] = pick(seed, 33) / 8.0 - 2;
         k->dst[n] = (int)pick(seed, 33) / 8.0 - 2;
         c->outputs->mrt[0][n][l] = bits_of((float)k->src[n]);
         c->outputs->mrt[1][n][l] = bits_of((float)k->src1[n]);
         word = kind == FLOATS ? bits_of((float)k->dst[n]) : eighths[(int)(k->dst[n] * 8) + 16];
         memcpy(c->pixels + canvas_at(c, l) + n * (kind == FLOATS ? 4 : 2), &word,
                kind == FLOATS ? 4 : 2);
      }
   }
}

static void
check_lane(const struct canvas *c, unsigned kind, unsigned lane, const struct cb_blend *b,
           const struct colors *k, const char *build)
{
   for (unsigned n = 0; n < 4; n++) {
      const double want = equation(b, n, k);
      uint32_t word = 0;

      if (kind == BYTES) {
         const double code = c->pixels[canvas_at(c, lane) + c->cb.target[0].channel[n].shift / 8];
         const double limited = want < 0 ? 0 : want > 1 ? 1 : want;

         if (fabs(code - 255 * limited) > 0.501)
            fail_msg("%s, bytes, lane %u.%u: factors %u %u, operation %u: %g, expected %g", build,
                     lane, n, b->src_rgb, b->dst_rgb, b->op_rgb, code, 255 * limited);
         continue;
      }
      memcpy(&word, c->pixels + canvas_at(c, lane) + n * (kind == FLOATS ? 4 : 2),
             kind == FLOATS ? 4 : 2);
      const double got = kind == FLOATS ? (double)float_of(word) : half_value(word);

      /* A half has 11 bits; what more there is must have been rounded to the nearest. */
      const double slack = kind == FLOATS ? 0 : fabs(want) * 0x1p-12;
      if (fabs(got - want) > slack)
         fail_msg("%s, %s, lane %u.%u: factors %u %u, operation %u: %g, expected %g", build,
                  kinds[kind].name, lane, n, b->src_rgb, b->dst_rgb, b->op_rgb, got, want);
   }
}

static void
run_all(struct canvas *c, unsigned kind, const struct cb_blend *b, uint32_t *seed)
{
   static struct colors colors[LANES];
   static uint8_t before[sizeof(c->pixels)];
   static const uint8_t orders[4][4][4] = {
      { { 0 }, { 0, 1 }, { 0, 1, 2 }, { 0, 1, 2, 3 } },
      { { 0 }, { 0, 1 }, { 0, 1, 2 }, { 2, 1, 0, 3 } },
      { { 0 }, { 0, 1 }, { 0, 1, 2 }, { 3, 2, 1, 0 } },
      { { 0 }, { 0, 1 }, { 0, 1, 2 }, { 3, 0, 1, 2 } },
   };
   const bool block = pick(seed, 2), all = pick(seed, 2);
   const uint64_t lanes =
      all ? UINT64_MAX : (uint64_t)pick(seed, 1u << 28) << 32 | pick(seed, 1u << 28) | 2;

   canvas_begin(c, kinds[kind].format, kinds[kind].numeric,
                kind == BYTES ? orders[pick(seed, 4)] : NULL);
   c->cb.target[0].blend = *b;
   cb_finish(&c->cb);
   assert_int_equal(c->cb.bound, 1);
   canvas_wave(c, block);
   choose(c, kind, colors, seed);
   memcpy(before, c->pixels, sizeof(before));
   for (unsigned i = 0; i < BUILDS; i++) {
      if (!can_run(i))
         continue;
      memcpy(c->pixels, before, sizeof(before));
      builds[i].lanes(c->tile, lanes, 0);
      for (unsigned l = 0; l < LANES; l++) {
         if (lanes >> l & 1)
            check_lane(c, kind, l, b, &colors[l], builds[i].name);
         else
            assert_memory_equal(c->pixels + canvas_at(c, l), before + canvas_at(c, l),
                                c->cb.target[0].surface.cpp);
      }
   }
}

static void
every_blend(void **state)
{
   struct canvas *c = *state;
   uint32_t seed = 1;

   for (unsigned n = 0; n < 33; n++)
      eighths[n] = half_bits((int)n / 8.0 - 2);
   for (unsigned kind = 0; kind < 3; kind++)
      for (unsigned src = 0; src < FACTORS; src++)
         for (unsigned dst = 0; dst < FACTORS; dst++)
            for (unsigned op = 0; op < BLEND_OPS_COUNT; op++) {
               struct cb_blend b = { true,         (uint8_t)src, (uint8_t)dst, (uint8_t)op,
                                     (uint8_t)src, (uint8_t)dst, (uint8_t)op };

               run_all(c, kind, &b, &seed);
               /* Alpha by factors of its own. */
               b.src_alpha = (uint8_t)pick(&seed, FACTORS);
               b.dst_alpha = (uint8_t)pick(&seed, FACTORS);
               b.op_alpha = (uint8_t)pick(&seed, BLEND_OPS_COUNT);
               run_all(c, kind, &b, &seed);
            }
}

/* A factor of zero takes its term away, whatever that was, and a negative zero stays one. */
static void
zero_takes_all(void **state)
{
   static const uint8_t zero_dst[] = { FACTOR_ONE, FACTOR_ZERO, BLEND_OP_REVERSE_SUBTRACT };
   struct canvas *c = *state;

   for (unsigned i = 0; i < BUILDS; i++) {
      const uint32_t infinity = bits_of(INFINITY);

      if (!can_run(i))
         continue;
      canvas_begin(c, FORMAT_R32G32B32A32_FLOAT, NUMERIC_FLOAT, NULL);
      c->cb.target[0].blend = (struct cb_blend){ true,         FACTOR_SRC_ALPHA, FACTOR_ZERO,
                                                 BLEND_OP_ADD, FACTOR_SRC_ALPHA, FACTOR_ZERO,
                                                 BLEND_OP_ADD };
      cb_finish(&c->cb);
      canvas_wave(c, true);
      for (unsigned at = 0; at < sizeof(c->pixels); at += 4)
         memcpy(c->pixels + at, &infinity, 4);
      for (unsigned l = 0; l < LANES; l++) {
         for (unsigned n = 0; n < 3; n++)
            c->outputs->mrt[0][n][l] = bits_of(-0.0f);
         c->outputs->mrt[0][3][l] = bits_of(0.5f);
      }
      builds[i].lanes(c->tile, UINT64_MAX, 0);
      for (unsigned l = 0; l < LANES; l++) {
         assert_int_equal(canvas_word(c, l, 0), 0x80000000u);
         assert_int_equal(canvas_word(c, l, 3), bits_of(0.25f));
      }
      c->cb.target[0].blend = (struct cb_blend){ true,        zero_dst[0], zero_dst[1], zero_dst[2],
                                                 zero_dst[0], zero_dst[1], zero_dst[2] };
      cb_finish(&c->cb);
      builds[i].lanes(c->tile, UINT64_MAX, 0);
      for (unsigned l = 0; l < LANES; l++)
         assert_int_equal(canvas_word(c, l, 3), bits_of(-0.5f));
   }
}

/* Where alpha reads as one, it does so in every loop; masked components keep what they hold. */
static void
alpha_reads_as_one(void **state)
{
   static const uint8_t blends[][3] = {
      { FACTOR_DST_ALPHA, FACTOR_ZERO, BLEND_OP_ADD },
      { FACTOR_ZERO, FACTOR_DST_ALPHA, BLEND_OP_ADD },
      { FACTOR_ONE, FACTOR_ONE, BLEND_OP_MIN },
      { FACTOR_DST_ALPHA, FACTOR_ONE, BLEND_OP_SUBTRACT },
   };
   struct canvas *c = *state;

   for (unsigned i = 0; i < BUILDS; i++) {
      for (unsigned k = 0; k < 4 * 4 && can_run(i); k++) {
         const uint8_t *e = blends[k % 4];
         const unsigned mask = k / 4 ? 5 + k / 4 : 15;

         canvas_begin(c, FORMAT_R8G8B8A8, NUMERIC_UNORM, NULL);
         c->cb.target[0].blend = (struct cb_blend){ true, e[0], e[1], e[2], e[0], e[1], e[2] };
         c->cb.target[0].dst_alpha_one = true;
         c->cb.target[0].write_mask = (uint8_t)mask;
         cb_finish(&c->cb);
         canvas_wave(c, k & 1);
         memset(c->pixels, 51, sizeof(c->pixels)); /* a fifth */
         for (unsigned l = 0; l < LANES; l++)
            for (unsigned n = 0; n < 4; n++)
               c->outputs->mrt[0][n][l] = bits_of(0.6f);
         builds[i].lanes(c->tile, UINT64_MAX, 0);
         for (unsigned l = 0; l < LANES; l++) {
            static const uint8_t rgb[4] = { 153, 51, 51, 102 }, alpha[4] = { 153, 255, 153, 0 };

            for (unsigned n = 0; n < 4; n++) {
               const uint8_t want = !(mask >> n & 1) ? 51 : n < 3 ? rgb[k % 4] : alpha[k % 4];

               assert_int_equal(c->pixels[canvas_at(c, l) + n], want);
            }
         }
      }
   }
}

/* All sixteen logic operations: bit 2 * s + d of a table. */
static void
logic_operations(void **state)
{
   struct canvas *c = *state;

   for (unsigned i = 0; i < BUILDS; i++) {
      for (unsigned op = 0; op < 16 && can_run(i); op++) {
         canvas_begin(c, FORMAT_R8G8B8A8, NUMERIC_UNORM, NULL);
         c->cb.logic = (uint8_t)op;
         c->cb.target[0].blend.enable = op != 12; /* gives way to any but a copy */
         cb_finish(&c->cb);
         canvas_wave(c, op & 1);
         memset(c->pixels, 0x35, sizeof(c->pixels));
         for (unsigned l = 0; l < LANES; l++)
            for (unsigned n = 0; n < 4; n++)
               c->outputs->mrt[0][n][l] = bits_of((float)(0x5a / 255.0));
         builds[i].lanes(c->tile, UINT64_MAX, 0);

         uint8_t want = 0;
         for (unsigned bit = 0; bit < 8; bit++)
            want |= (uint8_t)((op >> ((0x5a >> bit & 1) * 2 + (0x35 >> bit & 1)) & 1) << bit);
         for (unsigned l = 0; l < LANES; l++)
            assert_int_equal(c->pixels[canvas_at(c, l) + 2], want);
      }
   }
}

static struct canvas canvas;

static int
setup(void **state)
{
   *state = &canvas;
   return 0;
}

static int
teardown(void **state)
{
   canvas_free(*state);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_blend),
      cmocka_unit_test(zero_takes_all),
      cmocka_unit_test(alpha_reads_as_one),
      cmocka_unit_test(logic_operations),
   };

   return cmocka_run_group_tests(tests, setup, teardown);
}
