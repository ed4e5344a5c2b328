/* SPDX-License-Identifier: MIT */
/* gl-host: Textures that are written while draws that read and render to them have not ended. */
#include "host.h"

#include <EGL/egl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGE = 128, CELL = 8, CELLS = SIZE / CELL };

/* A level of one shade, whole or its left half. */
static void
write_level(int level, int width, uint8_t shade)
{
   static uint8_t texels[IMAGE * IMAGE * 4];

   memset(texels, shade, sizeof(texels));
   glTexSubImage2D(GL_TEXTURE_2D, level, 0, 0, width, IMAGE >> level, GL_RGBA, GL_UNSIGNED_BYTE,
                   texels);
}

/* Shows a level in a cell of the target; the next cell. */
static unsigned
draw_level(unsigned cell, int level)
{
   glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, (float)level);
   glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, (float)level);
   glScissor((int)(cell % CELLS) * CELL, (int)(cell / CELLS) * CELL, CELL, CELL);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   return cell + 1;
}

/* A level gets one shade by rendering. */
static void
clear_level(unsigned texture, int level, uint8_t shade)
{
   int target;
   unsigned framebuffer;
   float c = (float)shade / 255.0f;

   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level);
   glDisable(GL_SCISSOR_TEST);
   glClearColor(c, c, c, c);
   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_SCISSOR_TEST);
   glBindFramebuffer(GL_FRAMEBUFFER, (unsigned)target);
   glDeleteFramebuffers(1, &framebuffer);
}

static void
check_level(int level, uint8_t shade)
{
   static uint8_t texels[IMAGE * IMAGE * 4];

   glGetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   for (int i = 0; i < (IMAGE >> level) * (IMAGE >> level) * 4; i++)
      if (texels[i] != shade)
         host_fail("a level does not hold what was written last");
}

/* Level 0 is written again and again, alternating with level 1, if there is one, in the ways that a
 * level can be written. */
static void
check_uploads(int last_level)
{
   static uint8_t pixels[SIZE * SIZE * 4];
   uint8_t shades[CELLS * CELLS], shade = 0, mip = 0;
   unsigned texture, cell = 0;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, last_level);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                   last_level ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST);
   for (int level = 0; level <= last_level; level++) {
      glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, IMAGE >> level, IMAGE >> level, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, NULL);
      write_level(level, IMAGE >> level, 0);
   }
   for (int round = 0; round < 20; round++) {
      shade += 3;
      if (round % 7 == 6)
         clear_level(texture, 0, shade);
      else
         write_level(0, IMAGE, shade);
      if (round % 5 == 4)
         write_level(0, IMAGE / 2, shade);
      shades[cell] = shade;
      cell = draw_level(cell, 0);
      if (last_level && round % 6 == 3)
         clear_level(texture, 1, mip += 7);
      else if (last_level && round % 4 == 2)
         write_level(1, IMAGE / 2, mip += 7);
      shades[cell] = last_level ? mip : shade;
      cell = draw_level(cell, last_level ? 1 : 0);
   }
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned i = 0; i < cell; i++)
      for (unsigned p = 0; p < CELL * CELL; p++)
         if (pixels[4 * ((i / CELLS * CELL + p / CELL) * SIZE + i % CELLS * CELL + p % CELL)] !=
             shades[i])
            host_fail("a draw does not see what had been written before it");
   check_level(0, shade);
   if (last_level)
      check_level(1, mip);
   glDeleteTextures(1, &texture);
}

/* Planes of depth and stencil, written together, whole and in part. */
static void
check_planes(void)
{
   static uint32_t texels[IMAGE * IMAGE], part[IMAGE * IMAGE], got[IMAGE * IMAGE];
   unsigned texture;

   for (uint32_t i = 0; i < IMAGE * IMAGE; i++)
      texels[i] = i * 2654435761u, part[i] = i * 2246822519u;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH24_STENCIL8, IMAGE, IMAGE, 0, GL_DEPTH_STENCIL,
                GL_UNSIGNED_INT_24_8, texels);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 3, 5, 50, 40, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, part);
   for (int i = 0; i < 50 * 40; i++)
      texels[(5 + i / 50) * IMAGE + 3 + i % 50] = part[i];
   glGetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, got);
   for (int i = 0; i < IMAGE * IMAGE; i++)
      if ((texels[i] & 0xff) != (got[i] & 0xff) ||
          labs((long)(texels[i] >> 8) - (long)(got[i] >> 8)) > 1)
         host_fail("depth or stencil is not what was written last");
}

void
host_case_uploads(void)
{
   static const char textured[] = "#version 120\n"
                                  "varying vec2 at; uniform sampler2D image;\n"
                                  "void main() { gl_FragColor = texture2D(image, at); }\n";
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };

   host_open_display();
   host_make_current(host_new_context(EGL_NO_CONTEXT));
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_target(SIZE, SIZE);
   glUseProgram(offscreen_program(host_vertex_source, textured));
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glEnable(GL_SCISSOR_TEST);
   for (int last_level = 0; last_level < 3; last_level++)
      check_uploads(last_level);
   check_planes();
   host_make_current(EGL_NO_CONTEXT);
   eglTerminate(host_display);
}
