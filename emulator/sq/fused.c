/* SPDX-License-Identifier: MIT */
/*
 * Fused forms: two to four equal operations of a group in one pass, operand kinds equal in all of
 * them, without masks.  Every operand of a strip of lanes is read before a result of that strip is
 * written, so that the order of slots does not matter.
 */
#include "sq/uop.h"

/* Vectors of a strip: results of four slots stay in registers. */
#if VW == 16
#define STRIP 4
#else
#define STRIP 2
#endif

#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

V_INLINE vf
fused_MOV(vf a, vf b, vf c, vf nan)
{
   return a;
}
V_INLINE vf
fused_ADD(vf a, vf b, vf c, vf nan)
{
   return vf_canon_to(a + b, nan);
}
V_INLINE vf
fused_MUL(vf a, vf b, vf c, vf nan)
{
   return vf_canon_to(vf_mul_legacy(a, b), nan);
}
V_INLINE vf
fused_MUL_IEEE(vf a, vf b, vf c, vf nan)
{
   return vf_canon_to(a * b, nan);
}
V_INLINE vf
fused_MULADD(vf a, vf b, vf c, vf nan)
{
   return vf_canon_to(vf_mul_legacy(a, b) + c, nan);
}
V_INLINE vf
fused_MULADD_IEEE(vf a, vf b, vf c, vf nan)
{
   return vf_canon_to(a * b + c, nan);
}
V_INLINE vf
fused_MAX_DX10(vf a, vf b, vf c, vf nan)
{
   return vf_canon_to(vf_max_dx10(a, b), nan);
}
V_INLINE vf
fused_MIN_DX10(vf a, vf b, vf c, vf nan)
{
   return vf_canon_to(vf_min_dx10(a, b), nan);
}

typedef vf fused_op(vf a, vf b, vf c, vf nan);

V_INLINE void
fused(const struct exec *x, const struct uop *u, fused_op *op, unsigned operands, unsigned kinds,
      bool mods, unsigned count)
{
   uint8_t *file = x->file;
   const uint8_t *uni = (const uint8_t *)x->uni;
   vf nan = vf_opaque_nan();
   for (unsigned at = 0; at < 64 * 4; at += STRIP * VW * 4) {
      vf r[4][STRIP];
      UNROLL
      for (unsigned s = 0; s < count; s++) {
         const uint8_t *p[3];
         vu same[3], keep[3], flip[3];
         UNROLL
         for (unsigned n = 0; n < operands; n++) {
            p[n] = file + u[s].src[n] + at;
            if (kinds >> n & 1)
               same[n] = vu_splat(*(const uint32_t *)(uni + u[s].src[n]));
            if (mods) {
               keep[n] = vu_splat(u[s].keep[n]);
               flip[n] = vu_splat(u[s].flip[n]);
               if (kinds >> n & 1)
                  same[n] = (same[n] & keep[n]) ^ flip[n];
            }
         }
         UNROLL
         for (unsigned i = 0; i < STRIP; i++) {
            vu o[3] = { vu_splat(0), vu_splat(0), vu_splat(0) };
            UNROLL
            for (unsigned n = 0; n < operands; n++) {
               if (kinds >> n & 1) {
                  o[n] = same[n];
               } else {
                  o[n] = vu_load(p[n] + i * (VW * 4));
                  if (mods)
                     o[n] = (o[n] & keep[n]) ^ flip[n];
               }
            }
            r[s][i] = op((vf)o[0], (vf)o[1], (vf)o[2], nan);
         }
      }
      UNROLL
      for (unsigned s = 0; s < count; s++) {
         uint8_t *to = file + u[s].dst + at;
         UNROLL
         for (unsigned i = 0; i < STRIP; i++)
            vf_store(to + i * (VW * 4), r[s][i]);
      }
   }
}

