/* SPDX-License-Identifier: MIT */
/*
 * Tasks of gl-habits that are draws: meshes, many small draws and what changes between them,
 * indirect draws, streams of vertices.
 */
#include "habits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned buffers[4], programs[8], textures[16];
static int uniforms[4], amount;

static const char flat_fragment[] = "#version 330\n"
                                    "uniform vec4 colour; out vec4 o;\n"
                                    "void main() { o = colour; }\n";

static const char varying_fragment[] = "#version 330\n"
                                       "in vec4 v; out vec4 o;\n"
                                       "void main() { o = v; }\n";

/* A small triangle for each number, by rows. */
#define GRID                                \
   "vec4 grid(int i, int side, vec2 p) {\n" \
   "   return vec4((p + vec2(i % side, i / side)) * 2.0 / float(side) - 1.0, 0.0, 1.0); }\n"

static void
use_triangle(void)
{
   static const float corners[] = { 0, 0, 0.9f, 0, 0, 0.9f };

   glGenBuffers(1, buffers);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
}

static void
start_instances(const struct habit *habit)
{
   amount = habit->count;
   habit_program("#version 330\nin vec2 position; out vec4 v;\n" GRID
                 "void main() { v = vec4(fract(float(gl_InstanceID) * 0.01), position, 1.0);\n"
                 "              gl_Position = grid(gl_InstanceID, 256, position); }\n",
                 varying_fragment);
   use_triangle();
}

static void
draw_instances(void)
{
   glDrawArraysInstanced(GL_TRIANGLES, 0, 3, amount);
}

/* What an instance is comes from an array of its own. */
static void
start_divisor(const struct habit *habit)
{
   amount = habit->count;
   habit_program("#version 330\nin vec2 position; layout(location = 1) in vec4 other; out vec4 v;\n"
                 "void main() { v = other;\n"
                 "   gl_Position = vec4(other.xy * 2.0 - 1.0 + position * 0.02, 0.0, 1.0); }\n",
                 varying_fragment);
   use_triangle();
   habit_floats(GL_ARRAY_BUFFER, 4 * (unsigned)amount);
   glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   glVertexAttribDivisor(1, 1);
   glEnableVertexAttribArray(1);
}

/* Draws of one triangle each. */
static void
start_tiny(const struct habit *habit)
{
   amount = habit->count;
   programs[0] = habit_program("#version 330\nin vec2 position; uniform int number;\n" GRID
                               "void main() { gl_Position = grid(number, 100, position); }\n",
                               flat_fragment);
   uniforms[0] = habit_uniform("number");
   glUniform4f(habit_uniform("colour"), 0.2f, 0.7f, 0.4f, 1);
   use_triangle();
}

