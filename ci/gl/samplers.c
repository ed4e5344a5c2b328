/* SPDX-License-Identifier: MIT */
/*
 * Texture lookups in every stage: gl-samplers.
 *
 * A case looks up one texture and counts the answers that are not what the texture's contents say;
 * it is put into each stage that can do it, and the count goes through the stages after it
 * into a buffer. A line for each case that fails, then how many held.
 *
 * Level l of layer or face i of a texture holds 1/4 where i + l is even, and 3/4 where it is odd: a
 * comparison with 1/2 by GL_LEQUAL gives 0 and 1.
 *
 * GL_RENDERER goes to stderr first.  The exit code is 77 where the driver offers too little OpenGL.
 */
#include "offscreen.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 8, LEVELS = 4, LAYERS = 12, TOO_LITTLE = 77 };

enum contents {
   COLOUR,
   DEPTH,      /* compared */
   FROM_1,     /* DEPTH that begins with level 1 */
   INCOMPLETE, /* DEPTH without the levels that its filter asks for */
   NOTHING,    /* no texture at all */
};

static const struct test {
   const char *name;
   GLenum target;
   enum contents contents;
   const char *sampler; /* type of `image` */
   const char *lookups;
   bool derivatives; /* the pixel shader's */
} tests[] = {
   /* Without derivatives a lookup is of level 0. */
   { "1d", GL_TEXTURE_1D, COLOUR, "sampler1D",
     "expect(texture(image, 0.4).x, 0.25);"
     "expect(textureLod(image, 0.4, 1.0).x, 0.75);"
     "expect(textureGrad(image, 0.4, 0.25, 0.0).x, 0.75);"
     "expect(textureProj(image, vec2(0.4, 1)).x, 0.25);"
     "expect(textureOffset(image, 0.4, 1).x, 0.25);"
     "expect(textureProjGradOffset(image, vec2(0.4, 1), 0.25, 0.0, 1).x, 0.75);" },
   { "2d", GL_TEXTURE_2D, COLOUR, "sampler2D",
     "expect(texture(image, vec2(0.4)).x, 0.25);"
     "expect(textureLod(image, vec2(0.4), 1.0).x, 0.75);"
     "expect(textureGrad(image, vec2(0.4), vec2(0.25, 0), vec2(0)).x, 0.75);"
     "expect(textureProj(image, vec3(0.4, 0.4, 1)).x, 0.25);"
     "expect(textureOffset(image, vec2(0.4), ivec2(1)).x, 0.25);"
     "expect(textureGatherOffset(image, vec2(0.4), ivec2(zero + 1)).x, 0.25);" },
   { "rect", GL_TEXTURE_RECTANGLE, COLOUR, "sampler2DRect",
     "expect(texture(image, vec2(2.5)).x, 0.25);"
     "expect(textureGrad(image, vec2(2.5), vec2(0.25, 0), vec2(0)).x, 0.25);"
     "expect(textureProj(image, vec3(5, 5, 2)).x, 0.25);"
     "expect(textureOffset(image, vec2(2.5), ivec2(1)).x, 0.25);"
     "expect(textureProjOffset(image, vec4(5, 5, 0, 2), ivec2(1)).x, 0.25);"
     "expect(textureGather(image, vec2(2.5)).x, 0.25);"
     "expect(texelFetch(image, ivec2(1)).x, 0.25);" },
   { "rect-shadow", GL_TEXTURE_RECTANGLE, DEPTH, "sampler2DRectShadow",
     "expect(texture(image, vec3(2.5, 2.5, 0.5)), 0);"
     "expect(texture(image, vec3(2.5, 2.5, 0.2)), 1);"
     "expect(textureProj(image, vec4(5, 5, 0.4, 2)), 1);"
     "expect(textureOffset(image, vec3(2.5, 2.5, 0.2), ivec2(1)), 1);"
     "expect(textureGrad(image, vec3(2.5, 2.5, 0.5), vec2(0.25, 0), vec2(0)), 0);"
     "expect(textureGather(image, vec2(2.5), 0.5).x, 0);" },
   { "1d-shadow", GL_TEXTURE_1D, DEPTH, "sampler1DShadow",
     "expect(texture(image, vec3(0.4, 0.4, 0.5)), 0);"
     "expect(textureLod(image, vec3(0.4, 0.4, 0.5), 1.0), 1);"
     "expect(textureGrad(image, vec3(0.4, 0.4, 0.5), 0.25, 0.0), 1);" },
   { "2d-shadow", GL_TEXTURE_2D, DEPTH, "sampler2DShadow",
     "expect(texture(image, vec3(0.4, 0.4, 0.5)), 0);"
     "expect(textureLod(image, vec3(0.4, 0.4, 0.5), 1.0), 1);"
     "expect(textureGrad(image, vec3(0.4, 0.4, 0.5), vec2(0.25, 0), vec2(0)), 1);"
     "expect(textureProjLod(image, vec4(0.4, 0.4, 0.5, 1), 1.0), 1);"
     "expect(textureLodOffset(image, vec3(0.4, 0.4, 0.5), 1.0, ivec2(1)), 1);"
     "expect(textureGatherOffset(image, vec2(0.4), 0.5, ivec2(zero + 1)).x, 0);" },
   { "1d-array-shadow", GL_TEXTURE_1D_ARRAY, DEPTH, "sampler1DArrayShadow",
     "expect(texture(image, vec3(0.4, 1, 0.5)), 1);"
     "expect(textureLod(image, vec3(0.4, 3, 0.5), 1.0), 0);"
     "expect(textureLod(image, vec3(0.4, 3, 0.5), 2.0), 1);"
     "expect(textureGrad(image, vec3(0.4, 1, 0.5), 0.25, 0.0), 0);" },
   { "2d-array-shadow", GL_TEXTURE_2D_ARRAY, DEPTH, "sampler2DArrayShadow",
     "expect(texture(image, vec4(0.4, 0.4, 1, 0.5)), 1);"
     "expect(textureGrad(image, vec4(0.4, 0.4, 1, 0.5), vec2(0.25, 0), vec2(0)), 0);"
     "expect(textureGather(image, vec3(0.4, 0.4, 1), 0.5).x, 1);" },
   { "cube-array", GL_TEXTURE_CUBE_MAP_ARRAY, COLOUR, "samplerCubeArray",
     "expect(texture(image, vec4(1, 0, 0, 1)).x, 0.25);"
     "expect(textureLod(image, vec4(1, 0, 0, 1), 1.0).x, 0.75);"
     "expect(textureGather(image, vec4(1, 0, 0, 1)).x, 0.25);" },
   { "cube-array-shadow", GL_TEXTURE_CUBE_MAP_ARRAY, DEPTH, "samplerCubeArrayShadow",
     "expect(texture(image, vec4(-1, 0, 0, 1), 0.5), 1);"
     "expect(textureGather(image, vec4(-1, 0, 0, 1), 0.5).x, 1);" },
   { "array-shadow-lod", GL_TEXTURE_2D_ARRAY, DEPTH, "sampler2DArrayShadow",
     "for (int i = 0; i < 12; i++)\n"
     "   for (float l = 0; l < 4; l += 0.25)\n"
     "      expect(textureLod(image, vec4(0.4, 0.6, i, 0.5), l), compared(i, l));\n" },
   { "array-shadow-lod-base", GL_TEXTURE_2D_ARRAY, FROM_1, "sampler2DArrayShadow",
     "for (float l = 0; l < 3; l += 0.25)\n"
     "   expect(textureLod(image, vec4(0.4, 0.6, 3, 0.5), l), compared(3, l + 1));\n" },
   /* Steps of 2^l texels in the plane of the face; its axis is 3 long and twice a face's side. */
   { "cube-grad", GL_TEXTURE_CUBE_MAP, COLOUR, "samplerCube",
     "const vec3 axes[3] = vec3[3](vec3(0, 1, 0), vec3(0, 0, 1), vec3(1, 0, 0));\n"
     "for (int i = 0; i < 6; i++)\n"
     "   for (float l = 0; l < 4; l++)\n"
     "      expect(textureGrad(image, faces[i], axes[i / 2] * exp2(l) * 0.75, vec3(0)).x,\n"
     "             0.25 + 0.5 * compared(i, l));\n" },
   { "cube-shadow-lod", GL_TEXTURE_CUBE_MAP, DEPTH, "samplerCubeShadow",
     "for (int i = 0; i < 6; i++)\n"
     "   for (float l = 0; l < 4; l += 0.25)\n"
     "      expect(textureLod(image, vec4(faces[i], 0.5), l), compared(i, l));\n" },
   { "cube-shadow-bias", GL_TEXTURE_CUBE_MAP, DEPTH, "samplerCubeShadow",
     "vec4 beside = vec4(3, gl_FragCoord.xy * 0.75 - 3.5, 0.5);\n" /* one texel a pixel */
     "for (float l = 0; l < 4; l++)\n"
     "   expect(texture(image, beside, l), compared(0, l));\n",
     true },
   { "cube-shadow-lod-base", GL_TEXTURE_CUBE_MAP, FROM_1, "samplerCubeShadow",
     "for (float l = 0; l < 3; l += 0.25)\n"
     "   expect(textureLod(image, vec4(faces[3], 0.5), l), compared(3, l + 1));\n" },
   { "cube-array-shadow-lod", GL_TEXTURE_CUBE_MAP_ARRAY, DEPTH, "samplerCubeArrayShadow",
     "for (int i = 0; i < 12; i++)\n"
     "   for (float l = 0; l < 4; l += 0.25)\n"
     "      expect(textureLod(image, vec4(faces[i % 6], i / 6), 0.5, l), compared(i, l));\n" },
   { "run-time-index", GL_TEXTURE_2D, COLOUR, "sampler2D many[3]; uniform sampler2D",
     "expect(texelFetch(many[zero], ivec2(1), 2).x, 0.25);"
     "expect(textureGather(many[zero + 1], vec2(0.4)).x, 0.25);"
     "expect(textureSize(many[zero + 2], 1).x, 4);"
     "expect(textureQueryLevels(many[zero + 1]), 4);" },
   /* What is not complete is (0, 0, 0, 1), whatever the comparison. */
   { "1d-incomplete", GL_TEXTURE_1D, INCOMPLETE, "sampler1DShadow",
     "expect(texture(image, vec3(0.4, 0, 0.5)), 0);"
     "expect(texture(image, vec3(0.4, 0, 0)), 0);" },
   { "2d-incomplete", GL_TEXTURE_2D, INCOMPLETE, "sampler2DShadow",
     "expect(texture(image, vec3(0.4, 0.6, 0.5)), 0);"
     "expect(texture(image, vec3(0.4, 0.6, 0)), 0);" },
   { "cube-incomplete", GL_TEXTURE_CUBE_MAP, INCOMPLETE, "samplerCubeShadow",
     "expect(texture(image, vec4(faces[2], 0.5)), 0);"
     "expect(texture(image, vec4(faces[2], 0)), 0);" },
   { "1d-array-incomplete", GL_TEXTURE_1D_ARRAY, INCOMPLETE, "sampler1DArrayShadow",
     "expect(texture(image, vec3(0.4, 0, 0.5)), 0);"
     "expect(texture(image, vec3(0.4, 0, 0)), 0);" },
   { "2d-array-incomplete", GL_TEXTURE_2D_ARRAY, INCOMPLETE, "sampler2DArrayShadow",
     "expect(texture(image, vec4(0.4, 0.6, 0, 0.5)), 0);"
     "expect(texture(image, vec4(0.4, 0.6, 0, 0)), 0);" },
   { "cube-array-incomplete", GL_TEXTURE_CUBE_MAP_ARRAY, INCOMPLETE, "samplerCubeArrayShadow",
     "expect(texture(image, vec4(faces[2], 0), 0.5), 0);"
     "expect(texture(image, vec4(faces[2], 0), 0.0), 0);" },
   { "1d-none", GL_TEXTURE_1D, NOTHING, "sampler1DShadow",
     "expect(texture(image, vec3(0.4, 0, 0.5)), 0);"
     "expect(texture(image, vec3(0.4, 0, 0)), 0);" },
   { "2d-none", GL_TEXTURE_2D, NOTHING, "sampler2DShadow",
     "expect(texture(image, vec3(0.4, 0.6, 0.5)), 0);"
     "expect(texture(image, vec3(0.4, 0.6, 0)), 0);" },
   { "rect-none", GL_TEXTURE_RECTANGLE, NOTHING, "sampler2DRectShadow",
     "expect(texture(image, vec3(0.4, 0.6, 0.5)), 0);"
     "expect(texture(image, vec3(0.4, 0.6, 0)), 0);" },
   { "cube-none", GL_TEXTURE_CUBE_MAP, NOTHING, "samplerCubeShadow",
     "expect(texture(image, vec4(faces[2], 0.5)), 0);"
     "expect(texture(image, vec4(faces[2], 0)), 0);" },
   { "1d-array-none", GL_TEXTURE_1D_ARRAY, NOTHING, "sampler1DArrayShadow",
     "expect(texture(image, vec3(0.4, 0, 0.5)), 0);"
     "expect(texture(image, vec3(0.4, 0, 0)), 0);" },
   { "2d-array-none", GL_TEXTURE_2D_ARRAY, NOTHING, "sampler2DArrayShadow",
     "expect(texture(image, vec4(0.4, 0.6, 0, 0.5)), 0);"
     "expect(texture(image, vec4(0.4, 0.6, 0, 0)), 0);" },
   { "cube-array-none", GL_TEXTURE_CUBE_MAP_ARRAY, NOTHING, "samplerCubeArrayShadow",
     "expect(texture(image, vec4(faces[2], 0), 0.5), 0);"
     "expect(texture(image, vec4(faces[2], 0), 0.0), 0);" },
};

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

