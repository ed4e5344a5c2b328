/* SPDX-License-Identifier: MIT */
/*
 * Resolves what a stage's program reads: constants by value, textures and buffers to kernels.
 */
#include "pass/bind.h"

#include <string.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "memory/vm.h"
#include "regs.h"
#include "td/formats.h"

#define MAX_PROGRAM_WORDS (1u << 18)
#define FETCH_RESOURCES   992u
#define STAGE_RESOURCES   176u                /* those of images and buffers included */
#define WAVE_CYCLES       (UINT64_C(1) << 26) /* a wave that runs longer is taken to be endless */

/* A stage: the program's registers are `pgm`'s, constants, resources and samplers `data`'s. */
#define STAGE(name, pgm, data, fs)                                                                \
   {                                                                                              \
      .stage = SQ_STAGE_##name, .pgm_start = R_SQ_PGM_START_##pgm,                                \
      .pgm_resources = R_SQ_PGM_RESOURCES_##pgm, .pgm_resources_2 = R_SQ_PGM_RESOURCES_2_##pgm,   \
      .scratch_item = R_SQ_##pgm##TMP_RING_ITEMSIZE, .const_cache = R_ALU_CONST_CACHE_##data##_0, \
      .const_size = R_ALU_CONST_BUFFER_SIZE_##data##_0, .resource_base = CAYMAN_RESOURCE_##data,  \
      .loop_base = CAYMAN_LOOP_CONST_##data, .sampler_base = CAYMAN_SAMPLER_##data, .fetch = fs,  \
   }
/* clang-format off */
const struct bind_stage
   bind_ps        = STAGE(PS, PS, PS, false),
   bind_vs        = STAGE(VS, VS, VS, true),
   bind_vs_inner  = STAGE(VS, VS, VS, false),
   bind_gs        = STAGE(GS, GS, GS, false),
   bind_es        = STAGE(ES, ES, VS, true),
   bind_es_domain = STAGE(ES, ES, VS, false),
   bind_hs        = STAGE(HS, HS, HS, false),
   bind_ls        = STAGE(LS, LS, LS, true);
/* clang-format on */

/* Compute has LS's program and constants, and resources of its own. */
const struct bind_stage bind_cs = {
   .stage = SQ_STAGE_CS,
   .pgm_start = R_SQ_PGM_START_LS,
   .pgm_resources = R_SQ_PGM_RESOURCES_LS,
   .pgm_resources_2 = R_SQ_PGM_RESOURCES_2_LS,
   .scratch_item = R_SQ_LSTMP_RING_ITEMSIZE,
   .const_cache = R_ALU_CONST_CACHE_LS_0,
   .const_size = R_ALU_CONST_BUFFER_SIZE_LS_0,
   .resource_base = CAYMAN_RESOURCE_CS,
   .loop_base = CAYMAN_LOOP_CONST_CS,
   .sampler_base = CAYMAN_SAMPLER_CS,
};

static const uint32_t *
program_words(const struct vm *vm, uint64_t va, size_t *num)
{
   const uint64_t bytes = vm_extent(vm, va, MAX_PROGRAM_WORDS * 4u);

   *num = bytes / 4;
   return *num ? vm_pointer(vm, va) : NULL;
}

const struct sq_program *
bind_program(struct sq_cache *cache, const struct bind_stage *stage, const struct regs *r,
             const struct vm *vm, const char **why)
{
   const uint64_t va = (uint64_t)reg(r, stage->pgm_start) << 8;
   const uint64_t fetch_va = stage->fetch ? (uint64_t)reg(r, R_SQ_PGM_START_FS) << 8 : 0;
   struct sq_program_source source = {
      .stage = stage->stage,
      .pgm_resources = reg(r, stage->pgm_resources),
      .pgm_resources_2 = reg(r, stage->pgm_resources_2),
   };
   const struct sq_program *program;

   source.words = program_words(vm, va, &source.num_words);
   if (!source.words) {
      *why = "program is not in mapped memory";
      return NULL;
   }
   if (stage->fetch && fetch_va)
      source.fetch_words = program_words(vm, fetch_va, &source.num_fetch_words);
   program = sq_cache_get(cache, va, fetch_va, &source);
   if (!program)
      *why = "out of memory";
   else if (program->core.error)
      *why = program->core.error;
   return program && !program->core.error ? program : NULL;
}

/* Kcache bank n: its address and size, mapped or not. */
static struct sq_kcache
bank(const struct bind_stage *stage, const struct regs *r, const struct vm *vm, unsigned n)
{
   const uint64_t va = (uint64_t)reg(r, stage->const_cache + 4 * n) << 8;
   const uint64_t bytes = (uint64_t)reg(r, stage->const_size + 4 * n) << 8;
   struct sq_kcache k = { NULL, 0 };
   const uint64_t mapped = vm_extent(vm, va, bytes < 0x10000 ? bytes : 0x10000);

   if (mapped) {
      k.base = vm_pointer(vm, va);
      k.bytes = mapped;
   }
   return k;
}

