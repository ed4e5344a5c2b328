/* SPDX-License-Identifier: MIT */
/*
 * ATOLL_DEBUG=td: one line for each lookup, with the sampler that it got, or why the general one is
 * all there is.
 */
#include "harness.h"

#include <unistd.h>

static struct vm space;
static int text; /* a file */

/* What binding prints, of a texture or of a vertex fetch. */
static const char *
line_printed(const struct test_build *build, const struct test_words *w,
             const struct elements *elements)
{
   static char line[200];
   struct td_tex_bind bind;
   struct td_vtx_bind vtx;
   const int old = dup(2);

   lseek(text, 0, SEEK_SET);
   assert_int_equal(ftruncate(text, 0), 0);
   fflush(stderr);
   dup2(text, 2);
   if (w)
      cayman_bind_tex(&build->kernels, &bind, &w->lookup, &w->view);
   else
      build->kernels.td_bind_vtx(&vtx, elements);
   fflush(stderr);
   dup2(old, 2);
   close(old);
   memset(line, 0, sizeof(line));
   assert_true(pread(text, line, sizeof(line) - 1, 0) >= 0);
   return line;
}

static const char *
line_of(const struct test_build *build, const struct test_tex *t)
{
   struct test_words w;

   test_tex_words(t, &space, &w);
   return line_printed(build, &w, NULL);
}

static void
choices(void **state)
{
   struct test_build builds[3];
   const unsigned num_builds = test_builds(builds);

   for (unsigned b = 0; b < num_builds; b++) {
      struct test_tex t;

      test_tex_init(&t);
      t.op = 16;
      assert_string_equal(line_of(&builds[b], &t),
                          "td: 2D R8G8B8A8, point point, wrap repeat repeat: point BYTES 4 wraps_x "
                          "wraps_y normalized one_level series\n");
      t.mag = t.min = 1;
      t.last_level = 2;
      t.mip = SQ_TEX_Z_FILTER_LINEAR;
      t.clamp[1] = SQ_TEX_CLAMP_LAST_TEXEL;
      assert_string_equal(
         line_of(&builds[b], &t),
         "td: 2D R8G8B8A8, linear linear mip-linear, wrap repeat edge: linear BYTES "
         "4 wraps_x normalized\n");
      t.clamp[1] = SQ_TEX_CLAMP_BORDER;
      assert_string_equal(line_of(&builds[b], &t),
                          "td: 2D R8G8B8A8, linear linear mip-linear, wrap repeat border: general "
                          "(it neither repeats nor clamps to the edge)\n");
      t.clamp[1] = SQ_TEX_WRAP;
      t.format = FMT_16_16_16_16_FLOAT;
      assert_string_equal(line_of(&builds[b], &t),
                          "td: 2D R16G16B16A16_FLOAT, linear linear mip-linear, wrap repeat "
                          "repeat: linear HALF 2 wraps_x wraps_y normalized\n");
      t.op = 24;
      assert_string_equal(line_of(&builds[b], &t),
                          "td: 2D R16G16B16A16_FLOAT, linear linear mip-linear, wrap repeat "
                          "repeat: general (it compares on several levels)\n");
      t.op = 16;
      t.dim = SQ_TEX_DIM_CUBEMAP;
      assert_string_equal(line_of(&builds[b], &t),
                          "td: CUBE R16G16B16A16_FLOAT, linear linear mip-linear, wrap repeat "
                          "repeat: linear HALF 2 wraps_x wraps_y normalized\n");
      t.dim = SQ_TEX_DIM_1D;
      assert_string_equal(line_of(&builds[b], &t),
                          "td: 1D R16G16B16A16_FLOAT, linear linear mip-linear, wrap repeat "
                          "repeat: general (neither 2D nor 3D)\n");
      t.dim = SQ_TEX_DIM_3D;
      assert_string_equal(line_of(&builds[b], &t),
                          "td: 3D R16G16B16A16_FLOAT, linear linear mip-linear, wrap repeat "
                          "repeat: volume HALF 2 wraps_x wraps_y wraps_z normalized\n");
      t.mip = SQ_TEX_Z_FILTER_NONE;
      t.z_filter = SQ_TEX_Z_FILTER_LINEAR;
      assert_string_equal(line_of(&builds[b], &t),
                          "td: 3D R16G16B16A16_FLOAT, linear linear, wrap repeat repeat: "
                          "volume HALF 2 wraps_x wraps_y wraps_z normalized one_level\n");
      t.dim = SQ_TEX_DIM_2D;
      t.format = FMT_BC1;
      t.z_filter = 0;
      assert_string_equal(line_of(&builds[b], &t),
                          "td: 2D BC1, linear linear, wrap repeat repeat: blocks BYTES 4 wraps_x "
                          "wraps_y normalized one_level\n");
   }
}

