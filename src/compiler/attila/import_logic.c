/* SPDX-License-Identifier: MIT */
/*
 * Import of comparisons, booleans and what chooses by them.
 *
 * A boolean is 1.0 or 0.0 as long as only booleans are made of it; where IL's bits are wanted it
 * becomes ~0 or 0.  Comparisons of floats are SLT and SGE, on vectors; where NaNs count (the
 * program does not say refactoringAllowed), SGE, which is true with one, does not do, and what is
 * equal is found by a predicate, a component at a time.  So are comparisons of integers.
 */
#include "import.h"

/* Puts booleans, made as 1.0 and 0.0 in components of `mask`, into the destination. */
static void
store_booleans(struct importer *im, const struct il_inst *inst, struct ac_src value)
{
   const struct il_dst *dst = &inst->dst[0];
   struct ai_target t = ai_target(im, dst);
   unsigned numbers = 0;

   for (unsigned c = 0; c < 4; c++)
      numbers |= (unsigned)ai_is_boolean(im, dst, c) << c;
   numbers &= t.mask;
   if (numbers)
      ai_op(im, &t, numbers, ATTILA_MOV, 1, value, value, value);
   if (t.mask & ~numbers)
      ai_op(im, &t, ~numbers & 15, ATTILA_CMP, 3, ac_neg(value), ac_bits(UINT32_MAX), ac_bits(0));
   ai_done(im, dst, &t);
}

/* 1.0 where a predicate comes out of two scalars, in component c of a temporary. */
static void
by_predicate(struct importer *im, unsigned op, bool invert, uint32_t reg, unsigned c,
             struct ac_src a, struct ac_src b)
{
   const struct ac_src zero = ac_bits(0), one = ac_float(1);

   ac_emit(im->c, ATTILA_MOV, reg, 1u << c, 1, zero, zero, zero);
   ac_set_pred(im->c, op, 0, a, b)->sat = invert;
   ac_emit(im->c, ATTILA_MOV, reg, 1u << c, 1, one, one, one)->predicated = true;
}

static void
compare_floats(struct importer *im, const struct il_inst *inst)
{
   const unsigned mask = il_dst_mask(&inst->dst[0]);
   struct ac_src a = ai_src(im, &inst->src[0], mask), b = ai_src(im, &inst->src[1], mask), r;

   switch (inst->op) {
   case IL_OP_LT:
      r = NEW2(SLT, mask, a, b);
      break;
   case IL_OP_GE:
      if (!im->c->exact) {
         r = NEW2(SGE, mask, a, b);
         break;
      }
      r = NEW2(SLT, mask, b, a);
      for (unsigned c = 0; c < 4; c++) {
         if (!(mask >> c & 1))
            continue;
         ac_set_pred(im->c, ATTILA_SETPEQ, 0, ac_comp(a, c), ac_comp(b, c));
         ac_emit(im->c, ATTILA_MOV, r.reg, 1u << c, 1, ac_float(1), a, a)->predicated = true;
      }
      break;
   default:
      if (!im->c->exact && inst->op == IL_OP_EQ) {
         r = NEW2(MUL, mask, NEW2(SGE, mask, a, b), NEW2(SGE, mask, b, a));
         break;
      }
      if (!im->c->exact) {
         r = NEW2(ADD, mask, NEW2(SLT, mask, a, b), NEW2(SLT, mask, b, a));
         break;
      }
      r = ac_temp(ac_new_reg(im->c));
      for (unsigned c = 0; c < 4; c++)
         if (mask >> c & 1)
            by_predicate(im, ATTILA_SETPEQ, inst->op == IL_OP_NE, r.reg, c, ac_comp(a, c),
                         ac_comp(b, c));
   }
   store_booleans(im, inst, r);
}

/* Unsigned numbers are in the order of signed ones, 2^31 taken off. */
static struct ac_src
shifted(struct importer *im, struct ac_src v)
{
   if (v.bank == AC_LITERAL)
      return ac_bits(v.value[0] ^ 0x80000000u);
   return ac_comp(NEW2(ADDI, 1, v, ac_bits(0x80000000u)), 0);
}

