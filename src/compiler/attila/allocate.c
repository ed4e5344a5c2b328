/* SPDX-License-Identifier: MIT */
/*
 * Gives temporaries registers.
 *
 * A component of a temporary is alive from its first use to its last one, in the order of the
 * program; a loop's end comes in front of its beginning again, so what is used in a loop and may
 * keep its value from one round to the next is alive in all of it.  That is what is used outside as
 * well, and what is not written first in each round: by an instruction without a predicate, that
 * stands in front of and around all other uses.
 *
 * Temporaries share a register where no component is alive twice.  A result may take the register
 * of an operand that ends with it.
 *
 * Where the registers do not suffice so, components are permuted: of temporaries that are written
 * only by what works on each component by itself, or gives one result to all.
 */
#include "ir.h"

struct life {
   uint32_t from, to; /* 2 n: instruction n reads, 2 n + 1: it writes */
   bool used;
};

struct loop {
   uint32_t from, to, region;
};

struct allocation {
   struct ac_compiler *c;
   struct life *life; /* of component 4 * temporary + c */
   uint32_t *region;  /* of an instruction */
   uint32_t *parent;  /* of a region */
   struct loop *loops;
   uint32_t num_loops;
};

static void
find_regions(struct allocation *a)
{
   struct ac_compiler *c = a->c;
   uint32_t stack[AC_MAX_DEPTH], loop[AC_MAX_DEPTH], depth = 0, now = 0, count = 1;

   for (uint32_t n = 0; n < c->num_insts; n++) {
      const unsigned op = c->insts[n].op;
      if (op == AC_ELSE || op == AC_ENDIF || op == AC_ENDLOOP) {
         now = stack[--depth];
         if (op == AC_ENDLOOP)
            a->loops[loop[depth]].to = n;
      }
      a->region[n] = now;
      if (op == AC_IF || op == AC_LOOP || op == AC_ELSE) {
         stack[depth] = now;
         a->parent[count] = now;
         now = count++;
         if (op == AC_LOOP) {
            loop[depth] = a->num_loops;
            a->loops[a->num_loops++] = (struct loop){ n, n, now };
         }
         depth++;
      }
   }
}

static bool
inside(const struct allocation *a, uint32_t region, uint32_t of)
{
   while (region > of)
      region = a->parent[region];
   return region == of;
}

static void
use(struct life *l, uint32_t at)
{
   if (!l->used || at < l->from)
      l->from = at;
   if (!l->used || at > l->to)
      l->to = at;
   l->used = true;
}

/* Components of a temporary that an instruction reads and writes. */
typedef void visit_fn(void *data, uint32_t n, uint32_t reg, unsigned mask, bool write);

static void
visit(const struct ac_compiler *c, uint32_t from, uint32_t to, visit_fn *fn, void *data)
{
   for (uint32_t n = from; n < to; n++) {
      const struct ac_inst *i = &c->insts[n];
      for (unsigned s = 0; s < ac_num_src(i); s++) {
         unsigned mask = 0;
         for (unsigned k = 0; k < 4 && i->src[s].bank == ATTILA_TEMP; k++)
            if (ac_read_mask(i, s) >> k & 1)
               mask |= 1u << i->src[s].swz[k];
         if (mask)
            fn(data, n, i->src[s].reg, mask, false);
      }
      if (ac_writes(i) && i->bank == ATTILA_TEMP)
         fn(data, n, i->reg, i->mask, true);
   }
}

static void
note_use(void *data, uint32_t n, uint32_t reg, unsigned mask, bool write)
{
   struct allocation *a = data;
   for (unsigned k = 0; k < 4; k++)
      if (mask >> k & 1)
         use(&a->life[4 * (size_t)reg + k], 2 * n + write);
}

/* What is known of a component in the loop that is looked at. */
struct in_loop {
   uint32_t loop; /* that the rest is of, and one */
   uint32_t region;
   bool keeps; /* may have its value from the round before */
};

struct loop_scan {
   struct allocation *a;
   struct in_loop *in;
   uint32_t number;
};

static void
note_in_loop(void *data, uint32_t n, uint32_t reg, unsigned mask, bool write)
{
   struct loop_scan *s = data;
   const struct allocation *a = s->a;

   for (unsigned k = 0; k < 4; k++) {
      struct in_loop *in = &s->in[4 * (size_t)reg + k];
      if (!(mask >> k & 1))
         continue;
      if (in->loop != s->number + 1)
         *in = (struct in_loop){ s->number + 1, a->region[n], !write || a->c->insts[n].predicated };
      else
         in->keeps |= !inside(a, a->region[n], in->region);
   }
}

