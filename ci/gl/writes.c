/* SPDX-License-Identifier: MIT */
/*
 * Memory that shaders write, in every stage: gl-writes.  Exit code 0, and the number of cases, if
 * all is right; otherwise each case that failed is on stderr.
 *
 *  1. Alone: one stage of a pipeline stores to an image of each kind, to a storage buffer or counts
 *     in an atomic counter; then it loads what it stored, asks for sizes and uses what atomic
 *     operations return.  All pipelines, with and without later stages, a fragment shader and
 *     rasteriser discard.
 *  2. Captured: the same of the last stage before the rasteriser, into a buffer that holds a few of
 *     the vertices and with nothing rasterised.
 *  3. Together: several stages of a pipeline count in one atomic counter, element of a buffer or
 *     texel.  Every increment arrives, and each value is handed out once.
 *  4. By two names: one buffer is bound to two points of counters, or as counters and as a storage
 *     buffer or an image; and all operations on counters, alone and with such another name.
 */
#include "offscreen.h"
#include "pipelines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTANCES = 9, TOO_LITTLE = 77 };

/* A kind of memory: what declares it, what of it belongs to number i, and its size in one number.
 */
static const struct kind {
   const char *name;
   GLenum target; /* GL_SHADER_STORAGE_BUFFER and GL_ATOMIC_COUNTER_BUFFER: no image */
   int width, height, depth, samples;
   const char *type, *at, *size;
   unsigned expected_size;
} kinds[] = {
   { "buffer", GL_SHADER_STORAGE_BUFFER, N, 1, 1, 0, NULL, NULL, "words.length()", N },
   { "counter", GL_ATOMIC_COUNTER_BUFFER, 1, 1, 1, 0, NULL, NULL, NULL, 0 },
   { "1D", GL_TEXTURE_1D, 16, 1, 1, 0, "uimage1D", "i", "imageSize(one)", 16 },
   { "2D", GL_TEXTURE_2D, 4, 5, 1, 0, "uimage2D", "ivec2(i % 4, i / 4)",
     "imageSize(one).x + 10 * imageSize(one).y", 54 },
   { "3D", GL_TEXTURE_3D, 4, 2, 3, 0, "uimage3D", "ivec3(i % 4, i / 4 % 2, i / 8)",
     "imageSize(one).x + 10 * imageSize(one).y + 100 * imageSize(one).z", 324 },
   { "rectangle", GL_TEXTURE_RECTANGLE, 5, 4, 1, 0, "uimage2DRect", "ivec2(i % 4, i / 4)",
     "imageSize(one).x + 10 * imageSize(one).y", 45 },
   { "cube", GL_TEXTURE_CUBE_MAP, 2, 2, 6, 0, "uimageCube", "ivec3(i % 2, i / 2 % 2, i / 4)",
     "imageSize(one).x + 10 * imageSize(one).y", 22 },
   { "1D array", GL_TEXTURE_1D_ARRAY, 4, 5, 1, 0, "uimage1DArray", "ivec2(i % 4, i / 4)",
     "imageSize(one).x + 10 * imageSize(one).y", 54 },
   { "2D array", GL_TEXTURE_2D_ARRAY, 2, 3, 4, 0, "uimage2DArray", "ivec3(i % 2, i / 2 % 2, i / 4)",
     "imageSize(one).x + 10 * imageSize(one).y + 100 * imageSize(one).z", 432 },
   { "cube array", GL_TEXTURE_CUBE_MAP_ARRAY, 2, 2, 12, 0, "uimageCubeArray",
     "ivec3(i % 2, i / 2 % 2, 4 + i / 4)",
     "imageSize(one).x + 10 * imageSize(one).y + 100 * imageSize(one).z", 222 },
   { "texels of a buffer", GL_TEXTURE_BUFFER, 17, 1, 1, 0, "uimageBuffer", "i", "imageSize(one)",
     17 },
   { "2D, 4 samples", GL_TEXTURE_2D_MULTISAMPLE, 2, 3, 1, 4, "uimage2DMS",
     "ivec2(i % 2, i / 2 % 2), i / 4",
     "imageSize(one).x + 10 * imageSize(one).y + 1000 * imageSamples(one)", 4032 },
   { "2D array, 4 samples", GL_TEXTURE_2D_MULTISAMPLE_ARRAY, 2, 1, 3, 4, "uimage2DMSArray",
     "ivec3(i % 2, 0, i / 2 % 2), i / 4",
     "imageSize(one).x + 10 * imageSize(one).y + 100 * imageSize(one).z + "
     "1000 * imageSamples(one)",
     4312 },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds), BUFFER = 0, COUNTER = 1, PLANE = 3 };

