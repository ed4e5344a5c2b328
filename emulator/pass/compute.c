/* SPDX-License-Identifier: MIT */
/*
 * Dispatches: work groups (core/workgroup.h) of a compute program.
 *
 * Groups go in ascending order on one worker when the order of their writes can be seen
 * (core_program.ordered and its like), else on all.  A group in which a wave faults ends the
 * dispatch.
 *
 * Where waves wait for those of other groups, several groups are in flight on one worker: each runs
 * until all its waves wait, and the next starts when no earlier one gets any further.
 */
#include <stdatomic.h>
#include <stdio.h>

#include "core/workgroup.h"
#include "memory/pool.h"
#include "memory/vm.h"
#include "pass/internal.h"

#define CHUNK_GROUPS 4096u /* between two looks at the budget */
#define COST_GROUP   64u
#define ALONE_WAVES  8u
#define FLIGHT_WAVES 256u /* of all groups in flight: what core_wave.slot can name */
#define SCRATCH_MAX  (UINT64_C(128) << 20) /* bytes that a group's waves may have together */

struct dispatch {
   struct gfx *g;
   struct core_bind *bind;
   struct core_entry entry;
   struct core_dispatch core;
   uint64_t first;           /* group of item 0 */
   _Atomic uint64_t faulted; /* the lowest group with a fault, or all ones */
};

/* A worker's part in a dispatch. */
struct part {
   struct dispatch *d;
   struct worker *w;
};

static void
wave_ended(void *context, const struct core_workgroup *group, const struct core_wave *wave)
{
   const struct part *part = context;
   struct dispatch *d = part->d;
   uint64_t lowest;

   part->w->counters.waves++;
   part->w->counters.cycles += wave->cycles;
   if (!wave->faulted)
      return;
   lowest = atomic_load(&d->faulted);
   while (group->number < lowest &&
          !atomic_compare_exchange_weak(&d->faulted, &lowest, group->number)) {
      /* `lowest` is what was found. */
   }
   const struct core_program *program = wave->bind->program;

   (wave->cut ? gfx_cut : gfx_fault)(
      d->g,
      "compute wave: %s at %s %u (program of %u words at 0x%llX; group %u,%u,%u, wave %u; "
      "dispatch %u)",
      wave->fault ? wave->fault : "fault", program->engine->place, wave->fault_place,
      program->words_used, (unsigned long long)program->va, group->place[0], group->place[1],
      group->place[2], wave->wave_in_group, wave->identity.draw);
}

/* What it costs to clear a group's scratch. */
static uint64_t
scratch_cycles(const struct dispatch *d)
{
   return (uint64_t)d->bind->scratch_bytes * d->core.waves;
}

static void
run_group(void *data, unsigned worker, uint32_t item)
{
   struct dispatch *d = data;
   struct worker *w = &d->g->worker[worker];
   struct part part = { d, w };
   const uint64_t number = d->first + item;
   bool moved = false;

   if (atomic_load_explicit(&d->faulted, memory_order_relaxed) < number || core_expired(&w->watch))
      return;
   w->workgroup->watch = &w->watch;
   w->spent += scratch_cycles(d);
   w->counters.cs_invocations += d->core.threads;
   core_workgroup_begin(w->workgroup, &d->core, number, worker * d->core.slots);
   core_workgroup_run(w->workgroup, &d->core, &part, &moved);
}

/* Runs all groups, a chunk at a time, in ascending order or on all workers. */
static void
run_groups(struct dispatch *d, uint64_t total, bool ordered)
{
   struct gfx *g = d->g;

   while (d->first < total) {
      uint32_t count = ordered ? 1 : CHUNK_GROUPS;

      if (count > total - d->first)
         count = (uint32_t)(total - d->first);
      g->spent += (uint64_t)COST_GROUP * count;
      if (!gfx_begin_chunk(g))
         break;
      d->bind->clock = g->counters.cycles;
      times_phase(g->times, TIMES_COMPUTE);
      workers_run(g->workers, run_group, d, count,
                  ordered || (uint64_t)count * d->core.waves < ALONE_WAVES);
      gfx_add_counters(g);
      if (atomic_load(&d->faulted) != UINT64_MAX || !gfx_within_budget(g))
         break;
      d->first += count;
   }
}

