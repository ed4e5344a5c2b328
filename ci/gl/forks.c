/* SPDX-License-Identifier: MIT */
/*
 * Workers that a program forks once it has used OpenGL: gl-forks CASE.  Each draws with a context
 * that it creates itself, and ends by exit(); so do workers of its own.  Exit code 0 if all
 * pictures are right; otherwise the reason is on stderr.
 *
 *   initialised  the parent has called eglInitialize(), a moment ago
 *   configured   and has listed configurations
 *   terminated   and eglTerminate()
 *   used         it has drawn with a context, destroyed it and terminated the display
 *   kept         it has drawn with a context and destroyed that alone
 *   alive        it still has its context: in the worker that draws nothing and is lost, another
 *                one draws
 *   glx          it has drawn to a window, and closed the display; a worker opens its own
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glx.h>
#include <X11/Xlib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 32, WORKERS = 6, SECONDS = 60 };

static void
fail(const char *why)
{
   fprintf(stderr, "process %d: %s\n", (int)getpid(), why);
   exit(1);
}

/* With shaders, a texture and a buffer: the current context's picture. */
static uint64_t
picture(void)
{
   static const char vertex[] = "#version 120\n"
                                "attribute vec2 position; varying vec2 at;\n"
                                "void main() { at = position * 0.5 + 0.5;\n"
                                "              gl_Position = vec4(position, 0.0, 1.0); }\n";
   static const char fragment[] = "#version 120\n"
                                  "varying vec2 at; uniform sampler2D image;\n"
                                  "void main() { gl_FragColor = vec4(at, 0.25, 1.0) *\n"
                                  "                             texture2D(image, at.yx * 3.0); }\n";
   static const float corners[] = { -1, -1, 3, -1, -1, 3 };
   const uint32_t texels[4] = { 0xFFFFFFFF, 0xFF80FF40, 0xFF4080FF, 0xFFFF4080 };
   static uint8_t pixels[SIZE * SIZE * 4];
   const unsigned program = offscreen_program(vertex, fragment);
   unsigned texture, buffer;
   uint64_t hash = 1;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glUseProgram(program);
   glBindAttribLocation(program, 0, "position");
   glLinkProgram(program);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   memset(pixels, 0, sizeof(pixels));
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (size_t i = 0; i < sizeof(pixels); i++)
      hash = (hash ^ pixels[i]) * UINT64_C(0x100000001b3);
   glDeleteBuffers(1, &buffer);
   glDeleteTextures(1, &texture);
   glDeleteProgram(program);
   return hash;
}

static uint64_t
open_and_draw(void)
{
   if (!offscreen_open())
      exit(1);
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_target(SIZE, SIZE);
   return picture();
}

static uint64_t
draw_in_window(void)
{
   int attributes[] = { GLX_RGBA, GLX_RED_SIZE, 8, None };
   Display *display = XOpenDisplay(NULL);
   XVisualInfo *visual =
      display ? glXChooseVisual(display, DefaultScreen(display), attributes) : NULL;

   if (!visual)
      fail("no X display with GLX");

   const Window root = RootWindow(display, visual->screen);
   XSetWindowAttributes window = { .colormap =
                                      XCreateColormap(display, root, visual->visual, AllocNone) };
   const Window id = XCreateWindow(display, root, 0, 0, SIZE, SIZE, 0, visual->depth, InputOutput,
                                   visual->visual, CWColormap, &window);
   GLXContext context = glXCreateContext(display, visual, NULL, True);

   XMapWindow(display, id);
   if (!context || !glXMakeCurrent(display, id, context))
      fail("no GLX context");
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_target(SIZE, SIZE);
   const uint64_t hash = picture();
   glXMakeCurrent(display, None, NULL);
   glXDestroyContext(display, context);
   XDestroyWindow(display, id);
   XCloseDisplay(display);
   return hash;
}

/* ---- What the parent does ---- */

static EGLDisplay the_display;
static EGLContext the_context;
static unsigned (*reset_status)(void);

static void
initialise(void)
{
   the_display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (!eglInitialize(the_display, NULL, NULL))
      fail("surfaceless EGL does not start");
}