/* Loads, gathers and elements of buffers. */
static void
others(void **state)
{
   static const struct {
      unsigned op, dim, format;
      const char *line;
   } rows[] = {
      { 3, SQ_TEX_DIM_2D, FMT_8_8_8_8, "td: 2D R8G8B8A8, load: load BYTES 4\n" },
      { 3, SQ_TEX_DIM_2D, FMT_32_32_32_32_FLOAT,
        "td: 2D R32G32B32A32_FLOAT, load: load WORDS 16\n" },
      { 3, SQ_TEX_DIM_2D, FMT_5_6_5, "td: 2D R5G6B5, load: load ANY 2\n" },
      { 3, SQ_TEX_DIM_2D, FMT_BC1, "td: 2D BC1, load: general (texels of blocks)\n" },
      { 3, SQ_TEX_DIM_3D, FMT_8_8_8_8, "td: 3D R8G8B8A8, load: general (not 2D)\n" },
      { 21, SQ_TEX_DIM_2D, FMT_8_8_8_8,
        "td: 2D R8G8B8A8, gather, linear linear, wrap repeat repeat: gather\n" },
      { 29, SQ_TEX_DIM_2D, FMT_8_24,
        "td: 2D R24G8, gather that compares, linear linear, wrap repeat repeat: general (it "
        "compares)\n" },
      { 24, SQ_TEX_DIM_2D, FMT_8_24,
        "td: 2D R24G8, linear linear, wrap repeat repeat: compare UNORM 1 wraps_x wraps_y "
        "normalized one_level\n" },
      { 24, SQ_TEX_DIM_2D, FMT_32_FLOAT,
        "td: 2D R32_FLOAT, linear linear, wrap repeat repeat: compare WORDS 1 wraps_x wraps_y "
        "normalized one_level\n" },
   };
   static const struct {
      unsigned format, stride;
      const char *line;
   } fetches[] = {
      { FORMAT_R32G32_FLOAT, 8, "td: buffer R32G32_FLOAT, stride 8: fetch WORDS 2\n" },
      { FORMAT_R8G8B8A8, 4, "td: buffer R8G8B8A8, stride 4: fetch BYTES 1\n" },
      { FORMAT_R16, 2,
        "td: buffer R16, stride 2: general (elements are not of one to four dwords)\n" },
   };
   struct test_build builds[3];
   const unsigned num_builds = test_builds(builds);

   for (unsigned b = 0; b < num_builds; b++) {
      for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
         struct test_tex t;

         test_tex_init(&t);
         t.op = rows[i].op;
         t.dim = rows[i].dim;
         t.format = rows[i].format;
         t.mag = t.min = 1;
         assert_string_equal(line_of(&builds[b], &t), rows[i].line);
      }
      for (unsigned i = 0; i < sizeof(fetches) / sizeof(fetches[0]); i++) {
         const struct elements elements = { .vm = &space,
                                            .format = fetches[i].format,
                                            .swizzle = { SWIZZLE_X, SWIZZLE_Y, SWIZZLE_Z,
                                                         SWIZZLE_W },
                                            .stride = fetches[i].stride,
                                            .va = TEST_VA,
                                            .size = 4096 };

         assert_string_equal(line_printed(&builds[b], NULL, &elements), fetches[i].line);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(choices), cmocka_unit_test(others) };

   setenv("ATOLL_DEBUG", "td", 1);
   text = fileno(tmpfile());
   test_vm_init(&space);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
