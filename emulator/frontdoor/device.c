/* SPDX-License-Identifier: MIT */
/*
 * The process's device and its clients.
 *
 * The device is a guest: its threads take no signals and are joined at exit, it computes with a
 * floating-point state of its own, and in a forked child, which has none of its threads and may
 * have inherited its locks in any state, it is lost: every entry says ENODEV before it touches
 * anything else.
 */
#include "frontdoor/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

#include <drm.h>
#include <radeon_drm.h>

#include "frontdoor/capture.h"
#include "frontdoor/floats.h"
#include "options.h"
#include "frontdoor/user.h"
#include "memory/arena.h"
#include "pass/pass.h"

/* Address space of the arena file; what clients may hold is bounded by VRAM and GART. */
#define ARENA_BYTES (UINT64_C(64) << 30)

/* The one device (design: one per process, shared by all screens and nodes). */
static struct atoll_device *the_device;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int create_error;

static uint64_t
now_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t
device_ticks(struct atoll_device *device)
{
   uint64_t ns = now_ns() - device->epoch_ns;

   /* In two steps: the product of all of it would overflow after a week. */
   return ns / 1000000 * DEVICE_CLOCK_KHZ + ns % 1000000 * DEVICE_CLOCK_KHZ / 1000000;
}

static void
fork_child(void)
{
   if (!the_device)
      return;
   atomic_store(&the_device->state, DEVICE_LOST);
   arena_forked(the_device->arena);
}

/* Nothing is freed: other exit handlers and threads may still call in. */
static void
at_exit(void)
{
   int running = DEVICE_RUNNING;

   if (!atomic_compare_exchange_strong(&the_device->state, &running, DEVICE_EXITED))
      return;
   queue_stop(the_device);
   gfx_destroy(the_device->gfx);
   the_device->gfx = NULL;
   capture_close(the_device->capture);
}

static void
create(void)
{
   struct atoll_device *device = calloc(1, sizeof *device);
   struct gfx_options options = {
      .kernels = kernels_choose(),
      .threads = options_threads(),
      .relaxed_order = options_word("ATOLL_ORDER", "relaxed"),
      .report = report_text,
   };
   struct floats floats = floats_enter();

   if (!device) {
      create_error = ENOMEM;
      floats_leave(floats);
      return;
   }
   device->synchronous = options_flag("ATOLL_SYNC");
   device->debug_cs = options_debug("cs");
   device->strict = options_flag("ATOLL_STRICT");
   device->budget = options_number("ATOLL_BUDGET", DEVICE_BUDGET);
   device->capture = capture_open();
   device->device_clock = options_word("ATOLL_CLOCK", "device") || device->capture;
   device->last = &device->first;
   device->epoch_ns = now_ns();
   pthread_mutex_init(&device->lock, NULL);
   pthread_mutex_init(&device->capture_lock, NULL);
   pthread_cond_init(&device->work, NULL);
   pthread_cond_init(&device->done, NULL);
   device->report = report_create();
   device->arena = arena_create(ARENA_BYTES);
   create_error = device->arena ? ENOMEM : errno;
   if (device->report && device->arena) {
      options.report_data = device->report;
      device->gfx = gfx_create(&options);
   }
   if (device->gfx)
      create_error = queue_start(device);
   floats_leave(floats);
   if (create_error) {
      if (device->gfx)
         gfx_destroy(device->gfx);
      arena_destroy(device->arena);
      report_destroy(device->report);
      capture_close(device->capture);
      free(device);
      return;
   }
   the_device = device;
   pthread_atfork(NULL, NULL, fork_child);
   atexit(at_exit);
}

struct atoll_device *
atoll_device_get(void)
{
   pthread_once(&once, create);
   if (!the_device) {
      errno = create_error;
      return NULL;
   }
   if (atomic_load(&the_device->state) == DEVICE_LOST) {
      errno = ENODEV;
      return NULL;
   }
   return the_device;
}

size_t
atoll_device_messages(struct atoll_device *device, char *buffer, size_t size)
{
   if (atomic_load(&device->state) == DEVICE_LOST) {
      if (size)
         *buffer = 0;
      return 0;
   }
   return report_read(device->report, buffer, size);
}

