/* SPDX-License-Identifier: MIT */
/*
 * Atoms of the back of the pipeline: colour and depth targets, samples, blending, tests.
 */
#include "emit.h"

#include "util/format/u_format.h"
#include "util/u_math.h"

#include <atoll/cayman/enums.h>

/* ---- Targets ---- */

/* A target as the texture that a program reads it by; one that is not there is zero. */
static void
emit_read_target(struct atoll_context *ctx, unsigned texture, const struct pipe_surface *surface,
                 enum pipe_format format)
{
   uint32_t words[8] = { 0 };

   if (surface && format != PIPE_FORMAT_NONE) {
      struct pipe_surface layers = *surface;
      if (ctx->view >= 0)
         layers.u.tex.last_layer = layers.u.tex.first_layer += (unsigned)ctx->view;
      atoll_target_words(words, &layers, format);
   }
   atoll_emit_stage_resource(ctx, ATOLL_PS, ATOLL_VIEW_RESOURCE + texture, words);
}

static void
emit_read_targets(struct atoll_context *ctx)
{
   const struct pipe_framebuffer_state *fb = &ctx->fb;
   const struct atoll_shader *ps = ctx->shaders[ATOLL_PS];

   if (!ps || !ps->reads_targets)
      return;
   for (unsigned i = 0; i < ATOLL_MAX_CB; i++) {
      const struct pipe_surface *surface = i < fb->nr_cbufs ? fb->cbufs[i] : NULL;
      if (ps->reads_targets >> (FRAG_RESULT_DATA0 + i) & 1 ||
          (!i && ps->reads_targets >> FRAG_RESULT_COLOR & 1))
         emit_read_target(ctx, ATOLL_NIR_TARGET_COLOR + i, surface,
                          surface ? surface->format : PIPE_FORMAT_NONE);
   }
   const struct util_format_description *zs =
      util_format_description(fb->zsbuf ? fb->zsbuf->format : PIPE_FORMAT_NONE);
   if (ps->reads_targets >> FRAG_RESULT_DEPTH & 1)
      emit_read_target(ctx, ATOLL_NIR_TARGET_DEPTH, fb->zsbuf,
                       util_format_has_depth(zs) ? zs->format : PIPE_FORMAT_NONE);
   if (ps->reads_targets >> FRAG_RESULT_STENCIL & 1)
      emit_read_target(ctx, ATOLL_NIR_TARGET_STENCIL, fb->zsbuf,
                       util_format_has_stencil(zs) ? util_format_stencil_only(zs->format)
                                                   : PIPE_FORMAT_NONE);
   ctx->drv_va[ATOLL_PS] = 0;
}

/* A view's layer alone; colour and depth targets have the fields at the same bits. */
static uint32_t
one_layer(const struct pipe_surface *surface, int view)
{
   uint32_t layer = surface->u.tex.first_layer + (uint32_t)view;
   _Static_assert(
      REG_FIELD(CB_COLOR0_VIEW, SLICE_START, 1) == REG_FIELD(DB_DEPTH_VIEW, SLICE_START, 1) &&
         REG_FIELD(CB_COLOR0_VIEW, SLICE_MAX, 1) == REG_FIELD(DB_DEPTH_VIEW, SLICE_MAX, 1),
      "one form for both");
   return REG_FIELD(CB_COLOR0_VIEW, SLICE_START, layer) |
          REG_FIELD(CB_COLOR0_VIEW, SLICE_MAX, layer);
}

