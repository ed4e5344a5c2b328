/* SPDX-License-Identifier: MIT */
/*
 * What a driver offers: gl-offers prints, for each kind of context, a line with the version that it
 * gets and one for each extension: `core version 4.5`, `core GL_ARB_...`.  The kinds are core,
 * compatibility and es.  A context of the highest version that the driver creates is asked for.
 * GL_RENDERER goes to stderr first.
 *
 * `gl-offers --limits` prints limits besides, `core limit GL_MAX_SAMPLES 8`: of all that OpenGL's
 * headers name what the context knows, the precision of numbers in shaders, the bits of queries'
 * counters, what ARB programs may hold; and of EGL its version and extensions without a window
 * system and, where there is an X server, on X11: `egl EGL_...`, `egl-x11 EGL_...`.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- Limits ---- */

static const struct limit {
   const char *name;
   GLenum number;
} limits[] = {
#include "limits.inc"
};

/* More values than any limit has; what the driver leaves is no value. */
#define VALUES   8
#define NO_VALUE -12345.5f

static bool
worked(void)
{
   bool good = glGetError() == GL_NO_ERROR;
   while (glGetError() != GL_NO_ERROR)
      good = false;
   return good;
}

/* What has a fraction, or two values. */
static bool
print_floats(const char *kind, const struct limit *limit)
{
   float values[VALUES];
   for (unsigned i = 0; i < VALUES; i++)
      values[i] = NO_VALUE;
   glGetFloatv(limit->number, values);
   if (!worked() || values[0] == NO_VALUE)
      return false;
   printf("%s limit %s", kind, limit->name);
   for (unsigned i = 0; i < VALUES && values[i] != NO_VALUE; i++)
      printf(" %.9g", (double)values[i]);
   putchar('\n');
   return true;
}

static bool
is_fraction(const char *name)
{
   static const char *const words[] = { "_RANGE",     "_GRANULARITY",         "LOD_BIAS",
                                        "ANISOTROPY", "INTERPOLATION_OFFSET", "VIEWPORT_DIMS" };
   for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
      if (strstr(name, words[i]))
         return true;
   return false;
}

static void
print_indexed(const char *kind, const struct limit *limit)
{
   GLint values[3];
   for (GLuint i = 0; i < 3; i++)
      glGetIntegeri_v(limit->number, i, &values[i]);
   if (worked())
      printf("%s limit %s %d %d %d\n", kind, limit->name, values[0], values[1], values[2]);
}

static void
print_limit(const char *kind, const struct limit *limit)
{
   GLint64 value = 0;

   if (is_fraction(limit->name)) {
      print_floats(kind, limit);
      return;
   }
   glGetInteger64v(limit->number, &value);
   if (worked())
      printf("%s limit %s %lld\n", kind, limit->name, (long long)value);
   else
      print_indexed(kind, limit);
}

static void
print_precision(const char *kind)
{
   static const struct {
      const char *name;
      GLenum number;
   } stages[] = { { "VERTEX", GL_VERTEX_SHADER }, { "FRAGMENT", GL_FRAGMENT_SHADER } },
     numbers[] = { { "LOW_FLOAT", GL_LOW_FLOAT },   { "MEDIUM_FLOAT", GL_MEDIUM_FLOAT },
                   { "HIGH_FLOAT", GL_HIGH_FLOAT }, { "LOW_INT", GL_LOW_INT },
                   { "MEDIUM_INT", GL_MEDIUM_INT }, { "HIGH_INT", GL_HIGH_INT } };

   for (unsigned s = 0; s < 2; s++) {
      for (unsigned n = 0; n < 6; n++) {
         GLint range[2], precision;
         glGetShaderPrecisionFormat(stages[s].number, numbers[n].number, range, &precision);
         if (worked())
            printf("%s limit PRECISION_%s_%s %d %d %d\n", kind, stages[s].name, numbers[n].name,
                   range[0], range[1], precision);
      }
   }
}

static void
print_counters(const char *kind)
{
   static const struct limit queries[] = {
      { "SAMPLES_PASSED", GL_SAMPLES_PASSED },
      { "ANY_SAMPLES_PASSED", GL_ANY_SAMPLES_PASSED },
      { "TIME_ELAPSED", GL_TIME_ELAPSED },
      { "TIMESTAMP", GL_TIMESTAMP },
      { "PRIMITIVES_GENERATED", GL_PRIMITIVES_GENERATED },
      { "TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN", GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN },
      { "VERTICES_SUBMITTED", GL_VERTICES_SUBMITTED },
   };
   for (unsigned i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
      GLint bits = 0;
      glGetQueryiv(queries[i].number, GL_QUERY_COUNTER_BITS, &bits);
      if (worked())
         printf("%s limit COUNTER_BITS_%s %d\n", kind, queries[i].name, bits);
   }
}

/* In the compatibility profile alone. */
static void
print_programs(const char *kind)
{
   PFNGLGETPROGRAMIVARBPROC get = (PFNGLGETPROGRAMIVARBPROC)eglGetProcAddress("glGetProgramivARB");
   static const struct limit targets[] = {
      { "VERTEX_PROGRAM", GL_VERTEX_PROGRAM_ARB },
      { "FRAGMENT_PROGRAM", GL_FRAGMENT_PROGRAM_ARB },
   };
   for (unsigned t = 0; get && t < 2; t++) {
      for (unsigned i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
         GLint value = 0;
         if (strncmp(limits[i].name, "GL_MAX_PROGRAM_", 15) != 0)
            continue;
         get(targets[t].number, limits[i].number, &value);
         if (worked())
            printf("%s limit %s_%s %d\n", kind, targets[t].name, limits[i].name + 3, value);
      }
   }
}

static void
print_limits(const struct kind *kind)
{
   for (unsigned i = 0; i < sizeof(limits) / sizeof(*limits); i++)
      print_limit(kind->name, &limits[i]);
   print_precision(kind->name);
   print_counters(kind->name);
   if (kind->profile == EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT)
      print_programs(kind->name);
}

static void
print_words(const char *kind, const char *words)
{
   while (words && *words) {
      const int length = (int)strcspn(words, " ");
      if (length)
         printf("%s %.*s\n", kind, length, words);
      words += length + (words[length] == ' ');
   }
}

static void
print_egl(const char *kind, EGLDisplay display)
{
   EGLint major, minor;

   if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor))
      return;
   printf("%s version %d.%d\n", kind, major, minor);
   print_words(kind, eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS));
   print_words(kind, eglQueryString(display, EGL_EXTENSIONS));
}

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
main(int argc, char **argv)
{
   EGLDisplay display =
      eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   const bool all = argc == 2 && !strcmp(argv[1], "--limits");

   /* Line by line, whatever goes to the same file besides. */
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
      if (all)
         print_limits(&kinds[i]);
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      eglDestroyContext(display, context);
   }
   if (all) {
      print_egl("egl", display);
      if (getenv("DISPLAY"))
         print_egl("egl-x11",
                   eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, EGL_DEFAULT_DISPLAY, NULL));
   }
   eglTerminate(display);
   return 0;
}
