/* SPDX-License-Identifier: MIT */
/* The panthor driver as the front door sees it: its ioctls are told apart, and its page mapped. */
#include "panthor/panthor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <atoll/device.h>

#include "bind/binder.h"
#include "chip/mali/rows.h"
#include "kernel.h"
#include "memory/anonymous.h"
#include "memory/arena.h"
#include "options.h"
#include "panthor/chip.h"
#include "pass/pass.h"

uint64_t
panthor_ticks(const struct atoll_device *device)
{
   const uint64_t ns = device_ns(device), second = 1000000000;

   /* In two steps: the product of all of it would overflow. */
   return ns / second * MALI_CLOCK_HZ + ns % second * MALI_CLOCK_HZ / second;
}

void
panthor_say(struct atoll_device *device, const char *format, ...)
{
   struct timespec now;
   char text[256];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   report_message(device->report, "%s", text);
   clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
   if (atomic_exchange(&panthor_of(device)->said, now.tv_sec) != now.tv_sec)
      fprintf(stderr, "atoll: %s\n", text);
}

/* The page that has the number of the last flush.  -1 with errno. */
static int
make_page(void)
{
   const uint32_t id = MALI_FLUSH_ID;
   const int fd = anonymous_file("atoll-flush-id", MFD_CLOEXEC, NULL);

   if (fd < 0 || (!ftruncate(fd, (off_t)ARENA_PAGE) && write(fd, &id, sizeof(id)) == sizeof(id)))
      return fd;
   close(fd);
   errno = ENOMEM;
   return -1;
}

static int
start(struct atoll_device *device)
{
   struct panthor *panthor = calloc(1, sizeof(*panthor));

   device->gpu = panthor;
   if (!panthor)
      return ENOMEM;
   panthor->trace = options_debug("cs");
   panthor->strict = options_flag("ATOLL_STRICT");
   panthor->budget = panthor_budget();
   panthor->flush_page = make_page();
   if (device->capture)
      fprintf(stderr, "atoll: submissions to panthor are not captured\n");
   return panthor->flush_page < 0 ? errno : 0;
}

struct gfx *
panthor_gfx(struct atoll_device *device)
{
   struct panthor *panthor = panthor_of(device);
   const unsigned reserve = options_reserve();
   const struct gfx_options options = {
      .kernels = kernels_choose(),
      .binder = binder_of(ATOLL_ISA_VALHALL),
      .threads = options_threads() + reserve,
      .reserve = reserve,
      .times = getenv("ATOLL_TIMES"),
      .report = report_text,
      .report_data = device->report,
   };

   if (!panthor->gfx)
      panthor->gfx = gfx_create(&options);
   if (panthor->gfx && !panthor->rows)
      panthor->rows = mali_rows_create();
   return panthor->gfx;
}

static void
stop(struct atoll_device *device)
{
   struct panthor *panthor = panthor_of(device);

   if (panthor->gfx)
      gfx_destroy(panthor->gfx);
   panthor->gfx = NULL;
   mali_rows_destroy(panthor->rows);
   panthor->rows = NULL;
}

static void *
open_client(void)
{
   struct panthor_client *client = calloc(1, sizeof(*client));

   if (client)
      pthread_mutex_init(&client->lock, NULL);
   return client;
}

static void
close_client(void *context)
{
   struct panthor_client *client = context;

   if (!client)
      return;
   for (unsigned n = 0; n < PANTHOR_GROUPS; n++)
      if (client->groups[n])
         panthor_group_put((struct panthor_group *)client->groups[n]);
   for (unsigned n = 0; n < PANTHOR_HEAPS; n++)
      panthor_vm_put(client->heaps[n].vm);
   for (unsigned n = 0; n < PANTHOR_VMS; n++)
      panthor_vm_put((struct panthor_vm *)client->vms[n]);
   pthread_mutex_destroy(&client->lock);
   free(client);
}

static int
panthor_ioctl(struct atoll_client *client, unsigned nr, void *arg)
{
   switch (nr) {
   case PANTHOR_DEV_QUERY:
      return panthor_query_ioctl(client, arg);
   case PANTHOR_VM_CREATE:
   case PANTHOR_VM_DESTROY:
   case PANTHOR_VM_BIND:
   case PANTHOR_VM_GET_STATE:
   case PANTHOR_BO_CREATE:
   case PANTHOR_BO_MMAP_OFFSET:
      return panthor_memory_ioctl(client, nr, arg);
   case PANTHOR_GROUP_CREATE:
   case PANTHOR_GROUP_DESTROY:
   case PANTHOR_GROUP_SUBMIT:
   case PANTHOR_GROUP_GET_STATE:
      return panthor_group_ioctl(client, nr, arg);
   case PANTHOR_TILER_HEAP_CREATE:
   case PANTHOR_TILER_HEAP_DESTROY:
      return panthor_heap_ioctl(client, nr, arg);
   default:
      return -EINVAL;
   }
}

/* The page of the last flush alone; it can be read and no more. */
static void *
map(struct atoll_client *client, void *addr, size_t length, int prot, int flags, uint64_t offset)
{
   if (offset != PANTHOR_FLUSH_ID_OFFSET)
      return NULL;
   if (length > ARENA_PAGE || prot & (PROT_WRITE | PROT_EXEC) || !(flags & MAP_SHARED)) {
      errno = EINVAL;
      return MAP_FAILED;
   }
   return mmap(addr, length, prot, flags, panthor_of(client->device)->flush_page, 0);
}

static const struct frontdoor_driver driver = {
   .name = MALI_DRIVER,
   .date = "20230801",
   .description = "Atoll's Mali",
   .major = 1,
   .minor = 2,
   .patch = 0,
   .memory = MALI_MEMORY,
   .syncobjs = true,
   .start = start,
   .stop = stop,
   .open = open_client,
   .close = close_client,
   .ioctl = panthor_ioctl,
   .map = map,
   .execute = panthor_execute,
};

static uint32_t
isa(void)
{
   return ATOLL_ISA_VALHALL;
}

struct atoll_device *
panthor_device_get(void)
{
   return device_get(&driver, isa, NULL);
}
