/* SPDX-License-Identifier: MIT */
/*
 * atoll-dis: words of any instruction set, raw or in an ELF file, to a text.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"

enum { OUTPUT, ISA, VALIDATE, GPRS, STAGE };

static const struct tool_option options[] = {
   [OUTPUT] = { "output", 'o', "FILE", NULL, "write there; without it, to standard output" },
   [ISA] = CODE_ISA_OPTION("instruction set of raw words (cayman); an ELF file says its own"),
   [VALIDATE] = { "validate", 'V', NULL, NULL,
                  "refuse a program that breaks a rule of the ISA guide" },
   [GPRS] = { "gprs", 'g', "N", NULL,
              "with --validate: registers the program may use (else what an ELF file says)" },
   [STAGE] = { "stage", 's', "STAGE", ISA_STAGE_NAMES,
               "with --validate: pixel, vertex or compute shader, or Cayman's fetch subroutine" },
   TOOL_COMMON_OPTIONS,
};

static const struct tool tool = {
   .name = "atoll-dis",
   .usage = "[OPTION...] FILE",
   .summary =
      "Disassembles a program, raw words or an ELF file of atoll-as, which gives the words\n"
      "back, whatever they are.  FILE is - for standard input.",
   .options = options,
};

static const char rule[] = TOOL_LISTING_RULE;

/* All of the text: what an ELF file has around the code, and the code, after a rule.  NULL: no
 * memory. */
static char *
whole_text(const struct code *c, const char *text, size_t length, size_t *size)
{
   bool ruled = !c->before_size || memmem(c->before, c->before_size, rule, sizeof(rule) - 1);
   size_t rule_size = ruled ? 0 : sizeof(rule) - 1;
   const struct {
      const char *data;
      size_t size;
   } parts[] = { { c->before, c->before_size },
                 { rule, rule_size },
                 { text, length },
                 { c->after, c->after_size } };
   char *all = malloc(c->before_size + rule_size + length + c->after_size + 1);

   *size = 0;
   for (unsigned i = 0; all && i < 4; i++) {
      if (parts[i].size) {
         memcpy(all + *size, parts[i].data, parts[i].size);
         *size += parts[i].size;
      }
   }
   return all;
}

/* The rules, with what the text around the code declares. */
static bool
is_legal(const struct tool_file *file, const struct code *c, const char *text, size_t size,
         const struct isa_limits *limits)
{
   struct isa_error error;
   struct isa_binary binary;
   bool ok;

   if (c->before_size || c->after_size) {
      ok = c->isa->assemble(text, size, limits, &binary, &error);
      if (ok)
         isa_binary_finish(&binary);
   } else {
      ok = c->isa->validate(c->words, c->num_dwords, limits, &error);
   }
   if (!ok)
      tool_error(file, 0, 0, "%s", error.text);
   return ok;
}

static int
disassemble(const struct tool_file *file, const struct isa *isa, const char *output,
            const struct isa_limits *limits)
{
   struct code c;
   size_t length, size = 0;
   int code = TOOL_REFUSED;

   if (!code_read(file, isa, &c))
      return TOOL_REFUSED;
   char *text = c.isa->disassemble(c.words, c.num_dwords, &length);
   char *all = text ? whole_text(&c, text, length, &size) : NULL;
   if (!all) {
      fprintf(stderr, "%s: no memory\n", tool.name);
      code = TOOL_SYSTEM;
   } else if (!limits || is_legal(file, &c, all, size, limits)) {
      code = tool_write(&tool, output, all, size) ? TOOL_OK : TOOL_SYSTEM;
   }
   free(all);
   free(text);
   free(c.words);
   return code;
}

int
main(int argc, char **argv)
{
   struct tool_args args = { .tool = &tool, .argc = argc, .argv = argv };
   struct isa_limits limits = { 0 };
   const struct isa *isa = NULL;
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
      case ISA:
         isa = code_isa(&tool, args.value);
         if (!isa)
            return TOOL_USAGE;
         break;
      case VALIDATE:
         validate = true;
         break;
      case GPRS:
         if (!tool_number(&tool, "gprs", args.value, 128, &gprs))
            return TOOL_USAGE;
         limits.num_gprs = gprs;
         break;
      default:
         if (!isa_stage_find(args.value, &limits.stage))
            return tool_usage(&tool, "unknown stage '%s'", args.value);
         break;
      }
   }
   if (!args.input)
      return tool_usage(&tool, "no input file");
   struct tool_file file;
   if (!tool_read(&tool, args.input, &file))
      return TOOL_SYSTEM;
   int code = disassemble(&file, isa, output, validate ? &limits : NULL);
   free(file.data);
   return code;
}
