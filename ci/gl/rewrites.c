/* SPDX-License-Identifier: MIT */
/*
 * Buffers that are written between draws: uniform blocks, also between dispatches, vertices and
 * indices: gl-rewrites.  Exit code 0, and the number of cases, if each draw has the values that its
 * buffer had when it was drawn; otherwise the reason is on stderr.
 *
 * Buffers are written by all that OpenGL has for it: by the processor, whole and in part, through
 * maps of all kinds and through one that stays; by copies, clears, shaders and feedback; and by
 * another thread's context.  Each way is used alone, and then all of them at random, so that a
 * driver that has got used to one meets another.
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <pthread.h>
#include <semaphore.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 32, CELLS = SIZE * SIZE, DRAWS = 96, MIXED = 900, PART = 64, BYTES = 1024 };

/* The block's four vectors, of which a draw sees the sum. */
#define BLOCK "layout(std140, binding = 0) uniform B { uvec4 u[4]; };\n"

/* The draw's number is its vertex, a dispatch's its last group: no uniform changes between them. */
static const char vertex[] =
   "#version 430\n" BLOCK "flat out uvec4 seen;\n"
   "void main() { seen = u[0] + u[1] * 3u;\n"
   "   vec2 at = vec2(gl_VertexID % 32, gl_VertexID / 32);\n"
   "   gl_Position = vec4((at + 0.5) / 16.0 - 1.0, 0.0, 1.0); gl_PointSize = 1.0; }\n";
static const char fragment[] =
   "#version 430\n" BLOCK "flat in uvec4 seen; out uvec4 colour;\n"
   "void main() { colour = seen + u[2] * 5u + u[3] * uint(gl_FragCoord.z * 14.0); }\n";
static const char dispatched[] =
   "#version 430\nlayout(local_size_x = 1) in;\n" BLOCK
   "layout(std430, binding = 1) buffer R { uvec4 to[1024]; };\n"
   "void main() { uvec3 last = gl_NumWorkGroups - 1u;\n"
   "   if (gl_WorkGroupID == last)\n"
   "      to[last.x + last.y * 32u] = u[0] + u[1] * 3u + u[2] * 5u + u[3] * 7u; }\n";
/* The instance's attributes; and the index, with where to draw as a uniform. */
static const char fetched[] =
   "#version 430\nlayout(location = 0) in uvec4 u[4]; flat out uvec4 seen;\n"
   "void main() { seen = u[0] + u[1] * 3u + u[2] * 5u + u[3] * 7u;\n"
   "   vec2 at = vec2(gl_VertexID % 32, gl_VertexID / 32);\n"
   "   gl_Position = vec4((at + 0.5) / 16.0 - 1.0, 0.0, 1.0); gl_PointSize = 1.0; }\n";
static const char indexed[] =
   "#version 430\nlayout(location = 0) uniform int cell; flat out uvec4 seen;\n"
   "void main() { seen = uint(gl_VertexID) + uvec4(0u, 1u, 2u, 3u);\n"
   "   vec2 at = vec2(cell % 32, cell / 32);\n"
   "   gl_Position = vec4((at + 0.5) / 16.0 - 1.0, 0.0, 1.0); gl_PointSize = 1.0; }\n";
static const char plain[] = "#version 430\nflat in uvec4 seen; out uvec4 colour;\n"
                            "void main() { colour = seen; }\n";
static const char stored[] =
   "#version 430\nlayout(local_size_x = 4) in;\n"
   "layout(std430, binding = 2) buffer W { uvec4 into[]; };\n"
   "layout(location = 0) uniform uvec4 first; layout(location = 1) uniform int vector;\n"
   "void main() { uint n = gl_LocalInvocationID.x;\n"
   "   into[uint(vector) + n] = first + n; }\n";
static const char captured[] =
   "#version 430\nout uvec4 value; layout(location = 0) uniform uvec4 first;\n"
   "void main() { value = first + uint(gl_VertexID);\n"
   "   gl_Position = vec4(0.0); }\n";

static const char nothing[] =
   "#version 430\nout uvec4 colour; void main() { colour = uvec4(0u); }\n";

/* What reads the buffer, and by which program. */
enum reader { DRAW, DISPATCH, VERTICES, INDICES, READERS };
static const char *const readers[READERS] = { "draw", "dispatch", "vertex", "index" };

static unsigned programs[READERS], vertex_arrays[READERS], store_program, capture_program;
static unsigned block, kept, source, results, capture;
static uint32_t *kept_map;
static uint32_t held[BYTES / 4], kept_held[BYTES / 4]; /* what the buffers hold */
static unsigned cases, noise = 1;

