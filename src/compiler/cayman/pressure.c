/* SPDX-License-Identifier: MIT */
/*
 * Register pressure while a block is scheduled: how many values are alive, and what an instruction
 * changes in that.
 *
 * What leaves the block alive is known from the allocation before: scheduling does not change it.
 * Values that were made since then live within their block.
 */
#include "schedule.h"

#include <string.h>

static bool
is_in(const struct cc_pressure *p, const uint64_t *set, value_id v)
{
   return set && v / 64 < p->words && set[v / 64] >> v % 64 & 1;
}

static void
forget(struct cc_operand *o, void *data)
{
   struct cc_pressure *p = data;
   if (o->kind == OPERAND_VALUE && o->value < p->count) {
      p->value[o->value].left = 0;
      p->value[o->value].alive = is_in(p, p->b->live_in, o->value);
   }
}

static void
forget_result(value_id *v, void *data)
{
   struct cc_operand o = op_value(*v);
   forget(&o, data);
}

static void
count(struct cc_operand *o, void *data)
{
   struct cc_pressure *p = data;
   if (o->kind == OPERAND_VALUE && o->value < p->count)
      p->value[o->value].left++;
}

void
cc_pressure_begin(struct cc_pressure *p, struct compiler *c, const struct cc_block *b)
{
   if (p->count < c->num_values) {
      p->count = c->num_values;
      p->value = cc_alloc(c, sizeof(*p->value) * p->count);
   }
   p->b = b;
   p->words = c->num_live_words;
   p->alive = 0;
   for (uint32_t w = 0; b->live_in && w < p->words; w++)
      p->alive += __builtin_popcountll(b->live_in[w]);
   const uint32_t all = b->num_insts + (b->pred != NULL);
   for (uint32_t i = 0; i < all; i++) {
      struct inst *inst = i < b->num_insts ? b->insts[i] : b->pred;
      cc_visit_operands(inst, forget, p);
      cc_visit_dsts(inst, forget_result, p);
   }
   for (uint32_t i = 0; i < all; i++)
      cc_visit_operands(i < b->num_insts ? b->insts[i] : b->pred, count, p);
}

static void
read_operand(struct cc_operand *o, void *data)
{
   struct cc_pressure *p = data;
   if (o->kind != OPERAND_VALUE || o->value >= p->count)
      return;
   struct cc_pressed *v = &p->value[o->value];
   if (--v->left == 0 && v->alive && !is_in(p, p->b->live_out, o->value)) {
      v->alive = false;
      p->alive--;
   }
}

static void
write_result(value_id *dst, void *data)
{
   struct cc_pressure *p = data;
   if (*dst >= p->count)
      return;
   struct cc_pressed *v = &p->value[*dst];
   if (!v->alive && (v->left || is_in(p, p->b->live_out, *dst))) {
      v->alive = true;
      p->alive++;
   }
}

void
cc_pressure_take(struct cc_pressure *p, struct inst *inst)
{
   cc_visit_operands(inst, read_operand, p);
   cc_visit_dsts(inst, write_result, p);
}

static void
unread_operand(struct cc_operand *o, void *data)
{
   struct cc_pressure *p = data;
   if (o->kind == OPERAND_VALUE && o->value < p->count)
      p->value[o->value].left++;
}

static void
try_operand(struct cc_operand *o, void *data)
{
   struct cc_pressure *p = data;
   if (o->kind != OPERAND_VALUE || o->value >= p->count)
      return;
   struct cc_pressed *v = &p->value[o->value];
   if (--v->left == 0 && v->alive && !is_in(p, p->b->live_out, o->value))
      p->change--;
}

static void
try_result(value_id *dst, void *data)
{
   struct cc_pressure *p = data;
   if (*dst < p->count && !p->value[*dst].alive)
      p->change++;
}

int
cc_pressure_of(struct cc_pressure *p, struct inst *inst)
{
   p->change = 0;
   cc_visit_operands(inst, try_operand, p);
   cc_visit_operands(inst, unread_operand, p);
   cc_visit_dsts(inst, try_result, p);
   return p->change;
}
