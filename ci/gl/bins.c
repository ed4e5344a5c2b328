/* SPDX-License-Identifier: MIT */
/*
 * Many large primitives on a large target: gl-bins.
 *
 * Slivers across the whole target, which add up, are drawn a draw each and all by one draw: the
 * pictures are equal.  The device sorts the primitives of the one into tiles; of the other they
 * would be in so many that it does not.
 *
 * GL_RENDERER goes to stderr first.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 4096, SLIVERS = 600 };

static uint8_t pictures[2][SIDE * SIDE];

int
main(void)
{
   unsigned texture, framebuffer, program;
   size_t covered = 0;
   float corners[SLIVERS][3][2];

   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, SIDE, SIDE, 0, GL_RED, GL_UNSIGNED_BYTE, NULL);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   glViewport(0, 0, SIDE, SIDE);
   program = offscreen_program(
      "attribute vec2 position; void main() { gl_Position = vec4(position, 0.0, 1.0); }",
      "void main() { gl_FragColor = vec4(fract(gl_FragCoord.x * 0.01) * 0.1 + 0.02); }");
   glUseProgram(program);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   for (unsigned n = 0; n < SLIVERS; n++) {
      const float at = (float)n / SLIVERS * 2.0f - 1.0f, turned = n & 1 ? -1.0f : 1.0f;

      memcpy(corners[n],
             (const float[3][2]){ { at, -turned }, { at + 0.003f, -turned }, { -at, turned } },
             sizeof(corners[n]));
   }
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   for (unsigned whole = 0; whole < 2; whole++) {
      glClearColor(0, 0, 0, 0);
      glClear(GL_COLOR_BUFFER_BIT);
      for (int n = 0; n < SLIVERS && !whole; n++)
         glDrawArrays(GL_TRIANGLES, 3 * n, 3);
      if (whole)
         glDrawArrays(GL_TRIANGLES, 0, 3 * SLIVERS);
      glReadPixels(0, 0, SIDE, SIDE, GL_RED, GL_UNSIGNED_BYTE, pictures[whole]);
   }
   for (size_t i = 0; i < sizeof(pictures[0]); i++)
      covered += pictures[0][i] != 0;
   printf("%zu pixels covered\n", covered);
   if (covered < SIDE * SIDE / 100 || memcmp(pictures[0], pictures[1], sizeof(pictures[0])) != 0) {
      printf("another picture by one draw\n");
      return 1;
   }
   offscreen_close();
   printf("1\n");
   return 0;
}
