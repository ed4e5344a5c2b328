/* SPDX-License-Identifier: MIT */
/*
 * What pixel shaders read of the framebuffer: gl-fetch.
 *
 * Rectangles that overlap many times over are drawn at once.  The shader makes a new value of the
 * one that is there and of the rectangle's number, such that another order, or a rectangle that is
 * left out, gives another value; every sample of every target is held against what a loop over the
 * rectangles makes of it here.  So are depth and stencil as the shader reads them, and advanced
 * blending against the same rectangles drawn one by one.  A line for each case that fails, then
 * how many held.
 *
 * GL_RENDERER goes to stderr first.  The exit code is 77 where the driver offers too little OpenGL.
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128, RECTS = 150, MAX_TARGETS = 8, MAX_SAMPLES = 8, MAX_LAYERS = 3, TOO_LITTLE = 77 };

enum kind {
   NUMBERS, /* R32UI: three times what was there, and a number */
   BYTES,   /* RGBA8: channels move on by one, a new one comes in */
   FLOATS,  /* RGBA16F: the same */
};

enum how {
   AT_ONCE,
   ONE_BY_ONE, /* a draw for each */
   BARRIERS,   /* and a barrier before it: not coherent */
};

static const struct test {
   const char *name;
   enum kind kind;
   enum how how;
   GLenum texture; /* of the targets */
   unsigned targets, samples, layers;
   GLenum depth; /* format of depth and stencil, which are read, or 0 */
} tests[] = {
   { "once", NUMBERS, AT_ONCE, GL_TEXTURE_2D, 1, 1, 1, 0 },
   { "draws", NUMBERS, ONE_BY_ONE, GL_TEXTURE_2D, 1, 1, 1, 0 },
   { "barriers", NUMBERS, BARRIERS, GL_TEXTURE_2D, 1, 1, 1, 0 },
   { "two-targets", NUMBERS, AT_ONCE, GL_TEXTURE_2D, 2, 1, 1, 0 },
   { "eight-targets", NUMBERS, AT_ONCE, GL_TEXTURE_2D, 8, 1, 1, 0 },
   { "eight-targets-barriers", NUMBERS, BARRIERS, GL_TEXTURE_2D, 8, 1, 1, 0 },
   { "bytes", BYTES, AT_ONCE, GL_TEXTURE_2D, 1, 1, 1, 0 },
   { "floats", FLOATS, AT_ONCE, GL_TEXTURE_2D, 3, 1, 1, 0 },
   { "two-samples", NUMBERS, AT_ONCE, GL_TEXTURE_2D_MULTISAMPLE, 1, 2, 1, 0 },
   { "four-samples", NUMBERS, AT_ONCE, GL_TEXTURE_2D_MULTISAMPLE, 2, 4, 1, 0 },
   { "eight-samples", NUMBERS, AT_ONCE, GL_TEXTURE_2D_MULTISAMPLE, 1, 8, 1, 0 },
   { "four-samples-barriers", NUMBERS, BARRIERS, GL_TEXTURE_2D_MULTISAMPLE, 1, 4, 1, 0 },
   { "slices", NUMBERS, AT_ONCE, GL_TEXTURE_3D, 3, 1, 1, 0 },
   { "layers", NUMBERS, AT_ONCE, GL_TEXTURE_2D_ARRAY, 2, 1, 3, 0 },
   { "depth-16", NUMBERS, AT_ONCE, GL_TEXTURE_2D, 1, 1, 1, GL_DEPTH_COMPONENT16 },
   { "depth-24-stencil", NUMBERS, AT_ONCE, GL_TEXTURE_2D, 1, 1, 1, GL_DEPTH24_STENCIL8 },
   { "depth-32-stencil", NUMBERS, AT_ONCE, GL_TEXTURE_2D, 2, 1, 1, GL_DEPTH32F_STENCIL8 },
   { "depth-barriers", NUMBERS, BARRIERS, GL_TEXTURE_2D, 1, 1, 1, GL_DEPTH24_STENCIL8 },
   { "depth-samples", NUMBERS, AT_ONCE, GL_TEXTURE_2D_MULTISAMPLE, 1, 4, 1, GL_DEPTH24_STENCIL8 },
};

