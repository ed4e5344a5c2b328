/* SPDX-License-Identifier: MIT */
/*
 * Colours of each format: every code of components that have few, some of others, comes from the
 * number that the documents say it stands for, lies where they say, and is read as that number.
 * Numbers that no code stands for end in the nearest, and those beyond all in the last.
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

/* Names count components from the highest bit down; red is the lowest. */
static const struct layout {
   const char *name;
   unsigned format, numeric;
   uint8_t bits[4];
} formats[] = {
   { "8 unorm", FORMAT_R8, NUMERIC_UNORM, { 8 } },
   { "8 snorm", FORMAT_R8, NUMERIC_SNORM, { 8 } },
   { "8 uint", FORMAT_R8, NUMERIC_UINT, { 8 } },
   { "8 sint", FORMAT_R8, NUMERIC_SINT, { 8 } },
   { "8 uscaled", FORMAT_R8, NUMERIC_USCALED, { 8 } },
   { "8 sscaled", FORMAT_R8, NUMERIC_SSCALED, { 8 } },
   { "4_4 unorm", FORMAT_R4G4, NUMERIC_UNORM, { 4, 4 } },
   { "3_3_2 unorm", FORMAT_R2G3B3, NUMERIC_UNORM, { 2, 3, 3 } },
   { "8_8 unorm", FORMAT_R8G8, NUMERIC_UNORM, { 8, 8 } },
   { "8_8 sint", FORMAT_R8G8, NUMERIC_SINT, { 8, 8 } },
   { "5_6_5 unorm", FORMAT_R5G6B5, NUMERIC_UNORM, { 5, 6, 5 } },
   { "6_5_5 unorm", FORMAT_R5G5B6, NUMERIC_UNORM, { 5, 5, 6 } },
   { "1_5_5_5 unorm", FORMAT_R5G5B5A1, NUMERIC_UNORM, { 5, 5, 5, 1 } },
   { "5_5_5_1 unorm", FORMAT_R1G5B5A5, NUMERIC_UNORM, { 1, 5, 5, 5 } },
   { "4_4_4_4 unorm", FORMAT_R4G4B4A4, NUMERIC_UNORM, { 4, 4, 4, 4 } },
   { "16 unorm", FORMAT_R16, NUMERIC_UNORM, { 16 } },
   { "16 snorm", FORMAT_R16, NUMERIC_SNORM, { 16 } },
   { "16 uint", FORMAT_R16, NUMERIC_UINT, { 16 } },
   { "16 float", FORMAT_R16_FLOAT, NUMERIC_FLOAT, { 16 } },
   { "16_16 snorm", FORMAT_R16G16, NUMERIC_SNORM, { 16, 16 } },
   { "16_16 float", FORMAT_R16G16_FLOAT, NUMERIC_FLOAT, { 16, 16 } },
   { "8_8_8_8 unorm", FORMAT_R8G8B8A8, NUMERIC_UNORM, { 8, 8, 8, 8 } },
   { "8_8_8_8 snorm", FORMAT_R8G8B8A8, NUMERIC_SNORM, { 8, 8, 8, 8 } },
   { "8_8_8_8 srgb", FORMAT_R8G8B8A8, NUMERIC_SRGB, { 8, 8, 8, 8 } },
   { "8_8_8_8 uint", FORMAT_R8G8B8A8, NUMERIC_UINT, { 8, 8, 8, 8 } },
   { "8_8_8_8 sint", FORMAT_R8G8B8A8, NUMERIC_SINT, { 8, 8, 8, 8 } },
   { "2_10_10_10 unorm", FORMAT_R10G10B10A2, NUMERIC_UNORM, { 10, 10, 10, 2 } },
   { "2_10_10_10 uint", FORMAT_R10G10B10A2, NUMERIC_UINT, { 10, 10, 10, 2 } },
   { "10_10_10_2 unorm", FORMAT_R2G10B10A10, NUMERIC_UNORM, { 2, 10, 10, 10 } },
   { "10_11_11 float", FORMAT_R11G11B10_FLOAT, NUMERIC_FLOAT, { 11, 11, 10 } },
   { "11_11_10 float", FORMAT_R10G11B11_FLOAT, NUMERIC_FLOAT, { 10, 11, 11 } },
   { "32 uint", FORMAT_R32, NUMERIC_UINT, { 32 } },
   { "32 sint", FORMAT_R32, NUMERIC_SINT, { 32 } },
   { "32 float", FORMAT_R32_FLOAT, NUMERIC_FLOAT, { 32 } },
   { "32_32 float", FORMAT_R32G32_FLOAT, NUMERIC_FLOAT, { 32, 32 } },
   { "16_16_16_16 unorm", FORMAT_R16G16B16A16, NUMERIC_UNORM, { 16, 16, 16, 16 } },
   { "16_16_16_16 sint", FORMAT_R16G16B16A16, NUMERIC_SINT, { 16, 16, 16, 16 } },
   { "16_16_16_16 float", FORMAT_R16G16B16A16_FLOAT, NUMERIC_FLOAT, { 16, 16, 16, 16 } },
   { "32_32_32 float", FORMAT_R32G32B32_FLOAT, NUMERIC_FLOAT, { 32, 32, 32 } },
   { "32_32_32_32 uint", FORMAT_R32G32B32A32, NUMERIC_UINT, { 32, 32, 32, 32 } },
   { "32_32_32_32 float", FORMAT_R32G32B32A32_FLOAT, NUMERIC_FLOAT, { 32, 32, 32, 32 } },
};

