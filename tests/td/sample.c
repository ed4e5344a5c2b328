/* SPDX-License-Identifier: MIT */
/*
 * Samplers against the double-precision reference, and all builds against each other.
 *
 * Coordinates and levels of detail are multiples of 1/256 texel, which the samplers represent
 * exactly, so that what is left is rounding: within 2^-21 of the largest texel.
 */
#include <math.h>

#include "reference.h"
#include "port/tex_op.h"

static struct test_build builds[3];
static unsigned num_builds;
static struct vm space;

static int
setup(void **state)
{
   uint32_t seed = 3;
   num_builds = test_builds(builds);
   test_vm_init(&space);
   for (unsigned i = 0; i < TEST_BYTES; i++)
      space.data[i] = (uint8_t)(test_random(&seed) >> 9);
   return 0;
}

/* Floats from 0 to 1, where the texture is one of floats. */
static void
fill_floats(uint32_t seed)
{
   for (unsigned i = 0; i < TEST_BYTES / 4; i++) {
      float f = test_random_float(&seed, 0, 1);
      memcpy(space.data + 4 * i, &f, 4);
   }
}

static double
snap(uint32_t *seed, double lo, double hi)
{
   double v = (double)test_random_float(seed, (float)lo, (float)hi);
   return rint(v * 256) / 256;
}

/* Runs all builds, compares them with each other and the first with the reference. */
static void
check(const struct test_tex *t, struct test_lanes *l, const double coord[64][3],
      const double lod[64], const double ref[64], uint64_t lanes, double bound)
{
   struct test_words w;
   struct test_lanes other = *l;

   test_tex_words(t, &space, &w);
   test_tex_run(&builds[0], &w, l, lanes);
   for (unsigned b = 1; b < num_builds; b++) {
      test_tex_run(&builds[b], &w, &other, lanes);
      if (memcmp(l->out, other.out, sizeof(l->out)) != 0)
         fail_msg("%s and %s differ: op %u dim %u format %u", builds[0].name, builds[b].name, t->op,
                  t->dim, t->format);
   }
   for (unsigned lane = 0; lane < 64; lane++) {
      double e[4];
      if (!(lanes >> lane & 1)) {
         for (unsigned c = 0; c < 4; c++)
            assert_int_equal(l->out[c][lane], 0x5a5a5a5a);
         continue;
      }
      reference_sample(t, &w, &space, coord[lane], lod[lane], ref[lane], e);
      for (unsigned c = 0; c < 4; c++) {
         double got = (double)test_float(l->out[c][lane]);
         if (!(fabs(got - e[c]) <= bound))
            fail_msg("op %u dim %u format %u %ux%ux%u levels %u-%u clamp %u %u %u filter %u %u %u"
                     " lane %u (%.6f %.6f %.6f lod %.4f ref %.4f) component %u: %.8f, not %.8f",
                     t->op, t->dim, t->format, t->width, t->height, t->depth, t->base_level,
                     t->last_level, t->clamp[0], t->clamp[1], t->clamp[2], t->mag, t->min, t->mip,
                     lane, coord[lane][0], coord[lane][1], coord[lane][2], lod[lane], ref[lane], c,
                     got, e[c]);
      }
   }
}

static unsigned
pick(uint32_t *seed, const unsigned *values, unsigned n)
{
   return values[test_random(seed) % n];
}

