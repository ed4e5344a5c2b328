/* SPDX-License-Identifier: MIT */
/*
 * Words.
 *
 * A literal that is the same in all components is an immediate, where source 2 of the instruction
 * may be one; others lie in the driver's constants after IL's immediate ones, those of an operand
 * in one vector.  Flow becomes jumps:
 *
 *    if        to the else or the end, where the condition does not hold
 *    else      to the end
 *    endloop   to the beginning
 *    break     past the loop, continue to the jump at its end
 */
#include "ir.h"

#include <stdlib.h>

struct encoder {
   struct ac_compiler *c;
   uint32_t *at;     /* of each instruction, the machine's number */
   uint32_t *target; /* of those of flow, the instruction that it goes to */
};

/* --- literals --- */

static bool
same_everywhere(const struct ac_src *s, unsigned read)
{
   const unsigned first = (unsigned)__builtin_ctz(read);
   for (unsigned c = 0; c < 4; c++)
      if (read >> c & 1 && s->value[c] != s->value[first])
         return false;
   return true;
}

static unsigned
exchanged(unsigned op)
{
   switch (op) {
   case ATTILA_ADD:
   case ATTILA_ADDI:
   case ATTILA_MUL:
   case ATTILA_MULI:
   case ATTILA_SETPEQ:
   case ATTILA_SETPEQI:
      return op;
   case ATTILA_SETPGT:
      return ATTILA_SETPLT;
   case ATTILA_SETPLT:
      return ATTILA_SETPGT;
   case ATTILA_SETPGTI:
      return ATTILA_SETPLTI;
   case ATTILA_SETPLTI:
      return ATTILA_SETPGTI;
   default:
      return 0;
   }
}

/* How many of the values a vector of the pool has no room for; `where` gets their components. */
static unsigned
missing(const struct ac_compiler *c, uint32_t vector, const uint32_t *values, unsigned count,
        uint8_t *where, const uint8_t *filled)
{
   unsigned room = filled[vector], lacks = 0;
   uint32_t added[4];
   unsigned num_added = 0;

   for (unsigned n = 0; n < count; n++) {
      unsigned k = 0;
      while (k < room && c->literals[vector][k] != values[n])
         k++;
      if (k < room) {
         where[n] = (uint8_t)k;
         continue;
      }
      unsigned j = 0;
      while (j < num_added && added[j] != values[n])
         j++;
      if (j == num_added) {
         if (room + num_added == 4) {
            lacks++;
            continue;
         }
         added[num_added++] = values[n];
      }
      where[n] = (uint8_t)(room + j);
   }
   return lacks;
}

static void
to_constant(struct encoder *e, struct ac_src *s, unsigned read, uint8_t *filled)
{
   struct ac_compiler *c = e->c;
   const uint32_t first = SHADER_ICB_FIRST_VEC4 + c->out->num_icb;
   uint32_t values[4], v = 0;
   uint8_t where[4];
   unsigned count = 0;

   for (unsigned k = 0; k < 4; k++)
      if (read >> k & 1)
         values[count++] = s->value[k];
   while (v < c->num_literals && missing(c, v, values, count, where, filled))
      v++;
   if (first + v >= ATTILA_CONSTANT_WINDOW)
      ac_fail(c, "not implemented: more literals than there is room for constants");
   if (v == c->num_literals) {
      c->literals = ac_grow(c, c->literals, v, &c->cap_literals, sizeof(*c->literals));
      memset(c->literals[v], 0, sizeof(c->literals[v]));
      c->num_literals++;
      missing(c, v, values, count, where, filled);
   }
   for (unsigned k = 0, n = 0; k < 4; k++) {
      if (!(read >> k & 1))
         continue;
      c->literals[v][where[n]] = values[n];
      if (where[n] >= filled[v])
         filled[v] = (uint8_t)(where[n] + 1);
      s->swz[k] = where[n++];
   }
   s->bank = ATTILA_PARAM2;
   s->reg = first + v;
   c->out->const_buffers |= 1u << IL_DRIVER_CB;
}

