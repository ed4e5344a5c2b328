/* SPDX-License-Identifier: MIT */
/*
 * A wave of 64 pixels and a colour target for it, both in plain memory: the block alone, with state
 * as a chip would fill it in, and no chip.
 */
#ifndef ATOLL_TEST_CB_CANVAS_H
#define ATOLL_TEST_CB_CANVAS_H

#include <stdlib.h>
#include <string.h>

#include "cb/cb.h"
#include "port/format.h"
#include "port/quads.h"
#include "port/state.h"

#define CANVAS_SIDE 8 /* pixels: a block */

void cb_lanes_sse2(struct tile *t, uint64_t lanes, unsigned sample);
void cb_lanes_avx2(struct tile *t, uint64_t lanes, unsigned sample);
void cb_lanes_avx512(struct tile *t, uint64_t lanes, unsigned sample);
void cb_load_sse2(const struct tile *t, unsigned target, unsigned sample, uint64_t lanes,
                  uint32_t *const out[4]);
void cb_load_avx2(const struct tile *t, unsigned target, unsigned sample, uint64_t lanes,
                  uint32_t *const out[4]);
void cb_load_avx512(const struct tile *t, unsigned target, unsigned sample, uint64_t lanes,
                    uint32_t *const out[4]);

static const struct build {
   const char *name;
   void (*lanes)(struct tile *t, uint64_t lanes, unsigned sample);
   void (*load)(const struct tile *t, unsigned target, unsigned sample, uint64_t lanes,
                uint32_t *const out[4]);
} builds[] = {
   { "sse2", cb_lanes_sse2, cb_load_sse2 },
   { "avx2", cb_lanes_avx2, cb_load_avx2 },
   { "avx512", cb_lanes_avx512, cb_load_avx512 },
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

struct canvas {
   struct draw_state draw;
   struct cb_state cb;
   struct worker worker;
   struct sc_prim prim;
   struct core_outputs *outputs;
   struct tile *tile;
   uint8_t pixels[CANVAS_SIDE * CANVAS_SIDE * 16] __attribute__((aligned(64)));
};

/* One target of a format of the list, as what `numeric` says; nothing is blended yet. */
static inline void
canvas_begin(struct canvas *c, unsigned format, unsigned numeric, const uint8_t order[4][4])
{
   struct core_outputs *outputs = c->outputs;
   struct tile *tile = c->tile;

   memset(c, 0, sizeof(*c));
   c->outputs = outputs ? outputs : aligned_alloc(64, (sizeof(*outputs) + 63) & ~(size_t)63);
   c->tile = tile ? tile : aligned_alloc(64, (sizeof(*tile) + 63) & ~(size_t)63);
   memset(c->outputs, 0, sizeof(*outputs));
   memset(c->tile, 0, sizeof(*tile));

   struct cb_target *t = &c->cb.target[0];
   const unsigned bytes = cb_channels(t->channel, format, numeric, order);

   c->cb.mode = CB_COLORS;
   c->cb.logic = 12; /* the source */
   t->numeric = (uint8_t)numeric;
   t->write_mask = 15;
   t->surface = (struct target){ .host = c->pixels,
                                 .slice_bytes = CANVAS_SIDE * CANVAS_SIDE * bytes,
                                 .row_bytes = CANVAS_SIDE * bytes,
                                 .width = CANVAS_SIDE,
                                 .height = CANVAS_SIDE,
                                 .num_layers = 1,
                                 .cpp = (uint8_t)bytes };
   c->outputs->mrt_written = 3;
   c->outputs->component_mask[0] = c->outputs->component_mask[1] = 15;
   c->worker.outputs = c->outputs;
   c->draw.cb = &c->cb;
}

/* Lanes of a wave are in quads; the byte that a lane's pixel begins at. */
static inline size_t
canvas_at(const struct canvas *c, unsigned lane)
{
   const unsigned quad = lane / 4, x = quad % 4 * 2 + (lane & 1),
                  y = quad / 4 * 2 + (lane >> 1 & 1);

   return ((size_t)y * CANVAS_SIDE + x) * c->cb.target[0].surface.cpp;
}

static inline uint32_t
canvas_word(const struct canvas *c, unsigned lane, unsigned dword)
{
   const unsigned cpp = c->cb.target[0].surface.cpp;
   uint32_t word = 0;

   memcpy(&word, c->pixels + canvas_at(c, lane) + dword * 4, cpp < 4 ? cpp : 4);
   return word;
}

/* Where the wave lies: one block of one primitive, or quads of it that came one by one. */
static inline void
canvas_wave(struct canvas *c, bool block)
{
   struct tile *t = c->tile;
   struct pixel_wave *w = &t->whole;

   memset(w, 0, sizeof(*w));
   for (unsigned q = 0; q < WAVE_QUADS; q++) {
      w->x[q] = (int32_t)(q % 4 * 2);
      w->y[q] = (int32_t)(q / 4 * 2);
      w->prim[q] = &c->prim;
   }
   w->num_quads = WAVE_QUADS;
   w->block = block;
   w->one_prim = block;
   t->wave = w;
   t->worker = &c->worker;
   t->draw = &c->draw;
   t->num_samples = t->num_covered = 1;
}

static inline void
canvas_free(struct canvas *c)
{
   free(c->outputs);
   free(c->tile);
}

static inline uint32_t
bits_of(float f)
{
   uint32_t u;

   memcpy(&u, &f, sizeof(u));
   return u;
}

static inline float
float_of(uint32_t u)
{
   float f;

   memcpy(&f, &u, sizeof(f));
   return f;
}

static inline uint32_t
pick(uint32_t *seed, uint32_t below)
{
   *seed = *seed * 1664525u + 1013904223u;
   return (uint32_t)((uint64_t)(*seed >> 4) * below >> 28);
}

#endif
