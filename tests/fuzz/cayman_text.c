/* SPDX-License-Identifier: MIT */
/* atoll-as: any text is a listing or gets an error with a line; what assembles lists and assembles
 * again to the same words; what parses prints in a form that prints the same again. */
#include "fuzz.h"

#include "isa/cayman/cayman.h"

FUZZ_ENTRY(cayman_text)
{
   struct isa_error error;
   size_t count, again_count, length;
   const char *text = (const char *)data;
   uint32_t *words = cayman_assemble(text, size, &count, &error);

   if (!words) {
      FUZZ_CHECK(error.text[0]);
   } else {
      struct cayman_limits limits = { .num_gprs = 64, .num_clause_temps = 4 };
      char message[200];
      cayman_validate(words, count, &limits, message, sizeof(message));
      if (count <= 4096) {
         char *listing = cayman_listing_text(CAYMAN_VLIW4, words, count, &length);
         FUZZ_CHECK(listing);
         uint32_t *again = cayman_assemble(listing, length, &again_count, &error);
         FUZZ_CHECK(again && again_count == count && !memcmp(again, words, 4 * count));
         free(again);
         free(listing);
      }
   }
   free(words);

   char *once = cayman_reprint(CAYMAN_VLIW4, text, size, &error);
   if (once && !memchr(text, 0, size)) {
      char *twice = cayman_reprint(CAYMAN_VLIW4, once, strlen(once), &error);
      FUZZ_CHECK(twice && !strcmp(once, twice));
      free(twice);
   }
   free(once);
   return 0;
}
