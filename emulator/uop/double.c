/* SPDX-License-Identifier: MIT */
/*
 * Double-precision operations, a vector of lanes at a time (HD 6900 ISA guide 8.2).  What has no
 * machine instruction goes lane by lane.  Every double result that is a NaN is 7FF8000000000000.
 *
 * Operands lie in two components, the high dword in the even slot's operand and the low one in the
 * odd slot's (quads: high in x, low in w); results go low to the even channel, high to the odd one.
 */
#include "simd_double.h"
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
 * a * b + c rounded once, for the build without the instruction.
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
#endif

/* ------------------------------------------------------------------------------------------------
 * Operations without a machine instruction, of one lane
 */
#if VW == 4
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
#endif

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

/* ------------------------------------------------------------------------------------------------
 * Four records: u[n].src[0] and src[1] are the high and the low dword of operand n;
 * u[0..3].dst take what `writes` says, with the low, high, low, high dword.
 *
 * A vector of lanes at a time, as two halves: each function below has one operation's loop.  They
 * are called between changes of the rounding mode, and are not inlined there: no operation moves
 * out of its mode.
 */
struct f64 {
   vul half[2];
};
struct f64_loop {
   struct exec *x;
   const struct bound_uop *u;
   uint64_t lanes, pass;
   unsigned flush; /* of x->fp_double: FP_FLUSH_IN, FP_FLUSH_OUT */
   bool gives_double;
};

V_INLINE struct f64
load(const struct f64_loop *l, unsigned n, unsigned i)
{
   if (n >= l->u->p.f64.doubles)
      return (struct f64){ 0 };
   const vu high = uop_src(l->x, l->u + n, 0, i), low = uop_src(l->x, l->u + n, 1, i);

   return (struct f64){ { vul_from_dwords(low, high, 0), vul_from_dwords(low, high, 1) } };
}

V_INLINE vul
flush_operand(const struct f64_loop *l, vul v)
{
   const vul kept =
      l->flush & FP_FLUSH_IN ? (vul)((v & EXP64) != 0) | ~(vul_splat(MAG64)) : vul_splat(~0ull);

   return v & kept;
}

V_INLINE vul
canon(vul v)
{
   return vul_select((vul)((vd)v == (vd)v), v, vul_splat(NAN64));
}

/* The vector's lanes for which the comparison held. */
V_INLINE uint64_t
held(struct f64 r, unsigned i)
{
   return vm_to_lanes(vu_ne(vu_low(r.half[0], r.half[1]), vu_splat(0)), i);
}

V_INLINE vul
post(const struct f64_loop *l, vul v)
{
   const struct bound_uop *u = l->u;
   vd d = (vd)v;

   if (u->scale)
      d *= vd_splat(u->scale == UOP_SCALE_2 ? 2.0 : u->scale == UOP_SCALE_4 ? 4.0 : 0.5);
   if (u->clamp) {
      const vul below = vul_select((vul)(d < vd_splat(1.0)), (vul)d, (vul)vd_splat(1.0));
      const vul clamped = below & (vul)(d > vd_splat(0.0));

      d = (vd)(l->x->dx10_clamp ? clamped : vul_select((vul)(d == d), clamped, (vul)d));
   }
   return canon((vul)d);
}

/* Result r of vector i; `second` has the first pair of dwords where that is another (FREXP_64). */
V_INLINE void
store(const struct f64_loop *l, unsigned i, struct f64 second, struct f64 r)
{
   const struct bound_uop *u = l->u;
   const unsigned writes = u->p.f64.writes;

   if (l->gives_double && (u->scale || u->clamp))
      for (unsigned h = 0; h < 2; h++)
         r.half[h] = post(l, r.half[h]);
   for (unsigned s = 0; s < 4; s++) {
      const struct f64 *v = s < 2 && u->op == UOP_FREXP_64 ? &second : &r;

      if (writes >> s & 1)
         uop_store(l->x, u[s].dst, i, l->lanes,
                   s & 1 ? vu_high(v->half[0], v->half[1]) : vu_low(v->half[0], v->half[1]));
   }
}

/* Vectors that have lanes. */
#define FOR_VECTORS(l)                    \
   for (unsigned i = 0; i < VECTORS; i++) \
      if ((l)->lanes >> (i * VW) & VW_LANES)
#define VW_LANES ((UINT64_C(1) << VW) - 1)

