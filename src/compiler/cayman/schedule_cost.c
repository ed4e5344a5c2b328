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
      return 1;
   case SHAPE_XYZ:
      return 3;
   case SHAPE_QUAD:
      return 4;
   default:
      return inst->terms ? inst->terms : inst->num_lanes;
   }
}

uint32_t
cc_fewest_groups(const struct cc_block *b)
{
   uint32_t slots = b->pred != NULL, longest = 0;

   for (uint32_t i = 0; i < b->num_insts; i++) {
      const struct inst *inst = b->insts[i];
      slots += inst->kind == INST_ALU ? slots_of(inst) : 0;
      longest = inst->groups > longest ? inst->groups : longest;
   }
   return (slots + 3) / 4 > longest ? (slots + 3) / 4 : longest;
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
cc_left_begin(struct cc_left *left, const struct cc_block *b)
{
   memset(left, 0, sizeof(*left));
   left->slots = b->pred != NULL;
   for (uint32_t i = 0; i < b->num_insts; i++) {
      const struct inst *inst = b->insts[i];
      left->slots += inst->kind == INST_ALU ? slots_of(inst) : 0;
      left->fetches += inst->kind == INST_FETCH;
      left->exports += inst->kind == INST_EXPORT;
   }
}

void
cc_left_take(struct cc_left *left, const struct inst *inst)
{
   left->slots -= inst->kind == INST_ALU ? slots_of(inst) : 0;
   left->fetches -= inst->kind == INST_FETCH;
   left->exports -= inst->kind == INST_EXPORT;
}

uint32_t
cc_left_cost(const struct cc_left *left, uint32_t longest)
{
   const uint32_t groups = (left->slots + 3) / 4;

   return (groups > longest ? groups : longest) + left->exports + (left->fetches > 0);
}
