/* SPDX-License-Identifier: MIT */
/*
 * Finds what of a program may become one function of machine code (uop/native_flow.c): a loop that
 * only breaks end, whose body is ALU clauses, with the clauses before and behind it.
 *
 *   1. Lanes leave the loop by predicates alone (UPDATE_EXEC_MASK_BREAK).  Behind such a clause a
 *      JUMP to the LOOP_END may stand, which the wave takes when its last lanes have left.
 *   2. No clause stores, waits, kills, or finds values at its start; every result is a lane's own.
 *   3. Who jumps into the middle finds the instructions as they are.
 */
#include "sq/program.h"

#include <stdlib.h>
#include <string.h>

static const bool kills[UOP_COUNT] = {
#define WHAT_TEST false
#define WHAT_KILL true
#define UOP(name, ...)
#define PRED(name, what, ...) [UOP_##name] = WHAT_##what,
#include "uop/uops.def"
};

/* Whether an instruction is a clause that rule 2 allows; *leave: its predicates let lanes leave a
 * loop. */
static bool
is_clause(const struct program *p, const struct sq_cf *cf, bool *leave)
{
   *leave = false;
   if (cf->op != CAYMAN_CF_ALU || cf->whole_quad_mode || cf->has_barrier || cf->prologue.count)
      return false;
   for (uint32_t n = 0; n < cf->masked.count; n++) {
      const struct uop *u = &p->code.uops[cf->masked.first + n];
      const struct uop_info *info = &uop_infos[u->op];

      if (u->op == UOP_COMMIT_PRED || info->effect == UOP_EFFECT_LANE)
         continue;
      if (info->effect != UOP_EFFECT_MASK || info->params != UOP_PARAMS_predicate || kills[u->op])
         return false;
      if (u->p.predicate.update_exec && u->p.predicate.exec_op != CAYMAN_EXECUTE_MASK_BREAK)
         return false;
      *leave |= u->p.predicate.update_exec;
   }
   return true;
}

/* A loop at cfs[n] and what is in it; false: it is none of those. */
static bool
find_loop(const struct program *p, uint32_t n, struct sq_region *r)
{
   const struct sq_cf *start = &p->cfs[n];
   unsigned piece = 0;

   if (start->op != CAYMAN_CF_LOOP_START_DX10 || start->cond != CAYMAN_COND_ACTIVE ||
       start->valid_pixel_mode || start->target < n + 2 || start->target > p->num_cfs)
      return false;
   *r = (struct sq_region){ .loop = n, .loop_end = start->target - 1 };
   const struct sq_cf *end = &p->cfs[r->loop_end];
   if (end->op != CAYMAN_CF_LOOP_END || end->target != n + 1)
      return false;
   for (uint32_t k = n + 1; k < r->loop_end; k++) {
      const struct sq_cf *cf = &p->cfs[k];
      bool leave = false;

      r->pieces[piece] += cf->cost;
      if (cf->op == CAYMAN_CF_JUMP) {
         bool before = false;
         if (!is_clause(p, cf - 1, &before) || !before || cf->cond != CAYMAN_COND_ACTIVE ||
             cf->valid_pixel_mode || cf->pop_count || cf->target != r->loop_end)
            return false;
         r->jumps[r->num_leaves - 1] = k;
         piece++;
         continue;
      }
      if (!is_clause(p, cf, &leave))
         return false;
      if (leave && r->num_leaves == SQ_REGION_LEAVES)
         return false;
      r->num_leaves += leave;
   }
   r->turn = end->cost;
   return true;
}

static void
add_step(struct program *p, struct sq_region *r, unsigned kind, uint32_t cf)
{
   p->steps[r->first_step + r->num_steps++] = (struct uop_step){ (uint8_t)kind, cf };
}

static void
add_steps(struct program *p, struct sq_region *r)
{
   for (uint32_t n = r->first; n < r->end; n++) {
      const struct sq_cf *cf = &p->cfs[n];
      bool leave;

      if (n < r->loop || n > r->loop_end)
         r->around += cf->cost;
      if (cf->op == CAYMAN_CF_LOOP_START_DX10) {
         r->around += cf->cost;
         add_step(p, r, UOP_STEP_LOOP, n);
      } else if (cf->op == CAYMAN_CF_LOOP_END) {
         add_step(p, r, UOP_STEP_END, n);
      } else if (is_clause(p, cf, &leave) && cf->masked.count) {
         add_step(p, r, leave ? UOP_STEP_LEAVE : UOP_STEP_CODE, n);
      }
   }
}

/* A clause beside the loop. */
static bool
goes_along(const struct program *p, uint32_t n)
{
   bool leave;

   return is_clause(p, &p->cfs[n], &leave) && !leave;
}

bool
sq_find_regions(struct program *p)
{
   uint32_t from = 0, steps = 0;

   p->regions = malloc((p->num_cfs + 1) * sizeof(*p->regions));
   p->steps = calloc(p->num_cfs + 1, sizeof(*p->steps));
   if (!p->regions || !p->steps)
      return false;
   for (uint32_t n = 0; n < p->num_cfs; n++) {
      struct sq_region r;

      if (!find_loop(p, n, &r))
         continue;
      r.first = n;
      r.end = r.loop_end + 1;
      while (r.first > from && goes_along(p, r.first - 1))
         r.first--;
      while (r.end < p->num_cfs && goes_along(p, r.end))
         r.end++;
      r.first_step = steps;
      add_steps(p, &r);
      steps += r.num_steps;
      p->regions[p->num_regions++] = r;
      from = r.end;
      n = r.end - 1;
   }
   return true;
}
