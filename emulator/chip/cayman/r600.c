/* SPDX-License-Identifier: MIT */
/*
 * R600's and R700's registers and descriptors as Evergreen's; see r600.h.
 *
 * Of tiles, where a level begins depends on the size of macro tiles alone, so that it is told as
 * bank width, aspect and banks of an Evergreen (descriptors/surface.h).
 */
#include "chip/cayman/r600.h"

#include <string.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>
#include <atoll/cayman/r600.h>

#include "bind/source.h"
#include "chip/cayman/descriptors/map.h"
#include "chip/cayman/descriptors/surface.h"
#include "port/format.h"
#include "regs.h"

/* ---- Registers ---- */

static const struct {
   uint32_t first, last, to;
} spans[] = {
#define R600_KEPT(first, last)           { first, last, first },
#define R600_MOVED(name, address, count) { address, (address) + 4 * ((count)-1), name },
#include <atoll/cayman/r600.def>
};

uint32_t
r600_evergreen(uint32_t address)
{
   for (unsigned i = 0; i < sizeof(spans) / sizeof(*spans); i++)
      if (address >= spans[i].first && address <= spans[i].last)
         return spans[i].to + (address - spans[i].first);
   return 0;
}

static uint32_t
own_reg(const struct regs *r, uint32_t address)
{
   return r->own[(address - CAYMAN_CONTEXT_BASE) / 4];
}

#define OWN(r, name)       own_reg(r, R_R600_##name)
#define OWN_AT(r, name, i) own_reg(r, R_R600_##name + R600_##name##__STRIDE * (i))

static void
set(struct regs *r, uint32_t address, uint32_t value)
{
   r->context[(address - CAYMAN_CONTEXT_BASE) / 4] = value;
}

void
r600_write_context(struct regs *r, uint32_t address, uint32_t value)
{
   uint32_t *kept = &r->own[(address - CAYMAN_CONTEXT_BASE) / 4];
   const uint32_t to = r600_evergreen(address);

   if (*kept == value)
      return;
   *kept = value;
   r->dirty |= to ? regs_context_dirty(to, 1) : REGS_DIRTY_CONTEXT;
   r->own_dirty |= !to;
   if (to)
      set(r, to, value);
}

void
r600_write_config(struct regs *r, uint32_t address, uint32_t value)
{
   static const uint32_t borders[] = { R_R600_TD_PS_SAMPLER0_BORDER, R_R600_TD_VS_SAMPLER0_BORDER,
                                       R_R600_TD_GS_SAMPLER0_BORDER };
   uint32_t *p = &r->config[(address - CAYMAN_CONFIG_BASE) / 4];

   if (*p == value)
      return;
   *p = value;
   r->dirty |= REGS_DIRTY_CONFIG;
   /* Samples of the first R600. */
   r->own_dirty |=
      address >= R_R600_PA_SC_AA_SAMPLE_LOCS_2S && address <= R_R600_PA_SC_AA_SAMPLE_LOCS_8S + 4;
   for (unsigned s = 0; s < 3; s++) {
      const uint32_t n = (address - borders[s]) / 4;

      if (address >= borders[s] && n < R600_TD_PS_SAMPLER0_BORDER__COUNT) {
         r->border[s * REGS_STAGE_SAMPLERS + n / 4][n % 4] = value;
         r->dirty |= REGS_DIRTY_SAMPLER;
      }
   }
   if (address != R_R600_TA_CNTL_AUX)
      return;
   for (unsigned n = 0; n < REGS_SAMPLERS; n++) {
      const uint32_t cube = REG_FIELD_MASK(SAMPLER_WORD2, DISABLE_CUBE_WRAP);
      const bool off = REG_FIELD_GET(value, R600_TA_CNTL_AUX, DISABLE_CUBE_WRAP);

      r->sampler[n][2] = (r->sampler[n][2] & ~cube) | (off ? cube : 0);
   }
   r->dirty |= REGS_DIRTY_SAMPLER;
}

/* ---- Targets and depth ---- */

