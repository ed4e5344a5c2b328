/* SPDX-License-Identifier: MIT */
/*
 * Textures and queries of resources, executed directly: results worked out by hand from the
 * document and from OpenGL's rules of filtering.  Each program runs as a pixel shader over 8 x 8
 * pixels; o0 is compared, in every lane alike unless the case says otherwise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "direct/direct.h"
#include "chip/chip.h"
#include "il/conventions.h"
#include "il/il.h"
#include "kernel.h"
#include "machine_texture.h"
#include "sq/sq.h"

#define MAX_ROWS 1024
#define MAX_TEX  64
#define INPUT    32 /* interpolated: 1 + 2 x / 8 + 4 y / 8 in all components */

static const struct kernels *kernels;
static struct core_outputs exports __attribute__((aligned(64)));
static wave_lane file[MAX_ROWS][4];
static struct machine_texture textures[MACHINE_TEXTURES];
static struct machine_sampler samplers[MACHINE_SAMPLERS];
static const struct machine_texture images[MACHINE_IMAGES];
static struct machine_views views;
static uint32_t driver[IL_DRV_SIZE * 4];

/* --- what programs see ------------------------------------------------------------------------ */
static uint32_t
bits(float f)
{
   uint32_t u;
   memcpy(&u, &f, 4);
   return u;
}

static void
texture(unsigned n, unsigned dim, unsigned format, unsigned width, unsigned height, unsigned depth,
        const uint32_t *data, uint32_t dwords)
{
   bool integer = format == FMT_32;

   textures[n] = (struct machine_texture){
      .there = true,
      .dim = (uint8_t)dim,
      .format = (uint8_t)format,
      .num_format = integer ? SQ_NUM_FORMAT_INT : SQ_NUM_FORMAT_NORM,
      .levels = 1,
      .samples = 1,
      .select = { 0, format == FMT_8_8_8_8 ? 1 : SQ_SEL_0, format == FMT_8_8_8_8 ? 2 : SQ_SEL_0,
                  format == FMT_8_8_8_8 ? 3 : SQ_SEL_1 },
      .width = width,
      .height = height,
      .depth = depth,
      .data = data,
      .dwords = dwords,
   };
}

static void
make_textures(void)
{
   static uint32_t squares[21], layers[6], samples[8], faces[12], depths[4], cube[30], row[7];
   static const uint32_t integers[4] = { 7, 8, 9, 0xffffffff };
   static const uint32_t elements[5] = { 50, 51, 52, 53, 54 };
   static const uint32_t colors[4] = { 0xff0000ff, 0xff00ff00, 0xffff0000, 0x000000ff };

   for (unsigned i = 0; i < 21; i++) /* 0 to 15, then 100 to 103, then 200 */
      squares[i] = bits(i < 16 ? (float)i : i < 20 ? (float)(84 + i) : 200.0f);
   for (unsigned i = 0; i < 6; i++)
      layers[i] = bits((float)(10 * (i / 2) + i % 2));
   for (unsigned i = 0; i < 8; i++)
      samples[i] = bits((float)(10 * (i / 4) + i % 4));
   for (unsigned i = 0; i < 12; i++)
      faces[i] = bits((float)i);
   for (unsigned i = 0; i < 4; i++)
      depths[i] = bits(0.25f * (float)(1 + i));
   for (unsigned i = 0; i < 30; i++) /* 0.25 on faces of 2 x 2, 0.75 on those of the next level */
      cube[i] = bits(i < 24 ? 0.25f : 0.75f);
   for (unsigned i = 0; i < 7; i++) /* the same of levels of four, two and one */
      row[i] = bits(i == 4 || i == 5 ? 0.75f : 0.25f);
   texture(0, SQ_TEX_DIM_2D, FMT_32_FLOAT, 4, 4, 1, squares, 21);
   textures[0].levels = 3;
   texture(1, SQ_TEX_DIM_2D_ARRAY, FMT_32_FLOAT, 2, 1, 3, layers, 6);
   texture(2, SQ_TEX_DIM_CUBEMAP, FMT_32_FLOAT, 1, 1, 1, faces, 6);
   texture(3, SQ_TEX_DIM_2D, FMT_32, 2, 2, 1, integers, 4);
   texture(4, SQ_TEX_DIM_1D, FMT_32, 5, 1, 1, elements, 5);
   textures[4].is_buffer = true;
   texture(5, SQ_TEX_DIM_2D_MSAA, FMT_32_FLOAT, 2, 1, 1, samples, 8);
   textures[5].samples = 4;
   texture(6, SQ_TEX_DIM_1D_ARRAY, FMT_8_8_8_8, 2, 1, 3, colors, 4);
   texture(7, SQ_TEX_DIM_3D, FMT_32_FLOAT, 2, 2, 2, faces, 8);
   texture(8, SQ_TEX_DIM_CUBEMAP, FMT_32_FLOAT, 1, 1, 2, faces, 12);
   texture(9, SQ_TEX_DIM_2D, FMT_8_8_8_8, 2, 2, 1, colors, 4);
   texture(10, SQ_TEX_DIM_1D, FMT_32_FLOAT, 2, 1, 1, squares, 2);
   texture(14, SQ_TEX_DIM_CUBEMAP, FMT_32_FLOAT, 2, 2, 1, cube, 30);
   textures[14].levels = 2;
   texture(15, SQ_TEX_DIM_1D_ARRAY, FMT_32_FLOAT, 4, 1, 1, row, 7);
   textures[15].levels = 3;
   texture(12, SQ_TEX_DIM_2D, FMT_32_FLOAT, 2, 2, 1, depths, 4);
}

