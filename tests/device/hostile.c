/* SPDX-License-Identifier: MIT */
/*
 * What one client may send without another noticing: counts near 2^32, buffers and indices that
 * reach around the address space, indirect buffers that name themselves, and streams that are
 * refused.  Each submission ends (ATOLL_BUDGET is low), says why, and the next one works.
 *
 * VS captures its R0: the vertex's index first.
 */
#include <errno.h>
#include <stdio.h>

#include "pipeline.h"

#define VS_AT   0x0000u
#define PS_AT   0x0800u
#define ARGS_AT 0x3200u
#define LIST_AT 0x3300u /* indices */

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
   streamout(d, ib, true, OUT_BYTES / 4, 0);
}

/* An ordinary draw gives what it should. */
static void
still_alive(struct door *d)
{
   struct ib ib = { 0 };

   state_of(d, &ib, DI_PT_POINTLIST);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
   draw(&ib, 100);
   door_run(d, &ib);
   for (uint32_t i = 0; i < 100; i++)
      assert_int_equal(d->mem[OUT_AT / 4 + i * 4], i);
   expect_end(d, 100);
}

/* Every vertex captured is one that was asked for, from `first` on. */
static void
expect_indices(const struct door *d, uint32_t first, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      assert_int_equal(d->mem[OUT_AT / 4 + i * 4], first + i);
}

static void
counts(void **state)
{
   static const uint32_t many[] = { 0x7fffffff, 0x80000000, 0xfffffffd, 0xffffffff };
   static const uint8_t prims[] = { DI_PT_POINTLIST, DI_PT_LINESTRIP, DI_PT_TRILIST,
                                    DI_PT_TRIFAN,    DI_PT_QUADSTRIP, DI_PT_RECTLIST };
   struct door d = door_begin();

   for (unsigned p = 0; p < sizeof(prims); p++) {
      for (unsigned n = 0; n < sizeof(many) / sizeof(many[0]); n++) {
         struct ib ib = { 0 };

         state_of(&d, &ib, prims[p]);
         IB_ADD(&ib, PM4_NUM_INSTANCES, n & 1 ? 1 : many[n]);
         draw(&ib, many[n]);
         door_run(&d, &ib);
         if (prims[p] == DI_PT_POINTLIST)
            expect_indices(&d, 0, OUT_BYTES / 16);
      }
   }
   assert_true(door_said("budget is exhausted"));
   still_alive(&d);
   door_end(&d);
}

/* Three vertices, but their instances are more than anyone can count. */
static void
instances(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   state_of(&d, &ib, DI_PT_TRILIST);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 0xffffffff);
   draw(&ib, 3);
   door_run(&d, &ib);
   for (uint32_t i = 0; i < OUT_BYTES / 16 / 3 * 3; i++)
      assert_int_equal(d.mem[OUT_AT / 4 + i * 4], i % 3);
   still_alive(&d);
   door_end(&d);
}

