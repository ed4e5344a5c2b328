/* SPDX-License-Identifier: MIT */
/*
 * Which of Mesa's loaders a drawable is of.
 */
#ifndef ATOLL_TARGET_GLX_H
#define ATOLL_TARGET_GLX_H

#include <stdbool.h>

struct dri_drawable;

/** Whether GLX has made the drawable: what its loader keeps of it is then a drisw_drawable. */
bool glx_made(const struct dri_drawable *drawable);

#endif
