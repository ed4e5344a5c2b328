/* SPDX-License-Identifier: MIT */
/*
 * The device with Valhall shader cores (docs/valhall-chip.rst): programs in Valhall's assembly,
 * drawn through packets and registers.
 */
#include <math.h>
#include <stdio.h>

#include "valhall_picture.h"

/* A vertex and a pixel program: attributes, a window, interpolation, a uniform, a colour. */
static void
picture(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   place(&d, VS_AT, vertex);
   place(&d, PS_AT,
         "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store @r0:r1:r2:r3, r61, index:0x0\n"
         "NOP.wait0\n"
         "FMA.f32 r2, u0, r2, 0x0.neg\n"
         "ATEST.wait0126 @r60, r60, 0x3F800000, atest_datum.w0\n"
         "NOP.wait\n"
         "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n");
   state_of(&d, &ib, DI_PT_TRILIST);
   big_triangle(&d, &ib, 2);
   floats(&d, CONST_AT)[0] = 3;
   draw(&ib, 3);
   door_run(&d, &ib);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const float *p = pixel(&d, x, y);

         assert_true(fabsf(p[0] - ((float)x + 0.5f) / SIZE) < 1e-6f);
         assert_true(fabsf(p[1] - ((float)y + 0.5f) / SIZE) < 1e-6f);
         assert_true(p[2] == 21 && p[3] == 1);
      }
   }
   door_end(&d);
}

static const struct {
   const char *what, *text;
   float left, right; /* red of pixels 2 and 13 of row 5 */
} pixels[] = {
   { "flat",
     "LD_VAR_FLAT_IMM.slot0.v4.u32 @r0:r1:r2:r3, table:0x0, index:0x0\nNOP.wait0\n"
     "FADD.f32 r0, r2, 0x3F800000\n",
     8, 8 },
   { "linear",
     "LD_VAR_IMM.slot0.v4.f32.center.store @r0:r1:r2:r3, r61, table:0x1, index:0x0\n"
     "NOP.wait0\n",
     2.5f / 16, 13.5f / 16 },
   { "halves",
     "LD_VAR_BUF_IMM.f16.slot0.v4.src_f32.center.store @r0:r1, r61, index:0x0\nNOP.wait0\n"
     "F16_TO_F32 r0, r0.h0\n",
     2.5f / 16, 13.5f / 16 },
   { "offset",
     "IADD_IMM.i32 r8, 0x0, #0x80\nNOP\n" /* half a pixel to the right */
     "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.explicit.store @r0:r1:r2:r3, r8, index:0x0\n"
     "NOP.wait0\n",
     3.0f / 16, 14.0f / 16 },
   { "place", "U16_TO_F32 r0, r59.h00\n", 2, 13 },
   { "row", "U16_TO_F32 r0, r59.h11\n", 5, 5 },
   { "front", "ICMP_OR.u32.ne.f1 r0, r58, 0x0, 0x0\n", 0, 0 },
   { "w", "LD_VAR_SPECIAL.f32.center.clobber.slot0 @r0, r61, index:0x2\nNOP.wait0\n", 0.5f, 0.5f },
   { "driver's uniform", "NOP\nMOV.i32 r0, u192\n", 9, 9 },
   { "buffer",
     "IADD_IMM.i32 r4, 0x0, #0x10\nIADD_IMM.i32 r5, 0x0, #0x0\n"
     "LD_BUFFER.i32.unsigned.slot0 @r0, r4, r5\nNOP.wait0\n",
     6, 6 },
   { "buffer by lane",
     "U16_TO_U32 r4, r59.h00\nIADD_IMM.i32 r10, 0x0, #0x2\nLSHIFT_OR.i32 r4, r4, r10.b00, 0x0\n"
     "LD_BUFFER.i32.unsigned.slot0 @r0, r4, 0x0\nNOP.wait0\n",
     4, 15 },
   { "beyond",
     "IADD_IMM.i32 r4, 0x0, #0x1000\n"
     "LD_BUFFER.i32.unsigned.slot0 @r0, r4, 0x0\nNOP.wait0\n",
     0, 0 },
   { "no memory",
     "IADD_IMM.i32 r4, 0x0, #0x10\nIADD_IMM.i32 r5, 0x0, #0x0\n"
     "LOAD.i32.unsigned.slot0 @r0, r4, offset:0\nNOP.wait0\n",
     0, 0 },
   { "votes of a quad",
     "IADD_IMM.i32 r4, 0x0, #0x1\nWMASK.subgroup4 r4, r4\nPOPCOUNT.i32 r4, r4\n"
     "U32_TO_F32 r0, r4\n",
     4, 4 },
   { "clock",
     "IADD_IMM.i32 r4, 0x0, #0x0\nIADD_IMM.i32 r5, 0x0, #0x9000000\n"
     "LD_BUFFER.i32.unsigned.slot0 @r6, r4, r5\nNOP.wait0\n"
     "LD_BUFFER.i32.unsigned.slot0 @r7, r4, r5\nNOP.wait0\n"
     "ICMP_OR.u32.lt.f1 r0, r6, r7, 0x0\n",
     1, 1 },
   { "private",
     "MOV.i32 r6, r59\nLSHIFT_AND.i32 r6, r6, 0x0.b00, u1\n"
     "STORE.i32.slot0 @r6, thread_local_pointer.w0, offset:4\nNOP.wait0\n"
     "LOAD.i32.unsigned.slot0 @r0, thread_local_pointer.w0, offset:4\nNOP.wait0\n"
     "U32_TO_F32 r0, r0\n",
     2, 13 },
};

