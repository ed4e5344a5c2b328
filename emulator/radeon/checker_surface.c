/* SPDX-License-Identifier: MIT */
/*
 * Strict mode's rules about surfaces, which are the kernel's: pitches and heights are aligned as
 * the array mode wants, bases too, and the last layer ends inside the buffer.
 */
#include "radeon/checker_internal.h"

#include <stdbool.h>

#include <atoll/cayman/descriptors.h>

#include "chip/chip.h"

/* What the tiling of every chip says. */
#define GROUP_BYTES 256u

/* A level of a surface as its registers describe it, and what follows from that. */
struct surface {
   const char *what;
   uint32_t width, height; /* elements: texels or blocks */
   uint32_t format, mode;
   uint32_t banks, bank_width, bank_height, aspect; /* as fields: log2, banks less one */
   uint32_t split;                                  /* as a field: log2 of bytes / 64 */
   uint32_t samples;
   uint64_t layer_bytes, base_align;
   uint32_t pitch_align, height_align;
};

struct element {
   uint8_t bytes, width, height; /* of a block, in texels */
};

/* Bytes 0: no such format. */
#define FORMAT(name, cayman, number, bytes, width, height, ...) [number] = { bytes, width, height },
static const struct element elements[64] = {
#include <atoll/formats.def>
};

static uint32_t
align(uint32_t value, uint32_t to)
{
   return to ? (value + to - 1) / to * to : value;
}

/* Fills in what the array mode makes of it. */
static int
derive(const struct stream *s, struct surface *f)
{
   uint64_t bytes = elements[f->format & 63].bytes;
   uint64_t texels = (uint64_t)f->width * f->height;

   if (!bytes)
      return stream_refuse(s, "%s of format 0x%02X", f->what, f->format);
   switch (f->mode) {
   case ARRAY_LINEAR_GENERAL:
      f->layer_bytes = texels * bytes * f->samples;
      f->base_align = 1;
      f->pitch_align = f->height_align = 1;
      return 0;
   case ARRAY_LINEAR_ALIGNED:
      f->layer_bytes = texels * bytes * f->samples;
      f->base_align = GROUP_BYTES;
      f->pitch_align = GROUP_BYTES / (uint32_t)bytes > 64 ? GROUP_BYTES / (uint32_t)bytes : 64;
      f->height_align = 1;
      return 0;
   case ARRAY_1D_TILED_THIN1: {
      uint32_t pitch = GROUP_BYTES / (uint32_t)(8 * bytes * f->samples);

      f->layer_bytes = texels * bytes;
      f->base_align = GROUP_BYTES;
      f->pitch_align = pitch > 8 ? pitch : 8;
      f->height_align = 8;
      return 0;
   }
   case ARRAY_2D_TILED_THIN1: {
      uint64_t tile = 64 * bytes * f->samples, slices = 1, macro;

      if (f->split > 6)
         return stream_refuse(s, "%s with tile split %u", f->what, f->split);
      if (tile > 64u << f->split)
         slices = tile / (64u << f->split);
      tile /= slices;
      f->pitch_align = 8u * s->checker->chip->pipes << f->bank_width << f->aspect;
      f->height_align = 8 << f->bank_height << (f->banks + 1) >> f->aspect;
      macro = (uint64_t)(f->pitch_align / 8) * (f->height_align / 8) * tile;
      f->layer_bytes =
         (uint64_t)(f->width / f->pitch_align) * (f->height / f->height_align) * macro * slices;
      f->base_align = macro;
      return 0;
   }
   default:
      return stream_refuse(s, "%s of array mode %u", f->what, f->mode);
   }
}

static int
check_alignment(const struct stream *s, const struct surface *f)
{
   if (f->width % f->pitch_align)
      return stream_refuse(s, "%s: pitch %u is no multiple of %u", f->what, f->width,
                           f->pitch_align);
   if (f->height % f->height_align)
      return stream_refuse(s, "%s: height %u is no multiple of %u", f->what, f->height,
                           f->height_align);
   return 0;
}

/* `layers` of it at `offset` of the buffer. */
static int
check_extent(const struct stream *s, const struct surface *f, const struct checker_buffer *buffer,
             uint64_t offset, uint64_t layers)
{
   if (!buffer)
      return stream_refuse(s, "%s without a buffer", f->what);
   if (f->base_align && offset % f->base_align)
      return stream_refuse(s, "%s at %llu, no multiple of %llu", f->what,
                           (unsigned long long)offset, (unsigned long long)f->base_align);
   if (offset + f->layer_bytes * layers > buffer->size)
      return stream_refuse(s, "%s: %llu layers of %llu bytes at %llu of a buffer of %llu", f->what,
                           (unsigned long long)layers, (unsigned long long)f->layer_bytes,
                           (unsigned long long)offset, (unsigned long long)buffer->size);
   return 0;
}

