/* SPDX-License-Identifier: MIT */
/*
 * What colour and depth targets have in common: a surface in the address space, found from what a
 * chip says of it.  A surface that is not mapped far enough is cut: pixels beyond its mapped part
 * are never touched, layers beyond it do not exist.
 */
#ifndef ATOLL_MEMORY_TARGET_H
#define ATOLL_MEMORY_TARGET_H

#include <stdbool.h>
#include <stdint.h>

struct vm;

/* Bytes of the address space that a draw may read and write. */
struct target_range {
   uint64_t va, size;
};

#define TARGET_EXTENT_MAX 16384

struct target {
   uint8_t *host; /* of va, layer 0, sample 0; NULL: nothing is bound */
   uint64_t va;
   uint64_t slice_bytes; /* of one layer, all samples */
   uint32_t row_bytes; /* from row to row; rows are linear, see chip/cayman/descriptors/surface.h */
   uint32_t width, height;           /* pixels that may be touched */
   uint32_t first_layer, num_layers; /* the view: layers first .. first + num - 1 */
   uint8_t cpp; /* bytes per pixel and sample; the samples of a pixel are adjacent */
   uint8_t log2_samples;
};

/* What a chip says of a surface.  Its rows are linear. */
struct target_desc {
   uint64_t va;
   uint32_t pitch;       /* pixels, a multiple of 8 */
   uint32_t slice_tiles; /* 8x8 tiles of a layer */
   uint8_t cpp, log2_samples;
   uint32_t first_layer, last_layer;
};

/* Decodes a surface; leaves host NULL when nothing of it is mapped. */
void target_decode(struct target *t, const struct vm *vm, const struct target_desc *desc);

/* The address of a pixel; x and y within the target.  A layer (of the view) that this target lacks
 * and another has is its last. */
static inline uint8_t *
target_pixel(const struct target *t, uint32_t x, uint32_t y, uint32_t layer)
{
   layer = layer < t->num_layers ? layer : t->num_layers - 1;
   return t->host + (t->first_layer + layer) * t->slice_bytes + (uint64_t)y * t->row_bytes +
          ((uint64_t)x * t->cpp << t->log2_samples);
}

/* The bytes that the view covers; size 0 when nothing is bound. */
struct target_range target_range(const struct target *t);

/* Equal memory, layout and view. */
bool target_same(const struct target *a, const struct target *b);

#endif
