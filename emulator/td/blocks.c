/* SPDX-License-Identifier: MIT */
/*
 * The caches of blocks.h, and texels for the special samplers.
 */
#include "td/blocks.h"

#include <pthread.h>
#include <stdlib.h>

/* More blocks than a wave of neighbours reads: then they are looked up lane by lane. */
#define BOX_BLOCKS 64u

/* By dwords of a texel. */
struct caches {
   struct td_block_cache *of[2];
};

/* Not a thread-local array: a library that is loaded late has room for a few bytes of those. */
static pthread_key_t caches_key;
static pthread_once_t caches_once = PTHREAD_ONCE_INIT;
static bool caches_kept;

static void
free_caches(void *caches)
{
   struct caches *all = caches;
   free(all->of[0]);
   free(all->of[1]);
   free(all);
}

static void
caches_init(void)
{
   caches_kept = pthread_key_create(&caches_key, free_caches) == 0;
}

/* This thread's. */
static struct caches *
caches_here(void)
{
   pthread_once(&caches_once, caches_init);
   if (!caches_kept)
      return NULL;
   struct caches *all = pthread_getspecific(caches_key);
   if (!all) {
      all = calloc(1, sizeof(*all));
      if (all && pthread_setspecific(caches_key, all) != 0) {
         free(all);
         all = NULL;
      }
   }
   return all;
}

struct td_block_cache *
K(td_block_cache_of)(unsigned format)
{
   struct caches *all = caches_here();
   unsigned dwords = td_block_dwords(format);

   if (!all)
      return NULL;
   /* Pages that no block needs are never touched. */
   if (!all->of[dwords - 1])
      all->of[dwords - 1] = calloc(1, sizeof(struct td_block_cache) +
                                         TD_CACHE_BLOCKS * 16 * dwords * sizeof(uint32_t));
   return all->of[dwords - 1];
}

void
K(td_block_cache_decode)(struct td_block_cache *c, uint32_t slot, unsigned kind,
                         const uint64_t bytes[2])
{
   unsigned format = kind & 63;
   uint8_t block[16];

   memcpy(block, bytes, sizeof(block));
   td_block_decode(format, block, kind >> 8 & 15,
                   c->texel + (size_t)slot * 16 * td_block_dwords(format));
   c->bytes[slot][0] = bytes[0];
   c->bytes[slot][1] = bytes[1];
   c->kind[slot] = (uint16_t)kind;
}

void
K(td_block_one)(const struct td_decode *d, const uint8_t *p, uint32_t x, uint32_t y,
                uint32_t out[2])
{
   uint32_t c[4] = { 0, 0, 0, 0 };
   uint8_t block[16];

   memcpy(block, p, d->bytes);
   td_block_texel(d->format, block, x, y, td_block_signs(d), c);
   out[1] = 0;
   if (td_block_dwords(d->format) == 1) {
      out[0] = c[0] | c[1] << 8 | c[2] << 16 | c[3] << 24;
   } else if (d->format == FORMAT_BC6) {
      out[0] = c[0] | c[1] << 16;
      out[1] = c[2];
   } else {
      out[0] = c[0];
      out[1] = c[1];
   }
}

/* Whether a box of texels (bounds included) of a level is worth it; its blocks are then in their
 * slots. */
static bool
need_box(const struct tex *t, struct td_block_cache *c, unsigned level, const uint32_t low[2],
         const uint32_t high[2])
{
   const struct tex_level *v = &t->level[level];
   uint32_t x0 = low[0] / 4, x1 = high[0] / 4, y0 = low[1] / 4, y1 = high[1] / 4;
   unsigned kind = td_block_kind(&t->decode);
   uint32_t origin = td_block_origin(v->base, level);

   _Static_assert(BOX_BLOCKS <= TD_CACHE_SIDE, "a box fits");
   if (x1 - x0 >= BOX_BLOCKS || y1 - y0 >= BOX_BLOCKS || (x1 - x0 + 1) * (y1 - y0 + 1) > BOX_BLOCKS)
      return false;
   for (uint32_t y = y0; y <= y1; y++) {
      const uint8_t *row = (const uint8_t *)(uintptr_t)(v->base + (uint64_t)y * v->pitch);
      for (uint32_t x = x0; x <= x1; x++)
         td_block_need(c, td_block_slot(origin, x, y), kind, row + (size_t)x * 16);
   }
   return true;
}

/* Bounds of what the lanes of the mask (not none) have in `a` and `b`. */
static void
find_bounds(const uint32_t *a, const uint32_t *b, uint64_t lanes, uint32_t *low, uint32_t *high)
{
   vi least = vi_splat(INT32_MAX), most = vi_splat(0);
   int32_t all[2][VW];

   for (unsigned n = 0; n < VECTORS; n++) {
      vm in = vm_lanes(lanes, n);
      vi x = vi_load(&a[n * VW]), y = vi_load(&b[n * VW]);
      least = vi_select(in, vi_min(least, vi_min(x, y)), least);
      most = vi_select(in, vi_max(most, vi_max(x, y)), most);
   }
   memcpy(all[0], &least, sizeof(all[0]));
   memcpy(all[1], &most, sizeof(all[1]));
   for (unsigned i = 1; i < VW; i++) {
      all[0][0] = all[0][i] < all[0][0] ? all[0][i] : all[0][0];
      all[1][0] = all[1][i] > all[1][0] ? all[1][i] : all[1][0];
   }
   *low = (uint32_t)all[0][0];
   *high = (uint32_t)all[1][0];
}

