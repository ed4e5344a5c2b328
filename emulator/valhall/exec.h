/* SPDX-License-Identifier: MIT */
/*
 * A wave of Valhall while it runs.  Kernels only.
 */
#ifndef ATOLL_VALHALL_EXEC_H
#define ATOLL_VALHALL_EXEC_H

#include "core/lane_flow.h"
#include "uop/bound.h"
#include "valhall/program.h"

/* Handlers see the first part. */
struct vh_exec {
   struct exec x;
   const struct vh_program *program;
   const struct vh_bind *bind;
   struct core_wave *wave;
   struct core_lane_flow flow;
   /* Derivatives that TEX_GRADIENTs kept: along x, then y. */
   wave_lane gradient[VH_GRADIENTS][2][3];
};

#endif