static void
sampler(unsigned n, unsigned wrap, bool linear, unsigned mip, unsigned compare)
{
   samplers[n].there = true;
   samplers[n].words[0] =
      REG_FIELD(SAMPLER_WORD0, CLAMP_X, wrap) | REG_FIELD(SAMPLER_WORD0, CLAMP_Y, wrap) |
      REG_FIELD(SAMPLER_WORD0, CLAMP_Z, wrap) | REG_FIELD(SAMPLER_WORD0, XY_MAG_FILTER, linear) |
      REG_FIELD(SAMPLER_WORD0, XY_MIN_FILTER, linear) | REG_FIELD(SAMPLER_WORD0, MIP_FILTER, mip) |
      REG_FIELD(SAMPLER_WORD0, BORDER_COLOR_TYPE, SQ_TEX_BORDER_COLOR_OPAQUE_WHITE) |
      REG_FIELD(SAMPLER_WORD0, DEPTH_COMPARE_FUNCTION, compare);
   samplers[n].words[1] = REG_FIELD(SAMPLER_WORD1, MAX_LOD, 4095);
   samplers[n].words[2] = REG_FIELD(SAMPLER_WORD2, TYPE, 1);
}

static int
setup(void **state)
{
   (void)state;
   kernels = kernels_choose();
   make_textures();
   sampler(0, SQ_TEX_CLAMP_LAST_TEXEL, false, SQ_TEX_Z_FILTER_POINT, 0);
   sampler(1, SQ_TEX_WRAP, true, SQ_TEX_Z_FILTER_NONE, 0);
   sampler(2, SQ_TEX_CLAMP_LAST_TEXEL, true, SQ_TEX_Z_FILTER_LINEAR, 0);
   sampler(3, SQ_TEX_CLAMP_LAST_TEXEL, true, SQ_TEX_Z_FILTER_NONE, COMPARE_LESS);
   sampler(4, SQ_TEX_CLAMP_BORDER, false, SQ_TEX_Z_FILTER_NONE, 0);
   sampler(5, SQ_TEX_CLAMP_LAST_TEXEL, false, SQ_TEX_Z_FILTER_POINT, COMPARE_LESS);
   sampler(6, SQ_TEX_CLAMP_LAST_TEXEL, false, SQ_TEX_Z_FILTER_POINT, COMPARE_LESS);
   samplers[6].words[0] |= REG_FIELD(SAMPLER_WORD0, XY_MAG_FILTER, 2) |
                           REG_FIELD(SAMPLER_WORD0, XY_MIN_FILTER, 2) |
                           REG_FIELD(SAMPLER_WORD0, MAX_ANISO_RATIO, 4);
   sampler(12, SQ_TEX_CLAMP_LAST_TEXEL, true, SQ_TEX_Z_FILTER_NONE, COMPARE_LESS);
   for (unsigned s = 0; s < 16; s++) {
      driver[IL_DRV_SAMPLE_POS * 4 + 2 * s] = bits((float)s / 16.0f);
      driver[IL_DRV_SAMPLE_POS * 4 + 2 * s + 1] = bits(1.0f - (float)s / 16.0f);
   }
   return machine_views_init(&views, textures, samplers, images) ? 0 : -1;
}

static int
teardown(void **state)
{
   (void)state;
   machine_views_finish(&views);
   return 0;
}

static const char *const resources =
   "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(1)_type(2darray)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(2)_type(cubemap)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(3)_type(2d)_fmtx(uint)_fmty(uint)_fmtz(uint)_fmtw(uint)\n"
   "dcl_resource_id(4)_type(buffer)_fmtx(uint)_fmty(uint)_fmtz(uint)_fmtw(uint)\n"
   "dcl_resource_id(5)_type(2dmsaa)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(6)_type(1darray)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(7)_type(3d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(8)_type(cubemaparray)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(9)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(10)_type(1d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(15)_type(1darray)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(14)_type(cubemap)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(12)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
   "dcl_resource_id(13)_type(2d,unnorm)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n";

