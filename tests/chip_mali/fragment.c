/* SPDX-License-Identifier: MIT */
/* Frames without primitives: which pixels are written, with what, and what is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../csf/stream.h"
#include "set.h"

#define FRAME     STREAM_BASE
#define PIXELS    (STREAM_BASE + 0x1000)
#define UNTOUCHED 0xcc

static struct stream s;
static uint32_t frame[MALI_WORDS_FRAMEBUFFER], zs[MALI_WORDS_ZS_EXTENSION];
static uint32_t target[MALI_WORDS_RENDER_TARGET];
static char what[MALI_TEXT];

#define FRAME_SET(name, value)  mali_set(frame, MALI_AT_FRAMEBUFFER_##name, value)
#define ZS_SET(name, value)     mali_set(zs, MALI_AT_ZS_EXTENSION_##name, value)
#define TARGET_SET(name, value) mali_set(target, MALI_AT_RENDER_TARGET_##name, value)

/* A frame of one target of RGBA8, linear. */
static void
begin(unsigned width, unsigned height)
{
   assert_true(stream_init(&s));
   memset(frame, 0, sizeof(frame));
   memset(zs, 0, sizeof(zs));
   memset(target, 0, sizeof(target));
   vm_fill(s.vm, PIXELS, UNTOUCHED * 0x01010101u, STREAM_BYTES - 0x1000);
   FRAME_SET(width, width - 1);
   FRAME_SET(height, height - 1);
   FRAME_SET(max_x, width - 1);
   FRAME_SET(max_y, height - 1);
   TARGET_SET(internal, MALI_INTERNAL_r8g8b8a8);
   TARGET_SET(format, MALI_FORMAT_r8g8b8a8);
   TARGET_SET(block, MALI_BLOCK_linear);
   TARGET_SET(swizzle, 0x688);
   TARGET_SET(write, 1);
   TARGET_SET(clean_write, 1);
   TARGET_SET(base, PIXELS);
   TARGET_SET(row_stride, width * 4);
   for (unsigned n = 0; n < 4; n++)
      target[12 + n] = 0x44332211;
}

static enum mali_result
run_box(const struct mali_box *box)
{
   const struct mali_env env = { .vm = s.vm, .budget = &s.budget };
   uint64_t at = FRAME + sizeof(frame);

   vm_write(s.vm, FRAME, frame, sizeof(frame));
   if (mali_field(frame, MALI_AT_FRAMEBUFFER_has_zs)) {
      vm_write(s.vm, at, zs, sizeof(zs));
      at += sizeof(zs);
   }
   vm_write(s.vm, at, target, sizeof(target));
   return mali_fragment(&env, FRAME | 1, box, what);
}

static enum mali_result
run(void)
{
   return run_box(&(struct mali_box){ 0, 0, 0xffff, 0xffff });
}

static uint32_t
word(uint64_t byte)
{
   uint32_t value;

   assert_int_equal(vm_read(s.vm, PIXELS + byte, &value, 4), 4);
   return value;
}

static bool
is_untouched(uint64_t byte)
{
   return word(byte) == UNTOUCHED * 0x01010101u;
}

/* Inside of bounds alone, in the tiles of the box alone. */
static void
linear(void **state)
{
   begin(40, 20);
   FRAME_SET(min_x, 3);
   assert_int_equal(run_box(&(struct mali_box){ 0, 5, 20, 6 }), MALI_DONE);
   for (unsigned y = 0; y < 20; y++)
      for (unsigned x = 0; x < 40; x++) {
         const bool in = x >= 3 && x < 32 && y < 16;

         assert_int_equal(word((y * 40 + x) * 4), in ? 0x44332211 : UNTOUCHED * 0x01010101u);
      }
   stream_finish(&s);
}

static void
u_interleaved(void **state)
{
   static const uint8_t of_row[][2] = { { 0, 1 }, { 3, 2 }, { 12, 13 } }; /* [y][x] */
   bool in[256] = { 0 };

   begin(18, 3);
   TARGET_SET(block, MALI_BLOCK_u_interleaved);
   TARGET_SET(row_stride, 2 * 256 * 4);
   assert_int_equal(run(), MALI_DONE);
   /* The second block has two columns. */
   for (unsigned y = 0; y < 3; y++)
      in[of_row[y][0]] = in[of_row[y][1]] = true;
   for (unsigned n = 0; n < 256; n++)
      assert_int_equal(!is_untouched((256 + n) * 4), in[n]);
   for (unsigned n = 0, count = 0; n < 256; n++) {
      count += !is_untouched(n * 4);
      assert_true(n < 255 || count == 48);
   }
   stream_finish(&s);
}

