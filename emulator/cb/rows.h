/* SPDX-License-Identifier: MIT */
/*
 * Where the lanes of a wave lie in a colour target, and their pixels to and from there (kernels
 * only).
 *
 * Pixels of a power of two of bytes, with one sample, go a quad at a time, those of four a whole
 * block at a time where the wave is one; others go a lane at a time.  What stores more than the
 * lanes that are written must hold for the others what was there.
 */
#ifndef ATOLL_CB_ROWS_H
#define ATOLL_CB_ROWS_H

#include "cb/bytes.h"
#include "cb/sizes.h"
#include "port/quads.h"

/* Lanes of a wave on their way to one target, in which no pixel occurs twice. */
struct segment {
   struct tile *t;
   const struct cb_target *target;
   unsigned index;       /* of the target */
   unsigned first, last; /* quads [first, last) have them */
   uint64_t lanes;       /* that are written */

   unsigned pixel_bytes; /* from a pixel to its right neighbour */
   size_t row_bytes;
   uint8_t *block; /* a whole block's first pixel; or NULL, and each quad has rows of its own */
   uint8_t *row[WAVE_QUADS][2];
   uint8_t spare[32]; /* for rows outside the surface: never covered, only rewritten */
};

/* Whole loops of other files: of four bytes a pixel, of the same in four samples that all get one
 * colour, and of halves and floats. */
void K(cb_bytes)(const struct segment *g);
void K(cb_bytes_samples)(const struct segment *g);
void K(cb_floats)(const struct segment *g);

/* Blends `count` vectors, at most a wave's, by any blend: blend_pixels() of what is no constant. */
void K(cb_blend)(const struct cb_blend *b, const struct blend_colors *colors, unsigned count,
                 vf (*out)[4]);

/* The wave's quads [first, last), of no target yet. */
V_INLINE void
segment_begin(struct segment *g, struct tile *t, unsigned first, unsigned last)
{
   g->t = t;
   g->first = first;
   g->last = last;
   memset(g->spare, 0, sizeof(g->spare));
}

/* Of a wave that is no block.  Not inline: what is around it leaves it no registers. */
static __attribute__((noinline, unused)) void
find_quads(struct segment *g, size_t at_sample)
{
   const struct pixel_wave *w = g->t->wave;
   const struct target *s = &g->target->surface;
   const bool same = w->one_prim || s->num_layers == 1;
   uint8_t *layer = target_pixel(s, 0, 0, wave_prim(w, g->first)->layer) + at_sample;
   const size_t row_bytes = g->row_bytes, pixel_bytes = g->pixel_bytes;
   const unsigned last = g->last;
   const uint32_t height = s->height;
   uint8_t *const spare = g->spare;

   for (unsigned q = g->first; q < last; q++) {
      if (!same)
         layer = target_pixel(s, 0, 0, w->prim[q]->layer) + at_sample;
      uint8_t *at = layer + (uint32_t)w->y[q] * row_bytes + (uint32_t)w->x[q] * pixel_bytes;

      g->row[q][0] = at;
      g->row[q][1] = (uint32_t)w->y[q] + 1 < height ? at + row_bytes : spare;
   }
}

/* Finds where the quads' pixels lie at a sample of the target; a block of pixels of four bytes may
 * be found as a whole. */
