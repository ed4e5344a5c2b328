/* SPDX-License-Identifier: MIT */
/*
 * Copies go into what reads them, and comparisons into the predicates that are made of their
 * result.
 *
 * What a component holds is known after the instruction that wrote it
 *  1. in the rest of its block, as long as neither it nor what it is a copy of is written again;
 *  2. everywhere inside the branch or loop that it stands in, after it, if it has one writer, and
 *     what it is a copy of has one, before it, or cannot change.
 * In the second case no way leads from the writer of the copied one to the reader that does not
 * pass the copy: what stands in the same block of flow in front of another always runs before it.
 */
#include "ir.h"

struct origin {
   struct ac_src src;    /* one component, as component 0 */
   uint32_t version;     /* of it */
   uint32_t own_version; /* of the copy */
};

/* What a component is known to be. */
struct known {
   bool copy;   /* a.src */
   uint8_t set; /* or 1.0 where this comparison holds, with `invert` not, and 0.0 else */
   bool invert;
   bool pair; /* two instructions wrote it */
   struct origin a, b;
   uint32_t block, region, at;
};

struct folder {
   struct ac_compiler *c;
   uint32_t *writers; /* of a component: how many, */
   uint32_t *writer;  /* and the last one's index */
   uint32_t *version; /* how often it has been written so far */
   struct known *known;
   uint32_t *region, *parent;
   uint32_t block, at;
};

static size_t
slot(const struct ac_src *s)
{
   return 4 * (size_t)s->reg + s->swz[0];
}

static bool
constant_bank(unsigned bank)
{
   return bank == ATTILA_IN || bank == ATTILA_PARAM || bank == ATTILA_PARAM2 || bank == AC_LITERAL;
}

/* --- which block stands in which --- */

static void
find_regions(struct folder *f)
{
   struct ac_compiler *c = f->c;
   uint32_t stack[AC_MAX_DEPTH], depth = 0, count = 1, now = 0;

   for (uint32_t n = 0; n < c->num_insts; n++) {
      const unsigned op = c->insts[n].op;
      if (op == AC_ELSE || op == AC_ENDIF || op == AC_ENDLOOP)
         now = depth ? stack[--depth] : 0;
      f->region[n] = now;
      if (op == AC_IF || op == AC_LOOP || op == AC_ELSE) {
         stack[depth++] = now;
         f->parent[count] = now;
         now = count++;
      }
   }
}

static bool
inside(const struct folder *f, uint32_t region, uint32_t of)
{
   while (region > of)
      region = f->parent[region];
   return region == of;
}

static void
count_writers(struct folder *f)
{
   struct ac_compiler *c = f->c;

   for (uint32_t n = 0; n < c->num_insts; n++) {
      const struct ac_inst *i = &c->insts[n];
      if (!ac_writes(i) || i->bank != ATTILA_TEMP)
         continue;
      for (unsigned k = 0; k < 4; k++) {
         if (i->mask >> k & 1) {
            f->writers[4 * (size_t)i->reg + k]++;
            f->writer[4 * (size_t)i->reg + k] = n;
         }
      }
   }
}

/* --- what is known --- */

/* Does what was known of an operand at instruction `at` still hold here? */
static bool
holds(const struct folder *f, const struct known *k, const struct origin *o)
{
   if (constant_bank(o->src.bank) && k->block == f->block)
      return true;
   if (o->src.bank == ATTILA_TEMP && k->block == f->block)
      return f->version[slot(&o->src)] == o->version;
   if (!inside(f, f->region[f->at], k->region))
      return false;
   return constant_bank(o->src.bank) ||
          (o->src.bank == ATTILA_TEMP && f->writers[slot(&o->src)] == 1 &&
           f->writer[slot(&o->src)] < k->at);
}

static const struct known *
look_up(const struct folder *f, uint32_t reg, unsigned comp)
{
   const size_t at = 4 * (size_t)reg + comp;
   const struct known *k = &f->known[at];

   if (!k->copy && !k->set)
      return NULL;
   if (f->version[at] != k->a.own_version)
      return NULL;
   if (k->block != f->block && f->writers[at] != 1u + k->pair)
      return NULL;
   if (!holds(f, k, &k->a) || (k->set && !holds(f, k, &k->b)))
      return NULL;
   return k;
}

