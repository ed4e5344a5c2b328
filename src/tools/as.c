/* SPDX-License-Identifier: MIT */
/*
 * atoll-as: a Cayman listing to words, raw or in an ELF file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/cayman/listing.h"

#include "container.h"
#include "coverage.h"
#include "tool.h"

enum { OUTPUT, FORMAT, NO_VALIDATE, GPRS, STAGE, REPRINT, LIST };

static const struct tool_option options[] = {
   [OUTPUT] = { "output", 'o', "FILE", NULL, "write there; without it, to standard output" },
   [FORMAT] = { "format", 'f', "FORMAT", "raw elf",
                "raw words or ELF; without it, by the name of the output" },
   [NO_VALIDATE] = { "no-validate", 0, NULL, NULL, "do not check the rules of the ISA guide" },
   [GPRS] = { "gprs", 'g', "N", NULL,
              "registers the program may use (else the listing's NUM_GPRS)" },
   [STAGE] = { "stage", 's', "STAGE", "ps vs fs",
               "pixel shader, another stage, or fetch subroutine" },
   [REPRINT] = { "reprint", 'r', NULL, NULL,
                 "print the listing in its canonical form; takes those of older chips too" },
   [LIST] = { "list", 'l', NULL, NULL,
              "list every instruction: kind, name, number, and what of it works" },
   TOOL_COMMON_OPTIONS,
};

static const struct tool tool = {
   .name = "atoll-as",
   .usage = "[OPTION...] FILE",
   .summary = "Assembles a Cayman (Radeon HD 6900) program written in AMD's listing format.\n"
              "FILE is - for standard input.",
   .options = options,
};

/* What is true of the program if its header options do not say otherwise. */
static struct cayman_limits
limits_of(const struct cayman_listing *l, const char *stage, uint32_t gprs)
{
   struct cayman_limits limits = { .num_gprs = 124, .num_clause_temps = 4 };
   uint32_t value;

   if (cayman_listing_option(l, "SQ_PGM_RESOURCES:NUM_GPRS", &value)) {
      limits.num_gprs = value < 128 ? value : 128;
   }
   if (gprs) {
      limits.num_gprs = gprs;
   }
   if (cayman_listing_option(l, "NumClauseTemps", &value) && value <= 4) {
      limits.num_clause_temps = value;
   }
   if (cayman_listing_option(l, "SQ_PGM_RESOURCES:STACK_SIZE", &value)) {
      limits.stack_entries = value;
   }
   if (stage) {
      limits.pixel_shader = !strcmp(stage, "ps");
      limits.fetch_shader = !strcmp(stage, "fs");
   } else if (cayman_listing_option(l, "ShaderType", &value)) {
      limits.pixel_shader = value == 1; /* IL_SHADER_PIXEL */
   } else {
      bool ends = false;
      for (size_t i = 0; i < l->num_items; i++) {
         const struct cayman_item *item = &l->items[i];
         ends |= item->kind == CAYMAN_ITEM_END;
         if (item->kind == CAYMAN_ITEM_CF && item->cf.form == CAYMAN_CF_FORM_EXPORT) {
            limits.pixel_shader |= item->cf.type == CAYMAN_EXPORT_PIXEL;
         }
      }
      limits.fetch_shader = !ends;
   }
   return limits;
}

/* The line of the place that the validator names: "CF 3, group 2, slot y: ...". */
static const struct cayman_item *
item_of(const struct cayman_listing *l, const char *message)
{
   unsigned cf = 0, inner = 0, pc = 0, count = 0;
   char slot = 0;
   int n = sscanf(message, "CF %u, group %u, slot %c", &cf, &inner, &slot);
   if (n < 2) {
      n = sscanf(message, "CF %u, instruction %u", &cf, &inner);
   }
   const struct cayman_item *found = NULL, *owner = NULL;
   for (size_t i = 0; i < l->num_items; i++) {
      const struct cayman_item *item = &l->items[i];
      if (item->kind == CAYMAN_ITEM_CF || item->kind == CAYMAN_ITEM_END) {
         owner = pc == cf ? item : NULL;
         found = owner ? owner : found;
         pc += item->num_bits ? item->num_bits / 2 : item->cf.extended ? 2 : 1;
         count = 0;
      } else if (owner && n >= 2 &&
                 (item->kind == CAYMAN_ITEM_SLOT || item->kind == CAYMAN_ITEM_FETCH)) {
         count += item->numbered || item->kind == CAYMAN_ITEM_FETCH;
         if (count == inner + 1 &&
             (item->numbered || (slot && item->kind == CAYMAN_ITEM_SLOT &&
                                 "xyzw"[item->slot.alu.dst_chan & 3] == slot))) {
            found = item;
         }
      }
   }
   return found;
}

