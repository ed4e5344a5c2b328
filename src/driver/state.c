/* SPDX-License-Identifier: MIT */
/*
 * Constant state objects and the set_* calls: Gallium's terms become register values here, once.
 * Nothing in a create function looks at the context: they run on any thread.
 */
#include "context.h"

#include "util/u_dual_blend.h"
#include "util/u_framebuffer.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "no_memory.h"

/* ---- Blend ---- */

static unsigned
blend_factor(unsigned factor)
{
   switch (factor) {
   case PIPE_BLENDFACTOR_ONE:
      return BLEND_ONE;
   case PIPE_BLENDFACTOR_SRC_COLOR:
      return BLEND_SRC_COLOR;
   case PIPE_BLENDFACTOR_SRC_ALPHA:
      return BLEND_SRC_ALPHA;
   case PIPE_BLENDFACTOR_DST_ALPHA:
      return BLEND_DST_ALPHA;
   case PIPE_BLENDFACTOR_DST_COLOR:
      return BLEND_DST_COLOR;
   case PIPE_BLENDFACTOR_SRC_ALPHA_SATURATE:
      return BLEND_SRC_ALPHA_SATURATE;
   case PIPE_BLENDFACTOR_CONST_COLOR:
      return BLEND_CONST_COLOR;
   case PIPE_BLENDFACTOR_CONST_ALPHA:
      return BLEND_CONST_ALPHA;
   case PIPE_BLENDFACTOR_SRC1_COLOR:
      return BLEND_SRC1_COLOR;
   case PIPE_BLENDFACTOR_SRC1_ALPHA:
      return BLEND_SRC1_ALPHA;
   case PIPE_BLENDFACTOR_INV_SRC_COLOR:
      return BLEND_ONE_MINUS_SRC_COLOR;
   case PIPE_BLENDFACTOR_INV_SRC_ALPHA:
      return BLEND_ONE_MINUS_SRC_ALPHA;
   case PIPE_BLENDFACTOR_INV_DST_ALPHA:
      return BLEND_ONE_MINUS_DST_ALPHA;
   case PIPE_BLENDFACTOR_INV_DST_COLOR:
      return BLEND_ONE_MINUS_DST_COLOR;
   case PIPE_BLENDFACTOR_INV_CONST_COLOR:
      return BLEND_ONE_MINUS_CONST_COLOR;
   case PIPE_BLENDFACTOR_INV_CONST_ALPHA:
      return BLEND_ONE_MINUS_CONST_ALPHA;
   case PIPE_BLENDFACTOR_INV_SRC1_COLOR:
      return BLEND_INV_SRC1_COLOR;
   case PIPE_BLENDFACTOR_INV_SRC1_ALPHA:
      return BLEND_INV_SRC1_ALPHA;
   default:
      return BLEND_ZERO;
   }
}

static unsigned
blend_function(unsigned func)
{
   switch (func) {
   case PIPE_BLEND_SUBTRACT:
      return COMB_SRC_MINUS_DST;
   case PIPE_BLEND_REVERSE_SUBTRACT:
      return COMB_DST_MINUS_SRC;
   case PIPE_BLEND_MIN:
      return COMB_MIN_DST_SRC;
   case PIPE_BLEND_MAX:
      return COMB_MAX_DST_SRC;
   default:
      return COMB_DST_PLUS_SRC;
   }
}

