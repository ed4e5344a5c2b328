/* SPDX-License-Identifier: MIT */
/* Draws: the square of square.h, and what becomes of it where something of it changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SQUARE_CHECK assert_true
#include "square.h"

/* Sets a field of a descriptor in memory. */
static void
change(uint64_t va, enum mali_field field, uint64_t value)
{
   uint32_t words[MALI_WORDS_TILER_CONTEXT];

   vm_read(s.vm, va, words, sizeof(words));
   mali_set(words, field, value);
   put(va, words, sizeof(words));
}
#define CHANGE(va, descriptor, field, value) change(va, MALI_AT_##descriptor##_##field, value)

static enum mali_result
finish_frame(void)
{
   put(FRAME, frame, sizeof(frame));
   put(FRAME + sizeof(frame), target, sizeof(target));
   return finish();
}

static uint32_t
pixel(unsigned x, unsigned y)
{
   uint32_t value;

   assert_int_equal(vm_read(s.vm, PIXELS + (y * SIDE + x) * 4, &value, 4), 4);
   return value;
}

/* All pixels: x from x0 to x1 and y from y0 to y1 have a colour, the others the clear's. */
static void
expect_box(unsigned x0, unsigned y0, unsigned x1, unsigned y1, uint32_t color)
{
   for (unsigned y = 0; y < SIDE; y++)
      for (unsigned x = 0; x < SIDE; x++)
         assert_int_equal(pixel(x, y), x >= x0 && x < x1 && y >= y0 && y < y1 ? color : CLEAR);
}

static void
expect(uint32_t color)
{
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_DONE);
   expect_box(4, 4, 12, 12, color);
}

static void
square(void **state)
{
   begin();
   expect(RED);
   /* The list is the tiler's until another begins. */
   put_vertices(0.5f, 1, green);
   assert_int_equal(finish_frame(), MALI_DONE);
   expect_box(4, 4, 12, 12, GREEN);
   end();
}

static void
indices(void **state)
{
   static const uint8_t bytes[] = { 2, 1, 0, 0xff, 3, 2, 1 };
   static const uint16_t halves[] = { 2, 1, 0, 0xffff, 3, 2, 1 };
   static const uint32_t words[] = { 2, 1, 0, UINT32_MAX, 3, 2, 1 };
   static const struct {
      const void *data;
      unsigned type, size;
   } rows[] = { { bytes, MALI_INDEX_bytes, 1 },
                { halves, MALI_INDEX_halves, 2 },
                { words, MALI_INDEX_words, 4 } };

   for (unsigned n = 0; n < 3; n++) {
      begin();
      put(INDICES, rows[n].data, 7 * rows[n].size);
      PRIMITIVE_SET(index, rows[n].type);
      PRIMITIVE_SET(restart, 1);
      draw.indices = INDICES;
      draw.index_bytes = 7 * rows[n].size;
      draw.count = 7;
      expect(RED);
      end();
   }
   /* Of what lies after the first index, no more than the buffer has; beyond it they are 0. */
   for (unsigned n = 0; n < 2; n++) {
      static const uint8_t own[] = { 9, 9, 0, 1, 2, 3 };
      static const uint16_t wide[] = { 9, 9, 0, 1, 2, 3 };
      const unsigned size = n + 1;

      begin();
      put(INDICES, n ? (const void *)wide : own, 6 * size);
      PRIMITIVE_SET(index, n ? MALI_INDEX_halves : MALI_INDEX_bytes);
      draw.indices = INDICES;
      draw.first_index = 2;
      draw.index_bytes = 6 * size;
      expect(RED);
      draw.index_bytes = 4 * size;
      CHANGE(TILER, TILER_CONTEXT, state, 0);
      assert_int_equal(add(), MALI_DONE);
      assert_int_equal(finish_frame(), MALI_DONE);
      expect_box(0, 0, 0, 0, 0);
      end();
   }
   /* All is of vertex 1, which makes no triangle. */
   begin();
   put(INDICES, (const uint16_t[]){ 0, 0, 0, 0 }, 8);
   PRIMITIVE_SET(index, MALI_INDEX_halves);
   draw.indices = INDICES;
   draw.index_bytes = 8;
   draw.base_vertex = 1;
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_DONE);
   expect_box(0, 0, 0, 0, 0);
   end();
}

