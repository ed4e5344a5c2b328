/* SPDX-License-Identifier: MIT */
/*
 * PA_SC_*: scissors, clip rectangles, line stipple, sample positions.
 */
#include <string.h>

#include "chip/cayman/cayman.h"
#include "memory/target.h"
#include "sc/sc.h"

#include <atoll/cayman/enums.h>

static struct sc_rect
intersect(struct sc_rect a, struct sc_rect b)
{
   return (struct sc_rect){
      a.x0 > b.x0 ? a.x0 : b.x0,
      a.y0 > b.y0 ? a.y0 : b.y0,
      a.x1 < b.x1 ? a.x1 : b.x1,
      a.y1 < b.y1 ? a.y1 : b.y1,
   };
}

/* A TL/BR pair of 15-bit fields; `offset` moves it with the window. */
static struct sc_rect
rect15(uint32_t tl, uint32_t br, int32_t offset_x, int32_t offset_y)
{
   return (struct sc_rect){
      (int32_t)(tl & 0x7fff) + offset_x,
      (int32_t)(tl >> 16 & 0x7fff) + offset_y,
      (int32_t)(br & 0x7fff) + offset_x,
      (int32_t)(br >> 16 & 0x7fff) + offset_y,
   };
}

static void
limit_to(struct sc_state *s, const struct target *t)
{
   if (!t->host)
      return;
   s->width = t->width < s->width ? t->width : s->width;
   s->height = t->height < s->height ? t->height : s->height;
   s->layers = t->num_layers > s->layers ? t->num_layers : s->layers;
}

static void
decode_rects(struct sc_state *s, const struct regs *r)
{
   uint32_t window = reg(r, R_PA_SC_WINDOW_OFFSET);
   int32_t off_x = (int16_t)(window & 0xffff), off_y = (int16_t)(window >> 16);
   uint32_t tl = reg(r, R_PA_SC_SCREEN_SCISSOR_TL), br = reg(r, R_PA_SC_SCREEN_SCISSOR_BR);
   struct sc_rect all = { (int16_t)(tl & 0xffff), (int16_t)(tl >> 16), (int16_t)(br & 0xffff),
                          (int16_t)(br >> 16) };
   struct sc_rect extent = { 0, 0, (int32_t)s->width, (int32_t)s->height };

   all = intersect(all, extent);
   tl = reg(r, R_PA_SC_WINDOW_SCISSOR_TL);
   bool fixed = tl >> 31;
   all = intersect(
      all, rect15(tl, reg(r, R_PA_SC_WINDOW_SCISSOR_BR), fixed ? 0 : off_x, fixed ? 0 : off_y));
   tl = reg(r, R_PA_SC_GENERIC_SCISSOR_TL);
   fixed = tl >> 31;
   all = intersect(
      all, rect15(tl, reg(r, R_PA_SC_GENERIC_SCISSOR_BR), fixed ? 0 : off_x, fixed ? 0 : off_y));

   bool per_viewport =
      REG_FIELD_GET(reg(r, R_PA_SC_MODE_CNTL_0), PA_SC_MODE_CNTL_0, VPORT_SCISSOR_ENABLE);
   struct sc_rect bounds = { INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN };
   for (unsigned i = 0; i < SC_VIEWPORTS; i++) {
      struct sc_rect rect = all;

      if (per_viewport) {
         tl = reg(r, REG_AT(PA_SC_VPORT_SCISSOR_0_TL, i));
         fixed = tl >> 31;
         rect = intersect(rect, rect15(tl, reg(r, REG_AT(PA_SC_VPORT_SCISSOR_0_BR, i)),
                                       fixed ? 0 : off_x, fixed ? 0 : off_y));
      }
      if (rect.x0 >= rect.x1 || rect.y0 >= rect.y1) {
         rect = (struct sc_rect){ 0, 0, 0, 0 };
      } else {
         bounds.x0 = rect.x0 < bounds.x0 ? rect.x0 : bounds.x0;
         bounds.y0 = rect.y0 < bounds.y0 ? rect.y0 : bounds.y0;
         bounds.x1 = rect.x1 > bounds.x1 ? rect.x1 : bounds.x1;
         bounds.y1 = rect.y1 > bounds.y1 ? rect.y1 : bounds.y1;
      }
      s->rect[i] = rect;

      float z0 = reg_float(r, REG_AT(PA_SC_VPORT_ZMIN_0, i));
      float z1 = reg_float(r, REG_AT(PA_SC_VPORT_ZMAX_0, i));
      s->z_min[i] = z0 < z1 ? z0 : z1;
      s->z_max[i] = z0 < z1 ? z1 : z0;
   }
   s->bounds = bounds.x0 < bounds.x1 ? bounds : (struct sc_rect){ 0, 0, 0, 0 };

   s->cliprect_rule = REG_FIELD_GET(reg(r, R_PA_SC_CLIPRECT_RULE), PA_SC_CLIPRECT_RULE, CLIP_RULE);
   s->cliprects = s->cliprect_rule != 0xffff;
   for (unsigned i = 0; i < 4; i++)
      s->cliprect[i] = rect15(reg(r, REG_AT(PA_SC_CLIPRECT_0_TL, i)),
                              reg(r, REG_AT(PA_SC_CLIPRECT_0_BR, i)), off_x, off_y);
}

static int8_t
signed4(uint32_t v)
{
   return (int8_t)((v & 15) ^ 8) - 8;
}

