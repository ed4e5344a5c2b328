/* SPDX-License-Identifier: MIT */
/*
 * The panthor kernel driver as programs see it: address spaces that they manage themselves, groups
 * of queues that run command streams, tiler heaps.
 *
 * A client's objects have its lock (of struct panthor_client); those that submissions use count
 * references.  Locks, in the order in which they may be taken: client->running  ->  that of an
 * address space  ->  device->lock; the client's own is held with none of them but device->lock.
 */
#ifndef ATOLL_PANTHOR_H
#define ATOLL_PANTHOR_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "csf/csf.h"
#include "frontdoor/device.h"
#include "frontdoor/syncobj.h"
#include "memory/ranges.h"
#include "panthor/abi.h"

struct gfx;
struct mali_draws;

#define PANTHOR_VMS    32u
#define PANTHOR_GROUPS 128u
#define PANTHOR_HEAPS  128u

/* The device's. */
struct panthor {
   bool trace, strict;
   uint64_t budget;        /* of a submission (work.c) */
   int flush_page;         /* a file of one page */
   struct gfx *gfx;        /* what draws; NULL before the first frame */
   struct mali_rows *rows; /* the same, of copies of textures */
   _Atomic int64_t said;   /* the second of the monotonic clock in which a line was printed */
};

static inline struct panthor *
panthor_of(const struct atoll_device *device)
{
   return device->gpu;
}

/* [va, va + size) is mapped to some of a buffer. */
struct panthor_mapping {
   uint64_t va, size;
   struct bo *bo;
};

/* What has a handle; the first of each struct below that has one. */
struct panthor_object {
   atomic_uint references;
};

struct panthor_vm {
   struct panthor_object object;
   struct atoll_device *device;
   struct vm *vm;
   uint64_t user_range; /* addresses from here on are the kernel's */
   _Atomic bool unusable;
   pthread_mutex_t lock;
   struct panthor_mapping *mappings; /* in the order of addresses */
   size_t count, room;
   struct ranges kernel; /* free addresses of the kernel's */
};

struct panthor_group {
   struct panthor_object object;
   uint64_t id; /* for messages */
   struct panthor_vm *vm;
   unsigned count;
   struct cs_queue queues[CS_QUEUES];
   _Atomic uint32_t state, fatal_queues;
   struct mali_draws *draws; /* of its tilers; NULL: none yet */
};

struct panthor_heap {
   struct panthor_vm *vm; /* NULL: no heap */
   uint64_t va, size;     /* context and chunks, one buffer */
};

struct panthor_client {
   pthread_mutex_t lock;
   struct panthor_object *vms[PANTHOR_VMS]; /* id n at [n - 1], and so for all */
   struct panthor_object *groups[PANTHOR_GROUPS];
   struct panthor_heap heaps[PANTHOR_HEAPS];
   _Atomic uint64_t groups_made;
};

static inline struct panthor_client *
panthor_client_of(const struct atoll_client *client)
{
   return client->context;
}

/* The device with panthor in front of it; as atoll_device_get(). */
struct atoll_device *panthor_device_get(void);

/* A line on standard error, at most one in a second, and a message. */
void panthor_say(struct atoll_device *device, const char *format, ...)
   __attribute__((format(printf, 2, 3)));
uint64_t panthor_ticks(const struct atoll_device *device);

/* handles.c: one of the client's tables.  A reference to the object of that handle, or NULL; a
 * handle for one, the reference to which it takes over, 0 where none is free; that reference, or
 * NULL. */
struct panthor_table {
   struct panthor_object **objects;
   uint32_t count;
};
struct panthor_object *panthor_get_handle(struct atoll_client *client,
                                          const struct panthor_table *table, uint32_t handle);
uint32_t panthor_add_handle(struct atoll_client *client, const struct panthor_table *table,
                            struct panthor_object *object);
struct panthor_object *panthor_remove_handle(struct atoll_client *client,
                                             const struct panthor_table *table, uint32_t handle);

/* array.c */
/* The structs of `array`, `size` bytes each in a block for free(), of which a client has to give
 * `least`.  0 or a negative errno; NULL where there are none. */
