/* SPDX-License-Identifier: MIT */
/*
 * Removes choices that choose nothing.
 *
 * A VC_PHI of one and the same operand throughout, or itself, is that operand.  Taking one
 * away may make another such one, so that it goes on until there is none.
 */
#include "ir.h"

struct state {
   struct vc *c;
   struct vc_operand *now; /* what a value has become; NONE: itself */
};

static struct vc_operand
resolve(const struct state *s, struct vc_operand o)
{
   while (o.kind == VC_VALUE && s->now[o.value].kind) {
      struct vc_operand to = s->now[o.value];
      if (to.kind == VC_VALUE) /* a choice is of single registers */
         to.comp = (uint8_t)(to.comp + o.comp);
      to.neg = o.neg;
      to.abs = o.abs;
      to.invert = o.invert;
      to.select = o.select;
      o = to;
   }
   return o;
}

static void
replace(struct vc_operand *o, unsigned size, void *data)
{
   (void)size;
   *o = resolve(data, *o);
}

/* The one operand of a choice; NONE: there are several. */
static struct vc_operand
only(const struct state *s, const struct vc_inst *inst)
{
   struct vc_operand one = { 0 };

   for (uint32_t n = 0; n < inst->num_list; n++) {
      struct vc_operand o = resolve(s, inst->list[n]);
      if (o.kind == VC_VALUE && o.value == inst->dest)
         continue;
      if (one.kind && !vc_same(one, o))
         return (struct vc_operand){ 0 };
      one = o;
   }
   return one.kind ? one : vc_bits(0);
}

void
vc_simplify(struct vc *c)
{
   struct state s = { .c = c, .now = vc_alloc(c, c->num_values * sizeof(*s.now)) };
   bool changed = true;

   while (changed) {
      changed = false;
      for (uint32_t n = 0; n < c->num_blocks; n++) {
         struct vc_block *b = &c->blocks[n];
         for (uint32_t i = 0; i < b->num_insts && b->insts[i]->op == VC_PHI; i++) {
            struct vc_inst *inst = b->insts[i];
            struct vc_operand one = inst->dead ? (struct vc_operand){ 0 } : only(&s, inst);
            if (!one.kind)
               continue;
            s.now[inst->dest] = one;
            inst->dead = true;
            changed = true;
         }
      }
   }
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      uint32_t kept = 0;
      for (uint32_t i = 0; i < b->num_insts; i++) {
         if (b->insts[i]->dead)
            continue;
         vc_visit(b->insts[i], replace, &s);
         b->insts[kept++] = b->insts[i];
      }
      b->num_insts = kept;
      b->cond = resolve(&s, b->cond);
   }
}
