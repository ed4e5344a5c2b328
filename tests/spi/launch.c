/* SPDX-License-Identifier: MIT */
/*
 * Launching pixel waves: what a program finds in its rows, which lanes run, and which come back.
 * The engine is one of the test's: it keeps what it was given.  Planes are multiples of a 64th, so
 * that what is not divided by W is exact.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "port/quads.h"
#include "sc/sc.h"
#include "spi/spi.h"

typedef const struct spi_coef coefs[4];

uint64_t spi_run_avx2(struct tile *t, uint64_t cover, unsigned sample);
uint64_t spi_run_avx512(struct tile *t, uint64_t cover, unsigned sample);
coefs *spi_coefs_avx2(struct tile *t, const struct sc_prim *prim);
coefs *spi_coefs_avx512(struct tile *t, const struct sc_prim *prim);

static const struct {
   uint64_t (*run)(struct tile *t, uint64_t cover, unsigned sample);
   coefs *(*coefs)(struct tile *t, const struct sc_prim *prim);
} builds[] = {
   { spi_run_sse2, spi_coefs_sse2 },
   { spi_run_avx2, spi_coefs_avx2 },
   { spi_run_avx512, spi_coefs_avx512 },
};

static bool
can_run(unsigned build)
{
   __builtin_cpu_init();
   return build == 0 ||
          (build == 1
              ? __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
              : __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"));
}

enum { ROWS = 40, PRIMS = 4, INPUTS = 2 };

/* What the engine saw, and what it is to answer. */
static struct {
   unsigned runs;
   uint64_t valid, active;
   bool one_primitive;
   wave_lane rows[ROWS];
   uint64_t kill, exported;
} seen;

static void
look(struct core_wave *wave)
{
   seen.runs++;
   seen.valid = wave->valid;
   seen.active = wave->active;
   seen.one_primitive = wave->one_primitive;
   memcpy(seen.rows, wave->rows, sizeof(seen.rows));
   wave->valid &= ~seen.kill;
   wave->outputs->lanes = seen.exported;
   wave->cycles = 7;
}

static const struct core_engine engine = { .name = "test", .place = "word", .run = look };

struct scene {
   struct core_program program;
   struct core_bind bind;
   struct spi_state spi;
   struct sc_state sc;
   struct draw_state draw;
   struct batch batch;
   struct worker worker;
   struct tile *tile;
   struct sc_prim prims[PRIMS];
   float params[3][INPUTS][4];
};

/* The row of a value: any but those of neighbours. */
static unsigned
row_of(unsigned value)
{
   return (value - CORE_BARYCENTRIC) * 5 % (ROWS - 1);
}

static float
sixty_fourths(uint32_t *seed, int most)
{
   *seed = *seed * 1664525u + 1013904223u;
   return (float)((int)((*seed >> 8) % (uint32_t)(2 * most + 1)) - most) / 64;
}

static void
begin(struct scene *s)
{
   uint32_t seed = 5;

   memset(s, 0, sizeof(*s));
   memset(&seen, 0, sizeof(seen));
   seen.exported = UINT64_MAX;
   s->tile = aligned_alloc(64, (sizeof(*s->tile) + 63) & ~(size_t)63);
   assert_non_null(s->tile);
   memset(s->tile, 0, sizeof(*s->tile));
   s->worker.rows = aligned_alloc(64, CORE_WAVE_ROWS * sizeof(wave_lane));
   s->worker.outputs = aligned_alloc(64, (sizeof(struct core_outputs) + 63) & ~(size_t)63);
   assert_true(s->worker.rows && s->worker.outputs);
   memset(s->worker.rows, 0xee, CORE_WAVE_ROWS * sizeof(wave_lane));
   memset(s->worker.outputs, 0, sizeof(struct core_outputs));
   s->program = (struct core_program){ .engine = &engine, .lane_varying = true };
   s->bind.program = &s->program;
   s->bind.entry = &s->spi.entry;
   for (unsigned v = CORE_BARYCENTRIC; v <= CORE_LAYER; v++)
      core_entry_take(&s->spi.entry, v, row_of(v));
   spi_program(&s->spi, &s->program);
   s->draw = (struct draw_state){ .spi = &s->spi, .sc = &s->sc, .ps = &s->bind };
   s->tile->worker = &s->worker;
   s->tile->draw = &s->draw;
   s->tile->batch = &s->batch;
   s->tile->num_samples = s->tile->num_covered = 1;
   s->batch =
      (struct batch){ .params = &s->params[0][0][0], .num_vertices = 3, .num_inputs = INPUTS };
   for (unsigned v = 0; v < 3; v++)
      for (unsigned i = 0; i < INPUTS; i++)
         for (unsigned c = 0; c < 4; c++)
            s->params[v][i][c] = (float)(100 * v + 10 * i + c);
   /* A perspective one, a flat one, a point, and a perspective one with a W of 2 everywhere. */
   for (unsigned k = 0; k < PRIMS; k++) {
      struct sc_prim *p = &s->prims[k];

      *p = (struct sc_prim){ .perspective = k == 0 || k == 3,
                             .point = k == 2,
                             .front_facing = k & 1,
                             .layer = (uint16_t)(3 * k),
                             .x0 = (int16_t)(8 - k),
                             .y0 = (int16_t)(16 + k),
                             .vertex = { 0, 1, 2 } };
      for (unsigned n = 0; n < 3; n++) {
         p->z[n] = sixty_fourths(&seed, 64);
         p->pi[n] = sixty_fourths(&seed, 64);
         p->pj[n] = sixty_fourths(&seed, 64);
         p->pw[n] = n ? 0 : 0.5f;
      }
      for (unsigned n = 0; n < 6; n++)
         p->sprite[n] = sixty_fourths(&seed, 64);
      p->z[3] = 0.25f;
      if (k == 0)
         p->pw[0] = 3, p->pw[1] = 0.125f, p->pw[2] = 0.25f;
   }
}

