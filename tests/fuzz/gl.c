/* SPDX-License-Identifier: MIT */
/* See gl.h. */
#include "gl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

static EGLDisplay display;
static EGLConfig config;
static EGLContext context;

static void
open_display(void)
{
   static const EGLint attributes[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                        EGL_OPENGL_BIT, EGL_NONE };
   EGLint count = 0;

   setenv("ATOLL_BUDGET", "1", 1); /* endless ones are common */
   setenv("ATOLL_THREADS", "2", 1);
   setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
   display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   FUZZ_CHECK(display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL));
   FUZZ_CHECK(eglBindAPI(EGL_OPENGL_API));
   FUZZ_CHECK(eglChooseConfig(display, attributes, &config, 1, &count) && count);
}

static void
open_context(void)
{
   static const EGLint attributes[] = { EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                        EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE };
   unsigned names[2];

   context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
   FUZZ_CHECK(context != EGL_NO_CONTEXT);
   FUZZ_CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
   glGenFramebuffers(1, names);
   glBindFramebuffer(GL_FRAMEBUFFER, names[0]);
   glGenRenderbuffers(1, names + 1);
   glBindRenderbuffer(GL_RENDERBUFFER, names[1]);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, FUZZ_GL_SIDE, FUZZ_GL_SIDE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[1]);
   glViewport(0, 0, FUZZ_GL_SIDE, FUZZ_GL_SIDE);
}

static void
close_context(void)
{
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
}

void
fuzz_gl_begin(void)
{
   if (!display)
      open_display();
   open_context();
}

/* The next context's draw: a colour that no byte of memory is by chance. */
void
fuzz_gl_end(void)
{
   static const char vertex[] =
      "#version 130\nvoid main() { gl_Position = "
      "vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }";
   static const char fragment[] = "#version 130\nvoid main() { "
                                  "gl_FragColor = vec4(17.0, 34.0, 51.0, 68.0) / 255.0; }";
   static const uint8_t right[4] = { 17, 34, 51, 68 };
   uint8_t pixel[4] = { 0 };

   close_context();
   open_context();
   const unsigned program = fuzz_gl_program(vertex, fragment);
   FUZZ_CHECK(program);
   glUseProgram(program);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(FUZZ_GL_SIDE / 2, FUZZ_GL_SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   FUZZ_CHECK(!memcmp(pixel, right, sizeof(right)));
   glDeleteProgram(program);
   close_context();
}

static unsigned
compile(GLenum stage, const char *source)
{
   const unsigned shader = glCreateShader(stage);
   int ok = 0;

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      if (getenv("ATOLL_FUZZ_LOG")) {
         char log[2000];
         glGetShaderInfoLog(shader, sizeof(log), NULL, log);
         fprintf(stderr, "%s\n%s\n", source, log);
      }
      glDeleteShader(shader);
      return 0;
   }
   return shader;
}

unsigned
fuzz_gl_program(const char *vertex, const char *fragment)
{
   const unsigned shaders[2] = { compile(GL_VERTEX_SHADER, vertex),
                                 compile(GL_FRAGMENT_SHADER, fragment) };
   unsigned program = glCreateProgram();
   int ok = shaders[0] && shaders[1];

   for (unsigned n = 0; n < 2; n++) {
      if (ok)
         glAttachShader(program, shaders[n]);
      glDeleteShader(shaders[n]);
   }
   if (ok) {
      glLinkProgram(program);
      glGetProgramiv(program, GL_LINK_STATUS, &ok);
   }
   if (!ok) {
      glDeleteProgram(program);
      program = 0;
   }
   return program;
}

void
fuzz_gl_draw(unsigned program)
{
   uint8_t pixel[4];

   glUseProgram(program);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
}
