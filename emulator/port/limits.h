/* SPDX-License-Identifier: MIT */
/*
 * How many there are of what blocks hand to each other.
 */
#ifndef ATOLL_PORT_LIMITS_H
#define ATOLL_PORT_LIMITS_H

#define CB_TARGETS     8
#define PA_CLIP_DISTS  8
#define SC_VIEWPORTS   16
#define SC_MAX_SAMPLES 8
#define SPI_MAX_INPUTS 32
#define VGT_STREAMS    4

#define TILE_LOG2 6
#define TILE_SIZE (1 << TILE_LOG2) /* pixels */

#endif
