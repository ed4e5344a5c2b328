/* SPDX-License-Identifier: MIT */
/*
 * A square of two programs for its vertices and one for its pixels, with the descriptors of all
 * that they read.  SQUARE_CHECK(condition) says what must hold while it is made.
 */
#ifndef TESTS_CHIP_MALI_SQUARE_H
#define TESTS_CHIP_MALI_SQUARE_H

#include <stdlib.h>

#include <atoll/device.h>

#include "../csf/stream.h"
#include "bind/binder.h"
#include "chip/mali/rows.h"
#include "isa/error.h"
#include "isa/valhall/valhall.h"
#include "kernel.h"
#include "pass/pass.h"
#include "set.h"

#define SIDE      16u
#define FRAME     STREAM_BASE
#define TILER     (STREAM_BASE + 0x100)
#define TABLES    (STREAM_BASE + 0x200)
#define BUFFERS   (STREAM_BASE + 0x280)
#define ATTRIBUTE (STREAM_BASE + 0x2c0)
#define SAMPLER   (STREAM_BASE + 0x300)
#define TEXTURE   (STREAM_BASE + 0x320)
#define PLANE     (STREAM_BASE + 0x340)
#define DEPTH     (STREAM_BASE + 0x360)
#define BLEND     (STREAM_BASE + 0x380)
#define SHADERS   (STREAM_BASE + 0x3c0) /* of positions, varyings, pixels */
#define INDICES   (STREAM_BASE + 0x440)
#define COUNTER   (STREAM_BASE + 0x480)
#define TEXELS    (STREAM_BASE + 0x500)
#define UNIFORMS  (STREAM_BASE + 0x540)
#define BEFORE    (STREAM_BASE + 0x580) /* a draw before the frame */
#define VERTICES  (STREAM_BASE + 0x800)
#define CODE      (STREAM_BASE + 0x1000)
#define PIXELS    (STREAM_BASE + 0x2000)
#define BLOCK     (STREAM_BASE + 0x3000)
#define PLANES    (STREAM_BASE + 0x3800)

#define CLEAR 0x44332211u
#define RED   0xff0000ffu
#define GREEN 0xff00ff00u

static struct stream s;
static struct gfx *gfx;
static struct mali_draws *draws;
static struct mali_rows *rows;
static struct mali_draw draw;
static uint32_t frame[MALI_WORDS_FRAMEBUFFER], target[MALI_WORDS_RENDER_TARGET];
static char text[MALI_TEXT];

static void
put(uint64_t va, const void *data, size_t bytes)
{
   SQUARE_CHECK(vm_write(s.vm, va, data, bytes) == bytes);
}

#define FRAME_SET(name, value)     mali_set(frame, MALI_AT_FRAMEBUFFER_##name, value)
#define TARGET_SET(name, value)    mali_set(target, MALI_AT_RENDER_TARGET_##name, value)
#define DRAW_SET(name, value)      mali_set(draw.flags, MALI_AT_DRAW_FLAGS_##name, value)
#define PRIMITIVE_SET(name, value) mali_set(&draw.primitive, MALI_AT_PRIMITIVE_FLAGS_##name, value)

/* A program at a word of the code, and its descriptor, number n. */
static void
program(unsigned n, unsigned word, const char *source)
{
   const uint32_t shader[8] = { MALI_TYPE_shader, 0, (uint32_t)CODE + 8 * word };
   struct isa_error error = { 0 };
   size_t count;
   uint64_t *words = valhall_assemble(source, strlen(source), &count, &error);

   SQUARE_CHECK(words);
   put(CODE + 8 * word, words, count * 8);
   put(SHADERS + 32 * n, shader, sizeof(shader));
   free(words);
}

static const char positions[] = "LD_ATTR_IMM.f32.slot0.v4.wait0 @r4:r5:r6:r7, r60, r61, index:0x0, "
                                "table:0x1\n"
                                "LEA_BUF_IMM.slot0.wait0 @r2:r3, r59, table:0xD, index:0x0\n"
                                "IADD_IMM.i32 r60, 0x0, #0x0\n"
                                "STORE.i128.slot1.end @r4:r5:r6:r7, r2, offset:0\n";
static const char varyings[] = "LD_ATTR_IMM.f32.slot0.v4.wait0 @r4:r5:r6:r7, r60, r61, index:0x1, "
                               "table:0x1\n"
                               "LEA_BUF_IMM.slot0.wait0 @r2:r3, r59, table:0xD, index:0x0\n"
                               "STORE.i128.slot1.end @r4:r5:r6:r7, r2, offset:0\n";
static const char pixels[] = "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store.wait0 "
                             "@r0:r1:r2:r3, r61, index:0x0\n"
                             "ATEST.wait0 @r60, r60, 0x3F800000, 0x0\n"
                             "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, "
                             "target:0x0\n";

static void
put_resources(void)
{
   /* Attributes and their buffers, samplers, textures. */
   const uint64_t tables[10] = { 0, 0, ATTRIBUTE, 64, BUFFERS, 32, SAMPLER, 32, TEXTURE, 32 };
   uint32_t words[8] = { MALI_TYPE_buffer, 4 * 32, (uint32_t)VERTICES };

   put(TABLES, tables, sizeof(tables));
   put(BUFFERS, words, sizeof(words));
   for (unsigned n = 0; n < 2; n++) {
      memset(words, 0, sizeof(words));
      mali_set(words, MALI_AT_ATTRIBUTE_type, MALI_TYPE_attribute);
      mali_set(words, MALI_AT_ATTRIBUTE_kind, MALI_ATTRIBUTE_plain);
      mali_set(words, MALI_AT_ATTRIBUTE_format, 191 << 12);
      mali_set(words, MALI_AT_ATTRIBUTE_table, 2);
      mali_set(words, MALI_AT_ATTRIBUTE_offset, 16 * n);
      mali_set(words, MALI_AT_ATTRIBUTE_stride, 32);
      put(ATTRIBUTE + 32 * n, words, sizeof(words));
   }
}

