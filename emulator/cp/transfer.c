/* SPDX-License-Identifier: MIT */
/*
 * Packets by which CP itself moves data: CP_DMA, MEM_WRITE, COPY_DW, COND_WRITE, the streamout
 * offsets, the append counters; WAIT_REG_MEM, which waits for data to arrive; and COND_EXEC, which
 * looks at a dword of memory.
 */
#include "cp/internal.h"

#include <string.h>
#include <time.h>

#define CYCLE_BYTES 16u /* copied or filled in a cycle of the budget */

/* Copies between memory and GDS through a bounce buffer: the ranges may overlap or have holes. */
static void
copy(const struct cp *cp, bool to_gds, uint64_t dst, bool from_gds, uint64_t src, uint32_t bytes)
{
   struct cp_state *s = cp->s;
   uint8_t chunk[4096];

   if ((to_gds && (dst >= CP_GDS_BYTES || bytes > CP_GDS_BYTES - dst)) ||
       (from_gds && (src >= CP_GDS_BYTES || bytes > CP_GDS_BYTES - src))) {
      cp_complain(cp, "copies %u bytes beyond GDS", bytes);
      return;
   }
   if (!to_gds && !from_gds && vm_extent(cp->env->vm, src, bytes) == bytes &&
       vm_extent(cp->env->vm, dst, bytes) == bytes && (dst + bytes <= src || src + bytes <= dst)) {
      memcpy(vm_pointer(cp->env->vm, dst), vm_pointer(cp->env->vm, src), bytes);
      return;
   }
   for (uint32_t at = 0; at < bytes;) {
      uint32_t n = bytes - at < sizeof(chunk) ? bytes - at : sizeof(chunk);

      if (from_gds)
         memcpy(chunk, s->gds + src + at, n);
      else
         cp_read(cp, src + at, chunk, n);
      if (to_gds)
         memcpy(s->gds + dst + at, chunk, n);
      else
         cp_write(cp, dst + at, chunk, n);
      at += n;
   }
}

static void
fill(const struct cp *cp, bool to_gds, uint64_t dst, uint32_t value, uint32_t bytes)
{
   if (to_gds && (dst >= CP_GDS_BYTES || bytes > CP_GDS_BYTES - dst)) {
      cp_complain(cp, "fills %u bytes beyond GDS", bytes);
      return;
   }
   for (uint32_t at = 0; to_gds && at < bytes; at += 4)
      memcpy(cp->s->gds + dst + at, &value, bytes - at < 4 ? bytes - at : 4);
   if (!to_gds)
      cp_check_written(cp, dst, bytes, vm_fill(cp->env->vm, dst, value, bytes));
}

bool
cp_may_copy(const struct cp_env *env, uint64_t bytes)
{
   return gfx_spend(env->gfx, bytes / CYCLE_BYTES);
}

/* Rows of pixels: copies from memory to memory, each a packet, that are alike but for addresses
 * which grow by the same from one to the next. */
struct rows {
   uint64_t src, dst, src_step, dst_step;
   uint32_t bytes, count; /* of a row; rows */
};

#define DMA_DWORDS 6u /* of a packet with its header */
/* All together are no more than one packet may copy. */
#define ROWS_MAX  128u
#define ROW_BYTES (CP_DMA_MAX_BYTES / ROWS_MAX)

/* Those that begin with this packet, one at least, as far as the IB goes. */
static struct rows
find_rows(const struct cp *cp, uint64_t src, uint64_t dst, uint32_t bytes)
{
   struct rows r = { src, dst, 0, 0, bytes, 1 };
   const uint32_t *first = cp->payload, *next = first + DMA_DWORDS;
   const uint32_t room = 1 + cp->left / DMA_DWORDS, most = room < ROWS_MAX ? room : ROWS_MAX;

   if (cp->env->trace || cp->count + 1 != DMA_DWORDS || bytes > ROW_BYTES || most == 1)
      return r;
   r.src_step = cp_address(next[0], next[1]) - src;
   r.dst_step = cp_address(next[2], next[3]) - dst;
   if (r.src_step > UINT32_MAX || r.dst_step > UINT32_MAX)
      return r;
   for (; r.count < most; r.count++, next += DMA_DWORDS) {
      const uint32_t other = (next[-1] ^ cp->header) | (next[4] ^ first[4]) |
                             (((next[1] ^ first[1]) | (next[3] ^ first[3])) & ~0xffu);

      src += r.src_step;
      dst += r.dst_step;
      if (other || cp_address(next[0], next[1]) != src || cp_address(next[2], next[3]) != dst)
         break;
   }
   return r;
}

/* Copies rows as their packets would one after the other.  False: some of it is not mapped, or
 * there is none. */
