/* SPDX-License-Identifier: MIT */
/*
 * What one submission may take (ATOLL_BUDGET, here part of a second): work that no wave does ends
 * as well, whatever it is; which client's fault it was is told; and programs that come to nothing
 * are not kept.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "pipeline.h"
#include "../sanitizers.h"

/* Until the device is done with what takes minutes, on a busy machine, too. */
#define MOST_SECONDS 8.0
#define LARGE        (UINT32_C(32) << 20)
#define LARGE_VA     (VA_BASE + (UINT64_C(1) << 28))
#define IB_WORDS     65536u
#define LIST_AT      0x3300u
#define VS_AT        0x0000u
#define PS_AT        0x0800u

static uint32_t words[IB_WORDS], num_words;

static double
now(void)
{
   struct timespec t;

   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint32_t
large(struct door *d)
{
   const uint32_t handle = door_create(d->c, LARGE);

   assert_int_equal(door_va(d->c, handle, RADEON_VA_MAP, LARGE_VA, NULL), 0);
   return handle;
}

/* The stream is ended, as context 7's fault and not context 8's; the next one runs. */
static void
ends(struct door *d, uint32_t ring, const uint32_t *stream, uint32_t count)
{
   const uint32_t before = door_guilt(d, 7).count;
   const double start = now();
   struct ib ib = { 0 };

   door_submit_context(d, ring, 7, stream, count);
   door_wait(d->c, d->handle);
   assert_true(now() - start < MOST_SECONDS);
   assert_int_equal(door_guilt(d, 7).count, before + 1);
   assert_non_null(strstr(door_guilt(d, 7).text, "time of the submission is used up"));
   assert_int_equal(door_guilt(d, 8).count, 0);
   assert_true(door_said("time of the submission is used up"));
   d->mem[1] = 0;
   IB_ADD(&ib, PM4_MEM_WRITE, (uint32_t)VA_BASE + 4, 1 << 18, 0x1234, 0);
   door_submit_context(d, RADEON_CS_RING_GFX, 8, ib.words, ib.count);
   door_wait(d->c, d->handle);
   assert_int_equal(d->mem[1], 0x1234);
   assert_int_equal(door_guilt(d, 8).count, 0);
}

static void
add(uint32_t word)
{
   words[num_words++] = word;
}

static void
dma_copies(void **state)
{
   struct door d = door_begin();
   const uint32_t handle = large(&d);

   for (num_words = 0; num_words + 5 <= IB_WORDS;) {
      add(dma_header(DMA_COPY, DMA_COPY_DWORD_ALIGNED, 0xfffff));
      add((uint32_t)LARGE_VA + (LARGE / 2));
      add((uint32_t)LARGE_VA);
      add(0);
      add(0);
   }
   ends(&d, RADEON_CS_RING_DMA, words, num_words);
   for (num_words = 0; num_words + 4 <= IB_WORDS;) {
      add(dma_header(DMA_CONSTANT_FILL, 0, 0xfffff));
      add((uint32_t)LARGE_VA);
      add(num_words);
      add(0);
   }
   ends(&d, RADEON_CS_RING_DMA, words, num_words);
   door_close(d.c, handle);
   door_end(&d);
}

static void
cp_copies(void **state)
{
   struct door d = door_begin();
   const uint32_t handle = large(&d);

   for (unsigned fills = 0; fills < 2; fills++) {
      for (num_words = 0; num_words + 6 <= IB_WORDS;) {
         add(pm4_header(PM4_CP_DMA, 5, false));
         add(fills ? num_words : (uint32_t)LARGE_VA);
         add(fills ? (uint32_t)CP_DMA_SRC_DATA << 29 : 0);
         add((uint32_t)LARGE_VA + LARGE / 2);
         add(0);
         add(CP_DMA_MAX_BYTES & ~3u);
      }
      ends(&d, RADEON_CS_RING_GFX, words, num_words);
   }
   door_close(d.c, handle);
   door_end(&d);
}

static void
state_of(struct door *d, struct ib *ib, unsigned prim)
{
   asm_init(&a);
   capture(0);
   place(d, VS_AT);
   place(d, PS_AT);
   program(ib, R_SQ_PGM_START_VS, R_SQ_PGM_RESOURCES_VS, VS_AT);
   program(ib, R_SQ_PGM_START_PS, R_SQ_PGM_RESOURCES_PS, PS_AT);
   context(ib, R_VGT_SHADER_STAGES_EN, 0);
   context(ib, R_VGT_INDX_OFFSET, 0);
   config(ib, R_VGT_PRIMITIVE_TYPE, prim);
   streamout(d, ib, false, OUT_BYTES / 4, 0);
}

static void
instances(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   state_of(&d, &ib, DI_PT_TRILIST);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 0xffffffff);
   draw(&ib, 0xffffffff);
   ends(&d, RADEON_CS_RING_GFX, ib.words, ib.count);
   door_end(&d);
}

