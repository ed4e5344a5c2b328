/* SPDX-License-Identifier: MIT */
/*
 * The device in processes that may not have what it usually takes: address space, memfd_create().
 * There is one device in a process, so each case is a child; this process has none.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "door.h"
#include "pipe_stub.h"

#define MIB (UINT64_C(1) << 20)

/* Runs `limit` and then `work` in a child that has `said` as its stderr.  What work() returned. */
static int
in_child(void (*limit)(void), int (*work)(void), char said[256])
{
   int ends[2], status;
   ssize_t length;
   pid_t child;

   assert_int_equal(pipe(ends), 0);
   child = fork();
   assert_true(child >= 0);
   if (!child) {
      dup2(ends[1], 2);
      limit();
      _exit(work());
   }
   close(ends[1]);
   length = read(ends[0], said, 255);
   said[length > 0 ? length : 0] = 0;
   close(ends[0]);
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFEXITED(status));
   return WEXITSTATUS(status);
}

static void
limit_space(uint64_t bytes)
{
   const struct rlimit limit = { bytes, bytes };

   if (setrlimit(RLIMIT_AS, &limit))
      _exit(100);
}

static void
four_gigabytes(void)
{
   limit_space(UINT64_C(4000000000));
}

static void
forty_megabytes(void)
{
   limit_space(40 * MIB);
}

static void
data_segment(void)
{
   const struct rlimit limit = { 64 * MIB, 64 * MIB };

   if (setrlimit(RLIMIT_DATA, &limit))
      _exit(100);
}

static void
small_files(void)
{
   const struct rlimit limit = { 16 * MIB + 1, 16 * MIB + 1 };

   if (setrlimit(RLIMIT_FSIZE, &limit))
      _exit(100);
}

static void
no_memfd(void)
{
   struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
   };
   const struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

   if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
      _exit(100);
}

static void
nothing(void)
{
}

/* A buffer in the CPU's addresses and at the end of the device's.  How many those are, in eighths
 * of a GiB; 0 when something went wrong. */
static int
use(void)
{
   struct atoll_device *device = atoll_device_get();
   struct atoll_client *c = device ? atoll_client_open(device) : NULL;
   struct drm_radeon_gem_info memory = { 0 };
   struct drm_radeon_gem_va va;
   uint64_t size = 0;
   uint32_t a;
   char *p;

   if (!c || door_info(c, ATOLL_INFO_VA_SIZE, &size))
      return 0;
   a = door_create(c, 8 * MIB);
   p = door_map(c, a, 8 * MIB);
   if (door_va(c, a, RADEON_VA_MAP, size - 8 * MIB, &va) || va.operation != RADEON_VA_RESULT_OK)
      return 0;
   memset(p, 0x5a, 8 * MIB);
   /* One page further is beyond the end. */
   if (door_va(c, door_create(c, 8 * MIB), RADEON_VA_MAP, size - 8 * MIB + 4096, &va) != -EINVAL)
      return 0;
   /* Memory in the proportion to addresses that it always has: three quarters. */
   if (atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_INFO, &memory) ||
       memory.vram_size + memory.gart_size != size / 4 * 3)
      return 0;
   atoll_client_close(c);
   return (int)(size / (128 * MIB));
}

/* No device, and an errno that tells why. */
static int
refused(void)
{
   struct atoll_device *device = atoll_device_get();

   return device && !atoll_client_open(device) && errno == ENOMEM;
}

static int
use_and_one_more(void)
{
   struct atoll_client *c = atoll_client_open(atoll_device_get());
   struct drm_radeon_gem_create more = { .size = 17 * MIB };

   return atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_CREATE, &more) == -ENOMEM;
}

/* Without memfd_create() a buffer cannot be sealed, and is not shared. */
static int
use_and_share(void)
{
   struct atoll_client *c = atoll_client_open(atoll_device_get());
   struct drm_prime_handle prime = { .handle = door_create(c, 4096), .flags = DRM_CLOEXEC };

   if (atoll_client_ioctl(c, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) != -EPERM)
      return 0;
   atoll_client_close(c);
   return use();
}

