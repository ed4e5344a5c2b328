/* SPDX-License-Identifier: MIT */
/*
 * atoll-dis: words, raw or in an ELF file, to a Cayman listing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/cayman/listing.h"

#include "container.h"
#include "tool.h"

enum { OUTPUT, VALIDATE, GPRS, STAGE };

static const struct tool_option options[] = {
   [OUTPUT] = { "output", 'o', "FILE", NULL, "write there; without it, to standard output" },
   [VALIDATE] = { "validate", 'V', NULL, NULL,
                  "refuse a program that breaks a rule of the ISA guide" },
   [GPRS] = { "gprs", 'g', "N", NULL, "with --validate: registers the program may use" },
   [STAGE] = { "stage", 's', "STAGE", "ps vs fs",
               "with --validate: pixel shader, another stage, or fetch subroutine" },
   TOOL_COMMON_OPTIONS,
};

static const struct tool tool = {
   .name = "atoll-dis",
   .usage = "[OPTION...] FILE",
   .summary =
      "Disassembles a Cayman (Radeon HD 6900) program, raw words or an ELF file of atoll-as,\n"
      "to AMD's listing format; atoll-as gives the words back, whatever they are.\n"
      "FILE is - for standard input.",
   .options = options,
};

static int
list(const struct tool_file *file, const struct container *c, const char *output,
     const struct cayman_limits *limits)
{
   struct tool_file part = { file->name, (char *)(uintptr_t)c->words, c->num_bytes };
   size_t count, length;
   uint32_t *words = tool_words(&part, &count);
   char error[256], *text;

   if (!words) {
      return TOOL_REFUSED;
   }
   if (count == 0) {
      tool_error(file, 0, 0, "there is no program in it");
      free(words);
      return TOOL_REFUSED;
   }
   if (limits && !cayman_validate(words, count, limits, error, sizeof(error))) {
      tool_error(file, 0, 0, "%s", error);
      free(words);
      return TOOL_REFUSED;
   }
   text = cayman_listing_text(words, count, &length);
   free(words);
   struct cayman_text all = { 0 };
   text_add(&all, c->before, c->before_size);
   if (text) {
      if (c->before_size || c->after_size) {
         text_str(&all, "; ----- Disassembly -----\n");
      }
      text_add(&all, text, length);
   }
   text_add(&all, c->after, c->after_size);
   int code = TOOL_SYSTEM;
   if (!text || all.failed) {
      fprintf(stderr, "%s: no memory\n", tool.name);
   } else if (tool_write(&tool, output, all.data, all.size)) {
      code = TOOL_OK;
   }
   free(text);
   free(all.data);
   return code;
}

int
main(int argc, char **argv)
{
   struct tool_args args = { .tool = &tool, .argc = argc, .argv = argv };
   struct cayman_limits limits = { .num_gprs = 124, .num_clause_temps = 4 };
   const char *output = NULL;
   bool validate = false;
   uint32_t gprs;
   int option;

   while ((option = tool_next(&args)) != TOOL_ARG_END) {
      switch (option) {
      case TOOL_ARG_EXIT:
         return args.exit_code;
      case OUTPUT:
         output = args.value;
         break;
      case VALIDATE:
         validate = true;
         break;
      case GPRS:
         if (!tool_number(&tool, "gprs", args.value, 128, &gprs)) {
            return TOOL_USAGE;
         }
         limits.num_gprs = gprs;
         break;
      default:
         limits.pixel_shader = !strcmp(args.value, "ps");
         limits.fetch_shader = !strcmp(args.value, "fs");
         if (!limits.pixel_shader && !limits.fetch_shader && strcmp(args.value, "vs") != 0) {
            return tool_usage(&tool, "unknown stage '%s'", args.value);
         }
         break;
      }
   }
   if (!args.input) {
      return tool_usage(&tool, "no input file");
   }
   struct tool_file file;
   if (!tool_read(&tool, args.input, &file)) {
      return TOOL_SYSTEM;
   }
   struct container c = { (const uint8_t *)file.data, file.size, "", "", 0, 0 };
   const char *wrong = NULL;
   if (container_is_elf(file.data, file.size)) {
      wrong = container_read(file.data, file.size, &c);
      c.before = c.before ? c.before : "";
      c.after = c.after ? c.after : "";
   }
   int code = TOOL_REFUSED;
   if (wrong) {
      tool_error(&file, 0, 0, "%s", wrong);
   } else {
      code = list(&file, &c, output, validate ? &limits : NULL);
   }
   free(file.data);
   return code;
}
