/* SPDX-License-Identifier: MIT */
/*
 * What surrounds filtering: levels of detail from quads and gradients, GATHER4, cubes across
 * their edges, anisotropy, multisampled LD, queries.  All builds must agree; each property is
 * checked on the first.
 */
#include <math.h>

#include "harness.h"

static struct test_build builds[3];
static unsigned num_builds;
static struct vm space;

static int
setup(void **state)
{
   uint32_t seed = 17;
   num_builds = test_builds(builds);
   test_vm_init(&space);
   for (unsigned i = 0; i < TEST_BYTES; i++)
      space.data[i] = (uint8_t)(test_random(&seed) >> 9);
   return 0;
}

static void
run(const struct test_tex *t, struct test_lanes *l)
{
   struct test_words w;
   struct test_lanes other = *l;
   test_tex_words(t, &space, &w);
   test_tex_run(&builds[0], &w, l, ~UINT64_C(0));
   for (unsigned b = 1; b < num_builds; b++) {
      test_tex_run(&builds[b], &w, &other, ~UINT64_C(0));
      assert_memory_equal(l->out, other.out, sizeof(l->out));
   }
}

/* Quads with random gradients of up to 2^6 texels, from random positions. */
static void
random_quads(uint32_t *seed, unsigned width, unsigned height, struct test_lanes *l)
{
   memset(l, 0, sizeof(*l));
   for (unsigned q = 0; q < 64; q += 4) {
      float scale = ldexpf(1, (int)(test_random(seed) % 8) - 2);
      float x = test_random_float(seed, -1, 2), y = test_random_float(seed, -1, 2);
      for (unsigned a = 0; a < 2; a++) {
         float n = (float)(a ? height : width), o = a ? y : x;
         float h = test_random_float(seed, -scale, scale) / n;
         float v = test_random_float(seed, -scale, scale) / n;
         o = rintf(o * 65536) / 65536, h = rintf(h * 65536) / 65536, v = rintf(v * 65536) / 65536;
         for (unsigned i = 0; i < 4; i++) {
            l->src[a][q + i] = test_bits(o + (i & 1 ? h : 0) + (i & 2 ? v : 0));
            l->grad_h[a][q + i] = h;
            l->grad_v[a][q + i] = v;
         }
      }
   }
}

static void
lod_is_log2_of_the_longer_gradient(void **state)
{
   uint32_t seed = 5;
   for (unsigned round = 0; round < 200; round++) {
      struct test_tex t;
      struct test_lanes l;
      test_tex_init(&t);
      t.op = 6;
      t.width = 256, t.height = 128;
      t.last_level = 8;
      t.mip = SQ_TEX_Z_FILTER_LINEAR;
      random_quads(&seed, t.width, t.height, &l);
      run(&t, &l);
      for (unsigned i = 0; i < 64; i++) {
         double h = hypot((double)l.grad_h[0][i] * 256, (double)l.grad_h[1][i] * 128);
         double v = hypot((double)l.grad_v[0][i] * 256, (double)l.grad_v[1][i] * 128);
         double lambda = log2(fmax(h, v));
         if (lambda < -20)
            continue;
         assert_true(fabs((double)test_float(l.out[0][i]) - lambda) < 0.51 / 256);
         double level = fmin(fmax(lambda, 0), 8);
         assert_true(fabs((double)test_float(l.out[1][i]) - level) < 0.51 / 256);
      }
   }
}

/* SAMPLE, SAMPLE_G with the same gradients, SAMPLE_L at the level GET_LOD says: the same bits. */
static void
lod_sources_agree(void **state)
{
   uint32_t seed = 6;
   for (unsigned round = 0; round < 300; round++) {
      struct test_tex t;
      struct test_lanes l, g, e, q;
      test_tex_init(&t);
      t.width = 64, t.height = 32;
      t.last_level = 6;
      t.format = round % 3 ? FMT_8_8_8_8 : FMT_16_16_16_16;
      t.mag = round & 1;
      t.min = round >> 1 & 1;
      t.mip = round % 5 < 3 ? SQ_TEX_Z_FILTER_LINEAR : SQ_TEX_Z_FILTER_POINT;
      for (unsigned a = 0; a < 2; a++)
         t.clamp[a] = test_random(&seed) % 8;
      random_quads(&seed, t.width, t.height, &l);
      g = e = q = l;
      t.op = 16;
      run(&t, &l);
      t.op = 20;
      run(&t, &g);
      assert_memory_equal(l.out, g.out, sizeof(l.out));
      t.op = 6;
      run(&t, &q);
      memcpy(e.src[3], q.out[0], sizeof(wave_lane));
      t.op = 17;
      run(&t, &e);
      assert_memory_equal(l.out, e.out, sizeof(l.out));
   }
}

