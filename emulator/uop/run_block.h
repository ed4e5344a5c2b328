/* SPDX-License-Identifier: MIT */
/*
 * What engines with a PC a lane do with blocks (blocks.h).  Kernels only.
 */
#ifndef ATOLL_UOP_RUN_BLOCK_H
#define ATOLL_UOP_RUN_BLOCK_H

#include <stddef.h>
#include <string.h>

#include "uop/blocks.h"
#include "uop/bound.h"

/* All is 0 but values of lanes: those are set before they are read. */
static inline void
uop_begin(struct exec *x)
{
   memset(x, 0, offsetof(struct exec, ar));
   memset(&x->same_coef, 0, sizeof(*x) - offsetof(struct exec, same_coef));
}

/* A block, for x->lanes. */
V_INLINE void
uop_run_block(struct exec *x, const struct uop_bound *bound, const struct uop_block *block)
{
   const struct uop_run *run = x->lanes == x->launch ? &block->plain : &block->masked;

   if (run->count)
      uop_run_bound(x, bound->uops + run->first, run->count);
}

/* Micro-operations as they were lifted, one by one. */
static inline void
uop_step_run(struct exec *x, const struct uop_code *code, uint32_t first, uint32_t count)
{
   for (uint32_t n = first; n < first + count; n += code->uops[n].length)
      K(uop_step)(x, code, &code->uops[n]);
}

#endif
