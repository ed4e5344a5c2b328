/* SPDX-License-Identifier: MIT */
/*
 * Bound state to packets: the start of a stream, cache work, and one function for each atom.
 *
 * An atom's function emits everything of the atom, whatever was emitted before, and lists the BOs
 * that the stream uses through it.
 */
#include "context.h"

#include "util/bitscan.h"
#include "util/format/u_format.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_viewport.h"

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "format.h"

#define MAX_XY 16384

/* ---- Start of a stream ---- */

static void
emit_zeros(struct atoll_cs *cs, uint32_t reg, unsigned count)
{
   emit_context_seq(cs, reg, count);
   for (unsigned i = 0; i < count; i++)
      atoll_emit(cs, 0);
}

void
atoll_emit_start(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;

   atoll_emit(cs, pm4_header(PM4_CONTEXT_CONTROL, 2, false));
   atoll_emit(cs, 0x80000000);
   atoll_emit(cs, 0x80000000);
   emit_event(cs, EVENT_PS_PARTIAL_FLUSH, EVENT_INDEX_PARTIAL_FLUSH);
   emit_event(cs, EVENT_PIPELINESTAT_START, EVENT_INDEX_PLAIN);

   emit_config_reg(cs, R_SPI_CONFIG_CNTL, 0);
   emit_config_reg(cs, R_SPI_CONFIG_CNTL_1, REG_FIELD(SPI_CONFIG_CNTL_1, VTX_DONE_DELAY, 4));
   emit_config_reg(cs, R_PA_CL_ENHANCE, 7);
   /* Clause temporaries R124..R127. */
   emit_config_reg(cs, R_SQ_GPR_RESOURCE_MGMT_1,
                   REG_FIELD(SQ_GPR_RESOURCE_MGMT_1, NUM_CLAUSE_TEMP_GPRS, 4));

   emit_zeros(cs, R_SQ_ESGS_RING_ITEMSIZE, 6);
   emit_zeros(cs, R_SQ_GS_VERT_ITEMSIZE, 4);
   emit_zeros(cs, R_VGT_OUTPUT_PATH_CNTL, 13);
   emit_context_seq(cs, R_PA_SC_CENTROID_PRIORITY_0, 2);
   atoll_emit(cs, 0x76543210);
   atoll_emit(cs, 0xFEDCBA98);
   emit_zeros(cs, R_SQ_LDS_ALLOC, 2);
   emit_context_reg(cs, R_SQ_VTX_SEMANTIC_CLEAR, ~0u);
   emit_context_seq(cs, R_VGT_MAX_VTX_INDX, 2);
   atoll_emit(cs, ~0u);
   atoll_emit(cs, 0);
   emit_ctl_const(cs, R_SQ_VTX_BASE_VTX_LOC, 0);
   emit_context_reg(cs, R_DB_STENCIL_CLEAR, 0);
   emit_context_reg(cs, R_SPI_FOG_CNTL, 0);
   emit_zeros(cs, R_DB_SRESULTS_COMPARE_STATE0, 3);
   emit_context_reg(cs, R_PA_SC_WINDOW_OFFSET, 0);
   emit_context_reg(cs, R_PA_SC_EDGERULE, 0xAAAAAAAA);
   emit_context_reg(cs, R_PA_CL_NANINF_CNTL, 0);
   emit_context_seq(cs, R_PA_SC_GENERIC_SCISSOR_TL, 2);
   atoll_emit(cs, 0);
   atoll_emit(cs, REG_FIELD(PA_SC_GENERIC_SCISSOR_BR, BR_X, MAX_XY) |
                     REG_FIELD(PA_SC_GENERIC_SCISSOR_BR, BR_Y, MAX_XY));
   emit_context_seq(cs, R_PA_SC_SCREEN_SCISSOR_TL, 2);
   atoll_emit(cs, 0);
   atoll_emit(cs, REG_FIELD(PA_SC_SCREEN_SCISSOR_BR, BR_X, MAX_XY) |
                     REG_FIELD(PA_SC_SCREEN_SCISSOR_BR, BR_Y, MAX_XY));
   /* Round to nearest even, denormals flushed. */
   emit_context_reg(cs, R_SQ_PGM_RESOURCES_2_PS, 0);
   emit_context_reg(cs, R_SQ_PGM_RESOURCES_2_VS, 0);
   emit_context_reg(cs, R_SQ_PGM_RESOURCES_FS, 0);
   emit_zeros(cs, R_ALU_CONST_BUFFER_SIZE_PS_0, 16);
   emit_zeros(cs, R_ALU_CONST_BUFFER_SIZE_VS_0, 16);
   emit_context_reg(cs, R_VGT_STRMOUT_DRAW_OPAQUE_OFFSET, 0);
   emit_context_reg(cs, R_DB_RENDER_OVERRIDE2, 0);
   emit_context_reg(cs, R_PA_SU_HARDWARE_SCREEN_OFFSET, 0);
   emit_context_reg(cs, R_SPI_THREAD_GROUPING, 0);
   emit_zeros(cs, R_SPI_PS_IN_CONTROL_2, 2);
   emit_zeros(cs, R_VGT_SHADER_STAGES_EN, 2);
   emit_context_reg(cs, R_VGT_TF_PARAM, 0);
   emit_context_reg(cs, R_VGT_PRIMITIVEID_EN, 0);
   emit_context_reg(cs, R_VGT_REUSE_OFF, 0);
   emit_context_reg(cs, R_SX_MISC, 0);
   emit_context_reg(cs, R_IA_MULTI_VGT_PARAM, REG_FIELD(IA_MULTI_VGT_PARAM, PRIMGROUP_SIZE, 127));
   emit_context_reg(cs, R_DB_HTILE_SURFACE, 0);
   emit_context_reg(cs, R_DB_PRELOAD_CONTROL, 0);
   for (unsigned stage = 0; stage < 5; stage++) {
      /* Loops end by BREAK: the counter must not. */
      atoll_emit(cs, pm4_header(PM4_SET_LOOP_CONST, 2, false));
      atoll_emit(cs, stage * 32);
      atoll_emit(cs, 0x01000FFF);
   }
   ctx->flush |= FLUSH_READS;
}

