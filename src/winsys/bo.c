/* SPDX-License-Identifier: MIT */
/*
 * Buffer objects: creation, address space, CPU maps, a cache of idle BOs, and parts of larger
 * BOs for small sizes.
 *
 * A freed BO or part keeps the number of the submission that used it last and is handed out
 * again once that has ended; so freeing never waits. Lists are oldest first: when the head is
 * busy, what follows it is too.
 */
#include "winsys_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <libdrm/drm.h>
#include <libdrm/radeon_drm.h>

#include "util/bitscan.h"
#include "util/u_math.h"

static uint32_t
next_id(struct atoll_winsys *ws)
{
   uint32_t id;
   do {
      id = __atomic_add_fetch(&ws->last_bo_id, 1, __ATOMIC_RELAXED);
   } while (!id);
   return id;
}

static int64_t
now_ns(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static void
list_push(struct bo_list *list, struct atoll_bo *bo)
{
   bo->next = NULL;
   bo->prev = list->tail;
   if (list->tail)
      list->tail->next = bo;
   else
      list->head = bo;
   list->tail = bo;
}

static void
list_remove(struct bo_list *list, struct atoll_bo *bo)
{
   if (bo->prev)
      bo->prev->next = bo->next;
   else
      list->head = bo->next;
   if (bo->next)
      bo->next->prev = bo->prev;
   else
      list->tail = bo->prev;
   bo->prev = bo->next = NULL;
}

static bool
va_map(struct atoll_winsys *ws, struct atoll_bo *bo, uint32_t alignment)
{
   pthread_mutex_lock(&ws->lock);
   bo->va = util_vma_heap_alloc(&ws->vma, bo->size, MAX2((uint64_t)alignment, PAGE));
   pthread_mutex_unlock(&ws->lock);
   if (!bo->va)
      return false;

   struct drm_radeon_gem_va va = {
      .handle = bo->handle,
      .operation = RADEON_VA_MAP,
      .flags = RADEON_VM_PAGE_READABLE | RADEON_VM_PAGE_WRITEABLE | RADEON_VM_PAGE_SNOOPED,
      .offset = bo->va,
   };
   if (atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_GEM_VA, &va) == 0 &&
       va.operation == RADEON_VA_RESULT_OK)
      return true;

   pthread_mutex_lock(&ws->lock);
   util_vma_heap_free(&ws->vma, bo->va, bo->size);
   pthread_mutex_unlock(&ws->lock);
   return false;
}

static void
gem_close(struct atoll_winsys *ws, uint32_t handle)
{
   struct drm_gem_close close = { .handle = handle };
   atoll_winsys_ioctl(ws, DRM_IOCTL_GEM_CLOSE, &close);
}

/* Gives a BO back to the device. The caller holds no lock. */
static void
destroy_real(struct atoll_bo *bo)
{
   struct atoll_winsys *ws = bo->ws;

   if (bo->map && !bo->slab)
      atoll_winsys_munmap(ws, bo->map, bo->size);
   struct drm_radeon_gem_va va = {
      .handle = bo->handle,
      .operation = RADEON_VA_UNMAP,
      .flags = RADEON_VM_PAGE_READABLE | RADEON_VM_PAGE_WRITEABLE | RADEON_VM_PAGE_SNOOPED,
      .offset = bo->va,
   };
   atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_GEM_VA, &va);
   gem_close(ws, bo->handle);
   pthread_mutex_lock(&ws->lock);
   util_vma_heap_free(&ws->vma, bo->va, bo->size);
   pthread_mutex_unlock(&ws->lock);
   free(bo);
}

/* A BO around a GEM handle, mapped in the address space. Closes the handle on failure. */
static struct atoll_bo *
wrap_handle(struct atoll_winsys *ws, uint32_t handle, uint64_t size, uint32_t alignment)
{
   struct atoll_bo *bo = calloc(1, sizeof(*bo));
   if (!bo) {
      gem_close(ws, handle);
      return NULL;
   }
   bo->refcount = 1;
   bo->id = next_id(ws);
   bo->ws = ws;
   bo->size = size;
   bo->handle = handle;
   bo->real = bo;
   if (!va_map(ws, bo, alignment)) {
      gem_close(ws, handle);
      free(bo);
      return NULL;
   }
   return bo;
}

