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
   /* Of draws. */
   REG_COUNT = 33,
   REG_INSTANCES = 34,
   REG_FIRST_INDEX = 35,
   REG_BASE_VERTEX = 36,
   REG_FIRST_INSTANCE = 37,
   REG_INDEX_BYTES = 39,
   REG_TILER = 40,
   REG_SCISSOR = 42,
   REG_MIN_Z = 44,
   REG_MAX_Z = 45,
   REG_OCCLUSION = 46,
   REG_VARYING_BYTES = 48,
   REG_BLENDS = 50,
   REG_DEPTH_STENCIL = 52,
   REG_INDICES = 54,
   REG_PRIMITIVE = 56,
   REG_DRAW_FLAGS = 57,
   REG_SIZE = 60,
};

static uint64_t
pair(const struct cs_queue *queue, unsigned n)
{
   return queue->regs[n] | (uint64_t)queue->regs[n + 1] << 32;
}

static enum mali_result
fragment(const struct mali_env *mali, const struct cs_queue *queue, uint64_t word,
         char text[MALI_TEXT], const char **what)
{
   const uint32_t *regs = queue->regs;
   const struct mali_box box = { regs[REG_BOX] & 0xffff, regs[REG_BOX] >> 16,
                                 regs[REG_BOX + 1] & 0xffff, regs[REG_BOX + 1] >> 16 };

   *what = "a map of enabled tiles";
   if (cs_field(word, CS_AT_RUN_FRAGMENT_enable_tem))
      return MALI_MISSING;
   *what = text;
   return mali_fragment(mali, pair(queue, REG_FRAMEBUFFER), &box, text);
}

/* The n-th of a kind of registers of two words. */
static uint64_t
nth(const struct cs_queue *queue, unsigned first, uint64_t n)
{
   return pair(queue, first + 2 * (unsigned)n);
}

static enum mali_result
idvs(const struct mali_env *mali, const struct cs_queue *queue, uint64_t word, char text[MALI_TEXT],
     const char **what)
{
#define IDVS(field) cs_field(word, CS_AT_RUN_IDVS_##field)
   const uint32_t *regs = queue->regs;
   struct mali_draw draw = {
      .position = { nth(queue, REG_RESOURCES, 0), nth(queue, REG_UNIFORMS, 0),
                    nth(queue, REG_PROGRAM, 0), nth(queue, REG_STORAGE, 0) },
      .varying = { nth(queue, REG_RESOURCES, IDVS(varying_srt)),
                   nth(queue, REG_UNIFORMS, IDVS(varying_fau)), nth(queue, REG_PROGRAM, 1),
                   nth(queue, REG_STORAGE, IDVS(varying_tsd)) },
      .fragment = { nth(queue, REG_RESOURCES, 2 * IDVS(fragment_srt)), nth(queue, REG_UNIFORMS, 2),
                    nth(queue, REG_PROGRAM, 2), nth(queue, REG_STORAGE, 2 * IDVS(fragment_tsd)) },
      .count = regs[REG_COUNT],
      .instances = regs[REG_INSTANCES],
      .first_index = regs[REG_FIRST_INDEX],
      .base_vertex = regs[REG_BASE_VERTEX],
      .first_instance = regs[REG_FIRST_INSTANCE],
      .indices = pair(queue, REG_INDICES),
      .index_bytes = regs[REG_INDEX_BYTES],
      .scissor = { regs[REG_SCISSOR], regs[REG_SCISSOR + 1] },
      .min_z = regs[REG_MIN_Z],
      .max_z = regs[REG_MAX_Z],
      .varying_bytes = regs[REG_VARYING_BYTES],
      .blends = pair(queue, REG_BLENDS),
      .depth_stencil = pair(queue, REG_DEPTH_STENCIL),
      .occlusion = pair(queue, REG_OCCLUSION),
      .primitive = regs[REG_PRIMITIVE] | (uint32_t)IDVS(flags_override),
      .flags = { regs[REG_DRAW_FLAGS], regs[REG_DRAW_FLAGS + 1] },
      .size = regs[REG_SIZE],
   };

   *what = "an offset of attributes";
   if (regs[REG_ATTRIBUTE_OFFSET])
      return MALI_MISSING;
   *what = "the number of a draw";
   if (IDVS(draw_id_enable) && regs[IDVS(draw_id)])
      return MALI_MISSING;
   *what = text;
   return mali_idvs(mali, pair(queue, REG_TILER), &draw, text);
#undef IDVS
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
   const struct panthor_run *run = data;
   struct mali_env mali = { .vm = env->vm, .trace = env->trace, .budget = env->budget };
   char text[MALI_TEXT] = "";
   const char *what = "all of it";
   enum mali_result result = MALI_MISSING;

   switch (word >> 56) {
   case CS_RUN_FRAGMENT:
      mali.gfx = panthor_gfx(run->device);
      mali.rows = panthor_of(run->device)->rows;
      mali.draws = run->group->draws;
      result = fragment(&mali, queue, word, text, &what);
      break;
   case CS_RUN_IDVS:
      if (!run->group->draws)
         run->group->draws = mali_draws_create();
      mali.draws = run->group->draws;
      result = idvs(&mali, queue, word, text, &what);
      break;
   case CS_RUN_COMPUTE:
      result = compute(&mali, queue, word, text, &what);
      break;
   default:
      break;
   }
   if (result == MALI_DONE)
      return CS_OK;
   panthor_say(run->device, "%s: %s: %s%s", env->name, cs_name(word),
               result == MALI_MISSING ? "not implemented: " : "", what);
   return result == MALI_EXHAUSTED ? CS_SPENT : CS_UNRECOVERABLE;
}
