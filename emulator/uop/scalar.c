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

V_INLINE uint32_t
float_bits(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return (u & 0x7fffffff) > 0x7f800000 ? NAN_BITS : u;
}

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
 * `lowest` (of the least denormal) up, and gives the integer multiple of the unit in the last
 * place; the magnitude as bits of a format whose denormals begin at zero. */
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

V_INLINE float
float_from(double d, unsigned mode)
{
   uint64_t bits;
   memcpy(&bits, &d, 8);
   uint32_t sign = (uint32_t)(bits >> 32) & 0x80000000u;
   bits &= ~(UINT64_C(1) << 63);
   if (bits > UINT64_C(0x7ff0000000000000))
      return bits_float(NAN_BITS);
   if (bits == UINT64_C(0x7ff0000000000000))
      return bits_float(sign | 0x7f800000);
   uint64_t r = round_magnitude(d, 24, -149, mode);
   return bits_float(sign | (r >= 0x7f800000 ? overflow(0x7f800000, sign, mode) : (uint32_t)r));
}

/* As two bits: from 0 up, and from -1 to 1.  A NaN is the lower end, -0 becomes +0 at 0. */
V_INLINE uint32_t
clamp(uint32_t a, unsigned mode)
{
   if (mode & VALHALL_CLAMP_CLAMP_M1_1) {
      float f = bits_float(a);
      a = is_nan(a) || f < -1.0f ? 0xbf800000u : f > 1.0f ? 0x3f800000u : a;
   }
   if (mode & VALHALL_CLAMP_CLAMP_0_INF)
      a = is_nan(a) || a >> 31 ? 0 : a;
   return a;
}

/* totalOrder of IEEE 754: -NaN, -inf ... -0, +0 ... inf, NaN. */
V_INLINE uint32_t
total_order(uint32_t a, uint32_t b)
{
   int32_t x = (int32_t)(a ^ (a >> 31 ? 0x7fffffffu : 0));
   int32_t y = (int32_t)(b ^ (b >> 31 ? 0x7fffffffu : 0));
   return x <= y ? ~0u : 0;
}

/* Mantissa in [1, 2) and exponent of a finite value that is not zero. */
V_INLINE int
normalise(uint32_t a, uint32_t *mantissa)
{
   uint32_t m = a & 0x7fffff;
   int e = (int)(a >> 23 & 255) - 127;
   if (e == -127) {
      e = -126;
      while (!(m >> 23)) {
         m <<= 1;
         e--;
      }
      m &= 0x7fffff;
   }
   *mantissa = m;
   return e;
}

V_INLINE bool
is_ordinary(uint32_t a)
{
   return (a & 0x7fffffff) != 0 && (a & 0x7fffffff) < 0x7f800000;
}

/* The exponent that FREXPE gives: m in [0.5, 1); for logarithms in [0.75, 1.5); for square roots in
 * [0.25, 1), of four. */
V_INLINE int
frexp_parts(uint32_t a, unsigned flags, uint32_t *m, int *exponent)
{
   int e = normalise(a, m);
   if (flags & FREXP_LOG) {
      bool high = *m >= 0x400000; /* from 1.5 on */
      *exponent = e + high;
      return high ? -1 : 0;
   }
   if (flags & FREXP_SQRT) {
      int r = (e + 2) >> 1; /* floor */
      *exponent = r;
      return e - 2 * r;
   }
   *exponent = e + 1;
   return -1;
}

V_INLINE uint32_t
frexp_mantissa(uint32_t a, unsigned flags)
{
   uint32_t m;
   int e;
   if (!is_ordinary(a))
      return is_nan(a) ? NAN_BITS : a;
   int scale = frexp_parts(a, flags, &m, &e);
   return (a & 0x80000000u) | (uint32_t)(scale + 127) << 23 | m;
}

V_INLINE int
frexp_exponent(uint32_t a, unsigned flags)
{
   uint32_t m;
   int e = 0;
   if (is_ordinary(a))
      frexp_parts(a, flags, &m, &e);
   return e;
}

/* The mantissa for logarithms.  What follows makes log2(0) = -inf and log2(inf) = inf of it. */
V_INLINE uint32_t
log_mantissa(uint32_t a)
{
   return (a << 1) == 0 ? 0 : frexp_mantissa(a, FREXP_LOG);
}

/* log2(m) / (m - 1) of x's mantissa m. */
V_INLINE uint32_t
logd(uint32_t x, float m, float log2_m)
{
   if ((x << 1) == 0 || x == 0x7f800000)
      return 0x7f800000;
   if (x >> 31 || is_nan(x))
      return NAN_BITS;
   return m < 1.0f || m > 1.0f ? float_bits(log2_m / (m - 1.0f)) : 0x3fb8aa3b;
}

/* What 2^x is where its fixed-point form says nothing. */
V_INLINE uint32_t
exp_special(uint32_t r, uint32_t x)
{
   float f = bits_float(x);
   return is_nan(x) ? NAN_BITS : f >= 128.0f ? 0x7f800000 : f < -150.0f ? 0 : r;
}

/* A zero of the same sign for what is less than the least normal number, which is a power of two:
 * of floats, or of the bits of halves. */
V_INLINE uint32_t
flush_denormal(uint32_t a, uint32_t least)
{
   uint32_t sign = least == LEAST_HALF_BITS ? 0x8000u : 0x80000000u;
   return (a & ~sign) < least ? a & sign : a;
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

/* Faces +x, -x, +y, -y, +z, -z; of equal magnitudes z wins, then y.  In bits 29 to 31. */
V_INLINE uint32_t
cube_face(uint32_t x, uint32_t y, uint32_t z)
{
   float ax = bits_float(x & 0x7fffffff), ay = bits_float(y & 0x7fffffff);
   float az = bits_float(z & 0x7fffffff);
   uint32_t face = az >= ax && az >= ay ? 4 + (z >> 31) : ay >= ax ? 2 + (y >> 31) : x >> 31;
   return face << 29;
}

V_INLINE uint32_t
cube_s(uint32_t z, uint32_t x, uint32_t face)
{
   uint32_t r = face == 0 ? z ^ 0x80000000u : face == 1 ? z : face == 5 ? x ^ 0x80000000u : x;
   return is_nan(r) ? NAN_BITS : r;
}

V_INLINE uint32_t
cube_t(uint32_t y, uint32_t z, uint32_t face)
{
   uint32_t r = face == 2 ? z : face == 3 ? z ^ 0x80000000u : y ^ 0x80000000u;
   return is_nan(r) ? NAN_BITS : r;
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
