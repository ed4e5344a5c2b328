/* SPDX-License-Identifier: MIT */
/*
 * Float operations a component at a time, or of the w of their operands, by the formulas of chapter
 * 7, every step a float, in the form in which 0 * inf is NaN.  Inverse functions are the
 * polynomials of il/inverse.h.
 */
#include "formula.h"

#include "il/conventions.h"
#include "il/inverse.h"

#define COLOURS          8
#define TURNS_PER_RADIAN 0x3e22f983 /* 1 / 2 pi */

static struct il_src
one(struct formula *f)
{
   return formula_float(f, 1);
}

/* The magnitude of one with the sign of the other. */
static struct il_src
copy_sign(struct formula *f, struct il_src magnitude, struct il_src sign)
{
   return formula_insert(f, 31, 0, magnitude, sign);
}

/* --- components ------------------------------------------------------------------------------- */

struct il_src
formula_absolute(struct formula *f, const struct il_src *s)
{
   return OP1(f, MOV, il_absolute(s[0]));
}

struct il_src
formula_sub(struct formula *f, const struct il_src *s)
{
   return OP2(f, ADD, s[0], il_negate(s[1]));
}

/* x = high + low, of 12 bits each, so that products of them are exact; a NaN where x is huge. */
static void
split(struct formula *f, struct il_src x, struct il_src *high, struct il_src *low)
{
   struct il_src big = MUL_IEEE(f, x, formula_float(f, 4097));
   *high = OP2(f, ADD, big, il_negate(OP2(f, ADD, big, il_negate(x))));
   *low = OP2(f, ADD, x, il_negate(*high));
}

/* a - q * b, which is a float where q is nearly a / b; in operations that every target has. */
static struct il_src
residue(struct formula *f, struct il_src a, struct il_src q, struct il_src b)
{
   struct il_src qh, ql, bh, bl;

   split(f, q, &qh, &ql);
   split(f, b, &bh, &bl);
   struct il_src product = MUL_IEEE(f, q, b);
   struct il_src rest = MAD_IEEE(f, il_negate(qh), bh, product);
   rest = MAD_IEEE(f, il_negate(qh), bl, rest);
   rest = MAD_IEEE(f, il_negate(ql), bh, rest);
   rest = MAD_IEEE(f, il_negate(ql), bl, rest);
   return OP2(f, ADD, OP2(f, ADD, a, il_negate(product)), rest);
}

/* a / b by way of the reciprocal, and one correction where that is finite. */
static struct il_src
corrected_quotient(struct formula *f, struct il_src a, struct il_src b)
{
   struct il_src r = RECIPROCAL(f, b);
   struct il_src q = MUL_IEEE(f, a, r);
   struct il_src e = residue(f, a, q, b);
   struct il_src better = MAD_IEEE(f, e, r, q);
   struct il_src finite = OP2(f, LT, il_absolute(e), il_absolute(a));
   return CHOOSE(f, finite, better, q);
}

/* Of a zero divisor what the control says. */
struct il_src
formula_quotient(struct formula *f, const struct il_src *s)
{
   struct il_src q = corrected_quotient(f, s[0], s[1]);

   switch (il_zeroop(f->inst)) {
   case IL_ZEROOP_FLTMAX:
      return IF_ZERO(f, s[1], copy_sign(f, BITS(f, 0x7f7fffff), s[0]), q);
   case IL_ZEROOP_0:
      return IF_ZERO(f, s[1], BITS(f, 0), q);
   default:
      return q;
   }
}

struct il_src
formula_modulo(struct formula *f, const struct il_src *s)
{
   struct il_src q = OP1(f, ROUND_ZERO, corrected_quotient(f, s[0], s[1]));
   return IF_ZERO(f, s[1], s[0], MAD_IEEE(f, il_negate(q), s[1], s[0]));
}

/* floor(x + 0.5) */
struct il_src
formula_round_up(struct formula *f, const struct il_src *s)
{
   return OP1(f, ROUND_NEG_INF, OP2(f, ADD, s[0], formula_float(f, 0.5f)));
}

/* To -pi ... pi. */
struct il_src
formula_reduce(struct formula *f, const struct il_src *s)
{
   struct il_src turns = MAD_IEEE(f, s[0], BITS(f, TURNS_PER_RADIAN), formula_float(f, 0.5f));
   return MAD_IEEE(f, OP1(f, FRC, turns), BITS(f, 0x40c90fdb), BITS(f, 0xc0490fdb)); /* 2 pi, -pi */
}

