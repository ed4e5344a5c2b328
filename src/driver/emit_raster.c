/* SPDX-License-Identifier: MIT */
/*
 * Atoms between the vertex and the pixel shader: clipper, viewports, rasteriser, scissors.
 */
#include "emit.h"

#include "util/u_framebuffer.h"
#include "util/u_math.h"
#include "util/u_viewport.h"

#include <atoll/cayman/enums.h>

/* ---- Rasterizer ---- */

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
   /* A stippled line is wider along an axis than across. */
   float wide = MAX2(ctx->rs->state.line_width * 1.5f, ctx->rs->state.point_size);
   if (ctx->rs->state.point_size_per_vertex && ctx->draws_points)
      wide = ATOLL_MAX_POINT_SIZE;
   float dx = MIN2(1.0f + wide / (2.0f * sx), gx), dy = MIN2(1.0f + wide / (2.0f * sy), gy);
   emit_context_seq(cs, CHIP_REG(ctx, PA_CL_GB_VERT_CLIP_ADJ), 4);
   atoll_emit(cs, fui(gy));
   atoll_emit(cs, fui(dy));
   atoll_emit(cs, fui(gx));
   atoll_emit(cs, fui(dx));
}

void
atoll_emit_rasterizer(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_rasterizer *rs = ctx->rs;
   emit_context_seq(cs, R_PA_SU_POINT_SIZE, 3);
   atoll_emit(cs, rs->point_size);
   atoll_emit(cs, rs->point_minmax);
   atoll_emit(cs, rs->line_cntl);
   emit_context_reg(cs, R_SPI_INTERP_CONTROL_0, rs->interp_control);
   uint32_t mode = rs->sc_mode_cntl_0;
   if (atoll_smooths(ctx->variants[ATOLL_PS]))
      mode |= REG_FIELD(PA_SC_MODE_CNTL_0, MSAA_ENABLE, 1);
   emit_context_reg(cs, R_PA_SC_MODE_CNTL_0, mode);
   emit_context_reg(cs, CHIP_REG(ctx, PA_SU_VTX_CNTL), rs->vtx_cntl);
   emit_context_reg(cs, R_PA_SU_SC_MODE_CNTL, rs->su_sc_mode_cntl);
   emit_guard_band(ctx);
}

void
atoll_emit_poly_offset(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct pipe_rasterizer_state *s = &ctx->rs->state;
   float units = s->offset_units, scale = s->offset_scale * 16.0f;
   uint32_t format = 0;

   if (!s->offset_units_unscaled) {
      switch (ctx->fb.zsbuf ? ctx->fb.zsbuf->format : PIPE_FORMAT_NONE) {
      case PIPE_FORMAT_Z24X8_UNORM:
      case PIPE_FORMAT_Z24_UNORM_S8_UINT:
      case PIPE_FORMAT_Z32_UNORM: /* floats in 0 to 1: all that differ by so much differ */
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

void
atoll_emit_clip(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_program *vs = &ctx->hw_vs->p;
   uint32_t cntl = ctx->rs->clip_cntl;
   if (vs->window_space || ctx->rect_draw)
      cntl |= REG_FIELD(PA_CL_CLIP_CNTL, CLIP_DISABLE, 1);
   emit_context_reg(cs, R_PA_CL_CLIP_CNTL, cntl);
   /* Without layers, a layer that is written has no effect. */
   uint32_t out = vs->pa_cl_vs_out_cntl;
   if (util_framebuffer_get_num_layers(&ctx->fb) <= 1)
      out &= ~REG_FIELD_MASK(PA_CL_VS_OUT_CNTL, USE_VTX_RENDER_TARGET_INDX);
   emit_context_reg(cs, R_PA_CL_VS_OUT_CNTL,
                    out | (ctx->rs->state.clip_plane_enable & vs->clip_mask) |
                       (uint32_t)vs->cull_mask << 8);
}

/* The first, unless the program says which: 16 are a quarter of what a stream begins with. */
static unsigned
num_viewports(const struct atoll_context *ctx)
{
   return atoll_chooses_viewport(ctx->hw_vs) ? ATOLL_MAX_VIEWPORTS : 1;
}

/* How far points move that are neither smooth nor sprites.  Their pixels are counted from the whole
 * number below a coordinate (OpenGL 4.6 compatibility, 14.4.1), and a square has the centres on its
 * left and upper edge: one step of the device's coordinates takes those to the other side, but for
 * rows that OpenGL counts upwards. */
static float
point_shift(const struct atoll_context *ctx, unsigned axis)
{
   const bool moved = ctx->draws_points && ctx->rs->whole_points;

   return moved && (axis == 0 || (axis == 1 && !ctx->rs->state.bottom_edge_rule)) ? 1.0f / 256 : 0;
}

void
atoll_emit_viewport(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   bool halfz = ctx->rs->state.clip_halfz;
   unsigned count = num_viewports(ctx);

   emit_context_seq(cs, R_PA_CL_VPORT_XSCALE_0, 6 * count);
   for (unsigned i = 0; i < count; i++) {
      const struct pipe_viewport_state *vp = &ctx->viewports[i];
      for (unsigned c = 0; c < 3; c++) {
         atoll_emit(cs, fui(vp->scale[c]));
         atoll_emit(cs, fui(vp->translate[c] + point_shift(ctx, c)));
      }
   }
   emit_context_seq(cs, R_PA_SC_VPORT_ZMIN_0, 2 * count);
   for (unsigned i = 0; i < count; i++) {
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

void
atoll_emit_scissor(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   bool window_space = ctx->hw_vs->p.window_space || ctx->rect_draw;
   unsigned count = num_viewports(ctx);

   emit_context_seq(cs, R_PA_SC_VPORT_SCISSOR_0_TL, 2 * count);
   for (unsigned i = 0; i < count; i++) {
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

void
atoll_emit_clip_rects(struct atoll_context *ctx)
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
