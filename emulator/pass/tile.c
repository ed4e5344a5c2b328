/* SPDX-License-Identifier: MIT */
/*
 * Scan conversion of one tile: which pixels of which primitives, in what order
 * (design: "Pixels: packed, binned, threaded").
 *
 * A primitive's edges are tested against the part of the tile it may touch, then against 8x8
 * blocks; only in blocks that some edge crosses are they evaluated per pixel.  The result of a
 * block goes through early depth and stencil, and what is left joins the wave under construction,
 * quad by quad, so that the wave's composition depends on the stream alone.
 */
#include "db/db.h"
#include "pass/pack.h"
#include "pass/probe.h"
#include "pass/tile.h"
#include "port/quads.h"
#include "cb/cb.h"
#include "sc/cover.h"
#include "sc/sc.h"
#include "sc/walk.h"
#include "spi/spi.h"
#include "sx/sx.h"

/* What early tests leave of one sample's lanes. */
static uint64_t
test_early(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, uint64_t cover,
           unsigned sample)
{
   if (t->db_block && cover)
      cover = t->db_block(t, prim, x, y, cover, sample);
   if (t->key.count)
      t->worker->counters.samples_passed += (unsigned)__builtin_popcountll(cover);
   return cover;
}

/* Whether tests of the primitive only replace depth and stencil, by the same everywhere. */
static bool
replaces(const struct tile *t, const struct sc_prim *prim)
{
   return t->key.overwrites && prim->z[1] == 0.0f && prim->z[2] == 0.0f;
}

/* Early tests of a block's lanes, sample by sample. */
static void
test_samples(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, uint64_t *samples)
{
   uint64_t any = 0;

   if (!t->draw->sc->over) {
      uint64_t all = samples[0];

      for (unsigned s = 1; s < t->num_samples; s++)
         all &= samples[s];
      if (t->db_block && all == UINT64_MAX && replaces(t, prim)) {
         K(db_fill_rect)(t, prim, x, y, PIXEL_BLOCK, PIXEL_BLOCK);
         t->worker->counters.samples_passed += t->key.count ? 64u * t->num_samples : 0;
         return;
      }
      for (unsigned s = 0; s < t->num_samples; s++)
         samples[s] = test_early(t, prim, x, y, samples[s], s);
      return;
   }
   for (unsigned s = 0; s < t->num_covered; s++)
      any |= samples[s];
   any = test_early(t, prim, x, y, any, 0);
   for (unsigned s = 0; s < t->num_covered; s++)
      samples[s] &= any;
}

/* How often a program that is not run, as it gives the same for all, would have run. */
static unsigned
fill_invocations(const struct tile *t, const uint64_t *samples, uint64_t any)
{
   unsigned count = 0;

   if (!t->draw->sc->log2_iter)
      return (unsigned)__builtin_popcountll(any);
   for (unsigned s = 0; s < t->num_covered; s++)
      count += (unsigned)__builtin_popcountll(samples[s]);
   return count;
}

/* What a block's pixels end in, after early tests: lanes `any`, of each sample `samples`. */
static inline void
finish_block(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, uint64_t *samples,
             uint64_t any, unsigned num_samples)
{
   switch (t->key.mode) {
   case PIXEL_DEPTH_ONLY:
      break;
   case PIXEL_COPY:
      K(db_copy_block)(t, prim, x, y, any);
      break;
   case PIXEL_RESOLVE:
      K(cb_resolve_block)(t, x, y, prim->layer, any);
      break;
   case PIXEL_FILL:
      t->worker->counters.ps_invocations +=
         num_samples == 1 ? (unsigned)__builtin_popcountll(any) : fill_invocations(t, samples, any);
      if (t->const_lanes)
         K(cb_fill_block)(t, x, y, prim->layer, t->num_samples == 1 ? &any : samples);
      break;
   case PIXEL_PACK:
      any = lanes_to_quads(any);
      for (unsigned s = 0; s < num_samples; s++)
         samples[s] = num_samples == 1 ? any : lanes_to_quads(samples[s]);
      append_quads(t, prim, x, y, samples, any);
      break;
   }
}

