/* SPDX-License-Identifier: MIT */
/*
 * The driver's format tables: what is exposed, and as what.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipe/p_defines.h"
#include "util/format/u_format.h"

#include <atoll/cayman/enums.h>

#include "driver/format.h"
#include "td/formats.h"

#define UNSUPPORTED 0xFF

/* clang-format off */
static const struct {
   enum pipe_format format;
   uint8_t tex, cb, vtx; /* enum cayman_format */
   uint8_t swap;
} expected[] = {
   { PIPE_FORMAT_R8G8B8A8_UNORM, FMT_8_8_8_8, FMT_8_8_8_8, FMT_8_8_8_8, SWAP_STD },
   { PIPE_FORMAT_B8G8R8A8_UNORM, FMT_8_8_8_8, FMT_8_8_8_8, FMT_8_8_8_8, SWAP_ALT },
   { PIPE_FORMAT_B8G8R8X8_UNORM, FMT_8_8_8_8, FMT_8_8_8_8, FMT_8_8_8_8, SWAP_ALT },
   { PIPE_FORMAT_A8R8G8B8_UNORM, FMT_8_8_8_8, FMT_8_8_8_8, FMT_8_8_8_8, SWAP_ALT_REV },
   { PIPE_FORMAT_A8B8G8R8_UNORM, FMT_8_8_8_8, FMT_8_8_8_8, FMT_8_8_8_8, SWAP_STD_REV },
   { PIPE_FORMAT_B2G3R3_UNORM, FMT_3_3_2, FMT_3_3_2, UNSUPPORTED, SWAP_STD_REV },
   { PIPE_FORMAT_R3G3B2_UNORM, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_B5G6R5_UNORM, FMT_5_6_5, FMT_5_6_5, FMT_5_6_5, SWAP_STD_REV },
   { PIPE_FORMAT_B5G5R5A1_UNORM, FMT_1_5_5_5, FMT_1_5_5_5, FMT_1_5_5_5, SWAP_ALT },
   { PIPE_FORMAT_B4G4R4A4_UNORM, FMT_4_4_4_4, FMT_4_4_4_4, UNSUPPORTED, SWAP_ALT },
   { PIPE_FORMAT_R10G10B10A2_UNORM, FMT_2_10_10_10, FMT_2_10_10_10, FMT_2_10_10_10, SWAP_STD },
   { PIPE_FORMAT_A8_UNORM, FMT_8, FMT_8, FMT_8, SWAP_ALT_REV },
   { PIPE_FORMAT_L8A8_UNORM, FMT_8_8, FMT_8_8, FMT_8_8, SWAP_ALT },
   { PIPE_FORMAT_R8_UNORM, FMT_8, FMT_8, FMT_8, SWAP_STD },
   { PIPE_FORMAT_R16G16_FLOAT, FMT_16_16_FLOAT, FMT_16_16_FLOAT, FMT_16_16_FLOAT, SWAP_STD },
   { PIPE_FORMAT_R32G32B32A32_UINT, FMT_32_32_32_32, FMT_32_32_32_32, FMT_32_32_32_32, SWAP_STD },
   { PIPE_FORMAT_R32G32B32_FLOAT, FMT_32_32_32_FLOAT, FMT_32_32_32_FLOAT, FMT_32_32_32_FLOAT, SWAP_STD },
   { PIPE_FORMAT_R32G32B32_SINT, FMT_32_32_32, FMT_32_32_32, FMT_32_32_32, SWAP_STD },
   { PIPE_FORMAT_R16G16B16_FLOAT, UNSUPPORTED, UNSUPPORTED, FMT_16_16_16_16_FLOAT, 0 },
   { PIPE_FORMAT_R8G8B8_UNORM, UNSUPPORTED, UNSUPPORTED, FMT_8_8_8_8, 0 },
   { PIPE_FORMAT_R11G11B10_FLOAT, FMT_10_11_11_FLOAT, FMT_10_11_11_FLOAT, FMT_10_11_11_FLOAT, SWAP_STD },
   { PIPE_FORMAT_R9G9B9E5_FLOAT, FMT_5_9_9_9_SHAREDEXP, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_DXT5_SRGBA, FMT_BC3, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_BPTC_RGB_FLOAT, FMT_BC6, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_FXT1_RGBA, FMT_FXT1, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_Z16_UNORM, FMT_16, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_Z32_UNORM, FMT_32_FLOAT, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_Z24_UNORM_S8_UINT, FMT_8_24, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_X24S8_UINT, FMT_8, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_R64_FLOAT, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_R32_UNORM, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_R16_SSCALED, UNSUPPORTED, UNSUPPORTED, FMT_16, 0 },
   { PIPE_FORMAT_R32_FIXED, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, 0 },
   { PIPE_FORMAT_YUYV, UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, 0 },
};
/* clang-format on */

