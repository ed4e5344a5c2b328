/* SPDX-License-Identifier: MIT */
/* Arithmetic of IL, an instruction a program; see case.h. */
#include "case.h"

/* A formula of each component: a, b, c are the operands' bits, x, y, z the same as floats. */
#define EACH(name, expression)                                 \
   static void name(const uint32_t v[3][4], uint32_t want[4])  \
   {                                                           \
      for (unsigned i = 0; i < 4; i++) {                       \
         uint32_t a = v[0][i], b = v[1][i], c = v[2][i];       \
         float x = in(a), y = in(b), z = in(c);                \
         (void)a, (void)b, (void)c, (void)x, (void)y, (void)z; \
         want[i] = (expression);                               \
      }                                                        \
   }

/* A formula of the whole vectors a, b, c; want[] is filled in. */
#define WHOLE(name, ...)                                             \
   static void name(const uint32_t v[3][4], uint32_t want[4])        \
   {                                                                 \
      float a[4], b[4], c[4];                                        \
      for (unsigned i = 0; i < 4; i++) {                             \
         a[i] = in(v[0][i]), b[i] = in(v[1][i]), c[i] = in(v[2][i]); \
      }                                                              \
      (void)a, (void)b, (void)c;                                     \
      __VA_ARGS__                                                    \
   }

#define ALL(value) ALL_OF(want, value)

/* --- floats ----------------------------------------------------------------------------------- */

static float
fmin_ieee(float a, float b)
{
   return a != a ? b : b != b ? a : a == b ? in(bits_of(a) | bits_of(b)) : a < b ? a : b;
}

static float
fmax_ieee(float a, float b)
{
   return a != a ? b : b != b ? a : a == b ? in(bits_of(a) & bits_of(b)) : a > b ? a : b;
}

static float
sign_of(float a)
{
   return a < 0 ? -1 : a == 0 ? 0 : 1;
}

static float
saturated(float a)
{
   return a > 0 ? a < 1 ? a : 1 : 0;
}

static uint32_t
ldexp_formula(uint32_t a, int32_t n)
{
   float x = in(a);
   int e;
   if (x != x || x == 0 || x - x != 0)
      return out(x);
   double m = frexp((double)x, &e);
   long sum = (long)e + n;
   if (sum > 128)
      return (a & 0x80000000) | 0x7f800000;
   return sum < -125 ? a & 0x80000000 : out((float)ldexp(m, (int)sum));
}

static uint32_t
class_formula(uint32_t a, uint32_t mask)
{
   uint32_t mag = a & 0x7fffffff;
   unsigned n = mag > 0x7f800000    ? mag >> 22 & 1
                : mag == 0x7f800000 ? 9
                : mag >= 0x800000   ? 8
                : mag               ? 7
                                    : 6;
   if (n > 5 && a >> 31)
      n = 11 - n;
   return mask >> n & 1 ? ~0u : 0;
}

static uint32_t
sad_bytes(uint32_t a, uint32_t b, bool masked)
{
   uint32_t sum = 0;
   for (unsigned i = 0; i < 32; i += 8) {
      int p = a >> i & 255, q = b >> i & 255;
      sum += masked && !q ? 0 : (uint32_t)abs(p - q);
   }
   return sum;
}

EACH(f_rnd, out(floorf(add(x, 0.5f))))
EACH(f_ceil, out(ceilf(x)))
EACH(f_cmp_gt, x > 0.5f ? b : c)
EACH(f_cmp_le, x <= -1.0f ? b : c)
EACH(f_med3, out(fmax_ieee(fmin_ieee(x, y), fmin_ieee(fmax_ieee(x, y), z))))
EACH(f_sgn, out(sign_of(x)))
EACH(f_cmov, x != 0 ? b : i == 0 ? c : c)
EACH(f_invert, out(mul(add(1, -x), y)))
EACH(f_bias, out(add(add(x, -0.5f), y)))
EACH(f_bx2, out(add(mul(2, add(x, -0.5f)), y)))
EACH(f_sign, out(add(-sign_of(x), y)))
EACH(f_clamp, out(add(saturated(-fabsf(x)), saturated(y))))
EACH(f_ldexp, ldexp_formula(a, (int32_t)b))
EACH(f_class, class_formula(a, b))
EACH(f_frexp_exp, x == 0 || x - x != 0 ? 0 : (a >> 23 & 255) - 126)
EACH(f_frexp_mant, x == 0 || x - x != 0 ? out(x) : (a & 0x807fffff) | 0x3f000000)

