/* SPDX-License-Identifier: MIT */
/*
 * Sharing buffers: PRIME file descriptors and flink names.
 *
 * A PRIME descriptor is the buffer's own memfd, sealed against shrinking, so that the other side
 * can neither see other buffers nor take pages away.  Import knows the file again by its inode; a
 * sealed memfd that this device did not make (another process's) becomes a new buffer.
 *
 * As in the kernel, a descriptor is the handle that the client has of the buffer already, which is
 * closed once; a name is another handle each time that it is opened.
 */
#include "frontdoor/device.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <drm.h>

#include "memory/anonymous.h"

static bool
is_listed(const struct atoll_device *device, const struct bo *bo)
{
   for (const struct bo *b = device->shared; b; b = b->next)
      if (b == bo)
         return true;
   return false;
}

static void
list(struct atoll_device *device, struct bo *bo)
{
   if (!is_listed(device, bo)) {
      bo->next = device->shared;
      device->shared = bo;
   }
}

/* Call with device->lock held. */
void
share_forget(struct atoll_device *device, struct bo *bo)
{
   if (!bo->flink && bo->backing != BO_FILE)
      return;
   for (struct bo **b = &device->shared; *b; b = &(*b)->next) {
      if (*b == bo) {
         *b = bo->next;
         return;
      }
   }
}

void
share_unname(struct atoll_device *device, struct bo *bo)
{
   if (bo->flink && bo->backing != BO_FILE)
      share_forget(device, bo);
   bo->flink = 0;
}

static int
export_fd(struct atoll_client *client, struct drm_prime_handle *args)
{
   struct atoll_device *device = client->device;
   struct bo *bo = gem_lookup(client, args->handle);
   int result;

   if (!bo)
      return -ENOENT;
   if (args->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR)) {
      gem_unref(device, bo);
      return -EINVAL;
   }
   queue_wait(device, atomic_load(&client->last_seq));
   queue_wait(device, atomic_load(&bo->last_seq));
   pthread_mutex_lock(&device->lock);
   result = bo_move_to_file(bo);
   if (!result) {
      bo->inside = false;
      list(device, bo);
      result = fcntl(bo->fd, args->flags & DRM_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
      result = result < 0 ? -errno : result;
   }
   pthread_mutex_unlock(&device->lock);
   gem_unref(device, bo);
   if (result < 0)
      return result;
   args->fd = result;
   return 0;
}

/* Gives the client a handle for `bo`, and takes over the caller's reference to it. */
static int
open_handle(struct atoll_client *client, struct bo *bo, bool always_new, uint32_t *handle)
{
   pthread_mutex_lock(&client->lock);
   *handle = always_new ? 0 : gem_find_handle(client, bo);
   if (!*handle)
      *handle = gem_add_handle(client, bo);
   pthread_mutex_unlock(&client->lock);
   gem_unref(client->device, bo);
   return *handle ? 0 : -ENOMEM;
}

/* A reference to the buffer of that file, or NULL.  Call with device->lock held. */
static struct bo *
find_file(const struct atoll_device *device, const struct stat *st)
{
   for (struct bo *bo = device->shared; bo; bo = bo->next)
      if (bo->backing == BO_FILE && bo->ino == st->st_ino && bo->dev == st->st_dev)
         return bo_ref(bo);
   return NULL;
}

static int
import_fd(struct atoll_client *client, struct drm_prime_handle *args)
{
   struct atoll_device *device = client->device;
   struct bo *bo;
   struct stat st;
   bool room;

   if (file_status(args->fd, &st))
      return -EBADF;
   pthread_mutex_lock(&device->lock);
   bo = find_file(device, &st);
   pthread_mutex_unlock(&device->lock);
   if (bo)
      return open_handle(client, bo, false, &args->handle);
   room = st.st_size < 0 || gem_make_room(client, (uint64_t)st.st_size);
   pthread_mutex_lock(&device->lock);
   bo = find_file(device, &st);
   if (!bo) {
      bo = bo_create_file(device->arena, args->fd);
      if (bo && !room) {
         bo_unref(bo);
         bo = NULL;
         errno = ENOMEM;
      }
      if (!bo) {
         int error = errno;

         pthread_mutex_unlock(&device->lock);
         return -error;
      }
      bo->domain = device->driver->import_domain;
      list(device, bo);
   }
   pthread_mutex_unlock(&device->lock);
   return open_handle(client, bo, false, &args->handle);
}

static int
flink(struct atoll_client *client, struct drm_gem_flink *args)
{
   struct atoll_device *device = client->device;
   struct bo *bo = gem_lookup(client, args->handle);

   if (!bo)
      return -ENOENT;
   pthread_mutex_lock(&device->lock);
   if (!bo->flink) {
      list(device, bo);
      bo->flink = ++device->flink_names;
   }
   args->name = bo->flink;
   pthread_mutex_unlock(&device->lock);
   gem_unref(device, bo);
   return 0;
}

static int
open_name(struct atoll_client *client, struct drm_gem_open *args)
{
   struct atoll_device *device = client->device;
   struct bo *bo;

   pthread_mutex_lock(&device->lock);
   for (bo = device->shared; bo; bo = bo->next)
      if (bo->flink && bo->flink == args->name)
         break;
   if (bo)
      bo_ref(bo);
   pthread_mutex_unlock(&device->lock);
   if (!bo)
      return -ENOENT;
   args->size = bo->size;
   return open_handle(client, bo, true, &args->handle);
}

int
share_ioctl(struct atoll_client *client, unsigned nr, void *arg)
{
   switch (nr) {
   case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD):
      return export_fd(client, arg);
   case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
      return import_fd(client, arg);
   case _IOC_NR(DRM_IOCTL_GEM_FLINK):
      return flink(client, arg);
   default:
      return open_name(client, arg);
   }
}
