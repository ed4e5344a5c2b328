/* SPDX-License-Identifier: MIT */
/*
 * What ends a submission that would take for ever: gl-budget [CASE...]; and honest work that takes
 * long, which has to be done: gl-budget long [CASE...].  `paths=N` is the path tracer with N
 * samples of each pixel in one draw.
 *
 * Each case hands over a submission that holds more than anybody can wait for, in a context of its
 * own.  It has to end soon after ATOLL_BUDGET=1 says so, as this context's reset and no fault of
 * another's, with a message of KHR_debug; and a context that is made then draws what it should.
 * A line for each case: how long it took.
 *
 * GL_RENDERER goes to stderr first.  The exit code is 77 where the driver has not what a case
 * needs.
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What a second of host time may become until all has come to an end: of the wall clock, or of a
 * busy machine's processors, of which the device has two here. */
static const double most_wall = 2, most_processor = 3.2;

enum { SIDE = 64, LARGE = 8192, TOO_LITTLE = 77 };

static EGLDisplay display;
static EGLConfig config;
static unsigned messages;

static void
fail(const char *what, const char *why)
{
   printf("%s: %s\n", what, why);
   exit(1);
}

static void APIENTRY
heard(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar *text,
      const void *data)
{
   (void)source, (void)id, (void)severity, (void)length, (void)data;
   messages += type == GL_DEBUG_TYPE_ERROR && strstr(text, "reset") != NULL;
}

static EGLContext
open_context(bool core)
{
   const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION,
                                 core ? 4 : 2,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 core ? 5 : 1,
                                 EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                 EGL_LOSE_CONTEXT_ON_RESET,
                                 EGL_NONE };
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);

   if (context == EGL_NO_CONTEXT) {
      printf("no context of OpenGL %s that is told of resets\n", core ? "4.5" : "2.1");
      exit(TOO_LITTLE);
   }
   return context;
}

static void
use(EGLContext context)
{
   if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      fail("a context", "cannot be made current");
}

static unsigned
status(void)
{
   return ((unsigned (*)(void))eglGetProcAddress("glGetGraphicsResetStatusARB"))();
}

static unsigned
program_of(const struct offscreen_shader *shaders, unsigned count)
{
   const unsigned program = glCreateProgram();

   offscreen_attach(program, shaders, count);
   offscreen_link(program);
   glUseProgram(program);
   return program;
}

/* ---- What takes for ever ---- */

#define HEAD "#version 450\nlayout(location = 3) uniform uint k;\n"
#define TURN "uint x = seed; while (x != k) x = x * 2u + 3u;\n" /* odd, and k is even */
#define FULL "vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0"

static const char plain_vs[] = HEAD "void main() { gl_Position = vec4(" FULL ", 0, 1); }";
static const char plain_fs[] =
   HEAD "out vec4 c; void main() { c = vec4(fract(gl_FragCoord.xy), 0, 1); }";

static void
turn(unsigned program)
{
   (void)program;
   glUniform1ui(3, 2);
}