static void
end(struct scene *s)
{
   free(s->tile);
   free(s->worker.rows);
   free(s->worker.outputs);
}

/* A wave of quads that go through the primitives `used`, in order; a block of one if `block`. */
static void
fill_wave(struct scene *s, const unsigned *used, unsigned count, unsigned quads, bool block)
{
   struct pixel_wave *w = &s->tile->whole;

   memset(w, 0, sizeof(*w));
   w->num_quads = quads;
   w->block = block;
   w->one_prim = count == 1;
   for (unsigned q = 0; q < quads; q++) {
      const struct sc_prim *p = &s->prims[used[q % count]];

      w->x[q] = 8 + (int32_t)(block ? q % 4 * 2 : q * 6 % 32);
      w->y[q] = 16 + (int32_t)(block ? q / 4 * 2 : q * 10 % 32);
      w->from_x[q] = w->x[q] - p->x0;
      w->from_y[q] = w->y[q] - p->y0;
      w->prim[q] = p;
      w->kinds |= (uint8_t)(1u << prim_kind(p));
      w->coef[q] = (coefs *)s->tile->coef;
   }
   s->tile->wave = w;
   s->tile->begun = s->tile->const_ready = false;
}

static double
plane(const float *p, double x, double y)
{
   return (double)p[0] + (double)p[1] * x + (double)p[2] * y;
}

static void
expect_float(unsigned value, unsigned lane, double want, bool exact)
{
   float got;

   memcpy(&got, &seen.rows[row_of(value)][lane], sizeof(got));
   if (exact ? (double)got != want : !(fabs((double)got - want) <= fabs(want) * 0x1p-21))
      fail_msg("value %u of lane %u: %.9g, not %.9g", value, lane, (double)got, want);
}

static void
expect_word(unsigned value, unsigned lane, uint32_t want)
{
   if (seen.rows[row_of(value)][lane] != want)
      fail_msg("value %u of lane %u: %u, not %u", value, lane, seen.rows[row_of(value)][lane],
               want);
}

/* The offset at which a pair is taken, in pixels. */
static void
offset_of(const struct scene *s, unsigned kind, unsigned lane, unsigned sample, double *x,
          double *y)
{
   const struct pixel_wave *w = s->tile->wave;
   int at = -1;

   if (s->tile->num_samples > 1 && kind == 0)
      at = (int)sample;
   if (s->tile->num_samples > 1 && kind == 2) {
      unsigned covered = 0;

      for (unsigned n = 0; n < s->tile->num_samples; n++)
         covered += w->sample[n] >> lane & 1;
      for (unsigned n = 0; n < s->tile->num_samples && at < 0; n++)
         if (covered < s->tile->num_samples && w->sample[s->sc.centroid_order[n]] >> lane & 1)
            at = s->sc.centroid_order[n];
   }
   *x = at < 0 ? 0 : s->sc.sample_x[lane & 3][at] / 16.0;
   *y = at < 0 ? 0 : s->sc.sample_y[lane & 3][at] / 16.0;
}

