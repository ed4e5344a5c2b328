/* SPDX-License-Identifier: MIT */
/* The checker: relocations of every kind of packet, and what it refuses. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <atoll/cayman/r600.h>

#include "chip/chip.h"
#include "door.h"
#include "radeon/checker.h"
#include "frontdoor/report.h"

/* Two buffers, one above 4 GiB. */
static const struct checker_buffer buffers[] = {
   { .va = UINT64_C(0x10000), .size = 0x2000 },
   { .va = UINT64_C(0x1200000000), .size = 0x4000 },
};

static struct report *report;
static enum chip_id chip = CHIP_CAYMAN;

static int
run(struct ib *ib, bool strict)
{
   struct checker checker = {
      .chip = &chips[chip],
      .report = report,
      .client = 1,
      .buffers = buffers,
      .num_buffers = 2,
      .relocate = true,
      .strict = strict,
      .keep_tiling = true,
   };

   return checker_graphics(&checker, ib->words, ib->count);
}

static void
reloc(struct ib *ib, uint32_t number)
{
   IB_ADD(ib, PM4_NOP, number * 4);
}

static void
refused(struct ib *ib, bool strict, const char *rule)
{
   static char text[65536];

   assert_int_equal(run(ib, strict), -EINVAL);
   report_read(report, text, sizeof(text));
   if (!strstr(text, rule))
      fail_msg("no '%s' in: %s", rule, text);
}

static void
registers(void **state)
{
   struct ib ib = { .count = 0 };

   /* BASE, PITCH, SLICE, VIEW, INFO, ATTRIB, DIM, CMASK: three of the eight take relocations. */
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, (R_CB_COLOR0_BASE - CAYMAN_CONTEXT_BASE) / 4, 2, 7, 8, 9, 10,
          11, 12, 3);
   reloc(&ib, 0);
   reloc(&ib, 1);
   reloc(&ib, 1);
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, (R_SQ_PGM_START_PS - CAYMAN_CONTEXT_BASE) / 4, 1, 0x55);
   reloc(&ib, 1);
   assert_int_equal(run(&ib, false), 0);
   assert_int_equal(ib.words[2], 0x100 + 2);
   assert_int_equal(ib.words[3], 7);
   assert_int_equal(ib.words[7], 11); /* ATTRIB holds no address */
   assert_int_equal(ib.words[9], 0x12000000 + 3);
   assert_int_equal(ib.words[9 + 6 + 3], 0x12000000 + 1);
   assert_int_equal(ib.words[9 + 6 + 4], 0x55);
}

static void
resources(void **state)
{
   struct ib ib = { .count = 0 };
   uint32_t texture = (uint32_t)SQ_RESOURCE_TEXTURE << 30;
   uint32_t buffer = (uint32_t)SQ_RESOURCE_BUFFER << 30;

   IB_ADD(&ib, PM4_SET_RESOURCE, 0, SQ_TEX_DIM_2D, 0, 1, 2, 0, 0, 0, texture);
   reloc(&ib, 0);
   reloc(&ib, 1);
   IB_ADD(&ib, PM4_SET_RESOURCE, 8, SQ_TEX_DIM_2D_MSAA, 0, 1, 0, 0, 0, 0, texture);
   reloc(&ib, 1);
   IB_ADD(&ib, PM4_SET_RESOURCE, 16, 0x100, 0x3000, 0x34500, 0, 0, 0, 0, buffer);
   reloc(&ib, 1);
   IB_ADD(&ib, PM4_SET_RESOURCE, 24, 0x100, 0xffffffff, 0, 0, 0, 0, 0, buffer);
   reloc(&ib, 0);
   assert_int_equal(run(&ib, false), 0);
   assert_int_equal(ib.words[4], 0x100 + 1);
   assert_int_equal(ib.words[5], 0x12000000 + 2);
   assert_int_equal(ib.words[14 + 4], 0x12000000 + 1);
   assert_int_equal(ib.words[14 + 5], 0);
   assert_int_equal(ib.words[26 + 2], 0x100);
   assert_int_equal(ib.words[26 + 3], 0x3000);
   assert_int_equal(ib.words[26 + 4], 0x34512);
   /* A size that leaves the buffer is cut. */
   assert_int_equal(ib.words[38 + 2], 0x10100);
   assert_int_equal(ib.words[38 + 3], 0x1f00);

   ib.count = 0;
   IB_ADD(&ib, PM4_SET_RESOURCE, 0, 0, 0, 0, 0, 0, 0, 0, 0);
   refused(&ib, false, "a resource of type 0");
   ib.count = 0;
   IB_ADD(&ib, PM4_SET_RESOURCE, 0, 0, 0, 0);
   refused(&ib, false, "no whole number of resources");
   ib.count = 0;
   IB_ADD(&ib, PM4_SET_RESOURCE, 8 * 1024, 0, 0, 0, 0, 0, 0, 0, texture);
   refused(&ib, false, "resource 1024 of 1024");
}