static void
draw_tiny(void)
{
   for (int i = 0; i < amount; i++) {
      glUniform1i(uniforms[0], i);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
}

static void
draw_alike(void)
{
   for (int i = 0; i < amount; i++)
      glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* One of 8 programs for each. */
static void
start_programs(const struct habit *habit)
{
   amount = habit->count;
   for (int i = 0; i < 8; i++) {
      programs[i] =
         habit_program("#version 330\nin vec2 position; uniform vec2 offset;\n"
                       "void main() { gl_Position = vec4(position * 0.1 + offset, 0.0, 1.0); }\n",
                       flat_fragment);
      glUniform4f(habit_uniform("colour"), (float)i / 8, 1, 0.5f, 1);
      glUniform2f(habit_uniform("offset"), (float)i / 5 - 0.9f, 0);
   }
   use_triangle();
}

static void
draw_programs(void)
{
   for (int i = 0; i < amount; i++) {
      glUseProgram(programs[i & 7]);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
}

/* One of 16 textures for each. */
static void
start_textures(const struct habit *habit)
{
   amount = habit->count;
   habit_program("#version 330\nin vec2 position; uniform int number; out vec2 t;\n" GRID
                 "void main() { t = position; gl_Position = grid(number, 32, position); }\n",
                 "#version 330\nin vec2 t; out vec4 o; uniform sampler2D image;\n"
                 "void main() { o = texture(image, t); }\n");
   uniforms[0] = habit_uniform("number");
   use_triangle();
   for (int i = 0; i < 16; i++)
      textures[i] = habit_texture(GL_TEXTURE_2D, 0, 32, 1);
}

static void
draw_textures(void)
{
   for (int i = 0; i < amount; i++) {
      glBindTexture(GL_TEXTURE_2D, textures[i & 15]);
      glUniform1i(uniforms[0], i);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
}

/* A range of one uniform buffer for each. */
static void
start_blocks(const struct habit *habit)
{
   unsigned program = habit_program(
      "#version 330\nin vec2 position; layout(std140) uniform Object { vec4 move, colour; };\n"
      "out vec4 v;\n"
      "void main() { v = colour;\n"
      "   gl_Position = vec4(move.xy * 2.0 - 1.0 + position * 0.05, 0.0, 1.0); }\n",
      varying_fragment);

   amount = habit->count;
   glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Object"), 0);
   use_triangle();
   buffers[1] = habit_floats(GL_UNIFORM_BUFFER, 64 * (unsigned)amount);
}

static void
draw_blocks(void)
{
   for (int i = 0; i < amount; i++) {
      glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffers[1], (GLintptr)i * 256, 32);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
}

/* One uniform buffer that is written before each. */
static void
draw_written_blocks(void)
{
   for (int i = 0; i < amount; i++) {
      const float object[8] = { (float)(i % 25) / 25, (float)(i / 25) / 25, 0, 0, 1, 0.5f, 0, 1 };

      glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffers[1], 0, 32);
      glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(object), object);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
}

/* Blending, depth test and masks that change. */
static void
draw_states(void)
{
   glEnable(GL_DEPTH_TEST);
   for (int i = 0; i < amount; i++) {
      if (i & 1)
         glEnable(GL_BLEND);
      else
         glDisable(GL_BLEND);
      glBlendFunc(i & 2 ? GL_ONE : GL_SRC_ALPHA, i & 4 ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);
      glDepthFunc(i & 1 ? GL_ALWAYS : GL_LEQUAL);
      glUniform1i(uniforms[0], i);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
}

static void
start_indirect(const struct habit *habit)
{
   uint32_t(*commands)[5] = habit_alloc((size_t)habit->count * 20);
   static const uint16_t indices[3] = { 0, 1, 2 };

   amount = habit->count;
   habit_program("#version 330\n#extension GL_ARB_shader_draw_parameters : require\n"
                 "in vec2 position; out vec4 v;\n" GRID
                 "void main() { v = vec4(position, 1.0, 1.0);\n"
                 "              gl_Position = grid(gl_BaseInstanceARB, 150, position); }\n",
                 varying_fragment);
   use_triangle();
   for (int i = 0; i < amount; i++) {
      commands[i][0] = 3;
      commands[i][1] = 1;
      commands[i][habit->size] = (uint32_t)i;
   }
   glGenBuffers(1, &buffers[1]);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers[1]);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, (GLsizeiptr)amount * 20, commands, GL_STATIC_DRAW);
   glGenBuffers(1, &buffers[2]);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[2]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
   free(commands);
}

static void
draw_indirect(void)
{
   glMultiDrawArraysIndirect(GL_TRIANGLES, NULL, amount, 20);
}

static void
draw_indexed_indirect(void)
{
   glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT, NULL, amount, 20);
}

static void
draw_single_indirect(void)
{
   for (intptr_t i = 0; i < amount; i++)
      glDrawArraysIndirect(GL_TRIANGLES, (const void *)(i * 20));
}

/* Meshes: a torus of SIDE * SIDE vertices with normals. */
enum { MESH = 96 };

static const char lit_vertex[] =
   "#version 330\nin vec3 position; layout(location = 1) in vec3 other; out vec4 v; uniform float "
   "angle;\n"
   "void main() { float s = sin(angle), c = cos(angle); mat3 m = mat3(c, s, 0, -s, c, 0, 0, 0, "
   "1);\n"
   "   vec3 n = m * other, l = normalize(vec3(0.3, 0.5, -1.0));\n"
   "   v = vec4(0.2) + max(dot(n, l), 0.0) * vec4(0.6, 0.5, 0.4, 0.0)\n"
   "     + pow(max(reflect(-l, n).z, 0.0), 16.0);\n"
   "   gl_Position = vec4(m * position * 0.8, 1.0); }\n";

static void
make_torus(bool strips)
{
   float(*vertices)[6] = habit_alloc(sizeof(float) * 6 * MESH * MESH);
   uint32_t *indices = habit_alloc(sizeof(uint32_t) * 6 * MESH * MESH), *i = indices;

   for (int y = 0; y < MESH; y++)
      for (int x = 0; x < MESH; x++) {
         float a = (float)x * 6.2831853f / (MESH - 1), b = (float)y * 6.2831853f / (MESH - 1);
         float *v = vertices[y * MESH + x];

         v[3] = cosf(a) * cosf(b);
         v[4] = sinf(a) * cosf(b);
         v[5] = sinf(b);
         v[0] = cosf(a) * 0.7f + v[3] * 0.3f;
         v[1] = sinf(a) * 0.7f + v[4] * 0.3f;
         v[2] = v[5] * 0.3f;
      }
   for (uint32_t y = 0; y + 1 < MESH; y++) {
      for (uint32_t x = 0; x < MESH; x++) {
         uint32_t at = y * MESH + x;

         if (strips) {
            *i++ = at;
            *i++ = at + MESH;
         } else if (x + 1 < MESH) {
            const uint32_t quad[6] = { at, at + 1, at + MESH, at + 1, at + MESH + 1, at + MESH };

            memcpy(i, quad, sizeof(quad));
            i += 6;
         }
      }
      if (strips)
         *i++ = UINT32_MAX;
   }
   amount = (int)(i - indices);
   glGenBuffers(2, buffers);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(float) * 6 * MESH * MESH, vertices,
                GL_STATIC_DRAW);
   glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 24, NULL);
   glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 24, (const void *)12);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, amount * 4, indices, GL_STATIC_DRAW);
   free(vertices);
   free(indices);
   glEnable(GL_DEPTH_TEST);
}

