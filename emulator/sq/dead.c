/* SPDX-License-Identifier: MIT */
/*
 * Registers that nobody reads any more: machine code need not store them.
 *
 * A straight program (analyse.c) is followed from its end, where nothing is read, to its start.
 * Outside of regions all lanes of a wave run, so what a clause writes in any it writes in all.
 * What is not known to read certain registers alone reads them all.
 */
#include <stdlib.h>
#include <string.h>

#include "sq/program.h"

#include "uop/uop.h"

struct live {
   uint64_t component[SQ_DEAD_WORDS];
};

static void
read_all(struct live *live)
{
   memset(live, 0xff, sizeof(*live));
}

static void
set_component(struct live *live, uint32_t component, bool is_read)
{
   const uint64_t bit = UINT64_C(1) << component % 64;

   if (component >= CORE_WAVE_ROWS)
      return;
   if (is_read)
      live->component[component / 64] |= bit;
   else
      live->component[component / 64] &= ~bit;
}

static void
read_gpr(struct live *live, unsigned gpr)
{
   for (unsigned c = 0; c < 4; c++)
      set_component(live, gpr * 4 + c, true);
}

/* Whether operands and destinations are all the rows that it names. */
static bool
is_known(const struct uop *u)
{
   const struct uop_info *info = &uop_infos[u->op];

   switch (info->params) {
   case UOP_PARAMS_none:
   case UOP_PARAMS_predicate:
   case UOP_PARAMS_group:
   case UOP_PARAMS_interp:
      break;
   default:
      return false;
   }
   return u->op == UOP_PART || u->op == UOP_COMMIT_PRED || info->effect == UOP_EFFECT_LANE ||
          info->effect == UOP_EFFECT_QUAD || info->effect == UOP_EFFECT_MASK;
}

static void
read_clause(struct live *live, const struct program *p, struct uop_run run)
{
   const struct uop *const begin = p->code.uops + run.first;

   for (uint32_t n = 0; n < run.count; n++)
      if (!is_known(&begin[n])) {
         read_all(live);
         return;
      }
   for (const struct uop *u = begin + run.count; u-- > begin;) {
      const struct uop_info *info = &uop_infos[u->op];

      if (info->records == 1 && u->op != UOP_PART && !u->when &&
          (info->result == UOP_RESULT_F || info->result == UOP_RESULT_B) &&
          info->effect != UOP_EFFECT_MASK)
         set_component(live, u->dst / COMP_BYTES, false);
      for (unsigned k = 0; k < 3; k++)
         if (u->src[k].kind == UOP_ROW)
            set_component(live, u->src[k].at / COMP_BYTES, true);
   }
}

/* Fetches write under masks: what they write may be read of before. */
static void
read_fetches(struct live *live, const struct program *p, const struct sq_cf *cf)
{
   for (uint32_t n = 0; n < cf->num_fetches; n++) {
      const struct fetch *f = &p->fetches[cf->first_fetch + n];

      if ((f->kind != FETCH_TEX && f->kind != FETCH_VTX) || f->src_rel || f->dst_rel) {
         read_all(live);
         return;
      }
      read_gpr(live, f->src_gpr);
   }
}

static void
read_instruction(struct live *live, const struct program *p, const struct sq_cf *cf)
{
   switch (cf->op) {
   case CAYMAN_CF_ALU:
      read_clause(live, p, cf->masked);
      read_clause(live, p, cf->prologue);
      break;
   case CAYMAN_CF_TC:
      read_fetches(live, p, cf);
      break;
   case CAYMAN_CF_EXPORT:
   case CAYMAN_CF_EXPORT_DONE:
      for (unsigned n = 0; n <= cf->burst_count; n++)
         for (unsigned c = 0; c < 4; c++)
            if (cf->sel[c] <= CAYMAN_SEL_W)
               set_component(live, (cf->rw_gpr + n) * 4u + cf->sel[c], true);
      if (cf->rw_rel)
         read_all(live);
      break;
   case CAYMAN_CF_NOP:
      break;
   default:
      read_all(live);
      break;
   }
}

uint64_t *
sq_find_dead(const struct program *p)
{
   uint64_t *dead = calloc((size_t)p->num_cfs * SQ_DEAD_WORDS + 1, sizeof(*dead));
   uint32_t end = p->entry, region = p->num_regions;
   struct live live = { { 0 } };

   if (!dead)
      return NULL;
   while (end < p->num_cfs && p->cfs[end].op != CAYMAN_CF_END)
      end++;
   for (uint32_t n = end; n-- > p->entry;) {
      while (region && p->regions[region - 1].first > n)
         region--;
      if (region && n < p->regions[region - 1].end) {
         read_all(&live);
         continue;
      }
      for (unsigned w = 0; w < SQ_DEAD_WORDS && p->cfs[n].op == CAYMAN_CF_ALU; w++)
         dead[(size_t)n * SQ_DEAD_WORDS + w] = ~live.component[w];
      read_instruction(&live, p, &p->cfs[n]);
   }
   return dead;
}
