/* SPDX-License-Identifier: MIT */
/*
 * Buffers bound at offsets: gl-offsets.
 *
 * Every stage reads as many uniform blocks as it is offered, by constant and by computed numbers of
 * blocks and of elements, beside uniforms of its own.  Uniform blocks, storage buffers, texture
 * buffers and image buffers begin at multiples of the alignments that are offered; what lies in
 * front of them and after them stays as it is.  A line for each case that fails, then how many
 * held.  GL_RENDERER goes to stderr first; the exit code is 77 where there is no OpenGL 4.3.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOO_LITTLE = 77, MOST_BLOCKS = 15, STAGES = 6, ROWS = 4, BYTES = 4096 };

static unsigned cases, held;

static void
check(bool good, const char *what, const char *where, unsigned offset)
{
   cases++;
   held += good;
   if (!good)
      printf("%s%s at byte %u: wrong\n", what, where, offset);
}

static int
limit(GLenum name)
{
   int value = 0;

   glGetIntegerv(name, &value);
   return value;
}

static unsigned
buffer(GLenum target, size_t bytes, const void *data)
{
   unsigned name;

   glGenBuffers(1, &name);
   glBindBuffer(target, name);
   glBufferData(target, (GLsizeiptr)bytes, data, GL_STATIC_DRAW);
   return name;
}

/* ---- Uniform blocks ---- */

static const struct stage {
   const char *name;
   GLenum stage, blocks;
} stages[STAGES] = {
   { "vertex", GL_VERTEX_SHADER, GL_MAX_VERTEX_UNIFORM_BLOCKS },
   { "control", GL_TESS_CONTROL_SHADER, GL_MAX_TESS_CONTROL_UNIFORM_BLOCKS },
   { "evaluation", GL_TESS_EVALUATION_SHADER, GL_MAX_TESS_EVALUATION_UNIFORM_BLOCKS },
   { "geometry", GL_GEOMETRY_SHADER, GL_MAX_GEOMETRY_UNIFORM_BLOCKS },
   { "fragment", GL_FRAGMENT_SHADER, GL_MAX_FRAGMENT_UNIFORM_BLOCKS },
   { "compute", GL_COMPUTE_SHADER, GL_MAX_COMPUTE_UNIFORM_BLOCKS },
};

/* What is in front of main(), and what it does besides. */
static const char *const heads[STAGES] = {
   "",
   "layout(vertices = 1) out;\n",
   "layout(quads, point_mode) in;\n",
   "layout(points) in;\nlayout(points, max_vertices = 1) out;\n",
   "out vec4 color;\n",
   "layout(local_size_x = 1) in;\n",
};
static const char *const bodies[STAGES] = {
   "gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n",
   "gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = "
   "1.0;\n"
   "gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1.0;\n",
   "gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n",
   "gl_Position = vec4(0.0, 0.0, 0.0, 1.0); EmitVertex();\n",
   "color = vec4(1.0);\n",
   "",
};

static float
element(unsigned stage, int block, unsigned row, unsigned component)
{
   return (float)(stage * 1000 + (unsigned)block * 16 + row * 4 + component + 1);
}

static void
write_stage(char *out, unsigned s, int count)
{
   char *end = out;

   end += sprintf(
      end,
      "#version 430\n%slayout(std140, binding = %d) uniform Block%u { vec4 v[%d]; } b%u[%d];\n"
      "layout(std430, binding = 0) buffer Results { vec4 results[]; };\n"
      "uniform int row, count; uniform float scale;\n"
      "void main()\n{\n%svec4 sum = vec4(0.0), known = vec4(0.0);\n"
      "for (int k = 0; k < count; k++) sum += float(k + 1) * b%u[k].v[row];\n",
      heads[s], (int)s * count, s, ROWS, s, count, bodies[s], s);
   for (int k = 0; k < count; k++)
      end += sprintf(end, "known += %d.0 * b%u[%d].v[%d] + b%u[%d].v[row];\n", k + 1, s, k,
                     k % ROWS, s, k);
   sprintf(end, "results[%u] = sum * scale;\nresults[%u] = known * scale;\n}\n", 2 * s, 2 * s + 1);
}