static const char *const stages = "dclpt_stage(0)_type(2d)_coordmode(normalized)\n"
                                  "dclpt_stage(5)_type(2dmsaa)_coordmode(unnormalized)\n"
                                  "dclpt_stage(12)_type(2d)_coordmode(normalized)\n";

/* --- running ---------------------------------------------------------------------------------- */
static void
bind(struct sq_bind *b, const struct sq_program *p)
{
   static struct td_tex_bind tex[MAX_TEX];
   static struct td_vtx_bind vtx[MAX_TEX];
   static struct cayman_tables tables;
   static uint32_t consts[64];

   tables = machine_views_tables(&views);
   assert_true(p->num_tex <= MAX_TEX && p->num_vtx <= MAX_TEX && p->num_consts <= 64);
   memset(consts, 0, sizeof(consts));
   for (uint32_t i = 0; i < p->num_tex; i++) {
      unsigned m = p->tex[i].sampler;
      const struct cayman_view view = {
         .resource = views.resource[p->tex[i].resource],
         .sampler = views.sampler[m],
         .border = &views.border[m],
         .vm = views.vm,
         .pipes = chips[CHIP_CAYMAN].pipes,
      };
      cayman_bind_tex(kernels, &tex[i], &p->tex[i].lookup, &view);
   }
   for (uint32_t i = 0; i < p->num_vtx; i++) {
      struct elements buffer;
      const bool there =
         cayman_decode_buffer(&buffer, views.resource[p->vtx[i].resource], views.vm);

      td_bind_fetch(kernels, &vtx[i], &p->vtx[i].fetch, there ? &buffer : NULL, 0);
   }
   *b = (struct sq_bind){
      .core = { .program = &p->core, .entry = &core_entry_all, .budget = 1 << 24 },
      .consts = consts,
      .tex = tex,
      .vtx = vtx,
      .vm = views.vm,
      .views = &tables.views,
   };
   b->kcache[IL_DRIVER_CB] = (struct sq_kcache){ driver, sizeof(driver) };
}

/* Lanes are quads of pixels: v0 is the position, the barycentrics are an eighth of it. */
static void
enter(void)
{
   for (unsigned l = 0; l < WAVE_LANES; l++) {
      unsigned x = 2 * (l / 4 % 4) + l % 2, y = 2 * (l / 16) + l / 2 % 2;
      file[3][0][l] = bits((float)x);
      file[3][1][l] = bits((float)y);
      file[3][2][l] = file[3][3][l] = bits(1);
      for (unsigned b = 0; b < 6; b++) {
         file[b / 2][b % 2 * 2][l] = bits((float)x / 8.0f);
         file[b / 2][b % 2 * 2 + 1][l] = bits((float)y / 8.0f);
      }
   }
}

static bool
run(const char *declarations, const char *body, wave_lane result[4], char *error, size_t size)
{
   static char text[16384];
   static struct spi_coef coef[64][4];
   struct direct_program direct;
   struct il_error where;
   struct sq_bind b;

   snprintf(text, sizeof(text),
            "il_ps_2_0\n"
            "dcl_input_position_interp(noperspective) v0\n"
            "dcl_input_generic_interp(linear) v32\n"
            "dcl_output_generic o0\n%s"
            "dcl_literal l0, 0, 1, 2, 3\n"
            "dcl_literal l1, 0.0, 1.0, 2.0, 3.0\n"
            "dcl_literal l2, 0.125, 0.25, 0.5, 0.75\n"
            "dcl_literal l3, 0.375, 0.625, 0.6, 4.0\n"
            "dcl_literal l4, 4, 5, 0xffffffff, 63\n"
            "dcl_literal l5, 0.5, 1.5, 7.0, -3.0\n"
            "%s\nmov o0, r0\nend\n",
            declarations, body);
   struct il_program *il = il_parse(text, strlen(text), &where);
   if (!il)
      fail_msg("%s: line %u: %s", body, where.where, where.text);
   bool ok = direct_lift(kernels, il, 0, &direct, error, size);
   il_program_free(il);
   if (!ok)
      return false;
   assert_true(direct.num_rows <= MAX_ROWS);
   struct core_wave wave = { .rows = file[0],
                             .active = ~UINT64_C(0),
                             .valid = ~UINT64_C(0),
                             .bind = &b.core,
                             .outputs = &exports,
                             .one_primitive = true };
   for (unsigned c = 0; c < 4; c++)
      coef[INPUT][c] = (struct spi_coef){ 1, 2, 4, 0 };
   for (unsigned q = 0; q < WAVE_QUADS; q++)
      wave.coef[q] = (const struct spi_coef(*)[4])coef;
   bind(&b, direct.program);
   memset(file, 0, sizeof(file));
   enter();
   core_run(&wave);
   if (wave.faulted)
      fail_msg("%s: %s", body, wave.fault);
   memcpy(result, file[direct.output_row], sizeof(wave_lane[4]));
   direct_free(kernels, &direct);
   return true;
}

