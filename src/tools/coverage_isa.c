/* SPDX-License-Identifier: MIT */
/*
 * What works of every row of an instruction set's table; see coverage.h.
 *
 * The small program of a row is a text, so trying it tries the assembler too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attila/attila.h"
#include "isa/cayman/cayman.h"
#include "isa/valhall/valhall.h"
#include "sq/sq.h"
#include "valhall/valhall.h"

#include "coverage.h"

static void
set_no(struct coverage_row *row, unsigned column, const char *reason)
{
   snprintf(row->no[column], sizeof(row->no[column]), "%s", reason);
}

static enum sq_stage
device_stage(enum isa_stage stage)
{
   switch (stage) {
   case ISA_STAGE_PIXEL:
      return SQ_STAGE_PS;
   case ISA_STAGE_GEOMETRY:
      return SQ_STAGE_GS;
   case ISA_STAGE_HULL:
      return SQ_STAGE_HS;
   case ISA_STAGE_COMPUTE:
      return SQ_STAGE_CS;
   default:
      return SQ_STAGE_VS;
   }
}

/* Why the device does not take a program, or NULL; in *error there is room for a reason. */
static const char *
lift_cayman(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
{
   const uint32_t fetch[2] = { 0, (uint32_t)CAYMAN_CF_RETURN << 22 };
   struct sq_program_source source = { .stage = device_stage(stage),
                                       .words = b->words,
                                       .num_words = b->num_dwords,
                                       .fetch_words = fetch,
                                       .num_fetch_words = 2,
                                       .pgm_resources = 16 | 8 << 8 };
   struct sq_program *program = kernels_sse2.sq_lift(&source);

   if (!program) {
      return "no memory";
   }
   snprintf(error, size, "%s", program->error ? program->error : "");
   kernels_sse2.sq_program_free(program);
   return error[0] ? error : NULL;
}

static const char *
lift_attila(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
{
   struct at_source source = { .words = b->words,
                               .num_dwords = b->num_dwords,
                               .pixel = stage == ISA_STAGE_PIXEL };
   struct at_program *program = at_kernels_sse2.lift(&source);

   if (!program) {
      return "no memory";
   }
   snprintf(error, size, "%s", program->error ? program->error : "");
   at_kernels_sse2.free(program);
   return error[0] ? error : NULL;
}

static const char *
lift_valhall(enum isa_stage stage, const struct isa_binary *b, char *error, size_t size)
{
   size_t count;
   uint64_t *words = valhall_words(b->words, b->num_dwords, &count);
   struct vh_source source = { .words = words, .count = count };

   (void)stage;
   struct vh_program *program = words ? vh_kernels_sse2.lift(&source) : NULL;
   const char *reason = program ? vh_kernels_sse2.error(program) : "no memory";
   snprintf(error, size, "%s", reason ? reason : "");
   if (program) {
      vh_kernels_sse2.free(program);
   }
   free(words);
   return error[0] ? error : NULL;
}

static const char *(*const lifters[ISA_COUNT])(enum isa_stage stage, const struct isa_binary *b,
                                               char *error, size_t size) = {
   [ISA_ID_cayman] = lift_cayman,
   [ISA_ID_attila] = lift_attila,
   [ISA_ID_valhall] = lift_valhall,
};

static void
try_program(const struct isa *isa, const struct isa_row *r, struct coverage_row *row)
{
   struct isa_limits limits = { .num_gprs = 16, .stage = r->stage };
   struct isa_binary binary, again = { NULL };
   struct isa_error error;
   size_t length;

   if (!isa->assemble(r->text, strlen(r->text), NULL, &binary, &error)) {
      for (unsigned c = 0; c < COVERAGE_COLUMNS; c++) {
         set_no(row, c, error.text);
      }
      return;
   }
   /* Decoding is the text of the words, encoding the words of that text. */
   char *text = isa->disassemble(binary.words, binary.num_dwords, &length);
   if (!text || strstr(text, isa->raw)) {
      set_no(row, COVERAGE_DECODE, "the text does not know it");
   }
   if (!text || !isa->assemble(text, length, NULL, &again, &error) ||
       again.num_dwords != binary.num_dwords ||
       memcmp(again.words, binary.words, 4 * binary.num_dwords) != 0) {
      set_no(row, COVERAGE_ENCODE, "the words of the text are others");
   }
   if (r->shown_as && (!text || !strstr(text, r->shown_as))) {
      set_no(row, COVERAGE_TEXT, "the text does not name it");
   }
   if (!isa->validate(binary.words, binary.num_dwords, &limits, &error)) {
      set_no(row, COVERAGE_VALIDATE, error.text);
   }
   char reason[256];
   const char *refused = lifters[isa->id](r->stage, &binary, reason, sizeof(reason));
   if (refused) {
      set_no(row, COVERAGE_EXECUTE, refused);
   }
   free(text);
   isa_binary_finish(&again);
   isa_binary_finish(&binary);
}

bool
coverage_isa_row(const struct isa *isa, unsigned i, struct coverage_row *row)
{
   struct isa_row r;

   if (!isa->row(i, &r)) {
      return false;
   }
   memset(row, 0, sizeof(*row));
   row->isa = isa->name;
   row->kind = r.kind;
   row->name = r.name;
   row->number = r.number;
   row->instruction = !r.absent;
   if (r.absent) {
      for (unsigned c = 0; c < COVERAGE_COLUMNS; c++) {
         snprintf(row->no[c], sizeof(row->no[c]), "%s: %.150s", r.absent, r.text);
      }
      return true;
   }
   try_program(isa, &r, row);
   return true;
}
