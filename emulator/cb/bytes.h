/* SPDX-License-Identifier: MIT */
/*
 * Pixels of four 8-bit unsigned normalised channels, a vector at a time, and the colours that they
 * are made of (kernels only).
 */
#ifndef ATOLL_CB_BYTES_H
#define ATOLL_CB_BYTES_H

#include "cb/blend.h"
#include "port/quads.h"

/* The exported colour of a target; what was not exported is zero. */
V_INLINE void
source(const struct core_outputs *e, unsigned target, const uint32_t *out[4])
{
   static const wave_lane zero;

   for (unsigned n = 0; n < 4; n++)
      out[n] = (e->mrt_written & 1u << target) && (e->component_mask[target] & 1u << n)
                  ? core_color(e, target, n)
                  : zero;
}

/* The least that blending takes, where its inputs are limited. */
V_INLINE float
clamp_low(const struct cb_target *target)
{
   return target->numeric == NUMERIC_SNORM ? -1.0f : 0.0f;
}

V_INLINE void
clamped_constant(const struct cb_target *target, const float *in, float out[4])
{
   const float lo = clamp_low(target);

   for (unsigned n = 0; n < 4; n++) {
      out[n] = in[n];
      if (target->clamp) {
         out[n] = out[n] > lo ? out[n] : lo;
         out[n] = out[n] < 1.0f ? out[n] : 1.0f;
      }
   }
}

#if VW > 4
#if VW == 16
#define PACK(op, a, b) ((vu)_mm512_##op((__m512i)(a), (__m512i)(b)))
#else
#define PACK(op, a, b) ((vu)_mm256_##op((__m256i)(a), (__m256i)(b)))
#endif

/* Where channels lie in a pixel, as shuffles.  A loop keeps them: the compiler takes its stores for
 * writes to the target's description. */
struct order_8888 {
   vu pick[4]; /* a channel's byte to the lowest of its lane, zero above it */
   vu put;     /* of each quad four bytes of a channel, then those of the next, to pixels */
};

V_INLINE struct order_8888
order_of(const struct cb_target *target)
{
   const vu lane = (vu)vi_lane_index() & vu_splat(3);
   struct order_8888 o;
   uint32_t from = 0;

   for (unsigned k = 0; k < 4; k++) {
      from |= 4 * k << target->channel[k].shift;
      o.pick[k] = vu_splat(0x80808000u | target->channel[k].shift / 8) + lane * vu_splat(4);
   }
   o.put = vu_splat(from) + lane * vu_splat(0x01010101u);
   return o;
}

/* Packing saturates, too: what is below 0, and a NaN, ends as 0 (as a large number would, which is
 * therefore limited first, unless the colours are `bounded`). */
V_INLINE vu
pack_8888(const struct order_8888 *o, const vf c[4], bool bounded)
{
   vi x[4];

   for (unsigned n = 0; n < 4; n++) {
      const vf v = c[n] * vf_splat(255.0f);

      x[n] = vi_round_raw(bounded ? v : vf_min_second(vf_splat(255.0f), v));
   }
   const vu bytes =
      PACK(packus_epi16, PACK(packs_epi32, x[0], x[1]), PACK(packs_epi32, x[2], x[3]));
   return PACK(shuffle_epi8, bytes, o->put);
}

/* A channel of pixels, as an integer. */
V_INLINE vi
byte_8888(const struct order_8888 *o, unsigned k, vu pixels)
{
   return (vi)PACK(shuffle_epi8, pixels, o->pick[k]);
}

V_INLINE vu
extreme_bytes(bool max, vu a, vu b)
{
   return max ? PACK(max_epu8, a, b) : PACK(min_epu8, a, b);
}
#undef PACK
#else
V_INLINE vu
extreme_bytes(bool max, vu a, vu b)
{
   return max ? (vu)_mm_max_epu8((__m128i)a, (__m128i)b) : (vu)_mm_min_epu8((__m128i)a, (__m128i)b);
}

/* SSE2 has no shuffles of bytes. */
struct order_8888 {
   unsigned shift[4];
};

V_INLINE struct order_8888
order_of(const struct cb_target *target)
{
   struct order_8888 o;

   for (unsigned k = 0; k < 4; k++)
      o.shift[k] = target->channel[k].shift;
   return o;
}

V_INLINE vu
pack_8888(const struct order_8888 *o, const vf c[4], bool bounded)
{
   vu v = vu_splat(0);

   (void)bounded;
   for (unsigned n = 0; n < 4; n++)
      v |= vu_shl((vu)vi_round_raw(vf_saturate(c[n]) * vf_splat(255.0f)), o->shift[n]);
   return v;
}

V_INLINE vi
byte_8888(const struct order_8888 *o, unsigned k, vu pixels)
{
   return (vi)(vu_shr(pixels, o->shift[k]) & vu_splat(255));
}
#endif

/* What sets alpha in a pixel to one, where it reads as that. */
V_INLINE vu
alpha_one_8888(const struct cb_target *target)
{
   return vu_splat(target->dst_alpha_one ? 255u << target->channel[3].shift : 0);
}

/* Pixels' channels as blending takes them. */
V_INLINE void
floats_8888(const struct order_8888 *o, vu pixels, vf out[4])
{
   for (unsigned k = 0; k < 4; k++)
      out[k] = vf_from_vi(byte_8888(o, k, pixels)) * vf_splat(1.0f / 255.0f);
}

/* Pixels over `old` ones of colours (c->src, c->src1) that are limited already; c->dst is found.
 * The greater or less of two colours is that of their bytes, for the conversion keeps their order
 * and gives back what was a byte. */
V_INLINE vu
blend_8888(const struct order_8888 *o, const struct cb_blend *b, unsigned rule,
           struct blend_colors *c, vu old)
{
   vf out[4];

   if (rule == RULE_COPY)
      return pack_8888(o, c->src, true);
   if (rule == RULE_MIN || rule == RULE_MAX)
      return extreme_bytes(rule == RULE_MAX, pack_8888(o, c->src, true), old);
   floats_8888(o, old, c->dst);
   blend_pixels(b, c, out);
   return pack_8888(o, out, true);
}

/* A logic operation of words of the source and of memory, by its table. */
V_INLINE vu
logic_of(unsigned table, vu s, vu d)
{
   const vu neither = vu_splat(table & 1 ? ~0u : 0), only_d = vu_splat(table & 2 ? ~0u : 0);
   const vu only_s = vu_splat(table & 4 ? ~0u : 0), both = vu_splat(table & 8 ? ~0u : 0);

   return (s & ((d & both) | (~d & only_s))) | (~s & ((d & only_d) | (~d & neither)));
}

/* ---- Rows of a whole block against vectors of quads ---- */

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
#endif

#endif
