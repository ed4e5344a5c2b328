/* SPDX-License-Identifier: MIT */
/*
 * A wave's lanes: 64 of them, in quads of four.
 */
#ifndef ATOLL_LANES_H
#define ATOLL_LANES_H

#include <stdint.h>

#define WAVE_LANES 64
#define WAVE_QUADS 16

/* A component of a register. */
typedef uint32_t wave_lane[WAVE_LANES] __attribute__((aligned(64)));

/* One attribute component of one primitive: value = p0 + i * p10 + j * p20.  Of a barycentric pair
 * in the entry registers, the even channel (x or z) is the i that multiplies p10, the odd one (y or
 * w) the j that multiplies p20. */
struct spi_coef {
   float p0, p10, p20, pad;
};

#endif
