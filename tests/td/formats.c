/* SPDX-License-Identifier: MIT */
/*
 * Every data format with every number format: LD and vertex fetch against a scalar reference in
 * double precision that reads bits one by one, for all builds.
 */
#include <math.h>

#include "harness.h"

/* Channel widths from the lowest bit up, written down from the formats' definitions. */
static const struct layout {
   unsigned format, bytes;
   char kind; /* i integers by number format, f floats, d float and integer, e shared exponent */
   unsigned bits[4];
} layouts[] = {
   { FMT_8, 1, 'i', { 8 } },
   { FMT_4_4, 1, 'i', { 4, 4 } },
   { FMT_3_3_2, 1, 'i', { 2, 3, 3 } },
   { FMT_16, 2, 'i', { 16 } },
   { FMT_16_FLOAT, 2, 'f', { 16 } },
   { FMT_8_8, 2, 'i', { 8, 8 } },
   { FMT_5_6_5, 2, 'i', { 5, 6, 5 } },
   { FMT_6_5_5, 2, 'i', { 5, 5, 6 } },
   { FMT_1_5_5_5, 2, 'i', { 5, 5, 5, 1 } },
   { FMT_4_4_4_4, 2, 'i', { 4, 4, 4, 4 } },
   { FMT_5_5_5_1, 2, 'i', { 1, 5, 5, 5 } },
   { FMT_32, 4, 'i', { 32 } },
   { FMT_32_FLOAT, 4, 'f', { 32 } },
   { FMT_16_16, 4, 'i', { 16, 16 } },
   { FMT_16_16_FLOAT, 4, 'f', { 16, 16 } },
   { FMT_8_24, 4, 'i', { 24, 8 } },
   { FMT_24_8, 4, 'i', { 8, 24 } },
   { FMT_10_11_11, 4, 'i', { 11, 11, 10 } },
   { FMT_10_11_11_FLOAT, 4, 'f', { 11, 11, 10 } },
   { FMT_11_11_10, 4, 'i', { 10, 11, 11 } },
   { FMT_11_11_10_FLOAT, 4, 'f', { 10, 11, 11 } },
   { FMT_2_10_10_10, 4, 'i', { 10, 10, 10, 2 } },
   { FMT_8_8_8_8, 4, 'i', { 8, 8, 8, 8 } },
   { FMT_10_10_10_2, 4, 'i', { 2, 10, 10, 10 } },
   { FMT_X24_8_32_FLOAT, 8, 'd', { 32, 8 } },
   { FMT_32_32, 8, 'i', { 32, 32 } },
   { FMT_32_32_FLOAT, 8, 'f', { 32, 32 } },
   { FMT_16_16_16_16, 8, 'i', { 16, 16, 16, 16 } },
   { FMT_16_16_16_16_FLOAT, 8, 'f', { 16, 16, 16, 16 } },
   { FMT_32_32_32_32, 16, 'i', { 32, 32, 32, 32 } },
   { FMT_32_32_32_32_FLOAT, 16, 'f', { 32, 32, 32, 32 } },
   { FMT_5_9_9_9_SHAREDEXP, 4, 'e', { 9, 9, 9 } },
   { FMT_8_8_8, 3, 'i', { 8, 8, 8 } },
   { FMT_16_16_16, 6, 'i', { 16, 16, 16 } },
   { FMT_16_16_16_FLOAT, 6, 'f', { 16, 16, 16 } },
   { FMT_32_32_32, 12, 'i', { 32, 32, 32 } },
   { FMT_32_32_32_FLOAT, 12, 'f', { 32, 32, 32 } },
};

static uint64_t
take_bits(const uint8_t *p, unsigned at, unsigned n)
{
   uint64_t v = 0;
   for (unsigned i = 0; i < n; i++)
      v |= (uint64_t)(p[(at + i) / 8] >> ((at + i) % 8) & 1) << i;
   return v;
}

