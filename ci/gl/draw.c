/* SPDX-License-Identifier: MIT */
/*
 * Draws with a program of which nothing is known.
 *
 *    gl-draw PICTURE FILE
 *
 * FILE is read as gl-compile reads it.  A grid of squares is drawn with the program, and the
 * picture written as a PNG.  Every attribute is the position in the grid; uniforms are numbers by
 * their names, matrices nearly the identity, and samplers have a small texture of their kind each.
 * All of it is the same for every driver.  Exit code 2: the program does not compile, link or draw.
 */
#include "shader_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
   SIZE = 64,   /* pixels of the picture */
   CELLS = 6,   /* of the grid, a row */
   UNITS = 32,  /* of textures */
   TEXELS = 16, /* of a texture, in each direction */
   BLOCK_FLOATS = 16384,
   DOES_NOT_DRAW = 2,
};

static uint32_t
hash(const char *text)
{
   uint32_t h = 2166136261u;

   for (; *text; text++)
      h = (h ^ (uint8_t)*text) * 16777619u;
   return h ^ h >> 15;
}

/* From a quarter up to 1. */
static float
fraction(uint32_t h)
{
   return 0.25f + (float)(h >> 8 & 0xffff) / 65536.0f * 0.75f;
}

/* --- textures ------------------------------------------------------------------------------- */

static const struct sampler {
   GLenum type, target;
   bool integer, compares;
} samplers[] = {
   { GL_SAMPLER_1D, GL_TEXTURE_1D, false, false },
   { GL_SAMPLER_1D_SHADOW, GL_TEXTURE_1D, false, true },
   { GL_SAMPLER_1D_ARRAY, GL_TEXTURE_1D_ARRAY, false, false },
   { GL_SAMPLER_2D, GL_TEXTURE_2D, false, false },
   { GL_SAMPLER_2D_SHADOW, GL_TEXTURE_2D, false, true },
   { GL_SAMPLER_2D_RECT, GL_TEXTURE_RECTANGLE, false, false },
   { GL_SAMPLER_2D_RECT_SHADOW, GL_TEXTURE_RECTANGLE, false, true },
   { GL_SAMPLER_2D_ARRAY, GL_TEXTURE_2D_ARRAY, false, false },
   { GL_SAMPLER_2D_ARRAY_SHADOW, GL_TEXTURE_2D_ARRAY, false, true },
   { GL_SAMPLER_3D, GL_TEXTURE_3D, false, false },
   { GL_SAMPLER_CUBE, GL_TEXTURE_CUBE_MAP, false, false },
   { GL_SAMPLER_CUBE_SHADOW, GL_TEXTURE_CUBE_MAP, false, true },
   { GL_INT_SAMPLER_2D, GL_TEXTURE_2D, true, false },
   { GL_UNSIGNED_INT_SAMPLER_2D, GL_TEXTURE_2D, true, false },
};

static const struct sampler *
sampler_of(GLenum type)
{
   for (unsigned i = 0; i < sizeof(samplers) / sizeof(samplers[0]); i++)
      if (samplers[i].type == type)
         return &samplers[i];
   return NULL;
}

/* A texture of the sampler's kind, of noise, on the unit. */
static void
make_texture(const struct sampler *s, GLenum type, int unit)
{
   static uint8_t texels[TEXELS * TEXELS * TEXELS * 4];
   const bool is_signed = type == GL_INT_SAMPLER_2D;
   GLenum internal = GL_RGBA8, format = GL_RGBA, data = GL_UNSIGNED_BYTE;
   unsigned name;

   if (s->integer) {
      internal = is_signed ? GL_RGBA8I : GL_RGBA8UI;
      format = GL_RGBA_INTEGER;
      data = is_signed ? GL_BYTE : GL_UNSIGNED_BYTE;
   } else if (s->compares) {
      internal = GL_DEPTH_COMPONENT24;
      format = GL_DEPTH_COMPONENT;
      data = GL_UNSIGNED_INT;
   }
   for (unsigned i = 0; i < sizeof(texels); i++)
      texels[i] = (uint8_t)((i * 2654435761u ^ (unsigned)unit * 40503u) >> 13);
   glActiveTexture(GL_TEXTURE0 + (unsigned)unit);
   glGenTextures(1, &name);
   glBindTexture(s->target, name);
   switch (s->target) {
   case GL_TEXTURE_1D:
      glTexImage1D(s->target, 0, (int)internal, TEXELS, 0, format, data, texels);
      break;
   case GL_TEXTURE_3D:
   case GL_TEXTURE_2D_ARRAY:
      glTexImage3D(s->target, 0, (int)internal, TEXELS, TEXELS, TEXELS, 0, format, data, texels);
      break;
   case GL_TEXTURE_CUBE_MAP:
      for (unsigned face = 0; face < 6; face++) {
         glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, (int)internal, TEXELS, TEXELS, 0,
                      format, data, texels + face * 64);
      }
      break;
   default:
      glTexImage2D(s->target, 0, (int)internal, TEXELS, TEXELS, 0, format, data, texels);
      break;
   }
   const int filter = s->integer ? GL_NEAREST : GL_LINEAR;
   glTexParameteri(s->target, GL_TEXTURE_MIN_FILTER, filter);
   glTexParameteri(s->target, GL_TEXTURE_MAG_FILTER, filter);
   if (s->compares)
      glTexParameteri(s->target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
}