static uint32_t
random_word(void)
{
   noise = noise * 1664525 + 1013904223;
   return noise >> 8;
}

static void
fail(const char *way, const char *what)
{
   fprintf(stderr, "%s: %s\n", way, what);
   exit(1);
}

/* `first`, and the same with 1, 2, 3 added to each component, as the shaders have it. */
static void
fill(uint32_t *words, uint32_t first)
{
   for (unsigned n = 0; n < PART / 4; n++)
      words[n] = first + n / 4;
}

static void
write_data(unsigned at, uint32_t first)
{
   fill(held + at / 4, first);
   glBufferSubData(GL_UNIFORM_BUFFER, at, PART, held + at / 4);
}

static void
write_part(unsigned at, uint32_t first)
{
   held[at / 4 + 5] = first;
   glBufferSubData(GL_UNIFORM_BUFFER, at + 20, 4, held + at / 4 + 5);
}

static void
write_all(unsigned at, uint32_t first)
{
   fill(held + at / 4, first);
   glBufferSubData(GL_UNIFORM_BUFFER, 0, BYTES, held);
}

static void
write_anew(unsigned at, uint32_t first)
{
   fill(held + at / 4, first);
   glBufferData(GL_UNIFORM_BUFFER, BYTES, held, GL_DYNAMIC_DRAW);
}

static void
write_map(unsigned at, uint32_t first, GLbitfield access)
{
   uint32_t *map = glMapBufferRange(GL_UNIFORM_BUFFER, at, PART, GL_MAP_WRITE_BIT | access);

   if (!map)
      fail("a map", "is none");
   fill(held + at / 4, first);
   memcpy(map, held + at / 4, PART);
   if (access & GL_MAP_FLUSH_EXPLICIT_BIT)
      glFlushMappedBufferRange(GL_UNIFORM_BUFFER, 0, PART);
   glUnmapBuffer(GL_UNIFORM_BUFFER);
}

static void
write_plain_map(unsigned at, uint32_t first)
{
   write_map(at, first, 0);
}

static void
write_read_map(unsigned at, uint32_t first)
{
   write_map(at, first, GL_MAP_READ_BIT);
}

static void
write_range_map(unsigned at, uint32_t first)
{
   write_map(at, first, GL_MAP_INVALIDATE_RANGE_BIT);
}

static void
write_flushed_map(unsigned at, uint32_t first)
{
   write_map(at, first, GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT);
}

static void
write_copy(unsigned at, uint32_t first)
{
   fill(held + at / 4, first);
   glBindBuffer(GL_COPY_READ_BUFFER, source);
   glBufferSubData(GL_COPY_READ_BUFFER, 256, PART, held + at / 4);
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_UNIFORM_BUFFER, 256, at, PART);
}

static void
write_clear(unsigned at, uint32_t first)
{
   for (unsigned n = 0; n < PART / 4; n++)
      held[at / 4 + n] = first;
   glClearBufferSubData(GL_UNIFORM_BUFFER, GL_R32UI, at, PART, GL_RED_INTEGER, GL_UNSIGNED_INT,
                        &first);
}

static void
write_stored(unsigned at, uint32_t first)
{
   fill(held + at / 4, first);
   glUseProgram(store_program);
   glUniform4ui(0, first, first, first, first);
   glUniform1i(1, (int)at / 16);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, block);
   glDispatchCompute(1, 1, 1);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

static void
write_captured(unsigned at, uint32_t first)
{
   fill(held + at / 4, first);
   glUseProgram(capture_program);
   glUniform4ui(0, first, first, first, first);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, capture);
   glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, block, at, PART);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, 4);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
}

/* Another context, and what it is to write. */
static struct other {
   pthread_t thread;
   sem_t wanted, done;
   EGLDisplay display;
   EGLContext context;
   void (*write)(unsigned at, uint32_t first);
   unsigned at;
   uint32_t first;
} other;

