/* SPDX-License-Identifier: MIT */
/*
 * The winsys on the device of this process: buffers, parts, the cache, streams and fences.
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include <atoll/cayman/pm4.h>

#include "winsys/winsys.h"

static struct atoll_winsys *ws;

static int
open_device(void **state)
{
   ws = atoll_winsys_create_device();
   return ws ? 0 : -1;
}

static int
close_device(void **state)
{
   atoll_winsys_destroy(ws);
   return 0;
}

static void
emit_copy(struct atoll_cs *cs, struct atoll_bo *dst, struct atoll_bo *src, uint32_t bytes)
{
   atoll_emit(cs, pm4_header(PM4_CP_DMA, 5, false));
   atoll_emit(cs, (uint32_t)src->va);
   atoll_emit(cs, CP_DMA_SYNC | (uint32_t)(src->va >> 32));
   atoll_emit(cs, (uint32_t)dst->va);
   atoll_emit(cs, (uint32_t)(dst->va >> 32));
   atoll_emit(cs, bytes);
   atoll_cs_add_bo(cs, src, ATOLL_USAGE_READ);
   atoll_cs_add_bo(cs, dst, ATOLL_USAGE_WRITE);
}

static void
copies(void **state)
{
   static const uint32_t sizes[] = { 64, 256, 5000, 100000, 1 << 20 };
   struct atoll_cs cs;
   assert_true(atoll_cs_init(&cs, ws, ATOLL_RING_GFX));
   for (unsigned i = 0; i < 5; i++) {
      struct atoll_bo *src = atoll_bo_create(ws, sizes[i], 256, 0);
      struct atoll_bo *dst = atoll_bo_create(ws, sizes[i], 256, 0);
      assert_non_null(src);
      assert_non_null(dst);
      unsigned char *from = atoll_bo_map(src), *to = atoll_bo_map(dst);
      for (unsigned b = 0; b < sizes[i]; b++)
         from[b] = (unsigned char)(b * 7 + i);
      memset(to, 0, sizes[i]);
      emit_copy(&cs, dst, src, sizes[i]);
      assert_int_equal(atoll_cs_usage(&cs, src), ATOLL_USAGE_READ);
      assert_int_equal(atoll_cs_usage(&cs, dst), ATOLL_USAGE_WRITE);
      uint64_t seq = atoll_cs_submit(&cs);
      assert_int_equal(atoll_cs_usage(&cs, dst), 0);
      atoll_bo_wait(dst, true);
      assert_true(atoll_seq_done(ws, seq));
      assert_false(atoll_bo_busy(dst, false));
      assert_memory_equal(from, to, sizes[i]);
      atoll_bo_unref(src);
      atoll_bo_unref(dst);
   }
   atoll_cs_finish(&cs);
}

/* Parts of one BO never overlap and keep their alignment. */
static void
parts(void **state)
{
   struct atoll_bo *bo[300];
   for (unsigned i = 0; i < 300; i++) {
      bo[i] = atoll_bo_create(ws, 1 + i * 37 % 9000, 256, 0);
      assert_non_null(bo[i]);
      assert_int_equal(bo[i]->va % 256, 0);
      memset(atoll_bo_map(bo[i]), (int)(i & 0xFF), bo[i]->size);
   }
   for (unsigned i = 0; i < 300; i++) {
      const unsigned char *p = bo[i]->map;
      for (uint64_t b = 0; b < bo[i]->size; b++)
         assert_int_equal(p[b], i & 0xFF);
      atoll_bo_unref(bo[i]);
   }
}

/* Parts that are freed together come back as they were, up to 4 MiB; what is more goes. */
static void
empty_parts(void **state)
{
   enum { BYTES = 32768, KEPT = 96, ALL = 512 };
   static struct atoll_bo *bo[ALL];
   static unsigned char *map[ALL];
   unsigned mapped = 0;

   for (unsigned round = 0; round < 2; round++) {
      for (unsigned i = 0; i < KEPT; i++) {
         bo[i] = atoll_bo_create(ws, BYTES, 256, 0);
         assert_non_null(bo[i]);
         map[i] = bo[i]->map;
         assert_int_equal(map[i][0], round);
         map[i][0] = 1;
      }
      for (unsigned i = 0; i < KEPT; i++)
         atoll_bo_unref(bo[i]);
   }
   for (unsigned i = 0; i < ALL; i++) {
      bo[i] = atoll_bo_create(ws, BYTES, 256, 0);
      assert_non_null(bo[i]);
      map[i] = bo[i]->map;
   }
   for (unsigned i = 0; i < ALL; i++)
      atoll_bo_unref(bo[i]);
   for (unsigned i = 0; i < ALL; i++) {
      unsigned char resident;
      mapped += mincore(map[i], 4096, &resident) == 0;
   }
   assert_in_range(mapped * BYTES, 3 << 20, 5 << 20);
}

