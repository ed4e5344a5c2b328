/* SPDX-License-Identifier: MIT */
/*
 * What instruction sets ask of a stage in the same way; see binder.h.
 */
#include "bind/binder.h"

#include <string.h>

#include "memory/pool.h"
#include "memory/vm.h"
#include "port/rat.h"
#include "port/views.h"

#define CONSTANT_BYTES 0x10000u

bool
binder_words(struct core_source *out, const struct bind_source *source, const char **why)
{
   const struct source_words program = source->ops->code(source, SOURCE_PROGRAM);
   const struct source_words fetches = source->ops->code(source, SOURCE_FETCHES);

   *out = (struct core_source){
      .va = program.va,
      .words = program.words,
      .num_words = program.count,
      .fetch_va = fetches.va,
      .fetch_words = fetches.words,
      .num_fetch_words = fetches.count,
   };
   _Static_assert(sizeof(out->state) == sizeof(source->state), "they are the same words");
   memcpy(out->state, source->state, sizeof(out->state));
   if (!out->words)
      *why = "program is not in mapped memory";
   return out->words;
}

const struct core_program *
binder_cached(struct core_cache *cache, const struct core_source *words, const char **why)
{
   const struct core_program *program = core_cache_get(cache, words);

   if (!program)
      *why = NO_MEMORY;
   else if (program->error)
      *why = program->error;
   return program && !program->error ? program : NULL;
}

const struct core_entry *
binder_entry(const struct core_program *program, const struct bind_source *source,
             struct core_entry *room)
{
   struct core_layout layout = {
      .position = CORE_NO_ROW,
      .face = CORE_NO_ROW,
      .pixel = CORE_NO_ROW,
      .thread = CORE_NO_ROW,
      .group = CORE_NO_ROW,
   };

   if (source->role == CORE_PIXEL || source->role == CORE_COMPUTE)
      source->ops->layout(source, &layout);
   return program->engine->entry(program, source->role, &layout, room);
}

/* Not inline: few programs have such a buffer. */
static __attribute__((noinline)) struct target_range
view_range(const struct bind_source *source, unsigned n)
{
   struct elements view;

   return source->views->ops->buffer(source->views, n, &view)
             ? (struct target_range){ view.va, view.size }
             : (struct target_range){ 0 };
}

static inline struct target_range
constant_range(const struct bind_source *source, unsigned n)
{
   return n < SOURCE_BUFFERS ? source->ops->constants(source, n) : view_range(source, n);
}

struct source_buffer
binder_constants(const struct bind_source *source, unsigned n)
{
   const struct target_range range = constant_range(source, n);
   const uint64_t want = range.size < CONSTANT_BYTES ? range.size : CONSTANT_BYTES;
   const uint64_t mapped = vm_extent(source->vm, range.va, want);

   return (struct source_buffer){ mapped ? vm_pointer(source->vm, range.va) : NULL, mapped };
}

static bool
overlap(struct target_range a, struct target_range b)
{
   return b.size && a.va < b.va + b.size && b.va < a.va + a.size;
}

bool
binder_constants_read(const struct bind_source *source, uint32_t buffers, struct target_range range)
{
   for (uint32_t left = buffers; left; left &= left - 1)
      if (overlap(range, constant_range(source, (unsigned)__builtin_ctz(left))))
         return true;
   return false;
}

bool
binder_view_reads(const struct bind_source *source, uint32_t n, struct target_range range)
{
   return !source->ops->view_reads || source->ops->view_reads(source, n, range);
}

bool
binder_any_view_reads(const struct bind_source *source, struct target_range range)
{
   for (uint32_t n = 0; n < source->views->count; n++)
      if (binder_view_reads(source, n, range))
         return true;
   return false;
}

struct rat *
binder_rats(const struct bind_source *source, uint64_t mask)
{
   struct rat *rats = pool_alloc(source->pool, RATS * sizeof(*rats));

   if (!rats)
      return NULL;
   if (source->ops->rats)
      source->ops->rats(source, mask, rats);
   else
      memset(rats, 0, RATS * sizeof(*rats));
   return rats;
}
