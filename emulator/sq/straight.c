/* SPDX-License-Identifier: MIT */
/*
 * Waves of programs without control flow, which most of what colours pixels is: no stack, no
 * masks, one look at the budget.  What they leave is what run.c's engine leaves.
 */
#include "sq/begin.h"

V_INLINE void
run_uops(struct exec *x, struct uop_run run)
{
   if (run.count)
      uop_run_bound(x, x->program->bound.uops + run.first, run.count);
}

void
K(sq_run_straight)(struct core_wave *wave)
{
   struct {
      struct exec x;
      uint32_t uni[UNI_MAX];
   } state;
   struct exec *x = &state.x;
   const struct program *p =
      (const struct program *)sq_program_of((const struct sq_bind *)wave->bind);
   const unsigned old = fp_enter(p->fp_single);

   sq_begin(x, wave, state.uni);

   for (const struct sq_cf *cf = p->cfs + p->entry;; cf++) {
      wave->cycles += cf->cost;
      if (cf->op == CAYMAN_CF_END)
         break;
      switch (cf->op) {
      case CAYMAN_CF_ALU:
         x->pred = x->pred_next = 0;
         run_uops(x, cf->prologue);
         run_uops(x, cf->plain);
         break;
      case CAYMAN_CF_TC:
         K(sq_fetch_clause)(x, cf);
         break;
      case CAYMAN_CF_EXPORT:
      case CAYMAN_CF_EXPORT_DONE:
         K(sq_export)(x, cf);
         break;
      default:
         break;
      }
   }
   fp_leave(old);
}
