/* SPDX-License-Identifier: MIT */
/*
 * What the process has mapped, as only the kernel knows: /proc/self/maps, line by line.
 *
 * The reader takes no memory and no lock, so that it can be called in a forked child.
 */
#ifndef ATOLL_MAPPINGS_H
#define ATOLL_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

/* A file as /proc/self/maps names it.  stat() may name another device for the same file, where one
 * file system lies upon another. */
struct mapped_file {
   uint32_t major, minor;
   uint64_t inode; /* 0: no file */
};

struct mapping {
   uint64_t start, end; /* host addresses, whole pages */
   uint64_t offset;     /* in `file`, bytes */
   struct mapped_file file;
   bool readable, writable, shared;
   char name[64]; /* the beginning of what follows the numbers; may be empty */
};

static inline bool
mapped_file_equals(const struct mapped_file *a, const struct mapped_file *b)
{
   return a->inode && a->inode == b->inode && a->major == b->major && a->minor == b->minor;
}

/* Calls look() with each mapping, by ascending address, until it returns false.  False: the list
 * cannot be read. */
bool mappings_read(bool (*look)(void *data, const struct mapping *mapping), void *data);

/* Which file lies at `address`; false: none, or the list cannot be read. */
bool mappings_file_at(const void *address, struct mapped_file *file);

#endif
