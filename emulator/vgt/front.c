/* SPDX-License-Identifier: MIT */
/*
 * The front end of one batch: gathers the vertices that its primitives need (each once, where
 * reuse is allowed), runs the vertex shader in waves of 64, brings positions to the window, and
 * hands the primitives to PA.
 *
 * A batch is at most BATCH_PRIMS consecutive primitives of a draw, cut by number alone, so its
 * contents do not depend on the worker that runs it.
 */
#include "vgt/front.h"

#include <string.h>

#include "memory/pool.h"
#include "port/state.h"
#include "simd.h"
#include "vgt/gather.h"
#include "vgt/vgt.h"
#include "spi/spi.h"

void K(front_run)(struct worker *worker, struct draw_state *draw, struct batch *batch);

/* What the arrays of struct front are to the stages that they hold vertices of. */
struct stage_values {
   uint8_t index, second, prim_id, instance; /* enum core_value; CORE_VALUES: nothing */
};
static const struct stage_values stage_values[CORE_STAGES] = {
   [CORE_VERTEX] = { CORE_VERTEX_INDEX, CORE_VALUES, CORE_PRIMITIVE, CORE_INSTANCE },
   [CORE_LOCAL] = { CORE_VERTEX_INDEX, CORE_GROUP_VERTEX, CORE_PRIMITIVE, CORE_INSTANCE },
   [CORE_EVALUATION] = { CORE_DOMAIN_U, CORE_DOMAIN_V, CORE_PATCH, CORE_PRIMITIVE },
   [CORE_COPY] = { CORE_RING_VERTEX, CORE_VALUES, CORE_VALUES, CORE_VALUES },
};

static const char *const stage_names[CORE_STAGES] = {
   [CORE_VERTEX] = "vertex",     [CORE_LOCAL] = "local",       [CORE_CONTROL] = "hull",
   [CORE_EVALUATION] = "domain", [CORE_GEOMETRY] = "geometry", [CORE_COPY] = "vertex",
};

/* Primitives of one segment and instance with indices that count up: `prims` of the walk's, from
 * primitive `at` of the batch on. */
static void
gather_run(struct front *f, const struct gather_walk *w, uint32_t at, uint32_t prims)
{
   const struct vgt_state *s = f->draw->vgt;
   const uint32_t each = s->verts_per_prim, count = prims * each, base = f->num_verts;
   const uint32_t first =
      w->seg->first + (w->prim - w->seg->first_prim) * each + s->index_offset + w->seg->offset;
   const uint32_t id = gather_prim_id(w);
   const vu lowest = vu_splat(s->index_min), highest = vu_splat(s->index_max);

   for (uint32_t n = 0; n < count; n += VW) {
      const vu index = vu_splat(first + n) + (vu)vi_lane_index();

      vu_storeu(f->index + base + n, vu_min(vu_max(index, lowest), highest));
      vu_storeu(f->instance + base + n, vu_splat(w->instance));
   }
   for (uint32_t i = 0, n = base; i < prims; i++) {
      for (unsigned k = 0; k < each; k++, n++) {
         f->prim_id[n] = id + i;
         f->prim[at + i][k] = (uint16_t)n;
      }
      f->prim_number[at + i] = id + i;
   }
   f->first_of_strip[at] = w->prim == w->seg->first_prim;
   f->num_verts = base + count;
}

/* The vertices of a batch with indices that count up. */
static void
gather_in_order(struct front *f, struct gather_walk *w)
{
   const struct vgt_state *s = f->draw->vgt;
   const struct vgt_segment *const last = s->segments + s->num_segments - 1;

   memset(f->provoking, s->provoking_last ? (int)s->verts_per_prim - 1 : 0, f->num_prims);
   memset(f->edges, 7, f->num_prims);
   memset(f->first_of_strip, 0, f->num_prims * sizeof(f->first_of_strip[0]));
   for (uint32_t i = 0, run; i < f->num_prims; i += run) {
      const uint32_t end = w->seg < last ? w->seg[1].first_prim : s->prims_per_instance;

      run = end - w->prim < f->num_prims - i ? end - w->prim : f->num_prims - i;
      gather_run(f, w, i, run);
      w->prim += run - 1;
      gather_next(w);
   }
}

