/* SPDX-License-Identifier: MIT */
/*
 * What a lifted program can do to the lanes of its waves, whatever build runs it.
 */
#include "sq/program.h"

bool
sq_may_diverge(const struct program *p)
{
   if (p->head.core.uses_kill)
      return true;
   for (uint32_t n = 0; n < p->num_cfs; n++) {
      const struct sq_cf *cf = &p->cfs[n];
      switch (cf->op) {
      case CAYMAN_CF_ALU:
      case CAYMAN_CF_TC:
      case CAYMAN_CF_TC_ACK:
      case CAYMAN_CF_EXPORT:
      case CAYMAN_CF_EXPORT_DONE:
      case CAYMAN_CF_CALL_FS:
      case CAYMAN_CF_RETURN:
      case CAYMAN_CF_NOP:
      case CAYMAN_CF_END:
         break;
      default:
         return true;
      }
   }
   return false;
}

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
sq_is_straight(struct program *p)
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
