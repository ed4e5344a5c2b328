/* SPDX-License-Identifier: MIT */
/*
 * A wave while it runs, as handlers of micro-operations see it.  An engine (sq/run.c,
 * valhall/run.c, attila/run.c) owns it, as the first member of a struct of its own.
 */
#ifndef ATOLL_UOP_EXEC_H
#define ATOLL_UOP_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "core/gws.h"
#include "lanes.h"

struct program;
struct core_observer;
struct core_wave;
struct sq_bind;

#define EXEC_PASSES 4u
#define EXEC_LEAVES 9u
#define EXEC_FRAMES 4u /* nested branches of a region */

struct exec {
   uint8_t *file;       /* the register file */
   uint32_t *uni;       /* the table of uniform values */
   uint64_t lanes;      /* execution mask: `active`, narrowed by VPM or widened by WQM */
   uint64_t launch;     /* lanes that were ever there */
   uint64_t pred;       /* predicate of this clause */
   uint64_t pred_next;  /* the same from the next group on */
   bool masked;         /* lanes is not launch */
   bool dx10_clamp;     /* a NaN is clamped to 0, not to itself */
   bool kills;          /* a kill makes lanes uncovered: a pixel shader */
   uint32_t num_gprs;   /* that indexed registers may name */
   const uint8_t *code; /* the program's native code */

   uint64_t active, branch, cont, brk; /* states of lanes */
   uint64_t valid;                     /* covered, and not killed */
   uint64_t fail;                      /* lanes failing an UPDATE_EXEC_MASK of this clause */
   uint8_t fail_op;
   bool fail_pending;
   uint64_t pass[EXEC_PASSES]; /* lanes in which predicates of a run of native code hold */

   /* Of regions; see uop_run_region().  saved_lanes is for their code alone (native_flow.c). */
   uint64_t loop_limit, loop_leaves[EXEC_LEAVES];
   uint8_t saved_lanes[3 + 2 * EXEC_FRAMES][64] __attribute__((aligned(64)));

   int32_t loop_index; /* aL */
   int32_t cf_idx[2];
   uint32_t clause_global;
   unsigned fp_single, fp_double, fp_now; /* MXCSR */
   const struct core_observer *watcher;   /* is told of accesses to memory; mostly NULL */
   wave_lane ar;
   const struct spi_coef (*coef[WAVE_QUADS])[4]; /* of every quad, also of those without lanes */
   uint32_t same_coef; /* bit per vector: its quads are of one primitive */
   bool one_primitive; /* all quads are */

   const struct program *program; /* Cayman's and IL's alone, */
   const struct sq_bind *bind;    /* as this is */
   struct core_wave *wave;

   /* LDS, and its output queue: entries of A and B. */
   uint8_t *lds;
   uint32_t lds_bytes;
   uint32_t oq_head, oq_count;
   wave_lane (*oq)[2];
   bool waits; /* at a GROUP_BARRIER */

   struct core_gws_wait gws; /* at a barrier of global wave synchronisation */
};

#endif