void
atoll_emit_flush(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   uint32_t coher = 0;

   if (ctx->flush & (FLUSH_TARGETS | FLUSH_STREAMOUT)) {
      emit_event(cs, EVENT_PS_PARTIAL_FLUSH, EVENT_INDEX_PARTIAL_FLUSH);
      emit_event(cs, EVENT_CACHE_FLUSH_AND_INV, EVENT_INDEX_PLAIN);
   }
   if (ctx->flush & FLUSH_TARGETS)
      coher |= REG_FIELD(CP_COHER_CNTL, CB_ACTION_ENA, 1) |
               REG_FIELD(CP_COHER_CNTL, DB_ACTION_ENA, 1) |
               REG_FIELD_MASK(CP_COHER_CNTL, DB_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB0_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB1_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB2_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB3_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB4_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB5_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB6_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB7_DEST_BASE_ENA);
   if (ctx->flush & FLUSH_STREAMOUT)
      coher |= REG_FIELD_MASK(CP_COHER_CNTL, SO0_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, SO1_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, SO2_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, SO3_DEST_BASE_ENA) |
               REG_FIELD(CP_COHER_CNTL, SMX_ACTION_ENA, 1);
   if (ctx->flush & (FLUSH_READS | FLUSH_STREAMOUT))
      coher |= REG_FIELD(CP_COHER_CNTL, TC_ACTION_ENA, 1) |
               REG_FIELD(CP_COHER_CNTL, VC_ACTION_ENA, 1) |
               REG_FIELD(CP_COHER_CNTL, SH_ACTION_ENA, 1);
   if (coher) {
      atoll_emit(cs, pm4_header(PM4_SURFACE_SYNC, 4, false));
      atoll_emit(cs, coher);
      atoll_emit(cs, 0xFFFFFFFF); /* CP_COHER_SIZE */
      atoll_emit(cs, 0);          /* CP_COHER_BASE */
      atoll_emit(cs, 10);         /* poll interval */
   }
   ctx->flush = 0;
}

/* ---- Targets ---- */

static void
emit_framebuffer(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct pipe_framebuffer_state *fb = &ctx->fb;
   unsigned i;

   for (i = 0; i < fb->nr_cbufs && i < ATOLL_MAX_CB; i++) {
      struct atoll_surface *surf = (struct atoll_surface *)fb->cbufs[i];
      uint32_t step = i * CB_COLOR0_BASE__STRIDE;
      if (!surf) {
         emit_context_reg(cs, R_CB_COLOR0_INFO + step, 0);
         continue;
      }
      struct atoll_resource *res = atoll_resource(surf->base.texture);
      uint32_t base = (uint32_t)((res->bo->va + surf->base_offset) >> 8);
      atoll_cs_add_bo(cs, res->bo, ATOLL_USAGE_READ | ATOLL_USAGE_WRITE);
      emit_context_seq(cs, R_CB_COLOR0_BASE + step, 13);
      atoll_emit(cs, base);
      atoll_emit(cs, surf->cb_pitch);
      atoll_emit(cs, surf->cb_slice);
      atoll_emit(cs, surf->cb_view);
      atoll_emit(cs, surf->cb_info);
      atoll_emit(cs, surf->cb_attrib);
      atoll_emit(cs, 0);    /* DIM */
      atoll_emit(cs, base); /* CMASK */
      atoll_emit(cs, 0);    /* CMASK_SLICE */
      atoll_emit(cs, base); /* FMASK */
      atoll_emit(cs, surf->cb_slice);
      atoll_emit(cs, 0); /* CLEAR_WORD0 */
      atoll_emit(cs, 0); /* CLEAR_WORD1 */
   }
   /* The second source of dual source blending needs the format of target 0. */
   if (i == 1 && ctx->blend && ctx->blend->dual_source && fb->cbufs[0]) {
      emit_context_reg(cs, R_CB_COLOR0_INFO + CB_COLOR0_INFO__STRIDE,
                       ((struct atoll_surface *)fb->cbufs[0])->cb_info);
      i++;
   }
   for (; i < ATOLL_MAX_CB; i++)
      emit_context_reg(cs, R_CB_COLOR0_INFO + i * CB_COLOR0_INFO__STRIDE, 0);
   for (i = 0; i < CB_COLOR8_INFO__COUNT; i++)
      emit_context_reg(cs, R_CB_COLOR8_INFO + i * CB_COLOR8_INFO__STRIDE, 0);

   struct atoll_surface *zs = (struct atoll_surface *)fb->zsbuf;
   if (zs) {
      struct atoll_resource *res = atoll_resource(zs->base.texture);
      uint32_t z = (uint32_t)((res->bo->va + zs->base_offset) >> 8);
      uint32_t s = (uint32_t)((res->bo->va + zs->stencil_offset) >> 8);
      atoll_cs_add_bo(cs, res->bo, ATOLL_USAGE_READ | ATOLL_USAGE_WRITE);
      emit_context_reg(cs, R_DB_DEPTH_VIEW, zs->db_depth_view);
      emit_context_seq(cs, R_DB_Z_INFO, 8);
      atoll_emit(cs, zs->db_z_info);
      atoll_emit(cs, zs->db_stencil_info);
      atoll_emit(cs, z);
      atoll_emit(cs, s);
      atoll_emit(cs, z);
      atoll_emit(cs, s);
      atoll_emit(cs, zs->db_depth_size);
      atoll_emit(cs, zs->db_depth_slice);
   } else {
      emit_zeros(cs, R_DB_Z_INFO, 2);
   }

   emit_context_seq(cs, R_PA_SC_WINDOW_SCISSOR_TL, 2);
   atoll_emit(cs, REG_FIELD(PA_SC_WINDOW_SCISSOR_TL, WINDOW_OFFSET_DISABLE, 1));
   atoll_emit(cs, REG_FIELD(PA_SC_WINDOW_SCISSOR_BR, BR_X, fb->width) |
                     REG_FIELD(PA_SC_WINDOW_SCISSOR_BR, BR_Y, fb->height));
}

/* ---- Samples ---- */