static bool
copy_rows(const struct cp *cp, const struct rows *r)
{
   const struct vm *vm = cp->env->vm;
   const uint64_t src_span = (r->count - 1) * r->src_step + r->bytes;
   const uint64_t dst_span = (r->count - 1) * r->dst_step + r->bytes;

   if (!r->bytes || vm_extent(vm, r->src, src_span) != src_span ||
       vm_extent(vm, r->dst, dst_span) != dst_span)
      return false;
   const uint8_t *from = vm_pointer(vm, r->src);
   uint8_t *to = vm_pointer(vm, r->dst);

   /* One by one only where the budget ends among them. */
   const uint64_t cycles = (uint64_t)r->count * (r->bytes / CYCLE_BYTES);
   const bool paid = gfx_affords(cp->env->gfx, cycles) && gfx_spend(cp->env->gfx, cycles);

   for (uint32_t n = 0; n < r->count && (paid || cp_may_copy(cp->env, r->bytes)); n++) {
      const uint64_t src = n * r->src_step, dst = n * r->dst_step;

      if (to + dst + r->bytes <= from + src || from + src + r->bytes <= to + dst)
         memcpy(to + dst, from + src, r->bytes);
      else
         copy(cp, false, r->dst + dst, false, r->src + src, r->bytes);
   }
   return true;
}

void
cp_dma(const struct cp *cp)
{
   const uint32_t *p = cp->payload;
   uint32_t source = p[1] >> 29 & 3, target = p[1] >> 20 & 3, bytes = p[4] & CP_DMA_MAX_BYTES;
   uint64_t src = cp_address(p[0], p[1]), dst = cp_address(p[2], p[3]);

   /* The address space bits mean registers, and GDS where that is the source or the target. */
   const bool registers = (p[4] & CP_DMA_SAS && source != CP_DMA_SRC_GDS) ||
                          (p[4] & CP_DMA_DAS && target != CP_DMA_DST_GDS);

   if (source > CP_DMA_SRC_DATA || target > CP_DMA_DST_GDS || registers) {
      cp_complain(cp, "not implemented: source %u, destination %u, command 0x%X", source, target,
                  p[4]);
      return;
   }
   cp_flush(cp);
   if (source == CP_DMA_SRC_ADDRESS && target == CP_DMA_DST_ADDRESS) {
      const struct rows rows = find_rows(cp, src, dst, bytes);

      if (copy_rows(cp, &rows)) {
         cp->s->skip = (rows.count - 1) * DMA_DWORDS;
         return;
      }
   }
   if (!cp_may_copy(cp->env, bytes))
      return;
   if (source == CP_DMA_SRC_DATA)
      fill(cp, target == CP_DMA_DST_GDS, dst, p[0], bytes);
   else
      copy(cp, target == CP_DMA_DST_GDS, dst, source == CP_DMA_SRC_GDS, src, bytes);
}

void
cp_mem_write(const struct cp *cp)
{
   const uint32_t only_32 = 1u << 18;
   uint64_t va = cp_address(cp->payload[0], cp->payload[1]) & ~UINT64_C(3);

   cp_flush(cp);
   cp_write(cp, va, cp->payload + 2, cp->payload[1] & only_32 ? 4 : 8);
}

/* Reads a dword of memory, or a register that is named by its dword.  False after a message. */
static bool
read_dword(const struct cp *cp, bool memory, uint32_t low, uint32_t high, uint32_t *value)
{
   const uint32_t *r;

   if (memory) {
      cp_flush(cp);
      cp_read(cp, cp_address(low, high) & ~UINT64_C(3), value, sizeof(*value));
      return true;
   }
   r = cp_register(cp->s, (low & 0xffff) * 4);
   if (!r) {
      cp_complain(cp, "reads register 0x%X", (low & 0xffff) * 4);
      return false;
   }
   *value = *r;
   return true;
}

static void
write_dword(const struct cp *cp, bool memory, uint32_t low, uint32_t high, uint32_t value)
{
   if (memory) {
      cp_flush(cp);
      cp_write(cp, cp_address(low, high) & ~UINT64_C(3), &value, sizeof(value));
   } else if (!cp_register(cp->s, (low & 0xffff) * 4)) {
      cp_complain(cp, "writes register 0x%X", (low & 0xffff) * 4);
   } else {
      regs_write(&cp->s->regs, (low & 0xffff) * 4, value);
   }
}

void
cp_copy_dw(const struct cp *cp)
{
   const uint32_t *p = cp->payload;
   uint32_t value = 0;

   if (read_dword(cp, p[0] & COPY_DW_SRC_MEM, p[1], p[2], &value))
      write_dword(cp, p[0] & COPY_DW_DST_MEM, p[3], p[4], value);
}