static void
formats(void **state)
{
   static const struct {
      unsigned internal, format, swizzle;
      uint32_t clear, pixel, mask;
   } rows[] = {
      { MALI_INTERNAL_r8g8b8a8, MALI_FORMAT_r8g8b8a8, 0x60a, 0x44332211, 0x44112233, UINT32_MAX },
      { MALI_INTERNAL_r8g8b8a8, MALI_FORMAT_r8g8b8a8, 0xa88, 0x44332211, 0xff332211, UINT32_MAX },
      { MALI_INTERNAL_r8g8b8a8, MALI_FORMAT_r8g8b8a8, 0x888, 0x44332211, 0x00332211, UINT32_MAX },
      { MALI_INTERNAL_r8g8b8a8, MALI_FORMAT_r8, 3, 0x44332211, 0x44, 0xff },
      { MALI_INTERNAL_r8g8b8a8, MALI_FORMAT_r8g8, 0x688, 0x44332211, 0x2211, 0xffff },
      { MALI_INTERNAL_r10g10b10a2, MALI_FORMAT_r10g10b10a2, 0x688, 0x9abcdef0, 0x9abcdef0,
        UINT32_MAX },
      { MALI_INTERNAL_r10g10b10a2, MALI_FORMAT_a2b10g10r10, 0x688, 2u << 30 | 1u << 20 | 3,
        3u << 22 | 1u << 2 | 2, UINT32_MAX },
      /* Five bits and five of a fraction. */
      { MALI_INTERNAL_r5g6b5a0, MALI_FORMAT_r5g6b5, 0x688,
        (31u << 5 | 7) | (33u << 4 | 9) << 10 | (3u << 5) << 20, 31u | 33u << 5 | 3u << 11,
        0xffff },
      { MALI_INTERNAL_r4g4b4a4, MALI_FORMAT_r4g4b4a4, 0x688, 0xdfcfbfaf, 0xdcba, 0xffff },
      { MALI_INTERNAL_r5g5b5a1, MALI_FORMAT_r5g5b5a1, 0x688, 1u << 31 | 9u << 5, 0x8009, 0xffff },
      { MALI_INTERNAL_raw32, MALI_FORMAT_raw32, 0x688, 0x12345678, 0x12345678, UINT32_MAX },
      { MALI_INTERNAL_raw16, MALI_FORMAT_raw16, 0x688, 0x56785678, 0x5678, 0xffff },
   };

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      begin(1, 1);
      TARGET_SET(internal, rows[n].internal);
      TARGET_SET(format, rows[n].format);
      TARGET_SET(swizzle, rows[n].swizzle);
      target[12] = rows[n].clear;
      assert_int_equal(run(), MALI_DONE);
      assert_int_equal(word(0) & rows[n].mask, rows[n].pixel);
      assert_int_equal(word(0) & ~rows[n].mask, UNTOUCHED * 0x01010101u & ~rows[n].mask);
      stream_finish(&s);
   }
   begin(2, 1);
   TARGET_SET(internal, MALI_INTERNAL_raw128);
   TARGET_SET(format, MALI_FORMAT_raw128);
   for (uint32_t n = 0; n < 4; n++)
      target[12 + n] = n + 1;
   assert_int_equal(run(), MALI_DONE);
   for (uint32_t n = 0; n < 8; n++)
      assert_int_equal(word(4 * n), n % 4 + 1);
   stream_finish(&s);
}

/* Each sample's plane, or one. */
static void
samples(void **state)
{
   begin(1, 1);
   FRAME_SET(samples, 2);
   TARGET_SET(msaa, MALI_MSAA_layered);
   TARGET_SET(surface_stride, 64);
   assert_int_equal(run(), MALI_DONE);
   for (unsigned n = 0; n < 5; n++)
      assert_int_equal(is_untouched(64 * n), n == 4);
   TARGET_SET(msaa, MALI_MSAA_average);
   TARGET_SET(base, PIXELS + 1024);
   assert_int_equal(run(), MALI_DONE);
   assert_false(is_untouched(1024));
   assert_true(is_untouched(1024 + 64));
   stream_finish(&s);
}

