/* SPDX-License-Identifier: MIT */
/*
 * Tasks of gl-habits that are compute programs: buffers, shared memory, images, atomic operations,
 * wide numbers.
 *
 * All have three buffers of 2^18 numbers, `uint a[]`, `float b[]` and `float c[]`, and two images.
 * Shaders are written around `uint g`, the invocation, `uint l`, its number in the work group, and
 * `ivec2 q`, its position.  They leave numbers that the next frame can begin with.
 */
#include "habits.h"

#include <stdio.h>
#include <stdlib.h>

enum { SOURCE = 1 << 14, NUMBERS = 1 << 18, PICTURE = 512 };

static unsigned groups_x, groups_y;
static int step; /* a uniform */

static const char declarations[] =
   "#version 430\n"
   "#extension GL_ARB_gpu_shader_int64 : enable\n"
   "layout(local_size_x = %d, local_size_y = %d) in;\n"
   "layout(std430, binding = 0) buffer A { uint a[]; };\n"
   "layout(std430, binding = 1) buffer B { float b[]; };\n"
   "layout(std430, binding = 2) buffer C { float c[]; };\n"
   "layout(rgba8, binding = 0) uniform image2D picture;\n"
   "layout(r32ui, binding = 1) uniform uimage2D cells;\n"
   "uniform sampler2D image; uniform uint step;\n"
   "%s\nvoid main() { uint g = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;\n"
   "   ivec2 q = ivec2(gl_GlobalInvocationID.xy);\n%s }\n";

static void
new_image(unsigned unit, GLenum internal, GLenum format, GLenum type, const uint32_t *texels)
{
   unsigned texture;

   glGenTextures(1, &texture);
   glActiveTexture(GL_TEXTURE1 + unit);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexStorage2D(GL_TEXTURE_2D, 1, internal, PICTURE, PICTURE);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, PICTURE, PICTURE, format, type, texels);
   glBindImageTexture(unit, texture, 0, GL_FALSE, 0, GL_READ_WRITE, internal);
   glActiveTexture(GL_TEXTURE0);
}

/* `size`: invocations in a work group, 1000 * height + width of one with two dimensions; `count`:
 * groups, as many to every side where they have two dimensions. */
static void
start(void)
{
   int width = habit->size % 1000, height = habit->size / 1000;
   uint32_t *numbers = habit_alloc(NUMBERS * sizeof(uint32_t));
   char *source = habit_alloc(SOURCE);
   struct offscreen_shader shader = { GL_COMPUTE_SHADER, source };
   unsigned buffer;

   snprintf(source, SOURCE, declarations, width, height ? height : 1, habit->head, habit->body);
   habit_stages(&shader, 1);
   free(source);
   groups_x = (unsigned)habit->count;
   groups_y = height ? groups_x : 1;
   step = habit_uniform("step");
   for (int i = 0; i < NUMBERS; i++)
      numbers[i] = habit_noise();
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, NUMBERS * sizeof(uint32_t), numbers, GL_DYNAMIC_COPY);
   for (unsigned i = 1; i < 3; i++)
      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i,
                       habit_floats(GL_SHADER_STORAGE_BUFFER, NUMBERS));
   new_image(0, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, numbers);
   new_image(1, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, numbers);
   habit_texture(GL_TEXTURE_2D, 0, 256, 1);
   free(numbers);
}

