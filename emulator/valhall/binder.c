/* SPDX-License-Identifier: MIT */
/*
 * Valhall's binder: what a chip has in the tables and windows of docs/valhall-chip.rst.
 */
#include <stdlib.h>
#include <string.h>

#include "memory/pool.h"
#include "memory/vm.h"
#include "bind/binder.h"
#include "port/rat.h"
#include "port/views.h"
#include "uop/native_map.h"
#include "valhall/valhall.h"

#define MAX_ATTRIBUTES 64u /* elements that descriptors are looked for */

/* ---- Programs ---- */

struct context {
   const struct vh_kernels *kernels;
   bool interpret; /* ATOLL_NATIVE=0 */
};

static struct core_program *
lift(void *data, const struct core_source *source)
{
   const struct context *context = data;
   const bool pixel = source->stage == CORE_PIXEL;
   const struct vh_source made = {
      .words = (const uint64_t *)(const void *)source->words,
      .count = source->num_words / 2,
      .address = source->va,
      .flush = source->state[1] & SOURCE_KEEP_SINGLES  ? VH_FLUSH_NONE
               : source->state[1] & SOURCE_KEEP_OTHERS ? VH_FLUSH_FLOATS
                                                       : VH_FLUSH_ALL,
      .interpret = source->interpret || context->interpret,
      .device = true,
      .mali = source->state[1] & SOURCE_MALI,
      .second =
         source->state[1] & SOURCE_MALI && source->stage == CORE_VERTEX ? source->state[0] : 0,
      .stage = (enum core_stage)source->stage,
      .attributes = source->fetch_words,
      .num_attributes = pixel ? 0 : source->num_fetch_words / 8,
      .blend_words = pixel ? (const uint64_t *)(const void *)source->fetch_words : NULL,
      .num_blend_words = pixel ? source->num_fetch_words / 2 : 0,
      .blend_address = source->fetch_va,
   };

   return context->kernels->lift(&made);
}

static void
release(void *data, struct core_program *program)
{
   const struct context *context = data;

   context->kernels->free(program);
}

static struct core_cache *
open_cache(const struct kernels *kernels)
{
   static const struct core_lifter lifter = { lift, release, vh_program_bytes, free };
   struct context *context = calloc(1, sizeof(*context));

   if (!context)
      return NULL;
   context->kernels = vh_kernels_of(kernels);
   context->interpret = !uop_native_wanted();
   return core_cache_create(&lifter, context);
}

static const struct core_program *
find_program(struct core_cache *cache, const struct bind_source *source, const char **why)
{
   struct core_source words;

   if (!binder_words(&words, source, why))
      return NULL;
   words.stage = source->role;
   if (source->role == CORE_PIXEL) {
      const struct source_words blends = source->ops->code(source, SOURCE_BLENDS);

      words.fetch_va = blends.va;
      words.fetch_words = blends.words;
      words.num_fetch_words = blends.count & ~(size_t)1;
   }
   words.num_words &= ~(size_t)1;
   if (source->role != CORE_PIXEL && words.num_fetch_words > 8 * MAX_ATTRIBUTES)
      words.num_fetch_words = 8 * MAX_ATTRIBUTES;
   return binder_cached(cache, &words, why);
}

/* ---- Binds ---- */

static bool
bind_textures(struct vh_device *d, const struct vh_reads *reads, const struct bind_source *source)
{
   struct td_tex_bind *tex = pool_alloc(source->pool, (reads->num_tex + 1) * sizeof(*tex));
   struct td_vtx_bind *buffers = pool_alloc(source->pool, (reads->num_tex + 1) * sizeof(*buffers));

   if (!tex || !buffers)
      return false;

   vh_bind_textures(source->kernels, reads, source->views, d, tex, buffers);
   d->tex = tex;
   d->tex_buffers = buffers;
   return true;
}

static bool
bind_elements(struct vh_device *d, const struct vh_reads *reads, const struct bind_source *source)
{
   struct td_vtx_bind *vtx = pool_alloc(source->pool, (reads->num_vtx + 1) * sizeof(*vtx));

   if (!vtx)
      return false;
   for (uint32_t i = 0; i < reads->num_vtx; i++)
      td_views_bind_fetch(source->views, source->kernels, &vtx[i], &reads->vtx[i].fetch,
                          reads->vtx[i].view, 0);
   d->vtx = vtx;
   d->base_vertex = source->base_vertex;
   d->start_instance = source->start_instance;
   return true;
}