/* Width and height in texels from a pitch in tiles and a slice in tiles, both less one. */
static void
set_size(struct surface *f, uint32_t pitch, uint32_t slice)
{
   f->width = (pitch + 1) * 8;
   f->height = (uint32_t)(((uint64_t)slice + 1) * 64 / f->width);
}

static int
check_color(const struct stream *s, unsigned i)
{
   uint32_t info = stream_register(s, REG_AT(CB_COLOR0_INFO, i));
   uint32_t attrib = stream_register(s, REG_AT(CB_COLOR0_ATTRIB, i));
   uint32_t view = stream_register(s, REG_AT(CB_COLOR0_VIEW, i));
   uint32_t base = REG_AT(CB_COLOR0_BASE, i);
   struct surface f = {
      .what = "a colour target",
      .format = REG_FIELD_GET(info, CB_COLOR0_INFO, FORMAT),
      .mode = REG_FIELD_GET(info, CB_COLOR0_INFO, ARRAY_MODE),
      .banks = REG_FIELD_GET(attrib, CB_COLOR0_ATTRIB, NUM_BANKS),
      .bank_width = REG_FIELD_GET(attrib, CB_COLOR0_ATTRIB, BANK_WIDTH),
      .bank_height = REG_FIELD_GET(attrib, CB_COLOR0_ATTRIB, BANK_HEIGHT),
      .aspect = REG_FIELD_GET(attrib, CB_COLOR0_ATTRIB, MACRO_TILE_ASPECT),
      .split = REG_FIELD_GET(attrib, CB_COLOR0_ATTRIB, TILE_SPLIT),
      .samples = 1,
   };
   int result;

   set_size(&f,
            REG_FIELD_GET(stream_register(s, REG_AT(CB_COLOR0_PITCH, i)), CB_COLOR0_PITCH,
                          PITCH_TILE_MAX),
            REG_FIELD_GET(stream_register(s, REG_AT(CB_COLOR0_SLICE, i)), CB_COLOR0_SLICE,
                          SLICE_TILE_MAX));
   result = derive(s, &f);
   if (!result)
      result = check_alignment(s, &f);
   if (!result)
      result = check_extent(s, &f, stream_buffer(s, base), (uint64_t)stream_register(s, base) << 8,
                            REG_FIELD_GET(view, CB_COLOR0_VIEW, SLICE_MAX) + 1);
   return result;
}

static int
check_htile(const struct stream *s, const struct surface *f)
{
   const struct checker_buffer *buffer = stream_buffer(s, R_DB_HTILE_DATA_BASE);
   uint64_t offset = (uint64_t)stream_register(s, R_DB_HTILE_DATA_BASE) << 8;
   bool linear = REG_FIELD_GET(stream_register(s, R_DB_HTILE_SURFACE), DB_HTILE_SURFACE, LINEAR);
   const uint32_t pipes = s->checker->chip->pipes;
   /* Tiles of 8 x 8, in blocks that depend on the pipes. */
   uint32_t width = align(f->width, linear || pipes >= 4 ? (linear ? 16 * 8 : 64 * 8) : 32 * 8);
   uint32_t height = align(f->height, linear       ? pipes * 8
                                      : pipes >= 8 ? 64 * 8
                                      : pipes >= 2 ? 32 * 8
                                                   : 16 * 8);
   uint64_t bytes = (uint64_t)(width / 8) * (height / 8) * 4, unit = pipes * 2048;

   if (!buffer)
      return stream_refuse(s, "HTILE without a buffer");
   bytes = (bytes + unit - 1) / unit * unit;
   if (offset + bytes > buffer->size)
      return stream_refuse(s, "HTILE: %llu bytes at %llu of a buffer of %llu",
                           (unsigned long long)bytes, (unsigned long long)offset,
                           (unsigned long long)buffer->size);
   return 0;
}

