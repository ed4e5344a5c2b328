/* SPDX-License-Identifier: MIT */
/*
 * Pixels of four halves, and of one, two or four floats (kernels): a loop for each rule of
 * blending.
 */
#include "cb/rows.h"

/* Words of a pixel, at most four. */
V_INLINE unsigned
words_of(const struct segment *g, bool halves)
{
   const unsigned words = g->target->surface.cpp / 4;

   return halves ? 2 : words < 4 ? words : 4;
}

/* The colours of vector n, and what was there, as floats and as it is. */
V_INLINE void
take_colors(const struct segment *g, const uint32_t *const src[4], const uint32_t *const src1[4],
            unsigned n, bool halves, struct blend_colors *c, vu old[4])
{
   const unsigned words = words_of(g, halves);

   c->constant = g->t->draw->cb->constant;
   for (unsigned k = 0; k < 4; k++) {
      old[k] = g->target->key.reads && k < words ? vu_load(g->t->old[k] + n * VW) : vu_splat(0);
      c->src[k] = vf_load(src[k] + n * VW);
      c->src1[k] = vf_load(src1[k] + n * VW);
      c->dst[k] = k < words ? (vf)old[k] : vf_splat(k == 3 ? 1.0f : 0.0f);
   }
   for (unsigned k = 0; k < 4 && halves; k++)
      c->dst[k] = vf_from_half(vu_shr(old[k / 2], k % 2 * 16) & vu_splat(0xffff));
   if (g->target->dst_alpha_one)
      c->dst[3] = vf_splat(1.0f);
}

V_INLINE void
put_over(const struct segment *g, unsigned n, bool halves, const vf color[4], const vu old[4])
{
   for (unsigned k = 0; k < 4 && k < words_of(g, halves); k++) {
      const vu mask = vu_splat(g->target->pixel_mask[k]);
      vu v = (vu)color[k];

      if (halves)
         v = vu_half_from_vf(color[2 * k]) | vu_shl(vu_half_from_vf(color[2 * k + 1]), 16);
      vu_store(g->t->raw[k] + n * VW, (v & mask) | (old[k] & ~mask));
   }
}

V_INLINE void
blend(const struct segment *g, struct cb_blend b, unsigned rule, bool halves)
{
   const bool any = rule == RULE_ANY, dual = any && g->t->draw->cb->dual_source;
   const unsigned first = g->first * 4 / VW, end = (g->last * 4 + VW - 1) / VW;
   struct blend_colors c[VECTORS];
   const uint32_t *src[4], *src1[4];
   vf color[VECTORS][4];
   vu old[VECTORS][4];

   source(g->t->worker->outputs, g->index, src);
   source(g->t->worker->outputs, dual ? 1 : g->index, src1);
   for (unsigned n = first; n < end && any; n++)
      take_colors(g, src, src1, n, halves, &c[n - first], old[n - first]);
   if (any)
      K(cb_blend)(&b, c, end - first, color);
   for (unsigned n = first; n < end; n++) {
      const unsigned i = any ? n - first : 0;

      if (!any) {
         take_colors(g, src, src, n, halves, c, old[0]);
         blend_pixels(&b, c, color[0]);
      }
      for (unsigned k = 0; k < 4; k++)
         color[i][k] = rule == RULE_COPY ? c->src[k] : vf_canon(color[i][k]);
      put_over(g, n, halves, color[i], old[i]);
   }
}

/* A loop for each rule of the list. */
V_INLINE void
blend_by_rule(const struct segment *g, bool halves)
{
   switch (g->target->key.rule) {
#define CASE(name, ...)                                                        \
   case RULE_##name:                                                           \
      blend(g, (struct cb_blend)RULE_BLEND(__VA_ARGS__), RULE_##name, halves); \
      break;
      BLEND_RULES(CASE)
#undef CASE
   default:
      blend(g, g->target->blend, RULE_ANY, halves);
      break;
   }
}

void
K(cb_floats)(const struct segment *g)
{
   load_pixels(g, g->t->old);
   if (g->target->key.layout == CB_LAYOUT_HALVES)
      blend_by_rule(g, true);
   else
      blend_by_rule(g, false);
   store_pixels(g, g->t->old, g->t->raw);
}
