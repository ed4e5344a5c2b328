/* SPDX-License-Identifier: MIT */
/*
 * Launches pixel waves: coefficients, entry registers, the program's run.
 *
 * A value at a pixel has the same bits whether its quad shares the wave with quads of other
 * primitives or not: both forms evaluate plane_at()'s order of operations.
 */
#include "port/quads.h"
#include "spi/spi.h"
#include "sc/sc.h"
#include "kernel.h"

#include <atoll/float_bits.h>

/* Planes of the quads of a wave: one value per quad. */
struct quad_planes {
   float p[3][WAVE_QUADS] __attribute__((aligned(64)));
};

const struct spi_coef (*K(spi_coefs)(struct tile *t, const struct sc_prim *prim))[4]
{
   const struct spi_state *spi = t->draw->spi;
   const struct batch *batch = t->batch;
   const uint32_t inputs = batch->num_inputs < SPI_MAX_INPUTS ? batch->num_inputs : SPI_MAX_INPUTS;

   if (t->coef_prim == prim)
      return (const struct spi_coef(*)[4])t->coef + t->coef_next * SPI_MAX_INPUTS;
   t->coef_prim = prim;
   t->coef_next = (t->coef_next + 1) % PIXEL_COEF_SLOTS;

   struct spi_coef(*out)[4] = t->coef + t->coef_next * SPI_MAX_INPUTS;
   const size_t stride = (size_t)batch->num_inputs * 4;
   const float *v0 = batch->params + prim->vertex[0] * stride;
   const float *v1 = batch->params + prim->vertex[1] * stride;
   const float *v2 = batch->params + prim->vertex[2] * stride;

   for (uint32_t i = 0; i < inputs; i++) {
      /* A point's value is its own vertex's; flat ones are the provoking vertex's, which may be
       * another one of the polygon that is drawn as points. */
      const float *first = prim->point && !spi->input[i].flat ? v1 : v0;
      __m128 p0 = _mm_loadu_ps(first + i * 4);
      __m128 p10 = _mm_setzero_ps(), p20 = _mm_setzero_ps(), pad = _mm_setzero_ps();

      if (!spi->input[i].flat && !prim->point) {
         p10 = _mm_sub_ps(_mm_loadu_ps(v1 + i * 4), p0);
         p20 = _mm_sub_ps(_mm_loadu_ps(v2 + i * 4), p0);
      }
      _MM_TRANSPOSE4_PS(p0, p10, p20, pad);
      _mm_store_ps(&out[i][0].p0, p0);
      _mm_store_ps(&out[i][1].p0, p10);
      _mm_store_ps(&out[i][2].p0, p20);
      _mm_store_ps(&out[i][3].p0, pad);
      if (!prim->point || !spi->input[i].sprite)
         continue;
      for (unsigned c = 0; c < 4; c++) {
         switch (spi->sprite_sel[c]) {
         case SPI_PNT_SPRITE_SEL_0:
            out[i][c] = (struct spi_coef){ 0, 0, 0, 0 };
            break;
         case SPI_PNT_SPRITE_SEL_1:
            out[i][c] = (struct spi_coef){ 1, 0, 0, 0 };
            break;
         case SPI_PNT_SPRITE_SEL_S:
            out[i][c] = (struct spi_coef){ 0, 1, 0, 0 };
            break;
         case SPI_PNT_SPRITE_SEL_T:
            out[i][c] = spi->sprite_top_1 ? (struct spi_coef){ 1, 0, -1, 0 }
                                          : (struct spi_coef){ 0, 0, 1, 0 };
            break;
         default:
            break;
         }
      }
   }
   return (const struct spi_coef(*)[4])out;
}

static const float one_plane[3] = { 1, 0, 0 };

static const float *
plane_i(const struct sc_prim *p, bool persp)
{
   return p->point ? p->sprite : persp && p->perspective ? p->pi : p->li;
}

static const float *
plane_j(const struct sc_prim *p, bool persp)
{
   return p->point ? p->sprite + 3 : persp && p->perspective ? p->pj : p->lj;
}

static const float *
plane_w(const struct sc_prim *p)
{
   return p->perspective && !p->point ? p->pw : one_plane;
}

enum plane_kind {
   PLANE_I,
   PLANE_J,
   PLANE_W,
   PLANE_LINEAR_I,
   PLANE_LINEAR_J,
   PLANE_TRUE_W,
   PLANE_Z,
   PLANE_KINDS,
};

static const float *
prim_plane(const struct sc_prim *p, enum plane_kind kind)
{
   switch (kind) {
   case PLANE_I:
      return plane_i(p, true);
   case PLANE_J:
      return plane_j(p, true);
   case PLANE_W:
      return plane_w(p);
   case PLANE_LINEAR_I:
      return plane_i(p, false);
   case PLANE_LINEAR_J:
      return plane_j(p, false);
   case PLANE_TRUE_W:
      return p->pw;
   default:
      return p->z;
   }
}

