/* SPDX-License-Identifier: MIT */
/*
 * Nanoseconds per 64 lanes of samplers and vertex fetch, for each build: best of several runs.
 * Not a test: `bench-td [rows]` prints a table.
 */
#include <math.h>
#include <time.h>

#include "harness.h"

static struct vm space;

static double
now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A screen's worth of quads, 4x4 per wave, at `texels` texels a pixel, turned a little unless that
 * is negative. */
static void
screen(struct test_lanes *l, unsigned n, unsigned size, float texels)
{
   const float turn = texels < 0 ? 0 : 1;

   texels = texels < 0 ? -texels : texels;
   for (unsigned w = 0; w < n; w++) {
      float x0 = (float)(w % 16 * 8), y0 = (float)(w / 16 * 8);
      for (unsigned i = 0; i < 64; i++) {
         unsigned q = i / 4;
         float x = x0 + (float)(q % 4 * 2 + (i & 1)) + 0.5f;
         float y = y0 + (float)(q / 4 * 2 + (i >> 1 & 1)) + 0.5f;
         l[w].src[0][i] = test_bits((x * 0.97f + turn * y * 0.12f) * texels / (float)size);
         l[w].src[1][i] = test_bits((y * 0.94f - turn * x * 0.09f) * texels / (float)size);
         if (size == 0) { /* integers */
            l[w].src[0][i] = (uint32_t)x;
            l[w].src[1][i] = (uint32_t)y;
            l[w].src[2][i] = l[w].src[3][i] = 0;
            continue;
         }
         l[w].src[2][i] = test_bits(0.5f);
         l[w].src[3][i] = test_bits(0.5f);
      }
   }
}

/* Few, and all with the same results' rows, as where programs run: they stay in the cache. */
#define WAVES 32

static double
time_tex(const struct test_build *build, const struct test_tex *t, float texels)
{
   static struct test_lanes lanes[WAVES];
   static wave_lane out[4];
   struct test_words w;
   struct td_tex_bind bind;
   double best = 1e9;

   screen(lanes, WAVES, t->op == 3 ? 0 : t->width, texels);
   /* On a face, coordinates are 1 to 2. */
   for (unsigned i = 0; t->dim == SQ_TEX_DIM_CUBEMAP && i < WAVES * 64; i++) {
      for (unsigned c = 0; c < 2; c++) {
         uint32_t *s = &lanes[i / 64].src[c][i % 64];
         const float f = test_float(*s);
         *s = test_bits(1 + f - (float)(int)f);
      }
   }
   test_tex_words(t, &space, &w);
   cayman_bind_tex(&build->kernels, &bind, &w.lookup, &w.view);
   for (unsigned run = 0; run < 60; run++) {
      double start = now();
      for (unsigned i = 0; i < WAVES * 16; i++) {
         struct test_lanes *l = &lanes[i % WAVES];
         struct td_tex_args args = { .lanes = ~UINT64_C(0), .valid = ~UINT64_C(0) };
         for (unsigned c = 0; c < 4; c++) {
            args.src[c] = l->src[c];
            args.dst[c] = out[c];
         }
         bind.run(&bind, &args);
      }
      double ns = (now() - start) / (WAVES * 16);
      best = ns < best ? ns : best;
   }
   return best;
}

/* Five columns by three rows of neighbours, each lookup; screens are not turned.  `at_once`: as a
 * series. */
