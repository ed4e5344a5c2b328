/* SPDX-License-Identifier: MIT */
/*
 * Programs as passes know them: what a chip says of a draw's, and what passes ask of an instruction
 * set.
 *
 * Where a program lies and what it reads is the chip's to know: a struct bind_source of its own,
 * which nothing here looks into.
 */
#ifndef ATOLL_PROGRAMS_H
#define ATOLL_PROGRAMS_H

#include "core/cache.h"
#include "core/core.h"
#include "memory/target.h"

struct bind_source;
struct core_gws;
struct kernels;

/* What all programs of a submission share besides memory. */
struct bind_share {
   uint8_t *gds; /* global data share; NULL: none */
   uint32_t gds_bytes;
   struct core_gws *gws; /* [CORE_GWS], or NULL */
   bool relaxed_order;   /* ATOLL_ORDER=relaxed: no order of writes is kept */
};

/* What an instruction set does for the pipeline. */
struct binder {
   /* An empty cache of its programs; NULL: no memory. */
   struct core_cache *(*open)(const struct kernels *kernels);

   /* The program that the source names; NULL with *why. */
   const struct core_program *(*find)(struct core_cache *cache, const struct bind_source *source,
                                      const char **why);

   /* What waves of the program read, but for its entry, scratch and streams; from the pool.  NULL:
    * no memory.  With `reuse` (a bind of the same program and tables, in the same address
    * space), descriptors are taken from there; constants are always read anew. */
   struct core_bind *(*bind)(const struct core_program *program, const struct bind_source *source,
                             const struct core_bind *reuse);

   /* Of a geometry or copy program: finds what of it reads the ring that lies at `va` for a
    * driver, for core_engine.with_ring.  False: no memory. */
   bool (*bind_ring)(struct core_bind *bind, const struct bind_source *source, uint64_t va);

   /* Where the program has its entry values: what is returned, which may be *room, NULL only where
    * the stage is no pixel or compute program. */
   const struct core_entry *(*entry)(const struct core_program *program,
                                     const struct bind_source *source, struct core_entry *room);

   /* Of a program that writes memory: random access targets, shared memory and the like.  *ordered
    * is set if the order of its writes can be seen, so that its waves have to run one by one.
    * False: no memory. */
   bool (*bind_memory)(const struct bind_share *share, struct core_bind *bind,
                       const struct bind_source *source, bool *ordered);

   /* Whether an instruction or constant of the stage may read memory in `range`. */
   bool (*reads)(const struct core_program *program, const struct bind_source *source,
                 struct target_range range);
};

/* Stages of the pipeline.  ES and copy shader are those of a draw with a geometry shader. */
enum {
   STAGE_LS,
   STAGE_HS,
   STAGE_ES,
   STAGE_GS,
   STAGE_VS,
   STAGE_PS,
   STAGES,
};

/* The programs of a draw; of stages that it does not have, all is NULL. */
struct stages {
   const struct bind_source *source[STAGES];
   const struct core_program *program[STAGES];
   uint32_t scratch_bytes[STAGES]; /* of a lane; the program may name less */
   uint64_t ring_va[STAGES];       /* of GS, and of VS after it: the ring that is read */
};

#endif