static void *
create_blend(struct pipe_context *pipe, const struct pipe_blend_state *state)
{
   struct atoll_blend *blend = CALLOC_STRUCT(atoll_blend);
   if (!blend) {
      atoll_no_memory(atoll_context(pipe));
      return NULL;
   }

   /* ROP3 of a two-operand operation is its four bits twice; 0xCC copies. */
   unsigned rop = state->logicop_enable ? state->logicop_func * 0x11 : 0xCC;
   for (unsigned i = 0; i < ATOLL_MAX_CB; i++) {
      const struct pipe_rt_blend_state *rt = &state->rt[state->independent_blend_enable ? i : 0];
      blend->target_mask |= (uint32_t)rt->colormask << (4 * i);
      if (!rt->blend_enable || state->logicop_enable)
         continue;
      uint32_t control =
         REG_FIELD(CB_BLEND0_CONTROL, BLEND_CONTROL_ENABLE, 1) |
         REG_FIELD(CB_BLEND0_CONTROL, COLOR_COMB_FCN, blend_function(rt->rgb_func)) |
         REG_FIELD(CB_BLEND0_CONTROL, COLOR_SRCBLEND, blend_factor(rt->rgb_src_factor)) |
         REG_FIELD(CB_BLEND0_CONTROL, COLOR_DESTBLEND, blend_factor(rt->rgb_dst_factor));
      if (rt->alpha_func != rt->rgb_func || rt->alpha_src_factor != rt->rgb_src_factor ||
          rt->alpha_dst_factor != rt->rgb_dst_factor)
         control |=
            REG_FIELD(CB_BLEND0_CONTROL, SEPARATE_ALPHA_BLEND, 1) |
            REG_FIELD(CB_BLEND0_CONTROL, ALPHA_COMB_FCN, blend_function(rt->alpha_func)) |
            REG_FIELD(CB_BLEND0_CONTROL, ALPHA_SRCBLEND, blend_factor(rt->alpha_src_factor)) |
            REG_FIELD(CB_BLEND0_CONTROL, ALPHA_DESTBLEND, blend_factor(rt->alpha_dst_factor));
      blend->control[i] = control;
   }
   blend->color_control =
      REG_FIELD(CB_COLOR_CONTROL, ROP3, rop) | REG_FIELD(CB_COLOR_CONTROL, MODE, CB_MODE_NORMAL);
   blend->color_control_off =
      REG_FIELD(CB_COLOR_CONTROL, ROP3, rop) | REG_FIELD(CB_COLOR_CONTROL, MODE, CB_MODE_DISABLE);
   if (state->alpha_to_coverage) {
      bool dither = state->alpha_to_coverage_dither;
      blend->alpha_to_mask = REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_ENABLE, 1) |
                             REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET0, dither ? 3 : 2) |
                             REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET1, dither ? 1 : 2) |
                             REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET2, dither ? 0 : 2) |
                             REG_FIELD(DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET3, 2) |
                             REG_FIELD(DB_ALPHA_TO_MASK, OFFSET_ROUND, dither);
   }
   blend->dual_source = util_blend_state_is_dual(state, 0);
   blend->alpha_to_one = state->alpha_to_one;
   return blend;
}

static void
bind_blend(struct pipe_context *pipe, void *state)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->blend = state;
   ctx->dirty |= ATOM_BIT(ATOM_BLEND) | ATOM_BIT(ATOM_CB_MISC) | ATOM_BIT(ATOM_FRAMEBUFFER);
}

/* ---- Depth, stencil, alpha ---- */

static unsigned
stencil_op(unsigned op)
{
   switch (op) {
   case PIPE_STENCIL_OP_ZERO:
      return STENCIL_ZERO;
   case PIPE_STENCIL_OP_REPLACE:
      return STENCIL_REPLACE;
   case PIPE_STENCIL_OP_INCR:
      return STENCIL_INCR;
   case PIPE_STENCIL_OP_DECR:
      return STENCIL_DECR;
   case PIPE_STENCIL_OP_INCR_WRAP:
      return STENCIL_INCR_WRAP;
   case PIPE_STENCIL_OP_DECR_WRAP:
      return STENCIL_DECR_WRAP;
   case PIPE_STENCIL_OP_INVERT:
      return STENCIL_INVERT;
   default:
      return STENCIL_KEEP;
   }
}

/* PIPE_FUNC_* and enum cayman_compare have the same order. */
static void *
create_dsa(struct pipe_context *pipe, const struct pipe_depth_stencil_alpha_state *state)
{
   struct atoll_dsa *dsa = CALLOC_STRUCT(atoll_dsa);
   if (!dsa) {
      atoll_no_memory(atoll_context(pipe));
      return NULL;
   }

   dsa->depth = state->depth_enabled;
   dsa->stencil = state->stencil[0].enabled;
   if (state->depth_enabled)
      dsa->depth_control |= REG_FIELD(DB_DEPTH_CONTROL, Z_ENABLE, 1) |
                            REG_FIELD(DB_DEPTH_CONTROL, Z_WRITE_ENABLE, state->depth_writemask) |
                            REG_FIELD(DB_DEPTH_CONTROL, ZFUNC, state->depth_func);
   const struct pipe_stencil_state *front = &state->stencil[0], *back = &state->stencil[1];
   if (front->enabled)
      dsa->depth_control |= REG_FIELD(DB_DEPTH_CONTROL, STENCIL_ENABLE, 1) |
                            REG_FIELD(DB_DEPTH_CONTROL, STENCILFUNC, front->func) |
                            REG_FIELD(DB_DEPTH_CONTROL, STENCILFAIL, stencil_op(front->fail_op)) |
                            REG_FIELD(DB_DEPTH_CONTROL, STENCILZPASS, stencil_op(front->zpass_op)) |
                            REG_FIELD(DB_DEPTH_CONTROL, STENCILZFAIL, stencil_op(front->zfail_op));
   if (front->enabled && back->enabled)
      dsa->depth_control |=
         REG_FIELD(DB_DEPTH_CONTROL, BACKFACE_ENABLE, 1) |
         REG_FIELD(DB_DEPTH_CONTROL, STENCILFUNC_BF, back->func) |
         REG_FIELD(DB_DEPTH_CONTROL, STENCILFAIL_BF, stencil_op(back->fail_op)) |
         REG_FIELD(DB_DEPTH_CONTROL, STENCILZPASS_BF, stencil_op(back->zpass_op)) |
         REG_FIELD(DB_DEPTH_CONTROL, STENCILZFAIL_BF, stencil_op(back->zfail_op));
   for (unsigned i = 0; i < 2; i++) {
      dsa->valuemask[i] = state->stencil[i].valuemask;
      dsa->writemask[i] = state->stencil[i].writemask;
   }
   if (state->alpha_enabled) {
      dsa->alpha_control = REG_FIELD(SX_ALPHA_TEST_CONTROL, ALPHA_FUNC, state->alpha_func) |
                           REG_FIELD(SX_ALPHA_TEST_CONTROL, ALPHA_TEST_ENABLE, 1);
      dsa->alpha_ref = fui(state->alpha_ref_value);
   }
   return dsa;
}

