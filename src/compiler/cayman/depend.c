/* SPDX-License-Identifier: MIT */
/*
 * The dependence graph of a block.
 *
 * A result can be read one group later.  A variable may be written in the group that still reads
 * its old value, because all operands of a group are read first (4.3); array elements that were
 * written through an index can be read two groups later (4.6.1: the hardware does not see that
 * hazard). Kills, exports and stores keep their order, and memory is written before or after a
 * kill as the program does.
 */
#include "schedule.h"

#include <string.h>

struct last {
   uint32_t epoch; /* of the block it speaks of */
   struct inst *writer;
   struct inst **readers; /* since the writer; of variables only */
   uint32_t num_readers, cap_readers;
};

/* What was last done to a memory, or to an element of an array. */
struct array_state {
   struct inst *store;
   struct inst **loads; /* since the store */
   uint32_t num_loads, cap_loads;
};

/* A channel of an array of GPRs: what was done to each element, and at indices, to any of them. */
struct array_channel {
   uint32_t epoch; /* of the block it speaks of */
   struct array_state *element, any;
};

struct depend {
   struct compiler *c;
   uint32_t epoch;
   struct last *last;            /* by value */
   struct array_channel *arrays; /* four of each */
   struct array_state memory[SPACE_COUNT];
   struct inst *side_effect;
   struct inst *inst;
};

static void
edge(struct depend *d, struct inst *from, struct inst *to, unsigned latency)
{
   if (!from || from == to)
      return;
   for (uint32_t i = from->num_succ; i-- > 0 && i + 4 > from->num_succ;) {
      if (from->succ[i] == to) {
         if (from->succ_latency[i] < latency)
            from->succ_latency[i] = latency;
         return;
      }
   }
   uint32_t cap = from->cap_succ;
   from->succ = cc_grow(d->c, from->succ, from->num_succ, &cap, sizeof(*from->succ));
   if (cap != from->cap_succ) {
      uint8_t *latencies = cc_alloc(d->c, cap);
      if (from->num_succ)
         memcpy(latencies, from->succ_latency, from->num_succ);
      from->succ_latency = latencies;
      from->cap_succ = cap;
   }
   from->succ[from->num_succ] = to;
   from->succ_latency[from->num_succ++] = latency;
   from->feeds_slots |= to->kind == INST_ALU && to->num_lanes > 1;
   to->num_preds++;
}

/* What the block has done to a value so far. */
static struct last *
last_of(struct depend *d, value_id v)
{
   struct last *l = &d->last[v];

   if (l->epoch != d->epoch) {
      l->epoch = d->epoch;
      l->writer = NULL;
      l->num_readers = 0;
   }
   return l;
}

static void
note_load(struct depend *d, struct array_state *a)
{
   a->loads = cc_grow(d->c, a->loads, a->num_loads, &a->cap_loads, sizeof(*a->loads));
   a->loads[a->num_loads++] = d->inst;
}

/* The instruction comes after the store, so that it can read what was stored or store itself; when
 * it stores, not before what loads: all operands of a group are read first. */
static void
follow(struct depend *d, const struct array_state *a, bool stores)
{
   edge(d, a->store, d->inst, stores ? 1 : 2);
   for (uint32_t i = 0; stores && i < a->num_loads; i++)
      edge(d, a->loads[i], d->inst, 0);
}

/* Loads at an index that stores of single elements may come after one by one: the edges are a
 * product. */
#define MAX_LOADS_AT_INDEX 64

/* Elements do not meet, but at an index any of them may be meant. */
static void
access_array(struct depend *d, uint32_t array, unsigned chan, uint32_t elem, bool any, bool stores)
{
   struct array_channel *a = &d->arrays[array * 4 + chan];
   const uint32_t size = d->c->arrays[array].size;

   if (!a->element)
      a->element = cc_alloc(d->c, sizeof(*a->element) * size);
   if (a->epoch != d->epoch) {
      a->epoch = d->epoch;
      a->any = (struct array_state){ 0 };
      memset(a->element, 0, sizeof(*a->element) * size);
   }
   any |= stores && a->any.num_loads > MAX_LOADS_AT_INDEX;
   follow(d, &a->any, stores);
   for (uint32_t e = any ? 0 : elem; e < size && (any || e == elem); e++) {
      follow(d, &a->element[e], stores);
      if (stores) {
         a->element[e].num_loads = 0;
         a->element[e].store = any ? NULL : d->inst;
      }
   }
   if (stores && any) {
      a->any.num_loads = 0;
      a->any.store = d->inst;
   } else if (!stores) {
      note_load(d, any ? &a->any : &a->element[elem]);
   }
}

