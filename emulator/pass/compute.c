/* SPDX-License-Identifier: MIT */
/*
 * Dispatches: work groups of the compute program (SQ_PGM_START_LS with CS on).
 *
 * The threads of a group are numbered x first; 64 of them make a wave, so a group of fewer has a
 * wave of fewer lanes.  R0.xyz is the thread in its group and R1.xyz the group, as far as
 * SPI_COMPUTE_INPUT_CNTL asks for them.  A group runs on one worker, one wave after the other up
 * to the next barrier; a wave that has ended is not waited for.  Its LDS is zero at the start.
 *
 * Groups go in ascending order on one worker when the order of their writes can be seen
 * (bind_memory.c), else on all.  A group in which a wave faults ends the dispatch.
 *
 * Where waves wait for those of other groups (GLOBAL_WAVE_SYNC), several groups are in flight on
 * one worker: each runs until all its waves wait, and the next starts when no earlier one gets any
 * further.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "memory/vm.h"
#include "pass/internal.h"
#include "sq/rat.h"
#include "sq/share.h"

#define GROUP_THREADS 2048u /* more than software may ask for */
#define GROUP_WAVES   (GROUP_THREADS / WAVE_LANES)
#define PIECE_GROUPS  4096u /* between two looks at the budget */
#define COST_GROUP    64u
#define ALONE_WAVES   8u
#define FLIGHT_WAVES  256u                  /* of all groups in flight: what HW_WAVE_ID can name */
#define SCRATCH_MAX   (UINT64_C(128) << 20) /* bytes that a group's waves may have together */

/* Storage of a group: a worker has one, and each group in flight. */
struct compute_store {
   unsigned num_waves;  /* that there is room for */
   wave_lane (*gpr)[4]; /* [num_waves * WAVE_GPRS] */
   uint8_t *flow;       /* [num_waves], flow_bytes each */
   size_t flow_bytes;
   uint8_t *scratch; /* NULL before the first program that needs it */
   uint64_t scratch_bytes;
   struct sq_wave wave[GROUP_WAVES];
   uint8_t *lds;

   /* The group. */
   struct sq_group shared;
   uint64_t number;
   uint32_t group[3];
   unsigned first_wave_id;
   uint32_t fresh;   /* waves that have not begun */
   uint32_t live;    /* that have not ended */
   uint32_t barrier; /* that wait at a barrier of the group */
};

struct dispatch {
   struct gfx *g;
   struct sq_bind bind;
   uint32_t block[3], threads, waves;
   uint32_t groups[3], start[3];
   uint32_t lds_bytes, scratch_bytes;
   uint32_t wave_ids; /* HW_WAVE_IDs of a worker: there are 256 in all */
   bool thread_id, group_id;
   uint64_t first;           /* group of item 0 */
   _Atomic uint64_t faulted; /* the lowest group with a fault, or all ones */
};

void
compute_free(struct compute_store *store)
{
   if (!store)
      return;
   free(store->gpr);
   free(store->flow);
   free(store->scratch);
   free(store->lds);
   free(store);
}

static size_t
round_up(size_t n)
{
   return (n + 63) & ~(size_t)63;
}

/* Storage for one of the dispatch's groups; false: out of memory. */
static bool
reserve(struct compute_store **store, const struct dispatch *d)
{
   const struct kernels *k = d->g->options.kernels;
   const uint64_t scratch = (uint64_t)d->waves * WAVE_LANES * d->scratch_bytes;
   struct compute_store *s = *store;

   if (!s) {
      s = *store = calloc(1, sizeof *s);
      if (!s)
         return false;
      s->lds = aligned_alloc(64, SQ_LDS_BYTES);
      if (!s->lds)
         return false;
   }
   if (d->waves > s->num_waves) {
      free(s->gpr);
      free(s->flow);
      s->num_waves = 0;
      s->flow_bytes = round_up(k->sq_flow_size());
      s->gpr = aligned_alloc(64, (size_t)d->waves * WAVE_GPRS * sizeof *s->gpr);
      s->flow = aligned_alloc(64, d->waves * s->flow_bytes);
      if (!s->gpr || !s->flow)
         return false;
      memset(s->gpr, 0, (size_t)d->waves * WAVE_GPRS * sizeof *s->gpr);
      s->num_waves = d->waves;
   }
   if (scratch > s->scratch_bytes) {
      free(s->scratch);
      s->scratch = malloc(scratch);
      s->scratch_bytes = s->scratch ? scratch : 0;
   }
   return scratch <= s->scratch_bytes;
}

