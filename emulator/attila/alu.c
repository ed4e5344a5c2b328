/* SPDX-License-Identifier: MIT */
/*
 * Micro-operations that ATTILA alone needs.  Section names are those of the ATTILA Shader ISA.
 */
#include "attila/program.h"

#include "sq/uop.h"

/* Beyond it sines are 0 and cosines 1: no digit behind the point is left. */
#define LAST_ANGLE 4194304.0f

/* Sine or cosine of radians.  1 / (2 pi) in two parts, so that what is left of a turn is right to
 * 2^-25 up to the last angle.  Half a turn is the most that is left: the first product alone may
 * lie beside the nearest turn, and more than a half has a bit less behind the point. */
V_INLINE vf
turns(vf a, bool cosine)
{
   const vf high = vf_splat(0x1.45f306p-3f), low = vf_splat(0x1.b9391p-28f);
   vf n = vf_rndne(a * high);
   n = n + vf_rndne(vf_fma(a, low, vf_fma(a, high, vf_neg(n))));
   vf t = vf_fma(a, low, vf_fma(a, high, vf_neg(n)));
   vf r = cosine ? vf_cos_turns(t) : vf_sin_turns(t);
   vf size = vf_abs(a);
   r = vf_select(vf_gt(size, vf_splat(LAST_ANGLE)), vf_splat(cosine ? 1.0f : 0.0f), r);
   vm none = vm_or(vf_isnan(a), vu_eq((vu)size, vu_splat(0x7f800000u)));
   return vf_select(none, (vf)vu_splat(0x7fc00000u), r);
}

/* A magnitude whose exponent field is its exponent: denormals are scaled by 2^24. */
V_INLINE vf
normal(vf a, vm *scaled)
{
   vf size = vf_abs(a);
   *scaled = vf_gt(vf_splat(0x1p-126f), size);
   return vf_select(*scaled, size * vf_splat(0x1p24f), size);
}

/* floor(log2 |a|) */
V_INLINE vf
exponent(vf a)
{
   vm scaled;
   vf size = normal(a, &scaled);
   vi e = (vi)vu_shr((vu)size, 23) - vi_splat(127);
   vf r = vf_from_vi(e - (vi)vu_keep(scaled, vu_splat(24)));
   r = vf_select(vf_eq(size, (vf)vu_splat(0x7f800000u)), size, r);
   r = vf_select(vf_eq(size, vf_splat(0.0f)), (vf)vu_splat(0xff800000u), r);
   return vf_canon(vf_select(vf_isnan(a), a, r));
}

/* |a| / 2^floor(log2 |a|), which 0 and infinity have not. */
V_INLINE vf
mantissa(vf a)
{
   vm scaled;
   vf size = normal(a, &scaled);
   vf r = (vf)(((vu)size & vu_splat(0x7fffffu)) | vu_splat(0x3f800000u));
   vm has = vm_and(vf_gt(size, vf_splat(0.0f)), vf_gt((vf)vu_splat(0x7f800000u), size));
   return vf_select(has, r, (vf)vu_splat(0x7fc00000u));
}

#define AT_UOP(name, value)                                             \
   static void at_##name(struct exec *x, const struct uop *u)           \
   {                                                                    \
      uint64_t lanes = uop_lanes(x, u);                                 \
      for (unsigned i = 0; i < VECTORS; i++) {                          \
         vf fa = (vf)uop_src(x, u, 0, i), fb = (vf)uop_src(x, u, 1, i); \
         vf fc = (vf)uop_src(x, u, 2, i);                               \
         (void)fb, (void)fc;                                            \
         uop_store(x, u->dst, i, lanes, uop_post(x, u, (vu)(value)));   \
      }                                                                 \
   }
#include "attila/uops.def"

uop_fn *
K(at_uop_fn)(enum at_uop op)
{
   static uop_fn *const table[AT_UOP_COUNT] = {
#define AT_UOP(name, value) [AT_UOP_##name] = at_##name,
#include "attila/uops.def"
   };
   return table[op];
}

/* Predicate imm[0] = a compared with b; imm[1]: inverted. */
void
K(at_setp)(struct exec *x, const struct uop *u)
{
   struct at_exec *e = (struct at_exec *)x;
   uint64_t pass = 0;

   for (unsigned i = 0; i < VECTORS; i++) {
      vu a = uop_src(x, u, 0, i), b = uop_src(x, u, 1, i);
      vm m;
      switch (u->aux) {
      case AT_EQUAL:
         m = vf_eq((vf)a, (vf)b);
         break;
      case AT_GREATER:
         m = vf_gt((vf)a, (vf)b);
         break;
      case AT_LESS:
         m = vf_gt((vf)b, (vf)a);
         break;
      case AT_INTEGER | AT_EQUAL:
         m = vu_eq(a, b);
         break;
      case AT_INTEGER | AT_GREATER:
         m = vi_gt((vi)a, (vi)b);
         break;
      default:
         m = vi_gt((vi)b, (vi)a);
         break;
      }
      pass |= vm_to_lanes(m, i);
   }
   pass ^= u->imm[1] ? ~UINT64_C(0) : 0;
   e->preds[u->imm[0]] = (e->preds[u->imm[0]] & ~x->lanes) | (pass & x->lanes);
}

