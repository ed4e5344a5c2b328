/* SPDX-License-Identifier: MIT */
/* atoll-il and atoll-ilc on binary: an error, or a program that writes the bits it was read from.
 */
#include "il_program.h"

FUZZ_ENTRY(il_binary)
{
   struct il_error err = { 0 };
   size_t count = size / 4;
   uint32_t written;
   uint32_t *words = malloc(size + 4);

   if (!words)
      return 0;
   memcpy(words, data, 4 * count);
   for (unsigned n = 0; n < 2; n++) {
      enum il_numbering numbering = n ? IL_NUMBERING_DOCUMENT : IL_NUMBERING_STREAM;
      struct il_program *p = il_read(words, (uint32_t)count, numbering, &err);
      if (!p) {
         FUZZ_CHECK(err.text[0]);
         continue;
      }
      uint32_t *again = il_write(p, numbering, &written, &err);
      FUZZ_CHECK(again && written <= count && !memcmp(again, words, 4 * (size_t)written));
      free(again);
      char *text = il_print(p);
      FUZZ_CHECK(text);
      free(text);
      check_program(p);
      il_program_free(p);
   }
   free(words);
   return 0;
}
