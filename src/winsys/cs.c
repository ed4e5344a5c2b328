/* SPDX-License-Identifier: MIT */
/*
 * Command streams and the sequence numbers that serve as fences.
 *
 * A graphics stream ends with an EVENT_WRITE_EOP that stores its number. If the device drops a
 * stream (a fault, a reset) the store never comes; so waiting asks the device about a BO that only
 * this submission uses, and what it says counts.
 */
#include "winsys_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libdrm/drm.h>
#include <libdrm/radeon_drm.h>

#include "util/macros.h"
#include "util/u_math.h"

#include <atoll/cayman/pm4.h>
#include <atoll/device.h>

/* EVENT_WRITE_EOP and padding to 8 dwords. */
#define CS_END_DW 16

/* BOs that there is storage for from the beginning. */
#define BOS_AT_FIRST 64

bool
atoll_cs_init(struct atoll_cs *cs, struct atoll_winsys *ws, enum atoll_ring ring)
{
   memset(cs, 0, sizeof(*cs));
   cs->ws = ws;
   cs->ring = ring;
   cs->buf = malloc(ATOLL_CS_MAX_DW * 4);
   cs->max_dw = ATOLL_CS_MAX_DW - CS_END_DW;
   cs->bos = malloc(BOS_AT_FIRST * sizeof(*cs->bos));
   cs->max_bos = cs->bos ? BOS_AT_FIRST : 0;
   return cs->buf && cs->bos;
}

static void
reset(struct atoll_cs *cs)
{
   for (unsigned i = 0; i < cs->num_bos; i++)
      atoll_bo_unref(cs->bos[i].bo);
   cs->num_bos = 0;
   cs->bo_bytes = 0;
   cs->cdw = 0;
   cs->waits = false;
   cs->foreign = false;
}

void
atoll_cs_finish(struct atoll_cs *cs)
{
   reset(cs);
   free(cs->bos);
   free(cs->buf);
}

/* The hash holds one index a slot and is not cleared between streams. A BO can be in the list only
 * if its slot names a BO that hashes there. */
static bool
slot_taken(const struct atoll_cs *cs, const struct atoll_bo *bo)
{
   unsigned slot = bo->id % ATOLL_CS_HASH_SIZE, i = cs->hash[slot];
   return i < cs->num_bos && cs->bos[i].bo->id % ATOLL_CS_HASH_SIZE == slot;
}

void
atoll_cs_add_bo_slow(struct atoll_cs *cs, struct atoll_bo *bo, unsigned usage)
{
   if (slot_taken(cs, bo)) {
      for (unsigned i = cs->num_bos; i-- > 0;) {
         if (cs->bos[i].bo == bo) {
            cs->hash[bo->id % ATOLL_CS_HASH_SIZE] = (uint16_t)i;
            cs->bos[i].usage |= usage;
            return;
         }
      }
   }
   if (bo->ws != cs->ws) {
      cs->foreign = true;
      return;
   }
   if (cs->num_bos == cs->max_bos) {
      const unsigned max = cs->max_bos * 2;
      struct atoll_cs_bo *bos = realloc(cs->bos, max * sizeof(*bos));
      if (!bos) {
         /* Without its reference the BO could be reused too early: wait for it instead. */
         cs->no_memory = true;
         atoll_cs_submit(cs);
      } else {
         cs->bos = bos;
         cs->max_bos = max;
      }
   }
   cs->hash[bo->id % ATOLL_CS_HASH_SIZE] = (uint16_t)cs->num_bos;
   cs->bos[cs->num_bos].bo = atoll_bo_ref(bo);
   cs->bos[cs->num_bos].usage = usage;
   cs->num_bos++;
   cs->bo_bytes += bo->size;
}

unsigned
atoll_cs_usage(const struct atoll_cs *cs, const struct atoll_bo *bo)
{
   unsigned i = cs->hash[bo->id % ATOLL_CS_HASH_SIZE];
   if (i < cs->num_bos && cs->bos[i].bo == bo)
      return cs->bos[i].usage;
   if (slot_taken(cs, bo)) {
      for (i = 0; i < cs->num_bos; i++)
         if (cs->bos[i].bo == bo)
            return cs->bos[i].usage;
   }
   return 0;
}

/* The BO that submission `seq` alone uses among those that can be under way: waiting for it is
 * waiting for that submission. */
