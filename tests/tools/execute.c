/* SPDX-License-Identifier: MIT */
/*
 * Rates of compute programs on one core, as JSON: threads a second of the programs in programs/
 * that stand there in several languages, on the shader core that atoll-run uses.
 *
 *    bench-execute FOLDER
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compiler/cayman/cayman_compile.h"
#include "il/il.h"
#include "isa/isa.h"
#include "machine.h"

#define GROUPS  64u
#define THREADS 64u
#define WORDS   (4 * GROUPS * THREADS)

static const struct {
   const char *name;
   uint32_t constants[4];
} programs[] = {
   { "decay", { 0x3f400000, 0x3f800000, 0x41a00000, 0 } }, /* 0.75, 1, 20, 0 */
   { "chain", { 2654435765u, 12345, 2147483000, 24 } },
   { "hash", { 0 } },
};

static const struct {
   const char *name, *suffix;
   enum isa_id isa;
   bool direct;
} languages[] = {
   { "cayman", "il", ISA_ID_cayman, false },
   { "il", "il", ISA_ID_cayman, true },
   { "valhall", "valhall", ISA_ID_valhall, false },
   { "attila", "attila", ISA_ID_attila, false },
};

static double
now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static char *
read_text(const char *folder, const char *name, const char *suffix)
{
   char path[4096];
   snprintf(path, sizeof(path), "%s/%s.%s", folder, name, suffix);
   FILE *f = fopen(path, "r");
   char *text = calloc(1, 65536);
   size_t n = f && text ? fread(text, 1, 65535, f) : 0;

   if (f)
      fclose(f);
   if (!n) {
      free(text);
      return NULL;
   }
   return text;
}

/* Threads a second; 0: the program is not there in that language, or does not run. */
static double
rate(const char *folder, unsigned program, unsigned language)
{
   char *text = read_text(folder, programs[program].name, languages[language].suffix);
   char error[256] = "";
   struct machine m = {
      .isa = languages[language].isa,
      .threads = { THREADS, 1, 1 },
      .groups = { GROUPS, 1, 1 },
      .budget = UINT64_MAX / 2,
   };
   struct il_program *il = NULL;
   struct shader_code shader = { 0 };
   struct isa_error as_error;
   struct il_error il_error;
   struct isa_binary binary = { 0 };
   double result = 0;

   if (!text)
      return 0;
   if (m.isa == ISA_ID_cayman) {
      il = il_parse(text, strlen(text), &il_error);
      if (!il || !cayman_compile(il, 0, &shader, error, sizeof(error))) {
         fprintf(stderr, "%s: %s\n", programs[program].name, il ? error : il_error.text);
         goto out;
      }
      m.words = shader.words;
      m.num_dwords = shader.num_dwords;
      m.num_gprs = shader.num_gprs > 2 ? shader.num_gprs : 2;
      m.stack_entries = shader.stack_size;
      m.direct = languages[language].direct ? il : NULL;
   } else {
      if (isa_at(m.isa)->assemble(text, strlen(text), NULL, &binary, &as_error)) {
         m.words = binary.words;
         m.num_dwords = binary.num_dwords;
      }
   }
   if (!m.words) {
      fprintf(stderr, "%s.%s: line %u: %s\n", programs[program].name, languages[language].suffix,
              as_error.line, as_error.text);
      goto out;
   }
   m.constant[0].words = calloc(4 + MACHINE_PADDING, 4);
   m.constant[0].count = 4;
   memcpy(m.constant[0].words, programs[program].constants, 16);
   for (unsigned n = 0; n < 2; n++) {
      m.buffer[n].words = calloc(WORDS + MACHINE_PADDING, 4);
      m.buffer[n].count = WORDS;
   }
   for (uint32_t n = 0; n < WORDS; n++) {
      /* Floats from 1 to 2. */
      m.buffer[0].words[n] = 0x3f800000u | (n * 2654435761u >> 9);
   }
   uint64_t runs = 0;
   double start = now(), took = 0;
   for (bool ok = true; ok && took < 0.25; runs++) {
      ok = machine_run(&m, error, sizeof(error));
      took = ok ? now() - start : 0;
      if (!ok) {
         fprintf(stderr, "%s: %s\n", programs[program].name, error);
         break;
      }
   }
   result = took > 0 ? (double)(runs * GROUPS * THREADS) / took : 0;
   free(m.constant[0].words);
   free(m.buffer[0].words);
   free(m.buffer[1].words);
out:
   isa_binary_finish(&binary);
   if (shader.words)
      shader_code_finish(&shader);
   if (il)
      il_program_free(il);
   free(text);
   return result;
}

int
main(int argc, char **argv)
{
   const char *separator = "";

   if (argc != 2) {
      fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
      return 2;
   }
   printf("{");
   for (unsigned l = 0; l < sizeof(languages) / sizeof(*languages); l++) {
      for (unsigned p = 0; p < sizeof(programs) / sizeof(*programs); p++) {
         double r = rate(argv[1], p, l);
         if (r > 0) {
            printf("%s\n  \"%s_%s\": %.0f", separator, languages[l].name, programs[p].name, r);
            separator = ",";
         }
      }
   }
   printf("\n}\n");
   return 0;
}