enum { TESTS = sizeof(tests) / sizeof(*tests), DEPTHS = 64 };

/* Corners are 9/32 of a pixel from a pixel's corner: on no sample. */
#define CORNER (9.0f / 32.0f)

static struct rect {
   int x0, y0, x1, y1; /* pixels, less CORNER */
   unsigned depth;     /* in 1/DEPTHS */
} rects[RECTS];

/* A sample of a target, and the depth and stencil that go with it. */
union value {
   uint32_t number;
   float channel[4];
};

static union value expected[MAX_TARGETS][MAX_LAYERS][SIDE * SIDE * MAX_SAMPLES];
static union value found[SIDE * SIDE * MAX_SAMPLES];
static unsigned depths[SIDE * SIDE * MAX_SAMPLES];
static uint8_t stencils[SIDE * SIDE * MAX_SAMPLES];

static void
make_rects(void)
{
   uint32_t noise = 1;
   unsigned r[5];

   for (unsigned i = 0; i < RECTS; i++) {
      for (unsigned n = 0; n < 5; n++) {
         noise = noise * 1664525 + 1013904223;
         r[n] = noise >> 16;
      }
      /* Small ones share waves, large ones fill blocks. */
      const unsigned large = i % 8 == 0 ? 90 : 9;

      rects[i] = (struct rect){ .x0 = (int)(r[0] % 40 + 40), .y0 = (int)(r[1] % 40 + 40) };
      rects[i].x1 = rects[i].x0 + 1 + (int)(r[2] % large);
      rects[i].y1 = rects[i].y0 + 1 + (int)(r[3] % large);
      rects[i].depth = r[4] % DEPTHS;
   }
}

static GLenum
format_of(enum kind kind)
{
   return kind == NUMBERS ? GL_R32UI : kind == BYTES ? GL_RGBA8 : GL_RGBA16F;
}

static bool
has_stencil(const struct test *t)
{
   return t->depth && t->depth != GL_DEPTH_COMPONENT16;
}

/* What a sample becomes. */
static void
blend(const struct test *t, union value *v, unsigned number, unsigned depth, unsigned stencil)
{
   if (t->kind == NUMBERS) {
      v->number = v->number * 3 + number;
      if (t->depth)
         v->number += 7 * depth + 1000 * stencil;
      return;
   }
   for (unsigned c = 0; c < 3; c++)
      v->channel[c] = v->channel[c + 1];
   v->channel[3] = t->kind == BYTES ? (float)(number & 255) / 255.0f : (float)number;
}

static void
expect(const struct test *t, const float (*samples)[2])
{
   for (unsigned k = 0; k < t->targets; k++)
      for (unsigned layer = 0; layer < t->layers; layer++)
         memset(expected[k][layer], 0, SIDE * SIDE * t->samples * sizeof(union value));
   for (unsigned i = 0; i < SIDE * SIDE * MAX_SAMPLES; i++) {
      depths[i] = DEPTHS;
      stencils[i] = 3;
   }
   for (unsigned layer = 0; layer < t->layers; layer++) {
      for (unsigned i = 0; i < RECTS; i++) {
         const struct rect *r = &rects[i];

         for (unsigned p = 0; p < SIDE * SIDE * t->samples; p++) {
            const unsigned pixel = p / t->samples;
            const float x = (float)(pixel % SIDE) + samples[p % t->samples][0] - CORNER;
            const float y = (float)(pixel / SIDE) + samples[p % t->samples][1] - CORNER;

            if (x < (float)r->x0 || x > (float)r->x1 || y < (float)r->y0 || y > (float)r->y1)
               continue;
            const unsigned stencil = has_stencil(t) ? stencils[p] : 0;

            if (t->depth && r->depth > depths[p]) {
               stencils[p] = (uint8_t)~stencils[p];
               continue;
            }
            for (unsigned k = 0; k < t->targets; k++)
               blend(t, &expected[k][layer][p], i + 17 * k + 29 * layer, depths[p], stencil);
            if (t->depth) {
               depths[p] = r->depth;
               stencils[p]++;
            }
         }
      }
   }
}

