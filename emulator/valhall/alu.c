/* SPDX-License-Identifier: MIT */
/*
 * Micro-operations that Valhall alone needs and that are not lane-wise in one component: rounding
 * of conversions, pairs of registers, lanes of a warp.
 */
#include "isa/valhall/valhall.h"
#include "uop/values.h"

V_INLINE void
store_result(const struct exec *x, uint32_t dst, const wave_lane r)
{
   for (unsigned i = 0; i < VECTORS; i++)
      uop_store(x, dst, i, x->lanes, vu_load(r + i * VW));
}

/* Conversions of 32-bit integers round as MXCSR says: set before them, put back after them. */
void
K(uop_vh_set_round)(struct exec *x, const struct bound_uop *u)
{
   _mm_setcsr(x->fp_now | u->p.immediate.bits);
}

/* ------------------------------------------------------------------------------------------------
 * 64-bit: operand 0 and 1 are the low words of pairs, the high ones in the next rows
 */
V_INLINE uint64_t
shift_pair(uint64_t a, unsigned n, unsigned op)
{
   n &= 63;
   return op == UOP_PAIR_SHL   ? a << n
          : op == UOP_PAIR_SHR ? a >> n
                               : (a >> n) | (a >> 63 && n ? ~(~UINT64_C(0) >> n) : 0);
}

V_INLINE uint64_t
compute_pair(uint64_t a, uint64_t b, unsigned op, bool is_signed)
{
   uint64_t r;
   switch (op) {
   case UOP_PAIR_ADD_SAT:
      r = a + b;
      if (is_signed && (~(a ^ b) & (a ^ r)) >> 63)
         return a >> 63 ? UINT64_C(1) << 63 : ~UINT64_C(0) >> 1;
      return !is_signed && r < a ? ~UINT64_C(0) : r;
   case UOP_PAIR_SUB_SAT:
      r = a - b;
      if (is_signed && ((a ^ b) & (a ^ r)) >> 63)
         return a >> 63 ? UINT64_C(1) << 63 : ~UINT64_C(0) >> 1;
      return !is_signed && b > a ? 0 : r;
   case UOP_PAIR_SEG_ADD:
      return a ? a + b : 0;
   case UOP_PAIR_SEG_SUB:
      return a ? a - b : 0;
   case UOP_PAIR_SUB:
      return a - b;
   case UOP_PAIR_ADD:
      return a + b;
   default:
      return shift_pair(a, (unsigned)b, op);
   }
}

void
K(uop_vh_pair)(struct exec *x, const struct bound_uop *u)
{
   wave_lane v[4], r[2];
   struct bound_uop high = *u;

   high.src[0] += COMP_BYTES;
   high.src[1] += COMP_BYTES;
   for (unsigned n = 0; n < 2; n++) {
      uop_load(x, u, n, v[2 * n]);
      uop_load(x, &high, n, v[2 * n + 1]);
   }
   for (unsigned i = 0; i < WAVE_LANES; i++) {
      uint64_t a = v[0][i] | (uint64_t)v[1][i] << 32, b = v[2][i] | (uint64_t)v[3][i] << 32;
      uint64_t value = compute_pair(a, b, u->p.pair.op, u->p.pair.is_signed);
      r[0][i] = (uint32_t)value;
      r[1][i] = (uint32_t)(value >> 32);
   }
   store_result(x, u->dst, r[0]);
   store_result(x, u->dst + COMP_BYTES, r[1]);
}

/* ------------------------------------------------------------------------------------------------
 * Across the lanes of a warp
 */

/* The ballot of a subgroup's running lanes. */
void
K(uop_vh_wmask)(struct exec *x, const struct bound_uop *u)
{
   wave_lane v, r;
   unsigned size = 2u << u->p.subgroup.size;
   uint64_t set = 0;

   uop_load(x, u, 0, v);
   for (unsigned i = 0; i < WAVE_LANES; i++)
      set |= (uint64_t)(v[i] != 0) << i;
   set &= x->lanes;
   for (unsigned i = 0; i < WAVE_LANES; i++)
      r[i] = (uint32_t)(set >> (i & ~(size - 1))) & ((1u << size) - 1);
   store_result(x, u->dst, r);
}

void
K(uop_vh_clper)(struct exec *x, const struct bound_uop *u)
{
   wave_lane v, n, r;
   unsigned size = 2u << u->p.subgroup.size, op = u->p.subgroup.operation;

   uop_load(x, u, 0, v);
   uop_load(x, u, 1, n);
   for (unsigned i = 0; i < WAVE_LANES; i++) {
      unsigned own = i & (size - 1), other = n[i] & 255;
      other = op == VALHALL_LANE_OPERATION_XOR          ? own ^ other
              : op == VALHALL_LANE_OPERATION_ACCUMULATE ? own + other
              : op == VALHALL_LANE_OPERATION_SHIFT      ? own - other
                                                        : other;
      unsigned from = (i & ~(size - 1)) + other;
      r[i] = other < size && x->lanes >> from & 1 ? v[from] : u->p.subgroup.inactive;
   }
   store_result(x, u->dst, r);
}