/* Segments are found for any count: beyond memory all indices are 0. */
static void
restarts(void **state)
{
   static const uint32_t counts[] = { 0x10000000, 0x7fffffff, 0xfffffffe, 0xffffffff };
   struct door d = door_begin();

   for (unsigned zeros = 0; zeros < 2; zeros++) {
      for (unsigned n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
         struct ib ib = { 0 };
         double start;

         state_of(&d, &ib, DI_PT_TRISTRIP);
         for (uint32_t i = 0; i < 8; i++)
            d.mem[LIST_AT / 4 + i] = i % 4 == 3 ? 0xffffffff : i;
         IB_ADD(&ib, PM4_INDEX_TYPE, VGT_INDEX_32);
         IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
         context(&ib, R_VGT_MULTI_PRIM_IB_RESET_EN, 1);
         context(&ib, R_VGT_MULTI_PRIM_IB_RESET_INDX, zeros ? 0 : 0xffffffff);
         stats(&ib, QUERY_AT);
         IB_ADD(&ib, PM4_DRAW_INDEX_2, 8, (uint32_t)VA_BASE + LIST_AT, 0, counts[n],
                DI_SRC_SEL_DMA);
         stats(&ib, QUERY_AT + 16);
         start = now();
         door_run(&d, &ib);
         assert_true(now() - start < MOST_SECONDS);
         /* Primitives: of 3 and 3 indices, and of all beyond the list but the first two. */
         const uint64_t *sampled = (const uint64_t *)(const void *)(d.mem + QUERY_AT / 4);
         const uint64_t needed = sampled[2] - sampled[0];

         /* With 0: 7 are left between, of which no restart cuts any. */
         assert_int_equal(needed, zeros ? 5 : UINT64_C(2) + counts[n] - 8 - 2);
      }
   }
   door_end(&d);
}

static long
resident(void)
{
   long size, pages = 0;
   FILE *file = fopen("/proc/self/statm", "r");

   assert_non_null(file);
   assert_int_equal(fscanf(file, "%ld %ld", &size, &pages), 2);
   fclose(file);
   return pages * sysconf(_SC_PAGESIZE);
}

/* Programs without an end cannot be lifted, and are long to look at. */
static void
endless_programs(void **state)
{
   struct door d = door_begin();
   const uint32_t handle = large(&d);
   uint32_t *code = door_map(d.c, handle, LARGE);
   long before = 0;

   for (uint32_t n = 0; n < LARGE / 8; n++) {
      code[2 * n] = 0;
      code[2 * n + 1] = 0x80000000u; /* NOP */
   }
   for (unsigned draws = 0; draws < 2; draws++) {
      for (unsigned n = 0; n < 60; n++) {
         const uint32_t at = (uint32_t)(LARGE_VA >> 8) + n;
         struct ib ib = { 0 };

         if (draws) {
            state_of(&d, &ib, DI_PT_TRILIST);
            context(&ib, R_SQ_PGM_START_VS, at);
            IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
            draw(&ib, 3);
         } else {
            for (unsigned c = 0; c < 3; c++)
               context(&ib, R_SPI_COMPUTE_NUM_THREAD_X + 4 * c, 1);
            context(&ib, R_SQ_PGM_START_LS, at);
            context(&ib, R_SQ_PGM_RESOURCES_LS, 4);
            IB_ADD(&ib, PM4_DISPATCH_DIRECT, 1, 1, 1, 1);
         }
         door_run(&d, &ib);
         if (n == 10)
            before = resident();
      }
      assert_true(door_said(draws ? "draw dropped" : "dispatch dropped"));
      if (!SANITIZER_ADDRESS && !SANITIZER_THREAD)
         assert_true(resident() - before < (INT64_C(64) << 20));
   }
   munmap(code, LARGE);
   door_close(d.c, handle);
   door_end(&d);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(dma_copies), cmocka_unit_test(cp_copies),        cmocka_unit_test(instances),
      cmocka_unit_test(restarts),   cmocka_unit_test(endless_programs),
   };

   return cmocka_run_group_tests_name("time", tests, NULL, NULL);
}
