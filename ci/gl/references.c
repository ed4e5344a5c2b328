/* SPDX-License-Identifier: MIT */
/*
 * What depth is compared with: gl-references.
 *
 * A reference that is compared with fixed-point depth is limited to 0 to 1 first, one that is
 * compared with floats is not (OpenGL 4.6, 8.23.1).  Textures of 32 bits, of floats and of 24 bits
 * hold 1 and are compared with 1.5, hold 0 and are compared with -0.5, and hold 0.5 between two
 * references.  All stages of all pipelines look them up in every way that GLSL has, one by one and
 * in an array by a number that the program gets; views of a texture in another sampler's slot
 * change from draw to draw.  A line for each lookup that is another, then how many held.
 * GL_RENDERER goes to stderr first.
 */
#include "pipelines.h"

#include <stdio.h>
#include <string.h>

enum { FIXED, FLOATS, FIXED24, FORMATS };

static const GLenum formats[FORMATS] = { GL_DEPTH_COMPONENT32, GL_DEPTH_COMPONENT32F,
                                         GL_DEPTH_COMPONENT24 };

/* The slots: three textures in an array, then layers, a cube and a rectangle of one format. */
enum { LAYERS = FORMATS, CUBE, RECT, SLOTS };

/* Lookups by number, and the slot that each is of. */
static const char lookups[] =
   "uniform sampler2DShadow maps[3];\n"
   "uniform sampler2DArrayShadow layers;\n"
   "uniform samplerCubeShadow cube;\n"
   "uniform sampler2DRectShadow rect;\n"
   "uniform int which;\n"
   "uniform float ref;\n"
   "layout(std430, binding = 0) buffer Result { float result[]; };\n"
   "float look(int i) {\n"
   "   vec3 p = vec3(0.5, 0.5, ref);\n"
   "   ivec2 far = ivec2(which, i - 6);\n"
   "   switch (i) {\n"
   "   case 0: return texture(maps[0], p);\n"
   "   case 1: return textureLod(maps[0], p, 0.0);\n"
   "   case 2: return textureGrad(maps[0], p, vec2(0), vec2(0));\n"
   "   case 3: return textureProj(maps[0], vec4(1, 1, ref * 2.0, 2));\n"
   "   case 4: return textureOffset(maps[0], p, ivec2(1, -1));\n"
   "   case 5: return textureGather(maps[0], p.xy, ref).y;\n"
   "   case 6: return textureGatherOffset(maps[0], p.xy, ref, far).w;\n"
   "   case 7: return texture(maps[which], p);\n"
   "   case 8: return textureGather(maps[which], p.xy, ref).z;\n"
   "   case 9: return texture(layers, vec4(0.5, 0.5, 0, ref));\n"
   "   case 10: return texture(cube, vec4(1, 0.1, 0.2, ref));\n"
   "   case 11: return texture(maps[1], p);\n"
   "   case 12: return texture(maps[2], p);\n"
   "   case 13: return textureProjLod(maps[0], vec4(-1, -1, ref * -2.0, -2), 0.0);\n"
   "   case 14: return BIASED;\n"
   "   default: return texture(rect, vec3(1.5, 1.5, ref));\n"
   "   }\n"
   "}\n";

static const int slot_of_lookup[N] = {
   FIXED, FIXED,  FIXED, FIXED,  FIXED,   FIXED, FIXED, -1,
   -1,    LAYERS, CUBE,  FLOATS, FIXED24, FIXED, FIXED, RECT,
};

/* What is in all textures, what it is compared with, how, and what comes out of fixed-point depth
 * and of floats. */
static const struct comparison {
   float depth, reference;
   GLenum how;
   float fixed, floats;
} comparisons[] = {
   { 1, 1.5f, GL_LEQUAL, 1, 0 },    { 1, 1.5f, GL_GREATER, 0, 1 },
   { 1, 1.5f, GL_EQUAL, 1, 0 },     { 0, -0.5f, GL_GEQUAL, 1, 0 },
   { 0, -0.5f, GL_NOTEQUAL, 0, 1 }, { 0.5f, 0.25f, GL_LESS, 1, 1 },
   { 0.5f, 0.75f, GL_LESS, 0, 0 },  { 0.5f, 0.75f, GL_GREATER, 1, 1 },
};

static unsigned cases, held, framebuffer;
static unsigned textures[FORMATS][4]; /* a map, layers, a cube, a rectangle */
static const GLenum targets[4] = { GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP,
                                   GL_TEXTURE_RECTANGLE };