/* A block's lanes, row-major, per sample. */
static __attribute__((noinline)) void
emit_samples(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, uint64_t *samples)
{
   const struct sc_state *sc = t->draw->sc;
   const unsigned num_samples = t->num_covered;
   uint64_t any = 0;

   if (t->probe)
      probe_block(t, PROBE_COVERED, prim, x, y, samples);
   if (sc->cliprects || (sc->line_stipple && prim->line)) {
      uint64_t keep = UINT64_MAX;

      if (sc->cliprects)
         keep = K(sc_clip)(sc, x, y, keep);
      if (sc->line_stipple && prim->line)
         keep = K(sc_stipple)(sc, prim, x, y, keep);
      for (unsigned s = 0; s < num_samples; s++)
         samples[s] &= keep;
   }
   if (t->key.before)
      for (unsigned s = 0; s < num_samples; s++)
         t->before[s] = lanes_to_quads(samples[s]);
   if (t->probe)
      probe_block(t, PROBE_CLIPPED, prim, x, y, samples);
   if (t->key.early)
      test_samples(t, prim, x, y, samples);
   if (t->probe)
      probe_block(t, PROBE_TESTED, prim, x, y, samples);
   for (unsigned s = 0; s < num_samples; s++)
      any |= samples[s];
   if (any)
      finish_block(t, prim, x, y, samples, any, num_samples);
   if (t->probe)
      probe_block(t, PROBE_FINISHED, prim, x, y, samples);
}

/* A block's lanes, row-major, of the one sample of a draw that clips no pixel. */
static void
emit_block(struct tile *t, const struct sc_prim *prim, int32_t x, int32_t y, uint64_t lanes)
{
   if (!t->key.simple) {
      emit_samples(t, prim, x, y, &lanes);
      return;
   }
   if (t->key.early)
      lanes = test_early(t, prim, x, y, lanes, 0);
   if (lanes)
      finish_block(t, prim, x, y, &lanes, lanes, 1);
}

/* ---- Primitives ---- */

/* A rectangle of pixels that the primitive covers entirely: clears, mostly.  True: done. */
static bool
fill_tile(struct tile *t, const struct sc_prim *prim, int32_t x0, int32_t y0, int32_t x1,
          int32_t y1)
{
   const struct draw_state *draw = t->draw;

   if ((t->key.mode != PIXEL_FILL && t->key.mode != PIXEL_DEPTH_ONLY) || draw->sc->cliprects ||
       prim->line || t->key.masked || (t->db_block && !replaces(t, prim)))
      return false;

   const int32_t w = x1 - x0 + 1, h = y1 - y0 + 1;
   const uint64_t pixels = (uint64_t)w * (uint64_t)h;
   if (t->db_block)
      K(db_fill_rect)(t, prim, x0, y0, w, h);
   if (t->key.count)
      t->worker->counters.samples_passed += pixels * t->num_samples;
   if (t->key.mode == PIXEL_FILL) {
      t->worker->counters.ps_invocations += pixels * (draw->sc->log2_iter ? t->num_samples : 1);
      if (t->const_lanes)
         K(cb_fill_rect)(t, x0, y0, w, h, prim->layer);
   }
   return true;
}

#if VW > 4
/* Pixels [x0, x1] x [y0, y1] of the tile, of one sample.  False: the edges are too steep. */
V_INLINE bool
scan_edges(struct tile *t, const struct sc_prim *prim, int32_t x0, int32_t y0, int32_t x1,
           int32_t y1, unsigned num_edges)
{
   struct walk w;

   if (!walk_begin(&w, prim, t->x0, t->y0, num_edges))
      return false;
   if ((t->key.mode == PIXEL_FILL || t->key.mode == PIXEL_DEPTH_ONLY) &&
       walk_inside(&w, x0, y0, x1, y1) &&
       fill_tile(t, prim, t->x0 + x0, t->y0 + y0, t->x0 + x1, t->y0 + y1))
      return true;
   uint64_t blocks = UINT64_C(1) << ((y0 & ~7) + x0 / 8);
   if (((x0 ^ x1) | (y0 ^ y1)) & ~7)
      blocks = walk_blocks(&w, x0, y0, x1, y1, num_edges);
   const bool whole_blocks = !((x0 | y0) & 7) && (x1 & y1 & 7) == 7;
   for (; blocks; blocks &= blocks - 1) {
      const int32_t block = __builtin_ctzll(blocks), bx = (block & 7) * 8, by = block & ~7;
      const __m128i e = walk_at(&w, w.e, bx, by);
      const int32_t px = x0 - bx, py = y0 - by, qx = x1 - bx, qy = y1 - by;
      uint64_t lanes = UINT64_MAX;

      if (!whole_blocks)
         lanes = lanes_in_rect(px > 0 ? px : 0, py > 0 ? py : 0, qx < 7 ? qx : 7, qy < 7 ? qy : 7);
      if (_mm_movemask_ps((__m128)_mm_add_epi32(e, w.reach_min)))
         lanes &= walk_cover(&w, e, num_edges);
      if (lanes)
         emit_block(t, prim, t->x0 + bx, t->y0 + by, lanes);
   }
   return true;
}

