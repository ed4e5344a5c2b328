/* SPDX-License-Identifier: MIT */
/*
 * Depth: every test of every format, written and not, of whole blocks before the program and of
 * waves after it, with memory one step below, at and above what comes.  What comes are multiples of
 * a 64th, so that the nearest code is known; surfaces end within the block, too.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "planes.h"

static const double max_of[] = { [DEPTH_UNORM16] = 65535, [DEPTH_UNORM24] = 16777215 };

/* What a fragment's depth is stored as, and what that is worth in comparisons. */
static uint32_t
code_of(unsigned format, double z)
{
   if (format == DEPTH_FLOAT32) {
      const float f = (float)z;
      uint32_t u;

      memcpy(&u, &f, sizeof(u));
      return u;
   }
   return (uint32_t)llrint((z < 0 ? 0 : z > 1 ? 1 : z) * max_of[format]);
}

static double
worth(unsigned format, uint32_t code)
{
   float f;

   memcpy(&f, &code, sizeof(f));
   return format == DEPTH_FLOAT32 ? (double)f : code;
}

static uint32_t
read_code(const struct planes *p, unsigned pixel)
{
   uint32_t code = 0;

   memcpy(&code, p->z + pixel * p->db.z.cpp, p->db.z.cpp);
   return code;
}

/* One step from a code, where there is one. */
static uint32_t
neighbour(unsigned format, uint32_t code, int step)
{
   if (format == DEPTH_FLOAT32) {
      const float f = nextafterf((float)worth(format, code), step > 0 ? INFINITY : -INFINITY);

      return step ? code_of(format, f) : code;
   }
   return step < 0 ? code - (code > 0) : step > 0 ? code + (code < max_of[format]) : code;
}

/* Fragments of a plane in 64ths, from below 0 to above 1. */
static double
depth_of(const struct planes *p, unsigned pixel)
{
   return (double)p->front.z[0] + (double)p->front.z[1] * (pixel % PLANE_SIDE) +
          (double)p->front.z[2] * (pixel / PLANE_SIDE) + (double)p->front.z[3];
}

static void
check_test(struct planes *p, unsigned build, unsigned format, unsigned test, bool write, bool wave,
           uint32_t *seed)
{
   const unsigned width = pick(seed, 3) || wave ? PLANE_SIDE : 1 + pick(seed, 7);
   const unsigned height = pick(seed, 3) || wave ? PLANE_SIDE : 1 + pick(seed, 7);
   uint64_t cover = pick(seed, 3) ? UINT64_MAX : pick_lanes(seed), want = 0, got;
   uint32_t before[LANES];

   planes_begin(p, format, false);
   p->db.z.width = width;
   p->db.z.height = height;
   p->db.z_test = true;
   p->db.z_func = (uint8_t)test;
   p->db.z_write = write;
   db_finish(&p->db);
   p->front.z[0] = (float)((int)pick(seed, 97) - 16) / 64;
   p->front.z[1] = (float)((int)pick(seed, 9) - 4) / 64;
   p->front.z[2] = (float)((int)pick(seed, 9) - 4) / 64;
   p->front.z[3] = (float)pick(seed, 4) / 64;
   planes_wave(p);
   for (unsigned pixel = 0; pixel < LANES; pixel++) {
      const uint32_t code = code_of(format, depth_of(p, pixel));

      before[pixel] = neighbour(format, code, (int)pick(seed, 3) - 1);
      memcpy(p->z + pixel * p->db.z.cpp, &before[pixel], p->db.z.cpp);
   }
   /* Lanes of blocks are row by row, those of waves by quads. */
   for (unsigned lane = 0; lane < LANES; lane++) {
      const unsigned pixel = wave ? pixel_of(lane) : lane;
      const double z = depth_of(p, pixel);
      const float f = (float)(format == DEPTH_FLOAT32 ? z : z < 0 ? 0 : z > 1 ? 1 : z);

      if (pixel % PLANE_SIDE >= width || pixel / PLANE_SIDE >= height)
         cover &= ~(UINT64_C(1) << lane);
      memcpy(&p->tile->z[lane], &f, sizeof(f));
      if ((cover >> lane & 1) &&
          holds(test, worth(format, code_of(format, z)), worth(format, before[pixel])))
         want |= UINT64_C(1) << lane;
   }
   if (!cover)
      return; /* blocks without a lane are never tested */
   if (wave) {
      got = builds[build].lanes(p->tile, cover, 0);
   } else {
      db_block_fn *block = builds[build].choose(p->tile);

      got = block ? block(p->tile, &p->front, 0, 0, cover, 0) : cover;
   }
   if (got != want)
      fail_msg("%s, format %u, test %u, %s: %016llx pass, expected %016llx", builds[build].name,
               format, test, wave ? "wave" : "block", (unsigned long long)got,
               (unsigned long long)want);
   for (unsigned lane = 0; lane < LANES; lane++) {
      const unsigned pixel = wave ? pixel_of(lane) : lane;
      const uint32_t after =
         write && (want >> lane & 1) ? code_of(format, depth_of(p, pixel)) : before[pixel];

      if (read_code(p, pixel) != after)
         fail_msg("%s, format %u, test %u, %s: pixel %u holds %x, expected %x", builds[build].name,
                  format, test, wave ? "wave" : "block", pixel, read_code(p, pixel), after);
   }
}

