/* SPDX-License-Identifier: MIT */
/*
 * Tasks of gl-habits that are a fragment shader over the whole target: filters, lookups of every
 * kind of texture, arithmetic, registers and arrays.
 *
 * All of them have the same textures.  Their shaders are written around `vec4 r`, which becomes the
 * colour, and `ivec2 q`, the pixel.
 */
#include "habits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCE = 1 << 17 };

enum { IMAGE, VOLUME, LAYERS, SHADOW, CUBE, BITS, TABLE, SECOND, CUBE_SHADOW, UNITS };

static const char *const samplers[UNITS] = { "image", "volume", "layers", "shadow",    "cube",
                                             "bits",  "table",  "second", "cubeShadow" };

static const char declarations[] =
   "#extension GL_ARB_gpu_shader_int64 : enable\n"
   "in vec2 uv; layout(location = 0) out vec4 o;\n"
   "uniform sampler2D image, second; uniform sampler3D volume; uniform sampler2DArray layers;\n"
   "uniform sampler2DShadow shadow; uniform samplerCube cube; uniform usampler2D bits;\n"
   "uniform samplerBuffer table; uniform samplerCubeShadow cubeShadow;\n"
   "uniform vec4 weights[64];\n"
   "uniform float time;\n"
   "layout(std140) uniform Lights { vec4 lights[128]; };\n";

static void
bind_textures(void)
{
   enum { SIDE = 256 };
   static uint32_t texels[SIDE * SIDE];
   unsigned names[4], buffer;

   for (int i = 0; i < SIDE * SIDE; i++)
      texels[i] = habit_noise() << 8;
   habit_texture(GL_TEXTURE_2D, IMAGE, SIDE, 1);
   habit_texture(GL_TEXTURE_3D, VOLUME, 32, 32);
   habit_texture(GL_TEXTURE_2D_ARRAY, LAYERS, 64, 8);
   habit_texture(GL_TEXTURE_CUBE_MAP, CUBE, 64, 8);
   habit_texture(GL_TEXTURE_2D, SECOND, SIDE, 1);
   glGenTextures(4, names);
   glActiveTexture(GL_TEXTURE0 + SHADOW);
   glBindTexture(GL_TEXTURE_2D, names[0]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, SIDE, SIDE, 0, GL_DEPTH_COMPONENT,
                GL_UNSIGNED_INT, texels);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   glActiveTexture(GL_TEXTURE0 + BITS);
   glBindTexture(GL_TEXTURE_2D, names[1]);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, SIDE, SIDE, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, texels);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glActiveTexture(GL_TEXTURE0 + CUBE_SHADOW);
   glBindTexture(GL_TEXTURE_CUBE_MAP, names[3]);
   for (unsigned face = 0; face < 6; face++)
      glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_DEPTH_COMPONENT24, 128, 128, 0,
                   GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, texels);
   glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
   glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
   buffer = habit_floats(GL_TEXTURE_BUFFER, 4 * 256);
   glActiveTexture(GL_TEXTURE0 + TABLE);
   glBindTexture(GL_TEXTURE_BUFFER, names[2]);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, buffer);
   glActiveTexture(GL_TEXTURE0);
}

static void
use_shader(const char *body)
{
   char *source = habit_alloc(SOURCE);
   unsigned program, block;
   float weights[64][4];

   snprintf(
      source, SOURCE,
      "#version %d0\n%s%s\nvoid main() { vec4 r = vec4(0.0); ivec2 q = ivec2(gl_FragCoord.xy);\n"
      "%s\no = r; }\n",
      habit->version, declarations, habit->head ? habit->head : "", body);
   program = habit_program(NULL, source);
   free(source);
   glViewport(0, 0, habit->size, habit->size);
   bind_textures();
   for (int i = 0; i < UNITS; i++)
      glUniform1i(habit_uniform(samplers[i]), i);
   for (int i = 0; i < 64; i++)
      for (int c = 0; c < 4; c++)
         weights[i][c] = (float)(i * 7 % 11 + c) / 40;
   glUniform4fv(habit_uniform("weights"), 64, weights[0]);
   glUniform1f(habit_uniform("time"), 0.75f);
   if (habit_uniform("several") >= 0)
      glUniform1iv(habit_uniform("several"), 8,
                   (const int[8]){ 0, SECOND, 0, SECOND, 0, 0, SECOND, 0 });
   block = glGetUniformBlockIndex(program, "Lights");
   if (block != GL_INVALID_INDEX) {
      glUniformBlockBinding(program, block, 0);
      glBindBufferBase(GL_UNIFORM_BUFFER, 0, habit_floats(GL_UNIFORM_BUFFER, 4 * 128));
   }
   if (habit->version >= 43) {
      unsigned texture;

      glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0,
                       habit_floats(GL_SHADER_STORAGE_BUFFER, 1 << 20));
      glGenTextures(1, &texture);
      glActiveTexture(GL_TEXTURE0 + UNITS);
      glBindTexture(GL_TEXTURE_2D, texture);
      glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, HABIT_SIDE, HABIT_SIDE);
      glActiveTexture(GL_TEXTURE0);
      glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
   }
}