static void
read_operand(struct cc_operand *o, void *data)
{
   struct depend *d = data;

   if (o->kind == OPERAND_VALUE) {
      struct last *l = last_of(d, o->value);
      edge(d, l->writer, d->inst, 1);
      if (!d->c->values[o->value].ssa) {
         l->readers =
            cc_grow(d->c, l->readers, l->num_readers, &l->cap_readers, sizeof(*l->readers));
         l->readers[l->num_readers++] = d->inst;
      }
   } else if (o->kind == OPERAND_ARRAY) {
      access_array(d, o->bank, o->chan, o->index, o->rel, false);
   }
}

static void
write_value(value_id *v, void *data)
{
   struct depend *d = data;
   struct last *l = last_of(d, *v);

   edge(d, l->writer, d->inst, 1);
   for (uint32_t i = 0; i < l->num_readers; i++)
      edge(d, l->readers[i], d->inst, 0);
   l->num_readers = 0;
   l->writer = d->inst;
}

/* Reads and writes of a space keep their order, reads among themselves do not. */
static void
access_space(struct depend *d, struct inst *inst, struct array_state *m)
{
   if (inst->memory == MEMORY_READ) {
      edge(d, m->store, inst, 1);
      m->loads = cc_grow(d->c, m->loads, m->num_loads, &m->cap_loads, sizeof(*m->loads));
      m->loads[m->num_loads++] = inst;
   } else {
      edge(d, m->store, inst, 1);
      for (uint32_t i = 0; i < m->num_loads; i++)
         edge(d, m->loads[i], inst, 1);
      m->num_loads = 0;
      m->store = inst;
   }
}

static void
access_memory(struct depend *d, struct inst *inst)
{
   for (unsigned s = 0; s < SPACE_COUNT; s++)
      if (inst->memory == MEMORY_BARRIER || inst->space == s)
         access_space(d, inst, &d->memory[s]);
}

/* Kills, exports and stores; what a pixel writes to memory it writes before or after a kill. */
static bool
keeps_order(const struct compiler *c, const struct inst *inst)
{
   if (inst->memory)
      return inst->memory != MEMORY_READ && c->out->stage == SHADER_STAGE_PS && c->out->ps.kills;
   return inst->side_effect && !(inst->kind == INST_ALU && inst->lane[0].to_array);
}

void
cc_depend(struct compiler *c, struct cc_block *b)
{
   struct depend d = { .c = c };

   /* One table for all blocks: clearing it for each would be quadratic. */
   if (c->num_depend_last < c->num_values) {
      c->num_depend_last = c->num_values * 2;
      c->depend_last = cc_alloc(c, sizeof(*d.last) * c->num_depend_last);
   }
   d.last = c->depend_last;
   d.epoch = ++c->depend_epoch;
   if (!c->depend_arrays)
      c->depend_arrays = cc_alloc(c, sizeof(*d.arrays) * 4 * (c->num_arrays + 1));
   d.arrays = c->depend_arrays;
   for (uint32_t i = 0; i < b->num_insts; i++) {
      struct inst *inst = b->insts[i];
      d.inst = inst;
      inst->num_preds = inst->num_succ = 0;
      inst->feeds_slots = false;
      inst->height = 0;
      cc_visit_operands(inst, read_operand, &d);
      if (inst->kind == INST_ALU && inst->lane[0].to_array) {
         const struct lane *lane = &inst->lane[0];
         access_array(&d, lane->array, lane->array_chan, lane->array_elem, lane->dst_rel, true);
      } else if (inst->memory) {
         access_memory(&d, inst);
      }
      if (keeps_order(c, inst)) {
         edge(&d, d.side_effect, inst, 1);
         d.side_effect = inst;
      }
      if (inst->pop_of)
         edge(&d, inst->pop_of, inst, 1);
      cc_visit_dsts(inst, write_value, &d);
   }
   for (uint32_t i = b->num_insts; i-- > 0;) {
      struct inst *inst = b->insts[i];
      const bool alu = inst->kind == INST_ALU;
      inst->groups = alu;
      for (uint32_t s = 0; s < inst->num_succ; s++) {
         uint32_t h = inst->succ[s]->height + inst->succ_latency[s];
         uint32_t groups = inst->succ[s]->groups + (alu && inst->succ_latency[s]);
         if (h > inst->height)
            inst->height = h;
         if (groups > inst->groups)
            inst->groups = groups;
      }
   }
}
