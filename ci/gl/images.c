/* SPDX-License-Identifier: MIT */
/*
 * Image loads and stores: gl-images.
 *
 * A compute shader turns an image round into another one, texel by texel: all formats in two
 * dimensions, and all kinds of images in some formats.  Every texel must come out as it went in,
 * bit for bit; imageSize must say the size, and a load from outside must give zero.  Images of
 * several samples, where there are any, are written sample by sample, and read as images and as
 * textures; an atomic operation adds to a sample.  A line for each case that fails, then how many
 * held.
 *
 * Compute alone: Mesa's r600 compiles no other shader that uses what an image load returns for this
 * chip (docs/conformance.rst).  GL_RENDERER goes to stderr first.  The exit code is 77 where the
 * driver offers too little OpenGL.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 16 * 16 * 6 * 16, TOO_LITTLE = 77 };

static const struct kind {
   const char *name;
   GLenum target;
   int width, height, depth;
   const char *at; /* coordinates from the ivec3 p */
} kinds[] = {
   { "2D", GL_TEXTURE_2D, 16, 9, 1, "p.xy" },
   { "1D", GL_TEXTURE_1D, 16, 1, 1, "p.x" },
   { "1DArray", GL_TEXTURE_1D_ARRAY, 16, 5, 1, "p.xy" },
   { "2DArray", GL_TEXTURE_2D_ARRAY, 13, 8, 5, "p" },
   { "3D", GL_TEXTURE_3D, 16, 7, 6, "p" },
   { "Cube", GL_TEXTURE_CUBE_MAP, 8, 8, 6, "p" },
   { "2DRect", GL_TEXTURE_RECTANGLE, 15, 7, 1, "p.xy" },
   { "Buffer", GL_TEXTURE_BUFFER, 64, 1, 1, "p.x" },
};

static const struct format {
   const char *name; /* in GLSL */
   GLenum internal, format, type;
   unsigned bytes;
   char prefix; /* 0, i or u */
} formats[] = {
   { "rgba32f", GL_RGBA32F, GL_RGBA, GL_FLOAT, 16, 0 },
   { "rgba8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 0 },
   { "r32ui", GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, 'u' },
   { "rg32f", GL_RG32F, GL_RG, GL_FLOAT, 8, 0 },
   { "r32f", GL_R32F, GL_RED, GL_FLOAT, 4, 0 },
   { "rgba16", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, 8, 0 },
   { "rg16", GL_RG16, GL_RG, GL_UNSIGNED_SHORT, 4, 0 },
   { "rg8", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2, 0 },
   { "r16", GL_R16, GL_RED, GL_UNSIGNED_SHORT, 2, 0 },
   { "r8", GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1, 0 },
   { "rgba8_snorm", GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, 4, 0 },
   { "rg8_snorm", GL_RG8_SNORM, GL_RG, GL_BYTE, 2, 0 },
   { "r8_snorm", GL_R8_SNORM, GL_RED, GL_BYTE, 1, 0 },
   { "rgb10_a2", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4, 0 },
   { "rgba32i", GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 16, 'i' },
   { "rgba16i", GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, 8, 'i' },
   { "rgba8i", GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, 4, 'i' },
   { "rg32i", GL_RG32I, GL_RG_INTEGER, GL_INT, 8, 'i' },
   { "rg16i", GL_RG16I, GL_RG_INTEGER, GL_SHORT, 4, 'i' },
   { "rg8i", GL_RG8I, GL_RG_INTEGER, GL_BYTE, 2, 'i' },
   { "r32i", GL_R32I, GL_RED_INTEGER, GL_INT, 4, 'i' },
   { "r16i", GL_R16I, GL_RED_INTEGER, GL_SHORT, 2, 'i' },
   { "r8i", GL_R8I, GL_RED_INTEGER, GL_BYTE, 1, 'i' },
   { "rgba32ui", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16, 'u' },
   { "rgba16ui", GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, 8, 'u' },
   { "rgba8ui", GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, 'u' },
   { "rg32ui", GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 8, 'u' },
   { "rg16ui", GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT, 4, 'u' },
   { "rg8ui", GL_RG8UI, GL_RG_INTEGER, GL_UNSIGNED_BYTE, 2, 'u' },
   { "r16ui", GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT, 2, 'u' },
   { "r8ui", GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 1, 'u' },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds), FORMATS = sizeof(formats) / sizeof(*formats) };