/* The header options in front of the code, or behind it, as text. */
static void
collect_options(const struct cayman_listing *l, bool after, struct cayman_text *text)
{
   bool code = false;
   for (size_t i = 0; i < l->num_items; i++) {
      const struct cayman_item *item = &l->items[i];
      if (item->kind != CAYMAN_ITEM_TEXT) {
         code = true;
      } else if (code == after && item->text.length && item->text.text[0] != ';') {
         text_add(text, item->text.text, item->text.length);
         text_char(text, '\n');
      }
   }
}

static bool
ends_with(const char *s, const char *tail)
{
   size_t n = s ? strlen(s) : 0, m = strlen(tail);
   return n >= m && !strcmp(s + n - m, tail);
}

static int
write_words(const struct cayman_listing *l, const uint32_t *words, size_t count, const char *output,
            bool elf)
{
   struct cayman_text before = { 0 }, after = { 0 };
   uint8_t *bytes = malloc(4 * count), *file = bytes;
   size_t size = 4 * count;
   int code = TOOL_SYSTEM;

   for (size_t i = 0; bytes && i < count; i++) {
      for (unsigned b = 0; b < 4; b++) {
         bytes[4 * i + b] = (uint8_t)(words[i] >> (8 * b));
      }
   }
   if (bytes && elf) {
      collect_options(l, false, &before);
      collect_options(l, true, &after);
      struct container c = { bytes, size, before.data, after.data, before.size, after.size };
      file = container_write(&c, &size);
   }
   if (!file) {
      fprintf(stderr, "%s: no memory\n", tool.name);
   } else if (tool_write(&tool, output, file, size)) {
      code = TOOL_OK;
   }
   if (file != bytes) {
      free(file);
   }
   free(bytes);
   free(before.data);
   free(after.data);
   return code;
}

static int
assemble(const struct tool_file *file, const char *output, bool elf, bool validate,
         const char *stage, uint32_t gprs)
{
   struct cayman_error error;
   struct cayman_listing *l = cayman_listing_parse(file->data, file->size, &error);
   size_t count;
   uint32_t *words = l ? cayman_listing_encode(l, &count, &error) : NULL;
   int code = TOOL_REFUSED;

   if (!words) {
      tool_error(file, error.line, error.column, "%s", error.text);
   } else {
      struct cayman_limits limits = limits_of(l, stage, gprs);
      char text[256];
      if (validate && !cayman_validate(words, count, &limits, text, sizeof(text))) {
         const struct cayman_item *item = item_of(l, text);
         tool_error(file, item ? item->line : 0, item ? item->column : 0, "%s", text);
      } else {
         code = write_words(l, words, count, output, elf);
      }
   }
   free(words);
   cayman_listing_free(l);
   return code;
}

static int
reprint(const struct tool_file *file, const char *output)
{
   struct cayman_error error;
   char *text = cayman_reprint(file->data, file->size, &error);
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
   const char *output = NULL, *format = NULL, *stage = NULL;
   bool validate = true, canonical = false, list = false;
   uint32_t gprs = 0;
   int option;

   while ((option = tool_next(&args)) != TOOL_ARG_END) {
      switch (option) {
      case TOOL_ARG_EXIT:
         return args.exit_code;
      case OUTPUT:
         output = args.value;
         break;
      case FORMAT:
         format = args.value;
         if (strcmp(format, "raw") != 0 && strcmp(format, "elf") != 0) {
            return tool_usage(&tool, "unknown format '%s'", format);
         }
         break;
      case NO_VALIDATE:
         validate = false;
         break;
      case GPRS:
         if (!tool_number(&tool, "gprs", args.value, 128, &gprs)) {
            return TOOL_USAGE;
         }
         break;
      case STAGE:
         stage = args.value;
         if (strcmp(stage, "ps") != 0 && strcmp(stage, "vs") != 0 && strcmp(stage, "fs") != 0) {
            return tool_usage(&tool, "unknown stage '%s'", stage);
         }
         break;
      case REPRINT:
         canonical = true;
         break;
      default:
         list = true;
         break;
      }
   }
   if (list) {
      return coverage_print(&tool, output, coverage_cayman_row);
   }
   if (!args.input) {
      return tool_usage(&tool, "no input file");
   }
   struct tool_file file;
   if (!tool_read(&tool, args.input, &file)) {
      return TOOL_SYSTEM;
   }
   bool elf =
      format ? !strcmp(format, "elf") : ends_with(output, ".elf") || ends_with(output, ".o");
   int code =
      canonical ? reprint(&file, output) : assemble(&file, output, elf, validate, stage, gprs);
   free(file.data);
   return code;
}
