/* SPDX-License-Identifier: MIT */
/*
 * Connection to a device: the two transports, and the questions asked once at the start.
 */
#include "winsys_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdrm/drm.h>
#include <libdrm/radeon_drm.h>
#include <xf86drm.h>

#include <atoll/device.h>

int
atoll_winsys_ioctl(struct atoll_winsys *ws, unsigned long request, void *arg)
{
   if (ws->client)
      return atoll_client_ioctl(ws->client, request, arg);
   return drmIoctl(ws->fd, request, arg) ? -errno : 0;
}

void *
atoll_winsys_mmap(struct atoll_winsys *ws, uint64_t size, uint64_t offset)
{
   void *map;
   if (ws->client)
      map = atoll_client_mmap(ws->client, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, offset);
   else
      map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ws->fd, (off_t)offset);
   return map == MAP_FAILED ? NULL : map;
}

void
atoll_winsys_munmap(struct atoll_winsys *ws, void *map, uint64_t size)
{
   if (ws->client)
      atoll_client_munmap(ws->client, map, size);
   else
      munmap(map, size);
}

/* The device stores 32 bits for most requests and 64 for some: the rest must read as zero. */
static bool
query(struct atoll_winsys *ws, uint32_t request, uint64_t *value)
{
   uint64_t answer = 0;
   struct drm_radeon_info info = { .request = request, .value = (uintptr_t)&answer };
   int error = atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_INFO, &info);
   if (error) {
      errno = -error;
      return false;
   }
   *value = answer;
   return true;
}

static void
release(struct atoll_winsys *ws)
{
   atoll_bo_unref(ws->fence_bo);
   for (unsigned i = 0; i < NUM_MARKERS; i++)
      atoll_bo_unref(ws->markers[i]);
   ws->fence_map = NULL;
   atoll_bo_pools_finish(ws);
}

static bool
ask(struct atoll_winsys *ws)
{
   uint64_t value;

   if (!query(ws, ATOLL_INFO_MAGIC, &value) || value != ATOLL_INFO_VERSION) {
      errno = ENODEV;
      return false;
   }
   ws->info.drm_major = 2;
   ws->info.drm_minor = 50;
   ws->info.device_id = query(ws, RADEON_INFO_DEVICE_ID, &value) ? (uint32_t)value : 0x6718;
   /* A device that was built before there was a second one does not answer. */
   ws->info.isa = query(ws, ATOLL_INFO_ISA, &value) ? (uint32_t)value : ATOLL_ISA_CAYMAN;
   ws->info.crystal_khz =
      query(ws, RADEON_INFO_CLOCK_CRYSTAL_FREQ, &value) && value ? (uint32_t)value : 27000;
   ws->info.num_backends =
      query(ws, RADEON_INFO_NUM_BACKENDS, &value) && value ? (uint32_t)value : 8;

   struct drm_radeon_gem_info mem = { 0 };
   if (atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_GEM_INFO, &mem))
      return false;
   ws->info.vram_size = mem.vram_size;
   ws->info.gart_size = mem.gart_size;

   ws->info.budget_ns = query(ws, ATOLL_INFO_BUDGET, &value) ? value : 0;
   ws->info.patience_ns = query(ws, ATOLL_INFO_PATIENCE, &value) ? value : 0;
   ws->info.compile_s = query(ws, ATOLL_INFO_COMPILE, &value) ? (uint32_t)value : 0;
   ws->client_id = query(ws, ATOLL_INFO_CLIENT, &value) ? value : 0;
   ws->tells_guilt = atoll_winsys_guilt(ws, UINT32_MAX, &(struct atoll_guilt){ 0 });

   /* A device in another process has nothing to do with this one's memory: it says so before it
    * looks for the page, at which there is none. */
   struct drm_radeon_gem_userptr nowhere = { .addr = PAGE, .size = PAGE };
   ws->info.user_memory =
      ws->client && atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_GEM_USERPTR, &nowhere) != -EOPNOTSUPP;

   uint64_t va_start = UINT64_C(8) << 20, va_end = UINT64_C(1) << 33;
   if (query(ws, RADEON_INFO_VA_START, &value) && value)
      va_start = value;
   if (query(ws, ATOLL_INFO_VA_SIZE, &value) && value > va_start)
      va_end = value;

   atoll_bo_pools_init(ws, va_start, va_end);
   ws->fence_bo = atoll_bo_create(ws, 4096, 4096, ATOLL_BO_NO_SUBALLOC);
   ws->fence_map = ws->fence_bo ? atoll_bo_map(ws->fence_bo) : NULL;
   bool ok = ws->fence_map != NULL;
   for (unsigned i = 0; ok && i < NUM_MARKERS; i++)
      ok = (ws->markers[i] = atoll_bo_create(ws, 4096, 4096, ATOLL_BO_NO_SUBALLOC)) != NULL;
   if (!ok) {
      release(ws);
      return false;
   }
   *ws->fence_map = 0;
   return true;
}

/* Generations of forked processes: a connection belongs to the process that made it. */
static unsigned generation;
static pthread_once_t watch_forks = PTHREAD_ONCE_INIT;

static void
forked(void)
{
   generation++;
}

static void
watch(void)
{
   pthread_atfork(NULL, NULL, forked);
}

bool
atoll_winsys_lost(const struct atoll_winsys *ws)
{
   return ws->generation != generation;
}

