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
#include "regs.h"
#include "sq/sq.h"

#include "cb/cb.h"
#include "db/db.h"
#include "pa/pa.h"
#include "pass/pool.h"
#include "sc/sc.h"
#include "spi/spi.h"
#include "sx/sx.h"
#include "vgt/vgt.h"

#define TILE_LOG2 6
#define TILE_SIZE (1 << TILE_LOG2) /* pixels */

struct geometry;
struct geometry_store;
struct gfx;
struct vm;

struct gfx_options {
   const struct kernels *kernels;
   unsigned threads; /* workers, at least 1; results do not depend on it */
   /* Waves that write memory run in any order: results may depend on `threads` after all. */
   bool relaxed_order;
   /* Reports a fault or oddity of the command stream; NULL is silent. */
   void (*report)(void *data, const char *message);
   void *report_data;
};

/* NULL on lack of memory. */
struct gfx *gfx_create(const struct gfx_options *options);
void gfx_destroy(struct gfx *gfx);

/* A draw packet, decoded by CP. */
struct gfx_draw {
   struct regs *regs; /* copied as needed; dirty bits are taken and cleared */
   const struct vm *vm;
   bool indexed;
   unsigned index_bytes; /* 2 or 4 */
   uint64_t index_va;
   uint64_t index_max;        /* indices that may be read from index_va */
   const uint32_t *immediate; /* DRAW_INDEX_IMMD: packet data (count indices), or NULL */
   uint32_t count;            /* indices or vertices */
   uint32_t instances;
};
void gfx_draw(struct gfx *gfx, const struct gfx_draw *draw);

/* A dispatch packet, decoded by CP.  Runs at once: its memory effects are visible when this
 * returns. */
struct gfx_dispatch {
   struct regs *regs; /* append counters are counted there */
   const struct vm *vm;
   uint32_t groups[3];
};
void gfx_dispatch(struct gfx *gfx, const struct gfx_dispatch *dispatch);

/* The global data share and the resources of global wave synchronisation, gws[SQ_GWS], that
 * programs see from here on; NULL: none. */
void gfx_set_share(struct gfx *gfx, uint8_t *gds, uint32_t bytes, struct sq_gws *gws);

/* A submission begins: until the next one, work of at most `budget` device cycles (fixed costs of
 * primitives and pixels included) is done; what would go beyond is dropped and reported, so that no
 * stream of commands keeps the device for ever.  0: no bound. */
void gfx_begin(struct gfx *gfx, uint64_t budget);

/* Ends the pass and waits for it. */
void gfx_flush(struct gfx *gfx);

/* Running totals since creation; of finished passes only (flush first). */
struct gfx_counters {
   uint64_t samples_passed; /* ZPASS: samples that passed depth and stencil */
   uint64_t ia_vertices, ia_primitives, vs_invocations, hs_invocations, ds_invocations,
      gs_invocations, gs_primitives, clip_invocations, clip_primitives, ps_invocations;
   uint64_t stream_needed[4], stream_written[4]; /* primitives, per stream */
   uint64_t cs_invocations;
   uint64_t waves, cycles;
   uint64_t faults;
};
const struct gfx_counters *gfx_counters(const struct gfx *gfx);

/* Dword offset that streamout buffer n has reached (STRMOUT_BUFFER_UPDATE loads and stores it). */
uint32_t gfx_stream_offset(struct gfx *gfx, unsigned buffer);
void gfx_set_stream_offset(struct gfx *gfx, unsigned buffer, uint32_t dwords);

/* ---- Inside the pass: what front end and tiles share. ---- */

/* All state of one draw, decoded once and immutable afterwards. */
struct draw_state {
   struct vgt_state vgt;
   struct pa_state pa;
   struct sc_state sc;
   struct spi_state spi;
   struct sx_state sx;
   struct db_state db;
   struct cb_state cb;
   struct sq_bind vs, ps;
   struct geometry *geometry; /* NULL: VS is the only stage before PA */
   const struct vm *vm;
   uint32_t index;                       /* of the draw in its pass */
   uint32_t base_vertex, start_instance; /* added by vertex fetch according to its type */
   bool writes_memory;                   /* by RAT or GDS: alone in its pass */
   bool ordered_front, ordered_tiles;    /* in an order that can be seen: on one worker */
   float stipple_count; /* line stipple that runs on from batch to batch (batches in order then) */
};

