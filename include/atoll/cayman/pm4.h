/* SPDX-License-Identifier: MIT */
/*
 * Command packets of Cayman's graphics ring (PM4) and of its DMA ring.
 *
 * A type-3 packet is a header and 1..16384 payload dwords; the header counts them less one.
 * Type 2 is one dword of padding. Types 0 and 1 do not occur on this ring.
 */
#ifndef ATOLL_CAYMAN_PM4_H
#define ATOLL_CAYMAN_PM4_H

#include <stdbool.h>
#include <stdint.h>

/** Opcodes of type-3 packets. */
enum pm4_opcode {
#define PACKET(name, opcode, needs, demands, admitted, rule, run, registers) PM4_##name = opcode,
#include <atoll/cayman/packets.def>
};

/* R600's and R700's packet of the number that DRAW_INDIRECT has later. */
#define PM4_START_3D_CMDBUF 0x24u

#define PM4_MAX_PAYLOAD 16384u
/** One dword of padding on the graphics ring. */
#define PM4_TYPE2 0x80000000u

/** Header of a type-3 packet with `payload` (1..16384) dwords after it. */
static inline uint32_t
pm4_header(enum pm4_opcode opcode, uint32_t payload, bool predicated)
{
   return 3u << 30 | ((payload - 1) & 0x3FFF) << 16 | (uint32_t)opcode << 8 | (predicated ? 1 : 0);
}
#define PM4_COMPUTE_BIT 2u /* in a type-3 header: for the compute state */

static inline uint32_t
pm4_type(uint32_t header)
{
   return header >> 30;
}
static inline uint32_t
pm4_op(uint32_t header)
{
   return header >> 8 & 0xFF;
}
static inline uint32_t
pm4_payload(uint32_t header)
{
   return (header >> 16 & 0x3FFF) + 1;
}
static inline bool
pm4_predicated(uint32_t header)
{
   return header & 1;
}
static inline bool
pm4_compute(uint32_t header)
{
   return header & PM4_COMPUTE_BIT;
}

/** The opcode's name, or "?" for a number that has none. */
static inline const char *
pm4_opcode_name(uint32_t opcode)
{
   switch (opcode) {
#define PACKET(name, opcode, needs, demands, admitted, rule, run, registers) \
   case opcode:                                                              \
      return #name;
#include <atoll/cayman/packets.def>
   default:
      return "?";
   }
}

/** Events of EVENT_WRITE, EVENT_WRITE_EOP and EVENT_WRITE_EOS. */
enum cayman_event {
   EVENT_SAMPLE_STREAMOUTSTATS1 = 0x01,
   EVENT_SAMPLE_STREAMOUTSTATS2 = 0x02,
   EVENT_SAMPLE_STREAMOUTSTATS3 = 0x03,
   EVENT_CACHE_FLUSH_TS = 0x04,
   EVENT_CONTEXT_DONE = 0x05,
   EVENT_CACHE_FLUSH = 0x06,
   EVENT_CS_PARTIAL_FLUSH = 0x07,
   EVENT_VS_PARTIAL_FLUSH = 0x0F,
   EVENT_PS_PARTIAL_FLUSH = 0x10,
   EVENT_CACHE_FLUSH_AND_INV_TS = 0x14,
   EVENT_ZPASS_DONE = 0x15,
   EVENT_CACHE_FLUSH_AND_INV = 0x16,
   EVENT_PERFCOUNTER_START = 0x17,
   EVENT_PERFCOUNTER_STOP = 0x18,
   EVENT_PIPELINESTAT_START = 0x19,
   EVENT_PIPELINESTAT_STOP = 0x1A,
   EVENT_PERFCOUNTER_SAMPLE = 0x1B,
   EVENT_SAMPLE_PIPELINESTAT = 0x1E,
   EVENT_SO_VGTSTREAMOUT_FLUSH = 0x1F,
   EVENT_SAMPLE_STREAMOUTSTATS = 0x20,
   EVENT_VGT_FLUSH = 0x24,
   EVENT_BOTTOM_OF_PIPE_TS = 0x28,
   EVENT_FLUSH_AND_INV_DB_META = 0x2C,
   EVENT_FLUSH_AND_INV_CB_META = 0x2E,
   EVENT_CS_DONE = 0x2F,
   EVENT_PS_DONE = 0x30,
};

