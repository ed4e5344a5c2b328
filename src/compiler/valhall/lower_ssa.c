/* SPDX-License-Identifier: MIT */
/*
 * VC_PHI and VC_COLLECT become copies.
 *
 *  1. Each VC_PHI gets a value that all ways into its block write, at their ends, and that is
 *     copied where it stood.  No such copy reads what another one there writes, so
 *     their order is of no importance.
 *  2. VC_COLLECT is a copy for each register.  If an operand is computed for it alone, in the
 *     same block, it is computed there; a vector that is another one is that.  Two
 *     uniforms of one 64-bit slot are one copy, and so are a constant and a zero.
 *
 * Copies that remain are those that the allocator could not give one register.
 */
#include "ir.h"

static struct vc_inst *
copy(struct vc *c, uint32_t dest, unsigned comp, struct vc_operand from)
{
   bool word = from.kind == VC_CONST;
   int known = -1;

   for (unsigned n = 0; n < 32 && word && known < 0; n++)
      known = valhall_constant(n) == from.value ? (int)n : -1;
   struct vc_inst *inst =
      vc_new(c, word && known < 0 ? VALHALL_OP_IADD_IMM_I32 : VALHALL_OP_MOV_I32);
   inst->src[0] = from;
   if (word && known < 0) {
      inst->src[0] = vc_bits(0);
      inst->imm[0] = from.value;
   }
   inst->dest = dest;
   inst->dest_comp = (uint8_t)comp;
   return inst;
}

static void
lower_phis(struct vc *c)
{
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      for (uint32_t i = 0; i < c->blocks[n].num_insts && c->blocks[n].insts[i]->op == VC_PHI; i++) {
         struct vc_inst *inst = c->blocks[n].insts[i];
         uint32_t web = vc_value(c, 1);
         c->place = inst->place;
         for (uint32_t k = 0; k < inst->num_list; k++) {
            uint32_t pred = c->blocks[n].preds[k];
            c->place = c->blocks[pred].place;
            vc_insert(c, pred, c->blocks[pred].num_insts, copy(c, web, 0, inst->list[k]));
         }
         c->place = inst->place;
         c->blocks[n].insts[i] = copy(c, inst->dest, 0, vc_at(web, 0));
         c->blocks[n].insts[i]->block = n;
      }
   }
}

/* All registers of one vector, in their order? */
static bool
is_vector(const struct vc *c, const struct vc_inst *inst)
{
   const struct vc_operand *o = inst->list;
   for (uint32_t n = 0; n < inst->num_list; n++)
      if (o[n].kind != VC_VALUE || o[n].value != o[0].value || o[n].comp != n || o[n].neg ||
          o[n].abs)
         return false;
   return c->values[o[0].value].size == inst->num_list && !c->values[o[0].value].fixed;
}

struct rename {
   uint32_t *to; /* by value; 0: itself */
};

static void
rename_operand(struct vc_operand *o, unsigned size, void *data)
{
   const struct rename *r = data;
   (void)size;
   while (o->kind == VC_VALUE && r->to[o->value])
      o->value = r->to[o->value];
}

static void
merge_vectors(struct vc *c)
{
   struct rename r = { vc_alloc(c, c->num_values * sizeof(*r.to)) };

   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         struct vc_inst *inst = b->insts[i];
         vc_visit(inst, rename_operand, &r);
         if (inst->op == VC_COLLECT && is_vector(c, inst)) {
            r.to[inst->dest] = inst->list[0].value;
            inst->dead = true;
         }
      }
      rename_operand(&b->cond, 1, &r);
   }
}

/* Computed for this vector alone? */
static bool
is_own(const struct vc *c, const struct vc_inst *inst, uint32_t n)
{
   const struct vc_operand o = inst->list[n];
   if (o.kind != VC_VALUE || o.neg || o.abs || c->values[o.value].uses != 1 ||
       c->values[o.value].size != 1 || c->values[o.value].fixed)
      return false;
   const struct vc_inst *def = c->values[o.value].def;
   return def && def->block == inst->block && def->op < VALHALL_OP_COUNT &&
          valhall_info(def->op)->shape == VALHALL_SHAPE_DEST;
}

static bool
is_plain(const struct vc_operand *o)
{
   return !o->neg && !o->abs && !o->invert && !o->select;
}

/* Registers k and k + 1 from a 64-bit slot of uniforms, or a constant of the table and a zero. */
static bool
is_pair(const struct vc_inst *inst, uint32_t k)
{
   const struct vc_operand *o = inst->list + k;

   if (k % 2 || k + 1 >= inst->num_list || !is_plain(&o[0]) || !is_plain(&o[1]))
      return false;
   if (o[0].kind == VC_UNIFORM)
      return o[1].kind == VC_UNIFORM && o[0].value % 2 == 0 && o[1].value == o[0].value + 1;
   if (o[0].kind != VC_CONST || !vc_is(o[1], 0))
      return false;
   for (unsigned n = 0; n < 32; n++)
      if (valhall_constant(n) == o[0].value)
         return true;
   return false;
}

static void
lower_collects(struct vc *c)
{
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      for (uint32_t i = 0; i < c->blocks[n].num_insts; i++) {
         struct vc_inst *inst = c->blocks[n].insts[i];
         if (inst->op != VC_COLLECT || inst->dead)
            continue;
         inst->dead = true;
         c->place = inst->place;
         for (uint32_t k = 0; k < inst->num_list; k++) {
            if (is_own(c, inst, k)) {
               struct vc_inst *def = c->values[inst->list[k].value].def;
               def->dest = inst->dest;
               def->dest_comp = (uint8_t)k;
            } else if (is_pair(inst, k)) {
               struct vc_inst *both = vc_new_pair(c, inst->list[k]);
               both->dest = inst->dest;
               both->dest_comp = (uint8_t)k++;
               vc_insert(c, n, ++i, both);
            } else {
               vc_insert(c, n, ++i, copy(c, inst->dest, k, inst->list[k]));
            }
         }
      }
   }
}

void
vc_lower_ssa(struct vc *c)
{
   merge_vectors(c);
   vc_count_uses(c);
   lower_collects(c);
   lower_phis(c);
   vc_remove_dead(c);
}