/* Sign, exponent and mantissa widths of the small floats. */
static double
small_float(uint32_t v, unsigned mantissa, unsigned sign, bool *nan)
{
   uint32_t m = v & ((1u << mantissa) - 1), e = v >> mantissa & 31;
   double s = sign && v >> (mantissa + 5) ? -1 : 1;
   *nan = e == 31 && m;
   if (e == 31)
      return s * INFINITY;
   if (e == 0)
      return s * ldexp(m, -14 - (int)mantissa);
   return s * ldexp(m | 1u << mantissa, (int)e - 15 - (int)mantissa);
}

/* What channel c of the element must read as, in bits. */
static uint32_t
expect_channel(const struct layout *l, const uint8_t *p, unsigned c, unsigned num, bool sign,
               unsigned srf)
{
   unsigned at = 0, n = l->bits[c];
   bool ints = num == SQ_NUM_FORMAT_INT && l->kind != 'f' && l->kind != 'e', nan;

   for (unsigned i = 0; i < c; i++)
      at += l->bits[i];
   if (n == 0)
      return c < 3 ? 0 : ints ? 1 : test_bits(1.0f);
   uint64_t v = take_bits(p, at, n);
   if (l->kind == 'e')
      return test_bits((float)ldexp((double)v, (int)take_bits(p, 27, 5) - 24));
   if (l->kind == 'f' || (l->kind == 'd' && c == 0)) {
      double f;
      if (n == 32)
         return (uint32_t)v;
      f = small_float((uint32_t)v, n == 16 ? 10 : n - 5, n == 16, &nan);
      return nan ? 0x7fc00000u : test_bits((float)f);
   }
   int64_t s = (int64_t)v;
   if (sign && v >> (n - 1))
      s -= (int64_t)1 << n;
   if (num == SQ_NUM_FORMAT_INT || (num == SQ_NUM_FORMAT_SCALED && n == 32))
      return (uint32_t)s;
   if (num == SQ_NUM_FORMAT_SCALED)
      return test_bits((float)s);
   if (!sign)
      return test_bits((float)((double)s / (double)(((uint64_t)1 << n) - 1)));
   if (srf)
      return test_bits((float)((2.0 * (double)s + 1) / (double)(((uint64_t)1 << n) - 1)));
   double max = n == 1 ? 1 : (double)(((uint64_t)1 << (n - 1)) - 1);
   double f = (double)s / max;
   return test_bits((float)(f < -1 ? -1 : f));
}

static void
fill(struct vm *space, uint32_t seed)
{
   for (unsigned i = 0; i < TEST_BYTES / 4; i++) {
      uint32_t v = test_random(&seed);
      /* Extremes are rare among random words. */
      if ((v & 7) == 0)
         v = (v & 8) ? ~0u : (v & 16) ? 0x80008080u : 0x7fff7f7fu;
      memcpy(space->data + 4 * i, &v, 4);
   }
}

static void
ld_reads_every_format(void **state)
{
   struct test_build builds[3];
   unsigned num_builds = test_builds(builds);
   struct vm space;
   test_vm_init(&space);
   fill(&space, 7);

   for (unsigned i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
      const struct layout *f = &layouts[i];
      for (unsigned k = 0; k < 6; k++) {
         struct test_tex t;
         struct test_words w;
         struct test_lanes l;
         test_tex_init(&t);
         t.op = 3;
         t.format = f->format;
         t.num_format = k / 2;
         t.comp = k & 1;
         t.width = t.height = 64;
         test_tex_words(&t, &space, &w);
         memset(&l, 0, sizeof(l));
         for (unsigned y = 0; y < 8; y++) {
            for (unsigned lane = 0; lane < 64; lane++) {
               l.src[0][lane] = lane;
               l.src[1][lane] = y * 7;
            }
            for (unsigned b = 0; b < num_builds; b++) {
               test_tex_run(&builds[b], &w, &l, ~UINT64_C(0));
               for (unsigned lane = 0; lane < 64; lane++) {
                  const uint8_t *p = space.data + (y * 7 * w.levels[0].pitch + lane) * f->bytes;
                  for (unsigned c = 0; c < 4; c++) {
                     uint32_t e = expect_channel(f, p, c, t.num_format, t.comp, 0);
                     if (l.out[c][lane] != e)
                        fail_msg("%s: format %u num %u sign %u channel %u: %08x, not %08x",
                                 builds[b].name, f->format, t.num_format, t.comp, c, l.out[c][lane],
                                 e);
                  }
               }
            }
         }
      }
   }
}