static const struct {
   uint16_t il;
   uint8_t op;
   bool invert, is_unsigned;
} integer_compares[] = {
   { IL_OP_I_EQ, ATTILA_SETPEQI, false, false }, { IL_OP_I_NE, ATTILA_SETPEQI, true, false },
   { IL_OP_I_LT, ATTILA_SETPLTI, false, false }, { IL_OP_I_GE, ATTILA_SETPLTI, true, false },
   { IL_OP_U_LT, ATTILA_SETPLTI, false, true },  { IL_OP_U_GE, ATTILA_SETPLTI, true, true },
};

static bool
compare_integers(struct importer *im, const struct il_inst *inst)
{
   const unsigned mask = il_dst_mask(&inst->dst[0]);

   for (unsigned n = 0; n < sizeof(integer_compares) / sizeof(integer_compares[0]); n++) {
      if (integer_compares[n].il != inst->op)
         continue;
      struct ac_src r = ac_temp(ac_new_reg(im->c));
      for (unsigned c = 0; c < 4; c++) {
         if (!(mask >> c & 1))
            continue;
         struct ac_src a = ai_comp(im, &inst->src[0], c), b = ai_comp(im, &inst->src[1], c);
         if (integer_compares[n].is_unsigned) {
            a = shifted(im, a);
            b = shifted(im, b);
         }
         by_predicate(im, integer_compares[n].op, integer_compares[n].invert, r.reg, c, a, b);
      }
      store_booleans(im, inst, r);
      return true;
   }
   return false;
}

/* Is a source's component a boolean that is kept as a number, or a literal of one? */
static bool
known_boolean(const struct importer *im, const struct il_src *src, unsigned comp)
{
   const unsigned sel = il_src_swz(src, comp);
   struct il_dst as_dst = { .r = src->r };

   if (il_src_modifiers(src))
      return false;
   if (sel > 3)
      return sel == IL_COMPSEL_0;
   if (src->r.type == IL_REGTYPE_LITERAL && src->r.num < im->decl.num_literals &&
       im->decl.literal[src->r.num]) {
      const uint32_t v = im->decl.literal[src->r.num][sel];
      return v == 0 || v == UINT32_MAX;
   }
   return ai_is_boolean(im, &as_dst, sel) ||
          (src->r.type == IL_REGTYPE_INPUT && src->r.num == IL_PS_INPUT_FRONT_FACE &&
           im->c->out->stage == SHADER_STAGE_PS);
}

/* Of numbers 1.0 and 0.0. */
static struct ac_src
combine(struct importer *im, unsigned op, struct ac_src a, struct ac_src b)
{
   switch (op) {
   case IL_OP_AND:
      return NEW2(MUL, 1, a, b);
   case IL_OP_I_OR:
      return NEW2(MAX, 1, a, b);
   default: {
      struct ac_src d = ac_comp(NEW2(ADD, 1, a, ac_neg(b)), 0);
      return NEW2(MUL, 1, d, d);
   }
   }
}

/* A boolean and any bits: what the bits become where it is true, else what they become. */
static struct ac_src
choose_bits(struct importer *im, unsigned op, struct ac_src truth, struct ac_src x)
{
   switch (op) {
   case IL_OP_AND:
      return NEW3(CMP, 1, ac_neg(truth), x, ac_bits(0));
   case IL_OP_I_OR:
      return NEW3(CMP, 1, ac_neg(truth), ac_bits(UINT32_MAX), x);
   default: {
      struct ac_src inverse = ac_comp(NEW2(ADDI, 1, ac_neg(x), ac_bits(UINT32_MAX)), 0);
      return NEW3(CMP, 1, ac_neg(truth), inverse, x);
   }
   }
}

/* One operand at least is a boolean: expand_integers.c has seen to it, as far as it is known
 * without this file's conversions. */
