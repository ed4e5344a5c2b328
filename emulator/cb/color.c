/* SPDX-License-Identifier: MIT */
/*
 * Colours to memory (kernels): exports of a wave are converted, blended with what is there,
 * masked and stored.  Lanes are in quad order; the caller gives lanes of one segment, in which no
 * pixel occurs twice.
 */
#include "cb/bytes.h"
#include "cb/pack.h"
#include "cb/sizes.h"
#include "port/quads.h"
#include "cb/cb.h"

/* Where the quads of a wave lie in one target. */
struct places {
   uint8_t *row[WAVE_QUADS][2];
   unsigned pixel_bytes; /* from a pixel to its right neighbour */
   uint8_t *block;       /* instead of rows, where asked for: a whole block's first pixel */
   size_t row_bytes;
};

/* Of quads [first, last) of a wave that is no block.  Not inline: what is around it leaves it no
 * registers. */
static __attribute__((noinline)) void
find_quads(struct places *p, const struct pixel_wave *w, const struct target *s, size_t at_sample,
           unsigned first, unsigned last, uint8_t *spare)
{
   const bool same = w->one_prim || s->num_layers == 1;
   uint8_t *layer = target_pixel(s, 0, 0, wave_prim(w, first)->layer) + at_sample;
   const size_t row_bytes = s->row_bytes, pixel_bytes = p->pixel_bytes;

   for (unsigned q = first; q < last; q++) {
      if (!same)
         layer = target_pixel(s, 0, 0, w->prim[q]->layer) + at_sample;
      uint8_t *at = layer + (uint32_t)w->y[q] * row_bytes + (uint32_t)w->x[q] * pixel_bytes;

      p->row[q][0] = at;
      p->row[q][1] = (uint32_t)w->y[q] + 1 < s->height ? at + row_bytes : spare;
   }
}

/* Of quads [first, last), or all.  Rows that lie outside the surface point at `spare`: they are
 * never covered, only rewritten. */
static void
find_places(struct places *p, const struct tile *t, const struct target *s, unsigned sample,
            unsigned first, unsigned last, uint8_t *spare, bool blocks)
{
   const struct pixel_wave *w = t->wave;
   const size_t at_sample = (size_t)(sample & ((1u << s->log2_samples) - 1)) * s->cpp;

   p->pixel_bytes = (unsigned)s->cpp << s->log2_samples;
   p->row_bytes = s->row_bytes;
   p->block = NULL;
   if (w->block) {
      uint8_t *base =
         target_pixel(s, (uint32_t)w->x[0], (uint32_t)w->y[0], w->prim[0]->layer) + at_sample;

      if (blocks && (uint32_t)w->y[0] + PIXEL_BLOCK <= s->height) {
         p->block = base;
         return;
      }
      for (unsigned q = 0; q < WAVE_QUADS; q++) {
         const uint32_t y = (q / 4) * 2;
         uint8_t *at = base + y * p->row_bytes + (q & 3) * 2 * p->pixel_bytes;

         p->row[q][0] = (uint32_t)w->y[0] + y < s->height ? at : spare;
         p->row[q][1] = (uint32_t)w->y[0] + y + 1 < s->height ? at + p->row_bytes : spare;
      }
      return;
   }
   find_quads(p, w, s, at_sample, first, last, spare);
}

/* ---- 32-bit pixels of a whole block: rows of eight against quads ---- */

static void
load_block32(const struct places *p, uint32_t *out)
{
   for (unsigned pair = 0; pair < 4; pair++) {
      uint8_t *row = p->block + 2 * pair * p->row_bytes;
      uint32_t *to = out + pair * 16;
#if VW > 4
      vu v[PAIR_VECTORS];

      load_rows((struct rows){ row, row + p->row_bytes }, v);
      for (unsigned n = 0; n < PAIR_VECTORS; n++)
         vu_store(to + n * VW, v[n]);
#else
      for (unsigned half = 0; half < 2; half++) {
         const __m128i r0 = _mm_loadu_si128((const __m128i *)(row + half * 16));
         const __m128i r1 = _mm_loadu_si128((const __m128i *)(row + p->row_bytes + half * 16));
         _mm_store_si128((__m128i *)(to + half * 8), _mm_unpacklo_epi64(r0, r1));
         _mm_store_si128((__m128i *)(to + half * 8 + 4), _mm_unpackhi_epi64(r0, r1));
      }
#endif
   }
}

