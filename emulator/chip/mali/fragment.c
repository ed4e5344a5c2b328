/* SPDX-License-Identifier: MIT */
/*
 * RUN_FRAGMENT of tiles without primitives: what is written is the clear values.
 *
 * Rules:
 *  1. A tile that has no primitive is written where the target's "clean write" says so, and its
 *     pixels are the clear values.  Tiles are of 16 x 16 pixels, cut off at the framebuffer's
 *     bounds; the box names the tiles.
 *  2. A clear value is what the tile buffer has of a pixel: the format's bits themselves (raw), or
 *     four fixed-point components from the lowest bits on, with the fraction's bits below.
 *  3. A colour in memory has the components of the write-back format from the lowest bits on; the
 *     swizzle says which of the tile buffer's each one is.
 *  4. U-interleaved surfaces have blocks of 16 x 16 pixels one after the other, row strides count
 *     a row of blocks; bit 2i of a pixel's number in its block is bit i of x xor y, bit 2i + 1
 *     that of y.
 *
 * What asks for more (shaders before or after the frame, compressed layouts) is reported as
 * missing.
 */
#include "chip/mali/mali.h"

#include <stddef.h>
#include <string.h>

#include "memory/vm.h"

#define TILE        16u
#define MAX_TARGETS 8u
#define MAX_PIXEL   16u

#define TARGET(name) mali_field(words, MALI_AT_RENDER_TARGET_##name)
#define ZS(name)     mali_field(words, MALI_AT_ZS_EXTENSION_##name)
#define FRAME(name)  mali_field(words, MALI_AT_FRAMEBUFFER_##name)

struct surface {
   uint64_t base;
   uint32_t row_stride, sample_stride;
   unsigned block, bytes, samples; /* samples: planes that are written */
};

/* ---- Memory ---- */

/* `bytes` at byte `first` of each pixel of the surface. */
struct pixel {
   uint8_t data[MAX_PIXEL];
   unsigned first, bytes;
};

static uint64_t
offset(const struct surface *s, uint32_t x, uint32_t y)
{
   uint32_t in = 0;

   if (s->block == MALI_BLOCK_linear)
      return (uint64_t)y * s->row_stride + (uint64_t)x * s->bytes;
   for (unsigned i = 0; i < 4; i++)
      in |= ((x ^ y) >> i & 1) << 2 * i | (y >> i & 1) << (2 * i + 1);
   return (uint64_t)(y / TILE) * s->row_stride +
          ((uint64_t)(x / TILE) * TILE * TILE + in) * s->bytes;
}

/* Each write costs a unit, first of all. */
static enum mali_result
write_run(const struct mali_env *env, uint64_t address, const void *data, uint32_t bytes)
{
   if (!*env->budget)
      return MALI_EXHAUSTED;
   --*env->budget;
   return vm_write(env->vm, address, data, bytes) == bytes ? MALI_DONE : MALI_UNMAPPED;
}

static enum mali_result
write_tile(const struct mali_env *env, const struct surface *s, uint64_t base,
           const struct pixel *p, const struct mali_box *tile)
{
   uint8_t run[TILE * TILE * MAX_PIXEL];
   const uint32_t width = tile->max_x - tile->min_x + 1, height = tile->max_y - tile->min_y + 1;
   const bool whole = p->bytes == s->bytes, linear = s->block == MALI_BLOCK_linear;
   /* A whole block is one run; all its pixels are the same. */
   const bool block = whole && !linear && width == TILE && height == TILE &&
                      !(tile->min_x % TILE) && !(tile->min_y % TILE);
   const uint32_t pixels = block ? TILE * TILE : whole && linear ? width : 1;
   const uint32_t bytes = pixels * p->bytes;
   enum mali_result result = MALI_DONE;

   for (uint32_t n = 0; n < pixels; n++)
      memcpy(run + n * p->bytes, p->data, p->bytes);
   for (uint32_t y = tile->min_y; y <= tile->max_y && !result; y += block ? TILE : 1)
      for (uint32_t x = tile->min_x; x <= tile->max_x && !result; x += pixels == 1 ? 1 : width)
         result = write_run(env, base + offset(s, x, y) + p->first, run, bytes);
   return result;
}