static void
remember(struct folder *f, uint32_t reg, unsigned comp, struct known k)
{
   const size_t at = 4 * (size_t)reg + comp;

   k.block = f->block;
   k.region = f->region[f->at];
   k.at = f->at;
   k.a.own_version = f->version[at];
   k.a.version = k.a.src.bank == ATTILA_TEMP ? f->version[slot(&k.a.src)] : 0;
   k.b.version = k.set && k.b.src.bank == ATTILA_TEMP ? f->version[slot(&k.b.src)] : 0;
   f->known[at] = k;
}

/* --- operands --- */

/* Replaces an operand by what all its components are copies of. */
static void
fold_source(struct folder *f, struct ac_inst *i, unsigned n)
{
   struct ac_src *s = &i->src[n], to = { 0 };
   const unsigned read = ac_read_mask(i, n);
   const char kind = ac_kind(i, n);
   bool first = true;

   if (s->bank != ATTILA_TEMP || !read || (i->relative && n == 0))
      return;
   for (unsigned c = 0; c < 4; c++) {
      if (!(read >> c & 1))
         continue;
      const struct known *k = look_up(f, s->reg, s->swz[c]);
      if (!k || !k->copy)
         return;
      const struct ac_src *from = &k->a.src;
      if ((kind == 'i' || kind == 'j') && (from->neg || from->abs))
         return;
      if (first)
         to = *from;
      else if (to.bank != from->bank || to.neg != from->neg || to.abs != from->abs ||
               (to.bank != AC_LITERAL && to.reg != from->reg))
         return;
      to.swz[c] = from->bank == AC_LITERAL ? (uint8_t)c : from->swz[0];
      to.value[c] = from->value[0];
      if (first) {
         for (unsigned k2 = 0; k2 < 4; k2++) {
            to.swz[k2] = to.bank == AC_LITERAL ? (uint8_t)k2 : from->swz[0];
            to.value[k2] = from->value[0];
         }
      }
      first = false;
   }
   if (s->abs) {
      to.abs = true;
      to.neg = s->neg;
   } else {
      to.neg ^= s->neg;
   }
   *s = to;
}

static bool
is_literal(const struct ac_src *s, uint32_t value)
{
   return s->bank == AC_LITERAL && s->value[0] == value && !s->neg && !s->abs;
}

/* A predicate that asks whether a boolean is above 0 asks what the boolean was made of. */
static void
fold_predicate(struct folder *f, struct ac_inst *i)
{
   for (unsigned round = 0; round < 8; round++) {
      if (i->op != ATTILA_SETPGT || !is_literal(&i->src[1], 0) || i->src[0].neg || i->src[0].abs ||
          i->src[0].bank != ATTILA_TEMP)
         return;
      const struct known *k = look_up(f, i->src[0].reg, i->src[0].swz[0]);
      if (!k || !k->set)
         return;
      i->op = k->set;
      i->sat ^= k->invert;
      i->src[0] = k->a.src;
      i->src[1] = k->b.src;
   }
}

/* A choice by a literal is a move. */
static void
fold_choice(struct ac_inst *i)
{
   const struct ac_src *s = &i->src[0];
   unsigned below = 0;

   if (i->op != ATTILA_CMP || s->bank != AC_LITERAL)
      return;
   for (unsigned c = 0; c < 4; c++) {
      uint32_t v = s->value[c] & (s->abs ? 0x7fffffffu : UINT32_MAX);
      v ^= s->neg ? 0x80000000u : 0;
      below |= (unsigned)(v > 0x80000000u && v <= 0xff800000u) << c;
   }
   below &= i->mask;
   if (below && below != i->mask)
      return;
   i->src[0] = i->src[below ? 1 : 2];
   i->src[1] = i->src[2] = (struct ac_src){ 0 };
   i->op = ATTILA_MOV;
}

/* --- results --- */

static struct ac_src
component(const struct ac_src *s, unsigned c)
{
   return ac_comp(*s, c);
}