static void
endless_vertex(void)
{
   turn(program_of(
      (const struct offscreen_shader[]){ { GL_VERTEX_SHADER, HEAD
                                           "void main() { uint seed = uint(gl_VertexID) | 1u; " TURN
                                           "gl_Position = vec4(x); }" },
                                         { GL_FRAGMENT_SHADER, plain_fs } },
      2));
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void
draw_patches(const char *control, const char *evaluation, int patches)
{
   turn(program_of((const struct offscreen_shader[]){ { GL_VERTEX_SHADER, plain_vs },
                                                      { GL_TESS_CONTROL_SHADER, control },
                                                      { GL_TESS_EVALUATION_SHADER, evaluation },
                                                      { GL_FRAGMENT_SHADER, plain_fs } },
                   4));
   glPatchParameteri(GL_PATCH_VERTICES, 3);
   glDrawArrays(GL_PATCHES, 0, 3 * patches);
}

#define CONTROL(body)                                               \
   HEAD "layout(vertices = 3) out; void main() { " body             \
        "for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = 64.0; " \
        "gl_TessLevelInner[0] = gl_TessLevelInner[1] = 64.0; "      \
        "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; }"
#define EVALUATION(body)                                                       \
   HEAD "layout(quads) in; void main() { vec4 p = gl_in[0].gl_Position; " body \
        "gl_Position = p + vec4(gl_TessCoord, 0); }"

static void
endless_control(void)
{
   draw_patches(CONTROL("uint seed = uint(gl_InvocationID) | 1u; " TURN "if (x == k) return; "),
                EVALUATION(""), 1);
}

static void
endless_evaluation(void)
{
   draw_patches(
      CONTROL(""),
      EVALUATION("uint seed = uint(gl_TessCoord.x * 99.0) | 1u; " TURN "p.x += float(x); "), 1);
}

static void
many_patches(void)
{
   draw_patches(CONTROL(""), EVALUATION(""), 4000000);
}

static void
endless_geometry(void)
{
   turn(program_of(
      (const struct offscreen_shader[]){
         { GL_VERTEX_SHADER, plain_vs },
         { GL_GEOMETRY_SHADER,
           HEAD "layout(triangles) in; layout(points, max_vertices = 1) out; void main() { "
                "uint seed = uint(gl_PrimitiveIDIn) | 1u; " TURN
                "gl_Position = vec4(x); EmitVertex(); }" },
         { GL_FRAGMENT_SHADER, plain_fs } },
      3));
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void
amplification(void)
{
   turn(program_of(
      (const struct offscreen_shader[]){
         { GL_VERTEX_SHADER, plain_vs },
         { GL_GEOMETRY_SHADER, HEAD
           "layout(triangles, invocations = 32) in; layout(triangle_strip, max_vertices = 200) "
           "out; "
           "void main() { for (int i = 0; i < 200; i++) { gl_Position = gl_in[i % 3].gl_Position; "
           "EmitVertex(); } }" },
         { GL_FRAGMENT_SHADER, plain_fs } },
      3));
   glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 1000000);
}

static void
endless_fragment(void)
{
   turn(program_of(
      (const struct offscreen_shader[]){
         { GL_VERTEX_SHADER, plain_vs },
         { GL_FRAGMENT_SHADER,
           HEAD "out vec4 c; void main() { uint seed = uint(gl_FragCoord.x) | 1u; " TURN
                "c = vec4(x); }" } },
      2));
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void
endless_constant(void)
{
   turn(program_of(
      (const struct offscreen_shader[]){ { GL_VERTEX_SHADER, plain_vs },
                                         { GL_FRAGMENT_SHADER,
                                           HEAD "out vec4 c; void main() { uint seed = 1u; " TURN
                                                "c = vec4(x); }" } },
      2));
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* The same where nobody has OpenGL 4. */
static void
endless_old(void)
{
   const unsigned program =
      offscreen_program("attribute vec4 position; void main() { gl_Position = position; }",
                        "uniform float k; void main() { float x = 1.0; while (x > k) x = fract(x) "
                        "+ 1.0; gl_FragColor = vec4(x); }");
   static const float corners[] = { -1, -1, 3, -1, -1, 3 };

   glUseProgram(program);
   glUniform1f(glGetUniformLocation(program, "k"), -1);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void
dispatch(const char *source, unsigned x, unsigned y)
{
   turn(program_of(&(const struct offscreen_shader){ GL_COMPUTE_SHADER, source }, 1));
   glDispatchCompute(x, y, y);
}

#define OUT "layout(std430, binding = 0) buffer O { uint o[]; };\n"

static void
endless_compute(void)
{
   dispatch(
      HEAD OUT
      "layout(local_size_x = 64) in; void main() { uint seed = gl_LocalInvocationID.x | 1u; " TURN
      "o[0] = x; }",
      4, 1);
}

static void
endless_barriers(void)
{
   dispatch(
      HEAD OUT
      "layout(local_size_x = 256) in; shared uint s; void main() { s = 1u; barrier(); uint n = 0u; "
      "while (s != k) { barrier(); atomicOr(s, 1u); barrier(); n++; } o[0] = n; }",
      4, 1);
}

static void
many_groups(void)
{
   dispatch(HEAD OUT "layout(local_size_x = 1) in; void main() { atomicAdd(o[0], 1u); }", 65535,
            65535);
}

/* Each group's private memory is cleared. */
static void
scratch(void)
{
   dispatch(
      HEAD OUT
      "layout(local_size_x = 1024) in; void main() { uint a[2000]; for (uint i = 0u; i < 4u; i++) "
      "a[(i * k + gl_GlobalInvocationID.x) % 2000u] = i; o[0] = a[k]; }",
      65535, 64);
}

static void
plain(void)
{
   turn(program_of((const struct offscreen_shader[]){ { GL_VERTEX_SHADER, plain_vs },
                                                      { GL_FRAGMENT_SHADER, plain_fs } },
                   2));
}

static void
large_target(void)
{
   unsigned texture, framebuffer;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_R8, LARGE, LARGE);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   glViewport(0, 0, LARGE, LARGE);
}

static void
large_quads(void)
{
   plain();
   large_target();
   glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 16384);
}

static void
many_draws(void)
{
   plain();
   large_target();
   for (unsigned i = 0; i < 300; i++)
      glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 16);
}

static void
many_instances(void)
{
   plain();
   glDrawArraysInstanced(GL_POINTS, 0, 1, 0x7fffffff);
}

static void
draw_indices(bool restart)
{
   const uint32_t arguments[5] = { 0xffffffff, 64, 0, 0, 0 };
   unsigned buffers[2];

   plain();
   glGenBuffers(2, buffers);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, 64, NULL, GL_STATIC_DRAW);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers[1]);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof(arguments), arguments, GL_STATIC_DRAW);
   if (restart)
      glEnable(GL_PRIMITIVE_RESTART);
   glPrimitiveRestartIndex(0xffffffff);
   glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, NULL);
}