/* Primitives that share no index of the stream. */
static void
gather_list(struct front *f, struct gather_walk *w)
{
   const struct vgt_state *s = f->draw->vgt;
   const unsigned each = s->verts_per_prim, provoking = s->provoking_last ? each - 1 : 0;

   if (!s->indexed) {
      gather_in_order(f, w);
      return;
   }
   for (uint32_t i = 0; i < f->num_prims; i++, gather_next(w)) {
      const uint32_t in_seg = w->prim - w->seg->first_prim;
      const uint32_t pos = w->seg->first + in_seg * each, id = w->prim - w->seg->before;

      for (unsigned k = 0; k < each; k++) {
         const uint32_t index = gather_index(s, w->seg, pos + k);

         f->prim[i][k] = s->reuse ? gather_reuse(f, index, w->instance, id)
                                  : gather_add(f, index, w->instance, id);
      }
      f->provoking[i] = (uint8_t)provoking;
      f->edges[i] = 7;
      f->first_of_strip[i] = in_seg == 0;
      f->prim_number[i] = id;
   }
}

/* Primitives of segments that have binds of their own: no wave has vertices of two binds. */
static void
gather_rebound(struct front *f, struct gather_walk *w)
{
   for (uint32_t i = 0; i < f->num_prims; i++, gather_next(w)) {
      const struct core_bind *bind = w->seg->vs ? w->seg->vs : f->draw->vs;

      if (!i || bind != f->runs[f->num_runs - 1].bind) {
         f->runs[f->num_runs++] = (struct front_run){ f->num_verts, bind };
         gather_part(f);
      }
      gather_primitive(f, w, i);
   }
}

static void
gather(struct front *f)
{
   const struct vgt_state *s = f->draw->vgt;
   const struct batch *b = f->batch;
   struct gather_walk w = gather_walk(s, b->first);

   gather_start(f);
   f->num_prims = b->count;
   if (s->rebinds) {
      gather_rebound(f, &w);
      return;
   }
   if (s->topology == TOPOLOGY_POINTS || s->topology == TOPOLOGY_LINES ||
       s->topology == TOPOLOGY_TRIANGLES || s->topology == TOPOLOGY_RECTANGLES) {
      gather_list(f, &w);
      return;
   }
   if (s->topology == TOPOLOGY_TRIANGLE_STRIP && s->reuse) {
      gather_strip(f, &w);
      return;
   }
   for (uint32_t i = 0; i < b->count; i++, gather_next(&w))
      gather_primitive(f, &w, i);
}

typedef float v4f __attribute__((vector_size(16), aligned(4), may_alias));

/* Parameters of 64 lanes, component arrays to one vec4 per vertex. */
static void
store_input(const wave_lane src[4], float *dst, size_t stride, unsigned lanes)
{
   const float *x = (const float *)src[0], *y = (const float *)src[1];
   const float *z = (const float *)src[2], *w = (const float *)src[3];

   for (unsigned l = 0; l < lanes; l += 4) {
      const v4f a = *(const v4f *)(x + l), b = *(const v4f *)(y + l);
      const v4f c = *(const v4f *)(z + l), d = *(const v4f *)(w + l);
      const v4f ab_lo = __builtin_shufflevector(a, b, 0, 4, 1, 5);
      const v4f ab_hi = __builtin_shufflevector(a, b, 2, 6, 3, 7);
      const v4f cd_lo = __builtin_shufflevector(c, d, 0, 4, 1, 5);
      const v4f cd_hi = __builtin_shufflevector(c, d, 2, 6, 3, 7);

      *(v4f *)(dst + (l + 0) * stride) = __builtin_shufflevector(ab_lo, cd_lo, 0, 1, 4, 5);
      *(v4f *)(dst + (l + 1) * stride) = __builtin_shufflevector(ab_lo, cd_lo, 2, 3, 6, 7);
      *(v4f *)(dst + (l + 2) * stride) = __builtin_shufflevector(ab_hi, cd_hi, 0, 1, 4, 5);
      *(v4f *)(dst + (l + 3) * stride) = __builtin_shufflevector(ab_hi, cd_hi, 2, 3, 6, 7);
   }
}

static void
store_params(struct front *f, uint32_t base, unsigned lanes)
{
   const struct spi_state *spi = f->draw->spi;
   const struct core_outputs *e = f->worker->outputs;
   const size_t stride = (size_t)f->batch->num_inputs * 4;
   float *params = f->batch->params + (f->param_base + base) * stride;

   for (unsigned i = 0; i < spi->num_inputs; i++) {
      const struct spi_input *in = &spi->input[i];

      if (in->param < 32 && (e->param_written >> in->param & 1))
         store_input(e->param[in->param], params + i * 4, stride, lanes);
      else
         for (unsigned l = 0; l < lanes; l++)
            memcpy(params + l * stride + i * 4, in->defaults, sizeof(in->defaults));
   }
}