/* Indices from a list shorter than the count, and arguments from memory. */
static void
lists(void **state)
{
   const uint32_t args[] = { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff };
   struct door d = door_begin();
   struct ib ib = { 0 };

   state_of(&d, &ib, DI_PT_POINTLIST);
   for (uint32_t i = 0; i < 8; i++)
      d.mem[LIST_AT / 4 + i] = 0xfffffff8 + i;
   memcpy(d.mem + ARGS_AT / 4, args, sizeof(args));
   IB_ADD(&ib, PM4_INDEX_TYPE, VGT_INDEX_32);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
   context(&ib, R_VGT_INDX_OFFSET, 10);
   IB_ADD(&ib, PM4_DRAW_INDEX, (uint32_t)VA_BASE + LIST_AT, 0, 8, DI_SRC_SEL_DMA);
   door_run(&d, &ib);
   /* The sum has 32 bits. */
   expect_indices(&d, 2, 8);
   expect_end(&d, 8);

   ib.count = 0;
   state_of(&d, &ib, DI_PT_TRILIST);
   IB_ADD(&ib, PM4_DRAW_INDEX, (uint32_t)VA_BASE + LIST_AT, 0, 0xffffffff, DI_SRC_SEL_DMA);
   IB_ADD(&ib, PM4_DRAW_INDEX, 0xfffffffc, 0xff, 0xffffffff, DI_SRC_SEL_DMA);
   IB_ADD(&ib, PM4_INDEX_BASE, (uint32_t)VA_BASE + LIST_AT, 0);
   IB_ADD(&ib, PM4_INDEX_BUFFER_SIZE, 0xffffffff);
   IB_ADD(&ib, PM4_DRAW_INDEX_OFFSET, 0xfffffffe, 0xffffffff, DI_SRC_SEL_DMA);
   IB_ADD(&ib, PM4_DRAW_INDEX_2, 0xffffffff, (uint32_t)VA_BASE + LIST_AT, 0, 0xffffffff,
          DI_SRC_SEL_DMA);
   IB_ADD(&ib, PM4_SET_BASE, 1, (uint32_t)VA_BASE + ARGS_AT, 0);
   IB_ADD(&ib, PM4_DRAW_INDIRECT, 0, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_DRAW_INDEX_INDIRECT, 0, DI_SRC_SEL_DMA);
   IB_ADD(&ib, PM4_DRAW_INDIRECT, 0xfffffff0, DI_SRC_SEL_AUTO_INDEX);
   door_run(&d, &ib);
   still_alive(&d);
   door_end(&d);
}

/* Streamout that claims all of the address space writes what is mapped, and nothing of others. */
static void
endless_buffer(void **state)
{
   struct door d = door_begin();
   const uint32_t other = door_create(d.c, 4096);
   uint32_t *sentinel = door_map(d.c, other, 4096);
   struct ib ib = { 0 };

   memset(sentinel, 0x3c, 4096);
   for (unsigned n = 0; n < 3; n++) {
      ib.count = 0;
      state_of(&d, &ib, DI_PT_POINTLIST);
      context(&ib, R_VGT_STRMOUT_BUFFER_SIZE_0, 0xffffffff);
      if (n == 1)
         context(&ib, R_VGT_STRMOUT_BUFFER_BASE_0, 0xffffffff);
      if (n == 2) {
         context(&ib, R_VGT_STRMOUT_VTX_STRIDE_0, 0xffffffff);
         IB_ADD(&ib, PM4_STRMOUT_BUFFER_UPDATE, STRMOUT_OFFSET_SOURCE(STRMOUT_OFFSET_FROM_PACKET),
                0, 0, 0xfffffff0, 0);
      }
      IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
      draw(&ib, 20000);
      door_run(&d, &ib);
   }
   for (unsigned i = 0; i < 1024; i++)
      assert_int_equal(sentinel[i], 0x3c3c3c3c);
   munmap(sentinel, 4096);
   still_alive(&d);
   door_end(&d);
}

/* An indirect buffer that runs itself, and two that run each other, are not entered: streams may
 * not hold the packet, which only the kernel's ring does. */
static void
cyclic_buffers(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   const uint32_t call[] = { pm4_header(PM4_INDIRECT_BUFFER, 3, false), (uint32_t)VA_BASE + ARGS_AT,
                             0, 8 };

   memcpy(d.mem + ARGS_AT / 4, call, sizeof(call));
   memcpy(d.mem + ARGS_AT / 4 + 4, call, sizeof(call));
   d.mem[0] = 0;
   IB_ADD(&ib, PM4_INDIRECT_BUFFER, (uint32_t)VA_BASE + ARGS_AT, 0, 8);
   IB_ADD(&ib, PM4_MEM_WRITE, (uint32_t)VA_BASE, 1 << 18, 0x1234, 0);
   door_run(&d, &ib);
   assert_true(door_said("dword 0: INDIRECT_BUFFER"));
   assert_int_equal(d.mem[0], 0x1234);
   /* Without virtual memory the whole stream is refused. */
   assert_int_equal(door_submit_flags(d.c, ib.words, ib.count, RADEON_CS_RING_GFX, d.handle, 0),
                    -EINVAL);
   assert_true(door_said("CS refused at dword 0, INDIRECT_BUFFER (0xC0023200): "
                         "streams may not hold this packet"));
   door_end(&d);
}