enum { FORMATS_OF_ALL_KINDS = 3 };

/* Bits that name each value of the format in one way: floats of whole numbers, and no -128. */
static void
fill(uint8_t *texels, const struct format *f, unsigned count)
{
   uint32_t noise = f->internal;

   for (unsigned i = 0; i < count * f->bytes; i++) {
      noise = noise * 1664525 + 1013904223;
      texels[i] = (uint8_t)(noise >> 24);
      if (f->type == GL_BYTE && texels[i] == 0x80)
         texels[i] = 0x81;
      if (f->type == GL_FLOAT && i % 4 == 3) {
         float value = (float)((int32_t)noise >> 8);

         memcpy(&texels[i - 3], &value, sizeof(value));
      }
   }
}

/* A texture; `texels` may be NULL. */
static void
make(unsigned texture, unsigned buffer, const struct kind *k, const struct format *f,
     const uint8_t *texels)
{
   glBindTexture(k->target, texture);
   switch (k->target) {
   case GL_TEXTURE_1D:
      glTexImage1D(k->target, 0, (int)f->internal, k->width, 0, f->format, f->type, texels);
      break;
   case GL_TEXTURE_2D_ARRAY:
   case GL_TEXTURE_3D:
      glTexImage3D(k->target, 0, (int)f->internal, k->width, k->height, k->depth, 0, f->format,
                   f->type, texels);
      break;
   case GL_TEXTURE_CUBE_MAP:
      for (unsigned i = 0; i < 6; i++)
         glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, (int)f->internal, k->width, k->height,
                      0, f->format, f->type,
                      texels ? texels + i * (unsigned)(k->width * k->height) * f->bytes : NULL);
      break;
   case GL_TEXTURE_BUFFER:
      glBindBuffer(GL_TEXTURE_BUFFER, buffer);
      glBufferData(GL_TEXTURE_BUFFER, k->width * (int)f->bytes, texels, GL_STATIC_DRAW);
      glTexBuffer(GL_TEXTURE_BUFFER, f->internal, buffer);
      return;
   default:
      glTexImage2D(k->target, 0, (int)f->internal, k->width, k->height, 0, f->format, f->type,
                   texels);
      break;
   }
   glTexParameteri(k->target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
}

static void
read_back(unsigned buffer, const struct kind *k, const struct format *f, uint8_t *texels)
{
   if (k->target == GL_TEXTURE_BUFFER) {
      glBindBuffer(GL_TEXTURE_BUFFER, buffer);
      glGetBufferSubData(GL_TEXTURE_BUFFER, 0, k->width * (int)f->bytes, texels);
   } else if (k->target == GL_TEXTURE_CUBE_MAP) {
      for (unsigned i = 0; i < 6; i++)
         glGetTexImage(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, f->format, f->type,
                       texels + i * (unsigned)(k->width * k->height) * f->bytes);
   } else {
      glGetTexImage(k->target, 0, f->format, f->type, texels);
   }
}

/* Signed normalised values may be a step off: Mesa's r600 has image loads convert them as OpenGL
 * did before 4.2, to (2c + 1) / 255. */
static bool
same(const struct format *f, const uint8_t *one, const uint8_t *other)
{
   if (f->type != GL_BYTE || f->prefix)
      return !memcmp(one, other, f->bytes);
   for (unsigned i = 0; i < f->bytes; i++)
      if (abs((int8_t)one[i] - (int8_t)other[i]) > 1)
         return false;
   return true;
}