static unsigned cases, failed;
static unsigned results_buffer;

static void
judge(bool good, const char *what, const struct kind *k, unsigned pipeline, unsigned stages,
      bool discard)
{
   cases++;
   if (good)
      return;
   failed++;
   fprintf(stderr, "%s, %s in", k->name, what);
   for (unsigned s = 0; s < STAGES; s++)
      if (stages & BIT(s))
         fprintf(stderr, " %s", pipeline_stage_names[s]);
   fprintf(stderr, " of");
   for (unsigned s = 0; s < STAGES; s++)
      if (pipeline & BIT(s))
         fprintf(stderr, " %s", pipeline_stage_names[s]);
   fprintf(stderr, "%s\n", discard ? ", rasteriser discard" : "");
}

/* ---- Programs ---- */

#define RESULTS "layout(std430, binding = 1) buffer Results { uint results[]; };\n"

static const char *
declaration(const struct kind *k)
{
   static char text[256];

   if (k->target == GL_SHADER_STORAGE_BUFFER)
      return "layout(std430, binding = 0) coherent buffer Words { uint words[]; };\n";
   if (k->target == GL_ATOMIC_COUNTER_BUFFER)
      return "layout(binding = 0, offset = 0) uniform atomic_uint counter;\n";
   snprintf(text, sizeof(text), "layout(r32ui, binding = 0) coherent uniform %s one;\n", k->type);
   return text;
}

/* A program of `pipeline`, in use, in which `stages` have `touch` as the body of touch(). */
static unsigned
program_of(unsigned pipeline, unsigned stages, const struct kind *k, const char *touch,
           bool captured)
{
   static const char *const captures[] = { "gl_Position" };
   unsigned program = glCreateProgram();
   char source[4096];

   for (unsigned s = 0; s < STAGES; s++) {
      const struct offscreen_shader shader = { pipeline_bodies[s].type, source };

      if (!(pipeline & BIT(s)))
         continue;
      const bool touches = stages & BIT(s);
      snprintf(source, sizeof(source), "#version 450\n%s%svoid touch(int i) { %s }\n%s",
               touches ? declaration(k) : "", touches && strstr(touch, "results") ? RESULTS : "",
               touches ? touch : "", pipeline_bodies[s].source);
      offscreen_attach(program, &shader, 1);
   }
   if (captured)
      glTransformFeedbackVaryings(program, 1, captures, GL_INTERLEAVED_ATTRIBS);
   offscreen_link(program);
   glUseProgram(program);
   return program;
}

/* ---- Memory ---- */

struct memory {
   unsigned texture, buffer;
};

static struct memory
make(const struct kind *k)
{
   static const uint32_t zeros[256];
   struct memory m;

   glGenTextures(1, &m.texture);
   glGenBuffers(1, &m.buffer);
   switch (k->target) {
   case GL_SHADER_STORAGE_BUFFER:
   case GL_ATOMIC_COUNTER_BUFFER:
      glBindBufferBase(k->target, 0, m.buffer);
      glBufferData(k->target, k->width * 4, zeros, GL_DYNAMIC_COPY);
      return m;
   case GL_TEXTURE_BUFFER:
      glBindBuffer(k->target, m.buffer);
      glBufferData(k->target, k->width * 4, zeros, GL_DYNAMIC_COPY);
      glBindTexture(k->target, m.texture);
      glTexBuffer(k->target, GL_R32UI, m.buffer);
      break;
   case GL_TEXTURE_1D:
      glBindTexture(k->target, m.texture);
      glTexStorage1D(k->target, 1, GL_R32UI, k->width);
      break;
   case GL_TEXTURE_3D:
   case GL_TEXTURE_2D_ARRAY:
   case GL_TEXTURE_CUBE_MAP_ARRAY:
      glBindTexture(k->target, m.texture);
      glTexStorage3D(k->target, 1, GL_R32UI, k->width, k->height, k->depth);
      break;
   case GL_TEXTURE_2D_MULTISAMPLE:
      glBindTexture(k->target, m.texture);
      glTexStorage2DMultisample(k->target, k->samples, GL_R32UI, k->width, k->height, GL_TRUE);
      break;
   case GL_TEXTURE_2D_MULTISAMPLE_ARRAY:
      glBindTexture(k->target, m.texture);
      glTexStorage3DMultisample(k->target, k->samples, GL_R32UI, k->width, k->height, k->depth,
                                GL_TRUE);
      break;
   default:
      glBindTexture(k->target, m.texture);
      glTexStorage2D(k->target, 1, GL_R32UI, k->width, k->height);
      break;
   }
   if (k->target != GL_TEXTURE_BUFFER)
      glClearTexImage(m.texture, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
   glBindImageTexture(0, m.texture, 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32UI);
   return m;
}

static void
drop(const struct memory *m)
{
   glDeleteTextures(1, &m->texture);
   glDeleteBuffers(1, &m->buffer);
}

static void
set_results(const uint32_t *values, unsigned count)
{
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, results_buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)count * 4, values, GL_DYNAMIC_COPY);
}