static void
gather_takes_the_bilinear_texels(void **state)
{
   static const float dx[4] = { -0.5f, 0.5f, 0.5f, -0.5f }, dy[4] = { 0.5f, 0.5f, -0.5f, -0.5f };
   uint32_t seed = 7;
   for (unsigned round = 0; round < 200; round++) {
      struct test_tex t, p;
      struct test_lanes l, s;
      test_tex_init(&t);
      t.width = 32;
      t.height = 16;
      t.mag = t.min = 1;
      t.clamp[0] = t.clamp[1] = round & 1 ? SQ_TEX_WRAP : SQ_TEX_CLAMP_LAST_TEXEL;
      t.op = round & 4 ? 23 : 21;
      t.inst_mod = test_random(&seed) & 3;
      t.offset[0] = round & 2 ? 4 : 0;
      memset(&l, 0, sizeof(l));
      for (unsigned i = 0; i < 64; i++) {
         l.src[0][i] = test_bits((floorf(test_random_float(&seed, 0, 32)) + 0.75f) / 32);
         l.src[1][i] = test_bits((floorf(test_random_float(&seed, 0, 16)) + 0.25f) / 16);
         l.offset[0][i] = t.op == 23 ? test_random(&seed) % 64 - 32 : 0;
         l.offset[1][i] = t.op == 23 ? test_random(&seed) % 64 - 32 : 0;
      }
      s = l;
      run(&t, &l);
      p = t;
      p.op = 19;
      p.mag = p.min = 0;
      if (t.op == 23)
         p.offset[0] = 0;
      for (unsigned k = 0; k < 4; k++) {
         struct test_lanes one = s;
         for (unsigned i = 0; i < 64; i++) {
            float x = test_float(s.src[0][i]) + (dx[k] + (float)(int)s.offset[0][i]) / 32;
            float y = test_float(s.src[1][i]) + (dy[k] + (float)(int)s.offset[1][i]) / 16;
            one.src[0][i] = test_bits(x);
            one.src[1][i] = test_bits(y);
         }
         run(&p, &one);
         assert_memory_equal(l.out[k], one.out[t.inst_mod], sizeof(wave_lane));
      }
   }
}

/* Face and coordinates of a direction, OpenGL 4.5 table 8.19. */
static void
cube_face(const double v[3], unsigned face, double st[2])
{
   static const int axes[6][3] = { { -3, -2, 1 }, { 3, -2, -1 }, { 1, 3, 2 },
                                   { 1, -3, -2 }, { 1, -2, 3 },  { -1, -2, -3 } };
   double c[3];
   for (unsigned i = 0; i < 3; i++) {
      int a = axes[face][i];
      c[i] = a < 0 ? -v[-a - 1] : v[a - 1];
   }
   st[0] = c[0] / c[2] * 0.5 + 0.5;
   st[1] = c[1] / c[2] * 0.5 + 0.5;
}

/* A direction on an edge belongs to two faces: seamless filtering gives one colour. */
static void
cubes_are_seamless(void **state)
{
   static const unsigned faces_of[3][2] = { { 0, 1 }, { 2, 3 }, { 4, 5 } };
   uint32_t seed = 8;
   unsigned differ = 0;

   for (unsigned seamless = 0; seamless < 2; seamless++) {
      for (unsigned edge = 0; edge < 12; edge++) {
         struct test_tex t;
         struct test_lanes l[2];
         unsigned free = edge / 4, a = (free + 1) % 3, b = (free + 2) % 3;
         test_tex_init(&t);
         t.dim = SQ_TEX_DIM_CUBEMAP;
         t.width = t.height = 8;
         t.last_array = 5;
         t.mag = t.min = 1;
         t.format = edge & 1 ? FMT_8_8_8_8 : FMT_16_16_16_16;
         t.clamp[0] = t.clamp[1] = SQ_TEX_CLAMP_LAST_TEXEL;
         t.no_cube_wrap = !seamless;
         memset(l, 0, sizeof(l));
         for (unsigned i = 0; i < 64; i++) {
            double v[3];
            v[a] = edge & 1 ? 1 : -1;
            v[b] = edge & 2 ? 1 : -1;
            v[free] = (double)(int)(test_random(&seed) % 257) / 128 - 1;
            unsigned face[2] = { faces_of[a][v[a] < 0], faces_of[b][v[b] < 0] };
            for (unsigned k = 0; k < 2; k++) {
               double st[2];
               cube_face(v, face[k], st);
               l[k].src[0][i] = test_bits((float)st[0] + 1);
               l[k].src[1][i] = test_bits((float)st[1] + 1);
               l[k].src[2][i] = test_bits((float)face[k]);
            }
         }
         run(&t, &l[0]);
         run(&t, &l[1]);
         for (unsigned i = 0; i < 64; i++) {
            for (unsigned c = 0; c < 4; c++) {
               float d = test_float(l[0].out[c][i]) - test_float(l[1].out[c][i]);
               if (seamless && fabsf(d) > 0x1p-20f)
                  fail_msg("edge %u lane %u: %f and %f", edge, i,
                           (double)test_float(l[0].out[c][i]), (double)test_float(l[1].out[c][i]));
               differ += fabsf(d) > 0x1p-6f;
            }
         }
      }
   }
   assert_true(differ > 1000); /* without it, edges do show */
}

