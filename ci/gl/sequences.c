/* SPDX-License-Identifier: MIT */
/*
 * Draws that follow each other and differ in little: gl-sequences.  A device may take some of them
 * for one.  Exit code 0, and the number of sequences, if each gives the picture that it gives when
 * every draw is waited for; otherwise the reason is on stderr.
 *
 * Between two draws a few of these change, often none: uniforms of the vertex program, of the pixel
 * program, or of both; the range of a uniform block; its contents; the first instance, by direct
 * and indirect draws; a texture; the type of primitives; indices or none; the first vertex.  In
 * half of the sequences it is also what programs are compiled for: how polygons are filled,
 * smoothness, stipples, what becomes of alpha, the format of a shadow map, the number of samples.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, DRAWS = 120, SEQUENCES = 60, VERTICES = 64, BLOCKS = 16 };
enum { PICTURE = SIDE * SIDE * 4 };

static const char vertex[] =
   "#version 430\n#extension GL_ARB_shader_draw_parameters : require\n"
   "layout(location = 0) in vec2 corner; layout(location = 1) in vec4 each;\n"
   "layout(std140, binding = 0) uniform B { vec4 move; };\n"
   "uniform vec4 turn; out vec4 v; flat out ivec4 ids;\n"
   "void main() {\n"
   "   v = each + vec4(turn.zw, move.zw);\n"
   "   ids = ivec4(gl_VertexID, gl_InstanceID, gl_BaseInstanceARB, gl_BaseVertexARB);\n"
   "   gl_Position = vec4(corner * 0.4 + move.xy + turn.xy, each.x, 1.0); }\n";

#define FRAGMENT(more)                                                                       \
   "#version 430\n"                                                                          \
   "in vec4 v; flat in ivec4 ids; out vec4 o; uniform vec4 tint; uniform sampler2D image;\n" \
   "layout(binding = 1) uniform sampler2DShadow shadow;\n"                                   \
   "void main() { o = fract(v * tint + vec4(ids) * 0.061 + texture(image, v.xy) * 0.5" more  \
   "); }\n"

/* The number of a primitive keeps vertices from being shared. */
static const char *const fragments[2] = { FRAGMENT(""),
                                          FRAGMENT(" + float(gl_PrimitiveID) * 0.13"
                                                   " + texture(shadow, v.xyz * 2.0) * 0.3") };

static unsigned buffers[5], textures[2], shadows[2], programs[2];
static unsigned targets[2]; /* of one sample, and of four */
static int turn, tint;

static uint32_t
next(uint32_t *state, uint32_t below)
{
   *state = *state * 1664525 + 1013904223;
   return (*state >> 8) % below;
}

static void
fill(GLenum target, unsigned buffer, unsigned floats, uint32_t *state)
{
   float values[1024];

   for (unsigned i = 0; i < floats; i++)
      values[i] = (float)next(state, 1024) / 512 - 1;
   glBindBuffer(target, buffer);
   glBufferData(target, (GLsizeiptr)(floats * sizeof(float)), values, GL_DYNAMIC_DRAW);
}

static void
make_shadows(uint32_t *state)
{
   static const GLenum formats[2] = { GL_DEPTH_COMPONENT32, GL_DEPTH_COMPONENT32F };
   float depths[16 * 16];

   glActiveTexture(GL_TEXTURE1);
   glGenTextures(2, shadows);
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned n = 0; n < 16 * 16; n++)
         depths[n] = next(state, 4) ? 1 : (float)next(state, 64) / 64;
      glBindTexture(GL_TEXTURE_2D, shadows[i]);
      glTexImage2D(GL_TEXTURE_2D, 0, (GLint)formats[i], 16, 16, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                   depths);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   }
   glActiveTexture(GL_TEXTURE0);
}

static void
make_samples(void)
{
   static const struct {
      GLenum point, format;
   } parts[] = { { GL_COLOR_ATTACHMENT0, GL_RGBA8 },
                 { GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8 } };
   unsigned names[2];

   glGenRenderbuffers(2, names);
   glGenFramebuffers(1, &targets[1]);
   glBindFramebuffer(GL_FRAMEBUFFER, targets[1]);
   for (unsigned i = 0; i < 2; i++) {
      glBindRenderbuffer(GL_RENDERBUFFER, names[i]);
      glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, parts[i].format, SIDE, SIDE);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, parts[i].point, GL_RENDERBUFFER, names[i]);
   }
}

