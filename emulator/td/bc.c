/* SPDX-License-Identifier: MIT */
/*
 * Block compressed textures (BC1 to BC7), one texel of a block or all, and subsampled pairs.
 *
 * Integer arithmetic throughout, so that results are exact: BC1, 2, 3 interpolate expanded 8-bit
 * endpoints, rounded to nearest; BC4, 5 divide the exact weighted sum once; BC6, 7 follow the
 * published bit-exact rules.  A reserved mode decodes to zero.
 */
#include <stdbool.h>
#include <string.h>

#include "td/formats.h"

static uint32_t
read_le(const uint8_t *p, unsigned bytes)
{
   uint32_t v = 0;
   for (unsigned i = 0; i < bytes; i++)
      v |= (uint32_t)p[i] << (8 * i);
   return v;
}

/* Up to 16 bits of a 128-bit block from bit `at` on; bits beyond the block are zero. */
static uint32_t
bits_of(const uint8_t *block, unsigned at, unsigned n)
{
   uint32_t v = 0;
   for (unsigned i = 0; i < 3 && at / 8 + i < 16; i++)
      v |= (uint32_t)block[at / 8 + i] << (8 * i);
   return (v >> (at % 8)) & ((1u << n) - 1);
}

/* ---------------------------------------------------------------------------------------------
 * BC1 to BC5
 */
static void
bc1_color(const uint8_t *block, unsigned texel, bool punch_through, uint32_t out[4])
{
   uint32_t c[2] = { read_le(block, 2), read_le(block + 2, 2) };
   unsigned index = (read_le(block + 4, 4) >> (2 * texel)) & 3;
   uint32_t rgb[2][3];

   for (unsigned i = 0; i < 2; i++) {
      uint32_t r = c[i] >> 11, g = (c[i] >> 5) & 63, b = c[i] & 31;
      rgb[i][0] = r << 3 | r >> 2;
      rgb[i][1] = g << 2 | g >> 4;
      rgb[i][2] = b << 3 | b >> 2;
   }
   out[3] = 255;
   for (unsigned k = 0; k < 3; k++) {
      uint32_t a = rgb[0][k], b = rgb[1][k];
      if (index < 2)
         out[k] = index ? b : a;
      else if (!punch_through || c[0] > c[1])
         out[k] = index == 2 ? (2 * a + b + 1) / 3 : (a + 2 * b + 1) / 3;
      else
         out[k] = index == 2 ? (a + b) / 2 : 0;
   }
   if (punch_through && c[0] <= c[1] && index == 3)
      out[3] = 0;
}

/* The eight-step ramp of BC3 alpha, BC4 and BC5: numerator over 5 or 7 times the largest value.
 * `is_signed` endpoints are -127..127. */
static int32_t
ramp(const uint8_t *block, unsigned texel, bool is_signed, int32_t *steps)
{
   int32_t a = block[0], b = block[1], lo = 0, hi = 255;
   unsigned at = 16 + 3 * texel;
   unsigned index = (read_le(block + at / 8, at / 8 < 7 ? 2 : 1) >> (at % 8)) & 7;

   if (is_signed) {
      a = (int8_t)block[0];
      b = (int8_t)block[1];
      a = a < -127 ? -127 : a;
      b = b < -127 ? -127 : b;
      lo = -127;
      hi = 127;
   }
   *steps = 7;
   if (index < 2)
      return 7 * (index ? b : a);
   if (a > b)
      return (8 - (int32_t)index) * a + ((int32_t)index - 1) * b;
   *steps = 5;
   if (index < 6)
      return (6 - (int32_t)index) * a + ((int32_t)index - 1) * b;
   return 5 * (index == 6 ? lo : hi);
}

static uint32_t
ramp_float(const uint8_t *block, unsigned texel, bool is_signed)
{
   int32_t steps, n = ramp(block, texel, is_signed, &steps);
   float f = (float)n / (float)(steps * (is_signed ? 127 : 255));
   uint32_t bits;
   memcpy(&bits, &f, 4);
   return bits;
}

/* ---------------------------------------------------------------------------------------------
 * Partitions of BC6 and BC7
 */
/* clang-format off */
/* Two subsets: bit n is the subset of texel n. */
static const uint16_t partition_2[64] = {
   0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80,
   0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
   0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce,
   0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
   0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a,
   0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
   0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c,
   0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};