static float
half_to_float(uint32_t h)
{
   int e = h >> 10 & 31;
   double m = h & 1023, s = h & 0x8000 ? -1 : 1;
   return (float)(e == 31  ? m ? NAN : s * INFINITY
                  : e == 0 ? s * ldexp(m, -24)
                           : s * ldexp(m + 1024, e - 25));
}

/* The largest half that is not above, found by trying all. */
static uint32_t
half_below(float x, bool up)
{
   uint32_t best = up ? 0x7c00 : 0xfc00;
   if (x != x)
      return 0x7e00;
   if (x == 0)
      return bits_of(x) >> 16 & 0x8000;
   for (uint32_t h = 0; h < 0x10000; h++) {
      float f = half_to_float(h), g = half_to_float(best);
      if (f == f && (up ? f >= x && f < g : f <= x && f > g))
         best = h;
   }
   /* Of zeros the one with the operand's sign. */
   return best == 0 || best == 0x8000 ? bits_of(x) >> 16 & 0x8000 : best;
}

EACH(f_half_down, i == 0 ? half_below(x, false) : 0)
EACH(f_half_up, i == 0 ? half_below(x, true) : 0)

static void
exact_floats(void **state)
{
   static const struct kase cases[] = {
      { "rnd r0, r1", f_rnd, 15, 0 },
      { "clg r0, r1", f_ceil, 15, 0 },
      { "cmp_relop(gt)_cmpval(0.5) r0, r1, r2, r3", f_cmp_gt, 15, 0 },
      { "cmp_relop(le)_cmpval(-1.0) r0, r1, r2, r3", f_cmp_le, 15, 0 },
      { "med3 r0, r1, r2, r3", f_med3, 15, 0 },
      { "sgn r0, r1", f_sgn, 15, 0 },
      { "mov r0, r3\ncmov r0, r1, r2", f_cmov, 15, 0 },
      { "mul_ieee r0, r1_invert, r2", f_invert, 15, 0 },
      { "add r0, r1_bias, r2", f_bias, 15, 0 },
      { "add r0, r1_bx2, r2", f_bx2, 15, 0 },
      { "add r0, r1_sign_neg(xyzw), r2", f_sign, 15, 0 },
      { "add r0, r1_abs_neg(xyzw)_clamp, r2_clamp", f_clamp, 15, 0 },
      { "class r0, r1, r2", f_class, 15, 0 },
      { "frexp_exp r0, r1", f_frexp_exp, 15, 0 },
      { "frexp_mant r0, r1", f_frexp_mant, 15, 0 },
   };
   static const struct kase scaled[] = {
      { "ldexp r0, r1, r2", f_ldexp, 15, 0 },
      { "class r0, r1, r2", f_class, 15, 0 },
   };
   static const struct kase halves[] = {
      { "f2f16_neginf r0.x, r1.x", f_half_down, 1, 0 },
      { "f2f16_plusinf r0.x, r1.x", f_half_up, 1, 0 },
   };
   (void)state;
   run_cases("", cases, COUNT(cases), FLOATS, FLOATS, FLOATS, 6);
   run_cases("", scaled, COUNT(scaled), FLOATS, INTEGERS, FLOATS, 12);
   run_cases("", halves, COUNT(halves), FLOATS, FLOATS, FLOATS, 1);
}

WHOLE(f_crs, want[0] = out(mad(a[1], b[2], -mul(a[2], b[1])));
      want[1] = out(mad(a[2], b[0], -mul(a[0], b[2])));
      want[2] = out(mad(a[0], b[1], -mul(a[1], b[0])));)
