/* SPDX-License-Identifier: MIT */
/*
 * The device's memory: one sparse file from which buffer objects take page ranges.  A freed
 * range has its pages punched out, so that the next owner reads zeros and the host gets its
 * memory back.
 */
#ifndef ATOLL_ARENA_H
#define ATOLL_ARENA_H

#include <stdint.h>

#include "memory/mappings.h"

#define ARENA_PAGE UINT64_C(4096)

struct arena;

/* `size` bytes of address space in a file, none of them backed yet.  NULL with errno. */
struct arena *arena_create(uint64_t size);
void arena_destroy(struct arena *arena);

/* In a forked child: what is mapped of the file becomes a private copy, so that nothing the child
 * still writes through old pointers reaches the parent; and the file is closed.  The arena is of no
 * other use then. */
void arena_forked(struct arena *arena);

/* Takes `size` bytes (a multiple of ARENA_PAGE, not 0).  0, or -ENOMEM.  Thread-safe. */
int arena_alloc(struct arena *arena, uint64_t size, uint64_t *offset);

/* Gives a range from arena_alloc() back; its contents are lost.  Thread-safe. */
void arena_free(struct arena *arena, uint64_t offset, uint64_t size);

/* The file; the arena owns it. */
int arena_fd(const struct arena *arena);
const struct mapped_file *arena_file(const struct arena *arena);

/* Buffers that lie in files of their own count as well. */
void arena_count(struct arena *arena, uint64_t size);
void arena_uncount(struct arena *arena, uint64_t size);

/* Bytes handed out, and counted. */
uint64_t arena_used(struct arena *arena);

#endif
