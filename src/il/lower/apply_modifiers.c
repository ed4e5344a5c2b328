/* SPDX-License-Identifier: MIT */
/*
 * Modifiers of sources (AMD IL 2.4, 2.2.7).  They act in this order:
 *
 *   swizzle
 *   invert    1 - x
 *   bias      x - 0.5
 *   x2        2 x
 *   sign      -1, 0 or 1; of NaN 1
 *   divComp   components in front of the one that it names are divided by that one, the
 *             modifiers above applied to both: the product with the reciprocal; by zero the
 *             largest float, below zero if the dividend is
 *   abs, neg  of floats their sign bit, of doubles that of the high dword; neg of integers the
 *             two's complement
 *   clamp     0 to 1; of NaN 0
 *
 * This pass leaves swizzle, abs and neg, which machines have.  What Table 2.10 denies the type of
 * an opcode's operands does nothing there: the validator refuses it.  An index is a component of a
 * register, and has a swizzle alone.
 *
 * divComp(unknown) is of texture stages: two bits for each in the driver's constants name the
 * component, 0 none (IL_DRV_DRAW2 of il/conventions.h).
 */
#include "formula.h"

#include "il/conventions.h"

#define LEFT   (IL_SRC_ABS | IL_SRC_NEG)
#define STAGES 16

static struct il_src
without_modifiers(struct il_src s)
{
   s.neg = s.flags = s.divcomp = 0;
   return s.has_mod ? il_swizzle(s, s.swz[0], s.swz[1], s.swz[2], s.swz[3]) : s;
}

static bool
has_modified_index(const struct il_ref *r)
{
   for (; r && r->rel == IL_ADDR_REG_RELATIVE && r->index; r = &r->index->r)
      if (il_src_modifiers(r->index) || has_modified_index(r->index->dim2))
         return true;
   return false;
}

bool
lower_has_modifiers(const struct il_inst *inst)
{
   const unsigned left = il_op_modifiers(il_op_info(inst->op)) & LEFT;

   for (unsigned i = 0; i < inst->ndst; i++)
      if (has_modified_index(&inst->dst[i].r) || has_modified_index(inst->dst[i].dim2))
         return true;
   for (unsigned i = 0; i < inst->nsrc; i++)
      if (il_src_modifiers(&inst->src[i]) & ~left || has_modified_index(&inst->src[i].r) ||
          has_modified_index(inst->src[i].dim2))
         return true;
   return false;
}

static void
clear_index(struct il_lower *l, struct il_ref *r, void *data)
{
   (void)l;
   (void)data;
   if (r->rel == IL_ADDR_REG_RELATIVE && r->index)
      *r->index = without_modifiers(*r->index);
}

/* What acts in front of divComp. */
static struct il_src
scaled(struct formula *f, struct il_src s, unsigned flags)
{
   if (flags & IL_SRC_INVERT)
      s = OP2(f, ADD, formula_float(f, 1), il_negate(s));
   if (flags & IL_SRC_BIAS)
      s = OP2(f, ADD, s, formula_float(f, -0.5f));
   if (flags & IL_SRC_X2)
      s = MUL_IEEE(f, s, formula_float(f, 2));
   return flags & IL_SRC_SIGN ? formula_sign(f, &s) : s;
}

static struct il_src
divided(struct formula *f, struct il_src a, struct il_src b)
{
   struct il_src q = MUL_IEEE(f, a, RECIPROCAL(f, b));
   struct il_src below = OP2(f, LT, a, BITS(f, 0));
   return IF_ZERO(f, b, CHOOSE(f, below, BITS(f, 0xff7fffff), BITS(f, 0x7f7fffff)), q);
}

