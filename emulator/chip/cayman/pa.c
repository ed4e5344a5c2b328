/* SPDX-License-Identifier: MIT */
/*
 * PA_CL_*, PA_SU_* and lines of PA_SC_*: viewports, clipping, culling, polygon mode and offset,
 * points, lines.
 */
#include "chip/cayman/cayman.h"
#include "chip/cayman/map.h"
#include "pa/pa.h"

#include <atoll/cayman/enums.h>

/* 2^e for small e, without a library. */
static float
exp2_int(int e)
{
   union {
      uint32_t u;
      float f;
   } v;

   if (e < -126)
      return 0.0f;
   v.u = (uint32_t)(e + 127) << 23;
   return v.f;
}

void
cayman_decode_pa(struct pa_state *s, const struct regs *r)
{
   const uint32_t clip = reg(r, R_PA_CL_CLIP_CNTL);
   const uint32_t vte = reg(r, R_PA_CL_VTE_CNTL);
   const uint32_t out = reg(r, R_PA_CL_VS_OUT_CNTL);
   const uint32_t mode = reg(r, R_PA_SU_SC_MODE_CNTL);
   const uint32_t size = reg(r, R_PA_SU_POINT_SIZE), minmax = reg(r, R_PA_SU_POINT_MINMAX);
   const uint32_t fmt = reg(r, R_PA_SU_POLY_OFFSET_DB_FMT_CNTL);

   *s = (struct pa_state){ 0 };
   for (unsigned i = 0; i < PA_VIEWPORTS; i++) {
      struct pa_viewport *v = &s->viewport[i];

      *v = (struct pa_viewport){ 1, 0, 1, 0, 1, 0 };
      if (REG_FIELD_GET(vte, PA_CL_VTE_CNTL, VPORT_X_SCALE_ENA))
         v->xs = reg_float(r, REG_AT(PA_CL_VPORT_XSCALE_0, i));
      if (REG_FIELD_GET(vte, PA_CL_VTE_CNTL, VPORT_X_OFFSET_ENA))
         v->xo = reg_float(r, REG_AT(PA_CL_VPORT_XOFFSET_0, i));
      if (REG_FIELD_GET(vte, PA_CL_VTE_CNTL, VPORT_Y_SCALE_ENA))
         v->ys = reg_float(r, REG_AT(PA_CL_VPORT_YSCALE_0, i));
      if (REG_FIELD_GET(vte, PA_CL_VTE_CNTL, VPORT_Y_OFFSET_ENA))
         v->yo = reg_float(r, REG_AT(PA_CL_VPORT_YOFFSET_0, i));
      if (REG_FIELD_GET(vte, PA_CL_VTE_CNTL, VPORT_Z_SCALE_ENA))
         v->zs = reg_float(r, REG_AT(PA_CL_VPORT_ZSCALE_0, i));
      if (REG_FIELD_GET(vte, PA_CL_VTE_CNTL, VPORT_Z_OFFSET_ENA))
         v->zo = reg_float(r, REG_AT(PA_CL_VPORT_ZOFFSET_0, i));
   }
   s->xy_divided = REG_FIELD_GET(vte, PA_CL_VTE_CNTL, VTX_XY_FMT);
   s->z_divided = REG_FIELD_GET(vte, PA_CL_VTE_CNTL, VTX_Z_FMT);
   s->w_is_w = REG_FIELD_GET(vte, PA_CL_VTE_CNTL, VTX_W0_FMT);

   for (unsigned i = 0; i < PA_UCPS; i++) {
      s->ucp[i][0] = reg_float(r, REG_AT(PA_CL_UCP0_X, i));
      s->ucp[i][1] = reg_float(r, REG_AT(PA_CL_UCP0_Y, i));
      s->ucp[i][2] = reg_float(r, REG_AT(PA_CL_UCP0_Z, i));
      s->ucp[i][3] = reg_float(r, REG_AT(PA_CL_UCP0_W, i));
   }
   s->ucp_mask = clip & 0x3f; /* UCP_ENA_0..5 */
   s->clip_dist_mask = out & 0xff;
   s->cull_dist_mask = out >> 8 & 0xff;

   uint8_t next = 1;

   if (REG_FIELD_GET(out, PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA))
      s->misc_export = next++;
   if (REG_FIELD_GET(out, PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST0_VEC_ENA))
      s->dist_export[0] = next++;
   if (REG_FIELD_GET(out, PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST1_VEC_ENA))
      s->dist_export[1] = next++;
   if (!s->dist_export[0]) {
      s->clip_dist_mask &= 0xf0;
      s->cull_dist_mask &= 0xf0;
   }
   if (!s->dist_export[1]) {
      s->clip_dist_mask &= 0x0f;
      s->cull_dist_mask &= 0x0f;
   }
   if (s->misc_export) {
      s->use_point_size = REG_FIELD_GET(out, PA_CL_VS_OUT_CNTL, USE_VTX_POINT_SIZE);
      s->use_edge_flag = REG_FIELD_GET(out, PA_CL_VS_OUT_CNTL, USE_VTX_EDGE_FLAG);
      s->use_layer = REG_FIELD_GET(out, PA_CL_VS_OUT_CNTL, USE_VTX_RENDER_TARGET_INDX);
      s->use_viewport = REG_FIELD_GET(out, PA_CL_VS_OUT_CNTL, USE_VTX_VIEWPORT_INDX);
   }

   s->clip = !REG_FIELD_GET(clip, PA_CL_CLIP_CNTL, CLIP_DISABLE);
   s->clip_near = s->clip && !REG_FIELD_GET(clip, PA_CL_CLIP_CNTL, ZCLIP_NEAR_DISABLE);
   s->clip_far = s->clip && !REG_FIELD_GET(clip, PA_CL_CLIP_CNTL, ZCLIP_FAR_DISABLE);
   s->dx_clip_space = REG_FIELD_GET(clip, PA_CL_CLIP_CNTL, DX_CLIP_SPACE_DEF);
   s->kill_all = REG_FIELD_GET(clip, PA_CL_CLIP_CNTL, DX_RASTERIZATION_KILL);
   s->disc_x = reg_float(r, REG_OF(r, PA_CL_GB_HORZ_DISC_ADJ));
   s->disc_y = reg_float(r, REG_OF(r, PA_CL_GB_VERT_DISC_ADJ));
   if (!(s->disc_x >= 1.0f))
      s->disc_x = 1.0f;
   if (!(s->disc_y >= 1.0f))
      s->disc_y = 1.0f;

   s->cull_front = REG_FIELD_GET(mode, PA_SU_SC_MODE_CNTL, CULL_FRONT);
   s->cull_back = REG_FIELD_GET(mode, PA_SU_SC_MODE_CNTL, CULL_BACK);
   s->front_cw = REG_FIELD_GET(mode, PA_SU_SC_MODE_CNTL, FACE);
   s->poly_mode = REG_FIELD_GET(mode, PA_SU_SC_MODE_CNTL, POLY_MODE) == 1;
   s->poly_front =
      cayman_polygon_mode[REG_FIELD_GET(mode, PA_SU_SC_MODE_CNTL, POLYMODE_FRONT_PTYPE)];
   s->poly_back = cayman_polygon_mode[REG_FIELD_GET(mode, PA_SU_SC_MODE_CNTL, POLYMODE_BACK_PTYPE)];
   s->offset_front = REG_FIELD_GET(mode, PA_SU_SC_MODE_CNTL, POLY_OFFSET_FRONT_ENABLE);
   s->offset_back = REG_FIELD_GET(mode, PA_SU_SC_MODE_CNTL, POLY_OFFSET_BACK_ENABLE);
   s->offset_para = REG_FIELD_GET(mode, PA_SU_SC_MODE_CNTL, POLY_OFFSET_PARA_ENABLE);
   s->provoking_last = REG_FIELD_GET(mode, PA_SU_SC_MODE_CNTL, PROVOKING_VTX_LAST);
   s->persp_corr_dis = REG_FIELD_GET(mode, PA_SU_SC_MODE_CNTL, PERSP_CORR_DIS);

   /* Slopes are per 1/16 pixel in hardware; the register is scaled to match.  The unit is the
    * depth format's: 2^-bits, or for floats relative to the primitive's largest exponent. */
   const int bits =
      (int8_t)REG_FIELD_GET(fmt, PA_SU_POLY_OFFSET_DB_FMT_CNTL, POLY_OFFSET_NEG_NUM_DB_BITS);
   const float unit = exp2_int(bits);

   s->offset_float = REG_FIELD_GET(fmt, PA_SU_POLY_OFFSET_DB_FMT_CNTL, POLY_OFFSET_DB_IS_FLOAT_FMT);
   s->offset_scale[0] = reg_float(r, R_PA_SU_POLY_OFFSET_FRONT_SCALE) * (1.0f / 16);
   s->offset_scale[1] = reg_float(r, R_PA_SU_POLY_OFFSET_BACK_SCALE) * (1.0f / 16);
   s->offset_units[0] = reg_float(r, R_PA_SU_POLY_OFFSET_FRONT_OFFSET) * unit;
   s->offset_units[1] = reg_float(r, R_PA_SU_POLY_OFFSET_BACK_OFFSET) * unit;
   s->offset_clamp = reg_float(r, R_PA_SU_POLY_OFFSET_CLAMP);

   s->pixel_center_integer =
      !REG_FIELD_GET(reg(r, REG_OF(r, PA_SU_VTX_CNTL)), PA_SU_VTX_CNTL, PIX_CENTER_HALF);

   /* Half sizes in 12.4 fixed point. */
   s->point_half_h = REG_FIELD_GET(size, PA_SU_POINT_SIZE, HEIGHT) * (1.0f / 16);
   s->point_half_w = REG_FIELD_GET(size, PA_SU_POINT_SIZE, WIDTH) * (1.0f / 16);
   s->point_min = REG_FIELD_GET(minmax, PA_SU_POINT_MINMAX, MIN_SIZE) * (1.0f / 16);
   s->point_max = REG_FIELD_GET(minmax, PA_SU_POINT_MINMAX, MAX_SIZE) * (1.0f / 16);
   s->line_half = REG_FIELD_GET(reg(r, R_PA_SU_LINE_CNTL), PA_SU_LINE_CNTL, WIDTH) * (1.0f / 16);
   const bool msaa = REG_FIELD_GET(reg(r, R_PA_SC_MODE_CNTL_0), PA_SC_MODE_CNTL_0, MSAA_ENABLE) &&
                     cayman_log2_samples(r);
   const uint32_t line = reg(r, REG_OF(r, PA_SC_LINE_CNTL));
   s->line_expand = msaa && REG_FIELD_GET(line, PA_SC_LINE_CNTL, EXPAND_LINE_WIDTH);
   s->line_square = msaa && REG_FIELD_GET(line, PA_SC_LINE_CNTL, PERPENDICULAR_ENDCAP_ENA);
   s->line_stipple =
      REG_FIELD_GET(reg(r, R_PA_SC_MODE_CNTL_0), PA_SC_MODE_CNTL_0, LINE_STIPPLE_ENABLE);
   s->line_stipple_anew = REG_FIELD_GET(reg(r, R_PA_SC_LINE_STIPPLE), PA_SC_LINE_STIPPLE,
                                        AUTO_RESET_CNTL) == STIPPLE_RESET_EACH_PRIM;
}