/* A packet with an address that, `offset` in it, lands at dwords `low` and `high`. */
static void
one_address(enum pm4_opcode opcode, const uint32_t *payload, uint32_t count, uint32_t low,
            uint32_t high, uint32_t offset)
{
   struct ib ib = { .count = 0 };

   ib_add(&ib, opcode, payload, count);
   reloc(&ib, 1);
   assert_int_equal(run(&ib, false), 0);
   assert_int_equal(ib.words[1 + low], offset);
   assert_int_equal(ib.words[1 + high] & 0xff, 0x12);

   ib.count = 0;
   ib_add(&ib, opcode, payload, count);
   refused(&ib, false, "no relocation");
   reloc(&ib, 2);
   refused(&ib, false, "names buffer 2 of 2");
}
#define ONE_ADDRESS(opcode, low, high, offset, ...)       \
   one_address(opcode, (const uint32_t[]){ __VA_ARGS__ }, \
               sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4, low, high, offset)

static void
addresses(void **state)
{
   struct ib ib = { .count = 0 };

   ONE_ADDRESS(PM4_DRAW_INDEX, 0, 1, 0x40, 0x40, 0, 3, 0);
   ONE_ADDRESS(PM4_DRAW_INDEX_2, 1, 2, 0x40, 100, 0x40, 0, 3, 0);
   ONE_ADDRESS(PM4_INDEX_BASE, 0, 1, 0x40, 0x40, 0);
   ONE_ADDRESS(PM4_SET_BASE, 1, 2, 0, 1, 0x999, 0);
   ONE_ADDRESS(PM4_EVENT_WRITE, 1, 2, 0x44, pm4_event(EVENT_ZPASS_DONE, 1), 0x44, 0);
   ONE_ADDRESS(PM4_EVENT_WRITE_EOP, 1, 2, 0x44, 0x514, 0x44, EOP_DATA_SEL(1), 5, 0);
   ONE_ADDRESS(PM4_EVENT_WRITE_EOS, 1, 2, 0x44, 0x62f, 0x44, 2u << 29, 5);
   ONE_ADDRESS(PM4_SET_PREDICATION, 0, 1, 0x4f, 0x4f, PREDICATION_OP(PREDICATION_ZPASS));
   ONE_ADDRESS(PM4_WAIT_REG_MEM, 1, 2, 0x40, WAIT_REG_MEM_MEMORY | WAIT_EQUAL, 0x40, 0, 1, ~0u, 4);
   ONE_ADDRESS(PM4_MEM_WRITE, 0, 1, 0x40, 0x40, 0, 1, 2);
   ONE_ADDRESS(PM4_COPY_DW, 1, 2, 0x40, COPY_DW_SRC_MEM, 0x40, 0, R_VGT_INDX_OFFSET >> 2, 0);
   ONE_ADDRESS(PM4_COPY_DW, 3, 4, 0x40, COPY_DW_DST_MEM, R_VGT_INDX_OFFSET >> 2, 0, 0x40, 0);
   ONE_ADDRESS(PM4_COND_WRITE, 1, 2, 0x40, COND_WRITE_POLL_MEMORY, 0x40, 0, 0, 0,
               R_VGT_INDX_OFFSET >> 2, 0, 1);
   ONE_ADDRESS(PM4_COND_WRITE, 5, 6, 0x40, COND_WRITE_MEMORY, R_VGT_INDX_OFFSET >> 2, 0, 0, 0, 0x40,
               0, 1);
   ONE_ADDRESS(PM4_COND_EXEC, 0, 1, 0x40, 0x40, 0, 2);
   ONE_ADDRESS(PM4_STRMOUT_BUFFER_UPDATE, 1, 2, 0x40, STRMOUT_STORE_FILLED_SIZE | 6, 0x40, 0, 0, 0);
   ONE_ADDRESS(PM4_STRMOUT_BUFFER_UPDATE, 3, 4, 0x40,
               STRMOUT_OFFSET_SOURCE(STRMOUT_OFFSET_FROM_MEM), 0, 0, 0x40, 0);
   ONE_ADDRESS(PM4_SET_APPEND_CNT, 1, 2, 0x40, 0x1CB0003, 0x40, 0);
   ONE_ADDRESS(PM4_CP_DMA, 2, 3, 0x40, 0x1234, CP_DMA_SRC_SEL(CP_DMA_SRC_DATA), 0x40, 0, 64);

   IB_ADD(&ib, PM4_CP_DMA, 0x10, CP_DMA_SYNC, 0x20, 0, 64);
   reloc(&ib, 1);
   reloc(&ib, 0);
   IB_ADD(&ib, PM4_SURFACE_SYNC, 0, 0x10, 2, 10);
   reloc(&ib, 0);
   IB_ADD(&ib, PM4_SURFACE_SYNC, 0, 0xffffffff, 0, 10);
   assert_int_equal(run(&ib, false), 0);
   assert_int_equal(ib.words[1], 0x10);
   assert_int_equal(ib.words[2], CP_DMA_SYNC | 0x12);
   assert_int_equal(ib.words[3], 0x10020);
   assert_int_equal(ib.words[4], 0);
   assert_int_equal(ib.words[10 + 3], 0x102);
   assert_int_equal(ib.words[17 + 3], 0);
}

