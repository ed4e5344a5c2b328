/* SPDX-License-Identifier: MIT */
/*
 * The driver's way to a device: buffer objects, address space, command streams and fences over
 * the radeon kernel interface (radeon_drm.h), always in VM mode.
 *
 * Two transports carry the same ioctls: function calls into the device of this process
 * (atoll/device.h), and a DRM file descriptor. Everything here may be called from any thread;
 * a command stream belongs to one thread at a time.
 *
 * Time is one sequence number per screen: a submission gets the next one, the device writes it
 * to memory when the submission has ended, so that "is it done?" is a load and no ioctl.
 */
#ifndef ATOLL_WINSYS_H
#define ATOLL_WINSYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct atoll_winsys;

struct atoll_winsys_info {
   uint32_t device_id;
   uint32_t isa;          /* enum atoll_isa: what its shader cores execute */
   uint32_t crystal_khz;  /* clock of timestamps */
   uint32_t num_backends; /* slots of an occlusion query */
   uint64_t vram_size;    /* bytes */
   uint64_t gart_size;    /* bytes */
   uint64_t budget_ns;    /* a submission's limit if its context asks about resets; 0: none */
   uint64_t patience_ns;  /* and if it does not */
   uint32_t compile_s;    /* processor time of a program's compilation; 0: any */
   bool in_process;
   bool user_memory; /* atoll_bo_from_memory() may succeed */
   uint32_t drm_major, drm_minor;
};

/** A buffer object, or a part of one (small buffers share). Fields are read-only outside. */
struct atoll_bo {
   int32_t refcount;
   uint32_t id; /* unique in the process, never 0 */
   struct atoll_winsys *ws;
   uint64_t va;                  /* GPU address */
   uint64_t size;                /* bytes that may be used */
   void *map;                    /* CPU address, NULL until the first atoll_bo_map */
   uint64_t last_use;            /* sequence number of the last submission that uses it */
   uint64_t last_write;          /* ... that writes it */
   struct atoll_bo *real;        /* itself, or the BO that this is a part of */
   uint32_t handle;              /* GEM handle of `real` */
   bool shared;                  /* exported or imported: others may use it too */
   unsigned revived;             /* how often an import found it without a reference (bo.c) */
   uint32_t name;                /* flink name, 0 without one */
   bool reusable;                /* goes to the cache when freed */
   uint32_t stamp, reloc;        /* `real` only: index in the reloc list being built */
   struct atoll_bo *prev, *next; /* in a cache or a slab's free list */
   struct atoll_slab *slab;
   int64_t freed_at; /* nanoseconds */
};

enum atoll_bo_flags {
   ATOLL_BO_NO_SUBALLOC = 1 << 0, /* needs a GEM handle of its own */
};

enum atoll_usage {
   ATOLL_USAGE_READ = 1 << 0,
   ATOLL_USAGE_WRITE = 1 << 1,
};

/** Opens the process's own device. NULL when there is none (errno says why). */
struct atoll_winsys *atoll_winsys_create_device(void);
/** Takes a DRM node (duplicates the fd). NULL when it is not an Atoll device. */
struct atoll_winsys *atoll_winsys_create_drm(int fd);
/** Waits for its submissions and closes the client. All BOs must have been released. Nothing, where
 * it is lost. */
void atoll_winsys_destroy(struct atoll_winsys *ws);
const struct atoll_winsys_info *atoll_winsys_info(const struct atoll_winsys *ws);
/** Whether this process is a child of the one that connected: its device does not work here, and
 * its memory is a copy or still the parent's, so nothing may be mapped or created. What is asked of
 * it takes no lock and frees nothing, since threads that are not here may have been about it. */
bool atoll_winsys_lost(const struct atoll_winsys *ws);
/** Another connection of the same kind, for a child; the lost one stays. NULL on failure. */
struct atoll_winsys *atoll_winsys_reconnect(const struct atoll_winsys *lost);
/** The node's descriptor, -1 for the device of this process. */
int atoll_winsys_fd(const struct atoll_winsys *ws);
/** Whether a descriptor is of the open node that `ws` was made on, and `ws` of this process: what
 * one does with handles and addresses, the other sees. */
bool atoll_winsys_has_node(const struct atoll_winsys *ws, int fd);
/** A frame was presented: the next submission is of another one. Captures begin and end there. */
void atoll_winsys_end_frame(struct atoll_winsys *ws);
/** The device's clock, in ticks of crystal_khz. */
uint64_t atoll_winsys_timestamp(struct atoll_winsys *ws);
/** Counts device resets. */
uint32_t atoll_winsys_reset_count(struct atoll_winsys *ws);
/** A number for a context; atoll_cs.context takes it. */
uint32_t atoll_winsys_new_context(struct atoll_winsys *ws);
/** Of these resets, those that a context's work was the cause of, and what the last one was.
 *  False: the device does not say. */
struct atoll_guilt;
bool atoll_winsys_guilt(struct atoll_winsys *ws, uint32_t context, struct atoll_guilt *guilt);

/* What the device's sanitizer for shaders found, from 0 on: 0, -ENOENT if there is no such finding
 * yet, or another error: nothing is looked for. */
struct atoll_finding;
int atoll_winsys_finding(struct atoll_winsys *ws, uint32_t number, struct atoll_finding *finding);

/** A buffer of at least `size` bytes; alignment in bytes, a power of two. NULL on failure. */
struct atoll_bo *atoll_bo_create(struct atoll_winsys *ws, uint64_t size, uint32_t alignment,
                                 unsigned flags);
/** Wraps page-aligned shared memory of the caller, which must outlive the BO; NULL where the device
 * cannot share it. */