/* Positions of the samples of a pixel in 1/16 pixel from its centre, x before y, and the farthest
 * coordinate. */
static const int8_t sample_pos_2[] = { 4, 4, -4, -4 };
static const int8_t sample_pos_4[] = { -2, -6, 6, -2, -6, 2, 2, 6 };
static const int8_t sample_pos_8[] = { 1, -3, -1, 3, 5, 1, -3, -5, -5, 5, -7, -1, 3, 7, 7, -7 };

static const int8_t *
sample_positions(unsigned samples)
{
   return samples == 2   ? sample_pos_2
          : samples == 4 ? sample_pos_4
          : samples == 8 ? sample_pos_8
                         : NULL;
}

void
atoll_sample_position(unsigned samples, unsigned index, float out[2])
{
   const int8_t *pos = sample_positions(samples);
   out[0] = out[1] = 0.5f;
   if (pos && index < samples) {
      out[0] = (float)(pos[2 * index] + 8) / 16.0f;
      out[1] = (float)(pos[2 * index + 1] + 8) / 16.0f;
   }
}

static void
emit_sample_positions(struct atoll_cs *cs, unsigned samples)
{
   static const uint32_t pixel_reg[4] = {
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y0_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y1_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y1_0,
   };
   const int8_t *pos = sample_positions(samples);
   uint32_t words[2] = { 0 };
   for (unsigned i = 0; pos && i < samples * 2; i++)
      words[i / 8] |= (uint32_t)(pos[i] & 0xF) << (i % 8 * 4);
   for (unsigned p = 0; p < 4; p++) {
      emit_context_seq(cs, pixel_reg[p], 2);
      atoll_emit(cs, words[0]);
      atoll_emit(cs, words[1]);
   }
}

static void
emit_msaa(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   unsigned samples = ctx->samples, log = util_logbase2(samples),
            max = samples == 2   ? 4
                  : samples == 4 ? 6
                                 : 7;
   uint32_t mode = REG_FIELD(PA_SC_MODE_CNTL_1, FORCE_EOV_CNTDWN_ENABLE, 1) |
                   REG_FIELD(PA_SC_MODE_CNTL_1, FORCE_EOV_REZ_ENABLE, 1);
   uint32_t line = REG_FIELD(PA_SC_LINE_CNTL, DX10_DIAMOND_TEST_ENA, 1);
   uint32_t eqaa = REG_FIELD(DB_EQAA, HIGH_QUALITY_INTERSECTIONS, 1) |
                   REG_FIELD(DB_EQAA, STATIC_ANCHOR_ASSOCIATIONS, 1);
   uint32_t config = 0, mask = ~0u;

   if (samples > 1) {
      unsigned iter = ctx->variants[ATOLL_PS]->p.per_sample ? samples : ctx->min_samples;
      unsigned log_iter = iter > 1 ? MIN2(util_logbase2_ceil(iter), log) : 0;
      line |= REG_FIELD(PA_SC_LINE_CNTL, EXPAND_LINE_WIDTH, 1);
      config = REG_FIELD(PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES, log) |
               REG_FIELD(PA_SC_AA_CONFIG, MAX_SAMPLE_DIST, max) |
               REG_FIELD(PA_SC_AA_CONFIG, MSAA_EXPOSED_SAMPLES, log);
      eqaa |= REG_FIELD(DB_EQAA, MAX_ANCHOR_SAMPLES, log) |
              REG_FIELD(DB_EQAA, PS_ITER_SAMPLES, log_iter) |
              REG_FIELD(DB_EQAA, MASK_EXPORT_NUM_SAMPLES, log) |
              REG_FIELD(DB_EQAA, ALPHA_TO_MASK_NUM_SAMPLES, log);
      mode |= REG_FIELD(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, log_iter > 0);
      mask = (ctx->sample_mask & 0xFFFF) | ctx->sample_mask << 16;
      emit_sample_positions(cs, samples);
   }
   emit_context_seq(cs, R_PA_SC_LINE_CNTL, 2);
   atoll_emit(cs, line);
   atoll_emit(cs, config);
   emit_context_reg(cs, R_DB_EQAA, eqaa);
   emit_context_reg(cs, R_PA_SC_MODE_CNTL_1, mode);
   emit_context_seq(cs, R_PA_SC_AA_MASK_X0Y0_X1Y0, 2);
   atoll_emit(cs, mask);
   atoll_emit(cs, mask);
}

static void
emit_blend(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_blend *blend = ctx->blend;
   emit_context_reg(cs, R_CB_COLOR_CONTROL,
                    blend->target_mask ? blend->color_control : blend->color_control_off);
   emit_context_reg(cs, R_DB_ALPHA_TO_MASK, ctx->samples > 1 ? blend->alpha_to_mask : 0);
   emit_context_seq(cs, R_CB_BLEND0_CONTROL, ATOLL_MAX_CB);
   for (unsigned i = 0; i < ATOLL_MAX_CB; i++)
      atoll_emit(cs, blend->control[i]);
}

static void
emit_blend_color(struct atoll_context *ctx)
{
   emit_context_seq(&ctx->cs, R_CB_BLEND_RED, 4);
   for (unsigned i = 0; i < 4; i++)
      atoll_emit(&ctx->cs, fui(ctx->blend_color.color[i]));
}

static void
emit_cb_misc(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   uint32_t bound = 0;
   for (unsigned i = 0; i < ctx->fb.nr_cbufs; i++)
      bound |= ctx->fb.cbufs[i] ? 0xFu << (4 * i) : 0;
   emit_context_seq(cs, R_CB_TARGET_MASK, 2);
   atoll_emit(cs, ctx->blend->target_mask & bound);
   atoll_emit(cs, ctx->variants[ATOLL_PS]->p.shader_mask);
}

/* ---- Depth, stencil, alpha ---- */

