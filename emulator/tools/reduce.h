/* SPDX-License-Identifier: MIT */
/*
 * Makes a capture smaller that keeps something: as few submissions, draws, packets, registers,
 * pages and dwords as are needed for it.
 */
#ifndef ATOLL_TOOLS_REDUCE_H
#define ATOLL_TOOLS_REDUCE_H

#include "keep.h"

/** Of what `t` plays, by at most `limit` trials, as a file; says what is left.  An exit code, after
 *  a message. */
int reduce(struct keep_trials *t, uint64_t limit, const char *path);

#endif
