/* SPDX-License-Identifier: MIT */
/*
 * Scenes of what came to OpenGL after vertex and fragment shaders: multisampling, depth textures,
 * transform feedback, geometry and tessellation shaders, compute, and copies between all kinds of
 * textures.  Each keeps clear of what OpenGL leaves to the driver, so that llvmpipe's picture is
 * the same but for rounding.
 */
#include "offscreen.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265f

enum { WIDTH = SCENE_WIDTH, HEIGHT = SCENE_HEIGHT };

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const char plain_vertex[] = "#version 130\n"
                                   "in vec2 position; out vec2 at;\n"
                                   "void main() { at = position * 0.5 + 0.5;\n"
                                   "              gl_Position = vec4(position, 0.0, 1.0); }\n";

static unsigned
drawn_framebuffer(void)
{
   int name = 0;

   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &name);
   return (unsigned)name;
}

/* Back to what main() reads. */
static void
to_screen(unsigned framebuffer)
{
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glViewport(0, 0, WIDTH, HEIGHT);
}

/* A part of the screen, in pixels, with the program that is in use. */
static void
fill(int x, int y, int width, int height)
{
   glViewport(x, y, width, height);
   glRectf(-1, -1, 1, 1);
   glViewport(0, 0, WIDTH, HEIGHT);
}

static void
sampling(GLenum target, GLenum filter)
{
   glTexParameteri(target, GL_TEXTURE_MIN_FILTER, (int)filter);
   glTexParameteri(target, GL_TEXTURE_MAG_FILTER, (int)filter);
   glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
   glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
   glTexParameteri(target, GL_TEXTURE_WRAP_R, GL_CLAMP_TO_EDGE);
}

/* Four samples: edges, a sample mask and alpha to coverage; resolved to the left, one sample of
 * each in four bands to the right. */
static void
scene_multisample(void)
{
   unsigned screen = drawn_framebuffer(), framebuffer, textures[2];
   unsigned pick = offscreen_program(
      plain_vertex, "#version 150\n"
                    "uniform sampler2DMS image; out vec4 colour;\n"
                    "void main() { ivec2 at = ivec2(gl_FragCoord.xy);\n"
                    "              colour = texelFetch(image, at, (at.y / 60) % 4); }\n");

   glGenTextures(2, textures);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   for (unsigned i = 0; i < 2; i++) {
      glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, textures[i]);
      glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, i ? GL_DEPTH_COMPONENT24 : GL_RGBA8,
                              WIDTH, HEIGHT, GL_TRUE);
      glFramebufferTexture2D(GL_FRAMEBUFFER, i ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                             GL_TEXTURE_2D_MULTISAMPLE, textures[i], 0);
   }
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   for (int i = 0; i < 40; i++) {
      float a = (float)i * 2 * PI / 40, z = i & 1 ? 0.3f : -0.3f;

      glColor3f(i & 1 ? 1 : 0.2f, (float)i / 40, i & 2 ? 0.9f : 0.1f);
      glBegin(GL_TRIANGLES);
      glVertex3f(0, 0, z);
      glVertex3f(0.95f * cosf(a), 0.95f * sinf(a), -z);
      glVertex3f(0.95f * cosf(a + 0.21f), 0.95f * sinf(a + 0.21f), z);
      glEnd();
   }
   glDisable(GL_DEPTH_TEST);
   glEnable(GL_SAMPLE_MASK);
   glSampleMaski(0, 5);
   glColor3f(1, 1, 1);
   glRectf(-0.9f, 0.6f, 0.9f, 0.8f);
   glDisable(GL_SAMPLE_MASK);
   glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
   glColor4f(0, 0, 0, 0.5f);
   glRectf(-0.9f, -0.8f, 0.9f, -0.6f);
   glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, screen);
   glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   to_screen(screen);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, textures[0]);
   glUseProgram(pick);
   glEnable(GL_SCISSOR_TEST);
   glScissor(WIDTH / 2, 0, WIDTH / 2, HEIGHT);
   fill(0, 0, WIDTH, HEIGHT);
   glDisable(GL_SCISSOR_TEST);
}