/** EVENT_INDEX, bits 11:8 of the event dword: which kind of packet an event needs. */
enum cayman_event_index {
   EVENT_INDEX_PLAIN = 0,
   EVENT_INDEX_ZPASS_DONE = 1,
   EVENT_INDEX_SAMPLE_PIPELINESTAT = 2,
   EVENT_INDEX_SAMPLE_STREAMOUTSTATS = 3,
   EVENT_INDEX_PARTIAL_FLUSH = 4,
   EVENT_INDEX_TS = 5,  /* EVENT_WRITE_EOP */
   EVENT_INDEX_EOS = 6, /* EVENT_WRITE_EOS */
};

/** First payload dword of the EVENT_WRITE packets. */
static inline uint32_t
pm4_event(enum cayman_event type, enum cayman_event_index index)
{
   return (uint32_t)type | (uint32_t)index << 8;
}
static inline uint32_t
pm4_event_type(uint32_t dword)
{
   return dword & 0x3F;
}
static inline uint32_t
pm4_event_index(uint32_t dword)
{
   return dword >> 8 & 0xF;
}

/*
 * EVENT_WRITE_EOP: event, address lo, address hi 7:0 | INT_SEL 25:24 | DATA_SEL 31:29, data lo, hi.
 * EVENT_WRITE_EOS: event, address lo, address hi 7:0 | command 31:29, data.
 */
#define EOP_INT_SEL(x)  ((uint32_t)(x) << 24)
#define EOP_DATA_SEL(x) ((uint32_t)(x) << 29)
enum cayman_eop_data {
   EOP_DATA_DISCARD = 0,
   EOP_DATA_VALUE_32 = 1,
   EOP_DATA_VALUE_64 = 2,
   EOP_DATA_TIMESTAMP = 3,
};
enum cayman_eos_command {
   EOS_APPEND_TO_MEM = 0, /* data: the counter's register, in dwords */
   EOS_GDS_TO_MEM = 1,
   EOS_VALUE_32 = 2,
};

/* SET_APPEND_CNT: context register (in dwords from their first) 31:16 | source 1:0, data or where
 * it is: a register in dwords, a byte of GDS, address lo; address hi 7:0. */
enum cayman_append_count_source {
   APPEND_COUNT_FROM_PACKET = 0,
   APPEND_COUNT_FROM_REGISTER = 1,
   APPEND_COUNT_FROM_GDS = 2,
   APPEND_COUNT_FROM_MEM = 3,
};

/* SET_PREDICATION: address lo (15:0 of bits 31:4), address hi 7:0 | the bits below. */
#define PREDICATION_OP(x)        ((uint32_t)(x) << 16)
#define PREDICATION_DRAW_VISIBLE (1u << 8)
#define PREDICATION_HINT_NOWAIT  (1u << 12)
#define PREDICATION_CONTINUE     (1u << 31)
enum cayman_predication_op {
   PREDICATION_CLEAR = 0,
   PREDICATION_ZPASS = 1,
   PREDICATION_PRIMCOUNT = 2,
};

/* STRMOUT_BUFFER_UPDATE: control, dst lo, dst hi, src lo (or value), src hi. */
#define STRMOUT_STORE_FILLED_SIZE 1u
#define STRMOUT_OFFSET_SOURCE(x)  ((uint32_t)(x) << 1)
#define STRMOUT_SELECT_BUFFER(x)  ((uint32_t)(x) << 8)
enum cayman_strmout_offset_source {
   STRMOUT_OFFSET_FROM_PACKET = 0,
   STRMOUT_OFFSET_FROM_VGT_FILLED_SIZE = 1,
   STRMOUT_OFFSET_FROM_MEM = 2,
   STRMOUT_OFFSET_NONE = 3,
};

/* WAIT_REG_MEM: function 2:0 | memory 4, address lo (or register dword), hi, reference, mask, poll.
 * */
