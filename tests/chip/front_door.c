/* SPDX-License-Identifier: MIT */
/*
 * The scene in packets and registers of Cayman's; see front_door.h.
 */
#include "front_door.h"

#include "../device/state.h"

_Static_assert(SCENE_VA == VA_BASE && SCENE_BYTES == DOOR_BYTES, "the door's buffer is the memory");

static uint32_t
page(uint32_t at)
{
   return (uint32_t)((VA_BASE + at) >> 8);
}

static void
stage(struct ib *ib, const struct scene *s, uint32_t start, uint32_t at,
      const struct shader_code *code)
{
   context(ib, start, page(at));
   context(ib, start + 4,
           REG_FIELD(SQ_PGM_RESOURCES_VS, NUM_GPRS, code->num_gprs) |
              REG_FIELD(SQ_PGM_RESOURCES_VS, STACK_SIZE, code->stack_size) |
              REG_FIELD(SQ_PGM_RESOURCES_VS, DX10_CLAMP, 1));
   context(ib, start + 8,
           REG_FIELD(SQ_PGM_RESOURCES_2_VS, ALLOW_DOUBLE_DENORM_IN, s->keeps_halves));
}

static void
constants(struct ib *ib, uint32_t cache, uint32_t size, uint32_t driver_at)
{
   context(ib, cache, page(CONSTANTS_AT));
   context(ib, size, CONSTANT_BYTES / 256);
   context(ib, cache + 4 * 15, page(driver_at));
   context(ib, size + 4 * 15, DRIVER_BYTES / 256);
}

static void
programs(struct ib *ib, const struct scene *s)
{
   static const uint32_t pairs[SHADER_BARY_COUNT] = {
      REG_FIELD(SPI_BARYC_CNTL, PERSP_SAMPLE_ENA, 1),
      REG_FIELD(SPI_BARYC_CNTL, PERSP_CENTER_ENA, 1),
      REG_FIELD(SPI_BARYC_CNTL, PERSP_CENTROID_ENA, 1),
      REG_FIELD(SPI_BARYC_CNTL, LINEAR_SAMPLE_ENA, 1),
      REG_FIELD(SPI_BARYC_CNTL, LINEAR_CENTER_ENA, 1),
      REG_FIELD(SPI_BARYC_CNTL, LINEAR_CENTROID_ENA, 1),
   };
   uint32_t ids[8] = { 0 }, baryc = 0;

   stage(ib, s, R_SQ_PGM_START_VS, VS_AT, &s->vs);
   stage(ib, s, R_SQ_PGM_START_PS, PS_AT, &s->ps);
   context(ib, R_SQ_PGM_START_FS, page(FETCHES_AT));
   constants(ib, R_ALU_CONST_CACHE_VS_0, R_ALU_CONST_BUFFER_SIZE_VS_0, DRIVER_VS_AT);
   constants(ib, R_ALU_CONST_CACHE_PS_0, R_ALU_CONST_BUFFER_SIZE_PS_0, DRIVER_PS_AT);
   for (unsigned n = 0; n < s->vs.vs.num_params; n++)
      ids[n / 4] |= (s->vs.vs.param_slot[n] + 1u) << 8 * (n % 4);
   for (unsigned n = 0; n < 8; n++)
      context(ib, R_SPI_VS_OUT_ID_0 + 4 * n, ids[n]);
   context(ib, R_SPI_VS_OUT_CONFIG,
           REG_FIELD(SPI_VS_OUT_CONFIG, VS_EXPORT_COUNT, s->vs.vs.num_params - 1));
   for (unsigned n = 0; n < s->ps.ps.num_inputs; n++)
      context(ib, R_SPI_PS_INPUT_CNTL_0 + 4 * n,
              REG_FIELD(SPI_PS_INPUT_CNTL_0, SEMANTIC, s->ps.ps.input[n].slot + 1u) |
                 REG_FIELD(SPI_PS_INPUT_CNTL_0, DEFAULT_VAL, SPI_DEFAULT_0001));
   for (unsigned n = 0; n < SHADER_BARY_COUNT; n++)
      baryc |= s->ps.ps.bary >> n & 1 ? pairs[n] : 0;
   context(ib, R_SPI_BARYC_CNTL, baryc);
   context(ib, R_SPI_PS_IN_CONTROL_0,
           REG_FIELD(SPI_PS_IN_CONTROL_0, NUM_INTERP, s->ps.ps.num_inputs));
   context(ib, R_SPI_PS_IN_CONTROL_1, 0);
}