/* --- uniforms ------------------------------------------------------------------------------- */

static bool
set_matrix(int location, GLenum type, int count, uint32_t h)
{
   static const struct {
      GLenum type;
      unsigned columns, rows;
      void(APIENTRY *set)(int, int, GLboolean, const float *);
   } matrices[] = {
      { GL_FLOAT_MAT2, 2, 2, glUniformMatrix2fv },
      { GL_FLOAT_MAT3, 3, 3, glUniformMatrix3fv },
      { GL_FLOAT_MAT4, 4, 4, glUniformMatrix4fv },
      { GL_FLOAT_MAT4x3, 4, 3, glUniformMatrix4x3fv },
      { GL_FLOAT_MAT3x4, 3, 4, glUniformMatrix3x4fv },
   };

   for (unsigned i = 0; i < sizeof(matrices) / sizeof(matrices[0]); i++) {
      if (matrices[i].type != type)
         continue;
      const unsigned size = matrices[i].columns * matrices[i].rows;
      float *value = calloc((size_t)count * size, sizeof(*value));
      for (unsigned k = 0; value && k < (unsigned)count * size; k++) {
         const unsigned column = k % size / matrices[i].rows, row = k % matrices[i].rows;
         value[k] = (column == row ? 1.0f : 0.0f) + 0.01f * fraction(h + k * 0x9e3779b1u);
      }
      if (value)
         matrices[i].set(location, count, GL_FALSE, value);
      free(value);
      return true;
   }
   return false;
}

/* False: a kind of uniform that nothing is given to. */
static bool
set_uniform(int location, GLenum type, int count, const char *name, int *unit)
{
   const uint32_t h = hash(name);
   const struct sampler *s = sampler_of(type);
   float f[4];
   int n[4];

   for (unsigned i = 0; i < 4; i++) {
      f[i] = fraction(h + i * 0x9e3779b1u);
      n[i] = 1 + (int)(h >> (8 + 4 * i) & 1);
   }
   for (int i = 0; s && i < count && *unit < UNITS; i++) {
      make_texture(s, type, *unit);
      glUniform1i(location + i, (*unit)++);
   }
   if (s)
      return true;
   if (set_matrix(location, type, count, h))
      return true;
   for (int i = 0; i < count; i++) {
      switch (type) {
      case GL_FLOAT:
         glUniform1fv(location + i, 1, f);
         break;
      case GL_FLOAT_VEC2:
         glUniform2fv(location + i, 1, f);
         break;
      case GL_FLOAT_VEC3:
         glUniform3fv(location + i, 1, f);
         break;
      case GL_FLOAT_VEC4:
         glUniform4fv(location + i, 1, f);
         break;
      case GL_BOOL:
      case GL_INT:
         glUniform1iv(location + i, 1, n);
         break;
      case GL_BOOL_VEC2:
      case GL_INT_VEC2:
         glUniform2iv(location + i, 1, n);
         break;
      case GL_BOOL_VEC3:
      case GL_INT_VEC3:
         glUniform3iv(location + i, 1, n);
         break;
      case GL_BOOL_VEC4:
      case GL_INT_VEC4:
         glUniform4iv(location + i, 1, n);
         break;
      case GL_UNSIGNED_INT:
         glUniform1ui(location + i, (unsigned)n[0]);
         break;
      default:
         return false;
      }
   }
   return true;
}

