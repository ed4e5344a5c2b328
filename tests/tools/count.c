/* SPDX-License-Identifier: MIT */
/*
 * Counts: 461 rows of Cayman, 56 of ATTILA, 482 opcodes of IL, MOVA and the extensions.  Each
 * encodes, decodes, prints, parses and validates, and runs; what does not is listed with its
 * reason, and fails unless it is one of those named here.
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
   { "CF", "JUMPTABLE" },
   { "CF", "GLOBAL_WAVE_SYNC" },
   { "CF", "HALT" },
   { "CF", "INTERRUPT" },
   { "CF", "INTERRUPT_AND_SLEEP" },
   { "CF", "MEM_EXPORT" },
   { "CF", "MEM_EXPORT_COMBINED" },
   { "CF", "MEM_RAT_COMBINED_CACHELESS" },
   { "CF", "MEM_RAT_COMBINED" },
   { "GWS", "SEMA_V" },
   { "GWS", "SEMA_P" },
   { "GWS", "BARRIER" },
   { "GWS", "INIT" },
   { "OP2", "STORE_FLAGS" },
   { "OP2", "LOAD_STORE_FLAGS" },
   { "LDS", "ATOMIC_ORDERED_ALLOC_RET" },
   { "VTX", "SEMANTIC" },
   { "MEM", "SCATTER" },
   { "GDS", "ATOMIC_ORDERED_ALLOC_RET" },
};

/* Opcodes of IL without a known shape, and two that no program holds. */
static const char *const il_without_shape[] = { "sample_return_code", "div_scale", "div_fmas",
                                                "ddiv_scale",         "ddiv_fmas", "-" };
static const char *const il_not_validated[] = { "precomp", };

static bool
in_list(const char *name, const char *const *list, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      if (!strcmp(list[i], name)) {
         return true;
      }
   }
   return false;
}
#define IN(name, list) in_list(name, list, sizeof(list) / sizeof(*(list)))

static bool
in_gaps(const struct coverage_row *row, const struct gap *gaps, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      if (!strcmp(gaps[i].kind, row->kind) && !strcmp(gaps[i].name, row->name)) {
         return true;
      }
   }
   return false;
}
#define IS_GAP(row, gaps) in_gaps(row, gaps, sizeof(gaps) / sizeof(*(gaps)))

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
            if (c == 0) {
               report(&row, c);
            }
            continue;
         }
         report(&row, c);
         if (c != COVERAGE_EXECUTE || !IS_GAP(&row, not_run)) {
            fail_msg("%s %s: %s: %s", row.kind, row.name, column_name[c], row.no[c]);
         }
      }
      if (row.instruction && IS_GAP(&row, not_run) && !row.no[COVERAGE_EXECUTE][0]) {
         print_message("%s %s runs now: take it off the list of this test\n", row.kind, row.name);
      }
   }
   print_message("Cayman: %u rows, %u instructions: encode %u, decode %u, text %u, validate %u, "
                 "execute %u\n",
                 count, instructions, yes[0], yes[1], yes[2], yes[3], yes[4]);
   assert_int_equal(count, 461);
   assert_int_equal(stale, 23 + 8);
   for (unsigned c = 0; c < COVERAGE_EXECUTE; c++) {
      assert_int_equal(yes[c], instructions);
   }
}

/* What waits for the pipeline that has it. */
static const struct gap attila_not_run[] = {
   { "texture", "TXL" }, { "texture", "TEX" }, { "texture", "TXB" }, { "texture", "TXP" },
   { "control", "KLS" }, { "output", "ZXS" },  { "control", "CHS" },
};

static void
attila(void **state)
{
   (void)state;
   struct coverage_row row;
   unsigned count = 0, instructions = 0, yes[COVERAGE_COLUMNS] = { 0 };

   for (; coverage_isa_row(&isa_attila, count, &row); count++) {
      instructions += row.instruction;
      bool waits = IS_GAP(&row, attila_not_run);
      for (unsigned c = 0; c < COVERAGE_COLUMNS; c++) {
         if (!row.no[c][0]) {
            yes[c]++;
            assert_false(c == COVERAGE_EXECUTE && waits);
            continue;
         }
         report(&row, c);
         if (row.instruction && (c != COVERAGE_EXECUTE || !waits)) {
            fail_msg("%s: %s: %s", row.name, column_name[c], row.no[c]);
         }
      }
   }
   print_message("ATTILA: %u rows, %u instructions: encode %u, decode %u, text %u, validate %u, "
                 "execute %u\n",
                 count, instructions, yes[0], yes[1], yes[2], yes[3], yes[4]);
   assert_int_equal(count, 56);
   assert_int_equal(instructions, 53);
   assert_int_equal(yes[COVERAGE_EXECUTE], 53 - 7);
}

static void
il(void **state)
{
   (void)state;
   struct coverage_row row;
   unsigned count = 0, document = 0, yes[COVERAGE_COLUMNS] = { 0 };

   for (; coverage_il_row(count, &row); count++) {
      bool extension = strcmp(row.kind, "IL") != 0; /* listed; tests/il has their programs */
      document += !extension;
      for (unsigned c = 0; c < COVERAGE_COLUMNS; c++) {
         if (!row.no[c][0]) {
            yes[c] += !extension;
            continue;
         }
         report(&row, c);
         bool expected = extension || c == COVERAGE_EXECUTE || IN(row.name, il_without_shape) ||
                         (c == COVERAGE_VALIDATE && IN(row.name, il_not_validated));
         if (!expected) {
            fail_msg("%s: %s: %s", row.name, column_name[c], row.no[c]);
         }
      }
   }
   print_message("IL: %u opcodes of the document, %u extensions: encode %u, decode %u, text %u, "
                 "validate %u, compiled %u\n",
                 document, count - document, yes[0], yes[1], yes[2], yes[3], yes[4]);
   assert_int_equal(document, 482 + 1);
   for (unsigned c = 0; c < COVERAGE_VALIDATE; c++) {
      assert_int_equal(yes[c], document - 7);
   }
   assert_int_equal(yes[COVERAGE_VALIDATE], document - 7 - 1);
   /* Grows with the compiler, never shrinks. */
   assert_true(yes[COVERAGE_EXECUTE] >= 448);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(cayman),
      cmocka_unit_test(attila),
      cmocka_unit_test(il),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