static void
place_literals(struct encoder *e)
{
   struct ac_compiler *c = e->c;
   uint8_t filled[ATTILA_CONSTANT_WINDOW + 1] = { 0 };

   for (uint32_t n = 0; n < c->num_insts; n++) {
      struct ac_inst *i = &c->insts[n];
      const unsigned count = ac_num_src(i);
      if (count == 2 && i->src[0].bank == AC_LITERAL && i->src[1].bank != AC_LITERAL &&
          exchanged(i->op)) {
         const struct ac_src s = i->src[0];
         i->op = (uint16_t)exchanged(i->op);
         i->src[0] = i->src[1];
         i->src[1] = s;
      }
      for (unsigned s = 0; s < count; s++) {
         const unsigned read = ac_read_mask(i, s);
         if (i->src[s].bank != AC_LITERAL || !read)
            continue;
         if (s == 1 && attila_info(i->op)->forms & ATTILA_FORM_IMM && i->op != ATTILA_ARL &&
             same_everywhere(&i->src[s], read)) {
            i->src[s].reg = i->src[s].value[__builtin_ctz(read)];
            i->src[s].bank = ATTILA_IMMEDIATE;
         } else {
            to_constant(e, &i->src[s], read, filled);
         }
      }
   }
}

/* After IL's own. */
static void
give_literals(struct ac_compiler *c)
{
   struct shader_code *out = c->out;
   const size_t own = 16 * (size_t)out->num_icb, more = 16 * (size_t)c->num_literals;

   if (!more)
      return;
   uint32_t *icb = realloc(out->icb, own + more);
   if (!icb)
      ac_fail(c, "out of memory");
   memcpy((uint8_t *)icb + own, c->literals, more);
   out->icb = icb;
   out->num_icb += c->num_literals;
}

/* --- flow --- */

static uint32_t
find_targets(struct encoder *e)
{
   struct ac_compiler *c = e->c;
   uint32_t open[AC_MAX_DEPTH], loop[AC_MAX_DEPTH], depth = 0, at = 0, loops = 0;

   for (uint32_t n = 0; n < c->num_insts; n++) {
      const unsigned op = c->insts[n].op;
      e->at[n] = at;
      at += op != AC_ENDIF && op != AC_LOOP;
      switch (op) {
      case AC_IF:
         open[depth++] = n;
         break;
      case AC_LOOP:
         loop[loops++] = n;
         open[depth++] = n;
         break;
      case AC_ELSE:
         e->target[open[depth - 1]] = n + 1;
         open[depth - 1] = n;
         break;
      case AC_ENDIF:
         e->target[open[--depth]] = n;
         break;
      case AC_ENDLOOP:
         e->target[n] = open[--depth];
         e->target[open[depth]] = n; /* for breaks */
         loops--;
         break;
      case AC_BREAK:
      case AC_CONTINUE:
         e->target[n] = loop[loops - 1];
         break;
      default:
         break;
      }
   }
   return at;
}

/* Where a jump leads, as a number of the machine's instructions. */
static uint32_t
destination(const struct encoder *e, uint32_t n)
{
   switch (e->c->insts[n].op) {
   case AC_BREAK:
      return e->at[e->target[e->target[n]]] + 1;
   case AC_CONTINUE:
      return e->at[e->target[e->target[n]]];
   default:
      return e->at[e->target[n]];
   }
}

static void
encode_jump(const struct encoder *e, uint32_t n, struct attila_inst *out)
{
   const struct ac_inst *i = &e->c->insts[n];

   out->opcode = ATTILA_JMP;
   if (!i->predicated)
      out->src[0] = (struct attila_src){ .absolute = true, .negate = true }; /* true */
   else
      out->src[0] = (struct attila_src){ .reg = i->pred, .negate = i->invert ^ (i->op == AC_IF) };
   out->src[1].bank = ATTILA_IMMEDIATE;
   out->immediate = destination(e, n) - e->at[n];
}

/* --- words --- */

/* Bit 0 is x here, and in the machine's mask the highest. */
static uint8_t
machine_mask(unsigned mask)
{
   return (uint8_t)((mask & 1) << 3 | (mask & 2) << 1 | (mask & 4) >> 1 | (mask & 8) >> 3);
}