static void
bind_dsa(struct pipe_context *pipe, void *state)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->dsa = state;
   ctx->dirty |= ATOM_BIT(ATOM_DSA) | ATOM_BIT(ATOM_STENCIL_REF) | ATOM_BIT(ATOM_ALPHA) |
                 ATOM_BIT(ATOM_DB_MISC);
}

/* ---- Rasterizer ---- */

/* 12.4 fixed point: of widths that the device does not have, the nearest that it has. */
static unsigned
fixed_12_4(float x)
{
   return x <= 0.0f ? 0 : x >= 4095.9375f ? 0xFFFF : (unsigned)(x * 16.0f + 0.5f);
}

static unsigned
polymode(unsigned fill)
{
   return fill == PIPE_POLYGON_MODE_POINT  ? POLYMODE_POINTS
          : fill == PIPE_POLYGON_MODE_LINE ? POLYMODE_LINES
                                           : POLYMODE_TRIANGLES;
}

static bool
offset_for(const struct pipe_rasterizer_state *s, unsigned fill)
{
   return fill == PIPE_POLYGON_MODE_POINT  ? s->offset_point
          : fill == PIPE_POLYGON_MODE_LINE ? s->offset_line
                                           : s->offset_tri;
}

static void *
create_rasterizer(struct pipe_context *pipe, const struct pipe_rasterizer_state *s)
{
   struct atoll_rasterizer *rs = CALLOC_STRUCT(atoll_rasterizer);
   if (!rs) {
      atoll_no_memory(atoll_context(pipe));
      return NULL;
   }
   rs->state = *s;

   /* Sizes are half sizes in pixels. Without per-vertex sizes the limits pin the register's.  None
    * is below the 1 that is advertised, and each is a whole number where points are neither smooth
    * nor sprites (OpenGL 4.6 compatibility, 14.4.1). */
   rs->whole_points = !s->point_quad_rasterization && !s->point_smooth && !s->multisample;
   float point = MAX2(s->point_size, 1.0f);
   if (rs->whole_points)
      point = floorf(point + 0.5f);
   float min = s->point_size_per_vertex ? 1.0f : point;
   float max = s->point_size_per_vertex ? ATOLL_MAX_POINT_SIZE : point;
   unsigned size = fixed_12_4(point / 2);
   rs->point_size =
      REG_FIELD(PA_SU_POINT_SIZE, HEIGHT, size) | REG_FIELD(PA_SU_POINT_SIZE, WIDTH, size);
   rs->point_minmax = REG_FIELD(PA_SU_POINT_MINMAX, MIN_SIZE, fixed_12_4(min / 2)) |
                      REG_FIELD(PA_SU_POINT_MINMAX, MAX_SIZE, fixed_12_4(max / 2));
   /* Lines without antialiasing have a whole width, at least 1. */
   float width = s->line_width;
   if (!s->line_smooth && !s->multisample)
      width = MAX2(1.0f, floorf(width + 0.5f));
   rs->line_cntl = REG_FIELD(PA_SU_LINE_CNTL, WIDTH, fixed_12_4(width / 2));

   rs->interp_control = REG_FIELD(SPI_INTERP_CONTROL_0, FLAT_SHADE_ENA, 1) |
                        REG_FIELD(SPI_INTERP_CONTROL_0, PNT_SPRITE_ENA, 1) |
                        REG_FIELD(SPI_INTERP_CONTROL_0, PNT_SPRITE_OVRD_X, SPI_PNT_SPRITE_SEL_S) |
                        REG_FIELD(SPI_INTERP_CONTROL_0, PNT_SPRITE_OVRD_Y, SPI_PNT_SPRITE_SEL_T) |
                        REG_FIELD(SPI_INTERP_CONTROL_0, PNT_SPRITE_OVRD_Z, SPI_PNT_SPRITE_SEL_0) |
                        REG_FIELD(SPI_INTERP_CONTROL_0, PNT_SPRITE_OVRD_W, SPI_PNT_SPRITE_SEL_1) |
                        REG_FIELD(SPI_INTERP_CONTROL_0, PNT_SPRITE_TOP_1,
                                  s->sprite_coord_mode != PIPE_SPRITE_COORD_UPPER_LEFT);
   rs->sc_mode_cntl_0 = REG_FIELD(PA_SC_MODE_CNTL_0, MSAA_ENABLE, s->multisample) |
                        REG_FIELD(PA_SC_MODE_CNTL_0, VPORT_SCISSOR_ENABLE, 1) |
                        REG_FIELD(PA_SC_MODE_CNTL_0, LINE_STIPPLE_ENABLE, s->line_stipple_enable);
   rs->vtx_cntl = REG_FIELD(PA_SU_VTX_CNTL, PIX_CENTER_HALF, s->half_pixel_center) |
                  REG_FIELD(PA_SU_VTX_CNTL, ROUND_MODE, VTX_ROUND_TO_EVEN) |
                  REG_FIELD(PA_SU_VTX_CNTL, QUANT_MODE, VTX_QUANT_1_256TH);
   rs->su_sc_mode_cntl =
      REG_FIELD(PA_SU_SC_MODE_CNTL, PROVOKING_VTX_LAST, !s->flatshade_first) |
      REG_FIELD(PA_SU_SC_MODE_CNTL, CULL_FRONT, !!(s->cull_face & PIPE_FACE_FRONT)) |
      REG_FIELD(PA_SU_SC_MODE_CNTL, CULL_BACK, !!(s->cull_face & PIPE_FACE_BACK)) |
      REG_FIELD(PA_SU_SC_MODE_CNTL, FACE, !s->front_ccw) |
      REG_FIELD(PA_SU_SC_MODE_CNTL, POLY_OFFSET_FRONT_ENABLE, offset_for(s, s->fill_front)) |
      REG_FIELD(PA_SU_SC_MODE_CNTL, POLY_OFFSET_BACK_ENABLE, offset_for(s, s->fill_back)) |
      REG_FIELD(PA_SU_SC_MODE_CNTL, POLY_OFFSET_PARA_ENABLE, s->offset_point || s->offset_line) |
      REG_FIELD(PA_SU_SC_MODE_CNTL, POLY_MODE,
                s->fill_front != PIPE_POLYGON_MODE_FILL || s->fill_back != PIPE_POLYGON_MODE_FILL) |
      REG_FIELD(PA_SU_SC_MODE_CNTL, POLYMODE_FRONT_PTYPE, polymode(s->fill_front)) |
      REG_FIELD(PA_SU_SC_MODE_CNTL, POLYMODE_BACK_PTYPE, polymode(s->fill_back));
   rs->clip_cntl = REG_FIELD(PA_CL_CLIP_CNTL, DX_CLIP_SPACE_DEF, s->clip_halfz) |
                   REG_FIELD(PA_CL_CLIP_CNTL, ZCLIP_NEAR_DISABLE, !s->depth_clip_near) |
                   REG_FIELD(PA_CL_CLIP_CNTL, ZCLIP_FAR_DISABLE, !s->depth_clip_far) |
                   REG_FIELD(PA_CL_CLIP_CNTL, DX_LINEAR_ATTR_CLIP_ENA, 1) |
                   REG_FIELD(PA_CL_CLIP_CNTL, DX_RASTERIZATION_KILL, s->rasterizer_discard);
   /* The factor is stored less one, as Gallium does. */
   rs->line_stipple = s->line_stipple_enable
                         ? REG_FIELD(PA_SC_LINE_STIPPLE, LINE_PATTERN, s->line_stipple_pattern) |
                              REG_FIELD(PA_SC_LINE_STIPPLE, REPEAT_COUNT, s->line_stipple_factor)
                         : 0;
   return rs;
}