static bool
scan_simple(struct tile *t, const struct sc_prim *prim, int32_t x0, int32_t y0, int32_t x1,
            int32_t y1)
{
   x0 -= t->x0;
   y0 -= t->y0;
   x1 -= t->x0;
   y1 -= t->y0;
   return prim->num_edges > 3 ? scan_edges(t, prim, x0, y0, x1, y1, 4)
                              : scan_edges(t, prim, x0, y0, x1, y1, 3);
}
#else
/* A primitive within one block, pixels of one sample.  False: its edges are too large for 32 bits.
 */
static bool
scan_simple(struct tile *t, const struct sc_prim *prim, int32_t x0, int32_t y0, int32_t x1,
            int32_t y1)
{
   static const unsigned which[4] = { 0, 1, 2, 3 };
   const int32_t bx = x0 & ~7, by = y0 & ~7;
   struct edges edges;
   int64_t at[4];

   if (((x0 ^ x1) | (y0 ^ y1)) & ~7)
      return false;
   for (unsigned i = 0; i < prim->num_edges; i++) {
      const int32_t a = prim->a[i], b = prim->b[i];

      at[i] = (int64_t)a * bx + (int64_t)b * by + prim->c[i];
      if (a > SMALL_EDGE || a < -SMALL_EDGE || b > SMALL_EDGE || b < -SMALL_EDGE ||
          at[i] > INT32_MAX / 2 || at[i] < INT32_MIN / 2)
         return false;
      edges.a[i] = a;
      edges.b[i] = b;
   }

   uint64_t lanes = lanes_in_rect((unsigned)(x0 - bx), (unsigned)(y0 - by), (unsigned)(x1 - bx),
                                  (unsigned)(y1 - by));
   lanes &= K(sc_cover_block)(&edges, prim->num_edges, which, at);
   if (lanes)
      emit_block(t, prim, bx, by, lanes);
   return true;
}
#endif