WHOLE(f_dst, want[0] = 0x3f800000; want[1] = out(mul(a[1], b[1])); want[2] = v[0][2];
      want[3] = v[1][3];)

static double
dot(const float *a, const float *b, unsigned n)
{
   double sum = 0;
   for (unsigned i = 0; i < n; i++)
      sum += (double)a[i] * b[i];
   return sum;
}

WHOLE(f_len, ALL(bits_of((float)sqrt(dot(a, a, 3)))))
WHOLE(f_dist, float d[3] = { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
      ALL(bits_of((float)sqrt(dot(d, d, 3)))))
WHOLE(
   f_nrm3, double s = 1 / sqrt(dot(a, a, 3));
   for (unsigned i = 0; i < 4; i++) { want[i] = bits_of((float)(a[i] * s)); })
WHOLE(
   f_nrm4, double s = 1 / sqrt(dot(a, a, 4));
   for (unsigned i = 0; i < 4; i++) { want[i] = bits_of((float)(a[i] * s)); })
WHOLE(
   f_reflect, double s = 2 * dot(a, b, 4);
   for (unsigned i = 0; i < 4; i++) { want[i] = bits_of((float)(a[i] - s * b[i])); })
WHOLE(
   f_reflect_n, double s = 2 * dot(a, b, 4), n = dot(b, b, 4);
   for (unsigned i = 0; i < 4; i++) { want[i] = bits_of((float)(n * a[i] - s * b[i])); })
WHOLE(
   f_face, double s = dot(a, b, 4); for (unsigned i = 0; i < 4; i++) {
      want[i] = bits_of(s < 0 ? -c[i] : s == 0 ? 0 : c[i]);
   })
WHOLE(f_lit, want[0] = want[3] = 0x3f800000; want[1] = bits_of(a[0] > 0 ? a[0] : 0);
      want[2] = bits_of(a[0] > 0 && a[1] > 0 ? (float)pow(a[1], a[3]) : 0);)
WHOLE(f_expp, want[0] = bits_of((float)exp2(floor(a[3]))); want[1] = bits_of(a[3] - floorf(a[3]));
      want[2] = bits_of((float)exp2(a[3])); want[3] = 0x3f800000;)
WHOLE(f_logp, double x = fabsf(a[3]) + 0.25f, f = log2(x); want[0] = bits_of((float)floor(f));
      want[1] = bits_of((float)(x / exp2(floor(f)))); want[2] = bits_of((float)f);
      want[3] = 0x3f800000;)
WHOLE(f_sincos, want[0] = bits_of(cosf(a[3])); want[1] = bits_of(sinf(a[3])); want[2] = v[0][2];
      want[3] = v[0][3];)
WHOLE(f_tan, ALL(bits_of(tanf(a[3] / 3))))
WHOLE(f_acos, ALL(bits_of(acosf(a[3] / 4))))
WHOLE(f_asin, ALL(bits_of(asinf(a[3] / 4))))
WHOLE(f_atan, ALL(bits_of(atanf(a[3]))))
WHOLE(f_exn, ALL(bits_of(expf(a[3]))))
WHOLE(f_ln, ALL(bits_of(logf(fabsf(a[3]) + 0.25f))))
WHOLE(f_pow, ALL(bits_of(powf(fabsf(a[3]) + 0.25f, b[3]))))
EACH(f_mod, y == 0 ? out(x) : out(mad(-truncf(x / y), y, x)))
EACH(f_pireduce,
     bits_of((float)((double)x - 6.283185307179586 * floor((double)x / 6.283185307179586 + 0.5))))
EACH(f_sin, bits_of(sinf(x * 40)))
EACH(f_divcomp, bits_of(i == 3             ? x
                        : in(v[0][3]) == 0 ? as_float(x < 0 ? 0xff7fffff : 0x7f7fffff)
                                           : x / in(v[0][3])))

static void
vectors(void **state)
{
   static const struct kase exact[] = {
      { "crs r0.xyz_, r1, r2", f_crs, 7, 0 },
      { "dst r0, r1, r2", f_dst, 15, 0 },
   };
   static const struct kase near[] = {
      { "len r0, r1", f_len, 15, 1e-6f },
      { "dist r0, r1, r2", f_dist, 15, 1e-6f },
      { "nrm r0, r1", f_nrm3, 15, 1e-6f },
      { "nrm_nrm4 r0, r1", f_nrm4, 15, 1e-6f },
      { "reflect r0, r1, r2", f_reflect, 15, 3e-5f },
      { "reflect_normalize r0, r1, r2", f_reflect_n, 15, 1e-4f },
      { "faceforward r0, r1, r2, r3", f_face, 15, 1e-6f },
      { "lit r0, r1", f_lit, 15, 1e-5f },
      { "expp r0, r1", f_expp, 15, 1e-6f },
      { "sincos r0.xy__, r1", f_sincos, 15, 0.0008f },
      { "dxsincos r0.xy__, r1, r2, r3", f_sincos, 15, 0.0008f },
      { "mov r4, r1\ndcl_literal l0, 0x3eaaaaab, 0, 0, 0\nmul_ieee r4, r4, l0.x\ntan r0, r4", f_tan,
        15, 0.002f },
      { "dcl_literal l0, 0x3e800000, 0, 0, 0\nmul_ieee r4, r1, l0.x\nacos r0, r4", f_acos, 15,
        1e-6f },
      { "dcl_literal l0, 0x3e800000, 0, 0, 0\nmul_ieee r4, r1, l0.x\nasin r0, r4", f_asin, 15,
        1e-6f },
      { "atan r0, r1", f_atan, 15, 4e-6f },
      { "exn r0, r1", f_exn, 15, 2e-6f },
      { "dcl_literal l0, 0x3e800000, 0, 0, 0\nadd r4, r1_abs, l0.x\nln r0, r4", f_ln, 15, 1e-6f },
      { "dcl_literal l0, 0x3e800000, 0, 0, 0\nadd r4, r1_abs, l0.x\npow r0, r4, r2", f_pow, 15,
        1e-5f },
      { "mod r0, r1, r2", f_mod, 15, 0 },
      { "pireduce r0, r1", f_pireduce, 15, 1e-6f },
      { "dcl_literal l0, 0x42200000, 0, 0, 0\nmul_ieee r4, r1, l0.x\nsin_vec r0, r4", f_sin, 15,
        0.0008f },
      { "mov r0, r1_divcomp(w)", f_divcomp, 15, 1e-6f },
   };
   static const struct kase positive[] = {
      { "dcl_literal l0, 0x3e800000, 0, 0, 0\nadd r4, r1_abs, l0.x\nlogp r0, r4", f_logp, 15,
        1e-5f },
   };
   (void)state;
   run_cases("", exact, COUNT(exact), FLOATS, FLOATS, FLOATS, 4);
   run_cases("", near, COUNT(near), MODERATE, MODERATE, MODERATE, 4);
   run_cases("", positive, COUNT(positive), MODERATE, MODERATE, MODERATE, 1);
}

/* Zero, as each zeroop has it. */
EACH(f_div_max, y == 0 ? (a & 0x80000000) | 0x7f7fffff : y != y ? 0x7fc00000 : out(mul(x, 1 / y)))
EACH(f_div_zero, y == 0 ? 0 : y != y ? 0x7fc00000 : out(mul(x, in(out(1 / y)))))

/* What is divided by zero, as each zeroop has it. */
static void
zeros(void **state)
{
   static const struct kase divisions[] = {
      { "div r0, r1, r2", f_div_max, 15, 4e-7f },
      { "div_zeroop(zero) r0, r1, r2", f_div_zero, 15, 4e-7f },
   };
   (void)state;
   run_cases("", divisions, COUNT(divisions), MODERATE, MODERATE, MODERATE, 4);
}

/* --- integers and bytes ----------------------------------------------------------------------- */

#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define S(x)      ((int32_t)(x))

EACH(f_imin3, (uint32_t)MIN(MIN(S(a), S(b)), S(c)))
EACH(f_imax3, (uint32_t)MAX(MAX(S(a), S(b)), S(c)))
EACH(f_imed3, (uint32_t)MAX(MIN(S(a), S(b)), MIN(MAX(S(a), S(b)), S(c))))
EACH(f_umin3, MIN(MIN(a, b), c))
EACH(f_umax3, MAX(MAX(a, b), c))
EACH(f_umed3, MAX(MIN(a, b), MIN(MAX(a, b), c)))
EACH(f_sad, sad_bytes(a, b, false) + c)
EACH(f_sadhi, (sad_bytes(a, b, false) << 16) + c)
EACH(f_msad, sad_bytes(a, b, true) + c)
EACH(f_bitalign, (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31)))
EACH(f_bytealign, (uint32_t)(((uint64_t)a << 32 | b) >> 8 * (c & 3)))
EACH(f_mad24, (uint32_t)((S(a << 8) >> 8) * (int64_t)(S(b << 8) >> 8)) + c)
EACH(f_umad24, (a & 0xffffff) * (b & 0xffffff) + c)
EACH(f_mul24h, (uint32_t)((uint64_t)((int64_t)(S(a << 8) >> 8) * (S(b << 8) >> 8)) >> 32))
EACH(f_umul24h, (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 32))
EACH(f_bfi, (c & ~(((1u << (a & 31)) - 1) << (b & 31))) |
               (((b & ((1u << (a & 31)) - 1)) << (b & 31)) & (((1u << (a & 31)) - 1) << (b & 31))))