static unsigned
make_program(const struct test *t)
{
   static const char vertex[] = "#version 430\n"
                                "#extension GL_ARB_shader_viewport_layer_array : enable\n"
                                "in vec3 position;\n"
                                "layout(location = 1) in float which;\n"
                                "uniform bool layers;\n"
                                "flat out uint number;\n"
                                "void main() {\n"
                                "   gl_Position = vec4(position, 1);\n"
                                "   number = uint(which);\n"
                                "   gl_Layer = 0;\n"
                                "   if (layers) {\n"
                                "      gl_Layer = gl_InstanceID;\n"
                                "      number += 29u * uint(gl_InstanceID); } }\n";
   const bool barriers = t->how == BARRIERS;
   char fragment[4096];
   int n = snprintf(
      fragment, sizeof(fragment),
      "#version 430\n"
      "#extension GL_EXT_shader_framebuffer_fetch%s : require\n"
      "%sflat in uint number;\n",
      barriers ? "_non_coherent" : "",
      t->depth ? "#extension GL_ARM_shader_framebuffer_fetch_depth_stencil : require\n" : "");

   for (unsigned k = 0; k < t->targets; k++)
      n += snprintf(fragment + n, sizeof(fragment) - (size_t)n,
                    "layout(location = %u%s) inout %s to%u;\n", k, barriers ? ", noncoherent" : "",
                    t->kind == NUMBERS ? "uvec4" : "vec4", k);
   n += snprintf(fragment + n, sizeof(fragment) - (size_t)n, "void main() {\n   uint more = 0u;\n");
   if (t->depth)
      n += snprintf(fragment + n, sizeof(fragment) - (size_t)n,
                    "   more += 7u * uint(gl_LastFragDepthARM * %d.0 + 0.5);\n", DEPTHS);
   if (has_stencil(t))
      n += snprintf(fragment + n, sizeof(fragment) - (size_t)n,
                    "   more += 1000u * uint(gl_LastFragStencilARM);\n");
   for (unsigned k = 0; k < t->targets; k++) {
      static const char *const code[] = {
         [NUMBERS] = "   to%u.x = to%u.x * 3u + number + %uu + more;\n",
         [BYTES] = "   to%u = vec4(to%u.yzw, float((number + %uu) & 255u) / 255.0);\n",
         [FLOATS] = "   to%u = vec4(to%u.yzw, float(number + %uu));\n",
      };

      n += snprintf(fragment + n, sizeof(fragment) - (size_t)n, code[t->kind], k, k, 17 * k);
   }
   snprintf(fragment + n, sizeof(fragment) - (size_t)n, "}\n");
   return offscreen_program(vertex, fragment);
}

static void
make_texture(const struct test *t, unsigned texture, GLenum format)
{
   glBindTexture(t->texture, texture);
   if (t->texture == GL_TEXTURE_2D_MULTISAMPLE)
      glTexStorage2DMultisample(t->texture, (int)t->samples, format, SIDE, SIDE, GL_TRUE);
   else if (t->texture == GL_TEXTURE_2D)
      glTexStorage2D(t->texture, 1, format, SIDE, SIDE);
   else
      glTexStorage3D(t->texture, 1, format, SIDE, SIDE, MAX_LAYERS);
}

