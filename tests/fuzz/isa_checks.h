/* SPDX-License-Identifier: MIT */
/* What must hold of any text and any words, whatever the instruction set. */
#ifndef TESTS_FUZZ_ISA_CHECKS_H
#define TESTS_FUZZ_ISA_CHECKS_H

#include "isa/isa.h"

#include "fuzz.h"

#define FUZZ_MAX_DWORDS 4096

/* Words have a text that gives them back, and the validator has an opinion of them. */
static inline void
check_isa_words(const struct isa *isa, const uint32_t *words, size_t count)
{
   static const enum isa_stage stages[] = { ISA_STAGE_ANY, ISA_STAGE_PIXEL, ISA_STAGE_VERTEX };
   struct isa_binary again;
   struct isa_error error;
   size_t length;

   for (unsigned i = 0; i < 3; i++) {
      struct isa_limits limits = { .num_gprs = 16 * i, .stage = stages[i] };
      error.text[0] = 0;
      FUZZ_CHECK(isa->validate(words, count, &limits, &error) || error.text[0]);
   }
   char *text = isa->disassemble(words, count, &length);
   FUZZ_CHECK(text && strlen(text) == length);
   FUZZ_CHECK(isa->assemble(text, length, NULL, &again, &error));
   FUZZ_CHECK(again.num_dwords == count && !memcmp(again.words, words, 4 * count));
   isa_binary_finish(&again);
   free(text);
}

/* A text is a program, or gets an error; it prints in a form that prints the same again. */
static inline void
check_isa_text(const struct isa *isa, const char *text, size_t size)
{
   struct isa_limits limits = { 0 };
   struct isa_binary binary;
   struct isa_error error = { 0 };

   if (!isa->assemble(text, size, NULL, &binary, &error)) {
      FUZZ_CHECK(error.text[0]);
   } else {
      if (binary.num_dwords <= FUZZ_MAX_DWORDS)
         check_isa_words(isa, binary.words, binary.num_dwords);
      isa_binary_finish(&binary);
      if (isa->assemble(text, size, &limits, &binary, &error))
         isa_binary_finish(&binary);
   }
   char *once = isa_reprint(isa, text, size, &error);
   if (once && !memchr(text, 0, size)) {
      char *twice = isa_reprint(isa, once, strlen(once), &error);
      FUZZ_CHECK(twice && !strcmp(once, twice));
      free(twice);
   }
   free(once);
}

/* The bytes of a fuzzer as words; false if there are none, or too many. */
static inline bool
check_isa_bytes(const struct isa *isa, const uint8_t *data, size_t size)
{
   uint32_t words[FUZZ_MAX_DWORDS];
   size_t count = size / 4;

   if (count == 0 || count > FUZZ_MAX_DWORDS)
      return false;
   memcpy(words, data, 4 * count);
   check_isa_words(isa, words, count);
   return true;
}

#endif /* TESTS_FUZZ_ISA_CHECKS_H */