/* A plane's values in all lanes, at offset (ox, oy) from the pixel centres. */
struct plane_args {
   const struct pixel_wave *wave;
   const float *px, *py; /* per quad: top left pixel relative to the primitive's anchor */
};

V_INLINE void
eval_plane(const struct plane_args *args, enum plane_kind kind, const float *ox, const float *oy,
           vf out[VECTORS])
{
   const struct pixel_wave *w = args->wave;
   const vf lx = quad_lane_x(), ly = quad_lane_y();

   if (w->one_prim) {
      const float *p = prim_plane(w->prim[0], kind);
      for (unsigned n = 0; n < VECTORS; n++) {
         vf dx = expand_quads(args->px, n) + lx, dy = expand_quads(args->py, n) + ly;

         if (ox) {
            dx += vf_load(ox + n * VW);
            dy += vf_load(oy + n * VW);
         }
         out[n] = plane_at(p, dx, dy);
      }
   } else {
      struct quad_planes planes;
      for (unsigned q = 0; q < WAVE_QUADS; q++) {
         const float *p = prim_plane(w->prim[q < w->num_quads ? q : 0], kind);

         planes.p[0][q] = p[0];
         planes.p[1][q] = p[1];
         planes.p[2][q] = p[2];
      }
      for (unsigned n = 0; n < VECTORS; n++) {
         vf dx = expand_quads(args->px, n) + lx, dy = expand_quads(args->py, n) + ly;

         if (ox) {
            dx += vf_load(ox + n * VW);
            dy += vf_load(oy + n * VW);
         }
         out[n] = expand_quads(planes.p[0], n) + expand_quads(planes.p[1], n) * dx +
                  expand_quads(planes.p[2], n) * dy;
      }
   }
}

static void
store_vectors(uint32_t *to, const vf v[VECTORS])
{
   for (unsigned n = 0; n < VECTORS; n++)
      vf_store(to + n * VW, v[n]);
}

/* Offsets from the pixel centre at which a pair is taken. */
struct offsets {
   float x[WAVE_LANES], y[WAVE_LANES];
} __attribute__((aligned(64)));

static void
sample_offsets(const struct tile *t, struct offsets *o, unsigned sample)
{
   const struct sc_state *sc = t->draw->sc;

   for (unsigned l = 0; l < WAVE_LANES; l++) {
      o->x[l] = (float)sc->sample_x[l & 3][sample] * 0.0625f;
      o->y[l] = (float)sc->sample_y[l & 3][sample] * 0.0625f;
   }
}

/* The centre where all samples are covered, else the covered sample of highest priority. */
static void
centroid_offsets(const struct tile *t, struct offsets *o)
{
   const struct sc_state *sc = t->draw->sc;
   uint64_t all = UINT64_MAX, done;

   memset(o, 0, sizeof(*o));
   for (unsigned s = 0; s < t->num_samples; s++)
      all &= t->wave->sample[s];
   done = all;
   for (unsigned k = 0; k < t->num_samples; k++) {
      const unsigned s = sc->centroid_order[k] & (t->num_samples - 1);

      for (uint64_t m = t->wave->sample[s] & ~done; m; m &= m - 1) {
         unsigned l = (unsigned)__builtin_ctzll(m);

         o->x[l] = (float)sc->sample_x[l & 3][s] * 0.0625f;
         o->y[l] = (float)sc->sample_y[l & 3][s] * 0.0625f;
      }
      done |= t->wave->sample[s];
   }
}

/* Where the pixel is. */
static void
load_position(struct tile *t, const struct plane_args *args, bool multi,
              const struct offsets *at_sample, const struct offsets *at_centroid)
{
   const struct spi_state *spi = t->draw->spi;
   const struct pixel_wave *w = t->wave;
   const struct offsets *o = !multi                   ? NULL
                             : spi->position_sample   ? at_sample
                             : spi->position_centroid ? at_centroid
                                                      : NULL;
   const float *ox = o ? o->x : NULL, *oy = o ? o->y : NULL;
   uint32_t *r[4];
   vf v[VECTORS];

   for (unsigned c = 0; c < 4; c++)
      r[c] = core_entry_row(&spi->entry, t->worker->rows, CORE_POSITION + c);
   for (unsigned l = 0; (r[0] || r[1]) && l < WAVE_LANES; l++) {
      const unsigned q = l / 4;
      float x = q < w->num_quads ? (float)(w->x[q] + (int32_t)(l & 1)) + 0.5f : 0.0f;
      float y = q < w->num_quads ? (float)(w->y[q] + (int32_t)(l >> 1 & 1)) + 0.5f : 0.0f;

      x += ox ? ox[l] : 0.0f;
      y += oy ? oy[l] : 0.0f;
      if (r[0])
         memcpy(&r[0][l], &x, sizeof(x));
      if (r[1])
         memcpy(&r[1][l], &y, sizeof(y));
   }
   if (r[2]) {
      eval_plane(args, PLANE_Z, ox, oy, v);
      store_vectors(r[2], v);
   }
   if (r[3]) {
      eval_plane(args, PLANE_TRUE_W, ox, oy, v);
      for (unsigned n = 0; n < VECTORS; n++)
         v[n] = vf_splat(1.0f) / v[n];
      store_vectors(r[3], v);
   }
}