/* All blocks of all stages, one after the other, `step` bytes apart, in one buffer. */
static void
run_blocks(unsigned step)
{
   static float data[STAGES * MOST_BLOCKS * 512 / 4 + 64], results[2 * STAGES][4];
   static char sources[STAGES][16384];
   struct offscreen_shader shaders[STAGES];
   const int row = 2;
   int count = MOST_BLOCKS;

   for (unsigned s = 0; s < STAGES; s++) {
      const int most = limit(stages[s].blocks);
      count = most < count ? most : count;
   }
   for (unsigned s = 0; s < STAGES; s++)
      for (int k = 0; k < count; k++)
         for (unsigned n = 0; n < 4 * ROWS; n++)
            data[((unsigned)((int)s * count + k) * step + 16) / 4 + n] =
               element(s, k, n / 4, n % 4);

   const unsigned from = buffer(GL_UNIFORM_BUFFER, sizeof(data), data);
   const unsigned to = buffer(GL_SHADER_STORAGE_BUFFER, sizeof(results), NULL);

   for (unsigned n = 0; n < STAGES * (unsigned)count; n++)
      glBindBufferRange(GL_UNIFORM_BUFFER, n, from, (GLintptr)(n * step + 16), 16 * ROWS);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, to);
   for (unsigned s = 0; s < STAGES; s++) {
      write_stage(sources[s], s, count);
      shaders[s] = (struct offscreen_shader){ stages[s].stage, sources[s] };
   }
   for (unsigned n = 0; n < 2; n++) {
      const unsigned program = glCreateProgram();

      offscreen_attach(program, shaders + (n ? STAGES - 1 : 0), n ? 1 : STAGES - 1);
      offscreen_link(program);
      glUseProgram(program);
      glUniform1i(glGetUniformLocation(program, "row"), row);
      glUniform1i(glGetUniformLocation(program, "count"), count);
      glUniform1f(glGetUniformLocation(program, "scale"), 0.5f);
      glPatchParameteri(GL_PATCH_VERTICES, 1);
      if (n)
         glDispatchCompute(1, 1, 1);
      else
         glDrawArrays(GL_PATCHES, 0, 1);
      glDeleteProgram(program);
   }
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(results), results);
   for (unsigned s = 0; s < STAGES; s++) {
      bool good = true;
      for (unsigned c = 0; c < 4; c++) {
         float sum = 0, known = 0;
         for (int k = 0; k < count; k++) {
            sum += (float)(k + 1) * element(s, k, row, c);
            known += (float)(k + 1) * element(s, k, (unsigned)k % ROWS, c) + element(s, k, row, c);
         }
         good &= results[2 * s][c] == 0.5f * sum && results[2 * s + 1][c] == 0.5f * known;
      }
      check(good, "uniform blocks of the stage ", stages[s].name, step);
   }
   glDeleteBuffers(1, &from);
   glDeleteBuffers(1, &to);
}

/* ---- Storage buffers ---- */

enum { ELEMENTS = 24 };

static void
fill(uint32_t words[BYTES / 4])
{
   for (unsigned n = 0; n < BYTES / 4; n++)
      words[n] = 0x10000 + n;
}

/* A vertex program that stores, or a compute program. */
static void
run_storage(unsigned offset, bool compute)
{
   static const char body[] =
      "layout(std430, binding = 1) buffer From { uint from[]; };\n"
      "layout(std430, binding = 2) buffer To { uint to[]; };\n"
      "layout(std430, binding = 3) buffer Count { uint counter, old, length; };\n"
      "uniform int last;\n"
      "void work(int n)\n{\n"
      "if (n > last) return;\n"
      "to[n] = from[n] + 7u;\n"
      "if (n == 0) { length = uint(from.length()); old = atomicAdd(counter, 5u); to[20000] = 1u; "
      "}\n"
      "atomicMax(to[n], 3u);\n"
      "atomicOr(to[n], 0x80000000u);\n}\n";
   char source[2048];
   uint32_t words[BYTES / 4], is[BYTES / 4], old[BYTES / 4];
   const unsigned program = glCreateProgram(), at = offset / 4;

   snprintf(source, sizeof(source), "#version 430\n%s%svoid main()\n{\n%s}\n",
            compute ? "layout(local_size_x = 8) in;\n" : "", body,
            compute ? "work(int(gl_GlobalInvocationID.x));\n"
                    : "work(gl_VertexID);\ngl_Position = vec4(2.0);\n");
   const struct offscreen_shader shader = { compute ? GL_COMPUTE_SHADER : GL_VERTEX_SHADER,
                                            source };

   offscreen_attach(program, &shader, 1);
   offscreen_link(program);
   glUseProgram(program);
   glUniform1i(glGetUniformLocation(program, "last"), ELEMENTS - 1);
   fill(words);
   const unsigned from = buffer(GL_SHADER_STORAGE_BUFFER, BYTES, words),
                  to = buffer(GL_SHADER_STORAGE_BUFFER, BYTES, words),
                  count = buffer(GL_SHADER_STORAGE_BUFFER, BYTES, words);
   glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, from, offset, 4 * ELEMENTS);
   glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 2, to, offset, 4 * ELEMENTS);
   glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 3, count, offset, 12);
   glEnable(GL_RASTERIZER_DISCARD);
   if (compute)
      glDispatchCompute(4, 1, 1);
   else
      glDrawArrays(GL_POINTS, 0, 32);
   glDisable(GL_RASTERIZER_DISCARD);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glBindBuffer(GL_COPY_READ_BUFFER, to);
   glGetBufferSubData(GL_COPY_READ_BUFFER, 0, BYTES, is);
   glBindBuffer(GL_COPY_READ_BUFFER, count);
   glGetBufferSubData(GL_COPY_READ_BUFFER, 0, BYTES, old);
   bool good = true;
   for (unsigned n = 0; n < BYTES / 4; n++) {
      const bool inside = n >= at && n < at + ELEMENTS;
      good &= is[n] == (inside ? (words[n] + 7) | 0x80000000 : words[n]);
      good &= old[n] == (n == at       ? words[n] + 5
                         : n == at + 1 ? words[at]
                         : n == at + 2 ? ELEMENTS
                                       : words[n]);
   }
   check(good, "storage buffers, ", compute ? "compute" : "vertex", offset);
   glDeleteProgram(program);
   glDeleteBuffers(1, &from);
   glDeleteBuffers(1, &to);
   glDeleteBuffers(1, &count);
}

