/* SPDX-License-Identifier: MIT */
/*
 * A program in an ELF file: .text holds the words, .isa the name of the instruction set,
 * .options.before and .options.after the header options of the listing, as text.
 *
 * 32-bit, little endian, no machine (none is registered for these chips), so readelf and
 * objcopy can look at it and take it apart.
 */
#ifndef ATOLL_CONTAINER_H
#define ATOLL_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct container {
   const uint8_t *words; /* num_bytes bytes of .text, not aligned */
   size_t num_bytes;
   const char *isa, *before, *after; /* not terminated */
   size_t isa_size, before_size, after_size;
};

/* Does the file begin as an ELF file? */
bool container_is_elf(const void *data, size_t size);

/* A malloc()ed file, or NULL: no memory. */
uint8_t *container_write(const struct container *c, size_t *size);

/* Find the parts; they point into `data`.  NULL, or what is wrong with it. */
const char *container_read(const void *data, size_t size, struct container *c);

#endif /* ATOLL_CONTAINER_H */