static void
limits(void **state)
{
   begin();
   draw.scissor[0] = 6 | 5 << 16;
   draw.scissor[1] = 9 | 20 << 16;
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_DONE);
   expect_box(6, 5, 10, 12, RED);
   end();
   /* Beyond the far bound: cut, or not. */
   begin();
   put_vertices(1.5f, 1, red);
   PRIMITIVE_SET(cull_far, 1);
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_DONE);
   expect_box(0, 0, 0, 0, 0);
   PRIMITIVE_SET(cull_far, 0);
   expect(RED);
   end();
   begin();
   DRAW_SET(cull_back, 1);
   DRAW_SET(front_ccw, 1);
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_DONE);
   const bool back = pixel(5, 5) == CLEAR;
   DRAW_SET(front_ccw, 0);
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_DONE);
   assert_true(back);
   assert_int_equal(pixel(5, 5), RED);
   end();
}

static void
depth(void **state)
{
   begin();
   CHANGE(DEPTH, DEPTH_STENCIL, z_test, MALI_TEST_less);
   CHANGE(DEPTH, DEPTH_STENCIL, z_write, 1);
   assert_int_equal(add(), MALI_DONE);
   /* The same again passes nowhere, and a counter says so. */
   DRAW_SET(occlusion, MALI_OCCLUSION_counter);
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_DONE);
   expect_box(4, 4, 12, 12, RED);
   uint64_t count;
   vm_read(s.vm, COUNTER, &count, sizeof(count));
   assert_int_equal(count, 0);
   end();
   begin();
   DRAW_SET(occlusion, MALI_OCCLUSION_counter);
   expect(RED);
   vm_read(s.vm, COUNTER, &count, sizeof(count));
   assert_int_equal(count, 64);
   DRAW_SET(occlusion, MALI_OCCLUSION_predicate);
   put(COUNTER, &(uint64_t){ 0 }, 8);
   CHANGE(TILER, TILER_CONTEXT, state, 0);
   expect(RED);
   vm_read(s.vm, COUNTER, &count, sizeof(count));
   assert_int_equal(count, 1);
   end();
   begin();
   CHANGE(DEPTH, DEPTH_STENCIL, s_test, 1);
   CHANGE(DEPTH, DEPTH_STENCIL, front, MALI_TEST_never);
   CHANGE(DEPTH, DEPTH_STENCIL, back, MALI_TEST_never);
   CHANGE(DEPTH, DEPTH_STENCIL, front_mask, 0xff);
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_DONE);
   expect_box(0, 0, 0, 0, 0);
   end();
}

/* A second target, of which the square is opaque, and its constant 0. */
static void
put_opaque_target(void)
{
   uint32_t second[MALI_WORDS_RENDER_TARGET], words[MALI_WORDS_BLEND];

   memcpy(second, target, sizeof(second));
   mali_set(second, MALI_AT_RENDER_TARGET_base, BLOCK);
   put(FRAME + sizeof(frame) + sizeof(target), second, sizeof(second));
   vm_read(s.vm, BLEND, words, sizeof(words));
   mali_set(words, MALI_AT_BLEND_mode, MALI_BLEND_opaque);
   mali_set(words, MALI_AT_BLEND_constant, 0);
   mali_set(words, MALI_AT_BLEND_target, 1);
   put(BLEND + 16, words, sizeof(words));
   FRAME_SET(targets, 1);
   draw.blends = BLEND | 2;
   DRAW_SET(target_mask, 3);
}

