/* SPDX-License-Identifier: MIT */
/*
 * What setup of a single primitive (setup.c) and of vectors of triangles (triangles.c) share
 * (kernels only).
 */
#ifndef ATOLL_PA_SETUP_H
#define ATOLL_PA_SETUP_H

#include <string.h>

#include "pa/pa.h"
#include "vgt/front.h"

/* Room for `count` primitives after those that the batch has; NULL: no memory. */
static inline struct sc_prim *
pa_reserve(struct front *f, uint32_t count)
{
   struct batch *b = f->batch;

   if (b->num_prims + count > f->prim_capacity) {
      const uint32_t capacity = 2 * f->prim_capacity + count;
      struct sc_prim *prims = pool_alloc(&f->worker->pool, capacity * sizeof(*prims));

      if (!prims) {
         f->out_of_memory = true;
         return NULL;
      }
      if (b->num_prims)
         memcpy(prims, b->prims, b->num_prims * sizeof(*prims));
      b->prims = prims;
      f->prim_capacity = capacity;
   }
   return &b->prims[b->num_prims];
}

/* Depth offset of a triangle: units + scale * slope (OpenGL 4.6 section 14.6.5). */
float K(pa_polygon_offset)(const struct pa_state *pa, const struct sc_prim *p, bool back,
                           const struct pa_vertex *const v[3]);

/* Counts the part of a line that is not drawn for its pattern, which goes on after it.  Of a vertex
 * that is not in front of the eye nothing is counted: it is endlessly far away. */
void K(pa_advance_stipple)(struct front *f, const struct pa_vertex *from,
                           const struct pa_vertex *to);

/* Sets up the batch's triangles. */
void K(pa_triangles)(struct front *f);

#endif
