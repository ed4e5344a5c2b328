/* SPDX-License-Identifier: MIT */
/*
 * What the texture unit knows of formats beside the table of port/format.h: sRGB, and decoders of
 * compressed blocks.
 */
#ifndef ATOLL_FORMATS_H
#define ATOLL_FORMATS_H

#include <stdint.h>

#include "port/format.h"

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
   return format == FORMAT_BC4 || format == FORMAT_BC5 || format == FORMAT_BC6 ? 2 : 1;
}

/* All texels of a block of BC1 to BC7, row by row, packed into td_block_dwords() each: 8-bit
 * channels, BC4's and BC5's floats, BC6's halves from the first dword's low one on; zeros after it.
 */
void td_block_decode(unsigned format, const uint8_t *block, unsigned signed_channels,
                     uint32_t *out);

#endif
