/* SPDX-License-Identifier: MIT */
/*
 * Import: operands and destinations, and the walk over the program.
 *
 * A temp of IL is the temporary of the same number.  Components that hold booleans alone
 * (infer_booleans.c) are 1.0 and 0.0 there; whoever reads them as bits gets them converted.
 * Arrays are temporaries one after the other, which a comparison for each element chooses from at
 * a run-time index: one outside reads 0 and writes nothing.  Constants at a run-time index are
 * relative to a0.x, which is set right in front.
 */
#include "import.h"

#include <stdio.h>

void
ai_refuse(struct importer *im, const char *what)
{
   const struct il_op_info *info = im->inst ? il_op_info(im->inst->op) : NULL;
   ac_fail(im->c, "not implemented: %s (%s at instruction %u)", what, info ? info->name : "end",
           il_place(im->il, im->pos));
}

struct ac_src
ai_new(struct importer *im, unsigned op, unsigned mask, unsigned num_src, struct ac_src a,
       struct ac_src b, struct ac_src d)
{
   uint32_t reg = ac_new_reg(im->c);
   ac_emit(im->c, op, reg, mask, num_src, a, b, d);
   return ac_temp(reg);
}

/* --- registers --- */

static bool
boolean_temp(const struct importer *im, const struct il_ref *r, unsigned comp)
{
   return r->type == IL_REGTYPE_TEMP && r->rel == IL_ADDR_ABSOLUTE &&
          4 * (uint64_t)r->num + comp < im->c->num_booleans &&
          im->c->boolean[4 * (size_t)r->num + comp];
}

/* p0 where an integer is `value`. */
static void
compare_index(struct importer *im, struct ac_src index, uint32_t value)
{
   ac_set_pred(im->c, ATTILA_SETPEQI, 0, index, ac_bits(value));
}

static struct ac_src
read_constant(struct importer *im, const struct il_ref *r, unsigned bank, unsigned first,
              unsigned mask)
{
   struct ac_compiler *c = im->c;
   const uint32_t at = first + (r->has_imm                         ? r->imm
                                : r->type == IL_REGTYPE_CONST_BUFF ? 0
                                                                   : r->num);

   c->out->const_buffers |= 1u << (bank == ATTILA_PARAM ? 0 : IL_DRIVER_CB);
   if (at >= ATTILA_CONSTANT_WINDOW)
      ai_refuse(im, "a constant behind the first 256");
   if (r->rel != IL_ADDR_REG_RELATIVE || !r->index)
      return ac_register(bank, at);
   struct ac_src index = ai_comp(im, r->index, 0);
   ac_emit(c, ATTILA_MOV, 0, 1, 1, index, index, index)->bank = ATTILA_ADDR;
   struct ac_src from = ac_register(bank, 0);
   uint32_t to = ac_new_reg(c);
   struct ac_inst *i = ac_emit(c, ATTILA_MOV, to, mask, 1, from, from, from);
   i->relative = true;
   i->offset = (int16_t)at;
   return ac_temp(to);
}

/* Of `size` values, the one that the index, with what is added to it, is the number of. */
static struct ac_src
choose(struct importer *im, const struct il_ref *r, const struct ac_src *values, uint32_t size,
       unsigned mask)
{
   struct ac_src index = ai_comp(im, r->index, 0), zero = ac_bits(0);
   struct ac_src result = NEW1(MOV, mask, zero);

   for (uint32_t e = 0; e < size; e++) {
      compare_index(im, index, e - r->imm);
      struct ac_inst *i = ac_emit(im->c, ATTILA_MOV, result.reg, mask, 1, values[e], zero, zero);
      i->predicated = true;
   }
   return result;
}

static struct ac_src
read_array(struct importer *im, const struct il_ref *r, unsigned mask)
{
   struct ac_src values[AI_ARRAY_SIZE];

   if (r->num >= im->decl.num_arrays || !im->decl.array[r->num].size)
      ai_refuse(im, "an array that is not declared");
   const uint32_t first = im->array[r->num], size = im->decl.array[r->num].size;
   if (r->rel != IL_ADDR_REG_RELATIVE || !r->index)
      return r->imm < size ? ac_temp(first + r->imm) : ac_bits(0);
   for (uint32_t e = 0; e < size; e++)
      values[e] = ac_temp(first + e);
   return choose(im, r, values, size, mask);
}