static void
start(void)
{
   use_shader(habit->body);
}

/* `count` vec4 that are all alive before the first of them is used. */
static void
start_alive(void)
{
   char *body = habit_alloc(SOURCE);
   size_t n = (size_t)sprintf(body, "vec2 p = gl_FragCoord.xy;\n"
                                    "vec4 v0 = vec4(p * 0.01, time, p.x * 0.02);\n");

   for (int i = 1; i < habit->count; i++)
      n += (size_t)sprintf(body + n, "vec4 v%d = fract(v%d.yzwx * 1.25 + vec4(%d.5 * time));\n", i,
                           i - 1, i);
   for (int i = habit->count - 1; i >= 0; i--)
      n += (size_t)sprintf(body + n, "r = r.wxyz * 0.5 + v%d * v%d;\n", i,
                           (i * 7 + 3) % habit->count);
   sprintf(body + n, "r = fract(r);\n");
   use_shader(body);
   free(body);
}

/* An array of `count` vec4 that is written and read at indices known only when it runs. */
static void
start_array(void)
{
   char *body = habit_alloc(SOURCE);

   sprintf(body,
           "vec4 a[%d]; for (int i = 0; i < %d; i++) a[i] = vec4(uv, float(i), time) * 0.1;\n"
           "int k = q.x;\n"
           "for (int i = 0; i < 64; i++) { k = (k * 5 + q.y + i) %% %d;\n"
           "   a[k] = a[(k * 3 + 1) %% %d].yzwx * 0.5 + a[i %% %d]; }\n"
           "for (int i = 0; i < %d; i++) r += a[i] * float(i %% 7); r = fract(r);\n",
           habit->count, habit->count, habit->count, habit->count, habit->count, habit->count);
   use_shader(body);
   free(body);
}

/* `size`: of the target's part that is drawn to. */
#define QUAD(name, version, start, ...)             \
   {                                                \
      name, version, start, habit_quad, __VA_ARGS__ \
   }
#define SHADER(name, version, declared, main) \
   QUAD(name, version, start, .size = HABIT_SIDE, .head = declared, .body = main)
#define SMALL(name, version, side, main) QUAD(name, version, start, .size = side, .body = main)

static const char value_noise[] =
   "float h(vec2 p) { p = fract(p * vec2(0.1031, 0.11369)); p += dot(p, p.yx + 19.19);\n"
   "                  return fract((p.x + p.y) * p.x); }\n"
   "float noise(vec2 p) { vec2 f = fract(p), n = floor(p); f = f * f * (3.0 - 2.0 * f);\n"
   "   return mix(mix(h(n), h(n + vec2(1, 0)), f.x),\n"
   "              mix(h(n + vec2(0, 1)), h(n + vec2(1)), f.x), f.y); }\n";

