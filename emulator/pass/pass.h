/* SPDX-License-Identifier: MIT */
/*
 * Draws, passes and workers.
 *
 * Draws with the same targets form a pass.  A pass runs in two phases, each on all workers: the
 * front end of every draw in batches of primitives (VS waves, assembly, clipping, setup, binning),
 * then the tiles (scan conversion, early Z, PS waves, export, depth, colour).  A tile belongs to
 * one worker and sees primitives in order, so the picture does not depend on the worker count.
 *
 * gfx_draw() may be deferred: gfx_flush() ends the pass, and only then are memory effects visible.
 */
#ifndef ATOLL_PASS_H
#define ATOLL_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel.h"
#include "port/draw.h"
#include "port/primitive.h"
#include "port/worker.h"

struct bind_source;
struct binder;
struct core_gws;
struct core_observer;
struct core_program;
struct gfx;
struct pool;
struct probe;
struct stages;

struct gfx_options {
   const struct kernels *kernels;
   const struct binder *binder; /* of the instruction set of its shader cores */
   unsigned threads;            /* workers, at least 1; results do not depend on it */
   unsigned reserve; /* of them, those that work beside other programs alone; less than all */
   /* Waves that write memory run in any order: results may depend on `threads` after all. */
   bool relaxed_order;
   const char *times; /* a file for pass/times.h; NULL: none */
   /* Reports a fault or oddity of the command stream; NULL is silent. */
   void (*report)(void *data, const char *message);
   void *report_data;
};

/* NULL on lack of memory. */
struct gfx *gfx_create(const struct gfx_options *options);
void gfx_destroy(struct gfx *gfx);

/* Makes room for a draw.  False: the submission may not go on. */
bool gfx_begin_draw(struct gfx *gfx);

/* What a chip asks for, to hand over a draw: the program that a source of its own names, kept while
 * draws may use it, or NULL with *why; kernels; the storage of what is bound, which lives as long
 * as the draw; a number that none had before. */
const struct core_program *gfx_find(struct gfx *gfx, const struct bind_source *source,
                                    const char **why);
/* The same of each stage of a draw that has a source.  NULL, or what is wrong with one. */
const char *gfx_find_stages(struct gfx *gfx, struct stages *stages);
const struct kernels *gfx_kernels(const struct gfx *gfx);
struct pool *gfx_pool(struct gfx *gfx);
uint64_t gfx_number(struct gfx *gfx);

/* A number of the pass that is gathered: programs found for it are there, and memory is as nothing
 * but another party may have written it since, until the number is another.  Never zero. */
uint64_t gfx_pass(const struct gfx *gfx);

/* After gfx_begin_draw(). */
void gfx_draw(struct gfx *gfx, const struct gfx_draw *draw);

/* A dispatch as a chip hands it over. */
struct gfx_dispatch {
   const struct core_program *program;
   const struct bind_source *source;
   uint32_t block[3], first[3], groups[3]; /* threads of a group, the first group, how many */
   uint32_t lds_bytes;                     /* of a group */
   uint32_t scratch_bytes;                 /* of a thread */
};

/* Ends the pass, and makes room for a dispatch.  False: the submission may not go on. */
bool gfx_begin_dispatch(struct gfx *gfx);

/* After gfx_begin_dispatch().  Runs at once: memory effects are visible when this returns. */
void gfx_dispatch(struct gfx *gfx, const struct gfx_dispatch *dispatch);

/* The global data share and the resources of global wave synchronisation, gws[CORE_GWS], that
 * programs see from here on; NULL: none. */
void gfx_set_share(struct gfx *gfx, uint8_t *gds, uint32_t bytes, struct core_gws *gws);

/* What a submission may cost; 0: no bound.  What would go beyond is dropped and reported, so that
 * no stream of commands keeps the device for ever. */
struct gfx_limits {
   /* Device cycles, fixed costs of primitives, pixels and copies included; of lifting none, since a
    * program may be there already.  What is dropped then does not depend on threads or time: a wave
    * may take what was left when its chunk of the pass began, and chunks begin while some is. */
   uint64_t cycles;
   int64_t host_ns, wall_ns; /* see pass/watchdog.h */
};

/* Counts are as when it was made, so that what is played again leaves the same memory: those that
 * queries and clocks tell, of submissions, and where streamout is.  Between submissions. */
void gfx_restart(struct gfx *gfx);

/* What has been counted, in the order of struct gfx_counters.  Between submissions. */
void gfx_set_counters(struct gfx *gfx, const uint64_t *counters, unsigned count);

/* Follows a pixel through all draws from here on (pass/probe.h); NULL: none. */
void gfx_set_probe(struct gfx *gfx, struct probe *probe);
struct probe *gfx_probe(const struct gfx *gfx);

/* Looks at all waves of draws and dispatches from here on; NULL: nothing does. */
void gfx_set_observer(struct gfx *gfx, const struct core_observer *observer);

/* Nothing more is begun of the submission that runs, and its waves end: whatever it leaves is not
 * looked at.  On the thread that executes it, where there is one. */
void gfx_abandon(struct gfx *gfx);
bool gfx_was_abandoned(const struct gfx *gfx);

/* A submission begins, on the calling thread. */
void gfx_begin(struct gfx *gfx, const struct gfx_limits *limits);

/* It ends; passes are flushed. */
void gfx_end(struct gfx *gfx);

/* Whether the submission may go on: what executes packets asks before each.  `cycles` of it, for
 * work that no draw or dispatch does, count first. */
bool gfx_spend(struct gfx *gfx, uint64_t cycles);

/* Whether gfx_spend() would let it. */
bool gfx_affords(const struct gfx *gfx, uint64_t cycles);

/* Where the last submission was ended for its limits, and for which, or what was dropped of it for
 * lack of memory: a line; NULL: it is complete. */
const char *gfx_was_cut(const struct gfx *gfx);

/* Ends the pass and waits for it. */
void gfx_flush(struct gfx *gfx);

const struct gfx_counters *gfx_counters(const struct gfx *gfx);

/* Dword offset that streamout buffer n has reached (STRMOUT_BUFFER_UPDATE loads and stores it). */
uint32_t gfx_stream_offset(struct gfx *gfx, unsigned buffer);
void gfx_set_stream_offset(struct gfx *gfx, unsigned buffer, uint32_t dwords);

#endif
