/* SPDX-License-Identifier: MIT */
/*
 * Compares programs executed directly with the same programs compiled, over random programs.
 *
 *    fuzz-il-run [--isa ISA] [--first N] [--count N] [--seed N] [--only N] [--verbose]
 *
 * With --isa valhall they are Valhall's, with --isa evergreen those of five-slot chips, with --isa
 * attila vertex and pixel programs of what ATTILA can say.
 *
 * Case n of a seed is always the same program with the same inputs.  --first N begins there, so
 * that a long run can be split.  The first case that differs is printed, cut down to the
 * instructions that matter, with what differs, its number and its seed: --only N runs it again.
 */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cayman/cayman_compile.h"

static const char *const stage_name[] = {
   [IL_SHADER_VERTEX] = "vertex",     [IL_SHADER_PIXEL] = "pixel", [IL_SHADER_COMPUTE] = "compute",
   [IL_SHADER_GEOMETRY] = "geometry", [IL_SHADER_HULL] = "hull",   [IL_SHADER_DOMAIN] = "domain",
};
static const enum il_shader stages[NUM_STAGES] = { IL_SHADER_VERTEX,  IL_SHADER_PIXEL,
                                                   IL_SHADER_COMPUTE, IL_SHADER_GEOMETRY,
                                                   IL_SHADER_HULL,    IL_SHADER_DOMAIN };

static enum isa_id isa;

/* Which of `stages` case n is of: ATTILA has the first two. */
static unsigned
stage_number(unsigned long n)
{
   return n % (isa == ISA_ID_attila ? 2 : NUM_STAGES);
}

/* How a case is compiled: all passes, none of the optional ones, few registers; every fourth run
 * through the interpreter of machine code. */
static unsigned
flags_of(unsigned long n)
{
   static const unsigned flags[] = { 0, SHADER_COMPILE_NO_OPT, SHADER_COMPILE_FEW_GPRS };
   const unsigned interpret = n / (3 * NUM_STAGES) % 4 == 0 ? CASE_INTERPRET : 0;

   if (isa == ISA_ID_valhall)
      return flags[n / NUM_STAGES % 3] | interpret | CASE_VALHALL;
   if (isa == ISA_ID_attila) {
      static const unsigned forms[] = { 0, SHADER_COMPILE_NO_OPT, SHADER_COMPILE_SCALAR };
      return forms[n / NUM_STAGES % 3] | interpret | CASE_ATTILA;
   }
   return flags[n / NUM_STAGES % 3] | interpret | (isa == ISA_ID_evergreen ? CASE_EVERGREEN : 0);
}

/* Without denormals as the driver runs programs, or with those of doubles; but a compiled ddiv
 * rounds a denormal quotient twice.  ATTILA keeps those of floats. */
static uint32_t
modes_of(const struct il_program *p, unsigned long n)
{
   if (!is_of_cayman(isa))
      return isa == ISA_ID_attila ? 0x30 : 0;
   for (uint32_t i = 0; i < p->ninsts; i++)
      if (p->insts[i].op == IL_OP_D_DIV)
         return 0;
   return n / (12 * NUM_STAGES) % 2 ? 0xc0 : 0;
}

static void
print(const struct il_program *p)
{
   char *text = il_print(p);
   printf("%s", text ? text : "out of memory\n");
   free(text);
}

/* Textures and samplers in numbers of the descriptors. */
static void
print_views(const struct views *v)
{
   for (unsigned n = 0; n < MACHINE_TEXTURES; n++) {
      const struct machine_texture *t = &v->texture[n];
      if (t->there) {
         printf("; texture %u: dim %u, format %u.%u%s%s, %ux%ux%u, %u levels, %u samples, select "
                "%u%u%u%u\n",
                n, t->dim, t->format, t->num_format, t->is_signed ? " signed" : "",
                t->srgb ? " sRGB" : "", t->width, t->height, t->depth, t->levels, t->samples,
                t->select[0], t->select[1], t->select[2], t->select[3]);
      }
   }
   for (unsigned n = 0; n < MACHINE_SAMPLERS; n++) {
      const struct machine_sampler *s = &v->sampler[n];
      if (s->there) {
         printf("; sampler %u: %08x %08x %08x, border %08x %08x %08x %08x\n", n, s->words[0],
                s->words[1], s->words[2], s->border.rgba[0], s->border.rgba[1], s->border.rgba[2],
                s->border.rgba[3]);
      }
   }
}