/* Wide lines with four samples, as wide across whatever their direction. */
static void
scene_beams(void)
{
   unsigned screen = drawn_framebuffer(), framebuffer, buffer;

   glGenFramebuffers(1, &framebuffer);
   glGenRenderbuffers(1, &buffer);
   glBindRenderbuffer(GL_RENDERBUFFER, buffer);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, WIDTH, HEIGHT);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
   glClear(GL_COLOR_BUFFER_BIT);
   glLineWidth(9);
   for (int i = 0; i < 20; i++) {
      float x = (float)(i % 10) * 0.2f - 0.95f, y = i < 10 ? 0.05f : -0.95f;

      glColor3f((float)i / 20, 1, i & 1 ? 0.2f : 0.9f);
      glBegin(GL_LINES);
      glVertex2f(x, y);
      glVertex2f(x + 0.45f, y + 0.6f);
      glEnd();
   }
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, screen);
   glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   to_screen(screen);
}

/* A depth texture: compared with, sampled as it is, and read back to the CPU. */
static void
scene_depth(void)
{
   enum { SIZE = 512, PART = 64 };
   static float part[PART][PART];
   unsigned screen = drawn_framebuffer(), framebuffer, textures[2];
   unsigned compare = offscreen_program(
      plain_vertex, "#version 130\n"
                    "uniform sampler2DShadow image; in vec2 at; out vec4 colour;\n"
                    "void main() {\n"
                    "   float lit = texture(image, vec3(at, 0.35 + 0.5 * at.x));\n"
                    "   colour = vec4(lit, at * 0.8, 1.0); }\n");
   unsigned show =
      offscreen_program(plain_vertex, "#version 130\n"
                                      "uniform sampler2D image; in vec2 at; out vec4 colour;\n"
                                      "void main() { colour = texture(image, at).rrra; }\n");

   glGenTextures(2, textures);
   glBindTexture(GL_TEXTURE_2D, textures[0]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SIZE, SIZE, 0, GL_DEPTH_COMPONENT,
                GL_UNSIGNED_INT, NULL);
   sampling(GL_TEXTURE_2D, GL_NEAREST);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, textures[0], 0);
   glDrawBuffer(GL_NONE);
   glReadBuffer(GL_NONE);
   glViewport(0, 0, SIZE, SIZE);
   glEnable(GL_DEPTH_TEST);
   glClearDepth(0.9);
   glClear(GL_DEPTH_BUFFER_BIT);
   for (int i = 0; i < 12; i++) {
      float a = (float)i * PI / 6;

      glBegin(GL_TRIANGLES);
      glVertex3f(0, 0, -0.8f);
      glVertex3f(0.9f * cosf(a), 0.9f * sinf(a), 0.7f);
      glVertex3f(0.9f * cosf(a + 0.4f), 0.9f * sinf(a + 0.4f), i & 1 ? 0.2f : 0.7f);
      glEnd();
   }
   glReadPixels(SIZE / 2 - PART / 2, SIZE / 2, PART, PART, GL_DEPTH_COMPONENT, GL_FLOAT, part);
   glDisable(GL_DEPTH_TEST);
   to_screen(screen);
   glUseProgram(show);
   fill(WIDTH / 2, 0, WIDTH / 2, HEIGHT / 2);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   glUseProgram(compare);
   fill(0, 0, WIDTH / 2, HEIGHT);
   glBindTexture(GL_TEXTURE_2D, textures[1]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, PART, PART, 0, GL_RED, GL_FLOAT, part);
   sampling(GL_TEXTURE_2D, GL_NEAREST);
   glUseProgram(show);
   fill(WIDTH / 2, HEIGHT / 2, WIDTH / 2, HEIGHT / 2);
}

/* Vertices captured in two parts with a pause between, drawn by their count; and a draw that an
 * occlusion query decides. */
