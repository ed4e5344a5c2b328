/* SPDX-License-Identifier: MIT */
/* Buffers of a client's own memory. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "door.h"

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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(user_memory),
      cmocka_unit_test(user_memory_is_what_is_mapped),
      cmocka_unit_test(user_memory_does_not_shrink),
   };

   return cmocka_run_group_tests_name("userptr", tests, NULL, NULL);
}