static int
check_depth(const struct stream *s, bool stencil)
{
   uint32_t z = stream_register(s, R_DB_Z_INFO), st = stream_register(s, R_DB_STENCIL_INFO);
   uint32_t layers =
      REG_FIELD_GET(stream_register(s, R_DB_DEPTH_VIEW), DB_DEPTH_VIEW, SLICE_MAX) + 1;
   uint32_t read = stencil ? R_DB_STENCIL_READ_BASE : R_DB_Z_READ_BASE;
   uint32_t write = stencil ? R_DB_STENCIL_WRITE_BASE : R_DB_Z_WRITE_BASE;
   struct surface f = {
      .what = stencil ? "a stencil buffer" : "a depth buffer",
      .mode = REG_FIELD_GET(z, DB_Z_INFO, ARRAY_MODE),
      .banks = REG_FIELD_GET(z, DB_Z_INFO, NUM_BANKS),
      .bank_width = REG_FIELD_GET(z, DB_Z_INFO, BANK_WIDTH),
      .bank_height = REG_FIELD_GET(z, DB_Z_INFO, BANK_HEIGHT),
      .aspect = REG_FIELD_GET(z, DB_Z_INFO, MACRO_TILE_ASPECT),
      .split = stencil ? REG_FIELD_GET(st, DB_STENCIL_INFO, TILE_SPLIT)
                       : REG_FIELD_GET(z, DB_Z_INFO, TILE_SPLIT),
      .samples = 1,
   };
   int result;

   if (stencil)
      f.format = FMT_8;
   else
      f.format = REG_FIELD_GET(z, DB_Z_INFO, FORMAT) == DB_Z_16 ? FMT_16 : FMT_8_8_8_8;
   set_size(&f, REG_FIELD_GET(stream_register(s, R_DB_DEPTH_SIZE), DB_DEPTH_SIZE, PITCH_TILE_MAX),
            REG_FIELD_GET(stream_register(s, R_DB_DEPTH_SLICE), DB_DEPTH_SLICE, SLICE_TILE_MAX));
   result = derive(s, &f);
   if (!result && stencil && (f.width % f.pitch_align || f.height % f.height_align)) {
      /* Old clients align stencil as if its texels had four bytes; the kernel then looks no
       * further. */
      f.format = FMT_8_8_8_8;
      result = derive(s, &f);
      return result ? result : check_alignment(s, &f);
   }
   if (!result)
      result = check_alignment(s, &f);
   if (!result)
      result = check_extent(s, &f, stream_buffer(s, read), (uint64_t)stream_register(s, read) << 8,
                            layers);
   if (!result)
      result = check_extent(s, &f, stream_buffer(s, write),
                            (uint64_t)stream_register(s, write) << 8, layers);
   if (!result && REG_FIELD_GET(z, DB_Z_INFO, TILE_SURFACE_ENABLE))
      result = check_htile(s, &f);
   return result;
}

static int
check_streamout(const struct stream *s)
{
   uint32_t config = stream_register(s, R_VGT_STRMOUT_CONFIG), used = 0;

   for (unsigned i = 0; i < 4; i++)
      if (config >> i & 1)
         used |= stream_register(s, R_VGT_STRMOUT_BUFFER_CONFIG) >> i * 4 & 0xf;
   for (unsigned i = 0; i < 4; i++) {
      uint32_t base = REG_AT(VGT_STRMOUT_BUFFER_BASE_0, i);
      const struct checker_buffer *buffer = stream_buffer(s, base);
      uint64_t end = ((uint64_t)stream_register(s, base) << 8) +
                     (uint64_t)stream_register(s, REG_AT(VGT_STRMOUT_BUFFER_SIZE_0, i)) * 4;

      if (!(used >> i & 1))
         continue;
      if (!buffer)
         return stream_refuse(s, "streamout buffer %u is missing", i);
      if (end > buffer->size)
         return stream_refuse(s, "streamout buffer %u ends at %llu of %llu", i,
                              (unsigned long long)end, (unsigned long long)buffer->size);
   }
   return 0;
}

int
stream_check_targets(const struct stream *s)
{
   uint32_t control = stream_register(s, R_DB_DEPTH_CONTROL);
   uint32_t mask = stream_register(s, R_CB_TARGET_MASK);
   int result = check_streamout(s);

   /* SX_MISC: nothing is drawn. */
   if (result || stream_register(s, 0x28350) & 1)
      return result;
   for (unsigned i = 0; i < 8 && !result; i++)
      if (mask >> i * 4 & 0xf &&
          REG_FIELD_GET(stream_register(s, REG_AT(CB_COLOR0_INFO, i)), CB_COLOR0_INFO, FORMAT))
         result = check_color(s, i);
   if (!result && REG_FIELD_GET(control, DB_DEPTH_CONTROL, STENCIL_ENABLE) &&
       REG_FIELD_GET(stream_register(s, R_DB_STENCIL_INFO), DB_STENCIL_INFO, FORMAT))
      result = check_depth(s, true);
   if (!result && REG_FIELD_GET(control, DB_DEPTH_CONTROL, Z_ENABLE) &&
       REG_FIELD_GET(stream_register(s, R_DB_Z_INFO), DB_Z_INFO, FORMAT))
      result = check_depth(s, false);
   return result;
}