/* Runs all groups, several in flight. */
static void
run_in_flight(struct dispatch *d, uint64_t total)
{
   struct gfx *g = d->g;
   struct worker *w = &g->worker[0];
   struct part part = { d, w };
   struct core_workgroup *store[FLIGHT_WAVES] = { NULL };
   bool busy[FLIGHT_WAVES] = { false };
   const uint64_t scratch = (uint64_t)d->bind->scratch_bytes * WAVE_LANES * d->core.waves;
   unsigned slots = FLIGHT_WAVES / d->core.waves, used = 0, flying = 0;

   if (scratch * slots > SCRATCH_MAX)
      slots = (unsigned)(SCRATCH_MAX / scratch);
   d->core.slots = d->core.waves;
   for (;;) {
      bool moved = false;
      unsigned slot = 0;

      for (unsigned n = 0; n < used; n++) {
         if (!busy[n] || !core_workgroup_run(store[n], &d->core, &part, &moved))
            continue;
         busy[n] = false;
         flying--;
      }
      g->spent += UINT64_C(4) * d->core.waves * flying; /* those that wait are tried, too */
      gfx_add_counters(g);
      if (atomic_load(&d->faulted) != UINT64_MAX || !gfx_begin_chunk(g))
         break;
      if (moved)
         continue;
      if (d->first == total && !flying)
         break;
      while (slot < slots && busy[slot])
         slot++;
      if (d->first == total || slot == slots) {
         gfx_fault(g, "dispatch ended: %u groups wait for waves that will not come", flying);
         break;
      }
      used = slot >= used ? slot + 1 : used;
      if (!core_workgroup_reserve(&store[slot], &d->core)) {
         gfx_drop(g, "the rest of a dispatch", NO_MEMORY);
         break;
      }
      g->spent += COST_GROUP + scratch_cycles(d);
      store[slot]->watch = &w->watch;
      w->counters.cs_invocations += d->core.threads;
      d->bind->clock = g->counters.cycles;
      core_workgroup_begin(store[slot], &d->core, d->first++, slot * d->core.waves);
      busy[slot] = true;
      flying++;
   }
   for (unsigned n = 0; n < used; n++)
      core_workgroup_free(store[n]);
}

bool
gfx_begin_dispatch(struct gfx *g)
{
   gfx_flush(g);
   /* Dispatches before may have come to nothing. */
   gfx_trim(g);
   if (g->trace_samplers)
      fprintf(stderr, "td: dispatch %u\n", g->num_dispatched);
   g->num_dispatched++;
   return gfx_within_budget(g) && gfx_begin_chunk(g);
}

/* Runs a dispatch that is sized; NULL, or why it cannot be. */
static const char *
run_dispatch(struct gfx *g, struct dispatch *d, const struct gfx_dispatch *dispatch)
{
   const struct binder *binder = g->options.binder;
   const struct core_program *program = dispatch->program;
   bool ordered = false;

   d->bind = binder->bind(program, dispatch->source, NULL);
   if (!d->bind || (binder->bind_memory &&
                    !binder->bind_memory(&g->share, d->bind, dispatch->source, &ordered)))
      return NO_MEMORY;
   d->core.bind = d->bind;
   d->bind->observer = g->observer;
   if (g->observer && binder->keep && !binder->keep(d->bind, dispatch->source))
      return NO_MEMORY;
   d->bind->entry = binder_entry(program, dispatch->source, &d->entry);
   d->core.slots = ordered ? 256 : g->options.threads < 256 ? 256 / g->options.threads : 1;
   d->bind->scratch_bytes = dispatch->scratch_bytes;
   for (unsigned i = 0; i < g->options.threads; i++)
      if (!core_workgroup_reserve(&g->worker[i].workgroup, &d->core))
         return NO_MEMORY;

   /* More groups than fit 64 bits are never reached. */
   const uint64_t rows = (uint64_t)d->core.groups[1] * d->core.groups[2];
   const uint64_t total =
      rows > UINT64_MAX / d->core.groups[0] ? UINT64_MAX : rows * d->core.groups[0];

   atomic_init(&d->faulted, UINT64_MAX);
   g->computes = program;
   if (program->uses_global_sync)
      run_in_flight(d, total);
   else
      run_groups(d, total, ordered);
   g->computes = NULL;
   return NULL;
}

void
gfx_dispatch(struct gfx *g, const struct gfx_dispatch *dispatch)
{
   struct dispatch d = {
      .g = g,
      .core = {
         .submission = g->submission,
         .number = g->num_dispatched - 1,
         .num_rows = CORE_WAVE_ROWS,
         .lds_bytes = dispatch->lds_bytes,
         .ended = wave_ended,
      },
   };
   const char *why = NULL;

   for (unsigned n = 0; n < 3; n++) {
      d.core.block[n] = dispatch->block[n];
      d.core.first[n] = dispatch->first[n];
      d.core.groups[n] = dispatch->groups[n];
   }
   if (!core_dispatch_size(&d.core))
      gfx_fault(g, "dispatch dropped: a group has no or too many threads");
   else if ((uint64_t)dispatch->scratch_bytes * WAVE_LANES * d.core.waves > SCRATCH_MAX)
      gfx_fault(g, "dispatch dropped: %u bytes of scratch for each of %u threads",
                dispatch->scratch_bytes, d.core.threads);
   else
      why = run_dispatch(g, &d, dispatch);
   if (why)
      gfx_drop(g, "dispatch", why);
   /* No draw waits: what the dispatch was bound to is all that there is. */
   pool_reset(&g->pool);
}