static void
set_up(void)
{
   uint32_t state = 5;
   uint16_t indices[VERTICES];
   uint8_t texels[2][16 * 16 * 4];

   for (unsigned i = 0; i < 2; i++)
      programs[i] = offscreen_program(vertex, fragments[i]);
   glGenBuffers(5, buffers);
   fill(GL_ARRAY_BUFFER, buffers[0], 2 * VERTICES, &state);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   fill(GL_ARRAY_BUFFER, buffers[1], 4 * VERTICES, &state);
   glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   glVertexAttribDivisor(1, 1);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(1);
   for (unsigned i = 0; i < VERTICES; i++)
      indices[i] = (uint16_t)next(&state, VERTICES / 2);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[2]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffers[4]);
   for (unsigned i = 0; i < sizeof(texels); i++)
      texels[i / sizeof(texels[0])][i % sizeof(texels[0])] = (uint8_t)next(&state, 256);
   make_shadows(&state);
   glGenTextures(2, textures);
   for (unsigned i = 0; i < 2; i++) {
      glBindTexture(GL_TEXTURE_2D, textures[i]);
      glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels[i]);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   }
}

static void
set_uniform(int location, uint32_t *state)
{
   const float x = (float)next(state, 64) / 64 - 0.5f, y = (float)next(state, 64) / 64 - 0.5f;

   glUniform4f(location, x, y, y * 2, x * 3);
}

static void
toggle(GLenum what, uint32_t *state)
{
   (next(state, 2) ? glEnable : glDisable)(what);
}

/* What is often the same from draw to draw. */
static void
change(uint32_t *state)
{
   const uint32_t what = next(state, 16);
   float block[4];

   if (what < 5 || what == 15)
      set_uniform(turn, state);
   if (what == 5 || what == 15)
      set_uniform(tint, state);
   if (what == 6 || what == 7)
      glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffers[3], next(state, BLOCKS) * 256, 16);
   if (what == 8)
      glBindTexture(GL_TEXTURE_2D, textures[next(state, 2)]);
   if (what == 9) {
      for (unsigned i = 0; i < 4; i++)
         block[i] = (float)next(state, 64) / 64 - 0.5f;
      glBufferSubData(GL_UNIFORM_BUFFER, next(state, BLOCKS) * 256, 16, block);
   }
   if (what == 10)
      toggle(GL_DEPTH_TEST, state);
}

/* What programs are compiled for: none of it is a uniform. */
static void
change_kind(uint32_t *state)
{
   static const GLenum fills[] = { GL_FILL, GL_FILL, GL_LINE, GL_POINT };
   static const GLenum toggled[] = { GL_POINT_SMOOTH,        GL_LINE_SMOOTH,
                                     GL_POLYGON_SMOOTH,      GL_POLYGON_STIPPLE,
                                     GL_SAMPLE_ALPHA_TO_ONE, GL_MULTISAMPLE,
                                     GL_PROGRAM_POINT_SIZE,  GL_SAMPLE_ALPHA_TO_COVERAGE };
   const uint32_t what = next(state, 16);

   if (what < 8)
      toggle(toggled[what], state);
   if (what == 8)
      glPolygonMode(GL_FRONT_AND_BACK, fills[next(state, 4)]);
   if (what == 9) {
      glActiveTexture(GL_TEXTURE1);
      glBindTexture(GL_TEXTURE_2D, shadows[next(state, 2)]);
      glActiveTexture(GL_TEXTURE0);
   }
   if (what == 10)
      glBindFramebuffer(GL_FRAMEBUFFER, targets[next(state, 2)]);
}

static void
forget_kinds(void)
{
   static const GLenum off[] = {
      GL_POINT_SMOOTH,        GL_LINE_SMOOTH,        GL_POLYGON_SMOOTH,          GL_POLYGON_STIPPLE,
      GL_SAMPLE_ALPHA_TO_ONE, GL_PROGRAM_POINT_SIZE, GL_SAMPLE_ALPHA_TO_COVERAGE
   };

   for (unsigned i = 0; i < sizeof(off) / sizeof(off[0]); i++)
      glDisable(off[i]);
   glEnable(GL_MULTISAMPLE);
   glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
   glActiveTexture(GL_TEXTURE1);
   glBindTexture(GL_TEXTURE_2D, shadows[0]);
   glActiveTexture(GL_TEXTURE0);
}

