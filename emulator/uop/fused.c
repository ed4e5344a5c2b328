/* SPDX-License-Identifier: MIT */
/*
 * Fused forms: two to four equal operations of a group in one pass, operand kinds equal in all of
 * them, without masks.  Every operand of a strip of lanes is read before a result of that strip is
 * written, so that the order of slots does not matter.
 */
#include "uop/bound.h"

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

typedef vu fused_op(vu a, vu b, vu c, vf nan);

V_INLINE void
fused(const struct exec *x, const struct bound_uop *u, fused_op *op, unsigned operands,
      unsigned kinds, bool mods, unsigned count)
{
   uint8_t *file = x->file;
   const uint8_t *uni = (const uint8_t *)x->uni;
   vf nan = vf_opaque_nan();
   for (unsigned at = 0; at < 64 * 4; at += STRIP * VW * 4) {
      vu r[4][STRIP];
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
            r[s][i] = op(o[0], o[1], o[2], nan);
         }
      }
      UNROLL
      for (unsigned s = 0; s < count; s++) {
         uint8_t *to = file + u[s].dst + at;
         UNROLL
         for (unsigned i = 0; i < STRIP; i++)
            vu_store(to + i * (VW * 4), r[s][i]);
      }
   }
}

/* Of a computed float. */
#define canon(r) ((vu)vf_canon_to(r, nan))

#define FORM(name, operands, kinds, mods, count)                                            \
   static void name##_##kinds##_##mods##_##count(struct exec *x, const struct bound_uop *u) \
   {                                                                                        \
      fused(x, u, value_##name, operands, kinds, mods, count);                              \
   }
#define COUNTS(name, operands, kinds, mods) \
   FORM(name, operands, kinds, mods, 2)     \
   FORM(name, operands, kinds, mods, 3)     \
   FORM(name, operands, kinds, mods, 4)
#define MODS(name, operands, kinds) \
   COUNTS(name, operands, kinds, 0) COUNTS(name, operands, kinds, 1)

/* Kinds: bit n for operand n equal in all lanes; uop_normalise() puts that of a product first. */
#define FORMS_1(name) MODS(name, 1, 0) MODS(name, 1, 1)
#define FORMS_2(name) MODS(name, 2, 0) MODS(name, 2, 1)
#define FORMS_3(name) MODS(name, 3, 0) MODS(name, 3, 1) MODS(name, 3, 4) MODS(name, 3, 5)

#define NAME(name, kinds, mods)                                                     \
   [mods] = { NULL, NULL, name##_##kinds##_##mods##_2, name##_##kinds##_##mods##_3, \
              name##_##kinds##_##mods##_4 }
#define NAMES(name, kinds) [kinds] = { NAME(name, kinds, 0), NAME(name, kinds, 1) }
#define NAMES_1(name)      NAMES(name, 0), NAMES(name, 1)
#define NAMES_2            NAMES_1
#define NAMES_3(name)      NAMES_1(name), NAMES(name, 4), NAMES(name, 5)

typedef uop_fn *form_table[8][2][5];

#define MAKE_NONE(name, operands, value)
#define MAKE_PLAIN MAKE_NONE
#define MAKE_MODS  MAKE_NONE
#define MAKE_FUSED(name, operands, value)             \
   V_INLINE vu value_##name(vu a, vu b, vu c, vf nan) \
   {                                                  \
      vf fa = (vf)a, fb = (vf)b, fc = (vf)c;          \
      (void)fa, (void)fb, (void)fc;                   \
      return (value);                                 \
   }                                                  \
   FORMS_##operands(name) static const form_table table_##name = { NAMES_##operands(name) };
#define LANE(name, result, operands, kinds, forms, cost, native, value) \
   MAKE_##forms(name, operands, value)
#include "uop/uops.def"

#define LIST_NONE(name)
#define LIST_PLAIN       LIST_NONE
#define LIST_MODS        LIST_NONE
#define LIST_FUSED(name) [UOP_##name] = &table_##name,

uop_fn *
K(uop_fused_form)(unsigned op, unsigned kinds, bool mods, unsigned count)
{
   static const form_table *const tables[UOP_COUNT] = {
#define LANE(name, result, operands, kinds, forms, cost, native, value) LIST_##forms(name)
#include "uop/uops.def"
   };
   return op < UOP_COUNT && tables[op] && count <= 4 ? (*tables[op])[kinds & 7][mods][count] : NULL;
}
