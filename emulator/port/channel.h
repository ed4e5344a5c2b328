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

#endif
