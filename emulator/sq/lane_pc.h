/* SPDX-License-Identifier: MIT */
/*
 * Control flow with a PC for each lane: the lanes at the least PC run together, up to where the
 * next lanes wait.  Paths that part meet again where control does, since loops close backwards.
 */
#ifndef ATOLL_SQ_LANE_PC_H
#define ATOLL_SQ_LANE_PC_H

#include <stdint.h>

#include "sq/wave.h"

/* Of `lanes`, those with the least PC, which goes to *pc; the least PC of the others, or
 * UINT32_MAX, to *next. */
static inline uint64_t
lane_pc_choose(const uint32_t pcs[WAVE_LANES], uint64_t lanes, uint32_t *pc, uint32_t *next)
{
   uint64_t chosen = 0;

   *pc = *next = UINT32_MAX;
   for (; lanes; lanes &= lanes - 1) {
      unsigned i = (unsigned)__builtin_ctzll(lanes);
      uint32_t at = pcs[i];
      if (at < *pc) {
         *next = *pc;
         *pc = at;
         chosen = 0;
      } else if (at > *pc && at < *next) {
         *next = at;
      }
      chosen |= at == *pc ? UINT64_C(1) << i : 0;
   }
   return chosen;
}

static inline void
lane_pc_set(uint32_t pcs[WAVE_LANES], uint64_t lanes, uint32_t pc)
{
   for (; lanes; lanes &= lanes - 1)
      pcs[__builtin_ctzll(lanes)] = pc;
}

#endif
