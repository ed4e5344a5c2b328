/* SPDX-License-Identifier: MIT */
/*
 * Copies of textures that the texture unit cannot read where they are: it reads rows, with a
 * pixel's samples side by side.  They lie in an address space of their own, until the next frame.
 */
#ifndef ATOLL_CHIP_MALI_ROWS_H
#define ATOLL_CHIP_MALI_ROWS_H

#include <stdbool.h>
#include <stdint.h>

struct mali_rows;
struct texture;
struct vm;

/* What a copy is of. */
struct mali_copy {
   const struct vm *vm;
   uint64_t level[15];       /* addresses */
   uint64_t slice_bytes[15]; /* between layers, slices or samples */
   uint32_t row_stride[15];  /* of rows, or rows of blocks */
   uint32_t width, height;   /* of level 0 */
   uint32_t slices;          /* of level 0: layers, or depth */
   uint8_t levels, samples, bytes;
   bool blocks; /* u-interleaved */
   bool volume; /* slices become fewer with levels */
};

/* NULL: no memory. */
struct mali_rows *mali_rows_create(void);
void mali_rows_destroy(struct mali_rows *rows);

/* Forgets all copies: nothing reads them any more. */
void mali_rows_begin(struct mali_rows *rows);

/* Makes the copy, if there is none in this frame; then lets a texture read it, of which all but
 * levels and `vm` is known.  False: there is no memory for it. */
bool mali_rows_make(struct mali_rows *rows, const struct mali_copy *copy, uint64_t *budget);

/* The same, of a copy that was made. */
bool mali_rows_use(const struct mali_rows *rows, const struct mali_copy *copy, struct texture *t);

#endif
