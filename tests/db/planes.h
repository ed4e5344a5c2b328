/* SPDX-License-Identifier: MIT */
/*
 * Planes of depth and stencil in plain memory and a block of pixels on them: the block alone, with
 * state as a chip would fill it in, and no chip.
 */
#ifndef ATOLL_TEST_DB_PLANES_H
#define ATOLL_TEST_DB_PLANES_H

#include <stdlib.h>
#include <string.h>

#include "db/db.h"
#include "port/quads.h"
#include "port/state.h"
#include "sc/sc.h"

#define PLANE_SIDE 8 /* pixels: a block */
#define LANES      64

db_block_fn *db_choose_sse2(const struct tile *t);
db_block_fn *db_choose_avx2(const struct tile *t);
db_block_fn *db_choose_avx512(const struct tile *t);
uint64_t db_lanes_sse2(struct tile *t, uint64_t cover, unsigned sample);
uint64_t db_lanes_avx2(struct tile *t, uint64_t cover, unsigned sample);
uint64_t db_lanes_avx512(struct tile *t, uint64_t cover, unsigned sample);

static const struct build {
   const char *name;
   db_block_fn *(*choose)(const struct tile *t);
   uint64_t (*lanes)(struct tile *t, uint64_t cover, unsigned sample);
} builds[] = {
   { "sse2", db_choose_sse2, db_lanes_sse2 },
   { "avx2", db_choose_avx2, db_lanes_avx2 },
   { "avx512", db_choose_avx512, db_lanes_avx512 },
};
#define BUILDS 3

static inline bool
can_run(unsigned build)
{
   __builtin_cpu_init();
   if (build == 1)
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
   if (build == 2)
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
   return true;
}

struct planes {
   struct draw_state draw;
   struct db_state db;
   struct sc_state sc;
   struct worker worker;
   struct sc_prim front, back;
   struct core_outputs *outputs;
   struct tile *tile;
   uint8_t z[PLANE_SIDE * PLANE_SIDE * 4] __attribute__((aligned(64)));
   uint8_t s[PLANE_SIDE * PLANE_SIDE] __attribute__((aligned(64)));
};

static inline void
planes_begin(struct planes *p, unsigned format, bool stencil)
{
   struct core_outputs *outputs = p->outputs;
   struct tile *tile = p->tile;
   const unsigned bytes = db_depth_bytes(format);

   memset(p, 0, sizeof(*p));
   p->outputs = outputs ? outputs : aligned_alloc(64, (sizeof(*outputs) + 63) & ~(size_t)63);
   p->tile = tile ? tile : aligned_alloc(64, (sizeof(*tile) + 63) & ~(size_t)63);
   memset(p->outputs, 0, sizeof(*outputs));
   memset(p->tile, 0, sizeof(*tile));
   p->db.z_format = (uint8_t)format;
   p->db.z = (struct target){ .host = format ? p->z : NULL,
                              .slice_bytes = PLANE_SIDE * PLANE_SIDE * bytes,
                              .row_bytes = PLANE_SIDE * bytes,
                              .width = PLANE_SIDE,
                              .height = PLANE_SIDE,
                              .num_layers = 1,
                              .cpp = (uint8_t)bytes };
   p->db.s = p->db.z;
   p->db.s.host = stencil ? p->s : NULL;
   p->db.s.slice_bytes = PLANE_SIDE * PLANE_SIDE;
   p->db.s.row_bytes = PLANE_SIDE;
   p->db.s.cpp = 1;
   p->front.front_facing = true;
   p->worker.outputs = p->outputs;
   p->draw.db = &p->db;
   p->draw.sc = &p->sc;
   p->tile->worker = &p->worker;
   p->tile->draw = &p->draw;
   p->tile->num_samples = p->tile->num_covered = 1;
}

/* The wave of the block's quads; odd ones face back. */
static inline void
planes_wave(struct planes *p)
{
   struct pixel_wave *w = &p->tile->whole;

   for (unsigned q = 0; q < WAVE_QUADS; q++) {
      w->x[q] = (int32_t)(q % 4 * 2);
      w->y[q] = (int32_t)(q / 4 * 2);
      w->prim[q] = q & 1 ? &p->back : &p->front;
   }
   w->num_quads = WAVE_QUADS;
   p->tile->wave = w;
}

/* Lanes of a wave are in quads: the pixel of one, counted row by row. */
static inline unsigned
pixel_of(unsigned lane)
{
   const unsigned quad = lane / 4;

   return (quad / 4 * 2 + (lane >> 1 & 1)) * PLANE_SIDE + quad % 4 * 2 + (lane & 1);
}

static inline void
planes_free(struct planes *p)
{
   free(p->outputs);
   free(p->tile);
}

static inline bool
holds(unsigned test, double a, double b)
{
   const bool less = a<b, greater = a> b, equal = a == b;

   switch (test) {
   case TEST_NEVER:
      return false;
   case TEST_LESS:
      return less;
   case TEST_EQUAL:
      return equal;
   case TEST_LESS_EQUAL:
      return less || equal;
   case TEST_GREATER:
      return greater;
   case TEST_NOT_EQUAL:
      return !equal;
   case TEST_GREATER_EQUAL:
      return greater || equal;
   default:
      return true;
   }
}

static inline uint32_t
pick(uint32_t *seed, uint32_t below)
{
   *seed = *seed * 1664525u + 1013904223u;
   return (uint32_t)((uint64_t)(*seed >> 4) * below >> 28);
}

static inline uint64_t
pick_lanes(uint32_t *seed)
{
   return (uint64_t)pick(seed, 1u << 16) << 48 | (uint64_t)pick(seed, 1u << 24) << 24 |
          pick(seed, 1u << 24);
}

#endif
