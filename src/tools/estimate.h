/* SPDX-License-Identifier: MIT */
/* How long the real chip would take for a wave of a program, roughly. */
#ifndef ATOLL_ESTIMATE_H
#define ATOLL_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#include "isa/cayman/cayman.h"

/* Cycles of one SIMD for one wave of 64 lanes, each loop and each branch counted once. */
struct estimate {
   unsigned alu, fetch, export; /* that a unit is busy */
   unsigned alone;              /* from the first clause to the end, with no other wave beside it */
   unsigned cycles;             /* with as many waves as fit: the busiest unit, or `alone` */
   unsigned waves;              /* that fit a SIMD's registers */
   unsigned switches;           /* from a clause to one of another unit */
   unsigned waits;              /* for a clause of fetches */
   unsigned kcache_lines;       /* of 16 vec4s, locked by ALU clauses */
   const char *bound;           /* "ALU", "fetch", "export" or "latency" */
};

void estimate_cycles(enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords,
                     unsigned num_gprs, struct estimate *e);

#endif /* ATOLL_ESTIMATE_H */
