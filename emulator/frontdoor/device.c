/* SPDX-License-Identifier: MIT */
/*
 * The process's device and its clients.
 *
 * The device is a guest: its threads take no signals and are joined at exit, and it computes with a
 * floating-point state of its own.
 *
 * A forked child has none of its threads and may have inherited its locks in any state.  There it
 * is lost: each entry that is given one of its clients says ENODEV before it touches anything else.
 * The child's next request for the process's device makes another one, with clients of its own.
 */
#include "frontdoor/device.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "floats.h"
#include "frontdoor/build.h"
#include "frontdoor/capture.h"
#include "frontdoor/kms.h"
#include "frontdoor/remote.h"
#include "frontdoor/syncobj.h"
#include "memory/arena.h"
#include "options.h"

/* Address space of the arena file; what clients may hold is bounded by the driver's memory. */
#define ARENA_BYTES (UINT64_C(64) << 30)

/* The one device (design: one per process, shared by all screens and nodes).  `making` is held
 * while it is made, and by a thread that forks. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static struct atoll_device *_Atomic the_device;
static bool tried; /* in this process */
static int create_error;
static bool forked; /* this process is a child of one that had tried */

static uint64_t
now_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t
device_ns(const struct atoll_device *device)
{
   return now_ns() - device->epoch_ns;
}

/* A file that grows beyond RLIMIT_FSIZE is a SIGXFSZ. */
static uint64_t
arena_bytes(void)
{
   struct rlimit limit;

   if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur > ARENA_BYTES)
      return ARENA_BYTES;
   return limit.rlim_cur / ARENA_PAGE * ARENA_PAGE;
}

/* Once each: a program that tries again gets the same answer. */
static void
say_failed(const char *what, int error)
{
   static atomic_flag said = ATOMIC_FLAG_INIT;

   if (!atomic_flag_test_and_set(&said))
      fprintf(stderr,
              "atoll: %s: %s (limits of this process or its container? 'atoll doctor' looks)\n",
              what, strerror(error));
}

static void
say_small(uint64_t bytes)
{
   static atomic_flag said = ATOMIC_FLAG_INIT;

   if (!atomic_flag_test_and_set(&said))
      fprintf(stderr,
              "atoll: this process's address space is limited (ulimit -v, or 32 bits): "
              "the GPU's has %u MiB instead of %u\n",
              (unsigned)(bytes >> 20), (unsigned)(VM_SIZE_USUAL >> 20));
}

static void
fork_prepare(void)
{
   pthread_mutex_lock(&making);
   if (the_device && the_device->remote)
      remote_lock(the_device->remote);
}

static void
fork_parent(void)
{
   if (the_device && the_device->remote)
      remote_unlock(the_device->remote);
   pthread_mutex_unlock(&making);
}

/* The parent's device stays where it is, for its clients to ask. */
static void
fork_child(void)
{
   struct atoll_device *parents = the_device;

   if (parents) {
      atomic_store(&parents->state, DEVICE_LOST);
      if (parents->remote) {
         remote_forked(parents->remote);
         remote_unlock(parents->remote);
      } else {
         arena_forked(parents->arena);
         capture_forked(parents->capture);
      }
   }
   the_device = NULL;
   forked = true;
   tried = false;
   pthread_mutex_unlock(&making);
}

/* Nothing is freed: other exit handlers and threads may still call in. */
static void
at_exit(void)
{
   struct atoll_device *device = the_device;
   int running = DEVICE_RUNNING;

   if (!device || !atomic_compare_exchange_strong(&device->state, &running, DEVICE_EXITED))
      return;
   if (device->remote)
      return; /* the other process sees this one end */
   if (!queue_stop(device)) {
      atomic_store(&device->state, DEVICE_LOST);
      return;
   }
   device->driver->stop(device);
   capture_close(device->capture);
}

static void
watch_process(void)
{
   pthread_atfork(fork_prepare, fork_parent, fork_child);
   atexit(at_exit);
}

void
device_say_limit(struct atoll_device *device, const char *what, const char *name, uint64_t limit)
{
   const int64_t second = (int64_t)(now_ns() / 1000000000);

   report_message(device->report, "no room for %s: ATOLL_LIMITS, %s=%" PRIu64, what, name, limit);
   if (atomic_exchange(&device->said_limit, second) != second)
      fprintf(stderr,
              "atoll: no room for %s: ATOLL_LIMITS (%s=%" PRIu64 ") says how much there is\n", what,
              name, limit);
}

/* Honest programs take some seconds at most. */
#define COMPILE_SECONDS 120

static void
read_limits(struct atoll_device *device)
{
   device->limits = (struct options_limits){ .memory = device->driver->memory,
                                             .client = device->driver->memory,
                                             .handles = GEM_MAX_HANDLES,
                                             .compile = COMPILE_SECONDS };
   if (!options_limits(&device->limits))
      fprintf(
         stderr,
         "atoll: ATOLL_LIMITS=%s: not a list of memory=BYTES, client=BYTES, handles=NUMBER and "
         "compile=SECONDS; it is as without\n",
         getenv("ATOLL_LIMITS"));
   /* They are there for less than there is. */
   if (device->limits.memory > device->driver->memory)
      device->limits.memory = device->driver->memory;
   if (device->limits.handles > GEM_MAX_HANDLES)
      device->limits.handles = GEM_MAX_HANDLES;
}