static void
every_test(void **state)
{
   uint32_t seed = 1;

   for (unsigned build = 0; build < BUILDS; build++)
      for (unsigned round = 0; round < 3 * 8 * 4 * 20 && can_run(build); round++)
         check_test(*state, build, DEPTH_UNORM16 + round % 3, round / 3 % 8, round / 24 & 1,
                    round / 48 & 1, &seed);
}

/* Depths end in the viewport's range where it is asked for; floats else in none, and others in 0 to
 * 1. */
static void
limits(void **state)
{
   static const struct {
      unsigned format;
      bool clamp;
      double lo, hi, z, want;
   } rows[] = {
      { DEPTH_UNORM16, false, 0.25, 0.5, 1.5, 1 },  { DEPTH_UNORM16, true, 0.25, 0.5, 1.5, 0.5 },
      { DEPTH_UNORM24, true, 0.25, 0.5, 0, 0.25 },  { DEPTH_UNORM24, true, -4, 4, 2, 1 },
      { DEPTH_UNORM24, true, -4, 4, -2, 0 },        { DEPTH_FLOAT32, false, 0.25, 0.5, 1.5, 1.5 },
      { DEPTH_FLOAT32, true, 0.25, 0.5, 1.5, 0.5 }, { DEPTH_FLOAT32, true, -4, 4, -2, -2 },
      { DEPTH_FLOAT32, true, -4, 4, -9, -4 },
   };
   struct planes *p = *state;

   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows) * BUILDS; i++) {
      const unsigned build = i % BUILDS, row = i / BUILDS;

      if (!can_run(build))
         continue;
      planes_begin(p, rows[row].format, false);
      p->db.z_test = p->db.z_write = true;
      p->db.z_func = TEST_ALWAYS;
      p->db.viewport_clamp = rows[row].clamp;
      p->sc.z_min[0] = (float)rows[row].lo;
      p->sc.z_max[0] = (float)rows[row].hi;
      db_finish(&p->db);
      p->front.z[0] = (float)rows[row].z;
      assert_true(builds[build].choose(p->tile)(p->tile, &p->front, 0, 0, UINT64_MAX, 0) ==
                  UINT64_MAX);
      for (unsigned pixel = 0; pixel < LANES; pixel++)
         assert_int_equal(read_code(p, pixel), code_of(rows[row].format, rows[row].want));
   }
}

/* What is no number passes where it is to differ, and always. */
static void
no_number(void **state)
{
   struct planes *p = *state;
   const uint32_t nan = 0x7fc00000u;

   for (unsigned i = 0; i < 8 * BUILDS; i++) {
      const unsigned test = i % 8, build = i / 8;

      if (!can_run(build))
         continue;
      planes_begin(p, DEPTH_FLOAT32, false);
      p->db.z_test = true;
      p->db.z_func = (uint8_t)test;
      db_finish(&p->db);
      for (unsigned pixel = 0; pixel < LANES; pixel++)
         memcpy(p->z + pixel * 4, &nan, 4);
      db_block_fn *block = builds[build].choose(p->tile);
      assert_true((block ? block(p->tile, &p->front, 0, 0, UINT64_MAX, 0) : UINT64_MAX) ==
                  (test == TEST_NOT_EQUAL || test == TEST_ALWAYS ? UINT64_MAX : 0));
   }
}