static void
convert_targets(struct regs *r)
{
   const uint32_t control = OWN(r, CB_COLOR_CONTROL);
   const unsigned blends = REG_FIELD_GET(control, R600_CB_COLOR_CONTROL, TARGET_BLEND_ENABLE);
   const bool each = REG_FIELD_GET(control, R600_CB_COLOR_CONTROL, PER_MRT_BLEND);
   static const uint8_t modes[8] = {
      [R600_SPECIAL_NORMAL] = CB_MODE_NORMAL,
      [R600_SPECIAL_DISABLE] = CB_MODE_DISABLE,
      [R600_SPECIAL_FAST_CLEAR] = CB_MODE_ELIMINATE_FAST_CLEAR,
      [R600_SPECIAL_FORCE_CLEAR] = CB_MODE_ELIMINATE_FAST_CLEAR,
      [R600_SPECIAL_EXPAND_COLOR] = CB_MODE_DECOMPRESS,
      [R600_SPECIAL_EXPAND_TEXTURE] = CB_MODE_DECOMPRESS,
      [R600_SPECIAL_EXPAND_SAMPLES] = CB_MODE_DECOMPRESS,
      [R600_SPECIAL_RESOLVE_BOX] = CB_MODE_RESOLVE,
   };

   set(r, R_CB_COLOR_CONTROL,
       REG_FIELD(CB_COLOR_CONTROL, MODE,
                 modes[REG_FIELD_GET(control, R600_CB_COLOR_CONTROL, SPECIAL_OP)]) |
          REG_FIELD(CB_COLOR_CONTROL, ROP3, REG_FIELD_GET(control, R600_CB_COLOR_CONTROL, ROP3)));
   /* What is resolved to is target 1; R600 wants it in the mask, later chips do not. */
   const bool resolves =
      REG_FIELD_GET(control, R600_CB_COLOR_CONTROL, SPECIAL_OP) == R600_SPECIAL_RESOLVE_BOX;

   set(r, R_CB_TARGET_MASK, own_reg(r, R_CB_TARGET_MASK) & (resolves ? 0xf : ~0u));
   for (unsigned i = 0; i < R600_CB_COLOR0_INFO__COUNT; i++) {
      const uint32_t info = OWN_AT(r, CB_COLOR0_INFO, i), size = OWN_AT(r, CB_COLOR0_SIZE, i);
      const uint32_t blend = each ? OWN_AT(r, CB_BLEND0_CONTROL, i) : OWN(r, CB_BLEND_CONTROL);

      set(r, REG_AT(CB_BLEND0_CONTROL, i),
          (blend & ~REG_FIELD_MASK(CB_BLEND0_CONTROL, BLEND_CONTROL_ENABLE)) |
             REG_FIELD(CB_BLEND0_CONTROL, BLEND_CONTROL_ENABLE, blends >> i & 1));
      set(r, REG_AT(CB_COLOR0_BASE, i), OWN_AT(r, CB_COLOR0_BASE, i));
      set(r, REG_AT(CB_COLOR0_VIEW, i), OWN_AT(r, CB_COLOR0_VIEW, i));
      set(r, REG_AT(CB_COLOR0_PITCH, i), REG_FIELD_GET(size, R600_CB_COLOR0_SIZE, PITCH_TILE_MAX));
      set(r, REG_AT(CB_COLOR0_SLICE, i), REG_FIELD_GET(size, R600_CB_COLOR0_SIZE, SLICE_TILE_MAX));
      set(r, REG_AT(CB_COLOR0_INFO, i),
          REG_FIELD_GET(info, R600_CB_COLOR0_INFO, AS_EVERGREEN) |
             REG_FIELD(CB_COLOR0_INFO, COMP_SWAP,
                       REG_FIELD_GET(info, R600_CB_COLOR0_INFO, COMP_SWAP)) |
             REG_FIELD(CB_COLOR0_INFO, BLEND_CLAMP,
                       REG_FIELD_GET(info, R600_CB_COLOR0_INFO, BLEND_CLAMP)) |
             REG_FIELD(CB_COLOR0_INFO, BLEND_BYPASS,
                       REG_FIELD_GET(info, R600_CB_COLOR0_INFO, BLEND_BYPASS)) |
             REG_FIELD(CB_COLOR0_INFO, SOURCE_FORMAT,
                       REG_FIELD_GET(info, R600_CB_COLOR0_INFO, SOURCE_FORMAT) ? EXPORT_4C_16BPC
                                                                               : EXPORT_4C_32BPC));
   }
}

