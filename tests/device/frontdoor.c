/* SPDX-License-Identifier: MIT */
/* The front door: buffers, address spaces, submission, and the device as a guest of its process. */
#include <dirent.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "door.h"
#include "pipe_stub.h"

static void
info(void **state)
{
   struct atoll_client *c = door_open(), *other = door_open();
   uint64_t wide = UINT64_MAX, number = 0;
   uint32_t value = 0;

   assert_int_equal(door_info(c, RADEON_INFO_DEVICE_ID, &value), 0);
   assert_int_equal(value, 0x6718);
   assert_int_equal(door_info(c, RADEON_INFO_VA_START, &value), 0);
   assert_true(value <= 8 << 20);
   assert_int_equal(door_info(c, RADEON_INFO_CLOCK_CRYSTAL_FREQ, &value), 0);
   assert_int_not_equal(value, 0);
   assert_int_equal(door_info(c, ATOLL_INFO_MAGIC, &value), 0);
   assert_int_equal(value, ATOLL_INFO_VERSION);
   assert_int_equal(door_info(c, ATOLL_INFO_CLIENT, &number), 0);
   assert_int_not_equal(number, 0);
   assert_int_equal(door_info(other, ATOLL_INFO_CLIENT, &wide), 0);
   assert_int_not_equal(number, wide);
   assert_int_equal(door_info(c, ATOLL_INFO_CLIENT, &wide), 0);
   assert_int_equal(number, wide);
   wide = UINT64_MAX;
   atoll_client_close(other);
   assert_int_equal(door_info(c, RADEON_INFO_TIMESTAMP, &wide), 0);
   assert_true(wide < UINT32_MAX * UINT64_C(1000));
   value = RADEON_CS_RING_UVD;
   assert_int_equal(door_info(c, RADEON_INFO_RING_WORKING, &value), 0);
   assert_int_equal(value, 0);
   assert_int_equal(door_info(c, 0xffff, &value), -EINVAL);
   assert_int_equal(door_info(c, RADEON_INFO_DEVICE_ID, NULL), -EFAULT);
   atoll_client_close(c);
}

static void
version(void **state)
{
   struct atoll_client *c = door_open();
   char name[4] = "";
   struct drm_version v = { .name = name, .name_len = 3 };

   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_VERSION, &v), 0);
   assert_int_equal(v.version_major, 2);
   assert_int_equal(v.version_minor, 50);
   assert_int_equal(v.name_len, 6);
   assert_string_equal(name, "rad");
   atoll_client_close(c);
}

static void
buffers(void **state)
{
   struct atoll_client *c = door_open();
   struct drm_radeon_gem_create bad = { .size = 0 };
   uint32_t a = door_create(c, 5000), b = door_create(c, 4096);
   unsigned char *p = door_map(c, a, 8192);

   assert_int_not_equal(a, b);
   memset(p, 0x5a, 8192);
   munmap(p, 8192);
   assert_int_equal(door_close(c, a), 0);
   assert_int_equal(door_close(c, a), -EINVAL);
   /* Its pages come back empty. */
   a = door_create(c, 8192);
   p = door_map(c, a, 8192);
   for (unsigned i = 0; i < 8192; i++)
      assert_int_equal(p[i], 0);
   munmap(p, 8192);
   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_CREATE, &bad), -EINVAL);
   bad.size = UINT64_MAX;
   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_CREATE, &bad), -ENOMEM);
   bad.size = UINT64_C(1) << 40;
   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_CREATE, &bad), -ENOMEM);
   /* Offsets that lead nowhere. */
   assert_ptr_equal(atoll_client_mmap(c, NULL, 4096, PROT_READ, MAP_SHARED, 0), MAP_FAILED);
   assert_ptr_equal(atoll_client_mmap(c, NULL, 4096, PROT_READ, MAP_SHARED, UINT64_MAX & ~4095ull),
                    MAP_FAILED);
   assert_ptr_equal(atoll_client_mmap(c, NULL, 1 << 20, PROT_READ, MAP_SHARED, (uint64_t)b << 34),
                    MAP_FAILED);
   atoll_client_close(c);
}

