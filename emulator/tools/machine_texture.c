/* SPDX-License-Identifier: MIT */
/*
 * See machine_texture.h.  Textures are linear; an image is a texture of one level that a target
 * points to.
 */
#include "machine_texture.h"

#include <stdlib.h>
#include <string.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "cb/cb.h"
#include "chip/chip.h"
#include "compiler/cayman/cayman_compile.h"
#include "memory/arena.h"
#include "memory/space.h"
#include "port/format.h"
#include "port/rat.h"
#include "chip/cayman/descriptors/map.h"
#include "chip/cayman/descriptors/surface.h"
#include "port/srgb.h"

#define FIRST_VA  (UINT64_C(1) << 20)
#define MAX_SIZE  16384u
#define MAX_DEPTH 2048u

struct layout {
   struct surface surface;
   struct surface_level levels[SURFACE_MAX_LEVELS];
   uint64_t mips, bytes; /* offset of level 1; of everything */
};

static bool
is_multisampled(const struct machine_texture *t)
{
   return t->dim == SQ_TEX_DIM_2D_MSAA || t->dim == SQ_TEX_DIM_2D_ARRAY_MSAA;
}

static uint32_t
layers_of(const struct machine_texture *t)
{
   switch (t->dim) {
   case SQ_TEX_DIM_CUBEMAP:
      return 6 * t->depth;
   case SQ_TEX_DIM_1D_ARRAY:
   case SQ_TEX_DIM_2D_ARRAY:
   case SQ_TEX_DIM_2D_ARRAY_MSAA:
      return t->depth;
   default:
      return 1;
   }
}

static void
lay_out(const struct machine_texture *t, struct layout *l)
{
   const struct format_info *f = &format_info[cayman_format[t->format]];

   memset(l, 0, sizeof(*l));
   if (t->is_buffer) {
      l->bytes = (uint64_t)t->width * f->bytes;
      return;
   }
   l->surface = (struct surface){
      .width = t->width,
      .height = t->height,
      .depth = t->dim == SQ_TEX_DIM_3D ? t->depth : 1,
      .layers = layers_of(t),
      .array_mode = ARRAY_LINEAR_ALIGNED,
      .bytes = f->bytes,
      .block_w = f->width,
      .block_h = f->height,
      .samples = t->samples,
   };
   surface_layout(&l->surface, t->levels - 1u, l->levels);
   l->mips = (l->levels[0].slice_bytes * l->levels[0].slices + 255) / 256 * 256;
   l->bytes = l->mips;
   for (unsigned n = 1; n < t->levels; n++) {
      uint64_t end = l->mips + l->levels[n].offset + l->levels[n].slice_bytes * l->levels[n].slices;
      l->bytes = end > l->bytes ? end : l->bytes;
   }
}

const char *
machine_texture_check(const struct machine_texture *t, bool image)
{
   const struct format_info *f = &format_info[cayman_format[t->format & 63]];
   uint32_t largest = t->width > t->height ? t->width : t->height;
   bool samples = t->samples == 1 || t->samples == 2 || t->samples == 4 || t->samples == 8;
   struct cb_channel channel[4] = { { 0 } };
   struct layout l;

   largest = t->dim == SQ_TEX_DIM_3D && t->depth > largest ? t->depth : largest;
   if (f->cls == CLASS_NONE || f->cls == CLASS_SUBSAMPLED ||
       (!t->is_buffer && f->bytes % 3 == 0 && f->bytes != 12))
      return "no texture has that format";
   if (t->is_buffer && (f->width != 1 || f->bytes > 16))
      return "no buffer has that format";
   if (image && !cb_channels(channel, cayman_format[t->format & 63], NUMERIC_UINT, NULL))
      return "no image has that format";
   if (image && (t->levels != 1 || is_multisampled(t) || t->dim == SQ_TEX_DIM_CUBEMAP))
      return "an image has one level, one sample and no faces";
   if (!t->width || !t->height || !t->depth ||
       (!t->is_buffer && (largest > MAX_SIZE || t->depth > MAX_DEPTH || layers_of(t) > MAX_DEPTH)))
      return "the size is from 1 to 16384, with up to 2048 layers";
   if (t->dim == SQ_TEX_DIM_CUBEMAP && t->width != t->height)
      return "the faces of a cube are squares";
   if (!samples || (t->samples > 1) != is_multisampled(t))
      return "samples are 2, 4 or 8, of 2dms and 2dmsarray";
   if (!t->levels || t->levels > 15 || largest >> (t->levels - 1) == 0 ||
       (t->levels > 1 && (is_multisampled(t) || t->is_buffer)))
      return "the size has not so many levels";
   lay_out(t, &l);
   if (image && l.bytes > MACHINE_IMAGE_BYTES)
      return "an image has at most 64 MB";
   return l.bytes > MACHINE_TEXTURE_BYTES ? "more than 256 MB" : NULL;
}

