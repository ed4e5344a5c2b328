/* SPDX-License-Identifier: MIT */
/*
 * Vertex shaders that look something up, on the processor: gl-feedback.  Exit code 0, and the
 * number of cases, if all is right; otherwise the reason is on stderr.
 *
 * glRasterPos wants what a vertex shader writes, and Mesa interprets the shader for it.  Each case
 * is an expression of textures, images or buffers, of all kinds, filters and wraps: what it is for
 * glRasterPos, and in feedback, has to be what the device captures of it by transform feedback, but
 * for the precision of filters.
 */
#include "offscreen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 8, LAYERS = 4, TOO_LITTLE = 77 };

static const struct {
   const char *name, *type;
   GLenum target;
} textures[] = {
   { "t1", "sampler1D", GL_TEXTURE_1D },
   { "t2", "sampler2D", GL_TEXTURE_2D },
   { "t3", "sampler3D", GL_TEXTURE_3D },
   { "cube", "samplerCube", GL_TEXTURE_CUBE_MAP },
   { "rect", "sampler2DRect", GL_TEXTURE_RECTANGLE },
   { "a1", "sampler1DArray", GL_TEXTURE_1D_ARRAY },
   { "a2", "sampler2DArray", GL_TEXTURE_2D_ARRAY },
   { "cubes", "samplerCubeArray", GL_TEXTURE_CUBE_MAP_ARRAY },
   { "buf", "samplerBuffer", GL_TEXTURE_BUFFER },
};

enum { TEXTURES = sizeof(textures) / sizeof(textures[0]), SHADOW = TEXTURES, INTEGERS, PACKED };

static const char *const cases[] = {
   "texelFetch(t1, 5, 0)",
   "texelFetch(t1, 9, 0)",
   "texelFetch(t2, ivec2(3, 2), 1)",
   "texelFetchOffset(t2, ivec2(3, 2), 0, ivec2(-1, 2))",
   "texelFetch(t3, ivec3(3, 2, 1), 0)",
   "texelFetch(rect, ivec2(6, 1))",
   "texelFetch(a1, ivec2(6, 2), 0)",
   "texelFetch(a2, ivec3(6, 2, 3), 1)",
   "texelFetch(buf, 17)",
   "texelFetch(blocks, ivec2(5, 6), 0)",
   "vec4(texelFetch(integers, ivec2(5, 6), 0)) / 64.0",
   "textureLod(t1, 0.3, 0.0)",
   "textureLod(t2, vec2(0.3, 0.7), 0.0)",
   "textureLod(t2, vec2(0.3, 0.7), 1.0)",
   "textureLod(t2, vec2(0.3, 0.7), 1.4)",
   "textureLod(t2, vec2(0.3, 0.7), 9.0)",
   "textureLod(t2, vec2(-0.6, 3.1), 0.0)",
   "textureLodOffset(t2, vec2(0.3, 0.7), 0.0, ivec2(1, -2))",
   "textureProjLod(t2, vec3(0.3, 0.7, 2.0), 0.0)",
   "texture(t2, vec2(0.52, 0.11))",
   "textureGrad(t2, vec2(0.3, 0.7), vec2(0.25, 0.0), vec2(0.0, 0.1))",
   "textureLod(t3, vec3(0.3, 0.7, 0.6), 0.0)",
   "textureLod(t3, vec3(0.3, 0.7, 0.6), 1.0)",
   "textureLod(cube, vec3(1.0, 0.2, 0.3), 0.0)",
   "textureLod(cube, vec3(-1.0, 0.2, 0.3), 0.0)",
   "textureLod(cube, vec3(0.2, 1.0, 0.3), 0.0)",
   "textureLod(cube, vec3(0.2, -1.0, 0.3), 0.0)",
   "textureLod(cube, vec3(0.2, 0.1, 2.0), 0.0)",
   "textureLod(cube, vec3(0.2, 0.1, -2.0), 0.0)",
   "textureLod(cubes, vec4(0.2, 0.1, -2.0, 1.0), 0.0)",
   "texture(rect, vec2(3.3, 4.6))",
   "textureLod(a1, vec2(0.3, 1.6), 0.0)",
   "textureLod(a2, vec3(0.3, 0.7, 2.2), 0.0)",
   "textureLod(a2, vec3(0.3, 0.7, 77.0), 1.0)",
   "textureGather(t2, vec2(0.3, 0.7), 1)",
   "vec4(textureLod(shadow, vec3(0.3, 0.7, 0.5), 0.0))",
   "vec4(textureLod(shadow, vec3(0.8, 0.1, 0.2), 0.0))",
   "vec4(textureSize(t3, 1), textureQueryLevels(t2))",
   "vec4(textureSize(a2, 0), textureSize(buf))",
   "vec4(textureSize(cubes, 0), textureSize(a1, 1).y)",
   "imageLoad(image, ivec2(2, 5))",
   "imageLoad(image, ivec2(2, 99))",
   "vec4(imageSize(image), data.length(), data[7])",
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static void
fail(const char *why, const char *what)
{
   fprintf(stderr, "%s: %s\n", why, what);
   exit(1);
}

/* ---- What is looked up ---- */

static float
noise(void)
{
   static uint32_t state = 1;
   state = state * 1664525 + 1013904223;
   return (float)(state >> 16 & 0xff) / 255.0f;
}

static void
fill_level(GLenum target, int level, GLenum internal, GLenum format)
{
   static float texels[SIDE * SIDE * 12 * 4];
   const int side = SIDE >> level;

   for (unsigned i = 0; i < sizeof(texels) / sizeof(texels[0]); i++)
      texels[i] = noise();
   switch (target) {
   case GL_TEXTURE_1D:
      glTexImage1D(target, level, (int)internal, side, 0, format, GL_FLOAT, texels);
      break;
   case GL_TEXTURE_1D_ARRAY:
      glTexImage2D(target, level, (int)internal, side, LAYERS, 0, format, GL_FLOAT, texels);
      break;
   case GL_TEXTURE_2D_ARRAY:
   case GL_TEXTURE_CUBE_MAP_ARRAY:
      glTexImage3D(target, level, (int)internal, side, side,
                   target == GL_TEXTURE_2D_ARRAY ? LAYERS : 12, 0, format, GL_FLOAT, texels);
      break;
   case GL_TEXTURE_3D:
      glTexImage3D(target, level, (int)internal, side, side, side, 0, format, GL_FLOAT, texels);
      break;
   case GL_TEXTURE_CUBE_MAP:
      for (unsigned face = 0; face < 6; face++)
         glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, (int)internal, side, side, 0,
                      format, GL_FLOAT, texels + face * SIDE * SIDE * 4);
      break;
   default:
      glTexImage2D(target, level, (int)internal, side, side, 0, format, GL_FLOAT, texels);
      break;
   }
}

