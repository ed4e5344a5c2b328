/* SPDX-License-Identifier: MIT */
/*
 * Operations of IL that the legaliser makes formulas of, executed directly and computed in C: a
 * second opinion on src/il/lower that knows nothing of the formulas, for random and special values.
 * What is a formula of floats in the document itself is worked out by hand in semantics.c and in
 * tests/compiler_cayman/arithmetic.c.
 */
#include <immintrin.h>

#include "fp.h"
#include "semantic.h"

#define ROUNDS 200 /* of 64 lanes, for each operation */

/* --- what the operations compute -------------------------------------------------------------- */

/* Bit `class` of the mask, spread over all bits.  Classes as Southern Islands numbers them: NaN
 * (signalling, quiet), -inf, -number, -denormal, -0, +0, denormal, number, inf. */
static uint32_t
has_class(bool sign, bool nan, bool quiet, unsigned rank, uint32_t mask)
{
   unsigned class = nan ? quiet : sign ? 5 - rank : 6 + rank;
   return mask >> class & 1 ? ~0u : 0;
}

/* A number of 1, `exponent_bits` and `mantissa_bits`. */
struct kind {
   bool negative, zero, infinite, nan; /* denormals are zero */
   int exponent;
};

static struct kind
kind_of(uint64_t v, unsigned exponent_bits, unsigned mantissa_bits)
{
   uint64_t mantissa = v & ((UINT64_C(1) << mantissa_bits) - 1);
   int exponent = (int)(v >> mantissa_bits & ((1u << exponent_bits) - 1));
   bool top = exponent == (1 << exponent_bits) - 1;

   return (struct kind){ .negative = v >> (exponent_bits + mantissa_bits) & 1,
                         .zero = exponent == 0,
                         .infinite = top && !mantissa,
                         .nan = top && mantissa,
                         .exponent = exponent };
}

/* A quotient, of whatever sign, and what dividend / divisor is beyond what it can say: the sign,
 * NaN, infinity, zero; the quotient is zero too where the exponents put it below all denormals. */
static uint64_t
fix_quotient(uint64_t quotient, uint64_t divisor, uint64_t dividend, unsigned exponent_bits,
             unsigned mantissa_bits)
{
   const struct kind a = kind_of(dividend, exponent_bits, mantissa_bits);
   const struct kind b = kind_of(divisor, exponent_bits, mantissa_bits);
   const uint64_t sign_bit = UINT64_C(1) << (exponent_bits + mantissa_bits);
   const uint64_t infinity = ((UINT64_C(1) << exponent_bits) - 1) << mantissa_bits;
   const uint64_t sign = a.negative != b.negative ? sign_bit : 0;
   const int lowest = -(((1 << (exponent_bits - 1)) - 1) + (int)mantissa_bits);

   if (a.nan || b.nan || (a.zero && b.zero) || (a.infinite && b.infinite))
      return infinity | UINT64_C(1) << (mantissa_bits - 1);
   if (a.infinite || b.zero)
      return sign | infinity;
   if (a.zero || b.infinite || a.exponent - b.exponent < lowest)
      return sign;
   return sign | (quotient & (sign_bit - 1));
}