static void
rasteriser(struct ib *ib)
{
   const uint32_t corner = PICTURE_SIZE << 16 | PICTURE_SIZE;
   static const uint32_t scissors[][2] = {
      { R_PA_SC_SCREEN_SCISSOR_TL, R_PA_SC_SCREEN_SCISSOR_BR },
      { R_PA_SC_WINDOW_SCISSOR_TL, R_PA_SC_WINDOW_SCISSOR_BR },
      { R_PA_SC_GENERIC_SCISSOR_TL, R_PA_SC_GENERIC_SCISSOR_BR },
      { R_PA_SC_VPORT_SCISSOR_0_TL, R_PA_SC_VPORT_SCISSOR_0_BR },
   };

   context(ib, R_VGT_SHADER_STAGES_EN, 0);
   context(ib, R_VGT_INDX_OFFSET, 0);
   context(ib, R_VGT_MAX_VTX_INDX, ~0u);
   config(ib, R_VGT_PRIMITIVE_TYPE, DI_PT_TRILIST);
   context(ib, R_PA_CL_CLIP_CNTL, 0);
   context(ib, R_PA_SU_SC_MODE_CNTL, 0);
   context(ib, R_PA_SU_VTX_CNTL, REG_FIELD(PA_SU_VTX_CNTL, PIX_CENTER_HALF, 1));
   context(ib, R_PA_CL_VTE_CNTL, 0x3f | REG_FIELD(PA_CL_VTE_CNTL, VTX_W0_FMT, 1));
   for (unsigned n = 0; n < 4; n++)
      context_float(ib, R_PA_CL_VPORT_XSCALE_0 + 4 * n, PICTURE_SIZE / 2.0f);
   context_float(ib, R_PA_CL_VPORT_ZSCALE_0, 0.5f);
   context_float(ib, R_PA_CL_VPORT_ZOFFSET_0, 0.5f);
   for (unsigned n = 0; n < 4; n++)
      context_float(ib, R_PA_CL_GB_VERT_CLIP_ADJ + 4 * n, 1);
   for (unsigned n = 0; n < 4; n++) {
      context(ib, scissors[n][0], n ? 1u << 31 : 0);
      context(ib, scissors[n][1], corner);
   }
   context_float(ib, R_PA_SC_VPORT_ZMAX_0, 1);
   context(ib, R_PA_SC_CLIPRECT_RULE, 0xffff);
   context(ib, R_PA_SC_AA_MASK_X0Y0_X1Y0, ~0u);
   context(ib, R_PA_SC_AA_MASK_X0Y1_X1Y1, ~0u);
}

static void
targets(struct ib *ib)
{
   context(ib, R_CB_COLOR0_BASE, page(COLOR_AT));
   context(ib, R_CB_COLOR0_PITCH, PICTURE_SIZE / 8 - 1);
   context(ib, R_CB_COLOR0_SLICE, PICTURE_SIZE * PICTURE_SIZE / 64 - 1);
   context(ib, R_CB_COLOR0_INFO,
           REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_8_8_8_8) |
              REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_UNORM) |
              REG_FIELD(CB_COLOR0_INFO, BLEND_CLAMP, 1) |
              REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED));
   context(ib, R_CB_TARGET_MASK, 15);
   context(ib, R_CB_SHADER_MASK, 15);
   context(ib, R_CB_COLOR_CONTROL,
           REG_FIELD(CB_COLOR_CONTROL, MODE, CB_MODE_NORMAL) |
              REG_FIELD(CB_COLOR_CONTROL, ROP3, 0xcc));
   context(ib, R_CB_BLEND0_CONTROL,
           REG_FIELD(CB_BLEND0_CONTROL, BLEND_CONTROL_ENABLE, 1) |
              REG_FIELD(CB_BLEND0_CONTROL, SEPARATE_ALPHA_BLEND, 1) |
              REG_FIELD(CB_BLEND0_CONTROL, COLOR_SRCBLEND, BLEND_SRC_ALPHA) |
              REG_FIELD(CB_BLEND0_CONTROL, COLOR_DESTBLEND, BLEND_ONE_MINUS_SRC_ALPHA) |
              REG_FIELD(CB_BLEND0_CONTROL, ALPHA_SRCBLEND, BLEND_ONE) |
              REG_FIELD(CB_BLEND0_CONTROL, ALPHA_DESTBLEND, BLEND_ONE_MINUS_SRC_ALPHA));
   context(ib, R_DB_Z_INFO,
           REG_FIELD(DB_Z_INFO, FORMAT, DB_Z_32_FLOAT) |
              REG_FIELD(DB_Z_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED));
   context(ib, R_DB_Z_READ_BASE, page(DEPTH_AT));
   context(ib, R_DB_Z_WRITE_BASE, page(DEPTH_AT));
   context(ib, R_DB_DEPTH_SIZE, REG_FIELD(DB_DEPTH_SIZE, PITCH_TILE_MAX, PICTURE_SIZE / 8 - 1));
   context(ib, R_DB_DEPTH_SLICE, PICTURE_SIZE * PICTURE_SIZE / 64 - 1);
   context(ib, R_DB_DEPTH_CONTROL,
           REG_FIELD(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
              REG_FIELD(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, 1) |
              REG_FIELD(DB_DEPTH_CONTROL, ZFUNC, COMPARE_LESS));
   context(ib, R_DB_SHADER_CONTROL, REG_FIELD(DB_SHADER_CONTROL, Z_ORDER, DB_EARLY_Z_THEN_LATE_Z));
}

