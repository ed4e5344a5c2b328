/* SPDX-License-Identifier: MIT */
/*
 * Framebuffers of several views (OVR_multiview, OVR_multiview2): gl-views.  Exit code 0, and the
 * number of cases, if each layer holds what its view draws; otherwise the reason is on stderr, and
 * 77 where the driver offers none.
 *
 * The targets are layers 1 to 3 of arrays of five.  A view clears to one colour and draws one
 * rectangle, of rows that its vertex shader chooses, in a colour of its fragment shader's, and the
 * second rectangle that is drawn lies farther than the first: so views have depth of their own,
 * too.
 */
#include "offscreen.h"

#include <EGL/egl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, LAYERS = 5, FIRST = 1, VIEWS = 3, ROWS = 8 };

static PFNGLFRAMEBUFFERTEXTUREMULTIVIEWOVRPROC framebuffer_views;
static unsigned cases;

static const char vertex_source[] =
   "#version 330\n"
   "#extension GL_OVR_multiview2 : require\n"
   "layout(num_views = 3) in;\n"
   "layout(location = 0) in vec2 corner;\n"
   "uniform float depth;\n"
   "flat out float from_vertex;\n"
   "void main() {\n"
   "   float row = (corner.y * 8.0 + float(gl_ViewID_OVR) * 10.0) / 20.0 - 1.0;\n"
   "   gl_Position = vec4(corner.x * 2.0 - 1.0, row, depth, 1.0);\n"
   "   from_vertex = float(gl_ViewID_OVR) * 51.0 / 255.0;\n"
   "}\n";

static const char fragment_source[] =
   "#version 330\n"
   "#extension GL_OVR_multiview2 : require\n"
   "flat in float from_vertex;\n"
   "uniform float blue;\n"
   "out vec4 colour;\n"
   "void main() {\n"
   "   colour = vec4(from_vertex, float(int(gl_ViewID_OVR) + 1) * 17.0 / 255.0, blue, 1.0);\n"
   "}\n";

static void
fail(const char *why)
{
   fprintf(stderr, "%s\n", why);
   exit(1);
}

static unsigned
array_texture(GLenum format)
{
   unsigned texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
   glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, format, SIDE, SIDE, LAYERS);
   return texture;
}

/* `blue`: of the rectangles, none if 0 and nothing was drawn. */
static void
check_layers(const char *what, uint8_t blue)
{
   static uint8_t texels[LAYERS][SIDE][SIDE][4];

   glGetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   for (int z = 0; z < LAYERS; z++) {
      int view = z - FIRST;
      for (int y = 0; y < SIDE; y++) {
         for (int x = 0; x < SIDE; x++) {
            uint8_t want[4] = { 10, 20, 30, 40 }; /* what was there before */
            if (view >= 0 && view < VIEWS) {
               bool drawn = blue && y >= view * 10 && y < view * 10 + ROWS;
               const uint8_t cleared[4] = { 0, 255, 255, 0 };
               const uint8_t own[4] = { (uint8_t)(view * 51), (uint8_t)(view * 17 + 17), blue,
                                        255 };
               memcpy(want, drawn ? own : cleared, 4);
            }
            if (memcmp(texels[z][y][x], want, 4) != 0) {
               const uint8_t *is = texels[z][y][x];
               fprintf(stderr, "%s: layer %d, (%d, %d): %u %u %u %u, not %u %u %u %u\n", what, z, x,
                       y, is[0], is[1], is[2], is[3], want[0], want[1], want[2], want[3]);
               exit(1);
            }
         }
      }
   }
   cases++;
}

/* Near in the colour `blue`, then farther in another that must not be seen. */
static void
draw_both(unsigned program, float blue, void (*draw)(void))
{
   int depth = glGetUniformLocation(program, "depth");
   int colour = glGetUniformLocation(program, "blue");

   glUniform1f(depth, -0.5f);
   glUniform1f(colour, blue);
   draw();
   glUniform1f(depth, 0.5f);
   glUniform1f(colour, 1.0f);
   draw();
}

static void
draw_arrays(void)
{
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void
draw_indices(void)
{
   static const uint8_t indices[] = { 0, 1, 2, 2, 1, 3 };
   glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_BYTE, indices);
}

