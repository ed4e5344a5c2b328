/* SPDX-License-Identifier: MIT */
/*
 * What each operation of Valhall gives, in plain C: 64-bit integers, doubles, the host's libm.
 * Halves are looked up in the list of all of them.
 */
#ifndef TESTS_VALHALL_FORMULAS_H
#define TESTS_VALHALL_FORMULAS_H

#include <math.h>

#include "isa/valhall/valhall.h"

/* ------------------------------------------------------------------------------------------------
 * Numbers
 */
static float
to_f(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return f;
}

static uint32_t
from_f(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return isnan(f) ? 0x7fc00000 : u;
}

static double
half_value(unsigned h)
{
   int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
   double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
   return h & 0x8000 ? -v : v;
}

/* The half that a number rounds to: the neighbours are found by bisection. */
static unsigned
to_half(double d, int mode)
{
   if (isnan(d))
      return 0x7e00;
   unsigned sign = signbit(d) ? 0x8000 : 0, lo = 0, hi = 0x7c00;
   double a = fabs(d);
   if (isinf(d))
      return sign | 0x7c00;
   while (hi - lo > 1) {
      unsigned mid = (lo + hi) / 2;
      if (half_value(mid) <= a)
         lo = mid;
      else
         hi = mid;
   }
   double below = half_value(lo), above = hi == 0x7c00 ? 65536.0 : half_value(hi);
   bool up;
   switch (mode) {
   case VALHALL_ROUND_MODE_RTE:
      up = a - below > above - a || (a - below == above - a && lo & 1);
      break;
   case VALHALL_ROUND_MODE_RTP:
      up = !sign && a > below;
      break;
   case VALHALL_ROUND_MODE_RTN:
      up = sign && a > below;
      break;
   default:
      up = false;
      break;
   }
   return sign | (up ? hi : lo);
}

static double
rounded(double d, int mode)
{
   return mode == VALHALL_ROUND_MODE_RTP   ? ceil(d)
          : mode == VALHALL_ROUND_MODE_RTN ? floor(d)
          : mode == VALHALL_ROUND_MODE_RTZ ? trunc(d)
                                           : rint(d);
}

static double
clamped(double r, int mode)
{
   if (mode & VALHALL_CLAMP_CLAMP_M1_1)
      r = isnan(r) ? -1 : r < -1 ? -1 : r > 1 ? 1 : r;
   if (mode & VALHALL_CLAMP_CLAMP_0_INF)
      r = isnan(r) || signbit(r) ? 0.0 : r;
   return r;
}

static int64_t
limit(int64_t v, int64_t lo, int64_t hi)
{
   return v < lo ? lo : v > hi ? hi : v;
}

/* An element as a number. */
static int64_t
part(uint32_t v, unsigned e, unsigned bits, bool is_signed)
{
   uint64_t x = (uint64_t)v >> e * bits & ((UINT64_C(1) << bits) - 1);
   return is_signed && x >> (bits - 1) ? (int64_t)x - (INT64_C(1) << bits) : (int64_t)x;
}

/* ------------------------------------------------------------------------------------------------
 * Formulas: of an element's operands, by the case's parameters.  `n` is what distinguishes cases of
 * one formula.
 */
struct in {
   uint32_t r[4]; /* r0 to r3 */
   uint64_t pair[2];
   unsigned lane;
};

struct type {
   unsigned bits;
   bool is_signed, is_float;
};

static const struct type types[] = {
   ['u'] = { 32, false, false }, ['s'] = { 32, true, false }, ['f'] = { 32, false, true },
   ['v'] = { 16, false, false }, ['w'] = { 16, true, false }, ['h'] = { 16, false, true },
   ['b'] = { 8, false, false },  ['c'] = { 8, true, false },
};

typedef uint64_t formula(const struct in *in, const struct type *t, unsigned e, int n);

static int64_t
ival(const struct in *in, const struct type *t, unsigned e, unsigned n)
{
   return part(in->r[n], e, t->bits, t->is_signed);
}

