/* SPDX-License-Identifier: MIT */
/*
 * Micro-operations that IL needs and Cayman has not, a lane at a time: elements of arrays and
 * buffers at an index, integer division, the parts of floats, 64-bit integers, and what a RAT
 * operation returned.
 */
#include <math.h>

#include "sq/rat.h"

#include "direct/lift.h"
#include "sq/uop.h"

static void
load(const struct exec *x, const struct uop *u, unsigned n, wave_lane out)
{
   for (unsigned i = 0; i < VECTORS; i++) {
      vu_store((uint8_t *)out + i * (VW * 4), uop_src(x, u, n, i));
   }
}

#define FOR_LANES(lane, set)                           \
   for (uint64_t left = (set); left; left &= left - 1) \
      for (unsigned lane = (unsigned)__builtin_ctzll(left), once = 1; once; once = 0)

static uint32_t *
lanes_of(const struct exec *x, uint32_t offset)
{
   return (uint32_t *)(void *)(x->file + offset);
}

/* --- elements at an index --------------------------------------------------------------------- */

/* src[0]: index; imm[0]: first row, imm[1]: channel; keep[1]: rows, flip[1]: added to the index. */
void
K(direct_uop_gather)(struct exec *x, const struct uop *u)
{
   wave_lane index;
   uint32_t *dst = lanes_of(x, u->dst);

   load(x, u, 0, index);
   FOR_LANES(lane, x->lanes)
   {
      uint32_t at = index[lane] + u->flip[1];
      dst[lane] = at < u->keep[1] ? lanes_of(x, REG(u->imm[0] + at, u->imm[1]))[lane] : 0;
   }
}

/* src[0]: value, src[1]: index; imm[0]: first row, imm[1]: channel; keep[2]: rows, flip[2]: added
 * to the index. */
void
K(direct_uop_scatter)(struct exec *x, const struct uop *u)
{
   wave_lane value, index;

   load(x, u, 0, value);
   load(x, u, 1, index);
   FOR_LANES(lane, x->lanes)
   {
      uint32_t at = index[lane] + u->flip[2];
      if (at < u->keep[2]) {
         lanes_of(x, REG(u->imm[0] + at, u->imm[1]))[lane] = value[lane];
      }
   }
}

/* src[0]: a lane; imm[0]: row, imm[1]: channel.  What another lane has there. */
void
K(direct_uop_point)(struct exec *x, const struct uop *u)
{
   const uint32_t *row = lanes_of(x, REG(u->imm[0], u->imm[1]));
   wave_lane index;
   uint32_t *dst = lanes_of(x, u->dst);

   load(x, u, 0, index);
   FOR_LANES(lane, x->lanes)
   {
      dst[lane] = index[lane] < WAVE_LANES ? row[index[lane]] : 0;
   }
}

/* src[0]: value, src[1]: index; imm[0]: first row, imm[1]: channel; keep[2]: rows, a power of two,
 * within which the index is taken.  All lanes get what one of them writes, the last one's at last.
 */
void
K(direct_uop_share)(struct exec *x, const struct uop *u)
{
   wave_lane value, index;

   load(x, u, 0, value);
   load(x, u, 1, index);
   FOR_LANES(lane, x->lanes)
   {
      uint32_t *row = lanes_of(x, REG(u->imm[0] + (index[lane] & (u->keep[2] - 1)), u->imm[1]));
      for (unsigned l = 0; l < WAVE_LANES; l++) {
         row[l] = value[lane];
      }
   }
}

/* src[0]: index; imm[0]: vec4 added to it, imm[1]: channel; aux: buffer. */
void
K(direct_uop_constant)(struct exec *x, const struct uop *u)
{
   const struct sq_kcache *k = &x->wave->bind->kcache[u->aux];
   wave_lane index;
   uint32_t *dst = lanes_of(x, u->dst);

   load(x, u, 0, index);
   FOR_LANES(lane, x->lanes)
   {
      uint64_t at = 16 * (uint64_t)(index[lane] + u->imm[0]) + 4 * u->imm[1];
      dst[lane] = k->base && at + 4 <= k->bytes ? k->base[at / 4] : 0;
   }
}

/* src[0]: index; src[1]: the first of keep[2] uniform values; imm as above. */
void
K(direct_uop_table)(struct exec *x, const struct uop *u)
{
   const uint32_t *table = (const uint32_t *)((const uint8_t *)x->uni + u->src[1]);
   wave_lane index;
   uint32_t *dst = lanes_of(x, u->dst);

   load(x, u, 0, index);
   FOR_LANES(lane, x->lanes)
   {
      uint64_t at = 4 * (uint64_t)(index[lane] + u->imm[0]) + u->imm[1];
      dst[lane] = at < u->keep[2] ? table[at] : 0;
   }
}