static void
convert_depth(struct regs *r)
{
   const uint32_t control = OWN(r, DB_RENDER_CONTROL), size = OWN(r, DB_DEPTH_SIZE);

   set(r, R_DB_RENDER_CONTROL, REG_FIELD_GET(control, R600_DB_RENDER_CONTROL, AS_EVERGREEN));
   set(r, R_DB_COUNT_CONTROL,
       REG_FIELD(DB_COUNT_CONTROL, ZPASS_INCREMENT_DISABLE,
                 REG_FIELD_GET(control, R600_DB_RENDER_CONTROL, ZPASS_INCREMENT_DISABLE)));
   set(r, R_DB_DEPTH_SIZE, REG_FIELD_GET(size, R600_DB_DEPTH_SIZE, PITCH_TILE_MAX));
   set(r, R_DB_DEPTH_SLICE, REG_FIELD_GET(size, R600_DB_DEPTH_SIZE, SLICE_TILE_MAX));
   set(r, R_DB_Z_WRITE_BASE, OWN(r, DB_DEPTH_BASE));
   set(r, R_DB_STENCIL_WRITE_BASE, OWN(r, DB_DEPTH_BASE));
   /* Formats have numbers of their own, and say more: chip/cayman/db.c. */
   set(r, R_DB_Z_INFO, OWN(r, DB_DEPTH_INFO));
}

/* ---- The rest ---- */

static void
convert_samples(struct regs *r)
{
   const uint32_t mode = OWN(r, PA_SC_MODE_CNTL);
   const bool r600 = regs_chip(r)->generation == GENERATION_R600;
   const bool first = r->chip == CHIP_R600;
   const unsigned log2 =
      REG_FIELD_GET(reg(r, R_EVERGREEN_PA_SC_AA_CONFIG), PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES);
   uint32_t at[2] = { OWN_AT(r, PA_SC_AA_SAMPLE_LOCS, 0), OWN_AT(r, PA_SC_AA_SAMPLE_LOCS, 1) };

   set(r, R_PA_SC_MODE_CNTL_0,
       REG_FIELD(PA_SC_MODE_CNTL_0, MSAA_ENABLE,
                 REG_FIELD_GET(mode, R600_PA_SC_MODE_CNTL, MSAA_ENABLE)) |
          REG_FIELD(PA_SC_MODE_CNTL_0, LINE_STIPPLE_ENABLE,
                    REG_FIELD_GET(mode, R600_PA_SC_MODE_CNTL, LINE_STIPPLE_ENABLE)) |
          REG_FIELD(PA_SC_MODE_CNTL_0, VPORT_SCISSOR_ENABLE,
                    r600 || REG_FIELD_GET(mode, R600_PA_SC_MODE_CNTL, VPORT_SCISSOR_ENABLE)));
   set(r, R_PA_SC_MODE_CNTL_1,
       REG_FIELD(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE,
                 REG_FIELD_GET(mode, R600_PA_SC_MODE_CNTL, PS_ITER_SAMPLE)));
   if (first && log2 == 1)
      at[0] = reg(r, R_R600_PA_SC_AA_SAMPLE_LOCS_2S);
   else if (first && log2 == 2)
      at[0] = reg(r, R_R600_PA_SC_AA_SAMPLE_LOCS_4S);
   else if (first)
      for (unsigned n = 0; n < 2; n++)
         at[n] = reg(r, R_R600_PA_SC_AA_SAMPLE_LOCS_8S + 4 * n);
   /* All pixels have the same; Evergreen has them for each of four, two dwords for eight
    * samples. */
   for (unsigned n = 0; n < 8; n++)
      set(r, R_EVERGREEN_PA_SC_AA_SAMPLE_LOCS_0 + 4 * n, at[log2 == 3 ? n % 2 : 0]);
}

