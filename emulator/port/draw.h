/* SPDX-License-Identifier: MIT */
/*
 * A draw, as a chip hands it over and as blocks see it.  Each block knows what is in its own state;
 * the others' it reads where one part of a pixel is theirs.
 */
#ifndef ATOLL_PORT_DRAW_H
#define ATOLL_PORT_DRAW_H

#include <stdbool.h>
#include <stdint.h>

struct cb_state;
struct core_bind;
struct db_state;
struct geometry;
struct pa_state;
struct probe;
struct sc_state;
struct spi_state;
struct stages;
struct sx_state;
struct vgt_state;
struct vm;

/* A draw as a chip hands it over: ready state of every block, and no register.  What it points to
 * lives as long as the call. */
struct gfx_draw {
   const struct vm *vm;
   /* What it shares with the draw before: of one number, draws have the same `vm` and the same
    * states `pa` to `cb`; of one other number, programs find the same in memory but for
    * constants and what is added to indices; of one third number that is not zero, constants lie
    * where they did, too. */
   uint64_t state, tables, constants;

   /* Vertices: `count` indices, or numbers from 0 on. */
   bool indexed;
   unsigned index_bytes; /* 2 or 4 */
   uint64_t index_va;
   uint64_t index_max;        /* indices that may be read from index_va */
   const uint32_t *immediate; /* the indices themselves, or NULL */
   uint32_t count, instances;
   uint32_t base_vertex, start_instance; /* added by vertex fetch according to its type */

   const struct vgt_state *vgt;     /* the chip's part of it */
   const struct geometry *geometry; /* the same; NULL: VS is the only stage before PA */
   const struct pa_state *pa;
   const struct sc_state *sc;
   const struct spi_state *spi; /* the chip's part of it */
   const struct sx_state *sx;
   const struct db_state *db;
   const struct cb_state *cb;
   const struct stages *stages; /* pass/programs.h */
};

/* How a draw's pixels are worked on. */
enum pixel_mode {
   PIXEL_DEPTH_ONLY, /* no program's results are seen */
   PIXEL_FILL,       /* one constant colour replaces what was there */
   PIXEL_PACK,       /* waves */
   PIXEL_COPY,       /* depth or stencil to colour */
   PIXEL_RESOLVE,    /* averages of samples */
};

/* What decides which way a draw's quads take. */
struct quads_key {
   uint16_t mode : 8;       /* enum pixel_mode */
   uint16_t early : 1;      /* DB goes before the program */
   uint16_t count : 1;      /* samples that pass are counted */
   uint16_t simple : 1;     /* one sample, and no pixel is clipped or stippled away */
   uint16_t masked : 1;     /* some sample is never written */
   uint16_t before : 1;     /* the program is told which samples were covered before the tests */
   uint16_t no_color : 1;   /* DB or SX lets none through */
   uint16_t plain : 1;      /* of a wave, colours are all that is left after the program */
   uint16_t overwrites : 1; /* depth and stencil are replaced, never compared */
};

/* All state of one draw, decoded once and immutable afterwards. */
struct draw_state {
   struct vgt_state *vgt;
   struct pa_state *pa;
   struct sc_state *sc;
   struct spi_state *spi;
   struct sx_state *sx;
   struct db_state *db;
   struct cb_state *cb;
   struct quads_key quads;
   struct core_bind *vs, *ps;
   struct geometry *geometry; /* NULL: VS is the only stage before PA */
   const struct vm *vm;
   uint32_t index;                    /* of the draw in its pass */
   uint32_t submission, number;       /* of the draw in its submission: see struct core_identity */
   uint32_t round;                    /* the same, of the primitives that are being drawn */
   bool rasterises;                   /* primitives go on to PA */
   bool writes_memory;                /* by RAT or GDS: alone in its pass */
   bool ordered_front, ordered_tiles; /* in an order that can be seen: on one worker */
   bool reads_targets;                /* PS reads what the draw writes: no wave has a pixel twice */
   float stipple_count; /* line stipple that runs on from batch to batch (batches in order then) */
   struct probe
      *probe; /* follows a pixel of one of its surfaces (pass/probe.h); NULL: nothing does */
};

#endif
