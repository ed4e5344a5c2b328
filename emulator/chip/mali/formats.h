/* SPDX-License-Identifier: MIT */
/*
 * Pixel formats of a Mali of v10: 22 bits that textures, attributes and blending share.  The upper
 * ones number how the bits of a pixel lie, the lower twelve the order of its components.
 */
#ifndef ATOLL_CHIP_MALI_FORMATS_H
#define ATOLL_CHIP_MALI_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

struct mali_format {
   uint8_t format;     /* enum format; FORMAT_NONE: there is no such one */
   uint8_t conversion; /* enum conversion */
   uint8_t sign;       /* enum channel_sign */
   uint8_t numeric;    /* enum numeric, as a colour target */
   uint8_t swizzle[4]; /* enum swizzle: where red, green, blue and alpha come from */
   bool srgb;
};

/* `clump`: MALI_CLUMP_*, where depth and stencil lie in an element; of what is no texture, any. */
struct mali_format mali_decode_format(uint32_t format, unsigned clump);

/* Bytes of an element of a clump format; 0: it is none, or of blocks. */
unsigned mali_clump_bytes(unsigned clump);

#endif
