/* SPDX-License-Identifier: MIT */
/*
 * Bump allocation for what lives as long as a pass or a part of one.  One owner, no locks.
 */
#ifndef ATOLL_POOL_H
#define ATOLL_POOL_H

#include <stddef.h>

/* Why something is not done, where lack of the host's memory is the reason. */
#define NO_MEMORY "out of memory"

struct pool_block;

struct pool {
   struct pool_block *first, *current;
   size_t used; /* bytes of the current block */
};

/* `size` bytes, 64-aligned, uninitialised; NULL when there is no memory. */
void *pool_alloc(struct pool *pool, size_t size);

/* Frees all allocations, keeping the memory for the next. */
void pool_reset(struct pool *pool);

/* Returns the memory to the system. */
void pool_finish(struct pool *pool);

/* Bytes handed out since the last reset, rounded to blocks. */
size_t pool_size(const struct pool *pool);

#endif