/* Two triangles for each rectangle, on the screen as it is counted in pixels. */
static unsigned
make_vertices(void)
{
   static float data[RECTS][6][4];
   unsigned buffer;

   for (unsigned i = 0; i < RECTS; i++) {
      for (unsigned v = 0; v < 6; v++) {
         static const uint8_t right[6] = { 0, 1, 1, 0, 1, 0 }, up[6] = { 0, 0, 1, 0, 1, 1 };
         const int x = right[v] ? rects[i].x1 : rects[i].x0;
         const int y = up[v] ? rects[i].y1 : rects[i].y0;

         data[i][v][0] = ((float)x + CORNER) / (SIDE / 2) - 1.0f;
         data[i][v][1] = ((float)y + CORNER) / (SIDE / 2) - 1.0f;
         data[i][v][2] = (float)rects[i].depth / (DEPTHS / 2) - 1.0f;
         data[i][v][3] = (float)i;
      }
   }
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(data), data, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 16, NULL);
   glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 16, (const void *)12);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
   return buffer;
}

static void
draw(enum how how, unsigned instances)
{
   void (*barrier)(void) = (void (*)(void))eglGetProcAddress("glFramebufferFetchBarrierEXT");

   if (how == AT_ONCE) {
      glDrawArraysInstanced(GL_TRIANGLES, 0, RECTS * 6, (int)instances);
      return;
   }
   for (int i = 0; i < RECTS; i++) {
      if (how == BARRIERS && barrier)
         barrier();
      glDrawArraysInstanced(GL_TRIANGLES, 6 * i, 6, (int)instances);
   }
}

/* Every sample of a layer of the texture. */
static void
read_samples(const struct test *t, unsigned texture, unsigned layer)
{
   static union value all[MAX_LAYERS][SIDE * SIDE];
   const bool numbers = t->kind == NUMBERS;

   glBindTexture(t->texture, texture);
   if (t->texture != GL_TEXTURE_2D_MULTISAMPLE) {
      uint32_t *words = malloc(sizeof(uint32_t) * MAX_LAYERS * SIDE * SIDE);

      if (numbers) {
         glGetTexImage(t->texture, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, words);
         for (unsigned i = 0; i < MAX_LAYERS * SIDE * SIDE; i++)
            all[i / (SIDE * SIDE)][i % (SIDE * SIDE)].number = words[i];
      } else {
         glGetTexImage(t->texture, 0, GL_RGBA, GL_FLOAT, all);
      }
      free(words);
      memcpy(found, all[t->texture == GL_TEXTURE_2D ? 0 : layer], sizeof(all[0]));
      return;
   }

   static const char source[] =
      "#version 430\n"
      "layout(local_size_x = 1) in;\n"
      "layout(binding = 0) uniform usampler2DMS image;\n"
      "layout(std430, binding = 0) buffer numbers { uint number[]; };\n"
      "uniform int samples;\n"
      "void main() {\n"
      "   ivec3 p = ivec3(gl_WorkGroupID);\n"
      "   number[(p.y * 128 + p.x) * samples + p.z] = texelFetch(image, p.xy, p.z).x; }\n";
   const struct offscreen_shader shader = { GL_COMPUTE_SHADER, source };
   const unsigned count = SIDE * SIDE * t->samples;
   unsigned program = glCreateProgram(), buffer;
   uint32_t *words = malloc(count * sizeof(*words));

   offscreen_attach(program, &shader, 1);
   offscreen_link(program);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, count * 4, NULL, GL_STATIC_READ);
   glUseProgram(program);
   glUniform1i(glGetUniformLocation(program, "samples"), (int)t->samples);
   glDispatchCompute(SIDE, SIDE, t->samples);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, count * 4, words);
   for (unsigned i = 0; i < count; i++)
      found[i].number = words[i];
   free(words);
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteBuffers(1, &buffer);
}

