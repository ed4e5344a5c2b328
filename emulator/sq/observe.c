/* SPDX-License-Identifier: MIT */
/*
 * Observed waves: instructions one at a time, as they were lifted, and what is seen of a wave that
 * is stopped.
 */
#include "sq/flow.h"

#include <stdio.h>

/* Whether an observed wave stops before the instruction at an origin, which `lanes` run.  It is
 * asked once. */
static bool
stops(struct flow *f, const struct core_observer *until, uint32_t origin, uint64_t lanes)
{
   const bool been = f->stopped && f->origin == origin;

   f->stopped = !been && until && core_stops(until, f->x.wave, origin, lanes);
   f->origin = origin;
   return f->stopped;
}

/* The same of a CF instruction.  What IL's instruction became stops once. */
bool
K(sq_stops)(struct flow *f, const struct core_observer *until, const struct sq_cf *cf)
{
   const bool again = f->x.program->tokens && !f->stopped && cf->origin == f->origin;

   return cf->origin != SQ_NO_ORIGIN && !again && stops(f, until, cf->origin, f->x.active);
}

/* The first word of the group that a micro-operation of a clause is of. */
static uint32_t
group_of(const struct program *p, uint32_t origin)
{
   uint32_t low = 0, high = p->num_groups;

   while (high - low > 1) {
      const uint32_t mid = low + (high - low) / 2;

      if (p->groups[mid] <= origin)
         low = mid;
      else
         high = mid;
   }
   return high ? p->groups[low] : origin;
}

/* An observed ALU clause from f->resume on, a micro-operation at a time. */
enum core_stop
K(sq_step_clause)(struct flow *f, uint32_t n, const struct core_observer *until)
{
   struct exec *x = &f->x;
   const struct program *p = x->program;
   const struct uop_run run = p->lifted[n].clause;

   while (f->resume < run.first + run.count) {
      const struct uop *u = &p->code.uops[f->resume];
      const uint32_t origin = group_of(p, u->origin);

      if ((origin != f->origin || f->stopped) && stops(f, until, origin, x->lanes))
         return CORE_STOPPED;
      K(uop_step)(x, &p->code, u);
      f->resume += u->length;
      if (x->waits) {
         x->waits = false;
         return CORE_BARRIER;
      }
   }
   return CORE_DONE;
}

/* An observed fetch clause from f->resume on, an instruction at a time. */
enum core_stop
K(sq_step_fetches)(struct flow *f, const struct sq_cf *cf, const struct core_observer *until)
{
   const struct fetch *fetches = f->x.program->fetches;

   for (; f->resume < cf->first_fetch + cf->num_fetches; f->resume++) {
      const struct fetch *fetch = &fetches[f->resume];

      if (fetch->origin && stops(f, until, fetch->origin, f->x.lanes))
         return CORE_STOPPED;
      K(sq_fetch_one)(&f->x, fetch);
   }
   return CORE_DONE;
}

/* ------------------------------------------------------------------------------------------------
 * What is seen of a wave that is stopped
 */
#define LOOK_ROW(part, what)                               \
   if (n-- == 0) {                                         \
      core_seen_row(seen, part, (const uint32_t *)(what)); \
      return true;                                         \
   }
#define LOOK_MASK(part, what)           \
   if (n-- == 0) {                      \
      core_seen_mask(seen, part, what); \
      return true;                      \
   }
#define LOOK_VALUE(part, what)           \
   if (n-- == 0) {                       \
      core_seen_value(seen, part, what); \
      return true;                       \
   }

/* Registers, masks, address registers, then what it reads of constant buffers. */
bool
K(sq_look)(const void *state, const struct core_wave *wave, uint32_t n, struct core_seen *seen)
{
   const struct flow *f = state;
   const struct exec *x = &f->x;
   const struct sq_bind *bind = (const struct sq_bind *)wave->bind;
   const struct sq_program *p = sq_program_of(bind);
   char name[sizeof(seen->name)];

   if (n < 4 * p->num_gprs) {
      snprintf(name, sizeof(name), "R%u.%c", n / 4, "xyzw"[n % 4]);
      core_seen_row(seen, name, wave->rows[n]);
      return true;
   }
   n -= 4 * p->num_gprs;
   LOOK_MASK("launched", x->launch)
   LOOK_MASK("active", x->active)
   LOOK_MASK("valid", x->valid)
   LOOK_MASK("predicate", x->pred)
   LOOK_MASK("branch", x->branch)
   LOOK_MASK("continue", x->cont)
   LOOK_MASK("break", x->brk)
   LOOK_ROW("AR", x->ar)
   LOOK_VALUE("aL", (uint32_t)x->loop_index)
   LOOK_VALUE("CF_IDX0", (uint32_t)x->cf_idx[0])
   LOOK_VALUE("CF_IDX1", (uint32_t)x->cf_idx[1])
   LOOK_VALUE("LDS_SIZE", x->lds_bytes)
   LOOK_VALUE("bools", bind->bool_consts)
   if (n < 32) {
      snprintf(name, sizeof(name), "I%u", n);
      core_seen_value(seen, name, bind->loop_consts[n]);
      return true;
   }
   n -= 32;
   if (n >= p->num_consts)
      return false;
   snprintf(name, sizeof(name), "KC%u[%u].%c", p->consts[n].bank, p->consts[n].dword / 4,
            "xyzw"[p->consts[n].dword % 4]);
   core_seen_value(seen, name, bind->consts[n]);
   return true;
}
