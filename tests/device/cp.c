/* SPDX-License-Identifier: MIT */
/* The command processor's packets and the DMA ring's, seen from the front door. */
#include <stdio.h>

#include "door.h"
#include "pipe_stub.h"

#define VALID (UINT64_C(1) << 63)

static uint64_t
mem64(const struct door *d, unsigned byte)
{
   uint64_t v;

   memcpy(&v, (const char *)d->mem + byte, 8);
   return v;
}

static void
draws(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   const struct cayman_draw *draw = pipe_stub.draws;

   pipe_stub.num_draws = 0;
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, (R_VGT_INDX_OFFSET - CAYMAN_CONTEXT_BASE) / 4, 7);
   IB_ADD(&ib, PM4_NUM_INSTANCES, 5);
   IB_ADD(&ib, PM4_INDEX_TYPE, VGT_INDEX_32);
   IB_ADD(&ib, PM4_DRAW_INDEX, VA_BASE, 1, 36, DI_SRC_SEL_DMA);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 17, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_INDEX_TYPE, VGT_INDEX_16);
   IB_ADD(&ib, PM4_DRAW_INDEX_IMMD, 3, DI_SRC_SEL_IMMEDIATE, 0x00020001, 0x00000003);
   IB_ADD(&ib, PM4_DRAW_INDEX_IMMD, 300, DI_SRC_SEL_IMMEDIATE, 0x00020001);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 0, DI_SRC_SEL_AUTO_INDEX);
   door_run(&d, &ib);
   assert_int_equal(pipe_stub.num_draws, 4);
   assert_true(draw[0].indexed);
   assert_int_equal(draw[0].index_bytes, 4);
   assert_int_equal(draw[0].index_va, VA_BASE | UINT64_C(1) << 32);
   assert_int_equal(draw[0].index_max, 36);
   assert_int_equal(draw[0].count, 36);
   assert_int_equal(draw[0].instances, 5);
   assert_int_equal(reg(draw[0].regs, R_VGT_INDX_OFFSET), 7);
   assert_false(draw[1].indexed);
   assert_int_equal(draw[1].count, 17);
   assert_int_equal(draw[2].index_bytes, 2);
   assert_int_equal(draw[2].count, 3);
   assert_int_equal(pipe_stub.immediate[2][0], 0x00020001);
   assert_int_equal(pipe_stub.immediate[2][1], 3);
   assert_int_equal(draw[3].count, 2); /* the packet held two */
   assert_true(door_said("300 indices"));
   door_end(&d);
}

/* Draws with ranges in the packet: of the index buffer, and of numbers. */
static void
draw_ranges(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   const struct cayman_draw *draw = pipe_stub.draws;
   const uint32_t prim_type = (R_VGT_PRIMITIVE_TYPE - CAYMAN_CONFIG_BASE) / 4;
   const uint32_t lines = 100u | 2u << 16 | 8u << 21, triangles = 200u | 4u << 16 | 9u << 21;

   pipe_stub.num_draws = 0;
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, (R_VGT_INDX_OFFSET - CAYMAN_CONTEXT_BASE) / 4, 7);
   IB_ADD(&ib, PM4_SET_CONFIG_REG, prim_type, 1);
   IB_ADD(&ib, PM4_INDEX_TYPE, VGT_INDEX_32);
   IB_ADD(&ib, PM4_INDEX_BASE, VA_BASE, 0);
   IB_ADD(&ib, PM4_INDEX_BUFFER_SIZE, 5);
   IB_ADD(&ib, PM4_DRAW_INDEX_OFFSET_2, 50, 10, 12, DI_SRC_SEL_DMA);
   IB_ADD(&ib, PM4_DRAW_INDEX_MULTI_AUTO, 1, DI_SRC_SEL_AUTO_INDEX, lines);
   IB_ADD(&ib, PM4_DRAW_INDEX_MULTI_AUTO, 2, DI_SRC_SEL_AUTO_INDEX, lines, triangles);
   IB_ADD(&ib, PM4_DRAW_INDEX_MULTI_AUTO, 3, DI_SRC_SEL_AUTO_INDEX, triangles);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 17, DI_SRC_SEL_AUTO_INDEX);
   door_run(&d, &ib);
   assert_int_equal(pipe_stub.num_draws, 6);
   assert_true(draw[0].indexed);
   assert_int_equal(draw[0].index_va, VA_BASE + 10 * 4);
   assert_int_equal(draw[0].index_max, 40);
   assert_int_equal(draw[0].count, 12);
   for (unsigned i = 1; i < 5; i++) {
      const bool second = i == 3 || i == 4;

      assert_false(draw[i].indexed);
      assert_int_equal(draw[i].count, second ? 9 : 8);
      assert_int_equal(pipe_stub.prim_type[i], second ? 4 : 2);
      assert_int_equal(pipe_stub.index_offset[i], 7 + (second ? 200 : 100));
   }
   assert_true(door_said("3 groups of primitives, the packet holds 1"));
   /* The registers are what they were. */
   assert_int_equal(pipe_stub.prim_type[5], 1);
   assert_int_equal(pipe_stub.index_offset[5], 7);
   door_end(&d);
}

