/* SPDX-License-Identifier: MIT */
/*
 * Tasks of gl-habits with other stages than vertices and pixels, and what is asked of draws:
 * geometry and tessellation shaders, layers, transform feedback, queries.
 */
#include "habits.h"

#include <stdlib.h>

static unsigned names[4], framebuffers[2];

static const char grid_vertex[] =
   "#version 400\nvoid main() { int i = gl_VertexID;\n"
   "   gl_Position = vec4(vec2(i % 128, i / 128) / 64.0 - 1.0, float(i & 7) / 8.0, 1.0); }\n";

/* Patches of four vertices. */
static const char patch_vertex[] = "#version 400\nvoid main() { int i = gl_VertexID, k = i & 3;\n"
                                   "   gl_Position = vec4(vec2(i / 4 % 16 + (k & 1), i / 64 + (k "
                                   ">> 1)) / 8.0 - 1.0, 0.0, 1.0); }\n";

static void
start_tessellation(void)
{
   glPatchParameteri(GL_PATCH_VERTICES, 4);
}

/* Every layer of an array at once, or each face of a cube. */
static void
start_layered(void)
{
   glGenTextures(1, names);
   glBindTexture((GLenum)habit->size, names[0]);
   if (habit->size == GL_TEXTURE_CUBE_MAP)
      glTexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, 256, 256);
   else
      glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 256, 256, 6);
   glGenFramebuffers(1, framebuffers);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, names[0], 0);
   glViewport(0, 0, 256, 256);
}

static void
draw_layered(void)
{
   glClear(GL_COLOR_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES, 0, habit->count);
}

static void
sum_layers(double sums[static HABIT_SUMS])
{
   uint32_t *texels = habit_alloc((size_t)4 * 256 * 256);

   for (int i = 0; i < 4; i++) {
      glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, names[0], 0, i);
      glReadPixels(0, 0, 256, 256, GL_RGBA, GL_UNSIGNED_BYTE, texels);
      for (int t = 0; t < 256 * 256; t++)
         texels[t] = (texels[t] & 255) + (texels[t] >> 8 & 255) + (texels[t] >> 16 & 255);
      habit_sum_uints(sums + 4 * (size_t)i, texels, 256 * 256);
   }
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, names[0], 0);
   free(texels);
}

/* Transform feedback. */
static void
start_feedback(void)
{
   static const char *const outputs[] = { "moved" };
   const struct offscreen_shader shader = {
      GL_VERTEX_SHADER,
      "#version 330\nin vec4 position; out vec4 moved;\n"
      "void main() { moved = position * 0.99 + vec4(0.001, -position.x * 0.01, 0.0, 0.0);\n"
      "              gl_Position = vec4(moved.xy * 2.0 - 1.0, 0.0, 1.0); }\n"
   };
   unsigned program = glCreateProgram();

   offscreen_attach(program, &shader, 1);
   glTransformFeedbackVaryings(program, 1, outputs, GL_INTERLEAVED_ATTRIBS);
   offscreen_link(program);
   glUseProgram(program);
   names[0] = habit_floats(GL_TRANSFORM_FEEDBACK_BUFFER, 4 * (unsigned)habit->count);
   names[1] = habit_floats(GL_ARRAY_BUFFER, 4 * (unsigned)habit->count);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, names[0]);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   glEnable(GL_RASTERIZER_DISCARD);
}

static void
draw_feedback(void)
{
   glBeginTransformFeedback(GL_POINTS);
   glDrawArrays(GL_POINTS, 0, habit->count);
   glEndTransformFeedback();
}

static void
sum_feedback(double sums[static HABIT_SUMS])
{
   float *values = habit_alloc(sizeof(float) * 4 * (size_t)habit->count);

   glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 16 * (GLsizeiptr)habit->count, values);
   habit_sum_floats(sums, values, 4 * (unsigned)habit->count, 1000);
   free(values);
}

/* What the frame before has captured is drawn, without asking how much it was. */
static void
start_feedback_draw(void)
{
   start_feedback();
   glGenTransformFeedbacks(1, &names[2]);
   glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, names[2]);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, names[0]);
}

static void
draw_captured(void)
{
   glEnable(GL_RASTERIZER_DISCARD);
   draw_feedback();
   glDisable(GL_RASTERIZER_DISCARD);
   glBindBuffer(GL_ARRAY_BUFFER, names[0]);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
   glDrawTransformFeedback(GL_POINTS, names[2]);
   glBindBuffer(GL_ARRAY_BUFFER, names[1]);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
}

/* Queries. */
static uint64_t answers;

