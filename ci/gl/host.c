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
 *   deleted    a context's program is deleted on another one, and a new one is in its place
 *   contexts   a hundred contexts, one after the other and ten at a time
 *   shared     one thread uploads while another draws with what it uploaded
 *   uploads    textures are written while draws that read and render to them have not ended
 *   threads    two contexts that share nothing, drawing at once
 *   reset      a shader that never ends: the context is lost and says so, and another one draws
 *   reset-raster  the same of a vertex shader that runs on the processor: for glRasterPos, feedback
 *              and selection
 *   refused    a shader that the driver cannot compile: it does not link, and the log says why;
 *              vertices that it cannot fetch: the debug output says so; and others draw
 *   patch      a patch that has nearly all that OpenGL allows at once is evaluated like any other
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

enum { SIZE = 64 };

/* Of OpenGL 2.1, which every instruction set has. */
static const char vertex_source[] = "#version 120\n"
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

static void
fail(const char *why)
{
   fprintf(stderr, "%s\n", why);
   exit(1);
}

static unsigned
prepare(void)
{
   unsigned program = offscreen_program(vertex_source, fragment_source);

   glUseProgram(program);
   return program;
}

/* Draws the picture that all cases share; its hash (FNV-1a). */
static uint64_t
draw(void)
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

static uint64_t
open_and_draw(void)
{
   if (!offscreen_open())
      exit(1);
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_target(SIZE, SIZE);
   prepare();
   return draw();
}

static void
case_rounding(void)
{
   static const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
   uint64_t right = open_and_draw();

   for (int i = 0; i < 3; i++) {
      unsigned control;

      fesetround(modes[i]);
      _mm_setcsr(_mm_getcsr() | 0x8040); /* flush to zero, denormals are zero */
      control = _mm_getcsr() & ~0x3fu;   /* without the sticky flags */
      if (draw() != right)
         fail("the picture depends on the program's rounding mode");
      if ((_mm_getcsr() & ~0x3fu) != control || fegetround() != modes[i])
         fail("drawing changed the program's floating-point mode");
   }
}

static void
case_traps(void)
{
   uint64_t right = open_and_draw();

   feclearexcept(FE_ALL_EXCEPT);
   feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
   for (int i = 0; i < 10; i++)
      if (draw() != right)
         fail("the picture depends on the exception mask");
   if (fegetexcept() != (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW))
      fail("drawing changed the exception mask");
}

/* Whether the context was lost, where the driver can tell. */
static unsigned
reset_status(void)
{
   unsigned (*query)(void) = (unsigned (*)(void))eglGetProcAddress("glGetGraphicsResetStatusARB");

   return query ? query() : GL_NO_ERROR;
}

static void
case_fork(void)
{
   uint64_t right = open_and_draw();
   int status = 0;
   pid_t child;

   glFinish();
   child = fork();
   if (child < 0)
      fail("fork failed");
   if (!child) {
      /* Right, or refused: both are answers.  A hang is not. */
      alarm(20);
      if (draw() == right)
         _exit(0);
      _exit(glGetError() != GL_NO_ERROR || reset_status() != GL_NO_ERROR ? 0 : 3);
   }
   for (int i = 0; i < 10; i++)
      if (draw() != right)
         fail("the parent's picture changed after a fork");
   waitpid(child, &status, 0);
   if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
      fail("the child hangs");
   if (WIFSIGNALED(status)) {
      fprintf(stderr, "the child died of signal %d\n", WTERMSIG(status));
      exit(1);
   }
   if (WEXITSTATUS(status) == 3)
      fail("the child drew a wrong picture, and no GL error says so");
   if (draw() != right)
      fail("the parent's picture changed after the child ended");
}

/* Links a program that draws the common picture and takes a while to compile; each `number` is
 * another program. */
static unsigned
link_slow(unsigned number)
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
   return offscreen_program(vertex_source, source);
}

#define SLOW_PROGRAMS 8

/* Draws with each of them and deletes it.  All draw alike, and `right`, unless it is 0; returns
 * that hash. */
