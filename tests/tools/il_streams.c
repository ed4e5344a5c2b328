/* SPDX-License-Identifier: MIT */
/*
 * Random IL streams: bits to program to bits, and the text of a text to the same text.
 *
 *    il_streams [INSTRUCTIONS [SEED]]     the test runs few; 3,000,000 make 10 million dwords
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "il/il.h"

static unsigned long num_instructions = 60000;
static uint64_t seed = 1;

static uint32_t
rnd(void)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(seed >> 32) ^ (uint32_t)(seed >> 13);
}

/* Random dwords after a header, each an opcode that exists with random control and operands, until
 * the reader has taken as many as it will. */
static uint32_t
random_stream(uint32_t *words, uint32_t max)
{
   uint32_t n = 0;

   words[n++] = 0;
   words[n++] = (rnd() % 6) << 16 | 2u << 8; /* version 2.0, any stage */
   while (n + 40 < max) {
      uint32_t op;
      do {
         op = rnd() % 484;
      } while (op == 40); /* END comes at the end */
      words[n] = op | (rnd() % 3 ? 0 : rnd() << 16);
      /* As many dwords as make the stream with END after it parse: up to 24 operands and data. */
      uint32_t length = 0;
      for (; length < 24; length++) {
         struct il_error err;
         words[n + 1 + length] = 40;
         struct il_program *p = il_read(words, n + 2 + length, IL_NUMBERING_STREAM, &err);
         if (p) {
            il_program_free(p);
            break;
         }
         /* An operand: register, sometimes a modifier; or data. */
         words[n + 1 + length] = rnd() % 8 == 0 ? rnd()
                                 : rnd() % 4    ? (rnd() % 63) << 16 | rnd() % 16
                                                : (rnd() & 0x01ff7777);
      }
      if (length < 24) {
         n += 1 + length;
         if (rnd() % 8 == 0)
            break;
      }
   }
   words[n++] = 40;
   return n;
}

static void
streams(void **state)
{
   (void)state;
   unsigned long done = 0, dwords = 0, texts = 0, programs = 0;

   while (done < num_instructions) {
      uint32_t words[256], again_count;
      struct il_error err;
      uint32_t count = random_stream(words, 256);
      struct il_program *p = il_read(words, count, IL_NUMBERING_STREAM, &err);
      if (!p)
         fail_msg("seed %llu: dword %u: %s", (unsigned long long)seed, err.where, err.text);
      uint32_t *again = il_write(p, IL_NUMBERING_STREAM, &again_count, &err);
      assert_non_null(again);
      assert_int_equal(again_count, count);
      assert_memory_equal(again, words, 4 * count);
      free(again);

      char *text = il_print(p);
      assert_non_null(text);
      struct il_program *q = il_parse(text, strlen(text), &err);
      if (q) { /* text holds neither reserved bits nor values without a name */
         char *once = il_print(q);
         struct il_program *r = il_parse(once, strlen(once), &err);
         if (!r)
            fail_msg("%s\nline %u: %s", once, err.where, err.text);
         char *twice = il_print(r);
         assert_string_equal(once, twice);
         il_program_free(r);
         free(once);
         free(twice);
         texts++;
      }
      il_program_free(q);
      free(text);
      done += p->ninsts;
      dwords += count;
      programs++;
      il_program_free(p);
   }
   print_message("%lu programs, %lu instructions, %lu dwords; the text of %lu parses\n", programs,
                 done, dwords, texts);
   assert_true(texts > programs / 4);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(streams),
   };
   if (argc > 1)
      num_instructions = strtoul(argv[1], NULL, 0);
   if (argc > 2)
      seed = strtoull(argv[2], NULL, 0);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
