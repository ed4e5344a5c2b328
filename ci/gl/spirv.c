/* SPDX-License-Identifier: MIT */
/*
 * SPIR-V that no compiler made: gl-spirv [FIRST [COUNT]].  Exit code 0, and the number of modules,
 * if each is refused with an error of OpenGL's or links, is dispatched and ends, and the context
 * still runs the good module right after it; otherwise the reason is on stderr.
 *
 * The good module is a compute program, written below instruction by instruction, with a block, a
 * constant to specialise, a call, a branch, a loop and an extended instruction.  What is made of
 * it:
 *
 *  - truncated at each word;
 *  - huge: a bound, a length or a number of instructions beyond reason;
 *  - each word replaced by each of a few values;
 *  - random changes of up to four words, from FIRST on, COUNT of them.
 *
 * `gl-spirv N 1` is the damaged module N alone, which is how one that fails is looked at.
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 5
#define MAGIC  0x07230203u

/* An instruction: its opcode and its operands. */
#define LENGTH(...)   (sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))
#define OP(code, ...) (uint32_t)(LENGTH(0, __VA_ARGS__) << 16 | (code)), __VA_ARGS__
#define OP0(code)     (uint32_t)(1 << 16 | (code))
#define TEXT(a, b, c, d) \
   ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum {
   GLSL = 1,
   MAIN,
   ID,
   VOID,
   FUNCTION_VOID,
   UINT,
   UVEC3,
   POINTER_IN_UVEC3,
   POINTER_IN_UINT,
   ARRAY,
   BLOCK,
   POINTER_BLOCK,
   BUFFER,
   POINTER_UINT,
   ZERO,
   ONE,
   FOUR,
   TEN,
   SPECIAL,
   BOOL,
   FUNCTION_UINT,
   TWICE,
   PARAMETER,
   TWICE_BODY,
   DOUBLED,
   BODY,
   AT,
   INDEX,
   LOOP,
   COUNTER,
   NEXT,
   SUM,
   NEXT_SUM,
   TEST,
   AGAIN,
   CONTINUE,
   AFTER,
   CALLED,
   LARGER,
   BIG,
   THEN,
   JOIN,
   CHOSEN,
   PLACE,
   LOOP_BODY,
   BOUND,
};

/* result[i] = i < 4 ? max(2 * sum, 10) : i, where sum is 0 + 1 + ... of SPECIAL terms. */
static const uint32_t good[] = {
   MAGIC,
   0x00010000,
   0,
   BOUND,
   0,
   OP(17, 1), /* Capability Shader */
   OP(11, GLSL, TEXT('G', 'L', 'S', 'L'), TEXT('.', 's', 't', 'd'), TEXT('.', '4', '5', '0'), 0),
   OP(14, 0, 1),                                     /* MemoryModel Logical GLSL450 */
   OP(15, 5, MAIN, TEXT('m', 'a', 'i', 'n'), 0, ID), /* EntryPoint GLCompute */
   OP(16, MAIN, 17, 1, 1, 1),                        /* LocalSize */
   OP(71, ID, 11, 28),                               /* BuiltIn GlobalInvocationId */
   OP(71, SPECIAL, 1, 7),                            /* SpecId 7 */
   OP(71, ARRAY, 6, 4),                              /* ArrayStride 4 */
   OP(72, BLOCK, 0, 35, 0),                          /* Offset 0 */
   OP(71, BLOCK, 3),                                 /* BufferBlock */
   OP(71, BUFFER, 34, 0),                            /* DescriptorSet 0 */
   OP(71, BUFFER, 33, 0),                            /* Binding 0 */
   OP(19, VOID),
   OP(33, FUNCTION_VOID, VOID),
   OP(21, UINT, 32, 0),
   OP(20, BOOL),
   OP(23, UVEC3, UINT, 3),
   OP(32, POINTER_IN_UVEC3, 1, UVEC3), /* Input */
   OP(32, POINTER_IN_UINT, 1, UINT),
   OP(59, POINTER_IN_UVEC3, ID, 1), /* Variable */
   OP(29, ARRAY, UINT),             /* TypeRuntimeArray */
   OP(30, BLOCK, ARRAY),
   OP(32, POINTER_BLOCK, 2, BLOCK), /* Uniform */
   OP(59, POINTER_BLOCK, BUFFER, 2),
   OP(32, POINTER_UINT, 2, UINT),
   OP(43, UINT, ZERO, 0), /* Constant */
   OP(43, UINT, ONE, 1),
   OP(43, UINT, FOUR, 4),
   OP(43, UINT, TEN, 10),
   OP(50, UINT, SPECIAL, 3), /* SpecConstant */
   OP(33, FUNCTION_UINT, UINT, UINT),
   OP(54, UINT, TWICE, 0, FUNCTION_UINT), /* Function */
   OP(55, UINT, PARAMETER),
   OP(248, TWICE_BODY),                          /* Label */
   OP(128, UINT, DOUBLED, PARAMETER, PARAMETER), /* IAdd */
   OP(254, DOUBLED),                             /* ReturnValue */
   OP0(56),                                      /* FunctionEnd */
   OP(54, VOID, MAIN, 0, FUNCTION_VOID),
   OP(248, BODY),
   OP(65, POINTER_IN_UINT, AT, ID, ZERO), /* AccessChain */
   OP(61, UINT, INDEX, AT),               /* Load */
   OP(249, LOOP),                         /* Branch */
   OP(248, LOOP),
   OP(245, UINT, COUNTER, ZERO, BODY, NEXT, CONTINUE), /* Phi */
   OP(245, UINT, SUM, ZERO, BODY, NEXT_SUM, CONTINUE),
   OP(246, AFTER, CONTINUE, 0), /* LoopMerge */
   OP(249, TEST),
   OP(248, TEST),
   OP(176, BOOL, AGAIN, COUNTER, SPECIAL), /* ULessThan */
   OP(250, AGAIN, LOOP_BODY, AFTER),       /* BranchConditional */
   OP(248, LOOP_BODY),
   OP(249, CONTINUE),
   OP(248, CONTINUE),
   OP(128, UINT, NEXT_SUM, SUM, COUNTER),
   OP(128, UINT, NEXT, COUNTER, ONE),
   OP(249, LOOP),
   OP(248, AFTER),
   OP(57, UINT, CALLED, TWICE, SUM),            /* FunctionCall */
   OP(12, UINT, LARGER, GLSL, 41, CALLED, TEN), /* ExtInst UMax */
   OP(176, BOOL, BIG, INDEX, FOUR),
   OP(247, JOIN, 0), /* SelectionMerge */
   OP(250, BIG, THEN, JOIN),
   OP(248, THEN),
   OP(249, JOIN),
   OP(248, JOIN),
   OP(245, UINT, CHOSEN, LARGER, THEN, INDEX, AFTER),
   OP(65, POINTER_UINT, PLACE, BUFFER, ZERO, INDEX),
   OP(62, PLACE, CHOSEN), /* Store */
   OP0(253),              /* Return */
   OP0(56),
};

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
