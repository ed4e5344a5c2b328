/* SPDX-License-Identifier: MIT */
/*
 * Elements of random access targets (port/rat.h) for all lanes of a wave, of any engine (kernels).
 *
 * index[0..2] is an element of a buffer, or a texel's x, y and layer, which counts from the view's
 * first one; `step` is added to x.  Elements outside the surface, or of it outside mapped memory,
 * are not written and read as zero.
 */
#ifndef ATOLL_PORT_RAT_WAVE_H
#define ATOLL_PORT_RAT_WAVE_H

#include <string.h>

#include "arith.h"
#include "kernel.h"
#include "lanes.h"
#include "port/rat.h"

/* Where the elements of all lanes lie, and which of them there are. */
struct rat_elements {
   uint64_t there;
   uint64_t offset[WAVE_LANES]; /* from the surface's base */
};

void K(rat_find)(const struct rat *rat, const uint32_t *const index[3], uint32_t step,
                 struct rat_elements *e);

/* Values of xyzw in the surface's format, and the bits of an element that a mask of components lets
 * change. */
void K(rat_pack)(const struct rat *rat, const wave_lane values[4], unsigned components,
                 wave_lane out[4], uint32_t mask[4]);

/* Values of xyzw, converted to the surface's format, to the components of a mask. */
void K(rat_store)(const struct rat *rat, const wave_lane values[4], unsigned components,
                  const uint32_t *const index[3], uint32_t step, uint64_t lanes);

/* Units of `size` bytes, counted from the start of a buffer. */
void K(rat_store_units)(const struct rat *rat, unsigned size, const uint32_t *index, uint32_t step,
                        const uint32_t *data, uint64_t lanes);

/* Dwords of xyzw to those of a buffer, counted from its start: component c of a mask to the one c
 * after the index's.  Where lanes meet, later components win, and of one component later lanes. */
void K(rat_store_dwords)(const struct rat *rat, const wave_lane values[4], unsigned components,
                         const uint32_t *index, uint32_t step, uint64_t lanes);

/* An operation (enum core_atomic) on the elements' first dwords, of `data` and of what else it
 * takes: a comparison, a mask, or `data` again.  CORE_ATOMICS, and any on less than a dword,
 * changes nothing.  `to`, or NULL: the elements of the target's return buffer that get what was
 * there.  `alone`: nothing else changes memory while the wave runs. */
void K(rat_operate)(const struct rat *rat, unsigned op, const uint32_t *data, const uint32_t *other,
                    const uint32_t *to, const uint32_t *const index[3], uint64_t lanes, bool alone);

/* A lane's packed element to memory. */
static inline void
rat_put(const struct rat *rat, uint8_t *p, const wave_lane data[4], unsigned lane,
        const uint32_t mask[4])
{
   const unsigned size = rat->bytes < 4 ? rat->bytes : 4;

   for (unsigned d = 0; d < (rat->bytes + 3u) / 4; d++) {
      uint32_t v = 0;

      memcpy(&v, p + d * 4, size);
      v = (v & ~mask[d]) | (data[d][lane] & mask[d]);
      memcpy(p + d * 4, &v, size);
   }
}

#endif