/* A freed BO comes back only when the device is done with it. */
static void
cache(void **state)
{
   struct atoll_bo *a = atoll_bo_create(ws, 777 * 4096, 4096, 0);
   uint64_t va = a->va;
   atoll_bo_unref(a);
   struct atoll_bo *b = atoll_bo_create(ws, 777 * 4096, 4096, 0);
   assert_int_equal(b->va, va);
   atoll_bo_unref(b);

   struct atoll_cs cs;
   assert_true(atoll_cs_init(&cs, ws, ATOLL_RING_GFX));
   for (unsigned round = 0; round < 20; round++) {
      struct atoll_bo *src = atoll_bo_create(ws, 300000, 4096, 0);
      struct atoll_bo *dst = atoll_bo_create(ws, 300000, 4096, 0);
      memset(atoll_bo_map(src), (int)round + 1, 300000);
      emit_copy(&cs, dst, src, 300000);
      atoll_cs_submit(&cs);
      /* Written at once if it were handed out too early. */
      atoll_bo_unref(src);
      struct atoll_bo *other = atoll_bo_create(ws, 300000, 4096, 0);
      memset(atoll_bo_map(other), 0, 300000);
      atoll_bo_wait(dst, true);
      const unsigned char *p = atoll_bo_map(dst);
      assert_int_equal(p[0], round + 1);
      assert_int_equal(p[299999], round + 1);
      atoll_bo_unref(other);
      atoll_bo_unref(dst);
   }
   atoll_cs_finish(&cs);
}

/* A stream of nonsense ends, and the next one works. */
static void
nonsense(void **state)
{
   struct atoll_cs cs;
   uint32_t seed = 7;
   assert_true(atoll_cs_init(&cs, ws, ATOLL_RING_GFX));
   for (unsigned i = 0; i < 1000; i++) {
      seed = seed * 1664525 + 1013904223;
      atoll_emit(&cs, seed);
   }
   uint64_t seq = atoll_cs_submit(&cs);
   assert_true(atoll_seq_wait(ws, seq, UINT64_MAX));
   atoll_cs_finish(&cs);
   copies(state);
}

static void
timeouts(void **state)
{
   assert_true(atoll_seq_wait(ws, 0, 0));
   struct atoll_cs cs;
   assert_true(atoll_cs_init(&cs, ws, ATOLL_RING_GFX));
   atoll_emit(&cs, PM4_TYPE2);
   uint64_t seq = atoll_cs_submit(&cs);
   assert_true(atoll_seq_wait(ws, seq, UINT64_C(10000000000)));
   assert_false(atoll_seq_done(ws, seq + 1));
   assert_true(atoll_winsys_timestamp(ws) <= atoll_winsys_timestamp(ws));
   atoll_cs_finish(&cs);
}

/* Private pages keep their bytes, and the device reads and writes them; a part of them begins
 * where it should and keeps them alive. */
static void
pages(void **state)
{
   unsigned char *memory =
      mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   assert_ptr_not_equal(memory, MAP_FAILED);
   for (unsigned b = 0; b < 16384; b++)
      memory[b] = (unsigned char)(b * 5);
   assert_null(atoll_bo_from_pages(ws, memory + 256, 4096));
   assert_null(atoll_bo_from_pages(ws, memory, 4000));
   assert_null(atoll_bo_from_pages(ws, NULL, 4096));
   struct atoll_bo *bo = atoll_bo_from_pages(ws, memory, 8192);
   assert_non_null(bo);
   for (unsigned b = 0; b < 16384; b++)
      assert_int_equal(memory[b], (unsigned char)(b * 5));

   assert_null(atoll_bo_part(bo, 8192 - 256, 512));
   struct atoll_bo *piece = atoll_bo_part(bo, 4096, 512);
   assert_non_null(piece);
   atoll_bo_unref(bo);
   struct atoll_bo *plain = atoll_bo_create(ws, 512, 256, 0);
   struct atoll_cs cs;
   assert_true(atoll_cs_init(&cs, ws, ATOLL_RING_GFX));
   emit_copy(&cs, plain, piece, 512);
   assert_true(atoll_seq_wait(ws, atoll_cs_submit(&cs), UINT64_MAX));
   assert_memory_equal(atoll_bo_map(plain), memory + 4096, 512);
   memset(atoll_bo_map(plain), 0xA5, 512);
   emit_copy(&cs, piece, plain, 512);
   assert_true(atoll_seq_wait(ws, atoll_cs_submit(&cs), UINT64_MAX));
   for (unsigned b = 0; b < 512; b++)
      assert_int_equal(memory[4096 + b], 0xA5);
   assert_int_equal(memory[4095], (unsigned char)(4095 * 5));
   assert_int_equal(memory[4608], (unsigned char)(4608 * 5));
   atoll_cs_finish(&cs);
   atoll_bo_unref(piece);
   atoll_bo_unref(plain);
   memory[4096] = 1; /* still the caller's */
   munmap(memory, 16384);
}

