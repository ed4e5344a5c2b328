/* SPDX-License-Identifier: MIT */
/*
 * What tests that draw with Valhall programs share: a picture of 16 x 16 pixels of four floats, so
 * that what a program hands over can be compared as it is, and a triangle that covers it.
 */
#ifndef ATOLL_TEST_DEVICE_VALHALL_PICTURE_H
#define ATOLL_TEST_DEVICE_VALHALL_PICTURE_H

#include "port/format.h"
#include "port/state.h"
#include "valhall.h"

#define VS_AT      0x0000u
#define PS_AT      0x0400u
#define FS_AT      0x0800u /* attribute descriptors */
#define CONST_AT   0x0900u /* constant buffer 0 */
#define DRIVER_AT  0x0a00u /* and 15 */
#define VERTEX_AT  0x0c00u
#define TEXTURE_AT 0x1000u
#define OUT_AT     0x4000u
#define COLOR_AT   0xc000u
#define SIZE       16u

static inline float *
floats(const struct door *d, uint32_t at)
{
   return (float *)(void *)((uint8_t *)d->mem + at);
}

static inline const float *
pixel(const struct door *d, unsigned x, unsigned y)
{
   return floats(d, COLOR_AT + (y * SIZE + x) * 16);
}

/* A resource that is a buffer of floats. */
static inline void
buffer_resource(struct ib *ib, unsigned slot, uint32_t at, uint32_t bytes, uint32_t stride)
{
   IB_ADD(ib, PM4_SET_RESOURCE, slot * 8, (uint32_t)VA_BASE + at, bytes - 1,
          REG_FIELD(BUF_WORD2, STRIDE, stride) |
             REG_FIELD(BUF_WORD2, DATA_FORMAT, FMT_32_32_32_32_FLOAT) |
             REG_FIELD(BUF_WORD2, NUM_FORMAT_ALL, SQ_NUM_FORMAT_SCALED),
          REG_FIELD(BUF_WORD3, DST_SEL_X, SQ_SEL_X) | REG_FIELD(BUF_WORD3, DST_SEL_Y, SQ_SEL_Y) |
             REG_FIELD(BUF_WORD3, DST_SEL_Z, SQ_SEL_Z) | REG_FIELD(BUF_WORD3, DST_SEL_W, SQ_SEL_W),
          bytes / 16, 0, 0, REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER));
}

/* Vertex element n: four floats at `offset` of the buffer's element. */
static inline void
element(struct door *d, unsigned n, uint32_t offset, uint32_t divisor)
{
   uint32_t *w = d->mem + FS_AT / 4 + 8 * n;

   memset(w, 0, 32);
   w[0] = 5 | 0 << 8 | offset << 16;
   w[1] = FORMAT_R32G32B32A32_FLOAT | CONVERT_SCALED << 8 | 1u << 10 | 1u << 11 | SWIZZLE_X << 20 |
          SWIZZLE_Y << 23 | SWIZZLE_Z << 26 | (uint32_t)SWIZZLE_W << 29;
   w[2] = divisor;
}

