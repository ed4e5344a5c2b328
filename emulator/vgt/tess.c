/* SPDX-License-Identifier: MIT */
/*
 * The front end of a batch of patches: LS over their control points, HS over their output control
 * points, the tessellator, and DS over its points, as VS or, before a geometry shader, as ES (see
 * geometry.h).
 *
 * A patch's factors follow those of the patch before, without gaps: two of an isoline, four of a
 * triangle, six of a quad.  One without factors from its program has zeros and is culled.  The
 * waves of a group run one after the other, so a patch sees of others what is in its own wave, or
 * done.
 */
#include "vgt/geometry.h"

#include <string.h>

#include "vgt/gather.h"
#include "vgt/vgt.h"

/* Runs LS over the control points of all patches, wave by wave. */
static void
run_ls(struct front *f, struct geometry_patches *patches)
{
   const struct vgt_state *s = f->draw->vgt;
   const struct geometry *g = f->draw->geometry;
   const struct front_stage stage = {
      .bind = g->ls,
      .stage = CORE_LOCAL,
      .group = &patches->group,
   };
   const unsigned in_cp = s->in_verts;
   struct gather_walk w = gather_walk(s, f->batch->first);

   gather_start(f);
   for (uint32_t p = 0; p < f->batch->count; p++, gather_next(&w)) {
      const uint32_t first = w.seg->first + (w.prim - w.seg->first_prim) * in_cp;

      patches->prim_id[p] = w.prim;
      for (unsigned k = 0; k < in_cp; k++) {
         const unsigned n = gather_add(f, gather_index(s, w.seg, first + k), w.instance, w.prim);

         f->second[n] = p % g->group_patches * in_cp + k;
         f->lds_base[n] = p / g->group_patches * g->lds_bytes;
         if (f->num_verts < WAVE_LANES)
            continue;
         K(front_wave)(f, &stage, 0, WAVE_LANES);
         f->num_verts = 0;
      }
   }
   if (f->num_verts)
      K(front_wave)(f, &stage, 0, f->num_verts);
   f->worker->counters.vs_invocations += (uint64_t)f->batch->count * in_cp;
   gather_start(f);
}

/* Runs HS.  A patch's lanes are of one wave, so that they see each other's LDS writes in step. */
static void
run_hs(struct front *f, struct geometry_patches *patches)
{
   const struct geometry *g = f->draw->geometry;
   struct worker *worker = f->worker;
   const struct core_entry *entry = g->hs->entry;
   uint32_t *primitive = core_entry_row(entry, worker->rows, CORE_PRIMITIVE);
   uint32_t *patch = core_entry_row(entry, worker->rows, CORE_PATCH);
   uint32_t *point = core_entry_row(entry, worker->rows, CORE_CONTROL_POINT);
   uint32_t *factors = core_entry_row(entry, worker->rows, CORE_FACTORS);
   const uint32_t each = g->out_cp ? WAVE_LANES / g->out_cp : 0;

   for (uint32_t first = 0; each && first < f->batch->count; first += each) {
      const uint32_t num = f->batch->count - first < each ? f->batch->count - first : each;
      const uint32_t lanes = num * g->out_cp;

      for (unsigned l = 0; l < WAVE_LANES; l++) {
         const uint32_t p = first + (l < lanes ? l / g->out_cp : 0);

         if (primitive)
            primitive[l] = patches->prim_id[p];
         if (patch)
            patch[l] = p % g->group_patches;
         if (point)
            point[l] = l % g->out_cp;
         if (factors)
            factors[l] = (p - p % g->group_patches) * sizeof(patches->factors[0]);
         f->lds_base[l] = p / g->group_patches * g->lds_bytes;
      }
      patches->group.lane_base = f->lds_base;
      f->wave.group = &patches->group;
      f->wave.rings = NULL;
      f->wave.stream_lanes = 0;
      K(front_launch)(f, g->hs, CORE_CONTROL, lanes);
   }
   worker->counters.hs_invocations += f->batch->count;
}

static unsigned
within(unsigned value, unsigned first, unsigned last)
{
   return value < first ? first : value > last ? last : value;
}

/* A level within the limits of the registers; what is no number, or culls, stays. */
static float
limit(const struct geometry *g, float v)
{
   if (v > g->tess_max)
      v = g->tess_max;
   if (v > 0.0f && v < g->tess_min)
      v = g->tess_min;
   return v;
}

/* A point of the domain becomes a vertex. */
static unsigned
add_point(struct front *f, const struct geometry_patches *patches, uint32_t p, unsigned point)
{
   uint32_t u, v;

   memcpy(&u, &patches->patch.u[point], 4);
   memcpy(&v, &patches->patch.v[point], 4);

   const struct geometry *g = f->draw->geometry;
   const unsigned n = gather_add(f, u, patches->prim_id[p], p % g->group_patches);

   f->second[n] = v;
   f->lds_base[n] = p / g->group_patches * g->lds_bytes;
   return n;
}

