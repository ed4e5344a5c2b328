/* SPDX-License-Identifier: MIT */
/*
 * A wave of Valhall while it runs.  Kernels only.
 */
#ifndef ATOLL_VALHALL_EXEC_H
#define ATOLL_VALHALL_EXEC_H

#include "uop/bound.h"
#include "valhall/program.h"

/* Handlers see the first part. */
struct vh_exec {
   struct exec x;
   const struct vh_program *program;
   struct vh_wave *wave;
};

#endif