struct atoll_client *
atoll_client_open(struct atoll_device *device)
{
   struct atoll_client *client;

   if (!device || atomic_load(&device->state) != DEVICE_RUNNING) {
      errno = ENODEV;
      return NULL;
   }
   client = calloc(1, sizeof *client);
   if (client) {
      client->device = device;
      client->id = atomic_fetch_add(&device->client_ids, 1) + 1;
      client->vm = vm_create();
      client->cp = cp_create();
   }
   if (!client || !client->vm || !client->cp) {
      if (client) {
         vm_destroy(client->vm);
         cp_destroy(client->cp);
      }
      free(client);
      errno = ENOMEM;
      return NULL;
   }
   pthread_mutex_init(&client->lock, NULL);
   pthread_mutex_init(&client->running, NULL);
   pthread_mutex_init(&client->zombie_lock, NULL);
   return client;
}

void
atoll_client_check_memory(struct atoll_client *client)
{
   client->check_memory = true;
}

void
atoll_client_close(struct atoll_client *client)
{
   if (!client)
      return;
   if (atomic_load(&client->device->state) == DEVICE_LOST)
      return; /* its locks belong to the parent's threads */
   queue_wait(client->device, atomic_load(&client->last_seq));
   /* The queue reports a submission done before it lets go of its client. */
   pthread_mutex_lock(&client->running);
   pthread_mutex_unlock(&client->running);
   gem_release_all(client);
   vm_destroy(client->vm);
   cp_destroy(client->cp);
   ranges_finish(&client->places);
   free(client->handles);
   pthread_mutex_destroy(&client->lock);
   pthread_mutex_destroy(&client->running);
   pthread_mutex_destroy(&client->zombie_lock);
   free(client);
}

static int
dispatch(struct atoll_client *client, unsigned nr, void *arg)
{
   switch (nr) {
   case _IOC_NR(DRM_IOCTL_VERSION):
      return version_ioctl(client, arg);
   case _IOC_NR(DRM_IOCTL_GET_CAP):
      return cap_ioctl(arg);
   case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
      return gem_close(client, ((struct drm_gem_close *)arg)->handle);
   case _IOC_NR(DRM_IOCTL_GEM_FLINK):
   case _IOC_NR(DRM_IOCTL_GEM_OPEN):
   case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD):
   case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
      return share_ioctl(client, nr, arg);
   case DRM_COMMAND_BASE + DRM_RADEON_INFO:
      return info_ioctl(client, arg);
   case DRM_COMMAND_BASE + DRM_RADEON_CS:
      return submit_ioctl(client, arg);
   default:
      if (nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END)
         return gem_ioctl(client, nr, arg);
      return -EINVAL;
   }
}

int
atoll_client_ioctl(struct atoll_client *client, unsigned long request, void *arg)
{
   /* The kernel takes structs of older or newer callers, as long as what it knows is there. */
   uint64_t copy[32] = { 0 }, original[32];
   size_t size = _IOC_SIZE(request);
   int state = atomic_load(&client->device->state), result;
   struct floats floats;

   if (state == DEVICE_LOST)
      return -ENODEV;
   if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
      return -ENOTTY;
   if (size > sizeof copy || !arg)
      return -EINVAL;
   floats = floats_enter();
   if (user_read(client, &(struct user_piece){ copy, (uintptr_t)arg, size }, 1)) {
      memcpy(original, copy, size);
      result = dispatch(client, _IOC_NR(request), copy);
      if (request & IOC_OUT && memcmp(original, copy, size) &&
          !user_write(client, (uintptr_t)arg, copy, size))
         result = -EFAULT;
   } else {
      result = -EFAULT;
   }
   floats_leave(floats);
   return result;
}

void *
atoll_client_mmap(struct atoll_client *client, void *addr, size_t length, int prot, int flags,
                  uint64_t offset)
{
   struct bo *bo;
   void *result;

   if (atomic_load(&client->device->state) == DEVICE_LOST) {
      errno = ENODEV;
      return MAP_FAILED;
   }
   bo = gem_lookup(client, (uint32_t)(offset >> GEM_MMAP_SHIFT));
   if (!bo) {
      errno = EINVAL;
      return MAP_FAILED;
   }
   pthread_mutex_lock(&client->device->lock);
   result = bo_map(bo, addr, length, prot, flags, offset & ((UINT64_C(1) << GEM_MMAP_SHIFT) - 1));
   pthread_mutex_unlock(&client->device->lock);
   gem_unref(client->device, bo);
   return result;
}