static void
start_mesh(const struct habit *habit)
{
   make_torus(habit->count);
   habit_program(habit->head ? habit->head : lit_vertex, varying_fragment);
   if (habit->count) {
      glEnable(GL_PRIMITIVE_RESTART);
      glPrimitiveRestartIndex(UINT32_MAX);
   }
   if (habit->size)
      glPolygonMode(GL_FRONT_AND_BACK, (GLenum)habit->size);
   habit_texture(GL_TEXTURE_2D, 0, 128, 1);
   glUniform4fv(habit_uniform("bones"), 16,
                (const float[64]){ 1, 0, 0, 0, 0, 1, 0, 0, 1, 0.1f, 0, 0 });
   for (unsigned i = 0; i < 2 && habit->head && strstr(habit->head, "gl_ClipDistance"); i++)
      glEnable(GL_CLIP_DISTANCE0 + i);
}

static void
draw_mesh(void)
{
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawElements(GL_TRIANGLES, amount, GL_UNSIGNED_INT, NULL);
}

static void
draw_strips(void)
{
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawElements(GL_TRIANGLE_STRIP, amount, GL_UNSIGNED_INT, NULL);
}

/* Parts of one mesh, each with a first vertex of its own. */
static void
draw_base_vertices(void)
{
   enum { PARTS = 256 };
   const void *offsets[PARTS];
   GLsizei counts[PARTS];
   GLint bases[PARTS];

   for (int i = 0; i < PARTS; i++) {
      offsets[i] = NULL;
      counts[i] = 60;
      bases[i] = i * 32;
   }
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glMultiDrawElementsBaseVertex(GL_TRIANGLES, counts, GL_UNSIGNED_INT, offsets, PARTS, bases);
}

/* Vertices that are written anew for every draw. */
enum { STREAM = 6000 };

static void
start_stream(const struct habit *habit)
{
   amount = habit->count;
   habit_program("#version 330\nin vec2 position; layout(location = 1) in vec4 other; out vec4 v;\n"
                 "void main() { v = other; gl_Position = vec4(position, 0.0, 1.0); }\n",
                 varying_fragment);
   glGenBuffers(1, buffers);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ARRAY_BUFFER, STREAM * 12, NULL, GL_STREAM_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 12, NULL);
   glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, 12, (const void *)8);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
}

