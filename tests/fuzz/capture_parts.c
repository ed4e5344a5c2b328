/* SPDX-License-Identifier: MIT */
/*
 * A capture's records, taken apart and put together again.  What must hold: what is put together
 * is so again if it is taken apart; and no more is left, which can be taken apart, when some of it
 * is left out.
 */
#include <atoll/capture.h>

#include "fuzz.h"
#include "parts.h"

struct records {
   char *bytes;
   size_t size, room;
};

static void
put_together(const struct parts *parts, struct records *r)
{
   struct parts_size size;

   *r = (struct records){ 0 };
   FUZZ_CHECK(parts_write(parts, &r->bytes, &r->size, &r->room));
   parts_measure(parts, &size);
   FUZZ_CHECK(size.bytes == r->size);
}

/* Each third part, packet and dword, from `first` on. */
static void
leave_out(struct parts *parts, size_t first)
{
   for (size_t n = first; n < parts->count; n += 3) {
      struct part *p = &parts->list[n];

      p->on = n % 2;
      for (uint32_t k = first % 3; k < p->num_packets; k += 3)
         p->packets[k].on = false;
      for (uint32_t k = first % 3; k < p->dwords; k += 3)
         p->dword_on[k] = false;
   }
}

FUZZ_ENTRY(capture_parts)
{
   struct parts parts, again, left;
   struct records once, twice, less;
   char *copy = malloc(size ? size : 1); /* aligned, as files are */

   FUZZ_CHECK(copy);
   if (size)
      memcpy(copy, data, size);
   FUZZ_CHECK(parts_read(&parts, copy, size));
   put_together(&parts, &once);
   FUZZ_CHECK(once.size <= size);
   FUZZ_CHECK(parts_read(&again, once.bytes, once.size));
   put_together(&again, &twice);
   FUZZ_CHECK(once.size == twice.size);
   FUZZ_CHECK(!once.size || !memcmp(once.bytes, twice.bytes, once.size));
   leave_out(&parts, size % 7);
   put_together(&parts, &less);
   FUZZ_CHECK(less.size <= once.size);
   FUZZ_CHECK(parts_read(&left, less.bytes, less.size));
   parts_finish(&left);
   parts_finish(&again);
   parts_finish(&parts);
   free(less.bytes);
   free(twice.bytes);
   free(once.bytes);
   free(copy);
   return 0;
}