/* The entry registers of a wave; returns how many. */
static unsigned
load_entry(const struct dispatch *d, wave_lane (*gpr)[4], unsigned wave, const uint32_t group[3])
{
   unsigned n = 0;

   if (d->thread_id) {
      const uint32_t first = wave * WAVE_LANES, row = first / d->block[0];
      uint32_t x = first % d->block[0], y = row % d->block[1], z = row / d->block[1];

      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         gpr[n][0][lane] = x;
         gpr[n][1][lane] = y;
         gpr[n][2][lane] = z;
         gpr[n][3][lane] = 0;
         if (++x == d->block[0]) {
            x = 0;
            if (++y == d->block[1])
               y = 0, z++;
         }
      }
      n++;
   }
   if (d->group_id) {
      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         for (unsigned c = 0; c < 3; c++)
            gpr[n][c][lane] = group[c];
         gpr[n][3][lane] = 0;
      }
      n++;
   }
   return n;
}

static void
wave_ended(struct dispatch *d, struct worker *w, const struct sq_wave *wave, uint64_t number,
           const uint32_t group[3])
{
   w->counters.waves++;
   w->counters.cycles += wave->cycles;
   if (!wave->faulted)
      return;

   uint64_t lowest = atomic_load(&d->faulted);

   while (number < lowest && !atomic_compare_exchange_weak(&d->faulted, &lowest, number)) {
      /* `lowest` is what was found. */
   }
   gfx_fault(d->g, "CS wave stopped at CF %u: %s (group %u,%u,%u, wave %u)",
             (unsigned)wave->fault_pc, wave->fault ? wave->fault : "fault", group[0], group[1],
             group[2], wave->wave_in_group);
}

static void
begin_group(const struct dispatch *d, struct compute_store *s, uint64_t number,
            unsigned first_wave_id)
{
   const uint64_t row = number / d->groups[0];

   s->shared = (struct sq_group){
      .lds = s->lds,
      .lds_bytes = d->lds_bytes,
      .num_waves = d->waves,
   };
   memset(s->lds, 0, d->lds_bytes);
   s->number = number;
   s->group[0] = d->start[0] + (uint32_t)(number % d->groups[0]);
   s->group[1] = d->start[1] + (uint32_t)(row % d->groups[1]);
   s->group[2] = d->start[2] + (uint32_t)(row / d->groups[1]);
   s->first_wave_id = first_wave_id;
   s->fresh = s->live = d->waves < 32 ? (UINT32_C(1) << d->waves) - 1 : UINT32_MAX;
   s->barrier = 0;
}

/* False: there is nothing to run. */
static bool
begin_wave(const struct dispatch *d, struct compute_store *s, unsigned n, struct worker *w)
{
   struct sq_wave *wave = &s->wave[n];
   const uint32_t left = d->threads - n * WAVE_LANES;
   const uint64_t scratch = (uint64_t)d->scratch_bytes * WAVE_LANES;

   *wave = (struct sq_wave){
      .gpr = s->gpr + (size_t)n * WAVE_GPRS,
      .active = left < WAVE_LANES ? (UINT64_C(1) << left) - 1 : UINT64_MAX,
      .bind = &d->bind,
      .exports = w->exports,
      .group = &s->shared,
      .wave_in_group = n,
      .hw_wave_id = s->first_wave_id + n % d->wave_ids,
      .scratch = scratch ? s->scratch + n * scratch : NULL,
      .scratch_bytes = d->scratch_bytes,
   };
   if (scratch)
      memset(wave->scratch, 0, scratch);
   wave->valid = wave->active;
   wave->gprs_loaded = load_entry(d, wave->gpr, n, s->group);
   return d->g->options.kernels->sq_start((struct flow *)(void *)(s->flow + n * s->flow_bytes),
                                          d->bind.program, wave);
}

