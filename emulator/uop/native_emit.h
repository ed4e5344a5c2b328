/* SPDX-License-Identifier: MIT */
/*
 * What emits single instructions for one micro-operation: on slots, with masks, of operands with
 * their modifiers.  native_op.c has the operations, native_int.c those of integers and conversions,
 * native_series.c those that are computed by a polynomial.  Kernels only.
 */
#ifndef ATOLL_UOP_NATIVE_EMIT_H
#define ATOLL_UOP_NATIVE_EMIT_H

#include "uop/native.h"

#if VW > 4

enum int_test { TEST_EQ, TEST_NE, TEST_GT, TEST_GE, TEST_GTU, TEST_GEU };

#define GT_OQ 30u
#define GE_OQ 29u

/* ------------------------------------------------------------------------------------------------
 * Instructions on slots
 */
static inline void
two(struct native *n, unsigned code, unsigned dst, struct native_value v)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_vec(&n->x, code, native_reg(n, dst, s), 0, native_rm(n, &v, s));
}

/* v is not a splat with VEX. */
static inline void
three(struct native *n, unsigned code, unsigned dst, unsigned first, struct native_value v)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_vec(&n->x, code, native_reg(n, dst, s), native_reg(n, first, s), native_rm(n, &v, s));
}

static inline void
rounded(struct native *n, unsigned dst, struct native_value v, unsigned how)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_vec_imm(&n->x, X86_ROUNDPS, native_reg(n, dst, s), 0, native_rm(n, &v, s), how);
}

/* to = from, shifted by a known count below 32. */
static inline void
shift_by(struct native *n, enum x86_shift how, unsigned to, unsigned from, unsigned count)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_vec_imm(&n->x, X86_SHIFTD_BY, how, native_reg(n, to, s), x86_reg(native_reg(n, from, s)),
                  count);
}

/* A mask: of lanes in mask registers, or a slot of zeros and ones. */
struct mask {
   unsigned first; /* mask register of strip 0, or slot */
   bool inverted;  /* VEX alone */
};

static inline struct mask
new_mask(struct native *n, unsigned number)
{
#if VW == 16
   const unsigned first = 1 + number * n->strips;
   if (first + n->strips > NATIVE_CANON_MASK) {
      n->crowded = true;
      return (struct mask){ 1, false };
   }
   return (struct mask){ first, false };
#else
   return (struct mask){ K(native_take)(n), false };
#endif
}

static inline void
compare(struct native *n, struct mask m, unsigned how, unsigned first, struct native_value v)
{
   for (unsigned s = 0; s < n->strips; s++) {
#if VW == 16
      unsigned to = m.first + s;
#else
      unsigned to = native_reg(n, m.first, s);
#endif
      x86_vec_imm(&n->x, X86_CMPPS, to, native_reg(n, first, s), native_rm(n, &v, s), how);
   }
}

/* dst = lanes of the mask of v, elsewhere zero. */
static inline void
keep(struct native *n, struct mask m, unsigned dst, struct native_value v)
{
   for (unsigned s = 0; s < n->strips; s++) {
#if VW == 16
      x86_vec_masked(&n->x, v.kind == NATIVE_UNI ? X86_BROADCASTSS : X86_MOVAPS_LOAD,
                     native_reg(n, dst, s), 0, native_rm(n, &v, s), m.first + s, true);
#else
      x86_vec(&n->x, m.inverted ? X86_ANDNPS : X86_ANDPS, native_reg(n, dst, s),
              native_reg(n, m.first, s), native_rm(n, &v, s));
#endif
   }
}

/* dst = lanes of the mask of v; others keep what dst has. */
static inline void
merge(struct native *n, struct mask m, unsigned dst, struct native_value v)
{
   for (unsigned s = 0; s < n->strips; s++) {
      unsigned reg = native_reg(n, dst, s);
#if VW == 16
      x86_vec_masked(&n->x, v.kind == NATIVE_UNI ? X86_BROADCASTSS : X86_MOVAPS_LOAD, reg, 0,
                     native_rm(n, &v, s), m.first + s, false);
#else
      x86_vec_imm(&n->x, X86_BLENDVPS, reg, reg, native_rm(n, &v, s),
                  native_reg(n, m.first, s) << 4);
#endif
   }
}

/* The slot that has ones where the mask holds. */
static inline unsigned
mask_to_bits(struct native *n, struct mask m)
{
#if VW == 16
   const unsigned r = K(native_take)(n);
   for (unsigned s = 0; s < n->strips; s++)
      x86_vec(&n->x, X86_PMOVM2D, native_reg(n, r, s), 0, x86_reg(m.first + s));
#else
   const unsigned r = m.first;
   if (m.inverted)
      three(n, X86_XORPS, r, r, native_constant(NATIVE_ALL_BITS));
#endif
   n->slot[r].is_mask = true;
   return r;
}

