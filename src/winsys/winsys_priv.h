/* SPDX-License-Identifier: MIT */
/*
 * What the files of the winsys share: the connection, and its pools.
 */
#ifndef ATOLL_WINSYS_PRIV_H
#define ATOLL_WINSYS_PRIV_H

#include "winsys.h"

#include <pthread.h>

#include "util/vma.h"

/* Size classes of parts: 256 bytes to 32 KiB. */
#define SLAB_MIN_ORDER 8
#define SLAB_MAX_ORDER 15
#define SLAB_ORDERS    (SLAB_MAX_ORDER - SLAB_MIN_ORDER + 1)
/* Empty slabs that stay: as much as uploads of small textures have in flight, and some. */
#define SLAB_EMPTY_BYTES (UINT64_C(4) << 20)
/* The cache of whole BOs: one list for each power of two. */
#define CACHE_BUCKETS    34
#define CACHE_MAX_BYTES  (UINT64_C(48) << 20)
#define CACHE_MAX_AGE_NS INT64_C(1000000000)
/* Submissions that may be queued before the next one waits: bounds latency and memory. */
#define MAX_IN_FLIGHT 8
#define NUM_MARKERS   16
/* Of the device, in bytes. */
#define PAGE UINT64_C(4096)

struct atoll_slab {
   struct atoll_bo *bo;
   struct atoll_bo *entries;
   unsigned num_entries, num_free, order;
   struct atoll_slab *prev, *next;
};

/* A list that is taken from the head and filled at the tail: oldest first. */
struct bo_list {
   struct atoll_bo *head, *tail;
};

struct atoll_winsys {
   struct atoll_winsys_info info;
   int fd;                      /* -1: in process */
   struct atoll_client *client; /* NULL: over the fd */
   uint32_t contexts;           /* numbers given out */
   bool tells_guilt;            /* the device knows ATOLL_INFO_GUILT */
   uint64_t client_id;          /* ATOLL_INFO_CLIENT; 0: the device does not say */
   unsigned generation;         /* of forked processes, see atoll_winsys_lost */

   uint32_t last_bo_id;  /* atomic */
   pthread_mutex_t lock; /* pools, address space */
   struct util_vma_heap vma;
   uint64_t va_end; /* of the addresses that it gives out */
   struct bo_list cache[CACHE_BUCKETS];
   uint64_t cache_bytes;
   struct bo_list slab_free[SLAB_ORDERS];
   struct atoll_slab *slabs;
   uint64_t slab_empty_bytes;
   /* Held, before `lock`, from an import's ioctl until its BO is in the list, and from when one
    * leaves the list until its handle is closed: a handle is one BO, and what an import is told of
    * does not go meanwhile. */
   pthread_mutex_t sharing;
   struct atoll_bo *shared;

   pthread_mutex_t submit_lock;
   uint64_t last_seq; /* of the last submission */
   bool new_frame;    /* one ended since; atomic */
   struct atoll_bo *fence_bo;
   struct atoll_bo *markers[NUM_MARKERS];
   uint64_t *fence_map; /* the device writes the number of what it has ended */
   uint64_t done;       /* at least this number has ended */
   uint32_t stamp;
   struct drm_radeon_cs_reloc *relocs;
   unsigned max_relocs;
   bool reported;
};

/** The ioctl over whichever transport; 0 or a negative errno. */
int atoll_winsys_ioctl(struct atoll_winsys *ws, unsigned long request, void *arg);
/** Says on stderr, once, that a forked child has used what its parent made. */
void atoll_winsys_say_lost(void);
void atoll_bo_pools_init(struct atoll_winsys *ws, uint64_t va_start, uint64_t va_end);
void atoll_bo_pools_finish(struct atoll_winsys *ws);
/** Maps a BO's memory at a GEM_MMAP offset. */
void *atoll_winsys_mmap(struct atoll_winsys *ws, uint64_t size, uint64_t offset);
void atoll_winsys_munmap(struct atoll_winsys *ws, void *map, uint64_t size);

#endif
