/* SPDX-License-Identifier: MIT */
/*
 * Compute programs of OpenGL ES 3.1 alone: gl-dispatches.
 *
 * Each writes WORDS words of a storage buffer, which must be what the program here says.  A line
 * for each that fails, then how many held.  Nothing is drawn, so that a device can do it which
 * draws nothing yet.
 *
 * GL_RENDERER goes to stderr first.
 */
#include "offscreen.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 1024 };

#define HEAD   "#version 310 es\n"
#define BUFFER "layout(std430, binding = 0) buffer B { uint b[]; };\n"

static uint32_t
squares(uint32_t n)
{
   return n * n + 7;
}

/* Words of groups of 64, in the other order. */
static uint32_t
turned(uint32_t n)
{
   return (63 - n % 64) * 3 + n / 64 * 1000;
}

/* 512 threads add to the first sixteen words. */
static uint32_t
sums(uint32_t n)
{
   return n < 16 ? 32 * (100 + n % 4 * 4 + 1) : 0;
}

static uint32_t
loops(uint32_t n)
{
   float sum = 0;
   uint32_t bits;

   for (uint32_t k = 0; k < n % 13; k++)
      sum += (float)n * 0.5f;
   memcpy(&bits, &sum, sizeof(bits));
   return bits;
}

static const struct test {
   const char *name, *source;
   uint32_t groups;
   uint32_t (*word)(uint32_t n);
} tests[] = {
   { "squares",
     HEAD "layout(local_size_x = 64) in;\n" BUFFER
          "void main() { uint i = gl_GlobalInvocationID.x; b[i] = i * i + 7u; }\n",
     16, squares },
   { "shared",
     HEAD "layout(local_size_x = 8, local_size_y = 4, local_size_z = 2) in;\n" BUFFER
          "shared uint s[64];\n"
          "void main() {\n"
          "   uint l = gl_LocalInvocationIndex, w = gl_WorkGroupID.x;\n"
          "   s[l] = l * 3u;\n"
          "   barrier();\n"
          "   b[w * 64u + l] = s[63u - l] + w * 1000u;\n"
          "}\n",
     16, turned },
   { "atomics",
     HEAD "layout(local_size_x = 32) in;\n" BUFFER "uniform uint k;\n"
          "layout(std140, binding = 1) uniform U { uvec4 v[4]; };\n"
          "void main() {\n"
          "   uint i = gl_GlobalInvocationID.x;\n"
          "   atomicAdd(b[i % 16u], k + v[i % 4u].y);\n"
          "}\n",
     16, sums },
   { "loops",
     HEAD "layout(local_size_x = 16) in;\n" BUFFER "void main() {\n"
          "   uint i = gl_GlobalInvocationID.x;\n"
          "   float sum = 0.0;\n"
          "   for (uint n = 0u; n < i % 13u; n++)\n"
          "      sum += float(i) * 0.5;\n"
          "   b[i] = floatBitsToUint(sum);\n"
          "}\n",
     64, loops },
};
enum { TESTS = sizeof(tests) / sizeof(*tests) };

static unsigned
check(const struct test *t)
{
   static const uint32_t zeros[WORDS];
   const struct offscreen_shader shader = { GL_COMPUTE_SHADER, t->source };
   const unsigned program = glCreateProgram();
   uint32_t uniforms[16];
   const uint32_t *words;
   GLuint buffers[2];
   unsigned wrong = 0;

   offscreen_attach(program, &shader, 1);
   offscreen_link(program);
   glUseProgram(program);
   glUniform1ui(glGetUniformLocation(program, "k"), 100);
   for (unsigned n = 0; n < 16; n++)
      uniforms[n] = n;
   glGenBuffers(2, buffers);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers[0]);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(zeros), zeros, GL_STATIC_DRAW);
   glBindBufferBase(GL_UNIFORM_BUFFER, 1, buffers[1]);
   glBufferData(GL_UNIFORM_BUFFER, sizeof(uniforms), uniforms, GL_STATIC_DRAW);
   while (glGetError())
      ; /* a program without k */
   glDispatchCompute(t->groups, 1, 1);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   words = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, sizeof(zeros), GL_MAP_READ_BIT);
   for (uint32_t n = 0; n < WORDS; n++)
      wrong += !words || words[n] != t->word(n);
   wrong += glGetError() != GL_NO_ERROR;
   glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
   glDeleteBuffers(2, buffers);
   glDeleteProgram(program);
   return wrong;
}

int
main(void)
{
   unsigned held = 0;

   if (!offscreen_open_es())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   for (unsigned n = 0; n < TESTS; n++) {
      const unsigned wrong = check(&tests[n]);

      held += !wrong;
      if (wrong)
         printf("%s: %u words are wrong\n", tests[n].name, wrong);
   }
   printf("%u\n", held);
   offscreen_close();
   return held != TESTS;
}
