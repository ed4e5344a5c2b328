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
static int number; /* a uniform */

static const char flat_fragment[] = "#version 330\n"
                                    "uniform vec4 colour; out vec4 o;\n"
                                    "void main() { o = colour; }\n";

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

static const char instance_vertex[] =
   "#version 330\nin vec2 position; out vec4 v;\n" GRID
   "void main() { v = vec4(fract(float(gl_InstanceID) * 0.01), position, 1.0);\n"
   "              gl_Position = grid(gl_InstanceID, 256, position); }\n";

static void
draw_instances(void)
{
   glDrawArraysInstanced(GL_TRIANGLES, 0, 3, habit->count);
}

/* What an instance is comes from an array of its own. */
static const char array_vertex[] =
   "#version 330\nin vec2 position; layout(location = 1) in vec4 other; out vec4 v;\n"
   "void main() { v = other;\n"
   "   gl_Position = vec4(other.xy * 2.0 - 1.0 + position * 0.02, 0.0, 1.0); }\n";

static void
start_divisor(void)
{
   use_triangle();
   habit_floats(GL_ARRAY_BUFFER, 4 * (unsigned)habit->count);
   glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   glVertexAttribDivisor(1, 1);
   glEnableVertexAttribArray(1);
}

/* Draws of one triangle each. */
static const char tiny_vertex[] = "#version 330\nin vec2 position; uniform int number;\n" GRID
                                  "void main() { gl_Position = grid(number, 100, position); }\n";

static void
start_tiny(void)
{
   number = habit_uniform("number");
   glUniform4f(habit_uniform("colour"), 0.2f, 0.7f, 0.4f, 1);
   use_triangle();
}

static void
draw_triangle(int i)
{
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void
draw_tiny(int i)
{
   glUniform1i(number, i);
   draw_triangle(i);
}

/* One of 8 programs for each. */
static void
start_programs(void)
{
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
draw_programs(int i)
{
   glUseProgram(programs[i & 7]);
   draw_triangle(i);
}

/* One of 16 textures for each. */
static const char textured_vertex[] =
   "#version 330\nin vec2 position; uniform int number; out vec2 t;\n" GRID
   "void main() { t = position; gl_Position = grid(number, 32, position); }\n";

static const char textured_fragment[] =
   "#version 330\nin vec2 t; out vec4 o; uniform sampler2D image;\n"
   "void main() { o = texture(image, t); }\n";

static void
start_textures(void)
{
   number = habit_uniform("number");
   use_triangle();
   for (int i = 0; i < 16; i++)
      textures[i] = habit_texture(GL_TEXTURE_2D, 0, 32, 1);
}

static void
draw_textures(int i)
{
   glBindTexture(GL_TEXTURE_2D, textures[i & 15]);
   draw_tiny(i);
}

/* A range of one uniform buffer for each. */
static const char block_vertex[] =
   "#version 330\nin vec2 position; layout(std140) uniform Object { vec4 move, colour; };\n"
   "out vec4 v;\n"
   "void main() { v = colour;\n"
   "   gl_Position = vec4(move.xy * 2.0 - 1.0 + position * 0.05, 0.0, 1.0); }\n";

static void
start_blocks(void)
{
   use_triangle();
   buffers[1] = habit_floats(GL_UNIFORM_BUFFER, 64 * (unsigned)habit->count);
}

static void
draw_blocks(int i)
{
   glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffers[1], (GLintptr)i * 256, 32);
   draw_triangle(i);
}

/* One uniform buffer that is written before each. */
static void
draw_written_blocks(int i)
{
   const float object[8] = { (float)(i % 25) / 25, (float)(i / 25) / 25, 0, 0, 1, 0.5f, 0, 1 };

   glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffers[1], 0, 32);
   glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(object), object);
   draw_triangle(i);
}

/* One triangle that is moved before each. */
static const char moved_vertex[] =
   "#version 330\nin vec2 position; void main() { gl_Position = vec4(position, 0.0, 1.0); }\n";

static void
start_written_vertices(void)
{
   start_tiny();
   glBufferData(GL_ARRAY_BUFFER, 1024, NULL, GL_DYNAMIC_DRAW);
}

