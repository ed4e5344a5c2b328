/* SPDX-License-Identifier: MIT */
/*
 * Synchronisation objects and sync files; see syncobj.h.
 *
 * A sync file is one of a pair of sockets: it can be polled, and becomes readable with its fence.
 * Of those that are not signalled yet the device keeps the other one; an import knows its own by
 * the socket's inode.  One of another process is waited for when it is imported, as buffers of
 * other processes are.
 */
#include "frontdoor/syncobj.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <drm.h>

#include "frontdoor/device.h"
#include "frontdoor/user.h"

/* A client's objects, and names in one call. */
#define MAX_OBJECTS (1u << 16)
#define MAX_NAMED   (1u << 14)

/* How long a transfer waits for its source to have a fence. */
#define SUBMIT_NS INT64_C(5000000000)

/* How long an import waits for another process's fence. */
#define FOREIGN_MS 2000

/* `seq` is that of all fences up to it. */
struct point {
   uint64_t value, seq;
};

/* Its points, in order; of those that are signalled the last alone is kept.  device->lock. */
struct syncobj {
   unsigned references;
   struct point *points;
   size_t count, room;
};

struct syncobjs {
   struct syncobj **objects; /* handle n at [n - 1] */
   uint32_t room;
};

struct sync_file {
   struct sync_file *next;
   uint64_t seq;
   dev_t dev;
   ino_t ino;
   int fd; /* the other socket */
};

/* ---- Objects; all with device->lock held ---- */

static void
prune(struct atoll_device *device, struct syncobj *o)
{
   size_t done = 0;

   while (done < o->count && queue_done(device, o->points[done].seq))
      done++;
   if (done < 2)
      return;
   memmove(o->points, o->points + done - 1, (o->count - done + 1) * sizeof(o->points[0]));
   o->count -= done - 1;
}

/* Points with the same fence are one, the last of them: there are no more than submissions wait.
 * Without memory the number of fences does not grow: the last one is that of more points. */
static void
add_point(struct atoll_device *device, struct syncobj *o, uint64_t value, uint64_t seq)
{
   struct point *last = o->count ? &o->points[o->count - 1] : NULL;
   struct point point = { value, seq };

   if (last && last->value > value)
      point.value = last->value;
   if (last && last->seq >= seq) {
      last->value = point.value;
      return;
   }
   prune(device, o);
   if (o->count == o->room) {
      const size_t room = o->room ? o->room * 2 : 4;
      struct point *grown = realloc(o->points, room * sizeof(*grown));

      if (!grown) {
         if (o->count)
            o->points[o->count - 1] = point;
         return;
      }
      o->points = grown;
      o->room = room;
   }
   o->points[o->count++] = point;
}

static void
set(struct atoll_device *device, struct syncobj *o, uint64_t point, uint64_t seq)
{
   if (!point)
      o->count = 0;
   add_point(device, o, point, seq);
}

/* The fence of a point, or NULL. */
static const struct point *
fence(const struct syncobj *o, uint64_t value)
{
   if (!value)
      return o->count ? &o->points[o->count - 1] : NULL;
   for (size_t n = 0; n < o->count; n++)
      if (o->points[n].value >= value)
         return &o->points[n];
   return NULL;
}

static void
unref(struct syncobj *o)
{
   if (--o->references)
      return;
   free(o->points);
   free(o);
}

static struct syncobj *
find(struct atoll_client *client, uint32_t handle)
{
   const struct syncobjs *s = client->syncobjs;

   return s && handle && handle <= s->room ? s->objects[handle - 1] : NULL;
}

static struct syncobj *
lookup(struct atoll_client *client, uint32_t handle)
{
   struct syncobj *o = find(client, handle);

   if (o)
      o->references++;
   return o;
}

/* ---- For drivers ---- */

struct syncobj *
syncobj_get(struct atoll_client *client, uint32_t handle)
{
   struct syncobj *o;

   pthread_mutex_lock(&client->device->lock);
   o = lookup(client, handle);
   pthread_mutex_unlock(&client->device->lock);
   return o;
}