#define WAIT_REG_MEM_MEMORY (1u << 4)
enum cayman_wait_function {
   WAIT_ALWAYS = 0,
   WAIT_LESS = 1,
   WAIT_LEQUAL = 2,
   WAIT_EQUAL = 3,
   WAIT_NOTEQUAL = 4,
   WAIT_GEQUAL = 5,
   WAIT_GREATER = 6,
};

/*
 * CP_DMA: src lo or data; CP_SYNC 31 | SRC_SEL 30:29 | ENGINE 27 | DST_SEL 21:20 | src hi 7:0;
 * dst lo; dst hi 7:0; command 31:22 | byte count 20:0.
 */
#define CP_DMA_SYNC       (1u << 31)
#define CP_DMA_SRC_SEL(x) ((uint32_t)(x) << 29)
#define CP_DMA_DST_SEL(x) ((uint32_t)(x) << 20)
#define CP_DMA_SAS        (1u << 26) /* in the command dword: source is a register space */
#define CP_DMA_DAS        (1u << 27)
#define CP_DMA_MAX_BYTES  0x1FFFFFu
enum cayman_cp_dma_src {
   CP_DMA_SRC_ADDRESS = 0,
   CP_DMA_SRC_GDS = 1,
   CP_DMA_SRC_DATA = 2,
};
enum cayman_cp_dma_dst {
   CP_DMA_DST_ADDRESS = 0,
   CP_DMA_DST_GDS = 1,
};

/*
 * COND_WRITE: function 2:0 as in WAIT_REG_MEM | what is compared is memory 4 | what is written is
 * memory 8; compared address lo (or register dword), hi, reference, mask; written address lo (or
 * register dword), hi, value.
 */
#define COND_WRITE_POLL_MEMORY (1u << 4)
#define COND_WRITE_MEMORY      (1u << 8)

/* COND_EXEC: address lo, hi, dwords 13:0 of the stream to skip where the dword there is zero. */
#define COND_EXEC_MAX_DWORDS 0x3FFFu

/*
 * DRAW_INDEX_MULTI_AUTO: primitive groups, initiator, then a dword a group: first vertex 15:0 |
 * type of primitive 20:16, as in VGT_PRIMITIVE_TYPE | vertices 31:21.
 * DRAW_INDEX_OFFSET_2: indices in the buffer at INDEX_BASE, first index, indices, initiator.
 */

/* COPY_DW: dst is memory 1 | src is memory 0; src lo, hi; dst lo (or register dword), hi. */
#define COPY_DW_SRC_MEM 1u
#define COPY_DW_DST_MEM 2u

/** DMA ring: packet 31:28, sub-operation 27:20, count 19:0. */
enum cayman_dma_opcode {
   DMA_WRITE = 0x2,
   DMA_COPY = 0x3,
   DMA_INDIRECT_BUFFER = 0x4,
   DMA_SEMAPHORE = 0x5,
   DMA_FENCE = 0x6,
   DMA_TRAP = 0x7,
   DMA_SRBM_WRITE = 0x9,
   DMA_CONSTANT_FILL = 0xD,
   DMA_NOP = 0xF,
};
enum cayman_dma_copy {
   DMA_COPY_DWORD_ALIGNED = 0x00, /* count in dwords */
   DMA_COPY_TILED = 0x08,         /* linear <-> tiled, count in dwords */
   DMA_COPY_BYTE_ALIGNED = 0x40,  /* count in bytes */
};
#define DMA_COPY_MAX_COUNT 0xFFFFFu
#define DMA_PAD            0xF0000000u

static inline uint32_t
dma_header(enum cayman_dma_opcode opcode, uint32_t sub, uint32_t count)
{
   return (uint32_t)opcode << 28 | (sub & 0xFF) << 20 | (count & 0xFFFFF);
}
static inline uint32_t
dma_op(uint32_t header)
{
   return header >> 28;
}
static inline uint32_t
dma_sub(uint32_t header)
{
   return header >> 20 & 0xFF;
}
static inline uint32_t
dma_count(uint32_t header)
{
   return header & 0xFFFFF;
}

#endif