static void
addresses(void **state)
{
   struct atoll_client *c = door_open();
   struct drm_radeon_gem_va va;
   uint32_t a = door_create(c, 65536), b = door_create(c, 65536);

   assert_int_equal(door_va(c, a, RADEON_VA_MAP, VA_BASE, &va), 0);
   assert_int_equal(va.operation, RADEON_VA_RESULT_OK);
   assert_int_equal(door_va(c, a, RADEON_VA_MAP, VA_BASE + 0x100000, &va), 0);
   assert_int_equal(va.operation, RADEON_VA_RESULT_VA_EXIST);
   assert_int_equal(va.offset, VA_BASE);
   /* Overlap, disorder, reserved, beyond the end. */
   assert_int_equal(door_va(c, b, RADEON_VA_MAP, VA_BASE + 0x8000, &va), -EINVAL);
   assert_int_equal(va.operation, RADEON_VA_RESULT_ERROR);
   assert_int_equal(door_va(c, b, RADEON_VA_MAP, VA_BASE + 0x10001, &va), -EINVAL);
   assert_int_equal(door_va(c, b, RADEON_VA_MAP, 4096, &va), -EINVAL);
   assert_int_equal(door_va(c, b, RADEON_VA_MAP, (UINT64_C(1) << 33) - 4096, &va), -EINVAL);
   assert_int_equal(door_va(c, b, RADEON_VA_MAP, UINT64_MAX - 4095, &va), -EINVAL);
   assert_int_equal(door_va(c, 77777, RADEON_VA_MAP, VA_BASE + 0x10000, &va), -ENOENT);
   assert_int_equal(door_va(c, b, RADEON_VA_MAP, VA_BASE + 0x10000, &va), 0);
   /* Addresses are free again after unmapping and after closing. */
   assert_int_equal(door_va(c, a, RADEON_VA_UNMAP, VA_BASE, &va), 0);
   assert_int_equal(door_va(c, a, RADEON_VA_MAP, VA_BASE, &va), 0);
   assert_int_equal(va.operation, RADEON_VA_RESULT_OK);
   assert_int_equal(door_close(c, a), 0);
   a = door_create(c, 65536);
   assert_int_equal(door_va(c, a, RADEON_VA_MAP, VA_BASE, &va), 0);
   atoll_client_close(c);
}

/* A buffer closed while its submission waits stays until that has run. */
static void
close_while_busy(void **state)
{
   struct atoll_client *c = door_open();
   uint32_t sink = door_create(c, 4096), source;
   uint32_t *p = door_map(c, sink, 4096), *q;
   struct ib ib = { 0 };

   assert_int_equal(door_va(c, sink, RADEON_VA_MAP, VA_BASE, NULL), 0);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_CP_DMA, VA_BASE + 0x10000, 0, VA_BASE, 0, 4096);
   pipe_stub.draw_us = 20000;
   for (uint32_t round = 1; round < 4; round++) {
      source = door_create(c, 4096);
      q = door_map(c, source, 4096);
      q[100] = round;
      munmap(q, 4096);
      assert_int_equal(door_va(c, source, RADEON_VA_MAP, VA_BASE + 0x10000, NULL), 0);
      assert_int_equal(door_submit(c, ib.words, ib.count, RADEON_CS_RING_GFX, source), 0);
      assert_int_equal(door_close(c, source), 0);
      /* The next round's mapping must wait for this one to go. */
   }
   assert_int_equal(door_submit(c, ib.words, 3, RADEON_CS_RING_GFX, sink), 0);
   door_wait(c, sink);
   assert_int_equal(p[100], 3);
   pipe_stub.draw_us = 0;
   munmap(p, 4096);
   atoll_client_close(c);
}

static void
busy(void **state)
{
   struct door d = door_begin();
   struct drm_radeon_gem_busy args = { .handle = d.handle };
   struct ib ib = { 0 };

   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_GEM_BUSY, &args), 0);
   assert_int_equal(args.domain, RADEON_GEM_DOMAIN_GTT);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   pipe_stub.draw_us = 50000;
   assert_int_equal(door_submit(d.c, ib.words, ib.count, RADEON_CS_RING_GFX, d.handle), 0);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_GEM_BUSY, &args), -EBUSY);
   door_wait(d.c, d.handle);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_GEM_BUSY, &args), 0);
   pipe_stub.draw_us = 0;
   door_end(&d);
}

/* A client that says that it waits next wakes no thread; one that lies cannot stop the queue, and
 * others do not notice. */
