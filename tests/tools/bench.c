/* SPDX-License-Identifier: MIT */
/*
 * Rates of the languages on one core, as JSON: instructions a second through the disassembler, the
 * assembler and the compiler.  An instruction is an ALU slot, a fetch or a control-flow instruction
 * of Cayman, or an instruction of IL.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/il.h"
#include "isa/cayman/cayman.h"

static double
now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t seed = 1;

static unsigned
pick(unsigned n)
{
   seed = seed * 6364136223846793005ull + 1442695040888963407ull;
   return (unsigned)(seed >> 33) % n;
}

/* A program as compilers write them: arithmetic on vectors with literals and constants, samples,
 * a loop and a branch now and then.  `count` in *count. */
static char *
il_source(unsigned *count)
{
   static const char *const op[] = {
      "mul_ieee", "add", "mad_ieee", "max_ieee", "iand", "dp4_ieee"
   };
   static const char *const swizzle[] = { "", ".xyzw", ".wzyx", ".xxxx", "_neg(xyzw)", ".yxwz" };
   size_t size = 1 << 16, n = 0;
   char *text = malloc(size);

   if (!text)
      return NULL;
   n += (size_t)snprintf(
      text + n, size - n,
      "il_ps_2_0\ndcl_cb cb0[16]\ndcl_literal l0, 1.0, 0.5, 2.25, -3.0\ndcl_output_generic o0\n"
      "dcl_input_generic_interp(linear) v0\n"
      "dcl_resource_id(0)_type(2d)_fmtx(float)_fmty(float)_fmtz(float)_fmtw(float)\n"
      "mov r0, v0\nmov r1, cb0[1]\nmov r2, l0\nmov r3, v0.yxwz\nmov r4, l0.wzyx\n");
   *count = 12;
   for (unsigned i = 0; i < 150; i++) {
      unsigned o = pick(6);
      if (i % 25 == 10) {
         n += (size_t)snprintf(text + n, size - n, "sample_resource(0)_sampler(0) r%u, r%u\n",
                               pick(5), pick(5));
      } else if (i % 50 == 20) {
         n += (size_t)snprintf(text + n, size - n,
                               "lt r5, r%u, r%u\nif_logicalnz r5.x\nadd r%u, r%u, l0\nendif\n",
                               pick(5), pick(5), pick(5), pick(5));
         *count += 3;
      } else {
         unsigned srcs = o == 2 ? 3 : 2;
         n += (size_t)snprintf(text + n, size - n, "%s r%u", op[o], pick(5));
         for (unsigned s = 0; s < srcs; s++) {
            if (pick(4) == 0) {
               n += (size_t)snprintf(text + n, size - n, ", cb0[%u]", pick(16));
            } else {
               n += (size_t)snprintf(text + n, size - n, ", r%u%s", pick(5),
                                     o == 4 ? "" : swizzle[pick(6)]);
            }
         }
         n += (size_t)snprintf(text + n, size - n, "\n");
      }
      ++*count;
   }
   snprintf(text + n, size - n,
            "add r0, r0, r1\nadd r0, r0, r2\nadd r0, r0, r3\nadd o0, r0, r4\nend\n");
   *count += 5;
   return text;
}

static unsigned
count_instructions(const uint32_t *words, size_t num_dwords)
{
   struct cayman_walk walk;
   struct cayman_cf cf;
   unsigned count = 0;

   cayman_walk_init(&walk, CAYMAN_VLIW4, words, num_dwords);
   while (cayman_walk_next(&walk, &cf) == CAYMAN_OK) {
      const uint32_t *clause;
      size_t dwords;
      count++;
      if (cayman_clause(words, num_dwords, &cf, &clause, &dwords) != CAYMAN_OK)
         continue;
      while (cayman_cf_is_alu(&cf) && dwords > 0) {
         struct cayman_alu_group group;
         if (cayman_decode_alu_group(CAYMAN_VLIW4, clause, dwords, &group) != CAYMAN_OK)
            break;
         count += group.num_slots;
         clause += group.num_dwords;
         dwords -= group.num_dwords;
      }
      count += cayman_cf_is_alu(&cf) ? 0 : (unsigned)(dwords / 4);
   }
   return count;
}

int
main(void)
{
   struct il_error err;
   struct isa_error error;
   struct shader_code shader;
   char message[256];
   unsigned il_count;
   size_t length, count;
   char *source = il_source(&il_count);
   struct il_program *p = source ? il_parse(source, strlen(source), &err) : NULL;

   if (!p) {
      fprintf(stderr, "line %u: %s\n", source ? err.where : 0, source ? err.text : "no memory");
      return 1;
   }
   if (!il_validate(p, IL_STD_EXTENDED, &err) ||
       !cayman_compile(p, 0, &shader, message, sizeof(message))) {
      fprintf(stderr, "the program does not compile: %s%s\n", err.text, message);
      return 1;
   }
   unsigned instructions = count_instructions(shader.words, shader.num_dwords);
   char *text = cayman_listing_text(CAYMAN_VLIW4, shader.words, shader.num_dwords, &length);
   double dis = 0, as = 0, ilc = 0, parse = 0, start;
   unsigned rounds = 0;

   start = now();
   for (rounds = 0; (dis = now() - start) < 0.5; rounds++)
      free(cayman_listing_text(CAYMAN_VLIW4, shader.words, shader.num_dwords, &length));
   dis = rounds * (double)instructions / dis;
   start = now();
   for (rounds = 0; (as = now() - start) < 0.5; rounds++)
      free(cayman_assemble(text, length, &count, &error));
   as = rounds * (double)instructions / as;
   start = now();
   for (rounds = 0; (parse = now() - start) < 0.5; rounds++)
      il_program_free(il_parse(source, strlen(source), &err));
   parse = rounds * (double)il_count / parse;
   start = now();
   for (rounds = 0; (ilc = now() - start) < 1.0; rounds++) {
      struct shader_code again;
      if (cayman_compile(p, 0, &again, message, sizeof(message)))
         shader_code_finish(&again);
   }
   ilc = rounds * (double)il_count / ilc;
   printf("{\n  \"cayman_instructions\": %u,\n  \"il_instructions\": %u,\n"
          "  \"disassemble_per_second\": %.0f,\n  \"assemble_per_second\": %.0f,\n"
          "  \"il_parse_per_second\": %.0f,\n  \"il_to_cayman_per_second\": %.0f\n}\n",
          instructions, il_count, dis, as, parse, ilc);
   free(text);
   free(source);
   shader_code_finish(&shader);
   il_program_free(p);
   return 0;
}
