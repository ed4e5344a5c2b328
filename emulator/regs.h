/* SPDX-License-Identifier: MIT */
/*
 * The register file, as the SET_* packets see it: one array per address range, one dirty bit per
 * group of context registers.  Unknown registers are kept and have no effect.
 */
#ifndef ATOLL_REGS_H
#define ATOLL_REGS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <atoll/cayman/registers.h>

#include "chip/chip.h"

/* How much of each range there is; where the ranges lie is in atoll/cayman/registers.h. */
#define REGS_LOOPS    192u
#define REGS_BOOLS    6u   /* a word of 32 bits a stage */
#define REGS_SAMPLERS 128u /* 3 dwords each; stages name the first 108 */
#define REGS_CTLS     128u

/* What changed since derived state was last built. */
enum regs_dirty {
   REGS_DIRTY_CONTEXT = 1u << 0,
   REGS_DIRTY_RESOURCE = 1u << 1,
   REGS_DIRTY_SAMPLER = 1u << 2,
   REGS_DIRTY_CONFIG = 1u << 3, /* border colours live here */
   REGS_DIRTY_OTHER = 1u << 4,
   REGS_DIRTY_CONSTANTS = 1u << 5, /* where constant buffers are, and how large */
   REGS_DIRTY_BASES = 1u << 6,     /* the first vertex and instance, that fetches add */
   REGS_DIRTY_ALL = 0x7f,

   /* What programs read, but for constants. */
   REGS_DIRTY_TABLES =
      REGS_DIRTY_CONTEXT | REGS_DIRTY_RESOURCE | REGS_DIRTY_SAMPLER | REGS_DIRTY_OTHER,
};

struct regs {
   uint32_t config[(CAYMAN_CONFIG_END - CAYMAN_CONFIG_BASE) / 4];
   uint32_t context[(CAYMAN_CONTEXT_END - CAYMAN_CONTEXT_BASE) / 4];
   uint32_t resource[CAYMAN_RESOURCE_COUNT][CAYMAN_RESOURCE_DWORDS];
   uint32_t loop[REGS_LOOPS];
   uint32_t bools[REGS_BOOLS];
   uint32_t sampler[REGS_SAMPLERS][CAYMAN_SAMPLER_DWORDS];
   uint32_t ctl[REGS_CTLS];
   /* Border colours, latched from TD_<stage>_BORDER_COLOR_* by index. */
   uint32_t border[REGS_SAMPLERS][4];
   uint32_t dirty; /* enum regs_dirty */
   /* Of R600 and R700: context registers as they were written, and whether one is new that no other
    * chip has (chip/cayman/r600.h). */
   uint32_t own[(CAYMAN_CONTEXT_END - CAYMAN_CONTEXT_BASE) / 4];
   bool own_dirty;
   uint8_t chip; /* enum chip_id: what has them */
};

/* Border colour registers of a stage: an index, then red, green, blue, alpha.  The stages' blocks
 * follow each other in the order of the sampler numbers: PS, VS, GS, HS, LS, CS. */
#define REGS_BORDER_BASE    0xa400u
#define REGS_BORDER_STRIDE  0x14u
#define REGS_BORDER_STAGES  6u
#define REGS_STAGE_SAMPLERS 18u

/* Whether `count` context registers from byte address `addr` on all say where constant buffers are
 * and how large. */
static inline bool
regs_are_constants(uint32_t addr, uint32_t count)
{
   static const uint32_t first[] = {
      R_ALU_CONST_CACHE_PS_0,       R_ALU_CONST_CACHE_VS_0,       R_ALU_CONST_CACHE_GS_0,
      R_ALU_CONST_CACHE_HS_0,       R_ALU_CONST_CACHE_LS_0,       R_ALU_CONST_BUFFER_SIZE_PS_0,
      R_ALU_CONST_BUFFER_SIZE_VS_0, R_ALU_CONST_BUFFER_SIZE_GS_0, R_ALU_CONST_BUFFER_SIZE_HS_0,
      R_ALU_CONST_BUFFER_SIZE_LS_0,
   };

   for (unsigned i = 0; i < sizeof(first) / sizeof(first[0]); i++)
      if (addr >= first[i] && addr - first[i] < 64 && count <= 16 - (addr - first[i]) / 4)
         return true;
   return false;
}

/* What a write of other values to `count` context registers from byte address `addr` on changes.
 * VGT's state is decoded for every draw. */
