/* SPDX-License-Identifier: MIT */
/*
 * The tables from Cayman's enumerations to the pipeline's: each has an entry for every value of its
 * field; every member of the pipeline's enumeration comes from some value, but for those that the
 * chip does not have; and what the field does not name is what the table's comment says.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "chip/cayman/map.h"
#include "isa/cayman/cayman.h"
#include "port/format.h"
#include "port/state.h"
#include "regs.h"
#include "spi/spi.h"
#include "port/tex_op.h"
#include "vgt/tessellator.h"

/* `count` entries of a table for a field of `width` bits: members of an enumeration of `members`.
 * Those of mask `never` come from no value; from `known` values comes anything but `unknown`. */
static void
check(const uint8_t *table, size_t count, unsigned width, unsigned members, uint64_t never,
      unsigned unknown, unsigned known)
{
   uint64_t seen = 0;
   unsigned named = 0;

   assert_int_equal(count, 1u << width);
   for (size_t i = 0; i < count; i++) {
      assert_true(table[i] < members);
      seen |= UINT64_C(1) << table[i];
      named += table[i] != unknown;
   }
   assert_int_equal(seen, ((UINT64_C(1) << members) - 1) & ~never);
   assert_int_equal(named, known);
}

#define CHECK(table, width, members, never, unknown, known) \
   check(table, sizeof(table) / sizeof(table[0]), width, members, never, unknown, known)
#define BIT(n) (UINT64_C(1) << (n))

static void
tables_are_total(void **state)
{
   (void)state;
   /* Triangles are named twice. */
   CHECK(cayman_topology, VGT_PRIMITIVE_TYPE__PRIM_TYPE__WIDTH, TOPOLOGIES, 0, TOPOLOGY_NONE,
         TOPOLOGIES);
   CHECK(cayman_gs_topology, VGT_GS_OUT_PRIM_TYPE__OUTPRIM_TYPE__WIDTH, TOPOLOGIES,
         (BIT(TOPOLOGIES) - 1) & ~(BIT(TOPOLOGY_NONE) | BIT(TOPOLOGY_POINTS) |
                                   BIT(TOPOLOGY_LINE_STRIP) | BIT(TOPOLOGY_TRIANGLE_STRIP)),
         TOPOLOGY_NONE, 3);
   CHECK(cayman_polygon_mode, PA_SU_SC_MODE_CNTL__POLYMODE_FRONT_PTYPE__WIDTH, POLYGON_FILL + 1, 0,
         POLYGON_POINTS, 2);
   CHECK(cayman_tess_domain, VGT_TF_PARAM__TYPE__WIDTH, TESS_DOMAINS + 1, 0, TESS_DOMAINS, 3);
   CHECK(cayman_tess_partitioning, VGT_TF_PARAM__PARTITIONING__WIDTH, TESS_FRACTIONAL_EVEN + 1, 0,
         TESS_INTEGER, 6);
   CHECK(cayman_tess_topology, VGT_TF_PARAM__TOPOLOGY__WIDTH, TESS_TOPOLOGIES + 1, 0,
         TESS_TOPOLOGIES, 4);
   CHECK(cayman_sprite, SPI_INTERP_CONTROL_0__PNT_SPRITE_OVRD_X__WIDTH, SPI_SPRITE_T + 1, 0,
         SPI_SPRITE_NONE, 4);
   CHECK(cayman_test, SX_ALPHA_TEST_CONTROL__ALPHA_FUNC__WIDTH, TEST_ALWAYS + 1, 0, TEST_ALWAYS, 7);
   CHECK(cayman_stencil_op, DB_DEPTH_CONTROL__STENCILFAIL__WIDTH, STENCIL_OP_DECREMENT_WRAP + 1, 0,
         STENCIL_OP_KEEP, 7);
   CHECK(cayman_depth_format, DB_Z_INFO__FORMAT__WIDTH, DEPTH_FLOAT32 + 1, 0, DEPTH_NONE, 3);
   CHECK(cayman_blend_factor, CB_BLEND0_CONTROL__COLOR_SRCBLEND__WIDTH, FACTORS, 0, FACTOR_ZERO,
         FACTORS - 1);
   CHECK(cayman_blend_op, CB_BLEND0_CONTROL__COLOR_COMB_FCN__WIDTH, BLEND_OPS_COUNT, 0,
         BLEND_OP_ADD, 4);
   CHECK(cayman_numeric, CB_COLOR0_INFO__NUMBER_TYPE__WIDTH, NUMERIC_FLOAT + 1, 0, NUMERIC_UNORM,
         7);
   CHECK(cayman_format, TEX_WORD7__DATA_FORMAT__WIDTH, FORMATS, 0, FORMAT_NONE, FORMATS - 1);
   CHECK(cayman_conversion, TEX_WORD4__NUM_FORMAT_ALL__WIDTH, CONVERT_SCALED + 1, 0, CONVERT_NORM,
         2);
   CHECK(cayman_sign, TEX_WORD4__FORMAT_COMP_X__WIDTH, CHANNEL_BIASED + 1, 0, CHANNEL_BIASED, 2);
   CHECK(cayman_byte_swap, TEX_WORD4__ENDIAN_SWAP__WIDTH, BYTE_SWAP_64 + 1, 0, BYTE_SWAP_NONE, 3);
   CHECK(cayman_swizzle, TEX_WORD4__DST_SEL_X__WIDTH, SWIZZLE_NONE + 1, BIT(SWIZZLE_NONE),
         SWIZZLE_0, 5);
   CHECK(cayman_write, TEX_WORD4__DST_SEL_X__WIDTH, SWIZZLE_NONE + 1, 0, SWIZZLE_NONE, 6);
   CHECK(cayman_texture_dim, TEX_WORD0__DIM__WIDTH, TEXTURE_BUFFER + 1, BIT(TEXTURE_BUFFER),
         TEXTURE_1D, 7);
   CHECK(cayman_wrap, SAMPLER_WORD0__CLAMP_X__WIDTH, WRAP_MIRROR_CLAMP_TO_BORDER + 1, 0,
         WRAP_REPEAT, 7);
   CHECK(cayman_filter, SAMPLER_WORD0__XY_MAG_FILTER__WIDTH, FILTER_ANISOTROPIC_LINEAR + 1, 0,
         FILTER_POINT, 3);
   CHECK(cayman_mip_filter, SAMPLER_WORD0__MIP_FILTER__WIDTH, MIP_FILTER_LINEAR + 1, 0,
         MIP_FILTER_POINT, 2);
   CHECK(cayman_slice_filter, SAMPLER_WORD0__Z_FILTER__WIDTH, SLICE_FILTER_LINEAR + 1, 0,
         SLICE_FILTER_SAME, 2);
   CHECK(cayman_reduction, SAMPLER_WORD0__FILTER_MODE__WIDTH, REDUCTION_MAX + 1, 0, REDUCTION_MAX,
         2);
   CHECK(cayman_border, SAMPLER_WORD0__BORDER_COLOR_TYPE__WIDTH, BORDER_CUSTOM + 1, 0,
         BORDER_TRANSPARENT_BLACK, 3);
   CHECK(cayman_td_op, 5, TD_OPS, 0, TD_NOTHING, TD_OPS - 1);
}

