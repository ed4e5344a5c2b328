/* SPDX-License-Identifier: MIT */
/* What tests that draw share of the device's state: registers, and a picture of four floats. */
#ifndef ATOLL_TEST_DEVICE_STATE_H
#define ATOLL_TEST_DEVICE_STATE_H

#include "door.h"

static inline void
context(struct ib *ib, uint32_t reg, uint32_t value)
{
   IB_ADD(ib, PM4_SET_CONTEXT_REG, (reg - CAYMAN_CONTEXT_BASE) / 4, value);
}

static inline void
context_float(struct ib *ib, uint32_t reg, float value)
{
   uint32_t bits;

   memcpy(&bits, &value, sizeof(bits));
   context(ib, reg, bits);
}

static inline void
config(struct ib *ib, uint32_t reg, uint32_t value)
{
   IB_ADD(ib, PM4_SET_CONFIG_REG, (reg - CAYMAN_CONFIG_BASE) / 4, value);
}

/* Colour target 0: `size` pixels squared, of four floats, at byte `at` of the door's buffer, its
 * rows `pitch` pixels apart; no scissor cuts any of it off. */
static inline void
float_picture(struct ib *ib, uint32_t at, uint32_t size, uint32_t pitch)
{
   const uint32_t br = size << 16 | size;

   context(ib, R_PA_SC_SCREEN_SCISSOR_BR, br);
   context(ib, R_PA_SC_WINDOW_SCISSOR_TL, 1u << 31);
   context(ib, R_PA_SC_WINDOW_SCISSOR_BR, br);
   context(ib, R_PA_SC_GENERIC_SCISSOR_TL, 1u << 31);
   context(ib, R_PA_SC_GENERIC_SCISSOR_BR, br);
   context(ib, R_PA_SC_VPORT_SCISSOR_0_TL, 1u << 31);
   context(ib, R_PA_SC_VPORT_SCISSOR_0_BR, br);
   context(ib, R_PA_SC_CLIPRECT_RULE, 0xffff);
   context(ib, R_CB_COLOR0_BASE, (uint32_t)((VA_BASE + at) >> 8));
   context(ib, R_CB_COLOR0_PITCH, pitch / 8 - 1);
   context(ib, R_CB_COLOR0_SLICE, pitch * size / 64 - 1);
   context(ib, R_CB_COLOR0_INFO,
           REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_32_32_32_32_FLOAT) |
              REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_FLOAT) |
              REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED));
   context(ib, R_CB_TARGET_MASK, 15);
   context(ib, R_CB_SHADER_MASK, 15);
   context(ib, R_CB_COLOR_CONTROL,
           REG_FIELD(CB_COLOR_CONTROL, MODE, CB_MODE_NORMAL) |
              REG_FIELD(CB_COLOR_CONTROL, ROP3, 0xcc));
}

#endif