static const char uv_fragment[] =
   "#version 330\nin vec2 uv; out vec4 o; void main() { o = vec4(uv, 0.3, 1.0); }\n";

static void
start_queries(void)
{
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_LEQUAL);
   glGenQueries(4, names);
   answers = 0;
}

static void
ask_occlusion(void)
{
   unsigned passed;

   glEnable(GL_SCISSOR_TEST);
   for (int i = 0; i < habit->count; i++) {
      glScissor(i % 16 * 32, i / 16 % 16 * 32, 32, 32);
      glBeginQuery(GL_SAMPLES_PASSED, names[0]);
      habit_quad();
      glEndQuery(GL_SAMPLES_PASSED);
      glGetQueryObjectuiv(names[0], GL_QUERY_RESULT, &passed);
      answers += passed;
   }
   glDisable(GL_SCISSOR_TEST);
}

static void
draw_conditionally(void)
{
   glEnable(GL_SCISSOR_TEST);
   for (int i = 0; i < habit->count; i++) {
      glScissor(i % 16 * 32, i / 16 % 16 * 32, 32, 32);
      glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
      glBeginQuery(GL_ANY_SAMPLES_PASSED, names[0]);
      habit_quad();
      glEndQuery(GL_ANY_SAMPLES_PASSED);
      glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
      glBeginConditionalRender(names[0], GL_QUERY_WAIT);
      habit_quad();
      glEndConditionalRender();
   }
   glDisable(GL_SCISSOR_TEST);
}

static void
ask_time(int i)
{
   uint64_t took;

   glBeginQuery(GL_TIME_ELAPSED, names[1]);
   glBeginQuery(GL_PRIMITIVES_GENERATED, names[2]);
   habit_quad();
   glEndQuery(GL_PRIMITIVES_GENERATED);
   glEndQuery(GL_TIME_ELAPSED);
   glGetQueryObjectui64v(names[2], GL_QUERY_RESULT, &took);
   answers += took;
   glGetQueryObjectui64v(names[1], GL_QUERY_RESULT, &took);
}

static void
sum_answers(double sums[static HABIT_SUMS])
{
   habit_sum_target(sums);
   sums[15] = (double)answers;
}

#define POINTS  .mode = GL_POINTS, .vertex = grid_vertex
#define CORNERS .mode = GL_TRIANGLES, .vertex = grid_vertex
#define PATCHES .mode = GL_PATCHES, .start = start_tessellation, .vertex = patch_vertex
#define LAYERS \
   .start = start_layered, .frame = draw_layered, .sum = sum_layers, .vertex = grid_vertex
#define QUERIES .start = start_queries, .fragment = uv_fragment

#define FLAT_CONTROL                                                                           \
   "#version 400\nlayout(vertices = 4) out;\n"                                                 \
   "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n" \
   "   gl_TessLevelOuter = float[](8.0, 8.0, 8.0, 8.0); gl_TessLevelInner = float[](16.0, "    \
   "16.0); }\n"

