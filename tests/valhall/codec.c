/* SPDX-License-Identifier: MIT */
/*
 * Table, words and text of Valhall: the rows are all there and told apart; any word decodes, prints
 * and reads back as itself, or is refused with a rule.
 *
 *    test-valhall-codec [WORDS]     so many random words (default 300000)
 */
#include "common.h"

static unsigned long num_words = 300000;

static void
test_rows(void **state)
{
   assert_int_equal(VALHALL_OP_COUNT, 252);
   for (unsigned i = 0; i < VALHALL_OP_COUNT; i++) {
      const struct valhall_info *a = valhall_info(i);
      assert_non_null(a->name);
      assert_true(a->text && a->text[0]);
      assert_int_equal(a->match & ~a->mask, 0);
      assert_int_equal(a->mask & ~a->fields, 0);
      assert_int_equal(a->fields >> 63, 0);
      for (unsigned k = 0; k < i; k++) {
         const struct valhall_info *b = valhall_info(k);
         uint64_t both = a->mask & b->mask;
         assert_true((a->match & both) != (b->match & both));
         assert_string_not_equal(a->name, b->name);
      }
   }
}

/* Fields of a row lie apart, but for immediates and modifiers that the opcode's bits cut out. */
static void
test_fields(void **state)
{
   for (unsigned i = 0; i < VALHALL_OP_COUNT; i++) {
      const struct valhall_info *info = valhall_info(i);
      uint64_t seen = info->mask;
      for (unsigned n = 0; n < info->num_src; n++) {
         uint64_t field = UINT64_C(0xff) << valhall_src_lo(info, n);
         const struct valhall_src_info *src = valhall_src_info(info->src[n]);
         if (src->width)
            field |= ((UINT64_C(1) << src->width) - 1) << src->lo[n];
         if (seen & field)
            fail_msg("%s: source %u overlaps", info->name, n);
         seen |= field;
      }
      for (unsigned n = 0; n < info->num_imm; n++) {
         uint64_t field = ((UINT64_C(1) << info->imm[n].width) - 1) << info->imm[n].lo;
         if (seen & field)
            fail_msg("%s: %s overlaps", info->name, info->imm[n].name);
         seen |= field;
      }
      for (unsigned n = 0; n < info->num_mod; n++) {
         const struct valhall_mod_info *mod = valhall_mod_info(info->mod[n]);
         uint64_t field = ((UINT64_C(1) << mod->width) - 1) << mod->lo;
         if (seen & field)
            fail_msg("%s: %s overlaps", info->name, mod->name);
         seen |= field;
      }
   }
}

static void
test_constants(void **state)
{
   assert_int_equal(valhall_constant(0), 0);
   assert_int_equal(valhall_constant(1), 0xffffffff);
   assert_int_equal(valhall_constant(16), 0x3f800000);
   assert_int_equal(valhall_constant(31), 0x42480000);
}

/* Word to text and back; true if it decodes. */
static bool
round_trip(uint64_t word)
{
   struct valhall_instr instr, again;
   struct isa_error error = { 0 };
   char text[VALHALL_TEXT_MAX], twice[VALHALL_TEXT_MAX];

   if (!valhall_decode(word, &instr, &error)) {
      if (!error.text[0])
         fail_msg("%016llx is refused without a rule", (unsigned long long)word);
      return false;
   }
   if (valhall_encode(&instr) != word) {
      fail_msg("%016llx encodes as %016llx", (unsigned long long)word,
               (unsigned long long)valhall_encode(&instr));
   }
   size_t length = valhall_print(&instr, text);
   if (!valhall_parse(text, length, &again, &error)) {
      fail_msg("%016llx: \"%s\" does not parse: column %u: %s", (unsigned long long)word, text,
               error.column, error.text);
   }
   if (valhall_encode(&again) != word) {
      fail_msg("%016llx: \"%s\" is %016llx", (unsigned long long)word, text,
               (unsigned long long)valhall_encode(&again));
   }
   valhall_print(&again, twice);
   assert_string_equal(text, twice);
   return true;
}