static void
import_bitwise(struct importer *im, const struct il_inst *inst)
{
   const struct il_dst *dst = &inst->dst[0];
   const struct il_src *a = &inst->src[0], *b = &inst->src[1];
   struct ai_target t = ai_target(im, dst);
   uint32_t reg = ac_new_reg(im->c);

   for (unsigned c = 0; c < 4; c++) {
      if (!(t.mask >> c & 1))
         continue;
      const bool left = known_boolean(im, a, c), right = known_boolean(im, b, c);
      struct ac_src r;
      if (left && right) {
         r = ac_comp(combine(im, inst->op, ai_truth(im, a, c), ai_truth(im, b, c)), 0);
         if (!ai_is_boolean(im, dst, c))
            r = ac_comp(NEW3(CMP, 1, ac_neg(r), ac_bits(UINT32_MAX), ac_bits(0)), 0);
      } else if (left || right) {
         struct ac_src x = ai_comp(im, left ? b : a, c);
         if (x.neg || x.abs)
            x = ac_comp(NEW1(MOV, 1, x), 0);
         r = ac_comp(choose_bits(im, inst->op, ai_truth(im, left ? a : b, c), x), 0);
      } else {
         ai_refuse(im, "an operation on bits");
      }
      ac_emit(im->c, ATTILA_MOV, reg, 1u << c, 1, r, r, r);
   }
   struct ac_src value = ac_temp(reg);
   ai_op(im, &t, 15, ATTILA_MOV, 1, value, value, value);
   ai_done(im, dst, &t);
}

static void
import_not(struct importer *im, const struct il_inst *inst)
{
   const struct il_dst *dst = &inst->dst[0];
   struct ai_target t = ai_target(im, dst);
   uint32_t reg = ac_new_reg(im->c);

   for (unsigned c = 0; c < 4; c++) {
      if (!(t.mask >> c & 1))
         continue;
      if (known_boolean(im, &inst->src[0], c) && ai_is_boolean(im, dst, c)) {
         struct ac_src v = ai_truth(im, &inst->src[0], c);
         ac_emit(im->c, ATTILA_ADD, reg, 1u << c, 2, ac_neg(v), ac_float(1), v);
      } else {
         struct ac_src v = ai_comp(im, &inst->src[0], c);
         if (v.neg || v.abs)
            v = ac_comp(NEW1(MOV, 1, v), 0);
         ac_emit(im->c, ATTILA_ADDI, reg, 1u << c, 2, ac_neg(v), ac_bits(UINT32_MAX), v);
      }
   }
   struct ac_src value = ac_temp(reg);
   ai_op(im, &t, 15, ATTILA_MOV, 1, value, value, value);
   ai_done(im, dst, &t);
}

/* A move or a choice: of booleans where the destination keeps booleans. */
static struct ac_src
operand_for(struct importer *im, const struct il_inst *inst, unsigned s, unsigned c)
{
   return ai_is_boolean(im, &inst->dst[0], c) ? ai_truth(im, &inst->src[s], c)
                                              : ai_comp(im, &inst->src[s], c);
}

static void
import_choice(struct importer *im, const struct il_inst *inst)
{
   const struct il_dst *dst = &inst->dst[0];
   struct ai_target t = ai_target(im, dst);
   uint32_t reg = ac_new_reg(im->c);

   for (unsigned c = 0; c < 4; c++) {
      if (!(t.mask >> c & 1))
         continue;
      struct ac_src yes = operand_for(im, inst, 1, c), no = operand_for(im, inst, 2, c);
      if (known_boolean(im, &inst->src[0], c)) {
         struct ac_src truth = ai_truth(im, &inst->src[0], c);
         ac_emit(im->c, ATTILA_CMP, reg, 1u << c, 3, ac_neg(truth), yes, no);
         continue;
      }
      struct ac_src v = ai_comp(im, &inst->src[0], c);
      if (v.neg || v.abs)
         v = ac_comp(NEW1(MOV, 1, v), 0);
      ac_emit(im->c, ATTILA_MOV, reg, 1u << c, 1, yes, yes, yes);
      ac_set_pred(im->c, ATTILA_SETPEQI, 0, v, ac_bits(0));
      ac_emit(im->c, ATTILA_MOV, reg, 1u << c, 1, no, no, no)->predicated = true;
   }
   struct ac_src value = ac_temp(reg);
   ai_op(im, &t, 15, ATTILA_MOV, 1, value, value, value);
   ai_done(im, dst, &t);
}

static bool
moves_booleans(const struct importer *im, const struct il_inst *inst)
{
   for (unsigned c = 0; c < 4; c++)
      if (il_dst_mask(&inst->dst[0]) >> c & 1 && ai_is_boolean(im, &inst->dst[0], c))
         return true;
   return false;
}