static void
explicit_lod_matches_reference(void **state)
{
   static const unsigned dims[] = { SQ_TEX_DIM_1D, SQ_TEX_DIM_2D,       SQ_TEX_DIM_2D,
                                    SQ_TEX_DIM_3D, SQ_TEX_DIM_1D_ARRAY, SQ_TEX_DIM_2D_ARRAY };
   static const unsigned formats[] = {
      FMT_8_8_8_8,        FMT_8_8_8_8,          FMT_8, FMT_16, FMT_5_6_5, FMT_32_FLOAT,
      FMT_32_32_32_FLOAT, FMT_32_32_32_32_FLOAT
   };
   static const unsigned modes[] = { ARRAY_LINEAR_ALIGNED, ARRAY_1D_TILED_THIN1,
                                     ARRAY_2D_TILED_THIN1 };
   uint32_t seed = 11;

   for (unsigned round = 0; round < 1500; round++) {
      struct test_tex t;
      struct test_lanes l;
      double coord[64][3], lod[64], ref[64];
      bool floats, small = round % 4 == 0;
      uint64_t lanes = round % 3 ? ~UINT64_C(0) : (uint64_t)test_random(&seed) << 20 | 5;

      test_tex_init(&t);
      t.dim = pick(&seed, dims, 6);
      t.format = pick(&seed, formats, 8);
      t.mode = pick(&seed, modes, 3);
      t.width = 1 + test_random(&seed) % (small ? 4 : 70);
      t.height = 1 + test_random(&seed) % (small ? 4 : 40);
      if (test_random(&seed) & 1)
         t.width = surface_pow2(t.width), t.height = surface_pow2(t.height);
      if (t.dim == SQ_TEX_DIM_1D || t.dim == SQ_TEX_DIM_1D_ARRAY)
         t.height = 1;
      t.depth = t.dim == SQ_TEX_DIM_2D || t.dim == SQ_TEX_DIM_1D ? 1 : 1 + test_random(&seed) % 7;
      unsigned most = t.width > t.height ? t.width : t.height;
      unsigned last = 31 - (unsigned)__builtin_clz(most);
      t.last_level = test_random(&seed) % (last + 1);
      t.base_level = test_random(&seed) % (t.last_level + 1);
      if (t.dim != SQ_TEX_DIM_3D) {
         t.base_array = test_random(&seed) % t.depth;
         t.last_array = t.base_array + test_random(&seed) % (t.depth - t.base_array);
      }
      for (unsigned a = 0; a < 3; a++) {
         t.clamp[a] = test_random(&seed) % 8;
         t.offset[a] = round % 5 ? 0 : (int)(test_random(&seed) % 32) - 16;
      }
      for (unsigned c = 0; c < 4; c++) {
         static const unsigned sels[] = { 0, 1, 2, 3, 0, 1, 2, 3, 4, 5 };
         t.sel[c] = round % 2 ? c : pick(&seed, sels, 10);
         t.border[c] = test_bits((float)(test_random(&seed) % 256) / 255.0f);
      }
      t.border_type = test_random(&seed) % 4;
      t.mag = test_random(&seed) & 1;
      t.min = test_random(&seed) & 1;
      t.mip = test_random(&seed) % 3;
      t.min_lod = (float)(test_random(&seed) % 3 == 0) * 0.75f;
      t.max_lod = test_random(&seed) % 4 ? 15.0f : 1.25f;
      t.bias =
         test_random(&seed) % 4 ? 0.0f : (float)((int)(test_random(&seed) % 1024) - 512) / 256;
      t.unnormalized = t.last_level == 0 && test_random(&seed) % 4 == 0;
      t.degamma = t.format == FMT_8_8_8_8 && test_random(&seed) % 4 == 0;
      if (t.unnormalized)
         for (unsigned a = 0; a < 3; a++)
            t.clamp[a] = test_random(&seed) & 1 ? SQ_TEX_CLAMP_LAST_TEXEL : SQ_TEX_CLAMP_BORDER;
      t.reduction = round % 3 ? 0 : 1 + round / 3 % 2;
      t.op = 17;
      bool compare = round % 7 == 0 && t.dim != SQ_TEX_DIM_3D;
      t.apart = compare && round % 2;
      if (compare) {
         t.op = t.apart || t.dim == SQ_TEX_DIM_2D || t.dim == SQ_TEX_DIM_1D ? 25 : 27;
         t.compare = test_random(&seed) % 8;
      }
      floats = t.format == FMT_32_FLOAT || t.format == FMT_32_32_32_FLOAT ||
               t.format == FMT_32_32_32_32_FLOAT;
      if (floats)
         fill_floats(seed);

      /* Exact at every level only if levels are powers of two apart: else sample one level. */
      bool exact = t.width == surface_pow2(t.width) && t.height == surface_pow2(t.height) &&
                   t.depth == surface_pow2(t.depth);
      if (!exact && t.mip == SQ_TEX_Z_FILTER_LINEAR)
         t.mip = SQ_TEX_Z_FILTER_POINT;
      for (unsigned lane = 0; lane < 64; lane++) {
         lod[lane] = t.op == 27 ? 0 : snap(&seed, -1, 6);
         double c = fmin(fmax(lod[lane] + (double)t.bias, (double)t.min_lod), (double)t.max_lod);
         int levels = (int)(t.last_level - t.base_level);
         c = t.mip == SQ_TEX_Z_FILTER_NONE ? 0 : fmin(fmax(c, 0), levels);
         unsigned level = t.base_level +
                          (unsigned)(t.mip == SQ_TEX_Z_FILTER_POINT ? ceil(c + 0.5) - 1 : floor(c));
         unsigned size[3] = { t.width >> level, t.height >> level,
                              t.dim == SQ_TEX_DIM_3D ? t.depth >> level : 1 };
         for (unsigned a = 0; a < 3; a++) {
            double n = size[a] ? size[a] : 1;
            /* Of two levels the smaller one halves the coordinate. */
            double u = rint(snap(&seed, -2.5 * n, 3.5 * n) * 128) / 128;
            coord[lane][a] = t.unnormalized ? u : u / n;
         }
         if (t.dim != SQ_TEX_DIM_3D)
            coord[lane][2] = (double)((int)(test_random(&seed) % 10) - 2) +
                             (double)(test_random(&seed) % 3) * 0.25;
         ref[lane] = (double)(test_random(&seed) % 256) / 255.0;
         for (unsigned a = 0; a < 3; a++)
            l.src[a][lane] = test_bits((float)coord[lane][a]);
         l.src[3][lane] = test_bits((float)lod[lane]);
         ref[lane] = (double)(float)ref[lane];
         l.reference[lane] = test_bits((float)ref[lane]);
         if (compare && !t.apart)
            l.src[t.op == 25 ? 2 : 3][lane] = l.reference[lane];
         if (t.op == 25 && !t.apart)
            coord[lane][2] = 0;
      }
      /* The reference compares in double: equality with rounded texels is not for this test. */
      if (compare &&
          (t.compare == COMPARE_EQUAL || t.compare == COMPARE_NOTEQUAL ||
           t.compare == COMPARE_LEQUAL || t.compare == COMPARE_GEQUAL ||
           t.compare == COMPARE_LESS || t.compare == COMPARE_GREATER) &&
          !floats)
         for (unsigned lane = 0; lane < 64; lane++) {
            ref[lane] = (double)(float)(ref[lane] * 0.99 + 0.0013);
            l.reference[lane] = test_bits((float)ref[lane]);
            if (!t.apart)
               l.src[t.op == 25 ? 2 : 3][lane] = l.reference[lane];
         }
      check(&t, &l, (const double(*)[3])coord, lod, ref, lanes, 0x1p-21);
      if (floats)
         setup(NULL);
   }
}

