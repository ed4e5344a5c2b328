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

#include <stdio.h>

#include <atoll/float_bits.h>

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
         case SPI_SPRITE_0:
            out[i][c] = (struct spi_coef){ 0, 0, 0, 0 };
            break;
         case SPI_SPRITE_1:
            out[i][c] = (struct spi_coef){ 1, 0, 0, 0 };
            break;
         case SPI_SPRITE_S:
            out[i][c] = (struct spi_coef){ 0, 1, 0, 0 };
            break;
         case SPI_SPRITE_T:
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

static const float one_plane[4] = { 1, 0, 0, 0 };

enum plane_kind {
   PLANE_I,
   PLANE_J,
   PLANE_W,
   PLANE_LINEAR_I,
   PLANE_LINEAR_J,
   PLANE_TRUE_W,
   PLANE_Z,
};

static const float *
prim_plane(const struct sc_prim *p, enum plane_kind kind)
{
   const bool perspective = p->perspective && !p->point;

   switch (kind) {
   case PLANE_I:
      return p->point ? p->sprite : perspective ? p->pi : p->li;
   case PLANE_J:
      return p->point ? p->sprite + 3 : perspective ? p->pj : p->lj;
   case PLANE_W:
      return perspective ? p->pw : one_plane;
   case PLANE_LINEAR_I:
      return p->point ? p->sprite : p->li;
   case PLANE_LINEAR_J:
      return p->point ? p->sprite + 3 : p->lj;
   case PLANE_TRUE_W:
      return p->pw;
   default:
      return p->z;
   }
}

/* Four floats are read of a plane's three: each plane is followed by another member. */
_Static_assert(offsetof(struct sc_prim, sprite) + 7 * sizeof(float) <= sizeof(struct sc_prim) &&
                  offsetof(struct sc_prim, pw) + 4 * sizeof(float) <= sizeof(struct sc_prim),
               "a plane is the last of a primitive");

/* A wave's quads: their primitives, and all lanes' pixel centres from these primitives' anchors. */
struct centres {
   bool one_prim;
   bool alike;  /* the primitives have their planes at the same offsets */
   bool affine; /* 1 / W is 1 everywhere */
   const struct sc_prim *prim[WAVE_QUADS];
   vf dx[VECTORS], dy[VECTORS];
};

V_INLINE void
find_centres(const struct pixel_wave *w, struct centres *p)
{
   float px[WAVE_QUADS] __attribute__((aligned(64))), py[WAVE_QUADS] __attribute__((aligned(64)));
   const struct sc_prim *first = w->prim[0];

   p->one_prim = w->one_prim;
   p->alike = w->one_prim || !(w->kinds & (w->kinds - 1));
   p->affine = w->one_prim ? prim_plane(first, PLANE_W) == one_plane : !(w->kinds & 1 << 1);
   p->prim[0] = first;
   if (w->one_prim) {
      const vi x0 = vi_splat(first->x0), y0 = vi_splat(first->y0);
      for (unsigned q = 0; q < WAVE_QUADS; q += VW) {
         vf_store(px + q, vf_from_vi((vi)vu_loadu(w->x + q) - x0));
         vf_store(py + q, vf_from_vi((vi)vu_loadu(w->y + q) - y0));
      }
   } else {
      for (unsigned q = 0; q < WAVE_QUADS; q++)
         p->prim[q] = w->prim[q < w->num_quads ? q : 0];
      for (unsigned q = 0; q < WAVE_QUADS; q += VW) {
         vf_store(px + q, vf_from_vi((vi)vu_load(w->from_x + q)));
         vf_store(py + q, vf_from_vi((vi)vu_load(w->from_y + q)));
      }
   }
   const vf lx = quad_lane_x(), ly = quad_lane_y();
   for (unsigned n = 0; n < VECTORS; n++) {
      p->dx[n] = expand_quads(px, n) + lx;
      p->dy[n] = expand_quads(py, n) + ly;
   }
}

V_INLINE vf
quads_plane(vf c, vf dx, vf dy)
{
   return vf_quad_lane(c, 0) + vf_quad_lane(c, 1) * dx + vf_quad_lane(c, 2) * dy;
}

/* A plane's values in all lanes, at offset (ox, oy) from the pixel centres, to a row: not inline,
 * since waves of several primitives or samples are rare. */