EACH(f_ffb_lo, a ? (uint32_t)__builtin_ctz(a) : ~0u)
EACH(f_ffb_hi, a ? (uint32_t)__builtin_clz(a) : ~0u)
EACH(f_ffb_shi,
     (a ^ (uint32_t)(S(a) >> 31)) ? (uint32_t)__builtin_clz(a ^ (uint32_t)(S(a) >> 31)) : ~0u)
EACH(f_unpack2, out((float)(a >> 16 & 255)))

static void
f_sad4(const uint32_t v[3][4], uint32_t want[4])
{
   uint32_t sum = v[2][0];
   for (unsigned i = 0; i < 4; i++)
      sum += sad_bytes(v[0][i], v[1][i], false);
   ALL(sum)
}

static void
f_lerp(const uint32_t v[3][4], uint32_t want[4])
{
   for (unsigned i = 0; i < 4; i++) {
      want[i] = 0;
      for (unsigned s = 0; s < 32; s += 8)
         want[i] |= ((v[0][i] >> s & 255) + (v[1][i] >> s & 255) + (v[2][i] >> s & 1)) >> 1 << s;
   }
}

static void
integers(void **state)
{
   static const struct kase cases[] = {
      { "imin3 r0, r1, r2, r3", f_imin3, 15, 0 },
      { "imax3 r0, r1, r2, r3", f_imax3, 15, 0 },
      { "imed3 r0, r1, r2, r3", f_imed3, 15, 0 },
      { "umin3 r0, r1, r2, r3", f_umin3, 15, 0 },
      { "umax3 r0, r1, r2, r3", f_umax3, 15, 0 },
      { "umed3 r0, r1, r2, r3", f_umed3, 15, 0 },
      { "sad r0, r1, r2, r3", f_sad, 15, 0 },
      { "sadhi r0, r1, r2, r3", f_sadhi, 15, 0 },
      { "sad4 r0, r1, r2, r3", f_sad4, 15, 0 },
      { "msad_u8 r0, r1, r2, r3", f_msad, 15, 0 },
      { "u4lerp r0, r1, r2, r3", f_lerp, 15, 0 },
      { "bitalign r0, r1, r2, r3", f_bitalign, 15, 0 },
      { "bytealign r0, r1, r2, r3", f_bytealign, 15, 0 },
      { "imad24 r0, r1, r2, r3", f_mad24, 15, 0 },
      { "umad24 r0, r1, r2, r3", f_umad24, 15, 0 },
      { "imul24_high r0, r1, r2", f_mul24h, 15, 0 },
      { "umul24_high r0, r1, r2", f_umul24h, 15, 0 },
      { "ubit_insert r0, r1, r2, r2, r3", f_bfi, 15, 0 },
      { "ffb(lo) r0, r1", f_ffb_lo, 15, 0 },
      { "ffb(hi) r0, r1", f_ffb_hi, 15, 0 },
      { "ffb(shi) r0, r1", f_ffb_shi, 15, 0 },
      { "unpack2 r0, r1", f_unpack2, 15, 0 },
   };
   (void)state;
   run_cases("", cases, COUNT(cases), INTEGERS, INTEGERS, INTEGERS, 8);
}

