/* SPDX-License-Identifier: MIT */
/*
 * ATOLL_DEBUG=td: one line for each lookup, with the sampler that it got, or why the general one is
 * all there is.
 */
#include "harness.h"

#include <unistd.h>

static struct vm space;
static int text; /* a file */

/* What binding prints. */
static const char *
line_of(const struct test_build *build, const struct test_tex *t)
{
   static char line[200];
   struct test_words w;
   struct td_tex_bind bind;
   const int old = dup(2);

   lseek(text, 0, SEEK_SET);
   assert_int_equal(ftruncate(text, 0), 0);
   test_tex_words(t, &space, &w);
   fflush(stderr);
   dup2(text, 2);
   cayman_bind_tex(&build->kernels, &bind, &w.lookup, &w.view);
   fflush(stderr);
   dup2(old, 2);
   close(old);
   memset(line, 0, sizeof(line));
   assert_true(pread(text, line, sizeof(line) - 1, 0) >= 0);
   return line;
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
                          "repeat: general (it compares)\n");
      t.op = 16;
      t.dim = SQ_TEX_DIM_CUBEMAP;
      assert_string_equal(line_of(&builds[b], &t),
                          "td: CUBE R16G16B16A16_FLOAT, linear linear mip-linear, wrap repeat "
                          "repeat: general (neither 2D nor 3D)\n");
      t.dim = SQ_TEX_DIM_3D;
      assert_string_equal(line_of(&builds[b], &t),
                          "td: 3D R16G16B16A16_FLOAT, linear linear mip-linear, wrap repeat "
                          "repeat: general (a volume of several levels)\n");
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

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(choices) };

   setenv("ATOLL_DEBUG", "td", 1);
   text = fileno(tmpfile());
   test_vm_init(&space);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
