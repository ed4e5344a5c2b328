/* SPDX-License-Identifier: MIT */
/*
 * Constant buffer operands: a group reads two vectors at most, each a pair of channels (4.7.5,
 * 4.7.8.3). An instruction that needs more gets the rest from copies, which others in the block
 * share.
 */
#include "ir.h"

#define MAX_PLACES 12 /* operands of an instruction */

struct place {
   uint32_t key; /* bank, vec4 and channel, + 1 */
   uint32_t uses;
   value_id copy;
};

struct constants {
   struct place *table;
   uint32_t size;
};

static uint32_t
key_of(const struct cc_operand *o)
{
   return ((uint32_t)o->bank << 18 | (uint32_t)o->index << 2 | o->chan) + 1;
}

static struct place *
place_of(const struct constants *k, const struct cc_operand *o)
{
   uint32_t key = key_of(o), at = key * 0x9e3779b1u >> 7 & (k->size - 1);

   while (k->table[at].key && k->table[at].key != key)
      at = (at + 1) & (k->size - 1);
   k->table[at].key = key;
   return &k->table[at];
}

/* The constant buffer operands of an instruction and the pairs of channels among them. */
static unsigned
find_places(struct inst *inst, struct cc_operand *operand[MAX_PLACES], unsigned *num_pairs)
{
   uint32_t pair[MAX_PLACES];
   unsigned count = 0, pairs = 0, p;

   for (unsigned l = 0; l < inst->num_lanes; l++) {
      for (unsigned i = 0; i < cayman_alu_info(inst->lane[l].op)->num_src; i++) {
         struct cc_operand *o = &inst->lane[l].src[i];
         if (o->kind != OPERAND_KCACHE)
            continue;
         operand[count++] = o;
         uint32_t key = (key_of(o) - 1) >> 1;
         for (p = 0; p < pairs && pair[p] != key; p++) {
         }
         if (p == pairs)
            pair[pairs++] = key;
      }
   }
   *num_pairs = pairs;
   return count;
}

/* Replace the operand that most others share until two pairs are left. */
static void
copy_places(struct compiler *c, struct cc_block *b, struct constants *k, struct inst *inst)
{
   struct cc_operand *operand[MAX_PLACES];
   unsigned pairs, count = find_places(inst, operand, &pairs);

   while (pairs > 2) {
      struct place *best = NULL;
      for (unsigned i = 0; i < count; i++) {
         struct place *place = place_of(k, operand[i]);
         if (!best || (place->copy && !best->copy) ||
             (!place->copy == !best->copy && place->uses > best->uses))
            best = place;
      }
      for (unsigned i = 0; i < count; i++) {
         struct cc_operand *o = operand[i];
         if (place_of(k, o) != best)
            continue;
         if (!best->copy) {
            struct inst *mov = cc_copy_for(c, op_kcache(o->bank, o->index, o->chan), inst);
            best->copy = mov->lane[0].dst;
            cc_append(c, b, mov);
         }
         struct cc_operand value = op_value(best->copy);
         value.neg = o->neg;
         value.abs = o->abs;
         *o = value;
      }
      count = find_places(inst, operand, &pairs);
   }
}

void
cc_limit_constants(struct compiler *c)
{
   struct constants k = { NULL, 0 };

   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct cc_block *b = &c->blocks[n];
      struct cc_operand *operand[MAX_PLACES];
      uint32_t total = 0;
      unsigned pairs, most = 0;

      for (uint32_t i = 0; i < b->num_insts + (b->pred != NULL); i++) {
         struct inst *inst = i < b->num_insts ? b->insts[i] : b->pred;
         if (inst->kind == INST_ALU) {
            total += find_places(inst, operand, &pairs);
            most = pairs > most ? pairs : most;
         }
      }
      if (most <= 2)
         continue;
      for (k.size = 16; k.size < 2 * total; k.size *= 2) {
      }
      k.table = cc_alloc(c, k.size * sizeof(*k.table));
      struct inst **old = b->insts;
      uint32_t count = b->num_insts;
      for (uint32_t i = 0; i < count; i++) {
         unsigned found = old[i]->kind == INST_ALU ? find_places(old[i], operand, &pairs) : 0;
         for (unsigned p = 0; p < found; p++)
            place_of(&k, operand[p])->uses++;
      }
      b->insts = NULL;
      b->num_insts = b->cap_insts = 0;
      for (uint32_t i = 0; i < count; i++) {
         if (old[i]->kind == INST_ALU)
            copy_places(c, b, &k, old[i]);
         cc_append(c, b, old[i]);
      }
      if (b->pred)
         copy_places(c, b, &k, b->pred);
   }
}
