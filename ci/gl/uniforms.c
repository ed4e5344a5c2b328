/* SPDX-License-Identifier: MIT */
/*
 * What a shader makes of uniforms alone, which a driver may do itself: gl-uniforms.  Exit code 0,
 * and the number of cases, if each has the bits of the same expressions of a uniform block, which
 * the shader works out; otherwise the reason is on stderr.
 *
 * Uniforms change between draws and between programs, some of them, and in each stage; and they are
 * of all kinds: denormals, infinities, NaN, zeros of both signs.  And thousands of points are drawn
 * at once, each with other uniforms: a driver may let programs make values themselves then.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VECTORS = 4, RESULTS = 8, ROUNDS = 200 };

static unsigned cases;

/* Bits in, bits out, so that no conversion has a part in it. */
#define EXPRESSIONS                                                                         \
   "vec4 f(int i) { return uintBitsToFloat(u[i]); }\n"                                      \
   "uvec4 result(int n) {\n"                                                                \
   "   vec4 a = f(0), b = f(1), c = f(2);\n"                                                \
   "   uvec4 i = u[0], j = u[3];\n"                                                         \
   "   switch (n) {\n"                                                                      \
   "   case 0: return floatBitsToUint(a * b + c);\n"                                        \
   "   case 1: return floatBitsToUint(vec4(dot(a, b), dot(b.xyz, c.xyz),\n"                 \
   "                                       length(a.xy), distance(b.zw, c.xy)));\n"         \
   "   case 2: return floatBitsToUint(mat4(a, b, c, f(3)) * mat4(c, b, a, f(3)) * b);\n"    \
   "   case 3: return floatBitsToUint(vec4(normalize(c.xyz), inversesqrt(a.x)));\n"         \
   "   case 4: return floatBitsToUint(clamp(fract(a) - floor(b), 0.0, 1.0) / abs(c));\n"    \
   "   case 5: return floatBitsToUint(mix(min(a, b), max(b, c), lessThan(a, c)));\n"        \
   "   case 6: return (i * j + (i >> (j & 31u))) ^ (i << 3u) | uvec4(greaterThan(i, j));\n" \
   "   default: return uvec4(min(ivec4(i), ivec4(j))) + floatBitsToUint(vec4(ivec4(j)));\n" \
   "   }\n"                                                                                 \
   "}\n"

#define UNIFORMS "#version 430\nuniform uvec4 u[4];\n"
#define BLOCK    "#version 430\nlayout(std140, binding = 0) uniform B { uvec4 u[4]; };\n"

#define VERTEX                                                                  \
   "layout(location = 0) in vec2 corner; flat out uvec4 bits[8];\n" EXPRESSIONS \
   "void main() { gl_Position = vec4(corner, 0.0, 1.0);\n"                      \
   "              for (int n = 0; n < 8; n++) bits[n] = result(n); }\n"
#define PLAIN_VERTEX                                      \
   "#version 430\nlayout(location = 0) in vec2 corner;\n" \
   "void main() { gl_Position = vec4(corner, 0.0, 1.0); }\n"
#define PLAIN_FRAGMENT                                        \
   "#version 430\nflat in uvec4 bits[8]; out uvec4 colour;\n" \
   "void main() { colour = bits[int(gl_FragCoord.x)]; }\n"
#define FRAGMENT                                                                   \
   "out uvec4 colour;\n" EXPRESSIONS                                               \
   "void main() { uvec4 all[8]; for (int n = 0; n < 8; n++) all[n] = result(n);\n" \
   "              colour = all[int(gl_FragCoord.x)]; }\n"
#define COMPUTE                                                                        \
   "layout(local_size_x = 1) in; layout(std430, binding = 1) buffer R { uvec4 to[8]; " \
   "};\n" EXPRESSIONS "void main() { for (int n = 0; n < 8; n++) to[n] = result(n); }\n"

/* In a stage: of uniforms, and of a block. */
struct pair {
   const char *stage;
   unsigned program[2];
   int location;
};

static void
fail(const char *what, unsigned round)
{
   fprintf(stderr, "round %u: %s\n", round, what);
   exit(1);
}

static unsigned
compute(const char *source)
{
   const struct offscreen_shader shader = { GL_COMPUTE_SHADER, source };
   const unsigned program = glCreateProgram();

   offscreen_attach(program, &shader, 1);
   offscreen_link(program);
   return program;
}

static uint32_t
next(uint32_t *state)
{
   return *state = *state * 1664525u + 1013904223u;
}

/* A word of any kind, mostly floats that do not vanish or overflow. */
static uint32_t
word(uint32_t *state)
{
   static const uint32_t special[] = { 0,          0x80000000, 1,          0x807fffff, 0x00800000,
                                       0x3f800000, 0xbf800000, 0x7f7fffff, 0x7f800000, 0xff800000,
                                       0x7fc00000, 0xffc12345, 0x4b000000, 0x33800000, 0x7fffffff };
   const uint32_t kind = next(state) >> 28, bits = next(state) >> 8 | (next(state) & 0xff000000);

   if (kind < 3)
      return special[bits % (sizeof(special) / sizeof(special[0]))];
   return kind == 3 ? bits : (bits & 0x807fffff) | (0x78 + (bits >> 24 & 15)) << 23;
}

