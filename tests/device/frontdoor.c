/* SPDX-License-Identifier: MIT */
/* The front door: buffers, address spaces, sharing, submission, and the device as a guest. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atoll/capture.h>

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

/* Who says that it waits next wakes nobody; a client that lies has no way to stop the queue, and
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

static void
prime(void **state)
{
   struct door d = door_begin();
   struct atoll_client *other = door_open();
   struct drm_prime_handle args = { .handle = d.handle, .flags = DRM_CLOEXEC | DRM_RDWR };
   struct drm_prime_handle import = { 0 };
   uint32_t *p;
   struct ib ib = { 0 };

   d.mem[5] = 77;
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args), 0);
   assert_int_equal(lseek(args.fd, 0, SEEK_END), DOOR_BYTES);
   assert_int_equal(ftruncate(args.fd, 0), -1);
   /* Mappings made before the buffer moved follow it, the device's included. */
   assert_int_equal(d.mem[5], 77);
   d.mem[5] = 78;
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE + 24, 1 << 18, 79, 0);
   door_run(&d, &ib);
   p = mmap(NULL, DOOR_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, args.fd, 0);
   assert_ptr_not_equal(p, MAP_FAILED);
   assert_int_equal(p[5], 78);
   assert_int_equal(p[6], 79);
   assert_int_equal(d.mem[6], 79);
   /* The same client gets the same handle, another one a handle for the same memory. */
   import.fd = args.fd;
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import), 0);
   assert_int_equal(import.handle, d.handle);
   /* Which is closed once, however often it was imported. */
   assert_int_equal(door_close(d.c, d.handle), 0);
   assert_int_equal(door_close(d.c, d.handle), -EINVAL);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import), 0);
   d.handle = import.handle;
   assert_int_equal(atoll_client_ioctl(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import), 0);
   munmap(p, DOOR_BYTES);
   p = door_map(other, import.handle, DOOR_BYTES);
   assert_int_equal(p[5], 78);
   munmap(p, DOOR_BYTES);
   close(args.fd);
   /* Files that are no buffers. */
   import.fd = -1;
   assert_int_equal(atoll_client_ioctl(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import), -EBADF);
   import.fd = open("/dev/null", O_RDWR | O_CLOEXEC);
   assert_int_equal(atoll_client_ioctl(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import), -EPERM);
   close(import.fd);
   import.fd = memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   assert_int_equal(ftruncate(import.fd, 4096), 0);
   assert_int_equal(atoll_client_ioctl(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import), -EPERM);
   close(import.fd);
   atoll_client_close(other);
   door_end(&d);
}

static unsigned
count_descriptors(void)
{
   unsigned count = 0;

   for (int fd = 0; fd < 4096; fd++)
      count += fcntl(fd, F_GETFD) >= 0;
   return count;
}

/* A buffer that its own client imports again and again goes when it is closed. */
static void
import_keeps_nothing(void **state)
{
   struct atoll_client *c = door_open();
   const unsigned before = count_descriptors();

   for (unsigned i = 0; i < 20; i++) {
      struct drm_prime_handle args = { .handle = door_create(c, 4096), .flags = DRM_CLOEXEC };
      struct drm_prime_handle import = { 0 };

      assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args), 0);
      import.fd = args.fd;
      for (unsigned n = 0; n < 3; n++) {
         assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import), 0);
         assert_int_equal(import.handle, args.handle);
      }
      close(args.fd);
      assert_int_equal(door_close(c, args.handle), 0);
   }
   assert_int_equal(count_descriptors(), before);
   atoll_client_close(c);
}

/* An exported buffer counts like any other, and an imported one; what was never written of it takes
 * no memory. */
