/* SPDX-License-Identifier: MIT */
/* The radeon interface of a device in another process. */
#ifndef ATOLL_RADEON_REMOTE_H
#define ATOLL_RADEON_REMOTE_H

struct remote_driver;

extern const struct remote_driver radeon_remote;

#endif