/* Loop and boolean constants reach the draw, those of packets with the compute bit the dispatch. */
static void
constants(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   pipe_stub.num_draws = pipe_stub.num_dispatches = 0;
   IB_ADD(&ib, PM4_SET_BOOL_CONST, 1, 0x12345678, 5);
   IB_ADD(&ib, PM4_SET_LOOP_CONST, 191, 77);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_SET_BOOL_CONST, 1, 0x12345678, 5);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_SET_BOOL_CONST, 2, 4);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_SET_BOOL_CONST, 6, 4);
   IB_ADD(&ib, PM4_SET_BOOL_CONST, 5, 9);
   ib.words[ib.count - 3] |= PM4_COMPUTE_BIT;
   IB_ADD(&ib, PM4_DISPATCH_DIRECT, 1, 1, 1, 1);
   ib.words[ib.count - 5] |= PM4_COMPUTE_BIT;
   door_run(&d, &ib);
   assert_int_equal(pipe_stub.num_draws, 3);
   assert_int_equal(pipe_stub.draws[0].regs->bools[1], 0x12345678);
   assert_int_equal(pipe_stub.draws[0].regs->bools[2], 4);
   assert_int_equal(pipe_stub.draws[0].regs->bools[5], 0);
   assert_int_equal(pipe_stub.draws[0].regs->loop[191], 77);
   assert_int_equal(pipe_stub.dirty[1], 0);
   assert_int_equal(pipe_stub.dirty[2], REGS_DIRTY_OTHER);
   assert_true(door_said("sets registers 6..6 of 6"));
   assert_int_equal(pipe_stub.num_dispatches, 1);
   assert_int_equal(pipe_stub.dispatches[0].regs->bools[5], 9);
   assert_int_equal(pipe_stub.dispatches[0].regs->bools[1], 0);
   door_end(&d);
}

/* COND_WRITE writes where what it compares is as asked; COND_EXEC leaves packets out. */
static void
conditions(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   const uint32_t offset = R_VGT_INDX_OFFSET / 4;
   const uint32_t from_memory = COND_WRITE_POLL_MEMORY, to_memory = COND_WRITE_MEMORY;

   pipe_stub.num_draws = 0;
   d.mem[0] = 0x1234;
   for (unsigned i = 1; i < 8; i++)
      d.mem[i] = 0;
   IB_ADD(&ib, PM4_COND_WRITE, from_memory | to_memory | WAIT_EQUAL, VA_BASE, 0, 0x34, 0xff,
          VA_BASE + 4, 0, 11);
   IB_ADD(&ib, PM4_COND_WRITE, from_memory | to_memory | WAIT_EQUAL, VA_BASE, 0, 0x34, 0xfff,
          VA_BASE + 8, 0, 12);
   IB_ADD(&ib, PM4_COND_WRITE, from_memory | WAIT_GREATER, VA_BASE, 0, 0x1233, ~0u, offset, 0, 13);
   IB_ADD(&ib, PM4_COND_WRITE, to_memory | WAIT_LEQUAL, offset, 0, 13, ~0u, VA_BASE + 12, 0, 14);
   IB_ADD(&ib, PM4_COND_WRITE, to_memory | WAIT_ALWAYS, 0xffff, 0, 0, 0, VA_BASE + 16, 0, 15);
   IB_ADD(&ib, PM4_COND_WRITE, from_memory | WAIT_ALWAYS, VA_BASE, 0, 0, 0, 0xffff, 0, 15);
   /* Zero: two packets of five dwords are left out; not zero: none is. */
   IB_ADD(&ib, PM4_COND_EXEC, VA_BASE + 20, 0, 10);
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE + 24, 1 << 18, 1, 0);
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE + 24, 1 << 18, 2, 0);
   IB_ADD(&ib, PM4_COND_EXEC, VA_BASE, 0, 5);
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE + 28, 1 << 18, 3, 0);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   /* As many as there are not. */
   IB_ADD(&ib, PM4_COND_EXEC, VA_BASE + 20, 0, 0x3fff);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   door_run(&d, &ib);
   assert_int_equal(d.mem[1], 11);
   assert_int_equal(d.mem[2], 0);
   assert_int_equal(d.mem[3], 14);
   assert_int_equal(d.mem[4], 0);
   assert_int_equal(d.mem[6], 0);
   assert_int_equal(d.mem[7], 3);
   assert_true(door_said("reads register 0x3FFFC"));
   assert_true(door_said("writes register 0x3FFFC"));
   assert_int_equal(pipe_stub.num_draws, 1);
   assert_int_equal(pipe_stub.index_offset[0], 13);
   /* The next stream begins at its first packet. */
   ib.count = 0;
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   door_run(&d, &ib);
   assert_int_equal(pipe_stub.num_draws, 2);
   door_end(&d);
}

/* What a draw has to decode anew: nothing for values that were there, constants alone for where
 * they are, and nothing for the base vertex, which each draw reads. */
