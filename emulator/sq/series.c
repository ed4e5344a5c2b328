/* SPDX-License-Identifier: MIT */
/*
 * Finds lookups of neighbouring instructions that are done at once (struct td_tex_series).
 *
 * A series is of one sampler and one resource, reads x and y from registers that no lookup in it
 * has written, and ends with the clause.  Neighbours often have a coordinate in common, which lies
 * in a register each, since both of a lookup's have to be in one: in a straight program (analyse.c)
 * two components are the same coordinate if they come from the same operation on the same values.
 */
#include <string.h>

#include "sq/lift.h"

/* ------------------------------------------------------------------------------------------------
 * Values: numbers that two components have in common only if they are equal in all running lanes
 */

/* An operation on values; another one with the same hash replaces it. */
struct expression {
   uint32_t number; /* of its result; 0: none is here */
   uint16_t op;
   uint8_t scale;
   bool clamp;
   struct uop_operand src[3]; /* of rows: the value instead of the row */
};

struct values {
   const struct program *p;
   uint32_t next; /* number */
   uint32_t row[CORE_WAVE_ROWS];
   struct expression known[256];
};

static void
forget_rows(struct values *v)
{
   for (unsigned n = 0; n < CORE_WAVE_ROWS; n++)
      v->row[n] = v->next++;
}

static void
begin_values(struct values *v, const struct program *p)
{
   memset(v, 0, sizeof(*v));
   v->p = p;
   v->next = 1;
   forget_rows(v);
}

static bool
is_known(const struct values *v, const struct uop *u, struct expression *e)
{
   const struct uop_info *info = &uop_infos[u->op];

   *e = (struct expression){ .op = u->op, .scale = u->scale, .clamp = u->clamp };
   if (info->effect != UOP_EFFECT_LANE || info->params != UOP_PARAMS_none || info->records != 1 ||
       u->op == UOP_PART || u->when != UOP_ALWAYS)
      return false;
   for (unsigned n = 0; n < info->operands; n++) {
      const struct uop_operand *src = &u->src[n];

      if (src->kind == UOP_DYNAMIC)
         return false;
      e->src[n].kind = src->kind;
      e->src[n].mods = src->mods;
      e->src[n].at = src->kind == UOP_ROW ? v->row[src->at / COMP_BYTES] : src->at;
   }
   return true;
}

static bool
equal(const struct expression *a, const struct expression *b)
{
   bool same = a->op == b->op && a->scale == b->scale && a->clamp == b->clamp;

   for (unsigned n = 0; n < 3; n++)
      same &= a->src[n].kind == b->src[n].kind && a->src[n].mods == b->src[n].mods &&
              a->src[n].at == b->src[n].at;
   return same;
}

/* The number of what an operation results in. */
static uint32_t
number_of(struct values *v, const struct uop *u)
{
   struct expression e;

   if (!is_known(v, u, &e))
      return v->next++;
   if ((e.op == UOP_MOV || e.op == UOP_COPY) && e.src[0].kind == UOP_ROW && !e.src[0].mods &&
       !e.scale && !e.clamp)
      return e.src[0].at;

   uint32_t hash = e.op;
   for (unsigned n = 0; n < 3; n++)
      hash = hash * 0x9e3779b1u + e.src[n].at * 8 + e.src[n].kind;
   struct expression *known = &v->known[hash >> 24];

   if (!known->number || !equal(known, &e)) {
      e.number = v->next++;
      *known = e;
   }
   return known->number;
}

/* Operations that are one read all operands before they write. */
static void
follow_uops(struct values *v, struct uop_run run)
{
   const struct uop *u = v->p->code.uops + run.first, *end = u + run.count;

   for (; u < end; u += u->length) {
      const unsigned result = uop_infos[u->op].result;
      uint32_t number[4];

      if (result == UOP_RESULT_R || u->length > 4)
         forget_rows(v);
      if (result != UOP_RESULT_F && result != UOP_RESULT_B)
         continue;
      for (unsigned n = 0; n < u->length; n++)
         number[n] = number_of(v, &u[n]);
      for (unsigned n = 0; n < u->length; n++)
         v->row[u[n].dst / COMP_BYTES] = number[n];
   }
}

static void
follow_fetch(struct values *v, const struct fetch *f)
{
   if ((f->kind != FETCH_TEX && f->kind != FETCH_VTX) || f->dst_rel) {
      forget_rows(v);
      return;
   }
   for (unsigned c = 0; c < 4; c++)
      if (f->dst_sel[c] != CAYMAN_SEL_MASK)
         v->row[REG(f->dst_gpr, c) / COMP_BYTES] = v->next++;
}

/* ------------------------------------------------------------------------------------------------
 * Series
 */

