/* SPDX-License-Identifier: MIT */
/*
 * What engines with a PC a lane do with blocks (blocks.h).  Kernels only.
 */
#ifndef ATOLL_UOP_RUN_BLOCK_H
#define ATOLL_UOP_RUN_BLOCK_H

#include <stddef.h>
#include <string.h>

#include "core/core.h"
#include "uop/blocks.h"
#include "uop/bound.h"

/* All is 0 but values of lanes: those are set before they are read. */
static inline void
uop_begin(struct exec *x)
{
   memset(x, 0, offsetof(struct exec, ar));
   memset(&x->same_coef, 0, sizeof(*x) - offsetof(struct exec, same_coef));
}

/* The block that step `pc` begins, and its steps. */
V_INLINE bool
uop_block_at(const struct uop_blocks *b, uint32_t pc, const void **block, uint32_t *steps)
{
   const struct uop_block *at = &b->blocks[b->of[pc]];

   *block = at;
   *steps = at->count;
   return true;
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

/* A program that is one block, of so many steps; 0: it is not. */
struct uop_whole {
   struct uop_run run;
   uint32_t steps;
};

/* For the waves after this one: `ends` says whether the block ends it; the budget lets it. */
static inline void
uop_whole_keep(struct uop_whole *w, const struct core_wave *wave, const struct uop_block *block,
               bool ends)
{
   w->run = block->plain;
   w->steps = ends && block->count <= core_budget(wave) / WAVE_LANES ? block->count : 0;
}

/* Runs it for all lanes; false: it is not one. */
V_INLINE bool
uop_whole_run(const struct uop_whole *w, struct exec *x, const struct uop_bound *bound)
{
   if (!w->steps)
      return false;
   x->wave->cycles = WAVE_LANES * (uint64_t)w->steps;
   x->lanes = x->launch;
   uop_run_bound(x, bound->uops + w->run.first, w->run.count);
   return true;
}

#endif
