/* SPDX-License-Identifier: MIT */
/*
 * Draws become passes: a draw that a chip hands over joins the running pass or splits it, and is
 * appended; see pass.h.
 *
 * A draw joins the running pass when it has the same targets and reads nothing that the pass
 * writes.  One that differs from the last draw in vertices alone, or in what the vertex program
 * reads of constants, becomes a part of that.  What
 * decides is ready state alone, and before anything is bound, so that a draw which begins the next
 * pass is bound in that one's storage.
 */
#include <stddef.h>
#include <stdio.h>

#include "core/cache.h"
#include "memory/pool.h"
#include "memory/vm.h"
#include "pass/drawn.h"
#include "pass/internal.h"
#include "pass/probe.h"
#include "pass/quads.h"
#include "pass/stages.h"
#include "vgt/geometry.h"

#define PASS_BYTES       ((size_t)32 << 20) /* of draws' states and binds */
#define PASS_CACHE_BYTES (4 * CACHE_BYTES)  /* at which a pass ends, for it uses them */

#define COST_INDICES 16u /* indices a cycle, that are searched for restarts */

/* ---- Streamout ---- */

/* The buffers that streamout writes. */
static void
bind_streamout(struct gfx *g, struct draw_state *s)
{
   const struct vgt_streams *streams = &s->vgt->streams;

   for (unsigned b = 0; b < VGT_STREAMS; b++) {
      struct core_stream_buffer *out = &s->vs->stream[b];

      if (s->geometry)
         s->geometry->stream_offset[b] = (uint64_t)g->stream_offset[b] * 4;
      if (!(streams->buffers >> b & 1))
         continue;
      out->bytes = vm_extent(s->vm, streams->va[b], streams->size[b]);
      out->base = out->bytes ? vm_pointer(s->vm, streams->va[b]) : NULL;
      out->stride = streams->stride[b];
      out->offset = (uint64_t)g->stream_offset[b] * 4;
   }
}

/* Streamout of stream 0 without stages in between: how many of the draw's primitives fit. */
static void
set_streamout(struct gfx *g, struct draw_state *s)
{
   const struct vgt_streams *streams = &s->vgt->streams;
   const uint8_t enabled = streams->of_stream[0];
   const uint64_t total = (uint64_t)s->vgt->prims_per_instance * s->vgt->instances;
   uint64_t fit = enabled ? total : 0;

   for (unsigned b = 0; b < VGT_STREAMS; b++) {
      const uint64_t size = streams->size[b], offset = s->vs->stream[b].offset;
      const uint64_t each = (uint64_t)streams->stride[b] * s->vgt->verts_per_prim;

      if (!(enabled >> b & 1) || !each)
         continue;
      /* A primitive goes to all buffers or to none. */
      const uint64_t room = size > offset ? (size - offset) / each : 0;

      fit = room < fit ? room : fit;
   }
   s->vgt->stream_prims = fit;
   g->counters.stream_needed[0] += total;
   if (!enabled)
      return;
   g->counters.stream_written[0] += fit;
   for (unsigned b = 0; b < VGT_STREAMS; b++)
      if (enabled >> b & 1)
         g->stream_offset[b] += fit * s->vgt->verts_per_prim * (streams->stride[b] / 4);
}

/* ---- Gathering: a draw joins the pass or splits it, and is appended ---- */

bool
gfx_begin_draw(struct gfx *g)
{
   if (!gfx_within_budget(g))
      return false;
   if (g->num_draws == PASS_DRAWS || pool_size(&g->pool) > PASS_BYTES ||
       core_cache_bytes(g->cache) > PASS_CACHE_BYTES)
      gfx_flush(g);
   /* The draws before may all have come to nothing, and of such no pass makes an end. */
   if (!g->num_draws)
      gfx_trim(g);
   return true;
}

const struct core_program *
gfx_find(struct gfx *g, const struct bind_source *source, const char **why)
{
   return g->options.binder->find(g->cache, source, why);
}

const char *
gfx_find_stages(struct gfx *g, struct stages *st)
{
   for (unsigned n = 0; n < STAGES; n++) {
      const char *why;

      if (st->source[n] && !(st->program[n] = gfx_find(g, st->source[n], &why)))
         return why;
   }
   return NULL;
}

const struct kernels *
gfx_kernels(const struct gfx *g)
{
   return g->options.kernels;
}

struct pool *
gfx_pool(struct gfx *g)
{
   return &g->pool;
}

uint64_t
gfx_number(struct gfx *g)
{
   return ++g->numbers;
}

uint64_t
gfx_pass(const struct gfx *g)
{
   return g->passes + 1;
}

static unsigned
target_ranges(const struct gfx_draw *draw, struct target_range range[CB_TARGETS + 2])
{
   const unsigned n = cb_ranges(draw->cb, range);

   return n + db_ranges(draw->db, range + n);
}

