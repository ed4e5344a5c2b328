/* SPDX-License-Identifier: MIT */
/*
 * The program's heap, where compilers allocate small blocks and free them.
 *
 * The first touch of a page costs a fault, a microsecond in a virtual machine: together a tenth of
 * a program's first draw.  When a program is made, its thread allocates a block for the next one.
 * The thread that compiles touches each of the block's pages, once it has nothing left to compile,
 * and frees it.
 *
 * This is about glibc's own heap.  Where memory comes from another allocator, nothing is touched.
 */
#include "context.h"

#include "util/u_atomic.h"

#include <stdlib.h>
#include <unistd.h>

/* How much of it glibc keeps, before it returns it to the system and has to ask for it again,
 * follows from the largest block that was freed and had been mapped by itself: the first one here.
 * The second lies in the heap, which GLSL's built-in functions then fill without asking for 128 KiB
 * at a time.  No page of either is touched. */
#define HEAP_BYTES (2 * 1024 * 1024)

/* Of the five programs of `atoll bench --only first-draw` the largest takes 1.3 MiB until it has
 * been drawn with. */
#define AHEAD_BYTES (1536 * 1024)
#define PAGE_BYTES  4096

void
atoll_reserve_heap(void)
{
   for (unsigned i = 0; i < 2; i++) {
      void *volatile block = malloc(HEAP_BYTES);
      free(block);
   }
}

void
atoll_reserve_ahead(struct atoll_screen *screen)
{
   if (p_atomic_read(&screen->ahead))
      return;
   void *block = malloc(AHEAD_BYTES);
   /* What is above the heap's end has been mapped by itself, or for another thread. */
   if ((uintptr_t)block > (uintptr_t)sbrk(0))
      free(block);
   else if (p_atomic_cmpxchg_ptr(&screen->ahead, NULL, block))
      free(block);
}

void
atoll_touch_ahead(struct atoll_screen *screen)
{
   volatile char *block = NULL;

   if (!p_atomic_read(&screen->compilations.num_queued))
      block = p_atomic_xchg(&screen->ahead, NULL);
   for (size_t at = 0; block && at < AHEAD_BYTES; at += PAGE_BYTES)
      block[at] = 0;
   free((void *)block);
}