static void
exports_count(void **state)
{
   enum { MOST = 64 };
   const uint64_t size = UINT64_C(512) << 20;
   struct atoll_client *c = door_open();
   struct drm_radeon_gem_info info = { 0 };
   struct drm_radeon_gem_create more = { .size = size };
   struct drm_prime_handle import = { 0 };
   uint32_t handles[MOST], count;
   struct stat st;
   uint64_t all;

   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_INFO, &info), 0);
   all = (info.vram_size + info.gart_size) / size;
   for (count = 0; count < MOST && !atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_CREATE, &more);
        count++) {
      struct drm_prime_handle args = { .handle = more.handle, .flags = DRM_CLOEXEC };
      uint8_t *p = door_map(c, more.handle, size);

      p[size - 1] = (uint8_t)count;
      assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args), 0);
      assert_int_equal(p[size - 1], (uint8_t)count);
      assert_int_equal(fstat(args.fd, &st), 0);
      assert_true(st.st_blocks * 512 < 1 << 20);
      assert_int_equal(atoll_client_munmap(c, p, size), 0);
      close(args.fd);
      handles[count] = more.handle;
   }
   assert_in_range(count, 1, all);
   import.fd = memfd_create("other", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   assert_int_equal(ftruncate(import.fd, (off_t)size), 0);
   assert_int_equal(fcntl(import.fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import), -ENOMEM);
   while (count)
      assert_int_equal(door_close(c, handles[--count]), 0);
   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_PRIME_FD_TO_HANDLE, &import), 0);
   close(import.fd);
   atoll_client_close(c);
}

/* The number of a file's inode; of the device's memory, as the list of mappings has it. */
static uint64_t
inode_of_memory(void)
{
   FILE *maps = fopen("/proc/self/maps", "r");
   char line[512];
   unsigned long long inode = 0;

   while (maps && !inode && fgets(line, sizeof(line), maps))
      if (strstr(line, "atoll-memory"))
         sscanf(line, "%*s %*s %*s %*s %llu", &inode);
   if (maps)
      fclose(maps);
   return inode;
}

/* A file of a file system in memory of this process's own, where numbers count up from 1, with that
 * number for its inode, mapped; MAP_FAILED: there is none to be had. */
static uint32_t *
file_with_inode(uint64_t wanted, size_t bytes)
{
   for (unsigned tries = 0; tries < 3000000; tries++) {
      const int fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
      struct stat st;
      void *p = MAP_FAILED;

      if (fd < 0)
         return MAP_FAILED;
      if (!fstat(fd, &st) && st.st_ino == wanted && !ftruncate(fd, (off_t)bytes))
         p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      close(fd);
      if (p != MAP_FAILED || st.st_ino > wanted)
         return p;
   }
   return MAP_FAILED;
}

enum { NO_FILE = 77, MARK = 0x5a5a, FILE_BYTES = 1 << 24 };

/* In a process that has no device yet. */
static int
map_same_inode(void)
{
   struct drm_prime_handle args = { .flags = DRM_CLOEXEC };
   struct door d;
   uint32_t *p;
   pid_t child;
   int status;

   if ((unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS)) ||
       mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
       mount("none", "/tmp", "tmpfs", 0, NULL))
      return NO_FILE;
   d = door_begin();
   p = file_with_inode(inode_of_memory(), FILE_BYTES);
   if (p == MAP_FAILED)
      return NO_FILE;
   for (unsigned i = 0; i < FILE_BYTES / 4; i += 1024)
      p[i] = MARK;
   d.mem[0] = 7;
   child = fork();
   if (!child) {
      p[0] = 0x1234;
      _exit(0);
   }
   if (waitpid(child, &status, 0) != child || p[0] != 0x1234)
      return 1; /* it was shared, and became a copy */
   p[0] = MARK;
   args.handle = d.handle;
   if (atoll_client_ioctl(d.c, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args))
      return 2;
   for (unsigned i = 0; i < FILE_BYTES / 4; i += 1024)
      if (p[i] != MARK)
         return 3; /* it shows the buffer */
   return d.mem[0] == 7 ? 0 : 4;
}

/* A file of another file system whose inode has the same number as the device's memory is not the
 * device's memory: neither an export nor a fork touches its mapping. */
static void
same_inode(void **state)
{
   int status;
   const pid_t child = fork();

   if (!child)
      _exit(map_same_inode());
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status));
   if (WEXITSTATUS(status) == NO_FILE)
      skip(); /* no file systems of one's own here, or the number is out of reach */
   assert_int_equal(WEXITSTATUS(status), 0);
}

