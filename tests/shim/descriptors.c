/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of the render node, whatever a program does to them, and paths that are none: run
 * with the shim preloaded.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <drm.h>
#include <radeon_drm.h>
#include "../device/forking.h"

#define NODE "/dev/dri/renderD128"

static int
open_node(void)
{
   const int fd = open(NODE, O_RDWR | O_CLOEXEC);

   assert_true(fd >= 0);
   return fd;
}

static int
create(int fd)
{
   struct drm_radeon_gem_create args = { .size = 4096, .initial_domain = RADEON_GEM_DOMAIN_GTT };

   return ioctl(fd, DRM_IOCTL_RADEON_GEM_CREATE, &args) ? -errno : (int)args.handle;
}

/* Whether `fd` leads to the client that has buffer number `handle`. */
static bool
has(int fd, int handle)
{
   struct drm_radeon_gem_busy args = { .handle = (uint32_t)handle };

   return !ioctl(fd, DRM_IOCTL_RADEON_GEM_BUSY, &args);
}

/* A file with text, which gets the lowest number that is free. */
static int
open_file(void)
{
   const int fd = memfd_create("file", MFD_CLOEXEC);

   assert_true(fd >= 0);
   assert_int_equal(write(fd, "text", 4), 4);
   assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
   return fd;
}

/* `fd` was a node's, and is a file. */
static void
check_file(int fd)
{
   char text[5] = "";
   struct stat st;
   void *map;

   assert_int_equal(create(fd), -ENOTTY);
   assert_int_equal(fstat(fd, &st), 0);
   assert_true(S_ISREG(st.st_mode));
   assert_int_equal(read(fd, text, 4), 4);
   assert_string_equal(text, "text");
   map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
   assert_ptr_not_equal(map, MAP_FAILED);
   assert_memory_equal(map, "text", 4);
   munmap(map, 4096);
   close(fd);
}

/* ---- Mappings ---- */

/* What follows a buffer in memory is another's: its mapping moves and shrinks, and does not
 * grow. */
static void
mappings_do_not_grow(void **state)
{
   const int fd = open_node();
   struct drm_radeon_gem_mmap args = { .handle = (uint32_t)create(fd) };
   char *map, *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

   create(fd);
   assert_int_equal(ioctl(fd, DRM_IOCTL_RADEON_GEM_MMAP, &args), 0);
   map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)args.addr_ptr);
   assert_ptr_not_equal(map, MAP_FAILED);
   map[0] = 'x';
   assert_ptr_equal(mremap(map, 4096, 8192, MREMAP_MAYMOVE), MAP_FAILED);
   assert_int_equal(errno, EFAULT);
   assert_ptr_equal(mremap(map, 0, 8192, MREMAP_MAYMOVE), MAP_FAILED);
   assert_int_equal(map[0], 'x');
   assert_ptr_equal(mremap(map, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, own), own);
   assert_int_equal(own[0], 'x');
   munmap(own, 4096);
   /* Others' do. */
   own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   own = mremap(own, 4096, 8192, MREMAP_MAYMOVE);
   assert_ptr_not_equal(own, MAP_FAILED);
   munmap(own, 8192);
   close(fd);
}

/* ---- Ways to close ---- */

static void
by_close(int fd)
{
   close(fd);
}

static void
by_stream(int fd)
{
   FILE *file = fdopen(fd, "r+");

   assert_non_null(file);
   fclose(file);
}

static void
by_range(int fd)
{
   assert_int_equal(close_range((unsigned)fd, (unsigned)fd, 0), 0);
}

/* From above the device's own descriptors. */
static void
from(int fd)
{
   assert_int_equal(dup2(fd, 900), 900);
   assert_true(create(900) > 0);
   close(fd);
   closefrom(900);
   assert_int_equal(create(900), -EBADF);
}

static void
unseen(int fd)
{
   syscall(SYS_close, fd);
}

