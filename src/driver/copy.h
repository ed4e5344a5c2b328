/* SPDX-License-Identifier: MIT */
#ifndef ATOLL_COPY_H
#define ATOLL_COPY_H

#include <stdbool.h>
#include <stddef.h>

/** Lines of bytes in slices; of the source, lines may go upwards. */
struct atoll_lines {
   size_t bytes; /* of a line */
   unsigned lines, slices;
   size_t dst_stride, dst_slice;
   ptrdiff_t src_stride;
   size_t src_slice;
};

/** Copies them, from the last to the first where `down` says so. The two do not overlap. */
void atoll_copy_lines(void *dst, const void *src, const struct atoll_lines *lines, bool down);

#endif
