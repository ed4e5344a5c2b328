/* SPDX-License-Identifier: MIT */
/*
 * Programs with one fault each, for atoll-debug --why: gl-planted NAME healthy|faulty FILE draws
 * one and writes the 64x64 pixels of its target to FILE, four bytes each, in the order of memory.
 * gl-planted --list prints a line for each: name, kind, the stage that has the fault, which draw
 * of the target it is, and what a line of the verdict must match (`-`: one of the instructions in
 * which the two programs differ).
 *
 * planted.def has the faults.  Each program draws a background (draw 0), the subject (1), and a
 * triangle in a corner (2).
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 64, TOO_LITTLE = 77 };

/* ---- What faults use ---- */

static unsigned subject, buffers[2], textures[2];

static int
planted_uniform(const char *name)
{
   return glGetUniformLocation(subject, name);
}

static void
planted_attribute(unsigned location, int size, GLenum type, int stride, intptr_t offset)
{
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glVertexAttribPointer(location, size, type, type != GL_FLOAT, stride, (const void *)offset);
   glEnableVertexAttribArray(location);
}

static void
planted_other_buffer(unsigned location)
{
   glBindBuffer(GL_ARRAY_BUFFER, buffers[1]);
   glVertexAttribPointer(location, 4, GL_FLOAT, 0, 16, NULL);
}

static unsigned
planted_texture(unsigned n)
{
   return textures[n];
}

static void
planted_sampler(GLenum name, int value)
{
   glActiveTexture(GL_TEXTURE0);
   glTexParameteri(GL_TEXTURE_2D, name, value);
}

/* ---- The faults ---- */

enum stage { VERTEX, CONTROL, EVALUATION, GEOMETRY, PIXEL, COMPUTE, STAGES };
static const char *const stage_names[] = { "vertex",   "control", "evaluation",
                                           "geometry", "pixel",   "compute" };
enum scene { state, far, small, back, SCENES };

struct expression {
   const char *kind, *name, *text[2];
};
static const struct expression expressions[] = {
#define EXPRESSION(kind, name, ...) { #kind, #name, { __VA_ARGS__ } },
#define STATE(...)
#define BARRIER(...)
#include "planted.def"
#undef EXPRESSION
#undef STATE
#undef BARRIER
};

enum {
#define EXPRESSION(...)
#define STATE(kind, id, ...) id,
#define BARRIER(...)
#include "planted.def"
#undef EXPRESSION
#undef STATE
#undef BARRIER
   NUM_STATES
};
static const struct {
   const char *kind, *name, *expected;
   enum scene scene;
} states[] = {
#define EXPRESSION(...)
#define STATE(kind, id, scene, expected, ...) { #kind, #id, expected, scene },
#define BARRIER(...)
#include "planted.def"
#undef EXPRESSION
#undef STATE
#undef BARRIER
};

static const struct {
   const char *name, *text[2];
} barriers[] = {
#define EXPRESSION(...)
#define STATE(...)
#define BARRIER(name, ...) { #name, { __VA_ARGS__ } },
#include "planted.def"
#undef EXPRESSION
#undef STATE
#undef BARRIER
};

/* The state of a fault before the subject's draw: 0 what both programs set, 1 what the healthy one
 * does, 2 the faulty one. */
