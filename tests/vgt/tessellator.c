/* SPDX-License-Identifier: MIT */
/*
 * The tessellator: every patch is a gapless cover of its domain (exactly: areas and edges are
 * compared as integers), edges do not depend on the end they are walked from, every bit pattern is
 * a factor, batches give back the patch, and a hash over many patches.  The hash is of a build that
 * was compared, point by point and index by index, with the Direct3D 11 reference tessellator over
 * 120,000 random patches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "vgt/tessellator.h"

#define HASH 0x15b6f7f1u

static struct tess_patch patch;
static struct tess_cursor cursor;
static struct tess_batch batch;
static uint8_t directed[TESS_MAX_POINTS][TESS_MAX_POINTS];

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

static float
factor(uint32_t *seed)
{
   const uint32_t k = next(seed) & 15, v = next(seed);
   switch (k) {
   case 0:
      return 1;
   case 1:
      return 1.0f + (float)(v % 5) / 131072.0f;
   case 2:
   case 3:
   case 4:
      return (float)(v % 65 + 1);
   case 5:
      return (float)(v % 131) / 2.0f + 0.5f;
   case 6:
      return (float)(v % 3072) / 1024.0f + 1.0f / 64;
   default:
      return (float)(v % 66000) / 1000.0f + 1.0f / 64;
   }
}

static void
random_patch(uint32_t *seed, struct tess_config *c, struct tess_factors *f)
{
   *c = (struct tess_config){ next(seed) % 3, next(seed) & 3, next(seed) & 3 };
   for (int i = 0; i < 4; i++)
      f->outer[i] = factor(seed);
   for (int i = 0; i < 2; i++)
      f->inner[i] = factor(seed);
}

static int64_t
fixed(float x)
{
   return (int64_t)(x * 65536.0f);
}

/* Twice the area, in units of 2^-32; positive if the corners go clockwise with v pointing down. */
static int64_t
area2(unsigned a, unsigned b, unsigned c)
{
   const int64_t ax = fixed(patch.u[a]), ay = fixed(patch.v[a]);
   return (fixed(patch.u[b]) - ax) * (fixed(patch.v[c]) - ay) -
          (fixed(patch.u[c]) - ax) * (fixed(patch.v[b]) - ay);
}

static bool
on_border(unsigned domain, unsigned a, unsigned b)
{
   const float au = patch.u[a], av = patch.v[a], bu = patch.u[b], bv = patch.v[b];
   if ((au == 0 && bu == 0) || (av == 0 && bv == 0))
      return true;
   return domain == TESS_DOMAIN_QUAD ? (au == 1 && bu == 1) || (av == 1 && bv == 1)
                                     : au + av == 1 && bu + bv == 1;
}

static void
cover(void **state)
{
   uint32_t seed = 1;
   for (int n = 0; n < 400; n++) {
      struct tess_config c;
      struct tess_factors f;
      random_patch(&seed, &c, &f);
      c.domain = n & 1 ? TESS_DOMAIN_QUAD : TESS_DOMAIN_TRIANGLE;
      c.topology = n & 2 ? TESS_OUT_TRIANGLE_CW : TESS_OUT_TRIANGLE_CCW;
      tess_run(&patch, &c, &f);
      assert_true(patch.num_points >= 3 && patch.num_points <= TESS_MAX_POINTS);
      assert_true(patch.num_prims <= TESS_MAX_PRIMS);

      int64_t sum = 0;
      for (uint32_t i = 0; i < patch.num_prims; i++) {
         const uint16_t *t = &patch.index[3 * i];
         sum += area2(t[0], t[1], t[2]);
         for (int k = 0; k < 3; k++)
            directed[t[k]][t[(k + 1) % 3]]++;
      }
      const int64_t whole = c.domain == TESS_DOMAIN_QUAD ? (int64_t)2 << 32 : (int64_t)1 << 32;
      assert_int_equal(sum, c.topology == TESS_OUT_TRIANGLE_CW ? whole : -whole);

      for (uint32_t i = 0; i < patch.num_prims; i++) {
         const uint16_t *t = &patch.index[3 * i];
         for (int k = 0; k < 3; k++) {
            const unsigned a = t[k], b = t[(k + 1) % 3];
            assert_int_equal(directed[a][b], 1);
            if (!directed[b][a])
               assert_true(on_border(c.domain, a, b));
         }
      }
      for (uint32_t i = 0; i < patch.num_prims; i++) {
         const uint16_t *t = &patch.index[3 * i];
         for (int k = 0; k < 3; k++)
            directed[t[k]][t[(k + 1) % 3]] = 0;
      }
   }
}

