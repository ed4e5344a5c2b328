/* SPDX-License-Identifier: MIT */
/*
 * Clears of OpenGL ES 3 alone, read back: gl-clears.
 *
 * Targets of each format and several sizes are cleared to a value that the format has exactly, and
 * every pixel must be that.  A line for each case that fails, then how many held.  Nothing is
 * drawn, so that a device can do it which draws nothing yet.
 *
 * GL_RENDERER goes to stderr first.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>

enum kind { UNORM, UINT, SINT, FLOAT };

static const struct format {
   const char *name;
   GLenum format;
   enum kind kind;
   unsigned components;
} formats[] = {
   { "rgba8", GL_RGBA8, UNORM, 4 },
   { "rgb8", GL_RGB8, UNORM, 3 },
   { "r8", GL_R8, UNORM, 1 },
   { "rg8", GL_RG8, UNORM, 2 },
   { "rgb565", GL_RGB565, UNORM, 3 },
   { "rgba4", GL_RGBA4, UNORM, 4 },
   { "rgb5a1", GL_RGB5_A1, UNORM, 4 },
   { "rgb10a2", GL_RGB10_A2, UNORM, 4 },
   { "srgb8a8", GL_SRGB8_ALPHA8, UNORM, 4 },
   { "rgba8ui", GL_RGBA8UI, UINT, 4 },
   { "rgba16ui", GL_RGBA16UI, UINT, 4 },
   { "rgba32ui", GL_RGBA32UI, UINT, 4 },
   { "r32ui", GL_R32UI, UINT, 1 },
   { "rgba32i", GL_RGBA32I, SINT, 4 },
   { "rgba16f", GL_RGBA16F, FLOAT, 4 },
   { "rgba32f", GL_RGBA32F, FLOAT, 4 },
   { "r11g11b10f", GL_R11F_G11F_B10F, FLOAT, 3 },
};
enum { FORMATS = sizeof(formats) / sizeof(*formats) };

static const int sizes[][2] = { { 1, 1 }, { 17, 5 }, { 300, 200 }, { 1024, 768 } };
enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

static const float unorm[4] = { 1, 0, 1, 1 }, number[4] = { 0.5f, 2, 4, 1 };
static const GLuint natural[4] = { 1, 2, 200, 4 };
static const GLint integer[4] = { -1, 2, -300, 4 };

union pixel {
   float f[4];
   GLuint u[4];
   GLint i[4];
};

static void
clear(const struct format *f)
{
   if (f->kind == UINT)
      glClearBufferuiv(GL_COLOR, 0, natural);
   else if (f->kind == SINT)
      glClearBufferiv(GL_COLOR, 0, integer);
   else
      glClearBufferfv(GL_COLOR, 0, f->kind == UNORM ? unorm : number);
}

/* Of the components that the format has. */
static bool
is_right(const struct format *f, const union pixel *p)
{
   for (unsigned c = 0; c < f->components; c++)
      if (f->kind == UINT   ? p->u[c] != natural[c]
          : f->kind == SINT ? p->i[c] != integer[c]
                            : p->f[c] != (f->kind == UNORM ? unorm : number)[c])
         return false;
   return true;
}

/* The pixels of the bound framebuffer, as floats or as integers; `bytes` is room for them as
 * bytes. */
static void
read_pixels(const struct format *f, int width, int height, union pixel *pixels, uint8_t (*bytes)[4])
{
   if (f->kind == UINT)
      glReadPixels(0, 0, width, height, GL_RGBA_INTEGER, GL_UNSIGNED_INT, pixels);
   else if (f->kind == SINT)
      glReadPixels(0, 0, width, height, GL_RGBA_INTEGER, GL_INT, pixels);
   else if (f->kind == FLOAT)
      glReadPixels(0, 0, width, height, GL_RGBA, GL_FLOAT, pixels);
   else
      glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
   for (int n = 0; f->kind == UNORM && n < width * height; n++)
      for (unsigned c = 0; c < 4; c++)
         pixels[n].f[c] = (float)bytes[n][c] / 255;
}

static unsigned
check(const struct format *f, int width, int height)
{
   const size_t count = (size_t)width * (size_t)height;
   union pixel *pixels = calloc(count, sizeof(*pixels));
   uint8_t(*bytes)[4] = calloc(count, sizeof(*bytes));
   GLuint texture, framebuffer;
   unsigned wrong = 0;

   if (!pixels || !bytes)
      return 1;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexStorage2D(GL_TEXTURE_2D, 1, f->format, width, height);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   clear(f);
   read_pixels(f, width, height, pixels, bytes);
   for (size_t n = 0; n < count; n++)
      wrong += !is_right(f, &pixels[n]);
   wrong += glGetError() != GL_NO_ERROR;
   glDeleteFramebuffers(1, &framebuffer);
   glDeleteTextures(1, &texture);
   free(pixels);
   free(bytes);
   return wrong;
}

int
main(void)
{
   unsigned held = 0;

   if (!offscreen_open_es())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   for (unsigned n = 0; n < FORMATS; n++)
      for (unsigned s = 0; s < SIZES; s++) {
         const unsigned wrong = check(&formats[n], sizes[s][0], sizes[s][1]);

         held += !wrong;
         if (wrong)
            printf("%s of %d x %d: %u wrong\n", formats[n].name, sizes[s][0], sizes[s][1], wrong);
      }
   printf("%u\n", held);
   offscreen_close();
   return held != FORMATS * SIZES;
}