static void
get_results(uint32_t *values, unsigned count)
{
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, results_buffer);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)count * 4, values);
}

/* What stands in an image, by a compute shader that reads it, or in a buffer. */
static void
look(const struct kind *k, const struct memory *m, uint32_t values[N])
{
   static unsigned programs[KINDS];
   char source[1024];
   const struct offscreen_shader shader = { GL_COMPUTE_SHADER, source };

   memset(values, 0, N * 4);
   if (k->target == GL_SHADER_STORAGE_BUFFER || k->target == GL_ATOMIC_COUNTER_BUFFER) {
      glBindBuffer(k->target, m->buffer);
      glGetBufferSubData(k->target, 0, k->width * 4, values);
      return;
   }
   if (!programs[k - kinds]) {
      snprintf(source, sizeof(source),
               "#version 450\nlayout(local_size_x = 16) in;\n%s" RESULTS
               "void main() { int i = int(gl_LocalInvocationIndex);\n"
               "              results[i] = imageLoad(one, %s).x; }\n",
               declaration(k), k->at);
      programs[k - kinds] = glCreateProgram();
      offscreen_attach(programs[k - kinds], &shader, 1);
      offscreen_link(programs[k - kinds]);
   }
   set_results(NULL, N);
   glUseProgram(programs[k - kinds]);
   glDispatchCompute(1, 1, 1);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   get_results(values, N);
}

/* ---- Alone ---- */

/* Texels, with the image's size in them, and nothing else that is written. */
static void
check_stores(const struct kind *k, unsigned pipeline, enum stage stage, bool discard)
{
   struct memory m = make(k);
   char touch[512];
   uint32_t values[N];
   bool good = true;

   if (k->target == GL_ATOMIC_COUNTER_BUFFER)
      snprintf(touch, sizeof(touch), "atomicCounterIncrement(counter);");
   else if (k->target == GL_SHADER_STORAGE_BUFFER)
      snprintf(touch, sizeof(touch), "words[i] = uint(i + 100 * (%s));", k->size);
   else
      snprintf(touch, sizeof(touch), "imageStore(one, %s, uvec4(i + 100 * (%s)));", k->at, k->size);
   unsigned program = program_of(pipeline, BIT(stage), k, touch, false);
   pipeline_run(pipeline, discard, 1);
   look(k, &m, values);
   if (k->target == GL_ATOMIC_COUNTER_BUFFER)
      good = values[0] == N;
   else
      for (unsigned i = 0; i < N; i++)
         good &= values[i] == i + 100 * k->expected_size;
   judge(good, "stores and sizes", k, pipeline, BIT(stage), discard);
   glUseProgram(0);
   glDeleteProgram(program);
   drop(&m);
}