static void
limits(void **state)
{
   static const struct {
      enum pm4_opcode opcode;
      uint32_t payload[6];
      uint32_t count, relocations;
      const char *rule;
   } cases[] = {
      { PM4_CP_DMA, { 0, 0, 0x1ff0, 0, 64 }, 5, 2, "the destination: 64 bytes at 8176" },
      { PM4_CP_DMA, { 0x3ff0, 0, 0, 0, 64 }, 5, 2, "the source: 64 bytes at 16368" },
      { PM4_CP_DMA, { 0, CP_DMA_SRC_SEL(2), 0, 0, 6 }, 5, 1, "not whole dwords" },
      { PM4_CP_DMA, { 0, 0, 0, 0, CP_DMA_DAS }, 5, 2, "registers" },
      { PM4_CP_DMA, { 0, CP_DMA_DST_SEL(1), 0, 0, 4 }, 5, 2, "destination 1" },
      { PM4_MEM_WRITE, { 4, 0, 0, 0 }, 4, 1, "multiple of 8" },
      { PM4_MEM_WRITE, { 0x4000, 0, 0, 0 }, 4, 1, "8 bytes at 16384" },
      { PM4_COPY_DW, { COPY_DW_DST_MEM, 0x28408 >> 2, 0, 0x3ffe, 0 }, 5, 1, "4 bytes at 16382" },
      { PM4_DRAW_INDIRECT, { 0, 0 }, 2, 0, "arguments end at byte 16 of 0" },
      { PM4_DRAW_INDEX_AUTO, { 0 }, 1, 0, "1 payload dwords, not 2" },
      { PM4_EVENT_WRITE, { 0, 0 }, 2, 0, "2 payload dwords" },
      { PM4_SET_BASE, { 2, 0, 0 }, 3, 1, "base 2" },
      { PM4_SET_PREDICATION, { 0, PREDICATION_OP(5) }, 2, 1, "operation 5" },
      { PM4_SET_APPEND_CNT, { 0x1CA0003, 0, 0 }, 3, 1, "no append counter" },
      { PM4_SET_APPEND_CNT, { 0x1CB0002, 0, 0 }, 3, 1, "source 2" },
      { PM4_MODE_CONTROL, { 0 }, 1, 0, "may not hold this packet" },
      { PM4_INDIRECT_BUFFER, { 0, 0, 0 }, 3, 0, "may not hold this packet" },
      { PM4_SET_CONTEXT_REG, { 0x3ff, 1, 2 }, 3, 0, "of a range that ends at 0x29000" },
      { PM4_SET_SAMPLER, { 0, 1, 2 }, 3, 0, "not a multiple of 3" },
      { PM4_WAIT_REG_MEM, { 0x103, 0, 0, 0, 0, 0 }, 6, 0, "the prefetcher" },
   };

   for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
      struct ib ib = { .count = 0 };

      ib_add(&ib, cases[i].opcode, cases[i].payload, cases[i].count);
      for (uint32_t r = 0; r < cases[i].relocations; r++)
         reloc(&ib, 1 - r);
      refused(&ib, false, cases[i].rule);
   }

   struct ib ib = { .words = { 0x00000000 }, .count = 1 };

   refused(&ib, false, "a packet of type 0");
   ib.words[0] = pm4_header(PM4_NOP, 2, false);
   refused(&ib, false, "2 payload dwords, 0 left");
}

