/* SPDX-License-Identifier: MIT */
/*
 * One build's quotients beside the machine's division: how many of the integers from `first` to
 * `last`, times `scale`, differ.
 */
#include "td/quotient.h"

uint32_t K(count_wrong_quotients)(double divisor, int32_t first, int32_t last, float scale);

uint32_t
K(count_wrong_quotients)(double divisor, int32_t first, int32_t last, float scale)
{
   const struct reciprocal by = RECIPROCAL(divisor);
   const float d = (float)divisor;
   uint32_t wrong = 0;

   for (int64_t i = first; i <= last; i += VW) {
      vi n = vi_min(vi_splat((int32_t)i) + vi_lane_index(), vi_splat(last));
      vf f = vf_from_vi(n) * vf_splat(scale);
      vu got = (vu)quotient(f, d, by, true), expected = (vu)(f / vf_splat(d));
      wrong += (uint32_t)__builtin_popcount(vm_bits(vu_ne(got, expected)));
   }
   return wrong;
}
