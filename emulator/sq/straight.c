/* SPDX-License-Identifier: MIT */
/*
 * Waves of programs without control flow, which most of what colours pixels is: no stack, no
 * masks, one look at the budget.  What they leave is what run.c's engine leaves.
 */
#include "sq/begin.h"

/* Whether a clause changes nothing but registers, predicates and what it stores. */
static bool
is_plain(const struct program *p, struct uop_run run)
{
   for (uint32_t n = 0; n < run.count; n++) {
      const struct uop *u = &p->code.uops[run.first + n];
      const struct uop_info *info = &uop_infos[u->op];

      if (info->effect == UOP_EFFECT_WAIT || info->effect == UOP_EFFECT_MEMORY)
         return false;
      if (info->effect == UOP_EFFECT_STATE && u->op != UOP_COMMIT_PRED)
         return false;
      if (info->effect == UOP_EFFECT_MASK &&
          (info->params != UOP_PARAMS_predicate || u->p.predicate.update_exec))
         return false;
   }
   return true;
}

/* More than looks at the clock can add to a wave's cycles. */
#define CLOCK_LOOKS (1u << 20)

bool
K(sq_is_straight)(struct program *p)
{
   p->straight_cost = CLOCK_LOOKS;
   if (p->head.core.error || p->head.core.uses_kill)
      return false;
   for (uint32_t n = p->entry; n < p->num_cfs; n++) {
      const struct sq_cf *cf = &p->cfs[n];

      p->straight_cost += cf->cost;
      switch (cf->op) {
      case CAYMAN_CF_ALU:
         if (cf->whole_quad_mode || cf->has_barrier || !is_plain(p, cf->prologue) ||
             !is_plain(p, cf->plain))
            return false;
         break;
      case CAYMAN_CF_TC:
         if (cf->valid_pixel_mode)
            return false;
         break;
      case CAYMAN_CF_EXPORT:
      case CAYMAN_CF_EXPORT_DONE:
      case CAYMAN_CF_NOP:
         break;
      case CAYMAN_CF_END:
         return true;
      default:
         return false;
      }
   }
   return false;
}

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

   sq_begin(x, wave, state.uni);

   const struct program *p = x->program;
   const unsigned old = fp_enter(p->fp_single);

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
