/* SPDX-License-Identifier: MIT */
/*
 * Measures what a driver does off screen, at 1024 x 1024: gl-bench [--seconds S] NAME...
 *
 * Prints one line a measurement: name, value, unit.  Rates are the best of the rounds that fit into
 * S seconds (default 0.5): other load only ever slows a round down.  `first-draw FILE` is the time
 * from glCreateShader to the end of glFinish after the first draw with the program in FILE (vertex
 * shader, a line `#fragment`, fragment shader), in a context that has drawn before.
 *
 * Rates are of GLSL 1.20, which every instruction set can say.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1024, PIXELS = SIZE * SIZE, TEXTURE = 256 };

static double seconds = 0.5;

static const char plain_vertex[] =
   "#version 120\n"
   "attribute vec2 position; varying vec2 at; uniform float scale;\n"
   "void main() { at = position * scale;\n"
   "              gl_Position = vec4(position, 0.0, 1.0); }\n";

static const char flat_fragment[] = "#version 120\n"
                                    "uniform vec4 value;\n"
                                    "void main() { gl_FragColor = value; }\n";

static const char varying_fragment[] = "#version 120\n"
                                       "varying vec2 at;\n"
                                       "void main() { gl_FragColor = vec4(at, at.x, 0.5); }\n";

static const char texture_fragment[] = "#version 120\n"
                                       "varying vec2 at; uniform sampler2D image;\n"
                                       "void main() { gl_FragColor = texture2D(image, at); }\n";

static void
draw_quad(void)
{
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* Units of work per second: draws in rounds of a growing count until the time is up. */
static double
rate(void (*draw)(void), double units)
{
   int64_t end = offscreen_now() + (int64_t)(seconds * 1e6);
   double best = 0;
   int count = 1;

   draw();
   glFinish();
   do {
      int64_t start = offscreen_now(), took;

      for (int i = 0; i < count; i++)
         draw();
      glFinish();
      took = offscreen_now() - start;
      if (took > 0 && units * count / (double)took > best)
         best = units * count / (double)took;
      if (took < 20000)
         count *= 2;
   } while (offscreen_now() < end);
   return best;
}

static void
full_screen_quad(void)
{
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
   unsigned buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
}

static void
use(const char *fragment, float scale)
{
   unsigned program = offscreen_program(plain_vertex, fragment);

   glUseProgram(program);
   glUniform1f(glGetUniformLocation(program, "scale"), scale);
   glUniform4f(glGetUniformLocation(program, "value"), 0.2f, 0.4f, 0.6f, 0.5f);
}

static void
bind_texture(GLenum min, GLenum mag)
{
   static uint8_t texels[TEXTURE][TEXTURE][4];
   unsigned texture, noise = 1;

   for (int y = 0; y < TEXTURE; y++)
      for (int x = 0; x < TEXTURE; x++)
         for (int c = 0; c < 4; c++) {
            noise = noise * 1664525 + 1013904223;
            texels[y][x][c] = (uint8_t)(noise >> 24);
         }
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEXTURE, TEXTURE, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glGenerateMipmap(GL_TEXTURE_2D);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (int)min);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (int)mag);
}

static double
bench_flat(void)
{
   full_screen_quad();
   use(flat_fragment, 1);
   return rate(draw_quad, PIXELS);
}

static double
bench_depth(void)
{
   full_screen_quad();
   use(flat_fragment, 1);
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_LEQUAL);
   return rate(draw_quad, PIXELS);
}

static double
bench_blend(void)
{
   full_screen_quad();
   use(varying_fragment, 1);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
   return rate(draw_quad, PIXELS);
}

static double
bench_nearest(void)
{
   full_screen_quad();
   use(texture_fragment, 1.7f);
   bind_texture(GL_NEAREST, GL_NEAREST);
   return rate(draw_quad, PIXELS);
}

static double
bench_bilinear(void)
{
   full_screen_quad();
   use(texture_fragment, 1.7f);
   bind_texture(GL_LINEAR, GL_LINEAR);
   return rate(draw_quad, PIXELS);
}