static void
resources(struct ib *ib)
{
   IB_ADD(ib, PM4_SET_RESOURCE, 8 * CAYMAN_RESOURCE_FS, (uint32_t)VA_BASE + VERTICES_AT,
          VERTICES * VERTEX_BYTES - 1, REG_FIELD(BUF_WORD2, STRIDE, VERTEX_BYTES), 0, 0, 0, 0,
          REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER));
   IB_ADD(ib, PM4_SET_RESOURCE, 8 * (CAYMAN_RESOURCE_PS + 18),
          REG_FIELD(TEX_WORD0, DIM, SQ_TEX_DIM_2D) |
             REG_FIELD(TEX_WORD0, PITCH, TEXTURE_PITCH / 8 - 1) |
             REG_FIELD(TEX_WORD0, TEX_WIDTH, TEXTURE_SIZE - 1),
          REG_FIELD(TEX_WORD1, TEX_HEIGHT, TEXTURE_SIZE - 1) |
             REG_FIELD(TEX_WORD1, ARRAY_MODE, ARRAY_LINEAR_ALIGNED),
          page(TEXTURE_AT), page(TEXTURE_AT),
          REG_FIELD(TEX_WORD4, DST_SEL_X, SQ_SEL_X) | REG_FIELD(TEX_WORD4, DST_SEL_Y, SQ_SEL_Y) |
             REG_FIELD(TEX_WORD4, DST_SEL_Z, SQ_SEL_Z) | REG_FIELD(TEX_WORD4, DST_SEL_W, SQ_SEL_W),
          0, 0,
          REG_FIELD(TEX_WORD7, DATA_FORMAT, FMT_8_8_8_8) |
             REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE));
   IB_ADD(ib, PM4_SET_SAMPLER, 0,
          REG_FIELD(SAMPLER_WORD0, XY_MAG_FILTER, 1) | REG_FIELD(SAMPLER_WORD0, XY_MIN_FILTER, 1),
          0, REG_FIELD(SAMPLER_WORD2, TYPE, 1));
}

static void
dispatch(struct ib *ib, const struct scene *s)
{
   const uint32_t first = ib->count;

   stage(ib, s, R_SQ_PGM_START_LS, CS_AT, &s->cs);
   constants(ib, R_ALU_CONST_CACHE_LS_0, R_ALU_CONST_BUFFER_SIZE_LS_0, DRIVER_CS_AT);
   context(ib, R_SPI_COMPUTE_INPUT_CNTL, 7);
   for (unsigned n = 0; n < 3; n++)
      context(ib, R_SPI_COMPUTE_NUM_THREAD_X + 4 * n, s->cs.cs.block[n]);
   context(ib, R_CB_COLOR0_BASE, page(OUT_AT));
   context(ib, R_CB_COLOR0_INFO,
           REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_32) |
              REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_UINT) |
              REG_FIELD(CB_COLOR0_INFO, RAT, 1) |
              REG_FIELD(CB_COLOR0_INFO, RESOURCE_TYPE, RAT_BUFFER));
   context(ib, R_CB_COLOR0_DIM, OUT_BYTES / 4 - 1);
   IB_ADD(ib, PM4_DISPATCH_DIRECT, GROUPS, 1, 1, 1);
   /* Registers of dispatches are their own. */
   for (uint32_t at = first; at < ib->count; at += 2 + (ib->words[at] >> 16 & 0x3fff))
      ib->words[at] |= PM4_COMPUTE_BIT;
}

void
front_door_run(const struct scene *s, uint32_t *memory)
{
   static struct ib ib;
   struct door d = door_begin();

   ib.count = 0;
   memcpy(d.mem, s->memory, SCENE_BYTES);
   programs(&ib, s);
   rasteriser(&ib);
   targets(&ib);
   resources(&ib);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, VERTICES, DI_SRC_SEL_AUTO_INDEX);
   if (s->computes)
      dispatch(&ib, s);
   assert_true(ib.count <= sizeof(ib.words) / 4);
   door_run(&d, &ib);
   memcpy(memory, d.mem, SCENE_BYTES);
   door_end(&d);
}
