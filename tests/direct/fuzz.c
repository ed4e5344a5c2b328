/* SPDX-License-Identifier: MIT */
/*
 * Compares programs executed directly with the same programs compiled, over random programs.
 *
 *    fuzz-il-run [--count N] [--seed N] [--only N] [--verbose]
 *
 * Case n of a seed is always the same program with the same inputs.  The first one that differs is
 * printed with what differs, cut down to the instructions that matter, and so are its number and
 * seed: --only N runs it again.
 */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cayman/cayman_compile.h"

static const char *const stage_name[] = {
   [IL_SHADER_VERTEX] = "vertex", [IL_SHADER_PIXEL] = "pixel", [IL_SHADER_COMPUTE] = "compute"
};
static const enum il_shader stages[3] = { IL_SHADER_VERTEX, IL_SHADER_PIXEL, IL_SHADER_COMPUTE };

/* How a case is compiled: all passes, none of the optional ones, few registers; every fourth run
 * through the interpreter of machine code. */
static unsigned
flags_of(unsigned long n)
{
   static const unsigned flags[] = { 0, CAYMAN_COMPILE_NO_OPT, CAYMAN_COMPILE_FEW_GPRS };
   return flags[n / 3 % 3] | (n / 9 % 4 == 0 ? 4 : 0);
}

/* Without denormals as the driver runs programs, or with those of doubles; but a compiled ddiv
 * rounds a denormal quotient twice. */
static uint32_t
modes_of(const struct il_program *p, unsigned long n)
{
   for (uint32_t i = 0; i < p->ninsts; i++) {
      if (p->insts[i].op == IL_OP_D_DIV) {
         return 0;
      }
   }
   return n / 36 % 2 ? 0xc0 : 0;
}

static void
print(const struct il_program *p)
{
   char *text = il_print(p);
   printf("%s", text ? text : "out of memory\n");
   free(text);
}

static void
report(const struct il_program *p, uint32_t first, unsigned long n, unsigned long seed,
       const struct inputs *in, const char *what)
{
   struct il_program small = reduce(p, first, flags_of(n), modes_of(p, n), in);
   char error[256];

   printf("case %lu of seed %lu (%s, flags %u): %s\n", n, seed, stage_name[p->shader], flags_of(n),
          what);
   print(p);
   run_case(&small, flags_of(n), modes_of(p, n), in, error, sizeof(error));
   printf("\nreduced: %s\n", error);
   print(&small);
   free(small.insts);
}

int
main(int argc, char **argv)
{
   unsigned long count = 1000, seed = 1, only = 0;
   unsigned long same = 0, other[5] = { 0 }, instructions = 0;
   bool single = false, verbose = false;
   static struct inputs in;

   for (int i = 1; i < argc; i++) {
      char *end = NULL;
      const char *value = strchr(argv[i], '=');
      value = value ? value + 1 : i + 1 < argc ? argv[i + 1] : "";
      unsigned long v = strtoul(value, &end, 10);
      if (!strcmp(argv[i], "--verbose")) {
         verbose = true;
         continue;
      }
      if (!strncmp(argv[i], "--count", 7)) {
         count = v;
      } else if (!strncmp(argv[i], "--seed", 6)) {
         seed = v;
      } else if (!strncmp(argv[i], "--only", 6)) {
         only = v;
         single = true;
      } else {
         end = NULL;
      }
      if (!end || end == value || *end) {
         fprintf(stderr, "usage: %s [--count N] [--seed N] [--only N] [--verbose]\n", argv[0]);
         return 2;
      }
      i += value == (i + 1 < argc ? argv[i + 1] : NULL);
   }

   choose_opcodes(verbose);
   for (unsigned long n = single ? only : 0; n < (single ? only + 1 : count); n++) {
      struct rng r = { seed * 0x9e3779b97f4a7c15ull + n * 0xd1342543de82ef95ull };
      struct il_error invalid;
      char error[256];
      struct about about;
      struct il_program *p = make_program(&r, stages[n % 3], &about);
      if (!p) {
         fprintf(stderr, "out of memory\n");
         return 1;
      }
      make_inputs(&in, &r);
      if (!about.mixed && !il_validate(p, IL_STD_EXTENDED, &invalid)) {
         printf("case %lu of seed %lu is not valid: %s\n", n, seed, invalid.text);
         print(p);
         return 1;
      }
      if (single && verbose) {
         print(p);
      }
      enum outcome o = run_case(p, flags_of(n), modes_of(p, n), &in, error, sizeof(error));
      if (o == DIFFERENT) {
         report(p, about.statements, n, seed, &in, error);
         return 1;
      }
      if (o == BROKEN || o == NOT_DIRECT) {
         printf("case %lu of seed %lu: %s\n", n, seed, error);
         print(p);
         return 1;
      }
      if (o == NOT_COMPILED && verbose) {
         printf("case %lu: %s\n", n, error);
      }
      same += o == SAME;
      other[o]++;
      instructions += p->ninsts;
      il_program_free(p);
   }
   printf("%lu programs of %lu instructions with %u opcodes: %lu the same, %lu not compiled\n",
          same + other[NOT_COMPILED], instructions, count_opcodes(), same, other[NOT_COMPILED]);
   return other[NOT_COMPILED] != 0; /* what the compiler refuses is no answer */
}