/* The draw before, if it has this one's state and programs, and no stages in between. */
static const struct draw_state *
last_alike(const struct gfx *g, const struct gfx_draw *draw)
{
   const struct stages *st = draw->stages;

   return g->last && g->last_state == draw->state && !g->last->geometry && !draw->geometry &&
                g->last->vs->program == st->program[STAGE_VS] &&
                g->last->ps->program == st->program[STAGE_PS]
             ? g->last
             : NULL;
}

/* Whether the draw's programs find in memory what the last draw's do, but for constants. */
static bool
finds_alike(const struct gfx *g, const struct gfx_draw *draw)
{
   return g->last_tables == draw->tables && last_alike(g, draw);
}

/* Whether constants lie where the last draw's do. */
static bool
same_constants(const struct gfx *g, const struct gfx_draw *draw)
{
   return draw->constants && g->last_constants == draw->constants;
}

/* Whether the draw joins a pass if the last one did: it may differ in constants alone. */
static bool
joins_as_last(const struct gfx *g, const struct gfx_draw *draw)
{
   const struct binder *binder = g->options.binder;
   struct target_range range[CB_TARGETS + 2];
   unsigned n;

   if (same_constants(g, draw))
      return true;
   n = target_ranges(draw, range);
   for (unsigned i = 0; i < n; i++)
      for (unsigned k = STAGE_VS; k <= STAGE_PS; k++)
         if (binder->reads_constants(draw->stages->program[k], draw->stages->source[k], range[i]))
            return false;
   return true;
}

/* Whether the draw may join the running pass: same targets, no reading of what the pass writes, and
 * no writing of what it may read. */
static bool
joins(const struct gfx *g, const struct gfx_draw *draw)
{
   const struct draw_state *first = g->draws[0];
   struct target_range range[CB_TARGETS + 2];
   unsigned n;

   if (draw->vgt->streams.buffers || stages_write_memory(draw->stages) || draw->vm != first->vm)
      return false;
   if (g->num_draws > 1 && finds_alike(g, draw) && g->options.binder->reads_constants)
      return joins_as_last(g, draw);
   if (!cb_same_targets(first->cb, draw->cb) || !db_same_targets(first->db, draw->db))
      return false;
   n = target_ranges(draw, range);
   for (unsigned i = 0; i < n; i++)
      if (stages_read(g, draw->stages, range[i]))
         return false;
   return true;
}

/* Whether the pixel shader reads what the draw itself writes.  Other stages' reading of that has no
 * order. */
static bool
reads_targets(const struct gfx *g, const struct gfx_draw *draw)
{
   struct target_range range[CB_TARGETS + 2];
   const unsigned n = target_ranges(draw, range);

   for (unsigned i = 0; i < n; i++)
      if (stages_pixels_read(g, draw->stages, range[i]))
         return true;
   return false;
}

/* The draw's state in the pass's storage.  Where the draw before is alike, its blocks' states are
 * shared within a pass, and copied from one pass to the next.  NULL: no memory. */
static struct draw_state *
make_state(struct gfx *g, const struct gfx_draw *draw, const struct draw_state *alike)
{
   const bool shares = alike && g->num_draws;
   const struct core_program *ps = draw->stages->program[STAGE_PS];
   struct drawn *d = pool_alloc(&g->pool, shares ? offsetof(struct drawn, pa) : sizeof(*d));
   struct draw_state *s;

   if (!d)
      return NULL;
   s = &d->head;
   if (shares) {
      *s = *alike;
      s->vgt = &d->vgt;
   } else {
      *s = (struct draw_state){ 0 };
      drawn_link(d);
      drawn_take(d, draw, alike);
   }
   if (!alike) {
      s->spi->entry = *binder_entry(ps, draw->stages->source[STAGE_PS], &s->spi->entry);
      spi_program(s->spi, ps);
   }
   *s->vgt = *draw->vgt;
   s->geometry = NULL;
   s->vm = draw->vm;
   s->rasterises = !s->pa->kill_all;
   s->stipple_count = 0.0f;
   return s;
}

/* The stages between VGT and the last vertex shader.  False: no memory. */
static bool
make_geometry(struct gfx *g, struct draw_state *s, const struct gfx_draw *draw)
{
   if (!draw->geometry)
      return true;
   s->geometry = pool_alloc(&g->pool, sizeof(*s->geometry));
   if (!s->geometry)
      return false;
   *s->geometry = *draw->geometry;
   geometry_begin(s->geometry, s->vgt);
   return true;
}

/* Remembers what the draw's programs read that is not in its tables. */
static void
note_constants(struct gfx *g, const struct gfx_draw *draw, const struct core_bind *vs)
{
   g->last_constants = draw->constants;
   g->last_base_vertex = draw->base_vertex;
   g->last_start_instance = draw->start_instance;
   g->last_vs = vs;
}