/* Operations of operands a, b and c: A is the double that a is. */
#define LOOP(name, ...)                                                               \
   static __attribute__((noinline)) void name(struct f64_loop *l)                     \
   {                                                                                  \
      FOR_VECTORS(l)                                                                  \
      {                                                                               \
         const struct f64 fa = load(l, 0, i), fb = load(l, 1, i), fc = load(l, 2, i); \
         struct f64 r;                                                                \
                                                                                      \
         for (unsigned h = 0; h < 2; h++) {                                           \
            const vul a = fa.half[h], b = fb.half[h], c = fc.half[h];                 \
            const vd A = (vd)a, B = (vd)b;                                            \
                                                                                      \
            (void)b, (void)c, (void)A, (void)B;                                       \
            r.half[h] = (vul)(__VA_ARGS__);                                           \
         }                                                                            \
         store(l, i, r, r);                                                           \
      }                                                                               \
   }

/* Floats in the low dwords. */
V_INLINE vul
flush_float(const struct f64_loop *l, vul v)
{
   const vul kept =
      l->x->fp_single & FP_FLUSH_OUT ? (vul)((v & 0x7f800000) != 0) | 0x80000000 : vul_splat(~0ull);

   return v & kept;
}

/* Infinity becomes the largest number. */
V_INLINE vul
clamp(vul v)
{
   return vul_select((vul)((v & MAG64) == EXP64), v - 1, canon(v));
}

/* Of two equal operands, zeros of both signs, minima have either sign bit and maxima both. */
V_INLINE vul
extreme(vul a, vul b, bool max)
{
   const vd A = (vd)a, B = (vd)b;
   const vul r = vul_select((vul)(max ? A > B : A < B), a, b);

   return vul_select((vul)(A == B), max ? a & b : a | b, canon(r));
}

LOOP(add_64, canon((vul)(A + B)))
LOOP(mul_64, canon((vul)(A *B)))
LOOP(set_eq, A == B)
LOOP(set_ne, A != B)
LOOP(set_gt, A > B)
LOOP(set_ge, A >= B)
LOOP(select_ne, vul_select((vul)(A != vd_splat(0.0)), b, c))
LOOP(recip, canon((vul)(vd_splat(1.0) / A)))
LOOP(recip_clamped, clamp((vul)(vd_splat(1.0) / A)))
LOOP(rsq, canon((vul)(vd_splat(1.0) / vd_sqrt(A))))
LOOP(rsq_clamped, clamp((vul)(vd_splat(1.0) / vd_sqrt(A))))
LOOP(square_root, canon((vul)vd_sqrt(A)))
LOOP(narrow, vul_select((vul)(A == A), flush_float(l, vul_narrow(A)), vul_splat(0x7fc00000)))
LOOP(widen, canon((vul)vd_widen_high(a)))
LOOP(minimum, extreme(flush_operand(l, a), flush_operand(l, b), false))
LOOP(maximum, extreme(flush_operand(l, a), flush_operand(l, b), true))
#if VW > 4
LOOP(fma_64, canon((vul)vd_fma(A, B, (vd)c)))

/* x - floor(x), below one; NaN for inf. */
V_INLINE vul
fraction(vul v)
{
   const vd x = (vd)v, r = x - vd_floor(x);
   const vul largest = vul_splat(0x3fefffffffffffff);
   const vul below = vul_select((vul)(r < vd_splat(1.0)), (vul)r, largest);
   const vul whole = (vul)((v & MAG64) >= 0x4330000000000000) | (vul)(r == vd_splat(0.0));

   return vul_select((vul)((v & EXP64) == EXP64), vul_splat(NAN64), ~whole & below);
}
LOOP(fract, fraction(flush_operand(l, a)))
#endif

/* Operations of one lane. */
static __attribute__((noinline)) void
by_lane(struct f64_loop *l)
{
   FOR_VECTORS(l)
   {
      const struct f64 a = load(l, 0, i), b = load(l, 1, i), c = load(l, 2, i);
      struct f64 r, second;

      for (unsigned h = 0; h < 2; h++) {
         for (unsigned k = 0; k < VW / 2; k++) {
            int32_t exponent = 0;

            switch (l->u->op) {
            case UOP_LDEXP_64:
               /* The exponent is the integer in the even slot's operand. */
               r.half[h][k] = ldexp64(a.half[h][k], (int32_t)(b.half[h][k] >> 32));
               break;
            case UOP_FREXP_64:
               r.half[h][k] = frexp64(a.half[h][k], &exponent);
               second.half[h][k] = (uint64_t)(uint32_t)exponent << 32;
               break;
#if VW == 4
            case UOP_FRACT_64:
               r.half[h][k] = fract64(a.half[h][k]);
               break;
            default:
               r.half[h][k] = fma64(a.half[h][k], b.half[h][k], c.half[h][k]);
               break;
#else
            default:
               r.half[h][k] = c.half[h][k];
               break;
#endif
            }
         }
      }
      store(l, i, l->u->op == UOP_FREXP_64 ? second : r, r);
   }
}

