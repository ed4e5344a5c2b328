/* SPDX-License-Identifier: MIT */
/*
 * Loads go down to where they are read, if all that read them are after a branch: for as long as
 * they stand in front of it, their registers are taken on every way.
 *
 *  1. What moves is a load of memory that does not change, or of a parameter or attribute, and
 *     what brings a constant or a uniform into a register; the registers that a load reads are no
 *     more than those that it brings.
 *  2. It goes to the beginning of the last block that all readers are after, but into no loop
 *     that it did not stand in.
 *
 * From the last instruction to the first: readers have been moved before.
 */
#include "ir.h"

#include <string.h>

#define NOWHERE UINT32_MAX

struct sinker {
   struct vc *c;
   uint32_t *above;  /* by block: the one that every way to it passes last; NOWHERE: none */
   uint32_t *lowest; /* by value: the last block that all readers are after; NOWHERE: none read */
   uint8_t *written; /* by value: instructions that write it, 2: several */
   uint32_t block;   /* of the reader that is looked at */
   unsigned registers;
};

/* The last block that both are after; all ways but a loop's own go forward. */
static uint32_t
meet(const struct sinker *s, uint32_t a, uint32_t b)
{
   while (a != b)
      if (a > b)
         a = s->above[a];
      else
         b = s->above[b];
   return a;
}

static void
find_above(struct sinker *s)
{
   const struct vc *c = s->c;

   s->above[0] = 0;
   for (uint32_t n = 1; n < c->num_blocks; n++) {
      const struct vc_block *b = &c->blocks[n];
      s->above[n] = NOWHERE;
      for (uint32_t i = 0; i < b->num_preds; i++) {
         const uint32_t from = b->preds[i];
         if (from >= n || s->above[from] == NOWHERE)
            continue;
         s->above[n] = s->above[n] == NOWHERE ? from : meet(s, s->above[n], from);
      }
   }
}

static void
note_reader(struct vc_operand *o, unsigned size, void *data)
{
   struct sinker *s = data;

   if (o->kind != VC_VALUE)
      return;
   s->registers += size;
   uint32_t *lowest = &s->lowest[o->value];
   *lowest = *lowest == NOWHERE ? s->block : meet(s, *lowest, s->block);
}

static void
count_register(struct vc_operand *o, unsigned size, void *data)
{
   struct sinker *s = data;
   if (o->kind != VC_VALUE)
      return;
   s->registers += size;
   if (s->written[o->value] > 1) /* something else may be in it further down */
      s->registers += VALHALL_REGISTERS;
}

static bool
may_move(struct sinker *s, struct vc_inst *inst)
{
   const struct vc *c = s->c;

   if (!inst->dest || inst->memory != VC_PURE || inst->op >= VALHALL_OP_COUNT ||
       s->written[inst->dest] != 1 || c->values[inst->dest].fixed)
      return false;
   s->registers = 0;
   vc_visit(inst, count_register, s);
   if (!vc_is_message(inst->op))
      return !s->registers;
   return valhall_info(inst->op)->unit != VALHALL_UNIT_TEX && s->registers <= vc_written(c, inst);
}

static uint32_t
place_for(const struct sinker *s, const struct vc_inst *inst, uint32_t from)
{
   const struct vc *c = s->c;
   uint32_t to = s->lowest[inst->dest];

   if (to == NOWHERE)
      return from;
   while (c->blocks[to].loop_depth > c->blocks[from].loop_depth && to != from)
      to = s->above[to];
   return to;
}

static void
count_writers(struct sinker *s)
{
   const struct vc *c = s->c;

   for (uint32_t n = 0; n < c->num_blocks; n++) {
      const struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++)
         if (b->insts[i]->dest && s->written[b->insts[i]->dest] < 2)
            s->written[b->insts[i]->dest]++;
   }
}

/* As they were before they were scheduled. */
static void
restore_order(struct vc *c)
{
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      if (b->written)
         memcpy(b->insts, b->written, b->num_insts * sizeof(struct vc_inst *));
      b->written = NULL;
   }
}

static bool
sink_block(struct sinker *s, uint32_t n)
{
   struct vc *c = s->c;
   struct vc_block *b = &c->blocks[n];
   uint32_t kept = b->num_insts;

   s->block = n;
   note_reader(&b->cond, 1, s);
   for (uint32_t i = b->num_insts; i-- > 0;) {
      struct vc_inst *inst = b->insts[i];
      const uint32_t to = may_move(s, inst) ? place_for(s, inst, n) : n;
      s->block = to;
      vc_visit(inst, note_reader, s);
      if (to == n)
         b->insts[--kept] = inst;
      else
         vc_insert(c, to, 0, inst);
   }
   b->num_insts -= kept;
   if (kept)
      memmove(b->insts, b->insts + kept, b->num_insts * sizeof(*b->insts));
   return kept;
}

bool
vc_sink(struct vc *c)
{
   struct sinker s = {
      .c = c,
      .above = vc_alloc(c, c->num_blocks * sizeof(*s.above)),
      .lowest = vc_alloc(c, c->num_values * sizeof(*s.lowest)),
      .written = vc_alloc(c, c->num_values),
   };
   bool moved = false;

   restore_order(c);
   find_above(&s);
   count_writers(&s);
   memset(s.lowest, 0xff, c->num_values * sizeof(*s.lowest));
   for (uint32_t n = c->num_blocks; n-- > 0;)
      if (s.above[n] != NOWHERE)
         moved |= sink_block(&s, n);
   return moved;
}