static void
convert_stages(struct regs *r)
{
   const bool gs = REG_FIELD_GET(OWN(r, VGT_GS_MODE), R600_VGT_GS_MODE, MODE) == GS_SCENARIO_G;
   const uint32_t vertex = reg(r, R_SQ_GS_VERT_ITEMSIZE);

   set(r, R_VGT_SHADER_STAGES_EN,
       REG_FIELD(VGT_SHADER_STAGES_EN, ES_EN, gs ? ES_STAGE_REAL : ES_STAGE_OFF) |
          REG_FIELD(VGT_SHADER_STAGES_EN, GS_EN, gs) |
          REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, gs ? VS_STAGE_COPY_SHADER : VS_STAGE_REAL));
   set(r, R_VGT_STRMOUT_CONFIG,
       REG_FIELD(VGT_STRMOUT_CONFIG, STREAMOUT_0_EN,
                 REG_FIELD_GET(OWN(r, VGT_STRMOUT_EN), R600_VGT_STRMOUT_EN, STREAMOUT)));
   set(
      r, R_VGT_STRMOUT_BUFFER_CONFIG,
      REG_FIELD(VGT_STRMOUT_BUFFER_CONFIG, STREAM_0_BUFFER_EN,
                REG_FIELD_GET(OWN(r, VGT_STRMOUT_BUFFER_EN), R600_VGT_STRMOUT_BUFFER_EN, BUFFERS)));
   /* R600 has no limit of vertices but that of the ring. */
   if (regs_chip(r)->generation == GENERATION_R600)
      set(r, R_VGT_GS_MAX_VERT_OUT, vertex ? reg(r, R_SQ_GSVS_RING_ITEMSIZE) / vertex : 0);
}

void
r600_convert(struct regs *r)
{
   if (!r->own_dirty && !(r->dirty & REGS_DIRTY_CONTEXT))
      return;
   r->dirty |= REGS_DIRTY_CONTEXT;
   r->own_dirty = false;
   convert_targets(r);
   convert_depth(r);
   convert_samples(r);
   convert_stages(r);
}

/* ---- Inputs of pixel programs ---- */

void
r600_inputs(const struct regs *r, uint32_t words[SOURCE_INPUT_WORDS])
{
   const uint32_t control0 = reg(r, R_SPI_PS_IN_CONTROL_0);
   const uint32_t control1 = reg(r, R_SPI_PS_IN_CONTROL_1);
   const bool flat =
      REG_FIELD_GET(reg(r, R_SPI_INTERP_CONTROL_0), SPI_INTERP_CONTROL_0, FLAT_SHADE_ENA);
   const unsigned count = REG_FIELD_GET(control0, SPI_PS_IN_CONTROL_0, NUM_INTERP);
   uint64_t taken = 0;

   /* What is no parameter, but stands among them. */
   if (REG_FIELD_GET(control0, SPI_PS_IN_CONTROL_0, POSITION_ENA))
      taken |= UINT64_C(1) << REG_FIELD_GET(control0, SPI_PS_IN_CONTROL_0, POSITION_ADDR);
   if (REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FRONT_FACE_ENA))
      taken |= UINT64_C(1) << REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FRONT_FACE_ADDR);
   if (REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ENA))
      taken |= UINT64_C(1) << REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ADDR);

   memset(words, 0, SOURCE_INPUT_WORDS * sizeof(*words));
   for (unsigned n = 0; n < count && n < SOURCE_INPUTS; n++) {
      const uint32_t cntl = reg(r, REG_AT(SPI_PS_INPUT_CNTL_0, n));
      const bool linear = REG_FIELD_GET(cntl, SPI_PS_INPUT_CNTL_0, SEL_LINEAR);
      unsigned pair = linear ? CORE_LINEAR_CENTER : CORE_PERSP_CENTER;

      if (taken >> n & 1)
         continue;
      if (REG_FIELD_GET(cntl, SPI_PS_INPUT_CNTL_0, SEL_SAMPLE))
         pair = linear ? CORE_LINEAR_SAMPLE : CORE_PERSP_SAMPLE;
      else if (REG_FIELD_GET(cntl, SPI_PS_INPUT_CNTL_0, SEL_CENTROID))
         pair = linear ? CORE_LINEAR_CENTROID : CORE_PERSP_CENTROID;
      words[n / 8] |=
         (flat && REG_FIELD_GET(cntl, SPI_PS_INPUT_CNTL_0, FLAT_SHADE) ? SOURCE_INPUT_FLAT
                                                                       : SOURCE_INPUT_PAIR + pair)
         << n % 8 * 4;
   }
}

