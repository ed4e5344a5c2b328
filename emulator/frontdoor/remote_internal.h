/* SPDX-License-Identifier: MIT */
/*
 * Inside the client's side of a device in another process (remote.h): what it knows of the device,
 * and what a driver adds for its own ioctls.
 *
 * Locks: remote->starting  ->  remote->lock.  Neither is held while an answer is waited for, but
 * `starting` by the one thread that starts the device again.
 */
#ifndef ATOLL_FRONTDOOR_REMOTE_INTERNAL_H
#define ATOLL_FRONTDOOR_REMOTE_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "frontdoor/remote.h"
#include "frontdoor/wire.h"

/* A buffer as it can be made again: the handle is the index, and one. */
struct remote_buffer {
   uint64_t size; /* 0: no such handle */
   uint64_t va;   /* 0: not mapped, or where the device likes */
   uint32_t domain, tiling, pitch;
   int fd; /* of one that others have, too; -1 */
};

/* What this process has mapped of a buffer. */
struct remote_view {
   struct remote_view *next;
   struct remote_client *rc;
   uintptr_t address;
   size_t length; /* whole pages */
   uint64_t offset;
   uint32_t handle; /* 0: it has none any more */
   int prot;
   ino_t ino; /* of the file that is mapped there, if it is still that */
};

struct remote {
   char *path; /* of the device's socket; NULL: it is a process of ours */
   pthread_mutex_t starting;
   pthread_mutex_t lock; /* all lists, and all descriptors that a forked child closes */
   pthread_cond_t free;  /* a channel is */
   int root;             /* of a process of ours; -1: there is none */
   bool forked;          /* this process is a forked child */
   unsigned devices;     /* that this process has started */
   struct remote_client *clients;
   struct remote_view *views;
};

/* A connection for one call at a time. */
struct remote_channel {
   struct remote_channel *next;
   int fd;
   unsigned generation;
   bool busy;
   struct wire_buffer out, in;
};

/* Resets that one of the client's contexts was the cause of, those of devices that are no more
 * included. */
struct remote_guilt {
   uint32_t context, before, now;
   bool ended; /* the last one was a device's end */
};

struct remote_client {
   struct remote_client *next;
   struct remote *remote;
   const struct atoll_client *client;
   bool render;
   _Atomic unsigned generation; /* of connections */
   bool restoring;              /* only the thread that connects it again calls */
   bool lost;                   /* there is no device: the next call looks for one again */
   int control;                 /* where channels are asked for; -1: it is lost */
   struct remote_channel *channels;
   struct client_status *status; /* NULL: none */
   struct remote_buffer *buffers;
   uint32_t num_buffers;
   uint32_t resets_before, resets_now; /* of devices that are no more, and of this one */
   struct remote_guilt *guilt;
   unsigned num_guilt;
};

/* Devices that may end in the midst of one call before it is given up. */
#define REMOTE_ATTEMPTS 4

/* remote_start.c */
/* A connection for a new client, which says hello: the socket, and its status page in *status.  -1
 * with errno. */
int remote_connect(struct remote *remote, int *status);

/* remote_call.c: a request and its answer. */
struct remote_call {
   struct remote_client *rc;
   struct wire_head head;
   struct wire_range ranges[WIRE_RANGES];
   const void *arg;
   int fd;     /* goes with it; -1 */
   int answer; /* descriptor that came with the answer, which is the caller's; -1 */
   bool drops; /* where the device ends that has got it, it counts as done */
   bool once;  /* it means nothing to devices after that of `generation`: there it is done */
   unsigned generation;
   struct remote_channel *channel;
   struct wire_message reply;
};

/* Adds memory of the client's that the device reads, or writes.  False: there are too many. */
bool remote_add(struct remote_call *call, uint64_t address, uint64_t bytes, uint32_t access);
/* Sends it and waits for the answer, with a device that is started again where that is necessary.
 * The result is the device's, or a negative errno.  remote_finish() follows. */
int remote_run(struct remote_call *call);
/* The same with the device that there is. */
int remote_once(struct remote_call *call);
/* That, of a message with nothing in it. */
int remote_tell(struct remote_client *rc, enum wire_kind kind);
/* Whether the answer came from a device that has ended since.  Call with remote->lock held. */
bool remote_is_stale(const struct remote_call *call);
/* Where the answer has the bytes of range `index`, and how many. */
uint8_t *remote_answer(struct remote_call *call, unsigned index, uint32_t *bytes);
/* Gives them to the client; 0 or -EFAULT. */
int remote_give(struct remote_call *call);
void remote_finish(struct remote_call *call);
/* Ends the connection: closes the channels that nobody uses, ends the others', and begins another
 * generation.  Call with remote->lock held. */
void remote_disconnect(struct remote_client *rc);

/* remote.c: connects again after a connection of that generation has ended.  False: there is no
 * device. */
bool remote_again(struct remote_client *rc, unsigned generation);
/* The buffer of a handle, which is new where `make` says so; NULL: none.  Call with remote->lock
 * held. */
struct remote_buffer *remote_buffer(struct remote_client *rc, uint32_t handle, bool make);
/* The same of a context's entry. */
struct remote_guilt *remote_guilt_of(struct remote_client *rc, uint32_t context, bool make);

/* What a driver knows of its own ioctls; `nr` counts from DRM_COMMAND_BASE. */
struct remote_driver {
   /* Adds the memory that the ioctl names.  0 or a negative errno. */
   int (*gather)(struct remote_call *call, unsigned nr, const void *arg);
   /* It went well: what it changed is kept, and its answer made whole. */
   void (*answered)(struct remote_call *call, unsigned nr, const void *arg);
   /* Makes a buffer like that one, under the least handle that is free. */
   int (*create)(struct remote_client *rc, const struct remote_buffer *buffer, uint32_t *handle,
                 int (*ioctl)(struct remote_client *rc, unsigned long request, void *arg));
   /* Gives it what else that one has. */
   int (*restore)(struct remote_client *rc, const struct remote_buffer *buffer, uint32_t handle,
                  int (*ioctl)(struct remote_client *rc, unsigned long request, void *arg));
};

#endif
