/* SPDX-License-Identifier: MIT */
/*
 * GLSL by a grammar: each byte is a choice.  A vertex and a fragment shader of declarations,
 * functions, and typed statements and expressions, most of which compile; one time in some hundred
 * a character is another, for the front end.  What compiles is linked and drawn.
 *
 *    byte 0   the version
 *    byte 1   how many bytes are the vertex shader's, of 256
 *    rest     choices; where none is left, the shortest
 *
 * What must hold: as in gl.h.
 */
#include <stdarg.h>

#include "gl.h"

#define MAX_TEXT  16384
#define MAX_DEPTH 5
#define MAX_INPUT 2048

/* ---- Choices ---- */

struct writer {
   const uint8_t *data;
   size_t size;
   char text[MAX_TEXT];
   size_t length;
   unsigned locals[16], num_locals; /* their types; only those of the scopes around */
   unsigned functions, depth, loops;
   bool vertex;
};

static unsigned
choose(struct writer *w, unsigned count)
{
   if (!w->size)
      return 0;
   w->size--;
   return *w->data++ % count;
}

static void __attribute__((format(printf, 2, 3))) put(struct writer *w, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   const int n = vsnprintf(w->text + w->length, MAX_TEXT - w->length, format, args);
   va_end(args);
   if (n > 0)
      w->length = w->length + (size_t)n < MAX_TEXT ? w->length + (size_t)n : MAX_TEXT - 1;
}

/* ---- Types ---- */

enum base { FLOAT, INT, UINT, BOOL };

static const struct type {
   const char *name;
   enum base base;
   unsigned size;
} types[] = {
   { "float", FLOAT, 1 }, { "int", INT, 1 },    { "uint", UINT, 1 },  { "bool", BOOL, 1 },
   { "vec2", FLOAT, 2 },  { "vec3", FLOAT, 3 }, { "vec4", FLOAT, 4 }, { "ivec2", INT, 2 },
   { "ivec4", INT, 4 },   { "uvec4", UINT, 4 }, { "bvec4", BOOL, 4 }, { "uvec2", UINT, 2 },
};
#define TYPES (sizeof(types) / sizeof(types[0]))

static unsigned
type_of(enum base base, unsigned size)
{
   for (unsigned n = 0; n < TYPES; n++)
      if (types[n].base == base && types[n].size == size)
         return n;
   return 0;
}

/* ---- Expressions ---- */

static void expression(struct writer *w, unsigned type);

static void
literal(struct writer *w, enum base base)
{
   static const char *const floats[] = { "0.0", "1.0", "-1.0", "0.5", "1e30", "-3.75", "1e-40" };
   static const char *const ints[] = { "0", "1", "-1", "7", "31", "2147483647", "65536" };

   switch (base) {
   case FLOAT:
      put(w, "%s", floats[choose(w, 7)]);
      break;
   case INT:
      put(w, "(%s)", ints[choose(w, 7)]);
      break;
   case UINT:
      put(w, "%uu", choose(w, 4) * 0x40000001u);
      break;
   default:
      put(w, "%s", choose(w, 2) ? "true" : "false");
   }
}

/* A constructor of literals or of a smaller expression. */
static void
construct(struct writer *w, unsigned type)
{
   const struct type *t = &types[type];

   put(w, "%s(", t->name);
   for (unsigned n = 0; n < t->size; n++) {
      put(w, "%s", n ? ", " : "");
      if (w->depth < MAX_DEPTH && choose(w, 3) == 1)
         expression(w, choose(w, 2) ? type_of(t->base, 1) : type_of((enum base)choose(w, 3), 1));
      else
         literal(w, t->base);
   }
   put(w, ")");
}

static bool
local(struct writer *w, unsigned type)
{
   const unsigned first = w->num_locals ? choose(w, w->num_locals) : 0;

   for (unsigned n = 0; n < w->num_locals; n++) {
      const unsigned v = (first + n) % w->num_locals;
      if (w->locals[v] == type) {
         put(w, "v%u", v);
         return true;
      }
   }
   return false;
}

static void
binary(struct writer *w, unsigned type)
{
   static const char *const arithmetic[] = { "+", "-", "*", "/" };
   static const char *const bits[] = { "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>" };
   static const char *const logic[] = { "&&", "||", "^^", "==", "!=" };
   static const char *const order[] = { "<", ">", "<=", ">=", "==", "!=" };
   const struct type *t = &types[type];
   const char *op = t->base == FLOAT              ? arithmetic[choose(w, 4)]
                    : t->base != BOOL             ? bits[choose(w, 10)]
                    : t->size > 1 || choose(w, 2) ? logic[t->size > 1 ? 3 : choose(w, 5)]
                                                  : NULL;
   unsigned side = type;

   if (t->base == BOOL && t->size > 1) {
      put(w, "lessThan(");
      expression(w, type_of(FLOAT, 4));
      put(w, ", ");
      expression(w, type_of(FLOAT, 4));
      put(w, ")");
      return;
   }
   if (!op) {
      op = order[choose(w, 6)];
      side = type_of((enum base)choose(w, 3), 1);
   }
   put(w, "(");
   expression(w, side);
   put(w, " %s ", op);
   expression(w, side);
   put(w, ")");
}