static void
draw_written_vertices(int i)
{
   const float x = (float)(i % 25) / 12.5f - 1, y = (float)(i / 25) / 12.5f - 1;
   const float triangle[6] = { x, y, x + 0.06f, y, x, y + 0.06f };

   glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(triangle), triangle);
   draw_triangle(i);
}

/* Blending, depth test and masks that change. */
static void
draw_states(int i)
{
   glEnable(GL_DEPTH_TEST);
   if (i & 1)
      glEnable(GL_BLEND);
   else
      glDisable(GL_BLEND);
   glBlendFunc(i & 2 ? GL_ONE : GL_SRC_ALPHA, i & 4 ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);
   glDepthFunc(i & 1 ? GL_ALWAYS : GL_LEQUAL);
   draw_tiny(i);
}

static const char indirect_vertex[] =
   "#version 330\n#extension GL_ARB_shader_draw_parameters : require\n"
   "in vec2 position; out vec4 v;\n" GRID "void main() { v = vec4(position, 1.0, 1.0);\n"
   "              gl_Position = grid(gl_BaseInstanceARB, 150, position); }\n";

static void
start_indirect(void)
{
   uint32_t(*commands)[5] = habit_alloc((size_t)habit->count * 20);
   static const uint16_t indices[3] = { 0, 1, 2 };

   use_triangle();
   for (int i = 0; i < habit->count; i++) {
      commands[i][0] = 3;
      commands[i][1] = 1;
      commands[i][habit->size] = (uint32_t)i;
   }
   glGenBuffers(1, &buffers[1]);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers[1]);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, (GLsizeiptr)habit->count * 20, commands, GL_STATIC_DRAW);
   glGenBuffers(1, &buffers[2]);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[2]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
   free(commands);
}

static void
draw_indirect(void)
{
   glMultiDrawArraysIndirect(GL_TRIANGLES, NULL, habit->count, 20);
}

static void
draw_indexed_indirect(void)
{
   glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT, NULL, habit->count, 20);
}

static void
draw_single_indirect(int i)
{
   glDrawArraysIndirect(GL_TRIANGLES, (const void *)((intptr_t)i * 20));
}

/* Meshes: a torus of SIDE * SIDE vertices with normals. */
enum { MESH = 96 };

static int num_indices;

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
   num_indices = (int)(i - indices);
   glGenBuffers(2, buffers);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(float) * 6 * MESH * MESH, vertices,
                GL_STATIC_DRAW);
   glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 24, NULL);
   glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 24, (const void *)12);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, num_indices * 4, indices, GL_STATIC_DRAW);
   free(vertices);
   free(indices);
   glEnable(GL_DEPTH_TEST);
}

static void
start_mesh(void)
{
   make_torus(habit->count);
   if (habit->count) {
      glEnable(GL_PRIMITIVE_RESTART);
      glPrimitiveRestartIndex(UINT32_MAX);
   }
   if (habit->size)
      glPolygonMode(GL_FRONT_AND_BACK, (GLenum)habit->size);
   habit_texture(GL_TEXTURE_2D, 0, 128, 1);
   glUniform4fv(habit_uniform("bones"), 16,
                (const float[64]){ 1, 0, 0, 0, 0, 1, 0, 0, 1, 0.1f, 0, 0 });
   for (unsigned i = 0; i < 2 && strstr(habit->vertex, "gl_ClipDistance"); i++)
      glEnable(GL_CLIP_DISTANCE0 + i);
}

static void
draw_mesh(void)
{
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawElements(GL_TRIANGLES, num_indices, GL_UNSIGNED_INT, NULL);
}

