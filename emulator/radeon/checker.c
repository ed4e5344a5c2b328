/* SPDX-License-Identifier: MIT */
/*
 * The checker's packets and relocations.
 *
 *   1. A packet is one that the table (cayman/packets.def) admits for this kind of client, has the
 *      length that the table demands, and ends within the stream.
 *   2. Each address in a packet has a relocation: a NOP packet of one dword, after the packet.  The
 *      dword counts dwords of the RELOCS chunk, which has four for each buffer.  A packet with
 *      several addresses has its relocations in the order of these.
 *   3. What the packet reads or writes there lies inside of the buffer.
 *   4. A rule of the packet's own (rule_*) says what else must hold.
 *
 * Example: copy 256 bytes from offset 0x100 of buffer 2 to the start of buffer 0.
 *
 *    CP_DMA  0x00000100 0 0x00000000 0 256       source, target, bytes
 *    NOP     8                                   buffer 8 / 4 = 2: its address is added to 0x100
 *    NOP     0                                   buffer 0: its address is added to 0
  */
#include "radeon/checker_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <radeon_drm.h>

#include <atoll/cayman/r600.h>

#include "chip/chip.h"
#include "frontdoor/report.h"

int
stream_refuse(const struct stream *s, const char *format, ...)
{
   uint32_t header = s->words[s->at];
   char text[200];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   report_message(s->checker->report, "client %llu: CS refused at dword %u, %s (0x%08X): %s",
                  (unsigned long long)s->checker->client, s->at,
                  pm4_type(header) == 3 ? pm4_opcode_name(pm4_op(header)) : "packet", header, text);
   return -EINVAL;
}

/* ---- Relocations ---- */

static bool
next_is_relocation(const struct stream *s)
{
   return s->next + 1 < s->num_words && pm4_type(s->words[s->next]) == 3 &&
          pm4_op(s->words[s->next]) == PM4_NOP && pm4_payload(s->words[s->next]) == 1;
}

/* The next relocation's buffer; NULL after a message when there is none. */
static const struct checker_buffer *
relocation(struct stream *s, const char *what)
{
   uint32_t number;

   if (!next_is_relocation(s)) {
      stream_refuse(s, "no relocation for %s", what);
      return NULL;
   }
   number = s->words[s->next + 1] / 4;
   if (number >= s->checker->num_buffers) {
      stream_refuse(s, "the relocation for %s names buffer %u of %u", what, number,
                    s->checker->num_buffers);
      return NULL;
   }
   s->next += 2;
   return &s->checker->buffers[number];
}

/* Relocates an address: its bits of `mask` are in payload dword `low`, and bits 39:32 in dword
 * `high`.  Where `bytes` is not 0, that many at the address must lie inside the buffer. */
static int
relocate_address(struct stream *s, uint32_t low, uint32_t high, uint32_t mask, uint64_t bytes,
                 const char *what)
{
   const struct checker_buffer *buffer = relocation(s, what);
   uint32_t *p = s->words + s->at + 1;
   uint64_t offset, address;

   if (!buffer)
      return -EINVAL;
   offset = (p[low] & mask) | (uint64_t)(p[high] & 0xff) << 32;
   if (bytes && (offset > buffer->size || bytes > buffer->size - offset))
      return stream_refuse(s, "%s: %llu bytes at %llu of a buffer of %llu", what,
                           (unsigned long long)bytes, (unsigned long long)offset,
                           (unsigned long long)buffer->size);
   address = buffer->va + offset;
   p[low] = (p[low] & ~mask) | ((uint32_t)address & mask);
   p[high] = (p[high] & ~0xffu) | ((uint32_t)(address >> 32) & 0xff);
   return 0;
}

/* ---- Tiling of buffers that clients of old describe by flags instead of registers ---- */

static uint32_t
log2_field(uint32_t value)
{
   return value >= 8 ? 3 : value >= 4 ? 2 : value >= 2 ? 1 : 0;
}

static uint32_t
array_mode(uint32_t tiling)
{
   return tiling & RADEON_TILING_MACRO   ? ARRAY_2D_TILED_THIN1
          : tiling & RADEON_TILING_MICRO ? ARRAY_1D_TILED_THIN1
                                         : ARRAY_LINEAR_GENERAL;
}

