/* SPDX-License-Identifier: MIT */
/*
 * Cayman's binder: constants by value, textures and buffers to kernels.
 */
#include <string.h>

#include "memory/pool.h"
#include "bind/binder.h"
#include "isa/cayman/cayman.h"
#include "sq/binder.h"
#include "sq/sq.h"
#include "port/views.h"

static const struct sq_program *
program_of(const struct core_program *program)
{
   return (const struct sq_program *)program;
}

/* What the stages of the pipeline are called here. */
static const uint8_t stages[] = {
   [STAGE_LS] = SQ_STAGE_LS, [STAGE_HS] = SQ_STAGE_HS, [STAGE_ES] = SQ_STAGE_ES,
   [STAGE_GS] = SQ_STAGE_GS, [STAGE_VS] = SQ_STAGE_VS, [STAGE_PS] = SQ_STAGE_PS,
   [STAGE_CS] = SQ_STAGE_CS,
};

static const struct core_program *
find_program(struct core_cache *cache, const struct bind_source *source, const char **why)
{
   struct core_source words;

   if (!binder_words(&words, source, why))
      return NULL;
   words.stage = stages[source->stage];
   return binder_cached(cache, &words, why);
}

/* The table that says which register a fetch by semantic writes. */
static bool
copy_semantics(struct sq_bind *bind, const struct bind_source *source)
{
   uint8_t *semantics;

   if (!source->ops->semantics)
      return true;
   semantics = pool_alloc(source->pool, SQ_SEMANTICS);
   if (semantics)
      source->ops->semantics(source, semantics);
   bind->semantics = semantics;
   return semantics;
}

/* Constants that are read at run time, and those that are read at fixed dwords. */
static uint32_t
constant_banks(const struct sq_program *program)
{
   uint32_t banks = program->kcache_banks;

   for (uint32_t i = 0; i < program->num_consts; i++)
      banks |= 1u << (program->consts[i].bank & 15);
   return banks;
}

static bool
bind_constant_values(struct sq_bind *bind, const struct sq_program *program,
                     const struct bind_source *source)
{
   const uint32_t banks = constant_banks(program);
   uint32_t *consts = NULL;

   if (program->num_consts) {
      consts = pool_alloc(source->pool, program->num_consts * sizeof(*consts));
      if (!consts)
         return false;
   }
   if (source->loops)
      memcpy(bind->loop_consts, source->loops, sizeof(bind->loop_consts));
   bind->bool_consts = source->bools;
   for (uint32_t left = banks & 0xffff; left; left &= left - 1) {
      const unsigned n = (unsigned)__builtin_ctz(left);
      const struct source_buffer k = binder_constants(source, n);

      bind->kcache[n] = (struct sq_kcache){ (const uint32_t *)(void *)k.base, (uint32_t)k.bytes };
   }
   for (uint32_t i = 0; i < program->num_consts; i++) {
      const struct sq_const_ref *c = &program->consts[i];
      const struct sq_kcache *k = &bind->kcache[c->bank & 15];

      consts[i] = (uint64_t)c->dword * 4 + 4 <= k->bytes ? k->base[c->dword] : 0;
   }
   bind->consts = consts;
   return true;
}

/* For what is chosen while the wave runs. */
static bool
keep_views(struct sq_bind *bind, const struct bind_source *source, const struct td_views *reuse)
{
   bind->views = source->ops->keep(source, reuse);
   return bind->views;
}

/* The other bind's arrays may go before this one: copied. */
static bool
reuse_descriptors(struct sq_bind *bind, const struct sq_program *program,
                  const struct bind_source *source, const struct sq_bind *reuse)
{
   const size_t tex_size = program->num_tex * sizeof(*bind->tex);
   const size_t vtx_size = program->num_vtx * sizeof(*bind->vtx);
   void *tex = tex_size ? pool_alloc(source->pool, tex_size) : NULL;
   void *vtx = vtx_size ? pool_alloc(source->pool, vtx_size) : NULL;

   if ((tex_size && !tex) || (vtx_size && !vtx))
      return false;
   if (tex)
      memcpy(tex, reuse->tex, tex_size);
   if (vtx)
      memcpy(vtx, reuse->vtx, vtx_size);
   bind->tex = tex;
   bind->vtx = vtx;
   return !reuse->views || keep_views(bind, source, reuse->views);
}

