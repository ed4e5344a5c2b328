/* SPDX-License-Identifier: MIT */
/*
 * ATTILA programs drawn by the device (docs/attila-chip.rst): a triangle over 8 x 8 pixels of four
 * floats.  What a pixel program writes is worked out by hand for each pixel.
 *
 * Constants: c0 1/8, c1 (1, 2, 3, 4), c2 4, c3 (25, 1, 3, 0); c256 to c259 the same and 100.
 * Unit 0 has 2 x 2 texels, of x 10, 20, 30 and 40, and a level 1 of 100; unit 1 has a cube map of
 * one texel a face, 1 to 6.
 */
#include <stdlib.h>

#include "isa/isa.h"
#include "state.h"

#define SIZE       8u
#define VS_AT      0x0000u
#define PS_AT      0x1000u
#define LOWER_AT   0x2000u
#define UPPER_AT   0x2100u
#define ELEMENT_AT 0x2200u
#define VERTEX_AT  0x2300u
#define DEPTH_AT   0x2400u
#define TEXTURE_AT 0x3000u /* level 1 0x800 later */
#define CUBE_AT    0x4000u
#define COLOR_AT   0x8000u
#define PITCH      64u /* texels, of what is linear */

#define UNTOUCHED (-1.0f)

static void
assemble(struct door *d, uint32_t at, const char *text)
{
   struct isa_binary out;
   struct isa_error error;

   if (!isa_attila.assemble(text, strlen(text), NULL, &out, &error))
      fail_msg("%s\nline %u: %s", text, error.line, error.text);
   memcpy((uint8_t *)d->mem + at, out.words, 4 * out.num_dwords);
   free(out.words);
   free(out.before);
}

static void
fill(struct door *d)
{
   static const float constants[4][4] = {
      { .125f, .125f, .125f, .125f }, { 1, 2, 3, 4 }, { 4, 4, 4, 4 }, { 25, 1, 3, 0 }
   };
   static const float vertices[3][4] = { { -1, -1, .25f, 1 },
                                         { 3, -1, .25f, 1 },
                                         { -1, 3, .25f, 1 } };
   static const float texels[2][2] = { { 10, 20 }, { 30, 40 } };
   float *mem = (float *)d->mem;

   for (unsigned n = 0; n < 16; n++) {
      mem[LOWER_AT / 4 + n] = constants[n / 4][n % 4];
      mem[UPPER_AT / 4 + n] = constants[n / 4][n % 4] + 100;
   }
   memcpy(mem + VERTEX_AT / 4, vertices, sizeof(vertices));
   /* Buffer 0, no offset, x y z w of four floats. */
   d->mem[ELEMENT_AT / 4] = 5;
   d->mem[ELEMENT_AT / 4 + 1] =
      FORMAT_R32G32B32A32_FLOAT | 0u << 20 | 1u << 23 | 2u << 26 | 3u << 29;
   for (unsigned n = 2; n < 8; n++)
      d->mem[ELEMENT_AT / 4 + n] = 0;
   for (unsigned y = 0; y < 2; y++)
      for (unsigned x = 0; x < 2; x++)
         mem[TEXTURE_AT / 4 + 4 * (PITCH * y + x)] = texels[y][x];
   mem[(TEXTURE_AT + 0x800) / 4] = 100;
   for (unsigned f = 0; f < 6; f++)
      mem[CUBE_AT / 4 + 4 * PITCH * f] = (float)(f + 1);
   for (unsigned n = 0; n < SIZE * PITCH * 4; n++)
      mem[COLOR_AT / 4 + n] = UNTOUCHED;
   for (unsigned n = 0; n < SIZE * SIZE; n++)
      mem[DEPTH_AT / 4 + n] = .5f;
}

