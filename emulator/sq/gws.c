/* SPDX-License-Identifier: MIT */
/*
 * Global wave synchronisation (HD 6900 ISA 3.8): barriers and semaphores between waves, also of
 * different work groups.  A resource is a counter that belongs to the client.
 *
 *   INIT      the counter becomes VALUE (or CF_IDX0, CF_IDX1).
 *   SEMA_V    one more.
 *   SEMA_P    one less, as soon as it is positive.
 *   BARRIER   waits until VALUE waves wait here, and lets them all go.
 *
 * A wave that has to wait stays at its instruction and tries again when it is resumed; who resumes
 * it knows by `stuck` that it got no further.  A resource that the chip does not have is never
 * waited for.
 */
#include "sq/engine.h"

/* True: the wave may go on. */
static bool
barrier(struct exec *x, struct sq_gws *r, int64_t waves)
{
   if (x->at_barrier) {
      x->at_barrier = r->opened == x->opened;
      return !x->at_barrier;
   }
   if ((int64_t)++r->waiting >= waves) {
      r->waiting = 0;
      r->opened++;
      return true;
   }
   x->at_barrier = true;
   x->opened = r->opened;
   return false;
}

bool
K(sq_gws)(struct exec *x, const struct sq_cf *cf)
{
   int64_t n = cf->gws_resource + cf_index(x, cf->rat_index_mode);
   int64_t value = cf->gws_value_index ? cf_index(x, cf->gws_value_index) : cf->gws_value;
   if (!x->active || !x->bind->gws || n < 0 || n >= SQ_GWS)
      return true;

   struct sq_gws *r = &x->bind->gws[n];
   switch (cf->gws_op) {
   case CAYMAN_GWS_INIT:
      r->value = (int32_t)value;
      return true;
   case CAYMAN_GWS_SEMA_V:
      r->value += r->value < INT32_MAX;
      return true;
   case CAYMAN_GWS_SEMA_P:
      if (r->value <= 0)
         return false;
      r->value--;
      return true;
   default:
      return barrier(x, r, value);
   }
}
