/* SPDX-License-Identifier: MIT */
/* What tilers hold; see tiler.c. */
#ifndef ATOLL_CHIP_MALI_TILER_H
#define ATOLL_CHIP_MALI_TILER_H

#include "chip/mali/mali.h"

/* Draws in their order. */
struct mali_list {
   uint64_t number; /* 0: none */
   struct mali_draw *draws;
   uint32_t count, room;
};

/* Those of the tiler context at an address; NULL: it has none.  MALI_DONE, or what is wrong. */
enum mali_result mali_find_list(const struct mali_env *env, uint64_t tiler,
                                const struct mali_list **list, const char **what);

#endif
