/* SPDX-License-Identifier: MIT */
/*
 * Blends that no loop is made for (kernels).  Which factors and operation a component has is asked
 * once, and then a loop goes over all vectors.
 */
#include "cb/rows.h"

/* The terms of component n: colours of the source, or of the destination, times their factors. */
static void
find_terms(unsigned factor, unsigned n, bool dst, const struct blend_colors *colors, unsigned count,
           vf *out)
{
   switch (factor) {
#define CASE(name, ...)                                                         \
   case FACTOR_##name:                                                          \
      for (unsigned i = 0; i < count; i++) {                                    \
         const struct blend_colors *c = &colors[i];                             \
                                                                                \
         out[i] = blend_term(FACTOR_##name, n, dst ? c->dst[n] : c->src[n], c); \
      }                                                                         \
      break;
      BLEND_FACTORS(CASE)
#undef CASE
   default:
      break;
   }
}

void
K(cb_blend)(const struct cb_blend *b, const struct blend_colors *colors, unsigned count,
            vf (*out)[4])
{
   vf src[VECTORS], dst[VECTORS];

   for (unsigned n = 0; n < 4; n++) {
      const unsigned dst_factor = n < 3 ? b->dst_rgb : b->dst_alpha;
      const unsigned op = n < 3 ? b->op_rgb : b->op_alpha;
      const bool terms = blend_of_terms(op);

      find_terms(terms ? n < 3 ? b->src_rgb : b->src_alpha : FACTOR_ONE, n, false, colors, count,
                 src);
      find_terms(terms ? dst_factor : FACTOR_ONE, n, true, colors, count, dst);
      switch (op) {
#define CASE(name, ...)                                                         \
   case BLEND_OP_##name:                                                        \
      for (unsigned i = 0; i < count; i++)                                      \
         out[i][n] = blend_result(BLEND_OP_##name, dst_factor, src[i], dst[i]); \
      break;
         BLEND_OPS(CASE)
#undef CASE
      default:
         break;
      }
   }
}
