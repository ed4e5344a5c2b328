/* SPDX-License-Identifier: MIT */
/*
 * The cache of lifted programs of one instruction set.  A hit is an equal address and equal words:
 * memory that a client rewrote where it was gives a new program.
 *
 * Nobody says when a program is deleted: its memory is given back, and no draw names it again.  So
 * programs stay in the order of their last use, and the oldest go when all together hold more
 * than the limit.
 *
 * Not thread-safe: the CP thread's.
 */
#ifndef ATOLL_CORE_CACHE_H
#define ATOLL_CORE_CACHE_H

#include "core/core.h"

#define CORE_SOURCE_STATE 6

/* What lifting depends on; sources with equal contents give the same program. */
struct core_source {
   uint64_t va, fetch_va; /* of the words */
   unsigned stage;        /* below 8, and what else the instruction set tells programs apart by */
   uint32_t state[CORE_SOURCE_STATE]; /* registers that change what is lifted */
   const uint32_t *words;             /* the program, and what may follow it */
   const uint32_t *fetch_words; /* of its fetches (struct core_program.fetch_words_used); or NULL */
   size_t num_words, num_fetch_words;
   bool interpret; /* make no machine code */
};

/* What makes the programs of an instruction set, and what they hold in bytes. */
struct core_lifter {
   struct core_program *(*lift)(void *context, const struct core_source *source); /* NULL: memory */
   void (*free)(void *context, struct core_program *program);
   size_t (*bytes)(const struct core_program *program);
   void (*close)(void *context); /* with the cache; NULL: nothing */
};

struct core_cache;
/** A cache without programs; `context` is the lifter's.  NULL: no memory; the context is closed. */
struct core_cache *core_cache_create(const struct core_lifter *lifter, void *context);
void core_cache_destroy(struct core_cache *cache);

/** The lifted form of `source`, lifting it if these words were not seen before at their address.
 *  The result lives until core_cache_trim() or destroy.  Never NULL but on lack of memory: a
 *  program that cannot be lifted has `error` set. */
const struct core_program *core_cache_get(struct core_cache *cache,
                                          const struct core_source *source);

/** What its programs hold, with their machine code. */
size_t core_cache_bytes(const struct core_cache *cache);

/** Drops the programs that were not used for longest until at most `limit` bytes are held; only
 *  when no pass uses them.  The last one of each stage stays: the draw at hand may have found
 *  it. */
void core_cache_trim(struct core_cache *cache, size_t limit);

#endif
