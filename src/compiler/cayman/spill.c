/* SPDX-License-Identifier: MIT */
/*
 * Spilling: when values do not fit the registers, some live in scratch memory.
 *
 * A spilled value is stored after each of its writers and loaded in front of each of its readers
 * (HD 6900 ISA 6.1); what remains in registers lives for a few instructions.  What the hardware
 * loads is stored at the top of the program.  The values that are alive longest for each of their
 * uses go first.  The program is then scheduled anew, in a narrow window, so that the loads stay
 * near their readers.
 */
#include "ir.h"

#include <stdlib.h>
#include <string.h>

struct slot {
   uint32_t vec4;
   uint8_t comp;
   bool used;
};

struct spiller {
   struct compiler *c;
   struct slot *slots; /* by value */
   uint32_t old_values;
   struct cc_block *b;
   uint32_t place; /* of the instruction in hand */
   struct {
      value_id from, to;
   } loaded[32], stored[16];
   unsigned num_loaded, num_stored;
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

static void
load_operand(struct cc_operand *o, void *data)
{
   struct spiller *s = data;

   if (o->kind != OPERAND_VALUE || o->value >= s->old_values || !s->slots[o->value].used)
      return;
   for (unsigned i = 0; i < s->num_loaded; i++) {
      if (s->loaded[i].from == o->value) {
         o->value = s->loaded[i].to;
         return;
      }
   }
   const struct slot *slot = &s->slots[o->value];
   struct inst *load = cc_scratch_load(s->c, slot->vec4, s->place);
   value_id v = cc_value(s->c);
   s->c->values[v].def = load;
   s->c->values[v].passing = true;
   load->fetch[0].dst[slot->comp] = v;
   cc_append(s->c, s->b, load);
   if (s->num_loaded < 32) {
      s->loaded[s->num_loaded].from = o->value;
      s->loaded[s->num_loaded++].to = v;
   }
   o->value = v;
}

static void
rename_result(value_id *v, void *data)
{
   struct spiller *s = data;

   if (*v >= s->old_values || !s->slots[*v].used || s->num_stored == 16)
      return;
   value_id t = cc_value(s->c);
   s->c->values[t].passing = true;
   if (s->c->values[*v].pinned)
      cc_pin(s->c, t, s->c->values[*v].chan);
   s->stored[s->num_stored].from = *v;
   s->stored[s->num_stored++].to = t;
   *v = t;
}

static void
spill_inst(struct spiller *s, struct inst *inst)
{
   s->num_loaded = s->num_stored = 0;
   s->place = inst->place;
   cc_visit_operands(inst, load_operand, s);
   cc_visit_dsts(inst, rename_result, s);
}

static void
store(struct spiller *s, const struct slot *slot, value_id v)
{
   struct inst *inst = cc_scratch_store(s->c, slot->vec4, s->place);

   inst->export.proto.comp_mask = 1u << slot->comp;
   inst->export.src[slot->comp] = op_value(v);
   cc_append(s->c, s->b, inst);
}

static void
store_inputs(struct spiller *s)
{
   for (value_id v = 1; v < s->old_values; v++) {
      if (s->slots[v].used && s->c->values[v].input) {
         store(s, &s->slots[v], v);
         s->c->values[v].passing = true;
      }
   }
}

static void
spill_block(struct spiller *s, struct cc_block *b)
{
   struct inst **old = b->insts;
   uint32_t count = b->num_insts;

   s->b = b;
   b->insts = NULL;
   b->num_insts = b->cap_insts = 0;
   if (b == s->c->blocks) {
      s->place = s->c->entry;
      store_inputs(s); /* no loop begins here */
   }
   for (uint32_t i = 0; i < count; i++) {
      spill_inst(s, old[i]);
      cc_append(s->c, b, old[i]);
      for (unsigned k = 0; k < s->num_stored; k++) {
         s->c->values[s->stored[k].to].def = old[i];
         store(s, &s->slots[s->stored[k].from], s->stored[k].to);
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

bool
cc_spill(struct compiler *c, const uint32_t *lifetime, uint32_t shortest, unsigned count)
{
   struct spiller s = { .c = c, .old_values = c->num_values };
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
   for (uint32_t i = 0; i < n && i < count; i++) {
      struct slot *slot = &s.slots[candidates[i].value];
      slot->used = true;
      slot->vec4 = c->out->scratch_vec4s + i / 4;
      slot->comp = i % 4;
      c->out->num_spilled++;
   }
   c->out->scratch_vec4s += ((n < count ? n : count) + 3) / 4;
   if (c->out->scratch_vec4s > 4095)
      cc_fail(c, "out of scratch memory");
   for (uint32_t b = 0; b < c->num_blocks; b++)
      spill_block(&s, &c->blocks[b]);
   return true;
}
