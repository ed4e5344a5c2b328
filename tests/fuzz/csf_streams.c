/* SPDX-License-Identifier: MIT */
/*
 * Command streams of a Mali: any bits.
 *
 *    byte 0     bit 0: strict; bit 1: a blocked queue is tried again after memory has changed
 *    words      the stream, from the base on; the address of its data is in d2, its own in d4
 *
 * What must hold: the same stream leaves the same registers, memory and faults; a stream ends, and
 * spends no more than its budget; what runs has a text, and passed the check.
 */
#include "fuzz.h"

#include "../csf/stream.h"

#define MOST_WORDS 200u

static uint64_t
hash(uint64_t h, const void *data, size_t bytes)
{
   for (size_t n = 0; n < bytes; n++)
      h = (h ^ ((const uint8_t *)data)[n]) * UINT64_C(0x100000001b3);
   return h;
}

static uint64_t
run_once(const uint8_t *data, size_t size)
{
   const uint8_t head = size ? data[0] : 0;
   uint8_t memory[STREAM_BYTES];
   struct stream s;
   uint64_t h = UINT64_C(0xcbf29ce484222325);
   enum cs_result result;

   FUZZ_CHECK(stream_init(&s));
   s.env.strict = head & 1;
   s.answer = head & 4 ? CS_ENDPOINT_FAULT : head & 8 ? CS_UNRECOVERABLE : CS_OK;
   for (size_t at = 1; at + 8 <= size && s.words < MOST_WORDS; at += 8) {
      uint64_t word;

      memcpy(&word, data + at, 8);
      stream_add(&s, word);
   }
   s.queue.regs[2] = (uint32_t)STREAM_DATA;
   s.queue.regs[4] = (uint32_t)STREAM_BASE;
   s.queue.regs[6] = s.words * 8;
   result = stream_run(&s);
   if (result == CS_BLOCKED && head & 2) {
      vm_fill(s.vm, STREAM_DATA, 0x7fffffff, 64);
      result = cs_run(&s.queue, &s.env);
   }
   FUZZ_CHECK(s.budget <= 10000);
   FUZZ_CHECK((result == CS_FATAL) == (s.queue.fatal != CS_OK));
   FUZZ_CHECK(s.queue.depth <= CS_CALLS);
   FUZZ_CHECK(result != CS_FINISHED || !s.queue.depth);
   h = hash(h, &result, sizeof(result));
   h = hash(h, s.queue.regs, sizeof(s.queue.regs));
   h = hash(h, &s.queue.error, sizeof(s.queue.error));
   h = hash(h, &s.queue.fatal, sizeof(s.queue.fatal));
   h = hash(h, &s.endpoints, sizeof(s.endpoints));
   vm_read(s.vm, STREAM_BASE, memory, sizeof(memory));
   h = hash(h, memory, sizeof(memory));
   stream_finish(&s);
   return h;
}

FUZZ_ENTRY(csf_streams)
{
   char text[512];

   for (size_t at = 1; at + 8 <= size; at += 8) {
      uint64_t word;
      size_t length;

      memcpy(&word, data + at, 8);
      length = cs_print(word, text, sizeof(text));
      FUZZ_CHECK(length < sizeof(text) && strlen(text) == length);
      FUZZ_CHECK(!cs_check(word, false) || cs_check(word, true));
   }
   FUZZ_CHECK(run_once(data, size) == run_once(data, size));
   return 0;
}
