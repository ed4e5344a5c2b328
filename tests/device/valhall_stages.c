/* SPDX-License-Identifier: MIT */
/*
 * Valhall programs in the stages that Mali has not, and in compute: rings and bells of geometry
 * programs, tessellation, transform feedback, local and global data, storage buffers, images.
 */
#include <stdio.h>

#include "valhall.h"

#define LS_AT    0x0000u
#define HS_AT    0x0400u
#define VS_AT    0x0800u
#define ES_AT    0x0c00u
#define GS_AT    0x1000u
#define PS_AT    0x1400u
#define RING_AT  0x2000u
#define IMAGE_AT 0x3000u
#define OUT_AT   0x4000u
#define UNUSED   0xdeadbeefu
#define WINDOW(reg, index) \
   "LEA_BUF_IMM.slot0 @" reg ", r59, table:0xD, index:" index "\nNOP.wait0\n"

/* Streamout of stream 0 to buffer 0, a vec4 a vertex. */
static void
streamout(struct door *d, struct ib *ib)
{
   context(ib, R_VGT_MAX_VTX_INDX, ~0u);
   context(ib, R_PA_CL_CLIP_CNTL, REG_FIELD(PA_CL_CLIP_CNTL, DX_RASTERIZATION_KILL, 1));
   context(ib, R_VGT_STRMOUT_CONFIG, REG_FIELD(VGT_STRMOUT_CONFIG, STREAMOUT_0_EN, 1));
   context(ib, R_VGT_STRMOUT_BUFFER_CONFIG,
           REG_FIELD(VGT_STRMOUT_BUFFER_CONFIG, STREAM_0_BUFFER_EN, 1));
   context(ib, R_VGT_STRMOUT_BUFFER_SIZE_0, 0x1000);
   context(ib, R_VGT_STRMOUT_VTX_STRIDE_0, 4);
   context(ib, R_VGT_STRMOUT_BUFFER_BASE_0, (uint32_t)((VA_BASE + OUT_AT) >> 8));
   IB_ADD(ib, PM4_STRMOUT_BUFFER_UPDATE, STRMOUT_OFFSET_SOURCE(STRMOUT_OFFSET_FROM_PACKET), 0, 0, 0,
          0);
   for (unsigned i = 0; i < 0x1000; i++)
      d->mem[OUT_AT / 4 + i] = UNUSED;
   place(d, PS_AT, "NOP.end\n");
   program(ib, R_SQ_PGM_START_PS, R_SQ_PGM_RESOURCES_PS, PS_AT);
   IB_ADD(ib, PM4_NUM_INSTANCES, 1);
}

static void
expect(const struct door *d, unsigned n, uint32_t x, uint32_t y, uint32_t z)
{
   const uint32_t *v = d->mem + OUT_AT / 4 + n * 4;

   if (v[0] != x || v[1] != y || v[2] != z)
      fail_msg("vertex %u is %x %x %x, expected %x %x %x", n, v[0], v[1], v[2], x, y, z);
}

static void
feedback(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   place(
      &d, VS_AT,
      "MOV.i32 r0, r60\nMOV.i32 r1, r57\nMOV.i32 r2, r61\nMOV.i32 r3, 0x0\n" WINDOW("r8:r9", "0x8")
         WINDOW("r10:r11", "0x0") "STORE.i128.slot0 @r0:r1:r2:r3, r8, offset:0\n"
                                  "STORE.i128.slot0.end @r0:r1:r2:r3, r10, offset:0\n");
   program(&ib, R_SQ_PGM_START_VS, R_SQ_PGM_RESOURCES_VS, VS_AT);
   context(&ib, R_VGT_SHADER_STAGES_EN, 0);
   config(&ib, R_VGT_PRIMITIVE_TYPE, DI_PT_POINTLIST);
   streamout(&d, &ib);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 100, DI_SRC_SEL_AUTO_INDEX);
   door_run(&d, &ib);
   for (unsigned n = 0; n < 100; n++)
      expect(&d, n, n, n, 0);
   assert_int_equal(d.mem[OUT_AT / 4 + 400], UNUSED);
   door_end(&d);
}

