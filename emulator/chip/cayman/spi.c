/* SPDX-License-Identifier: MIT */
/*
 * SPI_*: which parameter feeds each pixel input, and what points make of it.
 */
#include <string.h>

#include "chip/cayman/cayman.h"
#include "chip/cayman/map.h"
#include "spi/spi.h"

#include <atoll/cayman/enums.h>

/* Hardware offers PARAM exports 0..31 to ten registers of four semantics. */
#define VS_OUT_IDS 40

static uint8_t
find_param(const struct regs *r, unsigned exports, uint32_t semantic)
{
   for (unsigned i = 0; i < exports; i++) {
      uint32_t word = reg(r, REG_AT(SPI_VS_OUT_ID_0, i / 4));

      if ((word >> i % 4 * 8 & 0xff) == semantic)
         return i;
   }
   return SPI_NO_PARAM;
}

static void
decode_inputs(struct spi_state *s, const struct regs *r)
{
   static const float defaults[4][4] = {
      [SPI_DEFAULT_0000] = { 0, 0, 0, 0 },
      [SPI_DEFAULT_0001] = { 0, 0, 0, 1 },
      [SPI_DEFAULT_1110] = { 1, 1, 1, 0 },
      [SPI_DEFAULT_1111] = { 1, 1, 1, 1 },
   };
   uint32_t control0 = reg(r, R_SPI_PS_IN_CONTROL_0);
   unsigned exports =
      REG_FIELD_GET(reg(r, R_SPI_VS_OUT_CONFIG), SPI_VS_OUT_CONFIG, VS_EXPORT_COUNT) + 1;
   bool flat_enable =
      REG_FIELD_GET(reg(r, R_SPI_INTERP_CONTROL_0), SPI_INTERP_CONTROL_0, FLAT_SHADE_ENA);

   exports = exports > VS_OUT_IDS ? VS_OUT_IDS : exports;
   s->num_inputs = REG_FIELD_GET(control0, SPI_PS_IN_CONTROL_0, NUM_INTERP);
   s->num_inputs = s->num_inputs > SPI_MAX_INPUTS ? SPI_MAX_INPUTS : s->num_inputs;
   for (unsigned i = 0; i < s->num_inputs; i++) {
      uint32_t cntl = reg(r, REG_AT(SPI_PS_INPUT_CNTL_0, i));
      struct spi_input *in = &s->input[i];

      in->param = find_param(r, exports, REG_FIELD_GET(cntl, SPI_PS_INPUT_CNTL_0, SEMANTIC));
      if (in->param >= 32)
         in->param = SPI_NO_PARAM;
      in->flat = flat_enable && REG_FIELD_GET(cntl, SPI_PS_INPUT_CNTL_0, FLAT_SHADE);
      in->sprite = s->sprites && REG_FIELD_GET(cntl, SPI_PS_INPUT_CNTL_0, PT_SPRITE_TEX);
      memcpy(in->defaults, defaults[REG_FIELD_GET(cntl, SPI_PS_INPUT_CNTL_0, DEFAULT_VAL)],
             sizeof(in->defaults));
      s->any_flat |= in->flat || in->sprite;
   }
}

void
cayman_decode_spi(struct spi_state *s, const struct regs *r)
{
   const uint32_t interp = reg(r, R_SPI_INTERP_CONTROL_0);
   const uint32_t control0 = reg(r, R_SPI_PS_IN_CONTROL_0);

   memset(s, 0, sizeof(*s));
   s->sprites = REG_FIELD_GET(interp, SPI_INTERP_CONTROL_0, PNT_SPRITE_ENA);
   s->sprite_top_1 = REG_FIELD_GET(interp, SPI_INTERP_CONTROL_0, PNT_SPRITE_TOP_1);
   s->sprite_sel[0] = cayman_sprite[REG_FIELD_GET(interp, SPI_INTERP_CONTROL_0, PNT_SPRITE_OVRD_X)];
   s->sprite_sel[1] = cayman_sprite[REG_FIELD_GET(interp, SPI_INTERP_CONTROL_0, PNT_SPRITE_OVRD_Y)];
   s->sprite_sel[2] = cayman_sprite[REG_FIELD_GET(interp, SPI_INTERP_CONTROL_0, PNT_SPRITE_OVRD_Z)];
   s->sprite_sel[3] = cayman_sprite[REG_FIELD_GET(interp, SPI_INTERP_CONTROL_0, PNT_SPRITE_OVRD_W)];
   decode_inputs(s, r);
   s->position_centroid = REG_FIELD_GET(control0, SPI_PS_IN_CONTROL_0, POSITION_CENTROID);
   s->position_sample = REG_FIELD_GET(control0, SPI_PS_IN_CONTROL_0, POSITION_SAMPLE);
}
