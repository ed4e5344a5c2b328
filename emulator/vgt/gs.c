/* SPDX-License-Identifier: MIT */
/*
 * The front end of a batch with a geometry shader: ES waves fill the worker's ESGS ring, GS waves
 * read it and fill the GSVS ring, and what they emitted goes through the copy shader (VS) to
 * streamout and PA (see geometry.h).
 *
 * Emitted vertices are strips; they become points, lines and triangles, which fill the front's
 * lists.  A full list is run and emptied, so a batch's output may be of any size.  Streams are done
 * one after the other: they share neither vertices nor buffers.
 */
#include "vgt/geometry.h"

#include <string.h>

#include "memory/vm.h"
#include "vgt/gather.h"
#include "vgt/vgt.h"

/* Clears a ring, of which `dwords` are used from now on.  Programs may read what nobody wrote: that
 * must not depend on what the worker did before. */
static void
start_ring(uint32_t *ring, uint64_t *used, uint64_t dwords)
{
   memset(ring, 0, (dwords > *used ? dwords : *used) * sizeof(*ring));
   *used = dwords;
}

/* Runs ES over the list's vertices. */
static void
run_es(struct front *f, struct geometry_store *store, const struct front_stage *stage)
{
   const struct geometry *g = f->draw->geometry;
   struct core_rings *rings = &store->rings;

   start_ring(store->esgs, &store->esgs_used, (uint64_t)f->num_verts * g->es_item);
   memset(rings->ring, 0, sizeof(rings->ring));
   for (uint32_t base = 0; base < f->num_verts; base += WAVE_LANES) {
      const unsigned lanes = f->num_verts - base < WAVE_LANES ? f->num_verts - base : WAVE_LANES;

      rings->ring[0] = (struct core_ring){
         .base = store->esgs,
         .first = base * g->es_item,
         .stride = g->es_item,
         .item = g->es_item,
      };
      K(front_wave)(f, stage, base, lanes);
   }
}

/* Runs GS for lanes base .. base + lanes of the batch. */
static void
run_gs(struct front *f, struct geometry_store *store, uint32_t base, unsigned lanes)
{
   const struct geometry *g = f->draw->geometry;
   struct core_rings *rings = &store->rings;
   struct worker *worker = f->worker;
   const struct core_entry *entry = store->gs->entry;
   uint32_t *vertex[GEOMETRY_IN_VERTS];
   uint32_t *primitive = core_entry_row(entry, worker->rows, CORE_PRIMITIVE);
   uint32_t *invocation = core_entry_row(entry, worker->rows, CORE_INVOCATION);

   for (unsigned k = 0; k < GEOMETRY_IN_VERTS; k++)
      vertex[k] = core_entry_row(entry, worker->rows, CORE_RING_VERTEX + k);
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      const uint32_t lane = base + (l < lanes ? l : 0);
      const uint32_t prim = lane / g->invocations;

      for (unsigned k = 0; k < GEOMETRY_IN_VERTS; k++)
         if (vertex[k])
            vertex[k][l] = k < g->gs_verts ? store->prim[prim][k] * g->es_item : 0;
      if (primitive)
         primitive[l] = store->prim_id[prim];
      if (invocation)
         invocation[l] = lane % g->invocations;
   }
   for (unsigned s = 0; s < CORE_STREAMS; s++) {
      rings->ring[s] = (struct core_ring){
         .base = g->stream_item[s] ? store->gsvs : NULL,
         .first = base * g->gs_item + g->stream_first[s],
         .stride = g->gs_item,
         .item = g->stream_item[s],
      };
      memset(rings->emitted[s], 0, sizeof(rings->emitted[s]));
      memset(rings->restart[s], 0, (g->max_verts / 32 + 1) * sizeof(rings->restart[s][0]));
   }
   rings->max_verts = g->max_verts;
   f->wave.rings = rings;
   f->wave.group = NULL;
   f->wave.stream_lanes = 0;
   K(front_launch)(f, store->gs, CORE_GEOMETRY, lanes);
   worker->counters.gs_invocations += lanes;
}

