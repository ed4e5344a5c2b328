/* SPDX-License-Identifier: MIT */
/*
 * Passes become work; see pass.h.  Draws become passes in gather.c.
 *
 * A pass executes in chunks of at most CHUNK_PRIMS primitives: the front end of a chunk, then its
 * tiles.  Chunks are cut by primitive count alone, so the result depends neither on the
 * number of workers nor on time.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/vm.h"
#include "options.h"
#include "pass/next_draw.h"
#include "pass/drawn.h"
#include "pass/internal.h"
#include "pass/pass.h"
#include "pass/probe.h"
#include "memory/pool.h"
#include "pass/workers.h"
#include "vgt/front.h"
#include "vgt/geometry.h"
#include "core/workgroup.h"
#include "uop/native_map.h"

#define CHUNK_PRIMS  16384u
#define CHUNK_OUTPUT 131072u /* primitives that geometry shaders may make in one */

/* Work below these runs on the calling thread alone (waking a worker costs as much). */
#define ALONE_VERTICES 2048u
#define ALONE_PIXELS   16384u

/* What work without shaders costs of a submission's budget, in cycles. */
#define COST_TILE   256u
#define COST_PIXELS 4u /* pixels a cycle */

struct gfx *
gfx_create(const struct gfx_options *options)
{
   struct gfx *g = calloc(1, sizeof(*g));

   if (!g)
      return NULL;
   g->options = *options;
   if (!g->options.threads)
      g->options.threads = 1;
   if (g->options.reserve >= g->options.threads)
      g->options.reserve = 0;
   g->trace_pixels = options_debug("pixels");
   g->trace_samplers = options_debug("td");
   g->share.relaxed_order = options->relaxed_order;
   pthread_mutex_init(&g->fault_lock, NULL);
   g->max_batches = CHUNK_PRIMS / BATCH_PRIMS + PASS_DRAWS;
   g->batches = calloc(g->max_batches, sizeof(*g->batches));
   g->batch_draw = calloc(g->max_batches, sizeof(*g->batch_draw));
   g->worker = aligned_alloc(_Alignof(struct worker), g->options.threads * sizeof(*g->worker));
   if (g->worker)
      memset(g->worker, 0, g->options.threads * sizeof(*g->worker));
   g->cache = options->binder->open(options->kernels);
   g->times = times_open(options->times, g->options.threads);
   g->workers = workers_create(g->options.threads - g->options.reserve, g->options.reserve,
                               options->kernels->touch, g->times);
   g->watchdog =
      g->worker && g->workers ? watchdog_create(g->worker, g->options.threads, g->workers) : NULL;
   if (!g->batches || !g->batch_draw || !g->worker || !g->cache || !g->workers || !g->watchdog) {
      gfx_destroy(g);
      return NULL;
   }
   for (unsigned i = 0; i < g->options.threads; i++) {
      struct worker *w = &g->worker[i];
      const size_t tile = (tile_storage_size() + 63) & ~(size_t)63;
      const size_t front = (sizeof(struct front) + 63) & ~(size_t)63;

      w->index = i;
      w->fresh = !uop_native_wanted();
      w->gfx = g;
      w->rows = aligned_alloc(64, CORE_WAVE_ROWS * sizeof(*w->rows));
      w->outputs = aligned_alloc(64, (sizeof(*w->outputs) + 63) & ~(size_t)63);
      w->tile = aligned_alloc(64, tile);
      w->front = aligned_alloc(64, front);
      if (!w->rows || !w->outputs || !w->tile || !w->front) {
         gfx_destroy(g);
         return NULL;
      }
      memset(w->rows, 0, CORE_WAVE_ROWS * sizeof(*w->rows));
      memset(w->outputs, 0, sizeof(*w->outputs));
      memset(w->tile, 0, tile);
      memset(w->front, 0, front);
   }
   return g;
}

void
gfx_restart(struct gfx *g)
{
   memset(&g->counters, 0, sizeof(g->counters));
   memset(g->stream_offset, 0, sizeof(g->stream_offset));
   g->submission = 0;
}

void
gfx_set_counters(struct gfx *g, const uint64_t *counters, unsigned count)
{
   const size_t most = sizeof(g->counters) / sizeof(*counters);

   memcpy(&g->counters, counters, (count < most ? count : most) * sizeof(*counters));
}

