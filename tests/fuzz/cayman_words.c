/* SPDX-License-Identifier: MIT */
/* atoll-dis: any words have a listing that gives them back, and the validator an opinion. */
#include "fuzz.h"

#include "isa/cayman/cayman.h"

FUZZ_ENTRY(cayman_words)
{
   size_t count = size / 4, again_count, length;
   uint32_t *words = malloc(size + 4);
   struct isa_error error;
   char message[200];

   if (!words || count == 0 || count > 4096) {
      free(words);
      return 0;
   }
   memcpy(words, data, 4 * count);
   for (unsigned stage = 0; stage < 3; stage++) {
      struct cayman_limits limits = { .num_gprs = 16,
                                      .num_clause_temps = 4,
                                      .stack_entries = 4 * (stage == 1),
                                      .fetch_shader = stage == 2,
                                      .pixel_shader = stage == 1 };
      cayman_validate(words, count, &limits, message, sizeof(message));
   }
   char *text = cayman_listing_text(CAYMAN_VLIW4, words, count, &length);
   FUZZ_CHECK(text);
   uint32_t *again = cayman_assemble(text, length, &again_count, &error);
   FUZZ_CHECK(again && again_count == count && !memcmp(again, words, 4 * count));
   free(again);
   free(text);
   free(words);
   return 0;
}