static void
scene_feedback(void)
{
   enum { SIDE = 24 };
   static const char *captured[] = { "where", "tint" };
   unsigned program = glCreateProgram(), feedback, buffers[2], queries[2];
   const struct offscreen_shader shader = {
      GL_VERTEX_SHADER,
      "#version 130\n"
      "out vec4 where; out vec4 tint; uniform int side;\n"
      "void main() {\n"
      "   vec2 p = vec2(gl_VertexID % side, gl_VertexID / side) / float(side - 1);\n"
      "   where = vec4(p * 1.6 - 0.8 + 0.1 * p.yx * p.x, 0.0, 1.0);\n"
      "   tint = vec4(p, 1.0 - p.x, 1.0);\n"
      "   gl_Position = where; }\n",
   };

   offscreen_attach(program, &shader, 1);
   glTransformFeedbackVaryings(program, COUNT(captured), captured, GL_INTERLEAVED_ATTRIBS);
   offscreen_link(program);
   glUseProgram(program);
   glUniform1i(glGetUniformLocation(program, "side"), SIDE);
   glGenTransformFeedbacks(1, &feedback);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
   glGenBuffers(2, buffers);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[0]);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, SIDE * SIDE * 32, NULL, GL_STATIC_DRAW);
   glEnable(GL_RASTERIZER_DISCARD);
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, SIDE * 8);
   glPauseTransformFeedback();
   glDrawArrays(GL_POINTS, 0, SIDE);
   glResumeTransformFeedback();
   glDrawArrays(GL_POINTS, SIDE * 12, SIDE * 12);
   glEndTransformFeedback();
   glDisable(GL_RASTERIZER_DISCARD);

   glUseProgram(0);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glVertexPointer(4, GL_FLOAT, 32, NULL);
   glColorPointer(4, GL_FLOAT, 32, (void *)16);
   glEnableClientState(GL_VERTEX_ARRAY);
   glEnableClientState(GL_COLOR_ARRAY);
   glPointSize(7);
   glDrawTransformFeedback(GL_POINTS, feedback);
   glDisableClientState(GL_VERTEX_ARRAY);
   glDisableClientState(GL_COLOR_ARRAY);

   glGenQueries(2, queries);
   glEnable(GL_DEPTH_TEST);
   for (unsigned i = 0; i < 2; i++) {
      glBeginQuery(GL_SAMPLES_PASSED, queries[i]);
      glDepthFunc(i ? GL_ALWAYS : GL_NEVER);
      glColor3f(0.2f, 0.2f, 0.2f);
      glRectf(-0.9f, -0.95f, -0.6f, -0.85f);
      glEndQuery(GL_SAMPLES_PASSED);
   }
   glDisable(GL_DEPTH_TEST);
   for (int i = 0; i < 2; i++) {
      glBeginConditionalRender(queries[i], GL_QUERY_WAIT);
      glColor3f(i ? 0 : 1, i ? 1 : 0, 0);
      glRectf(i ? -0.4f : 0.4f, -0.95f, i ? 0 : 0.8f, -0.85f);
      glEndConditionalRender();
   }
}

/* Points become fans, one strip for each blade. */
static void
scene_geometry(void)
{
   const struct offscreen_shader shaders[] = {
      { GL_VERTEX_SHADER,
        "#version 150\n"
        "out float size;\n"
        "void main() { int x = gl_VertexID % 6, y = gl_VertexID / 6;\n"
        "   size = 0.05 + 0.02 * float(x + y);\n"
        "   gl_Position = vec4(vec2(x, y) * vec2(0.3, 0.4) - vec2(0.75, 0.6), 0.0, 1.0); }\n" },
      { GL_GEOMETRY_SHADER,
        "#version 150\n"
        "layout(points) in; layout(triangle_strip, max_vertices = 20) out;\n"
        "in float size[]; flat out vec3 tint;\n"
        "void main() {\n"
        "   for (int i = 0; i < 5; i++) {\n"
        "      float a = float(i) * 1.2566371 + float(gl_PrimitiveIDIn) * 0.1;\n"
        "      vec2 d = vec2(cos(a), sin(a)) * size[0], n = vec2(-d.y, d.x) * 0.3;\n"
        "      vec2 corner[4] = vec2[4](vec2(0.0), d * 0.6 + n, d * 0.6 - n, d);\n"
        "      for (int k = 0; k < 4; k++) {\n"
        "         tint = vec3(float(i) / 4.0, float(gl_PrimitiveIDIn) / 24.0, 0.6);\n"
        "         gl_Position = gl_in[0].gl_Position + vec4(corner[k] * vec2(0.75, 1.0), 0.0, "
        "0.0);\n"
        "         EmitVertex(); }\n"
        "      EndPrimitive(); } }\n" },
      { GL_FRAGMENT_SHADER, "#version 150\n"
                            "flat in vec3 tint; out vec4 colour;\n"
                            "void main() { colour = vec4(tint, 1.0); }\n" },
   };
   unsigned program = glCreateProgram();

   offscreen_attach(program, shaders, COUNT(shaders));
   offscreen_link(program);
   glUseProgram(program);
   glDrawArrays(GL_POINTS, 0, 24);
}