static bool
bind_descriptors(struct sq_bind *bind, const struct sq_program *program,
                 const struct bind_source *source)
{
   bool indexed = false;

   if (program->num_tex) {
      struct td_tex_bind *tex = pool_alloc(source->pool, program->num_tex * sizeof(*tex));

      if (!tex)
         return false;
      for (uint32_t i = 0; i < program->num_tex; i++) {
         const struct sq_tex_ref *t = &program->tex[i];

         indexed |= t->indexed;
         td_views_bind_tex(source->views, source->kernels, &tex[i], &t->lookup, t->resource,
                           t->sampler);
      }
      bind->tex = tex;
   }
   if (program->num_vtx) {
      struct td_vtx_bind *vtx = pool_alloc(source->pool, program->num_vtx * sizeof(*vtx));

      if (!vtx)
         return false;
      for (uint32_t i = 0; i < program->num_vtx; i++) {
         const struct sq_vtx_ref *v = &program->vtx[i];
         const uint32_t add = v->adds == CAYMAN_FETCH_VERTEX_DATA     ? source->base_vertex
                              : v->adds == CAYMAN_FETCH_INSTANCE_DATA ? source->start_instance
                                                                      : 0;

         indexed |= v->indexed;
         td_views_bind_fetch(source->views, source->kernels, &vtx[i], &v->fetch, v->resource, add);
      }
      bind->vtx = vtx;
   }
   return !indexed || keep_views(bind, source, NULL);
}

static struct core_bind *
bind_program(const struct core_program *core, const struct bind_source *source,
             const struct core_bind *reuse)
{
   const struct sq_program *program = program_of(core);
   struct sq_bind *bind = pool_alloc(source->pool, sizeof(*bind));

   if (!bind)
      return NULL;
   *bind = (struct sq_bind){ .core = { .program = core, .budget = BINDER_WAVE_CYCLES },
                             .vm = source->vm };
   if (!bind_constant_values(bind, program, source) ||
       (program->uses_semantics && !copy_semantics(bind, source)))
      return NULL;
   if (reuse ? !reuse_descriptors(bind, program, source, (const struct sq_bind *)reuse)
             : !bind_descriptors(bind, program, source))
      return NULL;
   return &bind->core;
}

/* Lists the fetches of buffers that start at the ring. */
static bool
bind_ring(struct core_bind *core, const struct bind_source *source, uint64_t va)
{
   struct sq_bind *bind = (struct sq_bind *)core;
   const struct sq_program *program = sq_program_of(bind);
   struct sq_ring_read *reads = pool_alloc(source->pool, (program->num_vtx + 1) * sizeof(*reads));

   if (!reads)
      return false;
   bind->ring_reads = reads;
   bind->num_ring_reads = 0;
   for (uint32_t i = 0; i < program->num_vtx; i++) {
      struct sq_ring_read *read = &reads[bind->num_ring_reads];

      if (!source->views->ops->buffer(source->views, program->vtx[i].resource, &read->buffer) ||
          read->buffer.va != va)
         continue;
      read->ref = i;
      bind->num_ring_reads++;
   }
   return true;
}

static bool
reads(const struct core_program *core, const struct bind_source *source, struct target_range range)
{
   const struct sq_program *program = program_of(core);
   bool indexed = false;

   if (!range.size)
      return false;
   for (uint32_t i = 0; i < program->num_tex; i++) {
      indexed |= program->tex[i].indexed;
      if (binder_view_reads(source, program->tex[i].resource, range))
         return true;
   }
   for (uint32_t i = 0; i < program->num_vtx; i++) {
      indexed |= program->vtx[i].indexed;
      if (binder_view_reads(source, program->vtx[i].resource, range))
         return true;
   }
   return (indexed && binder_any_view_reads(source, range)) ||
          binder_constants_read(source, constant_banks(program), range);
}

static bool
reads_constants(const struct core_program *core, const struct bind_source *source,
                struct target_range range)
{
   return binder_constants_read(source, constant_banks(program_of(core)), range);
}

const struct binder binder_cayman = {
   .open = sq_cache_create,
   .find = find_program,
   .bind = bind_program,
   .bind_ring = bind_ring,
   .bind_memory = sq_bind_memory,
   .reads = reads,
   .reads_constants = reads_constants,
};
