/* SPDX-License-Identifier: MIT */
/*
 * The stages between VGT's vertices and the last vertex stage: LS -> LDS -> HS -> LDS and factors
 * -> tessellator -> DS, which is VS or ES; ES -> ring -> GS -> ring -> copy shader, which is VS.
 *
 * A work group's LDS lives from its first LS to its last DS.  A group has as many patches as
 * VGT_LS_HS_CONFIG.NUM_PATCHES says, which software sets to 1 as a rule; waves hold lanes of
 * several groups, each lane with its group's part of the worker's storage.
 *
 * The rings of the registers (ESGS, GSVS) only carry data from one stage to the next: software
 * never looks into them.  So each worker has rings of its own, laid out as the item sizes say, and
 * a fetch whose descriptor starts at a ring's address reads the worker's.  Offsets are dwords.
 *
 *   ESGS: vertex n of the batch at n * ESGS_RING_ITEMSIZE.
 *   GSVS: lane n of the batch at n * GSVS_RING_ITEMSIZE; in it, stream s from GSVS_RING_OFFSET_s
 *         on; in that, emitted vertex k at k * GS_VERT_ITEMSIZE_s.
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

struct gfx_draw;

#define GEOMETRY_LANES       64  /* a batch has as many, unless one primitive needs more */
#define GEOMETRY_MAX_LANES   128 /* VGT_GS_INSTANCE_CNT has 7 bits */
#define GEOMETRY_IN_VERTS    6   /* of a triangle with adjacency */
#define GEOMETRY_RING        (UINT32_C(2) << 20) /* dwords a batch should stay below */
#define GEOMETRY_PATCHES     16                  /* of a batch, unless a group has more */
#define GEOMETRY_MAX_PATCHES 256                 /* NUM_PATCHES has 8 bits */
#define GEOMETRY_FACTORS     6                   /* dwords of a patch's factors */

/* Where a draw's captured vertices go. */
struct geometry_streamout {
   uint32_t streams;              /* STREAMOUT_n_EN */
   uint8_t buffers[CORE_STREAMS]; /* mask per stream */
   uint64_t size[CORE_STREAMS];   /* of the buffers, bytes */
   uint64_t offset[CORE_STREAMS]; /* reached so far, bytes: moves on as the draw runs */
   uint32_t stride[CORE_STREAMS]; /* bytes */
};

/* State of a draw, decoded once. */
struct geometry {
   bool has_gs, has_tess;
   struct core_bind *ls, *hs, *es, *gs; /* of the stages that it has */

   /* Patches. */
   uint8_t in_cp, out_cp;
   uint8_t group_patches;
   uint8_t batch_groups;
   uint8_t factor_dwords; /* from a patch's factors to the next's */
   uint32_t lds_bytes;    /* of a group */
   struct tess_config tess;
   float tess_min, tess_max;

   uint8_t gs_verts;  /* of GS's input primitive */
   uint32_t gs_prims; /* that GS takes at a time */
   uint8_t invocations;
   uint32_t max_verts;
   uint8_t out_type; /* enum cayman_prim_type: POINTLIST, LINESTRIP or TRISTRIP */
   uint32_t es_item, gs_item;
   uint32_t stream_first[CORE_STREAMS], stream_item[CORE_STREAMS], vert_item[CORE_STREAMS];
   uint8_t raster_streams; /* mask */

   struct geometry_streamout out; /* not immutable: batches then run in order */
};

/* Decodes the registers; sets the draw's topology in `vgt`, its batch size and its weight.
 * NULL, or why it cannot be drawn. */
const char *geometry_decode(struct geometry *g, struct vgt_state *vgt, const struct regs *r);

/* The vertices of a geometry shader's input primitive n of `count` vertices, relative to its
 * segment, as GS sees them: adjacent vertices included, strips of even and odd primitives in the
 * order in which the hardware hands them over. */
void geometry_primitive(uint8_t prim_type, uint32_t count, uint32_t n,
                        uint32_t pos[GEOMETRY_IN_VERTS]);
unsigned geometry_in_verts(uint8_t prim_type);

/* A worker's storage for patches. */
struct geometry_patches {
   uint8_t *lds; /* batch_groups * lds_bytes */
   uint64_t lds_capacity;
   /* A group's patches follow each other; behind them is room for what they have less than this. */
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
   uint64_t esgs_used, gsvs_used; /* dwords behind these are zero */
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