/* KIL: lanes with a below zero. */
void
K(at_kill)(struct exec *x, const struct uop *u)
{
   struct at_exec *e = (struct at_exec *)x;
   uint64_t below = 0;

   for (unsigned i = 0; i < VECTORS; i++)
      below |= vm_to_lanes(vf_gt(vf_splat(0.0f), (vf)uop_src(x, u, 0, i)), i);
   e->wave->valid &= ~(below & x->lanes);
}

/* ZXP */
void
K(at_depth)(struct exec *x, const struct uop *u)
{
   struct at_wave *wave = ((struct at_exec *)x)->wave;

   for (unsigned i = 0; i < VECTORS; i++)
      vu_store_masked((uint8_t *)wave->depth + i * (VW * 4), vm_lanes(x->lanes, i),
                      uop_src(x, u, 0, i));
   wave->depth_lanes |= x->lanes;
}

/* Component aux of constant a + imm[0]; outside of all constants it is zero. */
void
K(at_constant)(struct exec *x, const struct uop *u)
{
   const struct at_bind *bind = ((struct at_exec *)x)->wave->bind;
   const uint32_t *address = (const uint32_t *)(x->file + u->src[0]);
   uint32_t *dst = (uint32_t *)(x->file + u->dst);

   for (uint64_t left = x->lanes; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      int64_t n = (int64_t)(int32_t)address[lane] + (int32_t)u->imm[0];
      bool there = n >= 0 && n < ATTILA_CONSTANTS && n < bind->num_constants;
      dst[lane] = there ? bind->constants[4 * n + u->aux] : 0;
   }
}

/* LDA: component aux of attribute imm[0] of vertex a. */
void
K(at_attribute)(struct exec *x, const struct uop *u)
{
   const struct at_wave *wave = ((struct at_exec *)x)->wave;
   const struct at_attribute *attribute = &wave->bind->attribute[u->imm[0]];
   uint32_t *dst = (uint32_t *)(x->file + u->dst);
   wave_lane index;

   for (unsigned i = 0; i < VECTORS; i++)
      vu_store((uint8_t *)index + i * (VW * 4), uop_src(x, u, 0, i));
   for (uint64_t left = x->lanes; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      bool there = index[lane] < attribute->count;
      dst[lane] = there ? attribute->words[4 * (size_t)index[lane] + u->aux] : 0;
   }
}

/* To 16 fraction bits, to nearest even, limited to 32 bits; a NaN is 0. */
V_INLINE int64_t
to_fixed(uint32_t bits)
{
   float f;
   memcpy(&f, &bits, 4);
   double d = (double)f * 65536.0;
   if ((bits & 0x7fffffffu) > 0x7f800000u)
      return 0;
   if (d <= -2147483648.0)
      return INT32_MIN;
   if (d >= 2147483647.0)
      return INT32_MAX;
   /* Added to this, a number of at most 51 bits is rounded to an integer. */
   const double magic = 0x1.8p52;
   return (int64_t)((d + magic) - magic);
}

/* FXMUL, FXMAD and FXMAD2 (aux is the opcode) on one component, whose low dword of the accumulator
 * is at imm[0] in the file, the high one at imm[1]. */
void
K(at_fixed)(struct exec *x, const struct uop *u)
{
   uint32_t *low = (uint32_t *)(x->file + u->imm[0]), *high = (uint32_t *)(x->file + u->imm[1]);
   wave_lane src[3], result;

   lanes_clear(result);
   for (unsigned n = 0; n < 3; n++) {
      for (unsigned i = 0; i < VECTORS; i++)
         vu_store((uint8_t *)src[n] + i * (VW * 4), uop_src(x, u, n, i));
   }
   for (uint64_t left = x->lanes; left; left &= left - 1) {
      unsigned lane = (unsigned)__builtin_ctzll(left);
      uint64_t sum = (uint64_t)(to_fixed(src[0][lane]) * to_fixed(src[1][lane]));
      if (u->aux == ATTILA_FXMAD2)
         sum += (uint64_t)to_fixed(src[2][lane]) << 16;
      if (u->aux == ATTILA_FXMAD) {
         sum += low[lane] | (uint64_t)high[lane] << 32;
         float f = (float)(int64_t)sum * 0x1p-32f;
         memcpy(&result[lane], &f, 4);
      } else {
         low[lane] = (uint32_t)sum;
         high[lane] = (uint32_t)(sum >> 32);
      }
   }
   if (u->aux == ATTILA_FXMAD) {
      for (unsigned i = 0; i < VECTORS; i++) {
         vu r = vu_load((const uint8_t *)result + i * (VW * 4));
         uop_store(x, u->dst, i, x->lanes, uop_post(x, u, r));
      }
   }
}
