/* SPDX-License-Identifier: MIT */
/*
 * Clauses of a wave with control flow.  Kernels only.
 */
#ifndef ATOLL_SQ_CLAUSE_H
#define ATOLL_SQ_CLAUSE_H

#include "sq/counts.h"
#include "sq/stack.h"

static inline void
run_uops(struct exec *x, struct uop_run run)
{
   if (!run.count)
      return; /* there may be no uops at all */
   uop_run_bound(x, x->program->bound.uops + run.first, run.count);
}

/* The same up to a barrier, from `u` on.  False: the wave waits. */
static inline bool
run_to_barrier(struct flow *f, struct uop_run run, const struct bound_uop *u)
{
   struct exec *x = &f->x;
   const struct bound_uop *end = x->program->bound.uops + run.first + run.count;
   while (u < end) {
      u->fn(x, u);
      u += u->length;
      if (x->waits) {
         x->waits = false;
         f->resume = (uint32_t)(u - x->program->bound.uops);
         return false;
      }
   }
   return true;
}

/* What becomes of lanes that failed a predicate. */
V_INLINE void
leave(struct exec *x, uint64_t out, unsigned op)
{
   switch (op) {
   case UOP_FAIL_DEACTIVATE:
      x->active &= ~out;
      x->branch |= out;
      break;
   case UOP_FAIL_BREAK:
      x->active &= ~out;
      x->brk |= out;
      break;
   case UOP_FAIL_CONTINUE:
      x->active &= ~out;
      x->cont |= out;
      break;
   default:
      x->valid &= ~out;
      break;
   }
}

/* A clause that is quiet, or a test, for active lanes. */
V_INLINE void
quick_clause(struct exec *x, const struct sq_cf *cf)
{
   const struct program *p = x->program;
   const struct uop_run run = x->active == x->launch ? cf->plain : cf->masked;
   const struct bound_uop *u = p->bound.uops + run.first;

   if (!x->active)
      return;
   x->lanes = x->active;
   if (p->head.counts)
      sq_counts_alu(p->head.counts, cf->groups, cf->slots);
   if (cf->clause == SQ_CLAUSE_QUIET) {
      uop_run_bound(x, u, run.count);
   } else {
      u->fn(x, u);
      leave(x, x->active & ~x->pass[0], cf->test_op);
   }
}

static inline void
alu_after(struct flow *f, const struct sq_cf *cf)
{
   if (cf->op == CAYMAN_CF_ALU_POP_AFTER)
      pop(f, 1);
   else if (cf->op == CAYMAN_CF_ALU_POP2_AFTER)
      pop(f, 2);
   else if (cf->op == CAYMAN_CF_ALU_ELSE_AFTER)
      swap_branches(f, cf);
}

/* The end of a clause: what its predicates do to the execution mask, then what its instruction does
 * last. */
static inline void
alu_end(struct flow *f, const struct sq_cf *cf)
{
   struct exec *x = &f->x;
   if (x->lanes) {
      if (x->fail_pending)
         leave(x, x->fail & x->active, x->fail_op);
      if (x->fp_now != x->program->fp_single) {
         x->fp_single = x->fp_now = x->program->fp_single;
         x->fp_double = x->program->fp_double;
         _mm_setcsr(x->fp_now);
      }
   }

   alu_after(f, cf);
}

/* Goes on in clause f->cut, in which the wave waited or was stopped, or which it began slowly. */
static inline enum core_stop
rest_of_clause(struct flow *f, const struct core_observer *until)
{
   struct exec *x = &f->x;
   const uint32_t n = f->cut - 1;
   const struct sq_cf *cf = &x->program->cfs[n];
   const bool alu = cf->op != CAYMAN_CF_TC && cf->op != CAYMAN_CF_TC_ACK && cf->op != CAYMAN_CF_GDS;
   enum core_stop stop = CORE_DONE;

   if (!alu)
      stop = K(sq_step_fetches)(f, cf, until);
   else if (f->slow)
      stop = K(sq_step_clause)(f, n, until);
   else if (!run_to_barrier(f, x->masked ? cf->masked : cf->plain,
                            x->program->bound.uops + f->resume))
      stop = CORE_BARRIER;
   if (stop != CORE_DONE)
      return stop;
   if (alu)
      alu_end(f, cf);
   f->cut = 0;
   return CORE_DONE;
}

/* Up to where the wave waits or stops in the clause. */
V_INLINE enum core_stop
alu_clause(struct flow *f, const struct sq_cf *cf, bool slow, const struct core_observer *until)
{
   struct exec *x = &f->x;
   if (cf->op == CAYMAN_CF_ALU_PUSH_BEFORE && !push(f, FRAME_PUSH, cf->whole_quad_mode ? 4 : 1))
      return CORE_DONE;
   if (cf->op == CAYMAN_CF_ALU_REACTIVATE_BEFORE) {
      reactivate(f);
      if (cf->whole_quad_mode)
         whole_quads(x);
   }

   x->lanes = x->active;
   if (cf->op == CAYMAN_CF_ALU_VALID_PIXEL_MODE)
      x->lanes &= x->valid;
   else if (cf->whole_quad_mode)
      x->lanes = lanes_whole_quads(x->active) & x->launch;
   x->masked = x->lanes != x->launch;

   if (x->lanes) {
      struct uop_run run = x->masked ? cf->masked : cf->plain;
      if (x->program->head.counts)
         sq_counts_alu(x->program->head.counts, cf->groups, cf->slots);
      x->pred = x->pred_next = 0;
      x->fail_pending = false;
      x->fail = 0;
      if (slow) {
         const struct program *p = x->program;
         const uint32_t n = (uint32_t)(cf - p->cfs);
         const struct uop_run prologue = p->lifted[n].prologue;

         for (uint32_t k = 0; k < prologue.count; k++)
            K(uop_step)(x, &p->code, &p->code.uops[prologue.first + k]);
         f->resume = p->lifted[n].clause.first;
         f->cut = n + 1;
         return rest_of_clause(f, until);
      }
      if (cf->prologue.count)
         run_uops(x, cf->prologue);
      if (cf->has_barrier) {
         if (!run_to_barrier(f, run, x->program->bound.uops + run.first)) {
            f->cut = (uint32_t)(cf - x->program->cfs) + 1;
            return CORE_BARRIER;
         }
      } else {
         run_uops(x, run);
      }
   }
   alu_end(f, cf);
   return CORE_DONE;
}

V_INLINE enum core_stop
fetch_clause(struct flow *f, const struct sq_cf *cf, bool slow, const struct core_observer *until)
{
   struct exec *x = &f->x;
   x->lanes = x->active;
   if (cf->valid_pixel_mode)
      x->lanes &= x->valid;
   if (!x->lanes)
      return CORE_DONE;
   if (x->program->head.counts)
      sq_counts_fetch(x->program->head.counts, cf->num_fetches);
   if (slow) {
      f->resume = cf->first_fetch;
      f->cut = (uint32_t)(cf - x->program->cfs) + 1;
      return rest_of_clause(f, until);
   }
   K(sq_fetch_clause)(x, cf);
   return CORE_DONE;
}

#endif
