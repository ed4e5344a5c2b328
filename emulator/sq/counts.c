/* SPDX-License-Identifier: MIT */
/*
 * The list of programs that are counted as they run, and the file it ends in; see counts.h.
 */
#include "sq/counts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sq/sq.h"

struct counted {
   struct sq_counts counts;
   enum sq_stage stage;
   uint32_t num_words, num_gprs, alu_groups, alu_slots;
   uint32_t *words;
   struct counted *next;
};

struct sq_counting {
   char *file;
   struct counted *first, **last; /* in the order in which they were first used */
};

struct sq_counting *
sq_counting_open(const char *file)
{
   struct sq_counting *c = file && *file ? calloc(1, sizeof(*c)) : NULL;
   if (!c)
      return NULL;
   c->file = strdup(file);
   c->last = &c->first;
   if (!c->file) {
      free(c);
      return NULL;
   }
   return c;
}

struct sq_counts *
sq_counting_of(struct sq_counting *counting, const struct sq_program_source *source,
               const struct sq_program *program)
{
   for (struct counted *n = counting->first; n; n = n->next)
      if (n->stage == source->stage && n->num_words == program->core.words_used &&
          !memcmp(n->words, source->words, n->num_words * sizeof(*n->words)))
         return &n->counts;
   struct counted *n = calloc(1, sizeof(*n));
   if (!n)
      return NULL;
   n->words = malloc((program->core.words_used + 1) * sizeof(*n->words));
   if (!n->words) {
      free(n);
      return NULL;
   }
   memcpy(n->words, source->words, program->core.words_used * sizeof(*n->words));
   n->stage = source->stage;
   n->num_words = program->core.words_used;
   n->num_gprs = program->num_gprs;
   n->alu_groups = program->alu_groups;
   n->alu_slots = program->alu_slots;
   *counting->last = n;
   counting->last = &n->next;
   return &n->counts;
}

static bool
write_counted(FILE *f, const struct counted *n)
{
   static const char *const names[] = {
      [SQ_STAGE_PS] = "PS", [SQ_STAGE_VS] = "VS", [SQ_STAGE_GS] = "GS", [SQ_STAGE_ES] = "ES",
      [SQ_STAGE_HS] = "HS", [SQ_STAGE_LS] = "LS", [SQ_STAGE_CS] = "CS",
   };
   const struct sq_counts *c = &n->counts;
   const uint64_t value[] = { c->waves,   c->clauses,  c->groups,     c->slots,
                              c->fetches, n->num_gprs, n->alu_groups, n->alu_slots };

   fputs(names[n->stage], f);
   for (unsigned i = 0; i < sizeof(value) / sizeof(value[0]); i++)
      fprintf(f, "\t%llu", (unsigned long long)value[i]);
   fputc('\t', f);
   for (uint32_t i = 0; i < n->num_words; i++)
      fprintf(f, "%08x", (unsigned)n->words[i]);
   return fputc('\n', f) != EOF;
}

void
sq_counting_close(struct sq_counting *counting)
{
   if (!counting)
      return;
   FILE *f = fopen(counting->file, "ae");
   bool ok = f != NULL;
   for (struct counted *n = counting->first, *next; n; n = next) {
      next = n->next;
      if (n->counts.waves && ok)
         ok = write_counted(f, n);
      free(n->words);
      free(n);
   }
   if (f && fclose(f))
      ok = false;
   if (!ok)
      fprintf(stderr, "atoll: ATOLL_COUNTS: cannot write %s: %s\n", counting->file,
              strerror(errno));
   free(counting->file);
   free(counting);
}