static void
texture(struct ib *ib, unsigned resource, unsigned sampler, unsigned dim, unsigned size,
        unsigned levels, unsigned layers, uint32_t at)
{
   IB_ADD(ib, PM4_SET_RESOURCE, 8 * resource,
          REG_FIELD(TEX_WORD0, DIM, dim) | REG_FIELD(TEX_WORD0, PITCH, PITCH / 8 - 1) |
             REG_FIELD(TEX_WORD0, TEX_WIDTH, size - 1),
          REG_FIELD(TEX_WORD1, TEX_HEIGHT, size - 1) |
             REG_FIELD(TEX_WORD1, ARRAY_MODE, ARRAY_LINEAR_ALIGNED),
          (uint32_t)((VA_BASE + at) >> 8), (uint32_t)((VA_BASE + at + 0x800) >> 8),
          REG_FIELD(TEX_WORD4, DST_SEL_X, SQ_SEL_X) | REG_FIELD(TEX_WORD4, DST_SEL_Y, SQ_SEL_Y) |
             REG_FIELD(TEX_WORD4, DST_SEL_Z, SQ_SEL_Z) | REG_FIELD(TEX_WORD4, DST_SEL_W, SQ_SEL_W),
          REG_FIELD(TEX_WORD5, LAST_LEVEL, levels - 1) |
             REG_FIELD(TEX_WORD5, LAST_ARRAY, layers - 1),
          0,
          REG_FIELD(TEX_WORD7, DATA_FORMAT, FMT_32_32_32_32_FLOAT) |
             REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE));
   IB_ADD(ib, PM4_SET_SAMPLER, 3 * sampler,
          REG_FIELD(SAMPLER_WORD0, CLAMP_X, 2) | REG_FIELD(SAMPLER_WORD0, CLAMP_Y, 2) |
             REG_FIELD(SAMPLER_WORD0, MIP_FILTER, 1) |
             REG_FIELD(SAMPLER_WORD0, DEPTH_COMPARE_FUNCTION, COMPARE_LESS),
          REG_FIELD(SAMPLER_WORD1, MAX_LOD, 0xf00), REG_FIELD(SAMPLER_WORD2, TYPE, 1));
}

static void
constants(struct ib *ib, uint32_t cache, uint32_t size)
{
   context(ib, cache, (uint32_t)((VA_BASE + LOWER_AT) >> 8));
   context(ib, size, 1);
   context(ib, cache + 4 * 15, (uint32_t)((VA_BASE + UPPER_AT) >> 8));
   context(ib, size + 4 * 15, 1);
}

static void
state_of(struct ib *ib, bool depth)
{
   context(ib, R_SQ_PGM_START_VS, (uint32_t)((VA_BASE + VS_AT) >> 8));
   context(ib, R_SQ_PGM_START_PS, (uint32_t)((VA_BASE + PS_AT) >> 8));
   context(ib, R_SQ_PGM_START_FS, (uint32_t)((VA_BASE + ELEMENT_AT) >> 8));
   constants(ib, R_ALU_CONST_CACHE_VS_0, R_ALU_CONST_BUFFER_SIZE_VS_0);
   constants(ib, R_ALU_CONST_CACHE_PS_0, R_ALU_CONST_BUFFER_SIZE_PS_0);
   IB_ADD(ib, PM4_SET_RESOURCE, 8 * CAYMAN_RESOURCE_FS, (uint32_t)VA_BASE + VERTEX_AT, 47,
          REG_FIELD(BUF_WORD2, STRIDE, 16), 0, 0, 0, 0,
          REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER));
   texture(ib, CAYMAN_RESOURCE_PS + 18, CAYMAN_SAMPLER_PS, SQ_TEX_DIM_2D, 2, 2, 1, TEXTURE_AT);
   texture(ib, CAYMAN_RESOURCE_PS + 19, CAYMAN_SAMPLER_PS + 1, SQ_TEX_DIM_CUBEMAP, 1, 1, 6,
           CUBE_AT);
   texture(ib, CAYMAN_RESOURCE_VS + 18, CAYMAN_SAMPLER_VS, SQ_TEX_DIM_2D, 2, 2, 1, TEXTURE_AT);

   context(ib, R_VGT_SHADER_STAGES_EN, 0);
   context(ib, R_VGT_MAX_VTX_INDX, ~0u);
   context(ib, R_VGT_INDX_OFFSET, 0);
   IB_ADD(ib, PM4_SET_CONFIG_REG, (R_VGT_PRIMITIVE_TYPE - CAYMAN_CONFIG_BASE) / 4, DI_PT_TRILIST);
   context(ib, R_PA_CL_VTE_CNTL, 0x43f); /* all scales and offsets; w comes as w */
   context_float(ib, R_PA_CL_VPORT_XSCALE_0, 4);
   context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 4, 4);
   context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 8, 4);
   context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 12, 4);
   context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 16, 1);
   context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 20, 0);
   context(ib, R_PA_CL_CLIP_CNTL, REG_FIELD(PA_CL_CLIP_CNTL, CLIP_DISABLE, 1));
   float_picture(ib, COLOR_AT, SIZE, PITCH);
   context(ib, R_PA_SC_VPORT_ZMAX_0, 0x3f800000);
   context(ib, R_PA_SU_SC_MODE_CNTL, 0);
   context(ib, R_PA_SU_VTX_CNTL,
           REG_FIELD(PA_SU_VTX_CNTL, PIX_CENTER_HALF, 1) |
              REG_FIELD(PA_SU_VTX_CNTL, QUANT_MODE, 5));
   context(ib, R_PA_SC_EDGERULE, 0xaaaaaaaa);

   context(ib, R_SPI_VS_OUT_ID_0, 5);
   context(ib, R_SPI_VS_OUT_CONFIG, 0);
   context(ib, R_SPI_PS_INPUT_CNTL_0, 5);
   context(ib, R_SPI_PS_IN_CONTROL_0, REG_FIELD(SPI_PS_IN_CONTROL_0, NUM_INTERP, 1));
   context(ib, R_DB_SHADER_CONTROL,
           REG_FIELD(DB_SHADER_CONTROL, Z_ORDER, DB_LATE_Z) |
              REG_FIELD(DB_SHADER_CONTROL, KILL_ENABLE, 1) |
              REG_FIELD(DB_SHADER_CONTROL, Z_EXPORT_ENABLE, depth));
   if (depth) {
      context(ib, R_DB_Z_INFO, REG_FIELD(DB_Z_INFO, FORMAT, DB_Z_32_FLOAT));
      context(ib, R_DB_Z_READ_BASE, (uint32_t)((VA_BASE + DEPTH_AT) >> 8));
      context(ib, R_DB_Z_WRITE_BASE, (uint32_t)((VA_BASE + DEPTH_AT) >> 8));
      context(ib, R_DB_DEPTH_SIZE, 0);
      context(ib, R_DB_DEPTH_SLICE, 0);
      context(ib, R_DB_DEPTH_CONTROL,
              REG_FIELD(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
                 REG_FIELD(DB_DEPTH_CONTROL, ZFUNC, COMPARE_LESS));
   }
}

