/* SPDX-License-Identifier: MIT */
/* Adding instructions to the program being made: copies with changed references, new ones,
 * constants. */
#include "pass.h"

#include <stdlib.h>
#include <string.h>

#define MAX_INSTS 200000
#define SEARCHED  64 /* literals, of those made last, for a constant that is there */

/* --- copies ----------------------------------------------------------------------------------- */

/* il_inst.place of an instruction that is read; of none that of the program's first. */
static uint32_t
place_of(const struct il_lower *l, const struct il_inst *inst)
{
   return !inst ? 1 : inst->place ? inst->place : 1 + (uint32_t)(inst - l->insts);
}

static bool
is_read(const struct il_lower *l, const struct il_inst *inst)
{
   return inst >= l->insts && inst < l->insts + l->num_insts;
}

struct il_inst *
lower_add(struct il_lower *l, const struct il_inst *inst)
{
   if (l->out->ninsts >= MAX_INSTS)
      lower_fail(l, "not implemented: calls that expand to more than %u instructions", MAX_INSTS);
   struct il_inst *added = il_emit(l->out, inst->op, 0, NULL, 0, NULL);
   if (!added) {
      if (!l->out->oom)
         lower_fail(l, "not an opcode: %u", inst->op);
      lower_fail(l, "out of memory");
   }
   *added = *inst;
   added->place = inst->place ? inst->place : place_of(l, is_read(l, inst) ? inst : l->at);
   return added;
}

/* Indices first. */
static void
change(struct il_lower *l, struct il_ref *r, lower_ref_fn *fn, void *data)
{
   if (r->rel == IL_ADDR_REG_RELATIVE && r->index)
      r->index = lower_index(l, lower_copy_src(l, r->index, fn, data));
   fn(l, r, data);
}

static struct il_ref *
changed_dimension(struct il_lower *l, const struct il_ref *from, lower_ref_fn *fn, void *data)
{
   if (!from)
      return NULL;
   struct il_ref *r = lower_alloc(l, sizeof(*r));
   *r = *from;
   change(l, r, fn, data);
   return r;
}

struct il_src
lower_copy_src(struct il_lower *l, const struct il_src *from, lower_ref_fn *fn, void *data)
{
   struct il_src src = *from;

   change(l, &src.r, fn, data);
   src.dim2 = changed_dimension(l, from->dim2, fn, data);
   return src;
}

struct il_dst
lower_copy_dst(struct il_lower *l, const struct il_dst *from, lower_ref_fn *fn, void *data)
{
   struct il_dst dst = *from;

   change(l, &dst.r, fn, data);
   dst.dim2 = changed_dimension(l, from->dim2, fn, data);
   return dst;
}

void
lower_copy_inst(struct il_lower *l, const struct il_inst *from, lower_ref_fn *fn, void *data)
{
   struct il_inst inst = *from;

   inst.place = is_read(l, from) ? place_of(l, from) : from->place;
   if (inst.ndst)
      inst.dst = lower_alloc(l, inst.ndst * sizeof(*inst.dst));
   if (inst.nsrc)
      inst.src = lower_alloc(l, inst.nsrc * sizeof(*inst.src));
   for (unsigned i = 0; i < inst.ndst; i++)
      inst.dst[i] = lower_copy_dst(l, &from->dst[i], fn, data);
   for (unsigned i = 0; i < inst.nsrc; i++)
      inst.src[i] = lower_copy_src(l, &from->src[i], fn, data);
   lower_add(l, &inst);
}

static void
visit(const struct il_ref *r, lower_visit_fn *fn, void *data)
{
   for (; r; r = r->rel == IL_ADDR_REG_RELATIVE && r->index ? &r->index->r : NULL)
      fn(r, data);
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

/* --- new instructions ------------------------------------------------------------------------- */

void
lower_emit(struct il_lower *l, unsigned op, unsigned ctl, const struct il_dst *dst, unsigned nsrc,
           const struct il_src *src)
{
   struct il_inst inst = {
      .op = op, .ctl = ctl, .nsrc = nsrc, .ndst = dst != NULL, .offset = l->at ? l->at->offset : 0
   };

   if (dst) {
      inst.dst = lower_alloc(l, sizeof(*dst));
      *inst.dst = *dst;
   }
   if (nsrc) {
      inst.src = lower_alloc(l, nsrc * sizeof(*src));
      memcpy(inst.src, src, nsrc * sizeof(*src));
   }
   lower_add(l, &inst);
}

void
lower_flow(struct il_lower *l, unsigned op)
{
   lower_emit(l, op, 0, NULL, 0, NULL);
}

void
lower_if(struct il_lower *l, unsigned op, struct il_src condition)
{
   lower_emit(l, op, 0, NULL, 1, &condition);
}

/* temp.mask = op(a, b, c) */
void
lower_op(struct il_lower *l, unsigned op, unsigned ctl, uint32_t num, unsigned mask, unsigned nsrc,
         struct il_src a, struct il_src b, struct il_src c)
{
   struct il_dst dst = lower_temp_dst(num, mask);
   const struct il_src src[3] = { a, b, c };
   lower_emit(l, op, ctl, &dst, nsrc, src);
}

struct il_src *
lower_index(struct il_lower *l, struct il_src index)
{
   struct il_src *copy = lower_alloc(l, sizeof(*copy));
   *copy = index;
   return copy;
}

void
lower_index_ref(struct il_lower *l, struct il_ref *r, struct il_src index)
{
   r->rel = IL_ADDR_REG_RELATIVE;
   r->index = lower_index(l, index);
}

/* --- constants -------------------------------------------------------------------------------- */

static struct lower_literal *
new_literal(struct il_lower *l)
{
   if (l->num_literals == l->cap_literals) {
      uint32_t cap = l->cap_literals ? 2 * l->cap_literals : 16;
      struct lower_literal *bigger = realloc(l->literals, cap * sizeof(*bigger));
      if (!bigger)
         lower_fail(l, "out of memory");
      l->literals = bigger;
      l->cap_literals = cap;
   }
   struct lower_literal *literal = &l->literals[l->num_literals++];
   *literal = (struct lower_literal){ .num = l->next_literal++ };
   return literal;
}

struct il_src
lower_bits(struct il_lower *l, uint32_t bits)
{
   struct lower_literal *literal = NULL;

   for (uint32_t n = l->num_literals > SEARCHED ? l->num_literals - SEARCHED : 0;
        n < l->num_literals; n++) {
      literal = &l->literals[n];
      for (unsigned i = 0; i < literal->count; i++)
         if (literal->bits[i] == bits)
            return il_replicate(il_src(IL_REGTYPE_LITERAL, literal->num), i);
   }
   if (!literal || literal->count == 4)
      literal = new_literal(l);
   literal->bits[literal->count] = bits;
   return il_replicate(il_src(IL_REGTYPE_LITERAL, literal->num), literal->count++);
}