static void
emit_dsa(struct atoll_context *ctx)
{
   uint32_t control = ctx->dsa->depth_control;
   const struct atoll_surface *zs = (struct atoll_surface *)ctx->fb.zsbuf;
   bool has_z = zs && REG_FIELD_GET(zs->db_z_info, DB_Z_INFO, FORMAT) != DB_Z_INVALID;
   bool has_s = zs && REG_FIELD_GET(zs->db_stencil_info, DB_STENCIL_INFO, FORMAT) == DB_STENCIL_8;
   /* A plane that is not there passes every test. */
   if (!has_z)
      control &= ~(REG_FIELD_MASK(DB_DEPTH_CONTROL, Z_ENABLE) |
                   REG_FIELD_MASK(DB_DEPTH_CONTROL, Z_WRITE_ENABLE));
   if (!has_s)
      control &= ~(REG_FIELD_MASK(DB_DEPTH_CONTROL, STENCIL_ENABLE) |
                   REG_FIELD_MASK(DB_DEPTH_CONTROL, BACKFACE_ENABLE));
   emit_context_reg(&ctx->cs, R_DB_DEPTH_CONTROL, control);
}

static void
emit_stencil_ref(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_dsa *dsa = ctx->dsa;
   emit_context_seq(cs, R_DB_STENCILREFMASK, 2);
   atoll_emit(cs, REG_FIELD(DB_STENCILREFMASK, STENCILREF, ctx->stencil_ref.ref_value[0]) |
                     REG_FIELD(DB_STENCILREFMASK, STENCILMASK, dsa->valuemask[0]) |
                     REG_FIELD(DB_STENCILREFMASK, STENCILWRITEMASK, dsa->writemask[0]));
   atoll_emit(cs, REG_FIELD(DB_STENCILREFMASK_BF, STENCILREF_BF, ctx->stencil_ref.ref_value[1]) |
                     REG_FIELD(DB_STENCILREFMASK_BF, STENCILMASK_BF, dsa->valuemask[1]) |
                     REG_FIELD(DB_STENCILREFMASK_BF, STENCILWRITEMASK_BF, dsa->writemask[1]));
}

static void
emit_alpha(struct atoll_context *ctx)
{
   const struct atoll_surface *cb0 =
      ctx->fb.nr_cbufs ? (struct atoll_surface *)ctx->fb.cbufs[0] : NULL;
   uint32_t control = ctx->dsa->alpha_control;
   if (cb0 && cb0->integer)
      control |= REG_FIELD(SX_ALPHA_TEST_CONTROL, ALPHA_TEST_BYPASS, 1);
   emit_context_reg(&ctx->cs, R_SX_ALPHA_TEST_CONTROL, control);
   emit_context_reg(&ctx->cs, R_SX_ALPHA_REF, ctx->dsa->alpha_ref);
}

static void
emit_db_misc(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   uint32_t count = 0;
   uint32_t override = REG_FIELD(DB_RENDER_OVERRIDE, FORCE_HIS_ENABLE0, FORCE_DISABLE) |
                       REG_FIELD(DB_RENDER_OVERRIDE, FORCE_HIS_ENABLE1, FORCE_DISABLE);
   if (ctx->num_occlusion && !ctx->queries_disabled) {
      count = REG_FIELD(DB_COUNT_CONTROL, PERFECT_ZPASS_COUNTS, 1) |
              REG_FIELD(DB_COUNT_CONTROL, SAMPLE_RATE, util_logbase2(ctx->samples));
      override |= REG_FIELD(DB_RENDER_OVERRIDE, NOOP_CULL_DISABLE, 1);
   } else {
      count = REG_FIELD(DB_COUNT_CONTROL, ZPASS_INCREMENT_DISABLE, 1);
   }
   /* The alpha test kills after the program: depth must be written later still. */
   bool late = ctx->dsa->alpha_control != 0;
   if (late)
      override |= REG_FIELD(DB_RENDER_OVERRIDE, FORCE_SHADER_Z_ORDER, 1);
   emit_context_seq(cs, R_DB_RENDER_CONTROL, 2);
   atoll_emit(cs, 0);
   atoll_emit(cs, count);
   emit_context_reg(cs, R_DB_RENDER_OVERRIDE, override);
   emit_context_reg(
      cs, R_DB_SHADER_CONTROL,
      ctx->variants[ATOLL_PS]->p.db_shader_control |
         REG_FIELD(DB_SHADER_CONTROL, Z_ORDER, late ? DB_LATE_Z : DB_EARLY_Z_THEN_LATE_Z));
}

/* ---- Rasterizer ---- */

static void
emit_rasterizer(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_rasterizer *rs = ctx->rs;
   emit_context_seq(cs, R_PA_SU_POINT_SIZE, 3);
   atoll_emit(cs, rs->point_size);
   atoll_emit(cs, rs->point_minmax);
   atoll_emit(cs, rs->line_cntl);
   emit_context_reg(cs, R_SPI_INTERP_CONTROL_0, rs->interp_control);
   emit_context_reg(cs, R_PA_SC_MODE_CNTL_0, rs->sc_mode_cntl_0);
   emit_context_reg(cs, R_PA_SU_VTX_CNTL, rs->vtx_cntl);
   emit_context_reg(cs, R_PA_SU_SC_MODE_CNTL, rs->su_sc_mode_cntl);
}

static void
emit_poly_offset(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct pipe_rasterizer_state *s = &ctx->rs->state;
   float units = s->offset_units, scale = s->offset_scale * 16.0f;
   uint32_t format = 0;

   if (!s->offset_units_unscaled) {
      switch (ctx->fb.zsbuf ? ctx->fb.zsbuf->format : PIPE_FORMAT_NONE) {
      case PIPE_FORMAT_Z24X8_UNORM:
      case PIPE_FORMAT_Z24_UNORM_S8_UINT:
         units *= 2.0f;
         format =
            REG_FIELD(PA_SU_POLY_OFFSET_DB_FMT_CNTL, POLY_OFFSET_NEG_NUM_DB_BITS, (uint32_t)-24);
         break;
      case PIPE_FORMAT_Z16_UNORM:
         units *= 4.0f;
         format =
            REG_FIELD(PA_SU_POLY_OFFSET_DB_FMT_CNTL, POLY_OFFSET_NEG_NUM_DB_BITS, (uint32_t)-16);
         break;
      default:
         format =
            REG_FIELD(PA_SU_POLY_OFFSET_DB_FMT_CNTL, POLY_OFFSET_NEG_NUM_DB_BITS, (uint32_t)-23) |
            REG_FIELD(PA_SU_POLY_OFFSET_DB_FMT_CNTL, POLY_OFFSET_DB_IS_FLOAT_FMT, 1);
         break;
      }
   }
   emit_context_seq(cs, R_PA_SU_POLY_OFFSET_DB_FMT_CNTL, 6);
   atoll_emit(cs, format);
   atoll_emit(cs, fui(s->offset_clamp));
   atoll_emit(cs, fui(scale));
   atoll_emit(cs, fui(units));
   atoll_emit(cs, fui(scale));
   atoll_emit(cs, fui(units));
}

