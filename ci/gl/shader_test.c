/* SPDX-License-Identifier: MIT */
/*
 * Programs from files: cutting them into stages, and writing the stage that is not there.
 *
 * A shader alone is linked as a separable program, of which GL tells the varyings by name and type
 * (GL_PROGRAM_INPUT of a fragment shader, GL_PROGRAM_OUTPUT of a vertex shader).  No text of GLSL
 * is read for it.
 */
#include "shader_test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 20, MADE = 1 << 16 };

static const struct {
   const char *heading;
   GLenum stage;
} headings[SHADER_TEST_STAGES] = {
   [SHADER_TEST_VERTEX] = { "[vertex shader]", GL_VERTEX_SHADER },
   [SHADER_TEST_GEOMETRY] = { "[geometry shader]", GL_GEOMETRY_SHADER },
   [SHADER_TEST_FRAGMENT] = { "[fragment shader]", GL_FRAGMENT_SHADER },
};

static const char either_side[] = "# either side\n";
static const char passthrough[] = "#version 110\nvoid main() { gl_Position = gl_Vertex; }\n";

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
sections(char *text, const char *source[SHADER_TEST_STAGES])
{
   char *at = *text == '[' ? text : NULL, *line = text;

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
      for (unsigned i = 0; i < SHADER_TEST_STAGES; i++) {
         if (!strcmp(at, headings[i].heading)) {
            source[i] = body;
            known = true;
         }
      }
      if (!strcmp(at, "[vertex shader passthrough]")) {
         source[SHADER_TEST_VERTEX] = passthrough;
         known = true;
      }
      if (!known)
         return false;
      at = next ? next + 1 : NULL;
   }
   return source[SHADER_TEST_VERTEX] || source[SHADER_TEST_GEOMETRY] ||
          source[SHADER_TEST_FRAGMENT];
}

bool
shader_test_read(const char *path, struct shader_test *test)
{
   memset(test, 0, sizeof(*test));
   test->text = read_file(path);
   if (test->text && sections(test->text, test->source))
      return true;
   shader_test_free(test);
   return false;
}

void
shader_test_free(struct shader_test *test)
{
   free(test->text);
   free(test->made);
   memset(test, 0, sizeof(*test));
}

unsigned
shader_test_compile(const struct shader_test *test)
{
   unsigned program = glCreateProgram();
   int ok = 1;

   for (unsigned i = 0; i < SHADER_TEST_STAGES && ok; i++) {
      if (!test->source[i])
         continue;
      unsigned shader = glCreateShader(headings[i].stage);
      glShaderSource(shader, 1, &test->source[i], NULL);
      glCompileShader(shader);
      glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
      glAttachShader(program, shader);
      glDeleteShader(shader);
   }
   if (ok)
      return program;
   glDeleteProgram(program);
   return 0;
}

/* --- the other side ------------------------------------------------------------------------- */

struct writer {
   char *text;
   size_t size;
};

static void __attribute__((format(printf, 2, 3))) put(struct writer *w, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   int n = vsnprintf(w->text + w->size, MADE - w->size, format, args);
   va_end(args);
   if (n > 0 && w->size + (size_t)n < MADE)
      w->size += (size_t)n;
}

static const struct type {
   GLenum gl;
   const char *name;
   const char *made_of; /* an expression of this type, of `v`, a vec4 */
   const char *sum;     /* an expression of type vec4, of a value of this type, %s */
   bool flat;
} types[] = {
   { GL_FLOAT, "float", "v.x", "vec4(%s)", false },
   { GL_FLOAT_VEC2, "vec2", "v.xy", "%s.xyxy", false },
   { GL_FLOAT_VEC3, "vec3", "v.xyz", "%s.xyzx", false },
   { GL_FLOAT_VEC4, "vec4", "v", "%s", false },
   { GL_INT, "int", "int(v.x)", "vec4(%s)", true },
   { GL_INT_VEC2, "ivec2", "ivec2(v.xy)", "vec4(%s.xyxy)", true },
   { GL_INT_VEC3, "ivec3", "ivec3(v.xyz)", "vec4(%s.xyzx)", true },
   { GL_INT_VEC4, "ivec4", "ivec4(v)", "vec4(%s)", true },
   { GL_UNSIGNED_INT, "uint", "uint(v.x)", "vec4(%s)", true },
   { GL_UNSIGNED_INT_VEC2, "uvec2", "uvec2(v.xy)", "vec4(%s.xyxy)", true },
   { GL_UNSIGNED_INT_VEC3, "uvec3", "uvec3(v.xyz)", "vec4(%s.xyzx)", true },
   { GL_UNSIGNED_INT_VEC4, "uvec4", "uvec4(v)", "vec4(%s)", true },
   { GL_FLOAT_MAT2, "mat2", "mat2(v.xyzw)", "%s[0].xyxy", false },
   { GL_FLOAT_MAT3, "mat3", "mat3(v.xyz, v.yzx, v.zxy)", "%s[0].xyzx", false },
   { GL_FLOAT_MAT4, "mat4", "mat4(v, v.yzwx, v.zwxy, v.wxyz)", "%s[0]", false },
};

