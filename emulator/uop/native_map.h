/* SPDX-License-Identifier: MIT */
#ifndef ATOLL_UOP_NATIVE_MAP_H
#define ATOLL_UOP_NATIVE_MAP_H

#include <stdbool.h>
#include <stddef.h>

/* Memory for the machine code of many programs.  One owner, no locks. */
struct uop_native_pool;

/** False if ATOLL_NATIVE=0 asks for interpretation. */
bool uop_native_wanted(void);
/** NULL: no memory. */
struct uop_native_pool *uop_native_pool_create(void);
/** With all code in it; NULL is nothing. */
void uop_native_pool_destroy(struct uop_native_pool *pool);
/** A copy of the code that can be run, in the pool or, if that is NULL, in pages of its own; NULL
 *  where the host refuses them. */
void *uop_native_map(struct uop_native_pool *pool, const void *code, size_t bytes);
/** Gives it back to the same pool; NULL is nothing. */
void uop_native_unmap(struct uop_native_pool *pool, void *code, size_t bytes);

#endif
