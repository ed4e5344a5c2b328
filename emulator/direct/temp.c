/* SPDX-License-Identifier: MIT */
/*
 * Rows of temporaries.
 *
 *  1. A temporary of the program as written has a row to itself: it reads as zero until it is
 *     written.
 *  2. One that the legaliser made shares its row with others that come before and after, if its
 *     components are written before they are read and all that mentions it stands in one stretch of
 *     code without flow of control.
 */
#include "direct/lift.h"

#include <stdlib.h>

#define MAX_TEMPS (1u << 20)

struct direct_temp {
   uint32_t row;  /* 0: none yet */
   uint32_t last; /* instruction that mentions it; UINT32_MAX: its row is another's */
   uint32_t stretch;
   uint8_t written; /* components, in its stretch */
   bool own_row;
};

/* What is counted while the program is walked over. */
struct direct_temp_walk {
   struct direct *d;
   uint32_t written; /* temporaries from here on are the legaliser's */
   uint32_t stretch, pos;
};

static void
count(const struct il_ref *r, uint32_t *most)
{
   for (; r; r = r->index ? &r->index->r : NULL)
      if (r->type == IL_REGTYPE_TEMP && r->num >= *most)
         *most = r->num < MAX_TEMPS ? r->num + 1 : MAX_TEMPS + 1;
}

/* Above the highest number. */
static uint32_t
count_temps(const struct il_program *il)
{
   uint32_t most = 0;

   for (uint32_t n = 0; n < il->ninsts; n++) {
      const struct il_inst *inst = &il->insts[n];
      for (unsigned i = 0; i < inst->ndst; i++) {
         count(&inst->dst[i].r, &most);
         count(inst->dst[i].dim2, &most);
      }
      for (unsigned i = 0; i < inst->nsrc; i++) {
         count(&inst->src[i].r, &most);
         count(inst->src[i].dim2, &most);
      }
   }
   return most;
}

/* Components that are read, and then components that are written. */
static void
mention(const struct direct_temp_walk *w, const struct il_ref *r, unsigned read, unsigned written)
{
   if (r->type != IL_REGTYPE_TEMP)
      return;
   struct direct_temp *t = &w->d->temp[r->num];
   if (r->num < w->written || (t->written && t->stretch != w->stretch) || read & ~t->written)
      t->own_row = true;
   t->written |= (uint8_t)written;
   t->stretch = w->stretch;
   t->last = w->pos;
}

/* Registers that `part` of a source is read of, or one component as an index. */
static void
mention_src(const struct direct_temp_walk *w, const struct il_src *src, unsigned part)
{
   for (; src; src = src->r.index, part = 1) {
      unsigned read = 0;
      for (unsigned c = 0; c < 4; c++) {
         unsigned sel = il_src_swz(src, c);
         read |= sel < 4 && part >> c & 1 ? 1u << sel : 0;
      }
      mention(w, &src->r, read, 0);
      if (src->dim2) {
         mention(w, src->dim2, 15, 0);
         mention_src(w, src->dim2->index, 1);
      }
   }
}

static void
mention_all(const struct direct_temp_walk *w, const struct il_inst *inst)
{
   for (unsigned i = 0; i < inst->nsrc; i++)
      mention_src(w, &inst->src[i], il_part_mask(il_src_part(inst, i), inst));
   for (unsigned i = 0; i < inst->ndst; i++) {
      const struct il_dst *dst = &inst->dst[i];
      unsigned written = 0;
      for (unsigned c = 0; c < 4; c++)
         written |= (unsigned)(il_dst_comp(dst, c) != IL_MODCOMP_NOWRITE) << c;
      mention_src(w, dst->r.index, 1);
      mention_src(w, dst->dim2 ? dst->dim2->index : NULL, 1);
      mention(w, &dst->r, inst->op == IL_OP_CMOV ? written : 0, written);
   }
}

void
direct_temps_measure(struct direct *d)
{
   struct direct_temp_walk w = { .d = d, .written = count_temps(d->source) };

   d->num_temps = count_temps(d->il);
   if (d->num_temps > MAX_TEMPS) {
      direct_refuse(d, "temporaries above %u", MAX_TEMPS - 1);
      d->num_temps = 0;
      return;
   }
   d->temp = calloc(d->num_temps + 1, sizeof(*d->temp));
   d->free_rows = calloc(MAX_ROWS, sizeof(*d->free_rows));
   if (!d->temp || !d->free_rows) {
      d->b.oom = true;
      return;
   }
   for (w.pos = 0; w.pos < d->il->ninsts; w.pos++) {
      const struct il_inst *inst = &d->il->insts[w.pos];
      const struct il_op_info *info = il_op_info(inst->op);
      w.stretch += info && info->flow != IL_FLOW_NONE && info->flow != IL_FLOW_STATIC;
      mention_all(&w, inst);
   }
}

static void
take_back(struct direct *d, const struct il_ref *r)
{
   for (; r; r = r->index ? &r->index->r : NULL) {
      struct direct_temp *t = r->type == IL_REGTYPE_TEMP ? &d->temp[r->num] : NULL;
      if (t && !t->own_row && t->row && t->last == d->pos) {
         d->free_rows[d->num_free_rows++] = t->row;
         t->last = UINT32_MAX;
      }
   }
}

void
direct_temps_place(struct direct *d)
{
   const struct il_inst *inst = &d->il->insts[d->pos];

   for (unsigned i = 0; i < inst->ndst; i++) {
      const struct il_ref *r = &inst->dst[i].r;
      if (r->type == IL_REGTYPE_TEMP && !d->temp[r->num].row) {
         bool shared = !d->temp[r->num].own_row && d->num_free_rows;
         d->temp[r->num].row = shared ? d->free_rows[--d->num_free_rows] : direct_rows(d, 1);
      }
   }
   for (unsigned i = 0; i < inst->nsrc; i++) {
      take_back(d, &inst->src[i].r);
      take_back(d, inst->src[i].dim2);
   }
   for (unsigned i = 0; i < inst->ndst; i++) {
      take_back(d, &inst->dst[i].r);
      take_back(d, inst->dst[i].dim2);
   }
}

void
direct_temps_free(struct direct *d)
{
   free(d->temp);
   free(d->free_rows);
}

uint32_t
direct_temp_row(const struct direct *d, uint32_t number)
{
   return number < d->num_temps ? d->temp[number].row : 0;
}