static uint64_t
draw_alike(const unsigned programs[SLOW_PROGRAMS], uint64_t right)
{
   for (unsigned i = 0; i < SLOW_PROGRAMS; i++) {
      glUseProgram(programs[i]);
      const uint64_t hash = draw();
      if (right && hash != right)
         fail("programs do not draw alike");
      right = hash;
      glDeleteProgram(programs[i]);
   }
   return right;
}

/* What is in a compiler's hands when the process is forked is in nobody's hands in the child. */
static void
case_fork_compiling(void)
{
   uint64_t right = 0;

   open_and_draw();
   for (unsigned round = 0; round < 20; round++) {
      unsigned programs[SLOW_PROGRAMS];
      int status = 0;
      pid_t child;

      for (unsigned i = 0; i < SLOW_PROGRAMS; i++)
         programs[i] = link_slow(SLOW_PROGRAMS * round + i);
      child = fork();
      if (child < 0)
         fail("fork failed");
      if (!child) {
         alarm(20);
         for (unsigned i = 0; i < SLOW_PROGRAMS; i++) {
            glUseProgram(programs[SLOW_PROGRAMS - 1 - i]);
            draw();
            glUseProgram(0);
            glDeleteProgram(programs[SLOW_PROGRAMS - 1 - i]);
         }
         /* exit() would wait for threads of Mesa's own (its shader cache's, its contexts'), which
          * are not here either. */
         _exit(0);
      }
      waitpid(child, &status, 0);
      if (!WIFEXITED(status) || WEXITSTATUS(status)) {
         fprintf(stderr, "the child of round %u ended with status %x\n", round, (unsigned)status);
         exit(1);
      }
      right = draw_alike(programs, right);
   }
}

static EGLDisplay the_display;
static EGLConfig the_config;