/* Every component of every lane, bit for bit. */
static void
assert_same(const struct test_tex *t, const char *build, unsigned round, const struct test_lanes *l,
            const struct test_lanes *general)
{
   for (unsigned c = 0; c < 4; c++)
      for (unsigned i = 0; i < 64; i++)
         if (l->out[c][i] != general->out[c][i])
            fail_msg("%s: round %u op %u format %u lane %u component %u: %08x, not %08x", build,
                     round, t->op, t->format, i, c, l->out[c][i], general->out[c][i]);
}

/* In all builds: by the general path the same.  Loads and gathers take that in an array. */
static void
compare_with_general(const struct test_tex *t, unsigned round, uint64_t lanes, struct test_lanes *l,
                     uint32_t *seed)
{
   struct test_lanes general = *l;
   struct test_words w;

   for (unsigned b = 0; b < num_builds; b++) {
      test_tex_words(t, &space, &w);
      for (unsigned c = 0; c < 4; c++)
         w.lookup.swizzle[c] = cayman_write[round % 5 ? c : test_random(seed) & 7];
      test_tex_run(&builds[b], &w, l, lanes);
      if (t->dim == SQ_TEX_DIM_2D)
         w.resource[0] = (w.resource[0] & ~7u) | SQ_TEX_DIM_2D_ARRAY;
      w.general = true;
      test_tex_run(&builds[b], &w, &general, lanes);
      assert_same(t, builds[b].name, round, l, &general);
   }
}

/* A wave of eight by eight pixels.  Each column and each row has a coordinate as interpolation
 * leaves it: some a few bits apart, some far. */