int panthor_read_array(struct atoll_client *client, const struct panthor_array *array, size_t size,
                       size_t least, void **structs);

/* sync.c: what an operation signals. */
struct panthor_signal {
   struct syncobj *object;
   uint64_t point;
};
struct panthor_syncs {
   struct panthor_signal *signals;
   uint32_t count;
};
/* What one call hands to the queue. */
struct panthor_call {
   struct atoll_client *client;
   struct panthor_work *work;
   struct panthor_syncs *syncs; /* of each of its streams or binds */
   uint32_t operations;         /* of all syncs */
};
/* Takes what `array` says of stream or bind `n`: waits are looked at alone (frontdoor/syncobj.h),
 * or are for earlier ones of the call, which streams keep; signals are kept. */
int panthor_take_syncs(struct panthor_call *call, uint32_t n, const struct panthor_array *array);
void panthor_signal_syncs(struct atoll_client *client, const struct panthor_syncs *syncs,
                          uint64_t seq);
void panthor_drop_syncs(struct atoll_client *client, struct panthor_syncs *syncs);

/* query.c, memory.c, group.c, heap.c: ioctls; `arg` is a copy of the client's struct. */
int panthor_query_ioctl(struct atoll_client *client, struct panthor_dev_query *args);
int panthor_memory_ioctl(struct atoll_client *client, unsigned nr, void *arg);
int panthor_group_ioctl(struct atoll_client *client, unsigned nr, void *arg);
int panthor_heap_ioctl(struct atoll_client *client, unsigned nr, void *arg);

/* memory.c */
/* A reference to the address space of that id, or NULL. */
struct panthor_vm *panthor_vm_get(struct atoll_client *client, uint32_t id);
void panthor_vm_put(struct panthor_vm *vm);
/* Maps a part of a buffer, in exchange for what lies there.  0 or a negative errno. */
int panthor_vm_map(struct panthor_vm *vm, uint64_t va, struct bo *bo, uint64_t offset,
                   uint64_t size);
int panthor_vm_unmap(struct panthor_vm *vm, uint64_t va, uint64_t size);
/* Whether a buffer is mapped that other processes may have. */
bool panthor_vm_is_shared(struct panthor_vm *vm);

void panthor_group_put(struct panthor_group *group);

/* work.c: what the queue executes. */
struct panthor_stream {
   uint32_t queue, bytes;
   uint64_t address;
   uint32_t *after; /* streams of the same work that have to end first; may be NULL */
   uint32_t num_after;
   bool begun, ended;
};
struct panthor_bind {
   uint32_t type; /* PANTHOR_BIND_MAP, ... */
   uint64_t va, size, offset;
   struct bo *bo; /* with a reference, of a map */
};
struct panthor_work {
   struct panthor_vm *vm;       /* with a reference */
   struct panthor_group *group; /* with a reference; NULL: binds */
   uint32_t count;
   struct panthor_stream *streams;
   struct panthor_bind *binds;
};

/* Begins a call of `count` streams of a group, or binds without one; takes over the references to
 * both.  0 or a negative errno, and then it has none. */
int panthor_begin_call(struct panthor_call *call, struct atoll_client *client,
                       struct panthor_vm *vm, struct panthor_group *group, uint32_t count);
/* Queues what it has, and signals its syncs when that has executed; or drops all of it where
 * `result` is not 0.  0 or a negative errno. */
int panthor_end_call(struct panthor_call *call, int result);
void panthor_execute(struct atoll_device *device, const struct job *job);
/* What a submission may spend, by ATOLL_BUDGET. */
uint64_t panthor_budget(void);
/* Does one now.  No submission may execute (client->running), where it removes a mapping. */
int panthor_do_bind(struct panthor_vm *vm, const struct panthor_bind *bind);

/* driver.c: makes what draws, the first time.  NULL: no memory. */
struct gfx *panthor_gfx(struct atoll_device *device);

/* endpoint.c: what streams start; `data` is a struct panthor_run. */
struct panthor_run {
   struct atoll_device *device;
   struct panthor_group *group;
};
enum cs_exception panthor_endpoint(void *data, const struct cs_env *env,
                                   const struct cs_queue *queue, uint64_t word);

#endif