static struct atoll_bo *
create_real(struct atoll_winsys *ws, uint64_t size, uint32_t alignment)
{
   struct drm_radeon_gem_create create = {
      .size = size,
      .alignment = MAX2((uint64_t)alignment, PAGE),
      .initial_domain = RADEON_GEM_DOMAIN_GTT,
   };
   if (atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_GEM_CREATE, &create))
      return NULL;
   return wrap_handle(ws, create.handle, size, alignment);
}

/* ---- Cache of whole BOs ---- */

/* Takes what must go from the cache; the caller destroys the list after unlocking. */
static struct atoll_bo *
cache_trim(struct atoll_winsys *ws, int64_t now, uint64_t max_bytes)
{
   struct atoll_bo *dead = NULL;
   for (unsigned i = 0; i < CACHE_BUCKETS; i++) {
      struct bo_list *list = &ws->cache[i];
      while (list->head &&
             (now - list->head->freed_at > CACHE_MAX_AGE_NS || ws->cache_bytes > max_bytes)) {
         struct atoll_bo *bo = list->head;
         list_remove(list, bo);
         ws->cache_bytes -= bo->size;
         bo->next = dead;
         dead = bo;
      }
   }
   return dead;
}

static void
destroy_list(struct atoll_bo *bo)
{
   while (bo) {
      struct atoll_bo *next = bo->next;
      destroy_real(bo);
      bo = next;
   }
}

static struct atoll_bo *
cache_get(struct atoll_winsys *ws, uint64_t size, uint32_t alignment)
{
   struct atoll_bo *found = NULL;
   pthread_mutex_lock(&ws->lock);
   struct bo_list *list = &ws->cache[util_logbase2_64(size)];
   for (struct atoll_bo *bo = list->head; bo; bo = bo->next) {
      if (bo->size < size || bo->size > size + size / 4 || bo->va % alignment)
         continue;
      if (atoll_seq_done(ws, bo->last_use)) {
         list_remove(list, bo);
         ws->cache_bytes -= bo->size;
         found = bo;
      }
      break;
   }
   pthread_mutex_unlock(&ws->lock);
   if (found) {
      found->refcount = 1;
      found->id = next_id(ws);
   }
   return found;
}

/* ---- Parts of larger BOs ---- */

static struct atoll_bo *
slab_grow(struct atoll_winsys *ws, unsigned order)
{
   uint64_t size = order <= 12 ? 64 << 10 : 256 << 10;
   struct atoll_slab *slab = calloc(1, sizeof(*slab));
   struct atoll_bo *bo = slab ? create_real(ws, size, 1u << order) : NULL;
   if (!bo || !atoll_bo_map(bo)) {
      if (bo)
         destroy_real(bo);
      free(slab);
      return NULL;
   }
   slab->bo = bo;
   slab->order = order;
   slab->num_entries = (unsigned)(size >> order);
   slab->entries = calloc(slab->num_entries, sizeof(*slab->entries));
   if (!slab->entries) {
      destroy_real(bo);
      free(slab);
      return NULL;
   }

   pthread_mutex_lock(&ws->lock);
   struct bo_list *list = &ws->slab_free[order - SLAB_MIN_ORDER];
   for (unsigned i = 0; i < slab->num_entries; i++) {
      struct atoll_bo *e = &slab->entries[i];
      uint64_t offset = (uint64_t)i << order;
      e->ws = ws;
      e->va = bo->va + offset;
      e->map = (char *)bo->map + offset;
      e->real = bo;
      e->handle = bo->handle;
      e->slab = slab;
      e->freed_at = 0;
      if (i > 0)
         list_push(list, e);
   }
   slab->num_free = slab->num_entries - 1;
   slab->next = ws->slabs;
   if (ws->slabs)
      ws->slabs->prev = slab;
   ws->slabs = slab;
   pthread_mutex_unlock(&ws->lock);
   return &slab->entries[0];
}

