/* SPDX-License-Identifier: MIT */
/*
 * What streams start.  What is not there yet ends its group by a fault that the driver is told of,
 * rather than draw nothing in silence.
 */
#include "panthor/panthor.h"

#include <inttypes.h>

#include "chip/mali/mali.h"

/* RUN_FRAGMENT's registers. */
#define REG_FRAMEBUFFER 40
#define REG_BOX         42

static enum cs_exception
fragment(struct atoll_device *device, const struct cs_env *env, const struct cs_queue *queue,
         uint64_t word)
{
   const uint32_t *regs = queue->regs;
   const struct mali_env mali = { .vm = env->vm, .trace = env->trace, .budget = env->budget };
   const struct mali_box box = { regs[REG_BOX] & 0xffff, regs[REG_BOX] >> 16,
                                 regs[REG_BOX + 1] & 0xffff, regs[REG_BOX + 1] >> 16 };
   const uint64_t address = regs[REG_FRAMEBUFFER] | (uint64_t)regs[REG_FRAMEBUFFER + 1] << 32;
   const char *what = "a map of enabled tiles";
   const enum mali_result result = cs_field(word, CS_AT_RUN_FRAGMENT_enable_tem)
                                      ? MALI_MISSING
                                      : mali_fragment(&mali, address, &box, &what);

   if (result == MALI_DONE)
      return CS_OK;
   panthor_say(device, "%s: RUN_FRAGMENT of 0x%" PRIx64 ": %s%s", env->name, address,
               result == MALI_MISSING ? "not implemented: " : "", what);
   return result == MALI_UNMAPPED ? CS_BUS_FAULT : CS_UNRECOVERABLE;
}

enum cs_exception
panthor_endpoint(void *data, const struct cs_env *env, const struct cs_queue *queue, uint64_t word)
{
   switch (word >> 56) {
   case CS_RUN_FRAGMENT:
      return fragment(data, env, queue, word);
   default:
      panthor_say(data, "%s: %s is not implemented", env->name, cs_name(word));
      return CS_UNRECOVERABLE;
   }
}
