/* SPDX-License-Identifier: MIT */
/*
 * Free ranges of a line of addresses, sorted and merged.  The smallest that fits is taken: what
 * is allocated comes in few sizes, so holes are reused exactly.  Callers lock.
 */
#ifndef ATOLL_RANGES_H
#define ATOLL_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
   uint64_t offset, size;
};

struct ranges {
   struct range *free;
   size_t num_free, max_free;
};

/* All of [offset, offset + size) is free.  False on lack of memory. */
bool ranges_init(struct ranges *ranges, uint64_t offset, uint64_t size);
void ranges_finish(struct ranges *ranges);

/* Takes `size` (not 0).  False when no free range is as large. */
bool ranges_take(struct ranges *ranges, uint64_t size, uint64_t *offset);

/* Gives back what was taken.  On lack of memory the range stays taken for good. */
void ranges_give(struct ranges *ranges, uint64_t offset, uint64_t size);

#endif