static void
draw_indirect(void)
{
   static const uint32_t arguments[2][4] = { { 4, 1, 0, 0 }, { 4, 2, 0, 0 } };
   unsigned buffer;
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer);
   glBufferData(GL_DRAW_INDIRECT_BUFFER, sizeof(arguments), arguments, GL_STATIC_DRAW);
   glMultiDrawArraysIndirect(GL_TRIANGLE_STRIP, NULL, 2, 0);
   glDeleteBuffers(1, &buffer);
}

int
main(void)
{
   static const float corners[] = { 0, 0, 1, 0, 0, 1, 1, 1 };
   static uint8_t before[LAYERS][SIDE][SIDE][4];
   unsigned names[2], samples = 0;

   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   if (!strstr((const char *)glGetString(GL_EXTENSIONS), "GL_OVR_multiview2")) {
      fprintf(stderr, "no OVR_multiview2\n");
      return 77;
   }
   framebuffer_views = (PFNGLFRAMEBUFFERTEXTUREMULTIVIEWOVRPROC)eglGetProcAddress(
      "glFramebufferTextureMultiviewOVR");

   unsigned depth = array_texture(GL_DEPTH24_STENCIL8);
   unsigned colour = array_texture(GL_RGBA8);
   for (unsigned i = 0; i < sizeof(before); i++)
      ((uint8_t *)before)[i] = (uint8_t)(10 * (i % 4 + 1));
   glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, SIDE, SIDE, LAYERS, GL_RGBA, GL_UNSIGNED_BYTE,
                   before);
   glGenFramebuffers(1, names);
   glBindFramebuffer(GL_FRAMEBUFFER, names[0]);
   framebuffer_views(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, colour, 0, FIRST, VIEWS);
   framebuffer_views(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, depth, 0, FIRST, VIEWS);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("a framebuffer of three views is incomplete");
   glViewport(0, 0, SIDE, SIDE);
   glClearColor(0.0f, 1.0f, 1.0f, 0.0f);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   check_layers("a clear", 0);

   unsigned program = offscreen_program(vertex_source, fragment_source);
   glUseProgram(program);
   glGenBuffers(1, &names[1]);
   glBindBuffer(GL_ARRAY_BUFFER, names[1]);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   glEnable(GL_DEPTH_TEST);

   static void (*const draws[])(void) = { draw_arrays, draw_indices, draw_indirect };
   for (unsigned i = 0; i < 3; i++) {
      uint8_t blue = (uint8_t)(50 + 50 * i);
      glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
      draw_both(program, (float)blue / 255.0f, draws[i]);
      check_layers("draws", blue);
   }

   /* A clear that is a draw: of half of the columns, then of the rest, and of two channels. */
   glEnable(GL_SCISSOR_TEST);
   glClearColor(0.0f, 1.0f, 0.0f, 0.0f);
   for (int half = 0; half < 2; half++) {
      glScissor(half * SIDE / 2, 0, SIDE / 2, SIDE);
      glClear(GL_COLOR_BUFFER_BIT);
   }
   glDisable(GL_SCISSOR_TEST);
   glColorMask(GL_FALSE, GL_FALSE, GL_TRUE, GL_FALSE);
   glClearColor(1.0f, 0.0f, 1.0f, 1.0f);
   glClear(GL_COLOR_BUFFER_BIT);
   glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
   check_layers("clears of parts", 0);

   /* All views' samples count. */
   glClearColor(0.0f, 1.0f, 1.0f, 0.0f);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   unsigned query;
   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   draw_both(program, 200.0f / 255.0f, draw_arrays);
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &samples);
   check_layers("draws that are counted", 200);
   if (samples != VIEWS * ROWS * SIDE)
      fail("an occlusion query does not count all views");

   /* The same program where there are no views, and views again. */
   unsigned plain = offscreen_target(SIDE, SIDE);
   glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glBindFramebuffer(GL_FRAMEBUFFER, names[0]);
   glClearColor(0.0f, 1.0f, 1.0f, 0.0f);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   draw_both(program, 30.0f / 255.0f, draw_indices);
   check_layers("draws after another framebuffer", 30);
   glDeleteFramebuffers(1, &plain);
   if (glGetError() != GL_NO_ERROR)
      fail("an error");
   offscreen_close();
   printf("%u\n", cases);
   return 0;
}