static void
open_display(void)
{
   static const EGLint attributes[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                        EGL_OPENGL_BIT, EGL_NONE };
   EGLint count = 0;

   the_display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (!eglInitialize(the_display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
       !eglChooseConfig(the_display, attributes, &the_config, 1, &count) || !count)
      fail("surfaceless EGL does not start");
}

static EGLContext
new_context(EGLContext share)
{
   EGLContext context;

   eglBindAPI(EGL_OPENGL_API); /* a thread's own setting */
   context = eglCreateContext(the_display, the_config, share, NULL);
   if (context == EGL_NO_CONTEXT)
      fail("EGL creates no context");
   return context;
}

static void
make_current(EGLContext context)
{
   eglBindAPI(EGL_OPENGL_API);
   if (!eglMakeCurrent(the_display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      fail("a context cannot be made current");
}

static void
case_contexts(void)
{
   uint64_t right = 0;

   open_display();
   for (int i = 0; i < 10; i++) {
      EGLContext contexts[10];

      for (int c = 0; c < 10; c++) {
         uint64_t hash;

         contexts[c] = new_context(EGL_NO_CONTEXT);
         make_current(contexts[c]);
         if (!right)
            fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
         offscreen_target(SIZE, SIZE);
         prepare();
         hash = draw();
         if (!right)
            right = hash;
         if (hash != right)
            fail("one of many contexts draws another picture");
      }
      for (int c = 9; c >= 0; c--)
         eglDestroyContext(the_display, contexts[c]);
   }
   make_current(EGL_NO_CONTEXT);
   eglTerminate(the_display);
}

enum { UPLOADS = 200 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static EGLContext upload_context;
static GLsync fence;
static unsigned shared_texture;
static int uploaded; /* how many uploads are done; the drawer answers by taking the fence */

static void *
upload(void *unused)
{
   uint8_t texels[16 * 16 * 4];

   make_current(upload_context);
   for (int i = 1; i <= UPLOADS; i++) {
      memset(texels, i, sizeof(texels));
      glBindTexture(GL_TEXTURE_2D, shared_texture);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
      pthread_mutex_lock(&lock);
      fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
      glFlush();
      uploaded = i;
      pthread_cond_broadcast(&changed);
      while (fence)
         pthread_cond_wait(&changed, &lock);
      pthread_mutex_unlock(&lock);
   }
   make_current(EGL_NO_CONTEXT);
   return NULL;
}

static void
case_shared(void)
{
   static const char textured[] = "#version 120\n"
                                  "varying vec2 at; uniform sampler2D image;\n"
                                  "void main() { gl_FragColor = texture2D(image, at); }\n";
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
   EGLContext context;
   pthread_t thread;

   open_display();
   context = new_context(EGL_NO_CONTEXT);
   upload_context = new_context(context);
   make_current(context);
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_target(SIZE, SIZE);
   glUseProgram(offscreen_program(vertex_source, textured));
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glGenTextures(1, &shared_texture);
   if (pthread_create(&thread, NULL, upload, NULL))
      fail("no second thread");
   for (int i = 1; i <= UPLOADS; i++) {
      uint8_t pixel[4];
      GLsync wait;

      pthread_mutex_lock(&lock);
      while (uploaded < i)
         pthread_cond_wait(&changed, &lock);
      wait = fence;
      pthread_mutex_unlock(&lock);
      glWaitSync(wait, 0, GL_TIMEOUT_IGNORED);
      /* Binding again is what makes another context's change visible (OpenGL 3.1, appendix D). */
      glBindTexture(GL_TEXTURE_2D, shared_texture);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      glReadPixels(SIZE / 2, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
      if (pixel[0] != (uint8_t)i)
         fail("the drawing thread does not see what the other uploaded");
      glDeleteSync(wait);
      pthread_mutex_lock(&lock);
      fence = NULL;
      pthread_cond_broadcast(&changed);
      pthread_mutex_unlock(&lock);
   }
   pthread_join(thread, NULL);
   make_current(EGL_NO_CONTEXT);
   eglTerminate(the_display);
}

enum { IMAGE = 128, CELL = 8, CELLS = SIZE / CELL };

/* A level of one shade, whole or its left half. */
static void
write_level(int level, int width, uint8_t shade)
{
   static uint8_t texels[IMAGE * IMAGE * 4];

   memset(texels, shade, sizeof(texels));
   glTexSubImage2D(GL_TEXTURE_2D, level, 0, 0, width, IMAGE >> level, GL_RGBA, GL_UNSIGNED_BYTE,
                   texels);
}

/* Shows a level in a cell of the target; the next cell. */
static unsigned
draw_level(unsigned cell, int level)
{
   glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MIN_LOD, (float)level);
   glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_LOD, (float)level);
   glScissor((int)(cell % CELLS) * CELL, (int)(cell / CELLS) * CELL, CELL, CELL);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   return cell + 1;
}

/* A level gets one shade by rendering. */
static void
clear_level(unsigned texture, int level, uint8_t shade)
{
   int target;
   unsigned framebuffer;
   float c = (float)shade / 255.0f;

   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level);
   glDisable(GL_SCISSOR_TEST);
   glClearColor(c, c, c, c);
   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_SCISSOR_TEST);
   glBindFramebuffer(GL_FRAMEBUFFER, (unsigned)target);
   glDeleteFramebuffers(1, &framebuffer);
}

static void
check_level(int level, uint8_t shade)
{
   static uint8_t texels[IMAGE * IMAGE * 4];

   glGetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   for (int i = 0; i < (IMAGE >> level) * (IMAGE >> level) * 4; i++)
      if (texels[i] != shade)
         fail("a level does not hold what was written last");
}

/* Level 0 is written again and again, by turns with level 1, if there is one, in the ways that a
 * level can be written. */
static void
check_uploads(int last_level)
{
   static uint8_t pixels[SIZE * SIZE * 4];
   uint8_t shades[CELLS * CELLS], shade = 0, mip = 0;
   unsigned texture, cell = 0;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, last_level);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                   last_level ? GL_NEAREST_MIPMAP_NEAREST : GL_NEAREST);
   for (int level = 0; level <= last_level; level++) {
      glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, IMAGE >> level, IMAGE >> level, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, NULL);
      write_level(level, IMAGE >> level, 0);
   }
   for (int round = 0; round < 20; round++) {
      shade += 3;
      if (round % 7 == 6)
         clear_level(texture, 0, shade);
      else
         write_level(0, IMAGE, shade);
      if (round % 5 == 4)
         write_level(0, IMAGE / 2, shade);
      shades[cell] = shade;
      cell = draw_level(cell, 0);
      if (last_level && round % 6 == 3)
         clear_level(texture, 1, mip += 7);
      else if (last_level && round % 4 == 2)
         write_level(1, IMAGE / 2, mip += 7);
      shades[cell] = last_level ? mip : shade;
      cell = draw_level(cell, last_level ? 1 : 0);
   }
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned i = 0; i < cell; i++)
      for (unsigned p = 0; p < CELL * CELL; p++)
         if (pixels[4 * ((i / CELLS * CELL + p / CELL) * SIZE + i % CELLS * CELL + p % CELL)] !=
             shades[i])
            fail("a draw does not see what had been written before it");
   check_level(0, shade);
   if (last_level)
      check_level(1, mip);
   glDeleteTextures(1, &texture);
}

