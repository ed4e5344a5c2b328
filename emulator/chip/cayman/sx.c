/* SPDX-License-Identifier: MIT */
/*
 * SX_* and DB_ALPHA_TO_MASK: alpha test and alpha to mask.
 */
#include <string.h>

#include "chip/cayman/cayman.h"
#include "chip/cayman/map.h"
#include "port/state.h"
#include "sx/sx.h"

#include <atoll/cayman/enums.h>

void
cayman_decode_sx(struct sx_state *s, const struct regs *r)
{
   uint32_t control = reg(r, R_SX_ALPHA_TEST_CONTROL), mask = reg(r, R_DB_ALPHA_TO_MASK);

   memset(s, 0, sizeof(*s));
   s->alpha_func = cayman_test[REG_FIELD_GET(control, SX_ALPHA_TEST_CONTROL, ALPHA_FUNC)];
   s->alpha_test = REG_FIELD_GET(control, SX_ALPHA_TEST_CONTROL, ALPHA_TEST_ENABLE) &&
                   !REG_FIELD_GET(control, SX_ALPHA_TEST_CONTROL, ALPHA_TEST_BYPASS) &&
                   s->alpha_func != TEST_ALWAYS;
   s->alpha_ref = reg_float(r, R_SX_ALPHA_REF);
   s->alpha_16bpc = REG_FIELD_GET(reg(r, REG_AT(CB_COLOR0_INFO, 0)), CB_COLOR0_INFO,
                                  SOURCE_FORMAT) == EXPORT_4C_16BPC;
   s->alpha_to_mask =
      REG_FIELD_GET(mask, DB_ALPHA_TO_MASK, ALPHA_TO_MASK_ENABLE) &&
      !REG_FIELD_GET(reg(r, R_DB_SHADER_CONTROL), DB_SHADER_CONTROL, ALPHA_TO_MASK_DISABLE);
   s->alpha_to_mask_offset[0] = REG_FIELD_GET(mask, DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET0);
   s->alpha_to_mask_offset[1] = REG_FIELD_GET(mask, DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET1);
   s->alpha_to_mask_offset[2] = REG_FIELD_GET(mask, DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET2);
   s->alpha_to_mask_offset[3] = REG_FIELD_GET(mask, DB_ALPHA_TO_MASK, ALPHA_TO_MASK_OFFSET3);
   s->alpha_to_mask_round = REG_FIELD_GET(mask, DB_ALPHA_TO_MASK, OFFSET_ROUND);
   s->kill_all = REG_FIELD_GET(reg(r, R_SX_MISC), SX_MISC, MULTIPASS);
}