static void
emit_clip(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_program *vs = &ctx->variants[ATOLL_VS]->p;
   uint32_t cntl = ctx->rs->clip_cntl;
   if (vs->window_space || ctx->rect_draw)
      cntl |= REG_FIELD(PA_CL_CLIP_CNTL, CLIP_DISABLE, 1);
   emit_context_reg(cs, R_PA_CL_CLIP_CNTL, cntl);
   emit_context_reg(cs, R_PA_CL_VS_OUT_CNTL,
                    vs->pa_cl_vs_out_cntl | (ctx->rs->state.clip_plane_enable & vs->clip_mask) |
                       (uint32_t)vs->cull_mask << 8);
}

/* Clipping in x and y may wait until a primitive leaves the guard band; points and lines are wide
 * and must not be dropped as soon as their vertices are outside. */
static void
emit_guard_band(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct pipe_viewport_state *vp = &ctx->viewports[0];
   float sx = MAX2(fabsf(vp->scale[0]), 0.5f), sy = MAX2(fabsf(vp->scale[1]), 0.5f);
   float gx = (32767.0f - fabsf(vp->translate[0])) / sx;
   float gy = (32767.0f - fabsf(vp->translate[1])) / sy;
   gx = MAX2(gx, 1.0f);
   gy = MAX2(gy, 1.0f);
   float wide = MAX2(ctx->rs->state.line_width, ctx->rs->state.point_size);
   if (ctx->rs->state.point_size_per_vertex)
      wide = MAX2(wide, 64.0f);
   float dx = MIN2(1.0f + wide / (2.0f * sx), gx), dy = MIN2(1.0f + wide / (2.0f * sy), gy);
   emit_context_seq(cs, R_PA_CL_GB_VERT_CLIP_ADJ, 4);
   atoll_emit(cs, fui(gy));
   atoll_emit(cs, fui(dy));
   atoll_emit(cs, fui(gx));
   atoll_emit(cs, fui(dx));
}

static void
emit_viewport(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   bool halfz = ctx->rs->state.clip_halfz;

   emit_context_seq(cs, R_PA_CL_VPORT_XSCALE_0, 6 * ATOLL_MAX_VIEWPORTS);
   for (unsigned i = 0; i < ATOLL_MAX_VIEWPORTS; i++) {
      const struct pipe_viewport_state *vp = &ctx->viewports[i];
      for (unsigned c = 0; c < 3; c++) {
         atoll_emit(cs, fui(vp->scale[c]));
         atoll_emit(cs, fui(vp->translate[c]));
      }
   }
   emit_context_seq(cs, R_PA_SC_VPORT_ZMIN_0, 2 * ATOLL_MAX_VIEWPORTS);
   for (unsigned i = 0; i < ATOLL_MAX_VIEWPORTS; i++) {
      float zmin, zmax;
      util_viewport_zmin_zmax(&ctx->viewports[i], halfz, &zmin, &zmax);
      atoll_emit(cs, fui(zmin));
      atoll_emit(cs, fui(zmax));
   }
   emit_guard_band(ctx);
   /* Scissors cut at the viewport's edge too. */
   atoll_dirty(ctx, ATOM_SCISSOR);
}

static int
to_int(float x)
{
   return (int)CLAMP(x, 0.0f, (float)MAX_XY);
}

static void
emit_scissor(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   bool window_space = ctx->variants[ATOLL_VS]->p.window_space || ctx->rect_draw;

   emit_context_seq(cs, R_PA_SC_VPORT_SCISSOR_0_TL, 2 * ATOLL_MAX_VIEWPORTS);
   for (unsigned i = 0; i < ATOLL_MAX_VIEWPORTS; i++) {
      const struct pipe_viewport_state *vp = &ctx->viewports[i];
      int x0 = 0, y0 = 0, x1 = MAX_XY, y1 = MAX_XY;
      if (!window_space) {
         float w = fabsf(vp->scale[0]), h = fabsf(vp->scale[1]);
         x0 = to_int(floorf(vp->translate[0] - w));
         y0 = to_int(floorf(vp->translate[1] - h));
         x1 = to_int(ceilf(vp->translate[0] + w));
         y1 = to_int(ceilf(vp->translate[1] + h));
      }
      if (ctx->rs->state.scissor) {
         x0 = MAX2(x0, ctx->scissors[i].minx);
         y0 = MAX2(y0, ctx->scissors[i].miny);
         x1 = MIN2(x1, ctx->scissors[i].maxx);
         y1 = MIN2(y1, ctx->scissors[i].maxy);
      }
      if (x0 >= x1 || y0 >= y1)
         x0 = y0 = x1 = y1 = 1;
      atoll_emit(cs, REG_FIELD(PA_SC_VPORT_SCISSOR_0_TL, TL_X, x0) |
                        REG_FIELD(PA_SC_VPORT_SCISSOR_0_TL, TL_Y, y0) |
                        REG_FIELD(PA_SC_VPORT_SCISSOR_0_TL, WINDOW_OFFSET_DISABLE, 1));
      atoll_emit(cs, REG_FIELD(PA_SC_VPORT_SCISSOR_0_BR, BR_X, x1) |
                        REG_FIELD(PA_SC_VPORT_SCISSOR_0_BR, BR_Y, y1));
   }
}