static bool
satisfied(uint32_t function, uint32_t value, uint32_t reference)
{
   switch (function) {
   case WAIT_LESS:
      return value < reference;
   case WAIT_LEQUAL:
      return value <= reference;
   case WAIT_EQUAL:
      return value == reference;
   case WAIT_NOTEQUAL:
      return value != reference;
   case WAIT_GEQUAL:
      return value >= reference;
   case WAIT_GREATER:
      return value > reference;
   default:
      return true;
   }
}

void
cp_cond_write(const struct cp *cp)
{
   const uint32_t *p = cp->payload;
   uint32_t value = 0;

   if (read_dword(cp, p[0] & COND_WRITE_POLL_MEMORY, p[1], p[2], &value) &&
       satisfied(p[0] & 7, value & p[4], p[3]))
      write_dword(cp, p[0] & COND_WRITE_MEMORY, p[5], p[6], p[7]);
}

void
cp_cond_exec(const struct cp *cp)
{
   uint32_t value = 0;

   if (read_dword(cp, true, cp->payload[0], cp->payload[1], &value) && !value)
      cp->s->skip = cp->payload[2] & COND_EXEC_MAX_DWORDS;
}

void
cp_wait_reg_mem(const struct cp *cp)
{
   const uint32_t *p = cp->payload;
   uint32_t function = p[0] & 7, reference = p[3], mask = p[4], value = 0;

   if (!(p[0] & WAIT_REG_MEM_MEMORY)) {
      uint32_t *r = cp_register(cp->s, (p[1] & 0xffff) * 4);

      /* Registers change only by what came before. */
      if (!r || !satisfied(function, *r & mask, reference))
         cp_complain(cp, "waits for register 0x%X to become 0x%X (mask 0x%X), which it never will",
                     (p[1] & 0xffff) * 4, reference, mask);
      return;
   }

   uint64_t va = cp_address(p[1], p[2]) & ~UINT64_C(3);

   cp_flush(cp);
   for (;;) {
      cp_read(cp, va, &value, sizeof(value));
      if (satisfied(function, value & mask, reference))
         return;
      if (!cp->s->wait_ms)
         break;
      cp->s->wait_ms--;
      nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
   }
   cp_complain(cp, "0x%llX stays 0x%X, waited for 0x%X (mask 0x%X, function %u)",
               (unsigned long long)va, value, reference, mask, function);
}

void
cp_strmout_update(const struct cp *cp)
{
   const uint32_t *p = cp->payload;
   unsigned buffer = p[0] >> 8 & 3, source = p[0] >> 1 & 3;
   uint32_t offset;

   cp_flush(cp);
   if (p[0] & STRMOUT_STORE_FILLED_SIZE) {
      offset = gfx_stream_offset(cp->env->gfx, buffer);
      cp_write(cp, cp_address(p[1], p[2]) & ~UINT64_C(3), &offset, sizeof(offset));
   }
   switch (source) {
   case STRMOUT_OFFSET_FROM_PACKET:
      gfx_set_stream_offset(cp->env->gfx, buffer, p[3]);
      break;
   case STRMOUT_OFFSET_FROM_VGT_FILLED_SIZE:
      gfx_set_stream_offset(cp->env->gfx, buffer,
                            reg(&cp->s->regs, REG_AT(VGT_STRMOUT_BUFFER_FILLED_SIZE_0, buffer)));
      break;
   case STRMOUT_OFFSET_FROM_MEM:
      cp_read(cp, cp_address(p[3], p[4]) & ~UINT64_C(3), &offset, sizeof(offset));
      gfx_set_stream_offset(cp->env->gfx, buffer, offset);
      break;
   default:
      break;
   }
}

/* Loads an append counter; EVENT_WRITE_EOS stores it. */
void
cp_set_append_count(const struct cp *cp)
{
   const uint32_t *p = cp->payload, *r;
   uint32_t *counter = cp_append_counter(cp, CAYMAN_CONTEXT_BASE + (p[0] >> 16) * 4);

   if (!counter)
      return;
   cp_flush(cp);
   switch (p[0] & 3) {
   case APPEND_COUNT_FROM_PACKET:
      *counter = p[1];
      break;
   case APPEND_COUNT_FROM_REGISTER:
      r = cp_register(cp->s, (p[1] & 0xffff) * 4);
      if (r)
         *counter = *r;
      else
         cp_complain(cp, "reads register 0x%X", (p[1] & 0xffff) * 4);
      break;
   case APPEND_COUNT_FROM_GDS:
      if (p[1] <= CP_GDS_BYTES - sizeof(*counter))
         memcpy(counter, cp->s->gds + p[1], sizeof(*counter));
      else
         cp_complain(cp, "reads GDS byte %u of %u", p[1], CP_GDS_BYTES);
      break;
   default:
      cp_read(cp, cp_address(p[1], p[2]) & ~UINT64_C(3), counter, sizeof(*counter));
      break;
   }
}
