/* SPDX-License-Identifier: MIT */
/*
 * Inside the front door: the device, its clients and their queue, as every GPU's kernel interface
 * needs them.  What one GPU's interface adds, and its command streams, is a driver's (driver.h).
 *
 * Locks, in the order they may be taken:  that of kms  ->  client->lock (handles)  ->
 * client->running (held while a submission of the client executes; its holder may unmap)  ->
 * device->lock (queue, list of shared buffers)  ->  those inside vm, arena and report.
 */
#ifndef ATOLL_FRONTDOOR_DEVICE_H
#define ATOLL_FRONTDOOR_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <atoll/device.h>

#include "frontdoor/driver.h"
#include "frontdoor/report.h"
#include "memory/bo.h"
#include "memory/ranges.h"
#include "memory/space.h"
#include "options.h"

struct capture;
struct kms;
struct mapped;
struct sync_file;
struct syncobjs;
struct remote;
struct remote_client;

enum device_state {
   DEVICE_RUNNING,
   DEVICE_EXITED, /* the process is ending: submissions are dropped */
   DEVICE_LOST,   /* it is the parent's, or a signal handler called exit() in a submission */
};

/* A copy of an IB on its way to the device. */
struct job {
   struct job *next;
   struct atoll_client *client;
   uint64_t seq;
   uint32_t ring; /* the driver's number for it */
   bool waits;    /* the thread that submits it waits for it next */
   bool patient;  /* its client never asked to be told of resets */
   bool begins_frame, ends_frame;
   uint32_t context; /* the client's number for the context that it belongs to; 0: unknown */
   uint32_t num_words;
   uint32_t words[];
};

struct atoll_device {
   struct remote *remote; /* it is another process's (remote.h), and all that follows is unused but
                             driver, state and client_ids */
   const struct frontdoor_driver *driver;
   void *gpu;         /* the driver's, from start() */
   _Atomic int state; /* enum device_state */
   uint32_t isa;      /* of its shader cores, enum atoll_isa */
   bool files;        /* each buffer has a file of its own, since clients are other processes */
   bool synchronous;  /* the submitting thread executes: there is one processor */
   struct options_limits limits;
   _Atomic int64_t said_limit; /* the second of the monotonic clock in which a line was printed */
   struct capture *capture;
   pthread_mutex_t capture_lock; /* held from one submission's pages to its hash */
   bool frame_ended;             /* by the newest submission; capture_lock */
   struct report *report;
   struct arena *arena;
   uint64_t epoch_ns;
   _Atomic uint64_t client_ids;

   pthread_mutex_t lock;
   pthread_cond_t work, done;
   pthread_t thread;
   bool stop;
   bool executing;
   pthread_t executor;           /* while `executing` */
   struct atoll_client *current; /* its submission, then; else NULL */
   struct job *first, **last;
   unsigned queued;
   uint64_t submitted;         /* sequence numbers given out */
   _Atomic uint64_t completed; /* all up to this one have executed */
   struct bo *shared;          /* exported or named; each holds no reference of its own */
   struct mapped *mapped;      /* what clients have mapped */
   uint32_t flink_names;
   struct sync_file *sync_files; /* that are not signalled (syncobj.h) */
};

/* A handle: a buffer as one client knows it. */
struct handle {
   struct bo *bo; /* NULL: free slot */
   uint64_t va;   /* 0: not mapped */
   bool assigned; /* at `va` by gem_assign_va() */
};

/* A buffer that was closed or unmapped while submissions that may use it were under way. */
struct zombie {
   struct zombie *next;
   struct bo *bo;
   uint64_t va, seq;
   bool assigned;
};