/* A colour target of 64 x `height` texels of four bytes, linear. */
static void
target(struct ib *ib, uint32_t height)
{
   ib->count = 0;
   IB_ADD(ib, PM4_SET_CONTEXT_REG, (R_CB_TARGET_MASK - CAYMAN_CONTEXT_BASE) / 4, 0xf, 0xf);
   IB_ADD(ib, PM4_SET_CONTEXT_REG, (R_DB_DEPTH_CONTROL - CAYMAN_CONTEXT_BASE) / 4, 0);
   IB_ADD(ib, PM4_SET_CONTEXT_REG, (R_CB_COLOR0_BASE - CAYMAN_CONTEXT_BASE) / 4, 0, 7, height - 1,
          0,
          REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_8_8_8_8) |
             REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED),
          0);
   reloc(ib, 0);
   reloc(ib, 0);
   IB_ADD(ib, PM4_DRAW_INDEX_AUTO, 3, 2);
}

static void
strict(void **state)
{
   struct ib ib = { .count = 0 };

   target(&ib, 32); /* 8192 bytes fill the buffer */
   assert_int_equal(run(&ib, true), 0);
   target(&ib, 33);
   refused(&ib, true, "1 layers of 8448 bytes at 0 of a buffer of 8192");
   target(&ib, 33);
   assert_int_equal(run(&ib, false), 0);

   ib.count = 0;
   IB_ADD(&ib, PM4_SET_CONFIG_REG, 0x100, 1);
   refused(&ib, true, "register 0x08400 may not be written");
   ib.count = 0;
   IB_ADD(&ib, PM4_SET_CONFIG_REG, 0x100, 1);
   assert_int_equal(run(&ib, false), 0);

   /* An unknown context register, with virtual memory and without. */
   ib.count = 0;
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, 0xe, 1);
   refused(&ib, true, "register 0x28038 may not be written");
   struct checker vm = {
      .chip = &chips[chip], .report = report, .strict = true, .keep_tiling = true
   };
   assert_int_equal(checker_graphics(&vm, ib.words, ib.count), 0);

   /* A texture of 64 x 64 texels of four bytes needs 16384. */
   for (uint32_t number = 0; number < 2; number++) {
      ib.count = 0;
      IB_ADD(&ib, PM4_SET_RESOURCE, 0,
             REG_FIELD(TEX_WORD0, DIM, SQ_TEX_DIM_2D) | REG_FIELD(TEX_WORD0, PITCH, 7) |
                REG_FIELD(TEX_WORD0, TEX_WIDTH, 63),
             REG_FIELD(TEX_WORD1, TEX_HEIGHT, 63) |
                REG_FIELD(TEX_WORD1, ARRAY_MODE, ARRAY_LINEAR_ALIGNED),
             0, 0, 0, 0, 0,
             REG_FIELD(TEX_WORD7, DATA_FORMAT, FMT_8_8_8_8) |
                REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE));
      reloc(&ib, number);
      reloc(&ib, number);
      if (number)
         assert_int_equal(run(&ib, true), 0);
      else
         refused(&ib, true, "1 layers of 16384 bytes at 0 of a buffer of 8192");
   }
}

