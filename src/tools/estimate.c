/* SPDX-License-Identifier: MIT */
/*
 * See estimate.h.  The chip's numbers: a SIMD has 16 lanes, so an ALU group takes a wave 4 cycles;
 * it has four texture units, so a fetch takes 16; exports leave at 16 lanes a cycle and vector.  A
 * clause takes some 8 cycles to start, and 8 more for each line of constants that it locks.  These
 * keep a unit busy.  What only the wave itself waits for, while others run, is the way to another
 * unit and back through the sequencer, some 40 cycles for each clause of another kind than the one
 * before, and some 200 until what a clause of fetches reads out of the cache is in the registers.
 */
#include "estimate.h"

#include <stdbool.h>
#include <string.h>

#include "isa/cayman/cayman.h"

enum {
   GROUP = 4,
   FETCH = 16,
   EXPORT = 4,
   CLAUSE_START = 8,
   KCACHE_LINE = 8,
   SWITCH = 40,
   LATENCY = 200,
};

enum unit { NO_UNIT, UNIT_ALU, UNIT_FETCH, UNIT_EXPORT };

static unsigned
locked_lines(const struct cayman_cf *cf)
{
   unsigned lines = 0;

   for (unsigned i = 0; i < 4; i++)
      lines += cf->kcache[i].mode == CAYMAN_KCACHE_LOCK_1 ? 1
               : cf->kcache[i].mode == CAYMAN_KCACHE_NOP  ? 0
                                                          : 2;
   return lines;
}

static unsigned
num_groups(enum cayman_vliw vliw, const uint32_t *clause, size_t count)
{
   unsigned groups = 0;

   while (count > 0) {
      struct cayman_alu_group group;
      if (cayman_decode_alu_group(vliw, clause, count, &group) != CAYMAN_OK)
         break;
      groups++;
      clause += group.num_dwords;
      count -= group.num_dwords;
   }
   return groups;
}

static void
note_unit(struct estimate *e, enum unit *last, enum unit unit)
{
   e->switches += *last != NO_UNIT && *last != unit;
   *last = unit;
}

static void
note_bound(struct estimate *e, unsigned cycles, const char *bound)
{
   if (cycles > e->cycles || !e->bound) {
      e->cycles = cycles;
      e->bound = bound;
   }
}

void
estimate_cycles(enum cayman_vliw vliw, const uint32_t *words, size_t num_dwords, unsigned num_gprs,
                struct estimate *e)
{
   struct cayman_walk walk;
   struct cayman_cf cf;
   enum unit last = NO_UNIT;

   memset(e, 0, sizeof(*e));
   cayman_walk_init(&walk, vliw, words, num_dwords);
   while (cayman_walk_next(&walk, &cf) == CAYMAN_OK) {
      const uint32_t *clause;
      size_t count;
      if (cf.form >= CAYMAN_CF_FORM_MEM) {
         e->export += EXPORT * (cf.burst_count + 1u);
         note_unit(e, &last, UNIT_EXPORT);
      }
      if (cayman_clause(words, num_dwords, &cf, &clause, &count) != CAYMAN_OK)
         continue;
      if (!cayman_cf_is_alu(&cf)) {
         e->fetch += CLAUSE_START + FETCH * (unsigned)(count / 4);
         e->waits++;
         note_unit(e, &last, UNIT_FETCH);
         continue;
      }
      const unsigned lines = locked_lines(&cf);
      e->alu += CLAUSE_START + KCACHE_LINE * lines + GROUP * num_groups(vliw, clause, count);
      e->kcache_lines += lines;
      note_unit(e, &last, UNIT_ALU);
   }
   e->waves = cayman_waves(num_gprs);
   e->alone = e->alu + e->fetch + e->export + SWITCH * e->switches + LATENCY * e->waits;
   note_bound(e, e->alu, "ALU");
   note_bound(e, e->fetch, "fetch");
   note_bound(e, e->export, "export");
   note_bound(e, (e->alone + e->waves - 1) / e->waves, "latency");
}
