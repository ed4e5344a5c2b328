/* SPDX-License-Identifier: MIT */
/*
 * Double-precision operations, a lane at a time (HD 6900 ISA guide 8.2): rare enough that what
 * counts is that they are exact.  Every double result that is a NaN is 7FF8000000000000.
 *
 * Operands lie in two components, the high dword in the even slot's operand and the low one in the
 * odd slot's (quads: high in x, low in w); results go low to the even channel, high to the odd one.
 */
#include "uop/bound.h"
#include "uop/u128.h"

static double
from_bits(uint64_t bits)
{
   double d;
   memcpy(&d, &bits, 8);
   return d;
}

static uint64_t
to_bits(double d)
{
   uint64_t bits;
   memcpy(&bits, &d, 8);
   return bits;
}

#define NAN64 0x7ff8000000000000ull
#define EXP64 0x7ff0000000000000ull
#define MAG64 0x7fffffffffffffffull

static bool
is_nan64(uint64_t v)
{
   return (v & MAG64) > EXP64;
}
static uint64_t
canon64(uint64_t v)
{
   return is_nan64(v) ? NAN64 : v;
}

/* A denormal operand is zero if the mode flushes. */
static uint64_t
flush_in(uint64_t v)
{
   return (_mm_getcsr() & FP_FLUSH_IN) && !(v & EXP64) ? v & ~MAG64 : v;
}
static uint64_t
flush_out(uint64_t v)
{
   return (_mm_getcsr() & FP_FLUSH_OUT) && !(v & EXP64) ? v & ~MAG64 : v;
}

/* ------------------------------------------------------------------------------------------------
 * a * b + c rounded once.  The integer form serves builds without the instruction.
 */
#if VW == 4
/* Mantissa with its leading one and the exponent of its lowest bit. */
static uint64_t
split64(uint64_t v, int *e)
{
   unsigned biased = (unsigned)(v >> 52) & 0x7ff;
   uint64_t m = v & 0xfffffffffffffull;
   if (biased == 0) {
      *e = -1074;
      return m;
   }
   *e = (int)biased - 1075;
   return m | 1ull << 52;
}

/* sign * m * 2^e, m not zero, rounded by the current mode. */
static uint64_t
round64(bool sign, struct u128 m, int e)
{
   unsigned csr = _mm_getcsr();
   int lead = 127 - (int)u128_clz(m); /* of the leading one */
   int shift = lead - 52;
   if (e + shift < -1074)
      shift = -1074 - e;
   /* Tiny by the exponent the result would have if that were unbounded. */
   bool flush = false;
   uint64_t kept;
   for (int pass = 0;; pass++) {
      int s = pass ? shift : lead - 52;
      unsigned drop = s > 0 ? (unsigned)s : 0;
      struct u128 q = s > 0 ? u128_right(m, drop) : u128_left(m, (unsigned)-s);
      struct u128 rest = u128_low(m, drop);
      int to_half = u128_compare(rest, drop ? u128_left(u128_from(1), drop - 1) : u128_from(1));
      bool up = false;
      switch (csr & 0x6000) {
      case FP_ROUND_NEAREST:
         up = drop && drop <= 128 && (to_half > 0 || (to_half == 0 && (q.lo & 1)));
         break;
      case FP_ROUND_UP:
         up = !u128_is_zero(rest) && !sign;
         break;
      case FP_ROUND_DOWN:
         up = !u128_is_zero(rest) && sign;
         break;
      default:
         break;
      }
      kept = q.lo + up;
      if (pass == 0) {
         int top = e + lead + (kept >> 53 & 1);
         flush = top < -1022 && (csr & FP_FLUSH_OUT);
      } else {
         break;
      }
   }
   uint64_t s = sign ? 1ull << 63 : 0;
   if (flush)
      return s;
   int exponent = e + shift; /* of kept's lowest bit */
   if (kept >> 53) {
      kept >>= 1;
      exponent++;
   }
   if (!(kept >> 52))
      return s | kept; /* denormal */
   int biased = exponent + 1075;
   if (biased >= 0x7ff) {
      unsigned mode = csr & 0x6000;
      bool to_inf = mode == FP_ROUND_NEAREST || (mode == FP_ROUND_UP && !sign) ||
                    (mode == FP_ROUND_DOWN && sign);
      return s | (to_inf ? EXP64 : EXP64 - 1);
   }
   return s | (uint64_t)biased << 52 | (kept & 0xfffffffffffffull);
}

