/* SPDX-License-Identifier: MIT */
/*
 * What streams start.  What is not there yet ends its group by a fault that the driver is told of,
 * rather than draw nothing in silence.
 */
#include "panthor/panthor.h"

#include "chip/mali/mali.h"

/* Registers that endpoints read; of the first four, those of the first of their kind. */
enum {
   REG_RESOURCES = 0,
   REG_UNIFORMS = 8,
   REG_PROGRAM = 16,
   REG_STORAGE = 24,
   REG_ATTRIBUTE_OFFSET = 32,
   REG_GROUP_SIZE = 33,
   REG_FIRST_GROUP = 34,
   REG_GROUPS = 37,
   REG_FRAMEBUFFER = 40,
   REG_BOX = 42,
};

static uint64_t
pair(const struct cs_queue *queue, unsigned n)
{
   return queue->regs[n] | (uint64_t)queue->regs[n + 1] << 32;
}

static enum mali_result
fragment(const struct mali_env *mali, const struct cs_queue *queue, uint64_t word,
         const char **what)
{
   const uint32_t *regs = queue->regs;
   const struct mali_box box = { regs[REG_BOX] & 0xffff, regs[REG_BOX] >> 16,
                                 regs[REG_BOX + 1] & 0xffff, regs[REG_BOX + 1] >> 16 };

   *what = "a map of enabled tiles";
   return cs_field(word, CS_AT_RUN_FRAGMENT_enable_tem)
             ? MALI_MISSING
             : mali_fragment(mali, pair(queue, REG_FRAMEBUFFER), &box, what);
}

static enum mali_result
compute(const struct mali_env *mali, const struct cs_queue *queue, uint64_t word,
        char text[MALI_TEXT], const char **what)
{
#define SELECTED(first, field) \
   pair(queue, (first) + 2 * (unsigned)cs_field(word, CS_AT_RUN_COMPUTE_##field))
   const uint32_t *regs = queue->regs;
   const struct mali_compute job = {
      .resources = SELECTED(REG_RESOURCES, srt),
      .uniforms = SELECTED(REG_UNIFORMS, fau),
      .program = SELECTED(REG_PROGRAM, spd),
      .storage = SELECTED(REG_STORAGE, tsd),
      .group_size = regs[REG_GROUP_SIZE],
      .groups = { regs[REG_GROUPS], regs[REG_GROUPS + 1], regs[REG_GROUPS + 2] },
   };
#undef SELECTED

   *what = "an offset of attributes or of groups";
   if (regs[REG_ATTRIBUTE_OFFSET] | regs[REG_FIRST_GROUP] | regs[REG_FIRST_GROUP + 1] |
       regs[REG_FIRST_GROUP + 2])
      return MALI_MISSING;
   *what = text;
   return mali_compute(mali, &job, text);
}

enum cs_exception
panthor_endpoint(void *data, const struct cs_env *env, const struct cs_queue *queue, uint64_t word)
{
   const struct mali_env mali = { .vm = env->vm, .trace = env->trace, .budget = env->budget };
   char text[MALI_TEXT] = "";
   const char *what = "all of it";
   enum mali_result result = MALI_MISSING;

   switch (word >> 56) {
   case CS_RUN_FRAGMENT:
      result = fragment(&mali, queue, word, &what);
      break;
   case CS_RUN_COMPUTE:
      result = compute(&mali, queue, word, text, &what);
      break;
   default:
      break;
   }
   if (result == MALI_DONE)
      return CS_OK;
   panthor_say(data, "%s: %s: %s%s", env->name, cs_name(word),
               result == MALI_MISSING ? "not implemented: " : "", what);
   return result == MALI_EXHAUSTED ? CS_SPENT : CS_UNRECOVERABLE;
}