/* Inner loops first: an outer one then sees what they made longer. */
static void
extend_over_loops(struct allocation *a)
{
   struct ac_compiler *c = a->c;
   struct loop_scan s = { a, ac_alloc(c, (4 * (size_t)c->num_regs + 4) * sizeof(*s.in)), 0 };

   for (uint32_t k = a->num_loops; k-- > 0;) {
      const struct loop *l = &a->loops[k];
      s.number = k;
      visit(c, l->from, l->to + 1, note_in_loop, &s);
      for (size_t v = 0; v < 4 * (size_t)c->num_regs; v++) {
         struct life *life = &a->life[v];
         if (s.in[v].loop != k + 1)
            continue;
         if (s.in[v].keeps || life->from < 2 * l->from || life->to > 2 * l->to + 1) {
            use(life, 2 * l->from);
            use(life, 2 * l->to + 1);
         }
      }
   }
}

/* --- registers --- */

/* Lives of components that a register has. */
struct lives {
   struct life *life;
   uint32_t count, cap;
};

static bool
collides(const struct lives *there, const struct life *life)
{
   for (uint32_t n = 0; n < there->count; n++)
      if (life->from < there->life[n].to && there->life[n].from < life->to)
         return true;
   return false;
}

/* Where components go: component k to to[k].  First, nowhere else. */
static const uint8_t moves[][4] = {
   { 0, 1, 2, 3 }, { 1, 2, 3, 0 }, { 2, 3, 0, 1 }, { 3, 0, 1, 2 }, { 0, 2, 1, 3 }, { 0, 3, 2, 1 },
   { 3, 1, 2, 0 }, { 1, 0, 2, 3 }, { 2, 1, 0, 3 }, { 0, 1, 3, 2 }, { 1, 0, 3, 2 }, { 3, 2, 1, 0 },
   { 2, 0, 1, 3 }, { 1, 2, 0, 3 }, { 0, 3, 1, 2 }, { 0, 2, 3, 1 }, { 3, 0, 2, 1 }, { 1, 3, 2, 0 },
   { 3, 1, 0, 2 }, { 2, 1, 3, 0 }, { 2, 3, 1, 0 }, { 3, 2, 0, 1 }, { 2, 0, 3, 1 }, { 1, 3, 0, 2 },
};
#define NUM_MOVES (sizeof(moves) / sizeof(*moves))

/* Where a temporary is. */
struct place {
   uint32_t reg;
   const uint8_t *to;
};

static bool
fits(const struct lives *reg, const struct life *life, const uint8_t *to)
{
   for (unsigned k = 0; k < 4; k++)
      if (life[k].used && collides(&reg[to[k]], &life[k]))
         return false;
   return true;
}

/* Does one result go to whatever components the mask has? */
static bool
gives_one(unsigned op)
{
   switch (op) {
   case ATTILA_DP3:
   case ATTILA_DP4:
   case ATTILA_DPH:
   case ATTILA_COS:
   case ATTILA_SIN:
   case ATTILA_EX2:
   case ATTILA_LG2:
   case ATTILA_RCP:
   case ATTILA_RSQ:
      return true;
   default:
      return false;
   }
}

/* Does each component depend on the same one of the operands? */
static bool
goes_by_component(unsigned op)
{
   return ac_each(op) || op == ATTILA_DDX || op == ATTILA_DDY;
}

/* Temporaries with components that may be permuted. */
static bool *
find_movable(struct ac_compiler *c)
{
   bool *movable = ac_alloc(c, c->num_regs + 1);

   memset(movable, true, c->num_regs + 1);
   for (uint32_t n = 0; n < c->num_insts; n++) {
      const struct ac_inst *i = &c->insts[n];
      if (ac_writes(i) && i->bank == ATTILA_TEMP && !goes_by_component(i->op) && !gives_one(i->op))
         movable[i->reg] = false;
   }
   return movable;
}

/* The components that an instruction writes, and those of its operands that belong to them. */
static void
move_result(struct ac_inst *i, const uint8_t *to)
{
   const struct ac_inst old = *i;

   i->mask = 0;
   for (unsigned k = 0; k < 4; k++) {
      if (old.mask >> k & 1)
         i->mask |= (uint8_t)(1u << to[k]);
      for (unsigned s = 0; s < ac_num_src(i) && goes_by_component(i->op); s++) {
         i->src[s].swz[to[k]] = old.src[s].swz[k];
         i->src[s].value[to[k]] = old.src[s].value[k];
      }
   }
}

static unsigned
budget(const struct ac_compiler *c)
{
   bool in[256] = { false }, out[256] = { false };
   unsigned used = 0;

   for (uint32_t n = 0; n < c->num_insts; n++) {
      const struct ac_inst *i = &c->insts[n];
      if (ac_writes(i) && i->bank == ATTILA_OUT && i->reg < 256)
         out[i->reg] = true;
      for (unsigned s = 0; s < ac_num_src(i); s++)
         if (i->src[s].bank == ATTILA_IN && i->src[s].reg < 256 && ac_read_mask(i, s))
            in[i->src[s].reg] = true;
   }
   for (unsigned n = 0; n < 256; n++)
      used += in[n] + out[n];
   return used < ATTILA_REGISTERS ? ATTILA_REGISTERS - used : 0;
}

