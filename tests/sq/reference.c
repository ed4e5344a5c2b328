/* SPDX-License-Identifier: MIT */
/*
 * See reference.h.
 */
#include "reference.h"

#include <math.h>
#include <string.h>

#include "isa/cayman/cayman.h"

static float
as_float(uint32_t u)
{
   float f;
   memcpy(&f, &u, 4);
   return f;
}

static uint32_t
as_bits(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return u;
}

static uint32_t
flush(uint32_t u)
{
   return (u & 0x7f800000u) ? u : u & 0x80000000u;
}

/* A computed float: NaN canonical, denormal flushed. */
static uint32_t
done(float f)
{
   return f != f ? 0x7fc00000u : flush(as_bits(f));
}

/* Rounded to float; a result is tiny by its value with 24 bits and no limit to the exponent. */
static uint32_t
rounded(double exact)
{
   if (fabs(exact) < 0x1p-125 && fabsf((float)(exact * 0x1p100)) < 0x1p-26f)
      return signbit(exact) ? 0x80000000u : 0;
   return done((float)exact);
}

static uint32_t
product(float a, float b)
{
   return rounded((double)a * (double)b);
}

static bool
nan_bits(uint32_t u)
{
   return (u & 0x7fffffffu) > 0x7f800000u;
}

static uint32_t
legacy(float a, float b)
{
   return a == 0 || b == 0 ? 0 : product(a, b);
}

/* Orders -0 below +0. */
static uint32_t
minimum(uint32_t a, uint32_t b)
{
   float x = as_float(a), y = as_float(b);
   if (x == y)
      return (a | b) & 0x80000000u ? (a & 0x80000000u ? a : b) : a;
   return x < y ? a : b;
}
static uint32_t
maximum(uint32_t a, uint32_t b)
{
   float x = as_float(a), y = as_float(b);
   if (x == y)
      return a & 0x80000000u ? b : a;
   return x > y ? a : b;
}

static uint32_t
quiet(uint32_t u)
{
   return nan_bits(u) ? 0x7fc00000u : u;
}

static uint32_t
half_up_or_down(uint32_t u, bool nearest)
{
   if (nan_bits(u))
      return 0x7e00;
   uint32_t sign = u >> 16 & 0x8000, mag = u & 0x7fffffffu;
   double d = fabs((double)as_float(u));
   if (mag == 0x7f800000u)
      return sign | 0x7c00;
   /* Search the largest half not above, then decide by exact distances. */
   uint32_t lo = 0, hi = 0x7bff;
#define HALF(h)                           \
   ((h) < 0x400 ? ldexp((double)(h), -24) \
                : ldexp(1.0 + ((h)&0x3ff) / 1024.0, (int)((h) >> 10) - 15))
   while (lo < hi) {
      uint32_t mid = (lo + hi + 1) / 2;
      if (HALF(mid) <= d)
         lo = mid;
      else
         hi = mid - 1;
   }
   if (nearest) {
      double below = d - HALF(lo), above = (lo == 0x7bff ? 65536.0 : HALF(lo + 1)) - d;
      if (above < below || (above == below && (lo & 1)))
         lo++;
   }
#undef HALF
   return sign | lo;
}

static uint32_t
from_half(uint32_t h)
{
   uint32_t m = h & 0x3ff, e = h >> 10 & 31;
   float v;
   if (e == 31)
      return m ? 0x7fc00000u : ((h & 0x8000u) << 16 | 0x7f800000u);
   v = e ? ldexpf(1.0f + (float)m / 1024.0f, (int)e - 15) : ldexpf((float)m, -24);
   return as_bits(v) | (h & 0x8000u) << 16;
}

static uint32_t
float_to_int(float f)
{
   if (f != f)
      return 0;
   if (f >= 2147483648.0f)
      return INT32_MAX;
   if (f < -2147483648.0f)
      return 0x80000000u;
   return (uint32_t)(int32_t)f;
}
static uint32_t
float_to_uint(float f)
{
   if (!(f > 0))
      return 0;
   return f >= 4294967296.0f ? ~0u : (uint32_t)f;
}

