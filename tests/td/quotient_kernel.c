/* SPDX-License-Identifier: MIT */
/*
 * One build's quotients beside the machine's division: how many of the integers from `first` to
 * `last`, times `scale`, differ; and its ways from sRGB beside the table.
 */
#include "td/kinds.h"

uint32_t K(count_wrong_quotients)(double divisor, int32_t first, int32_t last, float scale);

uint32_t K(count_wrong_bytes)(void);
uint32_t K(count_wrong_linears)(void);

uint32_t
K(count_wrong_linears)(void)
{
   uint32_t wrong = 0;

   for (uint32_t i = 0; i < 256; i++) {
      /* Another one in each lane. */
      const vu n = ((vu)vi_lane_index() * vu_splat(37) + vu_splat(i)) & vu_splat(255);
      float expected[VW];

      for (unsigned l = 0; l < VW; l++)
         expected[l] = td_srgb_to_linear[n[l]];
      const vu table = vu_loadu(expected);
      wrong += (uint32_t)__builtin_popcount(vm_bits(vu_ne((vu)linear_of(n), table)));
#if VW == 16
      /* Whatever processor this is. */
      wrong += (uint32_t)__builtin_popcount(vm_bits(vu_ne((vu)linear_by_parts(n), table)));
#endif
   }
#if VW == 16
   /* A wave's texels, each channel its own. */
   for (uint32_t i = 0; i < 256 && __builtin_cpu_supports("avx512vbmi"); i++) {
      wave_lane linear[3];
      uint32_t *const out[3] = { linear[0], linear[1], linear[2] };
      vu texel[VECTORS];

      for (unsigned n = 0; n < VECTORS; n++)
         texel[n] = ((vu)vi_lane_index() + vu_splat(n * VW + i)) * vu_splat(0x9e3779b1u);
      linear_by_bytes(texel, 3, out);
      for (unsigned l = 0; l < 3 * WAVE_LANES; l++) {
         const unsigned c = l / WAVE_LANES, lane = l % WAVE_LANES;
         float got;

         memcpy(&got, &linear[c][lane], sizeof(got));
         wrong += got != td_srgb_to_linear[texel[lane / VW][lane % VW] >> 8 * c & 255];
      }
   }
#endif
   return wrong;
}

uint32_t
K(count_wrong_bytes)(void)
{
   uint32_t wrong = 0;

#define COUNT(c)                                                                      \
   for (uint32_t i = 0; i < 256; i++) {                                               \
      /* The byte differs from lane to lane, and the other three from it. */          \
      const vu n = ((vu)vi_lane_index() + vu_splat(i)) & vu_splat(255);               \
      const vu others = ~(n * vu_splat(0x01010101u)) & vu_splat(~(0xffu << 8 * (c))); \
      const vu got = (vu)byte_quotient(others | vu_shl(n, 8 * (c)), c, true);         \
      const vu expected = (vu)(vf_from_vi((vi)n) / vf_splat(255.0f));                 \
      wrong += (uint32_t)__builtin_popcount(vm_bits(vu_ne(got, expected)));           \
   }
   COUNT(0)
   COUNT(1)
   COUNT(2)
   COUNT(3)
#undef COUNT
   return wrong;
}

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