/* Runs a group's waves, in rounds, up to barriers and ends.  False: it has not ended, because all
 * waves wait for other groups; *moved is set if one of them got further before. */
static bool
run_waves(struct dispatch *d, struct worker *w, struct compute_store *s, bool *moved)
{
   while (s->live) {
      bool progress = false;

      for (uint32_t left = s->live & ~s->barrier; left; left &= left - 1) {
         const unsigned n = (unsigned)__builtin_ctz(left);
         const uint32_t bit = UINT32_C(1) << n;
         struct sq_wave *wave = &s->wave[n];
         const uint32_t synced = s->fresh & bit ? UINT32_MAX : wave->synced;
         bool waits = !(s->fresh & bit) || begin_wave(d, s, n, w);

         s->fresh &= ~bit;
         waits = waits && d->g->options.kernels->sq_resume(
                             (struct flow *)(void *)(s->flow + n * s->flow_bytes));
         progress |= !waits || !wave->stuck || wave->synced != synced;
         if (!waits) {
            s->live &= ~bit;
            wave_ended(d, w, wave, s->number, s->group);
         } else if (!wave->stuck) {
            s->barrier |= bit;
         }
      }
      *moved |= progress;
      if (s->barrier == s->live)
         s->barrier = 0;
      else if (!progress)
         return false;
   }
   return true;
}

static void
run_group(void *data, unsigned worker, uint32_t item)
{
   struct dispatch *d = data;
   struct worker *w = &d->g->worker[worker];
   struct compute_store *s = w->compute;
   const uint64_t number = d->first + item;
   bool moved = false;

   if (atomic_load_explicit(&d->faulted, memory_order_relaxed) < number)
      return;
   w->counters.cs_invocations += d->threads;
   begin_group(d, s, number, worker * d->wave_ids);
   run_waves(d, w, s, &moved);
}