/* Stores all lanes: uncovered ones must hold what was there. */
static void
store_block32(const struct places *p, const uint32_t *in)
{
   for (unsigned pair = 0; pair < 4; pair++) {
      uint8_t *row = p->block + 2 * pair * p->row_bytes;
      const uint32_t *from = in + pair * 16;
#if VW > 4
      vu v[PAIR_VECTORS];

      for (unsigned n = 0; n < PAIR_VECTORS; n++)
         v[n] = vu_load(from + n * VW);
      store_rows((struct rows){ row, row + p->row_bytes }, v);
#else
      for (unsigned half = 0; half < 2; half++) {
         const __m128i a = _mm_load_si128((const __m128i *)(from + half * 8));
         const __m128i b = _mm_load_si128((const __m128i *)(from + half * 8 + 4));
         _mm_storeu_si128((__m128i *)(row + half * 16), _mm_unpacklo_epi64(a, b));
         _mm_storeu_si128((__m128i *)(row + p->row_bytes + half * 16), _mm_unpackhi_epi64(a, b));
      }
#endif
   }
}

/* ---- 32-bit pixels, a quad at a time ---- */

static void
load_quads32(const struct places *p, unsigned first, unsigned last, uint32_t *out)
{
   for (unsigned q = first; q < last; q++) {
      const __m128i v = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)p->row[q][0]),
                                           _mm_loadl_epi64((const __m128i *)p->row[q][1]));
      _mm_store_si128((__m128i *)(out + q * 4), v);
   }
}

/* Lanes outside the mask must hold what was there. */
static void
store_quads32(const struct places *p, unsigned first, unsigned last, const uint32_t *in)
{
   for (unsigned q = first; q < last; q++) {
      const __m128i v = _mm_load_si128((const __m128i *)(in + q * 4));

      _mm_storel_epi64((__m128i *)p->row[q][0], v);
      _mm_storel_epi64((__m128i *)p->row[q][1], _mm_unpackhi_epi64(v, v));
   }
}

/* ---- 64-bit pixels, a quad at a time ---- */

static void
load_quads64(const struct places *p, unsigned first, unsigned last, wave_lane *out)
{
   for (unsigned q = first; q < last; q++) {
      const __m128 a = _mm_loadu_ps((const float *)p->row[q][0]);
      const __m128 b = _mm_loadu_ps((const float *)p->row[q][1]);

      _mm_store_ps((float *)(out[0] + q * 4), _mm_shuffle_ps(a, b, 0x88));
      _mm_store_ps((float *)(out[1] + q * 4), _mm_shuffle_ps(a, b, 0xdd));
   }
}

/* Lanes outside the mask must hold what was there. */
static void
store_quads64(const struct places *p, unsigned first, unsigned last, wave_lane *in)
{
   for (unsigned q = first; q < last; q++) {
      const __m128 low = _mm_load_ps((const float *)(in[0] + q * 4));
      const __m128 high = _mm_load_ps((const float *)(in[1] + q * 4));

      _mm_storeu_ps((float *)p->row[q][0], _mm_unpacklo_ps(low, high));
      _mm_storeu_ps((float *)p->row[q][1], _mm_unpackhi_ps(low, high));
   }
}

/* ---- Any pixel, a lane at a time ---- */

V_INLINE void
load_lanes_of(const struct places *p, unsigned size, uint64_t lanes, wave_lane *out)
{
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);
      uint32_t word[4] = { 0, 0, 0, 0 };

      memcpy(word, p->row[l / 4][l >> 1 & 1] + (l & 1) * p->pixel_bytes, size);
      for (unsigned i = 0; i < (size + 3) / 4; i++)
         out[i][l] = word[i];
   }
}

V_INLINE void
store_lanes_of(const struct places *p, unsigned size, uint64_t lanes, wave_lane *in)
{
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);
      uint32_t word[4] = { 0, 0, 0, 0 };

      for (unsigned i = 0; i < (size + 3) / 4; i++)
         word[i] = in[i][l];
      memcpy(p->row[l / 4][l >> 1 & 1] + (l & 1) * p->pixel_bytes, word, size);
   }
}

