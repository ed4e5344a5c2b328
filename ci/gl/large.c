/* SPDX-License-Identifier: MIT */
/*
 * Buffers and textures near and above 2 GiB: gl-large.
 *
 * A buffer of 2 GiB or more is there and holds what is written to its end, or is refused as
 * GL_OUT_OF_MEMORY, and the context goes on: data, storage, parts, clears, copies, maps, reads.
 * A texture of which a level is above 2 GiB is refused, or holds what is written, cleared, copied
 * and drawn at its end.  A line for each case that fails, then how many held.  GL_RENDERER goes to
 * stderr first.
 */
#include "offscreen.h"

#include <stdio.h>
#include <string.h>

#define GIB ((GLsizeiptr)1 << 30)

enum { PART = 64 };

static unsigned cases, held;

static void
check(bool good, const char *what, GLsizeiptr size)
{
   cases++;
   held += good;
   if (!good)
      printf("%s, %lld bytes: wrong\n", what, (long long)size);
}

/* ---- Buffers ---- */

static bool
holds(unsigned name, GLsizeiptr at, uint8_t value)
{
   uint8_t is[PART] = { 0 }, want[PART];

   memset(want, value, PART);
   glBindBuffer(GL_COPY_READ_BUFFER, name);
   glGetBufferSubData(GL_COPY_READ_BUFFER, at, PART, is);
   return !memcmp(is, want, PART);
}

/* Everything that reaches the last bytes; the bytes in front of them stay as they are. */
static bool
use_end(unsigned name, GLsizeiptr size)
{
   const GLsizeiptr at = size - PART;
   uint8_t bytes[PART];
   unsigned small;

   memset(bytes, 1, PART);
   glBindBuffer(GL_ARRAY_BUFFER, name);
   glBufferSubData(GL_ARRAY_BUFFER, at - PART, PART, bytes);
   memset(bytes, 2, PART);
   glBufferSubData(GL_ARRAY_BUFFER, at, PART, bytes);
   bool good = holds(name, at, 2);
   glClearBufferSubData(GL_ARRAY_BUFFER, GL_R8UI, at, PART, GL_RED_INTEGER, GL_UNSIGNED_BYTE, "\3");
   good &= holds(name, at, 3);
   void *map = glMapBufferRange(GL_ARRAY_BUFFER, at, PART, GL_MAP_WRITE_BIT);
   if (map)
      memset(map, 4, PART);
   good &= map && glUnmapBuffer(GL_ARRAY_BUFFER) && holds(name, at, 4);
   glGenBuffers(1, &small);
   glBindBuffer(GL_COPY_WRITE_BUFFER, small);
   glBufferData(GL_COPY_WRITE_BUFFER, PART, NULL, GL_STATIC_DRAW);
   glCopyBufferSubData(GL_ARRAY_BUFFER, GL_COPY_WRITE_BUFFER, at, 0, PART);
   good &= holds(small, 0, 4);
   memset(bytes, 5, PART);
   glBufferSubData(GL_COPY_WRITE_BUFFER, 0, PART, bytes);
   glCopyBufferSubData(GL_COPY_WRITE_BUFFER, GL_ARRAY_BUFFER, 0, at, PART);
   good &= holds(name, at, 5) && holds(name, at - PART, 1);
   glDeleteBuffers(1, &small);
   return good && glGetError() == GL_NO_ERROR;
}

/* What is refused does nothing, and says so: out of memory, and then out of range or not mapped. */
static bool
is_refused(GLsizeiptr size)
{
   uint8_t bytes[PART] = { 0 };

   glBufferSubData(GL_ARRAY_BUFFER, size - PART, PART, bytes);
   bool good = glGetError() == GL_INVALID_VALUE;
   good &= !glMapBufferRange(GL_ARRAY_BUFFER, size - PART, PART, GL_MAP_WRITE_BIT);
   while (glGetError() != GL_NO_ERROR) {
   }
   return good;
}