static double
time_neighbours(const struct test_build *build, bool filters, bool at_once)
{
   static wave_lane rows[64][4];
   struct td_tex_series s = { .count = 15, .num_coords = { 5, 3 } };
   struct test_tex t;
   struct test_words w;
   struct td_tex_bind bind;
   double best = 1e9;

   test_tex_init(&t);
   t.width = t.height = 256;
   t.mag = t.min = filters;
   t.truncate = !filters;
   t.clamp[0] = t.clamp[1] = SQ_TEX_CLAMP_LAST_TEXEL;
   test_tex_words(&t, &space, &w);
   w.lookup.swizzle[3] = SWIZZLE_NONE;
   cayman_bind_tex(&build->kernels, &bind, &w.lookup, &w.view);
   for (unsigned i = 0; i < 15; i++) {
      s.lookup[i].coord[0] = i % 5;
      s.lookup[i].coord[1] = i / 5;
      s.lookup[i].to = (16 + i) * sizeof(rows[0]);
   }
   for (unsigned i = 0; i < 5; i++)
      s.coord[0][i] = s.coord[1][i] = i * sizeof(rows[0]);
   for (unsigned i = 0; i < 3; i++)
      s.coord[1][i] += sizeof(wave_lane);
   for (unsigned run = 0; run < 200; run++) {
      double spent = 0;

      for (unsigned at = 0; at < 64; at++) {
         for (unsigned i = 0; i < 5 * 64; i++) {
            const unsigned lane = i % 64, q = lane / 4;
            const float x = (float)(at % 8 * 8 + q % 4 * 2 + (lane & 1) + i / 64) + 0.5f;
            const float y = (float)(at / 8 * 8 + q / 4 * 2 + (lane >> 1 & 1) + i / 64) + 0.5f;

            rows[i / 64][0][lane] = test_bits(x / 256);
            rows[i / 64][1][lane] = test_bits(y / 256);
         }
         const double start = now();
         if (at_once)
            bind.run_series(&bind, &s, (uint8_t *)rows, ~UINT64_C(0));
         for (unsigned i = 0; i < 15 && !at_once; i++) {
            struct td_tex_args args = { .lanes = ~UINT64_C(0), .valid = ~UINT64_C(0) };

            for (unsigned c = 0; c < 4; c++) {
               args.src[c] = c < 2 ? rows[c ? i / 5 : i % 5][c] : rows[8][c];
               args.dst[c] = c < 3 ? rows[16 + i][c] : NULL;
            }
            bind.run(&bind, &args);
         }
         spent += now() - start;
      }
      best = spent / (64 * 15) < best ? spent / (64 * 15) : best;
   }
   return best;
}

static double
time_bind(const struct test_build *build, const struct test_tex *t)
{
   struct test_words w;
   struct td_tex_bind bind;
   double best = 1e9;

   test_tex_words(t, &space, &w);
   for (unsigned run = 0; run < 60; run++) {
      double start = now();
      for (unsigned i = 0; i < 200; i++)
         cayman_bind_tex(&build->kernels, &bind, &w.lookup, &w.view);
      double ns = (now() - start) / 200;
      best = ns < best ? ns : best;
   }
   return best;
}

static double
time_vtx(const struct test_build *build, unsigned format, unsigned stride)
{
   uint32_t words[8] = { (uint32_t)TEST_VA,
                         TEST_BYTES - 1,
                         REG_FIELD(BUF_WORD2, STRIDE, stride),
                         0x688 << 0,
                         0,
                         0,
                         0,
                         REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER) };
   const struct td_fetch fetch = {
      .format = cayman_format[format & 63],
      .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z, SWIZZLE_W },
   };
   struct elements buffer;
   struct td_vtx_bind bind;
   wave_lane index, out[4];
   uint32_t *dst[4] = { out[0], out[1], out[2], out[3] };
   double best = 1e9;

   if (!cayman_decode_buffer(&buffer, words, &space))
      abort();
   td_bind_fetch(&build->kernels, &bind, &fetch, &buffer, 0);
   for (unsigned i = 0; i < 64; i++)
      index[i] = i + 100;
   for (unsigned run = 0; run < 60; run++) {
      double start = now();
      for (unsigned i = 0; i < 1000; i++)
         bind.run(&bind, index, dst, ~UINT64_C(0));
      double ns = (now() - start) / 1000;
      best = ns < best ? ns : best;
   }
   return best;
}

