/* SPDX-License-Identifier: MIT */
/*
 * What TD's tests share: an address space of one guarded mapping, descriptors made from plain
 * numbers, and the three builds side by side.
 */
#ifndef TEST_TD_HARNESS_H
#define TEST_TD_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "chip/cayman/descriptors/map.h"
#include "chip/cayman/descriptors/texture.h"
#include "kernel.h"
#include "memory/vm.h"
#include "port/state.h"
#include "td/formats.h"
#include "chip/cayman/descriptors/surface.h"
#include "port/fetch.h"
#include "port/tex_op.h"
#include "port/views.h"

#define TEST_VA    UINT64_C(0x100000)
#define TEST_BYTES (UINT64_C(1) << 20)

/* The mapping: TEST_BYTES at TEST_VA, between pages that fault. */
struct vm {
   uint8_t *data;
   uint64_t bytes; /* of it that count as mapped */
};
void test_vm_init(struct vm *space);

/* xorshift, so that a test is the same everywhere. */
uint32_t test_random(uint32_t *state);
float test_random_float(uint32_t *state, float lo, float hi);

struct test_build {
   const char *name;
   struct kernels kernels; /* what binds alone */
   td_tex_fn *general;     /* samples whatever it is */
};
/* The builds that this CPU runs; returns how many. */
unsigned test_builds(struct test_build builds[3]);

/* A texture, a sampler and an instruction in plain numbers. */
struct test_tex {
   unsigned dim, format, num_format, comp, width, height, depth, mode;
   unsigned base_level, last_level, base_array, last_array;
   unsigned sel[4];
   bool degamma;
   unsigned clamp[3], mag, min, mip, z_filter, aniso, compare, reduction;
   unsigned border_type;
   uint32_t border[4];
   float min_lod, max_lod, bias;
   bool truncate, no_cube_wrap, unnormalized;
   unsigned op, inst_mod;
   bool apart;    /* the reference of comparisons is not among the coordinates */
   int offset[3]; /* half texels */
};

/* Good defaults: 2D, RGBA8 unorm, 16 x 16, one level, point sampling, SAMPLE_LZ. */
void test_tex_init(struct test_tex *t);

struct test_words {
   uint32_t resource[8], sampler[3];
   struct cayman_border_color border;
   struct td_lookup lookup;
   struct cayman_view view;
   struct surface surface;
   struct surface_level levels[SURFACE_MAX_LEVELS];
   uint64_t mips; /* byte offset of level 1 in the mapping */
   bool apart;
   bool general; /* samples by the general path */
};
void test_tex_words(const struct test_tex *t, const struct vm *space, struct test_words *w);

/* Runs one instruction over 64 lanes; out is poisoned first. */
struct test_lanes {
   wave_lane src[4], out[4];
   float grad_h[3][64], grad_v[3][64];
   uint32_t offset[3][64];
   wave_lane reference; /* if test_tex.apart */
};
void test_tex_run(const struct test_build *build, const struct test_words *w, struct test_lanes *l,
                  uint64_t lanes);

static inline float
test_float(uint32_t bits)
{
   float f;
   memcpy(&f, &bits, 4);
   return f;
}

static inline uint32_t
test_bits(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return u;
}

#endif