static bool
turned(const struct kind *k, const struct format *f)
{
   static uint8_t before[MAX_BYTES], after[MAX_BYTES];
   const unsigned count = (unsigned)(k->width * k->height * k->depth);
   char source[2048], prefix[2] = { f->prefix, 0 };
   const struct offscreen_shader shader = { GL_COMPUTE_SHADER, source };
   unsigned program = glCreateProgram(), textures[2], buffers[2];

   snprintf(source, sizeof(source),
            "#version 430\n"
            "layout(local_size_x = 1) in;\n"
            "layout(%s, binding = 0) readonly uniform %simage%s from;\n"
            "layout(%s, binding = 1) writeonly uniform %simage%s to;\n"
            "uniform ivec3 size;\n"
            "void main() {\n"
            "   ivec3 p = size - 1 - ivec3(gl_WorkGroupID);\n"
            "   %svec4 texel = imageLoad(from, %s);\n"
            "   ivec3 q = p;\n"
            "   p = ivec3(gl_WorkGroupID);\n"
            "   if (imageSize(from) == ivec3(size).%s)\n"
            "      imageStore(to, %s, texel);\n"
            "   p = q + size;\n"
            "   if (imageLoad(from, %s).x != %s) {\n"
            "      p = ivec3(0);\n"
            "      imageStore(to, %s, %svec4(1)); } }\n",
            f->name, prefix, k->name, f->name, prefix, k->name, prefix, k->at,
            /* imageSize() of a cube has no faces. */
            k->depth == 1 || k->target == GL_TEXTURE_CUBE_MAP ? (k->height == 1 ? "x" : "xy")
                                                              : "xyz",
            k->at, k->at,
            f->prefix == 'u' ? "0u"
            : f->prefix      ? "0"
                             : "0.0",
            k->at, prefix);
   offscreen_attach(program, &shader, 1);
   offscreen_link(program);
   memset(after, 0, sizeof(after));
   fill(before, f, count);
   glGenTextures(2, textures);
   glGenBuffers(2, buffers);
   make(textures[0], buffers[0], k, f, before);
   make(textures[1], buffers[1], k, f, after);
   glBindImageTexture(0, textures[0], 0, GL_TRUE, 0, GL_READ_ONLY, f->internal);
   glBindImageTexture(1, textures[1], 0, GL_TRUE, 0, GL_WRITE_ONLY, f->internal);
   glUseProgram(program);
   glUniform3i(glGetUniformLocation(program, "size"), k->width, k->height, k->depth);
   glDispatchCompute((unsigned)k->width, (unsigned)k->height, (unsigned)k->depth);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   read_back(buffers[1], k, f, after);
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteTextures(2, textures);
   glDeleteBuffers(2, buffers);
   for (unsigned i = 0; i < count; i++)
      if (!same(f, after + i * f->bytes, before + (count - 1 - i) * f->bytes))
         return false;
   return true;
}

/* ---- Several samples ---- */

enum { MS_WIDTH = 13, MS_HEIGHT = 7, MS_LAYERS = 3 };

/* What sample s of texel p is: a number of its own, as far as the format tells numbers apart. */
#define NUMBER \
   "uint number(ivec3 p, int s) { return uint(((p.z * 7 + p.y) * 13 + p.x) * SAMPLES + s); }\n"

static const char store_source[] =
   "layout(local_size_x = 1) in;\n"
   "layout(FORMAT, binding = 0) uniform IMAGE one;\n" NUMBER "void main() {\n"
   "   ivec3 p = ivec3(gl_WorkGroupID);\n"
   "   for (int s = 0; s < SAMPLES; s++) imageStore(one, PLACE, s, VALUE(number(p, s)));\n"
   /* What is not there stays away. */
   "   p += ivec3(13, 0, 0); imageStore(one, PLACE, 0, VALUE(77u));\n"
   "   p -= ivec3(27, 0, 0); imageStore(one, PLACE, 0, VALUE(77u));\n"
   "   p = ivec3(0, 7, 0); imageStore(one, PLACE, 0, VALUE(77u));\n"
   "   p = ivec3(0x40000000, 0, 0); imageStore(one, PLACE, 0, VALUE(77u));\n"
   "   p = ivec3(0, 0, 0); imageStore(one, PLACE, SAMPLES, VALUE(77u)); }\n";