/* Of integers a border is bits, or, as five-slot chips have it, fractions of the largest value; a
 * component that is no channel has the number itself. */
static void
borders_of_integers(void **state)
{
   static const struct {
      unsigned format, comp;
      float fraction;
      uint32_t expected;
   } rows[] = {
      { FMT_8_8_8_8, 0, 1.0f, 255 },
      { FMT_8_8_8_8, 0, 7.0f / 255, 7 },
      { FMT_8_8_8_8, 0, -1.0f, 0 },
      { FMT_8_8_8_8, 0, 5.0f, 255 },
      { FMT_8_8_8_8, 1, -1.0f, -127u },
      { FMT_8_8_8_8, 1, 100.0f / 127, 100 },
      { FMT_16_16_16_16, 0, 12345.0f / 65535, 12345 },
      { FMT_16_16_16_16, 1, -12345.0f / 32767, -12345u },
      { FMT_32_32_32_32, 0, 1.0f, UINT32_MAX },
      { FMT_32_32_32_32, 0, 100.0f / 4294967295.0f, 100 },
      { FMT_32_32_32_32, 1, -100.0f / 2147483647.0f, -100u },
   };
   struct test_build builds[3];
   unsigned num_builds = test_builds(builds);
   struct vm space;
   test_vm_init(&space);

   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]) * 2; i++) {
      const bool fractions = i % 2;
      const uint32_t bits = test_bits(rows[i / 2].fraction);
      struct test_tex t;
      struct test_words w;
      struct test_lanes l;
      test_tex_init(&t);
      t.format = rows[i / 2].format;
      t.num_format = SQ_NUM_FORMAT_INT;
      t.comp = rows[i / 2].comp;
      t.sel[3] = 5;
      t.clamp[0] = t.clamp[1] = SQ_TEX_CLAMP_BORDER;
      t.border_type = SQ_TEX_BORDER_COLOR_REGISTER;
      t.border[0] = t.border[1] = t.border[2] = bits;
      t.border[3] = fractions ? test_bits(1) : 1;
      test_tex_words(&t, &space, &w);
      w.view.border_fractions = fractions;
      memset(&l, 0, sizeof(l));
      for (unsigned lane = 0; lane < 64; lane++)
         l.src[0][lane] = l.src[1][lane] = test_bits(3.0f);
      for (unsigned b = 0; b < num_builds; b++) {
         test_tex_run(&builds[b], &w, &l, ~UINT64_C(0));
         assert_int_equal(l.out[0][5], fractions ? rows[i / 2].expected : bits);
         assert_int_equal(l.out[2][63], fractions ? rows[i / 2].expected : bits);
         assert_int_equal(l.out[3][0], 1);
      }
   }
}

