/* SPDX-License-Identifier: MIT */
/*
 * Predicates and kills: comparisons with a result a lane, which change the execution mask or the
 * coverage (HD 6900 ISA guide 4.10, 8.2).
 */
#include "uop/native.h"

enum pred_value { PRED_BOOL, PRED_SRC0, PRED_DIFFERENCE, PRED_INCREMENT, PRED_MAX, PRED_INVERSE };

/* What a lane that does not pass writes. */
V_INLINE vf
pred_value(enum pred_value kind, vf a, vf b)
{
   vf one = vf_splat(1.0f);
   switch (kind) {
   case PRED_SRC0:
      return a;
   case PRED_DIFFERENCE:
      return a - b;
   case PRED_INCREMENT:
      return a + one;
   case PRED_MAX:
      return (vf)vu_splat(0x7f7fffffu);
   case PRED_INVERSE:
      return vf_select(vf_eq(a, vf_splat(0.0f)), one, a);
   default:
      return one;
   }
}

V_INLINE void
finish(struct exec *x, const struct bound_uop *u, uint64_t lanes, uint64_t pass, bool kill)
{
   pass &= lanes;
   if (kill) {
      if (x->kills)
         x->valid &= ~pass;
      return;
   }
   if (u->p.predicate.update_pred)
      x->pred_next = (x->pred & ~lanes) | pass;
   if (u->p.predicate.update_exec) {
      x->fail |= lanes & ~pass;
      x->fail_op = u->p.predicate.exec_op;
      x->fail_pending = true;
   }
}

#define WHAT_TEST false
#define WHAT_KILL true
#define PRED(name, what, operands, kinds, native, otherwise, passes)                 \
   void K(uop_pred_##name)(struct exec * x, const struct bound_uop *u)               \
   {                                                                                 \
      uint64_t lanes = uop_lanes(x, u), pass = 0;                                    \
      vf one = vf_splat(1.0f), zero = vf_splat(0.0f);                                \
      for (unsigned i = 0; i < VECTORS; i++) {                                       \
         vu a = uop_src(x, u, 0, i), b = uop_src(x, u, 1, i);                        \
         vf fa = (vf)a, fb = (vf)b;                                                  \
         (void)fa, (void)fb, (void)b, (void)one, (void)zero;                         \
         vm m = (passes);                                                            \
         vf other = pred_value(PRED_##otherwise, fa, fb);                            \
         vf r = WHAT_##what ? vf_keep(m, one) : vf_select(m, zero, vf_canon(other)); \
         pass |= vm_to_lanes(m, i);                                                  \
         uop_store(x, u->dst, i, lanes, uop_post(x, u, (vu)r));                      \
      }                                                                              \
      finish(x, u, lanes, pass, WHAT_##what);                                        \
   }
#include "uop/uops.def"

static const bool kills[UOP_COUNT] = {
#define PRED(name, what, operands, kinds, native, otherwise, passes) [UOP_##name] = WHAT_##what,
#include "uop/uops.def"
};

bool
K(uop_kills)(unsigned op)
{
   return kills[op];
}

void
K(uop_pred_finish)(struct exec *x, const struct bound_uop *u)
{
   finish(x, u, x->lanes, x->pass[u->native], kills[u->op]);
}
