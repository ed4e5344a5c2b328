/* SPDX-License-Identifier: MIT */
/*
 * Dispatch packets: work groups of the compute program.  A packet with the compute bit takes the
 * registers that such packets have set.
 */
#include "cp/internal.h"

#include <string.h>

#define COMPUTE_SHADER_EN 1u /* VGT_DISPATCH_INITIATOR */

static void
dispatch(const struct cp *cp, const uint32_t groups[3], uint32_t initiator)
{
   if (!(initiator & COMPUTE_SHADER_EN)) {
      cp_complain(cp, "initiator 0x%X without COMPUTE_SHADER_EN", initiator);
      return;
   }
   cp_flush(cp);

   struct cp_state *s = cp->s;
   const bool compute = pm4_compute(cp->header);

   memcpy(s->compute.config, s->regs.config, sizeof(s->regs.config));
   memcpy(s->compute.border, s->regs.border, sizeof(s->regs.border));
   cayman_dispatch(cp->env->gfx, &(struct cayman_dispatch){
                                    .regs = compute ? &s->compute : &s->regs,
                                    .vm = cp->env->vm,
                                    .groups = { groups[0], groups[1], groups[2] },
                                 });
}

void
cp_dispatch_direct(const struct cp *cp)
{
   dispatch(cp, cp->payload, cp->payload[3]);
}

/* The number of groups is in memory, at an offset from SET_BASE's address. */
void
cp_dispatch_indirect(const struct cp *cp)
{
   const uint64_t va = cp->s->indirect_base + cp->payload[0];
   uint32_t groups[3];

   cp_flush(cp);
   if (vm_extent(cp->env->vm, va, sizeof(groups)) < sizeof(groups)) {
      cp_complain(cp, "arguments at 0x%llX are not mapped", (unsigned long long)va);
      return;
   }
   cp_read(cp, va, groups, sizeof(groups));
   dispatch(cp, groups, cp->payload[1]);
}