/* Each point becomes three vertices: its index, the number of the vertex, the primitive. */
static void
geometry(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   place(&d, ES_AT,
         "MOV.i32 r0, r60\nMOV.i32 r1, 0x0\nMOV.i32 r2, 0x0\nMOV.i32 r3, 0x0\n" WINDOW(
            "r8:r9", "0x1") "STORE.i128.slot0.end @r0:r1:r2:r3, r8, offset:0\n");
   place(
      &d, GS_AT,
      WINDOW("r8:r9", "0x1") WINDOW("r10:r11", "0x2") WINDOW(
         "r12:r13",
         "0x6") "IADD.u32 r8, r8, r50\n"
                "LOAD.i32.unsigned.slot0 @r0, r8, offset:0\nNOP.wait0\n"
                "MOV.i32 r2, r57\nMOV.i32 r3, 0x0\n"
                "IADD_IMM.i32 r1, 0x0, #0x0\n"
                "STORE.i128.slot0 @r0:r1:r2:r3, r10, offset:0\nSTORE.i32.slot0 @r0, r12, offset:0\n"
                "IADD_IMM.i32 r1, 0x0, #0x1\n"
                "STORE.i128.slot0 @r0:r1:r2:r3, r10, offset:16\nSTORE.i32.slot0 @r0, r12, "
                "offset:0\n"
                "IADD_IMM.i32 r1, 0x0, #0x2\n"
                "STORE.i128.slot0 @r0:r1:r2:r3, r10, offset:32\nSTORE.i32.slot0.end @r0, r12, "
                "offset:0\n");
   place(&d, VS_AT,
         WINDOW("r8:r9", "0x2") WINDOW(
            "r12:r13", "0x8") "IADD.u32 r8, r8, r50\n"
                              "LOAD.i128.unsigned.slot0 @r0:r1:r2:r3, r8, offset:0\nNOP.wait0\n"
                              "STORE.i128.slot0.end @r0:r1:r2:r3, r12, offset:0\n");
   program(&ib, R_SQ_PGM_START_ES, R_SQ_PGM_RESOURCES_ES, ES_AT);
   program(&ib, R_SQ_PGM_START_GS, R_SQ_PGM_RESOURCES_GS, GS_AT);
   program(&ib, R_SQ_PGM_START_VS, R_SQ_PGM_RESOURCES_VS, VS_AT);
   context(&ib, R_VGT_SHADER_STAGES_EN,
           REG_FIELD(VGT_SHADER_STAGES_EN, ES_EN, ES_STAGE_REAL) |
              REG_FIELD(VGT_SHADER_STAGES_EN, GS_EN, 1) |
              REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_COPY_SHADER));
   context(&ib, R_VGT_GS_MODE, REG_FIELD(VGT_GS_MODE, MODE, GS_SCENARIO_G));
   context(&ib, R_VGT_GS_OUT_PRIM_TYPE, OUTPRIM_TYPE_POINTLIST);
   context(&ib, R_VGT_GS_MAX_VERT_OUT, 4);
   context(&ib, R_SQ_ESGS_RING_ITEMSIZE, 4);
   context(&ib, R_SQ_GSVS_RING_ITEMSIZE, 16);
   context(&ib, R_SQ_GS_VERT_ITEMSIZE, 4);
   config(&ib, R_SQ_ESGS_RING_BASE, (uint32_t)((VA_BASE + RING_AT) >> 8));
   config(&ib, R_SQ_GSVS_RING_BASE, (uint32_t)((VA_BASE + RING_AT) >> 8));
   config(&ib, R_VGT_PRIMITIVE_TYPE, DI_PT_POINTLIST);
   streamout(&d, &ib);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 70, DI_SRC_SEL_AUTO_INDEX);
   door_run(&d, &ib);
   for (unsigned n = 0; n < 210; n++)
      expect(&d, n, n / 3, n % 3, n / 3);
   assert_int_equal(d.mem[OUT_AT / 4 + 210 * 4], UNUSED);
   door_end(&d);
}

