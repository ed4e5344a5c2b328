/* SPDX-License-Identifier: MIT */
/*
 * Pictures to X windows, while the next one is drawn.
 */
#ifndef ATOLL_TARGET_PRESENT_H
#define ATOLL_TARGET_PRESENT_H

#include "driver/atoll_public.h"

/** For winsyses that present_wrap() was called for; any other, it declines. */
extern const struct atoll_presenter present_to_x;

/** Keeps account of the winsys's display targets from now on. */
void present_wrap(struct sw_winsys *winsys);

#endif