static void
dirty_groups(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   const uint32_t constants = (R_ALU_CONST_CACHE_VS_0 - CAYMAN_CONTEXT_BASE) / 4;
   const uint32_t sizes = (R_ALU_CONST_BUFFER_SIZE_LS_0 - CAYMAN_CONTEXT_BASE) / 4;
   const uint32_t mask = (R_CB_TARGET_MASK - CAYMAN_CONTEXT_BASE) / 4;
   const uint32_t expected[] = {
      REGS_DIRTY_ALL,
      REGS_DIRTY_CONSTANTS,
      REGS_DIRTY_CONSTANTS,
      REGS_DIRTY_CONTEXT,
      0,
      REGS_DIRTY_CONTEXT,
      REGS_DIRTY_RESOURCE,
      0,
   };

   pipe_stub.num_draws = 0;
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, constants + 15, 5);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, sizes, 1, 2, 3);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, mask, 15);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, mask, 15);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   /* One that is none follows the last. */
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, sizes + 15, 1, 2);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_SET_RESOURCE, 8, 1);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, (R_VGT_INDX_OFFSET - CAYMAN_CONTEXT_BASE) / 4, 5);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   door_run(&d, &ib);
   assert_int_equal(pipe_stub.num_draws, 8);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(pipe_stub.dirty[i], expected[i]);

   /* The next stream finds the registers as this one left them; those of another client are new. */
   struct door other = door_begin();

   ib.count = 0;
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, mask, 15);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   door_run(&d, &ib);
   door_run(&other, &ib);
   assert_int_equal(pipe_stub.num_draws, 10);
   assert_int_equal(pipe_stub.dirty[8], 0);
   assert_int_equal(pipe_stub.dirty[9], REGS_DIRTY_ALL);
   door_end(&other);
   door_end(&d);
}

/* Where the config registers end, for writes, reads and the packet's range. */
static void
config_registers(void **state)
{
   const uint32_t last = CAYMAN_CONFIG_END - 4;
   struct door d = door_begin();
   struct ib ib = { 0 };

   d.mem[0] = d.mem[1] = 77;
   assert_int_equal(CAYMAN_CONFIG_END, 0xac00); /* EVERGREEN_CONFIG_REG_END of stock r600 */
   IB_ADD(&ib, PM4_SET_CONFIG_REG, (last - CAYMAN_CONFIG_BASE) / 4, 5);
   IB_ADD(&ib, PM4_COPY_DW, COPY_DW_DST_MEM, last / 4, 0, VA_BASE, 0);
   IB_ADD(&ib, PM4_COPY_DW, COPY_DW_DST_MEM, CAYMAN_CONFIG_END / 4, 0, VA_BASE + 4, 0);
   door_run(&d, &ib);
   assert_int_equal(d.mem[0], 5);
   assert_int_equal(d.mem[1], 77);
   assert_false(door_said("beyond 0xAC00"));
   ib.count = 0;
   IB_ADD(&ib, PM4_SET_CONFIG_REG, (last - CAYMAN_CONFIG_BASE) / 4, 6, 7);
   IB_ADD(&ib, PM4_COPY_DW, COPY_DW_DST_MEM, last / 4, 0, VA_BASE, 0);
   door_run(&d, &ib);
   assert_int_equal(d.mem[0], 6);
   assert_true(door_said("beyond 0xAC00"));
   door_end(&d);
}

static void
indirect_draws(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   const uint32_t args[] = { 30, 2, 6, 100, 9 };
   const struct cayman_draw *draw = pipe_stub.draws;

   pipe_stub.num_draws = 0;
   memcpy(d.mem + 4, args, sizeof(args));
   IB_ADD(&ib, PM4_SET_BASE, 1, VA_BASE, 0);
   IB_ADD(&ib, PM4_INDEX_TYPE, VGT_INDEX_16);
   IB_ADD(&ib, PM4_INDEX_BASE, VA_BASE + 4096, 0);
   IB_ADD(&ib, PM4_INDEX_BUFFER_SIZE, 50);
   IB_ADD(&ib, PM4_DRAW_INDEX_INDIRECT, 16, DI_SRC_SEL_DMA);
   IB_ADD(&ib, PM4_DRAW_INDIRECT, 16, DI_SRC_SEL_AUTO_INDEX);
   IB_ADD(&ib, PM4_DRAW_INDIRECT, DOOR_BYTES - 8, DI_SRC_SEL_AUTO_INDEX);
   door_run(&d, &ib);
   assert_int_equal(pipe_stub.num_draws, 2);
   assert_int_equal(draw[0].count, 30);
   assert_int_equal(draw[0].instances, 2);
   assert_int_equal(draw[0].index_va, VA_BASE + 4096 + 12);
   assert_int_equal(draw[0].index_max, 44);
   assert_int_equal(draw[1].count, 30);
   /* First vertex and first instance of the non-indexed form are dwords 2 and 3. */
   assert_int_equal(draw[1].regs->ctl[0], 6);
   assert_int_equal(draw[1].regs->ctl[1], 100);
   assert_true(door_said("arguments at"));
   door_end(&d);
}

