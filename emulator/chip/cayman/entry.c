/* SPDX-License-Identifier: MIT */
/*
 * SPI_BARYC_CNTL, SPI_PS_IN_CONTROL_*, SPI_COMPUTE_INPUT_CNTL: which registers of a program get
 * values of pixels and threads.
 */
#include "bind/source.h"
#include "chip/cayman/cayman.h"
#include "chip/cayman/r600.h"
#include "core/core.h"

#define ROW(gpr) ((uint16_t)(4 * (gpr)))

static void
pixel_layout(struct core_layout *l, const struct regs *r)
{
   const uint32_t baryc = reg(r, R_SPI_BARYC_CNTL);
   const uint32_t control0 = reg(r, R_SPI_PS_IN_CONTROL_0),
                  control1 = reg(r, R_SPI_PS_IN_CONTROL_1);
   const uint8_t enabled[CORE_PAIRS] = {
      [CORE_PERSP_SAMPLE] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, PERSP_SAMPLE_ENA),
      [CORE_PERSP_CENTER] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, PERSP_CENTER_ENA),
      [CORE_PERSP_CENTROID] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, PERSP_CENTROID_ENA),
      [CORE_LINEAR_SAMPLE] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, LINEAR_SAMPLE_ENA),
      [CORE_LINEAR_CENTER] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, LINEAR_CENTER_ENA),
      [CORE_LINEAR_CENTROID] = REG_FIELD_GET(baryc, SPI_BARYC_CNTL, LINEAR_CENTROID_ENA),
   };

   if (regs_chip(r)->old) {
      /* Those that the inputs name, above the program's registers (sq/lift_inputs.c). */
      uint32_t inputs[SOURCE_INPUT_WORDS];

      r600_inputs(r, inputs);
      l->pairs = source_input_pairs(inputs);
      l->pairs_row = ROW(reg(r, R_SQ_PGM_RESOURCES_PS) & 0xff);
   } else {
      for (unsigned p = 0; p < CORE_PAIRS; p++)
         l->pairs |= (uint8_t)((enabled[p] != 0) << p);
   }
   if (REG_FIELD_GET(control0, SPI_PS_IN_CONTROL_0, POSITION_ENA))
      l->position = ROW(REG_FIELD_GET(control0, SPI_PS_IN_CONTROL_0, POSITION_ADDR));
   if (REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FRONT_FACE_ENA))
      l->face = ROW(REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FRONT_FACE_ADDR));
   if (REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ENA))
      l->pixel = ROW(REG_FIELD_GET(control1, SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ADDR));
}

static void
compute_layout(struct core_layout *l, const struct regs *r)
{
   const uint32_t input = reg(r, R_SPI_COMPUTE_INPUT_CNTL);
   unsigned gpr = 0;

   if (REG_FIELD_GET(input, SPI_COMPUTE_INPUT_CNTL, TID_IN_GROUP_ENA))
      l->thread = ROW(gpr++);
   if (REG_FIELD_GET(input, SPI_COMPUTE_INPUT_CNTL, TGID_ENA))
      l->group = ROW(gpr);
}

void
cayman_layout(struct core_layout *layout, enum core_stage stage, const struct regs *r)
{
   if (stage == CORE_PIXEL)
      pixel_layout(layout, r);
   else if (stage == CORE_COMPUTE)
      compute_layout(layout, r);
}
