/* SPDX-License-Identifier: MIT */
/*
 * A worker's private storage, and what it counts.
 */
#ifndef ATOLL_PORT_WORKER_H
#define ATOLL_PORT_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/core.h"
#include "lanes.h"
#include "memory/pool.h"

struct core_workgroup;
struct front;
struct geometry_store;
struct gfx;

/* What is counted, in order: ONE(name) and FOUR(name).  samples_passed is ZPASS, samples that
 * passed depth and stencil; stream_* are primitives, per stream. */
#define GFX_COUNTERS(ONE, FOUR) \
   ONE(samples_passed)          \
   ONE(ia_vertices)             \
   ONE(ia_primitives)           \
   ONE(vs_invocations)          \
   ONE(hs_invocations)          \
   ONE(ds_invocations)          \
   ONE(gs_invocations)          \
   ONE(gs_primitives)           \
   ONE(clip_invocations)        \
   ONE(clip_primitives)         \
   ONE(ps_invocations)          \
   FOUR(stream_needed)          \
   FOUR(stream_written)         \
   ONE(cs_invocations)          \
   ONE(waves)                   \
   ONE(cycles)                  \
   ONE(faults)

/* Running totals since creation; of finished passes only (flush first). */
struct gfx_counters {
#define ONE(name)  uint64_t name;
#define FOUR(name) uint64_t name[4];
   GFX_COUNTERS(ONE, FOUR)
#undef ONE
#undef FOUR
};

/* A worker's private storage.  No two share a cache line, nor the pair of lines fetched at once. */
struct worker {
   unsigned index;
   bool fresh;      /* waves begin without what those before kept */
   wave_lane *rows; /* [CORE_WAVE_ROWS] */
   struct core_outputs *outputs;
   struct core_stores *stores; /* NULL before the first program that has such */
   uint8_t *scratch;           /* MEM_SCRATCH of draws; NULL before the first that needs it */
   uint32_t scratch_capacity;  /* per lane, bytes */
   void *tile;                 /* storage of tile_run(), tile_storage_size() bytes, 64-aligned */
   struct front *front;        /* storage of front_run() */
   struct core_workgroup *workgroup; /* NULL before the first */
   struct geometry_store *geometry;  /* the same with a geometry shader; NULL before the first */
   struct pool pool;                 /* batches; emptied when their tiles are done */
   struct gfx_counters counters;
   uint64_t spent; /* cycles of a budget beside those that waves count */
   struct core_watch watch;
   struct gfx *gfx;
} __attribute__((aligned(128)));

/* Size of worker->tile; defined beside tile_run() (not a kernel). */
size_t tile_storage_size(void);

/* Records a device fault from any thread; the text is copied. */
void gfx_fault(struct gfx *gfx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same of work that ends for what it may cost is used up: the first of a submission says where
 * that was. */
void gfx_cut(struct gfx *gfx, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Records that `what` (a draw, a dispatch) is dropped and why; from any thread.  NO_MEMORY as
 * the reason is told as a cut is: no fault of the stream is to blame. */
void gfx_drop(struct gfx *gfx, const char *what, const char *why);

/* What a launcher gives a wave of a draw to spend. */
static inline void
worker_watch(struct worker *worker, struct core_wave *wave)
{
   wave->watch = &worker->watch;
   wave->budget = worker->watch.cycles;
}

#endif
