/* SPDX-License-Identifier: MIT */
/* See device.h. */
#include "device.h"

#include "../device/every_stage.h"

#define BUDGET "100000c" /* cycles of a submission: endless loops are common */

static struct door door;

static void
open_device(const struct fuzz_chip *chip)
{
   static const struct fuzz_chip *opened;

   if (opened) {
      FUZZ_CHECK(opened == chip); /* a process has one device */
      return;
   }
   setenv("ATOLL_ISA", chip->isa, 1);
   setenv("ATOLL_BUDGET", BUDGET, 1);
   setenv("ATOLL_THREADS", "1", 1);
   setenv("ATOLL_SIMD", "sse2", 0); /* the build that sanitizers check */
   door = door_begin();
   opened = chip;
}

/* The bytes of a program, and an end after them. */
static void
place_program(const struct fuzz_chip *chip, uint32_t at, const uint8_t *data, size_t size,
              bool pixel, bool admitted)
{
   uint8_t *to = (uint8_t *)door.mem + at, *end = to + EVERY_PROGRAM - chip->bytes;

   if (chip->lay) {
      chip->lay(to, data, size, admitted);
      return;
   }
   memset(to, 0, EVERY_PROGRAM);
   for (; size >= chip->bytes && to < end; data += chip->bytes, size -= chip->bytes) {
      memcpy(to, data, chip->bytes);
      if (!admitted || chip->admit(to, pixel))
         to += chip->bytes;
   }
   memcpy(to, chip->end, chip->bytes);
}

static uint64_t
run_once(const struct fuzz_chip *chip, const uint8_t *data, size_t size)
{
   const uint8_t head = data[0] & 0x40 ? data[0] : data[0] & (0xf0 | chip->kinds);
   const size_t bytes = chip->lay ? 1 : chip->bytes;
   const size_t each = (size - 2) / EVERY_STAGES / bytes * bytes;
   uint64_t seed = data[1] + 1, hash = 1;

   for (unsigned n = 0; n < DOOR_BYTES / 4; n++)
      door.mem[n] = n < OUT_AT / 4 ? every_random(&seed) : 0;
   for (unsigned n = 0; n < 8; n++)
      door.mem[FS_AT / 4 + 8 * n] = 5 | (n & 1) << 8;
   for (unsigned n = 0; n < EVERY_STAGES; n++)
      place_program(chip, every_at[n], data + 2 + n * each, each, n == EVERY_PIXEL, head >> 7);
   every_draw(&door,
              (struct every_draw){ .gs = head & 1,
                                   .tess = head >> 1 & 1,
                                   .points = head >> 2 & 1,
                                   .dispatches = head >> 3 & 1 },
              &seed);
   for (unsigned n = 0; n < DOOR_BYTES / 4; n++) {
      hash = (hash ^ door.mem[n]) * UINT64_C(0x9e3779b97f4a7c15);
      hash ^= hash >> 29;
   }
   return hash;
}

int
fuzz_device(const struct fuzz_chip *chip, const uint8_t *data, size_t size)
{
   if (size < 2 || size > 2 + EVERY_STAGES * EVERY_PROGRAM)
      return 0;
   open_device(chip);
   const uint64_t first = run_once(chip, data, size);
   FUZZ_CHECK(run_once(chip, data, size) == first);
   return 0;
}
