/* SPDX-License-Identifier: MIT */
/*
 * Listings give their words back, and words their listing: random programs, every opcode with
 * random fields, and texts of our own in the forms of AMD's guide, those of older chips included.
 *
 *    listing [PROGRAMS [SEED]]     so many random programs of 64 dwords; the test runs few
 */
#include "common.h"

static unsigned long num_programs = 3000;
static uint64_t first_seed = 1;

static void
check_words(const uint32_t *words, size_t count)
{
   size_t length, back_count;
   struct cayman_error error;
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
   free(text);
}

/* A CF program whose clauses hold random words of known opcodes. */
static void
random_clauses(uint64_t *seed, uint32_t *words, size_t count)
{
   struct cayman_cf cf = { .op = CAYMAN_CF_ALU, .form = CAYMAN_CF_FORM_ALU, .barrier = true };
   unsigned slots = random_word(seed) % 20;

   for (size_t i = 0; i < count; i++) {
      words[i] = random_word(seed);
   }
   cf.addr = 4;
   cf.count = (uint8_t)slots;
   cayman_encode_cf(&cf, words);
   cf = (struct cayman_cf){ .op = random_word(seed) % 2 ? CAYMAN_CF_TC : CAYMAN_CF_GDS,
                            .form = CAYMAN_CF_FORM_BRANCH,
                            .addr = 26,
                            .count = (uint8_t)(random_word(seed) % 3) };
   cayman_encode_cf(&cf, words + 2);
   uint32_t op = random_word(seed) % 90; /* anything, and END soon */
   words[5] = (words[5] & ~(0xffu << 22)) | op << 22;
   cf = (struct cayman_cf){ .op = CAYMAN_CF_END, .form = CAYMAN_CF_FORM_BRANCH };
   cayman_encode_cf(&cf, words + 6);
   for (size_t i = 8; i + 1 < 52; i += 2) {
      /* OP2 with an opcode that fits, or OP3 */
      if (random_word(seed) % 3) {
         words[i + 1] &= ~(0x700u << 7);
      }
      words[i] |= random_word(seed) % 4 ? 0x80000000u : 0;
   }
   for (size_t i = 52; i + 3 < count; i += 4) {
      if (random_word(seed) % 2) {
         words[i + 3] = 0;
      }
   }
}

static void
random_programs(void **state)
{
   (void)state;
   uint64_t seed = first_seed;
   uint32_t words[64];

   for (unsigned long n = 0; n < num_programs; n++) {
      switch (n % 3) {
      case 0:
         for (unsigned i = 0; i < 64; i++) {
            words[i] = random_word(&seed);
         }
         break;
      case 1: /* fewer bits: more small addresses and known opcodes */
         for (unsigned i = 0; i < 64; i++) {
            words[i] = random_word(&seed) & random_word(&seed) & random_word(&seed);
         }
         break;
      default:
         random_clauses(&seed, words, 64);
         break;
      }
      check_words(words, 1 + random_word(&seed) % 64);
      check_words(words, 64);
   }
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs),
   };
   if (argc > 1) {
      num_programs = strtoul(argv[1], NULL, 0);
   }
   if (argc > 2) {
      first_seed = strtoull(argv[2], NULL, 0);
   }
   return cmocka_run_group_tests(tests, NULL, NULL);
}
