/* SPDX-License-Identifier: MIT */
/*
 * atoll-ilc: AMD IL, text or binary, to machine code of Cayman or of another instruction set that
 * has a compiler.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/shader.h"
#include "il/conventions.h"
#include "il/il.h"
#include "isa/cayman/listing.h"
#include "isa/isa.h"

#include "container.h"
#include "il_input.h"
#include "estimate.h"
#include "tool.h"

enum { OUTPUT, FORMAT, ISA, SCALAR, STATS, NO_OPT, DUMP_IR, PLACES, STD, NUMBERING };

/* What --isa takes. */
static const char compiled[] =
#define ISA(NAME, name) #name " "
#include <atoll/isas.def>
   ;

static const struct tool_option options[] = {
   [OUTPUT] = { "output", 'o', "FILE", NULL, "write there; without it, to standard output" },
   [FORMAT] = { "format", 'f', "FORMAT", "listing raw elf",
                "listing, raw words or ELF; without it, by the name of the output" },
   [ISA] = { "isa", 'i', "ISA", compiled, "the instruction set; without it, cayman" },
   [SCALAR] = { "scalar", 0, NULL, NULL, "ATTILA: in the form of the scalar machine" },
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
      "Compiles an AMD IL program, text or binary, to machine code: Cayman's (Radeon HD 6900),\n"
      "or that of the instruction set that is asked for.\n"
      "FILE is - for standard input.  Exactly one program a file.",
   .options = options,
};

/* What is compiled for. */
struct target {
   const struct shader_compiler *compiler;
   const struct isa *isa;
};

#define ISA(NAME, name) extern const struct shader_compiler name##_compiler;
#include <atoll/isas.def>

static const struct target targets[] = {
#define ISA(NAME, name) { &name##_compiler, &isa_##name },
#include <atoll/isas.def>
};

enum format { LISTING, RAW, ELF };

static bool
ends_with(const char *s, const char *tail)
{
   size_t n = s ? strlen(s) : 0, m = strlen(tail);
   return n >= m && !strcmp(s + n - m, tail);
}

/* Header options that follow the code in AMD's listings. */
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

/* After the code of another instruction set than Cayman: constants that the program wants to find
 * in the driver's buffer, from this vector on. */
static void
constants_after(const struct shader_code *s, struct isa_text *text)
{
   for (unsigned n = 0; n < s->num_icb; n++) {
      char line[100];
      snprintf(line, sizeof(line), "; cb%u[%u] = 0x%08X, 0x%08X, 0x%08X, 0x%08X\n", IL_DRIVER_CB,
               IL_DRV_SIZE + n, s->icb[4 * n], s->icb[4 * n + 1], s->icb[4 * n + 2],
               s->icb[4 * n + 3]);
      text_str(text, line);
   }
}

static enum cayman_vliw
vliw_of(const struct target *t)
{
   return t->isa == &isa_evergreen ? CAYMAN_VLIW5 : CAYMAN_VLIW4;
}

/* An instruction a line, with the one of IL that it was made for as a remark. */
static void
list_lines(const struct target *t, const struct il_program *p, const struct shader_code *s,
           bool places, struct isa_text *out)
{
   char *listing = t->isa->disassemble(s->words, s->num_dwords, NULL), *line = listing;
   struct commented c = { .p = p, .s = s };

   for (unsigned n = 0; line && *line; n++) {
      const size_t size = strcspn(line, "\n");
      const char *comment = places ? place_comment(n * t->isa->dwords / 2, &c) : NULL;
      text_add(out, line, size);
      text_str(out, comment ? "  ; " : "");
      text_str(out, comment ? comment : "");
      text_char(out, '\n');
      line += size + (line[size] == '\n');
   }
   out->failed |= !listing;
   free(listing);
   constants_after(s, out);
}

static void
list_cayman(enum cayman_vliw vliw, const struct il_program *p, const struct shader_code *s,
            bool places, const char *before, const struct isa_text *after, struct isa_text *out)
{
   struct commented c = { .p = p, .s = s };
   size_t length;
   char *text = cayman_listing_commented(vliw, s->words, s->num_dwords,
                                         places ? place_comment : NULL, &c, &length);

   text_str(out, before);
   text_add(out, text ? text : "", text ? length : 0);
   text_add(out, after->data, after->size);
   out->failed |= !text;
   free(text);
}

