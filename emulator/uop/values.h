/* SPDX-License-Identifier: MIT */
/*
 * What the scalar micro-operations of 32 and of 64 bits share (scalar.c, wide.c).  Kernels only.
 */
#ifndef ATOLL_UOP_VALUES_H
#define ATOLL_UOP_VALUES_H

#include "uop/bound.h"

#define FOR_LANES(lane, set)                           \
   for (uint64_t left = (set); left; left &= left - 1) \
      for (unsigned lane = (unsigned)__builtin_ctzll(left), once = 1; once; once = 0)

/* Operand n of all lanes. */
V_INLINE void
uop_load(const struct exec *x, const struct bound_uop *u, unsigned n, wave_lane to)
{
   for (unsigned i = 0; i < VECTORS; i++)
      vu_store((uint8_t *)to + i * (VW * 4), uop_src(x, u, n, i));
}

/* The component at an offset of the register file. */
V_INLINE uint32_t *
uop_lanes_of(const struct exec *x, uint32_t offset)
{
   return (uint32_t *)(void *)(x->file + offset);
}

/* Bit `class` of the mask, spread over all bits.  Classes as Southern Islands numbers them: NaN
 * (signalling, quiet), -inf, -number, -denormal, -0, +0, denormal, number, inf. */
V_INLINE uint32_t
has_class(bool sign, bool nan, bool quiet, unsigned rank, uint32_t mask)
{
   unsigned class = nan ? quiet : sign ? 5 - rank : 6 + rank;
   return mask >> class & 1 ? ~0u : 0;
}

/* A number of 1, `exponent_bits` and `mantissa_bits`. */
struct kind {
   bool negative, zero, infinite, nan; /* denormals are zero */
   int exponent;
};

V_INLINE struct kind
kind_of(uint64_t v, unsigned exponent_bits, unsigned mantissa_bits)
{
   uint64_t mantissa = v & ((UINT64_C(1) << mantissa_bits) - 1);
   int exponent = (int)(v >> mantissa_bits & ((1u << exponent_bits) - 1));
   bool top = exponent == (1 << exponent_bits) - 1;

   return (struct kind){ .negative = v >> (exponent_bits + mantissa_bits) & 1,
                         .zero = exponent == 0,
                         .infinite = top && !mantissa,
                         .nan = top && mantissa,
                         .exponent = exponent };
}

/* A quotient, of whatever sign, and what dividend / divisor is beyond what it can say: the sign,
 * NaN, infinity, zero; the quotient is zero too where the exponents put it below all denormals. */
V_INLINE uint64_t
fix_quotient(uint64_t quotient, uint64_t divisor, uint64_t dividend, unsigned exponent_bits,
             unsigned mantissa_bits)
{
   const struct kind a = kind_of(dividend, exponent_bits, mantissa_bits);
   const struct kind b = kind_of(divisor, exponent_bits, mantissa_bits);
   const uint64_t sign_bit = UINT64_C(1) << (exponent_bits + mantissa_bits);
   const uint64_t infinity = ((UINT64_C(1) << exponent_bits) - 1) << mantissa_bits;
   const uint64_t sign = a.negative != b.negative ? sign_bit : 0;
   const int lowest = -(((1 << (exponent_bits - 1)) - 1) + (int)mantissa_bits);

   if (a.nan || b.nan || (a.zero && b.zero) || (a.infinite && b.infinite)) {
      return infinity | UINT64_C(1) << (mantissa_bits - 1);
   }
   if (a.infinite || b.zero) {
      return sign | infinity;
   }
   if (a.zero || b.infinite || a.exponent - b.exponent < lowest) {
      return sign;
   }
   return sign | (quotient & (sign_bit - 1));
}

#endif