static void
many_indices(void)
{
   draw_indices(false);
}

static void
restarts(void)
{
   draw_indices(true);
}

static void
streamout(void)
{
   static const char *const captured = "gl_Position";
   const unsigned program = glCreateProgram();
   unsigned buffer;

   offscreen_attach(program, &(const struct offscreen_shader){ GL_VERTEX_SHADER, plain_vs }, 1);
   glTransformFeedbackVaryings(program, 1, &captured, GL_INTERLEAVED_ATTRIBS);
   offscreen_link(program);
   glUseProgram(program);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 1 << 20, NULL, GL_STATIC_DRAW);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArraysInstanced(GL_POINTS, 0, 0x7fffffff, 64);
   glEndTransformFeedback();
}

static const struct test {
   const char *name;
   void (*run)(void);
   bool old; /* of OpenGL 2.1 */
} tests[] = {
   { "old", endless_old, true },
   { "vertex", endless_vertex, false },
   { "control", endless_control, false },
   { "evaluation", endless_evaluation, false },
   { "geometry", endless_geometry, false },
   { "fragment", endless_fragment, false },
   { "constant", endless_constant, false },
   { "compute", endless_compute, false },
   { "barriers", endless_barriers, false },
   { "groups", many_groups, false },
   { "scratch", scratch, false },
   { "patches", many_patches, false },
   { "amplification", amplification, false },
   { "quads", large_quads, false },
   { "draws", many_draws, false },
   { "instances", many_instances, false },
   { "indices", many_indices, false },
   { "restarts", restarts, false },
   { "streamout", streamout, false },
};
enum { TESTS = sizeof(tests) / sizeof(tests[0]) };

/* ---- What takes long ---- */

enum { SORTED = 100000, STEPS = 10000000 };

static uint32_t *
shared(const uint32_t *data, unsigned count)
{
   unsigned buffer;

   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, count * sizeof(*data), data, GL_DYNAMIC_READ);
   return calloc(count, sizeof(*data));
}

static void
read_back(uint32_t *to, unsigned count)
{
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, count * sizeof(*to), to);
}

/* Shell's, in one invocation. */
static bool
sort(void)
{
   static uint32_t data[SORTED];
   uint32_t *sorted;
   bool ok = true;

   for (unsigned i = 0; i < SORTED; i++)
      data[i] = i * 2654435761u >> 3;
   sorted = shared(data, SORTED);
   dispatch(
      "#version 450\nlayout(location = 3) uniform uint k; layout(std430, binding = 0) buffer O { "
      "uint o[]; };\n"
      "layout(local_size_x = 1) in; void main() { uint n = uint(o.length());\n"
      "for (uint gap = n / k; gap > 0u; gap /= k) for (uint i = gap; i < n; i++) { uint v = o[i], "
      "j = i;\n"
      "while (j >= gap) { if (o[j - gap] <= v) break; o[j] = o[j - gap]; j -= gap; } o[j] = v; } }",
      1, 1);
   read_back(sorted, SORTED);
   for (unsigned i = 1; i < SORTED; i++)
      ok &= sorted[i - 1] <= sorted[i];
   free(sorted);
   return ok;
}