/* What there is nothing for is left out: planes, copies, tests that always pass. */
static void
what_follows(void **state)
{
   struct planes *p = *state;

   planes_begin(p, DEPTH_NONE, false);
   p->db.z_test = p->db.z_write = p->db.stencil = p->db.z_clear = true;
   p->db.z_func = TEST_LESS;
   db_finish(&p->db);
   assert_false(p->db.active || p->db.writes || p->db.z_test || p->db.stencil || p->db.z_clear);
   assert_int_equal(p->db.z_func, TEST_ALWAYS);
   assert_null(builds[0].choose(p->tile));

   /* Without a test nothing is written. */
   planes_begin(p, DEPTH_UNORM24, false);
   p->db.z_write = true;
   db_finish(&p->db);
   assert_false(p->db.z_write || p->db.active);

   planes_begin(p, DEPTH_UNORM24, true);
   p->db.copy_z = p->db.z_test = p->db.z_write = p->db.s_clear = true;
   db_finish(&p->db);
   assert_true(p->db.copy_z);
   assert_false(p->db.active || p->db.s_clear);

   /* A program that may drop pixels comes before what is written or counted. */
   planes_begin(p, DEPTH_UNORM24, false);
   p->db.z_test = p->db.drops = true;
   p->db.z_func = TEST_LESS;
   db_finish(&p->db);
   assert_true(p->db.early);
   p->db.count = true;
   db_finish(&p->db);
   assert_false(p->db.early);
   p->db.forced_early = true;
   db_finish(&p->db);
   assert_true(p->db.early);
   planes_begin(p, DEPTH_UNORM24, false);
   p->db.export_z = true;
   db_finish(&p->db);
   assert_false(p->db.early);
}

typedef void depths_fn(struct tile *t, unsigned sample);
depths_fn db_depths_sse2, db_depths_avx2, db_depths_avx512;

/* Depths of a wave of one primitive are those of one that might have several, of any quads, of
 * which all lanes, some or none export theirs. */
static void
depths_of_one(void **state)
{
   static depths_fn *const depths[BUILDS] = { db_depths_sse2, db_depths_avx2, db_depths_avx512 };
   static const uint32_t strange[] = { 0x7fc00000u, 0xffc12345u, 0x7f800000u, 0x80000000u };
   static const uint8_t formats[] = { DEPTH_UNORM16, DEPTH_UNORM24, DEPTH_FLOAT32 };
   struct planes *p = *state;
   uint32_t seed = 11;

   for (unsigned round = 0; round < 3000; round++) {
      const unsigned build = round % BUILDS;
      uint32_t several[LANES];

      if (!can_run(build))
         continue;
      planes_begin(p, formats[pick(&seed, 3)], false);
      planes_wave(p);
      struct tile *t = p->tile;
      struct pixel_wave *w = &t->whole;

      p->db.export_z = pick(&seed, 2);
      p->db.forced_early = !pick(&seed, 8);
      p->db.viewport_clamp = pick(&seed, 2);
      p->sc.z_min[1] = 0.25f;
      p->sc.z_max[1] = 0.75f;
      p->front.viewport = 1;
      p->front.x0 = (int32_t)pick(&seed, 100) - 50;
      p->front.y0 = (int32_t)pick(&seed, 100) - 50;
      for (unsigned i = 0; i < 4; i++)
         p->front.z[i] = ((float)pick(&seed, 1u << 20) * 0x1p-20f - 0.3f) / (i % 3 ? 40 : 1);
      p->outputs->depth_lanes = pick(&seed, 3) ? UINT64_MAX : pick_lanes(&seed);
      for (unsigned l = 0; l < LANES; l++) {
         const float v = (float)pick(&seed, 1u << 20) * 0x1p-19f - 0.5f;

         memcpy(&p->outputs->z[0][l], &v, sizeof(v));
         if (!pick(&seed, 50))
            p->outputs->z[0][l] = strange[pick(&seed, 4)];
      }
      t->num_samples = pick(&seed, 3) ? 1 : 4;
      p->sc.sample_x[1][3] = 5;
      p->sc.sample_y[2][3] = -3;
      w->num_quads = (uint8_t)(1 + pick(&seed, WAVE_QUADS));
      for (unsigned q = 0; q < WAVE_QUADS; q++)
         w->prim[q] = q < w->num_quads ? &p->front : NULL;
      w->one_prim = false;
      depths[build](t, t->num_samples - 1);
      memcpy(several, t->z, sizeof(several));
      w->one_prim = true;
      depths[build](t, t->num_samples - 1);
      for (unsigned l = 0; l < w->num_quads * 4u; l++)
         assert_int_equal(t->z[l], several[l]);
   }
}

static struct planes planes;

static int
setup(void **state)
{
   *state = &planes;
   return 0;
}

static int
teardown(void **state)
{
   planes_free(*state);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_test),   cmocka_unit_test(limits),        cmocka_unit_test(no_number),
      cmocka_unit_test(what_follows), cmocka_unit_test(depths_of_one),
   };

   return cmocka_run_group_tests(tests, setup, teardown);
}
