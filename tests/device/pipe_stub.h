/* SPDX-License-Identifier: MIT */
/*
 * A graphics pipe that draws nothing and remembers what it was asked for: what the front door's
 * and the command processor's tests link instead of the blocks.
 */
#ifndef ATOLL_TEST_PIPE_STUB_H
#define ATOLL_TEST_PIPE_STUB_H

#include "chip/cayman/draw.h"
#include "pass/pass.h"
#include "regs.h"
#include "sq/sq.h"

#define PIPE_STUB_DRAWS 64

struct pipe_stub {
   struct cayman_draw draws[PIPE_STUB_DRAWS];
   uint32_t dirty[PIPE_STUB_DRAWS]; /* what a draw found dirty; it takes it, as the pipe does */
   uint32_t prim_type[PIPE_STUB_DRAWS], index_offset[PIPE_STUB_DRAWS]; /* registers at the draw */
   uint32_t immediate[PIPE_STUB_DRAWS][8];                             /* of DRAW_INDEX_IMMD */
   unsigned num_draws, flushes;
   struct cayman_dispatch dispatches[PIPE_STUB_DRAWS];
   unsigned num_dispatches;
   uint8_t *gds;
   uint32_t gds_bytes;
   struct gfx_counters counters;
   uint32_t stream_offset[4];
   unsigned draw_us; /* what a draw takes */
};

/* The one pipe of the process. */
extern struct pipe_stub pipe_stub;

#endif