static void
unseen_range(int fd)
{
   syscall(SYS_close_range, fd, fd, 0);
}

static void
closed(void **state)
{
   static void (*const ways[])(int) = { by_close, by_stream, by_range, from, unseen, unseen_range };

   for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
      const int fd = open_node(), handle = create(fd);
      int file;

      assert_true(handle > 0);
      ways[i](fd);
      assert_int_equal(create(fd), -EBADF);
      file = open_file();
      assert_int_equal(file, fd);
      check_file(file);
   }
}

/* Another descriptor of the node lives on. */
static void
copied(void **state)
{
   const int fd = open_node(), handle = create(fd), copy = dup(fd);
   int file = open_file();

   close(fd);
   assert_true(has(copy, handle));
   assert_int_equal(dup2(copy, file), file);
   close(copy);
   assert_true(has(file, handle));
   assert_int_equal(close_range((unsigned)file, (unsigned)file, CLOSE_RANGE_CLOEXEC), 0);
   assert_true(has(file, handle));
   /* A file instead of it. */
   const int other = open_file();
   assert_int_equal(dup3(other, file, O_CLOEXEC), file);
   close(other);
   check_file(file);
}

/* What a child of vfork() closes is the child's. */
static void
vforked(void **state)
{
   const int fd = open_node(), handle = create(fd), other = open_file();
   int status;
   pid_t child = vfork();

   if (!child) {
      close(fd);
      dup2(other, fd + 20);
      close_range(3, UINT_MAX, 0);
      _exit(0);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   assert_true(has(fd, handle));
   assert_int_equal(dup2(fd, other), other);
   child = vfork();
   if (!child) {
      dup2(1, other);
      _exit(0);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(has(other, handle));
   close(fd);
   close(other);
}

/* A child of fork() has the parent's node as a client of its own, or is told that it is lost, and
 * opens another. */
static void
forked(void **state)
{
   const int fd = open_node(), handle = create(fd);
   int status;
   const pid_t child = forking_fork();

   if (!child) {
      alarm(10);
      const bool lost = !has(fd, handle);
      close(fd);
      const int own = open(NODE, O_RDWR);
      _exit(lost && create(own) > 0 ? 0 : 1);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   assert_true(has(fd, handle));
   close(fd);
}

/* ---- Using while closing ---- */

static atomic_int the_fd = -1;
static atomic_bool stop;

static void *
use(void *data)
{
   while (!atomic_load(&stop)) {
      const int fd = atomic_load(&the_fd);
      const int handle = create(fd);
      struct drm_radeon_gem_mmap args = { .handle = (uint32_t)handle };
      struct stat st;

      /* Of whatever descriptor it is by now. */
      if (handle > 0 && !ioctl(fd, DRM_IOCTL_RADEON_GEM_MMAP, &args)) {
         void *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)args.addr_ptr);

         if (map != MAP_FAILED)
            munmap(map, 4096);
      }
      fstat(fd, &st);
   }
   return NULL;
}

static void
closed_in_use(void **state)
{
   pthread_t threads[3];

   atomic_store(&stop, false);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(pthread_create(&threads[i], NULL, use, NULL), 0);
   for (unsigned i = 0; i < 500; i++) {
      const int fd = open_node();

      atomic_store(&the_fd, fd);
      if (i % 2)
         sched_yield();
      close(fd);
   }
   atomic_store(&stop, true);
   for (unsigned i = 0; i < 3; i++)
      pthread_join(threads[i], NULL);
}

/* ---- Paths ---- */

static void
bad_paths(void **state)
{
   char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   const int fd = open_node();
   const char *bad[4] = { NULL, (const char *)8, page + 4096, NULL };
   char buffer[PATH_MAX];
   struct stat st;

   assert_ptr_not_equal(page, MAP_FAILED);
   assert_int_equal(mprotect(page + 4096, 4096, PROT_NONE), 0);
   /* Without an end before what cannot be read. */
   bad[3] = memcpy(page + 4096 - 5, "/dev/", 5);
   for (unsigned i = 0; i < 4; i++) {
      const char *volatile path = bad[i];

      errno = 0;
      assert_int_equal(open(path, O_RDONLY), -1);
      assert_int_equal(errno, EFAULT);
      assert_int_equal(openat(AT_FDCWD, path, O_RDONLY), -1);
      assert_int_equal(errno, EFAULT);
      assert_int_equal(stat(path, &st), -1);
      assert_int_equal(errno, EFAULT);
      assert_int_equal(lstat(path, &st), -1);
      assert_int_equal(errno, EFAULT);
      assert_int_equal(access(path, R_OK), -1);
      assert_int_equal(errno, EFAULT);
      assert_int_equal(readlink(path, buffer, sizeof(buffer)), -1);
      assert_int_equal(errno, EFAULT);
      assert_int_equal(fstatat(fd, path, &st, 0), -1);
      assert_int_equal(errno, EFAULT);
      if (path)
         assert_int_equal(fstatat(fd, path, &st, AT_EMPTY_PATH), -1);
   }
   /* The end of the path is the end of the page. */
   memcpy(page + 4096 - sizeof(NODE), NODE, sizeof(NODE));
   assert_int_equal(stat(page + 4096 - sizeof(NODE), &st), 0);
   assert_true(S_ISCHR(st.st_mode));
   assert_int_equal(fstatat(fd, "", &st, AT_EMPTY_PATH), 0);
   assert_true(S_ISCHR(st.st_mode));
   close(fd);
   munmap(page, 8192);
}

/* Results that go nowhere. */
static void
bad_results(void **state)
{
   char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   void *bad[] = { NULL, (void *)8, page + 4096, page + 4096 - 8 };
   const int fd = open_node();

   assert_int_equal(mprotect(page + 4096, 4096, PROT_NONE), 0);
   for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      void *volatile to = bad[i];

      errno = 0;
      assert_int_equal(stat(NODE, to), -1);
      assert_int_equal(errno, EFAULT);
      assert_int_equal(lstat("/sys/dev/char/226:128", to), -1);
      assert_int_equal(errno, EFAULT);
      assert_int_equal(fstat(fd, to), -1);
      assert_int_equal(errno, EFAULT);
      assert_int_equal(readlink("/sys/dev/char/226:128", to, 100), -1);
      assert_int_equal(errno, EFAULT);
   }
   close(fd);
   munmap(page, 8192);
}