/* a + b * c, by rows: the word, and what it makes of 1, 0, 0, 1/2 over 0x44332211. */
static void
blending(void **state)
{
#define FUNCTION(a, na, b, nb, c, ic)                                      \
   (MALI_OPERAND_A_##a | (na) << 3 | MALI_OPERAND_B_##b << 4 | (nb) << 7 | \
    MALI_OPERAND_C_##c << 8 | (ic) << 11)
   static const struct {
      unsigned function;
      uint32_t color;
   } rows[] = {
      { FUNCTION(source, 0, source, 0, zero, 0), 0x800000ff },             /* s */
      { FUNCTION(target, 0, source, 0, zero, 1), 0xc43322ff },             /* d + s */
      { FUNCTION(target, 0, difference, 0, source_alpha, 0), 0x62191188 }, /* s a + d (1 - a) */
      { FUNCTION(zero, 0, target, 0, zero, 1), CLEAR },                    /* d */
      { FUNCTION(source, 0, target, 1, zero, 1), 0x3c0000ee },             /* s - d */
   };
   static const float half_red[4] = { 1, 0, 0, 128.0f / 255 };

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      begin();
      put_vertices(0.5f, 1, half_red);
      CHANGE(BLEND, BLEND, mode, MALI_BLEND_fixed_function);
      CHANGE(BLEND, BLEND, rgb, rows[n].function);
      CHANGE(BLEND, BLEND, alpha, rows[n].function);
      assert_int_equal(add(), MALI_DONE);
      assert_int_equal(finish_frame(), MALI_DONE);
      for (unsigned c = 0; c < 4; c++)
         assert_in_range(pixel(5, 5) >> 8 * c & 0xff,
                         (rows[n].color >> 8 * c & 0xff) - ((rows[n].color >> 8 * c & 0xff) > 0),
                         (rows[n].color >> 8 * c & 0xff) + 1);
      end();
   }
   /* The constant is the first target's, whatever an opaque one has; there is one for all. */
   begin();
   CHANGE(BLEND, BLEND, mode, MALI_BLEND_fixed_function);
   CHANGE(BLEND, BLEND, rgb, FUNCTION(zero, 0, source, 0, constant, 0));
   CHANGE(BLEND, BLEND, alpha, FUNCTION(source, 0, source, 0, zero, 0));
   CHANGE(BLEND, BLEND, constant, 0x4000);
   put_opaque_target();
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_DONE);
   assert_int_equal(pixel(5, 5), 0xff000040);
   CHANGE(BLEND + 16, BLEND, mode, MALI_BLEND_fixed_function);
   CHANGE(BLEND + 16, BLEND, rgb, FUNCTION(zero, 0, source, 0, constant, 0));
   CHANGE(BLEND + 16, BLEND, alpha, FUNCTION(source, 0, source, 0, zero, 0));
   assert_int_equal(finish_frame(), MALI_MISSING);
   assert_true(strstr(text, "constants") != NULL);
   CHANGE(BLEND + 16, BLEND, constant, 0x4000);
   assert_int_equal(finish_frame(), MALI_DONE);
   end();
   /* It is of as many bits as the target's first component: 16 of 31. */
   begin();
   TARGET_SET(internal, MALI_INTERNAL_r5g6b5a0);
   TARGET_SET(format, MALI_FORMAT_r5g6b5);
   CHANGE(BLEND, BLEND, mode, MALI_BLEND_fixed_function);
   CHANGE(BLEND, BLEND, rgb, FUNCTION(zero, 0, source, 0, constant, 0));
   CHANGE(BLEND, BLEND, alpha, FUNCTION(source, 0, source, 0, zero, 0));
   CHANGE(BLEND, BLEND, constant, 16 << 11);
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_DONE);
   uint16_t small;
   vm_read(s.vm, PIXELS + 5 * SIDE * 4 + 5 * 2, &small, sizeof(small));
   assert_int_equal(small, 16);
   end();
   begin();
   CHANGE(BLEND, BLEND, mask, 5);
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_DONE);
   assert_int_equal(pixel(5, 5), 0x440022ff);
   end();
   begin();
   CHANGE(BLEND, BLEND, mode, MALI_BLEND_fixed_function);
   CHANGE(BLEND, BLEND, rgb, FUNCTION(source, 0, source, 0, source_twice, 0));
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_MISSING);
   assert_true(strstr(text, "blending") != NULL);
   end();
#undef FUNCTION
}

static const char sampling[] =
   "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store.wait0 @r0:r1:r2:r3, r61, index:0x0\n"
   "TEX_SINGLE.slot0.f.32.2d.zero.wait0 @r4:r5:r6:r7, @r0:r1, u0\n"
   "ATEST.wait0 @r60, r60, 0x3F800000, 0x0\n"
   "BLEND.slot0.v4.f32.end @r4:r5:r6:r7, blend_descriptor_0.w0, r60, target:0x0\n";