/* One patch of each domain, each with another spacing; the first as lines as well. */
static void
scene_tessellation(void)
{
   static const struct {
      const char *layout, *point;
      int vertices;
   } domains[] = {
      { "quads, equal_spacing, ccw",
        "mix(mix(corner[0], corner[1], gl_TessCoord.x), mix(corner[3], corner[2], gl_TessCoord.x), "
        "gl_TessCoord.y)",
        4 },
      { "triangles, fractional_odd_spacing, ccw",
        "corner[0] * gl_TessCoord.x + corner[1] * gl_TessCoord.y + corner[2] * gl_TessCoord.z", 3 },
      { "isolines, fractional_even_spacing",
        "mix(corner[0], corner[2], gl_TessCoord.x) + vec2(0.0, gl_TessCoord.y * 0.6)", 3 },
   };
   static const float corners[][2] = { { -0.9f, -0.9f }, { -0.1f, -0.8f }, { -0.2f, 0.8f },
                                       { -0.8f, 0.9f },  { 0.1f, -0.9f },  { 0.9f, -0.7f },
                                       { 0.4f, 0.2f },   { 0.1f, 0.2f },   { 0.5f, 0.3f },
                                       { 0.9f, 0.1f } };
   unsigned buffer, vertices;
   int first = 0;

   glGenVertexArrays(1, &vertices);
   glBindVertexArray(vertices);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   for (unsigned i = 0; i < COUNT(domains); i++) {
      char evaluation[1024];
      const struct offscreen_shader shaders[] = {
         { GL_VERTEX_SHADER, "#version 400\n"
                             "in vec2 position; out vec2 p;\n"
                             "void main() { p = position; }\n" },
         { GL_TESS_CONTROL_SHADER,
           "#version 400\n"
           "layout(vertices = 4) out; in vec2 p[]; out vec2 corner[]; patch out float bend;\n"
           "void main() {\n"
           "   corner[gl_InvocationID] = p[min(gl_InvocationID, gl_PatchVerticesIn - 1)];\n"
           "   bend = 0.03 * float(gl_PatchVerticesIn);\n"
           "   gl_TessLevelInner = float[2](6.3, 9.0);\n"
           "   gl_TessLevelOuter = float[4](5.0, 8.4, 11.0, 3.7); }\n" },
         { GL_TESS_EVALUATION_SHADER, evaluation },
         { GL_FRAGMENT_SHADER, "#version 400\n"
                               "in vec3 tint; out vec4 colour;\n"
                               "void main() { colour = vec4(tint, 1.0); }\n" },
      };
      unsigned program = glCreateProgram();

      snprintf(evaluation, sizeof(evaluation),
               "#version 400\n"
               "layout(%s) in;\n"
               "in vec2 corner[]; patch in float bend; out vec3 tint;\n"
               "void main() { vec2 p = %s;\n"
               "   p += bend * vec2(p.y * p.x, p.x - p.y * p.y);\n"
               "   tint = vec3(gl_TessCoord.xy, 0.7);\n"
               "   gl_Position = vec4(p, 0.0, 1.0); }\n",
               domains[i].layout, domains[i].point);
      offscreen_attach(program, shaders, COUNT(shaders));
      offscreen_link(program);
      glUseProgram(program);
      glPatchParameteri(GL_PATCH_VERTICES, domains[i].vertices);
      glDrawArrays(GL_PATCHES, first, domains[i].vertices);
      if (i == 0) {
         glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
         glEnable(GL_COLOR_LOGIC_OP);
         glLogicOp(GL_INVERT);
         glDrawArrays(GL_PATCHES, first, domains[i].vertices);
         glDisable(GL_COLOR_LOGIC_OP);
         glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
      }
      first += domains[i].vertices;
   }
}

