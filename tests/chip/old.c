/* SPDX-License-Identifier: MIT */
/*
 * R600's and R700's registers and descriptors: what they become of Evergreen's, and what the blocks
 * make of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>
#include <atoll/cayman/r600.h>

#include "bind/source.h"
#include "cb/cb.h"
#include "chip/cayman/cayman.h"
#include "chip/cayman/r600.h"
#include "core/core.h"
#include "pa/pa.h"
#include "port/state.h"
#include "sc/sc.h"
#include "spi/spi.h"
#include "vgt/vgt.h"

static struct regs r;

static void
fresh(enum chip_id chip)
{
   memset(&r, 0, sizeof(r));
   r.chip = chip;
}

/* A register is Evergreen's where it is, or elsewhere, or has fields of its own. */
static void
registers(void **state)
{
   (void)state;
   fresh(CHIP_RV770);
   r600_write_context(&r, R_DB_DEPTH_CONTROL, 0x11);
   r600_write_context(&r, 0x28E20 + 4 * 23, 0x22); /* the last of PA_CL_UCP5_W */
   r600_write_context(&r, 0x28614, 0x33);          /* SPI_VS_OUT_ID_0 */
   assert_int_equal(reg(&r, R_DB_DEPTH_CONTROL), 0x11);
   assert_int_equal(reg(&r, R_PA_CL_UCP0_X + 4 * 23), 0x22);
   assert_int_equal(reg(&r, R_SPI_VS_OUT_ID_0), 0x33);
   /* CB_COLOR0_BASE is where Evergreen has DB_Z_INFO, and 0x28A48 is PA_SC_MODE_CNTL_0 there. */
   assert_int_equal(r600_evergreen(R_R600_CB_COLOR0_BASE), 0);
   r600_write_context(&r, R_R600_CB_COLOR0_BASE, 0x44);
   r600_write_context(&r, 0x28A48, 0x55);
   assert_int_equal(reg(&r, R_DB_Z_INFO), 0);
   assert_int_equal(reg(&r, R_PA_SC_MODE_CNTL_0), 0);
   /* No two registers become one. */
   for (uint32_t a = CAYMAN_CONTEXT_BASE; a < CAYMAN_CONTEXT_END; a += 4)
      for (uint32_t b = a + 4; b < CAYMAN_CONTEXT_END && r600_evergreen(a); b += 4)
         assert_int_not_equal(r600_evergreen(a), r600_evergreen(b));
   /* What did not change makes nothing dirty; where constants are is known to be that. */
   r.dirty = 0;
   r600_write_context(&r, 0x28614, 0x33);
   assert_int_equal(r.dirty, 0);
   r600_write_context(&r, R_ALU_CONST_CACHE_PS_0, 1);
   assert_int_equal(r.dirty, REGS_DIRTY_CONSTANTS);
}