struct expected {
   const char *body;
   bool integers;
   float value[4];
};

static void
check(const char *declarations, const struct expected *e, size_t count)
{
   wave_lane r[4];
   char error[256];

   for (size_t i = 0; i < count; i++) {
      if (!run(declarations, e[i].body, r, error, sizeof(error)))
         fail_msg("%s: %s", e[i].body, error);
      for (unsigned lane = 0; lane < WAVE_LANES; lane++) {
         for (unsigned c = 0; c < 4; c++) {
            uint32_t want = e[i].integers ? (uint32_t)(int64_t)e[i].value[c] : bits(e[i].value[c]);
            if (r[c][lane] != want) {
               fail_msg("%s: %c of lane %u is %08x, not %08x", e[i].body, "xyzw"[c], lane,
                        r[c][lane], want);
            }
         }
      }
   }
}
#define CHECK(table) check(resources, table, sizeof(table) / sizeof(*(table)))

/* --- cases ------------------------------------------------------------------------------------ */
static void
filtering(void **state)
{
   static const struct expected e[] = {
      /* The texel that (u, v) lies in: row 2, column 1. */
      { "sample_l_resource(0)_sampler(0) r0, l3.xyxx, l1.x", false, { 9, 0, 0, 1 } },
      { "sample_l_resource(0)_sampler(0) r0, l2.xxxx, l1.x", false, { 0, 0, 0, 1 } },
      /* (1, 1) in texels: half of each of 0, 1, 4 and 5 */
      { "sample_l_resource(0)_sampler(1) r0, l2.yyyy, l1.x", false, { 2.5f, 0, 0, 1 } },
      /* the corner: 0, 3, 12 and 15 where it wraps, 0 where it is clamped */
      { "sample_l_resource(0)_sampler(1) r0, l1.xxxx, l1.x", false, { 7.5f, 0, 0, 1 } },
      { "sample_l_resource(0)_sampler(2) r0, l1.xxxx, l1.x", false, { 0, 0, 0, 1 } },
      /* outside: white */
      { "sample_l_resource(0)_sampler(4) r0, l1.zzzz, l1.x", false, { 1, 1, 1, 1 } },
      /* levels: nearest, and half way between 0 and 100 */
      { "sample_l_resource(0)_sampler(0) r0, l2.wyyy, l1.y", false, { 101, 0, 0, 1 } },
      { "sample_l_resource(0)_sampler(0) r0, l2.wyyy, l1.w", false, { 200, 0, 0, 1 } },
      { "sample_l_resource(0)_sampler(2) r0, l2.xxxx, l2.z", false, { 50, 0, 0, 1 } },
      /* gradients of half the texture, two texels: level 1; the larger one counts */
      { "sample_g_resource(0)_sampler(0) r0, l2.wyyy, l2.zzzz, l1.xxxx", false, { 101, 0, 0, 1 } },
      { "mov r2, l1.xxxx\nmov r2._y__, l2.z\n"
        "sample_g_resource(0)_sampler(0) r0, l2.wyyy, l2.xxxx, r2",
        false,
        { 101, 0, 0, 1 } },
      /* coordinates in texels: by the instruction */
      { "sample_l_resource(0)_sampler(0)_coordtype(unnormalized) r0, l5.yyyy, l1.x",
        false,
        { 5, 0, 0, 1 } },
      { "sample_l_resource(7)_sampler(0) r0, l2.wyww, l1.x", false, { 5, 0, 0, 1 } },
      { "sample_l_resource(10)_sampler(0) r0, l2.wwww, l1.x", false, { 1, 0, 0, 1 } },
   };
   (void)state;
   CHECK(e);
}

static void
offsets(void **state)
{
   static const struct expected e[] = {
      { "sample_l_resource(0)_sampler(0)_aoffimmi(1,2,0) r0, l2.xxxx, l1.x",
        false,
        { 9, 0, 0, 1 } },
      { "sample_l_resource(0)_sampler(0)_aoffimmi(-1,0,0) r0, l3.xyxx, l1.x",
        false,
        { 8, 0, 0, 1 } },
      /* 18 half texels are 2 in five bits less 32: -7 texels; 32 are none */
      { "sample_l_resource(0)_sampler(0)_aoffimmi(9,16,0) r0, l3.xyxx, l1.x",
        false,
        { 8, 0, 0, 1 } },
      /* not along the layers of an array */
      { "sample_l_resource(1)_sampler(0)_aoffimmi(1,0,5) r0, l1.xxyx, l1.x",
        false,
        { 11, 0, 0, 1 } },
      { "mov r2, l0.xxxx\nmov r2.xy__, l0.yzyz\nload_resource(0)_aoffimmi(1,-1,0) r0, r2",
        false,
        { 6, 0, 0, 1 } },
      { "load_resource(4)_aoffimmi(2,0,0) r0, l0.yyyy", true, { 53, 0, 0, 1 } },
   };
   (void)state;
   CHECK(e);
}

