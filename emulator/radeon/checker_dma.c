/* SPDX-License-Identifier: MIT */
/*
 * The checker's DMA ring.  It has no NOPs: its packets take the buffers of the list one after
 * another, sources first.
 */
#include "radeon/checker_internal.h"

#include "frontdoor/report.h"

static int
dma_refuse(const struct stream *s, const char *what)
{
   report_message(s->checker->report, "client %llu: DMA CS refused at dword %u (0x%08X): %s",
                  (unsigned long long)s->checker->client, s->at, s->words[s->at], what);
   return -EINVAL;
}

static const struct checker_buffer *
dma_buffer(struct stream *s)
{
   if (s->dma_relocation < s->checker->num_buffers)
      return &s->checker->buffers[s->dma_relocation++];
   dma_refuse(s, "the list of buffers has ended");
   return NULL;
}

/* Relocates an address of 40 bits with its upper 8 at `shift` of dword `high`. */
static int
dma_linear(struct stream *s, const struct checker_buffer *buffer, uint32_t low, uint32_t high,
           uint32_t shift, uint64_t bytes)
{
   uint32_t *p = s->words + s->at;
   uint64_t offset = p[low] | (uint64_t)(p[high] >> shift & 0xff) << 32, address;

   if (offset > buffer->size || bytes > buffer->size - offset)
      return dma_refuse(s, "reaches beyond its buffer");
   address = buffer->va + offset;
   p[low] = (uint32_t)address;
   p[high] = (p[high] & ~(0xffu << shift)) | ((uint32_t)(address >> 32) & 0xff) << shift;
   return 0;
}

static int
dma_tiled(struct stream *s, const struct checker_buffer *buffer, uint64_t bytes)
{
   uint32_t *p = s->words + s->at;
   uint64_t offset = (uint64_t)p[1] << 8;

   if (offset > buffer->size || bytes > buffer->size - offset)
      return dma_refuse(s, "reaches beyond its buffer");
   p[1] += (uint32_t)(buffer->va >> 8);
   return 0;
}

static int
dma_copy(struct stream *s, uint32_t sub, uint32_t count)
{
   const struct checker_buffer *source = dma_buffer(s);
   const struct checker_buffer *target = source ? dma_buffer(s) : NULL;
   uint64_t bytes = sub == DMA_COPY_BYTE_ALIGNED ? count : (uint64_t)count * 4;
   int result;

   if (!target)
      return -EINVAL;
   if (sub != DMA_COPY_TILED) {
      result = dma_linear(s, source, 2, 4, 0, bytes);
      return result ? result : dma_linear(s, target, 1, 3, 0, bytes);
   }
   if (s->words[s->at + 2] >> 31) {
      result = dma_tiled(s, source, bytes);
      return result ? result : dma_linear(s, target, 7, 8, 0, bytes);
   }
   result = dma_tiled(s, target, bytes);
   return result ? result : dma_linear(s, source, 7, 8, 0, bytes);
}

int
checker_dma(const struct checker *checker, uint32_t *words, uint32_t num_words)
{
   struct stream s = { .checker = checker, .words = words, .num_words = num_words };

   while (s.at < num_words) {
      uint32_t header = words[s.at], count = dma_count(header), sub = dma_sub(header), length = 0;
      const struct checker_buffer *buffer;
      int result = 0;

      switch (dma_op(header)) {
      case DMA_NOP:
         length = 1;
         break;
      case DMA_CONSTANT_FILL:
         length = 4;
         break;
      case DMA_COPY:
         length = sub == DMA_COPY_TILED                                           ? 9
                  : sub == DMA_COPY_DWORD_ALIGNED || sub == DMA_COPY_BYTE_ALIGNED ? 5
                                                                                  : 0;
         break;
      default:
         break;
      }
      if (!length)
         return dma_refuse(&s, "unknown packet");
      if (length > num_words - s.at)
         return dma_refuse(&s, "the packet runs past the stream");
      if (checker->relocate && dma_op(header) == DMA_COPY) {
         result = dma_copy(&s, sub, count);
      } else if (checker->relocate && dma_op(header) == DMA_CONSTANT_FILL) {
         buffer = dma_buffer(&s);
         result = buffer ? dma_linear(&s, buffer, 1, 3, 16, (uint64_t)count * 4) : -EINVAL;
      }
      if (result)
         return result;
      s.at += length;
   }
   return 0;
}
