/* SPDX-License-Identifier: MIT */
/*
 * Private arrays at run-time indices: gl-arrays.
 *
 *  1. A program fills arrays, changes parts of their elements, and adds up what it finds there.
 *     The sum must be what this program adds up itself: for elements of each size, lengths below
 *     and above a vec4 for each element, several arrays at once, and in each of the six stages.
 *  2. Arrays that no thread has room for fail the link, in each stage, and the program's info log
 *     says so; nothing is drawn with it, and GL says why.
 *
 * Exit code 0, and the number of cases, if all hold; otherwise the reason is on stderr.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARRAYS = 2, SEED = 3, SIZE = 8192 };

static const struct arrays {
   struct array {
      const char *type;
      unsigned comps, length;
      bool is_double;
   } array[MAX_ARRAYS];
   bool refused;
} cases[] = {
   { { { "uint", 1, 300 } } },
   { { { "uint", 1, 3840 } } },
   { { { "uint", 1, 5000 } } },
   { { { "uint", 1, 15360 } } },
   { { { "uvec2", 2, 7680 } } },
   { { { "uvec3", 3, 5120 } } },
   { { { "uvec4", 4, 3840 } } },
   { { { "uint", 1, 4000 }, { "uvec4", 4, 2840 } } },
   { { { "uvec2", 2, 2001 }, { "uvec3", 3, 1999 } } },
   { { { "double", 1, 5001, true }, { "uint", 1, 1001 } } },
   { { { "uint", 1, 15361 } }, true },
   { { { "uvec3", 3, 5121 } }, true },
   { { { "uvec4", 4, 3841 } }, true },
   { { { "uvec4", 4, 2000 }, { "uint", 1, 7361 } }, true },
};
enum { CASES = sizeof(cases) / sizeof(*cases), PACKED = 2 };

static const struct stage {
   const char *name;
   GLenum stage;
} stages[] = {
   { "vertex", GL_VERTEX_SHADER },
   { "control", GL_TESS_CONTROL_SHADER },
   { "evaluation", GL_TESS_EVALUATION_SHADER },
   { "geometry", GL_GEOMETRY_SHADER },
   { "fragment", GL_FRAGMENT_SHADER },
   { "compute", GL_COMPUTE_SHADER },
};
enum { STAGES = sizeof(stages) / sizeof(*stages), FRAGMENT = 4 };

static void
fail(const struct stage *s, unsigned n, const char *why)
{
   fprintf(stderr, "%s shader, case %u: %s\n", s->name, n, why);
   exit(1);
}

/* What the program does, in GLSL: `uint sum()`. */
static void
write_sum(char *text, const struct arrays *c)
{
   int at = sprintf(text, "uniform uint seed;\nuint sum() {\n");

   for (unsigned k = 0; k < MAX_ARRAYS && c->array[k].type; k++)
      at += sprintf(text + at, "   %s a%u[%u];\n", c->array[k].type, k, c->array[k].length);
   for (unsigned k = 0; k < MAX_ARRAYS && c->array[k].type; k++) {
      const struct array *a = &c->array[k];
      at += sprintf(text + at, "   for (uint i = 0u; i < %uu; i++) { a%u[i] = %s(i * 7u + seed",
                    a->length, k, a->type);
      for (unsigned comp = 1; comp < a->comps; comp++)
         at += sprintf(text + at, ", i * 7u + seed + %uu", comp);
      at += sprintf(text + at, "); }\n");
   }
   for (unsigned k = 0; k < MAX_ARRAYS && c->array[k].type; k++) {
      const struct array *a = &c->array[k];
      at += sprintf(text + at,
                    "   for (uint i = seed; i < %uu; i += 9u) { uint k = (i * 5u) %% %uu;"
                    " a%u[k]%s += %s(i); }\n",
                    a->length, a->length, k, a->comps > 1 ? ".y" : "",
                    a->is_double ? "double" : "uint");
   }
   at += sprintf(text + at, "   uint s = 0u;\n");
   for (unsigned k = 0; k < MAX_ARRAYS && c->array[k].type; k++) {
      const struct array *a = &c->array[k];
      at += sprintf(text + at,
                    "   for (uint i = 0u; i < %uu; i += 5u) { uint k = (i * 11u + seed) %% %uu;",
                    a->length, a->length);
      for (unsigned comp = 0; comp < a->comps; comp++)
         at += sprintf(text + at, " s = s * 31u + uint(a%u[k]%s%c);", k, a->comps > 1 ? "." : "",
                       a->comps > 1 ? "xyzw"[comp] : ' ');
      at += sprintf(text + at, " }\n");
   }
   sprintf(text + at, "   return s;\n}\n");
}

/* The same here. */
static uint32_t
sum(const struct arrays *c)
{
   static uint32_t a[16384 * 4];
   uint32_t s = 0;

   for (unsigned k = 0; k < MAX_ARRAYS && c->array[k].type; k++) {
      const unsigned length = c->array[k].length, comps = c->array[k].comps;
      for (uint32_t i = 0; i < length; i++)
         for (unsigned comp = 0; comp < comps; comp++)
            a[4 * i + comp] = i * 7 + SEED + comp;
      for (uint32_t i = SEED; i < length; i += 9)
         a[4 * (i * 5 % length) + (comps > 1)] += i;
      for (uint32_t i = 0; i < length; i += 5)
         for (unsigned comp = 0; comp < comps; comp++)
            s = s * 31 + a[4 * ((i * 11 + SEED) % length) + comp];
   }
   return s;
}

