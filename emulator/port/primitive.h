/* SPDX-License-Identifier: MIT */
/*
 * What PA hands to SC: primitives that are ready to be scanned, in batches, with the parameters of
 * their vertices and the tiles that they touch.
 */
#ifndef ATOLL_PORT_PRIMITIVE_H
#define ATOLL_PORT_PRIMITIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "port/worker.h"

struct draw_state;

/* A primitive after setup, ready to be scanned.  A convex polygon of 3 or 4 edges; pixel (x, y)
 * with centre (x + 0.5, y + 0.5) is inside when every a*x + b*y + c >= 0 (the fill rule and the
 * half pixel are in c; a and b in 1/256 pixel).  All planes are p[0] + p[1]*(x - x0) + p[2]*(y -
 * y0) at pixel centres, in this order of operations. */
struct sc_prim {
   int64_t c[4];
   int32_t a[4], b[4];
   int16_t min_x, min_y, max_x, max_y; /* inclusive pixels, within scissor and target */
   uint8_t num_edges;
   bool front_facing;
   bool point, line;  /* for stipple, sprite and smoothing rules */
   uint8_t c_frac[4]; /* c's next 8 bits: exact value at a sample (sx, sy)/16 off the centre is
                         256*(a*x + b*y + c) + c_frac + 16*(a*sx + b*sy) */
   int16_t x0, y0;    /* anchor pixel of the planes */
   bool perspective;  /* false: w is equal at all vertices, i/j planes are the linear ones */
   uint8_t viewport;
   uint16_t layer; /* render target array index */
   uint32_t primitive_id;
   /* Window depth, and polygon offset, which is added to the plane's value: so a depth differs from
    * the same without an offset wherever the offset is a step of its. */
   float z[4];
   uint32_t vertex[3];        /* index into the batch's vertices; [0] is the provoking vertex */
   float pw[3], pi[3], pj[3]; /* perspective: i = pi/pw, j = pj/pw; pw is 1/w */
   union {
      struct {
         float li[3], lj[3]; /* linear barycentrics of vertex 1 and 2 */
      };
      float sprite[6]; /* points: s plane and t plane across the square (planes as above) */
   };
   float stipple[3]; /* lines: pixels along the major axis since the pattern began */
};

_Static_assert(sizeof(struct sc_prim) == 192, "a primitive is three lines of a cache");

/* The vertices' parameters: [vertex][input][4], in the order of the pixel program's inputs,
 * defaults filled in. */
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
   bool unsorted;   /* there are none: each primitive may touch each tile */
   uint64_t pixels; /* sum of the primitives' bounding rectangles */
   struct gfx_counters counters;
};

/* What a pass draws: batches of each draw, in order, and the tiles that the targets have. */
struct pass_draw {
   struct draw_state *state;
   struct batch *batches;
   uint32_t num_batches;
   /* What its batches' tiles lie in: most tiles are of few draws, and look no further. */
   int16_t tile_x0, tile_y0, tile_x1, tile_y1; /* x1 < x0: nothing */
};

struct pass {
   struct pass_draw *draws;
   uint32_t num_draws;
   uint32_t tiles_x, tiles_y;
};

#endif
