/* SPDX-License-Identifier: MIT */
/*
 * What Valhall's pixel programs read and store at the pixels they are at, the blend programs they
 * call, and stores to vertex elements (docs/valhall-chip.rst).  Values are worked out by hand.
 */
#include <math.h>
#include <stdio.h>

#include "valhall_picture.h"

#define SECOND_AT 0x8000u /* target 1, depth, or a target of bytes */
#define BLEND_AT  0x2000u /* addresses of blend programs, and these */

/* Pixel indices: this pixel's sample 0 of target 0. */
#define HERE "IADD_IMM.i32 r8, 0x0, #0xff000000\n"
#define GIVE \
   "NOP.wait\nBLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n"
#define LOAD  "NOP.wait\nLD_TILE.v4.f32.slot0 @r0:r1:r2:r3, r8, r60, 0x0\nNOP.wait0\n"
#define STORE "NOP.wait\nST_TILE.v4.f32.slot0 @r0:r1:r2:r3, r8, r60, 0x0\n"
#define END   "NOP.end\n"

static void
begin(struct door *d, struct ib *ib, const char *text)
{
   place(d, VS_AT, vertex);
   place(d, PS_AT, text);
   state_of(d, ib, DI_PT_TRILIST);
   big_triangle(d, ib, 1);
}

static void
fail_at(const char *what, unsigned x, unsigned y, double is, double wanted)
{
   char said[4096] = "";

   atoll_device_messages(atoll_device_get(), said, sizeof(said));
   fail_msg("%s: pixel %u, %u is %g, not %g; %s", what, x, y, is, wanted, said);
}

/* What pixel (x, y) of the picture holds before. */
static float
old(unsigned x, unsigned y)
{
   return (float)(x + SIZE * y);
}

static void
fill_picture(struct door *d, uint32_t at)
{
   for (unsigned n = 0; n < SIZE * SIZE; n++) {
      const float p[4] = { (float)n, 1, 2, 3 };
      memcpy(floats(d, at) + 4 * n, p, sizeof(p));
   }
}

/* A draw of three triangles that lie on each other, and one more in the same pass: every pixel
 * sees what the one before left. */
static void
in_order(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   static float corner[3][8];

   begin(&d, &ib, HERE LOAD "FADD.f32 r0, r0, 0x3F800000\n" GIVE);
   memcpy(corner, floats(&d, VERTEX_AT), sizeof(corner));
   for (unsigned n = 1; n < 3; n++)
      memcpy(floats(&d, VERTEX_AT) + n * 24, corner, sizeof(corner));
   buffer_resource(&ib, 992, VERTEX_AT, 3 * 96, 32);
   fill_picture(&d, COLOR_AT);
   draw(&ib, 9);
   draw(&ib, 3);
   door_run(&d, &ib);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const float *p = pixel(&d, x, y);

         if (p[0] != old(x, y) + 4 || p[1] != 1 || p[2] != 2 || p[3] != 3)
            fail_at("in order", x, y, (double)p[0], (double)old(x, y) + 4);
      }
   }
   door_end(&d);
}

/* Target 0 is SIZE x SIZE pixels of four bytes, of `samples` samples. */
static void
bytes_picture(struct ib *ib, uint32_t number, uint32_t log2_samples)
{
   context(ib, R_CB_COLOR0_BASE, (uint32_t)((VA_BASE + SECOND_AT) >> 8));
   context(ib, R_CB_COLOR0_INFO,
           REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_8_8_8_8) |
              REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, number) |
              REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED));
   context(ib, R_CB_COLOR0_ATTRIB,
           REG_FIELD(CB_COLOR0_ATTRIB, NUM_SAMPLES, log2_samples) |
              REG_FIELD(CB_COLOR0_ATTRIB, NUM_FRAGMENTS, log2_samples));
}

