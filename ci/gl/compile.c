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
 * or they do not link; then the path.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 3, LARGEST = 1 << 20, STAGES = 3 };

static const struct {
   const char *heading;
   GLenum stage;
} headings[STAGES] = {
   { "[vertex shader]", GL_VERTEX_SHADER },
   { "[geometry shader]", GL_GEOMETRY_SHADER },
   { "[fragment shader]", GL_FRAGMENT_SHADER },
};

static const char passthrough[] = "#version 110\nvoid main() { gl_Position = gl_Vertex; }\n";

static double
milliseconds(void)
{
   struct timespec now;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
   return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* The file's text; to be freed.  NULL if it cannot be read or is too large. */
static char *
read_file(const char *path)
{
   FILE *file = fopen(path, "rb");
   char *text = malloc(LARGEST);
   size_t size = file && text ? fread(text, 1, LARGEST, file) : 0;

   if (file)
      fclose(file);
   if (!size || size == LARGEST) {
      free(text);
      return NULL;
   }
   text[size] = '\0';
   return text;
}

/* Fills `source` with each stage's text, NULL where there is none, cutting `text` up.  False if the
 * file has a section of another kind of shader. */
static bool
sections(char *text, const char *source[STAGES])
{
   char *at = *text == '[' ? text : NULL, *line = text;

   memset(source, 0, STAGES * sizeof(*source));
   for (; !at && (line = strstr(line, "\n[")) != NULL;)
      at = line + 1;
   while (at) {
      char *body = strchr(at, '\n'), *next = body ? strstr(body, "\n[") : NULL;

      if (!body)
         break;
      *body++ = '\0';
      if (next)
         *(next < body ? body - 1 : next) = '\0';
      bool known = strstr(at, " shader") == NULL;
      for (unsigned i = 0; i < STAGES; i++) {
         if (!strcmp(at, headings[i].heading)) {
            source[i] = body;
            known = true;
         }
      }
      if (!strcmp(at, "[vertex shader passthrough]")) {
         source[0] = passthrough;
         known = true;
      }
      if (!known)
         return false;
      at = next ? next + 1 : NULL;
   }
   return source[0] || source[1] || source[2];
}

/* Milliseconds of glLinkProgram, or less than 0 if the shaders do not compile or link. */
static double
link_once(const char *const source[STAGES])
{
   unsigned program = glCreateProgram();
   double time = -1;
   int ok = 1;

   for (unsigned i = 0; i < STAGES && ok; i++) {
      if (!source[i])
         continue;
      unsigned shader = glCreateShader(headings[i].stage);
      glShaderSource(shader, 1, &source[i], NULL);
      glCompileShader(shader);
      glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
      glAttachShader(program, shader);
      glDeleteShader(shader);
   }
   if (ok) {
      double start = milliseconds();
      glLinkProgram(program);
      glGetProgramiv(program, GL_LINK_STATUS, &ok);
      if (ok)
         time = milliseconds() - start;
   }
   glDeleteProgram(program);
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
      const char *source[STAGES];
      double least = -1;

      path[strcspn(path, "\n")] = '\0';
      char *text = read_file(path);
      if (text && sections(text, source)) {
         for (unsigned round = 0; round < ROUNDS; round++) {
            double time = link_once(source);
            if (time >= 0 && (least < 0 || time < least))
               least = time;
         }
      }
      free(text);
      if (least < 0)
         printf("- %s\n", path);
      else
         printf("%.3f %s\n", least, path);
      fflush(stdout);
   }
   offscreen_close();
   return 0;
}
