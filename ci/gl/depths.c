/* SPDX-License-Identifier: MIT */
/*
 * Depth of each size: gl-depths.
 *
 * Textures of 16, 24 and 32 bits of depth, and of floats: what is uploaded comes back, and what is
 * uploaded beside it changes nothing; what is drawn and cleared is there for reads, lookups,
 * comparisons, copies and blits; what a shader writes, and what it compares with integers, is
 * limited to 0 to 1; a polygon offset of a unit makes a difference everywhere.  A line for each
 * case that fails, then how many held.  GL_RENDERER goes to stderr first.
 */
#include "offscreen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 32 };

static const struct depth {
   const char *name;
   GLenum format;
   int bits;
} depths[] = {
   { "16", GL_DEPTH_COMPONENT16, 16 },          { "24", GL_DEPTH_COMPONENT24, 24 },
   { "32", GL_DEPTH_COMPONENT32, 32 },          { "24 with stencil", GL_DEPTH24_STENCIL8, 24 },
   { "32, floats", GL_DEPTH_COMPONENT32F, 32 },
};

static unsigned cases, held, program, writer, comparer, outside, scale_at;

static void
check(const struct depth *d, const char *what, bool good)
{
   cases++;
   held += good;
   if (!good)
      printf("%s bits: %s\n", d->name, what);
}

/* Steps of 32-bit integers that a depth may be off: floats have 24 bits. */
static int64_t
slack(const struct depth *d)
{
   return INT64_C(1) << (32 - (d->bits < 24 ? d->bits : 24));
}

static bool
near(const struct depth *d, uint32_t is, uint32_t want)
{
   return llabs((int64_t)is - (int64_t)want) <= slack(d);
}

static unsigned
texture(const struct depth *d)
{
   unsigned name;
   int bits = 0;

   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   glTexStorage2D(GL_TEXTURE_2D, 1, d->format, SIZE, SIZE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_DEPTH_SIZE, &bits);
   check(d, "another number of bits", bits == d->bits);
   return name;
}

static uint32_t
value(int x, int y)
{
   const uint32_t n = (uint32_t)(y * SIZE + x);

   return n == 0 ? 0 : n == 1 ? UINT32_MAX : n * 2654435761u >> (n % 13);
}

static bool
all(const struct depth *d, uint32_t (*is)[SIZE], uint32_t (*want)[SIZE])
{
   bool good = true;

   for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++)
         good &= near(d, is[y][x], want[y][x]);
   return good;
}

static void
run_uploads(const struct depth *d)
{
   static uint32_t want[SIZE][SIZE], is[SIZE][SIZE], before[SIZE][SIZE], part[5][7];
   const unsigned name = texture(d);

   for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++)
         want[y][x] = value(x, y);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, want);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, before);
   check(d, "what was uploaded is another", all(d, before, want));
   for (int y = 0; y < 5; y++)
      for (int x = 0; x < 7; x++)
         part[y][x] = 0x80000000u + (uint32_t)(x + y) * 0x01000000u;
   glTexSubImage2D(GL_TEXTURE_2D, 0, 3, 4, 7, 5, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, part);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, is);
   bool good = true;
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const bool inside = x >= 3 && x < 10 && y >= 4 && y < 9;
         good &= inside ? near(d, is[y][x], part[y - 4][x - 3]) : is[y][x] == before[y][x];
      }
   }
   check(d, "a part changes others", good);
   glDeleteTextures(1, &name);
}

/* A slope from one depth to another. */
static void
draw(float from, float to)
{
   const float vertices[4][4] = { { -1, -1, 2 * from - 1, 1 },
                                  { 1, -1, 2 * to - 1, 1 },
                                  { -1, 1, 2 * from - 1, 1 },
                                  { 1, 1, 2 * to - 1, 1 } };

   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(*vertices), vertices[0]);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static unsigned
target(const struct depth *d, unsigned name)
{
   unsigned framebuffer;

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER,
                          d->format == GL_DEPTH24_STENCIL8 ? GL_DEPTH_STENCIL_ATTACHMENT
                                                           : GL_DEPTH_ATTACHMENT,
                          GL_TEXTURE_2D, name, 0);
   glDrawBuffer(GL_NONE);
   glReadBuffer(GL_NONE);
   check(d, "not complete", glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
   return framebuffer;
}

static void
read(uint32_t (*is)[SIZE])
{
   glReadPixels(0, 0, SIZE, SIZE, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, is);
}

static bool
passes(GLenum func, float from, float to)
{
   unsigned query, count = 0;

   glGenQueries(1, &query);
   glDepthFunc(func);
   glDepthMask(GL_FALSE);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   draw(from, to);
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
   glDeleteQueries(1, &query);
   glDepthMask(GL_TRUE);
   glDepthFunc(GL_ALWAYS);
   return count == SIZE * SIZE;
}

