/* SPDX-License-Identifier: MIT */
/*
 * Cube maps in OpenGL ES 2.0: gl-cubes.
 *
 * Every face of cube maps of every format of ES 2.0, with levels that the program uploads and
 * levels that are generated, by every filter: magnified, minified, at a level and between two.
 * Each pixel is compared with what the texels' values say, computed here.  What a filter reads
 * across an edge of a face is left out: seamless cube maps are of ES 3.0.  A line for each case
 * that fails, then how many held.  GL_RENDERER goes to stderr first.
 */
#include "offscreen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 16, LEVELS = 5, TARGET = 64 };

static const struct format {
   const char *name;
   GLenum format, type;
   unsigned bytes;
   uint8_t bits[4]; /* of r, g, b, a; 0: the channel is 0, or 1 if alpha */
   bool luminance;
} formats[] = {
   { "RGBA", GL_RGBA, GL_UNSIGNED_BYTE, 4, { 8, 8, 8, 8 }, false },
   { "RGB", GL_RGB, GL_UNSIGNED_BYTE, 3, { 8, 8, 8, 0 }, false },
   { "RGB 5 6 5", GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2, { 5, 6, 5, 0 }, false },
   { "RGBA 4 4 4 4", GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2, { 4, 4, 4, 4 }, false },
   { "RGBA 5 5 5 1", GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2, { 5, 5, 5, 1 }, false },
   { "luminance", GL_LUMINANCE, GL_UNSIGNED_BYTE, 1, { 8, 0, 0, 0 }, true },
   { "luminance and alpha", GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2, { 8, 0, 0, 8 }, true },
   { "alpha", GL_ALPHA, GL_UNSIGNED_BYTE, 1, { 0, 0, 0, 8 }, false },
};

static const GLenum filters[] = { GL_NEAREST,
                                  GL_LINEAR,
                                  GL_NEAREST_MIPMAP_NEAREST,
                                  GL_LINEAR_MIPMAP_NEAREST,
                                  GL_NEAREST_MIPMAP_LINEAR,
                                  GL_LINEAR_MIPMAP_LINEAR };
static const char *const filter_names[] = { "nearest",
                                            "linear",
                                            "nearest, nearest level",
                                            "linear, nearest level",
                                            "nearest, between levels",
                                            "linear, between levels" };

/* Pixels across a face, and what is added to the level. */
static const struct view {
   unsigned size;
   float bias;
} views[] = { { 16, 0 }, { 64, 0 }, { 8, 0 }, { 4, 0 }, { 16, 1.5f }, { 8, -1 }, { 8, 0.25f } };

enum {
   FORMATS = sizeof(formats) / sizeof(*formats),
   FILTERS = sizeof(filters) / sizeof(*filters),
   VIEWS = sizeof(views) / sizeof(*views),
};

static unsigned direction_at; /* attribute */

/* Values of texels, in 0 to 1. */
static float texels[6][LEVELS][SIZE][SIZE][4];

