/* SPDX-License-Identifier: MIT */
/*
 * Data formats of textures, buffers and colour targets: the one list of their layouts.
 *
 * TD_FORMATS(F) calls F(name, bytes, block_w, block_h, class, x, y, z, w): bytes per element (a
 * block for compressed and subsampled formats), and per channel C(position, bits) in bits of the
 * little-endian element, or NONE.  AMD names channels from the highest bit down; X is the lowest.
 * How the bits are read further depends on the number format (normalised, integer, scaled) of
 * TD_PLAIN channels; the other classes say it all.  Formats that are not listed read zero.
 */
#ifndef ATOLL_FORMATS_H
#define ATOLL_FORMATS_H

#include <stdint.h>

#include <atoll/cayman/enums.h>

enum td_format_class {
   TD_INVALID,
   TD_PLAIN,     /* integers of up to 32 bits, by number format */
   TD_FLOAT,     /* IEEE-like floats: 32, 16, 11 or 10 bits (the last two unsigned) */
   TD_FLOAT_INT, /* X a 32-bit float, other channels as TD_PLAIN */
   TD_SHAREDEXP, /* three 9-bit mantissas, exponent in 31:27 */
   TD_BC,        /* 4x4 blocks, FXT1's 8x4 */
   TD_SUBSAMPLED /* 2x1 blocks: two texels share two of the channels */
};

