/* SPDX-License-Identifier: MIT */
/*
 * The driver's two doors: a screen on the device of this process, and a screen on a DRM node.
 */
#ifndef ATOLL_PUBLIC_H
#define ATOLL_PUBLIC_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pipe_screen;
struct pipe_screen_config;
struct sw_displaytarget;
struct sw_winsys;

/** Shows display targets while the next picture is drawn. Both are called where Mesa would call
 * displaytarget_display(), on the same thread. */
struct atoll_presenter {
   /** Begins to show all of `dt` in `drawable`, in order with what the program asks the window
    * system for. False: it cannot, and nothing was done. */
   bool (*start)(struct sw_winsys *winsys, struct sw_displaytarget *dt, void *drawable);
   /** Returns when nobody reads `dt` any longer. */
   void (*wait)(struct sw_winsys *winsys, struct sw_displaytarget *dt);
};

/**
 * A screen on the process's own device. `winsys` presents its display targets and stays the
 * caller's; it must outlive the screen, as must `presenter`, which may be NULL. NULL if there is no
 * device.
 */
struct pipe_screen *atoll_screen_create_sw(struct sw_winsys *winsys,
                                           const struct atoll_presenter *presenter,
                                           const struct pipe_screen_config *config);

/** A screen on a DRM node (the fd is duplicated), the same one for every descriptor of one open
 * node; whoever got it destroys it once. NULL if the node is no Atoll device. */
struct pipe_screen *atoll_screen_create_drm(int fd, const struct pipe_screen_config *config);

#ifdef __cplusplus
}
#endif

#endif