static bool
is_integer(const struct layout *f)
{
   return f->numeric == NUMERIC_UINT || f->numeric == NUMERIC_SINT;
}

static int64_t
signed_code(uint32_t code, unsigned bits)
{
   return code >> (bits - 1) & 1 ? (int64_t)code - (INT64_C(1) << bits) : (int64_t)code;
}

/* The number that a code of component n stands for. */
static double
value_of(const struct layout *f, unsigned n, uint32_t code)
{
   const unsigned bits = f->bits[n];
   const double max = ldexp(1, (int)bits) - 1, smax = ldexp(1, (int)bits - 1) - 1;

   switch (f->numeric) {
   case NUMERIC_UNORM:
      return code / max;
   case NUMERIC_SNORM:
      return signed_code(code, bits) < -smax ? -1 : (double)signed_code(code, bits) / smax;
   case NUMERIC_UINT:
   case NUMERIC_USCALED:
      return code;
   case NUMERIC_SINT:
   case NUMERIC_SSCALED:
      return (double)signed_code(code, bits);
   case NUMERIC_SRGB: {
      const double c = code / max;

      return n == 3 ? c : c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
   }
   default:
      break;
   }
   if (bits == 32)
      return float_of(code);
   /* Five bits of exponent, and of those with sixteen a sign. */
   const unsigned mantissa = bits == 16 ? 10 : bits - 5;
   const uint32_t m = code & ((1u << mantissa) - 1), e = code >> mantissa & 31;
   const double v =
      e ? ldexp((1u << mantissa) | m, (int)e - 15 - (int)mantissa) : ldexp(m, -14 - (int)mantissa);

   return bits == 16 && code >> 15 ? -v : v;
}

/* Whether only one code stands for its number, which is finite. */
static bool
is_plain(const struct layout *f, unsigned n, uint32_t code)
{
   const unsigned bits = f->bits[n];

   if (f->numeric == NUMERIC_SNORM)
      return code != 1u << (bits - 1);
   if (f->numeric != NUMERIC_FLOAT)
      return true;
   if (bits == 32)
      return isfinite(float_of(code)) && (fabsf(float_of(code)) >= 0x1p-126f || !(code << 1));
   return (code >> (bits == 16 ? 10 : bits - 5) & 31) != 31;
}

static uint32_t
any_code(unsigned bits, uint32_t i, uint32_t *seed)
{
   return bits <= 11 ? i & ((1u << bits) - 1)
                     : (pick(seed, 1u << 16) << 16 | pick(seed, 1u << 16)) >> (32 - bits);
}

