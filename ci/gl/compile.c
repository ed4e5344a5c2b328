/* SPDX-License-Identifier: MIT */
/*
 * How long a driver takes to compile programs.
 *
 *    gl-compile <LIST
 *
 * LIST has the path of one of piglit's .shader_test files on each line.  Its vertex, geometry and
 * fragment shaders are compiled and linked: Mesa's drivers compile to machine code as a program is
 * linked.  Printed is a line for each: the milliseconds of processor time, of all threads, that
 * glLinkProgram took (the least of ROUNDS new programs), or `-` when the file has no such shaders
 * or they do not link; then the path.  A file may have one stage alone (shader_test_complete()).
 */
#include "shader_test.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 3 };

static double
milliseconds(void)
{
   struct timespec now;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
   return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Milliseconds of glLinkProgram, or less than 0 if the shaders do not compile or link. */
static double
link_once(const struct shader_test *test)
{
   unsigned program = shader_test_compile(test);
   double time = -1;
   int ok = 0;

   if (program) {
      double start = milliseconds();
      glLinkProgram(program);
      glGetProgramiv(program, GL_LINK_STATUS, &ok);
      if (ok)
         time = milliseconds() - start;
      glDeleteProgram(program);
   }
   return time;
}

int
main(void)
{
   char path[4096];

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   while (fgets(path, sizeof(path), stdin)) {
      struct shader_test test;
      double least = -1;

      path[strcspn(path, "\n")] = '\0';
      if (shader_test_read(path, &test)) {
         const bool whole = shader_test_complete(&test);
         for (unsigned round = 0; whole && round < ROUNDS; round++) {
            double time = link_once(&test);
            if (time >= 0 && (least < 0 || time < least))
               least = time;
         }
         shader_test_free(&test);
      }
      if (least < 0)
         printf("- %s\n", path);
      else
         printf("%.3f %s\n", least, path);
      fflush(stdout);
   }
   offscreen_close();
   return 0;
}
