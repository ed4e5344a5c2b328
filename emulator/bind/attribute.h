/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of vertex attributes (docs/valhall-chip.rst), for instruction sets with programs that
 * load them by number.
 */
#ifndef ATOLL_BIND_ATTRIBUTE_H
#define ATOLL_BIND_ATTRIBUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "port/fetch.h"

#define ATTRIBUTE_DWORDS 8u

struct attribute {
   struct td_fetch fetch;
   uint32_t view;    /* number of its buffer among the views: TD_VERTEX_BUFFERS and on */
   uint32_t divisor; /* instances that share an element; 0: an element a vertex */
   bool twice;       /* elements are twice the buffer's stride apart */
};

/** Decodes ATTRIBUTE_DWORDS dwords; what is no descriptor reads zero. */
void bind_decode_attribute(struct attribute *out, const uint32_t *words);

#endif
