/* SPDX-License-Identifier: MIT */
/*
 * Messages between a client and a device in another process: of any bytes a request points into
 * them and nowhere else, and so does an answer to it.  The input is both, a number of bytes first.
 */
#include "frontdoor/wire.h"

#include "fuzz.h"

/* All that a message points to can be read, and is inside; the sum, so that it is. */
static uint64_t
touch(const uint8_t *bytes, size_t length, const struct wire_message *m)
{
   uint64_t sum = 0;

   FUZZ_CHECK(m->head.num_ranges <= WIRE_RANGES && m->head.arg_bytes <= WIRE_ARG);
   FUZZ_CHECK(m->arg >= bytes && m->arg + m->head.arg_bytes <= bytes + length);
   for (uint32_t i = 0; i < m->head.arg_bytes; i++)
      sum += m->arg[i];
   for (uint32_t n = 0; n < m->head.num_ranges; n++) {
      const struct wire_range *r = &m->ranges[n];

      FUZZ_CHECK((m->in[n] != NULL) == ((r->access & WIRE_IN) != 0));
      FUZZ_CHECK(r->address + r->bytes >= r->address);
      if (!m->in[n])
         continue;
      FUZZ_CHECK(m->in[n] >= m->arg && m->in[n] + r->bytes <= bytes + length);
      for (uint32_t i = 0; i < r->bytes; i++)
         sum += m->in[n][i];
   }
   FUZZ_CHECK(m->out_bytes <= WIRE_OUT_BYTES);
   return sum;
}

FUZZ_ENTRY(wire)
{
   struct wire_message request, answer;
   uint16_t first;
   static volatile uint64_t sum;

   if (size < sizeof(first))
      return 0;
   memcpy(&first, data, sizeof(first));
   data += sizeof(first);
   size -= sizeof(first);
   first = first < size ? first : (uint16_t)size;

   /* Where a read past the end is seen. */
   uint8_t *one = malloc(first ? first : 1), *two = malloc(size - first + 1);
   FUZZ_CHECK(one && two);
   memcpy(one, data, first);
   memcpy(two, data + first, size - first);
   if (wire_read(one, first, &request)) {
      sum = touch(one, first, &request);
      if (wire_read_answer(two, size - first, &request, &answer)) {
         sum += touch(two, size - first, &answer);
         FUZZ_CHECK(answer.head.result <= 0);
         for (uint32_t n = 0; n < answer.head.num_ranges; n++)
            FUZZ_CHECK(answer.ranges[n].bytes <= request.ranges[n].bytes);
      }
   }
   free(one);
   free(two);
   return 0;
}