static void
vertex_fetch_reads_every_format(void **state)
{
   struct test_build builds[3];
   unsigned num_builds = test_builds(builds);
   struct vm space;
   uint32_t seed = 99;
   test_vm_init(&space);
   fill(&space, 5);

   for (unsigned i = 0; i < sizeof(layouts) / sizeof(layouts[0]) * 24; i++) {
      const struct layout *f = &layouts[i / 24];
      unsigned num = i % 3, sign = i / 3 & 1, srf = i / 6 & 1, fields = i / 12 & 1;
      unsigned stride = i % 5 == 0 ? 0 : i % 5 == 1 ? f->bytes : f->bytes + test_random(&seed) % 40;
      unsigned offset = test_random(&seed) % 64, size = 1 + test_random(&seed) % 4096;
      uint32_t words[8] = {
         (uint32_t)TEST_VA + 4096,
         size - 1,
         REG_FIELD(BUF_WORD2, STRIDE, stride) |
            (fields ? REG_FIELD(BUF_WORD2, DATA_FORMAT, f->format) |
                         REG_FIELD(BUF_WORD2, NUM_FORMAT_ALL, num) |
                         REG_FIELD(BUF_WORD2, FORMAT_COMP_ALL, sign) |
                         REG_FIELD(BUF_WORD2, SRF_MODE_ALL, srf)
                    : 0),
         REG_FIELD(BUF_WORD3, DST_SEL_X, 0) | REG_FIELD(BUF_WORD3, DST_SEL_Y, 1) |
            REG_FIELD(BUF_WORD3, DST_SEL_Z, 2) | REG_FIELD(BUF_WORD3, DST_SEL_W, 3),
         0,
         0,
         0,
         REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER),
      };
      const struct td_fetch fetch = {
         .buffer_format = fields,
         .format = cayman_format[f->format],
         .conversion = cayman_conversion[num],
         .sign = cayman_sign[sign],
         .no_zero = srf,
         .offset = (uint16_t)offset,
         .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W },
      };
      static const unsigned add[3] = { 3, 5, 0 };
      struct elements buffer;

      assert_true(cayman_decode_buffer(&buffer, words, &space));

      wave_lane index, out[4];
      uint32_t *dst[4] = { out[0], out[1], out[2], out[3] };
      bool sequence = test_random(&seed) & 1;
      uint64_t lanes = test_random(&seed) & 3 ? ~UINT64_C(0) : UINT64_C(0x00ffff0f12345678);

      for (unsigned lane = 0; lane < 64; lane++)
         index[lane] = sequence     ? lane
                       : lane == 13 ? 0xffffffffu
                                    : test_random(&seed) % (stride ? 4200 / stride + 2 : 10000);
      for (unsigned b = 0; b < num_builds; b++) {
         struct td_vtx_bind bind;
         memset(&bind, 0xa5, sizeof(bind));
         memset(out, 0x5a, sizeof(out));
         td_bind_fetch(&builds[b].kernels, &bind, &fetch, &buffer, add[i % 3]);
         bind.run(&bind, index, dst, lanes);
         for (unsigned lane = 0; lane < 64; lane++) {
            uint64_t at = (uint64_t)(uint32_t)(index[lane] + add[i % 3]) * stride + offset;
            uint8_t element[16] = { 0 };
            for (unsigned n = 0; n < f->bytes; n++)
               if (at + n < size)
                  element[n] = space.data[4096 + at + n];
            for (unsigned c = 0; c < 4; c++) {
               uint32_t e =
                  lanes >> lane & 1 ? expect_channel(f, element, c, num, sign, srf) : 0x5a5a5a5au;
               if (out[c][lane] != e)
                  fail_msg("%s: format %u num %u sign %u srf %u lane %u channel %u: %08x, not %08x",
                           builds[b].name, f->format, num, sign, srf, lane, c, out[c][lane], e);
            }
         }
      }
   }
}

/* The sRGB transfer function, to half an ulp as far as the C library's pow() allows to tell. */
static void
srgb_table_is_the_transfer_function(void **state)
{
   for (unsigned i = 0; i < 256; i++) {
      double c = i / 255.0, l = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
      assert_true(fabs(td_srgb_to_linear[i] - l) <= l * 0x1.001p-24);
   }
}