static void
bind_rasterizer(struct pipe_context *pipe, void *state)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_rasterizer *old = ctx->rs, *rs = state;
   ctx->rs = rs;
   if (!rs)
      return;
   ctx->dirty |= ATOM_BIT(ATOM_RASTERIZER) | ATOM_BIT(ATOM_CLIP) | ATOM_BIT(ATOM_POLY_OFFSET);
   ctx->last_prim = ~0u; /* line stipple depends on both */
   if (!old || old->state.scissor != rs->state.scissor)
      atoll_dirty(ctx, ATOM_SCISSOR);
   if (!old || old->state.line_stipple_enable != rs->state.line_stipple_enable ||
       old->state.multisample != rs->state.multisample)
      atoll_dirty(ctx, ATOM_MSAA);
   if (!old || old->state.flatshade != rs->state.flatshade ||
       old->state.sprite_coord_enable != rs->state.sprite_coord_enable ||
       old->state.point_quad_rasterization != rs->state.point_quad_rasterization)
      atoll_dirty(ctx, ATOM_PS_INPUTS);
   if (!old || old->state.clip_halfz != rs->state.clip_halfz ||
       old->whole_points != rs->whole_points ||
       old->state.bottom_edge_rule != rs->state.bottom_edge_rule)
      atoll_dirty(ctx, ATOM_VIEWPORT);
}

