/* SPDX-License-Identifier: MIT */
/*
 * A draw and a dispatch with everything bound and a program in every stage, whatever the programs
 * are: for those that are random, or a fuzzer's.
 */
#ifndef ATOLL_TEST_DEVICE_EVERY_STAGE_H
#define ATOLL_TEST_DEVICE_EVERY_STAGE_H

#include "valhall.h"

/* Where what is bound lies in the door's buffer; programs have 1 KiB each. */
#define LS_AT         0x0000u
#define HS_AT         0x0400u
#define VS_AT         0x0800u
#define ES_AT         0x0c00u
#define GS_AT         0x1000u
#define PS_AT         0x1400u
#define FS_AT         0x1800u
#define CONST_AT      0x1c00u
#define DATA_AT       0x2000u
#define OUT_AT        0x4000u
#define COLOR_AT      0xc000u
#define EVERY_STAGES  6
#define EVERY_PIXEL   5      /* of every_at */
#define EVERY_PROGRAM 0x400u /* bytes */
static const uint32_t every_at[EVERY_STAGES] = { LS_AT, HS_AT, VS_AT, ES_AT, GS_AT, PS_AT };

/* Which stages there are, and what is drawn: points, or rectangles. */
struct every_draw {
   bool gs, tess, points, dispatches;
};

static inline uint32_t
every_random(uint64_t *seed)
{
   *seed ^= *seed << 13;
   *seed ^= *seed >> 7;
   *seed ^= *seed << 17;
   return (uint32_t)(*seed >> 16);
}

static inline void
every_bind(struct ib *ib, uint64_t *seed)
{
   static const uint32_t caches[][2] = {
      { R_ALU_CONST_CACHE_PS_0, R_ALU_CONST_BUFFER_SIZE_PS_0 },
      { R_ALU_CONST_CACHE_VS_0, R_ALU_CONST_BUFFER_SIZE_VS_0 },
      { R_ALU_CONST_CACHE_GS_0, R_ALU_CONST_BUFFER_SIZE_GS_0 },
      { R_ALU_CONST_CACHE_HS_0, R_ALU_CONST_BUFFER_SIZE_HS_0 },
      { R_ALU_CONST_CACHE_LS_0, R_ALU_CONST_BUFFER_SIZE_LS_0 },
   };

   for (unsigned s = 0; s < sizeof(caches) / sizeof(*caches); s++) {
      for (unsigned n = 0; n < 16; n += 15) {
         context(ib, caches[s][0] + 4 * n, (uint32_t)((VA_BASE + CONST_AT) >> 8));
         context(ib, caches[s][1] + 4 * n, 1);
      }
   }
   for (unsigned n = 0; n < 4; n++) {
      IB_ADD(ib, PM4_SET_RESOURCE, (n < 2 ? 992 + n : 16 + n) * 8, (uint32_t)VA_BASE + DATA_AT,
             0x7ff,
             REG_FIELD(BUF_WORD2, STRIDE, 16) |
                REG_FIELD(BUF_WORD2, DATA_FORMAT, every_random(seed) % 64),
             every_random(seed), 64, 0, 0, REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER));
   }
   context(ib, R_CB_COLOR0_BASE + 0x3c, (uint32_t)((VA_BASE + OUT_AT) >> 8));
   context(ib, R_CB_COLOR0_INFO + 0x3c,
           REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_32) | REG_FIELD(CB_COLOR0_INFO, RAT, 1) |
              REG_FIELD(CB_COLOR0_INFO, RESOURCE_TYPE, RAT_BUFFER));
   context(ib, R_CB_COLOR0_DIM + 0x3c, 255);
}

static inline void
every_picture(struct ib *ib)
{
   float_picture(ib, COLOR_AT, 16, 16);
   context(ib, R_SPI_PS_IN_CONTROL_0, REG_FIELD(SPI_PS_IN_CONTROL_0, NUM_INTERP, 32));
}

