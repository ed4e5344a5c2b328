/* SPDX-License-Identifier: MIT */
/*
 * Texels of compressed textures, 64 lanes at a time.  For kernels only.
 *
 * BC1 to BC5 are decoded texel by texel, a vector at a time (block_texels.c).  Of BC6 and BC7,
 * which cost more, each worker keeps windows of decoded blocks: block (x, y) of a plane (one layer
 * of one level) lies at (x mod 32, y mod 32) of that plane's window, so that what a tile reads is
 * mostly there.  A block is known by its own bytes, compared at each use: nothing has to be said
 * when memory is written, and a window that two planes share is only slower.
 */
#ifndef ATOLL_TD_BLOCKS_H
#define ATOLL_TD_BLOCKS_H

#include "td/tex.h"

#define TD_WINDOW_BLOCKS 32u
#define TD_WINDOW_TEXELS 128u

struct td_window {
   uint64_t plane; /* address of its first block */
   uint32_t kind;  /* format and signs; 0: unused */
   uint32_t valid[TD_WINDOW_BLOCKS];
   uint64_t bytes[TD_WINDOW_BLOCKS][TD_WINDOW_BLOCKS][2];
   /* Row by row, td_block_dwords() a texel. */
   uint32_t texel[TD_WINDOW_TEXELS * TD_WINDOW_TEXELS * 2];
};

/* This worker's window of a plane; NULL: no memory.  Valid until the next call. */
struct td_window *K(td_window_of)(const struct tex *t, uint64_t plane);

/* Decodes a block into its place. */
void K(td_window_decode)(struct td_window *w, unsigned x, unsigned y, const uint64_t bytes[2]);

/* The window's copy of block (x, y), which lies at `p`, is what memory holds. */
V_INLINE void
td_window_need(struct td_window *w, unsigned block_bytes, uint32_t x, uint32_t y, const uint8_t *p)
{
   uint64_t bytes[2] = { 0, 0 };

   x %= TD_WINDOW_BLOCKS, y %= TD_WINDOW_BLOCKS;
   memcpy(&bytes[0], p, 8);
   if (block_bytes == 16)
      memcpy(&bytes[1], p + 8, 8);
   if (!(w->valid[y] >> x & 1) || w->bytes[y][x][0] != bytes[0] || w->bytes[y][x][1] != bytes[1])
      K(td_window_decode)(w, x, y, bytes);
}

/* Whether td_block_texels() knows a format. */
V_INLINE bool
td_block_is_simple(unsigned format)
{
   return format >= FMT_BC1 && format <= FMT_BC5;
}

/* Bit n: channel n is signed. */
V_INLINE unsigned
td_block_signs(const struct td_decode *d)
{
   unsigned signs = 0;
   for (unsigned c = 0; c < 4; c++)
      signs |= (unsigned)(d->comp[c] == SQ_FORMAT_COMP_SIGNED) << c;
   return signs;
}

/* Loads a block of 8 or 16 bytes for each lane. */
void K(td_block_load)(const uint8_t *const p[WAVE_LANES], unsigned bytes, struct td_raw *blocks);

/* A texel (0 to 15) of each lane's block: td_block_dwords() of it. */
void K(td_block_texels)(unsigned format, unsigned signs, const struct td_raw *blocks,
                        const uint32_t *texel, uint32_t *first, uint32_t *second);

/* Texels (x[i], y[j]) of each lane for i, j below `sides` (1 or 2), of a 2D texture that is wholly
 * mapped, as dwords in arrays of 64: out[j] has those of x[0], then those of x[1].  `uniform`: all
 * lanes are on one level.  False: not in this way, as levels differ or texels are too far from each
 * other for a window. */
bool K(td_block_read)(const struct tex *t, const uint32_t *level, bool uniform, uint64_t lanes,
                      const uint32_t *const x[2], const uint32_t *const y[2], unsigned sides,
                      uint32_t *const out[2]);

#endif
