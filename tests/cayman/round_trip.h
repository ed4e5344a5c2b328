/* SPDX-License-Identifier: MIT */
/* Words through the listing and back, for any test that has words. */
#ifndef TESTS_CAYMAN_ROUND_TRIP_H
#define TESTS_CAYMAN_ROUND_TRIP_H

#include "common.h"

/* Words to a listing, to the same words, to the same listing, which is malloc()ed. */
static inline char *
round_trip(const uint32_t *words, size_t count)
{
   size_t length, back_count;
   struct isa_error error;
   char *text = cayman_listing_text(words, count, &length);

   assert_non_null(text);
   uint32_t *back = cayman_assemble(text, length, &back_count, &error);
   if (!back) {
      print_message("%s", text);
      fail_msg("line %u, column %u: %s", error.line, error.column, error.text);
   }
   if (back_count != count || memcmp(back, words, count * 4) != 0) {
      print_message("%s", text);
      for (size_t i = 0; i < count || i < back_count; i++) {
         print_message("%3zu  %08x %08x\n", i, i < count ? words[i] : 0,
                       i < back_count ? back[i] : 0);
      }
      fail_msg("%zu words came back as %zu others", count, back_count);
   }
   char *again = cayman_listing_text(back, back_count, NULL);
   assert_string_equal(again, text);
   free(again);
   free(back);
   return text;
}

static inline void
check_words(const uint32_t *words, size_t count)
{
   free(round_trip(words, count));
}

#endif
