/* SPDX-License-Identifier: MIT */
/*
 * The least and the greatest texel of a footprint (ARB_texture_filter_minmax): gl-reduce.
 *
 * Textures of noise are looked up between their texels, by linear filters of one, two and three
 * dimensions, between two levels, and at the border; the answers must be the least and greatest
 * of the texels that have a weight.  A line for each case that fails, then how many held.
 *
 * GL_RENDERER goes to stderr first.  The exit code is 77 where the driver does not offer it.
 */
#include "offscreen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 16, DEEP = 4, POINTS = 64, TOO_LITTLE = 77 };

static const struct test {
   const char *name;
   GLenum target, format; /* internal */
   bool levels;           /* half-way between levels 0 and 1 */
   bool border;           /* around it: 0.5 */
   bool sampler;          /* the mode is a sampler object's */
} tests[] = {
   { "1d-float", GL_TEXTURE_1D, GL_RGBA32F, false, false, false },
   { "2d-bytes", GL_TEXTURE_2D, GL_RGBA8, false, false, false },
   { "2d-float", GL_TEXTURE_2D, GL_RGBA32F, false, false, true },
   { "2d-half", GL_TEXTURE_2D, GL_RGBA16F, false, false, false },
   { "2d-levels", GL_TEXTURE_2D, GL_RGBA8, true, false, false },
   { "2d-float-levels", GL_TEXTURE_2D, GL_RGBA32F, true, false, true },
   { "2d-border", GL_TEXTURE_2D, GL_RGBA32F, false, true, false },
   { "3d-bytes", GL_TEXTURE_3D, GL_RGBA8, false, false, true },
   { "3d-float-levels", GL_TEXTURE_3D, GL_RGBA32F, true, false, false },
};
enum { TESTS = sizeof(tests) / sizeof(*tests) };

static float texels[2][DEEP * SIDE * SIDE][4];

static unsigned
dimensions(const struct test *t)
{
   return t->target == GL_TEXTURE_1D ? 1 : t->target == GL_TEXTURE_2D ? 2 : 3;
}

static int
size_of(const struct test *t, unsigned axis, unsigned level)
{
   if (axis >= dimensions(t))
      return 1;
   return (axis == 2 ? DEEP : SIDE) >> level;
}

static void
make(const struct test *t, unsigned texture)
{
   uint32_t noise = 7;

   glBindTexture(t->target, texture);
   for (unsigned level = 0; level < 2; level++) {
      const int w = size_of(t, 0, level), h = size_of(t, 1, level), d = size_of(t, 2, level);

      for (int i = 0; i < w * h * d; i++) {
         for (unsigned c = 0; c < 4; c++) {
            noise = noise * 1664525 + 1013904223;
            /* Of bytes and of halves. */
            texels[level][i][c] =
               t->format == GL_RGBA8 ? (float)(noise >> 24) / 255.0f : (float)(noise >> 24) / 64.0f;
         }
      }
      if (t->target == GL_TEXTURE_1D)
         glTexImage1D(t->target, (int)level, (int)t->format, w, 0, GL_RGBA, GL_FLOAT,
                      texels[level]);
      else if (t->target == GL_TEXTURE_2D)
         glTexImage2D(t->target, (int)level, (int)t->format, w, h, 0, GL_RGBA, GL_FLOAT,
                      texels[level]);
      else
         glTexImage3D(t->target, (int)level, (int)t->format, w, h, d, 0, GL_RGBA, GL_FLOAT,
                      texels[level]);
   }
   glTexParameteri(t->target, GL_TEXTURE_MAX_LEVEL, 1);
}

/* The texel of a level, or the border's. */
static float
texel(const struct test *t, unsigned level, const int at[3], unsigned c)
{
   int clamped[3];

   for (unsigned a = 0; a < 3; a++) {
      const int n = size_of(t, a, level);

      if (t->border && (at[a] < 0 || at[a] >= n))
         return 0.5f;
      clamped[a] = at[a] < 0 ? 0 : at[a] >= n ? n - 1 : at[a];
   }
   return texels[level][(clamped[2] * size_of(t, 1, level) + clamped[1]) * size_of(t, 0, level) +
                        clamped[0]][c];
}

static float
expect(const struct test *t, bool least, const float point[3], unsigned c)
{
   float value = least ? INFINITY : -INFINITY;

   for (unsigned level = 0; level < (t->levels ? 2u : 1u); level++) {
      for (unsigned k = 0; k < 1u << dimensions(t); k++) {
         int at[3] = { 0, 0, 0 };
         bool counts = true;

         for (unsigned a = 0; a < dimensions(t); a++) {
            const float u = point[a] * (float)size_of(t, a, level) - 0.5f;

            at[a] = (int)floorf(u) + (int)(k >> a & 1);
            counts &= !(k >> a & 1) || u != floorf(u);
         }
         if (counts)
            value =
               least ? fminf(value, texel(t, level, at, c)) : fmaxf(value, texel(t, level, at, c));
      }
   }
   return value;
}