static __attribute__((noinline)) void
eval_planes(const struct centres *p, enum plane_kind kind, const float *ox, const float *oy,
            uint32_t *row)
{
   const float *plane = prim_plane(p->prim[0], kind);
   vf moved[2][VECTORS];
   const vf *dx = p->dx, *dy = p->dy;

   for (unsigned n = 0; ox && n < VECTORS; n++) {
      moved[0][n] = dx[n] + vf_load(ox + n * VW);
      moved[1][n] = dy[n] + vf_load(oy + n * VW);
   }
   if (ox) {
      dx = moved[0];
      dy = moved[1];
   }
   if (p->one_prim) {
      for (unsigned n = 0; n < VECTORS; n++)
         vf_store(row + n * VW, plane_at(plane, dx[n], dy[n]));
      return;
   }
   const float *of[WAVE_QUADS];
   if (p->alike) {
      const ptrdiff_t offset = (const uint8_t *)plane - (const uint8_t *)p->prim[0];
      for (unsigned q = 0; q < WAVE_QUADS; q++)
         of[q] = (const float *)(const void *)((const uint8_t *)p->prim[q] + offset);
   } else {
      for (unsigned q = 0; q < WAVE_QUADS; q++)
         of[q] = prim_plane(p->prim[q], kind);
   }
   for (unsigned n = 0; n < VECTORS; n++) {
      const vf c = vf_load_quads(of + n * (VW / 4));
      vf_store(row + n * VW, quads_plane(c, dx[n], dy[n]));
   }
}

/* Barycentrics at the pixel centres of quads of several primitives, all perspective: one pass over
 * the vectors, in which each primitive's three planes are read together. */
static __attribute__((noinline)) void
eval_pair(const struct centres *p, uint32_t *i, uint32_t *j)
{
   for (unsigned n = 0; n < VECTORS; n++) {
      const struct sc_prim *const *prim = p->prim + n * (VW / 4);
      const float *pi[VW / 4], *pj[VW / 4], *pw[VW / 4];

      for (unsigned q = 0; q < VW / 4; q++) {
         pi[q] = prim[q]->pi;
         pj[q] = prim[q]->pj;
         pw[q] = prim[q]->pw;
      }
      const vf rcp = vf_splat(1.0f) / quads_plane(vf_load_quads(pw), p->dx[n], p->dy[n]);
      vf_store(i + n * VW, quads_plane(vf_load_quads(pi), p->dx[n], p->dy[n]) * rcp);
      vf_store(j + n * VW, quads_plane(vf_load_quads(pj), p->dx[n], p->dy[n]) * rcp);
   }
}

V_INLINE void
eval_plane(const struct centres *p, enum plane_kind kind, const float *ox, const float *oy,
           uint32_t *row)
{
   if (!p->one_prim || ox) {
      eval_planes(p, kind, ox, oy, row);
      return;
   }
   const float *plane = prim_plane(p->prim[0], kind);
   for (unsigned n = 0; n < VECTORS; n++)
      vf_store(row + n * VW, plane_at(plane, p->dx[n], p->dy[n]));
}

/* Adds the primitives' offsets to a row of depths. */
static void
offset_depths(const struct centres *p, uint32_t *row)
{
   float offset[WAVE_QUADS] __attribute__((aligned(64)));

   for (unsigned q = 0; q < WAVE_QUADS; q++)
      offset[q] = p->prim[p->one_prim ? 0 : q]->z[3];
   for (unsigned n = 0; n < VECTORS; n++)
      vf_store(row + n * VW, vf_load(row + n * VW) + expand_quads(offset, n));
}

/* The row's reciprocals. */
V_INLINE void
invert_row(uint32_t *row)
{
   for (unsigned n = 0; n < VECTORS; n++)
      vf_store(row + n * VW, vf_splat(1.0f) / vf_load(row + n * VW));
}

V_INLINE void
multiply_row(uint32_t *row, const uint32_t *by)
{
   for (unsigned n = 0; n < VECTORS; n++)
      vf_store(row + n * VW, vf_load(row + n * VW) * vf_load(by + n * VW));
}

/* ---- Whole blocks ---- */

/* Vectors that a row of a block's quads takes: there are four such rows. */
#define ROW_VECTORS (VECTORS / 4)

/* Pixel centres of a block's lanes from its primitive's anchor: by vector of a row, and by row. */
struct block_centres {
   vf dx[ROW_VECTORS], dy[4];
};

