/* SPDX-License-Identifier: MIT */
/*
 * FXT1 (3DFX_texture_compression_FXT1): blocks of 8x4 texels in 16 bytes, one texel at a time.  No
 * chip of AMD's reads it; the device does, as DATA_FORMAT 63.
 *
 *  1. A block is two halves of 4x4 texels.  The highest bits say which of four modes it has:
 *     00 HI, 010 CHROMA, 011 ALPHA, 1 MIXED.
 *  2. HI has seven steps between two colours and a transparent texel, 3 bits a texel; the others
 *     have 2 bits a texel: CHROMA a choice of four colours; MIXED two colours for each half, with
 *     steps between them; ALPHA three colours with alpha for both halves, or two for each half.
 *  3. A colour is 5 bits each of blue, green, red, from the lowest up.  MIXED keeps a sixth bit of
 *     green for the second colour, and of the first its difference to that with the high bit of the
 *     half's first index.
 *  4. Colours become 8 bits before they are mixed; both steps round to nearest.
 */
#include "td/formats.h"

enum {
   COLORS_AT = 64,     /* 15 bits each */
   ALPHAS_AT = 109,    /* of ALPHA, 5 bits each */
   HI_COLORS_AT = 96,  /* two */
   SPECIAL_AT = 124,   /* MIXED: a transparent texel; ALPHA: two colours a half */
   GREENS_AT = 125,    /* of MIXED, a bit a half */
   HI_TRANSPARENT = 7, /* indices that are no colour */
   TRANSPARENT = 3,
};

struct color {
   uint32_t channel[4]; /* red, green, blue, alpha, of 8 bits */
};

/* Up to 8 bits of the block. */
static uint32_t
bits_at(const uint8_t *block, unsigned at, unsigned count)
{
   unsigned high = at / 8 < 15 ? block[at / 8 + 1] : 0;
   return ((block[at / 8] | high << 8) >> at % 8) & ((1u << count) - 1);
}

static uint32_t
expand(uint32_t value, unsigned bits)
{
   uint32_t most = (1u << bits) - 1;
   return (2 * 255 * value + most) / (2 * most);
}

static struct color
color_at(const uint8_t *block, unsigned at)
{
   return (struct color){ { expand(bits_at(block, at + 10, 5), 5),
                            expand(bits_at(block, at + 5, 5), 5), expand(bits_at(block, at, 5), 5),
                            255 } };
}

/* With a sixth bit of green. */
static struct color
color6_at(const uint8_t *block, unsigned at, uint32_t green)
{
   struct color c = color_at(block, at);
   c.channel[1] = expand(bits_at(block, at + 5, 5) << 1 | green, 6);
   return c;
}

static struct color
mix(struct color a, struct color b, uint32_t step, uint32_t steps)
{
   struct color c;
   for (unsigned i = 0; i < 4; i++)
      c.channel[i] = ((steps - step) * a.channel[i] + step * b.channel[i] + steps / 2) / steps;
   return c;
}

static struct color
hi_texel(const uint8_t *block, unsigned texel)
{
   uint32_t index = bits_at(block, 3 * texel, 3);
   if (index == HI_TRANSPARENT)
      return (struct color){ { 0 } };
   return mix(color_at(block, HI_COLORS_AT), color_at(block, HI_COLORS_AT + 15), index, 6);
}

static struct color
mixed_texel(const uint8_t *block, unsigned half, uint32_t index)
{
   unsigned at = COLORS_AT + 30 * half;
   uint32_t green = bits_at(block, GREENS_AT + half, 1);
   struct color second = color6_at(block, at + 15, green);

   if (!bits_at(block, SPECIAL_AT, 1)) {
      uint32_t first = green ^ bits_at(block, 32 * half + 1, 1);
      return mix(color6_at(block, at, first), second, index, 3);
   }
   struct color first = color_at(block, at), middle;
   if (index == TRANSPARENT)
      return (struct color){ { 0 } };
   for (unsigned i = 0; i < 4; i++)
      middle.channel[i] = (first.channel[i] + second.channel[i]) / 2;
   return index == 0 ? first : index == 1 ? middle : second;
}

static struct color
alpha_color(const uint8_t *block, unsigned number)
{
   struct color c = color_at(block, COLORS_AT + 15 * number);
   c.channel[3] = expand(bits_at(block, ALPHAS_AT + 5 * number, 5), 5);
   return c;
}

static struct color
alpha_texel(const uint8_t *block, unsigned half, uint32_t index)
{
   /* The halves have their first colours at both ends and share the second. */
   if (bits_at(block, SPECIAL_AT, 1))
      return mix(alpha_color(block, 2 * half), alpha_color(block, 1), index, 3);
   return index == TRANSPARENT ? (struct color){ { 0 } } : alpha_color(block, index);
}

void
td_fxt1_texel(const uint8_t *block, unsigned x, unsigned y, uint32_t out[4])
{
   unsigned half = x >> 2 & 1, texel = 16 * half + 4 * (y & 3) + (x & 3);
   uint32_t mode = bits_at(block, 125, 3), index = bits_at(block, 2 * texel, 2);
   struct color c = mode < 2    ? hi_texel(block, texel)
                    : mode == 2 ? color_at(block, COLORS_AT + 15 * index)
                    : mode == 3 ? alpha_texel(block, half, index)
                                : mixed_texel(block, half, index);

   for (unsigned i = 0; i < 4; i++)
      out[i] = c.channel[i];
}
