/* SPDX-License-Identifier: MIT */
/*
 * Components of pixels to and from floats or integers, a vector at a time (kernels only).
 * Conversions round once, to nearest even; out of range values saturate.
 */
#ifndef ATOLL_PORT_PACK_H
#define ATOLL_PORT_PACK_H

#include "arith.h"
#include "port/channel.h"
#include "port/srgb.h"
#include "port/state.h"

/* sRGB codes of linear values in [0, 1]: from the table a code that is at most one too low. */
V_INLINE vu
srgb_encode(vf x)
{
   const vi at = vi_clamp(vi_sar((vi)x, 16), CB_SRGB_FIRST, CB_SRGB_FIRST + 2047);
   float in[VW];
   uint32_t index[VW], out[VW];

   memcpy(in, &x, sizeof(in));
   memcpy(index, &at, sizeof(index));
   for (unsigned i = 0; i < VW; i++) {
      const uint32_t code = cb_srgb.first[index[i] - CB_SRGB_FIRST];

      out[i] = code + (in[i] >= cb_srgb.threshold[code + 1]);
   }
   return vu_loadu(out);
}

V_INLINE vf
srgb_decode(vu code)
{
   uint32_t in[VW];
   float out[VW];

   memcpy(in, &code, sizeof(in));
   for (unsigned i = 0; i < VW; i++)
      out[i] = cb_srgb.decode[in[i] & 255];
   return vf_loadu(out);
}

/* Unsigned floats of 5 exponent bits and `mantissa` bits (11- and 10-bit components). */
V_INLINE vf
small_float_decode(vu v, unsigned mantissa)
{
   return vf_from_half(vu_shl(v, 10 - mantissa));
}

V_INLINE vu
small_float_encode(vf x, unsigned mantissa)
{
   const unsigned shift = 23 - mantissa;
   const uint32_t infinity = 31u << mantissa;
   vu a = (vu)vf_max_second(x, vf_splat(0.0f));
   vu n = a - vu_splat(112u << 23);

   n += vu_splat((1u << (shift - 1)) - 1) + (vu_shr(n, shift) & vu_splat(1));
   n = vu_shr(n, shift);
   const vf small = vf_min_second((vf)a, vf_splat(0x1p-14f));
   const vu denormal = (vu)vi_round_raw(small * vf_splat((float)(1u << (14 + mantissa))));

   n = vu_select(vu_lt(a, vu_splat(F32_HALF_FIRST)), denormal, n);
   n = vu_select(vu_lt(a, vu_splat(F32_HALF_END)), vu_min(n, vu_splat(infinity - 1)),
                 vu_splat(infinity - 1));
   n = vu_select(vu_eq(a, vu_splat(F32_INFINITY)), vu_splat(infinity), n);
   return vu_select(vf_isnan(x), vu_splat(infinity | ((1u << mantissa) - 1)), n);
}

/* A component from where it lies in its word, as a float (or integer bits of UINT and SINT). */
V_INLINE vu
unpack_channel(const struct cb_channel *c, vu word)
{
   const uint32_t max = 0xffffffffu >> (32 - c->bits);
   const vu v = vu_shr(word, c->shift) & vu_splat(max);
   const vi s = vi_sar((vi)vu_shl(v, 32 - c->bits), 32 - c->bits);

   switch (c->type) {
   case NUMERIC_UNORM:
      return (vu)(vf_from_vu(v) / vf_splat((float)max));
   case NUMERIC_SNORM:
      return (vu)vf_max_second(vf_from_vi(s) / vf_splat((float)(max >> 1)), vf_splat(-1.0f));
   case NUMERIC_USCALED:
      return (vu)vf_from_vu(v);
   case NUMERIC_SSCALED:
      return (vu)vf_from_vi(s);
   case NUMERIC_SINT:
      return (vu)s;
   case NUMERIC_SRGB:
      return (vu)srgb_decode(v);
   case NUMERIC_FLOAT:
      return c->bits == 16   ? (vu)vf_from_half(v)
             : c->bits == 11 ? (vu)small_float_decode(v, 6)
             : c->bits == 10 ? (vu)small_float_decode(v, 5)
                             : v;
   default:
      return v;
   }
}

/* The reverse: a word of the component, other bits are zero. */
V_INLINE vu
pack_channel(const struct cb_channel *c, vu value)
{
   const uint32_t max = 0xffffffffu >> (32 - c->bits);
   const int32_t smax = (int32_t)(max >> 1);
   const vf x = (vf)value;
   vu v;

   switch (c->type) {
   case NUMERIC_UNORM:
      if (c->bits > 24)
         v = vu_from_vf(vf_saturate(x) * vf_splat((float)max));
      else
         v = (vu)vi_round_raw(vf_saturate(x) * vf_splat((float)max));
      break;
   case NUMERIC_SNORM:
      v = (vu)vi_round_raw(vf_select(vf_isnan(x), vf_splat(0.0f), vf_clamp(x, -1.0f, 1.0f)) *
                           vf_splat((float)smax));
      break;
   case NUMERIC_USCALED:
      v = vu_min(vu_from_vf(x), vu_splat(max));
      break;
   case NUMERIC_SSCALED:
      v = (vu)vi_clamp(vi_from_vf(x), -smax - 1, smax);
      break;
   case NUMERIC_SINT:
      v = (vu)vi_clamp((vi)value, -smax - 1, smax);
      break;
   case NUMERIC_SRGB:
      v = srgb_encode(vf_saturate(x));
      break;
   case NUMERIC_FLOAT:
      v = c->bits == 16   ? vu_half_from_vf(x)
          : c->bits == 11 ? small_float_encode(x, 6)
          : c->bits == 10 ? small_float_encode(x, 5)
                          : value;
      break;
   default:
      v = vu_min(value, vu_splat(max));
      break;
   }
   return vu_shl(v & vu_splat(max), c->shift);
}

#endif