static void
targets(void **state)
{
   (void)state;
   for (unsigned each = 0; each < 2; each++) {
      fresh(CHIP_RV770);
      r600_write_context(&r, R_R600_CB_COLOR0_SIZE + 4, 31 | 99u << 10);
      r600_write_context(&r, R_R600_CB_COLOR0_BASE + 4, 0x1234);
      r600_write_context(&r, R_R600_CB_COLOR0_INFO + 4,
                         26u << 2 | 6u << 12 | 2u << 16 | 1u << 20 | 1u << 27);
      r600_write_context(&r, R_R600_CB_BLEND0_CONTROL + 4, 0x00000104);
      r600_write_context(&r, R_R600_CB_BLEND_CONTROL, 0x00000506);
      r600_write_context(&r, R_R600_CB_COLOR_CONTROL,
                         each << 7 | 2u << 8 | 0xccu << 16 | R600_SPECIAL_NORMAL << 4);
      r600_convert(&r);
      assert_int_equal(reg(&r, REG_AT(CB_COLOR0_PITCH, 1)), 31);
      assert_int_equal(reg(&r, REG_AT(CB_COLOR0_SLICE, 1)), 99);
      assert_int_equal(reg(&r, REG_AT(CB_COLOR0_BASE, 1)), 0x1234);
      const uint32_t info = reg(&r, REG_AT(CB_COLOR0_INFO, 1));

      assert_int_equal(REG_FIELD_GET(info, CB_COLOR0_INFO, FORMAT), 26);
      assert_int_equal(REG_FIELD_GET(info, CB_COLOR0_INFO, NUMBER_TYPE), 6);
      assert_int_equal(REG_FIELD_GET(info, CB_COLOR0_INFO, COMP_SWAP), 2);
      assert_int_equal(REG_FIELD_GET(info, CB_COLOR0_INFO, BLEND_CLAMP), 1);
      assert_int_equal(REG_FIELD_GET(info, CB_COLOR0_INFO, SOURCE_FORMAT), EXPORT_4C_16BPC);
      assert_int_equal(REG_FIELD_GET(info, CB_COLOR0_INFO, RAT), 0);
      /* Blending is enabled by a bit a target; R600 has one function for all. */
      assert_int_equal(reg(&r, REG_AT(CB_BLEND0_CONTROL, 0)) >> 30 & 1, 0);
      assert_int_equal(reg(&r, REG_AT(CB_BLEND0_CONTROL, 1)), 1u << 30 | (each ? 0x104 : 0x506));
      assert_int_equal(REG_FIELD_GET(reg(&r, R_CB_COLOR_CONTROL), CB_COLOR_CONTROL, MODE),
                       CB_MODE_NORMAL);
      assert_int_equal(REG_FIELD_GET(reg(&r, R_CB_COLOR_CONTROL), CB_COLOR_CONTROL, ROP3), 0xcc);
   }
}

/* Where targets are resolved, the second is no target of its own. */
static void
resolves(void **state)
{
   (void)state;
   fresh(CHIP_R600);
   for (unsigned n = 0; n < 3; n++) {
      r600_write_context(&r, R_CB_TARGET_MASK, 0xff);
      r600_write_context(&r, R_R600_CB_COLOR_CONTROL,
                         (n == 1 ? R600_SPECIAL_RESOLVE_BOX : R600_SPECIAL_NORMAL) << 4);
      r600_convert(&r);
      assert_int_equal(reg(&r, R_CB_TARGET_MASK), n == 1 ? 0xf : 0xff);
      assert_int_equal(REG_FIELD_GET(reg(&r, R_CB_COLOR_CONTROL), CB_COLOR_CONTROL, MODE),
                       n == 1 ? CB_MODE_RESOLVE : CB_MODE_NORMAL);
   }
   /* Positions in config registers are new state, too. */
   r.dirty = 0;
   r600_write_config(&r, R_R600_PA_SC_AA_SAMPLE_LOCS_4S, 0x1234);
   r600_convert(&r);
   assert_true(r.dirty & REGS_DIRTY_CONTEXT);
}

