/* SPDX-License-Identifier: MIT */
/*
 * What every micro-operation's code does with its operands and result.  Kernels only.
 */
#ifndef ATOLL_SQ_UOP_H
#define ATOLL_SQ_UOP_H

#include "arith.h"
#include "sq/program.h"

/* Operand n in lanes [i * VW, (i + 1) * VW). */
V_INLINE vu
uop_src(const struct exec *x, const struct uop *u, unsigned n, unsigned i)
{
   vu v;
   if (u->uni >> n & 1)
      v = vu_splat(*(const uint32_t *)((const uint8_t *)x->uni + u->src[n]));
   else
      v = vu_load(x->file + u->src[n] + i * (VW * 4));
   if (u->mods >> n & 1)
      v = (v & vu_splat(u->keep[n])) ^ vu_splat(u->flip[n]);
   return v;
}

/* The lanes a uop writes. */
V_INLINE uint64_t
uop_lanes(const struct exec *x, const struct uop *u)
{
   uint64_t lanes = x->lanes;
   if (u->pred_sel == CAYMAN_PRED_SEL_ONE)
      lanes &= x->pred;
   else if (u->pred_sel == CAYMAN_PRED_SEL_ZERO)
      lanes &= ~x->pred;
   return lanes;
}

/* Output modifiers, of float results. */
V_INLINE vu
uop_post(const struct exec *x, const struct uop *u, vu r)
{
   if (u->omod) {
      float scale = u->omod == CAYMAN_OMOD_M2 ? 2.0f : u->omod == CAYMAN_OMOD_M4 ? 4.0f : 0.5f;
      r = (vu)vf_canon((vf)r * vf_splat(scale));
   }
   if (u->clamp) {
      vm nan = vf_isnan((vf)r);
      vu s = (vu)vf_saturate((vf)r);
      r = x->dx10_clamp ? s : vu_select(nan, vu_splat(0x7fc00000u), s);
   }
   return r;
}

V_INLINE void
uop_store(const struct exec *x, uint32_t dst, unsigned i, uint64_t lanes, vu r)
{
   uint8_t *p = x->file + dst + i * (VW * 4);
   if (lanes == x->launch)
      vu_store(p, r);
   else
      vu_store_masked(p, vm_lanes(lanes, i), r);
}

#endif