struct il_src
formula_clamp(struct formula *f, const struct il_src *s)
{
   return OP2(f, MIN, OP2(f, MAX, s[0], s[1]), s[2]);
}

struct il_src
formula_draw_state(struct formula *f, unsigned comp, unsigned n)
{
   struct il_src state = il_src(IL_REGTYPE_CONST_BUFF, IL_DRIVER_CB);
   struct formula scalar = *f;

   formula_scalars(&scalar);
   state.r.has_imm = true;
   state.r.imm = IL_DRV_DRAW2;
   return formula_extract(&scalar, il_replicate(state, comp), 2 * n, 2);
}

/* To the range that state has for the colour of the source's number (7-156); a NaN stays one. */
struct il_src
formula_clamp_colour(struct formula *f, const struct il_src *s)
{
   const uint32_t number = f->inst->src[0].r.num;

   if (number >= COLOURS)
      return s[0];
   struct il_src zero = BITS(f, 0), minus_one = formula_float(f, -1);
   struct il_src mode = formula_draw_state(f, 2, number);
   struct il_src from_0 = OP2(f, I_EQ, mode, BITS(f, IL_COLORCLAMP_0_1));
   struct il_src from_minus_1 = OP2(f, I_EQ, mode, BITS(f, IL_COLORCLAMP_NEG_1_1));
   struct il_src r = CHOOSE(f, OP2(f, AND, from_0, OP2(f, GE, zero, s[0])), zero, s[0]);
   r = CHOOSE(f, OP2(f, AND, from_minus_1, OP2(f, LT, s[0], minus_one)), minus_one, r);
   struct il_src any = OP2(f, I_OR, from_0, from_minus_1);
   return CHOOSE(f, OP2(f, AND, any, OP2(f, LT, one(f), s[0])), one(f), r);
}

/* PROJECT: what its modifier makes of the operand. */
struct il_src
formula_same(struct formula *f, const struct il_src *s)
{
   (void)f;
   return s[0];
}

struct il_src
formula_mix(struct formula *f, const struct il_src *s)
{
   struct il_src rest = OP2(f, ADD, one(f), il_negate(s[0]));
   return MAD_IEEE(f, s[1], s[0], MUL_IEEE(f, s[2], rest));
}

/* -1, 0 or 1; of NaN 1 (7-203). */
struct il_src
formula_sign(struct formula *f, const struct il_src *s)
{
   struct il_src positive = IF_ZERO(f, s[0], BITS(f, 0), one(f));
   return CHOOSE(f, OP2(f, LT, s[0], BITS(f, 0)), formula_float(f, -1), positive);
}

static struct il_src
relation(struct formula *f, struct il_src a, struct il_src b)
{
   switch (il_relop(f->inst)) {
   case IL_RELOP_NE:
      return OP2(f, NE, a, b);
   case IL_RELOP_EQ:
      return OP2(f, EQ, a, b);
   case IL_RELOP_GE:
      return OP2(f, GE, a, b);
   case IL_RELOP_GT:
      return OP2(f, LT, b, a);
   case IL_RELOP_LE:
      return OP2(f, GE, b, a);
   default:
      return OP2(f, LT, a, b);
   }
}

struct il_src
formula_set(struct formula *f, const struct il_src *s)
{
   return OP2(f, AND, relation(f, s[0], s[1]), one(f));
}

struct il_src
formula_compare(struct formula *f, const struct il_src *s)
{
   static const float value[8] = { 0, 0.5f, 1, -0.5f, -1 };
   struct il_src condition = relation(f, s[0], formula_float(f, value[il_cmpval(f->inst)]));
   return CHOOSE(f, condition, s[1], s[2]);
}

struct il_src
formula_multiply_add(struct formula *f, const struct il_src *s)
{
   struct il_src product =
      f->inst->op == IL_OP_I_MAD ? OP2(f, I_MUL, s[0], s[1]) : OP2(f, U_MUL, s[0], s[1]);
   return OP2(f, I_ADD, product, s[2]);
}

/* --- of three --------------------------------------------------------------------------------- */

static struct il_src
least(struct formula *f, struct il_src a, struct il_src b)
{
   switch (il_op_info(f->inst->op)->type) {
   case IL_TYPE_INT:
      return OP2(f, I_MIN, a, b);
   case IL_TYPE_UINT:
      return OP2(f, U_MIN, a, b);
   default:
      return OP2(f, MIN, a, b);
   }
}

static struct il_src
greatest(struct formula *f, struct il_src a, struct il_src b)
{
   switch (il_op_info(f->inst->op)->type) {
   case IL_TYPE_INT:
      return OP2(f, I_MAX, a, b);
   case IL_TYPE_UINT:
      return OP2(f, U_MAX, a, b);
   default:
      return OP2(f, MAX, a, b);
   }
}