static void
begin_textured(const char *source, const float at[4])
{
   static const uint32_t texels[4] = { RED, GREEN, 0xff123456, 0xffffffff };
   /* Table 4, texture 0; table 3, sampler 0. */
   const uint32_t handle[2] = { 4u << 27 | 3u << 11, 0 };
   uint32_t words[8] = { MALI_TYPE_texture };

   begin();
   program(2, 32, source);
   put_vertices(0.5f, 1, at);
   put(TEXELS, texels, sizeof(texels));
   put(UNIFORMS, handle, sizeof(handle));
   draw.fragment.uniforms = UNIFORMS | UINT64_C(1) << 56;
   mali_set(words, MALI_AT_TEXTURE_dimension, MALI_DIMENSION_two);
   mali_set(words, MALI_AT_TEXTURE_format, 187 << 12);
   mali_set(words, MALI_AT_TEXTURE_width, 1);
   mali_set(words, MALI_AT_TEXTURE_height, 1);
   mali_set(words, MALI_AT_TEXTURE_swizzle, 0x688);
   mali_set(words, MALI_AT_TEXTURE_surfaces, PLANE);
   put(TEXTURE, words, sizeof(words));
   memset(words, 0, sizeof(words));
   mali_set(words, MALI_AT_PLANE_type, MALI_TYPE_plane);
   mali_set(words, MALI_AT_PLANE_kind, MALI_PLANE_generic);
   mali_set(words, MALI_AT_PLANE_order, MALI_BLOCK_linear);
   mali_set(words, MALI_AT_PLANE_clump, MALI_CLUMP_raw32);
   mali_set(words, MALI_AT_PLANE_address, TEXELS);
   mali_set(words, MALI_AT_PLANE_row_stride, 8);
   put(PLANE, words, sizeof(words));
   memset(words, 0, sizeof(words));
   mali_set(words, MALI_AT_SAMPLER_type, MALI_TYPE_sampler);
   mali_set(words, MALI_AT_SAMPLER_wrap_s, MALI_WRAP_edge);
   mali_set(words, MALI_AT_SAMPLER_wrap_t, MALI_WRAP_edge);
   mali_set(words, MALI_AT_SAMPLER_wrap_r, MALI_WRAP_edge);
   mali_set(words, MALI_AT_SAMPLER_min_nearest, 1);
   mali_set(words, MALI_AT_SAMPLER_mag_nearest, 1);
   mali_set(words, MALI_AT_SAMPLER_mip, MALI_MIP_none);
   mali_set(words, MALI_AT_SAMPLER_normalized, 1);
   put(SAMPLER, words, sizeof(words));
}

static void
textured(void **state)
{
   static const float at[4] = { 0.25f, 0.75f, 0, 0 }; /* texel 0 of row 1 */

   begin_textured(sampling, at);
   expect(0xff123456);
   /* The same by other tables' numbers. */
   put(UNIFORMS, &(uint32_t){ 3u << 27 | 4u << 11 }, 4);
   put(TABLES + 48, (const uint64_t[]){ TEXTURE, 32, SAMPLER, 32 }, 32);
   expect(0xff123456);
   put(UNIFORMS, &(uint32_t){ 4u << 27 | 3u << 11 }, 4);
   put(TABLES + 48, (const uint64_t[]){ SAMPLER, 32, TEXTURE, 32 }, 32);
   /* Blue, green, red in memory. */
   CHANGE(TEXTURE, TEXTURE, format, 187 << 12 | 4);
   expect(0xff563412);
   /* In texels, texel 0 of row 0. */
   CHANGE(TEXTURE, TEXTURE, format, 187 << 12);
   CHANGE(SAMPLER, SAMPLER, normalized, 0);
   expect(RED);
   /* Texel 0 of row 1 is number 3 of its block. */
   put(BLOCK + 12, &(uint32_t){ 0xff445566 }, 4);
   CHANGE(PLANE, PLANE, order, MALI_BLOCK_u_interleaved);
   CHANGE(PLANE, PLANE, address, BLOCK);
   CHANGE(SAMPLER, SAMPLER, normalized, 1);
   expect(0xff445566);
   /* Its copy comes off the budget, of which shaders take the rest. */
   for (s.budget = 1; s.budget < 400;) {
      const uint64_t before = s.budget;
      const enum mali_result result = finish_frame();

      assert_true(s.budget < before);
      assert_true(result == MALI_DONE || result == MALI_EXHAUSTED || result == MALI_MISSING);
      s.budget = before + 7;
   }
   s.budget = 1000000;
   CHANGE(TEXTURE, TEXTURE, min_level, 1);
   assert_int_equal(finish_frame(), MALI_MISSING);
   CHANGE(TEXTURE, TEXTURE, min_level, 0);
   CHANGE(PLANE, PLANE, order, MALI_BLOCK_afbc);
   assert_int_equal(finish_frame(), MALI_MISSING);
   assert_true(strstr(text, "neither linear") != NULL);
   end();
}