static void
encode_source(const struct ac_inst *i, unsigned n, struct attila_src *out)
{
   const struct ac_src *s = &i->src[n];
   const unsigned read = ac_read_mask(i, n);
   const unsigned first = read ? (unsigned)__builtin_ctz(read) : 0;
   unsigned swizzle = 0;

   for (unsigned c = 0; c < 4; c++)
      swizzle |= (unsigned)s->swz[read >> c & 1 ? c : first] << (6 - 2 * c);
   *out = (struct attila_src){ .bank = s->bank,
                               .reg = (uint8_t)s->reg,
                               .swizzle = (uint8_t)swizzle,
                               .negate = s->neg,
                               .absolute = s->abs };
   if (ac_kind(i, n) == 't' || ac_kind(i, n) == 'a' || ac_kind(i, n) == 'b')
      *out = (struct attila_src){ .reg = (uint8_t)s->reg, .negate = s->neg };
   if (s->bank == ATTILA_IMMEDIATE)
      out->reg = out->swizzle = 0;
}

static void
encode_inst(const struct encoder *e, uint32_t n, struct attila_inst *out)
{
   const struct ac_inst *i = &e->c->insts[n];
   const unsigned result = attila_info(i->op)->result;

   *out = (struct attila_inst){ .opcode = (uint8_t)i->op,
                                .predicated = i->predicated,
                                .pred = i->predicated ? i->pred : 0,
                                .invert_pred = i->predicated && i->invert };
   for (unsigned s = 0; s < ac_num_src(i); s++) {
      encode_source(i, s, &out->src[s]);
      if (i->src[s].bank == ATTILA_IMMEDIATE)
         out->immediate = i->src[s].reg;
   }
   if (result != ATTILA_RESULT_NONE) {
      out->result_reg = (uint8_t)i->reg;
      out->saturate = i->sat;
   }
   if (ac_writes(i)) {
      out->result_bank = i->bank;
      out->mask = machine_mask(i->mask);
   }
   if (i->relative) {
      out->relative = true;
      out->rel_offset = (uint16_t)(i->offset & 0x1ff);
   }
}

static void
count(struct ac_compiler *c)
{
   struct shader_code *out = c->out;

   out->num_gprs = c->num_temps;
   for (uint32_t n = 0; n < c->num_insts; n++) {
      const struct ac_inst *i = &c->insts[n];
      out->num_loops += i->op == AC_LOOP;
      out->num_cf += ac_is_flow(i) && i->op != AC_LOOP && i->op != AC_ENDIF;
      if (!ac_is_flow(i) && ac_writes(i)) {
         out->num_alu_groups++;
         out->num_alu_slots += (unsigned)__builtin_popcount(i->mask);
      }
   }
}

void
ac_encode(struct ac_compiler *c)
{
   struct encoder e = {
      .c = c,
      .at = ac_alloc(c, (c->num_insts + 1) * sizeof(*e.at)),
      .target = ac_alloc(c, (c->num_insts + 1) * sizeof(*e.target)),
   };
   struct shader_code *out = c->out;

   place_literals(&e);
   const uint32_t total = find_targets(&e);
   out->num_dwords = ATTILA_DWORDS * total;
   out->words = calloc(total, 4 * ATTILA_DWORDS);
   out->places = calloc(total, 2 * sizeof(*out->places));
   if (!out->words || !out->places)
      ac_fail(c, "out of memory");
   for (uint32_t n = 0; n < c->num_insts; n++) {
      const struct ac_inst *i = &c->insts[n];
      struct attila_inst inst = { 0 };
      if (i->op == AC_ENDIF || i->op == AC_LOOP)
         continue;
      if (ac_is_flow(i))
         encode_jump(&e, n, &inst);
      else
         encode_inst(&e, n, &inst);
      attila_encode(&inst, out->words + ATTILA_DWORDS * (size_t)e.at[n]);
      out->places[2 * e.at[n]] = out->places[2 * e.at[n] + 1] = i->place;
   }
   give_literals(c);
   count(c);
}