struct tiling_fields {
   uint32_t bank_width, bank_height, aspect, split;
};

static struct tiling_fields
tiling_fields(uint32_t tiling)
{
   return (struct tiling_fields){
      .bank_width =
         log2_field(tiling >> RADEON_TILING_EG_BANKW_SHIFT & RADEON_TILING_EG_BANKW_MASK),
      .bank_height =
         log2_field(tiling >> RADEON_TILING_EG_BANKH_SHIFT & RADEON_TILING_EG_BANKH_MASK),
      .aspect = log2_field(tiling >> RADEON_TILING_EG_MACRO_TILE_ASPECT_SHIFT &
                           RADEON_TILING_EG_MACRO_TILE_ASPECT_MASK),
      .split = tiling >> RADEON_TILING_EG_TILE_SPLIT_SHIFT & RADEON_TILING_EG_TILE_SPLIT_MASK,
   };
}

static bool
takes_tiling(uint32_t address)
{
   uint32_t n = address - R_CB_COLOR0_INFO, m = address - R_CB_COLOR8_INFO;

   return address == R_DB_Z_INFO ||
          (n % CB_COLOR0_INFO__STRIDE == 0 && n / CB_COLOR0_INFO__STRIDE < CB_COLOR0_INFO__COUNT) ||
          (m % CB_COLOR8_INFO__STRIDE == 0 && m / CB_COLOR8_INFO__STRIDE < CB_COLOR8_INFO__COUNT);
}

static void
set_tiling(const struct chip *chip, uint32_t address, uint32_t tiling, uint32_t *value)
{
   struct tiling_fields f = tiling_fields(tiling);

   if (address == R_DB_Z_INFO) {
      *value &= ~REG_FIELD_MASK(DB_Z_INFO, ARRAY_MODE);
      *value |= REG_FIELD(DB_Z_INFO, ARRAY_MODE, array_mode(tiling));
      if (tiling & RADEON_TILING_MACRO)
         *value |= REG_FIELD(DB_Z_INFO, NUM_BANKS, chip->num_banks) |
                   REG_FIELD(DB_Z_INFO, TILE_SPLIT, f.split) |
                   REG_FIELD(DB_Z_INFO, BANK_WIDTH, f.bank_width) |
                   REG_FIELD(DB_Z_INFO, BANK_HEIGHT, f.bank_height) |
                   REG_FIELD(DB_Z_INFO, MACRO_TILE_ASPECT, f.aspect);
   } else if (takes_tiling(address)) {
      *value |= REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, array_mode(tiling));
   } else if (tiling & RADEON_TILING_MACRO) {
      *value |= REG_FIELD(CB_COLOR0_ATTRIB, NUM_BANKS, chip->num_banks) |
                REG_FIELD(CB_COLOR0_ATTRIB, TILE_SPLIT, f.split) |
                REG_FIELD(CB_COLOR0_ATTRIB, BANK_WIDTH, f.bank_width) |
                REG_FIELD(CB_COLOR0_ATTRIB, BANK_HEIGHT, f.bank_height) |
                REG_FIELD(CB_COLOR0_ATTRIB, MACRO_TILE_ASPECT, f.aspect);
   }
}

/* ---- Packets ---- */

/* With virtual memory no context register can do harm. */
static bool
writable(const struct checker *c, uint32_t address)
{
   return checker_register_class(c->chip, address) != FORBIDDEN ||
          (!c->relocate && address >= CAYMAN_CONTEXT_BASE && address < CAYMAN_CONTEXT_END);
}

/* R600's and R700's.  Those that hold a surface's tiling may have a relocation, and those of what
 * is beside a colour target: where there is none, it lies in the target's buffer. */
static int
set_old_register(struct stream *s, uint32_t address, enum checker_class class, uint32_t *value)
{
   const struct checker *c = s->checker;
   const struct checker_buffer *buffer = NULL;
   char what[32];

   if (c->relocate && (class == ADDRESS || (class == RELOCATION && next_is_relocation(s)))) {
      snprintf(what, sizeof(what), "register 0x%05X", address);
      buffer = relocation(s, what);
      if (!buffer)
         return -EINVAL;
   }
   if (buffer && !checker_holds_tiling(address))
      *value += (uint32_t)(buffer->va >> 8);
   return 0;
}