/* Facing, coverage, the pixel's numbers, the sample and the layer. */
static void
load_integers(struct tile *t, unsigned sample)
{
   const struct core_entry *entry = &t->draw->spi->entry;
   const struct pixel_wave *w = t->wave;
   wave_lane *rows = t->worker->rows;
   uint32_t *face = core_entry_row(entry, rows, CORE_FACE);
   uint32_t *coverage = core_entry_row(entry, rows, CORE_COVERAGE);
   const uint64_t *covered = t->keeps_coverage ? w->before : w->sample;
   uint32_t *x = core_entry_row(entry, rows, CORE_PIXEL_X);
   uint32_t *y = core_entry_row(entry, rows, CORE_PIXEL_Y);
   uint32_t *number = core_entry_row(entry, rows, CORE_SAMPLE);
   uint32_t *layer = core_entry_row(entry, rows, CORE_LAYER);

   for (unsigned l = 0; face && l < WAVE_LANES; l++) {
      const unsigned q = l / 4;
      const bool front = q >= w->num_quads || wave_prim(w, q)->front_facing;

      face[l] = front ? F32_ONE : F32_SIGN | F32_ONE;
   }
   for (unsigned l = 0; coverage && l < WAVE_LANES; l++) {
      coverage[l] = 0;
      for (unsigned s = 0; s < t->num_covered; s++)
         coverage[l] |= (uint32_t)(covered[s] >> l & 1) << s;
   }
   for (unsigned l = 0; layer && l < WAVE_LANES; l++)
      layer[l] = l / 4 < w->num_quads ? wave_prim(w, l / 4)->layer : 0;
   for (unsigned l = 0; (x || y || number) && l < WAVE_LANES; l++) {
      const unsigned q = l / 4;
      const bool live = q < w->num_quads;

      if (x)
         x[l] = live ? (uint32_t)w->x[q] + (l & 1) : 0;
      if (y)
         y[l] = live ? (uint32_t)w->y[q] + (l >> 1 & 1) : 0;
      if (number)
         number[l] = sample;
   }
}

static void
load_entry(struct tile *t, unsigned sample)
{
   const struct spi_state *spi = t->draw->spi;
   const struct pixel_wave *w = t->wave;
   const struct core_entry *entry = &spi->entry;
   wave_lane *rows = t->worker->rows;
   float px[WAVE_QUADS] __attribute__((aligned(64))), py[WAVE_QUADS] __attribute__((aligned(64)));
   struct offsets at_sample, at_centroid;
   bool multi = t->num_samples > 1;
   vf v[VECTORS], rcp[VECTORS];

   if (w->one_prim) {
      const struct sc_prim *prim = w->prim[0];

      for (unsigned q = 0; q < WAVE_QUADS; q++) {
         px[q] = (float)(w->x[q] - prim->x0);
         py[q] = (float)(w->y[q] - prim->y0);
      }
   } else {
      for (unsigned q = 0; q < WAVE_QUADS; q++) {
         const bool live = q < w->num_quads;

         px[q] = live ? (float)(w->x[q] - w->prim[q]->x0) : 0.0f;
         py[q] = live ? (float)(w->y[q] - w->prim[q]->y0) : 0.0f;
      }
   }
   if (multi) {
      sample_offsets(t, &at_sample, sample);
      centroid_offsets(t, &at_centroid);
   }

   const struct plane_args args = { w, px, py };
   bool affine = true;
   for (unsigned q = 0; q < (w->one_prim ? 1u : w->num_quads); q++)
      affine &= plane_w(w->prim[q]) == one_plane;
   for (unsigned k = 0; k < spi->num_pairs; k++) {
      const unsigned pair = spi->pair[k];
      uint32_t *i = core_entry_row(entry, rows, CORE_BARYCENTRIC + 2 * pair);
      uint32_t *j = core_entry_row(entry, rows, CORE_BARYCENTRIC + 2 * pair + 1);
      const unsigned where = pair % 3; /* sample, centre, centroid */
      const struct offsets *o = !multi || where == 1 ? NULL : where ? &at_centroid : &at_sample;
      const float *ox = o ? o->x : NULL, *oy = o ? o->y : NULL;

      if (pair <= CORE_PERSP_CENTROID && affine) {
         /* 1 / W is 1 everywhere, and a product with it the other factor. */
         eval_plane(&args, PLANE_I, ox, oy, v);
         store_vectors(i, v);
         eval_plane(&args, PLANE_J, ox, oy, v);
         store_vectors(j, v);
      } else if (pair <= CORE_PERSP_CENTROID) {
         eval_plane(&args, PLANE_W, ox, oy, rcp);
         for (unsigned n = 0; n < VECTORS; n++)
            rcp[n] = vf_splat(1.0f) / rcp[n];
         eval_plane(&args, PLANE_I, ox, oy, v);
         for (unsigned n = 0; n < VECTORS; n++)
            v[n] *= rcp[n];
         store_vectors(i, v);
         eval_plane(&args, PLANE_J, ox, oy, v);
         for (unsigned n = 0; n < VECTORS; n++)
            v[n] *= rcp[n];
         store_vectors(j, v);
      } else {
         eval_plane(&args, PLANE_LINEAR_I, ox, oy, v);
         store_vectors(i, v);
         eval_plane(&args, PLANE_LINEAR_J, ox, oy, v);
         store_vectors(j, v);
      }
   }

   if (spi->position)
      load_position(t, &args, multi, &at_sample, &at_centroid);
   if (spi->integers)
      load_integers(t, sample);
}