/* Blocks worked out by hand or with an independent decoder. */
static void
blocks_decode(void **state)
{
   static const struct {
      unsigned format;
      uint8_t block[16];
      unsigned signs, x, y;
      uint32_t out[4];
   } cases[] = {
      /* red, blue, opaque ramp: index 2 is two thirds red */
      { FORMAT_BC1, { 0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0 }, 0, 0, 0, { 255, 0, 0, 255 } },
      { FORMAT_BC1, { 0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0 }, 0, 1, 0, { 0, 0, 255, 255 } },
      { FORMAT_BC1, { 0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0 }, 0, 2, 0, { 170, 0, 85, 255 } },
      { FORMAT_BC1, { 0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0 }, 0, 3, 0, { 85, 0, 170, 255 } },
      /* endpoints the other way round: half, then transparent */
      { FORMAT_BC1, { 0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0 }, 0, 2, 0, { 127, 0, 127, 255 } },
      { FORMAT_BC1, { 0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0 }, 0, 3, 0, { 0, 0, 0, 0 } },
      { FORMAT_BC2,
        { 0x21, 0x43, 0, 0, 0, 0, 0, 0, 0x1f, 0, 0, 0xf8, 0xff, 0, 0, 0 },
        0,
        2,
        0,
        { 170, 0, 85, 51 } },
      /* alpha 0..255 in eight steps: index 2 is six sevenths of the first */
      { FORMAT_BC3, { 255, 0, 0x02, 0, 0, 0, 0, 0, 0xff, 0xff }, 0, 0, 0, { 255, 255, 255, 219 } },
      { FORMAT_BC4, { 255, 0, 0x02 }, 0, 0, 0, { 0x3f5b6db7 } },
      { FORMAT_BC4, { 0x80, 0x7f, 0x07 }, 1, 0, 0, { 0x3f800000 } },
      { FORMAT_BC4, { 0x80, 0x7f, 0x00 }, 1, 0, 0, { 0xbf800000 } },
      { FORMAT_BC5,
        { 255, 0, 0x02, 0, 0, 0, 0, 0, 0, 0, 0x07 },
        0,
        0,
        0,
        { 0x3f5b6db7, 0x3f800000 } },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      uint32_t out[4] = { 0, 0, 0, 0 };
      td_block_texel(cases[i].format, cases[i].block, cases[i].x, cases[i].y, cases[i].signs, out);
      for (unsigned c = 0; c < 4; c++)
         if (out[c] != cases[i].out[c])
            fail_msg("case %u channel %u: %x, not %x", i, c, out[c], cases[i].out[c]);
   }
}

/* BC6 and BC7 over random blocks of all modes: the results were compared with an independent
 * decoder's. */
static void
bc6_bc7_hash(void **state)
{
   static const struct {
      unsigned format, signs;
      uint64_t hash;
   } cases[] = {
      { FORMAT_BC6, 0, 0x03c505770079a5a8ull },
      { FORMAT_BC6, 7, 0x9fd87c30fdac5cc8ull },
      { FORMAT_BC7, 0, 0x93a48f3c5cdf747full },
   };
   for (unsigned i = 0; i < 3; i++) {
      uint32_t seed = 1234;
      uint64_t hash = 0xcbf29ce484222325ull;
      for (unsigned n = 0; n < 4096; n++) {
         uint8_t block[16];
         for (unsigned b = 0; b < 16; b++)
            block[b] = (uint8_t)(test_random(&seed) >> 13);
         /* Every mode of BC7 alike. */
         if (cases[i].format == FORMAT_BC7)
            block[0] = (uint8_t)((block[0] | 1) << (n % 8));
         for (unsigned p = 0; p < 16; p++) {
            uint32_t out[4] = { 0, 0, 0, 0 };
            td_block_texel(cases[i].format, block, p & 3, p >> 2, cases[i].signs, out);
            for (unsigned c = 0; c < 4; c++)
               hash = (hash ^ out[c]) * 0x100000001b3ull;
         }
      }
      if (hash != cases[i].hash)
         fail_msg("case %u: hash is %016llx", i, (unsigned long long)hash);
   }
}