static struct ac_src
read_input(struct importer *im, const struct il_ref *r, unsigned mask)
{
   struct ac_src values[AI_SLOTS];

   if (r->rel != IL_ADDR_REG_RELATIVE || !r->index)
      return ai_input(im, r->num);
   for (uint32_t n = 0; n < AI_SLOTS; n++)
      values[n] = im->decl.input[n].declared && im->input[n].used ? ai_input(im, n) : ac_bits(0);
   struct il_ref from = *r;
   from.imm = r->has_imm ? r->imm : r->num;
   return choose(im, &from, values, 64, mask);
}

/* A register without modifiers; `mask`: what is read of it. */
static struct ac_src
read_register(struct importer *im, const struct il_src *src, unsigned mask)
{
   const struct il_ref *r = &src->r;

   if (src->dim2)
      ai_refuse(im, "a register of two dimensions");
   switch (r->type) {
   case IL_REGTYPE_TEMP:
      return ac_temp(r->num);
   case IL_REGTYPE_LITERAL: {
      struct ac_src s = ac_bits(0);
      if (r->num >= im->decl.num_literals || !im->decl.literal[r->num])
         ai_refuse(im, "a literal that is not declared");
      memcpy(s.value, im->decl.literal[r->num], sizeof(s.value));
      return s;
   }
   case IL_REGTYPE_CONST_BUFF:
      if (r->num != 0 && r->num != IL_DRIVER_CB)
         ai_refuse(im, "a constant buffer other than 0");
      return read_constant(im, r, r->num ? ATTILA_PARAM2 : ATTILA_PARAM, 0, mask);
   case IL_REGTYPE_IMMED_CONST_BUFF:
      return read_constant(im, r, ATTILA_PARAM2, SHADER_ICB_FIRST_VEC4, mask);
   case IL_REGTYPE_ITEMP:
      return read_array(im, r, mask);
   case IL_REGTYPE_INPUT:
      return read_input(im, r, mask);
   default:
      ai_refuse(im, "a register of this kind");
   }
}

/* --- sources --- */

static bool
is_integer(const struct importer *im)
{
   const struct il_op_info *info = im->inst ? il_op_info(im->inst->op) : NULL;
   return info && (info->type == IL_TYPE_INT || info->type == IL_TYPE_UINT);
}

/* Is a component 1 or 0 where IL has ~0 or 0? */
static bool
is_kept_as_number(const struct importer *im, const struct il_ref *r, unsigned comp)
{
   return boolean_temp(im, r, comp) ||
          (r->type == IL_REGTYPE_INPUT && r->num == IL_PS_INPUT_FRONT_FACE &&
           im->c->out->stage == SHADER_STAGE_PS);
}

/* The sign bits of a literal, as its modifiers say. */
static void
fold_literal(struct ac_src *s, bool integer)
{
   for (unsigned c = 0; c < 4 && s->bank == AC_LITERAL; c++) {
      uint32_t v = s->value[c];
      if (s->abs)
         v &= 0x7fffffffu;
      if (s->neg)
         v = integer ? 0u - v : v ^ 0x80000000u;
      s->value[c] = v;
   }
   if (s->bank == AC_LITERAL)
      s->abs = s->neg = false;
}

/* A boolean as ~0 and 0. */
static struct ac_src
boolean_bits(struct importer *im, struct ac_src v)
{
   return NEW3(CMP, 1, ac_neg(v), ac_bits(UINT32_MAX), ac_bits(0));
}

struct ac_src
ai_comp(struct importer *im, const struct il_src *src, unsigned comp)
{
   const unsigned sel = il_src_swz(src, comp);
   struct ac_src v = sel == IL_COMPSEL_1   ? ac_float(1)
                     : sel == IL_COMPSEL_0 ? ac_bits(0)
                                           : ac_comp(read_register(im, src, 1u << sel), sel);

   if (sel < 4 && is_kept_as_number(im, &src->r, sel))
      v = ac_comp(boolean_bits(im, v), 0);
   v.abs = il_src_abs(src);
   v.neg = il_src_neg(src, comp);
   fold_literal(&v, is_integer(im));
   return v;
}

