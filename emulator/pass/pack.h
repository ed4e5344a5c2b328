/* SPDX-License-Identifier: MIT */
/*
 * Quads of blocks into waves (kernels): what early tests leave of a block joins the wave under
 * construction, quad by quad, so that the wave's composition depends on the stream alone.
 *
 * There are three ways.  A block of quads that all live is a wave of its own.  Of draws of one
 * sample, in kernels wider than SSE2, quads go by runs: a run is what one block of one primitive
 * gives.  Its quads join at once, whatever their number, which nobody can predict: of each only its
 * number in the block and its lanes are noted.  Where quads lie, and of which primitives they are,
 * is found for the whole wave before it runs.  All others join as they are.
 */
#ifndef ATOLL_PASS_PACK_H
#define ATOLL_PASS_PACK_H

#include "pass/tile.h"
#include "port/quads.h"
#include "spi/spi.h"

/* ---- Runs ---- */

#if VW > 4
/* By eight quads' bits: the numbers of those set, ascending, a byte each; after them anything.
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
runs_bytes(uint64_t lanes)
{
   const __m128i nibble = _mm_set1_epi8(15);
   const __m128i v = _mm_loadl_epi64((const __m128i *)&lanes);

   return _mm_unpacklo_epi8(_mm_and_si128(v, nibble), _mm_and_si128(_mm_srli_epi16(v, 4), nibble));
}

/* The 16-bit lanes that bits are set for. */
V_INLINE __m256i
runs_mask(unsigned quads)
{
   const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x400,
                                         0x800, 0x1000, 0x2000, 0x4000, INT16_MIN);

   return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16((int16_t)quads), bit), bit);
}

/* The reverse. */
V_INLINE unsigned
runs_bits(__m256i mask)
{
   const __m128i low = _mm256_castsi256_si128(mask), high = _mm256_extracti128_si256(mask, 1);

   return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high));
}

/* Adds quads (a bit each) of the block at (x, y), for which there is room; `lanes` as
 * runs_bytes() gives them. */
V_INLINE void
runs_join(struct tile *t, const struct sc_prim *prim, const struct spi_coef (*coef)[4], int32_t x,
          int32_t y, __m128i lanes, unsigned quads)
{
   struct pixel_wave *w = &t->pending;
   struct quad_runs *p = &t->runs;
   const unsigned n = w->num_quads, k = p->count++;
   const unsigned low = (unsigned)__builtin_popcount(quads & 255);
   const __m128i first = _mm_loadl_epi64((const __m128i *)&quads_set[quads & 255]);
   const __m128i second =
      _mm_add_epi8(_mm_loadl_epi64((const __m128i *)&quads_set[quads >> 8]), _mm_set1_epi8(8));

   _mm_storel_epi64((__m128i *)(p->quad + n), first);
   _mm_storel_epi64((__m128i *)(p->quad + n + low), second);
   _mm_storel_epi64((__m128i *)(p->lanes + n), _mm_shuffle_epi8(lanes, first));
   _mm_storel_epi64((__m128i *)(p->lanes + n + low), _mm_shuffle_epi8(lanes, second));
   _mm_storeu_si128((__m128i *)(p->run + n), _mm_set1_epi8((char)k));
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

/* Elements of an array of one for each run. */
V_INLINE vi
runs_take(const int32_t *of, vi run)
{
#if VW == 16
   return (vi)_mm512_permutexvar_epi32((__m512i)run, (__m512i)vi_load(of));
#else
   const __m256i index = (__m256i)run;
   const __m256i low = _mm256_permutevar8x32_epi32((__m256i)vi_load(of), index);
   const __m256i high = _mm256_permutevar8x32_epi32((__m256i)vi_load(of + 8), index);

   return (vi)_mm256_blendv_epi8(low, high, _mm256_cmpgt_epi32(index, _mm256_set1_epi32(7)));
#endif
}

V_INLINE vi
runs_widen(const uint8_t *of)
{
#if VW == 16
   return (vi)_mm512_cvtepu8_epi32(_mm_load_si128((const __m128i *)of));
#else
   return (vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)of));