static void
dma(void **state)
{
   struct checker checker = {
      .chip = &chips[chip], .report = report, .buffers = buffers, .num_buffers = 2, .relocate = true
   };
   uint32_t copy[] = { dma_header(DMA_COPY, DMA_COPY_DWORD_ALIGNED, 4), 8, 16, 0, 0, DMA_PAD };
   uint32_t fill[] = { dma_header(DMA_CONSTANT_FILL, 0, 4), 8, 7, 0 };
   uint32_t tiled[] = { dma_header(DMA_COPY, DMA_COPY_TILED, 4), 2, 1u << 31, 0, 0, 0, 0, 4, 0 };
   uint32_t wrong[] = { dma_header(DMA_COPY, 0x7f, 4), 0, 0, 0, 0 };

   /* The source is the list's first buffer, the destination its second. */
   assert_int_equal(checker_dma(&checker, copy, 6), 0);
   assert_int_equal(copy[1], 8);
   assert_int_equal(copy[3], 0x12);
   assert_int_equal(copy[2], 0x10010);
   assert_int_equal(copy[4], 0);
   assert_int_equal(checker_dma(&checker, fill, 4), 0);
   assert_int_equal(fill[1], 0x10008);
   assert_int_equal(checker_dma(&checker, tiled, 9), 0);
   assert_int_equal(tiled[1], 0x102);
   assert_int_equal(tiled[7], 4);
   assert_int_equal(tiled[8], 0x12);
   assert_int_equal(checker_dma(&checker, wrong, 5), -EINVAL);
   copy[0] = dma_header(DMA_COPY, DMA_COPY_DWORD_ALIGNED, 0x1000);
   assert_int_equal(checker_dma(&checker, copy, 6), -EINVAL);
   assert_int_equal(checker_dma(&checker, copy, 3), -EINVAL);
}

/* What the list admits has the length that the kernel asks for; what it doesn't is refused. */
static void
admitted(void **state)
{
   struct ib ib = { .count = 0 };

   IB_ADD(&ib, PM4_COND_EXEC, 0x44, 0, 2);
   refused(&ib, false, "no multiple of 8");
   ib.count = 0;
   IB_ADD(&ib, PM4_COND_WRITE, COND_WRITE_MEMORY, R_VGT_INDX_OFFSET >> 2, 0, 0, 0, 0x1ffc, 0, 1);
   reloc(&ib, 0);
   refused(&ib, false, "8 bytes at 8188 of a buffer of 8192");
   ib.count = 0;
   IB_ADD(&ib, PM4_COND_WRITE, 0, 0x100, 0, 0, 0, R_VGT_INDX_OFFSET >> 2, 0, 1);
   assert_int_equal(run(&ib, false), 0);
   refused(&ib, true, "register 0x00400 may not be read");
   ib.count = 0;
   IB_ADD(&ib, PM4_COND_WRITE, 0, R_VGT_INDX_OFFSET >> 2, 0, 0, 0, 0x100, 0, 1);
   refused(&ib, true, "register 0x00400 may not be written");
   ib.count = 0;
   IB_ADD(&ib, PM4_DRAW_INDEX_MULTI_AUTO, 2, 0, 0, 0);
   refused(&ib, false, "4 payload dwords, not 3");
   ib.count = 0;
   IB_ADD(&ib, PM4_COPY_DATA, 0, 0, 0, 0, 0);
   refused(&ib, false, "streams may not hold this packet");
   ib.count = 0;
   IB_ADD(&ib, PM4_MODE_CONTROL, 0);
   refused(&ib, false, "streams may not hold this packet");
}