struct il_src
formula_min3(struct formula *f, const struct il_src *s)
{
   return least(f, least(f, s[0], s[1]), s[2]);
}

struct il_src
formula_max3(struct formula *f, const struct il_src *s)
{
   return greatest(f, greatest(f, s[0], s[1]), s[2]);
}

struct il_src
formula_med3(struct formula *f, const struct il_src *s)
{
   struct il_src low = least(f, s[0], s[1]), high = greatest(f, s[0], s[1]);
   return greatest(f, low, least(f, high, s[2]));
}

/* --- of w ------------------------------------------------------------------------------------- */

/* What the operation of components does, of one. */
struct il_src
formula_same_w(struct formula *f, const struct il_src *s)
{
   switch (f->inst->op) {
   case IL_OP_RCP:
      return formula_op(f, IL_OP_RCP_VEC, il_zeroop(f->inst), 1, s[0], s[0], s[0]);
   case IL_OP_SQRT:
      return OP1(f, SQRT_VEC, s[0]);
   case IL_OP_EXP:
      return OP1(f, EXP_VEC, s[0]);
   case IL_OP_SIN:
      return OP1(f, SIN_VEC, s[0]);
   default:
      return OP1(f, COS_VEC, s[0]);
   }
}

struct il_src
formula_exp_e(struct formula *f, const struct il_src *s)
{
   return OP1(f, EXP_VEC, MUL_IEEE(f, s[0], BITS(f, 0x3fb8aa3b))); /* log2(e) */
}

struct il_src
formula_log_e(struct formula *f, const struct il_src *s)
{
   struct il_src r = MUL_IEEE(f, OP1(f, LOG_VEC, s[0]), BITS(f, 0x3f317218)); /* ln(2) */
   return il_zeroop(f->inst) == IL_ZEROOP_FLTMAX ? IF_ZERO(f, s[0], BITS(f, 0xff7fffff), r) : r;
}

struct il_src
formula_power(struct formula *f, const struct il_src *s)
{
   return OP1(f, EXP_VEC, OP2(f, MUL, OP1(f, LOG_VEC, s[0]), s[1]));
}

struct il_src
formula_tangent(struct formula *f, const struct il_src *s)
{
   return MUL_IEEE(f, OP1(f, SIN_VEC, s[0]), RECIPROCAL(f, OP1(f, COS_VEC, s[0])));
}

/* c[0] + x (c[1] + x (c[2] + ...)) */
static struct il_src
polynomial(struct formula *f, struct il_src x, const float *c, unsigned count)
{
   struct il_src sum = formula_float(f, c[count - 1]);

   for (unsigned i = count - 1; i-- > 0;)
      sum = MAD_IEEE(f, sum, x, formula_float(f, c[i]));
   return sum;
}

/* The arc cosine of |x|. */
static struct il_src
arc_of_magnitude(struct formula *f, struct il_src x)
{
   struct il_src a = formula_absolute(f, &x);
   struct il_src rest = OP1(f, SQRT_VEC, OP2(f, ADD, one(f), il_negate(a)));
   return MUL_IEEE(f, rest, polynomial(f, a, il_acos_term, IL_ACOS_TERMS));
}

struct il_src
formula_arc_sine(struct formula *f, const struct il_src *s)
{
   struct il_src r = arc_of_magnitude(f, s[0]);
   return copy_sign(f, OP2(f, ADD, BITS(f, IL_HALF_PI), il_negate(r)), s[0]);
}

struct il_src
formula_arc_cosine(struct formula *f, const struct il_src *s)
{
   struct il_src r = arc_of_magnitude(f, s[0]);
   return CHOOSE(f, OP2(f, GE, s[0], BITS(f, 0)), r, OP2(f, ADD, BITS(f, IL_PI), il_negate(r)));
}

struct il_src
formula_arc_tangent(struct formula *f, const struct il_src *s)
{
   struct il_src a = formula_absolute(f, s);
   struct il_src large = OP2(f, LT, one(f), a);
   struct il_src t = CHOOSE(f, large, RECIPROCAL(f, a), a);
   struct il_src r = MUL_IEEE(f, t, polynomial(f, MUL_IEEE(f, t, t), il_atan_term, IL_ATAN_TERMS));
   r = CHOOSE(f, large, OP2(f, ADD, BITS(f, IL_HALF_PI), il_negate(r)), r);
   return copy_sign(f, r, s[0]);
}