/* --- texels ----------------------------------------------------------------------------------- */

/* Copies between memory and texels without gaps; returns the bytes of those. */
static uint64_t
copy_texels(const struct machine_texture *t, uint8_t *memory, uint8_t *tight, uint64_t limit,
            bool out)
{
   const struct format_info *f = &format_info[cayman_format[t->format]];
   struct layout l;
   uint64_t at = 0;

   lay_out(t, &l);
   for (unsigned n = 0; n < (t->is_buffer ? 1u : t->levels); n++) {
      uint32_t w = t->width >> n ? t->width >> n : 1, h = t->height >> n ? t->height >> n : 1;
      uint32_t d = t->dim == SQ_TEX_DIM_3D ? (t->depth >> n ? t->depth >> n : 1) : layers_of(t);
      uint64_t row = (uint64_t)((w + f->width - 1) / f->width) * f->bytes * t->samples;
      uint64_t pitch = (uint64_t)l.levels[n].pitch * f->bytes * t->samples;
      uint64_t base = n ? l.mips + l.levels[n].offset : 0;
      if (t->is_buffer) {
         h = d = 1;
         row = l.bytes;
      }
      uint32_t rows = (h + f->height - 1) / f->height;
      for (uint64_t z = 0; z < d; z++) {
         for (uint64_t y = 0; y < rows; y++, at += row) {
            uint8_t *p = memory ? memory + base + z * l.levels[n].slice_bytes + y * pitch : NULL;
            if (out && tight)
               memcpy(tight + at, p, row);
            for (uint64_t i = 0; !out && i < row;) {
               uint64_t from = (at + i) % limit,
                        run = limit - from < row - i ? limit - from : row - i;
               memcpy(p + i, tight + from, run);
               i += run;
            }
         }
      }
   }
   return at;
}

/* --- descriptors ------------------------------------------------------------------------------ */
static unsigned
number_type(const struct machine_texture *t)
{
   bool is_float = format_info[cayman_format[t->format]].cls == CLASS_FLOAT;
   switch (t->num_format) {
   case SQ_NUM_FORMAT_INT:
      return t->is_signed ? NUMERIC_SINT : NUMERIC_UINT;
   case SQ_NUM_FORMAT_SCALED:
      return is_float ? NUMERIC_FLOAT : t->is_signed ? NUMERIC_SSCALED : NUMERIC_USCALED;
   default:
      return is_float       ? NUMERIC_FLOAT
             : t->srgb      ? NUMERIC_SRGB
             : t->is_signed ? NUMERIC_SNORM
                            : NUMERIC_UNORM;
   }
}