static void
call(struct writer *w, unsigned type)
{
   static const char *const one[] = { "sin",  "cos",     "tan",         "exp2",  "log2",
                                      "sqrt", "abs",     "floor",       "fract", "sign",
                                      "ceil", "radians", "inversesqrt", "round" };
   static const char *const two[] = { "min", "max", "mod", "pow", "step", "atan", "reflect" };
   static const char *const three[] = { "mix", "clamp", "smoothstep", "faceforward" };
   const struct type *t = &types[type];
   const char *name;
   unsigned count = 1 + choose(w, 3);

   if (t->base == FLOAT) {
      if (!w->vertex && count == 1 && choose(w, 4) == 1)
         name = choose(w, 2) ? "dFdx" : "fwidth";
      else
         name = count == 1   ? one[choose(w, 14)]
                : count == 2 ? two[choose(w, 7)]
                             : three[choose(w, 4)];
   } else if (t->base == BOOL) {
      put(w, t->size > 1 ? "not(" : "any(");
      expression(w, type_of(BOOL, 4));
      put(w, ")");
      return;
   } else {
      static const char *const whole[] = { "abs", "min", "clamp" };
      name = t->base == UINT && count == 1 ? "+" : whole[count - 1];
   }
   put(w, "%s(", name);
   for (unsigned n = 0; n < count; n++) {
      put(w, "%s", n ? ", " : "");
      expression(w, type);
   }
   put(w, ")");
}

/* What only some types have: a lookup, an array's element, part of a vector, a function's value. */
static void
special(struct writer *w, unsigned type)
{
   const struct type *t = &types[type];

   if (t->base == FLOAT && t->size == 4) {
      static const char *const lookups[] = { "texture(s2, ", "textureLod(s2, ", "texelFetch(s2, ",
                                             "textureOffset(s2, " };
      const unsigned kind = choose(w, 4);

      put(w, "%s", lookups[kind]);
      expression(w, kind == 2 ? type_of(INT, 2) : type_of(FLOAT, 2));
      put(w, kind == 1 ? ", 1.5)" : kind == 2 ? ", 1)" : kind == 3 ? ", ivec2(-3, 2))" : ")");
   } else if (t->base == FLOAT && t->size == 1) {
      put(w, "%s[", choose(w, 2) ? "ua" : "la");
      expression(w, type_of(INT, 1));
      put(w, " & 7]");
   } else if (t->base == FLOAT) {
      expression(w, type_of(FLOAT, 4));
      put(w, ".%s", t->size == 2 ? choose(w, 2) ? "wx" : "yy" : choose(w, 2) ? "zyx" : "www");
   } else if (t->base == INT && t->size == 1) {
      put(w, "int(");
      expression(w, type_of(FLOAT, 1));
      put(w, ")");
   } else {
      construct(w, type);
   }
}

static void
expression(struct writer *w, unsigned type)
{
   if (w->depth >= MAX_DEPTH || !w->size) {
      construct(w, type);
      return;
   }
   w->depth++;
   switch (choose(w, 8)) {
   case 0:
      construct(w, type);
      break;
   case 1:
      if (!local(w, type))
         construct(w, type);
      break;
   case 2:
   case 3:
      binary(w, type);
      break;
   case 4:
      put(w, "(");
      expression(w, type_of(BOOL, 1));
      put(w, " ? ");
      expression(w, type);
      put(w, " : ");
      expression(w, type);
      put(w, ")");
      break;
   case 5:
      if (w->functions && types[type].base == FLOAT && types[type].size == 4) {
         put(w, "f%u(", choose(w, w->functions));
         expression(w, type);
         put(w, ")");
         break;
      }
      /* fallthrough */
   case 6:
      call(w, type);
      break;
   default:
      special(w, type);
   }
   w->depth--;
}

/* ---- Statements ---- */