#endif
}

/* Makes the pending wave of them. */
V_INLINE void
runs_finish(struct tile *t)
{
   struct pixel_wave *w = &t->pending;
   struct quad_runs *p = &t->runs;
   const __m128i words =
      _mm_maddubs_epi16(_mm_load_si128((const __m128i *)p->lanes), _mm_set1_epi16(0x1001));

   _mm_storel_epi64((__m128i *)&w->sample[0], _mm_packus_epi16(words, words));
   w->sample[0] &= UINT64_MAX >> (64 - w->num_quads * 4);
   w->one_prim = p->prim[p->count - 1] == p->prim[0];
   for (unsigned q = 0; q < WAVE_QUADS; q += VW) {
      /* Lanes without quads are as those of the first. */
      const vm live =
         vi_lt(vi_lane_index() + vi_splat((int32_t)q), vi_splat((int32_t)w->num_quads));
      const vi run = (vi)vu_keep(live, (vu)runs_widen(p->run + q));
      const vi quad = (vi)vu_keep(live, (vu)runs_widen(p->quad + q));
      const vi x = runs_take(p->x, run) + ((quad + quad) & vi_splat(6));
      const vi y = runs_take(p->y, run) + (vi_sar(quad, 1) & vi_splat(6));

      vi_store(w->x + q, x);
      vi_store(w->y + q, y);
      vi_store(w->from_x + q, x - runs_take(p->anchor_x, run));
      vi_store(w->from_y + q, y - runs_take(p->anchor_y, run));
   }
   w->prim[0] = p->prim[0];
   w->coef[0] = p->coef[0];
   for (unsigned q = 1; q < WAVE_QUADS && !w->one_prim; q++) {
      const unsigned k = q < w->num_quads ? p->run[q] : 0;

      w->prim[q] = p->prim[k];
      w->coef[q] = p->coef[k];
   }
   p->count = 0;
}
#endif

/* ---- Waves ---- */

/* Nothing pending shares a segment with what comes. */
static void
next_segment(struct tile *t)
{
   if (!++t->serial) {
      memset(t->seen, 0, sizeof(t->seen));
      t->serial = 1;
   }
}

static void
flush_pending(struct tile *t)
{
   struct pixel_wave *w = &t->pending;

   if (!w->num_quads)
      return;
#if VW > 4
   if (t->runs.count)
      runs_finish(t);
#endif
   K(pixel_run)(t, w);
   w->num_quads = 0;
   w->kinds = 0;
   w->segments = 0;
   for (unsigned s = 0; s < t->num_covered; s++)
      w->sample[s] = w->before[s] = 0;
   next_segment(t);
}

/* The quad that comes has pixels of the segment under construction. */
static void
retire_quad(struct tile *t)
{
   /* What the earlier quad leaves is what the program reads for this one. */
   if (t->draw->reads_targets) {
      flush_pending(t);
      return;
   }
   t->pending.segments |= (uint16_t)(1u << t->pending.num_quads);
   next_segment(t);
}

/* A block of sixteen quads that all live. */
static void
run_whole(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, const uint64_t *samples)
{
   struct pixel_wave *w = &t->whole;
   static const int32_t offset_x[16] = { 0, 2, 4, 6, 0, 2, 4, 6, 0, 2, 4, 6, 0, 2, 4, 6 };
   static const int32_t offset_y[16] = { 0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6 };

   for (unsigned q = 0; q < WAVE_QUADS; q++) {
      w->x[q] = x + offset_x[q];
      w->y[q] = y + offset_y[q];
   }
   w->num_quads = WAVE_QUADS;
   w->segments = 0;
   w->one_prim = w->block = true;
   w->prim[0] = prim;
   w->coef[0] = K(spi_coefs)(t, prim);
   for (unsigned s = 0; s < t->num_covered; s++)
      w->sample[s] = samples[s];
   if (t->key.before)
      memcpy(w->before, t->before, sizeof(w->before));
   K(pixel_run)(t, w);
}