static void
put_states(void)
{
   uint32_t words[8] = { MALI_TYPE_depth_stencil };

   mali_set(words, MALI_AT_DEPTH_STENCIL_z_test, MALI_TEST_always);
   mali_set(words, MALI_AT_DEPTH_STENCIL_z_source, MALI_Z_SOURCE_fixed_function);
   mali_set(words, MALI_AT_DEPTH_STENCIL_z_clamp, MALI_CLAMP_zero_to_one);
   put(DEPTH, words, sizeof(words));
   memset(words, 0, sizeof(words));
   mali_set(words, MALI_AT_BLEND_enable, 1);
   mali_set(words, MALI_AT_BLEND_mask, 15);
   mali_set(words, MALI_AT_BLEND_mode, MALI_BLEND_opaque);
   mali_set(words, MALI_AT_BLEND_conversion, 237 << 12);
   put(BLEND, words, 16);
}

/* Half of the frame, x and y from 4 to 12, of one colour. */
static void
put_vertices(float z, float w, const float color[4])
{
   static const float corner[4][2] = { { 4, 4 }, { 12, 4 }, { 4, 12 }, { 12, 12 } };

   for (unsigned n = 0; n < 4; n++) {
      const float vertex[8] = { corner[n][0], corner[n][1], z,        1 / w,
                                color[0],     color[1],     color[2], color[3] };

      put(VERTICES + 32 * n, vertex, sizeof(vertex));
   }
}

static const float red[4] = { 1, 0, 0, 1 }, green[4] = { 0, 1, 0, 1 };

static void
begin(void)
{
   const float one = 1;

   SQUARE_CHECK(stream_init(&s));
   s.budget = 1000000;
   draws = mali_draws_create();
   SQUARE_CHECK(draws);
   memset(frame, 0, sizeof(frame));
   memset(target, 0, sizeof(target));
   program(0, 0, positions);
   program(1, 16, varyings);
   program(2, 32, pixels);
   put_resources();
   put_states();
   put_vertices(0.5f, 2, red);
   FRAME_SET(width, SIDE - 1);
   FRAME_SET(height, SIDE - 1);
   FRAME_SET(max_x, SIDE - 1);
   FRAME_SET(max_y, SIDE - 1);
   FRAME_SET(z_internal, MALI_Z_INTERNAL_d24);
   FRAME_SET(z_clear, 0x3f800000);
   FRAME_SET(tiler, TILER);
   TARGET_SET(internal, MALI_INTERNAL_r8g8b8a8);
   TARGET_SET(format, MALI_FORMAT_r8g8b8a8);
   TARGET_SET(block, MALI_BLOCK_linear);
   TARGET_SET(swizzle, 0x688);
   TARGET_SET(write, 1);
   TARGET_SET(base, PIXELS);
   TARGET_SET(row_stride, SIDE * 4);
   for (unsigned n = 0; n < 4; n++)
      target[12 + n] = CLEAR;
   draw = (struct mali_draw){
      .position = { .resources = TABLES | 5, .program = SHADERS },
      .varying = { .resources = TABLES | 5, .program = SHADERS + 32 },
      .fragment = { .resources = TABLES | 5, .program = SHADERS + 64 },
      .count = 4,
      .instances = 1,
      .scissor = { 0, UINT32_MAX },
      .varying_bytes = 16,
      .blends = BLEND | 1,
      .depth_stencil = DEPTH,
      .occlusion = COUNTER,
   };
   memcpy(&draw.max_z, &one, 4);
   memcpy(&draw.size, &one, 4);
   PRIMITIVE_SET(mode, MALI_PRIMITIVE_triangle_strip);
   PRIMITIVE_SET(varyings, 1);
   DRAW_SET(sample_mask, 0xffff);
   DRAW_SET(target_mask, 1);
   DRAW_SET(update, MALI_KILL_weak_early);
}

static void
end(void)
{
   mali_draws_destroy(draws);
   stream_finish(&s);
}

static struct mali_env
env(void)
{
   return (
      struct mali_env){ .vm = s.vm, .budget = &s.budget, .gfx = gfx, .draws = draws, .rows = rows };
}

static enum mali_result
add(void)
{
   const struct mali_env e = env();

   return mali_idvs(&e, TILER, &draw, text);
}

static enum mali_result
finish(void)
{
   const struct mali_env e = env();

   return mali_fragment(&e, FRAME | 1, &(struct mali_box){ 0, 0, 0xffff, 0xffff }, text);
}

/* What draws, for all squares. */
static void
make_gfx(unsigned threads)
{
   const struct gfx_options options = {
      .kernels = kernels_choose(),
      .binder = binder_of(ATOLL_ISA_VALHALL),
      .threads = threads,
   };

   gfx = gfx_create(&options);
   rows = mali_rows_create();
   SQUARE_CHECK(gfx && rows);
}

#endif