/* Runs all groups in pieces, in ascending order or on all workers. */
static void
run_groups(struct dispatch *d, uint64_t total, bool ordered)
{
   struct gfx *g = d->g;

   while (d->first < total) {
      uint32_t count = ordered ? 1 : PIECE_GROUPS;

      if (count > total - d->first)
         count = (uint32_t)(total - d->first);
      g->spent += (uint64_t)COST_GROUP * count;
      if (!gfx_within_budget(g))
         break;
      d->bind.clock = g->counters.cycles;
      workers_run(g->workers, run_group, d, count,
                  ordered || (uint64_t)count * d->waves < ALONE_WAVES);
      gfx_add_counters(g);
      if (atomic_load(&d->faulted) != UINT64_MAX)
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
   struct compute_store *store[FLIGHT_WAVES] = { NULL };
   bool busy[FLIGHT_WAVES] = { false };
   const uint64_t scratch = (uint64_t)d->scratch_bytes * WAVE_LANES * d->waves;
   unsigned slots = FLIGHT_WAVES / d->waves, used = 0, flying = 0;

   if (scratch * slots > SCRATCH_MAX)
      slots = (unsigned)(SCRATCH_MAX / scratch);
   d->wave_ids = d->waves;
   for (;;) {
      bool moved = false;
      unsigned slot = 0;

      for (unsigned n = 0; n < used; n++) {
         if (!busy[n] || !run_waves(d, w, store[n], &moved))
            continue;
         busy[n] = false;
         flying--;
      }
      g->spent += UINT64_C(4) * d->waves * flying; /* those that wait take turns, too */
      gfx_add_counters(g);
      if (atomic_load(&d->faulted) != UINT64_MAX || !gfx_within_budget(g))
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
      if (!reserve(&store[slot], d)) {
         gfx_fault(g, "dispatch ended: out of memory");
         break;
      }
      g->spent += COST_GROUP;
      w->counters.cs_invocations += d->threads;
      d->bind.clock = g->counters.cycles;
      begin_group(d, store[slot], d->first++, slot * d->waves);
      busy[slot] = true;
      flying++;
   }
   for (unsigned n = 0; n < used; n++)
      compute_free(store[n]);
}

/* NULL, or why there is nothing to run. */
static const char *
decode(struct dispatch *d, const struct gfx_dispatch *dispatch)
{
   const struct regs *r = dispatch->regs;
   const uint32_t input = reg(r, R_SPI_COMPUTE_INPUT_CNTL);
   uint64_t threads = 1;

   for (unsigned n = 0; n < 3; n++) {
      d->block[n] = reg(r, R_SPI_COMPUTE_NUM_THREAD_X + 4 * n);
      d->start[n] = reg(r, R_VGT_COMPUTE_START_X + 4 * n);
      d->groups[n] = dispatch->groups[n];
      threads = threads > GROUP_THREADS ? threads : threads * d->block[n];
   }
   if (!threads || threads > GROUP_THREADS)
      return "a group has no or too many threads";
   d->threads = (uint32_t)threads;
   d->waves = (d->threads + WAVE_LANES - 1) / WAVE_LANES;
   d->lds_bytes = sq_lds_bytes(reg(r, R_SQ_LDS_ALLOC));
   d->thread_id = REG_FIELD_GET(input, SPI_COMPUTE_INPUT_CNTL, TID_IN_GROUP_ENA);
   d->group_id = REG_FIELD_GET(input, SPI_COMPUTE_INPUT_CNTL, TGID_ENA);
   return NULL;
}

/* Of a thread: what the program can name, as far as the registers allow.  The stock driver names no
 * size for compute, and uses scratch all the same. */
static uint32_t
scratch_bytes(const struct sq_program *program, const struct regs *r)
{
   const uint32_t item = reg(r, R_SQ_LSTMP_RING_ITEMSIZE) & 0x7fff;

   return (item && item < program->scratch_dwords ? item : program->scratch_dwords) * 4;
}

void
gfx_dispatch(struct gfx *g, const struct gfx_dispatch *dispatch)
{
   struct dispatch d = { .g = g };
   struct pool pool = { 0 };
   const struct sq_program *program;
   const char *why;
   bool ordered = false;

   gfx_flush(g);
   why = decode(&d, dispatch);
   if (!why && (!d.groups[0] || !d.groups[1] || !d.groups[2]))
      return;
   program = why ? NULL : bind_program(g->cache, &bind_cs, dispatch->regs, dispatch->vm, &why);
   if (!program) {
      gfx_fault(g, "dispatch dropped: %s", why);
      return;
   }
   if (!bind_stage(&d.bind, program, &bind_cs, dispatch->regs, dispatch->vm, g->options.kernels,
                   NULL, &pool) ||
       !bind_memory(g, &d.bind, &bind_cs, dispatch->regs, dispatch->vm, &pool, &ordered)) {
      gfx_fault(g, "dispatch dropped: out of memory");
      pool_finish(&pool);
      return;
   }
   d.wave_ids = ordered ? 256 : g->options.threads < 256 ? 256 / g->options.threads : 1;
   d.scratch_bytes = scratch_bytes(program, dispatch->regs);
   if ((uint64_t)d.scratch_bytes * WAVE_LANES * d.waves > SCRATCH_MAX) {
      gfx_fault(g, "dispatch dropped: %u bytes of scratch for each of %u threads", d.scratch_bytes,
                d.threads);
      pool_finish(&pool);
      return;
   }
   for (unsigned i = 0; i < g->options.threads; i++) {
      if (!reserve(&g->worker[i].compute, &d)) {
         gfx_fault(g, "dispatch dropped: out of memory");
         pool_finish(&pool);
         return;
      }
   }

   /* Nobody lives to see more groups than fit 64 bits. */
   const uint64_t rows = (uint64_t)d.groups[1] * d.groups[2];
   const uint64_t total = rows > UINT64_MAX / d.groups[0] ? UINT64_MAX : rows * d.groups[0];

   atomic_init(&d.faulted, UINT64_MAX);
   if (program->uses_gws)
      run_in_flight(&d, total);
   else
      run_groups(&d, total, ordered);
   gfx_trim(g);
   pool_finish(&pool);
}
