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

#include <atoll/cayman/enums.h>

#include "chip/cayman/map.h"
#include "port/state.h"
#include "regs.h"
#include "spi/spi.h"
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
