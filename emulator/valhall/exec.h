/* SPDX-License-Identifier: MIT */
/*
 * A wave of Valhall while it runs.  Kernels only.
 */
#ifndef ATOLL_VALHALL_EXEC_H
#define ATOLL_VALHALL_EXEC_H

#include "uop/bound.h"
#include "uop/lane_groups.h"
#include "valhall/program.h"

/* Handlers see the first part. */
struct vh_exec {
   struct exec x;
   const struct vh_program *program;
   const struct vh_bind *bind;
   struct core_wave *wave;
   bool slow;                  /* it has been observed, and goes on an instruction at a time */
   bool stopped;               /* before an instruction, */
   bool again;                 /* which it was asked of */
   struct lane_groups groups;  /* lanes that have not ended, */
   struct lane_groups waiting; /* and those at a barrier */
   /* Derivatives that TEX_GRADIENTs kept: along x, then y. */
   wave_lane gradient[VH_GRADIENTS][2][3];
};

#endif