static void
waits(void **state)
{
   const uint32_t flags = RADEON_CS_USE_VM | RADEON_CS_KEEP_TILING_FLAGS | ATOLL_CS_WAITS;
   struct door d = door_begin(), other = door_begin();

   for (uint32_t i = 0; i < 200; i++) {
      struct ib ib = { 0 };

      IB_ADD(&ib, PM4_MEM_WRITE, (uint32_t)VA_BASE + 4 * i, 1 << 18, i + 1, 0);
      assert_int_equal(
         door_submit_flags(d.c, ib.words, ib.count, RADEON_CS_RING_GFX, d.handle, flags), 0);
      if (i % 3 == 0 && i < 100) {
         door_wait(d.c, d.handle);
         assert_int_equal(d.mem[i], i + 1);
      }
      if (i == 120)
         door_run(&other, &ib);
   }
   assert_int_equal(other.mem[120], 121);
   door_wait(d.c, d.handle);
   for (uint32_t i = 0; i < 200; i++)
      assert_int_equal(d.mem[i], i + 1);
   door_end(&other);
   door_end(&d);
}

/* The IB belongs to the device once the ioctl is back. */
static void
ib_is_copied(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE, 1 << 18, 0x1234, 0);
   pipe_stub.draw_us = 20000;
   assert_int_equal(door_submit(d.c, ib.words, ib.count, RADEON_CS_RING_GFX, d.handle), 0);
   memset(&ib, 0, sizeof(ib));
   door_wait(d.c, d.handle);
   assert_int_equal(d.mem[0], 0x1234);
   pipe_stub.draw_us = 0;
   door_end(&d);
}

static void
bad_submissions(void **state)
{
   struct door d = door_begin();
   uint32_t nop[2] = { pm4_header(PM4_NOP, 1, false), 0 };
   static uint32_t large[65537];
   struct drm_radeon_cs none = { 0 };

   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_CS, &none), -EINVAL);
   assert_int_equal(door_submit(d.c, nop, 0, RADEON_CS_RING_GFX, d.handle), -EINVAL);
   assert_int_equal(door_submit(d.c, large, 65537, RADEON_CS_RING_GFX, d.handle), -EINVAL);
   assert_int_equal(door_submit(d.c, nop, 2, RADEON_CS_RING_UVD, d.handle), -EINVAL);
   assert_int_equal(door_submit(d.c, nop, 2, RADEON_CS_RING_GFX, 4711), -ENOENT);
   assert_true(door_said("4711"));
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_CS, NULL), -EINVAL);
   assert_int_equal(atoll_client_ioctl(d.c, 0x5401, &none), -ENOTTY);
   door_end(&d);
}

/* Pointers to nothing, to a page that may not be read or written, and to what ends too early: each
 * of those that a submission has, and those of the other ioctls. */