static void
layers(void **state)
{
   static const struct expected e[] = {
      /* to nearest even: 0.5 is 0, 1.5 is 2; then limited */
      { "sample_l_resource(1)_sampler(0) r0, l5.xxxx, l1.x", false, { 1, 0, 0, 1 } },
      { "mov r2, l1.xxxx\nmov r2.__z_, l5.y\nsample_l_resource(1)_sampler(0) r0, r2, l1.x",
        false,
        { 20, 0, 0, 1 } },
      { "mov r2, l1.xxxx\nmov r2.__z_, l5.z\nsample_l_resource(1)_sampler(0) r0, r2, l1.x",
        false,
        { 20, 0, 0, 1 } },
      { "mov r2, l1.xxxx\nmov r2.__z_, l5.w\nsample_l_resource(1)_sampler(0) r0, r2, l1.x",
        false,
        { 0, 0, 0, 1 } },
      /* y of an array of one dimension */
      { "mov r2, l1.xyxx\nsample_l_resource(6)_sampler(0) r0, r2, l1.x", false, { 0, 0, 1, 1 } },
      /* faces: +x -x +y -y +z -z; of equal axes z, then y */
      { "sample_l_resource(2)_sampler(0) r0, l1.yxxx, l1.x", false, { 0, 0, 0, 1 } },
      { "sample_l_resource(2)_sampler(0) r0, l5.wxxx, l1.x", false, { 1, 0, 0, 1 } },
      { "sample_l_resource(2)_sampler(0) r0, l1.yzyy, l1.x", false, { 2, 0, 0, 1 } },
      { "sample_l_resource(2)_sampler(0) r0, l5.xwxx, l1.x", false, { 3, 0, 0, 1 } },
      { "sample_l_resource(2)_sampler(0) r0, l1.yyyy, l1.x", false, { 4, 0, 0, 1 } },
      { "sample_l_resource(2)_sampler(0) r0, l5.xxwx, l1.x", false, { 5, 0, 0, 1 } },
      { "sample_l_resource(2)_sampler(0) r0, l1.yyxx, l1.x", false, { 2, 0, 0, 1 } },
      /* cube 1, and a number of a cube that is limited to it without losing the face */
      { "sample_l_resource(8)_sampler(0) r0, l5.xwxy, l1.x", false, { 9, 0, 0, 1 } },
      { "mov r2, l5.xwxx\nmul r2.___w, l5.z, l3.w\nmul r2.___w, r2, r2\nmul r2.___w, r2, r2\n"
        "sample_l_resource(8)_sampler(0) r0, r2, l1.x",
        false,
        { 9, 0, 0, 1 } },
   };
   (void)state;
   CHECK(e);
}

static void
gathers(void **state)
{
   static const struct expected e[] = {
      /* (-,+) (+,+) (+,-) (-,-) */
      { "fetch4_resource(0)_sampler(0) r0, l2.zzzz", false, { 9, 10, 6, 5 } },
      { "fetch4_resource(0)_sampler(0)_aoffimmi(1,0,0) r0, l2.zzzz", false, { 10, 11, 7, 6 } },
      { "fetch4_resource(9)_sampler(0)_compselect(z) r0, l2.zzzz", false, { 1, 0, 0, 0 } },
      { "fetch4_resource(9)_sampler(0)_compselect(w) r0, l2.zzzz", false, { 1, 0, 1, 1 } },
      /* six bits of an offset: 1 and 63, which is -1 */
      { "mov r2, l0.yyyy\nmov r2._y__, l4.w\nfetch4po_resource(0)_sampler(0) r0, l2.zzzz, r2",
        false,
        { 6, 7, 3, 2 } },
      /* compares: 0.6 is below 0.75 and 1 */
      { "fetch4c_resource(12)_sampler(3) r0, l2.zzzz, l3.z", false, { 1, 1, 0, 0 } },
      /* one to the left: 0.25 and 0.75 twice, clamped */
      { "mov r2, l0.xxxx\nmov r2.x___, l4.z\n"
        "fetch4poc_resource(12)_sampler(3) r0, l2.zzzz, l3.z, r2",
        false,
        { 1, 1, 0, 0 } },
      { "fetch4_resource(3)_sampler(0) r0, l2.zzzz", true, { 9, -1, 8, 7 } },
   };
   (void)state;
   CHECK(e);
}

