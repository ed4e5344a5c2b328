/* SPDX-License-Identifier: MIT */
/*
 * What Cayman's descriptors say of textures, samplers and buffers: fields of hand-made words as
 * the texture unit's types have them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "chip/cayman/descriptors/texture.h"
#include "chip/chip.h"
#include "port/format.h"
#include "port/state.h"
#include "regs.h"
#include "port/texture.h"

#define BASE UINT64_C(0x123400)
#define MIPS UINT64_C(0x567800)

/* 1000 x 600 texels in rows of 1024, ten levels from one base, swizzled BGR1. */
static const uint32_t plain[8] = {
   REG_FIELD(TEX_WORD0, DIM, SQ_TEX_DIM_2D) | REG_FIELD(TEX_WORD0, PITCH, 1024 / 8 - 1) |
      REG_FIELD(TEX_WORD0, TEX_WIDTH, 999),
   REG_FIELD(TEX_WORD1, TEX_HEIGHT, 599) | REG_FIELD(TEX_WORD1, ARRAY_MODE, ARRAY_LINEAR_ALIGNED),
   BASE >> 8,
   MIPS >> 8,
   REG_FIELD(TEX_WORD4, FORMAT_COMP_Y, SQ_FORMAT_COMP_SIGNED) |
      REG_FIELD(TEX_WORD4, FORMAT_COMP_W, SQ_FORMAT_COMP_UNSIGNED_BIASED) |
      REG_FIELD(TEX_WORD4, NUM_FORMAT_ALL, SQ_NUM_FORMAT_SCALED) |
      REG_FIELD(TEX_WORD4, SRF_MODE_ALL, SRF_MODE_NO_ZERO) |
      REG_FIELD(TEX_WORD4, FORCE_DEGAMMA, 1) | REG_FIELD(TEX_WORD4, ENDIAN_SWAP, ENDIAN_8IN16) |
      REG_FIELD(TEX_WORD4, DST_SEL_X, SQ_SEL_Z) | REG_FIELD(TEX_WORD4, DST_SEL_Y, SQ_SEL_Y) |
      REG_FIELD(TEX_WORD4, DST_SEL_Z, SQ_SEL_X) | REG_FIELD(TEX_WORD4, DST_SEL_W, SQ_SEL_1) |
      REG_FIELD(TEX_WORD4, BASE_LEVEL, 1),
   REG_FIELD(TEX_WORD5, LAST_LEVEL, 9),
   REG_FIELD(TEX_WORD6, MAX_ANISO_RATIO, 3),
   REG_FIELD(TEX_WORD7, DATA_FORMAT, FMT_16_16) | REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE),
};

static const struct vm *const space = (const struct vm *)(const void *)plain; /* never looked at */

static void
texture(void **state)
{
   struct texture t;

   (void)state;
   assert_true(cayman_decode_texture(&t, plain, space, chips[CHIP_CAYMAN].pipes, false));
   assert_ptr_equal(t.vm, space);
   assert_int_equal(t.format, FORMAT_R16G16);
   assert_int_equal(t.conversion, CONVERT_SCALED);
   assert_memory_equal(
      t.sign, ((uint8_t[]){ CHANNEL_UNSIGNED, CHANNEL_SIGNED, CHANNEL_UNSIGNED, CHANNEL_BIASED }),
      4);
   assert_true(t.no_zero && t.srgb);
   assert_int_equal(t.byte_swap, BYTE_SWAP_16);
   assert_memory_equal(t.swizzle, ((uint8_t[]){ SWIZZLE_Z, SWIZZLE_Y, SWIZZLE_X, SWIZZLE_1 }), 4);
   assert_int_equal(t.dim, TEXTURE_2D);
   assert_int_equal(t.width, 1000);
   assert_int_equal(t.height, 600);
   assert_int_equal(t.depth, 1);
   assert_int_equal(t.layers, 1);
   assert_int_equal(t.samples, 1);
   assert_int_equal(t.anisotropy, 3);
   assert_int_equal(t.base_level, 1);
   assert_int_equal(t.last_level, 9);
   /* Level 1 is rounded up to 512 x 512, level 2 to 256 x 256, in rows of whole 64 texels. */
   assert_int_equal(t.level[1].va, MIPS);
   assert_int_equal(t.level[1].pitch, 512 * 4);
   assert_int_equal(t.level[1].slice_bytes, 512 * 512 * 4);
   assert_int_equal(t.level[2].va, MIPS + 512 * 512 * 4);
   assert_int_equal(t.level[9].pitch, 64 * 4);
}

static void
base_level_alone(void **state)
{
   struct texture t;

   (void)state;
   memset(&t, 0xa5, sizeof(t));
   assert_true(cayman_decode_texture(&t, plain, space, chips[CHIP_CAYMAN].pipes, true));
   assert_int_equal(t.base_level, 1);
   assert_int_equal(t.last_level, 1);
   assert_int_equal(t.level[1].va, MIPS);
   assert_int_equal(t.level[2].va, UINT64_C(0xa5a5a5a5a5a5a5a5));
}