static void
quads_across_a_cube_edge_have_a_small_lod(void **state)
{
   struct test_tex t;
   struct test_lanes l;
   test_tex_init(&t);
   t.dim = SQ_TEX_DIM_CUBEMAP;
   t.width = t.height = 64;
   t.last_array = 5;
   t.last_level = 6;
   t.mip = SQ_TEX_Z_FILTER_LINEAR;
   t.op = 6;
   memset(&l, 0, sizeof(l));
   for (unsigned i = 0; i < 64; i++) {
      /* A step of a texel from +X over the edge to +Z. */
      double v[3] = { 1, 0.2 + (i & 2 ? 2.0 / 64 : 0), 1 - 1.0 / 64 + (i & 1 ? 2.0 / 64 : 0) };
      unsigned face = v[2] > v[0] ? 4 : 0;
      double st[2];
      cube_face(v, face, st);
      l.src[0][i] = test_bits((float)st[0] + 1);
      l.src[1][i] = test_bits((float)st[1] + 1);
      l.src[2][i] = test_bits((float)face);
   }
   run(&t, &l);
   for (unsigned i = 0; i < 64; i++)
      assert_true(fabsf(test_float(l.out[0][i])) < 0.1f);
}

/* A face drawn on 3 x 3 pixels: a quad at its border has helper pixels beyond one edge or a corner,
 * on up to three faces.  Pixels on the face see the gradient of its plane whatever the others do.
 */
static void
helpers_on_other_faces_do_not_change_the_lod(void **state)
{
   static const int8_t signs[4][2] = { { 1, 1 }, { -1, 1 }, { 1, -1 }, { -1, -1 } };
   struct test_tex t;
   struct test_lanes l;
   test_tex_init(&t);
   t.dim = SQ_TEX_DIM_CUBEMAP;
   t.width = t.height = 6;
   t.last_array = 5;
   t.last_level = 2;
   t.mip = SQ_TEX_Z_FILTER_LINEAR;
   t.op = 6;
   for (unsigned home = 0; home < 6; home++) {
      bool on_home[64];
      unsigned others = 0;
      memset(&l, 0, sizeof(l));
      for (unsigned i = 0; i < 64; i++) {
         const unsigned quad = i / 4, axis = home / 2;
         const int x = (int)(quad & 3) - 2 + (int)(i & 1),
                   y = (int)(quad >> 2) - 2 + (int)(i >> 1 & 1);
         double v[3], a[3], st[2];
         v[axis] = home & 1 ? -1 : 1;
         v[(axis + 1) % 3] = signs[home % 4][0] * x * 2.0 / 3;
         v[(axis + 2) % 3] = signs[home % 4][1] * y * 2.0 / 3;
         for (unsigned k = 0; k < 3; k++)
            a[k] = fabs(v[k]);
         const unsigned m = a[2] >= a[1] && a[2] >= a[0] ? 2 : a[1] >= a[0] ? 1 : 0;
         const unsigned face = 2 * m + (v[m] < 0);
         cube_face(v, face, st);
         l.src[0][i] = test_bits((float)st[0] + 1);
         l.src[1][i] = test_bits((float)st[1] + 1);
         l.src[2][i] = test_bits((float)face);
         on_home[i] = face == home;
         others += face != home;
      }
      assert_true(others > 8);
      run(&t, &l);
      for (unsigned i = 0; i < 64; i++)
         if (on_home[i])
            assert_true(fabsf(test_float(l.out[0][i]) - 1) < 0x1p-6f);
   }
}

