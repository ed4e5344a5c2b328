/* SPDX-License-Identifier: MIT */
/*
 * Draws of a Mali: a square's descriptors, programs and registers with any changes.
 *
 *    6 bytes each   a word of the memory, or beyond it of the draw's registers; its new value
 *
 * What must hold: the same changes leave the same memory and the same answers; they spend no more
 * than their budget; what is not done has a text.
 */
#include "fuzz.h"

#define SQUARE_CHECK FUZZ_CHECK
#include "../chip_mali/square.h"

#define BUDGET    20000u
#define MOST      64u /* changes */
#define WORDS     (STREAM_BYTES / 4)
#define REGISTERS (sizeof(draw) / 4)

static void
apply(const uint8_t *data, size_t size)
{
   for (size_t n = 0; n < MOST && 6 * n + 6 <= size; n++) {
      uint16_t where;
      uint32_t value;

      memcpy(&where, data + 6 * n, sizeof(where));
      memcpy(&value, data + 6 * n + 2, sizeof(value));
      if (where < WORDS)
         vm_write(s.vm, STREAM_BASE + 4 * where, &value, 4);
      else
         memcpy((uint8_t *)&draw + 4 * ((where - WORDS) % REGISTERS), &value, 4);
   }
}

static uint64_t
run_once(const uint8_t *data, size_t size)
{
   uint8_t memory[STREAM_BYTES];
   uint64_t h = UINT64_C(0xcbf29ce484222325);
   enum mali_result added, drawn;

   begin();
   s.budget = BUDGET;
   put(FRAME, frame, sizeof(frame));
   put(FRAME + sizeof(frame), target, sizeof(target));
   apply(data, size);
   text[0] = 0;
   added = add();
   FUZZ_CHECK(added == MALI_DONE || text[0]);
   text[0] = 0;
   drawn = finish();
   FUZZ_CHECK(drawn == MALI_DONE || text[0]);
   FUZZ_CHECK(s.budget <= BUDGET);
   vm_read(s.vm, STREAM_BASE, memory, sizeof(memory));
   for (size_t n = 0; n < sizeof(memory); n++)
      h = (h ^ memory[n]) * UINT64_C(0x100000001b3);
   end();
   return (h * 31 + added) * 31 + drawn;
}

FUZZ_ENTRY(mali_draws)
{
   if (!gfx)
      make_gfx(1);
   FUZZ_CHECK(run_once(data, size) == run_once(data, size));
   return 0;
}
