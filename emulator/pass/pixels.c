/* SPDX-License-Identifier: MIT */
/*
 * A wave of pixels through program, tests and colour (kernels).
 *
 * Segments go one after the other, and in each its samples, so that what a pixel's earlier quad
 * leaves is what a later one finds.
 */
#include "cb/cb.h"
#include "db/db.h"
#include "pass/probe.h"
#include "port/quads.h"
#include "sc/sc.h"
#include "sx/sx.h"
#include "sx/test.h"

/* Exported sample masks: lanes that keep a sample. */
static uint64_t
mask_export(const struct core_outputs *exports, unsigned sample)
{
   uint64_t keep = 0;

   for (unsigned n = 0; n < VECTORS; n++)
      keep |= vm_to_lanes(vu_test(vu_load(exports->z[2] + n * VW), vu_splat(1u << sample)), n);
   return keep;
}

/* Whether early tests have left all of a segment's samples alike, and nothing changes them. */
static bool
samples_alike(const struct tile *t, const struct pixel_wave *w, uint64_t segment)
{
   const struct draw_state *draw = t->draw;
   uint64_t differ = 0;

   if (!t->key.early || draw->sc->over || draw->sx->alpha_to_mask || draw->ps->program->stores_tile)
      return false;
   for (unsigned s = 1; s < t->num_samples; s++)
      differ |= w->sample[s] ^ w->sample[0];
   return !(differ & segment);
}

/* Shades and writes the wave's lanes `cover`; samples [first_sample, end_sample).  `probe` looks at
 * them, if it is not NULL. */
static inline __attribute__((always_inline)) void
run_all(struct tile *t, const struct pixel_wave *w, uint64_t cover, unsigned first_sample,
        unsigned end_sample, struct probe *const probe)
{
   const struct draw_state *draw = t->draw;
   const struct core_outputs *exports = t->worker->outputs;
   const bool stores = draw->ps->program->stores_tile;
   const bool use_mask = draw->db->export_mask && !draw->db->forced_early;
   uint64_t lanes = K(spi_run)(t, cover, first_sample);

   if (probe)
      probe_wave(t, PROBE_RAN, cover, lanes);
   if (draw->sx->alpha_test) {
      lanes &= sx_alpha_test(draw->sx, core_color(exports, 0, 3));
      if (probe)
         probe_wave(t, PROBE_ALPHA_TESTED, cover, lanes);
   }
   if (lanes && !t->key.early && t->num_samples == 1)
      K(db_depths)(t, 0);
   for (unsigned first = 0; first < w->num_quads && lanes;) {
      const uint32_t later = (uint32_t)w->segments >> (first + 1);
      const unsigned last = later ? first + 1 + (unsigned)__builtin_ctz(later) : w->num_quads;
      const uint64_t segment = UINT64_MAX >> (64 - last * 4) & UINT64_MAX << first * 4;

      const unsigned count = end_sample - first_sample;
      const bool alike = count > 1 && !use_mask && !probe && samples_alike(t, w, segment);

      if (alike && draw->cb->bound && (w->sample[0] & lanes & segment))
         K(cb_lanes_all)(t, w->sample[0] & lanes & segment);
      for (unsigned s = first_sample; s < end_sample && !alike; s++) {
         const uint64_t among = (draw->sc->over ? cover : w->sample[s]) & lanes & segment;
         const bool probes = probe && probe->sample == s;
         uint64_t m = among;

         if (draw->sx->alpha_to_mask && draw->sc->msaa && !draw->sc->over)
            m &= sx_alpha_mask(draw->sx, core_color(exports, 0, 3), s, t->num_samples);
         if (probes)
            probe_wave(t, PROBE_ALPHA_MASKED, among, m);
         if (use_mask && exports->z_written)
            m &= mask_export(exports, s);
         if (probes)
            probe_wave(t, PROBE_SAMPLE_MASKED, among, m);
         if (!m)
            continue;
         if (!t->key.early) {
            const uint64_t tested = m;

            if (t->num_samples > 1)
               K(db_depths)(t, s);
            if (probes)
               probe_wave(t, PROBE_TESTS, tested, tested);
            m = K(db_lanes)(t, m, s);
            if (probes)
               probe_wave(t, PROBE_TESTED_LATE, tested, m);
            if (draw->db->count)
               t->worker->counters.samples_passed += (unsigned)__builtin_popcountll(m);
         }
         if (probes)
            probe_wave(t, PROBE_COLORS, m, m);
         if (m && draw->cb->bound) {
            if (stores)
               K(cb_store)(t, m, s);
            K(cb_lanes)(t, m, s);
         }
         if (probes)
            probe_wave(t, PROBE_COLORED, m, m);
      }
      first = last;
   }
}

static __attribute__((noinline)) void
run_probed(struct tile *t, const struct pixel_wave *w, uint64_t cover, unsigned first, unsigned end)
{
   run_all(t, w, cover, first, end, probe_among(t->probe, first, end));
}

static void
run_samples(struct tile *t, const struct pixel_wave *w, uint64_t cover, unsigned first,
            unsigned end)
{
   if (__builtin_expect(t->probe != NULL, 0))
      run_probed(t, w, cover, first, end);
   else
      run_all(t, w, cover, first, end, NULL);
}

void
K(pixel_run)(struct tile *t, struct pixel_wave *w)
{
   uint64_t cover = w->sample[0];

   t->wave = w;
   if (t->key.plain && !w->segments) {
      const uint64_t lanes = K(spi_run)(t, cover, 0);

      if (lanes)
         K(cb_lanes)(t, lanes, 0);
      return;
   }
   for (unsigned s = 1; s < t->num_covered; s++)
      cover |= w->sample[s];
   if (!t->draw->sc->log2_iter) {
      run_samples(t, w, cover, 0, t->num_samples);
      return;
   }
   /* The program runs for each sample; segments need not be undone, for a segment's samples are
    * written by runs of the wave in sample order and no sample sees another. */
   for (unsigned s = 0; s < t->num_samples; s++)
      if (w->sample[s])
         run_samples(t, w, w->sample[s], s, s + 1);
}