static void
inputs(void **state)
{
   struct door d = door_begin();

   for (unsigned n = 0; n < sizeof(pixels) / sizeof(*pixels); n++) {
      struct ib ib = { 0 };
      char text[1024];

      snprintf(text, sizeof(text),
               "%sNOP.wait\nBLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, "
               "target:0x0\n",
               pixels[n].text);
      place(&d, VS_AT, vertex);
      place(&d, PS_AT, text);
      state_of(&d, &ib, DI_PT_TRILIST);
      big_triangle(&d, &ib, 2);
      for (unsigned i = 0; i < 64; i++)
         floats(&d, CONST_AT)[i] = (float)(i + 2);
      d.mem[CONST_AT / 4 + 1] = 0xffff;
      floats(&d, DRIVER_AT)[0] = 9;
      context(&ib, R_SQ_PSTMP_RING_ITEMSIZE, 4);
      draw(&ib, 3);
      door_run(&d, &ib);
      const float left = pixel(&d, 2, 5)[0], right = pixel(&d, 13, 5)[0];
      if (!(fabsf(left - pixels[n].left) < 1e-3f && fabsf(right - pixels[n].right) < 1e-3f)) {
         char said[4096] = "";
         atoll_device_messages(atoll_device_get(), said, sizeof(said));
         fail_msg("%s: %g and %g; %s", pixels[n].what, left, right, said);
      }
   }
   door_end(&d);
}

/* Discarded pixels are not drawn. */
static void
discards(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   place(&d, VS_AT, vertex);
   place(&d, PS_AT,
         "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store @r0:r1:r2:r3, r61, index:0x0\n"
         "NOP.wait0\n"
         "DISCARD.f32.lt r0, u0\n"
         "ATEST.wait0126 @r60, r60, 0x3F800000, atest_datum.w0\n"
         "NOP.wait\n"
         "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n");
   state_of(&d, &ib, DI_PT_TRILIST);
   big_triangle(&d, &ib, 1);
   floats(&d, CONST_AT)[0] = 0.5f;
   draw(&ib, 3);
   door_run(&d, &ib);
   for (unsigned y = 0; y < SIZE; y++)
      for (unsigned x = 0; x < SIZE; x++)
         assert_true(pixel(&d, x, y)[3] == (x < SIZE / 2 ? 0 : 1));
   door_end(&d);
}

