/* SPDX-License-Identifier: MIT */
/* Where a stream of commands is. */
#ifndef ATOLL_PASS_NEXT_DRAW_H
#define ATOLL_PASS_NEXT_DRAW_H

#include <stdint.h>

struct gfx;

/** The number that the next draw or dispatch of the submission at hand has, as of struct
 *  core_identity; and the submission's. */
uint32_t gfx_next_draw(const struct gfx *gfx, uint32_t *submission);

#endif
