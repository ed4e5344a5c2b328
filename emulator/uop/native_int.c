/* SPDX-License-Identifier: MIT */
/*
 * Machine code for comparisons of integers, conversions from and to them, bit fields, and what
 * wider integers are made of: carries, high dwords of products, shifts of two dwords.
 */
#include "uop/native_emit.h"

#if VW > 4

struct mask
K(native_int_compare)(struct native *n, unsigned test, struct native_value a, struct native_value b)
{
   unsigned x = K(native_load)(n, &a);
   struct mask m = new_mask(n, 0);
#if VW == 16
   static const uint8_t how[] = { X86_INT_EQ, X86_INT_NE, 6, 5, 6, 5 };
   for (unsigned s = 0; s < n->strips; s++) {
      x86_vec_imm(&n->x, test >= TEST_GTU ? X86_PCMPUD : X86_PCMPD, m.first + s,
                  native_reg(n, x, s), native_rm(n, &b, s), how[test]);
   }
#else
   if (test == TEST_EQ || test == TEST_NE) {
      three(n, X86_PCMPEQD, m.first, x, b);
      m.inverted = test == TEST_NE;
      return m;
   }
   unsigned y = K(native_load)(n, &b);
   if (test >= TEST_GTU) {
      unsigned p = K(native_take)(n), q = K(native_take)(n);
      three(n, X86_XORPS, p, x, native_constant(NATIVE_SIGN));
      three(n, X86_XORPS, q, y, native_constant(NATIVE_SIGN));
      x = p, y = q;
   }
   /* a >= b is not b > a */
   m.inverted = test == TEST_GE || test == TEST_GEU;
   if (m.inverted)
      three(n, X86_PCMPGTD, m.first, y, native_in(x));
   else
      three(n, X86_PCMPGTD, m.first, x, native_in(y));
#endif
   return m;
}

unsigned
K(native_to_int)(struct native *n, const struct bound_uop *u)
{
   struct native_value a = operand(n, u, 0, false);
   unsigned x = K(native_load)(n, &a), r = K(native_take)(n);
   struct mask m = new_mask(n, 0);
   two(n, X86_CVTTPS2DQ, r, native_in(x));
   compare(n, m, GE_OQ, x, native_constant(NATIVE_2P31));
   /* Out of range it gave the sign bit alone: one less is the largest. */
   three(n, X86_PADDD, r, r, native_in(mask_to_bits(n, m)));
   compare(n, m, X86_EQ_OQ, x, native_in(x));
   keep(n, m, r, native_in(r));
   return r;
}

unsigned
K(native_to_uint)(struct native *n, const struct bound_uop *u)
{
   struct native_value a = operand(n, u, 0, false);
   unsigned x = K(native_load)(n, &a), r = K(native_take)(n);
   struct mask positive = new_mask(n, 0);
#if VW == 16
   /* What is too large gives all ones. */
   two(n, X86_CVTTPS2UDQ, r, native_in(x));
#else
   const struct native_value half = native_constant(NATIVE_2P31);
   unsigned t = K(native_take)(n);
   struct mask high = new_mask(n, 1);
   compare(n, high, GE_OQ, x, half);
   keep(n, high, t, half);
   three(n, X86_SUBPS, t, x, native_in(t));
   two(n, X86_CVTTPS2DQ, r, native_in(t));
   three(n, X86_ANDPS, high.first, high.first, native_constant(NATIVE_SIGN));
   three(n, X86_XORPS, r, r, native_in(high.first));
   /* Twice too large. */
   compare(n, high, GE_OQ, t, half);
   three(n, X86_ORPS, r, r, native_in(high.first));
#endif
   compare(n, positive, GT_OQ, x, native_constant(NATIVE_ZERO));
   keep(n, positive, r, native_in(r));
   return r;
}

unsigned
K(native_from_uint)(struct native *n, const struct bound_uop *u)
{
   struct native_value a = operand(n, u, 0, true);
   unsigned r = K(native_take)(n);
#if VW == 16
   two(n, X86_CVTUDQ2PS, r, a);
#else
   /* Both halves are exact: the sum is what rounds. */
   unsigned x = K(native_load)(n, &a), low = K(native_take)(n);
   three(n, X86_PSRLVD, r, x, native_constant(NATIVE_INT_16));
   three(n, X86_ANDPS, low, x, native_constant(NATIVE_LOW_HALF));
   two(n, X86_CVTDQ2PS, r, native_in(r));
   two(n, X86_CVTDQ2PS, low, native_in(low));
   three(n, X86_MULPS, r, r, native_constant(NATIVE_2P16));
   three(n, X86_ADDPS, r, r, native_in(low));
#endif
   return r;
}

