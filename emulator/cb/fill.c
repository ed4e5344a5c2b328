/* SPDX-License-Identifier: MIT */
/*
 * Pixels of one colour (kernels): rectangles and blocks that a program gives the same for, and
 * what fast clears left to be written.
 */
#include "port/quads.h"
#include "cb/cb.h"
#include "cb/sizes.h"

/* `count` pixels of `cpp` bytes. */
static void
fill_pixels(uint8_t *p, const uint32_t *pixel, unsigned cpp, unsigned count)
{
   if (cpp == 1)
      memset(p, (int)(pixel[0] & 0xff), count);
   else if (cpp == 4)
      store_words(p, pixel[0], count);
   else
      EACH_SIZE(cpp, for (; count; count--, p += SIZE) memcpy(p, pixel, SIZE);)
}

void
K(cb_fill_rect)(struct tile *t, int32_t x, int32_t y, int32_t w, int32_t h, unsigned layer)
{
   const struct cb_state *cb = t->draw->cb;

   for (unsigned i = 0; i < CB_TARGETS; i++) {
      const struct target *s = &cb->target[i].surface;

      if (!(cb->bound & 1u << i))
         continue;
      uint8_t *p = target_pixel(s, (uint32_t)x, (uint32_t)y, layer);
      if (s->cpp == 4) {
         fill_words(p, s->row_bytes, (unsigned)h, (unsigned)w << s->log2_samples, t->fill[i][0]);
         continue;
      }
      for (int32_t row = 0; row < h; row++, p += s->row_bytes)
         fill_pixels(p, t->fill[i], s->cpp, (unsigned)w << s->log2_samples);
   }
}

/* Lanes of a block; `count` samples of each pixel, from `sample` on. */
static void
fill_lanes(const struct target *s, uint8_t *base, const uint32_t *pixel, uint64_t lanes,
           unsigned sample, unsigned count)
{
   const unsigned bytes = (unsigned)s->cpp << s->log2_samples;
   const bool whole = count == 1u << s->log2_samples;

#if VW == 16
   /* One masked store a row: small triangles' runs of pixels are too short to loop over. */
   if (s->cpp == 4 && !s->log2_samples) {
      const __m256i v = _mm256_set1_epi32((int)pixel[0]);

      for (; lanes; lanes >>= 8, base += s->row_bytes)
         if (lanes & 0xff)
            _mm256_mask_storeu_epi32(base, (__mmask8)lanes, v);
      return;
   }
#endif
   for (uint64_t m = lanes; m;) {
      const unsigned row = (unsigned)__builtin_ctzll(m) / 8;
      unsigned bits = (unsigned)(m >> row * 8) & 0xff;
      uint8_t *p = base + (size_t)row * s->row_bytes + (size_t)sample * s->cpp;

      m &= ~(UINT64_C(0xff) << row * 8);
      while (bits) {
         const unsigned begin = (unsigned)__builtin_ctz(bits);
         const unsigned run = (unsigned)__builtin_ctz(~(bits >> begin));

         if (whole)
            fill_pixels(p + (size_t)begin * bytes, pixel, s->cpp, run * count);
         else
            for (unsigned k = 0; k < run; k++)
               fill_pixels(p + (size_t)(begin + k) * bytes, pixel, s->cpp, count);
         bits &= ~(((1u << run) - 1) << begin);
      }
   }
}

void
K(cb_fill_block)(struct tile *t, int32_t x, int32_t y, unsigned layer, const uint64_t *samples)
{
   const struct cb_state *cb = t->draw->cb;

   for (uint32_t bound = cb->bound; bound; bound &= bound - 1) {
      const unsigned i = (unsigned)__builtin_ctz(bound);
      const struct target *s = &cb->target[i].surface;
      const unsigned count = 1u << s->log2_samples;
      uint64_t all = UINT64_MAX;
      uint8_t *base = target_pixel(s, (uint32_t)x, (uint32_t)y, layer);
      for (unsigned k = 0; k < count; k++)
         all &= samples[k < t->num_samples ? k : 0];
      if (s->cpp == 4 && count == 1 && !~all) {
         const vu v = vu_splat(t->fill[i][0]);

         for (unsigned n = 0; n < VECTORS; n++) {
#if VW == 16
            const __m256i half = _mm512_castsi512_si256((__m512i)v);

            _mm256_storeu_si256((__m256i *)(base + (size_t)(2 * n) * s->row_bytes), half);
            _mm256_storeu_si256((__m256i *)(base + (size_t)(2 * n + 1) * s->row_bytes), half);
#elif VW == 8
            vu_storeu(base + (size_t)n * s->row_bytes, v);
#else
            vu_storeu(base + (size_t)(n / 2) * s->row_bytes + n % 2 * 16, v);
#endif
         }
         continue;
      }
      fill_lanes(s, base, t->fill[i], all, 0, count);
      for (unsigned k = 0; k < count && count > 1; k++)
         fill_lanes(s, base, t->fill[i], samples[k < t->num_samples ? k : 0] & ~all, k, 1);
   }
}

/* ---- Fast clears ---- */

void
K(cb_expand_clears)(const struct cb_state *cb, int32_t x, int32_t y)
{
   for (unsigned i = 0; i < CB_TARGETS; i++) {
      const struct cb_target *target = &cb->target[i];
      const struct target *s = &target->surface;

      if (!target->cmask)
         continue;
      for (uint32_t layer = 0; layer < s->num_layers; layer++) {
         uint8_t *cmask = target->cmask + (s->first_layer + layer) * target->cmask_slice_bytes;

         for (uint32_t by = (uint32_t)y; by < (uint32_t)y + TILE_SIZE && by < s->height; by += 8) {
            for (uint32_t bx = (uint32_t)x; bx < (uint32_t)x + TILE_SIZE && bx < s->width;
                 bx += 8) {
               const uint64_t nibble = (uint64_t)(by / 8) * target->cmask_pitch + bx / 8;
               const uint8_t mask = nibble & 1 ? 0xf0 : 0x0f;

               /* Neighbouring tiles share a byte only where a row has an odd number of blocks. */
               if (__atomic_load_n(&cmask[nibble / 2], __ATOMIC_RELAXED) & mask)
                  continue;
               __atomic_fetch_or(&cmask[nibble / 2], mask, __ATOMIC_RELAXED);

               const uint32_t w = s->width - bx < 8 ? s->width - bx : 8;
               const uint32_t h = s->height - by < 8 ? s->height - by : 8;
               for (uint32_t row = 0; row < h; row++) {
                  fill_pixels(target_pixel(s, bx, by + row, layer), target->clear_word, s->cpp,
                              w << s->log2_samples);
               }
            }
         }
      }
   }
}