static void *
serve(void *unused)
{
   (void)unused;
   if (!eglBindAPI(EGL_OPENGL_API) ||
       !eglMakeCurrent(other.display, EGL_NO_SURFACE, EGL_NO_SURFACE, other.context))
      fail("another context", "is not made current");
   for (;;) {
      while (sem_wait(&other.wanted))
         ;
      if (!other.write)
         break;
      glBindBuffer(GL_UNIFORM_BUFFER, block);
      other.write(other.at, other.first);
      glFinish();
      sem_post(&other.done);
   }
   eglMakeCurrent(other.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   return NULL;
}

static void
ask_other(void (*write)(unsigned at, uint32_t first), unsigned at, uint32_t first)
{
   other.write = write;
   other.at = at;
   other.first = first;
   sem_post(&other.wanted);
   while (write && sem_wait(&other.done))
      ;
}

static void
open_other(void)
{
   const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3,
                                 EGL_NONE };
   EGLint config, count = 0;
   EGLConfig configuration;

   other.display = eglGetCurrentDisplay();
   eglQueryContext(other.display, eglGetCurrentContext(), EGL_CONFIG_ID, &config);
   eglChooseConfig(other.display, (const EGLint[]){ EGL_CONFIG_ID, config, EGL_NONE },
                   &configuration, 1, &count);
   other.context =
      count ? eglCreateContext(other.display, configuration, eglGetCurrentContext(), attributes)
            : EGL_NO_CONTEXT;
   sem_init(&other.wanted, 0, 0);
   sem_init(&other.done, 0, 0);
   if (other.context == EGL_NO_CONTEXT || pthread_create(&other.thread, NULL, serve, NULL))
      fail("another context", "is none");
}

static void
close_other(void)
{
   ask_other(NULL, 0, 0);
   pthread_join(other.thread, NULL);
   eglDestroyContext(other.display, other.context);
}

static void
write_data_elsewhere(unsigned at, uint32_t first)
{
   glFinish();
   ask_other(write_data, at, first);
}

static void
write_stored_elsewhere(unsigned at, uint32_t first)
{
   glFinish();
   ask_other(write_stored, at, first);
}

static const struct way {
   const char *name;
   void (*write)(unsigned at, uint32_t first);
} ways[] = {
   { "glBufferSubData", write_data },
   { "glBufferSubData of a word", write_part },
   { "glBufferSubData of all", write_all },
   { "glBufferData", write_anew },
   { "a map", write_plain_map },
   { "a map that is read", write_read_map },
   { "a map that invalidates", write_range_map },
   { "a map that is flushed", write_flushed_map },
   { "glCopyBufferSubData", write_copy },
   { "glClearBufferSubData", write_clear },
   { "a shader", write_stored },
   { "feedback", write_captured },
   { "another context", write_data_elsewhere },
   { "another context's shader", write_stored_elsewhere },
};
enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

/* Bound as it is already, it is not bound again: only its contents are others then. */
static void
bind(enum reader reader, unsigned buffer, unsigned at)
{
   static unsigned bound[READERS], bound_at[READERS];

   if (bound[reader] == buffer && bound_at[reader] == at)
      return;
   bound[reader] = buffer;
   bound_at[reader] = at;
   if (reader == INDICES) {
      glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
   } else if (reader == VERTICES) {
      glBindBuffer(GL_ARRAY_BUFFER, buffer);
      for (unsigned n = 0; n < 4; n++)
         glVertexAttribIPointer(n, 4, GL_UNSIGNED_INT, PART, (void *)(uintptr_t)(at + 16 * n));
   } else {
      glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffer, at, PART);
      bound[DRAW] = bound[DISPATCH] = buffer;
      bound_at[DRAW] = bound_at[DISPATCH] = at;
   }
}

/* Draws or dispatches what the buffer holds, `values`; what that gives is in `want`. */
static void
use(enum reader reader, unsigned n, unsigned buffer, unsigned at, const uint32_t *values,
    uint32_t want[4])
{
   const unsigned word = random_word() % (PART / 4);

   glBindVertexArray(vertex_arrays[reader]);
   bind(reader, buffer, at);
   glUseProgram(programs[reader]);
   if (reader == DISPATCH) {
      glDispatchCompute(n % SIZE + 1, n / SIZE + 1, 1);
   } else if (reader == INDICES) {
      glUniform1i(0, (int)n);
      glDrawElements(GL_POINTS, 1, GL_UNSIGNED_INT, (void *)(uintptr_t)(at + 4 * word));
   } else {
      glDrawArrays(GL_POINTS, (int)n, 1);
   }
   glBindVertexArray(vertex_arrays[DRAW]);
   for (unsigned k = 0; k < 4; k++)
      want[k] = reader == INDICES
                   ? values[word] + k
                   : values[k] + values[4 + k] * 3 + values[8 + k] * 5 + values[12 + k] * 7;
}

static void
compare(const char *way, enum reader reader, uint32_t want[][4], unsigned count)
{
   static uint32_t is[CELLS][4];

   if (reader == DISPATCH)
      glGetNamedBufferSubData(results, 0, sizeof(is), is);
   else
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA_INTEGER, GL_UNSIGNED_INT, is);
   for (unsigned n = 0; n < count; n++) {
      if (memcmp(is[n], want[n], sizeof(is[n])) != 0) {
         fprintf(stderr, "%s: %s %u has %x, its buffer had %x\n", way, readers[reader], n, is[n][0],
                 want[n][0]);
         exit(1);
      }
      cases++;
   }
}