void
r600_pixel_state(const struct regs *r, uint32_t *state)
{
   r600_inputs(r, state + SOURCE_STATE_INPUTS);
   if (REG_FIELD_GET(OWN(r, CB_COLOR_CONTROL), R600_CB_COLOR_CONTROL, MULTIWRITE_ENABLE))
      state[1] |= SOURCE_ALL_TARGETS;
}

/* ---- Resources ---- */

/* Evergreen's number of a resource; CAYMAN_RESOURCE_COUNT: there is none. */
static uint32_t
resource_number(uint32_t n)
{
   if (n < R600_RESOURCE_VS)
      return CAYMAN_RESOURCE_PS + n;
   if (n < R600_RESOURCE_FS)
      return CAYMAN_RESOURCE_VS + n - R600_RESOURCE_VS;
   if (n < R600_RESOURCE_GS)
      return CAYMAN_RESOURCE_FS + n - R600_RESOURCE_FS;
   return n < R600_RESOURCE_COUNT ? CAYMAN_RESOURCE_GS + n - R600_RESOURCE_GS
                                  : (uint32_t)CAYMAN_RESOURCE_COUNT;
}

/* Bank width, aspect and banks that make a macro tile of the chip. */
static uint32_t
macro_tile(const struct chip *chip, unsigned bytes, unsigned samples)
{
   const struct surface_macro m =
      surface_old_macro(chip->pipes, 2u << chip->num_banks, bytes, samples);

   return REG_FIELD(TEX_WORD7, BANK_WIDTH, m.bank_w) |
          REG_FIELD(TEX_WORD7, MACRO_TILE_ASPECT, m.aspect) |
          REG_FIELD(TEX_WORD7, NUM_BANKS, m.num_banks);
}

static void
convert_texture(const struct chip *chip, const uint32_t w[7], uint32_t out[8])
{
   const unsigned dim = REG_FIELD_GET(w[0], R600_TEX_WORD0, DIM);
   const unsigned format = REG_FIELD_GET(w[1], R600_TEX_WORD1, DATA_FORMAT);
   const bool msaa = dim == SQ_TEX_DIM_2D_MSAA || dim == SQ_TEX_DIM_2D_ARRAY_MSAA;
   const unsigned last = REG_FIELD_GET(w[5], TEX_WORD5, LAST_LEVEL);

   out[0] = REG_FIELD(TEX_WORD0, DIM, dim) |
            REG_FIELD(TEX_WORD0, PITCH, REG_FIELD_GET(w[0], R600_TEX_WORD0, PITCH)) |
            REG_FIELD(TEX_WORD0, TEX_WIDTH, REG_FIELD_GET(w[0], R600_TEX_WORD0, TEX_WIDTH));
   out[1] = REG_FIELD(TEX_WORD1, TEX_HEIGHT, REG_FIELD_GET(w[1], R600_TEX_WORD1, TEX_HEIGHT)) |
            REG_FIELD(TEX_WORD1, TEX_DEPTH, REG_FIELD_GET(w[1], R600_TEX_WORD1, TEX_DEPTH)) |
            REG_FIELD(TEX_WORD1, ARRAY_MODE, REG_FIELD_GET(w[0], R600_TEX_WORD0, TILE_MODE));
   out[2] = w[2];
   out[3] = w[3];
   out[4] = w[4] & ~REG_FIELD_MASK(TEX_WORD4, LOG2_NUM_FRAGMENTS);
   out[5] = w[5];
   out[6] =
      REG_FIELD(TEX_WORD6, MAX_ANISO_RATIO, REG_FIELD_GET(w[6], R600_TEX_WORD6, MAX_ANISO_RATIO));
   out[7] = REG_FIELD(TEX_WORD7, DATA_FORMAT, format) |
            REG_FIELD(TEX_WORD7, EXACT_CUBES, chip->generation == GENERATION_R600) |
            macro_tile(chip, format_info[cayman_format[format]].bytes,
                       msaa ? 1u << (last > 4 ? 4 : last) : 1) |
            REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE);
}