/* --- 32 bits ---------------------------------------------------------------------------------- */

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
   if (!is_number(v)) {
      return plain_float(v);
   }
   int64_t e = (int64_t)(v >> 23 & 255) + n;
   return e < 1     ? v & 0x80000000
          : e > 254 ? (v & 0x80000000) | 0x7f800000
                    : (v & 0x807fffff) | (uint32_t)e << 23;
}

/* Bit `class` of the mask, spread over all bits.  Classes as Southern Islands numbers them: NaN
 * (signalling, quiet), -inf, -number, -denormal, -0, +0, denormal, number, inf. */
static uint32_t
has_class(bool sign, bool nan, bool quiet, unsigned rank, uint32_t mask)
{
   unsigned class = nan ? quiet : sign ? 5 - rank : 6 + rank;
   return mask >> class & 1 ? ~0u : 0;
}

static uint32_t
class32(uint32_t v, uint32_t mask)
{
   uint32_t m = v & 0x7fffffff;
   return has_class(v >> 31, m > 0x7f800000, v >> 22 & 1,
                    (m != 0) + (m >= 0x00800000) + (m >= 0x7f800000), mask);
}

static uint32_t
class64(uint64_t v, uint32_t mask)
{
   uint64_t m = v & INT64_MAX;
   return has_class(v >> 63, m > UINT64_C(0x7ff0) << 48, v >> 51 & 1,
                    (m != 0) + (m >= UINT64_C(0x0010) << 48) + (m >= UINT64_C(0x7ff0) << 48), mask);
}

/* The half next to a float in the direction of +inf or -inf; denormal halves are numbers. */
static uint32_t
half(uint32_t v, bool up)
{
   uint32_t sign = v >> 16 & 0x8000, m;
   bool away = up == !sign;

   v = plain_float(v) & 0x7fffffff;
   if (v > 0x7f800000) {
      return 0x7e00;
   }
   if (v == 0x7f800000) {
      return sign | 0x7c00;
   }
   int e = (int)(v >> 23) - 127;
   unsigned drop = e < -14 ? 13 + (unsigned)(-14 - e) : 13;
   uint32_t full = (v & 0x7fffff) | (v ? 0x800000 : 0);
   if (e > 15) {
      return sign | (away ? 0x7c00 : 0x7bff);
   }
   m = drop > 24 ? 0 : full >> drop;
   if (away && (drop > 24 ? full : full & ((1u << drop) - 1))) {
      m++;
   }
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

   if (a.nan || b.nan || (a.zero && b.zero) || (a.infinite && b.infinite)) {
      return infinity | UINT64_C(1) << (mantissa_bits - 1);
   }
   if (a.infinite || b.zero) {
      return sign | infinity;
   }
   if (a.zero || b.infinite || a.exponent - b.exponent < lowest) {
      return sign;
   }
   return sign | (quotient & (sign_bit - 1));
}

static uint32_t
lane_op(unsigned op, uint32_t a, uint32_t b, uint32_t c)
{
   switch (op) {
   case IL_OP_DIV_FIXUP:
      return (uint32_t)fix_quotient(a, b, c, 8, 23);
   case IL_OP_U_DIV: /* by zero both give all ones */
      return b ? a / b : ~0u;
   case IL_OP_U_MOD:
      return b ? a % b : ~0u;
   case IL_OP_LDEXP:
      return ldexp32(a, (int32_t)b);
   case IL_OP_FREXP_EXP:
      return is_number(a) ? (a >> 23 & 255) - 126 : 0;
   case IL_OP_FREXP_MANT:
      return is_number(a) ? (a & 0x807fffff) | 0x3f000000 : plain_float(a);
   case IL_OP_CLASS:
      return class32(a, b);
   case IL_OP_F_2_F16_NEG_INF:
   case IL_OP_F_2_F16_PLUS_INF:
      return half(a, op == IL_OP_F_2_F16_PLUS_INF);
   default:
      return masked_sad(a, b, c);
   }
}

/* op: the IL opcode. */
void
K(direct_uop_lane)(struct exec *x, const struct uop *u)
{
   wave_lane s[3];
   uint32_t *dst = lanes_of(x, u->dst);

   for (unsigned n = 0; n < 3; n++) {
      load(x, u, n, s[n]);
   }
   FOR_LANES(lane, x->lanes)
   {
      dst[lane] = lane_op(u->op, s[0][lane], s[1][lane], s[2][lane]);
   }
}

