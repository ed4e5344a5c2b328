/* SPDX-License-Identifier: MIT */
/*
 * RUN_FRAGMENT: tiles begin with the clear values, are drawn to, and are written to memory.
 *
 * Rules:
 *  1. Without draws, a target is written where its "clean write" says so, and its pixels are the
 *     clear values; with draws (frame.h) all of it is.  Tiles are of 16 x 16 pixels, cut off at the
 *     framebuffer's bounds; the box names the tiles.
 *  2. A clear value is what the tile buffer has of a pixel: the format's bits themselves (raw), or
 *     four fixed-point components from the lowest bits on, with the fraction's bits below.
 *  3. A colour in memory has the components of the write-back format from the lowest bits on; the
 *     swizzle says which of the tile buffer's each one is.
 *  4. Surfaces are linear, or u-interleaved (block.h).
 *
 * What asks for more (shaders after the frame, compressed layouts) is reported as missing.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/mali/block.h"
#include "chip/mali/frame.h"
#include "chip/mali/rows.h"
#include "chip/mali/tiler.h"
#include "memory/vm.h"
#include "pass/pass.h"
#include "port/state.h"

#define TILE      16u
#define MAX_PIXEL 16u

#define TARGET(name) mali_field(words, MALI_AT_RENDER_TARGET_##name)
#define ZS(name)     mali_field(words, MALI_AT_ZS_EXTENSION_##name)
#define FRAME(name)  mali_field(words, MALI_AT_FRAMEBUFFER_##name)

struct surface {
   uint64_t base;
   uint32_t row_stride, sample_stride;
   unsigned block, bytes, samples; /* samples: planes that are written */
};

/* ---- Memory ---- */

/* `bytes` at byte `first` of each pixel of the surface: all the same, or what was drawn. */
struct pixel {
   uint8_t data[MAX_PIXEL];
   unsigned first, bytes;
   const struct target *from; /* what was drawn; NULL: all are the same */
   const uint8_t *average;    /* bits of components, of which samples are averaged; or NULL */
};

