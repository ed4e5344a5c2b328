/* SPDX-License-Identifier: MIT */
/*
 * Quads on their way into a wave, by pieces: what one block of one primitive gives (kernels wider
 * than SSE2, draws of one sample).
 *
 * A piece's quads join at once, whatever their number, which nobody can predict: of each only its
 * place in the block and its lanes are noted.  Where quads lie and whose they are is found for the
 * whole wave before it runs.
 */
#ifndef ATOLL_PASS_PIECES_H
#define ATOLL_PASS_PIECES_H

#include "port/quads.h"

#if VW > 4
/* By eight quads' bits: the numbers of those set, ascending, a byte each; behind them anything.
 * Processors with AVX2 may be slow at pext. */
#define FIRST(list, count, more) ((list) | UINT64_C(more) << (count)*8)
#define FIRST_16(more)                                                                             \
   FIRST(0, 0, more), FIRST(0, 1, more), FIRST(1, 1, more), FIRST(0x0100, 2, more),                \
      FIRST(2, 1, more), FIRST(0x0200, 2, more), FIRST(0x0201, 2, more), FIRST(0x020100, 3, more), \
      FIRST(3, 1, more), FIRST(0x0300, 2, more), FIRST(0x0301, 2, more), FIRST(0x030100, 3, more), \
      FIRST(0x0302, 2, more), FIRST(0x030200, 3, more), FIRST(0x030201, 3, more),                  \
      FIRST(0x03020100, 4, more)
static const uint64_t quads_set[256] = {
   FIRST_16(0),      FIRST_16(4),        FIRST_16(5),        FIRST_16(0x0504),
   FIRST_16(6),      FIRST_16(0x0604),   FIRST_16(0x0605),   FIRST_16(0x060504),
   FIRST_16(7),      FIRST_16(0x0704),   FIRST_16(0x0705),   FIRST_16(0x070504),
   FIRST_16(0x0706), FIRST_16(0x070604), FIRST_16(0x070605), FIRST_16(0x07060504),
};
#undef FIRST_16
#undef FIRST

/* A byte a quad, of lanes in quad order. */
V_INLINE __m128i
pieces_bytes(uint64_t lanes)
{
   const __m128i nibble = _mm_set1_epi8(15);
   const __m128i v = _mm_loadl_epi64((const __m128i *)&lanes);

   return _mm_unpacklo_epi8(_mm_and_si128(v, nibble), _mm_and_si128(_mm_srli_epi16(v, 4), nibble));
}

/* The 16-bit lanes that bits are set for. */
V_INLINE __m256i
pieces_mask(unsigned quads)
{
   const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x400,
                                         0x800, 0x1000, 0x2000, 0x4000, INT16_MIN);

   return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16((int16_t)quads), bit), bit);
}

/* The reverse. */
V_INLINE unsigned
pieces_bits(__m256i mask)
{
   const __m128i low = _mm256_castsi256_si128(mask), high = _mm256_extracti128_si256(mask, 1);

   return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

/* Adds quads (a bit each) of the block at (x, y), for which there is room; `lanes` as
 * pieces_bytes() gives them. */
V_INLINE void
pieces_join(struct tile *t, const struct sc_prim *prim, const struct spi_coef (*coef)[4], int32_t x,
            int32_t y, __m128i lanes, unsigned quads)
{
   struct pixel_wave *w = &t->pending;
   struct pieces *p = &t->pieces;
   const unsigned n = w->num_quads, k = p->count++;
   const unsigned low = (unsigned)__builtin_popcount(quads & 255);
   const __m128i first = _mm_loadl_epi64((const __m128i *)&quads_set[quads & 255]);
   const __m128i second =
      _mm_add_epi8(_mm_loadl_epi64((const __m128i *)&quads_set[quads >> 8]), _mm_set1_epi8(8));

   _mm_storel_epi64((__m128i *)(p->place + n), first);
   _mm_storel_epi64((__m128i *)(p->place + n + low), second);
   _mm_storel_epi64((__m128i *)(p->lanes + n), _mm_shuffle_epi8(lanes, first));
   _mm_storel_epi64((__m128i *)(p->lanes + n + low), _mm_shuffle_epi8(lanes, second));
   _mm_storeu_si128((__m128i *)(p->piece + n), _mm_set1_epi8((char)k));
   p->x[k] = x;
   p->y[k] = y;
   p->anchor_x[k] = prim->x0;
   p->anchor_y[k] = prim->y0;
   p->prim[k] = prim;
   p->coef[k] = coef;
   w->kinds |= (uint8_t)(1u << prim_kind(prim));
   if (!k)
      w->prim[0] = prim;
   w->num_quads = n + low + (unsigned)__builtin_popcount(quads >> 8);
}

/* Elements of an array of one for each piece. */
V_INLINE vi
pieces_take(const int32_t *of, vi piece)
{
#if VW == 16
   return (vi)_mm512_permutexvar_epi32((__m512i)piece, (__m512i)vi_load(of));
#else
   const __m256i index = (__m256i)piece;
   const __m256i low = _mm256_permutevar8x32_epi32((__m256i)vi_load(of), index);
   const __m256i high = _mm256_permutevar8x32_epi32((__m256i)vi_load(of + 8), index);

   return (vi)_mm256_blendv_epi8(low, high, _mm256_cmpgt_epi32(index, _mm256_set1_epi32(7)));
#endif
}

V_INLINE vi
pieces_widen(const uint8_t *of)
{
#if VW == 16
   return (vi)_mm512_cvtepu8_epi32(_mm_load_si128((const __m128i *)of));
#else
   return (vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)of));
#endif
}

/* Makes the pending wave of them. */
V_INLINE void
pieces_finish(struct tile *t)
{
   struct pixel_wave *w = &t->pending;
   struct pieces *p = &t->pieces;
   const __m128i words =
      _mm_maddubs_epi16(_mm_load_si128((const __m128i *)p->lanes), _mm_set1_epi16(0x1001));

   _mm_storel_epi64((__m128i *)&w->sample[0], _mm_packus_epi16(words, words));
   w->sample[0] &= UINT64_MAX >> (64 - w->num_quads * 4);
   w->one_prim = p->prim[p->count - 1] == p->prim[0];
   for (unsigned q = 0; q < WAVE_QUADS; q += VW) {
      /* Lanes without quads are as those of the first. */
      const vm live =
         vi_lt(vi_lane_index() + vi_splat((int32_t)q), vi_splat((int32_t)w->num_quads));
      const vi piece = (vi)vu_keep(live, (vu)pieces_widen(p->piece + q));
      const vi place = (vi)vu_keep(live, (vu)pieces_widen(p->place + q));
      const vi x = pieces_take(p->x, piece) + ((place + place) & vi_splat(6));
      const vi y = pieces_take(p->y, piece) + (vi_sar(place, 1) & vi_splat(6));

      vi_store(w->x + q, x);
      vi_store(w->y + q, y);
      vi_store(w->from_x + q, x - pieces_take(p->anchor_x, piece));
      vi_store(w->from_y + q, y - pieces_take(p->anchor_y, piece));
   }
   w->prim[0] = p->prim[0];
   w->coef[0] = p->coef[0];
   for (unsigned q = 1; q < WAVE_QUADS && !w->one_prim; q++) {
      const unsigned k = q < w->num_quads ? p->piece[q] : 0;

      w->prim[q] = p->prim[k];
      w->coef[q] = p->coef[k];
   }
   p->count = 0;
}
#endif

#endif