static void
address_space(void **state)
{
   char said[256];

   assert_int_equal(in_child(nothing, use, said), 64); /* 8 GiB */
   assert_string_equal(said, "");
   assert_int_equal(in_child(four_gigabytes, use, said), 8); /* 1 GiB, and as much for the rest */
   assert_non_null(strstr(said, "the GPU's has 1024 MiB instead of 8192"));
   assert_null(strchr(said, '\n')[1] ? said : NULL);
   assert_int_equal(in_child(forty_megabytes, refused, said), 1);
   assert_non_null(strstr(said, "Cannot allocate memory"));
}

static void
data(void **state)
{
   char said[256];

   assert_int_equal(in_child(data_segment, use, said), 64);
   assert_string_equal(said, "");
}

/* Room for use()'s two buffers, and for no third. */
static void
file_size(void **state)
{
   char said[256];

   assert_int_equal(in_child(small_files, use, said), 64);
   assert_int_equal(in_child(small_files, use_and_one_more, said), 1);
}

/* What ATOLL_LIMITS says, with room for everything that is tried first. */
static void
limits_of_bytes(void)
{
   setenv("ATOLL_LIMITS", "memory=1M,client=768K", 1);
}

static void
limits_of_handles(void)
{
   setenv("ATOLL_LIMITS", "handles=3", 1);
}

static void
limits_wrong(void)
{
   setenv("ATOLL_LIMITS", "memory=1M,handels=3", 1);
}

static int
create(struct atoll_client *c, uint64_t size, uint32_t *handle)
{
   struct drm_radeon_gem_create args = { .size = size };
   const int result = atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_CREATE, &args);

   *handle = args.handle;
   return result;
}

/* One client may have 768 KiB, and two of them 1 MiB; what is closed counts no more. */
static int
fill_bytes(void)
{
   struct atoll_client *c = door_open(), *other = door_open();
   struct drm_radeon_gem_info memory = { 0 };
   uint32_t handle, another;

   if (atoll_client_ioctl(c, DRM_IOCTL_RADEON_GEM_INFO, &memory) ||
       memory.vram_size + memory.gart_size > MIB)
      return 1;
   if (create(c, 512 << 10, &handle) || create(c, 512 << 10, &another) != -ENOMEM)
      return 2;
   if (create(other, 512 << 10, &another) || create(other, 128 << 10, &handle) != -ENOMEM)
      return 3;
   if (door_close(other, another) || create(other, 512 << 10, &another))
      return 4;
   /* An import is the client's, too. */
   struct drm_prime_handle args = { .handle = another, .flags = DRM_CLOEXEC | DRM_RDWR };
   if (atoll_client_ioctl(other, DRM_IOCTL_PRIME_HANDLE_TO_FD, &args))
      return 5;
   if (atoll_client_ioctl(c, DRM_IOCTL_PRIME_FD_TO_HANDLE, &args) != -ENOMEM)
      return 6;
   close(args.fd);
   atoll_client_close(other);
   atoll_client_close(c);
   return 0;
}

static int
fill_handles(void)
{
   struct atoll_client *c = door_open();
   uint32_t handle = 0;

   for (unsigned n = 0; n < 3; n++)
      if (create(c, 4096, &handle))
         return 1;
   if (create(c, 4096, &handle) != -ENOMEM)
      return 2;
   if (door_close(c, 2) || create(c, 4096, &handle) || handle != 2)
      return 3;
   atoll_client_close(c);
   return 0;
}

static void
of_a_setting(void **state)
{
   char said[256];

   assert_int_equal(in_child(limits_of_bytes, fill_bytes, said), 0);
   assert_non_null(strstr(said, "no room for a buffer of a client: ATOLL_LIMITS (client=786432)"));
   assert_int_equal(in_child(limits_of_handles, fill_handles, said), 0);
   assert_non_null(strstr(said, "ATOLL_LIMITS (handles=3)"));
   assert_int_equal(in_child(limits_wrong, use, said), 64);
   assert_non_null(strstr(said, "ATOLL_LIMITS=memory=1M,handels=3: not a list"));
}

static void
sandbox(void **state)
{
   char said[256];

   assert_int_equal(in_child(no_memfd, use_and_share, said), 64);
   assert_string_equal(said, "");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(address_space), cmocka_unit_test(data),    cmocka_unit_test(file_size),
      cmocka_unit_test(of_a_setting),  cmocka_unit_test(sandbox),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