static struct atoll_bo *
slab_alloc(struct atoll_winsys *ws, uint64_t size, uint32_t alignment)
{
   unsigned order = util_logbase2_ceil64(MAX3(size, (uint64_t)alignment, 1u << SLAB_MIN_ORDER));
   pthread_mutex_lock(&ws->lock);
   struct bo_list *list = &ws->slab_free[order - SLAB_MIN_ORDER];
   struct atoll_bo *bo = list->head;
   if (bo && atoll_seq_done(ws, bo->last_use)) {
      list_remove(list, bo);
      if (bo->slab->num_free-- == bo->slab->num_entries)
         ws->slab_empty_bytes -= bo->slab->bo->size;
   } else {
      bo = NULL;
   }
   pthread_mutex_unlock(&ws->lock);
   if (!bo)
      bo = slab_grow(ws, order);
   if (bo) {
      bo->refcount = 1;
      bo->id = next_id(ws);
      bo->size = size;
   }
   return bo;
}

/* The caller holds ws->lock and frees what is returned after unlocking. */
static struct atoll_slab *
slab_release(struct atoll_winsys *ws, struct atoll_slab *slab)
{
   ws->slab_empty_bytes -= slab->bo->size;
   struct bo_list *list = &ws->slab_free[slab->order - SLAB_MIN_ORDER];
   for (unsigned i = 0; i < slab->num_entries; i++)
      list_remove(list, &slab->entries[i]);
   if (slab->prev)
      slab->prev->next = slab->next;
   else
      ws->slabs = slab->next;
   if (slab->next)
      slab->next->prev = slab->prev;
   return slab;
}

static void
slab_destroy(struct atoll_slab *slab)
{
   if (!slab)
      return;
   destroy_real(slab->bo);
   free(slab->entries);
   free(slab);
}

static void
slab_free_entry(struct atoll_bo *bo)
{
   struct atoll_winsys *ws = bo->ws;
   struct atoll_slab *slab = bo->slab, *dead = NULL;

   pthread_mutex_lock(&ws->lock);
   struct bo_list *list = &ws->slab_free[slab->order - SLAB_MIN_ORDER];
   list_push(list, bo);
   if (++slab->num_free == slab->num_entries) {
      ws->slab_empty_bytes += slab->bo->size;
      /* Keep some empty slabs, and one of each class: a program that frees and allocates would
       * thrash. */
      if (ws->slab_empty_bytes > SLAB_EMPTY_BYTES && list->head->slab != slab &&
          atoll_seq_done(ws, ws->last_seq))
         dead = slab_release(ws, slab);
   }
   pthread_mutex_unlock(&ws->lock);
   slab_destroy(dead);
}

/* ---- Public ---- */

void
atoll_bo_pools_init(struct atoll_winsys *ws, uint64_t va_start, uint64_t va_end)
{
   ws->va_end = va_end;
   util_vma_heap_init(&ws->vma, va_start, va_end - va_start);
   ws->vma.alloc_high = false;
}

void
atoll_bo_pools_finish(struct atoll_winsys *ws)
{
   for (unsigned i = 0; i < CACHE_BUCKETS; i++) {
      struct atoll_bo *list = ws->cache[i].head;
      ws->cache[i] = (struct bo_list){ 0 };
      destroy_list(list);
   }
   while (ws->slabs) {
      struct atoll_slab *slab = ws->slabs;
      ws->slabs = slab->next;
      slab_destroy(slab);
   }
   util_vma_heap_finish(&ws->vma);
}

struct atoll_bo *
atoll_bo_create(struct atoll_winsys *ws, uint64_t size, uint32_t alignment, unsigned flags)
{
   if (atoll_winsys_lost(ws)) {
      atoll_winsys_say_lost();
      return NULL;
   }
   if (size == 0 || size > ws->va_end / 2)
      return NULL;
   if (!(flags & ATOLL_BO_NO_SUBALLOC) && size <= 1u << SLAB_MAX_ORDER &&
       alignment <= 1u << SLAB_MAX_ORDER) {
      struct atoll_bo *bo = slab_alloc(ws, size, alignment);
      if (bo)
         return bo;
   }
   size = align64(size, PAGE);
   alignment = MAX2(alignment, (uint32_t)PAGE);
   struct atoll_bo *bo = cache_get(ws, size, alignment);
   if (!bo)
      bo = create_real(ws, size, alignment);
   if (!bo) {
      /* Out of memory or of address space: what the cache holds may be enough. */
      pthread_mutex_lock(&ws->lock);
      struct atoll_bo *dead = cache_trim(ws, now_ns(), 0);
      pthread_mutex_unlock(&ws->lock);
      destroy_list(dead);
      bo = create_real(ws, size, alignment);
   }
   if (bo)
      bo->reusable = true;
   return bo;
}

