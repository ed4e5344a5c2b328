/* SPDX-License-Identifier: MIT */
/*
 * DRM's synchronisation objects, of drivers that have them (frontdoor_driver.syncobjs).
 *
 * Submissions execute in the order of their sequence numbers, so a fence is such a number: it is
 * signalled when all up to it have executed, and number 0 is signalled from the start.  What a
 * submission waits for has an earlier number, or the kernel refuses it: there is nothing left to
 * wait for when it executes.
 *
 * An object holds no fence, one, or the points of a timeline with a fence each.
 */
#ifndef ATOLL_SYNCOBJ_H
#define ATOLL_SYNCOBJ_H

#include <stdint.h>

struct atoll_client;
struct atoll_device;
struct sync_file;
struct syncobj;
struct syncobjs;

/* The ioctls; `arg` is a copy of the client's struct.  0 or a negative errno. */
int syncobj_ioctl(struct atoll_client *client, unsigned nr, void *arg);

/* A reference to the object of `handle`, or NULL. */
struct syncobj *syncobj_get(struct atoll_client *client, uint32_t handle);
void syncobj_put(struct atoll_client *client, struct syncobj *object);

/* The fence of a point, or with 0 the last one.  0, or -EINVAL: there is none. */
int syncobj_fence(struct atoll_client *client, struct syncobj *object, uint64_t point,
                  uint64_t *seq);

/* Gives it a fence: as a point of its timeline, or with 0 in exchange for all that it has. */
void syncobj_set(struct atoll_client *client, struct syncobj *object, uint64_t point, uint64_t seq);

/* Tells sync files that submissions up to `seq` have executed; call with device->lock held. */
void sync_files_signal(struct atoll_device *device, uint64_t seq);

void syncobjs_release(struct atoll_client *client);

#endif