static void
compares(void **state)
{
   static const struct expected e[] = {
      /* Passes where the reference is less; half of the four texels do. */
      { "sample_c_lz_resource(12)_sampler(3) r0, l2.zzzz, l3.z", false, { 0.5f, 0, 0, 1 } },
      { "sample_c_lz_resource(12)_sampler(3) r0, l2.xxxx, l3.z", false, { 0, 0, 0, 1 } },
      { "sample_c_l_resource(12)_sampler(3) r0, l2.zzzz, l2.x, l1.x", false, { 1, 0, 0, 1 } },
      { "sample_c_resource(12)_sampler(3) r0, l2.zzzz, l2.y", false, { 0.75f, 0, 0, 1 } },
      { "sample_c_b_resource(12)_sampler(3) r0, l2.zzzz, l2.z, l1.y", false, { 0.5f, 0, 0, 1 } },
      { "sample_c_g_resource(12)_sampler(3) r0, l2.zzzz, l2.w, l1.xxxx, l1.xxxx",
        false,
        { 0.25f, 0, 0, 1 } },
      /* Cubes at a level, on faces of each axis: 0.5 is less than what the second level has. */
      /* a level that is given has no anisotropy */
      { "sample_c_l_resource(15)_sampler(6) r0, l1.xxxx, l2.z, l1.x", false, { 0, 0, 0, 1 } },
      { "sample_c_l_resource(15)_sampler(6) r0, l1.xxxx, l2.z, l1.y", false, { 1, 0, 0, 1 } },
      { "sample_c_l_resource(15)_sampler(6) r0, l1.xxxx, l2.z, l1.z", false, { 0, 0, 0, 1 } },
      { "sample_c_l_resource(14)_sampler(6) r0, l1.yxxx, l2.z, l1.y", false, { 1, 0, 0, 1 } },
      { "sample_c_l_resource(14)_sampler(5) r0, l1.yxxx, l2.z, l1.x", false, { 0, 0, 0, 1 } },
      { "sample_c_l_resource(14)_sampler(5) r0, l1.yxxx, l2.z, l1.y", false, { 1, 0, 0, 1 } },
      { "sample_c_l_resource(14)_sampler(5) r0, l1.xyxx, l2.z, l1.x", false, { 0, 0, 0, 1 } },
      { "sample_c_l_resource(14)_sampler(5) r0, l1.xyxx, l2.z, l1.y", false, { 1, 0, 0, 1 } },
      { "sample_c_l_resource(14)_sampler(5) r0, l1.xxyx, l2.z, l1.x", false, { 0, 0, 0, 1 } },
      { "sample_c_l_resource(14)_sampler(5) r0, l1.xxyx, l2.z, l1.y", false, { 1, 0, 0, 1 } },
      /* With a bias: a pixel is 1/32 texel, however long the direction is. */
      { "mul r2._y__, v0.x, l2.x\nmov r2.x_zw, l3.w\nmov r2.__z_, l1.x\n"
        "sample_c_b_resource(14)_sampler(5) r0, r2, l2.z, l3.w",
        false,
        { 0, 0, 0, 1 } },
      { "mul r2._y__, v0.x, l2.x\nmov r2.x_zw, l3.w\nmov r2.__z_, l1.x\n"
        "sample_c_b_resource(14)_sampler(5) r0, r2, l2.z, l5.z",
        false,
        { 1, 0, 0, 1 } },
   };
   (void)state;
   CHECK(e);
}

static void
levels(void **state)
{
   static const struct expected e[] = {
      /* One texel a pixel, two, eight: lambda 0, 1, 3, of three levels. */
      { "mul r2, v0, l2.y\ngetlod_resource(0)_sampler(0) r0, r2", false, { 0, 0, 0, 0 } },
      { "mul r2, v0, l2.z\ngetlod_resource(0)_sampler(0) r0, r2", false, { 1, 1, 0, 0 } },
      { "mul r2, v0, l1.z\ngetlod_resource(0)_sampler(0) r0, r2", false, { 2, 3, 0, 0 } },
      /* The quad's own level, and with a bias. */
      { "mul r2, v0, l1.z\nsample_resource(0)_sampler(0) r0, r2", false, { 200, 0, 0, 1 } },
      { "mul r2, v0, l1.x\nsample_b_resource(0)_sampler(0) r0, r2, l1.z", false, { 0, 0, 0, 1 } },
      { "mul r2, v0, l2.y\nsample_b_resource(0)_sampler(0) r0, r2, l1.z", false, { 200, 0, 0, 1 } },
   };
   (void)state;
   CHECK(e);
}