static void
random_grid(uint32_t *seed, const struct test_tex *t, struct test_lanes *l)
{
   const unsigned noise = test_random(seed) % 3;

   for (unsigned a = 0; a < 2; a++) {
      const float size = (float)(a ? t->height : t->width), unit = t->unnormalized ? 1 : 1 / size;
      const float step = test_random_float(seed, -2, 2) * (test_random(seed) % 4 ? 1 : 0.1f);
      const float round = test_random(seed) % 4 ? 0 : 256;
      const float from = test_random_float(seed, -size, 2 * size);

      for (unsigned i = 0; i < 64; i++) {
         const unsigned x = i / 4 % 4 * 2 + (i & 1), y = i / 16 * 2 + (i >> 1 & 1);
         float v = from + (float)(a ? y : x) * step;

         if (round > 0)
            v = (float)(int)(v * round) / round;
         l->src[a][i] = test_bits(v * unit);
         if (noise == 1 || (noise == 2 && i == 30))
            l->src[a][i] += test_random(seed) % 4;
      }
      if (test_random(seed) % 16 == 0)
         l->src[a][test_random(seed) % 64] += test_random(seed) % 2 ? 0x10000u : 0x7fc00000u;
   }
}

/* The specialised samplers must give the general path's bits. */
static void
special_paths_equal_the_general_one(void **state)
{
   enum { NORM = SQ_NUM_FORMAT_NORM, INT = SQ_NUM_FORMAT_INT };
   static const struct {
      uint8_t format, num_format, comp;
      bool degamma;
   } formats[] = {
      { FMT_8_8_8_8, NORM, 0, false },
      { FMT_8_8, NORM, 0, false },
      { FMT_8, NORM, 0, false },
      { FMT_8_8_8_8, NORM, 0, true },
      { FMT_8_8, NORM, 0, true },
      { FMT_8_8_8_8, NORM, 1, false },
      { FMT_8_8, NORM, 1, false },
      { FMT_8, NORM, 1, false },
      { FMT_3_3_2, NORM, 0, false },
      { FMT_5_6_5, NORM, 0, false },
      { FMT_4_4_4_4, NORM, 0, false },
      { FMT_1_5_5_5, NORM, 0, false },
      { FMT_2_10_10_10, NORM, 0, false },
      { FMT_2_10_10_10, NORM, 1, false },
      { FMT_2_10_10_10, INT, 0, false },
      { FMT_16, NORM, 0, false },
      { FMT_16_16, NORM, 1, false },
      { FMT_16_16_16_16, NORM, 0, false },
      { FMT_16_16_16_16, NORM, 1, false },
      { FMT_16_FLOAT, NORM, 0, false },
      { FMT_16_16_FLOAT, NORM, 0, false },
      { FMT_16_16_16_16_FLOAT, NORM, 0, false },
      { FMT_32_FLOAT, NORM, 0, false },
      { FMT_32_32_FLOAT, NORM, 0, false },
      { FMT_32, NORM, 0, false },
      { FMT_32_32_32_FLOAT, NORM, 0, false },
      { FMT_32_32_32_32_FLOAT, NORM, 0, false },
      { FMT_8_24, NORM, 0, false },
      { FMT_10_11_11_FLOAT, NORM, 0, false },
      { FMT_X24_8_32_FLOAT, NORM, 0, false },
      { FMT_5_9_9_9_SHAREDEXP, NORM, 0, false },
      { FMT_8, INT, 1, false },
      { FMT_8_8_8_8, INT, 0, false },
      { FMT_16_16, INT, 1, false },
      { FMT_16_16_16_16, INT, 1, false },
      { FMT_32_32, INT, 0, false },
      { FMT_32_32_32, INT, 0, false },
      { FMT_32_32_32_32, INT, 1, false },
      { FMT_8_8_8_8, SQ_NUM_FORMAT_SCALED, 0, false },
      { FMT_BC1, NORM, 0, false },
      { FMT_BC1, NORM, 0, true },
      { FMT_BC2, NORM, 0, false },
      { FMT_BC3, NORM, 0, false },
      { FMT_BC3, NORM, 0, true },
      { FMT_BC4, NORM, 0, false },
      { FMT_BC4, NORM, 1, false },
      { FMT_BC5, NORM, 1, false },
      { FMT_BC6, NORM, 0, false },
      { FMT_BC6, NORM, 1, false },
      { FMT_BC7, NORM, 0, false },
      { FMT_GB_GR, NORM, 0, false },
   };
   enum { FORMATS = sizeof(formats) / sizeof(*formats) };
   static const uint32_t nasty[] = { 0x7fc00000u, 0x7f800000u, 0xff800000u, 0x80000000u,
                                     0x7f7fffffu, 0xff7fffffu, 0x00000001u, 0x4b800000u };
   static const unsigned ops[] = { 16, 16, 17, 18, 19, 20, 22, 21, 23, 24, 25, 27, 29 };
   const unsigned num_ops = sizeof(ops) / sizeof(*ops);
   uint32_t seed = 21;

   for (unsigned round = 0; round < 30000; round++) {
      struct test_tex t;
      struct test_lanes l;
      const unsigned f = test_random(&seed) % FORMATS;
      uint64_t lanes = round % 3 ? ~UINT64_C(0) : (uint64_t)test_random(&seed) << 24 | 5;

      test_tex_init(&t);
      t.format = formats[f].format;
      t.num_format = formats[f].num_format;
      t.comp = formats[f].comp;
      t.degamma = formats[f].degamma;
      t.mode = 1 + test_random(&seed) % 2;
      t.width = 1 + test_random(&seed) % (round % 4 ? 200 : 3);
      t.height = 1 + test_random(&seed) % (round % 4 ? 100 : 3);
      if (test_random(&seed) & 1)
         t.width = surface_pow2(t.width), t.height = surface_pow2(t.height);
      t.last_level = test_random(&seed) % 3 ? 0 : test_random(&seed) % 8;
      t.base_level = test_random(&seed) % (t.last_level + 1);
      t.mag = test_random(&seed) & 1;
      t.min = test_random(&seed) % 3 ? t.mag : !t.mag;
      t.mip = test_random(&seed) % 3;
      /* As drivers have it: of points alone. */
      t.truncate = test_random(&seed) % 4 == 0 ? t.mag : !t.mag;
      t.bias = (float)(test_random(&seed) % 3) - 1;
      t.max_lod = test_random(&seed) & 1 ? 15 : 2.5f;
      t.op = ops[test_random(&seed) % num_ops];
      t.inst_mod = t.op == 21 || t.op == 23 ? test_random(&seed) % 4 : 0;
      t.compare = test_random(&seed) % 8;
      /* Gathers' offsets, half texels of which lead far outside. */
      for (unsigned a = 0; a < 2 && t.op == 21 && round % 2; a++)
         t.offset[a] = (int)(test_random(&seed) % 32) - 16;
      for (unsigned i = 0; i < 64; i++)
         for (unsigned a = 0; a < 2; a++)
            l.offset[a][i] = (int)(test_random(&seed) % 64) - 32;
      /* Rounds enough in which comparisons have a form of their own. */
      if (t.op >= 24)
         t.mag = t.min = 1, t.mip = 0, t.truncate = false;
      for (unsigned a = 0; a < 2; a++)
         t.clamp[a] = test_random(&seed) & 1 ? SQ_TEX_WRAP : SQ_TEX_CLAMP_LAST_TEXEL;
      if (test_random(&seed) % 8 == 0) {
         t.unnormalized = true;
         t.clamp[0] = t.clamp[1] = SQ_TEX_CLAMP_LAST_TEXEL;
      }
      t.z_filter = test_random(&seed) % 3;
      for (unsigned c = 0; c < 4; c++)
         t.sel[c] = round % 2 ? c : test_random(&seed) % 6;
      float range = t.unnormalized ? (float)t.width : round % 5 ? 1.5f : 1000.0f;
      float step = range * ldexpf(1, -(int)(test_random(&seed) % 10)) * 0.1f;
      /* A wave's quads within a few texels, or anywhere. */
      bool together = test_random(&seed) & 1;
      float wide = (t.unnormalized ? 1.0f : 1.0f / (float)t.width) * 20;
      if (together)
         step = wide / 20 * (float)(1 + test_random(&seed) % 4);
      for (unsigned i = 0; i < 64; i++) {
         for (unsigned a = 0; a < 2; a++) {
            float o = i % 4           ? test_float(l.src[a][i & ~3u])
                      : i && together ? test_float(l.src[a][0]) + test_random_float(&seed, 0, wide)
                                      : test_random_float(&seed, -range, range);
            l.src[a][i] = test_bits(i % 4 ? o + test_random_float(&seed, -step, step) : o);
            l.grad_h[a][i] = test_random_float(&seed, -step, step);
            l.grad_v[a][i] = test_random_float(&seed, -step, step);
         }
         l.src[2][i] = 0;
         l.src[3][i] = test_bits(test_random_float(&seed, -2, 7));
      }
      if (test_random(&seed) % 3 == 0)
         random_grid(&seed, &t, &l);
      if (round % 7 == 0)
         for (unsigned i = 0; i < 20; i++)
            l.src[test_random(&seed) % 4][test_random(&seed) % 64] = nasty[test_random(&seed) % 8];
      for (unsigned i = 0; i < 64; i++)
         l.src[2][i] = 0;
      compare_with_general(&t, round, lanes, &l, &seed);
   }
}