static uint32_t
least(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

static enum mali_result
fill(const struct mali_env *env, const struct surface *s, const struct pixel *p,
     const struct mali_box *box, const char **what)
{
   enum mali_result result = MALI_DONE;

   for (unsigned sample = 0; sample < s->samples; sample++)
      for (uint32_t y = box->min_y; y <= box->max_y; y += TILE)
         for (uint32_t x = box->min_x; x <= box->max_x && !result; x += TILE) {
            const struct mali_box tile = { x, y, least(x + TILE - 1, box->max_x),
                                           least(y + TILE - 1, box->max_y) };

            result = write_tile(env, s, s->base + (uint64_t)sample * s->sample_stride, p, &tile);
         }
   if (result)
      *what =
         result == MALI_EXHAUSTED ? "the framebuffer takes too long" : "a target is not mapped";
   return result;
}

/* ---- Colours ---- */

/* Bits of components: whole ones, and below them those of a fraction. */
struct layout {
   uint8_t whole[4], fraction[4];
};

static const struct layout internals[64] = {
   [MALI_INTERNAL_r8g8b8a8] = { { 8, 8, 8, 8 }, { 0 } },
   [MALI_INTERNAL_r10g10b10a2] = { { 10, 10, 10, 2 }, { 0 } },
   [MALI_INTERNAL_r8g8b8a2] = { { 8, 8, 8, 2 }, { 2, 2, 2, 0 } },
   [MALI_INTERNAL_r4g4b4a4] = { { 4, 4, 4, 4 }, { 4, 4, 4, 4 } },
   [MALI_INTERNAL_r5g6b5a0] = { { 5, 6, 5, 0 }, { 5, 4, 5, 2 } },
   [MALI_INTERNAL_r5g5b5a1] = { { 5, 5, 5, 1 }, { 5, 5, 5, 1 } },
};

/* Of write-back formats: bits of components, from the lowest in memory on; raw ones have bytes. */
static const struct {
   uint8_t bits[4];
   uint8_t bytes;
   bool raw, reversed; /* reversed: the last component is the lowest */
} formats[32] = {
   [MALI_FORMAT_raw8] = { .bytes = 1, .raw = true },
   [MALI_FORMAT_raw16] = { .bytes = 2, .raw = true },
   [MALI_FORMAT_raw24] = { .bytes = 3, .raw = true },
   [MALI_FORMAT_raw32] = { .bytes = 4, .raw = true },
   [MALI_FORMAT_raw48] = { .bytes = 6, .raw = true },
   [MALI_FORMAT_raw64] = { .bytes = 8, .raw = true },
   [MALI_FORMAT_raw96] = { .bytes = 12, .raw = true },
   [MALI_FORMAT_raw128] = { .bytes = 16, .raw = true },
   [MALI_FORMAT_r8] = { .bits = { 8 }, .bytes = 1 },
   [MALI_FORMAT_r8g8] = { .bits = { 8, 8 }, .bytes = 2 },
   [MALI_FORMAT_r8g8b8] = { .bits = { 8, 8, 8 }, .bytes = 3 },
   [MALI_FORMAT_r8g8b8a8] = { .bits = { 8, 8, 8, 8 }, .bytes = 4 },
   [MALI_FORMAT_r4g4b4a4] = { .bits = { 4, 4, 4, 4 }, .bytes = 2 },
   [MALI_FORMAT_r5g6b5] = { .bits = { 5, 6, 5 }, .bytes = 2 },
   [MALI_FORMAT_r8g8b8_of_a2] = { .bits = { 8, 8, 8 }, .bytes = 3 },
   [MALI_FORMAT_r10g10b10a2] = { .bits = { 10, 10, 10, 2 }, .bytes = 4 },
   [MALI_FORMAT_a2b10g10r10] = { .bits = { 10, 10, 10, 2 }, .bytes = 4, .reversed = true },
   [MALI_FORMAT_r5g5b5a1] = { .bits = { 5, 5, 5, 1 }, .bytes = 2 },
   [MALI_FORMAT_a1b5g5r5] = { .bits = { 5, 5, 5, 1 }, .bytes = 2, .reversed = true },
};

/* Component `n` of a pixel in the tile buffer, without its fraction. */
static uint32_t
component(const struct layout *l, uint32_t pixel, unsigned n)
{
   unsigned start = 0;

   for (unsigned k = 0; k < n; k++)
      start += l->whole[k] + l->fraction[k];
   start += l->fraction[n];
   return l->whole[n] ? pixel >> start & ((1u << l->whole[n]) - 1) : 0;
}

/* The pixel in memory of a clear value.  False: formats that do not go together. */
static bool
convert(const uint32_t *words, struct pixel *p)
{
   const unsigned format = (unsigned)TARGET(format), internal = (unsigned)TARGET(internal);
   const struct layout *l = &internals[internal];
   uint32_t value = 0;
   unsigned at = 0;

   *p = (struct pixel){ .bytes = formats[format].bytes };
   if (formats[format].raw) {
      memcpy(p->data, words + MALI_WORDS_RENDER_TARGET - 4, MAX_PIXEL);
      return internal == MALI_INTERNAL_raw || internal >= MALI_INTERNAL_raw8;
   }
   if (!p->bytes || !l->whole[0])
      return false;
   for (unsigned k = 0; k < 4; k++) {
      const unsigned n = formats[format].reversed ? 3 - k : k;
      const unsigned bits = formats[format].bits[n], from = TARGET(swizzle) >> 3 * n & 7;
      const uint32_t all = bits ? (1u << bits) - 1 : 0;

      if (bits && (from > 5 || (from < 4 && l->whole[from] != bits)))
         return false;
      value |= (from == 5 ? all : from < 4 ? component(l, TARGET(clear_0), from) & all : 0) << at;
      at += bits;
   }
   memcpy(p->data, &value, sizeof(value));
   return true;
}

/* Whether a surface of that layout can be written. */
static const char *
check(const struct surface *s, unsigned msaa)
{
   if (s->block != MALI_BLOCK_linear && s->block != MALI_BLOCK_u_interleaved)
      return "a target's layout is neither linear nor u-interleaved";
   if (msaa == MALI_MSAA_multiple)
      return "a target's samples lie side by side";
   return NULL;
}

static enum mali_result
write_color(const struct mali_env *env, const uint32_t *words, unsigned samples,
            const struct mali_box *box, const char **what)
{
   const unsigned msaa = (unsigned)TARGET(msaa);
   const struct surface s = {
      .base = TARGET(base),
      .row_stride = (uint32_t)TARGET(row_stride),
      .sample_stride = (uint32_t)TARGET(surface_stride),
      .block = (unsigned)TARGET(block),
      .bytes = formats[TARGET(format)].bytes,
      .samples = msaa == MALI_MSAA_layered ? samples : 1,
   };
   struct pixel p;

   if (TARGET(mode) != MALI_WRITEBACK_compat || TARGET(yuv))
      *what = "a target is of AFRC or YUV";
   else if (!TARGET(write) || s.block == MALI_BLOCK_no_write || !TARGET(clean_write))
      return MALI_DONE;
   else if (TARGET(dithered_clear))
      *what = "a clear is dithered";
   else if (!convert(words, &p))
      *what = "a target's formats";
   else
      *what = check(&s, msaa);
   return *what ? MALI_MISSING : fill(env, &s, &p, box, what);
}

/* ---- Depth and stencil ---- */

/* The nearest of numbers that `most` is 1 of. */
static uint32_t
unorm(float z, double most)
{
   return z > 0 ? (uint32_t)((z < 1 ? z : 1) * most + 0.5) : 0;
}

/* The pixel of a depth; its bytes are 0 where there is no such format. */
static struct pixel
depth_pixel(unsigned format, float z)
{
   struct pixel p = { .bytes = 0 };
   const uint32_t d24 = unorm(z, 16777215), d16 = unorm(z, 65535);

   switch (format) {
   case MALI_ZS_FORMAT_d16:
      memcpy(p.data, &d16, p.bytes = 2);
      break;
   case MALI_ZS_FORMAT_d24x8:
   case MALI_ZS_FORMAT_d24s8:
      memcpy(p.data, &d24, p.bytes = 3);
      break;
   case MALI_ZS_FORMAT_d32:
      memcpy(p.data, &z, p.bytes = 4);
      break;
   default:
      break;
   }
   return p;
}

static enum mali_result
write_plane(const struct mali_env *env, const struct surface *s, unsigned msaa,
            const struct pixel *p, const struct mali_box *box, const char **what)
{
   if (s->block == MALI_BLOCK_no_write)
      return MALI_DONE;
   *what = p->bytes ? check(s, msaa) : "a format of depth or stencil";
   return *what ? MALI_MISSING : fill(env, s, p, box, what);
}

/* `frame` is the framebuffer's words, `words` those of its extension. */
static enum mali_result
write_zs(const struct mali_env *env, const uint32_t *frame, const uint32_t *words, unsigned samples,
         const struct mali_box *box, const char **what)
{
   const unsigned format = (unsigned)ZS(format), s_format = (unsigned)ZS(s_format);
   const struct surface zs = {
      .base = ZS(base),
      .row_stride = (uint32_t)ZS(row_stride),
      .sample_stride = (uint32_t)ZS(surface_stride),
      .block = (unsigned)ZS(block),
      .bytes = format == MALI_ZS_FORMAT_d16 ? 2 : 4,
      .samples = ZS(msaa) == MALI_MSAA_layered ? samples : 1,
   };
   const struct surface s = {
      .base = ZS(s_base),
      .row_stride = (uint32_t)ZS(s_row_stride),
      .sample_stride = (uint32_t)ZS(s_surface_stride),
      .block = (unsigned)ZS(s_block),
      .bytes = s_format == MALI_S_FORMAT_x24s8 ? 4 : 1,
      .samples = ZS(s_msaa) == MALI_MSAA_layered ? samples : 1,
   };
   const uint32_t z_bits = (uint32_t)mali_field(frame, MALI_AT_FRAMEBUFFER_z_clear);
   struct pixel stencil = { .bytes = 1 };
   enum mali_result result = MALI_DONE;
   float z;

   if (!ZS(clean_write))
      return MALI_DONE;
   memcpy(&z, &z_bits, sizeof(z));
   stencil.data[0] = (uint8_t)mali_field(frame, MALI_AT_FRAMEBUFFER_s_clear);
   if (mali_field(frame, MALI_AT_FRAMEBUFFER_z_write) && zs.block != MALI_BLOCK_no_write) {
      const struct pixel depth = depth_pixel(format, z);

      result = write_plane(env, &zs, (unsigned)ZS(msaa), &depth, box, what);
   }
   if (result || !mali_field(frame, MALI_AT_FRAMEBUFFER_s_write))
      return result;
   if (format == MALI_ZS_FORMAT_d24s8) {
      stencil.first = 3;
      return write_plane(env, &zs, (unsigned)ZS(msaa), &stencil, box, what);
   }
   if (s_format == MALI_S_FORMAT_x24s8)
      stencil.first = 3;
   else if (s_format != MALI_S_FORMAT_s8)
      stencil.bytes = 0;
   return write_plane(env, &s, (unsigned)ZS(s_msaa), &stencil, box, what);
}

/* ---- Framebuffers ---- */

static bool
read_words(const struct mali_env *env, enum mali_descriptor descriptor, uint64_t address,
           uint32_t *words, unsigned count, const char **what)
{
   if (vm_read(env->vm, address, words, count * 4) != count * 4) {
      *what = "a descriptor of the framebuffer is not mapped";
      return false;
   }
   if (env->trace)
      mali_print(stderr, descriptor, words);
   return true;
}

/* The pixels of the tiles that the box touches, inside of the framebuffer.  False: none. */
static bool
clip(const uint32_t *words, struct mali_box *box)
{
   const uint32_t min_x = (uint32_t)FRAME(min_x), min_y = (uint32_t)FRAME(min_y);
   const uint32_t max_x = least((uint32_t)FRAME(max_x), (uint32_t)FRAME(width));
   const uint32_t max_y = least((uint32_t)FRAME(max_y), (uint32_t)FRAME(height));

   box->min_x &= ~(TILE - 1);
   box->min_y &= ~(TILE - 1);
   box->max_x = least(box->max_x | (TILE - 1), max_x);
   box->max_y = least(box->max_y | (TILE - 1), max_y);
   box->min_x = box->min_x > min_x ? box->min_x : min_x;
   box->min_y = box->min_y > min_y ? box->min_y : min_y;
   return box->min_x <= box->max_x && box->min_y <= box->max_y;
}

enum mali_result
mali_fragment(const struct mali_env *env, uint64_t address, const struct mali_box *box,
              const char **what)
{
   uint32_t words[MALI_WORDS_FRAMEBUFFER], more[MALI_WORDS_RENDER_TARGET];
   uint64_t at = (address & ~UINT64_C(63)) + sizeof(words);
   struct mali_box clipped = *box;
   enum mali_result result = MALI_DONE;
   unsigned samples;

   _Static_assert((int)MALI_WORDS_RENDER_TARGET == MALI_WORDS_ZS_EXTENSION, "one buffer for both");
   *what = NULL;
   if (!read_words(env, MALI_FRAMEBUFFER, address & ~UINT64_C(63), words, MALI_WORDS_FRAMEBUFFER,
                   what))
      return MALI_UNMAPPED;
   if (FRAME(pre_frame_0) | FRAME(pre_frame_1) | FRAME(post_frame)) {
      *what = "a shader before or after the frame";
      return MALI_MISSING;
   }
   if (FRAME(z_preload) | FRAME(s_preload)) {
      *what = "depth or stencil from before the frame";
      return MALI_MISSING;
   }
   if (FRAME(targets) >= MAX_TARGETS || FRAME(downscale)) {
      *what = "so many targets, or downscaling";
      return MALI_MISSING;
   }
   if (!clip(words, &clipped))
      return MALI_DONE;
   samples = 1u << FRAME(samples);
   if (FRAME(has_zs)) {
      if (!read_words(env, MALI_ZS_EXTENSION, at, more, MALI_WORDS_ZS_EXTENSION, what))
         return MALI_UNMAPPED;
      at += sizeof(more);
      result = write_zs(env, words, more, samples, &clipped, what);
   }
   for (unsigned n = 0; n <= FRAME(targets) && !result; n++, at += sizeof(more)) {
      if (!read_words(env, MALI_RENDER_TARGET, at, more, MALI_WORDS_RENDER_TARGET, what))
         return MALI_UNMAPPED;
      result = write_color(env, more, samples, &clipped, what);
   }
   return result;
}