/* Planes of depth and stencil, written together, whole and in part. */
static void
check_planes(void)
{
   static uint32_t texels[IMAGE * IMAGE], part[IMAGE * IMAGE], got[IMAGE * IMAGE];
   unsigned texture;

   for (uint32_t i = 0; i < IMAGE * IMAGE; i++)
      texels[i] = i * 2654435761u, part[i] = i * 2246822519u;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH24_STENCIL8, IMAGE, IMAGE, 0, GL_DEPTH_STENCIL,
                GL_UNSIGNED_INT_24_8, texels);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 3, 5, 50, 40, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, part);
   for (int i = 0; i < 50 * 40; i++)
      texels[(5 + i / 50) * IMAGE + 3 + i % 50] = part[i];
   glGetTexImage(GL_TEXTURE_2D, 0, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, got);
   for (int i = 0; i < IMAGE * IMAGE; i++)
      if ((texels[i] & 0xff) != (got[i] & 0xff) ||
          labs((long)(texels[i] >> 8) - (long)(got[i] >> 8)) > 1)
         fail("depth or stencil is not what was written last");
}

static void
case_uploads(void)
{
   static const char textured[] = "#version 120\n"
                                  "varying vec2 at; uniform sampler2D image;\n"
                                  "void main() { gl_FragColor = texture2D(image, at); }\n";
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };

   open_display();
   make_current(new_context(EGL_NO_CONTEXT));
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_target(SIZE, SIZE);
   glUseProgram(offscreen_program(vertex_source, textured));
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glEnable(GL_SCISSOR_TEST);
   for (int last_level = 0; last_level < 3; last_level++)
      check_uploads(last_level);
   check_planes();
   make_current(EGL_NO_CONTEXT);
   eglTerminate(the_display);
}

static void *
draw_many(void *hashes)
{
   EGLContext context = new_context(EGL_NO_CONTEXT);
   uint64_t *hash = hashes;

   make_current(context);
   offscreen_target(SIZE, SIZE);
   prepare();
   for (int i = 0; i < 50; i++) {
      uint64_t now = draw();

      if (i && now != *hash)
         fail("a thread's picture changed while another one drew");
      *hash = now;
   }
   make_current(EGL_NO_CONTEXT);
   return NULL;
}

static void
case_threads(void)
{
   pthread_t threads[2];
   uint64_t hashes[2] = { 0, 1 };

   open_display();
   for (int i = 0; i < 2; i++)
      if (pthread_create(&threads[i], NULL, draw_many, &hashes[i]))
         fail("no second thread");
   for (int i = 0; i < 2; i++)
      pthread_join(threads[i], NULL);
   if (hashes[0] != hashes[1])
      fail("two threads draw different pictures");
   eglTerminate(the_display);
}

static void *
change_compilers(void *linking)
{
   void (*set)(unsigned) = (void (*)(unsigned))eglGetProcAddress("glMaxShaderCompilerThreadsKHR");

   make_current(upload_context);
   for (unsigned i = 0; __atomic_load_n((bool *)linking, __ATOMIC_ACQUIRE); i++)
      set(i % 5);
   make_current(EGL_NO_CONTEXT);
   return NULL;
}