/* Two, four and eight samples: all pixels alike; the first R600 has them in config registers. */
static void
samples(void **state)
{
   static struct sc_state sc[2];

   (void)state;
   for (unsigned log2 = 1; log2 <= 3; log2++) {
      for (unsigned first = 0; first < 2; first++) {
         static const uint32_t at[4] = { 0, R_R600_PA_SC_AA_SAMPLE_LOCS_2S,
                                         R_R600_PA_SC_AA_SAMPLE_LOCS_4S,
                                         R_R600_PA_SC_AA_SAMPLE_LOCS_8S };
         const uint32_t where = first ? at[log2] : (uint32_t)R_R600_PA_SC_AA_SAMPLE_LOCS;

         fresh(first ? CHIP_R600 : CHIP_RV770);
         r600_write_context(&r, R_EVERGREEN_PA_SC_AA_CONFIG, log2);
         r600_write_context(&r, R_R600_PA_SC_MODE_CNTL, 1 | 1u << 17);
         r600_write_context(&r, 0x28C48, 0x11111111); /* PA_SC_AA_MASK */
         for (unsigned n = 0; n < 2; n++)
            if (first && (!n || log2 == 3))
               r600_write_config(&r, where + 4 * n, n ? 0x57 : 0xfe315aa6);
            else if (!first)
               r600_write_context(&r, where + 4 * n, n ? 0x57 : 0xfe315aa6);
         r600_convert(&r);
         cayman_decode_sc(&sc[first], &r, NULL, 0);
         assert_int_equal(sc[first].log2_samples, log2);
         assert_int_equal(sc[first].log2_iter, log2);
         for (unsigned p = 0; p < 4; p++) {
            assert_int_equal(sc[first].sample_x[p][0], 6);
            assert_int_equal(sc[first].sample_y[p][0], -6);
            assert_int_equal(sc[first].sample_mask[p], 0x11);
            if (log2 == 3)
               assert_int_equal(sc[first].sample_x[p][4], 7);
         }
      }
   }
   /* R600 has scissors of viewports always, R700 where it says so. */
   fresh(CHIP_R600);
   r600_convert(&r);
   r.own_dirty = true;
   r600_convert(&r);
   assert_int_equal(
      REG_FIELD_GET(reg(&r, R_PA_SC_MODE_CNTL_0), PA_SC_MODE_CNTL_0, VPORT_SCISSOR_ENABLE), 1);
   fresh(CHIP_RV770);
   r.own_dirty = true;
   r600_convert(&r);
   assert_int_equal(
      REG_FIELD_GET(reg(&r, R_PA_SC_MODE_CNTL_0), PA_SC_MODE_CNTL_0, VPORT_SCISSOR_ENABLE), 0);
}

static void
stages(void **state)
{
   struct vgt_state vgt;

   (void)state;
   for (unsigned gs = 0; gs < 2; gs++) {
      fresh(CHIP_RV770);
      regs_write(&r, R_VGT_PRIMITIVE_TYPE, 4);
      r600_write_context(&r, R_R600_VGT_GS_MODE, gs ? GS_SCENARIO_G : GS_SCENARIO_A);
      r600_write_context(&r, R_R600_VGT_STRMOUT_EN, 1);
      r600_write_context(&r, R_R600_VGT_STRMOUT_BUFFER_EN, 5);
      r600_convert(&r);
      assert_null(cayman_decode_vgt(&vgt, &r));
      assert_int_equal(vgt.gs, gs);
      assert_false(vgt.tess);
      assert_int_equal(vgt.streams.on, 1);
      assert_int_equal(vgt.streams.buffers, 5);
   }
}

/* Of parameters, position and face have registers among them; flat ones have no barycentrics. */
static void
inputs(void **state)
{
   uint32_t words[SOURCE_INPUT_WORDS];
   struct core_layout layout = { .position = CORE_NO_ROW, .face = CORE_NO_ROW };

   (void)state;
   fresh(CHIP_RV770);
   r600_write_context(&r, R_SPI_INTERP_CONTROL_0,
                      REG_FIELD(SPI_INTERP_CONTROL_0, FLAT_SHADE_ENA, 1));
   r600_write_context(&r, R_SPI_PS_IN_CONTROL_0,
                      REG_FIELD(SPI_PS_IN_CONTROL_0, NUM_INTERP, 10) |
                         REG_FIELD(SPI_PS_IN_CONTROL_0, POSITION_ENA, 1) |
                         REG_FIELD(SPI_PS_IN_CONTROL_0, POSITION_ADDR, 1));
   r600_write_context(&r, REG_AT(SPI_PS_INPUT_CNTL_0, 2),
                      REG_FIELD(SPI_PS_INPUT_CNTL_0, FLAT_SHADE, 1));
   r600_write_context(&r, REG_AT(SPI_PS_INPUT_CNTL_0, 3),
                      REG_FIELD(SPI_PS_INPUT_CNTL_0, SEL_LINEAR, 1));
   r600_write_context(&r, REG_AT(SPI_PS_INPUT_CNTL_0, 9),
                      REG_FIELD(SPI_PS_INPUT_CNTL_0, SEL_CENTROID, 1));
   r600_write_context(&r, 0x28850, 7); /* SQ_PGM_RESOURCES_PS: NUM_GPRS */
   r600_inputs(&r, words);
   assert_int_equal(source_input(words, 0), SOURCE_INPUT_PAIR + CORE_PERSP_CENTER);
   assert_int_equal(source_input(words, 1), SOURCE_INPUT_NONE);
   assert_int_equal(source_input(words, 2), SOURCE_INPUT_FLAT);
   assert_int_equal(source_input(words, 3), SOURCE_INPUT_PAIR + CORE_LINEAR_CENTER);
   assert_int_equal(source_input(words, 9), SOURCE_INPUT_PAIR + CORE_PERSP_CENTROID);
   assert_int_equal(source_input(words, 10), SOURCE_INPUT_NONE);
   cayman_layout(&layout, CORE_PIXEL, &r);
   assert_int_equal(layout.pairs,
                    1u << CORE_PERSP_CENTER | 1u << CORE_LINEAR_CENTER | 1u << CORE_PERSP_CENTROID);
   assert_int_equal(layout.pairs_row, 4 * 7);
   assert_int_equal(layout.position, 4 * 1);
}