/* Triangles that are not divided: the first vertex's index plus 1000, the patch. */
static void
tessellation(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   place(&d, LS_AT,
         "MOV.i32 r8, workgroup_local_pointer.w0\nMOV.i32 r9, workgroup_local_pointer.w1\n"
         "IADD_IMM.i32 r10, 0x0, #0x2\nLSHIFT_OR.i32 r10, r58, r10.b00, 0x0\n"
         "IADD.u32 r8, r8, r10\nSTORE.i32.slot0.end @r60, r8, offset:0\n");
   place(
      &d, HS_AT,
      WINDOW("r12:r13",
             "0x7") "IADD.u32 r12, r12, r57\n"
                    "MOV.i32 r0, 0x3F800000\nMOV.i32 r1, r0\nMOV.i32 r2, r0\nMOV.i32 r3, r0\n"
                    "STORE.i128.slot0 @r0:r1:r2:r3, r12, offset:0\n"
                    "LOAD.i32.unsigned.slot0 @r4, workgroup_local_pointer.w0, offset:0\nNOP.wait0\n"
                    "IADD_IMM.i32 r4, r4, #0x3E8\n"
                    "STORE.i32.slot0.end @r4, workgroup_local_pointer.w0, offset:64\n");
   place(&d, VS_AT,
         "LOAD.i32.unsigned.slot0 @r0, workgroup_local_pointer.w0, offset:64\nNOP.wait0\n"
         "MOV.i32 r1, r58\nMOV.i32 r2, r57\nMOV.i32 r3, 0x0\n" WINDOW(
            "r12:r13", "0x8") "STORE.i128.slot0.end @r0:r1:r2:r3, r12, offset:0\n");
   program(&ib, R_SQ_PGM_START_LS, R_SQ_PGM_RESOURCES_LS, LS_AT);
   program(&ib, R_SQ_PGM_START_HS, R_SQ_PGM_RESOURCES_HS, HS_AT);
   program(&ib, R_SQ_PGM_START_VS, R_SQ_PGM_RESOURCES_VS, VS_AT);
   context(&ib, R_VGT_SHADER_STAGES_EN,
           REG_FIELD(VGT_SHADER_STAGES_EN, LS_EN, LS_STAGE_ON) |
              REG_FIELD(VGT_SHADER_STAGES_EN, HS_EN, 1) |
              REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_DS));
   context(&ib, R_VGT_LS_HS_CONFIG,
           REG_FIELD(VGT_LS_HS_CONFIG, NUM_PATCHES, 1) |
              REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_INPUT_CP, 3) |
              REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_OUTPUT_CP, 3));
   context(&ib, R_VGT_TF_PARAM,
           REG_FIELD(VGT_TF_PARAM, TYPE, 1) | REG_FIELD(VGT_TF_PARAM, TOPOLOGY, 2));
   context(&ib, R_VGT_HOS_MAX_TESS_LEVEL, 0x42800000);
   context(&ib, R_VGT_HOS_MIN_TESS_LEVEL, 0);
   context(&ib, R_SQ_LDS_ALLOC, 64 | 1 << 14);
   config(&ib, R_VGT_PRIMITIVE_TYPE, DI_PT_PATCH);
   streamout(&d, &ib);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 30, DI_SRC_SEL_AUTO_INDEX);
   door_run(&d, &ib);
   for (unsigned n = 0; n < 30; n++)
      expect(&d, n, 1000 + n / 3 * 3, n / 3, 0);
   assert_int_equal(d.mem[OUT_AT / 4 + 120], UNUSED);
   door_end(&d);
}

