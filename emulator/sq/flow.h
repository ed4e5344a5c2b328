/* SPDX-License-Identifier: MIT */
/*
 * A wave of Cayman with its control flow: what the engine keeps of it while it runs and while it
 * waits.  Kernels only.
 */
#ifndef ATOLL_SQ_FLOW_H
#define ATOLL_SQ_FLOW_H

#include "sq/engine.h"
#include "uop/lds.h"

enum frame_kind {
   FRAME_PUSH,
   FRAME_LOOP,       /* ends by breaks alone */
   FRAME_LOOP_COUNT, /* counted, too */
   FRAME_LOOP_INDEX, /* and moves aL */
};

struct frame {
   uint64_t active, branch, cont, brk;
   uint64_t entered; /* loops: lanes that went in */
   uint8_t kind, entries;
   uint32_t count;
   int32_t index, step;
};

struct flow {
   struct exec x;
   struct frame stack[STACK_MAX];
   unsigned depth;
   unsigned used; /* stack sub-entries, four to an entry (3.6.5) */
   struct {
      uint32_t to;
      uint8_t count;
   } calls[CALL_MAX];
   unsigned num_calls, call_count;
   const char *fault;
   uint32_t pc;     /* of the next CF instruction */
   uint32_t cut;    /* that of a clause in which the wave waits or is stopped, + 1, or 0 */
   uint32_t resume; /* where it goes on: in bound.uops or, of an observed clause, */
   bool slow;       /* in code.uops, or fetches: a micro-operation at a time, to its end */
   bool stopped;    /* at `origin`: it goes on with that */
   uint32_t origin;
   uint32_t uni[UNI_MAX];
   wave_lane oq[OQ_MAX][2];
};

static inline void
fault(struct flow *f, const char *text)
{
   if (!f->fault)
      f->fault = text;
}

/* ---- Observed waves (observe.c) ---- */

/** Whether the wave stops before an instruction of the program.  It is asked once; what IL's
 *  instruction became stops once. */
bool K(sq_stops)(struct flow *f, const struct core_observer *until, const struct sq_cf *cf);
/** ALU clause `n` from f->resume on, a micro-operation at a time. */
enum core_stop K(sq_step_clause)(struct flow *f, uint32_t n, const struct core_observer *until);
/** A fetch clause from f->resume on, an instruction at a time. */
enum core_stop K(sq_step_fetches)(struct flow *f, const struct sq_cf *cf,
                                  const struct core_observer *until);
/** Tells its observer which registers a CF instruction takes values from, before it runs. */
void K(sq_tell_moves)(const struct exec *x, const struct sq_cf *cf);
bool K(sq_look)(const void *state, const struct core_wave *wave, uint32_t n,
                struct core_seen *seen);

#endif