static uint64_t
fma64(uint64_t a, uint64_t b, uint64_t c)
{
   a = flush_in(a), b = flush_in(b), c = flush_in(c);
   if ((a & EXP64) == EXP64 || (b & EXP64) == EXP64 || !(a & MAG64) || !(b & MAG64))
      return canon64(to_bits(from_bits(a) * from_bits(b) + from_bits(c)));
   if ((c & EXP64) == EXP64)
      return canon64(c);

   int ea, eb, ec;
   uint64_t ma = split64(a, &ea), mb = split64(b, &eb), mc = split64(c, &ec);
   bool sp = (a ^ b) >> 63, sc = c >> 63;
   struct u128 p = u128_multiply(ma, mb);
   int ep = ea + eb;
   if (mc == 0)
      return round64(sp, p, ep);

   /* Both with the leading one at bit 125: two bits for the carry and none of the sum lost. */
   unsigned zp = u128_clz(p) - 2;
   p = u128_left(p, zp), ep -= (int)zp;
   struct u128 q = u128_from(mc);
   unsigned zc = u128_clz(q) - 2;
   q = u128_left(q, zc), ec -= (int)zc;
   int e;
   if (ep >= ec) {
      q = u128_right_jam(q, (unsigned)(ep - ec));
      e = ep;
   } else {
      p = u128_right_jam(p, (unsigned)(ec - ep));
      e = ec;
   }
   if (sp == sc)
      return round64(sp, u128_add(p, q), e);
   int order = u128_compare(p, q);
   if (order == 0)
      return (_mm_getcsr() & 0x6000) == FP_ROUND_DOWN ? 1ull << 63 : 0;
   return order > 0 ? round64(sp, u128_sub(p, q), e) : round64(sc, u128_sub(q, p), e);
}
#else
static uint64_t
fma64(uint64_t a, uint64_t b, uint64_t c)
{
   __m128d r =
      _mm_fmadd_sd(_mm_set_sd(from_bits(a)), _mm_set_sd(from_bits(b)), _mm_set_sd(from_bits(c)));
   return canon64(to_bits(_mm_cvtsd_f64(r)));
}
#endif

/* To float with denormals: what rounds up to the smallest normal number is not one. */
static uint32_t
narrow(double d)
{
   unsigned csr = _mm_getcsr();
   _mm_setcsr(csr & ~FP_FLUSH_OUT);
   volatile float f = (float)d;
   _mm_setcsr(csr);
   float g = f;
   uint32_t bits;
   memcpy(&bits, &g, 4);
   return bits;
}

static double
sqrt64(double d)
{
   __m128d v = _mm_set_sd(d);
   return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
}

/* ------------------------------------------------------------------------------------------------
 * Operations without a machine instruction
 */
static uint64_t
clamp64(uint64_t v)
{
   return (v & MAG64) == EXP64 ? v - 1 : canon64(v);
}

/* x - floor(x), below one; NaN for inf. */
static uint64_t
fract64(uint64_t v)
{
   v = flush_in(v);
   if ((v & EXP64) == EXP64)
      return NAN64;
   double x = from_bits(v);
   if ((v & MAG64) >= to_bits(4503599627370496.0))
      return 0;
   double t = (double)(int64_t)x;
   if (t > x)
      t -= 1.0;
   double r = x - t;
   if (r == 0.0)
      return 0;
   return r < 1.0 ? to_bits(r) : 0x3fefffffffffffffull;
}

