/* SPDX-License-Identifier: MIT */
/*
 * GLOBAL_WAVE_SYNC (HD 6900 ISA 3.8): barriers and semaphores between waves (core/gws.h).
 *
 *   INIT      the counter becomes VALUE (or CF_IDX0, CF_IDX1).
 *   SEMA_V    one more.
 *   SEMA_P    one less, as soon as it is positive.
 *   BARRIER   waits until VALUE waves wait here, and lets them all go.
 *
 * A resource that the chip does not have is never waited for.
 */
#include "sq/engine.h"

bool
K(sq_gws)(struct exec *x, const struct sq_cf *cf)
{
   int64_t n = cf->gws_resource + cf_index(x, cf->rat_index_mode);
   int64_t value = cf->gws_value_index ? cf_index(x, cf->gws_value_index) : cf->gws_value;
   if (!x->active || !x->bind->gws || n < 0 || n >= CORE_GWS)
      return true;

   struct core_gws *r = &x->bind->gws[n];
   switch (cf->gws_op) {
   case CAYMAN_GWS_INIT:
      r->value = (int32_t)value;
      return true;
   case CAYMAN_GWS_SEMA_V:
      core_gws_signal(r);
      return true;
   case CAYMAN_GWS_SEMA_P:
      return core_gws_take(r);
   default:
      return core_gws_barrier(r, &x->gws, value);
   }
}