static void
configure(void)
{
   EGLConfig configs[200];
   EGLint count = 0;

   initialise();
   if (!eglGetConfigs(the_display, configs, 200, &count) || !count)
      fail("no configurations");
}

static void
terminate(void)
{
   configure();
   eglTerminate(the_display);
}

static void
use_and_terminate(void)
{
   open_and_draw();
   offscreen_close();
   eglReleaseThread();
}

static void
use_and_keep(void)
{
   initialise();
   open_and_draw();
   EGLContext context = eglGetCurrentContext();
   eglMakeCurrent(the_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(the_display, context);
}

static void
use(void)
{
   initialise();
   open_and_draw();
   the_context = eglGetCurrentContext();
   reset_status = (unsigned (*)(void))eglGetProcAddress("glGetGraphicsResetStatusARB");
}

static void
use_window(void)
{
   draw_in_window();
}

static const struct {
   const char *name;
   void (*parent)(void);
   uint64_t (*draw)(void);
} cases[] = {
   { "initialised", initialise, open_and_draw }, { "configured", configure, open_and_draw },
   { "terminated", terminate, open_and_draw },   { "used", use_and_terminate, open_and_draw },
   { "kept", use_and_keep, open_and_draw },      { "alive", use, open_and_draw },
   { "glx", use_window, draw_in_window },
};

/* What a worker draws, by its parent's pipe; its own workers as well, if it has any. */
static void work(unsigned which, unsigned depth, int to);

static uint64_t
fork_one(unsigned which, unsigned depth)
{
   uint64_t hash = 0;
   int ends[2], status;

   if (pipe(ends))
      fail("no pipe");
   pid_t child = fork();
   if (child < 0)
      fail("fork failed");
   if (!child) {
      close(ends[0]);
      alarm(SECONDS);
      work(which, depth, ends[1]);
      exit(0);
   }
   close(ends[1]);
   if (read(ends[0], &hash, sizeof(hash)) != sizeof(hash))
      hash = 0;
   close(ends[0]);
   waitpid(child, &status, 0);
   if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
      fail("a worker hangs");
   if (!WIFEXITED(status) || WEXITSTATUS(status) || !hash) {
      fprintf(stderr, "a worker ended with status 0x%x\n", (unsigned)status);
      exit(1);
   }
   return hash;
}

/* An inherited context is lost: it draws nothing, and GL says so. */
static void
draw_lost(void)
{
   uint8_t pixel[4] = { 0 };

   glClearColor(0, 1, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   glFinish();
   if (pixel[1])
      fail("the parent's context draws");
   if (glGetError() == GL_NO_ERROR && (!reset_status || reset_status() == GL_NO_ERROR))
      fail("the parent's context is lost, and nothing says so");
}

/* As it is, and made current anew: with EGL's first call in a child, glvnd forgets what is current
 * there. */
static void
draw_with_parents(void)
{
   draw_lost();
   if (!eglMakeCurrent(the_display, EGL_NO_SURFACE, EGL_NO_SURFACE, the_context))
      fail("the parent's context cannot be made current");
   draw_lost();
   eglMakeCurrent(the_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

static void
work(unsigned which, unsigned depth, int to)
{
   if (the_context)
      draw_with_parents();
   the_context = EGL_NO_CONTEXT;

   const uint64_t hash = cases[which].draw();
   if (cases[which].draw() != hash)
      fail("a second picture is another one");
   if (depth && fork_one(which, depth - 1) != hash)
      fail("a worker's worker draws another picture");
   if (write(to, &hash, sizeof(hash)) != sizeof(hash))
      fail("no way to tell");
}

int
main(int argc, char **argv)
{
   for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      if (argc != 2 || strcmp(argv[1], cases[i].name))
         continue;
      cases[i].parent();
      const uint64_t right = fork_one(i, 1);
      for (unsigned n = 1; n < WORKERS; n++)
         if (fork_one(i, 0) != right)
            fail("workers draw other pictures");
      /* And so does the parent. */
      if (strcmp(cases[i].name, "alive") && cases[i].draw() != right)
         fail("the parent draws another picture");
      return 0;
   }
   fprintf(stderr, "usage: gl-forks CASE\n");
   return 2;
}
