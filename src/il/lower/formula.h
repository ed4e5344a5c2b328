/* SPDX-License-Identifier: MIT */
/*
 * How opcodes that are formulas of others are written: values, and the operations that make them.
 *
 * A value is a source to be read again: a constant, an operand of the instruction, or temps that
 * nothing else writes.  Formulas of components are written once for all that the instruction writes
 * (l->mask): component c of a value is of component c of the operands.  If that is one component
 * alone, and in the formulas of 64-bit and of single values, values are scalars: one component, the
 * same in all four components.
 */
#ifndef IL_LOWER_FORMULA_H
#define IL_LOWER_FORMULA_H

#include "pass.h"

#define MAX_OPERANDS 4

struct formula {
   struct il_lower *l;
   const struct il_inst *inst;
   struct il_dst dst;
   unsigned mask; /* components of a value; a single bit: scalars */
   uint32_t first_temp;
};

/* Two values, or a 64-bit one. */
struct wide {
   struct il_src lo, hi;
};

/* --- expand.c --- */
/** The result of an operation on values. */
struct il_src formula_op(struct formula *f, unsigned op, unsigned ctl, unsigned nsrc,
                         struct il_src a, struct il_src b, struct il_src c);
static inline struct il_src
formula_op1(struct formula *f, unsigned op, unsigned ctl, struct il_src a)
{
   return formula_op(f, op, ctl, 1, a, a, a);
}

static inline struct il_src
formula_op2(struct formula *f, unsigned op, unsigned ctl, struct il_src a, struct il_src b)
{
   return formula_op(f, op, ctl, 2, a, b, b);
}

/** Of four values. */
struct il_src formula_op4(struct formula *f, unsigned op, const struct il_src src[4]);
/** Operand `i` as a value, with its modifiers: float ones, or integer ones of an operation on
 * integers. */
struct il_src formula_operand(struct formula *f, unsigned i);
/** One component of operand `i` as a scalar, f->mask being one. */
struct il_src formula_component(struct formula *f, unsigned i, unsigned comp);
/** True, and the bits of a scalar that is a constant of the program's. */
bool formula_literal(struct formula *f, const struct il_src *scalar, uint32_t *bits);
/** The instruction's result: components for components, or a scalar for all. */
void formula_result(struct formula *f, struct il_src value);
/** Four scalars as its result. */
void formula_results(struct formula *f, const struct il_src value[4]);
/** All components of operand `i` as one value. */
struct il_src formula_vector(struct formula *f, unsigned i);
/** From here on values are scalars. */
void formula_scalars(struct formula *f);

/* Operands are made from the last to the first, whatever the compiler: of the two orders the one
 * from which Cayman's scheduler makes fewer groups.  What is a function here has one operand at
 * most that makes instructions. */
