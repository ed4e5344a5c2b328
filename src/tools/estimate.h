/* SPDX-License-Identifier: MIT */
/* How long the real chip would take for a wave of a program, roughly. */
#ifndef ATOLL_ESTIMATE_H
#define ATOLL_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

/* Cycles of one SIMD for one wave of 64 lanes, each loop and each branch counted once. */
struct estimate {
   unsigned alu, fetch, export;
   unsigned cycles;   /* the busiest of the three: enough waves hide the others behind it */
   unsigned waves;    /* that fit a SIMD's registers */
   const char *bound; /* "ALU", "fetch" or "export" */
};

void estimate_cycles(const uint32_t *words, size_t num_dwords, unsigned num_gprs,
                     struct estimate *e);

#endif /* ATOLL_ESTIMATE_H */