static void
block(struct writer *w)
{
   static unsigned nesting;
   const unsigned locals = w->num_locals;
   const unsigned count = nesting < 4 ? 1 + choose(w, 5) : 1;

   nesting++;
   put(w, "{\n");
   for (unsigned n = 0; n < count; n++) {
      const unsigned type = choose(w, TYPES);

      switch (choose(w, 10)) {
      case 0:
      case 1:
         if (w->num_locals < 16) {
            put(w, "%s v%u = ", types[type].name, w->num_locals);
            expression(w, type);
            put(w, ";\n");
            w->locals[w->num_locals++] = type;
            break;
         }
         /* fallthrough */
      case 2:
         if (local(w, type)) {
            put(w, " = ");
            expression(w, type);
            put(w, ";\n");
         }
         break;
      case 3:
         put(w, "la[");
         expression(w, type_of(INT, 1));
         put(w, " & 7] = ");
         expression(w, type_of(FLOAT, 1));
         put(w, ";\n");
         break;
      case 4:
         put(w, "if (");
         expression(w, type_of(BOOL, 1));
         put(w, ") ");
         block(w);
         if (choose(w, 2)) {
            put(w, "else ");
            block(w);
         }
         break;
      case 5:
         put(w, "for (int i = 0; i < %u; i++) ", choose(w, 20));
         w->loops++;
         block(w);
         w->loops--;
         break;
      case 6:
         put(w, "while (");
         expression(w, type_of(BOOL, 1));
         put(w, ") { if (la[0]++ > %u.0) break; ", choose(w, 30));
         w->loops++;
         block(w);
         w->loops--;
         put(w, "}\n");
         break;
      case 7:
         put(w, "switch (");
         expression(w, type_of(INT, 1));
         put(w, ") { case 0: ");
         block(w);
         put(w, "case %u: ", 1 + choose(w, 5));
         block(w);
         put(w, "break; default: ");
         block(w);
         put(w, "}\n");
         break;
      case 8:
         put(w, "%s", w->loops ? choose(w, 2) ? "break;\n" : "continue;\n" : ";\n");
         break;
      default:
         put(w, "%s",
             w->vertex || choose(w, 3) ? "la[1] += 1.0;\n" : "if (la[1] > 2.0) discard;\n");
      }
   }
   put(w, "}\n");
   w->num_locals = locals;
   nesting--;
}

static void
shader(struct writer *w, unsigned version)
{
   static const char *const versions[] = { "130", "330", "450 compatibility", "430" };

   put(w, "#version %s\n", versions[version % 4]);
   put(w, "uniform float ua[8]; uniform vec4 u4; uniform sampler2D s2;\nfloat la[8];\n");
   put(w, "%s vec4 x0, x1;\n", w->vertex ? "out" : "in");
   for (unsigned n = choose(w, 4); n; n--) {
      put(w, "vec4 f%u(vec4 v0) ", w->functions);
      w->locals[0] = type_of(FLOAT, 4);
      w->num_locals = 1;
      put(w, "{\n");
      block(w);
      put(w, "return ");
      expression(w, type_of(FLOAT, 4));
      put(w, ";\n}\n");
      w->functions++;
   }
   w->num_locals = 0;
   put(w, "void main() {\nfor (int i = 0; i < 8; i++) la[i] = ua[i];\n");
   block(w);
   if (w->vertex)
      put(w, "x0 = u4; x1 = ");
   else
      put(w, "gl_FragColor = x0 + x1 * ");
   expression(w, type_of(FLOAT, 4));
   put(w, ";\n");
   if (w->vertex)
      put(w,
          "gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, la[2], 1.0);\n");
   put(w, "}\n");
   if (w->size && choose(w, 200) == 1)
      w->text[choose(w, 256) * w->length / 256] = (char)choose(w, 256);
   w->text[w->length] = 0;
}

/* The whole target as the program draws it; false: it was ended, or refused. */
static bool
draw(unsigned program, uint8_t picture[FUZZ_GL_SIDE * FUZZ_GL_SIDE * 4])
{
   glClear(GL_COLOR_BUFFER_BIT);
   fuzz_gl_draw(program);
   glReadPixels(0, 0, FUZZ_GL_SIDE, FUZZ_GL_SIDE, GL_RGBA, GL_UNSIGNED_BYTE, picture);
   return glGetGraphicsResetStatus() == GL_NO_ERROR && glGetError() == GL_NO_ERROR;
}

FUZZ_ENTRY(gl_glsl)
{
   static uint8_t pictures[2][FUZZ_GL_SIDE * FUZZ_GL_SIDE * 4];

   static struct writer vertex, fragment;

   if (size < 2 || size > MAX_INPUT)
      return 0;
   const size_t first = (size - 2) * data[1] / 256;
   memset(&vertex, 0, sizeof(vertex));
   memset(&fragment, 0, sizeof(fragment));
   vertex.data = data + 2;
   vertex.size = first;
   vertex.vertex = true;
   fragment.data = data + 2 + first;
   fragment.size = size - 2 - first;
   shader(&vertex, data[0]);
   shader(&fragment, data[0]);
   fuzz_gl_begin();
   const unsigned program = fuzz_gl_program(vertex.text, fragment.text);
   if (program) {
      static const float numbers[8] = { 0, 1, -1, 0.5f, 1e30f, 3, 7, -0.25f };
      glUseProgram(program);
      glUniform1fv(glGetUniformLocation(program, "ua"), 8, numbers);
      if (draw(program, pictures[0]) && draw(program, pictures[1]))
         FUZZ_CHECK(!memcmp(pictures[0], pictures[1], sizeof(pictures[0])));
      glDeleteProgram(program);
   }
   fuzz_gl_end();
   return 0;
}
