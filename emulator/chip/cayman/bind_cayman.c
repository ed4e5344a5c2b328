/* SPDX-License-Identifier: MIT */
/*
 * Cayman's binder: constants by value, textures and buffers to kernels.
 */
#include "chip/cayman/bind.h"

#include <string.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "memory/vm.h"
#include "regs.h"

static const struct sq_program *
program_of(const struct core_program *program)
{
   return (const struct sq_program *)program;
}

static const struct core_program *
find_program(struct core_cache *cache, const struct bind_source *source, const char **why)
{
   struct core_source words;

   if (!bind_program_source(&words, source, why))
      return NULL;
   words.stage = source->stage->stage;
   return bind_cached_program(cache, &words, why);
}

/* Descriptors that are chosen while the wave runs. */
static bool
copy_tables(struct sq_bind *bind, const struct bind_source *source, const struct sq_bind *reuse)
{
   struct bind_tables tables, old;

   if (reuse)
      old = (struct bind_tables){ reuse->resources, reuse->samplers, reuse->borders };
   if (!bind_copy_tables(&tables, source, reuse ? &old : NULL))
      return false;
   bind->resources = tables.resources;
   bind->num_resources = BIND_STAGE_RESOURCES;
   bind->samplers = tables.samplers;
   bind->num_samplers = REGS_STAGE_SAMPLERS;
   bind->borders = tables.borders;
   return true;
}

/* The table that says which register a fetch by semantic writes. */
static bool
copy_semantics(struct sq_bind *bind, const struct regs *r, struct pool *pool)
{
   uint8_t *semantics = pool_alloc(pool, SQ_SEMANTICS);

   for (unsigned n = 0; semantics && n < SQ_SEMANTICS; n++)
      semantics[n] = reg(r, REG_AT(SQ_VTX_SEMANTIC_0, n)) & 0xff;
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
   const struct bind_stage *stage = source->stage;
   const struct regs *r = source->regs;
   const uint32_t banks = constant_banks(program);
   uint32_t *consts = pool_alloc(source->pool, (program->num_consts + 1) * sizeof(*consts));

   if (!consts)
      return false;
   if (stage->loop_base + 32 <= REGS_LOOPS)
      memcpy(bind->loop_consts, r->loop + stage->loop_base, sizeof(bind->loop_consts));
   bind->bool_consts = r->bools[stage->loop_base / 32];
   for (uint32_t left = banks & 0xffff; left; left &= left - 1) {
      const unsigned n = (unsigned)__builtin_ctz(left);
      const struct bind_buffer k = bind_constants(source, n);

      bind->kcache[n] = (struct sq_kcache){ k.base, k.bytes };
   }
   for (uint32_t i = 0; i < program->num_consts; i++) {
      const struct sq_const_ref *c = &program->consts[i];
      const struct sq_kcache *k = &bind->kcache[c->bank & 15];

      consts[i] = (uint64_t)c->dword * 4 + 4 <= k->bytes ? k->base[c->dword] : 0;
   }
   bind->consts = consts;
   return true;
}

/* The other bind's arrays may go before this one: copied. */
static bool
reuse_descriptors(struct sq_bind *bind, const struct sq_program *program,
                  const struct bind_source *source, const struct sq_bind *reuse)
{
   const size_t tex_size = program->num_tex * sizeof(*bind->tex);
   const size_t vtx_size = program->num_vtx * sizeof(*bind->vtx);
   void *tex = pool_alloc(source->pool, tex_size), *vtx = pool_alloc(source->pool, vtx_size);

   if (!tex || !vtx)
      return false;
   if (tex_size)
      memcpy(tex, reuse->tex, tex_size);
   if (vtx_size)
      memcpy(vtx, reuse->vtx, vtx_size);
   bind->tex = tex;
   bind->vtx = vtx;
   return !reuse->resources || copy_tables(bind, source, reuse);
}