/* Adds the tessellator's primitives to the list. */
static void
add_prims(const struct front_output *o, const struct geometry_patches *patches, uint32_t p)
{
   struct front *f = o->f;
   const struct tess_batch *b = &patches->batch;
   const unsigned verts = patches->patch.verts_per_prim;
   const uint32_t points = o->capture ? b->num_prims * verts : b->num_points;

   if (f->num_prims + b->num_prims > BATCH_PRIMS || f->num_verts + points > BATCH_VERTS)
      K(front_flush)(o);

   const uint32_t base = f->num_verts;

   for (uint32_t i = 0; !o->capture && i < b->num_points; i++)
      add_point(f, patches, p, b->point[i]);
   for (uint32_t i = 0; i < b->num_prims; i++) {
      const uint32_t n = f->num_prims++;

      for (unsigned k = 0; k < verts; k++) {
         const unsigned at = b->index[i * verts + k];

         f->prim[n][k] = o->capture ? add_point(f, patches, p, b->point[at]) : base + at;
      }
      f->provoking[n] = f->draw->vgt->provoking_last ? verts - 1 : 0;
      f->edges[n] = 7;
      f->first_of_strip[n] = true;
      f->prim_number[n] = patches->prim_id[p];
   }
}

/* The same for GS: its input primitives. */
static void
add_gs_prims(struct front *f, struct geometry_store *store, const struct front_stage *es,
             uint32_t p)
{
   const struct geometry *g = f->draw->geometry;
   const struct geometry_patches *patches = store->patches;
   const struct tess_batch *b = &patches->batch;

   if (store->num_prims + b->num_prims > g->gs_prims)
      K(front_run_gs)(f, es);

   const uint32_t base = f->num_verts;

   for (uint32_t i = 0; i < b->num_points; i++)
      add_point(f, patches, p, b->point[i]);
   for (uint32_t i = 0; i < b->num_prims; i++) {
      const uint32_t n = store->num_prims++;

      for (unsigned k = 0; k < g->gs_verts; k++)
         store->prim[n][k] = base + b->index[i * g->gs_verts + k];
      store->prim_id[n] = patches->prim_id[p];
   }
}

void
K(front_tess)(struct front *f)
{
   struct draw_state *draw = f->draw;
   const struct geometry *g = draw->geometry;
   struct geometry_store *store = f->worker->geometry;
   struct geometry_patches *patches = store->patches;
   struct gfx_counters *c = &f->worker->counters;
   const struct front_stage es = {
      .bind = g->es,
      .stage = CORE_EVALUATION,
      .rings = &store->rings,
      .group = &patches->group,
   };

   if (!(g->has_gs ? K(front_bind_gs)(f) : K(front_bind_copy)(f)))
      return;
   store->num_prims = 0;

   const struct front_output o = {
      .f = f,
      .bind = store->vs,
      .stage = {
         .bind = store->vs,
         .stage = CORE_EVALUATION,
         .group = &patches->group,
         .stream = draw->vgt->streams.of_stream[0],
      },
      .draw = draw->rasterises,
      .capture = draw->vgt->streams.of_stream[0],
   };
   const uint32_t groups = (f->batch->count + g->group_patches - 1) / g->group_patches;

   memset(patches->lds, 0, (size_t)groups * g->lds_bytes);
   f->worker->spent += (uint64_t)groups * g->lds_bytes / WAVE_LANES;
   memset(patches->factors, 0, groups * g->group_patches * sizeof(patches->factors[0]));
   patches->group = (struct core_group){
      .lds = patches->lds,
      .lds_bytes = g->lds_bytes,
      .tf = (uint8_t *)patches->factors,
      .tf_bytes = sizeof(patches->factors),
      .num_waves = 1,
   };
   run_ls(f, patches);
   run_hs(f, patches);

   for (uint32_t p = 0; p < f->batch->count && !core_expired(&f->worker->watch); p++) {
      const uint32_t rel = p % g->group_patches;
      struct tess_factors factors;

      /* They follow each other from where the group's begin, whatever a row could hold. */
      const uint32_t *group =
         (const uint32_t *)(const void *)patches->factors + (size_t)(p - rel) * GEOMETRY_FACTORS;

      tess_unpack(&factors, g->tess.domain, group + rel * g->factor_dwords);
      for (unsigned i = 0; i < 4; i++)
         factors.outer[i] = limit(g, factors.outer[i]);
      for (unsigned i = 0; i < 2; i++)
         factors.inner[i] = limit(g, factors.inner[i]);
      tess_run(&patches->patch, &g->tess, &factors);
      if (!patches->patch.num_prims)
         continue;
      c->ds_invocations += patches->patch.num_points;
      if (!g->has_gs && (draw->vgt->streams.on & 1))
         c->stream_needed[0] += patches->patch.num_prims;

      const unsigned prims = g->has_gs ? g->gs_prims : BATCH_PRIMS;
      const unsigned points = prims * (g->has_gs ? g->gs_verts : draw->vgt->verts_per_prim);

      tess_cursor_start(&patches->cursor);
      /* What comes next takes so many at a time, the batch may hold less; a triangle always fits.
       * */
      while (tess_batch_next(&patches->cursor, &patches->patch,
                             within(points, 3, TESS_BATCH_POINTS),
                             within(prims, 1, TESS_BATCH_PRIMS), &patches->batch))
         if (g->has_gs)
            add_gs_prims(f, store, &es, p);
         else
            add_prims(&o, patches, p);
   }
   if (g->has_gs && store->num_prims)
      K(front_run_gs)(f, &es);
   else if (!g->has_gs)
      K(front_flush)(&o);
}
