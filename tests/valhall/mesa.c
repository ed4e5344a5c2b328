/* SPDX-License-Identifier: MIT */
/*
 * The cases of Mesa's own assembler and disassembler, read from the unpacked source of Mesa: every
 * word has the same text and every text the same word; every text that Mesa refuses is refused.
 */
#include "common.h"

static FILE *
open_case_list(const char *name)
{
   char path[512];
   snprintf(path, sizeof(path), "%s/src/panfrost/compiler/valhall/test/%s", MESA_SOURCE, name);
   FILE *file = fopen(path, "r");
   if (!file) {
      print_message("%s: skipped: Mesa's source is not unpacked there\n", path);
      skip();
   }
   return file;
}

/* Strips the line's end. */
static bool
next_line(FILE *file, char *line, size_t size)
{
   if (!fgets(line, (int)size, file))
      return false;
   line[strcspn(line, "\n")] = 0;
   return true;
}

static void
test_positive(void **state)
{
   FILE *file = open_case_list("assembler-cases.txt");
   char line[256], text[VALHALL_TEXT_MAX];
   unsigned count = 0, wrong = 0;

   while (next_line(file, line, sizeof(line))) {
      uint64_t word = 0;
      if (strlen(line) < 27)
         continue;
      for (unsigned i = 0; i < 8; i++)
         word |= (uint64_t)strtoul(line + 3 * i, NULL, 16) << 8 * i;
      const char *expected = line + 27;
      struct valhall_instr instr;
      struct isa_error error;
      count++;
      if (!valhall_decode(word, &instr, &error)) {
         print_message("%s\n   is refused: %s\n", line, error.text);
         wrong++;
         continue;
      }
      valhall_print(&instr, text);
      if (strcmp(text, expected) != 0) {
         print_message("%s\n   prints as %s\n", expected, text);
         wrong++;
      }
      if (!valhall_parse(expected, strlen(expected), &instr, &error)) {
         print_message("%s\n   does not parse: column %u: %s\n", expected, error.column,
                       error.text);
         wrong++;
      } else if (valhall_encode(&instr) != word) {
         print_message("%s\n   assembles to %016llx\n", line,
                       (unsigned long long)valhall_encode(&instr));
         wrong++;
      } else {
         static const struct valhall_limits limits = { .stage = VALHALL_STAGE_FRAGMENT };
         if (!valhall_validate_instr(&instr, &limits, &error)) {
            print_message("%s\n   is not valid: %s\n", expected, error.text);
            wrong++;
         }
      }
   }
   fclose(file);
   print_message("%u cases of Mesa's\n", count);
   assert_int_equal(count, 244);
   assert_int_equal(wrong, 0);
}

static void
test_negative(void **state)
{
   FILE *file = open_case_list("negative-cases.txt");
   char line[256];
   unsigned count = 0;

   while (next_line(file, line, sizeof(line))) {
      static const struct valhall_limits limits = { .stage = VALHALL_STAGE_FRAGMENT };
      struct valhall_instr instr;
      struct isa_error error = { 0 };
      if (!line[0] || line[0] == '#')
         continue;
      count++;
      if (valhall_parse(line, strlen(line), &instr, &error) &&
          valhall_validate_instr(&instr, &limits, &error))
         fail_msg("%s is not refused", line);
      assert_true(error.text[0]);
      print_message("%s: %s\n", line, error.text);
   }
   fclose(file);
   assert_true(count >= 20);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_positive),
      cmocka_unit_test(test_negative),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
