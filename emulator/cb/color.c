/* SPDX-License-Identifier: MIT */
/*
 * Colours to memory (kernels): exports of a wave are converted, blended with what is there,
 * masked and stored.  Here are the loops for any format, and the choice of others by a target's
 * key.  Lanes are in quad order; the caller gives lanes of one segment, in which no pixel occurs
 * twice.
 */
#include "port/pack.h"
#include "cb/rows.h"

V_INLINE vf
clamp_to(const struct cb_target *target, vf x)
{
   if (!target->clamp)
      return x;
   return vf_clamp(x, clamp_low(target), 1.0f);
}

/* ---- Any format ---- */

/* What blending takes of vector n, and what was there. */
static void
take_colors(const struct segment *g, const uint32_t *const src[4], const uint32_t *const src1[4],
            unsigned n, const vu old[4], struct blend_colors *c)
{
   const struct cb_target *target = g->target;

   for (unsigned k = 0; k < 4; k++) {
      const struct cb_channel *ch = &target->channel[k];

      c->src[k] = clamp_to(target, vf_load(src[k] + n * VW));
      c->src1[k] = clamp_to(target, vf_load(src1[k] + n * VW));
      c->dst[k] =
         ch->bits ? (vf)unpack_channel(ch, old[ch->dword & 3]) : vf_splat(k == 3 ? 1.0f : 0.0f);
   }
   if (target->dst_alpha_one)
      c->dst[3] = vf_splat(1.0f);
}

/* Packs a component of `count` vectors into their words. */
static void
pack_vectors(const struct cb_channel *c, unsigned count, const vu *value, vu (*words)[4])
{
   const unsigned dword = c->dword & 3;

   switch (c->type) {
#define CASE(type)                                                             \
   case type:                                                                  \
      for (unsigned i = 0; i < count; i++) {                                   \
         const struct cb_channel same = { c->bits, c->shift, c->dword, type }; \
                                                                               \
         words[i][dword] |= pack_channel(&same, value[i]);                     \
      }                                                                        \
      break;
      CASE(NUMERIC_UNORM)
      CASE(NUMERIC_SRGB)
      CASE(NUMERIC_FLOAT)
#undef CASE
   default:
      for (unsigned i = 0; i < count; i++)
         words[i][dword] |= pack_channel(c, value[i]);
      break;
   }
}

static void
any_pixels(const struct segment *g)
{
   struct tile *t = g->t;
   const struct cb_target *target = g->target;
   const unsigned words = (target->surface.cpp + 3) / 4;
   const unsigned first = g->first * 4 / VW, count = (g->last * 4 + VW - 1) / VW - first;
   const bool blends = target->key.rule != RULE_COPY;
   const uint32_t *src[4], *src1[4];
   struct blend_colors c[VECTORS];
   vf blended[VECTORS][4];
   vu old[VECTORS][4], out[VECTORS][4];
   float constant[4];

   source(t->worker->outputs, g->index, src);
   source(t->worker->outputs, t->draw->cb->dual_source ? 1 : g->index, src1);
   clamped_constant(target, t->draw->cb->constant, constant);
   for (unsigned i = 0; i < count; i++) {
      for (unsigned k = 0; k < 4; k++) {
         old[i][k] =
            target->key.reads && k < words ? vu_load(t->old[k] + (first + i) * VW) : vu_splat(0);
         out[i][k] = vu_splat(0);
      }
   }
   if (blends) {
      unsigned i = 0;

      do {
         c[i].constant = constant;
         take_colors(g, src, src1, first + i, old[i], &c[i]);
      } while (++i < count);
      K(cb_blend)(&target->blend, c, count, blended);
   }
   for (unsigned k = 0; k < 4; k++) {
      vu value[VECTORS];

      if (!target->channel[k].bits)
         continue;
      for (unsigned i = 0; i < count; i++)
         value[i] = blends ? (vu)vf_canon(blended[i][k]) : vu_load(src[k] + (first + i) * VW);
      pack_vectors(&target->channel[k], count, value, out);
   }
   for (unsigned i = 0; i < count; i++) {
      for (unsigned k = 0; k < words; k++) {
         const vu mask = vu_splat(target->pixel_mask[k]);

         if (target->key.logic)
            out[i][k] = logic_of(t->draw->cb->logic, out[i][k], old[i][k]);
         vu_store(t->raw[k] + (first + i) * VW, (out[i][k] & mask) | (old[i][k] & ~mask));
      }
   }
}