/* Flushed as every float operand; a NaN in its one form. */
static uint32_t
plain_float(uint32_t v)
{
   return (v & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : v & 0x7f800000 ? v : v & 0x80000000;
}

static bool
is_number(uint32_t v)
{
   uint32_t e = v >> 23 & 255;
   return e && e != 255;
}

static uint32_t
ldexp32(uint32_t v, int32_t n)
{
   if (!is_number(v))
      return plain_float(v);
   int64_t e = (int64_t)(v >> 23 & 255) + n;
   return e < 1     ? v & 0x80000000
          : e > 254 ? (v & 0x80000000) | 0x7f800000
                    : (v & 0x807fffff) | (uint32_t)e << 23;
}

static uint32_t
class32(uint32_t v, uint32_t mask)
{
   uint32_t m = v & 0x7fffffff;
   return has_class(v >> 31, m > 0x7f800000, v >> 22 & 1,
                    (m != 0) + (m >= 0x00800000) + (m >= 0x7f800000), mask);
}

/* The half next to a float in the direction of +inf or -inf; denormal halves are numbers. */
static uint32_t
half_towards(uint32_t v, bool up)
{
   uint32_t sign = v >> 16 & 0x8000, m;
   bool away = up == !sign;

   v = plain_float(v) & 0x7fffffff;
   if (v > 0x7f800000)
      return 0x7e00;
   if (v == 0x7f800000)
      return sign | 0x7c00;
   int e = (int)(v >> 23) - 127;
   unsigned drop = e < -14 ? 13 + (unsigned)(-14 - e) : 13;
   uint32_t full = (v & 0x7fffff) | (v ? 0x800000 : 0);
   if (e > 15)
      return sign | (away ? 0x7c00 : 0x7bff);
   m = drop > 24 ? 0 : full >> drop;
   if (away && (drop > 24 ? full : full & ((1u << drop) - 1)))
      m++;
   /* A denormal's mantissa has no hidden one; a carry out of it is the next exponent. */
   return sign | (e < -14 ? m : ((uint32_t)(e + 15) << 10) + m - 0x400);
}

/* Bytes of the reference, b, that are zero do not count. */
static uint32_t
masked_sad(uint32_t a, uint32_t b, uint32_t sum)
{
   for (unsigned i = 0; i < 32; i += 8) {
      uint32_t p = a >> i & 255, q = b >> i & 255;
      sum += !q ? 0 : p > q ? p - q : q - p;
   }
   return sum;
}

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
   if (!b)
      return ~UINT64_C(0);
   if (!is_signed)
      return remainder ? a % b : a / b;
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

/* --- the operations --------------------------------------------------------------------------- */

/* name, result: of a, b, c, the operands of one component */
#define OF_COMPONENTS(X)                                                        \
   X(DIV_FIXUP, fix_quotient(a, b, c, 8, 23))                                   \
   X(U_DIV, b ? a / b : ~0u)                                                    \
   X(U_MOD, b ? a % b : ~0u)                                                    \
   X(LDEXP, ldexp32(a, (int32_t)b))                                             \
   X(FREXP_EXP, is_number(a) ? (a >> 23 & 255) - 126 : 0)                       \
   X(FREXP_MANT, is_number(a) ? (a & 0x807fffff) | 0x3f000000 : plain_float(a)) \
   X(CLASS, class32(a, b))                                                      \
   X(F_2_F16_NEG_INF, half_towards(a, false))                                   \
   X(F_2_F16_PLUS_INF, half_towards(a, true))                                   \
   X(MSAD_U8, masked_sad(a, b, c))

/* name, result: the same of x and y together */
#define OF_PAIRS(X)                                 \
   X(I64_ADD, a + b)                                \
   X(I64_SUB, a - b)                                \
   X(I64_NEGATE, -a)                                \
   X(I64_MUL, a *b)                                 \
   X(U64_MUL, a *b)                                 \
   X(I64_MIN, (int64_t)a < (int64_t)b ? a : b)      \
   X(I64_MAX, (int64_t)a > (int64_t)b ? a : b)      \
   X(U64_MIN, a < b ? a : b)                        \
   X(U64_MAX, a > b ? a : b)                        \
   X(I64_SHL, a << (b & 63))                        \
   X(I64_SHR, (uint64_t)((int64_t)a >> (b & 63)))   \
   X(U64_SHR, a >> (b & 63))                        \
   X(I64_DIV, divide64(a, b, true, false))          \
   X(I64_MOD, divide64(a, b, true, true))           \
   X(U64_DIV, divide64(a, b, false, false))         \
   X(U64_MOD, divide64(a, b, false, true))          \
   X(D_DIV, divide_double(a, b))                    \
   X(D_DIV_FIXUP, fix_quotient(a, b, c, 11, 52))    \
   X(QSAD_U8, quad_sad(a, (uint32_t)b, c, false))   \
   X(MQSAD_U8, quad_sad(a, (uint32_t)b, c, true))   \
   X(ITOD, double_of((double)(int32_t)(uint32_t)a)) \
   X(UTOD, double_of((double)(uint32_t)a))

/* name, result: of pairs, a dword */
#define OF_PAIRS_TO_ONE(X)                     \
   X(I64_EQ, all_if(a == b))                   \
   X(I64_NE, all_if(a != b))                   \
   X(I64_LT, all_if((int64_t)a < (int64_t)b))  \
   X(I64_GE, all_if((int64_t)a >= (int64_t)b)) \
   X(U64_LT, all_if(a < b))                    \
   X(U64_GE, all_if(a >= b))                   \
   X(D_CLASS, class64(a, (uint32_t)b))         \
   X(DTOI, integer_of(a, true))                \
   X(DTOU, integer_of(a, false))

#define COMPONENT(name, value)               \
   static uint64_t name(const uint64_t v[3]) \
   {                                         \
      const uint32_t a = (uint32_t)v[0];     \
      const uint32_t b = (uint32_t)v[1];     \
      const uint32_t c = (uint32_t)v[2];     \
      (void)a, (void)b, (void)c;             \
      return (uint32_t)(value);              \
   }
#define PAIR(name, value)                          \
   static uint64_t name(const uint64_t v[3])       \
   {                                               \
      const uint64_t a = v[0], b = v[1], c = v[2]; \
      (void)a, (void)b, (void)c;                   \
      return (value);                              \
   }
OF_COMPONENTS(COMPONENT)
OF_PAIRS(PAIR)
OF_PAIRS_TO_ONE(PAIR)

enum shape { COMPONENTS, PAIRS, PAIRS_TO_ONE };

static const struct {
   uint16_t op;
   uint8_t shape;
   uint64_t (*of)(const uint64_t v[3]);
} operations[] = {
#define ROW(name, value) { IL_OP_##name, COMPONENTS, name },
   OF_COMPONENTS(ROW)
#undef ROW
#define ROW(name, value) { IL_OP_##name, PAIRS, name },
      OF_PAIRS(ROW)
#undef ROW
#define ROW(name, value) { IL_OP_##name, PAIRS_TO_ONE, name },
         OF_PAIRS_TO_ONE(ROW)
#undef ROW
};

/* --- operands --------------------------------------------------------------------------------- */
static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t
next(void)
{
   seed ^= seed << 13;
   seed ^= seed >> 7;
   seed ^= seed << 17;
   return seed;
}

/* Special floats; all of what few bits say; floats that halves have or do not quite. */
static uint32_t
word(void)
{
   static const uint32_t special[] = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
      0xffc00001, 0x00000001, 0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff,
      0x7f800001, 0x477fe000, 0x477ff000, 0x38800000, 0x33800000, 0x33000000, 0xffffffff,
   };
   const uint32_t v = (uint32_t)next();

   switch (next() % 5) {
   case 0:
      return special[v % (sizeof(special) / sizeof(*special))];
   case 1:
      return v >> next() % 32;
   case 2:
      return -(v >> next() % 32);
   case 3:
      return (v & 0x807fffff) | (uint32_t)(100 + next() % 46) << 23;
   default:
      return v;
   }
}

