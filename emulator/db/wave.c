/* SPDX-License-Identifier: MIT */
/*
 * Depth and stencil of waves after the program, a segment of one at a time, in which no pixel
 * occurs twice; and what programs read of them (kernels).  Lanes are in quad order.
 */
#include "db/test.h"

/* What a wave's depths are found from, by quad.  Entries past the last quad are as the first. */
struct wave_planes {
   float x[WAVE_QUADS], y[WAVE_QUADS]; /* first pixel, from its primitive's anchor */
   float lo[WAVE_QUADS], hi[WAVE_QUADS];
   const float *z[WAVE_QUADS];
   bool limited;
} __attribute__((aligned(64)));

static void
find_wave_planes(const struct tile *t, struct wave_planes *p)
{
   const struct pixel_wave *w = t->wave;

   for (unsigned q = 0; q < WAVE_QUADS; q++) {
      const unsigned from = q < w->num_quads ? q : 0;
      const struct sc_prim *prim = wave_prim(w, from);
      const struct z_range range = z_range(t->draw, prim);

      p->x[q] = (float)(w->x[from] - prim->x0);
      p->y[q] = (float)(w->y[from] - prim->y0);
      p->lo[q] = range.lo;
      p->hi[q] = range.hi;
      p->z[q] = prim->z;
      p->limited = range.on;
   }
}

/* Of one primitive, that all lanes export, or of one sample that none does: what is found below, in
 * fewer steps. */
static void
find_depths_of_one(struct tile *t, bool exported)
{
   const struct pixel_wave *w = t->wave;
   const struct sc_prim *prim = wave_prim(w, 0);
   const struct z_range range = z_range(t->draw, prim);
   const unsigned end = (w->num_quads * 4 + VW - 1) / VW;
   const vf z0 = vf_splat(prim->z[0]), z1 = vf_splat(prim->z[1]), z2 = vf_splat(prim->z[2]);
   const vf z3 = vf_splat(prim->z[3]), lo = vf_splat(range.lo), hi = vf_splat(range.hi);
   float x[WAVE_QUADS] __attribute__((aligned(64))), y[WAVE_QUADS] __attribute__((aligned(64)));

   for (unsigned q = 0; q < WAVE_QUADS && !exported; q++) {
      const unsigned from = q < w->num_quads ? q : 0;

      x[q] = (float)(w->x[from] - prim->x0);
      y[q] = (float)(w->y[from] - prim->y0);
   }
   for (unsigned n = 0; n < end; n++) {
      vf z;

      if (exported)
         z = vf_load(t->worker->outputs->z[0] + n * VW);
      else
         z = z0 + z1 * (expand_quads(x, n) + quad_lane_x()) +
             z2 * (expand_quads(y, n) + quad_lane_y()) + z3;
      if (range.on)
         z = vf_min_second(vf_max_second(z, lo), hi);
      vf_store(t->z + n * VW, vf_canon(z));
   }
}

void
K(db_depths)(struct tile *t, unsigned sample)
{
   const struct sc_state *sc = t->draw->sc;
   const struct db_state *db = t->draw->db;
   const bool exported = db->export_z && !db->forced_early;
   const unsigned end = (t->wave->num_quads * 4 + VW - 1) / VW;
   const uint64_t all = UINT64_MAX >> (64 - t->wave->num_quads * 4);
   vf dx = quad_lane_x(), dy = quad_lane_y();
   struct wave_planes planes;

   if (t->wave->one_prim &&
       (exported ? !(all & ~t->worker->outputs->depth_lanes) : t->num_samples == 1)) {
      find_depths_of_one(t, exported);
      return;
   }
   find_wave_planes(t, &planes);
   if (t->num_samples > 1) {
      float x[VW] __attribute__((aligned(VW * 4))), y[VW] __attribute__((aligned(VW * 4)));

      for (unsigned l = 0; l < VW; l++) {
         x[l] = (float)sc->sample_x[l & 3][sample] * 0.0625f;
         y[l] = (float)sc->sample_y[l & 3][sample] * 0.0625f;
      }
      dx = vf_load(x);
      dy = vf_load(y);
   }
   for (unsigned n = 0; n < end; n++) {
      const vf plane = vf_load_quads(planes.z + n * (VW / 4));
      vf px = expand_quads(planes.x, n), py = expand_quads(planes.y, n);

      /* A sample's offset is added to its pixel's. */
      if (t->num_samples > 1) {
         px += quad_lane_x();
         py += quad_lane_y();
      }
      px += dx;
      py += dy;
      vf z = vf_quad_lane(plane, 0) + vf_quad_lane(plane, 1) * px + vf_quad_lane(plane, 2) * py +
             vf_quad_lane(plane, 3);
      if (exported)
         z = vf_select(vm_lanes(t->worker->outputs->depth_lanes, n),
                       vf_load(t->worker->outputs->z[0] + n * VW), z);
      if (planes.limited)
         z =
            vf_min_second(vf_max_second(z, expand_quads(planes.lo, n)), expand_quads(planes.hi, n));
      vf_store(t->z + n * VW, vf_canon(z));
   }
}

/* Where the quads of a wave lie in a plane of dwords, one a pixel; those that have a lane of the
 * mask.  A row outside the surface, of which no lane is covered, is `spare`. */
struct quad_rows {
   uint8_t *row[WAVE_QUADS][2];
   uint8_t spare[8];
};

static void
find_quad_rows(struct quad_rows *r, const struct pixel_wave *w, const struct target *s,
               uint64_t lanes)
{
   memset(r->spare, 0, sizeof(r->spare));
   for (unsigned q = 0; q < w->num_quads; q++) {
      const uint32_t y = (uint32_t)w->y[q];

      if (!(lanes >> q * 4 & 15))
         continue;
      r->row[q][0] = target_pixel(s, (uint32_t)w->x[q], y, wave_prim(w, q)->layer);
      r->row[q][1] = y + 1 < s->height ? r->row[q][0] + s->row_bytes : r->spare;
   }
}