static void
note_result(struct folder *f, const struct ac_inst *i)
{
   const bool adds =
      i->op == ATTILA_ADDI && i->src[1].bank == AC_LITERAL && !i->src[0].neg && !i->src[0].abs;
   const struct ac_src *s = &i->src[0];

   if (i->predicated || i->sat || i->bank != ATTILA_TEMP)
      return;
   for (unsigned c = 0; c < 4; c++) {
      struct known k = { .a.src = component(s, c), .b.src = component(&i->src[1], c) };
      if (!(i->mask >> c & 1))
         continue;
      const bool stable = constant_bank(s->bank) || s->bank == ATTILA_TEMP;
      const bool itself = s->bank == ATTILA_TEMP && s->reg == i->reg && i->mask >> s->swz[c] & 1;
      if (!stable || itself || i->relative)
         continue;
      if (i->op == ATTILA_MOV || (adds && k.b.src.value[0] == 0)) {
         k.copy = true;
      } else if (i->op == ATTILA_SLT || i->op == ATTILA_SGE) {
         const struct ac_src *b = &i->src[1];
         if (!constant_bank(b->bank) && b->bank != ATTILA_TEMP)
            continue;
         if (b->bank == ATTILA_TEMP && b->reg == i->reg && i->mask >> b->swz[c] & 1)
            continue;
         k.set = ATTILA_SETPLT;
         k.invert = i->op == ATTILA_SGE;
      } else if (i->op == ATTILA_ADD && s->neg && !s->abs && i->src[1].bank == AC_LITERAL &&
                 k.b.src.value[0] == 0x3f800000 && !i->src[1].neg) {
         /* 1 - x of a boolean: it is false.  Of any x: not above 0 is not the same, so x has to be
          * one. */
         struct ac_src x = k.a.src;
         const struct known *of = x.bank == ATTILA_TEMP ? look_up(f, x.reg, x.swz[0]) : NULL;
         if (!of || !of->set)
            continue;
         k = *of;
         k.invert = !k.invert;
         k.pair = false;
      } else {
         continue;
      }
      remember(f, i->reg, c, k);
   }
}

/* "0; 1 where a predicate holds", or 1 and 0: three instructions that make a boolean. */
static void
note_predicated(struct folder *f, uint32_t n)
{
   struct ac_compiler *c = f->c;
   const struct ac_inst *i = &c->insts[n];

   if (n < 2 || !i->predicated || i->invert || i->op != ATTILA_MOV || i->bank != ATTILA_TEMP ||
       (i->mask & (i->mask - 1)) || i->pred != 0)
      return;
   const bool truth = is_literal(&i->src[0], 0x3f800000);
   const struct ac_inst *set = i - 1, *zero = i - 2;
   if (!truth && !is_literal(&i->src[0], 0))
      return;
   if (ac_is_flow(set) || attila_info(set->op)->result != ATTILA_RESULT_PRED || set->reg != 0 ||
       set->predicated || set->op == ATTILA_ANDP || zero->op != ATTILA_MOV || zero->predicated ||
       zero->bank != ATTILA_TEMP || zero->reg != i->reg || zero->mask != i->mask ||
       !is_literal(&zero->src[0], truth ? 0 : 0x3f800000))
      return;
   for (unsigned s = 0; s < 2; s++)
      if (set->src[s].bank == ATTILA_TEMP ? set->src[s].reg == i->reg
                                          : !constant_bank(set->src[s].bank))
         return;
   struct known k = { .set = (uint8_t)set->op,
                      .invert = set->sat == truth,
                      .pair = true,
                      .a.src = component(&set->src[0], 0),
                      .b.src = component(&set->src[1], 0) };
   remember(f, i->reg, (unsigned)__builtin_ctz(i->mask), k);
}

void
ac_fold(struct ac_compiler *c)
{
   const size_t comps = 4 * (size_t)c->num_regs + 4;
   struct folder f = {
      .c = c,
      .writers = ac_alloc(c, comps * sizeof(*f.writers)),
      .writer = ac_alloc(c, comps * sizeof(*f.writer)),
      .version = ac_alloc(c, comps * sizeof(*f.version)),
      .known = ac_alloc(c, comps * sizeof(*f.known)),
      .region = ac_alloc(c, (c->num_insts + 1) * sizeof(*f.region)),
      .parent = ac_alloc(c, (c->num_insts + 2) * sizeof(*f.parent)),
      .block = 1,
   };

   find_regions(&f);
   count_writers(&f);
   for (uint32_t n = 0; n < c->num_insts; n++) {
      struct ac_inst *i = &c->insts[n];
      f.at = n;
      if (ac_is_flow(i)) {
         f.block++;
         continue;
      }
      for (unsigned s = 0; s < ac_num_src(i); s++)
         fold_source(&f, i, s);
      fold_predicate(&f, i);
      fold_choice(i);
      if (!ac_writes(i) || i->bank != ATTILA_TEMP)
         continue;
      for (unsigned k = 0; k < 4; k++)
         if (i->mask >> k & 1)
            f.version[4 * (size_t)i->reg + k]++;
      note_result(&f, i);
      note_predicated(&f, n);
   }
}