const struct habit habits_stages[] = {
   { "geometry-sprites", 40, POINTS, .count = 16384,
     .geometry = "#version 400\nlayout(points) in; layout(triangle_strip, max_vertices = 4) out; "
                 "out vec4 v;\n"
                 "void main() { for (int k = 0; k < 4; k++) { vec2 t = vec2(k & 1, k >> 1);\n"
                 "   v = vec4(t, 0.5, 1.0); gl_Position = gl_in[0].gl_Position + vec4((t - 0.5) * "
                 "0.014, 0.0, 0.0);\n"
                 "   EmitVertex(); } }\n" },
   { "geometry-wireframe", 40, CORNERS, .count = 12000,
     .geometry =
        "#version 400\nlayout(triangles) in; layout(line_strip, max_vertices = 4) out; out vec4 "
        "v;\n"
        "void main() { for (int k = 0; k < 4; k++) { v = vec4(1.0, float(k) / 4.0, 0.0, 1.0);\n"
        "   gl_Position = gl_in[k % 3].gl_Position + vec4(0.0, float(k % 3) * 0.02, 0.0, 0.0);\n"
        "   EmitVertex(); } }\n" },
   { "geometry-explode", 40, CORNERS, .count = 9000,
     .geometry = "#version 400\nlayout(triangles) in; layout(triangle_strip, max_vertices = 12) "
                 "out; out vec4 v;\n"
                 "void main() { for (int n = 0; n < 4; n++) { for (int k = 0; k < 3; k++) {\n"
                 "   v = vec4(float(n) / 4.0, float(k) / 2.0, 1.0, 1.0);\n"
                 "   gl_Position = gl_in[k].gl_Position + vec4(float(n) * 0.01, float(k * n) * "
                 "0.01, 0.0, 0.0);\n"
                 "   EmitVertex(); } EndPrimitive(); } }\n" },
   { "geometry-invocations", 40, POINTS, .count = 8192,
     .geometry = "#version 400\nlayout(points, invocations = 4) in;\n"
                 "layout(triangle_strip, max_vertices = 3) out; out vec4 v;\n"
                 "void main() { for (int k = 0; k < 3; k++) { v = vec4(float(k) / 2.0, "
                 "gl_InvocationID & 1, 1.0, 1.0);\n"
                 "   gl_Position = gl_in[0].gl_Position\n"
                 "      + vec4(vec2(k & 1, k >> 1) * 0.01 + float(gl_InvocationID) * 0.003, 0.0, "
                 "0.0); EmitVertex(); } }\n" },
   { "tessellation", 40, PATCHES, .count = 512, .control = FLAT_CONTROL,
     .evaluation = "#version 400\nlayout(quads) in; out vec4 v;\n"
                   "void main() { vec2 t = gl_TessCoord.xy;\n"
                   "   vec4 p = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t.x),\n"
                   "                mix(gl_in[2].gl_Position, gl_in[3].gl_Position, t.x), t.y);\n"
                   "   p.z = sin(p.x * 9.0) * cos(p.y * 7.0) * 0.3; v = vec4(p.xyz * 0.5 + 0.5, "
                   "1.0); gl_Position = p; }\n" },
   { "tessellation-adaptive", 40, PATCHES, .count = 1024,
     .control =
        "#version 400\nlayout(vertices = 4) out;\n"
        "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
        "   float l = 4.0 + 12.0 * abs(gl_in[0].gl_Position.x);\n"
        "   gl_TessLevelOuter = float[](l, l, l, l); gl_TessLevelInner = float[](l, l); }\n",
     .evaluation = "#version 400\nlayout(quads, fractional_odd_spacing) in; out vec4 v;\n"
                   "void main() { vec2 t = gl_TessCoord.xy, a = t * t * (3.0 - 2.0 * t);\n"
                   "   vec4 p = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, t.x),\n"
                   "                mix(gl_in[2].gl_Position, gl_in[3].gl_Position, t.x), t.y);\n"
                   "   v = vec4(a, 0.5, 1.0); gl_Position = p; }\n" },
   { "layers-at-once", 40, LAYERS, .count = 6000, .size = GL_TEXTURE_2D_ARRAY,
     .geometry =
        "#version 400\nlayout(triangles) in; layout(triangle_strip, max_vertices = 18) out; out "
        "vec4 v;\n"
        "void main() { for (int n = 0; n < 6; n++) { for (int k = 0; k < 3; k++) { gl_Layer = n;\n"
        "   v = vec4(float(n) / 6.0, float(k) / 2.0, 1.0, 1.0);\n"
        "   gl_Position = gl_in[k].gl_Position * vec4(1.0, float(n) * 0.3 + 0.5, 1.0, 1.0)\n"
        "      + vec4(0.0, float(k) * 0.1, 0.0, 0.0); EmitVertex(); } EndPrimitive(); } }\n" },
   { "cube-faces-at-once", 40, LAYERS, .count = 6000, .size = GL_TEXTURE_CUBE_MAP,
     .geometry = "#version 400\nlayout(triangles, invocations = 6) in;\n"
                 "layout(triangle_strip, max_vertices = 3) out; out vec4 v;\n"
                 "void main() { for (int k = 0; k < 3; k++) { gl_Layer = gl_InvocationID;\n"
                 "   v = vec4(float(gl_InvocationID) / 6.0, float(k) / 2.0, 1.0, 1.0);\n"
                 "   gl_Position = gl_in[k].gl_Position + vec4(0.0, float(k * gl_InvocationID) * "
                 "0.1, 0.0, 0.0);\n"
                 "   EmitVertex(); } }\n" },
   { "transform-feedback", 33, start_feedback, draw_feedback, .sum = sum_feedback, .count = 65536 },
   { "transform-feedback-draw", 40, start_feedback_draw, draw_captured, .count = 16384 },
   { "occlusion-queries", 33, QUERIES, .frame = ask_occlusion, .sum = sum_answers, .count = 64 },
   { "conditional-rendering", 33, QUERIES, .frame = draw_conditionally, .count = 64 },
   { "other-queries", 33, QUERIES, .each = ask_time, .sum = sum_answers, .count = 4 },
   { 0 },
};
