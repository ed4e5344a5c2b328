/* SPDX-License-Identifier: MIT */
/*
 * Registers for values.
 *
 *  1. Preloaded values have theirs.
 *  2. A vector of more than one register begins at an even one.
 *  3. Two units that are needed at the same position have different registers.
 *  4. The two sides of a copy get the same register if they can: the copy goes.  Those of a VC_PHI
 *     are made one value before anything is placed, if they never are needed at once.
 *
 * Vectors come first, from the largest on, since they are the hardest to fit; then single
 * registers, in the order in which they begin.  Each takes the first register that is free wherever
 * it is needed; a word for each position says which are taken there.
 */
#include "ir.h"

#include <stdlib.h>
#include <string.h>

#define NO_REGISTER 0xff

struct order {
   uint32_t value, begin;
   unsigned size;
};

static int
compare(const void *a, const void *b)
{
   const struct order *x = a, *y = b;
   if (x->size != y->size)
      return x->size > y->size ? -1 : 1;
   if (x->begin != y->begin)
      return x->begin < y->begin ? -1 : 1;
   return x->value < y->value ? -1 : x->value > y->value;
}

static uint64_t
taken(const struct vc *c, uint32_t unit)
{
   const struct vc_live *live = &c->live[unit];
   uint64_t mask = 0;

   for (uint32_t n = 0; n < live->count; n++)
      for (uint32_t p = live->segments[n].from; p < live->segments[n].to; p++)
         mask |= c->busy[p];
   return mask;
}

static void
take(struct vc *c, uint32_t value, unsigned reg)
{
   c->values[value].reg = (uint8_t)reg;
   for (unsigned i = 0; i < c->values[value].size; i++) {
      const struct vc_live *live = &c->live[c->unit[value] + i];
      for (uint32_t n = 0; n < live->count; n++)
         for (uint32_t p = live->segments[n].from; p < live->segments[n].to; p++)
            c->busy[p] |= UINT64_C(1) << (reg + i);
   }
}

/* --- copies ----------------------------------------------------------------------------------- */

static bool
overlap(const struct vc_live *a, const struct vc_live *b)
{
   uint32_t i = 0, k = 0;
   /* Both from the last to the first. */
   while (i < a->count && k < b->count)
      if (a->segments[i].from >= b->segments[k].to)
         i++;
      else if (b->segments[k].from >= a->segments[i].to)
         k++;
      else
         return true;
   return false;
}

static void
join(struct vc *c, struct vc_live *to, const struct vc_live *from)
{
   struct vc_live all = { .cap = to->count + from->count };
   uint32_t i = 0, k = 0;

   all.segments = vc_alloc(c, all.cap * sizeof(*all.segments));
   while (i < to->count || k < from->count) {
      bool first =
         k == from->count || (i < to->count && to->segments[i].from > from->segments[k].from);
      all.segments[all.count++] = first ? to->segments[i++] : from->segments[k++];
   }
   *to = all;
}

struct merge {
   uint32_t *into; /* by value; 0: itself */
};

static uint32_t
find(const struct merge *m, uint32_t v)
{
   while (m->into[v])
      v = m->into[v];
   return v;
}

static bool
is_copy(const struct vc_inst *inst)
{
   return inst->op == VALHALL_OP_MOV_I32 && inst->src[0].kind == VC_VALUE && !inst->src[0].neg &&
          !inst->src[0].abs;
}

static void
merge_copies(struct vc *c, struct merge *m)
{
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         const struct vc_inst *inst = b->insts[i];
         if (!is_copy(inst))
            continue;
         uint32_t x = find(m, inst->dest), y = find(m, inst->src[0].value);
         if (x == y || c->values[x].size != 1 || c->values[y].size != 1 || c->values[x].fixed ||
             c->values[y].fixed || overlap(&c->live[c->unit[x]], &c->live[c->unit[y]]))
            continue;
         join(c, &c->live[c->unit[x]], &c->live[c->unit[y]]);
         c->live[c->unit[y]].count = 0;
         m->into[y] = x;
      }
   }
}

/* --- hints ------------------------------------------------------------------------------------ */

struct hint {
   uint32_t value, comp, other, other_comp;
};

struct hints {
   struct hint *list;
   uint32_t count, cap;
   uint32_t *first, *next; /* by value; by hint: + 1 */
};

static void
add_hint(struct vc *c, struct hints *h, struct hint hint)
{
   h->list = vc_grow(c, h->list, h->count, &h->cap, sizeof(*h->list));
   h->list[h->count++] = hint;
}

static void
collect_hints(struct vc *c, const struct merge *m, struct hints *h)
{
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      struct vc_block *b = &c->blocks[n];
      for (uint32_t i = 0; i < b->num_insts; i++) {
         const struct vc_inst *inst = b->insts[i];
         if (!is_copy(inst))
            continue;
         uint32_t x = find(m, inst->dest), y = find(m, inst->src[0].value);
         if (x == y)
            continue;
         add_hint(c, h, (struct hint){ x, inst->dest_comp, y, inst->src[0].comp });
         add_hint(c, h, (struct hint){ y, inst->src[0].comp, x, inst->dest_comp });
      }
   }
   h->first = vc_alloc(c, c->num_values * sizeof(*h->first));
   h->next = vc_alloc(c, (h->count + 1) * sizeof(*h->next));
   for (uint32_t n = h->count; n-- > 0;) {
      h->next[n] = h->first[h->list[n].value];
      h->first[h->list[n].value] = n + 1;
   }
}

