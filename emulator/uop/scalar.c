/* SPDX-License-Identifier: MIT */
/*
 * Lane-wise micro-operations of 32 bits that are computed a lane at a time: what Valhall has and
 * Cayman has not.  Only additions, multiplications and divisions that round once, and bit
 * operations, so that every build gives the same bits.  A NaN result is canonical.
 */
#include "isa/valhall/valhall.h"
#include "uop/scalar.h"
#include "uop/values.h"

#define NAN_BITS 0x7fc00000u

V_INLINE float
bits_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return f;
}

V_INLINE bool
is_nan(uint32_t a)
{
   return (a & 0x7fffffff) > 0x7f800000;
}

/* 2^n as a double, n limited to what any product with a float can tell apart. */
V_INLINE double
power_of_two(int32_t n)
{
   n = n < -400 ? -400 : n > 400 ? 400 : n;
   uint64_t bits = (uint64_t)(n + 1023) << 52;
   double d;
   memcpy(&d, &bits, 8);
   return d;
}

/* Rounds a double that is no NaN to `digits` significant bits (24 or 11) with exponents from
 * `lowest` (of the least denormal) up.  Returns the magnitude as bits of a format that begins with
 * zero and its denormals: the value as a multiple of the last significant bit. */
V_INLINE uint64_t
round_magnitude(double d, unsigned digits, int lowest, unsigned mode)
{
   uint64_t bits;
   memcpy(&bits, &d, 8);
   bool negative = bits >> 63;
   int exponent = (int)(bits >> 52 & 0x7ff);
   uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
   if (exponent == 0) {
      return mantissa && ((mode == VALHALL_ROUND_MODE_RTP && !negative) ||
                          (mode == VALHALL_ROUND_MODE_RTN && negative));
   }
   mantissa |= UINT64_C(1) << 52;
   /* value = mantissa * 2^(exponent - 1075); the unit is 2^unit. */
   int top = exponent - 1023, unit = top - (int)digits + 1;
   unit = unit < lowest ? lowest : unit;
   int drop = unit - (exponent - 1075);
   uint64_t kept, rest, half;
   if (drop > 62) {
      kept = 0, rest = 1, half = 2;
   } else {
      kept = mantissa >> drop;
      rest = mantissa & ((UINT64_C(1) << drop) - 1);
      half = drop ? UINT64_C(1) << (drop - 1) : 1;
   }
   bool up = mode == VALHALL_ROUND_MODE_RTE   ? rest > half || (rest == half && (kept & 1))
             : mode == VALHALL_ROUND_MODE_RTP ? rest && !negative
             : mode == VALHALL_ROUND_MODE_RTN ? rest && negative
                                              : false;
   if (rest == 0)
      up = false;
   /* Exponent field and mantissa are one number: a carry goes where it belongs. */
   uint64_t field = (uint64_t)(unit - lowest) << (digits - 1);
   return field + kept + up;
}

/* The largest finite or the infinite, by the mode. */
V_INLINE uint32_t
overflow(uint32_t infinite, bool negative, unsigned mode)
{
   bool finite = mode == VALHALL_ROUND_MODE_RTZ || (mode == VALHALL_ROUND_MODE_RTP && negative) ||
                 (mode == VALHALL_ROUND_MODE_RTN && !negative);
   return infinite - finite;
}

V_INLINE uint32_t
half_from(double d, unsigned mode)
{
   uint64_t bits;
   memcpy(&bits, &d, 8);
   uint32_t sign = (uint32_t)(bits >> 48) & 0x8000;
   bits &= ~(UINT64_C(1) << 63);
   if (bits > UINT64_C(0x7ff0000000000000))
      return 0x7e00;
   if (bits == UINT64_C(0x7ff0000000000000))
      return sign | 0x7c00;
   uint64_t r = round_magnitude(d, 11, -24, mode);
   return sign | (r >= 0x7c00 ? overflow(0x7c00, sign, mode) : (uint32_t)r);
}

