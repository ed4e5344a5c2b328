/* SPDX-License-Identifier: MIT */
/*
 * Blending of one vector of pixels, in floats (kernels only).
 *
 * A factor of zero makes its term zero whatever it multiplies, a factor of one leaves it as it is;
 * sums are source term first.  Operations round one by one.
 */
#ifndef ATOLL_CB_BLEND_H
#define ATOLL_CB_BLEND_H

#include "arith.h"
#include "cb/cb.h"
#include "port/state.h"

struct blend_colors {
   vf src[4], src1[4], dst[4];
   const float *constant;
};

/* The factor of component n (3 is alpha). */
V_INLINE vf
blend_factor(unsigned factor, unsigned n, const struct blend_colors *c)
{
   const vf one = vf_splat(1.0f);

   switch (factor) {
   case FACTOR_ONE:
      return one;
   case FACTOR_SRC_COLOR:
      return c->src[n];
   case FACTOR_ONE_MINUS_SRC_COLOR:
      return one - c->src[n];
   case FACTOR_SRC_ALPHA:
      return c->src[3];
   case FACTOR_ONE_MINUS_SRC_ALPHA:
      return one - c->src[3];
   case FACTOR_DST_ALPHA:
      return c->dst[3];
   case FACTOR_ONE_MINUS_DST_ALPHA:
      return one - c->dst[3];
   case FACTOR_DST_COLOR:
      return c->dst[n];
   case FACTOR_ONE_MINUS_DST_COLOR:
      return one - c->dst[n];
   case FACTOR_SRC_ALPHA_SATURATE:
      return n == 3 ? one : vf_min_second(c->src[3], one - c->dst[3]);
   case FACTOR_CONSTANT_COLOR:
      return vf_splat(c->constant[n]);
   case FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return one - vf_splat(c->constant[n]);
   case FACTOR_SRC1_COLOR:
      return c->src1[n];
   case FACTOR_ONE_MINUS_SRC1_COLOR:
      return one - c->src1[n];
   case FACTOR_SRC1_ALPHA:
      return c->src1[3];
   case FACTOR_ONE_MINUS_SRC1_ALPHA:
      return one - c->src1[3];
   case FACTOR_CONSTANT_ALPHA:
      return vf_splat(c->constant[3]);
   case FACTOR_ONE_MINUS_CONSTANT_ALPHA:
      return one - vf_splat(c->constant[3]);
   default:
      return vf_splat(0.0f);
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

V_INLINE vf
blend_component(unsigned src_factor, unsigned dst_factor, unsigned func, unsigned n,
                const struct blend_colors *c)
{
   if (func == BLEND_OP_MIN)
      return vf_min_second(c->src[n], c->dst[n]);
   if (func == BLEND_OP_MAX)
      return vf_max_second(c->src[n], c->dst[n]);

   const vf s = blend_term(src_factor, n, c->src[n], c);
   const vf d = blend_term(dst_factor, n, c->dst[n], c);
   if (func == BLEND_OP_SUBTRACT)
      return s - d;
   if (func == BLEND_OP_REVERSE_SUBTRACT)
      return d - s;
   if (dst_factor == FACTOR_ZERO)
      return s;
   return s + d;
}

#endif
