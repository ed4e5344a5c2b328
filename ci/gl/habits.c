/* SPDX-License-Identifier: MIT */
/*
 * Measures small fixed tasks of kinds that real programs have, off screen:
 * gl-habits [--seconds S] [--frames N] [NAME...], all without a name; `gl-habits --list` prints the
 * names.
 *
 * Prints one line a task: its name, milliseconds of processor time of all threads a frame (the
 * least of the rounds that fit into S seconds, default 0.1, after a first frame that compiles), and
 * 16 numbers that tell its result after that first frame.  `--frames N` draws N more frames, of
 * every task alike.  Between drivers the numbers differ by what rounding and samples' positions
 * allow: 3 % of them, or half a unit.
 *
 * Each task has a context of its own, so none finds what another has set.  One that changes nothing
 * measures nothing: the program fails if the first frame leaves the numbers as they were before.
 * Tasks of a later OpenGL than the context's, or of an extension it lacks, are left out.
 */
#include "habits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct habit *const tables[] = { habits_pixels, habits_compute, habits_draws,
                                              habits_stages, habits_targets, habits_old };

enum { TABLES = sizeof(tables) / sizeof(*tables) };

const struct habit *habit;

static double seconds = 0.1;
static int frames;
static unsigned noise;

unsigned
habit_noise(void)
{
   noise = noise * 1664525 + 1013904223;
   return noise ^ noise >> 16;
}

void *
habit_alloc(size_t bytes)
{
   void *memory = calloc(1, bytes);

   if (!memory) {
      fprintf(stderr, "out of memory\n");
      exit(1);
   }
   return memory;
}

unsigned
habit_floats(GLenum target, unsigned count)
{
   float *values = habit_alloc(count * sizeof(float));
   unsigned buffer;

   for (unsigned i = 0; i < count; i++)
      values[i] = (float)(habit_noise() & 0xffff) / 65536;
   glGenBuffers(1, &buffer);
   glBindBuffer(target, buffer);
   glBufferData(target, (GLsizeiptr)(count * sizeof(float)), values, GL_DYNAMIC_DRAW);
   free(values);
   return buffer;
}

unsigned
habit_texture(GLenum target, unsigned unit, int side, int layers)
{
   size_t size = (size_t)side * (size_t)side * (size_t)layers * 4;
   uint8_t *texels = habit_alloc(size);
   unsigned texture;

   for (size_t i = 0; i < size; i++)
      texels[i] = (uint8_t)habit_noise();
   glGenTextures(1, &texture);
   glActiveTexture(GL_TEXTURE0 + unit);
   glBindTexture(target, texture);
   if (target == GL_TEXTURE_CUBE_MAP)
      for (unsigned face = 0; face < 6; face++)
         glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA8, side, side, 0, GL_RGBA,
                      GL_UNSIGNED_BYTE, texels + face * 64);
   else if (target == GL_TEXTURE_2D)
      glTexImage2D(target, 0, GL_RGBA8, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   else
      glTexImage3D(target, 0, GL_RGBA8, side, side, layers, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glGenerateMipmap(target);
   glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
   glActiveTexture(GL_TEXTURE0);
   free(texels);
   return texture;
}

unsigned
habit_stages(const struct offscreen_shader *shaders, unsigned count)
{
   unsigned program = glCreateProgram();

   offscreen_attach(program, shaders, count);
   offscreen_link(program);
   glUseProgram(program);
   return program;
}

static unsigned
use_program(const char *vertex, const char *control, const char *evaluation, const char *geometry,
            const char *fragment)
{
   const struct offscreen_shader given[] = {
      { GL_VERTEX_SHADER, vertex ? vertex
                                 : "#version 330\n"
                                   "out vec2 uv;\n"
                                   "void main() { uv = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                   "   gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0); }\n" },
      { GL_TESS_CONTROL_SHADER, control },
      { GL_TESS_EVALUATION_SHADER, evaluation },
      { GL_GEOMETRY_SHADER, geometry },
      { GL_FRAGMENT_SHADER, fragment ? fragment
                                     : "#version 330\n"
                                       "in vec4 v; out vec4 o;\n"
                                       "void main() { o = v; }\n" },
   };
   struct offscreen_shader shaders[5];
   unsigned count = 0;

   for (unsigned i = 0; i < 5; i++)
      if (given[i].source)
         shaders[count++] = given[i];
   return habit_stages(shaders, count);
}

unsigned
habit_program(const char *vertex, const char *fragment)
{
   return use_program(vertex, NULL, NULL, NULL, fragment);
}