static void
case_compilers(void)
{
   EGLContext context;
   pthread_t thread;
   bool linking = true;
   uint64_t right = 0;

   open_display();
   context = new_context(EGL_NO_CONTEXT);
   upload_context = new_context(context);
   make_current(context);
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_KHR_parallel_shader_compile"))
      fail("no GL_KHR_parallel_shader_compile");
   offscreen_target(SIZE, SIZE);
   if (pthread_create(&thread, NULL, change_compilers, &linking))
      fail("no second thread");
   for (unsigned round = 0; round < 20; round++) {
      unsigned programs[SLOW_PROGRAMS];

      for (unsigned i = 0; i < SLOW_PROGRAMS; i++)
         programs[i] = link_slow(SLOW_PROGRAMS * round + i);
      right = draw_alike(programs, right);
   }
   __atomic_store_n(&linking, false, __ATOMIC_RELEASE);
   pthread_join(thread, NULL);
   make_current(EGL_NO_CONTEXT);
   eglTerminate(the_display);
}

/* Allocators like to give a new program the addresses of the one before: nothing may be told from
 * them alone. */
static void
case_deleted(void)
{
   static const char filled[] = "#version 120\n"
                                "uniform vec4 colour;\n"
                                "void main() { gl_FragColor = colour * %u.0 / 64.0; }\n";
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
   EGLContext contexts[2];

   open_display();
   contexts[0] = new_context(EGL_NO_CONTEXT);
   contexts[1] = new_context(contexts[0]);
   for (int i = 1; i >= 0; i--) {
      make_current(contexts[i]);
      offscreen_target(SIZE, SIZE);
      glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
      glEnableVertexAttribArray(0);
   }
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   for (unsigned round = 1; round <= 64; round++) {
      char source[200];
      uint8_t pixel[4];
      unsigned program;

      snprintf(source, sizeof(source), filled, round);
      make_current(contexts[0]);
      program = offscreen_program(vertex_source, source);
      glUseProgram(program);
      glUniform4f(glGetUniformLocation(program, "colour"), 1, 1, 1, 1);
      glFinish();
      make_current(contexts[1]);
      glUseProgram(program);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      glReadPixels(SIZE / 2, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
      if (pixel[0] != round * 255 / 64 && pixel[0] != round * 255 / 64 + 1)
         fail("a program draws what one drew that is deleted");
      glUseProgram(0);
      glFinish();
      make_current(contexts[0]);
      glUseProgram(0);
      glDeleteProgram(program);
   }
   make_current(EGL_NO_CONTEXT);
   eglTerminate(the_display);
}

/* A context that is told of resets, with the target and program of all cases. */
static EGLContext
robust_context(void)
{
   static const EGLint attributes[] = { EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                        EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE };
   EGLContext context = eglCreateContext(the_display, the_config, EGL_NO_CONTEXT, attributes);

   if (context == EGL_NO_CONTEXT)
      fail("EGL creates no context that is told of resets");
   make_current(context);
   offscreen_target(SIZE, SIZE);
   prepare();
   return context;
}

static void
case_reset(void)
{
   static const char endless_source[] = "#version 120\n"
                                        "uniform int zero;\n"
                                        "void main() {\n"
                                        "   int n = 0;\n"
                                        "   while (n != 1) n += 2 + zero;\n"
                                        "   gl_FragColor = vec4(float(n));\n"
                                        "}\n";
   uint64_t right;

   open_display();
   robust_context();
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   right = draw();
   if (reset_status() != GL_NO_ERROR)
      fail("a picture is taken for a reset");
   glUseProgram(offscreen_program(vertex_source, endless_source));
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish();
   if (reset_status() == GL_NO_ERROR)
      fail("a shader that never ends is no reset");
   robust_context();
   if (draw() != right)
      fail("another context draws another picture after the reset");
   if (reset_status() != GL_NO_ERROR)
      fail("a context hears of a reset that came before it");
   eglTerminate(the_display);
}

/* What Mesa runs a vertex shader for on the processor: how often it is to work is up to it. */
static void
run_on_processor(unsigned way)
{
   static float feedback[64];
   static unsigned names[64];

   if (way == 0) {
      glRasterPos2f(0, 0);
      return;
   }
   if (way == 1)
      glFeedbackBuffer(64, GL_2D, feedback);
   else
      glSelectBuffer(64, names);
   glRenderMode(way == 1 ? GL_FEEDBACK : GL_SELECT);
   glBegin(GL_TRIANGLES);
   for (int i = 0; i < 9; i++)
      glVertex2f((float)(i & 1), (float)(i & 2));
   glEnd();
   glRenderMode(GL_RENDER);
}

static void
case_reset_raster(void)
{
   static const char *const loops[] = {
      "while (n != 1) n += 2 + zero;",
      "for (int i = 0; i >= 0; i = zero) for (int k = 0; k < 9; k++) n += k;",
      "if (zero == 0) { while (true) { if (n == 1) break; n += 2 + zero; } }",
   };
   const unsigned count = sizeof(loops) / sizeof(*loops);

   open_display();
   for (unsigned way = 0; way < 3; way++) {
      for (unsigned i = 0; i <= count; i++) {
         char source[512];
         const bool ends = i == count;

         snprintf(source, sizeof(source),
                  "#version 120\nuniform int zero;\n"
                  "void main() { int n = 0; %s\n"
                  "   gl_FrontColor = vec4(float(n) * 0.25); gl_Position = gl_Vertex; }\n",
                  ends ? "for (int i = 0; i < 3 + zero; i++) n += i;" : loops[i]);
         robust_context();
         if (way == 0 && i == 0)
            fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
         unsigned program = glCreateProgram();
         offscreen_attach(program, &(struct offscreen_shader){ GL_VERTEX_SHADER, source }, 1);
         offscreen_link(program);
         glUseProgram(program);
         run_on_processor(way);
         if (ends != (reset_status() == GL_NO_ERROR))
            fail(ends ? "a vertex shader that ends is taken for a reset"
                      : "a vertex shader that never ends is no reset");
         float colour[4];
         glGetFloatv(GL_CURRENT_RASTER_COLOR, colour);
         if (ends && way == 0 && colour[0] != 0.75f)
            fail("glRasterPos has another colour than its shader");
      }
   }
   eglTerminate(the_display);
}

static void GLAPIENTRY
count_error(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
            const GLchar *message, const void *user)
{
   (void)source, (void)id, (void)severity, (void)length, (void)message;
   if (type == GL_DEBUG_TYPE_ERROR)
      ++*(unsigned *)user;
}

/* Arrays of this length, indexed at run time, are beyond IL's. */
#define TOO_LONG "float many[20000]; for (int i = 0; i < 20000; i++) many[i] = float(i + first);\n"

/* 32 control points with 32 vectors each, read and written, and one of the patch: over 32 KB. Whole
 * numbers, whose sum is exact in any order. */
static unsigned
large_patch(void)
{
   static const struct offscreen_shader shaders[] = {
      { GL_VERTEX_SHADER, "#version 430\n"
                          "out vec4 one[31];\n"
                          "void main() {\n"
                          "   for (int i = 0; i < 31; i++) one[i] = vec4(gl_VertexID * 31 + i) * "
                          "vec4(1, 2, 0.5, 0.25);\n"
                          "   gl_Position = vec4(gl_VertexID); }\n" },
      { GL_TESS_CONTROL_SHADER,
        "#version 430\n"
        "layout(vertices = 32) out; in vec4 one[][31]; out vec4 two[][31]; patch out vec4 whole;\n"
        "void main() {\n"
        "   whole = one[31][30];\n"
        "   for (int i = 0; i < 31; i++)\n"
        "      two[gl_InvocationID][i] = one[31 - gl_InvocationID][i];\n"
        "   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
        "   gl_TessLevelOuter = float[4](1, 1, 1, 1); gl_TessLevelInner = float[2](1, 1); }\n" },
      { GL_TESS_EVALUATION_SHADER,
        "#version 430\n"
        "layout(triangles) in; in vec4 two[][31]; patch in vec4 whole; out vec4 sum, last;\n"
        "void main() {\n"
        "   sum = vec4(0); last = whole; gl_Position = vec4(0);\n"
        "   for (int v = 0; v < 32; v++) {\n"
        "      gl_Position += gl_in[v].gl_Position;\n"
        "      for (int i = 0; i < 31; i++) sum += float(1 + v % 4) * two[v][i]; } }\n" },
   };
   static const char *const captured[] = { "sum", "last", "gl_Position" };
   unsigned program = glCreateProgram();

   offscreen_attach(program, shaders, 3);
   glTransformFeedbackVaryings(program, 3, captured, GL_INTERLEAVED_ATTRIBS);
   offscreen_link(program);
   return program;
}

static void
case_patch(void)
{
   enum { PATCHES = 3, VALUES = 12, VERTICES = 3 * PATCHES };
   static const float scale[4] = { 1, 2, 0.5f, 0.25f };
   float seen[VERTICES][VALUES] = { { 0 } };
   unsigned buffer;

   open_display();
   robust_context();
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   glUseProgram(large_patch());
   glPatchParameteri(GL_PATCH_VERTICES, 32);
   glEnable(GL_RASTERIZER_DISCARD);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof(seen), seen, GL_STATIC_READ);
   glBeginTransformFeedback(GL_TRIANGLES);
   glDrawArrays(GL_PATCHES, 0, 32 * PATCHES);
   glEndTransformFeedback();
   glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(seen), seen);
   for (int n = 0; n < VERTICES; n++) {
      const int first = n / 3 * 32;
      float expected[3] = { 0, (float)((first + 31) * 31 + 30), 0 };
      for (int v = 0; v < 32; v++) {
         expected[2] += (float)(first + v);
         for (int i = 0; i < 31; i++)
            expected[0] += (float)((4 - v % 4) * ((first + v) * 31 + i));
      }
      for (int i = 0; i < VALUES; i++)
         if (seen[n][i] != expected[i / 4] * (i < 8 ? scale[i % 4] : 1))
            fail("a large patch is not evaluated right");
   }
   if (glGetError() != GL_NO_ERROR)
      fail("a large patch is an error");
   eglTerminate(the_display);
}