static int
set_register(struct stream *s, uint32_t address, uint32_t *value)
{
   const struct checker *c = s->checker;
   const struct checker_buffer *buffer = NULL;
   enum checker_class class = checker_register_class(c->chip, address);
   char what[32];

   if (c->strict && !writable(c, address))
      return stream_refuse(s, "register 0x%05X may not be written", address);
   if (c->chip->old)
      return set_old_register(s, address, class, value);
   if (c->relocate &&
       (class == ADDRESS || class == RELOCATION || (!c->keep_tiling && takes_tiling(address)))) {
      snprintf(what, sizeof(what), "register 0x%05X", address);
      buffer = relocation(s, what);
      if (!buffer)
         return -EINVAL;
   }
   if (address >= CAYMAN_CONTEXT_BASE) {
      uint32_t n = (address - CAYMAN_CONTEXT_BASE) / 4;

      s->context[n] = *value;
      s->buffer[n] = buffer;
   }
   if (buffer && class == ADDRESS)
      *value += (uint32_t)(buffer->va >> 8);
   else if (buffer && !c->keep_tiling)
      set_tiling(c->chip, address, buffer->tiling, value);
   /* The kernel knows tiles of 8 x 8 alone and sets them. */
   if (c->relocate && address == R_DB_HTILE_SURFACE)
      *value |= 3;
   return 0;
}

static int
set_registers(struct stream *s, uint32_t base, uint32_t end)
{
   uint32_t *p = s->words + s->at + 1, count = pm4_payload(s->words[s->at]) - 1;
   uint64_t first = base + (uint64_t)p[0] * 4;

   if (count && (first >= end || first + (count - 1) * 4 >= end))
      return stream_refuse(s, "registers 0x%llX.. of a range that ends at 0x%X",
                           (unsigned long long)first, end);
   for (uint32_t i = 0; i < count; i++) {
      int result = set_register(s, (uint32_t)first + i * 4, &p[1 + i]);

      if (result)
         return result;
   }
   return 0;
}

static int
set_texture(struct stream *s, uint32_t *words)
{
   const struct checker *c = s->checker;
   const struct checker_buffer *base, *mip = NULL;
   uint32_t dimension = words[0] & 7;

   base = relocation(s, "a texture");
   if (!base)
      return -EINVAL;
   if (!c->keep_tiling) {
      struct tiling_fields f = tiling_fields(base->tiling);

      words[1] |= array_mode(base->tiling) << 28;
      if (base->tiling & RADEON_TILING_MACRO) {
         words[6] |= f.split << 29;
         words[7] |= f.aspect << 6 | f.bank_width << 8 | f.bank_height << 10 |
                     (uint32_t)c->chip->num_banks << 16;
      }
   }
   /* The second address of a multisampled texture is its FMASK, if it has one. */
   if (!((dimension == SQ_TEX_DIM_2D_MSAA || dimension == SQ_TEX_DIM_2D_ARRAY_MSAA) && !words[3] &&
         !next_is_relocation(s))) {
      mip = relocation(s, "a texture's levels");
      if (!mip)
         return -EINVAL;
   }
   if (c->strict) {
      int result = stream_check_texture(s, words, base, mip);

      if (result)
         return result;
   }
   words[2] += (uint32_t)(base->va >> 8);
   words[3] += mip ? (uint32_t)(mip->va >> 8) : 0;
   return 0;
}

static int
set_buffer(struct stream *s, uint32_t *words)
{
   const struct checker_buffer *buffer = relocation(s, "a vertex buffer");
   uint64_t address;

   if (!buffer)
      return -EINVAL;
   if ((uint64_t)words[0] + words[1] > buffer->size)
      words[1] = (uint32_t)(buffer->size - (words[0] < buffer->size ? words[0] : buffer->size));
   address = buffer->va + words[0];
   words[0] = (uint32_t)address;
   words[2] = (words[2] & ~0xffu) | ((uint32_t)(address >> 32) & 0xff);
   return 0;
}

