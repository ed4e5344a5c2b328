/* SPDX-License-Identifier: MIT */
/*
 * A surfaceless EGL program: prints GL_RENDERER, clears a framebuffer and reads it back.
 * Exit code 0 when the colour is right, 1 when it is not, 2 when there is no context.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <stdio.h>
#include <string.h>

int
main(int argc, char **argv)
{
   const EGLint config_attribs[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                     EGL_OPENGL_ES2_BIT, EGL_NONE };
   const EGLint context_attribs[] = { EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE };
   EGLDisplay display =
      eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   EGLConfig config;
   EGLContext context;
   EGLint n;
   GLuint fbo, renderbuffer;
   unsigned char pixels[16 * 16 * 4];
   int bad = 0;

   if (!eglInitialize(display, NULL, NULL) ||
       !eglChooseConfig(display, config_attribs, &config, 1, &n) || !n)
      return 2;
   eglBindAPI(EGL_OPENGL_ES_API);
   context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_attribs);
   if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      return 2;
   printf("renderer: %s\n", glGetString(GL_RENDERER));
   printf("version: %s\n", glGetString(GL_VERSION));
   if (argc > 1 && !strcmp(argv[1], "--info"))
      return 0;

   glGenFramebuffers(1, &fbo);
   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
   glClearColor(0.2f, 0.4f, 0.6f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   glReadPixels(0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned i = 0; i < sizeof(pixels); i += 4)
      bad +=
         pixels[i] != 51 || pixels[i + 1] != 102 || pixels[i + 2] != 153 || pixels[i + 3] != 255;
   printf("clear: %d wrong pixels, first %u %u %u %u\n", bad, pixels[0], pixels[1], pixels[2],
          pixels[3]);
   eglTerminate(display);
   return bad != 0;
}