/* What counts layers, slices, faces and samples. */
static void
dimensions(void **state)
{
   static const struct {
      unsigned dim, depth, first, last, level;
      unsigned height, slices, first_layer, layers, samples, last_level;
   } cases[] = {
      { SQ_TEX_DIM_1D, 3, 0, 0, 2, 1, 1, 0, 1, 1, 2 },
      { SQ_TEX_DIM_1D_ARRAY, 5, 1, 3, 0, 1, 1, 1, 3, 1, 0 },
      { SQ_TEX_DIM_2D, 1, 0, 0, 3, 600, 1, 0, 1, 1, 3 },
      { SQ_TEX_DIM_2D_ARRAY, 9, 2, 8, 0, 600, 1, 2, 7, 1, 0 },
      { SQ_TEX_DIM_2D_ARRAY, 9, 8, 2, 0, 600, 1, 8, 1, 1, 0 },
      { SQ_TEX_DIM_3D, 7, 2, 4, 1, 600, 7, 0, 1, 1, 1 },
      { SQ_TEX_DIM_CUBEMAP, 2, 6, 10, 0, 600, 1, 6, 6, 1, 0 },
      { SQ_TEX_DIM_2D_MSAA, 1, 0, 0, 2, 600, 1, 0, 1, 4, 0 },
      { SQ_TEX_DIM_2D_ARRAY_MSAA, 4, 1, 2, 15, 600, 1, 1, 2, 16, 0 },
   };

   (void)state;
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      uint32_t w[8];
      struct texture t;

      memcpy(w, plain, sizeof(w));
      w[0] = (w[0] & ~7u) | REG_FIELD(TEX_WORD0, DIM, cases[i].dim);
      w[1] |= REG_FIELD(TEX_WORD1, TEX_DEPTH, cases[i].depth - 1);
      w[4] &= 0x0fffffffu;
      w[5] = REG_FIELD(TEX_WORD5, LAST_LEVEL, cases[i].level) |
             REG_FIELD(TEX_WORD5, BASE_ARRAY, cases[i].first) |
             REG_FIELD(TEX_WORD5, LAST_ARRAY, cases[i].last);
      assert_true(cayman_decode_texture(&t, w, space, chips[CHIP_CAYMAN].pipes, false));
      if (t.height != cases[i].height || t.depth != cases[i].slices ||
          t.first_layer != cases[i].first_layer || t.layers != cases[i].layers ||
          t.samples != cases[i].samples || t.last_level != cases[i].last_level)
         fail_msg("case %u: height %u, depth %u, layers %u from %u, samples %u, last level %u", i,
                  t.height, t.depth, t.layers, t.first_layer, t.samples, t.last_level);
      assert_int_equal(t.level[0].va, BASE);
      assert_int_equal(t.level[0].pitch, 1024 * 4 * t.samples);
   }
}

static void
no_texture(void **state)
{
   uint32_t w[8];
   struct texture t;

   (void)state;
   memcpy(w, plain, sizeof(w));
   w[7] = REG_FIELD(TEX_WORD7, DATA_FORMAT, FMT_16_16);
   assert_false(cayman_decode_texture(&t, w, space, chips[CHIP_CAYMAN].pipes, false));
   w[7] =
      REG_FIELD(TEX_WORD7, DATA_FORMAT, FMT_CTX1) | REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE);
   assert_false(cayman_decode_texture(&t, w, space, chips[CHIP_CAYMAN].pipes, false));
   w[4] = 77;
   w[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
   assert_true(cayman_decode_texture(&t, w, space, chips[CHIP_CAYMAN].pipes, false));
   assert_int_equal(t.dim, TEXTURE_BUFFER);
   assert_int_equal(t.width, 77);
}