/* A picture of 16 x 16, and all that a draw needs beside its programs. */
static inline void
state_of(struct door *d, struct ib *ib, unsigned prim)
{
   program(ib, R_SQ_PGM_START_VS, R_SQ_PGM_RESOURCES_VS, VS_AT);
   program(ib, R_SQ_PGM_START_PS, R_SQ_PGM_RESOURCES_PS, PS_AT);
   context(ib, R_SQ_PGM_START_FS, (uint32_t)((VA_BASE + FS_AT) >> 8));
   context(ib, R_VGT_SHADER_STAGES_EN, 0);
   context(ib, R_VGT_INDX_OFFSET, 0);
   context(ib, R_VGT_MAX_VTX_INDX, ~0u);
   config(ib, R_VGT_PRIMITIVE_TYPE, prim);
   for (unsigned stage = 0; stage < 2; stage++) {
      const uint32_t cache = stage ? R_ALU_CONST_CACHE_PS_0 : R_ALU_CONST_CACHE_VS_0;
      const uint32_t size = stage ? R_ALU_CONST_BUFFER_SIZE_PS_0 : R_ALU_CONST_BUFFER_SIZE_VS_0;
      context(ib, cache, (uint32_t)((VA_BASE + CONST_AT) >> 8));
      context(ib, size, 1);
      context(ib, cache + 60, (uint32_t)((VA_BASE + DRIVER_AT) >> 8));
      context(ib, size + 60, 1);
   }
   context(ib, R_PA_CL_CLIP_CNTL, 0);
   context(ib, R_PA_SU_SC_MODE_CNTL, REG_FIELD(PA_SU_SC_MODE_CNTL, FACE, 1));
   context(ib, R_PA_SU_VTX_CNTL, REG_FIELD(PA_SU_VTX_CNTL, PIX_CENTER_HALF, 1));
   context(ib, R_PA_CL_VTE_CNTL, 0x3f | REG_FIELD(PA_CL_VTE_CNTL, VTX_W0_FMT, 1));
   context_float(ib, R_PA_CL_VPORT_XSCALE_0, SIZE / 2);
   context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 4, SIZE / 2);
   context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 8, SIZE / 2);
   context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 12, SIZE / 2);
   context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 16, 1);
   context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 20, 0);
   for (unsigned n = 0; n < 4; n++)
      context_float(ib, R_PA_CL_GB_VERT_CLIP_ADJ + 4 * n, 1);
   context(ib, R_PA_SC_SCREEN_SCISSOR_TL, 0);
   float_picture(ib, COLOR_AT, SIZE, SIZE);
   context_float(ib, R_PA_SC_VPORT_ZMAX_0, 1);
   context(ib, R_DB_SHADER_CONTROL, REG_FIELD(DB_SHADER_CONTROL, Z_ORDER, DB_EARLY_Z_THEN_LATE_Z));
   context(ib, R_SPI_VS_OUT_CONFIG, REG_FIELD(SPI_VS_OUT_CONFIG, VS_EXPORT_COUNT, 1));
   context(ib, R_SPI_VS_OUT_ID_0, 5 | 6 << 8);
   context(ib, R_SPI_PS_INPUT_CNTL_0, 5);
   context(ib, R_SPI_PS_INPUT_CNTL_0 + 4, 6);
   context(ib, R_SPI_PS_IN_CONTROL_0, REG_FIELD(SPI_PS_IN_CONTROL_0, NUM_INTERP, 2));
   IB_ADD(ib, PM4_NUM_INSTANCES, 1);
   memset((uint8_t *)d->mem + COLOR_AT, 0, SIZE * SIZE * 16);
   memset((uint8_t *)d->mem + CONST_AT, 0, 0x200);
}

static inline void
draw(struct ib *ib, uint32_t count)
{
   IB_ADD(ib, PM4_DRAW_INDEX_AUTO, count, DI_SRC_SEL_AUTO_INDEX);
}

/* Position and one parameter, from two elements. */
static const char vertex[] =
   "LD_ATTR_IMM.v4.auto.slot0 @r0:r1:r2:r3, r60, r61, index:0x0, table:0x1\n"
   "LD_ATTR_IMM.v4.auto.slot1 @r4:r5:r6:r7, r60, r61, index:0x1, table:0x1\n"
   "LEA_BUF_IMM.slot2.wait012 @r8:r9, r59, table:0xD, index:0x0\n"
   "NOP.wait2\n"
   "STORE.i128.slot0 @r0:r1:r2:r3, r8, offset:0\n"
   "STORE.i128.slot0.end @r4:r5:r6:r7, ^r8, offset:64\n";

/* Triangle that covers all of the picture: parameter x is 0 on the left and 1 on the right, y the
 * same from the top. */
static inline void
big_triangle(struct door *d, struct ib *ib, float w)
{
   static const float corner[3][4] = { { -1, -1, 0, 0 }, { 3, -1, 2, 0 }, { -1, 3, 0, 2 } };
   float *v = floats(d, VERTEX_AT);

   for (unsigned n = 0; n < 3; n++) {
      const float each[8] = { corner[n][0] * w, corner[n][1] * w, 0, w,
                              corner[n][2],     corner[n][3],     7, 1 };
      memcpy(v + 8 * n, each, sizeof(each));
   }
   element(d, 0, 0, 0);
   element(d, 1, 16, 0);
   buffer_resource(ib, 992, VERTEX_AT, 96, 32);
}

#endif
