/* SPDX-License-Identifier: MIT */
/*
 * Whole blocks of pixels of four bytes (kernels only): what color.c does for any wave, for those
 * that most waves are.  Pixels go from a wave's colours to rows of memory, and back where they are
 * blended, without being put down in between.
 */
#include "cb/bytes.h"

#if VW > 4

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
   if (blend_is(b, FACTOR_SRC_ALPHA, FACTOR_ONE_MINUS_SRC_ALPHA))
      blend_block(target, rows, src, FIXED_BLEND(FACTOR_SRC_ALPHA, FACTOR_ONE_MINUS_SRC_ALPHA));
   else if (blend_is(b, FACTOR_ONE, FACTOR_ONE_MINUS_SRC_ALPHA))
      blend_block(target, rows, src, FIXED_BLEND(FACTOR_ONE, FACTOR_ONE_MINUS_SRC_ALPHA));
   else if (blend_is(b, FACTOR_ONE, FACTOR_ONE))
      blend_block(target, rows, src, FIXED_BLEND(FACTOR_ONE, FACTOR_ONE));
   else
      return false;
   return true;
}

#endif