static void
resources(void **state)
{
   const uint32_t texture[7] = {
      SQ_TEX_DIM_CUBEMAP | 4u << 3 | 7u << 8 | 63u << 19, /* 2D tiled, pitch 64 */
      63 | 26u << 26,
      0x100,
      0x200,
      0x06881000,
      5 | 5u << 17,
      2u << 30,
   };
   const uint32_t buffer[7] = { 0x1000, 99, 16u << 8 | 3, 0, 0, 0, 3u << 30 };

   (void)state;
   for (unsigned n = 0; n < 2; n++) {
      fresh(n ? CHIP_R600 : CHIP_RV770);
      assert_true(r600_write_resource(&r, R600_RESOURCE_GS + 3, texture));
      assert_true(r600_write_resource(&r, R600_RESOURCE_FS + 2, buffer));
      assert_false(r600_write_resource(&r, R600_RESOURCE_COUNT, buffer));
      const uint32_t *t = r.resource[CAYMAN_RESOURCE_GS + 3];
      const uint32_t *b = r.resource[CAYMAN_RESOURCE_FS + 2];

      assert_int_equal(REG_FIELD_GET(t[0], TEX_WORD0, PITCH), 7);
      assert_int_equal(REG_FIELD_GET(t[0], TEX_WORD0, TEX_WIDTH), 63);
      assert_int_equal(REG_FIELD_GET(t[1], TEX_WORD1, TEX_HEIGHT), 63);
      assert_int_equal(REG_FIELD_GET(t[1], TEX_WORD1, ARRAY_MODE), ARRAY_2D_TILED_THIN1);
      assert_int_equal(t[2], 0x100);
      assert_int_equal(t[3], 0x200);
      assert_int_equal(REG_FIELD_GET(t[5], TEX_WORD5, LAST_LEVEL), 5);
      assert_int_equal(REG_FIELD_GET(t[7], TEX_WORD7, DATA_FORMAT), 26);
      assert_int_equal(REG_FIELD_GET(t[7], TEX_WORD7, EXACT_CUBES), n);
      assert_int_equal(REG_FIELD_GET(t[7], TEX_WORD7, TYPE), SQ_RESOURCE_TEXTURE);
      assert_memory_equal(b, buffer, 12);
      assert_int_equal(REG_FIELD_GET(b[7], BUF_WORD7, TYPE), SQ_RESOURCE_BUFFER);
   }
}