/* Loads, stores and operations on one texel after the other, and what they return. */
static void
check_loads(const struct kind *k, unsigned pipeline, enum stage stage, bool discard)
{
   struct memory m = make(k);
   char touch[1024];
   uint32_t values[N], results[N];
   bool good = true;

   if (k->target == GL_ATOMIC_COUNTER_BUFFER)
      snprintf(touch, sizeof(touch),
               "results[atomicCounterIncrement(counter) & 15u] += 1000u + uint(i);");
   else if (k->target == GL_SHADER_STORAGE_BUFFER)
      snprintf(touch, sizeof(touch),
               "uint x = words[i]; words[i] = x + uint(i) + 7u; x = words[i];"
               "results[i] = 10u * x + atomicAdd(words[i], 3u);");
   else
      snprintf(touch, sizeof(touch),
               "uint x = imageLoad(one, %s).x; imageStore(one, %s, uvec4(x + uint(i) + 7u));"
               "x = imageLoad(one, %s).x; results[i] = 10u * x + imageAtomicAdd(one, %s, 3u);",
               k->at, k->at, k->at, k->at);
   memset(results, 0, sizeof(results));
   set_results(results, N);
   unsigned program = program_of(pipeline, BIT(stage), k, touch, false);
   pipeline_run(pipeline, discard, 1);
   get_results(results, N);
   look(k, &m, values);
   if (k->target == GL_ATOMIC_COUNTER_BUFFER) {
      uint32_t sum = 0;
      for (unsigned i = 0; i < N; i++) {
         good &= results[i] >= 1000 && results[i] < 1000 + N;
         sum += results[i];
      }
      good &= values[0] == N && sum == 1000 * N + N * (N - 1) / 2;
   } else {
      for (unsigned i = 0; i < N; i++)
         good &= values[i] == i + 10 && results[i] == 11 * (i + 7);
   }
   judge(good, "loads and operations", k, pipeline, BIT(stage), discard);
   glUseProgram(0);
   glDeleteProgram(program);
   drop(&m);
}

/* ---- Captured ---- */

static void
check_captured(unsigned pipeline, enum stage stage)
{
   enum { ROOM = 5 };
   const struct kind *k = &kinds[BUFFER];
   struct memory m = make(k);
   uint32_t values[N];
   unsigned buffer;
   bool good = true;

   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, ROOM * 16, NULL, GL_STATIC_READ);
   unsigned program = program_of(pipeline, BIT(stage), k, "words[i] = uint(i + 3);", true);
   glBeginTransformFeedback(GL_POINTS);
   pipeline_run(pipeline, true, 1);
   /* The buffer is full. */
   glBufferSubData(k->target, 0, 4 * 4, (const uint32_t[4]){ 0 });
   pipeline_run(pipeline, true, 1);
   glEndTransformFeedback();
   look(k, &m, values);
   for (unsigned i = 0; i < N; i++)
      good &= values[i] == i + 3;
   judge(good, "stores beside transform feedback", k, pipeline, BIT(stage), true);
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteBuffers(1, &buffer);
   drop(&m);
}

/* ---- Together ---- */

static void
check_counts(const struct kind *k, unsigned pipeline, unsigned stages, bool discard)
{
   enum { MOST = STAGES * N * INSTANCES };
   static const char *const plain[] = { "atomicAdd(words[1], 1u);",
                                        "atomicCounterIncrement(counter);",
                                        "imageAtomicAdd(one, ivec2(1, 0), 1u);" };
   static const char *const handed_out[] = {
      "atomicAdd(results[atomicAdd(words[1], 1u)], 1u);",
      "atomicAdd(results[atomicCounterIncrement(counter)], 1u);",
      "atomicAdd(results[imageAtomicAdd(one, ivec2(1, 0), 1u)], 1u);"
   };
   const unsigned which = k == &kinds[BUFFER] ? 0 : k == &kinds[COUNTER] ? 1 : 2;
   uint32_t values[N], results[MOST + 1];
   unsigned expected = 0;

   for (unsigned s = 0; s < STAGES; s++)
      if (stages & BIT(s) && !(discard && s == FS))
         expected += N * INSTANCES;
   for (unsigned mode = 0; mode < 2; mode++) {
      struct memory m = make(k);
      bool good = true;

      memset(results, 0, sizeof(results));
      set_results(results, MOST + 1);
      unsigned program =
         program_of(pipeline, stages, k, mode ? handed_out[which] : plain[which], false);
      pipeline_run(pipeline, discard, INSTANCES);
      get_results(results, MOST + 1);
      look(k, &m, values);
      good = values[which == 1 ? 0 : 1] == expected;
      for (unsigned i = 0; i <= MOST; i++)
         good &= results[i] == (mode && i < expected);
      if (!good)
         fprintf(stderr, "%u of %u: ", values[which == 1 ? 0 : 1], expected);
      judge(good, mode ? "values handed out" : "counts", k, pipeline, stages, discard);
      glUseProgram(0);
      glDeleteProgram(program);
      drop(&m);
   }
}

