/* SPDX-License-Identifier: MIT */
/*
 * Spilling: when values do not fit the registers, some live in scratch memory.
 *
 * A spilled value is stored after each of its writers and loaded in front of its readers (HD 6900
 * ISA 6.1); what remains in registers lives for a few instructions.
 *
 *   1. What was stored or loaded a few instructions ago (REACH) is still in a register, and is not
 *      loaded again in its block.
 *   2. One load takes all components of its vec4 that are read within reach, and one store those
 *      that are written: values with writers near each other share a vec4.
 *   3. What the hardware loads is stored at the top of the program.
 *   4. The values that are alive longest for each of their uses go first.
 *
 * The program is then scheduled anew, in a narrow window, so that the loads stay near their
 * readers.
 */
#include "ir.h"

#include <stdlib.h>
#include <string.h>

/* Instructions. */
#define REACH 12u

struct slot {
   uint32_t vec4;
   uint8_t comp;
   bool used;
};

/* In the block at hand, at instruction `at`, a value was loaded as `to`, or stored from it. */
struct kept {
   value_id to;
   uint32_t at;
};

/* At instruction `at`, values were stored to a vec4. */
struct stored {
   struct inst *inst;
   uint32_t at;
};

struct spiller {
   struct compiler *c;
   struct slot *slots; /* by value */
   uint32_t old_values;
   struct cc_block *b;
   struct inst **old; /* its instructions as they were, of which `at` is at hand */
   uint32_t num_old, at;
   uint32_t place;        /* of the instruction in hand */
   struct kept *kept;     /* by value */
   struct stored *stores; /* by vec4, from `first_vec4` on */
   uint32_t first_vec4;
   value_id written[16]; /* by the instruction at hand */
   unsigned num_written;
};

struct inst *
cc_scratch_store(struct compiler *c, uint32_t vec4, uint32_t place)
{
   struct inst *inst = cc_inst(c, INST_EXPORT);

   inst->place = place;
   inst->export.proto.op = CAYMAN_CF_MEM_WR_SCRATCH;
   inst->export.proto.form = CAYMAN_CF_FORM_MEM;
   inst->export.proto.type = CAYMAN_MEM_WRITE_ACK;
   inst->export.proto.mark = true;
   inst->export.proto.elem_size = 3;
   inst->export.proto.array_base = vec4;
   inst->side_effect = true;
   inst->memory = MEMORY_WRITE;
   c->memory_written = true;
   return inst;
}

struct inst *
cc_scratch_load(struct compiler *c, uint32_t vec4, uint32_t place)
{
   struct inst *inst = cc_inst(c, INST_FETCH);

   inst->place = place;
   inst->num_fetches = 1;
   inst->fetch = cc_alloc(c, sizeof(*inst->fetch));
   inst->fetch[0].proto.kind = CAYMAN_FETCH_MEM;
   inst->fetch[0].proto.mem.op = CAYMAN_MEM_RD_SCRATCH;
   inst->fetch[0].proto.mem.elem_size = 3;
   inst->fetch[0].proto.mem.uncached = true;
   inst->fetch[0].proto.mem.data_format = CAYMAN_FMT_32_32_32_32_FLOAT;
   inst->fetch[0].proto.mem.srf_mode_all = true;
   inst->fetch[0].proto.mem.array_base = vec4;
   inst->memory = MEMORY_READ;
   return inst;
}

static const struct slot *
slot_of(const struct spiller *s, value_id v)
{
   return v < s->old_values && s->slots[v].used ? &s->slots[v] : NULL;
}

/* The register that still has a spilled value, or 0. */
static value_id
kept(const struct spiller *s, value_id v)
{
   const struct kept *k = &s->kept[v];

   return k->to && s->at - k->at <= REACH ? k->to : 0;
}

static void
keep(struct spiller *s, value_id from, value_id to)
{
   s->kept[from] = (struct kept){ .to = to, .at = s->at };
}

/* What of a vec4 one load may take: rule 2. */
struct want {
   const struct spiller *s;
   uint32_t vec4;
   value_id value[4];    /* by component */
   value_id written[64]; /* from the instruction at hand on */
   unsigned num_written;
};

static void
want_operand(struct cc_operand *o, void *data)
{
   struct want *w = data;
   const struct slot *slot = o->kind == OPERAND_VALUE ? slot_of(w->s, o->value) : NULL;

   if (!slot || slot->vec4 != w->vec4 || kept(w->s, o->value))
      return;
   for (unsigned n = 0; n < w->num_written; n++)
      if (w->written[n] == o->value)
         return;
   w->value[slot->comp] = o->value;
}

static void
note_written(value_id *v, void *data)
{
   struct want *w = data;

   if (slot_of(w->s, *v) && w->num_written < 64)
      w->written[w->num_written++] = *v;
}

static void
load_operand(struct cc_operand *o, void *data)
{
   struct spiller *s = data;
   const struct slot *slot = o->kind == OPERAND_VALUE ? slot_of(s, o->value) : NULL;

   if (!slot)
      return;
   if (kept(s, o->value)) {
      o->value = kept(s, o->value);
      return;
   }
   struct want want = { .s = s, .vec4 = slot->vec4 };
   want.value[slot->comp] = o->value;
   for (uint32_t n = s->at; n < s->num_old && n - s->at < REACH && want.num_written < 48; n++) {
      cc_visit_operands(s->old[n], want_operand, &want);
      cc_visit_dsts(s->old[n], note_written, &want);
   }
   struct inst *load = cc_scratch_load(s->c, slot->vec4, s->place);
   for (unsigned comp = 0; comp < 4; comp++) {
      if (!want.value[comp])
         continue;
      const value_id v = cc_value(s->c);
      s->c->values[v].def = load;
      s->c->values[v].passing = true;
      load->fetch[0].dst[comp] = v;
      keep(s, want.value[comp], v);
   }
   cc_append(s->c, s->b, load);
   o->value = s->kept[o->value].to;
}