void
syncobj_put(struct atoll_client *client, struct syncobj *object)
{
   pthread_mutex_lock(&client->device->lock);
   unref(object);
   pthread_mutex_unlock(&client->device->lock);
}

int
syncobj_fence(struct atoll_client *client, struct syncobj *object, uint64_t point, uint64_t *seq)
{
   const struct point *found;

   pthread_mutex_lock(&client->device->lock);
   found = fence(object, point);
   if (found)
      *seq = found->seq;
   pthread_mutex_unlock(&client->device->lock);
   return found ? 0 : -EINVAL;
}

/* A thread may wait for the fence to be there. */
void
syncobj_set(struct atoll_client *client, struct syncobj *object, uint64_t point, uint64_t seq)
{
   pthread_mutex_lock(&client->device->lock);
   set(client->device, object, point, seq);
   pthread_cond_broadcast(&client->device->done);
   pthread_mutex_unlock(&client->device->lock);
}

void
syncobjs_release(struct atoll_client *client)
{
   struct syncobjs *s = client->syncobjs;

   if (!s)
      return;
   for (uint32_t n = 0; n < s->room; n++)
      if (s->objects[n])
         unref(s->objects[n]);
   free(s->objects);
   free(s);
   client->syncobjs = NULL;
}

/* ---- Creating ---- */

/* A handle of an object with a fence (`present`) or without.  0 on lack of memory. */
static uint32_t
new_handle(struct atoll_client *client, bool present, uint64_t seq)
{
   struct syncobjs *s = client->syncobjs;
   struct syncobj *o;
   uint32_t n;

   if (!s)
      s = client->syncobjs = calloc(1, sizeof(*s));
   if (!s)
      return 0;
   for (n = 0; n < s->room; n++)
      if (!s->objects[n])
         break;
   if (n == s->room) {
      const uint32_t room = n ? n * 2 : 64;
      struct syncobj **grown = n < MAX_OBJECTS ? realloc(s->objects, room * sizeof(*grown)) : NULL;

      if (!grown)
         return 0;
      memset(grown + n, 0, (room - n) * sizeof(*grown));
      s->objects = grown;
      s->room = room;
   }
   o = calloc(1, sizeof(*o));
   if (!o)
      return 0;
   o->references = 1;
   if (present)
      add_point(client->device, o, 0, seq);
   s->objects[n] = o;
   return n + 1;
}

static int
create(struct atoll_client *client, struct drm_syncobj_create *args)
{
   if (args->flags & ~(uint32_t)DRM_SYNCOBJ_CREATE_SIGNALED)
      return -EINVAL;
   pthread_mutex_lock(&client->device->lock);
   args->handle = new_handle(client, args->flags & DRM_SYNCOBJ_CREATE_SIGNALED, 0);
   pthread_mutex_unlock(&client->device->lock);
   return args->handle ? 0 : -ENOMEM;
}

static int
destroy(struct atoll_client *client, const struct drm_syncobj_destroy *args)
{
   struct syncobj *o;

   if (args->pad)
      return -EINVAL;
   pthread_mutex_lock(&client->device->lock);
   o = find(client, args->handle);
   if (o) {
      client->syncobjs->objects[args->handle - 1] = NULL;
      unref(o);
   }
   pthread_mutex_unlock(&client->device->lock);
   return o ? 0 : -EINVAL;
}

/* ---- Sync files ---- */

/* Its end makes it readable, whatever is read.  A process that was forked has the socket, too, so
 * that to close it is not enough; nothing is written, which is a signal where it is closed. */
static void
signal_file(int fd)
{
   shutdown(fd, SHUT_RDWR);
   close(fd);
}

void
sync_files_signal(struct atoll_device *device, uint64_t seq)
{
   for (struct sync_file **f = &device->sync_files; *f;) {
      struct sync_file *file = *f;

      if (file->seq > seq) {
         f = &file->next;
         continue;
      }
      *f = file->next;
      signal_file(file->fd);
      free(file);
   }
}

static int
keep_file(struct atoll_device *device, int file_fd, int other, uint64_t seq)
{
   struct sync_file *file = malloc(sizeof(*file));
   struct stat st;

   if (!file || fstat(file_fd, &st)) {
      free(file);
      return -ENOMEM;
   }
   *file = (struct sync_file){ device->sync_files, seq, st.st_dev, st.st_ino, other };
   device->sync_files = file;
   return 0;
}

