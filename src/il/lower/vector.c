/* SPDX-License-Identifier: MIT */
/*
 * Float operations that look at several components or give each component a meaning of its own, by
 * the pseudo-code of chapter 7, every step a float, in the form in which 0 * inf is NaN.  Where
 * text and code of a page disagree: DIST and LEN are of three components (the text), REFLECT and
 * FACEFORWARD of four (the code).
 */
#include "formula.h"

/* DP3 or DP4; it is expanded after this pass for a target that has none. */
static struct il_src
dot(struct formula *f, unsigned op, struct il_src a, struct il_src b)
{
   return formula_op(f, op, 1, 2, a, b, b);
}

/* ((x + y) + z) + w, each product and sum rounded.  In the form in which 0 * inf is 0, components
 * that are left out are products of 0, which make 0 of -0. */
void
formula_dot(struct formula *f)
{
   const unsigned op = f->inst->op, ctl = il_ieee(f->inst);
   const unsigned count = op == IL_OP_DP2 ? 2 : op == IL_OP_DP3 ? 3 : 4;
   struct il_src sum = { 0 };

   formula_scalars(f);
   for (unsigned c = 0; c < count; c++) {
      struct il_src a = formula_component(f, 0, c), b = formula_component(f, 1, c);
      sum = c == 0 ? formula_op(f, IL_OP_MUL, ctl, 2, a, b, b)
                   : formula_op(f, IL_OP_MAD, ctl, 3, a, b, sum);
   }
   if (count < 4 && !il_ieee(f->inst))
      sum = OP2(f, ADD, sum, BITS(f, 0));
   formula_result(f, sum);
}

void
formula_cross(struct formula *f)
{
   static const uint8_t next[3] = { 1, 2, 0 };
   struct il_src a[3], b[3], result[4];

   formula_scalars(f);
   for (unsigned i = 0; i < 3; i++) {
      a[i] = formula_component(f, 0, i);
      b[i] = formula_component(f, 1, i);
   }
   for (unsigned i = 0; i < 3; i++) {
      const unsigned j = next[i], k = next[j];
      result[i] = MAD_IEEE(f, a[j], b[k], il_negate(MUL_IEEE(f, a[k], b[j])));
   }
   result[3] = BITS(f, 0);
   formula_results(f, result);
}

static struct il_src
length(struct formula *f, struct il_src v)
{
   formula_scalars(f);
   return OP1(f, SQRT_VEC, dot(f, IL_OP_DP3, v, v));
}

void
formula_length(struct formula *f)
{
   formula_result(f, length(f, formula_vector(f, 0)));
}

void
formula_distance(struct formula *f)
{
   const struct il_src a = formula_vector(f, 0), b = formula_vector(f, 1);

   f->mask = 7;
   formula_result(f, length(f, OP2(f, ADD, a, il_negate(b))));
}

void
formula_distance_vector(struct formula *f)
{
   struct il_src result[4];

   formula_scalars(f);
   result[0] = formula_float(f, 1);
   result[1] = MUL_IEEE(f, formula_component(f, 0, 1), formula_component(f, 1, 1));
   result[2] = formula_component(f, 0, 2);
   result[3] = formula_component(f, 1, 3);
   formula_results(f, result);
}

void
formula_light(struct formula *f)
{
   const float limit = 128.0f; /* less an epsilon, which rounds to the same */
   const struct il_src zero = BITS(f, 0);
   struct il_src result[4];

   formula_scalars(f);
   const struct il_src x = formula_component(f, 0, 0), y = formula_component(f, 0, 1);
   struct il_src exponent =
      OP2(f, MIN, OP2(f, MAX, formula_component(f, 0, 3), formula_float(f, -limit)),
          formula_float(f, limit));
   struct il_src power = OP1(f, EXP_VEC, MUL_IEEE(f, exponent, OP1(f, LOG_VEC, y)));
   struct il_src lit = OP2(f, LT, zero, x);

   result[0] = result[3] = formula_float(f, 1);
   result[1] = CHOOSE(f, lit, x, zero);
   result[2] = CHOOSE(f, lit, CHOOSE(f, OP2(f, LT, zero, y), power, zero), zero);
   formula_results(f, result);
}

void
formula_normalize(struct formula *f)
{
   const unsigned mask = f->mask;
   const struct il_src v = formula_vector(f, 0);

   formula_scalars(f);
   struct il_src square = dot(f, il_nrm4(f->inst) ? IL_OP_DP4 : IL_OP_DP3, v, v);
   struct il_src scale = formula_op(f, IL_OP_RSQ, il_zeroop(f->inst), 1, square, square, square);
   f->mask = mask;
   formula_result(f, MUL_IEEE(f, formula_operand(f, 0), scale));
}

void
formula_reflect(struct formula *f)
{
   const unsigned mask = f->mask;
   const struct il_src a = formula_vector(f, 0), b = formula_vector(f, 1);

   formula_scalars(f);
   struct il_src twice = MUL_IEEE(f, dot(f, IL_OP_DP4, a, b), formula_float(f, 2)), norm = { 0 };
   if (il_normalize(f->inst))
      norm = dot(f, IL_OP_DP4, b, b);
   f->mask = mask;
   struct il_src along = formula_operand(f, 0);
   if (il_normalize(f->inst))
      along = MUL_IEEE(f, norm, along);
   formula_result(f, MAD_IEEE(f, il_negate(twice), formula_operand(f, 1), along));
}

void
formula_face_forward(struct formula *f)
{
   const unsigned mask = f->mask;
   const struct il_src a = formula_vector(f, 0), b = formula_vector(f, 1);

   formula_scalars(f);
   struct il_src along = dot(f, IL_OP_DP4, a, b), sign = formula_sign(f, &along);
   f->mask = mask;
   formula_result(f, MUL_IEEE(f, formula_operand(f, 2), sign));
}

void
formula_dp2_add(struct formula *f)
{
   const struct il_src a = formula_vector(f, 0), b = formula_vector(f, 1);

   formula_scalars(f);
   struct il_src sum = formula_op(f, IL_OP_DP2, il_ieee(f->inst), 2, a, b, b);
   formula_result(f, OP2(f, ADD, sum, formula_component(f, 2, 2)));
}

void
formula_partial_exp(struct formula *f)
{
   struct il_src result[4];

   formula_scalars(f);
   const struct il_src w = formula_component(f, 0, 3);
   result[0] = OP1(f, EXP_VEC, OP1(f, ROUND_NEG_INF, w));
   result[1] = OP1(f, FRC, w);
   result[2] = OP1(f, EXP_VEC, w);
   result[3] = formula_float(f, 1);
   formula_results(f, result);
}

void
formula_partial_log(struct formula *f)
{
   struct il_src result[4];

   formula_scalars(f);
   const struct il_src w = formula_component(f, 0, 3);
   result[2] = formula_op(f, IL_OP_LOG, il_zeroop(f->inst), 1, w, w, w);
   result[0] = OP1(f, ROUND_NEG_INF, result[2]);
   result[1] = MUL_IEEE(f, w, RECIPROCAL(f, OP1(f, EXP_VEC, result[0])));
   result[3] = formula_float(f, 1);
   formula_results(f, result);
}

void
formula_sine_cosine(struct formula *f)
{
   struct il_src result[4];

   formula_scalars(f);
   const struct il_src w = formula_component(f, 0, 3);
   result[0] = OP1(f, COS_VEC, w);
   result[1] = OP1(f, SIN_VEC, w);
   result[2] = result[3] = BITS(f, 0);
   formula_results(f, result);
}