/* Floats of bytes may have come about by a division or a product. */
static bool
equal(enum kind kind, const union value *a, const union value *b)
{
   for (unsigned c = 0; c < 4 && kind != NUMBERS; c++)
      if (!(fabsf(a->channel[c] - b->channel[c]) <= (kind == BYTES ? 1.0f / 1024.0f : 0.0f)))
         return false;
   return kind != NUMBERS || a->number == b->number;
}

static bool
same(const struct test *t, unsigned texture, unsigned target, unsigned layer, unsigned slice)
{
   const union value *want = expected[target][layer];

   read_samples(t, texture, slice);
   for (unsigned i = 0; i < SIDE * SIDE * t->samples; i++) {
      if (equal(t->kind, &found[i], &want[i]))
         continue;
      printf("%s: target %u, layer %u, pixel %u,%u, sample %u: %x, not %x\n", t->name, target,
             layer, i / t->samples % SIDE, i / t->samples / SIDE, i % t->samples, found[i].number,
             want[i].number);
      return false;
   }
   return true;
}

static void
set_depth(const struct test *t, unsigned texture)
{
   make_texture(t, texture, t->depth);
   glFramebufferTexture(GL_FRAMEBUFFER,
                        has_stencil(t) ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT, texture,
                        0);
   glClearDepth(1.0);
   glClearStencil(3);
   glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_LEQUAL);
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(GL_ALWAYS, 0, 255);
   glStencilOp(GL_KEEP, GL_INVERT, GL_INCR_WRAP);
}

static bool
held(const struct test *t)
{
   static const float centre[1][2] = { { 0.5f, 0.5f } };
   float places[MAX_SAMPLES][2];
   unsigned textures[MAX_TARGETS + 1], framebuffer, program = make_program(t), buffer;
   GLenum buffers[MAX_TARGETS];
   bool good = true;

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glGenTextures(MAX_TARGETS + 1, textures);
   for (unsigned k = 0; k < t->targets; k++) {
      buffers[k] = GL_COLOR_ATTACHMENT0 + k;
      make_texture(t, textures[k], format_of(t->kind));
      if (t->texture == GL_TEXTURE_3D)
         glFramebufferTextureLayer(GL_FRAMEBUFFER, buffers[k], textures[k], 0, (int)(2 - k));
      else
         glFramebufferTexture(GL_FRAMEBUFFER, buffers[k], textures[k], 0);
   }
   glDrawBuffers((int)t->targets, buffers);
   for (unsigned k = 0; k < t->targets; k++) {
      static const uint32_t zero[4];

      if (t->kind == NUMBERS)
         glClearBufferuiv(GL_COLOR, (int)k, zero);
      else
         glClearBufferfv(GL_COLOR, (int)k, (const float *)zero);
   }
   if (t->depth)
      set_depth(t, textures[MAX_TARGETS]);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
      printf("%s: no such framebuffer\n", t->name);
      good = false;
   }
   for (unsigned s = 0; s < t->samples && t->samples > 1; s++)
      glGetMultisamplefv(GL_SAMPLE_POSITION, s, places[s]);
   expect(t, (const float(*)[2])(t->samples > 1 ? places : centre));

   glViewport(0, 0, SIDE, SIDE);
   glUseProgram(program);
   glUniform1i(glGetUniformLocation(program, "layers"), t->layers > 1);
   buffer = make_vertices();
   draw(t->how, t->layers);
   glUseProgram(0);
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_STENCIL_TEST);
   for (unsigned k = 0; k < t->targets && good; k++)
      for (unsigned layer = 0; layer < t->layers && good; layer++)
         good = same(t, textures[k], k, layer, t->texture == GL_TEXTURE_3D ? 2 - k : layer);
   glDeleteBuffers(1, &buffer);
   glDeleteTextures(MAX_TARGETS + 1, textures);
   glDeleteFramebuffers(1, &framebuffer);
   glDeleteProgram(program);
   return good;
}