static void
sampler(void **state)
{
   static const struct cayman_border_color border = { { 1, 2, 3, 4 } };
   static const struct sampler zeros;
   uint32_t w[3] = {
      REG_FIELD(SAMPLER_WORD0, CLAMP_X, SQ_TEX_MIRROR) |
         REG_FIELD(SAMPLER_WORD0, CLAMP_Y, SQ_TEX_CLAMP_BORDER) |
         REG_FIELD(SAMPLER_WORD0, CLAMP_Z, SQ_TEX_CLAMP_LAST_TEXEL) |
         REG_FIELD(SAMPLER_WORD0, XY_MAG_FILTER, SQ_TEX_XY_FILTER_BILINEAR) |
         REG_FIELD(SAMPLER_WORD0, XY_MIN_FILTER, SQ_TEX_XY_FILTER_ANISO_POINT) |
         REG_FIELD(SAMPLER_WORD0, Z_FILTER, SQ_TEX_Z_FILTER_POINT) |
         REG_FIELD(SAMPLER_WORD0, MIP_FILTER, SQ_TEX_Z_FILTER_LINEAR) |
         REG_FIELD(SAMPLER_WORD0, MAX_ANISO_RATIO, 4) |
         REG_FIELD(SAMPLER_WORD0, BORDER_COLOR_TYPE, SQ_TEX_BORDER_COLOR_REGISTER) |
         REG_FIELD(SAMPLER_WORD0, DEPTH_COMPARE_FUNCTION, COMPARE_GREATER) |
         REG_FIELD(SAMPLER_WORD0, FILTER_MODE, SQ_TEX_FILTER_MODE_MAX),
      REG_FIELD(SAMPLER_WORD1, MIN_LOD, 0x180) | REG_FIELD(SAMPLER_WORD1, MAX_LOD, 0xfff),
      REG_FIELD(SAMPLER_WORD2, LOD_BIAS, 0x3fff) | REG_FIELD(SAMPLER_WORD2, TRUNCATE_COORD, 1) |
         REG_FIELD(SAMPLER_WORD2, DISABLE_CUBE_WRAP, 1),
   };
   const struct sampler expected = {
      .wrap = { WRAP_MIRRORED_REPEAT, WRAP_CLAMP_TO_BORDER, WRAP_CLAMP_TO_EDGE },
      .mag = FILTER_LINEAR,
      .min = FILTER_ANISOTROPIC_POINT,
      .mip = MIP_FILTER_LINEAR,
      .slices = SLICE_FILTER_POINT,
      .anisotropy = 4,
      .compare = TEST_GREATER,
      .reduction = REDUCTION_MAX,
      .border = BORDER_CUSTOM,
      .truncate = true,
      .cube_faces = true,
      .min_lod = 0x180,
      .max_lod = 0xfff,
      .lod_bias = -1,
      .border_color = { 1, 2, 3, 4 },
   };
   struct sampler s;

   (void)state;
   memset(&s, 0, sizeof(s));
   cayman_decode_sampler(&s, w, &border);
   assert_memory_equal(&s, &expected, sizeof(s));
   cayman_decode_sampler(&s, w, NULL);
   assert_memory_equal(s.border_color, zeros.border_color, sizeof(s.border_color));
   memset(&s, 0xa5, sizeof(s));
   cayman_decode_sampler(&s, NULL, &border);
   assert_memory_equal(&s, &zeros, sizeof(s));
}

static void
buffer(void **state)
{
   static const uint32_t w[8] = {
      0x2000,
      0xfff,
      REG_FIELD(BUF_WORD2, BASE_ADDRESS_HI, 1) | REG_FIELD(BUF_WORD2, STRIDE, 24) |
         REG_FIELD(BUF_WORD2, DATA_FORMAT, FMT_8_8_8_8) |
         REG_FIELD(BUF_WORD2, NUM_FORMAT_ALL, SQ_NUM_FORMAT_INT) |
         REG_FIELD(BUF_WORD2, FORMAT_COMP_ALL, 1) | REG_FIELD(BUF_WORD2, ENDIAN_SWAP, ENDIAN_8IN32),
      REG_FIELD(BUF_WORD3, DST_SEL_X, SQ_SEL_W) | REG_FIELD(BUF_WORD3, DST_SEL_Y, SQ_SEL_MASK) |
         REG_FIELD(BUF_WORD3, DST_SEL_Z, SQ_SEL_1) | REG_FIELD(BUF_WORD3, DST_SEL_W, SQ_SEL_X),
      99,
      0,
      0,
      REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER),
   };
   struct elements e;

   (void)state;
   assert_true(cayman_decode_buffer(&e, w, space));
   assert_int_equal(e.format, FORMAT_R8G8B8A8);
   assert_int_equal(e.conversion, CONVERT_INT);
   assert_int_equal(e.sign, CHANNEL_SIGNED);
   assert_false(e.no_zero);
   assert_int_equal(e.byte_swap, BYTE_SWAP_32);
   assert_memory_equal(e.swizzle, ((uint8_t[]){ SWIZZLE_W, SWIZZLE_0, SWIZZLE_1, SWIZZLE_X }), 4);
   assert_int_equal(e.va, UINT64_C(0x100002000));
   assert_int_equal(e.size, 0x1000);
   assert_int_equal(e.stride, 24);
   assert_int_equal(e.count, 99);

   assert_false(cayman_decode_buffer(&e, plain, space));
   assert_false(cayman_decode_buffer(&e, NULL, space));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(texture),    cmocka_unit_test(base_level_alone),
      cmocka_unit_test(dimensions), cmocka_unit_test(no_texture),
      cmocka_unit_test(sampler),    cmocka_unit_test(buffer),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