#define FORM(name, operands, kinds, mods, count)                                      \
   static void name##_##kinds##_##mods##_##count(struct exec *x, const struct uop *u) \
   {                                                                                  \
      fused(x, u, fused_##name, operands, kinds, mods, count);                        \
   }
#define COUNTS(name, operands, kinds, mods) \
   FORM(name, operands, kinds, mods, 2)     \
   FORM(name, operands, kinds, mods, 3)     \
   FORM(name, operands, kinds, mods, 4)
#define MODS(name, operands, kinds) \
   COUNTS(name, operands, kinds, 0) COUNTS(name, operands, kinds, 1)

/* Kinds: bit n for operand n equal in all lanes.  Products have it first (see normalise()). */
#define ONE(name)   MODS(name, 1, 0) MODS(name, 1, 1)
#define TWO(name)   MODS(name, 2, 0) MODS(name, 2, 1)
#define THREE(name) MODS(name, 3, 0) MODS(name, 3, 1) MODS(name, 3, 4) MODS(name, 3, 5)

ONE(MOV)
TWO(ADD)
TWO(MUL)
TWO(MUL_IEEE)
TWO(MAX_DX10)
TWO(MIN_DX10)
THREE(MULADD)
THREE(MULADD_IEEE)

#define NAME(name, kinds, mods)                                                     \
   [mods] = { NULL, NULL, name##_##kinds##_##mods##_2, name##_##kinds##_##mods##_3, \
              name##_##kinds##_##mods##_4 }
#define NAMES(name, kinds) [kinds] = { NAME(name, kinds, 0), NAME(name, kinds, 1) }

typedef uop_fn *form_table[8][2][5];

static const form_table *
forms_of(unsigned op)
{
#define TABLE(name, ...)                               \
   case CAYMAN_ALU_##name: {                           \
      static const form_table table = { __VA_ARGS__ }; \
      return &table;                                   \
   }
   switch (op) {
      TABLE(MOV, NAMES(MOV, 0), NAMES(MOV, 1))
      TABLE(ADD, NAMES(ADD, 0), NAMES(ADD, 1))
      TABLE(MUL, NAMES(MUL, 0), NAMES(MUL, 1))
      TABLE(MUL_IEEE, NAMES(MUL_IEEE, 0), NAMES(MUL_IEEE, 1))
      TABLE(MAX_DX10, NAMES(MAX_DX10, 0), NAMES(MAX_DX10, 1))
      TABLE(MIN_DX10, NAMES(MIN_DX10, 0), NAMES(MIN_DX10, 1))
      TABLE(MULADD, NAMES(MULADD, 0), NAMES(MULADD, 1), NAMES(MULADD, 4), NAMES(MULADD, 5))
      TABLE(MULADD_IEEE, NAMES(MULADD_IEEE, 0), NAMES(MULADD_IEEE, 1), NAMES(MULADD_IEEE, 4),
            NAMES(MULADD_IEEE, 5))
   default:
      return NULL;
   }
}

/* Factors and summands change places freely: NaN results are all the same. */
void
K(sq_normalise)(struct uop *u)
{
   const struct cayman_alu_info *info = cayman_alu_info(u->op);
   if (!forms_of(u->op) || info->num_src < 2 || (u->uni & 3) != 2)
      return;
   uint32_t src = u->src[0], keep = u->keep[0], flip = u->flip[0];
   u->src[0] = u->src[1], u->keep[0] = u->keep[1], u->flip[0] = u->flip[1];
   u->src[1] = src, u->keep[1] = keep, u->flip[1] = flip;
   u->uni = (uint8_t)((u->uni & ~3u) | 1);
   u->mods = (uint8_t)((u->mods & ~3u) | (u->mods & 1) << 1 | (u->mods >> 1 & 1));
}

uop_fn *
K(sq_fused_fn)(const struct uop *u, unsigned n)
{
   const form_table *forms = n >= 2 && n <= 4 ? forms_of(u->op) : NULL;
   if (!forms)
      return NULL;
   bool mods = false;
   for (unsigned s = 0; s < n; s++) {
      if (u[s].op != u->op || u[s].uni != u->uni || u[s].omod || u[s].clamp || u[s].pred_sel)
         return NULL;
      mods |= u[s].mods != 0;
   }
   return (*forms)[u->uni & 7][mods][n];
}