/* Adds the draw to the pass.  NULL: there is nothing to draw. */
static struct draw_state *
append(struct gfx *g, const struct gfx_draw *draw)
{
   const struct stages *st = draw->stages;
   const struct draw_state *alike = last_alike(g, draw);
   struct draw_state *s = make_state(g, draw, alike);
   /* What is bound is printed, so each draw binds its own. */
   const bool keeps = g->last_tables == draw->tables && !g->trace_samplers;
   const char *why = NO_MEMORY;

   if (s) {
      why = vgt_begin(s->vgt, draw, &g->pool, &g->worker[0].watch);
      g->spent += s->vgt->segments_read / COST_INDICES;
      /* The search for segments may have used up what there was. */
      if (why && !gfx_within_budget(g))
         return NULL;
      if (!why && !s->vgt->prims_per_instance)
         return NULL;
   }
   if (g->trace_samplers && !why)
      fprintf(stderr, "td: draw %u\n", g->num_dispatched);
   if (!why && (!make_geometry(g, s, draw) || !stages_bind(g, s, st, keeps ? alike : NULL)))
      why = NO_MEMORY;
   if (why) {
      gfx_drop(g, "draw", why);
      return NULL;
   }
   /* A draw that joins others reads nothing that they, and so itself, write; but for what lies in
    * the tile at hand, which all of a pass's draws write in order. */
   s->reads_targets = st->program[STAGE_PS]->loads_tile || st->program[STAGE_PS]->stores_tile ||
                      (!g->num_draws && reads_targets(g, draw));
   /* That of a draw which is alike, but for reading its targets. */
   if (!alike || !g->num_draws || s->reads_targets != alike->reads_targets)
      s->quads = quads_key(s);
   g->counters.ia_vertices += (uint64_t)s->vgt->ia_vertices * s->vgt->instances;
   g->counters.ia_primitives += (uint64_t)s->vgt->ia_prims * s->vgt->instances;
   if (s->vgt->streams.buffers)
      bind_streamout(g, s);
   if ((s->vgt->streams.on & 1) && !s->geometry)
      set_streamout(g, s);
   s->index = g->num_draws;
   s->submission = g->submission;
   s->number = g->num_dispatched++;
   s->round = 0;
   s->probe = g->probe && probe_draw(g->probe, s) ? g->probe : NULL;
   if (g->trace_pixels)
      quads_print(s);
   g->draws[g->num_draws++] = s;
   g->last = s;
   g->last_state = draw->state;
   g->last_tables = draw->tables;
   note_constants(g, draw, s->vs);
   return s;
}

/* Whether the draw's pixels are made as the last one's.  Textures and the like are the same. */
static bool
same_pixels(const struct gfx *g, const struct gfx_draw *draw)
{
   const struct binder *binder = g->options.binder;

   /* What is bound is printed, so each draw binds its own. */
   return !g->trace_samplers && binder->has_constants &&
          binder->has_constants(g->last->ps, draw->stages->source[STAGE_PS]) &&
          joins_as_last(g, draw);
}

/* Adds the draw's primitives to those of the last one, where nothing tells the two apart but what
 * their vertices are made with.  False: they must stay two. */
static bool
extend_last(struct gfx *g, const struct gfx_draw *draw)
{
   struct draw_state *last = g->last;
   const struct core_bind *vs = NULL;
   uint64_t vertices, prims;

   if (!g->num_draws || g->probe || g->observer || !finds_alike(g, draw) || last->reads_targets ||
       last->pa->line_stipple || !vgt_may_continue(last->vgt, draw))
      return false;
   if (!same_constants(g, draw) || draw->base_vertex != g->last_base_vertex ||
       draw->start_instance != g->last_start_instance) {
      vs = same_pixels(g, draw) ? stages_rebind_vertices(g, last, draw->stages, g->last_vs) : NULL;
      if (!vs)
         return false;
   }
   vertices = last->vgt->ia_vertices;
   prims = last->vgt->ia_prims;
   if (!vgt_continue(last->vgt, draw, vs, &g->pool))
      return false;
   if (vs)
      note_constants(g, draw, vs);
   g->counters.ia_vertices += last->vgt->ia_vertices - vertices;
   g->counters.ia_primitives += last->vgt->ia_prims - prims;
   g->num_dispatched++;
   return true;
}

void
gfx_draw(struct gfx *g, const struct gfx_draw *draw)
{
   struct draw_state *s;

   if (extend_last(g, draw))
      return;
   if (g->num_draws && !joins(g, draw))
      gfx_flush(g);
   s = append(g, draw);
   if (!s || (!s->vgt->streams.buffers && !s->writes_memory))
      return;
   gfx_flush(g);
   /* What was flushed is still there until the next flush. */
   for (unsigned b = 0; s->geometry && s->vgt->streams.buffers && b < VGT_STREAMS; b++)
      g->stream_offset[b] = s->geometry->stream_offset[b] / 4;
}
