/* SPDX-License-Identifier: MIT */
/*
 * ATTILA programs on the shader core: lifted once onto SQ's micro-operations, run 64 lanes wide.
 *
 * A lane is a thread.  The document has threads of one size, registers in banks, predicates and
 * jumps; every lane has a PC (sq/lane_pc.h).  What reads outside the registers is constants and
 * vertex attributes; what leaves a thread is its outputs, its kill and its depth.
 */
#ifndef ATOLL_ATTILA_H
#define ATOLL_ATTILA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel.h"
#include "core/core.h"

/* What lifting depends on. */
struct at_source {
   const uint32_t *words;
   size_t num_dwords;
   bool pixel;     /* a fragment program: kills, depth, differences within a quad */
   bool interpret; /* make no machine code */
};

/* A lifted program, as far as its user sees it. */
struct at_program {
   struct core_program core; /* first */
   uint32_t num_inputs;      /* the highest number that is read, and one */
   uint32_t num_outputs;
   uint32_t output_row; /* of o0; a register is four rows, i0 is row 0 */
   uint32_t num_rows;   /* of a wave's storage */
   uint32_t kept_rows;  /* those behind are temporaries: nothing is said of what they hold */
};

/* An attribute: elements of four dwords. */
struct at_attribute {
   const uint32_t *words;
   uint32_t count; /* of elements; those beyond read as zero */
};

#define AT_ATTRIBUTES 256

/* What the lanes of a wave have in common.  An instruction of a wave takes a cycle for each of its
 * lanes. */
struct at_bind {
   struct core_bind core;     /* first */
   const uint32_t *constants; /* c0 first, four dwords each */
   uint32_t num_constants;    /* those beyond read as zero */
   struct at_attribute attribute[AT_ATTRIBUTES];
};

/* The executor of a kernel build. */
struct at_kernels {
   /* NULL: no memory. */
   struct at_program *(*lift)(const struct at_source *source);
   void (*free)(struct at_program *program);
};

extern const struct at_kernels at_kernels_sse2, at_kernels_avx2, at_kernels_avx512;

/* That of a build. */
const struct at_kernels *at_kernels_of(const struct kernels *kernels);

#endif
