/* SPDX-License-Identifier: MIT */
/*
 * Bump allocation in a list of blocks; see pool.h.
 */
#include "memory/pool.h"

#include <stdint.h>
#include <stdlib.h>

#define BLOCK_SIZE ((size_t)1 << 18)
#define ALIGN      ((size_t)64)

struct pool_block {
   struct pool_block *next;
   size_t size; /* usable bytes after the header */
};

static uint8_t *
block_data(struct pool_block *b)
{
   return (uint8_t *)b + ALIGN;
}

void *
pool_alloc(struct pool *pool, size_t size)
{
   if (size > SIZE_MAX / 2)
      return NULL;
   size = (size + ALIGN - 1) & ~(ALIGN - 1);
   if (size == 0)
      size = ALIGN;

   for (;;) {
      struct pool_block *b = pool->current;

      if (b && b->size - pool->used >= size) {
         void *p = block_data(b) + pool->used;

         pool->used += size;
         return p;
      }
      /* Blocks kept from before the reset that are too small are passed over. */
      if (b && b->next) {
         pool->current = b->next;
         pool->used = 0;
         continue;
      }
      size_t bytes = size > BLOCK_SIZE ? size : BLOCK_SIZE;
      struct pool_block *n = aligned_alloc(ALIGN, bytes + ALIGN);

      if (!n)
         return NULL;
      n->next = NULL;
      n->size = bytes;
      if (b)
         b->next = n;
      else
         pool->first = n;
      pool->current = n;
      pool->used = 0;
   }
}

void
pool_reset(struct pool *pool)
{
   pool->current = pool->first;
   pool->used = 0;
}

void
pool_finish(struct pool *pool)
{
   struct pool_block *b = pool->first;

   while (b) {
      struct pool_block *next = b->next;

      free(b);
      b = next;
   }
   *pool = (struct pool){ 0 };
}

size_t
pool_size(const struct pool *pool)
{
   size_t bytes = pool->used;

   for (const struct pool_block *b = pool->first; b && b != pool->current; b = b->next)
      bytes += b->size;
   return bytes;
}