static const struct {
   const char *what, *text;
   uint32_t number, mask;
   uint8_t left[4], right[4]; /* pixels (2, 5) and (13, 5); before: 51, 102, 204, 255 */
} stores[] = {
   /* 127.5 and 63.75, to nearest even. */
   { "floats",
     "MOV.i32 r0, u0\nMOV.i32 r1, 0x3F800000\nMOV.i32 r2, 0x0\nMOV.i32 r3, u1\n" HERE STORE END,
     NUMBER_UNORM,
     15,
     { 128, 255, 0, 64 },
     { 128, 255, 0, 64 } },
   { "under a mask",
     "MOV.i32 r0, u0\nMOV.i32 r1, 0x3F800000\nMOV.i32 r2, 0x0\nMOV.i32 r3, u1\n" HERE STORE END,
     NUMBER_UNORM,
     5,
     { 128, 102, 0, 255 },
     { 128, 102, 0, 255 } },
   { "halves",
     "MOV.i32 r0, u2\nMOV.i32 r1, u3\n" HERE
     "NOP.wait\nST_TILE.v4.f16.slot0 @r0:r1, r8, r60, 0x0\n" END,
     NUMBER_UNORM,
     15,
     { 128, 255, 0, 64 },
     { 128, 255, 0, 64 } },
   { "integers",
     "MOV.i32 r0, u4\nMOV.i32 r1, u5\n" HERE
     "NOP.wait\nST_TILE.v2.u32.slot0 @r0:r1, r8, r60, 0x0\n" END,
     NUMBER_UINT,
     15,
     { 7, 255, 0, 0 },
     { 7, 255, 0, 0 } },
   /* 51 + 7 and so on; 255 + 7 saturates. */
   { "integers of 16 bits",
     HERE "NOP.wait\nLD_TILE.v4.u16.slot0 @r0:r1, r8, r60, 0x0\nNOP.wait0\n"
          "IADD.v2u16 r0, r0, u6\nIADD.v2u16 r1, r1, u6\n"
          "NOP.wait\nST_TILE.v4.u16.slot0 @r0:r1, r8, r60, 0x0\n" END,
     NUMBER_UINT,
     15,
     { 58, 109, 211, 255 },
     { 58, 109, 211, 255 } },
   /* Half of 51 is 25.5, of 255 127.5. */
   { "loaded",
     HERE LOAD
     "FMA.f32 r0, r0, u0, 0x0.neg\nFMA.f32 r1, r1, u0, 0x0.neg\nFMA.f32 r2, r2, u0, 0x0.neg\n"
     "FMA.f32 r3, r3, u0, 0x0.neg\n" GIVE,
     NUMBER_UNORM,
     15,
     { 26, 51, 102, 128 },
     { 26, 51, 102, 128 } },
   /* 0.5 is 128 there, which is 0.5019608 as it comes back: 0.0019608 more. */
   { "of its own store",
     "MOV.i32 r0, u0\nMOV.i32 r1, 0x0\nMOV.i32 r2, 0x0\nMOV.i32 r3, 0x0\n" HERE STORE LOAD
     "FADD.f32 r0, r0, u0.neg\nFMA.f32 r0, r0, u7, 0x0.neg\n" STORE END,
     NUMBER_UNORM,
     15,
     { 128, 0, 0, 0 },
     { 128, 0, 0, 0 } },
   /* Coverage is 0 on the left. */
   { "without coverage",
     "U16_TO_U32 r9, r59.h00\nIADD_IMM.i32 r10, 0x0, #0x3\nRSHIFT_AND.i32 r9, r9, r10.b00, "
     "0x0.not\n"
     "MOV.i32 r0, 0x0\nMOV.i32 r1, 0x0\nMOV.i32 r2, 0x0\nMOV.i32 r3, 0x0\n" HERE
     "NOP.wait\nST_TILE.v4.f32.slot0 @r0:r1:r2:r3, r8, r9, 0x0\n"
     "NOP.wait\nLD_TILE.v4.f32.slot0 @r0:r1:r2:r3, r8, r60, 0x0\nNOP.wait0\n" STORE END,
     NUMBER_UNORM,
     15,
     { 51, 102, 204, 255 },
     { 0, 0, 0, 0 } },
   { "of another pixel",
     "IADD_IMM.i32 r8, 0x0, #0x01000000\nMOV.i32 r0, u0\nMOV.i32 r1, u0\nMOV.i32 r2, u0\n"
     "MOV.i32 r3, u0\n" STORE LOAD HERE STORE END,
     NUMBER_UNORM,
     15,
     { 0, 0, 0, 0 },
     { 0, 0, 0, 0 } },
   { "beyond the targets",
     "IADD_IMM.i32 r8, 0x0, #0xff00fd00\nMOV.i32 r0, u0\nMOV.i32 r1, u0\nMOV.i32 r2, u0\n"
     "MOV.i32 r3, u0\n" STORE LOAD HERE STORE END,
     NUMBER_UNORM,
     15,
     { 0, 0, 0, 0 },
     { 0, 0, 0, 0 } },
   /* A discarded pixel stores nothing. */
   { "discarded",
     "U16_TO_F32 r9, r59.h00\nMOV.i32 r0, 0x0\nMOV.i32 r1, 0x0\nMOV.i32 r2, 0x0\nMOV.i32 r3, "
     "0x0\n" HERE STORE "DISCARD.f32.lt r9, u8\n" END,
     NUMBER_UNORM,
     15,
     { 51, 102, 204, 255 },
     { 0, 0, 0, 0 } },
};