static int
export_file(struct atoll_client *client, struct syncobj *o, int *fd)
{
   struct atoll_device *device = client->device;
   const struct point *last = fence(o, 0);
   int ends[2], result = 0;

   if (!last)
      return -EINVAL;
   if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends))
      return -errno;
   if (queue_done(device, last->seq))
      signal_file(ends[1]);
   else
      result = keep_file(device, ends[0], ends[1], last->seq);
   if (result) {
      close(ends[0]);
      close(ends[1]);
   } else {
      *fd = ends[0];
   }
   return result;
}

/* Whether `st` is one of ours that is not signalled yet. */
static bool
find_file(const struct atoll_device *device, const struct stat *st, uint64_t *seq)
{
   for (const struct sync_file *f = device->sync_files; f; f = f->next)
      if (f->dev == st->st_dev && f->ino == st->st_ino) {
         *seq = f->seq;
         return true;
      }
   return false;
}

static int
import_file(struct atoll_client *client, struct syncobj *o, int fd)
{
   struct atoll_device *device = client->device;
   struct pollfd wait = { .fd = fd, .events = POLLIN };
   struct stat st;
   uint64_t seq = 0;
   bool ours;

   if (fstat(fd, &st))
      return -EBADF;
   if (!S_ISSOCK(st.st_mode))
      return -EINVAL;
   pthread_mutex_lock(&device->lock);
   ours = find_file(device, &st, &seq);
   pthread_mutex_unlock(&device->lock);
   if (!ours && poll(&wait, 1, FOREIGN_MS) <= 0)
      return -EINVAL;
   syncobj_set(client, o, 0, seq);
   return 0;
}

static int
handle_to_fd(struct atoll_client *client, struct drm_syncobj_handle *args)
{
   struct syncobj *o;
   int result;

   if (args->pad || args->flags & ~(uint32_t)DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE)
      return -EINVAL;
   if (!args->flags) {
      report_message(client->device->report, "client %llu: a syncobj as a file: not implemented",
                     (unsigned long long)client->id);
      return -EOPNOTSUPP;
   }
   pthread_mutex_lock(&client->device->lock);
   o = find(client, args->handle);
   result = o ? export_file(client, o, &args->fd) : -ENOENT;
   pthread_mutex_unlock(&client->device->lock);
   return result;
}

