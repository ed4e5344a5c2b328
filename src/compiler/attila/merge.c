/* SPDX-License-Identifier: MIT */
/*
 * Operations of one kind on components of one register become one on a vector: a later one moves up
 * to an earlier one, if nothing in between is in its way and their operands lie in the same
 * registers.
 */
#include "ir.h"

#define WINDOW 32

static bool
mergeable(const struct ac_inst *i)
{
   return !ac_is_flow(i) && ac_each(i->op) && !i->predicated && !i->relative &&
          (i->bank == ATTILA_TEMP || i->bank == ATTILA_OUT);
}

static bool
same_source(const struct ac_src *a, const struct ac_src *b)
{
   return a->bank == b->bank && a->neg == b->neg && a->abs == b->abs &&
          (a->bank == AC_LITERAL || a->reg == b->reg);
}

static bool
alike(const struct ac_inst *a, const struct ac_inst *b)
{
   if (a->op != b->op || a->bank != b->bank || a->reg != b->reg || a->sat != b->sat ||
       a->mask & b->mask)
      return false;
   for (unsigned n = 0; n < ac_num_src(a); n++)
      if (!same_source(&a->src[n], &b->src[n]))
         return false;
   return true;
}

static unsigned
written(const struct ac_inst *i, unsigned bank, uint32_t reg)
{
   return ac_writes(i) && i->bank == bank && i->reg == reg ? i->mask : 0;
}

/* May instruction j, which is after i, run where i does? */
static bool
may_move(const struct ac_compiler *c, uint32_t i, uint32_t j)
{
   const struct ac_inst *moves = &c->insts[j];

   for (uint32_t k = i; k < j; k++) {
      const struct ac_inst *other = &c->insts[k];
      for (unsigned n = 0; n < ac_num_src(moves); n++) {
         const struct ac_src *s = &moves->src[n];
         if (s->bank == AC_LITERAL)
            continue;
         if (written(other, s->bank, s->reg) & ac_reads_of(moves, s->bank, s->reg))
            return false;
      }
      if (k > i && (written(other, moves->bank, moves->reg) & moves->mask ||
                    ac_reads_of(other, moves->bank, moves->reg) & moves->mask))
         return false;
   }
   return true;
}

static void
join(struct ac_inst *a, const struct ac_inst *b)
{
   for (unsigned n = 0; n < ac_num_src(a); n++) {
      for (unsigned k = 0; k < 4; k++) {
         if (b->mask >> k & 1) {
            a->src[n].swz[k] = b->src[n].swz[k];
            a->src[n].value[k] = b->src[n].value[k];
         }
      }
   }
   a->mask |= b->mask;
}

void
ac_merge(struct ac_compiler *c)
{
   for (uint32_t i = 0; i < c->num_insts; i++) {
      struct ac_inst *first = &c->insts[i];
      if (first->dead || !mergeable(first))
         continue;
      for (uint32_t j = i + 1; j < c->num_insts && j <= i + WINDOW && first->mask != 15; j++) {
         struct ac_inst *second = &c->insts[j];
         if (ac_is_flow(second))
            break;
         if (second->dead || !mergeable(second) || !alike(first, second) || !may_move(c, i, j))
            continue;
         join(first, second);
         second->dead = true;
         second->mask = 0;
      }
   }
   uint32_t kept = 0;
   for (uint32_t n = 0; n < c->num_insts; n++)
      if (!c->insts[n].dead)
         c->insts[kept++] = c->insts[n];
   c->num_insts = kept;
}