/* The same of doubles; those around the range of integers. */
static uint64_t
pair(void)
{
   static const uint64_t special[] = {
      0,
      UINT64_C(1) << 63,
      UINT64_C(0x3ff0) << 48,
      UINT64_C(0x7ff0) << 48,
      UINT64_C(0xfff0) << 48,
      UINT64_C(0x7ff8) << 48,
      UINT64_C(0x7ff0) << 48 | 1,
      1,
      UINT64_C(0x0010) << 48,
      UINT64_C(0x7fefffffffffffff),
      UINT64_C(0x41dfffffffc00000),
      UINT64_C(0x41dfffffffe00000),
      UINT64_C(0xc1e0000000000000),
      UINT64_C(0x41efffffffe00000),
      UINT64_C(0x41f0000000000000),
      UINT64_C(0x3fefffffffffffff),
   };
   const uint64_t v = next();

   switch (next() % 6) {
   case 0:
      return special[v % (sizeof(special) / sizeof(*special))];
   case 1:
      return v >> next() % 64;
   case 2:
      return -(v >> next() % 64);
   case 3:
      return (v & UINT64_C(0x800fffffffffffff)) | (1015 + next() % 48) << 52;
   case 4:
      return (uint64_t)word() << 32 | word();
   default:
      return v;
   }
}

