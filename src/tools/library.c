/* SPDX-License-Identifier: MIT */
/* libatoll-isa: the public header's functions on top of the languages' own libraries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atoll/isa.h"
#include "compiler/cayman/cayman_compile.h"
#include "il/il.h"
#include "isa/cayman/cayman.h"
#include "isa/isa.h"

struct atoll_il {
   struct il_program *program;
   bool text; /* instructions know their line, not their dword */
};

unsigned
atoll_isa_version(void)
{
   return ATOLL_ISA_VERSION;
}

void
atoll_isa_free(void *pointer)
{
   free(pointer);
}

static void
say(struct atoll_isa_message *message, unsigned line, unsigned column, const char *text)
{
   if (message) {
      message->line = line;
      message->column = column;
      snprintf(message->text, sizeof(message->text), "%s", text);
   }
}

const char *
atoll_isa_name(unsigned index)
{
   const struct isa *isa = isa_at(index);
   return isa ? isa->name : NULL;
}

static const struct isa *
find(const char *name, struct atoll_isa_message *message)
{
   const struct isa *isa = isa_find(name, strlen(name));
   if (!isa)
      say(message, 0, 0, "unknown instruction set");
   return isa;
}

uint32_t *
atoll_isa_assemble(const char *name, const char *text, size_t length, size_t *num_dwords,
                   struct atoll_isa_message *message)
{
   const struct isa *isa = find(name, message);
   struct isa_binary binary;
   struct isa_error error;

   if (!isa)
      return NULL;
   if (!isa->assemble(text, length, NULL, &binary, &error)) {
      say(message, error.line, error.column, error.text);
      return NULL;
   }
   uint32_t *words = binary.words;
   *num_dwords = binary.num_dwords;
   binary.words = NULL;
   isa_binary_finish(&binary);
   return words;
}

char *
atoll_isa_disassemble(const char *name, const uint32_t *words, size_t num_dwords, size_t *length)
{
   const struct isa *isa = find(name, NULL);
   return isa ? isa->disassemble(words, num_dwords, length) : NULL;
}

bool
atoll_isa_validate(const char *name, const uint32_t *words, size_t num_dwords,
                   enum atoll_isa_stage stage, unsigned num_gprs, struct atoll_isa_message *message)
{
   static const enum isa_stage stages[] = {
      [ATOLL_ISA_STAGE_ANY] = ISA_STAGE_ANY,
      [ATOLL_ISA_STAGE_PIXEL] = ISA_STAGE_PIXEL,
      [ATOLL_ISA_STAGE_VERTEX] = ISA_STAGE_VERTEX,
      [ATOLL_ISA_STAGE_COMPUTE] = ISA_STAGE_COMPUTE,
   };
   const struct isa *isa = find(name, message);
   struct isa_limits limits = { .num_gprs = num_gprs,
                                .stage = (unsigned)stage < 4 ? stages[stage] : ISA_STAGE_ANY };
   struct isa_error error;

   if (!isa)
      return false;
   bool ok = isa->validate(words, num_dwords, &limits, &error);
   if (!ok)
      say(message, error.line, error.column, error.text);
   return ok;
}

uint32_t *
atoll_cayman_assemble(const char *text, size_t length, size_t *num_dwords,
                      struct atoll_isa_message *message)
{
   return atoll_isa_assemble(isa_cayman.name, text, length, num_dwords, message);
}

char *
atoll_cayman_disassemble(const uint32_t *words, size_t num_dwords, size_t *length)
{
   return cayman_listing_text(CAYMAN_VLIW4, words, num_dwords, length);
}

bool
atoll_cayman_validate(const uint32_t *words, size_t num_dwords, enum atoll_cayman_stage stage,
                      unsigned num_gprs, unsigned stack_entries, struct atoll_isa_message *message)
{
   struct cayman_limits limits = { .num_gprs = num_gprs < 128 ? num_gprs : 128,
                                   .num_clause_temps = 4,
                                   .stack_entries = stack_entries,
                                   .fetch_shader = stage == ATOLL_CAYMAN_FETCH,
                                   .pixel_shader = stage == ATOLL_CAYMAN_PIXEL };
   char text[256];
   bool ok = cayman_validate(words, num_dwords, &limits, text, sizeof(text));
   if (!ok)
      say(message, 0, 0, text);
   return ok;
}