static void
delete_state(struct pipe_context *pipe, void *state)
{
   FREE(state);
}

/* ---- Samplers ---- */

static unsigned
tex_wrap(unsigned wrap)
{
   switch (wrap) {
   case PIPE_TEX_WRAP_REPEAT:
      return SQ_TEX_WRAP;
   case PIPE_TEX_WRAP_CLAMP:
      return SQ_TEX_CLAMP_HALF_BORDER;
   case PIPE_TEX_WRAP_CLAMP_TO_EDGE:
      return SQ_TEX_CLAMP_LAST_TEXEL;
   case PIPE_TEX_WRAP_CLAMP_TO_BORDER:
      return SQ_TEX_CLAMP_BORDER;
   case PIPE_TEX_WRAP_MIRROR_REPEAT:
      return SQ_TEX_MIRROR;
   case PIPE_TEX_WRAP_MIRROR_CLAMP:
      return SQ_TEX_MIRROR_ONCE_HALF_BORDER;
   case PIPE_TEX_WRAP_MIRROR_CLAMP_TO_EDGE:
      return SQ_TEX_MIRROR_ONCE_LAST_TEXEL;
   default:
      return SQ_TEX_MIRROR_ONCE_BORDER;
   }
}

static bool
wrap_uses_border(unsigned wrap, bool linear)
{
   switch (wrap) {
   case PIPE_TEX_WRAP_CLAMP_TO_BORDER:
   case PIPE_TEX_WRAP_MIRROR_CLAMP_TO_BORDER:
      return true;
   case PIPE_TEX_WRAP_CLAMP:
   case PIPE_TEX_WRAP_MIRROR_CLAMP:
      return linear;
   default:
      return false;
   }
}

static unsigned
xy_filter(unsigned filter, bool aniso)
{
   if (filter == PIPE_TEX_FILTER_LINEAR)
      return aniso ? SQ_TEX_XY_FILTER_ANISO_BILINEAR : SQ_TEX_XY_FILTER_BILINEAR;
   return aniso ? SQ_TEX_XY_FILTER_ANISO_POINT : SQ_TEX_XY_FILTER_POINT;
}

static unsigned
fixed_8(float x, float lo, float hi)
{
   return (unsigned)(int)(CLAMP(x, lo, hi) * 256.0f);
}