static void
opaque_draw(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   pipe_stub.num_draws = 0;
   d.mem[3] = 60;
   IB_ADD(&ib, PM4_SET_CONTEXT_REG,
          (R_VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE - CAYMAN_CONTEXT_BASE) / 4, 5);
   IB_ADD(&ib, PM4_COPY_DW, COPY_DW_SRC_MEM, VA_BASE + 12, 0,
          R_VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE / 4, 0);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 0,
          DI_SRC_SEL_AUTO_INDEX | REG_FIELD(VGT_DRAW_INITIATOR, USE_OPAQUE, 1));
   door_run(&d, &ib);
   assert_int_equal(pipe_stub.num_draws, 1);
   assert_int_equal(pipe_stub.draws[0].count, 12);
   door_end(&d);
}

static void
queries(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   const uint8_t stats[11] = { 1, 2, 3, 4, 0, 0, 5, 6, 0, 0, 0 };

   pipe_stub.counters = (struct gfx_counters){ .samples_passed = 1000,
                                               .ps_invocations = 1,
                                               .clip_primitives = 2,
                                               .clip_invocations = 3,
                                               .vs_invocations = 4,
                                               .ia_primitives = 5,
                                               .ia_vertices = 6,
                                               .stream_needed = { 0, 70 },
                                               .stream_written = { 0, 60 } };
   IB_ADD(&ib, PM4_EVENT_WRITE, pm4_event(EVENT_ZPASS_DONE, EVENT_INDEX_ZPASS_DONE), VA_BASE + 8,
          0);
   IB_ADD(&ib, PM4_EVENT_WRITE,
          pm4_event(EVENT_SAMPLE_STREAMOUTSTATS1, EVENT_INDEX_SAMPLE_STREAMOUTSTATS), VA_BASE + 512,
          0);
   IB_ADD(&ib, PM4_EVENT_WRITE,
          pm4_event(EVENT_SAMPLE_PIPELINESTAT, EVENT_INDEX_SAMPLE_PIPELINESTAT), VA_BASE + 1024, 0);
   IB_ADD(&ib, PM4_EVENT_WRITE_EOP, pm4_event(EVENT_BOTTOM_OF_PIPE_TS, EVENT_INDEX_TS),
          VA_BASE + 2048, EOP_DATA_SEL(EOP_DATA_VALUE_32), 0x80000000, 0x55);
   IB_ADD(&ib, PM4_EVENT_WRITE_EOP, pm4_event(EVENT_BOTTOM_OF_PIPE_TS, EVENT_INDEX_TS),
          VA_BASE + 2056, EOP_DATA_SEL(EOP_DATA_TIMESTAMP), 0, 0);
   IB_ADD(&ib, PM4_EVENT_WRITE, pm4_event(EVENT_ZPASS_DONE, EVENT_INDEX_ZPASS_DONE));
   door_run(&d, &ib);
   assert_int_equal(mem64(&d, 8), VALID | 1000);
   for (unsigned rb = 1; rb < 8; rb++)
      assert_int_equal(mem64(&d, 8 + 16 * rb), VALID);
   assert_int_equal(mem64(&d, 0), 0);
   assert_int_equal(mem64(&d, 512), VALID | 70);
   assert_int_equal(mem64(&d, 520), VALID | 60);
   for (unsigned i = 0; i < 11; i++)
      assert_int_equal(mem64(&d, 1024 + 8 * i), stats[i]);
   assert_int_equal(mem64(&d, 2048), 0x80000000);
   assert_int_not_equal(mem64(&d, 2056), 0);
   assert_true(door_said("has no address"));
   door_end(&d);
}

/* Draws with the predicate bit: one per case, in order. */
static unsigned
predicated(const struct door *d, uint32_t control)
{
   struct ib ib = { 0 };

   pipe_stub.num_draws = 0;
   IB_ADD(&ib, PM4_SET_PREDICATION, VA_BASE, control);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   ib.words[ib.count - 3] |= 1;
   door_run((struct door *)d, &ib);
   return pipe_stub.num_draws;
}

static void
predication(void **state)
{
   struct door d = door_begin();
   uint64_t slots[16];
   const uint32_t zpass = PREDICATION_OP(PREDICATION_ZPASS);
   const uint32_t overflow = PREDICATION_OP(PREDICATION_PRIMCOUNT);
   struct ib ib = { 0 };

   for (unsigned i = 0; i < 16; i++)
      slots[i] = VALID | 5;
   memcpy(d.mem, slots, sizeof(slots));
   assert_int_equal(predicated(&d, zpass | PREDICATION_DRAW_VISIBLE), 0);
   assert_int_equal(predicated(&d, zpass), 1);
   slots[7] = VALID | 6;
   memcpy(d.mem, slots, sizeof(slots));
   assert_int_equal(predicated(&d, zpass | PREDICATION_DRAW_VISIBLE), 1);
   assert_int_equal(predicated(&d, zpass), 0);
   slots[3] = 0; /* not available: draw */
   memcpy(d.mem, slots, sizeof(slots));
   assert_int_equal(predicated(&d, zpass), 1);
   memcpy(d.mem, (uint64_t[]){ VALID | 1, VALID | 1, VALID | 4, VALID | 4 }, 32);
   assert_int_equal(predicated(&d, overflow | PREDICATION_DRAW_VISIBLE), 1);
   memcpy(d.mem, (uint64_t[]){ VALID | 1, VALID | 1, VALID | 4, VALID | 3 }, 32);
   assert_int_equal(predicated(&d, overflow | PREDICATION_DRAW_VISIBLE), 0);
   assert_int_equal(predicated(&d, overflow), 1);
   assert_int_equal(predicated(&d, PREDICATION_OP(PREDICATION_CLEAR)), 1);
   /* A chain: the second has nothing, the first had a sample. */
   for (unsigned i = 0; i < 16; i++)
      slots[i] = VALID | 5;
   memcpy((char *)d.mem + 256, slots, sizeof(slots));
   slots[1]++;
   memcpy(d.mem, slots, sizeof(slots));
   pipe_stub.num_draws = 0;
   IB_ADD(&ib, PM4_SET_PREDICATION, VA_BASE, zpass | PREDICATION_DRAW_VISIBLE);
   IB_ADD(&ib, PM4_SET_PREDICATION, VA_BASE + 256,
          zpass | PREDICATION_DRAW_VISIBLE | PREDICATION_CONTINUE);
   IB_ADD(&ib, PM4_DRAW_INDEX_AUTO, 3, DI_SRC_SEL_AUTO_INDEX);
   ib.words[ib.count - 3] |= 1;
   IB_ADD(&ib, PM4_SET_PREDICATION, 0, 0);
   door_run(&d, &ib);
   assert_int_equal(pipe_stub.num_draws, 1);
   door_end(&d);
}