struct ac_src
ai_src(struct importer *im, const struct il_src *src, unsigned mask)
{
   bool simple = mask != 0, first = true, neg = false;
   unsigned read = 0;

   for (unsigned c = 0; c < 4; c++) {
      const unsigned sel = il_src_swz(src, c);
      if (!(mask >> c & 1))
         continue;
      simple = simple && sel < 4 && !is_kept_as_number(im, &src->r, sel) &&
               (first || neg == il_src_neg(src, c));
      neg = il_src_neg(src, c);
      first = false;
      read |= 1u << (sel & 3);
   }
   if (simple) {
      struct ac_src v = read_register(im, src, read), s = v;
      for (unsigned c = 0; c < 4; c++) {
         const unsigned sel = mask >> c & 1 ? il_src_swz(src, c) & 3 : c;
         s.swz[c] = v.bank == AC_LITERAL ? (uint8_t)c : v.swz[sel];
         s.value[c] = v.value[sel];
      }
      s.abs = il_src_abs(src);
      s.neg = neg;
      fold_literal(&s, is_integer(im));
      return s;
   }
   uint32_t reg = ac_new_reg(im->c);
   for (unsigned c = 0; c < 4; c++) {
      if (!(mask >> c & 1))
         continue;
      struct ac_src v = ai_comp(im, src, c);
      if (is_integer(im) && v.neg)
         ac_emit(im->c, ATTILA_ADDI, reg, 1u << c, 2, v, ac_bits(0), v);
      else
         ac_emit(im->c, ATTILA_MOV, reg, 1u << c, 1, v, v, v);
   }
   return ac_temp(reg);
}

struct ac_src
ai_truth(struct importer *im, const struct il_src *src, unsigned comp)
{
   const unsigned sel = il_src_swz(src, comp);

   if (!il_src_modifiers(src) && sel < 4 && is_kept_as_number(im, &src->r, sel))
      return ac_comp(read_register(im, src, 1u << sel), sel);
   struct ac_src v = ai_comp(im, src, comp);
   if (v.bank == AC_LITERAL)
      return ac_float(v.value[0] ? 1.0f : 0.0f);
   /* Any bit: a comparison of integers, of which -0.0 is not 0. */
   if (v.neg || v.abs)
      v = ac_comp(NEW1(MOV, 1, v), 0);
   struct ac_src result = NEW1(MOV, 1, ac_float(1));
   compare_index(im, v, 0);
   ac_emit(im->c, ATTILA_MOV, result.reg, 1, 1, ac_bits(0), v, v)->predicated = true;
   return ac_comp(result, 0);
}

/* --- destinations --- */

bool
ai_is_boolean(const struct importer *im, const struct il_dst *dst, unsigned c)
{
   return boolean_temp(im, &dst->r, c);
}

struct ai_target
ai_target(struct importer *im, const struct il_dst *dst)
{
   struct ai_target t = { .bank = ATTILA_TEMP, .mask = il_dst_mask(dst), .direct = true };
   const struct il_ref *r = &dst->r;
   const bool absolute = r->rel == IL_ADDR_ABSOLUTE;
   bool forced = false;

   for (unsigned c = 0; c < 4; c++)
      forced |= il_dst_comp(dst, c) == IL_MODCOMP_0 || il_dst_comp(dst, c) == IL_MODCOMP_1;
   if (dst->dim2)
      ai_refuse(im, "a destination of two dimensions");
   t.sat = il_dst_sat(dst);
   if (r->type == IL_REGTYPE_TEMP && absolute) {
      t.reg = r->num;
   } else if (r->type == IL_REGTYPE_OUTPUT && absolute) {
      if (r->num >= AI_SLOTS || im->output[r->num].reg == AC_NO_REG)
         ai_refuse(im, "an output of this number");
      t.bank = im->output[r->num].bank;
      t.reg = im->output[r->num].reg;
   } else if (r->type == IL_REGTYPE_ITEMP && absolute && r->num < im->decl.num_arrays &&
              r->imm < im->decl.array[r->num].size) {
      t.reg = im->array[r->num] + r->imm;
   } else if (r->type == IL_REGTYPE_DEPTH) {
      t.reg = im->depth_reg;
      t.mask &= 1;
   } else if (r->type == IL_REGTYPE_EDGEFLAG) {
      t.reg = im->edge_reg;
      t.mask &= 1;
   } else {
      t.direct = false;
   }
   if ((dst->has_mod && dst->shift) || forced || !t.direct) {
      t.direct = t.sat = false;
      t.bank = ATTILA_TEMP;
      t.reg = ac_new_reg(im->c);
   }
   return t;
}

struct ac_inst *
ai_op(struct importer *im, const struct ai_target *t, unsigned mask, unsigned op, unsigned num_src,
      struct ac_src a, struct ac_src b, struct ac_src d)
{
   struct ac_inst *i = ac_emit(im->c, op, t->reg, mask & t->mask, num_src, a, b, d);

   i->bank = t->bank;
   i->sat = t->sat;
   if (!i->mask)
      im->c->num_insts--; /* nothing is written */
   return i;
}