static void
move_booleans(struct importer *im, const struct il_inst *inst)
{
   struct ai_target t = ai_target(im, &inst->dst[0]);
   uint32_t reg = ac_new_reg(im->c);

   for (unsigned c = 0; c < 4; c++) {
      if (!(t.mask >> c & 1))
         continue;
      struct ac_src v = operand_for(im, inst, 0, c);
      ac_emit(im->c, ATTILA_MOV, reg, 1u << c, 1, v, v, v);
   }
   struct ac_src value = ac_temp(reg);
   ai_op(im, &t, 15, ATTILA_MOV, 1, value, value, value);
   ai_done(im, &inst->dst[0], &t);
}

static void
import_integer_extreme(struct importer *im, const struct il_inst *inst)
{
   const bool is_unsigned = inst->op == IL_OP_U_MIN || inst->op == IL_OP_U_MAX;
   const bool least = inst->op == IL_OP_I_MIN || inst->op == IL_OP_U_MIN;
   struct ai_target t = ai_target(im, &inst->dst[0]);
   uint32_t reg = ac_new_reg(im->c);

   for (unsigned c = 0; c < 4; c++) {
      if (!(t.mask >> c & 1))
         continue;
      struct ac_src a = ai_comp(im, &inst->src[0], c), b = ai_comp(im, &inst->src[1], c);
      ac_emit(im->c, ATTILA_ADDI, reg, 1u << c, 2, a, ac_bits(0), a);
      ac_set_pred(im->c, least ? ATTILA_SETPLTI : ATTILA_SETPGTI, 0,
                  is_unsigned ? shifted(im, b) : b, is_unsigned ? shifted(im, a) : a);
      ac_emit(im->c, ATTILA_ADDI, reg, 1u << c, 2, b, ac_bits(0), b)->predicated = true;
   }
   struct ac_src value = ac_temp(reg);
   ai_op(im, &t, 15, ATTILA_MOV, 1, value, value, value);
   ai_done(im, &inst->dst[0], &t);
}

/* A shift of bits to the sign: what is left of those that expand_integers.c makes of others. */
static void
import_sign(struct importer *im, const struct il_inst *inst)
{
   const unsigned mask = il_dst_mask(&inst->dst[0]);
   struct ac_src r = ac_temp(ac_new_reg(im->c));

   for (unsigned c = 0; c < 4; c++)
      if (mask >> c & 1)
         by_predicate(im, ATTILA_SETPLTI, false, r.reg, c, ai_comp(im, &inst->src[0], c),
                      ac_bits(0));
   store_booleans(im, inst, r);
}

static void
import_negate(struct importer *im, const struct il_inst *inst)
{
   struct ai_target t = ai_target(im, &inst->dst[0]);
   struct ac_src a = ai_src(im, &inst->src[0], t.mask);

   if (a.abs)
      a = NEW2(ADDI, t.mask, a, ac_bits(0));
   ai_op(im, &t, 15, ATTILA_ADDI, 2, ac_neg(a), ac_bits(0), a);
   ai_done(im, &inst->dst[0], &t);
}

bool
ai_logic(struct importer *im, const struct il_inst *inst)
{
   if (compare_integers(im, inst))
      return true;
   switch (inst->op) {
   case IL_OP_LT:
   case IL_OP_GE:
   case IL_OP_EQ:
   case IL_OP_NE:
      compare_floats(im, inst);
      return true;
   case IL_OP_AND:
   case IL_OP_I_OR:
   case IL_OP_I_XOR:
      import_bitwise(im, inst);
      return true;
   case IL_OP_I_NOT:
      import_not(im, inst);
      return true;
   case IL_OP_CMOV_LOGICAL:
      import_choice(im, inst);
      return true;
   case IL_OP_I_MIN:
   case IL_OP_I_MAX:
   case IL_OP_U_MIN:
   case IL_OP_U_MAX:
      import_integer_extreme(im, inst);
      return true;
   case IL_OP_I_SHR:
      import_sign(im, inst);
      return true;
   case IL_OP_I_NEGATE:
      import_negate(im, inst);
      return true;
   case IL_OP_MOV:
      if (!moves_booleans(im, inst))
         return false;
      move_booleans(im, inst);
      return true;
   default:
      return false;
   }
}