static struct atoll_bo *
marker(struct atoll_winsys *ws, uint64_t seq)
{
   return ws->markers[seq % NUM_MARKERS];
}

/* One reloc for each GEM handle; several parts may share one. */
static unsigned
build_relocs(struct atoll_cs *cs, uint64_t seq)
{
   struct atoll_winsys *ws = cs->ws;
   unsigned count = 0;

   if (ws->max_relocs < cs->num_bos + 1) {
      unsigned max = MAX2(cs->num_bos + 1, 256);
      void *relocs = realloc(ws->relocs, max * sizeof(*ws->relocs));
      if (!relocs)
         return 0;
      ws->relocs = relocs;
      ws->max_relocs = max;
   }
   ws->stamp++;
   for (unsigned i = 0; i <= cs->num_bos; i++) {
      struct atoll_bo *real = i < cs->num_bos ? cs->bos[i].bo->real : marker(ws, seq);
      unsigned usage = i < cs->num_bos ? cs->bos[i].usage : ATOLL_USAGE_WRITE;
      if (real->stamp != ws->stamp) {
         real->stamp = ws->stamp;
         real->reloc = count;
         ws->relocs[count++] = (struct drm_radeon_cs_reloc){ .handle = real->handle };
      }
      struct drm_radeon_cs_reloc *reloc = &ws->relocs[real->reloc];
      if (usage & ATOLL_USAGE_READ)
         reloc->read_domains = RADEON_GEM_DOMAIN_GTT;
      if (usage & ATOLL_USAGE_WRITE)
         reloc->write_domain = RADEON_GEM_DOMAIN_GTT;
   }
   return count;
}

static void
end_stream(struct atoll_cs *cs, uint64_t seq)
{
   if (cs->ring != ATOLL_RING_GFX) {
      while (cs->cdw & 7)
         atoll_emit(cs, DMA_PAD);
      return;
   }
   uint64_t va = cs->ws->fence_bo->va;
   atoll_emit(cs, pm4_header(PM4_EVENT_WRITE_EOP, 5, false));
   atoll_emit(cs, pm4_event(EVENT_BOTTOM_OF_PIPE_TS, EVENT_INDEX_TS));
   atoll_emit(cs, (uint32_t)va);
   atoll_emit(cs, (uint32_t)(va >> 32 & 0xFF) | EOP_DATA_SEL(EOP_DATA_VALUE_64));
   atoll_emit(cs, (uint32_t)seq);
   atoll_emit(cs, (uint32_t)(seq >> 32));
   while (cs->cdw & 7)
      atoll_emit(cs, PM4_TYPE2);
}

static void
advance(uint64_t *counter, uint64_t value)
{
   uint64_t old = __atomic_load_n(counter, __ATOMIC_RELAXED);
   while (old < value && !__atomic_compare_exchange_n(counter, &old, value, false, __ATOMIC_ACQ_REL,
                                                      __ATOMIC_RELAXED))
      ;
}

static void
wait_marker(struct atoll_winsys *ws, uint64_t seq)
{
   struct drm_radeon_gem_wait_idle wait = { .handle = marker(ws, seq)->handle };
   atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_GEM_WAIT_IDLE, &wait);
   advance(&ws->done, seq);
}