/* clang-format off */
#define TD_FORMATS(F, C, NONE)                                                                     \
   F(FMT_8,                    1, 1, 1, TD_PLAIN, C(0, 8), NONE, NONE, NONE)                       \
   F(FMT_4_4,                  1, 1, 1, TD_PLAIN, C(0, 4), C(4, 4), NONE, NONE)                    \
   F(FMT_3_3_2,                1, 1, 1, TD_PLAIN, C(0, 2), C(2, 3), C(5, 3), NONE)                 \
   F(FMT_16,                   2, 1, 1, TD_PLAIN, C(0, 16), NONE, NONE, NONE)                      \
   F(FMT_16_FLOAT,             2, 1, 1, TD_FLOAT, C(0, 16), NONE, NONE, NONE)                      \
   F(FMT_8_8,                  2, 1, 1, TD_PLAIN, C(0, 8), C(8, 8), NONE, NONE)                    \
   F(FMT_5_6_5,                2, 1, 1, TD_PLAIN, C(0, 5), C(5, 6), C(11, 5), NONE)                \
   F(FMT_6_5_5,                2, 1, 1, TD_PLAIN, C(0, 5), C(5, 5), C(10, 6), NONE)                \
   F(FMT_1_5_5_5,              2, 1, 1, TD_PLAIN, C(0, 5), C(5, 5), C(10, 5), C(15, 1))            \
   F(FMT_4_4_4_4,              2, 1, 1, TD_PLAIN, C(0, 4), C(4, 4), C(8, 4), C(12, 4))             \
   F(FMT_5_5_5_1,              2, 1, 1, TD_PLAIN, C(0, 1), C(1, 5), C(6, 5), C(11, 5))             \
   F(FMT_32,                   4, 1, 1, TD_PLAIN, C(0, 32), NONE, NONE, NONE)                      \
   F(FMT_32_FLOAT,             4, 1, 1, TD_FLOAT, C(0, 32), NONE, NONE, NONE)                      \
   F(FMT_16_16,                4, 1, 1, TD_PLAIN, C(0, 16), C(16, 16), NONE, NONE)                 \
   F(FMT_16_16_FLOAT,          4, 1, 1, TD_FLOAT, C(0, 16), C(16, 16), NONE, NONE)                 \
   F(FMT_8_24,                 4, 1, 1, TD_PLAIN, C(0, 24), C(24, 8), NONE, NONE)                  \
   F(FMT_24_8,                 4, 1, 1, TD_PLAIN, C(0, 8), C(8, 24), NONE, NONE)                   \
   F(FMT_10_11_11,             4, 1, 1, TD_PLAIN, C(0, 11), C(11, 11), C(22, 10), NONE)            \
   F(FMT_10_11_11_FLOAT,       4, 1, 1, TD_FLOAT, C(0, 11), C(11, 11), C(22, 10), NONE)            \
   F(FMT_11_11_10,             4, 1, 1, TD_PLAIN, C(0, 10), C(10, 11), C(21, 11), NONE)            \
   F(FMT_11_11_10_FLOAT,       4, 1, 1, TD_FLOAT, C(0, 10), C(10, 11), C(21, 11), NONE)            \
   F(FMT_2_10_10_10,           4, 1, 1, TD_PLAIN, C(0, 10), C(10, 10), C(20, 10), C(30, 2))        \
   F(FMT_8_8_8_8,              4, 1, 1, TD_PLAIN, C(0, 8), C(8, 8), C(16, 8), C(24, 8))            \
   F(FMT_10_10_10_2,           4, 1, 1, TD_PLAIN, C(0, 2), C(2, 10), C(12, 10), C(22, 10))         \
   F(FMT_X24_8_32_FLOAT,       8, 1, 1, TD_FLOAT_INT, C(0, 32), C(32, 8), NONE, NONE)              \
   F(FMT_32_32,                8, 1, 1, TD_PLAIN, C(0, 32), C(32, 32), NONE, NONE)                 \
   F(FMT_32_32_FLOAT,          8, 1, 1, TD_FLOAT, C(0, 32), C(32, 32), NONE, NONE)                 \
   F(FMT_16_16_16_16,          8, 1, 1, TD_PLAIN, C(0, 16), C(16, 16), C(32, 16), C(48, 16))       \
   F(FMT_16_16_16_16_FLOAT,    8, 1, 1, TD_FLOAT, C(0, 16), C(16, 16), C(32, 16), C(48, 16))       \
   F(FMT_32_32_32_32,         16, 1, 1, TD_PLAIN, C(0, 32), C(32, 32), C(64, 32), C(96, 32))       \
   F(FMT_32_32_32_32_FLOAT,   16, 1, 1, TD_FLOAT, C(0, 32), C(32, 32), C(64, 32), C(96, 32))       \
   F(FMT_GB_GR,                4, 2, 1, TD_SUBSAMPLED, C(0, 8), C(8, 8), C(16, 8), NONE)           \
   F(FMT_BG_RG,                4, 2, 1, TD_SUBSAMPLED, C(0, 8), C(8, 8), C(16, 8), NONE)           \
   F(FMT_5_9_9_9_SHAREDEXP,    4, 1, 1, TD_SHAREDEXP, C(0, 9), C(9, 9), C(18, 9), NONE)            \
   F(FMT_8_8_8,                3, 1, 1, TD_PLAIN, C(0, 8), C(8, 8), C(16, 8), NONE)                \
   F(FMT_16_16_16,             6, 1, 1, TD_PLAIN, C(0, 16), C(16, 16), C(32, 16), NONE)            \
   F(FMT_16_16_16_FLOAT,       6, 1, 1, TD_FLOAT, C(0, 16), C(16, 16), C(32, 16), NONE)            \
   F(FMT_32_32_32,            12, 1, 1, TD_PLAIN, C(0, 32), C(32, 32), C(64, 32), NONE)            \
   F(FMT_32_32_32_FLOAT,      12, 1, 1, TD_FLOAT, C(0, 32), C(32, 32), C(64, 32), NONE)            \
   F(FMT_BC1,                  8, 4, 4, TD_BC, C(0, 8), C(8, 8), C(16, 8), C(24, 8))               \
   F(FMT_BC2,                 16, 4, 4, TD_BC, C(0, 8), C(8, 8), C(16, 8), C(24, 8))               \
   F(FMT_BC3,                 16, 4, 4, TD_BC, C(0, 8), C(8, 8), C(16, 8), C(24, 8))               \
   F(FMT_BC4,                  8, 4, 4, TD_BC, C(0, 16), NONE, NONE, NONE)                         \
   F(FMT_BC5,                 16, 4, 4, TD_BC, C(0, 16), C(16, 16), NONE, NONE)                    \
   F(FMT_BC6,                 16, 4, 4, TD_BC, C(0, 16), C(16, 16), C(32, 16), NONE)               \
   F(FMT_BC7,                 16, 4, 4, TD_BC, C(0, 8), C(8, 8), C(16, 8), C(24, 8))               \
   F(FMT_FXT1,                16, 8, 4, TD_BC, C(0, 8), C(8, 8), C(16, 8), C(24, 8))
/* clang-format on */

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