static void
load_lanes(const struct places *p, unsigned cpp, uint64_t lanes, wave_lane *out)
{
   EACH_SIZE(cpp, load_lanes_of(p, SIZE, lanes, out);)
}

static void
store_lanes(const struct places *p, unsigned cpp, uint64_t lanes, wave_lane *in)
{
   EACH_SIZE(cpp, store_lanes_of(p, SIZE, lanes, in);)
}

/* ---- 32-bit pixels ---- */

/* Neighbouring samples of a pixel lie between it and the next one. */
static bool
apart(const struct places *p)
{
   return p->pixel_bytes != 4;
}

static void
load32(const struct places *p, unsigned first, unsigned last, uint64_t lanes, wave_lane *out)
{
   if (apart(p))
      load_lanes_of(p, 4, lanes, out);
   else if (p->block)
      load_block32(p, out[0]);
   else
      load_quads32(p, first, last, out[0]);
}

static void
store32(const struct places *p, unsigned first, unsigned last, uint64_t lanes, wave_lane *in)
{
   if (apart(p))
      store_lanes_of(p, 4, lanes, in);
   else if (p->block)
      store_block32(p, in[0]);
   else
      store_quads32(p, first, last, in[0]);
}

/* ---- Sources ---- */

V_INLINE vf
clamp_to(const struct cb_target *target, vf x)
{
   if (!target->clamp)
      return x;
   return vf_clamp(x, target->numeric == NUMERIC_SNORM ? -1.0f : 0.0f, 1.0f);
}

/* ---- RGBA8 ---- */

static void
store_8888(struct tile *t, const struct cb_target *target, unsigned index, const struct places *p,
           unsigned first, unsigned last, uint64_t lanes)
{
   const unsigned count = (last + VW / 4 - 1) * 4 / VW;
   const uint64_t all = UINT64_MAX >> (64 - last * 4) & UINT64_MAX << first * 4;
   const bool partial = !apart(p) && (lanes != all || (p->block && ~lanes));
   const struct order_8888 order = order_of(target);
   const uint32_t *src[4];

   source(t->worker->outputs, index, src);
   if (partial)
      load32(p, first, last, lanes, t->old);
   for (unsigned n = first * 4 / VW; n < count; n++) {
      vf c[4];

      for (unsigned k = 0; k < 4; k++)
         c[k] = vf_load(src[k] + n * VW);
      vu v = pack_8888(&order, c, false);
      if (partial)
         v = vu_select(vm_lanes(lanes, n), v, vu_load(t->old[0] + n * VW));
      vu_store(t->raw[0] + n * VW, v);
   }
   store32(p, first, last, lanes, t->raw);
}

/* The same of four samples that all get one colour. */
static void
store_samples_8888(struct tile *t, const struct cb_target *target, unsigned index,
                   const struct places *p, unsigned first, unsigned last, uint64_t lanes)
{
   const struct order_8888 order = order_of(target);
   const uint32_t *src[4];

   source(t->worker->outputs, index, src);
   for (unsigned n = first * 4 / VW; n * VW < last * 4; n++) {
      vf c[4];

      for (unsigned k = 0; k < 4; k++)
         c[k] = vf_load(src[k] + n * VW);
      vu_store(t->raw[0] + n * VW, pack_8888(&order, c, false));
   }
   for (uint64_t m = lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m);

      _mm_storeu_si128((__m128i *)(p->row[l / 4][l >> 1 & 1] + (l & 1) * p->pixel_bytes),
                       _mm_set1_epi32((int)t->raw[0][l]));
   }
}