V_INLINE void
find_block(const struct pixel_wave *w, struct block_centres *p)
{
   const struct sc_prim *prim = w->prim[0];
   const vi lane = vi_lane_index(), one = vi_splat(1);
   const vi x = vi_splat(w->x[0] - prim->x0) + (vi_sar(lane, 1) & vi_splat(6)) + (lane & one);
   const vi y = vi_splat(w->y[0] - prim->y0) + (vi_sar(lane, 1) & one);

   for (unsigned n = 0; n < ROW_VECTORS; n++)
      p->dx[n] = vf_from_vi(x + vi_splat((int32_t)(n * VW / 2)));
   for (unsigned r = 0; r < 4; r++)
      p->dy[r] = vf_from_vi(y + vi_splat((int32_t)(2 * r)));
}

/* plane_at() in all lanes: the first two terms, which are one in all rows, and vector n. */
struct block_plane {
   vf base[ROW_VECTORS], step;
};

V_INLINE struct block_plane
block_plane(const struct block_centres *p, const float *plane)
{
   struct block_plane r = { .step = vf_splat(plane[2]) };

   for (unsigned n = 0; n < ROW_VECTORS; n++)
      r.base[n] = vf_splat(plane[0]) + vf_splat(plane[1]) * p->dx[n];
   return r;
}

V_INLINE vf
block_at(const struct block_centres *p, const struct block_plane *plane, unsigned n)
{
   return plane->base[n % ROW_VECTORS] + plane->step * p->dy[n / ROW_VECTORS];
}

/* A pair of a block, at the pixel centres. */
V_INLINE void
load_block_pair(const struct pixel_wave *w, const struct block_centres *p, bool linear, uint32_t *i,
                uint32_t *j)
{
   const struct sc_prim *prim = w->prim[0];
   const float *w_plane = prim_plane(prim, PLANE_W);
   const struct block_plane a = block_plane(p, prim_plane(prim, linear ? PLANE_LINEAR_I : PLANE_I));
   const struct block_plane b = block_plane(p, prim_plane(prim, linear ? PLANE_LINEAR_J : PLANE_J));

   if (linear || w_plane == one_plane) {
#pragma GCC unroll 16
      for (unsigned n = 0; n < VECTORS; n++) {
         vf_store(i + n * VW, block_at(p, &a, n));
         vf_store(j + n * VW, block_at(p, &b, n));
      }
      return;
   }
   const struct block_plane c = block_plane(p, w_plane);

#pragma GCC unroll 16
   for (unsigned n = 0; n < VECTORS; n++) {
      const vf rcp = vf_splat(1.0f) / block_at(p, &c, n);

      vf_store(i + n * VW, block_at(p, &a, n) * rcp);
      vf_store(j + n * VW, block_at(p, &b, n) * rcp);
   }
}

/* Where the pixels of a block are. */
V_INLINE void
load_block_position(struct tile *t, const struct block_centres *p)
{
   const struct core_entry *entry = &t->draw->spi->entry;
   const struct pixel_wave *w = t->wave;
   const vi lane = vi_lane_index(), one = vi_splat(1);
   uint32_t *r[4];

   for (unsigned c = 0; c < 4; c++)
      r[c] = core_entry_row(entry, t->worker->rows, CORE_POSITION + c);
   if (r[0]) {
      const vi x = vi_splat(w->x[0]) + (vi_sar(lane, 1) & vi_splat(6)) + (lane & one);

      for (unsigned n = 0; n < VECTORS; n++)
         vf_store(r[0] + n * VW,
                  vf_from_vi(x + vi_splat((int32_t)(n % ROW_VECTORS * (VW / 2)))) + vf_splat(0.5f));
   }
   if (r[1]) {
      const vi y = vi_splat(w->y[0]) + (vi_sar(lane, 1) & one);

      for (unsigned n = 0; n < VECTORS; n++)
         vf_store(r[1] + n * VW,
                  vf_from_vi(y + vi_splat((int32_t)(2 * (n / ROW_VECTORS)))) + vf_splat(0.5f));
   }
   if (r[2]) {
      const struct block_plane z = block_plane(p, prim_plane(w->prim[0], PLANE_Z));
      const vf offset = vf_splat(w->prim[0]->z[3]);

#pragma GCC unroll 16
      for (unsigned n = 0; n < VECTORS; n++)
         vf_store(r[2] + n * VW, block_at(p, &z, n) + offset);
   }
   if (r[3]) {
      const struct block_plane c = block_plane(p, prim_plane(w->prim[0], PLANE_TRUE_W));

#pragma GCC unroll 16
      for (unsigned n = 0; n < VECTORS; n++)
         vf_store(r[3] + n * VW, vf_splat(1.0f) / block_at(p, &c, n));
   }
}