static void
write_stream(float *v)
{
   for (int i = 0; i < STREAM; i++, v += 3) {
      int t = i / 3;

      v[0] = (float)(t % 50 + i % 3 % 2) / 25 - 1;
      v[1] = (float)(t / 50 + i % 3 / 2) / 20 - 1;
      memcpy(v + 2, &(const uint32_t){ (uint32_t)i * 2654435761u }, 4);
   }
}

static void
draw_mapped(void)
{
   for (int i = 0; i < amount; i++) {
      write_stream(glMapBufferRange(GL_ARRAY_BUFFER, 0, STREAM * 12,
                                    GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT));
      glUnmapBuffer(GL_ARRAY_BUFFER);
      glDrawArrays(GL_TRIANGLES, 0, STREAM);
   }
}

static void
draw_subdata(void)
{
   static float vertices[STREAM * 3];

   write_stream(vertices);
   for (int i = 0; i < amount; i++) {
      glBufferSubData(GL_ARRAY_BUFFER, 0, STREAM * 12, vertices);
      glDrawArrays(GL_TRIANGLES, 0, STREAM);
   }
}

/* Many translucent quads over each other. */
static void
start_layers(const struct habit *habit)
{
   amount = habit->count;
   habit_program(
      "#version 330\nout vec4 v; uniform float size;\n"
      "void main() { int n = gl_VertexID / 6, k = gl_VertexID % 6;\n"
      "   vec2 p = vec2(k == 1 || k == 2 || k == 4, k == 2 || k == 4 || k == 5);\n"
      "   v = vec4(p, fract(float(n) * 0.37), 0.25);\n"
      "   gl_Position = vec4((p - 0.5) * size\n"
      "      + fract(vec2(n * 37 % 101, n * 53 % 97) * 0.0173) * 2.0 - 1.0, 0.0, 1.0); }\n",
      varying_fragment);
   glUniform1f(habit_uniform("size"), (float)habit->size / 1000);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void
start_added(const struct habit *habit)
{
   start_layers(habit);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE);
}

static void
draw_layers(void)
{
   glDrawArrays(GL_TRIANGLES, 0, 6 * amount);
}

static void
start_logic(const struct habit *habit)
{
   start_layers(habit);
   glDisable(GL_BLEND);
   glEnable(GL_COLOR_LOGIC_OP);
   glLogicOp(GL_XOR);
}

static void
start_sprites(const struct habit *habit)
{
   amount = habit->count;
   habit_program(
      "#version 330\nvoid main() { int i = gl_VertexID; gl_PointSize = float(3 + i % 7);\n"
      "   gl_Position = vec4(vec2(i % 128, i / 128) / 64.0 - 1.0, 0.0, 1.0); }\n",
      "#version 330\nout vec4 o; void main() { vec2 p = gl_PointCoord - 0.5;\n"
      "   o = vec4(gl_PointCoord, 1.0, 1.0) * step(dot(p, p), 0.25); }\n");
   glEnable(GL_PROGRAM_POINT_SIZE);
   glEnable(GL_POINT_SPRITE);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
}

static void
draw_points(void)
{
   glDrawArrays(GL_POINTS, 0, amount);
}

static void
start_lines(const struct habit *habit)
{
   amount = habit->count;
   habit_program(
      "#version 330\nout vec4 v; void main() { int i = gl_VertexID; float a = float(i) * 0.61;\n"
      "   v = vec4(fract(a), 0.5, 1.0, 1.0);\n"
      "   gl_Position = vec4(sin(a), cos(a * 1.37), 0.0, 1.0); }\n",
      varying_fragment);
   glLineWidth((float)habit->size);
}