/* b where a has ones, c elsewhere. */
unsigned
K(native_bit_field_insert)(struct native *n, const struct bound_uop *u)
{
   struct native_value a = operand(n, u, 0, true), b = operand(n, u, 1, true);
   struct native_value c = operand(n, u, 2, true);
   unsigned mask = K(native_load)(n, &a), r = K(native_take)(n), t = K(native_take)(n);
   three(n, X86_ANDPS, r, mask, b);
   three(n, X86_ANDNPS, t, mask, c);
   three(n, X86_ORPS, r, r, native_in(t));
   return r;
}

/* The low five bits of operand k. */
static unsigned
five_bits(struct native *n, const struct bound_uop *u, unsigned k)
{
   struct native_value v = operand(n, u, k, true);
   unsigned r = K(native_take)(n);
   three(n, X86_ANDPS, r, K(native_load)(n, &v), native_constant(NATIVE_31));
   return r;
}

/* Whether the low five bits of operand k are known. */
static bool
known_bits(const struct native *n, const struct bound_uop *u, unsigned k, unsigned *count)
{
   uint32_t bits;

   if (!literal(n, u, k, &bits))
      return false;
   *count = bits & 31;
   return true;
}

/* `code`: the shift by counts that the lanes have. */
unsigned
K(native_shift)(struct native *n, const struct bound_uop *u, unsigned code)
{
   struct native_value a = operand(n, u, 0, true);
   const unsigned from = K(native_load)(n, &a);
   unsigned count;

   if (known_bits(n, u, 1, &count)) {
      const unsigned r = K(native_take)(n);
      shift_by(n,
               code == X86_PSLLVD   ? X86_SHIFT_LEFT
               : code == X86_PSRAVD ? X86_SHIFT_ARITHMETIC
                                    : X86_SHIFT_RIGHT,
               r, from, count);
      return r;
   }
   const unsigned counts = five_bits(n, u, 1), r = K(native_take)(n);
   three(n, code, r, from, native_in(counts));
   return r;
}

/* A field of known bits, to the left until it ends at bit 31, and back.  False: it is not one. */
static bool
known_field(struct native *n, const struct bound_uop *u, enum x86_shift back, unsigned *result)
{
   unsigned offset, width;

   if (!known_bits(n, u, 1, &offset) || !known_bits(n, u, 2, &width) || !width)
      return false;
   const unsigned left = offset + width < 32 ? 32 - offset - width : 0;
   struct native_value x = operand(n, u, 0, true);
   unsigned from = K(native_load)(n, &x);
   const unsigned r = K(native_take)(n);
   if (left) {
      shift_by(n, X86_SHIFT_LEFT, r, from, left);
      from = r;
   }
   shift_by(n, back, r, from, left ? 32 - width : offset);
   *result = r;
   return true;
}

/* (x >> offset) & ((1 << width) - 1): a field that ends beyond bit 31 is masked by nothing then. */
unsigned
K(native_bit_field)(struct native *n, const struct bound_uop *u)
{
   unsigned known;
   if (known_field(n, u, X86_SHIFT_RIGHT, &known))
      return known;
   struct native_value x = operand(n, u, 0, true), one = native_constant(NATIVE_INT_1);
   unsigned offset = five_bits(n, u, 1), width = five_bits(n, u, 2), r = K(native_take)(n);
   three(n, X86_PSRLVD, r, K(native_load)(n, &x), native_in(offset));
   unsigned mask = K(native_load)(n, &one), t = K(native_take)(n);
   three(n, X86_PSLLVD, t, mask, native_in(width));
   three(n, X86_PSUBD, t, t, native_in(mask));
   three(n, X86_ANDPS, r, r, native_in(t));
   return r;
}

/* To the left until the field ends at bit 31, and back; nothing for a width of 0. */
unsigned
K(native_signed_bit_field)(struct native *n, const struct bound_uop *u)
{
   unsigned known;
   if (known_field(n, u, X86_SHIFT_ARITHMETIC, &known))
      return known;
   struct native_value x = operand(n, u, 0, true), all = native_constant(NATIVE_INT_32);
   unsigned offset = five_bits(n, u, 1), width = five_bits(n, u, 2), r = K(native_take)(n);
   unsigned from = K(native_load)(n, &x), right = K(native_take)(n);
   three(n, X86_PSUBD, right, K(native_load)(n, &all), native_in(width));
   /* What is left of 32 - width when the field begins at offset, at least 0. */
   three(n, X86_PSUBD, r, right, native_in(offset));
   three(n, X86_PMAXSD, r, r, native_constant(NATIVE_ZERO));
   three(n, X86_PSLLVD, r, from, native_in(r));
   three(n, X86_PMAXSD, right, right, native_in(offset));
   three(n, X86_PSRAVD, r, r, native_in(right));
   struct mask m =
      K(native_int_compare)(n, TEST_NE, native_in(width), native_constant(NATIVE_ZERO));
   keep(n, m, r, native_in(r));
   return r;
}