static inline void
segment_find(struct segment *g, unsigned sample)
{
   const struct pixel_wave *w = g->t->wave;
   const struct target *s = &g->target->surface;
   const size_t at_sample = (size_t)(sample & ((1u << s->log2_samples) - 1)) * s->cpp;

   g->pixel_bytes = (unsigned)s->cpp << s->log2_samples;
   g->row_bytes = s->row_bytes;
   g->block = NULL;
   if (!w->block) {
      find_quads(g, at_sample);
      return;
   }
   uint8_t *base =
      target_pixel(s, (uint32_t)w->x[0], (uint32_t)w->y[0], w->prim[0]->layer) + at_sample;

   if (g->pixel_bytes == 4 && s->cpp == 4 && (uint32_t)w->y[0] + PIXEL_BLOCK <= s->height) {
      g->block = base;
      return;
   }
   for (unsigned q = 0; q < WAVE_QUADS; q++) {
      const uint32_t y = (q / 4) * 2;
      uint8_t *at = base + y * g->row_bytes + (q & 3) * 2 * g->pixel_bytes;

      g->row[q][0] = (uint32_t)w->y[0] + y < s->height ? at : g->spare;
      g->row[q][1] = (uint32_t)w->y[0] + y + 1 < s->height ? at + g->row_bytes : g->spare;
   }
}

/* All lanes of the segment's quads. */
V_INLINE uint64_t
segment_all(const struct segment *g)
{
   return UINT64_MAX >> (64 - g->last * 4) & UINT64_MAX << g->first * 4;
}

/* Pixels of four bytes: neighbouring samples of one lie between it and the next one. */
V_INLINE bool
segment_apart(const struct segment *g)
{
   return g->pixel_bytes != 4;
}

/* ---- 32-bit pixels of a whole block: rows of eight against quads ---- */

static inline void
load_block32(const struct segment *g, uint32_t *out)
{
   for (unsigned pair = 0; pair < 4; pair++) {
      uint8_t *row = g->block + 2 * pair * g->row_bytes;
      uint32_t *to = out + pair * 16;
#if VW > 4
      vu v[PAIR_VECTORS];

      load_rows((struct rows){ row, row + g->row_bytes }, v);
      for (unsigned n = 0; n < PAIR_VECTORS; n++)
         vu_store(to + n * VW, v[n]);
#else
      for (unsigned half = 0; half < 2; half++) {
         const __m128i r0 = _mm_loadu_si128((const __m128i *)(row + half * 16));
         const __m128i r1 = _mm_loadu_si128((const __m128i *)(row + g->row_bytes + half * 16));
         _mm_store_si128((__m128i *)(to + half * 8), _mm_unpacklo_epi64(r0, r1));
         _mm_store_si128((__m128i *)(to + half * 8 + 4), _mm_unpackhi_epi64(r0, r1));
      }
#endif
   }
}

static inline void
store_block32(const struct segment *g, const uint32_t *in)
{
   for (unsigned pair = 0; pair < 4; pair++) {
      uint8_t *row = g->block + 2 * pair * g->row_bytes;
      const uint32_t *from = in + pair * 16;
#if VW > 4
      vu v[PAIR_VECTORS];

      for (unsigned n = 0; n < PAIR_VECTORS; n++)
         v[n] = vu_load(from + n * VW);
      store_rows((struct rows){ row, row + g->row_bytes }, v);
#else
      for (unsigned half = 0; half < 2; half++) {
         const __m128i a = _mm_load_si128((const __m128i *)(from + half * 8));
         const __m128i b = _mm_load_si128((const __m128i *)(from + half * 8 + 4));
         _mm_storeu_si128((__m128i *)(row + half * 16), _mm_unpacklo_epi64(a, b));
         _mm_storeu_si128((__m128i *)(row + g->row_bytes + half * 16), _mm_unpackhi_epi64(a, b));
      }
#endif
   }
}

/* ---- 32-bit pixels, a quad at a time ---- */

static inline void
load_quads32(const struct segment *g, uint32_t *out)
{
   for (unsigned q = g->first; q < g->last; q++) {
      const __m128i v = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)g->row[q][0]),
                                           _mm_loadl_epi64((const __m128i *)g->row[q][1]));
      _mm_store_si128((__m128i *)(out + q * 4), v);
   }
}