/* Mantissa in +-[0.5, 1), exponent; both 0 for 0, NaN and -1 for inf and NaN (8.2, table 8.5). */
static uint64_t
frexp64(uint64_t v, int32_t *exponent)
{
   v = flush_in(v);
   *exponent = 0;
   if ((v & EXP64) == EXP64) {
      *exponent = -1;
      return NAN64;
   }
   if (!(v & MAG64))
      return v;
   int adjust = 0;
   if (!(v & EXP64)) {
      unsigned z = (unsigned)__builtin_clzll(v & MAG64) - 11;
      v = (v & ~MAG64) | ((v & MAG64) << z);
      adjust = 1 - (int)z;
      v = (v & ~EXP64) | 1ull << 52;
      *exponent = adjust - 1022;
      return (v & ~EXP64) | 0x3fe0000000000000ull;
   }
   *exponent = (int32_t)((v & EXP64) >> 52) - 1022;
   return (v & ~EXP64) | 0x3fe0000000000000ull;
}

/* d * 2^n in steps that are exact until the last one. */
static uint64_t
ldexp64(uint64_t v, int32_t n)
{
   v = flush_in(v);
   if ((v & EXP64) == EXP64)
      return canon64(v);
   if (!(v & MAG64))
      return v;
   int32_t e;
   unsigned csr = _mm_getcsr();
   _mm_setcsr(csr & ~(FP_FLUSH_IN | FP_FLUSH_OUT));
   double m = from_bits(frexp64(v, &e)); /* no denormal is flushed on the way */
   _mm_setcsr(csr);
   int64_t total = (int64_t)e + n;
   if (total > 2000)
      total = 2000;
   if (total < -2000)
      total = -2000;
   /* m * 2^total with total's part in exponent range applied first. */
   double first, second;
   if (total > 1000) {
      first = from_bits((uint64_t)(1000 + 1023) << 52);
      total -= 1000;
   } else if (total < -1000) {
      first = from_bits((uint64_t)(-1000 + 1023) << 52);
      total += 1000;
   } else {
      first = 1.0;
   }
   second = from_bits((uint64_t)(total + 1023) << 52);
   return flush_out(canon64(to_bits(m * first * second)));
}

static uint64_t
min_max64(uint64_t a, uint64_t b, bool max)
{
   a = flush_in(a), b = flush_in(b);
   double da = from_bits(a), db = from_bits(b);
   if (da == db)
      return max ? a & b : a | b;
   return canon64((max ? da > db : da < db) ? a : b);
}

static uint64_t
post64(const struct bound_uop *u, uint64_t v, bool dx10_clamp)
{
   double d = from_bits(v);
   d *= u->scale == UOP_SCALE_2 ? 2.0 : u->scale == UOP_SCALE_4 ? 4.0 : u->scale ? 0.5 : 1.0;
   if (u->clamp && !(is_nan64(v) && !dx10_clamp))
      d = d > 0.0 ? (d < 1.0 ? d : 1.0) : 0.0;
   return canon64(to_bits(d));
}

/* ------------------------------------------------------------------------------------------------
 * Four records: u[n].src[0] and src[1] are the high and the low dword of operand n;
 * u[0..3].dst take what `writes` says, with the low, high, low, high dword.
 */
static uint64_t
operand(const uint32_t hi[WAVE_LANES], const uint32_t lo[WAVE_LANES], unsigned lane)
{
   return (uint64_t)hi[lane] << 32 | lo[lane];
}

static bool
compare64(unsigned op, double a, double b)
{
   switch (op) {
   case UOP_SETE_64:
   case UOP_PRED_SETE_64:
      return a == b;
   case UOP_SETNE_64:
      return a != b;
   case UOP_SETGT_64:
   case UOP_PRED_SETGT_64:
      return a > b;
   default:
      return a >= b;
   }
}

/* Whether the result takes a scale and a clamp as a double. */
static bool
gives_double(unsigned op)
{
   switch (op) {
#define F64(name, doubles, result, effects, cost) \
   case UOP_##name:                               \
      return F64_IS_##result;
#define F64_IS_D true
#define F64_IS_B false
#include "uop/uops.def"
   default:
      return false;
   }
}