static void
transfers(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   for (unsigned i = 0; i < 64; i++)
      d.mem[i] = i + 1;
   IB_ADD(&ib, PM4_CP_DMA, VA_BASE, CP_DMA_SYNC, VA_BASE + 1024, 0, 256);
   IB_ADD(&ib, PM4_CP_DMA, 0xabcd1234, CP_DMA_SRC_SEL(CP_DMA_SRC_DATA), VA_BASE + 2048, 0, 64);
   /* memory -> GDS -> memory */
   IB_ADD(&ib, PM4_CP_DMA, VA_BASE + 4, CP_DMA_DST_SEL(CP_DMA_DST_GDS), 8, 0, 8);
   IB_ADD(&ib, PM4_EVENT_WRITE_EOS, pm4_event(EVENT_PS_DONE, EVENT_INDEX_EOS), VA_BASE + 3072,
          (uint32_t)EOS_GDS_TO_MEM << 29, 2 | 2 << 16);
   IB_ADD(&ib, PM4_EVENT_WRITE_EOS, pm4_event(EVENT_PS_DONE, EVENT_INDEX_EOS), VA_BASE + 3080,
          (uint32_t)EOS_VALUE_32 << 29, 909);
   IB_ADD(&ib, PM4_WAIT_REG_MEM, WAIT_EQUAL | WAIT_REG_MEM_MEMORY, VA_BASE + 3080, 0, 909,
          0xffffffff, 4);
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE + 4096, 0, 1, 2);
   /* Beyond GDS, and to nowhere. */
   IB_ADD(&ib, PM4_CP_DMA, VA_BASE, CP_DMA_DST_SEL(CP_DMA_DST_GDS), 65532, 0, 8);
   IB_ADD(&ib, PM4_CP_DMA, VA_BASE, 0, VA_BASE + DOOR_BYTES - 128, 0, 256);
   door_run(&d, &ib);
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(d.mem[256 + i], i + 1);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(d.mem[512 + i], 0xabcd1234);
   assert_int_equal(d.mem[528], 0);
   assert_int_equal(d.mem[768], 2);
   assert_int_equal(d.mem[769], 3);
   assert_int_equal(d.mem[770], 909);
   assert_int_equal(d.mem[1024], 1);
   assert_int_equal(d.mem[1025], 2);
   assert_int_equal(d.mem[DOOR_BYTES / 4 - 1], 32);
   assert_true(door_said("beyond GDS"));
   assert_true(door_said("128 of them mapped"));
   door_end(&d);
}

/* Byte i of the memory that is copied from. */
static uint8_t
pattern(unsigned i)
{
   return (uint8_t)(i * 7 + i / 256);
}

/* One packet for each of `count` rows. */
static void
add_rows(struct ib *ib, unsigned from, unsigned from_step, unsigned to, unsigned to_step,
         unsigned bytes, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      IB_ADD(ib, PM4_CP_DMA, VA_BASE + from + i * from_step, CP_DMA_SYNC,
             VA_BASE + to + i * to_step, 0, bytes);
}

