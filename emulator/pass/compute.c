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
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "memory/vm.h"
#include "pass/internal.h"
#include "sq/rat.h"
#include "sq/share.h"

#define GROUP_THREADS 2048u /* more than software may ask for */
#define GROUP_WAVES   (GROUP_THREADS / WAVE_LANES)
#define LDS_BYTES     32768u
#define PIECE_GROUPS  4096u /* between two looks at the budget */
#define COST_GROUP    64u
#define ALONE_WAVES   8u

/* A worker's storage for groups of more than one wave. */
struct compute_store {
   unsigned num_waves;  /* that there is room for */
   wave_lane (*gpr)[4]; /* [num_waves * WAVE_GPRS] */
   uint8_t *flow;       /* [num_waves], flow_bytes each */
   size_t flow_bytes;
   uint8_t *scratch; /* [num_waves], or NULL */
   struct sq_wave wave[GROUP_WAVES];
   uint8_t *lds;
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

/* Storage for the dispatch's groups; false: out of memory. */
static bool
reserve(struct worker *w, const struct dispatch *d)
{
   const struct kernels *k = d->g->options.kernels;
   struct compute_store *s = w->compute;

   if (!s) {
      s = w->compute = calloc(1, sizeof *s);
      if (!s)
         return false;
      s->lds = aligned_alloc(64, LDS_BYTES);
      if (!s->lds)
         return false;
   }
   if (d->waves > s->num_waves) {
      free(s->gpr);
      free(s->flow);
      free(s->scratch);
      s->scratch = NULL;
      s->num_waves = 0;
      s->flow_bytes = round_up(k->sq_flow_size());
      s->gpr = aligned_alloc(64, (size_t)d->waves * WAVE_GPRS * sizeof *s->gpr);
      s->flow = aligned_alloc(64, d->waves * s->flow_bytes);
      if (!s->gpr || !s->flow)
         return false;
      memset(s->gpr, 0, (size_t)d->waves * WAVE_GPRS * sizeof *s->gpr);
      s->num_waves = d->waves;
   }
   if (d->bind.program->uses_scratch && !s->scratch)
      s->scratch = calloc((size_t)s->num_waves * WAVE_LANES, w->scratch_bytes);
   return !d->bind.program->uses_scratch || s->scratch;
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
run_group(void *data, unsigned worker, uint32_t item)
{
   struct dispatch *d = data;
   struct worker *w = &d->g->worker[worker];
   struct compute_store *s = w->compute;
   const struct kernels *k = d->g->options.kernels;
   const struct sq_program *program = d->bind.program;
   const uint64_t number = d->first + item;
   const uint64_t row = number / d->groups[0];
   const uint32_t group[3] = {
      d->start[0] + (uint32_t)(number % d->groups[0]),
      d->start[1] + (uint32_t)(row % d->groups[1]),
      d->start[2] + (uint32_t)(row / d->groups[1]),
   };
   struct sq_group shared = {
      .lds = s->lds,
      .lds_bytes = d->lds_bytes,
      .num_waves = d->waves,
   };
   uint32_t waits = 0;

   if (atomic_load_explicit(&d->faulted, memory_order_relaxed) < number)
      return;
   memset(s->lds, 0, d->lds_bytes);
   w->counters.cs_invocations += d->threads;
   for (unsigned n = 0; n < d->waves; n++) {
      struct sq_wave *wave = &s->wave[n];
      const uint32_t left = d->threads - n * WAVE_LANES;
      struct flow *flow = (struct flow *)(void *)(s->flow + n * s->flow_bytes);

      *wave = (struct sq_wave){
         .gpr = s->gpr + (size_t)n * WAVE_GPRS,
         .active = left < WAVE_LANES ? (UINT64_C(1) << left) - 1 : UINT64_MAX,
         .bind = &d->bind,
         .exports = w->exports,
         .group = &shared,
         .wave_in_group = n,
         .hw_wave_id = worker * d->wave_ids + n % d->wave_ids,
         .scratch = s->scratch ? s->scratch + (size_t)n * WAVE_LANES * w->scratch_bytes : NULL,
         .scratch_bytes = d->scratch_bytes,
      };
      if (d->scratch_bytes)
         memset(wave->scratch, 0, (size_t)d->scratch_bytes * WAVE_LANES);
      wave->valid = wave->active;
      wave->gprs_loaded = load_entry(d, wave->gpr, n, group);
      if (k->sq_start(flow, program, wave) && k->sq_resume(flow))
         waits |= UINT32_C(1) << n;
      else
         wave_ended(d, w, wave, number, group);
   }
   while (waits) {
      for (uint32_t left = waits; left; left &= left - 1) {
         const unsigned n = (unsigned)__builtin_ctz(left);

         if (k->sq_resume((struct flow *)(void *)(s->flow + n * s->flow_bytes)))
            continue;
         waits &= ~(UINT32_C(1) << n);
         wave_ended(d, w, &s->wave[n], number, group);
      }
   }
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
   d->lds_bytes = (reg(r, R_SQ_LDS_ALLOC) & 0x3fff) * 4;
   if (d->lds_bytes > LDS_BYTES)
      d->lds_bytes = LDS_BYTES;
   d->thread_id = REG_FIELD_GET(input, SPI_COMPUTE_INPUT_CNTL, TID_IN_GROUP_ENA);
   d->group_id = REG_FIELD_GET(input, SPI_COMPUTE_INPUT_CNTL, TGID_ENA);
   return NULL;
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
   d.wave_ids = g->options.threads < 256 ? 256 / g->options.threads : 1;
   g->since_trim++; /* only trimmed below: the program is in use */
   if (!bind_stage(&d.bind, program, &bind_cs, dispatch->regs, dispatch->vm, g->options.kernels,
                   NULL, &pool) ||
       !bind_memory(g, &d.bind, &bind_cs, dispatch->regs, dispatch->vm, &pool, &ordered)) {
      gfx_fault(g, "dispatch dropped: out of memory");
      pool_finish(&pool);
      return;
   }
   /* The stock driver names no size for compute, and uses scratch all the same. */
   if (program->uses_scratch) {
      d.scratch_bytes = (reg(dispatch->regs, R_SQ_LSTMP_RING_ITEMSIZE) & 0x7fff) * 4;
      if (!d.scratch_bytes || d.scratch_bytes > g->worker[0].scratch_bytes)
         d.scratch_bytes = g->worker[0].scratch_bytes;
   }
   for (unsigned i = 0; i < g->options.threads; i++) {
      if (!reserve(&g->worker[i], &d)) {
         gfx_fault(g, "dispatch dropped: out of memory");
         pool_finish(&pool);
         return;
      }
   }

   /* Nobody lives to see more groups than fit 64 bits. */
   const uint64_t rows = (uint64_t)d.groups[1] * d.groups[2];
   const uint64_t total = rows > UINT64_MAX / d.groups[0] ? UINT64_MAX : rows * d.groups[0];

   atomic_init(&d.faulted, UINT64_MAX);
   while (d.first < total) {
      uint32_t count = ordered ? 1 : PIECE_GROUPS;

      if (count > total - d.first)
         count = (uint32_t)(total - d.first);
      g->spent += (uint64_t)COST_GROUP * count;
      if (!gfx_within_budget(g))
         break;
      d.bind.clock = g->counters.cycles;
      workers_run(g->workers, run_group, &d, count,
                  ordered || (uint64_t)count * d.waves < ALONE_WAVES);
      gfx_add_counters(g);
      if (atomic_load(&d.faulted) != UINT64_MAX)
         break;
      d.first += count;
   }
   gfx_trim(g);
   pool_finish(&pool);
}