/* One loop per kind of blending: the factors are constants where the caller's are. */
V_INLINE void
blend_8888(struct tile *t, const struct cb_target *target, unsigned index, const struct places *p,
           unsigned first, unsigned last, uint64_t lanes, struct cb_blend blend, bool dual)
{
   const struct cb_state *cb = t->draw->cb;
   const uint32_t *src[4], *src1[4];
   float constant[4];
   const struct order_8888 order = order_of(target);
   const vu written = vu_splat(target->pixel_mask[0]);
   const bool dst_alpha_one = target->dst_alpha_one;
   struct blend_colors c;

   source(t->worker->outputs, index, src);
   source(t->worker->outputs, dual ? 1 : index, src1);
   clamped_constant(target, cb->constant, constant);
   c.constant = constant;
   load32(p, first, last, lanes, t->old);
   for (unsigned n = first * 4 / VW; n * VW < last * 4; n++) {
      const vu old = vu_load(t->old[0] + n * VW);

      for (unsigned k = 0; k < 4; k++) {
         c.src[k] = vf_saturate(vf_load(src[k] + n * VW));
         c.src1[k] = dual ? vf_saturate(vf_load(src1[k] + n * VW)) : c.src[k];
      }

      const vu mask = vu_keep(vm_lanes(lanes, n), written);
      vu_store(t->raw[0] + n * VW,
               (blend_bytes(&order, blend, &c, old, dst_alpha_one) & mask) | (old & ~mask));
   }
   store32(p, first, last, lanes, t->raw);
}

/* The greater or less of two colours.  Conversion to bytes keeps their order and gives back what
 * was a byte, so it comes first.  Not inline: what is around it leaves it no registers. */
static __attribute__((noinline)) void
extreme_8888(struct tile *t, const struct cb_target *target, unsigned index, const struct places *p,
             unsigned first, unsigned last, uint64_t lanes, bool max)
{
   const vu one = vu_splat(target->dst_alpha_one ? 255u << target->channel[3].shift : 0);
   const vu written = vu_splat(target->pixel_mask[0]);
   const struct order_8888 order = order_of(target);
   const uint32_t *src[4];

   source(t->worker->outputs, index, src);
   load32(p, first, last, lanes, t->old);
   for (unsigned n = first * 4 / VW; n * VW < last * 4; n++) {
      const vu old = vu_load(t->old[0] + n * VW);
      vf c[4];

      for (unsigned k = 0; k < 4; k++)
         c[k] = vf_saturate(vf_load(src[k] + n * VW));
      const vu out = extreme_bytes(max, pack_8888(&order, c, true), old | one);
      const vu mask = vu_keep(vm_lanes(lanes, n), written);
      vu_store(t->raw[0] + n * VW, (out & mask) | (old & ~mask));
   }
   store32(p, first, last, lanes, t->raw);
}

/* Whether all components are blended by the function, which knows no factors. */
static bool
blend_by(const struct cb_blend *b, unsigned func)
{
   return b->enable && b->op_rgb == func && b->op_alpha == func;
}

V_INLINE void
blended_8888(struct tile *t, const struct cb_target *target, unsigned index, const struct places *p,
             unsigned first, unsigned last, uint64_t lanes)
{
   const struct cb_blend *b = &target->blend;

   if (blend_is(b, FACTOR_SRC_ALPHA, FACTOR_ONE_MINUS_SRC_ALPHA))
      blend_8888(t, target, index, p, first, last, lanes,
                 FIXED_BLEND(FACTOR_SRC_ALPHA, FACTOR_ONE_MINUS_SRC_ALPHA), false);
   else if (blend_is(b, FACTOR_ONE, FACTOR_ONE_MINUS_SRC_ALPHA))
      blend_8888(t, target, index, p, first, last, lanes,
                 FIXED_BLEND(FACTOR_ONE, FACTOR_ONE_MINUS_SRC_ALPHA), false);
   else if (blend_is(b, FACTOR_ONE, FACTOR_ONE))
      blend_8888(t, target, index, p, first, last, lanes, FIXED_BLEND(FACTOR_ONE, FACTOR_ONE),
                 false);
   else if (blend_by(b, BLEND_OP_MAX))
      extreme_8888(t, target, index, p, first, last, lanes, true);
   else if (blend_by(b, BLEND_OP_MIN))
      extreme_8888(t, target, index, p, first, last, lanes, false);
   else
      blend_8888(t, target, index, p, first, last, lanes, *b, t->draw->cb->dual_source);
}

/* ---- Any format ---- */

V_INLINE vu
rop(unsigned table, vu s, vu d)
{
   vu r = vu_splat(0);

   if (table & 1)
      r |= ~s & ~d;
   if (table & 2)
      r |= ~s & d;
   if (table & 4)
      r |= s & ~d;
   if (table & 8)
      r |= s & d;
   return r;
}