static void
run(const struct pair *p, unsigned which, uint32_t bits[RESULTS][4])
{
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };

   glUseProgram(p->program[which]);
   if (p->stage[0] == 'c') {
      glDispatchCompute(1, 1, 1);
      glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
      glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, RESULTS * 16, bits);
      return;
   }
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glReadPixels(0, 0, RESULTS, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, bits);
}

/* A point for each pixel, its colour a product of uniforms; two draws of three change what has no
 * part in it. */
static void
many_points(void)
{
   enum { SIDE = 64 };
   static uint8_t pixels[SIDE][SIDE][4];
   unsigned target, buffer;
   const unsigned program = offscreen_program(
      "#version 130\nuniform float a, b;\nuniform vec2 at;\nflat out float product;\n"
      "void main() { gl_Position = vec4((at + 0.5) / 32.0 - 1.0, 0, 1); product = a * b; }\n",
      "#version 130\nflat in float product;\nout vec4 colour;\n"
      "void main() { colour = vec4(product / 255.0, 1, 0, 1); }\n");
   const int a = glGetUniformLocation(program, "a"), b = glGetUniformLocation(program, "b");
   const int at = glGetUniformLocation(program, "at");

   glGenFramebuffers(1, &target);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glGenRenderbuffers(1, &buffer);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIDE, SIDE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
   glViewport(0, 0, SIDE, SIDE);
   glUseProgram(program);
   for (int n = 0; n < SIDE * SIDE; n++) {
      glUniform2f(at, (float)(n % SIDE), (float)(n / SIDE));
      if (n % 3 == 0) {
         glUniform1f(a, (float)(n % 15));
         glUniform1f(b, (float)(n / SIDE % 17));
      }
      glDrawArrays(GL_POINTS, 0, 1);
   }
   glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (int n = 0; n < SIDE * SIDE; n++, cases++) {
      const int set = n - n % 3, want = set % 15 * (set / SIDE % 17);
      const uint8_t *p = pixels[n / SIDE][n % SIDE];
      if (p[0] != want || p[1] != 255)
         fail("another point", (unsigned)n);
   }
}

int
main(void)
{
   uint32_t values[3][VECTORS][4] = { 0 }, state = 1;
   unsigned texture, target, buffers[2];

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   struct pair pairs[3] = {
      { "vertex",
        { offscreen_program(UNIFORMS VERTEX, PLAIN_FRAGMENT),
          offscreen_program(BLOCK VERTEX, PLAIN_FRAGMENT) } },
      { "fragment",
        { offscreen_program(PLAIN_VERTEX, UNIFORMS FRAGMENT),
          offscreen_program(PLAIN_VERTEX, BLOCK FRAGMENT) } },
      { "compute", { compute(UNIFORMS COMPUTE), compute(BLOCK COMPUTE) } },
   };
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32UI, RESULTS, 1);
   glGenFramebuffers(1, &target);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   glViewport(0, 0, RESULTS, 1);
   glGenBuffers(2, buffers);
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffers[0]);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers[1]);
   glBufferData(GL_SHADER_STORAGE_BUFFER, RESULTS * 16, NULL, GL_DYNAMIC_DRAW);
   for (unsigned s = 0; s < 3; s++)
      pairs[s].location = glGetUniformLocation(pairs[s].program[0], "u");

   for (unsigned round = 0; round < ROUNDS; round++) {
      const unsigned s = next(&state) >> 8 & 3, stage = s == 3 ? 0 : s;
      const struct pair *p = &pairs[stage];
      uint32_t bits[2][RESULTS][4];
      /* Some change, and some rounds nothing does but the program. */
      const unsigned first = next(&state) >> 8 & 3, count = next(&state) >> 8 & 3;
      for (unsigned i = first; i < first + count && i < VECTORS; i++)
         for (unsigned c = 0; c < 4; c++)
            values[stage][i][c] = word(&state);
      glUseProgram(p->program[0]);
      if (count && first + count <= VECTORS)
         glUniform4uiv(p->location + (int)first, (int)count, values[stage][first]);
      else if (count)
         glUniform4uiv(p->location, VECTORS, values[stage][0]);
      glBufferData(GL_UNIFORM_BUFFER, sizeof(values[stage]), values[stage], GL_STREAM_DRAW);
      run(p, round & 1, bits[round & 1]);
      run(p, ~round & 1, bits[~round & 1]);
      uint32_t any = 0;
      for (unsigned n = 0; n < RESULTS; n++, cases++) {
         any |= bits[0][n][0];
         if (memcmp(bits[0][n], bits[1][n], sizeof(bits[0][n])) != 0) {
            fprintf(stderr,
                    "%s, expression %u: %08x %08x %08x %08x, of a block %08x %08x %08x %08x\n",
                    p->stage, n, bits[0][n][0], bits[0][n][1], bits[0][n][2], bits[0][n][3],
                    bits[1][n][0], bits[1][n][1], bits[1][n][2], bits[1][n][3]);
            fail("not the same", round);
         }
      }
      if (!any)
         fail("nothing was drawn", round);
   }
   many_points();
   if (glGetError() != GL_NO_ERROR)
      fail("an error", 0);
   offscreen_close();
   printf("%u\n", cases);
   return 0;
}