static bool
steps(void)
{
   const uint32_t seed = 1;
   uint32_t want = 1, *got = shared(&seed, 1);
   bool ok;

   for (unsigned i = 0; i < STEPS; i++)
      want = (want ^ want >> 7) * 1664525u + i;
   dispatch("#version 450\nlayout(location = 3) uniform uint k; layout(std430, binding = 0) buffer "
            "O { uint o[]; };\n"
            "layout(local_size_x = 1) in; void main() { uint x = o[0];\n"
            "for (uint i = 0u; i < 5000000u * k; i++) x = (x ^ x >> 7) * 1664525u + i; o[0] = x; }",
            1, 1);
   read_back(got, 1);
   ok = *got == want;
   free(got);
   return ok;
}

/* Draws of one submission, more than 2^33 cycles together. */
static bool
together(void)
{
   uint8_t pixel[4];

   turn(program_of(
      (const struct offscreen_shader[]){
         { GL_VERTEX_SHADER, plain_vs },
         { GL_FRAGMENT_SHADER,
           HEAD "out vec4 c; void main() { uint x = uint(gl_FragCoord.x); for (uint i "
                "= 0u; i < 1000000u * k; i++) x = (x ^ x >> 3) * 5u + i; "
                "c = vec4(x == 0u ? 0.0 : 0.25); }" } },
      2));
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   glClearColor(0, 0, 0, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   glViewport(0, 0, 16, 16);
   for (unsigned i = 0; i < 3; i++)
      glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   return pixel[0] > 180 && pixel[0] < 200;
}

/* As many primitives as an application can ask for. */
static bool
all_indices(void)
{
   const uint32_t arguments[5] = { 0xffffffff, 1, 0, 0, 0 };
   unsigned buffers[2], query;
   uint64_t generated = 0;

   plain();
   glGenBuffers(2, buffers);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, 64, NULL, GL_STATIC_DRAW);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers[1]);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof(arguments), arguments, GL_STATIC_DRAW);
   glEnable(GL_PRIMITIVE_RESTART);
   glPrimitiveRestartIndex(0xffffffff);
   glEnable(GL_RASTERIZER_DISCARD);
   glGenQueries(1, &query);
   glBeginQuery(GL_PRIMITIVES_GENERATED, query);
   glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, NULL);
   glEndQuery(GL_PRIMITIVES_GENERATED);
   glGetQueryObjectui64v(query, GL_QUERY_RESULT, &generated);
   if (generated != 0xffffffff / 3)
      printf("%llu primitives\n", (unsigned long long)generated);
   return generated == 0xffffffff / 3;
}

/* A path tracer: spheres on a floor under a sky, diffuse and mirrors, up to eight bounces.  Samples
 * are whole numbers, so that their sum does not depend on how many a draw makes. */
static unsigned path_samples = 48; /* of a pixel; long paths=N */
enum { PATHS_SIDE = 48 };

static const char path_tracer[] = HEAD
   "layout(location = 4) uniform uvec2 range; out uvec4 sum;\n"
   "uint state; float chance() { state = state * 747796405u + 2891336453u;\n"
   "   uint w = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;\n"
   "   return float(((w >> 22) ^ w) >> 8) / 16777216.0; }\n"
   "vec3 direction() { float z = chance() * 2.0 - 1.0, a = chance() * 6.2831853;\n"
   "   return vec3(sqrt(max(1.0 - z * z, 0.0)) * vec2(cos(a), sin(a)), z); }\n"
   "float hit(vec3 o, vec3 d, vec4 s) { vec3 c = o - s.xyz; float b = dot(c, d);\n"
   "   float h = b * b - dot(c, c) + s.w * s.w; if (h < 0.0) return 1e9;\n"
   "   h = sqrt(h); return -b - h > 1e-3 ? -b - h : -b + h > 1e-3 ? -b + h : 1e9; }\n"
   "vec3 path(vec3 o, vec3 d) { vec3 light = vec3(0), part = vec3(1);\n"
   "   for (int bounce = 0; bounce < 8; bounce++) { float t = 1e9; int which = -1; vec3 n;\n"
   "      for (int i = 0; i < 9; i++) { vec4 s = vec4(float(i % 3) - 1.0, 0.4, float(i / 3), "
   "0.4);\n"
   "         float at = hit(o, d, s); if (at < t) { t = at; which = i;\n"
   "            n = normalize(o + d * at - s.xyz); } }\n"
   "      float floor_at = d.y < -1e-4 ? -o.y / d.y : 1e9;\n"
   "      if (floor_at > 1e-3 && floor_at < t) { t = floor_at; which = 9; n = vec3(0, 1, 0); }\n"
   "      if (which < 0) { light += part * mix(vec3(1), vec3(0.4, 0.6, 1.0), abs(d.y)); break; }\n"
   "      part *= which == 9 ? vec3(0.7) : vec3(0.9, 0.3 + 0.07 * float(which), 0.4);\n"
   "      o += d * t; d = which % 2 == 0 ? reflect(d, n) : normalize(n + direction() * 0.999); }\n"
   "   return light; }\n"
   "void main() { sum = uvec4(0);\n"
   "   for (uint i = range.x; i < range.y; i++) {\n"
   "      state = (uint(gl_FragCoord.x) * 1973u + uint(gl_FragCoord.y) * 9277u) ^ i * 26699u * k;\n"
   "      vec2 at = (gl_FragCoord.xy + vec2(chance(), chance())) / 24.0 - 1.0;\n"
   "      vec3 c = path(vec3(0, 1.2, -3), normalize(vec3(at, 1.6) - vec3(0, 0.3, 0)));\n"
   "      sum += uvec4(uvec3(min(c, vec3(1)) * 65535.0), 1); } }\n";

