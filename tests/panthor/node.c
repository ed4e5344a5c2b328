/* SPDX-License-Identifier: MIT */
/*
 * A program that speaks panthor's ioctls to a render node, as the shim shows it: what the node is,
 * where sysfs has it, and a stream that writes to memory.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include <drm.h>

#include "../csf/stream.h"
#include "panthor/abi.h"

#define NODE "/dev/dri/renderD128"
#define VA   UINT64_C(0x100000)

static void
identity(void **state)
{
   char name[16] = "", link[256] = "", uevent[512] = "";
   struct drm_version version = { .name = name, .name_len = sizeof(name) };
   const int fd = open(NODE, O_RDWR);
   FILE *file = fopen("/sys/dev/char/226:128/device/uevent", "r");

   assert_true(fd >= 0);
   assert_int_equal(ioctl(fd, DRM_IOCTL_VERSION, &version), 0);
   assert_string_equal(name, "panthor");
   assert_true(readlink("/sys/dev/char/226:128/device/subsystem", link, sizeof(link) - 1) > 0);
   assert_string_equal(strrchr(link, '/'), "/platform");
   assert_non_null(file);
   assert_true(fread(uevent, 1, sizeof(uevent) - 1, file) > 0);
   fclose(file);
   assert_non_null(strstr(uevent, "DRIVER=panthor\n"));
   assert_non_null(strstr(uevent, "OF_COMPATIBLE_0="));
   assert_int_not_equal(access("/sys/dev/char/226:128/device/vendor", F_OK), 0);
   close(fd);
}

static void
stream(void **state)
{
   const int fd = open(NODE, O_RDWR);
   struct panthor_vm_create vm = { 0 };
   struct panthor_bo_create bo = { .size = 4096 };
   struct panthor_bo_mmap_offset offset = { 0 };
   struct drm_syncobj_create done = { 0 };
   uint64_t *mem;
   const uint32_t *flush_id;

   assert_int_equal(ioctl(fd, PANTHOR_REQUEST(VM_CREATE, vm_create), &vm), 0);
   assert_int_equal(ioctl(fd, PANTHOR_REQUEST(BO_CREATE, bo_create), &bo), 0);
   offset.handle = bo.handle;
   assert_int_equal(ioctl(fd, PANTHOR_REQUEST(BO_MMAP_OFFSET, bo_mmap_offset), &offset), 0);
   mem = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset.offset);
   assert_ptr_not_equal(mem, MAP_FAILED);
   flush_id = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, (off_t)PANTHOR_FLUSH_ID_OFFSET);
   assert_ptr_not_equal(flush_id, MAP_FAILED);

   struct panthor_vm_bind_op op = { .bo_handle = bo.handle, .va = VA, .size = 4096 };
   struct panthor_vm_bind bind = { vm.id, 0, { sizeof(op), 1, (uintptr_t)&op } };
   struct panthor_queue_create queue = { .ringbuf_size = 65536 };
   struct panthor_group_create group = { .queues = { sizeof(queue), 1, (uintptr_t)&queue },
                                         .vm_id = vm.id };

   assert_int_equal(ioctl(fd, PANTHOR_REQUEST(VM_BIND, vm_bind), &bind), 0);
   assert_int_equal(ioctl(fd, PANTHOR_REQUEST(GROUP_CREATE, group_create), &group), 0);
   assert_int_equal(ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &done), 0);
   mem[64] = STREAM_WORD(MOVE, { CS_AT_MOVE_destination, 2 }, { CS_AT_MOVE_immediate, VA });
   mem[65] = STREAM_WORD(STORE_MULTIPLE, { CS_AT_STORE_MULTIPLE_base, 2 },
                         { CS_AT_STORE_MULTIPLE_mask, 3 }, { CS_AT_STORE_MULTIPLE_address, 2 });

   struct panthor_sync_op sync = { PANTHOR_SYNC_SIGNAL, done.handle, 0 };
   struct panthor_queue_submit submit = { .stream_size = 16,
                                          .stream_addr = VA + 512,
                                          .latest_flush = *flush_id,
                                          .syncs = { sizeof(sync), 1, (uintptr_t)&sync } };
   struct panthor_group_submit submits = { group.group_handle,
                                           0,
                                           { sizeof(submit), 1, (uintptr_t)&submit } };
   struct drm_syncobj_wait wait = { .handles = (uintptr_t)&done.handle,
                                    .count_handles = 1,
                                    .timeout_nsec = INT64_MAX };

   assert_int_equal(ioctl(fd, PANTHOR_REQUEST(GROUP_SUBMIT, group_submit), &submits), 0);
   assert_int_equal(ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait), 0);
   assert_int_equal(mem[0], VA);
   close(fd);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(identity), cmocka_unit_test(stream) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
