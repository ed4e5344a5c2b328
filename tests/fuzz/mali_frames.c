/* SPDX-License-Identifier: MIT */
/*
 * Framebuffer descriptors of a Mali: any bits.
 *
 *    8 bytes    the box of RUN_FRAGMENT
 *    words      the framebuffer's descriptor and what follows it, at the base; the low half of each
 *               64-bit base is kept inside of the memory, so that some of it is hit
 *
 * What must hold: the same frame leaves the same memory and the same answer; it spends no more than
 * its budget; what is not done has a text.
 */
#include "fuzz.h"

#include "../csf/stream.h"
#include "chip/mali/mali.h"

#define MOST_WORDS (MALI_WORDS_FRAMEBUFFER + MALI_WORDS_ZS_EXTENSION + 8 * MALI_WORDS_RENDER_TARGET)
#define BUDGET     5000u

static void
keep_inside(uint32_t *words, enum mali_field field)
{
   uint32_t *w = words + (field >> 16);

   w[0] = (uint32_t)STREAM_BASE + w[0] % (2 * STREAM_BYTES);
   w[1] = 0;
}

static uint64_t
run_once(const struct mali_box *box, const uint32_t *words)
{
   uint8_t memory[STREAM_BYTES];
   struct stream s;
   uint64_t h = UINT64_C(0xcbf29ce484222325);
   char what[MALI_TEXT] = "";
   enum mali_result result;

   FUZZ_CHECK(stream_init(&s));
   s.budget = BUDGET;
   vm_write(s.vm, STREAM_BASE, words, MOST_WORDS * 4);

   const struct mali_env env = { .vm = s.vm, .budget = &s.budget };

   result = mali_fragment(&env, STREAM_BASE, box, what);
   FUZZ_CHECK(s.budget <= BUDGET);
   FUZZ_CHECK(result == MALI_DONE || what[0]);
   vm_read(s.vm, STREAM_BASE, memory, sizeof(memory));
   for (size_t n = 0; n < sizeof(memory); n++)
      h = (h ^ memory[n]) * UINT64_C(0x100000001b3);
   stream_finish(&s);
   return h * 31 + result;
}

FUZZ_ENTRY(mali_frames)
{
   uint32_t words[MOST_WORDS] = { 0 };
   uint16_t ends[4] = { 0 };
   const size_t head = size < sizeof(ends) ? size : sizeof(ends), rest = size - head;

   if (!size)
      return 0;
   memcpy(ends, data, head);
   memcpy(words, data + head, rest < sizeof(words) ? rest : sizeof(words));
   keep_inside(words + MALI_WORDS_FRAMEBUFFER, MALI_AT_ZS_EXTENSION_base);
   keep_inside(words + MALI_WORDS_FRAMEBUFFER, MALI_AT_ZS_EXTENSION_s_base);
   for (unsigned n = 0; n < 8; n++)
      keep_inside(words + MALI_WORDS_FRAMEBUFFER + n * MALI_WORDS_RENDER_TARGET,
                  MALI_AT_RENDER_TARGET_base);

   const struct mali_box box = { ends[0], ends[1], ends[2], ends[3] };

   FUZZ_CHECK(run_once(&box, words) == run_once(&box, words));
   return 0;
}