static void
known_formats(void **state)
{
   for (unsigned i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
      struct atoll_tex_format tex;
      struct atoll_cb_format cb;
      struct atoll_vtx_format vtx;
      enum pipe_format format = expected[i].format;
      unsigned got_tex = atoll_tex_format(format, &tex) ? tex.format : UNSUPPORTED;
      bool has_cb = atoll_cb_format(format, &cb);
      unsigned got_vtx = atoll_vtx_format(format, &vtx) ? vtx.format : UNSUPPORTED;
      if (got_tex != expected[i].tex || got_vtx != expected[i].vtx ||
          (has_cb ? cb.format : UNSUPPORTED) != expected[i].cb ||
          (has_cb && cb.swap != expected[i].swap))
         fail_msg("%s: texture %u, target %u swap %u, vertex %u", util_format_name(format), got_tex,
                  has_cb ? cb.format : UNSUPPORTED, has_cb ? cb.swap : 0, got_vtx);
   }
}

/* Every function is total, and what is exposed has the size that the hardware format has. */
static void
all_formats(void **state)
{
   static const uint8_t bytes[64] = {
      [FMT_8] = 1,
      [FMT_4_4] = 1,
      [FMT_3_3_2] = 1,
      [FMT_16] = 2,
      [FMT_16_FLOAT] = 2,
      [FMT_8_8] = 2,
      [FMT_5_6_5] = 2,
      [FMT_1_5_5_5] = 2,
      [FMT_4_4_4_4] = 2,
      [FMT_32] = 4,
      [FMT_32_FLOAT] = 4,
      [FMT_16_16] = 4,
      [FMT_16_16_FLOAT] = 4,
      [FMT_8_24] = 4,
      [FMT_2_10_10_10] = 4,
      [FMT_8_8_8_8] = 4,
      [FMT_32_32] = 8,
      [FMT_32_32_FLOAT] = 8,
      [FMT_16_16_16_16] = 8,
      [FMT_16_16_16_16_FLOAT] = 8,
      [FMT_32_32_32] = 12,
      [FMT_32_32_32_FLOAT] = 12,
      [FMT_32_32_32_32] = 16,
      [FMT_32_32_32_32_FLOAT] = 16,
      [FMT_10_11_11_FLOAT] = 4,
      [FMT_5_9_9_9_SHAREDEXP] = 4,
      [FMT_BC1] = 8,
      [FMT_BC2] = 16,
      [FMT_BC3] = 16,
      [FMT_BC4] = 8,
      [FMT_BC5] = 16,
      [FMT_BC6] = 16,
      [FMT_BC7] = 16,
      [FMT_FXT1] = 16,
   };
   for (unsigned f = 1; f < PIPE_FORMAT_COUNT; f++) {
      struct atoll_tex_format tex;
      struct atoll_cb_format cb;
      if (!util_format_description(f))
         continue;
      unsigned size = util_format_get_blocksize(f);
      if (atoll_tex_format(f, &tex) && !util_format_is_depth_or_stencil(f) &&
          bytes[tex.format] != size)
         fail_msg("texture %s has %u bytes, the hardware's %u", util_format_name(f), size,
                  bytes[tex.format]);
      if (atoll_cb_format(f, &cb) && bytes[cb.format] != size)
         fail_msg("target %s has %u bytes, the hardware's %u", util_format_name(f), size,
                  bytes[cb.format]);
   }
}

