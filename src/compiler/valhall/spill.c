/* SPDX-License-Identifier: MIT */
/*
 * Values into thread storage, where registers do not suffice.
 *
 * What is written goes to its storage after the instruction, from a register of its own; what is
 * read comes from there in front of it.  These registers live from one instruction to the next and
 * are never spilled.  Chosen are values that are needed where one found no register, those first
 * that are needed long and used little; a use in a loop counts eight times.
 */
#include "ir.h"

#include <stdlib.h>

#define SHORTEST   3u
#define R_COVERAGE 60

static unsigned
memory_row(unsigned first, unsigned size)
{
   return first + (size == 1 ? 3u : size == 2 ? 5u : size == 3 ? 6u : 7u);
}

static struct vc_inst *
access(struct vc *c, unsigned first, uint32_t slot, unsigned size)
{
   struct vc_inst *inst = vc_new(c, memory_row(first, size));
   inst->src[0] = vc_special(1, VALHALL_SPECIAL_1_THREAD_LOCAL_POINTER, 0);
   inst->imm[0] = slot;
   return inst;
}

static uint32_t
passing(struct vc *c, unsigned size)
{
   uint32_t v = vc_value(c, size);
   c->values[v].short_lived = true;
   return v;
}

/* A block while it is written anew, and where chosen values go. */
struct rewrite {
   struct vc *c;
   const uint32_t *slot; /* by value: its byte + 1, or 0 */
   uint32_t num_values;
   uint32_t block;
   struct vc_inst **insts;
   uint32_t num_insts, cap_insts;
};

static void
append(struct rewrite *r, struct vc_inst *inst)
{
   r->insts = vc_grow(r->c, r->insts, r->num_insts, &r->cap_insts, sizeof(*r->insts));
   r->insts[r->num_insts++] = inst;
   inst->block = r->block;
}

static bool
is_spilled(const struct rewrite *r, uint32_t v)
{
   return v < r->num_values && r->slot[v];
}

/* A register, or several, of a spilled value. */
static uint32_t
load(struct rewrite *r, uint32_t v, unsigned comp, unsigned size)
{
   struct vc *c = r->c;
   struct vc_inst *inst = access(c, VALHALL_OP_LOAD_I8, r->slot[v] - 1 + 4 * comp, size);
   vc_set(inst, VALHALL_MOD_UNSIGNED, 1);
   inst->dest = passing(c, size);
   append(r, inst);
   c->out->num_fetches++;
   return inst->dest;
}

static void
read_operand(struct rewrite *r, struct vc_operand *o, unsigned size)
{
   if (o->kind != VC_VALUE || !is_spilled(r, o->value))
      return;
   o->value = load(r, o->value, o->comp, size);
   o->comp = 0;
}

static void
rewrite_inst(struct rewrite *r, struct vc_inst *inst)
{
   struct vc *c = r->c;

   c->place = inst->place;
   for (unsigned k = 0; inst->op < VALHALL_OP_COUNT && k < valhall_info(inst->op)->num_src; k++)
      read_operand(r, &inst->src[k], vc_src_size(inst, k));
   if (inst->staging && is_spilled(r, inst->staging))
      inst->staging = load(r, inst->staging, 0, inst->staged);
   append(r, inst);
   if (!inst->dest || !is_spilled(r, inst->dest))
      return;
   unsigned size = vc_written(c, inst);
   struct vc_inst *store =
      access(c, VALHALL_OP_STORE_I8, r->slot[inst->dest] - 1 + 4u * inst->dest_comp, size);
   store->memory = VC_WRITE;
   inst->dest = store->staging = passing(c, size);
   inst->dest_comp = 0;
   store->staged = (uint8_t)size;
   append(r, store);
}

static void
rewrite_blocks(struct vc *c, const uint32_t *slot, uint32_t num_values)
{
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct rewrite r = { .c = c, .slot = slot, .num_values = num_values, .block = n };
      struct vc_block *b = &c->blocks[n];

      for (uint32_t i = 0; i < b->num_insts; i++)
         rewrite_inst(&r, b->insts[i]);
      c->place = b->place;
      read_operand(&r, &b->cond, 1);
      b->insts = r.insts;
      b->num_insts = r.num_insts;
      b->cap_insts = r.cap_insts;
   }
}

/* --- the choice ------------------------------------------------------------------------------- */

struct cost {
   struct vc *c;
   uint64_t *cost; /* by value */
   uint64_t weight;
};

static void
count_read(struct vc_operand *o, unsigned size, void *data)
{
   struct cost *k = data;
   (void)size;
   if (o->kind == VC_VALUE)
      k->cost[o->value] += k->weight;
}

