/* SPDX-License-Identifier: MIT */
/*
 * Drops what nothing reads: components of temporaries that no instruction reads anywhere, and
 * predicates and address registers that are set again before they are read.
 */
#include "ir.h"

static bool
has_effect(const struct ac_inst *i)
{
   if (ac_is_flow(i))
      return true;
   const unsigned result = attila_info(i->op)->result;
   return i->op == ATTILA_CMPKIL || result == ATTILA_RESULT_NONE || i->bank == ATTILA_OUT;
}

static void
mark(const struct ac_compiler *c, uint8_t *used)
{
   for (uint32_t n = 0; n < c->num_insts; n++) {
      const struct ac_inst *i = &c->insts[n];
      for (unsigned s = 0; s < ac_num_src(i); s++) {
         const unsigned read = ac_read_mask(i, s);
         for (unsigned k = 0; k < 4 && i->src[s].bank == ATTILA_TEMP; k++)
            if (read >> k & 1)
               used[i->src[s].reg] |= (uint8_t)(1u << i->src[s].swz[k]);
      }
   }
}

static bool
reads_predicate(const struct ac_inst *i, unsigned pred)
{
   if (i->predicated && i->pred == pred)
      return true;
   for (unsigned s = 0; i->op == ATTILA_ANDP && s < 2; s++)
      if (i->src[s].reg == pred)
         return true;
   return false;
}

/* A predicate or components of an address register that instruction n sets. */
static bool
is_read(const struct ac_compiler *c, uint32_t n)
{
   const struct ac_inst *set = &c->insts[n];
   const bool predicate = attila_info(set->op)->result == ATTILA_RESULT_PRED;

   for (uint32_t k = n + 1; k < c->num_insts; k++) {
      const struct ac_inst *i = &c->insts[k];
      if (predicate) {
         if (reads_predicate(i, set->reg))
            return true;
         if (!ac_is_flow(i) && attila_info(i->op)->result == ATTILA_RESULT_PRED &&
             i->reg == set->reg && !i->predicated)
            return false;
      } else {
         if ((i->relative && set->reg == 0 && set->mask & 1) ||
             (!ac_is_flow(i) && ac_reads_of(i, ATTILA_ADDR, set->reg) & set->mask))
            return true;
         if (ac_writes(i) && i->bank == ATTILA_ADDR && i->reg == set->reg && !i->predicated &&
             !(set->mask & ~i->mask))
            return false;
      }
   }
   return false;
}

static bool
drop(struct ac_compiler *c, const uint8_t *used)
{
   bool changed = false;

   for (uint32_t n = c->num_insts; n-- > 0;) {
      struct ac_inst *i = &c->insts[n];
      if (has_effect(i) || i->dead)
         continue;
      const unsigned result = attila_info(i->op)->result;
      if (result == ATTILA_RESULT_PRED || i->bank == ATTILA_ADDR) {
         i->dead = !is_read(c, n);
      } else {
         const unsigned mask = i->mask & used[i->reg];
         changed |= mask != i->mask && mask;
         i->mask = (uint8_t)mask;
         i->dead = !mask;
      }
      changed |= i->dead;
   }
   uint32_t kept = 0;
   for (uint32_t n = 0; n < c->num_insts; n++)
      if (!c->insts[n].dead)
         c->insts[kept++] = c->insts[n];
   c->num_insts = kept;
   return changed;
}

void
ac_drop_dead(struct ac_compiler *c)
{
   uint8_t *used = ac_alloc(c, c->num_regs + 1);

   do {
      memset(used, 0, c->num_regs);
      mark(c, used);
   } while (drop(c, used));
}