void
habit_quad(void)
{
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

int
habit_uniform(const char *name)
{
   int program;

   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   return glGetUniformLocation((unsigned)program, name);
}

unsigned
habit_texture_target(GLenum internal, int side, unsigned *framebuffer)
{
   unsigned texture;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexStorage2D(GL_TEXTURE_2D, 1, internal, side, side);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glGenFramebuffers(1, framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   return texture;
}

void
habit_sum_target(double sums[static HABIT_SUMS])
{
   enum { BAND = HABIT_SIDE / 4 };
   uint8_t *pixels = habit_alloc((size_t)HABIT_SIDE * HABIT_SIDE * 4), *p = pixels;

   glReadPixels(0, 0, HABIT_SIDE, HABIT_SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (int i = 0; i < HABIT_SUMS; i++)
      sums[i] = 0;
   for (int i = 0; i < HABIT_SIDE * HABIT_SIDE; i++)
      for (int c = 0; c < 4; c++)
         sums[i / (BAND * HABIT_SIDE) * 4 + c] += *p++;
   for (int i = 0; i < HABIT_SUMS; i++)
      sums[i] /= BAND * HABIT_SIDE;
   free(pixels);
}

/* What a number counts for: not the same for all, so their order is told too. */
static double
weight(unsigned i)
{
   return 0.5 + (i & 255) / 256.0;
}

void
habit_sum_floats(double *sums, const float *values, unsigned count, double scale)
{
   for (int i = 0; i < 4; i++)
      sums[i] = 0;
   for (unsigned i = 0; i < count; i++)
      sums[i * 4ull / count] += (double)values[i] * weight(i) * scale * 4 / count;
}

void
habit_sum_uints(double *sums, const uint32_t *values, unsigned count)
{
   for (int i = 0; i < 4; i++)
      sums[i] = 0;
   for (unsigned i = 0; i < count; i++)
      sums[i * 4ull / count] += (double)values[i] * weight(i) * 4 / count;
}

/* Seconds of processor time of all threads. */
static double
processor_seconds(void)
{
   struct timespec t;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
start_task(void)
{
   if (habit->vertex || habit->fragment)
      use_program(habit->vertex, habit->control, habit->evaluation, habit->geometry,
                  habit->fragment);
   if (habit->start)
      habit->start();
}

static void
draw_frame(void)
{
   if (habit->frame)
      habit->frame();
   else if (!habit->each)
      glDrawArrays(habit->mode, 0, habit->count);
   for (int i = 0; habit->each && i < habit->count; i++)
      habit->each(i);
}

/* Milliseconds a frame. */
static double
time_frames(void)
{
   double end = processor_seconds() + seconds, best = 0;
   int count = frames ? frames : 1;

   do {
      double start = processor_seconds(), took;

      for (int i = 0; i < count; i++)
         draw_frame();
      glFinish();
      took = processor_seconds() - start;
      if (best == 0 || took / count < best)
         best = took / count;
      if (took < 0.02)
         count *= 2;
   } while (!frames && processor_seconds() < end);
   return best * 1000;
}

static bool
run(void)
{
   void (*sum)(double sums[static HABIT_SUMS]) = habit->sum ? habit->sum : habit_sum_target;
   double before[HABIT_SUMS] = { 0 }, sums[HABIT_SUMS] = { 0 };
   double milliseconds;
   unsigned error;
   bool same = true;

   noise = 1;
   offscreen_target(HABIT_SIDE, HABIT_SIDE);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   start_task();
   sum(before);
   draw_frame();
   sum(sums);
   milliseconds = time_frames();
   error = glGetError();
   if (error) {
      fprintf(stderr, "%s: GL error 0x%x\n", habit->name, error);
      return false;
   }
   printf("%s %.4f ms", habit->name, milliseconds);
   for (int i = 0; i < HABIT_SUMS; i++) {
      printf(" %.6g", sums[i]);
      same = same && fabs(sums[i] - before[i]) < 1e-9;
   }
   putchar('\n');
   fflush(stdout);
   if (same)
      fprintf(stderr, "%s: the first frame changed nothing\n", habit->name);
   return !same;
}

static bool
has(const char *extension)
{
   const char *all = (const char *)glGetString(GL_EXTENSIONS);

   return all && strstr(all, extension);
}

int
main(int argc, char **argv)
{
   bool right = true, named = false;
   int first = 1, found = 0;

   if (argc == 2 && !strcmp(argv[1], "--list")) {
      for (unsigned t = 0; t < TABLES; t++)
         for (habit = tables[t]; habit->name; habit++)
            puts(habit->name);
      return 0;
   }
   for (; first + 1 < argc && argv[first][0] == '-'; first += 2)
      if (!strcmp(argv[first], "--seconds"))
         seconds = strtod(argv[first + 1], NULL);
      else if (!strcmp(argv[first], "--frames"))
         frames = atoi(argv[first + 1]);
      else
         break;
   if (first < argc && argv[first][0] == '-') {
      fprintf(stderr, "usage: gl-habits [--seconds S] [--frames N] [NAME...] | --list\n");
      return 2;
   }
   for (unsigned t = 0; t < TABLES; t++)
      for (habit = tables[t]; habit->name; habit++) {
         bool wanted = first == argc;

         for (int i = first; i < argc; i++)
            wanted = wanted || !strcmp(argv[i], habit->name);
         if (!wanted)
            continue;
         found++;
         if (!offscreen_open())
            return 1;
         if (!named)
            printf("GL_RENDERER: %s\n", glGetString(GL_RENDERER));
         named = true;
         if (offscreen_version() >= habit->version && (!habit->extension || has(habit->extension)))
            right = run() && right;
         offscreen_close();
      }
   if (first < argc && found < argc - first) {
      fprintf(stderr, "there are not all of these tasks: gl-habits --list\n");
      return 2;
   }
   return right ? 0 : 1;
}
