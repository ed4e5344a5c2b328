/* SPDX-License-Identifier: MIT */
/*
 * The end of a device in another process, as OpenGL tells of it: gl-ends, with
 * ATOLL_DEVICE=process.
 *
 * The device is killed while a draw of one context runs.  That is a reset: this context is guilty,
 * with a message of KHR_debug, the other one innocent, and a context that is made then draws what
 * it should.  So it does when the device was killed while it did nothing.  Memory of the program's
 * own, which the device cannot have, is not offered.
 *
 * GL_RENDERER goes to stderr first.
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../tests/process/find.h"

enum { SIDE = 64 };

static unsigned messages;

static bool
offers(const char *extension)
{
   GLint count = 0;
   bool found = false;

   glGetIntegerv(GL_NUM_EXTENSIONS, &count);
   for (GLint i = 0; i < count; i++)
      found = found || !strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i), extension);
   return found;
}

static void
expect(bool what, const char *text)
{
   if (what)
      return;
   printf("%s: not so\n", text);
   exit(1);
}

static void APIENTRY
heard(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar *text,
      const void *data)
{
   (void)source, (void)id, (void)severity, (void)length, (void)data;
   messages +=
      type == GL_DEBUG_TYPE_ERROR && strstr(text, "reset: the device's process ended") != NULL;
}

static EGLContext
open_context(EGLDisplay display)
{
   static const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION,
                                        4,
                                        EGL_CONTEXT_MINOR_VERSION,
                                        5,
                                        EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                        EGL_LOSE_CONTEXT_ON_RESET,
                                        EGL_CONTEXT_OPENGL_DEBUG,
                                        EGL_TRUE,
                                        EGL_NONE };
   EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);

   expect(context != EGL_NO_CONTEXT, "a context that is told of resets");
   return context;
}

static void
use(EGLDisplay display, EGLContext context)
{
   expect(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context), "a current context");
   glDebugMessageCallback(heard, NULL);
   glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
}

static unsigned
status(void)
{
   return ((unsigned (*)(void))eglGetProcAddress("glGetGraphicsResetStatusARB"))();
}

/* Whether the context is told of that and nothing else.  Mesa repeats it once. */
static bool
hears(unsigned what)
{
   bool right = status() == what;

   for (unsigned i = 0; i < 4 && right; i++) {
      const unsigned again = status();

      if (again == GL_NO_ERROR)
         return true;
      right = again == what;
   }
   return false;
}

/* A target of its own, green in all of it; whether it is. */
static bool
draws_green(void)
{
   unsigned framebuffer, renderbuffer;
   uint8_t pixels[SIDE * SIDE * 4];
   unsigned wrong = 0;

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIDE, SIDE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
   glClearColor(0, 1, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned i = 0; i < SIDE * SIDE; i++)
      wrong += pixels[i * 4] || pixels[i * 4 + 1] != 255 || pixels[i * 4 + 2];
   return !wrong && glGetError() == GL_NO_ERROR;
}

/* Work for as long as the budget lasts, in the current context. */
static void
dispatch_endless(void)
{
   static const char source[] =
      "#version 450\n"
      "layout(local_size_x = 1) in;\n"
      "layout(location = 3) uniform uint k;\n"
      "layout(binding = 0) buffer b { uint result; };\n"
      "void main() { uint x = 1u; while (x != k) x = x * 2u + 3u; result = x; }\n";
   const unsigned program = glCreateProgram();
   unsigned buffer;

   offscreen_attach(program, &(struct offscreen_shader){ GL_COMPUTE_SHADER, source }, 1);
   offscreen_link(program);
   glUseProgram(program);
   glUniform1ui(3, 2);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, 4, NULL, GL_DYNAMIC_DRAW);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glDispatchCompute(1, 1, 1);
   glFlush();
}

static void
kill_device(void)
{
   const int device = find_device_of(getpid());

   expect(device > 0, "a device's process");
   kill(device, SIGKILL);
   expect(find_end_of(device), "its end");
}

int
main(void)
{
   EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
   EGLContext guilty, innocent, fresh;

   expect(eglInitialize(display, NULL, NULL) && eglBindAPI(EGL_OPENGL_API), "EGL");
   innocent = open_context(display);
   guilty = open_context(display);
   use(display, innocent);
   fprintf(stderr, "GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   expect(!offers("GL_AMD_pinned_memory"), "no memory of the program's");
   expect(draws_green(), "a picture before");
   use(display, guilty);
   dispatch_endless();
   usleep(500000);
   kill_device();
   expect(hears(GL_GUILTY_CONTEXT_RESET_ARB), "guilty");
   expect(messages == 1, "one message of KHR_debug");
   use(display, innocent);
   expect(hears(GL_INNOCENT_CONTEXT_RESET_ARB), "innocent");
   fresh = open_context(display);
   use(display, fresh);
   expect(draws_green(), "a picture of a context that is made then");
   expect(status() == GL_NO_ERROR, "no reset in it");
   glFinish();
   kill_device();
   expect(hears(GL_INNOCENT_CONTEXT_RESET_ARB), "innocent of an end while nothing ran");
   fresh = open_context(display);
   use(display, fresh);
   expect(draws_green(), "a picture after that");
   expect(messages == 1, "no other message");
   printf("two ends\n");
   return 0;
}
