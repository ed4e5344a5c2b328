/* SPDX-License-Identifier: MIT */
/* Copies of instructions whose registers are changed on the way, for the passes of the lowering. */
#include "lower.h"

#include <string.h>

#define MAX_INSTS 200000

struct il_inst *
lower_add(struct lowerer *l, const struct il_inst *inst)
{
   if (l->out->ninsts == MAX_INSTS) {
      cc_fail(l->c, "not implemented: calls that expand to more than %u instructions", MAX_INSTS);
   }
   l->out->insts = cc_grow(l->c, l->out->insts, l->out->ninsts, &l->cap, sizeof(*inst));
   l->out->insts[l->out->ninsts] = *inst;
   l->out->insts[l->out->ninsts].place = l->place;
   return &l->out->insts[l->out->ninsts++];
}

/* Indices first. */
static void
change(struct lowerer *l, struct il_ref *r, lower_ref_fn *fn, void *data)
{
   if (r->rel == IL_ADDR_REG_RELATIVE && r->index) {
      r->index = lower_copy(l, lower_copy_src(l, r->index, fn, data));
   }
   fn(l, r, data);
}

static struct il_ref *
changed_dimension(struct lowerer *l, const struct il_ref *from, lower_ref_fn *fn, void *data)
{
   if (!from) {
      return NULL;
   }
   struct il_ref *r = cc_alloc(l->c, sizeof(*r));
   *r = *from;
   change(l, r, fn, data);
   return r;
}

struct il_src
lower_copy_src(struct lowerer *l, const struct il_src *from, lower_ref_fn *fn, void *data)
{
   struct il_src src = *from;

   change(l, &src.r, fn, data);
   src.dim2 = changed_dimension(l, from->dim2, fn, data);
   return src;
}

struct il_dst
lower_copy_dst(struct lowerer *l, const struct il_dst *from, lower_ref_fn *fn, void *data)
{
   struct il_dst dst = *from;

   change(l, &dst.r, fn, data);
   dst.dim2 = changed_dimension(l, from->dim2, fn, data);
   return dst;
}

void
lower_copy_inst(struct lowerer *l, const struct il_inst *from, lower_ref_fn *fn, void *data)
{
   struct il_inst inst = *from;

   if (inst.ndst) {
      inst.dst = cc_alloc(l->c, inst.ndst * sizeof(*inst.dst));
   }
   if (inst.nsrc) {
      inst.src = cc_alloc(l->c, inst.nsrc * sizeof(*inst.src));
   }
   for (unsigned i = 0; i < inst.ndst; i++) {
      inst.dst[i] = lower_copy_dst(l, &from->dst[i], fn, data);
   }
   for (unsigned i = 0; i < inst.nsrc; i++) {
      inst.src[i] = lower_copy_src(l, &from->src[i], fn, data);
   }
   lower_add(l, &inst);
}

static void
visit(const struct il_ref *r, lower_visit_fn *fn, void *data)
{
   for (; r; r = r->rel == IL_ADDR_REG_RELATIVE && r->index ? &r->index->r : NULL) {
      fn(r, data);
   }
}

void
lower_visit_refs(const struct il_inst *inst, lower_visit_fn *fn, void *data)
{
   for (unsigned i = 0; i < inst->ndst; i++) {
      visit(&inst->dst[i].r, fn, data);
      visit(inst->dst[i].dim2, fn, data);
   }
   for (unsigned i = 0; i < inst->nsrc; i++) {
      visit(&inst->src[i].r, fn, data);
      visit(inst->src[i].dim2, fn, data);
   }
}