/* A texture of 2 x 2 texels, 1 to 4, nearest; and as a buffer. */
static void
texture(struct door *d, struct ib *ib, bool buffer)
{
   static const float texels[4] = { 1, 2, 3, 4 };

   memset((uint8_t *)d->mem + TEXTURE_AT, 0, 0x800);
   for (unsigned n = 0; n < 4; n++) {
      /* Rows of 64 texels of 16 bytes: pitches are of 256 bytes and more. */
      const uint32_t at = buffer ? n * 16 : (n / 2 * 16 + n % 2) * 16;
      for (unsigned c = 0; c < 4; c++)
         floats(d, TEXTURE_AT + at)[c] = texels[n] + (float)c * 10;
   }
   if (buffer) {
      buffer_resource(ib, 18, TEXTURE_AT, 64, 16);
      return;
   }
   IB_ADD(ib, PM4_SET_RESOURCE, 18 * 8,
          REG_FIELD(TEX_WORD0, DIM, SQ_TEX_DIM_2D) | REG_FIELD(TEX_WORD0, PITCH, 1) |
             REG_FIELD(TEX_WORD0, TEX_WIDTH, 1),
          REG_FIELD(TEX_WORD1, TEX_HEIGHT, 1) |
             REG_FIELD(TEX_WORD1, ARRAY_MODE, ARRAY_LINEAR_ALIGNED),
          (uint32_t)((VA_BASE + TEXTURE_AT) >> 8), 0,
          REG_FIELD(TEX_WORD4, NUM_FORMAT_ALL, SQ_NUM_FORMAT_SCALED) |
             REG_FIELD(TEX_WORD4, FORMAT_COMP_X, 1) | REG_FIELD(TEX_WORD4, FORMAT_COMP_Y, 1) |
             REG_FIELD(TEX_WORD4, FORMAT_COMP_Z, 1) | REG_FIELD(TEX_WORD4, FORMAT_COMP_W, 1) |
             REG_FIELD(TEX_WORD4, SRF_MODE_ALL, 1) | REG_FIELD(TEX_WORD4, DST_SEL_X, SQ_SEL_X) |
             REG_FIELD(TEX_WORD4, DST_SEL_Y, SQ_SEL_Y) | REG_FIELD(TEX_WORD4, DST_SEL_Z, SQ_SEL_Z) |
             REG_FIELD(TEX_WORD4, DST_SEL_W, SQ_SEL_W),
          0, 0,
          REG_FIELD(TEX_WORD7, DATA_FORMAT, FMT_32_32_32_32_FLOAT) |
             REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE));
   IB_ADD(ib, PM4_SET_SAMPLER, 0,
          REG_FIELD(SAMPLER_WORD0, CLAMP_X, SQ_TEX_CLAMP_LAST_TEXEL) |
             REG_FIELD(SAMPLER_WORD0, CLAMP_Y, SQ_TEX_CLAMP_LAST_TEXEL),
          REG_FIELD(SAMPLER_WORD1, MAX_LOD, 0xfff), 0);
}

/* Handles of the narrow form: table 4 index 0, table 3 index 0. */
#define HANDLE "IADD_IMM.i32 r8, 0x0, #0x20001800\nIADD_IMM.i32 r9, 0x0, #0x0\n"
#define UV \
   "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store @r0:r1:r2:r3, r61, index:0x0\nNOP.wait0\n"