/* A block at once, and texel by texel. */
static void
blocks_decode_at_once(void **state)
{
   static const uint8_t formats[] = { FORMAT_BC1, FORMAT_BC2, FORMAT_BC3, FORMAT_BC4,
                                      FORMAT_BC5, FORMAT_BC6, FORMAT_BC7 };
   uint32_t seed = 99;

   for (unsigned n = 0; n < 20000; n++) {
      const unsigned format = formats[n % sizeof(formats)], signs = test_random(&seed) >> 8 & 15;
      const unsigned dwords = td_block_dwords(format);
      uint8_t block[16];
      uint32_t all[32];
      memset(all, 0xa5, sizeof(all));
      for (unsigned b = 0; b < 16; b++)
         block[b] = (uint8_t)(test_random(&seed) >> 13);
      /* Every mode of BC7 alike, and the reserved one. */
      if (format == FORMAT_BC7)
         block[0] = (uint8_t)((block[0] | 1) << (n / sizeof(formats) % 9));
      td_block_decode(format, block, signs, all);
      for (unsigned p = 0; p < 16; p++) {
         uint32_t c[4] = { 0, 0, 0, 0 }, want[2];
         td_block_texel(format, block, p & 3, p >> 2, signs, c);
         if (format == FORMAT_BC4 || format == FORMAT_BC5)
            want[0] = c[0], want[1] = c[1];
         else if (format == FORMAT_BC6)
            want[0] = c[0] | c[1] << 16, want[1] = c[2];
         else
            want[0] = c[0] | c[1] << 8 | c[2] << 16 | c[3] << 24, want[1] = 0;
         for (unsigned d = 0; d < dwords; d++)
            if (all[p * dwords + d] != want[d])
               fail_msg("format %u texel %u dword %u: %08x, not %08x", format, p, d,
                        all[p * dwords + d], want[d]);
      }
   }
}

/* FXT1 by hand: a texel of every mode. */
static void
fxt1_decodes(void **state)
{
   static const struct {
      uint8_t block[16];
      uint8_t x, y;
      uint32_t rgba[4];
   } cases[] = {
      /* HI: black to white in six steps, index 2: 255 / 3. */
      { { 2, [13] = 0x80, 0xff, 0x3f }, 0, 0, { 85, 85, 85, 255 } },
      /* Index 7, of texel 21: bits 63 to 65. */
      { { [7] = 0x80, 3, [13] = 0x80, 0xff, 0x3f }, 5, 1, { 0, 0, 0, 0 } },
      /* CHROMA: index 3 of the right half's first texel; the fourth colour has red 31, blue 1. */
      { { [4] = 3, [13] = 0x20, 0x80, 0x4f }, 4, 0, { 255, 0, 8, 255 } },
      /* MIXED, opaque: from blue 31 to none, index 1; the first green's low bit is the texel's own
       * high bit against the block's, and both are 0. */
      { { 1, [8] = 31, [15] = 0x80 }, 0, 0, { 0, 0, 170, 255 } },
      /* The same with index 2: that bit is 1, green 1 of 63 is 4, and a third of it is left. */
      { { 2, [8] = 31, [15] = 0x80 }, 0, 0, { 0, 1, 85, 255 } },
      /* MIXED with a transparent texel: index 1 is half of blue's 255, rounded down. */
      { { 1, [8] = 31, [15] = 0x90 }, 0, 0, { 0, 0, 127, 255 } },
      { { 3, [8] = 31, [15] = 0x90 }, 0, 0, { 0, 0, 0, 0 } },
      /* ALPHA, a choice: index 1's alpha is bits 114 to 118. */
      { { 1, [14] = 0x7c, 0x60 }, 0, 0, { 0, 0, 0, 255 } },
      /* ALPHA, mixed: right half, index 0 is the third colour (blue at 94, alpha at 119). */
      { { [11] = 0xc0, 7, [14] = 0x80, 0x7f }, 4, 3, { 0, 0, 255, 255 } },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      uint32_t c[4] = { 1, 1, 1, 1 };
      td_block_texel(FORMAT_FXT1, cases[i].block, cases[i].x, cases[i].y, 0, c);
      if (memcmp(c, cases[i].rgba, sizeof(c)) != 0)
         fail_msg("case %u: %u %u %u %u", i, c[0], c[1], c[2], c[3]);
   }
}

