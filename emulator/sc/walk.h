/* SPDX-License-Identifier: MIT */
/*
 * The usual primitive's way through a tile (kernels wider than SSE2): one sample a pixel, and edges
 * with values that fit in 32 bits within the tile.
 *
 * 1. An edge's value at the tile's first pixel is limited to 2^30 either way: from there no pixel
 *    of the tile is 2^30 away, so that no sign changes.
 * 2. Which blocks some pixel may be inside of is found for a row of blocks or two at once, for all
 *    edges, and which pixels of a block are, likewise: how many edges cross a block, which nobody
 *    can predict, is asked nowhere but for "none".
 */
#ifndef ATOLL_SC_WALK_H
#define ATOLL_SC_WALK_H

#include "port/quads.h"
#include "sc/sc.h"

#if VW > 4
#define WALK_LIMIT (1 << 30)
/* Of a and b, each: 63 times both are less than WALK_LIMIT. */
#define WALK_SLOPE (1 << 23)

struct walk {
   vi across[4], down[4];      /* an edge's change to a block's lane; from a vector to the next */
   __m128i a, b, e, reach_min; /* by edge; e at the tile's first pixel */
};

/* An element of all edges, in every lane. */
V_INLINE vi
walk_splat(__m128i v, unsigned edge)
{
   const __m128i one = edge == 0   ? _mm_shuffle_epi32(v, 0x00)
                       : edge == 1 ? _mm_shuffle_epi32(v, 0x55)
                       : edge == 2 ? _mm_shuffle_epi32(v, 0xaa)
                                   : _mm_shuffle_epi32(v, 0xff);
#if VW == 16
   return (vi)_mm512_broadcastd_epi32(one);
#else
   return (vi)_mm256_broadcastd_epi32(one);
#endif
}

V_INLINE __m128i
walk_at(const struct walk *w, __m128i e, int32_t x, int32_t y)
{
   return _mm_add_epi32(e, _mm_add_epi32(_mm_mullo_epi32(w->a, _mm_set1_epi32(x)),
                                         _mm_mullo_epi32(w->b, _mm_set1_epi32(y))));
}

/* False: the edges are too steep. */
V_INLINE bool
walk_begin(struct walk *w, const struct sc_prim *prim, int32_t tile_x, int32_t tile_y,
           unsigned num_edges)
{
   const __m128i keep =
      _mm_cmpgt_epi32(_mm_set1_epi32(prim->num_edges), _mm_setr_epi32(0, 1, 2, 3));
   const __m128i a = _mm_and_si128(_mm_loadu_si128((const __m128i *)prim->a), keep);
   const __m128i b = _mm_and_si128(_mm_loadu_si128((const __m128i *)prim->b), keep);
   const __m128i size = _mm_or_si128(_mm_abs_epi32(a), _mm_abs_epi32(b));
   const __m128i zero = _mm_setzero_si128();
   const __m256i lo = _mm256_set1_epi64x(-WALK_LIMIT), hi = _mm256_set1_epi64x(WALK_LIMIT);
   __m256i e =
      _mm256_and_si256(_mm256_loadu_si256((const __m256i *)prim->c), _mm256_cvtepi32_epi64(keep));

   if (!_mm_testz_si128(size, _mm_set1_epi32(-WALK_SLOPE)))
      return false;
   e = _mm256_add_epi64(e, _mm256_mul_epi32(_mm256_cvtepi32_epi64(a), _mm256_set1_epi64x(tile_x)));
   e = _mm256_add_epi64(e, _mm256_mul_epi32(_mm256_cvtepi32_epi64(b), _mm256_set1_epi64x(tile_y)));
   e = _mm256_blendv_epi8(e, hi, _mm256_cmpgt_epi64(e, hi));
   e = _mm256_blendv_epi8(e, lo, _mm256_cmpgt_epi64(lo, e));
   w->e = _mm256_castsi256_si128(
      _mm256_permutevar8x32_epi32(e, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)));
   w->a = a;
   w->b = b;

   const __m128i down = _mm_add_epi32(_mm_min_epi32(a, zero), _mm_min_epi32(b, zero));
   w->reach_min = _mm_sub_epi32(_mm_slli_epi32(down, 3), down);

   const vi lane = vi_lane_index();
   for (unsigned i = 0; i < num_edges; i++) {
      const vi step = walk_splat(b, i);

      w->across[i] = walk_splat(a, i) * (lane & vi_splat(7)) + step * vi_sar(lane, 3);
      w->down[i] = step * vi_splat(VW / 8);
   }
   return true;
}