/* False: there are not so many registers. */
static bool
find_places(struct allocation *a, const uint32_t *order, uint32_t count, const bool *movable,
            struct place *place)
{
   struct ac_compiler *c = a->c;
   const unsigned most = budget(c);
   struct lives(*regs)[4] = ac_alloc(c, sizeof(*regs) * (most + 1));

   c->num_temps = 0;
   for (uint32_t n = 0; n < count; n++) {
      const struct life *life = &a->life[4 * (size_t)order[n]];
      const unsigned ways = movable && movable[order[n]] ? NUM_MOVES : 1;
      unsigned r = 0, way = 0;
      while (r < most && !fits(regs[r], life, moves[way])) {
         way = (way + 1) % ways;
         r += way == 0;
      }
      if (r == most)
         return false;
      for (unsigned k = 0; k < 4; k++) {
         struct lives *l = &regs[r][moves[way][k]];
         if (!life[k].used)
            continue;
         l->life = ac_grow(c, l->life, l->count, &l->cap, sizeof(*l->life));
         l->life[l->count++] = life[k];
      }
      place[order[n]] = (struct place){ r, moves[way] };
      if (r >= c->num_temps)
         c->num_temps = r + 1;
   }
   return true;
}

static void
assign(struct allocation *a, const uint32_t *order, uint32_t count)
{
   struct ac_compiler *c = a->c;
   struct place *place = ac_alloc(c, (c->num_regs + 1) * sizeof(*place));

   if (!find_places(a, order, count, NULL, place) &&
       !find_places(a, order, count, find_movable(c), place))
      ac_fail(c, "out of registers: inputs, outputs and temporaries are more than %u",
              ATTILA_REGISTERS);
   for (uint32_t n = 0; n < c->num_insts; n++) {
      struct ac_inst *i = &c->insts[n];
      for (unsigned s = 0; s < ac_num_src(i); s++) {
         struct ac_src *src = &i->src[s];
         if (src->bank != ATTILA_TEMP)
            continue;
         const struct place *from = &place[src->reg];
         for (unsigned k = 0; k < 4 && from->to; k++)
            src->swz[k] = from->to[src->swz[k]];
         src->reg = from->reg;
      }
      if (ac_writes(i) && i->bank == ATTILA_TEMP) {
         const struct place *to = &place[i->reg];
         if (to->to)
            move_result(i, to->to);
         i->reg = to->reg;
      }
   }
}

static uint32_t
start_of(const struct allocation *a, uint32_t reg)
{
   uint32_t from = UINT32_MAX;
   for (unsigned k = 0; k < 4; k++)
      if (a->life[4 * (size_t)reg + k].used && a->life[4 * (size_t)reg + k].from < from)
         from = a->life[4 * (size_t)reg + k].from;
   return from;
}

/* By start, then by number: a merge sort, which keeps the order of equals. */
static void
sort(const struct allocation *a, uint32_t *v, uint32_t *room, uint32_t count)
{
   for (uint32_t width = 1; width < count; width *= 2) {
      for (uint32_t at = 0; at < count; at += 2 * width) {
         const uint32_t middle = at + width < count ? at + width : count;
         const uint32_t end = at + 2 * width < count ? at + 2 * width : count;
         uint32_t x = at, y = middle;
         for (uint32_t n = at; n < end; n++)
            room[n] =
               x < middle && (y == end || start_of(a, v[x]) <= start_of(a, v[y])) ? v[x++] : v[y++];
      }
      memcpy(v, room, count * sizeof(*v));
   }
}

void
ac_allocate(struct ac_compiler *c)
{
   const size_t comps = 4 * (size_t)c->num_regs + 4;
   struct allocation a = {
      .c = c,
      .life = ac_alloc(c, comps * sizeof(*a.life)),
      .region = ac_alloc(c, (c->num_insts + 1) * sizeof(*a.region)),
      .parent = ac_alloc(c, (c->num_insts + 2) * sizeof(*a.parent)),
      .loops = ac_alloc(c, (c->num_insts + 1) * sizeof(*a.loops)),
   };
   uint32_t *order = ac_alloc(c, (c->num_regs + 1) * sizeof(*order)), count = 0;
   uint32_t *room = ac_alloc(c, (c->num_regs + 1) * sizeof(*room));

   find_regions(&a);
   visit(c, 0, c->num_insts, note_use, &a);
   extend_over_loops(&a);
   for (size_t v = 0; v < 4 * (size_t)c->num_regs; v++)
      if (a.life[v].used)
         a.life[v].to += a.life[v].from == a.life[v].to;
   for (uint32_t r = 0; r < c->num_regs; r++)
      if (start_of(&a, r) != UINT32_MAX)
         order[count++] = r;
   sort(&a, order, room, count);
   assign(&a, order, count);
}