/* u0 ... of the cases above. */
static void
fill_constants(struct door *d)
{
   static const uint32_t u[9] = { 0x3f000000, 0x3e800000, 0x3c003800, 0x34000000, 7,
                                  1000,       0x00070007, 0x437f0000, 0x41000000 };

   memcpy(floats(d, CONST_AT), u, sizeof(u));
}

static void
stored(void **state)
{
   struct door d = door_begin();

   for (unsigned n = 0; n < sizeof(stores) / sizeof(*stores); n++) {
      uint8_t *picture = (uint8_t *)d.mem + SECOND_AT;
      struct ib ib = { 0 };

      begin(&d, &ib, stores[n].text);
      bytes_picture(&ib, stores[n].number, 0);
      context(&ib, R_CB_TARGET_MASK, stores[n].mask);
      fill_constants(&d);
      for (unsigned i = 0; i < SIZE * SIZE; i++)
         memcpy(picture + 4 * i, (uint8_t[]){ 51, 102, 204, 255 }, 4);
      draw(&ib, 3);
      door_run(&d, &ib);
      for (unsigned c = 0; c < 4; c++) {
         const uint8_t left = picture[4 * (5 * SIZE + 2) + c];
         const uint8_t right = picture[4 * (5 * SIZE + 13) + c];

         if (left != stores[n].left[c])
            fail_at(stores[n].what, 2, 5, left, stores[n].left[c]);
         if (right != stores[n].right[c])
            fail_at(stores[n].what, 13, 5, right, stores[n].right[c]);
      }
   }
   door_end(&d);
}

