/* SPDX-License-Identifier: MIT */
/*
 * A component of a pixel in memory.
 */
#ifndef ATOLL_PORT_CHANNEL_H
#define ATOLL_PORT_CHANNEL_H

#include <stdint.h>

#include "port/state.h"

/* Where a colour component lies in a pixel, and what it holds. */
struct cb_channel {
   uint8_t bits;         /* 0: the format has no such component */
   uint8_t shift, dword; /* lowest bit, counted within a 32-bit word of the pixel */
   uint8_t type;         /* enum numeric */
};

/* Where the components of a format lie: `format` is enum format, `numeric` what
 * integers of it are, order[count - 1][n] the colour (0 red to 3 alpha) that component n of `count`
 * holds, or NULL: in order.  Returns bytes per pixel, 0 for a format that no target can have;
 * channel[] must be zero before. */
unsigned cb_channels(struct cb_channel channel[4], unsigned format, unsigned numeric,
                     const uint8_t order[4][4]);

#endif