static double
fval(const struct in *in, const struct type *t, unsigned e, unsigned n)
{
   return t->bits == 16 ? half_value((unsigned)part(in->r[n], e, 16, false)) : to_f(in->r[n]);
}

/* A float result as an element's bits. */
static uint64_t
fres(const struct type *t, double d, int mode)
{
   if (t->bits == 16)
      return to_half(d, mode);
   /* To nearest, then a step where the mode wants another neighbour. */
   float f = (float)d;
   if (mode == VALHALL_ROUND_MODE_RTP && (double)f < d)
      f = nextafterf(f, INFINITY);
   else if (mode == VALHALL_ROUND_MODE_RTN && (double)f > d)
      f = nextafterf(f, -INFINITY);
   else if (mode == VALHALL_ROUND_MODE_RTZ && fabs((double)f) > fabs(d))
      f = nextafterf(f, 0.0f);
   return from_f(f);
}

static uint64_t
ref_iadd(const struct in *in, const struct type *t, unsigned e, int n)
{
   int64_t a = ival(in, t, e, 0), b = ival(in, t, e, 1);
   int64_t top = INT64_C(1) << (t->bits - t->is_signed);
   int64_t r = (n & 7) == 0   ? a + b
               : (n & 7) == 1 ? a - b
               : (n & 7) == 2 ? (t->is_signed ? a * b : (int64_t)((uint64_t)a * (uint64_t)b))
               : (n & 7) == 3 ? (a + b) >> 1
                              : (a + b + 1) >> 1;
   if (n & 8) {
      if ((n & 7) == 2 && !t->is_signed)
         return (uint64_t)r > (uint64_t)top - 1 ? (uint64_t)top - 1 : (uint64_t)r;
      r = limit(r, t->is_signed ? -top : 0, top - 1);
   }
   return (uint64_t)r;
}

static uint64_t
ref_bits(const struct in *in, const struct type *t, unsigned e, int n)
{
   uint64_t a = (uint64_t)part(in->r[0], e, t->bits, false), r = 0;
   int64_t s = part(in->r[0], e, t->bits, true);
   switch (n) {
   case 0: /* leading zeros */
      while (r < t->bits && !(a >> (t->bits - 1 - r) & 1))
         r++;
      return r;
   case 1:
      return (uint64_t)(s < 0 ? -s : s);
   case 2:
      for (unsigned i = 0; i < 32; i++)
         r += a >> i & 1;
      return r;
   case 3:
      for (unsigned i = 0; i < 32; i++)
         r |= (a >> i & 1) << (31 - i);
      return r;
   case 4:
      return ~a;
   default:
      return a;
   }
}

/* n: 0 and, 1 or, 2 xor; 4 left, 8 signed, 16 not_result, 32 not. */
static uint64_t
ref_shift(const struct in *in, const struct type *t, unsigned e, int n)
{
   unsigned by = (unsigned)part(in->r[1],
                                t->bits == 8    ? (e >> 1 ? 2 : 0)
                                : t->bits == 16 ? 2 * e
                                                : 0,
                                8, false) %
                 t->bits;
   int64_t a = part(in->r[0], e, t->bits, n & 8);
   uint64_t b = (uint64_t)part(in->r[2], e, t->bits, false), r;
   r = n & 4 ? (uint64_t)a << by : (uint64_t)(a >> by);
   b = n & 32 ? ~b : b;
   r = (n & 3) == 0 ? r & b : (n & 3) == 1 ? r | b : r ^ b;
   return n & 16 ? ~r : r;
}

static bool
holds(double a, double b, int condition)
{
   switch (condition) {
   case VALHALL_CONDITION_EQ:
      return a == b;
   case VALHALL_CONDITION_GT:
      return a > b;
   case VALHALL_CONDITION_GE:
      return a >= b;
   case VALHALL_CONDITION_NE:
      return !(a == b);
   case VALHALL_CONDITION_LT:
      return a < b;
   case VALHALL_CONDITION_LE:
      return a <= b;
   default:
      return a < b || a > b;
   }
}

