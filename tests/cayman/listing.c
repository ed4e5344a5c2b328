/* SPDX-License-Identifier: MIT */
/*
 * Listings give their words back, and words their listing: random programs, and texts of our own in
 * the forms of AMD's guide, those of older chips included.
 *
 *    listing [PROGRAMS [SEED]]     so many random programs of 64 dwords; the test runs few
 */
#include "round_trip.h"

static unsigned long num_programs = 3000;
static uint64_t first_seed = 1;

/* A CF program; its clauses hold random words of known opcodes. */
static void
random_clauses(uint64_t *seed, uint32_t *words, size_t count)
{
   struct cayman_cf cf = { .op = CAYMAN_CF_ALU, .form = CAYMAN_CF_FORM_ALU, .barrier = true };
   unsigned slots = random_word(seed) % 20;

   for (size_t i = 0; i < count; i++)
      words[i] = random_word(seed);
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
      if (random_word(seed) % 3)
         words[i + 1] &= ~(0x700u << 7);
      words[i] |= random_word(seed) % 4 ? 0x80000000u : 0;
   }
   for (size_t i = 52; i + 3 < count; i += 4)
      if (random_word(seed) % 2)
         words[i + 3] = 0;
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
         for (unsigned i = 0; i < 64; i++)
            words[i] = random_word(&seed);
         break;
      case 1: /* fewer bits: more small addresses and known opcodes */
         for (unsigned i = 0; i < 64; i++)
            words[i] = random_word(&seed) & random_word(&seed) & random_word(&seed);
         break;
      default:
         random_clauses(&seed, words, 64);
         break;
      }
      check_words(words, 1 + random_word(&seed) % 64);
      check_words(words, 64);
   }
}

/* --- texts ------------------------------------------------------------------------------------ */

static char *
read_data(const char *name)
{
   char path[500];
   snprintf(path, sizeof(path), "%s/%s", TEST_DATA, name);
   FILE *f = fopen(path, "rb");
   assert_non_null(f);
   char *text = calloc(1, 65536);
   assert_true(fread(text, 1, 65535, f) > 0);
   fclose(f);
   return text;
}

static void
listings(void **state)
{
   (void)state;
   struct isa_error error;
   size_t count;

   for (unsigned i = 0; i < 2; i++) {
      char *text = read_data(i ? "older.txt" : "cayman.txt");
      char *again = cayman_reprint(CAYMAN_VLIW4, text, strlen(text), &error);
      if (!again)
         fail_msg("line %u, column %u: %s", error.line, error.column, error.text);
      assert_string_equal(again, text);
      uint32_t *words = cayman_assemble(text, strlen(text), &count, &error);
      if (i) {
         assert_null(words);
         assert_int_equal(error.line, 6);
         assert_string_equal(error.text, "not for Cayman: waterfalls ended with R700");
      } else {
         if (!words)
            fail_msg("line %u, column %u: %s", error.line, error.column, error.text);
         /* The code alone, without the options around it. */
         char *code = cayman_listing_text(CAYMAN_VLIW4, words, count, NULL);
         char *start = strstr(text, "00 ALU"), *end = strstr(text, "\nSQ_PGM");
         *end = 0;
         assert_string_equal(code, start);
         free(code);
      }
      free(words);
      free(again);
      free(text);
   }
}

/* Without addresses the assembler lays clauses out itself. */
static void
automatic_layout(void **state)
{
   (void)state;
   static const char text[] = "ALU:\n x: MOV R0.x, R1.x\nTEX:\nVFETCH R1, R0.x, f0\n"
                              "EXP_DONE: PARAM0, R0\nEND_OF_PROGRAM\n";
   struct isa_error error;
   size_t count;
   uint32_t *words = cayman_assemble(text, sizeof(text) - 1, &count, &error);
   assert_non_null(words);
   char *listing = cayman_listing_text(CAYMAN_VLIW4, words, count, NULL);
   assert_string_equal(listing, "00 ALU: ADDR(4) CNT(1)\n"
                                "      0  x: MOV         R0.x,  R1.x\n"
                                "01 TEX: ADDR(6) CNT(1)\n"
                                "      1  VFETCH R1, R0.x, f0\n"
                                "02 EXP_DONE: PARAM0, R0\n"
                                "END_OF_PROGRAM\n");
   free(listing);
   free(words);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(listings),
      cmocka_unit_test(automatic_layout),
      cmocka_unit_test(random_programs),
   };
   if (argc > 1)
      num_programs = strtoul(argv[1], NULL, 0);
   if (argc > 2)
      first_seed = strtoull(argv[2], NULL, 0);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