/* The same of layers and faces: quads within one, and across several. */
static void
layers_equal_the_general_path(void **state)
{
   static const uint8_t formats[] = { FMT_8_8_8_8,           FMT_8,        FMT_5_6_5,
                                      FMT_16_16_16_16_FLOAT, FMT_32_FLOAT, FMT_8_24,
                                      FMT_32_32_32_32_FLOAT };
   static const unsigned ops[] = { 16, 16, 17, 18, 19, 20, 22, 24, 27 };
   uint32_t seed = 8;

   for (unsigned round = 0; round < 12000; round++) {
      const bool cube = round & 1;
      const uint64_t lanes = round % 3 ? ~UINT64_C(0) : (uint64_t)test_random(&seed) << 24 | 5;
      struct test_tex t;
      struct test_lanes l;

      test_tex_init(&t);
      t.dim = cube ? SQ_TEX_DIM_CUBEMAP : SQ_TEX_DIM_2D_ARRAY;
      t.format = formats[test_random(&seed) % 7];
      t.width = t.height = 1 + test_random(&seed) % (round % 4 ? 40 : 3);
      if (test_random(&seed) & 1)
         t.width = t.height = surface_pow2(t.width);
      t.depth = 1 + test_random(&seed) % 3;
      t.base_array = cube ? 0 : test_random(&seed) % t.depth;
      t.last_array = cube ? 6 * t.depth - 1 : t.depth - 1;
      t.last_level = test_random(&seed) % 2 ? 0 : test_random(&seed) % 4;
      t.base_level = test_random(&seed) % (t.last_level + 1);
      t.mag = test_random(&seed) & 1;
      t.min = test_random(&seed) % 3 ? t.mag : !t.mag;
      t.mip = test_random(&seed) % 3;
      t.truncate = test_random(&seed) % 4 == 0 ? t.mag : !t.mag;
      t.no_cube_wrap = test_random(&seed) % 4 == 0;
      t.op = ops[test_random(&seed) % 9];
      t.compare = test_random(&seed) % 8;
      if (t.op >= 24)
         t.mag = t.min = 1, t.mip = 0, t.truncate = false;
      t.clamp[0] = t.clamp[1] = test_random(&seed) & 1 ? SQ_TEX_WRAP : SQ_TEX_CLAMP_LAST_TEXEL;
      const float step = ldexpf(1, -(int)(test_random(&seed) % 8));
      const unsigned kinds = test_random(&seed) % 3, layer = test_random(&seed) % 8;

      for (unsigned i = 0; i < 64; i++) {
         for (unsigned a = 0; a < 2; a++) {
            const float o = i % 4 ? test_float(l.src[a][i & ~3u]) : test_random_float(&seed, 0, 1);
            const float v = i % 4 ? o + test_random_float(&seed, -step, step) : o + cube;

            l.src[a][i] = test_bits(cube && test_random(&seed) % 8 ? fminf(fmaxf(v, 1), 2) : v);
            l.grad_h[a][i] = test_random_float(&seed, -step, step);
            l.grad_v[a][i] = test_random_float(&seed, -step, step);
         }
         l.grad_h[2][i] = l.grad_v[2][i] = step;
         /* All on one, by quads, or by lanes. */
         const unsigned at = !kinds       ? layer
                             : kinds == 1 ? layer ^ (i / 16 & 1)
                                          : test_random(&seed) % 24;
         l.src[2][i] = test_bits((float)at + (cube ? 0 : 0.25f));
         l.src[3][i] = test_bits(test_random_float(&seed, -2, 4));
      }
      compare_with_general(&t, round, lanes, &l, &seed);
   }
}

