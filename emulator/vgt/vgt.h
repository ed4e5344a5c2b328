/* SPDX-License-Identifier: MIT */
/*
 * VGT: vertex grouper.  Turns a draw packet into numbered primitives, and a primitive into the
 * positions of its vertices in the index stream.
 *
 * Primitive n of a draw belongs to instance n / prims_per_instance.  Primitive restart cuts the
 * index stream into segments, found once per draw; without it there is one.  Quads and polygons
 * count as the triangles they are cut into, strips and fans as theirs.
 */
#ifndef ATOLL_VGT_H
#define ATOLL_VGT_H

#include <stdbool.h>
#include <stdint.h>

#include "regs.h"

struct core_watch;
struct gfx_draw;
struct pool;

enum vgt_topology {
   VGT_POINTS,
   VGT_LINES,
   VGT_TRIANGLES,
   VGT_RECTS, /* three vertices; the fourth corner completes the parallelogram */
};

struct vgt_segment {
   uint32_t first;      /* position in the index stream */
   uint32_t count;      /* vertices */
   uint32_t first_prim; /* number of its first primitive within the instance */
};

struct vgt_state {
   uint8_t prim_type;      /* enum cayman_prim_type */
   uint8_t topology;       /* enum vgt_topology */
   uint8_t verts_per_prim; /* of the decomposed primitive that PA sees */
   uint8_t in_verts;       /* of the primitive that the first stage sees */
   uint16_t batch_prims;   /* primitives of a batch */
   uint32_t weight;        /* primitives PA may see for each */
   bool provoking_last;
   bool indexed;
   bool reuse; /* vertices may be shared between primitives */
   bool primitive_id;
   uint8_t index_bytes;
   const uint8_t *indices;  /* host address; NULL: all zero */
   uint64_t indices_mapped; /* indices readable there */
   uint32_t index_offset;   /* VGT_INDX_OFFSET */
   uint32_t index_min, index_max;
   uint32_t restart_index;
   bool restart;
   uint32_t instances;
   uint32_t prims_per_instance;
   uint32_t ia_vertices, ia_prims; /* of an instance, as the application counts them */
   uint32_t num_segments;
   uint64_t segments_read; /* indices that were looked at to find them */
   const struct vgt_segment *segments;
   /* Streamout is on; it has buffers.  Without a geometry shader, primitives (of all instances)
    * below a number are written. */
   bool stream, stream_buffers;
   uint64_t stream_prims;
   bool gs, tess; /* stages between the vertices and the last vertex shader */
};

/* Decodes the draw.  `pool` keeps the segments; `watch` may end the search for them.  Returns NULL,
 * or what cannot be drawn. */
const char *vgt_decode(struct vgt_state *s, const struct gfx_draw *draw, struct pool *pool,
                       const struct core_watch *watch);

/* Primitives that `count` vertices make. */
uint32_t vgt_prims(uint8_t prim_type, uint32_t count);

/* One decomposed primitive: positions relative to its segment, in drawing order (winding kept).
 * provoking: which of the three it is.  edges: bit k: the edge from vertex k to k + 1 is one of
 * the application's, not a cut. */
struct vgt_prim {
   uint32_t pos[3];
   uint8_t provoking;
   uint8_t edges;
};
struct vgt_prim vgt_primitive(uint8_t prim_type, bool provoking_last, uint32_t count, uint32_t n);

#endif