static void
emit_clip_rects(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   unsigned bound = (1u << ctx->num_window_rects) - 1;
   uint32_t rule = 0;
   /* Bit n of the rule: what happens to a pixel inside the rectangles of n. */
   for (unsigned n = 0; n < 16; n++) {
      bool inside = (n & bound) != 0;
      if (!ctx->num_window_rects ? !ctx->window_rects_include : inside == ctx->window_rects_include)
         rule |= 1u << n;
   }
   emit_context_reg(cs, R_PA_SC_CLIPRECT_RULE, rule);
   for (unsigned i = 0; i < ctx->num_window_rects; i++) {
      const struct pipe_scissor_state *r = &ctx->window_rects[i];
      emit_context_seq(cs, REG_AT(PA_SC_CLIPRECT_0_TL, i), 2);
      atoll_emit(cs, REG_FIELD(PA_SC_CLIPRECT_0_TL, TL_X, r->minx) |
                        REG_FIELD(PA_SC_CLIPRECT_0_TL, TL_Y, r->miny));
      atoll_emit(cs, REG_FIELD(PA_SC_CLIPRECT_0_BR, BR_X, r->maxx) |
                        REG_FIELD(PA_SC_CLIPRECT_0_BR, BR_Y, r->maxy));
   }
}

/* ---- Programs ---- */

static void
emit_scratch(struct atoll_cs *cs, uint32_t item_reg, const struct atoll_program *p)
{
   /* The ring itself is private to the device. */
   emit_context_reg(cs, item_reg, p->scratch_dw);
}

static void
emit_vs(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_variant *v = ctx->variants[ATOLL_VS];
   const struct atoll_program *p = &v->p;
   uint32_t ids[SPI_VS_OUT_ID_0__COUNT] = { 0 };

   for (unsigned i = 0; i < p->num_params && i < 32; i++) {
      /* 0 means "no parameter". */
      uint32_t semantic = p->param_slot[i] == 0xFF ? 0 : p->param_slot[i] + 1u;
      ids[i / 4] |= semantic << (8 * (i % 4));
   }
   emit_context_seq(cs, R_SPI_VS_OUT_ID_0, SPI_VS_OUT_ID_0__COUNT);
   for (unsigned i = 0; i < SPI_VS_OUT_ID_0__COUNT; i++)
      atoll_emit(cs, ids[i]);
   emit_context_reg(
      cs, R_SPI_VS_OUT_CONFIG,
      REG_FIELD(SPI_VS_OUT_CONFIG, VS_EXPORT_COUNT, p->num_params ? p->num_params - 1 : 0));
   emit_context_seq(cs, R_SQ_PGM_START_VS, 2);
   atoll_emit(cs, (uint32_t)(v->bo->va >> 8));
   atoll_emit(cs, REG_FIELD(SQ_PGM_RESOURCES_VS, NUM_GPRS, p->num_gprs) |
                     REG_FIELD(SQ_PGM_RESOURCES_VS, DX10_CLAMP, 1) |
                     REG_FIELD(SQ_PGM_RESOURCES_VS, STACK_SIZE, p->stack));
   atoll_cs_add_bo(cs, v->bo, ATOLL_USAGE_READ);
   emit_scratch(cs, R_SQ_VSTMP_RING_ITEMSIZE, p);
   if (p->window_space)
      emit_context_reg(cs, R_PA_CL_VTE_CNTL,
                       REG_FIELD(PA_CL_VTE_CNTL, VTX_XY_FMT, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VTX_Z_FMT, 1));
   else
      emit_context_reg(cs, R_PA_CL_VTE_CNTL,
                       REG_FIELD(PA_CL_VTE_CNTL, VTX_W0_FMT, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_X_SCALE_ENA, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_X_OFFSET_ENA, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_Y_SCALE_ENA, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_Y_OFFSET_ENA, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_Z_SCALE_ENA, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_Z_OFFSET_ENA, 1));
}

static void
emit_ps(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_variant *v = ctx->variants[ATOLL_PS];
   const struct atoll_program *p = &v->p;
   emit_context_seq(cs, R_SPI_PS_IN_CONTROL_0, 2);
   atoll_emit(cs, p->spi_in_control_0);
   atoll_emit(cs, p->spi_in_control_1);
   emit_context_reg(cs, R_SPI_INPUT_Z, p->spi_input_z);
   emit_context_reg(cs, R_SPI_BARYC_CNTL, p->spi_baryc_cntl);
   emit_context_seq(cs, R_SQ_PGM_START_PS, 2);
   atoll_emit(cs, (uint32_t)(v->bo->va >> 8));
   atoll_emit(cs, REG_FIELD(SQ_PGM_RESOURCES_PS, NUM_GPRS, p->num_gprs) |
                     REG_FIELD(SQ_PGM_RESOURCES_PS, DX10_CLAMP, 1) |
                     REG_FIELD(SQ_PGM_RESOURCES_PS, PRIME_CACHE_ON_DRAW, 1) |
                     REG_FIELD(SQ_PGM_RESOURCES_PS, STACK_SIZE, p->stack));
   emit_context_reg(cs, R_SQ_PGM_EXPORTS_PS, p->exports_ps);
   emit_scratch(cs, R_SQ_PSTMP_RING_ITEMSIZE, p);
   atoll_cs_add_bo(cs, v->bo, ATOLL_USAGE_READ);
}

static void
emit_ps_inputs(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_program *p = &ctx->variants[ATOLL_PS]->p;
   const struct pipe_rasterizer_state *s = &ctx->rs->state;
   unsigned count = MAX2(p->num_inputs, 1);

   emit_context_seq(cs, R_SPI_PS_INPUT_CNTL_0, count);
   for (unsigned i = 0; i < count; i++) {
      if (i >= p->num_inputs) {
         atoll_emit(cs, 0);
         continue;
      }
      unsigned slot = p->inputs[i].slot;
      bool flat = p->inputs[i].mode == CAYMAN_INPUT_FLAT ||
                  (p->inputs[i].mode == CAYMAN_INPUT_COLOR && s->flatshade);
      bool sprite = slot == IL_LINK_POINT_COORD ||
                    (slot >= IL_LINK_TEXCOORD0 && slot < IL_LINK_TEXCOORD0 + 8 &&
                     s->point_quad_rasterization &&
                     (s->sprite_coord_enable >> (slot - IL_LINK_TEXCOORD0) & 1));
      atoll_emit(cs, REG_FIELD(SPI_PS_INPUT_CNTL_0, SEMANTIC, slot + 1) |
                        REG_FIELD(SPI_PS_INPUT_CNTL_0, DEFAULT_VAL, SPI_DEFAULT_0001) |
                        REG_FIELD(SPI_PS_INPUT_CNTL_0, FLAT_SHADE, flat) |
                        REG_FIELD(SPI_PS_INPUT_CNTL_0, PT_SPRITE_TEX, sprite));
   }
}