struct atoll_client {
   struct atoll_device *device;
   uint64_t id;
   bool check_memory; /* its pointers may be bad (user.h) */
   bool render;       /* of a render node */
   /* It asked for the size of its address space, so it has one whatever the chip is
    * (ATOLL_INFO_VA_SIZE). */
   _Atomic bool own_addresses;
   pthread_mutex_t lock;
   struct handle *handles; /* handle n at [n - 1] */
   uint32_t num_handles, free_handle;
   uint32_t used_handles;
   uint64_t bytes; /* of the buffers that they name */
   pthread_mutex_t running;
   struct vm *vm;
   void *context; /* the driver's, from open() */
   pthread_mutex_t zombie_lock;
   struct zombie *zombies;
   struct ranges free_va; /* free addresses for gem_assign_va(), empty until then; zombie_lock */
   _Atomic uint64_t last_seq;
   struct syncobjs *syncobjs;    /* (syncobj.h); device->lock */
   _Atomic bool gone;            /* nobody waits for its submissions: they are dropped */
   struct client_status *status; /* of a client in another process (wire.h); else NULL */
   struct remote_client *remote; /* its part of device->remote; of all else, id and check_memory */
   struct kms *kms; /* its screen (kms.h), NULL until it asks for one; never another then */
};

/* device.c */
/* How a process that serves others makes its device. */
struct device_setup {
   /* Gives up what the device needs no more once all its files are open, before it has threads.
    * 0 or an errno. */
   int (*confine)(void);
};
/* The process's device, or NULL with errno.  Made at the first call, with shader cores of the
 * instruction set (enum atoll_isa) that isa() chooses; in a forked child, at its first.  Without a
 * `setup` it is where ATOLL_DEVICE says. */
struct atoll_device *device_get(const struct frontdoor_driver *driver, uint32_t (*isa)(void),
                                const struct device_setup *setup);
/* What limit ends something: a message, and a line on standard error, at most one in a second. */
void device_say_limit(struct atoll_device *device, const char *what, const char *name,
                      uint64_t limit);
/* Nanoseconds since the device was made. */
uint64_t device_ns(const struct atoll_device *device);

/* ioctl.c */
#define FRONTDOOR_ARG 256u /* bytes of the largest struct of an ioctl, and of *copy */
/* atoll_client_ioctl() of a copy of the client's struct. */
int frontdoor_ioctl(struct atoll_client *client, unsigned long request, void *copy);
/* A descriptor of the buffer at mmap offset *offset, for the caller to close, and the offset in its
 * file.  0 or a negative errno. */
int frontdoor_map(struct atoll_client *client, uint64_t length, uint64_t *offset, int *fd);

/* queue.c */
int queue_start(struct atoll_device *device);
/* Finishes what is queued; later submissions are dropped.  False: the calling thread is inside
 * one or the queue, of which nothing more comes; nobody may wait for it, or take apart what it
 * uses. */
bool queue_stop(struct atoll_device *device);
/* Takes ownership of `job`; gives it its number and returns that. */
uint64_t queue_submit(struct atoll_device *device, struct job *job);
/* The number of the newest submission. */
uint64_t queue_newest(struct atoll_device *device);
/* The client's process has ended: its submission that executes is ended, and what it has queued is
 * dropped.  Waits for that. */
void queue_abandon(struct atoll_client *client);
/* Waits until it has executed; may execute it, and what is before it, on the calling thread. */
void queue_wait(struct atoll_device *device, uint64_t seq);
static inline bool
queue_done(struct atoll_device *device, uint64_t seq)
{
   return atomic_load_explicit(&device->completed, memory_order_acquire) >= seq;
}

/* submit.c */
/* A buffer that a submission names. */
struct submit_buffer {
   struct bo *bo; /* with a reference */
   uint32_t handle;
};
/* Takes over `job`, queues it, and marks the buffers busy until it has executed; the
 * references stay the caller's.  Captures it, and waits for it, where the device does so. */
void submit_job(struct atoll_client *client, struct job *job, const struct submit_buffer *buffers,
                uint32_t num_buffers);