static int
write_shader(const struct target *t, const struct il_program *p, const struct shader_code *s,
             const char *output, enum format format, bool places)
{
   struct isa_text out = { 0 }, after = { 0 };
   char before[100] = "";
   size_t size = 4 * (size_t)s->num_dwords;
   void *data = s->words; /* little endian hosts alone are supported */
   uint8_t *elf = NULL;
   int code = TOOL_SYSTEM;

   if (!t->isa->dwords) {
      snprintf(before, sizeof(before), "ShaderType = %u\nNumClauseTemps = 4\n\n" TOOL_LISTING_RULE,
               p->shader);
      options_after(s, &after);
   }
   if (format == LISTING) {
      if (t->isa->dwords)
         list_lines(t, p, s, places, &out);
      else
         list_cayman(vliw_of(t), p, s, places, before, &after, &out);
      data = out.failed ? NULL : out.data;
      size = out.size;
   } else if (format == ELF) {
      struct container c = { .words = (const uint8_t *)s->words,
                             .num_bytes = size,
                             .isa = t->isa->name,
                             .isa_size = strlen(t->isa->name),
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
   free(out.data);
   free(after.data);
   return code;
}

/* What only the compiler of Cayman and its family counts. */
static void
print_more(const struct target *t, const struct shader_code *s)
{
   struct estimate e;

   fprintf(stderr, "slots: %u in %u groups (%.2f a group), %u clauses, %u fetches, %u spilled\n",
           s->num_alu_slots, s->num_alu_groups,
           s->num_alu_groups ? (double)s->num_alu_slots / s->num_alu_groups : 0.0, s->num_clauses,
           s->num_fetches, s->num_spilled);
   estimate_cycles(vliw_of(t), s->words, s->num_dwords, s->num_gprs, &e);
   fprintf(
      stderr,
      "estimate: %u cycles a wave (ALU %u, fetch %u, export %u), bound by %s; %u waves a SIMD; "
      "each loop counted once\n"
      "alone: %u cycles with %u switches between units, %u waits for fetches, %u lines of "
      "constants "
      "locked\n",
      e.cycles, e.alu, e.fetch, e.export, e.bound, e.waves, e.alone, e.switches, e.waits,
      e.kcache_lines);
}

static void
print_stats(const struct target *t, const struct il_program *p, const struct shader_code *s)
{
   static const char *const stage[] = { "VS", "PS", "GS", "CS", "HS", "DS" };
   char text[SHADER_DESCRIPTION_MAX];

   t->compiler->describe(s, text);
   fprintf(stderr, "%s shader: %s\n", p->shader < 6 ? stage[p->shader] : "?", text);
   if (!t->isa->dwords)
      print_more(t, s);
}

static int
compile(const struct target *t, const struct tool_file *file, const struct il_program *p,
        const char *output, enum format format, unsigned flags, bool stats, bool places)
{
   struct shader_code shader;
   char message[256];

   const bool ok = t->compiler->compile(p, flags, &shader, message, sizeof(message));
   if (shader.ir)
      fputs(shader.ir, stderr);
   if (!ok) {
      il_input_not_compiled(file, p, message);
      shader_code_finish(&shader);
      return TOOL_REFUSED;
   }
   if (stats)
      print_stats(t, p, &shader);
   int code = write_shader(t, p, &shader, output, format, places);
   shader_code_finish(&shader);
   return code;
}

static const struct target *
find_target(const char *name)
{
   for (unsigned n = 0; n < sizeof(targets) / sizeof(targets[0]); n++)
      if (!strcmp(targets[n].compiler->name, name))
         return &targets[n];
   return NULL;
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
   const struct target *target = &targets[0];
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
      case ISA:
         target = find_target(args.value);
         if (!target)
            return tool_usage(&tool, "no compiler for '%s'", args.value);
         break;
      case SCALAR:
         flags |= SHADER_COMPILE_SCALAR;
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
      code = compile(target, &file, p, output, format, flags, stats, places);
   il_program_free(p);
   free(file.data);
   return code;
}
