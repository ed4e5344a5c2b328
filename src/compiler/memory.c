/* SPDX-License-Identifier: MIT */
/* See memory.h. */
#include "memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compiler/shader.h"

struct compile_chunk {
   struct compile_chunk *next;
   size_t used, size;
   _Alignas(16) uint8_t data[];
};

/* The first chunk is small enough to lie where memory was freed just before: a page that is new
 * takes longer than all that a small program does with it.  Each further one is twice as large, up
 * to what the allocator keeps for the next compilation when it is given back, instead of the
 * kernel's clearing the same pages again and again. */
#define FIRST_CHUNK_BYTES (64 * 1024)
#define CHUNK_BYTES       (2 * 1024 * 1024)

#define MAX_BYTES ((size_t)1 << 31)

/* Allocations from one look at the clock to the next: some tens of microseconds. */
#define LOOK_EVERY 256

static int64_t
thread_ns(void)
{
   struct timespec t;

   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
   return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void
compile_begin(struct compile_memory *m, unsigned flags, char *error, size_t error_size)
{
   m->error = error;
   m->error_size = error_size;
   m->seconds = flags >> SHADER_COMPILE_SECONDS__SHIFT;
   m->deadline_ns = m->seconds ? thread_ns() + m->seconds * INT64_C(1000000000) : 0;
}

void
compile_look(struct compile_memory *m)
{
   if (m->deadline_ns && thread_ns() > m->deadline_ns)
      compile_fail(m, "its compilation takes longer than %u s (ATOLL_LIMITS, compile=%u)",
                   m->seconds, m->seconds);
}

void *
compile_alloc(struct compile_memory *m, size_t bytes)
{
   struct compile_chunk *chunk = m->chunks;

   bytes = (bytes + 15) & ~(size_t)15;
   if (++m->looks % LOOK_EVERY == 0)
      compile_look(m);
   if (!chunk || chunk->size - chunk->used < bytes) {
      size_t size = chunk ? chunk->size * 2 : FIRST_CHUNK_BYTES;
      if (size > CHUNK_BYTES)
         size = CHUNK_BYTES;
      if (size < bytes)
         size = bytes;
      chunk = m->bytes < MAX_BYTES && size < MAX_BYTES ? malloc(sizeof(*chunk) + size) : NULL;
      if (!chunk)
         compile_fail(m, "out of memory");
      m->bytes += size;
      chunk->size = size;
      chunk->used = 0;
      chunk->next = m->chunks;
      m->chunks = chunk;
   }
   void *p = chunk->data + chunk->used;
   chunk->used += bytes;
   return memset(p, 0, bytes);
}

void *
compile_grow(struct compile_memory *m, void *array, uint32_t count, uint32_t *cap, size_t element)
{
   if (count < *cap)
      return array;
   const uint32_t new_cap = *cap ? *cap * 2 : 8;
   void *bigger = compile_alloc(m, new_cap * element);
   if (array)
      memcpy(bigger, array, count * element);
   *cap = new_cap;
   return bigger;
}

void
compile_fail(struct compile_memory *m, const char *format, ...)
{
   va_list args;

   if (m->error_size) {
      va_start(args, format);
      vsnprintf(m->error, m->error_size, format, args);
      va_end(args);
   }
   longjmp(m->failed, 1);
}

void
compile_free(struct compile_memory *m)
{
   while (m->chunks) {
      struct compile_chunk *next = m->chunks->next;
      free(m->chunks);
      m->chunks = next;
   }
}