static void
anisotropy_keeps_detail_along_the_short_axis(void **state)
{
   /* Columns alternate, rows are equal: a footprint long in y must still see the columns. */
   for (unsigned l = 0; l < TEST_BYTES; l += 4)
      memset(space.data + l, (l / 4) & 1 ? 255 : 0, 4);
   struct test_tex t;
   struct test_lanes l;
   test_tex_init(&t);
   t.width = t.height = 64;
   t.mode = ARRAY_1D_TILED_THIN1;
   t.mag = t.min = SQ_TEX_XY_FILTER_ANISO_BILINEAR;
   t.mip = SQ_TEX_Z_FILTER_LINEAR;
   t.last_level = 3;
   t.op = 16;
   memset(&l, 0, sizeof(l));
   for (unsigned i = 0; i < 64; i++) {
      l.src[0][i] = test_bits(((float)(i / 4 * 2) + 0.5f + (i & 1 ? 1 : 0)) / 64);
      l.src[1][i] = test_bits((20.5f + (i & 2 ? 8 : 0)) / 64);
   }
   t.aniso = 3;
   run(&t, &l);
   for (unsigned i = 0; i < 64; i++)
      assert_true(fabsf(test_float(l.out[0][i]) - (i & 1 ? 1 : 0)) < 1e-5f);
   t.aniso = 0;
   run(&t, &l);
   unsigned grey = 0;
   for (unsigned i = 0; i < 64; i++)
      grey += fabsf(test_float(l.out[0][i]) - (i & 1 ? 1 : 0)) > 0.1f;
   assert_true(grey > 0);
   setup(NULL);
}

static void
ld_reads_samples(void **state)
{
   struct test_tex t;
   struct test_words w;
   struct test_lanes l;
   test_tex_init(&t);
   t.dim = SQ_TEX_DIM_2D_ARRAY_MSAA;
   t.mode = ARRAY_2D_TILED_THIN1;
   t.width = 20;
   t.height = 10;
   t.depth = 2;
   t.last_array = 1;
   t.last_level = 2;
   t.op = 3;
   test_tex_words(&t, &space, &w);
   memset(&l, 0, sizeof(l));
   for (unsigned i = 0; i < 64; i++) {
      l.src[0][i] = i % 21;
      l.src[1][i] = i % 11;
      l.src[2][i] = i % 3;
      l.src[3][i] = i % 5;
   }
   run(&t, &l);
   for (unsigned i = 0; i < 64; i++) {
      bool in = i % 21 < 20 && i % 11 < 10 && i % 3 < 2 && i % 5 < 4;
      const uint8_t *p = space.data + surface_offset(w.levels[0].pitch, w.levels[0].slice_bytes, 4,
                                                     4, i % 21, i % 11, i % 3, i % 5);
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(l.out[c][i], in ? test_bits((float)p[c] / 255.0f) : 0);
   }
   t.inst_mod = 1;
   run(&t, &l);
   assert_int_equal(l.out[0][5], 0x3210); /* of four samples */
}

static void
queries_answer(void **state)
{
   struct test_tex t;
   struct test_lanes l;
   memset(&l, 0, sizeof(l));
   for (unsigned i = 0; i < 64; i++)
      l.src[0][i] = i;
   test_tex_init(&t);
   t.op = 4;
   t.dim = SQ_TEX_DIM_2D_ARRAY;
   t.width = 100;
   t.height = 30;
   t.depth = 9;
   t.base_array = 2;
   t.last_array = 6;
   t.base_level = 1;
   t.last_level = 4;
   run(&t, &l);
   for (unsigned i = 0; i < 64; i++) {
      assert_int_equal(l.out[0][i], i < 4 ? 100 >> (i + 1) : 0);
      assert_int_equal(l.out[1][i], i < 4 ? (30 >> (i + 1)) + (i == 4) : 0);
      assert_int_equal(l.out[2][i], i < 4 ? 5 : 0);
      assert_int_equal(l.out[3][i], 4);
   }
   test_tex_init(&t);
   t.op = 5;
   t.dim = SQ_TEX_DIM_2D_MSAA;
   t.last_level = 3;
   run(&t, &l);
   assert_int_equal(l.out[3][0], 8);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(lod_is_log2_of_the_longer_gradient),
      cmocka_unit_test(lod_sources_agree),
      cmocka_unit_test(gather_takes_the_bilinear_texels),
      cmocka_unit_test(cubes_are_seamless),
      cmocka_unit_test(quads_across_a_cube_edge_have_a_small_lod),
      cmocka_unit_test(helpers_on_other_faces_do_not_change_the_lod),
      cmocka_unit_test(anisotropy_keeps_detail_along_the_short_axis),
      cmocka_unit_test(ld_reads_samples),
      cmocka_unit_test(queries_answer),
   };
   return cmocka_run_group_tests(tests, setup, NULL);
}