static uint32_t
resets(struct door *d)
{
   uint32_t n;

   assert_int_equal(door_info(d->c, RADEON_INFO_GPU_RESET_COUNTER, &n), 0);
   return n;
}

/* What is wrong with one client's stream is that client's to learn: packet, dword and rule.  Its
 * next stream runs, and so do those of others, with what they had in flight. */
static void
errors_stay_apart(void **state)
{
   struct door good = door_begin(), bad = door_begin();
   struct ib fine = { 0 }, wrong = { 0 };
   const uint32_t before = resets(&good);

   IB_ADD(&wrong, PM4_SET_CONTEXT_REG, (R_CB_BLEND_RED - CAYMAN_CONTEXT_BASE) / 4, 0);
   IB_ADD(&wrong, PM4_MEM_WRITE, 64, 0, 0xbad, 0);
   for (uint32_t i = 1; i <= 50; i++) {
      fine.count = 0;
      IB_ADD(&fine, PM4_MEM_WRITE, (uint32_t)VA_BASE + 4 * i, 1 << 18, i, 0);
      assert_int_equal(door_submit(good.c, fine.words, fine.count, RADEON_CS_RING_GFX, good.handle),
                       0);
      /* No relocation follows. */
      assert_int_equal(
         door_submit_flags(bad.c, wrong.words, wrong.count, RADEON_CS_RING_GFX, bad.handle, 0),
         -EINVAL);
   }
   assert_true(door_said(", MEM_WRITE (0xC0033D00): "));
   assert_true(door_said("CS refused at dword 3"));
   assert_true(door_said("no relocation"));
   door_wait(good.c, good.handle);
   for (uint32_t i = 1; i <= 50; i++)
      assert_int_equal(good.mem[i], i);
   assert_int_equal(bad.mem[16], 0);
   /* A refusal is no fault of the GPU. */
   assert_int_equal(resets(&good), before);
   still_alive(&bad);
   still_alive(&good);
   door_end(&bad);
   still_alive(&good);
   door_end(&good);
}

/* A client with programs that never end, beside one with programs that do; each in its own
 * address space. A submission with a fault is a reset, by which drivers know that what they drew
 * is lost; one without is none. */
static void
endless_neighbour(void **state)
{
   struct door good = door_begin(), bad = door_begin();
   const uint32_t before = resets(&good);
   struct ib ib = { 0 };

   state_of(&bad, &ib, DI_PT_POINTLIST);
   asm_init(&a);
   const unsigned loop = asm_branch(&a, CAYMAN_CF_LOOP_START_DX10, 2, 0);

   asm_branch(&a, CAYMAN_CF_LOOP_END, loop + 1, 0);
   place(&bad, VS_AT);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 1);
   draw(&ib, 1);
   assert_int_equal(door_submit(bad.c, ib.words, ib.count, RADEON_CS_RING_GFX, bad.handle), 0);
   still_alive(&good);
   assert_true(door_said("cycle budget exhausted"));
   door_wait(bad.c, bad.handle);
   assert_int_equal(resets(&good), before + 1);
   still_alive(&bad);
   still_alive(&good);
   assert_int_equal(resets(&bad), before + 1);
   door_end(&bad);
   door_end(&good);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts),
      cmocka_unit_test(instances),
      cmocka_unit_test(lists),
      cmocka_unit_test(endless_buffer),
      cmocka_unit_test(cyclic_buffers),
      cmocka_unit_test(errors_stay_apart),
      cmocka_unit_test(endless_neighbour),
   };

   return cmocka_run_group_tests_name("hostile", tests, NULL, NULL);
}