/* To elements of an array or outputs at a run-time index. */
static void
store_indexed(struct importer *im, const struct il_dst *dst, unsigned mask, struct ac_src value)
{
   const struct il_ref *r = &dst->r;
   const bool array = r->type == IL_REGTYPE_ITEMP;
   const uint32_t first = array ? r->imm : r->has_imm ? r->imm : r->num;

   if (!array && r->type != IL_REGTYPE_OUTPUT)
      ai_refuse(im, "a destination of this kind");
   if (array && (r->num >= im->decl.num_arrays || !im->decl.array[r->num].size))
      ai_refuse(im, "an array that is not declared");
   if (r->rel != IL_ADDR_REG_RELATIVE || !r->index)
      return; /* an element after the last */
   struct ac_src index = ai_comp(im, r->index, 0);
   const uint32_t size = array ? im->decl.array[r->num].size : AI_SLOTS;
   for (uint32_t e = 0; e < size; e++) {
      if (!array && (!im->output[e].written || im->output[e].reg == AC_NO_REG))
         continue;
      compare_index(im, index, e - first);
      struct ac_inst *i =
         ac_emit(im->c, ATTILA_MOV, array ? im->array[r->num] + e : im->output[e].reg, mask, 1,
                 value, value, value);
      i->bank = array ? (uint8_t)ATTILA_TEMP : im->output[e].bank;
      i->predicated = true;
   }
}

void
ai_done(struct importer *im, const struct il_dst *dst, const struct ai_target *t)
{
   unsigned mask = t->mask;

   if (t->direct)
      return;
   struct ac_src v = ac_temp(t->reg);
   if (il_dst_scale(dst)) {
      const struct ac_src factor = ac_bits((uint32_t)(127 + il_dst_scale(dst)) << 23);
      ac_emit(im->c, ATTILA_MUL, t->reg, mask, 2, v, factor, v);
   }
   if (il_dst_sat(dst))
      ac_emit(im->c, ATTILA_MOV, t->reg, mask, 1, v, v, v)->sat = true;
   for (unsigned c = 0; c < 4; c++) {
      const enum il_modcomp how = il_dst_comp(dst, c);
      if (how != IL_MODCOMP_0 && how != IL_MODCOMP_1)
         continue;
      struct ac_src forced = how == IL_MODCOMP_0 ? ac_bits(0) : ac_float(1);
      ac_emit(im->c, ATTILA_MOV, t->reg, 1u << c, 1, forced, forced, forced);
      mask |= 1u << c;
   }
   struct il_dst plain = *dst;
   plain.has_mod = false;
   struct ai_target to = ai_target(im, &plain);
   if (to.direct) {
      to.mask = mask;
      ai_op(im, &to, mask, ATTILA_MOV, 1, v, v, v);
   } else {
      store_indexed(im, dst, mask, v);
   }
}

/* --- the walk --- */

static bool
go_to(void *data, uint32_t pos)
{
   struct importer *im = data;

   im->pos = pos;
   im->inst = &im->il->insts[pos];
   im->c->place = il_place(im->il, pos);
   return true;
}

static bool
arithmetic(struct importer *im, const struct il_inst *inst)
{
   return ai_logic(im, inst) || ai_alu(im, inst);
}

static bool
import(void *data, const struct il_inst *inst, enum il_unit unit)
{
   static bool (*const units[IL_UNIT_COUNT])(struct importer *, const struct il_inst *) = {
      [IL_UNIT_ALU] = arithmetic,
      [IL_UNIT_TEXTURE] = ai_texture,
      [IL_UNIT_SYSTEM] = ai_system,
   };
   struct importer *im = data;

   if (inst->ndst > 1)
      ai_refuse(im, "these operands");
   if (!units[unit] || !units[unit](im, inst))
      ai_refuse(im, "an operation that ATTILA has not");
   return true;
}

static void
refuse(void *data, const char *what)
{
   ai_refuse(data, what);
}

void
ac_import(struct ac_compiler *c)
{
   struct importer *im = ac_alloc(c, sizeof(*im));
   const struct il_walk_to to = { im, go_to, import, refuse, &ai_flow };
   struct il_walk walk;

   im->c = c;
   im->il = c->il;
   if (c->il->shader == IL_SHADER_VERTEX)
      c->out->stage = SHADER_STAGE_VS;
   else if (c->il->shader == IL_SHADER_PIXEL)
      c->out->stage = SHADER_STAGE_PS;
   else
      ac_fail(c, "not implemented: programs that are neither vertex nor pixel shaders");
   c->place = il_place(c->il, 0);
   ai_scan(im);
   ai_begin(im);
   il_walk(&walk, c->il, &to);
   im->inst = NULL;
   ai_finish(im);
}
