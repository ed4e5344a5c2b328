/* SPDX-License-Identifier: MIT */
/*
 * What micro-operations that are computed a lane at a time share.  Kernels only.
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

#endif