int
main(int argc, char **argv)
{
   const char *only = argc > 1 ? argv[1] : ""; /* rows with a name that starts so */

   static const struct {
      const char *name;
      unsigned format, dim, filter, mip, op, clamp;
      float texels;
      unsigned aniso, compare;
   } cases[] = {
      { "nearest", FMT_8_8_8_8, 1, 0, 0, 16, 0, 1, 0, 0 },
      { "nearest, not turned", FMT_8_8_8_8, 1, 0, 0, 16, 0, -0.6f, 0, 0 },
      { "bilinear", FMT_8_8_8_8, 1, 1, 0, 16, 0, 1, 0, 0 },
      { "bilinear, not turned", FMT_8_8_8_8, 1, 1, 0, 16, 0, -0.6f, 0, 0 },
      { "bilinear, not turned, reduced", FMT_8_8_8_8, 1, 1, 0, 16, 0, -1.4f, 0, 0 },
      { "bilinear, clamp to edge", FMT_8_8_8_8, 1, 1, 0, 16, 2, 1, 0, 0 },
      { "bilinear, SAMPLE_L", FMT_8_8_8_8, 1, 1, 0, 17, 0, 1, 0, 0 },
      { "bilinear, nearest mip", FMT_8_8_8_8, 1, 1, 1, 16, 0, 3, 0, 0 },
      { "trilinear", FMT_8_8_8_8, 1, 1, 2, 16, 0, 1.4f, 0, 0 },
      { "trilinear, not turned", FMT_8_8_8_8, 1, 1, 2, 16, 0, -1.4f, 0, 0 },
      { "trilinear, magnified", FMT_8_8_8_8, 1, 1, 2, 16, 0, 0.5f, 0, 0 },
      { "bilinear R8", FMT_8, 1, 1, 0, 16, 0, 1, 0, 0 },
      { "bilinear 16F", FMT_16_16_16_16_FLOAT, 1, 1, 0, 16, 0, 1, 0, 0 },
      { "bilinear 32F", FMT_32_32_32_32_FLOAT, 1, 1, 0, 16, 0, 1, 0, 0 },
      { "bilinear BC3", FMT_BC3, 1, 1, 0, 16, 0, 1, 0, 0 },
      { "bilinear border", FMT_8_8_8_8, 1, 1, 0, 16, 6, 1, 0, 0 },
      { "trilinear 3D", FMT_8_8_8_8, 2, 1, 2, 16, 0, 1, 0, 0 },
      { "bilinear cube", FMT_8_8_8_8, 3, 1, 0, 16, 2, 1, 0, 0 },
      { "nearest depth compare", FMT_8_24, 1, 0, 0, 24, 2, 1, 0, 3 },
      { "bilinear depth compare", FMT_8_24, 1, 1, 0, 24, 2, 1, 0, 3 },
      { "LD", FMT_8_8_8_8, 1, 0, 0, 3, 0, 1, 0, 0 },
      { "anisotropic 4", FMT_8_8_8_8, 1, 3, 2, 16, 0, 1, 2, 0 },
   };
   /* Each with every filter. */
   static const struct {
      const char *name;
      unsigned format, num_format, comp;
      bool degamma;
   } formats[] = {
      { "8", FMT_8, 0, 0, false },
      { "8 snorm", FMT_8, 0, 1, false },
      { "8_8_8_8", FMT_8_8_8_8, 0, 0, false },
      { "8_8_8_8 snorm", FMT_8_8_8_8, 0, 1, false },
      { "8_8_8_8 sRGB", FMT_8_8_8_8, 0, 0, true },
      { "5_6_5", FMT_5_6_5, 0, 0, false },
      { "16", FMT_16, 0, 0, false },
      { "16_16 snorm", FMT_16_16, 0, 1, false },
      { "16_16_16_16", FMT_16_16_16_16, 0, 0, false },
      { "16_16_16_16 float", FMT_16_16_16_16_FLOAT, 0, 0, false },
      { "10_11_11 float", FMT_10_11_11_FLOAT, 0, 0, false },
      { "5_9_9_9", FMT_5_9_9_9_SHAREDEXP, 0, 0, false },
      { "32 float", FMT_32_FLOAT, 0, 0, false },
      { "32_32_32_32 float", FMT_32_32_32_32_FLOAT, 0, 0, false },
      { "8_24", FMT_8_24, 0, 0, false },
      { "BC1", FMT_BC1, 0, 0, false },
      { "BC3 sRGB", FMT_BC3, 0, 0, true },
      { "BC4", FMT_BC4, 0, 0, false },
      { "BC5 snorm", FMT_BC5, 0, 1, false },
      { "BC6H", FMT_BC6, 0, 0, false },
      { "BC7", FMT_BC7, 0, 0, false },
   };
   static const struct {
      const char *name;
      unsigned format, stride;
   } fetches[] = {
      { "fetch 32_32_32_FLOAT", FMT_32_32_32_FLOAT, 12 },
      { "fetch 32_32_32_FLOAT, stride 32", FMT_32_32_32_FLOAT, 32 },
      { "fetch 32_32_FLOAT", FMT_32_32_FLOAT, 32 },
      { "fetch 32_32_32_32_FLOAT", FMT_32_32_32_32_FLOAT, 16 },
      { "fetch 8_8_8_8", FMT_8_8_8_8, 4 },
      { "fetch 16_16_16_16", FMT_16_16_16_16, 8 },
   };
   struct test_build builds[3];
   unsigned n = test_builds(builds);
   uint32_t seed = 1;

   test_vm_init(&space);
   for (unsigned i = 0; i < TEST_BYTES; i++)
      space.data[i] = (uint8_t)test_random(&seed);
   /* No floats of any size that are NaNs or infinite. */
   for (unsigned i = 0; i < TEST_BYTES; i += 4) {
      uint32_t v;
      memcpy(&v, space.data + i, 4);
      v &= ~(1u << 10 | 1u << 14 | 1u << 21 | 1u << 30 | 1u << 31);
      memcpy(space.data + i, &v, 4);
   }
   printf("%-32s", "ns per 64 lanes");
   for (unsigned b = 0; b < n; b++)
      printf("%9s", builds[b].name);
   printf("\n");
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct test_tex t;
      if (strncmp(cases[i].name, only, strlen(only)) != 0)
         continue;
      test_tex_init(&t);
      t.format = cases[i].format;
      t.dim = cases[i].dim;
      t.width = t.height = cases[i].dim == 1 ? 128 : 32;
      t.depth = cases[i].dim == 2 ? 16 : 1;
      t.last_array = cases[i].dim == 3 ? 5 : 0;
      t.mode = ARRAY_1D_TILED_THIN1;
      t.last_level = cases[i].mip ? 5 : 0;
      t.mag = t.min = cases[i].filter;
      t.mip = cases[i].mip;
      t.truncate = cases[i].filter == 0;
      t.op = cases[i].op;
      t.aniso = cases[i].aniso;
      t.compare = cases[i].compare;
      t.clamp[0] = t.clamp[1] = cases[i].clamp;
      printf("%-32s", cases[i].name);
      for (unsigned b = 0; b < n; b++)
         printf("%9.1f", time_tex(&builds[b], &t, cases[i].texels));
      printf("\n");
   }
   for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
      static const char *const filters[] = { "nearest", "bilinear", "trilinear" };
      if (strncmp("formats", only, strlen(only)) != 0 &&
          strncmp(formats[i].name, only, strlen(only)) != 0)
         continue;
      for (unsigned k = 0; k < 3; k++) {
         struct test_tex t;
         char name[64];
         test_tex_init(&t);
         t.format = formats[i].format;
         t.num_format = formats[i].num_format;
         t.comp = formats[i].comp;
         t.degamma = formats[i].degamma;
         t.width = t.height = 128;
         t.mode = ARRAY_1D_TILED_THIN1;
         t.last_level = k == 2 ? 5 : 0;
         t.mag = t.min = k != 0;
         t.mip = k == 2 ? 2 : 0;
         t.truncate = k == 0;
         t.op = 16;
         snprintf(name, sizeof(name), "%s %s", formats[i].name, filters[k]);
         printf("%-32s", name);
         for (unsigned b = 0; b < n; b++)
            printf("%9.1f", time_tex(&builds[b], &t, k == 2 ? -1.4f : -0.625f));
         printf("\n");
      }
   }
   for (unsigned i = 0; i < 4 && strncmp("neighbours", only, strlen(only)) == 0; i++) {
      printf("%-32s", i == 0   ? "neighbours, nearest"
                      : i == 1 ? "neighbours, nearest, at once"
                      : i == 2 ? "neighbours, bilinear"
                               : "neighbours, bilinear, at once");
      for (unsigned b = 0; b < n; b++)
         printf("%9.1f", time_neighbours(&builds[b], i > 1, i & 1));
      printf("\n");
   }
   for (unsigned mips = 0; mips < 2; mips++) {
      struct test_tex t;
      if (strncmp("bind", only, strlen(only)) != 0)
         continue;
      test_tex_init(&t);
      t.width = t.height = 256;
      t.last_level = mips ? 8 : 0;
      t.mode = ARRAY_1D_TILED_THIN1;
      t.op = 16;
      printf("%-32s", mips ? "bind, 9 levels" : "bind");
      for (unsigned b = 0; b < n; b++)
         printf("%9.1f", time_bind(&builds[b], &t));
      printf("\n");
   }
   for (unsigned i = 0; i < sizeof(fetches) / sizeof(fetches[0]); i++) {
      if (strncmp(fetches[i].name, only, strlen(only)) != 0)
         continue;
      printf("%-32s", fetches[i].name);
      for (unsigned b = 0; b < n; b++)
         printf("%9.1f", time_vtx(&builds[b], fetches[i].format, fetches[i].stride));
      printf("\n");
   }
   return 0;
}
