/* SPDX-License-Identifier: MIT */
/* ATTILA's struct isa, and a small program for every row of its table. */
#include "attila.h"

#include <stdio.h>
#include <string.h>

static const char scalar_directive[] = ".scalar\n";

static bool
assemble(const char *text, size_t length, const struct isa_limits *limits, struct isa_binary *out,
         struct isa_error *error)
{
   struct attila_program program;
   size_t bad;

   *out = (struct isa_binary){ NULL };
   if (!attila_parse(text, length, &program, error))
      return false;
   bool ok = !limits || attila_validate(program.words, program.num_dwords, limits, program.scalar,
                                        &bad, error->text, sizeof(error->text));
   if (!ok && bad < program.num_insts)
      error->line = program.lines[bad];
   if (ok && program.scalar) {
      out->before = strdup(scalar_directive);
      out->before_size = out->before ? strlen(out->before) : 0;
   }
   if (ok) {
      out->words = program.words;
      out->num_dwords = program.num_dwords;
      program.words = NULL;
   }
   attila_program_finish(&program);
   return ok;
}

static bool
validate(const uint32_t *words, size_t num_dwords, const struct isa_limits *limits,
         struct isa_error *error)
{
   *error = (struct isa_error){ 0 };
   return attila_validate(words, num_dwords, limits, false, NULL, error->text, sizeof(error->text));
}

/* The operand that a row's program has for a letter of opcodes.def. */
static const char *
operand_of(char kind)
{
   switch (kind) {
   case 's':
   case 'j':
      return "i0.x";
   case 'b':
      return "p1";
   case 't':
      return "t0";
   case 'n':
      return "s0";
   case 'a':
      return "v0";
   case 'l':
      return "1";
   default:
      return "i0";
   }
}

bool
attila_row(unsigned i, struct isa_row *row)
{
   static const char *const results[] = {
      [ATTILA_RESULT_NONE] = "",   [ATTILA_RESULT_FLOAT] = "r0", [ATTILA_RESULT_INT] = "r0",
      [ATTILA_RESULT_ANY] = "r0",  [ATTILA_RESULT_ADDR] = "a0",  [ATTILA_RESULT_PRED] = "p0",
      [ATTILA_RESULT_ACC] = "acc",
   };
   static const struct {
      uint8_t opcode;
      const char *reserved;
   } rows[] = {
#define ATTILA_OP(name, opcode, ...)  { opcode, NULL },
#define ATTILA_RESERVED(opcode, text) { opcode, text },
#include "opcodes.def"
   };

   if (i >= sizeof(rows) / sizeof(*rows))
      return false;
   const struct attila_info *info = attila_info(rows[i].opcode);
   memset(row, 0, sizeof(*row));
   row->number = rows[i].opcode;
   if (rows[i].reserved) {
      row->kind = "reserved";
      row->name = "-";
      row->absent = "reserved";
      snprintf(row->text, sizeof(row->text), "%s", rows[i].reserved);
      return true;
   }
   row->kind = info->kind;
   row->name = info->name;
   row->stage = info->forms & ATTILA_FORM_PIXEL ? ISA_STAGE_PIXEL : ISA_STAGE_VERTEX;

   struct isa_text t = { 0 };
   text_str(&t, info->name);
   text_str(&t, info->result == ATTILA_RESULT_NONE ? "" : " ");
   text_str(&t, results[info->result]);
   const char *comma = info->result == ATTILA_RESULT_NONE ? " " : ", ";
   for (const char *s = info->sources; *s; s++) {
      text_str(&t, comma);
      text_str(&t, operand_of(*s));
      comma = ", ";
   }
   text_str(&t, "\nmov o0, r0\nend\n");
   snprintf(row->text, sizeof(row->text), "%.*s", (int)t.size, t.data ? t.data : "");
   free(t.data);
   return true;
}

const struct isa isa_attila = {
   .id = ISA_ID_attila,
   .name = "attila",
   .title = "ATTILA",
   .raw = ".bits",
   .dwords = 4,
   .assemble = assemble,
   .disassemble = attila_listing,
   .validate = validate,
   .row = attila_row,
};
