/* SPDX-License-Identifier: MIT */
/*
 * Atomic operations that hand out values: gl-counters compute|fragment.
 *
 * 4096 invocations, a work group of 64 each row, or a pixel each, work on one address.  Whatever
 * the order, what must hold of the values they get is checked: the results of N increments are
 * 0..N-1 in some order, each value that exchanges put in comes out once, and so on.  A line for
 * each case names it and gives a hash of all values, by which the order itself can be compared
 * between runs.
 *
 * GL_RENDERER goes to stderr first.  The exit code is 77 where the driver offers too little OpenGL.
 *
 * Fragment shaders do not use what an image operation returns: Mesa's r600 cannot compile that for
 * this chip (docs/conformance.rst).
 */
#include "offscreen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, N = SIDE * SIDE, TOO_LITTLE = 77 };

#define UNTOUCHED 0xabababab

enum rule {
   RULE_COUNT,    /* 0..N-1 in some order; memory ends at `last` */
   RULE_EXCHANGE, /* 0..N in some order, the last value in memory among them */
   RULE_COMPARE,  /* one invocation found 0, all others what that one left */
   RULE_MOST,     /* memory ends at the largest value; no invocation has seen a larger one */
   RULE_APPEND,   /* every fourth invocation once, without holes, and nothing else */
   RULE_GROUPS,   /* 0..63 in some order in each group */
   RULE_BINS,     /* N/64 in each of 64 dwords */
   RULE_TOTAL,    /* memory ends at `last` */
};

enum memory { MEMORY_BUFFER, MEMORY_COUNTER, MEMORY_IMAGE, MEMORY_NONE };

static const struct test {
   const char *name;
   enum memory memory;
   enum rule rule;
   uint32_t first, last;
   bool compute, fragment;
   const char *statement;
} tests[] = {
   { "buffer-add", MEMORY_BUFFER, RULE_COUNT, 0, N, true, true,
     "result[id] = atomicAdd(cell[0], 1u);" },
   { "buffer-exchange", MEMORY_BUFFER, RULE_EXCHANGE, 0, 0, true, true,
     "result[id] = atomicExchange(cell[0], id + 1u);" },
   { "buffer-compare", MEMORY_BUFFER, RULE_COMPARE, 0, 0, true, true,
     "result[id] = atomicCompSwap(cell[0], 0u, id + 1u);" },
   { "buffer-max", MEMORY_BUFFER, RULE_MOST, 0, N - 1, true, true,
     "result[id] = atomicMax(cell[0], id * 1337u % 4096u);" },
   { "buffer-bins", MEMORY_BUFFER, RULE_BINS, 0, 0, true, true, "atomicAdd(cell[id & 63u], 1u);" },
   { "counter-increment", MEMORY_COUNTER, RULE_COUNT, 0, N, true, true,
     "result[id] = atomicCounterIncrement(counter);" },
   { "counter-decrement", MEMORY_COUNTER, RULE_COUNT, N, 0, true, true,
     "result[id] = atomicCounterDecrement(counter);" },
   { "counter-total", MEMORY_COUNTER, RULE_TOTAL, 0, N, true, true,
     "atomicCounterIncrement(counter);" },
   { "append", MEMORY_COUNTER, RULE_APPEND, 0, N / 4, true, true,
     "if ((id & 3u) == 1u) result[atomicCounterIncrement(counter)] = id;" },
   { "image-add", MEMORY_IMAGE, RULE_COUNT, 0, N, true, false,
     "result[id] = imageAtomicAdd(image, ivec2(0), 1u);" },
   { "image-exchange", MEMORY_IMAGE, RULE_EXCHANGE, 0, 0, true, false,
     "result[id] = imageAtomicExchange(image, ivec2(0), id + 1u);" },
   { "image-compare", MEMORY_IMAGE, RULE_COMPARE, 0, 0, true, false,
     "result[id] = imageAtomicCompSwap(image, ivec2(0), 0u, id + 1u);" },
   { "image-bins", MEMORY_IMAGE, RULE_BINS, 0, 0, true, true,
     "imageAtomicAdd(image, ivec2(id & 63u, 0), 1u);" },
   { "shared-add", MEMORY_NONE, RULE_GROUPS, 0, 0, true, false,
     "if (gl_LocalInvocationIndex == 0u) shared_cell = 0u;\n"
     "barrier();\n"
     "result[id] = atomicAdd(shared_cell, 1u);" },
};

static uint32_t results[N], cells[SIDE];

static unsigned
program_of(const struct test *test, bool compute)
{
   static const char *declared[] = {
      [MEMORY_BUFFER] = "layout(std430, binding = 0) buffer Cells { uint cell[]; };\n",
      [MEMORY_COUNTER] = "layout(binding = 0, offset = 0) uniform atomic_uint counter;\n",
      [MEMORY_IMAGE] = "layout(r32ui, binding = 0) uniform uimage2D image;\n",
      [MEMORY_NONE] = "shared uint shared_cell;\n",
   };
   char source[2048];
   const struct offscreen_shader vertex = {
      GL_VERTEX_SHADER,
      "#version 430\n"
      "void main() { vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
      "              gl_Position = vec4(p * 2.0 - 1.0, 0.0, 1.0); }\n",
   };
   const struct offscreen_shader shader = { compute ? GL_COMPUTE_SHADER : GL_FRAGMENT_SHADER,
                                            source };
   unsigned program = glCreateProgram();

   snprintf(
      source, sizeof(source),
      "#version 430\n"
      "%s%s"
      "layout(std430, binding = 1) buffer Results { uint result[]; };\n"
      "void main() {\n"
      "   uint id = %s;\n"
      "   %s\n"
      "%s}\n",
      compute ? "layout(local_size_x = 64) in;\n" : "out vec4 colour;\n", declared[test->memory],
      compute ? "gl_GlobalInvocationID.x" : "uint(gl_FragCoord.y) * 64u + uint(gl_FragCoord.x)",
      test->statement, compute ? "" : "   colour = vec4(1.0);\n");
   if (!compute)
      offscreen_attach(program, &vertex, 1);
   offscreen_attach(program, &shader, 1);
   offscreen_link(program);
   return program;
}

