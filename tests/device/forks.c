/* SPDX-License-Identifier: MIT */
/*
 * Children of fork(): they lose their parent's clients, make devices of their own, and write
 * nothing of their parent's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include <atoll/capture.h>

#include "door.h"
#include "forking.h"

/* The records of a capture that is still written, at most `room` bytes; how many there are. */
static size_t
unpacked(int fd, uint8_t *records, size_t room)
{
   ZSTD_DCtx *zstd = ZSTD_createDCtx();
   ZSTD_outBuffer out = { records, room, 0 };
   uint8_t bytes[8192];
   const ssize_t size = read(fd, bytes, sizeof(bytes));
   ZSTD_inBuffer in = { bytes, size > 0 ? (size_t)size : 0, 0 };

   while (in.pos < in.size && out.pos < out.size &&
          !ZSTD_isError(ZSTD_decompressStream(zstd, &out, &in)))
      ;
   ZSTD_freeDCtx(zstd);
   return in.pos == in.size ? out.pos : 0;
}

/* In a process that has no device yet: a capture's file has one record of a mapping, whatever
 * children have done meanwhile, and a child's device has a file of its own. */
static int
capture_and_fork(void)
{
   char path[] = "/tmp/atoll-capture-XXXXXX", own[64];
   const int fd = mkstemp(path);
   static uint8_t records[1 << 20];
   struct atoll_capture_record record;
   struct atoll_capture_header header;
   unsigned maps = 0;
   size_t size;
   struct door d;
   struct ib ib = { 0 };
   pid_t child;
   int status;

   if (fd < 0 || setenv("ATOLL_CS_CAPTURE", path, 1))
      return 1;
   d = door_begin();
   child = forking_fork();
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
   size = unpacked(fd, records, sizeof(records));
   for (size_t at = 0; at < size;) {
      if (size - at < sizeof(record))
         return 4;
      memcpy(&record, records + at, sizeof(record));
      at += sizeof(record) + atoll_capture_carries(&record);
      maps += record.kind == ATOLL_CAPTURE_MAP;
      if (record.kind < ATOLL_CAPTURE_MAP || record.kind > ATOLL_CAPTURE_FRAME)
         return 4;
   }
   return maps == 1 ? 0 : 5;
}

static void
fork_keeps_capture(void **state)
{
#if SANITIZER_THREAD
   skip(); /* TSan knows no threads of a child of threads */
#endif
   int status;
   const pid_t child = forking_fork();

   if (!child)
      _exit(capture_and_fork());
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
}

/* Runs `work` in a child; its own children may do the same. */
static void
in_child(int (*work)(struct door *parents), struct door *parents)
{
   int status;
   pid_t child = forking_fork();

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
#if SANITIZER_THREAD
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(fork_keeps_capture),
      cmocka_unit_test(fork_loses_clients),
      cmocka_unit_test(fork_makes_device),
      cmocka_unit_test(fork_closes_memory),
   };

   return cmocka_run_group_tests_name("forks", tests, NULL, NULL);
}
