/* SPDX-License-Identifier: MIT */
/* What a device's end is tried with: work, and what is to be seen of it. */
#ifndef ATOLL_TEST_PROCESS_END_H
#define ATOLL_TEST_PROCESS_END_H

#include <signal.h>
#include <time.h>

#include "door.h"
#include "find.h"

/* Work of seconds for the DMA engine, at the mapped buffer of `d`. */
static inline void
end_submit_long(struct door *d, uint32_t context)
{
   static uint32_t words[40000];
   uint32_t count = 0;

   for (; count + 4 <= sizeof(words) / sizeof(words[0]); count += 4) {
      words[count] = dma_header(DMA_CONSTANT_FILL, 0, 0xfffff);
      words[count + 1] = (uint32_t)VA_BASE + (1u << 28);
      words[count + 2] = count;
      words[count + 3] = 0;
   }
   door_submit_context(d, RADEON_CS_RING_DMA, context, words, count);
}

/* The same where it writes: 32 MiB. */
static inline uint32_t
end_create_large(struct door *d)
{
   const uint32_t handle = door_create(d->c, UINT64_C(32) << 20);

   assert_int_equal(door_va(d->c, handle, RADEON_VA_MAP, VA_BASE + (1u << 28), NULL), 0);
   return handle;
}

static inline uint32_t
end_resets(struct door *d)
{
   uint32_t count = 0;

   assert_int_equal(door_info(d->c, RADEON_INFO_GPU_RESET_COUNTER, &count), 0);
   return count;
}

/* The device's process is killed.  What is submitted to one that ends is dropped, as what is under
 * way: so the next thing that is asked for is no submission. */
static inline void
end_kill(struct door *d)
{
   find_and_kill(find_device_of(getpid()));
   end_resets(d);
}

/* It writes a word, which is seen here. */
static inline void
end_works(struct door *d, uint32_t value)
{
   struct ib ib = { 0 };

   IB_ADD(&ib, PM4_MEM_WRITE, (uint32_t)VA_BASE + 64, 1 << 18, value, 0);
   door_run(d, &ib);
   assert_int_equal(d->mem[16], value);
}

#endif