static uint64_t
boolean(const struct type *t, bool r, int result)
{
   return !r                                 ? 0
          : result == VALHALL_RESULT_TYPE_M1 ? ~UINT64_C(0)
          : result == VALHALL_RESULT_TYPE_F1 ? (t->bits == 16  ? 0x3c00
                                                : t->bits == 8 ? 1
                                                               : 0x3f800000)
                                             : 1;
}

/* n: condition, result type << 4, 64: and. */
static uint64_t
ref_compare(const struct in *in, const struct type *t, unsigned e, int n)
{
   bool r = t->is_float ? holds(fval(in, t, e, 0), fval(in, t, e, 1), n & 7)
                        : holds((double)ival(in, t, e, 0), (double)ival(in, t, e, 1), n & 7);
   bool c = part(in->r[2], e, t->bits, false) != 0;
   return boolean(t, n & 64 ? r && c : r || c, n >> 4 & 3);
}

static uint64_t
ref_select(const struct in *in, const struct type *t, unsigned e, int n)
{
   bool r = t->is_float ? holds(fval(in, t, e, 0), fval(in, t, e, 1), n & 7)
                        : holds((double)ival(in, t, e, 0), (double)ival(in, t, e, 1), n & 7);
   return (uint64_t)part(in->r[r ? 2 : 3], e, t->bits, false);
}

static uint64_t
ref_mux(const struct in *in, const struct type *t, unsigned e, int n)
{
   uint64_t a = (uint64_t)part(in->r[0], e, t->bits, false);
   uint64_t b = (uint64_t)part(in->r[1], e, t->bits, false);
   uint64_t m = (uint64_t)part(in->r[2], e, t->bits, false);
   uint64_t sign = UINT64_C(1) << (t->bits - 1);
   switch (n) {
   case VALHALL_MUX_NEG:
      return m & sign ? a : b;
   case VALHALL_MUX_INT_ZERO:
      return m == 0 ? a : b;
   case VALHALL_MUX_FP_ZERO:
      return m == 0 || m == sign ? a : b;
   default:
      return (a & m) | (b & ~m);
   }
}

/* n: clamp, 4: neg abs on source 1. */
static uint64_t
ref_fadd(const struct in *in, const struct type *t, unsigned e, int n)
{
   double a = fval(in, t, e, 0), b = fval(in, t, e, 1), r;
   if (n & 4)
      b = -fabs(b);
   r = t->bits == 32 ? (double)((float)a + (float)b) : a + b;
   return fres(t, clamped(r, n & 3), 0);
}

static uint64_t
ref_fma(const struct in *in, const struct type *t, unsigned e, int n)
{
   double a = fval(in, t, e, 0), b = fval(in, t, e, 1), c = fval(in, t, e, 2), r;
   if (t->bits == 32) {
      r = fmaf((float)a, (float)b, (float)c);
      return fres(t, clamped(r, n), 0);
   }
   r = fma(a, b, c);
   if (n == 0)
      return to_half(r, 0);
   return to_half(clamped(half_value(to_half(r, 0)), n), 0);
}

static uint64_t
ref_minmax(const struct in *in, const struct type *t, unsigned e, int n)
{
   double a = fval(in, t, e, 0), b = fval(in, t, e, 1);
   if (isnan(a) || isnan(b))
      return fres(t, isnan(a) ? b : a, 0);
   bool a_less = a < b || (a == b && signbit(a));
   return fres(t, (n ? !a_less : a_less) ? a : b, 0);
}

static uint64_t
ref_round(const struct in *in, const struct type *t, unsigned e, int n)
{
   return fres(t, rounded(fval(in, t, e, 0), n), 0);
}

