/* SPDX-License-Identifier: MIT */
/* Instructions that are ready to be scheduled, the most urgent first. */
#include "schedule.h"

#include <stdlib.h>
#include <string.h>

static int
by_priority(const void *a, const void *b)
{
   const struct inst *x = *(struct inst *const *)a, *y = *(struct inst *const *)b;
   /* Users of AR first: they keep AR from being set anew. */
   bool ax = x->ar != 0, ay = y->ar != 0;
   if (ax != ay)
      return ax ? -1 : 1;
   if (x->growth != y->growth)
      return x->growth < y->growth ? -1 : 1;
   if (x->growth < CC_GROWS && x->urgency != y->urgency)
      return x->urgency > y->urgency ? -1 : 1;
   if (x->rank != y->rank)
      return x->rank < y->rank ? -1 : 1;
   return x->sequence < y->sequence ? -1 : x->sequence > y->sequence;
}

/* What became ready since the list was sorted is inserted one by one, unless there are many. */
void
cc_ready_sort(struct cc_ready *r)
{
   if (r->count - r->num_sorted > 64) {
      qsort(r->inst, r->count, sizeof(*r->inst), by_priority);
      r->num_sorted = r->count;
   }
   for (; r->num_sorted < r->count; r->num_sorted++) {
      struct inst *inst = r->inst[r->num_sorted];
      uint32_t first = 0, last = r->num_sorted;
      while (first < last) {
         const uint32_t middle = (first + last) / 2;
         if (by_priority(&inst, &r->inst[middle]) < 0)
            last = middle;
         else
            first = middle + 1;
      }
      memmove(&r->inst[first + 1], &r->inst[first], (r->num_sorted - first) * sizeof(*r->inst));
      r->inst[first] = inst;
   }
}

uint32_t
cc_ready_groups(const struct cc_ready *r, uint32_t most)
{
   for (uint32_t i = 0; i < r->count; i++)
      most = r->inst[i]->groups > most ? r->inst[i]->groups : most;
   return most;
}