#if VW == 16 && defined(__x86_64__)
/* Quads of a block to the wave, which has room for them. */
static inline void
join_quads(struct tile *t, const struct sc_prim *prim, const struct spi_coef (*coef)[4], int32_t x,
           int32_t y, const uint64_t *samples, unsigned quads)
{
   struct pixel_wave *w = &t->pending;
   const unsigned n = w->num_quads, count = (unsigned)__builtin_popcount(quads);
   const uint64_t lanes = _pdep_u64(quads, UINT64_C(0x1111111111111111)) * 15;
   const vi quad = vi_lane_index();
   const vi qx = vi_splat(x) + ((quad + quad) & vi_splat(6));
   const vi qy = vi_splat(y) + (vi_sar(quad, 1) & vi_splat(6));
   const __m512i p = _mm512_set1_epi64((intptr_t)prim), c = _mm512_set1_epi64((intptr_t)coef);

   _mm512_storeu_si512(w->x + n, _mm512_maskz_compress_epi32((__mmask16)quads, (__m512i)qx));
   _mm512_storeu_si512(w->y + n, _mm512_maskz_compress_epi32((__mmask16)quads, (__m512i)qy));
   _mm512_storeu_si512(w->from_x + n, _mm512_maskz_compress_epi32(
                                         (__mmask16)quads, (__m512i)(qx - vi_splat(prim->x0))));
   _mm512_storeu_si512(w->from_y + n, _mm512_maskz_compress_epi32(
                                         (__mmask16)quads, (__m512i)(qy - vi_splat(prim->y0))));
   w->kinds |= (uint8_t)(1u << prim_kind(prim));
   for (unsigned k = 0; k < count; k += 8) {
      _mm512_storeu_si512(w->prim + n + k, p);
      _mm512_storeu_si512(w->coef + n + k, c);
   }
   for (unsigned s = 0; s < t->num_covered; s++)
      w->sample[s] |= _pext_u64(samples[s], lanes) << n * 4;
   for (unsigned s = 0; s < t->num_covered && t->key.before; s++)
      w->before[s] |= _pext_u64(t->before[s], lanes) << n * 4;
   w->num_quads = n + count;
   w->one_prim = w->prim[0] == prim;
}

/* The quads of `live`, one bit each, in order. */
static void
pack_quads(struct tile *t, const struct sc_prim *prim, const struct spi_coef (*coef)[4], int32_t x,
           int32_t y, const uint64_t *samples, uint64_t live, uint16_t *seen)
{
   unsigned quads = (unsigned)_pext_u64(live, UINT64_C(0x1111111111111111));

   while (quads) {
      if (t->pending.num_quads == WAVE_QUADS)
         flush_pending(t);

      const __m256i serial = _mm256_set1_epi16((int16_t)t->serial);
      const __m256i old = _mm256_loadu_si256((const __m256i *)(const void *)seen);
      const unsigned twice = _mm256_mask_cmpeq_epi16_mask((__mmask16)quads, old, serial);
      const unsigned room = WAVE_QUADS - t->pending.num_quads;
      unsigned next = _pdep_u32((1u << room) - 1, quads);

      /* Up to the first that the segment has already. */
      next &= (twice & -twice) - 1;
      if (next) {
         join_quads(t, prim, coef, x, y, samples, next);
         _mm256_storeu_si256((__m256i *)(void *)seen,
                             _mm256_mask_mov_epi16(old, (__mmask16)next, serial));
         quads &= ~next;
      } else {
         retire_quad(t);
      }
   }
}
#else
static void
pack_quads(struct tile *t, const struct sc_prim *prim, const struct spi_coef (*coef)[4], int32_t x,
           int32_t y, const uint64_t *samples, uint64_t live, uint16_t *seen)
{
   struct pixel_wave *w = &t->pending;

   while (live) {
      const unsigned bit = (unsigned)__builtin_ctzll(live), quad = bit / 4;

      live &= live - 1;
      if (w->num_quads == WAVE_QUADS)
         flush_pending(t);
      if (seen[quad] == t->serial)
         retire_quad(t);

      const unsigned q = w->num_quads++;

      w->x[q] = x + (int32_t)(quad & 3) * 2;
      w->y[q] = y + (int32_t)(quad >> 2) * 2;
      w->from_x[q] = w->x[q] - prim->x0;
      w->from_y[q] = w->y[q] - prim->y0;
      w->kinds |= (uint8_t)(1u << prim_kind(prim));
      w->prim[q] = prim;
      w->coef[q] = coef;
      w->one_prim = w->prim[0] == prim;
      for (unsigned s = 0; s < t->num_covered; s++)
         w->sample[s] |= (samples[s] >> bit & 15) << q * 4;
      for (unsigned s = 0; s < t->num_covered && t->key.before; s++)
         w->before[s] |= (t->before[s] >> bit & 15) << q * 4;
      seen[quad] = t->serial;
   }
}
#endif