static uint32_t
to_byte(float f)
{
   return f > 0 ? f < 255 ? (uint32_t)f : 255 : 0;
}

WHOLE(f_pack,
      ALL(to_byte(a[0]) | to_byte(a[1]) << 8 | to_byte(a[2]) << 16 | (uint32_t)to_byte(a[3]) << 24))

static void
packing(void **state)
{
   static const struct kase cases[] = {
      { "f_2_u4 r0, r1", f_pack, 15, 0 },
   };
   (void)state;
   run_cases("", cases, COUNT(cases), MODERATE, INTEGERS, INTEGERS, 2);
}

/* --- 64 bits ---------------------------------------------------------------------------------- */

/* p and q are the operands' bits, d and e the same as doubles; the result goes to x and y. */
#define EACH64(name, expression)                              \
   static void name(const uint32_t v[3][4], uint32_t want[4]) \
   {                                                          \
      uint64_t p = both(v[0]), q = both(v[1]);                \
      double d = wide(v[0]), e = wide(v[1]);                  \
      (void)p, (void)q, (void)d, (void)e;                     \
      uint64_t result = (expression);                         \
      want[0] = (uint32_t)result;                             \
      want[1] = (uint32_t)(result >> 32);                     \
   }

static uint64_t
frexp_exponent(double d)
{
   int e = 0;
   if (d - d != 0)
      return 0xffffffff;
   frexp(d, &e);
   return (uint32_t)e;
}