static uint64_t
offset(const struct surface *s, uint32_t x, uint32_t y)
{
   return s->block == MALI_BLOCK_linear ? (uint64_t)y * s->row_stride + (uint64_t)x * s->bytes
                                        : mali_block_offset(x, y, s->row_stride, s->bytes);
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

/* The components of a pixel of up to 32 bits, averaged over its samples, to nearest. */
static uint32_t
average(const uint8_t *at, unsigned cpp, unsigned log2_samples, const uint8_t bits[4])
{
   uint32_t sums[4] = { 0 }, value = 0;
   unsigned shift = 0;

   for (unsigned n = 0; n < 1u << log2_samples; n++) {
      uint32_t sample = 0;

      memcpy(&sample, at + n * cpp, cpp);
      for (unsigned c = 0; c < 4; c++) {
         sums[c] += bits[c] ? sample & ((1u << bits[c]) - 1) : 0;
         sample >>= bits[c];
      }
   }
   for (unsigned c = 0; c < 4; shift += bits[c++])
      value |= bits[c] ? ((sums[c] + (1u << log2_samples >> 1)) >> log2_samples) << shift : 0;
   return value;
}

/* A pixel's sample; of a surface with one, that of number 0. */
static void
copy_pixel(const struct pixel *p, unsigned sample, uint32_t x, uint32_t y, uint8_t *to)
{
   const uint8_t *at;
   uint32_t mean;

   if (!p->from) {
      memcpy(to, p->data, p->bytes);
      return;
   }
   at = target_pixel(p->from, x, y, 0);
   if (!p->average) {
      memcpy(to, at + sample * p->from->cpp, p->bytes);
      return;
   }
   mean = average(at, p->from->cpp, p->from->log2_samples, p->average);
   memcpy(to, &mean, p->bytes);
}

/* Numbers x and y of pixel n of a block: see rule 4. */
static void
place_in_block(unsigned n, uint32_t *x, uint32_t *y)
{
   *x = *y = 0;
   for (unsigned i = 0; i < 4; i++) {
      *y |= (n >> (2 * i + 1) & 1) << i;
      *x |= (n >> 2 * i & 1) << i;
   }
   *x ^= *y;
}

/* The pixels of a run: of a block, or of a row from (x, y) on. */
static void
gather(const struct pixel *p, unsigned sample, uint32_t x, uint32_t y, bool block, uint32_t pixels,
       uint8_t *run)
{
   for (uint32_t n = 0; n < pixels; n++) {
      uint32_t at_x = n, at_y = 0;

      if (block)
         place_in_block(n, &at_x, &at_y);
      copy_pixel(p, sample, x + at_x, y + at_y, run + n * p->bytes);
   }
}

static enum mali_result
write_tile(const struct mali_env *env, const struct surface *s, unsigned sample,
           const struct pixel *p, const struct mali_box *tile)
{
   const uint64_t base = s->base + (uint64_t)sample * s->sample_stride;
   uint8_t run[TILE * TILE * MAX_PIXEL];
   const uint32_t width = tile->max_x - tile->min_x + 1, height = tile->max_y - tile->min_y + 1;
   const bool whole = p->bytes == s->bytes, linear = s->block == MALI_BLOCK_linear;
   /* A whole block is one run; all its pixels are the same. */
   const bool block = whole && !linear && width == TILE && height == TILE &&
                      !(tile->min_x % TILE) && !(tile->min_y % TILE);
   const uint32_t pixels = block ? TILE * TILE : whole && linear ? width : 1;
   const uint32_t bytes = pixels * p->bytes;
   enum mali_result result = MALI_DONE;

   gather(p, sample, tile->min_x, tile->min_y, block, pixels, run);
   for (uint32_t y = tile->min_y; y <= tile->max_y && !result; y += block ? TILE : 1)
      for (uint32_t x = tile->min_x; x <= tile->max_x && !result; x += pixels == 1 ? 1 : width) {
         if (p->from)
            gather(p, sample, x, y, block, pixels, run);
         result = write_run(env, base + offset(s, x, y) + p->first, run, bytes);
      }
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

            result = write_tile(env, s, sample, p, &tile);
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

/* Where the components of a target that is not raw lie. */
static void
find_channels(const uint32_t *words, struct mali_target *t)
{
   const unsigned format = (unsigned)TARGET(format);
   unsigned at = 0;

   t->numeric = TARGET(srgb) ? NUMERIC_SRGB : NUMERIC_UNORM;
   for (unsigned k = 0; k < 4; k++) {
      const unsigned n = formats[format].reversed ? 3 - k : k;
      const unsigned bits = formats[format].bits[n], from = TARGET(swizzle) >> 3 * n & 7;

      if (bits && from < 4)
         t->channel[from] = (struct cb_channel){
            .bits = (uint8_t)bits,
            .shift = (uint8_t)at,
            .type =
               t->numeric == NUMERIC_SRGB && from < 3 && bits == 8 ? NUMERIC_SRGB : NUMERIC_UNORM,
         };
      at += bits;
   }
}

/* Bits of the components in memory, from the lowest on. */
static void
find_bits(unsigned format, uint8_t bits[4])
{
   for (unsigned k = 0; k < 4; k++)
      bits[k] = formats[format].bits[formats[format].reversed ? 3 - k : k];
}

/* `drawn`: what was drawn, or NULL. */
static enum mali_result
write_color(const struct mali_env *env, const uint32_t *words, unsigned samples,
            const struct mali_box *box, const struct target *drawn, const char **what)
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
   uint8_t bits[4];
   struct pixel p;

   if (TARGET(mode) != MALI_WRITEBACK_compat || TARGET(yuv))
      *what = "a target is of AFRC or YUV";
   else if (!TARGET(write) || s.block == MALI_BLOCK_no_write || !(TARGET(clean_write) || drawn))
      return MALI_DONE;
   else if (TARGET(dithered_clear))
      *what = "a clear is dithered";
   else if (!convert(words, &p))
      *what = "a target's formats";
   else
      *what = check(&s, msaa);
   if (!*what && drawn) {
      p.from = drawn;
      find_bits((unsigned)TARGET(format), bits);
      if (samples > 1 && s.samples == 1)
         p.average = bits;
      if (p.average && (formats[TARGET(format)].raw || TARGET(srgb)))
         *what = "samples are averaged that are raw, or of sRGB";
   }
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

/* `frame` is the framebuffer's words, `words` those of its extension; `drawn` what was drawn, or
 * NULL. */
static enum mali_result
write_zs(const struct mali_env *env, const uint32_t *frame, const uint32_t *words, unsigned samples,
         const struct mali_box *box, const struct mali_frame *drawn, const char **what)
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
   struct pixel stencil = { .bytes = 1, .from = drawn && drawn->s.host ? &drawn->s : NULL };
   enum mali_result result = MALI_DONE;
   float z;

   if (!ZS(clean_write) && !drawn)
      return MALI_DONE;
   memcpy(&z, &z_bits, sizeof(z));
   stencil.data[0] = (uint8_t)mali_field(frame, MALI_AT_FRAMEBUFFER_s_clear);
   if (mali_field(frame, MALI_AT_FRAMEBUFFER_z_write) && zs.block != MALI_BLOCK_no_write) {
      struct pixel depth = depth_pixel(format, z);

      depth.from = drawn && drawn->z.host ? &drawn->z : NULL;
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

/* ---- Frames that are drawn to ---- */

#define ROW_ALIGN   8u                  /* pixels */
#define SPARE_ROWS  8u                  /* of which whole blocks may be touched */
#define FIRST_DRAWN (UINT64_C(1) << 44) /* addresses that no address space has */

/* What RUN_FRAGMENT has read. */
struct job {
   const struct mali_env *env;
   uint32_t words[MALI_WORDS_FRAMEBUFFER];
   uint32_t zs[MALI_WORDS_ZS_EXTENSION];
   uint32_t targets[MALI_TARGETS][MALI_WORDS_RENDER_TARGET];
   struct mali_box box;
   char *text;
};

static enum mali_result
say(const struct job *job, enum mali_result result, const char *what)
{
   snprintf(job->text, MALI_TEXT, "%s", what);
   return result;
}

/* A surface of the tile buffer, all of its samples as the pixel is; false: no memory. */
static bool
begin_surface(struct target *t, const struct mali_frame *frame, unsigned cpp, const uint8_t *pixel,
              unsigned number)
{
   const uint64_t width = (frame->width + ROW_ALIGN - 1) & ~(uint64_t)(ROW_ALIGN - 1);
   const uint64_t row = (width * cpp << frame->log2_samples), rows = frame->height + SPARE_ROWS;

   *t = (struct target){
      .host = aligned_alloc(64, (row * rows + 63) & ~UINT64_C(63)),
      .va = FIRST_DRAWN + ((uint64_t)number << 36),
      .slice_bytes = row * frame->height,
      .row_bytes = (uint32_t)row,
      .width = frame->width,
      .height = frame->height,
      .num_layers = 1,
      .cpp = (uint8_t)cpp,
      .log2_samples = frame->log2_samples,
   };
   if (!t->host)
      return false;
   for (uint64_t n = 0; n < row; n += cpp)
      memcpy(t->host + n, pixel, cpp);
   for (uint64_t n = 1; n < rows; n++)
      memcpy(t->host + n * row, t->host, row);
   return true;
}

static enum mali_result
begin_colors(const struct job *job, struct mali_frame *frame)
{
   for (unsigned n = 0; n <= frame->targets; n++) {
      const uint32_t *words = job->targets[n];
      struct mali_target *t = &frame->target[n];
      struct pixel p;

      if (!TARGET(write) || TARGET(block) == MALI_BLOCK_no_write)
         continue;
      if (TARGET(mode) != MALI_WRITEBACK_compat || TARGET(yuv) || !convert(words, &p) ||
          p.bytes == 3)
         return say(job, MALI_MISSING, "drawing to a target of such a format");
      t->raw = formats[TARGET(format)].raw;
      if (!t->raw)
         find_channels(words, t);
      if (!begin_surface(&t->surface, frame, formats[TARGET(format)].bytes, p.data, n))
         return say(job, MALI_FAULT, "no memory");
   }
   return MALI_DONE;
}

/* The pipeline's format of what memory, or without it the tile buffer, has. */
static unsigned
depth_format(const struct job *job)
{
   static const uint8_t internal[4] = {
      [MALI_Z_INTERNAL_d16] = DEPTH_UNORM16,
      [MALI_Z_INTERNAL_d24] = DEPTH_UNORM24,
      [MALI_Z_INTERNAL_d32] = DEPTH_FLOAT32,
   };
   const uint32_t *words = job->words;
   const bool there = FRAME(has_zs) && mali_field(job->zs, MALI_AT_ZS_EXTENSION_block);

   switch (there ? mali_field(job->zs, MALI_AT_ZS_EXTENSION_format) : MALI_ZS_FORMAT_none) {
   case MALI_ZS_FORMAT_d16:
      return DEPTH_UNORM16;
   case MALI_ZS_FORMAT_d24:
   case MALI_ZS_FORMAT_d24x8:
   case MALI_ZS_FORMAT_d24s8:
      return DEPTH_UNORM24;
   case MALI_ZS_FORMAT_d32:
      return DEPTH_FLOAT32;
   default:
      return internal[FRAME(z_internal)];
   }
}

static enum mali_result
begin_depth(const struct job *job, struct mali_frame *frame)
{
   static const uint8_t as_memory[] = {
      [DEPTH_UNORM16] = MALI_ZS_FORMAT_d16,
      [DEPTH_UNORM24] = MALI_ZS_FORMAT_d24x8,
      [DEPTH_FLOAT32] = MALI_ZS_FORMAT_d32,
   };
   const uint32_t *words = job->words;
   const uint32_t z_bits = (uint32_t)FRAME(z_clear);
   const uint8_t stencil = (uint8_t)FRAME(s_clear);
   struct pixel depth;
   float z;

   frame->z_format = (uint8_t)depth_format(job);
   if (frame->z_format == DEPTH_NONE)
      return say(job, MALI_FAULT, "depth of no format");
   memcpy(&z, &z_bits, sizeof(z));
   depth = depth_pixel(as_memory[frame->z_format], z);
   return begin_surface(&frame->z, frame, frame->z_format == DEPTH_UNORM16 ? 2 : 4, depth.data,
                        MALI_TARGETS) &&
                begin_surface(&frame->s, frame, 1, &stencil, MALI_TARGETS + 1)
             ? MALI_DONE
             : say(job, MALI_FAULT, "no memory");
}

/* Positions in memory count 1/256 of a pixel from its corner. */
static enum mali_result
read_samples(const struct job *job, struct mali_frame *frame)
{
   const uint32_t *words = job->words;
   uint16_t at[SC_MAX_SAMPLES][2];
   const uint64_t bytes = sizeof(at[0]) << frame->log2_samples;

   if (!frame->log2_samples)
      return MALI_DONE;
   if (vm_read(job->env->vm, FRAME(sample_locations), at, bytes) != bytes)
      return say(job, MALI_UNMAPPED, "positions of samples are not mapped");
   for (unsigned n = 0; n < 1u << frame->log2_samples; n++) {
      const int x = (at[n][0] & 0xff) / 16 - 8, y = (at[n][1] & 0xff) / 16 - 8;

      frame->sample_x[n] = (int8_t)x;
      frame->sample_y[n] = (int8_t)y;
   }
   return MALI_DONE;
}

#define FRAME_BYTES (UINT64_C(1) << 30)

/* Of the tile buffer for the whole of a frame. */
static uint64_t
frame_bytes(const struct job *job, const struct mali_frame *frame)
{
   uint64_t pixel = 4 + 1; /* depth and stencil */

   for (unsigned n = 0; n <= frame->targets; n++)
      pixel += formats[mali_field(job->targets[n], MALI_AT_RENDER_TARGET_format)].bytes;
   return (uint64_t)(frame->width + ROW_ALIGN) * (frame->height + SPARE_ROWS) * pixel
          << frame->log2_samples;
}

#define UNIT_BYTES 4096u

/* What the tile buffer costs of the budget. */
static enum mali_result
pay(const struct job *job, const struct mali_frame *frame)
{
   const uint64_t units = frame_bytes(job, frame) / UNIT_BYTES;

   if (*job->env->budget < units)
      return say(job, MALI_EXHAUSTED, "the framebuffer takes too long");
   *job->env->budget -= units;
   return MALI_DONE;
}

static enum mali_result
begin_frame(const struct job *job, struct mali_frame *frame)
{
   const uint32_t *words = job->words;
   enum mali_result result;

   *frame = (struct mali_frame){
      .env = job->env,
      .width = (uint32_t)FRAME(width) + 1,
      .height = (uint32_t)FRAME(height) + 1,
      .log2_samples = (uint8_t)FRAME(samples),
      .point_origin_max_y = FRAME(point_origin_max_y),
      .box = job->box,
      .targets = (unsigned)FRAME(targets),
   };
   if (frame->log2_samples > 3)
      return say(job, MALI_MISSING, "more than eight samples");
   if (frame->width > TARGET_EXTENT_MAX || frame->height > TARGET_EXTENT_MAX ||
       frame_bytes(job, frame) > FRAME_BYTES)
      return say(job, MALI_MISSING, "a frame of so many pixels");
   result = pay(job, frame);
   if (!result)
      result = read_samples(job, frame);
   if (!result)
      result = begin_colors(job, frame);
   return result ? result : begin_depth(job, frame);
}

static void
end_frame(struct mali_frame *frame)
{
   for (unsigned n = 0; n < MALI_TARGETS; n++)
      free(frame->target[n].surface.host);
   free(frame->z.host);
   free(frame->s.host);
}

#define DRAW(name) mali_field(draw, MALI_AT_DRAW_##name)

/* A program that runs before the frame, and draws all of it. */
static enum mali_result
run_shader(const struct job *job, const struct mali_frame *frame, uint64_t address)
{
   uint32_t draw[MALI_WORDS_DRAW];
   struct mali_draw d;

   if (vm_read(job->env->vm, address, draw, sizeof(draw)) != sizeof(draw))
      return say(job, MALI_UNMAPPED, "a draw before the frame is not mapped");
   if (job->env->trace)
      mali_print(stderr, MALI_DRAW, draw);
   d = (struct mali_draw){
      .fragment = { DRAW(resources), DRAW(uniform_address) | DRAW(uniforms) << 56, DRAW(program),
                    DRAW(storage) },
      .min_z = (uint32_t)DRAW(min_z),
      .max_z = (uint32_t)DRAW(max_z),
      .blends = DRAW(blends),
      .depth_stencil = DRAW(depth_stencil),
      .flags = { (uint32_t)DRAW(flags), (uint32_t)DRAW(masks) },
   };
   return mali_render_whole(frame, &d, job->text);
}

static enum mali_result
draw_frame(const struct job *job, const struct mali_frame *frame, const struct mali_list *list)
{
   const uint32_t *words = job->words;
   const uint64_t modes[2] = { FRAME(pre_frame_0), FRAME(pre_frame_1) };
   enum mali_result result = MALI_DONE;

   for (unsigned n = 0; n < 2 && !result; n++)
      if (modes[n] != MALI_FRAME_SHADER_never)
         result = run_shader(job, frame, FRAME(frame_shaders) + n * MALI_WORDS_DRAW * 4);
   for (uint32_t n = 0; list && n < list->count && !result; n++)
      result = mali_render(frame, &list->draws[n], job->text);
   return result;
}

/* A unit of the budget is so many cycles of shaders. */
#define CYCLES 1024u

static enum mali_result
run_draws(const struct job *job, const struct mali_frame *frame, const struct mali_list *list)
{
   struct gfx *gfx = job->env->gfx;
   const uint64_t budget = *job->env->budget, before = gfx_counters(gfx)->cycles;
   const struct gfx_limits limits = {
      .cycles = budget < UINT64_MAX / 2 / CYCLES ? budget * CYCLES + 1 : 0,
   };
   enum mali_result result;
   uint64_t units;

   if (job->env->rows)
      mali_rows_begin(job->env->rows);
   gfx_begin(gfx, &limits);
   result = draw_frame(job, frame, list);
   gfx_flush(gfx);
   gfx_end(gfx);
   /* Copies of textures have come off it, too. */
   units = (gfx_counters(gfx)->cycles - before) / CYCLES;
   *job->env->budget -= units < *job->env->budget ? units : *job->env->budget;
   if (!result && gfx_was_cut(gfx)) {
      snprintf(job->text, MALI_TEXT, "%s", gfx_was_cut(gfx));
      result = MALI_EXHAUSTED;
   }
   return result;
}

/* ---- RUN_FRAGMENT ---- */

static enum mali_result
read_job(struct job *job, uint64_t address)
{
   uint32_t *words = job->words;
   uint64_t at = (address & ~UINT64_C(63)) + sizeof(job->words);
   const char *what = NULL;

   if (!read_words(job->env, MALI_FRAMEBUFFER, address & ~UINT64_C(63), words,
                   MALI_WORDS_FRAMEBUFFER, &what))
      return say(job, MALI_UNMAPPED, what);
   if (FRAME(post_frame))
      return say(job, MALI_MISSING, "a shader after the frame");
   if (FRAME(z_preload) | FRAME(s_preload))
      return say(job, MALI_MISSING, "depth or stencil from before the frame");
   if (FRAME(targets) >= MALI_TARGETS || FRAME(downscale))
      return say(job, MALI_MISSING, "so many targets, or downscaling");
   if (FRAME(has_zs)) {
      if (!read_words(job->env, MALI_ZS_EXTENSION, at, job->zs, MALI_WORDS_ZS_EXTENSION, &what))
         return say(job, MALI_UNMAPPED, what);
      at += sizeof(job->zs);
   }
   for (unsigned n = 0; n <= FRAME(targets); n++, at += sizeof(job->targets[0]))
      if (!read_words(job->env, MALI_RENDER_TARGET, at, job->targets[n], MALI_WORDS_RENDER_TARGET,
                      &what))
         return say(job, MALI_UNMAPPED, what);
   return MALI_DONE;
}

/* `drawn`: NULL, where there was nothing to draw. */
static enum mali_result
write_frame(const struct job *job, const struct mali_frame *drawn)
{
   const uint32_t *words = job->words;
   const unsigned samples = 1u << FRAME(samples);
   enum mali_result result = MALI_DONE;
   const char *what = NULL;

   if (FRAME(has_zs))
      result = write_zs(job->env, words, job->zs, samples, &job->box, drawn, &what);
   for (unsigned n = 0; n <= FRAME(targets) && !result; n++) {
      const struct target *surface = drawn ? &drawn->target[n].surface : NULL;

      result = write_color(job->env, job->targets[n], samples, &job->box,
                           surface && surface->host ? surface : NULL, &what);
   }
   return result ? say(job, result, what) : result;
}

static enum mali_result
render(const struct job *job, const struct mali_list *list)
{
   struct mali_frame *frame = malloc(sizeof(*frame));
   enum mali_result result;

   if (!frame || !job->env->gfx) {
      free(frame);
      return say(job, MALI_FAULT, "nothing can be drawn");
   }
   result = begin_frame(job, frame);
   if (!result)
      result = run_draws(job, frame, list);
   if (!result)
      result = write_frame(job, frame);
   end_frame(frame);
   free(frame);
   return result;
}

enum mali_result
mali_fragment(const struct mali_env *env, uint64_t address, const struct mali_box *box,
              char text[MALI_TEXT])
{
   struct job job = { .env = env, .box = *box, .text = text };
   const uint32_t *words = job.words;
   const struct mali_list *list = NULL;
   const char *what = NULL;
   enum mali_result result = read_job(&job, address);

   if (result)
      return result;
   if (!clip(words, &job.box))
      return MALI_DONE;
   result = mali_find_list(env, FRAME(tiler), &list, &what);
   if (result)
      return say(&job, result, what);
   return FRAME(pre_frame_0) | FRAME(pre_frame_1) || (list && list->count)
             ? render(&job, list)
             : write_frame(&job, NULL);
}