static void
start_smooth_lines(const struct habit *habit)
{
   start_lines(habit);
   glEnable(GL_LINE_SMOOTH);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void
draw_lines(void)
{
   glDrawArrays(GL_LINES, 0, amount);
}

#define DRAWS(name, version, start, frame, count)             \
   {                                                          \
      name, version, start, frame, NULL, NULL, NULL, count, 0 \
   }

const struct habit habits_draws[] = {
   DRAWS("instances", 33, start_instances, draw_instances, 65536),
   DRAWS("instance-arrays", 33, start_divisor, draw_instances, 30000),
   DRAWS("tiny-draws", 33, start_tiny, draw_tiny, 5000),
   DRAWS("draws-alike", 33, start_tiny, draw_alike, 5000),
   DRAWS("states-between-draws", 33, start_tiny, draw_states, 3000),
   DRAWS("programs-between-draws", 33, start_programs, draw_programs, 2000),
   DRAWS("textures-between-draws", 33, start_textures, draw_textures, 1000),
   DRAWS("block-ranges-between-draws", 33, start_blocks, draw_blocks, 2000),
   DRAWS("block-writes-between-draws", 33, start_blocks, draw_written_blocks, 600),
   { "indirect-draws", 45, start_indirect, draw_indirect, NULL, NULL, NULL, 10000, 3 },
   { "indexed-indirect-draws", 45, start_indirect, draw_indexed_indirect, NULL, NULL, NULL, 10000,
     4 },
   { "single-indirect-draws", 45, start_indirect, draw_single_indirect, NULL, NULL, NULL, 3000, 3 },
   DRAWS("mesh", 33, start_mesh, draw_mesh, 0),
   DRAWS("mesh-strips", 33, start_mesh, draw_strips, 1),
   DRAWS("mesh-base-vertices", 33, start_mesh, draw_base_vertices, 0),
   { "mesh-wireframe", 33, start_mesh, draw_mesh, NULL, NULL, NULL, 0, GL_LINE },
   { "mesh-height-map", 33, start_mesh, draw_mesh, NULL,
     "#version 330\nin vec3 position; layout(location = 1) in vec3 other; out vec4 v; uniform "
     "sampler2D image;\n"
     "void main() { v = textureLod(image, position.xy, 1.0);\n"
     "   gl_Position = vec4(position + other * v.x * 0.2, 1.0); }\n",
     NULL, 0, 0 },
   { "mesh-skin", 33, start_mesh, draw_mesh, NULL,
     "#version 330\nin vec3 position; layout(location = 1) in vec3 other; out vec4 v; uniform vec4 "
     "bones[64];\n"
     "void main() { ivec4 b = ivec4(gl_VertexID, gl_VertexID >> 2, gl_VertexID >> 4, 3) % 16;\n"
     "   vec4 p = vec4(position, 1.0); vec3 r = vec3(0.0);\n"
     "   for (int i = 0; i < 4; i++) r += (bones[b[i]] * p.x + bones[(b[i] + 1) % 16] * p.y).xyz * "
     "0.25;\n"
     "   v = vec4(other * 0.5 + 0.5, 1.0); gl_Position = vec4(position + r * 0.2, 1.0); }\n",
     NULL, 0, 0 },
   { "mesh-clipped", 33, start_mesh, draw_mesh, NULL,
     "#version 330\nin vec3 position; layout(location = 1) in vec3 other; out vec4 v; out float "
     "gl_ClipDistance[2];\n"
     "void main() { v = vec4(other * 0.5 + 0.5, 1.0); gl_Position = vec4(position * 1.3, "
     "1.0);\n"
     "   gl_ClipDistance[0] = position.x + position.z; gl_ClipDistance[1] = 0.5 - position.y; }\n",
     NULL, 0, 0 },
   DRAWS("stream-by-mapping", 33, start_stream, draw_mapped, 4),
   DRAWS("stream-by-subdata", 33, start_stream, draw_subdata, 4),
   { "blended-layers", 33, start_layers, draw_layers, NULL, NULL, NULL, 300, 500 },
   { "blended-particles", 33, start_layers, draw_layers, NULL, NULL, NULL, 10000, 20 },
   { "added-layers", 33, start_added, draw_layers, NULL, NULL, NULL, 100, 1000 },
   { "logic-operation", 33, start_logic, draw_layers, NULL, NULL, NULL, 200, 500 },
   DRAWS("point-sprites", 33, start_sprites, draw_points, 16384),
   { "lines", 33, start_lines, draw_lines, NULL, NULL, NULL, 2000, 1 },
   { "wide-lines", 33, start_lines, draw_lines, NULL, NULL, NULL, 1000, 5 },
   { "smooth-lines", 33, start_smooth_lines, draw_lines, NULL, NULL, NULL, 1000, 2 },
   { 0 },
};