/* The layer of a lookup is a float, and the nearest counts. */
static void
layered(void **state)
{
   static const float at[4] = { 0.5f, 0.5f, 0.75f, 0 };

   begin_textured("LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store.wait0 @r0:r1:r2:r3, r61, "
                  "index:0x0\n"
                  "TEX_SINGLE.slot0.array_enable.f.32.2d.zero.wait0 @r4:r5:r6:r7, @r0:r1:r2, u0\n"
                  "ATEST.wait0 @r60, r60, 0x3F800000, 0x0\n"
                  "BLEND.slot0.v4.f32.end @r4:r5:r6:r7, blend_descriptor_0.w0, r60, target:0x0\n",
                  at);
   CHANGE(TEXTURE, TEXTURE, width, 0);
   CHANGE(TEXTURE, TEXTURE, height, 0);
   CHANGE(TEXTURE, TEXTURE, layers, 2);
   for (unsigned n = 1; n < 3; n++) {
      uint32_t plane[8];

      vm_read(s.vm, PLANE, plane, sizeof(plane));
      mali_set(plane, MALI_AT_PLANE_address, TEXELS + 8 * n);
      put(PLANES + 32 * n, plane, sizeof(plane));
   }
   uint32_t plane[8];
   vm_read(s.vm, PLANE, plane, sizeof(plane));
   put(PLANES, plane, sizeof(plane));
   CHANGE(TEXTURE, TEXTURE, surfaces, PLANES);
   put(TEXELS + 16, &(uint32_t){ 0xff778899 }, 4);
   expect(0xff123456);
   end();
}

/* What runs before a frame draws all of it, and has its pixel as a varying. */
static void
before(void **state)
{
   uint32_t words[MALI_WORDS_DRAW] = { 0 };

   begin();
   program(2, 32,
           "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store.wait0 "
           "@r0:r1:r2:r3, r61, index:0x0\n"
           "F32_TO_U32.rtz r0, r0\n"
           "F32_TO_U32.rtz r1, r1\n"
           "MOV.i32 r2, 0x0\n"
           "MOV.i32 r3, 0x0\n"
           "BLEND.slot0.v4.u32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n");
   TARGET_SET(internal, MALI_INTERNAL_raw32);
   TARGET_SET(format, MALI_FORMAT_raw32);
   CHANGE(BLEND, BLEND, conversion, 155 << 12);
   mali_set(words, MALI_AT_DRAW_masks, 0x1ffff);
   mali_set(words, MALI_AT_DRAW_flags, MALI_KILL_force_early << 4);
   mali_set(words, MALI_AT_DRAW_max_z, 0x3f800000);
   mali_set(words, MALI_AT_DRAW_depth_stencil, DEPTH);
   mali_set(words, MALI_AT_DRAW_blends, BLEND | 1);
   mali_set(words, MALI_AT_DRAW_resources, TABLES | 5);
   mali_set(words, MALI_AT_DRAW_program, SHADERS + 64);
   put(BEFORE, words, sizeof(words));
   FRAME_SET(pre_frame_0, MALI_FRAME_SHADER_always);
   FRAME_SET(frame_shaders, BEFORE);
   FRAME_SET(tiler, 0);
   assert_int_equal(finish_frame(), MALI_DONE);
   for (unsigned y = 0; y < SIDE; y++)
      for (unsigned x = 0; x < SIDE; x++)
         assert_int_equal(pixel(x, y), x | y << 8);
   end();
}