/* Float to integer: n: mode, 8: to signed, bits << 4. */
static uint64_t
ref_to_int(const struct in *in, const struct type *t, unsigned e, int n)
{
   double d = fval(in, t, e, 0);
   int64_t top = INT64_C(1) << ((n >> 4) - !!(n & 8));
   if (isnan(d))
      return 0;
   d = rounded(d, n & 3);
   double lo = n & 8 ? -(double)top : 0, hi = (double)(top - 1);
   return (uint64_t)(int64_t)(d < lo ? lo : d > hi ? hi : d);
}

static uint64_t
ref_from_int(const struct in *in, const struct type *t, unsigned e, int n)
{
   struct type to = { n & 16 ? 16 : 32, false, true };
   return fres(&to, (double)ival(in, t, e, 0), n & 3);
}

/* A small integer taken from byte or half n of r0, to an integer or (64) a float. */
static uint64_t
ref_extend(const struct in *in, const struct type *t, unsigned e, int n)
{
   int64_t v = part(in->r[0], (unsigned)(n & 7), t->bits, t->is_signed);
   return n & 64 ? from_f((float)v) : (uint64_t)v;
}

static uint64_t
ref_half_to_float(const struct in *in, const struct type *t, unsigned e, int n)
{
   return from_f((float)half_value((unsigned)part(in->r[0], (unsigned)n, 16, false)));
}

static uint64_t
ref_pack(const struct in *in, const struct type *t, unsigned e, int n)
{
   return to_half(clamped(to_f(in->r[e]), n >> 4), n & 3);
}

/* n: mode. */
static uint64_t
ref_ldexp(const struct in *in, const struct type *t, unsigned e, int n)
{
   int64_t by = part(in->r[1], e, t->bits, true);
   double d = ldexp(fval(in, t, e, 0), (int)limit(by, -400, 400));
   return fres(t, d, n);
}

static uint64_t
ref_reciprocal(const struct in *in, const struct type *t, unsigned e, int n)
{
   double a = fval(in, t, e, 0);
   double r = n == 0 ? 1.0 / a : a < 0 ? NAN : 1.0 / (double)sqrtf((float)a);
   return fres(t, t->bits == 32 || n ? (double)(float)r : r, 0);
}

static uint64_t
ref_frexp(const struct in *in, const struct type *t, unsigned e, int n)
{
   double a = fval(in, t, e, 0), m;
   int x = 0;
   if (a == 0 || isnan(a) || isinf(a))
      return n & 4 ? 0 : fres(t, a, 0);
   m = frexp(a, &x);
   if (n & 2 && fabs(m) < 0.75)
      m *= 2, x -= 1;
   if (n & 1) {
      if (x & 1)
         m /= 2, x += 1;
      x /= 2;
   }
   return n & 4 ? (uint64_t)x : fres(t, m, 0);
}

static uint64_t
ref_flush(const struct in *in, const struct type *t, unsigned e, int n)
{
   double a = fval(in, t, e, 0), least = t->bits == 16 ? 0x1p-14 : 0x1p-126;
   if (isnan(a))
      return (n & 3) == VALHALL_NAN_MODE_FLUSH_NAN ? 0 : fres(t, a, 0);
   if (n & 8 && isinf(a))
      return fres(t, copysign(t->bits == 16 ? 65504 : 0x1.fffffep127, a), 0);
   return fres(t, n & 4 && fabs(a) < least ? copysign(0, a) : a, 0);
}

static uint64_t
ref_cube(const struct in *in, const struct type *t, unsigned e, int n)
{
   float x = to_f(in->r[0]), y = to_f(in->r[1]), z = to_f(in->r[2]);
   float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
   unsigned face = in->r[2] >> 29;
   switch (n) {
   case 0: {
      float m = isnan(ax) ? ay : isnan(ay) || ax > ay ? ax : ay;
      return from_f(isnan(m) ? az : isnan(az) || m > az ? m : az);
   }
   case 1:
      return (uint64_t)(az >= ax && az >= ay ? 4 + !!signbit(z)
                        : ay >= ax           ? 2 + !!signbit(y)
                                             : !!signbit(x))
             << 29;
   case 2: /* z is r0, x is r1 */
      return from_f(face == 0 ? -x : face == 1 ? x : face == 5 ? -y : y);
   default: /* y is r0, z is r1 */
      return from_f(face == 2 ? y : face == 3 ? -y : -x);
   }
}

