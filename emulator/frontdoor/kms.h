/* SPDX-License-Identifier: MIT */
/*
 * A screen for programs that set a display's mode themselves, as compositors do: DRM's ioctls of
 * that kind, for one connector with one mode.
 *
 * There is one where ATOLL_SCREEN names a file; what the screen shows is in that file, a portable
 * pixmap (PPM).  Without, the device has no display, and every such ioctl is refused.
 */
#ifndef ATOLL_FRONTDOOR_KMS_H
#define ATOLL_FRONTDOOR_KMS_H

#include <stdbool.h>

struct atoll_client;

#define KMS_WIDTH  1024
#define KMS_HEIGHT 768
#define KMS_HERTZ  60

/* Whether there is a screen. */
bool kms_wanted(void);

/* An ioctl from SET_CLIENT_CAP to DROP_MASTER or of the range of modes; `arg` is a copy of the
 * client's struct.  0 or a negative errno; -EINVAL for those that are none of ours. */
int kms_ioctl(struct atoll_client *client, unsigned nr, void *arg);

/* Lets go of what the client shows. */
void kms_close(struct atoll_client *client);

#endif
