/* SPDX-License-Identifier: MIT */
/*
 * Inputs that are lists of records of eight bytes, each of which is one action of a target: what
 * libFuzzer's bytes are, and a mutator that works by records.
 */
#ifndef TESTS_FUZZ_RECORDS_H
#define TESTS_FUZZ_RECORDS_H

#include "fuzz.h"

struct fuzz_record {
   uint8_t kind, sub;
   uint16_t index;
   uint32_t value;
};

/* Record `n`; any bytes are one. */
static inline struct fuzz_record
fuzz_record(const uint8_t *data, size_t n)
{
   struct fuzz_record r;

   memcpy(&r, data + n * sizeof(r), sizeof(r));
   return r;
}

#ifndef FUZZ_REPLAY
static inline uint32_t
records_random(uint32_t *seed)
{
   *seed = *seed * 1664525u + 1013904223u;
   return *seed >> 8;
}

/* A number that something may stumble over. */
static inline uint32_t
records_value(uint32_t *seed)
{
   static const uint32_t some[] = { 0,          1,          2,          0x3f800000, 0x7f800000,
                                    0xff800000, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe,
                                    0xffff,     0x3fff,     0x4000,     0x40004000, 0x3fff3fff };

   switch (records_random(seed) % 4) {
   case 0:
      return some[records_random(seed) % (sizeof(some) / sizeof(some[0]))];
   case 1:
      return 1u << records_random(seed) % 32;
   case 2:
      return records_random(seed) % 256;
   default:
      return records_random(seed) << 16 ^ records_random(seed);
   }
}

/* Changes, adds, drops, doubles and moves records; one time in eight bytes as libFuzzer does. */
static inline size_t
records_mutate(uint8_t *data, size_t size, size_t max_size, unsigned kinds, unsigned random)
{
   uint32_t seed = random;
   size_t count = size / 8;
   const size_t most = max_size / 8;

   if (!most || records_random(&seed) % 8 == 0)
      return LLVMFuzzerMutate(data, size, max_size);
   for (unsigned times = 1 + records_random(&seed) % 3; times; times--) {
      const size_t n = count ? records_random(&seed) % count : 0;
      uint8_t *at = data + n * 8;
      struct fuzz_record r = { .kind = (uint8_t)(records_random(&seed) % kinds),
                               .sub = (uint8_t)records_random(&seed),
                               .index = (uint16_t)records_random(&seed),
                               .value = records_value(&seed) };

      switch (records_random(&seed) % (count ? 6 : 1)) {
      case 0: /* a new one */
      case 1:
         if (count == most)
            break;
         memmove(at + 8, at, (count - n) * 8);
         memcpy(at, &r, sizeof(r));
         count++;
         break;
      case 2: /* one less */
         memmove(at, at + 8, (count - n - 1) * 8);
         count--;
         break;
      case 3: /* another number */
         memcpy(at + 4, &r.value, sizeof(r.value));
         break;
      case 4: /* a bit of it, or one more or less */
         r = fuzz_record(data, n);
         r.value = records_random(&seed) % 2 ? r.value ^ 1u << records_random(&seed) % 32
                                             : r.value + records_random(&seed) % 5 - 2;
         memcpy(at, &r, sizeof(r));
         break;
      default: /* one again elsewhere */
         memcpy(at, data + records_random(&seed) % count * 8, 8);
      }
   }
   return count * 8;
}

/* The mutator of a target with so many kinds of records. */
#define FUZZ_RECORDS(kinds)                                                                   \
   size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) \
   {                                                                                          \
      return records_mutate(data, size, max_size, kinds, seed);                               \
   }
#else
#define FUZZ_RECORDS(kinds)
#endif

#endif /* TESTS_FUZZ_RECORDS_H */