static uint64_t
frexp_mantissa(double d)
{
   int e;
   return d - d != 0 ? 0x7ff8000000000000ull : double_bits(frexp(d, &e));
}

static uint64_t
twice(uint32_t v)
{
   return (uint64_t)v << 32 | v;
}

static uint32_t
to_int(double d)
{
   return d != d               ? 0
          : d >= 2147483647    ? 0x7fffffff
          : d <= -2147483648.0 ? 0x80000000
                               : (uint32_t)(int32_t)d;
}

static uint32_t
to_uint(double d)
{
   return d != d || d <= 0 ? 0 : d >= 4294967295.0 ? 0xffffffff : (uint32_t)d;
}

static uint32_t
class64(uint64_t p, uint32_t mask)
{
   uint64_t mag = p & 0x7fffffffffffffffull;
   unsigned n = mag > 0x7ff0000000000000ull    ? mag >> 51 & 1
                : mag == 0x7ff0000000000000ull ? 9
                : mag >> 52                    ? 8
                : mag                          ? 7
                                               : 6;
   if (n > 5 && p >> 63)
      n = 11 - n;
   return mask >> n & 1 ? ~0u : 0;
}

static uint64_t
divided(uint64_t p, uint64_t q, bool remainder)
{
   int64_t a = (int64_t)p, b = (int64_t)q;
   if (!b)
      return ~0ull;
   if (b == -1)
      return remainder ? 0 : 0 - p;
   return (uint64_t)(remainder ? a % b : a / b);
}

