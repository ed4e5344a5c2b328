/* SPDX-License-Identifier: MIT */
/*
 * Words and instructions: every bit is in one field, random words come back, and the table is the
 * document's, with its errors corrected.
 *
 *    test-attila-codec COUNT SEED    that many random words instead of 300,000
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/attila/attila.h"

static uint64_t seed = 1;
static unsigned count = 300000;

static uint32_t
rnd(void)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(seed >> 32);
}

/* Every bit by itself, in both forms: it reaches a field and comes back. */
static void
every_bit(void **state)
{
   (void)state;
   for (unsigned form = 0; form < 2; form++) {
      for (unsigned bit = 0; bit < 128; bit++) {
         uint32_t words[4] = { form ? 6u << 22 : 0, 0, 0, 0 }, again[4];
         struct attila_inst inst;
         words[bit / 32] ^= 1u << bit % 32;
         attila_decode(words, &inst);
         attila_encode(&inst, again);
         assert_memory_equal(words, again, sizeof(words));
      }
   }
}

/* Fields where the document misprints them, and orders that it does not give. */
static void
corrected_fields(void **state)
{
   (void)state;
   struct attila_inst inst;

   attila_decode((const uint32_t[]){ 0, 0, 0xff00, 0xff }, &inst);
   assert_int_equal(inst.src[0].swizzle, 0xff);
   assert_int_equal(inst.src[1].swizzle, 0xff);
   assert_int_equal(inst.src[0].reg, 0);
   attila_decode((const uint32_t[]){ 0, 8u << 4, ATTILA_SWIZZLE_XYZW << 8, 0 }, &inst);
   for (unsigned c = 0; c < 4; c++) {
      assert_int_equal(attila_writes(inst.mask, c), c == 0);
      assert_int_equal(attila_select(inst.src[0].swizzle, c), c);
   }
   attila_decode((const uint32_t[]){ 0, 0x1ffu << 13, 0, 0 }, &inst);
   assert_int_equal(attila_rel_offset(&inst), -1);
   attila_decode((const uint32_t[]){ 0, 0x100u << 13, 0, 0 }, &inst);
   assert_int_equal(attila_rel_offset(&inst), -256);
   attila_decode((const uint32_t[]){ 0, 0xffu << 13, 0, 0 }, &inst);
   assert_int_equal(attila_rel_offset(&inst), 255);
}

static void
table(void **state)
{
   (void)state;
   unsigned defined = 0;
   for (unsigned op = 0; op < 256; op++) {
      const struct attila_info *info = attila_info(op);
      if (!info->name)
         continue;
      defined++;
      assert_int_equal(attila_find(info->name, strlen(info->name)), op);
      assert_true(strlen(info->sources) <= 3);
   }
   assert_int_equal(defined, 56 - 3);
   assert_string_equal(attila_info(0x1d)->name, "SETPGT"); /* printed as 22 */
   assert_string_equal(attila_info(0x22)->name, "SLT");
   assert_null(attila_info(0x38)->name);
   assert_null(attila_info(256)->name);
   assert_int_equal(attila_find("jump", 4), ATTILA_JMP);
   assert_int_equal(attila_find("stpgti", 6), ATTILA_SETPGTI);
   assert_int_equal(attila_find("ad", 2), -1);
   assert_int_equal(attila_find("addx", 4), -1);
}

/* Decode, print, assemble: the same bits, whatever they are. */
static void
random_words(void **state)
{
   (void)state;
   unsigned said = 0, legal = 0;
   enum { BATCH = 1000 };
   uint32_t words[BATCH * 4];
   char text[160];

   for (unsigned done = 0; done < count; done += BATCH) {
      for (unsigned i = 0; i < BATCH; i++) {
         uint32_t *w = words + 4 * i, again[4];
         struct attila_inst inst;
         for (unsigned k = 0; k < 4; k++)
            w[k] = rnd();
         if (i & 1) {
            /* A defined opcode, and only what its text says. */
            w[0] = (w[0] & ~0xffu) | rnd() % 0x38;
            attila_decode(w, &inst);
            attila_normalise(&inst);
            attila_encode(&inst, w);
         }
         attila_decode(w, &inst);
         attila_encode(&inst, again);
         assert_memory_equal(w, again, 16);
         const char *rule = attila_check(&inst, NULL, false, text, sizeof(text));
         assert_true(!rule || rule[0]);
         legal += !rule;
      }
      struct attila_program program;
      struct isa_error error;
      size_t length;
      char *listing = attila_listing(words, BATCH * 4, &length);
      assert_non_null(listing);
      if (!attila_parse(listing, length, &program, &error))
         fail_msg("line %u, column %u: %s", error.line, error.column, error.text);
      assert_int_equal(program.num_insts, BATCH);
      assert_memory_equal(program.words, words, sizeof(words));
      for (const char *c = listing; c; c = strchr(c, '\n') ? strchr(c, '\n') + 1 : NULL)
         said += *c && *c != '.';
      attila_program_finish(&program);
      free(listing);
   }
   print_message("%u words: %u as text, %u without a broken rule\n", count, said, legal);
   assert_true(said > count / 4 && legal > count / 100);
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      count = (unsigned)strtoul(argv[1], NULL, 0);
   if (argc > 2)
      seed = strtoull(argv[2], NULL, 0);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_bit),
      cmocka_unit_test(corrected_fields),
      cmocka_unit_test(table),
      cmocka_unit_test(random_words),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
