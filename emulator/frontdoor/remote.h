/* SPDX-License-Identifier: MIT */
/*
 * A device in another process, as a client sees it: the front door's own functions, each of which
 * the public one of the same kind calls where the device is not here.
 *
 * ATOLL_DEVICE says where it is: `process` is one that this process starts, and which ends with it;
 * a path is the socket of one that serves several processes (atoll-device).  It holds all buffers,
 * each in a file of its own, and executes all work; this process has sockets to it, and maps of the
 * buffers that it writes to.
 *
 * When the device's process ends, that is a reset to every client.  The one with a submission that
 * was executing is guilty of it, with the context that submitted this; what else was under way is
 * dropped.  The next call starts the device again, or finds the next one at its socket, and makes
 * the client's buffers once more, under their handles and at their addresses.  Those that this
 * process has mapped keep what is in them; the contents of others are lost, and read zero.
 *
 * A forked child has no connection, and private zeros where its parent has buffers.
 */
#ifndef ATOLL_FRONTDOOR_REMOTE_H
#define ATOLL_FRONTDOOR_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct atoll_client;
struct remote;
struct remote_client;

/* NULL with errno, and a line on standard error.  `forked`: the process is a forked child. */
struct remote *remote_open(const char *where, bool forked);

/* Around fork(), and in the child, which has a lost device. */
void remote_lock(struct remote *remote);
void remote_unlock(struct remote *remote);
void remote_forked(struct remote *remote);

/* What the device reported; nothing of one that serves other processes, too. */
size_t remote_messages(struct remote *remote, char *buffer, size_t size);
/* See atoll_device_unmapping() and atoll_device_mapped(). */
void remote_unmapping(struct remote *remote, const void *address, size_t length);
bool remote_mapped(struct remote *remote, const void *address);

/* NULL with errno. */
struct remote_client *remote_client_open(struct remote *remote, const struct atoll_client *client);
void remote_client_close(struct remote_client *rc);
void remote_client_render(struct remote_client *rc);
/* `copy` is one of the client's struct, of FRONTDOOR_ARG bytes. */
int remote_ioctl(struct remote_client *rc, unsigned long request, void *copy);
void *remote_mmap(struct remote_client *rc, void *address, size_t length, int prot, int flags,
                  uint64_t offset);

#endif