/* ---- Entry values ---- */

/* Offsets from the pixel centre at which a pair is taken. */
struct offsets {
   float x[WAVE_LANES], y[WAVE_LANES];
} __attribute__((aligned(64)));

static void
sample_offsets(const struct tile *t, struct offsets *o, unsigned sample)
{
   const struct sc_state *sc = t->draw->sc;
   float x[4], y[4]; /* of a quad's pixels */

   for (unsigned l = 0; l < 4; l++) {
      x[l] = (float)sc->sample_x[l][sample] * 0.0625f;
      y[l] = (float)sc->sample_y[l][sample] * 0.0625f;
   }
   for (unsigned n = 0; n < VECTORS; n++) {
      vf_store(o->x + n * VW, vf_splat_quad(x));
      vf_store(o->y + n * VW, vf_splat_quad(y));
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

/* Pixel coordinates of a vector's lanes; `which`: 0 x, 1 y. */
V_INLINE vi
find_pixels(const struct pixel_wave *w, unsigned which, unsigned n)
{
   const vi lane = (which ? vi_sar(vi_lane_index(), 1) : vi_lane_index()) & vi_splat(1);
   const void *const quads = which ? w->y : w->x;

   return (vi)expand_quads(quads, n) + lane;
}

static uint64_t
lanes_with_quads(const struct pixel_wave *w)
{
   return UINT64_MAX >> (64 - w->num_quads * 4);
}

/* Where the pixel is. */
static void
load_position(struct tile *t, const struct centres *centres, bool multi,
              const struct offsets *at_sample, const struct offsets *at_centroid)
{
   const struct spi_state *spi = t->draw->spi;
   const struct offsets *o = !multi                   ? NULL
                             : spi->position_sample   ? at_sample
                             : spi->position_centroid ? at_centroid
                                                      : NULL;
   const float *ox = o ? o->x : NULL, *oy = o ? o->y : NULL;
   const uint64_t live = lanes_with_quads(t->wave);
   uint32_t *r[4];

   for (unsigned c = 0; c < 4; c++)
      r[c] = core_entry_row(&spi->entry, t->worker->rows, CORE_POSITION + c);
#pragma GCC unroll 2
   for (unsigned c = 0; c < 2; c++) {
      const float *offset = c ? oy : ox;

      for (unsigned n = 0; n < VECTORS && r[c]; n++) {
         const vf centre = vf_from_vi(find_pixels(t->wave, c, n)) + vf_splat(0.5f);
         const vf v = vf_keep(vm_lanes(live, n), centre);

         vf_store(r[c] + n * VW, offset ? v + vf_load(offset + n * VW) : v);
      }
   }
   if (r[2]) {
      eval_plane(centres, PLANE_Z, ox, oy, r[2]);
      offset_depths(centres, r[2]);
   }
   if (r[3]) {
      eval_plane(centres, PLANE_TRUE_W, ox, oy, r[3]);
      invert_row(r[3]);
   }
}

static void
load_faces(const struct pixel_wave *w, uint32_t *row)
{
   const vu one = vu_splat(F32_ONE);
   uint32_t back = 0; /* a bit each quad */

   if (w->one_prim) {
      for (unsigned n = 0; n < VECTORS; n++)
         vu_store(&row[n * VW], one | vu_splat(w->prim[0]->front_facing ? 0 : F32_SIGN));
      return;
   }
   for (unsigned q = 0; q < w->num_quads; q++)
      back |= (uint32_t)!w->prim[q]->front_facing << q;
   for (unsigned n = 0; n < VECTORS; n++) {
      const vu up = vu_splat(31 - n * (VW / 4)) - vu_shr((vu)vi_lane_index(), 2);

      vu_store(&row[n * VW], one | (vu_shlv(vu_splat(back), up) & vu_splat(F32_SIGN)));
   }
}

static void
load_layers(const struct pixel_wave *w, uint32_t *row)
{
   const unsigned count = w->one_prim ? 1 : w->num_quads;
   int32_t layers[WAVE_QUADS] __attribute__((aligned(64))) = { 0 };

   for (unsigned q = 0; q < count; q++)
      layers[q] = w->prim[q]->layer;
   for (unsigned n = 0; n < VECTORS; n++)
      vi_store(&row[n * VW], w->one_prim
                                ? vi_splat(layers[0])
                                : (vi)expand_quads((const float *)(const void *)layers, n));
}

/* Which samples are covered, as a mask and by their number; rows that are not NULL. */
static void
load_coverage(const struct tile *t, uint32_t *coverage, uint32_t *number_covered)
{
   const uint64_t *covered = t->key.before ? t->wave->before : t->wave->sample;

   for (unsigned n = 0; n < VECTORS; n++) {
      vu mask = vu_splat(0), count = vu_splat(0);

      for (unsigned s = 0; s < t->num_covered; s++) {
         mask |= vu_keep(vm_lanes(covered[s], n), vu_splat(1u << s));
         count += vu_keep(vm_lanes(covered[s], n), vu_splat(1));
      }
      if (coverage)
         vu_store(&coverage[n * VW], mask);
      if (number_covered)
         vu_store(&number_covered[n * VW], count);
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
   uint32_t *number_covered = core_entry_row(entry, rows, CORE_COVERED);
   uint32_t *pixel[2] = { core_entry_row(entry, rows, CORE_PIXEL_X),
                          core_entry_row(entry, rows, CORE_PIXEL_Y) };
   uint32_t *number = core_entry_row(entry, rows, CORE_SAMPLE);
   uint32_t *layer = core_entry_row(entry, rows, CORE_LAYER);

   if (face)
      load_faces(w, face);
   if (layer)
      load_layers(w, layer);
   if (coverage || number_covered)
      load_coverage(t, coverage, number_covered);
   for (unsigned n = 0; n < VECTORS && number; n++)
      vu_store(&number[n * VW], vu_splat(sample));
   for (unsigned c = 0; c < 2; c++)
      for (unsigned n = 0; n < VECTORS && pixel[c]; n++)
         vu_store(&pixel[c][n * VW],
                  vu_keep(vm_lanes(lanes_with_quads(w), n), (vu)find_pixels(w, c, n)));
}

static bool
reads_centroids(const struct spi_state *spi)
{
   bool yes = spi->position && spi->position_centroid;

   for (unsigned k = 0; k < spi->num_pairs; k++)
      yes = yes || spi->pair[k] % 3 == 2;
   return yes;
}

static void
load_entry(struct tile *t, unsigned sample)
{
   const struct spi_state *spi = t->draw->spi;
   const struct pixel_wave *w = t->wave;
   const struct core_entry *entry = &spi->entry;
   wave_lane *rows = t->worker->rows;
   struct offsets at_sample, at_centroid;
   bool multi = t->num_samples > 1;
   struct centres centres;

   if (w->block && !multi) {
      struct block_centres block;

      find_block(w, &block);
      for (unsigned k = 0; k < spi->num_pairs; k++) {
         const unsigned pair = spi->pair[k];

         load_block_pair(w, &block, pair > CORE_PERSP_CENTROID,
                         core_entry_row(entry, rows, CORE_BARYCENTRIC + 2 * pair),
                         core_entry_row(entry, rows, CORE_BARYCENTRIC + 2 * pair + 1));
      }
      if (spi->position)
         load_block_position(t, &block);
      if (spi->integers)
         load_integers(t, sample);
      return;
   }

   find_centres(w, &centres);
   if (multi) {
      sample_offsets(t, &at_sample, sample);
      if (reads_centroids(spi))
         centroid_offsets(t, &at_centroid);
   }
   for (unsigned k = 0; k < spi->num_pairs; k++) {
      const unsigned pair = spi->pair[k];
      uint32_t *i = core_entry_row(entry, rows, CORE_BARYCENTRIC + 2 * pair);
      uint32_t *j = core_entry_row(entry, rows, CORE_BARYCENTRIC + 2 * pair + 1);
      const unsigned where = pair % 3; /* sample, centre, centroid */
      const struct offsets *o = !multi || where == 1 ? NULL : where ? &at_centroid : &at_sample;
      const float *ox = o ? o->x : NULL, *oy = o ? o->y : NULL;

      if (pair <= CORE_PERSP_CENTROID && centres.affine) {
         /* 1 / W is 1 everywhere, and a product with it the other factor. */
         eval_plane(&centres, PLANE_I, ox, oy, i);
         eval_plane(&centres, PLANE_J, ox, oy, j);
      } else if (pair <= CORE_PERSP_CENTROID && centres.alike && !centres.one_prim && !o) {
         eval_pair(&centres, i, j);
      } else if (pair <= CORE_PERSP_CENTROID) {
         wave_lane rcp;

         eval_plane(&centres, PLANE_W, ox, oy, rcp);
         invert_row(rcp);
         eval_plane(&centres, PLANE_I, ox, oy, i);
         multiply_row(i, rcp);
         eval_plane(&centres, PLANE_J, ox, oy, j);
         multiply_row(j, rcp);
      } else {
         eval_plane(&centres, PLANE_LINEAR_I, ox, oy, i);
         eval_plane(&centres, PLANE_LINEAR_J, ox, oy, j);
      }
   }

   if (spi->position)
      load_position(t, &centres, multi, &at_sample, &at_centroid);
   if (spi->integers)
      load_integers(t, sample);
}

/* What all waves of a draw in a tile have alike. */
static void
begin_waves(struct tile *t)
{
   const struct draw_state *draw = t->draw;
   const struct core_program *ps = draw->ps->program;
   struct worker *worker = t->worker;
   struct core_wave *wave = &t->core;

   wave->rows = worker->rows;
   wave->bind = draw->ps;
   wave->outputs = worker->outputs;
   wave->keeps_rows = true;
   wave->kept = worker->fresh ? NULL : &t->kept;
   t->kept.ready = false;
   wave->scratch = worker->scratch;
   wave->scratch_bytes = draw->ps->scratch_bytes;
   wave->slot = ps->writes_memory ? worker->index & 255 : 0;
   worker_watch(worker, wave);
   wave->stream_lanes = 0;
   wave->tile = t;
   wave->stores = ps->stores_tile ? worker->stores : NULL;
   t->begun = true;
}

/* A program that gives the same for all pixels runs for none of them. */
static __attribute__((noinline)) void
report_fault(const struct tile *t, const struct core_wave *wave)
{
   const struct core_program *program = t->draw->ps->program;
   struct gfx *gfx = t->worker->gfx;
   char pixels[80];

   if (t->draw->spi->constant)
      snprintf(pixels, sizeof(pixels), "for all pixels of the tile at %d,%d", t->x0, t->y0);
   else
      snprintf(pixels, sizeof(pixels), "%u quads, first at %d,%d", t->wave->num_quads,
               t->wave->x[0], t->wave->y[0]);
   (wave->cut ? gfx_cut : gfx_fault)(
      gfx, "pixel wave: %s at %s %u (%s; program of %u words at 0x%llX; draw %u, wave %u)",
      wave->fault ? wave->fault : "fault", program->engine->place, wave->fault_place, pixels,
      program->words_used, (unsigned long long)program->va, wave->identity.draw,
      wave->identity.wave);
}

uint64_t
K(spi_run)(struct tile *t, uint64_t cover, unsigned sample)
{
   const struct draw_state *draw = t->draw;
   struct worker *worker = t->worker;
   struct core_wave *wave = &t->core;
   const bool constant = draw->spi->constant;

   if (core_expired(&worker->watch))
      return 0;
   if (constant && t->const_ready) {
      worker->counters.ps_invocations += (unsigned)__builtin_popcountll(cover);
      worker->counters.waves++;
      return cover & t->const_lanes;
   }

   if (!t->begun)
      begin_waves(t);
   if (wave->scratch_bytes) {
      memset(wave->scratch, 0, (size_t)wave->scratch_bytes * WAVE_LANES);
      worker->spent += wave->scratch_bytes;
   }
   if (wave->stores)
      memset(wave->stores, 0, offsetof(struct core_stores, value));
   if (constant) {
      /* Entry values do not matter: no lane differs from another. */
      wave->valid = wave->active = UINT64_MAX;
      wave->one_primitive = true;
      wave->coef[0] = (const struct spi_coef(*)[4])t->coef;
   } else {
      const struct pixel_wave *w = t->wave;

      load_entry(t, sample);
      wave->valid = cover;
      wave->active = draw->ps->program->needs_helpers ? lanes_whole_quads(cover) : cover;
      wave->one_primitive = w->one_prim;
      wave->coef[0] = w->coef[0];
      if (!w->one_prim)
         memcpy(wave->coef, w->coef, sizeof(wave->coef));
   }
   worker->outputs->depth_lanes = UINT64_MAX;

   core_run(wave);
   worker->counters.cycles += wave->cycles;
   if (wave->faulted)
      report_fault(t, wave);
   wave->identity.wave++;

   uint64_t lanes = wave->valid & worker->outputs->lanes;
   if (constant) {
      t->const_ready = true;
      t->const_lanes = lanes ? UINT64_MAX : 0;
      if (t->key.mode == PIXEL_FILL)
         return lanes;
      lanes = cover & t->const_lanes;
   }
   worker->counters.waves++;
   worker->counters.ps_invocations += (unsigned)__builtin_popcountll(cover);
   return lanes & cover;
}
