/* SPDX-License-Identifier: MIT */
/*
 * Files without a name, in memory where the kernel allows it.  A sandbox may forbid
 * memfd_create(); then they are unnamed files of /dev/shm, or of a folder for temporary files.
 */
#ifndef ATOLL_ANONYMOUS_H
#define ATOLL_ANONYMOUS_H

#include <stdbool.h>

struct stat;

/* An empty file, for reading and writing.  `flags` are memfd_create()'s; `name` is what it shows
 * where files are listed.  *bounded (where not NULL) is whether its pages come from a file system
 * that may be full: one that is touched then is a SIGBUS, so they are allocated first.  -1 with
 * errno; that of MFD_ALLOW_SEALING can be had of the kernel alone. */
int anonymous_file(const char *name, unsigned flags, bool *bounded);

/* fstat(), by the one system call that takes no path: a confined device has no other. */
int file_status(int fd, struct stat *status);

#endif
