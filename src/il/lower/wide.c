/* SPDX-License-Identifier: MIT */
/*
 * What formulas of 64-bit values share.  Such a value is two components of a register, the low
 * dword in x or z; every operation takes .xy of its sources and gives .xy and .zw alike.
 */
#include "formula.h"

/* Room for the two dwords of a value: .xy or .zw of a temp. */
static struct il_dst
new_pair(struct formula *f, struct wide *v)
{
   struct il_lower *l = f->l;

   if (l->scalar_room < 2) {
      l->scalar_temp = l->next_temp++;
      l->scalar_room = 4;
   }
   const unsigned first = l->scalar_room == 4 ? 0 : 2;
   l->scalar_room = first ? 0 : 2;
   *v = (struct wide){ lower_temp(l->scalar_temp, first), lower_temp(l->scalar_temp, first + 1) };
   return lower_temp_dst(l->scalar_temp, 3u << first);
}

/* The two dwords as one source: they are of one register, or are brought there. */
static struct il_src
as_pair(struct formula *f, struct wide v)
{
   if (v.lo.r.type != v.hi.r.type || v.lo.r.num != v.hi.r.num) {
      struct wide moved;
      struct il_dst both = new_pair(f, &moved);
      lower_op(f->l, IL_OP_MOV, 0, both.r.num, il_dst_mask(&both) & 5, 1, v.lo, v.lo, v.lo);
      lower_op(f->l, IL_OP_MOV, 0, both.r.num, il_dst_mask(&both) & 10, 1, v.hi, v.hi, v.hi);
      v = moved;
   }
   const unsigned lo = il_src_swz(&v.lo, 0), hi = il_src_swz(&v.hi, 0);
   return il_swizzle(v.lo, lo, hi, lo, hi);
}

struct wide
formula_double(struct formula *f, unsigned op, unsigned ctl, unsigned count, const struct wide *v)
{
   struct il_src src[3];
   struct wide value;

   for (unsigned i = 0; i < count; i++)
      src[i] = as_pair(f, v[i]);
   struct il_dst dst = new_pair(f, &value);
   lower_emit(f->l, op, ctl, &dst, count, src);
   return value;
}

struct wide
formula_frexp(struct formula *f, struct wide v, struct il_src *exponent)
{
   struct il_src src = as_pair(f, v);
   const uint32_t t = f->l->next_temp++;

   lower_op(f->l, IL_OP_D_FREXP, 0, t, 15, 1, src, src, src);
   *exponent = lower_temp(t, 1);
   return (struct wide){ lower_temp(t, 2), lower_temp(t, 3) };
}

/* --- operands and results --------------------------------------------------------------------- */

static bool
is_double(const struct formula *f)
{
   return il_op_info(f->inst->op)->type == IL_TYPE_DOUBLE;
}

struct wide
formula_wide(struct formula *f, unsigned i)
{
   const struct il_src *src = &f->inst->src[i];
   const bool negative = il_src_neg(src, 0) || il_src_neg(src, 1);
   struct formula plain = *f;
   struct il_inst inst = *f->inst;
   struct il_src bare = *src;
   struct wide v;

   if (is_double(f) && (negative || il_src_abs(src))) {
      struct il_dst dst = new_pair(f, &v);
      lower_emit(f->l, IL_OP_D_MOV, 0, &dst, 1, src);
      return v;
   }
   bare.neg = bare.flags = 0;
   inst.src = &bare;
   plain.inst = &inst;
   v = WIDE(formula_component(&plain, 0, 0), formula_component(&plain, 0, 1));
   return negative ? formula_negate64(f, &v) : v;
}

void
formula_wide_result(struct formula *f, struct wide v)
{
   const struct il_src value[4] = { v.lo, v.hi, v.lo, v.hi };

   if (is_double(f) && f->dst.has_mod && (f->dst.clamp || f->dst.shift != IL_SHIFT_NONE)) {
      struct il_src pair = as_pair(f, v);
      lower_emit(f->l, IL_OP_D_MOV, 0, &f->dst, 1, &pair);
      return;
   }
   f->dst.clamp = false;
   f->dst.shift = IL_SHIFT_NONE;
   formula_results(f, value);
}

void
formula_part_result(struct formula *f, struct il_src v)
{
   f->dst.clamp = false;
   f->dst.shift = IL_SHIFT_NONE;
   formula_result(f, v);
}

struct wide
formula_choose64(struct formula *f, struct il_src condition, struct wide yes, struct wide no)
{
   return WIDE(CHOOSE(f, condition, yes.lo, no.lo), CHOOSE(f, condition, yes.hi, no.hi));
}
