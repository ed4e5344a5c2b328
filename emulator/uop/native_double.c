/* SPDX-License-Identifier: MIT */
/*
 * Machine code for operations of doubles: those that double.c has as one instruction.
 *
 * A double lies in two components, a slot each.  An operation takes them apart into two slots of
 * 64-bit lanes, the halves.  It unpacks within 128 bits; a shuffle of the results' halves within
 * 128 bits puts the lanes back.
 *
 * Doubles have a rounding mode of their own.  It is loaded before the first of them, and floats'
 * mode again before the next micro-operation that depends on it, at the latest where
 * micro-operations end (native_emit_uops()).  rbx is the address of exec.lanes.
 */
#include "uop/native_emit.h"
#include "uop/native_form.h"

#include <stddef.h>

#if VW > 4

struct halves {
   unsigned slot[2];
};

static void
load_mode(struct native *n, size_t member)
{
   x86_load_mxcsr(&n->x, x86_mem(X86_BX, (int32_t)member - (int32_t)offsetof(struct exec, lanes)));
}

void
K(native_mode)(struct native *n, bool doubles)
{
   if (n->doubles == doubles)
      return;
   n->doubles = doubles;
   load_mode(n, doubles ? offsetof(struct exec, fp_double) : offsetof(struct exec, fp_now));
}

/* Operand `r`: the high dword is operand 0 of record r, the low one its operand 1. */
static struct halves
operand_64(struct native *n, const struct bound_uop *u, unsigned r)
{
   struct native_value low = operand(n, u + r, 1, true);
   const unsigned l = K(native_load)(n, &low);
   struct native_value high = operand(n, u + r, 0, true);
   const unsigned h = K(native_load)(n, &high);
   const struct halves d = { { K(native_take)(n), K(native_take)(n) } };

   for (unsigned s = 0; s < n->strips; s++) {
      const unsigned from = native_reg(n, l, s);
      const struct x86_rm with = x86_reg(native_reg(n, h, s));

      x86_vec(&n->x, X86_UNPCKLPS, native_reg(n, d.slot[0], s), from, with);
      x86_vec(&n->x, X86_UNPCKHPS, native_reg(n, d.slot[1], s), from, with);
   }
   K(native_release)(n, l);
   K(native_release)(n, h);
   return d;
}

/* Whether two operands are the same double. */
static bool
same_64(const struct bound_uop *u, unsigned p, unsigned q)
{
   for (unsigned k = 0; k < 2; k++)
      if (u[p].src[k] != u[q].src[k] || ((u[p].uni ^ u[q].uni) >> k & 1) ||
          u[p].keep[k] != u[q].keep[k] || u[p].flip[k] != u[q].flip[k])
         return false;
   return true;
}

/* a = a op b */
static void
both(struct native *n, unsigned code, struct halves a, struct halves b)
{
   for (unsigned k = 0; k < 2; k++)
      three(n, code, a.slot[k], a.slot[k], native_in(b.slot[k]));
}

/* NaNs become the canonical one. */
static void
canon_64(struct native *n, struct halves d)
{
   const struct native_value nan = native_constant(NATIVE_NAN64);

   for (unsigned k = 0; k < 2; k++) {
      for (unsigned s = 0; s < n->strips; s++) {
         const unsigned reg = native_reg(n, d.slot[k], s);
#if VW == 16
         x86_vec_imm(&n->x, X86_CMPPD, NATIVE_CANON_MASK, reg, x86_reg(reg), X86_UNORD_Q);
         x86_vec_masked(&n->x, X86_MOVAPD_LOAD, reg, 0, native_rm(n, &nan, s), NATIVE_CANON_MASK,
                        false);
#else
         x86_vec_imm(&n->x, X86_CMPPD, NATIVE_SCRATCH, reg, x86_reg(reg), X86_UNORD_Q);
         x86_vec_imm(&n->x, X86_BLENDVPS, reg, reg, native_rm(n, &nan, s), NATIVE_SCRATCH << 4);
#endif
      }
   }
}

/* to = the low (0x88) or high (0xdd) dwords of both halves. */
static void
dwords(struct native *n, unsigned to, struct halves d, unsigned which)
{
   for (unsigned s = 0; s < n->strips; s++)
      x86_vec_imm(&n->x, X86_SHUFPS, native_reg(n, to, s), native_reg(n, d.slot[0], s),
                  x86_reg(native_reg(n, d.slot[1], s)), which);
}

/* The result is in d, which is used up. */
static void
define_64(struct native *n, const struct bound_uop *u, struct halves d)
{
   const unsigned writes = u->p.f64.writes, low = K(native_take)(n), high = d.slot[0];

   dwords(n, low, d, 0x88);
   dwords(n, high, d, 0xdd);
   for (unsigned r = 0; r < 4; r++)
      if (writes >> r & 1)
         K(native_define)(n, u[r].dst, r & 1 ? high : low);
}

