/* SPDX-License-Identifier: MIT */
/* See il_input.h. */
#include "il_input.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/lower/lower.h"

#include "container.h"

struct il_program *
il_input_read(const struct tool_file *file, enum il_numbering numbering, const char *hint)
{
   struct il_program *p;
   struct il_error err = { 0 };

   if (tool_is_text(file)) {
      p = il_parse(file->data, file->size, &err);
      if (!p)
         tool_error(file, err.where, err.column, "%s", err.text);
      return p;
   }
   if (container_is_elf(file->data, file->size)) {
      tool_error(file, 0, 0, "an ELF file, not AMD IL; atoll-dis reads it");
      return NULL;
   }
   size_t count;
   uint32_t *words = tool_words(file, &count);
   if (!words)
      return NULL;
   p = il_read(words, (uint32_t)count, numbering, &err);
   if (!p)
      tool_error(file, 0, 0, "dword %u: %s%s", err.where, err.text, hint);
   free(words);
   return p;
}

/* A message about a line of text, or a dword of a stream. */
static void
report(const struct tool_file *file, uint32_t where, const char *text)
{
   if (tool_is_text(file))
      tool_error(file, where, 0, "%s", text);
   else
      tool_error(file, 0, 0, "dword %u: %s", where, text);
}

static uint32_t
offset_of(const struct il_program *p, unsigned index)
{
   return index < p->ninsts ? p->insts[index].offset : 0;
}

void
il_input_error(const struct tool_file *file, const struct il_program *p, unsigned index,
               const char *text)
{
   report(file, offset_of(p, index), text);
}

/* "not implemented: dmul at 12", "... (instruction 12)": the instruction that the message names. */
static unsigned
index_in(const char *message)
{
   unsigned index = ~0u;
   for (const char *at = message; *at; at++)
      if (sscanf(at, " at %u", &index) != 1)
         sscanf(at, "instruction %u", &index);
   return index;
}

void
il_input_refused(const struct tool_file *file, const struct il_program *p, const char *message)
{
   il_input_error(file, p, index_in(message), message);
}

void
il_input_not_compiled(const struct tool_file *file, const struct il_program *p, const char *message)
{
   struct il_program *lowered = NULL;
   struct il_error err;
   uint32_t where;

   /* The legaliser says where it was, the compiler which instruction it was at. */
   if (!il_lower(p, &cayman_caps, &lowered, &err) ||
       !il_is_core(lowered ? lowered : p, &cayman_caps, &err))
      where = err.where;
   else
      where = offset_of(p, index_in(message));
   report(file, where, message);
   il_program_free(lowered);
}

bool
il_input_validate(const struct tool_file *file, const struct il_program *p,
                  enum il_standard standard)
{
   struct il_error err = { 0 };

   if (il_validate(p, standard, &err))
      return true;
   il_input_error(file, p, err.where, err.text);
   return false;
}