static const char pass_on[] = "lda r0, i0.x, v0\nmov o0, r0\nmov o4, r0\nend\n";

static void
draw(struct door *d, const char *vs, const char *ps, bool depth)
{
   static struct ib ib;

   ib.count = 0;
   fill(d);
   assemble(d, VS_AT, vs ? vs : pass_on);
   assemble(d, PS_AT, ps);
   state_of(&ib, depth);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   door_run(d, &ib);
}

static float
quadrant(unsigned x, unsigned y)
{
   return 10 + 10 * (float)(x / 4) + 20 * (float)(y / 4);
}

/* What case `n` below has at a pixel; false: it is not drawn. */
static bool
expected(unsigned n, unsigned x, unsigned y, float out[4])
{
   const float px = (float)x + .5f, py = (float)y + .5f;
   const float q = quadrant(x, y);
   float v[4] = { q, 0, 0, 0 };
   bool drawn = true;

   switch (n) {
   case 0:
      memcpy(v, (float[]){ px, py, .25f, 1 }, 16);
      break;
   case 1:
      memcpy(v, (float[]){ px / 4 - 1, py / 4 - 1, .25f, 1 }, 16);
      break;
   case 2:
      memcpy(v, (float[]){ 102, 104, 106, 108 }, 16);
      break;
   case 3: /* tex, txp, texels */
   case 4:
   case 5:
      break;
   case 6: /* level 1 by level and by bias */
   case 7:
      v[0] = 100;
      break;
   case 8: /* a bias that is not enough */
      break;
   case 9: /* 25 is less than the texel */
      v[0] = q > 25 ? 1 : 0;
      v[1] = v[2] = v[3] = v[0];
      break;
   case 10:
      v[0] = x < 4 ? 1 : 6;
      break;
   case 11:
      memcpy(v, (float[]){ px, px, px, px }, 16);
      drawn = x >= 4;
      break;
   case 12: /* depth 3/4 at the left fails, the primitive's 1/4 passes */
      memcpy(v, (float[]){ 1, 2, 3, 4 }, 16);
      drawn = x >= 4;
      break;
   case 13: /* a loop of as many rounds as x */
      memcpy(v, (float[]){ (float)(x + 1), 0, 0, 0 }, 16);
      break;
   case 14: /* clockwise, where y grows downwards: the back */
      memcpy(v, (float[]){ -1, -1, -1, -1 }, 16);
      break;
   case 15: /* c[x + 1] */
      memcpy(v,
             x < 3 ? (float[][4]){ { 1, 2, 3, 4 }, { 4, 4, 4, 4 }, { 25, 1, 3, 0 } }[x]
                   : (float[]){ 0, 0, 0, 0 },
             16);
      break;
   case 16: /* differences of x + 2 y */
      memcpy(v, (float[]){ 1, 2, 1, 2 }, 16);
      break;
   default: /* a vertex program's texture */
      v[0] = 10;
      break;
   }
   memcpy(out, v, 16);
   return drawn;
}

