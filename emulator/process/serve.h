/* SPDX-License-Identifier: MIT */
/*
 * A device that serves clients of other processes: each channel (frontdoor/wire.h) has a thread,
 * which answers its requests one by one, as a thread of the client would make the calls itself.
 */
#ifndef ATOLL_PROCESS_SERVE_H
#define ATOLL_PROCESS_SERVE_H

#include <stdbool.h>

struct atoll_device;

/* Takes over `fd`, the first channel of a client.  `alone`: all clients are of one process, and may
 * have what goes from client to client by number alone, and the device's messages. */
void serve_client(struct atoll_device *device, int fd, bool alone);

#endif
