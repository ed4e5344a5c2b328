/* SPDX-License-Identifier: MIT */
/*
 * Runs work groups (workgroup.h), for the pipeline's dispatches and for programs that run without a
 * device around them.
 */
#include "core/workgroup.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WAVE_CYCLES (UINT64_C(1) << 30) /* of waves that share a budget */

bool
core_dispatch_size(struct core_dispatch *d)
{
   uint64_t threads = 1;

   for (unsigned n = 0; n < 3 && threads <= CORE_GROUP_THREADS; n++)
      threads *= d->block[n];
   if (!threads || threads > CORE_GROUP_THREADS)
      return false;
   d->threads = (uint32_t)threads;
   d->waves = (d->threads + WAVE_LANES - 1) / WAVE_LANES;
   return true;
}

void
core_workgroup_free(struct core_workgroup *g)
{
   if (!g)
      return;
   free(g->rows);
   free(g->state);
   free(g->scratch);
   free(g->lds);
   free(g->outputs);
   free(g);
}

static void *
zeroed(size_t bytes)
{
   const size_t whole = (bytes + 63) & ~(size_t)63;
   void *p = aligned_alloc(64, whole);

   if (p)
      memset(p, 0, whole);
   return p;
}

bool
core_workgroup_reserve(struct core_workgroup **group, const struct core_dispatch *d)
{
   const size_t state = (d->bind->program->engine->state_bytes + 63) & ~(size_t)63;
   const uint64_t scratch = (uint64_t)d->waves * WAVE_LANES * d->bind->scratch_bytes;
   struct core_workgroup *g = *group;

   if (!g) {
      g = *group = zeroed(sizeof(*g));
      if (!g)
         return false;
      g->lds = zeroed(CORE_LDS_BYTES);
      g->outputs = zeroed(sizeof(*g->outputs));
   }
   if (!g->lds || !g->outputs)
      return false;
   if (d->waves > g->num_waves || d->num_rows > g->num_rows || state > g->state_bytes) {
      free(g->rows);
      free(g->state);
      g->num_waves = d->waves > g->num_waves ? d->waves : g->num_waves;
      g->num_rows = d->num_rows > g->num_rows ? d->num_rows : g->num_rows;
      g->state_bytes = state > g->state_bytes ? state : g->state_bytes;
      g->rows = zeroed((size_t)g->num_waves * g->num_rows * sizeof(*g->rows));
      g->state = zeroed(g->num_waves * g->state_bytes);
      if (!g->rows || !g->state) {
         g->num_waves = 0;
         return false;
      }
   }
   if (scratch > g->scratch_bytes) {
      free(g->scratch);
      g->scratch = aligned_alloc(64, scratch);
      g->scratch_bytes = g->scratch ? scratch : 0;
   }
   return scratch <= g->scratch_bytes;
}

void
core_workgroup_begin(struct core_workgroup *g, const struct core_dispatch *d, uint64_t number,
                     uint32_t first_slot)
{
   const uint64_t row = number / d->groups[0];

   g->shared = (struct core_group){
      .lds = g->lds,
      .lds_bytes = d->lds_bytes,
      .num_waves = d->waves,
   };
   memset(g->lds, 0, d->lds_bytes);
   g->number = number;
   g->place[0] = d->first[0] + (uint32_t)(number % d->groups[0]);
   g->place[1] = d->first[1] + (uint32_t)(row % d->groups[1]);
   g->place[2] = d->first[2] + (uint32_t)(row / d->groups[1]);
   g->first_slot = first_slot;
   g->fresh = g->live = d->waves < 32 ? (UINT32_C(1) << d->waves) - 1 : UINT32_MAX;
   g->barrier = 0;
}

/* Fills a row that the program takes with one value for all lanes. */
static void
fill(const struct core_wave *wave, unsigned value, uint32_t v)
{
   uint32_t *row = core_entry_row(wave->bind->entry, wave->rows, value);

   for (unsigned lane = 0; row && lane < WAVE_LANES; lane++)
      row[lane] = v;
}

/* Which thread of the block each lane is, of a wave that begins with thread `first`. */
static void
number_threads(const struct core_dispatch *d, uint32_t first, wave_lane thread[3])
{
   const uint32_t row = first / d->block[0];
   uint32_t at[3] = { first % d->block[0], row % d->block[1], row / d->block[1] };

   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      for (unsigned c = 0; c < 3; c++)
         thread[c][lane] = at[c];
      if (++at[0] == d->block[0]) {
         at[0] = 0;
         if (++at[1] == d->block[1])
            at[1] = 0, at[2]++;
      }
   }
}

/* The same where rows of the block, and slices, are a power of two of threads: by vectors. */
static void
number_powers(const struct core_dispatch *d, uint32_t first, wave_lane thread[3])
{
   const unsigned row = (unsigned)__builtin_ctz(d->block[0]);
   const unsigned slice = row + (unsigned)__builtin_ctz(d->block[1]);

   for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
      const uint32_t t = first + lane;

      thread[0][lane] = t & (d->block[0] - 1);
      thread[1][lane] = t >> row & (d->block[1] - 1);
      thread[2][lane] = t >> slice;
   }
}