/* For what is chosen as the program runs. */
static bool
keep_tables(struct vh_device *d, const struct bind_source *source)
{
   const struct source_words words = source->ops->code(source, SOURCE_FETCHES);
   uint32_t *attributes;

   d->views = source->ops->keep(source, NULL);
   if (!d->views || !words.words)
      return d->views;
   d->num_attributes = (uint32_t)(words.count / 8);
   if (d->num_attributes > MAX_ATTRIBUTES)
      d->num_attributes = MAX_ATTRIBUTES;
   attributes = pool_alloc(source->pool, d->num_attributes * 32 + 1);
   if (!attributes)
      return false;
   memcpy(attributes, words.words, d->num_attributes * 32);
   d->attributes = attributes;
   return true;
}

static struct core_bind *
bind_program(const struct core_program *program, const struct bind_source *source,
             const struct core_bind *reuse)
{
   const struct vh_reads *reads = vh_reads(program);
   const uint32_t buffers = reads->buffers | 1u | 1u << 15;
   struct vh_bind *bind = pool_alloc(source->pool, sizeof(*bind));
   struct vh_device *d = pool_alloc(source->pool, sizeof(*d));

   (void)reuse;
   if (!bind || !d)
      return NULL;
   *bind = (struct vh_bind){
      .core = { .program = program, .budget = BINDER_WAVE_CYCLES },
      .device = d,
   };
   *d = (struct vh_device){
      .vm = source->vm,
      .factor_bytes = 4u * source->factors,
      .sprite_top = source->sprite_top,
      .in_texels = source->ops->in_texels,
   };
   if (source->ops->uniforms) {
      const struct target_range range = source->ops->uniforms(source);
      const uint64_t mapped = vm_extent(source->vm, range.va, range.size);

      d->has_uniforms = true;
      if (mapped)
         d->uniforms = (struct vh_buffer){ vm_pointer(source->vm, range.va), (uint32_t)mapped };
   }
   for (unsigned n = 0; n < VH_BUFFERS; n++) {
      if (buffers >> n & 1) {
         const struct source_buffer k = binder_constants(source, n);

         d->constants[n] =
            (struct vh_buffer){ (const uint32_t *)(void *)k.base, (uint32_t)k.bytes };
      }
   }
   d->table = pool_alloc(source->pool, vh_table_dwords(program) * sizeof(*d->table));
   if (!d->table || !bind_textures(d, reads, source) || !bind_elements(d, reads, source) ||
       (reads->descriptors && !keep_tables(d, source)))
      return NULL;
   vh_fill_table(bind);
   return &bind->core;
}

static bool
reads_range(const struct core_program *program, const struct bind_source *source,
            struct target_range range)
{
   const struct vh_reads *reads = vh_reads(program);

   if (!range.size)
      return false;
   if (reads->addresses || (reads->descriptors && binder_any_view_reads(source, range)))
      return true;
   for (uint32_t i = 0; i < reads->num_tex; i++)
      if (reads->tex[i].resource < source->views->count &&
          binder_view_reads(source, reads->tex[i].resource, range))
         return true;
   for (uint32_t i = 0; i < reads->num_vtx; i++)
      if (binder_view_reads(source, reads->vtx[i].view, range))
         return true;
   return binder_constants_read(source, reads->buffers | 1u | 1u << 15, range);
}

/* Its waves go one by one: which address a lane stores to is its own affair. */
static bool
bind_memory(const struct bind_share *share, struct core_bind *core,
            const struct bind_source *source, bool *ordered)
{
   struct vh_device *d = ((struct vh_bind *)core)->device;
   const struct vh_reads *reads = vh_reads(core->program);

   if (reads->gds) {
      d->gds = share->gds;
      d->gds_bytes = share->gds_bytes;
   }
   *ordered |= reads->gds || (core->program->writes_memory && !share->relaxed_order);
   if (!reads->images)
      return true;

   d->rats = binder_rats(source, (UINT64_C(1) << RATS) - 1);
   return d->rats;
}

const struct binder binder_valhall = {
   .open = open_cache,
   .find = find_program,
   .bind = bind_program,
   .bind_memory = bind_memory,
   .reads = reads_range,
};
