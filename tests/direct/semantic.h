/* SPDX-License-Identifier: MIT */
/*
 * One wave of IL executed directly, on inputs that a test sets: for results worked out by hand.
 *
 *    semantic_begin(&s, text);     the program, of any stage
 *    s.file[row][channel][lane]    entry registers, as direct/direct.h says
 *    semantic_run(&s);
 *    semantic_output(&s, n)        and memory
 *    semantic_end(&s);
 */
#ifndef DIRECT_SEMANTIC_H
#define DIRECT_SEMANTIC_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "direct/direct.h"
#include "il/conventions.h"
#include "il/il.h"
#include "kernel.h"
#include "port/rat.h"
#include "core/rings.h"
#include "core/share.h"
#include "isa/cayman/cayman.h"
#include "sq/sq.h"

#define SEMANTIC_ROWS   4096
#define SEMANTIC_DWORDS 256 /* of a UAV or read-only buffer */
#define SEMANTIC_UAVS   3   /* 0 and 1: of dwords; 2: of elements of four dwords */

struct semantic {
   const struct kernels *kernels;
   struct direct_program direct;
   struct core_wave wave;
   struct sq_bind bind;
   struct core_group group;
   wave_lane (*file)[4];
   uint32_t output_row;

   /* What the program reads and writes; it stays from run to run. */
   uint32_t constant[16][4 * 64];
   uint32_t buffer[SEMANTIC_DWORDS + 4]; /* every resource: dwords, or formatted fours */
   uint32_t uav[SEMANTIC_UAVS][SEMANTIC_DWORDS], returns[SEMANTIC_UAVS][WAVE_LANES];
   uint32_t lds[8192], gds[1024];
   uint32_t append[SQ_APPEND_COUNTERS], ordered_count;
   struct core_gws gws[CORE_GWS];
   wave_lane shared[SQ_SHARED][4];
   struct core_rings rings;

   struct rat rats[RATS];
   uint32_t consts[256];
   struct td_vtx_bind vtx[32];
};

/** A cleared state for many runs; free() frees it. */
struct semantic *semantic_new(void);
/** The bits of a float. */
uint32_t semantic_bits(float f);
/** Lifts a program, or fails the test. */
void semantic_begin(struct semantic *s, const char *text);
/** The same, or false and the reason. */
bool semantic_lift(struct semantic *s, const char *text, char *error, size_t size);
/** Runs all lanes that are active, which are all 64 if the test does not change them; NULL, or how
 *  the wave faulted. */
const char *semantic_try(struct semantic *s);
void semantic_run(struct semantic *s);
void semantic_end(struct semantic *s);
/** semantic_begin(), _run() and _end() of a program that reads nothing from its entry registers but
 *  lane numbers in R1.x (VS: v0.x) and R0.x (CS: the thread). */
void semantic_whole(struct semantic *s, const char *text);
/** The four components of o#. */
const wave_lane *semantic_output(const struct semantic *s, unsigned n);

#endif
