/* SPDX-License-Identifier: MIT */
/* A second mapping of memory that a program has mapped already. */
#ifndef ATOLL_DUPLICATE_H
#define ATOLL_DUPLICATE_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/mappings.h"

/* A readable and writable duplicate of [address, address + size), whole pages, which stays when the
 * program unmaps its own.  `own` is the file of the device's memory.  *whole: it is one mapping of
 * one file.  NULL with errno:
 *    EFAULT       not all of it is mapped, for reading and writing; or it is a buffer of the
 *                 device's; or of a file that may be cut shorter under the device, where an access
 *                 is a SIGBUS
 *    EOPNOTSUPP   it is private memory, which cannot be seen at a second address, or nobody may
 *                 know what is mapped (no /proc)
 *    EINVAL       some of it is private, and some is shared */
void *duplicate(void *address, uint64_t size, const struct mapped_file *own, bool *whole);

/* The same of a part of a duplicate, at `to`, instead of what lies there.  False with errno. */
bool duplicate_again(void *to, const void *from, uint64_t size, bool whole);

#endif
