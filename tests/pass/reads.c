/* SPDX-License-Identifier: MIT */
/*
 * Whether a texture reaches into a target: it does up to the last byte that its levels' padded
 * rectangles have, and not with one more, since drivers put one after the other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "chip/cayman/descriptors/map.h"
#include "chip/chip.h"
#include "chip/cayman/descriptors/surface.h"
#include "chip/cayman/source.h"
#include "port/format.h"

#define BASE UINT64_C(0x10000000)
#define MIPS UINT64_C(0x40000000)

static const struct surface_case {
   const char *name;
   unsigned format, dim, mode, width, height, depth, last;
} textures[] = {
   { "one level", FMT_8_8_8_8, SQ_TEX_DIM_2D, ARRAY_LINEAR_ALIGNED, 500, 401, 1, 0 },
   { "tiled", FMT_32_32_FLOAT, SQ_TEX_DIM_2D, ARRAY_1D_TILED_THIN1, 500, 400, 1, 0 },
   { "macro tiled", FMT_8_8_8_8, SQ_TEX_DIM_2D, ARRAY_2D_TILED_THIN1, 600, 601, 1, 0 },
   { "levels", FMT_8_8_8_8, SQ_TEX_DIM_2D, ARRAY_1D_TILED_THIN1, 260, 130, 1, 8 },
   { "macro tiled levels", FMT_8, SQ_TEX_DIM_2D, ARRAY_2D_TILED_THIN1, 2000, 2000, 1, 10 },
   { "blocks", FMT_BC1, SQ_TEX_DIM_2D, ARRAY_1D_TILED_THIN1, 256, 256, 1, 8 },
   { "row", FMT_8_8_8_8, SQ_TEX_DIM_1D, ARRAY_LINEAR_ALIGNED, 300, 1, 1, 0 },
   { "volume", FMT_32_FLOAT, SQ_TEX_DIM_3D, ARRAY_1D_TILED_THIN1, 60, 60, 60, 5 },
   { "array", FMT_8_8_8_8, SQ_TEX_DIM_2D_ARRAY, ARRAY_1D_TILED_THIN1, 64, 64, 5, 2 },
   { "cube", FMT_8_8_8_8, SQ_TEX_DIM_CUBEMAP, ARRAY_1D_TILED_THIN1, 64, 64, 1, 6 },
   { "samples", FMT_8_8_8_8, SQ_TEX_DIM_2D_MSAA, ARRAY_1D_TILED_THIN1, 300, 200, 1, 2 },
};

static bool
reads(const uint32_t d[8], uint64_t va, uint64_t size)
{
   return cayman_descriptor_reads(d, chips[CHIP_CAYMAN].pipes, (struct target_range){ va, size });
}

static void
up_to_its_end(void **state)
{
   for (unsigned i = 0; i < sizeof(textures) / sizeof(textures[0]); i++) {
      const struct surface_case *t = &textures[i];
      const struct format_info *f = &format_info[cayman_format[t->format]];
      const bool msaa = t->dim == SQ_TEX_DIM_2D_MSAA;
      const unsigned last = msaa ? 0 : t->last;
      struct surface_level level[SURFACE_MAX_LEVELS];
      struct surface s = {
         .width = t->width,
         .height = t->height,
         .depth = t->dim == SQ_TEX_DIM_3D ? t->depth : 1,
         .layers = t->dim == SQ_TEX_DIM_3D        ? 1
                   : t->dim == SQ_TEX_DIM_CUBEMAP ? 6 * t->depth
                                                  : t->depth,
         .array_mode = (uint8_t)t->mode,
         .bytes = f->bytes,
         .block_w = f->width,
         .block_h = f->height,
         .samples = msaa ? (uint8_t)(1u << t->last) : 1,
      };

      print_message("%s\n", t->name);
      surface_macro_tile(&s, chips[CHIP_CAYMAN].pipes, 0, 0, 0, 3);
      surface_layout(&s, last, level);

      const uint32_t pitch = level[0].pitch * f->width;
      const uint32_t d[8] = {
         REG_FIELD(TEX_WORD0, DIM, t->dim) | REG_FIELD(TEX_WORD0, PITCH, pitch / 8 - 1) |
            REG_FIELD(TEX_WORD0, TEX_WIDTH, t->width - 1),
         REG_FIELD(TEX_WORD1, TEX_HEIGHT, t->height - 1) |
            REG_FIELD(TEX_WORD1, TEX_DEPTH, t->depth - 1) |
            REG_FIELD(TEX_WORD1, ARRAY_MODE, t->mode),
         (uint32_t)(BASE >> 8),
         (uint32_t)(MIPS >> 8),
         0,
         REG_FIELD(TEX_WORD5, LAST_LEVEL, t->last),
         0,
         REG_FIELD(TEX_WORD7, DATA_FORMAT, t->format) | REG_FIELD(TEX_WORD7, NUM_BANKS, 3) |
            REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE),
      };
      const uint64_t end = BASE + level[0].slices * level[0].slice_bytes;
      const uint64_t mips =
         MIPS + level[last].offset + level[last].slices * level[last].slice_bytes;

      assert_false(reads(d, BASE - 4096, 4096));
      assert_true(reads(d, BASE - 4096, 4097));
      assert_true(reads(d, end - 1, 4096));
      assert_false(reads(d, end, 4096));
      assert_false(reads(d, MIPS - 4096, 4096));
      assert_int_equal(reads(d, MIPS, 4096), last != 0);
      assert_int_equal(reads(d, mips - 1, 4096), last != 0);
      assert_false(last && reads(d, mips, 4096));
      assert_false(reads(d, BASE, 0));
   }
}

/* A view of one layer reads beyond what one layer would have. */
static void
view_of_a_layer(void **state)
{
   const uint32_t d[8] = {
      REG_FIELD(TEX_WORD0, DIM, SQ_TEX_DIM_2D) | REG_FIELD(TEX_WORD0, PITCH, 64 / 8 - 1) |
         REG_FIELD(TEX_WORD0, TEX_WIDTH, 63),
      REG_FIELD(TEX_WORD1, TEX_HEIGHT, 63) | REG_FIELD(TEX_WORD1, ARRAY_MODE, ARRAY_1D_TILED_THIN1),
      (uint32_t)(BASE >> 8),
      (uint32_t)(BASE >> 8),
      0,
      REG_FIELD(TEX_WORD5, BASE_ARRAY, 3) | REG_FIELD(TEX_WORD5, LAST_ARRAY, 3),
      0,
      REG_FIELD(TEX_WORD7, DATA_FORMAT, FMT_8_8_8_8) |
         REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE),
   };

   assert_true(reads(d, BASE + 3 * 64 * 64 * 4, 16));
   assert_false(reads(d, BASE + 4 * 64 * 64 * 4, 16));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(up_to_its_end),
      cmocka_unit_test(view_of_a_layer),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
