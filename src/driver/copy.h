/* SPDX-License-Identifier: MIT */
#ifndef ATOLL_COPY_H
#define ATOLL_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Lines of bytes in slices; of the source, lines may go upwards. */
struct atoll_lines {
   size_t bytes; /* of a line */
   unsigned lines, slices;
   size_t dst_stride, dst_slice;
   ptrdiff_t src_stride;
   size_t src_slice;
};

/** How a processor copies fastest (copy.c). */
enum atoll_copying {
   ATOLL_COPY_VECTORS, /* by vectors */
   ATOLL_COPY_AHEAD,   /* and the destination's lines prefetched: Intel's */
   ATOLL_COPY_STRINGS, /* by 'rep movsb' */
};

/** Copies them, from the last to the first where `down` says so, which only decides how fast it is.
 * The two do not overlap. */
void atoll_copy_lines(void *dst, const void *src, const struct atoll_lines *lines, bool down,
                      enum atoll_copying how);

/** Texels of three channels become texels of four, with `last` in the fourth. `bytes` of a channel
 * are 1, 2 or 4; `turned`: the first and third are exchanged. */
void atoll_widen(void *dst, const void *src, size_t texels, unsigned bytes, bool turned,
                 uint32_t last);

#endif