static inline uint32_t
regs_context_dirty(uint32_t addr, uint32_t count)
{
   if (regs_are_constants(addr, count))
      return REGS_DIRTY_CONSTANTS;
   return addr == R_VGT_INDX_OFFSET && count == 1 ? 0 : REGS_DIRTY_CONTEXT;
}

/* Writes the register at byte address `addr`, as SET_* packets do.  False: no such register. */
static inline bool
regs_write(struct regs *r, uint32_t addr, uint32_t value)
{
   if (addr >= CAYMAN_CONTEXT_BASE && addr < CAYMAN_CONTEXT_END) {
      uint32_t *p = &r->context[(addr - CAYMAN_CONTEXT_BASE) / 4];

      r->dirty |= *p != value ? regs_context_dirty(addr, 1) : 0;
      *p = value;
   } else if (addr >= CAYMAN_RESOURCE_BASE && addr < CAYMAN_RESOURCE_END) {
      const uint32_t n = (addr - CAYMAN_RESOURCE_BASE) / 4;

      r->dirty |= r->resource[n / 8][n % 8] != value ? REGS_DIRTY_RESOURCE : 0;
      r->resource[n / 8][n % 8] = value;
   } else if (addr >= CAYMAN_SAMPLER_BASE && addr < CAYMAN_SAMPLER_BASE + REGS_SAMPLERS * 12) {
      const uint32_t n = (addr - CAYMAN_SAMPLER_BASE) / 4;

      r->dirty |= r->sampler[n / 3][n % 3] != value ? REGS_DIRTY_SAMPLER : 0;
      r->sampler[n / 3][n % 3] = value;
   } else if (addr >= CAYMAN_CONFIG_BASE && addr < CAYMAN_CONFIG_END) {
      uint32_t *p = &r->config[(addr - CAYMAN_CONFIG_BASE) / 4];
      const uint32_t border = (addr - REGS_BORDER_BASE) / REGS_BORDER_STRIDE;

      r->dirty |= *p != value ? REGS_DIRTY_CONFIG : 0;
      *p = value;
      if (addr >= REGS_BORDER_BASE && border < REGS_BORDER_STAGES) {
         const uint32_t base = REGS_BORDER_BASE + border * REGS_BORDER_STRIDE;
         const uint32_t index = r->config[(base - CAYMAN_CONFIG_BASE) / 4];

         if (addr > base && index < REGS_STAGE_SAMPLERS) {
            r->border[border * REGS_STAGE_SAMPLERS + index][(addr - base) / 4 - 1] = value;
            r->dirty |= REGS_DIRTY_SAMPLER;
         }
      }
   } else if (addr >= CAYMAN_LOOP_CONST_BASE && addr < CAYMAN_LOOP_CONST_BASE + REGS_LOOPS * 4) {
      r->dirty |= REGS_DIRTY_OTHER;
      r->loop[(addr - CAYMAN_LOOP_CONST_BASE) / 4] = value;
   } else if (addr >= CAYMAN_BOOL_CONST_BASE && addr < CAYMAN_BOOL_CONST_BASE + REGS_BOOLS * 4) {
      r->dirty |= REGS_DIRTY_OTHER;
      r->bools[(addr - CAYMAN_BOOL_CONST_BASE) / 4] = value;
   } else if (addr >= CAYMAN_CTL_CONST_BASE && addr < CAYMAN_CTL_CONST_BASE + REGS_CTLS * 4) {
      r->dirty |= REGS_DIRTY_BASES;
      r->ctl[(addr - CAYMAN_CTL_CONST_BASE) / 4] = value;
   } else {
      return false;
   }
   return true;
}

/* The value of the register at byte address `addr` (config or context range); 0 elsewhere. */
static inline uint32_t
reg(const struct regs *r, uint32_t addr)
{
   if (addr >= CAYMAN_CONTEXT_BASE && addr < CAYMAN_CONTEXT_END)
      return r->context[(addr - CAYMAN_CONTEXT_BASE) / 4];
   if (addr >= CAYMAN_CONFIG_BASE && addr < CAYMAN_CONFIG_END)
      return r->config[(addr - CAYMAN_CONFIG_BASE) / 4];
   return 0;
}

static inline const struct chip *
regs_chip(const struct regs *r)
{
   return &chips[r->chip];
}

/* The address of a register that five-slot chips have elsewhere (EVERGREEN_REG). */
#define REG_OF(r, name) (regs_chip(r)->five_slots ? R_EVERGREEN_##name : R_##name)

static inline float
reg_float(const struct regs *r, uint32_t addr)
{
   uint32_t u = reg(r, addr);
   float f;

   memcpy(&f, &u, sizeof(f));
   return f;
}

#endif
