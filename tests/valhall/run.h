/* SPDX-License-Identifier: MIT */
/*
 * Runs small Valhall programs on the executor of every build that this CPU runs.
 */
#ifndef TESTS_VALHALL_RUN_H
#define TESTS_VALHALL_RUN_H

#include "common.h"

#include "valhall/valhall.h"

#define MEMORY_BASE UINT64_C(0x100000000)
#define MEMORY_SIZE 65536u

struct machine {
   const struct vh_kernels *kernels;
   struct vh_bind bind;
   struct core_wave wave;
   struct core_outputs outputs;
   struct core_program *program, *interpreted;
   uint32_t uniforms[VALHALL_UNIFORMS];
   uint8_t memory[MEMORY_SIZE];
   wave_lane file[VH_ROWS] __attribute__((aligned(64)));
};

/* The builds that run here; how many. */
unsigned run_builds(const struct vh_kernels *builds[3]);
/* Assembles and lifts; fails the test if the text is wrong, or the program invalid or unsupported.
 */
void run_load(struct machine *m, const struct vh_kernels *kernels, const char *text);
/* Lifts, whatever comes of it. */
void run_lift(struct machine *m, const struct vh_kernels *kernels, const struct vh_source *source);
/* The same with denormals flushed: enum vh_flush. */
void run_load_flush(struct machine *m, const struct vh_kernels *kernels, const char *text,
                    unsigned flush);
/* The same without the rules between instructions. */
void run_load_unchecked(struct machine *m, const struct vh_kernels *kernels, const char *text);
/* Memory, uniforms and a budget for a machine that has its program. */
void run_bind(struct machine *m);
/* Runs all 64 lanes, or some, to the end, interpreted and as machine code, which must do the same;
 * false: a fault. */
bool run_lanes(struct machine *m, uint64_t active);
void run_unload(struct machine *m);

#endif /* TESTS_VALHALL_RUN_H */
