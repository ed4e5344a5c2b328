/* SPDX-License-Identifier: MIT */
/*
 * Programs of Cayman and of the five-slot chips in the cache of lifted programs (core/cache.h).
 */
#include "core/cache.h"
#include "sq/counts.h"
#include "sq/program.h"
#include "uop/native_map.h"

#include <malloc.h>
#include <stdlib.h>

struct context {
   const struct kernels *kernels;
   enum cayman_vliw vliw;
   bool interpret;               /* ATOLL_NATIVE=0 */
   struct sq_counting *counting; /* NULL: off */
   struct uop_native_pool *pool;
};

static struct core_program *
lift(void *data, const struct core_source *source)
{
   const struct context *context = data;
   const struct sq_program_source made = {
      .vliw = context->vliw,
      .stage = (enum sq_stage)source->stage,
      .words = source->words,
      .num_words = source->num_words,
      .fetch_words = source->fetch_words,
      .num_fetch_words = source->num_fetch_words,
      .pgm_resources = source->state[0],
      .pgm_resources_2 = source->state[1],
      .inputs = { source->state[2], source->state[3], source->state[4], source->state[5] },
      .interpret = source->interpret || context->interpret,
      .forgets = true,
      .pool = context->pool,
   };
   struct sq_program *program = context->kernels->sq_lift(&made);

   if (!program)
      return NULL;
   if (context->counting) {
      program->counts = sq_counting_of(context->counting, &made, program);
      program->core.counted = program->counts != NULL;
   }
   return &program->core;
}

static void
release(void *data, struct core_program *program)
{
   const struct context *context = data;

   context->kernels->sq_program_free((struct sq_program *)program);
}

/* What the program holds. */
static size_t
program_bytes(const struct core_program *program)
{
   const struct program *p = (const struct program *)program;
   const void *const owned[] = {
      p,          p->head.consts, p->head.tex,      p->head.vtx,
      p->cfs,     p->code.uops,   p->code.literals, p->bound.uops,
      p->fetches, p->series,      p->clear,         p->regions,
      p->steps,   p->lifted,      p->groups,
   };
   size_t bytes = p->bound.native_bytes;

   for (unsigned i = 0; i < sizeof(owned) / sizeof(*owned); i++)
      bytes += malloc_usable_size((void *)owned[i]);
   return bytes;
}

static void
close_context(void *data)
{
   struct context *context = data;

   sq_counting_close(context->counting);
   uop_native_pool_destroy(context->pool);
   free(context);
}

struct core_cache *
sq_cache_create(enum cayman_vliw vliw, const struct kernels *kernels)
{
   static const struct core_lifter lifter = { lift, release, program_bytes, close_context };
   struct context *context = calloc(1, sizeof(*context));

   if (!context)
      return NULL;
   context->kernels = kernels;
   context->vliw = vliw;
   context->interpret = !uop_native_wanted();
   context->counting = sq_counting_open(getenv("ATOLL_COUNTS"));
   context->pool = uop_native_pool_create();
   return core_cache_create(&lifter, context);
}

const struct sq_program *
sq_cache_get(struct core_cache *cache, uint64_t va, uint64_t fetch_va,
             const struct sq_program_source *source)
{
   const struct core_source s = {
      .va = va,
      .fetch_va = fetch_va,
      .stage = source->stage,
      .state = { source->pgm_resources, source->pgm_resources_2 },
      .words = source->words,
      .num_words = source->num_words,
      .fetch_words = source->fetch_words,
      .num_fetch_words = source->num_fetch_words,
      .interpret = source->interpret,
   };

   return (const struct sq_program *)core_cache_get(cache, &s);
}