/* All values of all lanes that have a quad. */
static void
check_rows(const struct scene *s, unsigned sample)
{
   const struct pixel_wave *w = s->tile->wave;

   for (unsigned l = 0; l < 64; l++) {
      const unsigned q = l / 4;
      double ox, oy;

      if (q >= w->num_quads) {
         expect_word(CORE_PIXEL_X, l, 0);
         expect_word(CORE_PIXEL_Y, l, 0);
         continue;
      }
      const struct sc_prim *p = w->prim[q];
      const int32_t px = w->x[q] + (int32_t)(l & 1), py = w->y[q] + (int32_t)(l >> 1 & 1);
      const double dx = px - p->x0, dy = py - p->y0;
      const float *i = p->point ? p->sprite : p->li, *j = p->point ? p->sprite + 3 : p->lj;

      for (unsigned pair = 0; pair < CORE_PAIRS; pair++) {
         const unsigned value = CORE_BARYCENTRIC + 2 * pair;
         const bool persp = pair <= CORE_PERSP_CENTROID && p->perspective && !p->point;

         offset_of(s, pair % 3, l, sample, &ox, &oy);
         if (persp) {
            const double over_w = plane(p->pw, dx + ox, dy + oy);

            expect_float(value, l, plane(p->pi, dx + ox, dy + oy) / over_w, false);
            expect_float(value + 1, l, plane(p->pj, dx + ox, dy + oy) / over_w, false);
         } else {
            expect_float(value, l, plane(i, dx + ox, dy + oy), true);
            expect_float(value + 1, l, plane(j, dx + ox, dy + oy), true);
         }
      }
      const bool moved = s->spi.position_sample || s->spi.position_centroid;
      offset_of(s, moved ? (s->spi.position_sample ? 0 : 2) : 1, l, sample, &ox, &oy);
      expect_float(CORE_POSITION, l, px + 0.5 + ox, true);
      expect_float(CORE_POSITION + 1, l, py + 0.5 + oy, true);
      expect_float(CORE_POSITION + 2, l, plane(p->z, dx + ox, dy + oy) + (double)p->z[3], true);
      expect_float(CORE_POSITION + 3, l, 1 / plane(p->pw, dx + ox, dy + oy), false);
      expect_float(CORE_FACE, l, p->front_facing ? 1 : -1, true);
      expect_word(CORE_PIXEL_X, l, (uint32_t)px);
      expect_word(CORE_PIXEL_Y, l, (uint32_t)py);
      expect_word(CORE_SAMPLE, l, sample);
      expect_word(CORE_LAYER, l, p->layer);
   }
}

static void
check_coverage(const uint64_t *covered, unsigned samples)
{
   for (unsigned l = 0; l < 64; l++) {
      uint32_t mask = 0;

      for (unsigned n = 0; n < samples; n++)
         mask |= (uint32_t)(covered[n] >> l & 1) << n;
      expect_word(CORE_COVERAGE, l, mask);
      expect_word(CORE_COVERED, l, (uint32_t)__builtin_popcount(mask));
   }
}

static void
single(void **state)
{
   static const unsigned all[] = { 0, 1, 2, 3 }, alike[] = { 0, 3 }, affine[] = { 1, 2 };
   struct scene s;

   for (unsigned b = 0; b < 3; b++) {
      if (!can_run(b))
         continue;
      begin(&s);
      for (unsigned p = 0; p < PRIMS; p++) {
         for (unsigned block = 0; block < 2; block++) {
            fill_wave(&s, &all[p], 1, block ? 16 : 5, block);
            s.tile->whole.sample[0] = 0x0123456789abcdefu;
            assert_int_equal(builds[b].run(s.tile, 0x0123456789abcdefu, 0), 0x0123456789abcdefu);
            check_rows(&s, 0);
            check_coverage(s.tile->whole.sample, 1);
            assert_true(seen.one_primitive);
         }
      }
      for (unsigned quads = 1; quads <= 16; quads++) {
         fill_wave(&s, all, 4, quads, false);
         builds[b].run(s.tile, 1, 0);
         check_rows(&s, 0);
         assert_false(seen.one_primitive);
         fill_wave(&s, alike, 2, quads, false);
         builds[b].run(s.tile, 1, 0);
         check_rows(&s, 0);
         fill_wave(&s, affine, 2, quads, false);
         builds[b].run(s.tile, 1, 0);
         check_rows(&s, 0);
      }
      end(&s);
   }
}