/* Packs the colours (src) of a vector over the old words; no masks. */
static void
generic_vector(const struct tile *t, const struct cb_target *target, const float *constant,
               const vu src[4], const vu src1[4], const vu old[4], vu out[4])
{
   const struct cb_state *cb = t->draw->cb;
   vu color[4];

   for (unsigned k = 0; k < 4; k++) {
      color[k] = src[k];
      out[k] = vu_splat(0);
   }
   if (target->blend.enable) {
      const struct cb_blend *b = &target->blend;
      struct blend_colors c = { .constant = constant };

      for (unsigned k = 0; k < 4; k++) {
         const struct cb_channel *ch = &target->channel[k];

         c.src[k] = clamp_to(target, (vf)src[k]);
         c.src1[k] = clamp_to(target, (vf)src1[k]);
         c.dst[k] =
            ch->bits ? (vf)unpack_channel(ch, old[ch->dword & 3]) : vf_splat(k == 3 ? 1.0f : 0.0f);
      }
      if (target->dst_alpha_one)
         c.dst[3] = vf_splat(1.0f);
      for (unsigned k = 0; k < 3; k++)
         color[k] = (vu)vf_canon(blend_component(b->src_rgb, b->dst_rgb, b->op_rgb, k, &c));
      color[3] = (vu)vf_canon(blend_component(b->src_alpha, b->dst_alpha, b->op_alpha, 3, &c));
   }
   for (unsigned k = 0; k < 4; k++) {
      const struct cb_channel *ch = &target->channel[k];

      if (ch->bits)
         out[ch->dword & 3] |= pack_channel(ch, color[k]);
   }
   if (target->logic)
      for (unsigned k = 0; k < 4; k++)
         out[k] = rop(cb->logic, out[k], old[k]);
}

/* Two components of 32 bits blended by MAX, as depth peeling has them. */
static bool
is_max_of_two(const struct cb_target *target)
{
   const struct cb_channel *c = target->channel;

   return target->surface.cpp == 8 && c[0].bits == 32 && c[1].bits == 32 && c[0].dword == 0 &&
          c[1].dword == 1 && c[0].type == NUMERIC_FLOAT && c[1].type == NUMERIC_FLOAT &&
          !target->clamp && !target->logic && blend_by(&target->blend, BLEND_OP_MAX);
}

static void
max_of_two(struct tile *t, const struct cb_target *target, const uint32_t *const src[4],
           unsigned first, unsigned last)
{
   for (unsigned k = 0; k < 2; k++) {
      const vu mask = vu_splat(target->pixel_mask[k]);

      for (unsigned n = first * 4 / VW; n * VW < last * 4; n++) {
         const vu old = vu_load(t->old[k] + n * VW);
         const vu out = (vu)vf_canon(vf_max_second(vf_load(src[k] + n * VW), (vf)old));

         vu_store(t->raw[k] + n * VW, (out & mask) | (old & ~mask));
      }
   }
}

/* Four halves in turn. */
static bool
is_halves(const struct cb_target *target)
{
   for (unsigned k = 0; k < 4; k++) {
      const struct cb_channel *c = &target->channel[k];

      if (c->bits != 16 || c->type != NUMERIC_FLOAT || c->dword != k / 2 || c->shift != k % 2 * 16)
         return false;
   }
   return target->surface.cpp == 8 && !target->clamp && !target->logic;
}