/* OpenGL's formats of images, and some that are none. */
static void
image_formats(void **state)
{
   static const enum pipe_format images[] = {
      PIPE_FORMAT_R32G32B32A32_FLOAT,
      PIPE_FORMAT_R16G16B16A16_FLOAT,
      PIPE_FORMAT_R32G32_FLOAT,
      PIPE_FORMAT_R16G16_FLOAT,
      PIPE_FORMAT_R11G11B10_FLOAT,
      PIPE_FORMAT_R32_FLOAT,
      PIPE_FORMAT_R16_FLOAT,
      PIPE_FORMAT_R32G32B32A32_UINT,
      PIPE_FORMAT_R16G16B16A16_UINT,
      PIPE_FORMAT_R10G10B10A2_UINT,
      PIPE_FORMAT_R8G8B8A8_UINT,
      PIPE_FORMAT_R32G32_UINT,
      PIPE_FORMAT_R16G16_UINT,
      PIPE_FORMAT_R8G8_UINT,
      PIPE_FORMAT_R32_UINT,
      PIPE_FORMAT_R16_UINT,
      PIPE_FORMAT_R8_UINT,
      PIPE_FORMAT_R32G32B32A32_SINT,
      PIPE_FORMAT_R16G16B16A16_SINT,
      PIPE_FORMAT_R8G8B8A8_SINT,
      PIPE_FORMAT_R32G32_SINT,
      PIPE_FORMAT_R16G16_SINT,
      PIPE_FORMAT_R8G8_SINT,
      PIPE_FORMAT_R32_SINT,
      PIPE_FORMAT_R16_SINT,
      PIPE_FORMAT_R8_SINT,
      PIPE_FORMAT_R16G16B16A16_UNORM,
      PIPE_FORMAT_R10G10B10A2_UNORM,
      PIPE_FORMAT_R8G8B8A8_UNORM,
      PIPE_FORMAT_R16G16_UNORM,
      PIPE_FORMAT_R8G8_UNORM,
      PIPE_FORMAT_R16_UNORM,
      PIPE_FORMAT_R8_UNORM,
      PIPE_FORMAT_R16G16B16A16_SNORM,
      PIPE_FORMAT_R8G8B8A8_SNORM,
      PIPE_FORMAT_R16G16_SNORM,
      PIPE_FORMAT_R8G8_SNORM,
      PIPE_FORMAT_R16_SNORM,
      PIPE_FORMAT_R8_SNORM,
   };
   static const enum pipe_format others[] = {
      PIPE_FORMAT_R9G9B9E5_FLOAT, PIPE_FORMAT_DXT1_RGB,     PIPE_FORMAT_Z32_FLOAT,
      PIPE_FORMAT_S8_UINT,        PIPE_FORMAT_R8G8B8_UNORM,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(images); i++) {
      assert_true(
         atoll_is_format_supported(NULL, images[i], PIPE_TEXTURE_2D, 1, 1, PIPE_BIND_SHADER_IMAGE));
      assert_true(
         atoll_is_format_supported(NULL, images[i], PIPE_BUFFER, 1, 1, PIPE_BIND_SHADER_IMAGE));
      assert_true(
         atoll_is_format_supported(NULL, images[i], PIPE_TEXTURE_2D, 8, 8, PIPE_BIND_SHADER_IMAGE));
      assert_false(atoll_is_format_supported(NULL, images[i], PIPE_TEXTURE_2D, 16, 16,
                                             PIPE_BIND_SHADER_IMAGE));
      assert_false(
         atoll_is_format_supported(NULL, images[i], PIPE_TEXTURE_3D, 4, 4, PIPE_BIND_SHADER_IMAGE));
   }
   for (unsigned i = 0; i < ARRAY_SIZE(others); i++)
      assert_false(
         atoll_is_format_supported(NULL, others[i], PIPE_TEXTURE_2D, 1, 1, PIPE_BIND_SHADER_IMAGE));
}

/* The device's FXT1 against Mesa's, over random blocks of all modes. */
static void
fxt1_texels(void **state)
{
   uint32_t seed = 1;

   for (unsigned n = 0; n < 20000; n++) {
      uint8_t block[16], all[4][8][4];
      for (unsigned b = 0; b < 16; b++) {
         seed = seed * 1664525 + 1013904223;
         block[b] = (uint8_t)(seed >> 24);
      }
      util_format_unpack_rgba_8unorm_rect(PIPE_FORMAT_FXT1_RGBA, &all[0][0][0], sizeof(all[0]),
                                          block, sizeof(block), 8, 4);
      for (unsigned t = 0; t < 32; t++) {
         const uint8_t *want = all[t / 8][t % 8];
         uint32_t c[4];
         td_fxt1_texel(block, t % 8, t / 8, c);
         if (c[0] != want[0] || c[1] != want[1] || c[2] != want[2] || c[3] != want[3])
            fail_msg("block %u, mode %u, texel %u: %u %u %u %u, not %u %u %u %u", n, block[15] >> 5,
                     t, c[0], c[1], c[2], c[3], want[0], want[1], want[2], want[3]);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_formats),
      cmocka_unit_test(all_formats),
      cmocka_unit_test(image_formats),
      cmocka_unit_test(fxt1_texels),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