static void
make_textures(void)
{
   for (unsigned f = 0; f < FORMATS; f++) {
      glGenTextures(4, textures[f]);
      for (unsigned n = 0; n < 4; n++) {
         glBindTexture(targets[n], textures[f][n]);
         if (n == 1)
            glTexStorage3D(targets[n], 1, formats[f], 4, 4, 2);
         else
            glTexStorage2D(targets[n], 1, formats[f], 4, 4);
         glTexParameteri(targets[n], GL_TEXTURE_MIN_FILTER, GL_NEAREST);
         glTexParameteri(targets[n], GL_TEXTURE_MAG_FILTER, GL_NEAREST);
         glTexParameteri(targets[n], GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
      }
   }
   glGenFramebuffers(1, &framebuffer);
}

static void
fill(const struct comparison *c)
{
   int drawn;

   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawn);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glDrawBuffer(GL_NONE);
   glClearDepth(c->depth);
   for (unsigned f = 0; f < FORMATS; f++) {
      for (unsigned n = 0; n < 4; n++) {
         glFramebufferTexture(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, textures[f][n], 0);
         glClear(GL_DEPTH_BUFFER_BIT);
         glBindTexture(targets[n], textures[f][n]);
         glTexParameteri(targets[n], GL_TEXTURE_COMPARE_FUNC, (int)c->how);
      }
   }
   glBindFramebuffer(GL_FRAMEBUFFER, (unsigned)drawn);
}

/* Maps in the array from `first` on, the other textures of format `other`. */
static void
bind(unsigned first, unsigned other)
{
   for (unsigned s = 0; s < SLOTS; s++) {
      const unsigned n = s < FORMATS ? 0 : s - FORMATS + 1;
      glActiveTexture(GL_TEXTURE0 + s);
      glBindTexture(targets[n], textures[s < FORMATS ? (first + s) % FORMATS : other][n]);
   }
   glActiveTexture(GL_TEXTURE0 + SLOTS);
}

static void
use(unsigned program, unsigned which, const struct comparison *c)
{
   static const int maps[FORMATS] = { 0, 1, 2 };

   glUseProgram(program);
   glUniform1iv(glGetUniformLocation(program, "maps[0]"), FORMATS, maps);
   glUniform1i(glGetUniformLocation(program, "layers"), LAYERS);
   glUniform1i(glGetUniformLocation(program, "cube"), CUBE);
   glUniform1i(glGetUniformLocation(program, "rect"), RECT);
   glUniform1i(glGetUniformLocation(program, "which"), (int)which);
   glUniform1f(glGetUniformLocation(program, "ref"), c->reference);
}

static unsigned
make_program(unsigned pipeline, int stage)
{
   static char sources[STAGES][8192];
   struct offscreen_shader shaders[STAGES];
   const unsigned program = glCreateProgram();
   unsigned count = 0;

   for (int s = 0; s < STAGES; s++) {
      if (!(pipeline & BIT(s)))
         continue;
      snprintf(sources[s], sizeof(sources[s]), "#version 430\n#define BIASED %s\n%s\n%s\n%s",
               s == FS ? "texture(maps[0], p, 0.0)"
                       : "textureGradOffset(maps[0], p, vec2(0), "
                         "vec2(0), ivec2(-2, 1))",
               s == stage ? lookups : "",
               s == stage ? "void touch(int i) { result[i] = look(i); }" : "void touch(int i) {}",
               pipeline_bodies[s].source);
      shaders[count++] = (struct offscreen_shader){ pipeline_bodies[s].type, sources[s] };
   }
   offscreen_attach(program, shaders, count);
   offscreen_link(program);
   return program;
}

static void
check(unsigned pipeline, int stage, unsigned program, const struct comparison *c)
{
   /* Twice the same formats, then each moves to another slot. */
   for (unsigned n = 0; n < 5; n++) {
      const unsigned which = n % FORMATS, first = n / FORMATS, other = (n + 1) % FORMATS;
      float result[N];

      memset(result, 0x55, sizeof(result));
      glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(result), result);
      bind(first, other);
      use(program, which, c);
      pipeline_run(pipeline, false, 1);
      glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(result), result);
      for (unsigned i = 0; i < N; i++) {
         const int slot = slot_of_lookup[i] < 0 ? (int)which : slot_of_lookup[i];
         const unsigned format = slot < FORMATS ? (first + (unsigned)slot) % FORMATS : other;
         const float want = format == FLOATS ? c->floats : c->fixed;

         cases++;
         held += result[i] == want;
         if (result[i] != want)
            printf("%s of pipeline %x, lookup %u, format %u, %g against %g: %g, not %g\n",
                   pipeline_stage_names[stage], pipeline, i, format, (double)c->reference,
                   (double)c->depth, (double)result[i], (double)want);
      }
   }
}

int
main(void)
{
   unsigned buffer;

   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   pipeline_start();
   make_textures();
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, N * sizeof(float), NULL, GL_DYNAMIC_COPY);
   unsigned programs[PIPELINES][STAGES] = { { 0 } };
   for (unsigned p = 0; p < PIPELINES; p++)
      for (int s = 0; s < STAGES; s++)
         if (pipelines[p] & BIT(s))
            programs[p][s] = make_program(pipelines[p], s);
   for (unsigned n = 0; n < sizeof(comparisons) / sizeof(*comparisons); n++) {
      fill(&comparisons[n]);
      for (unsigned p = 0; p < PIPELINES; p++)
         for (int s = 0; s < STAGES; s++)
            if (pipelines[p] & BIT(s))
               check(pipelines[p], s, programs[p][s], &comparisons[n]);
   }
   if (glGetError() != GL_NO_ERROR)
      printf("an error\n");
   else
      held++;
   cases++;
   offscreen_close();
   printf("%u of %u\n", held, cases);
   return held != cases;
}
