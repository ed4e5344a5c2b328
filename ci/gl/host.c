/* SPDX-License-Identifier: MIT */
/*
 * What programs do to the library they draw with: gl-host CASE.  Exit code 0 if the pictures are
 * right (or, where that cannot be, the error is clear and nothing hangs); otherwise the reason is
 * on stderr.  `gl-host --list` prints the cases.
 *
 *   rounding   another rounding mode, flush to zero: the same picture, and the mode is kept
 *   traps      SIGFPE unmasked while shaders divide by zero
 *   fork       a child draws or is told that it cannot; the parent goes on
 *   fork-compiling  the same while programs are being compiled
 *   compilers  one thread changes the number of compiler threads while another links
 *   deleted    a context's program is deleted on another one, and a new one has its address
 *   contexts   a hundred contexts, one after the other and ten at a time
 *   shared     one thread uploads while another draws with what it uploaded
 *   uploads    textures are written while draws that read and render to them have not ended
 *   threads    two contexts that share nothing, drawing at once
 *   reset      a shader that never ends: the context is lost and says so, and another one draws
 *   reset-raster  the same of a vertex shader that runs on the processor: for glRasterPos, feedback
 *              and selection
 *   least      the least number divided by -1, in constants and in a program, is no trap
 *   limited    with ATOLL_LIMITS, memory above them is GL_OUT_OF_MEMORY, and what is below draws
 *   refused    a shader that the driver cannot compile: it does not link, and the log says why;
 *              vertices that it cannot fetch: the debug output says so; and others draw
 *   patch      a patch that has nearly all that OpenGL allows at once is evaluated like any other
 */
#include "host.h"

#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of OpenGL 2.1, which every instruction set has. */
const char host_vertex_source[] = "#version 120\n"
                                  "attribute vec2 position; varying vec2 at;\n"
                                  "void main() { at = position * 3.1;\n"
                                  "              gl_Position = vec4(position, 0.0, 1.0); }\n";

/* Quotients by zero, roots of negative numbers, overflow: what traps would catch. */
static const char fragment_source[] =
   "#version 120\n"
   "varying vec2 at; uniform float zero;\n"
   "void main() {\n"
   "   float infinite = at.x / zero, none = sqrt(-at.y * at.y - 1.0);\n"
   "   float big = exp2(at.x * 100.0 + 200.0);\n"
   "   vec4 colour = vec4(sin(at.x * at.y) * 0.5 + 0.5, at.x / 3.0, fract(at.y / 0.7), 1.0);\n"
   "   if (infinite > 1e30 && at.y > 2.0 || big < 0.0) colour.x = 1.0;\n"
   "   if (none > 3.0) colour = vec4(0.0);\n"
   "   gl_FragColor = colour;\n"
   "}\n";

void
host_fail(const char *why)
{
   fprintf(stderr, "%s\n", why);
   exit(1);
}

unsigned
host_program(void)
{
   unsigned program = offscreen_program(host_vertex_source, fragment_source);

   glUseProgram(program);
   return program;
}

/* Draws the picture that all cases share; its hash (FNV-1a). */
uint64_t
host_draw(void)
{
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
   uint8_t pixels[SIZE * SIZE * 4];
   uint64_t hash = 0xcbf29ce484222325u;
   unsigned buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   memset(pixels, 0, sizeof(pixels));
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glDeleteBuffers(1, &buffer);
   for (size_t i = 0; i < sizeof(pixels); i++)
      hash = (hash ^ pixels[i]) * 0x100000001b3u;
   return hash;
}

uint64_t
host_open_and_draw(void)
{
   if (!offscreen_open())
      exit(1);
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_target(SIZE, SIZE);
   host_program();
   return host_draw();
}

/* Whether the context was lost, where the driver can tell. */
unsigned
host_reset_status(void)
{
   unsigned (*query)(void) = (unsigned (*)(void))eglGetProcAddress("glGetGraphicsResetStatusARB");

   return query ? query() : GL_NO_ERROR;
}

