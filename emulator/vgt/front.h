/* SPDX-License-Identifier: MIT */
/*
 * Working storage and shared steps of the front end: what VGT hands to PA within one batch.
 */
#ifndef ATOLL_FRONT_H
#define ATOLL_FRONT_H

#include "kernel.h"
#include "port/draw.h"
#include "port/primitive.h"
#include "port/worker.h"
#include "core/core.h"
#include "port/limits.h"

#define BATCH_PRIMS 256
#define COST_PRIM   64u /* of a primitive in a submission's budget, cycles */
#define BATCH_VERTS (3 * BATCH_PRIMS)
#define FRONT_HASH  2048 /* vertex reuse table, a power of two above BATCH_VERTS */

/* Clip codes of a vertex.  All vertices sharing a bit of PA_REJECT: nothing is left.  Some vertex
 * with a bit of PA_CLIP: the primitive must be cut. */
enum pa_code {
   PA_LEFT = 1u << 0,
   PA_RIGHT = 1u << 1,
   PA_BOTTOM = 1u << 2,
   PA_TOP = 1u << 3,
   PA_NEAR = 1u << 4,
   PA_FAR = 1u << 5,
   PA_W = 1u << 6,      /* w <= 0 */
   PA_NAN = 1u << 7,    /* a position that is no number */
   PA_UCP = 1u << 8,    /* 6 bits: user clip planes */
   PA_DIST = 1u << 14,  /* 8 bits: clip distances */
   PA_CULL = 1u << 22,  /* 8 bits: cull distances */
   PA_GUARD = 1u << 30, /* beyond what setup can hold */

   PA_ALL_UCP = 0x3fu << 8,
   PA_ALL_DIST = 0xffu << 14,
   PA_ALL_CULL = 0xffu << 22,
   PA_REJECT = 0x7fu | PA_ALL_UCP | PA_ALL_DIST | PA_ALL_CULL,
   PA_CLIP = PA_NEAR | PA_FAR | PA_W | PA_ALL_UCP | PA_ALL_DIST | PA_GUARD,
};

/* A vertex after its shader and the viewport. */
struct pa_vertex {
   float clip[4];
   float z, rw;    /* window depth, 1/w */
   int32_t fx, fy; /* window position, 24.8 */
   uint32_t code;  /* enum pa_code */
   uint32_t param; /* its index in batch->params */
   float point_size;
   uint16_t layer;
   uint8_t viewport;
   bool edge;
   /* Weights of the uncut primitive's vertices 1 and 2 at this one, with and without perspective;
    * set where setup gets the uncut primitive's parameters. */
   float persp[2], linear[2];
};
_Static_assert(sizeof(struct pa_vertex) == 64, "a vertex is a line of a cache");
#define PA_NO_PARAM UINT32_MAX

struct front {
   struct draw_state *draw;
   struct batch *batch;
   struct worker *worker;
   uint32_t prim_capacity;
   bool out_of_memory;

   /* Vertices of the batch. */
   uint32_t num_verts;
   /* Their entry values: what the stage has them as (front.c, stage_values). */
   uint32_t index[BATCH_VERTS + WAVE_LANES] __attribute__((aligned(64)));
   uint32_t instance[BATCH_VERTS + WAVE_LANES] __attribute__((aligned(64)));
   uint32_t prim_id[BATCH_VERTS + WAVE_LANES] __attribute__((aligned(64)));
   uint32_t second[BATCH_VERTS + WAVE_LANES] __attribute__((aligned(64)));
   uint32_t lds_base[BATCH_VERTS + WAVE_LANES]; /* of the lane's patch, in a group's LDS */
   uint32_t codes;                              /* all that some vertex may have */
   struct pa_vertex vertex[BATCH_VERTS + WAVE_LANES] __attribute__((aligned(64)));
   float dist[BATCH_VERTS + WAVE_LANES][PA_CLIP_DISTS];

   /* Vertices drawn so far, and those that batch->params has room for. */
   uint32_t param_base, param_capacity;
   /* Streamout of these vertices: vertex n goes to slot stream_slot + n of the buffers if n is
    * less than stream_verts. */
   uint64_t stream_slot, stream_verts;

   /* Primitives: vertex numbers in drawing order. */
   uint32_t num_prims;
   uint16_t prim[BATCH_PRIMS][3];
   uint8_t provoking[BATCH_PRIMS], edges[BATCH_PRIMS];
   bool first_of_strip[BATCH_PRIMS]; /* line stipple restarts */
   uint32_t prim_number[BATCH_PRIMS];