static uint32_t
byte_sad(uint32_t a, uint32_t b)
{
   uint32_t r = 0;
   for (int n = 0; n < 4; n++) {
      int p = a >> 8 * n & 255, q = b >> 8 * n & 255;
      r += (uint32_t)(p > q ? p - q : q - p);
   }
   return r;
}

static int64_t
signed24(uint32_t a)
{
   return (int32_t)(a << 8) >> 8;
}

bool
reference_op(unsigned op, uint32_t a, uint32_t b, uint32_t c, uint32_t *result)
{
   float fa = as_float(flush(a)), fb = as_float(flush(b)), fc = as_float(flush(c));
   const uint32_t t = 0x3f800000u;
   uint32_t r;

   switch (op) {
   case CAYMAN_ALU_ADD:
      r = done(fa + fb);
      break;
   case CAYMAN_ALU_MUL:
      r = legacy(fa, fb);
      break;
   case CAYMAN_ALU_MUL_IEEE:
      r = product(fa, fb);
      break;
   case CAYMAN_ALU_MAX:
      r = fa != fa || fb != fb ? quiet(flush(b)) : maximum(flush(a), flush(b));
      break;
   case CAYMAN_ALU_MIN:
      r = fa != fa || fb != fb ? quiet(flush(b)) : minimum(flush(a), flush(b));
      break;
   case CAYMAN_ALU_MAX_DX10:
      r = fa != fa ? quiet(flush(b)) : fb != fb ? flush(a) : maximum(flush(a), flush(b));
      break;
   case CAYMAN_ALU_MIN_DX10:
      r = fa != fa ? quiet(flush(b)) : fb != fb ? flush(a) : minimum(flush(a), flush(b));
      break;
   case CAYMAN_ALU_SETE:
      r = fa == fb ? t : 0;
      break;
   case CAYMAN_ALU_SETGT:
      r = fa > fb ? t : 0;
      break;
   case CAYMAN_ALU_SETGE:
      r = fa >= fb ? t : 0;
      break;
   case CAYMAN_ALU_SETNE:
      r = fa != fb ? t : 0;
      break;
   case CAYMAN_ALU_SETE_DX10:
      r = fa == fb ? ~0u : 0;
      break;
   case CAYMAN_ALU_SETGT_DX10:
      r = fa > fb ? ~0u : 0;
      break;
   case CAYMAN_ALU_SETGE_DX10:
      r = fa >= fb ? ~0u : 0;
      break;
   case CAYMAN_ALU_SETNE_DX10:
      r = fa != fb ? ~0u : 0;
      break;
   case CAYMAN_ALU_FRACT: {
      float f = fa - floorf(fa);
      r = f >= 1.0f ? 0x3f7fffffu : done(f);
      break;
   }
   case CAYMAN_ALU_TRUNC:
      r = done(truncf(fa));
      break;
   case CAYMAN_ALU_CEIL:
      r = done(ceilf(fa));
      break;
   case CAYMAN_ALU_RNDNE:
      r = done(rintf(fa));
      break;
   case CAYMAN_ALU_FLOOR:
      r = done(floorf(fa));
      break;
   case CAYMAN_ALU_ASHR_INT:
      r = (uint32_t)((int32_t)a >> (b & 31));
      break;
   case CAYMAN_ALU_LSHR_INT:
      r = a >> (b & 31);
      break;
   case CAYMAN_ALU_LSHL_INT:
      r = a << (b & 31);
      break;
   case CAYMAN_ALU_MOV:
      r = a;
      break;
   case CAYMAN_ALU_AND_INT:
      r = a & b;
      break;
   case CAYMAN_ALU_OR_INT:
      r = a | b;
      break;
   case CAYMAN_ALU_XOR_INT:
      r = a ^ b;
      break;
   case CAYMAN_ALU_NOT_INT:
      r = ~a;
      break;
   case CAYMAN_ALU_ADD_INT:
      r = a + b;
      break;
   case CAYMAN_ALU_SUB_INT:
      r = a - b;
      break;
   case CAYMAN_ALU_MAX_INT:
      r = (int32_t)a > (int32_t)b ? a : b;
      break;
   case CAYMAN_ALU_MIN_INT:
      r = (int32_t)a < (int32_t)b ? a : b;
      break;
   case CAYMAN_ALU_MAX_UINT:
      r = a > b ? a : b;
      break;
   case CAYMAN_ALU_MIN_UINT:
      r = a < b ? a : b;
      break;
   case CAYMAN_ALU_SETE_INT:
      r = a == b ? ~0u : 0;
      break;
   case CAYMAN_ALU_SETGT_INT:
      r = (int32_t)a > (int32_t)b ? ~0u : 0;
      break;
   case CAYMAN_ALU_SETGE_INT:
      r = (int32_t)a >= (int32_t)b ? ~0u : 0;
      break;
   case CAYMAN_ALU_SETNE_INT:
      r = a != b ? ~0u : 0;
      break;
   case CAYMAN_ALU_SETGT_UINT:
      r = a > b ? ~0u : 0;
      break;
   case CAYMAN_ALU_SETGE_UINT:
      r = a >= b ? ~0u : 0;
      break;
   case CAYMAN_ALU_PRED_SETE:
   case CAYMAN_ALU_PRED_SETGT:
   case CAYMAN_ALU_PRED_SETGE:
   case CAYMAN_ALU_PRED_SETNE: {
      bool p = op == CAYMAN_ALU_PRED_SETE    ? fa == fb
               : op == CAYMAN_ALU_PRED_SETGT ? fa > fb
               : op == CAYMAN_ALU_PRED_SETGE ? fa >= fb
                                             : fa != fb;
      r = p ? 0 : t;
      break;
   }
   case CAYMAN_ALU_PRED_SETGT_UINT:
      r = a > b ? 0 : t;
      break;
   case CAYMAN_ALU_PRED_SETGE_UINT:
      r = a >= b ? 0 : t;
      break;
   case CAYMAN_ALU_PRED_SETE_INT:
      r = a == b ? 0 : t;
      break;
   case CAYMAN_ALU_PRED_SETNE_INT:
      r = a != b ? 0 : t;
      break;
   case CAYMAN_ALU_PRED_SETGT_INT:
      r = (int32_t)a > (int32_t)b ? 0 : t;
      break;
   case CAYMAN_ALU_PRED_SETGE_INT:
      r = (int32_t)a >= (int32_t)b ? 0 : t;
      break;
   case CAYMAN_ALU_PRED_SET_INV:
      r = fa == 1 ? 0 : fa == 0 ? t : quiet(a);
      break;
   case CAYMAN_ALU_PRED_SET_POP:
      r = fa <= fb ? 0 : done(fa - fb);
      break;
   case CAYMAN_ALU_PRED_SET_CLR:
      r = 0x7f7fffffu;
      break;
   case CAYMAN_ALU_PRED_SET_RESTORE:
      r = fa == 0 ? 0 : quiet(a);
      break;
   case CAYMAN_ALU_PRED_SETE_PUSH:
      r = fb == 0 && fa == 0 ? 0 : done(fa + 1);
      break;
   case CAYMAN_ALU_PRED_SETGT_PUSH:
      r = fb > 0 && fa == 0 ? 0 : done(fa + 1);
      break;
   case CAYMAN_ALU_PRED_SETGE_PUSH:
      r = fb >= 0 && fa == 0 ? 0 : done(fa + 1);
      break;
   case CAYMAN_ALU_PRED_SETNE_PUSH:
      r = fb != 0 && fa == 0 ? 0 : done(fa + 1);
      break;
   case CAYMAN_ALU_PRED_SETE_PUSH_INT:
      r = b == 0 && fa == 0 ? 0 : done(fa + 1);
      break;
   case CAYMAN_ALU_PRED_SETGT_PUSH_INT:
      r = (int32_t)b > 0 && fa == 0 ? 0 : done(fa + 1);
      break;
   case CAYMAN_ALU_PRED_SETGE_PUSH_INT:
      r = (int32_t)b >= 0 && fa == 0 ? 0 : done(fa + 1);
      break;
   case CAYMAN_ALU_PRED_SETNE_PUSH_INT:
      r = b != 0 && fa == 0 ? 0 : done(fa + 1);
      break;
   case CAYMAN_ALU_PRED_SETLT_PUSH_INT:
      r = (int32_t)b < 0 && fa == 0 ? 0 : done(fa + 1);
      break;
   case CAYMAN_ALU_PRED_SETLE_PUSH_INT:
      r = (int32_t)b <= 0 && fa == 0 ? 0 : done(fa + 1);
      break;
   case CAYMAN_ALU_KILLE:
      r = fa == fb ? t : 0;
      break;
   case CAYMAN_ALU_KILLGT:
      r = fa > fb ? t : 0;
      break;
   case CAYMAN_ALU_KILLGE:
      r = fa >= fb ? t : 0;
      break;
   case CAYMAN_ALU_KILLNE:
      r = fa != fb ? t : 0;
      break;
   case CAYMAN_ALU_KILLE_INT:
      r = a == b ? t : 0;
      break;
   case CAYMAN_ALU_KILLGT_INT:
      r = (int32_t)a > (int32_t)b ? t : 0;
      break;
   case CAYMAN_ALU_KILLGE_INT:
      r = (int32_t)a >= (int32_t)b ? t : 0;
      break;
   case CAYMAN_ALU_KILLNE_INT:
      r = a != b ? t : 0;
      break;
   case CAYMAN_ALU_KILLGT_UINT:
      r = a > b ? t : 0;
      break;
   case CAYMAN_ALU_KILLGE_UINT:
      r = a >= b ? t : 0;
      break;
   case CAYMAN_ALU_FLT_TO_INT:
      r = float_to_int(fa);
      break;
   case CAYMAN_ALU_FLT_TO_UINT:
      r = float_to_uint(fa);
      break;
   case CAYMAN_ALU_FLT_TO_INT_FLOOR:
      r = fa != fa ? (a >> 31 ? 0x80000000u : 0x7fffffffu) : float_to_int(floorf(fa));
      break;
   case CAYMAN_ALU_FLT_TO_INT_RPI:
      r = fa != fa                  ? (a >> 31 ? 0x80000000u : 0x7fffffffu)
          : fabsf(fa) >= 8388608.0f ? float_to_int(fa)
                                    : (uint32_t)(int32_t)floor((double)fa + 0.5);
      break;
   case CAYMAN_ALU_BFREV_INT:
      r = 0;
      for (int n = 0; n < 32; n++)
         r |= (a >> n & 1) << (31 - n);
      break;
   case CAYMAN_ALU_ADDC_UINT:
      r = (uint32_t)(((uint64_t)a + b) >> 32);
      break;
   case CAYMAN_ALU_SUBB_UINT:
      r = b > a;
      break;
   case CAYMAN_ALU_MUL_INT24:
      r = (uint32_t)(signed24(a) * signed24(b));
      break;
   case CAYMAN_ALU_MULHI_INT24:
      r = (uint32_t)((signed24(a) * signed24(b)) >> 32);
      break;
   case CAYMAN_ALU_MUL_UINT24:
      r = (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff));
      break;
   case CAYMAN_ALU_MULHI_UINT24:
      r = (uint32_t)(((uint64_t)(a & 0xffffff) * (b & 0xffffff)) >> 32);
      break;
   case CAYMAN_ALU_MULADD_INT24:
      r = (uint32_t)(signed24(a) * signed24(b)) + c;
      break;
   case CAYMAN_ALU_MULADD_UINT24:
      r = (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff)) + c;
      break;
   case CAYMAN_ALU_MULLO_INT:
   case CAYMAN_ALU_MULLO_UINT:
      r = a * b;
      break;
   case CAYMAN_ALU_MULHI_INT:
      r = (uint32_t)(((int64_t)(int32_t)a * (int32_t)b) >> 32);
      break;
   case CAYMAN_ALU_MULHI_UINT:
      r = (uint32_t)(((uint64_t)a * b) >> 32);
      break;
   case CAYMAN_ALU_INT_TO_FLT:
      r = as_bits((float)(int32_t)a);
      break;
   case CAYMAN_ALU_UINT_TO_FLT:
      r = as_bits((float)a);
      break;
   case CAYMAN_ALU_BFM_INT:
      r = ((1u << (a & 31)) - 1) << (b & 31);
      break;
   case CAYMAN_ALU_FLT32_TO_FLT16:
      r = half_up_or_down(a, true);
      break;
   case CAYMAN_ALU_FLT32_TO_FLT16_RTZ:
      r = half_up_or_down(a, false);
      break;
   case CAYMAN_ALU_FLT16_TO_FLT32:
      r = from_half(a & 0xffff);
      break;
   case CAYMAN_ALU_UBYTE0_FLT:
      r = as_bits((float)(a & 255));
      break;
   case CAYMAN_ALU_UBYTE1_FLT:
      r = as_bits((float)(a >> 8 & 255));
      break;
   case CAYMAN_ALU_UBYTE2_FLT:
      r = as_bits((float)(a >> 16 & 255));
      break;
   case CAYMAN_ALU_UBYTE3_FLT:
      r = as_bits((float)(a >> 24));
      break;
   case CAYMAN_ALU_BCNT_INT:
      r = (uint32_t)__builtin_popcount(a);
      break;
   case CAYMAN_ALU_FFBH_UINT:
      r = a ? (uint32_t)__builtin_clz(a) : ~0u;
      break;
   case CAYMAN_ALU_FFBL_INT:
      r = a ? (uint32_t)__builtin_ctz(a) : ~0u;
      break;
   case CAYMAN_ALU_FFBH_INT: {
      uint32_t v = (int32_t)a < 0 ? ~a : a;
      r = v ? (uint32_t)__builtin_clz(v) : ~0u;
      break;
   }
   case CAYMAN_ALU_OFFSET_TO_FLT:
      r = as_bits((float)((int32_t)(a << 28) >> 28) / 16.0f);
      break;
   case CAYMAN_ALU_BFE_UINT: {
      uint32_t o = b & 31, w = c & 31;
      r = w == 0 ? 0 : o + w >= 32 ? a >> o : (a >> o) & ((1u << w) - 1);
      break;
   }
   case CAYMAN_ALU_BFE_INT: {
      uint32_t o = b & 31, w = c & 31;
      r = w == 0        ? 0
          : o + w >= 32 ? (uint32_t)((int32_t)a >> o)
                        : (uint32_t)((int32_t)(a << (32 - o - w)) >> (32 - w));
      break;
   }
   case CAYMAN_ALU_BFI_INT:
      r = (b & a) | (c & ~a);
      break;
   case CAYMAN_ALU_FMA:
      r = done(fmaf(fa, fb, fc));
      if (fabsf(fmaf(fa, fb, fc)) <= 0x1p-126f)
         r = rounded((double)fa * (double)fb + (double)fc);
      break;
   case CAYMAN_ALU_LERP_UINT:
      r = 0;
      for (int n = 0; n < 32; n += 8)
         r |= (((a >> n & 255) + (b >> n & 255) + (c >> n & 1)) >> 1) << n;
      break;
   case CAYMAN_ALU_BIT_ALIGN_INT:
      r = (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31));
      break;
   case CAYMAN_ALU_BYTE_ALIGN_INT:
      r = (uint32_t)(((uint64_t)a << 32 | b) >> 8 * (c & 3));
      break;
   case CAYMAN_ALU_SAD_ACCUM_UINT:
      r = byte_sad(a, b) + c;
      break;
   case CAYMAN_ALU_SAD_ACCUM_HI_UINT:
      r = (byte_sad(a, b) << 16) + c;
      break;
   case CAYMAN_ALU_MULADD:
      r = done(as_float(legacy(fa, fb)) + fc);
      break;
   case CAYMAN_ALU_MULADD_M2:
      r = product(as_float(done(as_float(legacy(fa, fb)) + fc)), 2);
      break;
   case CAYMAN_ALU_MULADD_M4:
      r = product(as_float(done(as_float(legacy(fa, fb)) + fc)), 4);
      break;
   case CAYMAN_ALU_MULADD_D2:
      r = product(as_float(done(as_float(legacy(fa, fb)) + fc)), 0.5f);
      break;
   case CAYMAN_ALU_MULADD_IEEE:
      r = done(as_float(product(fa, fb)) + fc);
      break;
   case CAYMAN_ALU_CNDE:
      r = fa == 0 ? b : c;
      break;
   case CAYMAN_ALU_CNDGT:
      r = fa > 0 ? b : c;
      break;
   case CAYMAN_ALU_CNDGE:
      r = fa >= 0 ? b : c;
      break;
   case CAYMAN_ALU_CNDE_INT:
      r = a == 0 ? b : c;
      break;
   case CAYMAN_ALU_CNDGT_INT:
      r = (int32_t)a > 0 ? b : c;
      break;
   case CAYMAN_ALU_CNDGE_INT:
      r = (int32_t)a >= 0 ? b : c;
      break;
   case CAYMAN_ALU_MUL_LIT: {
      bool skip = fb != fb || fb <= as_float(0xff7fffffu) || !(fc > 0);
      r = skip ? 0xff7fffffu : legacy(fa, fb);
      break;
   }
   case CAYMAN_ALU_RECIP_IEEE:
      r = done(1.0f / fa);
      break;
   case CAYMAN_ALU_RECIP_CLAMPED: {
      uint32_t v = done(1.0f / fa);
      r = (v & 0x7fffffffu) == 0x7f800000u ? v - 1 : v;
      break;
   }
   case CAYMAN_ALU_RECIP_FF: {
      uint32_t v = done(1.0f / fa);
      r = (v & 0x7fffffffu) == 0x7f800000u ? v & 0x80000000u : v;
      break;
   }
   case CAYMAN_ALU_SQRT_IEEE:
      r = done(sqrtf(fa));
      break;
   default:
      return false;
   }
   *result = r;
   return true;
}