void
gfx_set_probe(struct gfx *g, struct probe *probe)
{
   g->probe = probe;
}

void
gfx_set_observer(struct gfx *g, const struct core_observer *observer)
{
   g->observer = observer;
   g->last = NULL;
}

static void
set_expired(struct gfx *g, bool expired)
{
   for (unsigned i = 0; i < g->options.threads; i++)
      atomic_store(&g->worker[i].watch.expired, expired);
}

void
gfx_abandon(struct gfx *g)
{
   /* In this order: gfx_begin() undoes what it finds abandoned. */
   set_expired(g, true);
   g->abandoned = g->exhausted = true;
}

bool
gfx_was_abandoned(const struct gfx *g)
{
   return g->abandoned;
}

struct probe *
gfx_probe(const struct gfx *g)
{
   return g->probe;
}

void
gfx_set_share(struct gfx *g, uint8_t *gds, uint32_t bytes, struct core_gws *gws)
{
   g->share.gds = gds;
   g->share.gds_bytes = bytes;
   g->share.gws = gws;
}

void
gfx_destroy(struct gfx *g)
{
   if (!g)
      return;
   watchdog_destroy(g->watchdog);
   workers_destroy(g->workers);
   times_close(g->times);
   for (unsigned i = 0; g->worker && i < g->options.threads; i++) {
      struct worker *w = &g->worker[i];

      free(w->rows);
      free(w->outputs);
      free(w->stores);
      free(w->scratch);
      free(w->tile);
      free(w->front);
      geometry_free(w->geometry);
      core_workgroup_free(w->workgroup);
      pool_finish(&w->pool);
   }
   free(g->worker);
   if (g->cache)
      core_cache_destroy(g->cache);
   pool_finish(&g->pool);
   pool_finish(&g->old_pool);
   free(g->batches);
   free(g->batch_draw);
   pthread_mutex_destroy(&g->fault_lock);
   free(g);
}

static void
report(struct gfx *g, bool cut, const char *format, va_list args)
{
   char text[sizeof(g->cut)];

   vsnprintf(text, sizeof(text), format, args);
   pthread_mutex_lock(&g->fault_lock);
   g->counters.faults++;
   if (cut && !g->cut[0])
      memcpy(g->cut, text, sizeof(text));
   if (g->options.report)
      g->options.report(g->options.report_data, text);
   pthread_mutex_unlock(&g->fault_lock);
}

void
gfx_fault(struct gfx *g, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   report(g, false, format, args);
   va_end(args);
}

void
gfx_cut(struct gfx *g, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   report(g, true, format, args);
   va_end(args);
}

void
gfx_drop(struct gfx *g, const char *what, const char *why)
{
   const bool no_memory = !strcmp(why, NO_MEMORY);

   (no_memory ? gfx_cut : gfx_fault)(g, "%s dropped: %s", what, why);
}

const struct gfx_counters *
gfx_counters(const struct gfx *g)
{
   return &g->counters;
}

uint32_t
gfx_stream_offset(struct gfx *g, unsigned buffer)
{
   return g->stream_offset[buffer & 3];
}

void
gfx_set_stream_offset(struct gfx *g, unsigned buffer, uint32_t dwords)
{
   g->stream_offset[buffer & 3] = dwords;
}

/* ---- Executing ---- */

static void
run_batch(void *data, unsigned worker, uint32_t item)
{
   struct gfx *g = data;

   g->options.kernels->front_run(&g->worker[worker], g->draws[g->batch_draw[item]],
                                 &g->batches[item]);
}

static void
run_tile(void *data, unsigned worker, uint32_t item)
{
   struct gfx *g = data;
   const uint32_t row = item / g->chunk_tiles_x;

   g->options.kernels->tile_run(&g->worker[worker], g->by_rows ? &g->row[row] : &g->pass,
                                g->first_tile_x + item % g->chunk_tiles_x, g->first_tile_y + row);
}

/* Front end of the chunk's batches.  They go in order where one continues the one before: the
 * pattern of stippled lines, and the offsets in buffers of vertices that a geometry shader made. */