static bool
held(const struct test *t, bool least)
{
   static const float half[4] = { 0.5f, 0.5f, 0.5f, 0.5f };
   static const char *const types[] = { "sampler1D", "sampler2D", "sampler3D" };
   static const char *const places[] = { "x", "xy", "xyz" };
   char source[1024];
   const struct offscreen_shader shader = { GL_COMPUTE_SHADER, source };
   const GLenum mode = least ? GL_MIN : GL_MAX;
   unsigned program = glCreateProgram(), texture, sampler = 0, buffers[2];
   float points[POINTS][4] = { { 0 } }, found[POINTS][4];
   uint32_t noise = 3;
   bool good = true;

   /* In 1/64 of a texel, at and between the texels' centres; outside, too. */
   for (unsigned i = 0; i < POINTS; i++) {
      for (unsigned a = 0; a < dimensions(t); a++) {
         const int n = size_of(t, a, 0);

         noise = noise * 1664525 + 1013904223;
         points[i][a] = (float)((int)(noise >> 16) % (80 * n) - 8 * n) / (float)(64 * n);
         if (i % 3 == 0)
            points[i][a] = (floorf(points[i][a] * (float)n) + 0.5f) / (float)n;
      }
   }
   snprintf(source, sizeof(source),
            "#version 430\n"
            "layout(local_size_x = 1) in;\n"
            "layout(binding = 0) uniform %s image;\n"
            "layout(std430, binding = 0) buffer points { vec4 point[]; };\n"
            "layout(std430, binding = 1) buffer answers { vec4 answer[]; };\n"
            "uniform float level;\n"
            "void main() {\n"
            "   uint i = gl_WorkGroupID.x;\n"
            "   answer[i] = textureLod(image, point[i].%s, level); }\n",
            types[dimensions(t) - 1], places[dimensions(t) - 1]);
   offscreen_attach(program, &shader, 1);
   offscreen_link(program);
   glGenTextures(1, &texture);
   make(t, texture);
   if (t->sampler) {
      glGenSamplers(1, &sampler);
      glBindSampler(0, sampler);
   }
   const struct {
      GLenum name;
      GLenum value;
   } set[] = {
      { GL_TEXTURE_MAG_FILTER, GL_LINEAR },
      { GL_TEXTURE_MIN_FILTER, t->levels ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR },
      { GL_TEXTURE_WRAP_S, t->border ? GL_CLAMP_TO_BORDER : GL_CLAMP_TO_EDGE },
      { GL_TEXTURE_WRAP_T, t->border ? GL_CLAMP_TO_BORDER : GL_CLAMP_TO_EDGE },
      { GL_TEXTURE_WRAP_R, t->border ? GL_CLAMP_TO_BORDER : GL_CLAMP_TO_EDGE },
      { GL_TEXTURE_REDUCTION_MODE_ARB, mode },
   };
   for (unsigned i = 0; i < sizeof(set) / sizeof(*set); i++)
      if (sampler)
         glSamplerParameteri(sampler, set[i].name, (int)set[i].value);
      else
         glTexParameteri(t->target, set[i].name, (int)set[i].value);
   glTexParameterfv(t->target, GL_TEXTURE_BORDER_COLOR, half);
   glGenBuffers(2, buffers);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers[0]);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(points), points, GL_STATIC_DRAW);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffers[1]);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(found), NULL, GL_STATIC_READ);
   glUseProgram(program);
   glUniform1f(glGetUniformLocation(program, "level"), t->levels ? 0.5f : 0.0f);
   glDispatchCompute(POINTS, 1, 1);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(found), found);
   for (unsigned i = 0; i < POINTS && good; i++) {
      for (unsigned c = 0; c < 4 && good; c++) {
         const float want = expect(t, least, points[i], c);

         good = fabsf(found[i][c] - want) <= 1e-6f;
         if (!good)
            printf("%s: the %s at %.6f %.6f %.6f is %.7f, not %.7f\n", t->name,
                   least ? "least" : "greatest", points[i][0], points[i][1], points[i][2],
                   found[i][c], want);
      }
   }
   glUseProgram(0);
   glBindSampler(0, 0);
   if (sampler)
      glDeleteSamplers(1, &sampler);
   glDeleteTextures(1, &texture);
   glDeleteBuffers(2, buffers);
   glDeleteProgram(program);
   return good;
}

int
main(void)
{
   unsigned good = 0, error;
   int count = 0;
   bool offered = false;

   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   glGetIntegerv(GL_NUM_EXTENSIONS, &count);
   for (int i = 0; i < count; i++)
      offered |= !strcmp((const char *)glGetStringi(GL_EXTENSIONS, (unsigned)i),
                         "GL_ARB_texture_filter_minmax");
   if (!offered || offscreen_version() < 43) {
      fprintf(stderr, "GL_ARB_texture_filter_minmax is needed\n");
      return TOO_LITTLE;
   }
   for (unsigned i = 0; i < 2 * TESTS; i++)
      good += held(&tests[i / 2], i & 1);
   printf("%u of %u\n", good, 2 * (unsigned)TESTS);
   error = glGetError();
   if (error) {
      fprintf(stderr, "GL error 0x%x\n", error);
      return 1;
   }
   offscreen_close();
   return good == 2 * TESTS ? 0 : 1;
}