uint64_t
atoll_cs_submit(struct atoll_cs *cs)
{
   struct atoll_winsys *ws = cs->ws;

   cs->refused = 0;
   if ((cs->foreign || atoll_winsys_lost(ws)) && cs->cdw) {
      atoll_winsys_say_lost();
      reset(cs);
      return __atomic_load_n(&ws->last_seq, __ATOMIC_ACQUIRE);
   }
   if (cs->cdw == 0) {
      reset(cs);
      return __atomic_load_n(&ws->last_seq, __ATOMIC_ACQUIRE);
   }

   pthread_mutex_lock(&ws->submit_lock);
   uint64_t seq = ws->last_seq + 1;
   end_stream(cs, seq);
   unsigned num_relocs = build_relocs(cs, seq);
   uint32_t flags[4] = { RADEON_CS_KEEP_TILING_FLAGS | RADEON_CS_USE_VM, cs->ring, 0, cs->context };
   /* The kernel's driver does not know these. */
   if (cs->waits && ws->info.in_process)
      flags[0] |= ATOLL_CS_WAITS;
   if (ws->tells_guilt) {
      flags[0] |= (cs->patient ? ATOLL_CS_PATIENT : 0) | (cs->context ? ATOLL_CS_CONTEXT : 0);
      flags[0] |=
         __atomic_exchange_n(&ws->new_frame, false, __ATOMIC_RELAXED) ? ATOLL_CS_NEW_FRAME : 0;
   }
   struct drm_radeon_cs_chunk chunks[3] = {
      { RADEON_CHUNK_ID_IB, cs->cdw, (uintptr_t)cs->buf },
      { RADEON_CHUNK_ID_RELOCS, num_relocs * 4, (uintptr_t)ws->relocs },
      { RADEON_CHUNK_ID_FLAGS, ws->tells_guilt ? 4 : 3, (uintptr_t)flags },
   };
   uint64_t pointers[3] = { (uintptr_t)&chunks[0], (uintptr_t)&chunks[1], (uintptr_t)&chunks[2] };
   struct drm_radeon_cs args = { .num_chunks = 3, .chunks = (uintptr_t)pointers };

   /* Users must see the number before the submission can end. */
   for (unsigned i = 0; i < cs->num_bos; i++) {
      struct atoll_bo *bo = cs->bos[i].bo;
      advance(&bo->last_use, seq);
      advance(&bo->real->last_use, seq);
      if (cs->bos[i].usage & ATOLL_USAGE_WRITE) {
         advance(&bo->last_write, seq);
         advance(&bo->real->last_write, seq);
      }
   }
   __atomic_store_n(&ws->last_seq, seq, __ATOMIC_RELEASE);
   int error = num_relocs ? atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_CS, &args) : -ENOMEM;
   cs->refused = -error;
   bool report = error && !ws->reported;
   if (error)
      ws->reported = true;
   pthread_mutex_unlock(&ws->submit_lock);

   if (report)
      fprintf(stderr, "atoll: the device refused a command stream: %s\n", strerror(-error));
   if (error) {
      /* What came before is still under way. */
      atoll_seq_wait(ws, seq - 1, UINT64_MAX);
      advance(&ws->done, seq);
   } else if (cs->ring != ATOLL_RING_GFX) {
      /* This ring stores no number. */
      wait_marker(ws, seq);
   } else if (seq > MAX_IN_FLIGHT) {
      atoll_seq_wait(ws, seq - MAX_IN_FLIGHT, UINT64_MAX);
   }
   reset(cs);
   return seq;
}

bool
atoll_seq_done(struct atoll_winsys *ws, uint64_t seq)
{
   /* In a forked child nothing is under way. */
   if (seq <= __atomic_load_n(&ws->done, __ATOMIC_ACQUIRE) || atoll_winsys_lost(ws))
      return true;
   if (!ws->fence_map)
      return seq == 0;
   uint64_t written = __atomic_load_n(ws->fence_map, __ATOMIC_ACQUIRE);
   /* A stray write of the device must not let numbers run ahead of the submissions. */
   written = MIN2(written, __atomic_load_n(&ws->last_seq, __ATOMIC_ACQUIRE));
   advance(&ws->done, written);
   return seq <= written;
}

bool
atoll_seq_wait(struct atoll_winsys *ws, uint64_t seq, uint64_t timeout)
{
   if (atoll_seq_done(ws, seq))
      return true;
   if (timeout == 0) {
      struct drm_radeon_gem_busy busy = { .handle = marker(ws, seq)->handle };
      if (atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_GEM_BUSY, &busy))
         return false;
      advance(&ws->done, seq);
      return true;
   }
   if (timeout == UINT64_MAX) {
      wait_marker(ws, seq);
      return true;
   }

   struct timespec start, now;
   clock_gettime(CLOCK_MONOTONIC, &start);
   for (;;) {
      struct timespec step = { .tv_nsec = 50000 };
      nanosleep(&step, NULL);
      if (atoll_seq_wait(ws, seq, 0))
         return true;
      clock_gettime(CLOCK_MONOTONIC, &now);
      int64_t passed =
         (now.tv_sec - start.tv_sec) * INT64_C(1000000000) + now.tv_nsec - start.tv_nsec;
      if (passed >= 0 && (uint64_t)passed >= timeout)
         return false;
   }
}
