/* SPDX-License-Identifier: MIT */
/*
 * The X window of a drawable, as Mesa's loaders keep it.
 */
#ifndef ATOLL_TARGET_WINDOWS_H
#define ATOLL_TARGET_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>
#include <X11/Xlib.h>
#include <xcb/xcb.h>

struct dri_drawable;

struct x_window {
   xcb_connection_t *xcb;
   Display *display;  /* that has it; NULL: none */
   bool programs_own; /* the program has events by it, too: else EGL has opened it */
   xcb_drawable_t id;
   xcb_gcontext_t gc; /* for what is swapped in */
   uint8_t depth;
};

/** Whether GLX has made the drawable: what its loader keeps of it is then a drisw_drawable. */
bool made_by_glx(const struct dri_drawable *drawable);

/** The drawable's window. False: it has none of X. */
bool x_window_of(const struct dri_drawable *drawable, struct x_window *window);

#endif
