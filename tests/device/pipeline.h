/* SPDX-License-Identifier: MIT */
/*
 * What tests of whole pipelines share: programs at fixed offsets of the door's buffer, registers,
 * and a streamout buffer of vec4s after them.
 */
#ifndef ATOLL_TEST_PIPELINE_H
#define ATOLL_TEST_PIPELINE_H

#include "run_wave.h"
#include "state.h"

#define QUERY_AT  0x3000u
#define FILLED_AT 0x3100u
#define OUT_AT    0x4000u
#define OUT_BYTES 0x8000u

#define UNUSED_WORD 0xdeadbeefu

/* The program being assembled. */
static struct asm_program a;

/* Puts it at byte `at` of the buffer and starts the next. */
static inline void
place(struct door *d, uint32_t at)
{
   assert_true(asm_finish(&a));
   memcpy((uint8_t *)d->mem + at, a.words, a.num_words * 4);
   asm_init(&a);
}

static inline void
program(struct ib *ib, uint32_t start, uint32_t resources, uint32_t at)
{
   context(ib, start, (uint32_t)((VA_BASE + at) >> 8));
   context(ib, resources,
           REG_FIELD(SQ_PGM_RESOURCES_VS, NUM_GPRS, 8) |
              REG_FIELD(SQ_PGM_RESOURCES_VS, STACK_SIZE, 1));
}

/* Streamout of stream 0 to buffer 0, a vec4 a vertex, from `offset` dwords on. */
static inline void
streamout(struct door *d, struct ib *ib, bool captures, uint32_t dwords, uint32_t offset)
{
   context(ib, R_VGT_MAX_VTX_INDX, ~0u);
   context(ib, R_PA_CL_CLIP_CNTL, REG_FIELD(PA_CL_CLIP_CNTL, DX_RASTERIZATION_KILL, 1));
   context(ib, R_VGT_STRMOUT_CONFIG, REG_FIELD(VGT_STRMOUT_CONFIG, STREAMOUT_0_EN, 1));
   context(ib, R_VGT_STRMOUT_BUFFER_CONFIG,
           REG_FIELD(VGT_STRMOUT_BUFFER_CONFIG, STREAM_0_BUFFER_EN, captures));
   context(ib, R_VGT_STRMOUT_BUFFER_SIZE_0, dwords);
   context(ib, R_VGT_STRMOUT_VTX_STRIDE_0, 4);
   context(ib, R_VGT_STRMOUT_BUFFER_BASE_0, (uint32_t)((VA_BASE + OUT_AT) >> 8));
   IB_ADD(ib, PM4_STRMOUT_BUFFER_UPDATE, STRMOUT_OFFSET_SOURCE(STRMOUT_OFFSET_FROM_PACKET), 0, 0,
          offset, 0);
   for (unsigned i = 0; i < OUT_BYTES / 4; i++)
      d->mem[OUT_AT / 4 + i] = UNUSED_WORD;
}

/* Writes a register to its buffer vertex, and the position that every VS has. */
static inline void
capture(unsigned gpr)
{
   const struct cayman_cf write = { .op = CAYMAN_CF_MEM_STREAM0_BUF0,
                                    .type = CAYMAN_MEM_WRITE,
                                    .rw_gpr = gpr,
                                    .elem_size = 3,
                                    .comp_mask = 15,
                                    .array_size = 0xfff,
                                    .barrier = true };

   asm_cf(&a, &write);
   asm_export(&a, CAYMAN_EXPORT_POS, 60, gpr);
}

static inline void
stats(struct ib *ib, uint32_t at)
{
   IB_ADD(ib, PM4_EVENT_WRITE, pm4_event(EVENT_SAMPLE_STREAMOUTSTATS, 3), (uint32_t)VA_BASE + at,
          0);
}

static inline void
draw(struct ib *ib, uint32_t count)
{
   IB_ADD(ib, PM4_DRAW_INDEX_AUTO, count, DI_SRC_SEL_AUTO_INDEX);
}

/* Primitives counted between two samples at QUERY_AT. */
struct written {
   uint64_t needed, written;
};

static inline struct written
stats_between(const struct door *d)
{
   uint64_t q[4];

   memcpy(q, (uint8_t *)d->mem + QUERY_AT, sizeof(q));
   return (struct written){ q[2] - q[0], q[3] - q[1] };
}

static inline void
expect_end(const struct door *d, unsigned n)
{
   if (n * 16 < OUT_BYTES)
      assert_int_equal(d->mem[OUT_AT / 4 + n * 4], UNUSED_WORD);
}

#endif
