/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects: a number of pages with one of three backings.  Most are a range of the
 * device's arena; an exported one has a memfd of its own, so that its file descriptor gives this
 * buffer and no other; a USERPTR one is the client's own shared memory.
 */
#ifndef ATOLL_BO_H
#define ATOLL_BO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct arena;

enum bo_backing {
   BO_ARENA,
   BO_FILE,
   BO_USER,
};

struct bo {
   atomic_uint references;
   uint64_t size; /* bytes, whole pages */
   struct arena *arena;
   enum bo_backing backing;
   int fd;          /* BO_ARENA: the arena's; BO_FILE: its own */
   uint64_t offset; /* in fd */
   void *user;      /* BO_USER: our duplicate of the client's mapping */
   bool whole;      /* which is one mapping of one file */
   dev_t dev;       /* BO_FILE: which file, to find the buffer again on import */
   ino_t ino;
   bool inside; /* ... which no other device has */
   /* What drivers keep of it for each other; nobody else looks. */
   uint32_t domain; /* where it was created: the driver's bits */
   uint32_t tiling, pitch;
   uint32_t flink;       /* global name, 0 without one */
   atomic_uint handles;  /* of clients */
   uint32_t mapped;      /* references that clients' mappings hold (frontdoor/mapped.c) */
   atomic_bool touched;  /* mapped by a client, or of several, at some time */
   struct bo *next_held; /* while somebody looks whether they are there */
   enum { BO_NOT_LOOKED_FOR, BO_NOT_SHOWN, BO_SHOWN } look;
   _Atomic uint64_t last_seq; /* submission that used it last */
   struct bo *next;           /* device's list of exported and named buffers */
};

/* Each: a buffer with one reference, or NULL and errno. */
struct bo *bo_create(struct arena *arena, uint64_t size);
/* In a sealed file of its own, which counts as the arena's memory. */
struct bo *bo_create_alone(struct arena *arena, uint64_t size);
/* `address` must be shared memory, mapped for reading and writing (duplicate.h has the errors). */
struct bo *bo_create_user(struct arena *arena, void *address, uint64_t size);
/* `fd` must be sealed against shrinking (else EPERM); it is duplicated. */
struct bo *bo_create_file(struct arena *arena, int fd);

static inline struct bo *
bo_ref(struct bo *bo)
{
   atomic_fetch_add_explicit(&bo->references, 1, memory_order_relaxed);
   return bo;
}
void bo_unref(struct bo *bo);

/* Maps bytes [offset, offset + length) at `address` (with MAP_FIXED in `flags`) or anywhere.
 * MAP_FAILED with errno. */
void *bo_map(const struct bo *bo, void *address, size_t length, int prot, int flags,
             uint64_t offset);

/* Gives an arena buffer a file of its own; every mapping of it in this process follows.  The
 * device must be idle.  0 or a negative errno; -EOPNOTSUPP for USERPTR. */
int bo_move_to_file(struct bo *bo);

#endif
