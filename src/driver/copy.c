/* SPDX-License-Identifier: MIT */
/*
 * Copies of texels that the program hands over.
 *
 * Where source and destination together are about as large as a cache, copying the same way each
 * time finds nothing in it: what comes first has just been pushed out by what came last. So each
 * upload of a texture goes the other way than the one before it. Within a piece addresses rise.
 */
#include "copy.h"

#include <string.h>

#define PIECE_BYTES 16384
/* The line of the destination that is asked for before it is written. */
#define AHEAD_BYTES 1024

static void
copy_bytes(char *restrict dst, const char *restrict src, size_t bytes)
{
   for (; bytes >= 64; bytes -= 64, dst += 64, src += 64) {
      __builtin_prefetch(dst + AHEAD_BYTES, 1);
      memcpy(dst, src, 64);
   }
   memcpy(dst, src, bytes);
}

/* One run of bytes. */
static void
copy_run(char *dst, const char *src, size_t bytes, bool down)
{
   const size_t pieces = (bytes + PIECE_BYTES - 1) / PIECE_BYTES;

   for (size_t i = 0; i < pieces; i++) {
      const size_t at = (down ? pieces - 1 - i : i) * PIECE_BYTES;
      copy_bytes(dst + at, src + at, bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES);
   }
}

static void
copy_slice(char *dst, const char *src, const struct atoll_lines *l, bool down)
{
   if (l->bytes == l->dst_stride && (ptrdiff_t)l->bytes == l->src_stride) {
      copy_run(dst, src, l->bytes * l->lines, down);
      return;
   }
   const unsigned most = l->bytes < PIECE_BYTES ? (unsigned)(PIECE_BYTES / (l->bytes + 1)) + 1 : 1;
   const unsigned pieces = (l->lines + most - 1) / most;

   for (unsigned i = 0; i < pieces; i++) {
      const unsigned first = (down ? pieces - 1 - i : i) * most;
      const unsigned end = l->lines - first < most ? l->lines : first + most;

      for (unsigned line = first; line < end; line++)
         copy_bytes(dst + line * l->dst_stride, src + (ptrdiff_t)line * l->src_stride, l->bytes);
   }
}

void
atoll_copy_lines(void *dst, const void *src, const struct atoll_lines *l, bool down)
{
   for (unsigned i = 0; i < l->slices; i++) {
      const unsigned slice = down ? l->slices - 1 - i : i;
      copy_slice((char *)dst + slice * l->dst_slice, (const char *)src + slice * l->src_slice, l,
                 down);
   }
}
