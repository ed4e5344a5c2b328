/* SPDX-License-Identifier: MIT */
/*
 * ATTILA's binder (docs/attila-chip.rst): constants in one table, texture units and attributes to
 * kernels.
 */
#include <string.h>

#include "attila/attila.h"
#include "memory/pool.h"
#include "bind/binder.h"
#include "port/views.h"

#define DRIVER_BUFFER  15u
#define CONSTANT_BYTES 4096u /* of a buffer that a program can reach */

static const struct at_program *
program_of(const struct core_program *program)
{
   return (const struct at_program *)program;
}

static const struct core_program *
find_program(struct core_cache *cache, const struct bind_source *source, const char **why)
{
   struct core_source words;

   if (source->role != CORE_VERTEX && source->role != CORE_PIXEL) {
      *why = "ATTILA has vertex and pixel programs alone";
      return NULL;
   }
   if (!binder_words(&words, source, why))
      return NULL;
   words.stage = source->role;
   words.state[0] = at_cube_units(source->views);
   words.state[1] = 0;
   /* Attributes are described for each draw, not for the program. */
   words.fetch_va = 0;
   words.fetch_words = NULL;
   words.num_fetch_words = 0;
   return binder_cached(cache, &words, why);
}

static bool
bind_table(struct at_bind *bind, const struct at_program *program, const struct bind_source *source)
{
   uint32_t *table = pool_alloc(source->pool, program->table_dwords * sizeof(*table));
   const uint32_t *from[2];
   uint32_t dwords[2];

   if (!table)
      return false;
   for (unsigned n = 0; n < 2; n++) {
      struct source_buffer b = { NULL, 0 };

      if (program->constants[n])
         b = binder_constants(source, n ? DRIVER_BUFFER : 0);
      from[n] = (const uint32_t *)(void *)b.base;
      dwords[n] = (uint32_t)((b.bytes < CONSTANT_BYTES ? b.bytes : CONSTANT_BYTES) / 4);
   }
   at_fill_table(program, from, dwords, table);
   bind->table = table;
   return true;
}

/* What element n is; of zeros where nothing describes it. */
static struct attribute
attribute(const struct bind_source *source, unsigned n)
{
   static const uint32_t none[ATTRIBUTE_DWORDS];
   const struct source_words all = source->ops->code(source, SOURCE_FETCHES);
   const bool there = all.words && all.count >= ATTRIBUTE_DWORDS * (n + 1);
   struct attribute out;

   bind_decode_attribute(&out, there ? all.words + (size_t)ATTRIBUTE_DWORDS * n : none);
   return out;
}

/* What is added to its index. */
static void
set_base(struct at_element *element, const struct bind_source *source)
{
   element->base = element->divisor ? source->start_instance : source->base_vertex;
}

static void
bind_element(struct at_element *element, unsigned n, const struct bind_source *source)
{
   const struct attribute a = attribute(source, n);

   element->divisor = a.divisor;
   set_base(element, source);
   element->twice = a.twice;
   /* The index is complete when it comes to the fetch. */
   td_views_bind_fetch(source->views, source->kernels, &element->fetch, &a.fetch, a.view, 0);
}

static bool
bind_descriptors(struct at_bind *bind, const struct at_program *program,
                 const struct bind_source *source)
{
   struct td_tex_bind *tex = pool_alloc(source->pool, (program->num_tex + 1) * sizeof(*tex));
   struct at_element *elements =
      pool_alloc(source->pool, (program->num_attributes + 1) * sizeof(*elements));

   if (!tex || !elements)
      return false;
   at_bind_textures(source->kernels, program, source->views, tex);
   for (uint32_t n = 0; n < program->num_attributes; n++)
      bind_element(&elements[n], program->attributes[n], source);
   bind->tex = tex;
   bind->elements = elements;
   return true;
}

/* The other bind's arrays may go before this one: copied. */
static bool
reuse_descriptors(struct at_bind *bind, const struct at_program *program,
                  const struct bind_source *source, const struct at_bind *reuse)
{
   const size_t tex_size = program->num_tex * sizeof(*bind->tex);
   const size_t elements_size = program->num_attributes * sizeof(*bind->elements);
   void *tex = pool_alloc(source->pool, tex_size + 1),
        *elements = pool_alloc(source->pool, elements_size + 1);

   if (!tex || !elements)
      return false;
   memcpy(tex, reuse->tex, tex_size);
   memcpy(elements, reuse->elements, elements_size);
   for (uint32_t n = 0; n < program->num_attributes; n++)
      set_base((struct at_element *)elements + n, source);
   bind->tex = tex;
   bind->elements = elements;
   return true;
}

static struct core_bind *
bind_program(const struct core_program *core, const struct bind_source *source,
             const struct core_bind *reuse)
{
   const struct at_program *program = program_of(core);
   struct at_bind *bind = pool_alloc(source->pool, sizeof(*bind));

   if (!bind)
      return NULL;
   memset(bind, 0, sizeof(*bind));
   bind->core = (struct core_bind){ .program = core, .budget = BINDER_WAVE_CYCLES };
   if (!bind_table(bind, program, source) ||
       (reuse ? !reuse_descriptors(bind, program, source, (const struct at_bind *)reuse)
              : !bind_descriptors(bind, program, source)))
      return NULL;
   return &bind->core;
}

static bool
reads(const struct core_program *core, const struct bind_source *source, struct target_range range)
{
   const struct at_program *program = program_of(core);
   const uint32_t buffers =
      (program->constants[0] ? 1u : 0) | (program->constants[1] ? 1u << DRIVER_BUFFER : 0);

   if (!range.size)
      return false;
   for (uint32_t n = 0; n < program->num_tex; n++)
      if (binder_view_reads(source, AT_TEXTURES + program->tex[n].unit, range))
         return true;
   for (uint32_t n = 0; n < program->num_attributes; n++)
      if (binder_view_reads(source, attribute(source, program->attributes[n]).view, range))
         return true;
   return binder_constants_read(source, buffers, range);
}

const struct binder binder_attila = {
   .open = at_cache_create,
   .find = find_program,
   .bind = bind_program,
   .reads = reads,
};
