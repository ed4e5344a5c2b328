/* SPDX-License-Identifier: MIT */
/* Prints coverage rows; see coverage.h. */
#include "coverage.h"

#include <stdio.h>
#include <stdlib.h>

static void
print_row(FILE *f, const struct coverage_row *row)
{
   fprintf(f, "%s\t%s\t%s\t%u", row->isa, row->kind, row->name, row->number);
   for (unsigned c = 0; c < COVERAGE_COLUMNS; c++)
      fprintf(f, "\t%s", row->no[c][0] ? row->no[c] : "yes");
}

static void
print_isas(FILE *f, const struct isa *only)
{
   struct coverage_row row;

   for (unsigned id = 0; id < ISA_COUNT; id++) {
      const struct isa *isa = isa_at(id);
      for (unsigned i = 0; (!only || only == isa) && coverage_isa_row(isa, i, &row); i++) {
         print_row(f, &row);
         fputc('\n', f);
      }
   }
}

static void
print_il(FILE *f, const struct isa *none)
{
   struct coverage_row row;

   (void)none;
   for (unsigned i = 0; coverage_il_row(i, &row); i++) {
      print_row(f, &row);
      fprintf(f, "\t%s\n", row.not_compiled[0] ? row.not_compiled : "yes");
   }
}

static int
print(const struct tool *tool, const char *output, const struct isa *isa, const char *more,
      void (*rows)(FILE *f, const struct isa *isa))
{
   char *text = NULL;
   size_t size = 0;
   FILE *f = open_memstream(&text, &size);

   if (!f) {
      fprintf(stderr, "%s: no memory\n", tool->name);
      return TOOL_SYSTEM;
   }
   fprintf(f, "isa\tkind\tname\tnumber\tencode\tdecode\ttext\tvalidate\texecute%s\n", more);
   rows(f, isa);
   fclose(f);
   int code = text && tool_write(tool, output, text, size) ? TOOL_OK : TOOL_SYSTEM;
   free(text);
   return code;
}

int
coverage_print_isas(const struct tool *tool, const char *output, const struct isa *isa)
{
   return print(tool, output, isa, "", print_isas);
}

int
coverage_print_il(const struct tool *tool, const char *output)
{
   return print(tool, output, NULL, "\tcompile", print_il);
}