/* Rows are copied as if each packet were alone: whatever follows, and where rows overlap. */
static void
rows(void **state)
{
   static const struct {
      unsigned from, from_step, to, to_step, bytes, count;
   } cases[] = {
      { 0, 64, 0x2000, 96, 48, 1 },
      { 0, 64, 0x2000, 96, 48, 2 },
      { 3, 77, 0x2001, 101, 33, 40 },
      { 0, 16, 0x2000, 16, 16, 300 },
      { 0, 64, 0x2000, 0, 48, 5 },
      { 0, 0, 0x2000, 64, 48, 5 },
      { 0, 32, 16, 32, 32, 20 },
      { 0, 32, 32, 32, 32, 20 },
      { 64, 32, 0, 32, 32, 20 },
      { 0, 64, 32, 64, 32, 20 },
      { 0, 8, DOOR_BYTES - 100, 40, 30, 4 },
   };

   for (unsigned n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
      struct door d = door_begin();
      struct ib ib = { 0 };
      uint8_t *mem = (uint8_t *)d.mem, want[DOOR_BYTES], copied[48];

      for (unsigned i = 0; i < DOOR_BYTES; i++)
         want[i] = mem[i] = pattern(i);
      add_rows(&ib, cases[n].from, cases[n].from_step, cases[n].to, cases[n].to_step,
               cases[n].bytes, cases[n].count);
      /* One that is like them but for its size, and one that is no copy. */
      add_rows(&ib, 0x100, 0, 0x7000, 0, cases[n].bytes + 1, 1);
      IB_ADD(&ib, PM4_CP_DMA, 0x01020304, CP_DMA_SRC_SEL(CP_DMA_SRC_DATA), VA_BASE + 0x7101, 0, 7);
      for (unsigned i = 0; i < cases[n].count; i++) {
         const unsigned from = cases[n].from + i * cases[n].from_step;
         const unsigned to = cases[n].to + i * cases[n].to_step;

         for (unsigned k = 0; k < cases[n].bytes && to + k < DOOR_BYTES; k++)
            copied[k] = want[from + k];
         for (unsigned k = 0; k < cases[n].bytes && to + k < DOOR_BYTES; k++)
            want[to + k] = copied[k];
      }
      memmove(want + 0x7000, want + 0x100, cases[n].bytes + 1);
      memcpy(want + 0x7101, "\4\3\2\1\4\3\2", 7);
      door_run(&d, &ib);
      assert_memory_equal(mem, want, DOOR_BYTES);
      assert_true(cases[n].to < DOOR_BYTES - 4096 || door_said("writes 30 bytes"));
      door_end(&d);
   }
}

static void
waits_end(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   for (unsigned i = 0; i < 100; i++)
      IB_ADD(&ib, PM4_WAIT_REG_MEM, WAIT_EQUAL | WAIT_REG_MEM_MEMORY, VA_BASE, 0, 1, 1, 4);
   IB_ADD(&ib, PM4_WAIT_REG_MEM, WAIT_EQUAL, R_CP_STRMOUT_CNTL / 4, 0, 1, 1, 4);
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE, 1 << 18, 1, 0);
   door_run(&d, &ib);
   assert_int_equal(d.mem[0], 1);
   assert_true(door_said("stays 0x0"));
   assert_true(door_said("never will"));
   door_end(&d);
}

static void
streamout(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };

   memset(pipe_stub.stream_offset, 0, sizeof(pipe_stub.stream_offset));
   d.mem[8] = 123;
   IB_ADD(&ib, PM4_SET_CONFIG_REG, (R_CP_STRMOUT_CNTL - CAYMAN_CONFIG_BASE) / 4, 0);
   IB_ADD(&ib, PM4_EVENT_WRITE, EVENT_SO_VGTSTREAMOUT_FLUSH);
   IB_ADD(&ib, PM4_WAIT_REG_MEM, WAIT_EQUAL, R_CP_STRMOUT_CNTL / 4, 0, 1, 1, 4);
   IB_ADD(&ib, PM4_STRMOUT_BUFFER_UPDATE,
          STRMOUT_SELECT_BUFFER(1) | STRMOUT_OFFSET_SOURCE(STRMOUT_OFFSET_FROM_PACKET), 0, 0, 44,
          0);
   IB_ADD(&ib, PM4_STRMOUT_BUFFER_UPDATE,
          STRMOUT_SELECT_BUFFER(3) | STRMOUT_OFFSET_SOURCE(STRMOUT_OFFSET_FROM_MEM), 0, 0,
          VA_BASE + 32, 0);
   IB_ADD(&ib, PM4_STRMOUT_BUFFER_UPDATE,
          STRMOUT_SELECT_BUFFER(1) | STRMOUT_OFFSET_SOURCE(STRMOUT_OFFSET_NONE) |
             STRMOUT_STORE_FILLED_SIZE,
          VA_BASE, 0, 0, 0);
   door_run(&d, &ib);
   assert_int_equal(pipe_stub.stream_offset[1], 44);
   assert_int_equal(pipe_stub.stream_offset[3], 123);
   assert_int_equal(d.mem[0], 44);
   door_end(&d);
}

