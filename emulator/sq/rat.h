/* SPDX-License-Identifier: MIT */
/*
 * Random access targets (RAT): colour slots that any stage reads and writes by MEM_RAT (HD 6900 ISA
 * 3.4.2, 6.4; CB_COLORn_INFO.RAT).
 *
 * An extension: the RATs of a program with SQ_PGM_RESOURCES_2_x.RAT_TABLE are entries of a table of
 * its stage instead.  Resource CAYMAN_RESOURCE_RAT_TABLE of the stage is a buffer, entry n of it
 * eight dwords: the words of CB_COLORn_BASE to CB_COLORn_DIM in their order, and that of
 * CB_IMMEDn_BASE.  A buffer has no pitch: bits 7:4 of that word are bits 7:4 of its address, which
 * the base leaves out.  RAT_ID has four bits; RATs above 15 are named with an index
 * (RAT_INDEX_MODE).
 *
 * INDEX_GPR.xyz is an element of a buffer or a texel's x, y and layer; the layer counts from the
 * view's first one.  Elements outside the surface, or of it outside mapped memory, are not written
 * and read as zero.
 *
 *   STORE_TYPED   RW_GPR.xyzw, converted to the surface's format, components of COMP_MASK.
 *   STORE_DWORD   dwords of COMP_MASK to x, x + 1 ... of a buffer, counted from its start; so does
 *                 STORE_RAW of the older instruction set.
 *   STORE_SHORT, _BYTE   RW_GPR.x to a unit of that size, counted from the buffer's start.
 *   others        an atomic operation on the element's first dword: RW_GPR.x with memory, z the
 *                 comparison of CMPXCHG, w the mask of MSKOR.  The _RTN forms leave the element
 *                 as it was before in the slot's return buffer, as element RW_GPR.y; NOP_RTN
 *                 changes nothing, so it loads.
 *
 * The combined forms have no INDEX_GPR: the element is RW_GPR.w, so typed stores have but x and y.
 */
#ifndef ATOLL_SQ_RAT_H
#define ATOLL_SQ_RAT_H

#include <stdbool.h>
#include <stdint.h>

#include "channel.h"
#include "memory/target.h"
#include "regs.h"
#include "sq/sq.h"

struct sq_rat {
   uint64_t va;     /* of `base` */
   uint8_t *base;   /* of element or texel 0 of layer 0 of the view; NULL: nothing is there */
   uint8_t type;    /* enum cayman_rat_type */
   uint8_t bytes;   /* of an element: 1, 2, 4, 8, 16 */
   uint32_t width;  /* elements, or texels of a row */
   uint32_t height; /* 1 for buffers */
   uint32_t layers;
   uint64_t row_bytes, slice_bytes;
   struct cb_channel channel[4];
   struct target_range range; /* memory it may change */

   uint8_t *returns; /* CB_IMMEDn, NULL: not mapped */
   uint64_t return_bytes;
   struct target_range return_range;
};

/* Decodes the RATs of `mask` into rats[SQ_RATS]; the others become empty.  `table` is the
 * descriptor of the table, or NULL: colour slots. */
void sq_rat_decode(struct sq_rat *rats, uint64_t mask, const uint32_t *table, const struct regs *r,
                   const struct vm *vm);

#endif