/* Samples at other positions in each pixel of a quad, covered in all ways. */
static void
multiple(void **state)
{
   static const unsigned all[] = { 0, 1, 2, 3 };
   struct scene s;

   for (unsigned b = 0; b < 3; b++) {
      if (!can_run(b))
         continue;
      begin(&s);
      s.sc.msaa = true;
      s.tile->num_samples = s.tile->num_covered = 4;
      for (unsigned pixel = 0; pixel < 4; pixel++) {
         for (unsigned n = 0; n < 4; n++) {
            s.sc.sample_x[pixel][n] = (int8_t)(n * 4 - 8 + pixel);
            s.sc.sample_y[pixel][n] = (int8_t)(7 - n * 5 + pixel);
         }
      }
      memcpy(s.sc.centroid_order, (uint8_t[]){ 2, 0, 3, 1 }, 4);
      for (unsigned move = 0; move < 3; move++) {
         s.spi.position_sample = move == 1;
         s.spi.position_centroid = move == 2;
         for (unsigned block = 0; block < 2; block++) {
            fill_wave(&s, all, block ? 1 : 4, 16, block);
            /* Lane l has the samples of l's low four bits. */
            s.tile->whole.sample[0] = UINT64_C(0xaaaaaaaaaaaaaaaa);
            s.tile->whole.sample[1] = UINT64_C(0xcccccccccccccccc);
            s.tile->whole.sample[2] = UINT64_C(0xf0f0f0f0f0f0f0f0);
            s.tile->whole.sample[3] = UINT64_C(0xff00ff00ff00ff00);
            for (unsigned sample = 0; sample < 4; sample++) {
               builds[b].run(s.tile, UINT64_MAX, sample);
               check_rows(&s, sample);
               check_coverage(s.tile->whole.sample, 4);
            }
            /* What was covered before early tests, where the program is told that. */
            memset(s.tile->whole.before, 0xff, sizeof(s.tile->whole.before));
            s.tile->key.before = true;
            builds[b].run(s.tile, UINT64_MAX, 0);
            check_coverage(s.tile->whole.before, 4);
            s.tile->key.before = false;
         }
      }
      end(&s);
   }
}

/* Which lanes run, which come back, and what is counted. */
static void
lanes(void **state)
{
   static const unsigned one = 1;
   const uint64_t cover = 0x8000000000010002u;
   struct scene s;

   for (unsigned b = 0; b < 3; b++) {
      if (!can_run(b))
         continue;
      begin(&s);
      fill_wave(&s, &one, 1, 16, true);
      assert_int_equal(builds[b].run(s.tile, cover, 0), cover);
      assert_int_equal(seen.valid, cover);
      assert_int_equal(seen.active, cover);
      s.program.needs_helpers = true;
      assert_int_equal(builds[b].run(s.tile, cover, 0), cover);
      assert_int_equal(seen.valid, cover);
      assert_int_equal(seen.active, 0xf0000000000f000fu);
      /* Killed ones, and ones that were not exported. */
      seen.kill = 2;
      assert_int_equal(builds[b].run(s.tile, cover, 0), 0x8000000000010000u);
      seen.exported = 0xffffffff;
      assert_int_equal(builds[b].run(s.tile, cover, 0), 0x10000);
      assert_int_equal(s.worker.counters.ps_invocations, 4 * 3);
      assert_int_equal(s.worker.counters.waves, 4);
      assert_int_equal(s.worker.counters.cycles, 4 * 7);
      /* The submission's time is used up. */
      seen.runs = 0;
      atomic_store(&s.worker.watch.expired, true);
      assert_int_equal(builds[b].run(s.tile, cover, 0), 0);
      assert_int_equal(seen.runs, 0);
      end(&s);
   }
}

/* A program that gives one result for all pixels runs once, for all lanes. */
static void
constant(void **state)
{
   static const unsigned one = 1;
   struct scene s;

   for (unsigned b = 0; b < 3; b++) {
      if (!can_run(b))
         continue;
      for (unsigned killed = 0; killed < 2; killed++) {
         begin(&s);
         s.program.lane_varying = false;
         spi_program(&s.spi, &s.program);
         assert_true(s.spi.constant);
         seen.kill = killed ? UINT64_MAX : 0;
         fill_wave(&s, &one, 1, 16, true);
         assert_int_equal(builds[b].run(s.tile, 0x30, 0), killed ? 0 : 0x30);
         assert_int_equal(seen.active, UINT64_MAX);
         assert_int_equal(builds[b].run(s.tile, 0x7, 0), killed ? 0 : 0x7);
         assert_int_equal(seen.runs, 1);
         assert_int_equal(s.worker.counters.ps_invocations, 5);
         end(&s);
      }
   }
}

