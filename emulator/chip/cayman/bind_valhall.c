/* SPDX-License-Identifier: MIT */
/*
 * Valhall's binder: what the tables and windows of docs/valhall-chip.rst are, from the registers.
 */
#include "chip/cayman/bind.h"

#include <stdlib.h>
#include <string.h>

#include <atoll/cayman/enums.h>

#include "regs.h"
#include "port/rat.h"
#include "chip/cayman/cayman.h"
#include "uop/native_map.h"
#include "valhall/valhall.h"
#include "vgt/tessellator.h"

#define MAX_ATTRIBUTES  64u /* elements that descriptors are looked for */
#define FETCH_FIRST     992u
#define FETCH_RESOURCES 16u

/* ---- Programs ---- */

struct context {
   const struct vh_kernels *kernels;
   bool interpret; /* ATOLL_NATIVE=0 */
};

static struct core_program *
lift(void *data, const struct core_source *source)
{
   const struct context *context = data;
   const bool singles =
      REG_FIELD_GET(source->state[1], SQ_PGM_RESOURCES_2_PS, ALLOW_SINGLE_DENORM_IN);
   const bool halves =
      REG_FIELD_GET(source->state[1], SQ_PGM_RESOURCES_2_PS, ALLOW_DOUBLE_DENORM_IN);
   const bool pixel = source->stage == CORE_PIXEL;
   const struct vh_source made = {
      .words = (const uint64_t *)(const void *)source->words,
      .count = source->num_words / 2,
      .address = source->va,
      .flush = singles  ? VH_FLUSH_NONE
               : halves ? VH_FLUSH_FLOATS
                        : VH_FLUSH_ALL,
      .interpret = source->interpret || context->interpret,
      .device = true,
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

   if (!bind_program_source(&words, source, why))
      return NULL;
   words.stage = source->role;
   if (source->role == CORE_PIXEL) {
      words.fetch_va = (uint64_t)reg(source->regs, R_SQ_PGM_START_BLEND) << 8;
      if (words.fetch_va)
         words.fetch_words = bind_words(source->vm, words.fetch_va, &words.num_fetch_words);
      words.num_fetch_words &= ~(size_t)1;
   }
   words.num_words &= ~(size_t)1;
   if (source->role != CORE_PIXEL && words.num_fetch_words > 8 * MAX_ATTRIBUTES)
      words.num_fetch_words = 8 * MAX_ATTRIBUTES;
   return bind_cached_program(cache, &words, why);
}

/* ---- Binds ---- */

static bool
bind_textures(struct vh_device *d, const struct vh_reads *reads, const struct bind_source *source)
{
   struct td_tex_bind *tex = pool_alloc(source->pool, (reads->num_tex + 1) * sizeof(*tex));
   struct td_vtx_bind *buffers = pool_alloc(source->pool, (reads->num_tex + 1) * sizeof(*buffers));

   if (!tex || !buffers)
      return false;

   const struct cayman_tables tables = bind_views(source);
   vh_bind_textures(source->kernels, reads, &tables, tex, buffers);
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
   for (uint32_t i = 0; i < reads->num_vtx; i++) {
      struct cayman_vertex_fetch desc = reads->vtx[i].desc;

      desc.resource = bind_resource(source, SQ_FETCH_RESOURCE + reads->vtx[i].resource);
      desc.vm = source->vm;
      cayman_bind_vtx(source->kernels, &vtx[i], &desc);
   }
   d->vtx = vtx;
   d->base_vertex = source->regs->ctl[0];
   d->start_instance = source->regs->ctl[1];
   return true;
}

/* For what is chosen as the program runs: the descriptors, copied. */
static bool
bind_tables(struct vh_device *d, const struct bind_source *source)
{
   const struct bind_stage *stage = source->stage;
   struct bind_tables tables;
   struct core_source words;
   const char *why;
   uint32_t *attributes = NULL;
   uint32_t(*fetches)[8] = pool_alloc(source->pool, FETCH_RESOURCES * sizeof(*fetches));

   if (!fetches || !bind_copy_tables(&tables, source, NULL))
      return false;
   for (uint32_t n = 0; n < FETCH_RESOURCES; n++)
      memcpy(fetches[n], bind_resource(source, SQ_FETCH_RESOURCE + n), sizeof(*fetches));
   d->resources = tables.resources;
   d->num_resources = BIND_STAGE_RESOURCES;
   d->samplers = tables.samplers;
   d->num_samplers = REGS_STAGE_SAMPLERS;
   d->borders = tables.borders;
   d->fetches = (const uint32_t(*)[8])fetches;
   d->num_fetches = FETCH_RESOURCES;
   if (!stage->fetch || !bind_program_source(&words, source, &why) || !words.fetch_words)
      return true;
   d->num_attributes = (uint32_t)(words.num_fetch_words / 8);
   if (d->num_attributes > MAX_ATTRIBUTES)
      d->num_attributes = MAX_ATTRIBUTES;
   attributes = pool_alloc(source->pool, d->num_attributes * 32 + 1);
   if (!attributes)
      return false;
   memcpy(attributes, words.fetch_words, d->num_attributes * 32);
   d->attributes = attributes;
   return true;
}

/* Tessellation factors of a patch. */
static uint32_t
factor_bytes(const struct regs *r)
{
   const uint32_t type = REG_FIELD_GET(reg(r, R_VGT_TF_PARAM), VGT_TF_PARAM, TYPE);

   return 4 * (type == TESS_DOMAIN_ISOLINE ? 2u : type == TESS_DOMAIN_TRIANGLE ? 4u : 6u);
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
      .core = { .program = program, .budget = BIND_WAVE_CYCLES },
      .device = d,
   };
   *d = (struct vh_device){
      .vm = source->vm,
      .factor_bytes = factor_bytes(source->regs),
      .sprite_top = REG_FIELD_GET(reg(source->regs, R_SPI_INTERP_CONTROL_0), SPI_INTERP_CONTROL_0,
                                  PNT_SPRITE_TOP_1),
   };
   for (unsigned n = 0; n < VH_BUFFERS; n++) {
      if (buffers >> n & 1) {
         const struct bind_buffer k = bind_constants(source, n);

         d->constants[n] = (struct vh_buffer){ k.base, k.bytes };
      }
   }
   d->table = pool_alloc(source->pool, vh_table_dwords(program) * sizeof(*d->table));
   if (!d->table || !bind_textures(d, reads, source) || !bind_elements(d, reads, source) ||
       (reads->descriptors && !bind_tables(d, source)))
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
   if (reads->addresses || (reads->descriptors && bind_any_reads(source, range)))
      return true;
   for (uint32_t i = 0; i < reads->num_tex; i++)
      if (reads->tex[i].resource < BIND_STAGE_RESOURCES &&
          bind_descriptor_reads(bind_resource(source, reads->tex[i].resource), range))
         return true;
   for (uint32_t i = 0; i < reads->num_vtx; i++)
      if (bind_descriptor_reads(bind_resource(source, SQ_FETCH_RESOURCE + reads->vtx[i].resource),
                                range))
         return true;
   return bind_constants_read(source, reads->buffers | 1u | 1u << 15, range);
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

   struct rat *rats = pool_alloc(source->pool, RATS * sizeof(*rats));

   if (!rats)
      return false;
   const bool table = REG_FIELD_GET(reg(source->regs, source->stage->pgm_resources_2),
                                    SQ_PGM_RESOURCES_2_VS, RAT_TABLE);
   cayman_decode_rats(rats, (UINT64_C(1) << RATS) - 1,
                      table ? bind_resource(source, CAYMAN_RESOURCE_RAT_TABLE) : NULL, source->regs,
                      source->vm);
   d->rats = rats;
   return true;
}

const struct binder binder_valhall = {
   .open = open_cache,
   .find = find_program,
   .bind = bind_program,
   .bind_ring = bind_no_ring,
   .entry = bind_entry,
   .bind_memory = bind_memory,
   .reads = reads_range,
};