/* Random streams neither crash nor run on. */
static void
noise(void **state)
{
   static struct ib ib;
   uint32_t seed = 1;

   for (unsigned round = 0; round < 20000; round++) {
      ib.count = 64;
      for (uint32_t i = 0; i < ib.count; i++) {
         seed = seed * 1664525 + 1013904223;
         ib.words[i] = seed >> 8 ^ seed << 13;
         if (seed >> 30 == 0)
            ib.words[i] = pm4_header(seed >> 12 & 0xff, (seed >> 20 & 7) + 1, false);
         else if (seed >> 30 == 1)
            ib.words[i] = pm4_header(PM4_NOP, 1, false);
      }
      run(&ib, round & 1);
   }
}

/* Without virtual addresses, from the ioctl to memory. */
static void
submitted(void **state)
{
   struct atoll_client *c = door_open();
   uint32_t handle = door_create(c, 65536);
   uint32_t *mem = door_map(c, handle, 65536);
   struct ib ib = { .count = 0 };

   IB_ADD(&ib, PM4_MEM_WRITE, 64, 0, 0x12345678, 0x9abcdef0);
   assert_int_equal(door_submit_flags(c, ib.words, ib.count, RADEON_CS_RING_GFX, handle, 0),
                    -EINVAL);
   reloc(&ib, 0);
   assert_int_equal(door_submit_flags(c, ib.words, ib.count, RADEON_CS_RING_GFX, handle, 0), 0);
   door_wait(c, handle);
   assert_int_equal(mem[16], 0x12345678);
   assert_int_equal(mem[17], 0x9abcdef0);
   munmap(mem, 65536);
   /* Addresses are given back: more than the address space holds, one after another. */
   for (unsigned i = 0; i < 20; i++) {
      door_close(c, handle);
      handle = door_create(c, UINT64_C(1) << 30);
      assert_int_equal(door_submit_flags(c, ib.words, ib.count, RADEON_CS_RING_GFX, handle, 0), 0);
   }
   atoll_client_close(c);
}

