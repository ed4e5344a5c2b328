/* SPDX-License-Identifier: MIT */
/*
 * Addresses and fields of R600's and R700's own registers and descriptors, made from r600.def in
 * the form of registers.h: R_R600_<NAME>, R600_<NAME>__STRIDE, R600_<NAME>__<FIELD>__SHIFT, so that
 * REG_FIELD_GET(word, R600_<NAME>, <FIELD>) reads a field.
 */
#ifndef ATOLL_CAYMAN_R600_H
#define ATOLL_CAYMAN_R600_H

#include <atoll/cayman/registers.h>

enum r600_register {
#define R600_REG(name, address)                     R_R600_##name = address,
#define R600_REGARRAY(name, address, stride, count) R_R600_##name = address,
#include "r600.def"
};

enum r600_register_array {
#define R600_REGARRAY(name, address, stride, count) \
   R600_##name##__STRIDE = stride, R600_##name##__COUNT = count,
#include "r600.def"
};

enum r600_register_field {
#define R600_FIELD(reg, field, lsb, width) \
   R600_##reg##__##field##__SHIFT = lsb, R600_##reg##__##field##__WIDTH = width,
#include "r600.def"
};

/** Address ranges that the SET_* packets write, where they are not Evergreen's; END is one past the
 *  last. */
enum r600_register_range {
   R600_RESOURCE_BASE = 0x38000,
   R600_RESOURCE_END = 0x3C000,
   R600_LOOP_CONST_END = 0x3E380 - 0x3E200, /* from the first on */
   R600_BOOL_CONST_END = 0x3E38C - 0x3E380,
};

#define R600_RESOURCE_DWORDS 7

/** First resource of each stage; VS and ES share a range. */
enum r600_resource_base {
   R600_RESOURCE_PS = 0,
   R600_RESOURCE_VS = 160,
   R600_RESOURCE_FS = 320,
   R600_RESOURCE_GS = 336,
   R600_RESOURCE_COUNT = 496,
};

enum r600_depth_format {
   R600_Z_INVALID = 0,
   R600_Z_16 = 1,
   R600_Z_X8_24 = 2,
   R600_Z_8_24 = 3, /* stencil in the high byte of a dword */
   R600_Z_X8_24_FLOAT = 4,
   R600_Z_8_24_FLOAT = 5,
   R600_Z_32_FLOAT = 6,
   R600_Z_X24_8_32_FLOAT = 7, /* depth in a dword, stencil in the low byte of the next */
};

enum r600_special_op {
   R600_SPECIAL_NORMAL = 0,
   R600_SPECIAL_DISABLE = 1,
   R600_SPECIAL_FAST_CLEAR = 2,
   R600_SPECIAL_FORCE_CLEAR = 3,
   R600_SPECIAL_EXPAND_COLOR = 4,
   R600_SPECIAL_EXPAND_TEXTURE = 5,
   R600_SPECIAL_EXPAND_SAMPLES = 6,
   R600_SPECIAL_RESOLVE_BOX = 7,
};

#endif
