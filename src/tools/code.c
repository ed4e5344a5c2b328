/* SPDX-License-Identifier: MIT */
/* See code.h. */
#include "code.h"

#include <stdlib.h>
#include <string.h>

#include "container.h"

const struct isa *
code_isa(const struct tool *tool, const char *name)
{
   const struct isa *isa = isa_find(name, strlen(name));
   if (!isa)
      tool_usage(tool, "unknown instruction set '%s'", name);
   return isa;
}

bool
code_read(const struct tool_file *file, const struct isa *given, struct code *code)
{
   struct container c = { .words = (const uint8_t *)file->data, .num_bytes = file->size };

   *code = (struct code){ .isa = given ? given : isa_at(0) };
   if (container_is_elf(file->data, file->size)) {
      const char *wrong = container_read(file->data, file->size, &c);
      if (wrong) {
         tool_error(file, 0, 0, "%s", wrong);
         return false;
      }
      const struct isa *isa = c.isa_size ? isa_find(c.isa, c.isa_size) : code->isa;
      if (!isa) {
         tool_error(file, 0, 0, "for an unknown instruction set");
         return false;
      }
      if (given && given != isa) {
         tool_error(file, 0, 0, "for %s, not for %s", isa->title, given->title);
         return false;
      }
      code->isa = isa;
      code->before = c.before;
      code->before_size = c.before_size;
      code->after = c.after;
      code->after_size = c.after_size;
   }
   struct tool_file part = { file->name, (char *)(uintptr_t)c.words, c.num_bytes };
   code->words = tool_words(&part, &code->num_dwords);
   if (code->words && code->num_dwords == 0) {
      tool_error(file, 0, 0, "there is no program in it");
      free(code->words);
      code->words = NULL;
   }
   return code->words != NULL;
}
