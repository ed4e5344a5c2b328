/* SPDX-License-Identifier: MIT */
/*
 * What is the same in all of a draw (compiler/nir/hoist_values.c), worked out by the processor as
 * the device does it, bit for bit: rounded to nearest, denormals being zeros as operands and as
 * results, one NaN.
 */
#include "draw_values.h"

#include <string.h>
#include <xmmintrin.h>

/* Exceptions masked, to nearest, denormal operands (DAZ) and results (FTZ) are zeros. */
#define MODE (0x1f80u | 0x0040u | 0x8000u)

static float
as_float(uint32_t bits)
{
   float f;
   memcpy(&f, &bits, sizeof(f));
   return f;
}

/* What an operation takes for a denormal. */
static float
flushed(float a)
{
   uint32_t bits;
   memcpy(&bits, &a, sizeof(bits));
   return bits & 0x7f800000 ? a : as_float(bits & 0x80000000u);
}

static uint32_t
as_bits(float f)
{
   uint32_t bits;
   memcpy(&bits, &f, sizeof(bits));
   return f != f ? 0x7fc00000 : bits;
}

static uint32_t
as_mask(bool b)
{
   return b ? ~0u : 0;
}

/* A product of floats is exact in doubles.  The sum is rounded to odd, so that rounding it to a
 * float is as rounding once. */
static float
fma_once(float a, float b, float c)
{
   const double p = (double)a * (double)b, d = (double)c, s = p + d, part = s - p;
   const double rest = (p - (s - part)) + (d - part);
   uint64_t bits;
   double odd = s;

   memcpy(&bits, &s, sizeof(bits));
   if ((rest > 0 || rest < 0) && !(bits & 1) && (bits >> 52 & 0x7ff) != 0x7ff) {
      bits += (rest > 0) == (s > 0) ? 1 : UINT64_MAX;
      memcpy(&odd, &bits, sizeof(odd));
   }
   return (float)odd;
}

/* Of equal operands, which may be zeros, the minimum has both signs and the maximum has none; with
 * a NaN the other operand. */
static uint32_t
extreme(float x, float y, bool max)
{
   const float a = flushed(x), b = flushed(y);

   if (a == b)
      return max ? as_bits(a) & as_bits(b) : as_bits(a) | as_bits(b);
   if (a != a || b != b)
      return as_bits(a != a ? b : a);
   return as_bits((a > b) == max ? a : b);
}

/* The sign of zero is kept; from 2^23 up, and for infinity and NaN, the value itself. */
static float
floor_of(float a)
{
   uint32_t bits, sign;

   memcpy(&bits, &a, sizeof(bits));
   sign = bits & 0x80000000u;
   if ((bits & 0x7fffffff) >= 0x4b000000)
      return a;
   float t = (float)(int32_t)a;
   t -= t > a ? 1.0f : 0.0f;
   memcpy(&bits, &t, sizeof(bits));
   return as_float((bits & 0x7fffffff) | sign);
}

static float
fract_of(float a)
{
   const float below_one = as_float(0x3f7fffff), r = a - floor_of(a);
   return r > below_one ? below_one : r;
}

static float
saturated(float a)
{
   const float low = a > 0.0f ? a : 0.0f;
   return low < 1.0f ? low : 1.0f;
}

static float
root_of(float a)
{
   return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a)));
}