   /* Where segments have binds of their own: vertices from `first` on, up to the next run's. */
   uint32_t num_runs;
   struct front_run {
      uint32_t first;
      const struct core_bind *bind;
   } runs[BATCH_PRIMS];

   /* Vertex reuse: open addressing, entries valid when their stamp is the batch's. */
   uint32_t stamp;
   uint32_t hash_stamp[FRONT_HASH];
   uint16_t hash_vertex[FRONT_HASH];

   uint32_t num_waves; /* launched in this batch */
   struct core_wave wave;
};

/* How a wave of vertices is launched. */
struct front_stage {
   const struct core_bind *bind;
   enum core_stage stage;
   struct core_rings *rings; /* NULL but for ES */
   struct core_group *group; /* NULL but for LS and DS: LDS, at front->lds_base for each lane */
   bool stream;              /* the stage may write streamout buffers */
};

/* PA: clip codes and window positions of one wave's vertices. */
void K(pa_transform)(struct front *front, uint32_t base, unsigned lanes);

/* Runs one wave over vertices base .. base + lanes. */
void K(front_wave)(struct front *front, const struct front_stage *stage, uint32_t base,
                   unsigned lanes);

/* Runs one wave; its entry values, rings and stream slots are set. */
void K(front_launch)(struct front *front, const struct core_bind *bind, enum core_stage stage,
                     unsigned lanes);

/* Runs the last stage before PA over all vertices of the list; then, if `draw`, PA over its
 * primitives. */
void K(front_vertices)(struct front *front, const struct front_stage *stage, bool draw);

/* Where a list of vertices and primitives goes once it is full: streamout and PA. */
struct front_output {
   struct front *f;
   struct core_bind *bind; /* the worker's own copy of the draw's VS */
   struct front_stage stage;
   unsigned stream;
   bool draw, capture;
};

/* Runs and empties the list. */
void K(front_flush)(const struct front_output *o);

/* The front end of a batch of a draw with a geometry shader. */
void K(front_geometry)(struct front *front);

/* The same with tessellation, before a geometry shader or without one. */
void K(front_tess)(struct front *front);

/* Binds the worker's copies of GS and copy shader to the worker's rings.  False: no memory. */
bool K(front_bind_gs)(struct front *front);

/* The same for VS alone: it may have streamout's slots of its own. */
bool K(front_bind_copy)(struct front *front);

/* Runs ES over the list's vertices, GS over the primitives in the worker's geometry store and
 * everything after; the list is empty then.  `es` says how ES is launched. */
void K(front_run_gs)(struct front *front, const struct front_stage *es);

/* PA: clips, culls and sets up front->prim[]. */
void K(pa_batch)(struct front *front);

/* Cuts a triangle or line by the volume's planes, then sets up what is left. */
void K(pa_clip_triangle)(struct front *front, unsigned prim, const struct pa_vertex *const v[3],
                         unsigned edges);
void K(pa_clip_line)(struct front *front, unsigned prim, const struct pa_vertex *const v[2],
                     unsigned provoking);

/* Setup.  Triangles: v[0] is the provoking vertex, winding as drawn; edges as struct vgt_prim.
 * `params` names the parameters of the primitive this is a part of, the vertices then hold their
 * weights; NULL: the vertices are the primitive's own.  `whole`: the triangle that it is a part of:
 * it has its facing and planes; NULL: its own. */
void K(pa_setup_triangle)(struct front *front, unsigned prim, const struct pa_vertex *const v[3],
                          unsigned edges, const uint32_t params[3],
                          const struct pa_vertex *const whole[3]);
void K(pa_setup_line)(struct front *front, unsigned prim, const struct pa_vertex *from,
                      const struct pa_vertex *to, const struct pa_vertex *provoking,
                      const uint32_t params[3], int facing);
void K(pa_setup_point)(struct front *front, unsigned prim, const struct pa_vertex *v,
                       uint32_t provoking, int facing);
void K(pa_setup_rect)(struct front *front, unsigned prim, const struct pa_vertex *const v[3]);

/* Window coordinates of a clip-space position. */
void K(pa_to_window)(const struct pa_state *pa, struct pa_vertex *v);

/* Counting sort of the batch's primitives into tiles. */
void K(pa_bin)(struct front *front);

#endif
