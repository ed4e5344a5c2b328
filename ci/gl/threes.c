/* SPDX-License-Identifier: MIT */
/*
 * Textures of three dwords a texel, which no power of two is the size of: gl-threes.  Exit code 0,
 * and the number of cases, if each of them holds what was written by the program, by draws, copies
 * and resolves; otherwise the reason is on stderr.
 *
 * Their sizes are odd, so that no row ends where memory does but the last; what is compared are the
 * bits.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 75, HEIGHT = 33, LAYERS = 3, TEXELS = WIDTH * HEIGHT };

static unsigned cases;

static const char vertex_source[] = "#version 430\n"
                                    "layout(location = 0) in vec2 corner;\n"
                                    "void main() { gl_Position = vec4(corner, 0.0, 1.0); }\n";

/* What lies at a pixel, by its bits. */
static const char fetch_floats[] =
   "#version 430\n"
   "uniform sampler2D image; uniform int level; out uvec4 bits;\n"
   "void main() { bits = floatBitsToUint(texelFetch(image, ivec2(gl_FragCoord.xy), level)); }\n";
static const char fetch_integers[] =
   "#version 430\n"
   "uniform usampler2D image; uniform int level; out uvec4 bits;\n"
   "void main() { bits = texelFetch(image, ivec2(gl_FragCoord.xy), level); }\n";
static const char filter_floats[] =
   "#version 430\n"
   "uniform sampler2D image; uniform int level; out uvec4 bits;\n"
   "void main() { vec2 at = gl_FragCoord.xy / vec2(textureSize(image, 0));\n"
   "              bits = floatBitsToUint(textureLod(image, at, float(level))); }\n";

static const char draw_pattern[] = "#version 430\n"
                                   "uniform float more; out vec4 colour;\n"
                                   "void main() { colour = vec4(gl_FragCoord.xy, more, 0.5); }\n";

static void
fail(const char *what)
{
   fprintf(stderr, "%s\n", what);
   exit(1);
}

static float
pattern(int x, int y, int z, int channel)
{
   return (float)(x * 4 + y * 1000 + z * 64000 + channel) * 0.25f - 3000.0f;
}

static void
fill(float (*texels)[3], int layers)
{
   for (int i = 0; i < TEXELS * layers; i++)
      for (int c = 0; c < 3; c++)
         texels[i][c] = pattern(i % WIDTH, i / WIDTH % HEIGHT, i / TEXELS, c);
}

static unsigned
texture(GLenum target, GLenum format, int levels, int width, int height)
{
   unsigned name;

   glGenTextures(1, &name);
   glBindTexture(target, name);
   if (target == GL_TEXTURE_2D)
      glTexStorage2D(target, levels, format, width, height);
   else
      glTexStorage3D(target, levels, format, width, height, LAYERS);
   glTexParameteri(target, GL_TEXTURE_MIN_FILTER,
                   levels > 1 ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST);
   glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   return name;
}

static unsigned
framebuffer(unsigned attached)
{
   unsigned name;

   glGenFramebuffers(1, &name);
   glBindFramebuffer(GL_FRAMEBUFFER, name);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, attached, 0);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("a framebuffer is incomplete");
   glViewport(0, 0, WIDTH, HEIGHT);
   return name;
}

static void
draw(unsigned program)
{
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };

   glUseProgram(program);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void
same(const char *what, const void *is, const void *want, size_t bytes)
{
   if (memcmp(is, want, bytes) != 0)
      fail(what);
   cases++;
}

/* The texture that is bound, by a program that reads it, and by the driver. */
static void
check(const char *what, const char *fragment, uint32_t one, const float (*want)[3])
{
   static uint32_t bits[TEXELS][4];
   static float texels[TEXELS][3];
   unsigned results, target;
   int bound;

   glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
   results = texture(GL_TEXTURE_2D, GL_RGBA32UI, 1, WIDTH, HEIGHT);
   target = framebuffer(results);
   glBindTexture(GL_TEXTURE_2D, (unsigned)bound);
   draw(offscreen_program(vertex_source, fragment));
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA_INTEGER, GL_UNSIGNED_INT, bits);
   for (int i = 0; i < TEXELS; i++)
      if (memcmp(bits[i], want[i], sizeof(want[i])) != 0 || bits[i][3] != one)
         fail(what);
   glGetTexImage(GL_TEXTURE_2D, 0, one == 1 ? GL_RGB_INTEGER : GL_RGB,
                 one == 1 ? GL_UNSIGNED_INT : GL_FLOAT, texels);
   same(what, texels, want, sizeof(texels));
   glDeleteFramebuffers(1, &target);
   glDeleteTextures(1, &results);
}

static void
check_uploads(float (*texels)[3])
{
   static float part[20 * 10][3];
   const uint32_t one = 0x3f800000;

   const unsigned results = texture(GL_TEXTURE_2D, GL_RGBA32UI, 1, WIDTH, HEIGHT);

   texture(GL_TEXTURE_2D, GL_RGB32F, 1, WIDTH, HEIGHT);
   for (int turn = 0; turn < 4; turn++) {
      for (int c = 0; c < 3; c++)
         texels[turn][c] += 1.0f;
      glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, GL_RGB, GL_FLOAT, texels);
      check("an upload", turn & 1 ? filter_floats : fetch_floats, one, (const float(*)[3])texels);
   }
   /* A part, while the device reads the rest. */
   framebuffer(results);
   draw(offscreen_program(vertex_source, fetch_floats));
   for (int i = 0; i < 20 * 10; i++)
      for (int c = 0; c < 3; c++)
         part[i][c] = texels[(7 + i / 20) * WIDTH + 50 + i % 20][c] = (float)(i * 3 + c);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 50, 7, 20, 10, GL_RGB, GL_FLOAT, part);
   check("an upload of a part", fetch_floats, one, (const float(*)[3])texels);
}

