/* SPDX-License-Identifier: MIT */
/* libatoll-isa as another program sees it: the public header, the shared library, nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "atoll/isa.h"

static const char source[] = "il_ps_2_0\ndcl_cb cb0[2]\ndcl_output_generic o0\n"
                             "mul o0, cb0[0], cb0[1]\nend\n";

static void
compile_and_list(void **state)
{
   (void)state;
   struct atoll_isa_message message;
   struct atoll_cayman_program program;
   size_t count, length;

   assert_int_equal(atoll_isa_version(), ATOLL_ISA_VERSION);
   struct atoll_il *il = atoll_il_parse(source, sizeof(source) - 1, &message);
   assert_non_null(il);
   assert_true(atoll_il_validate(il, ATOLL_IL_STANDARD_2_4, &message));
   assert_true(atoll_il_compile_cayman(il, 0, &program, &message));
   assert_int_equal(program.alu_groups, 2);
   assert_true(atoll_cayman_validate(program.words, program.num_dwords, ATOLL_CAYMAN_PIXEL,
                                     program.num_gprs, program.stack_entries, &message));
   assert_false(
      atoll_cayman_validate(program.words, program.num_dwords, ATOLL_CAYMAN_PIXEL, 0, 0, &message));
   assert_non_null(strstr(message.text, "not declared"));
   char *text = atoll_cayman_disassemble(program.words, program.num_dwords, &length);
   assert_int_equal(strlen(text), length);
   uint32_t *words = atoll_cayman_assemble(text, length, &count, &message);
   assert_int_equal(count, program.num_dwords);
   assert_memory_equal(words, program.words, 4 * count);
   atoll_isa_free(words);
   atoll_isa_free(text);
   atoll_isa_free(program.words);

   uint32_t *stream = atoll_il_write(il, 0, &count, &message);
   struct atoll_il *back = atoll_il_read(stream, count, 0, &message);
   assert_non_null(back);
   char *a = atoll_il_print(il), *b = atoll_il_print(back);
   assert_string_equal(a, b);
   atoll_isa_free(a);
   atoll_isa_free(b);
   atoll_il_destroy(back);
   assert_null(atoll_il_read(stream, count - 1, 0, &message));
   atoll_isa_free(stream);
   atoll_il_destroy(il);
}

static void
messages(void **state)
{
   (void)state;
   struct atoll_isa_message message;
   size_t count;

   assert_null(atoll_il_parse("il_ps_2_0\nfoo r0\nend\n", 21, &message));
   assert_int_equal(message.line, 2);
   assert_null(atoll_cayman_assemble("00 NOP\n01 FOO\n", 14, &count, &message));
   assert_int_equal(message.line, 2);
   assert_int_equal(message.column, 4);
   assert_null(atoll_cayman_assemble("00 NOP\n01 FOO\n", 14, &count, NULL));
}

/* Every instruction set by its name. */
static void
any_isa(void **state)
{
   (void)state;
   struct atoll_isa_message message;
   unsigned sets = 0;
   size_t count, length;

   while (atoll_isa_name(sets))
      sets++;
   assert_true(sets >= 2);
   assert_string_equal(atoll_isa_name(0), "cayman");
   uint32_t *words = atoll_isa_assemble("attila", "mov r9, i0\nend\n", 15, &count, &message);
   assert_int_equal(count, 8);
   assert_true(atoll_isa_validate("attila", words, count, ATOLL_ISA_STAGE_PIXEL, 10, &message));
   assert_false(atoll_isa_validate("attila", words, count, ATOLL_ISA_STAGE_ANY, 9, &message));
   assert_string_equal(message.text, "instruction 0: r9, which is not declared");
   char *text = atoll_isa_disassemble("attila", words, count, &length);
   assert_string_equal(text, "mov r9, i0\nend\n");
   assert_int_equal(length, 15);
   atoll_isa_free(text);
   atoll_isa_free(words);
   assert_null(atoll_isa_assemble("attila", "mov q0, r0", 10, &count, &message));
   assert_int_equal(message.column, 5);
   assert_null(atoll_isa_assemble("vax", "nop", 3, &count, &message));
   assert_string_equal(message.text, "unknown instruction set");
   assert_null(atoll_isa_disassemble("vax", NULL, 0, NULL));
   assert_false(atoll_isa_validate("vax", NULL, 0, ATOLL_ISA_STAGE_ANY, 0, NULL));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(compile_and_list),
      cmocka_unit_test(messages),
      cmocka_unit_test(any_isa),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
