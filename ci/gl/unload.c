/* SPDX-License-Identifier: MIT */
/*
 * A program that loads the EGL library by name, draws, ends everything and unloads it, several
 * times: gl-unload.  Each picture must be right, and the process must live on without the library.
 * Exit code 0 if so; otherwise the reason is on stderr.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIZE = 32, ROUNDS = 4 };

static void
fail(const char *why)
{
   fprintf(stderr, "%s\n", why);
   exit(1);
}

static void *egl;

static void *
egl_function(const char *name)
{
   void *function = dlsym(egl, name);

   if (!function) {
      fprintf(stderr, "libEGL.so.1 has no %s\n", name);
      exit(1);
   }
   return function;
}

/* A call of the function of that name and type. */
#define EGL(type, name) ((type)egl_function(#name))
#define GL(type, name)  ((type)address(#name))

static void
draw(int round)
{
   static const EGLint attributes[] = {
      EGL_SURFACE_TYPE,
      EGL_PBUFFER_BIT,
      EGL_RENDERABLE_TYPE,
      EGL_OPENGL_BIT,
      EGL_RED_SIZE,
      8,
      EGL_GREEN_SIZE,
      8,
      EGL_BLUE_SIZE,
      8,
      EGL_NONE,
   };
   static const EGLint size[] = { EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE };
   PFNEGLGETPROCADDRESSPROC address = EGL(PFNEGLGETPROCADDRESSPROC, eglGetProcAddress);
   EGLDisplay display = EGL(PFNEGLGETPLATFORMDISPLAYPROC, eglGetPlatformDisplay)(
      EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   uint8_t pixel[4];
   EGLConfig config;
   EGLSurface surface;
   EGLContext context;
   EGLint count = 0;

   if (!EGL(PFNEGLINITIALIZEPROC, eglInitialize)(display, NULL, NULL) ||
       !EGL(PFNEGLBINDAPIPROC, eglBindAPI)(EGL_OPENGL_API) ||
       !EGL(PFNEGLCHOOSECONFIGPROC, eglChooseConfig)(display, attributes, &config, 1, &count) ||
       !count)
      fail("surfaceless EGL does not start");
   surface = EGL(PFNEGLCREATEPBUFFERSURFACEPROC, eglCreatePbufferSurface)(display, config, size);
   context = EGL(PFNEGLCREATECONTEXTPROC, eglCreateContext)(display, config, EGL_NO_CONTEXT, NULL);
   if (!EGL(PFNEGLMAKECURRENTPROC, eglMakeCurrent)(display, surface, surface, context))
      fail("a context cannot be made current");
   if (!round)
      fprintf(stderr, "GL_RENDERER: %s\n",
              (const char *)GL(const GLubyte *(*)(GLenum), glGetString)(GL_RENDERER));
   GL(void (*)(GLbitfield), glClear)(GL_COLOR_BUFFER_BIT);
   GL(void (*)(GLubyte, GLubyte, GLubyte), glColor3ub)(10, 200, (GLubyte)(round * 30));
   GL(void (*)(GLfloat, GLfloat, GLfloat, GLfloat), glRectf)(-1, -1, 1, 1);
   GL(void (*)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *), glReadPixels)
   (SIZE / 2, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   if (pixel[0] != 10 || pixel[1] != 200 || pixel[2] != round * 30)
      fail("the picture is wrong");
   EGL(PFNEGLMAKECURRENTPROC, eglMakeCurrent)
   (display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   EGL(PFNEGLDESTROYCONTEXTPROC, eglDestroyContext)(display, context);
   EGL(PFNEGLDESTROYSURFACEPROC, eglDestroySurface)(display, surface);
   EGL(PFNEGLTERMINATEPROC, eglTerminate)(display);
   EGL(PFNEGLRELEASETHREADPROC, eglReleaseThread)();
}

int
main(void)
{
   for (int round = 0; round < ROUNDS; round++) {
      egl = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
      if (!egl)
         fail(dlerror());
      draw(round);
      dlclose(egl);
      usleep(20000); /* what is left of it may run now */
   }
   return 0;
}