static void
rename_result(value_id *v, void *data)
{
   struct spiller *s = data;

   if (!slot_of(s, *v) || s->num_written == 16)
      return;
   value_id t = cc_value(s->c);
   s->c->values[t].passing = true;
   if (s->c->values[*v].pinned)
      cc_pin(s->c, t, s->c->values[*v].chan);
   keep(s, *v, t);
   s->written[s->num_written++] = *v;
   *v = t;
}

static void
spill_inst(struct spiller *s, struct inst *inst)
{
   s->num_written = 0;
   s->place = inst->place;
   cc_visit_operands(inst, load_operand, s);
   cc_visit_dsts(inst, rename_result, s);
}

/* Takes an instruction of the block out of it; it is one of the last. */
static void
take_out(struct cc_block *b, const struct inst *inst)
{
   uint32_t n = b->num_insts;

   while (b->insts[n - 1] != inst)
      n--;
   memmove(&b->insts[n - 1], &b->insts[n], (b->num_insts - n) * sizeof(*b->insts));
   b->num_insts--;
}

/* With what was stored to the vec4 a few instructions ago: all that has read that since had it from
 * its register (kept()). */
static void
store(struct spiller *s, const struct slot *slot, value_id v)
{
   struct stored *last = &s->stores[slot->vec4 - s->first_vec4];
   struct inst *inst = last->inst;
   const unsigned bit = 1u << slot->comp;

   if (inst && s->at - last->at <= REACH && !(inst->export.proto.comp_mask & bit)) {
      take_out(s->b, inst);
   } else {
      inst = cc_scratch_store(s->c, slot->vec4, s->place);
      *last = (struct stored){ .inst = inst, .at = s->at };
   }
   inst->export.proto.comp_mask |= bit;
   inst->export.src[slot->comp] = op_value(v);
   cc_append(s->c, s->b, inst);
}

static void
store_inputs(struct spiller *s)
{
   for (value_id v = 1; v < s->old_values; v++) {
      if (s->slots[v].used && s->c->values[v].input) {
         keep(s, v, v);
         store(s, &s->slots[v], v);
         s->c->values[v].passing = true;
      }
   }
}

static void
spill_block(struct spiller *s, struct cc_block *b, uint32_t num_vec4s)
{
   s->old = b->insts;
   s->num_old = b->num_insts;
   s->at = 0;
   memset(s->kept, 0, s->old_values * sizeof(*s->kept));
   memset(s->stores, 0, num_vec4s * sizeof(*s->stores));
   s->b = b;
   b->insts = NULL;
   b->num_insts = b->cap_insts = 0;
   if (b == s->c->blocks) {
      s->place = s->c->entry;
      store_inputs(s); /* no loop begins here */
   }
   for (; s->at < s->num_old; s->at++) {
      struct inst *inst = s->old[s->at];

      spill_inst(s, inst);
      cc_append(s->c, b, inst);
      for (unsigned k = 0; k < s->num_written; k++) {
         const value_id to = s->kept[s->written[k]].to;

         s->c->values[to].def = inst;
         store(s, &s->slots[s->written[k]], to);
      }
   }
   if (b->pred)
      spill_inst(s, b->pred);
}

struct candidate {
   value_id value;
   uint64_t weight; /* positions alive per use */
};

static int
by_weight(const void *a, const void *b)
{
   const struct candidate *x = a, *y = b;
   if (x->weight != y->weight)
      return x->weight > y->weight ? -1 : 1;
   return x->value < y->value ? -1 : x->value > y->value;
}

static int
by_value(const void *a, const void *b)
{
   const struct candidate *x = a, *y = b;
   return x->value < y->value ? -1 : x->value > y->value;
}

bool
cc_spill(struct compiler *c, const uint32_t *lifetime, uint32_t shortest, unsigned count)
{
   struct spiller s = {
      .c = c,
      .old_values = c->num_values,
      .first_vec4 = c->out->scratch_vec4s,
   };
   struct candidate *candidates = cc_alloc(c, sizeof(*candidates) * c->num_values);
   uint32_t n = 0;

   s.slots = cc_alloc(c, sizeof(*s.slots) * c->num_values);
   for (value_id v = 1; v < c->num_values; v++) {
      const struct cc_value *value = &c->values[v];
      if (!value->passing && lifetime[v] > shortest) {
         candidates[n].value = v;
         candidates[n++].weight = (uint64_t)lifetime[v] * 256 / (value->uses + value->defs + 1);
      }
   }
   if (n == 0)
      return false;
   qsort(candidates, n, sizeof(*candidates), by_weight);
   n = n < count ? n : count;
   /* Values are numbered in the order in which they are made. */
   qsort(candidates, n, sizeof(*candidates), by_value);
   for (uint32_t i = 0; i < n; i++) {
      struct slot *slot = &s.slots[candidates[i].value];
      slot->used = true;
      slot->vec4 = s.first_vec4 + i / 4;
      slot->comp = i % 4;
      c->out->num_spilled++;
   }
   const uint32_t num_vec4s = (n + 3) / 4;
   c->out->scratch_vec4s += num_vec4s;
   if (c->out->scratch_vec4s > 4095)
      cc_fail(c, "out of scratch memory");
   s.kept = cc_alloc(c, sizeof(*s.kept) * s.old_values);
   s.stores = cc_alloc(c, sizeof(*s.stores) * num_vec4s);
   for (uint32_t b = 0; b < c->num_blocks; b++)
      spill_block(&s, &c->blocks[b], num_vec4s);
   return true;
}