static void
dispatch(void)
{
   glDispatchCompute(groups_x, groups_y, 1);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

static void
dispatch_step(unsigned i)
{
   glUniform1ui(step, i);
   glDispatchCompute(groups_x, 1, 1);
}

/* Many small jobs, each with a number of its own. */
static void
dispatch_many(void)
{
   for (unsigned i = 0; i < 500; i++)
      dispatch_step(i);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

/* A Fourier transform by log2(n) passes over memory, n = 65536. */
static void
dispatch_passes(void)
{
   for (unsigned i = 0; i < 16; i++) {
      dispatch_step(i);
      glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
   }
}

static void
start_indirect(void)
{
   const uint32_t groups[3] = { (uint32_t)habit->count, 1, 1 };
   unsigned buffer;

   start();
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, buffer);
   glBufferData(GL_DISPATCH_INDIRECT_BUFFER, sizeof(groups), groups, GL_STATIC_DRAW);
}

static void
dispatch_indirect(void)
{
   for (int i = 0; i < 200; i++)
      glDispatchComputeIndirect(0);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
}

static void
sum(double sums[static HABIT_SUMS])
{
   void *numbers = habit_alloc((size_t)PICTURE * PICTURE * 4);
   int buffer;

   for (unsigned i = 0; i < 3; i++) {
      glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, i, &buffer);
      glBindBuffer(GL_SHADER_STORAGE_BUFFER, (unsigned)buffer);
      glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, NUMBERS * sizeof(uint32_t), numbers);
      if (i == 0)
         habit_sum_uints(sums, numbers, NUMBERS);
      else
         habit_sum_floats(sums + 4 * (size_t)i, numbers, NUMBERS, 1000);
   }
   glActiveTexture(GL_TEXTURE1);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_UNSIGNED_INT, numbers);
   habit_sum_uints(sums + 12, numbers, NUMBERS);
   glActiveTexture(GL_TEXTURE2);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, numbers);
   for (int i = 0; i < 4; i++) {
      double more[4];

      habit_sum_uints(more, numbers, NUMBERS);
      sums[12 + i] += more[i];
   }
   glActiveTexture(GL_TEXTURE0);
   free(numbers);
}

#define DISPATCH(name, start, frame, dispatched, groups, declared, main)                         \
   {                                                                                             \
      name, 43, start, frame, .sum = sum, .size = dispatched, .count = groups, .head = declared, \
                              .body = main                                                       \
   }
#define JOB(name, size, groups, declared, main) \
   DISPATCH(name, start, dispatch, size, groups, declared, main)

enum { LINE_64 = 64, LINE_256 = 256, SQUARE_8 = 8008, SQUARE_16 = 16016 };