static void
upload(const struct format *f, bool generate)
{
   static const uint8_t shifts[4][4] = {
      { 11, 5, 0, 0 }, { 12, 8, 4, 0 }, { 11, 6, 1, 0 }, { 0, 0, 0, 0 }
   };
   const unsigned packed = f->type == GL_UNSIGNED_SHORT_5_6_5     ? 0
                           : f->type == GL_UNSIGNED_SHORT_4_4_4_4 ? 1
                           : f->type == GL_UNSIGNED_SHORT_5_5_5_1 ? 2
                                                                  : 3;
   uint32_t noise = 1;

   for (unsigned face = 0; face < 6; face++) {
      for (unsigned l = 0; l < (generate ? 1 : LEVELS); l++) {
         const unsigned size = SIZE >> l;
         uint8_t data[SIZE * SIZE * 4] = { 0 };
         for (unsigned i = 0; i < size * size; i++) {
            float *to = texels[face][l][i / size][i % size];
            unsigned byte = 0, word = 0;
            for (unsigned c = 0; c < 4; c++) {
               noise = noise * 1664525 + 1013904223;
               const unsigned most = (1u << f->bits[c]) - 1, value = (noise >> 20) & most;
               to[c] = f->bits[c] ? (float)value / (float)most : c == 3;
               word |= value << shifts[packed][c];
               if (f->bits[c] && packed == 3)
                  data[i * f->bytes + byte++] = (uint8_t)value;
            }
            if (f->luminance)
               to[1] = to[2] = to[0];
            if (packed < 3) {
               data[i * 2] = (uint8_t)word;
               data[i * 2 + 1] = (uint8_t)(word >> 8);
            }
         }
         glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, (int)l, (int)f->format, (int)size,
                      (int)size, 0, f->format, f->type, data);
      }
   }
   if (!generate)
      return;
   glGenerateMipmap(GL_TEXTURE_CUBE_MAP);
   for (unsigned n = 0; n < 6 * (LEVELS - 1) * SIZE * SIZE * 4; n++) {
      const unsigned c = n % 4, x = n / 4 % SIZE, y = n / 4 / SIZE % SIZE,
                     l = 1 + n / (4 * SIZE * SIZE * 6), face = n / (4 * SIZE * SIZE) % 6;
      if (x < (unsigned)SIZE >> l && y < (unsigned)SIZE >> l)
         texels[face][l][y][x][c] = 0.25f * (texels[face][l - 1][2 * y][2 * x][c] +
                                             texels[face][l - 1][2 * y][2 * x + 1][c] +
                                             texels[face][l - 1][2 * y + 1][2 * x][c] +
                                             texels[face][l - 1][2 * y + 1][2 * x + 1][c]);
   }
}

/* False: the filter reaches over an edge. */
static bool
sample_level(unsigned face, unsigned l, bool linear, float s, float t, float out[4])
{
   const int size = SIZE >> l;
   const float u = s * (float)size - (linear ? 0.5f : 0), v = t * (float)size - (linear ? 0.5f : 0);
   const int x = (int)floorf(u), y = (int)floorf(v);
   const float a = u - (float)x, b = v - (float)y;

   if (!linear) {
      /* Which of two texels has a coordinate on their border, precision decides. */
      if (a < 0.01f || b < 0.01f || a > 0.99f || b > 0.99f)
         return false;
      memcpy(out, texels[face][l][y][x], sizeof(*texels[0][0][0]));
      return true;
   }
   for (unsigned c = 0; c < 4; c++) {
      float sum = 0;
      for (int k = 0; k < 4; k++) {
         const int i = x + k % 2, j = y + k / 2;
         const float weight = (k % 2 ? a : 1 - a) * (k / 2 ? b : 1 - b);
         if (weight < 0.001f)
            continue;
         if (i < 0 || j < 0 || i >= size || j >= size)
            return false;
         sum += weight * texels[face][l][j][i][c];
      }
      out[c] = sum;
   }
   return true;
}

static bool
sample(unsigned face, unsigned filter, bool magnify_linear, float lod, float s, float t,
       float out[4])
{
   float two[2][4];

   if (lod <= 0)
      return sample_level(face, 0, magnify_linear, s, t, out);
   const bool linear = filter % 2;
   if (filter < 2)
      return sample_level(face, 0, linear, s, t, out);
   lod = fminf(lod, LEVELS - 1);
   if (filter < 4) {
      const float rounded = ceilf(lod + 0.5f) - 1;
      if (lod - floorf(lod) == 0.5f)
         return false;
      return sample_level(face, (unsigned)rounded, linear, s, t, out);
   }
   const unsigned l = (unsigned)lod;
   const float part = lod - (float)l;
   if (!sample_level(face, l, linear, s, t, two[0]) ||
       !sample_level(face, l + 1 < LEVELS ? l + 1 : l, linear, s, t, two[1]))
      return false;
   for (unsigned c = 0; c < 4; c++)
      out[c] = two[0][c] * (1 - part) + two[1][c] * part;
   return true;
}

/* The direction of a point of a face; s and t in -1 to 1 (ES 2.0, table 3.21). */
static void
direction(unsigned face, float s, float t, float out[3])
{
   const float all[6][3] = { { 1, -t, -s }, { -1, -t, s }, { s, 1, t },
                             { s, -1, -t }, { s, -t, 1 },  { -s, -t, -1 } };
   memcpy(out, all[face], sizeof(all[face]));
}

