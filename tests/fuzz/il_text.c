/* SPDX-License-Identifier: MIT */
/* atoll-il and atoll-ilc on text: an error with a line, or a program with a canonical text that
 * is a fixed point. */
#include "il_program.h"

FUZZ_ENTRY(il_text)
{
   struct il_error err = { 0 };
   struct il_program *p = il_parse((const char *)data, size, &err);

   if (!p) {
      FUZZ_CHECK(err.text[0]);
      return 0;
   }
   char *text = il_print(p);
   FUZZ_CHECK(text);
   struct il_program *q = il_parse(text, strlen(text), &err);
   if (!q)
      fprintf(stderr, "%u: %s\n%s", err.where, err.text, text);
   FUZZ_CHECK(q);
   char *again = il_print(q);
   FUZZ_CHECK(again && !strcmp(text, again));
   free(again);
   il_program_free(q);
   free(text);
   check_program(p);
   il_program_free(p);
   return 0;
}