static void
loads(void **state)
{
   static const struct expected e[] = {
      { "mov r2, l0.yzxx\nload_resource(0) r0, r2", false, { 9, 0, 0, 1 } },
      { "load_resource(0) r0, l0.yyyy", false, { 103, 0, 0, 1 } },
      /* outside: of the width, of the level's width, of the levels */
      { "mov r2, l4.xzzz\nmov r2._yzw, l0.xxxx\nload_resource(0) r0, r2", false, { 0, 0, 0, 1 } },
      { "mov r2, l0.zxxy\nload_resource(0) r0, r2", false, { 0, 0, 0, 1 } },
      { "mov r2, l0.xxxw\nload_resource(0) r0, r2", false, { 0, 0, 0, 1 } },
      { "mov r2, l4.xxxz\nmov r2.xyz_, l0.xxxx\nload_resource(0) r0, r2", false, { 0, 0, 0, 1 } },
      { "mov r2, l0.yxzx\nload_resource(1) r0, r2", false, { 21, 0, 0, 1 } },
      { "mov r2, l0.yzxx\nload_resource(6) r0, r2", false, { 0, 1, 0, 1 } },
      { "mov r2, l0.yyyx\nload_resource(7) r0, r2", false, { 7, 0, 0, 1 } },
      /* w is the sample */
      { "mov r2, l0.yxxz\nload_resource(5) r0, r2", false, { 12, 0, 0, 1 } },
      { "mov r2, l0.yxxx\nmov r2.___w, l4.x\nload_resource(5) r0, r2", false, { 0, 0, 0, 1 } },
      { "load_fptr_resource(5) r0, l0.yxxx", true, { 0x3210, 0x3210, 0x3210, 0x3210 } },
      { "load_resource(4) r0, l0.wwww", true, { 53, 0, 0, 1 } },
      { "load_resource(4) r0, l4.yyyy", true, { 0, 0, 0, 1 } },
      { "load_resource(4) r0, l4.zzzz", true, { 0, 0, 0, 1 } },
      { "load_resource(3) r0, l0.xxxx", true, { 7, 0, 0, 1 } },
   };
   (void)state;
   CHECK(e);
}

static void
queries(void **state)
{
   static const struct expected e[] = {
      { "resinfo_resource(0) r0, l0.x", false, { 4, 4, 0, 3 } },
      { "resinfo_resource(0)_uint r0, l0.y", true, { 2, 2, 0, 3 } },
      { "resinfo_resource(0)_uint r0, l0.w", true, { 0, 0, 0, 3 } },
      { "resinfo_resource(0)_uint r0, l4.z", true, { 0, 0, 0, 3 } },
      { "resinfo_resource(10)_uint r0, l0.x", true, { 2, 0, 0, 1 } },
      { "resinfo_resource(6)_uint r0, l0.x", true, { 2, 3, 3, 1 } },
      { "resinfo_resource(1)_uint r0, l0.x", true, { 2, 1, 3, 1 } },
      { "resinfo_resource(7)_uint r0, l0.x", true, { 2, 2, 2, 1 } },
      { "resinfo_resource(2)_uint r0, l0.x", true, { 1, 1, 0, 1 } },
      { "resinfo_resource(8)_uint r0, l0.x", true, { 1, 1, 2, 1 } },
      { "resinfo_resource(4)_uint r0, l0.x", true, { 5, 0, 0, 1 } },
      { "resinfo_resource(4)_uint r0, l0.y", true, { 0, 0, 0, 1 } },
      { "bufinfo_resource(4) r0", true, { 5, 5, 5, 5 } },
      { "sampleinfo_resource(5) r0", false, { 4, 0, 0, 0 } },
      { "sampleinfo_resource(5)_uint r0", true, { 4, 0, 0, 0 } },
      { "sampleinfo_resource(0) r0", false, { 0, 0, 0, 0 } },
      /* sample 3 is at 3/16, 13/16; of a texture with one sample nothing is known */
      { "samplepos_resource(5) r0, l0.w", false, { -0.3125f, 0.3125f, 0, 0 } },
      { "samplepos_resource(11) r0, l0.w", false, { -0.3125f, 0.3125f, 0, 0 } },
      { "samplepos_resource(0) r0, l0.w", false, { 0, 0, 0, 0 } },
   };
   (void)state;
   CHECK(e);
}

static void
indexed(void **state)
{
   static const struct expected e[] = {
      { "sample_l_ext_resource(0)_sampler(0)_resourcetype(2d) r0, l2.zzzz, l1.x, l4.x, l0.x",
        false,
        { 0, 0, 0, 0 } }, /* 4 is a buffer */
      { "mov r2, l0.w\niadd r2, r2, r2\nsample_l_ext_resource(6)_sampler(0)_resourcetype(2d) "
        "r0, l2.xxxx, l1.x, r2.x, l0.x",
        false,
        { 0.25f, 0, 0, 1 } },
      { "load_ext_resource(3)_resourcetype(buffer) r0, l0.zzzz, l0.y, l0.x",
        true,
        { 52, 0, 0, 1 } },
      { "resinfo_ext_resource(0)_resourcetype(3d)_uint r0, l0.x, l4.y, l0.x",
        true,
        { 2, 1, 1, 1 } },
      { "sampleinfo_ext_resource(2)_resourcetype(2dmsaa)_uint r0, l0.w, l0.x",
        true,
        { 4, 0, 0, 0 } },
   };
   (void)state;
   CHECK(e);
}