static void
run(const struct test *test, bool compute)
{
   unsigned program = program_of(test, compute), buffers[2], texture;
   GLenum target =
      test->memory == MEMORY_COUNTER ? GL_ATOMIC_COUNTER_BUFFER : GL_SHADER_STORAGE_BUFFER;

   memset(results, 0xab, sizeof(results));
   for (unsigned i = 0; i < SIDE; i++)
      cells[i] = test->first;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, SIDE, 1, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, cells);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   glGenBuffers(2, buffers);
   glBindBufferBase(target, 0, buffers[0]);
   glBufferData(target, sizeof(cells), cells, GL_DYNAMIC_COPY);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers[1]);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(results), results, GL_DYNAMIC_COPY);
   glUseProgram(program);
   if (compute)
      glDispatchCompute(N / 64, 1, 1);
   else
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(results), results);
   if (test->memory == MEMORY_IMAGE) {
      glGetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, cells);
   } else {
      glBindBuffer(target, buffers[0]);
      glGetBufferSubData(target, 0, sizeof(cells), cells);
   }
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteBuffers(2, buffers);
   glDeleteTextures(1, &texture);
}

/* Whether `values` holds first, first + step ... once each, `count` of them, in any order. */
static bool
each_once(const uint32_t *values, unsigned count, uint32_t first, uint32_t step)
{
   static bool seen[N + 1];

   memset(seen, 0, sizeof(seen));
   for (unsigned i = 0; i < count; i++) {
      uint32_t n = (values[i] - first) / step;

      if (values[i] < first || (values[i] - first) % step || n >= count || seen[n])
         return false;
      seen[n] = true;
   }
   return true;
}

static bool
holds(const struct test *test)
{
   uint32_t all[N + 1], winner = 0;

   switch (test->rule) {
   case RULE_COUNT:
      return cells[0] == test->last && each_once(results, N, 0, 1);
   case RULE_EXCHANGE:
      memcpy(all, results, sizeof(results));
      all[N] = cells[0];
      return each_once(all, N + 1, 0, 1);
   case RULE_COMPARE:
      for (uint32_t i = 0; i < N; i++) {
         if (results[i] == 0 && winner)
            return false;
         if (results[i] == 0)
            winner = i + 1;
      }
      for (uint32_t i = 0; i < N; i++)
         if (results[i] && results[i] != winner)
            return false;
      return winner && cells[0] == winner;
   case RULE_MOST:
      for (uint32_t i = 0; i < N; i++)
         if (results[i] > test->last)
            return false;
      return cells[0] == test->last;
   case RULE_APPEND:
      for (uint32_t i = test->last; i < N; i++)
         if (results[i] != UNTOUCHED)
            return false;
      return cells[0] == test->last && each_once(results, N / 4, 1, 4);
   case RULE_GROUPS:
      for (uint32_t i = 0; i < N; i += 64)
         if (!each_once(results + i, 64, 0, 1))
            return false;
      return true;
   case RULE_BINS:
      for (unsigned i = 0; i < SIDE; i++)
         if (cells[i] != N / SIDE)
            return false;
      return true;
   case RULE_TOTAL:
      return cells[0] == test->last;
   }
   return false;
}

/* FNV-1a. */
static uint64_t
hashed(uint64_t hash, const uint32_t *values, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      for (unsigned shift = 0; shift < 32; shift += 8)
         hash = (hash ^ (values[i] >> shift & 0xff)) * UINT64_C(0x100000001b3);
   return hash;
}

int
main(int argc, char **argv)
{
   bool compute = argc == 2 && !strcmp(argv[1], "compute"), good = true;
   unsigned error;

   if (argc != 2 || (!compute && strcmp(argv[1], "fragment"))) {
      fprintf(stderr, "usage: gl-counters compute|fragment\n");
      return 2;
   }
   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   if (offscreen_version() < 43) {
      fprintf(stderr, "OpenGL 4.3 is needed, and there is %s\n", glGetString(GL_VERSION));
      return TOO_LITTLE;
   }
   offscreen_target(SIDE, SIDE);
   for (unsigned i = 0; i < sizeof(tests) / sizeof(*tests); i++) {
      bool held;

      if (compute ? !tests[i].compute : !tests[i].fragment)
         continue;
      run(&tests[i], compute);
      held = holds(&tests[i]);
      good &= held;
      printf("%s %016" PRIx64 "%s\n", tests[i].name,
             hashed(hashed(UINT64_C(0xcbf29ce484222325), results, N), cells, SIDE),
             held ? "" : " WRONG");
      fflush(stdout);
   }
   error = glGetError();
   if (error) {
      fprintf(stderr, "GL error 0x%x\n", error);
      return 1;
   }
   offscreen_close();
   return good ? 0 : 1;
}
