/* SPDX-License-Identifier: MIT */
/*
 * The size of what tile_run() keeps per worker.
 */
#include "port/quads.h"

size_t
tile_storage_size(void)
{
   return sizeof(struct tile);
}
