/* SPDX-License-Identifier: MIT */
/*
 * What an instruction set does for the pipeline: finds programs, and binds them to what a stage of
 * a draw reads (bind/source.h).
 */
#ifndef ATOLL_BIND_BINDER_H
#define ATOLL_BIND_BINDER_H

#include "core/cache.h"
#include "core/core.h"
#include "memory/target.h"
#include "bind/source.h"

struct core_gws;

/* What all programs of a submission share besides memory. */
struct bind_share {
   uint8_t *gds; /* global data share; NULL: none */
   uint32_t gds_bytes;
   struct core_gws *gws; /* [CORE_GWS], or NULL */
   bool relaxed_order;   /* ATOLL_ORDER=relaxed: no order of writes is kept */
};

struct binder {
   /* An empty cache of its programs; NULL: no memory. */
   struct core_cache *(*open)(const struct kernels *kernels);

   /* The program that the source names; NULL with *why. */
   const struct core_program *(*find)(struct core_cache *cache, const struct bind_source *source,
                                      const char **why);

   /* What waves of the program read, but for its entry, scratch and streams; from the pool.  NULL:
    * no memory.  With `reuse` (a bind of the same program and tables, in the same address
    * space), descriptors are taken from there; constants, and what is added to indices of
    * vertices and instances, are always read anew. */
   struct core_bind *(*bind)(const struct core_program *program, const struct bind_source *source,
                             const struct core_bind *reuse);

   /* Keeps what numbers of textures and buffers stand for, for an observer that asks.  False: no
    * memory.  NULL: the bind does not tell. */
   bool (*keep)(struct core_bind *bind, const struct bind_source *source);

   /* Of a geometry or copy program: finds what of it reads the ring that lies at `va` for a
    * driver, for core_engine.with_ring.  False: no memory.  NULL: no program reads one. */
   bool (*bind_ring)(struct core_bind *bind, const struct bind_source *source, uint64_t va);

   /* Of a program that writes memory: random access targets, shared memory and the like.  *ordered
    * is set if the order of its writes can be seen, so that its waves have to run one by one.
    * False: no memory.  NULL: no program writes memory. */
   bool (*bind_memory)(const struct bind_share *share, struct core_bind *bind,
                       const struct bind_source *source, bool *ordered);

   /* Whether an instruction or constant of the stage may read memory in `range`. */
   bool (*reads)(const struct core_program *program, const struct bind_source *source,
                 struct target_range range);

   /* Whether a constant may.  NULL: `reads` is asked. */
   bool (*reads_constants)(const struct core_program *program, const struct bind_source *source,
                           struct target_range range);

   /* Whether a bind of the program, made with the same tables, has the constants that there are
    * now.  NULL: nobody knows.  Where it is not, reads_constants is not either. */
   bool (*has_constants)(const struct core_bind *bind, const struct bind_source *source);
};

/** That of enum atoll_isa; NULL: there is none. */
const struct binder *binder_of(unsigned isa);

#define BINDER_WAVE_CYCLES (UINT64_C(1) << 26) /* a wave that runs longer is taken to be endless */

/* ---- What instruction sets share (binder.c) ---- */

/** The stage's program and what describes its vertices, as a cache takes them, but for `stage`;
 *  false with *why: no program is in mapped memory. */
bool binder_words(struct core_source *out, const struct bind_source *source, const char **why);

/** The program of these words, from the cache; NULL with *why: it cannot be lifted. */
const struct core_program *binder_cached(struct core_cache *cache, const struct core_source *words,
                                         const char **why);

/** Where the program has its entry values: what is returned, which may be *room, NULL only where
 *  the stage is no pixel or compute program. */
const struct core_entry *binder_entry(const struct core_program *program,
                                      const struct bind_source *source, struct core_entry *room);

/** Constant buffer n, mapped or not; from SOURCE_BUFFERS on what view n describes.  No more than
 *  64 KB of it. */
struct source_buffer binder_constants(const struct bind_source *source, unsigned n);

/** Whether one of the constant buffers of a mask reaches into `range`. */
bool binder_constants_read(const struct bind_source *source, uint32_t buffers,
                           struct target_range range);

/** Whether view n does; any view that an instruction can choose as it runs. */
bool binder_view_reads(const struct bind_source *source, uint32_t n, struct target_range range);
bool binder_any_view_reads(const struct bind_source *source, struct target_range range);

/** The random access targets of the mask, from the pool; NULL: no memory. */
struct rat *binder_rats(const struct bind_source *source, uint64_t mask);

#endif
