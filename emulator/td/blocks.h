/* SPDX-License-Identifier: MIT */
/*
 * Texels of compressed textures, 64 lanes at a time.  For kernels only.
 *
 * BC1 to BC5 are decoded texel by texel, a vector at a time (block_texels.c).  Of BC6 and BC7,
 * which cost more, each worker keeps decoded blocks, as many as two planes (layers of a level) of
 * 512 x 512 texels have: a block has one slot, by its plane's address, its level and its
 * coordinates modulo 128.  It is known by its own bytes, compared at each use: nothing has to be
 * said when memory is written, and slots that planes share are only slower.
 */
#ifndef ATOLL_TD_BLOCKS_H
#define ATOLL_TD_BLOCKS_H

#include "td/tex.h"

#define TD_CACHE_SIDE   128u
#define TD_CACHE_HALF   (TD_CACHE_SIDE * TD_CACHE_SIDE)
#define TD_CACHE_BLOCKS (2 * TD_CACHE_HALF)

struct td_block_cache {
   uint64_t bytes[TD_CACHE_BLOCKS][2];
   uint16_t kind[TD_CACHE_BLOCKS]; /* td_block_kind(); 0: nothing is there */
   uint32_t texel[];               /* 16 a block, row by row, td_block_dwords() each */
};

/* This worker's cache for a format of BC6 and BC7; NULL: no memory. */
struct td_block_cache *K(td_block_cache_of)(unsigned format);

/* Decodes a block into its slot. */
void K(td_block_cache_decode)(struct td_block_cache *c, uint32_t slot, unsigned kind,
                              const uint64_t bytes[2]);

/* Whether td_block_texels() knows a format. */
V_INLINE bool
td_block_is_simple(unsigned format)
{
   return format >= FORMAT_BC1 && format <= FORMAT_BC5;
}

/* Bit n: channel n is signed. */
V_INLINE unsigned
td_block_signs(const struct td_decode *d)
{
   unsigned signs = 0;
   for (unsigned c = 0; c < 4; c++)
      signs |= (unsigned)(d->sign[c] == CHANNEL_SIGNED) << c;
   return signs;
}

V_INLINE unsigned
td_block_kind(const struct td_decode *d)
{
   return 1u << 15 | td_block_signs(d) << 8 | d->format;
}

/* Where the slots of a plane begin, of which the first block is at `plane`: even levels have one
 * half of the cache, odd ones the other, so that two levels that are blended do not meet. */
V_INLINE uint32_t
td_block_origin(uint64_t plane, uint32_t level)
{
   return (level & 1) * TD_CACHE_HALF +
          (uint32_t)(plane * 0x9e3779b97f4a7c15ull >> 32) % TD_CACHE_HALF;
}

/* Of block (x, y); those of one plane that are less than TD_CACHE_SIDE apart have slots of their
 * own. */
V_INLINE uint32_t
td_block_slot(uint32_t origin, uint32_t x, uint32_t y)
{
   uint32_t at = y % TD_CACHE_SIDE * TD_CACHE_SIDE + x % TD_CACHE_SIDE;
   return (origin & TD_CACHE_HALF) + (origin + at) % TD_CACHE_HALF;
}

/* Sees to it that a slot holds the block at `p`. */
V_INLINE void
td_block_need(struct td_block_cache *c, uint32_t slot, unsigned kind, const uint8_t *p)
{
   uint64_t bytes[2];

   memcpy(bytes, p, 16);
   if (c->kind[slot] != kind || c->bytes[slot][0] != bytes[0] || c->bytes[slot][1] != bytes[1])
      K(td_block_cache_decode)(c, slot, kind, bytes);
}

/* One texel as td_block_decode() packs it, nothing kept. */
void K(td_block_one)(const struct td_decode *d, const uint8_t *p, uint32_t x, uint32_t y,
                     uint32_t out[2]);

/* Loads a block of 8 or 16 bytes for each lane. */
void K(td_block_load)(const uint8_t *const p[WAVE_LANES], unsigned bytes, struct td_raw *blocks);

/* A texel (0 to 15) of each lane's block: td_block_dwords() of it. */
void K(td_block_texels)(unsigned format, unsigned signs, const struct td_raw *blocks,
                        const uint32_t *texel, uint32_t *first, uint32_t *second);

/* Texels (x[i], y[j]) of each lane for i, j below `sides` (1 or 2), of a 2D texture that is wholly
 * mapped, as dwords in arrays of 64: out[j] has those of x[0], then those of x[1].  `uniform`: all
 * lanes are on one level.  What lanes outside the mask get is any texel, or nothing. */
void K(td_block_read)(const struct tex *t, const uint32_t *level, bool uniform, uint64_t lanes,
                      const uint32_t *const x[2], const uint32_t *const y[2], unsigned sides,
                      uint32_t *const out[2]);

#endif
