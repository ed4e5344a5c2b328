/* SPDX-License-Identifier: MIT */
/*
 * The pixel half of a pass: everything that happens in one tile, in primitive order.
 */
#ifndef ATOLL_PASS_TILE_H
#define ATOLL_PASS_TILE_H

#include <stddef.h>

#include "kernel.h"

/* Runs all primitives of all draws of the pass that touch tile (tile_x, tile_y). */
void K(tile_run)(struct worker *worker, struct pass *pass, unsigned tile_x, unsigned tile_y);

/* See struct kernels. */
void K(tile_load)(const struct tile *tile, unsigned target, unsigned sample, uint64_t lanes,
                  uint32_t *const out[4]);

#endif
