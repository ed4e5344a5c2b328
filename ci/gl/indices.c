/* SPDX-License-Identifier: MIT */
/*
 * Arrays, vectors and matrices by index in OpenGL ES 2.0: gl-indices.
 *
 * Every kind of array that GLSL ES 1.00 has (uniforms, constants, variables, varyings; vectors'
 * components and matrices' columns), of every type, is written and read by every kind of index:
 * constants, the index of a loop with a constant bound, a uniform, and the index of a loop that a
 * uniform bounds or leaves; in vertex and in fragment programs.  The elements are fractions of the
 * coordinates, so their sum says whether each was read once.  A line for each case that fails, then
 * how many held.  GL_RENDERER goes to stderr first.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LONG: elements of an array of constants, enough that compilers put it into memory. */
enum { SIZE = 16, SOURCE = 8192, LONG = 40 };

static const struct type {
   const char *name, *from; /* from: of the vec4 c */
   unsigned components;
} types[] = {
   { "float", "c.x", 1 },
   { "vec2", "c.xy", 2 },
   { "vec3", "c.xyz", 3 },
   { "vec4", "c", 4 },
};

/* LEFT_LOOP: the bound is a constant, and a uniform says where a break leaves the loop. */
enum index { STATIC, STATIC_LOOP, DYNAMIC, DYNAMIC_LOOP, LEFT_LOOP, INDICES };
static const char *const indices[] = { "static", "static loop", "dynamic", "dynamic loop",
                                       "left loop" };

enum storage { UNIFORM, CONSTANT, LOCAL, VARYING, VECTOR, MATRIX, STORAGES };
static const char *const storages[] = { "uniforms", "constants", "variables",
                                        "varyings", "a vector",  "a matrix" };

/* `what` is a statement that has $ where the index is; it happens for the indices below `count`. */
static void
for_each(char *out, enum index how, unsigned count, const char *what)
{
   static const char *const numbers[] = { "zero", "one", "two", "three" };
   char index[16], *end = out + strlen(out);
   const bool loop = how == STATIC_LOOP || how == DYNAMIC_LOOP || how == LEFT_LOOP;

   if (loop) {
      if (how == DYNAMIC_LOOP)
         end += sprintf(end, "for (int i = 0; i < bound; i++) {\n");
      else
         end += sprintf(end, "for (int i = 0; i < %u; i++) {\n", how == LEFT_LOOP ? LONG : count);
      if (how == LEFT_LOOP)
         end += sprintf(end, "if (i == bound) break;\n");
      strcpy(index, "i");
      count = 1;
   }
   for (unsigned n = 0; n < count; n++) {
      if (how == STATIC)
         sprintf(index, "%u", n);
      else if (how == DYNAMIC)
         strcpy(index, numbers[n]);
      for (const char *p = what; *p; p++)
         if (*p == '$')
            end += sprintf(end, "%s", index);
         else
            *end++ = *p;
      *end++ = '\n';
   }
   strcpy(end, loop ? "}\n" : "");
}

struct test {
   enum storage storage;
   enum index write, read;
   const struct type *type;
   bool vertex; /* the stage that reads */
   unsigned count;
};

static const char head[] = "precision highp float;\nprecision highp int;\n"
                           "uniform int bound, zero, one, two, three;\n"
                           "varying vec4 color;\n";
/* 1, 1/2, 1/4, 1/8: by multiplication, as an index would need an array. */
static const char start[] = "void main()\n{\nvec4 c = coords;\nfloat scale = 1.0;\n";

static void
declare(char *out, const struct test *t)
{
   char *end = out + strlen(out);

   if (t->storage == UNIFORM)
      sprintf(end, "uniform %s a[4];\n", t->type->name);
   else if (t->storage == VARYING)
      sprintf(end, "varying %s a[4];\n", t->type->name);
}

static void
write_elements(char *out, const struct test *t)
{
   char what[128], *end = out + strlen(out);

   switch (t->storage) {
   case CONSTANT:
      end += sprintf(end, "%s a[%d];\nint n = 4;\n", t->type->name, LONG);
      for (int n = 0; n < 4; n++)
         end += sprintf(end, "a[%d] = %s(%g);\n", n, t->type->name, 1 / (double)(1 << n));
      for (int n = 4; n < LONG; n++)
         end += sprintf(end, "a[n++] = %s(%d);\n", t->type->name, n);
      return;
   case LOCAL:
      sprintf(end, "%s a[4];\n", t->type->name);
      break;
   case VECTOR:
      sprintf(end, "%s a;\n", t->type->name);
      break;
   case MATRIX:
      sprintf(end, "mat%u a;\n", t->count);
      break;
   default:
      break;
   }
   if (t->storage == UNIFORM)
      return;
   sprintf(what, "{ a[$] = %s * scale; scale *= 0.5; }",
           t->storage == VECTOR ? "c.x" : t->type->from);
   for_each(out, t->write, t->count, what);
}

static void
read_elements(char *out, const struct test *t)
{
   const char *type = t->storage == VECTOR ? "float" : t->type->name;
   const unsigned n = t->storage == VECTOR ? 1 : t->type->components;

   sprintf(out + strlen(out), "%s sum = %s(0.0);\n", type, type);
   for_each(out, t->read, t->count,
            t->storage <= CONSTANT ? n == 1   ? "sum += a[$] * c.x;"
                                     : n == 2 ? "sum += a[$] * c.xy;"
                                     : n == 3 ? "sum += a[$] * c.xyz;"
                                              : "sum += a[$] * c;"
                                   : "sum += a[$];");
   sprintf(out + strlen(out), "%s = vec4(%s) * 0.5;\n", t->vertex ? "color" : "gl_FragColor",
           n == 1   ? "sum, 0.0, 0.0, 0.0"
           : n == 2 ? "sum, 0.0, 0.0"
           : n == 3 ? "sum, 0.0"
                    : "sum");
}

