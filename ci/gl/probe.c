/* SPDX-License-Identifier: MIT */
/* Prints which driver an off-screen program meets: GL_VENDOR, GL_RENDERER, GL_VERSION; with
 * --extensions the extensions, one a line, with --samples the most samples that a pixel can have.
 * */
#include "offscreen.h"

#include <stdio.h>
#include <string.h>

int
main(int argc, char **argv)
{
   if (!offscreen_open())
      return 1;
   printf("GL_VENDOR: %s\nGL_RENDERER: %s\nGL_VERSION: %s\nGLSL: %s\n", glGetString(GL_VENDOR),
          glGetString(GL_RENDERER), glGetString(GL_VERSION),
          glGetString(GL_SHADING_LANGUAGE_VERSION));
   if (argc > 1 && !strcmp(argv[1], "--extensions")) {
      int count = 0;

      glGetIntegerv(GL_NUM_EXTENSIONS, &count);
      for (int i = 0; i < count; i++)
         printf("%s\n", glGetStringi(GL_EXTENSIONS, (unsigned)i));
   }
   if (argc > 1 && !strcmp(argv[1], "--samples")) {
      int samples = 0;

      glGetIntegerv(GL_MAX_SAMPLES, &samples);
      printf("GL_MAX_SAMPLES: %d\n", samples);
   }
   offscreen_close();
   return 0;
}