static void
codes_of(struct canvas *c, unsigned build, const struct layout *f)
{
   uint32_t code[4][LANES], seed = 1;
   wave_lane read[4];
   uint32_t *const out[4] = { read[0], read[1], read[2], read[3] };

   canvas_begin(c, f->format, f->numeric, NULL);
   cb_finish(&c->cb);
   assert_int_equal(c->cb.bound, 1);
   for (uint32_t first = 0; first < 2048; first += LANES) {
      for (unsigned n = 0; n < 4; n++)
         for (unsigned l = 0; l < LANES; l++) {
            const unsigned bits = f->bits[n];

            code[n][l] = bits ? any_code(bits, first + l + n * 77, &seed) : 0;
            while (bits && !is_plain(f, n, code[n][l]))
               code[n][l] = code[n][l] >> 1;
            const double v = bits ? value_of(f, n, code[n][l]) : 0.3;

            c->outputs->mrt[0][n][l] = !is_integer(f) ? bits_of((float)v)
                                       : bits         ? (uint32_t)(int64_t)v
                                                      : 0;
         }
      canvas_wave(c, first & LANES);
      memset(c->pixels, 0xa5, sizeof(c->pixels));
      builds[build].lanes(c->tile, UINT64_MAX, 0);
      builds[build].load(c->tile, 0, 0, UINT64_MAX, out);
      for (unsigned l = 0; l < LANES; l++) {
         unsigned at = 0;

         for (unsigned n = 0; n < 4; at += f->bits[n++]) {
            const unsigned bits = f->bits[n];

            if (!bits) {
               /* What a format does not have reads as 0, 0, 0, 1. */
               assert_int_equal(read[n][l], n < 3 ? 0 : is_integer(f) ? 1 : bits_of(1.0f));
               continue;
            }
            const uint32_t got =
               canvas_word(c, l, at / 32) >> at % 32 & (uint32_t)((UINT64_C(1) << bits) - 1);
            const double v = value_of(f, n, code[n][l]);

            if (got != code[n][l])
               fail_msg("%s, %s: %g is stored in component %u as %x, expected %x",
                        builds[build].name, f->name, v, n, got, code[n][l]);
            if (is_integer(f) ? read[n][l] != (uint32_t)(int64_t)v
                              : fabs((double)float_of(read[n][l]) - v) > fabs(v) * 0x1p-22)
               fail_msg("%s, %s: component %u of %x is read as %x, expected %g", builds[build].name,
                        f->name, n, code[n][l], read[n][l], v);
         }
      }
   }
}

static void
codes(void **state)
{
   for (unsigned build = 0; build < BUILDS; build++)
      for (unsigned i = 0; i < sizeof(formats) / sizeof(*formats) && can_run(build); i++)
         codes_of(*state, build, &formats[i]);
}

/* One red number into one format, and the code that it ends as. */
static void
ends_as(struct canvas *c, unsigned format, unsigned numeric, uint32_t number, uint32_t code)
{
   for (unsigned build = 0; build < BUILDS; build++) {
      if (!can_run(build))
         continue;
      canvas_begin(c, format, numeric, NULL);
      cb_finish(&c->cb);
      canvas_wave(c, false);
      for (unsigned l = 0; l < LANES; l++)
         c->outputs->mrt[0][0][l] = number;
      builds[build].lanes(c->tile, UINT64_MAX, 0);

      const unsigned bits = c->cb.target[0].channel[0].bits;
      const uint32_t got = canvas_word(c, 5, 0) & (uint32_t)((UINT64_C(1) << bits) - 1);
      if (got != code)
         fail_msg("%s, format %u, kind %u: %08x ends as %x, expected %x", builds[build].name,
                  format, numeric, number, got, code);
   }
}