/* ---- Resources ---- */

static void
emit_fetch(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   emit_context_reg(cs, R_SQ_PGM_START_FS, (uint32_t)(ctx->elements->bo->va >> 8));
   atoll_cs_add_bo(cs, ctx->elements->bo, ATOLL_USAGE_READ);
}

static void
emit_resource(struct atoll_cs *cs, unsigned index, const uint32_t words[8])
{
   atoll_emit(cs, pm4_header(PM4_SET_RESOURCE, 9, false));
   atoll_emit(cs, index * CAYMAN_RESOURCE_DWORDS);
   memcpy(cs->buf + cs->cdw, words, 32);
   cs->cdw += 8;
}

static void
emit_vertex_buffers(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_vertex_elements *ve = ctx->elements;
   uint32_t mask = ve->buffer_mask;

   while (mask) {
      unsigned i = u_bit_scan(&mask);
      const struct pipe_vertex_buffer *vb = &ctx->vbs[i];
      uint32_t words[8] = { 0 };
      struct pipe_resource *buffer = ctx->vb_mask >> i & 1 ? vb->buffer.resource : NULL;
      if (buffer && vb->buffer_offset < buffer->width0) {
         struct atoll_resource *res = atoll_resource(buffer);
         uint64_t va = res->bo->va + vb->buffer_offset;
         words[0] = (uint32_t)va;
         words[1] = buffer->width0 - vb->buffer_offset - 1 + ve->excess[i];
         words[2] = REG_FIELD(BUF_WORD2, BASE_ADDRESS_HI, va >> 32) |
                    REG_FIELD(BUF_WORD2, STRIDE, ve->strides[i]);
         words[3] =
            REG_FIELD(BUF_WORD3, DST_SEL_X, SQ_SEL_X) | REG_FIELD(BUF_WORD3, DST_SEL_Y, SQ_SEL_Y) |
            REG_FIELD(BUF_WORD3, DST_SEL_Z, SQ_SEL_Z) | REG_FIELD(BUF_WORD3, DST_SEL_W, SQ_SEL_W);
         words[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
         atoll_cs_add_bo(cs, res->bo, ATOLL_USAGE_READ);
      }
      emit_resource(cs, CAYMAN_RESOURCE_FS + i, words);
   }
}

static const struct {
   uint32_t resource, sampler, const_size, const_cache, border;
} stage_regs[ATOLL_STAGES] = {
   [ATOLL_VS] = { CAYMAN_RESOURCE_VS, CAYMAN_SAMPLER_VS, R_ALU_CONST_BUFFER_SIZE_VS_0,
                  R_ALU_CONST_CACHE_VS_0, R_TD_VS_SAMPLER0_BORDER_INDEX },
   [ATOLL_PS] = { CAYMAN_RESOURCE_PS, CAYMAN_SAMPLER_PS, R_ALU_CONST_BUFFER_SIZE_PS_0,
                  R_ALU_CONST_CACHE_PS_0, R_TD_PS_SAMPLER0_BORDER_INDEX },
};

void
atoll_emit_constant_buffer(struct atoll_context *ctx, enum atoll_stage stage, unsigned index,
                           struct atoll_bo *bo, uint64_t va, unsigned size)
{
   struct atoll_cs *cs = &ctx->cs;
   emit_context_reg(cs, stage_regs[stage].const_size + index * 4, DIV_ROUND_UP(size, 256));
   emit_context_reg(cs, stage_regs[stage].const_cache + index * 4, (uint32_t)(va >> 8));
   uint32_t words[8] = {
      (uint32_t)va,
      size - 1,
      REG_FIELD(BUF_WORD2, BASE_ADDRESS_HI, va >> 32) | REG_FIELD(BUF_WORD2, STRIDE, 16) |
         REG_FIELD(BUF_WORD2, DATA_FORMAT, FMT_32_32_32_32_FLOAT),
      REG_FIELD(BUF_WORD3, DST_SEL_X, SQ_SEL_X) | REG_FIELD(BUF_WORD3, DST_SEL_Y, SQ_SEL_Y) |
         REG_FIELD(BUF_WORD3, DST_SEL_Z, SQ_SEL_Z) | REG_FIELD(BUF_WORD3, DST_SEL_W, SQ_SEL_W),
   };
   words[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
   emit_resource(cs, stage_regs[stage].resource + index, words);
   atoll_cs_add_bo(cs, bo, ATOLL_USAGE_READ);
}

static void
emit_constants(struct atoll_context *ctx, enum atoll_stage stage)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_constants *c = &ctx->constants[stage];
   const struct atoll_program *p = &ctx->variants[stage]->p;
   uint32_t used = (p->const_buffers | p->const_buffers_fetch) & ((1u << ATOLL_MAX_CONST) - 1);

   while (used) {
      unsigned i = u_bit_scan(&used);
      const struct pipe_constant_buffer *cb = &c->cb[i];
      if (!(c->enabled >> i & 1) || !cb->buffer_size) {
         const uint32_t none[8] = { 0 };
         emit_context_reg(cs, stage_regs[stage].const_size + i * 4, 0);
         emit_resource(cs, stage_regs[stage].resource + i, none);
         continue;
      }
      struct atoll_resource *res = atoll_resource(cb->buffer);
      atoll_emit_constant_buffer(ctx, stage, i, res->bo, res->bo->va + cb->buffer_offset,
                                 cb->buffer_size);
   }
}

static void
emit_views(struct atoll_context *ctx, enum atoll_stage stage)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_textures *t = &ctx->textures[stage];
   for (unsigned i = 0; i < ATOLL_MAX_SAMPLERS; i++) {
      struct atoll_sampler_view *view = t->views[i];
      unsigned index = stage_regs[stage].resource + ATOLL_VIEW_RESOURCE + i;
      uint32_t words[8] = { 0 };
      if (!view) {
         /* A resource of the last stream or of another context must not show through. */
         if (ctx->textures_emitted[stage] >> i & 1)
            emit_resource(cs, index, words);
         continue;
      }
      struct atoll_resource *res = atoll_resource(view->base.texture);
      memcpy(words, view->words, sizeof(words));
      if (res->base.b.target == PIPE_BUFFER) {
         uint64_t va = res->bo->va + view->base.u.buf.offset;
         words[0] = (uint32_t)va;
         words[2] |= REG_FIELD(BUF_WORD2, BASE_ADDRESS_HI, va >> 32);
      }
      emit_resource(cs, index, words);
      atoll_cs_add_bo(cs, res->bo, ATOLL_USAGE_READ);
   }
   ctx->textures_emitted[stage] |= t->view_mask;
}

