/* SPDX-License-Identifier: MIT */
/*
 * What draws (gfx.c) and dispatches (compute.c) have in common.
 */
#ifndef ATOLL_PASS_INTERNAL_H
#define ATOLL_PASS_INTERNAL_H

#include <pthread.h>

#include "memory/pool.h"
#include "pass/pass.h"
#include "pass/programs.h"
#include "pass/times.h"
#include "pass/watchdog.h"
#include "pass/workers.h"

#define PASS_DRAWS     1024u
#define PASS_ROWS      256u /* of tiles */
#define PASS_ROW_DRAWS 4096u

#define CACHE_BYTES ((size_t)16 << 20) /* of lifted programs; more than a scene of games has */

struct gfx {
   struct gfx_options options;
   struct times *times; /* NULL: nobody asks */
   struct probe *probe; /* the same */
   const struct core_observer *observer;
   _Atomic bool abandoned; /* gfx_abandon(), from any thread */
   struct workers *workers;
   struct worker *worker; /* [threads] */
   struct core_cache *cache;
   struct gfx_counters counters;
   bool trace_pixels, trace_samplers; /* ATOLL_DEBUG=pixels and td */
   uint32_t stream_offset[4];
   struct bind_share share;
   uint32_t submission, num_dispatched; /* draws and dispatches of the submission */
   struct watchdog *watchdog;
   uint64_t budget;      /* of the submission in cycles, 0 without bound */
   uint64_t spent;       /* of it, apart from the cycles that are counted */
   uint64_t first_cycle; /* counters.cycles when the submission began */
   _Atomic bool exhausted;
   const struct core_program *computes; /* the dispatch's that runs; NULL: none */
   char cut[256];                       /* gfx_was_cut(), or empty */

   /* The pass being gathered. */
   struct pool pool;
   struct pool old_pool; /* of the pass before: `last` may lie there */
   struct draw_state *draws[PASS_DRAWS];
   uint32_t num_draws;
   struct draw_state *last;                          /* the draw before, or NULL */
   uint64_t last_state, last_tables, last_constants; /* its numbers */
   uint64_t passes;                                  /* see gfx_pass() */
   uint32_t last_base_vertex, last_start_instance;
   const struct core_bind *last_vs; /* of its last vertices */
   uint64_t numbers;                /* given out by gfx_number() */

   /* The chunk of the pass that is being run (gfx.c). */
   struct pass pass;
   struct pass_draw chunk_draws[PASS_DRAWS];
   struct batch *batches;
   uint32_t *batch_draw; /* draw of each batch */
   uint32_t num_batches, max_batches;
   uint32_t first_tile_x, first_tile_y, chunk_tiles_x;
   /* The draws of each row of its tiles, where there are many draws of few rows each. */
   bool by_rows;
   struct pass row[PASS_ROWS];
   struct pass_draw row_draws[PASS_ROW_DRAWS];

   pthread_mutex_t fault_lock;
};

/* Whether the submission may go on; reports once that it may not. */
bool gfx_within_budget(struct gfx *g);

/* Whether what was admitted may begin: each wave may take as many cycles as are left now. */
bool gfx_begin_chunk(struct gfx *g);

/* Forgets the programs that were not used for longest if all hold too much; between passes. */
void gfx_trim(struct gfx *g);

/* Adds what the workers counted to the totals. */
void gfx_add_counters(struct gfx *g);

#endif