/* In another process.  Call with `making` held. */
static void
create_remote(const struct frontdoor_driver *driver, const char *where)
{
   struct atoll_device *device;

   if (!driver->remote) {
      fprintf(stderr, "atoll: ATOLL_DEVICE=%s: a GPU of %s is in the program's process alone\n",
              where, driver->name);
      create_error = ENOTSUP;
      return;
   }
   device = calloc(1, sizeof(*device));
   if (device) {
      device->driver = driver;
      device->remote = remote_open(where, forked);
   }
   create_error = !device ? ENOMEM : device->remote ? 0 : errno;
   if (create_error) {
      free(device);
      return;
   }
   the_device = device;
}

/* Call with `making` held. */
static void
create(const struct frontdoor_driver *driver, uint32_t isa, const struct device_setup *setup)
{
   struct atoll_device *device = calloc(1, sizeof(*device));
   struct floats floats = floats_enter();

   if (!device) {
      create_error = ENOMEM;
      floats_leave(floats);
      return;
   }
   device->driver = driver;
   device->isa = isa;
   device->files = setup != NULL;
   read_limits(device);
   device->synchronous = options_flag("ATOLL_SYNC") || options_alone();
   device->capture = capture_open(driver, isa, forked);
   device->last = &device->first;
   device->epoch_ns = now_ns();
   pthread_mutex_init(&device->lock, NULL);
   pthread_mutex_init(&device->capture_lock, NULL);
   pthread_cond_init(&device->work, NULL);
   pthread_cond_init(&device->done, NULL);
   device->report = report_create();
   device->mapped = mapped_create();
   device->arena = arena_create(arena_bytes());
   create_error = !device->arena                       ? errno
                  : !device->report || !device->mapped ? ENOMEM
                  : setup                              ? setup->confine()
                                                       : 0;
   if (!create_error)
      create_error = driver->start(device);
   if (!create_error) {
      create_error = queue_start(device);
      if (create_error)
         driver->stop(device);
   }
   floats_leave(floats);
   if (create_error) {
      arena_destroy(device->arena);
      report_destroy(device->report);
      capture_close(device->capture);
      free(device->gpu);
      free(device->mapped);
      free(device);
      say_failed("the emulated GPU could not start", create_error);
      return;
   }
   the_device = device;
}

struct atoll_device *
device_get(const struct frontdoor_driver *driver, uint32_t (*isa)(void),
           const struct device_setup *setup)
{
   const char *where = setup ? NULL : getenv("ATOLL_DEVICE");
   static pthread_once_t watched = PTHREAD_ONCE_INIT;
   struct atoll_device *device;
   int error;

   pthread_once(&watched, watch_process);
   pthread_mutex_lock(&making);
   if (!tried) {
      tried = true;
      if (where && *where)
         create_remote(driver, where);
      else
         create(driver, isa(), setup);
   }
   device = the_device;
   error = create_error;
   pthread_mutex_unlock(&making);
   /* There is one in a process. */
   if (device && (atomic_load(&device->state) == DEVICE_LOST || device->driver != driver)) {
      device = NULL;
      error = ENODEV;
   }
   if (!device)
      errno = error;
   return device;
}

const char *
atoll_device_build(void)
{
   return BUILD_VERSION "-" BUILD_COMMIT;
}

size_t
atoll_device_messages(struct atoll_device *device, char *buffer, size_t size)
{
   if (atomic_load(&device->state) == DEVICE_LOST) {
      if (size)
         *buffer = 0;
      return 0;
   }
   if (device->remote)
      return remote_messages(device->remote, buffer, size);
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
   client = calloc(1, sizeof(*client));
   if (client && device->remote) {
      client->device = device;
      client->id = atomic_fetch_add(&device->client_ids, 1) + 1;
      client->remote = remote_client_open(device->remote, client);
      if (!client->remote) {
         const int error = errno;

         free(client);
         errno = error;
         return NULL;
      }
      return client;
   }
   if (client) {
      client->device = device;
      client->id = atomic_fetch_add(&device->client_ids, 1) + 1;
      client->vm = vm_create();
      client->context = device->driver->open();
   }
   if (!client || !client->vm || !client->context) {
      if (client) {
         vm_destroy(client->vm);
         device->driver->close(client->context);
      }
      free(client);
      say_failed("the emulated GPU has no room for a client", ENOMEM);
      errno = ENOMEM;
      return NULL;
   }
   if (vm_size(client->vm) < VM_SIZE_USUAL)
      say_small(vm_size(client->vm));
   pthread_mutex_init(&client->lock, NULL);
   pthread_mutex_init(&client->running, NULL);
   pthread_mutex_init(&client->zombie_lock, NULL);
   return client;
}

void
atoll_client_render(struct atoll_client *client)
{
   client->render = true;
   if (client->remote)
      remote_client_render(client->remote);
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
      return; /* its locks belong to the parent's threads, or to this one further down */
   if (client->remote) {
      remote_client_close(client->remote);
      free(client);
      return;
   }
   queue_wait(client->device, atomic_load(&client->last_seq));
   /* The queue reports a submission done before it lets go of its client. */
   pthread_mutex_lock(&client->running);
   pthread_mutex_unlock(&client->running);
   kms_close(client);
   gem_release_all(client);
   vm_destroy(client->vm);
   client->device->driver->close(client->context);
   syncobjs_release(client);
   ranges_finish(&client->free_va);
   free(client->handles);
   pthread_mutex_destroy(&client->lock);
   pthread_mutex_destroy(&client->running);
   pthread_mutex_destroy(&client->zombie_lock);
   free(client);
}
