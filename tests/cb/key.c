/* SPDX-License-Identifier: MIT */
/*
 * What follows from a target's state: its key in words, what it reads, and which loops may take it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <atoll/cayman/enums.h>

#include "canvas.h"

static struct canvas canvas;

static void
expect(const char *words)
{
   char text[64];

   cb_finish(&canvas.cb);
   cb_key_print(canvas.cb.target[0].key, text, sizeof(text));
   assert_string_equal(text, words);
}

static void
target(unsigned format, unsigned numeric)
{
   canvas_begin(&canvas, format, numeric, NULL);
}

static void
blend(unsigned src, unsigned dst, unsigned op)
{
   canvas.cb.target[0].blend =
      (struct cb_blend){ true,         (uint8_t)src, (uint8_t)dst, (uint8_t)op,
                         (uint8_t)src, (uint8_t)dst, (uint8_t)op };
}

static void
layouts(void **state)
{
   (void)state;
   target(FORMAT_R8G8B8A8, NUMERIC_UNORM), expect("bytes COPY");
   target(FORMAT_R8G8B8A8, NUMERIC_SNORM), expect("any COPY");
   target(FORMAT_R8G8B8A8, NUMERIC_SRGB), expect("any COPY");
   target(FORMAT_R8G8, NUMERIC_UNORM), expect("any COPY");
   target(FORMAT_R16G16B16A16_FLOAT, NUMERIC_FLOAT), expect("halves COPY");
   target(FORMAT_R16G16B16A16, NUMERIC_UNORM), expect("any COPY");
   target(FORMAT_R16G16_FLOAT, NUMERIC_FLOAT), expect("any COPY");
   target(FORMAT_R32_FLOAT, NUMERIC_FLOAT), expect("floats COPY");
   target(FORMAT_R32G32_FLOAT, NUMERIC_FLOAT), expect("floats COPY");
   target(FORMAT_R32G32B32_FLOAT, NUMERIC_FLOAT), expect("any COPY");
   target(FORMAT_R32G32B32A32_FLOAT, NUMERIC_FLOAT), expect("floats COPY");
   target(FORMAT_R32G32, NUMERIC_UINT), expect("any COPY");
   /* A clamp is more than the loops of floats and halves do. */
   target(FORMAT_R16G16B16A16_FLOAT, NUMERIC_FLOAT);
   canvas.cb.target[0].clamp = true;
   expect("any COPY");
   target(FORMAT_R32G32B32A32_FLOAT, NUMERIC_FLOAT);
   canvas.cb.target[0].clamp = true;
   expect("any COPY");
}