static void
trace(unsigned from, unsigned to, uint32_t *sums)
{
   glUniform2ui(4, from, to);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(0, 0, PATHS_SIDE, PATHS_SIDE, GL_RGBA_INTEGER, GL_UNSIGNED_INT, sums);
}

/* All samples by one draw, and by eight. */
static bool
paths(void)
{
   static uint32_t all[PATHS_SIDE * PATHS_SIDE * 4], part[PATHS_SIDE * PATHS_SIDE * 4];
   static uint32_t sums[PATHS_SIDE * PATHS_SIDE * 4];
   unsigned names[2], whole = 0, varied = 0;

   glGenFramebuffers(1, names);
   glBindFramebuffer(GL_FRAMEBUFFER, names[0]);
   glGenRenderbuffers(1, names + 1);
   glBindRenderbuffer(GL_RENDERBUFFER, names[1]);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32UI, PATHS_SIDE, PATHS_SIDE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[1]);
   glViewport(0, 0, PATHS_SIDE, PATHS_SIDE);
   turn(program_of((const struct offscreen_shader[]){ { GL_VERTEX_SHADER, plain_vs },
                                                      { GL_FRAGMENT_SHADER, path_tracer } },
                   2));
   const double start = (double)offscreen_now() / 1e6;
   trace(0, path_samples, all);
   printf("%u samples of a pixel: %.2f s\n", path_samples, (double)offscreen_now() / 1e6 - start);
   for (unsigned n = 0; n < 8; n++) {
      trace(path_samples * n / 8, path_samples * (n + 1) / 8, part);
      for (unsigned i = 0; i < PATHS_SIDE * PATHS_SIDE * 4; i++)
         sums[i] += part[i];
   }
   for (unsigned i = 1; i < PATHS_SIDE * PATHS_SIDE; i++) {
      whole += all[4 * i + 3] == path_samples;
      varied += all[4 * i] != all[4 * i - 4];
   }
   /* Much of it is no sky, which is smooth from row to row alone. */
   return !memcmp(all, sums, sizeof(all)) && whole == PATHS_SIDE * PATHS_SIDE - 1 &&
          varied > PATHS_SIDE * PATHS_SIDE / 2;
}

static const struct {
   const char *name;
   bool (*run)(void);
} honest[] = { { "sort", sort },
               { "steps", steps },
               { "together", together },
               { "indices", all_indices },
               { "paths", paths } };
enum { HONEST = sizeof(honest) / sizeof(honest[0]) };

/* In contexts that are told of resets and others. */
static void
run_honest(unsigned n, bool core_resets)
{
   const EGLint plain_attributes[] = { EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5,
                                       EGL_NONE };
   EGLContext context = core_resets
                           ? open_context(true)
                           : eglCreateContext(display, config, EGL_NO_CONTEXT, plain_attributes);
   const double start = (double)offscreen_now() / 1e6;
   unsigned array;
   bool ok;

   use(context);
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   offscreen_target(SIDE, SIDE);
   ok = honest[n].run();
   printf("%s: %.2f s\n", honest[n].name, (double)offscreen_now() / 1e6 - start);
   if (status() != GL_NO_ERROR)
      fail(honest[n].name, "honest work is taken for a fault");
   if (!ok)
      fail(honest[n].name, "the result is wrong");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
}