static void
set_uniforms(unsigned program)
{
   static float block[BLOCK_FLOATS];
   int count = 0, unit = 0;
   unsigned buffer;
   char name[256];

   glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
   for (int i = 0; i < count; i++) {
      GLenum type;
      int size;
      glGetActiveUniform(program, (unsigned)i, sizeof(name), NULL, &size, &type, name);
      const int location = glGetUniformLocation(program, name);
      if (location >= 0 && !set_uniform(location, type, size, name, &unit))
         fprintf(stderr, "no value for the uniform %s of type 0x%x\n", name, type);
   }
   /* Blocks: matrices one after another, as far as they are. */
   for (unsigned i = 0; i < BLOCK_FLOATS; i++)
      block[i] = (i / 4 % 4 == i % 4 ? 1.0f : 0.0f) + 0.01f * fraction(i * 0x9e3779b1u);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_UNIFORM_BUFFER, buffer);
   glBufferData(GL_UNIFORM_BUFFER, sizeof(block), block, GL_STATIC_DRAW);
   glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &count);
   for (int i = 0; i < count; i++) {
      glUniformBlockBinding(program, (unsigned)i, (unsigned)i);
      glBindBufferBase(GL_UNIFORM_BUFFER, (unsigned)i, buffer);
   }
}

/* --- the draw ------------------------------------------------------------------------------- */

/* Two triangles a cell; x and y from -1 to 1. */
static unsigned
make_grid(float (*at)[4])
{
   static const uint8_t corner[6][2] = {
      { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 0 }, { 1, 1 }, { 0, 1 }
   };
   unsigned n = 0;

   for (unsigned y = 0; y < CELLS; y++) {
      for (unsigned x = 0; x < CELLS; x++) {
         for (unsigned k = 0; k < 6; k++, n++) {
            at[n][0] = (float)(x + corner[k][0]) * 2.0f / CELLS - 1.0f;
            at[n][1] = (float)(y + corner[k][1]) * 2.0f / CELLS - 1.0f;
            at[n][2] = 0.25f * at[n][0] * at[n][1];
            at[n][3] = 1.0f;
         }
      }
   }
   return n;
}

static void
draw(unsigned program)
{
   static float grid[CELLS * CELLS * 6][4];
   const unsigned vertices = make_grid(grid);
   int attributes = 0, size, location;
   GLenum type, geometry_input = GL_TRIANGLES;
   unsigned buffer, shaders[8];
   char name[256];

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(grid), grid, GL_STATIC_DRAW);
   glGetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &attributes);
   for (int i = 0; i < attributes; i++) {
      glGetActiveAttrib(program, (unsigned)i, sizeof(name), NULL, &size, &type, name);
      location = glGetAttribLocation(program, name);
      if (location < 0)
         continue;
      glEnableVertexAttribArray((unsigned)location);
      if (type == GL_INT || type == GL_INT_VEC2 || type == GL_INT_VEC3 || type == GL_INT_VEC4 ||
          type == GL_UNSIGNED_INT)
         glVertexAttribIPointer((unsigned)location, 4, GL_BYTE, 16, NULL);
      else
         glVertexAttribPointer((unsigned)location, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   }
   glEnableClientState(GL_VERTEX_ARRAY);
   glVertexPointer(4, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_NORMAL_ARRAY);
   glNormalPointer(GL_FLOAT, 16, NULL);
   glEnableClientState(GL_COLOR_ARRAY);
   glColorPointer(4, GL_FLOAT, 0, NULL);
   for (unsigned i = 0; i < 8; i++) {
      glClientActiveTexture(GL_TEXTURE0 + i);
      glEnableClientState(GL_TEXTURE_COORD_ARRAY);
      glTexCoordPointer(4, GL_FLOAT, 0, NULL);
   }
   glGetAttachedShaders(program, 8, &size, shaders);
   for (int i = 0; i < size; i++) {
      int kind;
      glGetShaderiv(shaders[i], GL_SHADER_TYPE, &kind);
      if (kind == GL_GEOMETRY_SHADER)
         glGetProgramiv(program, GL_GEOMETRY_INPUT_TYPE, (int *)&geometry_input);
   }
   glUseProgram(program);
   set_uniforms(program);
   glClearColor(0.25f, 0.5f, 0.75f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glDrawArrays(geometry_input, 0, (int)vertices);
   glFinish();
}

int
main(int argc, char **argv)
{
   struct shader_test test;
   int linked = 0;

   if (argc != 3 || !offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   offscreen_target(SIZE, SIZE);
   if (!shader_test_read(argv[2], &test) || !shader_test_complete(&test))
      return DOES_NOT_DRAW;
   unsigned program = shader_test_compile(&test);
   if (program) {
      glLinkProgram(program);
      glGetProgramiv(program, GL_LINK_STATUS, &linked);
   }
   if (!linked)
      return DOES_NOT_DRAW;
   while (glGetError() != GL_NO_ERROR) {
   }
   draw(program);
   const GLenum error = glGetError();
   if (error != GL_NO_ERROR) {
      fprintf(stderr, "GL error 0x%x\n", error);
      return DOES_NOT_DRAW;
   }
   bool ok = offscreen_write_png(argv[1], SIZE, SIZE);
   shader_test_free(&test);
   offscreen_close();
   return ok ? 0 : 1;
}
