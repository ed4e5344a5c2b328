/* SPDX-License-Identifier: MIT */
/*
 * A program while it is made: generate.c makes its operands and statements, programs.c what stands
 * around them.
 */
#ifndef DIRECT_MAKER_H
#define DIRECT_MAKER_H

#include "case.h"

#include "il/conventions.h"

#define INDEX     8 /* r8: 0 to 3 in every component */
#define SCRATCH   9 /* r9: addresses */
#define COUNTERS  100
#define L_SMALL   NUM_LITERALS       /* 0, 1, 2, 3 */
#define L_LOOP    (NUM_LITERALS + 1) /* 0, rounds, 1, ~0 */
#define L_MASKS   (NUM_LITERALS + 2) /* address masks */
#define MAX_STMTS 60

struct maker {
   struct rng *r;
   struct il_program *p;
   enum il_shader stage;
   unsigned loops, stmts, loop_depth, depth;
   bool mixed, in_function, returns;
   bool patch; /* in a phase for the whole patch */
   bool flat;  /* a hull shader without phases */
};

static inline unsigned
pick(struct maker *m, unsigned n)
{
   return rng_pick(m->r, n);
}

/** Whether both sides have early returns and subroutines. */
extern bool has_returns, has_calls;

/** A component of r8. */
struct il_src index_source(struct maker *m);
/** An input of the stage. */
struct il_src any_input(struct maker *m);
/** The first of the outputs that values go to. */
unsigned output_base(const struct maker *m);
/** r8 &= 3 */
void keep_index_small(struct maker *m);
void statements(struct maker *m, unsigned count);

#endif