/* ---- Imports ---- */

enum { IMPORTERS = 4, IMPORTS = 3000, SHARED_BYTES = 65536 };

static int
sealed_file(void)
{
   int fd = memfd_create("other", MFD_CLOEXEC | MFD_ALLOW_SEALING);
   assert_true(fd >= 0);
   assert_int_equal(ftruncate(fd, SHARED_BYTES), 0);
   assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
   return fd;
}

static void *
import_often(void *data)
{
   const int fd = *(int *)data;
   for (unsigned i = 0; i < IMPORTS; i++) {
      struct atoll_bo *bo = atoll_bo_import_fd(ws, fd);
      assert_non_null(bo);
      assert_int_equal(bo->size, SHARED_BYTES);
      uint32_t *map = atoll_bo_map(bo);
      assert_non_null(map);
      __atomic_add_fetch(map, 1, __ATOMIC_RELAXED);
      if (i % 3 == 0) {
         atoll_bo_ref(bo);
         atoll_bo_unref(bo);
      }
      atoll_bo_unref(bo);
   }
   return NULL;
}

/* Threads that import one file while others let go of it: each has a BO that lives, and the last
 * one frees it, once. */
static void
imports_race(void **state)
{
   pthread_t threads[IMPORTERS];
   int fd = sealed_file();
   uint32_t count = 0;

   for (unsigned i = 0; i < IMPORTERS; i++)
      assert_int_equal(pthread_create(&threads[i], NULL, import_often, &fd), 0);
   for (unsigned i = 0; i < IMPORTERS; i++)
      pthread_join(threads[i], NULL);
   assert_int_equal(pread(fd, &count, sizeof(count), 0), sizeof(count));
   assert_int_equal(count, IMPORTERS * IMPORTS);
   close(fd);
}

static unsigned
count_descriptors(void)
{
   unsigned count = 0;
   for (int fd = 0; fd < 4096; fd++)
      count += fcntl(fd, F_GETFD) >= 0;
   return count;
}

/* A BO that was exported and imported here is one BO, by descriptor and by name; when it is freed,
 * its handle, memory and descriptor are. */
static void
imports_end(void **state)
{
   const unsigned before = count_descriptors();

   for (unsigned i = 0; i < 20; i++) {
      struct atoll_bo *bo = atoll_bo_create(ws, 65536, 4096, ATOLL_BO_NO_SUBALLOC);
      uint32_t name = 0;
      int fd = -1;
      assert_non_null(bo);
      assert_true(atoll_bo_export_fd(bo, &fd));
      assert_true(atoll_bo_export_name(bo, &name));
      for (unsigned n = 0; n < 3; n++) {
         struct atoll_bo *again = atoll_bo_import_fd(ws, fd);
         assert_ptr_equal(again, bo);
         atoll_bo_unref(again);
         again = atoll_bo_import_name(ws, name);
         assert_ptr_equal(again, bo);
         atoll_bo_unref(again);
      }
      close(fd);
      atoll_bo_unref(bo);
      assert_null(atoll_bo_import_name(ws, name));
   }
   assert_int_equal(count_descriptors(), before);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(empty_parts), cmocka_unit_test(copies),       cmocka_unit_test(parts),
      cmocka_unit_test(cache),       cmocka_unit_test(nonsense),     cmocka_unit_test(timeouts),
      cmocka_unit_test(pages),       cmocka_unit_test(imports_race), cmocka_unit_test(imports_end),
   };
   return cmocka_run_group_tests(tests, open_device, close_device);
}
