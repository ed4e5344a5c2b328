/* SPDX-License-Identifier: MIT */
/*
 * Where the levels of a texture lie. All textures are LINEAR_ALIGNED.
 *
 * The hardware is told the bases of levels 0 and 1 and computes the others itself, so the rules
 * are its own:
 *  1. A level above 0 has its width, height and depth rounded up to powers of two; so is its
 *     number of layers (a cube's six become eight).
 *  2. A row is padded to a multiple of 64 blocks and of 256 bytes.
 *  3. Levels above 0 follow each other without a gap. Level 1 starts at a multiple of 256 bytes.
 *  4. The samples of a texel are adjacent.
 * Depth and stencil are planes of their own, one after the other. DB has one pitch for both, so the
 * stencil plane of a depth-stencil texture takes the depth plane's pitch. Where there are levels
 * above 0 (TD computes their pitches), both planes have the pitches of stencil, 256 texels at
 * least, and descriptors say so (TEX_WORD7.DEPTH_SAMPLE_ORDER).
 */
#include "screen.h"

#include "util/format/u_format.h"
#include "util/u_math.h"

#define BASE_ALIGN 256

/* Rule 2. */
static uint32_t
pitch_alignment(unsigned bytes)
{
   return MAX2(64, BASE_ALIGN / bytes);
}

static uint64_t
layout_plane(const struct pipe_resource *b, struct atoll_level *levels, enum pipe_format format,
             unsigned bytes, uint32_t align_x, uint32_t pitch, uint64_t offset)
{
   uint32_t samples = MAX2(b->nr_samples, 1);

   for (unsigned l = 0; l <= b->last_level; l++) {
      uint32_t w = u_minify(b->width0, l), h = u_minify(b->height0, l);
      uint32_t d = b->target == PIPE_TEXTURE_3D ? u_minify(b->depth0, l) : 1;
      uint32_t layers = b->array_size;
      if (l) {
         w = util_next_power_of_two(w);
         h = util_next_power_of_two(h);
         d = util_next_power_of_two(d);
      }
      if (b->last_level)
         layers = util_next_power_of_two(layers);
      struct atoll_level *level = &levels[l];
      level->pitch = l == 0 && pitch ? pitch : align(util_format_get_nblocksx(format, w), align_x);
      level->rows = util_format_get_nblocksy(format, h);
      level->slices = d * layers;
      level->slice_bytes = (uint64_t)level->pitch * level->rows * bytes * samples;
      level->offset = offset;
      offset = align64(offset + level->slice_bytes * level->slices, BASE_ALIGN);
   }
   return offset;
}

uint64_t
atoll_layout(struct atoll_resource *res, uint32_t pitch)
{
   const struct pipe_resource *b = &res->base.b;
   const struct util_format_description *desc = util_format_description(b->format);
   uint64_t size = 0;

   res->has_depth = util_format_has_depth(desc);
   res->has_stencil = util_format_has_stencil(desc);
   if (!res->has_depth && !res->has_stencil) {
      res->block_bytes = util_format_get_blocksize(b->format);
      return layout_plane(b, res->level, b->format, res->block_bytes,
                          pitch_alignment(res->block_bytes), pitch, 0);
   }
   if (res->has_depth) {
      res->block_bytes = b->format == PIPE_FORMAT_Z16_UNORM ? 2 : 4;
      size =
         layout_plane(b, res->level, b->format, res->block_bytes,
                      pitch_alignment(atoll_shares_pitches(res) ? 1 : res->block_bytes), pitch, 0);
   }
   if (res->has_depth && res->has_stencil) {
      for (unsigned l = 0; l <= b->last_level; l++) {
         struct atoll_level *level = &res->stencil[l];
         *level = res->level[l];
         level->slice_bytes = (uint64_t)level->pitch * level->rows * MAX2(b->nr_samples, 1);
         level->offset = size;
         size = align64(size + level->slice_bytes * level->slices, BASE_ALIGN);
      }
   } else if (res->has_stencil) {
      res->block_bytes = 1;
      size = layout_plane(b, res->level, b->format, 1, pitch_alignment(1), pitch, 0);
      for (unsigned l = 0; l <= b->last_level; l++)
         res->stencil[l] = res->level[l];
   }
   return size;
}
