/* SPDX-License-Identifier: MIT */
/*
 * The SET_* packets: the first dword counts registers from the range's base, the others are
 * values.  A group is dirty only if a value differs: drivers send the same state again and again.
 */
#include "cp/internal.h"
#include "chip/cayman/r600.h"

#include <string.h>

#include <atoll/cayman/r600.h>

/* Writes the packet's values, of which there may be none, to `file` of `size` registers. */
static bool
set(const struct cp *cp, uint32_t *file, uint32_t size)
{
   uint32_t first = cp->payload[0] & 0xffff, count = cp->count - 1;

   if (!count)
      return false;
   if (first >= size || count > size - first) {
      cp_complain(cp, "sets registers %u..%u of %u", first, first + count - 1, size);
      if (first >= size)
         return false;
      count = size - first;
   }
   if (!memcmp(file + first, cp->payload + 1, count * sizeof(*file)))
      return false;
   memcpy(file + first, cp->payload + 1, count * sizeof(*file));
   return true;
}

/* What a packet with the compute bit sets holds for dispatches with that bit, and for them alone:
 * the stock driver sets slots of its next dispatch between those of the draw at hand.  Config
 * registers are one set for both. */
struct regs *
cp_bank(const struct cp *cp)
{
   return pm4_compute(cp->header) ? &cp->s->compute : &cp->s->regs;
}

static bool
is_old(const struct cp *cp)
{
   return regs_chip(&cp->s->regs)->old;
}

#define SIZE(array) ((uint32_t)(sizeof(array) / sizeof(uint32_t)))

/* Config registers one by one: border colours are latched as they are written. */
void
cp_set_config(const struct cp *cp)
{
   uint32_t first = cp->payload[0] & 0xffff;

   for (uint32_t i = 1; i < cp->count; i++) {
      uint32_t address = CAYMAN_CONFIG_BASE + (first + i - 1) * 4;

      if (address >= CAYMAN_CONFIG_END) {
         cp_complain(cp, "sets config registers beyond 0x%X", CAYMAN_CONFIG_END);
         return;
      }
      if (is_old(cp))
         r600_write_config(&cp->s->regs, address, cp->payload[i]);
      else
         regs_write(&cp->s->regs, address, cp->payload[i]);
   }
}

/* R600's and R700's, one by one. */
static void
set_old_context(const struct cp *cp, struct regs *regs, uint32_t first)
{
   for (uint32_t i = 1; i < cp->count; i++) {
      const uint32_t address = CAYMAN_CONTEXT_BASE + (first + i - 1) * 4;

      if (address >= CAYMAN_CONTEXT_END) {
         cp_complain(cp, "sets context registers beyond 0x%X", CAYMAN_CONTEXT_END);
         return;
      }
      r600_write_context(regs, address, cp->payload[i]);
   }
}

void
cp_set_context(const struct cp *cp)
{
   struct regs *regs = cp_bank(cp);
   const uint32_t first = cp->payload[0] & 0xffff;

   if (is_old(cp)) {
      set_old_context(cp, regs, first);
      return;
   }
   if (set(cp, regs->context, SIZE(regs->context)))
      regs->dirty |= regs_context_dirty(CAYMAN_CONTEXT_BASE + first * 4, cp->count - 1);
}

/* Resources or samplers of R600 and R700, each of `dwords`: whole ones. */
static void
set_old_elements(const struct cp *cp, struct regs *regs, uint32_t dwords,
                 bool (*write)(struct regs *r, uint32_t n, const uint32_t *words))
{
   const uint32_t first = cp->payload[0] & 0xffff, count = cp->count - 1;

   if (first % dwords || count % dwords)
      cp_complain(cp, "%u dwords from %u on, which are no whole ones of %u", count, first, dwords);
   for (uint32_t i = 0; i < count / dwords; i++)
      if (!write(regs, first / dwords + i, cp->payload + 1 + i * dwords)) {
         cp_complain(cp, "sets number %u, of which there is none", first / dwords + i);
         return;
      }
}

void
cp_set_resource(const struct cp *cp)
{
   struct regs *regs = cp_bank(cp);

   if (is_old(cp)) {
      set_old_elements(cp, regs, R600_RESOURCE_DWORDS, r600_write_resource);
      return;
   }
   if (set(cp, regs->resource[0], SIZE(regs->resource)))
      regs->dirty |= REGS_DIRTY_RESOURCE;
}

void
cp_set_loop(const struct cp *cp)
{
   struct regs *regs = cp_bank(cp);

   if (set(cp, regs->loop, SIZE(regs->loop)))
      regs->dirty |= REGS_DIRTY_OTHER;
}

void
cp_set_bool(const struct cp *cp)
{
   struct regs *regs = cp_bank(cp);

   if (set(cp, regs->bools, SIZE(regs->bools)))
      regs->dirty |= REGS_DIRTY_OTHER;
}

void
cp_set_sampler(const struct cp *cp)
{
   struct regs *regs = cp_bank(cp);

   if (is_old(cp)) {
      set_old_elements(cp, regs, CAYMAN_SAMPLER_DWORDS, r600_write_sampler);
      return;
   }
   if (set(cp, regs->sampler[0], SIZE(regs->sampler)))
      regs->dirty |= REGS_DIRTY_SAMPLER;
}

void
cp_set_ctl(const struct cp *cp)
{
   struct regs *regs = cp_bank(cp);

   if (set(cp, regs->ctl, SIZE(regs->ctl)))
      regs->dirty |= REGS_DIRTY_BASES;
}

uint32_t *
cp_append_counter(const struct cp *cp, uint32_t address)
{
   const uint32_t n = (address - R_GDS_APPEND_COUNT_0) / 4;

   if (address < R_GDS_APPEND_COUNT_0 || n >= GDS_APPEND_COUNT_0__COUNT) {
      cp_complain(cp, "register 0x%X is no append counter", address);
      return NULL;
   }
   return &cp_bank(cp)->context[(R_GDS_APPEND_COUNT_0 - CAYMAN_CONTEXT_BASE) / 4 + n];
}

uint32_t *
cp_register(struct cp_state *s, uint32_t address)
{
   struct regs *regs = &s->regs;

   if (address >= CAYMAN_CONFIG_BASE && address < CAYMAN_CONFIG_END)
      return &regs->config[(address - CAYMAN_CONFIG_BASE) / 4];
   if (address >= CAYMAN_CONTEXT_BASE && address < CAYMAN_CONTEXT_END)
      return &regs->context[(address - CAYMAN_CONTEXT_BASE) / 4];
   if (address >= CAYMAN_CTL_CONST_BASE && address < CAYMAN_CTL_CONST_BASE + REGS_CTLS * 4)
      return &regs->ctl[(address - CAYMAN_CTL_CONST_BASE) / 4];
   return NULL;
}
