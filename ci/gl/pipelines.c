/* SPDX-License-Identifier: MIT */
/* Pipelines of every combination of stages: their shaders, state and draws. */
#include "pipelines.h"

const char *const pipeline_stage_names[STAGES] = { "vertex",   "control",  "evaluation",
                                                   "geometry", "fragment", "compute" };

const unsigned pipelines[PIPELINES] = {
   BIT(VS),
   BIT(VS) | BIT(FS),
   BIT(VS) | BIT(GS),
   BIT(VS) | BIT(GS) | BIT(FS),
   BIT(VS) | BIT(TES),
   BIT(VS) | BIT(TES) | BIT(FS),
   BIT(VS) | BIT(TCS) | BIT(TES),
   BIT(VS) | BIT(TCS) | BIT(TES) | BIT(FS),
   BIT(VS) | BIT(TCS) | BIT(TES) | BIT(GS),
   BIT(VS) | BIT(TCS) | BIT(TES) | BIT(GS) | BIT(FS),
   BIT(CS),
};

const struct pipeline_body pipeline_bodies[STAGES] = {
   { GL_VERTEX_SHADER, "void main() { int i = gl_VertexID; touch(i);\n"
                       "   gl_Position = vec4((vec2(i % 4, i / 4) + 0.5) / 2.0 - 1.0, 0, 1); }\n" },
   { GL_TESS_CONTROL_SHADER, "layout(vertices = 16) out;\n"
                             "void main() { touch(gl_InvocationID);\n"
                             "   gl_TessLevelOuter = float[4](3, 3, 3, 3);\n"
                             "   gl_TessLevelInner = float[2](3, 3); }\n" },
   { GL_TESS_EVALUATION_SHADER,
     "layout(quads, equal_spacing, point_mode) in;\n"
     "void main() { ivec2 p = ivec2(gl_TessCoord.xy * 3.0 + 0.5); touch(p.x + 4 * p.y);\n"
     "   gl_Position = vec4((vec2(p) + 0.5) / 2.0 - 1.0, 0, 1); }\n" },
   { GL_GEOMETRY_SHADER,
     "layout(points) in; layout(points, max_vertices = 1) out;\n"
     "void main() { ivec2 p = ivec2((gl_in[0].gl_Position.xy + 1.0) * 2.0);\n"
     "   touch(p.x + 4 * p.y); gl_Position = gl_in[0].gl_Position; EmitVertex(); }\n" },
   { GL_FRAGMENT_SHADER, "out vec4 colour;\n"
                         "void main() { ivec2 p = ivec2(gl_FragCoord.xy); touch(p.x + 4 * p.y);\n"
                         "   colour = vec4(1); }\n" },
   { GL_COMPUTE_SHADER, "layout(local_size_x = 16) in;\n"
                        "void main() { touch(int(gl_LocalInvocationIndex)); }\n" },
};

void
pipeline_start(void)
{
   static const float levels[4] = { 3, 3, 3, 3 };

   offscreen_target(64, 64);
   glViewport(0, 0, SIDE, SIDE);
   glPatchParameteri(GL_PATCH_VERTICES, N);
   glPatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels);
   glPatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, levels);
}

void
pipeline_run(unsigned pipeline, bool discard, int instances)
{
   if (discard)
      glEnable(GL_RASTERIZER_DISCARD);
   if (pipeline & BIT(CS))
      glDispatchCompute((unsigned)instances, 1, 1);
   else
      glDrawArraysInstanced(pipeline & BIT(TES) ? GL_PATCHES : GL_POINTS, 0, N, instances);
   glDisable(GL_RASTERIZER_DISCARD);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
}
