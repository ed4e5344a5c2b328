/* SPDX-License-Identifier: MIT */
/*
 * Valhall programs on the shader core: lifted once onto SQ's micro-operations, run 64 lanes wide.
 *
 * A wave is four warps of 16 lanes.  Every lane has a PC; a step runs the lanes whose PC is the
 * least, which reconverges where control meets, since loops close backwards.  Messages finish when
 * they are issued, so waiting on a slot takes no time (the validator finds waits that are missing).
 */
#ifndef ATOLL_VALHALL_H
#define ATOLL_VALHALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/core.h"
#include "kernel.h"

/* Rows of a wave's storage: the 64 registers and what lies behind them. */
#define VH_REGISTERS 64
#define VH_ROWS      112

/* Memory that a program sees.  What is not mapped reads as zero and swallows writes; both give the
 * number of bytes that are mapped. */
struct vh_memory {
   void *context;
   uint64_t (*read)(void *context, uint64_t va, void *data, uint64_t size);
   uint64_t (*write)(void *context, uint64_t va, const void *data, uint64_t size);
};

/* What float arithmetic does with denormals, by the number that a shader's descriptor has for it.
 * They are replaced by zeros of their sign, as operands and as results. */
enum vh_flush {
   VH_FLUSH_NONE,
   VH_FLUSH_FLOATS, /* DX11: floats, and not halves */
   VH_FLUSH_ALL,
};

/* What lifting depends on. */
struct vh_source {
   const uint64_t *words;
   size_t count;
   uint64_t address; /* of the first word, for program_counter */
   unsigned flush;   /* enum vh_flush; others are refused */
   bool interpret;   /* make no machine code */
};

/* Everything that a wave reads besides its registers.  An instruction of a wave takes a cycle for
 * each of its lanes. */
struct vh_bind {
   struct core_bind core; /* first */
   struct vh_memory memory;
   const uint32_t *uniforms; /* FAU words */
   uint32_t num_uniforms;    /* of them; those beyond read as zero */
   uint64_t resources;       /* table of resource tables, 16 bytes each */
   uint32_t num_tables;
   /* Addresses at which a wave finds its lanes' scratch, and its group's LDS; where there is none,
    * what the memory has there. */
   uint64_t thread_storage; /* of lane 0 of the group's wave 0; lanes follow each other */
   uint64_t workgroup_storage;
   uint32_t special_0[16][2]; /* words of the special values of page 0 */
};

/* The executor of a kernel build. */
struct vh_kernels {
   /* Lifts a program and binds it; NULL: no memory. */
   struct core_program *(*lift)(const struct vh_source *source);
   void (*free)(struct core_program *program);
};

extern const struct vh_kernels vh_kernels_sse2, vh_kernels_avx2, vh_kernels_avx512;

/* Those of a build. */
const struct vh_kernels *vh_kernels_of(const struct kernels *kernels);

#endif