static const struct type *
type_of(GLenum gl)
{
   for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++)
      if (types[i].gl == gl)
         return &types[i];
   return NULL;
}

/* A varying as the other side has to declare it. */
static bool
put_varying(struct writer *declare, struct writer *body, char *name, const int value[2],
            bool fragment, unsigned n)
{
   const struct type *type = type_of((GLenum)value[0]);
   char *bracket = strchr(name, '['), element[160], sum[200];

   if (!strncmp(name, "gl_", 3))
      return true; /* both sides know it */
   if (!type || strchr(name, '.') || (bracket && bracket[3] != '\0'))
      return false;
   if (bracket)
      *bracket = '\0';
   put(declare, "%s%s %s %s", type->flat ? "flat " : "", fragment ? "out" : "in", type->name, name);
   if (bracket)
      put(declare, "[%d]", value[1]);
   put(declare, ";\n");
   for (int i = 0; i < value[1]; i++) {
      if (bracket)
         snprintf(element, sizeof(element), "%s[%d]", name, i);
      else
         snprintf(element, sizeof(element), "%s", name);
      if (fragment) {
         put(body, "   v = base * %u.25 + vec4(0.125, 0.25, 0.375, 0.5) * float(%d);\n", n % 3 + 1,
             i);
         put(body, "   %s = %s;\n", element, type->made_of);
      } else {
         snprintf(sum, sizeof(sum), type->sum, element);
         put(body, "   v += %s;\n", sum);
      }
   }
   return true;
}

/* The fixed varyings, which a program of an old version may read or write. */
static const char old_vertex[] = "   gl_FrontColor = gl_BackColor = abs(base.wxyz);\n"
                                 "   gl_FrontSecondaryColor = gl_BackSecondaryColor = base;\n"
                                 "   gl_FogFragCoord = base.x;\n"
                                 "   for (int i = 0; i < 8; i++) gl_TexCoord[i] = base.yxwz;\n";

static bool
write_other(struct shader_test *test, unsigned program, bool fragment)
{
   const GLenum interface = fragment ? GL_PROGRAM_INPUT : GL_PROGRAM_OUTPUT;
   static const GLenum props[2] = { GL_TYPE, GL_ARRAY_SIZE };
   char declare_text[MADE], body_text[MADE], name[128];
   struct writer declare = { declare_text, 0 }, body = { body_text, 0 };
   bool fixed = false, ok = true;
   int count = 0;

   declare_text[0] = body_text[0] = '\0';
   glGetProgramInterfaceiv(program, interface, GL_ACTIVE_RESOURCES, &count);
   for (int i = 0; i < count && ok; i++) {
      int value[2] = { 0, 1 };
      glGetProgramResourceName(program, interface, (unsigned)i, sizeof(name), NULL, name);
      glGetProgramResourceiv(program, interface, (unsigned)i, 2, props, 2, NULL, value);
      value[1] = value[1] < 1 ? 1 : value[1];
      fixed |= !strncmp(name, "gl_Te", 5) || strstr(name, "Color") || strstr(name, "gl_Fog");
      ok = put_varying(&declare, &body, name, value, fragment, (unsigned)i);
   }
   test->made = ok ? malloc(MADE) : NULL;
   if (!test->made)
      return false;
   struct writer w = { test->made, 0 };
   put(&w, "#version 150 compatibility\n");
   if (fragment) {
      put(&w, "%svoid main() {\n   vec4 base = gl_Vertex, v = base;\n", declare_text);
      put(&w, "%s%s   gl_Position = gl_Vertex;\n}\n", fixed ? old_vertex : "", body_text);
   } else {
      put(&w, "%sout vec4 colour;\nvoid main() {\n   vec4 v = vec4(0.0);\n%s", declare_text,
          body_text);
      put(&w, "%s   colour = v;\n}\n",
          fixed ? "   v += gl_Color + gl_SecondaryColor + gl_TexCoord[0] + gl_TexCoord[1];\n" : "");
   }
   test->source[fragment ? SHADER_TEST_VERTEX : SHADER_TEST_FRAGMENT] = test->made;
   return true;
}

bool
shader_test_complete(struct shader_test *test)
{
   const bool fragment = test->source[SHADER_TEST_FRAGMENT] != NULL;
   int linked = 0;

   if (strncmp(test->text, either_side, sizeof(either_side) - 1) ||
       (fragment && test->source[SHADER_TEST_VERTEX]))
      return true;
   unsigned program = shader_test_compile(test);
   if (!program)
      return false;
   glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   const bool ok = linked && write_other(test, program, fragment);
   glDeleteProgram(program);
   return ok;
}