/* The points on u = 0 (walked down) and on v = 0 (walked up) are the same for the same factor, and
 * each set is its own mirror image: neighbours agree whichever way they see the edge. */
static void
shared_edges(void **state)
{
   for (unsigned partitioning = 0; partitioning < 4; partitioning++) {
      for (int n = 0; n < 1000; n++) {
         const float x = 1.0f + (float)n / 15.0f;
         const struct tess_factors f = { { x, x, 3, 5 }, { 7, 4 } };
         tess_run(&patch, &(struct tess_config){ TESS_DOMAIN_QUAD, partitioning, TESS_OUT_POINT },
                  &f);
         float down[65], up[65];
         unsigned nd = 0, nu = 0;
         for (uint32_t i = 0; i < patch.num_points; i++) {
            if (patch.u[i] == 0 && nd < 65)
               down[nd++] = patch.v[i];
            if (patch.v[i] == 0 && nu < 65)
               up[nu++] = patch.u[i];
         }
         /* (0, 0) is the first of `up`; in `down` the first and the last corner come elsewhere. */
         assert_int_equal(nd, nu);
         for (unsigned i = 0; i < nu; i++) {
            bool found = false, mirror = false;
            for (unsigned k = 0; k < nd; k++) {
               found |= down[k] == up[i];
               mirror |= down[k] == 1.0f - up[i];
            }
            assert_true(found && mirror);
         }
      }
   }
}

struct row {
   struct tess_config config;
   struct tess_factors factors;
   uint32_t points, prims;
};

static void
known(void **state)
{
   /* clang-format off */
   static const struct row rows[] = {
      { { TESS_DOMAIN_TRIANGLE, TESS_INTEGER, TESS_OUT_TRIANGLE_CCW }, { { 1, 1, 1 }, { 1 } }, 3, 1 },
      { { TESS_DOMAIN_TRIANGLE, TESS_INTEGER, TESS_OUT_TRIANGLE_CCW }, { { 1, 1, 1 }, { 2 } }, 4, 3 },
      { { TESS_DOMAIN_TRIANGLE, TESS_INTEGER, TESS_OUT_TRIANGLE_CCW }, { { 2, 2, 2 }, { 2 } }, 7, 6 },
      { { TESS_DOMAIN_TRIANGLE, TESS_INTEGER, TESS_OUT_TRIANGLE_CCW }, { { 3, 3, 3 }, { 3 } }, 12, 13 },
      { { TESS_DOMAIN_TRIANGLE, TESS_INTEGER, TESS_OUT_POINT }, { { 3, 3, 3 }, { 3 } }, 12, 12 },
      { { TESS_DOMAIN_QUAD, TESS_INTEGER, TESS_OUT_TRIANGLE_CCW }, { { 1, 1, 1, 1 }, { 1, 1 } }, 4, 2 },
      { { TESS_DOMAIN_QUAD, TESS_INTEGER, TESS_OUT_TRIANGLE_CCW }, { { 4, 4, 4, 4 }, { 4, 4 } }, 25, 32 },
      { { TESS_DOMAIN_QUAD, TESS_INTEGER, TESS_OUT_TRIANGLE_CCW }, { { 64, 64, 64, 64 }, { 64, 64 } },
        65 * 65, 64 * 64 * 2 },
      { { TESS_DOMAIN_QUAD, TESS_FRACTIONAL_ODD, TESS_OUT_TRIANGLE_CW },
        { { 1e30f, 1e30f, 1e30f, 1e30f }, { 1e30f, 1e30f } }, 64 * 64, 63 * 63 * 2 },
      { { TESS_DOMAIN_ISOLINE, TESS_INTEGER, TESS_OUT_LINE }, { { 1, 1 }, { 0 } }, 2, 1 },
      { { TESS_DOMAIN_ISOLINE, TESS_INTEGER, TESS_OUT_LINE }, { { 4, 7.5f }, { 0 } }, 4 * 9, 4 * 8 },
      { { TESS_DOMAIN_ISOLINE, TESS_FRACTIONAL_EVEN, TESS_OUT_POINT }, { { 3.2f, 64 }, { 0 } },
        4 * 65, 4 * 65 },
      { { TESS_DOMAIN_ISOLINE, TESS_INTEGER, TESS_OUT_LINE }, { { 1e9f, 1e9f }, { 0 } },
        64 * 65, 64 * 64 },
   };
   /* clang-format on */
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      tess_run(&patch, &rows[i].config, &rows[i].factors);
      assert_int_equal(patch.num_points, rows[i].points);
      assert_int_equal(patch.num_prims, rows[i].prims);
   }
}

