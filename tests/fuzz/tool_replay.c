/* SPDX-License-Identifier: MIT */
/*
 * Captures, by atoll-replay as a program.  What must hold: it ends with 0, with 4 where memory is
 * not as captured, or with 1 and an error.
 *
 * The mutator changes numbers of records and of what they carry, where they are; a capture is
 * mostly pages.
 */
#include "tool.h"

#include <atoll/capture.h>
#include <atoll/device.h>

#ifndef FUZZ_REPLAY
#include "records.h"

/* Bytes of what follows record `r`. */
static size_t
carried(const struct atoll_capture_record *r)
{
   return r->kind == ATOLL_CAPTURE_PAGE_DATA ? ATOLL_CAPTURE_PAGE
          : r->kind == ATOLL_CAPTURE_SUBMIT  ? (r->b + 1) / 2 * 8
                                             : 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned random)
{
   struct atoll_capture_header header;
   struct atoll_capture_record r;
   uint32_t seed = random;

   if (size < sizeof(header) || records_random(&seed) % 16 == 0)
      return LLVMFuzzerMutate(data, size, max_size);
   memcpy(&header, data, sizeof(header));
   size_t at = header.bytes < size ? header.bytes : 8;
   for (unsigned skip = records_random(&seed) % 64; at + sizeof(r) < size; skip--) {
      memcpy(&r, data + at, sizeof(r));
      const size_t bytes = carried(&r), left = size - at - sizeof(r);
      if (!skip || bytes >= left) {
         /* Of a submission the dwords, of others the record's own numbers. */
         const bool inner = bytes && bytes <= left && records_random(&seed) % 4;
         const uint32_t value = records_value(&seed);
         const size_t dwords = inner ? bytes / 4 : sizeof(r) / 4;
         memcpy(data + at + (inner ? sizeof(r) : 0) + records_random(&seed) % dwords * 4, &value,
                4);
         return size;
      }
      at += sizeof(r) + bytes;
   }
   return LLVMFuzzerMutate(data, size, max_size);
}
#endif

FUZZ_ENTRY(tool_replay)
{
   static const char *const line[FUZZ_WORDS] = { "--memory=64" };
   struct fuzz_output o;

   if (size > 1 << 20)
      return 0;
   /* The device is the process's, and of the instruction set that the first asked for. */
   setenv("ATOLL_ISA", "cayman", 1);
   setenv("ATOLL_BUDGET", "1000000c", 1);
   setenv("ATOLL_THREADS", "1", 1);
   setenv("ATOLL_SIMD", "sse2", 0);
   FUZZ_CHECK(atoll_device_get());
   const int code = fuzz_tool_call(atoll_replay_main, line, data, size, &o);
   if ((code != 0 && code != 1 && code != 4) || (code == 1) != (strstr(o.err, "error: ") != NULL)) {
      fprintf(stderr, "exit code %d:\n%s%s", code, o.err, o.out);
      FUZZ_CHECK(!"an exit code, and what is printed with it");
   }
   free(o.out);
   free(o.err);
   return 0;
}
