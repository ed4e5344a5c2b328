/* SPDX-License-Identifier: MIT */
/*
 * Control flow with a PC for each lane.  Lanes at one PC are a group; the group with the least PC
 * runs, up to where the next one waits.  Paths that part meet again where control does, since loops
 * close backwards: groups that come to one PC become one.
 */
#ifndef ATOLL_CORE_LANE_GROUPS_H
#define ATOLL_CORE_LANE_GROUPS_H

#include <stdint.h>
#include <string.h>

#include "lanes.h"

/* Groups in ascending order of their PCs; no lane is in two. */
struct lane_groups {
   uint32_t count;
   uint32_t pc[WAVE_LANES];
   uint64_t lanes[WAVE_LANES];
};

/* Lanes that are in no group get one. */
static inline void
lane_groups_add(struct lane_groups *g, uint64_t lanes, uint32_t pc)
{
   uint32_t n = 0;

   if (!lanes)
      return;
   while (n < g->count && g->pc[n] < pc)
      n++;
   if (n < g->count && g->pc[n] == pc) {
      g->lanes[n] |= lanes;
      return;
   }
   memmove(&g->pc[n + 1], &g->pc[n], (g->count - n) * sizeof(*g->pc));
   memmove(&g->lanes[n + 1], &g->lanes[n], (g->count - n) * sizeof(*g->lanes));
   g->pc[n] = pc;
   g->lanes[n] = lanes;
   g->count++;
}

/* Takes the first group out: its lanes, or 0; its PC, and that of the next or UINT32_MAX. */
static inline uint64_t
lane_groups_take(struct lane_groups *g, uint32_t *pc, uint32_t *next)
{
   uint64_t lanes = 0;

   *pc = *next = UINT32_MAX;
   if (g->count) {
      lanes = g->lanes[0];
      *pc = g->pc[0];
      g->count--;
      memmove(&g->pc[0], &g->pc[1], g->count * sizeof(*g->pc));
      memmove(&g->lanes[0], &g->lanes[1], g->count * sizeof(*g->lanes));
   }
   if (g->count)
      *next = g->pc[0];
   return lanes;
}

#endif