static void
bad_pointers(void **state)
{
   struct door d = door_begin();
   uint8_t *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint8_t *gone = page + 4096;
   uint32_t nop[2] = { pm4_header(PM4_NOP, 1, false), 0 }, value = 0;
   uint32_t flags[2] = { RADEON_CS_USE_VM, RADEON_CS_RING_GFX }, reloc[4] = { d.handle, 2, 2, 0 };
   const struct drm_radeon_cs_chunk good[3] = {
      { RADEON_CHUNK_ID_IB, 2, (uintptr_t)nop },
      { RADEON_CHUNK_ID_FLAGS, 2, (uintptr_t)flags },
      { RADEON_CHUNK_ID_RELOCS, 4, (uintptr_t)reloc },
   };
   const struct iovec local = { &value, 4 }, remote = { page, 4 };

   if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != 4)
      skip(); /* without it nothing is checked */
   assert_ptr_not_equal(page, MAP_FAILED);
   assert_int_equal(mprotect(gone, 4096, PROT_NONE), 0);
   atoll_client_check_memory(d.c);
   for (unsigned n = 0; n < 3; n++) {
      const uint64_t bad[] = { 16, UINT64_MAX - 3, (uintptr_t)gone, (uintptr_t)gone - 4 };

      for (unsigned k = 0; k < 4; k++) {
         struct drm_radeon_cs_chunk chunks[3];
         uint64_t pointers[3];
         struct drm_radeon_cs cs = { .num_chunks = 3, .chunks = (uintptr_t)pointers };

         for (unsigned i = 0; i < 3; i++)
            pointers[i] = (uintptr_t)&chunks[i];
         memcpy(chunks, good, sizeof(chunks));
         assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_CS, &cs), 0);
         chunks[n].chunk_data = bad[k];
         assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_CS, &cs), -EFAULT);
         pointers[n] = bad[k];
         assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_CS, &cs), -EFAULT);
         cs.chunks = bad[k];
         assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_CS, &cs), -EFAULT);
      }
   }
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_CS, gone - 8), -EFAULT);
   assert_int_equal(door_info(d.c, RADEON_INFO_DEVICE_ID, gone), -EFAULT);
   assert_int_equal(door_info(d.c, RADEON_INFO_TIMESTAMP, gone - 4), -EFAULT);
   assert_int_equal(door_info(d.c, RADEON_INFO_RING_WORKING, gone), -EFAULT);
   struct drm_version v = { .name = (char *)gone, .name_len = 3 };
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_VERSION, &v), -EFAULT);

   /* Readable, but not writable: the answer cannot be given. */
   struct drm_radeon_info *info = (struct drm_radeon_info *)page;
   *info = (struct drm_radeon_info){ RADEON_INFO_DEVICE_ID, 0, (uintptr_t)page };
   assert_int_equal(mprotect(page, 4096, PROT_READ), 0);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_INFO, page), -EFAULT);
   assert_int_equal(door_info(d.c, RADEON_INFO_DEVICE_ID, &value), 0);
   assert_int_equal(value, 0x6718);
   munmap(page, 8192);
   door_end(&d);
}

/* What a mapping shows is its own, when the handle is closed and the client too, and when the
 * mapping has been moved. */
static void
mappings_hold(void **state)
{
   struct atoll_client *c = door_open(), *other = door_open();
   const uint32_t a = door_create(c, 65536), b = door_create(c, 65536);
   uint32_t *p = door_map(c, a, 65536), *q = door_map(c, b, 65536), *moved;
   struct drm_gem_flink name = { .handle = a };
   struct drm_gem_open opened = { 0 };

   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_GEM_FLINK, &name), 0);
   p[0] = q[0] = 0x11111111;
   assert_int_equal(door_close(c, a), 0);
   assert_int_equal(p[0], 0x11111111);
   /* No handle, no name. */
   opened.name = name.name;
   assert_int_equal(atoll_client_ioctl(other, DRM_IOCTL_GEM_OPEN, &opened), -ENOENT);
   moved = mremap(q, 65536, 65536, MREMAP_MAYMOVE | MREMAP_FIXED,
                  mmap(NULL, 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
   assert_ptr_not_equal(moved, MAP_FAILED);
   assert_int_equal(door_close(c, b), 0);
   atoll_client_close(c);
   for (unsigned i = 0; i < 300; i++) {
      const uint32_t h = door_create(other, 65536);
      uint32_t *r = door_map(other, h, 65536);

      assert_int_equal(r[0], 0);
      memset(r, 0xb0, 65536);
      munmap(r, 65536);
      assert_int_equal(door_close(other, h), 0);
   }
   assert_int_equal(p[0], 0x11111111);
   assert_int_equal(p[1], 0);
   assert_int_equal(moved[0], 0x11111111);
   munmap(p, 65536);
   munmap(moved, 65536);
   atoll_client_close(other);
}

/* Memory comes back with the last of handle and mapping, whoever unmaps. */
static void
mappings_end(void **state)
{
   struct atoll_client *c = door_open();
   const uint64_t size = UINT64_C(256) << 20;

   for (unsigned i = 0; i < 100; i++) {
      const uint32_t h = door_create(c, size);
      void *p = door_map(c, h, size);

      if (i % 4 == 0)
         assert_int_equal(door_close(c, h), 0);
      if (i % 2)
         munmap(p, size);
      else
         assert_int_equal(atoll_client_munmap(c, p, size), 0);
      if (i % 4)
         assert_int_equal(door_close(c, h), 0);
   }
   atoll_client_close(c);
}

/* The device neither sees nor disturbs the host program's floating-point state. */
static void
float_state(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE, 1 << 18, 1, 0);
   fesetround(FE_UPWARD);
   feclearexcept(FE_ALL_EXCEPT);
   feenableexcept(FE_DIVBYZERO | FE_INVALID);
   door_run(&d, &ib);
   assert_int_equal(fegetround(), FE_UPWARD);
   assert_int_equal(fegetexcept(), FE_DIVBYZERO | FE_INVALID);
   fedisableexcept(FE_ALL_EXCEPT);
   fesetround(FE_TONEAREST);
   door_end(&d);
}