/* Depth is 0 on the left and 1 on the right; what is drawn is at 0. */
static void
depth_of(struct door *d, struct ib *ib)
{
   for (unsigned n = 0; n < SIZE * SIZE; n++)
      floats(d, SECOND_AT)[n] = n % SIZE < 8 ? 0 : 1;
   context(ib, R_DB_Z_INFO, REG_FIELD(DB_Z_INFO, FORMAT, DB_Z_32_FLOAT));
   context(ib, R_DB_Z_READ_BASE, (uint32_t)((VA_BASE + SECOND_AT) >> 8));
   context(ib, R_DB_Z_WRITE_BASE, (uint32_t)((VA_BASE + SECOND_AT) >> 8));
   context(ib, R_DB_DEPTH_SIZE,
           REG_FIELD(DB_DEPTH_SIZE, PITCH_TILE_MAX, SIZE / 8 - 1) |
              REG_FIELD(DB_DEPTH_SIZE, HEIGHT_TILE_MAX, SIZE / 8 - 1));
   context(ib, R_DB_DEPTH_SLICE, SIZE * SIZE / 64 - 1);
   context(ib, R_DB_SHADER_CONTROL, REG_FIELD(DB_SHADER_CONTROL, Z_ORDER, DB_LATE_Z));
   context(ib, R_DB_DEPTH_CONTROL,
           REG_FIELD(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
              REG_FIELD(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, 1) |
              REG_FIELD(DB_DEPTH_CONTROL, ZFUNC, COMPARE_LESS));
}

/* Tests after the program keep back what it stored; it reads the depth from before them. */
static void
behind_tests(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   begin(&d, &ib,
         "IADD_IMM.i32 r8, 0x0, #0xff00ff00\n" LOAD "MOV.i32 r1, 0x3F800000\n" HERE STORE END);
   depth_of(&d, &ib);
   fill_picture(&d, COLOR_AT);
   draw(&ib, 3);
   door_run(&d, &ib);
   for (unsigned y = 0; y < SIZE; y++) {
      for (unsigned x = 0; x < SIZE; x++) {
         const float *p = pixel(&d, x, y), wanted = x < 8 ? old(x, y) : 1;

         if (p[0] != wanted || p[3] != (x < 8 ? 3 : 0))
            fail_at("behind tests", x, y, (double)p[0], (double)wanted);
         assert_true(floats(&d, SECOND_AT)[y * SIZE + x] == 0);
      }
   }
   door_end(&d);
}

/* Four samples: what sample 1 had goes to sample 2. */
static void
samples(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   uint8_t *picture = (uint8_t *)d.mem + SECOND_AT;

   begin(&d, &ib,
         "IADD_IMM.i32 r8, 0x0, #0xff000001\n" LOAD
         "IADD_IMM.i32 r8, 0x0, #0xff000002\n" STORE END);
   bytes_picture(&ib, NUMBER_UNORM, 2);
   context(&ib, R_PA_SC_AA_CONFIG, REG_FIELD(PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES, 2));
   context(&ib, R_PA_SC_MODE_CNTL_0, REG_FIELD(PA_SC_MODE_CNTL_0, MSAA_ENABLE, 1));
   context(&ib, R_PA_SC_AA_MASK_X0Y0_X1Y0, ~0u);
   context(&ib, R_PA_SC_AA_MASK_X0Y1_X1Y1, ~0u);
   for (unsigned n = 0; n < SIZE * SIZE; n++)
      for (unsigned s = 0; s < 4; s++)
         memcpy(picture + 16 * n + 4 * s,
                (uint8_t[]){ (uint8_t)n, (uint8_t)s, (uint8_t)(n ^ s), 9 }, 4);
   draw(&ib, 3);
   door_run(&d, &ib);
   for (unsigned n = 0; n < SIZE * SIZE; n++) {
      for (unsigned s = 0; s < 4; s++) {
         const uint8_t *is = picture + 16 * n + 4 * s;
         const unsigned from = s == 2 ? 1 : s;

         if (is[0] != n || is[1] != from || is[2] != (n ^ from) || is[3] != 9)
            fail_at("samples", n % SIZE, n / SIZE, is[1], from);
      }
   }
   door_end(&d);
}

/* ---- Blend programs ---- */

/* Calls as panfrost makes them: the colour of target 0, and then that of target 1. */
#define CALL_0                                                                 \
   "NOP.wait\n"                                                                \
   "BLEND.slot0.v4.f32 @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x2\n" \
   "IADD_IMM.i32 r48, program_counter.w0, #0x8\n"                              \
   "BRANCHZI.eq.absolute 0x0, blend_descriptor_0.w1\n"
#define CALL_1                                                                     \
   "NOP.wait\n"                                                                    \
   "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_1.w0, r60, target:0x0\n" \
   "IADD_IMM.i32 r48, 0x0, #0x0\n"                                                 \
   "BRANCHZI.eq.absolute 0x0, blend_descriptor_1.w1\n"
#define RETURN "BRANCHZI.absolute r48, r48\n" END
#define COLOR(value) \
   "IADD_IMM.i32 r0, 0x0, #" value "\nMOV.i32 r1, 0x0\nMOV.i32 r2, 0x0\nMOV.i32 r3, 0x0\n"

/* Source plus twice what is there, stored; and the product, handed over. */
static const char add_twice[] =
   "IADD_IMM.i32 r8, 0x0, #0xff000000\n"
   "NOP.wait\nLD_TILE.v4.f32.slot0 @r4:r5:r6:r7, r8, r60, 0x0\nNOP.wait0\n"
   "FADD.f32 r4, r4, r4\nFADD.f32 r0, r0, r4\n" STORE RETURN;
static const char multiply[] =
   "IADD_IMM.i32 r8, 0x0, #0xff000100\n"
   "NOP.wait\nLD_TILE.v4.f32.slot0 @r4:r5:r6:r7, r8, r60, 0x0\nNOP.wait0\n"
   "FMA.f32 r0, r0, r4, 0x0.neg\nIADD_IMM.i32 r10, 0x0, #0x1\nIADD_IMM.i32 r11, 0x0, #0x0\n"
   "NOP.wait\nBLEND.slot0.v4.f32 @r0:r1:r2:r3, r10, r60, target:0x0\n" RETURN;

static void
blend_state(struct door *d, struct ib *ib, bool first, bool second)
{
   const uint32_t table = BLEND_AT, one = BLEND_AT + 0x40, two = BLEND_AT + 0x200;

   memset((uint8_t *)d->mem + table, 0, 32);
   d->mem[table / 4] = first ? (uint32_t)VA_BASE + one : 0;
   d->mem[table / 4 + 1] = second ? (uint32_t)VA_BASE + two : 0;
   place(d, one, add_twice);
   place(d, two, multiply);
   context(ib, R_SQ_PGM_START_BLEND, (uint32_t)((VA_BASE + table) >> 8));
   context(ib, R_CB_COLOR0_BASE + 0x3c, (uint32_t)((VA_BASE + SECOND_AT) >> 8));
   context(ib, R_CB_COLOR0_PITCH + 0x3c, SIZE / 8 - 1);
   context(ib, R_CB_COLOR0_SLICE + 0x3c, SIZE * SIZE / 64 - 1);
   context(ib, R_CB_COLOR0_INFO + 0x3c,
           REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_32_32_32_32_FLOAT) |
              REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_FLOAT) |
              REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED));
   context(ib, R_CB_TARGET_MASK, 0xff);
   context(ib, R_CB_SHADER_MASK, 0xff);
   fill_picture(d, COLOR_AT);
   fill_picture(d, SECOND_AT);
}

