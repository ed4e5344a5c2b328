/* SPDX-License-Identifier: MIT */
/*
 * A device that is a five-slot chip: what it says of itself, that it has no virtual memory, and
 * that each of its backends alone has a slot in an occlusion query.
 */
#include <errno.h>
#include <stdlib.h>

#include "chip/chip.h"
#include "door.h"

static const struct chip *const chip = &chips[CHIP_TURKS];

static uint32_t
info(struct atoll_client *c, uint32_t request)
{
   uint32_t value = 0;

   assert_int_equal(door_info(c, request, &value), 0);
   return value;
}

static void
says(void **state)
{
   struct atoll_client *c = door_open();
   uint32_t value = 0;

   (void)state;
   assert_int_equal(info(c, RADEON_INFO_DEVICE_ID), 0x6758);
   assert_int_equal(info(c, RADEON_INFO_TILING_CONFIG), chip->tiling);
   assert_int_equal(info(c, RADEON_INFO_NUM_BACKENDS), 2);
   assert_int_equal(info(c, RADEON_INFO_NUM_TILE_PIPES), 4);
   assert_int_equal(info(c, RADEON_INFO_BACKEND_MAP), chip->backend_map);
   assert_int_equal(info(c, RADEON_INFO_MAX_PIPES), chip->quad_pipes);
   assert_int_equal(info(c, RADEON_INFO_ACTIVE_CU_COUNT), chip->simds);
   assert_int_equal(info(c, ATOLL_INFO_ISA), ATOLL_ISA_EVERGREEN);
   assert_int_equal(door_info(c, RADEON_INFO_VA_START, &value), -EINVAL);
   assert_int_equal(door_info(c, RADEON_INFO_IB_VM_MAX_SIZE, &value), -EINVAL);
   atoll_client_close(c);
}

static void
no_virtual_memory(void **state)
{
   struct atoll_client *c = door_open();
   const uint32_t handle = door_create(c, 4096);
   struct drm_radeon_gem_va va;
   struct ib ib = { .count = 0 };

   (void)state;
   assert_int_equal(door_va(c, handle, RADEON_VA_MAP, VA_BASE, &va), -ENOTTY);
   assert_int_equal(va.operation, RADEON_VA_RESULT_ERROR);
   IB_ADD(&ib, PM4_NOP, 0);
   assert_int_equal(
      door_submit_flags(c, ib.words, ib.count, RADEON_CS_RING_GFX, handle, RADEON_CS_USE_VM),
      -EINVAL);
   assert_int_equal(door_submit_flags(c, ib.words, ib.count, RADEON_CS_RING_GFX, handle, 0), 0);
   atoll_client_close(c);
}

/* But for a client that asks for the size of its address space, as Atoll's driver does. */
static void
own_addresses(void **state)
{
   struct atoll_client *c = door_open(), *other = door_open();
   const uint32_t handle = door_create(c, 4096), theirs = door_create(other, 4096);
   struct drm_radeon_gem_va va;
   struct ib ib = { .count = 0 };
   uint32_t value = 0;
   uint64_t size = 0;
   struct drm_radeon_info args = { .request = ATOLL_INFO_VA_SIZE, .value = (uintptr_t)&size };

   (void)state;
   assert_int_equal(atoll_client_ioctl(c, DRM_IOCTL_RADEON_INFO, &args), 0);
   assert_true(size > 0);
   assert_int_equal(door_info(c, RADEON_INFO_VA_START, &value), 0);
   assert_int_equal(door_va(c, handle, RADEON_VA_MAP, VA_BASE, &va), 0);
   assert_int_equal(va.operation, RADEON_VA_RESULT_OK);
   IB_ADD(&ib, PM4_NOP, 0);
   assert_int_equal(
      door_submit_flags(c, ib.words, ib.count, RADEON_CS_RING_GFX, handle, RADEON_CS_USE_VM), 0);
   assert_int_equal(door_va(other, theirs, RADEON_VA_MAP, VA_BASE, &va), -ENOTTY);
   atoll_client_close(other);
   atoll_client_close(c);
}

static void
backends(void **state)
{
   struct atoll_client *c = door_open();
   const uint32_t handle = door_create(c, 4096);
   uint64_t *slots = door_map(c, handle, 4096);
   struct ib ib = { .count = 0 };

   (void)state;
   IB_ADD(&ib, PM4_EVENT_WRITE, 0x15 | 1 << 8, 0, 0); /* ZPASS_DONE */
   IB_ADD(&ib, PM4_NOP, 0);
   assert_int_equal(door_submit_flags(c, ib.words, ib.count, RADEON_CS_RING_GFX, handle, 0), 0);
   door_wait(c, handle);
   for (unsigned n = 0; n < 16; n++)
      assert_int_equal(slots[n] >> 63, n % 2 == 0 && n / 2 < chip->backends);
   munmap(slots, 4096);
   atoll_client_close(c);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(says),
      cmocka_unit_test(no_virtual_memory),
      cmocka_unit_test(own_addresses),
      cmocka_unit_test(backends),
   };

   setenv("ATOLL_CHIP", "turks", 1);
   unsetenv("ATOLL_ISA");
   return cmocka_run_group_tests(tests, NULL, NULL);
}
