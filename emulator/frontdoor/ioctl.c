/* SPDX-License-Identifier: MIT */
/*
 * The way of an ioctl: its struct is copied in and out, DRM's own ioctls are answered here and in
 * gem.c, share.c and kms.c, the others by the driver.  And mmap, a buffer's other way in.
 */
#include "frontdoor/device.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <drm.h>

#include "floats.h"
#include "frontdoor/kms.h"
#include "frontdoor/remote.h"
#include "frontdoor/syncobj.h"
#include "frontdoor/user.h"

/* As much as fits, and how much there is. */
static bool
give_string(struct atoll_client *client, const char *text, __kernel_size_t *length, char *buffer)
{
   const size_t all = strlen(text), fits = all < *length ? all : *length;

   *length = all;
   return !buffer || user_write(client, (uintptr_t)buffer, text, fits);
}

static int
version_ioctl(struct atoll_client *client, struct drm_version *args)
{
   const struct frontdoor_driver *driver = client->device->driver;

   args->version_major = driver->major;
   args->version_minor = driver->minor;
   args->version_patchlevel = driver->patch;
   return give_string(client, driver->name, &args->name_len, args->name) &&
                give_string(client, driver->date, &args->date_len, args->date) &&
                give_string(client, driver->description, &args->desc_len, args->desc)
             ? 0
             : -EFAULT;
}

static int
cap_ioctl(const struct frontdoor_driver *driver, struct drm_get_cap *args)
{
   switch (args->capability) {
   case DRM_CAP_PRIME:
      args->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
      return 0;
   case DRM_CAP_TIMESTAMP_MONOTONIC:
      args->value = 1;
      return 0;
   case DRM_CAP_SYNCOBJ:
   case DRM_CAP_SYNCOBJ_TIMELINE:
      args->value = driver->syncobjs;
      return 0;
   case DRM_CAP_DUMB_BUFFER:
      args->value = 0;
      return 0;
   case DRM_CAP_CRTC_IN_VBLANK_EVENT:
      args->value = kms_wanted();
      return 0;
   default:
      return -EINVAL;
   }
}

/* Whether it is one of syncobjs, which a driver has or has not. */
static bool
is_syncobj(unsigned nr)
{
   switch (nr) {
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE):
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY):
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD):
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE):
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT):
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT):
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_QUERY):
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER):
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL):
      return true;
   default:
      return false;
   }
}

/* Whether the kernel has an ioctl on render nodes (DRM_RENDER_ALLOW). */
static bool
on_render_nodes(unsigned nr)
{
   switch (nr) {
   case _IOC_NR(DRM_IOCTL_VERSION):
   case _IOC_NR(DRM_IOCTL_GET_CAP):
   case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
   case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD):
   case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
      return true;
   default:
      return is_syncobj(nr) || (nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END);
   }
}

static int
dispatch(struct atoll_client *client, unsigned nr, void *arg)
{
   if (client->render && !on_render_nodes(nr))
      return -EACCES;
   if (is_syncobj(nr))
      return client->device->driver->syncobjs ? syncobj_ioctl(client, nr, arg) : -EOPNOTSUPP;
   switch (nr) {
   case _IOC_NR(DRM_IOCTL_VERSION):
      return version_ioctl(client, arg);
   case _IOC_NR(DRM_IOCTL_GET_CAP):
      return cap_ioctl(client->device->driver, arg);
   case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
      return gem_close(client, ((struct drm_gem_close *)arg)->handle);
   case _IOC_NR(DRM_IOCTL_GEM_FLINK):
   case _IOC_NR(DRM_IOCTL_GEM_OPEN):
   case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD):
   case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
      return share_ioctl(client, nr, arg);
   default:
      if (nr >= DRM_COMMAND_BASE && nr < DRM_COMMAND_END)
         return client->device->driver->ioctl(client, nr - DRM_COMMAND_BASE, arg);
      return kms_ioctl(client, nr, arg);
   }
}

int
frontdoor_ioctl(struct atoll_client *client, unsigned long request, void *copy)
{
   const struct floats floats = floats_enter();
   const int result = dispatch(client, _IOC_NR(request), copy);

   floats_leave(floats);
   return result;
}

