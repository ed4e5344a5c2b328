/* SPDX-License-Identifier: MIT */
/*
 * Where a surface's elements lie: the one layout that TD, CB, DB and DMA share.
 *
 * Pitch, height and level offsets are a contract with the drivers, which compute them for
 * LINEAR_ALIGNED, 1D_TILED_THIN1 and 2D_TILED_THIN1 from the same rules and tell the hardware the
 * bases of levels 0 and 1 only:
 *  1. A level above 0 has its texel dimensions rounded up to powers of two; so is the number of
 *     layers of every level (a cube counts six layers, hence eight; on R600 six).
 *  2. A level's pitch is a multiple of max(64, group / bytes) blocks when linear, of
 *     max(8, group / (8 * bytes * samples)) when 1D tiled, of the macro tile when 2D tiled; its
 *     height is a multiple of 1, 8, or the macro tile.
 *  3. From the first level on that is smaller than a macro tile, all levels are 1D tiled
 *     (single-sampled surfaces).
 *  4. Levels follow each other without a gap, except that level 1 has a base of its own.
 * The order of elements inside a tiled level is not observable from outside, because drivers
 * reach tiled memory through the device alone: here every level is linear inside its padded
 * rectangle, the samples of an element adjacent.
 *
 * Elements are texels, or blocks of compressed formats.  All functions are total: any argument
 * gives a defined, possibly useless layout.
 */
#ifndef ATOLL_CHIP_CAYMAN_DESCRIPTORS_SURFACE_H
#define ATOLL_CHIP_CAYMAN_DESCRIPTORS_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include <atoll/cayman/enums.h>

/* Of every chip, as its TILING_CONFIG says. */
#define SURFACE_GROUP_BYTES 256u

#define SURFACE_MAX_LEVELS 16

/* What a layout depends on. */
struct surface {
   uint32_t width, height, depth; /* texels of level 0; depth counts slices of 3D textures */
   uint32_t layers;               /* of arrays; cubes count six each; otherwise 1 */
   uint32_t pitch;                /* blocks per row of level 0; 0: as rule 2 gives it */
   uint32_t align_x;              /* raises rule 2's pitch alignment; usually 0 */
   uint8_t array_mode;            /* enum cayman_array_mode */
   uint8_t bytes;                 /* per block and sample */
   uint8_t block_w, block_h;      /* texels per block: 1, 2, 4 or 8 */
   uint8_t samples;               /* 1, 2, 4, 8, 16 */
   bool exact_layers;             /* not rounded up (R600's cubes) */
   uint32_t macro_w, macro_h;     /* 2D tiled: surface_macro_tile() */
};

struct surface_level {
   uint32_t pitch, rows; /* blocks, padded */
   uint32_t slices;      /* depth or layers, padded */
   uint64_t slice_bytes;
   uint64_t offset; /* bytes from level 0's base (level 0) or level 1's base (all others) */
   uint8_t array_mode;
};

static inline uint32_t
surface_pow2(uint32_t x)
{
   return x <= 1 ? 1 : x > 0x80000000u ? 0x80000000u : 1u << (32 - __builtin_clz(x - 1));
}

/* What is rounded up to is a power of two nearly always, and a division takes longer. */
static inline uint32_t
surface_divide(uint32_t x, uint32_t by)
{
   return by & (by - 1) ? (x + by - 1) / by : (x + by - 1) >> __builtin_ctz(by);
}

static inline uint32_t
surface_align(uint32_t x, uint32_t to)
{
   return surface_divide(x, to) * to;
}

/* Macro tile in elements, from the chip's pipes and the fields of descriptors and of
 * CB_COLORn_ATTRIB / DB_Z_INFO: log2 of bank width, bank height and aspect, and NUM_BANKS (log2 of
 * banks, less one). */
static inline void
surface_macro_tile(struct surface *s, unsigned pipes, unsigned bank_w, unsigned bank_h,
                   unsigned aspect, unsigned num_banks)
{
   s->macro_w = (8u << (bank_w & 3)) * pipes << (aspect & 3);
   s->macro_h = ((8u << (bank_h & 3)) * (2u << (num_banks & 3))) >> (aspect & 3);
}

/* The same of R600 and R700, of which a macro tile is banks * max(8, group / (8 * bytes * samples))
 * elements wide and 8 * pipes high: fields that make it one (log2, NUM_BANKS less one). */
struct surface_macro {
   uint8_t bank_w, aspect, num_banks;
};