static void
make_textures(unsigned names[PACKED + 1])
{
   unsigned buffer;
   float elements[64];

   glGenTextures(PACKED + 1, names);
   for (unsigned i = 0; i < TEXTURES; i++) {
      const GLenum target = textures[i].target;
      glActiveTexture(GL_TEXTURE0 + i);
      glBindTexture(target, names[i]);
      if (target == GL_TEXTURE_BUFFER)
         continue;
      for (int level = 0; level < (target == GL_TEXTURE_RECTANGLE ? 1 : 4); level++)
         fill_level(target, level, GL_RGBA32F, GL_RGBA);
   }
   glActiveTexture(GL_TEXTURE0 + SHADOW);
   glBindTexture(GL_TEXTURE_2D, names[SHADOW]);
   fill_level(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   glActiveTexture(GL_TEXTURE0 + INTEGERS);
   glBindTexture(GL_TEXTURE_2D, names[INTEGERS]);
   int8_t whole[SIDE * SIDE][4];
   for (unsigned i = 0; i < sizeof(whole); i++)
      ((int8_t *)whole)[i] = (int8_t)(i * 37);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8I, SIDE, SIDE, 0, GL_RGBA_INTEGER, GL_BYTE, whole);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glActiveTexture(GL_TEXTURE0 + PACKED);
   glBindTexture(GL_TEXTURE_2D, names[PACKED]);
   fill_level(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_RGBA);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_BLUE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_B, GL_ONE);

   for (unsigned i = 0; i < 64; i++)
      elements[i] = noise();
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_TEXTURE_BUFFER, buffer);
   glBufferData(GL_TEXTURE_BUFFER, sizeof(elements), elements, GL_STATIC_DRAW);
   glActiveTexture(GL_TEXTURE0 + TEXTURES - 1);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_RG32F, buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBindImageTexture(0, names[1], 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA32F);
}

/* ---- Cases ---- */