static void
count_costs(struct cost *k)
{
   struct vc *c = k->c;
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      k->weight = UINT64_C(1) << 3 * (b->loop_depth < 6 ? b->loop_depth : 6);
      for (uint32_t i = 0; i < b->num_insts; i++) {
         vc_visit(b->insts[i], count_read, k);
         if (b->insts[i]->dest)
            k->cost[b->insts[i]->dest] += k->weight;
      }
      count_read(&b->cond, 1, k);
   }
}

/* Positions at which the value is needed; and whether it is where another one is. */
static uint64_t
length(const struct vc *c, uint32_t v, const uint8_t *wanted, bool *there)
{
   uint64_t sum = 0;

   *there = false;
   for (unsigned i = 0; i < c->values[v].size; i++) {
      const struct vc_live *live = &c->live[c->unit[v] + i];
      for (uint32_t n = 0; n < live->count; n++) {
         sum += live->segments[n].to - live->segments[n].from;
         for (uint32_t p = live->segments[n].from; p < live->segments[n].to && !*there; p++)
            *there = wanted[p];
      }
   }
   return sum;
}

struct candidate {
   uint32_t value;
   uint64_t length, cost;
};

static int
compare(const void *a, const void *b)
{
   const struct candidate *x = a, *y = b;
   uint64_t first = x->length * y->cost, second = y->length * x->cost;
   if (first != second)
      return first > second ? -1 : 1;
   return x->value < y->value ? -1 : 1;
}

bool
vc_spill(struct vc *c, unsigned count)
{
   struct cost k = { c, vc_alloc(c, c->num_values * sizeof(*k.cost)), 0 };
   uint32_t num_values = c->num_values;
   uint32_t *slot = vc_alloc(c, num_values * sizeof(*slot));
   struct candidate *list = vc_alloc(c, num_values * sizeof(*list));
   uint32_t candidates = 0;

   count_costs(&k);
   for (uint32_t v = 1; v < num_values; v++) {
      const struct vc_value *value = &c->values[v];
      bool there;
      if (value->fixed || value->short_lived || value->size > 4 || !k.cost[v])
         continue;
      uint64_t positions = length(c, v, c->wanted, &there);
      if (there && positions > SHORTEST)
         list[candidates++] = (struct candidate){ v, positions, k.cost[v] };
   }
   qsort(list, candidates, sizeof(*list), compare);
   for (unsigned n = 0; n < count && n < candidates; n++) {
      uint32_t v = list[n].value;
      slot[v] = c->near + 1;
      c->out->num_spilled++;
      c->near += 4u * c->values[v].size;
      if (c->near > c->near_end)
         vc_fail(c, "not implemented: more than %u bytes of spilled values", c->near_end);
      if (c->scratch_bytes < c->near)
         c->scratch_bytes = c->near;
   }
   if (candidates)
      rewrite_blocks(c, slot, num_values);
   return candidates;
}

/* --- what is preloaded ------------------------------------------------------------------------ */

struct split {
   uint32_t *to;
};

/* A pixel's coverage stays where ATEST finds it: from elsewhere it would be another one to the
 * device, which then runs programs for each pixel that give the same for all. */
static bool
may_move(const struct vc *c, const struct vc_value *v)
{
   return v->fixed && !(c->out->stage == SHADER_STAGE_PS && v->reg == R_COVERAGE);
}

static void
take_copy(struct vc_operand *o, unsigned size, void *data)
{
   const struct split *s = data;
   (void)size;
   if (o->kind == VC_VALUE && s->to[o->value])
      o->value = s->to[o->value];
}

void
vc_split(struct vc *c)
{
   uint32_t num_values = c->num_values, at = 0;
   struct split s = { vc_alloc(c, num_values * sizeof(*s.to)) };

   c->place = c->blocks[0].place;
   for (uint32_t v = 1; v < num_values; v++)
      if (may_move(c, &c->values[v]))
         s.to[v] = vc_value(c, 1);
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      for (uint32_t i = 0; i < c->blocks[n].num_insts; i++)
         vc_visit(c->blocks[n].insts[i], take_copy, &s);
      take_copy(&c->blocks[n].cond, 1, &s);
   }
   for (uint32_t v = 1; v < num_values; v++) {
      if (!s.to[v])
         continue;
      struct vc_inst *inst = vc_new(c, VALHALL_OP_MOV_I32);
      inst->src[0] = vc_at(v, 0);
      inst->dest = s.to[v];
      vc_insert(c, 0, at++, inst);
   }
}