static const struct {
   const char *what, *text;
   bool buffer;
   float value[4]; /* of pixels (2, 2), (13, 2), (2, 13), (13, 13) */
} samples[] = {
   { "level zero",
     UV HANDLE
     "TEX_SINGLE.slot0.f.32.2d.zero @r4:r5:r6:r7, @r0:r1, r8\nNOP.wait0\nMOV.i32 r0, r4\n",
     false,
     { 1, 2, 3, 4 } },
   { "computed",
     UV HANDLE "TEX_SINGLE.slot0.f.32.g.2d.computed @r4, @r0:r1, r8\nNOP.wait0\nMOV.i32 r0, r4\n",
     false,
     { 11, 12, 13, 14 } },
   { "halves",
     UV HANDLE
     "TEX_SINGLE.slot0.f.16.2d.zero @r4:r5, @r0:r1, r8\nNOP.wait0\nF16_TO_F32 r0, r5.h1\n",
     false,
     { 31, 32, 33, 34 } },
   { "wide",
     UV "IADD_IMM.i32 r8, 0x0, #0x3000000\nIADD_IMM.i32 r9, 0x0, #0x4000000\n"
        "TEX_SINGLE.slot0.f.32.2d.wide_indices.zero @r4:r5:r6:r7, @r0:r1, r8\nNOP.wait0\nMOV.i32 "
        "r0, r4\n",
     false,
     { 1, 2, 3, 4 } },
   { "by lane",
     UV "MOV.i32 r8, u1\nMOV.i32 r9, 0x0\n"
        "TEX_SINGLE.slot0.f.32.2d.zero @r4:r5:r6:r7, @r0:r1, r8\nNOP.wait0\nMOV.i32 r0, r4\n",
     false,
     { 1, 2, 3, 4 } },
   { "gather",
     UV HANDLE
     "TEX_GATHER.slot0.f.32.2d.gather4_b @r4:r5:r6:r7, @r0:r1, r8\nNOP.wait0\nMOV.i32 r0, r4\n",
     false,
     { 21, 22, 23, 24 } },
   { "fetch",
     "U16_TO_U32 r0, r59.h00\nIADD_IMM.i32 r10, 0x0, #0x3\nRSHIFT_AND.i32 r0, r0, r10.b00, "
     "0x0.not\nMOV.i32 r1, 0x0\n" HANDLE
     "TEX_FETCH.slot0.f.32.2d @r4:r5:r6:r7, @r0:r1, r8\nNOP.wait0\nMOV.i32 r0, r4\n",
     false,
     { 1, 2, 1, 2 } },
   { "texture buffer",
     "U16_TO_U32 r0, r59.h00\nIADD_IMM.i32 r10, 0x0, #0x2\nRSHIFT_AND.i32 r0, r0, r10.b00, "
     "0x0.not\n" HANDLE
     "TEX_FETCH.slot0.f.32.1d @r4:r5:r6:r7, @r0, r8\nNOP.wait0\nMOV.i32 r0, r4\n",
     true,
     { 1, 4, 1, 4 } },
   { "record",
     "IADD_IMM.i32 r4, 0x0, #0x4\nIADD_IMM.i32 r5, 0x0, #0x8000000\n"
     "LD_BUFFER.i32.unsigned.slot0 @r0, r4, r5\nNOP.wait0\nU32_TO_F32 r0, r0\n",
     false,
     { 2, 2, 2, 2 } },
   { "two", /* the same texture, and none */
     UV HANDLE
     "MOV.i32 r9, r8\n"
     "TEX_DUAL.slot0.f.32.32.2d.zero @r12:r13:r14:r15:r16:r17:r18:r19, @r0:r1, r8\nNOP.wait0\n"
     "FADD.f32 r0, r12, r17\n",
     false,
     { 12, 14, 16, 18 } },
   { "two, of which one is none",
     UV HANDLE
     "TEX_DUAL.slot0.f.32.32.2d.zero @r12:r13:r14:r15:r16:r17:r18:r19, @r0:r1, r8\nNOP.wait0\n"
     "FADD.f32 r0, r12, r17\n",
     false,
     { 1, 2, 3, 4 } },
   { "two, halves and words, by lane",
     UV "MOV.i32 r8, u1\nMOV.i32 r9, u1\n"
        "TEX_DUAL.slot0.f.16.32.2d.zero @r12:r13:r14:r15:r16:r17, @r0:r1, r8\nNOP.wait0\n"
        "F16_TO_F32 r0, r13.h0\nFADD.f32 r0, r0, r14\n",
     false,
     { 22, 24, 26, 28 } },
   { "at a parameter",
     HANDLE "MOV.i32 r10, 0x0\n"
            "VAR_TEX_BUF_SINGLE.slot0.center_store.f.32.2d.zero @r0:r1:r2:r3, r8, r10\n"
            "NOP.wait0\n",
     false,
     { 1, 2, 3, 4 } },
   { "at a parameter by its handle, halves",
     HANDLE "IADD_IMM.i32 r10, 0x0, #0x1000000\n"
            "VAR_TEX_SINGLE.slot0.center_store.f.16.2d.computed @r4:r5, r8, r10\n"
            "NOP.wait0\nF16_TO_F32 r0, r5.h1\n",
     false,
     { 31, 32, 33, 34 } },
   { "at a parameter by lane",
     HANDLE "MOV.i32 r10, u2\n"
            "VAR_TEX_BUF_SINGLE.slot0.center_store.f.32.2d.zero @r0:r1:r2:r3, r8, r10\n"
            "NOP.wait0\n",
     false,
     { 1, 2, 3, 4 } },
   { "gather at a parameter",
     HANDLE "MOV.i32 r10, 0x0\n"
            "VAR_TEX_BUF_GATHER.slot0.center_store.f.32.2d.gather4_b @r0:r1:r2:r3, r8, r10\n"
            "NOP.wait0\n",
     false,
     { 21, 22, 23, 24 } },
   { "two at a parameter",
     HANDLE "MOV.i32 r9, r8\nMOV.i32 r10, 0x0\n"
            "VAR_TEX_BUF_DUAL.slot0.center_store.f.32.32.2d.zero "
            "@r12:r13:r14:r15:r16:r17:r18:r19, r8, r10\n"
            "NOP.wait0\nFADD.f32 r0, r12, r18\n",
     false,
     { 22, 24, 26, 28 } },
   /* One texel spans 8 pixels: 1/8 of a texel a pixel, 2^-3. */
   { "level of a parameter",
     HANDLE "MOV.i32 r10, 0x0\n"
            "VAR_TEX_BUF_GRADIENT.slot0.center_store.u.32.2d.lod_clamp_disable @r4:r5, r8, r10\n"
            "NOP.wait0\nS16_TO_F32 r0, r4.h00\n",
     false,
     { -768, -768, -768, -768 } },
   { "no such texture",
     UV "IADD_IMM.i32 r8, 0x0, #0x27ff1800\nIADD_IMM.i32 r9, 0x0, #0x0\n"
        "TEX_SINGLE.slot0.f.32.2d.zero @r4:r5:r6:r7, @r0:r1, r8\nNOP.wait0\nMOV.i32 r0, r4\n",
     false,
     { 0, 0, 0, 0 } },
};

