/* SPDX-License-Identifier: MIT */
/*
 * Values of instructions on constant operands.
 *
 * Addresses and the layers of arrays bring such: the front end folds what it sees, not what the
 * import adds.  The chip's bits are given or none: of floats only what is exact, so that no
 * rounding mode has a part in it, and neither denormals nor NaN.
 */
#include "ir.h"

#include <string.h>

/* Normal, or plus zero. */
static bool
is_ordinary(uint32_t bits)
{
   const uint32_t exponent = bits >> 23 & 0xff;

   return bits == 0 || (exponent != 0 && exponent != 0xff);
}

static float
as_float(uint32_t bits)
{
   float f;
   memcpy(&f, &bits, sizeof(f));
   return f;
}

/* Exact sums and products of floats are doubles with a short significand. */
static bool
is_exact(double value, uint32_t *bits)
{
   const float f = (float)value;

   memcpy(bits, &f, sizeof(*bits));
   return (double)f == value && is_ordinary(*bits);
}

static bool
exact_sum(double a, double b, double *sum)
{
   *sum = a + b;
   return *sum - a == b && *sum - b == a && (*sum != 0 || (a == 0 && b == 0));
}

#define SMALL (1 << 20)

/* Of what is SMALL. */
static int
floor_of(double x)
{
   const int n = (int)x;
   return n - (n > x);
}

static bool
evaluate_float(unsigned op, const uint32_t s[3], unsigned num, uint32_t *bits)
{
   double f[3], sum;
   int n;

   for (unsigned i = 0; i < num; i++) {
      if (!is_ordinary(s[i]))
         return false;
      f[i] = (double)as_float(s[i]);
   }
   switch (op) {
   case CAYMAN_ALU_ADD:
      return exact_sum(f[0], f[1], &sum) && is_exact(sum, bits);
   case CAYMAN_ALU_MUL_IEEE:
      return f[0] * f[1] != 0 && is_exact(f[0] * f[1], bits);
   case CAYMAN_ALU_MULADD_IEEE:
      return f[0] * f[1] != 0 && is_exact(f[0] * f[1], bits) &&
             exact_sum(f[0] * f[1], f[2], &sum) && is_exact(sum, bits);
   case CAYMAN_ALU_FMA:
      return f[0] * f[1] != 0 && exact_sum(f[0] * f[1], f[2], &sum) && is_exact(sum, bits);
   case CAYMAN_ALU_MAX_DX10:
   case CAYMAN_ALU_MIN_DX10:
      *bits = (f[0] > f[1]) == (op == CAYMAN_ALU_MAX_DX10) ? s[0] : s[1];
      return true;
   case CAYMAN_ALU_FLOOR:
   case CAYMAN_ALU_RNDNE:
      if (f[0] < 1 || f[0] > SMALL)
         return false;
      n = floor_of(op == CAYMAN_ALU_FLOOR ? f[0] : f[0] + 0.5);
      if (op == CAYMAN_ALU_RNDNE && n - f[0] == 0.5)
         n &= ~1; /* in the middle the even one, whatever the processor's mode */
      return is_exact(n, bits);
   default:
      return false;
   }
}

static bool
evaluate_integer(unsigned op, const uint32_t s[3], uint32_t *bits)
{
   switch (op) {
   case CAYMAN_ALU_ADD_INT:
      *bits = s[0] + s[1];
      return true;
   case CAYMAN_ALU_SUB_INT:
      *bits = s[0] - s[1];
      return true;
   case CAYMAN_ALU_AND_INT:
      *bits = s[0] & s[1];
      return true;
   case CAYMAN_ALU_OR_INT:
      *bits = s[0] | s[1];
      return true;
   case CAYMAN_ALU_XOR_INT:
      *bits = s[0] ^ s[1];
      return true;
   case CAYMAN_ALU_LSHL_INT:
      *bits = s[0] << (s[1] & 31);
      return s[1] < 32;
   case CAYMAN_ALU_LSHR_INT:
      *bits = s[0] >> (s[1] & 31);
      return s[1] < 32;
   case CAYMAN_ALU_MIN_UINT:
      *bits = s[0] < s[1] ? s[0] : s[1];
      return true;
   case CAYMAN_ALU_MAX_UINT:
      *bits = s[0] > s[1] ? s[0] : s[1];
      return true;
   case CAYMAN_ALU_MIN_INT:
      *bits = (int32_t)s[0] < (int32_t)s[1] ? s[0] : s[1];
      return true;
   case CAYMAN_ALU_MAX_INT:
      *bits = (int32_t)s[0] > (int32_t)s[1] ? s[0] : s[1];
      return true;
   default:
      return false;
   }
}

bool
cc_evaluate(unsigned op, const struct cc_operand src[3], uint32_t *bits)
{
   const struct cayman_alu_info *info = cayman_alu_info(op);
   const bool floats = info->src_type == CAYMAN_TYPE_F32;
   uint32_t s[3] = { 0 };

   for (unsigned i = 0; i < info->num_src; i++) {
      if (src[i].kind != OPERAND_CONST || (!floats && (src[i].neg || src[i].abs)))
         return false;
      s[i] =
         (src[i].abs ? src[i].value & 0x7fffffff : src[i].value) ^ (src[i].neg ? 0x80000000u : 0);
   }
   return floats ? evaluate_float(op, s, info->num_src, bits) : evaluate_integer(op, s, bits);
}