static void *
create_sampler(struct pipe_context *pipe, const struct pipe_sampler_state *s)
{
   struct atoll_sampler *sampler = CALLOC_STRUCT(atoll_sampler);
   if (!sampler) {
      atoll_no_memory(atoll_context(pipe));
      return NULL;
   }

   bool linear =
      s->min_img_filter != PIPE_TEX_FILTER_NEAREST || s->mag_img_filter != PIPE_TEX_FILTER_NEAREST;
   bool aniso = s->max_anisotropy > 1;
   unsigned ratio = aniso ? MIN2(util_logbase2(s->max_anisotropy), 4) : 0;
   unsigned mip = s->min_mip_filter == PIPE_TEX_MIPFILTER_NEAREST  ? SQ_TEX_Z_FILTER_POINT
                  : s->min_mip_filter == PIPE_TEX_MIPFILTER_LINEAR ? SQ_TEX_Z_FILTER_LINEAR
                                                                   : SQ_TEX_Z_FILTER_NONE;
   sampler->border = wrap_uses_border(s->wrap_s, linear) || wrap_uses_border(s->wrap_t, linear) ||
                     wrap_uses_border(s->wrap_r, linear);
   unsigned border_type = SQ_TEX_BORDER_COLOR_TRANS_BLACK;
   if (sampler->border) {
      const union pipe_color_union *c = &s->border_color;
      if (c->ui[0] | c->ui[1] | c->ui[2] | c->ui[3])
         border_type = SQ_TEX_BORDER_COLOR_REGISTER;
      else
         sampler->border = false;
   }
   sampler->border_color = s->border_color;
   sampler->words[0] =
      REG_FIELD(SAMPLER_WORD0, CLAMP_X, tex_wrap(s->wrap_s)) |
      REG_FIELD(SAMPLER_WORD0, CLAMP_Y, tex_wrap(s->wrap_t)) |
      REG_FIELD(SAMPLER_WORD0, CLAMP_Z, tex_wrap(s->wrap_r)) |
      REG_FIELD(SAMPLER_WORD0, XY_MAG_FILTER, xy_filter(s->mag_img_filter, aniso)) |
      REG_FIELD(SAMPLER_WORD0, XY_MIN_FILTER, xy_filter(s->min_img_filter, aniso)) |
      REG_FIELD(SAMPLER_WORD0, MIP_FILTER, mip) | REG_FIELD(SAMPLER_WORD0, MAX_ANISO_RATIO, ratio) |
      REG_FIELD(SAMPLER_WORD0, DEPTH_COMPARE_FUNCTION, s->compare_func) |
      REG_FIELD(SAMPLER_WORD0, BORDER_COLOR_TYPE, border_type) |
      REG_FIELD(SAMPLER_WORD0, FILTER_MODE, s->reduction_mode);
   sampler->words[1] = REG_FIELD(SAMPLER_WORD1, MIN_LOD, fixed_8(s->min_lod, 0, 15)) |
                       REG_FIELD(SAMPLER_WORD1, MAX_LOD, fixed_8(s->max_lod, 0, 15));
   sampler->words[2] = REG_FIELD(SAMPLER_WORD2, LOD_BIAS, fixed_8(s->lod_bias, -16, 16)) |
                       REG_FIELD(SAMPLER_WORD2, DISABLE_CUBE_WRAP, !s->seamless_cube_map) |
                       REG_FIELD(SAMPLER_WORD2, TRUNCATE_COORD, !linear) |
                       REG_FIELD(SAMPLER_WORD2, TYPE, 1);
   return sampler;
}

int
atoll_stage_of(enum pipe_shader_type shader)
{
   switch (shader) {
   case PIPE_SHADER_VERTEX:
      return ATOLL_VS;
   case PIPE_SHADER_TESS_CTRL:
      return ATOLL_TCS;
   case PIPE_SHADER_TESS_EVAL:
      return ATOLL_TES;
   case PIPE_SHADER_GEOMETRY:
      return ATOLL_GS;
   case PIPE_SHADER_FRAGMENT:
      return ATOLL_PS;
   case PIPE_SHADER_COMPUTE:
      return ATOLL_CS;
   default:
      return -1;
   }
}

static void
bind_samplers(struct pipe_context *pipe, enum pipe_shader_type shader, unsigned start,
              unsigned count, void **states)
{
   struct atoll_context *ctx = atoll_context(pipe);
   int stage = atoll_stage_of(shader);
   if (stage < 0)
      return;
   struct atoll_textures *t = &ctx->textures[stage];
   for (unsigned i = 0; i < count && start + i < ATOLL_MAX_SAMPLERS; i++) {
      t->samplers[start + i] = states ? states[i] : NULL;
      if (t->samplers[start + i])
         t->sampler_mask |= 1u << (start + i);
      else
         t->sampler_mask &= ~(1u << (start + i));
   }
   atoll_dirty(ctx, ATOM_SAMPLERS + stage);
}

/* ---- Plain parameters ---- */

static void
set_blend_color(struct pipe_context *pipe, const struct pipe_blend_color *color)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->blend_color = *color;
   atoll_dirty(ctx, ATOM_BLEND_COLOR);
}

static void
set_stencil_ref(struct pipe_context *pipe, const struct pipe_stencil_ref ref)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->stencil_ref = ref;
   atoll_dirty(ctx, ATOM_STENCIL_REF);
}

static void
set_sample_mask(struct pipe_context *pipe, unsigned mask)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->sample_mask = mask;
   atoll_dirty(ctx, ATOM_MSAA);
}

static void
set_min_samples(struct pipe_context *pipe, unsigned min_samples)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->min_samples = min_samples;
   atoll_dirty(ctx, ATOM_MSAA);
}

/* One table for all pixels (get_sample_pixel_grid): x from the left and y << 4 from below, in 1/16
 * pixel. */