void
K(uop_f64)(struct exec *x, const struct bound_uop *u)
{
   static const wave_lane zero;
   wave_lane part[3][2];
   const uint32_t *src[3][2];
   uint64_t lanes = uop_lanes(x, u), pass = 0;
   unsigned operands = u->p.f64.doubles;
   bool is_double = gives_double(u->op);

   for (unsigned n = 0; n < 3; n++) {
      src[n][0] = src[n][1] = zero;
      if (n >= operands)
         continue;
      for (unsigned k = 0; k < 2; k++) {
         for (unsigned i = 0; i < VECTORS; i++)
            vu_store((uint8_t *)part[n][k] + i * (VW * 4), uop_src(x, u + n, k, i));
         src[n][k] = part[n][k];
      }
   }

   _mm_setcsr(x->fp_double);
   for (uint64_t left = lanes; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      uint64_t a = operand(src[0][0], src[0][1], lane), b = operand(src[1][0], src[1][1], lane);
      uint64_t c = operand(src[2][0], src[2][1], lane), r = 0, second = 0;
      double da = from_bits(a), db = from_bits(b);
      int32_t exponent;

      switch (u->op) {
      case UOP_ADD_64:
         r = canon64(to_bits(da + db));
         break;
      case UOP_MUL_64:
         r = canon64(to_bits(da * db));
         break;
      case UOP_FMA_64:
         r = fma64(a, b, c);
         break;
      case UOP_MIN_64:
         r = min_max64(a, b, false);
         break;
      case UOP_MAX_64:
         r = min_max64(a, b, true);
         break;
      case UOP_SETE_64:
      case UOP_SETNE_64:
      case UOP_SETGT_64:
      case UOP_SETGE_64:
         r = compare64(u->op, da, db) ? ~0ull : 0;
         break;
      case UOP_PRED_SETE_64:
      case UOP_PRED_SETGT_64:
      case UOP_PRED_SETGE_64:
         if (compare64(u->op, da, db))
            pass |= 1ull << lane;
         else
            r = ~0ull;
         break;
      case UOP_CNDNE_64:
         r = da != 0.0 ? b : c;
         break;
      case UOP_LDEXP_64:
         /* The exponent is the integer in the even slot's operand. */
         r = ldexp64(a, (int32_t)src[1][0][lane]);
         break;
      case UOP_FRACT_64:
         r = fract64(a);
         break;
      case UOP_FREXP_64:
         r = frexp64(a, &exponent);
         second = (uint64_t)(uint32_t)exponent << 32;
         break;
      case UOP_FLT64_TO_FLT32: {
         uint32_t bits = narrow(da);
         if ((x->fp_single & FP_FLUSH_OUT) && !(bits & 0x7f800000u))
            bits &= 0x80000000u;
         r = is_nan64(a) ? 0x7fc00000u : bits;
         break;
      }
      case UOP_FLT32_TO_FLT64: {
         float f;
         uint32_t bits = src[0][0][lane];
         memcpy(&f, &bits, 4);
         r = canon64(to_bits((double)f));
         break;
      }
      case UOP_RECIP_64:
         r = canon64(to_bits(1.0 / da));
         break;
      case UOP_RECIP_CLAMPED_64:
         r = clamp64(to_bits(1.0 / da));
         break;
      case UOP_RECIPSQRT_64:
         r = canon64(to_bits(1.0 / sqrt64(da)));
         break;
      case UOP_RECIPSQRT_CLAMPED_64:
         r = clamp64(to_bits(1.0 / sqrt64(da)));
         break;
      case UOP_SQRT_64:
         r = canon64(to_bits(sqrt64(da)));
         break;
      default:
         break;
      }

      if (is_double && (u->scale || u->clamp))
         r = post64(u, r, x->dx10_clamp);
      /* FREXP has the exponent in x, y and the mantissa in z, w. */
      for (unsigned s = 0; s < 4; s++) {
         if (!(u->p.f64.writes >> s & 1))
            continue;
         uint64_t v = u->op == UOP_FREXP_64 && s < 2 ? second : r;
         uint32_t dword = s & 1 ? (uint32_t)(v >> 32) : (uint32_t)v;
         ((uint32_t *)(x->file + u[s].dst))[lane] = dword;
      }
   }
   _mm_setcsr(x->fp_now);

   if (u->p.f64.predicate.update_pred)
      x->pred_next = (x->pred & ~lanes) | pass;
   if (u->p.f64.predicate.update_exec) {
      x->fail |= lanes & ~pass;
      x->fail_op = u->p.f64.predicate.exec_op;
      x->fail_pending = true;
   }
}