static uint32_t
level_size(uint32_t size, unsigned level)
{
   uint32_t minified = size >> level ? size >> level : 1, power = 1;

   if (!level)
      return size;
   while (power < minified)
      power *= 2;
   return power;
}

int
stream_check_texture(const struct stream *s, const uint32_t *words,
                     const struct checker_buffer *base, const struct checker_buffer *mip)
{
   uint32_t dimension = REG_FIELD_GET(words[0], TEX_WORD0, DIM);
   uint32_t width = REG_FIELD_GET(words[0], TEX_WORD0, TEX_WIDTH) + 1;
   uint32_t height = REG_FIELD_GET(words[1], TEX_WORD1, TEX_HEIGHT) + 1;
   uint32_t depth = REG_FIELD_GET(words[1], TEX_WORD1, TEX_DEPTH) + 1;
   uint32_t levels = REG_FIELD_GET(words[5], TEX_WORD5, LAST_LEVEL);
   uint32_t layers = REG_FIELD_GET(words[5], TEX_WORD5, LAST_ARRAY) + 1;
   uint64_t offset = (uint64_t)words[3] << 8;
   struct surface f = {
      .what = "a texture",
      .format = REG_FIELD_GET(words[7], TEX_WORD7, DATA_FORMAT),
      .mode = REG_FIELD_GET(words[1], TEX_WORD1, ARRAY_MODE),
      .banks = REG_FIELD_GET(words[7], TEX_WORD7, NUM_BANKS),
      .bank_width = REG_FIELD_GET(words[7], TEX_WORD7, BANK_WIDTH),
      .bank_height = REG_FIELD_GET(words[7], TEX_WORD7, BANK_HEIGHT),
      .aspect = REG_FIELD_GET(words[7], TEX_WORD7, MACRO_TILE_ASPECT),
      .split = REG_FIELD_GET(words[6], TEX_WORD6, TILE_SPLIT),
      .samples = 1,
   };
   struct element e = elements[f.format & 63];
   bool volume = dimension == SQ_TEX_DIM_3D;
   int result;

   if (!e.bytes)
      return stream_refuse(s, "a texture of format 0x%02X", f.format);
   if (dimension == SQ_TEX_DIM_2D_MSAA || dimension == SQ_TEX_DIM_2D_ARRAY_MSAA) {
      f.samples = 1u << levels;
      levels = 0;
   }
   f.width = ((REG_FIELD_GET(words[0], TEX_WORD0, PITCH) + 1) * 8 + e.width - 1) / e.width;
   f.height = (height + e.height - 1) / e.height;
   result = derive(s, &f);
   if (result)
      return result;
   f.height = align(f.height, f.height_align);
   result = derive(s, &f);
   if (!result)
      result = check_alignment(s, &f);
   if (!result)
      result = check_extent(s, &f, base, (uint64_t)words[2] << 8, volume ? depth : layers);
   if (!result && f.samples == 1 && f.base_align && offset % f.base_align)
      result = stream_refuse(s, "a texture's levels at %llu, no multiple of %llu",
                             (unsigned long long)offset, (unsigned long long)f.base_align);
   if (!result && !mip && levels)
      result = stream_refuse(s, "a texture's levels without a buffer");

   f.what = "a texture's level";
   for (unsigned level = 1; !result && mip && level <= levels; level++) {
      uint32_t slices = volume ? level_size(depth, level) : layers;

      f.width = (level_size(width, level) + e.width - 1) / e.width;
      f.height = (level_size(height, level) + e.height - 1) / e.height;
      if (f.mode == ARRAY_2D_TILED_THIN1 && (f.width < f.pitch_align || f.height < f.height_align))
         f.mode = ARRAY_1D_TILED_THIN1;
      result = derive(s, &f);
      if (result)
         return result;
      f.width = align(f.width, f.pitch_align);
      f.height = align(f.height, f.height_align);
      result = derive(s, &f);
      if (!result && offset + f.layer_bytes * slices > mip->size)
         result = stream_refuse(s, "level %u ends at %llu of a buffer of %llu", level,
                                (unsigned long long)(offset + f.layer_bytes * slices),
                                (unsigned long long)mip->size);
      offset += f.layer_bytes * slices;
   }
   return result;
}