/* Copies a list's values of a wave's `lanes`, at any address, to where the program takes them.  The
 * wave's other lanes have registers, too: the first one's value. */
static void
take(const struct front *f, const struct core_bind *bind, unsigned value, const uint32_t *from,
     unsigned lanes)
{
   uint32_t *to = value < CORE_VALUES ? core_entry_row(bind->entry, f->worker->rows, value) : NULL;
   const vu first = vu_splat(from[0]);

   for (unsigned n = 0; n < VECTORS && to; n++) {
      const unsigned at = n * VW;

      vu_store(to + at, at + VW <= lanes ? vu_loadu(from + at)
                        : at < lanes     ? vu_select(vm_lanes((UINT64_C(1) << lanes) - 1, n),
                                                     vu_loadu(from + at), first)
                                         : first);
   }
}

void
K(front_wave)(struct front *f, const struct front_stage *stage, uint32_t base, unsigned lanes)
{
   const struct stage_values *values = &stage_values[stage->stage];
   struct core_wave *wave = &f->wave;
   uint32_t *lane = core_entry_row(stage->bind->entry, f->worker->rows, CORE_LANE);

   take(f, stage->bind, values->index, f->index + base, lanes);
   take(f, stage->bind, values->second, f->second + base, lanes);
   take(f, stage->bind, values->prim_id, f->prim_id + base, lanes);
   take(f, stage->bind, values->instance, f->instance + base, lanes);
   for (unsigned l = 0; lane && l < WAVE_LANES; l++)
      lane[l] = l;

   wave->rings = stage->rings;
   wave->group = stage->group;
   if (stage->group) {
      for (unsigned l = lanes; l < WAVE_LANES; l++)
         f->lds_base[base + l] = f->lds_base[base];
      stage->group->lane_base = f->lds_base + base;
   }
   wave->first_vertex = f->param_base + base;
   wave->stream_lanes = 0;
   if (stage->stream && base < f->stream_verts) {
      const uint64_t left = f->stream_verts - base;

      for (unsigned l = 0; l < lanes; l++)
         wave->stream_vertex[l] = (uint32_t)(f->stream_slot + base + l);
      wave->stream_lanes = left < WAVE_LANES ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0);
   }
   K(front_launch)(f, stage->bind, stage->stage, lanes);
}

void
K(front_launch)(struct front *f, const struct core_bind *bind, enum core_stage stage,
                unsigned lanes)
{
   struct worker *w = f->worker;
   struct core_wave *wave = &f->wave;

   wave->rows = w->rows;
   wave->valid = wave->active = lanes == 64 ? ~UINT64_C(0) : (UINT64_C(1) << lanes) - 1;
   wave->stream_lanes &= wave->active;
   wave->bind = bind;
   wave->outputs = w->outputs;
   wave->identity = (struct core_identity){
      .submission = f->draw->submission,
      .draw = f->draw->number,
      .round = f->draw->round,
      .part = (uint32_t)(f->batch->first / f->draw->vgt->batch_prims),
      .wave = f->num_waves++,
      .stage = stage,
   };
   wave->slot = bind->program->writes_memory ? w->index & 255 : 0;
   wave->scratch = w->scratch;
   wave->scratch_bytes = bind->scratch_bytes;
   worker_watch(w, wave);
   wave->faulted = wave->cut = false;
   wave->fault = NULL;
   wave->cycles = 0;
   w->outputs->pos_written = 0;
   w->outputs->param_written = 0;
   if (core_expired(&w->watch))
      return;
   if (wave->scratch_bytes) {
      memset(wave->scratch, 0, (size_t)wave->scratch_bytes * WAVE_LANES);
      w->spent += wave->scratch_bytes;
   }

   core_run(wave);

   w->counters.waves++;
   w->counters.cycles += wave->cycles;
   if (wave->faulted)
      (wave->cut ? gfx_cut : gfx_fault)(
         w->gfx, "%s wave: %s at %s %u (program of %u words at 0x%llX; draw %u, batch %u, wave %u)",
         stage_names[stage], wave->fault ? wave->fault : "fault", bind->program->engine->place,
         wave->fault_place, bind->program->words_used, (unsigned long long)bind->program->va,
         wave->identity.draw, wave->identity.part, wave->identity.wave);
}