/* Primitives that fit into all of the stream's buffers; the buffers then move on. */
static uint64_t
capture_prims(const struct front_output *o, uint64_t prims)
{
   uint64_t *offset = o->f->draw->geometry->stream_offset;
   const struct vgt_streams *out = &o->f->draw->vgt->streams;
   const unsigned verts = o->f->draw->vgt->verts_per_prim;
   uint64_t fit = prims;

   for (unsigned b = 0; b < CORE_STREAMS; b++) {
      const uint64_t each = (uint64_t)out->stride[b] * verts;
      const uint64_t left = out->size[b] > offset[b] ? out->size[b] - offset[b] : 0;

      if (!(out->of_stream[o->stream] >> b & 1) || !each)
         continue;
      fit = left / each < fit ? left / each : fit;
      o->bind->stream[b].offset = offset[b];
   }
   for (unsigned b = 0; b < CORE_STREAMS; b++)
      if (out->of_stream[o->stream] >> b & 1)
         offset[b] += fit * out->stride[b] * verts;
   return fit;
}

void
K(front_flush)(const struct front_output *o)
{
   struct front *f = o->f;
   struct gfx_counters *c = &f->worker->counters;

   if (!f->num_prims)
      return;
   f->stream_slot = f->stream_verts = 0;
   c->cycles += (uint64_t)COST_PRIM * f->num_prims;
   if (o->capture) {
      const uint64_t fit = capture_prims(o, f->num_prims);

      c->stream_written[o->stream] += fit;
      f->stream_verts = fit * f->draw->vgt->verts_per_prim;
   }
   /* A program that writes memory runs though nobody takes its vertices. */
   if (o->draw || f->stream_verts || o->bind->program->writes_memory)
      K(front_vertices)(f, &o->stage, o->draw);
   gather_start(f);
}

/* Vertices first .. first + count of a lane are a strip; `offset` is of the lane's stream. */
static void
add_strip(const struct front_output *o, uint32_t offset, uint32_t first, uint32_t count)
{
   struct front *f = o->f;
   const struct vgt_state *s = f->draw->vgt;
   const struct geometry *g = f->draw->geometry;
   const uint32_t prims = vgt_prims(g->out_topology, count);
   struct gfx_counters *c = &f->worker->counters;

   c->gs_primitives += prims;
   if (s->streams.on >> o->stream & 1)
      c->stream_needed[o->stream] += prims;
   if (!o->draw && !o->capture)
      return;
   for (uint32_t n = 0; n < prims; n++) {
      const struct vgt_prim p = vgt_primitive(g->out_topology, s->provoking_last, count, n);
      uint32_t i;

      if (f->num_prims == BATCH_PRIMS || f->num_verts + 3 > BATCH_VERTS)
         K(front_flush)(o);
      i = f->num_prims++;
      for (unsigned k = 0; k < s->verts_per_prim; k++) {
         const uint32_t at = (offset + (first + p.pos[k]) * g->vert_item[o->stream]) & 0x3fffffff;
         const uint32_t key = at | o->stream << 30;

         f->prim[i][k] = o->capture ? gather_add(f, key, 0, 0) : gather_reuse(f, key, 0, 0);
      }
      f->provoking[i] = p.provoking;
      f->edges[i] = 7;
      f->first_of_strip[i] = n == 0;
      f->prim_number[i] = 0;
   }
}