void
atoll_winsys_say_lost(void)
{
   static bool said;

   if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
      fprintf(stderr,
              "atoll: this process was forked from one that had contexts: what is drawn with "
              "those, or with their textures and buffers, is lost here. A context that it "
              "creates itself draws\n");
}

static struct atoll_winsys *
create(struct atoll_client *client, int fd)
{
   pthread_once(&watch_forks, watch);
   struct atoll_winsys *ws = calloc(1, sizeof(*ws));
   if (!ws)
      return NULL;
   ws->client = client;
   ws->fd = fd;
   ws->generation = generation;
   ws->info.in_process = client != NULL;
   pthread_mutex_init(&ws->lock, NULL);
   pthread_mutex_init(&ws->sharing, NULL);
   pthread_mutex_init(&ws->submit_lock, NULL);
   if (!ask(ws)) {
      pthread_mutex_destroy(&ws->lock);
      pthread_mutex_destroy(&ws->sharing);
      pthread_mutex_destroy(&ws->submit_lock);
      free(ws);
      return NULL;
   }
   return ws;
}

struct atoll_winsys *
atoll_winsys_create_device(void)
{
   struct atoll_device *device = atoll_device_get();
   struct atoll_client *client = device ? atoll_client_open(device) : NULL;
   if (!client)
      return NULL;
   struct atoll_winsys *ws = create(client, -1);
   if (!ws)
      atoll_client_close(client);
   return ws;
}

static struct atoll_winsys *
create_on(int own)
{
   if (own < 0)
      return NULL;
   struct atoll_winsys *ws = create(NULL, own);
   if (!ws) {
      int error = errno;
      close(own);
      errno = error;
   }
   return ws;
}

/* The node that `fd` leads to, opened again. */
static int
open_again(int fd)
{
   char *path = drmGetDeviceNameFromFd2(fd);
   int again = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
   free(path);
   return again;
}

struct atoll_winsys *
atoll_winsys_create_drm(int fd)
{
   struct atoll_winsys *ws = create_on(fcntl(fd, F_DUPFD_CLOEXEC, 3));
   /* A node of ours that was opened by the parent of this process. */
   if (!ws && errno == ENODEV && generation)
      ws = create_on(open_again(fd));
   return ws;
}

struct atoll_winsys *
atoll_winsys_reconnect(const struct atoll_winsys *lost)
{
   return lost->client ? atoll_winsys_create_device() : atoll_winsys_create_drm(lost->fd);
}

void
atoll_winsys_destroy(struct atoll_winsys *ws)
{
   if (atoll_winsys_lost(ws)) {
      if (!ws->client)
         close(ws->fd);
      return;
   }
   atoll_seq_wait(ws, ws->last_seq, UINT64_MAX);
   release(ws);
   if (ws->client)
      atoll_client_close(ws->client);
   else
      close(ws->fd);
   pthread_mutex_destroy(&ws->lock);
   pthread_mutex_destroy(&ws->sharing);
   pthread_mutex_destroy(&ws->submit_lock);
   free(ws->relocs);
   free(ws);
}

const struct atoll_winsys_info *
atoll_winsys_info(const struct atoll_winsys *ws)
{
   return &ws->info;
}

int
atoll_winsys_fd(const struct atoll_winsys *ws)
{
   return ws->fd;
}

bool
atoll_winsys_has_node(const struct atoll_winsys *ws, int fd)
{
   uint64_t id = 0;
   struct drm_radeon_info info = { .request = ATOLL_INFO_CLIENT, .value = (uintptr_t)&id };
   return !atoll_winsys_lost(ws) && ws->client_id && !drmIoctl(fd, DRM_IOCTL_RADEON_INFO, &info) &&
          id == ws->client_id;
}

void
atoll_winsys_end_frame(struct atoll_winsys *ws)
{
   __atomic_store_n(&ws->new_frame, true, __ATOMIC_RELAXED);
}

uint64_t
atoll_winsys_timestamp(struct atoll_winsys *ws)
{
   uint64_t ticks = 0;
   query(ws, RADEON_INFO_TIMESTAMP, &ticks);
   return ticks;
}

uint32_t
atoll_winsys_new_context(struct atoll_winsys *ws)
{
   return __atomic_add_fetch(&ws->contexts, 1, __ATOMIC_RELAXED);
}

bool
atoll_winsys_guilt(struct atoll_winsys *ws, uint32_t context, struct atoll_guilt *guilt)
{
   memset(guilt, 0, sizeof(*guilt));
   guilt->context = context;
   struct drm_radeon_info info = { .request = ATOLL_INFO_GUILT, .value = (uintptr_t)guilt };
   return !atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_INFO, &info);
}

int
atoll_winsys_finding(struct atoll_winsys *ws, uint32_t number, struct atoll_finding *finding)
{
   memset(finding, 0, sizeof(*finding));
   finding->number = number;
   struct drm_radeon_info info = { .request = ATOLL_INFO_FINDING, .value = (uintptr_t)finding };
   return atoll_winsys_ioctl(ws, DRM_IOCTL_RADEON_INFO, &info);
}

uint32_t
atoll_winsys_reset_count(struct atoll_winsys *ws)
{
   uint64_t count = 0;
   query(ws, RADEON_INFO_GPU_RESET_COUNTER, &count);
   return (uint32_t)count;
}
