/* SPDX-License-Identifier: MIT */
/*
 * Binning: lists, per tile of the batch's bounding rectangle, the primitives that may touch it, in
 * order (a counting sort).  A primitive that covers several tiles is left out of those that one of
 * its edges shuts out completely.
 */
#include <string.h>

#include "vgt/front.h"
#include "port/limits.h"

/* Whether some edge of p excludes every pixel of tile (tx, ty). */
static bool
shut_out(const struct sc_prim *p, int32_t tx, int32_t ty)
{
   const int64_t x0 = (int64_t)tx << TILE_LOG2, y0 = (int64_t)ty << TILE_LOG2;
   const int64_t x1 = x0 + TILE_SIZE - 1, y1 = y0 + TILE_SIZE - 1;

   for (unsigned k = 0; k < p->num_edges; k++) {
      /* The corner where the edge's value is largest; a pixel's margin for samples. */
      const int64_t m =
         (p->a[k] < 0 ? -(int64_t)p->a[k] : p->a[k]) + (p->b[k] < 0 ? -(int64_t)p->b[k] : p->b[k]);
      const int64_t e = p->a[k] * (p->a[k] > 0 ? x1 : x0) + p->b[k] * (p->b[k] > 0 ? y1 : y0);

      if (e + m + p->c[k] < 0)
         return true;
   }
   return false;
}

void
K(pa_bin)(struct front *f)
{
   struct batch *b = f->batch;
   int32_t x0 = INT16_MAX, y0 = INT16_MAX, x1 = -1, y1 = -1;

   if (!b->num_prims)
      return;
   for (uint32_t i = 0; i < b->num_prims; i++) {
      const struct sc_prim *p = &b->prims[i];

      b->pixels += (uint64_t)(p->max_x - p->min_x + 1) * (p->max_y - p->min_y + 1);
      x0 = p->min_x < x0 ? p->min_x : x0;
      y0 = p->min_y < y0 ? p->min_y : y0;
      x1 = p->max_x > x1 ? p->max_x : x1;
      y1 = p->max_y > y1 ? p->max_y : y1;
   }
   x0 >>= TILE_LOG2;
   y0 >>= TILE_LOG2;
   x1 >>= TILE_LOG2;
   y1 >>= TILE_LOG2;

   const uint32_t w = x1 - x0 + 1, h = y1 - y0 + 1;
   uint32_t *start = pool_alloc(&f->worker->pool, (w * h + 1) * sizeof(*start));

   if (!start) {
      f->out_of_memory = true;
      return;
   }
   memset(start, 0, (w * h + 1) * sizeof(*start));

   /* Count, then place: start[n] runs from the count to the end of bin n, and back again. */
   for (unsigned pass = 0; pass < 2; pass++) {
      for (uint32_t k = 0; k < b->num_prims; k++) {
         /* Backwards in the second round, so that each bin fills from its end. */
         const uint32_t i = pass ? b->num_prims - 1 - k : k;
         const struct sc_prim *p = &b->prims[i];
         const int32_t tx0 = p->min_x >> TILE_LOG2, tx1 = p->max_x >> TILE_LOG2;
         const int32_t ty0 = p->min_y >> TILE_LOG2, ty1 = p->max_y >> TILE_LOG2;
         const bool one = tx0 == tx1 && ty0 == ty1;

         for (int32_t ty = ty0; ty <= ty1; ty++) {
            for (int32_t tx = tx0; tx <= tx1; tx++) {
               const uint32_t n = (ty - y0) * w + (tx - x0);

               if (!one && shut_out(p, tx, ty))
                  continue;
               if (pass)
                  b->bin_prims[--start[n]] = i;
               else
                  start[n]++;
            }
         }
      }
      if (pass == 0) {
         uint32_t total = 0;

         for (uint32_t n = 0; n < w * h; n++) {
            total += start[n];
            start[n] = total;
         }
         start[w * h] = total;
         b->bin_prims = pool_alloc(&f->worker->pool, (total + 1) * sizeof(*b->bin_prims));
         if (!b->bin_prims) {
            f->out_of_memory = true;
            return;
         }
      }
   }
   b->bin_start = start;
   b->tile_x0 = x0;
   b->tile_y0 = y0;
   b->tile_x1 = x1;
   b->tile_y1 = y1;
}