static void
set_sample_locations(struct pipe_context *pipe, size_t size, const uint8_t *locations)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->num_locations = (unsigned)MIN2(size, ARRAY_SIZE(ctx->locations) / 2);
   for (unsigned i = 0; i < ctx->num_locations; i++) {
      ctx->locations[2 * i] = (int8_t)((locations[i] & 0xF) - 8);
      ctx->locations[2 * i + 1] = (int8_t)MIN2(8 - (locations[i] >> 4), 7);
   }
   memset(ctx->drv_va, 0, sizeof(ctx->drv_va));
   atoll_dirty(ctx, ATOM_MSAA);
}

/* Depth is stored as it is, for each sample. */
static void
evaluate_depth_buffer(struct pipe_context *pipe)
{
}

static void
set_clip_state(struct pipe_context *pipe, const struct pipe_clip_state *clip)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->clip = *clip;
   ctx->drv_va[ATOLL_VS] = ctx->drv_va[ATOLL_TES] = ctx->drv_va[ATOLL_GS] = 0;
}

static void
set_poly_stipple(struct pipe_context *pipe, const struct pipe_poly_stipple *stipple)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->stipple = *stipple;
   ctx->drv_va[ATOLL_PS] = 0;
}

static void
set_viewports(struct pipe_context *pipe, unsigned start, unsigned count,
              const struct pipe_viewport_state *viewports)
{
   struct atoll_context *ctx = atoll_context(pipe);
   for (unsigned i = 0; i < count && start + i < ATOLL_MAX_VIEWPORTS; i++)
      ctx->viewports[start + i] = viewports[i];
   atoll_dirty(ctx, ATOM_VIEWPORT);
}

static void
set_scissors(struct pipe_context *pipe, unsigned start, unsigned count,
             const struct pipe_scissor_state *scissors)
{
   struct atoll_context *ctx = atoll_context(pipe);
   for (unsigned i = 0; i < count && start + i < ATOLL_MAX_VIEWPORTS; i++)
      ctx->scissors[start + i] = scissors[i];
   if (ctx->rs && ctx->rs->state.scissor)
      atoll_dirty(ctx, ATOM_SCISSOR);
}

static void
set_window_rectangles(struct pipe_context *pipe, bool include, unsigned count,
                      const struct pipe_scissor_state *rects)
{
   struct atoll_context *ctx = atoll_context(pipe);
   ctx->window_rects_include = include;
   assert(count <= ARRAY_SIZE(ctx->window_rects));
   ctx->num_window_rects = count;
   for (unsigned i = 0; i < ctx->num_window_rects; i++)
      ctx->window_rects[i] = rects[i];
   atoll_dirty(ctx, ATOM_CLIP_RECTS);
}

static void
set_framebuffer(struct pipe_context *pipe, const struct pipe_framebuffer_state *fb)
{
   struct atoll_context *ctx = atoll_context(pipe);
   if (util_framebuffer_state_equal(&ctx->fb, fb))
      return;
   util_copy_framebuffer_state(&ctx->fb, fb);
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      struct atoll_resource *res = fb->cbufs[i] ? atoll_resource(fb->cbufs[i]->texture) : NULL;
      /* The window system may be asked on the application's thread alone. */
      if (res && res->dt_front && !ctx->tc && !atoll_cs_usage(&ctx->cs, res->bo))
         atoll_fetch_front(ctx->screen, res);
      if (res && res->dt)
         ctx->presents_seen = p_atomic_read(&ctx->screen->presents) - 1;
   }
   unsigned samples = MAX2(util_framebuffer_get_num_samples(fb), 1);
   if (ctx->samples != samples) {
      ctx->samples = samples;
      ctx->dirty |= ATOM_BIT(ATOM_MSAA) | ATOM_BIT(ATOM_BLEND);
      memset(ctx->drv_va, 0, sizeof(ctx->drv_va));
   }
   ctx->flush |= FLUSH_TARGETS | FLUSH_READS;
   ctx->dirty |= ATOM_BIT(ATOM_FRAMEBUFFER) | ATOM_BIT(ATOM_CB_MISC) | ATOM_BIT(ATOM_ALPHA) |
                 ATOM_BIT(ATOM_POLY_OFFSET) | ATOM_BIT(ATOM_DB_MISC) | ATOM_BIT(ATOM_SCISSOR) |
                 ATOM_BIT(ATOM_DSA) | ATOM_BIT(ATOM_CLIP);
}