#define OP1(f, op, a) formula_op1(f, IL_OP_##op, 0, a)
#define OP2(f, op, a, b)                            \
   ({                                               \
      const struct il_src op2_b = (b), op2_a = (a); \
      formula_op2(f, IL_OP_##op, 0, op2_a, op2_b);  \
   })
#define OP3(f, op, a, b, c)                                      \
   ({                                                            \
      const struct il_src op3_c = (c), op3_b = (b), op3_a = (a); \
      formula_op(f, IL_OP_##op, 0, 3, op3_a, op3_b, op3_c);      \
   })
/* In the form in which 0 * infinity is NaN. */
#define MUL_IEEE(f, a, b)                                         \
   ({                                                             \
      const struct il_src mul_b = (b), mul_a = (a);               \
      formula_op2(f, IL_OP_MUL, il_ctl_ieee(true), mul_a, mul_b); \
   })
#define MAD_IEEE(f, a, b, c)                                               \
   ({                                                                      \
      const struct il_src mad_c = (c), mad_b = (b), mad_a = (a);           \
      formula_op(f, IL_OP_MAD, il_ctl_ieee(true), 3, mad_a, mad_b, mad_c); \
   })
#define RECIPROCAL(f, a) formula_op1(f, IL_OP_RCP_VEC, IL_ZEROOP_INFINITY, a)
/* `yes` where the condition has any bit. */
#define CHOOSE(f, condition, yes, no) OP3(f, CMOV_LOGICAL, condition, yes, no)
/* `yes` where a float is zero, of either sign. */
#define IF_ZERO(f, x, yes, no) CHOOSE(f, OP2(f, EQ, x, BITS(f, 0)), yes, no)
/* a - b of integers */
#define SUBTRACT(f, a, b) OP2(f, I_ADD, a, il_negate(b))
#define WIDE(lo, hi)                                      \
   ({                                                     \
      const struct il_src wide_lo = (lo), wide_hi = (hi); \
      (struct wide){ wide_lo, wide_hi };                  \
   })
#define BITS(f, bits) lower_bits((f)->l, bits)

static inline struct il_src
formula_float(struct formula *f, float x)
{
   union {
      float f;
      uint32_t u;
   } bits = { .f = x };
   return lower_bits(f->l, bits.u);
}

/** Bits of a mask from `bits`, the others from `base`; the mask is the low `width` bits from
 * `offset` on. */
static inline struct il_src
formula_insert(struct formula *f, unsigned width, unsigned offset, struct il_src bits,
               struct il_src base)
{
   struct il_src src[4] = { BITS(f, width) };

   src[1] = BITS(f, offset);
   src[2] = bits;
   src[3] = base;
   return formula_op4(f, IL_OP_U_BIT_INSERT, src);
}

static inline struct il_src
formula_extract(struct formula *f, struct il_src x, unsigned offset, unsigned width)
{
   return OP3(f, U_BIT_EXTRACT, BITS(f, width), BITS(f, offset), x);
}

/** Bits 2 n and 2 n + 1 of a component of IL_DRV_DRAW2, a scalar. */
struct il_src formula_draw_state(struct formula *f, unsigned comp, unsigned n);

/* --- the formulas: expand.c lists the opcode of each -------------------------------------------
 * */

/** Of components, or of scalars, in all or one of which an operand is read. */
typedef struct il_src value_fn(struct formula *f, const struct il_src *s);
/** Of 64-bit values, and of those a mask, a number or a class. */
typedef struct wide wide_fn(struct formula *f, const struct wide *v);
typedef struct il_src part_fn(struct formula *f, const struct wide *v);
/** All that an instruction does. */
typedef void whole_fn(struct formula *f);

/* differences.c: sums of differences of bytes */
value_fn formula_masked_sad;
whole_fn formula_sad_4, formula_quad_sad;

/* divide.c, divide64.c: integers */
value_fn formula_divide;
wide_fn formula_divide64, formula_remainder64;

/* double.c */
wide_fn formula_divide_double, formula_move_if_double, formula_frexp_mantissa64;
part_fn formula_frexp_exponent64, formula_to_integer, formula_class64;
whole_fn formula_from_integer;

/* fixup.c */
value_fn formula_fixup;
wide_fn formula_fixup64;

/* int64.c */
wide_fn formula_add64, formula_subtract64, formula_negate64, formula_multiply64, formula_min64,
   formula_max64, formula_shift64;
part_fn formula_equal64, formula_unequal64, formula_less64, formula_not_less64;

/* math.c: floats, a component at a time, and of w */
value_fn formula_absolute, formula_sub, formula_quotient, formula_modulo, formula_round_up,
   formula_reduce, formula_clamp, formula_clamp_colour, formula_same, formula_mix, formula_sign,
   formula_set, formula_compare, formula_multiply_add, formula_min3, formula_max3, formula_med3;
value_fn formula_same_w, formula_exp_e, formula_log_e, formula_power, formula_tangent,
   formula_arc_sine, formula_arc_cosine, formula_arc_tangent;

/* matrix.c */
whole_fn formula_multiply_matrix, formula_transpose, formula_determinant;

/* parts.c: the parts of floats */
value_fn formula_ldexp, formula_frexp_exponent, formula_frexp_mantissa, formula_class,
   formula_half_down, formula_half_up;
/** Bit `class` of the mask as ~0 or 0, with the class of a float that has this sign (0 or not),
 *  rank
 * (0 zero, 1 denormal, 2 number, 3 infinity), and, if it is one, kind of NaN. */
struct il_src formula_class_bit(struct formula *f, struct il_src sign, struct il_src rank,
                                struct il_src nan, struct il_src quiet, struct il_src mask);

/* vector.c: floats, with a meaning of its own for each component */
whole_fn formula_dot, formula_cross, formula_distance, formula_length, formula_distance_vector,
   formula_light, formula_normalize, formula_reflect, formula_face_forward, formula_dp2_add,
   formula_partial_exp, formula_partial_log, formula_sine_cosine;

/* --- wide.c: what formulas of 64-bit values share -----------------------------------------------
 * */

/** Operand `i` of two dwords; a double's with its modifiers, an integer's with its sign. */
struct wide formula_wide(struct formula *f, unsigned i);
/** The result, in .xy and in .zw alike. */
void formula_wide_result(struct formula *f, struct wide v);
/** A result for all components, which the destination's modifiers leave alone. */
void formula_part_result(struct formula *f, struct il_src v);
/** An operation on doubles. */
struct wide formula_double(struct formula *f, unsigned op, unsigned ctl, unsigned count,
                           const struct wide *v);
/** The exponent of a double, and its mantissa, which is returned. */
struct wide formula_frexp(struct formula *f, struct wide v, struct il_src *exponent);
struct wide formula_choose64(struct formula *f, struct il_src condition, struct wide yes,
                             struct wide no);
/** ~0 if a < b, else 0. */
struct il_src formula_is_less64(struct formula *f, struct wide a, struct wide b, bool is_signed);

static inline struct wide
formula_difference64(struct formula *f, struct wide a, struct wide b)
{
   return formula_subtract64(f, (const struct wide[]){ a, b });
}

static inline struct wide
formula_sum64(struct formula *f, struct wide a, struct wide b)
{
   return formula_add64(f, (const struct wide[]){ a, b });
}

static inline struct wide
formula_product64(struct formula *f, struct wide a, struct wide b)
{
   return formula_multiply64(f, (const struct wide[]){ a, b });
}

#endif
