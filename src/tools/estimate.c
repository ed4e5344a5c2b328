/* SPDX-License-Identifier: MIT */
/*
 * See estimate.h.  The chip's numbers: a SIMD has 16 lanes, so an ALU group takes a wave 4 cycles;
 * it has four texture units, so a fetch takes 16; exports leave at 16 lanes a cycle and vector.  A
 * clause takes some 8 cycles to start.
 */
#include "estimate.h"

#include <string.h>

#include "isa/cayman/cayman.h"

enum { GROUP = 4, FETCH = 16, EXPORT = 4, CLAUSE_START = 8 };

void
estimate_cycles(const uint32_t *words, size_t num_dwords, unsigned num_gprs, struct estimate *e)
{
   struct cayman_walk walk;
   struct cayman_cf cf;

   memset(e, 0, sizeof(*e));
   cayman_walk_init(&walk, words, num_dwords);
   while (cayman_walk_next(&walk, &cf) == CAYMAN_OK) {
      const uint32_t *clause;
      size_t count;
      if (cf.form >= CAYMAN_CF_FORM_MEM)
         e->export += EXPORT * (cf.burst_count + 1u);
      if (cayman_clause(words, num_dwords, &cf, &clause, &count) != CAYMAN_OK)
         continue;
      if (!cayman_cf_is_alu(&cf)) {
         e->fetch += CLAUSE_START + FETCH * (unsigned)(count / 4);
         continue;
      }
      e->alu += CLAUSE_START;
      while (count > 0) {
         struct cayman_alu_group group;
         if (cayman_decode_alu_group(clause, count, &group) != CAYMAN_OK)
            break;
         e->alu += GROUP;
         clause += group.num_dwords;
         count -= group.num_dwords;
      }
   }
   e->cycles = e->alu;
   e->bound = "ALU";
   if (e->fetch > e->cycles) {
      e->cycles = e->fetch;
      e->bound = "fetch";
   }
   if (e->export > e->cycles) {
      e->cycles = e->export;
      e->bound = "export";
   }
   e->waves = cayman_waves(num_gprs);
}