/* Draws, each after a write by `way`, or by any; by a map that stays, as well. */
static void
check(const char *name, const struct way *way, enum reader reader, unsigned count, bool with_kept)
{
   static uint32_t want[CELLS][4];
   const unsigned alignment = 256;
   unsigned at = 0;

   for (unsigned n = 0; n < count; n++) {
      const struct way *w = way ? way : &ways[random_word() % WAYS];

      const bool by_kept = with_kept && !(random_word() % 4);

      if (!way && !(random_word() % 8))
         at = random_word() % (BYTES / alignment) * alignment;
      glBindBuffer(GL_UNIFORM_BUFFER, block);
      if (by_kept) {
         /* What draws before it read may not be written: it has a range for each. */
         const unsigned range = n % (BYTES / alignment) * alignment;

         if (!(n % (BYTES / alignment)))
            glFinish();
         fill(kept_held + range / 4, random_word());
         memcpy(kept_map + range / 4, kept_held + range / 4, PART);
         glFinish();
         use(reader, n, kept, range, kept_held + range / 4, want[n]);
      } else {
         /* Now and then a draw of what is there. */
         if (random_word() % 8)
            w->write(at, random_word());
         use(reader, n, block, at, held + at / 4, want[n]);
      }
      if (!(random_word() % 64))
         glFlush();
      if (by_kept)
         glFinish();
   }
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   compare(name, reader, want, count);
}

static unsigned
link_compute(const char *text)
{
   const unsigned program = glCreateProgram();

   offscreen_attach(program, (const struct offscreen_shader[]){ { GL_COMPUTE_SHADER, text } }, 1);
   offscreen_link(program);
   return program;
}

/* Draws nothing, but needs the second stage where targets are integers. */
static unsigned
link_capture(void)
{
   static const char *const names[] = { "value" };
   const unsigned program = glCreateProgram();

   offscreen_attach(program,
                    (const struct offscreen_shader[]){ { GL_VERTEX_SHADER, captured },
                                                       { GL_FRAGMENT_SHADER, nothing } },
                    2);
   glTransformFeedbackVaryings(program, 1, names, GL_INTERLEAVED_ATTRIBS);
   offscreen_link(program);
   return program;
}

static unsigned
make_buffer(GLenum target, unsigned bytes)
{
   unsigned name;

   glGenBuffers(1, &name);
   glBindBuffer(target, name);
   glBufferData(target, bytes, NULL, GL_DYNAMIC_DRAW);
   return name;
}

int
main(void)
{
   unsigned target, framebuffer;

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   programs[DRAW] = offscreen_program(vertex, fragment);
   programs[DISPATCH] = link_compute(dispatched);
   programs[VERTICES] = offscreen_program(fetched, plain);
   programs[INDICES] = offscreen_program(indexed, plain);
   store_program = link_compute(stored);
   capture_program = link_capture();
   glGenVertexArrays(READERS, vertex_arrays);
   glBindVertexArray(vertex_arrays[VERTICES]);
   for (unsigned n = 0; n < 4; n++) {
      glEnableVertexAttribArray(n);
      glVertexAttribDivisor(n, 1);
   }
   glBindVertexArray(vertex_arrays[DRAW]);
   glGenTextures(1, &target);
   glBindTexture(GL_TEXTURE_2D, target);
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32UI, SIZE, SIZE);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
   glViewport(0, 0, SIZE, SIZE);
   source = make_buffer(GL_COPY_READ_BUFFER, BYTES);
   results = make_buffer(GL_SHADER_STORAGE_BUFFER, CELLS * 16);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, results);
   block = make_buffer(GL_UNIFORM_BUFFER, BYTES);
   glBufferSubData(GL_UNIFORM_BUFFER, 0, BYTES, held);
   glGenTransformFeedbacks(1, &capture);
   glGenBuffers(1, &kept);
   glBindBuffer(GL_COPY_WRITE_BUFFER, kept);
   glBufferStorage(GL_COPY_WRITE_BUFFER, BYTES, NULL,
                   GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT);
   kept_map = glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, BYTES,
                               GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT);
   if (!kept_map)
      fail("a map that stays", "is none");

   open_other();
   for (enum reader reader = DRAW; reader < READERS; reader++) {
      for (unsigned n = 0; n < WAYS; n++)
         check(ways[n].name, &ways[n], reader, DRAWS, false);
      check("all ways", NULL, reader, MIXED, false);
      check("all ways, and a map that stays", NULL, reader, MIXED, true);
   }
   close_other();
   if (glGetError() != GL_NO_ERROR)
      fail("OpenGL", "has an error");
   printf("%u\n", cases);
   offscreen_close();
   return 0;
}