static void
edges(void **state)
{
   struct canvas *c = *state;
   const uint32_t nan = 0x7fc00000u;

   ends_as(c, FORMAT_R8G8B8A8, NUMERIC_UNORM, bits_of(1.5f), 255);
   ends_as(c, FORMAT_R8G8B8A8, NUMERIC_UNORM, bits_of(-3.0f), 0);
   ends_as(c, FORMAT_R8G8B8A8, NUMERIC_UNORM, bits_of(INFINITY), 255);
   ends_as(c, FORMAT_R8G8B8A8, NUMERIC_UNORM, bits_of(-INFINITY), 0);
   ends_as(c, FORMAT_R8G8B8A8, NUMERIC_UNORM, nan, 0);
   ends_as(c, FORMAT_R5G6B5, NUMERIC_UNORM, bits_of(2.0f), 31);
   ends_as(c, FORMAT_R5G6B5, NUMERIC_UNORM, nan, 0);
   /* Halfway between codes of three bits' neighbours: to the even one. */
   ends_as(c, FORMAT_R4G4, NUMERIC_UNORM, bits_of(0.5f / 15.0f * 0.999f), 0);
   ends_as(c, FORMAT_R4G4, NUMERIC_UNORM, bits_of(0.5f / 15.0f * 1.001f), 1);
   ends_as(c, FORMAT_R8, NUMERIC_SNORM, bits_of(-1.0f), 0x81);
   ends_as(c, FORMAT_R8, NUMERIC_SNORM, bits_of(-9.0f), 0x81);
   ends_as(c, FORMAT_R8, NUMERIC_SNORM, bits_of(9.0f), 0x7f);
   ends_as(c, FORMAT_R8, NUMERIC_SNORM, nan, 0);
   ends_as(c, FORMAT_R8, NUMERIC_USCALED, bits_of(300.0f), 255);
   ends_as(c, FORMAT_R8, NUMERIC_USCALED, bits_of(-1.0f), 0);
   ends_as(c, FORMAT_R8, NUMERIC_SSCALED, bits_of(300.0f), 127);
   ends_as(c, FORMAT_R8, NUMERIC_SSCALED, bits_of(-300.0f), 0x80);
   ends_as(c, FORMAT_R8, NUMERIC_UINT, 256, 255);
   ends_as(c, FORMAT_R8, NUMERIC_UINT, 0xffffffffu, 255);
   ends_as(c, FORMAT_R8, NUMERIC_SINT, 128, 127);
   ends_as(c, FORMAT_R8, NUMERIC_SINT, (uint32_t)-129, 0x80);
   ends_as(c, FORMAT_R10G10B10A2, NUMERIC_UINT, 1024, 1023);
   ends_as(c, FORMAT_R32, NUMERIC_UINT, 0xffffffffu, 0xffffffffu);
   ends_as(c, FORMAT_R8G8B8A8, NUMERIC_SRGB, bits_of(2.0f), 255);
   ends_as(c, FORMAT_R8G8B8A8, NUMERIC_SRGB, bits_of(-1.0f), 0);
   ends_as(c, FORMAT_R16_FLOAT, NUMERIC_FLOAT, bits_of(65519.0f), 0x7bff);
   ends_as(c, FORMAT_R16_FLOAT, NUMERIC_FLOAT, bits_of(65520.0f), 0x7c00);
   ends_as(c, FORMAT_R16_FLOAT, NUMERIC_FLOAT, bits_of(-0.0f), 0x8000);
   ends_as(c, FORMAT_R16_FLOAT, NUMERIC_FLOAT, bits_of(0x1.002p0f),
           0x3c00); /* a tie: to the even one */
   ends_as(c, FORMAT_R16_FLOAT, NUMERIC_FLOAT, bits_of(0x1.006p0f), 0x3c02);
   ends_as(c, FORMAT_R16_FLOAT, NUMERIC_FLOAT, bits_of(0x1p-25f), 0);
   ends_as(c, FORMAT_R16_FLOAT, NUMERIC_FLOAT, bits_of(0x1.8p-25f), 1);
   /* Floats without a sign: what is below zero is zero, what is finite stays so. */
   ends_as(c, FORMAT_R11G11B10_FLOAT, NUMERIC_FLOAT, bits_of(-1.0f), 0);
   ends_as(c, FORMAT_R11G11B10_FLOAT, NUMERIC_FLOAT, bits_of(1e9f), 0x7bf);
   ends_as(c, FORMAT_R11G11B10_FLOAT, NUMERIC_FLOAT, bits_of(INFINITY), 0x7c0);
   ends_as(c, FORMAT_R10G11B11_FLOAT, NUMERIC_FLOAT, bits_of(1e9f), 0x3df);
}

/* What no target can have. */
static void
no_targets(void **state)
{
   static const unsigned none[] = { FORMAT_NONE,     FORMAT_R8G8B8,    FORMAT_R16G16B16,
                                    FORMAT_BC1,      FORMAT_BC7,       FORMAT_GB_GR,
                                    FORMAT_R9G9B9E5, FORMAT_R11G11B10, FORMAT_FXT1,
                                    FORMAT_R10G11B11 };

   (void)state;
   for (unsigned i = 0; i < sizeof(none) / sizeof(*none); i++) {
      struct cb_channel channel[4] = { { 0 } };

      assert_int_equal(cb_channels(channel, none[i], NUMERIC_UNORM, NULL), 0);
      assert_int_equal(channel[0].bits, 0);
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
      cmocka_unit_test(codes),
      cmocka_unit_test(edges),
      cmocka_unit_test(no_targets),
   };

   return cmocka_run_group_tests(tests, setup, teardown);
}
