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

#define REGS_CONFIG_BASE   0x8000u
#define REGS_CONFIG_END    0xb000u
#define REGS_CONTEXT_BASE  0x28000u
#define REGS_CONTEXT_END   0x29000u
#define REGS_RESOURCE_BASE 0x30000u
#define REGS_RESOURCES     1024u /* 8 dwords each */
#define REGS_LOOP_BASE     0x3a200u
#define REGS_LOOPS         192u
#define REGS_SAMPLER_BASE  0x3c000u
#define REGS_SAMPLERS      128u /* 3 dwords each */
#define REGS_CTL_BASE      0x3cff0u
#define REGS_CTLS          128u

/* What changed since derived state was last built. */
enum regs_dirty {
   REGS_DIRTY_CONTEXT = 1u << 0,
   REGS_DIRTY_RESOURCE = 1u << 1,
   REGS_DIRTY_SAMPLER = 1u << 2,
   REGS_DIRTY_CONFIG = 1u << 3, /* border colours live here */
   REGS_DIRTY_OTHER = 1u << 4,
   REGS_DIRTY_ALL = 0x1f,
};

struct regs {
   uint32_t config[(REGS_CONFIG_END - REGS_CONFIG_BASE) / 4];
   uint32_t context[(REGS_CONTEXT_END - REGS_CONTEXT_BASE) / 4];
   uint32_t resource[REGS_RESOURCES][8];
   uint32_t loop[REGS_LOOPS];
   uint32_t sampler[REGS_SAMPLERS][3];
   uint32_t ctl[REGS_CTLS];
   uint32_t dirty; /* enum regs_dirty */
};

/* The value of the register at byte address `addr` (config or context range); 0 elsewhere. */
static inline uint32_t
reg(const struct regs *r, uint32_t addr)
{
   if (addr >= REGS_CONTEXT_BASE && addr < REGS_CONTEXT_END)
      return r->context[(addr - REGS_CONTEXT_BASE) / 4];
   if (addr >= REGS_CONFIG_BASE && addr < REGS_CONFIG_END)
      return r->config[(addr - REGS_CONFIG_BASE) / 4];
   return 0;
}

static inline float
reg_float(const struct regs *r, uint32_t addr)
{
   uint32_t u = reg(r, addr);
   float f;

   memcpy(&f, &u, sizeof f);
   return f;
}

#endif
