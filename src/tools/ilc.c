/* SPDX-License-Identifier: MIT */
/*
 * atoll-ilc: AMD IL, text or binary, to Cayman machine code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/il.h"
#include "isa/cayman/listing.h"
#include "isa/isa.h"

#include "container.h"
#include "il_input.h"
#include "estimate.h"
#include "tool.h"

enum { OUTPUT, FORMAT, STATS, NO_OPT, DUMP_IR, PLACES, STD, NUMBERING };

static const struct tool_option options[] = {
   [OUTPUT] = { "output", 'o', "FILE", NULL, "write there; without it, to standard output" },
   [FORMAT] = { "format", 'f', "FORMAT", "listing raw elf",
                "listing, raw words or ELF; without it, by the name of the output" },
   [STATS] = { "stats", 's', NULL, NULL,
               "print shader-db's line and an estimate of cycles to standard error" },
   [NO_OPT] = { "no-opt", 'O', NULL, NULL, "no optional rewriting" },
   [DUMP_IR] = { "dump-ir", 0, NULL, NULL,
                 "print the compiler's program after each pass to standard error" },
   [PLACES] = { "places", 0, NULL, NULL,
                "show in the listing which IL instruction each instruction was made for" },
   [STD] = { "std", 0, "STANDARD", "2.4 extended", "2.4 refuses extensions" },
   [NUMBERING] = { "numbering", 0, "NUMBERS", "stream document",
                   "opcode numbers of binary: of real streams (default) or as Appendix B prints" },
   TOOL_COMMON_OPTIONS,
};

static const struct tool tool = {
   .name = "atoll-ilc",
   .usage = "[OPTION...] FILE",
   .summary =
      "Compiles an AMD IL program, text or binary, to Cayman (Radeon HD 6900) machine code.\n"
      "FILE is - for standard input.  Exactly one program a file.",
   .options = options,
};

enum format { LISTING, RAW, ELF };

static bool
ends_with(const char *s, const char *tail)
{
   size_t n = s ? strlen(s) : 0, m = strlen(tail);
   return n >= m && !strcmp(s + n - m, tail);
}

/* Header options that stand behind the code in AMD's listings. */
static void
options_after(const struct shader_code *s, struct isa_text *text)
{
   char line[200];
   snprintf(line, sizeof(line),
            "\nCodeLen = %u;Bytes\nMaxScratchRegsNeeded = %u\n"
            "SQ_PGM_RESOURCES:NUM_GPRS = %u\nSQ_PGM_RESOURCES:STACK_SIZE = %u\n",
            4 * s->num_dwords, s->scratch_vec4s, s->num_gprs, s->stack_size);
   text_str(text, line);
}

struct commented {
   const struct il_program *p;
   const struct shader_code *s;
   char text[400];
};

static const char *
place_comment(uint32_t at, void *data)
{
   struct commented *c = data;
   const uint32_t place = at < c->s->num_dwords / 2 ? c->s->places[at] : SHADER_NO_PLACE;

   if (place >= c->p->ninsts)
      return NULL;
   int n = snprintf(c->text, sizeof(c->text), "@%u ", place);
   il_print_inst(c->p, &c->p->insts[place], c->text + n, sizeof(c->text) - (size_t)n);
   return c->text;
}

static int
write_shader(const struct il_program *p, const struct shader_code *s, const char *output,
             enum format format, bool places)
{
   struct isa_text out = { 0 }, after = { 0 };
   char before[100];
   size_t size = 4 * (size_t)s->num_dwords, length;
   void *data = s->words; /* little endian hosts alone are supported */
   char *text = NULL;
   uint8_t *elf = NULL;
   int code = TOOL_SYSTEM;

   snprintf(before, sizeof(before), "ShaderType = %u\nNumClauseTemps = 4\n\n" TOOL_LISTING_RULE,
            p->shader);
   options_after(s, &after);
   if (format == LISTING) {
      struct commented c = { .p = p, .s = s };
      text = cayman_listing_commented(s->words, s->num_dwords, places ? place_comment : NULL, &c,
                                      &length);
      text_str(&out, before);
      text_add(&out, text ? text : "", text ? length : 0);
      text_add(&out, after.data, after.size);
      data = text && !out.failed ? out.data : NULL;
      size = out.size;
   } else if (format == ELF) {
      struct container c = { .words = (const uint8_t *)s->words,
                             .num_bytes = size,
                             .isa = isa_cayman.name,
                             .isa_size = strlen(isa_cayman.name),
                             .before = before,
                             .before_size = strlen(before),
                             .after = after.data,
                             .after_size = after.size };
      data = elf = container_write(&c, &size);
   }
   if (!data)
      fprintf(stderr, "%s: no memory\n", tool.name);
   else if (tool_write(&tool, output, data, size))
      code = TOOL_OK;
   free(elf);
   free(text);
   free(out.data);
   free(after.data);
   return code;
}