/* Of a client, whatever ATOLL_LIMITS says. */
#define GEM_MAX_HANDLES (1u << 20)

/* A buffer's mmap offset: its handle, above the bytes of the largest buffer. */
#define GEM_MMAP_SHIFT 34

/* gem.c.  All that return an int return 0 or a negative errno. */
/* A buffer of at least `size` bytes, and the client's handle for it. */
int gem_create(struct atoll_client *client, uint64_t size, uint32_t domain, uint32_t *handle);
/* Whether all buffers together may have `size` bytes more, once what can go has gone. */
bool gem_make_room(struct atoll_client *client, uint64_t size);
/* The same as gem_create() of `size` bytes of the client's own memory, whole pages, which must be
 * shared. */
int gem_create_user(struct atoll_client *client, uint64_t address, uint64_t size, uint32_t domain,
                    uint32_t *handle);
/* A reference to the buffer of `handle`, or NULL. */
struct bo *gem_lookup(struct atoll_client *client, uint32_t handle);
/* References to those of `count` handles, up to the first that does not exist; how many. */
uint32_t gem_lookup_all(struct atoll_client *client, struct submit_buffer *buffers, uint32_t count);
/* Where `handle` is mapped; 0 when it is not. */
uint64_t gem_address(struct atoll_client *client, uint32_t handle);
/* Maps `handle` at *va.  Where it is mapped already, that stays so: *exists, and *va is where. */
int gem_map(struct atoll_client *client, uint32_t handle, uint64_t *va, bool *exists);
/* Unmaps it as soon as no submission can need it; nothing, where it is not mapped. */
int gem_unmap(struct atoll_client *client, uint32_t handle);
/* Where `handle` is mapped; a buffer that is not mapped is put where there is room. */
int gem_assign_va(struct atoll_client *client, uint32_t handle, uint64_t *va);
/* The client's handle for `bo`, or 0.  Call with client->lock held, as the next one. */
uint32_t gem_find_handle(const struct atoll_client *client, const struct bo *bo);
/* A new handle for it, which takes a reference.  0 on lack of memory. */
uint32_t gem_add_handle(struct atoll_client *client, struct bo *bo);
int gem_close(struct atoll_client *client, uint32_t handle);
/* Drops a reference; takes the buffer off the list of shared ones with the last. */
void gem_unref(struct atoll_device *device, struct bo *bo);
void gem_unref_locked(struct atoll_device *device, struct bo *bo); /* with device->lock held */
void gem_unref_all(struct atoll_device *device, const struct submit_buffer *buffers,
                   uint32_t count);
/* Unmaps what only submissions up to `seq` needed; call with client->running held. */
void gem_reap(struct atoll_client *client, uint64_t seq);
void gem_release_all(struct atoll_client *client);

/* mapped.c.  Call with device->lock held. */
/* NULL on lack of memory. */
struct mapped *mapped_create(void);
/* Buffers of clients' mappings keep their pages.  False on lack of memory. */
bool mapped_add(struct atoll_device *device, struct bo *bo, void *address, size_t length);
/* It is being unmapped; nothing, if it is no mapping of a buffer, or a part of one. */
void mapped_remove(struct atoll_device *device, void *address, size_t length);
/* Whether `address` lies in one, where it was mapped. */
bool mapped_at(const struct atoll_device *device, const void *address);
/* Nothing but mappings holds one more buffer. */
void mapped_held(struct atoll_device *device);
/* Lets go of buffers that the kernel says have no mappings any more. */
void mapped_sweep(struct atoll_device *device);

/* share.c: PRIME, FLINK and OPEN; `arg` is a copy of the client's struct. */
int share_ioctl(struct atoll_client *client, unsigned nr, void *arg);
/* No handle leads to it any more: its name is free.  Call with device->lock held, as the next. */
void share_unname(struct atoll_device *device, struct bo *bo);
void share_forget(struct atoll_device *device, struct bo *bo);

#endif