EACH64(f_ddiv, double_bits(d / e))
EACH64(f_drcp, double_bits(1 / d))
EACH64(f_drcp_max,
       d == 0 ? p >> 63 ? 0xffefffffffffffffull : 0x7fefffffffffffffull : double_bits(1 / d))
EACH64(f_drcp_zero, d == 0 ? 0 : double_bits(1 / d))
EACH64(f_drsq, double_bits(1 / sqrt(d)))
EACH64(f_dsqrt, double_bits(sqrt(d)))
EACH64(f_dfrac, d - d != 0         ? 0x7ff8000000000000ull
                : d - floor(d) < 1 ? double_bits(d - floor(d))
                                   : 0x3fefffffffffffffull)
EACH64(f_frexp64_exp, twice((uint32_t)frexp_exponent(d)))
EACH64(f_frexp64_mant, frexp_mantissa(d))
EACH64(f_dtoi, twice(to_int(d)))
EACH64(f_dtou, twice(to_uint(d)))
EACH64(f_dclass, twice(class64(p, (uint32_t)q)))
EACH64(f_dsat, double_bits(d + e > 0 ? d + e < 1 ? d + e : 1 : 0))
EACH64(f_dx4, double_bits(as_double(double_bits(d + e)) * 4))
EACH64(f_idiv, divided(p, q, false))
EACH64(f_imod, divided(p, q, true))
EACH64(f_udiv, q ? p / q : ~0ull)
EACH64(f_umod, q ? p % q : ~0ull)

static void
f_dfrexp(const uint32_t v[3][4], uint32_t want[4])
{
   uint64_t m = frexp_mantissa(wide(v[0]));
   want[0] = 0;
   want[1] = (uint32_t)frexp_exponent(wide(v[0]));
   want[2] = (uint32_t)m;
   want[3] = (uint32_t)(m >> 32);
}

static void
doubles(void **state)
{
   static const struct kase cases[] = {
      { "ddiv r0.xy__, r1, r2", f_ddiv, 3, 0 },
      { "ddiv r0.__zw, r1, r2\nmov r0.xy__, r0.zwzw", f_ddiv, 3, 0 },
      { "drcp_zeroop(infinity) r0.xy__, r1", f_drcp, 3, 0 },
      { "drcp r0.xy__, r1", f_drcp_max, 3, 0 },
      { "drcp_zeroop(zero) r0.xy__, r1", f_drcp_zero, 3, 0 },
      { "drsq_zeroop(infinity) r0.xy__, r1", f_drsq, 3, 0 },
      { "dsqrt r0.xy__, r1", f_dsqrt, 3, 0 },
      { "dfrac r0.xy__, r1", f_dfrac, 3, 0 },
      { "dfrexp r0, r1", f_dfrexp, 15, 0 },
      { "dfrexp_exp r0.xy__, r1", f_frexp64_exp, 3, 0 },
      { "dfrexp_mant r0.xy__, r1", f_frexp64_mant, 3, 0 },
      { "dtoi r0.xy__, r1", f_dtoi, 3, 0 },
      { "dtou r0.xy__, r1", f_dtou, 3, 0 },
      { "dadd_sat r0.xy__, r1, r2", f_dsat, 3, 0 },
      { "dadd_x4 r0.xy__, r1, r2", f_dx4, 3, 0 },
   };
   static const struct kase masks[] = { { "dclass r0.xy__, r1, r2", f_dclass, 3, 0 } };
   (void)state;
   run_cases("", cases, COUNT(cases), DOUBLES, DOUBLES, DOUBLES, 40);
   run_cases("", masks, COUNT(masks), DOUBLES, INTEGERS, DOUBLES, 10);
}

static void
wide_integers(void **state)
{
   static const struct kase cases[] = {
      { "i64div r0.xy__, r1, r2", f_idiv, 3, 0 },
      { "i64mod r0.xy__, r1, r2", f_imod, 3, 0 },
      { "u64div r0.xy__, r1, r2", f_udiv, 3, 0 },
      { "u64mod r0.xy__, r1, r2", f_umod, 3, 0 },
   };
   (void)state;
   run_cases("", cases, COUNT(cases), WIDE_INTEGERS, WIDE_INTEGERS, WIDE_INTEGERS, 60);
}

