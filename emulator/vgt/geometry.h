/* SPDX-License-Identifier: MIT */
/*
 * The stages between VGT's vertices and the last vertex stage: LS -> LDS -> HS -> LDS and factors
 * -> tessellator -> DS, which is VS or ES; ES -> ring -> GS -> ring -> copy shader, which is VS.
 *
 * A work group's LDS lives from its first LS to its last DS.  How many patches a group has is the
 * draw's to say, and software says 1 as a rule; waves hold lanes of
 * several groups, each lane with its group's part of the worker's storage.
 *
 * The rings in memory (ESGS, GSVS) only carry data from one stage to the next: software never
 * looks into them.  So each worker has rings of its own, laid out as the item sizes say, and a
 * fetch by a descriptor that starts at a ring's address reads the worker's.  Offsets are dwords.
 *
 *   ESGS: vertex n of the batch at n * es_item.
 *   GSVS: lane n of the batch at n * gs_item; in it, stream s from stream_first[s] on; in that,
 *         emitted vertex k at k * vert_item[s].
 *
 * A lane is an invocation of the geometry shader for one primitive; primitives follow each other,
 * the invocations of one are neighbours.
 */
#ifndef ATOLL_GEOMETRY_H
#define ATOLL_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/core.h"
#include "core/rings.h"
#include "vgt/tessellator.h"
#include "vgt/vgt.h"

#define GEOMETRY_LANES       64  /* a batch has as many, unless one primitive needs more */
#define GEOMETRY_MAX_LANES   128 /* invocations are fewer */
#define GEOMETRY_IN_VERTS    6   /* of a triangle with adjacency */
#define GEOMETRY_RING        (UINT32_C(2) << 20) /* dwords a batch should stay below */
#define GEOMETRY_PATCHES     16                  /* of a batch, unless a group has more */
#define GEOMETRY_MAX_PATCHES 256                 /* of a group are fewer */
#define GEOMETRY_FACTORS     6                   /* dwords of a patch's factors */
#define GEOMETRY_ITEM        0x7fffu             /* dwords of a ring's item */

_Static_assert(CORE_STREAMS == VGT_STREAMS, "GS emits to the streams that streamout has");

/* The stages between VGT and the last vertex shader. */
struct geometry {
   /* A chip's. */
   bool has_gs, has_tess;
   uint8_t out_cp;        /* control points that HS makes of a patch */
   uint8_t group_patches; /* 0 counts as 1 */
   uint32_t lds_bytes;    /* of a group */
   struct tess_config tess;
   float tess_min, tess_max;
   uint8_t out_topology; /* of GS: points, line strips or triangle strips */
   uint8_t invocations;  /* 0 counts as 1 */
   uint32_t max_verts;
   uint32_t es_item, gs_item; /* dwords, as those below; at most GEOMETRY_ITEM */
   uint32_t stream_first[CORE_STREAMS], vert_item[CORE_STREAMS];
   uint8_t raster_streams; /* mask */

   /* What geometry_begin() makes of it. */
   struct core_bind *ls, *hs, *es, *gs; /* of the stages that it has */
   uint8_t batch_groups;
   uint8_t factor_dwords; /* from a patch's factors to the next's */
   uint8_t gs_verts;      /* of GS's input primitive */
   uint32_t gs_prims;     /* that GS takes at a time */
   uint32_t stream_item[CORE_STREAMS];

   /* What streamout's buffers hold so far, bytes.  Not immutable: batches then run in order. */
   uint64_t stream_offset[CORE_STREAMS];
};

/* Sizes the batches of a draw.  A chip has filled in its geometry stages; this sets what PA sees of
 * it in `vgt`, its batch size and its weight. */
void geometry_begin(struct geometry *g, struct vgt_state *vgt);

/* The vertices of a geometry shader's input primitive n of `count` vertices, relative to its
 * segment, as GS sees them: adjacent vertices included, strips of even and odd primitives in the
 * order in which the hardware hands them over. */
void geometry_primitive(uint8_t topology, uint32_t count, uint32_t n,
                        uint32_t pos[GEOMETRY_IN_VERTS]);
unsigned geometry_in_verts(uint8_t topology);

/* A worker's storage for patches. */
struct geometry_patches {
   uint8_t *lds; /* batch_groups * lds_bytes */
   uint64_t lds_capacity;
   /* A group's patches follow each other; after them is room for what they have less than this. */
   uint32_t factors[GEOMETRY_MAX_PATCHES][GEOMETRY_FACTORS];
   uint32_t prim_id[GEOMETRY_MAX_PATCHES];
   struct core_group group;
   struct tess_patch patch;
   struct tess_cursor cursor;
   struct tess_batch batch;
};

/* A worker's storage. */
struct geometry_store {
   uint32_t *esgs, *gsvs;
   uint64_t esgs_dwords, gsvs_dwords;
   uint64_t esgs_used, gsvs_used; /* dwords from these on are zero */
   struct core_rings rings;
   struct core_bind *gs, *vs; /* the draw's, reading this worker's rings: of a batch */
   struct geometry_patches *patches;

   /* Primitives that wait for GS: vertices of the front's list. */
   uint32_t num_prims;
   uint16_t prim[GEOMETRY_LANES][GEOMETRY_IN_VERTS];
   uint32_t prim_id[GEOMETRY_LANES];
};

/* Makes the store, or makes it larger, for draws of this kind; false on lack of memory. */
bool geometry_reserve(struct geometry_store **store, const struct geometry *g);
void geometry_free(struct geometry_store *store);

#endif