static void
draw_indirect(GLenum mode, uint32_t *state)
{
   uint32_t commands[8][4];

   for (unsigned i = 0; i < 8; i++) {
      commands[i][0] = 3 + next(state, 6);
      commands[i][1] = 1 + !next(state, 8);
      commands[i][2] = next(state, 3) * next(state, 20);
      commands[i][3] = next(state, 20);
   }
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof(commands), commands, GL_STREAM_DRAW);
   glMultiDrawArraysIndirect(mode, NULL, 8, 0);
}

static void
draw(uint32_t *state)
{
   static const GLenum modes[] = { GL_TRIANGLES, GL_TRIANGLES, GL_TRIANGLE_STRIP, GL_TRIANGLE_FAN,
                                   GL_LINES,     GL_QUADS,     GL_POINTS,         GL_POLYGON };
   const GLenum mode = modes[next(state, 4) ? 0 : next(state, 8)];
   const uint32_t how = next(state, 12);
   const int count = how == 0 ? 60 : 3 + (int)next(state, 6), first = (int)next(state, 3);

   if (how < 5)
      glDrawArrays(mode, first, count < VERTICES ? count : VERTICES);
   else if (how < 7)
      glDrawArraysInstancedBaseInstance(mode, first, count, 1, next(state, 20));
   else if (how < 9)
      glDrawElements(mode, count, GL_UNSIGNED_SHORT, (const void *)(intptr_t)(first * 2));
   else if (how < 10)
      glDrawElementsInstancedBaseVertexBaseInstance(mode, count, GL_UNSIGNED_SHORT, NULL, 1, first,
                                                    next(state, 20));
   else if (how < 11)
      glDrawArraysInstanced(mode, first, count, 3);
   else
      draw_indirect(mode, state);
}

static void
picture(uint32_t seed, bool kinds, bool apart, uint8_t *pixels)
{
   const unsigned program = programs[seed & 1];
   uint32_t state = seed;

   glUseProgram(program);
   turn = glGetUniformLocation(program, "turn");
   tint = glGetUniformLocation(program, "tint");
   glDisable(GL_DEPTH_TEST);
   forget_kinds();
   for (unsigned i = 0; i < 2; i++) {
      glBindFramebuffer(GL_FRAMEBUFFER, targets[1 - i]);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   }
   glBindBuffer(GL_UNIFORM_BUFFER, buffers[3]);
   fill(GL_UNIFORM_BUFFER, buffers[3], BLOCKS * 64, &state);
   glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffers[3], 0, 16);
   glBindTexture(GL_TEXTURE_2D, textures[0]);
   set_uniform(turn, &state);
   set_uniform(tint, &state);
   for (unsigned i = 0; i < DRAWS; i++) {
      change(&state);
      if (kinds && !next(&state, 4))
         change_kind(&state);
      draw(&state);
      if (apart)
         glFinish();
   }
   glBindFramebuffer(GL_FRAMEBUFFER, targets[0]);
   glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, targets[1]);
   glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, targets[0]);
   glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels + PICTURE);
}

int
main(void)
{
   static uint8_t pixels[2][2 * PICTURE];
   uint32_t sum = 0;

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   make_samples();
   targets[0] = offscreen_target(SIDE, SIDE);
   set_up();
   for (uint32_t n = 0; n < SEQUENCES; n++) {
      picture(n * 77777 + 1, n & 2, false, pixels[0]);
      picture(n * 77777 + 1, n & 2, true, pixels[1]);
      unsigned drawn = 0;

      for (unsigned i = 0; i < sizeof(pixels[0]); i++) {
         drawn += pixels[0][i] != 0;
         if (pixels[0][i] != pixels[1][i]) {
            fprintf(stderr, "sequence %u: byte %u is %u, and %u with each draw by itself\n", n, i,
                    pixels[0][i], pixels[1][i]);
            return 1;
         }
         sum = sum * 31 + pixels[0][i];
      }
      if (drawn < SIDE * SIDE / 4) {
         fprintf(stderr, "sequence %u: only %u bytes were drawn\n", n, drawn);
         return 1;
      }
   }
   if (glGetError()) {
      fprintf(stderr, "an OpenGL error\n");
      return 1;
   }
   printf("%u sequences, %08x\n", SEQUENCES, sum);
   offscreen_close();
   return 0;
}
