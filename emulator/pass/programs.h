/* SPDX-License-Identifier: MIT */
/*
 * The programs of a draw, as a chip hands them over.
 */
#ifndef ATOLL_PROGRAMS_H
#define ATOLL_PROGRAMS_H

#include "bind/binder.h"

/* Of stages that the draw does not have, all is NULL. */
struct stages {
   const struct bind_source *source[STAGES];
   const struct core_program *program[STAGES];
   uint32_t scratch_bytes[STAGES]; /* of a lane; the program may name less */
   uint64_t ring_va[STAGES];       /* of GS, and of VS after it: the ring that is read */
};

#endif