/* The border colour replaces the texel after the view's swizzle. PIPE_QUIRK_TEXTURE_BORDER_COLOR_
 * SWIZZLE_R600 has Gallium hand it over that way. */
static void
emit_samplers(struct atoll_context *ctx, enum atoll_stage stage)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_textures *t = &ctx->textures[stage];
   uint32_t mask = t->sampler_mask;
   while (mask) {
      unsigned i = u_bit_scan(&mask);
      const struct atoll_sampler *s = t->samplers[i];
      atoll_emit(cs, pm4_header(PM4_SET_SAMPLER, 4, false));
      atoll_emit(cs, (stage_regs[stage].sampler + i) * CAYMAN_SAMPLER_DWORDS);
      for (unsigned w = 0; w < 3; w++)
         atoll_emit(cs, s->words[w]);
      if (!s->border)
         continue;
      atoll_emit(cs, pm4_header(PM4_SET_CONFIG_REG, 6, false));
      atoll_emit(cs, (stage_regs[stage].border - CAYMAN_CONFIG_BASE) >> 2);
      atoll_emit(cs, i);
      for (unsigned c = 0; c < 4; c++)
         atoll_emit(cs, s->border_color.ui[c]);
   }
}

static void
emit_streamout(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   bool on = ctx->num_so_targets || (ctx->num_prims_generated && !ctx->queries_disabled);
   const struct atoll_program *vs = &ctx->variants[ATOLL_VS]->p;
   uint32_t buffers = 0;
   for (unsigned i = 0; i < ctx->num_so_targets; i++)
      buffers |= ctx->so_targets[i] && (vs->so_buffers >> i & 1) ? 1u << i : 0;
   emit_context_reg(cs, R_VGT_STRMOUT_BUFFER_CONFIG,
                    REG_FIELD(VGT_STRMOUT_BUFFER_CONFIG, STREAM_0_BUFFER_EN, buffers));
   emit_context_reg(cs, R_VGT_STRMOUT_CONFIG, REG_FIELD(VGT_STRMOUT_CONFIG, STREAMOUT_0_EN, on));
}

/* ---- All atoms ---- */

static void
emit_atom(struct atoll_context *ctx, enum atoll_atom atom)
{
   switch (atom) {
   case ATOM_FRAMEBUFFER:
      emit_framebuffer(ctx);
      break;
   case ATOM_BLEND:
      emit_blend(ctx);
      break;
   case ATOM_BLEND_COLOR:
      emit_blend_color(ctx);
      break;
   case ATOM_CB_MISC:
      emit_cb_misc(ctx);
      break;
   case ATOM_DSA:
      emit_dsa(ctx);
      break;
   case ATOM_STENCIL_REF:
      emit_stencil_ref(ctx);
      break;
   case ATOM_ALPHA:
      emit_alpha(ctx);
      break;
   case ATOM_DB_MISC:
      emit_db_misc(ctx);
      break;
   case ATOM_RASTERIZER:
      emit_rasterizer(ctx);
      emit_guard_band(ctx);
      break;
   case ATOM_POLY_OFFSET:
      emit_poly_offset(ctx);
      break;
   case ATOM_CLIP:
      emit_clip(ctx);
      break;
   case ATOM_VIEWPORT:
      emit_viewport(ctx);
      break;
   case ATOM_SCISSOR:
      emit_scissor(ctx);
      break;
   case ATOM_CLIP_RECTS:
      emit_clip_rects(ctx);
      break;
   case ATOM_MSAA:
      emit_msaa(ctx);
      break;
   case ATOM_VS:
      emit_vs(ctx);
      break;
   case ATOM_PS:
      emit_ps(ctx);
      break;
   case ATOM_PS_INPUTS:
      emit_ps_inputs(ctx);
      break;
   case ATOM_FETCH:
      emit_fetch(ctx);
      break;
   case ATOM_VERTEX_BUFFERS:
      emit_vertex_buffers(ctx);
      break;
   case ATOM_CONST_VS:
      emit_constants(ctx, ATOLL_VS);
      break;
   case ATOM_CONST_PS:
      emit_constants(ctx, ATOLL_PS);
      break;
   case ATOM_VIEWS_VS:
      emit_views(ctx, ATOLL_VS);
      break;
   case ATOM_VIEWS_PS:
      emit_views(ctx, ATOLL_PS);
      break;
   case ATOM_SAMPLERS_VS:
      emit_samplers(ctx, ATOLL_VS);
      break;
   case ATOM_SAMPLERS_PS:
      emit_samplers(ctx, ATOLL_PS);
      break;
   case ATOM_STREAMOUT:
      emit_streamout(ctx);
      break;
   case ATOM_COUNT:
      break;
   }
}

void
atoll_emit_atoms(struct atoll_context *ctx)
{
   /* An atom may make a later one dirty. */
   while (ctx->dirty) {
      unsigned atom = ffsll(ctx->dirty) - 1;
      ctx->dirty &= ~ATOM_BIT(atom);
      emit_atom(ctx, atom);
   }
}