bool
r600_write_resource(struct regs *r, uint32_t n, const uint32_t w[7])
{
   const uint32_t to = resource_number(n), type = REG_FIELD_GET(w[6], R600_TEX_WORD6, TYPE);
   uint32_t words[8] = { 0 };

   if (to >= CAYMAN_RESOURCE_COUNT)
      return false;
   if (type == SQ_RESOURCE_TEXTURE) {
      convert_texture(regs_chip(r), w, words);
   } else if (type == SQ_RESOURCE_BUFFER) {
      memcpy(words, w, 3 * sizeof(*w));
      words[3] =
         REG_FIELD(BUF_WORD3, DST_SEL_X, SQ_SEL_X) | REG_FIELD(BUF_WORD3, DST_SEL_Y, SQ_SEL_Y) |
         REG_FIELD(BUF_WORD3, DST_SEL_Z, SQ_SEL_Z) | REG_FIELD(BUF_WORD3, DST_SEL_W, SQ_SEL_W);
      words[4] = w[4];
      words[7] = REG_FIELD(BUF_WORD7, TYPE, type);
   }
   if (memcmp(r->resource[to], words, sizeof(words)) != 0)
      r->dirty |= REGS_DIRTY_RESOURCE;
   memcpy(r->resource[to], words, sizeof(words));
   return true;
}

/* ---- Samplers ---- */

/* Point, bilinear, and with 4 added these of several lookups. */
static uint32_t
filter(uint32_t xy)
{
   return (xy & 1) | (xy & 4 ? 2 : 0);
}

/* Later chips are told whether the coordinates of point samples are rounded down; these are taken
 * to do that where both filters are points, as drivers tell the others. */
bool
r600_write_sampler(struct regs *r, uint32_t n, const uint32_t w[3])
{
   const uint32_t aux = reg(r, R_R600_TA_CNTL_AUX);
   const int32_t bias = (int32_t)(REG_FIELD_GET(w[1], R600_SAMPLER_WORD1, LOD_BIAS) << 20) >> 20;
   uint32_t words[3];

   if (n >= REGS_SAMPLERS)
      return false;
#define FROM(word, field) REG_FIELD_GET(w[word], R600_SAMPLER_WORD##word, field)
   words[0] = FROM(0, CLAMPS) |
              REG_FIELD(SAMPLER_WORD0, XY_MAG_FILTER, filter(FROM(0, XY_MAG_FILTER))) |
              REG_FIELD(SAMPLER_WORD0, XY_MIN_FILTER, filter(FROM(0, XY_MIN_FILTER))) |
              REG_FIELD(SAMPLER_WORD0, Z_FILTER, FROM(0, Z_FILTER)) |
              REG_FIELD(SAMPLER_WORD0, MIP_FILTER, FROM(0, MIP_FILTER)) |
              REG_FIELD(SAMPLER_WORD0, MAX_ANISO_RATIO, FROM(0, MAX_ANISO_RATIO)) |
              REG_FIELD(SAMPLER_WORD0, BORDER_COLOR_TYPE, FROM(0, BORDER_COLOR_TYPE)) |
              REG_FIELD(SAMPLER_WORD0, DEPTH_COMPARE_FUNCTION, FROM(0, DEPTH_COMPARE_FUNCTION));
   /* Levels have two bits of fraction more. */
   words[1] = REG_FIELD(SAMPLER_WORD1, MIN_LOD, FROM(1, MIN_LOD) << 2) |
              REG_FIELD(SAMPLER_WORD1, MAX_LOD, FROM(1, MAX_LOD) << 2);
   words[2] = REG_FIELD(SAMPLER_WORD2, LOD_BIAS, (uint32_t)bias << 2) |
              REG_FIELD(SAMPLER_WORD2, FORCE_DEGAMMA, FROM(2, FORCE_DEGAMMA)) |
              REG_FIELD(SAMPLER_WORD2, TRUNCATE_COORD,
                        !((FROM(0, XY_MAG_FILTER) | FROM(0, XY_MIN_FILTER)) & 1)) |
              REG_FIELD(SAMPLER_WORD2, DISABLE_CUBE_WRAP,
                        REG_FIELD_GET(aux, R600_TA_CNTL_AUX, DISABLE_CUBE_WRAP)) |
              REG_FIELD(SAMPLER_WORD2, TYPE, 1);
#undef FROM
   if (memcmp(r->sampler[n], words, sizeof(words)) != 0)
      r->dirty |= REGS_DIRTY_SAMPLER;
   memcpy(r->sampler[n], words, sizeof(words));
   return true;
}