/* An image that a compute shader writes, sums in shared memory, and a histogram that it counts with
 * atomic operations in a buffer, which the fragment shader reads.  A group is one wave: Mesa's r600
 * moves reads of shared memory past barriers (docs/conformance.rst). */
static void
scene_compute(void)
{
   enum { BINS = 64 };
   const struct offscreen_shader work = {
      GL_COMPUTE_SHADER,
      "#version 430\n"
      "layout(local_size_x = 8, local_size_y = 8) in;\n"
      "layout(rgba8, binding = 0) writeonly uniform image2D image;\n"
      "layout(std430, binding = 0) buffer Bins { uint bin[64]; };\n"
      "shared uint sum[8][8];\n"
      "void main() {\n"
      "   uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;\n"
      "   uint v = (g.x * g.y + (g.x ^ g.y)) & 63u;\n"
      "   sum[l.y][l.x] = v;\n"
      "   barrier();\n"
      "   for (uint step = 1u; step < 8u; step *= 2u) {\n"
      "      uint add = l.x >= step ? sum[l.y][l.x - step] : 0u;\n"
      "      barrier();\n"
      "      sum[l.y][l.x] += add;\n"
      "      barrier(); }\n"
      "   atomicAdd(bin[v], 1u);\n"
      "   imageStore(image, ivec2(g), vec4(float(v) / 63.0, float(sum[l.y][l.x] & 255u) / 255.0,\n"
      "                                    float(sum[l.x][l.y] & 127u) / 127.0, 1.0)); }\n",
   };
   unsigned program = glCreateProgram(), texture, buffer;
   unsigned show = offscreen_program(
      plain_vertex, "#version 430\n"
                    "in vec2 at; out vec4 colour; uniform sampler2D image;\n"
                    "layout(std430, binding = 0) buffer Bins { uint bin[64]; };\n"
                    "void main() {\n"
                    "   uint b = bin[int(at.x * 64.0)];\n"
                    "   colour = at.y * 5000.0 < float(b) ? vec4(1.0, 0.8, 0.1, 1.0)\n"
                    "                  : texelFetch(image, ivec2(gl_FragCoord.xy) % 256, 0); }\n");

   offscreen_attach(program, &work, 1);
   offscreen_link(program);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 256, 256);
   sampling(GL_TEXTURE_2D, GL_NEAREST);
   glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, BINS * 4, NULL, GL_DYNAMIC_COPY);
   glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
   glUseProgram(program);
   glDispatchCompute(32, 32, 1);
   glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
   glUseProgram(show);
   fill(0, 0, WIDTH, HEIGHT);
}

/* Texels through every kind of copy: levels, layers and slices of several sizes, up from the CPU,
 * between textures, from the framebuffer, down to the CPU and up again. */
