/* SPDX-License-Identifier: MIT */
/*
 * Coefficients of a pixel wave's quads, as INTERP reads them.  Kernels only.
 */
#ifndef ATOLL_UOP_COEFFICIENTS_H
#define ATOLL_UOP_COEFFICIENTS_H

#include "arith.h"
#include "uop/exec.h"

/** Takes a wave's coefficients, x->one_primitive and x->launch being set; quads without lanes take
 *  a neighbour's. */
V_INLINE void
uop_bind_coefficients(struct exec *x, const struct spi_coef (*const coef[WAVE_QUADS])[4])
{
   if (x->one_primitive) {
      for (unsigned q = 0; q < WAVE_QUADS; q++)
         x->coef[q] = coef[0];
      x->same_coef = ~0u;
      return;
   }
   unsigned any = (unsigned)__builtin_ctzll(x->launch) / 4;
   for (unsigned q = 0; q < WAVE_QUADS; q++)
      x->coef[q] = coef[x->launch >> (q * 4) & 15 ? q : any];
   x->same_coef = 0;
   for (unsigned i = 0; i < VECTORS; i++) {
      bool same = true;
      for (unsigned q = 1; q < VW / 4; q++)
         same &= x->coef[i * (VW / 4) + q] == x->coef[i * (VW / 4)];
      x->same_coef |= (uint32_t)same << i;
   }
}

#endif
