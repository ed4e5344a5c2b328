/* SPDX-License-Identifier: MIT */
/*
 * The driver's texture layout against the one that the device computes from a descriptor: the
 * hardware finds level 2 and beyond by itself, so any difference is a wrong texel.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "util/format/u_format.h"

#include "driver/screen.h"
#include "chip/cayman/descriptors/surface.h"

static uint32_t
next(uint32_t *seed)
{
   *seed = *seed * 1664525 + 1013904223;
   return *seed >> 8;
}

/* A plane of a texture against what the device finds of it. */
static void
compare(const struct atoll_resource *res, const struct atoll_level *levels, unsigned bytes,
        uint64_t size)
{
   const struct pipe_resource *b = &res->base.b;
   struct surface s = {
      .width = b->width0,
      .height = b->height0,
      .depth = b->depth0,
      .layers = b->array_size,
      .align_x =
         atoll_shares_pitches(res) ? surface_plane_align(ARRAY_LINEAR_ALIGNED, b->width0, 0, 0) : 0,
      .array_mode = ARRAY_LINEAR_ALIGNED,
      .bytes = (uint8_t)bytes,
      .block_w = util_format_get_blockwidth(b->format),
      .block_h = util_format_get_blockheight(b->format),
      .samples = 1,
   };
   struct surface_level expected[SURFACE_MAX_LEVELS];

   /* That of two planes without further levels is depth's, which descriptors say. */
   if (res->has_depth && res->has_stencil)
      s.pitch = levels[0].pitch;
   surface_layout(&s, b->last_level, expected);
   for (unsigned l = 0; l <= b->last_level; l++) {
      assert_int_equal(levels[l].pitch, expected[l].pitch);
      assert_int_equal(levels[l].slice_bytes, expected[l].slice_bytes);
      assert_int_equal(levels[l].offset - levels[l ? 1 : 0].offset, expected[l].offset);
      assert_int_equal(levels[l].offset % 256, 0);
      assert_true(levels[l].offset + levels[l].slice_bytes * levels[l].slices <= size);
   }
}

static void
random_textures(void **state)
{
   static const enum pipe_format formats[] = {
      PIPE_FORMAT_R8_UNORM,
      PIPE_FORMAT_R16_UNORM,
      PIPE_FORMAT_R8G8B8A8_UNORM,
      PIPE_FORMAT_R32G32_FLOAT,
      PIPE_FORMAT_R32G32B32A32_FLOAT,
      PIPE_FORMAT_DXT1_RGBA,
      PIPE_FORMAT_DXT5_RGBA,
      PIPE_FORMAT_Z16_UNORM,
      PIPE_FORMAT_Z24X8_UNORM,
      PIPE_FORMAT_Z32_UNORM,
      PIPE_FORMAT_Z32_FLOAT,
      PIPE_FORMAT_R32G32B32_FLOAT,
      PIPE_FORMAT_Z24_UNORM_S8_UINT,
      PIPE_FORMAT_S8_UINT,
      PIPE_FORMAT_Z32_FLOAT_S8X24_UINT,
   };
   static const enum pipe_texture_target targets[] = {
      PIPE_TEXTURE_2D,
      PIPE_TEXTURE_3D,
      PIPE_TEXTURE_CUBE,
      PIPE_TEXTURE_2D_ARRAY,
   };
   uint32_t seed = 1;

   for (unsigned n = 0; n < 20000; n++) {
      struct atoll_resource res = { 0 };
      struct pipe_resource *b = &res.base.b;
      b->format = formats[next(&seed) % (sizeof(formats) / sizeof(formats[0]))];
      b->target = targets[next(&seed) % 4];
      b->width0 = 1 + next(&seed) % 600;
      b->height0 = b->target == PIPE_TEXTURE_CUBE ? b->width0 : 1 + next(&seed) % 600;
      b->depth0 = b->target == PIPE_TEXTURE_3D ? 1 + next(&seed) % 40 : 1;
      b->array_size = b->target == PIPE_TEXTURE_CUBE       ? 6
                      : b->target == PIPE_TEXTURE_2D_ARRAY ? 1 + next(&seed) % 20
                                                           : 1;
      unsigned max = b->width0 > b->height0 ? b->width0 : b->height0;
      unsigned levels = 0;
      while (max >> (levels + 1))
         levels++;
      b->last_level = next(&seed) % (levels + 1);
      uint64_t size = atoll_layout(&res, 0);

      if (!res.has_stencil || res.has_depth)
         compare(&res, res.level, res.block_bytes, size);
      if (res.has_stencil)
         compare(&res, res.stencil, 1, size);
   }
}

/* DB programs one pitch for both planes, and they must not overlap. */
static void
depth_stencil(void **state)
{
   struct atoll_resource res = { 0 };
   struct pipe_resource *b = &res.base.b;
   b->format = PIPE_FORMAT_Z24_UNORM_S8_UINT;
   b->target = PIPE_TEXTURE_2D;
   b->width0 = 100;
   b->height0 = 70;
   b->depth0 = b->array_size = 1;
   b->last_level = 6;
   uint64_t size = atoll_layout(&res, 0);
   assert_true(res.has_depth && res.has_stencil);
   for (unsigned l = 0; l <= 6; l++) {
      assert_int_equal(res.level[l].pitch, res.stencil[l].pitch);
      assert_int_equal(res.level[l].pitch, 256);
      assert_int_equal(res.stencil[l].offset % 256, 0);
      assert_true(res.stencil[l].offset >= res.level[6].offset + res.level[6].slice_bytes);
      assert_true(res.stencil[l].offset + res.stencil[l].slice_bytes <= size);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_textures),
      cmocka_unit_test(depth_stencil),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
