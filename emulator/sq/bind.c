/* SPDX-License-Identifier: MIT */
/*
 * Binds a lifted program to this kernel build (uop/bound.h).
 */
#include <stdlib.h>

#include "core/step.h"
#include "sq/engine.h"

/* Regions of which there is code begin where they do. */
static void
take_regions(struct program *p, const struct uop_region *made)
{
   for (uint32_t n = 0; n < p->num_regions; n++) {
      struct sq_region *r = &p->regions[n];

      if (!made[n].made || !p->bound.native) {
         p->straight = false;
         continue;
      }
      r->plain = made[n].plain;
      r->masked = made[n].masked;
      p->cfs[r->first].region = n + 1;
   }
}

/* What an ALU clause can do to the wave: `quiet` and `tests` are of sq_is_quiet(). */
static void
classify(struct program *p, struct sq_cf *cf, bool quiet, bool tests)
{
   struct uop_predicate plain, masked;

   if (quiet) {
      cf->clause = SQ_CLAUSE_QUIET;
   } else if (tests && K(uop_is_test)(&p->bound, cf->plain, &plain) &&
              K(uop_is_test)(&p->bound, cf->masked, &masked)) {
      cf->clause = SQ_CLAUSE_TEST;
      cf->test_op = plain.exec_op;
   }
}

/* Whether an ALU clause may be one run with that before it. */
static bool
joins(const struct program *p, uint32_t n)
{
   return p->straight && !p->num_regions && n > p->entry && p->cfs[n].op == CAYMAN_CF_ALU &&
          p->cfs[n - 1].op == CAYMAN_CF_ALU && sq_is_quiet(p, &p->cfs[n - 1], false) &&
          sq_is_quiet(p, &p->cfs[n], false);
}

static void
set_engine(struct program *p)
{
   core_set_engine(&p->head.core, &K(sq_engines)[p->vliw], &K(sq_checked_engines)[p->vliw]);
}

bool
K(sq_bind)(struct sq_program *program, bool native)
{
   struct program *p = (struct program *)program;
   set_engine(p);
   const struct uop_bind_options options = {
      .native = native,
      .dx10_clamp = p->dx10_clamp,
      .first_temp = p->temps.first,
      .end_temp = p->temps.end,
      .temp_life = p->temps.life,
      .pool = p->pool,
   };
   /* Two for each instruction: its prologue, and its clause. */
   struct uop_binding *bindings = calloc(2 * (size_t)p->num_cfs + 1, sizeof(*bindings));
   struct uop_region *regions = calloc((size_t)p->num_regions + 1, sizeof(*regions));
   struct uop_step *steps = calloc((size_t)p->num_steps + 1, sizeof(*steps));
   bool diverges = native && sq_may_diverge(p);
   p->lifted = calloc((size_t)p->num_cfs + 1, sizeof(*p->lifted));
   p->straight = sq_is_straight(p);
   if (p->straight)
      sq_find_kept(p);
   uint64_t *dead = native && p->straight && p->forgets ? sq_find_dead(p) : NULL;

   if (!bindings || !regions || !steps || !p->lifted) {
      free(bindings);
      free(regions);
      free(steps);
      free(dead);
      return false;
   }
   for (uint32_t n = 0; n < p->num_steps; n++) {
      steps[n] = p->steps[n];
      steps[n].binding = 2 * steps[n].binding + 1;
   }
   for (uint32_t n = 0; n < p->num_regions; n++)
      regions[n] = (struct uop_region){
         .steps = steps + p->regions[n].first_step,
         .num_steps = p->regions[n].num_steps,
         .diverges = true,
      };
   for (uint32_t n = 0; n < p->num_cfs; n++) {
      const struct sq_cf *cf = &p->cfs[n];
      p->lifted[n] = (struct sq_lifted){ cf->prologue, cf->masked };
      bindings[2 * n] = (struct uop_binding){ .plain = cf->prologue };
      bindings[2 * n + 1] = (struct uop_binding){
         .plain = cf->plain,
         .masked = cf->masked,
         .native = cf->masked.count != 0,
         .diverges = diverges,
         .kept = { UINT32_MAX, UINT32_MAX },
         .dead = dead ? dead + n * SQ_DEAD_WORDS : NULL,
         .joins = joins(p, n),
      };
   }
   const struct uop_regions all = { regions, p->num_regions };
   bool ok = K(uop_bind)(&p->code, &options, bindings, 2 * p->num_cfs, &all, &p->bound);
   for (uint32_t n = 0; n < p->num_cfs && ok; n++) {
      const bool quiet = sq_is_quiet(p, &p->cfs[n], false),
                 tests = sq_is_quiet(p, &p->cfs[n], true);
      p->cfs[n].prologue = bindings[2 * n].plain;
      p->cfs[n].plain = bindings[2 * n + 1].plain;
      p->cfs[n].masked = bindings[2 * n + 1].masked;
      classify(p, &p->cfs[n], quiet, tests);
   }
   if (ok)
      take_regions(p, regions);
   p->head.code_bytes = p->bound.native_bytes;
   free(bindings);
   free(regions);
   free(steps);
   free(dead);
   return ok;
}

struct sq_program *
K(sq_lift)(const struct sq_program_source *source)
{
   struct program *p = sq_lift_program(source);
   if (!p)
      return NULL;
   if (p->head.core.error)
      set_engine(p);
   else if (!K(sq_bind)(&p->head, !source->interpret)) {
      K(sq_program_free)(&p->head);
      return NULL;
   }
   return &p->head;
}

void
K(sq_program_free)(struct sq_program *program)
{
   struct program *p = (struct program *)program;
   if (!p)
      return;
   K(uop_bound_free)(&p->bound);
   sq_program_release(p);
}