static unsigned
program_of(const char *expression)
{
   static const char *const captured[] = { "seen" };
   char source[4096];
   int at = snprintf(source, sizeof(source), "#version 430 compatibility\n");
   unsigned program = glCreateProgram();

   for (unsigned i = 0; i < TEXTURES; i++)
      at +=
         snprintf(source + at, sizeof(source) - (size_t)at, "layout(binding = %u) uniform %s %s;\n",
                  i, textures[i].type, textures[i].name);
   snprintf(source + at, sizeof(source) - (size_t)at,
            "layout(binding = %d) uniform sampler2DShadow shadow;\n"
            "layout(binding = %d) uniform isampler2D integers;\n"
            "layout(binding = %d) uniform sampler2D blocks;\n"
            "layout(rgba32f, binding = 0) readonly uniform image2D image;\n"
            "layout(std430, binding = 0) buffer Data { float data[]; };\n"
            "out vec4 seen;\n"
            "void main() { gl_Position = vec4(0, 0, 0, 1); seen = gl_TexCoord[0] = %s; }\n",
            SHADOW, INTEGERS, PACKED, expression);
   offscreen_attach(program, &(struct offscreen_shader){ GL_VERTEX_SHADER, source }, 1);
   glTransformFeedbackVaryings(program, 1, captured, GL_INTERLEAVED_ATTRIBS);
   offscreen_link(program);
   return program;
}

static void
compare(const float device[4], const float *other, const char *who, const char *expression)
{
   for (unsigned c = 0; c < 4; c++) {
      if (fabsf(device[c] - other[c]) <= 0.006f)
         continue;
      fprintf(stderr, "%s of %s: %g %g %g %g, on the device %g %g %g %g\n", who, expression,
              (double)other[0], (double)other[1], (double)other[2], (double)other[3],
              (double)device[0], (double)device[1], (double)device[2], (double)device[3]);
      exit(1);
   }
}

static void
check(const char *expression)
{
   float device[4] = { 0 }, raster[4], feedback[16] = { 0 };
   unsigned program = program_of(expression);

   glUseProgram(program);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof(device), device, GL_STATIC_READ);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, 1);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(device), device);

   glActiveTexture(GL_TEXTURE0);
   glRasterPos2f(0, 0);
   glGetFloatv(GL_CURRENT_RASTER_TEXTURE_COORDS, raster);
   compare(device, raster, "glRasterPos", expression);

   glFeedbackBuffer(16, GL_4D_COLOR_TEXTURE, feedback);
   glRenderMode(GL_FEEDBACK);
   glDrawArrays(GL_POINTS, 0, 1);
   if (glRenderMode(GL_RENDER) != 13 || feedback[0] != GL_POINT_TOKEN)
      fail("feedback gives no point", expression);
   compare(device, feedback + 9, "feedback", expression);
   if (glGetError() != GL_NO_ERROR)
      fail("an error", expression);
   glDeleteProgram(program);
}

int
main(void)
{
   static const GLenum filters[][2] = { { GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST },
                                        { GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR } };
   static const GLenum wraps[] = { GL_REPEAT, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER,
                                   GL_MIRRORED_REPEAT, GL_MIRROR_CLAMP_TO_EDGE };
   const float border[4] = { 0.25f, 0.5f, 0.75f, 1 };
   unsigned names[PACKED + 1], buffer, count = 0;

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   if (offscreen_version() < 43) {
      fprintf(stderr, "OpenGL 4.3 is needed, and there is %s\n", glGetString(GL_VERSION));
      return TOO_LITTLE;
   }
   offscreen_target(16, 16);
   make_textures(names);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   for (unsigned f = 0; f < 2; f++) {
      for (unsigned w = 0; w < sizeof(wraps) / sizeof(wraps[0]); w++) {
         unsigned samplers[TEXTURES];
         glGenSamplers(TEXTURES, samplers);
         for (unsigned i = 0; i < TEXTURES; i++) {
            const bool rect = textures[i].target == GL_TEXTURE_RECTANGLE;
            const GLenum wrap = rect ? GL_CLAMP_TO_EDGE : wraps[w];
            glSamplerParameteri(samplers[i], GL_TEXTURE_WRAP_S, (int)wrap);
            glSamplerParameteri(samplers[i], GL_TEXTURE_WRAP_T, (int)wrap);
            glSamplerParameteri(samplers[i], GL_TEXTURE_WRAP_R, (int)wrap);
            glSamplerParameteri(samplers[i], GL_TEXTURE_MIN_FILTER, (int)filters[f][rect ? 1 : 0]);
            glSamplerParameteri(samplers[i], GL_TEXTURE_MAG_FILTER, (int)filters[f][1]);
            glSamplerParameterfv(samplers[i], GL_TEXTURE_BORDER_COLOR, border);
            if (textures[i].target != GL_TEXTURE_BUFFER)
               glBindSampler(i, samplers[i]);
         }
         for (unsigned i = 0; i < CASES; i++, count++)
            check(cases[i]);
         glDeleteSamplers(TEXTURES, samplers);
      }
   }
   offscreen_close();
   printf("%u\n", count);
   return 0;
}