/* ---- Texture and image buffers ---- */

static const struct texels {
   const char *name; /* in GLSL */
   GLenum format;
   unsigned bytes;
} texels[] = {
   { "r32ui", GL_R32UI, 4 },
   { "r8ui", GL_R8UI, 1 },
   { "rgba32ui", GL_RGBA32UI, 16 },
};

static void
run_texels(unsigned offset, const struct texels *t)
{
   char source[2048];
   uint8_t bytes[BYTES], is[BYTES], want[BYTES];
   unsigned textures[2];
   const unsigned program = glCreateProgram(), first = limit(GL_MAX_IMAGE_UNITS) > 1 ? 1 : 0;

   /* What the texture has goes to the image in reverse order; the last texel is counted in. */
   snprintf(
      source, sizeof(source),
      "#version 430\nlayout(local_size_x = 8) in;\n"
      "layout(binding = 0) uniform usamplerBuffer from;\n"
      "layout(binding = %u, %s) uniform uimageBuffer to;\n"
      "void main()\n{\nint n = int(gl_GlobalInvocationID.x), count = textureSize(from);\n"
      "if (count != imageSize(to)) return;\n"
      "if (n < count) imageStore(to, count - 1 - n, texelFetch(from, n) + imageLoad(to, -1));\n"
      "if (n >= count) imageStore(to, n, uvec4(255u));\n%s}\n",
      first, t->name, t->format == GL_R32UI ? "if (n == 0) imageAtomicAdd(to, 0, 0u);\n" : "");
   const struct offscreen_shader shader = { GL_COMPUTE_SHADER, source };

   offscreen_attach(program, &shader, 1);
   offscreen_link(program);
   glUseProgram(program);
   for (unsigned n = 0; n < BYTES; n++)
      bytes[n] = (uint8_t)(n * 7 + n / 256);
   const unsigned from = buffer(GL_TEXTURE_BUFFER, BYTES, bytes),
                  to = buffer(GL_TEXTURE_BUFFER, BYTES, bytes);
   const unsigned size = ELEMENTS * t->bytes;
   glGenTextures(2, textures);
   glActiveTexture(GL_TEXTURE0);
   glBindTexture(GL_TEXTURE_BUFFER, textures[1]);
   glTexBufferRange(GL_TEXTURE_BUFFER, t->format, to, offset, size);
   glBindTexture(GL_TEXTURE_BUFFER, textures[0]);
   glTexBufferRange(GL_TEXTURE_BUFFER, t->format, from, offset, size);
   glBindImageTexture(first, textures[1], 0, GL_FALSE, 0, GL_READ_WRITE, t->format);
   glDispatchCompute(4, 1, 1);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glBindBuffer(GL_COPY_READ_BUFFER, to);
   glGetBufferSubData(GL_COPY_READ_BUFFER, 0, BYTES, is);
   memcpy(want, bytes, BYTES);
   for (unsigned n = 0; n < ELEMENTS; n++)
      memcpy(want + offset + (ELEMENTS - 1 - n) * t->bytes, bytes + offset + n * t->bytes,
             t->bytes);
   check(!memcmp(is, want, BYTES), "texture and image buffers of ", t->name, offset);
   glDeleteTextures(2, textures);
   glDeleteProgram(program);
   glDeleteBuffers(1, &from);
   glDeleteBuffers(1, &to);
}

int
main(void)
{
   const struct {
      GLenum name;
      const char *text;
   } alignments[] = {
      { GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, "uniform blocks" },
      { GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, "storage buffers" },
      { GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT, "texture buffers" },
   };

   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   if (offscreen_version() < 43)
      return TOO_LITTLE;
   offscreen_target(16, 16);
   /* Programs take 16 for granted. */
   for (unsigned n = 0; n < sizeof(alignments) / sizeof(*alignments); n++)
      check(limit(alignments[n].name) <= 16, "the alignment of ", alignments[n].text, 0);
   for (unsigned s = 0; s < STAGES; s++)
      check(limit(stages[s].blocks) >= MOST_BLOCKS, "how many blocks there are, ", stages[s].name,
            0);
   for (unsigned step = 64; step <= 512; step += 112)
      run_blocks(step);
   for (unsigned offset = 0; offset < 600; offset += offset < 64 ? 16 : 80) {
      run_storage(offset, true);
      run_storage(offset, false);
      for (unsigned n = 0; n < sizeof(texels) / sizeof(*texels); n++)
         run_texels(offset, &texels[n]);
   }
   check(glGetError() == GL_NO_ERROR, "an error", "", 0);
   offscreen_close();
   printf("%u of %u\n", held, cases);
   return held != cases;
}