static const char load_source[] =
   "layout(local_size_x = 1) in;\n"
   "layout(FORMAT, binding = 0) uniform IMAGE one;\n"
   "layout(binding = 0) uniform SAMPLER two;\n"
   "layout(std430, binding = 0) buffer Wrong { uint wrong; };\n" NUMBER "void main() {\n"
   "   ivec3 p = ivec3(gl_WorkGroupID);\n"
   "   uint bad = 0;\n"
   "   for (int s = 0; s < SAMPLES; s++) {\n"
   "      bad += uint(OTHER(imageLoad(one, PLACE, s), VALUE(number(p, s))));\n"
   "      bad += uint(OTHER(texelFetch(two, PLACE, s), VALUE(number(p, s))));\n"
   "   }\n"
   "   bad += uint(imageSamples(one) != SAMPLES);\n"
   "   bad += uint(imageSize(one) != SIZE);\n"
   "   bad += uint(imageLoad(one, PLACE, SAMPLES).x != VALUE(0u).x);\n"
   "   bad += uint(imageLoad(one, PLACE, -1).x != VALUE(0u).x);\n"
   "   p += ivec3(13, 0, 0);\n"
   "   bad += uint(imageLoad(one, PLACE, 0).x != VALUE(0u).x);\n"
   "   ATOMIC\n"
   "   if (bad != 0) atomicAdd(wrong, bad); }\n";

static unsigned
samples_program(const char *source, const struct format *f, unsigned samples, bool array)
{
   char text[4096];
   const struct offscreen_shader shader = { GL_COMPUTE_SHADER, text };
   unsigned program = glCreateProgram();
   const char prefix[2] = { f->prefix, 0 }, *layers = array ? "Array" : "";

   snprintf(text, sizeof(text),
            "#version 450\n"
            "#define FORMAT %s\n"
            "#define IMAGE %simage2DMS%s\n"
            "#define SAMPLER %ssampler2DMS%s\n"
            "#define SAMPLES %u\n"
            "#define PLACE p%s\n"
            "#define SIZE ivec%s\n"
            "#define VALUE(n) %s\n"
            "#define OTHER(a, b) (%s)\n"
            "#define ATOMIC %s\n%s",
            f->name, prefix, layers, prefix, layers, samples, array ? "" : ".xy",
            array ? "3(13, 7, 3)" : "2(13, 7)",
            f->prefix ? "uvec4(n, 0, 0, 1)"
            : f->type == GL_UNSIGNED_BYTE
               ? "vec4(vec3(uvec3(n, n / 256u, n / 7u) % 256u) / 255.0, 1)"
               : "vec4(n, n + 1u, n * 2u, 0.5)",
            f->prefix ? "a != b" : "any(greaterThan(abs(a - b), vec4(0.001)))",
            f->prefix ? "p = ivec3(gl_WorkGroupID);"
                        "bad += uint(imageAtomicAdd(one, PLACE, 1, 5u) != number(p, 1));"
                        "bad += uint(imageLoad(one, PLACE, 1).x != number(p, 1) + 5u);"
                      : "",
            source);
   offscreen_attach(program, &shader, 1);
   offscreen_link(program);
   return program;
}

static bool
samples_kept(unsigned samples, bool array, const struct format *f)
{
   const GLenum target = array ? GL_TEXTURE_2D_MULTISAMPLE_ARRAY : GL_TEXTURE_2D_MULTISAMPLE;
   const unsigned programs[2] = { samples_program(store_source, f, samples, array),
                                  samples_program(load_source, f, samples, array) };
   unsigned texture, buffer, wrong = 0;

   glGenTextures(1, &texture);
   glGenBuffers(1, &buffer);
   glBindTexture(target, texture);
   if (array)
      glTexImage3DMultisample(target, (int)samples, f->internal, MS_WIDTH, MS_HEIGHT, MS_LAYERS,
                              GL_TRUE);
   else
      glTexImage2DMultisample(target, (int)samples, f->internal, MS_WIDTH, MS_HEIGHT, GL_TRUE);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(wrong), &wrong, GL_STATIC_READ);
   glBindImageTexture(0, texture, 0, array, 0, GL_READ_WRITE, f->internal);
   for (unsigned i = 0; i < 2; i++) {
      glUseProgram(programs[i]);
      glDispatchCompute(MS_WIDTH, MS_HEIGHT, array ? MS_LAYERS : 1);
      glMemoryBarrier(GL_ALL_BARRIER_BITS);
   }
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(wrong), &wrong);
   glUseProgram(0);
   for (unsigned i = 0; i < 2; i++)
      glDeleteProgram(programs[i]);
   glDeleteTextures(1, &texture);
   glDeleteBuffers(1, &buffer);
   return !wrong;
}