/* R600's and R700's, of seven dwords.  A texture has two relocations, always. */
static int
set_old_resources(struct stream *s, uint32_t *p, uint32_t count)
{
   if (count % R600_RESOURCE_DWORDS || p[0] % R600_RESOURCE_DWORDS)
      return stream_refuse(s, "%u dwords are no whole number of resources", count);
   if ((uint64_t)p[0] + count > (R600_RESOURCE_END - R600_RESOURCE_BASE) / 4)
      return stream_refuse(s, "resource %u of %u", p[0] / R600_RESOURCE_DWORDS,
                           R600_RESOURCE_COUNT);
   for (uint32_t i = 0; s->checker->relocate && i < count; i += R600_RESOURCE_DWORDS) {
      uint32_t *words = p + 1 + i;
      const uint32_t type = REG_FIELD_GET(words[6], R600_TEX_WORD6, TYPE);
      int result = 0;

      if (type == SQ_RESOURCE_BUFFER) {
         result = set_buffer(s, words);
      } else if (type == SQ_RESOURCE_TEXTURE) {
         for (unsigned n = 2; n < 4 && !result; n++) {
            const struct checker_buffer *buffer = relocation(s, "a texture");

            if (buffer)
               words[n] += (uint32_t)(buffer->va >> 8);
            else
               result = -EINVAL;
         }
      } else {
         result = stream_refuse(s, "a resource of type %u", type);
      }
      if (result)
         return result;
   }
   return 0;
}

static int
rule_set_resource(struct stream *s)
{
   uint32_t *p = s->words + s->at + 1, count = pm4_payload(s->words[s->at]) - 1;
   uint64_t first = CAYMAN_RESOURCE_BASE + (uint64_t)p[0] * 4;

   if (s->checker->chip->old)
      return set_old_resources(s, p, count);
   if (count % CAYMAN_RESOURCE_DWORDS)
      return stream_refuse(s, "%u dwords are no whole number of resources", count);
   if (count && first + (count - 1) * 4 >= CAYMAN_RESOURCE_END)
      return stream_refuse(s, "resource %u of %u", p[0] / CAYMAN_RESOURCE_DWORDS,
                           CAYMAN_RESOURCE_COUNT);
   for (uint32_t i = 0; s->checker->relocate && i < count; i += CAYMAN_RESOURCE_DWORDS) {
      uint32_t *words = p + 1 + i;
      int result;

      switch (words[7] >> 30) {
      case SQ_RESOURCE_TEXTURE:
         result = set_texture(s, words);
         break;
      case SQ_RESOURCE_BUFFER:
         result = set_buffer(s, words);
         break;
      default:
         result = stream_refuse(s, "a resource of type %u", words[7] >> 30);
      }
      if (result)
         return result;
   }
   return 0;
}

static int
rule_set_config(struct stream *s)
{
   return set_registers(s, CAYMAN_CONFIG_BASE, CAYMAN_CONFIG_END);
}

static int
rule_set_context(struct stream *s)
{
   return set_registers(s, CAYMAN_CONTEXT_BASE, CAYMAN_CONTEXT_END);
}

/* Other ranges: only their ends matter. */
static int
check_range(struct stream *s, uint32_t base, uint32_t end, uint32_t multiple)
{
   uint32_t count = pm4_payload(s->words[s->at]) - 1;
   uint64_t first = base + (uint64_t)s->words[s->at + 1] * 4;

   if (count % multiple)
      return stream_refuse(s, "%u dwords, not a multiple of %u", count, multiple);
   if (count && first + (count - 1) * 4 >= end)
      return stream_refuse(s, "address 0x%llX of a range that ends at 0x%X",
                           (unsigned long long)(first + (count - 1) * 4), end);
   return 0;
}

static int
rule_set_loop(struct stream *s)
{
   if (s->checker->chip->old)
      return check_range(s, 0, R600_LOOP_CONST_END, 1);
   return check_range(s, CAYMAN_LOOP_CONST_BASE, CAYMAN_LOOP_CONST_END, 1);
}

static int
rule_set_bool(struct stream *s)
{
   if (s->checker->chip->old)
      return check_range(s, 0, R600_BOOL_CONST_END, 1);
   return check_range(s, CAYMAN_BOOL_CONST_BASE, CAYMAN_BOOL_CONST_END, 1);
}

static int
rule_set_sampler(struct stream *s)
{
   return check_range(s, CAYMAN_SAMPLER_BASE, CAYMAN_SAMPLER_END, CAYMAN_SAMPLER_DWORDS);
}