/* --- the comparison --------------------------------------------------------------------------- */
static struct semantic *state;

/* What component `comp` of the result has to be, and its operands. */
static uint32_t
expected(unsigned op, unsigned lane, unsigned comp, uint64_t v[3])
{
   for (unsigned n = 0; n < 3; n++) {
      const wave_lane *in = state->file[1 + n];
      v[n] = operations[op].shape == COMPONENTS ? in[comp][lane]
                                                : (uint64_t)in[1][lane] << 32 | in[0][lane];
   }
   const uint64_t r = operations[op].of(v);
   return (uint32_t)(operations[op].shape == PAIRS && comp & 1 ? r >> 32 : r);
}

static void
check_lane(unsigned op, const wave_lane result[4], unsigned lane)
{
   for (unsigned c = 0; c < 4; c++) {
      uint64_t v[3];
      const uint32_t want = expected(op, lane, c, v);
      if (result[c][lane] != want) {
         fail_msg("%s of %llx, %llx, %llx: %c is %08x, not %08x",
                  il_op_info(operations[op].op)->name, (unsigned long long)v[0],
                  (unsigned long long)v[1], (unsigned long long)v[2], "xyzw"[c], result[c][lane],
                  want);
      }
   }
}

static void
fill(unsigned shape)
{
   for (unsigned n = 0; n < 3; n++) {
      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         for (unsigned c = 0; c < 4; c++) {
            const uint64_t v = shape == COMPONENTS ? word() : pair();
            state->file[1 + n][c][lane] = (uint32_t)v;
            if (shape != COMPONENTS)
               state->file[1 + n][++c][lane] = (uint32_t)(v >> 32);
         }
         if (next() % 16 == 0 && n) { /* equal ones */
            state->file[1 + n][0][lane] = state->file[n][0][lane];
            state->file[1 + n][1][lane] = state->file[n][1][lane];
         }
      }
   }
}

static void
check(unsigned op)
{
   const struct il_op_info *info = il_op_info(operations[op].op);
   char text[512];

   snprintf(text, sizeof(text),
            "il_vs_2_0\ndcl_input_generic v0\ndcl_input_generic v1\ndcl_input_generic v2\n"
            "dcl_output_generic o32\n%s r0, v0%s%s\nmov o32, r0\nend\n",
            info->name, info->srcs > 1 ? ", v1" : "", info->srcs > 2 ? ", v2" : "");
   for (unsigned round = 0; round < ROUNDS; round++) {
      semantic_begin(state, text);
      fill(operations[op].shape);
      semantic_run(state);
      _mm_setcsr(fp_mode_double(0)); /* as semantic_begin() has it */
      for (unsigned lane = 0; lane < WAVE_LANES; lane++)
         check_lane(op, semantic_output(state, 32), lane);
      _mm_setcsr(FP_DEFAULT);
      semantic_end(state);
   }
}

static void
formulas(void **unused)
{
   (void)unused;
   for (unsigned op = 0; op < sizeof(operations) / sizeof(*operations); op++)
      check(op);
}

static int
set_up(void **unused)
{
   (void)unused;
   state = semantic_new();
   return 0;
}

static int
tear_down(void **unused)
{
   (void)unused;
   free(state);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas),
   };
   return cmocka_run_group_tests(tests, set_up, tear_down);
}