static void
long_ways(void **state)
{
   static const char *const same[] = {
      "/dev/dri/../dri/renderD128",
      "/dev/./dri/renderD128",
      "/dev//dri/card0/../renderD128/",
      "/sys/../dev/dri/renderD128",
   };
   char path[PATH_MAX + 10];
   struct stat st, device;

   for (unsigned i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
      assert_int_equal(stat(same[i], &st), 0);
      assert_int_equal(st.st_rdev, makedev(226, 128));
   }
   /* Up from a link is where it leads to. */
   assert_int_equal(stat("/sys/dev/char/226:128/device/../..", &st), -1);
   assert_int_equal(stat("/sys/dev/char/226:128/device/vendor", &device), 0);
   assert_int_equal(stat("/sys/dev/char/226:128/../../vendor", &st), 0);
   assert_int_equal(st.st_ino, device.st_ino);
   memset(path, 'x', sizeof(path));
   memcpy(path, "/dev/", 5);
   path[sizeof(path) - 1] = 0;
   assert_int_equal(stat(path, &st), -1);
   assert_int_equal(errno, ENAMETOOLONG);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed),
      cmocka_unit_test(copied),
      cmocka_unit_test(vforked),
      cmocka_unit_test(forked),
      cmocka_unit_test(closed_in_use),
      cmocka_unit_test(bad_paths),
      cmocka_unit_test(long_ways),
      cmocka_unit_test(bad_results),
      cmocka_unit_test(mappings_do_not_grow),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
