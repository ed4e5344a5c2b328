/* SPDX-License-Identifier: MIT */
/*
 * The screen, and the objects that live as long as it or are shared by its contexts.
 */
#ifndef ATOLL_SCREEN_H
#define ATOLL_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/p_screen.h"
#include "util/list.h"
#include "util/simple_mtx.h"
#include "util/slab.h"
#include "util/u_idalloc.h"
#include "util/u_queue.h"
#include "util/u_threaded_context.h"

#include "winsys/winsys.h"

struct atoll_backend;
struct disk_cache;
struct sw_winsys;
struct sw_displaytarget;
struct atoll_presenter;

enum atoll_debug {
   ATOLL_DEBUG_IL = 1 << 0,       /* print each shader as IL */
   ATOLL_DEBUG_ISA = 1 << 1,      /* print each shader as machine code */
   ATOLL_DEBUG_NIR = 1 << 2,      /* print each shader as the driver gets it */
   ATOLL_DEBUG_SHADERDB = 1 << 3, /* shader statistics on stderr */
   ATOLL_DEBUG_SYNC = 1 << 4,     /* wait for each submission */
   ATOLL_DEBUG_NOCACHE = 1 << 5,  /* no shader cache */
   ATOLL_DEBUG_CS = 1 << 6,       /* print each command stream */
   ATOLL_DEBUG_CHECK = 1 << 7,    /* compile from IL that was written and read back */
   ATOLL_DEBUG_WORDS = 1 << 8,    /* each shader's origin and dwords, a line for programs */
   ATOLL_DEBUG_IR = 1 << 9,       /* print the compiler's program after each pass */
   ATOLL_DEBUG_NOTES = 1 << 10,   /* notes and markers: see notes.h */
};

#define ATOLL_MAX_LEVELS 15

struct pipe_fence_handle {
   struct pipe_reference reference;
   struct atoll_winsys *ws;
   uint64_t seq;                  /* of `ws`'s submission; valid once `ready` is signalled */
   struct util_queue_fence ready; /* the submission has been made */
   struct tc_unflushed_batch_token *token;
};

struct atoll_screen {
   struct pipe_screen base;   /* on a node, base.refcnt counts the callers that were given it */
   struct atoll_screen *next; /* in the list of those on nodes */
   struct atoll_winsys *ws;   /* in a forked child another one, see atoll_reconnect_screen */
   uint32_t num_contexts;     /* atomic */
   struct sw_winsys *sws;     /* presents display targets; NULL on a node */
   const struct atoll_presenter *presenter; /* does so without waiting; may be NULL */
   uint32_t presents;                       /* atomic: how often a display target was presented */
   const struct atoll_backend *backend;     /* of the instruction set that the device executes */
   unsigned debug;                          /* enum atoll_debug */
   bool sanitized;                          /* the device's sanitizer may have findings, and */
   uint32_t orders;                         /* is told of memory barriers: so many */
   bool threaded;                           /* contexts may be wrapped by u_threaded_context */
   unsigned max_samples;                    /* of a pixel: ATOLL_MAX_SAMPLES, at most 8 */
   bool draw_values; /* the driver works out what is the same in all of a draw (draw_values.c) */
   char name[96];
   struct disk_cache *disk_cache;
   struct util_queue compilations; /* of CSOs (compilations.c) */
   struct util_queue_fence warmed; /* its first job has ended */
   bool compiles_aside;            /* it may be used */
   simple_mtx_t compilations_lock; /* of the number of its threads */
   struct list_head compiling;     /* the screens with a queue */
   void *ahead;                    /* atomic: memory to be touched (heap.c), or NULL */
   simple_mtx_t linked_lock;
   struct atoll_linked *linked; /* CSOs made at a link, for whoever creates them (link.c) */
   struct slab_parent_pool transfer_pool;
   struct pipe_fence_handle done; /* signalled: where there is no memory for another */
   struct util_idalloc_mt buffer_ids;
   simple_mtx_t storage_lock; /* of textures' storage, where it is replaced */
   uint32_t next_shader_id;
   uint32_t deletions; /* atomic: of CSOs */
   /* Between the geometry shader and its neighbours; NULL until one is used. */
   simple_mtx_t rings_lock;
   struct atoll_bo *esgs_ring, *gsvs_ring;
   struct atoll_bo *uav_returns; /* what operations on memory return; NULL until one does */
   bool told_patch;              /* atomic: that a patch is too large has been said */
};

/** Storage of one level, in bytes and blocks. */
struct atoll_level {
   uint64_t offset; /* from its BO's start */
   uint64_t slice_bytes;
   uint32_t pitch; /* blocks from row to row */
   uint32_t rows;  /* of blocks */
   uint32_t slices;
};

enum atoll_first {
   ATOLL_FIRST_NOTHING,
   ATOLL_FIRST_CLEAR,
   ATOLL_FIRST_OTHER,
};