enum { TESTS = sizeof(tests) / sizeof(*tests), STAGES = sizeof(stages) / sizeof(*stages) };

/* What stands in front of the stage that looks up, and in all others. */
static const char looking[] =
   "uniform %s image;\n"
   "uniform int zero;\n"
   "const vec3 faces[6] = vec3[6](vec3(3, 1, -1), vec3(-3, 1, 2), vec3(1, 3, -1), vec3(2, -3, 1),\n"
   "                              vec3(-1, 2, 3), vec3(1, -1, -3));\n"
   "float wrong = 0;\n"
   "void expect(float got, float wanted) { if (!(abs(got - wanted) < 1.0 / 64)) wrong++; }\n"
   "float compared(int i, float l) {\n"
   "   float here = float(i + int(l) & 1);\n"
   "   return mix(here, l > 3 ? here : 1 - here, fract(l)); }\n"
   "float value() { %s return wrong; }\n";
static const char not_looking[] = "float value() { return -1.0; }\n";

static void
attach(unsigned program, GLenum stage, const struct test *test, bool looks, const char *main)
{
   char source[4096];
   int at = snprintf(source, sizeof(source),
                     "#version 430\n#extension GL_EXT_texture_shadow_lod : enable\n");

   if (looks)
      at +=
         snprintf(source + at, sizeof(source) - (size_t)at, looking, test->sampler, test->lookups);
   else
      at += snprintf(source + at, sizeof(source) - (size_t)at, "%s", not_looking);
   snprintf(source + at, sizeof(source) - (size_t)at, "%s", main);
   offscreen_attach(program, &(const struct offscreen_shader){ stage, source }, 1);
}

