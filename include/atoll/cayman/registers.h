/* SPDX-License-Identifier: MIT */
/*
 * Addresses and fields of Cayman's registers, made from registers.def.
 *
 *    R_<NAME>                         byte address (of the first, for arrays)
 *    R_EVERGREEN_<NAME>               the same on five-slot chips, which have it elsewhere
 *    <NAME>__STRIDE, <NAME>__COUNT    of an array
 *    <NAME>__<FIELD>__SHIFT/__WIDTH   of a field
 *    REG_FIELD(NAME, FIELD, value)    value moved to its bits, excess bits dropped
 *    REG_FIELD_GET(word, NAME, FIELD) the field, moved down to bit 0
 *    REG_FIELD_MASK(NAME, FIELD)      the bits it covers
 */
#ifndef ATOLL_CAYMAN_REGISTERS_H
#define ATOLL_CAYMAN_REGISTERS_H

#include <stdint.h>

enum cayman_register {
#define REG(name, address)                               R_##name = address,
#define REGARRAY(name, address, stride, count)           R_##name = address,
#define EVERGREEN_REG(name, address)                     R_EVERGREEN_##name = address,
#define EVERGREEN_REGARRAY(name, address, stride, count) R_EVERGREEN_##name = address,
#include "registers.def"
};

enum cayman_register_array {
#define REGARRAY(name, address, stride, count) name##__STRIDE = stride, name##__COUNT = count,
#include "registers.def"
};

enum cayman_register_field {
#define FIELD(reg, field, lsb, width) \
   reg##__##field##__SHIFT = lsb, reg##__##field##__WIDTH = width,
#include "registers.def"
};

#define CAYMAN_WIDTH_MASK(width) ((uint32_t)(0xFFFFFFFFu >> (32 - (width))))
#define REG_FIELD_MASK(name, field) \
   (CAYMAN_WIDTH_MASK(name##__##field##__WIDTH) << name##__##field##__SHIFT)
#define REG_FIELD(name, field, value) \
   (((uint32_t)(value)&CAYMAN_WIDTH_MASK(name##__##field##__WIDTH)) << name##__##field##__SHIFT)
#define REG_FIELD_GET(word, name, field) \
   (((uint32_t)(word) >> name##__##field##__SHIFT) & CAYMAN_WIDTH_MASK(name##__##field##__WIDTH))
/** Byte address of member i of a register array. */
#define REG_AT(name, i) (R_##name + name##__STRIDE * (uint32_t)(i))

/** Address ranges that the SET_* packets write, in bytes; END is one past the last. */
enum cayman_register_range {
   CAYMAN_CONFIG_BASE = 0x08000,
   CAYMAN_CONFIG_END = 0x0AC00,
   CAYMAN_CONTEXT_BASE = 0x28000,
   CAYMAN_CONTEXT_END = 0x29000,
   CAYMAN_RESOURCE_BASE = 0x30000,
   CAYMAN_RESOURCE_END = 0x38000,
   CAYMAN_LOOP_CONST_BASE = 0x3A200,
   CAYMAN_LOOP_CONST_END = 0x3A500,
   CAYMAN_BOOL_CONST_BASE = 0x3A500,
   CAYMAN_BOOL_CONST_END = 0x3A518,
   CAYMAN_SAMPLER_BASE = 0x3C000,
   CAYMAN_SAMPLER_END = 0x3CFF0,
   CAYMAN_CTL_CONST_BASE = 0x3CFF0,
   CAYMAN_CTL_CONST_END = 0x3FF0C,
};

/** Dwords of one member of the resource and sampler ranges. */
#define CAYMAN_RESOURCE_DWORDS 8
#define CAYMAN_SAMPLER_DWORDS  3

/** First resource (SET_RESOURCE index) of each stage. VS and ES share a range. */
enum cayman_resource_base {
   CAYMAN_RESOURCE_PS = 0,
   CAYMAN_RESOURCE_VS = 176,
   CAYMAN_RESOURCE_GS = 336,
   CAYMAN_RESOURCE_HS = 496,
   CAYMAN_RESOURCE_LS = 656,
   CAYMAN_RESOURCE_CS = 816,
   CAYMAN_RESOURCE_FS = 992, /* fetch shader: vertex buffers */
   CAYMAN_RESOURCE_COUNT = 1024,

   /* Of a stage, an extension: the table of RATs (SQ_PGM_RESOURCES_2_x.RAT_TABLE). */
   CAYMAN_RESOURCE_RAT_TABLE = 50,
};

/** First sampler of each stage. */
enum cayman_sampler_base {
   CAYMAN_SAMPLER_PS = 0,
   CAYMAN_SAMPLER_VS = 18,
   CAYMAN_SAMPLER_GS = 36,
   CAYMAN_SAMPLER_HS = 54,
   CAYMAN_SAMPLER_LS = 72,
   CAYMAN_SAMPLER_CS = 90,
   CAYMAN_SAMPLER_COUNT = 108,
   CAYMAN_SAMPLERS_PER_STAGE = 18,
};

/** First loop constant of each stage. */
enum cayman_loop_const_base {
   CAYMAN_LOOP_CONST_PS = 0,
   CAYMAN_LOOP_CONST_VS = 32,
   CAYMAN_LOOP_CONST_GS = 64,
   CAYMAN_LOOP_CONST_HS = 96,
   CAYMAN_LOOP_CONST_LS = 128,
   CAYMAN_LOOP_CONST_CS = 160,
};

#endif
