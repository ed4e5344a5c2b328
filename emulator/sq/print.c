/* SPDX-License-Identifier: MIT */
/*
 * Prints a lifted program beside its listing: control flow, and below each slot of an ALU clause
 * the micro-operations that it became.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sq/program.h"

/* A slot of the program, by the number that micro-operations have for it (struct uop). */
struct slot {
   uint32_t origin;
   struct cayman_alu alu;
   uint32_t literal[4];
};

struct slots {
   enum cayman_vliw vliw;
   struct slot *slot;
   uint32_t count, cap;
};

static void
add_group(struct slots *s, const struct cayman_alu_group *g, uint32_t origin)
{
   for (unsigned n = 0; n < g->num_slots; n++) {
      if (s->count == s->cap) {
         uint32_t cap = s->cap ? 2 * s->cap : 64;
         struct slot *more = realloc(s->slot, cap * sizeof(*more));
         if (!more)
            return;
         s->slot = more;
         s->cap = cap;
      }
      struct slot *slot = &s->slot[s->count++];
      slot->origin = origin + 2 * n;
      slot->alu = g->slot[n];
      memcpy(slot->literal, g->literal, sizeof(slot->literal));
   }
}

static void
find_slots(struct slots *s, const uint32_t *words, size_t num_dwords, uint32_t origin)
{
   struct cayman_walk walk;
   struct cayman_cf cf;

   cayman_walk_init(&walk, s->vliw, words, num_dwords);
   while (cayman_walk_next(&walk, &cf) == CAYMAN_OK) {
      const uint32_t *clause;
      size_t left;
      if (!cayman_cf_is_alu(&cf) || cayman_clause(words, num_dwords, &cf, &clause, &left) < 0)
         continue;
      struct cayman_alu_group g;
      while (left && cayman_decode_alu_group(s->vliw, clause, left, &g) >= 0) {
         add_group(s, &g, origin + (uint32_t)(clause - words));
         clause += g.num_dwords;
         left -= g.num_dwords;
      }
   }
}

static void
listing(FILE *out, void *data, uint32_t origin)
{
   const struct slots *s = data;

   for (uint32_t n = 0; n < s->count; n++) {
      if (s->slot[n].origin == origin) {
         fprintf(out, "  %5" PRIu32 "  ", origin);
         cayman_print_alu_slot(out, s->vliw, &s->slot[n].alu, s->slot[n].literal);
         fputc('\n', out);
         return;
      }
   }
}

void
sq_program_print(FILE *out, const struct program *p, const struct sq_program_source *source)
{
   static const char *const stages[] = { "PS", "VS", "GS", "ES", "HS", "LS", "CS" };
   static const char *const names[] = { "at its start", "whole waves, interpreted",
                                        "other waves, and machine code" };
   struct slots slots = { .vliw = source->vliw };

   find_slots(&slots, source->words, source->num_words, 0);
   if (source->fetch_words)
      find_slots(&slots, source->fetch_words, source->num_fetch_words, (uint32_t)source->num_words);
   fprintf(out, "micro-operations of a %s program, %" PRIu32 " control-flow instructions\n",
           stages[p->stage % 7], p->num_cfs);
   for (uint32_t n = 0; n < p->num_cfs; n++) {
      const struct sq_cf *cf = &p->cfs[n];
      const struct uop_run runs[] = { cf->prologue, cf->plain, cf->masked };
      fprintf(out, "%s%02" PRIu32 " %s\n", n < p->entry ? "fetch subroutine " : "", cf->pc,
              cayman_cf_info(cf->op)->name);
      for (unsigned r = 0; r < 3; r++) {
         if (runs[r].count) {
            fprintf(out, " %s:\n", names[r]);
            uop_print(out, &p->code, runs[r], listing, &slots);
         }
      }
   }
   if (p->head.core.error)
      fprintf(out, "cannot run: %s\n", p->head.core.error);
   free(slots.slot);
}
