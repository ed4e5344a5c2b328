/* SPDX-License-Identifier: MIT */
/*
 * Opcodes that are formulas of others: which formula, and the temps, operands and results of all.
 *
 * What opcodes.def says about an opcode (its CORE column) decides whether it is expanded for a
 * target; the formulas are in the files named below.  A result is written at the formula's end, so
 * that it may overwrite operands.
 */
#include "formula.h"

static formula_fn *
find_formula(unsigned op)
{
   switch (op) {
   case IL_OP_MMUL:
      return lower_multiply_matrix;
   case IL_OP_TRANSPOSE:
      return lower_transpose;
   case IL_OP_DET:
      return lower_determinant;
   default:
      return NULL;
   }
}

/* --- values ----------------------------------------------------------------------------------- */

static bool
is_scalar(const struct formula *f)
{
   return (f->mask & (f->mask - 1)) == 0;
}

void
formula_scalars(struct formula *f)
{
   f->mask = 1;
}

/* Scalars share temps. */
static struct il_dst
new_value(struct formula *f, struct il_src *value)
{
   struct il_lower *l = f->l;

   if (!is_scalar(f)) {
      *value = il_src(IL_REGTYPE_TEMP, l->next_temp);
      return lower_temp_dst(l->next_temp++, f->mask);
   }
   if (!l->scalar_room) {
      l->scalar_temp = l->next_temp++;
      l->scalar_room = 4;
   }
   const unsigned comp = 4 - l->scalar_room--;
   *value = lower_temp(l->scalar_temp, comp);
   return lower_temp_dst(l->scalar_temp, 1u << comp);
}

struct il_dst
formula_pair(struct formula *f)
{
   struct il_lower *l = f->l;

   if (l->scalar_room < 2) {
      l->scalar_temp = l->next_temp++;
      l->scalar_room = 4;
   }
   l->scalar_room = l->scalar_room > 2 ? 2 : 0;
   return lower_temp_dst(l->scalar_temp, l->scalar_room ? 3 : 12);
}

struct il_src
formula_op(struct formula *f, unsigned op, unsigned ctl, unsigned nsrc, struct il_src a,
           struct il_src b, struct il_src c)
{
   const struct il_src src[3] = { a, b, c };
   struct il_src value;
   struct il_dst dst = new_value(f, &value);

   lower_emit(f->l, op, ctl, &dst, nsrc, src);
   return value;
}

struct il_src
formula_op4(struct formula *f, unsigned op, const struct il_src src[4])
{
   struct il_src value;
   struct il_dst dst = new_value(f, &value);

   lower_emit(f->l, op, 0, &dst, 4, src);
   return value;
}

/* --- operands --------------------------------------------------------------------------------- */

/* Component `comp` alone, everywhere. */
static struct il_src
component_of(struct il_src s, unsigned comp)
{
   bool negative = il_src_neg(&s, comp);

   s = il_replicate(s, il_src_swz(&s, comp));
   s.neg = negative ? 15 : 0;
   s.has_mod |= negative;
   return s;
}

/* What is as cheap and as good to read again. */
static bool
is_value(const struct il_src *s)
{
   return (s->r.type == IL_REGTYPE_TEMP || s->r.type == IL_REGTYPE_LITERAL) &&
          s->r.rel == IL_ADDR_ABSOLUTE && !s->dim2 &&
          (!s->has_mod || (!s->neg && !s->flags && s->divcomp == IL_DIVCOMP_NONE));
}

static struct il_src
as_value(struct formula *f, struct il_src s)
{
   const struct il_op_info *info = il_op_info(f->inst->op);
   const bool integer = info->type == IL_TYPE_INT || info->type == IL_TYPE_UINT;

   if (is_value(&s)) {
      return s;
   }
   return integer && s.has_mod && (s.neg || s.flags & IL_SRC_ABS) ? OP2(f, I_ADD, BITS(f, 0), s)
                                                                  : OP1(f, MOV, s);
}

struct il_src
formula_component(struct formula *f, unsigned i, unsigned comp)
{
   return as_value(f, component_of(f->inst->src[i], comp));
}

struct il_src
formula_operand(struct formula *f, unsigned i)
{
   if (is_scalar(f)) {
      for (unsigned c = 0; c < 4; c++) {
         if (f->mask >> c & 1) {
            return formula_component(f, i, c);
         }
      }
   }
   return as_value(f, f->inst->src[i]);
}

/* --- results ---------------------------------------------------------------------------------- */

static void
move(struct formula *f, struct il_src value)
{
   lower_emit(f->l, IL_OP_MOV, 0, &f->inst->dst[0], 1, &value);
}

void
formula_result(struct formula *f, struct il_src value)
{
   struct il_program *out = f->l->out;
   struct il_inst *last = &out->insts[out->ninsts - 1];

   /* The instruction that made the value writes the result itself, if it is of the same components. */
   if (value.r.type == IL_REGTYPE_TEMP && value.r.num >= f->first_temp && !value.neg &&
       !value.flags && last->ndst == 1 && last->dst[0].r.num == value.r.num &&
       last->dst[0].r.type == IL_REGTYPE_TEMP && f->mask == il_dst_mask(&f->inst->dst[0]) &&
       (!is_scalar(f) || il_dst_mask(&last->dst[0]) == 1u << il_src_swz(&value, 0))) {
      last->dst[0] = f->inst->dst[0];
      return;
   }
   move(f, value);
}

void
formula_results(struct formula *f, const struct il_src value[4])
{
   const unsigned mask = il_dst_mask(&f->inst->dst[0]);
   const uint32_t t = f->l->next_temp++;

   for (unsigned c = 0; c < 4; c++) {
      if (mask >> c & 1) {
         lower_op(f->l, IL_OP_MOV, 0, t, 1u << c, 1, value[c], value[c], value[c]);
      }
   }
   move(f, il_src(IL_REGTYPE_TEMP, t));
}

/* --- the walk --------------------------------------------------------------------------------- */

bool
lower_expands(const struct il_target_caps *caps, enum il_core core)
{
   return core == IL_CORE_EXPAND ||
          (core >= IL_CORE_DOT && core < IL_CORE_DOUBLE && !(caps->has >> core & 1));
}

void
lower_expand(struct il_lower *l)
{
   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);
      formula_fn *fn = info && lower_expands(l->caps, info->core) ? find_formula(inst->op) : NULL;

      if (!fn || inst->ndst != info->dsts || inst->nsrc < info->srcs || inst->nsrc > MAX_OPERANDS) {
         lower_add(l, inst);
         continue;
      }
      struct formula f = { .l = l, .inst = inst, .first_temp = l->next_temp };
      f.mask = il_dst_mask(&inst->dst[0]);
      l->scalar_room = 0;
      fn(&f);
   }
   l->out->first_main = l->first_main;
}
