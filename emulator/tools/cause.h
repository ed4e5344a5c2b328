/* SPDX-License-Identifier: MIT */
/*
 * What a pixel's colour was made of: the state of the draw that decided, and the instructions that
 * the value went through (trace.h).
 */
#ifndef ATOLL_TOOLS_CAUSE_H
#define ATOLL_TOOLS_CAUSE_H

#include <stdint.h>

struct probe;
struct probe_draw;
struct trace;

/** Has a trace keep what cause_print() needs of the draw. */
void cause_want(struct trace *t, const struct probe *p, const struct probe_draw *d);

/** Prints the state of a draw that had the pixel's surface, and what made its newest fragment, or
 *  kept it from making one.  `components` of its colour are asked about, a bit each. */
void cause_print(const struct probe *p, const struct probe_draw *d, struct trace *t,
                 unsigned components);

/** The same of a value in memory at `host` that no fragment wrote. */
void cause_print_stored(struct trace *t, const void *host, uint32_t bytes);

#endif