static void
textures(void **state)
{
   struct door d = door_begin();

   for (unsigned n = 0; n < sizeof(samples) / sizeof(*samples); n++) {
      static const uint8_t at[4][2] = { { 2, 2 }, { 13, 2 }, { 2, 13 }, { 13, 13 } };
      struct ib ib = { 0 };
      char text[1024];

      snprintf(text, sizeof(text),
               "%sNOP.wait\nBLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, "
               "target:0x0\n",
               samples[n].text);
      place(&d, VS_AT, vertex);
      place(&d, PS_AT, text);
      state_of(&d, &ib, DI_PT_TRILIST);
      big_triangle(&d, &ib, 1);
      d.mem[CONST_AT / 4 + 1] = 0x20001800;
      texture(&d, &ib, samples[n].buffer);
      draw(&ib, 3);
      door_run(&d, &ib);
      for (unsigned k = 0; k < 4; k++) {
         const float value = pixel(&d, at[k][0], at[k][1])[0];
         if (value != samples[n].value[k]) {
            char said[4096] = "";
            atoll_device_messages(atoll_device_get(), said, sizeof(said));
            fail_msg("%s: pixel %u is %g; %s", samples[n].what, k, value, said);
         }
      }
   }
   door_end(&d);
}

/* Programs that must not hurt: each is followed by a draw that works. */
static void
hostile(void **state)
{
   static const char *const programs[] = {
      "BRANCHZ.reconverge.eq 0x0, offset:-1\nNOP.end\n",
      ".word 0xffffffffffffffff\n",
      "FRCP_APPROX.f32 r0, r0\nNOP.end\n",
      "MOV.i32 r0, r0\n",
   };
   static const char *const said[] = { "budget of instructions", "draw dropped",
                                       "no document says which values it gives", "draw dropped" };
   struct door d = door_begin();

   for (unsigned n = 0; n < sizeof(programs) / sizeof(*programs); n++) {
      struct ib ib = { 0 };

      memset((uint8_t *)d.mem + VS_AT, 0xff, PS_AT - VS_AT);
      place(&d, VS_AT, programs[n]);
      place(&d, PS_AT, "NOP.end\n");
      state_of(&d, &ib, DI_PT_TRILIST);
      draw(&ib, 3);
      door_run(&d, &ib);
      if (!door_said(said[n]))
         fail_msg("program %u: nothing said of %s", n, said[n]);
   }
   door_end(&d);
   picture(state);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(picture),  cmocka_unit_test(inputs),  cmocka_unit_test(discards),
      cmocka_unit_test(textures), cmocka_unit_test(hostile),
   };

   setenv("ATOLL_ISA", "valhall", 1);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
