/* SPDX-License-Identifier: MIT */
/* Sharing: buffers by file descriptors and by names, exports and mappings, and render nodes. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "door.h"
#include "forking.h"
#include "pipe_stub.h"

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
   child = forking_fork();
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

/* A file of another file system may have the inode number of the device's memory, and is not the
 * device's memory: neither an export nor a fork touches its mapping. */
static void
same_inode(void **state)
{
   int status;
   const pid_t child = forking_fork();

   if (!child)
      _exit(map_same_inode());
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status));
   if (WEXITSTATUS(status) == NO_FILE)
      skip(); /* no file systems of one's own here, or the number is out of reach */
   assert_int_equal(WEXITSTATUS(status), 0);
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_inode),           cmocka_unit_test(prime),
      cmocka_unit_test(import_keeps_nothing), cmocka_unit_test(exports_count),
      cmocka_unit_test(shared_is_done),       cmocka_unit_test(flink),
      cmocka_unit_test(render_node),
   };

   return cmocka_run_group_tests_name("sharing", tests, NULL, NULL);
}