/* How many pixels are wrong. */
static unsigned
look(unsigned face, unsigned filter, bool magnify_linear, const struct view *view, float tolerance,
     unsigned *checked)
{
   static uint8_t pixels[TARGET * TARGET][4];
   float vertices[4][4 + 4] = { { 0 } };
   unsigned wrong = 0;

   for (unsigned k = 0; k < 4; k++) {
      vertices[k][0] = k % 2 ? 1 : -1;
      vertices[k][1] = k / 2 ? 1 : -1;
      vertices[k][3] = 1;
      direction(face, vertices[k][0], vertices[k][1], &vertices[k][4]);
      vertices[k][7] = view->bias;
   }
   glViewport(0, 0, (int)view->size, (int)view->size);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(*vertices), vertices[0]);
   glVertexAttribPointer(direction_at, 4, GL_FLOAT, GL_FALSE, sizeof(*vertices), &vertices[0][4]);
   glEnableVertexAttribArray(0);
   glEnableVertexAttribArray(direction_at);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
   glReadPixels(0, 0, (int)view->size, (int)view->size, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   const float lod = log2f((float)SIZE / (float)view->size) + view->bias;
   for (unsigned i = 0; i < view->size * view->size; i++) {
      const float s = ((float)(i % view->size) + 0.5f) / (float)view->size;
      const float t = ((float)(i / view->size) + 0.5f) / (float)view->size;
      float wanted[4];
      bool bad = false;
      if (!sample(face, filter, magnify_linear, lod, s, t, wanted))
         continue;
      ++*checked;
      for (unsigned c = 0; c < 4; c++)
         bad |= fabsf((float)pixels[i][c] - 255 * wanted[c]) > tolerance;
      wrong += bad;
   }
   return wrong;
}

static bool
run(const struct format *f, bool generate, unsigned filter, bool magnify_linear)
{
   bool good = true;
   /* What is generated is rounded to its format, level by level. */
   const float least = (float)(f->bits[0] > 1 ? f->bits[0] : f->bits[3]);
   const float tolerance = generate ? 3 + 255 / exp2f(least) : 2.5f;

   glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, (int)filters[filter]);
   glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER,
                   magnify_linear ? GL_LINEAR : GL_NEAREST);
   for (unsigned v = 0; v < VIEWS; v++) {
      for (unsigned face = 0; face < 6; face++) {
         unsigned checked = 0;
         /* One bit of alpha that is generated is nobody's to say. */
         if (generate && f->bits[3] == 1)
            continue;
         const unsigned wrong = look(face, filter, magnify_linear, &views[v], tolerance, &checked);
         if (!wrong)
            continue;
         printf("%s, %s, %s, magnified %s, face %u, %u pixels and %g: %u of %u are wrong\n",
                f->name, generate ? "generated" : "uploaded", filter_names[filter],
                magnify_linear ? "linear" : "nearest", face, views[v].size, (double)views[v].bias,
                wrong, checked);
         good = false;
      }
   }
   return good;
}

int
main(void)
{
   static const char vertex[] = "attribute vec4 position;\nattribute vec4 direction;\n"
                                "varying vec4 at;\n"
                                "void main() { gl_Position = position; at = direction; }\n";
   static const char fragment[] =
      "precision highp float;\nuniform samplerCube cube;\nvarying vec4 at;\n"
      "void main() { gl_FragColor = textureCube(cube, at.xyz, at.w); }\n";
   unsigned texture, count = 0, held = 0;

   if (!offscreen_open_es())
      return 1;
   fprintf(stderr, "GL_RENDERER: %s\n", glGetString(GL_RENDERER));
   offscreen_color_target(TARGET, TARGET);
   const unsigned program = offscreen_program(vertex, fragment);
   glUseProgram(program);
   direction_at = (unsigned)glGetAttribLocation(program, "direction");
   glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
   glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
   glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
   for (unsigned f = 0; f < FORMATS; f++) {
      for (unsigned generate = 0; generate < 2; generate++) {
         upload(&formats[f], generate);
         for (unsigned filter = 0; filter < FILTERS; filter++) {
            for (unsigned magnify = 0; magnify < 2; magnify++) {
               count++;
               held += run(&formats[f], generate, filter, magnify);
            }
         }
      }
   }
   held -= glGetError() != GL_NO_ERROR;
   offscreen_close();
   printf("%u of %u\n", held, count);
   return held != count;
}
