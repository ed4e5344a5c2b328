/* SPDX-License-Identifier: MIT */
/*
 * What the programs of dialect/ read, and what they should leave.
 *
 *   cb0[0..7]    floats   0.5 k - 3, k the component's number from the first on
 *   cb0[8..15]   integers 7 k mod 23 - 5
 *   cb0[16..23]  doubles  0.75 j - 2, j the double's number from the first on
 *   resources n  0, 1: 8 x 8, 2: 64, 3: 4 x 4 x 4 texels; component c of texel i: 64 n + i + c / 4
 *   g[e]         e + c / 8
 *   UAVs 1, 2    5 i, 0
 *
 * A pixel program is a wave of 8 x 8 pixels, a compute program two groups of 64 threads.  A
 * function of the program's name says what comes of it: the texts of dialect/ worked out again.
 */
#ifndef DIRECT_DIALECT_H
#define DIRECT_DIALECT_H

#include "case.h"

#include <string.h>

#define PIXELS  64
#define THREADS 128

struct world {
   uint32_t uav[NUM_UAVS][UAV_DWORDS]; /* UAV 0 is g[] where the program declares no UAV */
   uint32_t o[4][4][PIXELS];
   uint8_t written[4]; /* components of each output */
   uint64_t ended;     /* pixels */
};

typedef void world_fn(struct world *w);
/** What the program of a name should do; NULL: there is none. */
world_fn *dialect_pixel(const char *name);
world_fn *dialect_compute(const char *name);

/* --- what is read --- */
static inline uint32_t
bits_of(float f)
{
   uint32_t v;
   memcpy(&v, &f, 4);
   return v;
}

static inline float
float_of(uint32_t v)
{
   float f;
   memcpy(&f, &v, 4);
   return f;
}

static inline float
cb(unsigned i, unsigned c)
{
   return 0.5f * (float)(4 * i + c) - 3.0f;
}

static inline int32_t
cb_int(unsigned i, unsigned c)
{
   return (int32_t)(7 * (4 * i + c) % 23) - 5;
}

/* half 0: xy, 1: zw */
static inline double
cb_double(unsigned i, unsigned half)
{
   return 0.75 * (double)(2 * (i - 16) + half) - 2.0;
}

static inline float
texel(unsigned n, unsigned i, unsigned c)
{
   return (float)(64 * n + i) + 0.25f * (float)c;
}

static inline float
texel2(unsigned n, unsigned x, unsigned y, unsigned c)
{
   return texel(n, 8 * y + x, c);
}

static inline float
g_before(unsigned e, unsigned c)
{
   return (float)e + 0.125f * (float)c;
}

/* A lane's pixel: quads of 2 x 2. */
static inline unsigned
pixel_x(unsigned lane)
{
   return lane / 4 % 4 * 2 + (lane & 1);
}

static inline unsigned
pixel_y(unsigned lane)
{
   return lane / 16 * 2 + (lane >> 1 & 1);
}

/* --- what is written --- */
static inline void
put(struct world *w, unsigned n, unsigned c, unsigned lane, float f)
{
   w->o[n][c][lane] = bits_of(f);
   w->written[n] |= (uint8_t)(1u << c);
}

static inline void
put_int(struct world *w, unsigned n, unsigned c, unsigned lane, uint32_t v)
{
   w->o[n][c][lane] = v;
   w->written[n] |= (uint8_t)(1u << c);
}

static inline void
put_double(struct world *w, unsigned n, unsigned half, unsigned lane, double d)
{
   uint32_t v[2];
   memcpy(v, &d, 8);
   put_int(w, n, 2 * half, lane, v[0]);
   put_int(w, n, 2 * half + 1, lane, v[1]);
}

static inline void
put_g(struct world *w, unsigned e, unsigned c, float f)
{
   w->uav[0][4 * e + c] = bits_of(f);
}

#endif