static void
run_buffer(GLsizeiptr size, bool storage)
{
   unsigned name;

   glGenBuffers(1, &name);
   glBindBuffer(GL_ARRAY_BUFFER, name);
   if (storage)
      glBufferStorage(GL_ARRAY_BUFFER, size, NULL, GL_DYNAMIC_STORAGE_BIT | GL_MAP_WRITE_BIT);
   else
      glBufferData(GL_ARRAY_BUFFER, size, NULL, GL_STATIC_DRAW);
   const GLenum error = glGetError();
   const char *what = storage ? "storage" : "data";
   if (error == GL_NO_ERROR)
      check(use_end(name, size), what, size);
   else
      check(error == GL_OUT_OF_MEMORY && size >= 2 * GIB && is_refused(size), what, size);
   glDeleteBuffers(1, &name);
}

/* ---- Textures ---- */

static void
run_texture(int width, int height, int layers, GLenum format, unsigned bytes)
{
   static const float clear[4] = { 0.25f, 0.5f, 0.75f, 1 };
   static const float other[4] = { 1, 0.75f, 0.5f, 0.25f };
   const GLsizeiptr size = (GLsizeiptr)width * height * layers * (GLsizeiptr)bytes;
   float is[4] = { 0 };
   unsigned texture, framebuffer;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
   glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, format, width, height, layers);
   const GLenum error = glGetError();
   if (error != GL_NO_ERROR) {
      check(error == GL_OUT_OF_MEMORY, "texture", size);
      glDeleteTextures(1, &texture);
      return;
   }
   glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, width - 1, height - 1, layers - 1, 1, 1, 1, GL_RGBA,
                   GL_FLOAT, clear);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layers - 1);
   glReadPixels(width - 1, height - 1, 1, 1, GL_RGBA, GL_FLOAT, is);
   bool good = !memcmp(is, clear, sizeof(is));
   glEnable(GL_SCISSOR_TEST);
   glScissor(width - 2, height - 1, 1, 1);
   glClearColor(other[0], other[1], other[2], other[3]);
   glClear(GL_COLOR_BUFFER_BIT);
   glDisable(GL_SCISSOR_TEST);
   glReadPixels(width - 2, height - 1, 1, 1, GL_RGBA, GL_FLOAT, is);
   good &= !memcmp(is, other, sizeof(is));
   glCopyImageSubData(texture, GL_TEXTURE_2D_ARRAY, 0, width - 2, height - 1, layers - 1, texture,
                      GL_TEXTURE_2D_ARRAY, 0, width - 3, height - 1, layers - 1, 1, 1, 1);
   glReadPixels(width - 3, height - 1, 1, 1, GL_RGBA, GL_FLOAT, is);
   good &= !memcmp(is, other, sizeof(is));
   glReadPixels(width - 1, height - 1, 1, 1, GL_RGBA, GL_FLOAT, is);
   good &= !memcmp(is, clear, sizeof(is));
   check(good && glGetError() == GL_NO_ERROR, "texture", size);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &framebuffer);
   glDeleteTextures(1, &texture);
}

int
main(void)
{
   static const GLsizeiptr sizes[] = {
      GIB + 4096, 2 * GIB - 1,    2 * GIB,     2 * GIB + 4096,
      3 * GIB,    4 * GIB - 4096, 4 * GIB - 1, 4 * GIB + 4 * PART
   };

   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   for (unsigned n = 0; n < sizeof(sizes) / sizeof(*sizes); n++) {
      run_buffer(sizes[n], false);
      run_buffer(sizes[n], true);
   }
   run_texture(8192, 8192, 3, GL_RGBA32F, 16); /* 3 GiB */
   run_texture(16384, 8192, 2, GL_RGBA16F, 8); /* 2 GiB */
   run_texture(8192, 8192, 1, GL_RGBA32F, 16); /* 1 GiB */
   run_texture(16384, 16384, 4, GL_RGBA8, 4);  /* 4 GiB */
   run_texture(16384, 16384, 64, GL_RGBA32F, 16);
   check(glGetError() == GL_NO_ERROR, "an error", 0);
   offscreen_close();
   printf("%u of %u\n", held, cases);
   return held != cases;
}