static void
set_state(unsigned n, unsigned which)
{
   switch (3 * n + which) {
#define EXPRESSION(...)
#define STATE(kind, id, scene, expected, set, healthy, faulty) \
   case 3 * id:                                                \
      set;                                                     \
      break;                                                   \
   case 3 * id + 1:                                            \
      healthy;                                                 \
      break;                                                   \
   case 3 * id + 2:                                            \
      faulty;                                                  \
      break;
#define BARRIER(...)
#include "planted.def"
#undef EXPRESSION
#undef STATE
#undef BARRIER
   default:
      break;
   }
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define EXPRESSIONS  COUNT(expressions)
#define BARRIERS     COUNT(barriers)

/* ---- Shaders ---- */

#define DECLARED "uniform vec4 u, w; uniform sampler2D t0, t1;\n"

static char source[STAGES][2000];

/* A stage's source; `value` is what the fault is in, NULL: the value of the stage before. */
#define WRITE(stage, ...) \
   snprintf(source[stage], sizeof(source[stage]), "#version 430\n" __VA_ARGS__)

static unsigned
build(enum stage stage, const char *value)
{
   static const GLenum types[] = { GL_VERTEX_SHADER, GL_TESS_CONTROL_SHADER,
                                   GL_TESS_EVALUATION_SHADER, GL_GEOMETRY_SHADER,
                                   GL_FRAGMENT_SHADER };
   const bool tessellates = stage == CONTROL || stage == EVALUATION;
   const bool has[] = { true, tessellates, tessellates, stage == GEOMETRY, true };
   struct offscreen_shader shaders[STAGES];
   unsigned count = 0, program = glCreateProgram();

   WRITE(VERTEX,
         "layout(location = 0) in vec2 position; layout(location = 1) in vec4 a;\n"
         "layout(location = 2) in vec4 b; uniform float z; out vec4 va, vb;\n" DECLARED
         "void main() { gl_Position = vec4(position, z, 1.0); va = %s; vb = b; }\n",
         stage == VERTEX ? value : "a");
   WRITE(CONTROL,
         "layout(vertices = 4) out; in vec4 va[], vb[]; out vec4 ca[], cb[];\n" DECLARED
         "void main() { vec4 a = va[gl_InvocationID], b = vb[gl_InvocationID];\n"
         "   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
         "   ca[gl_InvocationID] = %s; cb[gl_InvocationID] = b;\n"
         "   gl_TessLevelInner = float[2](2.0, 2.0);\n"
         "   gl_TessLevelOuter = float[4](2.0, 2.0, 2.0, 2.0); }\n",
         stage == CONTROL ? value : "a");
   WRITE(EVALUATION,
         "layout(quads) in; in vec4 ca[], cb[]; out vec4 va, vb;\n" DECLARED
         "void main() { vec2 c = gl_TessCoord.xy;\n"
         "   vec4 a = mix(mix(ca[0], ca[1], c.x), mix(ca[3], ca[2], c.x), c.y);\n"
         "   vec4 b = mix(mix(cb[0], cb[1], c.x), mix(cb[3], cb[2], c.x), c.y);\n"
         "   gl_Position = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, c.x),\n"
         "                     mix(gl_in[3].gl_Position, gl_in[2].gl_Position, c.x), c.y);\n"
         "   va = %s; vb = b; }\n",
         stage == EVALUATION ? value : "a");
   WRITE(GEOMETRY,
         "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n"
         "in vec4 va[], vb[]; out vec4 ga, gb;\n" DECLARED
         "void main() { for (int i = 0; i < 3; i++) { vec4 a = va[i], b = vb[i];\n"
         "   gl_Position = gl_in[i].gl_Position; ga = %s; gb = b; EmitVertex(); } }\n",
         stage == GEOMETRY ? value : "a");
   if (stage == COMPUTE)
      WRITE(PIXEL, "layout(std430, binding = 1) buffer Out { vec4 made[]; }; out vec4 color;\n"
                   "in vec4 va, vb;\n" DECLARED "void main() { uvec2 at = uvec2(gl_FragCoord.xy);\n"
                   "   color = made[at.y * 64u + at.x]; }\n");
   else
      WRITE(PIXEL,
            "in vec4 %sa, %sb; out vec4 color;\n" DECLARED
            "void main() { vec4 a = %sa, b = %sb; color = %s; }\n",
            stage == GEOMETRY ? "g" : "v", stage == GEOMETRY ? "g" : "v",
            stage == GEOMETRY ? "g" : "v", stage == GEOMETRY ? "g" : "v",
            stage == PIXEL ? value : "a");
   for (unsigned n = 0; n < COUNT(types); n++)
      if (has[n])
         shaders[count++] = (struct offscreen_shader){ types[n], source[n] };
   offscreen_attach(program, shaders, count);
   offscreen_link(program);
   return program;
}

static unsigned
build_compute(const char *value, const char *barrier)
{
   const unsigned program = glCreateProgram();
   struct offscreen_shader shader = { GL_COMPUTE_SHADER, source[COMPUTE] };

   if (barrier)
      WRITE(
         COMPUTE,
         "layout(local_size_x = 128) in; layout(std430, binding = 1) buffer Out { vec4 made[]; };\n"
         "shared uint s[256];\n"
         "void main() { uint i = gl_LocalInvocationIndex, v; %s\n"
         "   made[gl_GlobalInvocationID.x] = vec4(float(v) / 128.0, 0.5, 0.25, 1.0); }\n",
         barrier);
   else
      WRITE(
         COMPUTE,
         "layout(local_size_x = 64) in; layout(std430, binding = 0) buffer In { vec4 given[]; };\n"
         "layout(std430, binding = 1) buffer Out { vec4 made[]; };\n" DECLARED
         "void main() { uint i = gl_GlobalInvocationID.x;\n"
         "   vec4 a = given[i %% 4u * 2u], b = given[i %% 4u * 2u + 1u];\n"
         "   made[i] = %s; }\n",
         value);
   offscreen_attach(program, &shader, 1);
   offscreen_link(program);
   return program;
}

/* ---- Drawing ---- */

/* Of a vertex: position, a and b. */
static const float corners[4][10] = {
   { -0.8f, -0.8f, 0.30f, 0.75f, 0.55f, 0.80f, 0.90f, 0.20f, 0.45f, 0.65f },
   { 0.8f, -0.8f, 0.32f, 0.70f, 0.50f, 0.80f, 0.85f, 0.25f, 0.40f, 0.60f },
   { 0.8f, 0.8f, 0.34f, 0.65f, 0.60f, 0.80f, 0.95f, 0.30f, 0.50f, 0.70f },
   { -0.8f, 0.8f, 0.36f, 0.80f, 0.52f, 0.80f, 0.88f, 0.22f, 0.42f, 0.62f },
};

static void
make_textures(void)
{
   glGenTextures(2, textures);
   for (unsigned n = 0; n < 2; n++) {
      const unsigned size = n ? 8 : 4;
      uint8_t texels[8 * 8][4];

      for (unsigned i = 0; i < size * size; i++) {
         texels[i][0] = (uint8_t)(n ? 30 + 3 * i : 15 * i);
         texels[i][1] = (uint8_t)(i * 37 % 256);
         texels[i][2] = (uint8_t)(n ? 200 - i : 90 + 7 * i);
         texels[i][3] = 255;
      }
      glActiveTexture(GL_TEXTURE0 + n);
      glBindTexture(GL_TEXTURE_2D, textures[n]);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (int)size, (int)size, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   texels);
   }
}

