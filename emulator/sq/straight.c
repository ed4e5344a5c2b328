/* SPDX-License-Identifier: MIT */
/*
 * Waves of programs without control flow but for regions and the call of their fetch subroutine at
 * the start, which most programs are: no stack, no masks.  What they leave is what run.c's engine
 * leaves.
 */
#include "sq/begin.h"

V_INLINE void
run_uops(struct exec *x, struct uop_run run)
{
   if (run.count)
      uop_run_bound(x, x->program->bound.uops + run.first, run.count);
}

static __attribute__((noinline)) void
out_of_budget(struct core_wave *wave)
{
   wave->faulted = true;
   wave->fault = "cycle budget exhausted";
}

void
K(sq_run_straight)(struct core_wave *wave, uint64_t budget)
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

   for (const struct sq_cf *cf = p->cfs + p->entry, *back = NULL;; cf++) {
      if (cf->region) {
         const struct sq_region *r = &p->regions[cf->region - 1];
         if (!K(sq_run_region)(x, r, budget)) {
            out_of_budget(wave);
            break;
         }
         cf = p->cfs + r->end - 1;
         continue;
      }
      wave->cycles += cf->cost;
      if (wave->cycles > budget) {
         wave->fault_place = cf->pc;
         out_of_budget(wave);
         break;
      }
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
      case CAYMAN_CF_CALL_FS:
         back = cf;
         cf = p->cfs + p->fs_entry - 1;
         break;
      case CAYMAN_CF_RETURN:
         cf = back;
         break;
      default:
         break;
      }
   }
   fp_leave(old);
}