/* One vertex comes before every stage but the last, and a point is what becomes of it. */
static unsigned
program_of(const struct test *test, GLenum stage)
{
   const bool tess = stage == GL_TESS_CONTROL_SHADER || stage == GL_TESS_EVALUATION_SHADER;
   unsigned program = glCreateProgram();

   if (stage == GL_COMPUTE_SHADER) {
      attach(program, stage, test, true,
             "layout(local_size_x = 1) in;\n"
             "layout(std430, binding = 0) buffer Result { float result; };\n"
             "void main() { result = value(); }\n");
      offscreen_link(program);
      return program;
   }
   attach(program, GL_VERTEX_SHADER, test, stage == GL_VERTEX_SHADER,
          "flat out float counted;\n"
          "void main() { gl_Position = vec4(0, 0, 0, 1); counted = value(); }\n");
   if (tess) {
      attach(program, GL_TESS_CONTROL_SHADER, test, stage == GL_TESS_CONTROL_SHADER,
             "layout(vertices = 1) out;\n"
             "patch out float of_patch;\n"
             "void main() { gl_TessLevelOuter = float[4](1, 1, 1, 1);\n"
             "              gl_TessLevelInner = float[2](1, 1);\n"
             "              of_patch = value(); }\n");
      attach(program, GL_TESS_EVALUATION_SHADER, test, stage == GL_TESS_EVALUATION_SHADER,
             "layout(triangles, point_mode) in;\n"
             "patch in float of_patch;\n"
             "flat out float counted;\n"
             "void main() { gl_Position = vec4(0, 0, 0, 1);\n"
             "              counted = max(of_patch, value()); }\n");
   }
   if (stage == GL_GEOMETRY_SHADER)
      attach(program, stage, test, true,
             "layout(points) in; layout(points, max_vertices = 1) out;\n"
             "flat out float counted;\n"
             "void main() { gl_Position = vec4(0, 0, 0, 1); counted = value(); EmitVertex(); }\n");
   attach(program, GL_FRAGMENT_SHADER, test, stage == GL_FRAGMENT_SHADER,
          "layout(std430, binding = 0) buffer Result { float result; };\n"
          "flat in float counted;\n"
          "void main() { result = max(counted, value()); }\n");
   offscreen_link(program);
   return program;
}