static bool
is_power(uint32_t v)
{
   return v && !(v & (v - 1));
}

static void
fill_entry(const struct core_workgroup *g, const struct core_dispatch *d,
           const struct core_wave *wave)
{
   const struct core_entry *entry = wave->bind->entry;
   const uint32_t first = wave->wave_in_group * WAVE_LANES;
   const uint32_t number = (uint32_t)(g->number * d->threads) + first;
   uint32_t *const xy = core_entry_row(entry, wave->rows, CORE_THREAD_XY);
   uint32_t *const numbers = core_entry_row(entry, wave->rows, CORE_NUMBER);
   wave_lane thread[3];

   if (is_power(d->block[0]) && is_power(d->block[1]))
      number_powers(d, first, thread);
   else
      number_threads(d, first, thread);
   for (unsigned c = 0; c < 3; c++) {
      uint32_t *const own = core_entry_row(entry, wave->rows, CORE_THREAD + c);
      uint32_t *const global = core_entry_row(entry, wave->rows, CORE_GLOBAL + c);
      const uint32_t before = g->place[c] * d->block[c];

      fill(wave, CORE_GROUP + c, g->place[c]);
      if (own)
         memcpy(own, thread[c], sizeof(thread[c]));
      for (unsigned lane = 0; global && lane < WAVE_LANES; lane++)
         global[lane] = before + thread[c][lane];
   }
   for (unsigned lane = 0; xy && lane < WAVE_LANES; lane++)
      xy[lane] = thread[0][lane] | thread[1][lane] << 16;
   for (unsigned lane = 0; numbers && lane < WAVE_LANES; lane++)
      numbers[lane] = number + lane;
}

static void *
state_of(const struct core_workgroup *g, unsigned n)
{
   return g->state + n * g->state_bytes;
}

/* False: there is nothing to run. */
static bool
begin_wave(struct core_workgroup *g, const struct core_dispatch *d, unsigned n)
{
   struct core_wave *wave = &g->wave[n];
   const uint32_t left = d->threads - n * WAVE_LANES;
   const uint64_t scratch = (uint64_t)d->bind->scratch_bytes * WAVE_LANES;

   *wave = (struct core_wave){
      .rows = g->rows + (size_t)n * g->num_rows,
      .active = left < WAVE_LANES ? (UINT64_C(1) << left) - 1 : UINT64_MAX,
      .bind = d->bind,
      .outputs = g->outputs,
      .group = &g->shared,
      .wave_in_group = n,
      .identity = { d->submission, d->number, 0, (uint32_t)g->number, n, CORE_COMPUTE },
      .slot = g->first_slot + n % d->slots,
      .scratch = scratch ? g->scratch + n * scratch : NULL,
      .scratch_bytes = d->bind->scratch_bytes,
      .watch = g->watch,
      .budget = g->watch ? g->watch->cycles : 0,
   };
   if (scratch)
      memset(wave->scratch, 0, scratch);
   wave->valid = wave->active;
   fill_entry(g, d, wave);
   return core_start_observed(state_of(g, n), wave);
}

static enum core_stop
go_on(struct core_workgroup *g, unsigned n)
{
   struct core_wave *wave = &g->wave[n];

   return wave->bind->observer ? core_resume_observed(state_of(g, n), wave)
                               : core_resume(state_of(g, n), wave, NULL);
}

/* Runs a wave up to where it waits, or its end. */
static enum core_stop
resume(struct core_workgroup *g, const struct core_dispatch *d, unsigned n)
{
   struct core_wave *wave = &g->wave[n];
   const uint64_t before = wave->cycles;

   if (!d->spent)
      return go_on(g, n);
   wave->budget = before + (*d->spent < d->limit ? d->limit - *d->spent : 0);
   if (wave->budget > MAX_WAVE_CYCLES)
      wave->budget = MAX_WAVE_CYCLES;
   wave->budget += !wave->budget; /* 0 would be the bind's */

   const enum core_stop stop = go_on(g, n);

   *d->spent += wave->cycles - before;
   return stop;
}

bool
core_workgroup_run(struct core_workgroup *g, const struct core_dispatch *d, void *context,
                   bool *moved)
{
   while (g->live) {
      bool progress = false;

      for (uint32_t left = g->live & ~g->barrier; left; left &= left - 1) {
         const unsigned n = (unsigned)__builtin_ctz(left);
         const uint32_t bit = UINT32_C(1) << n;
         struct core_wave *wave = &g->wave[n];
         const uint32_t synced = g->fresh & bit ? UINT32_MAX : wave->synced;
         const bool begun = !(g->fresh & bit) || begin_wave(g, d, n);

         g->fresh &= ~bit;
         const enum core_stop stop = begun ? resume(g, d, n) : CORE_DONE;
         progress |= stop != CORE_WAITING || wave->synced != synced;
         if (stop == CORE_BARRIER) {
            g->barrier |= bit;
         } else if (stop != CORE_WAITING) {
            g->live &= ~bit;
            d->ended(context, g, wave);
         }
      }
      *moved |= progress;
      if (g->barrier == g->live)
         g->barrier = 0;
      else if (!progress)
         return false;
   }
   return true;
}
