/* SPDX-License-Identifier: MIT */
/*
 * What a driver offers: gl-offers prints, for each kind of context, a line with the version that it
 * gets and one for each extension: `core version 4.5`, `core GL_ARB_...`.  The kinds are core,
 * compatibility and es.  A context of the highest version that the driver creates is asked for.
 * GL_RENDERER goes to stderr first.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdbool.h>
#include <stdio.h>

#define GL_GLEXT_PROTOTYPES 1
#include <GL/gl.h>
#include <GL/glext.h>

static const struct kind {
   const char *name;
   EGLenum api;
   EGLint profile;
   EGLint versions[8]; /* to try, 10 * major + minor */
} kinds[] = {
   { "core",
     EGL_OPENGL_API,
     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
     { 46, 45, 44, 43, 42, 41, 40, 33 } },
   { "compatibility",
     EGL_OPENGL_API,
     EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT,
     { 46, 45, 44, 43, 42, 41, 40, 33 } },
   { "es", EGL_OPENGL_ES_API, 0, { 32, 31, 30, 20 } },
};

static EGLContext
create(EGLDisplay display, const struct kind *kind)
{
   EGLContext context = EGL_NO_CONTEXT;

   if (!eglBindAPI(kind->api))
      return EGL_NO_CONTEXT;
   for (unsigned i = 0; i < 8 && kind->versions[i] && context == EGL_NO_CONTEXT; i++) {
      const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION,
                                    kind->versions[i] / 10,
                                    EGL_CONTEXT_MINOR_VERSION,
                                    kind->versions[i] % 10,
                                    kind->profile ? EGL_CONTEXT_OPENGL_PROFILE_MASK : EGL_NONE,
                                    kind->profile,
                                    EGL_NONE };

      context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
   }
   return context;
}

int
main(void)
{
   EGLDisplay display =
      eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);

   /* Line by line, whatever goes to the same place besides. */
   setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
   if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
      fprintf(stderr, "surfaceless EGL does not start: error 0x%x\n", eglGetError());
      return 1;
   }
   for (unsigned i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
      EGLContext context = create(display, &kinds[i]);
      GLint count = 0, major = 0, minor = 0;

      if (context == EGL_NO_CONTEXT ||
          !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
         fprintf(stderr, "no context of kind %s: error 0x%x\n", kinds[i].name, eglGetError());
         return 1;
      }
      if (i == 0)
         fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
      glGetIntegerv(GL_MAJOR_VERSION, &major);
      glGetIntegerv(GL_MINOR_VERSION, &minor);
      printf("%s version %d.%d\n", kinds[i].name, major, minor);
      glGetIntegerv(GL_NUM_EXTENSIONS, &count);
      for (GLint n = 0; n < count; n++)
         printf("%s %s\n", kinds[i].name, glGetStringi(GL_EXTENSIONS, (GLuint)n));
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      eglDestroyContext(display, context);
   }
   eglTerminate(display);
   return 0;
}