static void
blend_programs(void **state)
{
   struct door d = door_begin();

   for (unsigned which = 0; which < 4; which++) {
      const bool first = which & 1, second = which >> 1;
      struct ib ib = { 0 };

      /* 5.0 and 7.0 */
      begin(&d, &ib, COLOR("0x40A00000") CALL_0 COLOR("0x40E00000") CALL_1);
      blend_state(&d, &ib, first, second);
      draw(&ib, 3);
      door_run(&d, &ib);
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            const float *p = pixel(&d, x, y);
            const float *q = floats(&d, SECOND_AT + (y * SIZE + x) * 16);
            const float wanted[2] = { first ? 5 + 2 * old(x, y) : 5, second ? 7 * old(x, y) : 7 };

            if (p[0] != wanted[0] || p[1] != 0)
               fail_at("target 0", x, y, (double)p[0], (double)wanted[0]);
            if (q[0] != wanted[1] || q[1] != 0)
               fail_at("target 1", x, y, (double)q[0], (double)wanted[1]);
         }
      }
   }
   door_end(&d);
}

/* Some lanes call and others do not; and the program is another when the table is. */
static void
some_call(void **state)
{
   struct door d = door_begin();

   for (unsigned which = 0; which < 2; which++) {
      struct ib ib = { 0 };

      begin(&d, &ib,
            "U16_TO_U32 r9, r59.h00\nIADD_IMM.i32 r10, 0x0, #0x3\n"
            "RSHIFT_AND.i32 r9, r9, r10.b00, 0x0.not\n" /* 1 on the right */
            COLOR("0x40A00000") HERE STORE
            "IADD_IMM.i32 r48, program_counter.w0, #0x8\n"
            "BRANCHZI.absolute.reconverge r9, blend_descriptor_0.w1\n"
            "FADD.f32 r0, r0, 0x3F800000\n" HERE STORE END);
      blend_state(&d, &ib, true, false);
      if (which)
         d.mem[BLEND_AT / 4] = (uint32_t)VA_BASE + BLEND_AT + 0x200; /* 5 times target 1 */
      context(&ib, R_CB_TARGET_MASK, 15);
      draw(&ib, 3);
      door_run(&d, &ib);
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            /* It reads its own 5, adds twice that, and the caller one. */
            const float called = which ? 5 * old(x, y) + 1 : 16, wanted = x < 8 ? 6 : called;

            if (pixel(&d, x, y)[0] != wanted)
               fail_at("some call", x, y, (double)pixel(&d, x, y)[0], (double)wanted);
         }
      }
   }
   door_end(&d);
}