/* Dispatches, and counters that come and go through GDS as the stock driver has them. */
static void
dispatches(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   const uint32_t args[] = { 5, 6, 0xffffffff };
   const struct cayman_dispatch *dispatch = pipe_stub.dispatches;

   pipe_stub.num_dispatches = 0;
   memcpy(d.mem + 8, args, sizeof(args));
   d.mem[0] = 77;
   IB_ADD(&ib, PM4_DISPATCH_DIRECT, 2, 3, 4, 1);
   IB_ADD(&ib, PM4_SET_BASE, 1, VA_BASE, 0);
   IB_ADD(&ib, PM4_DISPATCH_INDIRECT, 32, 1);
   IB_ADD(&ib, PM4_DISPATCH_INDIRECT, DOOR_BYTES - 8, 1);
   IB_ADD(&ib, PM4_DISPATCH_DIRECT, 2, 3, 4, 0);
   IB_ADD(&ib, PM4_CP_DMA, VA_BASE, CP_DMA_DST_GDS << 20, 16, 0, CP_DMA_DAS | 4);
   IB_ADD(&ib, PM4_EVENT_WRITE_EOS, 0x30 | 6 << 8, VA_BASE + 4, EOS_GDS_TO_MEM << 29, 4 | 1 << 16);
   door_run(&d, &ib);
   assert_int_equal(pipe_stub.num_dispatches, 2);
   assert_int_equal(dispatch[0].groups[0], 2);
   assert_int_equal(dispatch[0].groups[1], 3);
   assert_int_equal(dispatch[0].groups[2], 4);
   assert_int_equal(dispatch[1].groups[1], 6);
   assert_int_equal(dispatch[1].groups[2], 0xffffffff);
   assert_true(door_said("arguments at"));
   assert_true(door_said("without COMPUTE_SHADER_EN"));
   assert_int_equal(d.mem[1], 77);
   door_end(&d);
}

/* Sends an event, with an address if `va` is not 0. */
static void
event(struct door *d, enum cayman_event type, enum cayman_event_index index, uint64_t va)
{
   struct ib ib = { 0 };

   if (va)
      IB_ADD(&ib, PM4_EVENT_WRITE, pm4_event(type, index), (uint32_t)va, 0);
   else
      IB_ADD(&ib, PM4_EVENT_WRITE, pm4_event(type, index));
   door_run(d, &ib);
}

/* What is counted between PIPELINESTAT_STOP and _START belongs to no query. */
static void
stopped_statistics(void **state)
{
   struct door d = door_begin();
   const uint64_t *mem = (const uint64_t *)d.mem;

   pipe_stub.counters.stream_needed[1] = 100;
   pipe_stub.counters.ia_vertices = 1000;
   event(&d, EVENT_SAMPLE_STREAMOUTSTATS1, EVENT_INDEX_SAMPLE_STREAMOUTSTATS, VA_BASE);
   event(&d, EVENT_SAMPLE_PIPELINESTAT, EVENT_INDEX_SAMPLE_PIPELINESTAT, VA_BASE + 256);
   pipe_stub.counters.stream_needed[1] += 7;
   event(&d, EVENT_PIPELINESTAT_STOP, EVENT_INDEX_PLAIN, 0);
   pipe_stub.counters.stream_needed[1] += 50;
   pipe_stub.counters.ia_vertices += 500;
   event(&d, EVENT_SAMPLE_STREAMOUTSTATS1, EVENT_INDEX_SAMPLE_STREAMOUTSTATS, VA_BASE + 16);
   event(&d, EVENT_PIPELINESTAT_STOP, EVENT_INDEX_PLAIN, 0);
   event(&d, EVENT_PIPELINESTAT_START, EVENT_INDEX_PLAIN, 0);
   pipe_stub.counters.stream_needed[1] += 3;
   pipe_stub.counters.ia_vertices += 4;
   event(&d, EVENT_SAMPLE_STREAMOUTSTATS1, EVENT_INDEX_SAMPLE_STREAMOUTSTATS, VA_BASE + 32);
   event(&d, EVENT_SAMPLE_PIPELINESTAT, EVENT_INDEX_SAMPLE_PIPELINESTAT, VA_BASE + 512);
   assert_int_equal(mem[2] - mem[0], 7);
   assert_int_equal(mem[4] - mem[0], 10);
   assert_true(mem[0] >> 63 && mem[4] >> 63);
   assert_int_equal(mem[512 / 8 + 7] - mem[256 / 8 + 7], 4);
   memset(&pipe_stub.counters, 0, sizeof(pipe_stub.counters));
   door_end(&d);
}

static void
malformed(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   uint32_t cut[] = { pm4_header(PM4_MEM_WRITE, 4, false), VA_BASE, 1 << 18, 5 };
   uint32_t type0[] = { 0x00010000, 0, 0 };

   /* Skipped: too short, unknown, not implemented, out of the register file. */
   IB_ADD(&ib, PM4_DRAW_INDEX, 1);
   IB_ADD(&ib, (enum pm4_opcode)0xEE, 1, 2, 3);
   IB_ADD(&ib, PM4_COPY_DATA, 1, 1, 1, 1, 1);
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, 0x3ff, 1, 2);
   IB_ADD(&ib, PM4_SET_CONFIG_REG, 0xffff, 1);
   ib.words[ib.count++] = PM4_TYPE2;
   IB_ADD(&ib, PM4_MEM_WRITE, VA_BASE, 1 << 18, 5, 0);
   door_run(&d, &ib);
   assert_int_equal(d.mem[0], 5);
   assert_true(door_said("1 payload dwords, needs 4"));
   assert_true(door_said("unknown packet"));
   assert_true(door_said("COPY_DATA (0xC0044000): not implemented"));
   assert_true(door_said("sets registers 1023..1024 of 1024"));
   assert_int_equal(door_submit(d.c, cut, 4, RADEON_CS_RING_GFX, d.handle), 0);
   assert_int_equal(door_submit(d.c, type0, 3, RADEON_CS_RING_GFX, d.handle), 0);
   door_wait(d.c, d.handle);
   assert_true(door_said("4 payload dwords, 3 left"));
   assert_true(door_said("packet of type 0"));
   door_end(&d);
}