static inline void
store_quads32(const struct segment *g, const uint32_t *in)
{
   for (unsigned q = g->first; q < g->last; q++) {
      const __m128i v = _mm_load_si128((const __m128i *)(in + q * 4));

      _mm_storel_epi64((__m128i *)g->row[q][0], v);
      _mm_storel_epi64((__m128i *)g->row[q][1], _mm_unpackhi_epi64(v, v));
   }
}

/* ---- 64-bit pixels, a quad at a time ---- */

static inline void
load_quads64(const struct segment *g, wave_lane *out)
{
   for (unsigned q = g->first; q < g->last; q++) {
      const __m128 a = _mm_loadu_ps((const float *)g->row[q][0]);
      const __m128 b = _mm_loadu_ps((const float *)g->row[q][1]);

      _mm_store_ps((float *)(out[0] + q * 4), _mm_shuffle_ps(a, b, 0x88));
      _mm_store_ps((float *)(out[1] + q * 4), _mm_shuffle_ps(a, b, 0xdd));
   }
}

static inline void
store_quads64(const struct segment *g, wave_lane *in)
{
   for (unsigned q = g->first; q < g->last; q++) {
      const __m128 low = _mm_load_ps((const float *)(in[0] + q * 4));
      const __m128 high = _mm_load_ps((const float *)(in[1] + q * 4));

      _mm_storeu_ps((float *)g->row[q][0], _mm_unpacklo_ps(low, high));
      _mm_storeu_ps((float *)g->row[q][1], _mm_unpackhi_ps(low, high));
   }
}

/* ---- 128-bit pixels, a quad at a time ---- */

static inline void
load_quads128(const struct segment *g, wave_lane *out)
{
   for (unsigned q = g->first; q < g->last; q++) {
      __m128 a = _mm_loadu_ps((const float *)g->row[q][0]);
      __m128 b = _mm_loadu_ps((const float *)g->row[q][0] + 4);
      __m128 c = _mm_loadu_ps((const float *)g->row[q][1]);
      __m128 d = _mm_loadu_ps((const float *)g->row[q][1] + 4);

      _MM_TRANSPOSE4_PS(a, b, c, d);
      _mm_store_ps((float *)(out[0] + q * 4), a);
      _mm_store_ps((float *)(out[1] + q * 4), b);
      _mm_store_ps((float *)(out[2] + q * 4), c);
      _mm_store_ps((float *)(out[3] + q * 4), d);
   }
}

static inline void
store_quads128(const struct segment *g, wave_lane *in)
{
   for (unsigned q = g->first; q < g->last; q++) {
      __m128 a = _mm_load_ps((const float *)(in[0] + q * 4));
      __m128 b = _mm_load_ps((const float *)(in[1] + q * 4));
      __m128 c = _mm_load_ps((const float *)(in[2] + q * 4));
      __m128 d = _mm_load_ps((const float *)(in[3] + q * 4));

      _MM_TRANSPOSE4_PS(a, b, c, d);
      _mm_storeu_ps((float *)g->row[q][0], a);
      _mm_storeu_ps((float *)g->row[q][0] + 4, b);
      _mm_storeu_ps((float *)g->row[q][1], c);
      _mm_storeu_ps((float *)g->row[q][1] + 4, d);
   }
}

/* ---- Pixels of one or two bytes, a quad at a time ---- */

V_INLINE void
load_quads_small(const struct segment *g, unsigned size, uint32_t *out)
{
   for (unsigned q = g->first; q < g->last; q++)
      for (unsigned l = 0; l < 4; l++) {
         uint16_t word = 0;

         memcpy(&word, g->row[q][l / 2] + (l & 1) * size, size);
         out[q * 4 + l] = word;
      }
}

V_INLINE void
store_quads_small(const struct segment *g, unsigned size, const uint32_t *in)
{
   for (unsigned q = g->first; q < g->last; q++)
      for (unsigned l = 0; l < 4; l++) {
         const uint16_t word = (uint16_t)in[q * 4 + l];

         memcpy(g->row[q][l / 2] + (l & 1) * size, &word, size);
      }
}

