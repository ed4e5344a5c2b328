/* SPDX-License-Identifier: MIT */
/*
 * ATTILA's programs of the pipeline in the cache of lifted programs (core/cache.h).
 */
#include "attila/program.h"
#include "uop/native_map.h"

#include <malloc.h>
#include <stdlib.h>

#define PAGE_BYTES 4096u

struct context {
   const struct at_kernels *kernels;
   bool interpret; /* ATOLL_NATIVE=0 */
};

static struct core_program *
lift(void *data, const struct core_source *source)
{
   const struct context *context = data;
   const size_t length = attila_length(source->words, source->num_words);
   const struct at_source made = {
      .words = source->words,
      .num_dwords = length,
      .pixel = source->stage == CORE_PIXEL,
      .interpret = source->interpret || context->interpret,
      .pipeline = true,
      .cubes = (uint16_t)source->state[0],
   };
   struct at_program *program = context->kernels->lift(&made);

   if (program && !length) {
      program->core.error = "the program does not end";
      /* Whatever is written there makes another one. */
      program->core.words_used = (uint32_t)source->num_words;
   }
   return program ? &program->core : NULL;
}

static void
release(void *data, struct core_program *program)
{
   const struct context *context = data;

   context->kernels->free((struct at_program *)program);
}

/* What the program holds: machine code has pages of its own. */
static size_t
program_bytes(const struct core_program *program)
{
   const struct at_lifted *p = (const struct at_lifted *)program;
   const void *const owned[] = {
      p, p->steps, p->cleared, p->tex, p->attributes, p->code.uops, p->code.literals, p->bound.uops,
   };
   size_t bytes = (p->bound.native_bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;

   for (unsigned i = 0; i < sizeof(owned) / sizeof(*owned); i++)
      bytes += malloc_usable_size((void *)owned[i]);
   return bytes;
}

struct core_cache *
at_cache_create(const struct kernels *kernels)
{
   static const struct core_lifter lifter = { lift, release, program_bytes, free };
   struct context *context = calloc(1, sizeof(*context));

   if (!context)
      return NULL;
   context->kernels = at_kernels_of(kernels);
   context->interpret = !uop_native_wanted();
   return core_cache_create(&lifter, context);
}
