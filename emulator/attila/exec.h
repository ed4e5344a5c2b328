/* SPDX-License-Identifier: MIT */
/*
 * A wave of ATTILA while it runs.  Kernels only.
 */
#ifndef ATOLL_ATTILA_EXEC_H
#define ATOLL_ATTILA_EXEC_H

#include "attila/program.h"
#include "core/lane_flow.h"
#include "uop/bound.h"
#include "uop/coefficients.h"

/* Handlers see the first part. */
struct at_exec {
   struct exec x;
   const struct at_lifted *program;
   const struct at_bind *bind;
   struct core_wave *wave;
   uint64_t preds[ATTILA_PREDICATES];
   struct core_lane_flow flow;
};

#endif