/* Calls to where nothing begins are faults. */
static void
hostile(void **state)
{
   static const struct {
      const char *text, *said;
   } cases[] = {
      { "BRANCHZI.absolute 0x3F800000, r59\n" END, "a call goes to where no program begins" },
      { "BRANCHZI.absolute 0x3F800000, 0x3F800000\n" END, "a branch leaves the program" },
      { "IADD_IMM.i32 r9, 0x0, #0xffffffff\nBRANCHZI 0x3F800000, r9\n" END,
        "a branch leaves the program" },
      { "IADD_IMM.i32 r48, program_counter.w0, #0x0\nBRANCHZI.absolute 0x3F800000, r48\n" END,
        "a branch leaves the program" },
      /* A return to the call, for ever. */
      { "IADD_IMM.i32 r48, program_counter.w0, #0x8\n"
        "BRANCHZI.absolute 0x3F800000, blend_descriptor_0.w1\n"
        "BRANCHZI.absolute 0x3F800000, r48\n" END,
        "budget of instructions" },
   };
   struct door d = door_begin();

   for (unsigned n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
      struct ib ib = { 0 };

      begin(&d, &ib, cases[n].text);
      blend_state(&d, &ib, true, true);
      draw(&ib, 3);
      door_run(&d, &ib);
      if (!door_said(cases[n].said)) {
         char said[4096] = "";
         atoll_device_messages(atoll_device_get(), said, sizeof(said));
         fail_msg("case %u: nothing said of %s; %s", n, cases[n].said, said);
      }
   }
   door_end(&d);
}

/* ---- Vertex elements ---- */

/* A vertex program stores its position to another element's buffer, floats and bytes; one element
 * lies beyond its buffer. */
static void
elements(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   const uint8_t *bytes = (const uint8_t *)d.mem + OUT_AT + 0x100;

   place(&d, VS_AT,
         "LD_ATTR_IMM.v4.auto.slot0 @r0:r1:r2:r3, r60, r61, index:0x0, table:0x1\n"
         "LEA_ATTR_IMM.slot1 @r4:r5:r6, r60, r61, table:0x1, index:0x2\n"
         "IADD_IMM.i32 r8, 0x0, #0x1000003\n"
         "LEA_ATTR.slot2.wait01 @r12:r13:r14, r60, r61, r8\n"
         "NOP.wait2\n"
         "ST_CVT.slot0.v4.f32 @r0:r1:r2:r3, r4, r6, offset:0x0\n"
         "ST_CVT.slot1.v4.f32 @r0:r1:r2:r3, r12, r14, offset:0x0\n"
         "NOP.wait01\nNOP.end\n");
   place(&d, PS_AT, END);
   state_of(&d, &ib, DI_PT_TRILIST);
   big_triangle(&d, &ib, 1);
   element(&d, 2, 16, 0);
   element(&d, 3, 4, 0);
   d.mem[FS_AT / 4 + 16] |= 1 << 8;
   d.mem[FS_AT / 4 + 24] |= 2 << 8;
   /* Signed bytes, blue first. */
   d.mem[FS_AT / 4 + 25] = FORMAT_R8G8B8A8 | CONVERT_NORM << 8 | 1u << 10 | 1u << 11 |
                           SWIZZLE_Z << 20 | SWIZZLE_Y << 23 | SWIZZLE_X << 26 |
                           (uint32_t)SWIZZLE_W << 29;
   memset((uint8_t *)d.mem + OUT_AT, 0, 0x200);
   buffer_resource(&ib, 993, OUT_AT, 80, 32); /* the third ends within element 2 */
   buffer_resource(&ib, 994, OUT_AT + 0x100, 24, 8);
   draw(&ib, 3);
   door_run(&d, &ib);
   static const float wanted[24] = { [4] = -1, -1, 0, 1, [12] = 3, -1, 0, 1 };
   for (unsigned n = 0; n < 24; n++)
      if (floats(&d, OUT_AT)[n] != wanted[n])
         fail_at("element 2", n % 8, n / 8, (double)floats(&d, OUT_AT)[n], (double)wanted[n]);
   /* (-1, -1, 0, 1), (3, -1, 0, 1), (-1, 3, 0, 1): x where blue is */
   static const uint8_t as_bytes[24] = { [4] = 0, 0x81, 0x81,     127, [12] = 0, 0x81,
                                         127,     127,  [20] = 0, 127, 0x81,     127 };
   for (unsigned n = 0; n < 24; n++)
      if (bytes[n] != as_bytes[n])
         fail_at("element 3", n % 8, n / 8, bytes[n], as_bytes[n]);
   door_end(&d);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_order), cmocka_unit_test(stored),    cmocka_unit_test(behind_tests),
      cmocka_unit_test(samples),  cmocka_unit_test(some_call), cmocka_unit_test(blend_programs),
      cmocka_unit_test(hostile),  cmocka_unit_test(elements),
   };

   setenv("ATOLL_ISA", "valhall", 1);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