/* Three subsets: two bits per texel. */
static const uint32_t partition_3[64] = {
   0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
   0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
   0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
   0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
   0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
   0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
   0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
   0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};
/* Texels with an index of one bit less, beside texel 0: second subset of two, second and third
 * subset of three. */
static const uint8_t anchors[3][64] = {
   { 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2, 15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6, 6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15 },
   { 3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3, 3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15, 15, 8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3, 3 },
   { 15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8, 15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10, 15, 15, 10, 8, 15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8, 15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3, 15, 15, 8 },
};
/* clang-format on */

static unsigned
subset_of(unsigned subsets, unsigned partition, unsigned texel)
{
   return subsets == 2   ? (partition_2[partition] >> texel) & 1
          : subsets == 3 ? (partition_3[partition] >> (2 * texel)) & 3
                         : 0;
}

/* Reads the index of `texel` from a table of `bits`-wide indices at bit `at`. */
static unsigned
index_of(const uint8_t *block, unsigned at, unsigned bits, unsigned subsets, unsigned partition,
         unsigned texel)
{
   unsigned before = texel > 0;
   bool anchor = texel == 0;

   for (unsigned s = 1; s < subsets; s++) {
      unsigned a = anchors[subsets == 2 ? 0 : s][partition];
      before += texel > a;
      anchor |= texel == a;
   }
   return bits_of(block, at + bits * texel - before, bits - anchor);
}

/* Of the second endpoint, by an index of 2, 3 or 4 bits. */
static const uint8_t bc_weights[3][16] = {
   { 0, 21, 43, 64 },
   { 0, 9, 18, 27, 37, 46, 55, 64 },
   { 0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64 },
};

static int32_t
weigh(int32_t a, int32_t b, unsigned index, unsigned bits)
{
   int32_t w = bc_weights[bits - 2][index];
   return ((64 - w) * a + w * b + 32) >> 6;
}

/* ---------------------------------------------------------------------------------------------
 * BC7
 */
struct bc7_mode {
   uint8_t subsets, partition_bits, rotation_bits, select_bits, color_bits, alpha_bits;
   uint8_t pbits; /* 0 none, 1 one per endpoint, 2 one per subset */
   uint8_t index_bits, index2_bits;
};

static const struct bc7_mode bc7_modes[8] = {
   { 3, 4, 0, 0, 4, 0, 1, 3, 0 }, { 2, 6, 0, 0, 6, 0, 2, 3, 0 }, { 3, 6, 0, 0, 5, 0, 0, 2, 0 },
   { 2, 6, 0, 0, 7, 0, 1, 2, 0 }, { 1, 0, 2, 1, 5, 6, 0, 2, 3 }, { 1, 0, 2, 0, 7, 8, 0, 2, 2 },
   { 1, 0, 0, 0, 7, 7, 1, 4, 0 }, { 2, 6, 0, 0, 5, 5, 1, 2, 0 },
};

static void
bc7_texel(const uint8_t *block, unsigned texel, uint32_t out[4])
{
   if (block[0] == 0) {
      memset(out, 0, 16);
      return;
   }
   unsigned at = (unsigned)__builtin_ctz(block[0]) + 1;
   const struct bc7_mode *m = &bc7_modes[at - 1];
   unsigned partition = bits_of(block, at, m->partition_bits);
   at += m->partition_bits;
   unsigned rotation = bits_of(block, at, m->rotation_bits);
   at += m->rotation_bits;
   unsigned select = bits_of(block, at, m->select_bits);
   at += m->select_bits;

   unsigned subset = subset_of(m->subsets, partition, texel);
   unsigned endpoints = 2u * m->subsets;
   uint32_t e[2][4];
   for (unsigned k = 0; k < 4; k++) {
      unsigned bits = k < 3 ? m->color_bits : m->alpha_bits;
      for (unsigned i = 0; i < 2; i++)
         e[i][k] = bits_of(block, at + (2 * subset + i) * bits, bits);
      at += endpoints * bits;
   }
   if (m->pbits) {
      for (unsigned i = 0; i < 2; i++) {
         uint32_t p = bits_of(block, at + (m->pbits == 1 ? 2 * subset + i : subset), 1);
         for (unsigned k = 0; k < 4; k++)
            e[i][k] = e[i][k] << 1 | p;
      }
      at += m->pbits == 1 ? endpoints : m->subsets;
   }
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned k = 0; k < 4; k++) {
         unsigned bits = (k < 3 ? m->color_bits : m->alpha_bits) + (m->pbits != 0);
         if (k == 3 && m->alpha_bits == 0)
            e[i][k] = 255;
         else
            e[i][k] = (e[i][k] << (8 - bits) | e[i][k] >> (2 * bits - 8)) & 255;
      }
   }

   unsigned index[2], bits[2] = { m->index_bits, m->index2_bits };
   index[0] = index_of(block, at, bits[0], m->subsets, partition, texel);
   if (bits[1]) {
      at += 16u * bits[0] - m->subsets;
      index[1] = index_of(block, at, bits[1], m->subsets, partition, texel);
   } else {
      index[1] = index[0];
      bits[1] = bits[0];
   }
   for (unsigned k = 0; k < 4; k++) {
      unsigned which = k < 3 ? select : !select;
      out[k] = (uint32_t)weigh((int32_t)e[0][k], (int32_t)e[1][k], index[which], bits[which]);
   }
   if (rotation) {
      uint32_t t = out[rotation - 1];
      out[rotation - 1] = out[3];
      out[3] = t;
   }
}