struct atoll_resource {
   struct threaded_resource base;
   struct atoll_bo *bo;
   struct atoll_bo *mips; /* of levels above 0, once level 0 has left them; NULL: in `bo` too */
   struct atoll_context *user; /* the first that had a view of it or mapped it */
   bool several_users;         /* and others have, too */
   /* Of buffers that draws read (draw_copies.c): */
   uint32_t writes;        /* how often the processor wrote it, */
   uint32_t writes_in_use; /* and that while draws of the stream read it */
   uint32_t copies;        /* since the last write */
   bool stays_mapped, is_drawn_from;
   bool is_stored;  /* shaders store to it, on a device that is sanitized */
   bool is_copied;  /* draws read copies of it */
   bool written_up; /* the last upload began at the first texel: the next at the last */
   struct atoll_level level[ATOLL_MAX_LEVELS];
   struct atoll_level stencil[ATOLL_MAX_LEVELS]; /* if has_stencil: 1 byte each */
   uint8_t block_bytes;                          /* of the colour or depth plane */
   bool has_depth, has_stencil;
   struct sw_displaytarget *dt;
   unsigned dt_stride;
   bool dt_direct;    /* the BO is the display target's memory */
   bool dt_front;     /* what the window shows, also after others drew to it */
   uint64_t dt_shown; /* last_write of the BO when it was presented */
   void *dt_map;
   /* Alternates with (dt, dt_map, bo) where frames begin by clearing all (present.c). */
   struct atoll_display {
      struct sw_displaytarget *dt;
      void *map;
      struct atoll_bo *bo;
   } dt_other;
   enum atoll_first dt_first; /* what came first since it was presented */
   uint8_t dt_clears;         /* frames on end that a clear of all came first in, up to two */
   bool dt_fixed;             /* others know where it lies */
   bool dt_stale;             /* what it holds is in the other storage */
};

/** Whether TD computes pitches of levels that DB has one of for two planes (layout.c). */
static inline bool
atoll_shares_pitches(const struct atoll_resource *res)
{
   return res->has_depth && res->has_stencil && res->base.b.last_level;
}

/** What shaders stored to is written otherwise, or its memory becomes another's: for the sanitizer,
 *  there is an order between what was before and what comes. */
static inline void
atoll_put_in_order(struct atoll_screen *screen, const struct atoll_resource *res)
{
   if (res->is_stored)
      p_atomic_inc(&screen->orders);
}

static inline struct atoll_screen *
atoll_screen(struct pipe_screen *screen)
{
   return (struct atoll_screen *)screen;
}
static inline struct atoll_resource *
atoll_resource(struct pipe_resource *resource)
{
   return (struct atoll_resource *)resource;
}

/** Where a level lies. */
static inline struct atoll_bo *
atoll_level_bo(const struct atoll_resource *res, unsigned level)
{
   return level && res->mips ? res->mips : res->bo;
}

/* screen.c */
/** In a forked child, connects a screen of the parent's to a device of the child's: for a context,
 * which draws then, or while the screen has none of the parent's. What contexts and resources have
 * of the parent's device stays lost. False: the screen's device cannot be used. */
bool atoll_reconnect_screen(struct atoll_screen *screen, bool for_context);

/* transfer.c */
/** Bytes of a transfer, for the screen's pool. */
extern const unsigned atoll_transfer_size;
/* caps.c */
void atoll_init_caps(struct atoll_screen *screen);
/* resource.c */
void atoll_init_screen_resources(struct atoll_screen *screen);
/** Lays out all levels; returns the bytes needed. `pitch` (blocks): of an import, or 0. */
uint64_t atoll_layout(struct atoll_resource *res, uint32_t pitch);
/** A resource in `bo` from `offset` on (bytes), which it keeps alive. NULL: it does not fit. */
struct atoll_resource *atoll_resource_in(struct pipe_screen *screen,
                                         const struct pipe_resource *templ, struct atoll_bo *bo,
                                         uint64_t offset);
/* present.c */
void atoll_init_screen_present(struct atoll_screen *screen);
/** Presents from the BO itself, or from the display target's memory as a BO. False: cannot. */
bool atoll_create_display_target(struct atoll_screen *screen, struct atoll_resource *res,
                                 const void *front_private);
/** Of any resource; its BO is left. */
void atoll_destroy_display_target(struct atoll_screen *screen, struct atoll_resource *res);
/** Copies a display target that has storage of its own from the BO, after waiting for it. */
void atoll_present_copy(struct atoll_screen *screen, struct atoll_resource *res);
/** Reads back what the window shows, if the front buffer has nothing newer. */
void atoll_fetch_front(struct atoll_screen *screen, struct atoll_resource *res);
/** Before a resource that may be a display target is read or written, `clears`: all of it without
 * regard to what it held. On the thread of the context that draws to it. */
void atoll_touch_display(struct atoll_resource *res, bool clears);
/* memory.c */
void atoll_init_screen_memory(struct atoll_screen *screen);
/* fence.c */
void atoll_init_screen_fences(struct atoll_screen *screen);
struct pipe_fence_handle *atoll_fence_create(void);
void atoll_fence_set(struct pipe_fence_handle *fence, struct atoll_winsys *ws, uint64_t seq);
/* query.c */
void atoll_init_screen_queries(struct atoll_screen *screen);
/* monitor.c */
void atoll_init_screen_monitor(struct atoll_screen *screen);
/** Of a counter by name, the query that it is; others stay. */
void atoll_resolve_query(unsigned *type, unsigned *index);
/* compute.c */
int atoll_get_compute_param(struct pipe_screen *screen, enum pipe_shader_ir ir,
                            enum pipe_compute_cap param, void *ret);
/* context.c */
struct pipe_context *atoll_context_create(struct pipe_screen *screen, void *priv, unsigned flags);

#endif
