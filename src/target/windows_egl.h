/* SPDX-License-Identifier: MIT */
/*
 * The X window of a drawable of EGL.
 */
#ifndef ATOLL_TARGET_WINDOWS_EGL_H
#define ATOLL_TARGET_WINDOWS_EGL_H

#include "windows.h"

/** Of a drawable that EGL has made. False: it is no window of X. */
bool egl_window_of(const struct dri_drawable *drawable, struct x_window *window);

#endif
