/* SPDX-License-Identifier: MIT */
/*
 * U-interleaved surfaces: blocks of 16 x 16 pixels one after the other, of which row strides count
 * rows.  Bit 2i of a pixel's number in its block is bit i of x xor y, bit 2i + 1 that of y.
 */
#ifndef ATOLL_CHIP_MALI_BLOCK_H
#define ATOLL_CHIP_MALI_BLOCK_H

#include <stdint.h>

#define MALI_BLOCK 16u

/* Bytes from a surface's start to a pixel. */
static inline uint64_t
mali_block_offset(uint32_t x, uint32_t y, uint32_t row_stride, unsigned bytes)
{
   uint32_t in = 0;

   for (unsigned i = 0; i < 4; i++)
      in |= ((x ^ y) >> i & 1) << 2 * i | (y >> i & 1) << (2 * i + 1);
   return (uint64_t)(y / MALI_BLOCK) * row_stride +
          ((uint64_t)(x / MALI_BLOCK) * MALI_BLOCK * MALI_BLOCK + in) * bytes;
}

#endif
