/* SPDX-License-Identifier: MIT */
/*
 * What a lifted program can do to the lanes of its waves, whatever build runs it.
 */
#include "sq/program.h"

bool
sq_may_diverge(const struct program *p)
{
   if (p->head.core.uses_kill)
      return true;
   for (uint32_t n = 0; n < p->num_cfs; n++)
      if (!(cayman_cf_info(p->cfs[n].op)->flow & CAYMAN_FLOW_UNIFORM))
         return true;
   return false;
}

bool
sq_is_quiet(const struct program *p, const struct sq_cf *cf, bool tests)
{
   if (cf->whole_quad_mode || cf->prologue.count || cf->has_barrier || !cf->masked.count)
      return false;
   for (uint32_t n = 0; n < cf->masked.count; n++) {
      const struct uop *u = &p->code.uops[cf->masked.first + n];

      if (u->when || u->op == UOP_LOAD_SPECIAL)
         return false;
      switch (uop_infos[u->op].effect) {
      case UOP_EFFECT_LANE:
      case UOP_EFFECT_QUAD:
      case UOP_EFFECT_WAVE:
         break;
      case UOP_EFFECT_MASK:
         if (!tests || uop_infos[u->op].params != UOP_PARAMS_predicate)
            return false;
         break;
      default:
         if (u->op != UOP_COMMIT_PRED)
            return false;
         break;
      }
   }
   return true;
}

/* Whether a clause changes nothing but registers, predicates and what it stores. */
static bool
is_plain(const struct program *p, struct uop_run run)
{
   for (uint32_t n = 0; n < run.count; n++) {
      const struct uop *u = &p->code.uops[run.first + n];
      const struct uop_info *info = &uop_infos[u->op];

      if (info->effect == UOP_EFFECT_WAIT || info->effect == UOP_EFFECT_MEMORY)
         return false;
      if (info->effect == UOP_EFFECT_STATE && u->op != UOP_COMMIT_PRED)
         return false;
      if (info->effect == UOP_EFFECT_MASK &&
          (info->params != UOP_PARAMS_predicate || u->p.predicate.update_exec))
         return false;
   }
   return true;
}

/* The same of an instruction; the entry's CALL_FS and the RETURN aside. */
static bool
is_straight(const struct program *p, const struct sq_cf *cf)
{
   const struct cayman_cf_info *info = cayman_cf_info(cf->op);

   if (!(info->flow & CAYMAN_FLOW_STRAIGHT))
      return false;
   if (info->form == CAYMAN_CF_FORM_ALU)
      return !cf->whole_quad_mode && !cf->has_barrier && is_plain(p, cf->prologue) &&
             is_plain(p, cf->plain);
   return cf->op != CAYMAN_CF_TC || !cf->valid_pixel_mode;
}

/* The fetch subroutine, up to its RETURN. */
static bool
fetches_straight(const struct program *p)
{
   for (uint32_t n = p->fs_entry; n < p->entry; n++) {
      if (p->cfs[n].op == CAYMAN_CF_RETURN)
         return true;
      if (p->cfs[n].op != CAYMAN_CF_TC || !is_straight(p, &p->cfs[n]))
         return false;
   }
   return false;
}

bool
sq_is_straight(const struct program *p)
{
   uint32_t region = 0;

   if (p->head.core.error)
      return false;
   for (uint32_t n = p->entry; n < p->num_cfs; n++) {
      const struct sq_cf *cf = &p->cfs[n];

      while (region < p->num_regions && p->regions[region].first < n)
         region++;
      if (region < p->num_regions && p->regions[region].first == n) {
         if (p->regions[region].entries > p->stack_entries * 4)
            return false;
         n = p->regions[region].end - 1;
         continue;
      }
      if (cf->op == CAYMAN_CF_CALL_FS ? n != p->entry || !fetches_straight(p) : !is_straight(p, cf))
         return false;
      if (cf->op == CAYMAN_CF_END)
         return true;
   }
   return false;
}

static bool
is_kept(const struct program *p, const struct fetch *f)
{
   return f->kind == FETCH_TEX && !f->src_rel && !f->dst_rel && !f->uses_gradients &&
          !f->uses_offsets && !p->head.tex[f->ref].indexed;
}

/* Whether an export is of colours that may be left in their registers, each target's first and
 * only one: `targets` are those that were exported before. */
static bool
stays(const struct sq_cf *cf, uint32_t *targets)
{
   bool only = cf->type == CAYMAN_EXPORT_PIXEL && cf->ends && !cf->rw_rel;

   for (unsigned b = 0; b <= cf->burst_count; b++) {
      const unsigned to = cf->array_base + b;

      only &= to < 8 && cf->rw_gpr + b < 128 && !(*targets >> (to & 31) & 1);
      *targets |= 1u << (to & 31);
   }
   return only;
}

void
sq_find_kept(struct program *p)
{
   uint32_t targets = 0;
   uint8_t count = 0;

   p->exports_stay = true;
   for (uint32_t n = 0; n < p->num_cfs; n++) {
      struct sq_cf *cf = &p->cfs[n];

      if (cf->op == CAYMAN_CF_EXPORT || cf->op == CAYMAN_CF_EXPORT_DONE)
         p->exports_stay &= stays(cf, &targets);
      if (cf->op != CAYMAN_CF_TC)
         continue;
      cf->looks_up = true;
      for (uint32_t k = 0; k < cf->num_fetches; k++) {
         struct fetch *f = &p->fetches[cf->first_fetch + k];

         if (count < SQ_KEPT_LOOKUPS && is_kept(p, f))
            f->kept = ++count;
         else
            cf->looks_up = false;
      }
   }
}