/* A BO of the caller's pages; `error` says why there is none. */
static struct atoll_bo *
wrap_memory(struct atoll_winsys *ws, void *memory, uint64_t size, int *error)
{
   *error = -EINVAL;
   if (!ws->info.user_memory || (uintptr_t)memory % PAGE || size % PAGE || !size)
      return NULL;
   struct drm_radeon_gem_userptr userptr = {
      .addr = (uintptr_t)memory,
      .size = size,
      .flags = RADEON_GEM_USERPTR_REGISTER | RADEON_GEM_USERPTR_VALIDATE,
   };
   *error = atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_GEM_USERPTR, &userptr);
   return *error ? NULL : wrap_handle(ws, userptr.handle, size, (uint32_t)PAGE);
}

struct atoll_bo *
atoll_bo_from_memory(struct atoll_winsys *ws, void *memory, uint64_t size)
{
   int error;
   return wrap_memory(ws, memory, size, &error);
}

/* Private pages become shared ones with the same bytes at the same address. A write by another
 * thread in between is lost, so nothing but the caller's own may lie in them. */
static bool
share_pages(void *memory, uint64_t size)
{
   int fd = memfd_create("atoll-pages", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   bool ok = fd >= 0 && !ftruncate(fd, (off_t)size) &&
             !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
   for (uint64_t done = 0; ok && done < size;) {
      /* The kernel reads: what is not mapped is an error, and no signal. */
      ssize_t n = pwrite(fd, (char *)memory + done, size - done, (off_t)done);
      ok = n > 0 || (n < 0 && errno == EINTR);
      done += n > 0 ? (uint64_t)n : 0;
   }
   ok = ok && mmap(memory, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == memory;
   if (fd >= 0)
      close(fd);
   return ok;
}

struct atoll_bo *
atoll_bo_from_pages(struct atoll_winsys *ws, void *memory, uint64_t size)
{
   int error;
   struct atoll_bo *bo = wrap_memory(ws, memory, size, &error);
   if (!bo && error == -EOPNOTSUPP && share_pages(memory, size))
      bo = wrap_memory(ws, memory, size, &error);
   return bo;
}

struct atoll_bo *
atoll_bo_part(struct atoll_bo *bo, uint64_t offset, uint64_t size)
{
   char *map = atoll_bo_map(bo);
   if (!map || offset > bo->size || size > bo->size - offset)
      return NULL;
   struct atoll_bo *part = calloc(1, sizeof(*part));
   if (!part)
      return NULL;
   *part = (struct atoll_bo){
      .refcount = 1,
      .id = next_id(bo->ws),
      .ws = bo->ws,
      .va = bo->va + offset,
      .size = size,
      .map = map + offset,
      .real = atoll_bo_ref(bo),
      .handle = bo->handle,
      .shared = true,
   };
   return part;
}

/* ---- Sharing ---- */

static void
list_shared(struct atoll_bo *bo)
{
   struct atoll_winsys *ws = bo->ws;
   bo->shared = true;
   bo->reusable = false;
   bo->prev = NULL;
   bo->next = ws->shared;
   if (ws->shared)
      ws->shared->prev = bo;
   ws->shared = bo;
}

/* One without references is about to be freed: the thread that dropped the last one waits for
 * `sharing`. It is revived; for each time that it was, one thread that comes to free it leaves it
 * to the next. */
static struct atoll_bo *
ref_shared(struct atoll_bo *bo)
{
   if (__atomic_fetch_add(&bo->refcount, 1, __ATOMIC_ACQ_REL) == 0)
      bo->revived++;
   return bo;
}

static void
free_shared(struct atoll_bo *bo)
{
   struct atoll_winsys *ws = bo->ws;
   pthread_mutex_lock(&ws->sharing);
   if (bo->revived) {
      bo->revived--;
   } else {
      if (bo->prev)
         bo->prev->next = bo->next;
      else
         ws->shared = bo->next;
      if (bo->next)
         bo->next->prev = bo->prev;
      destroy_real(bo);
   }
   pthread_mutex_unlock(&ws->sharing);
}

/* The BO of a handle: a handle seen before is the same BO, for the device gives a client one handle
 * of a buffer. `sharing` is held. */
static struct atoll_bo *
import_handle(struct atoll_winsys *ws, uint32_t handle, uint64_t size)
{
   for (struct atoll_bo *bo = ws->shared; bo; bo = bo->next)
      if (bo->handle == handle)
         return ref_shared(bo);

   if (!size) {
      struct drm_radeon_gem_mmap map = { .handle = handle };
      if (atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_GEM_MMAP, &map) || !map.size) {
         gem_close(ws, handle);
         return NULL;
      }
      size = map.size;
   }
   struct atoll_bo *bo = wrap_handle(ws, handle, align64(size, PAGE), (uint32_t)PAGE);
   if (bo)
      list_shared(bo);
   return bo;
}

struct atoll_bo *
atoll_bo_import_fd(struct atoll_winsys *ws, int fd)
{
   struct drm_prime_handle prime = { .fd = fd };
   struct atoll_bo *bo = NULL;
   if (atoll_winsys_lost(ws))
      return NULL;
   pthread_mutex_lock(&ws->sharing);
   if (!atoll_winsys_ioctl(ws, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime)) {
      off_t size = lseek(fd, 0, SEEK_END);
      bo = import_handle(ws, prime.handle, size > 0 ? (uint64_t)size : 0);
   }
   pthread_mutex_unlock(&ws->sharing);
   return bo;
}

/* Each GEM_OPEN gives another handle, so that a name is looked for first. */
static struct atoll_bo *
import_name(struct atoll_winsys *ws, uint32_t name)
{
   struct drm_gem_open open = { .name = name };
   for (struct atoll_bo *bo = ws->shared; bo; bo = bo->next)
      if (name && __atomic_load_n(&bo->name, __ATOMIC_RELAXED) == name)
         return ref_shared(bo);
   if (atoll_winsys_ioctl(ws, DRM_IOCTL_GEM_OPEN, &open))
      return NULL;
   struct atoll_bo *bo = import_handle(ws, open.handle, open.size);
   if (bo)
      bo->name = name;
   return bo;
}

struct atoll_bo *
atoll_bo_import_name(struct atoll_winsys *ws, uint32_t name)
{
   if (atoll_winsys_lost(ws))
      return NULL;
   pthread_mutex_lock(&ws->sharing);
   struct atoll_bo *bo = import_name(ws, name);
   pthread_mutex_unlock(&ws->sharing);
   return bo;
}

struct atoll_bo *
atoll_bo_import_kms(struct atoll_winsys *ws, uint32_t handle)
{
   if (atoll_winsys_lost(ws))
      return NULL;
   pthread_mutex_lock(&ws->sharing);
   struct atoll_bo *bo = import_handle(ws, handle, 0);
   pthread_mutex_unlock(&ws->sharing);
   return bo;
}

/* Runs the ioctl that lets others have the BO, or none. */
static bool
share(struct atoll_bo *bo, unsigned long request, void *arg)
{
   struct atoll_winsys *ws = bo->ws;
   if (bo->real != bo || atoll_winsys_lost(ws))
      return false;
   pthread_mutex_lock(&ws->sharing);
   const bool ok = !request || !atoll_winsys_ioctl(ws, request, arg);
   if (ok && !bo->shared)
      list_shared(bo);
   pthread_mutex_unlock(&ws->sharing);
   return ok;
}

bool
atoll_bo_export_fd(struct atoll_bo *bo, int *fd)
{
   struct drm_prime_handle prime = { .handle = bo->handle, .flags = DRM_CLOEXEC | DRM_RDWR };
   if (!share(bo, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime))
      return false;
   *fd = prime.fd;
   return true;
}

bool
atoll_bo_export_name(struct atoll_bo *bo, uint32_t *name)
{
   struct drm_gem_flink flink = { .handle = bo->handle };
   if (!share(bo, DRM_IOCTL_GEM_FLINK, &flink))
      return false;
   __atomic_store_n(&bo->name, flink.name, __ATOMIC_RELAXED);
   *name = flink.name;
   return true;
}

bool
atoll_bo_export_kms(struct atoll_bo *bo, uint32_t *handle)
{
   if (!share(bo, 0, NULL))
      return false;
   *handle = bo->handle;
   return true;
}

/* ---- Maps and use ---- */

void *
atoll_bo_map(struct atoll_bo *bo)
{
   if (atoll_winsys_lost(bo->ws)) {
      atoll_winsys_say_lost();
      return NULL;
   }
   void *map = __atomic_load_n(&bo->map, __ATOMIC_ACQUIRE);
   if (map)
      return map;

   struct drm_radeon_gem_mmap args = { .handle = bo->handle, .size = bo->size };
   if (atoll_winsys_ioctl(bo->ws, DRM_IOCTL_RADEON_GEM_MMAP, &args))
      return NULL;
   map = atoll_winsys_mmap(bo->ws, bo->size, args.addr_ptr);
   if (!map)
      return NULL;
   void *expected = NULL;
   if (!__atomic_compare_exchange_n(&bo->map, &expected, map, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
      /* Another thread was first. */
      atoll_winsys_munmap(bo->ws, map, bo->size);
      map = expected;
   }
   return map;
}

static bool
covers(const struct atoll_bo *bo, uint64_t offset, uint64_t size)
{
   return offset <= bo->size && size <= bo->size - offset;
}

bool
atoll_bo_populate(struct atoll_bo *bo, uint64_t offset, uint64_t size)
{
   char *map = covers(bo, offset, size) ? atoll_bo_map(bo) : NULL;
   if (!map)
      return false;
   const uintptr_t first = ((uintptr_t)map + offset) & ~(uintptr_t)(PAGE - 1);
   const uintptr_t end = (uintptr_t)align64((uintptr_t)map + offset + size, PAGE);
#ifdef MADV_POPULATE_WRITE
   /* Kernels before 5.14 give pages their memory when they are touched. */
   if (end > first && madvise((void *)first, end - first, MADV_POPULATE_WRITE))
      return errno == EINVAL;
#endif
   return true;
}

void
atoll_bo_discard(struct atoll_bo *bo, uint64_t offset, uint64_t size)
{
   char *map = covers(bo, offset, size) ? atoll_bo_map(bo) : NULL;
   if (!map || atoll_bo_busy(bo, false))
      return;
   const uintptr_t first = (uintptr_t)align64((uintptr_t)map + offset, PAGE);
   const uintptr_t end = ((uintptr_t)map + offset + size) & ~(uintptr_t)(PAGE - 1);
   /* Where the kernel cannot, the memory stays. */
   if (end > first)
      (void)madvise((void *)first, end - first, MADV_REMOVE);
}

static uint64_t
last_seq(struct atoll_bo *bo, bool write_only)
{
   return __atomic_load_n(write_only ? &bo->last_write : &bo->last_use, __ATOMIC_ACQUIRE);
}

bool
atoll_bo_busy(struct atoll_bo *bo, bool write_only)
{
   if (bo->shared && !atoll_winsys_lost(bo->ws)) {
      struct drm_radeon_gem_busy busy = { .handle = bo->handle };
      return atoll_winsys_ioctl(bo->ws, DRM_IOCTL_RADEON_GEM_BUSY, &busy) != 0;
   }
   return !atoll_seq_done(bo->ws, last_seq(bo, write_only));
}

void
atoll_bo_wait(struct atoll_bo *bo, bool write_only)
{
   if (bo->shared) {
      struct drm_radeon_gem_wait_idle wait = { .handle = bo->handle };
      atoll_winsys_ioctl(bo->ws, DRM_IOCTL_RADEON_GEM_WAIT_IDLE, &wait);
   } else {
      atoll_seq_wait(bo->ws, last_seq(bo, write_only), UINT64_MAX);
   }
}

void
atoll_bo_free(struct atoll_bo *bo)
{
   struct atoll_winsys *ws = bo->ws;

   if (atoll_winsys_lost(ws))
      return;
   if (bo->slab) {
      slab_free_entry(bo);
      return;
   }
   if (bo->real != bo) {
      atoll_bo_unref(bo->real);
      free(bo);
      return;
   }
   if (bo->shared) {
      free_shared(bo);
      return;
   }
   if (!bo->reusable) {
      destroy_real(bo);
      return;
   }
   int64_t now = now_ns();
   pthread_mutex_lock(&ws->lock);
   bo->freed_at = now;
   list_push(&ws->cache[util_logbase2_64(bo->size)], bo);
   ws->cache_bytes += bo->size;
   struct atoll_bo *dead = cache_trim(ws, now, CACHE_MAX_BYTES);
   pthread_mutex_unlock(&ws->lock);
   destroy_list(dead);
}
