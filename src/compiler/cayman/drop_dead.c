/* SPDX-License-Identifier: MIT */
/*
 * Dead code: an instruction without a result that is read goes, and of a fetch's results those that
 * are not read.  What is done for its effect stays.
 */
#include "ir.h"

static void
forget_operand(struct cc_operand *o, void *data)
{
   struct compiler *c = data;
   if (o->kind == OPERAND_VALUE)
      c->values[o->value].uses--;
}

static void
is_used(value_id *v, void *data)
{
   struct {
      struct compiler *c;
      bool used;
   } *d = data;
   d->used |= d->c->values[*v].uses > 0;
}

static bool
removable(struct compiler *c, struct inst *inst)
{
   struct {
      struct compiler *c;
      bool used;
   } d = { c, false };

   if (inst->side_effect || inst->keep || inst->dead)
      return false;
   cc_visit_dsts(inst, is_used, &d);
   return !d.used;
}

/* What nothing reads of a fetch's result is not written: it would tie the rest to a register. */
static void
drop_results(struct compiler *c, struct inst *inst)
{
   if (inst->kind != INST_FETCH || inst->side_effect || inst->keep)
      return;
   for (unsigned f = 0; f < inst->num_fetches; f++) {
      for (unsigned i = 0; i < 4; i++)
         if (!c->values[inst->fetch[f].dst[i]].uses)
            inst->fetch[f].dst[i] = 0;
   }
}

void
cc_drop_dead(struct compiler *c)
{
   bool progress = true;

   /* One backward walk drops chains; variables in loops may need another. */
   while (progress) {
      progress = false;
      for (uint32_t b = c->num_blocks; b-- > 0;) {
         for (uint32_t i = c->blocks[b].num_insts; i-- > 0;) {
            struct inst *inst = c->blocks[b].insts[i];
            if (removable(c, inst)) {
               inst->dead = true;
               cc_visit_operands(inst, forget_operand, c);
               progress = true;
            }
         }
      }
   }
   cc_sweep(c);
   for (uint32_t b = 0; b < c->num_blocks; b++)
      for (uint32_t i = 0; i < c->blocks[b].num_insts; i++)
         drop_results(c, c->blocks[b].insts[i]);
}
