/* SPDX-License-Identifier: MIT */
/*
 * Dispatches of a Mali: any bits of descriptors and programs.
 *
 *    16 words   what RUN_COMPUTE's registers have; addresses are kept inside of the memory, so that
 *               some of it is hit, and groups are few
 *    words      memory from the base on: descriptors, tables, uniforms and programs
 *
 * What must hold: the same dispatch leaves the same memory and the same answer; it spends no more
 * than its budget; what is not done has a text.
 */
#include "fuzz.h"

#include "../csf/stream.h"
#include "chip/mali/mali.h"

#define BUDGET 100u

static uint64_t
inside(uint32_t word)
{
   return STREAM_BASE + word % (STREAM_BYTES + 256);
}

static uint64_t
run_once(const struct mali_compute *job, const uint8_t *data, size_t size)
{
   uint8_t memory[STREAM_BYTES];
   struct stream s;
   uint64_t h = UINT64_C(0xcbf29ce484222325);
   char text[MALI_TEXT] = "";
   enum mali_result result;

   FUZZ_CHECK(stream_init(&s));
   s.budget = BUDGET;
   vm_write(s.vm, STREAM_BASE, data, size < STREAM_BYTES ? size : STREAM_BYTES);

   const struct mali_env env = { .vm = s.vm, .budget = &s.budget };

   result = mali_compute(&env, job, text);
   FUZZ_CHECK(s.budget <= BUDGET);
   FUZZ_CHECK(result == MALI_DONE || *text);
   vm_read(s.vm, STREAM_BASE, memory, sizeof(memory));
   for (size_t n = 0; n < sizeof(memory); n++)
      h = (h ^ memory[n]) * UINT64_C(0x100000001b3);
   stream_finish(&s);
   return h * 31 + result;
}

FUZZ_ENTRY(mali_compute)
{
   uint32_t regs[16] = { 0 };
   const size_t head = size < sizeof(regs) ? size : sizeof(regs);

   memcpy(regs, data, head);

   const struct mali_compute job = {
      .resources = inside(regs[0]),
      .uniforms = inside(regs[1]) | (uint64_t)regs[2] << 56,
      .program = inside(regs[3]),
      .storage = inside(regs[4]),
      .group_size = regs[5],
      .groups = { regs[6] % 4, regs[7] % 4, regs[8] % 4 },
   };

   FUZZ_CHECK(run_once(&job, data + head, size - head) == run_once(&job, data + head, size - head));
   return 0;
}
