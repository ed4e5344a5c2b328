/* SPDX-License-Identifier: MIT */
/* Where SSA values live.  Each component gets a temp component of its own: scalars and pairs are
 * packed into shared temps, since IL counts temps, not components.  Constants become literals,
 * equal bits once.
 */
#include "translate.h"

#include <stdarg.h>

void
tr_fail(struct translator *t, const char *fmt, ...)
{
   if (t->failed)
      return;
   t->failed = true;
   va_list ap;
   va_start(ap, fmt);
   if (t->error_size)
      vsnprintf(t->error, t->error_size, fmt, ap);
   va_end(ap);
}

uint32_t
tr_temp(struct translator *t)
{
   if (t->next_temp >= 0xffff)
      tr_fail(t, "the shader needs more than 65535 temporaries");
   return t->next_temp++;
}

struct tr_value *
tr_define(struct translator *t, const nir_def *def, bool positional)
{
   unsigned comps = tr_dwords(def);
   if (def->index >= t->num_values || comps > 4) {
      tr_fail(t, "not implemented: a value of %u components", def->num_components);
      return &t->nowhere;
   }
   if (def->bit_size != 32 && def->bit_size != 1 && def->bit_size != 64)
      tr_fail(t, "not implemented: %u-bit values", def->bit_size);
   struct tr_value *v = &t->values[def->index];
   unsigned base = 0;
   v->known = true;
   v->type = IL_REGTYPE_TEMP;
   if (!positional && comps == 1) {
      if (t->scalars_used == 4) {
         t->scalars = tr_temp(t);
         t->scalars_used = 0;
      }
      v->num = t->scalars;
      base = t->scalars_used++;
   } else if (!positional && comps == 2) {
      if (t->pair_used == 4) {
         t->pair = tr_temp(t);
         t->pair_used = 0;
      }
      v->num = t->pair;
      base = t->pair_used;
      t->pair_used += 2;
   } else {
      v->num = tr_temp(t);
   }
   for (unsigned c = 0; c < 4; c++)
      v->comp[c] = base + MIN2(c, comps - 1);
   return v;
}

static bool
define_constant(struct translator *t, const nir_def *def)
{
   uint32_t bits[4];
   if (def->parent_instr->type != nir_instr_type_load_const)
      return false;
   const nir_load_const_instr *lc = nir_instr_as_load_const(def->parent_instr);
   if (tr_dwords(def) > 4) {
      tr_fail(t, "not implemented: a constant of %u %u-bit components", def->num_components,
              def->bit_size);
      return false;
   }
   for (unsigned c = 0; c < tr_dwords(def); c++)
      bits[c] = def->bit_size == 1    ? (lc->value[c].b ? ~0u : 0)
                : def->bit_size == 64 ? (uint32_t)(lc->value[c / 2].u64 >> 32 * (c % 2))
                                      : lc->value[c].u32;
   t->values[def->index] = tr_literal(t, bits, tr_dwords(def));
   return true;
}

const struct tr_value *
tr_value(struct translator *t, const nir_def *def)
{
   static const struct tr_value nothing = { .known = true, .type = IL_REGTYPE_TEMP };
   if (def->index < t->num_values && (t->values[def->index].known || define_constant(t, def)))
      return &t->values[def->index];
   tr_fail(t, "internal: a value is used before it is defined");
   return &nothing;
}

struct il_dst
tr_dst(const struct tr_value *v, unsigned mask)
{
   unsigned m = 0;
   for (unsigned c = 0; c < 4; c++)
      if (mask >> c & 1)
         m |= 1u << v->comp[c];
   return il_dst_masked(il_dst(v->type, v->num), m);
}

struct il_src
tr_src(const struct tr_value *v, const uint8_t *swz, const struct tr_value *d, unsigned comps)
{
   uint8_t s[4];
   for (unsigned c = 0; c < 4; c++)
      s[c] = v->comp[swz[0]];
   for (unsigned n = 0; n < comps && n < 4; n++)
      s[d->comp[n]] = v->comp[swz[n]];
   return il_swizzle(il_src(v->type, v->num), s[0], s[1], s[2], s[3]);
}

struct il_src
tr_vector(struct translator *t, const nir_def *def, unsigned comps)
{
   const struct tr_value *v = tr_value(t, def);
   uint8_t s[4];
   for (unsigned c = 0; c < 4; c++)
      s[c] = v->comp[c < comps ? c : comps - 1];
   return il_swizzle(il_src(v->type, v->num), s[0], s[1], s[2], s[3]);
}

struct il_src
tr_scalar(struct translator *t, const nir_def *def, unsigned comp)
{
   const struct tr_value *v = tr_value(t, def);
   return il_replicate(il_src(v->type, v->num), v->comp[comp]);
}

/* Finds room for the values in one literal; a literal that has some of them already is better. */
struct tr_value
tr_literal(struct translator *t, const uint32_t *bits, unsigned comps)
{
   struct tr_value v = { .known = true, .type = IL_REGTYPE_LITERAL };
   /* Only the newest literals are searched: the cost stays linear. */
   uint32_t first = t->num_literals > 64 ? t->num_literals - 64 : 0;
   for (uint32_t l = first; l <= t->num_literals; l++) {
      if (l == t->num_literals) {
         if (t->num_literals == t->cap_literals) {
            uint32_t cap = t->cap_literals ? t->cap_literals * 2 : 32;
            uint32_t(*lits)[4] = realloc(t->literals, cap * sizeof(*lits));
            if (lits)
               t->literals = lits;
            uint8_t *used = realloc(t->literal_used, cap);
            if (used)
               t->literal_used = used;
            if (!lits || !used) {
               tr_fail(t, "out of memory");
               return v;
            }
            t->cap_literals = cap;
         }
         memset(t->literals[l], 0, sizeof(t->literals[l]));
         t->literal_used[l] = 0;
         t->num_literals++;
      }
      uint32_t trial[4];
      unsigned used = t->literal_used[l];
      bool fits = true;
      memcpy(trial, t->literals[l], sizeof(trial));
      for (unsigned n = 0; n < comps && fits; n++) {
         unsigned c = 0;
         while (c < used && trial[c] != bits[n])
            c++;
         fits = c < 4;
         if (fits && c == used)
            trial[used++] = bits[n];
         v.comp[n] = c;
      }
      if (!fits)
         continue;
      memcpy(t->literals[l], trial, sizeof(trial));
      t->literal_used[l] = used;
      v.num = l;
      for (unsigned n = comps; n < 4; n++)
         v.comp[n] = v.comp[comps - 1];
      return v;
   }
   return v;
}

struct il_src
tr_bits(struct translator *t, uint32_t bits)
{
   struct tr_value v = tr_literal(t, &bits, 1);
   return il_replicate(il_src(v.type, v.num), v.comp[0]);
}

struct il_src
tr_float(struct translator *t, float f)
{
   uint32_t bits;
   memcpy(&bits, &f, 4);
   return tr_bits(t, bits);
}

struct il_inst *
tr_emit(struct translator *t, enum il_opcode op, unsigned ctl, struct il_dst dst, unsigned nsrc,
        const struct il_src *src)
{
   struct il_inst *inst = il_emit(t->p, op, ctl, &dst, nsrc, src);
   if (!inst)
      tr_fail(t, "out of memory");
   return inst;
}

struct il_inst *
tr_emit0(struct translator *t, enum il_opcode op, unsigned ctl, unsigned nsrc,
         const struct il_src *src)
{
   struct il_inst *inst = il_emit(t->p, op, ctl, NULL, nsrc, src);
   if (!inst)
      tr_fail(t, "out of memory");
   return inst;
}