/* A predicate holds, and the result is 0; or not, and it is ~0. */
static __attribute__((noinline)) void
predicate(struct f64_loop *l)
{
   FOR_VECTORS(l)
   {
      const struct f64 a = load(l, 0, i), b = load(l, 1, i);
      struct f64 r;

      for (unsigned h = 0; h < 2; h++) {
         const vd A = (vd)a.half[h], B = (vd)b.half[h];

         r.half[h] = (vul)(l->u->op == UOP_PRED_SETE_64    ? A == B
                           : l->u->op == UOP_PRED_SETGT_64 ? A > B
                                                           : A >= B);
      }
      l->pass |= held(r, i) & l->lanes;
      r.half[0] = ~r.half[0];
      r.half[1] = ~r.half[1];
      store(l, i, r, r);
   }
}

/* Whether the result takes a scale and a clamp as a double. */
static bool
gives_double(unsigned op)
{
   switch (op) {
#define F64(name, doubles, result, ...) \
   case UOP_##name:                     \
      return F64_IS_##result;
#define F64_IS_D true
#define F64_IS_B false
#include "uop/uops.def"
   default:
      return false;
   }
}

static void
run_loop(struct f64_loop *l)
{
   switch (l->u->op) {
   case UOP_ADD_64:
      add_64(l);
      break;
   case UOP_MUL_64:
      mul_64(l);
      break;
   case UOP_MIN_64:
      minimum(l);
      break;
   case UOP_MAX_64:
      maximum(l);
      break;
   case UOP_SETE_64:
      set_eq(l);
      break;
   case UOP_SETNE_64:
      set_ne(l);
      break;
   case UOP_SETGT_64:
      set_gt(l);
      break;
   case UOP_SETGE_64:
      set_ge(l);
      break;
   case UOP_PRED_SETE_64:
   case UOP_PRED_SETGT_64:
   case UOP_PRED_SETGE_64:
      predicate(l);
      break;
   case UOP_CNDNE_64:
      select_ne(l);
      break;
   case UOP_FLT64_TO_FLT32:
      narrow(l);
      break;
   case UOP_FLT32_TO_FLT64:
      widen(l);
      break;
   case UOP_RECIP_64:
      recip(l);
      break;
   case UOP_RECIP_CLAMPED_64:
      recip_clamped(l);
      break;
   case UOP_RECIPSQRT_64:
      rsq(l);
      break;
   case UOP_RECIPSQRT_CLAMPED_64:
      rsq_clamped(l);
      break;
   case UOP_SQRT_64:
      square_root(l);
      break;
#if VW > 4
   case UOP_FMA_64:
      fma_64(l);
      break;
   case UOP_FRACT_64:
      fract(l);
      break;
#endif
   default:
      by_lane(l);
      break;
   }
}

void
K(uop_f64)(struct exec *x, const struct bound_uop *u)
{
   struct f64_loop l = {
      .x = x,
      .u = u,
      .lanes = uop_lanes(x, u),
      .flush = x->fp_double,
      .gives_double = gives_double(u->op),
   };
   /* A float that is a denormal is flushed as floats are, after it was rounded. */
   const unsigned mode = u->op == UOP_FLT64_TO_FLT32 ? x->fp_double & ~FP_FLUSH_OUT : x->fp_double;

   _mm_setcsr(mode);
   run_loop(&l);
   _mm_setcsr(x->fp_now);

   if (u->p.f64.predicate.update_pred)
      x->pred_next = (x->pred & ~l.lanes) | l.pass;
   if (u->p.f64.predicate.update_exec) {
      x->fail |= l.lanes & ~l.pass;
      x->fail_op = u->p.f64.predicate.exec_op;
      x->fail_pending = true;
   }
}