/* ---- By two names ---- */

/* Another way to count in the counter's buffer; what declares it and what counts. */
static const struct name {
   const char *name, *declared, *count;
} names[] = {
   { "another binding", "layout(binding = 1, offset = 0) uniform atomic_uint other;\n",
     "atomicCounterIncrement(other);" },
   { "another counter of another binding",
     "layout(binding = 1, offset = 4) uniform atomic_uint other;\n",
     "atomicCounterIncrement(other);" },
   { "a storage buffer", "layout(std430, binding = 0) coherent buffer Words { uint words[]; };\n",
     "atomicAdd(words[0], 1u);" },
   { "texels", "layout(r32ui, binding = 0) coherent uniform uimageBuffer one;\n",
     "imageAtomicAdd(one, 0, 1u);" },
};

enum { NAMES = sizeof(names) / sizeof(*names) };

/* Counters 0 and 1 in a buffer that has all names at once; some of it is bound further on. */
static void
bind_all(unsigned buffer, unsigned texture, const uint32_t *values)
{
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, 16, values, GL_DYNAMIC_COPY);
   glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 0, buffer);
   glBindBufferBase(GL_ATOMIC_COUNTER_BUFFER, 1, buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBindTexture(GL_TEXTURE_BUFFER, texture);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
   glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
}

/* `one` counts by the counter and `two` by the other name; they may be one stage. */
static void
check_names(unsigned pipeline, enum stage one, enum stage two, const struct name *name)
{
   static const uint32_t zeros[4];
   const bool apart = strstr(name->name, "another counter") != NULL;
   unsigned program = glCreateProgram(), buffer, texture;
   char source[4096];
   uint32_t values[4];

   for (unsigned s = 0; s < STAGES; s++) {
      const struct offscreen_shader shader = { pipeline_bodies[s].type, source };

      if (!(pipeline & BIT(s)))
         continue;
      snprintf(source, sizeof(source), "#version 450\n%s%svoid touch(int i) { %s %s }\n%s",
               s == one ? declaration(&kinds[COUNTER]) : "", s == two ? name->declared : "",
               s == one ? "atomicCounterIncrement(counter);" : "", s == two ? name->count : "",
               pipeline_bodies[s].source);
      offscreen_attach(program, &shader, 1);
   }
   offscreen_link(program);
   glGenBuffers(1, &buffer);
   glGenTextures(1, &texture);
   bind_all(buffer, texture, zeros);
   glUseProgram(program);
   pipeline_run(pipeline, false, INSTANCES);
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(values), values);
   judge(values[0] == N * INSTANCES * (apart ? 1 : 2) && values[1] == N * INSTANCES * apart,
         name->name, &kinds[COUNTER], pipeline, BIT(one) | BIT(two), false);
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteBuffers(1, &buffer);
   glDeleteTextures(1, &texture);
}