/* --- steps of Southern Islands --- */

/* `bits` of a mantissa, numbers of 2 * `bits` or so; the second and third operand are divisor and
 * dividend. */
static uint64_t
fixed_up(uint64_t q, uint64_t d, uint64_t n, unsigned bits, unsigned top, int lowest)
{
   uint64_t sign_bit = 1ull << top, infinity = (sign_bit - 1) >> bits << bits;
   uint64_t sign = (d ^ n) & sign_bit, md = d & (sign_bit - 1), mn = n & (sign_bit - 1);
   bool zero_d = md >> bits == 0, zero_n = mn >> bits == 0;

   if (mn > infinity || md > infinity || (zero_d && zero_n) || (md == infinity && mn == infinity))
      return infinity | 1ull << (bits - 1);
   if (zero_d || mn == infinity)
      return sign | infinity;
   if (zero_n || md == infinity || (int)(mn >> bits) - (int)(md >> bits) < lowest)
      return sign;
   return sign | (q & (sign_bit - 1));
}

static void
f_fixup(const uint32_t v[3][4], uint32_t want[4])
{
   for (unsigned i = 0; i < 4; i++)
      want[i] = (uint32_t)fixed_up(v[0][i], v[1][i], v[2][i], 23, 31, -150);
}

static void
f_dfixup(const uint32_t v[3][4], uint32_t want[4])
{
   uint64_t r = fixed_up(both(v[0]), both(v[1]), both(v[2]), 52, 63, -1075);
   want[0] = want[2] = (uint32_t)r;
   want[1] = want[3] = (uint32_t)(r >> 32);
}

static void
quad_sad(const uint32_t v[3][4], uint32_t want[4], bool masked)
{
   uint64_t from = both(v[0]), sum = both(v[2]), r = 0;

   for (unsigned n = 0; n < 4; n++) {
      uint32_t word = sum >> (16 * n) & 0xffff;
      for (unsigned k = 0; k < 4; k++) {
         int a = from >> (8 * (n + k)) & 255, b = v[1][0] >> (8 * k) & 255;
         word += masked && !b ? 0 : (unsigned)abs(a - b);
      }
      r |= (uint64_t)(word & 0xffff) << (16 * n);
   }
   want[0] = want[2] = (uint32_t)r;
   want[1] = want[3] = (uint32_t)(r >> 32);
}

static void
f_qsad(const uint32_t v[3][4], uint32_t want[4])
{
   quad_sad(v, want, false);
}

static void
f_mqsad(const uint32_t v[3][4], uint32_t want[4])
{
   quad_sad(v, want, true);
}

static void
southern_islands(void **state)
{
   static const struct kase floats[] = { { "div_fixup r0, r1, r2, r3", f_fixup, 15, 0 } };
   static const struct kase doubles[] = { { "ddiv_fixup r0, r1, r2, r3", f_dfixup, 15, 0 } };
   static const struct kase bytes[] = {
      { "qsad_u8 r0, r1, r2, r3", f_qsad, 15, 0 },
      { "mqsad_u8 r0, r1, r2, r3", f_mqsad, 15, 0 },
   };
   (void)state;
   run_cases("", floats, COUNT(floats), FLOATS, FLOATS, FLOATS, 40);
   run_cases("", doubles, COUNT(doubles), DOUBLES, DOUBLES, DOUBLES, 40);
   run_cases("", bytes, COUNT(bytes), INTEGERS, WIDE_INTEGERS, INTEGERS, 20);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_floats),  cmocka_unit_test(vectors),
      cmocka_unit_test(zeros),         cmocka_unit_test(integers),
      cmocka_unit_test(packing),       cmocka_unit_test(doubles),
      cmocka_unit_test(wide_integers), cmocka_unit_test(southern_islands),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
