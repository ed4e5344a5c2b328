/* SPDX-License-Identifier: MIT */
/*
 * Global wave synchronisation: counters on which waves wait for each other, also those of different
 * work groups.  They belong to the client, and outlive a dispatch.
 *
 * A wave that has to wait stays at its instruction and asks again when it is resumed.
 */
#ifndef ATOLL_CORE_GWS_H
#define ATOLL_CORE_GWS_H

#include <stdbool.h>
#include <stdint.h>

#define CORE_GWS 32u

struct core_gws {
   int32_t value;    /* of a semaphore */
   uint32_t waiting; /* waves at its barrier */
   uint32_t opened;  /* times that the barrier let waves through */
};

/* A wave at a barrier, which had opened so often when it came. */
struct core_gws_wait {
   bool waits;
   uint32_t opened;
};

/* One more. */
static inline void
core_gws_signal(struct core_gws *g)
{
   g->value += g->value < INT32_MAX;
}

/* One less, as soon as it is positive; false: not yet. */
static inline bool
core_gws_take(struct core_gws *g)
{
   if (g->value <= 0)
      return false;
   g->value--;
   return true;
}

/* Waits until `waves` waves wait here, and lets them all go; false: not yet. */
static inline bool
core_gws_barrier(struct core_gws *g, struct core_gws_wait *wait, int64_t waves)
{
   if (wait->waits) {
      wait->waits = g->opened == wait->opened;
      return !wait->waits;
   }
   if ((int64_t)++g->waiting >= waves) {
      g->waiting = 0;
      g->opened++;
      return true;
   }
   wait->waits = true;
   wait->opened = g->opened;
   return false;
}

#endif
