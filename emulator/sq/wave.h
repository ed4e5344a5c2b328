/* SPDX-License-Identifier: MIT */
/*
 * A wave in flight: 64 lanes, registers lane-minor (one component = 64 x 32 bit), and where its
 * exports go.  The launcher (VGT for vertices, SPI for pixels) fills the entry registers and
 * masks; sq_run() executes; the launcher then reads the exports.
 */
#ifndef ATOLL_WAVE_H
#define ATOLL_WAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "lanes.h"

/* Rows of a wave's register storage: R0..R127 and the executor's temporaries behind them. */
#define WAVE_GPRS 144

struct vm;
struct sq_bind;
struct sq_group;
struct sq_rings;

/* What a wave exported.  Arrays are valid for lanes of the mask beside them. */
struct sq_exports {
   /* VS: POS 60..63 and PARAM 0..31; bit n of *_written: array was exported. */
   wave_lane pos[4][4];
   wave_lane param[32][4];
   uint32_t pos_written, param_written;
   /* PS: MRT 0..7; Z array: x depth, y stencil, z sample mask (export 61). */
   wave_lane mrt[8][4];
   wave_lane z[4];
   uint32_t mrt_written, z_written;
   /* Per MRT (and Z at index 8), which of the four components were not masked out. */
   uint8_t component_mask[9];
   /* Lanes that were active and valid at the last pixel export. */
   uint64_t lanes;
};

struct sq_wave {
   wave_lane (*gpr)[4]; /* [WAVE_GPRS][4], storage of the worker; never read uninitialised:
                            sq_run() clears what the program may read and nobody wrote */
   uint64_t valid;      /* in: covered lanes; out: those not killed */
   uint64_t active;     /* in: lanes to run (covered lanes and helpers of their quads) */
   const struct sq_bind *bind;
   struct sq_exports *exports;

   /* PS: per quad, [input][component] coefficients of its primitive, inputs numbered as
    * SPI_PS_INPUT_CNTL.  `one_primitive`: all quads share coef[0]. */
   const struct spi_coef (*coef[WAVE_QUADS])[4];
   bool one_primitive;

   /* VS with streamout: lanes that may write, and their vertex slot in the buffers. */
   uint64_t stream_lanes;
   wave_lane stream_vertex;

   /* LDS and the rest of what a work group shares (sq/share.h), or NULL. */
   struct sq_group *group;
   uint32_t wave_in_group;
   /* HW_WAVE_ID, below 256: waves that run at the same time have different ones, so that each has
    * its own place in the buffers that RAT operations return to.  A program that reads it must not
    * see how many threads there are: if it writes memory its waves run on one thread, in order
    * (but with ATOLL_ORDER=relaxed), if not it reads 0. */
   uint32_t hw_wave_id;

   /* ES and GS: rings and emitted vertices (sq/ring.h); NULL in other stages. */
   struct sq_rings *rings;

   /* Entry registers already hold values below this GPR number (set by the launcher). */
   unsigned gprs_loaded;

   /* Scratch (MEM_SCRATCH) storage, private to the worker: scratch_bytes per lane. */
   uint8_t *scratch;
   uint32_t scratch_bytes;

   /* Out. */
   uint64_t cycles; /* static cost of what ran */
   bool stuck;      /* waits for another wave's GLOBAL_WAVE_SYNC */
   uint32_t synced; /* of its own, how many it got past */
   bool faulted;    /* budget exhausted or illegal instruction; `fault` says what */
   const char *fault;
   uint32_t fault_pc; /* CF index */
};

#endif