/* ~0 where the comparison holds, else 0: both dwords are the same. */
static void
test_64(struct native *n, const struct bound_uop *u, unsigned how)
{
   const struct halves a = operand_64(n, u, 0), b = operand_64(n, u, 1);
   const unsigned r = K(native_take)(n);

   for (unsigned k = 0; k < 2; k++) {
      for (unsigned s = 0; s < n->strips; s++) {
         const unsigned reg = native_reg(n, a.slot[k], s);
         const struct x86_rm with = x86_reg(native_reg(n, b.slot[k], s));
#if VW == 16
         x86_vec_imm(&n->x, X86_CMPPD, 1, reg, with, how);
         x86_vec(&n->x, X86_PMOVM2Q, reg, 0, x86_reg(1));
#else
         x86_vec_imm(&n->x, X86_CMPPD, reg, reg, with, how);
#endif
      }
   }
   dwords(n, r, a, 0x88);
   n->slot[r].is_mask = true;
   for (unsigned k = 0; k < 4; k++)
      if (u->p.f64.writes >> k & 1)
         K(native_define)(n, u[k].dst, r);
}

/* Operand 1 where operand 0 is not 0, else operand 2; their bits stay what they are. */
static struct halves
select_64(struct native *n, const struct bound_uop *u)
{
   const struct native_value zero = native_constant(NATIVE_ZERO);
   const struct halves a = operand_64(n, u, 0), b = operand_64(n, u, 1), c = operand_64(n, u, 2);

   for (unsigned k = 0; k < 2; k++) {
      for (unsigned s = 0; s < n->strips; s++) {
         const unsigned test = native_reg(n, a.slot[k], s), to = native_reg(n, c.slot[k], s);
         const struct x86_rm from = x86_reg(native_reg(n, b.slot[k], s));
#if VW == 16
         x86_vec_imm(&n->x, X86_CMPPD, 1, test, native_rm(n, &zero, s), X86_NEQ_UQ);
         x86_vec_masked(&n->x, X86_BLENDMPD, to, to, from, 1, false);
#else
         x86_vec_imm(&n->x, X86_CMPPD, test, test, native_rm(n, &zero, s), X86_NEQ_UQ);
         x86_vec_imm(&n->x, X86_BLENDVPS, to, to, from, test << 4);
#endif
      }
   }
   return c;
}

/* 1 / d */
static void
reciprocal_64(struct native *n, struct halves d)
{
   struct native_value one = native_constant(NATIVE_ONE64);
   const unsigned slot = K(native_load)(n, &one);

   for (unsigned k = 0; k < 2; k++)
      three(n, X86_DIVPD, d.slot[k], slot, native_in(d.slot[k]));
}

/* The doubles of the floats that are the high dwords of operand 0. */
static struct halves
widened(struct native *n, const struct bound_uop *u)
{
   struct native_value high = operand(n, u, 0, true);
   const unsigned from = K(native_load)(n, &high);
   const struct halves d = { { K(native_take)(n), K(native_take)(n) } };

   for (unsigned k = 0; k < 2; k++) {
      struct native_value lanes = native_constant(k ? NATIVE_HALF_1 : NATIVE_HALF_0);

      three(n, X86_PERMPS, d.slot[k], K(native_load)(n, &lanes), native_in(from));
      two(n, X86_CVTPS2PD, d.slot[k], native_in(d.slot[k]));
   }
   K(native_release)(n, from);
   return d;
}

bool
K(native_can_64)(const struct bound_uop *u, unsigned form)
{
   const unsigned doubles = form == FORM_FMA_64 || form == FORM_SELECT_64 ? 3
                            : form == FORM_F64 || form == FORM_TEST_64    ? 2
                                                                          : 1;

   const struct uop_predicate *p = &u->p.f64.predicate;

   return !u->scale && !u->clamp && !p->update_pred && !p->update_exec &&
          u->p.f64.doubles >= doubles;
}

void
K(native_emit_64)(struct native *n, const struct bound_uop *u, unsigned form, unsigned imm,
                  unsigned code)
{
   struct halves a;

   K(native_mode)(n, true);
   switch (form) {
   case FORM_TEST_64:
      test_64(n, u, imm);
      return;
   case FORM_SELECT_64:
      define_64(n, u, select_64(n, u));
      return;
   case FORM_FMA_64: {
      a = operand_64(n, u, 0);
      const struct halves b = same_64(u, 0, 1) ? a : operand_64(n, u, 1);
      const struct halves c = same_64(u, 0, 2) ? a : same_64(u, 1, 2) ? b : operand_64(n, u, 2);

      for (unsigned k = 0; k < 2; k++)
         three(n, X86_FMADD213PD, a.slot[k], b.slot[k], native_in(c.slot[k]));
      break;
   }
   case FORM_WIDEN_64:
      a = widened(n, u);
      break;
   case FORM_F64:
      a = operand_64(n, u, 0);
      both(n, code, a, same_64(u, 0, 1) ? a : operand_64(n, u, 1));
      break;
   case FORM_RSQ_64:
   case FORM_SQRT_64:
   default:
      a = operand_64(n, u, 0);
      for (unsigned k = 0; k < 2 && form != FORM_RECIPROCAL_64; k++)
         two(n, X86_SQRTPD, a.slot[k], native_in(a.slot[k]));
      if (form != FORM_SQRT_64)
         reciprocal_64(n, a);
      break;
   }
   canon_64(n, a);
   define_64(n, u, a);
}

#endif
