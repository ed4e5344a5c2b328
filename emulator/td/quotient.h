/* SPDX-License-Identifier: MIT */
/*
 * Quotients by the few numbers that formats divide by, without dividing.  For kernels only.
 */
#ifndef ATOLL_TD_QUOTIENT_H
#define ATOLL_TD_QUOTIENT_H

#include "arith.h"
#include "kernel.h"

/* 1 / d, nearest float and what that leaves. */
struct reciprocal {
   float high, low;
};
#define RECIPROCAL(d)                                                     \
   {                                                                      \
      (float)(1.0 / (d)), (float)(1.0 / (d) - (double)(float)(1.0 / (d))) \
   }

/* n / d, correctly rounded, for floats n of integers and the d used here (2^k - 1 for k up to 24,
 * 255 times a power of two, the steps of ramps: tests/td/quotient.c tries all).  With another
 * rounding mode it takes the division. */
V_INLINE vf
quotient(vf n, float d, struct reciprocal r, bool nearest)
{
#if VW > 4
   if (nearest)
      return vf_fma(n, vf_splat(r.high), n * vf_splat(r.low));
#endif
   return n / vf_splat(d);
}

#define DIVIDE(n, d, nearest) quotient(n, d, (struct reciprocal)RECIPROCAL((double)(d)), nearest)

V_INLINE bool
rounds_to_nearest(void)
{
   /* Sums between two neighbours of 1 say what the control register would, which is slow to read:
    * above the middle it is the upper one but in the modes towards zero and down, below it the
    * lower one but in the mode up. */
   float one = 1.0f, above = 0x1.8p-24f, below = 0x1p-25f;
   __asm__("" : "+x"(one), "+x"(above), "+x"(below));
   return one + above > 1.0f && one + below == 1.0f;
}

#endif
