/* SPDX-License-Identifier: MIT */
/*
 * What colour and depth targets have in common: a surface in the address space, decoded from its
 * registers.  A surface that is not mapped far enough is cut: pixels beyond its mapped part are
 * never touched, layers beyond it do not exist.
 */
#ifndef ATOLL_SC_TARGET_H
#define ATOLL_SC_TARGET_H

#include <stdbool.h>
#include <stdint.h>

struct vm;

/* Bytes of the address space that a draw may read and write. */
struct target_range {
   uint64_t va, size;
};

#define TARGET_EXTENT_MAX 16384

struct target {
   uint8_t *host;         /* of va, layer 0, sample 0; NULL: nothing is bound */
   uint64_t va;
   uint64_t slice_bytes;  /* of one layer, all samples */
   uint64_t sample_bytes; /* of one sample of one layer */
   uint32_t width, height; /* pixels that may be touched */
   uint32_t pitch;        /* pixels from row to row, a multiple of 8 */
   uint32_t rows;         /* rows of a layer as the registers state them */
   uint32_t first_layer, num_layers; /* the view: layers first .. first + num - 1 */
   uint8_t array_mode;    /* enum cayman_array_mode */
   uint8_t log2_cpp;      /* bytes per pixel and sample */
   uint8_t log2_samples;
   uint8_t layout;        /* enum target_layout: how an 8x8 block lies in memory */
};

/* Decodes a surface.  `va` is in bytes; pitch and rows in pixels (from the *_TILE_MAX fields).
 * Leaves host NULL when nothing of it is mapped. */
void target_decode(struct target *t, const struct vm *vm, uint64_t va, uint32_t pitch,
                   uint32_t slice_tiles, unsigned array_mode, unsigned log2_cpp,
                   unsigned log2_samples, unsigned first_layer, unsigned last_layer);

/* The bytes that the view covers; size 0 when nothing is bound. */
struct target_range target_range(const struct target *t);

/* Equal memory, layout and view. */
bool target_same(const struct target *a, const struct target *b);

#endif
