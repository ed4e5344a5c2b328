/* SPDX-License-Identifier: MIT */
/*
 * Random access targets: surfaces and buffers that programs of any stage read and write by element.
 *
 * A chip fills them from what it has of them; an instruction set finds elements and changes them.
 * Elements outside the surface, or of it outside mapped memory, are not written and read as zero.
 */
#ifndef ATOLL_PORT_RAT_H
#define ATOLL_PORT_RAT_H

#include <stdint.h>

#include "port/channel.h"
#include "memory/target.h"

#define RATS 48u /* of a stage */

enum rat_kind {
   RAT_KIND_BUFFER,
   RAT_KIND_1D,
   RAT_KIND_1D_ARRAY,
   RAT_KIND_2D,
   RAT_KIND_2D_ARRAY,
   RAT_KIND_3D,
};

struct rat {
   uint64_t va;     /* of `base` */
   uint8_t *base;   /* of element or texel 0 of layer 0 of the view; NULL: nothing is there */
   uint8_t kind;    /* enum rat_kind */
   uint8_t bytes;   /* of an element: 1, 2, 4, 8, 16 */
   bool aligned;    /* a buffer that is described as an image is; for reports alone */
   uint32_t width;  /* elements, or texels of a row */
   uint32_t height; /* 1 for buffers */
   uint32_t layers;
   uint64_t row_bytes, slice_bytes;
   struct cb_channel channel[4];
   struct target_range range; /* memory it may change */

   uint8_t *returns; /* where operations leave what was there before; NULL: not mapped */
   uint64_t return_bytes;
   struct target_range return_range;
};

#endif