/* Makes room for the parameters of `count` more vertices. */
static bool
reserve_params(struct front *f, uint32_t count)
{
   struct batch *b = f->batch;
   const size_t each = (size_t)b->num_inputs * 4 * sizeof(float);
   /* Waves write whole groups of lanes: room for the last one. */
   const uint32_t need = f->param_base + (count + WAVE_LANES - 1) / WAVE_LANES * WAVE_LANES;

   if (b->params && need <= f->param_capacity)
      return true;

   const uint32_t capacity = need > 2 * f->param_capacity ? need : 2 * f->param_capacity;
   float *params = pool_alloc(&f->worker->pool, capacity * each + 64);

   if (!params) {
      f->out_of_memory = true;
      return false;
   }
   if (f->param_base && each)
      memcpy(params, b->params, f->param_base * each);
   b->params = params;
   f->param_capacity = capacity;
   return true;
}

/* Waves over vertices first .. end.  They write whole vectors: later ones come after.  False: there
 * is no time. */
static bool
run_waves(struct front *f, const struct front_stage *stage, uint32_t first, uint32_t end, bool draw)
{
   for (uint32_t base = first; base < end; base += WAVE_LANES) {
      const unsigned lanes = end - base < WAVE_LANES ? end - base : WAVE_LANES;

      K(front_wave)(f, stage, base, lanes);
      if (core_expired(&f->worker->watch))
         return false;
      if (draw) {
         K(pa_transform)(f, base, lanes);
         if (f->batch->num_inputs)
            store_params(f, base, (lanes + 3) & ~3u);
      }
   }
   return true;
}

void
K(front_vertices)(struct front *f, const struct front_stage *stage, bool draw)
{
   struct batch *b = f->batch;

   if (draw && !reserve_params(f, f->num_verts))
      return;
   f->codes = 0;
   if (!f->num_runs && !run_waves(f, stage, 0, f->num_verts, draw))
      return;
   for (uint32_t n = 0; n < f->num_runs; n++) {
      const uint32_t end = n + 1 < f->num_runs ? f->runs[n + 1].first : f->num_verts;
      struct front_stage own = *stage;

      own.bind = f->runs[n].bind;
      if (!run_waves(f, &own, f->runs[n].first, end, draw))
         return;
   }
   if (!draw)
      return;
   K(pa_batch)(f);
   f->param_base += f->num_verts;
   b->num_vertices = f->param_base;
}

/* VS alone before PA. */
static void
front_plain(struct front *f)
{
   const struct vgt_state *s = f->draw->vgt;
   const struct front_stage stage = {
      .bind = f->draw->vs,
      .stage = CORE_VERTEX,
      .stream = s->streams.buffers,
   };

   gather(f);
   /* Without reuse, vertex k of the batch is vertex first * n + k of the stream. */
   f->stream_slot = f->batch->first * s->verts_per_prim;
   f->stream_verts = s->stream_prims > f->batch->first
                        ? (s->stream_prims - f->batch->first) * s->verts_per_prim
                        : 0;
   f->worker->counters.vs_invocations += f->num_verts;
   K(front_vertices)(f, &stage, f->draw->rasterises);
}

void
K(front_run)(struct worker *worker, struct draw_state *draw, struct batch *batch)
{
   struct front *f = worker->front;

   batch->prims = NULL;
   batch->num_prims = 0;
   batch->params = NULL;
   batch->num_vertices = 0;
   batch->bin_start = batch->bin_prims = NULL;
   batch->tile_x0 = batch->tile_y0 = 0;
   batch->tile_x1 = batch->tile_y1 = -1;
   batch->num_inputs = draw->spi->num_inputs;
   f->draw = draw;
   f->batch = batch;
   f->worker = worker;
   f->out_of_memory = false;
   f->num_waves = 0;
   f->prim_capacity = 0;
   f->param_base = f->param_capacity = 0;
   f->stream_slot = f->stream_verts = 0;

   if (core_expired(&worker->watch))
      return;
   if (draw->vgt->tess)
      K(front_tess)(f);
   else if (draw->vgt->gs)
      K(front_geometry)(f);
   else
      front_plain(f);
   K(pa_bin)(f);
   if (f->out_of_memory)
      gfx_drop(worker->gfx, "clipped primitives", NO_MEMORY);
}