static void
run_front(struct gfx *g, uint32_t vertices)
{
   bool ordered = false;

   for (uint32_t i = 0; i < g->num_batches; i++) {
      const struct draw_state *s = g->draws[g->batch_draw[i]];

      ordered |=
         s->pa->line_stipple || (s->geometry && s->vgt->streams.buffers) || s->ordered_front;
   }
   times_phase(g->times, TIMES_FRONT);
   workers_run(g->workers, run_batch, g, g->num_batches, ordered || vertices < ALONE_VERTICES);
}

/* The tiles that a draw's batches lie in; returns how many pixels their rectangles have. */
static uint64_t
find_tiles(struct pass_draw *d)
{
   uint64_t pixels = 0;

   d->tile_x0 = d->tile_y0 = INT16_MAX;
   d->tile_x1 = d->tile_y1 = -1;
   for (uint32_t i = 0; i < d->num_batches; i++) {
      const struct batch *b = &d->batches[i];

      if (b->tile_x1 < b->tile_x0)
         continue;
      d->tile_x0 = b->tile_x0 < d->tile_x0 ? b->tile_x0 : d->tile_x0;
      d->tile_y0 = b->tile_y0 < d->tile_y0 ? b->tile_y0 : d->tile_y0;
      d->tile_x1 = b->tile_x1 > d->tile_x1 ? b->tile_x1 : d->tile_x1;
      d->tile_y1 = b->tile_y1 > d->tile_y1 ? b->tile_y1 : d->tile_y1;
      pixels += b->pixels;
   }
   return pixels;
}

#define FEW_DRAWS 8u

/* Lists the draws of `count` rows of tiles from `first` on, so that no tile looks at all draws of
 * all rows.  False: it would not be worth it. */
static bool
list_rows(struct gfx *g, int32_t first, uint32_t count)
{
   struct pass_draw *next = g->row_draws;
   uint32_t total = 0;

   if (g->pass.num_draws <= FEW_DRAWS || count == 1 || count > PASS_ROWS)
      return false;
   for (uint32_t i = 0; i < g->pass.num_draws; i++) {
      const struct pass_draw *d = &g->chunk_draws[i];

      total += d->tile_x1 < d->tile_x0 ? 0 : (uint32_t)(d->tile_y1 - d->tile_y0 + 1);
   }
   if (total > PASS_ROW_DRAWS || total > g->pass.num_draws * count / 2)
      return false;
   for (uint32_t n = 0; n < count; n++)
      g->row[n].num_draws = 0;
   for (uint32_t i = 0; i < g->pass.num_draws; i++) {
      const struct pass_draw *d = &g->chunk_draws[i];

      for (int32_t y = d->tile_y0; d->tile_x1 >= d->tile_x0 && y <= d->tile_y1; y++)
         g->row[y - first].num_draws++;
   }
   for (uint32_t n = 0; n < count; n++) {
      struct pass row = g->pass;

      row.draws = next;
      next += g->row[n].num_draws;
      row.num_draws = 0;
      g->row[n] = row;
   }
   for (uint32_t i = 0; i < g->pass.num_draws; i++) {
      const struct pass_draw *d = &g->chunk_draws[i];

      for (int32_t y = d->tile_y0; d->tile_x1 >= d->tile_x0 && y <= d->tile_y1; y++) {
         struct pass *row = &g->row[y - first];

         row->draws[row->num_draws++] = *d;
      }
   }
   return true;
}

static void
run_tiles(struct gfx *g)
{
   int32_t x0 = INT32_MAX, y0 = INT32_MAX, x1 = -1, y1 = -1;
   uint64_t pixels = 0;

   for (uint32_t i = 0; i < g->pass.num_draws; i++) {
      struct pass_draw *d = &g->chunk_draws[i];

      pixels += find_tiles(d);
      if (d->tile_x1 < d->tile_x0)
         continue;
      x0 = d->tile_x0 < x0 ? d->tile_x0 : x0;
      y0 = d->tile_y0 < y0 ? d->tile_y0 : y0;
      x1 = d->tile_x1 > x1 ? d->tile_x1 : x1;
      y1 = d->tile_y1 > y1 ? d->tile_y1 : y1;
   }
   if (x1 < x0)
      return;
   g->first_tile_x = x0;
   g->first_tile_y = y0;
   g->chunk_tiles_x = x1 - x0 + 1;
   g->by_rows = list_rows(g, y0, (uint32_t)(y1 - y0 + 1));
   g->spent += COST_TILE * g->chunk_tiles_x * (y1 - y0 + 1) + pixels / COST_PIXELS;
   if (!gfx_begin_chunk(g))
      return;

   /* Where the order of a draw's writes to memory can be seen, it is alone in its pass. */
   const bool ordered = g->pass.draws[0].state->ordered_tiles;

   times_phase(g->times, TIMES_TILES);
   workers_run(g->workers, run_tile, g, g->chunk_tiles_x * (y1 - y0 + 1),
               ordered || pixels < ALONE_PIXELS);
}

