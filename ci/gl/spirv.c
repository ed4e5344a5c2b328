/* SPDX-License-Identifier: MIT */
/*
 * SPIR-V that no compiler made: gl-spirv [FIRST [COUNT]].  Exit code 0, and the number of modules,
 * if each is refused with an error of OpenGL's or links, is dispatched and ends, and the context
 * still runs the good module right after it; otherwise the reason is on stderr.
 *
 * What is made of the good module (spirv_module.h):
 *
 *  - truncated at each word;
 *  - huge: a bound, a length or a number of instructions beyond reason;
 *  - each word replaced by each of a few values;
 *  - random changes of up to four words, from FIRST on, COUNT of them.
 *
 * `gl-spirv N 1` is the damaged module N alone, which is how one that fails is looked at.
 */
#include "offscreen.h"
#include "spirv_module.h"

#include <EGL/egl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = sizeof(good) / sizeof(good[0]), RESULTS = 8, TERMS = 6 };

static PFNGLSPECIALIZESHADERPROC specialize; /* in no library */

static void
fail(const char *why, const char *what, unsigned number)
{
   fprintf(stderr, "%s: %s %u\n", why, what, number);
   exit(1);
}

static void
drain_errors(void)
{
   while (glGetError() != GL_NO_ERROR)
      continue;
}

/* A program of a module: 0 if OpenGL refuses it. */
static unsigned
program_of(const uint32_t *words, size_t count)
{
   static const GLuint number = 7, value = TERMS;
   unsigned shader = glCreateShader(GL_COMPUTE_SHADER), program = 0;
   int ok = 0;

   glShaderBinary(1, &shader, GL_SHADER_BINARY_FORMAT_SPIR_V, words, (GLsizei)(count * 4));
   specialize(shader, "main", 1, &number, &value);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok && glGetError() == GL_NO_ERROR)
      fail("a module is refused in silence", "words", (unsigned)count);
   if (ok) {
      program = glCreateProgram();
      glAttachShader(program, shader);
      glLinkProgram(program);
      glGetProgramiv(program, GL_LINK_STATUS, &ok);
      if (!ok) {
         glDeleteProgram(program);
         program = 0;
      }
   }
   glDeleteShader(shader);
   drain_errors();
   return program;
}

/* Dispatches a program and reads what it leaves. */
static void
dispatch(unsigned program, uint32_t result[RESULTS])
{
   memset(result, 0xff, RESULTS * sizeof(result[0]));
   glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, RESULTS * sizeof(result[0]), result);
   glUseProgram(program);
   glDispatchCompute(RESULTS, 1, 1);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, RESULTS * sizeof(result[0]), result);
   glUseProgram(0);
}

static void
check_good(unsigned program, const char *what, unsigned number)
{
   uint32_t result[RESULTS];

   dispatch(program, result);
   for (uint32_t i = 0; i < RESULTS; i++)
      if (result[i] != (i < 4 ? 2 * (TERMS * (TERMS - 1) / 2) : i))
         fail("the good module gives something else", what, number);
   if (glGetError() != GL_NO_ERROR)
      fail("the good module is an error", what, number);
}

/* A damaged module. */
static void
try(const uint32_t *words, size_t count, const char *what, unsigned number)
{
   uint32_t result[RESULTS];

   fprintf(stderr, "%s %u\n", what, number);
   unsigned program = program_of(words, count);
   if (program) {
      dispatch(program, result);
      glDeleteProgram(program);
   }
   drain_errors();
}

/* ---- What is done to the module ---- */

static unsigned
truncate_it(void)
{
   for (unsigned count = 0; count < WORDS; count++) {
      /* Where it lies, nothing follows. */
      uint32_t *words = malloc(count ? count * sizeof(*words) : 1);
      memcpy(words, good, count * sizeof(*words));
      try(words, count, "truncated", count);
      free(words);
   }
   return WORDS;
}

static unsigned
blow_it_up(void)
{
   enum { MANY = 1 << 20 };
   static const uint32_t bounds[] = { 0, 1, 1 << 22, 1u << 28, 0x7fffffff, 0xffffffff };
   uint32_t *words = malloc((WORDS + MANY) * sizeof(*words));
   unsigned count = 0;

   for (unsigned i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
      memcpy(words, good, sizeof(good));
      words[3] = bounds[i];
      try(words, WORDS, "huge", count++);
   }
   /* Instructions that do nothing, and one that is longer than the module. */
   memcpy(words, good, HEADER * sizeof(*words));
   for (unsigned i = 0; i < MANY; i++)
      words[HEADER + i] = 1 << 16;
   memcpy(words + HEADER + MANY, good + HEADER, sizeof(good) - HEADER * sizeof(*words));
   try(words, WORDS + MANY, "huge", count++);
   words[HEADER] = 0xffff0000;
   try(words, WORDS + MANY, "huge", count++);
   /* Random words after a good header. */
   uint32_t state = 1;
   for (unsigned i = 0; i < MANY; i++)
      words[HEADER + i] = state = state * 1664525 + 1013904223;
   try(words, WORDS + MANY, "huge", count++);
   /* An array of arrays of arrays, of 4 G elements each. */
   memcpy(words, good, sizeof(good));
   for (unsigned i = HEADER; i < WORDS; i += words[i] >> 16)
      if (words[i] == (4u << 16 | 43))
         words[i + 3] = 0xffffffff;
   try(words, WORDS, "huge", count++);
   free(words);
   return count;
}

static unsigned
replace_words(void)
{
   static const uint32_t values[] = { 0, 1, BOUND - 1, BOUND, 0x7fffffff, 0xffffffff };
   unsigned count = 0;

   for (unsigned at = 0; at < WORDS; at++) {
      for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
         uint32_t words[WORDS];
         memcpy(words, good, sizeof(good));
         words[at] = values[i];
         try(words, WORDS, "replaced", count++);
      }
   }
   return count;
}

static unsigned
damage(unsigned first, unsigned count)
{
   for (unsigned n = first; n < first + count; n++) {
      uint32_t words[WORDS], state = n * 2654435761u + 12345;
      memcpy(words, good, sizeof(good));
      for (unsigned changes = 1 + n % 4; changes; changes--) {
         uint32_t r[3];
         for (unsigned i = 0; i < 3; i++)
            r[i] = (state = state * 1664525 + 1013904223) >> 8;
         uint32_t *word = &words[HEADER + r[0] % (WORDS - HEADER)];
         *word = r[1] % 3 == 0   ? r[2] % BOUND
                 : r[1] % 3 == 1 ? *word ^ 1u << r[2] % 32
                                 : good[HEADER + r[2] % (WORDS - HEADER)];
      }
      try(words, WORDS, "damaged", n);
   }
   return count;
}

int
main(int argc, char **argv)
{
   unsigned buffer, count = 0, program;

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   specialize = (PFNGLSPECIALIZESHADERPROC)eglGetProcAddress("glSpecializeShader");
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, RESULTS * 4, NULL, GL_DYNAMIC_COPY);
   program = program_of(good, WORDS);
   if (!program)
      fail("the good module is refused", "words", WORDS);
   check_good(program, "at first", 0);
   if (argc < 2) {
      count += truncate_it() + blow_it_up();
      check_good(program, "after", count);
      count += replace_words();
      check_good(program, "after", count);
   }
   count +=
      damage(argc > 1 ? (unsigned)atoi(argv[1]) : 0, argc > 2 ? (unsigned)atoi(argv[2]) : 1500);
   check_good(program, "after", count);
   offscreen_close();
   printf("%u\n", count);
   return 0;
}
