/* SPDX-License-Identifier: MIT */
/*
 * How opcodes that are formulas of others are written: values, and the operations that make them.
 *
 * A value is a source to be read again: a constant, an operand of the instruction, or temps that
 * nothing else writes.  Formulas of components are written once for all that the instruction writes
 * (l->mask): component c of a value is of component c of the operands.  If that is one component
 * alone, and in the formulas of 64-bit and of single values, values are scalars: one component, the
 * same in all four places.
 */
#ifndef IL_LOWER_FORMULA_H
#define IL_LOWER_FORMULA_H

#include "pass.h"

#define MAX_OPERANDS 4

struct formula {
   struct il_lower *l;
   const struct il_inst *inst;
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
/** Of four values. */
struct il_src formula_op4(struct formula *f, unsigned op, const struct il_src src[4]);
/** Operand `i` as a value, with its modifiers: float ones, or integer ones of an operation on
 * integers. */
struct il_src formula_operand(struct formula *f, unsigned i);
/** One component of operand `i` as a scalar, f->mask being one. */
struct il_src formula_component(struct formula *f, unsigned i, unsigned comp);
/** The instruction's result: components for components, or a scalar for all. */
void formula_result(struct formula *f, struct il_src value);
/** Four scalars as its result. */
void formula_results(struct formula *f, const struct il_src value[4]);
/** Room for the two dwords of a 64-bit value: .xy or .zw of a temp. */
struct il_dst formula_pair(struct formula *f);
/** From here on values are scalars. */
void formula_scalars(struct formula *f);

#define OP1(f, op, a)       formula_op(f, IL_OP_##op, 0, 1, a, a, a)
#define OP2(f, op, a, b)    formula_op(f, IL_OP_##op, 0, 2, a, b, b)
#define OP3(f, op, a, b, c) formula_op(f, IL_OP_##op, 0, 3, a, b, c)
/* In the form in which 0 * infinity is NaN. */
#define MUL_IEEE(f, a, b)    formula_op(f, IL_OP_MUL, 1, 2, a, b, b)
#define MAD_IEEE(f, a, b, c) formula_op(f, IL_OP_MAD, 1, 3, a, b, c)
#define RECIPROCAL(f, a)     formula_op(f, IL_OP_RCP_VEC, IL_ZEROOP_INFINITY, 1, a, a, a)
#define BITS(f, bits)        lower_bits((f)->l, bits)

static inline struct il_src
formula_float(struct formula *f, float x)
{
   union {
      float f;
      uint32_t u;
   } bits = { .f = x };
   return lower_bits(f->l, bits.u);
}

/** `yes` where the condition has any bit. */
static inline struct il_src
formula_choose(struct formula *f, struct il_src condition, struct il_src yes, struct il_src no)
{
   return OP3(f, CMOV_LOGICAL, condition, yes, no);
}

/** a - b of integers. */
static inline struct il_src
formula_subtract(struct formula *f, struct il_src a, struct il_src b)
{
   return OP2(f, I_ADD, a, il_negate(b));
}

typedef void formula_fn(struct formula *f);

/* matrix.c */
formula_fn lower_multiply_matrix, lower_transpose, lower_determinant;

#endif