/* In a process that has no device yet: a capture's file has one record of a mapping, whatever
 * children have done meanwhile, and a child's device has a file of its own. */
static int
capture_and_fork(void)
{
   char path[] = "/tmp/atoll-capture-XXXXXX", own[64];
   const int fd = mkstemp(path);
   struct atoll_capture_record record;
   struct atoll_capture_header header;
   unsigned maps = 0;
   struct door d;
   struct ib ib = { 0 };
   pid_t child;
   int status;

   if (fd < 0 || setenv("ATOLL_CS_CAPTURE", path, 1))
      return 1;
   d = door_begin();
   child = fork();
   if (!child) {
      struct door mine = door_begin();

      IB_ADD(&ib, PM4_NOP, 0);
      door_run(&mine, &ib);
      exit(0);
   }
   snprintf(own, sizeof(own), "%s.%d", path, (int)child);
   if (waitpid(child, &status, 0) != child || status || unlink(own))
      return 2;
   IB_ADD(&ib, PM4_NOP, 0);
   door_run(&d, &ib);
   unlink(path);
   if (read(fd, &header, sizeof(header)) != sizeof(header) || memcmp(header.magic, "ATOLLCAP", 8))
      return 3;
   while (read(fd, &record, sizeof(record)) == sizeof(record)) {
      maps += record.kind == ATOLL_CAPTURE_MAP;
      if (record.kind < ATOLL_CAPTURE_MAP || record.kind > ATOLL_CAPTURE_HASH)
         return 4;
      if (record.kind == ATOLL_CAPTURE_PAGE_DATA)
         lseek(fd, ATOLL_CAPTURE_PAGE, SEEK_CUR);
      if (record.kind == ATOLL_CAPTURE_SUBMIT)
         lseek(fd, (off_t)((record.b + 1) / 2 * 8), SEEK_CUR);
   }
   return maps == 1 ? 0 : 5;
}

static void
fork_keeps_capture(void **state)
{
#ifdef __SANITIZE_THREAD__
   skip(); /* TSan knows no threads of a child of threads */
#endif
   int status;
   const pid_t child = fork();

   if (!child)
      _exit(capture_and_fork());
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
}

/* Another process that has a buffer has no fence of ours: what was submitted with it is done when
 * the call returns. */
static void
shared_is_done(void **state)
{
   struct door d = door_begin();
   struct drm_prime_handle args = { .handle = d.handle, .flags = DRM_CLOEXEC | DRM_RDWR };
   struct drm_radeon_gem_busy busy = { .handle = d.handle };
   struct ib ib = { 0 };

   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE, 1 << 18, 0x1234, 0);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args), 0);
   pipe_stub.draw_us = 50000;
   assert_int_equal(door_submit(d.c, ib.words, ib.count, RADEON_CS_RING_GFX, d.handle), 0);
   assert_int_equal(d.mem[0], 0x1234);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_RADEON_GEM_BUSY, &busy), 0);
   pipe_stub.draw_us = 0;
   close(args.fd);
   door_end(&d);
}

static void
flink(void **state)
{
   struct door d = door_begin();
   struct atoll_client *other = door_open();
   struct drm_gem_flink name = { .handle = d.handle };
   struct drm_gem_open opened = { .name = 999999 };
   uint32_t *p, first;

   assert_int_equal(atoll_client_ioctl(other, DRM_IOCTL_GEM_OPEN, &opened), -ENOENT);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_GEM_FLINK, &name), 0);
   opened.name = name.name;
   assert_int_equal(atoll_client_ioctl(other, DRM_IOCTL_GEM_OPEN, &opened), 0);
   assert_int_equal(opened.size, DOOR_BYTES);
   /* Another handle each time, which is closed by itself. */
   first = opened.handle;
   assert_int_equal(atoll_client_ioctl(other, DRM_IOCTL_GEM_OPEN, &opened), 0);
   assert_int_not_equal(opened.handle, first);
   assert_int_equal(door_close(other, first), 0);
   p = door_map(other, opened.handle, DOOR_BYTES);
   d.mem[9] = 99;
   assert_int_equal(p[9], 99);
   munmap(p, DOOR_BYTES);
   atoll_client_close(other);
   door_end(&d);
   other = door_open();
   assert_int_equal(atoll_client_ioctl(other, DRM_IOCTL_GEM_OPEN, &opened), -ENOENT);
   atoll_client_close(other);
}

