/* SPDX-License-Identifier: MIT */
/* gl-host: Several contexts and threads. */
#include "host.h"

#include <EGL/egl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

void
host_case_contexts(void)
{
   uint64_t right = 0;

   host_open_display();
   for (int i = 0; i < 10; i++) {
      EGLContext contexts[10];

      for (int c = 0; c < 10; c++) {
         uint64_t hash;

         contexts[c] = host_new_context(EGL_NO_CONTEXT);
         host_make_current(contexts[c]);
         if (!right)
            fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
         offscreen_target(SIZE, SIZE);
         host_program();
         hash = host_draw();
         if (!right)
            right = hash;
         if (hash != right)
            host_fail("one of many contexts draws another picture");
      }
      for (int c = 9; c >= 0; c--)
         eglDestroyContext(host_display, contexts[c]);
   }
   host_make_current(EGL_NO_CONTEXT);
   eglTerminate(host_display);
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

   host_make_current(upload_context);
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
   host_make_current(EGL_NO_CONTEXT);
   return NULL;
}

void
host_case_shared(void)
{
   static const char textured[] = "#version 120\n"
                                  "varying vec2 at; uniform sampler2D image;\n"
                                  "void main() { gl_FragColor = texture2D(image, at); }\n";
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
   EGLContext context;
   pthread_t thread;

   host_open_display();
   context = host_new_context(EGL_NO_CONTEXT);
   upload_context = host_new_context(context);
   host_make_current(context);
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_target(SIZE, SIZE);
   glUseProgram(offscreen_program(host_vertex_source, textured));
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glGenTextures(1, &shared_texture);
   if (pthread_create(&thread, NULL, upload, NULL))
      host_fail("no second thread");
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
         host_fail("the drawing thread does not see what the other uploaded");
      glDeleteSync(wait);
      pthread_mutex_lock(&lock);
      fence = NULL;
      pthread_cond_broadcast(&changed);
      pthread_mutex_unlock(&lock);
   }
   pthread_join(thread, NULL);
   host_make_current(EGL_NO_CONTEXT);
   eglTerminate(host_display);
}

static void *
draw_many(void *hashes)
{
   EGLContext context = host_new_context(EGL_NO_CONTEXT);
   uint64_t *hash = hashes;

   host_make_current(context);
   offscreen_target(SIZE, SIZE);
   host_program();
   for (int i = 0; i < 50; i++) {
      uint64_t now = host_draw();

      if (i && now != *hash)
         host_fail("a thread's picture changed while another one drew");
      *hash = now;
   }
   host_make_current(EGL_NO_CONTEXT);
   return NULL;
}

void
host_case_threads(void)
{
   pthread_t threads[2];
   uint64_t hashes[2] = { 0, 1 };

   host_open_display();
   for (int i = 0; i < 2; i++)
      if (pthread_create(&threads[i], NULL, draw_many, &hashes[i]))
         host_fail("no second thread");
   for (int i = 0; i < 2; i++)
      pthread_join(threads[i], NULL);
   if (hashes[0] != hashes[1])
      host_fail("two threads draw different pictures");
   eglTerminate(host_display);
}

static void *
change_compilers(void *linking)
{
   void (*set)(unsigned) = (void (*)(unsigned))eglGetProcAddress("glMaxShaderCompilerThreadsKHR");

   host_make_current(upload_context);
   for (unsigned i = 0; __atomic_load_n((bool *)linking, __ATOMIC_ACQUIRE); i++)
      set(i % 5);
   host_make_current(EGL_NO_CONTEXT);
   return NULL;
}

void
host_case_compilers(void)
{
   EGLContext context;
   pthread_t thread;
   bool linking = true;
   uint64_t right = 0;

   host_open_display();
   context = host_new_context(EGL_NO_CONTEXT);
   upload_context = host_new_context(context);
   host_make_current(context);
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_KHR_parallel_shader_compile"))
      host_fail("no GL_KHR_parallel_shader_compile");
   offscreen_target(SIZE, SIZE);
   if (pthread_create(&thread, NULL, change_compilers, &linking))
      host_fail("no second thread");
   for (unsigned round = 0; round < 20; round++) {
      unsigned programs[SLOW_PROGRAMS];

      for (unsigned i = 0; i < SLOW_PROGRAMS; i++)
         programs[i] = host_link_slow(SLOW_PROGRAMS * round + i);
      right = host_draw_alike(programs, right);
   }
   __atomic_store_n(&linking, false, __ATOMIC_RELEASE);
   pthread_join(thread, NULL);
   host_make_current(EGL_NO_CONTEXT);
   eglTerminate(host_display);
}

/* Allocators like to give a new program the addresses of the one before: nothing may be told from
 * them alone. */
void
host_case_deleted(void)
{
   static const char filled[] = "#version 120\n"
                                "uniform vec4 colour;\n"
                                "void main() { gl_FragColor = colour * %u.0 / 64.0; }\n";
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
   EGLContext contexts[2];

   host_open_display();
   contexts[0] = host_new_context(EGL_NO_CONTEXT);
   contexts[1] = host_new_context(contexts[0]);
   for (int i = 1; i >= 0; i--) {
      host_make_current(contexts[i]);
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
      host_make_current(contexts[0]);
      program = offscreen_program(host_vertex_source, source);
      glUseProgram(program);
      glUniform4f(glGetUniformLocation(program, "colour"), 1, 1, 1, 1);
      glFinish();
      host_make_current(contexts[1]);
      glUseProgram(program);
      glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
      glReadPixels(SIZE / 2, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
      if (pixel[0] != round * 255 / 64 && pixel[0] != round * 255 / 64 + 1)
         host_fail("a program draws what one drew that is deleted");
      glUseProgram(0);
      glFinish();
      host_make_current(contexts[0]);
      glUseProgram(0);
      glDeleteProgram(program);
   }
   host_make_current(EGL_NO_CONTEXT);
   eglTerminate(host_display);
}