struct atoll_bo *atoll_bo_from_memory(struct atoll_winsys *ws, void *memory, uint64_t size);
/** The same of any whole pages that nobody else writes to meanwhile: private ones become shared,
 * also with children that are forked later. NULL where that fails. */
struct atoll_bo *atoll_bo_from_pages(struct atoll_winsys *ws, void *memory, uint64_t size);
/** `size` bytes from `offset` on of a BO that others share, as one of its own. NULL on failure. */
struct atoll_bo *atoll_bo_part(struct atoll_bo *bo, uint64_t offset, uint64_t size);
/** Opens what another client exported: a dma-buf fd, a flink name or a KMS handle. */
struct atoll_bo *atoll_bo_import_fd(struct atoll_winsys *ws, int fd);
struct atoll_bo *atoll_bo_import_name(struct atoll_winsys *ws, uint32_t name);
struct atoll_bo *atoll_bo_import_kms(struct atoll_winsys *ws, uint32_t handle);
bool atoll_bo_export_fd(struct atoll_bo *bo, int *fd);
bool atoll_bo_export_name(struct atoll_bo *bo, uint32_t *name);
bool atoll_bo_export_kms(struct atoll_bo *bo, uint32_t *handle);

/** CPU address of the BO, the same each time. NULL on failure, and always in a forked child. Does
 * not wait. */
void *atoll_bo_map(struct atoll_bo *bo);
/** Gives the pages of `size` bytes from `offset` on their memory now; false: there is none. */
bool atoll_bo_populate(struct atoll_bo *bo, uint64_t offset, uint64_t size);
/** Gives back that of whole pages among them, which read zero then, if nothing uses the BO. */
void atoll_bo_discard(struct atoll_bo *bo, uint64_t offset, uint64_t size);
/** Whether submitted work still uses (or, if write_only, writes) the BO. */
bool atoll_bo_busy(struct atoll_bo *bo, bool write_only);
/** Waits until it does not. */
void atoll_bo_wait(struct atoll_bo *bo, bool write_only);

void atoll_bo_free(struct atoll_bo *bo);
static inline struct atoll_bo *
atoll_bo_ref(struct atoll_bo *bo)
{
   __atomic_add_fetch(&bo->refcount, 1, __ATOMIC_RELAXED);
   return bo;
}
static inline void
atoll_bo_unref(struct atoll_bo *bo)
{
   if (bo && __atomic_sub_fetch(&bo->refcount, 1, __ATOMIC_ACQ_REL) == 0)
      atoll_bo_free(bo);
}

/* ---- Command streams ---- */

#define ATOLL_CS_MAX_DW    16384
#define ATOLL_CS_HASH_SIZE 1024

enum atoll_ring {
   ATOLL_RING_GFX = 0,
   ATOLL_RING_DMA = 2,
};

struct atoll_cs_bo {
   struct atoll_bo *bo;
   unsigned usage;
};

struct atoll_cs {
   struct atoll_winsys *ws;
   enum atoll_ring ring;
   uint32_t *buf; /* ATOLL_CS_MAX_DW dwords, the last ones kept for the end */
   unsigned cdw;
   unsigned max_dw;      /* what the caller may fill */
   uint32_t header_bits; /* of packets that set state: PM4_COMPUTE_BIT for a dispatch's */
   struct atoll_cs_bo *bos;
   unsigned num_bos, max_bos;
   uint64_t bo_bytes; /* sum of the sizes of `bos` */
   bool no_memory;    /* the list of BOs could not grow: the stream was cut in two */
   int refused;       /* errno of the last submission, if the device refused it, else 0 */
   bool waits;        /* the caller waits for the next submission: no other thread need wake */
   bool foreign;      /* it needs a BO of another connection, and cannot be submitted */
   bool patient;      /* the context that it works for never asked to be told of resets */
   uint32_t context;  /* that it works for: atoll_winsys_new_context(); 0: none */
   uint16_t hash[ATOLL_CS_HASH_SIZE];
};

bool atoll_cs_init(struct atoll_cs *cs, struct atoll_winsys *ws, enum atoll_ring ring);
void atoll_cs_finish(struct atoll_cs *cs);
/** Makes the next submission use `bo`, and keeps it alive until then. One of another connection,
 * which the parent of this process had, makes it fail. */
void atoll_cs_add_bo_slow(struct atoll_cs *cs, struct atoll_bo *bo, unsigned usage);
static inline void
atoll_cs_add_bo(struct atoll_cs *cs, struct atoll_bo *bo, unsigned usage)
{
   unsigned i = cs->hash[bo->id % ATOLL_CS_HASH_SIZE];
   if (i < cs->num_bos && cs->bos[i].bo == bo)
      cs->bos[i].usage |= usage;
   else
      atoll_cs_add_bo_slow(cs, bo, usage);
}
/** The usage of `bo` in work not yet submitted, 0 if none. */
unsigned atoll_cs_usage(const struct atoll_cs *cs, const struct atoll_bo *bo);
/**
 * Submits and empties the stream. Returns its sequence number; a stream that the device refuses
 * is reported once on stderr and counts as done.
 */
uint64_t atoll_cs_submit(struct atoll_cs *cs);

static inline void
atoll_emit(struct atoll_cs *cs, uint32_t value)
{
   cs->buf[cs->cdw++] = value;
}

/* ---- Fences: a sequence number of atoll_cs_submit ---- */

bool atoll_seq_done(struct atoll_winsys *ws, uint64_t seq);
/** Waits at most `timeout` nanoseconds (UINT64_MAX: for ever). */
bool atoll_seq_wait(struct atoll_winsys *ws, uint64_t seq, uint64_t timeout);

#endif