static void
print_stats(const struct il_program *p, const struct shader_code *s)
{
   static const char *const stage[] = { "VS", "PS", "GS", "CS", "HS", "DS" };
   struct estimate e;

   fprintf(stderr, "%s shader: %u dw, %u gprs, %u alu_groups, %u loops, %u cf, %u stack\n",
           p->shader < 6 ? stage[p->shader] : "?", s->num_dwords, s->num_gprs, s->num_alu_groups,
           s->num_loops, s->num_cf, s->stack_size);
   fprintf(stderr, "slots: %u in %u groups (%.2f a group), %u clauses, %u fetches, %u spilled\n",
           s->num_alu_slots, s->num_alu_groups,
           s->num_alu_groups ? (double)s->num_alu_slots / s->num_alu_groups : 0.0, s->num_clauses,
           s->num_fetches, s->num_spilled);
   estimate_cycles(s->words, s->num_dwords, s->num_gprs, &e);
   fprintf(
      stderr,
      "estimate: %u cycles a wave (ALU %u, fetch %u, export %u), bound by %s; %u waves a SIMD; "
      "each loop counted once\n",
      e.cycles, e.alu, e.fetch, e.export, e.bound, e.waves);
}

static int
compile(const struct tool_file *file, const struct il_program *p, const char *output,
        enum format format, unsigned flags, bool stats, bool places)
{
   struct shader_code shader;
   char message[256];

   const bool ok = cayman_compile(p, flags, &shader, message, sizeof(message));
   if (shader.ir)
      fputs(shader.ir, stderr);
   if (!ok) {
      il_input_not_compiled(file, p, message);
      shader_code_finish(&shader);
      return TOOL_REFUSED;
   }
   if (stats)
      print_stats(p, &shader);
   int code = write_shader(p, &shader, output, format, places);
   shader_code_finish(&shader);
   return code;
}

int
main(int argc, char **argv)
{
   struct tool_args args = { .tool = &tool, .argc = argc, .argv = argv };
   const char *output = NULL, *name = NULL;
   bool stats = false, places = false;
   unsigned flags = 0;
   enum il_numbering numbering = IL_NUMBERING_STREAM;
   enum il_standard standard = IL_STD_EXTENDED;
   int option;

   while ((option = tool_next(&args)) != TOOL_ARG_END) {
      switch (option) {
      case TOOL_ARG_EXIT:
         return args.exit_code;
      case OUTPUT:
         output = args.value;
         break;
      case FORMAT:
         name = args.value;
         if (strcmp(name, "listing") != 0 && strcmp(name, "raw") != 0 && strcmp(name, "elf") != 0)
            return tool_usage(&tool, "unknown format '%s'", name);
         break;
      case STATS:
         stats = true;
         break;
      case NO_OPT:
         flags |= SHADER_COMPILE_NO_OPT;
         break;
      case DUMP_IR:
         flags |= SHADER_COMPILE_PRINT_IR;
         break;
      case PLACES:
         places = true;
         break;
      case STD:
         standard = !strcmp(args.value, "2.4") ? IL_STD_2_4 : IL_STD_EXTENDED;
         if (standard == IL_STD_EXTENDED && strcmp(args.value, "extended") != 0)
            return tool_usage(&tool, "unknown standard '%s'", args.value);
         break;
      default:
         numbering = !strcmp(args.value, "document") ? IL_NUMBERING_DOCUMENT : IL_NUMBERING_STREAM;
         if (numbering == IL_NUMBERING_STREAM && strcmp(args.value, "stream") != 0)
            return tool_usage(&tool, "unknown numbering '%s'", args.value);
         break;
      }
   }
   if (!args.input)
      return tool_usage(&tool, "no input file");
   struct tool_file file;
   if (!tool_read(&tool, args.input, &file))
      return TOOL_SYSTEM;
   enum format format = ends_with(output, ".elf") || ends_with(output, ".o") ? ELF
                        : ends_with(output, ".bin")                          ? RAW
                                                                             : LISTING;
   if (name)
      format = !strcmp(name, "elf") ? ELF : !strcmp(name, "raw") ? RAW : LISTING;
   int code = TOOL_REFUSED;
   struct il_program *p = il_input_read(&file, numbering, "");
   if (p && il_input_validate(&file, p, standard))
      code = compile(&file, p, output, format, flags, stats, places);
   il_program_free(p);
   free(file.data);
   return code;
}