static void
fill_level(const struct test *test, int level, int side)
{
   const bool depth = test->contents != COLOUR;
   const GLenum format = depth ? GL_DEPTH_COMPONENT : GL_RED;
   const int internal = depth ? GL_DEPTH_COMPONENT24 : GL_R8;
   float texels[LAYERS * SIDE * SIDE];

   const int layer = test->target == GL_TEXTURE_1D_ARRAY ? side : side * side;

   for (int t = 0; t < LAYERS * layer; t++)
      texels[t] = (t / layer + level) & 1 ? 0.75f : 0.25f;
   switch (test->target) {
   case GL_TEXTURE_1D:
      glTexImage1D(test->target, level, internal, side, 0, format, GL_FLOAT, texels);
      break;
   case GL_TEXTURE_1D_ARRAY:
      glTexImage2D(test->target, level, internal, side, LAYERS, 0, format, GL_FLOAT, texels);
      break;
   case GL_TEXTURE_2D_ARRAY:
   case GL_TEXTURE_CUBE_MAP_ARRAY:
      glTexImage3D(test->target, level, internal, side, side, LAYERS, 0, format, GL_FLOAT, texels);
      break;
   case GL_TEXTURE_CUBE_MAP:
      for (int i = 0; i < 6; i++)
         glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (unsigned)i, level, internal, side, side, 0,
                      format, GL_FLOAT, texels + i * side * side);
      break;
   default:
      glTexImage2D(test->target, level, internal, side, side, 0, format, GL_FLOAT, texels);
   }
}