/* Of blocks that are in their slots. */
static void
read_slots(const struct td_block_cache *c, uint32_t origin, unsigned dwords, const uint32_t *x,
           const uint32_t *y, uint32_t *out)
{
   vu side = vu_splat(TD_CACHE_SIDE - 1), three = vu_splat(3);
   wave_lane at;

   for (unsigned n = 0; n < VECTORS; n++) {
      vu a = vu_load(&x[n * VW]), b = vu_load(&y[n * VW]);
      vu slot =
         vu_splat(origin) + (vu_shr(a, 2) & side) + (vu_shr(b, 2) & side) * vu_splat(TD_CACHE_SIDE);
      slot = (slot & vu_splat(TD_CACHE_HALF - 1)) + vu_splat(origin & TD_CACHE_HALF);
      vu texel = vu_shl(slot, 4) | vu_shl(b & three, 2) | (a & three);
      vu_store(&at[n * VW], texel * vu_splat(dwords));
   }
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      out[l] = c->texel[at[l]];
      if (dwords == 2)
         out[WAVE_LANES + l] = c->texel[at[l] + 1];
   }
}

/* Lane by lane; texels of a lane are mostly in one block. */
static void
read_lanes(const struct tex *t, struct td_block_cache *c, const uint32_t *level, uint64_t lanes,
           const uint32_t *const x[2], const uint32_t *const y[2], unsigned sides,
           uint32_t *const out[2])
{
   unsigned dwords = td_block_dwords(t->decode.format), kind = td_block_kind(&t->decode);

   for (uint64_t m = lanes; m; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctzll(m);
      const struct tex_level *v = &t->level[level[l]];
      const uint8_t *last = NULL;
      uint32_t origin = td_block_origin(v->base, level[l]);
      for (unsigned k = 0; k < sides * sides; k++) {
         unsigned i = k % sides, j = k / sides;
         uint32_t cx = x[i][l], cy = y[j][l], texel[2];
         const uint8_t *p =
            (const uint8_t *)(uintptr_t)v->base + (size_t)(cy >> 2) * v->pitch + (cx >> 2) * 16;
         if (c) {
            uint32_t slot = td_block_slot(origin, cx >> 2, cy >> 2);
            if (p != last)
               td_block_need(c, slot, kind, p);
            last = p;
            memcpy(texel, c->texel + (slot * 16 + (cy & 3) * 4 + (cx & 3)) * dwords, 4 * dwords);
         } else {
            K(td_block_one)(&t->decode, p, cx, cy, texel);
         }
         for (unsigned d = 0; d < dwords; d++)
            out[j][(i * dwords + d) * WAVE_LANES + l] = texel[d];
      }
   }
}

static void
read_simple(const struct tex *t, const uint32_t *level, bool uniform, const uint32_t *x,
            const uint32_t *y, uint32_t *out)
{
   const uint8_t *p[WAVE_LANES];
   struct td_raw blocks;
   wave_lane texel, offset;
   unsigned bytes = t->decode.bytes;
   const struct tex_level *v = &t->level[level[0]];

   for (unsigned n = 0; n < VECTORS; n++) {
      vu a = vu_load(&x[n * VW]), b = vu_load(&y[n * VW]), three = vu_splat(3);
      vu_store(&texel[n * VW], (a & three) | vu_shl(b & three, 2));
      vu_store(&offset[n * VW], vu_shr(a, 2) * vu_splat(bytes) + vu_shr(b, 2) * vu_splat(v->pitch));
   }
   for (unsigned l = 0; l < WAVE_LANES && uniform; l++)
      p[l] = (const uint8_t *)(uintptr_t)v->base + offset[l];
   for (unsigned l = 0; l < WAVE_LANES && !uniform; l++) {
      v = &t->level[level[l]];
      p[l] = (const uint8_t *)(uintptr_t)v->base + (size_t)(y[l] >> 2) * v->pitch +
             (size_t)(x[l] >> 2) * bytes;
   }
   K(td_block_load)(p, bytes, &blocks);
   K(td_block_texels)
   (t->decode.format, td_block_signs(&t->decode), &blocks, texel, out, out + WAVE_LANES);
}

void
K(td_block_read)(const struct tex *t, const uint32_t *level, bool uniform, uint64_t lanes,
                 const uint32_t *const x[2], const uint32_t *const y[2], unsigned sides,
                 uint32_t *const out[2])
{
   unsigned dwords = td_block_dwords(t->decode.format);
   bool simple = td_block_is_simple(t->decode.format);
   struct td_block_cache *c = NULL;

   if (!simple) {
      uint32_t low[2] = { 0, 0 }, high[2] = { 0, 0 };
      c = K(td_block_cache_of)(t->decode.format);
      if (c && uniform && lanes) {
         find_bounds(x[0], x[sides - 1], lanes, &low[0], &high[0]);
         find_bounds(y[0], y[sides - 1], lanes, &low[1], &high[1]);
      }
      if (!c || !uniform || !lanes || !need_box(t, c, level[0], low, high)) {
         read_lanes(t, c, level, lanes, x, y, sides, out);
         return;
      }
   }
   for (unsigned j = 0; j < sides; j++) {
      for (unsigned i = 0; i < sides; i++) {
         uint32_t *to = out[j] + i * dwords * WAVE_LANES;
         if (simple)
            read_simple(t, level, uniform, x[i], y[j], to);
         else
            read_slots(c, td_block_origin(t->level[level[0]].base, level[0]), dwords, x[i], y[j],
                       to);
      }
   }
}
