/* SPDX-License-Identifier: MIT */
/*
 * Flow that is nested deeply: gl-nesting.
 *
 * Mesa unrolls a loop that a break or a uniform ends into as many branches inside each other as it
 * has iterations at most, up to 255 of them, and a chain of `else if` is a branch in each `else`.
 * Programs sum a table of constants up to a bound, leave loops early, also loops inside loops, and
 * choose by chains; in vertex and in fragment programs.  Each pixel of a row has another bound, and
 * shows the sum.  A line for each program that shows another, then how many held.  GL_RENDERER goes
 * to stderr first.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 64, SOURCE = 1 << 16 };

/* What makes `sum` of `bound`, which is a float, and of the uniform `most`, which is more than any
 * bound. */
enum kind { TABLE, LEFT, INNER, CHAIN, KINDS };
static const char *const kinds[] = { "a table", "a loop that is left", "loops in loops",
                                     "a chain of else if" };

static unsigned cases, held;

/* The table has n % 7 at n. */
static float
sum_of(enum kind kind, int depth, int bound)
{
   int sum = 0;

   if (kind == CHAIN)
      return (float)(bound < depth ? bound % 7 + 1 : 0);
   for (int i = 0; i < (bound < depth ? bound : depth); i++)
      sum += i % 7;
   return (float)(kind == INNER ? sum * 20 : sum);
}

static void
write_body(char *out, enum kind kind, int depth)
{
   char *end = out + sprintf(out, "float sum = 0.0;\n");

   switch (kind) {
   case TABLE:
      end += sprintf(end, "const float table[%d] = float[%d](", depth, depth);
      for (int n = 0; n < depth; n++)
         end += sprintf(end, "%s%d.0", n ? ", " : "", n % 7);
      sprintf(end, ");\nfor (int i = 0; i < int(min(bound, %d.0)); i++) sum += table[i];\n", depth);
      break;
   case INNER:
      end += sprintf(end, "for (int k = 0; k < 20; k++) { if (float(k) > most) break;\n");
      /* fallthrough */
   case LEFT:
      sprintf(end,
              "for (int i = 0; i < %d; i++) {\n"
              "if (float(i) >= bound) break;\nsum += mod(float(i), 7.0);\n}\n%s",
              depth, kind == INNER ? "}\n" : "");
      break;
   default:
      for (int n = 0; n < depth; n++)
         end += sprintf(end, "%sif (bound < %d.5) sum += scale[%d] + %d.0;\n", n ? "else " : "", n,
                        n % 4, n % 7);
   }
}

static unsigned
make_program(enum kind kind, int depth, bool vertex)
{
   static char body[SOURCE], sources[2][SOURCE + 1024];

   write_body(body, kind, depth);
   snprintf(sources[0], sizeof(sources[0]),
            "#version 120\nattribute vec3 position;\nvarying float value;\nuniform float most;\n"
            "uniform vec4 scale;\nvoid main() {\nfloat bound = position.z;\n"
            "gl_Position = vec4(position.xy, 0, 1);\n%s\nvalue = %s;\n}\n",
            vertex ? body : "", vertex ? "sum" : "bound");
   snprintf(sources[1], sizeof(sources[1]),
            "#version 120\nvarying float value;\nuniform float most;\nuniform vec4 scale;\n"
            "void main() {\nfloat bound = floor(value + 0.5);\n%s\n"
            "float low = mod(%s, 256.0);\n"
            "gl_FragColor = vec4(low, floor((%s - low) / 256.0 + 0.5), 0, 255) / 255.0;\n}\n",
            vertex ? "" : body, vertex ? "bound" : "sum", vertex ? "bound" : "sum");
   const struct offscreen_shader shaders[] = { { GL_VERTEX_SHADER, sources[0] },
                                               { GL_FRAGMENT_SHADER, sources[1] } };
   const unsigned program = glCreateProgram();
   int linked;

   glBindAttribLocation(program, 0, "position");
   offscreen_attach(program, shaders, 2);
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   if (!linked) {
      char log[512] = "";
      glGetProgramInfoLog(program, sizeof(log), NULL, log);
      printf("%s of %d, %s program: %s\n", kinds[kind], depth, vertex ? "vertex" : "fragment", log);
      glDeleteProgram(program);
      return 0;
   }
   return program;
}

static void
check(enum kind kind, int depth, bool vertex)
{
   const unsigned program = make_program(kind, depth, vertex);
   float points[SIZE][3];
   uint8_t pixels[SIZE][4];
   bool good = program != 0;

   cases++;
   if (!program)
      return;
   for (int n = 0; n < SIZE; n++) {
      points[n][0] = (2 * n + 1) / (float)SIZE - 1;
      points[n][1] = 1 / (float)SIZE - 1;
      points[n][2] = (float)(n == SIZE - 1 ? depth + 3 : n * depth / (SIZE - 2));
   }
   glUseProgram(program);
   glUniform1f(glGetUniformLocation(program, "most"), 2000);
   glUniform4f(glGetUniformLocation(program, "scale"), 1, 1, 1, 1);
   glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(*points), points);
   glEnableVertexAttribArray(0);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_POINTS, 0, SIZE);
   glReadPixels(0, 0, SIZE, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (int n = 0; n < SIZE && good; n++) {
      const int is = pixels[n][0] + 256 * pixels[n][1];
      const float want = sum_of(kind, depth, (int)points[n][2]);
      good = (float)is == want && pixels[n][3] == 255;
      if (!good)
         printf("%s of %d, %s program, bound %g: %d, not %g\n", kinds[kind], depth,
                vertex ? "vertex" : "fragment", (double)points[n][2], is, (double)want);
   }
   held += good;
   glUseProgram(0);
   glDeleteProgram(program);
}

int
main(void)
{
   static const int depths[] = { 40, 200, 254, 255, 256, 300, 900 };

   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_color_target(SIZE, 1);
   glViewport(0, 0, SIZE, 1);
   for (int kind = 0; kind < KINDS; kind++)
      for (unsigned n = 0; n < sizeof(depths) / sizeof(*depths); n++)
         for (int vertex = 0; vertex < 2; vertex++)
            check(kind, depths[n], vertex);
   if (glGetError() != GL_NO_ERROR)
      printf("an error\n");
   offscreen_close();
   printf("%u of %u\n", held, cases);
   return held != cases;
}