/* Draws once; the programs are there. */
static inline void
every_draw(struct door *d, struct every_draw kind, uint64_t *seed)
{
   static const uint32_t start[6] = { R_SQ_PGM_START_LS, R_SQ_PGM_START_HS, R_SQ_PGM_START_VS,
                                      R_SQ_PGM_START_ES, R_SQ_PGM_START_GS, R_SQ_PGM_START_PS };
   static const uint32_t resources[6] = { R_SQ_PGM_RESOURCES_LS, R_SQ_PGM_RESOURCES_HS,
                                          R_SQ_PGM_RESOURCES_VS, R_SQ_PGM_RESOURCES_ES,
                                          R_SQ_PGM_RESOURCES_GS, R_SQ_PGM_RESOURCES_PS };
   static const uint32_t scratch[6] = { R_SQ_LSTMP_RING_ITEMSIZE, R_SQ_HSTMP_RING_ITEMSIZE,
                                        R_SQ_VSTMP_RING_ITEMSIZE, R_SQ_ESTMP_RING_ITEMSIZE,
                                        R_SQ_GSTMP_RING_ITEMSIZE, R_SQ_PSTMP_RING_ITEMSIZE };
   struct ib ib = { 0 };

   for (unsigned n = 0; n < EVERY_STAGES; n++) {
      program(&ib, start[n], resources[n], every_at[n]);
      context(&ib, scratch[n], 4);
   }
   context(&ib, R_SQ_PGM_START_FS, (uint32_t)((VA_BASE + FS_AT) >> 8));
   every_bind(&ib, seed);
   every_picture(&ib);
   context(&ib, R_VGT_MAX_VTX_INDX, ~0u);
   context(&ib, R_VGT_SHADER_STAGES_EN,
           (kind.tess ? REG_FIELD(VGT_SHADER_STAGES_EN, LS_EN, LS_STAGE_ON) |
                           REG_FIELD(VGT_SHADER_STAGES_EN, HS_EN, 1)
                      : 0) |
              (kind.gs ? REG_FIELD(VGT_SHADER_STAGES_EN, ES_EN,
                                   kind.tess ? ES_STAGE_DS : ES_STAGE_REAL) |
                            REG_FIELD(VGT_SHADER_STAGES_EN, GS_EN, 1) |
                            REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_COPY_SHADER)
               : kind.tess ? REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_DS)
                           : 0));
   context(&ib, R_VGT_GS_MODE, kind.gs ? REG_FIELD(VGT_GS_MODE, MODE, GS_SCENARIO_G) : 0);
   context(&ib, R_VGT_GS_MAX_VERT_OUT, 4);
   context(&ib, R_SQ_ESGS_RING_ITEMSIZE, 4);
   context(&ib, R_SQ_GSVS_RING_ITEMSIZE, 16);
   context(&ib, R_SQ_GS_VERT_ITEMSIZE, 4);
   context(&ib, R_VGT_LS_HS_CONFIG,
           REG_FIELD(VGT_LS_HS_CONFIG, NUM_PATCHES, 1) |
              REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_INPUT_CP, 3) |
              REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_OUTPUT_CP, 3));
   context(&ib, R_VGT_TF_PARAM, REG_FIELD(VGT_TF_PARAM, TYPE, 1));
   context(&ib, R_VGT_HOS_MAX_TESS_LEVEL, 0x40000000);
   context(&ib, R_SQ_LDS_ALLOC, 64 | 1 << 14);
   config(&ib, R_VGT_PRIMITIVE_TYPE,
          kind.tess                ? DI_PT_PATCH
          : kind.gs || kind.points ? DI_PT_POINTLIST
                                   : DI_PT_RECTLIST);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 99, DI_SRC_SEL_AUTO_INDEX);
   if (!kind.dispatches) {
      door_run(d, &ib);
      return;
   }
   /* The local program runs in a dispatch, too. */
   const uint32_t first = ib.count;
   program(&ib, start[0], resources[0], LS_AT);
   context(&ib, scratch[0], 4);
   every_bind(&ib, seed);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X, 32);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X + 4, 4);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X + 8, 1);
   context(&ib, R_SQ_LDS_ALLOC, 64);
   for (uint32_t n = first; n < ib.count; n += 2 + (ib.words[n] >> 16 & 0x3fff))
      ib.words[n] |= PM4_COMPUTE_BIT;
   ib.words[ib.count++] = pm4_header(PM4_DISPATCH_DIRECT, 4, false) | PM4_COMPUTE_BIT;
   for (unsigned n = 0; n < 4; n++)
      ib.words[ib.count++] = n ? 1 : 3;
   door_run(d, &ib);
}

#endif