const struct habit habits_pixels[] = {
   /* Filters. */
   SHADER("blur-5x5", 33, "",
          "for (int y = -2; y <= 2; y++) for (int x = -2; x <= 2; x++)\n"
          "   r += texture(image, uv + vec2(x, y) / 256.0) * 0.04;"),
   SHADER(
      "convolution-9x9", 33, "",
      "for (int y = 0; y < 9; y++) for (int x = 0; x < 9; x++)\n"
      "   r += texture(image, uv + vec2(x - 4, y - 4) / 512.0) * weights[(y * 9 + x) & 63] * 0.1;"),
   SHADER("bilateral", 33, "",
          "vec4 c = texture(image, uv); float w = 0.0;\n"
          "for (int y = -2; y <= 2; y++) for (int x = -2; x <= 2; x++) {\n"
          "   vec4 t = texture(image, uv + vec2(x, y) / 256.0), d = t - c;\n"
          "   float k = exp(-dot(d, d) * 4.0 - float(x * x + y * y) * 0.2); r += t * k; w += k; }\n"
          "r /= w;"),
   SHADER("fxaa", 33,
          "float l(vec2 p) { return dot(texture(image, p).rgb, vec3(0.3, 0.59, 0.11)); }",
          "vec2 e = vec2(1.0 / 512.0, 0.0); float m = l(uv), n = l(uv + e.yx), s = l(uv - e.yx),\n"
          "   a = l(uv + e.xy), w = l(uv - e.xy);\n"
          "float lo = min(m, min(min(n, s), min(a, w))), hi = max(m, max(max(n, s), max(a, w)));\n"
          "if (hi - lo < 0.1) { r = texture(image, uv); } else {\n"
          "   vec2 d = normalize(vec2(n - s, a - w) + 0.001) / 512.0;\n"
          "   r = 0.5 * (texture(image, uv + d * 0.33) + texture(image, uv - d * 0.33)); }"),
   SHADER(
      "ssao", 33, "",
      "float z = texture(image, uv).x, n = 0.0;\n"
      "vec2 s = texelFetch(second, q & 3, 0).xy * 2.0 - 1.0;\n"
      "for (int i = 0; i < 16; i++) { vec2 d = reflect(weights[i].xy - 0.2, normalize(s + 0.01));\n"
      "   float t = texture(image, uv + d * 0.05).x;\n"
      "   n += step(t, z - 0.02) * smoothstep(0.0, 1.0, 0.5 / (abs(t - z) + 0.01)); }\n"
      "r = vec4(1.0 - n / 16.0);"),
   SHADER("sobel-gather", 40, "",
          "vec4 g = textureGather(image, uv), h = textureGatherOffset(image, uv, ivec2(-1, -1));\n"
          "float x = g.y + 2.0 * g.x - h.w - 2.0 * h.x, y = g.z + g.w - h.y - h.z;\n"
          "r = vec4(sqrt(x * x + y * y));"),
   SHADER(
      "gather", 40, "",
      "for (int i = 0; i < 8; i++) r += textureGather(image, uv + float(i) * 0.01, 1) * 0.125;"),
   SHADER("sharpen-mipmaps", 33, "",
          "for (int i = 0; i < 6; i++) r += textureLod(image, uv, float(i) * 0.7) * (i == 0 ? 1.5 "
          ": -0.1);"),
   SHADER("yuv", 33, "",
          "float y = texture(image, uv).x, u = texture(second, uv * 0.5).x - 0.5,\n"
          "   v = texture(second, uv * 0.5 + 0.5).y - 0.5;\n"
          "r = vec4(y + 1.402 * v, y - 0.344 * u - 0.714 * v, y + 1.772 * u, 1.0);"),
   SHADER("tone-map", 33, "",
          "vec3 c = texture(image, uv).rgb * 4.0; c *= 1.0 + texture(second, uv).a;\n"
          "c = c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14);\n"
          "r = vec4(pow(clamp(c, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0);"),

   /* Textures of every kind. */
   SHADER("texel-fetch", 33, "",
          "for (int i = 0; i < 16; i++) r += texelFetch(image, (q + i * 3) & 255, 0) * 0.0625;"),
   SHADER("texel-fetch-ints", 33, "",
          "uint n = 0u; for (int i = 0; i < 8; i++) n += texelFetch(bits, (q + i * 5) & 255, 0).x "
          ">> 3;\n"
          "r = vec4(n >> 8 & 255u, n >> 16 & 255u, n >> 24, 255u) / 255.0;"),
   SHADER("texture-buffer", 33, "",
          "for (int i = 0; i < 8; i++) r += texelFetch(table, (q.x + q.y * 3 + i * 11) & 255) * "
          "0.125;"),
   SHADER("shadow-5x5", 33, "",
          "for (int y = -2; y <= 2; y++) for (int x = -2; x <= 2; x++)\n"
          "   r += texture(shadow, vec3(uv + vec2(x, y) / 256.0, 0.5)) * 0.04;"),
   SHADER("shadow-poisson", 33, "",
          "for (int i = 0; i < 8; i++)\n"
          "   r += texture(shadow, vec3(uv + weights[i].xy * 0.02, 0.4 + uv.x * 0.2)) * 0.125;"),
   SHADER("shadow-projected", 33, "",
          "vec4 p = vec4(uv * 2.0, 0.9, 2.0 - uv.y); r = vec4(textureProj(shadow, p));\n"
          "r += textureProj(shadow, p + vec4(0.01, 0.0, 0.0, 0.0)); r *= 0.5;"),
   SHADER(
      "shadow-cube", 33, "",
      "vec3 d = vec3(uv * 2.0 - 1.0, 0.7);\n"
      "for (int i = 0; i < 4; i++) r += texture(cubeShadow, vec4(d.zxy, 0.5)) * 0.25, d = d.yzx;"),
   SHADER("cube-map", 33, "",
          "vec3 n = normalize(vec3(uv * 2.0 - 1.0, sin(uv.x * 20.0)));\n"
          "r = texture(cube, reflect(vec3(0, 0, 1), n)) * 0.5 + texture(cube, n) * 0.5;"),
   SHADER(
      "volume", 33, "",
      "vec3 p = vec3(uv, 0.0);\n"
      "for (int i = 0; i < 32; i++) { float d = texture(volume, p).x;\n"
      "   r += (1.0 - r.w) * vec4(d, d * d, 1.0 - d, 0.1) * 0.2; p += vec3(0.003, 0.001, 0.03);\n"
      "   if (r.w > 0.95) break; }"),
   SHADER("texture-array", 33, "",
          "for (int i = 0; i < 8; i++)\n"
          "   r += texture(layers, vec3(uv * float(i + 1), float(i))) * 0.125;"),
   SHADER("texture-array-by-pixel", 33, "",
          "r = texture(layers, vec3(uv * 6.0, float((q.x >> 4 ^ q.y >> 4) & 7)));"),
   SHADER("texture-grad", 33, "",
          "r = textureGrad(image, uv * 3.0, vec2(0.01, 0.002), vec2(0.0, 0.004)) * 0.5\n"
          "  + textureGrad(second, uv, dFdx(uv) * 4.0, dFdy(uv) * 4.0) * 0.5;"),
   SHADER(
      "dependent-lookups", 33, "",
      "vec2 p = uv; for (int i = 0; i < 4; i++) { r = texture(image, p); p = r.xy + uv * 0.1; }"),
   SHADER("sampler-array", 40, "uniform sampler2D several[8];",
          "for (int i = 0; i < 8; i++) r += texture(several[i], uv * 2.0) * 0.125;"),
   SHADER("normal-mapping", 33, "",
          "vec3 n = texture(image, uv * 4.0).xyz * 2.0 - 1.0, x = vec3(dFdx(uv) * 400.0, 0.1),\n"
          "   y = vec3(dFdy(uv) * 400.0, 0.1), t = normalize(x), b = normalize(y);\n"
          "n = normalize(t * n.x + b * n.y + cross(t, b) * n.z);\n"
          "vec3 l = normalize(vec3(0.3, 0.5, 1.0)); float d = max(dot(n, l), 0.0);\n"
          "r = texture(second, uv * 4.0) * d + pow(max(reflect(-l, n).z, 0.0), 32.0);"),

   /* Arithmetic. */
   SHADER(
      "ray-march", 33, "",
      "vec3 d = normalize(vec3(uv - 0.5, 1.0)), p = vec3(0.1, 0.2, 1.5); float t = 0.0; int i;\n"
      "for (i = 0; i < 48; i++) { vec3 x = mod(p + d * t + 1.5, 3.0) - 1.5;\n"
      "   float e = min(length(x) - 0.7, length(vec2(length(x.xz) - 1.0, x.y)) - 0.2);\n"
      "   if (e < 0.001) break; t += e; if (t > 30.0) break; }\n"
      "r = vec4(float(i) / 48.0, t / 30.0, 0.0, 1.0);"),
   SHADER("noise", 33, value_noise,
          "vec2 p = uv * 8.0; float k = 0.5;\n"
          "for (int i = 0; i < 6; i++) { r += k * noise(p); p *= 2.0; k *= 0.5; }"),
   SHADER("trigonometry", 33, "",
          "vec3 x = vec3(uv, uv.x * uv.y) * 3.0;\n"
          "for (int i = 0; i < 4; i++)\n"
          "   x = vec3(sin(x.y), cos(x.z), atan(x.x, x.y + 2.0)) + exp2(-x * x) * 0.2\n"
          "     + pow(abs(x) + 0.1, vec3(0.3)) * 0.1;\n"
          "r = vec4(x * 0.4 + 0.3, 1.0);"),
   SHADER("mandelbrot", 33, "",
          "vec2 c = uv * 3.0 - vec2(2.2, 1.5), z = c; int i;\n"
          "for (i = 0; i < 64; i++) { if (dot(z, z) > 4.0) break;\n"
          "   z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c; }\n"
          "r = vec4(float(i) / 64.0);"),
   SMALL("mandelbrot-doubles", 40, 128,
         "dvec2 c = dvec2(uv) * 3.0LF - dvec2(2.2LF, 1.5LF), z = c; int i;\n"
         "for (i = 0; i < 32; i++) { if (z.x * z.x + z.y * z.y > 4.0LF) break;\n"
         "   z = dvec2(z.x * z.x - z.y * z.y, 2.0LF * z.x * z.y) + c; }\n"
         "r = vec4(float(i) / 32.0);"),
   SHADER("int64", 45, "",
          "uint64_t x = packUint2x32(uvec2(q)); uvec2 y;\n"
          "for (int i = 0; i < 8; i++) x = x * 6364136223846793005ul + 1442695040888963407ul;\n"
          "y = unpackUint2x32(x >> 7);\n"
          "r = vec4(y & 255u, y >> 24 & 255u) / 255.0;"),
   SHADER("packing", 42, "",
          "vec4 c = texture(image, uv); uint a = packHalf2x16(c.xy), b = packUnorm4x8(c),\n"
          "   d = packSnorm2x16(c.zw - 0.5);\n"
          "a = bitfieldInsert(a, b, 5, 9) ^ bitfieldReverse(d);\n"
          "r = unpackUnorm4x8(a + uint(bitCount(b)) + uint(findMSB(d))) * 0.5 +\n"
          "   vec4(unpackHalf2x16(b & 0x3bff3bffu), unpackSnorm2x16(d)) * 0.25;"),
   SHADER("integer-hash", 33, "",
          "uvec4 x = uvec4(q.xyxy) * uvec4(1u, 7u, 13u, 29u);\n"
          "for (int i = 0; i < 8; i++) { x = (x ^ x >> 15) * 0x2c1b3c6du; x += x.yzwx; }\n"
          "r = vec4(x >> 24) / 255.0;"),
   SHADER("divisions", 33, "",
          "ivec4 x = ivec4(q, q.y + 7, q.x + 3) + 1; int n = 0;\n"
          "for (int i = 1; i < 8; i++) n += (x.x * 977 + i) / x.y + (x.z * 613) % (x.w + i);\n"
          "r = vec4(n & 255, n >> 8 & 255, 0, 255) / 255.0;"),
   SHADER("lights-64", 33, "",
          "vec3 n = normalize(vec3(uv - 0.5, 0.5));\n"
          "for (int i = 0; i < 64; i++) { vec3 d = lights[i].xyz - vec3(uv, 0.0);\n"
          "   float l = inversesqrt(dot(d, d) + 0.01);\n"
          "   r += lights[i + 64] * max(dot(n, d * l), 0.0) * l * 0.02; }"),
   SHADER("physical-shading", 33, "",
          "vec3 n = normalize(vec3(uv - 0.5, 0.6)), v = vec3(0.0, 0.0, 1.0); vec4 c = "
          "texture(image, uv);\n"
          "float a = c.w * c.w + 0.01;\n"
          "for (int i = 0; i < 8; i++) { vec3 l = normalize(lights[i].xyz - 0.3), h = normalize(l "
          "+ v);\n"
          "   float nh = max(dot(n, h), 0.0), nl = max(dot(n, l), 0.0), d = nh * nh * (a * a - "
          "1.0) + 1.0;\n"
          "   float f = 0.04 + 0.96 * pow(1.0 - max(dot(h, v), 0.0), 5.0);\n"
          "   r.xyz += (c.xyz * 0.318 + a * a / (3.14 * d * d) * f) * nl * 0.3; } r.w = 1.0;"),
   SHADER("branches", 33, "",
          "uint x = uint(q.x * 31 + q.y * 17); int i;\n"
          "for (i = 0; i < 48 && x > 1u; i++) if ((x & 1u) == 1u) x = x * 3u + 1u; else x >>= 1;\n"
          "if (x > 1u) r = texture(image, uv); else if ((i & 1) == 0) r = vec4(float(i) / 48.0);\n"
          "else r = vec4(uv, 0.0, 1.0);"),
   SHADER("discard", 33, value_noise, "if (h(vec2(q)) < 0.5) discard; r = vec4(uv, 0.0, 1.0);"),
   SHADER(
      "derivatives", 33, "",
      "float g = fract(uv.x * 20.0 + sin(uv.y * 9.0)), w = fwidth(uv.x * 20.0 + sin(uv.y * 9.0));\n"
      "r = vec4(smoothstep(0.5 - w, 0.5 + w, abs(g - 0.5) * 2.0), dFdx(g) * 4.0, dFdy(g), 1.0);"),

   /* Registers. */
   QUAD("registers-60", 33, start_alive, .count = 60, .size = 128),
   QUAD("registers-150", 33, start_alive, .count = 150, .size = 128),
   QUAD("registers-300", 33, start_alive, .count = 300, .size = 64),
   QUAD("array-16", 33, start_array, .count = 16, .size = 128),
   QUAD("array-64", 33, start_array, .count = 64, .size = 128),
   QUAD("array-128", 33, start_array, .count = 128, .size = 128),
   SMALL("sort-in-pixel", 33, 256,
         "float k[16]; for (int i = 0; i < 16; i++) k[i] = texelFetch(image, (q + i * 7) & 255, "
         "0).x;\n"
         "for (int i = 1; i < 16; i++) { float x = k[i]; int j = i;\n"
         "   while (j > 0 && k[j - 1] > x) { k[j] = k[j - 1]; j--; } k[j] = x; }\n"
         "r = vec4(k[3], k[7], k[11], 1.0);"),
   SMALL("median-filter", 33, 256,
         "vec3 v[9]; for (int i = 0; i < 9; i++)\n"
         "   v[i] = texelFetch(image, (q + ivec2(i % 3, i / 3)) & 255, 0).xyz;\n"
         "for (int i = 0; i < 5; i++) for (int j = i + 1; j < 9; j++) { vec3 a = min(v[i], v[j]);\n"
         "   v[j] = max(v[i], v[j]); v[i] = a; }\n"
         "r = vec4(v[4], 1.0);"),
   SHADER("uniform-array", 33, "",
          "for (int i = 0; i < 32; i++) r += weights[(i + q.x) & 63] * 0.02;"),
   SHADER("constant-table", 33,
          "const float t[16] = float[](0.1, 0.9, 0.3, 0.5, 0.7, 0.2, 0.4, 0.8, 0.6, 0.0, 1.0, "
          "0.15, 0.35,\n"
          "   0.55, 0.75, 0.95);",
          "r = vec4(t[q.x & 15], t[q.y & 15], t[(q.x + q.y) & 15], 1.0);"),

   /* Memory. */
   SHADER("storage-in-pixel", 43, "layout(std430, binding = 0) buffer A { uint a[]; };",
          "uint x = a[(q.y * 512 + q.x) & 0xffff]; atomicAdd(a[65536 + (q.x & 255)], 1u);\n"
          "r = vec4(float(x >> 20 & 255u) / 255.0);"),
   SHADER(
      "image-store-in-pixel", 43, "layout(r32ui, binding = 0) uniform uimage2D cells;",
      "uint n = imageLoad(cells, q).x; imageStore(cells, q, uvec4(n + 3u)); r = vec4(uv, n, 1.0);"),
   SHADER(
      "fragment-lists", 43,
      "layout(r32ui, binding = 0) uniform uimage2D heads;\n"
      "layout(std430, binding = 0) buffer A { uint count; uint a[]; };",
      "uint n = atomicAdd(count, 1u) & 0x7ffffu, h = imageAtomicExchange(heads, q, n);\n"
      "a[n * 2u & 0xfffffu] = h; a[(n * 2u + 1u) & 0xfffffu] = packUnorm4x8(vec4(uv, 0.0, 1.0));\n"
      "r = vec4(uv, 0.5, 1.0);"),
   SHADER("fragment-depth", 33, "",
          "gl_FragDepth = fract(uv.x * 7.0 + uv.y); r = vec4(uv, 0.0, 1.0);"),
   { 0 },
};