static void
report(const struct il_program *p, uint32_t first, unsigned long n, unsigned long seed,
       const struct inputs *in, enum outcome outcome, const char *what)
{
   struct il_program small = reduce(p, first, flags_of(n), modes_of(p, n), in, outcome);
   char error[256];

   printf("case %lu of seed %lu (%s, flags %u): %s\n", n, seed, stage_name[p->shader], flags_of(n),
          what);
   print_views(&in->views);
   print(p);
   run_case(&small, flags_of(n), modes_of(p, n), in, error, sizeof(error));
   printf("\nreduced: %s\n", error);
   print(&small);
   free(small.insts);
}

struct options {
   unsigned long first, count, seed, only;
   enum isa_id isa;
   bool single, verbose;
};

/* Why the compiler refuses programs: what the instruction set cannot say. */
#define MAX_REASONS 32
struct reason {
   char text[100];
   unsigned long count;
};

struct totals {
   struct reason reason[MAX_REASONS]; /* those after the last one count with it */
   unsigned long programs[NUM_STAGES], same[NUM_STAGES], not_compiled[NUM_STAGES];
   unsigned long instructions, textures;
   bool seen[IL_OP_LAST]; /* opcodes that occurred */
};

static bool
read_options(int argc, char **argv, struct options *o)
{
   for (int i = 1; i < argc; i++) {
      char *end = NULL;
      const char *value = strchr(argv[i], '=');
      value = value ? value + 1 : i + 1 < argc ? argv[i + 1] : "";
      unsigned long v = strtoul(value, &end, 10);
      if (!strcmp(argv[i], "--verbose")) {
         o->verbose = true;
         continue;
      }
      if (!strncmp(argv[i], "--isa", 5)) {
         const struct isa *found = isa_find(value, strlen(value));
         o->isa = found ? found->id : ISA_ID_cayman;
         end = found ? (char *)value + strlen(value) : NULL;
      } else if (!strncmp(argv[i], "--first", 7)) {
         o->first = v;
      } else if (!strncmp(argv[i], "--count", 7)) {
         o->count = v;
      } else if (!strncmp(argv[i], "--seed", 6)) {
         o->seed = v;
      } else if (!strncmp(argv[i], "--only", 6)) {
         o->only = v;
         o->single = true;
      } else {
         end = NULL;
      }
      if (!end || end == value || *end) {
         fprintf(
            stderr,
            "usage: %s [--isa ISA] [--first N] [--count N] [--seed N] [--only N] [--verbose]\n",
            argv[0]);
         return false;
      }
      i += value == (i + 1 < argc ? argv[i + 1] : NULL);
   }
   return true;
}

/* Counts a refusal under its message, without the instruction's number. */
static void
count_reason(struct totals *totals, const char *error)
{
   const char *where = strstr(error, " at instruction ");
   const int length = where ? (int)(where - error) : (int)strlen(error);
   char text[sizeof(totals->reason[0].text)];
   unsigned n = 0;

   snprintf(text, sizeof(text), "%.*s", length, error);
   while (n < MAX_REASONS - 1 && totals->reason[n].count && strcmp(totals->reason[n].text, text))
      n++;
   memcpy(totals->reason[n].text, text, sizeof(text));
   totals->reason[n].count++;
}