/* One component of what divComp(unknown) makes of four. */
static struct il_src
projected(struct formula *f, const struct il_src v[4], unsigned comp)
{
   const enum il_ctl ctl = il_op_info(f->inst->op)->ctl;
   const unsigned stage = il_stage(f->inst);
   struct il_src r = v[comp];

   if (ctl != IL_CTL_STAGE && ctl != IL_CTL_TEXLD)
      lower_fail(f->l, "not implemented: divComp(unknown) of what is no texture stage");
   if (stage >= STAGES)
      return r;
   struct il_src by = formula_draw_state(f, 3, stage);
   for (unsigned n = comp + 1; n < 4; n++)
      r = CHOOSE(f, OP2(f, I_EQ, by, BITS(f, n)), divided(f, v[comp], v[n]), r);
   return r;
}

/* The components of a source that are read, after divComp, in a temp of their own. */
static struct il_src
divide_components(struct formula *f, unsigned i, unsigned mask, unsigned flags, unsigned divcomp)
{
   const uint32_t t = f->l->next_temp++;
   const unsigned read = divcomp > IL_DIVCOMP_W ? 15 : mask | 1u << divcomp;
   struct il_src v[4] = { { { 0 } } };

   formula_scalars(f);
   for (unsigned c = 0; c < 4; c++)
      if (read >> c & 1)
         v[c] = scaled(f, formula_component(f, i, c), flags);
   for (unsigned c = 0; c < 4; c++) {
      if (!(mask >> c & 1))
         continue;
      struct il_src r = divcomp > IL_DIVCOMP_W ? projected(f, v, c)
                        : c < divcomp          ? divided(f, v[c], v[divcomp])
                                               : v[c];
      lower_op(f->l, IL_OP_MOV, 0, t, 1u << c, 1, r, r, r);
   }
   return il_src(IL_REGTYPE_TEMP, t);
}

/* Source `i`, with abs and neg at most. */
static struct il_src
applied(struct il_lower *l, const struct il_inst *inst, unsigned i)
{
   const struct il_src *src = &inst->src[i];
   const unsigned allowed = il_op_modifiers(il_op_info(inst->op)) & il_src_modifiers(src);
   const unsigned mask = il_part_mask(il_src_part(inst, i), inst);
   struct il_src bare = without_modifiers(*src), r = bare;
   struct il_inst plain = *inst;
   struct formula f = { .l = l, .inst = &plain, .mask = mask };

   plain.src = lower_alloc(l, inst->nsrc * sizeof(*plain.src));
   plain.src[i] = bare;
   l->scalar_room = 0;
   if (allowed & ~LEFT && mask) {
      if (allowed & IL_SRC_DIVCOMP)
         r = divide_components(&f, i, mask, allowed, src->divcomp);
      else if (allowed & ~(LEFT | IL_SRC_CLAMP))
         r = scaled(&f, formula_operand(&f, i), allowed);
   }
   if (allowed & IL_SRC_ABS)
      r = il_absolute(r);
   if (allowed & IL_SRC_NEG) {
      r.neg = src->neg;
      r.has_mod = true;
   }
   if (!(allowed & IL_SRC_CLAMP) || !mask)
      return r;
   struct il_dst dst = il_dst_saturate(lower_temp_dst(l->next_temp, mask));
   lower_emit(l, IL_OP_MOV, 0, &dst, 1, &r);
   return il_src(IL_REGTYPE_TEMP, l->next_temp++);
}

void
lower_apply_modifiers(struct il_lower *l)
{
   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *at = l->at = &l->insts[n];
      struct il_inst inst = *at;

      if (!il_op_info(at->op) || !lower_has_modifiers(at)) {
         lower_add(l, at);
         continue;
      }
      inst.src = lower_alloc(l, inst.nsrc * sizeof(*inst.src));
      inst.dst = lower_alloc(l, inst.ndst * sizeof(*inst.dst));
      for (unsigned i = 0; i < inst.ndst; i++)
         inst.dst[i] = lower_copy_dst(l, &at->dst[i], clear_index, NULL);
      for (unsigned i = 0; i < inst.nsrc; i++)
         inst.src[i] = lower_copy_src(l, &at->src[i], clear_index, NULL);
      for (unsigned i = 0; i < inst.nsrc; i++)
         inst.src[i] = applied(l, &inst, i);
      lower_add(l, &inst);
   }
   l->out->first_main = l->first_main;
}
