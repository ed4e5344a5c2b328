/* SPDX-License-Identifier: MIT */
/*
 * Measures texture formats off screen: gl-formats [--seconds S] [FORMAT[/KIND]...], all without a
 * name.
 *
 * Prints one line a measurement, FORMAT/KIND and a rate in processor time of all threads (other
 * load does not change it): Mpix/s of a quad of 800 x 600 pixels over random 512 x 512 texels, the
 * best of the rounds that fit into S seconds (default 0.1).  Kinds:
 *
 *    nearest, bilinear, trilinear   1.6, 1.6 and 0.9 pixels a texel; trilinear is between two
 *                                   levels
 *    random-...                     each pixel at coordinates of its own
 *    upload                         a level 0 and the draw of one pixel that reads it, in texels
 *
 * Formats that the driver does not have are left out.  Integer textures are not filtered.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 800, HEIGHT = 600, TEXELS = 512, LEVELS = 10 };

static double seconds = 0.1;

/* What the command line asks for: FORMAT or FORMAT/KIND. */
static char **wanted;
static int num_wanted;

enum sampler { FLOATS, INTS, UINTS };

/* Uncompressed: texels as they are stored; compressed: bytes of a 4x4 block in `type`. */
static const struct format {
   const char *name;
   GLenum internal, format, type;
   enum sampler sampler;
} formats[] = {
   { "R8", GL_R8, GL_RED, GL_UNSIGNED_BYTE, FLOATS },
   { "R8_SNORM", GL_R8_SNORM, GL_RED, GL_BYTE, FLOATS },
   { "R16", GL_R16, GL_RED, GL_UNSIGNED_SHORT, FLOATS },
   { "R16_SNORM", GL_R16_SNORM, GL_RED, GL_SHORT, FLOATS },
   { "RG8", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, FLOATS },
   { "RG8_SNORM", GL_RG8_SNORM, GL_RG, GL_BYTE, FLOATS },
   { "RG16", GL_RG16, GL_RG, GL_UNSIGNED_SHORT, FLOATS },
   { "RG16_SNORM", GL_RG16_SNORM, GL_RG, GL_SHORT, FLOATS },
   { "R3_G3_B2", GL_R3_G3_B2, GL_RGB, GL_UNSIGNED_BYTE_3_3_2, FLOATS },
   { "RGB565", GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, FLOATS },
   { "RGB8", GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, FLOATS },
   { "RGB8_SNORM", GL_RGB8_SNORM, GL_RGB, GL_BYTE, FLOATS },
   { "RGB16", GL_RGB16, GL_RGB, GL_UNSIGNED_SHORT, FLOATS },
   { "RGBA4", GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, FLOATS },
   { "RGB5_A1", GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, FLOATS },
   { "RGBA8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, FLOATS },
   { "RGBA8_SNORM", GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, FLOATS },
   { "RGB10_A2", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, FLOATS },
   { "RGBA16", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, FLOATS },
   { "RGBA16_SNORM", GL_RGBA16_SNORM, GL_RGBA, GL_SHORT, FLOATS },
   { "SRGB8", GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE, FLOATS },
   { "SRGB8_ALPHA8", GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, FLOATS },
   { "R16F", GL_R16F, GL_RED, GL_HALF_FLOAT, FLOATS },
   { "RG16F", GL_RG16F, GL_RG, GL_HALF_FLOAT, FLOATS },
   { "RGB16F", GL_RGB16F, GL_RGB, GL_HALF_FLOAT, FLOATS },
   { "RGBA16F", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, FLOATS },
   { "R32F", GL_R32F, GL_RED, GL_FLOAT, FLOATS },
   { "RG32F", GL_RG32F, GL_RG, GL_FLOAT, FLOATS },
   { "RGB32F", GL_RGB32F, GL_RGB, GL_FLOAT, FLOATS },
   { "RGBA32F", GL_RGBA32F, GL_RGBA, GL_FLOAT, FLOATS },
   { "R11F_G11F_B10F", GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, FLOATS },
   { "RGB9_E5", GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, FLOATS },
   { "R8I", GL_R8I, GL_RED_INTEGER, GL_BYTE, INTS },
   { "R8UI", GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, UINTS },
   { "R16I", GL_R16I, GL_RED_INTEGER, GL_SHORT, INTS },
   { "R16UI", GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT, UINTS },
   { "R32I", GL_R32I, GL_RED_INTEGER, GL_INT, INTS },
   { "R32UI", GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, UINTS },
   { "RG8UI", GL_RG8UI, GL_RG_INTEGER, GL_UNSIGNED_BYTE, UINTS },
   { "RG16UI", GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT, UINTS },
   { "RG32UI", GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, UINTS },
   { "RGBA8I", GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, INTS },
   { "RGBA8UI", GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, UINTS },
   { "RGB10_A2UI", GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, UINTS },
   { "RGBA16UI", GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, UINTS },
   { "RGBA32UI", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, UINTS },
   { "DEPTH16", GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, FLOATS },
   { "DEPTH24", GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, FLOATS },
   { "DEPTH24_STENCIL8", GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, FLOATS },
   { "DEPTH32F", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, FLOATS },
   { "BC1", GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, 0, 8, FLOATS },
   { "BC1_SRGB", GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT, 0, 8, FLOATS },
   { "BC2", GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, 0, 16, FLOATS },
   { "BC3", GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, 0, 16, FLOATS },
   { "BC3_SRGB", GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT, 0, 16, FLOATS },
   { "BC4", GL_COMPRESSED_RED_RGTC1, 0, 8, FLOATS },
   { "BC4_SNORM", GL_COMPRESSED_SIGNED_RED_RGTC1, 0, 8, FLOATS },
   { "BC5", GL_COMPRESSED_RG_RGTC2, 0, 16, FLOATS },
   { "BC5_SNORM", GL_COMPRESSED_SIGNED_RG_RGTC2, 0, 16, FLOATS },
   { "BC6H", GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT, 0, 16, FLOATS },
   { "BC6H_SIGNED", GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT, 0, 16, FLOATS },
   { "BC7", GL_COMPRESSED_RGBA_BPTC_UNORM, 0, 16, FLOATS },
   { "BC7_SRGB", GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM, 0, 16, FLOATS },
   { "ETC2_RGB8", GL_COMPRESSED_RGB8_ETC2, 0, 8, FLOATS },
   { "ETC2_RGBA8", GL_COMPRESSED_RGBA8_ETC2_EAC, 0, 16, FLOATS },
   { "ETC2_SRGB8", GL_COMPRESSED_SRGB8_ETC2, 0, 8, FLOATS },
   { "EAC_R11", GL_COMPRESSED_R11_EAC, 0, 8, FLOATS },
   { "EAC_RG11", GL_COMPRESSED_RG11_EAC, 0, 16, FLOATS },
};

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

/* A kind may be NULL: any of the format's. */
static bool
is_wanted(const struct format *f, const char *kind)
{
   size_t length = strlen(f->name);

   for (int i = 0; i < num_wanted; i++)
      if (!strncmp(wanted[i], f->name, length) &&
          (!wanted[i][length] ||
           (wanted[i][length] == '/' && (!kind || !strcmp(wanted[i] + length + 1, kind)))))
         return true;
   return num_wanted == 0;
}

static double
processor_seconds(void)
{
   struct timespec t;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Random bytes; of floats those that are none of NaN, infinity or denormal. */
static void
fill(uint8_t *data, size_t bytes, GLenum type)
{
   static unsigned noise = 1;

   for (size_t i = 0; i < bytes; i++) {
      noise = noise * 1664525 + 1013904223;
      data[i] = (uint8_t)(noise >> 24);
      if (type == GL_HALF_FLOAT && i % 2 == 1)
         data[i] = 0x38 | (data[i] & 0x83);
      else if (type == GL_FLOAT && i % 4 == 3)
         data[i] = 0x3f;
      else if (type == GL_FLOAT && i % 4 == 2)
         data[i] &= 0x7f;
      else if (type == GL_UNSIGNED_INT_10F_11F_11F_REV && i % 4 == 3)
         data[i] = 0x70 | (data[i] & 7);
   }
   for (size_t i = 0; i + 4 <= bytes && type == GL_UNSIGNED_INT_10F_11F_11F_REV; i += 4) {
      /* Exponents of 14 in all three channels: 0.5 to 1. */
      uint32_t v;
      memcpy(&v, data + i, 4);
      v = (v & 0x07c1f83fu) | 14u << 6 | 14u << 17 | 14u << 27;
      memcpy(data + i, &v, 4);
   }
}

static void
upload(const struct format *f, int level, const void *data)
{
   int size = TEXELS >> level;

   if (f->format) {
      glTexImage2D(GL_TEXTURE_2D, level, (int)f->internal, size, size, 0, f->format, f->type, data);
   } else {
      int blocks = (size + 3) / 4;
      glCompressedTexImage2D(GL_TEXTURE_2D, level, f->internal, size, size, 0,
                             blocks * blocks * (int)f->type, data);
   }
}

static void
draw(void)
{
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static unsigned
program(enum sampler sampler, bool random)
{
   static const char vertex[] = "#version 130\n"
                                "in vec2 position; out vec2 at; uniform float scale;\n"
                                "void main() { at = position * scale;\n"
                                "              gl_Position = vec4(position, 0.0, 1.0); }\n";
   static const char *const prefix[] = { "", "i", "u" };
   static const char *const result[] = { "t", "vec4(t) * 0.001", "vec4(t) * 0.001" };
   char fragment[1024];

   snprintf(fragment, sizeof(fragment),
            "#version 130\n"
            "in vec2 at; out vec4 colour; uniform %ssampler2D image; uniform float level;\n"
            "void main() {\n"
            "   uint n = uint(gl_FragCoord.x) * 1664525u + uint(gl_FragCoord.y) * 22695477u;\n"
            "   n = (n ^ n >> 15u) * 2246822519u;\n"
            "   vec2 point = vec2(float(n >> 20u), float(n >> 8u & 4095u)) / 4096.0;\n"
            "   %svec4 t = %s;\n"
            "   colour = %s; }\n",
            prefix[sampler], prefix[sampler],
            random ? "textureLod(image, point, level)" : "texture(image, at)", result[sampler]);
   return offscreen_program(vertex, fragment);
}

/* Millions of units a second of processor time. */
static double
rate(double units, void (*run)(const struct format *, const void *), const struct format *f,
     const void *data)
{
   double end = processor_seconds() + seconds, best = 0, took;
   int count = 1;

   run(f, data);
   glFinish();
   do {
      double start = processor_seconds();

      for (int i = 0; i < count; i++)
         run(f, data);
      glFinish();
      took = processor_seconds() - start;
      if (took > 0 && units * count / took > best)
         best = units * count / took;
      if (took < 0.02)
         count *= 2;
   } while (processor_seconds() < end);
   return best * 1e-6;
}

static void
run_draw(const struct format *f, const void *data)
{
   (void)f, (void)data;
   draw();
}

static void
run_upload(const struct format *f, const void *data)
{
   upload(f, 0, data);
   glScissor(0, 0, 1, 1);
   glEnable(GL_SCISSOR_TEST);
   draw();
   glDisable(GL_SCISSOR_TEST);
}

/* One line, if it is wanted. */
static void
report(const struct format *f, const char *kind, const char *unit, double units,
       void (*run)(const struct format *, const void *), const void *data)
{
   if (!is_wanted(f, kind))
      return;
   printf("%s/%s %.3f %s/s\n", f->name, kind, rate(units, run, f, data), unit);
   fflush(stdout);
}

static void
measure(const struct format *f, uint8_t *data, size_t bytes)
{
   static const struct {
      const char *name;
      GLenum min, mag;
      float scale; /* of the texture over half the quad */
   } kinds[] = {
      { "nearest", GL_NEAREST, GL_NEAREST, 0.5f },
      { "bilinear", GL_LINEAR, GL_LINEAR, 0.5f },
      { "trilinear", GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR, 1.1f },
   };
   unsigned texture, count = f->sampler == FLOATS ? 3 : 1;

   fill(data, bytes, f->type);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   for (int level = 0; level < LEVELS; level++)
      upload(f, level, data + level * 64);
   if (glGetError() != GL_NO_ERROR) {
      glDeleteTextures(1, &texture);
      return;
   }
   for (unsigned random = 0; random < 2; random++) {
      unsigned p = program(f->sampler, random);

      glUseProgram(p);
      for (unsigned k = 0; k < count; k++) {
         glUniform1f(glGetUniformLocation(p, "scale"), kinds[k].scale);
         glUniform1f(glGetUniformLocation(p, "level"), k == 2 ? 0.5f : 0.0f);
         glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (int)kinds[k].min);
         glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (int)kinds[k].mag);
         char kind[32];
         snprintf(kind, sizeof(kind), "%s%s", random ? "random-" : "", kinds[k].name);
         report(f, kind, "Mpix", WIDTH * HEIGHT, run_draw, data);
      }
      if (!random) {
         glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
         report(f, "upload", "Mtexel", TEXELS * TEXELS, run_upload, data);
      }
      glDeleteProgram(p);
   }
   glDeleteTextures(1, &texture);
   while (glGetError() != GL_NO_ERROR)
      ;
}

int
main(int argc, char **argv)
{
   static const float corners[] = { -1, -1, 1, -1, -1, 1, 1, 1 };
   const size_t bytes = TEXELS * TEXELS * 16 + LEVELS * 64;
   uint8_t *data = malloc(bytes);
   unsigned buffer;
   int first = 1;

   if (argc > 2 && !strcmp(argv[1], "--seconds")) {
      seconds = strtod(argv[2], NULL);
      first = 3;
   }
   for (int i = first; i < argc; i++) {
      unsigned found = 0;

      wanted = argv + i, num_wanted = 1;
      while (found < FORMATS && !is_wanted(&formats[found], NULL))
         found++;
      if (found == FORMATS) {
         fprintf(stderr, "there is no format '%s'\n", argv[i]);
         return 2;
      }
   }
   wanted = argv + first, num_wanted = argc - first;
   if (!data || !offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_target(WIDTH, HEIGHT);
   glViewport(0, 0, WIDTH, HEIGHT);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   for (unsigned n = 0; n < FORMATS; n++)
      if (is_wanted(&formats[n], NULL))
         measure(&formats[n], data, bytes);
   free(data);
   offscreen_close();
   return 0;
}
