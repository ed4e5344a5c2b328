/* SPDX-License-Identifier: MIT */
/*
 * The binders of Cayman and of the five-slot chips: constants by value, textures and buffers to
 * kernels.
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

/* The value of one that is read at a fixed dword. */
static uint32_t
constant(const struct sq_const_ref *c, const struct sq_kcache *banks)
{
   const struct sq_kcache *k = &banks[c->bank & 15];

   return (uint64_t)c->dword * 4 + 4 <= k->bytes ? k->base[c->dword] : 0;
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
   for (uint32_t i = 0; i < program->num_consts; i++)
      consts[i] = constant(&program->consts[i], bind->kcache);
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

static bool
keep_for_observer(struct core_bind *core, const struct bind_source *source)
{
   struct sq_bind *bind = (struct sq_bind *)core;

   return bind->views || keep_views(bind, source, NULL);
}

/* What a fetch adds to its index. */
static uint32_t
added(const struct sq_vtx_ref *v, uint32_t base_vertex, uint32_t start_instance)
{
   return v->adds == CAYMAN_FETCH_VERTEX_DATA     ? base_vertex
          : v->adds == CAYMAN_FETCH_INSTANCE_DATA ? start_instance
                                                  : 0;
}

static void
bind_fetch(struct td_vtx_bind *vtx, const struct sq_vtx_ref *v, const struct bind_source *source)
{
   td_views_bind_fetch(source->views, source->kernels, vtx, &v->fetch, v->resource,
                       added(v, source->base_vertex, source->start_instance));
}

/* The other bind's arrays may go before this one: copied. */
static bool
reuse_descriptors(struct sq_bind *bind, const struct sq_program *program,
                  const struct bind_source *source, const struct sq_bind *reuse)
{
   const bool adds_alike =
      reuse->base_vertex == source->base_vertex && reuse->start_instance == source->start_instance;
   const size_t tex_size = program->num_tex * sizeof(*bind->tex);
   const size_t vtx_size = program->num_vtx * sizeof(*bind->vtx);
   void *tex = tex_size ? pool_alloc(source->pool, tex_size) : NULL;
   struct td_vtx_bind *vtx = vtx_size ? pool_alloc(source->pool, vtx_size) : NULL;

   if ((tex_size && !tex) || (vtx_size && !vtx))
      return false;
   if (tex)
      memcpy(tex, reuse->tex, tex_size);
   if (vtx)
      memcpy(vtx, reuse->vtx, vtx_size);
   for (uint32_t i = 0; i < program->num_vtx && !adds_alike; i++) {
      const struct sq_vtx_ref *v = &program->vtx[i];

      if (added(v, reuse->base_vertex, reuse->start_instance) !=
          added(v, source->base_vertex, source->start_instance))
         bind_fetch(&vtx[i], v, source);
   }
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

         indexed |= v->indexed;
         bind_fetch(&vtx[i], v, source);
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
                             .vm = source->vm,
                             .base_vertex = source->base_vertex,
                             .start_instance = source->start_instance };
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

/* Those that are read at run time lie where they did; the others are compared. */
static bool
has_constants(const struct core_bind *core, const struct bind_source *source)
{
   const struct sq_bind *bind = (const struct sq_bind *)core;
   const struct sq_program *program = sq_program_of(bind);
   struct sq_kcache now[SQ_CONSTANTS];

   for (uint32_t left = constant_banks(program) & 0xffff; left; left &= left - 1) {
      const unsigned n = (unsigned)__builtin_ctz(left);
      const struct source_buffer k = binder_constants(source, n);

      now[n] = (struct sq_kcache){ (const uint32_t *)(void *)k.base, (uint32_t)k.bytes };
      if ((program->kcache_banks >> n & 1) &&
          (now[n].base != bind->kcache[n].base || now[n].bytes != bind->kcache[n].bytes))
         return false;
   }
   for (uint32_t i = 0; i < program->num_consts; i++)
      if (constant(&program->consts[i], now) != bind->consts[i])
         return false;
   return true;
}

static struct core_cache *
open_cayman(const struct kernels *kernels)
{
   return sq_cache_create(CAYMAN_VLIW4, kernels);
}

static struct core_cache *
open_evergreen(const struct kernels *kernels)
{
   return sq_cache_create(CAYMAN_VLIW5, kernels);
}

static struct core_cache *
open_r700(const struct kernels *kernels)
{
   return sq_cache_create(CAYMAN_R700, kernels);
}

static struct core_cache *
open_r600(const struct kernels *kernels)
{
   return sq_cache_create(CAYMAN_R600, kernels);
}

#define BINDER(opens)                                                                         \
   {                                                                                          \
      .open = (opens), .find = find_program, .bind = bind_program, .keep = keep_for_observer, \
      .bind_ring = bind_ring, .bind_memory = sq_bind_memory, .reads = reads,                  \
      .reads_constants = reads_constants, .has_constants = has_constants,                     \
   }
const struct binder binder_cayman = BINDER(open_cayman);
const struct binder binder_evergreen = BINDER(open_evergreen);
const struct binder binder_r700 = BINDER(open_r700);
const struct binder binder_r600 = BINDER(open_r600);
