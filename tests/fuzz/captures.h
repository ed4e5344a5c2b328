/* SPDX-License-Identifier: MIT */
/*
 * Changes captures: numbers of records and of what they carry, where they are, since a capture is
 * mostly pages.  libFuzzer's targets of captures alone include it.
 */
#ifndef TESTS_FUZZ_CAPTURES_H
#define TESTS_FUZZ_CAPTURES_H

#include <atoll/capture.h>

#include "records.h"

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
      const size_t bytes = atoll_capture_carries(&r), left = size - at - sizeof(r);
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
