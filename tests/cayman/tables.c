/* SPDX-License-Identifier: MIT */
/* The tables themselves: every instruction of the list, no number twice, every word's fields
 * disjoint and complete. */
#include "common.h"

struct word {
   const char *name;
   uint32_t seen;
   unsigned bits;
};

static struct word words[64];
static unsigned num_words;

static struct word *
word_of(const char *name)
{
   for (unsigned i = 0; i < num_words; i++)
      if (!strcmp(words[i].name, name))
         return &words[i];
   assert_true(num_words < 64);
   words[num_words].name = name;
   return &words[num_words++];
}

static void
add_field(const char *name, unsigned lo, unsigned width)
{
   struct word *w = word_of(name);
   uint32_t mask = (uint32_t)(((UINT64_C(1) << width) - 1) << lo);
   assert_true(lo + width <= 32);
   if (w->seen & mask)
      fail_msg("%s: bits %u-%u are in two fields", name, lo, lo + width - 1);
   w->seen |= mask;
   w->bits += width;
}

static void
fields_fill_words(void **state)
{
   (void)state;
#define CAYMAN_FIELD(format, field, lo, width, remark) add_field(#format, lo, width);
#define CAYMAN_RESERVED(format, lo, width)             add_field(#format, lo, width);
#include "isa/cayman/formats.def"
   assert_int_equal(num_words, 33);
   for (unsigned i = 0; i < num_words; i++)
      if (words[i].seen != 0xffffffff || words[i].bits != 32)
         fail_msg("%s has %u bits, mask %08x", words[i].name, words[i].bits, words[i].seen);
}

static void
every_instruction_is_listed(void **state)
{
   (void)state;
   unsigned rows = 0;
#define CAYMAN_CF(...)      rows++;
#define CAYMAN_GWS(...)     rows++;
#define CAYMAN_RAT(...)     rows++;
#define CAYMAN_OP2(...)     rows++;
#define CAYMAN_OP3(...)     rows++;
#define CAYMAN_LDS(...)     rows++;
#define CAYMAN_TEX(...)     rows++;
#define CAYMAN_VTX(...)     rows++;
#define CAYMAN_MEM_RD(...)  rows++;
#define CAYMAN_MEM_GDS(...) rows++;
#define CAYMAN_GDS(...)     rows++;
#define CAYMAN_STALE(...)   rows++;
#define CAYMAN_OTHER(...)   rows++;
#include "isa/cayman/opcodes.def"
   assert_int_equal(rows, 466);
}

static void
rows_are_sane(void **state)
{
   (void)state;
   unsigned alu = 0;
   for (unsigned op = 0; op < CAYMAN_ALU_OP_COUNT + 10; op++) {
      const struct cayman_alu_info *info = cayman_alu_info(op);
      if (!info->name)
         continue;
      alu++;
      assert_true(info->num_src <= (info->op3 ? 3 : 2));
      assert_int_equal(info->op3, op >= CAYMAN_OP3_BASE);
      assert_true(strlen(info->text) > 3);
   }
   assert_int_equal(alu, 167 + 25 + 1);
   assert_string_equal(cayman_alu_info(CAYMAN_ALU_MULADD_IEEE)->name, "MULADD_IEEE");
   assert_int_equal(CAYMAN_ALU_RECIP_IEEE, 134);
   assert_int_equal(CAYMAN_CF_EXPORT_DONE, 84);
   assert_null(cayman_cf_info(12)->name);
   assert_null(cayman_lds_info(64)->name);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_fill_words),
      cmocka_unit_test(every_instruction_is_listed),
      cmocka_unit_test(rows_are_sane),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
