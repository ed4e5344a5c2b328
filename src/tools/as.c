/* SPDX-License-Identifier: MIT */
/*
 * atoll-as: a text of any instruction set to words, raw or in an ELF file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "container.h"
#include "coverage.h"

enum { OUTPUT, ISA, FORMAT, NO_VALIDATE, GPRS, STAGE, REPRINT, LIST };

static const struct tool_option options[] = {
   [OUTPUT] = { "output", 'o', "FILE", NULL, "write there; without it, to standard output" },
   [ISA] = CODE_ISA_OPTION("instruction set of the text (cayman)"),
   [FORMAT] = { "format", 'f', "FORMAT", "raw elf",
                "raw words or ELF; without it, by the name of the output" },
   [NO_VALIDATE] = { "no-validate", 0, NULL, NULL, "do not check the rules of the ISA guide" },
   [GPRS] = { "gprs", 'g', "N", NULL, "registers the program may use (else what the text says)" },
   [STAGE] = { "stage", 's', "STAGE", ISA_STAGE_NAMES,
               "pixel, vertex or compute shader, or Cayman's fetch subroutine" },
   [REPRINT] = { "reprint", 'r', NULL, NULL,
                 "print the text back, laid out; takes Cayman's of older chips too" },
   [LIST] = { "list", 'l', NULL, NULL,
              "list every instruction: set, kind, name, number, and what of it works" },
   TOOL_COMMON_OPTIONS,
};

static const struct tool tool = {
   .name = "atoll-as",
   .usage = "[OPTION...] FILE",
   .summary =
      "Assembles a program: for Cayman (Radeon HD 6900) in AMD's listing format, for others\n"
      "in the text of their documents.  FILE is - for standard input.",
   .options = options,
};

static bool
ends_with(const char *s, const char *tail)
{
   size_t n = s ? strlen(s) : 0, m = strlen(tail);
   return n >= m && !strcmp(s + n - m, tail);
}

static int
write_words(const struct isa *isa, const struct isa_binary *b, const char *output, bool elf)
{
   size_t size = 4 * b->num_dwords;
   uint8_t *bytes = malloc(size ? size : 1), *file = bytes;
   int code = TOOL_SYSTEM;

   for (size_t i = 0; bytes && i < size; i++)
      bytes[i] = (uint8_t)(b->words[i / 4] >> (8 * (i % 4)));
   if (bytes && elf) {
      struct container c = { .words = bytes,
                             .num_bytes = size,
                             .isa = isa->name,
                             .isa_size = strlen(isa->name),
                             .before = b->before,
                             .before_size = b->before_size,
                             .after = b->after,
                             .after_size = b->after_size };
      file = container_write(&c, &size);
   }
   if (!file)
      fprintf(stderr, "%s: no memory\n", tool.name);
   else if (tool_write(&tool, output, file, size))
      code = TOOL_OK;
   if (file != bytes)
      free(file);
   free(bytes);
   return code;
}

static bool
is_text(const struct tool_file *file)
{
   bool text = tool_is_text(file);
   if (!text)
      tool_error(file, 0, 0, "not a text; atoll-dis reads words");
   return text;
}

static int
assemble(const struct isa *isa, const struct tool_file *file, const char *output, bool elf,
         const struct isa_limits *limits)
{
   struct isa_error error;
   struct isa_binary binary;

   if (!is_text(file))
      return TOOL_REFUSED;
   if (!isa->assemble(file->data, file->size, limits, &binary, &error)) {
      tool_error(file, error.line, error.column, "%s", error.text);
      return TOOL_REFUSED;
   }
   int code = write_words(isa, &binary, output, elf);
   isa_binary_finish(&binary);
   return code;
}

static int
reprint(const struct isa *isa, const struct tool_file *file, const char *output)
{
   struct isa_error error;
   if (!is_text(file))
      return TOOL_REFUSED;
   char *text = isa_reprint(isa, file->data, file->size, &error);
   if (!text) {
      tool_error(file, error.line, error.column, "%s", error.text);
      return TOOL_REFUSED;
   }
   int code = tool_write(&tool, output, text, strlen(text)) ? TOOL_OK : TOOL_SYSTEM;
   free(text);
   return code;
}

int
main(int argc, char **argv)
{
   struct tool_args args = { .tool = &tool, .argc = argc, .argv = argv };
   const char *output = NULL, *format = NULL;
   const struct isa *isa = NULL;
   bool validate = true, canonical = false, list = false;
   struct isa_limits limits = { 0 };
   uint32_t gprs;
   int option;

   while ((option = tool_next(&args)) != TOOL_ARG_END) {
      switch (option) {
      case TOOL_ARG_EXIT:
         return args.exit_code;
      case OUTPUT:
         output = args.value;
         break;
      case ISA:
         isa = code_isa(&tool, args.value);
         if (!isa)
            return TOOL_USAGE;
         break;
      case FORMAT:
         format = args.value;
         if (strcmp(format, "raw") != 0 && strcmp(format, "elf") != 0)
            return tool_usage(&tool, "unknown format '%s'", format);
         break;
      case NO_VALIDATE:
         validate = false;
         break;
      case GPRS:
         if (!tool_number(&tool, "gprs", args.value, 128, &gprs))
            return TOOL_USAGE;
         limits.num_gprs = gprs;
         break;
      case STAGE:
         if (!isa_stage_find(args.value, &limits.stage))
            return tool_usage(&tool, "unknown stage '%s'", args.value);
         break;
      case REPRINT:
         canonical = true;
         break;
      default:
         list = true;
         break;
      }
   }
   if (list)
      return coverage_print_isas(&tool, output, isa);
   if (!args.input)
      return tool_usage(&tool, "no input file");
   struct tool_file file;
   if (!tool_read(&tool, args.input, &file))
      return TOOL_SYSTEM;
   isa = isa ? isa : isa_at(0);
   bool elf =
      format ? !strcmp(format, "elf") : ends_with(output, ".elf") || ends_with(output, ".o");
   int code = canonical ? reprint(isa, &file, output)
                        : assemble(isa, &file, output, elf, validate ? &limits : NULL);
   free(file.data);
   return code;
}