/* The value of one operation, of operands that are known. */
static inline __attribute__((always_inline)) uint32_t
operate(unsigned op, uint32_t s0, uint32_t s1, uint32_t s2)
{
   const float a = as_float(s0), b = as_float(s1);
   const int32_t i = (int32_t)s0, k = (int32_t)s1;

   switch (op) {
   case ATOLL_VALUE_FNEG:
      return s0 ^ 0x80000000u;
   case ATOLL_VALUE_FABS:
      return s0 & 0x7fffffff;
   case ATOLL_VALUE_FSAT:
      return as_bits(saturated(a));
   case ATOLL_VALUE_FADD:
      return as_bits(a + b);
   case ATOLL_VALUE_FMUL:
      return as_bits(a * b);
   case ATOLL_VALUE_FFMA:
      return as_bits(fma_once(a, b, as_float(s2)));
   case ATOLL_VALUE_FMIN:
      return extreme(a, b, false);
   case ATOLL_VALUE_FMAX:
      return extreme(a, b, true);
   case ATOLL_VALUE_FRCP:
      return as_bits(1.0f / a);
   case ATOLL_VALUE_FRSQ:
      return as_bits(1.0f / root_of(a));
   case ATOLL_VALUE_FSQRT:
      return as_bits(root_of(a));
   case ATOLL_VALUE_FFLOOR:
      return as_bits(floor_of(flushed(a)));
   case ATOLL_VALUE_FFRACT:
      return as_bits(fract_of(flushed(a)));
   case ATOLL_VALUE_FLT:
      return as_mask(a < b);
   case ATOLL_VALUE_FGE:
      return as_mask(a >= b);
   case ATOLL_VALUE_FEQ:
      return as_mask(a == b);
   case ATOLL_VALUE_FNEU:
      return as_mask(a != b);
   case ATOLL_VALUE_ILT:
      return as_mask(i < k);
   case ATOLL_VALUE_IGE:
      return as_mask(i >= k);
   case ATOLL_VALUE_IEQ:
      return as_mask(i == k);
   case ATOLL_VALUE_INE:
      return as_mask(i != k);
   case ATOLL_VALUE_ULT:
      return as_mask(s0 < s1);
   case ATOLL_VALUE_UGE:
      return as_mask(s0 >= s1);
   case ATOLL_VALUE_SELECT:
      return s0 ? s1 : s2;
   case ATOLL_VALUE_IADD:
      return s0 + s1;
   case ATOLL_VALUE_INEG:
      return 0u - s0;
   case ATOLL_VALUE_IMUL:
      return s0 * s1;
   case ATOLL_VALUE_IAND:
      return s0 & s1;
   case ATOLL_VALUE_IOR:
      return s0 | s1;
   case ATOLL_VALUE_IXOR:
      return s0 ^ s1;
   case ATOLL_VALUE_INOT:
      return ~s0;
   case ATOLL_VALUE_ISHL:
      return s0 << (s1 & 31);
   case ATOLL_VALUE_ISHR:
      return (uint32_t)(i >> (s1 & 31));
   case ATOLL_VALUE_USHR:
      return s0 >> (s1 & 31);
   case ATOLL_VALUE_IMIN:
      return (uint32_t)(i < k ? i : k);
   case ATOLL_VALUE_IMAX:
      return (uint32_t)(i > k ? i : k);
   case ATOLL_VALUE_UMIN:
      return s0 < s1 ? s0 : s1;
   case ATOLL_VALUE_UMAX:
      return s0 > s1 ? s0 : s1;
   case ATOLL_VALUE_I2F:
      return as_bits((float)i);
   default:
      return 0;
   }
}

static uint32_t
loaded(const struct atoll_value_step *step, const uint32_t *uniforms, unsigned dwords)
{
   return step->src[0] < dwords ? uniforms[step->src[0]] : 0;
}

bool
atoll_loads_changed(const struct atoll_value_step *steps, unsigned count, const uint32_t *uniforms,
                    unsigned dwords, uint32_t *seen, unsigned room)
{
   uint32_t differ = 0;

   for (unsigned n = 0; n < count && steps[n].op == ATOLL_VALUE_LOAD; n++) {
      if (n == room)
         return true;
      const uint32_t value = loaded(&steps[n], uniforms, dwords);
      differ |= seen[n] ^ value;
      seen[n] = value;
   }
   return differ != 0;
}

/* The modes of floats are memory to the compiler: nothing of this moves out of the function. */
static void __attribute__((noinline)) run(const struct atoll_value_step *steps, unsigned count,
                                          const uint32_t *uniforms, unsigned dwords, uint32_t *out)
{
   uint32_t value[ATOLL_MAX_VALUE_STEPS];

   for (unsigned n = 0; n < count; n++) {
      const struct atoll_value_step *step = &steps[n];
      switch (step->op) {
      case ATOLL_VALUE_LOAD:
         value[n] = loaded(step, uniforms, dwords);
         break;
      case ATOLL_VALUE_CONST:
         value[n] = step->src[1] | (uint32_t)step->src[2] << 16;
         break;
      case ATOLL_VALUE_STORE:
         out[step->src[1]] = value[step->src[0]];
         value[n] = 0;
         break;
      default:
         value[n] =
            operate(step->op, value[step->src[0]], value[step->src[1]], value[step->src[2]]);
      }
   }
}

void
atoll_run_values(const struct atoll_value_step *steps, unsigned count, const uint32_t *uniforms,
                 unsigned dwords, uint32_t *out)
{
   const unsigned mode = _mm_getcsr();

   _mm_setcsr(MODE);
   run(steps, count, uniforms, dwords, out);
   _mm_setcsr(mode);
}

bool
atoll_check_values(const struct atoll_value_step *steps, unsigned count, unsigned vec4s)
{
   bool good = count <= ATOLL_MAX_VALUE_STEPS && vec4s <= ATOLL_MAX_VALUE_VEC4S;

   for (unsigned n = 0; n < count && good; n++) {
      const struct atoll_value_step *step = &steps[n];
      switch (step->op) {
      case ATOLL_VALUE_LOAD:
         good = n == 0 || steps[n - 1].op == ATOLL_VALUE_LOAD;
         break;
      case ATOLL_VALUE_CONST:
         break;
      case ATOLL_VALUE_STORE:
         good = step->src[0] < n && step->src[1] < 4 * vec4s;
         break;
      default:
         good =
            step->op < ATOLL_VALUE_OPS && step->src[0] < n && step->src[1] < n && step->src[2] < n;
      }
   }
   return good;
}