/* The same of volumes, of one level and with a second one that no lane, or some, reach. */
static void
volumes_equal_the_general_path(void **state)
{
   static const uint8_t formats[] = {
      FMT_8_8_8_8,        FMT_8_8,         FMT_8,        FMT_5_6_5,
      FMT_2_10_10_10,     FMT_16,          FMT_16_16,    FMT_16_16_16_16,
      FMT_16_FLOAT,       FMT_16_16_FLOAT, FMT_32_FLOAT, FMT_16_16_16_16_FLOAT,
      FMT_8_24,           FMT_32_32_FLOAT, FMT_4_4_4_4,  FMT_32_32_32_32_FLOAT,
      FMT_32_32_32_FLOAT,
   };
   static const unsigned ops[] = { 16, 17, 18, 19 };
   uint32_t seed = 41;
   unsigned compared = 0;

   for (unsigned round = 0; round < 4000; round++) {
      struct test_tex t;
      struct test_words w, other;
      struct test_lanes l, general;
      const uint64_t lanes = round % 3 ? ~UINT64_C(0) : (uint64_t)test_random(&seed) << 24 | 5;
      const float range = round % 5 ? 1.5f : 1000.0f;

      test_tex_init(&t);
      t.dim = SQ_TEX_DIM_3D;
      t.format = formats[test_random(&seed) % sizeof(formats)];
      t.num_format = SQ_NUM_FORMAT_NORM;
      t.width = 1 + test_random(&seed) % (round % 4 ? 40 : 3);
      t.height = 1 + test_random(&seed) % (round % 4 ? 20 : 3);
      t.depth = 1 + test_random(&seed) % (round % 4 ? 12 : 3);
      t.mag = t.min = 1;
      t.max_lod = 0;
      t.truncate = test_random(&seed) % 4 == 0;
      t.op = ops[test_random(&seed) % 4];
      t.unnormalized = test_random(&seed) % 8 == 0;
      for (unsigned a = 0; a < 3; a++)
         t.clamp[a] =
            t.unnormalized || test_random(&seed) & 1 ? SQ_TEX_CLAMP_LAST_TEXEL : SQ_TEX_WRAP;
      t.z_filter = test_random(&seed) % 3;
      for (unsigned c = 0; c < 4; c++)
         t.sel[c] = round % 2 ? c : test_random(&seed) % 6;
      for (unsigned i = 0; i < 64; i++)
         for (unsigned a = 0; a < 4; a++) {
            const float most = t.unnormalized ? (float)t.width : range;
            const float part = t.unnormalized ? 0.5f * (float)t.width : 0.5f;
            /* Where most lanes have all of their texels, or anywhere. */
            l.src[a][i] = round % 2 ? test_bits(test_random_float(&seed, 0.2f * part, 1.7f * part))
                                    : test_bits(test_random_float(&seed, -most, most));
         }
      general = l;
      test_tex_words(&t, &space, &w);
      t.last_level = 1;
      t.mip = SQ_TEX_Z_FILTER_POINT;
      test_tex_words(&t, &space, &other);
      if (w.levels[0].pitch != other.levels[0].pitch)
         continue;
      compared++;
      for (unsigned b = 0; b < num_builds; b++) {
         for (unsigned c = 0; c < 4; c++)
            w.lookup.swizzle[c] = other.lookup.swizzle[c] =
               cayman_write[round % 5 ? c : test_random(&seed) & 7];
         test_tex_run(&builds[b], &w, &l, lanes);
         other.general = true;
         test_tex_run(&builds[b], &other, &general, lanes);
         assert_same(&t, builds[b].name, round, &l, &general);
         other.general = false;
         test_tex_run(&builds[b], &other, &l, lanes);
         assert_same(&t, builds[b].name, round, &l, &general);
      }
      /* As many levels as there are, by what the lanes' derivatives or w make of them. */
      t.max_lod = 15;
      t.mip = round / 2 % 3;
      test_tex_words(&t, &space, &w);
      compare_with_general(&t, round, lanes, &l, &seed);
   }
   assert_true(compared > 2000);
}