/* No thread of ours takes the process's signals. */
static void
threads_block_signals(void **state)
{
   struct atoll_client *c = door_open();
   char path[64], line[256];
   unsigned seen = 0;

   DIR *tasks = opendir("/proc/self/task");

   assert_non_null(tasks);
   for (struct dirent *task; (task = readdir(tasks));) {
      unsigned long long blocked = 0;
      char name[64] = "";
      FILE *f;

      snprintf(path, sizeof(path), "/proc/self/task/%.10s/status", task->d_name);
      f = fopen(path, "r");
      if (!f)
         continue;
      while (fgets(line, sizeof(line), f)) {
         sscanf(line, "Name: %63s", name);
         sscanf(line, "SigBlk: %llx", &blocked);
      }
      fclose(f);
      if (strncmp(name, "atoll-", 6))
         continue;
      seen++;
      assert_true(blocked >> (SIGALRM - 1) & 1);
      assert_true(blocked >> (SIGFPE - 1) & 1);
   }
   closedir(tasks);
   assert_true(seen > 0);
   atoll_client_close(c);
}

struct racer {
   struct atoll_client *c;
   uint64_t va;
};

static void *
race(void *data)
{
   struct racer *r = data;

   for (unsigned i = 0; i < 200; i++) {
      uint32_t handle = door_create(r->c, 16384);
      struct ib ib = { 0 };
      uint32_t *p;

      assert_int_equal(door_va(r->c, handle, RADEON_VA_MAP, r->va, NULL), 0);
      p = door_map(r->c, handle, 16384);
      IB_ADD(&ib, PM4_CP_DMA, i + 1, CP_DMA_SRC_SEL(CP_DMA_SRC_DATA), r->va, 0, 16384);
      assert_int_equal(door_submit(r->c, ib.words, ib.count, RADEON_CS_RING_GFX, handle), 0);
      if (i % 3) {
         door_wait(r->c, handle);
         assert_int_equal(p[4095], i + 1);
      }
      munmap(p, 16384);
      assert_int_equal(door_close(r->c, handle), 0);
   }
   return NULL;
}

/* Threads that share a client, and clients that share the device. */
static void
threads(void **state)
{
   struct atoll_client *a = door_open(), *b = door_open();
   struct racer racers[4] = {
      { a, VA_BASE }, { a, VA_BASE + 0x100000 }, { b, VA_BASE }, { b, VA_BASE + 0x4000 }
   };
   pthread_t ids[4];

   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(pthread_create(&ids[i], NULL, race, &racers[i]), 0);
   for (unsigned i = 0; i < 4; i++)
      pthread_join(ids[i], NULL);
   atoll_client_close(a);
   atoll_client_close(b);
}

static void
many_clients(void **state)
{
   /* Each has an address space: in 32 bits there is no room for so many. */
   enum { COUNT = UINTPTR_MAX > UINT32_MAX ? 100 : 8 };
   struct atoll_client *clients[COUNT];

   for (unsigned i = 0; i < COUNT; i++)
      clients[i] = door_open();
   for (unsigned i = 0; i < COUNT; i++)
      atoll_client_close(clients[i]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(info),
      cmocka_unit_test(version),
      cmocka_unit_test(buffers),
      cmocka_unit_test(addresses),
      cmocka_unit_test(close_while_busy),
      cmocka_unit_test(busy),
      cmocka_unit_test(waits),
      cmocka_unit_test(ib_is_copied),
      cmocka_unit_test(bad_submissions),
      cmocka_unit_test(bad_pointers),
      cmocka_unit_test(mappings_hold),
      cmocka_unit_test(mappings_end),
      cmocka_unit_test(float_state),
      cmocka_unit_test(threads_block_signals),
      cmocka_unit_test(threads),
      cmocka_unit_test(many_clients),
   };

   return cmocka_run_group_tests_name("frontdoor", tests, NULL, NULL);
}