static void
rules(void **state)
{
   static const struct {
      unsigned src, dst, op;
      const char *words;
   } rows[] = {
      { FACTOR_ONE, FACTOR_ZERO, BLEND_OP_ADD, "bytes COPY" },
      { FACTOR_ONE, FACTOR_ZERO, BLEND_OP_SUBTRACT, "bytes COPY" },
      { FACTOR_SRC_ALPHA, FACTOR_ONE_MINUS_SRC_ALPHA, BLEND_OP_ADD, "bytes OVER reads" },
      { FACTOR_ONE, FACTOR_ONE_MINUS_SRC_ALPHA, BLEND_OP_ADD, "bytes OVER_PREMULTIPLIED reads" },
      { FACTOR_ONE, FACTOR_ONE, BLEND_OP_ADD, "bytes SUM reads" },
      { FACTOR_SRC_ALPHA, FACTOR_ONE, BLEND_OP_ADD, "bytes WEIGHTED_SUM reads" },
      { FACTOR_ONE, FACTOR_ONE, BLEND_OP_SUBTRACT, "bytes ANY reads" },
      { FACTOR_DST_COLOR, FACTOR_ZERO, BLEND_OP_ADD, "bytes PRODUCT reads" },
      { FACTOR_DST_COLOR, FACTOR_SRC_COLOR, BLEND_OP_ADD, "bytes DOUBLE_PRODUCT reads" },
      /* Extremes take no factors. */
      { FACTOR_ZERO, FACTOR_SRC1_ALPHA, BLEND_OP_MIN, "bytes MIN reads dual" },
      { FACTOR_ZERO, FACTOR_ZERO, BLEND_OP_MAX, "bytes MAX reads" },
      { FACTOR_SRC_ALPHA, FACTOR_ZERO, BLEND_OP_ADD, "bytes ANY" },
      { FACTOR_CONSTANT_COLOR, FACTOR_ZERO, BLEND_OP_ADD, "bytes ANY" },
      { FACTOR_SRC_ALPHA_SATURATE, FACTOR_ZERO, BLEND_OP_ADD, "bytes ANY reads" },
      { FACTOR_SRC1_COLOR, FACTOR_ZERO, BLEND_OP_ADD, "bytes ANY dual" },
      { FACTOR_ONE, FACTOR_ONE_MINUS_SRC1_ALPHA, BLEND_OP_ADD, "bytes ANY reads dual" },
   };

   (void)state;
   for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      target(FORMAT_R8G8B8A8, NUMERIC_UNORM);
      blend(rows[i].src, rows[i].dst, rows[i].op);
      expect(rows[i].words);
   }
   /* Colour and alpha must agree. */
   target(FORMAT_R8G8B8A8, NUMERIC_UNORM);
   blend(FACTOR_ONE, FACTOR_ONE, BLEND_OP_ADD);
   canvas.cb.target[0].blend.dst_alpha = FACTOR_ZERO;
   expect("bytes ANY reads");
}

static void
what_excludes_what(void **state)
{
   (void)state;
   /* Integers are not blended. */
   target(FORMAT_R8G8B8A8, NUMERIC_UINT);
   blend(FACTOR_ONE, FACTOR_ONE, BLEND_OP_ADD);
   expect("any COPY");
   /* A logic operation comes instead of blending, but for floats and sRGB. */
   target(FORMAT_R8G8B8A8, NUMERIC_UNORM);
   blend(FACTOR_ONE, FACTOR_ONE, BLEND_OP_ADD);
   canvas.cb.logic = 6;
   expect("bytes COPY reads logic");
   target(FORMAT_R5G6B5, NUMERIC_UNORM);
   canvas.cb.logic = 6;
   expect("any COPY reads logic");
   target(FORMAT_R16G16B16A16_FLOAT, NUMERIC_FLOAT);
   blend(FACTOR_ONE, FACTOR_ONE, BLEND_OP_ADD);
   canvas.cb.logic = 6;
   expect("halves SUM reads");
   /* A mask reads. */
   target(FORMAT_R8G8B8A8, NUMERIC_UNORM);
   canvas.cb.target[0].write_mask = 7;
   expect("bytes COPY reads");
   assert_int_equal(canvas.cb.target[0].pixel_mask[0], 0x00ffffff);
   /* Components that the format does not have are none to be masked. */
   target(FORMAT_R5G6B5, NUMERIC_UNORM);
   canvas.cb.target[0].write_mask = 7;
   expect("any COPY");
   /* Samples. */
   target(FORMAT_R8G8B8A8, NUMERIC_UNORM);
   canvas.cb.target[0].surface.log2_samples = 2;
   expect("bytes COPY samples");
   assert_true(canvas.cb.four_alike);
   assert_int_equal(canvas.cb.only, 0);
   target(FORMAT_R8G8B8A8, NUMERIC_UNORM);
   expect("bytes COPY");
   assert_false(canvas.cb.four_alike);
   assert_int_equal(canvas.cb.only, 1);
   /* Nothing is written. */
   target(FORMAT_R8G8B8A8, NUMERIC_UNORM);
   canvas.cb.target[0].write_mask = 0;
   cb_finish(&canvas.cb);
   assert_int_equal(canvas.cb.bound, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(layouts),
      cmocka_unit_test(rules),
      cmocka_unit_test(what_excludes_what),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