static void
draw_strips(void)
{
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawElements(GL_TRIANGLE_STRIP, num_indices, GL_UNSIGNED_INT, NULL);
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

static const char stream_vertex[] =
   "#version 330\nin vec2 position; layout(location = 1) in vec4 other; out vec4 v;\n"
   "void main() { v = other; gl_Position = vec4(position, 0.0, 1.0); }\n";

static void
start_stream(void)
{
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
draw_mapped(int i)
{
   write_stream(glMapBufferRange(GL_ARRAY_BUFFER, 0, STREAM * 12,
                                 GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT));
   glUnmapBuffer(GL_ARRAY_BUFFER);
   glDrawArrays(GL_TRIANGLES, 0, STREAM);
}

static void
draw_subdata(void)
{
   static float vertices[STREAM * 3];

   write_stream(vertices);
   for (int i = 0; i < habit->count; i++) {
      glBufferSubData(GL_ARRAY_BUFFER, 0, STREAM * 12, vertices);
      glDrawArrays(GL_TRIANGLES, 0, STREAM);
   }
}

/* Many translucent quads over each other: six vertices each. */
static const char layer_vertex[] =
   "#version 330\nout vec4 v; uniform float size;\n"
   "void main() { int n = gl_VertexID / 6, k = gl_VertexID % 6;\n"
   "   vec2 p = vec2(k == 1 || k == 2 || k == 4, k == 2 || k == 4 || k == 5);\n"
   "   v = vec4(p, fract(float(n) * 0.37), 0.25);\n"
   "   gl_Position = vec4((p - 0.5) * size\n"
   "      + fract(vec2(n * 37 % 101, n * 53 % 97) * 0.0173) * 2.0 - 1.0, 0.0, 1.0); }\n";

static void
blend(GLenum source, GLenum destination)
{
   glEnable(GL_BLEND);
   glBlendFunc(source, destination);
}

static void
start_layers(void)
{
   glUniform1f(habit_uniform("size"), (float)habit->size / 1000);
   blend(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

static void
start_added(void)
{
   start_layers();
   blend(GL_SRC_ALPHA, GL_ONE);
}

static void
start_logic(void)
{
   start_layers();
   glDisable(GL_BLEND);
   glEnable(GL_COLOR_LOGIC_OP);
   glLogicOp(GL_XOR);
}

static const char sprite_vertex[] =
   "#version 330\nvoid main() { int i = gl_VertexID; gl_PointSize = float(3 + i % 7);\n"
   "   gl_Position = vec4(vec2(i % 128, i / 128) / 64.0 - 1.0, 0.0, 1.0); }\n";

static const char sprite_fragment[] =
   "#version 330\nout vec4 o; void main() { vec2 p = gl_PointCoord - 0.5;\n"
   "   o = vec4(gl_PointCoord, 1.0, 1.0) * step(dot(p, p), 0.25); }\n";

static void
start_sprites(void)
{
   glEnable(GL_PROGRAM_POINT_SIZE);
   glEnable(GL_POINT_SPRITE);
   blend(GL_ONE, GL_ONE);
}

static const char line_vertex[] =
   "#version 330\nout vec4 v; void main() { int i = gl_VertexID; float a = float(i) * 0.61;\n"
   "   v = vec4(fract(a), 0.5, 1.0, 1.0);\n"
   "   gl_Position = vec4(sin(a), cos(a * 1.37), 0.0, 1.0); }\n";

static void
start_lines(void)
{
   glLineWidth((float)habit->size);
}

static void
start_smooth_lines(void)
{
   start_lines();
   glEnable(GL_LINE_SMOOTH);
   blend(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

#define TINY  .start = start_tiny, .vertex = tiny_vertex, .fragment = flat_fragment
#define BLOCK .start = start_blocks, .vertex = block_vertex
#define LAYER .mode = GL_TRIANGLES, .vertex = layer_vertex
#define LINES .mode = GL_LINES, .vertex = line_vertex

const struct habit habits_draws[] = {
   { "instances", 33, use_triangle, draw_instances, .count = 65536, .vertex = instance_vertex },
   { "instance-arrays", 33, start_divisor, draw_instances, .count = 30000, .vertex = array_vertex },
   { "tiny-draws", 33, TINY, .each = draw_tiny, .count = 5000 },
   { "draws-alike", 33, TINY, .each = draw_triangle, .count = 5000 },
   { "states-between-draws", 33, TINY, .each = draw_states, .count = 3000 },
   { "programs-between-draws", 33, start_programs, .each = draw_programs, .count = 2000 },
   { "textures-between-draws", 33, start_textures, .each = draw_textures, .count = 1000,
     .vertex = textured_vertex, .fragment = textured_fragment },
   { "block-ranges-between-draws", 33, BLOCK, .each = draw_blocks, .count = 2000 },
   { "block-writes-between-draws", 33, BLOCK, .each = draw_written_blocks, .count = 600 },
   { "vertex-writes-between-draws", 33, start_written_vertices, .each = draw_written_vertices,
     .count = 600, .vertex = moved_vertex, .fragment = flat_fragment },
   { "indirect-draws", 45, start_indirect, draw_indirect, .count = 10000, .size = 3,
     .vertex = indirect_vertex },
   { "indexed-indirect-draws", 45, start_indirect, draw_indexed_indirect, .count = 10000, .size = 4,
     .vertex = indirect_vertex },
   { "single-indirect-draws", 45, start_indirect, .each = draw_single_indirect, .count = 3000,
     .size = 3, .vertex = indirect_vertex },
   { "mesh", 33, start_mesh, draw_mesh, .vertex = lit_vertex },
   { "mesh-strips", 33, start_mesh, draw_strips, .count = 1, .vertex = lit_vertex },
   { "mesh-base-vertices", 33, start_mesh, draw_base_vertices, .vertex = lit_vertex },
   { "mesh-wireframe", 33, start_mesh, draw_mesh, .size = GL_LINE, .vertex = lit_vertex },
   { "mesh-height-map", 33, start_mesh, draw_mesh,
     .vertex = "#version 330\nin vec3 position; layout(location = 1) in vec3 other; out vec4 v; "
               "uniform sampler2D image;\n"
               "void main() { v = textureLod(image, position.xy, 1.0);\n"
               "   gl_Position = vec4(position + other * v.x * 0.2, 1.0); }\n" },
   { "mesh-skin", 33, start_mesh, draw_mesh,
     .vertex =
        "#version 330\nin vec3 position; layout(location = 1) in vec3 other; out vec4 v; uniform "
        "vec4 bones[64];\n"
        "void main() { ivec4 b = ivec4(gl_VertexID, gl_VertexID >> 2, gl_VertexID >> 4, 3) % 16;\n"
        "   vec4 p = vec4(position, 1.0); vec3 r = vec3(0.0);\n"
        "   for (int i = 0; i < 4; i++)\n"
        "      r += (bones[b[i]] * p.x + bones[(b[i] + 1) % 16] * p.y).xyz * 0.25;\n"
        "   v = vec4(other * 0.5 + 0.5, 1.0); gl_Position = vec4(position + r * 0.2, 1.0); }\n" },
   { "mesh-clipped", 33, start_mesh, draw_mesh,
     .vertex = "#version 330\nin vec3 position; layout(location = 1) in vec3 other; out vec4 v; "
               "out float gl_ClipDistance[2];\n"
               "void main() { v = vec4(other * 0.5 + 0.5, 1.0);\n"
               "   gl_Position = vec4(position * 1.3, 1.0);\n"
               "   gl_ClipDistance[0] = position.x + position.z;\n"
               "   gl_ClipDistance[1] = 0.5 - position.y; }\n" },
   { "stream-by-mapping", 33, start_stream, .each = draw_mapped, .count = 4,
     .vertex = stream_vertex },
   { "stream-by-subdata", 33, start_stream, draw_subdata, .count = 4, .vertex = stream_vertex },
   { "blended-layers", 33, start_layers, LAYER, .count = 6 * 300, .size = 500 },
   { "blended-particles", 33, start_layers, LAYER, .count = 6 * 10000, .size = 20 },
   { "added-layers", 33, start_added, LAYER, .count = 6 * 100, .size = 1000 },
   { "logic-operation", 33, start_logic, LAYER, .count = 6 * 200, .size = 500 },
   { "point-sprites", 33, start_sprites, .mode = GL_POINTS, .count = 16384, .vertex = sprite_vertex,
     .fragment = sprite_fragment },
   { "lines", 33, start_lines, LINES, .count = 2000, .size = 1 },
   { "wide-lines", 33, start_lines, LINES, .count = 1000, .size = 5 },
   { "smooth-lines", 33, start_smooth_lines, LINES, .count = 1000, .size = 2 },
   { 0 },
};