static void
cache_rules(void **state)
{
   struct door d = door_begin();
   struct ib ib = { 0 };
   unsigned alone;

   IB_ADD(&ib, PM4_NOP, 0);
   pipe_stub.flushes = 0;
   door_run(&d, &ib);
   alone = pipe_stub.flushes;
   /* Texture caches do not end a pass, colour does. */
   IB_ADD(&ib, PM4_SURFACE_SYNC, REG_FIELD(CP_COHER_CNTL, TC_ACTION_ENA, 1), 1, 0, 10);
   pipe_stub.flushes = 0;
   door_run(&d, &ib);
   assert_int_equal(pipe_stub.flushes, alone);
   IB_ADD(&ib, PM4_SURFACE_SYNC, REG_FIELD(CP_COHER_CNTL, CB_ACTION_ENA, 1), 1, 0, 10);
   pipe_stub.flushes = 0;
   door_run(&d, &ib);
   assert_true(pipe_stub.flushes > alone);
   door_end(&d);
}

static void
dma_ring(void **state)
{
   struct door d = door_begin();
   const uint32_t linear = 32768;
   const uint32_t words[] = {
      dma_header(DMA_COPY, DMA_COPY_DWORD_ALIGNED, 4),
      VA_BASE + 256,
      VA_BASE,
      0,
      0,
      dma_header(DMA_COPY, DMA_COPY_BYTE_ALIGNED, 3),
      VA_BASE + 513,
      VA_BASE + 1,
      0,
      0,
      dma_header(DMA_CONSTANT_FILL, 0, 2),
      VA_BASE + 768,
      0x77,
      0,
      /* Linear to tiled: 8 x 8 tiles of 4 bytes, pitch 64; row 2 of slice 1, one row. */
      dma_header(DMA_COPY, DMA_COPY_TILED, 64),
      (VA_BASE + 4096) >> 8,
      1 << 27 | 2 << 24,
      7 | 7 << 16,
      7,
      1 << 18,
      2,
      VA_BASE + linear,
      0,
      /* And back. */
      dma_header(DMA_COPY, DMA_COPY_TILED, 64),
      (VA_BASE + 4096) >> 8,
      1u << 31 | 1 << 27 | 2 << 24,
      7 | 7 << 16,
      7,
      1 << 18,
      2,
      VA_BASE + linear + 1024,
      0,
      DMA_PAD,
      DMA_PAD,
   };
   const uint32_t bad[] = { dma_header(DMA_COPY, 0x33, 1), 0, 0, 0, 0 };
   const uint32_t wild[] = { dma_header(DMA_COPY, 0, DMA_COPY_MAX_COUNT), 0, 0xffffff00, 0xff, 1 };

   for (unsigned i = 0; i < 4; i++)
      d.mem[i] = 0x01020304 * (i + 1);
   for (unsigned i = 0; i < 64; i++)
      d.mem[linear / 4 + i] = 1000 + i;
   assert_int_equal(door_submit(d.c, words, sizeof(words) / 4, RADEON_CS_RING_DMA, d.handle), 0);
   assert_int_equal(door_submit(d.c, bad, 5, RADEON_CS_RING_DMA, d.handle), 0);
   assert_int_equal(door_submit(d.c, words, 3, RADEON_CS_RING_DMA, d.handle), 0);
   assert_int_equal(door_submit(d.c, wild, 5, RADEON_CS_RING_DMA, d.handle), 0);
   door_wait(d.c, d.handle);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(d.mem[64 + i], d.mem[i]);
   assert_int_equal(d.mem[128], 0x01020300);
   assert_int_equal(d.mem[192], 0x77);
   assert_int_equal(d.mem[193], 0x77);
   assert_int_equal(d.mem[194], 0);
   for (unsigned i = 0; i < 64; i++) {
      assert_int_equal(d.mem[1024 + 8 * 64 + 2 * 64 + i], 1000 + i);
      assert_int_equal(d.mem[linear / 4 + 256 + i], 1000 + i);
   }
   assert_true(door_said("unknown packet; the rest"));
   assert_true(door_said("runs past the IB"));
   assert_true(door_said("leaves the mapped memory"));
   door_end(&d);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(draws),
      cmocka_unit_test(draw_ranges),
      cmocka_unit_test(constants),
      cmocka_unit_test(conditions),
      cmocka_unit_test(dirty_groups),
      cmocka_unit_test(config_registers),
      cmocka_unit_test(indirect_draws),
      cmocka_unit_test(opaque_draw),
      cmocka_unit_test(queries),
      cmocka_unit_test(predication),
      cmocka_unit_test(transfers),
      cmocka_unit_test(rows),
      cmocka_unit_test(waits_end),
      cmocka_unit_test(streamout),
      cmocka_unit_test(dispatches),
      cmocka_unit_test(malformed),
      cmocka_unit_test(stopped_statistics),
      cmocka_unit_test(cache_rules),
      cmocka_unit_test(dma_ring),
   };

   return cmocka_run_group_tests_name("cp", tests, NULL, NULL);
}