void
atoll_emit_framebuffer(struct atoll_context *ctx)
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
      struct atoll_bo *bo = atoll_level_bo(res, surf->base.u.tex.level);
      uint32_t base = (uint32_t)((bo->va + surf->base_offset) >> 8);
      atoll_cs_add_bo(cs, bo, ATOLL_USAGE_READ | ATOLL_USAGE_WRITE);
      emit_context_seq(cs, R_CB_COLOR0_BASE + step, 13);
      atoll_emit(cs, base);
      atoll_emit(cs, surf->cb_pitch);
      atoll_emit(cs, surf->cb_slice);
      atoll_emit(cs, ctx->view < 0 ? surf->cb_view : one_layer(&surf->base, ctx->view));
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

   emit_read_targets(ctx);
   struct atoll_surface *zs = (struct atoll_surface *)fb->zsbuf;
   if (zs) {
      struct atoll_resource *res = atoll_resource(zs->base.texture);
      struct atoll_bo *bo = atoll_level_bo(res, zs->base.u.tex.level);
      uint32_t z = (uint32_t)((bo->va + zs->base_offset) >> 8);
      uint32_t s = (uint32_t)((bo->va + zs->stencil_offset) >> 8);
      atoll_cs_add_bo(cs, bo, ATOLL_USAGE_READ | ATOLL_USAGE_WRITE);
      emit_context_reg(cs, R_DB_DEPTH_VIEW,
                       ctx->view < 0 ? zs->db_depth_view : one_layer(&zs->base, ctx->view));
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
sample_positions(const struct atoll_context *ctx, unsigned samples)
{
   return ctx && ctx->num_locations && ctx->num_locations == samples ? ctx->locations
          : samples == 2                                             ? sample_pos_2
          : samples == 4                                             ? sample_pos_4
          : samples == 8                                             ? sample_pos_8
                                                                     : NULL;
}

void
atoll_sample_position(const struct atoll_context *ctx, unsigned samples, unsigned index,
                      float out[2])
{
   const int8_t *pos = sample_positions(ctx, samples);
   out[0] = out[1] = 0.5f;
   if (pos && index < samples) {
      out[0] = (float)(pos[2 * index] + 8) / 16.0f;
      out[1] = (float)(pos[2 * index + 1] + 8) / 16.0f;
   }
}

static void
emit_sample_positions(struct atoll_context *ctx, const int8_t *pos, unsigned samples)
{
   static const uint32_t pixel_reg[4] = {
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y0_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y1_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y1_0,
   };
   struct atoll_cs *cs = &ctx->cs;
   uint32_t words[2] = { 0 };
   for (unsigned i = 0; pos && i < samples * 2; i++)
      words[i / 8] |= (uint32_t)(pos[i] & 0xF) << (i % 8 * 4);
   if (has_five_slots(ctx)) {
      const unsigned dwords = samples > 4 ? 2 : 1;
      emit_context_seq(cs, R_EVERGREEN_PA_SC_AA_SAMPLE_LOCS_0, 4 * dwords);
      for (unsigned i = 0; i < 4 * dwords; i++)
         atoll_emit(cs, words[i % dwords]);
      return;
   }
   for (unsigned p = 0; p < 4; p++) {
      emit_context_seq(cs, pixel_reg[p], 2);
      atoll_emit(cs, words[0]);
      atoll_emit(cs, words[1]);
   }
}

void
atoll_emit_msaa(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   /* More samples than the framebuffer has: the program makes alpha of the covered ones. */
   const bool smooth = atoll_smooths(ctx->variants[ATOLL_PS]);
   unsigned samples = smooth ? IL_SMOOTH_SAMPLES : ctx->samples, log = util_logbase2(samples);
   const int8_t *positions = sample_positions(smooth ? NULL : ctx, samples);
   unsigned max = 0;
   for (unsigned i = 0; positions && i < 2 * samples; i++)
      max = MAX2(max, (unsigned)abs(positions[i]));
   uint32_t mode = REG_FIELD(PA_SC_MODE_CNTL_1, FORCE_EOV_CNTDWN_ENABLE, 1) |
                   REG_FIELD(PA_SC_MODE_CNTL_1, FORCE_EOV_REZ_ENABLE, 1);
   uint32_t line = REG_FIELD(PA_SC_LINE_CNTL, DX10_DIAMOND_TEST_ENA, 1);
   uint32_t eqaa = REG_FIELD(DB_EQAA, HIGH_QUALITY_INTERSECTIONS, 1) |
                   REG_FIELD(DB_EQAA, STATIC_ANCHOR_ASSOCIATIONS, 1);
   uint32_t config = 0, mask = ~0u;

   if (samples > 1) {
      /* Rectangles; but stippled lines keep ends along an axis, as their pattern runs. */
      line |=
         REG_FIELD(PA_SC_LINE_CNTL, EXPAND_LINE_WIDTH, 1) |
         REG_FIELD(PA_SC_LINE_CNTL, PERPENDICULAR_ENDCAP_ENA, !ctx->rs->state.line_stipple_enable);
      config = REG_FIELD(PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES, log) |
               REG_FIELD(PA_SC_AA_CONFIG, MAX_SAMPLE_DIST, max) |
               REG_FIELD(PA_SC_AA_CONFIG, MSAA_EXPOSED_SAMPLES, has_five_slots(ctx) ? 0 : log);
      emit_sample_positions(ctx, positions, samples);
   }
   if (smooth) {
      eqaa |= REG_FIELD(DB_EQAA, OVERRASTERIZATION_AMOUNT, log);
   } else if (samples > 1) {
      /* All samples or none: what a shader sees of the coverage is one or the whole. */
      bool each = ctx->rs->state.multisample &&
                  (ctx->variants[ATOLL_PS]->p.per_sample || ctx->min_samples > 1);
      unsigned log_iter = each ? log : 0;
      eqaa |= REG_FIELD(DB_EQAA, MAX_ANCHOR_SAMPLES, log) |
              REG_FIELD(DB_EQAA, PS_ITER_SAMPLES, log_iter) |
              REG_FIELD(DB_EQAA, MASK_EXPORT_NUM_SAMPLES, log) |
              REG_FIELD(DB_EQAA, ALPHA_TO_MASK_NUM_SAMPLES, log);
      mode |= REG_FIELD(PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE, log_iter > 0);
      mask = (ctx->sample_mask & 0xFFFF) | ctx->sample_mask << 16;
   }
   emit_context_seq(cs, CHIP_REG(ctx, PA_SC_LINE_CNTL), 2);
   atoll_emit(cs, line);
   atoll_emit(cs, config);
   emit_context_reg(cs, R_PA_SC_MODE_CNTL_1, mode);
   if (has_five_slots(ctx)) {
      emit_context_reg(cs, R_EVERGREEN_PA_SC_AA_MASK, (mask & 0xff) * 0x01010101u);
      return;
   }
   emit_context_reg(cs, R_DB_EQAA, eqaa);
   emit_context_seq(cs, R_PA_SC_AA_MASK_X0Y0_X1Y0, 2);
   atoll_emit(cs, mask);
   atoll_emit(cs, mask);
}

void
atoll_emit_blend(struct atoll_context *ctx)
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

void
atoll_emit_blend_color(struct atoll_context *ctx)
{
   emit_context_seq(&ctx->cs, R_CB_BLEND_RED, 4);
   for (unsigned i = 0; i < 4; i++)
      atoll_emit(&ctx->cs, fui(ctx->blend_color.color[i]));
}

void
atoll_emit_cb_misc(struct atoll_context *ctx)
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

void
atoll_emit_dsa(struct atoll_context *ctx)
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

void
atoll_emit_stencil_ref(struct atoll_context *ctx)
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

void
atoll_emit_alpha(struct atoll_context *ctx)
{
   const struct atoll_surface *cb0 =
      ctx->fb.nr_cbufs ? (struct atoll_surface *)ctx->fb.cbufs[0] : NULL;
   uint32_t control = ctx->dsa->alpha_control;
   if (cb0 && cb0->integer)
      control |= REG_FIELD(SX_ALPHA_TEST_CONTROL, ALPHA_TEST_BYPASS, 1);
   emit_context_reg(&ctx->cs, R_SX_ALPHA_TEST_CONTROL, control);
   emit_context_reg(&ctx->cs, R_SX_ALPHA_REF, ctx->dsa->alpha_ref);
}

void
atoll_emit_db_misc(struct atoll_context *ctx)
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
   uint32_t shader = ctx->variants[ATOLL_PS]->p.db_shader_control;
   /* The alpha test kills after the program: depth must be written later still.  What a program
    * writes to memory it writes before the tests, too, and depth and stencil that it reads are not
    * its own yet. */
   bool late = ctx->dsa->alpha_control != 0 || atoll_reads_depth_stencil(ctx->shaders[ATOLL_PS]) ||
               (ctx->variants[ATOLL_PS]->p.writes_memory &&
                !REG_FIELD_GET(shader, DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER));
   if (late)
      override |= REG_FIELD(DB_RENDER_OVERRIDE, FORCE_SHADER_Z_ORDER, 1);
   emit_context_seq(cs, R_DB_RENDER_CONTROL, 2);
   atoll_emit(cs, 0);
   atoll_emit(cs, count);
   emit_context_reg(cs, R_DB_RENDER_OVERRIDE, override);
   if (ctx->samples <= 1)
      shader &= ~REG_FIELD_MASK(DB_SHADER_CONTROL, MASK_EXPORT_ENABLE);
   emit_context_reg(
      cs, R_DB_SHADER_CONTROL,
      shader | REG_FIELD(DB_SHADER_CONTROL, Z_ORDER, late ? DB_LATE_Z : DB_EARLY_Z_THEN_LATE_Z));
}