bool
reference_approximate(unsigned op, uint32_t a, double *value, double *ulp)
{
   double d = (double)as_float(flush(a));
   switch (op) {
   case CAYMAN_ALU_EXP_IEEE:
      *value = exp2(d);
      *ulp = 1.3;
      return true;
   case CAYMAN_ALU_LOG_IEEE:
   case CAYMAN_ALU_LOG_CLAMPED:
      *value = log2(d);
      *ulp = 2.7;
      if (op == CAYMAN_ALU_LOG_CLAMPED && isinf(*value))
         *value = copysign((double)as_float(0x7f7fffffu), *value);
      return true;
   case CAYMAN_ALU_RECIPSQRT_IEEE:
      *value = 1 / sqrt(d);
      *ulp = 1.6;
      return true;
   case CAYMAN_ALU_SIN:
   case CAYMAN_ALU_COS:
      /* Absolute: 2e-7 near one. */
      *ulp = 4;
      if (d != d) {
         *value = d;
      } else if (fabs(d) > 256) {
         *value = op == CAYMAN_ALU_SIN ? 0 : 1;
      } else {
         double turns = 6.283185307179586476925 * (d - rint(d));
         *value = op == CAYMAN_ALU_SIN ? sin(turns) : cos(turns);
      }
      return true;
   default:
      return false;
   }
}

