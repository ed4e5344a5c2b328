/* SPDX-License-Identifier: MIT */
/*
 * The windows of blocks.h, and texels for the special samplers.
 */
#include "td/blocks.h"

#include <pthread.h>
#include <stdlib.h>

/* A set for each of a few planes, of as many windows; the one that was filled first goes. */
#define SETS 4u
#define WAYS 4u

/* More blocks than a wave of neighbours reads: each lane for itself is cheaper. */
#define BOX_BLOCKS 64u

struct windows {
   unsigned next[SETS];
   struct td_window window[SETS][WAYS];
};

/* Not a thread-local array: a library that is loaded late has room for a few bytes of those. */
static pthread_key_t windows_key;
static pthread_once_t windows_once = PTHREAD_ONCE_INIT;
static bool windows_kept;

static void
windows_init(void)
{
   windows_kept = pthread_key_create(&windows_key, free) == 0;
}

/* This thread's; pages that no window needs are never touched. */
static struct windows *
windows_here(void)
{
   pthread_once(&windows_once, windows_init);
   if (!windows_kept)
      return NULL;
   struct windows *w = pthread_getspecific(windows_key);
   if (!w) {
      w = calloc(1, sizeof(*w));
      if (w && pthread_setspecific(windows_key, w) != 0) {
         free(w);
         w = NULL;
      }
   }
   return w;
}

struct td_window *
K(td_window_of)(const struct tex *t, uint64_t plane)
{
   struct windows *all = windows_here();
   uint32_t kind = 1u << 31 | t->decode.format;

   if (!all)
      return NULL;
   kind |= td_block_signs(&t->decode) << 8;
   unsigned set = (unsigned)(plane * 0x9e3779b97f4a7c15ull >> 32) % SETS;
   for (unsigned way = 0; way < WAYS; way++) {
      struct td_window *w = &all->window[set][way];
      if (w->plane == plane && w->kind == kind)
         return w;
   }
   struct td_window *w = &all->window[set][all->next[set]++ % WAYS];
   w->plane = plane;
   w->kind = kind;
   memset(w->valid, 0, sizeof(w->valid));
   return w;
}

void
K(td_window_decode)(struct td_window *w, unsigned x, unsigned y, const uint64_t bytes[2])
{
   unsigned format = w->kind & 63, dwords = td_block_dwords(format);
   uint8_t block[16];
   uint32_t texels[32];
   uint32_t *out = w->texel + (y * 4 * TD_WINDOW_TEXELS + x * 4) * dwords;

   memcpy(block, bytes, sizeof(block));
   td_block_decode(format, block, w->kind >> 8 & 15, texels);
   for (unsigned row = 0; row < 4; row++)
      memcpy(out + row * TD_WINDOW_TEXELS * dwords, texels + row * 4 * dwords, 16 * dwords);
   w->bytes[y][x][0] = bytes[0];
   w->bytes[y][x][1] = bytes[1];
   w->valid[y] |= 1u << x;
}

/* A window with all blocks of a box of texels (bounds included) of a level; NULL if it does not
 * fit, or is not worth it. */
static struct td_window *
window_box(const struct tex *t, unsigned level, const uint32_t low[2], const uint32_t high[2])
{
   const struct tex_level *v = &t->level[level];
   uint32_t x0 = low[0] / 4, x1 = high[0] / 4, y0 = low[1] / 4, y1 = high[1] / 4;
   unsigned bytes = t->decode.bytes;

   if (x1 - x0 >= TD_WINDOW_BLOCKS || y1 - y0 >= TD_WINDOW_BLOCKS ||
       (x1 - x0 + 1) * (y1 - y0 + 1) > BOX_BLOCKS)
      return NULL;
   struct td_window *w = K(td_window_of)(t, v->base);
   if (!w)
      return NULL;
   for (uint32_t y = y0; y <= y1; y++) {
      const uint8_t *row = (const uint8_t *)(uintptr_t)(v->base + (uint64_t)y * v->pitch);
      for (uint32_t x = x0; x <= x1; x++)
         td_window_need(w, bytes, x, y, row + (size_t)x * bytes);
   }
   return w;
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

/* Lanes that the box left out get some texel of the window. */
static void
read_window(const struct td_window *w, unsigned dwords, const uint32_t *x, const uint32_t *y,
            uint32_t *out)
{
   vu in = vu_splat(TD_WINDOW_TEXELS - 1);
   wave_lane at;

   for (unsigned n = 0; n < VECTORS; n++) {
      vu row = (vu_load(&y[n * VW]) & in) * vu_splat(TD_WINDOW_TEXELS);
      vu_store(&at[n * VW], (row + (vu_load(&x[n * VW]) & in)) * vu_splat(dwords));
   }
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      out[l] = w->texel[at[l]];
      if (dwords == 2)
         out[WAVE_LANES + l] = w->texel[at[l] + 1];
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

bool
K(td_block_read)(const struct tex *t, const uint32_t *level, bool uniform, uint64_t lanes,
                 const uint32_t *const x[2], const uint32_t *const y[2], unsigned sides,
                 uint32_t *const out[2])
{
   unsigned dwords = td_block_dwords(t->decode.format);
   struct td_window *w = NULL;

   if (!td_block_is_simple(t->decode.format)) {
      uint32_t low[2], high[2];
      if (!uniform)
         return false;
      find_bounds(x[0], x[sides - 1], lanes, &low[0], &high[0]);
      find_bounds(y[0], y[sides - 1], lanes, &low[1], &high[1]);
      w = window_box(t, level[0], low, high);
      if (!w)
         return false;
   }
   for (unsigned j = 0; j < sides; j++) {
      for (unsigned i = 0; i < sides; i++) {
         uint32_t *to = out[j] + i * dwords * WAVE_LANES;
         if (w)
            read_window(w, dwords, x[i], y[j], to);
         else
            read_simple(t, level, uniform, x[i], y[j], to);
      }
   }
   return true;
}