/* Samples `first` to first + 3 of pixel p: four bits of x and of y each. */
static void
decode_positions(struct sc_state *s, unsigned p, unsigned first, uint32_t word)
{
   for (unsigned i = 0; i < 4; i++) {
      s->sample_x[p][first + i] = signed4(word >> 8 * i);
      s->sample_y[p][first + i] = signed4(word >> (8 * i + 4));
   }
}

/* What five-slot chips have: no sample is anchored or over-rasterized, all are iterated over where
 * any are, and of those that are covered, a centroid is at the one of least number. */
static void
decode_evergreen_samples(struct sc_state *s, const struct regs *r)
{
   const uint32_t mask = reg(r, R_EVERGREEN_PA_SC_AA_MASK);
   const unsigned dwords = s->log2_samples == 3 ? 2 : 1;

   if (REG_FIELD_GET(reg(r, R_PA_SC_MODE_CNTL_1), PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE))
      s->log2_iter = s->log2_samples;
   for (unsigned p = 0; p < 4; p++) {
      s->sample_mask[p] = mask >> 8 * p & 0xff;
      for (unsigned n = 0; n < dwords && s->msaa; n++)
         decode_positions(s, p, 4 * n,
                          reg(r, R_EVERGREEN_PA_SC_AA_SAMPLE_LOCS_0 + 4 * (dwords * p + n)));
   }
   for (unsigned i = 0; i < SC_MAX_SAMPLES; i++)
      s->centroid_order[i] = i;
}

static void
decode_cayman_samples(struct sc_state *s, const struct regs *r)
{
   static const uint32_t first[4] = {
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y0_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y0_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X0Y1_0,
      R_PA_SC_AA_SAMPLE_LOCS_PIXEL_X1Y1_0,
   };
   const uint32_t eqaa = reg(r, R_DB_EQAA);
   const uint32_t mask01 = reg(r, R_PA_SC_AA_MASK_X0Y0_X1Y0),
                  mask23 = reg(r, R_PA_SC_AA_MASK_X0Y1_X1Y1);

   s->over = s->msaa && REG_FIELD_GET(eqaa, DB_EQAA, OVERRASTERIZATION_AMOUNT) &&
             !REG_FIELD_GET(eqaa, DB_EQAA, MAX_ANCHOR_SAMPLES);
   if (!s->over && REG_FIELD_GET(reg(r, R_PA_SC_MODE_CNTL_1), PA_SC_MODE_CNTL_1, PS_ITER_SAMPLE)) {
      unsigned iter = REG_FIELD_GET(eqaa, DB_EQAA, PS_ITER_SAMPLES);

      s->log2_iter = iter > s->log2_samples ? s->log2_samples : iter;
   }
   s->sample_mask[0] = mask01 & 0xffff;
   s->sample_mask[1] = mask01 >> 16;
   s->sample_mask[2] = mask23 & 0xffff;
   s->sample_mask[3] = mask23 >> 16;
   for (unsigned p = 0; p < 4 && s->msaa; p++)
      for (unsigned i = 0; i < SC_MAX_SAMPLES; i += 4)
         decode_positions(s, p, i, reg(r, first[p] + i));
   uint32_t order[2] = { reg(r, R_PA_SC_CENTROID_PRIORITY_0), reg(r, R_PA_SC_CENTROID_PRIORITY_1) };
   for (unsigned i = 0; i < SC_MAX_SAMPLES; i++)
      s->centroid_order[i] = order[0] >> i * 4 & (SC_MAX_SAMPLES - 1);
}

static void
decode_samples(struct sc_state *s, const struct regs *r)
{
   s->log2_samples = cayman_log2_samples(r);
   s->msaa =
      s->log2_samples && REG_FIELD_GET(reg(r, R_PA_SC_MODE_CNTL_0), PA_SC_MODE_CNTL_0, MSAA_ENABLE);
   if (regs_chip(r)->five_slots)
      decode_evergreen_samples(s, r);
   else
      decode_cayman_samples(s, r);
}

void
cayman_decode_sc(struct sc_state *s, const struct regs *r, const struct target *const *targets,
                 unsigned count)
{
   memset(s, 0, sizeof(*s));
   s->width = s->height = TARGET_EXTENT_MAX;
   for (unsigned i = 0; i < count; i++)
      limit_to(s, targets[i]);
   s->layers = s->layers ? s->layers : 2048;

   decode_rects(s, r);
   decode_samples(s, r);

   uint32_t stipple = reg(r, R_PA_SC_LINE_STIPPLE);
   s->line_stipple =
      REG_FIELD_GET(reg(r, R_PA_SC_MODE_CNTL_0), PA_SC_MODE_CNTL_0, LINE_STIPPLE_ENABLE);
   s->line_pattern = REG_FIELD_GET(stipple, PA_SC_LINE_STIPPLE, LINE_PATTERN);
   if (REG_FIELD_GET(stipple, PA_SC_LINE_STIPPLE, PATTERN_BIT_ORDER)) {
      uint16_t reversed = 0;

      for (unsigned i = 0; i < 16; i++)
         reversed |= (s->line_pattern >> i & 1) << (15 - i);
      s->line_pattern = reversed;
   }
   s->line_repeat = REG_FIELD_GET(stipple, PA_SC_LINE_STIPPLE, REPEAT_COUNT) + 1;
}