static int
rule_set_ctl(struct stream *s)
{
   return check_range(s, CAYMAN_CTL_CONST_BASE, CAYMAN_CTL_CONST_END, 1);
}

static int
rule_dma(struct stream *s)
{
   const uint32_t *p = s->words + s->at + 1;
   uint32_t source = p[1] >> 29 & 3, target = p[1] >> 20 & 3, bytes = p[4] & CP_DMA_MAX_BYTES;
   bool registers = p[4] & (CP_DMA_SAS | CP_DMA_DAS);
   int result = 0;

   if ((source != CP_DMA_SRC_ADDRESS || target != CP_DMA_DST_ADDRESS || registers) && bytes % 4)
      return stream_refuse(s, "%u bytes, not whole dwords", bytes);
   if (!s->checker->relocate)
      return 0;
   if ((p[4] & CP_DMA_SAS && source != CP_DMA_SRC_GDS) ||
       (p[4] & CP_DMA_DAS && target != CP_DMA_DST_GDS))
      return stream_refuse(s, "reads or writes registers");
   if (!(p[4] & CP_DMA_SAS)) {
      if (source == CP_DMA_SRC_ADDRESS)
         result = relocate_address(s, 0, 1, ~0u, bytes, "the source");
      else if (source != CP_DMA_SRC_DATA)
         result = stream_refuse(s, "source %u", source);
   }
   if (!result && !(p[4] & CP_DMA_DAS)) {
      if (target == CP_DMA_DST_ADDRESS)
         result = relocate_address(s, 2, 3, ~0u, bytes, "the destination");
      else
         result = stream_refuse(s, "destination %u", target);
   }
   return result;
}

/* A dword that a packet reads: memory, or a register named by its dword. */
static int
read_dword(struct stream *s, bool memory, uint32_t low, uint32_t bytes)
{
   const uint32_t *p = s->words + s->at + 1;
   const bool relocate = s->checker->relocate;

   if (memory)
      return relocate ? relocate_address(s, low, low + 1, ~0u, bytes, "the source") : 0;
   if (s->checker->strict && relocate &&
       checker_register_class(s->checker->chip, p[low] << 2) != FREE)
      return stream_refuse(s, "register 0x%05X may not be read", p[low] << 2);
   return 0;
}

static int
write_dword(struct stream *s, bool memory, uint32_t low, uint32_t bytes)
{
   const uint32_t *p = s->words + s->at + 1;
   const bool relocate = s->checker->relocate;

   if (memory)
      return relocate ? relocate_address(s, low, low + 1, ~0u, bytes, "the destination") : 0;
   if (s->checker->strict &&
       (relocate ? checker_register_class(s->checker->chip, p[low] << 2) != FREE
                 : !writable(s->checker, p[low] << 2)))
      return stream_refuse(s, "register 0x%05X may not be written", p[low] << 2);
   return 0;
}

static int
rule_copy_dw(struct stream *s)
{
   const uint32_t control = s->words[s->at + 1];
   int result = read_dword(s, control & COPY_DW_SRC_MEM, 1, 4);

   return result ? result : write_dword(s, control & COPY_DW_DST_MEM, 3, 4);
}

static int
rule_cond_write(struct stream *s)
{
   const uint32_t control = s->words[s->at + 1];
   int result = read_dword(s, control & COND_WRITE_POLL_MEMORY, 1, 8);

   return result ? result : write_dword(s, control & COND_WRITE_MEMORY, 5, 8);
}

static int
rule_cond_exec(struct stream *s)
{
   const uint32_t *p = s->words + s->at + 1;

   if (!s->checker->relocate)
      return 0;
   if (p[0] & 7)
      return stream_refuse(s, "an address that is no multiple of 8");
   return relocate_address(s, 0, 1, ~0u, 8, "the condition");
}

static int
rule_strmout_update(struct stream *s)
{
   uint32_t control = s->words[s->at + 1];
   int result = 0;

   if (!s->checker->relocate)
      return 0;
   if (control & STRMOUT_STORE_FILLED_SIZE)
      result = relocate_address(s, 1, 2, ~0u, 4, "the destination");
   if (!result && (control >> 1 & 3) == STRMOUT_OFFSET_FROM_MEM)
      result = relocate_address(s, 3, 4, ~0u, 4, "the source");
   return result;
}

