/* SPDX-License-Identifier: MIT */
/*
 * Counts: every row of the table encodes, decodes, prints, parses, validates, and is lifted for
 * execution, or is listed with the reason why not.
 */
#include "run.h"

#include "isa/isa.h"

static void
test_rows(void **state)
{
   unsigned count = 0, encoded = 0, decoded = 0, printed = 0, validated = 0, lifted = 0;
   unsigned waits = 0, undocumented = 0;
   struct isa_row row;

   for (; isa_valhall.row(count, &row); count++) {
      const struct valhall_info *info = valhall_info(count);
      const struct isa_limits limits = { .stage = row.stage };
      struct isa_binary binary, again;
      struct isa_error error;
      struct valhall_instr instr;
      size_t length;

      if (!isa_valhall.assemble(row.text, strlen(row.text), NULL, &binary, &error)) {
         fail_msg("%s: line %u: %s", row.name, error.line, error.text);
      }
      encoded++;
      assert_int_equal(binary.num_dwords, 8);
      uint64_t words[4];
      for (unsigned i = 0; i < 4; i++) {
         words[i] = binary.words[2 * i] | (uint64_t)binary.words[2 * i + 1] << 32;
      }
      assert_true(valhall_decode(words[1], &instr, NULL));
      assert_int_equal(instr.opcode, count);
      decoded++;
      char *text = isa_valhall.disassemble(binary.words, binary.num_dwords, &length);
      assert_contains(text, row.name);
      assert_true(isa_valhall.assemble(text, length, NULL, &again, &error));
      assert_memory_equal(again.words, binary.words, 4 * binary.num_dwords);
      printed++;
      if (!isa_valhall.validate(binary.words, binary.num_dwords, &limits, &error)) {
         fail_msg("%s: %s", row.name, error.text);
      }
      validated++;
      struct vh_source source = { words, 4, 0 };
      struct vh_program *program = vh_kernels_sse2.lift(&source);
      const char *why = vh_kernels_sse2.error(program);
      if (why) {
         print_message("left out: %s: %s\n", row.name, why);
         assert_true(info->exec >= VALHALL_EXEC_WAITS_ATTRIBUTE);
         waits += info->exec != VALHALL_EXEC_UNDOCUMENTED;
         undocumented += info->exec == VALHALL_EXEC_UNDOCUMENTED;
      }
      lifted += !why;
      vh_kernels_sse2.free(program);
      isa_binary_finish(&again);
      isa_binary_finish(&binary);
      free(text);
   }
   print_message("Valhall: %u rows: encode %u, decode %u, text %u, validate %u, execute %u; "
                 "%u wait for a pipeline, of %u no document says what they give\n",
                 count, encoded, decoded, printed, validated, lifted, waits, undocumented);
   assert_int_equal(count, 252);
   assert_int_equal(lifted + waits + undocumented, count);
   assert_int_equal(undocumented, 7);
   assert_int_equal(waits, 38);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
