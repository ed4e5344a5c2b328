/* SPDX-License-Identifier: MIT */
/*
 * Hostile input at the front door: random ioctls, random packets, addresses at and beyond the
 * edges of what is mapped.  The process must live, every submission must end, and memory outside
 * of the client's buffers must stay as it was.
 *
 *    fuzz [rounds [seed]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "door.h"
#include "pipe_stub.h"

static uint64_t seed = 1;
static unsigned rounds = 300;

static uint32_t
rnd(void)
{
   seed ^= seed << 13;
   seed ^= seed >> 7;
   seed ^= seed << 17;
   return (uint32_t)(seed >> 16);
}

static uint32_t
rnd_value(void)
{
   switch (rnd() % 8) {
   case 0:
      return rnd();
   case 1:
      return 1u << rnd() % 32;
   case 2:
      return -(1u << rnd() % 32);
   case 3:
      return VA_BASE + DOOR_BYTES - rnd() % 32;
   case 4:
   case 5:
      return VA_BASE + rnd() % DOOR_BYTES;
   default:
      return rnd() % 64;
   }
}

static const uint8_t opcodes[] = {
#define PACKET(name, opcode, needs, demands, admitted, rule, run, registers) opcode,
#include <atoll/cayman/packets.def>
};

static uint32_t
random_ib(uint32_t *words, uint32_t room)
{
   uint32_t n = 0, packets = rnd() % 64;

   for (uint32_t i = 0; i < packets && n + 40 < room; i++) {
      uint32_t opcode = rnd() % 16 ? opcodes[rnd() % sizeof(opcodes)] : rnd() % 256;
      uint32_t count = 1 + rnd() % (rnd() % 4 ? 8 : 32);

      /* Waiting takes real time: seldom. */
      if (opcode == PM4_WAIT_REG_MEM && rnd() % 32)
         continue;
      words[n++] = pm4_header((enum pm4_opcode)opcode, count, rnd() & 1) | (rnd() & 2);
      for (uint32_t k = 0; k < count; k++)
         words[n++] = rnd_value();
      /* Addresses have 40 bits: mostly let the high ones be zero. */
      if (count >= 2 && rnd() % 4)
         words[n - count + 1] &= 0xffff0000;
   }
   if (!n || rnd() % 8 == 0)
      words[n++] = rnd();
   return n > 4 && rnd() % 8 == 0 ? n - 1 - rnd() % 3 : n; /* truncated */
}

static uint32_t
random_dma(uint32_t *words, uint32_t room)
{
   uint32_t n = 0;

   while (n + 16 < room && rnd() % 32) {
      static const uint8_t subs[] = { DMA_COPY_DWORD_ALIGNED, DMA_COPY_BYTE_ALIGNED,
                                      DMA_COPY_TILED };
      uint32_t count = 1 + rnd() % 8;

      words[n++] = dma_header(rnd() % 4 ? DMA_COPY : rnd() % 16,
                              rnd() % 8 ? subs[rnd() % 3] : rnd(), rnd_value());
      while (count--)
         words[n++] = rnd_value();
   }
   if (!n)
      words[n++] = rnd();
   return n;
}

static void
packets(void **state)
{
   static uint32_t words[4096];
   struct door d = door_begin();
   uint32_t other = door_create(d.c, 4096);
   uint32_t *sentinel = door_map(d.c, other, 4096);

   /* A buffer that has no address cannot be reached. */
   memset(sentinel, 0x3c, 4096);
   for (unsigned i = 0; i < rounds; i++) {
      bool dma = rnd() % 4 == 0;
      uint32_t n = dma ? random_dma(words, 4096) : random_ib(words, 4096);

      assert_int_equal(
         door_submit(d.c, words, n, dma ? RADEON_CS_RING_DMA : RADEON_CS_RING_GFX, d.handle), 0);
      if (rnd() % 4 == 0)
         door_wait(d.c, d.handle);
   }
   door_wait(d.c, d.handle);
   for (unsigned i = 0; i < 1024; i++)
      assert_int_equal(sentinel[i], 0x3c3c3c3c);
   munmap(sentinel, 4096);
   door_end(&d);
}

/* Every ioctl number with random contents; those that hold pointers get a good or a null one. */
static void
ioctls(void **state)
{
   struct atoll_client *c = door_open();
   uint64_t target[4];

   for (unsigned i = 0; i < rounds * 100; i++) {
      uint64_t args[32];
      unsigned nr = rnd() % 4 ? DRM_COMMAND_BASE + rnd() % 0x30 : rnd() % 0x100;
      unsigned size = rnd() % 8 ? 8 + rnd() % 40 : rnd() % 0x400;

      for (unsigned k = 0; k < 32; k++) {
         args[k] = (uint64_t)(rnd() % 8 ? rnd() % 4 : rnd_value()) << 32 |
                   (rnd() % 2 ? rnd() % 16 : rnd_value());
      }
      switch (nr) {
      case DRM_COMMAND_BASE + DRM_RADEON_INFO:
         args[1] = rnd() % 2 ? (uintptr_t)target : 0;
         target[0] = rnd();
         size = 16; /* less would be a part of a pointer */
         break;
      case DRM_COMMAND_BASE + DRM_RADEON_CS:
         args[1] = 0; /* submissions have a test of their own */
         break;
      case DRM_COMMAND_BASE + DRM_RADEON_GEM_USERPTR:
         args[0] = rnd() % 2 ? 0 : UINT64_C(1) << 46;
         break;
      case DRM_COMMAND_BASE + DRM_RADEON_GEM_CREATE:
         args[0] %= 1 << 22;
         break;
      case _IOC_NR(DRM_IOCTL_VERSION):
         memset(args, 0, sizeof(args));
         break;
      case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD):
         continue; /* would use up descriptors */
      case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
         args[1] = UINT32_MAX;
         break;
      default:
         break;
      }
      atoll_client_ioctl(c, _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, nr, size), args);
      if (rnd() % 4 == 0)
         door_close(c, 1 + rnd() % 32);
   }
   atoll_client_close(c);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(packets),
      cmocka_unit_test(ioctls),
   };

   if (argc > 1)
      rounds = (unsigned)strtoul(argv[1], NULL, 0);
   if (argc > 2)
      seed = strtoull(argv[2], NULL, 0) | 1;
   return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
