/* SPDX-License-Identifier: MIT */
/*
 * Stencil as texels, of all levels and layers: gl-stencils.  Exit code 0, and the number of cases,
 * if all is right; otherwise each case that failed is on stderr.
 *
 * Every level and layer of a texture with stencil is filled, by the processor or by clears, each
 * with texels of its own.  They are looked up with every range of levels, by numbers and by
 * coordinates, through views of the texture, as depth between two lookups as stencil, and after
 * copies and blits between levels.
 */
#include "offscreen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 37, HEIGHT = 21, LEVELS = 6, LAYERS = 12, SCREEN = 64, TOO_LITTLE = 77 };

static const struct kind {
   const char *name, *sampler;
   GLenum target;
   int width, height, layers;
   const char *fetch;  /* of texel ivec2 p in `layer` of `level` */
   const char *sample; /* the same, with `at`, its coordinates in 0..1 */
} kinds[] = {
   { "2D", "usampler2D", GL_TEXTURE_2D, WIDTH, HEIGHT, 1, "texelFetch(s, p, level)",
     "textureLod(s, at, float(level))" },
   { "large 2D", "usampler2D", GL_TEXTURE_2D, 333, 130, 1, "texelFetch(s, p, level)",
     "textureLod(s, at, float(level))" },
   { "1D", "usampler1D", GL_TEXTURE_1D, 32, 1, 1, "texelFetch(s, p.x, level)",
     "textureLod(s, at.x, float(level))" },
   { "2D array", "usampler2DArray", GL_TEXTURE_2D_ARRAY, WIDTH, HEIGHT, 5,
     "texelFetch(s, ivec3(p, layer), level)", "textureLod(s, vec3(at, layer), float(level))" },
   { "1D array", "usampler1DArray", GL_TEXTURE_1D_ARRAY, WIDTH, 1, 5,
     "texelFetch(s, ivec2(p.x, layer), level)", "textureLod(s, vec2(at.x, layer), float(level))" },
   { "cube", "usamplerCube", GL_TEXTURE_CUBE_MAP, 32, 32, 6, NULL,
     "textureLod(s, direction(at, layer), float(level))" },
   { "cube array", "usamplerCubeArray", GL_TEXTURE_CUBE_MAP_ARRAY, 32, 32, 12, NULL,
     "textureLod(s, vec4(direction(at, layer % 6), layer / 6), float(level))" },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static const struct format {
   const char *name;
   GLenum internal, format, type, attachment;
   unsigned bytes, stencil_at;
} formats[] = {
   { "depth 24 stencil 8", GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8,
     GL_DEPTH_STENCIL_ATTACHMENT, 4, 0 },
   { "depth 32F stencil 8", GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL,
     GL_FLOAT_32_UNSIGNED_INT_24_8_REV, GL_DEPTH_STENCIL_ATTACHMENT, 8, 4 },
   { "stencil 8", GL_STENCIL_INDEX8, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, GL_STENCIL_ATTACHMENT, 1,
     0 },
};

enum { FORMATS = sizeof(formats) / sizeof(*formats) };

static unsigned cases, failed;
static unsigned programs[KINDS][2][2];

static int
level_size(int size, int level)
{
   return size >> level > 1 ? size >> level : 1;
}

static uint8_t
texel_of(int level, int layer, int x, int y)
{
   return (uint8_t)(level * 41 + layer * 13 + x * 3 + y * 7 + 5);
}

/* Depth of all texels of a level and layer, in 1/256. */
static uint8_t
depth_of(int level, int layer)
{
   return (uint8_t)(level * 16 + layer + 3);
}

static uint8_t
cleared(int level, int layer)
{
   return (uint8_t)(level * 41 + layer * 13 + 9);
}

static void
judge(bool good, const struct kind *k, const struct format *f, const char *what)
{
   cases++;
   if (good)
      return;
   if (failed++ < 60)
      fprintf(stderr, "%s, %s: %s\n", k->name, f->name, what);
}

/* ---- Filling ---- */

static unsigned
make(const struct kind *k, const struct format *f)
{
   unsigned texture;

   glGenTextures(1, &texture);
   glBindTexture(k->target, texture);
   if (k->target == GL_TEXTURE_1D)
      glTexStorage1D(k->target, LEVELS, f->internal, k->width);
   else if (k->target == GL_TEXTURE_1D_ARRAY)
      glTexStorage2D(k->target, LEVELS, f->internal, k->width, k->layers);
   else if (k->target == GL_TEXTURE_2D || k->target == GL_TEXTURE_CUBE_MAP)
      glTexStorage2D(k->target, LEVELS, f->internal, k->width, k->height);
   else
      glTexStorage3D(k->target, LEVELS, f->internal, k->width, k->height, k->layers);
   glTexParameteri(k->target, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
   glTexParameteri(k->target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   if (f->format == GL_DEPTH_STENCIL)
      glTexParameteri(k->target, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
   return texture;
}

static void
fill(const struct kind *k, const struct format *f)
{
   static uint8_t texels[512 * 512 * 8];

   for (int level = 0; level < LEVELS; level++) {
      const int w = level_size(k->width, level), h = level_size(k->height, level);
      for (int layer = 0; layer < k->layers; layer++) {
         const float depth = ((float)depth_of(level, layer) + 0.25f) / 256.0f;
         for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++) {
               uint8_t *texel = texels + (size_t)(y * w + x) * f->bytes;
               if (f->bytes == 4)
                  memcpy(texel, &(uint32_t){ (uint32_t)(depth * 0xffffff) << 8 }, 4);
               else if (f->bytes == 8)
                  memcpy(texel, &depth, 4);
               texel[f->stencil_at] = texel_of(level, layer, x, y);
            }
         }
         glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
         switch (k->target) {
         case GL_TEXTURE_1D:
            glTexSubImage1D(k->target, level, 0, w, f->format, f->type, texels);
            break;
         case GL_TEXTURE_1D_ARRAY:
            glTexSubImage2D(k->target, level, 0, layer, w, 1, f->format, f->type, texels);
            break;
         case GL_TEXTURE_2D:
            glTexSubImage2D(k->target, level, 0, 0, w, h, f->format, f->type, texels);
            break;
         case GL_TEXTURE_CUBE_MAP:
            glTexSubImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (unsigned)layer, level, 0, 0, w, h,
                            f->format, f->type, texels);
            break;
         default:
            glTexSubImage3D(k->target, level, 0, 0, layer, w, h, 1, f->format, f->type, texels);
            break;
         }
      }
   }
}

static void
attach(const struct kind *k, const struct format *f, GLenum where, unsigned texture, int level,
       int layer)
{
   if (k->target == GL_TEXTURE_1D)
      glFramebufferTexture1D(where, f->attachment, k->target, texture, level);
   else if (k->layers > 1)
      glFramebufferTextureLayer(where, f->attachment, texture, level, layer);
   else
      glFramebufferTexture(where, f->attachment, texture, level);
}

/* By clears of each level and layer; false: it cannot be a target. */
static bool
clear_all(const struct kind *k, const struct format *f, unsigned texture)
{
   unsigned framebuffer;
   int before;
   bool good = true;

   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   for (int level = 0; level < LEVELS && good; level++) {
      for (int layer = 0; layer < k->layers && good; layer++) {
         const int value = cleared(level, layer);
         attach(k, f, GL_FRAMEBUFFER, texture, level, layer);
         glDrawBuffer(GL_NONE);
         good = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
         if (good)
            glClearBufferiv(GL_STENCIL, 0, &value);
      }
   }
   glBindFramebuffer(GL_FRAMEBUFFER, (unsigned)before);
   glDeleteFramebuffers(1, &framebuffer);
   return good;
}

/* ---- Looking ---- */

static unsigned
program_of(const struct kind *k, bool fetch, bool depth)
{
   char source[2048];

   snprintf(source, sizeof(source),
            "#version 440\n"
            "uniform %s s; uniform int level, layer; uniform vec2 size; out vec4 colour;\n"
            "vec3 direction(vec2 at, int face) {\n"
            "   vec2 a = at * 2.0 - 1.0;\n"
            "   return face == 0 ? vec3(1, -a.y, -a.x) : face == 1 ? vec3(-1, -a.y, a.x)\n"
            "        : face == 2 ? vec3(a.x, 1, a.y) : face == 3 ? vec3(a.x, -1, -a.y)\n"
            "        : face == 4 ? vec3(a.x, -a.y, 1) : vec3(-a.x, -a.y, -1); }\n"
            "void main() { ivec2 p = ivec2(gl_FragCoord.xy); vec2 at = gl_FragCoord.xy / size;\n"
            "              colour = vec4(%s(%s.x%s) / 255.0, 0, 0, 1); }\n",
            k->sampler + depth, depth ? "floor" : "float", fetch ? k->fetch : k->sample,
            depth ? " * 256.0" : "");
   return offscreen_program("#version 440\n"
                            "void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID "
                            ">> 1) * 4.0 - 1.0, 0.0, 1.0); }\n",
                            source);
}

/* What texels are to be. */
enum contents { FILLED, CLEARED, DEPTH };

/* Whether lookups of `level` and `layer` of what is bound find the texels of these of the texture,
 * at most SCREEN by SCREEN. */
static bool
right(const struct kind *k, bool fetch, int level, int layer, int real_level, int real_layer,
      enum contents contents)
{
   static uint8_t pixels[SCREEN][SCREEN];
   const int w = level_size(k->width, real_level), h = level_size(k->height, real_level);
   const int shown_w = w < SCREEN ? w : SCREEN, shown_h = h < SCREEN ? h : SCREEN;
   unsigned *program = &programs[k - kinds][fetch][contents == DEPTH];

   if (!*program)
      *program = program_of(k, fetch, contents == DEPTH);
   glUseProgram(*program);
   glUniform1i(glGetUniformLocation(*program, "level"), level);
   glUniform1i(glGetUniformLocation(*program, "layer"), layer);
   glUniform2f(glGetUniformLocation(*program, "size"), (float)w, (float)h);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glPixelStorei(GL_PACK_ALIGNMENT, 1);
   glPixelStorei(GL_PACK_ROW_LENGTH, SCREEN);
   glReadPixels(0, 0, shown_w, shown_h, GL_RED, GL_UNSIGNED_BYTE, pixels);
   glPixelStorei(GL_PACK_ROW_LENGTH, 0);
   for (int y = 0; y < shown_h; y++) {
      for (int x = 0; x < shown_w; x++) {
         const uint8_t want = contents == CLEARED ? cleared(real_level, real_layer)
                              : contents == DEPTH ? depth_of(real_level, real_layer)
                                                  : texel_of(real_level, real_layer, x, y);
         if (pixels[y][x] != want)
            return false;
      }
   }
   return true;
}

static void
check_levels(const struct kind *k, const struct format *f, enum contents contents, const char *how)
{
   char what[128];

   for (int base = 0; base < LEVELS; base++) {
      for (int last = base; last < LEVELS; last++) {
         glTexParameteri(k->target, GL_TEXTURE_BASE_LEVEL, base);
         glTexParameteri(k->target, GL_TEXTURE_MAX_LEVEL, last);
         for (int level = base; level <= last; level++) {
            for (int layer = 0; layer<k->layers; layer += k->layers> 6 ? 5 : 1) {
               for (int fetch = k->fetch ? 0 : 1; fetch < 2; fetch++) {
                  snprintf(what, sizeof(what), "%s, levels %d to %d: %s of level %d, layer %d", how,
                           base, last, k->fetch && !fetch ? "fetches" : "samples", level, layer);
                  judge(right(k, k->fetch && !fetch, level - base, layer, level, layer, contents),
                        k, f, what);
               }
            }
         }
      }
   }
   glTexParameteri(k->target, GL_TEXTURE_BASE_LEVEL, 0);
   glTexParameteri(k->target, GL_TEXTURE_MAX_LEVEL, 1000);
}

static void
check_views(const struct kind *k, const struct format *f, unsigned texture)
{
   char what[128];

   for (int first = 0; first < LEVELS; first += 2) {
      const bool cube = k->target == GL_TEXTURE_CUBE_MAP;
      const int layer = cube || k->layers == 1 ? 0 : k->layers == 12 ? 6 : 2;
      const int layers = cube ? 6 : k->layers == 1 ? 1 : k->layers == 12 ? 6 : 2;
      unsigned view;
      glGenTextures(1, &view);
      glTextureView(view, k->target, texture, f->internal, (unsigned)first,
                    (unsigned)(LEVELS - first), (unsigned)layer, (unsigned)layers);
      glBindTexture(k->target, view);
      glTexParameteri(k->target, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
      glTexParameteri(k->target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
      if (f->format == GL_DEPTH_STENCIL)
         glTexParameteri(k->target, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
      for (int base = 0; base < LEVELS - first; base++) {
         glTexParameteri(k->target, GL_TEXTURE_BASE_LEVEL, base);
         for (int level = base; level < LEVELS - first; level++) {
            for (int l = 0; l < layers; l++) {
               snprintf(what, sizeof(what), "a view from level %d, layer %d on, base %d: level %d",
                        first, layer, base, level);
               judge(right(k, k->fetch != NULL, level - base, l, first + level, layer + l, FILLED),
                     k, f, what);
            }
         }
      }
      glBindTexture(k->target, texture);
      glDeleteTextures(1, &view);
   }
}

/* Each level to the same level of another texture, by copies and by blits. */
static void
check_copies(const struct kind *k, const struct format *f, unsigned texture)
{
   unsigned framebuffers[2], other;
   int before;

   for (unsigned by_blit = 0; by_blit < 2; by_blit++) {
      bool whole = true;
      other = make(k, f);
      glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
      glGenFramebuffers(2, framebuffers);
      for (int level = 0; level < LEVELS; level++) {
         const int w = level_size(k->width, level), h = level_size(k->height, level);
         if (!by_blit) {
            glCopyImageSubData(texture, k->target, level, 0, 0, 0, other, k->target, level, 0, 0, 0,
                               w, h, k->layers);
            continue;
         }
         for (int layer = 0; layer < k->layers; layer++) {
            for (unsigned i = 0; i < 2; i++) {
               glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[i]);
               attach(k, f, GL_FRAMEBUFFER, i ? other : texture, level, layer);
               glDrawBuffer(GL_NONE);
               glReadBuffer(GL_NONE);
            }
            glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
            glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_STENCIL_BUFFER_BIT, GL_NEAREST);
         }
      }
      glBindFramebuffer(GL_FRAMEBUFFER, (unsigned)before);
      glDeleteFramebuffers(2, framebuffers);
      for (int level = 0; level < LEVELS; level++)
         for (int layer = 0; layer < k->layers; layer++)
            whole &= right(k, k->fetch != NULL, level, layer, level, layer, FILLED);
      judge(whole, k, f, by_blit ? "blits" : "copies");
      glDeleteTextures(1, &other);
      glBindTexture(k->target, texture);
   }
}

/* What the processor reads of each level, as stencil of a framebuffer. */
static void
check_reads(const struct kind *k, const struct format *f, unsigned texture)
{
   static uint8_t pixels[512 * 512];
   unsigned framebuffer;
   int before;
   bool good = true;

   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &before);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   for (int level = 0; level < LEVELS; level++) {
      const int w = level_size(k->width, level), h = level_size(k->height, level);
      for (int layer = 0; layer < k->layers; layer++) {
         attach(k, f, GL_FRAMEBUFFER, texture, level, layer);
         glDrawBuffer(GL_NONE);
         glReadBuffer(GL_NONE);
         glPixelStorei(GL_PACK_ALIGNMENT, 1);
         glReadPixels(0, 0, w, h, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, pixels);
         for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
               good &= pixels[y * w + x] == texel_of(level, layer, x, y);
      }
   }
   glBindFramebuffer(GL_FRAMEBUFFER, (unsigned)before);
   glDeleteFramebuffers(1, &framebuffer);
   judge(good, k, f, "reads by the processor");
}

static void
check(const struct kind *k, const struct format *f)
{
   unsigned texture = make(k, f);

   fill(k, f);
   check_levels(k, f, FILLED, "filled");
   if (f->format == GL_DEPTH_STENCIL) {
      glTexParameteri(k->target, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_DEPTH_COMPONENT);
      check_levels(k, f, DEPTH, "as depth");
      glTexParameteri(k->target, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
   }
   check_views(k, f, texture);
   check_copies(k, f, texture);
   check_reads(k, f, texture);
   if (clear_all(k, f, texture))
      check_levels(k, f, CLEARED, "cleared");
   /* Levels that change after they were looked up. */
   fill(k, f);
   check_levels(k, f, FILLED, "filled again");
   glDeleteTextures(1, &texture);
}

int
main(void)
{
   if (!offscreen_open())
      return 1;
   printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
   fflush(stdout);
   if (offscreen_version() < 44) {
      fprintf(stderr, "OpenGL 4.4 is needed, and there is %s\n", glGetString(GL_VERSION));
      return TOO_LITTLE;
   }
   offscreen_target(SCREEN, SCREEN);
   for (unsigned k = 0; k < KINDS; k++)
      for (unsigned f = 0; f < FORMATS; f++)
         check(&kinds[k], &formats[f]);
   if (glGetError() != GL_NO_ERROR) {
      fprintf(stderr, "an error\n");
      failed++;
   }
   offscreen_close();
   printf("%u\n", cases);
   return failed ? 1 : 0;
}
