/* SPDX-License-Identifier: MIT */
/* gl-host: What the device ends, and what the driver refuses or just takes. */
#include "host.h"

#include <EGL/egl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
host_case_reset(void)
{
   static const char endless_source[] = "#version 120\n"
                                        "uniform int zero;\n"
                                        "void main() {\n"
                                        "   int n = 0;\n"
                                        "   while (n != 1) n += 2 + zero;\n"
                                        "   gl_FragColor = vec4(float(n));\n"
                                        "}\n";
   uint64_t right;

   host_open_display();
   host_robust_context();
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   right = host_draw();
   if (host_reset_status() != GL_NO_ERROR)
      host_fail("a picture is taken for a reset");
   glUseProgram(offscreen_program(host_vertex_source, endless_source));
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish();
   if (host_reset_status() == GL_NO_ERROR)
      host_fail("a shader that never ends is no reset");
   host_robust_context();
   if (host_draw() != right)
      host_fail("another context draws another picture after the reset");
   if (host_reset_status() != GL_NO_ERROR)
      host_fail("a context hears of a reset that came before it");
   eglTerminate(host_display);
}

/* What Mesa runs a vertex shader for on the processor: how often it is to work is up to it. */
static void
run_on_processor(unsigned way)
{
   static float feedback[64];
   static unsigned names[64];

   if (way == 0) {
      glRasterPos2f(0, 0);
      return;
   }
   if (way == 1)
      glFeedbackBuffer(64, GL_2D, feedback);
   else
      glSelectBuffer(64, names);
   glRenderMode(way == 1 ? GL_FEEDBACK : GL_SELECT);
   glBegin(GL_TRIANGLES);
   for (int i = 0; i < 9; i++)
      glVertex2f((float)(i & 1), (float)(i & 2));
   glEnd();
   glRenderMode(GL_RENDER);
}

void
host_case_reset_raster(void)
{
   static const char *const loops[] = {
      "while (n != 1) n += 2 + zero;",
      "for (int i = 0; i >= 0; i = zero) for (int k = 0; k < 9; k++) n += k;",
      "if (zero == 0) { while (true) { if (n == 1) break; n += 2 + zero; } }",
   };
   const unsigned count = sizeof(loops) / sizeof(*loops);

   host_open_display();
   for (unsigned way = 0; way < 3; way++) {
      for (unsigned i = 0; i <= count; i++) {
         char source[512];
         const bool ends = i == count;

         snprintf(source, sizeof(source),
                  "#version 120\nuniform int zero;\n"
                  "void main() { int n = 0; %s\n"
                  "   gl_FrontColor = vec4(float(n) * 0.25); gl_Position = gl_Vertex; }\n",
                  ends ? "for (int i = 0; i < 3 + zero; i++) n += i;" : loops[i]);
         host_robust_context();
         if (way == 0 && i == 0)
            fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
         unsigned program = glCreateProgram();
         offscreen_attach(program, &(struct offscreen_shader){ GL_VERTEX_SHADER, source }, 1);
         offscreen_link(program);
         glUseProgram(program);
         run_on_processor(way);
         if (ends != (host_reset_status() == GL_NO_ERROR))
            host_fail(ends ? "a vertex shader that ends is taken for a reset"
                           : "a vertex shader that never ends is no reset");
         float colour[4];
         glGetFloatv(GL_CURRENT_RASTER_COLOR, colour);
         if (ends && way == 0 && colour[0] != 0.75f)
            host_fail("glRasterPos has another colour than its shader");
      }
   }
   eglTerminate(host_display);
}

static void GLAPIENTRY
count_error(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
            const GLchar *message, const void *user)
{
   (void)source, (void)id, (void)severity, (void)length, (void)message;
   if (type == GL_DEBUG_TYPE_ERROR)
      ++*(unsigned *)user;
}

/* Arrays of this length, indexed at run time, are beyond IL's. */
#define TOO_LONG "float many[20000]; for (int i = 0; i < 20000; i++) many[i] = float(i + first);\n"

/* 32 control points with 32 vectors each, read and written, and one of the patch: over 32 KB. All
 * are whole numbers: their sum is exact in any order. */