static void
buffer_words(const struct machine_texture *t, uint64_t va, uint64_t bytes, uint32_t w[8])
{
   const struct format_info *f = &format_info[cayman_format[t->format]];

   w[0] = (uint32_t)va;
   w[1] = (uint32_t)bytes - 1;
   w[2] = REG_FIELD(BUF_WORD2, BASE_ADDRESS_HI, (uint32_t)(va >> 32)) |
          REG_FIELD(BUF_WORD2, STRIDE, f->bytes) | REG_FIELD(BUF_WORD2, DATA_FORMAT, t->format) |
          REG_FIELD(BUF_WORD2, NUM_FORMAT_ALL, t->num_format) |
          REG_FIELD(BUF_WORD2, FORMAT_COMP_ALL, t->is_signed);
   w[3] = REG_FIELD(BUF_WORD3, DST_SEL_X, t->select[0]) |
          REG_FIELD(BUF_WORD3, DST_SEL_Y, t->select[1]) |
          REG_FIELD(BUF_WORD3, DST_SEL_Z, t->select[2]) |
          REG_FIELD(BUF_WORD3, DST_SEL_W, t->select[3]);
   w[4] = (uint32_t)(bytes / f->bytes);
   w[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
}

static void
texture_words(const struct machine_texture *t, uint64_t va, uint32_t w[8])
{
   struct layout l;
   unsigned last = t->levels - 1u;

   lay_out(t, &l);
   if (t->is_buffer) {
      buffer_words(t, va, l.bytes, w);
      return;
   }
   if (is_multisampled(t))
      last = (unsigned)__builtin_ctz(t->samples);
   uint32_t pitch = l.levels[0].pitch * l.surface.block_w;
   w[0] = REG_FIELD(TEX_WORD0, DIM, t->dim) | REG_FIELD(TEX_WORD0, PITCH, pitch / 8 - 1) |
          REG_FIELD(TEX_WORD0, TEX_WIDTH, t->width - 1);
   w[1] = REG_FIELD(TEX_WORD1, TEX_HEIGHT, t->height - 1) |
          REG_FIELD(TEX_WORD1, TEX_DEPTH, t->depth - 1) |
          REG_FIELD(TEX_WORD1, ARRAY_MODE, ARRAY_LINEAR_ALIGNED);
   w[2] = (uint32_t)(va >> 8);
   w[3] = (uint32_t)((va + (t->levels > 1 ? l.mips : 0)) >> 8);
   w[4] =
      REG_FIELD(TEX_WORD4, FORMAT_COMP_X, t->is_signed) |
      REG_FIELD(TEX_WORD4, FORMAT_COMP_Y, t->is_signed) |
      REG_FIELD(TEX_WORD4, FORMAT_COMP_Z, t->is_signed) |
      REG_FIELD(TEX_WORD4, FORMAT_COMP_W, t->is_signed) |
      REG_FIELD(TEX_WORD4, NUM_FORMAT_ALL, t->num_format) |
      REG_FIELD(TEX_WORD4, FORCE_DEGAMMA, t->srgb) | REG_FIELD(TEX_WORD4, DST_SEL_X, t->select[0]) |
      REG_FIELD(TEX_WORD4, DST_SEL_Y, t->select[1]) |
      REG_FIELD(TEX_WORD4, DST_SEL_Z, t->select[2]) | REG_FIELD(TEX_WORD4, DST_SEL_W, t->select[3]);
   w[5] =
      REG_FIELD(TEX_WORD5, LAST_LEVEL, last) | REG_FIELD(TEX_WORD5, LAST_ARRAY, layers_of(t) - 1);
   w[6] = REG_FIELD(TEX_WORD6, MAX_ANISO_RATIO, 4);
   w[7] = REG_FIELD(TEX_WORD7, DATA_FORMAT, t->format) |
          REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE);
}

/* What loads of an image find: channels that its format has not are constants outside of it,
 * too. */