const uint32_t *
bind_resource(const struct bind_stage *stage, const struct regs *r, unsigned n)
{
   static const uint32_t none[8];

   n = n >= SQ_FETCH_RESOURCE ? n - SQ_FETCH_RESOURCE + FETCH_RESOURCES : n + stage->resource_base;
   return n < CAYMAN_RESOURCE_COUNT ? r->resource[n] : none;
}

/* Descriptors that are chosen while the wave runs: the stage's tables are copied. */
static bool
copy_tables(struct sq_bind *bind, const uint32_t (*resources)[8], const uint32_t (*samplers)[3],
            const struct td_border *borders, struct pool *pool)
{
   uint32_t(*res)[8] = pool_alloc(pool, STAGE_RESOURCES * sizeof(*res));
   uint32_t(*samp)[3] = pool_alloc(pool, REGS_STAGE_SAMPLERS * sizeof(*samp));
   struct td_border *border = pool_alloc(pool, REGS_STAGE_SAMPLERS * sizeof(*border));

   if (!res || !samp || !border)
      return false;
   memcpy(res, resources, STAGE_RESOURCES * sizeof(*res));
   memcpy(samp, samplers, REGS_STAGE_SAMPLERS * sizeof(*samp));
   memcpy(border, borders, REGS_STAGE_SAMPLERS * sizeof(*border));
   bind->resources = (const uint32_t(*)[8])res;
   bind->num_resources = STAGE_RESOURCES;
   bind->samplers = (const uint32_t(*)[3])samp;
   bind->num_samplers = REGS_STAGE_SAMPLERS;
   bind->borders = border;
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

bool
bind_stage(struct sq_bind *bind, const struct sq_program *program, const struct bind_stage *stage,
           const struct regs *r, const struct vm *vm, const struct kernels *kernels,
           const struct sq_bind *reuse, struct pool *pool)
{
   uint32_t *consts = pool_alloc(pool, (program->num_consts + 1) * sizeof(*consts));
   uint32_t banks = program->kcache_banks;

   *bind =
      (struct sq_bind){ .core = { .program = &program->core, .budget = WAVE_CYCLES }, .vm = vm };
   if (!consts)
      return false;
   for (unsigned n = 0; n < 32 && stage->loop_base + n < REGS_LOOPS; n++)
      bind->loop_consts[n] = r->loop[stage->loop_base + n];
   bind->bool_consts = r->bools[stage->loop_base / 32];
   for (uint32_t i = 0; i < program->num_consts; i++)
      banks |= 1u << (program->consts[i].bank & 15);
   for (unsigned n = 0; n < 16; n++)
      if (banks >> n & 1)
         bind->kcache[n] = bank(stage, r, vm, n);
   for (uint32_t i = 0; i < program->num_consts; i++) {
      const struct sq_const_ref *c = &program->consts[i];
      const struct sq_kcache *k = &bind->kcache[c->bank & 15];

      consts[i] = (uint64_t)c->dword * 4 + 4 <= k->bytes ? k->base[c->dword] : 0;
   }
   bind->consts = consts;
   if (program->uses_semantics && !copy_semantics(bind, r, pool))
      return false;

   if (reuse) {
      /* The other bind's arrays may go before this one: copied. */
      const size_t tex_size = program->num_tex * sizeof(*bind->tex);
      const size_t vtx_size = program->num_vtx * sizeof(*bind->vtx);
      void *tex = pool_alloc(pool, tex_size), *vtx = pool_alloc(pool, vtx_size);

      if (!tex || !vtx)
         return false;
      if (tex_size)
         memcpy(tex, reuse->tex, tex_size);
      if (vtx_size)
         memcpy(vtx, reuse->vtx, vtx_size);
      bind->tex = tex;
      bind->vtx = vtx;
      return !reuse->resources ||
             copy_tables(bind, reuse->resources, reuse->samplers, reuse->borders, pool);
   }

   bool indexed = false;

   if (program->num_tex) {
      struct td_tex_bind *tex = pool_alloc(pool, program->num_tex * sizeof(*tex));

      if (!tex)
         return false;
      for (uint32_t i = 0; i < program->num_tex; i++) {
         const struct sq_tex_ref *t = &program->tex[i];
         const uint32_t s = t->sampler < REGS_STAGE_SAMPLERS ? t->sampler + stage->sampler_base : 0;
         struct td_tex_desc desc = t->desc;

         indexed |= t->indexed;
         desc.resource = bind_resource(stage, r, t->resource);
         desc.sampler = r->sampler[s];
         desc.border = (const struct td_border *)r->border[s];
         desc.vm = vm;
         kernels->td_bind_tex(&tex[i], &desc);
      }
      bind->tex = tex;
   }
   if (program->num_vtx) {
      struct td_vtx_bind *vtx = pool_alloc(pool, program->num_vtx * sizeof(*vtx));

      if (!vtx)
         return false;
      for (uint32_t i = 0; i < program->num_vtx; i++) {
         const struct sq_vtx_ref *v = &program->vtx[i];
         struct td_vtx_desc desc = v->desc;

         indexed |= v->indexed;
         desc.resource = bind_resource(stage, r, v->resource);
         desc.base_vertex = r->ctl[0];
         desc.start_instance = r->ctl[1];
         desc.vm = vm;
         kernels->td_bind_vtx(&vtx[i], &desc);
      }
      bind->vtx = vtx;
   }
   if (indexed)
      return copy_tables(bind, (const uint32_t(*)[8])r->resource[stage->resource_base],
                         (const uint32_t(*)[3])r->sampler[stage->sampler_base],
                         (const struct td_border *)r->border[stage->sampler_base], pool);
   return true;
}

uint32_t
bind_ring_reads(struct sq_ring_read *reads, const struct sq_program *program,
                const struct bind_stage *stage, const struct regs *r, uint64_t va)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < program->num_vtx; i++) {
      const uint32_t *d = bind_resource(stage, r, program->vtx[i].resource);

      if (REG_FIELD_GET(d[7], BUF_WORD7, TYPE) != SQ_RESOURCE_BUFFER ||
          (d[0] | (uint64_t)REG_FIELD_GET(d[2], BUF_WORD2, BASE_ADDRESS_HI) << 32) != va)
         continue;
      reads[count].ref = i;
      memcpy(reads[count++].resource, d, sizeof(reads->resource));
   }
   return count;
}