/* Blocks of BC7 against the decoder of single texels.  Blocks 128 apart have the same slot of the
 * cache, a footprint across the edge needs both, and memory changes between fetches. */
static void
kept_blocks_are_those_of_memory(void **state)
{
   enum { SIZE = 516 };
   uint32_t seed = 31;

   for (unsigned round = 0; round < 400; round++) {
      struct test_tex t;
      struct test_words w;
      struct test_lanes l;
      uint32_t x[64], y[64];

      test_tex_init(&t);
      t.format = FMT_BC7;
      t.mode = ARRAY_LINEAR_ALIGNED;
      t.width = t.height = SIZE;
      t.mag = t.min = round & 1;
      test_tex_words(&t, &space, &w);
      for (unsigned i = 0; i < 200; i++)
         space.data[test_random(&seed) % TEST_BYTES] = (uint8_t)test_random(&seed);
      for (unsigned i = 0; i < 64; i++) {
         x[i] = test_random(&seed) % (round % 4 < 2 ? 12 : SIZE);
         y[i] = test_random(&seed) % (round % 4 < 2 ? 12 : SIZE);
         x[i] = test_random(&seed) & 1 ? x[i] : SIZE - 1 - x[i];
         l.src[0][i] = test_bits(((float)x[i] + 0.5f) / SIZE);
         l.src[1][i] = test_bits(((float)y[i] + 0.5f) / SIZE);
         l.src[2][i] = l.src[3][i] = 0;
      }
      for (unsigned b = 0; b < num_builds; b++) {
         test_tex_run(&builds[b], &w, &l, ~UINT64_C(0));
         for (unsigned i = 0; i < 64; i++) {
            uint32_t texel[4];
            const uint8_t *block =
               space.data + ((size_t)(y[i] / 4) * w.levels[0].pitch + x[i] / 4) * 16;
            td_block_texel(FORMAT_BC7, block, x[i] % 4, y[i] % 4, 0, texel);
            for (unsigned c = 0; c < 4; c++)
               assert_int_equal(l.out[c][i], test_bits((float)texel[c] / 255.0f));
         }
      }
   }
   setup(NULL);
}