/* An input at another position in its pixel, less what it is at the centre. */
static void
evaluations(void **state)
{
   static const struct expected e[] = {
      /* half a pixel right, a quarter down: 2 / 16 + 4 / 32 */
      { "mov r2, l2.zyyy\neval_snapped r0, v32, r2.xy\nsub r0, r0, v32",
        false,
        { 0.25f, 0.25f, 0.25f, 0.25f } },
      { "eval_centroid r0, v32\nsub r0, r0, v32", false, { 0, 0, 0, 0 } },
      /* sample 0 is half a pixel to the left, and down: 2 / -16 + 4 / 16 */
      { "eval_sample_index r0, v32, l0.x\nsub r0, r0, v32",
        false,
        { 0.125f, 0.125f, 0.125f, 0.125f } },
   };
   (void)state;
   CHECK(e);
}

static void
model_3(void **state)
{
   static const struct expected e[] = {
      { "texld_stage(0) r0, l3.xyxx", false, { 9, 0, 0, 1 } },
      /* projected: (0.75, 1.25) / 2 */
      { "mov r2, l2.w\nmov r2._y__, l3.y\nadd r2._y__, r2, r2\nmov r2.___w, l1.z\n"
        "texld_stage(0) r0, r2_divcomp(w)",
        false,
        { 9, 0, 0, 1 } },
      { "texldb_stage(0)_absolute r0, l2.wyyy, l1.yyyy", false, { 101, 0, 0, 1 } },
      { "texldd_stage(0) r0, l2.wyyy, l2.zzzz, l1.xxxx", false, { 101, 0, 0, 1 } },
      { "mul r2, v0, l2.z\nlod_stage(0) r0, r2", false, { 1, 1, 1, 1 } },
      /* compares z, 0.6, with the texel */
      { "mov r2, l2.z\nmov r2.__z_, l3.z\ntexld_stage(12)_shadowmode(z) r0, r2",
        false,
        { 0.5f, 0, 0, 1 } },
      /* texel 1, sample 2 */
      { "mov r2, l1.yxzx\ntexldms_stage(5) r0, r2", false, { 12, 0, 0, 1 } },
      { "mov r2, l5.yxzx\ntexldms_stage(5) r0, r2", false, { 0, 0, 0, 1 } },
      /* lives where the texel is not negative */
      { "kill_stage(0)_sample l2.xxxx\nmov r0, l1", false, { 0, 1, 2, 3 } },
   };
   (void)state;
   check(stages, e, sizeof(e) / sizeof(*e));
}

static void
refusals(void **state)
{
   static const struct {
      const char *declarations, *body, *why;
   } e[] = {
      { "", "sample_l_resource(0)_sampler(0) r0, l1, l1.x", "a resource that is not declared" },
      { resources, "sample_l_resource(4)_sampler(0) r0, l1, l1.x",
        "a texture that is not sampled" },
      { resources, "sample_l_resource(5)_sampler(0) r0, l1, l1.x",
        "a texture that is not sampled" },
      { resources, "load_resource(2) r0, l0", "a load from a cube" },
      { resources, "load_fptr_resource(0) r0, l0", "without several samples" },
      { "", "texld_stage(1) r0, l1", "a stage that is not declared" },
      { stages, "texld_stage(0)_mag(linear) r0, l1", "filters of the instruction's own" },
      { stages, "texld_stage(0)_shadowmode(unknown) r0, l1", "state of the driver's" },
      { stages, "texldms_stage(0) r0, l1", "a stage whose texture has one sample" },
      { "", "eval_centroid r0, v0", "the operand of an interpolation" },
   };
   wave_lane r[4];
   char error[256];

   (void)state;
   for (size_t i = 0; i < sizeof(e) / sizeof(*e); i++) {
      assert_false(run(e[i].declarations, e[i].body, r, error, sizeof(error)));
      if (!strstr(error, e[i].why))
         fail_msg("%s: %s", e[i].body, error);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(filtering),   cmocka_unit_test(offsets),  cmocka_unit_test(layers),
      cmocka_unit_test(gathers),     cmocka_unit_test(compares), cmocka_unit_test(levels),
      cmocka_unit_test(loads),       cmocka_unit_test(queries),  cmocka_unit_test(indexed),
      cmocka_unit_test(evaluations), cmocka_unit_test(model_3),  cmocka_unit_test(refusals),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