static int
rule_strmout_base(struct stream *s)
{
   const struct checker_buffer *buffer;
   uint32_t *p = s->words + s->at + 1;

   if (!s->checker->relocate)
      return 0;
   buffer = relocation(s, "the streamout buffer");
   if (!buffer)
      return -EINVAL;
   p[1] += (uint32_t)(buffer->va >> 8);
   return 0;
}

static int
rule_set_base(struct stream *s)
{
   uint32_t *p = s->words + s->at + 1;

   if (p[0] != 1)
      return stream_refuse(s, "base %u, only 1 is known", p[0]);
   if (!s->checker->relocate)
      return 0;
   s->indirect = relocation(s, "the base");
   if (!s->indirect)
      return -EINVAL;
   p[1] = (uint32_t)s->indirect->va;
   p[2] = (uint32_t)(s->indirect->va >> 32) & 0xff;
   return 0;
}

static int
draw_indirect(struct stream *s, uint32_t bytes)
{
   uint64_t end = (uint64_t)s->words[s->at + 1] + bytes;

   if (s->checker->relocate && end > (s->indirect ? s->indirect->size : 0))
      return stream_refuse(s, "arguments end at byte %llu of %llu", (unsigned long long)end,
                           (unsigned long long)(s->indirect ? s->indirect->size : 0));
   return 0;
}

static int
rule_draw_indirect(struct stream *s)
{
   return draw_indirect(s, 16);
}

static int
rule_draw_index_indirect(struct stream *s)
{
   return draw_indirect(s, 20);
}

static int
rule_set_predication(struct stream *s)
{
   uint32_t operation = s->words[s->at + 2] >> 16 & 7;

   if (operation > PREDICATION_PRIMCOUNT)
      return stream_refuse(s, "operation %u", operation);
   if (operation == PREDICATION_CLEAR || !s->checker->relocate)
      return 0;
   return relocate_address(s, 0, 1, ~15u, 0, "the query");
}

static int
rule_event_write(struct stream *s)
{
   uint32_t count = pm4_payload(s->words[s->at]);

   if (count != 1 && count != 3)
      return stream_refuse(s, "%u payload dwords, not 1 or 3", count);
   if (count == 1 || !s->checker->relocate)
      return 0;
   return relocate_address(s, 1, 2, ~7u, 0, "the event's data");
}

static int
rule_surface_sync(struct stream *s)
{
   uint32_t *p = s->words + s->at + 1;
   const struct checker_buffer *buffer;

   if (!s->checker->relocate || (p[1] == 0xffffffff && p[2] == 0))
      return 0;
   buffer = relocation(s, "the surface");
   if (!buffer)
      return -EINVAL;
   p[2] += (uint32_t)(buffer->va >> 8);
   return 0;
}

static int
rule_mem_write(struct stream *s)
{
   if (!s->checker->relocate)
      return 0;
   if (s->words[s->at + 1] & 7)
      return stream_refuse(s, "an address that is no multiple of 8");
   return relocate_address(s, 0, 1, ~0u, 8, "the destination");
}

static int
rule_wait_reg_mem(struct stream *s)
{
   uint32_t control = s->words[s->at + 1];

   if (!s->checker->relocate)
      return 0;
   if (control & WAIT_REG_MEM_MEMORY)
      return relocate_address(s, 1, 2, ~3u, 0, "what is waited for");
   return control & 0x100 ? stream_refuse(s, "the prefetcher cannot wait for registers") : 0;
}

static int
rule_dispatch_indirect(struct stream *s)
{
   const struct checker_buffer *buffer;

   if (!s->checker->relocate)
      return 0;
   buffer = relocation(s, "the arguments");
   if (!buffer)
      return -EINVAL;
   if (buffer->va + s->words[s->at + 1] > UINT32_MAX)
      return stream_refuse(s, "arguments above 4 GiB");
   s->words[s->at + 1] += (uint32_t)buffer->va;
   return 0;
}

/* Loads one of the append counters from memory. */
#define FIRST_COUNTER ((R_GDS_APPEND_COUNT_0 - CAYMAN_CONTEXT_BASE) / 4)

