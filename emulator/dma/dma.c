/* SPDX-License-Identifier: MIT */
/*
 * The DMA ring.  Its packets have no length field: the opcode says how long they are, so an
 * unknown one ends the IB.
 *
 *    copy, dwords (0x00) or bytes (0x40): dst lo, src lo, dst hi, src hi
 *    copy, tiled (0x08): tiled base >> 8; detile 31 | array mode 30:27 | log2 bytes 26:24 | banks;
 *       pitch in tiles - 1 10:0 | height - 1 31:16; slice in tiles - 1; x 13:0 | z 31:18;
 *       y 13:0 | tile split, banks; linear address lo, hi
 *
 * Tiled levels are linear inside their padded rectangle (chip/cayman/descriptors/surface.h), and
 * software copies whole rows of equal pitch: a tiled copy moves `count` dwords from row y of slice
 * z on.
 */
#include "dma/dma.h"

#include <stdbool.h>
#include <string.h>

#include <atoll/cayman/pm4.h>

#include "frontdoor/report.h"
#include "memory/vm.h"

struct dma {
   const struct cp_env *env;
   uint32_t at, header;
};

static void
complain(const struct dma *d, const char *what, uint64_t va)
{
   report_message(d->env->report, "client %llu, DMA IB %llu, dword %u (0x%08X): %s 0x%llX",
                  (unsigned long long)d->env->client, (unsigned long long)d->env->seq, d->at,
                  d->header, what, (unsigned long long)va);
}

static void
copy(const struct dma *d, uint64_t dst, uint64_t src, uint64_t bytes)
{
   const struct vm *vm = d->env->vm;
   bool complete = true;
   uint8_t chunk[4096];

   if (vm_extent(vm, src, bytes) == bytes && vm_extent(vm, dst, bytes) == bytes) {
      memmove(vm_pointer(vm, dst), vm_pointer(vm, src), bytes);
      return;
   }
   for (uint64_t at = 0; at < bytes;) {
      uint64_t n = bytes - at < sizeof(chunk) ? bytes - at : sizeof(chunk);

      complete &= vm_read(vm, src + at, chunk, n) == n;
      complete &= vm_write(vm, dst + at, chunk, n) == n;
      at += n;
   }
   if (!complete)
      complain(d, "copy leaves the mapped memory; to", dst);
}

static void
copy_tiled(const struct dma *d, const uint32_t *p, uint32_t dwords)
{
   uint32_t log2_bytes = p[1] >> 24 & 7;
   uint64_t pitch = ((uint64_t)(p[2] & 0x7ff) + 1) * 8 << log2_bytes;
   uint64_t slice = ((uint64_t)(p[3] & 0x3fffff) + 1) * 64 << log2_bytes;
   uint64_t x = p[4] & 0x3fff, z = p[4] >> 18, y = p[5] & 0x3fff;
   uint64_t tiled = ((uint64_t)p[0] << 8) + z * slice + y * pitch + (x << log2_bytes);
   uint64_t linear = (uint64_t)(p[7] & 0xff) << 32 | (p[6] & ~3u);

   if (p[1] >> 31)
      copy(d, linear, tiled, (uint64_t)dwords * 4);
   else
      copy(d, tiled, linear, (uint64_t)dwords * 4);
}

static void
fill(const struct dma *d, uint64_t dst, uint32_t value, uint32_t dwords)
{
   const uint64_t bytes = (uint64_t)dwords * 4;

   if (vm_fill(d->env->vm, dst, value, bytes) != bytes)
      complain(d, "fill leaves the mapped memory; at", dst);
}

/* Dwords of the packet, or 0 for an unknown one. */
static uint32_t
length(uint32_t header)
{
   switch (dma_op(header)) {
   case DMA_NOP:
      return 1;
   case DMA_COPY:
      switch (dma_sub(header)) {
      case DMA_COPY_DWORD_ALIGNED:
      case DMA_COPY_BYTE_ALIGNED:
         return 5;
      case DMA_COPY_TILED:
         return 9;
      default:
         return 0;
      }
   case DMA_CONSTANT_FILL:
      return 4;
   default:
      return 0;
   }
}

void
dma_execute(const struct cp_env *env, const uint32_t *words, uint32_t num_words)
{
   struct dma d = { .env = env };

   while (d.at < num_words) {
      const uint32_t *p = words + d.at + 1;
      uint32_t dwords;

      d.header = words[d.at];
      dwords = length(d.header);
      if (!dwords) {
         complain(&d, "unknown packet; the rest of the IB is dropped; opcode", dma_op(d.header));
         return;
      }
      if (dwords > num_words - d.at) {
         complain(&d, "packet runs past the IB, which is dropped; dwords missing:",
                  dwords - (num_words - d.at));
         return;
      }
      /* The ring has no state that what follows would miss. */
      if (!cp_may_copy(env, (uint64_t)dma_count(d.header) * 4))
         return;
      if (dma_op(d.header) == DMA_COPY) {
         uint64_t count = dma_count(d.header);

         if (dma_sub(d.header) == DMA_COPY_TILED)
            copy_tiled(&d, p, dma_count(d.header));
         else
            copy(&d, (uint64_t)(p[2] & 0xff) << 32 | p[0], (uint64_t)(p[3] & 0xff) << 32 | p[1],
                 dma_sub(d.header) == DMA_COPY_DWORD_ALIGNED ? count * 4 : count);
      } else if (dma_op(d.header) == DMA_CONSTANT_FILL) {
         fill(&d, (uint64_t)(p[2] >> 16 & 0xff) << 32 | (p[0] & ~3u), p[1], dma_count(d.header));
      }
      d.at += dwords;
   }
}
