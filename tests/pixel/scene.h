/* SPDX-License-Identifier: MIT */
/*
 * Scenes for the pixel blocks: primitives made by hand, registers as a driver would write them,
 * and an engine instead of SQ that knows a few programs.
 */
#ifndef ATOLL_TEST_PIXEL_SCENE_H
#define ATOLL_TEST_PIXEL_SCENE_H

#include "pass/drawn.h"
#include "pass/pass.h"
#include "port/primitive.h"
#include "regs.h"
#include "pass/tile.h"

#include <atoll/cayman/enums.h>

enum stub_kind {
   STUB_CONSTANT, /* colour */
   STUB_INPUT,    /* input 0, at the first barycentric pair */
   STUB_KILL,     /* the same; lanes with alpha below 1/2 are dropped */
   STUB_DEPTH,    /* the same; exports depth = |red| */
   STUB_COVERAGE, /* the same; alpha is an eighth for each covered sample */
   STUB_TARGET,   /* the same, mixed with the colour (RGBA8) and the stencil that are there */
   STUB_NOTHING,  /* leaves the exports as they are: for measuring the rest */
};

struct stub_program {
   struct core_program head;
   enum stub_kind kind;
   float color[4];
   unsigned samples; /* STUB_TARGET: that a pixel has */
};

/* Runs them (stub.c). */
extern const struct core_engine stub_engine;

#define SCENE_SIZE    192 /* pixels, square */
#define SCENE_BYTES   0x180000u
#define SCENE_COLOR   0x000000u
#define SCENE_DEPTH   0x0a0000u
#define SCENE_STENCIL 0x140000u
#define SCENE_PRIMS   512
#define SCENE_DRAWS   4

struct scene_draw {
   struct regs regs;
   struct stub_program program;
   struct drawn state;
   struct core_bind bind;
   struct batch batch;
   struct sc_prim prims[SCENE_PRIMS];
   float params[SCENE_PRIMS * 3 * 4];
   uint32_t bin_start[17], bin_prims[SCENE_PRIMS * 16];
};

struct scene {
   uint8_t *memory; /* the address space, from 0 */
   unsigned num_draws;
   struct scene_draw draws[SCENE_DRAWS];
   struct pass pass;
   struct pass_draw pass_draws[SCENE_DRAWS];
   struct worker worker;
};

struct scene *scene_create(void);
void scene_destroy(struct scene *s);

/* Registers of a draw to RGBA8 and 24-bit depth, tests off, as a start. */
void scene_registers(struct regs *r);
void scene_set(struct regs *r, uint32_t addr, uint32_t value);

/* What STUB_TARGET makes of its input and of the sample that is at (x, y). */
void scene_mix(const struct stub_program *p, uint32_t x, uint32_t y, uint32_t sample, float c[4]);

/* Adds a triangle in 1/256 pixels; counter-clockwise ones are turned round.  Returns the
 * primitive, or NULL when it covers nothing or there is no room. */
struct sc_prim *scene_triangle(struct scene_draw *d, const int32_t xy[3][2], const float z[3],
                               const float color[3][4]);
/* Adds a rectangle of whole pixels, x1 and y1 exclusive. */
struct sc_prim *scene_rect(struct scene_draw *d, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                           float z, const float color[4]);

/* Decodes registers and bins primitives; before running. */
void scene_finish(struct scene *s);

enum { SCENE_SSE2, SCENE_AVX2, SCENE_AVX512, SCENE_BUILDS };
bool scene_can_run(unsigned build);
void scene_run(struct scene *s, unsigned build);
/* The same, one pixel at a time, without the device's code. */
void scene_reference(struct scene *s);

uint32_t scene_random(uint32_t *seed);

#endif