static void
scene_transfers(void)
{
   enum { SIZE = 96, LAYERS = 3 };
   static uint8_t texels[LAYERS][SIZE][SIZE][4], back[LAYERS][SIZE][SIZE][4];
   static uint16_t wide[SIZE][SIZE];
   unsigned screen = drawn_framebuffer(), textures[5], framebuffer, buffer;
   unsigned flat =
      offscreen_program(plain_vertex, "#version 130\n"
                                      "uniform sampler2D image; in vec2 at; out vec4 colour;\n"
                                      "uniform float level;\n"
                                      "void main() { colour = textureLod(image, at, level); }\n");
   unsigned layered = offscreen_program(
      plain_vertex,
      "#version 130\n"
      "uniform sampler2DArray image; in vec2 at; out vec4 colour;\n"
      "void main() { colour = textureLod(image, vec3(at, floor(at.x * 3.0)), 0.0); }\n");
   unsigned deep = offscreen_program(
      plain_vertex, "#version 130\n"
                    "uniform sampler3D image; in vec2 at; out vec4 colour;\n"
                    "void main() { colour = textureLod(image, vec3(at, at.y), 0.0); }\n");

   for (int z = 0; z < LAYERS; z++)
      for (int y = 0; y < SIZE; y++)
         for (int x = 0; x < SIZE; x++) {
            texels[z][y][x][0] = (uint8_t)(x * 2 + z * 60);
            texels[z][y][x][1] = (uint8_t)(y * 2 + (x & 8 ? 40 : 0));
            texels[z][y][x][2] = (uint8_t)((x ^ y) + z * 80);
            texels[z][y][x][3] = 255;
            wide[y][x] = (uint16_t)((x + y) * 300);
         }
   glGenTextures(5, textures);
   /* Up as an array, down through a pixel buffer, up as slices. */
   glBindTexture(GL_TEXTURE_2D_ARRAY, textures[0]);
   glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, SIZE, SIZE, LAYERS, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                texels);
   sampling(GL_TEXTURE_2D_ARRAY, GL_NEAREST);
   glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 13, 27, 1, 31, 22, 2, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
   glBufferData(GL_PIXEL_PACK_BUFFER, sizeof(back), NULL, GL_STREAM_READ);
   glGetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof(back), back);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
   glBindTexture(GL_TEXTURE_3D, textures[1]);
   glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, SIZE, SIZE, LAYERS, 0, GL_RGBA, GL_UNSIGNED_BYTE, back);
   sampling(GL_TEXTURE_3D, GL_NEAREST);
   /* Two bytes a texel, from which a part is copied, with levels. */
   glBindTexture(GL_TEXTURE_2D, textures[2]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R16, SIZE, SIZE, 0, GL_RED, GL_UNSIGNED_SHORT, wide);
   glGenerateMipmap(GL_TEXTURE_2D);
   sampling(GL_TEXTURE_2D, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
   /* A part of the screen, larger than a fast clear's least. */
   glBindTexture(GL_TEXTURE_2D, textures[3]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 400, 400, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   sampling(GL_TEXTURE_2D, GL_NEAREST);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[3], 0);
   glClearColor(0.3f, 0.6f, 0.2f, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glViewport(0, 0, 400, 400);
   glBindTexture(GL_TEXTURE_2D, textures[2]);
   glUseProgram(flat);
   glUniform1f(glGetUniformLocation(flat, "level"), 1);
   fill(50, 50, 200, 200);
   glUniform1f(glGetUniformLocation(flat, "level"), 3);
   fill(270, 50, 100, 300);
   glUniform1f(glGetUniformLocation(flat, "level"), 0);
   glBindTexture(GL_TEXTURE_2D, textures[4]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 350, 330, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   sampling(GL_TEXTURE_2D, GL_NEAREST);
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 33, 41, 350, 330);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 171, 203, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, texels[2]);

   to_screen(screen);
   fill(0, 0, WIDTH / 2, HEIGHT / 2);
   glBindTexture(GL_TEXTURE_2D, textures[3]);
   fill(WIDTH / 2, 0, WIDTH / 2, HEIGHT / 2);
   glUseProgram(layered);
   fill(0, HEIGHT / 2, WIDTH / 2, HEIGHT / 2);
   glUseProgram(deep);
   fill(WIDTH / 2, HEIGHT / 2, WIDTH / 2, HEIGHT / 2);
}

const struct scene stage_scenes[] = {
   { "multisample", 32, scene_multisample },
   { "beams", 30, scene_beams },
   { "depth", 30, scene_depth },
   { "feedback", 40, scene_feedback },
   { "geometry", 32, scene_geometry },
   { "tessellation", 40, scene_tessellation },
   { "compute", 43, scene_compute },
   { "transfers", 30, scene_transfers },
};
const unsigned num_stage_scenes = COUNT(stage_scenes);
