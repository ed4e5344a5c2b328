/* SPDX-License-Identifier: MIT */
/*
 * Blending of one vector of pixels, in floats (kernels only); the lists are port/blend.h's.
 *
 * A factor of zero makes its term zero whatever it multiplies, a factor of one leaves it as it is;
 * sums are source term first.  Operations round one by one.
 */
#ifndef ATOLL_CB_BLEND_H
#define ATOLL_CB_BLEND_H

#include "arith.h"
#include "cb/cb.h"
#include "port/blend.h"

struct blend_colors {
   vf src[4], src1[4], dst[4];
   const float *constant;
};

/* The factor of component n (3 is alpha). */
V_INLINE vf
blend_factor(unsigned factor, unsigned n, const struct blend_colors *c)
{
   const vf zero = vf_splat(0.0f), one = vf_splat(1.0f);

   switch (factor) {
#define FACTOR(name, reads, value) \
   case FACTOR_##name:             \
      return value;
      BLEND_FACTORS(FACTOR)
#undef FACTOR
   default:
      return zero;
   }
}

V_INLINE vf
blend_term(unsigned factor, unsigned n, vf value, const struct blend_colors *c)
{
   if (factor == FACTOR_ZERO)
      return vf_splat(0.0f);
   if (factor == FACTOR_ONE)
      return value;
   return value * blend_factor(factor, n, c);
}

/* What an operation makes of the source's and the destination's term, or of their colours. */
V_INLINE vf
blend_result(unsigned op, unsigned dst_factor, vf s, vf d)
{
   switch (op) {
#define OP(name, of_terms, value) \
   case BLEND_OP_##name:          \
      return value;
      BLEND_OPS(OP)
#undef OP
   default:
      return s;
   }
}

V_INLINE vf
blend_component(unsigned src_factor, unsigned dst_factor, unsigned op, unsigned n,
                const struct blend_colors *c)
{
   vf s = c->src[n], d = c->dst[n];

   if (blend_of_terms(op)) {
      s = blend_term(src_factor, n, s, c);
      d = blend_term(dst_factor, n, d, c);
   }
   return blend_result(op, dst_factor, s, d);
}

/* All components of blended colours; the blend is a constant. */
V_INLINE void
blend_pixels(const struct cb_blend *b, const struct blend_colors *c, vf out[4])
{
   for (unsigned n = 0; n < 3; n++)
      out[n] = blend_component(b->src_rgb, b->dst_rgb, b->op_rgb, n, c);
   out[3] = blend_component(b->src_alpha, b->dst_alpha, b->op_alpha, 3, c);
}

/* A rule as a blend: factors and operations are constants where it is used. */
#define RULE_BLEND(src, dst, src_alpha, dst_alpha, op)                                         \
   {                                                                                           \
      true, FACTOR_##src, FACTOR_##dst, BLEND_OP_##op, FACTOR_##src_alpha, FACTOR_##dst_alpha, \
         BLEND_OP_##op                                                                         \
   }

#endif
