/* SPDX-License-Identifier: MIT */
/* A sorted list of free ranges; see ranges.h. */
#include "memory/ranges.h"

#include <stdlib.h>
#include <string.h>

bool
ranges_init(struct ranges *ranges, uint64_t offset, uint64_t size)
{
   ranges->max_free = 64;
   ranges->free = calloc(ranges->max_free, sizeof(*ranges->free));
   ranges->num_free = ranges->free ? 1 : 0;
   if (ranges->free)
      ranges->free[0] = (struct range){ offset, size };
   return ranges->free;
}

void
ranges_finish(struct ranges *ranges)
{
   free(ranges->free);
}

bool
ranges_take(struct ranges *ranges, uint64_t size, uint64_t *offset)
{
   size_t best = SIZE_MAX;

   for (size_t i = 0; i < ranges->num_free; i++) {
      if (ranges->free[i].size < size)
         continue;
      if (best == SIZE_MAX || ranges->free[i].size < ranges->free[best].size)
         best = i;
      if (ranges->free[i].size == size)
         break;
   }
   if (best == SIZE_MAX)
      return false;

   struct range *r = &ranges->free[best];

   *offset = r->offset;
   r->offset += size;
   r->size -= size;
   if (!r->size) {
      ranges->num_free--;
      memmove(r, r + 1, (ranges->num_free - best) * sizeof(*r));
   }
   return true;
}

void
ranges_give(struct ranges *ranges, uint64_t offset, uint64_t size)
{
   size_t i = 0;

   while (i < ranges->num_free && ranges->free[i].offset < offset)
      i++;

   struct range *last = i > 0 ? &ranges->free[i - 1] : NULL;
   struct range *next = i < ranges->num_free ? &ranges->free[i] : NULL;
   bool joins_last = last && last->offset + last->size == offset;
   bool joins_next = next && offset + size == next->offset;

   if (joins_last && joins_next) {
      last->size += size + next->size;
      ranges->num_free--;
      memmove(next, next + 1, (ranges->num_free - i) * sizeof(*next));
   } else if (joins_last) {
      last->size += size;
   } else if (joins_next) {
      next->offset = offset;
      next->size += size;
   } else {
      if (ranges->num_free == ranges->max_free) {
         size_t max = ranges->max_free * 2;
         struct range *grown = realloc(ranges->free, max * sizeof(*grown));

         if (!grown)
            return;
         ranges->free = grown;
         ranges->max_free = max;
      }
      next = &ranges->free[i];
      memmove(next + 1, next, (ranges->num_free - i) * sizeof(*next));
      *next = (struct range){ offset, size };
      ranges->num_free++;
   }
}