static void
make_buffers(enum scene scene)
{
   float vertices[4][10];
   const float other[4][4] = {
      { 0.9f, 0.1f, 0.8f, 0.5f },
      { 0.8f, 0.2f, 0.9f, 0.5f },
      { 0.7f, 0.1f, 0.8f, 0.5f },
      { 0.9f, 0.2f, 0.7f, 0.5f },
   };

   memcpy(vertices, corners, sizeof(vertices));
   for (unsigned n = 0; n < 4; n++) {
      vertices[n][0] *= scene == small ? 0.3f : scene == back ? -1.0f : 1.0f;
      vertices[n][1] *= scene == small ? 0.3f : 1.0f;
   }
   glGenBuffers(2, buffers);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[1]);
   glBufferData(GL_ARRAY_BUFFER, sizeof(other), other, GL_STATIC_DRAW);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ARRAY_BUFFER, sizeof(vertices), vertices, GL_STATIC_DRAW);
   planted_attribute(0, 2, GL_FLOAT, 40, 0);
   planted_attribute(1, 4, GL_FLOAT, 40, 8);
   planted_attribute(2, 4, GL_FLOAT, 40, 24);
}

/* What is drawn before and after the subject. */
static void
draw_plain(bool all)
{
   glUseProgram(0);
   glColor4f(all ? 0.1f : 1, 0.2f, all ? 0.3f : 0, 1);
   glBegin(GL_TRIANGLES);
   for (unsigned n = 0; n < (all ? 6 : 3); n++) {
      static const float at[] = { -1, -1, 1, -1, 1, 1, -1, -1, 1, 1, -1, 1 };
      static const float corner[] = { 0.9f, 0.9f, 1, 0.9f, 1, 1 };

      glVertex3f((all ? at : corner)[2 * n], (all ? at : corner)[2 * n + 1], 0);
   }
   glEnd();
}

static void
draw_subject(unsigned made, enum stage stage, enum scene scene)
{
   subject = made;
   glUseProgram(made);
   glUniform4f(planted_uniform("u"), 0.6f, 0.85f, 0.7f, 0.95f);
   if (stage == STAGES) /* of states */
      glUniform4f(planted_uniform("w"), 0.9f, 0.6f, 0.3f, 0.5f);
   else
      glUniform4f(planted_uniform("w"), 0.9f, 0.5f, 0.25f, 0.4f);
   glUniform1i(planted_uniform("t0"), 0);
   glUniform1i(planted_uniform("t1"), 1);
   glUniform1f(planted_uniform("z"), scene == far ? 0.5f : -0.5f);
}

static void
dispatch(unsigned program, unsigned groups)
{
   float given[4][8];
   unsigned out[2];

   for (unsigned n = 0; n < 4; n++)
      memcpy(given[n], &corners[n][2], sizeof(given[n]));
   glGenBuffers(2, out);
   for (unsigned n = 0; n < 2; n++) {
      glBindBuffer(GL_SHADER_STORAGE_BUFFER, out[n]);
      glBufferData(GL_SHADER_STORAGE_BUFFER, n ? SIZE * SIZE * 16 : sizeof(given), n ? NULL : given,
                   GL_DYNAMIC_COPY);
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, n, out[n]);
   }
   draw_subject(program, COMPUTE, state);
   glDispatchCompute(groups, 1, 1);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