/* Whether a lookup may be in one. */
static bool
is_plain(const struct program *p, const struct fetch *f)
{
   return f->kind == FETCH_TEX && p->head.tex[f->ref].lookup.op >= TD_SAMPLE &&
          p->head.tex[f->ref].lookup.op <= TD_SAMPLE_LZ && !f->src_rel && !f->dst_rel &&
          !f->whole_quad && !p->head.tex[f->ref].indexed && f->src_sel[0] < 4 && f->src_sel[1] < 4;
}

/* Which coordinate of a series it is; a new one if no other is equal.  `numbers`: of those. */
static uint8_t
find_coord(struct td_tex_series *s, unsigned axis, uint32_t *numbers, uint32_t number, uint32_t at)
{
   uint32_t n = 0;

   while (n < s->num_coords[axis] && numbers[n] != number)
      n++;
   if (n == s->num_coords[axis]) {
      numbers[n] = number;
      s->coord[axis][n] = at;
      s->num_coords[axis]++;
   }
   return (uint8_t)n;
}

/* The series that begins at f, of at most `count` lookups. */
static void
read_series(const struct values *v, const struct fetch *f, uint32_t count, struct td_tex_series *s)
{
   uint32_t numbers[2][TD_SERIES_MAX];
   uint8_t written[128] = { 0 };

   memset(s, 0, sizeof(*s));
   for (; s->count < count && s->count < TD_SERIES_MAX; f++, s->count++) {
      if (!is_plain(v->p, f) || f->ref != f[-(ptrdiff_t)s->count].ref ||
          (written[f->src_gpr] & (1u << f->src_sel[0] | 1u << f->src_sel[1])))
         break;
      for (unsigned a = 0; a < 2; a++) {
         const uint32_t at = REG(f->src_gpr, f->src_sel[a]);

         s->lookup[s->count].coord[a] = find_coord(s, a, numbers[a], v->row[at / COMP_BYTES], at);
      }
      s->lookup[s->count].to = REG(f->dst_gpr, 0);
      for (unsigned c = 0; c < 4; c++)
         written[f->dst_gpr] |= (uint8_t)((f->dst_sel[c] != CAYMAN_SEL_MASK) << c);
   }
}

static void
find_in_clause(struct lift *l, struct values *v, const struct sq_cf *cf)
{
   struct program *p = l->p;

   for (uint32_t n = 0, count; n < cf->num_fetches; n += count) {
      struct fetch *f = &p->fetches[cf->first_fetch + n];
      struct td_tex_series s;

      read_series(v, f, cf->num_fetches - n, &s);
      count = s.count ? s.count : 1;
      if (count > 1) {
         if (!uop_grow(&l->b, (void **)&p->series, p->num_series, &l->cap_series, sizeof(s)))
            return;
         p->series[p->num_series++] = s;
         f->series = p->num_series;
      }
      for (uint32_t i = 0; i < count; i++)
         follow_fetch(v, &f[i]);
   }
}

static bool
is_fetch_clause(const struct sq_cf *cf)
{
   return cf->op == CAYMAN_CF_TC || cf->op == CAYMAN_CF_TC_ACK;
}

static bool
has_neighbours(const struct program *p, const struct sq_cf *cf)
{
   for (uint32_t n = 1; n < cf->num_fetches && is_fetch_clause(cf); n++) {
      const struct fetch *f = &p->fetches[cf->first_fetch + n];

      if (is_plain(p, &f[-1]) && is_plain(p, f) && f[-1].ref == f->ref)
         return true;
   }
   return false;
}

static void
find_in_straight(struct lift *l, struct values *v)
{
   for (uint32_t n = l->p->entry; n < l->p->num_cfs && l->p->cfs[n].op != CAYMAN_CF_END; n++) {
      const struct sq_cf *cf = &l->p->cfs[n];

      if (is_fetch_clause(cf))
         find_in_clause(l, v, cf);
      else if (cf->op == CAYMAN_CF_ALU) {
         follow_uops(v, cf->prologue);
         follow_uops(v, cf->plain);
      }
   }
}

void
lift_series(struct lift *l)
{
   const struct program *p = l->p;
   struct values v;
   bool any = false;

   for (uint32_t n = 0; n < p->num_cfs && !any; n++)
      any = has_neighbours(p, &p->cfs[n]);
   if (!any)
      return;
   begin_values(&v, p);
   if (sq_is_straight(l->p)) {
      find_in_straight(l, &v);
      return;
   }
   for (uint32_t n = 0; n < p->num_cfs; n++) {
      if (has_neighbours(p, &p->cfs[n])) {
         forget_rows(&v);
         find_in_clause(l, &v, &p->cfs[n]);
      }
   }
}