static uint64_t
ref_vector(const struct in *in, const struct type *t, unsigned e, int n)
{
   switch (n) {
   case 0:
      return (in->r[0] >> 16) | (in->r[1] & 0xffff) << 16;
   case 1:
      return (in->r[0] >> 24) | (in->r[1] >> 8 & 255) << 8 | in->r[2] << 16;
   case 2:
   case 3:
   case 4:
   case 5: {
      int64_t sum = n & 1 ? (int64_t)(int32_t)in->r[2] : (int64_t)in->r[2];
      for (unsigned i = 0; i < 4; i++)
         sum += part(in->r[0], i, 8, n & 1) * part(in->r[1], i, 8, n & 1);
      return (uint64_t)(n >= 4
                           ? n & 1 ? limit(sum, INT32_MIN, INT32_MAX) : limit(sum, 0, UINT32_MAX)
                           : sum);
   }
   default:
      return 0;
   }
}

/* 64 bits: r0:r1 and r2:r3. */
static uint64_t
ref_pair(const struct in *in, const struct type *t, unsigned e, int n)
{
   uint64_t a = in->pair[0], b = in->pair[1];
   int64_t s;
   unsigned by = b & 63;
   switch (n) {
   case 0:
      return a + b;
   case 1:
      return a - b;
   case 2:
      return a + b < a ? ~UINT64_C(0) : a + b;
   case 3:
      return a < b ? 0 : a - b;
   case 4:
   case 5:
      /* What overflows has the sign of the first operand. */
      if (n == 4 ? __builtin_add_overflow((int64_t)a, (int64_t)b, &s)
                 : __builtin_sub_overflow((int64_t)a, (int64_t)b, &s))
         return (int64_t)a < 0 ? (uint64_t)INT64_MIN : INT64_MAX;
      return (uint64_t)s;
   case 6:
      return (uint64_t)in->r[0] * in->r[2];
   case 7:
      return (a << by) & b;
   case 8:
      return (a >> by) | b;
   case 9:
      return (uint64_t)((int64_t)a >> by) ^ ~b;
   case 10:
      return a + ((uint64_t)in->r[2] << 3);
   case 11:
      return a + ((uint64_t)(int64_t)(int32_t)in->r[2] << 3);
   case 12:
      return a ? a - in->r[2] : 0;
   case 13:
      return ~a;
   case 14:
      return a + (uint64_t)(int64_t)(int16_t)(in->r[2] >> 16);
   case 16:
      return (a >> by) & b;
   case 17:
      return (a << by) | b;
   case 18:
      return (a << by) ^ b;
   default:
      return a + (in->r[2] & 255);
   }
}

static uint64_t
ref_multi(const struct in *in, const struct type *t, unsigned e, int n)
{
   uint64_t a = in->r[0] | (uint64_t)in->r[1] << 32, b = in->r[2] | (uint64_t)in->r[3] << 32;
   bool less = t->is_signed ? (int64_t)a < (int64_t)b : a < b;
   bool r = n == VALHALL_CONDITION_EQ   ? a == b
            : n == VALHALL_CONDITION_NE ? a != b
            : n == VALHALL_CONDITION_LT ? less
            : n == VALHALL_CONDITION_LE ? less || a == b
            : n == VALHALL_CONDITION_GE ? !less
                                        : !less && a != b;
   return r ? ~UINT64_C(0) : 0;
}

