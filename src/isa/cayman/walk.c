/* SPDX-License-Identifier: MIT */
/*
 * Program walker: the control-flow list in memory order, and the clauses it points at, with every
 * address checked against the program's length.  Code after an END, or after a five-slot chip's
 * instruction that ends the program, is still walked if an earlier instruction jumps there
 * (subroutines, 3.7.6).
 */
#include "cayman.h"

#include <string.h>

void
cayman_walk_init(struct cayman_walk *w, enum cayman_vliw vliw, const uint32_t *words,
                 size_t num_dwords)
{
   memset(w, 0, sizeof(*w));
   w->vliw = vliw;
   w->words = words;
   w->num_dwords = num_dwords;
}

int
cayman_walk_next(struct cayman_walk *w, struct cayman_cf *cf)
{
   memset(cf, 0, sizeof(*cf));
   if (w->done)
      return CAYMAN_END;
   w->pc = w->next;
   if (w->num_dwords / 2 <= w->next) {
      w->done = true;
      return CAYMAN_ERR_TRUNCATED;
   }
   int status = cayman_decode_cf(w->vliw, w->words + 2 * (size_t)w->next, cf);
   w->next++;

   if (cf->form == CAYMAN_CF_FORM_ALU_EXT) {
      struct cayman_cf ext = *cf;
      if (w->num_dwords / 2 <= w->next) {
         w->done = true;
         return CAYMAN_ERR_TRUNCATED;
      }
      status = cayman_decode_cf(w->vliw, w->words + 2 * (size_t)w->next, cf);
      if (cf->form != CAYMAN_CF_FORM_ALU) {
         *cf = ext; /* a prefix of nothing: report it, go on after it */
         return CAYMAN_ERR_OPCODE;
      }
      cayman_merge_extended(&ext, cf);
      w->next++;
   }

   if (cayman_cf_info(cf->op)->flow & CAYMAN_FLOW_JUMPS && cf->addr > w->farthest)
      w->farthest = cf->addr;
   if ((cf->op == CAYMAN_CF_END || cf->op == CAYMAN_CF_RETURN || cf->end) && w->farthest < w->next)
      w->done = true;
   return status;
}

bool
cayman_cf_is_alu(const struct cayman_cf *cf)
{
   return cf->form == CAYMAN_CF_FORM_ALU;
}

bool
cayman_cf_is_fetch(const struct cayman_cf *cf)
{
   return cf->op == CAYMAN_CF_TC || cf->op == CAYMAN_CF_TC_ACK || cf->op == CAYMAN_CF_VC ||
          cf->op == CAYMAN_CF_VC_ACK || cf->op == CAYMAN_CF_VC_TC;
}

bool
cayman_cf_is_gds(const struct cayman_cf *cf)
{
   return cf->op == CAYMAN_CF_GDS;
}

int
cayman_clause(const uint32_t *words, size_t num_dwords, const struct cayman_cf *cf,
              const uint32_t **clause, size_t *clause_dwords)
{
   size_t start = (size_t)cf->addr * 2, size;

   if (cayman_cf_is_alu(cf))
      size = ((size_t)cf->count + 1) * 2;
   else if (cayman_cf_is_fetch(cf) || cayman_cf_is_gds(cf))
      size = ((size_t)cf->count + 1) * 4;
   else
      return CAYMAN_ERR_OPCODE;
   if (start > num_dwords || size > num_dwords - start)
      return CAYMAN_ERR_RANGE;
   *clause = words + start;
   *clause_dwords = size;
   return CAYMAN_OK;
}
