/* SPDX-License-Identifier: MIT */
/*
 * Rings of a wave: where a geometry shader's inputs and outputs go, and what its emitted vertices
 * and cuts leave for VGT.  Cayman's MEM_RING, MEM_RING1..3 write them (HD 6900 ISA 3.4.2),
 * EMIT_VERTEX, EMIT_CUT_VERTEX and CUT_VERTEX count (3.5).
 *
 * The launcher of a wave before or in the geometry shader fills struct core_rings; a wave of
 * another stage has none, and its ring writes and emits do nothing.
 *
 * Component c of Cayman's register GPR + b of a ring write goes to dword
 *    (ARRAY_BASE + b * (ELEM_SIZE + 1) + c) of the lane's item;
 * with an index (WRITE_IND), index * (ELEM_SIZE + 1) is added (INDEX_GPR.x, signed).  Dwords at or
 * beyond the item's size, or before its start, are dropped.
 */
#ifndef ATOLL_CORE_RINGS_H
#define ATOLL_CORE_RINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/core.h"

#define CORE_STREAMS       4
#define CORE_EMIT_VERTS    2048 /* more than a chip can ask for */
#define CORE_RESTART_WORDS (CORE_EMIT_VERTS / 32)

struct core_ring {
   uint32_t *base;  /* host address of the launcher's private storage; NULL: writes are dropped */
   uint32_t first;  /* dword where lane 0's item starts */
   uint32_t stride; /* dwords from a lane's item to the next lane's */
   uint32_t item;   /* dwords of an item; first + 63 * stride + item dwords are there */
};

struct core_rings {
   struct core_ring ring[CORE_STREAMS]; /* ES: ring[0] alone */

   /* GS: vertices that each lane may emit to a stream; what goes beyond is not counted. */
   uint32_t max_verts; /* at most CORE_EMIT_VERTS - 1 */
   wave_lane emitted[CORE_STREAMS];
   /* Bit n of lane l: a CUT came when n vertices had been emitted, so vertex n starts a strip.
    * restart[stream][n / 32][l].  The launcher clears words 0 .. max_verts / 32. */
   wave_lane restart[CORE_STREAMS][CORE_RESTART_WORDS];
};

#endif