void
gfx_add_counters(struct gfx *g)
{
   for (unsigned i = 0; i < g->options.threads; i++) {
      struct gfx_counters *c = &g->worker[i].counters, *t = &g->counters;

      t->samples_passed += c->samples_passed;
      t->vs_invocations += c->vs_invocations;
      t->hs_invocations += c->hs_invocations;
      t->ds_invocations += c->ds_invocations;
      t->gs_invocations += c->gs_invocations;
      t->gs_primitives += c->gs_primitives;
      for (unsigned n = 0; n < 4; n++) {
         t->stream_needed[n] += c->stream_needed[n];
         t->stream_written[n] += c->stream_written[n];
      }
      t->clip_invocations += c->clip_invocations;
      t->clip_primitives += c->clip_primitives;
      t->ps_invocations += c->ps_invocations;
      t->cs_invocations += c->cs_invocations;
      t->waves += c->waves;
      t->cycles += c->cycles;
      memset(c, 0, sizeof(*c));
      g->spent += g->worker[i].spent;
      g->worker[i].spent = 0;
   }
}

void
gfx_begin(struct gfx *g, const struct gfx_limits *limits)
{
   times_begin(g->times);
   g->budget = limits->cycles;
   g->spent = 0;
   g->first_cycle = g->counters.cycles;
   g->submission++;
   g->num_dispatched = 0;
   g->exhausted = false;
   g->cut[0] = 0;
   if (atomic_exchange(&g->abandoned, false))
      set_expired(g, false);
   watchdog_begin(g->watchdog, limits->host_ns, limits->wall_ns);
}

void
gfx_end(struct gfx *g)
{
   watchdog_end(g->watchdog);
   times_end(g->times);
}

const char *
gfx_was_cut(const struct gfx *g)
{
   return g->cut[0] ? g->cut : NULL;
}

static uint64_t
spent(const struct gfx *g)
{
   return g->spent + (g->counters.cycles - g->first_cycle);
}

/* Whether there are so many cycles, and time. */
static bool
affords(const struct gfx *g, uint64_t cycles)
{
   const uint64_t all = spent(g) + cycles;

   return (!g->budget || (all <= g->budget && all >= cycles)) && !watchdog_said(g->watchdog);
}

uint32_t
gfx_next_draw(const struct gfx *g, uint32_t *submission)
{
   *submission = g->submission;
   return g->num_dispatched;
}

/* Nothing more is begun. */
static void
exhaust(struct gfx *g)
{
   const char *const why = watchdog_said(g->watchdog) ? "the time of the submission is used up"
                                                      : "the submission's budget is exhausted";
   const uint32_t newest = g->num_dispatched ? g->num_dispatched - 1 : 0;
   const struct draw_state *first = g->num_draws ? g->draws[0] : NULL;
   const struct core_program *program = first ? first->ps->program : g->computes;

   if (g->exhausted)
      return;
   g->exhausted = true;
   if (!program && !g->num_dispatched)
      gfx_cut(g, "%s: what is left of its copies is dropped", why);
   else if (!program)
      gfx_cut(g, "%s: what follows draw or dispatch %u is dropped", why, newest);
   else if (first)
      gfx_cut(g, "%s in draws %u to %u, the first with a pixel program of %u words at 0x%llX", why,
              first->number, newest, program->words_used, (unsigned long long)program->va);
   else
      gfx_cut(g, "%s in dispatch %u, of a program of %u words at 0x%llX", why, newest,
              program->words_used, (unsigned long long)program->va);
}

