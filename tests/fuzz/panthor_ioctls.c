/* SPDX-License-Identifier: MIT */
/*
 * Sequences of panthor's ioctls and of syncobjs', of one client.
 *
 * A record is a byte, of which the lower five bits choose the ioctl, and as many bytes as its
 * struct has.  64 bits with an upper byte of 0xa5 are an address in a pool of the input's own
 * bytes, in which the same holds: there the arrays lie.  Waits do not wait.
 *
 * What must hold: another client's page stays as it is, and that client still works; nothing is
 * written before the pool.
 */
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atoll/device.h>
#include <drm.h>

#include "fuzz.h"

#include "../csf/stream.h"
#include "panthor/panthor.h"

#define POOL        1024u
#define MAX_RECORDS 48u
#define PAGE        UINT64_C(4096)
#define VA          UINT64_C(0x10000)

static const unsigned long requests[] = {
#define PANTHOR(name, number, type) PANTHOR_REQUEST(name, type),
   PANTHOR_IOCTLS(PANTHOR)
#undef PANTHOR
      DRM_IOCTL_SYNCOBJ_CREATE,
   DRM_IOCTL_SYNCOBJ_DESTROY,
   DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD,
   DRM_IOCTL_SYNCOBJ_WAIT,
   DRM_IOCTL_SYNCOBJ_RESET,
   DRM_IOCTL_SYNCOBJ_SIGNAL,
   DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
   DRM_IOCTL_SYNCOBJ_QUERY,
   DRM_IOCTL_SYNCOBJ_TRANSFER,
   DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL,
   DRM_IOCTL_GEM_CLOSE,
};
#define REQUESTS (sizeof(requests) / sizeof(requests[0]))

static _Alignas(8) uint8_t pool[3 * POOL];

/* Addresses in the pool become such, and there are no others: what a client names as its own is
 * written to. */
static void
point(uint8_t *bytes, size_t size)
{
   for (size_t at = 0; at + 8 <= size; at += 8) {
      uint64_t value;

      memcpy(&value, bytes + at, 8);
      if (value >> 56 == 0xa5)
         value = (uintptr_t)(pool + POOL + value % POOL);
      else if (value >> 56 == 0)
         value &= (UINT64_C(1) << 34) - 1;
      memcpy(bytes + at, &value, 8);
   }
}

/* No time is spent in waits. */
static void
tame(unsigned long request, void *arg)
{
   if (request == DRM_IOCTL_SYNCOBJ_WAIT)
      ((struct drm_syncobj_wait *)arg)->timeout_nsec = 0;
   if (request == DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT)
      ((struct drm_syncobj_timeline_wait *)arg)->timeout_nsec = 0;
   if (request == DRM_IOCTL_SYNCOBJ_TRANSFER)
      ((struct drm_syncobj_transfer *)arg)->flags = 0;
}

static uint64_t *
new_page(struct atoll_client *c, uint32_t *handle)
{
   struct panthor_bo_create bo = { .size = PAGE };
   struct panthor_bo_mmap_offset offset = { 0 };
   void *mem;

   FUZZ_CHECK(!atoll_client_ioctl(c, PANTHOR_REQUEST(BO_CREATE, bo_create), &bo));
   *handle = offset.handle = bo.handle;
   FUZZ_CHECK(!atoll_client_ioctl(c, PANTHOR_REQUEST(BO_MMAP_OFFSET, bo_mmap_offset), &offset));
   mem = atoll_client_mmap(c, NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, offset.offset);
   FUZZ_CHECK(mem != MAP_FAILED);
   return mem;
}

/* A client with an address space, a page of it with the input's bytes as a stream, and a group. */
static uint64_t *
set_up(struct atoll_client *c, const uint8_t *data, size_t size)
{
   uint32_t handle;
   uint64_t *code = new_page(c, &handle);
   struct panthor_vm_create vm = { 0 };
   struct panthor_vm_bind_op op = { .bo_handle = handle, .va = VA, .size = PAGE };
   struct panthor_vm_bind bind = { 1, 0, { sizeof(op), 1, (uintptr_t)&op } };
   struct panthor_queue_create queues[2] = { { .ringbuf_size = 4096 }, { .ringbuf_size = 4096 } };
   struct panthor_group_create group = { .queues = { sizeof(queues[0]), 2, (uintptr_t)queues },
                                         .vm_id = 1 };

   memcpy(code, data, size < PAGE ? size : PAGE);
   FUZZ_CHECK(!atoll_client_ioctl(c, PANTHOR_REQUEST(VM_CREATE, vm_create), &vm));
   FUZZ_CHECK(!atoll_client_ioctl(c, PANTHOR_REQUEST(VM_BIND, vm_bind), &bind));
   FUZZ_CHECK(!atoll_client_ioctl(c, PANTHOR_REQUEST(GROUP_CREATE, group_create), &group));
   return code;
}

static void
run_records(struct atoll_client *c, const uint8_t *data, size_t size)
{
   for (unsigned n = 0; n < MAX_RECORDS && size; n++) {
      const unsigned long request = requests[(data[0] & 31) % REQUESTS];
      uint64_t arg[32] = { 0 };
      size_t bytes = _IOC_SIZE(request);

      data++;
      size--;
      bytes = bytes < size ? bytes : size;
      memcpy(arg, data, bytes);
      data += bytes;
      size -= bytes;
      point((uint8_t *)arg, sizeof(arg));
      tame(request, arg);
      if (atoll_client_ioctl(c, request, arg) == 0 && request == DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD)
         close(((struct drm_syncobj_handle *)(void *)arg)->fd);
   }
}

FUZZ_ENTRY(panthor_ioctls)
{
   static struct atoll_client *other;
   static uint64_t *kept;
   struct atoll_device *device = panthor_device_get();
   struct atoll_client *c = atoll_client_open(device);
   struct drm_syncobj_create sync = { .flags = DRM_SYNCOBJ_CREATE_SIGNALED };
   struct drm_syncobj_wait wait = { .handles = (uintptr_t)&sync.handle, .count_handles = 1 };
   uint32_t unused;
   uint64_t *code;

   FUZZ_CHECK(c);
   if (!other) {
      other = atoll_client_open(device);
      FUZZ_CHECK(other);
      kept = new_page(other, &unused);
      memset(kept, 0x5a, PAGE);
   }
   atoll_client_check_memory(c);
   code = set_up(c, data, size);
   memset(pool, 0xc3, sizeof(pool));
   memcpy(pool + POOL, data, size < POOL ? size : POOL);
   point(pool + POOL, POOL);
   run_records(c, data, size);
   atoll_client_munmap(c, code, PAGE);
   atoll_client_close(c);
   for (unsigned n = 0; n < PAGE / 8; n++)
      FUZZ_CHECK(kept[n] == UINT64_C(0x5a5a5a5a5a5a5a5a));
   for (unsigned n = 0; n < POOL / 2; n++)
      FUZZ_CHECK(pool[n] == 0xc3);
   FUZZ_CHECK(!atoll_client_ioctl(other, DRM_IOCTL_SYNCOBJ_CREATE, &sync));
   FUZZ_CHECK(!atoll_client_ioctl(other, DRM_IOCTL_SYNCOBJ_WAIT, &wait));
   FUZZ_CHECK(!atoll_client_ioctl(other, DRM_IOCTL_SYNCOBJ_DESTROY,
                                  &(struct drm_syncobj_destroy){ .handle = sync.handle }));
   return 0;
}