static void
load_quad_rows(const struct quad_rows *r, unsigned quads, uint64_t lanes, wave_lane out)
{
   for (unsigned q = 0; q < quads; q++)
      if (lanes >> q * 4 & 15)
         _mm_store_si128(
            (__m128i *)(void *)(out + q * 4),
            _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(void *)r->row[q][0]),
                               _mm_loadl_epi64((const __m128i *)(void *)r->row[q][1])));
}

/* Lanes outside the mask must hold what was there. */
static void
store_quad_rows(const struct quad_rows *r, unsigned quads, uint64_t lanes, const wave_lane in)
{
   for (unsigned q = 0; q < quads; q++) {
      const __m128i v = _mm_load_si128((const __m128i *)(const void *)(in + q * 4));

      if (!(lanes >> q * 4 & 15))
         continue;
      _mm_storel_epi64((__m128i *)(void *)r->row[q][0], v);
      _mm_storel_epi64((__m128i *)(void *)r->row[q][1], _mm_unpackhi_epi64(v, v));
   }
}

uint64_t
K(db_lanes)(struct tile *t, uint64_t cover, unsigned sample)
{
   const struct pixel_wave *w = t->wave;
   const struct db_state *db = t->draw->db;
   /* A surface of fewer samples than are rasterised keeps what it has. */
   const size_t z_sample = (size_t)(sample & ((1u << db->z.log2_samples) - 1)) * db->z.cpp;
   const size_t s_sample = (size_t)(sample & ((1u << db->s.log2_samples) - 1)) * db->s.cpp;
   const bool use_z = db->z.host && (db->z_test || db->z_write || db->z_clear);
   const bool use_s = db->s.host && (db->stencil || db->s_clear);
   /* Depths of one sample, which go by quads. */
   const bool rows = use_z && db->z.cpp == 4 && !db->z.log2_samples && !db_packed(db);
   struct quad_rows quads;
   wave_lane z_mem, s_mem;
   struct lanes_args a = { t->z, z_mem, s_mem, NULL, 0, 0, 0 };

   if (!db->active)
      return cover;
   for (unsigned q = 0; q < w->num_quads; q++)
      if (!wave_prim(w, q)->front_facing)
         a.back |= UINT64_C(15) << q * 4;
   if (db->export_stencil && !db->forced_early)
      a.s_ref = t->worker->outputs->z[1];
   memset(z_mem, 0, sizeof(z_mem));
   memset(s_mem, 0, sizeof(s_mem));

   if (rows) {
      find_quad_rows(&quads, w, &db->z, cover);
      load_quad_rows(&quads, w->num_quads, cover, z_mem);
   }
   for (uint64_t m = (use_z && !rows) || use_s ? cover : 0; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m), q = l / 4;
      const uint32_t px = (uint32_t)w->x[q] + (l & 1), py = (uint32_t)w->y[q] + (l >> 1 & 1);
      const unsigned layer = wave_prim(w, q)->layer;

      if (use_z && !rows)
         z_mem[l] = read_value(target_pixel(&db->z, px, py, layer) + z_sample, db->z_bytes);
      if (use_s)
         s_mem[l] = target_pixel(&db->s, px, py, layer)[s_sample];
   }
   const uint64_t pass = K(db_test)(db, &a, cover);
   if (rows)
      store_quad_rows(&quads, w->num_quads, a.z_changed & cover, z_mem);
   for (uint64_t m = ((use_z && !rows ? a.z_changed : 0) | (use_s ? a.s_changed : 0)) & cover; m;
        m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m), q = l / 4;
      const uint32_t px = (uint32_t)w->x[q] + (l & 1), py = (uint32_t)w->y[q] + (l >> 1 & 1);
      const unsigned layer = wave_prim(w, q)->layer;

      if (use_z && !rows && a.z_changed >> l & 1)
         write_value(target_pixel(&db->z, px, py, layer) + z_sample, db->z_bytes, z_mem[l]);
      if (use_s && a.s_changed >> l & 1)
         target_pixel(&db->s, px, py, layer)[s_sample] = (uint8_t)s_mem[l];
   }
   return pass;
}

void
K(db_load)(const struct tile *t, bool stencil, unsigned sample, uint64_t lanes, uint32_t *out)
{
   const struct pixel_wave *w = t->wave;
   const struct db_state *db = t->draw->db;
   const struct target *s = stencil ? &db->s : &db->z;
   const size_t at_sample = (size_t)(sample & ((1u << s->log2_samples) - 1)) * s->cpp;

   for (uint64_t m = s->host ? lanes : 0; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(m), q = l / 4;
      const uint32_t px = (uint32_t)w->x[q] + (l & 1), py = (uint32_t)w->y[q] + (l >> 1 & 1);

      /* Helper lanes may be outside. */
      if (q >= w->num_quads || px >= s->width || py >= s->height)
         continue;
      const uint32_t raw = read_value(target_pixel(s, px, py, wave_prim(w, q)->layer) + at_sample,
                                      stencil ? 1 : db->z_bytes);
      if (stencil) {
         out[l] = raw & 0xff;
      } else if (db->z_format == DEPTH_FLOAT32) {
         out[l] = raw;
      } else {
         const uint32_t max = db->z_format == DEPTH_UNORM16 ? 0xffff : 0xffffff;
         const float z = (float)(raw & max) / (float)max;
         memcpy(&out[l], &z, sizeof(z));
      }
   }
}