bool
gfx_within_budget(struct gfx *g)
{
   if (!g->exhausted && !affords(g, 0))
      exhaust(g);
   return !g->exhausted;
}

bool
gfx_affords(const struct gfx *g, uint64_t cycles)
{
   return !g->exhausted && affords(g, cycles);
}

bool
gfx_spend(struct gfx *g, uint64_t cycles)
{
   if (gfx_affords(g, cycles))
      g->spent += cycles;
   else
      exhaust(g);
   return !g->exhausted;
}

/* What was admitted before it was exhausted still runs. */
bool
gfx_begin_chunk(struct gfx *g)
{
   const uint64_t left = g->budget ? g->budget - spent(g) : CORE_CYCLES_MAX;

   if (!affords(g, 0)) {
      exhaust(g);
      return false;
   }
   for (unsigned i = 0; i < g->options.threads; i++)
      g->worker[i].watch.cycles = left ? left : 1;
   return true;
}

static void
run_chunk(struct gfx *g, uint32_t vertices)
{
   uint32_t first = 0;

   g->pass.num_draws = 0;
   g->pass.draws = g->chunk_draws;
   while (first < g->num_batches) {
      uint32_t end = first;

      while (end < g->num_batches && g->batch_draw[end] == g->batch_draw[first])
         end++;
      g->chunk_draws[g->pass.num_draws++] = (struct pass_draw){
         .state = g->draws[g->batch_draw[first]],
         .batches = &g->batches[first],
         .num_batches = end - first,
      };
      first = end;
   }
   if (gfx_begin_chunk(g)) {
      run_front(g, vertices);
      for (uint32_t n = 0; n < g->num_batches; n++) {
         const struct draw_state *s = g->draws[g->batch_draw[n]];

         if (s->probe)
            probe_missed(s->probe, g->options.kernels, &g->worker[0], s, &g->batches[n]);
      }
      run_tiles(g);
   }
   for (uint32_t n = 0; n < g->num_batches; n++)
      if (!n || g->batch_draw[n] != g->batch_draw[n - 1])
         g->draws[g->batch_draw[n]]->round++;
   gfx_add_counters(g);
   gfx_within_budget(g);
   for (unsigned i = 0; i < g->options.threads; i++)
      pool_reset(&g->worker[i].pool);
   g->num_batches = 0;
}

void
gfx_trim(struct gfx *g)
{
   if (core_cache_bytes(g->cache) <= CACHE_BYTES)
      return;
   /* Down to less, so that not every program that comes sends another away. */
   core_cache_trim(g->cache, CACHE_BYTES / 4 * 3);
   g->last = NULL;
   g->passes++;
}

void
gfx_flush(struct gfx *g)
{
   uint32_t prims = 0, vertices = 0;
   uint64_t output = 0;

   g->passes++;
   if (!g->num_draws)
      return;
   for (uint32_t d = 0; d < g->num_draws; d++) {
      const struct vgt_state *v = g->draws[d]->vgt;
      const uint64_t total = (uint64_t)v->prims_per_instance * v->instances;

      for (uint64_t first = 0; first < total; first += v->batch_prims) {
         const uint32_t count = total - first < v->batch_prims ? total - first : v->batch_prims;
         const uint64_t weight = v->gs || v->tess ? (uint64_t)count * v->weight : 0;

         if (!gfx_spend(g, COST_PRIM * (uint64_t)count))
            break;
         if (prims + count > CHUNK_PRIMS || g->num_batches == g->max_batches ||
             (output && output + weight > CHUNK_OUTPUT)) {
            run_chunk(g, vertices);
            prims = vertices = 0;
            output = 0;
         }
         g->batch_draw[g->num_batches] = d;
         g->batches[g->num_batches++] = (struct batch){ .first = first, .count = count };
         prims += count;
         vertices += count * v->in_verts;
         output += weight;
      }
   }
   if (g->num_batches)
      run_chunk(g, vertices);

   /* The last draw's derived state serves the next pass, so its storage goes one pass later. */
   const struct pool pool = g->old_pool;

   g->old_pool = g->pool;
   g->pool = pool;
   pool_reset(&g->pool);
   g->num_draws = 0;
   gfx_trim(g);
}