static void
scan_prim(struct tile *t, const struct sc_prim *prim)
{
   const struct sc_state *sc = t->draw->sc;
   int32_t x0 = prim->min_x, y0 = prim->min_y, x1 = prim->max_x, y1 = prim->max_y;

   x0 = x0 < t->x0 ? t->x0 : x0;
   y0 = y0 < t->y0 ? t->y0 : y0;
   x1 = x1 > t->x0 + TILE_SIZE - 1 ? t->x0 + TILE_SIZE - 1 : x1;
   y1 = y1 > t->y0 + TILE_SIZE - 1 ? t->y0 + TILE_SIZE - 1 : y1;
   if (x0 > x1 || y0 > y1)
      return;

   if (t->num_covered == 1 && !sc->msaa && scan_simple(t, prim, x0, y0, x1, y1))
      return;

   struct edges edges;
   edges.count = 0;
   for (unsigned i = 0; i < prim->num_edges && i < 4; i++) {
      const int64_t a = prim->a[i], b = prim->b[i];
      const int64_t base = a * x0 + b * y0 + prim->c[i];
      const int64_t ax = a * (x1 - x0), by = b * (y1 - y0);
      /* Samples lie up to half a pixel away. */
      const int64_t spread = sc->msaa ? ((a < 0 ? -a : a) + (b < 0 ? -b : b)) / 2 + 1 : 0;

      if (base + (ax > 0 ? ax : 0) + (by > 0 ? by : 0) + spread < 0)
         return;
      if (base + (ax < 0 ? ax : 0) + (by < 0 ? by : 0) - spread >= 0)
         continue;

      const unsigned n = edges.count++;
      edges.a[n] = prim->a[i];
      edges.b[n] = prim->b[i];
      edges.c[n] = prim->c[i];
      edges.reach_max[n] = 7 * ((a > 0 ? a : 0) + (b > 0 ? b : 0)) + spread;
      edges.reach_min[n] = 7 * ((a < 0 ? a : 0) + (b < 0 ? b : 0)) - spread;
      if (!sc->msaa)
         continue;
      for (unsigned s = 0; s < t->num_covered; s++)
         for (unsigned p = 0; p < 4; p++)
            edges.sample[n][s][p] =
               (prim->c_frac[i] + 16 * (a * sc->sample_x[p][s] + b * sc->sample_y[p][s])) >> 8;
   }
   if (!edges.count && fill_tile(t, prim, x0, y0, x1, y1))
      return;

   int64_t row[4], block[4]; /* the edges where a row of blocks begins, and a block */
   for (unsigned i = 0; i < edges.count; i++)
      row[i] = (int64_t)edges.a[i] * (x0 & ~7) + (int64_t)edges.b[i] * (y0 & ~7) + edges.c[i];
   for (int32_t by = y0 & ~7; by <= y1; by += PIXEL_BLOCK) {
      for (unsigned i = 0; i < edges.count; i++) {
         block[i] = row[i];
         row[i] += (int64_t)edges.b[i] * PIXEL_BLOCK;
      }
      for (int32_t bx = x0 & ~7; bx <= x1; bx += PIXEL_BLOCK) {
         unsigned crossing = 0, which[4];
         int64_t at[4];
         bool outside = false;

         for (unsigned i = 0; i < edges.count; i++) {
            const int64_t e = block[i];

            block[i] = e + (int64_t)edges.a[i] * PIXEL_BLOCK;
            outside |= e + edges.reach_max[i] < 0;
            at[crossing] = e;
            which[crossing] = i;
            crossing += e + edges.reach_min[i] < 0;
         }
         if (outside)
            continue;

         uint64_t inside = UINT64_MAX;
         if (bx < x0 || by < y0 || bx + 7 > x1 || by + 7 > y1)
            inside = lanes_in_rect(bx < x0 ? x0 - bx : 0, by < y0 ? y0 - by : 0,
                                   bx + 7 > x1 ? x1 - bx : 7, by + 7 > y1 ? y1 - by : 7);
         if (t->num_covered == 1) {
            if (crossing)
               inside &= K(sc_cover_block)(&edges, crossing, which, at);
            if (inside)
               emit_block(t, prim, bx, by, inside);
         } else {
            uint64_t samples[SC_MAX_SAMPLES];

            K(sc_cover_samples)(t, &edges, crossing, which, at, inside, samples);
            emit_samples(t, prim, bx, by, samples);
         }
      }
   }
}

/* ---- What programs see of the tile ---- */

#define TILE_STENCIL 254u
#define TILE_DEPTH   255u

void
K(tile_load)(const struct tile *t, unsigned target, unsigned sample, uint64_t lanes,
             uint32_t *const out[4])
{
   for (unsigned c = 0; c < 4; c++)
      memset(out[c], 0, sizeof(wave_lane));
   if (target < CB_TARGETS)
      K(cb_load)(t, target, sample, lanes, out);
   else if (target == TILE_STENCIL || target == TILE_DEPTH)
      K(db_load)(t, target == TILE_STENCIL, sample, lanes, out[0]);
}

/* ---- Draws ---- */

static void
begin_draw(struct tile *t, const struct draw_state *draw)
{
   t->draw = draw;
   t->core.identity = (struct core_identity){
      .submission = draw->submission,
      .draw = draw->number,
      .round = draw->round,
      .part = (uint32_t)(t->y0 / TILE_SIZE) << 16 | (uint32_t)(t->x0 / TILE_SIZE),
      .stage = CORE_PIXEL,
   };
   t->key = draw->quads;
   t->begun = t->const_ready = false;
   t->const_lanes = 0;
   t->coef_prim = NULL;
   t->num_covered = 1u << draw->sc->log2_samples;
   t->num_samples = draw->sc->over ? 1 : t->num_covered;
   t->probe = draw->probe ? probe_begin(t) : NULL;
   t->db_block = t->key.mode == PIXEL_COPY || t->key.mode == PIXEL_RESOLVE ? NULL : K(db_choose)(t);
   if (t->key.mode != PIXEL_FILL)
      return;
   K(spi_run)(t, UINT64_MAX, 0);
   if (t->const_lanes)
      K(cb_pack_constant)(t);
}