static bool
bind_descriptors(struct sq_bind *bind, const struct sq_program *program,
                 const struct bind_source *source)
{
   const struct regs *r = source->regs;
   bool indexed = false;

   if (program->num_tex) {
      struct td_tex_bind *tex = pool_alloc(source->pool, program->num_tex * sizeof(*tex));

      if (!tex)
         return false;
      for (uint32_t i = 0; i < program->num_tex; i++) {
         const struct sq_tex_ref *t = &program->tex[i];
         const uint32_t s =
            t->sampler < REGS_STAGE_SAMPLERS ? t->sampler + source->stage->sampler_base : 0;
         const struct cayman_view view = {
            .resource = bind_resource(source, t->resource),
            .sampler = r->sampler[s],
            .border = (const struct cayman_border_color *)r->border[s],
            .vm = source->vm,
         };

         indexed |= t->indexed;
         cayman_bind_tex(source->kernels, &tex[i], &t->lookup, &view);
      }
      bind->tex = tex;
   }
   if (program->num_vtx) {
      struct td_vtx_bind *vtx = pool_alloc(source->pool, program->num_vtx * sizeof(*vtx));

      if (!vtx)
         return false;
      for (uint32_t i = 0; i < program->num_vtx; i++) {
         const struct sq_vtx_ref *v = &program->vtx[i];
         struct cayman_vertex_fetch desc = v->desc;

         indexed |= v->indexed;
         desc.resource = bind_resource(source, v->resource);
         desc.base_vertex = r->ctl[0];
         desc.start_instance = r->ctl[1];
         desc.vm = source->vm;
         cayman_bind_vtx(source->kernels, &vtx[i], &desc);
      }
      bind->vtx = vtx;
   }
   return !indexed || copy_tables(bind, source, NULL);
}

static struct core_bind *
bind_program(const struct core_program *core, const struct bind_source *source,
             const struct core_bind *reuse)
{
   const struct sq_program *program = program_of(core);
   struct sq_bind *bind = pool_alloc(source->pool, sizeof(*bind));

   if (!bind)
      return NULL;
   *bind =
      (struct sq_bind){ .core = { .program = core, .budget = BIND_WAVE_CYCLES }, .vm = source->vm };
   if (!bind_constant_values(bind, program, source) ||
       (program->uses_semantics && !copy_semantics(bind, source->regs, source->pool)))
      return NULL;
   if (reuse ? !reuse_descriptors(bind, program, source, (const struct sq_bind *)reuse)
             : !bind_descriptors(bind, program, source))
      return NULL;
   return &bind->core;
}

/* Lists the fetches with descriptors that start at the ring. */
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
      const uint32_t *d = bind_resource(source, program->vtx[i].resource);

      if (REG_FIELD_GET(d[7], BUF_WORD7, TYPE) != SQ_RESOURCE_BUFFER ||
          (d[0] | (uint64_t)REG_FIELD_GET(d[2], BUF_WORD2, BASE_ADDRESS_HI) << 32) != va)
         continue;
      reads[bind->num_ring_reads].ref = i;
      memcpy(reads[bind->num_ring_reads++].resource, d, sizeof(reads->resource));
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
      if (bind_descriptor_reads(bind_resource(source, program->tex[i].resource), range))
         return true;
   }
   for (uint32_t i = 0; i < program->num_vtx; i++) {
      indexed |= program->vtx[i].indexed;
      if (bind_descriptor_reads(bind_resource(source, program->vtx[i].resource), range))
         return true;
   }
   return (indexed && bind_any_reads(source, range)) ||
          bind_constants_read(source, constant_banks(program), range);
}

const struct binder binder_cayman = {
   .open = sq_cache_create,
   .find = find_program,
   .bind = bind_program,
   .bind_ring = bind_ring,
   .entry = bind_entry,
   .bind_memory = bind_cayman_memory,
   .reads = reads,
};