static uint64_t
ref_scaled(const struct in *in, const struct type *t, unsigned e, int n)
{
   float a = to_f(in->r[0]), b = to_f(in->r[1]), c = to_f(in->r[2]), r;
   int64_t by = n == 3 ? (int16_t)in->r[3] : (int32_t)in->r[3];
   bool zero = a == 0 || b == 0;
   r = n == 1 && zero ? 0.0f + c : n == 2 && zero ? a + c : fmaf(a, b, c);
   return from_f((float)ldexp((double)r, (int)limit(by, -400, 400)));
}

/* totalOrder by the definition: compare signs, then magnitudes as integers. */
static uint64_t
ref_total(const struct in *in, const struct type *t, unsigned e, int n)
{
   uint64_t a = (uint64_t)part(in->r[0], e, t->bits, false);
   uint64_t b = (uint64_t)part(in->r[1], e, t->bits, false), sign = UINT64_C(1) << (t->bits - 1);
   bool r = (a & sign) != (b & sign) ? (a & sign) != 0 : a & sign ? a >= b : a <= b;
   return boolean(t, r, VALHALL_RESULT_TYPE_I1);
}

/* Tables and sequences, by n. */
static uint64_t
ref_table(const struct in *in, const struct type *t, unsigned e, int n)
{
   double x = to_f(in->r[0]);
   switch (n) {
   case 0:
      return from_f((float)sin((in->r[0] & 63) * M_PI / 32));
   case 1:
      return from_f((float)cos((in->r[0] & 63) * M_PI / 32));
   case 2:
      return from_f((float)exp2((in->r[0] & 15) / 16.0));
   case 3:
      return from_f((float)exp2((int32_t)in->r[0] * 0x1p-24));
   default:
      return from_f((float)(x < 0 ? NAN : log2(x)));
   }
}

/* An immediate: 0x89abcdef, pi, or the halves 3.14 and -1. */
static uint64_t
ref_imm(const struct in *in, const struct type *t, unsigned e, int n)
{
   static const double halves[2] = { -1.0, 3.140625 };
   if (n == 0)
      return (uint64_t)(ival(in, t, e, 0) + part(0x89abcdef, e, t->bits, false));
   return n == 1 ? from_f(to_f(in->r[0]) + 0x1.921fb6p+1f)
                 : to_half(fval(in, t, e, 0) + halves[e], 0);
}

/* r0 through selector n of its type, plus r1. */
static uint64_t
ref_swizzled(const struct in *in, const struct type *t, unsigned e, int n)
{
   static const uint8_t bytes[12][4] = { { 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 0, 1, 0, 1 },
                                         { 2, 3, 2, 3 }, { 0, 0, 0, 0 }, { 1, 1, 1, 1 },
                                         { 2, 2, 2, 2 }, { 3, 3, 3, 3 }, { 2, 3, 0, 1 },
                                         { 1, 0, 3, 2 }, { 0, 0, 1, 1 }, { 2, 2, 3, 3 } };
   static const uint8_t halves[14][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 }, { 0, 0 },
                                          { 2, 0 }, { 0, 2 }, { 2, 2 }, { 1, 1 }, { 3, 1 },
                                          { 1, 3 }, { 3, 3 }, { 0, 1 }, { 2, 3 } };
   int64_t a;
   if (t->bits == 8) {
      a = part(in->r[0], bytes[n][e], 8, t->is_signed);
   } else if (t->bits == 16) {
      a = part(in->r[0], halves[n][e], n < 4 ? 16 : 8, t->is_signed);
   } else {
      a = n < 4 ? part(in->r[0], (unsigned)n - 2, 16, t->is_signed)
                : part(in->r[0], (unsigned)n - 4, 8, t->is_signed);
   }
   return (uint64_t)(a + ival(in, t, e, 1));
}

/* Two bytes to integers or (64) halves. */
static uint64_t
ref_bytes(const struct in *in, const struct type *t, unsigned e, int n)
{
   int64_t v = part(in->r[0], (unsigned)(n >> 2 * e & 3), 8, t->is_signed);
   return n & 64 ? to_half((double)v, 0) : (uint64_t)v;
}

#endif /* TESTS_VALHALL_FORMULAS_H */