static void
hostile(void **state)
{
   static const struct {
      uint64_t va;
      enum mali_field field;
      uint64_t value;
      enum mali_result result;
   } rows[] = {
      { SHADERS, MALI_AT_SHADER_PROGRAM_type, MALI_TYPE_plane, MALI_FAULT },
      { SHADERS, MALI_AT_SHADER_PROGRAM_binary, 0x1000, MALI_UNMAPPED },
      { SHADERS + 32, MALI_AT_SHADER_PROGRAM_binary, CODE - 8, MALI_MISSING },
      { SHADERS + 64, MALI_AT_SHADER_PROGRAM_flush, MALI_FLUSH_abrupt, MALI_MISSING },
      { ATTRIBUTE, MALI_AT_ATTRIBUTE_format, 81 << 12, MALI_MISSING },
      { DEPTH, MALI_AT_DEPTH_STENCIL_type, MALI_TYPE_buffer, MALI_FAULT },
      { BLEND, MALI_AT_BLEND_target, 3, MALI_MISSING },
      { BLEND, MALI_AT_BLEND_mode, MALI_BLEND_program, MALI_UNMAPPED },
      { BLEND, MALI_AT_BLEND_alpha_to_one, 1, MALI_MISSING },
   };

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      begin();
      text[0] = 0;
      change(rows[n].va, rows[n].field, rows[n].value);
      assert_int_equal(add(), MALI_DONE);
      assert_int_equal(finish_frame(), rows[n].result);
      assert_true(text[0]);
      assert_int_equal(pixel(5, 5), 0); /* nothing is written */
      end();
   }
   for (unsigned n = 0; n < 2; n++) {
      begin();
      if (n)
         DRAW_SET(invert_alpha, 1);
      else
         PRIMITIVE_SET(size, MALI_SIZE_single);
      assert_int_equal(add(), MALI_DONE);
      assert_int_equal(finish_frame(), MALI_MISSING);
      end();
   }
   /* Three bytes a pixel. */
   begin();
   TARGET_SET(format, MALI_FORMAT_r8g8b8);
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_MISSING);
   end();
   begin();
   CHANGE(TILER, TILER_CONTEXT, state, 77);
   assert_int_equal(add(), MALI_FAULT);
   assert_int_equal(finish_frame(), MALI_FAULT);
   CHANGE(TILER, TILER_CONTEXT, state, 0);
   CHANGE(TILER, TILER_CONTEXT, layers, 1);
   assert_int_equal(add(), MALI_MISSING);
   end();
   /* More pixels than a tile buffer may have. */
   begin();
   FRAME_SET(width, 65535);
   FRAME_SET(height, 65535);
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_MISSING);
   end();
   /* Each draw costs, and each descriptor of a table. */
   begin();
   s.budget = 1; /* the tile buffer's */
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_EXHAUSTED);
   assert_true(strstr(text, "draws") != NULL);
   s.budget = 4;
   assert_int_equal(finish_frame(), MALI_EXHAUSTED);
   assert_true(strstr(text, "textures") != NULL);
   end();
   /* A program that does not end. */
   begin();
   program(2, 32, "BRANCHZ.eq 0x0, offset:-1\n");
   s.budget = 2000;
   assert_int_equal(add(), MALI_DONE);
   assert_int_equal(finish_frame(), MALI_EXHAUSTED);
   end();
}

/* So many lists, of which the oldest goes. */
static void
lists(void **state)
{
   begin();
   assert_int_equal(add(), MALI_DONE);
   uint64_t first;
   vm_read(s.vm, TILER + 4 * (MALI_AT_TILER_CONTEXT_state >> 16), &first, sizeof(first));
   for (unsigned n = 0; n < 64; n++) {
      CHANGE(TILER, TILER_CONTEXT, state, 0);
      assert_int_equal(add(), MALI_DONE);
   }
   assert_int_equal(finish_frame(), MALI_DONE);
   CHANGE(TILER, TILER_CONTEXT, state, first);
   assert_int_equal(finish_frame(), MALI_FAULT);
   end();
}

static int
begin_all(void **state)
{
   make_gfx(2);
   return 0;
}

static int
drop_gfx(void **state)
{
   gfx_destroy(gfx);
   mali_rows_destroy(rows);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(square),  cmocka_unit_test(indices),  cmocka_unit_test(limits),
      cmocka_unit_test(depth),   cmocka_unit_test(blending), cmocka_unit_test(textured),
      cmocka_unit_test(layered), cmocka_unit_test(before),   cmocka_unit_test(hostile),
      cmocka_unit_test(lists),
   };

   return cmocka_run_group_tests(tests, begin_all, drop_gfx);
}