static int
fd_to_handle(struct atoll_client *client, struct drm_syncobj_handle *args)
{
   struct syncobj *o;
   int result;

   if (args->pad || args->flags != DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
      return -EINVAL;
   o = syncobj_get(client, args->handle);
   if (!o)
      return -ENOENT;
   result = import_file(client, o, args->fd);
   syncobj_put(client, o);
   return result;
}

/* ---- Lists of objects ---- */

struct list {
   uint32_t count;
   uint32_t *handles;
   uint64_t *points; /* 0 each, where the client names none */
   struct syncobj **objects;
};

static void
drop_list(struct atoll_client *client, struct list *list)
{
   pthread_mutex_lock(&client->device->lock);
   for (uint32_t n = 0; list->objects && n < list->count && list->objects[n]; n++)
      unref(list->objects[n]);
   pthread_mutex_unlock(&client->device->lock);
   free(list->handles);
   free(list->points);
   free(list->objects);
}

/* With a reference to each object.  0 or a negative errno, and then there is no list. */
static int
take_list(struct atoll_client *client, uint64_t handles, uint64_t points, uint32_t count,
          struct list *list)
{
   int result = 0;

   if (!count)
      return -EINVAL;
   if (count > MAX_NAMED)
      return -ENOMEM;
   *list = (struct list){ count, malloc(count * sizeof(*list->handles)),
                          calloc(count, sizeof(*list->points)),
                          calloc(count, sizeof(struct syncobj *)) };
   if (!list->handles || !list->points || !list->objects)
      result = -ENOMEM;

   const struct user_range ranges[2] = {
      { list->handles, handles, count * sizeof(*list->handles) },
      { list->points, points, points ? count * sizeof(*list->points) : 0 },
   };

   if (!result && !user_read(client, ranges, 2))
      result = -EFAULT;
   pthread_mutex_lock(&client->device->lock);
   for (uint32_t n = 0; n < count && !result; n++) {
      list->objects[n] = lookup(client, list->handles[n]);
      result = list->objects[n] ? 0 : -ENOENT;
   }
   pthread_mutex_unlock(&client->device->lock);
   if (result)
      drop_list(client, list);
   return result;
}

/* ---- Waiting ---- */

static int64_t
clock_ns(clockid_t clock)
{
   struct timespec now;

   clock_gettime(clock, &now);
   return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* What a wait sees of its objects. */
struct seen {
   uint32_t ready, first; /* how many; the first of them */
   bool all_present;
   uint64_t earliest, latest; /* of fences that are there and not signalled */
};

static struct seen
look(struct atoll_device *device, const struct list *list, uint32_t flags)
{
   struct seen seen = { .first = UINT32_MAX, .all_present = true, .earliest = UINT64_MAX };

   for (uint32_t n = 0; n < list->count; n++) {
      const struct point *f = fence(list->objects[n], list->points[n]);

      seen.all_present = seen.all_present && f;
      if (f && (flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE || queue_done(device, f->seq))) {
         seen.ready++;
         seen.first = n < seen.first ? n : seen.first;
      } else if (f) {
         seen.earliest = f->seq < seen.earliest ? f->seq : seen.earliest;
         seen.latest = f->seq > seen.latest ? f->seq : seen.latest;
      }
   }
   return seen;
}

/* Until something changes, or for as long as a wait may last at once.  device->lock is held. */
static void
sleep_on(struct atoll_device *device, int64_t left)
{
   const int64_t most = 1000000000, until = clock_ns(CLOCK_REALTIME) + (left < most ? left : most);
   const struct timespec at = { .tv_sec = until / 1000000000, .tv_nsec = until % 1000000000 };

   pthread_cond_timedwait(&device->done, &device->lock, &at);
}

/* A wait that has no end, or none that anybody means, runs what it waits for on this thread.  Any
 * other one keeps its deadline. */
#define PATIENT_NS INT64_C(3600000000000)

static int
wait_list(struct atoll_device *device, const struct list *list, uint32_t flags, int64_t deadline,
          uint32_t *first)
{
   const bool all = flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL;
   const bool patient =
      flags & (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE);

   for (;;) {
      const struct seen seen = look(device, list, flags);
      const int64_t now = clock_ns(CLOCK_MONOTONIC), left = deadline > now ? deadline - now : 0;

      if (!seen.all_present && !patient)
         return -EINVAL;
      if (all ? seen.ready == list->count : seen.ready) {
         *first = seen.first;
         return 0;
      }
      if (!left)
         return -ETIME;
      if (seen.all_present && left > PATIENT_NS) {
         pthread_mutex_unlock(&device->lock);
         queue_wait(device, all ? seen.latest : seen.earliest);
         pthread_mutex_lock(&device->lock);
      } else {
         sleep_on(device, left);
      }
   }
}

static int
wait(struct atoll_client *client, uint64_t handles, uint64_t points, uint32_t count, uint32_t flags,
     int64_t deadline, uint32_t *first)
{
   struct list list;
   int result = take_list(client, handles, points, count, &list);

   if (result)
      return result;
   pthread_mutex_lock(&client->device->lock);
   result = wait_list(client->device, &list, flags, deadline, first);
   pthread_mutex_unlock(&client->device->lock);
   drop_list(client, &list);
   return result;
}

#define BINARY_WAIT                                                            \
   (DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | \
    1u << 3 /* with a deadline for the hardware */)
#define TIMELINE_WAIT (BINARY_WAIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE)

static int
binary_wait(struct atoll_client *client, struct drm_syncobj_wait *args)
{
   if (args->flags & ~(uint32_t)BINARY_WAIT)
      return -EINVAL;
   return wait(client, args->handles, 0, args->count_handles, args->flags, args->timeout_nsec,
               &args->first_signaled);
}

static int
timeline_wait(struct atoll_client *client, struct drm_syncobj_timeline_wait *args)
{
   if (args->flags & ~(uint32_t)TIMELINE_WAIT)
      return -EINVAL;
   return wait(client, args->handles, args->points, args->count_handles, args->flags,
               args->timeout_nsec, &args->first_signaled);
}

/* ---- Changing and asking ---- */

enum change { RESET, SIGNAL };

static int
change_all(struct atoll_client *client, uint64_t handles, uint64_t points, uint32_t count,
           enum change change)
{
   struct atoll_device *device = client->device;
   struct list list;
   int result = take_list(client, handles, points, count, &list);

   if (result)
      return result;
   pthread_mutex_lock(&device->lock);
   for (uint32_t n = 0; n < count; n++)
      if (change == RESET)
         list.objects[n]->count = 0;
      else
         set(device, list.objects[n], list.points[n], 0);
   pthread_cond_broadcast(&device->done);
   pthread_mutex_unlock(&device->lock);
   drop_list(client, &list);
   return 0;
}

/* The last point of a timeline that is signalled, or that has a fence. */
static uint64_t
payload(struct atoll_device *device, const struct syncobj *o, bool submitted)
{
   uint64_t value = 0;

   for (size_t n = 0; n < o->count; n++)
      if (submitted || queue_done(device, o->points[n].seq))
         value = o->points[n].value;
   return value;
}

static int
query(struct atoll_client *client, const struct drm_syncobj_timeline_array *args)
{
   const bool submitted = args->flags & DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED;
   struct list list;
   int result;

   if (args->flags & ~(uint32_t)DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED)
      return -EINVAL;
   result = take_list(client, args->handles, 0, args->count_handles, &list);
   if (result)
      return result;
   pthread_mutex_lock(&client->device->lock);
   for (uint32_t n = 0; n < list.count; n++)
      list.points[n] = payload(client->device, list.objects[n], submitted);
   pthread_mutex_unlock(&client->device->lock);
   if (!user_write(client, args->points, list.points, list.count * sizeof(*list.points)))
      result = -EFAULT;
   drop_list(client, &list);
   return result;
}

static int
transfer(struct atoll_client *client, const struct drm_syncobj_transfer *args)
{
   uint64_t point = args->src_point, seq = 0;
   struct syncobj *from, *to;
   uint32_t first;
   int result = -ENOENT;

   if (args->pad || args->flags & ~(uint32_t)DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT)
      return -EINVAL;
   from = syncobj_get(client, args->src_handle);
   to = syncobj_get(client, args->dst_handle);
   if (from && to) {
      const struct list list = { .count = 1, .points = &point, .objects = &from };

      pthread_mutex_lock(&client->device->lock);
      if (args->flags)
         wait_list(client->device, &list, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE,
                   clock_ns(CLOCK_MONOTONIC) + SUBMIT_NS, &first);
      pthread_mutex_unlock(&client->device->lock);
      result = syncobj_fence(client, from, point, &seq);
   }
   if (!result)
      syncobj_set(client, to, args->dst_point, seq);
   if (from)
      syncobj_put(client, from);
   if (to)
      syncobj_put(client, to);
   return result;
}

int
syncobj_ioctl(struct atoll_client *client, unsigned nr, void *arg)
{
   const struct drm_syncobj_timeline_array *timeline = arg;
   const struct drm_syncobj_array *array = arg;

   switch (nr) {
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE):
      return create(client, arg);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY):
      return destroy(client, arg);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD):
      return handle_to_fd(client, arg);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE):
      return fd_to_handle(client, arg);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT):
      return binary_wait(client, arg);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT):
      return timeline_wait(client, arg);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
      return array->pad ? -EINVAL
                        : change_all(client, array->handles, 0, array->count_handles, RESET);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
      return array->pad ? -EINVAL
                        : change_all(client, array->handles, 0, array->count_handles, SIGNAL);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL):
      return timeline->flags ? -EINVAL
                             : change_all(client, timeline->handles, timeline->points,
                                          timeline->count_handles, SIGNAL);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY):
      return query(client, arg);
   default:
      return transfer(client, arg);
   }
}
