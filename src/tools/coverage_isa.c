/* SPDX-License-Identifier: MIT */
/*
 * What works of every row of an instruction set's table; see coverage.h.
 *
 * The small program of a row is a text, so trying it tries the assembler too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "execution.h"

static void
set_no(struct coverage_row *row, unsigned column, const char *reason)
{
   snprintf(row->no[column], sizeof(row->no[column]), "%s", reason);
}

static void
try_program(const struct isa *isa, const struct isa_row *r, struct coverage_row *row)
{
   struct isa_limits limits = { .num_gprs = 16, .stage = r->stage };
   struct isa_binary binary, again = { NULL };
   struct isa_error error;
   size_t length;

   if (!isa->assemble(r->text, strlen(r->text), NULL, &binary, &error)) {
      for (unsigned c = 0; c < COVERAGE_COLUMNS; c++)
         set_no(row, c, error.text);
      return;
   }
   /* Decoding is the text of the words, encoding the words of that text. */
   char *text = isa->disassemble(binary.words, binary.num_dwords, &length);
   if (!text || strstr(text, isa->raw))
      set_no(row, COVERAGE_DECODE, "the text does not know it");
   if (!text || !isa->assemble(text, length, NULL, &again, &error) ||
       again.num_dwords != binary.num_dwords ||
       memcmp(again.words, binary.words, 4 * binary.num_dwords) != 0)
      set_no(row, COVERAGE_ENCODE, "the words of the text are others");
   if (r->shown_as && (!text || !strstr(text, r->shown_as)))
      set_no(row, COVERAGE_TEXT, "the text does not name it");
   if (!isa->validate(binary.words, binary.num_dwords, &limits, &error))
      set_no(row, COVERAGE_VALIDATE, error.text);
   char reason[256];
   if (!execution_takes(isa, r->stage, &binary, reason, sizeof(reason)))
      set_no(row, COVERAGE_EXECUTE, reason);
   free(text);
   isa_binary_finish(&again);
   isa_binary_finish(&binary);
}

bool
coverage_isa_row(const struct isa *isa, unsigned i, struct coverage_row *row)
{
   struct isa_row r;

   if (!isa->row(i, &r))
      return false;
   memset(row, 0, sizeof(*row));
   row->isa = isa->name;
   row->kind = r.kind;
   row->name = r.name;
   row->number = r.number;
   row->instruction = !r.absent;
   if (r.absent) {
      for (unsigned c = 0; c < COVERAGE_COLUMNS; c++)
         snprintf(row->no[c], sizeof(row->no[c]), "%s: %.150s", r.absent, r.text);
      return true;
   }
   try_program(isa, &r, row);
   return true;
}