/* A context made after the reset draws. */
static void
still_draws(const struct test *t)
{
   EGLContext context = open_context(false);
   uint8_t pixel[4];

   use(context);
   offscreen_target(SIDE, SIDE);
   glClearColor(0, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glUseProgram(
      offscreen_program("attribute vec4 position; void main() { gl_Position = position; }",
                        "void main() { gl_FragColor = vec4(1.0, 0.0, 1.0, 1.0); }"));
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, (const float[]){ -1, -1, 3, -1, -1, 3 });
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   if (pixel[0] != 255 || pixel[1] != 0 || pixel[2] != 255)
      fail(t->name, "another context draws another picture after the reset");
   if (status() != GL_NO_ERROR)
      fail(t->name, "a context hears of a reset that came before it");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
}

static void
run(const struct test *t, bool names_guilty)
{
   EGLContext bystander = open_context(false), context = open_context(!t->old);
   unsigned array, got;
   double wall, processor;

   use(context);
   glEnable(GL_DEBUG_OUTPUT);
   glDebugMessageCallback(heard, NULL);
   messages = 0;
   if (!t->old) {
      glGenVertexArrays(1, &array);
      glBindVertexArray(array);
   }
   offscreen_target(SIDE, SIDE);
   glFinish();
   wall = -(double)offscreen_now() / 1e6;
   processor = -(double)clock() / CLOCKS_PER_SEC;
   t->run();
   glFinish();
   wall += (double)offscreen_now() / 1e6;
   processor += (double)clock() / CLOCKS_PER_SEC;
   got = status();
   printf("%s: %.2f s, of processors %.2f s\n", t->name, wall, processor);
   if (got != (names_guilty ? GL_GUILTY_CONTEXT_RESET : GL_UNKNOWN_CONTEXT_RESET))
      fail(t->name, "the context does not hear that it was guilty");
   if (names_guilty && !messages)
      fail(t->name, "no message tells of the reset");
   if (wall > most_wall && processor > most_processor)
      fail(t->name, "took too long");
   use(bystander);
   if (names_guilty && status() != GL_INNOCENT_CONTEXT_RESET)
      fail(t->name, "another context is not said to be innocent");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   eglDestroyContext(display, bystander);
   still_draws(t);
}

int
main(int argc, char **argv)
{
   unsigned count = 0;
   EGLint found = 0;
   bool old, guilty;

   display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   eglInitialize(display, NULL, NULL);
   eglBindAPI(EGL_OPENGL_API);
   if (!eglChooseConfig(display, (const EGLint[]){ EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE },
                        &config, 1, &found) ||
       !found)
      fail("EGL", "no configuration");
   setvbuf(stdout, NULL, _IOLBF, 0);
   EGLContext context = open_context(false);
   use(context);
   fprintf(stderr, "GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   old = offscreen_version() < 45 && !strstr((const char *)glGetString(GL_VERSION), "4.");
   /* Stock r600 knows the number of resets alone. */
   guilty = strstr((const char *)glGetString(GL_RENDERER), "(atoll, ") ||
            strstr((const char *)glGetString(GL_RENDERER), "in process");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   if (argc > 1 && !strcmp(argv[1], "long")) {
      for (unsigned n = 0; n < HONEST; n++) {
         bool wanted = argc < 3;

         for (int i = 2; i < argc; i++) {
            wanted |= !strcmp(argv[i], honest[n].name);
            if (honest[n].run == paths && sscanf(argv[i], "paths=%u", &path_samples) == 1)
               wanted = true;
         }
         if (!wanted)
            continue;
         run_honest(n, n % 2);
         count++;
      }
      printf("%u\n", count);
      return 0;
   }
   for (unsigned n = 0; n < TESTS; n++) {
      bool wanted = argc < 2;

      for (int i = 1; i < argc; i++)
         wanted |= !strcmp(argv[i], tests[n].name);
      if (!wanted || (old && !tests[n].old))
         continue;
      run(&tests[n], guilty);
      count++;
   }
   printf("%u\n", count);
   return 0;
}
