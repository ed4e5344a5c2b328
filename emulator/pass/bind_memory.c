/* SPDX-License-Identifier: MIT */
/*
 * Binds what a program writes: random access targets and the global data share.
 *
 * Waves run in any order, on all workers, when no order of their writes can be told from another:
 * when all the program does to memory is one commutative integer operation whose result it does
 * not ask for, and it reads nothing of what it writes.
 */
#include <string.h>

#include "memory/vm.h"
#include "pass/bind.h"
#include "pass/internal.h"
#include "sq/rat.h"

void
gfx_set_gds(struct gfx *g, uint8_t *gds, uint32_t bytes)
{
   g->gds = gds;
   g->gds_bytes = bytes;
}

bool
bind_memory(struct gfx *g, struct sq_bind *bind, const struct bind_stage *stage,
            const struct regs *r, const struct vm *vm, struct pool *pool, bool *ordered)
{
   const struct sq_program *p = bind->program;

   if (p->uses_gds) {
      bind->gds = g->gds;
      bind->gds_bytes = g->gds_bytes;
   }
   /* GDS has no locks: its users go one by one in any case. */
   *ordered |= p->uses_gds || (p->ordered && !g->options.relaxed_order);
   if (!p->rats)
      return true;

   struct sq_rat *rats = pool_alloc(pool, SQ_RATS * sizeof *rats);

   if (!rats)
      return false;
   sq_rat_decode(rats, p->rats, r, vm);
   bind->rats = rats;
   for (unsigned n = 0; n < SQ_RATS && !g->options.relaxed_order; n++)
      *ordered |= rats[n].base && bind_reads(p, stage, r, rats[n].range);
   return true;
}