uint64_t
K(spi_run)(struct tile *t, uint64_t cover, unsigned sample)
{
   const struct draw_state *draw = t->draw;
   const struct core_program *ps = draw->ps->program;
   struct worker *worker = t->worker;
   struct core_wave *wave = &t->core;
   const bool constant = draw->spi->constant;

   if (constant && t->const_ready) {
      worker->counters.ps_invocations += (unsigned)__builtin_popcountll(cover);
      worker->counters.waves++;
      return cover & t->const_lanes;
   }

   wave->rows = worker->rows;
   wave->bind = draw->ps;
   wave->outputs = worker->outputs;
   wave->scratch = worker->scratch;
   wave->scratch_bytes = draw->ps->scratch_bytes;
   if (wave->scratch_bytes)
      memset(wave->scratch, 0, (size_t)wave->scratch_bytes * WAVE_LANES);
   wave->slot = ps->writes_memory ? worker->index & 255 : 0;
   wave->stream_lanes = 0;
   wave->cycles = 0;
   wave->faulted = false;
   if (constant) {
      /* Entry values do not matter: no lane differs from another. */
      wave->valid = wave->active = UINT64_MAX;
      wave->one_primitive = true;
      for (unsigned q = 0; q < WAVE_QUADS; q++)
         wave->coef[q] = (const struct spi_coef(*)[4])t->coef;
   } else {
      const struct pixel_wave *w = t->wave;

      load_entry(t, sample);
      wave->valid = cover;
      wave->active = ps->needs_helpers ? lanes_whole_quads(cover) : cover;
      wave->one_primitive = w->one_prim;
      if (w->one_prim)
         for (unsigned q = 0; q < WAVE_QUADS; q++)
            wave->coef[q] = w->coef[0];
      else
         for (unsigned q = 0; q < WAVE_QUADS; q++)
            wave->coef[q] = w->coef[q < w->num_quads ? q : 0];
   }
   worker->outputs->mrt_written = worker->outputs->z_written = 0;
   worker->outputs->lanes = 0;
   worker->outputs->depth_lanes = UINT64_MAX;
   memset(worker->outputs->component_mask, 0, sizeof(worker->outputs->component_mask));

   core_run(wave);
   worker->counters.cycles += wave->cycles;
   if (wave->faulted) {
      worker->counters.faults++;
      gfx_fault(worker->gfx, "pixel wave: %s at %s %u (%u quads, first at %d,%d; draw %u, wave %u)",
                wave->fault ? wave->fault : "fault", ps->engine->place, wave->fault_place,
                t->wave->num_quads, t->wave->x[0], t->wave->y[0], wave->identity.draw,
                wave->identity.wave);
   }
   wave->identity.wave++;

   uint64_t lanes = wave->valid & worker->outputs->lanes;
   if (constant) {
      t->const_ready = true;
      t->const_lanes = lanes ? UINT64_MAX : 0;
      if (t->mode == PIXEL_FILL)
         return lanes;
      lanes = cover & t->const_lanes;
   }
   worker->counters.waves++;
   worker->counters.ps_invocations += (unsigned)__builtin_popcountll(cover);
   return lanes & cover;
}