/* What makes a program's result other than constant, and which values it takes. */
static void
program(void **state)
{
   const struct core_program never[] = {
      { .lane_varying = true }, { .writes_memory = true }, { .error = "none" }, { .counted = true }
   };
   struct spi_state s;

   for (unsigned k = 0; k < 4; k++) {
      memset(&s, 0, sizeof(s));
      spi_program(&s, &never[k]);
      assert_false(s.constant);
      assert_int_equal(s.num_pairs, 0);
      assert_false(s.position || s.integers);
   }
   /* Half a pair is none. */
   memset(&s, 0, sizeof(s));
   core_entry_take(&s.entry, CORE_BARYCENTRIC + 2 * CORE_PERSP_CENTROID, 0);
   core_entry_take(&s.entry, CORE_BARYCENTRIC + 2 * CORE_LINEAR_CENTER, 1);
   core_entry_take(&s.entry, CORE_BARYCENTRIC + 2 * CORE_LINEAR_CENTER + 1, 2);
   core_entry_take(&s.entry, CORE_POSITION + 3, 3);
   /* Out of range: it is not there. */
   core_entry_take(&s.entry, CORE_FACE, CORE_ENTRY_ROWS);
   spi_program(&s, &(struct core_program){ 0 });
   assert_true(s.constant);
   assert_int_equal(s.num_pairs, 1);
   assert_int_equal(s.pair[0], CORE_LINEAR_CENTER);
   assert_true(s.position);
   assert_false(s.integers);
   core_entry_take(&s.entry, CORE_LAYER, 4);
   spi_program(&s, &(struct core_program){ 0 });
   assert_int_equal(s.num_pairs, 1);
   assert_true(s.integers);
}

/* Coefficients: P0, P1 - P0, P2 - P0 of each component; of flat inputs and points P0 alone. */
static void
coefficients(void **state)
{
   struct scene s;

   for (unsigned b = 0; b < 3; b++) {
      if (!can_run(b))
         continue;
      begin(&s);
      s.spi.input[1].flat = true;
      coefs *k = builds[b].coefs(s.tile, &s.prims[0]);
      for (unsigned c = 0; c < 4; c++) {
         assert_true(k[0][c].p0 == s.params[0][0][c]);
         assert_true(k[0][c].p10 == 100 && k[0][c].p20 == 200);
         assert_true(k[1][c].p0 == s.params[0][1][c]);
         assert_true(k[1][c].p10 == 0 && k[1][c].p20 == 0);
      }
      assert_ptr_equal(builds[b].coefs(s.tile, &s.prims[0]), k);
      /* Another primitive's do not overwrite these; PIXEL_COEF_SLOTS of them are kept. */
      for (unsigned n = 1; n < PIXEL_COEF_SLOTS; n++)
         assert_ptr_not_equal(builds[b].coefs(s.tile, &s.prims[n % 2]), k);
      assert_true(k[0][3].p0 == s.params[0][0][3]);

      /* A point: its own vertex's values, of a flat input the provoking vertex's. */
      s.prims[2].vertex[0] = 2;
      k = builds[b].coefs(s.tile, &s.prims[2]);
      assert_true(k[0][1].p0 == s.params[1][0][1] && k[0][1].p10 == 0 && k[0][1].p20 == 0);
      assert_true(k[1][1].p0 == s.params[2][1][1]);
      /* Replaced by the sprite's coordinates: s, t, 0, 1; with t upwards. */
      s.spi.input[0].sprite = true;
      memcpy(s.spi.sprite_sel,
             (uint8_t[]){ SPI_SPRITE_S, SPI_SPRITE_T, SPI_SPRITE_0, SPI_SPRITE_1 }, 4);
      for (unsigned up = 0; up < 2; up++) {
         s.spi.sprite_top_1 = up;
         s.tile->coef_prim = NULL;
         k = builds[b].coefs(s.tile, &s.prims[2]);
         assert_true(k[0][0].p0 == 0 && k[0][0].p10 == 1 && k[0][0].p20 == 0);
         assert_true(k[0][1].p0 == (float)up && k[0][1].p10 == 0 &&
                     k[0][1].p20 == (up ? -1.0f : 1.0f));
         assert_true(k[0][2].p0 == 0 && k[0][2].p10 == 0 && k[0][2].p20 == 0);
         assert_true(k[0][3].p0 == 1 && k[0][3].p10 == 0 && k[0][3].p20 == 0);
      }
      /* Not of what is no point. */
      k = builds[b].coefs(s.tile, &s.prims[1]);
      assert_true(k[0][0].p0 == s.params[0][0][0] && k[0][0].p10 == 100);
      end(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(single),   cmocka_unit_test(multiple), cmocka_unit_test(lanes),
      cmocka_unit_test(constant), cmocka_unit_test(program),  cmocka_unit_test(coefficients),
   };

   return cmocka_run_group_tests_name("spi/launch", tests, NULL, NULL);
}