/* ------------------------------------------------------------------------------------------------
 * Operands
 */

/* As the last operand of an instruction. */
static inline struct native_value
usable(struct native *n, struct native_value v)
{
   if (!n->x.evex && v.kind == NATIVE_UNI)
      K(native_load)(n, &v);
   return v;
}

/* Operand k with its modifiers; `bits`: the operation sees its bits. */
static inline struct native_value
operand(struct native *n, const struct bound_uop *u, unsigned k, bool bits)
{
   struct native_value v = K(native_operand)(n, u, k);
   if (bits && v.kind == NATIVE_SLOT)
      K(native_canon)(n, v.slot);
   if (u->mods >> k & 1) {
      /* Absolute, negated, both; or all bits flipped. */
      bool magnitude = u->keep[k] != ~0u, flip = u->flip[k] >> 31, all = u->flip[k] & 1;
      unsigned code = !magnitude || all ? X86_XORPS : flip ? X86_ORPS : X86_ANDPS;
      unsigned constant = all                  ? NATIVE_ALL_BITS
                          : magnitude && !flip ? NATIVE_MAGNITUDE
                                               : NATIVE_SIGN;
      unsigned from = K(native_load)(n, &v), to = K(native_take)(n);
      three(n, code, to, from, native_constant(constant));
      v = native_in(to);
   }
   return usable(n, v);
}

static inline bool
only_negated(const struct bound_uop *u, unsigned k)
{
   return (u->mods >> k & 1) && u->keep[k] == ~0u && u->flip[k] == 0x80000000u;
}

/* dst = a op b for an operation that commutes. */
static inline void
commutes(struct native *n, unsigned code, unsigned dst, struct native_value a,
         struct native_value b)
{
   if (a.kind != NATIVE_SLOT && b.kind == NATIVE_SLOT) {
      three(n, code, dst, b.slot, a);
      return;
   }
   three(n, code, dst, K(native_load)(n, &a), b);
}

static inline unsigned
float_result(struct native *n)
{
   unsigned r = K(native_take)(n);
   n->slot[r].any_nan = n->slot[r].computed = true;
   return r;
}

/* Whether operand k is a literal of the program; *bits: that, with its modifiers. */
static inline bool
literal(const struct native *n, const struct bound_uop *u, unsigned k, uint32_t *bits)
{
   const uint32_t at = u->src[k] / 4 - n->code->num_uniforms;

   if (!(u->uni >> k & 1) || at >= n->code->num_literals)
      return false;
   *bits = (n->code->literals[at] & u->keep[k]) ^ u->flip[k];
   return true;
}

/* The same that is neither a NaN nor a denormal number. */
static inline bool
plain_literal(const struct native *n, const struct bound_uop *u, unsigned k, uint32_t *bits)
{
   if (!literal(n, u, k, bits))
      return false;
   const uint32_t magnitude = *bits & 0x7fffffffu;
   return magnitude <= 0x7f800000u && (!magnitude || magnitude >= 0x00800000u);
}

/* ------------------------------------------------------------------------------------------------
 * Functions of floats, native_series.c; a slot with the result
 */
unsigned K(native_exp2)(struct native *n, const struct bound_uop *u);
unsigned K(native_log2)(struct native *n, const struct bound_uop *u);
unsigned K(native_sine)(struct native *n, const struct bound_uop *u, bool cosine);

/** The lanes of a mask to the next of exec.pass. */
void K(native_store_pass)(struct native *n, struct mask m);

/* ------------------------------------------------------------------------------------------------
 * Integers, native_int.c; a slot with the result
 */
struct mask K(native_int_compare)(struct native *n, unsigned test, struct native_value a,
                                  struct native_value b);
unsigned K(native_to_int)(struct native *n, const struct bound_uop *u);
unsigned K(native_to_uint)(struct native *n, const struct bound_uop *u);
unsigned K(native_from_uint)(struct native *n, const struct bound_uop *u);
unsigned K(native_bit_field_insert)(struct native *n, const struct bound_uop *u);
unsigned K(native_bit_field)(struct native *n, const struct bound_uop *u);
unsigned K(native_signed_bit_field)(struct native *n, const struct bound_uop *u);
unsigned K(native_bit_field_mask)(struct native *n, const struct bound_uop *u);
unsigned K(native_carry)(struct native *n, const struct bound_uop *u, bool borrow);
unsigned K(native_high_product)(struct native *n, const struct bound_uop *u, bool is_signed);
unsigned K(native_product_24)(struct native *n, const struct bound_uop *u, bool sums);
unsigned K(native_align_bits)(struct native *n, const struct bound_uop *u);
unsigned K(native_shift)(struct native *n, const struct bound_uop *u, unsigned code);

#endif

#endif
