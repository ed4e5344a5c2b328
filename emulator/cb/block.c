/* SPDX-License-Identifier: MIT */
/*
 * Whole blocks of pixels of four bytes (kernels only): what color.c does for any wave, for those
 * that most waves are.  Pixels go from a wave's colours to rows of memory, and back where they are
 * blended, without being put down in between.
 */
#include "cb/bytes.h"

#if VW > 4

/* Two rows of a block are so many vectors of quads. */
#define PAIR_VECTORS (VECTORS / 4)

/* Where a pair of rows lies. */
struct rows {
   uint8_t *upper, *lower;
};

V_INLINE void
load_rows(struct rows r, vu v[PAIR_VECTORS])
{
   const __m256i upper = _mm256_loadu_si256((const __m256i *)(const void *)r.upper);
   const __m256i lower = _mm256_loadu_si256((const __m256i *)(const void *)r.lower);

#if VW == 16
   const __m512i index = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
   const __m512i both = _mm512_inserti64x4(_mm512_castsi256_si512(upper), lower, 1);

   v[0] = (vu)_mm512_permutexvar_epi64(index, both);
#else
   const __m256i low = _mm256_unpacklo_epi64(upper, lower);
   const __m256i high = _mm256_unpackhi_epi64(upper, lower);

   v[0] = (vu)_mm256_permute2x128_si256(low, high, 0x20);
   v[1] = (vu)_mm256_permute2x128_si256(low, high, 0x31);
#endif
}

V_INLINE void
store_rows(struct rows r, const vu v[PAIR_VECTORS])
{
#if VW == 16
   const __m512i index = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
   const __m512i both = _mm512_permutexvar_epi64(index, (__m512i)v[0]);
   const __m256i upper = _mm512_castsi512_si256(both);
   const __m256i lower = _mm512_extracti64x4_epi64(both, 1);
#else
   const __m256i left = _mm256_permute2x128_si256((__m256i)v[0], (__m256i)v[1], 0x20);
   const __m256i right = _mm256_permute2x128_si256((__m256i)v[0], (__m256i)v[1], 0x31);
   const __m256i upper = _mm256_unpacklo_epi64(left, right);
   const __m256i lower = _mm256_unpackhi_epi64(left, right);
#endif

   _mm256_storeu_si256((__m256i *)(void *)r.upper, upper);
   _mm256_storeu_si256((__m256i *)(void *)r.lower, lower);
}

V_INLINE struct rows
next_rows(struct rows r, size_t row_bytes)
{
   return (struct rows){ r.upper + 2 * row_bytes, r.lower + 2 * row_bytes };
}

V_INLINE void
store_block(const struct cb_target *target, struct rows rows, const uint32_t *const src[4])
{
   const struct order_8888 order = order_of(target);
   const size_t row_bytes = target->surface.row_bytes;

#pragma GCC unroll 4
   for (unsigned k = 0; k < 4; k++, rows = next_rows(rows, row_bytes)) {
      vu v[PAIR_VECTORS];

      for (unsigned p = 0; p < PAIR_VECTORS; p++) {
         const unsigned at = (k * PAIR_VECTORS + p) * VW;
         const vf c[4] = { vf_load(src[0] + at), vf_load(src[1] + at), vf_load(src[2] + at),
                           vf_load(src[3] + at) };

         v[p] = pack_8888(&order, c, false);
      }
      store_rows(rows, v);
   }
}

/* One loop per kind of blending: the factors are constants where the caller's are. */
V_INLINE void
blend_block(const struct cb_target *target, struct rows rows, const uint32_t *const src[4],
            struct cb_blend blend)
{
   const struct order_8888 order = order_of(target);
   const size_t row_bytes = target->surface.row_bytes;
   const bool dst_alpha_one = target->dst_alpha_one;
   struct blend_colors c = { .constant = NULL };

   for (unsigned k = 0; k < 4; k++, rows = next_rows(rows, row_bytes)) {
      vu v[PAIR_VECTORS];

      load_rows(rows, v);
      for (unsigned p = 0; p < PAIR_VECTORS; p++) {
         for (unsigned n = 0; n < 4; n++)
            c.src[n] = vf_saturate(vf_load(src[n] + (k * PAIR_VECTORS + p) * VW));
         v[p] = blend_bytes(&order, blend, &c, v[p], dst_alpha_one);
      }
      store_rows(rows, v);
   }
}

bool
K(cb_block)(struct tile *t)
{
   const struct pixel_wave *w = t->wave;
   const unsigned index = t->draw->cb->only - 1u;
   const struct cb_target *target = &t->draw->cb->target[index];
   const struct cb_blend *b = &target->blend;
   const uint32_t x = (uint32_t)w->x[0], y = (uint32_t)w->y[0];
   const uint32_t *src[4];

   if (y + PIXEL_BLOCK > target->surface.height)
      return false;

   uint8_t *first = target_pixel(&target->surface, x, y, w->prim[0]->layer);
   const struct rows rows = { first, first + target->surface.row_bytes };

   source(t->worker->outputs, index, src);
   if (target->path == CB_PATH_STORE_8888) {
      store_block(target, rows, src);
      return true;
   }
   if (!target->full_mask)
      return false;
   if (blend_is(b, BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA))
      blend_block(target, rows, src, FIXED_BLEND(BLEND_SRC_ALPHA, BLEND_ONE_MINUS_SRC_ALPHA));
   else if (blend_is(b, BLEND_ONE, BLEND_ONE_MINUS_SRC_ALPHA))
      blend_block(target, rows, src, FIXED_BLEND(BLEND_ONE, BLEND_ONE_MINUS_SRC_ALPHA));
   else if (blend_is(b, BLEND_ONE, BLEND_ONE))
      blend_block(target, rows, src, FIXED_BLEND(BLEND_ONE, BLEND_ONE));
   else
      return false;
   return true;
}

#endif
