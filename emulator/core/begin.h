/* SPDX-License-Identifier: MIT */
/*
 * How a wave begins, for engines.
 */
#ifndef ATOLL_CORE_BEGIN_H
#define ATOLL_CORE_BEGIN_H

#include <string.h>

#include "core/core.h"

/* What a wave says of itself before it runs.  False: its program cannot run. */
static inline bool
core_begin_wave(struct core_wave *wave)
{
   const struct core_program *program = wave->bind->program;

   wave->cycles = 0;
   wave->faulted = program->error != NULL;
   wave->cut = false;
   wave->synced = 0;
   wave->fault = program->error;
   wave->fault_place = program->error ? program->error_place : 0;
   return !program->error;
}

/* It has exported nothing yet. */
static inline void
core_begin_outputs(struct core_outputs *e)
{
   e->pos_written = e->param_written = e->mrt_written = e->z_written = 0;
   memset(e->component_mask, 0, sizeof(e->component_mask));
   e->lanes = 0;
}

#endif