/* ((1 << width) - 1) << offset */
unsigned
K(native_bit_field_mask)(struct native *n, const struct bound_uop *u)
{
   struct native_value one = native_constant(NATIVE_INT_1);
   const unsigned width = five_bits(n, u, 0), offset = five_bits(n, u, 1);
   const unsigned bit = K(native_load)(n, &one), r = K(native_take)(n);

   three(n, X86_PSLLVD, r, bit, native_in(width));
   three(n, X86_PSUBD, r, r, native_in(bit));
   three(n, X86_PSLLVD, r, r, native_in(offset));
   return r;
}

/* A sum is less than its operands where it wraps; a difference wraps where b > a. */
unsigned
K(native_carry)(struct native *n, const struct bound_uop *u, bool borrow)
{
   struct native_value a = operand(n, u, 0, true), b = operand(n, u, 1, true);
   const unsigned r = K(native_take)(n);
   struct mask m;

   if (borrow) {
      m = K(native_int_compare)(n, TEST_GTU, b, a);
   } else {
      three(n, X86_PADDD, r, K(native_load)(n, &a), b);
      m = K(native_int_compare)(n, TEST_GTU, a, native_in(r));
   }
   keep(n, m, r, native_constant(NATIVE_INT_1));
   return r;
}

/* Products of the even lanes, and of the odd ones, are 64 bits.  The high dword of the former goes
 * one lane down.  Of signed numbers, what is negative has counted 2^32 times the other too much. */
unsigned
K(native_high_product)(struct native *n, const struct bound_uop *u, bool is_signed)
{
   struct native_value a = operand(n, u, 0, true), b = operand(n, u, 1, true);
   const unsigned x = K(native_load)(n, &a), y = K(native_load)(n, &b);
   const unsigned r = K(native_take)(n), t = K(native_take)(n);

   two(n, X86_MOVSHDUP, r, native_in(x));
   two(n, X86_MOVSHDUP, t, native_in(y));
   three(n, X86_PMULUDQ, t, t, native_in(r));
   three(n, X86_ANDPS, t, t, native_constant(NATIVE_ODD_LANES));
   three(n, X86_PMULUDQ, r, x, native_in(y));
   two(n, X86_MOVSHDUP, r, native_in(r));
   three(n, X86_ANDPS, r, r, native_constant(NATIVE_EVEN_LANES));
   three(n, X86_ORPS, r, r, native_in(t));
   for (unsigned k = 0; k < 2 && is_signed; k++) {
      three(n, X86_PSRAVD, t, k ? y : x, native_constant(NATIVE_31));
      three(n, X86_ANDPS, t, t, native_in(k ? x : y));
      three(n, X86_PSUBD, r, r, native_in(t));
   }
   return r;
}

/* Of two operands of 24 bits, and the third one added. */
unsigned
K(native_product_24)(struct native *n, const struct bound_uop *u, bool sums)
{
   const struct native_value low = native_constant(NATIVE_LOW_24);
   const unsigned r = K(native_take)(n);
   uint32_t bits;

   for (unsigned k = 0; k < 2; k++) {
      struct native_value v = operand(n, u, k, true);

      if (k == 1 && literal(n, u, k, &bits) && bits < 1u << 24) {
         three(n, X86_PMULLD, r, r, v);
         continue;
      }
      const unsigned from = K(native_load)(n, &v), t = k ? K(native_take)(n) : r;
      three(n, X86_ANDPS, t, from, low);
      if (k)
         three(n, X86_PMULLD, r, r, native_in(t));
   }
   if (sums)
      three(n, X86_PADDD, r, r, operand(n, u, 2, true));
   return r;
}

/* Bits n to n + 31 of a : b.  A shift to the left by 32 leaves nothing. */
unsigned
K(native_align_bits)(struct native *n, const struct bound_uop *u)
{
   struct native_value high = operand(n, u, 0, true), low = operand(n, u, 1, true);
   struct native_value all = native_constant(NATIVE_INT_32);
   unsigned known;

   if (known_bits(n, u, 2, &known) && known) {
      const unsigned l = K(native_load)(n, &low), h = K(native_load)(n, &high);
      const unsigned r = K(native_take)(n), t = K(native_take)(n);

      shift_by(n, X86_SHIFT_RIGHT, r, l, known);
      shift_by(n, X86_SHIFT_LEFT, t, h, 32 - known);
      three(n, X86_ORPS, r, r, native_in(t));
      return r;
   }
   const unsigned count = five_bits(n, u, 2), r = K(native_take)(n), t = K(native_take)(n);

   three(n, X86_PSRLVD, r, K(native_load)(n, &low), native_in(count));
   three(n, X86_PSUBD, t, K(native_load)(n, &all), native_in(count));
   three(n, X86_PSLLVD, t, K(native_load)(n, &high), native_in(t));
   three(n, X86_ORPS, r, r, native_in(t));
   return r;
}

#endif
