/* SPDX-License-Identifier: MIT */
/*
 * Runs the work groups of a compute program on the device's shader core, without the device around
 * it: buffers are host memory.
 */
#ifndef ATOLL_MACHINE_H
#define ATOLL_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/isa.h"

#include "machine_texture.h"

#define MACHINE_BUFFERS   8  /* UAVs: RAT n, and resource 112 + n to read; SRVs: resource 18 + n */
#define MACHINE_CONSTANTS 17 /* constant buffers: kcache bank n below 16, resource n to read */

/* Dwords of zeros that follow a buffer's memory. */
#define MACHINE_PADDING 3

/* Memory that the program sees, `count` dwords and MACHINE_PADDING after them; words NULL: not
 * there. */
struct machine_buffer {
   uint32_t *words;
   uint32_t count;
};

/* Where a program of LLVM's finds memory (llvm_abi.h): both are read by the byte. */
struct machine_llvm {
   struct machine_buffer memory; /* RAT 0, and resource 1 */
   struct machine_buffer text;   /* resource 2 */
};

struct core_bind;
struct core_wave;
struct il_program;

struct machine {
   enum isa_id isa;
   const uint32_t *words; /* the program */
   size_t num_dwords;
   unsigned num_gprs, stack_entries;
   bool chip; /* Valhall: constants and buffers are where docs/valhall-chip.rst says */
   const struct il_program *direct; /* or NULL: IL that runs instead of it, as it is */
   const struct machine_llvm *llvm; /* or NULL: instead of buffers and resources */
   bool demands_resources;          /* no fetch without one; else it reads zeros */
   uint32_t lds_bytes;              /* at most 32768 */
   uint32_t threads[3];             /* of a group, at most 2048 together */
   uint32_t groups[3];
   uint64_t budget; /* cycles that all waves together may run */
   struct machine_buffer buffer[MACHINE_BUFFERS], constant[MACHINE_CONSTANTS];
   /* A texture replaces the read-only buffer of its number, an image the UAV. */
   struct machine_texture texture[MACHINE_TEXTURES], image[MACHINE_IMAGES];
   struct machine_sampler sampler[MACHINE_SAMPLERS];
   uint32_t *image_out[MACHINE_IMAGES]; /* NULL, or room for an image as it is after the run */
   uint64_t cycles;                     /* out: static cost of what ran, groups included */
};

/** Runs all groups, one after the other.  False: the program cannot run or a wave faulted; `error`
 * says why. */
typedef bool machine_run_fn(struct machine *m, char *error, size_t error_size);
machine_run_fn machine_run;

/* Of each instruction set; the file says where a thread finds its inputs. */
#define ISA(NAME, name) machine_run_fn machine_run_##name;
#define STOCK_ISA       ISA
#include <atoll/isas.def>

/* For these: runs all groups in order, on the engine of the bind's program, until a
 * wave faults or the budget is used up, which `error` says.  `ended`, or NULL, is called for each
 * wave that ended well. */
typedef void machine_wave_fn(void *state, const struct core_wave *wave);
bool machine_dispatch(struct machine *m, const struct core_bind *bind, uint32_t num_rows,
                      machine_wave_fn *ended, void *state, char *error, size_t error_size);

#endif /* ATOLL_MACHINE_H */
