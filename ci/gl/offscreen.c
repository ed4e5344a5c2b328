/* SPDX-License-Identifier: MIT */
/*
 * An OpenGL context without a window: EGL on Mesa's surfaceless platform, a framebuffer object to
 * draw to, and a PNG of what was drawn.  The same for every driver that is compared.
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static EGLDisplay display;
static EGLContext context;

static bool
open_context(EGLenum api, EGLint renderable, const EGLint *attributes)
{
   const EGLint config_attributes[] = {
      EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, renderable, EGL_NONE,
   };
   EGLConfig config;
   EGLint count = 0;

   display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
      fprintf(stderr, "surfaceless EGL does not start: error 0x%x\n", eglGetError());
      return false;
   }
   if (!eglBindAPI(api) || !eglChooseConfig(display, config_attributes, &config, 1, &count) ||
       !count) {
      fprintf(stderr, "EGL offers no OpenGL configuration: error 0x%x\n", eglGetError());
      return false;
   }
   context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
   if (context == EGL_NO_CONTEXT ||
       !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      fprintf(stderr, "EGL creates no OpenGL context: error 0x%x\n", eglGetError());
      return false;
   }
   return true;
}

bool
offscreen_open(void)
{
   return open_context(EGL_OPENGL_API, EGL_OPENGL_BIT, NULL);
}

bool
offscreen_open_es(void)
{
   static const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE };

   return open_context(EGL_OPENGL_ES_API, EGL_OPENGL_ES2_BIT, attributes);
}

void
offscreen_close(void)
{
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   eglTerminate(display);
}

static void
attach(GLenum attachment, GLenum format, int width, int height)
{
   unsigned buffer;

   glGenRenderbuffers(1, &buffer);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer);
   glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
}

static unsigned
new_target(int width, int height, bool depth)
{
   unsigned framebuffer;

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   attach(GL_COLOR_ATTACHMENT0, GL_RGBA8, width, height);
   if (depth)
      attach(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, width, height);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
      fprintf(stderr, "an RGBA8 framebuffer%s is not complete\n",
              depth ? " with depth and stencil" : "");
      exit(1);
   }
   glViewport(0, 0, width, height);
   return framebuffer;
}

unsigned
offscreen_target(int width, int height)
{
   return new_target(width, height, true);
}

unsigned
offscreen_color_target(int width, int height)
{
   return new_target(width, height, false);
}

static unsigned
compile(GLenum stage, const char *source)
{
   unsigned shader = glCreateShader(stage);
   char log[4096];
   int ok;

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      fprintf(stderr, "a shader does not compile: %s\n", log);
      exit(1);
   }
   return shader;
}

void
offscreen_attach(unsigned program, const struct offscreen_shader *shaders, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      unsigned shader = compile(shaders[i].stage, shaders[i].source);

      glAttachShader(program, shader);
      glDeleteShader(shader);
   }
}

void
offscreen_link(unsigned program)
{
   char log[4096];
   int ok;

   glBindAttribLocation(program, 0, "position");
   glBindAttribLocation(program, 1, "attribute");
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   if (!ok) {
      glGetProgramInfoLog(program, sizeof(log), NULL, log);
      fprintf(stderr, "a program does not link: %s\n", log);
      exit(1);
   }
}

unsigned
offscreen_program(const char *vertex, const char *fragment)
{
   const struct offscreen_shader shaders[] = { { GL_VERTEX_SHADER, vertex },
                                               { GL_FRAGMENT_SHADER, fragment } };
   unsigned program = glCreateProgram();

   offscreen_attach(program, shaders, 2);
   offscreen_link(program);
   return program;
}

int
offscreen_version(void)
{
   /* Contexts before OpenGL 3.0 have the numbers in the text alone. */
   const char *text = (const char *)glGetString(GL_VERSION);
   unsigned major = 0, minor = 0;

   if (!text || sscanf(text, "%u.%u", &major, &minor) != 2)
      return 0;
   return (int)(10 * major + minor);
}

bool
offscreen_write_png(const char *path, int width, int height)
{
   png_image image = {
      .version = PNG_IMAGE_VERSION,
      .width = (unsigned)width,
      .height = (unsigned)height,
      .format = PNG_FORMAT_RGB,
   };
   uint8_t *pixels = malloc((size_t)width * (size_t)height * 3);
   bool ok;

   if (!pixels)
      return false;
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
   /* GL's rows go up, PNG's go down: a negative stride turns the picture. */
   ok = png_image_write_to_file(&image, path, 0, pixels, -width * 3, NULL);
   free(pixels);
   return ok;
}

int64_t
offscreen_now(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
