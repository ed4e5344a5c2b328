/* SPDX-License-Identifier: MIT */
/*
 * What a block's schedule costs, and what it costs at least.
 */
#include "schedule.h"

#include <string.h>

/* 64-bit slots of a group that the instruction takes at least. */
static unsigned
slots_of(const struct inst *inst)
{
   switch (inst->shape) {
   case SHAPE_SCALAR:
   case SHAPE_TRANS:
      return 1;
   case SHAPE_XYZ:
      return 3;
   case SHAPE_QUAD:
      return 4;
   default:
      return inst->terms ? inst->terms : inst->num_lanes;
   }
}

/* Groups that have so many slots, each with one for t. */
static uint32_t
groups_for(uint32_t slots, uint32_t trans, unsigned num_slots)
{
   const uint32_t groups = (slots + num_slots - 1) / num_slots;

   return groups > trans ? groups : trans;
}

static bool
is_trans(const struct inst *inst)
{
   return inst->kind == INST_ALU && inst->shape == SHAPE_TRANS;
}

uint32_t
cc_fewest_groups(const struct compiler *c, const struct cc_block *b)
{
   uint32_t slots = b->pred != NULL, trans = 0, longest = 0;

   for (uint32_t i = 0; i < b->num_insts; i++) {
      const struct inst *inst = b->insts[i];
      slots += inst->kind == INST_ALU ? slots_of(inst) : 0;
      trans += is_trans(inst);
      longest = inst->groups > longest ? inst->groups : longest;
   }
   const uint32_t groups = groups_for(slots, trans, c->chip->num_slots);
   return groups > longest ? groups : longest;
}

uint32_t
cc_num_groups(const struct cc_block *b)
{
   uint32_t count = 0;

   for (uint32_t k = 0; k < b->num_clauses; k++)
      count += b->clauses[k].num_groups;
   return count;
}

uint32_t
cc_block_cost(const struct cc_block *b)
{
   return cc_num_groups(b) + b->num_clauses;
}

/* --- what is left ----------------------------------------------------------------------------- */

void
cc_left_begin(struct cc_left *left, const struct compiler *c, const struct cc_block *b)
{
   memset(left, 0, sizeof(*left));
   left->num_slots = c->chip->num_slots;
   left->slots = b->pred != NULL;
   for (uint32_t i = 0; i < b->num_insts; i++) {
      const struct inst *inst = b->insts[i];
      left->slots += inst->kind == INST_ALU ? slots_of(inst) : 0;
      left->trans += is_trans(inst);
      left->fetches += inst->kind == INST_FETCH;
      left->exports += inst->kind == INST_EXPORT;
   }
}

void
cc_left_take(struct cc_left *left, const struct inst *inst)
{
   left->slots -= inst->kind == INST_ALU ? slots_of(inst) : 0;
   left->trans -= is_trans(inst);
   left->fetches -= inst->kind == INST_FETCH;
   left->exports -= inst->kind == INST_EXPORT;
}

uint32_t
cc_left_cost(const struct cc_left *left, uint32_t longest)
{
   const uint32_t groups = groups_for(left->slots, left->trans, left->num_slots);

   return (groups > longest ? groups : longest) + left->exports + (left->fetches > 0);
}