static unsigned
make(const struct test *t)
{
   char vertex[SOURCE] = "attribute vec4 position;\nattribute vec4 coords;\n";
   char fragment[SOURCE] = "";
   const bool passed = t->storage == VARYING;

   strcat(vertex, head);
   strcat(vertex, "varying vec4 shared_coords;\n");
   strcat(fragment, head);
   strcat(fragment, "varying vec4 shared_coords;\n#define coords shared_coords\n");
   if (t->vertex || passed)
      declare(vertex, t);
   if (!t->vertex)
      declare(fragment, t);
   strcat(vertex, start);
   strcat(vertex, "gl_Position = position;\nshared_coords = coords;\n");
   strcat(fragment, start);
   if (t->vertex || passed)
      write_elements(vertex, t);
   if (t->vertex) {
      read_elements(vertex, t);
      strcat(fragment, "gl_FragColor = color;\n");
   } else {
      strcat(vertex, "color = coords;\n");
      if (!passed)
         write_elements(fragment, t);
      read_elements(fragment, t);
   }
   strcat(vertex, "}\n");
   strcat(fragment, "}\n");
   return offscreen_program(vertex, fragment);
}

static void
set_uniforms(unsigned program, const struct test *t)
{
   static const char *const names[] = { "zero", "one", "two", "three" };
   float values[16];

   glUseProgram(program);
   glUniform1i(glGetUniformLocation(program, "bound"), (int)t->count);
   for (int n = 0; n < 4; n++)
      glUniform1i(glGetUniformLocation(program, names[n]), n);
   for (unsigned e = 0; e < 4; e++)
      for (unsigned c = 0; c < t->type->components; c++)
         values[e * t->type->components + c] = 1.0f / (float)(1u << e);
   const int at = glGetUniformLocation(program, "a");
   switch (t->type->components) {
   case 1:
      glUniform1fv(at, 4, values);
      break;
   case 2:
      glUniform2fv(at, 4, values);
      break;
   case 3:
      glUniform3fv(at, 4, values);
      break;
   default:
      glUniform4fv(at, 4, values);
      break;
   }
}

/* Four coordinates in 0 to 1 that differ, and differ between pixels. */
static void
draw(unsigned coords)
{
   static const float vertices[4][8] = {
      { -1, -1, 0, 1, 0.0f, 0.0f, 1.0f, 0.5f },
      { 1, -1, 0, 1, 1.0f, 0.0f, 0.5f, 0.0f },
      { -1, 1, 0, 1, 0.0f, 1.0f, 0.5f, 1.0f },
      { 1, 1, 0, 1, 1.0f, 1.0f, 0.0f, 0.5f },
   };

   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(*vertices), vertices[0]);
   glVertexAttribPointer(coords, 4, GL_FLOAT, GL_FALSE, sizeof(*vertices), &vertices[0][4]);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(coords);
   glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static bool
right(const struct test *t)
{
   uint8_t pixels[SIZE][SIZE][4];
   const float sum = 0.5f * (2 - 1.0f / (float)(1u << (t->count - 1)));
   const unsigned n = t->storage == VECTOR ? 1 : t->type->components;

   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         const float u = ((float)x + 0.5f) / SIZE, v = ((float)y + 0.5f) / SIZE;
         const float coords[4] = { u, v, 1 - 0.5f * u - 0.5f * v, 0.5f - 0.5f * u + 0.5f * v };
         for (unsigned c = 0; c < 4; c++) {
            const float wanted = c < n ? 255 * sum * coords[c] : 0, found = pixels[y][x][c];
            if (found < wanted - 2 || found > wanted + 2)
               return false;
         }
      }
   }
   return true;
}

static bool
run(const struct test *t)
{
   const unsigned program = make(t);

   set_uniforms(program, t);
   draw((unsigned)glGetAttribLocation(program, "coords"));
   const bool good = right(t) && glGetError() == GL_NO_ERROR;
   glDeleteProgram(program);
   if (good)
      return true;
   printf("%s of %s in a %s program, ", storages[t->storage], t->type->name,
          t->vertex ? "vertex" : "fragment");
   if (t->storage != UNIFORM)
      printf("written by %s index, ", indices[t->write]);
   printf("read by %s index: wrong\n", indices[t->read]);
   return false;
}

int
main(void)
{
   enum { TYPES = sizeof(types) / sizeof(*types) };
   unsigned count = 0, held = 0;

   if (!offscreen_open_es())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_color_target(SIZE, SIZE);
   for (unsigned k = 0; k < STORAGES * TYPES * INDICES * INDICES * 2; k++) {
      struct test t = { .vertex = k % 2,
                        .read = k / 2 % INDICES,
                        .write = k / 2 / INDICES % INDICES,
                        .type = &types[k / 2 / INDICES / INDICES % TYPES],
                        .storage = k / 2 / INDICES / INDICES / TYPES,
                        .count = 4 };
      /* A left loop meets static indices alone: llvmpipe takes long over it. */
      if ((t.write == LEFT_LOOP && t.read) || (t.read == LEFT_LOOP && t.write))
         continue;
      if ((t.storage <= CONSTANT && t.write) || (t.storage == VARYING && t.vertex) ||
          (t.storage >= VECTOR && t.type->components == 1))
         continue;
      if (t.storage >= VECTOR)
         t.count = t.type->components;
      count++;
      held += run(&t);
   }
   offscreen_close();
   printf("%u of %u\n", held, count);
   return held != count;
}