V_INLINE uint32_t
flush(uint32_t a, unsigned imm)
{
   uint32_t magnitude = a & 0x7fffffff, sign = a & 0x80000000u;
   bool half = imm & FLUSH_HALF;
   if (magnitude > 0x7f800000)
      return (imm & FLUSH_NAN) == VALHALL_NAN_MODE_FLUSH_NAN ? 0 : NAN_BITS;
   if (imm & FLUSH_INF && magnitude == 0x7f800000)
      return sign | (half ? 0x477fe000 : 0x7f7fffff);
   if (imm & FLUSH_FTZ && magnitude < (half ? LEAST_HALF : LEAST_FLOAT))
      return sign;
   return a;
}

/* ------------------------------------------------------------------------------------------------
 * Integers
 */
V_INLINE uint32_t
saturate(int64_t r, bool is_signed)
{
   int64_t lo = is_signed ? INT32_MIN : 0, hi = is_signed ? INT32_MAX : UINT32_MAX;
   return (uint32_t)(r < lo ? lo : r > hi ? hi : r);
}
V_INLINE int64_t
widen(uint32_t a, bool is_signed)
{
   return is_signed ? (int32_t)a : (int64_t)a;
}
/* 2^32 / a, rounded down; of what has none in 32 bits, 0 and 1, the greatest number. */
V_INLINE uint32_t
fraction_of_one(uint32_t a)
{
   return a > 1 ? (uint32_t)((UINT64_C(1) << 32) / a) : UINT32_MAX;
}
V_INLINE uint32_t
add_sat(uint32_t a, uint32_t b, unsigned imm)
{
   return saturate(widen(a, imm & 1) + widen(b, imm & 1), imm & 1);
}
V_INLINE uint32_t
sub_sat(uint32_t a, uint32_t b, unsigned imm)
{
   return saturate(widen(a, imm & 1) - widen(b, imm & 1), imm & 1);
}
V_INLINE uint32_t
mul_sat(uint32_t a, uint32_t b, unsigned imm)
{
   if (imm & 1)
      return saturate((int64_t)(int32_t)a * (int32_t)b, true);
   uint64_t r = (uint64_t)a * b;
   return r > UINT32_MAX ? UINT32_MAX : (uint32_t)r;
}
V_INLINE uint32_t
hadd(uint32_t a, uint32_t b, unsigned imm)
{
   return (uint32_t)((widen(a, imm & 1) + widen(b, imm & 1) + (imm >> 1 & 1)) >> 1);
}
V_INLINE uint32_t
dot_bytes(uint32_t a, uint32_t b, uint32_t c, unsigned imm)
{
   int64_t sum = widen(c, imm & 1);
   for (unsigned i = 0; i < 32; i += 8) {
      sum +=
         imm & 1 ? (int8_t)(a >> i) * (int8_t)(b >> i) : (int32_t)((a >> i & 255) * (b >> i & 255));
   }
   return imm & 2 ? saturate(sum, imm & 1) : (uint32_t)sum;
}

/* ------------------------------------------------------------------------------------------------
 * Handlers
 */
#define LOADED_1(m) m(0)
#define LOADED_2(m) m(0) m(1)
#define LOADED_3(m) m(0) m(1) m(2)
#define LOAD(n)     uop_load(x, u, n, v[n]);

#define SCALAR(name, result, operands, kinds, params, cost, value)                                 \
   void K(uop_scalar_##name)(struct exec * x, const struct bound_uop *u)                           \
   {                                                                                               \
      wave_lane v[3], r;                                                                           \
      const uint64_t lanes = uop_lanes(x, u);                                                      \
      const unsigned imm = u->p.immediate.bits;                                                    \
      LOADED_##operands(LOAD) for (unsigned i = 0; i < WAVE_LANES; i++)                            \
      {                                                                                            \
         uint32_t a = v[0][i], b = (operands) > 1 ? v[1][i] : a, c = (operands) > 2 ? v[2][i] : a; \
         float fa = bits_float(a), fb = bits_float(b), fc = bits_float(c);                         \
         (void)a, (void)b, (void)c, (void)fa, (void)fb, (void)fc, (void)imm;                       \
         r[i] = (value);                                                                           \
      }                                                                                            \
      for (unsigned i = 0; i < VECTORS; i++)                                                       \
         uop_store(x, u->dst, i, lanes, vu_load(r + i * VW));                                      \
   }
#include "uop/uops.def"