/* Registers at which the value can begin. */
static uint64_t
places(const struct vc *c, uint32_t value)
{
   unsigned size = c->values[value].size;
   uint64_t free = ~UINT64_C(0);

   for (unsigned i = 0; i < size; i++) {
      uint64_t unit = c->registers & ~taken(c, c->unit[value] + i);
      free &= unit >> i;
   }
   if (size > 1)
      free &= UINT64_C(0x5555555555555555);
   return free;
}

/* Of the registers in `free`, those at which what the value is copied from or to, and has no
 * register yet, can be in the same ones. */
static uint64_t
beside_partners(const struct vc *c, const struct hints *h, uint32_t value, uint64_t free)
{
   if (c->values[value].size == 1)
      return free;
   for (uint32_t n = h->first[value]; n; n = h->next[n - 1]) {
      const struct hint *hint = &h->list[n - 1];
      const int ahead = (int)hint->comp - (int)hint->other_comp;
      if (c->values[hint->other].reg != NO_REGISTER || c->values[hint->other].fixed ||
          overlap(&c->live[c->unit[value] + hint->comp],
                  &c->live[c->unit[hint->other] + hint->other_comp]))
         continue;
      const uint64_t there = places(c, hint->other);
      const uint64_t both = free & (ahead >= 0 ? there >> ahead : there << -ahead);
      if (both)
         free = both;
   }
   return free;
}

static void
note_wanted(struct vc *c, uint32_t value)
{
   c->wanted = vc_alloc(c, c->num_positions + 1);
   for (unsigned i = 0; i < c->values[value].size; i++) {
      const struct vc_live *live = &c->live[c->unit[value] + i];
      for (uint32_t n = 0; n < live->count; n++)
         memset(c->wanted + live->segments[n].from, 1,
                live->segments[n].to - live->segments[n].from);
   }
}

static bool
place(struct vc *c, const struct hints *h, uint32_t value)
{
   uint64_t free = places(c, value);

   if (!free) {
      note_wanted(c, value);
      return false;
   }
   for (uint32_t n = h->first[value]; n; n = h->next[n - 1]) {
      const struct hint *hint = &h->list[n - 1];
      int reg = c->values[hint->other].reg;
      if (reg == NO_REGISTER)
         continue;
      reg += (int)hint->other_comp - (int)hint->comp;
      if (reg >= 0 && reg < 64 && free >> reg & 1) {
         take(c, value, (unsigned)reg);
         return true;
      }
   }
   take(c, value, (unsigned)__builtin_ctzll(beside_partners(c, h, value, free)));
   return true;
}

static void
forget_registers(struct vc *c)
{
   for (uint32_t v = 1; v < c->num_values; v++)
      if (!c->values[v].fixed)
         c->values[v].reg = NO_REGISTER;
}

/* The earliest position at which a value is needed; ~0: never. */
static uint32_t
begin_of(const struct vc *c, uint32_t v)
{
   uint32_t begin = UINT32_MAX;
   for (unsigned i = 0; i < c->values[v].size; i++) {
      const struct vc_live *live = &c->live[c->unit[v] + i];
      if (live->count && live->segments[live->count - 1].from < begin)
         begin = live->segments[live->count - 1].from;
   }
   return begin;
}

bool
vc_allocate(struct vc *c)
{
   struct merge m = { vc_alloc(c, c->num_values * sizeof(*m.into)) };
   struct hints h = { 0 };
   struct order *order = vc_alloc(c, c->num_values * sizeof(*order));
   struct vc_live *saved = c->live;
   uint32_t count = 0;
   bool ok = true;

   /* What is merged here is so for this attempt alone. */
   c->live = vc_alloc(c, (c->num_units + 1) * sizeof(*c->live));
   memcpy(c->live, saved, c->num_units * sizeof(*c->live));
   c->busy = vc_alloc(c, (c->num_positions + 1) * sizeof(*c->busy));
   forget_registers(c);
   if (!c->apart)
      merge_copies(c, &m);
   collect_hints(c, &m, &h);
   for (uint32_t v = 1; v < c->num_values; v++) {
      uint32_t begin = begin_of(c, v);
      if (begin == UINT32_MAX)
         continue;
      if (c->values[v].fixed)
         take(c, v, c->values[v].reg);
      else
         order[count++] = (struct order){ v, begin, c->values[v].size };
   }
   qsort(order, count, sizeof(*order), compare);
   for (uint32_t n = 0; n < count && ok; n++)
      ok = place(c, &h, order[n].value);
   for (uint32_t v = 1; v < c->num_values && ok; v++)
      if (m.into[v])
         c->values[v].reg = c->values[find(&m, v)].reg;
   c->live = saved;
   return ok;
}
