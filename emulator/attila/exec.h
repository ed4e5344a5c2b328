/* SPDX-License-Identifier: MIT */
/*
 * A wave of ATTILA while it runs.  Kernels only.
 */
#ifndef ATOLL_ATTILA_EXEC_H
#define ATOLL_ATTILA_EXEC_H

#include "attila/program.h"
#include "uop/bound.h"
#include "uop/coefficients.h"
#include "uop/lane_groups.h"

/* Handlers see the first part. */
struct at_exec {
   struct exec x;
   const struct at_lifted *program;
   const struct at_bind *bind;
   struct core_wave *wave;
   uint64_t preds[ATTILA_PREDICATES];
   bool slow;                 /* it has been observed, and goes on an instruction at a time */
   bool stopped;              /* before an instruction, */
   bool again;                /* which it was asked of */
   struct lane_groups groups; /* that wait */
};

#endif
