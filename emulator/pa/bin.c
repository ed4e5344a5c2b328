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

#define MANY UINT32_MAX

/* A primitive's tiles in the batch's bins: counted, or filled from their ends. */
static void
bin_many(struct batch *b, uint32_t *start, uint32_t i, bool fill)
{
   const struct sc_prim *p = &b->prims[i];
   const int32_t tx0 = p->min_x >> TILE_LOG2, tx1 = p->max_x >> TILE_LOG2;
   const int32_t ty0 = p->min_y >> TILE_LOG2, ty1 = p->max_y >> TILE_LOG2;
   const int32_t w = b->tile_x1 - b->tile_x0 + 1;

   for (int32_t ty = ty0; ty <= ty1; ty++) {
      for (int32_t tx = tx0; tx <= tx1; tx++) {
         const uint32_t n = (uint32_t)((ty - b->tile_y0) * w + (tx - b->tile_x0));

         if (shut_out(p, tx, ty))
            continue;
         if (fill)
            b->bin_prims[--start[n]] = i;
         else
            start[n]++;
      }
   }
}

/* The batch's rectangle of tiles, and for each primitive its tile, or MANY. */
static void
find_tiles(struct batch *b, uint32_t *tile)
{
   int32_t x0 = INT16_MAX, y0 = INT16_MAX, x1 = -1, y1 = -1;
   uint64_t pixels = 0;

   for (uint32_t i = 0; i < b->num_prims; i++) {
      const struct sc_prim *p = &b->prims[i];
      const int32_t min_x = p->min_x, min_y = p->min_y, max_x = p->max_x, max_y = p->max_y;
      const uint32_t first = (uint32_t)(min_y >> TILE_LOG2) << 16 | (uint32_t)(min_x >> TILE_LOG2);
      const uint32_t last = (uint32_t)(max_y >> TILE_LOG2) << 16 | (uint32_t)(max_x >> TILE_LOG2);

      pixels += (uint64_t)(max_x - min_x + 1) * (uint64_t)(max_y - min_y + 1);
      x0 = min_x < x0 ? min_x : x0;
      y0 = min_y < y0 ? min_y : y0;
      x1 = max_x > x1 ? max_x : x1;
      y1 = max_y > y1 ? max_y : y1;
      /* MANY where they differ, without a branch that nobody can predict. */
      tile[i] = first | (0 - (uint32_t)(first != last));
   }
   b->pixels += pixels;
   b->tile_x0 = (int16_t)(x0 >> TILE_LOG2);
   b->tile_y0 = (int16_t)(y0 >> TILE_LOG2);
   b->tile_x1 = (int16_t)(x1 >> TILE_LOG2);
   b->tile_y1 = (int16_t)(y1 >> TILE_LOG2);
}

/* Entries of a batch's bins: the most that there may be, and how many are always worth it.  Above
 * these a bin must hold at most half of the primitives, on the mean. */
#define MOST_ENTRIES UINT64_C(0x4000000)
#define MANY_ENTRIES UINT64_C(0x40000)

/* Whether sorting into bins pays.  It does not where primitives cover most of the screen, since
 * each is in most bins, nor where there are many bins: a target of 16384x16384 has 65536 tiles. */
static bool
sorts(const struct batch *b, const uint32_t *tile, uint64_t tiles)
{
   uint64_t entries = b->num_prims;

   for (uint32_t i = 0; i < b->num_prims; i++) {
      const struct sc_prim *p = &b->prims[i];

      if (tile[i] == MANY)
         entries += (uint64_t)((p->max_x >> TILE_LOG2) - (p->min_x >> TILE_LOG2) + 1) *
                    (uint64_t)((p->max_y >> TILE_LOG2) - (p->min_y >> TILE_LOG2) + 1);
   }
   return entries <= MANY_ENTRIES ||
          (entries <= MOST_ENTRIES && entries <= b->num_prims * tiles / 2);
}

/* The bin of a tile as find_tiles() names it. */
static inline uint32_t
bin_of(uint32_t tile, uint32_t origin, uint32_t width)
{
   return ((tile >> 16) - (origin >> 16)) * width + (tile & 0xffff) - (origin & 0xffff);
}

void
K(pa_bin)(struct front *f)
{
   struct batch *b = f->batch;

   b->unsorted = false;
   if (!b->num_prims || core_expired(&f->worker->watch))
      return;
   uint32_t *tile = pool_alloc(&f->worker->pool, b->num_prims * sizeof(*tile));

   if (!tile) {
      f->out_of_memory = true;
      return;
   }
   find_tiles(b, tile);

   const uint32_t w = b->tile_x1 - b->tile_x0 + 1, h = b->tile_y1 - b->tile_y0 + 1;
   const uint32_t origin = (uint32_t)b->tile_y0 << 16 | (uint32_t)b->tile_x0;
   uint32_t *start, total = 0;

   if (!sorts(b, tile, (uint64_t)w * h)) {
      b->unsorted = true;
      return;
   }
   start = pool_alloc(&f->worker->pool, (w * h + 1) * sizeof(*start));
   if (!start)
      goto out_of_memory;
   /* Count, then fill: start[n] runs from the count to the end of bin n, and back again. */
   memset(start, 0, (w * h + 1) * sizeof(*start));
   for (uint32_t i = 0; i < b->num_prims; i++)
      if (tile[i] == MANY)
         bin_many(b, start, i, false);
      else
         start[bin_of(tile[i], origin, w)]++;
   for (uint32_t n = 0; n < w * h; n++) {
      total += start[n];
      start[n] = total;
   }
   start[w * h] = total;
   b->bin_prims = pool_alloc(&f->worker->pool, (total + 1) * sizeof(*b->bin_prims));
   if (!b->bin_prims)
      goto out_of_memory;
   /* Backwards, so that each bin fills from its end. */
   for (uint32_t i = b->num_prims; i--;)
      if (tile[i] == MANY)
         bin_many(b, start, i, true);
      else
         b->bin_prims[--start[bin_of(tile[i], origin, w)]] = i;
   b->bin_start = start;
   return;

out_of_memory:
   f->out_of_memory = true;
   b->tile_x1 = b->tile_x0 - 1;
}