/* 2.9 texels a pixel: between two levels. */
static double
bench_trilinear(void)
{
   full_screen_quad();
   use(texture_fragment, 5.8f);
   bind_texture(GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
   return rate(draw_quad, PIXELS);
}

static double
bench_mads(void)
{
   char source[8192];
   size_t n = (size_t)sprintf(source, "#version 120\n"
                                      "varying vec2 at; uniform vec4 value;\n"
                                      "void main() { vec4 v = at.xyxy, w = value + at.yxyx;\n");

   full_screen_quad();
   for (int i = 0; i < 64; i++)
      n += (size_t)sprintf(source + n, "   v = v.%s * w + v;\n", i & 1 ? "yzwx" : "wxyz");
   sprintf(source + n, "   gl_FragColor = v; }\n");
   use(source, 0.001f);
   return rate(draw_quad, PIXELS);
}

enum { TRIANGLES = SIZE / 4 * (SIZE / 4) };

static void
draw_triangles(void)
{
   glDrawArrays(GL_TRIANGLES, 0, TRIANGLES * 3);
}

/* Half of every square of four by four pixels: eight pixels a triangle. */
static double
bench_triangles(void)
{
   float *vertices = malloc(sizeof(float) * TRIANGLES * 6), *v = vertices;
   unsigned buffer;

   if (!vertices)
      exit(1);
   for (int i = 0; i < TRIANGLES; i++) {
      float x = (float)(i % (SIZE / 4)) * 4, y = (float)(i / (SIZE / 4)) * 4;
      const float corner[6] = { x, y, x + 4, y, x, y + 4 };

      for (int c = 0; c < 6; c++)
         *v++ = corner[c] * 2 / SIZE - 1;
   }
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, (long)sizeof(float) * TRIANGLES * 6, vertices, GL_STATIC_DRAW);
   free(vertices);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   use(flat_fragment, 1);
   return rate(draw_triangles, TRIANGLES);
}

static char *
read_file(const char *path)
{
   FILE *file = fopen(path, "rb");
   char *text = calloc(1, 65536);

   if (!file || !text || fread(text, 1, 65535, file) == 0) {
      fprintf(stderr, "cannot read %s\n", path);
      exit(1);
   }
   fclose(file);
   return text;
}

/* Milliseconds. */
static double
first_draw(const char *path)
{
   char *vertex = read_file(path), *fragment = strstr(vertex, "#fragment\n");
   char *version = strstr(vertex, "#version");
   int64_t start;

   if (!fragment || !version || version > fragment) {
      fprintf(stderr, "%s: no line '#fragment' between two shaders\n", path);
      exit(1);
   }
   *fragment = 0;
   fragment += strlen("#fragment\n");
   full_screen_quad();
   use(flat_fragment, 1);
   /* Small: it is the wait for the program that counts, not the drawing. */
   glViewport(0, 0, 32, 32);
   draw_quad();
   glFinish();
   start = offscreen_now();
   glUseProgram(offscreen_program(version, fragment));
   draw_quad();
   glFinish();
   start = offscreen_now() - start;
   glViewport(0, 0, SIZE, SIZE);
   free(vertex);
   return (double)start / 1000;
}

static const struct {
   const char *name, *unit;
   double (*run)(void);
} benches[] = {
   { "flat", "Mpix/s", bench_flat },         { "flat+depth", "Mpix/s", bench_depth },
   { "blend", "Mpix/s", bench_blend },       { "nearest", "Mpix/s", bench_nearest },
   { "bilinear", "Mpix/s", bench_bilinear }, { "trilinear", "Mpix/s", bench_trilinear },
   { "mads", "Mpix/s", bench_mads },         { "triangles", "Mtri/s", bench_triangles },
};

enum { BENCHES = sizeof(benches) / sizeof(*benches) };

int
main(int argc, char **argv)
{
   unsigned error;
   int first = 1;

   if (argc > 2 && !strcmp(argv[1], "--seconds")) {
      seconds = strtod(argv[2], NULL);
      first = 3;
   }
   if (argc == 2 && !strcmp(argv[1], "--list")) {
      for (unsigned i = 0; i < BENCHES; i++)
         puts(benches[i].name);
      return 0;
   }
   if (first >= argc) {
      fprintf(stderr, "usage: gl-bench [--seconds S] NAME... | first-draw FILE | --list\n");
      return 2;
   }
   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_target(SIZE, SIZE);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   for (int i = first; i < argc; i++) {
      unsigned found = 0;

      if (!strcmp(argv[i], "first-draw") && i + 1 < argc) {
         printf("first-draw %.3f ms\n", first_draw(argv[++i]));
         continue;
      }
      while (found < BENCHES && strcmp(argv[i], benches[found].name))
         found++;
      if (found == BENCHES) {
         fprintf(stderr, "there is no measurement '%s'\n", argv[i]);
         return 2;
      }
      glDisable(GL_BLEND);
      glDisable(GL_DEPTH_TEST);
      printf("%s %.3f %s\n", benches[found].name, benches[found].run(), benches[found].unit);
      fflush(stdout);
   }
   error = glGetError();
   if (error) {
      fprintf(stderr, "GL error 0x%x\n", error);
      return 1;
   }
   offscreen_close();
   return 0;
}