/* A program in which stage `s` adds up; of the stages before it those that it needs. */
static unsigned
make_program(const struct stage *s, const struct arrays *c)
{
   static const char *const plain[STAGES] = {
      "void main() { gl_Position = vec4(0, 0, 0, 1); value = 0u; }\n",
      "layout(vertices = 1) out;\n"
      "void main() { gl_TessLevelOuter = float[4](1, 1, 1, 1); value = 0u; }\n",
      "layout(quads, point_mode) in;\nvoid main() { value = given; gl_Position = vec4(0); }\n",
      NULL,
      "out vec4 colour;\nvoid main() { colour = vec4(0); }\n",
   };
   static const char *const adds[STAGES] = {
      "void main() { gl_Position = vec4(0, 0, 0, 1); value = sum(); }\n",
      "layout(vertices = 1) out;\n"
      "void main() { gl_TessLevelOuter = float[4](1, 1, 1, 1); value = sum(); }\n",
      "layout(quads, point_mode) in;\nvoid main() { value = sum(); gl_Position = vec4(0); }\n",
      "layout(points) in;\nlayout(points, max_vertices = 1) out;\n"
      "void main() { value = sum(); gl_Position = gl_in[0].gl_Position; EmitVertex(); }\n",
      "layout(binding = 0) buffer Result { uint result; };\nout vec4 colour;\n"
      "void main() { colour = vec4(0); result = sum(); }\n",
      "layout(local_size_x = 1) in;\nlayout(binding = 0) buffer Result { uint result; };\n"
      "void main() { result = sum(); }\n",
   };
   static const char *const links[STAGES] = {
      "flat out uint value;\n",
      "patch out uint value;\n",
      "patch in uint given;\nflat out uint value;\n",
      "flat out uint value;\n",
      "",
      "",
   };
   static char text[SIZE], body[SIZE / 2];
   const bool tessellates =
      s->stage == GL_TESS_CONTROL_SHADER || s->stage == GL_TESS_EVALUATION_SHADER;
   const unsigned program = glCreateProgram();

   write_sum(body, c);
   for (unsigned n = 0; n < STAGES; n++) {
      const bool here = &stages[n] == s;
      const bool patches =
         stages[n].stage == GL_TESS_CONTROL_SHADER || stages[n].stage == GL_TESS_EVALUATION_SHADER;
      if (!here && (s->stage == GL_COMPUTE_SHADER || !plain[n] || (patches && !tessellates)))
         continue;
      /* What comes from a control shader goes by another name. */
      snprintf(text, sizeof(text), "#version 430\n%s%s%s%s",
               s->stage == GL_GEOMETRY_SHADER && n == 0 ? "#define value unused\n" : "", links[n],
               here ? body : "", here ? adds[n] : plain[n]);
      for (char *at = text; tessellates && n == 1 && (at = strstr(at, "value")); at++)
         memcpy(at, "given", 5);
      offscreen_attach(program, &(const struct offscreen_shader){ stages[n].stage, text }, 1);
   }
   if (s->stage != GL_FRAGMENT_SHADER && s->stage != GL_COMPUTE_SHADER) {
      const char *const captured = "value";
      glTransformFeedbackVaryings(program, 1, &captured, GL_INTERLEAVED_ATTRIBS);
   }
   glLinkProgram(program);
   return program;
}

static void
check(const struct stage *s, unsigned n, unsigned buffer)
{
   const struct arrays *c = &cases[n];
   const unsigned program = make_program(s, c);
   const bool feeds = s->stage != GL_FRAGMENT_SHADER && s->stage != GL_COMPUTE_SHADER;
   uint32_t found = 0;
   char log[1000] = "";
   int linked;

   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   glGetProgramInfoLog(program, sizeof(log), NULL, log);
   if (c->refused) {
      if (linked)
         fail(s, n, "links, with more private memory than there is");
      if (!strstr(log, "bytes"))
         fail(s, n, "the info log does not say why it does not link");
      glUseProgram(program);
      if (glGetError() != GL_INVALID_OPERATION)
         fail(s, n, "it can be used all the same");
      glDeleteProgram(program);
      return;
   }
   if (!linked)
      fail(s, n, log);
   glUseProgram(program);
   glUniform1ui(glGetUniformLocation(program, "seed"), SEED);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(found), &found, GL_STATIC_READ);
   if (s->stage == GL_COMPUTE_SHADER) {
      glDispatchCompute(1, 1, 1);
   } else {
      const bool patches =
         s->stage == GL_TESS_CONTROL_SHADER || s->stage == GL_TESS_EVALUATION_SHADER;
      glPatchParameteri(GL_PATCH_VERTICES, 1);
      if (feeds)
         glBeginTransformFeedback(GL_POINTS);
      glDrawArrays(patches ? GL_PATCHES : GL_POINTS, 0, 1);
      if (feeds)
         glEndTransformFeedback();
   }
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(found), &found);
   if (found != sum(c)) {
      fprintf(stderr, "%08x instead of %08x; ", found, sum(c));
      fail(s, n, "another sum");
   }
   if (glGetError() != GL_NO_ERROR)
      fail(s, n, "an error");
   glDeleteProgram(program);
}

int
main(void)
{
   unsigned buffer, vertices, done = 0;

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   offscreen_target(1, 1);
   glGenBuffers(1, &buffer);
   glGenVertexArrays(1, &vertices);
   glBindVertexArray(vertices);
   /* All cases in one stage, and the first that is packed, and those that are refused, in each. */
   for (unsigned s = 0; s < STAGES; s++) {
      for (unsigned n = 0; n < CASES; n++) {
         if (s != FRAGMENT && n != PACKED && !cases[n].refused)
            continue;
         check(&stages[s], n, buffer);
         done++;
      }
   }
   printf("%u\n", done);
   offscreen_close();
   return 0;
}