static void
make_texture(const struct test *test)
{
   const bool rect = test->target == GL_TEXTURE_RECTANGLE;
   const GLenum mips = test->contents == INCOMPLETE ? GL_NEAREST_MIPMAP_NEAREST
                       : rect                       ? GL_NEAREST
                                                    : GL_NEAREST_MIPMAP_LINEAR;

   if (test->contents == INCOMPLETE)
      fill_level(test, 0, SIDE);
   for (int level = 0; level < (rect ? 1 : LEVELS) && test->contents < INCOMPLETE; level++)
      fill_level(test, level, SIDE >> level);
   glTexParameteri(test->target, GL_TEXTURE_MIN_FILTER, (int)mips);
   glTexParameteri(test->target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   if (!rect)
      glTexParameteri(test->target, GL_TEXTURE_BASE_LEVEL, test->contents == FROM_1);
   if (test->contents == COLOUR)
      return;
   glTexParameteri(test->target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   glTexParameteri(test->target, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
}

static bool
holds(const struct test *test, const struct stage *stage)
{
   const bool tess =
      stage->stage == GL_TESS_CONTROL_SHADER || stage->stage == GL_TESS_EVALUATION_SHADER;
   unsigned program = program_of(test, stage->stage), texture, buffer;
   float result = -1;

   glGenTextures(1, &texture);
   glBindTexture(test->target, texture);
   make_texture(test);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(result), &result, GL_STATIC_DRAW);
   glUseProgram(program);
   glPatchParameteri(GL_PATCH_VERTICES, 1);
   if (stage->stage == GL_COMPUTE_SHADER)
      glDispatchCompute(1, 1, 1);
   else
      glDrawArrays(tess ? GL_PATCHES : GL_POINTS, 0, 1);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(result), &result);
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &buffer);
   if (result < 0)
      printf("%s, %s: does not run\n", test->name, stage->name);
   else if (result > 0)
      printf("%s, %s: %g wrong\n", test->name, stage->name, (double)result);
   return result == 0;
}

int
main(void)
{
   unsigned held = 0, all = 0, error;

   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   if (offscreen_version() < 43) {
      fprintf(stderr, "OpenGL 4.3 is needed, and there is %s\n", glGetString(GL_VERSION));
      return TOO_LITTLE;
   }
   offscreen_target(SIDE, SIDE);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   for (unsigned t = 0; t < TESTS; t++) {
      for (unsigned s = 0; s < STAGES; s++) {
         if (tests[t].derivatives && stages[s].stage != GL_FRAGMENT_SHADER)
            continue;
         all++;
         held += holds(&tests[t], &stages[s]);
      }
   }
   printf("%u of %u\n", held, all);
   error = glGetError();
   if (error) {
      fprintf(stderr, "GL error 0x%x\n", error);
      return 1;
   }
   offscreen_close();
   return held == all ? 0 : 1;
}
