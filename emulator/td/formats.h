/* SPDX-License-Identifier: MIT */
/*
 * Data formats of textures and buffers: how their bits lie (include/atoll/formats.def).
 *
 * How the bits are read further depends on the number format (normalised, integer, scaled) of
 * TD_PLAIN channels; the other classes say it all.  Formats that are not listed read zero.
 */
#ifndef ATOLL_FORMATS_H
#define ATOLL_FORMATS_H

#include <stdint.h>

#include <atoll/cayman/enums.h>

enum td_format_class {
   TD_INVALID,
   TD_PLAIN,           /* integers of up to 32 bits, by number format */
   TD_FLOAT,           /* IEEE-like floats: 32, 16, 11 or 10 bits (the last two unsigned) */
   TD_FLOAT_INT,       /* X a 32-bit float, other channels as TD_PLAIN */
   TD_SHARED_EXPONENT, /* three 9-bit mantissas, exponent in 31:27 */
   TD_BLOCKS,          /* 4x4 blocks, FXT1's 8x4 */
   TD_SUBSAMPLED       /* 2x1 blocks: two texels share two of the channels */
};

struct td_channel {
   uint8_t pos, bits; /* bits 0: the format has no such channel */
};

struct td_format {
   uint8_t bytes, block_w, block_h, cls;
   struct td_channel channel[4];
};

/* Index is DATA_FORMAT; formats not listed have class TD_INVALID and bytes 0. */
extern const struct td_format td_formats[64];

/* Channels of a format, 0 to 4. */
static inline unsigned
td_format_channels(const struct td_format *format)
{
   unsigned n = 0;
   for (unsigned c = 0; c < 4; c++)
      n += format->channel[c].bits != 0;
   return n;
}

/* value / 255 after the sRGB transfer function, correctly rounded. */
extern const float td_srgb_to_linear[256];
/* The same, byte by byte of what each float is stored as. */
extern const uint8_t td_srgb_bytes[4][256];

/* One texel of a compressed block (BC1 to BC7, FXT1) or of a subsampled pair.  `signed_channels`:
 * bit n says FORMAT_COMP of channel n is signed.  BC1, 2, 3, 7, FXT1 and subsampled: out are 8-bit
 * values; BC4, 5: float bits of the normalised value; BC6: half floats.  Missing channels are
 * left. */
void td_block_texel(unsigned format, const uint8_t *block, unsigned x, unsigned y,
                    unsigned signed_channels, uint32_t out[4]);

/* The same of FXT1 alone; x from 0 to 7. */
void td_fxt1_texel(const uint8_t *block, unsigned x, unsigned y, uint32_t out[4]);

/* Dwords of a texel that td_block_decode() writes. */
static inline unsigned
td_block_dwords(unsigned format)
{
   return format == FMT_BC4 || format == FMT_BC5 || format == FMT_BC6 ? 2 : 1;
}

/* All texels of a block of BC1 to BC7, row by row, packed into td_block_dwords() each: 8-bit
 * channels, BC4's and BC5's floats, BC6's halves from the first dword's low one on; zeros behind.
 * */
void td_block_decode(unsigned format, const uint8_t *block, unsigned signed_channels,
                     uint32_t *out);

#endif