/* A program of one stage that the driver has no program for: it does not link, and says why. */
static void
refuse(GLenum stage, const char *source)
{
   const struct offscreen_shader shader = { stage, source };
   unsigned program = glCreateProgram();
   char log[1000] = "";
   int linked;

   glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
   offscreen_attach(program, &shader, 1);
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   glGetProgramInfoLog(program, sizeof(log), NULL, log);
   if (linked)
      fail("a shader that the driver cannot compile links");
   if (!strstr(log, "no program for the"))
      fail("the info log does not say why a program does not link");
   glUseProgram(program);
   if (glGetError() != GL_INVALID_OPERATION)
      fail("a program that did not link can be used");
   glDeleteProgram(program);
}

static void
case_refused(void)
{
   static const float corners[] = { -1, -1, 1, -1, -1, 1 };
   unsigned errors = 0;
   uint64_t right;

   /* Before 4.4 vertices may be any number of bytes apart. */
   setenv("MESA_GL_VERSION_OVERRIDE", "4.3COMPAT", 1);
   open_display();
   robust_context();
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   right = draw();
   refuse(GL_VERTEX_SHADER,
          "#version 430\nout gl_PerVertex { vec4 gl_Position; }; uniform int first;\n"
          "void main() { " TOO_LONG "gl_Position = vec4(many[first]); }\n");
   refuse(GL_FRAGMENT_SHADER, "#version 430\nout vec4 colour; uniform int first;\n"
                              "void main() { " TOO_LONG "colour = vec4(many[first]); }\n");
   refuse(GL_COMPUTE_SHADER, "#version 430\nlayout(local_size_x = 1) in; uniform int first;\n"
                             "buffer Result { float result; };\n"
                             "void main() { " TOO_LONG "result = many[first]; }\n");
   glEnable(GL_DEBUG_OUTPUT);
   glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
   glDebugMessageCallback(count_error, &errors);
   prepare();
   if (draw() != right || errors)
      fail("another program draws another picture after some that were refused");
   glEnableVertexAttribArray(0);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 5001, corners);
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish();
   if (!errors)
      fail("a draw is left out in silence");
   errors = 0;
   if (draw() != right || errors)
      fail("another picture after a draw that was left out");
   eglTerminate(the_display);
}

static const struct {
   const char *name;
   void (*run)(void);
} cases[] = {
   { "rounding", case_rounding },   { "traps", case_traps },
   { "fork", case_fork },           { "fork-compiling", case_fork_compiling },
   { "compilers", case_compilers }, { "deleted", case_deleted },
   { "contexts", case_contexts },   { "shared", case_shared },
   { "uploads", case_uploads },     { "threads", case_threads },
   { "reset", case_reset },         { "reset-raster", case_reset_raster },
   { "refused", case_refused },     { "patch", case_patch },
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