static void
image_words(const struct machine_texture *image, uint64_t va, uint32_t w[8])
{
   const struct format_info *f = &format_info[cayman_format[image->format]];
   struct machine_texture t = *image;

   for (unsigned c = 0; c < 4; c++)
      if (t.select[c] <= SQ_SEL_W && !f->channel[t.select[c]].bits)
         t.select[c] = t.select[c] == SQ_SEL_W ? SQ_SEL_1 : SQ_SEL_0;
   texture_words(&t, va, w);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Where the next texture begins; `at` is after it then. */
static uint64_t
place(const struct machine_texture *t, uint64_t *at)
{
   struct layout l;
   uint64_t va = *at;

   lay_out(t, &l);
   /* A fetch may look beyond the last texel. */
   *at += (l.bytes + 64 + 255) / 256 * 256;
   return va;
}

static void
fill(const struct machine_views *v, const struct machine_texture *t, uint64_t va)
{
   if (t->data && t->dwords) {
      copy_texels(t, vm_pointer(v->vm, va), (uint8_t *)(uintptr_t)t->data, 4 * (uint64_t)t->dwords,
                  false);
   }
}

bool
machine_views_init(struct machine_views *v, const struct machine_texture *textures,
                   const struct machine_sampler *samplers, const struct machine_texture *images)
{
   uint64_t va[MACHINE_TEXTURES], end = FIRST_VA;

   memset(v, 0, sizeof(*v));
   for (unsigned n = 0; n < MACHINE_SAMPLERS; n++) {
      memcpy(v->sampler[n], samplers[n].words, sizeof(v->sampler[n]));
      v->border[n] = samplers[n].border;
   }
   for (unsigned n = 0; n < MACHINE_TEXTURES; n++) {
      va[n] = end;
      if (textures[n].there) {
         va[n] = place(&textures[n], &end);
         texture_words(&textures[n], va[n], v->resource[CAYMAN_RESOURCE_TEXTURE + n]);
      }
   }
   for (unsigned n = 0; n < MACHINE_IMAGES; n++) {
      if (images[n].there) {
         v->image_va[n] = place(&images[n], &end);
         image_words(&images[n], v->image_va[n], v->image[n]);
         buffer_words(&images[n], 0, format_info[cayman_format[images[n].format]].bytes,
                      v->returned[n]);
      }
   }
   if (end - FIRST_VA > MACHINE_TEXTURE_BYTES)
      return false;
   if (end == FIRST_VA)
      return true;
   cb_srgb_init();
   uint64_t bytes = (end - FIRST_VA + ARENA_PAGE - 1) / ARENA_PAGE * ARENA_PAGE;
   v->vm = vm_create();
   v->arena = v->vm ? arena_create(bytes) : NULL;
   v->bo = v->arena ? bo_create(v->arena, bytes) : NULL;
   if (!v->bo || vm_map(v->vm, FIRST_VA, v->bo) != 0)
      return false;
   for (unsigned n = 0; n < MACHINE_TEXTURES; n++)
      if (textures[n].there)
         fill(v, &textures[n], va[n]);
   for (unsigned n = 0; n < MACHINE_IMAGES; n++)
      if (images[n].there)
         fill(v, &images[n], v->image_va[n]);
   return true;
}

void
machine_views_finish(struct machine_views *v)
{
   vm_destroy(v->vm);
   if (v->bo)
      bo_unref(v->bo);
   if (v->arena)
      arena_destroy(v->arena);
   memset(v, 0, sizeof(*v));
}

const uint32_t *
machine_views_words(const struct machine_views *v, unsigned resource)
{
   const unsigned texture = resource - CAYMAN_RESOURCE_TEXTURE;
   const unsigned image = resource - CAYMAN_RESOURCE_UAV;
   const uint32_t *words = texture < MACHINE_TEXTURES ? v->resource[resource]
                           : image < MACHINE_IMAGES   ? v->image[image]
                                                      : NULL;

   return words && words[7] ? words : NULL; /* all have a type */
}

struct cayman_tables
machine_views_tables(const struct machine_views *v)
{
   return (struct cayman_tables){
      .views = { &cayman_views_ops, v->vm, MACHINE_RESOURCES },
      .resources = v->resource,
      .samplers = v->sampler,
      .borders = v->border,
      .num_samplers = MACHINE_SAMPLERS,
      .pipes = chips[CHIP_CAYMAN].pipes,
   };
}

void
machine_views_rat(const struct machine_views *v, const struct machine_texture *image, unsigned n,
                  struct rat *rat)
{
   static const uint8_t kinds[] = {
      [SQ_TEX_DIM_1D] = RAT_KIND_1D,
      [SQ_TEX_DIM_2D] = RAT_KIND_2D,
      [SQ_TEX_DIM_3D] = RAT_KIND_3D,
      [SQ_TEX_DIM_1D_ARRAY] = RAT_KIND_1D_ARRAY,
      [SQ_TEX_DIM_2D_ARRAY] = RAT_KIND_2D_ARRAY,
   };
   struct layout l;

   memset(rat, 0, sizeof(*rat));
   lay_out(image, &l);
   rat->va = v->image_va[n];
   rat->range = (struct target_range){ rat->va, l.bytes };
   rat->base = vm_pointer(v->vm, rat->va);
   rat->kind = image->is_buffer ? RAT_KIND_BUFFER : kinds[image->dim];
   rat->width = image->width;
   rat->height = image->is_buffer ? 1 : image->height;
   rat->layers = image->is_buffer              ? 1
                 : image->dim == SQ_TEX_DIM_3D ? image->depth
                                               : layers_of(image);
   rat->bytes =
      (uint8_t)cb_channels(rat->channel, cayman_format[image->format], number_type(image), NULL);
   rat->row_bytes = (uint64_t)l.levels[0].pitch * rat->bytes;
   rat->slice_bytes = l.levels[0].slice_bytes;
}

uint32_t
machine_views_read(const struct machine_views *v, const struct machine_texture *image, unsigned n,
                   uint32_t *out)
{
   uint8_t *memory = v && v->vm ? vm_pointer(v->vm, v->image_va[n]) : NULL;
   return (uint32_t)((copy_texels(image, memory, (uint8_t *)out, 0, true) + 3) / 4);
}
