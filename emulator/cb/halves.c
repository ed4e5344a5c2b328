/* SPDX-License-Identifier: MIT */
/* Pixels of four halves, one sample each (kernels): a loop for each rule of blending. */
#include "cb/rows.h"

V_INLINE void
blend(const struct segment *g, struct cb_blend b, unsigned rule)
{
   struct tile *t = g->t;
   const struct cb_target *target = g->target;
   const bool dual = rule == RULE_ANY && t->draw->cb->dual_source;
   struct blend_colors c = { .constant = t->draw->cb->constant };
   const uint32_t *src[4], *src1[4];

   source(t->worker->outputs, g->index, src);
   source(t->worker->outputs, dual ? 1 : g->index, src1);
   for (unsigned n = g->first * 4 / VW; n * VW < g->last * 4; n++) {
      vu old[2] = { vu_splat(0), vu_splat(0) };
      vf color[4];

      for (unsigned k = 0; k < 2 && target->key.reads; k++)
         old[k] = vu_load(t->old[k] + n * VW);
      for (unsigned k = 0; k < 4; k++)
         c.src[k] = color[k] = vf_load(src[k] + n * VW);
      if (rule != RULE_COPY) {
         for (unsigned k = 0; k < 4; k++) {
            c.src1[k] = vf_load(src1[k] + n * VW);
            c.dst[k] = vf_from_half(vu_shr(old[k / 2], k % 2 * 16) & vu_splat(0xffff));
         }
         if (target->dst_alpha_one)
            c.dst[3] = vf_splat(1.0f);
         blend_pixels(&b, &c, color);
         for (unsigned k = 0; k < 4; k++)
            color[k] = vf_canon(color[k]);
      }
      for (unsigned k = 0; k < 2; k++) {
         const vu mask = vu_splat(target->pixel_mask[k]);
         const vu low = vu_half_from_vf(color[2 * k]), high = vu_half_from_vf(color[2 * k + 1]);

         vu_store(t->raw[k] + n * VW, ((low | vu_shl(high, 16)) & mask) | (old[k] & ~mask));
      }
   }
}

void
K(cb_halves)(const struct segment *g)
{
   load_pixels(g, g->t->old);
   switch (g->target->key.rule) {
#define CASE(name, src, dst, op)                                        \
   case RULE_##name:                                                    \
      blend(g, (struct cb_blend)RULE_BLEND(src, dst, op), RULE_##name); \
      break;
      BLEND_RULES(CASE)
#undef CASE
   default:
      blend(g, g->target->blend, RULE_ANY);
      break;
   }
   store_pixels(g, g->t->old, g->t->raw);
}
