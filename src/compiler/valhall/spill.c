/* SPDX-License-Identifier: MIT */
/*
 * Values into thread storage, where registers do not suffice.
 *
 * What is written goes to its place behind the instruction, from a register of its own; what is
 * read comes from there in front of it.  These registers live from one instruction to the next and
 * are never spilled.  Chosen are values that are needed where one found no register, those first
 * that are needed long and used little; a use in a loop counts eight times.
 */
#include "ir.h"

#define SHORTEST 3u

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

/* A register, or several, of the spilled value. */
static uint32_t
load(struct vc *c, uint32_t block, uint32_t *at, uint32_t slot, unsigned size)
{
   struct vc_inst *inst = access(c, VALHALL_OP_LOAD_I8, slot, size);
   vc_set(inst, VALHALL_MOD_UNSIGNED, 1);
   inst->dest = passing(c, size);
   vc_insert(c, block, (*at)++, inst);
   c->out->num_fetches++;
   return inst->dest;
}

static void
spill_operand(struct vc *c, uint32_t block, uint32_t *at, uint32_t v, uint32_t slot,
              struct vc_operand *o, unsigned size)
{
   if (o->kind != VC_VALUE || o->value != v)
      return;
   uint32_t from = load(c, block, at, slot + 4 * o->comp, size);
   o->value = from;
   o->comp = 0;
}

static void
spill_value(struct vc *c, uint32_t v, uint32_t slot)
{
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      for (uint32_t i = 0; i < c->blocks[n].num_insts; i++) {
         struct vc_inst *inst = c->blocks[n].insts[i];
         c->place = inst->place;
         for (unsigned k = 0; inst->op < VALHALL_OP_COUNT && k < valhall_info(inst->op)->num_src;
              k++)
            spill_operand(c, n, &i, v, slot, &inst->src[k], vc_src_size(inst, k));
         if (inst->staging == v)
            inst->staging = load(c, n, &i, slot, inst->staged);
         if (inst->dest != v)
            continue;
         unsigned size = vc_written(c, inst), comp = inst->dest_comp;
         struct vc_inst *store = access(c, VALHALL_OP_STORE_I8, slot + 4 * comp, size);
         store->memory = VC_WRITE;
         inst->dest = store->staging = passing(c, size);
         inst->dest_comp = 0;
         store->staged = (uint8_t)size;
         vc_insert(c, n, ++i, store);
      }
      uint32_t end = c->blocks[n].num_insts;
      struct vc_operand cond = c->blocks[n].cond;
      c->place = c->blocks[n].place;
      spill_operand(c, n, &end, v, slot, &cond, 1);
      c->blocks[n].cond = cond;
   }
   c->out->num_spilled++;
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

bool
vc_spill(struct vc *c, unsigned count)
{
   struct cost k = { c, vc_alloc(c, c->num_values * sizeof(*k.cost)), 0 };
   uint32_t num_values = c->num_values;
   bool *chosen = vc_alloc(c, num_values);
   bool any = false, there;

   count_costs(&k);
   for (unsigned n = 0; n < count; n++) {
      uint32_t best = 0;
      uint64_t best_length = 0;
      for (uint32_t v = 1; v < num_values; v++) {
         const struct vc_value *value = &c->values[v];
         if (chosen[v] || value->fixed || value->short_lived || value->size > 4 || !k.cost[v])
            continue;
         uint64_t l = length(c, v, c->wanted, &there);
         if (!there || l <= SHORTEST)
            continue;
         if (!best || l * k.cost[best] > best_length * k.cost[v]) {
            best = v;
            best_length = l;
         }
      }
      if (!best)
         break;
      chosen[best] = any = true;
      spill_value(c, best, c->scratch_bytes);
      c->scratch_bytes += 4u * c->values[best].size;
      if (c->scratch_bytes > 32000)
         vc_fail(c, "not implemented: more than 32000 bytes of thread storage");
   }
   return any;
}

/* --- what is preloaded ------------------------------------------------------------------------ */

struct split {
   uint32_t *to;
};

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
      if (c->values[v].fixed)
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