/* Advanced equations: all at once, coherently, as one by one. */
static bool
held_equation(GLenum equation)
{
   static const char vertex[] = "#version 430\n"
                                "in vec3 position;\n"
                                "layout(location = 1) in float which;\n"
                                "flat out uint number;\n"
                                "void main() {\n"
                                "   gl_Position = vec4(position, 1);\n"
                                "   number = uint(which); }\n";
   static const char fragment[] = "#version 430\n"
                                  "#extension GL_KHR_blend_equation_advanced : require\n"
                                  "layout(blend_support_all_equations) out;\n"
                                  "flat in uint number;\n"
                                  "layout(location = 0) out vec4 to;\n"
                                  "void main() {\n"
                                  "   to = vec4(number * 37u & 255u, number * 91u & 255u, number * "
                                  "13u & 255u, 100) / 255.0; }\n";
   static uint8_t pictures[2][SIDE * SIDE * 4];
   unsigned framebuffer = offscreen_target(SIDE, SIDE);
   unsigned program = offscreen_program(vertex, fragment), buffer = make_vertices();
   void (*barrier)(void) = (void (*)(void))eglGetProcAddress("glBlendBarrierKHR");

   glUseProgram(program);
   glEnable(GL_BLEND);
   glBlendEquation(equation);
   for (unsigned one = 0; one < 2; one++) {
      glClearColor(0.2f, 0.7f, 0.5f, 0.9f);
      glClear(GL_COLOR_BUFFER_BIT);
      if (one) {
         glDisable(GL_BLEND_ADVANCED_COHERENT_KHR);
         for (int i = 0; i < RECTS; i++) {
            if (barrier)
               barrier();
            glDrawArrays(GL_TRIANGLES, 6 * i, 6);
         }
      } else {
         glEnable(GL_BLEND_ADVANCED_COHERENT_KHR);
         draw(AT_ONCE, 1);
      }
      glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pictures[one]);
   }
   glDisable(GL_BLEND);
   glBlendEquation(GL_FUNC_ADD);
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteBuffers(1, &buffer);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &framebuffer);
   if (!memcmp(pictures[0], pictures[1], sizeof(pictures[0])))
      return true;
   printf("equation-%x: other pixels than one by one\n", equation);
   return false;
}

static bool
offered(const char *name)
{
   int count = 0;

   glGetIntegerv(GL_NUM_EXTENSIONS, &count);
   for (int i = 0; i < count; i++)
      if (!strcmp((const char *)glGetStringi(GL_EXTENSIONS, (unsigned)i), name))
         return true;
   return false;
}

int
main(void)
{
   static const GLenum equations[] = { GL_MULTIPLY_KHR, GL_OVERLAY_KHR, GL_HSL_COLOR_KHR };
   static const char *const wanted[] = {
      "GL_EXT_shader_framebuffer_fetch",
      "GL_EXT_shader_framebuffer_fetch_non_coherent",
      "GL_ARM_shader_framebuffer_fetch_depth_stencil",
      "GL_KHR_blend_equation_advanced_coherent",
      "GL_ARB_shader_viewport_layer_array",
   };
   unsigned good = 0, all = 0, error;
   int most = 0;

   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   for (unsigned i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
      if (offscreen_version() < 43 || !offered(wanted[i])) {
         fprintf(stderr, "%s is needed\n", wanted[i]);
         return TOO_LITTLE;
      }
   }
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glGetIntegerv(GL_MAX_INTEGER_SAMPLES, &most);
   make_rects();
   for (unsigned i = 0; i < TESTS; i++) {
      if ((int)tests[i].samples > most)
         continue;
      all++;
      good += held(&tests[i]);
   }
   for (unsigned i = 0; i < sizeof(equations) / sizeof(*equations); i++) {
      all++;
      good += held_equation(equations[i]);
   }
   printf("%u of %u\n", good, all);
   error = glGetError();
   if (error) {
      fprintf(stderr, "GL error 0x%x\n", error);
      return 1;
   }
   offscreen_close();
   return good == all ? 0 : 1;
}