static int
rule_set_append_count(struct stream *s)
{
   uint32_t control = s->words[s->at + 1], counter = control >> 16;

   if (counter < FIRST_COUNTER || counter >= FIRST_COUNTER + GDS_APPEND_COUNT_0__COUNT)
      return stream_refuse(s, "register 0x%05X is no append counter",
                           CAYMAN_CONTEXT_BASE + counter * 4);
   if ((control & 3) != APPEND_COUNT_FROM_MEM)
      return stream_refuse(s, "source %u", control & 3);
   return s->checker->relocate ? relocate_address(s, 1, 2, ~3u, 0, "the source") : 0;
}

static int
rule_indices_at_0(struct stream *s)
{
   return s->checker->relocate ? relocate_address(s, 0, 1, ~0u, 0, "the indices") : 0;
}

static int
rule_indices_at_1(struct stream *s)
{
   return s->checker->relocate ? relocate_address(s, 1, 2, ~0u, 0, "the indices") : 0;
}

static int
rule_immediate_indices(struct stream *s)
{
   return pm4_payload(s->words[s->at]) < 3 ? stream_refuse(s, "no indices") : 0;
}

static int
rule_event_data(struct stream *s)
{
   return s->checker->relocate ? relocate_address(s, 1, 2, ~3u, 0, "the event's data") : 0;
}

/* Where the kernel lets a packet stand; DRAW_BOTH (cayman/packets.def) is BOTH, and draws. */
enum admitted {
   NEITHER = 0,
   RELOCATED = 1,
   VIRTUAL = 2,
   BOTH = RELOCATED | VIRTUAL,
   DRAWS = 4,
   OLD = 8,
   DRAW_BOTH = BOTH | DRAWS,
};

#define ANY       0
#define rule_none NULL

static const struct {
   int (*rule)(struct stream *s);
   uint8_t demands; /* payload dwords, or ANY */
   uint8_t admitted;
} packets[256] = {
#define PACKET(name, opcode, needs, demands, admitted, rule, run, registers) \
   [opcode] = { rule_##rule, demands, admitted },
#include <atoll/cayman/packets.def>
};

/* Registers that no stream has written yet, as the kernel assumes them. */
static void
start(struct stream *s)
{
   static const uint32_t ones[] = { R_DB_DEPTH_CONTROL, R_DB_DEPTH_VIEW, R_DB_DEPTH_SIZE,
                                    R_DB_DEPTH_SLICE,   R_DB_Z_INFO,     R_DB_STENCIL_INFO,
                                    R_CB_TARGET_MASK };

   for (size_t i = 0; i < sizeof(ones) / sizeof(*ones); i++)
      s->context[(ones[i] - CAYMAN_CONTEXT_BASE) / 4] = UINT32_MAX;
}

int
checker_graphics(const struct checker *checker, uint32_t *words, uint32_t num_words)
{
   struct stream s = { .checker = checker, .words = words, .num_words = num_words };
   const bool old = checker->chip->old;

   start(&s);
   while (s.at < num_words) {
      uint32_t header = words[s.at], op = pm4_op(header), payload = pm4_payload(header);
      int result;

      if (pm4_type(header) == 2) {
         s.at++;
         continue;
      }
      if (pm4_type(header) != 3)
         return stream_refuse(&s, "a packet of type %u", pm4_type(header));
      if (payload > num_words - s.at - 1)
         return stream_refuse(&s, "%u payload dwords, %u left in the stream", payload,
                              num_words - s.at - 1);
      if (old && op == PM4_START_3D_CMDBUF && payload == 1) {
         s.at += 2;
         continue;
      }
      if (!(packets[op].admitted & (checker->relocate ? RELOCATED : VIRTUAL)) &&
          !(old && packets[op].admitted & OLD))
         return stream_refuse(&s, "streams may not hold this packet");
      if (packets[op].demands != ANY && payload != packets[op].demands)
         return stream_refuse(&s, "%u payload dwords, not %u", payload, packets[op].demands);
      s.next = s.at + 1 + payload;
      result = packets[op].rule ? packets[op].rule(&s) : 0;
      /* Of surfaces the rules of R600 and R700 are not known here. */
      if (!result && checker->strict && checker->relocate && packets[op].admitted & DRAWS && !old)
         result = stream_check_targets(&s);
      if (result)
         return result;
      s.at = s.next;
   }
   return 0;
}