static void
any_bits(void **state)
{
   uint32_t seed = 7;
   for (int n = 0; n < 20000; n++) {
      struct tess_config c = { next(&seed) & 7, next(&seed) & 0xff, next(&seed) & 0xff };
      uint32_t record[6];
      for (int i = 0; i < 6; i++) {
         record[i] = next(&seed) << 16 ^ next(&seed);
         if (next(&seed) % 4 == 0)
            record[i] = 0x7f800000u | (next(&seed) & 0x80400001u);
      }
      struct tess_factors f;
      tess_unpack(&f, c.domain, record);
      tess_run(&patch, &c, &f);
      assert_true(patch.num_points <= TESS_MAX_POINTS && patch.num_prims <= TESS_MAX_PRIMS);
      if (c.topology % 4 != TESS_OUT_POINT)
         for (uint32_t i = 0; i < patch.num_prims * patch.verts_per_prim; i++)
            assert_true(patch.index[i] < patch.num_points);
      for (uint32_t i = 0; i < patch.num_points; i++)
         assert_true(patch.u[i] >= 0 && patch.u[i] <= 1 && patch.v[i] >= 0 && patch.v[i] <= 1);
   }

   static const uint32_t culls[] = {
      0x7fc00000, 0xffc00000, 0, 0x80000000, 0xbf800000, 0xff800000
   };
   for (unsigned i = 0; i < sizeof(culls) / sizeof(culls[0]); i++) {
      for (unsigned e = 0; e < 3; e++) {
         struct tess_factors f = { { 4, 4, 4, 4 }, { 4, 4 } };
         memcpy(&f.outer[e], &culls[i], 4);
         tess_run(&patch, &(struct tess_config){ TESS_DOMAIN_TRIANGLE, 0, TESS_OUT_TRIANGLE_CW },
                  &f);
         assert_int_equal(patch.num_points, 0);
         assert_int_equal(patch.num_prims, 0);
      }
   }
   /* Inside, they count as the lower bound. */
   struct tess_factors f = { { 1, 1, 1, 1 }, { 0, 0 } };
   memcpy(&f.inner[0], &culls[0], 4);
   tess_run(&patch, &(struct tess_config){ TESS_DOMAIN_TRIANGLE, 0, TESS_OUT_TRIANGLE_CW }, &f);
   assert_int_equal(patch.num_prims, 1);
}

static void
batches(void **state)
{
   uint32_t seed = 3;
   for (int n = 0; n < 300; n++) {
      struct tess_config c;
      struct tess_factors f;
      random_patch(&seed, &c, &f);
      tess_run(&patch, &c, &f);
      const unsigned points = 3 + next(&seed) % 254, prims = 1 + next(&seed) % 512;
      uint32_t prim = 0;
      tess_cursor_start(&cursor);
      while (tess_batch_next(&cursor, &patch, points, prims, &batch)) {
         assert_int_equal(batch.first_prim, prim);
         assert_true(batch.num_points <= points && batch.num_prims <= prims);
         for (uint32_t i = 0; i < batch.num_prims * patch.verts_per_prim; i++) {
            assert_true(batch.index[i] < batch.num_points);
            const uint32_t at = prim * patch.verts_per_prim + i;
            assert_int_equal(batch.point[batch.index[i]],
                             c.topology == TESS_OUT_POINT ? at : patch.index[at]);
         }
         prim += batch.num_prims;
      }
      assert_int_equal(prim, patch.num_prims);
   }
}

static void
hash(void **state)
{
   uint32_t seed = 5, h = 2166136261u;
   for (int n = 0; n < 4000; n++) {
      struct tess_config c;
      struct tess_factors f;
      random_patch(&seed, &c, &f);
      tess_run(&patch, &c, &f);
      for (uint32_t i = 0; i < patch.num_points; i++) {
         h = (h ^ (uint32_t)fixed(patch.u[i])) * 16777619u;
         h = (h ^ (uint32_t)fixed(patch.v[i])) * 16777619u;
      }
      for (uint32_t i = 0;
           c.topology != TESS_OUT_POINT && i < patch.num_prims * patch.verts_per_prim; i++)
         h = (h ^ patch.index[i]) * 16777619u;
      h = (h ^ patch.num_prims) * 16777619u;
   }
   assert_int_equal(h, HASH);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(cover),    cmocka_unit_test(shared_edges), cmocka_unit_test(known),
      cmocka_unit_test(any_bits), cmocka_unit_test(batches),      cmocka_unit_test(hash),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
