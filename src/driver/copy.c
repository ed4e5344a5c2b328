/* SPDX-License-Identifier: MIT */
/*
 * Copies of texels that the program hands over, and a fourth channel for those that have three.
 *
 * Where source and destination together are about as large as a cache, copies in one direction
 * find nothing in it: the end of one has evicted the start of the next. So uploads of a texture
 * alternate: one by rising addresses, the next by falling ones.
 *
 *  - Intel's processors prefetch rising addresses better. There a copy downwards goes by chunks,
 *    the last one first, and addresses rise inside each. They are also faster where the
 *    destination's lines are prefetched, which makes AMD's a quarter slower.
 *  - AMD's from Zen 5 on copy a string of bytes by one instruction, half as fast again as by
 *    vectors of any size. Its addresses rise, too: downwards by larger chunks.
 */
#include "copy.h"

#include <emmintrin.h>
#include <string.h>

#define CHUNK_BYTES 16384
/* How far before its write a line of the destination is prefetched. */
#define AHEAD_BYTES 1024
/* A string that is shorter takes longer to begin than to copy. */
#define STRING_BYTES 512
/* Chunks of a string that is copied downwards: 16 to 256 KiB are equally fast. */
#define STRING_CHUNK_BYTES 65536

static inline void
copy_64(char *restrict dst, const char *restrict src)
{
   __m128i line[4];

   for (unsigned i = 0; i < 4; i++)
      line[i] = _mm_loadu_si128((const __m128i *)src + i);
   for (unsigned i = 0; i < 4; i++)
      _mm_storeu_si128((__m128i *)dst + i, line[i]);
}

static void
copy_up(char *restrict dst, const char *restrict src, size_t bytes)
{
   for (; bytes >= 64; bytes -= 64, dst += 64, src += 64)
      copy_64(dst, src);
   memcpy(dst, src, bytes);
}

static void
copy_down(char *restrict dst, const char *restrict src, size_t bytes)
{
   for (; bytes >= 64; bytes -= 64)
      copy_64(dst + bytes - 64, src + bytes - 64);
   memcpy(dst, src, bytes);
}

static void
copy_ahead(char *restrict dst, const char *restrict src, size_t bytes)
{
   for (; bytes >= 64; bytes -= 64, dst += 64, src += 64) {
      __builtin_prefetch(dst + AHEAD_BYTES, 1);
      copy_64(dst, src);
   }
   memcpy(dst, src, bytes);
}

static void
copy_string(char *dst, const char *src, size_t bytes)
{
   __asm__ volatile("rep movsb" : "+D"(dst), "+S"(src), "+c"(bytes) : : "memory");
}

static void
copy_string_down(char *dst, const char *src, size_t bytes)
{
   for (size_t end = bytes, chunk; end;) {
      chunk = (end - 1) % STRING_CHUNK_BYTES + 1;
      end -= chunk;
      copy_string(dst + end, src + end, chunk);
   }
}

/* One run of bytes. */
static void
copy_run(char *dst, const char *src, size_t bytes, bool down, enum atoll_copying how)
{
   if (how == ATOLL_COPY_STRINGS && bytes >= STRING_BYTES) {
      (down ? copy_string_down : copy_string)(dst, src, bytes);
      return;
   }
   if (how != ATOLL_COPY_AHEAD) {
      (down ? copy_down : copy_up)(dst, src, bytes);
      return;
   }
   const size_t chunks = (bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;

   for (size_t i = 0; i < chunks; i++) {
      const size_t at = (down ? chunks - 1 - i : i) * CHUNK_BYTES;
      copy_ahead(dst + at, src + at, bytes - at < CHUNK_BYTES ? bytes - at : CHUNK_BYTES);
   }
}

static void
copy_slice(char *dst, const char *src, const struct atoll_lines *l, bool down,
           enum atoll_copying how)
{
   if (l->bytes == l->dst_stride && (ptrdiff_t)l->bytes == l->src_stride) {
      copy_run(dst, src, l->bytes * l->lines, down, how);
      return;
   }
   const unsigned most = how == ATOLL_COPY_AHEAD && l->bytes < CHUNK_BYTES
                            ? (unsigned)(CHUNK_BYTES / (l->bytes + 1)) + 1
                            : 1;
   const unsigned chunks = (l->lines + most - 1) / most;

   for (unsigned i = 0; i < chunks; i++) {
      const unsigned first = (down ? chunks - 1 - i : i) * most;
      const unsigned end = l->lines - first < most ? l->lines : first + most;

      for (unsigned line = first; line < end; line++)
         copy_run(dst + line * l->dst_stride, src + (ptrdiff_t)line * l->src_stride, l->bytes, down,
                  how);
   }
}

void
atoll_copy_lines(void *dst, const void *src, const struct atoll_lines *l, bool down,
                 enum atoll_copying how)
{
   for (unsigned i = 0; i < l->slices; i++) {
      const unsigned slice = down ? l->slices - 1 - i : i;
      copy_slice((char *)dst + slice * l->dst_slice, (const char *)src + slice * l->src_slice, l,
                 down, how);
   }
}

/* Texels of 3 * `bytes` become those of 4 * `bytes`; four channels are read at once, which the last
 * texel does not have. */
#define WIDEN(name, type, bytes, expression)                                                      \
   static void name(uint8_t *restrict dst, const uint8_t *restrict src, size_t texels, type last) \
   {                                                                                              \
      type v = 0;                                                                                 \
      for (size_t i = 0; i + 1 < texels; i++) {                                                   \
         memcpy(&v, src + 3 * (bytes)*i, sizeof(v));                                              \
         v = (expression) | last;                                                                 \
         memcpy(dst + 4 * (bytes)*i, &v, sizeof(v));                                              \
      }                                                                                           \
      if (texels) {                                                                               \
         v = 0;                                                                                   \
         memcpy(&v, src + 3 * (bytes) * (texels - 1), 3 * (bytes));                               \
         v = (expression) | last;                                                                 \
         memcpy(dst + 4 * (bytes) * (texels - 1), &v, sizeof(v));                                 \
      }                                                                                           \
   }

WIDEN(widen_8, uint32_t, 1, v & 0xffffff)
WIDEN(widen_8_turned, uint32_t, 1, __builtin_bswap32(v) >> 8)
WIDEN(widen_16, uint64_t, 2, v & 0xffffffffffff)
WIDEN(widen_16_turned, uint64_t, 2, (v & 0xffff) << 32 | (v & 0xffff0000) | (v >> 32 & 0xffff))

static void
widen_32(uint8_t *restrict dst, const uint8_t *restrict src, size_t texels, bool turned,
         uint32_t last)
{
   for (size_t i = 0; i < texels; i++) {
      uint64_t low;
      uint32_t high;

      memcpy(&low, src + 12 * i, 8);
      memcpy(&high, src + 12 * i + 8, 4);
      const uint32_t first = (uint32_t)low;

      if (turned) {
         low = (low & UINT64_C(0xffffffff00000000)) | high;
         high = first;
      }
      const uint64_t end = (uint64_t)last << 32 | high;

      memcpy(dst + 16 * i, &low, 8);
      memcpy(dst + 16 * i + 8, &end, 8);
   }
}

void
atoll_widen(void *dst, const void *src, size_t texels, unsigned bytes, bool turned, uint32_t last)
{
   if (bytes == 1)
      (turned ? widen_8_turned : widen_8)(dst, src, texels, last << 24);
   else if (bytes == 2)
      (turned ? widen_16_turned : widen_16)(dst, src, texels, (uint64_t)last << 48);
   else
      widen_32(dst, src, texels, turned, last);
}
