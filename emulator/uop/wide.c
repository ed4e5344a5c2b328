/* SPDX-License-Identifier: MIT */
/*
 * Micro-operations of 64 bits that IL needs and Cayman has not, a lane at a time.
 *
 * Three records: operand n is u[n].src[0] (low) and u[n].src[1] (high); the result's low dword goes
 * to u[0].dst, the high one to u[1].dst.
 */
#include "uop/values.h"

static uint32_t
class64(uint64_t v, uint32_t mask)
{
   uint64_t m = v & INT64_MAX;
   return has_class(v >> 63, m > UINT64_C(0x7ff0) << 48, v >> 51 & 1,
                    (m != 0) + (m >= UINT64_C(0x0010) << 48) + (m >= UINT64_C(0x7ff0) << 48), mask);
}

static uint64_t
double_of(double v)
{
   uint64_t bits;
   memcpy(&bits, &v, 8);
   return bits;
}

static uint64_t
all_if(bool condition)
{
   return condition ? ~UINT64_C(0) : 0;
}

/* Towards zero; what does not fit is cut to the range, a NaN gives 0. */
static uint32_t
integer_of(uint64_t bits, bool is_signed)
{
   double v;
   memcpy(&v, &bits, 8);
   if (is_signed) {
      return v != v               ? 0
             : v >= 2147483647.0  ? INT32_MAX
             : v <= -2147483648.0 ? (uint32_t)INT32_MIN
                                  : (uint32_t)(int32_t)v;
   }
   return !(v >= 1.0) ? 0 : v >= 4294967295.0 ? UINT32_MAX : (uint32_t)(int64_t)v;
}

static uint64_t
divide64(uint64_t a, uint64_t b, bool is_signed, bool remainder)
{
   if (!b) {
      return ~UINT64_C(0);
   }
   if (!is_signed) {
      return remainder ? a % b : a / b;
   }
   bool na = a >> 63, nb = b >> 63;
   uint64_t ma = na ? -a : a, mb = nb ? -b : b;
   uint64_t r = remainder ? ma % mb : ma / mb;
   return (remainder ? na : na != nb) ? -r : r;
}

static uint64_t
divide_double(uint64_t a, uint64_t b)
{
   double x, y;
   memcpy(&x, &a, 8);
   memcpy(&y, &b, 8);
   x /= y;
   memcpy(&a, &x, 8);
   return (a & INT64_MAX) > UINT64_C(0x7ff0) << 48 ? UINT64_C(0x7ff8) << 48 : a;
}

/* Sums of differences from four bytes, of those at 0, 1, 2 and 3 of the first, to four words. */
static uint64_t
quad_sad(uint64_t bytes, uint32_t reference, uint64_t words, bool masked)
{
   uint64_t r = 0;

   for (unsigned n = 0; n < 4; n++) {
      uint32_t sum = (uint16_t)(words >> 16 * n);
      for (unsigned k = 0; k < 4; k++) {
         int p = (uint8_t)(bytes >> 8 * (n + k)), q = (uint8_t)(reference >> 8 * k);
         sum += masked && !q ? 0 : (uint32_t)(p > q ? p - q : q - p);
      }
      r |= (uint64_t)(uint16_t)sum << 16 * n;
   }
   return r;
}

#define IL_WIDE(name, operands, cost, value)                           \
   void K(uop_wide_##name)(struct exec * x, const struct bound_uop *u) \
   {                                                                   \
      wave_lane lo[3], hi[3];                                          \
      for (unsigned n = 0; n < (operands); n++) {                      \
         uop_load(x, u + n, 0, lo[n]);                                 \
         uop_load(x, u + n, 1, hi[n]);                                 \
      }                                                                \
      _mm_setcsr(x->fp_double);                                        \
      FOR_LANES(lane, x->lanes)                                        \
      {                                                                \
         uint64_t v[3] = { 0 };                                        \
         for (unsigned n = 0; n < (operands); n++)                     \
            v[n] = (uint64_t)hi[n][lane] << 32 | lo[n][lane];          \
         const uint64_t a = v[0], b = v[1], c = v[2], r = (value);     \
         (void)b, (void)c;                                             \
         uop_lanes_of(x, u[0].dst)[lane] = (uint32_t)r;                \
         uop_lanes_of(x, u[1].dst)[lane] = (uint32_t)(r >> 32);        \
      }                                                                \
      _mm_setcsr(x->fp_now);                                           \
   }
#include "uop/uops.def"