/* One loop per kind of blending, as of blend_8888(). */
V_INLINE void
blend_halves(struct tile *t, const struct cb_target *target, const uint32_t *const src[4],
             const uint32_t *const src1[4], unsigned first, unsigned last, struct cb_blend blend)
{
   struct blend_colors c = { .constant = t->draw->cb->constant };

   for (unsigned n = first * 4 / VW; n * VW < last * 4; n++) {
      vu old[2] = { vu_splat(0), vu_splat(0) };
      vf color[4];

      for (unsigned k = 0; k < 2 && target->reads; k++)
         old[k] = vu_load(t->old[k] + n * VW);
      for (unsigned k = 0; k < 4; k++) {
         c.src[k] = color[k] = vf_load(src[k] + n * VW);
         if (!blend.enable)
            continue;
         c.src1[k] = vf_load(src1[k] + n * VW);
         c.dst[k] = vf_from_half(vu_shr(old[k / 2], k % 2 * 16) & vu_splat(0xffff));
      }
      if (blend.enable) {
         if (target->dst_alpha_one)
            c.dst[3] = vf_splat(1.0f);
         for (unsigned k = 0; k < 3; k++)
            color[k] = vf_canon(blend_component(blend.src_rgb, blend.dst_rgb, blend.op_rgb, k, &c));
         color[3] =
            vf_canon(blend_component(blend.src_alpha, blend.dst_alpha, blend.op_alpha, 3, &c));
      }
      for (unsigned k = 0; k < 2; k++) {
         const vu mask = vu_splat(target->pixel_mask[k]);
         const vu low = vu_half_from_vf(color[2 * k]), high = vu_half_from_vf(color[2 * k + 1]);

         vu_store(t->raw[k] + n * VW, ((low | vu_shl(high, 16)) & mask) | (old[k] & ~mask));
      }
   }
}

/* Not inline: what is around it leaves it no registers. */
static __attribute__((noinline)) void
halves(struct tile *t, const struct cb_target *target, const uint32_t *const src[4],
       const uint32_t *const src1[4], unsigned first, unsigned last)
{
   const struct cb_blend *b = &target->blend;

   if (!b->enable)
      blend_halves(t, target, src, src1, first, last, (struct cb_blend){ .enable = false });
#define KIND(s, d) \
   else if (blend_is(b, s, d)) blend_halves(t, target, src, src1, first, last, FIXED_BLEND(s, d))
   KIND(FACTOR_SRC_ALPHA, FACTOR_ONE_MINUS_SRC_ALPHA);
   KIND(FACTOR_ONE, FACTOR_ONE);
   KIND(FACTOR_DST_COLOR, FACTOR_ZERO);
   KIND(FACTOR_DST_COLOR, FACTOR_SRC_COLOR);
#undef KIND
   else blend_halves(t, target, src, src1, first, last, *b);
}

static void
generic_pixels(struct tile *t, const struct cb_target *target, const uint32_t *const src[4],
               const uint32_t *const src1[4], unsigned first, unsigned last)
{
   const unsigned words = (target->surface.cpp + 3) / 4;
   float constant[4];

   clamped_constant(target, t->draw->cb->constant, constant);
   for (unsigned n = first * 4 / VW; n * VW < last * 4; n++) {
      vu s[4], s1[4], old[4], out[4];

      for (unsigned k = 0; k < 4; k++) {
         s[k] = vu_load(src[k] + n * VW);
         s1[k] = vu_load(src1[k] + n * VW);
         old[k] = target->reads && k < words ? vu_load(t->old[k] + n * VW) : vu_splat(0);
      }
      generic_vector(t, target, constant, s, s1, old, out);
      for (unsigned k = 0; k < 4; k++) {
         const vu mask = vu_splat(target->pixel_mask[k]);

         vu_store(t->raw[k] + n * VW, (out[k] & mask) | (old[k] & ~mask));
      }
   }
}

static __attribute__((noinline)) void
generic_lanes(struct tile *t, const struct cb_target *target, unsigned index,
              const struct places *p, unsigned first, unsigned last, uint64_t lanes)
{
   const unsigned cpp = target->surface.cpp;
   const bool dual = t->draw->cb->dual_source;
   const bool quads = p->pixel_bytes == 8 && cpp == 8,
              whole = lanes == (UINT64_MAX >> (64 - last * 4) & UINT64_MAX << first * 4);
   const uint32_t *src[4], *src1[4];

   source(t->worker->outputs, index, src);
   source(t->worker->outputs, dual ? 1 : index, src1);
   if (quads && (target->reads || !whole))
      load_quads64(p, first, last, t->old);
   else if (target->reads)
      load_lanes(p, cpp, lanes, t->old);
   if (is_max_of_two(target))
      max_of_two(t, target, src, first, last);
   else if (quads && is_halves(target))
      halves(t, target, src, src1, first, last);
   else
      generic_pixels(t, target, src, src1, first, last);
   if (!quads) {
      store_lanes(p, cpp, lanes, t->raw);
      return;
   }
   for (unsigned n = first * 4 / VW; n * VW < last * 4 && !whole; n++)
      for (unsigned k = 0; k < 2; k++)
         vu_store(t->raw[k] + n * VW, vu_select(vm_lanes(lanes, n), vu_load(t->raw[k] + n * VW),
                                                vu_load(t->old[k] + n * VW)));
   store_quads64(p, first, last, t->raw);
}

