/* SPDX-License-Identifier: MIT */
/* Prints coverage rows; see coverage.h. */
#include "coverage.h"

#include <stdio.h>
#include <stdlib.h>

int
coverage_print(const struct tool *tool, const char *output,
               bool (*get)(unsigned i, struct coverage_row *row))
{
   struct coverage_row row;
   char *text = NULL;
   size_t size = 0;
   FILE *f = open_memstream(&text, &size);

   if (!f) {
      fprintf(stderr, "%s: no memory\n", tool->name);
      return TOOL_SYSTEM;
   }
   fputs("kind\tname\tnumber\tencode\tdecode\ttext\tvalidate\texecute\n", f);
   for (unsigned i = 0; get(i, &row); i++) {
      fprintf(f, "%s\t%s\t%u", row.kind, row.name, row.number);
      for (unsigned c = 0; c < COVERAGE_COLUMNS; c++) {
         fprintf(f, "\t%s", row.no[c][0] ? row.no[c] : "yes");
      }
      fputc('\n', f);
   }
   fclose(f);
   int code = text && tool_write(tool, output, text, size) ? TOOL_OK : TOOL_SYSTEM;
   free(text);
   return code;
}