static unsigned
large_patch(void)
{
   static const struct offscreen_shader shaders[] = {
      { GL_VERTEX_SHADER, "#version 430\n"
                          "out vec4 one[31];\n"
                          "void main() {\n"
                          "   for (int i = 0; i < 31; i++) one[i] = vec4(gl_VertexID * 31 + i) * "
                          "vec4(1, 2, 0.5, 0.25);\n"
                          "   gl_Position = vec4(gl_VertexID); }\n" },
      { GL_TESS_CONTROL_SHADER,
        "#version 430\n"
        "layout(vertices = 32) out; in vec4 one[][31]; out vec4 two[][31]; patch out vec4 whole;\n"
        "void main() {\n"
        "   whole = one[31][30];\n"
        "   for (int i = 0; i < 31; i++)\n"
        "      two[gl_InvocationID][i] = one[31 - gl_InvocationID][i];\n"
        "   gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
        "   gl_TessLevelOuter = float[4](1, 1, 1, 1); gl_TessLevelInner = float[2](1, 1); }\n" },
      { GL_TESS_EVALUATION_SHADER,
        "#version 430\n"
        "layout(triangles) in; in vec4 two[][31]; patch in vec4 whole; out vec4 sum, last;\n"
        "void main() {\n"
        "   sum = vec4(0); last = whole; gl_Position = vec4(0);\n"
        "   for (int v = 0; v < 32; v++) {\n"
        "      gl_Position += gl_in[v].gl_Position;\n"
        "      for (int i = 0; i < 31; i++) sum += float(1 + v % 4) * two[v][i]; } }\n" },
   };
   static const char *const captured[] = { "sum", "last", "gl_Position" };
   unsigned program = glCreateProgram();

   offscreen_attach(program, shaders, 3);
   glTransformFeedbackVaryings(program, 3, captured, GL_INTERLEAVED_ATTRIBS);
   offscreen_link(program);
   return program;
}

void
host_case_patch(void)
{
   enum { PATCHES = 3, VALUES = 12, VERTICES = 3 * PATCHES };
   static const float scale[4] = { 1, 2, 0.5f, 0.25f };
   float seen[VERTICES][VALUES] = { { 0 } };
   unsigned buffer;

   host_open_display();
   host_robust_context();
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   glUseProgram(large_patch());
   glPatchParameteri(GL_PATCH_VERTICES, 32);
   glEnable(GL_RASTERIZER_DISCARD);
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
   glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof(seen), seen, GL_STATIC_READ);
   glBeginTransformFeedback(GL_TRIANGLES);
   glDrawArrays(GL_PATCHES, 0, 32 * PATCHES);
   glEndTransformFeedback();
   glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof(seen), seen);
   for (int n = 0; n < VERTICES; n++) {
      const int first = n / 3 * 32;
      float expected[3] = { 0, (float)((first + 31) * 31 + 30), 0 };
      for (int v = 0; v < 32; v++) {
         expected[2] += (float)(first + v);
         for (int i = 0; i < 31; i++)
            expected[0] += (float)((4 - v % 4) * ((first + v) * 31 + i));
      }
      for (int i = 0; i < VALUES; i++)
         if (seen[n][i] != expected[i / 4] * (i < 8 ? scale[i % 4] : 1))
            host_fail("a large patch is not evaluated right");
   }
   if (glGetError() != GL_NO_ERROR)
      host_fail("a large patch is an error");
   eglTerminate(host_display);
}

/* A program of one stage that the driver has no program for: it does not link, and says why. */
static void
refuse(GLenum stage, const char *source)
{
   const struct offscreen_shader shader = { stage, source };
   unsigned program = glCreateProgram();
   char log[1000] = "";
   int linked;

   glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
   offscreen_attach(program, &shader, 1);
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   glGetProgramInfoLog(program, sizeof(log), NULL, log);
   if (linked)
      host_fail("a shader that the driver cannot compile links");
   if (!strstr(log, "no program for the"))
      host_fail("the info log does not say why a program does not link");
   glUseProgram(program);
   if (glGetError() != GL_INVALID_OPERATION)
      host_fail("a program that did not link can be used");
   glDeleteProgram(program);
}

