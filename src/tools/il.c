/* SPDX-License-Identifier: MIT */
/*
 * atoll-il: AMD IL, text or binary, to text or binary; or checked only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/lower/lower.h"

#include "coverage.h"
#include "il_input.h"
#include "tool.h"

enum { OUTPUT, TO, CHECK, NO_VALIDATE, STD, NUMBERING, LOWER, LIST };

static const struct tool_option options[] = {
   [OUTPUT] = { "output", 'o', "FILE", NULL, "write there; without it, to standard output" },
   [TO] = { "to", 't', "FORM", "text binary", "what to write: text (the default) or binary" },
   [CHECK] = { "check", 'c', NULL, NULL, "validate only, write nothing" },
   [NO_VALIDATE] = { "no-validate", 0, NULL, NULL, "do not check the rules of the language" },
   [STD] = { "std", 0, "STANDARD", "2.4 extended",
             "2.4 refuses extensions; without it, they are taken" },
   [NUMBERING] = { "numbering", 0, "NUMBERS", "stream document",
                   "opcode numbers of binary: of real streams (default) or as Appendix B prints" },
   [LOWER] = { "lower", 0, "TARGET", "none cayman",
               "legalise for a target, or for one with nothing but the core" },
   [LIST] = { "list", 'l', NULL, NULL,
              "list every opcode: kind, name, number, and what of it works" },
   TOOL_COMMON_OPTIONS,
};

static const struct tool tool = {
   .name = "atoll-il",
   .usage = "[OPTION...] FILE",
   .summary = "Reads AMD IL, text or binary, validates it, and writes it in canonical text or as\n"
              "binary.  FILE is - for standard input.",
   .options = options,
};

static int
write_program(const struct il_program *p, const char *output, bool binary,
              enum il_numbering numbering, const struct tool_file *file)
{
   struct il_error err;
   uint32_t count;
   char *text = NULL;
   size_t size = 0;

   if (!binary) {
      text = il_print(p);
      size = text ? strlen(text) : 0;
   } else {
      uint32_t *words = il_write(p, numbering, &count, &err);
      if (!words) {
         tool_error(file, 0, 0, "%s", err.text);
         return TOOL_REFUSED;
      }
      size = 4 * (size_t)count;
      text = (char *)words; /* little endian hosts alone are supported */
   }
   if (!text) {
      fprintf(stderr, "%s: no memory\n", tool.name);
      return TOOL_SYSTEM;
   }
   int code = tool_write(&tool, output, text, size) ? TOOL_OK : TOOL_SYSTEM;
   free(text);
   return code;
}

/* The program legalised, instead of the one given; NULL, and a message: it cannot be. */
static struct il_program *
lower(struct il_program *p, const struct il_target_caps *caps, struct il_program **lowered,
      const struct tool_file *file)
{
   struct il_error err;

   if (!il_lower(p, caps, lowered, &err)) {
      if (tool_is_text(file))
         tool_error(file, err.where, 0, "%s", err.text);
      else
         tool_error(file, 0, 0, "dword %u: %s", err.where, err.text);
      return NULL;
   }
   return *lowered ? *lowered : p;
}

int
main(int argc, char **argv)
{
   struct tool_args args = { .tool = &tool, .argc = argc, .argv = argv };
   const char *output = NULL;
   bool binary = false, check = false, validate = true, list = false;
   enum il_numbering numbering = IL_NUMBERING_STREAM;
   enum il_standard standard = IL_STD_EXTENDED;
   const struct il_target_caps *target = NULL, none = { 0 };
   int option;

   while ((option = tool_next(&args)) != TOOL_ARG_END) {
      switch (option) {
      case TOOL_ARG_EXIT:
         return args.exit_code;
      case OUTPUT:
         output = args.value;
         break;
      case TO:
         binary = !strcmp(args.value, "binary");
         if (!binary && strcmp(args.value, "text") != 0)
            return tool_usage(&tool, "unknown form '%s'", args.value);
         break;
      case CHECK:
         check = true;
         break;
      case NO_VALIDATE:
         validate = false;
         break;
      case STD:
         standard = !strcmp(args.value, "2.4") ? IL_STD_2_4 : IL_STD_EXTENDED;
         if (standard == IL_STD_EXTENDED && strcmp(args.value, "extended") != 0)
            return tool_usage(&tool, "unknown standard '%s'", args.value);
         break;
      case NUMBERING:
         numbering = !strcmp(args.value, "document") ? IL_NUMBERING_DOCUMENT : IL_NUMBERING_STREAM;
         if (numbering == IL_NUMBERING_STREAM && strcmp(args.value, "stream") != 0)
            return tool_usage(&tool, "unknown numbering '%s'", args.value);
         break;
      case LOWER:
         target = !strcmp(args.value, "cayman") ? &cayman_caps : &none;
         if (target == &none && strcmp(args.value, "none") != 0)
            return tool_usage(&tool, "unknown target '%s'", args.value);
         break;
      default:
         list = true;
         break;
      }
   }
   if (list)
      return coverage_print_il(&tool, output);
   if (!args.input)
      return tool_usage(&tool, "no input file");
   struct tool_file file;
   if (!tool_read(&tool, args.input, &file))
      return TOOL_SYSTEM;
   int code = TOOL_REFUSED;
   struct il_program *p = il_input_read(&file, numbering, "");
   if (p && (!validate || il_input_validate(&file, p, standard))) {
      struct il_program *lowered = NULL, *result = target ? lower(p, target, &lowered, &file) : p;
      if (result)
         code = check ? TOOL_OK : write_program(result, output, binary, numbering, &file);
      il_program_free(lowered);
   }
   il_program_free(p);
   free(file.data);
   return code;
}