int
atoll_client_ioctl(struct atoll_client *client, unsigned long request, void *arg)
{
   /* The kernel takes structs of older or newer callers, as long as what it knows is there. */
   uint64_t copy[FRONTDOOR_ARG / 8] = { 0 }, original[FRONTDOOR_ARG / 8];
   size_t size = _IOC_SIZE(request);
   int state = atomic_load(&client->device->state), result;

   if (state == DEVICE_LOST)
      return -ENODEV;
   if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
      return -ENOTTY;
   if (size > sizeof(copy) || (size && !arg))
      return -EINVAL;
   if (user_read(client, &(struct user_range){ copy, (uintptr_t)arg, size }, 1)) {
      memcpy(original, copy, size);
      result = client->remote ? remote_ioctl(client->remote, request, copy)
                              : frontdoor_ioctl(client, request, copy);
      if (request & IOC_OUT && memcmp(original, copy, size) &&
          !user_write(client, (uintptr_t)arg, copy, size))
         result = -EFAULT;
   } else {
      result = -EFAULT;
   }
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
   if (client->remote)
      return remote_mmap(client->remote, addr, length, prot, flags, offset);
   if (client->device->driver->map) {
      result = client->device->driver->map(client, addr, length, prot, flags, offset);
      if (result)
         return result;
   }
   bo = gem_lookup(client, (uint32_t)(offset >> GEM_MMAP_SHIFT));
   if (!bo) {
      errno = EINVAL;
      return MAP_FAILED;
   }
   pthread_mutex_lock(&client->device->lock);
   result = bo_map(bo, addr, length, prot, flags, offset & ((UINT64_C(1) << GEM_MMAP_SHIFT) - 1));
   if (result != MAP_FAILED && !mapped_add(client->device, bo, result, length)) {
      munmap(result, length);
      errno = ENOMEM;
      result = MAP_FAILED;
   }
   pthread_mutex_unlock(&client->device->lock);
   gem_unref(client->device, bo);
   return result;
}

int
frontdoor_map(struct atoll_client *client, uint64_t length, uint64_t *offset, int *fd)
{
   const uint64_t at = *offset & ((UINT64_C(1) << GEM_MMAP_SHIFT) - 1);
   struct bo *bo = gem_lookup(client, (uint32_t)(*offset >> GEM_MMAP_SHIFT));
   int result = 0;

   if (!bo)
      return -EINVAL;
   pthread_mutex_lock(&client->device->lock);
   if (bo->backing != BO_FILE || at > bo->size || length > bo->size - at)
      result = -EINVAL;
   else if ((*fd = fcntl(bo->fd, F_DUPFD_CLOEXEC, 0)) < 0)
      result = -errno;
   pthread_mutex_unlock(&client->device->lock);
   *offset = at;
   gem_unref(client->device, bo);
   return result;
}

int
atoll_client_munmap(struct atoll_client *client, void *addr, size_t length)
{
   struct atoll_device *device = client->device;

   if (device->remote) {
      remote_unmapping(device->remote, addr, length);
   } else if (atomic_load(&device->state) != DEVICE_LOST) {
      pthread_mutex_lock(&device->lock);
      mapped_remove(device, addr, length);
      pthread_mutex_unlock(&device->lock);
   }
   return munmap(addr, length);
}

/* The device unmaps memory of its own, too, with the lock held.  mapped_sweep() finds what is not
 * heard of here. */
void
atoll_device_unmapping(struct atoll_device *device, void *addr, size_t length)
{
   if (device->remote) {
      remote_unmapping(device->remote, addr, length);
      return;
   }
   if (atomic_load(&device->state) == DEVICE_LOST || pthread_mutex_trylock(&device->lock))
      return;
   mapped_remove(device, addr, length);
   pthread_mutex_unlock(&device->lock);
}

/* The device moves mappings of its own, too, with the lock held. */
bool
atoll_device_mapped(struct atoll_device *device, const void *addr)
{
   bool found;

   if (device->remote)
      return remote_mapped(device->remote, addr);
   if (atomic_load(&device->state) == DEVICE_LOST || pthread_mutex_trylock(&device->lock))
      return false;
   found = mapped_at(device, addr);
   pthread_mutex_unlock(&device->lock);
   return found;
}