static const struct {
   const char *vs, *ps;
   bool depth;
} cases[] = {
   { NULL, "mov o0, i0\nend\n" },
   { NULL, "mov o0, i2\nend\n" },
   { NULL, "add o0, c1, c257\nend\n" },
   { NULL, "mul r0, i0, c0\ntex o0, r0, t0\nend\n" },
   { NULL, "mul r0, i0, c0\nadd r0, r0, r0\nmov r0.w, c1.y\ntxp o0, r0, t0\nend\n" },
   { NULL, "mul r0, i0, c0\nadd r0, r0, r0\ntex o0, r0, t32\nend\n" },
   { NULL, "mul r0, i0, c0\nmov r0.w, c1.x\ntxl o0, r0, t0\nend\n" },
   { NULL, "mul r0, i0, c0\nmov r0.w, c1.z\ntxb o0, r0, t0\nend\n" },
   { NULL, "mul r0, i0, c0\nmov r0.w, c1.x\ntxb o0, r0, t0\nend\n" },
   { NULL, "mul r0, i0, c0\nmov r0.z, c3.x\ntex o0, r0, t16\nend\n" },
   { NULL, "slt r1, i0.x, c2.x\nmov r0.y, c3.w\nmov r0.x, r1.x\nadd r0.z, r1.x, -1.0\ntex o0, r0, "
           "t1\nend\n" },
   { NULL, "add r0, i0.x, -4.0\nkil r0.x\nmov o0, i0.x\nend\n" },
   { NULL,
     "setplt p0, i0.x, 4.0\n(p0) zxp c4.x\nadd r1, c2, 0.0\nrcp r0, c2.x\nmad r0, r0.x, c3.z, "
     "c3.w\n(p0) zxp r0.x\nmov o0, c1\nend\n",
     true },
   { NULL, "mov r0, c3.w\nmov o0, c3.w\nmore: add r0.x, r0.x, 1.0\nsetplt p0, r0.x, i0.x\njmp p0, "
           "more\nmov o0.x, r0.x end\n" },
   { NULL, "mov o0, i1.x\nend\n" },
   { NULL, "arl a0.x, i0.x\nmov o0, c[a0.x + 1]\nend\n" },
   { NULL,
     "mad r0, i0.y, c1.y, i0.x\nddx r1, r0\nddy r2, r0\nmov o0.xz, r1\nmov o0.yw, r2\nend\n" },
   { "lda r0, i0.x, v0\nmov o0, r0\nmul r1, c0, c1.y\ntex r1, r1, t0\nmov o4, r1\nend\n",
     "mov o0, i2\nend\n" },
};

static void
pixels(void **state)
{
   struct door d = door_begin();

   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      draw(&d, cases[n].vs, cases[n].ps, cases[n].depth);
      for (unsigned y = 0; y < SIZE; y++) {
         for (unsigned x = 0; x < SIZE; x++) {
            const float *got = (const float *)d.mem + COLOR_AT / 4 + 4 * (PITCH * y + x);
            float want[4];
            if (!expected(n, x, y, want))
               want[0] = want[1] = want[2] = want[3] = UNTOUCHED;
            if (memcmp(got, want, 16) != 0)
               fail_msg("case %u, pixel %u, %u: %g %g %g %g, not %g %g %g %g\n%s", n, x, y, got[0],
                        got[1], got[2], got[3], want[0], want[1], want[2], want[3], cases[n].ps);
         }
      }
   }
   door_end(&d);
}

/* Any words for programs and descriptors: the next draw is as it should be. */
static void
any_words(void **state)
{
   struct door d = door_begin();
   static struct ib ib;
   uint32_t seed = 1;

   (void)state;
   for (unsigned n = 0; n < 300; n++) {
      ib.count = 0;
      fill(&d);
      assemble(&d, VS_AT, pass_on);
      assemble(&d, PS_AT, cases[n % (sizeof(cases) / sizeof(cases[0]))].ps);
      for (unsigned k = 0; k < 1 + n % 3; k++) {
         static const uint32_t places[] = { VS_AT, PS_AT, ELEMENT_AT };
         seed = seed * 1664525 + 1013904223;
         const uint32_t at = places[seed >> 16 & 1   ? 1
                                    : seed >> 17 & 1 ? 0
                                                     : 2] +
                             (seed >> 20 & 0x3c);
         seed = seed * 1664525 + 1013904223;
         d.mem[at / 4] ^= 1u << (seed >> 27) | (n % 5 ? 0 : seed);
      }
      state_of(&ib, false);
      IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
      IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
      door_run(&d, &ib);
   }
   draw(&d, NULL, cases[2].ps, false);
   assert_true(((float *)d.mem)[COLOR_AT / 4] == 102);
   door_end(&d);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pixels),
      cmocka_unit_test(any_words),
   };

   setenv("ATOLL_ISA", "attila", 1);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