/* Target n: elements of four bytes, or an image of 8 x 8 texels of four bytes. */
static void
target(struct ib *ib, unsigned n, uint32_t at, bool image)
{
   const uint32_t step = 0x3c * n;

   context(ib, R_CB_COLOR0_BASE + step, (uint32_t)((VA_BASE + at) >> 8));
   context(ib, R_CB_COLOR0_PITCH + step, image ? 7 : 0); /* 64 texels */
   context(ib, R_CB_COLOR0_SLICE + step, image ? 7 : 0);
   context(ib, R_CB_COLOR0_VIEW + step, 0);
   context(ib, R_CB_COLOR0_INFO + step,
           REG_FIELD(CB_COLOR0_INFO, FORMAT, image ? FMT_8_8_8_8 : FMT_32) |
              REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, image ? NUMBER_UNORM : NUMBER_UINT) |
              REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED) |
              REG_FIELD(CB_COLOR0_INFO, RAT, 1) |
              REG_FIELD(CB_COLOR0_INFO, RESOURCE_TYPE, image ? RAT_TEXTURE2D : RAT_BUFFER));
   context(ib, R_CB_COLOR0_DIM + step,
           image ? REG_FIELD(CB_COLOR0_DIM, WIDTH_MAX, 7) | REG_FIELD(CB_COLOR0_DIM, HEIGHT_MAX, 7)
                 : 63);
}

static void
dispatch(struct door *d, const char *text, uint32_t groups)
{
   struct ib ib = { 0 };

   place(d, LS_AT, text);
   program(&ib, R_SQ_PGM_START_LS, R_SQ_PGM_RESOURCES_LS, LS_AT);
   target(&ib, 0, OUT_AT, false);
   target(&ib, 1, IMAGE_AT, true);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X, 16);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X + 4, 1);
   context(&ib, R_SPI_COMPUTE_NUM_THREAD_X + 8, 1);
   context(&ib, R_SQ_LDS_ALLOC, 64);
   /* Context registers of dispatches are their own. */
   for (uint32_t at = 0; at < ib.count; at += 2 + (ib.words[at] >> 16 & 0x3fff))
      ib.words[at] |= PM4_COMPUTE_BIT;
   ib.words[ib.count++] = pm4_header(PM4_DISPATCH_DIRECT, 4, false) | PM4_COMPUTE_BIT;
   ib.words[ib.count++] = groups;
   ib.words[ib.count++] = 1;
   ib.words[ib.count++] = 1;
   ib.words[ib.count++] = 1;
   door_run(d, &ib);
}

static void
expect_words(const struct door *d, unsigned count, uint32_t first, uint32_t step)
{
   for (unsigned n = 0; n < count; n++) {
      const uint32_t v = d->mem[OUT_AT / 4 + n];

      if (v != first + n * step) {
         char said[4096] = "";
         atoll_device_messages(atoll_device_get(), said, sizeof(said));
         fail_msg("word %u is %x, expected %x; %s", n, v, first + n * step, said);
      }
   }
}

/* r4: four times the thread's number; r6:r7: the address of its dword of storage buffer 0. */
#define OWN                                                           \
   "IADD_IMM.i32 r3, 0x0, #0x2\nLSHIFT_OR.i32 r4, r60, r3.b00, 0x0\n" \
   "IADD_IMM.i32 r5, 0x0, #0x6000000\nLEA_BUFFER.slot0 @r6:r7, r4, r5\nNOP.wait0\n"