/* Links a program that draws the common picture and takes a while to compile; each `number` is
 * another program. */
unsigned
host_link_slow(unsigned number)
{
   char source[6000];
   int at = snprintf(source, sizeof(source),
                     "#version 120\nvarying vec2 at; uniform float zero;\n"
                     "void main() { vec4 c = vec4(at, %u.0, 1.0);\n",
                     number);

   for (int i = 0; i < 40; i++)
      at += snprintf(source + at, sizeof(source) - (size_t)at,
                     "   c = sin(c * %d.25 + c.wxyz) + c.zwxy * c.yzwx * %d.5;\n", i, i + 1);
   snprintf(source + at, sizeof(source) - (size_t)at,
            "   gl_FragColor = vec4(sin(at.x * at.y) * 0.5 + 0.5, at.x / 3.0, 0.25, 1.0) +\n"
            "                  c * zero; }\n");
   return offscreen_program(host_vertex_source, source);
}

/* Draws with each of them and deletes it.  All draw alike, and `right`, unless it is 0; returns
 * that hash. */
uint64_t
host_draw_alike(const unsigned programs[SLOW_PROGRAMS], uint64_t right)
{
   for (unsigned i = 0; i < SLOW_PROGRAMS; i++) {
      glUseProgram(programs[i]);
      const uint64_t hash = host_draw();
      if (right && hash != right)
         host_fail("programs do not draw alike");
      right = hash;
      glDeleteProgram(programs[i]);
   }
   return right;
}

EGLDisplay host_display;

EGLConfig host_config;

void
host_open_display(void)
{
   static const EGLint attributes[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                        EGL_OPENGL_BIT, EGL_NONE };
   EGLint count = 0;

   host_display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (!eglInitialize(host_display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
       !eglChooseConfig(host_display, attributes, &host_config, 1, &count) || !count)
      host_fail("surfaceless EGL does not start");
}

EGLContext
host_new_context(EGLContext share)
{
   EGLContext context;

   eglBindAPI(EGL_OPENGL_API); /* a thread's own setting */
   context = eglCreateContext(host_display, host_config, share, NULL);
   if (context == EGL_NO_CONTEXT)
      host_fail("EGL creates no context");
   return context;
}

void
host_make_current(EGLContext context)
{
   eglBindAPI(EGL_OPENGL_API);
   if (!eglMakeCurrent(host_display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      host_fail("a context cannot be made current");
}

/* A context that is told of resets, with the target and program of all cases. */
EGLContext
host_robust_context(void)
{
   static const EGLint attributes[] = { EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                        EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE };
   EGLContext context = eglCreateContext(host_display, host_config, EGL_NO_CONTEXT, attributes);

   if (context == EGL_NO_CONTEXT)
      host_fail("EGL creates no context that is told of resets");
   host_make_current(context);
   offscreen_target(SIZE, SIZE);
   host_program();
   return context;
}

static const struct {
   const char *name;
   void (*run)(void);
} cases[] = {
   { "rounding", host_case_rounding },   { "traps", host_case_traps },
   { "fork", host_case_fork },           { "fork-compiling", host_case_fork_compiling },
   { "compilers", host_case_compilers }, { "deleted", host_case_deleted },
   { "contexts", host_case_contexts },   { "shared", host_case_shared },
   { "uploads", host_case_uploads },     { "threads", host_case_threads },
   { "reset", host_case_reset },         { "reset-raster", host_case_reset_raster },
   { "refused", host_case_refused },     { "patch", host_case_patch },
   { "limited", host_case_limited },     { "least", host_case_least },
};

int
main(int argc, char **argv)
{
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      if (argc == 2 && !strcmp(argv[1], "--list")) {
         puts(cases[i].name);
      } else if (argc == 2 && !strcmp(argv[1], cases[i].name)) {
         cases[i].run();
         return 0;
      }
   }
   if (argc == 2 && !strcmp(argv[1], "--list"))
      return 0;
   fprintf(stderr, "usage: gl-host CASE | gl-host --list\n");
   return 2;
}