static void
depth_stencil(void **state)
{
   const float half = 0.5f;
   uint32_t bits;

   begin(1, 1);
   TARGET_SET(write, 0);
   FRAME_SET(has_zs, 1);
   memcpy(&bits, &half, 4);
   FRAME_SET(z_clear, bits);
   FRAME_SET(s_clear, 0x5a);
   ZS_SET(clean_write, 1);
   ZS_SET(block, MALI_BLOCK_linear);
   ZS_SET(format, MALI_ZS_FORMAT_d24s8);
   ZS_SET(base, PIXELS);
   assert_int_equal(run(), MALI_DONE);
   assert_true(is_untouched(0)); /* neither is written */
   FRAME_SET(z_write, 1);
   assert_int_equal(run(), MALI_DONE);
   assert_int_equal(word(0), (uint32_t)UNTOUCHED << 24 | 0x800000);
   FRAME_SET(s_write, 1);
   FRAME_SET(z_write, 0);
   ZS_SET(base, PIXELS + 4);
   assert_int_equal(run(), MALI_DONE);
   assert_int_equal(word(4), 0x5acccccc);
   /* A stencil of its own. */
   FRAME_SET(z_write, 1);
   ZS_SET(format, MALI_ZS_FORMAT_d32);
   ZS_SET(s_format, MALI_S_FORMAT_s8);
   ZS_SET(s_block, MALI_BLOCK_linear);
   ZS_SET(s_base, PIXELS + 12);
   ZS_SET(base, PIXELS + 8);
   assert_int_equal(run(), MALI_DONE);
   assert_int_equal(word(8), bits);
   assert_int_equal(word(12), 0xcccccc5a);
   ZS_SET(format, MALI_ZS_FORMAT_d24);
   assert_int_equal(run(), MALI_MISSING);
   stream_finish(&s);
}

/* Nothing is written, and a text says why. */
static void
missing(void **state)
{
   static const struct {
      enum mali_field field;
      bool of_frame;
      uint32_t value;
   } rows[] = {
      { MALI_AT_FRAMEBUFFER_post_frame, true, MALI_FRAME_SHADER_always },
      { MALI_AT_FRAMEBUFFER_z_preload, true, 1 },
      { MALI_AT_FRAMEBUFFER_s_preload, true, 1 },
      { MALI_AT_FRAMEBUFFER_downscale, true, 1 },
      { MALI_AT_FRAMEBUFFER_targets, true, 8 },
      { MALI_AT_RENDER_TARGET_block, false, MALI_BLOCK_afbc },
      { MALI_AT_RENDER_TARGET_mode, false, MALI_WRITEBACK_afrc_rgb },
      { MALI_AT_RENDER_TARGET_yuv, false, 1 },
      { MALI_AT_RENDER_TARGET_msaa, false, MALI_MSAA_multiple },
      { MALI_AT_RENDER_TARGET_dithered_clear, false, 1 },
      { MALI_AT_RENDER_TARGET_internal, false, 50 },
      { MALI_AT_RENDER_TARGET_format, false, MALI_FORMAT_r5g6b5 },
      { MALI_AT_RENDER_TARGET_format, false, 31 },
      { MALI_AT_RENDER_TARGET_swizzle, false, 7 },
   };

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      begin(1, 1);
      what[0] = 0;
      mali_set(rows[n].of_frame ? frame : target, rows[n].field, rows[n].value);
      assert_int_equal(run(), MALI_MISSING);
      assert_true(what[0]);
      assert_true(is_untouched(0));
      stream_finish(&s);
   }
   begin(1, 1);
   TARGET_SET(clean_write, 0);
   assert_int_equal(run(), MALI_DONE);
   assert_true(is_untouched(0));
   stream_finish(&s);
}

static void
hostile(void **state)
{
   begin(65536, 65536);
   assert_int_equal(run(), MALI_UNMAPPED);
   TARGET_SET(row_stride, 0);
   FRAME_SET(max_x, 15);
   s.budget = 100;
   assert_int_equal(run(), MALI_EXHAUSTED);
   assert_int_equal(s.budget, 0);
   stream_finish(&s);
   /* What is left of the budget is written, a pixel a unit where each is a run. */
   begin(16, 16);
   TARGET_SET(block, MALI_BLOCK_u_interleaved);
   FRAME_SET(max_y, 14);
   s.budget = 100;
   assert_int_equal(run(), MALI_EXHAUSTED);
   assert_int_equal(s.budget, 0);
   for (unsigned n = 0, count = 0; n < 256; n++) {
      count += !is_untouched(n * 4);
      assert_true(n < 255 || count == 100);
   }
   /* A whole block is one. */
   FRAME_SET(max_y, 15);
   s.budget = 1;
   assert_int_equal(run(), MALI_DONE);
   for (unsigned n = 0; n < 257; n++)
      assert_int_equal(is_untouched(n * 4), n == 256);
   stream_finish(&s);
   begin(1, 1);
   s.budget = 1;
   assert_int_equal(mali_fragment(&(struct mali_env){ .vm = s.vm, .budget = &s.budget },
                                  STREAM_BASE + STREAM_BYTES - 64, &(struct mali_box){ 0, 0, 1, 1 },
                                  what),
                    MALI_UNMAPPED);
   stream_finish(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear),  cmocka_unit_test(u_interleaved), cmocka_unit_test(formats),
      cmocka_unit_test(samples), cmocka_unit_test(depth_stencil), cmocka_unit_test(missing),
      cmocka_unit_test(hostile),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