const uint32_t reference_operands[] = {
   0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x3f000000, 0xbf000000,
   0x3fc00000, 0xbfc00000, 0x40200000, 0xc0200000, 0x3effffff, 0x3f7fffff, 0x3f800001, 0x00000001,
   0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001, 0x7f7fffff, 0xff7fffff,
   0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff, 0x7fffffff, 0x4b000000,
   0x4b7fffff, 0x4b800000, 0xcb000001, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff,
   0x4f800000, 0x00000002, 0x0000001f, 0x00000020, 0x00000021, 0x00000010, 0x00ffffff, 0x00800001,
   0x12345678, 0x87654321, 0xaaaaaaaa, 0x55555555, 0x38800000, 0x387fffff, 0x33800000, 0x33000000,
   0x33000001, 0x477fe000, 0x477fefff, 0x477ff000, 0x47800000, 0x42f60000, 0xc2fc0000, 0x43000000,
   0x3f3504f3, 0x3f3504f4, 0x437f8000, 0x43800000, 0x43808000, 0xc3800000, 0x1e3ce508, 0x9e3ce508,
   0x5f000000, 0xdf000000, 0x00003c00, 0x0000fbff, 0x000003ff, 0x00007c00, 0x00007e01, 0x0c000000,
};
const unsigned reference_num_operands = sizeof(reference_operands) / sizeof(uint32_t);

uint32_t
reference_random(uint64_t *state)
{
   *state = *state * 6364136223846793005ull + 1442695040888963407ull;
   uint32_t x = (uint32_t)((*state >> 18 ^ *state) >> 27);
   uint32_t r = (uint32_t)(*state >> 59);
   return x >> r | x << (-r & 31);
}