const struct habit habits_compute[] = {
   /* Streams. */
   JOB("saxpy", LINE_64, 1024, "",
       "for (uint i = 0u; i < 4u; i++) b[g + i * 65536u] = b[g + i * 65536u] * 0.5 + c[g + i * "
       "65536u];"),
   JOB("copy-vec4", LINE_64, 1024, "",
       "for (uint i = 0u; i < 4u; i++) c[g * 4u + i] = b[g * 4u + i];"),
   JOB("particles", LINE_64, 256, "",
       "vec3 x = vec3(b[g * 8u], b[g * 8u + 1u], b[g * 8u + 2u]),\n"
       "     v = vec3(b[g * 8u + 4u], b[g * 8u + 5u], b[g * 8u + 6u]) - 0.5;\n"
       "v += (vec3(0.5) - x) * 0.1; x = fract(x + v * 0.016 + 1.0);\n"
       "b[g * 8u] = x.x; b[g * 8u + 1u] = x.y; b[g * 8u + 2u] = x.z;\n"
       "b[g * 8u + 4u] = v.x + 0.5; b[g * 8u + 5u] = v.y + 0.5; b[g * 8u + 6u] = v.z + 0.5;"),
   JOB("scatter", LINE_64, 2048, "", "a[(g * 2654435761u) & 0x1ffffu] = g;"),
   JOB("pointer-chase", LINE_64, 512, "",
       "uint x = g; for (int i = 0; i < 32; i++) x = (a[x & 0x1ffffu] ^ x * 9u) & 0x1ffffu;\n"
       "c[g] = float(x & 1023u) / 1024.0;"),
   JOB("grey-bytes", LINE_64, 2048, "",
       "uint x = a[g]; uint y = ((x & 255u) * 77u + (x >> 8 & 255u) * 150u + (x >> 16 & 255u) * "
       "29u) >> 8;\n"
       "a[g + 131072u] = y | y << 8 | y << 16 | x & 0xff000000u;"),
   JOB("jacobi", LINE_64, 2048, "",
       "uint x = g & 511u, y = g >> 9; if (x > 0u && x < 511u && y > 0u && y < 255u)\n"
       "c[g] = (b[g - 1u] + b[g + 1u] + b[g - 512u] + b[g + 512u]) * 0.25;"),

   /* Shared memory. */
   JOB("reduce", LINE_256, 1024, "shared float s[256];",
       "s[l] = b[g]; barrier();\n"
       "for (uint k = 128u; k > 0u; k >>= 1) { if (l < k) s[l] += s[l + k]; barrier(); }\n"
       "if (l == 0u) c[gl_WorkGroupID.x] = s[0];"),
   JOB("prefix-sum", LINE_256, 512, "shared uint s[256];",
       "s[l] = a[g] & 255u; barrier();\n"
       "for (uint k = 1u; k < 256u; k <<= 1) { uint x = l >= k ? s[l - k] : 0u; barrier();\n"
       "   s[l] += x; barrier(); }\n"
       "a[g] = s[l];"),
   JOB("histogram", LINE_256, 64, "shared uint s[256];",
       "s[l] = 0u; barrier();\n"
       "for (uint i = 0u; i < 16u; i++) atomicAdd(s[(a[(g * 16u + i) & 0xffffu] >> 3) & 255u], "
       "1u);\n"
       "barrier(); atomicAdd(a[65536u + l], s[l]);"),
   JOB("bitonic-sort", LINE_256, 128, "shared uint s[256];",
       "s[l] = a[g];\n"
       "for (uint k = 2u; k <= 256u; k <<= 1) for (uint j = k >> 1; j > 0u; j >>= 1) { barrier();\n"
       "   uint x = l ^ j; if (x > l) { bool up = (l & k) == 0u;\n"
       "      if ((s[l] > s[x]) == up) { uint t = s[l]; s[l] = s[x]; s[x] = t; } } }\n"
       "barrier(); a[g] = s[l];"),
   JOB("radix-sort", LINE_256, 64, "shared uint s[256], n[256];",
       "s[l] = a[g]; barrier();\n"
       "for (uint bit = 24u; bit < 32u; bit++) { uint x = s[l], z = (x >> bit & 1u) ^ 1u; n[l] = "
       "z;\n"
       "   barrier();\n"
       "   for (uint k = 1u; k < 256u; k <<= 1) { uint y = l >= k ? n[l - k] : 0u; barrier();\n"
       "      n[l] += y; barrier(); }\n"
       "   uint at = z == 1u ? n[l] - 1u : n[255] + l - n[l]; barrier(); s[at] = x; barrier(); }\n"
       "a[g] = s[l];"),
   JOB("matrix-product", SQUARE_16, 16, "shared float s[16][16], u[16][16];",
       "uvec2 i = gl_LocalInvocationID.xy; float x = 0.0;\n"
       "for (int t = 0; t < 16; t++) { s[i.y][i.x] = b[q.y * 256 + t * 16 + int(i.x)];\n"
       "   u[i.y][i.x] = c[(t * 16 + int(i.y)) * 256 + q.x]; barrier();\n"
       "   for (int k = 0; k < 16; k++) x += s[i.y][k] * u[k][i.x]; barrier(); }\n"
       "b[65536 + q.y * 256 + q.x] = x * 0.01;"),
   JOB("matrix-vector", LINE_64, 16, "",
       "float x = 0.0; for (uint i = 0u; i < 256u; i++) x += b[(g & 255u) * 256u + i] * c[i];\n"
       "c[g + 65536u] = x * 0.01;"),
   JOB("transpose", SQUARE_16, 32, "shared float s[16][17];",
       "uvec2 i = gl_LocalInvocationID.xy, o = gl_WorkGroupID.yx * 16u + i;\n"
       "s[i.y][i.x] = b[q.y * 512 + q.x]; barrier(); c[o.y * 512u + o.x] = s[i.x][i.y];"),
   JOB("fourier-shared", LINE_64, 512, "shared vec2 s[128];",
       "s[l] = vec2(b[g * 2u], 0.0); s[l + 64u] = vec2(b[g * 2u + 1u], 0.0); barrier();\n"
       "for (uint k = 1u; k < 128u; k <<= 1) { uint i = l % k, j = (l / k) * 2u * k + i;\n"
       "   float t = -3.14159265 * float(i) / float(k); vec2 w = vec2(cos(t), sin(t)), x = s[j],\n"
       "   y = s[j + k]; y = vec2(w.x * y.x - w.y * y.y, w.x * y.y + w.y * y.x);\n"
       "   s[j] = (x + y) * 0.7; s[j + k] = (x - y) * 0.7; barrier(); }\n"
       "c[g * 2u] = s[l].x; c[g * 2u + 1u] = s[l + 64u].y;"),
   DISPATCH("fourier-passes", start, dispatch_passes, LINE_64, 512, "",
            "uint k = 1u << step, i = g % k, j = (g / k) * 2u * k + i;\n"
            "float t = -3.14159265 * float(i) / float(k), x = b[j], y = b[j + k] * cos(t);\n"
            "b[j] = (x + y) * 0.5; b[j + k] = (x - y) * 0.5;"),
   JOB("n-body", LINE_64, 64, "shared vec3 s[64];",
       "vec3 p = vec3(b[g * 3u], b[g * 3u + 1u], b[g * 3u + 2u]), f = vec3(0.0);\n"
       "for (uint t = 0u; t < 8u; t++) { uint k = t * 64u + l;\n"
       "   s[l] = vec3(b[k * 3u], b[k * 3u + 1u], b[k * 3u + 2u]); barrier();\n"
       "   for (uint i = 0u; i < 64u; i++) { vec3 d = s[i] - p; f += d * inversesqrt(dot(d, d) + "
       "0.01); }\n"
       "   barrier(); }\n"
       "c[g] = (f.x + f.y + f.z) * 0.001;"),
   JOB("blur-shared", LINE_256, 512, "shared float s[264];",
       "uint y = gl_WorkGroupID.x * 256u; s[l + 4u] = b[y + l];\n"
       "if (l < 4u) { s[l] = b[y]; s[l + 260u] = b[y + 255u]; } barrier();\n"
       "float x = 0.0; for (uint i = 0u; i < 9u; i++) x += s[l + i]; c[y + l] = x / 9.0;"),

   /* Images. */
   JOB("image-blur-5x5", SQUARE_8, 64, "",
       "vec4 r = vec4(0.0); for (int y = -2; y <= 2; y++) for (int x = -2; x <= 2; x++)\n"
       "   r += imageLoad(picture, clamp(q + ivec2(x, y), ivec2(0), ivec2(511)));\n"
       "imageStore(picture, q, r / 25.0);"),
   JOB("image-sobel", SQUARE_8, 64, "",
       "float x = 0.0, y = 0.0; for (int i = -1; i <= 1; i++) {\n"
       "   x += imageLoad(picture, q + ivec2(1, i)).x - imageLoad(picture, q + ivec2(-1, i)).x;\n"
       "   y += imageLoad(picture, q + ivec2(i, 1)).x - imageLoad(picture, q + ivec2(i, -1)).x; }\n"
       "c[q.y * 512 + q.x] = sqrt(x * x + y * y);"),
   JOB("image-fill", SQUARE_8, 64, "", "imageStore(picture, q, vec4(vec2(q) / 512.0, 0.5, 1.0));"),
   JOB("image-atomics", SQUARE_8, 64, "", "imageAtomicAdd(cells, q / 4, 1u);"),
   JOB("life", SQUARE_8, 64, "",
       "uint n = 0u; for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++)\n"
       "   n += imageLoad(cells, (q + ivec2(x, y)) & 511).x & 1u;\n"
       "a[q.y * 512 + q.x] = n == 3u ? 1000u : n;"),
   JOB("texture-in-compute", SQUARE_8, 64, "",
       "vec4 r = vec4(0.0);\n"
       "for (int i = 0; i < 8; i++) r += textureLod(image, (vec2(q) + float(i)) / 512.0, float(i) "
       "* 0.5);\n"
       "imageStore(picture, q, r * 0.125);"),

   /* Atomic operations. */
   JOB("atomics-one", LINE_64, 2048, "", "atomicAdd(a[0], 1u);"),
   JOB("atomics-many", LINE_64, 2048, "",
       "atomicMax(a[(g * 7919u) & 0xffffu], g); atomicXor(a[(g * 104729u) & 0xffffu], g);"),
   JOB("append", LINE_64, 2048, "",
       "if (b[g] > 0.5) { uint n = atomicAdd(a[0], 1u) & 0xffffu; a[n + 131072u] = 500u; }"),

   /* Numbers. */
   JOB("int64-streams", LINE_64, 1024, "",
       "uint64_t x = packUint2x32(uvec2(a[g], g));\n"
       "for (int i = 0; i < 16; i++) x = x * 6364136223846793005ul + 1442695040888963407ul;\n"
       "a[g] = uint(x >> 32);"),
   JOB("int64-divisions", LINE_64, 64, "",
       "uint64_t x = packUint2x32(uvec2(a[g], g + 7u)), y = packUint2x32(uvec2(a[g + 65536u], g & "
       "3u));\n"
       "a[g] = uint(x / (y + 1ul)) ^ uint(x % (y + 3ul));"),
   JOB("int64-shifts", LINE_64, 1024, "",
       "uint64_t x = packUint2x32(uvec2(a[g], a[g + 65536u]));\n"
       "for (int i = 0; i < 16; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; x = max(x, x + "
       "9ul); }\n"
       "a[g] = uint(x >> 20);"),
   JOB("double-arithmetic", LINE_64, 256, "",
       "double x = double(b[g]);\n"
       "for (int i = 0; i < 32; i++) x = x * x * 0.5LF + 0.25LF / (x + 1.0LF); c[g] = float(x);"),
   JOB("double-matrix", SQUARE_8, 16, "",
       "double x = 0.0LF; for (int k = 0; k < 64; k++)\n"
       "   x += double(b[q.y * 128 + k]) * double(c[k * 128 + q.x]); c[65536 + q.y * 128 + q.x] = "
       "float(x * 0.01LF);"),
   JOB("sha", LINE_64, 1024, "",
       "uint h = a[g], k = 0x6a09e667u;\n"
       "for (int i = 0; i < 64; i++) { uint s = (h >> 2 | h << 30) ^ (h >> 13 | h << 19) ^ (h >> "
       "22 | h << 10);\n"
       "   k += s + (h & k ^ ~h & 0x9b05688cu) + uint(i); h = k ^ (h << 5); }\n"
       "a[g] = h;"),
   JOB("random-walk", LINE_64, 512, "",
       "uint x = g + 1u; float n = 0.0;\n"
       "for (int i = 0; i < 64; i++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5;\n"
       "   vec2 p = vec2(x & 0xffffu, x >> 16) / 65536.0; if (dot(p, p) < 1.0) n += 4.0 / 64.0; }\n"
       "c[g] = n;"),
   JOB("collatz", LINE_64, 1024, "",
       "uint x = (a[g] & 0xffffu) + 1u, n = 0u; for (; n < 96u && x > 1u; n++)\n"
       "   if ((x & 1u) == 1u) x = x * 3u + 1u; else x >>= 1;\n"
       "a[g + 131072u] = n * 1000u;"),
   JOB("registers-in-compute", LINE_64, 64, "",
       "float x[48]; for (int i = 0; i < 48; i++) x[i] = b[g + uint(i) * 64u];\n"
       "for (int j = 0; j < 4; j++) for (int i = 0; i < 48; i++) x[i] = x[i] * 0.5 + x[(i * 7 + j) "
       "% 48] * 0.4;\n"
       "float s = 0.0; for (int i = 0; i < 48; i++) s += x[i]; c[g] = s * 0.02;"),

   /* Many jobs. */
   DISPATCH("small-dispatches", start, dispatch_many, LINE_64, 1, "",
            "c[step * 64u + l] = b[l] * 0.5;"),
   DISPATCH("indirect-dispatches", start_indirect, dispatch_indirect, LINE_64, 4, "",
            "c[g] = b[g] * 0.5;"),
   { 0 },
};
