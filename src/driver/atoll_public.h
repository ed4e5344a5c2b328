/* SPDX-License-Identifier: MIT */
/*
 * The driver's two doors: a screen on the device of this process, and a screen on a DRM node.
 */
#ifndef ATOLL_PUBLIC_H
#define ATOLL_PUBLIC_H

#ifdef __cplusplus
extern "C" {
#endif

struct pipe_screen;
struct pipe_screen_config;
struct sw_winsys;

/**
 * A screen on the process's own device. `winsys` presents its display targets and stays the
 * caller's; it must outlive the screen. NULL if there is no device.
 */
struct pipe_screen *atoll_screen_create_sw(struct sw_winsys *winsys,
                                           const struct pipe_screen_config *config);

/** A screen on a DRM node (the fd is duplicated), the same one for every descriptor of one open
 * node; whoever got it destroys it once. NULL if the node is no Atoll device. */
struct pipe_screen *atoll_screen_create_drm(int fd, const struct pipe_screen_config *config);

#ifdef __cplusplus
}
#endif

#endif