/* ---- Any pixel, a lane at a time ---- */

V_INLINE void
load_lanes_of(const struct segment *g, unsigned size, uint64_t lanes, wave_lane *out)
{
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);
      uint32_t word[4] = { 0, 0, 0, 0 };

      memcpy(word, g->row[l / 4][l >> 1 & 1] + (l & 1) * g->pixel_bytes, size);
      for (unsigned i = 0; i < (size + 3) / 4; i++)
         out[i][l] = word[i];
   }
}

V_INLINE void
store_lanes_of(const struct segment *g, unsigned size, uint64_t lanes, wave_lane *in)
{
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);
      uint32_t word[4] = { 0, 0, 0, 0 };

      for (unsigned i = 0; i < (size + 3) / 4; i++)
         word[i] = in[i][l];
      memcpy(g->row[l / 4][l >> 1 & 1] + (l & 1) * g->pixel_bytes, word, size);
   }
}

static inline void
load_lanes(const struct segment *g, wave_lane *out)
{
   EACH_SIZE(g->target->surface.cpp, load_lanes_of(g, SIZE, g->lanes, out);)
}

static inline void
store_lanes(const struct segment *g, wave_lane *in)
{
   EACH_SIZE(g->target->surface.cpp, store_lanes_of(g, SIZE, g->lanes, in);)
}

/* ---- 32-bit pixels ---- */

static inline void
load32(const struct segment *g, wave_lane *out)
{
   if (segment_apart(g))
      load_lanes_of(g, 4, g->lanes, out);
   else if (g->block)
      load_block32(g, out[0]);
   else
      load_quads32(g, out[0]);
}

static inline void
store32(const struct segment *g, wave_lane *in)
{
   if (segment_apart(g))
      store_lanes_of(g, 4, g->lanes, in);
   else if (g->block)
      store_block32(g, in[0]);
   else
      store_quads32(g, in[0]);
}

/* ---- Pixels of any size: what was there, where it matters, and what they become ---- */

/* They go by quads, all lanes of these at once. */
V_INLINE bool
by_quads(const struct segment *g)
{
   return g->pixel_bytes == g->target->surface.cpp && g->pixel_bytes != 12;
}

static inline void
load_pixels(const struct segment *g, wave_lane *out)
{
   const bool reads = g->target->key.reads;

   if (!reads && (!by_quads(g) || g->lanes == segment_all(g)))
      return;
   if (!by_quads(g))
      load_lanes(g, out);
   else if (g->pixel_bytes == 16)
      load_quads128(g, out);
   else if (g->pixel_bytes == 8)
      load_quads64(g, out);
   else if (g->pixel_bytes == 4)
      load32(g, out);
   else if (g->pixel_bytes == 2)
      load_quads_small(g, 2, out[0]);
   else
      load_quads_small(g, 1, out[0]);
}

static inline void
store_pixels(const struct segment *g, wave_lane *old, wave_lane *in)
{
   const unsigned words = (g->pixel_bytes + 3) / 4;

   if (!by_quads(g)) {
      store_lanes(g, in);
      return;
   }
   for (unsigned n = g->first * 4 / VW; n * VW < g->last * 4 && g->lanes != segment_all(g); n++)
      for (unsigned k = 0; k < words; k++)
         vu_store(in[k] + n * VW, vu_select(vm_lanes(g->lanes, n), vu_load(in[k] + n * VW),
                                            vu_load(old[k] + n * VW)));
   if (g->pixel_bytes == 16)
      store_quads128(g, in);
   else if (g->pixel_bytes == 8)
      store_quads64(g, in);
   else if (g->pixel_bytes == 4)
      store32(g, in);
   else if (g->pixel_bytes == 2)
      store_quads_small(g, 2, in[0]);
   else
      store_quads_small(g, 1, in[0]);
}

#endif