static void
check_array(void)
{
   static float texels[LAYERS * TEXELS][3], got[LAYERS * TEXELS][3];
   static const GLenum targets[] = { GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D };

   fill(texels, LAYERS);
   for (int i = 0; i < 2; i++) {
      texture(targets[i], GL_RGB32F, 1, WIDTH, HEIGHT);
      glTexSubImage3D(targets[i], 0, 0, 0, 0, WIDTH, HEIGHT, LAYERS, GL_RGB, GL_FLOAT, texels);
      glGetTexImage(targets[i], 0, GL_RGB, GL_FLOAT, got);
      same("layers", got, texels, sizeof(texels));
   }
}

/* Copies and views of the same bits as integers. */
static void
check_integers(const float (*texels)[3])
{
   unsigned view, from, to;

   from = texture(GL_TEXTURE_2D, GL_RGB32F, 1, WIDTH, HEIGHT);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, GL_RGB, GL_FLOAT, texels);
   glGenTextures(1, &view);
   glTextureView(view, GL_TEXTURE_2D, from, GL_RGB32UI, 0, 1, 0, 1);
   glBindTexture(GL_TEXTURE_2D, view);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   check("a view", fetch_integers, 1, texels);
   to = texture(GL_TEXTURE_2D, GL_RGB32UI, 1, WIDTH, HEIGHT);
   glCopyImageSubData(from, GL_TEXTURE_2D, 0, 0, 0, 0, to, GL_TEXTURE_2D, 0, 0, 0, 0, WIDTH, HEIGHT,
                      1);
   check("a copy", fetch_integers, 1, texels);
}

/* Clears, draws with and without blending, resolves, and levels that the driver makes. */
static void
check_targets(void)
{
   static float want[TEXELS][3], got[64 * 64][3];
   const uint32_t one = 0x3f800000;
   unsigned program = offscreen_program(vertex_source, draw_pattern), target, samples, many, drawn;

   drawn = texture(GL_TEXTURE_2D, GL_RGB32F, 1, WIDTH, HEIGHT);
   target = framebuffer(drawn);
   glClearColor(1.0f, 2.0f, 3.0f, 4.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   for (int i = 0; i < TEXELS; i++)
      for (int c = 0; c < 3; c++)
         want[i][c] = (float)(c + 1);
   check("a clear", fetch_floats, one, (const float(*)[3])want);
   for (int blended = 0; blended < 2; blended++) {
      glBindFramebuffer(GL_FRAMEBUFFER, target);
      /* The target's alpha is 1. */
      glBlendFunc(GL_ONE, GL_DST_ALPHA);
      (blended ? glEnable : glDisable)(GL_BLEND);
      glUseProgram(program);
      glUniform1f(glGetUniformLocation(program, "more"), 7.0f);
      draw(program);
      glDisable(GL_BLEND);
      for (int i = 0; i < TEXELS; i++) {
         const float pixel[3] = { (float)(i % WIDTH) + 0.5f, (float)(i / WIDTH) + 0.5f, 7.0f };
         for (int c = 0; c < 3; c++)
            want[i][c] = blended ? want[i][c] + pixel[c] : pixel[c];
      }
      check("a draw", fetch_floats, one, (const float(*)[3])want);
   }

   glGenRenderbuffers(1, &samples);
   glBindRenderbuffer(GL_RENDERBUFFER, samples);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGB32F, WIDTH, HEIGHT);
   glGenFramebuffers(1, &many);
   glBindFramebuffer(GL_FRAMEBUFFER, many);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, samples);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("a framebuffer of samples is incomplete");
   draw(program);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, many);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
   glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   for (int i = 0; i < TEXELS; i++) {
      want[i][0] = (float)(i % WIDTH) + 0.5f;
      want[i][1] = (float)(i / WIDTH) + 0.5f;
      want[i][2] = 7.0f;
   }
   check("a resolve", fetch_floats, one, (const float(*)[3])want);

   texture(GL_TEXTURE_2D, GL_RGB32F, 7, 64, 64);
   for (int i = 0; i < 64 * 64; i++)
      for (int c = 0; c < 3; c++)
         got[i][c] = (float)(i % 2 * 2 + c);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 64, 64, GL_RGB, GL_FLOAT, got);
   glGenerateMipmap(GL_TEXTURE_2D);
   for (int level = 1; level < 7; level++) {
      const float mean[3] = { 1.0f, 2.0f, 3.0f };
      glGetTexImage(GL_TEXTURE_2D, level, GL_RGB, GL_FLOAT, got);
      same("a level", got[(64 >> level) * (64 >> level) - 1], mean, sizeof(mean));
   }
}

int
main(void)
{
   static float texels[TEXELS][3];

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   fill(texels, 1);
   check_uploads(texels);
   check_integers((const float(*)[3])texels);
   check_array();
   check_targets();
   if (glGetError() != GL_NO_ERROR)
      fail("an error");
   offscreen_close();
   printf("%u\n", cases);
   return 0;
}
