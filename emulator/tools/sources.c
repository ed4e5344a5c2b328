/* SPDX-License-Identifier: MIT */
/* See sources.h. */
#include "sources.h"

#include <stdlib.h>

#include "core/core.h"

#define MAX_SOURCES 1024u

/* An instruction's line in the listing. */
struct begins {
   uint32_t origin, line;
};

static int
by_origin(const void *a, const void *b)
{
   const struct begins *m = a, *n = b;

   return m->origin < n->origin ? -1 : m->origin > n->origin;
}

/* The line of each instruction is that of the first of its words that has one. */
static bool
find_lines(struct source *s)
{
   const struct listing *l = &s->listing;
   const uint32_t dwords = l->unit / 4;
   struct begins *sorted = malloc((l->count + 1) * sizeof(*sorted));
   uint32_t count = 0;

   s->lines = calloc(l->count + 1, sizeof(*s->lines));
   for (uint32_t n = 0; sorted && n < l->count; n++)
      if (l->lines[n].origin != LISTING_NONE)
         sorted[count++] = (struct begins){ l->lines[n].origin, n };
   if (sorted)
      qsort(sorted, count, sizeof(*sorted), by_origin);
   for (uint32_t n = 0; s->lines && n < count; n++) {
      const uint32_t end = n + 1 < count ? sorted[n + 1].origin : l->bytes / l->unit;
      uint32_t *line = &s->lines[sorted[n].line];

      for (uint32_t at = sorted[n].origin * dwords; at < end * dwords && !*line; at += 2)
         *line = notes_line(&s->notes, at);
   }
   free(sorted);
   return sorted && s->lines;
}

static void
finish(struct source *s)
{
   notes_finish(&s->notes);
   listing_finish(&s->listing);
   free(s->lines);
}

const struct source *
sources_find(struct sources *all, const struct vm *vm, const struct core_program *program)
{
   struct source *grown, s = { .va = program->va, .words = program->words_used };

   for (unsigned n = 0; n < all->count; n++)
      if (all->list[n].va == s.va && all->list[n].words == s.words)
         return &all->list[n];
   if (all->count == MAX_SOURCES || !listing_make(&s.listing, vm, program))
      return NULL;
   s.noted = all->noted < NOTES_KEPT && notes_read(&s.notes, vm, s.va, 4 * s.words);
   grown = realloc(all->list, (all->count + 1) * sizeof(*grown));
   if (grown)
      all->list = grown;
   if (!grown || !find_lines(&s)) {
      finish(&s);
      return NULL;
   }
   all->noted += s.notes.size;
   all->list[all->count] = s;
   return &all->list[all->count++];
}

void
sources_forget(struct sources *all)
{
   for (unsigned n = 0; n < all->count; n++)
      finish(&all->list[n]);
   free(all->list);
   *all = (struct sources){ 0 };
}

uint32_t
source_line(const struct source *s, uint32_t origin)
{
   const uint32_t n = listing_find(&s->listing, origin);

   return n == LISTING_NONE ? 0 : s->lines[n];
}

uint32_t
source_origin(const struct source *s, uint32_t *line)
{
   uint32_t best = UINT32_MAX, origin = LISTING_NONE;

   for (uint32_t n = 0; n < s->listing.count; n++) {
      if (!s->lines[n] || s->lines[n] < *line || s->lines[n] > best)
         continue;
      if (s->lines[n] < best || s->listing.lines[n].origin < origin)
         origin = s->listing.lines[n].origin;
      best = s->lines[n];
   }
   if (origin != LISTING_NONE)
      *line = best;
   return origin;
}