/* All operations one after the other, on a counter with or without another name. */
static void
check_operations(unsigned pipeline, enum stage stage, bool two_names)
{
   static const uint32_t first[4] = { 9, 100 }, none[N];
   static const char declared[] =
      "#extension GL_ARB_shader_atomic_counter_ops : require\n"
      "layout(binding = 0, offset = 4) uniform atomic_uint counter;\n"
      "layout(std430, binding = 0) buffer Words { uint words[]; };\n" RESULTS;
   static const char operations[] =
      "void touch(int i) {\n"
      "   if (i != 0) return;\n"
      "   results[0] = atomicCounterIncrement(counter);\n"
      "   results[1] = atomicCounterDecrement(counter);\n"
      "   results[2] = atomicCounterAddARB(counter, 7u);\n"
      "   results[3] = atomicCounterSubtractARB(counter, 3u);\n"
      "   results[4] = atomicCounterMaxARB(counter, 200u);\n"
      "   results[5] = atomicCounterMinARB(counter, 150u);\n"
      "   results[6] = atomicCounterAndARB(counter, 0xfcu);\n"
      "   results[7] = atomicCounterOrARB(counter, 3u);\n"
      "   results[8] = atomicCounterXorARB(counter, 0xffu);\n"
      "   results[9] = atomicCounterExchangeARB(counter, 55u);\n"
      "   results[10] = atomicCounterCompSwapARB(counter, 55u, 77u);\n"
      "   results[11] = atomicCounterCompSwapARB(counter, 1u, 2u);\n"
      "   results[12] = atomicCounter(counter);\n";
   static const uint32_t right[13] = { 100,  100,  100,  107, 104, 200, 150,
                                       0x94, 0x97, 0x68, 55,  77,  77 };
   unsigned program = glCreateProgram(), buffer, texture;
   char source[4096];
   uint32_t values[4], results[N];

   for (unsigned s = 0; s < STAGES; s++) {
      const struct offscreen_shader shader = { pipeline_bodies[s].type, source };

      if (!(pipeline & BIT(s)))
         continue;
      snprintf(source, sizeof(source), "#version 450\n%s%s%s}\n%s", s == stage ? declared : "",
               s == stage ? operations : "void touch(int i) { ",
               s == stage && two_names ? "words[3] = 5u; " : "", pipeline_bodies[s].source);
      offscreen_attach(program, &shader, 1);
   }
   offscreen_link(program);
   glGenBuffers(1, &buffer);
   glGenTextures(1, &texture);
   bind_all(buffer, texture, first);
   set_results(none, N);
   glUseProgram(program);
   pipeline_run(pipeline, false, 1);
   get_results(results, N);
   glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(values), values);
   judge(!memcmp(results, right, sizeof(right)) && values[0] == 9 && values[1] == 77 &&
            values[3] == (two_names ? 5 : 0),
         two_names ? "operations with another name" : "operations", &kinds[COUNTER], pipeline,
         BIT(stage), false);
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteBuffers(1, &buffer);
   glDeleteTextures(1, &texture);
}

int
main(void)
{
   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   if (offscreen_version() < 45) {
      fprintf(stderr, "OpenGL 4.5 is needed, and there is %s\n", glGetString(GL_VERSION));
      return TOO_LITTLE;
   }
   pipeline_start();
   glGenBuffers(1, &results_buffer);

   for (unsigned p = 0; p < PIPELINES; p++) {
      for (enum stage s = 0; s < STAGES; s++) {
         for (unsigned k = 0; k < KINDS && pipelines[p] & BIT(s); k++) {
            for (unsigned discard = 0; discard < (s == FS || s == CS ? 1 : 2); discard++) {
               check_stores(&kinds[k], pipelines[p], s, discard);
               check_loads(&kinds[k], pipelines[p], s, discard);
            }
         }
      }
      if (!(pipelines[p] & (BIT(FS) | BIT(CS))))
         check_captured(pipelines[p], pipelines[p] & BIT(GS)    ? GS
                                      : pipelines[p] & BIT(TES) ? TES
                                                                : VS);
      for (enum stage one = 0; one < STAGES; one++) {
         if (!(pipelines[p] & BIT(one)))
            continue;
         for (unsigned two_names = 0; two_names < 2; two_names++)
            check_operations(pipelines[p], one, two_names);
         for (enum stage two = 0; two < STAGES; two++)
            for (unsigned n = 0; n < NAMES && pipelines[p] & BIT(two); n++)
               check_names(pipelines[p], one, two, &names[n]);
      }
      for (unsigned stages = 1; stages < BIT(STAGES); stages++) {
         static const unsigned counted[] = { BUFFER, COUNTER, PLANE };
         if ((stages & pipelines[p]) != stages)
            continue;
         for (unsigned k = 0; k < 3; k++)
            for (unsigned discard = 0; discard < (stages & BIT(CS) ? 1 : 2); discard++)
               check_counts(&kinds[counted[k]], pipelines[p], stages, discard);
      }
   }
   if (glGetError() != GL_NO_ERROR) {
      fprintf(stderr, "an error\n");
      failed++;
   }
   offscreen_close();
   printf("%u\n", cases);
   return failed ? 1 : 0;
}