/* LD of a 2D texture, and of an array's first layer, which takes the general path. */
static void
plain_loads_equal_the_general_path(void **state)
{
   static const uint8_t formats[] = {
      FMT_8,
      FMT_8_8,
      FMT_8_8_8_8,
      FMT_16_16_FLOAT,
      FMT_32_FLOAT,
      FMT_32_32_FLOAT,
      FMT_16_16_16_16_FLOAT,
      FMT_32_32_32_32_FLOAT,
      FMT_32_32_32_FLOAT,
   };
   uint32_t seed = 7;

   for (unsigned round = 0; round < 1000; round++) {
      const uint64_t lanes = round % 3 ? ~UINT64_C(0) : (uint64_t)test_random(&seed) << 24 | 5;
      const uint32_t x0 = test_random(&seed) % 30, y0 = test_random(&seed) % 10;
      struct test_tex t;
      struct test_lanes l;

      test_tex_init(&t);
      t.op = 3;
      t.format = formats[test_random(&seed) % sizeof(formats)];
      t.num_format = SQ_NUM_FORMAT_NORM;
      t.width = 1 + test_random(&seed) % 60;
      t.height = 1 + test_random(&seed) % 20;
      t.last_level = test_random(&seed) % 3;
      t.base_level = test_random(&seed) % (t.last_level + 1);
      for (unsigned a = 0; a < 2; a++)
         t.offset[a] = 2 * (int)(test_random(&seed) % 8) - 8;
      for (unsigned c = 0; c < 4; c++)
         t.sel[c] = round % 2 ? c : test_random(&seed) % 6;
      for (unsigned i = 0; i < 64; i++) {
         /* Quads in a row, as they lie in a block, or anywhere. */
         const bool together = round % 4;
         const uint32_t x = x0 + i / 4 * 2 % 8 + i % 2, y = y0 + i / 16 * 2 + i / 2 % 2;

         l.src[0][i] = together ? x : test_random(&seed) % 70 - 5;
         l.src[1][i] = together ? y : test_random(&seed) % 30 - 5;
         l.src[2][i] = 0;
         l.src[3][i] = round % 5 ? 0 : test_random(&seed) % 3;
      }
      compare_with_general(&t, round, lanes, &l, &seed);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(kept_blocks_are_those_of_memory),
      cmocka_unit_test(explicit_lod_matches_reference),
      cmocka_unit_test(special_paths_equal_the_general_one),
      cmocka_unit_test(layers_equal_the_general_path),
      cmocka_unit_test(volumes_equal_the_general_path),
      cmocka_unit_test(plain_loads_equal_the_general_path),
   };
   return cmocka_run_group_tests(tests, setup, NULL);
}