static void
compute(void **state)
{
   struct door d = door_begin();

   memset(d.mem + OUT_AT / 4, 0, 0x400);
   dispatch(&d, OWN "IADD_IMM.i32 r0, r60, #0x64\nSTORE.i32.slot0.end @r0, r6, offset:0\n", 4);
   expect_words(&d, 64, 100, 1);
   assert_int_equal(d.mem[OUT_AT / 4 + 64], 0);
   /* Beyond the buffer of 64 nothing is written, and its address is 0. */
   dispatch(&d, OWN "IADD_IMM.i32 r0, r60, #0xC8\nSTORE.i32.slot0.end @r0, r6, offset:0\n", 8);
   expect_words(&d, 64, 200, 1);
   assert_int_equal(d.mem[OUT_AT / 4 + 64], 0);
   /* Loads by handle. */
   dispatch(&d,
            OWN "LD_BUFFER.i32.unsigned.slot0 @r0, r4, r5\nNOP.wait0\nIADD.u32 r0, r0, r60\n"
                "STORE.i32.slot0.end @r0, r6, offset:0\n",
            4);
   expect_words(&d, 64, 200, 2);
   /* Local data, with a barrier: each thread reads what the last but it wrote. */
   dispatch(&d,
            OWN "U16_TO_U32 r11, r55.h00\nLSHIFT_OR.i32 r8, r11, r3.b00, 0x0\n" /* x in the group */
                "MOV.i32 r9, workgroup_local_pointer.w1\nSTORE.i32.slot0 @r55, r8, offset:0\n"
                "BARRIER.slot7.wait\nIADD_IMM.i32 r10, 0x0, #0x3C\nISUB.u32 r8, r10, r8\n"
                "LOAD.i32.unsigned.slot0 @r0, r8, offset:0\nNOP.wait0\n"
                "STORE.i32.slot0.end @r0, r6, offset:0\n",
            1);
   expect_words(&d, 16, 15, ~0u);
   /* An atomic sum of all threads' numbers. */
   d.mem[OUT_AT / 4] = 0;
   dispatch(&d,
            "IADD_IMM.i32 r4, 0x0, #0x0\nIADD_IMM.i32 r5, 0x0, #0x6000000\n"
            "LEA_BUFFER.slot0 @r6:r7, r4, r5\nNOP.wait0\nMOV.i32 r0, r60\n"
            "ATOM.i32.slot0.aadd.end @r0, r6, offset:0\n",
            4);
   assert_int_equal(d.mem[OUT_AT / 4], 63 * 64 / 2);
   door_end(&d);
}

/* Texels are stored through their addresses, and loaded again. */
static void
images(void **state)
{
   struct door d = door_begin();

   memset(d.mem + OUT_AT / 4, 0, 0x400);
   memset(d.mem + IMAGE_AT / 4, 0, 0x1000);
   dispatch(&d,
            "IADD_IMM.i32 r1, 0x0, #0x0\nIADD_IMM.i32 r2, 0x0, #0x5000001\n"
            "LEA_TEX.slot0 @r4:r5:r6, r60, r1, r2\nNOP.wait0\n"
            "MOV.i32 r8, 0x3F800000\nMOV.i32 r9, 0x0\nMOV.i32 r10, 0x0\nMOV.i32 r11, r8\n"
            "ST_CVT.slot0.istream.v4.f32.end @r8:r9:r10:r11, r4, r6, offset:0\n",
            1);
   for (unsigned x = 0; x < 8; x++)
      assert_int_equal(d.mem[IMAGE_AT / 4 + x], 0xff0000ff);
   assert_int_equal(d.mem[IMAGE_AT / 4 + 8], 0);
   d.mem[IMAGE_AT / 4 + 3] = 0x00ff0000;
   dispatch(&d,
            OWN "IADD_IMM.i32 r1, 0x0, #0x0\nIADD_IMM.i32 r2, 0x0, #0x5000001\n"
                "LD_TEX.v4.f32.slot0 @r8:r9:r10:r11, r60, r1, r2\nNOP.wait0\n"
                "STORE.i32.slot0.end @r10, r6, offset:0\n",
            1);
   for (unsigned x = 0; x < 16; x++)
      assert_int_equal(d.mem[OUT_AT / 4 + x], x == 3 ? 0x3f800000 : 0);
   /* Of 64 texels of one component 16 are read from 56 on: beyond them x is 0 and w 1. */
   d.mem[OUT_AT / 4 + 63] = 77;
   dispatch(&d,
            OWN "IADD_IMM.i32 r1, 0x0, #0x0\nIADD_IMM.i32 r2, 0x0, #0x5000000\n"
                "IADD_IMM.i32 r12, r60, #0x38\n"
                "LD_TEX.v4.u32.slot0 @r8:r9:r10:r11, r12, r1, r2\nNOP.wait0\n"
                "IADD.u32 r11, r11, r8\nSTORE.i32.slot0.end @r11, r6, offset:0\n",
            1);
   for (unsigned x = 0; x < 16; x++)
      assert_int_equal(d.mem[OUT_AT / 4 + x], x == 7 ? 78 : 1);
   door_end(&d);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(feedback), cmocka_unit_test(geometry), cmocka_unit_test(tessellation),
      cmocka_unit_test(compute),  cmocka_unit_test(images),
   };

   setenv("ATOLL_ISA", "valhall", 1);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