/* Case n; false: it differs, or it is no case at all. */
static bool
run(const struct options *options, unsigned long n, struct totals *totals)
{
   static struct inputs in;
   unsigned long seed = options->seed;
   unsigned stage = stage_number(n);
   struct rng r = { seed * 0x9e3779b97f4a7c15ull + n * 0xd1342543de82ef95ull };
   struct il_error invalid;
   struct about about;
   char error[256];
   make_views(&in.views, &r);
   struct il_program *p = make_program(&r, stages[stage], &in.views, &about);

   if (!p) {
      fprintf(stderr, "out of memory\n");
      return false;
   }
   make_inputs(&in, &r);
   in.bound = about.bound;
   if (!is_of_cayman(isa))
      fit_inputs(&in);
   if (!about.mixed && !il_validate(p, IL_STD_EXTENDED, &invalid)) {
      printf("case %lu of seed %lu is not valid: %s\n", n, seed, invalid.text);
      print(p);
      return false;
   }
   if (options->single && options->verbose)
      print(p);
   enum outcome o = run_case(p, flags_of(n), modes_of(p, n), &in, error, sizeof(error));
   if (o == DIFFERENT || o == BROKEN) {
      report(p, about.statements, n, seed, &in, o, error);
   } else if (o == NOT_DIRECT) {
      printf("case %lu of seed %lu (%s, flags %u): %s\n", n, seed, stage_name[p->shader],
             flags_of(n), error);
      print(p);
   } else if (o == NOT_COMPILED) {
      count_reason(totals, error);
      if (options->verbose)
         printf("case %lu: %s\n", n, error);
   }
   totals->programs[stage]++;
   totals->same[stage] += o == SAME;
   totals->not_compiled[stage] += o == NOT_COMPILED;
   totals->instructions += p->ninsts;
   for (uint32_t i = 0; i < p->ninsts; i++) {
      const struct il_op_info *info = il_op_info(p->insts[i].op);
      if (info && info->category != IL_CAT_DECL && p->insts[i].op < IL_OP_LAST)
         totals->seen[p->insts[i].op] = true;
   }
   totals->textures += about.textures;
   il_program_free(p);
   return o == SAME || o == NOT_COMPILED;
}

int
main(int argc, char **argv)
{
   struct options options = { .count = 1000, .seed = 1 };
   static struct totals totals;
   unsigned long programs = 0, same = 0, not_compiled = 0, opcodes = 0;

   if (!read_options(argc, argv, &options))
      return 2;
   isa = options.isa;
   choose_opcodes(isa, options.verbose);
   unsigned long first = options.single ? options.only : options.first;
   unsigned long end = options.single ? options.only + 1 : first + options.count;
   for (unsigned long n = first; n < end; n++)
      if (!run(&options, n, &totals))
         return 1;
   for (unsigned s = 0; s < NUM_STAGES; s++) {
      printf("%-9s %lu programs: %lu the same, %lu not compiled\n", stage_name[stages[s]],
             totals.programs[s], totals.same[s], totals.not_compiled[s]);
      programs += totals.programs[s];
      same += totals.same[s];
      not_compiled += totals.not_compiled[s];
   }
   for (unsigned n = 0; n < IL_OP_LAST; n++)
      opcodes += totals.seen[n];
   if (options.verbose) {
      for (unsigned n = 0; n < IL_OP_LAST; n++)
         if (!totals.seen[n] && il_op_info(n) && il_op_info(n)->category != IL_CAT_DECL)
            printf("not in any: %s\n", il_op_info(n)->name);
   }
   printf("%lu programs of %lu instructions with %lu opcodes: %lu the same, %lu not compiled\n",
          programs, totals.instructions, opcodes, same, not_compiled);
   printf("%lu of them use textures or images\n", totals.textures);
   for (unsigned n = 0; n < MAX_REASONS && totals.reason[n].count; n++)
      printf("cannot be said: %lu, %s\n", totals.reason[n].count, totals.reason[n].text);
   /* What the compiler refuses is no answer; there must not be much of it. */
   return not_compiled * 50 > same;
}
