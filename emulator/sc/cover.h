/* SPDX-License-Identifier: MIT */
/*
 * Coverage of 8x8 blocks: by a primitive's edges, at centres or samples; by clip rectangles and
 * line stipple (kernels only).  Lanes of a block are row-major.
 */
#ifndef ATOLL_SC_COVER_H
#define ATOLL_SC_COVER_H

#include "port/quads.h"
#include "sc/sc.h"

/* Edges that change by far less than 32 bits hold over a block. */
#define SMALL_EDGE (1 << 24)

/* Edges that matter in a part of the tile. */
struct edges {
   unsigned count;
   int64_t c[4];
   int64_t reach_max[4], reach_min[4];   /* of a*dx + b*dy over a block and its samples */
   int64_t sample[4][SC_MAX_SAMPLES][4]; /* edge, sample, pixel of a quad: added to c */
   int32_t a[4], b[4];
};

/* Row-major lanes of the block where no value of the `count` edges that `which` names is negative;
 * e[k] is edge which[k]'s at the block's first pixel.  Functions of their own, not inlined: vector
 * code within the loop over blocks costs each block that no edge crosses a tenth of its time. */
uint64_t K(sc_cover_block)(const struct edges *edges, unsigned count, const unsigned *which,
                           const int64_t *e);
/* The same for every sample, limited to lanes `inside`; `samples` has one for each. */
void K(sc_cover_samples)(const struct tile *t, const struct edges *edges, unsigned count,
                         const unsigned *which, const int64_t *e, uint64_t inside,
                         uint64_t *samples);
/* Of lanes `cover`, those that the clip rectangle rule lets through. */
uint64_t K(sc_clip)(const struct sc_state *sc, int32_t x, int32_t y, uint64_t cover);
/* Of lanes `cover`, those that the line's pattern shows. */
uint64_t K(sc_stipple)(const struct sc_state *sc, const struct sc_prim *prim, int32_t x, int32_t y,
                       uint64_t cover);

#endif
