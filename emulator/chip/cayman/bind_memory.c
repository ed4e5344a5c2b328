/* SPDX-License-Identifier: MIT */
/*
 * Binds what a program of Cayman's writes: random access targets, the scatter buffer, the global
 * data share, append counters, the resources of global wave synchronisation.
 *
 * Waves run in any order, on all workers, when no order of their writes can be told from another:
 * when all the program does to memory is one commutative integer operation, it does not ask for
 * the result, and it reads nothing of what it writes.
 */
#include <string.h>

#include "memory/vm.h"
#include "chip/cayman/bind.h"
#include "port/rat.h"
#include "chip/cayman/cayman.h"

/* Base and size count 256 bytes. */
static void
bind_scatter(struct sq_bind *bind, const struct regs *r, const struct vm *vm)
{
   const uint64_t va = (uint64_t)reg(r, R_SX_SCATTER_EXPORT_BASE) << 8;
   const uint64_t want = (uint64_t)reg(r, R_SX_SCATTER_EXPORT_SIZE) << 8;

   bind->scatter_dwords = vm_extent(vm, va, want) / 4;
   bind->scatter = bind->scatter_dwords ? vm_pointer(vm, va) : NULL;
}

bool
bind_cayman_memory(const struct bind_share *share, struct core_bind *core,
                   const struct bind_source *source, bool *ordered)
{
   struct sq_bind *bind = (struct sq_bind *)core;
   const struct sq_program *p = sq_program_of(bind);
   struct regs *r = source->regs;

   if (p->uses_gds) {
      bind->gds = share->gds;
      bind->gds_bytes = share->gds_bytes;
      bind->append = &r->context[(R_GDS_APPEND_COUNT_0 - CAYMAN_CONTEXT_BASE) / 4];
      bind->ordered_count = pool_alloc(source->pool, sizeof(*bind->ordered_count));
      if (!bind->ordered_count)
         return false;
      *bind->ordered_count = 0;
   }
   if (p->core.uses_global_sync) {
      bind->gws = share->gws;
      /* Waves of a draw or dispatch that faulted wait no longer. */
      for (unsigned n = 0; n < CORE_GWS; n++)
         bind->gws[n].waiting = 0;
   }
   if (p->uses_scatter)
      bind_scatter(bind, r, source->vm);
   /* These have no locks: their users go one by one in any case. */
   *ordered |= (p->uses_gds && !p->counts_gds) || p->core.uses_global_sync || p->uses_scatter ||
               ((p->core.ordered || p->core.reads_slot) && !share->relaxed_order);
   if (!p->rats)
      return true;

   struct rat *rats = pool_alloc(source->pool, RATS * sizeof(*rats));

   if (!rats)
      return false;
   cayman_decode_rats(rats, p->rats,
                      p->rat_table ? bind_resource(source, CAYMAN_RESOURCE_RAT_TABLE) : NULL, r,
                      source->vm);
   bind->rats = rats;
   for (unsigned n = 0; n < RATS && !share->relaxed_order; n++)
      *ordered |= rats[n].base && binder_cayman.reads(core->program, source, rats[n].range);
   return true;
}
