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

#include "port/limits.h"

struct core_bind;
struct core_watch;
struct gfx_draw;
struct pool;

/* What PA sees. */
enum vgt_kind {
   VGT_POINTS,
   VGT_LINES,
   VGT_TRIANGLES,
   VGT_RECTS, /* three vertices; the fourth corner completes the parallelogram */
};

/* Streamout: which streams are on, and the buffers that they go to. */
struct vgt_streams {
   uint8_t on;                                  /* mask of streams */
   uint8_t buffers;                             /* mask of those that some stream goes to */
   uint8_t of_stream[VGT_STREAMS];              /* the same of each */
   uint64_t va[VGT_STREAMS], size[VGT_STREAMS]; /* bytes; of buffers */
   uint32_t stride[VGT_STREAMS];                /* bytes from a vertex to the next */
};

struct vgt_segment {
   uint32_t first;      /* position in the index stream */
   uint32_t count;      /* vertices */
   uint32_t first_prim; /* number of its first primitive within the instance */
   /* Of a draw that continues another: */
   uint32_t offset; /* added to its indices besides vgt_state.index_offset */
   uint32_t before; /* primitives of the draws before, which its own numbers do not count */
   const struct core_bind *vs; /* what its vertices are made with; NULL: what the first one's are */
};

struct vgt_state {
   /* A chip's. */
   uint8_t topology;    /* enum topology */
   uint8_t patch_verts; /* of a patch */
   bool gs, tess;       /* stages between the vertices and the last vertex shader */
   bool provoking_last;
   bool primitive_id;
   bool restart;
   uint32_t restart_index;
   uint32_t index_offset; /* added to an index, then it is clamped */
   uint32_t index_min, index_max;
   struct vgt_streams streams;

   /* What vgt_begin() makes of it. */
   uint8_t kind;           /* enum vgt_kind */
   uint8_t verts_per_prim; /* of the decomposed primitive that PA sees */
   uint8_t in_verts;       /* of the primitive that the first stage sees */
   uint16_t batch_prims;   /* primitives of a batch */
   uint32_t weight;        /* primitives PA may see for each */
   bool indexed;
   bool reuse; /* vertices may be shared between primitives */
   uint8_t index_bytes;
   uint64_t index_va;       /* of indices in memory, else 0 */
   const uint8_t *indices;  /* host address; NULL: all zero */
   uint64_t indices_mapped; /* indices readable there */
   uint32_t instances;
   uint32_t prims_per_instance;
   uint32_t ia_vertices, ia_prims; /* of an instance, as the application counts them */
   uint32_t num_segments, room_segments;
   uint64_t segments_read; /* indices that were looked at to find them */
   const struct vgt_segment *segments;
   bool rebinds; /* some segment has a `vs` */
   /* Without stages in between, primitives (of all instances) below a number go to streamout. */
   uint64_t stream_prims;
};

/* Numbers the primitives of a draw; a chip has filled in its part.  `pool` keeps the segments;
 * `watch` may end the search for them.  Returns NULL, or what cannot be drawn. */
const char *vgt_begin(struct vgt_state *s, const struct gfx_draw *draw, struct pool *pool,
                      const struct core_watch *watch);

/* Whether a draw's vertices may be added to those of the one before, which has the same programs
 * and finds the same in memory, but for what `vs` says. */
bool vgt_may_continue(const struct vgt_state *s, const struct gfx_draw *draw);

/* Adds them: the two are then one draw, of a segment more.  `vs`: what its vertices are made with,
 * from here on; NULL: what the last segment's are.  False: they must stay two, and nothing has
 * changed. */
bool vgt_continue(struct vgt_state *s, const struct gfx_draw *draw, const struct core_bind *vs,
                  struct pool *pool);

/* Sets what PA sees: primitives of a topology. */
void vgt_see(struct vgt_state *s, uint8_t topology);

/* Primitives that `count` vertices make. */
uint32_t vgt_prims(uint8_t topology, uint32_t count);

/* One decomposed primitive: positions relative to its segment, in drawing order (winding kept).
 * provoking: which of the three it is.  edges: bit k: the edge from vertex k to k + 1 is one of
 * the application's, not a cut. */
struct vgt_prim {
   uint32_t pos[3];
   uint8_t provoking;
   uint8_t edges;
};
struct vgt_prim vgt_primitive(uint8_t topology, bool provoking_last, uint32_t count, uint32_t n);

#endif