/* How many cases of `all` held. */
static unsigned
check_samples(unsigned *all)
{
   int most = 0;
   unsigned held = 0;

   if (offscreen_version() >= 45)
      glGetIntegerv(GL_MAX_IMAGE_SAMPLES, &most);
   for (unsigned samples = 2; samples <= (unsigned)most; samples *= 2) {
      for (unsigned i = 0; i < 2 * FORMATS_OF_ALL_KINDS; i++) {
         const struct format *f = &formats[i / 2];
         const bool good = samples_kept(samples, i % 2, f);

         ++*all;
         held += good;
         if (!good)
            printf("image2DMS%s %s, %u samples: other texels\n", i % 2 ? "Array" : "", f->name,
                   samples);
      }
   }
   return held;
}

/* A buffer with more texels than a texture may have gives as many as it may. */
static bool
texels_bounded(int most)
{
   const char *source =
      "#version 430\n"
      "layout(local_size_x = 1) in;\n"
      "layout(binding = 0) uniform usamplerBuffer texels;\n"
      "layout(r8ui, binding = 0) uniform readonly uimageBuffer image;\n"
      "layout(std430, binding = 0) buffer Sizes { int sizes[2]; };\n"
      "void main() { sizes[0] = textureSize(texels); sizes[1] = imageSize(image); }\n";
   const struct offscreen_shader shader = { GL_COMPUTE_SHADER, source };
   unsigned program = glCreateProgram(), texture, buffers[2];
   int sizes[2] = { 0 };

   offscreen_attach(program, &shader, 1);
   offscreen_link(program);
   glGenTextures(1, &texture);
   glGenBuffers(2, buffers);
   glBindBuffer(GL_TEXTURE_BUFFER, buffers[0]);
   glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)most + 1, NULL, GL_STATIC_DRAW);
   glBindTexture(GL_TEXTURE_BUFFER, texture);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_R8UI, buffers[0]);
   glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R8UI);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers[1]);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(sizes), sizes, GL_STATIC_READ);
   glUseProgram(program);
   glDispatchCompute(1, 1, 1);
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(sizes), sizes);
   glUseProgram(0);
   glDeleteProgram(program);
   glDeleteTextures(1, &texture);
   glDeleteBuffers(2, buffers);
   if (sizes[0] == most && sizes[1] == most)
      return true;
   printf(
      "a buffer of %d texels, of which a texture may have %d: the texture says %d, the image %d\n",
      most + 1, most, sizes[0], sizes[1]);
   return false;
}

int
main(void)
{
   unsigned held = 0, all = 0, error;
   int most = 0;

   if (!offscreen_open())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   if (offscreen_version() < 43) {
      fprintf(stderr, "OpenGL 4.3 is needed, and there is %s\n", glGetString(GL_VERSION));
      return TOO_LITTLE;
   }
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   for (unsigned k = 0; k < KINDS; k++) {
      for (unsigned f = 0; f < (k ? (unsigned)FORMATS_OF_ALL_KINDS : (unsigned)FORMATS); f++) {
         bool good = turned(&kinds[k], &formats[f]);

         all++;
         held += good;
         if (!good)
            printf("image%s %s: other texels\n", kinds[k].name, formats[f].name);
      }
   }
   held += check_samples(&all);
   glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
   /* Stock r600 allows half a gigabyte, and bounds nothing. */
   if (most <= 1 << 27) {
      all++;
      held += texels_bounded(most);
   }
   printf("%u of %u\n", held, all);
   error = glGetError();
   if (error) {
      fprintf(stderr, "GL error 0x%x\n", error);
      return 1;
   }
   offscreen_close();
   return held == all ? 0 : 1;
}