static void
set_constant_buffer(struct pipe_context *pipe, enum pipe_shader_type shader, uint index,
                    bool take_ownership, const struct pipe_constant_buffer *cb)
{
   struct atoll_context *ctx = atoll_context(pipe);
   int stage = atoll_stage_of(shader);
   if (stage < 0 || index >= ATOLL_MAX_CONST) {
      if (take_ownership && cb && cb->buffer) {
         struct pipe_resource *buffer = cb->buffer;
         pipe_resource_reference(&buffer, NULL);
      }
      return;
   }
   struct atoll_constants *constants = &ctx->constants[stage];
   struct pipe_constant_buffer *dst = &constants->cb[index];
   util_copy_constant_buffer(dst, cb, take_ownership);
   if (cb && cb->user_buffer && cb->buffer_size) {
      dst->user_buffer = NULL;
      dst->buffer_size = MIN2(cb->buffer_size, 65536);
      pipe_resource_reference(&dst->buffer, NULL);
      u_upload_data(ctx->upload, 0, dst->buffer_size, 256, cb->user_buffer, &dst->buffer_offset,
                    &dst->buffer);
   }
   if (dst->buffer)
      constants->enabled |= 1u << index;
   else
      constants->enabled &= ~(1u << index);
   if (!index)
      ctx->new_uniforms |= 1u << stage;
   atoll_dirty(ctx, ATOM_CONST + stage);
}

static void
set_vertex_buffers(struct pipe_context *pipe, unsigned count,
                   const struct pipe_vertex_buffer *buffers)
{
   struct atoll_context *ctx = atoll_context(pipe);
   assert(count <= ATOLL_MAX_VBS);
   util_set_vertex_buffers_mask(ctx->vbs, &ctx->vb_mask, buffers, count, true);
   atoll_dirty(ctx, ATOM_VERTEX_BUFFERS);
}

static void
bind_vertex_elements(struct pipe_context *pipe, void *state)
{
   struct atoll_context *ctx = atoll_context(pipe);
   const struct atoll_vertex_elements *old = ctx->elements, *elements = state;
   ctx->elements = state;
   ctx->dirty |= ATOM_BIT(ATOM_FETCH) | ATOM_BIT(ATOM_VERTEX_BUFFERS);
   /* The shader that calls the fetch shader has GPRs for both. */
   if (elements && (!old || old->count != elements->count))
      ctx->dirty |= ATOM_BIT(ATOM_VS) | ATOM_BIT(ATOM_ES) | ATOM_BIT(ATOM_TESS);
}

static void
texture_barrier(struct pipe_context *pipe, unsigned flags)
{
   atoll_context(pipe)->flush |= FLUSH_TARGETS | FLUSH_READS;
}

static void
memory_barrier(struct pipe_context *pipe, unsigned flags)
{
   struct atoll_screen *screen = atoll_context(pipe)->screen;

   if (screen->sanitized)
      p_atomic_inc(&screen->orders);
   atoll_context(pipe)->flush |= FLUSH_TARGETS | FLUSH_READS;
}

void
atoll_init_state(struct atoll_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;
   pipe->create_blend_state = create_blend;
   pipe->bind_blend_state = bind_blend;
   pipe->delete_blend_state = delete_state;
   pipe->create_depth_stencil_alpha_state = create_dsa;
   pipe->bind_depth_stencil_alpha_state = bind_dsa;
   pipe->delete_depth_stencil_alpha_state = delete_state;
   pipe->create_rasterizer_state = create_rasterizer;
   pipe->bind_rasterizer_state = bind_rasterizer;
   pipe->delete_rasterizer_state = delete_state;
   pipe->create_sampler_state = create_sampler;
   pipe->bind_sampler_states = bind_samplers;
   pipe->delete_sampler_state = delete_state;
   pipe->create_vertex_elements_state = atoll_create_vertex_elements;
   pipe->bind_vertex_elements_state = bind_vertex_elements;
   pipe->delete_vertex_elements_state = atoll_delete_vertex_elements;
   pipe->set_blend_color = set_blend_color;
   pipe->set_stencil_ref = set_stencil_ref;
   pipe->set_sample_mask = set_sample_mask;
   pipe->set_min_samples = set_min_samples;
   pipe->set_sample_locations = set_sample_locations;
   pipe->evaluate_depth_buffer = evaluate_depth_buffer;
   pipe->set_clip_state = set_clip_state;
   pipe->set_polygon_stipple = set_poly_stipple;
   pipe->set_viewport_states = set_viewports;
   pipe->set_scissor_states = set_scissors;
   pipe->set_window_rectangles = set_window_rectangles;
   pipe->set_framebuffer_state = set_framebuffer;
   pipe->set_constant_buffer = set_constant_buffer;
   pipe->set_vertex_buffers = set_vertex_buffers;
   pipe->texture_barrier = texture_barrier;
   pipe->memory_barrier = memory_barrier;
}