struct planted {
   enum stage stage;
   enum scene scene;
   const char *text[2], *barrier[2];
   unsigned fault; /* of states */
};

static void
draw(const struct planted *p, bool faulty)
{
   const enum stage stage = p->stage == STAGES ? PIXEL : p->stage;
   const bool patches = stage == CONTROL || stage == EVALUATION;

   offscreen_target(SIZE, SIZE);
   make_textures();
   make_buffers(p->scene);
   if (stage == COMPUTE) {
      const unsigned program = build_compute(p->text[faulty], p->barrier[faulty]);

      dispatch(program, SIZE * SIZE / (p->barrier[0] ? 128 : 64));
   }
   glClearColor(0, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glDepthFunc(GL_ALWAYS);
   glEnable(GL_DEPTH_TEST);
   draw_plain(true);
   glDisable(GL_DEPTH_TEST);
   draw_subject(build(stage, p->text[faulty]), p->stage, p->scene);
   if (p->stage == STAGES) {
      set_state(p->fault, 0);
      set_state(p->fault, faulty ? 2 : 1);
   }
   if (patches)
      glPatchParameteri(GL_PATCH_VERTICES, 4);
   glDrawArrays(patches ? GL_PATCHES : GL_TRIANGLE_FAN, 0, 4);
   glViewport(0, 0, SIZE, SIZE);
   draw_plain(false);
}

/* ---- Names ---- */

static void
find(unsigned n, struct planted *p, char name[80], const char **kind, const char **expected)
{
   *p = (struct planted){ .stage = STAGES, .fault = NUM_STATES };
   *expected = "-";
   if (n < EXPRESSIONS * STAGES) {
      const struct expression *e = &expressions[n / STAGES];

      p->stage = n % STAGES;
      memcpy(p->text, e->text, sizeof(p->text));
      *kind = e->kind;
      snprintf(name, 80, "%s-%s-%s", e->kind, e->name, stage_names[p->stage]);
      return;
   }
   n -= EXPRESSIONS * STAGES;
   if (n < NUM_STATES) {
      p->fault = n;
      p->scene = states[n].scene;
      /* It takes what states are of: the uniform, an attribute and a texture. */
      p->text[0] = p->text[1] =
         "vec4(mix(a.rgb * w.x, textureLod(t0, b.xy * 1.7, 0.0).rgb, w.w), a.a)";
      *kind = states[n].kind;
      *expected = states[n].expected;
      snprintf(name, 80, "%s", states[n].name);
      return;
   }
   n -= NUM_STATES;
   p->stage = COMPUTE;
   memcpy(p->barrier, barriers[n].text, sizeof(p->barrier));
   *kind = "barrier";
   *expected = "a barrier is missing";
   snprintf(name, 80, "barrier-%s", barriers[n].name);
}

int
main(int argc, char **argv)
{
   const unsigned all = EXPRESSIONS * STAGES + NUM_STATES + BARRIERS;
   static uint8_t pixels[SIZE * SIZE * 4];
   const char *kind, *expected;
   struct planted p;
   char name[80];
   FILE *file;

   if (argc == 2 && !strcmp(argv[1], "--list")) {
      for (unsigned n = 0; n < all; n++) {
         find(n, &p, name, &kind, &expected);
         printf("%s %s %s 1 %s\n", name, kind, p.stage == STAGES ? "state" : stage_names[p.stage],
                expected);
      }
      return 0;
   }
   if (argc != 4) {
      fprintf(stderr, "gl-planted --list | NAME healthy|faulty FILE\n");
      return 2;
   }
   for (unsigned n = 0; n < all; n++) {
      find(n, &p, name, &kind, &expected);
      if (strcmp(name, argv[1]) != 0)
         continue;
      if (!offscreen_open())
         return 1;
      if (offscreen_version() < 43)
         return TOO_LITTLE;
      draw(&p, !strcmp(argv[2], "faulty"));
      glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
      file = fopen(argv[3], "wb");
      if (!file || fwrite(pixels, sizeof(pixels), 1, file) != 1 || fclose(file)) {
         perror(argv[3]);
         return 1;
      }
      offscreen_close();
      return 0;
   }
   fprintf(stderr, "gl-planted: there is no '%s'\n", argv[1]);
   return 2;
}
