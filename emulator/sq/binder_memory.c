/* SPDX-License-Identifier: MIT */
/*
 * Binds what a program of Cayman's writes: random access targets, the scatter buffer, the global
 * data share, append counters, the resources of global wave synchronisation.
 *
 * Waves run in any order, on all workers, when no order of their writes can be told from another:
 * when all the program does to memory is one commutative integer operation, it does not ask for
 * the result, and it reads nothing of what it writes.
 */
#include "memory/pool.h"
#include "bind/binder.h"
#include "port/rat.h"
#include "sq/binder.h"
#include "sq/sq.h"

static void
bind_scatter(struct sq_bind *bind, const struct bind_source *source)
{
   struct source_buffer memory = { NULL, 0 };

   if (source->ops->scatter)
      memory = source->ops->scatter(source);
   bind->scatter_dwords = memory.bytes / 4;
   bind->scatter = bind->scatter_dwords ? memory.base : NULL;
}

bool
sq_bind_memory(const struct bind_share *share, struct core_bind *core,
               const struct bind_source *source, bool *ordered)
{
   struct sq_bind *bind = (struct sq_bind *)core;
   const struct sq_program *p = sq_program_of(bind);

   if (p->uses_gds) {
      bind->gds = share->gds;
      bind->gds_bytes = share->gds_bytes;
      bind->append = source->append;
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
      bind_scatter(bind, source);
   /* These have no locks: their users go one by one in any case. */
   *ordered |= (p->uses_gds && !p->counts_gds) || p->core.uses_global_sync || p->uses_scatter ||
               ((p->core.ordered || p->core.reads_slot) && !share->relaxed_order);
   bind->alone = *ordered;
   if (!p->rats)
      return true;

   const struct rat *rats = binder_rats(source, p->rats);

   if (!rats)
      return false;
   bind->rats = rats;
   for (unsigned n = 0; n < RATS && !share->relaxed_order; n++)
      *ordered |= rats[n].base && binder_cayman.reads(core->program, source, rats[n].range);
   bind->alone = *ordered;
   return true;
}