/* ---------------------------------------------------------------------------------------------
 * BC6
 */
enum bc6_field { RW, GW, BW, RX, GX, BX, RY, GY, BY, RZ, GZ, BZ };

/* `count` bits of an endpoint's component from bit `lsb` up; reversed ones come highest first. */
struct bc6_bits {
   uint8_t field, lsb, count, reversed;
};

struct bc6_mode {
   uint8_t endpoint_bits; /* 0: reserved mode */
   uint8_t delta_bits[3];
   bool transformed, two_subsets;
   struct bc6_bits bits[24];
};

#define F(field, lsb, count) \
   {                         \
      field, lsb, count, 0   \
   }
#define V(field, lsb, count) \
   {                         \
      field, lsb, count, 1   \
   }
/* clang-format off */
/* In the order of the mode bits: 00, 01, then xxx10 and xxx11 by their upper bits. */
static const struct bc6_mode bc6_modes[18] = {
   [0] = { 10, { 5, 5, 5 }, true, true,
      { F(GY, 4, 1), F(BY, 4, 1), F(BZ, 4, 1), F(RW, 0, 10), F(GW, 0, 10), F(BW, 0, 10),
        F(RX, 0, 5), F(GZ, 4, 1), F(GY, 0, 4), F(GX, 0, 5), F(BZ, 0, 1), F(GZ, 0, 4),
        F(BX, 0, 5), F(BZ, 1, 1), F(BY, 0, 4), F(RY, 0, 5), F(BZ, 2, 1), F(RZ, 0, 5),
        F(BZ, 3, 1) } },
   [1] = { 7, { 6, 6, 6 }, true, true,
      { F(GY, 5, 1), F(GZ, 4, 1), F(GZ, 5, 1), F(RW, 0, 7), F(BZ, 0, 1), F(BZ, 1, 1),
        F(BY, 4, 1), F(GW, 0, 7), F(BY, 5, 1), F(BZ, 2, 1), F(GY, 4, 1), F(BW, 0, 7),
        F(BZ, 3, 1), F(BZ, 5, 1), F(BZ, 4, 1), F(RX, 0, 6), F(GY, 0, 4), F(GX, 0, 6),
        F(GZ, 0, 4), F(BX, 0, 6), F(BY, 0, 4), F(RY, 0, 6), F(RZ, 0, 6) } },
   [2] = { 11, { 5, 4, 4 }, true, true,
      { F(RW, 0, 10), F(GW, 0, 10), F(BW, 0, 10), F(RX, 0, 5), F(RW, 10, 1), F(GY, 0, 4),
        F(GX, 0, 4), F(GW, 10, 1), F(BZ, 0, 1), F(GZ, 0, 4), F(BX, 0, 4), F(BW, 10, 1),
        F(BZ, 1, 1), F(BY, 0, 4), F(RY, 0, 5), F(BZ, 2, 1), F(RZ, 0, 5), F(BZ, 3, 1) } },
   [3] = { 10, { 10, 10, 10 }, false, false,
      { F(RW, 0, 10), F(GW, 0, 10), F(BW, 0, 10), F(RX, 0, 10), F(GX, 0, 10), F(BX, 0, 10) } },
   [4] = { 11, { 4, 5, 4 }, true, true,
      { F(RW, 0, 10), F(GW, 0, 10), F(BW, 0, 10), F(RX, 0, 4), F(RW, 10, 1), F(GZ, 4, 1),
        F(GY, 0, 4), F(GX, 0, 5), F(GW, 10, 1), F(GZ, 0, 4), F(BX, 0, 4), F(BW, 10, 1),
        F(BZ, 1, 1), F(BY, 0, 4), F(RY, 0, 4), F(BZ, 0, 1), F(BZ, 2, 1), F(RZ, 0, 4),
        F(GY, 4, 1), F(BZ, 3, 1) } },
   [5] = { 11, { 9, 9, 9 }, true, false,
      { F(RW, 0, 10), F(GW, 0, 10), F(BW, 0, 10), F(RX, 0, 9), F(RW, 10, 1), F(GX, 0, 9),
        F(GW, 10, 1), F(BX, 0, 9), F(BW, 10, 1) } },
   [6] = { 11, { 4, 4, 5 }, true, true,
      { F(RW, 0, 10), F(GW, 0, 10), F(BW, 0, 10), F(RX, 0, 4), F(RW, 10, 1), F(BY, 4, 1),
        F(GY, 0, 4), F(GX, 0, 4), F(GW, 10, 1), F(BZ, 0, 1), F(GZ, 0, 4), F(BX, 0, 5),
        F(BW, 10, 1), F(BY, 0, 4), F(RY, 0, 4), F(BZ, 1, 1), F(BZ, 2, 1), F(RZ, 0, 4),
        F(BZ, 4, 1), F(BZ, 3, 1) } },
   [7] = { 12, { 8, 8, 8 }, true, false,
      { F(RW, 0, 10), F(GW, 0, 10), F(BW, 0, 10), F(RX, 0, 8), V(RW, 10, 2), F(GX, 0, 8),
        V(GW, 10, 2), F(BX, 0, 8), V(BW, 10, 2) } },
   [8] = { 9, { 5, 5, 5 }, true, true,
      { F(RW, 0, 9), F(BY, 4, 1), F(GW, 0, 9), F(GY, 4, 1), F(BW, 0, 9), F(BZ, 4, 1),
        F(RX, 0, 5), F(GZ, 4, 1), F(GY, 0, 4), F(GX, 0, 5), F(BZ, 0, 1), F(GZ, 0, 4),
        F(BX, 0, 5), F(BZ, 1, 1), F(BY, 0, 4), F(RY, 0, 5), F(BZ, 2, 1), F(RZ, 0, 5),
        F(BZ, 3, 1) } },
   [9] = { 16, { 4, 4, 4 }, true, false,
      { F(RW, 0, 10), F(GW, 0, 10), F(BW, 0, 10), F(RX, 0, 4), V(RW, 10, 6), F(GX, 0, 4),
        V(GW, 10, 6), F(BX, 0, 4), V(BW, 10, 6) } },
   [10] = { 8, { 6, 5, 5 }, true, true,
      { F(RW, 0, 8), F(GZ, 4, 1), F(BY, 4, 1), F(GW, 0, 8), F(BZ, 2, 1), F(GY, 4, 1),
        F(BW, 0, 8), F(BZ, 3, 1), F(BZ, 4, 1), F(RX, 0, 6), F(GY, 0, 4), F(GX, 0, 5),
        F(BZ, 0, 1), F(GZ, 0, 4), F(BX, 0, 5), F(BZ, 1, 1), F(BY, 0, 4), F(RY, 0, 6),
        F(RZ, 0, 6) } },
   [11] = { .endpoint_bits = 0 },
   [12] = { 8, { 5, 6, 5 }, true, true,
      { F(RW, 0, 8), F(BZ, 0, 1), F(BY, 4, 1), F(GW, 0, 8), F(GY, 5, 1), F(GY, 4, 1),
        F(BW, 0, 8), F(GZ, 5, 1), F(BZ, 4, 1), F(RX, 0, 5), F(GZ, 4, 1), F(GY, 0, 4),
        F(GX, 0, 6), F(GZ, 0, 4), F(BX, 0, 5), F(BZ, 1, 1), F(BY, 0, 4), F(RY, 0, 5),
        F(BZ, 2, 1), F(RZ, 0, 5), F(BZ, 3, 1) } },
   [13] = { .endpoint_bits = 0 },
   [14] = { 8, { 5, 5, 6 }, true, true,
      { F(RW, 0, 8), F(BZ, 1, 1), F(BY, 4, 1), F(GW, 0, 8), F(BY, 5, 1), F(GY, 4, 1),
        F(BW, 0, 8), F(BZ, 5, 1), F(BZ, 4, 1), F(RX, 0, 5), F(GZ, 4, 1), F(GY, 0, 4),
        F(GX, 0, 5), F(BZ, 0, 1), F(GZ, 0, 4), F(BX, 0, 6), F(BY, 0, 4), F(RY, 0, 5),
        F(BZ, 2, 1), F(RZ, 0, 5), F(BZ, 3, 1) } },
   [15] = { .endpoint_bits = 0 },
   [16] = { 6, { 6, 6, 6 }, false, true,
      { F(RW, 0, 6), F(GZ, 4, 1), F(BZ, 0, 1), F(BZ, 1, 1), F(BY, 4, 1), F(GW, 0, 6),
        F(GY, 5, 1), F(BY, 5, 1), F(BZ, 2, 1), F(GY, 4, 1), F(BW, 0, 6), F(GZ, 5, 1),
        F(BZ, 3, 1), F(BZ, 5, 1), F(BZ, 4, 1), F(RX, 0, 6), F(GY, 0, 4), F(GX, 0, 6),
        F(GZ, 0, 4), F(BX, 0, 6), F(BY, 0, 4), F(RY, 0, 6), F(RZ, 0, 6) } },
   [17] = { .endpoint_bits = 0 },
};
/* clang-format on */
#undef F
#undef V