#if VW > 4
/* The quads of one sample's lanes, in order. */
static void
pack_runs(struct tile *t, const struct sc_prim *prim, const struct spi_coef (*coef)[4], int32_t x,
          int32_t y, uint64_t lanes, uint16_t *seen)
{
   const struct pixel_wave *w = &t->pending;
   const __m128i bytes = runs_bytes(lanes), zero = _mm_setzero_si128();
   unsigned quads = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, zero)) ^ 0xffff;

   do {
      if (w->num_quads == WAVE_QUADS)
         flush_pending(t);

      const __m256i serial = _mm256_set1_epi16((int16_t)t->serial);
      const __m256i old = _mm256_loadu_si256((const __m256i *)(const void *)seen);
      const __m256i held = _mm256_cmpeq_epi16(old, serial);
      const unsigned room = WAVE_QUADS - w->num_quads;
      unsigned next = quads;
      __m256i mask = runs_mask(next);

      if ((unsigned)__builtin_popcount(quads) > room) {
         unsigned rest = quads;

         for (unsigned i = 0; i < room; i++)
            rest &= rest - 1;
         next ^= rest;
         mask = runs_mask(next);
      }
      if (!_mm256_testz_si256(mask, held)) {
         /* Up to the first that the segment has already. */
         const unsigned twice = next & runs_bits(held);

         next &= (twice & -twice) - 1;
         mask = runs_mask(next);
      }
      if (next) {
         runs_join(t, prim, coef, x, y, bytes, next);
         _mm256_storeu_si256((__m256i *)(void *)seen, _mm256_blendv_epi8(old, serial, mask));
         quads ^= next;
      } else {
         retire_quad(t);
      }
   } while (quads);
}
#endif

static void
append_quads(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y,
             const uint64_t *samples, uint64_t any)
{
   const struct pixel_wave *w = &t->pending;
   uint64_t live = any | any >> 1;

   live |= live >> 2;
   live &= UINT64_C(0x1111111111111111);
   if (live == UINT64_C(0x1111111111111111) && (!w->num_quads || w->prim[0] == prim)) {
      run_whole(t, prim, x, y, samples);
      return;
   }
   const unsigned block =
      (unsigned)((y - t->y0) >> 3) * (TILE_SIZE / PIXEL_BLOCK) + (unsigned)((x - t->x0) >> 3);
   uint16_t *seen = t->seen + block * (PIXEL_BLOCK / 2 * PIXEL_BLOCK / 2);
   const struct spi_coef(*coef)[4] = K(spi_coefs)(t, prim);
#if VW > 4
   if (t->num_covered == 1) {
      pack_runs(t, prim, coef, x, y, any, seen);
      return;
   }
#endif
   pack_quads(t, prim, coef, x, y, samples, live, seen);
}

#endif