/* Some entries by name: an order that is wrong in table and enumeration alike would be total. */
static void
entries(void **state)
{
   (void)state;
   assert_int_equal(cayman_topology[DI_PT_TRIFAN], TOPOLOGY_TRIANGLE_FAN);
   assert_int_equal(cayman_topology[DI_PT_TRISTRIP_ADJ], TOPOLOGY_TRIANGLE_STRIP_ADJACENCY);
   assert_int_equal(cayman_topology[DI_PT_TRI_WITH_WFLAGS], TOPOLOGY_TRIANGLES);
   assert_int_equal(cayman_topology[7], TOPOLOGY_NONE);
   assert_int_equal(cayman_gs_topology[OUTPRIM_TYPE_LINESTRIP], TOPOLOGY_LINE_STRIP);
   assert_int_equal(cayman_polygon_mode[POLYMODE_TRIANGLES], POLYGON_FILL);
   assert_int_equal(cayman_polygon_mode[7], POLYGON_POINTS);
   assert_int_equal(cayman_tess_domain[TESS_QUAD], TESS_DOMAIN_QUAD);
   assert_int_equal(cayman_tess_partitioning[4 | PART_FRAC_ODD], TESS_FRACTIONAL_ODD);
   assert_int_equal(cayman_tess_topology[OUTPUT_TRIANGLE_CCW], TESS_OUT_TRIANGLE_CCW);
   assert_int_equal(cayman_sprite[SPI_PNT_SPRITE_SEL_T], SPI_SPRITE_T);
   assert_int_equal(cayman_sprite[5], SPI_SPRITE_NONE);
   assert_int_equal(cayman_test[COMPARE_GEQUAL], TEST_GREATER_EQUAL);
   assert_int_equal(cayman_stencil_op[STENCIL_DECR_WRAP], STENCIL_OP_DECREMENT_WRAP);
   assert_int_equal(cayman_depth_format[DB_Z_24], DEPTH_UNORM24);
   assert_int_equal(cayman_blend_factor[BLEND_DST_COLOR], FACTOR_DST_COLOR);
   assert_int_equal(cayman_blend_factor[BLEND_INV_SRC1_ALPHA], FACTOR_ONE_MINUS_SRC1_ALPHA);
   assert_int_equal(cayman_blend_factor[31], FACTOR_ZERO);
   assert_int_equal(cayman_blend_op[COMB_DST_MINUS_SRC], BLEND_OP_REVERSE_SUBTRACT);
   assert_int_equal(cayman_numeric[NUMBER_SRGB], NUMERIC_SRGB);
   assert_int_equal(cayman_format[FMT_1_5_5_5], FORMAT_R5G5B5A1);
   assert_int_equal(cayman_format[FMT_FXT1], FORMAT_FXT1);
   assert_int_equal(cayman_format[FMT_CTX1], FORMAT_NONE);
   assert_int_equal(cayman_conversion[SQ_NUM_FORMAT_SCALED], CONVERT_SCALED);
   assert_int_equal(cayman_byte_swap[ENDIAN_8IN64], BYTE_SWAP_64);
   assert_int_equal(cayman_swizzle[SQ_SEL_1], SWIZZLE_1);
   assert_int_equal(cayman_texture_dim[SQ_TEX_DIM_2D_MSAA], TEXTURE_2D_SAMPLES);
   assert_int_equal(cayman_wrap[SQ_TEX_CLAMP_HALF_BORDER], WRAP_CLAMP_TO_HALF_BORDER);
   assert_int_equal(cayman_reduction[SQ_TEX_FILTER_MODE_MIN], REDUCTION_MIN);
   assert_int_equal(cayman_td_op[CAYMAN_TEX_SAMPLE_C_LZ], TD_SAMPLE_C_LZ);
   assert_int_equal(cayman_td_op[CAYMAN_TEX_LD], TD_LD);
   assert_int_equal(cayman_td_op[CAYMAN_TEX_SET_GRADIENTS_H], TD_NOTHING);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_are_total),
      cmocka_unit_test(entries),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