/* Texels of compressed textures, anywhere, through every build: what td_block_texel() makes of the
 * bytes in memory, also of those written since the last read. */
static void
ld_reads_blocks(void **state)
{
   static const uint8_t formats[][2] = {
      { FMT_BC1, FORMAT_BC1 }, { FMT_BC2, FORMAT_BC2 },   { FMT_BC3, FORMAT_BC3 },
      { FMT_BC4, FORMAT_BC4 }, { FMT_BC5, FORMAT_BC5 },   { FMT_BC6, FORMAT_BC6 },
      { FMT_BC7, FORMAT_BC7 }, { FMT_FXT1, FORMAT_FXT1 },
   };
   enum { COUNT = sizeof(formats) / sizeof(formats[0]) };
   struct test_build builds[3];
   unsigned num_builds = test_builds(builds);
   struct vm space;
   uint32_t seed = 7;
   test_vm_init(&space);

   for (unsigned round = 0; round < COUNT * 2 * 12; round++) {
      struct test_tex t;
      struct test_words w;
      struct test_lanes l;
      test_tex_init(&t);
      t.format = formats[round % COUNT][0];
      const unsigned format = formats[round % COUNT][1];
      t.comp = round / COUNT & 1;
      t.width = 300;
      t.height = 200;
      t.op = 3;
      for (unsigned c = 0; c < 4; c++)
         t.sel[c] = c;
      fill(&space, round / (2 * COUNT));
      test_tex_words(&t, &space, &w);
      memset(&l, 0, sizeof(l));
      /* All over the texture, and within a few blocks. */
      unsigned wide = round & 4 ? 300 : 9, high = round & 4 ? 200 : 9;
      unsigned x0 = test_random(&seed) % (301 - wide), y0 = test_random(&seed) % (201 - high);
      for (unsigned lane = 0; lane < 64; lane++) {
         l.src[0][lane] = x0 + test_random(&seed) % wide;
         l.src[1][lane] = y0 + test_random(&seed) % high;
      }
      for (unsigned b = 0; b < num_builds; b++) {
         test_tex_run(&builds[b], &w, &l, ~UINT64_C(0));
         for (unsigned lane = 0; lane < 64; lane++) {
            uint32_t x = l.src[0][lane], y = l.src[1][lane], e[4] = { 0, 0, 0, 0x3f800000u };
            const unsigned bytes = format == FORMAT_BC1 || format == FORMAT_BC4 ? 8 : 16;
            const unsigned wide_by = format == FORMAT_FXT1 ? 8 : 4;
            bool nan;
            td_block_texel(format,
                           space.data + (y / 4 * w.levels[0].pitch + x / wide_by) * (size_t)bytes,
                           x % wide_by, y & 3, t.comp ? 15 : 0, e);
            for (unsigned c = 0; c < 4; c++) {
               if (format == FORMAT_BC6 && c < 3)
                  e[c] = test_bits((float)small_float(e[c], 10, 1, &nan));
               else if (format <= FORMAT_BC3 || format == FORMAT_BC7 || format == FORMAT_FXT1)
                  e[c] = test_bits((float)e[c] / 255.0f);
               if (l.out[c][lane] != e[c])
                  fail_msg("%s: format %u sign %u texel (%u, %u) channel %u: %08x, not %08x",
                           builds[b].name, t.format, t.comp, x, y, c, l.out[c][lane], e[c]);
            }
         }
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(ld_reads_every_format),
      cmocka_unit_test(borders_of_integers),
      cmocka_unit_test(vertex_fetch_reads_every_format),
      cmocka_unit_test(srgb_table_is_the_transfer_function),
      cmocka_unit_test(blocks_decode),
      cmocka_unit_test(blocks_decode_at_once),
      cmocka_unit_test(bc6_bc7_hash),
      cmocka_unit_test(fxt1_decodes),
      cmocka_unit_test(ld_reads_blocks),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