static struct atoll_il *
wrap(struct il_program *program, bool text, const struct il_error *err,
     struct atoll_isa_message *message)
{
   struct atoll_il *il = program ? malloc(sizeof(*il)) : NULL;
   if (!il) {
      say(message, program ? 0 : err->where, program ? 0 : err->column,
          program ? "no memory" : err->text);
      il_program_free(program);
      return NULL;
   }
   *il = (struct atoll_il){ program, text };
   return il;
}

struct atoll_il *
atoll_il_parse(const char *text, size_t length, struct atoll_isa_message *message)
{
   struct il_error err = { 0 };
   return wrap(il_parse(text, length, &err), true, &err, message);
}

struct atoll_il *
atoll_il_read(const uint32_t *words, size_t num_dwords, unsigned flags,
              struct atoll_isa_message *message)
{
   struct il_error err = { .text = "a stream has fewer dwords than 2^32" };
   if (num_dwords > UINT32_MAX)
      return wrap(NULL, false, &err, message);
   return wrap(
      il_read(words, (uint32_t)num_dwords,
              flags & ATOLL_IL_DOCUMENT_NUMBERS ? IL_NUMBERING_DOCUMENT : IL_NUMBERING_STREAM,
              &err),
      false, &err, message);
}

void
atoll_il_destroy(struct atoll_il *il)
{
   if (il) {
      il_program_free(il->program);
      free(il);
   }
}

char *
atoll_il_print(const struct atoll_il *il)
{
   return il_print(il->program);
}

uint32_t *
atoll_il_write(const struct atoll_il *il, unsigned flags, size_t *num_dwords,
               struct atoll_isa_message *message)
{
   struct il_error err = { 0 };
   uint32_t count = 0;
   uint32_t *words = il_write(
      il->program, flags & ATOLL_IL_DOCUMENT_NUMBERS ? IL_NUMBERING_DOCUMENT : IL_NUMBERING_STREAM,
      &count, &err);
   if (!words)
      say(message, 0, 0, err.text);
   *num_dwords = count;
   return words;
}

bool
atoll_il_validate(const struct atoll_il *il, unsigned flags, struct atoll_isa_message *message)
{
   struct il_error err = { 0 };
   bool ok =
      il_validate(il->program, flags & ATOLL_IL_STANDARD_2_4 ? IL_STD_2_4 : IL_STD_EXTENDED, &err);
   if (!ok) {
      say(message, err.where < il->program->ninsts ? il->program->insts[err.where].offset : 0, 0,
          err.text);
   }
   return ok;
}

bool
atoll_il_compile_cayman(const struct atoll_il *il, unsigned flags, struct atoll_cayman_program *out,
                        struct atoll_isa_message *message)
{
   struct shader_code shader;
   char text[256];

   memset(out, 0, sizeof(*out));
   if (!atoll_il_validate(il, 0, message))
      return false;
   if (!cayman_compile(il->program, flags & ATOLL_COMPILE_NO_OPT ? SHADER_COMPILE_NO_OPT : 0,
                       &shader, text, sizeof(text))) {
      say(message, 0, 0, text);
      return false;
   }
   *out = (struct atoll_cayman_program){
      .words = shader.words,
      .num_dwords = shader.num_dwords,
      .num_gprs = shader.num_gprs,
      .stack_entries = shader.stack_size,
      .scratch_vec4s = shader.scratch_vec4s,
      .alu_groups = shader.num_alu_groups,
      .alu_slots = shader.num_alu_slots,
      .loops = shader.num_loops,
      .cf_instructions = shader.num_cf,
      .fetches = shader.num_fetches,
   };
   shader.words = NULL;
   shader_code_finish(&shader);
   return true;
}
