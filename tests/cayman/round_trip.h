/* SPDX-License-Identifier: MIT */
/* Words through the listing and back, for any test that has words. */
#ifndef TESTS_CAYMAN_ROUND_TRIP_H
#define TESTS_CAYMAN_ROUND_TRIP_H

#include "common.h"

#include "isa/cayman/isa.h"

/* Words to a listing, to the same words, to the same listing, which is malloc()ed. */
static inline char *
round_trip_of(const struct isa *isa, const uint32_t *words, size_t count)
{
   size_t length;
   struct isa_error error;
   struct isa_binary back;
   char *text = isa->disassemble(words, count, &length);

   assert_non_null(text);
   if (!isa->assemble(text, length, NULL, &back, &error)) {
      print_message("%s", text);
      fail_msg("line %u, column %u: %s", error.line, error.column, error.text);
   }
   if (back.num_dwords != count || memcmp(back.words, words, count * 4) != 0) {
      print_message("%s", text);
      for (size_t i = 0; i < count || i < back.num_dwords; i++) {
         print_message("%3zu  %08x %08x\n", i, i < count ? words[i] : 0,
                       i < back.num_dwords ? back.words[i] : 0);
      }
      fail_msg("%zu words came back as %zu others", count, back.num_dwords);
   }
   char *again = isa->disassemble(back.words, back.num_dwords, NULL);
   assert_string_equal(again, text);
   free(again);
   free(back.words);
   free(back.before);
   free(back.after);
   return text;
}

static inline char *
round_trip(const uint32_t *words, size_t count)
{
   return round_trip_of(&isa_cayman, words, count);
}

static inline void
check_words(const uint32_t *words, size_t count)
{
   free(round_trip(words, count));
}

#endif