/* Registers that a chip alone has, or has elsewhere. */
static void
five_slots(void **state)
{
   static const uint32_t cayman[] = { R_PA_SC_AA_CONFIG, R_DB_EQAA, R_PA_SC_CENTROID_PRIORITY_0,
                                      R_PA_CL_GB_VERT_CLIP_ADJ };
   static const uint32_t evergreen[] = { 0x08C18, 0x08E2C }; /* threads, LDS */
   struct ib ib = { .count = 0 };

   (void)state;
   /* One that has said nothing in this second. */
   report_destroy(report);
   report = report_create();
   for (unsigned n = 0; n < 2; n++) {
      chip = n ? CHIP_CAICOS : CHIP_CAYMAN;
      for (size_t i = 0; i < sizeof(cayman) / sizeof(*cayman); i++) {
         ib.count = 0;
         IB_ADD(&ib, PM4_SET_CONTEXT_REG, (cayman[i] - CAYMAN_CONTEXT_BASE) / 4, 0);
         if (n)
            refused(&ib, true, "may not be written");
         else
            assert_int_equal(run(&ib, true), 0);
         assert_int_equal(run(&ib, false), 0);
      }
      for (size_t i = 0; i < sizeof(evergreen) / sizeof(*evergreen); i++) {
         ib.count = 0;
         IB_ADD(&ib, PM4_SET_CONFIG_REG, (evergreen[i] - CAYMAN_CONFIG_BASE) / 4, 0);
         if (n)
            assert_int_equal(run(&ib, true), 0);
         else
            refused(&ib, true, "may not be written");
      }
   }
   ib.count = 0;
   IB_ADD(&ib, PM4_SET_CONTEXT_REG, (R_EVERGREEN_PA_SC_LINE_CNTL - CAYMAN_CONTEXT_BASE) / 4, 0, 0,
          0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
   assert_int_equal(run(&ib, true), 0);
   chip = CHIP_CAYMAN;
}

/* R600's and R700's own packets and registers: a texture has seven dwords and two relocations, what
 * is beside a target may have one. */
static void
old_chips(void **state)
{
   static const uint32_t texture[7] = { [6] = 2u << 30 };
   struct ib ib = { .count = 0 };

   (void)state;
   report_destroy(report);
   report = report_create();
   for (unsigned n = 0; n < 2; n++) {
      chip = n ? CHIP_R600 : CHIP_RV770;
      ib.count = 0;
      IB_ADD(&ib, PM4_START_3D_CMDBUF, 0);
      IB_ADD(&ib, PM4_SET_RESOURCE, 7, texture[0], texture[1], texture[2], texture[3], texture[4],
             texture[5], texture[6]);
      reloc(&ib, 0);
      refused(&ib, false, "no relocation for a texture");
      reloc(&ib, 0);
      assert_int_equal(run(&ib, false), 0);
      ib.count = 0;
      IB_ADD(&ib, PM4_SET_RESOURCE, 8, 0, 0, 0, 0, 0, 0, 0);
      refused(&ib, false, "no whole number of resources");
      ib.count = 0;
      IB_ADD(&ib, PM4_SET_CONTEXT_REG, (R_R600_CB_COLOR0_BASE - CAYMAN_CONTEXT_BASE) / 4, 0);
      refused(&ib, false, "no relocation for register");
      reloc(&ib, 0);
      IB_ADD(&ib, PM4_SET_CONTEXT_REG, (R_R600_CB_COLOR0_TILE - CAYMAN_CONTEXT_BASE) / 4, 0);
      assert_int_equal(run(&ib, true), 0);
      /* One that there is on later chips alone. */
      IB_ADD(&ib, PM4_SET_CONTEXT_REG, (R_VGT_SHADER_STAGES_EN - CAYMAN_CONTEXT_BASE) / 4, 0);
      refused(&ib, true, "may not be written");
      ib.count = 0;
      IB_ADD(&ib, PM4_SURFACE_BASE_UPDATE, 1);
      assert_int_equal(run(&ib, false), 0);
      /* An address of virtual memory is no relocation's. */
      ib.count = 0;
      IB_ADD(&ib, PM4_STRMOUT_BASE_UPDATE, 0, 0x40);
      refused(&ib, false, "no relocation for the streamout buffer");
      struct checker vm = { .chip = &chips[chip], .report = report };
      assert_int_equal(checker_graphics(&vm, ib.words, ib.count), 0);
      assert_int_equal(ib.words[2], 0x40);
      ib.count = 0;
      IB_ADD(&ib, PM4_SURFACE_BASE_UPDATE, 1);
      chip = CHIP_CAICOS;
      refused(&ib, false, "may not hold this packet");
   }
   chip = CHIP_CAYMAN;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers),  cmocka_unit_test(resources), cmocka_unit_test(addresses),
      cmocka_unit_test(limits),     cmocka_unit_test(strict),    cmocka_unit_test(dma),
      cmocka_unit_test(admitted),   cmocka_unit_test(noise),     cmocka_unit_test(submitted),
      cmocka_unit_test(five_slots), cmocka_unit_test(old_chips),
   };
   int result;

   report = report_create();
   result = cmocka_run_group_tests(tests, NULL, NULL);
   report_destroy(report);
   return result;
}