static __attribute__((noinline)) void
any_lanes(const struct segment *g)
{
   load_pixels(g, g->t->old);
   any_pixels(g);
   store_pixels(g, g->t->old, g->t->raw);
}

void
K(cb_lanes)(struct tile *t, uint64_t lanes, unsigned sample)
{
   const struct cb_state *cb = t->draw->cb;
   struct segment g;

   if (cb->mode != CB_COLORS || t->key.no_color)
      return;

   /* The segment's quads, widened to whole vectors. */
   const bool block = t->wave->block;
   const unsigned first = block ? 0 : (unsigned)__builtin_ctzll(lanes) / 4;
   const unsigned last = block ? 16 : (63u - (unsigned)__builtin_clzll(lanes)) / 4 + 1;

#if VW > 4
   if (block && !~lanes && cb->only && !sample && !t->core.stores && K(cb_block)(t))
      return;
#endif
   segment_begin(&g, t, first, last);
   for (uint32_t m = cb->bound; m; m &= m - 1) {
      const unsigned i = (unsigned)__builtin_ctz(m);
      const struct cb_target *target = &cb->target[i];

      /* What a pixel stored itself is there instead of a colour. */
      g.target = target;
      g.index = i;
      g.lanes = lanes & ~(t->core.stores ? t->core.stores->any[i] : 0);
      if (sample >> target->surface.log2_samples || !g.lanes)
         continue;
      segment_find(&g, sample);
      switch (target->key.layout) {
      case CB_LAYOUT_BYTES:
         K(cb_bytes)(&g);
         break;
      case CB_LAYOUT_HALVES:
      case CB_LAYOUT_FLOATS:
         K(cb_floats)(&g);
         break;
      default:
         any_lanes(&g);
         break;
      }
   }
}

void
K(cb_lanes_all)(struct tile *t, uint64_t lanes)
{
   const struct cb_state *cb = t->draw->cb;
   struct segment g;

   if (t->num_samples != 4 || t->core.stores || !cb->four_alike) {
      for (unsigned s = 0; s < t->num_samples; s++)
         K(cb_lanes)(t, lanes, s);
      return;
   }
   if (cb->mode != CB_COLORS || t->key.no_color)
      return;
   segment_begin(&g, t, (unsigned)__builtin_ctzll(lanes) / 4,
                 (63u - (unsigned)__builtin_clzll(lanes)) / 4 + 1);
   g.lanes = lanes;
   for (uint32_t m = cb->bound; m; m &= m - 1) {
      g.index = (unsigned)__builtin_ctz(m);
      g.target = &cb->target[g.index];
      segment_find(&g, 0);
      K(cb_bytes_samples)(&g);
   }
}

/* ---- One colour ---- */

/* The colour of lane 0, as bytes. */
static uint32_t
pack_first(const struct segment *g)
{
   const struct order_8888 order = order_of(g->target);
   const uint32_t *src[4];
   uint32_t pixels[VW];
   vf c[4];

   source(g->t->worker->outputs, g->index, src);
   for (unsigned k = 0; k < 4; k++)
      c[k] = vf_load(src[k]);
   vu_storeu(pixels, pack_8888(&order, c, false));
   return pixels[0];
}

void
K(cb_pack_constant)(struct tile *t)
{
   const struct cb_state *cb = t->draw->cb;
   struct segment g;

   segment_begin(&g, t, 0, 1);
   for (uint32_t m = cb->bound; m; m &= m - 1) {
      g.index = (unsigned)__builtin_ctz(m);
      g.target = &cb->target[g.index];
      if (g.target->key.layout == CB_LAYOUT_BYTES) {
         t->fill[g.index][0] = pack_first(&g);
         continue;
      }
      any_pixels(&g);
      for (unsigned k = 0; k < 4; k++)
         t->fill[g.index][k] = t->raw[k][0];
   }
}