/* Asks for a primitive's lines. */
static inline void
fetch_ahead(const struct sc_prim *prim)
{
   for (size_t at = 0; at < sizeof(*prim); at += 64)
      __builtin_prefetch((const uint8_t *)prim + at);
}

/* What a batch has in a tile. */
struct share {
   const struct pass_draw *draw;
   const struct batch *batch;
   uint32_t begin, end; /* of batch->bin_prims */
};

/* Where the search of a pass for what a tile has goes on. */
struct search {
   const struct pass *pass;
   uint32_t draw, batch;
};

#define SHARES 32

/* The next ones, in drawing order; how many.  Bins and primitives come from other cores' caches:
 * they are asked for while the search goes on. */
static unsigned
find_shares(struct search *s, int32_t tx, int32_t ty, struct share out[SHARES])
{
   unsigned count = 0;

   for (; s->draw < s->pass->num_draws; s->draw++, s->batch = 0) {
      const struct pass_draw *pd = &s->pass->draws[s->draw];

      if (tx < pd->tile_x0 || tx > pd->tile_x1 || ty < pd->tile_y0 || ty > pd->tile_y1)
         continue;
      for (; s->batch < pd->num_batches; s->batch++) {
         const struct batch *batch = &pd->batches[s->batch];

         if (count == SHARES)
            return count;
         if (tx < batch->tile_x0 || tx > batch->tile_x1 || ty < batch->tile_y0 ||
             ty > batch->tile_y1)
            continue;

         if (batch->unsorted) {
            out[count++] = (struct share){ pd, batch, 0, batch->num_prims };
            continue;
         }
         const uint32_t width = (uint32_t)(batch->tile_x1 - batch->tile_x0 + 1);
         const uint32_t bin =
            (uint32_t)(ty - batch->tile_y0) * width + (uint32_t)(tx - batch->tile_x0);
         const uint32_t begin = batch->bin_start[bin], end = batch->bin_start[bin + 1];

         out[count] = (struct share){ pd, batch, begin, end };
         count += begin != end;
         for (uint32_t k = begin; k < end && k < begin + 3; k++)
            fetch_ahead(&batch->prims[batch->bin_prims[k]]);
      }
   }
   return count;
}

void
K(tile_run)(struct worker *worker, struct pass *pass, unsigned tile_x, unsigned tile_y)
{
   struct tile *t = worker->tile;
   const struct core_watch *watch = &worker->watch;
   const int32_t tx = (int32_t)tile_x, ty = (int32_t)tile_y;

   t->worker = worker;
   t->x0 = tx << TILE_LOG2;
   t->y0 = ty << TILE_LOG2;
   t->pending.num_quads = 0;
   t->pending.segments = 0;
   t->pending.kinds = 0;
   t->runs.count = 0;
   t->pending.block = false;
   memset(t->pending.sample, 0, sizeof(t->pending.sample));
   memset(t->pending.before, 0, sizeof(t->pending.before));
   memset(t->seen, 0, sizeof(t->seen));
   t->serial = 1;

   struct search search = { .pass = pass };
   struct share shares[SHARES];
   const struct pass_draw *draw = NULL;
   unsigned count;

   while (!core_expired(watch) && (count = find_shares(&search, tx, ty, shares)) > 0) {
      for (unsigned i = 0; i < count; i++) {
         const struct share *share = &shares[i];
         const struct batch *batch = share->batch;

         if (draw != share->draw) {
            if (draw && t->key.mode == PIXEL_PACK)
               flush_pending(t);
            draw = share->draw;
            K(cb_expand_clears)(draw->state->cb, t->x0, t->y0);
            begin_draw(t, draw->state);
         }
         t->batch = batch;
         /* One call for both kinds of batches, so that the compiler inlines it. */
         const uint32_t *bins = batch->unsorted ? NULL : batch->bin_prims;

         for (uint32_t k = share->begin; k < share->end && !core_expired(watch); k++) {
            if (bins && k + 3 < share->end)
               fetch_ahead(&batch->prims[bins[k + 3]]);
            scan_prim(t, &batch->prims[bins ? bins[k] : k]);
         }
      }
   }
   if (draw && t->key.mode == PIXEL_PACK)
      flush_pending(t);
}
