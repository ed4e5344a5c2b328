/* SPDX-License-Identifier: MIT */
/* What the front door's tests share: the ioctls as one-liners, and a builder of IBs. */
#ifndef ATOLL_TEST_DOOR_H
#define ATOLL_TEST_DOOR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include <drm.h>
#include <radeon_drm.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>
#include <atoll/cayman/pm4.h>
#include <atoll/cayman/registers.h>
#include <atoll/device.h>
#include <atoll/format_numbers.h>

#define VA_BASE UINT64_C(0x1000000)

static inline struct atoll_client *
door_open(void)
{
   struct atoll_device *device = atoll_device_get();
   struct atoll_client *client;

   assert_non_null(device);
   client = atoll_client_open(device);
   assert_non_null(client);
   return client;
}

static inline uint32_t
door_create(struct atoll_client *c, uint64_t size)
{
   struct drm_radeon_gem_create args = { .size = size,
                                         .alignment = 4096,
                                         .initial_domain = RADEON_GEM_DOMAIN_GTT };

   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_CREATE, &args), 0);
   assert_int_not_equal(args.handle, 0);
   return args.handle;
}

static inline int
door_va(struct atoll_client *c, uint32_t handle, uint32_t operation, uint64_t va,
        struct drm_radeon_gem_va *out)
{
   struct drm_radeon_gem_va args = { .handle = handle,
                                     .operation = operation,
                                     .flags = RADEON_VM_PAGE_READABLE | RADEON_VM_PAGE_WRITEABLE,
                                     .offset = va };
   int result = atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_VA, &args);

   if (out)
      *out = args;
   return result;
}

static inline void *
door_map(struct atoll_client *c, uint32_t handle, uint64_t size)
{
   struct drm_radeon_gem_mmap args = { .handle = handle, .size = size };
   void *p;

   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_MMAP, &args), 0);
   p = atoll_client_mmap(c, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, args.addr_ptr);
   assert_ptr_not_equal(p, MAP_FAILED);
   return p;
}

static inline int
door_close(struct atoll_client *c, uint32_t handle)
{
   struct drm_gem_close args = { .handle = handle };

   return atoll_client_ioctl(c, DRM_IOCTL_GEM_CLOSE, &args);
}

static inline int
door_submit_flags(struct atoll_client *c, const uint32_t *words, uint32_t count, uint32_t ring,
                  uint32_t handle, uint32_t cs_flags)
{
   uint32_t flags[2] = { cs_flags, ring };
   uint32_t reloc[4] = { handle, RADEON_GEM_DOMAIN_GTT, RADEON_GEM_DOMAIN_GTT, 0 };
   struct drm_radeon_cs_chunk chunks[3] = {
      { RADEON_CHUNK_ID_IB, count, (uintptr_t)words },
      { RADEON_CHUNK_ID_FLAGS, 2, (uintptr_t)flags },
      { RADEON_CHUNK_ID_RELOCS, handle ? 4 : 0, (uintptr_t)reloc },
   };
   uint64_t pointers[3] = { (uintptr_t)&chunks[0], (uintptr_t)&chunks[1], (uintptr_t)&chunks[2] };
   struct drm_radeon_cs args = { .num_chunks = 3, .chunks = (uintptr_t)pointers };

   return atoll_client_ioctl(c, DRM_IOCTL_RADEON_CS, &args);
}

static inline int
door_submit(struct atoll_client *c, const uint32_t *words, uint32_t count, uint32_t ring,
            uint32_t handle)
{
   return door_submit_flags(c, words, count, ring, handle,
                            RADEON_CS_USE_VM | RADEON_CS_KEEP_TILING_FLAGS);
}

static inline void
door_wait(struct atoll_client *c, uint32_t handle)
{
   struct drm_radeon_gem_wait_idle args = { .handle = handle };

   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_WAIT_IDLE, &args), 0);
}

static inline int
door_info(struct atoll_client *c, uint32_t request, void *value)
{
   struct drm_radeon_info args = { .request = request, .value = (uintptr_t)value };

   return atoll_client_ioctl(c, DRM_IOCTL_RADEON_INFO, &args);
}

/* Whether the device has said something that holds `text`. */
static inline bool
door_said(const char *text)
{
   static char buffer[65536];

   atoll_device_messages(atoll_device_get(), buffer, sizeof(buffer));
   return strstr(buffer, text) != NULL;
}

struct ib {
   uint32_t words[4096];
   uint32_t count;
};

static inline void
ib_add(struct ib *ib, enum pm4_opcode opcode, const uint32_t *payload, uint32_t count)
{
   ib->words[ib->count++] = pm4_header(opcode, count, false);
   memcpy(ib->words + ib->count, payload, count * 4);
   ib->count += count;
}
#define IB_ADD(ib, opcode, ...)                          \
   ib_add(ib, opcode, (const uint32_t[]){ __VA_ARGS__ }, \
          sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

/* One buffer of 64 KiB at VA_BASE, mapped here: what most tests need. */
struct door {
   struct atoll_client *c;
   uint32_t handle;
   uint32_t *mem;
};
#define DOOR_BYTES 65536u

static inline struct door
door_begin(void)
{
   struct door d = { .c = door_open() };

   d.handle = door_create(d.c, DOOR_BYTES);
   assert_int_equal(door_va(d.c, d.handle, RADEON_VA_MAP, VA_BASE, NULL), 0);
   d.mem = door_map(d.c, d.handle, DOOR_BYTES);
   return d;
}

static inline void
door_end(struct door *d)
{
   munmap(d->mem, DOOR_BYTES);
   atoll_client_close(d->c);
}

static inline struct atoll_guilt
door_guilt(struct door *d, uint32_t context)
{
   struct atoll_guilt g = { .context = context };

   assert_int_equal(door_info(d->c, ATOLL_INFO_GUILT, &g), 0);
   return g;
}

/* Submits a stream as a context's. */
static inline void
door_submit_context(struct door *d, uint32_t ring, uint32_t context, const uint32_t *stream,
                    uint32_t count)
{
   uint32_t flags[4] = { RADEON_CS_USE_VM | RADEON_CS_KEEP_TILING_FLAGS | ATOLL_CS_CONTEXT, ring, 0,
                         context };
   uint32_t reloc[4] = { d->handle, RADEON_GEM_DOMAIN_GTT, RADEON_GEM_DOMAIN_GTT, 0 };
   struct drm_radeon_cs_chunk chunks[3] = { { RADEON_CHUNK_ID_IB, count, (uintptr_t)stream },
                                            { RADEON_CHUNK_ID_FLAGS, 4, (uintptr_t)flags },
                                            { RADEON_CHUNK_ID_RELOCS, 4, (uintptr_t)reloc } };
   uint64_t pointers[3] = { (uintptr_t)&chunks[0], (uintptr_t)&chunks[1], (uintptr_t)&chunks[2] };
   struct drm_radeon_cs args = { .num_chunks = 3, .chunks = (uintptr_t)pointers };

   assert_int_equal(atoll_client_ioctl(d->c, DRM_IOCTL_RADEON_CS, &args), 0);
}

static inline void
door_run(struct door *d, const struct ib *ib)
{
   assert_int_equal(door_submit(d->c, ib->words, ib->count, RADEON_CS_RING_GFX, d->handle), 0);
   door_wait(d->c, d->handle);
}

#endif