static inline struct surface_macro
surface_old_macro(unsigned pipes, unsigned banks, unsigned bytes, unsigned samples)
{
   const uint32_t groups = SURFACE_GROUP_BYTES / (64 * (bytes ? bytes : 1) * samples);
   const uint32_t wide = banks * (groups ? groups : 1) / pipes;
   const unsigned columns = wide > 1 ? 31u - (unsigned)__builtin_clz(wide) : 0;
   const unsigned aspect = pipes < 2 ? 1 : 0;

   return (struct surface_macro){
      .bank_w = (uint8_t)(columns - aspect),
      .aspect = (uint8_t)aspect,
      .num_banks = (uint8_t)(pipes > 1 ? 30 - __builtin_clz(pipes) : 0),
   };
}

/* Drivers raise the pitch alignment of a 1D tiled depth plane that has a stencil plane, if it is
 * narrower than 32, so that both have rows of equal length.  Levels above 0 have it too, but of a
 * descriptor only level 0's pitch (in elements) says so, and the bank height (log2): drivers that
 * wanted 2D tiling give planes without stencil 2, those with stencil 4.  Returns align_x. */
static inline uint32_t
surface_stencil_align(uint32_t width, uint32_t pitch, unsigned bank_h)
{
   return width < 32 && pitch == 32 && bank_h != 1 ? 32 : 0;
}

/* The same of any plane of depth or stencil (TEX_WORD7.DEPTH_SAMPLE_ORDER).  In a linear array both
 * have rows of as many elements as rule 2 makes those of stencil. */
static inline uint32_t
surface_plane_align(unsigned array_mode, uint32_t width, uint32_t pitch, unsigned bank_h)
{
   return array_mode == ARRAY_LINEAR_ALIGNED ? SURFACE_GROUP_BYTES
                                             : surface_stencil_align(width, pitch, bank_h);
}

/* Levels 0..last of `s` (at most SURFACE_MAX_LEVELS are written). */
static inline void
surface_layout(const struct surface *s, unsigned last, struct surface_level *levels)
{
   uint32_t bytes = s->bytes ? s->bytes : 1, samples = s->samples ? s->samples : 1;
   uint32_t block_w = s->block_w ? s->block_w : 1, block_h = s->block_h ? s->block_h : 1;
   uint32_t layers = s->exact_layers ? s->layers : surface_pow2(s->layers);
   uint64_t offset = 0;
   unsigned mode = s->array_mode;

   for (unsigned l = 0; l <= last && l < SURFACE_MAX_LEVELS; l++) {
      uint32_t w = s->width >> l, h = s->height >> l, d = s->depth >> l;
      w = w ? w : 1, h = h ? h : 1, d = d ? d : 1;
      if (l) {
         w = surface_pow2(w);
         h = surface_pow2(h);
         d = surface_pow2(d);
      }
      uint32_t blocks_x = surface_divide(w, block_w), blocks_y = surface_divide(h, block_h);
      uint32_t align_x, align_y;

      if (mode == ARRAY_2D_TILED_THIN1 && samples == 1 &&
          (blocks_x < s->macro_w || blocks_y < s->macro_h))
         mode = ARRAY_1D_TILED_THIN1;

      switch (mode) {
      case ARRAY_2D_TILED_THIN1:
         align_x = s->macro_w ? s->macro_w : 8;
         align_y = s->macro_h ? s->macro_h : 8;
         break;
      case ARRAY_1D_TILED_THIN1:
         align_x = SURFACE_GROUP_BYTES / (8 * bytes * samples);
         align_x = align_x < 8 ? 8 : align_x;
         align_x = align_x < s->align_x ? s->align_x : align_x;
         align_y = 8;
         break;
      case ARRAY_LINEAR_ALIGNED:
         align_x = SURFACE_GROUP_BYTES / bytes;
         align_x = align_x < 64 ? 64 : align_x;
         align_x = align_x < s->align_x ? s->align_x : align_x;
         align_y = 1;
         break;
      default:
         align_x = align_y = 1;
         break;
      }

      struct surface_level *level = &levels[l];
      level->array_mode = mode;
      level->pitch = l == 0 && s->pitch ? s->pitch : surface_align(blocks_x, align_x);
      level->rows = surface_align(blocks_y, align_y);
      level->slices = d * layers;
      level->slice_bytes = (uint64_t)level->pitch * level->rows * bytes * samples;
      level->offset = offset;
      offset = l == 0 ? 0 : offset + level->slice_bytes * level->slices;
   }
}

/* Byte offset of an element from its level's base. */
static inline uint64_t
surface_offset(uint32_t pitch, uint64_t slice_bytes, unsigned bytes, unsigned samples, uint32_t x,
               uint32_t y, uint32_t slice, unsigned sample)
{
   return slice * slice_bytes + (((uint64_t)y * pitch + x) * samples + sample) * bytes;
}

#endif