static int32_t
sign_extend(uint32_t v, unsigned bits)
{
   return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static int32_t
bc6_unquantize(uint32_t v, unsigned bits, bool is_signed)
{
   if (is_signed) {
      int32_t s = sign_extend(v, bits), a = s < 0 ? -s : s;
      if (bits >= 16 || s == 0)
         return s;
      a = a >= (1 << (bits - 1)) - 1 ? 0x7fff : ((a << 15) + 0x4000) >> (bits - 1);
      return s < 0 ? -a : a;
   }
   if (bits >= 15 || v == 0)
      return (int32_t)v;
   if (v == (1u << bits) - 1)
      return 0xffff;
   return (int32_t)(((v << 15) + 0x4000) >> (bits - 1));
}

/* The half float of an interpolated value. */
static uint32_t
bc6_finish(int32_t v, bool is_signed)
{
   if (!is_signed)
      return (uint32_t)(v * 31 >> 6);
   return v < 0 ? 0x8000u | (uint32_t)(-v * 31 >> 5) : (uint32_t)(v * 31 >> 5);
}

static void
bc6_texel(const uint8_t *block, unsigned texel, bool is_signed, uint32_t out[4])
{
   unsigned number = block[0] & 3, at = 2;
   if (number >= 2) {
      number = 2 + ((block[0] >> 1 & 14) | (block[0] & 1));
      at = 5;
   }
   const struct bc6_mode *m = &bc6_modes[number];
   if (m->endpoint_bits == 0) {
      memset(out, 0, 12);
      return;
   }

   uint32_t e[12] = { 0 };
   for (unsigned i = 0; i < 24 && m->bits[i].count; i++) {
      const struct bc6_bits *f = &m->bits[i];
      uint32_t v = bits_of(block, at, f->count);
      at += f->count;
      for (unsigned b = 0; b < f->count; b++) {
         unsigned to = f->reversed ? f->count - 1u - b : b;
         e[f->field] |= (v >> b & 1) << (to + f->lsb);
      }
   }
   unsigned subsets = m->two_subsets ? 2 : 1, partition = 0, index_bits = m->two_subsets ? 3 : 4;
   if (m->two_subsets) {
      partition = bits_of(block, at, 5);
      at += 5;
   }
   unsigned subset = subset_of(subsets, partition, texel);
   unsigned index = index_of(block, at, index_bits, subsets, partition, texel);

   for (unsigned k = 0; k < 3; k++) {
      int32_t end[2];
      for (unsigned i = 0; i < 2; i++) {
         unsigned n = 2 * subset + i;
         uint32_t v = e[3 * n + k];
         if (m->transformed && n > 0) {
            v = e[k] + (uint32_t)sign_extend(v, m->delta_bits[k]);
            v &= (1u << m->endpoint_bits) - 1;
         }
         end[i] = bc6_unquantize(v, m->endpoint_bits, is_signed);
      }
      out[k] = bc6_finish(weigh(end[0], end[1], index, index_bits), is_signed);
   }
}

void
td_block_texel(unsigned format, const uint8_t *block, unsigned x, unsigned y,
               unsigned signed_channels, uint32_t out[4])
{
   unsigned texel = (x & 3) + 4 * (y & 3);
   int32_t steps;

   switch (format) {
   case FORMAT_BC1:
      bc1_color(block, texel, true, out);
      break;
   case FORMAT_BC2:
      bc1_color(block + 8, texel, false, out);
      out[3] = (block[texel / 2] >> (4 * (texel & 1)) & 15) * 17;
      break;
   case FORMAT_BC3: {
      bc1_color(block + 8, texel, false, out);
      uint32_t n = (uint32_t)ramp(block, texel, false, &steps);
      out[3] = (n + (uint32_t)steps / 2) / (uint32_t)steps;
      break;
   }
   case FORMAT_BC4:
      out[0] = ramp_float(block, texel, signed_channels & 1);
      break;
   case FORMAT_BC5:
      out[0] = ramp_float(block, texel, signed_channels & 1);
      out[1] = ramp_float(block + 8, texel, signed_channels & 2);
      break;
   case FORMAT_BC6:
      bc6_texel(block, texel, signed_channels & 1, out);
      break;
   case FORMAT_BC7:
      bc7_texel(block, texel, out);
      break;
   case FORMAT_FXT1:
      td_fxt1_texel(block, x, y, out);
      break;
   case FORMAT_GB_GR: /* bytes X, first Y, Z, second Y */
      out[0] = block[0];
      out[1] = block[x & 1 ? 3 : 1];
      out[2] = block[2];
      break;
   case FORMAT_BG_RG:
      out[0] = block[1];
      out[1] = block[x & 1 ? 2 : 0];
      out[2] = block[3];
      break;
   default:
      break;
   }
}

/* ---------------------------------------------------------------------------------------------
 * Whole blocks: what all texels share is found once.
 */
static void
bc1_palette(const uint8_t *block, bool punch_through, uint32_t palette[4])
{
   uint32_t c[2] = { read_le(block, 2), read_le(block + 2, 2) };
   bool three = punch_through && c[0] <= c[1];

   palette[0] = palette[1] = palette[2] = 0xff000000u;
   palette[3] = three ? 0 : 0xff000000u;
   for (unsigned k = 0; k < 3; k++) {
      uint32_t v[2];
      for (unsigned i = 0; i < 2; i++)
         if (k == 1)
            v[i] = (c[i] >> 5 & 63) << 2 | (c[i] >> 9 & 3);
         else
            v[i] = (c[i] >> (k ? 0 : 11) & 31) << 3 | (c[i] >> (k ? 2 : 13) & 7);
      palette[0] |= v[0] << (8 * k);
      palette[1] |= v[1] << (8 * k);
      if (three) {
         palette[2] |= (v[0] + v[1]) / 2 << (8 * k);
      } else {
         palette[2] |= (2 * v[0] + v[1] + 1) / 3 << (8 * k);
         palette[3] |= (v[0] + 2 * v[1] + 1) / 3 << (8 * k);
      }
   }
}

/* Ramp steps 0 to 7 are the indices of texels 0 to 7 of a block that counts up. */
static void
ramp_block(const uint8_t *block, uint8_t one[8])
{
   const uint8_t counting[8] = { block[0], block[1], 0x88, 0xc6, 0xfa };
   memcpy(one, counting, 8);
}

static uint64_t
ramp_indices(const uint8_t *block)
{
   return read_le(block + 2, 4) | (uint64_t)read_le(block + 6, 2) << 32;
}

/* Into every other word. */
static void
bc4_block(const uint8_t *block, bool is_signed, uint32_t *out)
{
   uint8_t one[8];
   uint32_t palette[8];
   uint64_t indices = ramp_indices(block);

   ramp_block(block, one);
   for (unsigned i = 0; i < 8; i++)
      palette[i] = ramp_float(one, i, is_signed);
   for (unsigned n = 0; n < 16; n++)
      out[2 * n] = palette[indices >> (3 * n) & 7];
}

static void
bc3_alpha(const uint8_t *block, uint32_t *out)
{
   uint8_t one[8];
   uint32_t alpha[8];
   uint64_t indices = ramp_indices(block);

   ramp_block(block, one);
   for (unsigned i = 0; i < 8; i++) {
      int32_t steps;
      uint32_t n = (uint32_t)ramp(one, i, false, &steps);
      alpha[i] = steps == 7 ? (n + 3) / 7 : (n + 2) / 5;
   }
   for (unsigned n = 0; n < 16; n++)
      out[n] = (out[n] & 0xffffff) | alpha[indices >> (3 * n) & 7] << 24;
}

/* The bits of a block that were not taken yet; zeros follow. */
struct block_bits {
   uint64_t low, high;
};

static struct block_bits
bits_begin(const uint8_t *block)
{
   struct block_bits b = { 0, 0 };
   for (unsigned i = 0; i < 8; i++) {
      b.low |= (uint64_t)block[i] << (8 * i);
      b.high |= (uint64_t)block[8 + i] << (8 * i);
   }
   return b;
}

/* The next n, at most 16. */
static inline uint32_t
bits_take(struct block_bits *b, unsigned n)
{
   uint32_t v = (uint32_t)b->low & ((1u << n) - 1);
   b->low = b->low >> n | b->high << 1 << (63 - n);
   b->high >>= n;
   return v;
}

static void
take_indices(struct block_bits *b, unsigned bits, unsigned subsets, unsigned partition,
             uint8_t index[16])
{
   unsigned short_ones = 1;

   for (unsigned s = 1; s < subsets; s++)
      short_ones |= 1u << anchors[subsets == 2 ? 0 : s][partition];
   for (unsigned n = 0; n < 16; n++)
      index[n] = (uint8_t)bits_take(b, bits - (short_ones >> n & 1));
}

/* Four channels of 16 bits. */
static uint64_t
weigh_four(uint64_t a, uint64_t b, uint64_t weight)
{
   return (a * (64 - weight) + b * weight + UINT64_C(0x0020002000200020)) >> 6 &
          UINT64_C(0x00ff00ff00ff00ff);
}

static void
bc7_block(const uint8_t *block, uint32_t out[16])
{
   if (block[0] == 0) {
      memset(out, 0, 16 * sizeof(*out));
      return;
   }
   struct block_bits b = bits_begin(block);
   unsigned number = (unsigned)__builtin_ctz(block[0]);
   const struct bc7_mode *m = &bc7_modes[number];
   bits_take(&b, number + 1);
   unsigned partition = bits_take(&b, m->partition_bits);
   unsigned rotation = bits_take(&b, m->rotation_bits);
   unsigned select = bits_take(&b, m->select_bits);
   unsigned endpoints = 2u * m->subsets;
   uint32_t e[4][6], p[6] = { 0 };
   uint64_t end[6];

   for (unsigned k = 0; k < 4; k++)
      for (unsigned n = 0; n < endpoints; n++)
         e[k][n] = bits_take(&b, k < 3 ? m->color_bits : m->alpha_bits);
   for (unsigned n = 0; n < endpoints && m->pbits; n++)
      p[n] = m->pbits == 1 || n % 2 == 0 ? bits_take(&b, 1) : p[n - 1];
   for (unsigned n = 0; n < endpoints; n++) {
      end[n] = 0;
      for (unsigned k = 0; k < 4; k++) {
         unsigned bits = (k < 3 ? m->color_bits : m->alpha_bits) + (m->pbits != 0);
         uint32_t v = m->pbits ? e[k][n] << 1 | p[n] : e[k][n];
         if (k == 3 && m->alpha_bits == 0)
            v = 255;
         else
            v = (v << (8 - bits) | v >> (2 * bits - 8)) & 255;
         end[n] |= (uint64_t)v << (16 * k);
      }
   }

   uint8_t index[2][16];
   const uint8_t *weights[2] = { bc_weights[m->index_bits - 2], NULL };
   take_indices(&b, m->index_bits, m->subsets, partition, index[0]);
   if (m->index2_bits) {
      take_indices(&b, m->index2_bits, m->subsets, partition, index[1]);
      weights[1] = bc_weights[m->index2_bits - 2];
   }
   for (unsigned n = 0; n < 16; n++) {
      const uint64_t *ab = &end[2 * subset_of(m->subsets, partition, n)];
      uint64_t c = weigh_four(ab[0], ab[1], weights[select][index[select][n]]);
      if (m->index2_bits) {
         uint64_t alpha =
            weigh_four(ab[0] >> 48, ab[1] >> 48, weights[!select][index[!select][n]]) & 255;
         c = (c & UINT64_C(0xffffffffffff)) | alpha << 48;
      }
      c = (c | c >> 8) & UINT64_C(0x0000ffff0000ffff);
      uint32_t v = (uint32_t)(c | c >> 16);
      if (rotation) {
         unsigned shift = 8 * (rotation - 1);
         uint32_t other = (v >> shift ^ v >> 24) & 255;
         v ^= other << shift | other << 24;
      }
      out[n] = v;
   }
}

static void
bc6_block(const uint8_t *block, bool is_signed, uint32_t out[32])
{
   struct block_bits b = bits_begin(block);
   unsigned number = bits_take(&b, 2);
   if (number >= 2)
      number = 2 + (bits_take(&b, 3) << 1 | (number & 1));
   const struct bc6_mode *m = &bc6_modes[number];
   if (m->endpoint_bits == 0) {
      memset(out, 0, 32 * sizeof(*out));
      return;
   }

   uint32_t e[12] = { 0 };
   for (unsigned i = 0; i < 24 && m->bits[i].count; i++) {
      const struct bc6_bits *f = &m->bits[i];
      uint32_t v = bits_take(&b, f->count), to = 0;
      for (unsigned n = 0; n < f->count && f->reversed; n++)
         to |= (v >> n & 1) << (f->count - 1u - n);
      e[f->field] |= (f->reversed ? to : v) << f->lsb;
   }
   unsigned subsets = m->two_subsets ? 2 : 1, index_bits = m->two_subsets ? 3 : 4;
   unsigned partition = m->two_subsets ? bits_take(&b, 5) : 0;
   uint8_t index[16];
   take_indices(&b, index_bits, subsets, partition, index);

   int32_t end[4][3];
   for (unsigned n = 0; n < 2 * subsets; n++) {
      for (unsigned k = 0; k < 3; k++) {
         uint32_t v = e[3 * n + k];
         if (m->transformed && n > 0) {
            v = e[k] + (uint32_t)sign_extend(v, m->delta_bits[k]);
            v &= (1u << m->endpoint_bits) - 1;
         }
         end[n][k] = bc6_unquantize(v, m->endpoint_bits, is_signed);
      }
   }
   for (unsigned n = 0; n < 16; n++) {
      unsigned subset = subset_of(subsets, partition, n);
      uint32_t c[3];
      for (unsigned k = 0; k < 3; k++)
         c[k] = bc6_finish(weigh(end[2 * subset][k], end[2 * subset + 1][k], index[n], index_bits),
                           is_signed);
      out[2 * n] = c[0] | c[1] << 16;
      out[2 * n + 1] = c[2];
   }
}

void
td_block_decode(unsigned format, const uint8_t *block, unsigned signed_channels, uint32_t *out)
{
   const uint8_t *color = format == FORMAT_BC1 ? block : block + 8;
   uint32_t palette[4], indices;

   switch (format) {
   case FORMAT_BC1:
   case FORMAT_BC2:
   case FORMAT_BC3:
      bc1_palette(color, format == FORMAT_BC1, palette);
      indices = read_le(color + 4, 4);
      for (unsigned n = 0; n < 16; n++)
         out[n] = palette[indices >> (2 * n) & 3];
      if (format == FORMAT_BC2)
         for (unsigned n = 0; n < 16; n++)
            out[n] = (out[n] & 0xffffff) | (block[n / 2] >> (4 * (n & 1)) & 15u) * 17 << 24;
      else if (format == FORMAT_BC3)
         bc3_alpha(block, out);
      break;
   case FORMAT_BC4:
      memset(out, 0, 32 * sizeof(*out));
      bc4_block(block, signed_channels & 1, out);
      break;
   case FORMAT_BC5:
      bc4_block(block, signed_channels & 1, out);
      bc4_block(block + 8, signed_channels & 2, out + 1);
      break;
   case FORMAT_BC6:
      bc6_block(block, signed_channels & 1, out);
      break;
   case FORMAT_BC7:
      bc7_block(block, out);
      break;
   default:
      break;
   }
}