/* Of a render node: what the kernel keeps for the primary node. */
static void
render_node(void **state)
{
   struct door d = door_begin();
   struct drm_gem_flink name = { .handle = d.handle };
   struct drm_gem_open opened = { .name = 1 };
   struct drm_auth magic = { 0 };
   struct drm_prime_handle shared = { .handle = d.handle, .flags = DRM_CLOEXEC };

   atoll_client_render(d.c);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_GEM_FLINK, &name), -EACCES);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_GEM_OPEN, &opened), -EACCES);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_GET_MAGIC, &magic), -EACCES);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_SET_MASTER, NULL), -EACCES);
   assert_int_equal(atoll_client_ioctl(d.c, DRM_IOCTL_PRIME_HANDLE_TO_FD, &shared), 0);
   close(shared.fd);
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

static int
userptr(struct atoll_client *c, void *p, uint64_t size, uint32_t flags, uint32_t *handle)
{
   struct drm_radeon_gem_userptr args = { .addr = (uintptr_t)p, .size = size, .flags = flags };
   int result = atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_USERPTR, &args);

   *handle = args.handle;
   return result;
}

static void
user_memory(void **state)
{
   struct atoll_client *c = door_open();
   uint32_t handle;
   /* Nothing is mapped after it that could be taken for a part of it. */
   void *space = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t *shared =
      mmap(space, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_ANONYMOUS, -1, 0);
   uint32_t *private = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint32_t *constant =
      mmap(NULL, 8192, PROT_READ, MAP_SHARED, open("/proc/self/exe", O_RDONLY | O_CLOEXEC), 0);
   struct ib ib = { 0 };

   assert_int_equal(userptr(c, shared, 8192, RADEON_GEM_USERPTR_REGISTER, &handle), 0);
   assert_int_equal(door_va(c, handle, RADEON_VA_MAP, VA_BASE, NULL), 0);
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE + 4096, 1 << 18, 4242, 0);
   assert_int_equal(door_submit(c, ib.words, ib.count, RADEON_CS_RING_GFX, handle), 0);
   door_wait(c, handle);
   assert_int_equal(shared[1024], 4242);
   assert_int_equal(userptr(c, private, 8192, 0, &handle), -EOPNOTSUPP);
   assert_int_equal(userptr(c, NULL, 0, 0, &handle), -EOPNOTSUPP);
   assert_int_equal(userptr(c, (char *)shared + 1, 4096, 0, &handle), -EINVAL);
   assert_int_equal(userptr(c, shared, 4096, 0x80, &handle), -EINVAL);
   assert_int_equal(userptr(c, shared, 1 << 20, 0, &handle), -EFAULT);
   assert_int_equal(userptr(c, constant, 8192, 0, &handle), -EFAULT);
   munmap(space, 1 << 20);
   atoll_client_close(c);
}