static void
test_random_words(void **state)
{
   uint64_t seed = 1;
   unsigned long decoded = 0;
   for (unsigned long i = 0; i < num_words; i++) {
      uint64_t word = random_next(&seed);
      /* Three quarters have a row's opcode, or nearly nothing would decode. */
      if (i & 3) {
         const struct valhall_info *info = valhall_info(random_next(&seed) % VALHALL_OP_COUNT);
         word = random_word(info, &seed);
      }
      decoded += round_trip(word);
   }
   print_message("%lu of %lu random words decode\n", decoded, num_words);
   assert_true(decoded > num_words / 20);
}

/* Every row decodes for some words. */
static void
test_each_row(void **state)
{
   uint64_t seed = 2;
   for (unsigned i = 0; i < VALHALL_OP_COUNT; i++) {
      unsigned decoded = 0;
      for (unsigned k = 0; k < 4000; k++) {
         uint64_t word = random_word(valhall_info(i), &seed);
         if (round_trip(word)) {
            struct valhall_instr instr;
            valhall_decode(word, &instr, NULL);
            assert_int_equal(instr.opcode, i);
            decoded++;
         }
      }
      if (!decoded)
         fail_msg("no random word of %s decodes", valhall_info(i)->name);
   }
}

/* A program of any words has a text that gives them back. */
static void
test_programs(void **state)
{
   uint64_t seed = 3, words[64];
   for (unsigned i = 0; i < 2000; i++) {
      size_t count = random_next(&seed) % 65, again_count, length;
      struct isa_error error;
      for (size_t k = 0; k < count; k++) {
         words[k] = k & 1 ? random_next(&seed)
                          : random_word(valhall_info(random_next(&seed) % VALHALL_OP_COUNT), &seed);
      }
      char *text = valhall_disassemble(words, count, &length);
      assert_non_null(text);
      uint64_t *again = valhall_assemble(text, length, &again_count, &error);
      if (!again)
         fail_msg("line %u: %s", error.line, error.text);
      assert_int_equal(again_count, count);
      assert_memory_equal(again, words, count * sizeof(*words));
      free(again);
      free(text);
   }
}

/* Words that are refused, and why. */
static void
test_refused(void **state)
{
   static const struct {
      uint64_t word;
      const char *rule;
   } cases[] = {
      { UINT64_C(0x8000c00000000000), "bit 63 is reserved" },
      { UINT64_C(0x0001c00000000000), "opcode 0x001 is undefined" },
      { UINT64_C(0x00a4c000000f0000), "no such secondary opcode" },
      { UINT64_C(0x5800c00000000000), "flow 11 is reserved" },
      { UINT64_C(0x0000c00000000001), "bit 0 is reserved" },
      { UINT64_C(0x0000000000000000), "bits 46 and 47 must be 3" },
      { UINT64_C(0x0000c10000000000), "bits 40 to 45 must be zero" },
      { UINT64_C(0x0091000000000002), "mask of the result's halves is empty" },
      { UINT64_C(0x0291c10000000002), "page 1 is named" },
      { UINT64_C(0x0491c100000000e2), "page 2 has no special value" },
      { UINT64_C(0x0091c100000000e2), "page 0 has no special value 1" },
      { UINT64_C(0x00a0c01000000201), "selector 1 is reserved" },
      { UINT64_C(0x0060bf8818000040), "" }, /* one register, r63: has a meaning */
      { UINT64_C(0x0060bf8c18000040), "reach beyond r63" },
      { UINT64_C(0x0869810018000032), "their number is zero" },
      { UINT64_C(0x0054410212000000), "bits 46 and 47 must be 2" },
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct valhall_instr instr;
      struct isa_error error = { 0 };
      bool ok = valhall_decode(cases[i].word, &instr, &error);
      if (cases[i].rule[0]) {
         assert_false(ok);
         assert_contains(error.text, cases[i].rule);
      }
   }
}

int
main(int argc, char **argv)
{
   if (argc > 1)
      num_words = strtoul(argv[1], NULL, 0);
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),         cmocka_unit_test(test_fields),
      cmocka_unit_test(test_constants),    cmocka_unit_test(test_refused),
      cmocka_unit_test(test_random_words), cmocka_unit_test(test_each_row),
      cmocka_unit_test(test_programs),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