static bool
overlap(struct target_range a, uint64_t va, uint64_t size)
{
   return a.va < va + size && va < a.va + a.size;
}

/* Whether a descriptor may reach into `range`; sizes are estimated from above. */
static bool
descriptor_reads(const uint32_t d[8], struct target_range range)
{
   const uint32_t type = REG_FIELD_GET(d[7], TEX_WORD7, TYPE);

   if (type == SQ_RESOURCE_BUFFER)
      return overlap(range, d[0] | (uint64_t)REG_FIELD_GET(d[2], BUF_WORD2, BASE_ADDRESS_HI) << 32,
                     (uint64_t)d[1] + 1);
   if (type != SQ_RESOURCE_TEXTURE)
      return false;

   const struct td_format *f = &td_formats[REG_FIELD_GET(d[7], TEX_WORD7, DATA_FORMAT)];
   const uint64_t pitch = (REG_FIELD_GET(d[0], TEX_WORD0, PITCH) + 1) * UINT64_C(8);
   const uint64_t rows = REG_FIELD_GET(d[1], TEX_WORD1, TEX_HEIGHT) + UINT64_C(8);
   const uint64_t layers = REG_FIELD_GET(d[1], TEX_WORD1, TEX_DEPTH) + UINT64_C(1);
   const uint64_t faces = REG_FIELD_GET(d[0], TEX_WORD0, DIM) == SQ_TEX_DIM_CUBEMAP ? 8 : 1;
   const uint64_t bytes = f->bytes ? f->bytes : 16;
   const uint64_t samples = UINT64_C(1) << REG_FIELD_GET(d[4], TEX_WORD4, LOG2_NUM_FRAGMENTS);
   const uint64_t size = pitch * rows * layers * faces * bytes * samples;

   return overlap(range, (uint64_t)d[2] << 8, size) ||
          (REG_FIELD_GET(d[5], TEX_WORD5, LAST_LEVEL) && samples == 1 &&
           overlap(range, (uint64_t)d[3] << 8, size));
}

bool
bind_reads(const struct sq_program *program, const struct bind_stage *stage, const struct regs *r,
           struct target_range range)
{
   bool indexed = false;
   uint32_t banks = program->kcache_banks;

   if (!range.size)
      return false;
   for (uint32_t i = 0; i < program->num_tex; i++) {
      indexed |= program->tex[i].indexed;
      if (descriptor_reads(bind_resource(stage, r, program->tex[i].resource), range))
         return true;
   }
   for (uint32_t i = 0; i < program->num_vtx; i++) {
      indexed |= program->vtx[i].indexed;
      if (descriptor_reads(bind_resource(stage, r, program->vtx[i].resource), range))
         return true;
   }
   for (unsigned n = 0; indexed && n < STAGE_RESOURCES; n++)
      if (descriptor_reads(bind_resource(stage, r, n), range))
         return true;
   for (uint32_t i = 0; i < program->num_consts; i++)
      banks |= 1u << (program->consts[i].bank & 15);
   for (unsigned n = 0; n < 16; n++)
      if ((banks >> n & 1) && overlap(range, (uint64_t)reg(r, stage->const_cache + 4 * n) << 8,
                                      (uint64_t)reg(r, stage->const_size + 4 * n) << 8))
         return true;
   return false;
}