/* No more than is mapped, whatever the file has; what lies side by side is one buffer. */
static void
user_memory_is_what_is_mapped(void **state)
{
   struct atoll_client *c = door_open();
   const int fd = memfd_create("file", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   uint8_t *space = mmap(NULL, 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint8_t *own;
   uint32_t handle;
   struct ib ib = { 0 };

   assert_int_equal(ftruncate(fd, 65536), 0);
   assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
   assert_ptr_equal(mmap(space, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 16384),
                    space);
   assert_int_equal(userptr(c, space, 16384, 0, &handle), -EFAULT);
   assert_int_equal(userptr(c, space, 65536, 0, &handle), -EFAULT);
   /* Two files, the second of which may only be read at first. */
   assert_ptr_equal(
      mmap(space + 8192, 8192, PROT_READ, MAP_SHARED | MAP_FIXED | MAP_ANONYMOUS, -1, 0),
      space + 8192);
   assert_int_equal(userptr(c, space, 16384, 0, &handle), -EFAULT);
   assert_int_equal(mprotect(space + 8192, 8192, PROT_READ | PROT_WRITE), 0);
   assert_int_equal(userptr(c, space, 16384, 0, &handle), 0);
   assert_int_equal(door_va(c, handle, RADEON_VA_MAP, VA_BASE, NULL), 0);
   IB_ADD(&ib, PM4_CP_DMA, 0x77777777, CP_DMA_SRC_SEL(CP_DMA_SRC_DATA), VA_BASE, 0, 16384);
   assert_int_equal(door_submit(c, ib.words, ib.count, RADEON_CS_RING_GFX, handle), 0);
   door_wait(c, handle);
   for (unsigned i = 0; i < 16384; i++)
      assert_int_equal(space[i], 0x77);
   own = mmap(NULL, 65536, PROT_READ, MAP_SHARED, fd, 0);
   for (unsigned i = 0; i < 65536; i++)
      assert_int_equal(own[i], i >= 16384 && i < 16384 + 8192 ? 0x77 : 0);
   munmap(own, 65536);
   /* Some of it private; a buffer of the device's; a mapping longer than its file. */
   assert_ptr_equal(mmap(space + 16384, 4096, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0),
                    space + 16384);
   assert_int_equal(userptr(c, space, 20480, 0, &handle), -EINVAL);
   handle = door_create(c, 65536);
   own = door_map(c, handle, 4096);
   assert_int_equal(userptr(c, own, 4096, 0, &handle), -EFAULT);
   assert_int_equal(userptr(c, own, 65536, 0, &handle), -EFAULT);
   munmap(own, 4096);
   own = mmap(NULL, 131072, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   assert_int_equal(userptr(c, own, 131072, 0, &handle), -EFAULT);
   munmap(own, 131072);
   munmap(space, 65536);
   close(fd);
   atoll_client_close(c);
}

/* A file that may be cut shorter is refused; one that may not be is taken, cut as it may. */
static void
user_memory_does_not_shrink(void **state)
{
   struct atoll_client *c = door_open();
   const int fd = memfd_create("file", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   uint8_t *p;
   uint32_t handle;
   struct ib ib = { 0 };

   assert_int_equal(ftruncate(fd, 65536), 0);
   p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   assert_int_equal(userptr(c, p, 65536, 0, &handle), -EFAULT);
   assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
   assert_int_equal(userptr(c, p, 65536, 0, &handle), 0);
   assert_int_equal(ftruncate(fd, 0), -1);
   assert_int_equal(door_va(c, handle, RADEON_VA_MAP, VA_BASE, NULL), 0);
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE + 8192, 1 << 18, 4242, 0);
   assert_int_equal(door_submit(c, ib.words, ib.count, RADEON_CS_RING_GFX, handle), 0);
   door_wait(c, handle);
   assert_int_equal(p[8192], 4242 % 256);
   munmap(p, 65536);
   close(fd);
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

/* Runs `work` in a child, whose own children may do the same. */
static void
in_child(int (*work)(struct door *parents), struct door *parents)
{
   int status;
   pid_t child = fork();

   if (!child) {
      alarm(10);
      exit(work(parents));
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status));
   assert_int_equal(WEXITSTATUS(status), 0);
}

static int
use_parents(struct door *d)
{
   struct drm_radeon_gem_wait_idle wait = { .handle = d->handle };
   struct ib ib = { 0 };
   int bad = 0;

   IB_ADD(&ib, PM4_NOP, 0);
   bad |= door_submit(d->c, ib.words, ib.count, RADEON_CS_RING_GFX, d->handle) != -ENODEV;
   bad |= atoll_client_ioctl(d->c, DRM_IOCTL_RADEON_GEM_WAIT_IDLE, &wait) != -ENODEV;
   bad |= atoll_client_mmap(d->c, NULL, 4096, PROT_READ, MAP_SHARED, 0) != MAP_FAILED;
   atoll_client_close(d->c);
   bad |= d->mem[0] != 4;
   d->mem[0] = 5;
   return bad;
}

/* A child of fork() sees that what its parent had opened is lost at every entry, at once, and can
 * end. */
static void
fork_loses_clients(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   IB_ADD(&ib, PM4_NOP, 0);
   d.mem[0] = 4;
   in_child(use_parents, &d);
   /* The parent's is as it was; the child's memory was a copy. */
   door_run(&d, &ib);
   assert_int_equal(d.mem[0], 4);
   door_end(&d);
}

static int
use_own(struct door *parents)
{
   struct atoll_device *device = atoll_device_get();
   struct door d;
   struct ib ib = { 0 };

   if (!device || device != atoll_device_get())
      return 1;
   d = door_begin();
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE + 4, 1 << 18, 1234, 0);
   door_run(&d, &ib);
   if (d.mem[1] != 1234 || parents->mem[1] != 4)
      return 2;
   if (use_parents(parents))
      return 3;
   door_run(&d, &ib);
   door_end(&d);
   return 0;
}

static int
use_own_and_fork(struct door *parents)
{
   struct door d = door_begin();
   int result;

   d.mem[0] = d.mem[1] = 4;
   in_child(use_own, &d);
   result = use_own(parents);
   door_end(&d);
   return result;
}

/* It makes a device of its own, as its children do. */
static void
fork_makes_device(void **state)
{
#ifdef __SANITIZE_THREAD__
   skip(); /* TSan knows no threads of a child of threads */
#endif
   struct door d = door_begin();
   struct ib ib = { 0 };

   d.mem[0] = d.mem[1] = 4;
   in_child(use_own, &d);
   in_child(use_own_and_fork, &d);
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE + 8, 1 << 18, 8, 0);
   door_run(&d, &ib);
   assert_int_equal(d.mem[0], 4);
   assert_int_equal(d.mem[1], 4);
   assert_int_equal(d.mem[2], 8);
   door_end(&d);
}

/* Mappings and descriptors of a child lead to no memory of its parent's that was not exported. */
static int
find_memory(struct door *parents)
{
   FILE *maps = fopen("/proc/self/maps", "r");
   char path[64], name[64], line[512], mode[5];

   while (maps && fgets(line, sizeof(line), maps))
      if (strstr(line, "atoll-memory") && sscanf(line, "%*s %4s", mode) == 1 && mode[3] == 's')
         return 2;
   for (int fd = 0; fd < 1024; fd++) {
      ssize_t length;

      snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
      length = readlink(path, name, sizeof(name) - 1);
      name[length > 0 ? length : 0] = 0;
      if (strstr(name, "atoll-memory"))
         return 1;
   }
   return parents->mem[0] != 4;
}

static void
fork_closes_memory(void **state)
{
   struct door d = door_begin();

   d.mem[0] = 4;
   in_child(find_memory, &d);
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
      cmocka_unit_test(same_inode),
      cmocka_unit_test(fork_keeps_capture),
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
      cmocka_unit_test(prime),
      cmocka_unit_test(import_keeps_nothing),
      cmocka_unit_test(exports_count),
      cmocka_unit_test(shared_is_done),
      cmocka_unit_test(flink),
      cmocka_unit_test(render_node),
      cmocka_unit_test(mappings_hold),
      cmocka_unit_test(mappings_end),
      cmocka_unit_test(user_memory),
      cmocka_unit_test(user_memory_is_what_is_mapped),
      cmocka_unit_test(user_memory_does_not_shrink),
      cmocka_unit_test(float_state),
      cmocka_unit_test(fork_loses_clients),
      cmocka_unit_test(fork_makes_device),
      cmocka_unit_test(fork_closes_memory),
      cmocka_unit_test(threads_block_signals),
      cmocka_unit_test(threads),
      cmocka_unit_test(many_clients),
   };

   return cmocka_run_group_tests_name("frontdoor", tests, NULL, NULL);
}
