/* SPDX-License-Identifier: MIT */
/*
 * Counts: 466 rows of Cayman and of the five-slot chips, 252 of Valhall, 56 of ATTILA, 482 opcodes
 * of IL, MOVA and the extensions.  Each encodes, decodes, prints, parses and validates, and runs;
 * what does not is listed with its reason, and fails unless it is one of those named here.
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

#include "coverage.h"

static const char *const column_name[COVERAGE_COLUMNS] = { "encode", "decode", "text", "validate",
                                                           "execute" };

struct gap {
   const char *kind, *name;
};

/* Instructions of Cayman that the device does not run. */
static const struct gap not_run[] = {
   { "CF", "HALT" }, /* nothing could wake the wave */
   { "CF", "INTERRUPT_AND_SLEEP" },
   { "OP2", "STORE_FLAGS" }, /* nobody says which exceptions the approximations raise */
   { "OP2", "LOAD_STORE_FLAGS" },
   { "LDS", "ATOMIC_ORDERED_ALLOC_RET" }, /* of GDS alone */
};

/* Opcodes of IL without a known shape, and two that no program holds. */
static const char *const il_without_shape[] = { "sample_return_code", "div_scale", "div_fmas",
                                                "ddiv_scale",         "ddiv_fmas", "-" };
static const char *const il_not_validated[] = {
   "precomp",
};

static bool
in_list(const char *name, const char *const *list, size_t count)
{
   for (size_t i = 0; i < count; i++)
      if (!strcmp(list[i], name))
         return true;
   return false;
}
#define IN(name, list) in_list(name, list, sizeof(list) / sizeof(*(list)))

static bool
is_not_run(const struct coverage_row *row)
{
   for (size_t i = 0; i < sizeof(not_run) / sizeof(*not_run); i++)
      if (!strcmp(not_run[i].kind, row->kind) && !strcmp(not_run[i].name, row->name))
         return true;
   return false;
}

static void
report(const struct coverage_row *row, unsigned column)
{
   print_message("left out: %s %s (%u): %s: %s\n", row->kind, row->name, row->number,
                 column_name[column], row->no[column]);
}

static void
cayman(void **state)
{
   (void)state;
   struct coverage_row row;
   unsigned count = 0, instructions = 0, yes[COVERAGE_COLUMNS] = { 0 }, stale = 0;

   for (; coverage_isa_row(&isa_cayman, count, &row); count++) {
      instructions += row.instruction;
      stale += !row.instruction;
      for (unsigned c = 0; c < COVERAGE_COLUMNS; c++) {
         if (!row.no[c][0]) {
            yes[c]++;
            continue;
         }
         if (!row.instruction) {
            if (c == 0)
               report(&row, c);
            continue;
         }
         report(&row, c);
         if (c != COVERAGE_EXECUTE || !is_not_run(&row))
            fail_msg("%s %s: %s: %s", row.kind, row.name, column_name[c], row.no[c]);
      }
      if (row.instruction && is_not_run(&row) && !row.no[COVERAGE_EXECUTE][0])
         fail_msg("%s %s runs now: take it off the list of this test", row.kind, row.name);
   }
   print_message("Cayman: %u rows, %u instructions: encode %u, decode %u, text %u, validate %u, "
                 "execute %u\n",
                 count, instructions, yes[0], yes[1], yes[2], yes[3], yes[4]);
   assert_int_equal(count, 466);
   assert_int_equal(stale, 25 + 10);
   for (unsigned c = 0; c < COVERAGE_EXECUTE; c++)
      assert_int_equal(yes[c], instructions);
}

/* A whole instruction set: every instruction has all columns but the last, and what does not run
 * says why.  `runs` is how many do. */
static void
count_isa(const struct isa *isa, unsigned rows, unsigned instructions, unsigned runs)
{
   struct coverage_row row;
   unsigned count = 0, real = 0, yes[COVERAGE_COLUMNS] = { 0 };

   for (; coverage_isa_row(isa, count, &row); count++) {
      real += row.instruction;
      for (unsigned c = 0; c < COVERAGE_COLUMNS; c++) {
         if (!row.no[c][0]) {
            yes[c]++;
            continue;
         }
         report(&row, c);
         if (row.instruction && c != COVERAGE_EXECUTE)
            fail_msg("%s: %s: %s", row.name, column_name[c], row.no[c]);
      }
   }
   print_message("%s: %u rows, %u instructions: encode %u, decode %u, text %u, validate %u, "
                 "execute %u\n",
                 isa->title, count, real, yes[0], yes[1], yes[2], yes[3], yes[4]);
   assert_int_equal(count, rows);
   assert_int_equal(real, instructions);
   assert_int_equal(yes[COVERAGE_EXECUTE], runs);
}

/* Without what sets a depth of each sample. */
static void
attila(void **state)
{
   (void)state;
   count_isa(&isa_attila, 56, 53, 53 - 2);
}

/* Without what nothing could wake (1), sections that waves run in order (2), a signed reciprocal of
 * which no document says what it gives (1), doubles in slot t (5), exception flags (2) and an
 * ordered allocation in LDS (1). */
static void
evergreen(void **state)
{
   (void)state;
   count_isa(&isa_evergreen, 466, 423, 423 - 12);
}

/* Without what would read the tile buffer in order (2), blend programs (1), addresses of attributes
 * (2), and what has no document that says what it gives (7). */
static void
valhall(void **state)
{
   (void)state;
   count_isa(&isa_valhall, 252, 252, 252 - 7);
}

static void
il(void **state)
{
   (void)state;
   struct coverage_row row;
   unsigned count = 0, document = 0, compiled = 0, yes[COVERAGE_COLUMNS] = { 0 };

   for (; coverage_il_row(count, &row); count++) {
      bool extension = strcmp(row.kind, "IL") != 0; /* listed; tests/il has their programs */
      document += !extension;
      compiled += !extension && !row.not_compiled[0];
      if (row.not_compiled[0])
         print_message("not compiled: %s (%u): %s\n", row.name, row.number, row.not_compiled);
      for (unsigned c = 0; c < COVERAGE_COLUMNS; c++) {
         if (!row.no[c][0]) {
            yes[c] += !extension;
            continue;
         }
         report(&row, c);
         bool expected = extension || c == COVERAGE_EXECUTE || IN(row.name, il_without_shape) ||
                         (c == COVERAGE_VALIDATE && IN(row.name, il_not_validated));
         if (!expected)
            fail_msg("%s: %s: %s", row.name, column_name[c], row.no[c]);
      }
   }
   print_message("IL: %u opcodes of the document, %u extensions: encode %u, decode %u, text %u, "
                 "validate %u, execute %u; compiled %u\n",
                 document, count - document, yes[0], yes[1], yes[2], yes[3], yes[4], compiled);
   assert_int_equal(document, 482 + 1);
   for (unsigned c = 0; c < COVERAGE_VALIDATE; c++)
      assert_int_equal(yes[c], document - 7);
   assert_int_equal(yes[COVERAGE_VALIDATE], document - 7 - 1);
   /* These grow, and never shrink. */
   assert_true(yes[COVERAGE_EXECUTE] >= 471);
   assert_true(compiled >= 470);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(cayman),  cmocka_unit_test(attila), cmocka_unit_test(evergreen),
      cmocka_unit_test(valhall), cmocka_unit_test(il),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