static void
run_draws(const struct depth *d)
{
   static uint32_t want[SIZE][SIZE], is[SIZE][SIZE], copied[SIZE][SIZE];
   static uint8_t pixels[SIZE][SIZE][4];
   const float from = 0.125f, to = 0.875f;
   const unsigned name = texture(d), other = texture(d), color = offscreen_target(SIZE, SIZE);
   const unsigned copy = target(d, other), framebuffer = target(d, name);
   bool good = true;

   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_ALWAYS);
   glUniform1f((int)scale_at, 0);
   glClearDepth(0.3);
   glClear(GL_DEPTH_BUFFER_BIT);
   read(is);
   for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++)
         want[y][x] = (uint32_t)(0.3 * UINT32_MAX);
   check(d, "cleared", all(d, is, want));
   draw(from, to);
   for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++)
         want[y][x] = (uint32_t)((from + (to - from) * (x + 0.5) / SIZE) * UINT32_MAX);
   read(is);
   check(d, "drawn", all(d, is, want));
   check(d, "the same again is equal", passes(GL_EQUAL, from, to) && !passes(GL_LESS, from, to));
   glEnable(GL_POLYGON_OFFSET_FILL);
   glPolygonOffset(0, -1);
   good = passes(GL_LESS, from, to);
   glPolygonOffset(0, 1);
   check(d, "an offset of a unit", good && passes(GL_GREATER, from, to));
   glDisable(GL_POLYGON_OFFSET_FILL);

   glCopyImageSubData(name, GL_TEXTURE_2D, 0, 0, 0, 0, other, GL_TEXTURE_2D, 0, 0, 0, 0, SIZE, SIZE,
                      1);
   glBindFramebuffer(GL_FRAMEBUFFER, copy);
   read(copied);
   check(d, "copied", !memcmp(copied, is, sizeof(is)));
   glClear(GL_DEPTH_BUFFER_BIT);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_DEPTH_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_FRAMEBUFFER, copy);
   read(copied);
   check(d, "by blit", !memcmp(copied, is, sizeof(is)));
   if (d->format != GL_DEPTH_COMPONENT32F) {
      uint32_t limited[SIZE][SIZE];

      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const float z = 3 * (x + 0.5f) / SIZE - 1;
            limited[y][x] = (uint32_t)((z < 0 ? 0.0 : z < 1 ? z : 1.0) * UINT32_MAX);
         }
      }
      glUseProgram(writer);
      draw(from, to);
      glUseProgram(program);
      read(copied);
      check(d, "written by a shader", all(d, copied, limited));
   }

   glDisable(GL_DEPTH_TEST);
   glBindFramebuffer(GL_FRAMEBUFFER, color);
   glBindTexture(GL_TEXTURE_2D, name);
   glUniform1f((int)scale_at, 1);
   draw(0, 0);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   good = true;
   for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++)
         good &= abs((int)(want[y][x] >> 24) - pixels[y][x][0]) <= 1;
   check(d, "looked up", good);

   /* A reference above 1 is limited for integers, and is not for floats. */
   glUseProgram(comparer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glClearDepth(1);
   glClear(GL_DEPTH_BUFFER_BIT);
   glBindFramebuffer(GL_FRAMEBUFFER, color);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
   draw(0, 0);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   check(d, "compared with more than 1",
         pixels[4][4][0] == (d->format == GL_DEPTH_COMPONENT32F ? 0 : 255));

   /* So is what lies beyond the texture. */
   glUseProgram(outside);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
   glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, (const float[4]){ 1.5f });
   draw(0, 0);
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   check(d, "a border of more than 1",
         abs(pixels[4][4][0] - (d->format == GL_DEPTH_COMPONENT32F ? 191 : 128)) <= 1);
   glUseProgram(program);
   check(d, "an error", glGetError() == GL_NO_ERROR);
   glDeleteFramebuffers(1, &framebuffer);
   glDeleteFramebuffers(1, &copy);
   glDeleteFramebuffers(1, &color);
   glDeleteTextures(1, &name);
   glDeleteTextures(1, &other);
}

int
main(void)
{
   static const char vertex[] =
      "#version 120\nattribute vec4 position;\nvarying vec2 at;\n"
      "void main() { gl_Position = position; at = position.xy * 0.5 + 0.5; }\n";
   static const char fragment[] =
      "#version 120\nuniform sampler2D depth;\nuniform float scale;\nvarying vec2 at;\n"
      "void main() { gl_FragColor = vec4(scale * texture2D(depth, at).x); }\n";

   static const char depth[] =
      "#version 120\nvarying vec2 at;\nvoid main() { gl_FragDepth = 3.0 * at.x - 1.0; }\n";
   static const char compare[] = "#version 120\nuniform sampler2DShadow depth;\nvarying vec2 at;\n"
                                 "void main() { gl_FragColor = shadow2D(depth, vec3(at, 1.5)); }\n";

   static const char border[] =
      "#version 120\nuniform sampler2D depth;\nvarying vec2 at;\n"
      "void main() { gl_FragColor = vec4(0.5 * texture2D(depth, at + 2.0).x); }\n";

   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   program = offscreen_program(vertex, fragment);
   comparer = offscreen_program(vertex, compare);
   outside = offscreen_program(vertex, border);
   writer = offscreen_program(vertex, depth);
   glUseProgram(program);
   scale_at = (unsigned)glGetUniformLocation(program, "scale");
   for (unsigned n = 0; n < sizeof(depths) / sizeof(*depths); n++) {
      run_uploads(&depths[n]);
      glViewport(0, 0, SIZE, SIZE);
      run_draws(&depths[n]);
   }
   offscreen_close();
   printf("%u of %u\n", held, cases);
   return held != cases;
}
