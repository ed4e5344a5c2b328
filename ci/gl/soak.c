/* SPDX-License-Identifier: MIT */
/*
 * One of the processes of ./atoll soak: gl-soak SEED.  It makes a context, draws, uploads, compiles
 * programs that nobody has compiled before, and lets all of it go, again and again, until it is
 * told to end (SIGTERM), which gives exit code 0.  Now and then it forks a child, which draws with
 * a context of its own and ends in the middle of it: by exit(), _exit() or a signal.
 *
 * What is drawn has to be right, or the reason is on stderr and the exit code 1.
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIDE = 64, OBJECTS = 6, CHILD_SECONDS = 120 };

static volatile sig_atomic_t ends;
static EGLDisplay display;
static EGLConfig config;
static uint64_t state;

static uint32_t
chance(uint32_t count)
{
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return (uint32_t)(state >> 16) % count;
}

static void
fail(const char *why)
{
   fprintf(stderr, "process %d: %s\n", (int)getpid(), why);
   _exit(1);
}

static void
end(int number)
{
   (void)number;
   ends = 1;
}

static void
open_display(void)
{
   static const EGLint attributes[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                        EGL_OPENGL_BIT, EGL_NONE };
   EGLint count = 0;

   display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) ||
       !eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, attributes, &config, 1, &count) ||
       !count)
      fail("no display");
}

static EGLContext
open_context(void)
{
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);

   if (context == EGL_NO_CONTEXT ||
       !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      fail("no context");
   return context;
}

static void
close_context(EGLContext context)
{
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
}

/* A program that has not been compiled before; its colour is that of the texture. */
static unsigned
new_program(void)
{
   static const char vertex[] =
      "#version 130\nvoid main() { gl_Position = "
      "vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }\n";
   char fragment[500];

   snprintf(fragment, sizeof(fragment),
            "#version 130\nuniform sampler2D image; uniform int count;\n"
            "void main() { vec4 sum = vec4(0.0);\n"
            "   for (int i = 0; i < count; i++) sum += vec4(%u.0);\n"
            "   gl_FragColor = texture(image, gl_FragCoord.xy) + sum; }\n",
            chance(1u << 23));
   return offscreen_program(vertex, fragment);
}

/* Uploads, draws and reads. */
static void
draw(void)
{
   static uint32_t texels[512 * 512];
   const unsigned size = 1u << (3 + chance(7));
   const uint32_t colour = chance(1u << 24) | 0xff000000;
   const unsigned program = new_program();
   unsigned target = offscreen_target(SIDE, SIDE), texture, buffers[OBJECTS];
   uint32_t pixel = 0;

   for (unsigned i = 0; i < size * size; i++)
      texels[i] = colour;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (int)size, (int)size, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                texels);
   glGenerateMipmap(GL_TEXTURE_2D);
   glGenBuffers(OBJECTS, buffers);
   for (unsigned i = 0; i < OBJECTS; i++) {
      glBindBuffer(GL_COPY_WRITE_BUFFER, buffers[i]);
      glBufferData(GL_COPY_WRITE_BUFFER, 1 + chance(sizeof(texels)), texels, GL_DYNAMIC_DRAW);
   }
   glUseProgram(program);
   for (unsigned i = 0; i < 1 + chance(8); i++)
      glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels((int)chance(SIDE), (int)chance(SIDE), 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
   if (pixel != colour)
      fail("a pixel has another colour than its texture");
   int renderbuffer[2];
   glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                         GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, renderbuffer);
   glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT,
                                         GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, renderbuffer + 1);
   glDeleteFramebuffers(1, &target);
   glDeleteRenderbuffers(2, (const unsigned *)renderbuffer);
   glDeleteTextures(1, &texture);
   glDeleteBuffers(OBJECTS, buffers);
   glDeleteProgram(program);
   if (glGetError() != GL_NO_ERROR)
      fail("an error of OpenGL's");
}

/* A child that ends with its work half done. */
static void
have_a_child(void)
{
   const unsigned how = chance(4);
   const pid_t child = fork();
   int status;

   if (child < 0)
      fail("no child");
   if (!child) {
      setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
      signal(SIGTERM, SIG_DFL);
      alarm(CHILD_SECONDS);
      open_display();
      open_context();
      draw();
      glClear(GL_COLOR_BUFFER_BIT);
      glFlush();
      if (how == 0)
         exit(0);
      if (how == 1)
         kill(getpid(), SIGKILL);
      if (how == 2)
         raise(SIGSEGV);
      _exit(0);
   }
   if (waitpid(child, &status, 0) != child)
      fail("a child is lost");
   const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
   if (!(how == 1   ? number == SIGKILL
         : how == 2 ? number == SIGSEGV
                    : WIFEXITED(status) && WEXITSTATUS(status) == 0))
      fail("a child does not end as it should");
}

int
main(int argc, char **argv)
{
   state = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(1 + (argc > 1 ? atoi(argv[1]) : 0));
   signal(SIGTERM, end);
   open_display();
   EGLContext first = open_context();
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   close_context(first);
   for (unsigned rounds = 1; !ends; rounds++) {
      EGLContext context = open_context();

      for (unsigned i = 0; i < 1 + chance(6) && !ends; i++)
         draw();
      close_context(context);
      if (chance(8) == 0)
         have_a_child();
      if (rounds % 16 == 0)
         fprintf(stderr, "%u rounds\n", rounds);
   }
   return 0;
}