static void
samplers(void **state)
{
   /* Clamps, bilinear of several lookups, point, levels 1.5 to 3, a bias of -0.5. */
   const uint32_t words[3] = { 1 | 2u << 3 | 3u << 6 | 5u << 9 | 1u << 17 | 3u << 22 | 6u << 26,
                               96 | 192u << 10 | 0xfe0u << 20, 1u << 31 };
   const uint32_t point[3] = { 0, 0, 1u << 31 };

   (void)state;
   fresh(CHIP_RV770);
   assert_true(r600_write_sampler(&r, 20, words));
   assert_false(r600_write_sampler(&r, REGS_SAMPLERS, words));
   const uint32_t *s = r.sampler[20];

   assert_int_equal(s[0] & 0x1ff, 1 | 2 << 3 | 3 << 6);
   assert_int_equal(REG_FIELD_GET(s[0], SAMPLER_WORD0, XY_MAG_FILTER),
                    SQ_TEX_XY_FILTER_ANISO_BILINEAR);
   assert_int_equal(REG_FIELD_GET(s[0], SAMPLER_WORD0, XY_MIN_FILTER), SQ_TEX_XY_FILTER_POINT);
   assert_int_equal(REG_FIELD_GET(s[0], SAMPLER_WORD0, MIP_FILTER), 1);
   assert_int_equal(REG_FIELD_GET(s[0], SAMPLER_WORD0, BORDER_COLOR_TYPE), 3);
   assert_int_equal(REG_FIELD_GET(s[0], SAMPLER_WORD0, DEPTH_COMPARE_FUNCTION), 6);
   assert_int_equal(REG_FIELD_GET(s[1], SAMPLER_WORD1, MIN_LOD), 3 * 128);
   assert_int_equal(REG_FIELD_GET(s[1], SAMPLER_WORD1, MAX_LOD), 3 * 256);
   assert_int_equal(REG_FIELD_GET(s[2], SAMPLER_WORD2, LOD_BIAS), -128 & 0x3fff);
   assert_int_equal(REG_FIELD_GET(s[2], SAMPLER_WORD2, TRUNCATE_COORD), 0);
   /* Whether cubes are seamless is said of all samplers at once, before or after. */
   r600_write_config(&r, R_R600_TA_CNTL_AUX, 1);
   assert_int_equal(REG_FIELD_GET(s[2], SAMPLER_WORD2, DISABLE_CUBE_WRAP), 1);
   assert_true(r600_write_sampler(&r, 3, point));
   assert_int_equal(REG_FIELD_GET(r.sampler[3][2], SAMPLER_WORD2, DISABLE_CUBE_WRAP), 1);
   assert_int_equal(REG_FIELD_GET(r.sampler[3][2], SAMPLER_WORD2, TRUNCATE_COORD), 1);
   r600_write_config(&r, R_R600_TA_CNTL_AUX, 0);
   assert_int_equal(REG_FIELD_GET(s[2], SAMPLER_WORD2, DISABLE_CUBE_WRAP), 0);
   /* Borders: the third of GS's samplers. */
   r600_write_config(&r, R_R600_TD_GS_SAMPLER0_BORDER + 2 * 16 + 4, 0x3f800000);
   assert_int_equal(r.border[2 * REGS_STAGE_SAMPLERS + 2][1], 0x3f800000);
}

/* Any values of any registers give states. */
static void
noise(void **state)
{
   static struct sc_state sc;
   static struct pa_state pa;
   static struct spi_state spi;
   struct vgt_state vgt;
   uint32_t seed = 3;

   (void)state;
   for (unsigned n = 0; n < 200; n++) {
      struct core_layout layout = { .position = CORE_NO_ROW };

      fresh(n & 1 ? CHIP_R600 : CHIP_RV770);
      for (uint32_t a = CAYMAN_CONTEXT_BASE; a < CAYMAN_CONTEXT_END; a += 4)
         r600_write_context(&r, a, (seed = seed * 1664525u + 1013904223u));
      for (uint32_t a = CAYMAN_CONFIG_BASE; a < CAYMAN_CONFIG_END; a += 4)
         r600_write_config(&r, a, (seed = seed * 1664525u + 1013904223u));
      for (uint32_t i = 0; i < R600_RESOURCE_COUNT; i++)
         r600_write_resource(&r, i, r.own + i);
      r600_convert(&r);
      cayman_decode_sc(&sc, &r, NULL, 0);
      cayman_decode_pa(&pa, &r);
      cayman_decode_spi(&spi, &r);
      cayman_decode_vgt(&vgt, &r);
      cayman_layout(&layout, CORE_PIXEL, &r);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers), cmocka_unit_test(targets),  cmocka_unit_test(resolves),
      cmocka_unit_test(samples),   cmocka_unit_test(stages),   cmocka_unit_test(inputs),
      cmocka_unit_test(resources), cmocka_unit_test(samplers), cmocka_unit_test(noise),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