/* A primitive after setup, ready to be scanned.  A convex polygon of 3 or 4 edges; pixel (x, y)
 * with centre (x + 0.5, y + 0.5) is inside when every a*x + b*y + c >= 0 (the fill rule and the
 * half pixel are in c; a and b in 1/256 pixel).  All planes are p[0] + p[1]*(x - x0) + p[2]*(y -
 * y0) at pixel centres, in this order of operations. */
struct sc_prim {
   int64_t c[4];
   int32_t a[4], b[4];
   uint8_t c_frac[4]; /* c's next 8 bits: exact value at a sample (sx, sy)/16 off the centre is
                         256*(a*x + b*y + c) + c_frac + 16*(a*sx + b*sy) */
   int16_t min_x, min_y, max_x, max_y; /* inclusive pixels, within scissor and target */
   uint8_t num_edges;
   bool front_facing;
   bool point, line; /* for stipple, sprite and smoothing rules */
   bool perspective; /* false: w is equal at all vertices, i/j planes are the linear ones */
   uint16_t layer;   /* render target array index */
   uint8_t viewport;
   int32_t x0, y0;            /* anchor pixel of the planes */
   float z[3];                /* window depth, polygon offset included */
   float li[3], lj[3];        /* linear barycentrics of vertex 1 and 2 */
   float pi[3], pj[3], pw[3]; /* perspective: i = pi/pw, j = pj/pw; pw is 1/w */
   uint32_t vertex[3];        /* index into the batch's vertices; [0] is the provoking vertex */
   float sprite[6];           /* points: s plane and t plane across the square (planes as above) */
   uint32_t primitive_id;
};

/* The vertices' parameters: [vertex][input][4], in the order of the PS inputs
 * (SPI_PS_INPUT_CNTL_n -> semantic -> VS export), defaults filled in. */
struct batch {
   uint64_t first; /* primitive of the draw, all instances counted */
   uint32_t count;
   uint32_t num_prims;
   struct sc_prim *prims;
   float *params; /* num_vertices * num_inputs * 4 */
   uint32_t num_vertices;
   uint32_t num_inputs;
   /* Bins: tiles [tile_x0, tile_x1] x [tile_y0, tile_y1]; the primitives of tile n (row-major in
    * that rectangle) are bin_prims[bin_start[n] .. bin_start[n + 1]), ascending. */
   int16_t tile_x0, tile_y0, tile_x1, tile_y1; /* x1 < x0: nothing */
   uint32_t *bin_start;
   uint32_t *bin_prims;
   uint64_t pixels; /* sum of the primitives' bounding rectangles */
   struct gfx_counters counters;
};

struct pass_draw {
   struct draw_state *state;
   struct batch *batches;
   uint32_t num_batches;
};

struct pass {
   struct pass_draw *draws;
   uint32_t num_draws;
   uint32_t tiles_x, tiles_y;
};

/* A worker's private storage.  No two share a cache line, nor the pair of lines fetched at once. */
struct worker {
   unsigned index;
   wave_lane (*gpr)[4]; /* [WAVE_GPRS][4] */
   struct sq_exports *exports;
   uint8_t *scratch;              /* MEM_SCRATCH of draws; NULL before the first that needs it */
   uint32_t scratch_capacity;     /* per lane, bytes */
   void *tile;                    /* storage of tile_run(), tile_storage_size() bytes, 64-aligned */
   struct front *front;           /* storage of front_run() */
   struct compute_store *compute; /* of groups of waves; NULL before the first */
   struct geometry_store *geometry; /* the same with a geometry shader; NULL before the first */
   struct pool pool;                /* batches; emptied when their tiles are done */
   struct gfx_counters counters;
   struct gfx *gfx;
} __attribute__((aligned(128)));

/* Size of worker->tile; defined beside tile_run() (not a kernel). */
size_t tile_storage_size(void);

/* Records a device fault from any thread; the text is copied. */
void gfx_fault(struct gfx *gfx, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