static void
output_stream(const struct front_output *o, uint32_t base, unsigned lanes)
{
   const struct geometry *g = o->f->draw->geometry;
   const struct core_rings *rings = &o->f->worker->geometry->rings;

   gather_start(o->f);
   for (unsigned l = 0; l < lanes; l++) {
      const uint32_t offset = (base + l) * g->gs_item + g->stream_first[o->stream];
      const uint32_t emitted = rings->emitted[o->stream][l];
      const uint32_t count = emitted < g->max_verts ? emitted : g->max_verts;
      uint32_t first = 0;

      for (uint32_t v = 1; v <= count; v++) {
         if (v < count && !(rings->restart[o->stream][v / 32][l] >> v % 32 & 1))
            continue;
         add_strip(o, offset, first, v - first);
         first = v;
      }
   }
   K(front_flush)(o);
}

/* The worker's copy of a draw's bind. */
static struct core_bind *
bind_ring(struct front *f, const struct core_bind *bind, const uint32_t *ring, uint64_t dwords)
{
   struct core_bind *out = bind->program->engine->with_ring(bind, ring, dwords, &f->worker->pool);

   f->out_of_memory |= !out;
   return out;
}

bool
K(front_bind_gs)(struct front *f)
{
   const struct draw_state *draw = f->draw;
   const struct geometry *g = draw->geometry;
   struct geometry_store *store = f->worker->geometry;

   store->gs = bind_ring(f, g->gs, store->esgs, store->esgs_dwords);
   store->vs = bind_ring(f, draw->vs, store->gsvs, store->gsvs_dwords);
   return store->gs && store->vs;
}

bool
K(front_bind_copy)(struct front *f)
{
   struct geometry_store *store = f->worker->geometry;

   store->vs = bind_ring(f, f->draw->vs, NULL, 0);
   return store->vs;
}

void
K(front_run_gs)(struct front *f, const struct front_stage *es)
{
   const struct draw_state *draw = f->draw;
   const struct geometry *g = draw->geometry;
   struct geometry_store *store = f->worker->geometry;
   const uint32_t lanes = store->num_prims * g->invocations;

   run_es(f, store, es);
   start_ring(store->gsvs, &store->gsvs_used, (uint64_t)lanes * g->gs_item);
   for (uint32_t base = 0; base < lanes; base += WAVE_LANES) {
      const unsigned num = lanes - base < WAVE_LANES ? lanes - base : WAVE_LANES;

      run_gs(f, store, base, num);
      if (core_expired(&f->worker->watch))
         break;
      for (unsigned s = 0; s < CORE_STREAMS; s++) {
         const struct front_output o = {
            .f = f,
            .bind = store->vs,
            .stage = { .bind = store->vs,
                       .stage = CORE_COPY,
                       .stream = draw->vgt->streams.of_stream[s] },
            .stream = s,
            .draw = (g->raster_streams >> s & 1) && draw->rasterises,
            .capture = draw->vgt->streams.of_stream[s],
         };

         output_stream(&o, base, num);
      }
   }
   store->num_prims = 0;
   gather_start(f);
}

void
K(front_geometry)(struct front *f)
{
   const struct vgt_state *s = f->draw->vgt;
   struct geometry_store *store = f->worker->geometry;
   const struct front_stage es = {
      .bind = f->draw->geometry->es,
      .stage = CORE_VERTEX,
      .rings = &store->rings,
   };
   struct gather_walk w = gather_walk(s, f->batch->first);

   if (!K(front_bind_gs)(f))
      return;
   gather_start(f);
   store->num_prims = f->batch->count;
   for (uint32_t i = 0; i < store->num_prims; i++, gather_next(&w)) {
      uint32_t pos[GEOMETRY_IN_VERTS];

      geometry_primitive(s->topology, w.seg->count, w.prim - w.seg->first_prim, pos);
      for (unsigned k = 0; k < s->in_verts; k++)
         store->prim[i][k] =
            gather_reuse(f, gather_index(s, w.seg, w.seg->first + pos[k]), w.instance, w.prim);
      store->prim_id[i] = gather_prim_id(&w);
   }
   f->worker->counters.vs_invocations += f->num_verts;
   K(front_run_gs)(f, &es);
}
