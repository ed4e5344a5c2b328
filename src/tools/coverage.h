/* SPDX-License-Identifier: MIT */
/*
 * What works of every opcode, found by trying it: for --list and for the test that counts.
 *
 * A row is encoded, decoded, printed and parsed, validated and executed in a small program of its
 * own; a column holds nothing, or the reason why not.  Execution of an instruction set is the
 * device's lifter taking the program; execution of IL is the same for IL as it is
 * (direct/direct.h). IL has one more column: whether the compiler takes it.
 */
#ifndef ATOLL_COVERAGE_H
#define ATOLL_COVERAGE_H

#include <stdbool.h>

#include "isa/isa.h"

#include "tool.h"

enum coverage_column {
   COVERAGE_ENCODE,
   COVERAGE_DECODE,
   COVERAGE_TEXT,
   COVERAGE_VALIDATE,
   COVERAGE_EXECUTE,
   COVERAGE_COLUMNS,
};

struct coverage_row {
   const char *isa;  /* its name, or il */
   const char *kind; /* ALU2, CF, ... */
   const char *name;
   unsigned number;
   bool instruction;               /* false: a name without an instruction on this part */
   char no[COVERAGE_COLUMNS][256]; /* empty: yes */
   char not_compiled[256];         /* IL: the same */
};

/* Row `i` in the order of the table; false after the last. */
bool coverage_isa_row(const struct isa *isa, unsigned i, struct coverage_row *row);
bool coverage_il_row(unsigned i, struct coverage_row *row);

/* Print all rows of one instruction set, of all (NULL) or of IL, tab-separated, with a head line.
 * Returns an exit code. */
int coverage_print_isas(const struct tool *tool, const char *output, const struct isa *isa);
int coverage_print_il(const struct tool *tool, const char *output);

#endif /* ATOLL_COVERAGE_H */
