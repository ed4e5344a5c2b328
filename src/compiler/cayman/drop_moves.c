/* SPDX-License-Identifier: MIT */
/*
 * Moves between values that got the same register do nothing, and leave their groups.
 *
 *  1. An instruction that took the value from the move's slot of the previous group reads its
 *     register instead, if that can be read beside what else its group reads.
 *  2. A group without instructions goes, unless it may keep the two groups between a store at an
 *     index and a load; so does a clause without groups.
 */
#include "ir.h"

#include <string.h>

static bool
does_nothing(const struct compiler *c, const struct inst *inst)
{
   const struct lane *lane = &inst->lane[0];
   const struct cc_operand *o = &lane->src[0];

   if (inst->kind != INST_ALU || inst->num_lanes != 1 || lane->op != CAYMAN_ALU_MOV || inst->keep ||
       inst->side_effect || inst->ar || inst->pop || inst->pop_of || lane->clamp || lane->omod ||
       lane->to_array || !lane->dst || o->kind != OPERAND_VALUE || o->neg || o->abs)
      return false;
   const struct cc_value *to = &c->values[lane->dst], *from = &c->values[o->value];
   return to->gpr >= 0 && to->gpr == from->gpr && to->chan == from->chan;
}

/* Part `p` leaves the group.  What is in slot t because the slot of its channel was taken is then
 * in that one. */
static void
take_out(const struct compiler *c, struct group *g, unsigned p)
{
   for (unsigned s = 0; s < CC_SLOTS; s++)
      if (g->slot[s] == g->part[p])
         g->slot[s] = NULL;
   struct inst *trans = g->slot[CC_T];
   const int chan = trans && trans->shape == SHAPE_SCALAR ? c->values[trans->lane[0].dst].chan : -1;
   if (chan >= 0 && !g->slot[chan]) {
      g->slot[chan] = trans;
      g->lane[chan] = g->lane[CC_T];
      g->slot[CC_T] = NULL;
   }
   g->num_parts--;
   memmove(&g->part[p], &g->part[p + 1], (g->num_parts - p) * sizeof(g->part[0]));
}

static bool
is_readable(struct compiler *c, const struct clause *clause, uint32_t n)
{
   struct cayman_alu_group out;
   return n >= clause->num_groups || cc_encode_group(c, clause, n, &out);
}

/* Moves of group `n`, if it and the next one can be read without. */
static void
drop_from_group(struct compiler *c, struct clause *clause, uint32_t n)
{
   struct group *g = &clause->groups[n];

   for (unsigned p = g->num_parts; p-- > 0;) {
      const struct group before = *g;
      if (!does_nothing(c, g->part[p]) || (c->num_arrays && g->num_parts == 1))
         continue;
      take_out(c, g, p);
      if (is_readable(c, clause, n) && is_readable(c, clause, n + 1))
         clause->num_slots--;
      else
         *g = before;
   }
}

static void
drop_from_clause(struct compiler *c, struct clause *clause)
{
   for (uint32_t n = clause->num_groups; n-- > 0;) {
      drop_from_group(c, clause, n);
      if (clause->groups[n].num_parts)
         continue;
      clause->num_groups--;
      memmove(&clause->groups[n], &clause->groups[n + 1],
              (clause->num_groups - n) * sizeof(clause->groups[0]));
   }
}

void
cc_drop_moves(struct compiler *c)
{
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct cc_block *b = &c->blocks[n];
      uint32_t count = 0;
      for (uint32_t k = 0; k < b->num_clauses; k++) {
         struct clause *clause = &b->clauses[k];
         if (clause->kind == CLAUSE_ALU)
            drop_from_clause(c, clause);
         if (clause->kind != CLAUSE_ALU || clause->num_groups)
            b->clauses[count++] = *clause;
      }
      b->num_clauses = count;
   }
}