/* --- 64 bits ---------------------------------------------------------------------------------- */

/* Towards zero; what does not fit is cut to the range, a NaN gives 0. */
static uint32_t
integer_of(double v, bool is_signed)
{
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

static uint64_t
wide_op(unsigned op, uint64_t a, uint64_t b, uint64_t c)
{
   int64_t sa = (int64_t)a, sb = (int64_t)b;
   unsigned count = (unsigned)b & 63;
   double d;

   switch (op) {
   case IL_OP_I64_ADD:
      return a + b;
   case IL_OP_I64_SUB:
      return a - b;
   case IL_OP_I64_NEGATE:
      return -a;
   case IL_OP_I64_MUL:
   case IL_OP_U64_MUL:
      return a * b;
   case IL_OP_I64_EQ:
      return a == b ? ~UINT64_C(0) : 0;
   case IL_OP_I64_NE:
      return a != b ? ~UINT64_C(0) : 0;
   case IL_OP_I64_LT:
      return sa < sb ? ~UINT64_C(0) : 0;
   case IL_OP_I64_GE:
      return sa >= sb ? ~UINT64_C(0) : 0;
   case IL_OP_U64_LT:
      return a < b ? ~UINT64_C(0) : 0;
   case IL_OP_U64_GE:
      return a >= b ? ~UINT64_C(0) : 0;
   case IL_OP_I64_MIN:
      return sa < sb ? a : b;
   case IL_OP_I64_MAX:
      return sa > sb ? a : b;
   case IL_OP_U64_MIN:
      return a < b ? a : b;
   case IL_OP_U64_MAX:
      return a > b ? a : b;
   case IL_OP_I64_SHL:
      return a << count;
   case IL_OP_I64_SHR:
      return (uint64_t)(sa >> count);
   case IL_OP_U64_SHR:
      return a >> count;
   case IL_OP_I64_DIV:
   case IL_OP_I64_MOD:
      return divide64(a, b, true, op == IL_OP_I64_MOD);
   case IL_OP_U64_DIV:
   case IL_OP_U64_MOD:
      return divide64(a, b, false, op == IL_OP_U64_MOD);
   case IL_OP_D_CLASS:
      return class64(a, (uint32_t)b);
   case IL_OP_D_DIV:
      return divide_double(a, b);
   case IL_OP_D_DIV_FIXUP:
      return fix_quotient(a, b, c, 11, 52);
   case IL_OP_QSAD_U8:
   case IL_OP_MQSAD_U8:
      return quad_sad(a, (uint32_t)b, c, op == IL_OP_MQSAD_U8);
   case IL_OP_DTOI:
   case IL_OP_DTOU:
      memcpy(&d, &a, 8);
      return integer_of(d, op == IL_OP_DTOI);
   case IL_OP_ITOD:
   case IL_OP_UTOD:
      d = op == IL_OP_ITOD ? (double)(int32_t)(uint32_t)a : (double)(uint32_t)a;
      memcpy(&a, &d, 8);
      return a;
   default:
      return 0;
   }
}

/* Three records: operand n is u[n].src[0] (low) and u[n].src[1] (high); the result's low dword goes
 * to u[0].dst, the high one to u[1].dst.  op: the IL opcode. */
void
K(direct_uop_wide)(struct exec *x, const struct uop *u)
{
   wave_lane lo[3], hi[3];

   for (unsigned n = 0; n < 3; n++) {
      load(x, u + n, 0, lo[n]);
      load(x, u + n, 1, hi[n]);
   }
   _mm_setcsr(x->fp_double);
   FOR_LANES(lane, x->lanes)
   {
      uint64_t r = wide_op(u->op, (uint64_t)hi[0][lane] << 32 | lo[0][lane],
                           (uint64_t)hi[1][lane] << 32 | lo[1][lane],
                           (uint64_t)hi[2][lane] << 32 | lo[2][lane]);
      lanes_of(x, u[0].dst)[lane] = (uint32_t)r;
      lanes_of(x, u[1].dst)[lane] = (uint32_t)(r >> 32);
   }
   _mm_setcsr(x->fp_now);
}

/* --- textures --------------------------------------------------------------------------------- */

/* Four records: src[0] of the first three is a direction, x, y and z.  dst: s and t on the face it
 * goes through, twice the major axis, and the number of the face (OpenGL's table of faces).  Of
 * equal axes z comes before y, y before x. */
void
K(direct_uop_face)(struct exec *x, const struct uop *u)
{
   wave_lane in[3];

   for (unsigned n = 0; n < 3; n++) {
      load(x, u + n, 0, in[n]);
   }
   FOR_LANES(lane, x->lanes)
   {
      float v[3], out[4];
      for (unsigned n = 0; n < 3; n++) {
         memcpy(&v[n], &in[n][lane], 4);
      }
      float ax = fabsf(v[0]), ay = fabsf(v[1]), az = fabsf(v[2]);
      unsigned axis = az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0;
      bool negative = v[axis] < 0.0f;
      out[0] = axis == 0 ? (negative ? v[2] : -v[2]) : axis == 2 && negative ? -v[0] : v[0];
      out[1] = axis == 1 ? (negative ? -v[2] : v[2]) : -v[1];
      out[2] = 2.0f * v[axis];
      out[3] = (float)(2 * axis + negative);
      for (unsigned n = 0; n < 4; n++) {
         uint32_t bits;
         memcpy(&bits, &out[n], 4);
         lanes_of(x, u[n].dst)[lane] = (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
      }
   }
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Where a lane's results are left: lane + 64 * wave. */
void
K(direct_uop_place)(struct exec *x, const struct uop *u)
{
   uint32_t *dst = lanes_of(x, u->dst);

   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      dst[lane] = x->wave->hw_wave_id * WAVE_LANES + lane;
   }
}

static const struct sq_rat *
rat(const struct exec *x, unsigned n)
{
   return x->wave->bind->rats && n < SQ_RATS ? &x->wave->bind->rats[n] : NULL;
}

/* src[0]: place; the dword that an operation on RAT `aux` left there. */
void
K(direct_uop_returned)(struct exec *x, const struct uop *u)
{
   const struct sq_rat *r = rat(x, u->aux);
   wave_lane place;
   uint32_t *dst = lanes_of(x, u->dst);

   load(x, u, 0, place);
   FOR_LANES(lane, x->lanes)
   {
      uint64_t at = 4 * (uint64_t)place[lane];
      dst[lane] = 0;
      if (r && r->returns && at + 4 <= r->return_bytes) {
         memcpy(&dst[lane], r->returns + at, 4);
      }
   }
}

/* --- shared registers ------------------------------------------------------------------------- */

/* imm[0]: register, imm[1]: channel. */
static wave_lane *
shared(const struct exec *x, const struct uop *u)
{
   return x->wave->bind->shared && u->imm[0] < SQ_SHARED
             ? &x->wave->bind->shared[u->imm[0]][u->imm[1]]
             : NULL;
}

void
K(direct_uop_shared_load)(struct exec *x, const struct uop *u)
{
   const wave_lane *from = shared(x, u);
   uint32_t *dst = lanes_of(x, u->dst);

   FOR_LANES(lane, x->lanes)
   {
      dst[lane] = from ? (*from)[lane] : 0;
   }
}

/* src[0]: value */
void
K(direct_uop_shared_store)(struct exec *x, const struct uop *u)
{
   wave_lane *to = shared(x, u), value;

   load(x, u, 0, value);
   FOR_LANES(lane, to ? x->lanes : 0)
   {
      (*to)[lane] = value[lane];
   }
}

/* src[0], src[1]: the first register and the one behind the last; src[2]: what y becomes; all bits
 * of the others are set (7-66). */
void
K(direct_uop_shared_init)(struct exec *x, const struct uop *u)
{
   wave_lane first, end, value;

   load(x, u, 0, first);
   load(x, u, 1, end);
   load(x, u, 2, value);
   for (uint32_t n = 0; x->wave->bind->shared && n < SQ_SHARED; n++) {
      FOR_LANES(lane, x->lanes)
      {
         for (unsigned c = 0; c < 4 && n >= first[lane] && n < end[lane]; c++) {
            x->wave->bind->shared[n][c][lane] = c == 1 ? value[lane] : ~0u;
         }
      }
   }
}

/* src[0]: dword of RAT `aux`, a buffer; imm[0] is added to it. */
void
K(direct_uop_load)(struct exec *x, const struct uop *u)
{
   const struct sq_rat *r = rat(x, u->aux);
   wave_lane index;
   uint32_t *dst = lanes_of(x, u->dst);

   load(x, u, 0, index);
   FOR_LANES(lane, x->lanes)
   {
      uint64_t at = 4 * ((uint64_t)index[lane] + u->imm[0]);
      dst[lane] = 0;
      if (r && r->base && at + 4 <= (uint64_t)r->width * r->bytes) {
         memcpy(&dst[lane], r->base + at, 4);
      }
   }
}