void
host_case_refused(void)
{
   static const float corners[] = { -1, -1, 1, -1, -1, 1 };
   unsigned errors = 0;
   uint64_t right;

   /* Before 4.4 vertices may be any number of bytes apart. */
   setenv("MESA_GL_VERSION_OVERRIDE", "4.3COMPAT", 1);
   host_open_display();
   host_robust_context();
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   right = host_draw();
   refuse(GL_VERTEX_SHADER,
          "#version 430\nout gl_PerVertex { vec4 gl_Position; }; uniform int first;\n"
          "void main() { " TOO_LONG "gl_Position = vec4(many[first]); }\n");
   refuse(GL_FRAGMENT_SHADER, "#version 430\nout vec4 colour; uniform int first;\n"
                              "void main() { " TOO_LONG "colour = vec4(many[first]); }\n");
   refuse(GL_COMPUTE_SHADER, "#version 430\nlayout(local_size_x = 1) in; uniform int first;\n"
                             "buffer Result { float result; };\n"
                             "void main() { " TOO_LONG "result = many[first]; }\n");
   glEnable(GL_DEBUG_OUTPUT);
   glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
   glDebugMessageCallback(count_error, &errors);
   host_program();
   if (host_draw() != right || errors)
      host_fail("another program draws another picture after some that were refused");
   glEnableVertexAttribArray(0);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 5001, corners);
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish();
   if (!errors)
      host_fail("a draw is left out in silence");
   errors = 0;
   if (host_draw() != right || errors)
      host_fail("another picture after a draw that was left out");
   eglTerminate(host_display);
}

void
host_case_limited(void)
{
   unsigned names[2];
   uint64_t right;

   setenv("ATOLL_LIMITS", "memory=64M", 1);
   host_open_display();
   host_robust_context();
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   right = host_draw();
   glGenBuffers(1, names);
   glBindBuffer(GL_COPY_READ_BUFFER, names[0]);
   glBufferData(GL_COPY_READ_BUFFER, 80 << 20, NULL, GL_STATIC_DRAW);
   if (glGetError() != GL_OUT_OF_MEMORY)
      host_fail("80 MiB fit into 64");
   glBufferData(GL_COPY_READ_BUFFER, 16 << 20, NULL, GL_STATIC_DRAW);
   if (glGetError() != GL_NO_ERROR)
      host_fail("16 MiB do not fit into 64");
   glGenTextures(1, names + 1);
   glBindTexture(GL_TEXTURE_2D, names[1]);
   glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4096, 4096);
   if (glGetError() != GL_OUT_OF_MEMORY)
      host_fail("a texture of 64 MiB fits beside a buffer");
   glDeleteTextures(1, names + 1);
   glDeleteBuffers(1, names);
   host_program();
   if (host_draw() != right || host_reset_status() != GL_NO_ERROR)
      host_fail("another picture, or a reset, after what was refused");
   eglTerminate(host_display);
}

void
host_case_least(void)
{
   static const char vertex[] =
      "#version 130\nvoid main() { gl_Position = "
      "vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }";
   static const char fragment[] =
      "#version 130\nuniform int zero;\n"
      "const int least = -2147483647 - 1, quotient = least / -1, rest = least % -1;\n"
      "const ivec4 many = ivec4(least, 4, least, -8) / ivec4(-1, -1, 2, -1);\n"
      "const ivec2 one = ivec2(least, 6) / -1;\n"
      "void main() {\n"
      "   int number = least, by = -1, bits = 0;\n"
      "   bits |= quotient == least ? 1 | (rest & 64) : 0;\n"
      "   bits |= many == ivec4(least, -4, -1073741824, 8) && one == ivec2(least, -6) ? 2 : 0;\n"
      "   bits |= number / by == least ? 4 : 0;\n"
      "   bits |= number % by == 0 ? 16 : 0;\n"
      "   bits |= (number + zero) / (by + zero) == least ? 8 : 0;\n"
      "   bits |= (number + zero) % (by + zero) == 0 ? 32 : 0;\n"
      "   gl_FragColor = vec4(float(bits) / 255.0); }\n";
   uint8_t pixel[4];

   /* What is left of a negative number GLSL does not say. */
   host_open_display();
   host_robust_context();
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   glUseProgram(offscreen_program(vertex, fragment));
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glReadPixels(SIZE / 2, SIZE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   if ((pixel[0] & 15) != 15) {
      fprintf(stderr, "bits 0x%x of 0xf\n", pixel[0]);
      host_fail("a quotient of the least number is wrong");
   }
   eglTerminate(host_display);
}