void
K(cb_lanes)(struct tile *t, uint64_t lanes, unsigned sample)
{
   const struct cb_state *cb = t->draw->cb;
   uint8_t spare[32] = { 0 };
   struct places p;

   if (cb->mode != CB_COLORS || t->no_color)
      return;

   /* The segment's quads, widened to whole vectors. */
   const bool block = t->wave->block;
   const unsigned first = block ? 0 : (unsigned)__builtin_ctzll(lanes) / 4;
   const unsigned last = block ? 16 : (63u - (unsigned)__builtin_clzll(lanes)) / 4 + 1;
   const uint64_t all = lanes;

#if VW > 4
   if (block && !~lanes && cb->only && !sample && !t->core.stores && K(cb_block)(t))
      return;
#endif
   for (uint32_t m = cb->bound; m; m &= m - 1) {
      const unsigned i = (unsigned)__builtin_ctz(m);
      const struct cb_target *target = &cb->target[i];

      /* What a pixel stored itself takes the place of a colour. */
      lanes = all & ~(t->core.stores ? t->core.stores->any[i] : 0);
      if (sample >> target->surface.log2_samples || !lanes)
         continue;
      find_places(&p, t, &target->surface, sample, first, last, spare,
                  target->path != CB_PATH_GENERIC && !target->surface.log2_samples);
      switch (target->path) {
      case CB_PATH_STORE_8888:
         store_8888(t, target, i, &p, first, last, lanes);
         break;
      case CB_PATH_BLEND_8888:
         blended_8888(t, target, i, &p, first, last, lanes);
         break;
      default:
         generic_lanes(t, target, i, &p, first, last, lanes);
         break;
      }
   }
}

/* Whether store_samples_8888() does for all targets. */
static bool
stores_samples(const struct tile *t)
{
   const struct cb_state *cb = t->draw->cb;

   if (t->num_samples != 4 || t->core.stores)
      return false;
   for (uint32_t m = cb->bound; m; m &= m - 1) {
      const struct cb_target *target = &cb->target[__builtin_ctz(m)];

      if (target->path != CB_PATH_STORE_8888 || target->surface.log2_samples != 2)
         return false;
   }
   return true;
}

void
K(cb_lanes_all)(struct tile *t, uint64_t lanes)
{
   const struct cb_state *cb = t->draw->cb;
   const unsigned first = (unsigned)__builtin_ctzll(lanes) / 4;
   const unsigned last = (63u - (unsigned)__builtin_clzll(lanes)) / 4 + 1;
   uint8_t spare[32] = { 0 };
   struct places p;

   if (!stores_samples(t)) {
      for (unsigned s = 0; s < t->num_samples; s++)
         K(cb_lanes)(t, lanes, s);
      return;
   }
   if (cb->mode != CB_COLORS || t->no_color)
      return;
   for (uint32_t m = cb->bound; m; m &= m - 1) {
      const unsigned i = (unsigned)__builtin_ctz(m);
      const struct cb_target *target = &cb->target[i];

      find_places(&p, t, &target->surface, 0, first, last, spare, false);
      store_samples_8888(t, target, i, &p, first, last, lanes);
   }
}

/* ---- One colour ---- */

void
K(cb_pack_constant)(struct tile *t)
{
   const struct cb_state *cb = t->draw->cb;

   for (unsigned i = 0; i < CB_TARGETS; i++) {
      const uint32_t *src[4];
      vu s[4], old[4], out[4];

      if (!(cb->bound & 1u << i))
         continue;
      source(t->worker->outputs, i, src);
      for (unsigned k = 0; k < 4; k++) {
         s[k] = vu_splat(src[k][0]);
         old[k] = vu_splat(0);
      }
      generic_vector(t, &cb->target[i], cb->constant, s, s, old, out);
      for (unsigned k = 0; k < 4; k++) {
         uint32_t word[VW];

         vu_storeu(word, out[k]);
         t->fill[i][k] = word[0];
      }
   }
}