/* Whether no edge shuts out any of pixels [x0, x1] x [y0, y1] of the tile. */
V_INLINE bool
walk_inside(const struct walk *w, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   const __m128i zero = _mm_setzero_si128();
   const __m128i across = _mm_mullo_epi32(w->a, _mm_set1_epi32(x1 - x0));
   const __m128i down = _mm_mullo_epi32(w->b, _mm_set1_epi32(y1 - y0));
   const __m128i reach = _mm_add_epi32(_mm_min_epi32(across, zero), _mm_min_epi32(down, zero));

   return !_mm_movemask_ps((__m128)_mm_add_epi32(walk_at(w, w->e, x0, y0), reach));
}

/* Lanes with a negative value. */
V_INLINE uint32_t
walk_negative(vi v)
{
#if VW == 16
   return _mm512_movepi32_mask((__m512i)v);
#else
   return (uint32_t)_mm256_movemask_ps((__m256)v);
#endif
}

/* The tile's blocks, row-major, that no edge shuts out, within pixels [x0, x1] x [y0, y1] of it. */
V_INLINE uint64_t
walk_blocks(const struct walk *w, unsigned x0, unsigned y0, unsigned x1, unsigned y1,
            unsigned num_edges)
{
   const __m128i zero = _mm_setzero_si128();
   const __m128i up = _mm_add_epi32(_mm_max_epi32(w->a, zero), _mm_max_epi32(w->b, zero));
   const unsigned first = y0 / 8, last = y1 / 8;
   const __m128i e = walk_at(w, _mm_add_epi32(w->e, _mm_sub_epi32(_mm_slli_epi32(up, 3), up)), 0,
                             (int32_t)first * 8);
   uint64_t blocks = 0;
   vi v[4];

   for (unsigned i = 0; i < num_edges; i++)
      v[i] = walk_splat(e, i) + (vi)vu_shl((vu)w->across[i], 3);
   for (unsigned r = first; r <= last; r += VW / 8) {
      vi outside = v[0];

      v[0] += (vi)vu_shl((vu)w->down[0], 3);
      for (unsigned i = 1; i < num_edges; i++) {
         outside |= v[i];
         v[i] += (vi)vu_shl((vu)w->down[i], 3);
      }
      blocks |= (uint64_t)(~walk_negative(outside) & ((1u << VW) - 1)) << r * 8;
   }
   return blocks & lanes_in_rect(x0 / 8, first, x1 / 8, last);
}

/* Row-major lanes of a block; e: the edges' values at its first pixel. */
V_INLINE uint64_t
walk_cover(const struct walk *w, __m128i e, unsigned num_edges)
{
   vi v[4], outside[VECTORS];

   for (unsigned i = 0; i < num_edges; i++)
      v[i] = walk_splat(e, i) + w->across[i];
   for (unsigned n = 0; n < VECTORS; n++) {
      outside[n] = v[0];
      for (unsigned i = 1; i < num_edges; i++)
         outside[n] |= v[i];
      for (unsigned i = 0; i < num_edges; i++)
         v[i] += w->down[i];
   }
#if VW == 16
   uint64_t lanes = 0;
   for (unsigned n = 0; n < VECTORS; n++)
      lanes |= (uint64_t)walk_negative(outside[n]) << n * VW;
   return ~lanes;
#else
   /* Saturation leaves signs alone. */
   const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
   uint32_t half[2];

   for (unsigned k = 0; k < 2; k++) {
      const vi *row = outside + k * 4;
      const __m256i bytes =
         _mm256_packs_epi16(_mm256_packs_epi32((__m256i)row[0], (__m256i)row[1]),
                            _mm256_packs_epi32((__m256i)row[2], (__m256i)row[3]));
      half[k] = (uint32_t)_mm256_movemask_epi8(_mm256_permutevar8x32_epi32(bytes, order));
   }
   return ~(half[0] | (uint64_t)half[1] << 32);
#endif
}
#endif

#endif
