/* SPDX-License-Identifier: MIT */
/*
 * What of the registers all instruction sets read in the same way: where programs, constants,
 * resources and samplers of a stage are.
 */
#include "chip/cayman/bind.h"

#include <string.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "chip/cayman/cayman.h"
#include "memory/vm.h"
#include "regs.h"
#include "port/format.h"
#include "chip/cayman/descriptors/map.h"
#include "chip/cayman/descriptors/surface.h"

#define FETCH_RESOURCES 992u

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

const struct core_entry *
bind_entry(const struct core_program *program, const struct bind_source *source,
           struct core_entry *room)
{
   return cayman_entry(program, source->role, source->regs, room);
}

const struct binder *
binder_of(enum atoll_isa isa)
{
   switch (isa) {
   case ATOLL_ISA_CAYMAN:
      return &binder_cayman;
   case ATOLL_ISA_VALHALL:
      return &binder_valhall;
   case ATOLL_ISA_ATTILA:
      return &binder_attila;
   default:
      return NULL;
   }
}

const uint32_t *
bind_words(const struct vm *vm, uint64_t va, size_t *num)
{
   const uint64_t bytes = vm_extent(vm, va, BIND_PROGRAM_WORDS * 4u);

   *num = bytes / 4;
   return *num ? vm_pointer(vm, va) : NULL;
}

bool
bind_program_source(struct core_source *out, const struct bind_source *source, const char **why)
{
   const struct bind_stage *stage = source->stage;
   const struct regs *r = source->regs;

   *out = (struct core_source){
      .va = (uint64_t)reg(r, stage->pgm_start) << 8,
      .fetch_va = stage->fetch ? (uint64_t)reg(r, R_SQ_PGM_START_FS) << 8 : 0,
      .state = { reg(r, stage->pgm_resources), reg(r, stage->pgm_resources_2) },
   };
   out->words = bind_words(source->vm, out->va, &out->num_words);
   if (!out->words) {
      *why = "program is not in mapped memory";
      return false;
   }
   if (out->fetch_va)
      out->fetch_words = bind_words(source->vm, out->fetch_va, &out->num_fetch_words);
   return true;
}

/* Where constant buffer n is said to be. */
static struct target_range
constant_range(const struct bind_source *source, unsigned n)
{
   if (n >= SQ_KCACHES) {
      const uint32_t *d = bind_resource(source, n);
      const bool there = REG_FIELD_GET(d[7], BUF_WORD7, TYPE) == SQ_RESOURCE_BUFFER;

      return (struct target_range){
         d[0] | (uint64_t)REG_FIELD_GET(d[2], BUF_WORD2, BASE_ADDRESS_HI) << 32,
         there ? (uint64_t)d[1] + 1 : 0,
      };
   }

   const uint32_t size = reg(source->regs, source->stage->const_size + 4 * n);

   return (struct target_range){
      (uint64_t)reg(source->regs, source->stage->const_cache + 4 * n) << 8 |
         REG_FIELD_GET(size, ALU_CONST_BUFFER_SIZE_PS_0, BASE_LOW) << 4,
      (uint64_t)REG_FIELD_GET(size, ALU_CONST_BUFFER_SIZE_PS_0, SIZE) << 8,
   };
}

struct bind_buffer
bind_constants(const struct bind_source *source, unsigned n)
{
   const struct target_range range = constant_range(source, n);
   struct bind_buffer k = { NULL, 0 };
   const uint64_t mapped =
      vm_extent(source->vm, range.va, range.size < 0x10000 ? range.size : 0x10000);

   if (mapped) {
      k.base = vm_pointer(source->vm, range.va);
      k.bytes = mapped;
   }
   return k;
}

const uint32_t *
bind_resource(const struct bind_source *source, unsigned n)
{
   static const uint32_t none[8];

   n = n >= SQ_FETCH_RESOURCE ? n - SQ_FETCH_RESOURCE + FETCH_RESOURCES
                              : n + source->stage->resource_base;
   return n < CAYMAN_RESOURCE_COUNT ? source->regs->resource[n] : none;
}

struct cayman_tables
bind_views(const struct bind_source *source)
{
   const struct regs *r = source->regs;

   return (struct cayman_tables){
      .resources = (const uint32_t(*)[8])r->resource[source->stage->resource_base],
      .samplers = (const uint32_t(*)[3])r->sampler[source->stage->sampler_base],
      .borders = (const struct cayman_border_color *)r->border[source->stage->sampler_base],
      .num_resources = BIND_STAGE_RESOURCES,
      .num_samplers = REGS_STAGE_SAMPLERS,
      .vm = source->vm,
   };
}

bool
bind_copy_tables(struct bind_tables *tables, const struct bind_source *source,
                 const struct bind_tables *reuse)
{
   const struct cayman_tables views = bind_views(source);
   const struct bind_tables own = { views.resources, views.samplers, views.borders };
   const struct bind_tables *from = reuse ? reuse : &own;
   uint32_t(*res)[8] = pool_alloc(source->pool, BIND_STAGE_RESOURCES * sizeof(*res));
   uint32_t(*samp)[3] = pool_alloc(source->pool, REGS_STAGE_SAMPLERS * sizeof(*samp));
   struct cayman_border_color *border =
      pool_alloc(source->pool, REGS_STAGE_SAMPLERS * sizeof(*border));

   if (!res || !samp || !border)
      return false;
   memcpy(res, from->resources, BIND_STAGE_RESOURCES * sizeof(*res));
   memcpy(samp, from->samplers, REGS_STAGE_SAMPLERS * sizeof(*samp));
   memcpy(border, from->borders, REGS_STAGE_SAMPLERS * sizeof(*border));
   *tables = (struct bind_tables){ (const uint32_t(*)[8])res, (const uint32_t(*)[3])samp, border };
   return true;
}

static bool
overlap(struct target_range a, uint64_t va, uint64_t size)
{
   return size && a.va < va + size && va < a.va + a.size;
}

/* Bytes of a texture that can be read, at the base of level 0 and at that of the others. */
static void
texture_sizes(const uint32_t d[8], uint64_t size[2])
{
   const struct format_info *f =
      &format_info[cayman_format[REG_FIELD_GET(d[7], TEX_WORD7, DATA_FORMAT)]];
   const unsigned dim = REG_FIELD_GET(d[0], TEX_WORD0, DIM);
   const bool flat = dim == SQ_TEX_DIM_1D || dim == SQ_TEX_DIM_1D_ARRAY;
   const bool msaa = dim == SQ_TEX_DIM_2D_MSAA || dim == SQ_TEX_DIM_2D_ARRAY_MSAA;
   const bool volume = dim == SQ_TEX_DIM_3D;
   const uint32_t pitch = (REG_FIELD_GET(d[0], TEX_WORD0, PITCH) + 1) * 8;
   const uint32_t width = REG_FIELD_GET(d[0], TEX_WORD0, TEX_WIDTH) + 1;
   const uint32_t depth = REG_FIELD_GET(d[1], TEX_WORD1, TEX_DEPTH) + 1;
   const uint32_t layer =
      REG_FIELD_GET(d[5], TEX_WORD5, LAST_ARRAY) | REG_FIELD_GET(d[5], TEX_WORD5, BASE_ARRAY);
   const unsigned last = REG_FIELD_GET(d[5], TEX_WORD5, LAST_LEVEL);
   struct surface s = {
      .width = width,
      .height = flat ? 1 : REG_FIELD_GET(d[1], TEX_WORD1, TEX_HEIGHT) + 1,
      .depth = volume ? depth : 1,
      .layers = volume ? 1 : depth * (dim == SQ_TEX_DIM_CUBEMAP ? 6 : 1),
      .pitch = pitch / (f->width ? f->width : 1),
      .array_mode = REG_FIELD_GET(d[1], TEX_WORD1, ARRAY_MODE),
      .bytes = f->bytes ? f->bytes : 16,
      .block_w = f->width,
      .block_h = f->height,
      .samples = msaa ? (uint8_t)(1u << (last > 4 ? 4 : last)) : 1,
   };
   struct surface_level levels[SURFACE_MAX_LEVELS];

   if (REG_FIELD_GET(d[7], TEX_WORD7, DEPTH_SAMPLE_ORDER))
      s.align_x = surface_plane_align(s.array_mode, width, pitch,
                                      REG_FIELD_GET(d[7], TEX_WORD7, BANK_HEIGHT));
   surface_macro_tile(
      &s, REG_FIELD_GET(d[7], TEX_WORD7, BANK_WIDTH), REG_FIELD_GET(d[7], TEX_WORD7, BANK_HEIGHT),
      REG_FIELD_GET(d[7], TEX_WORD7, MACRO_TILE_ASPECT), REG_FIELD_GET(d[7], TEX_WORD7, NUM_BANKS));
   surface_layout(&s, msaa ? 0 : last, levels);
   size[0] = size[1] = 0;
   for (unsigned l = 0; l <= (msaa ? 0 : last); l++) {
      /* A view of layers counts from the first of all; cubes have eight. */
      const uint64_t views = (uint64_t)layer + 1;
      const uint64_t slices = levels[l].slices > views ? levels[l].slices : views;
      const uint64_t end = levels[l].offset + slices * levels[l].slice_bytes;

      size[l != 0] = end > size[l != 0] ? end : size[l != 0];
   }
}

/* More than either, found quickly; all there is where nothing is known. */
static uint64_t
texture_bound(const uint32_t d[8])
{
   const unsigned dim = REG_FIELD_GET(d[0], TEX_WORD0, DIM);
   const uint64_t pitch = (REG_FIELD_GET(d[0], TEX_WORD0, PITCH) + 1) * UINT64_C(8);
   const uint64_t rows = REG_FIELD_GET(d[1], TEX_WORD1, TEX_HEIGHT) + UINT64_C(1);
   const bool usual = dim == SQ_TEX_DIM_2D && !REG_FIELD_GET(d[1], TEX_WORD1, TEX_DEPTH) &&
                      !REG_FIELD_GET(d[5], TEX_WORD5, LAST_ARRAY) &&
                      !REG_FIELD_GET(d[5], TEX_WORD5, BASE_ARRAY) &&
                      pitch > REG_FIELD_GET(d[0], TEX_WORD0, TEX_WIDTH) &&
                      REG_FIELD_GET(d[1], TEX_WORD1, ARRAY_MODE) != ARRAY_2D_TILED_THIN1;

   /* Levels beyond the first have half of its rows each, in powers of two and eights. */
   return usual ? pitch * 16 * (2 * rows + 8 * SURFACE_MAX_LEVELS) : UINT64_MAX / 2;
}

bool
bind_descriptor_reads(const uint32_t d[8], struct target_range range)
{
   const uint32_t type = REG_FIELD_GET(d[7], TEX_WORD7, TYPE);

   if (type == SQ_RESOURCE_BUFFER)
      return overlap(range, d[0] | (uint64_t)REG_FIELD_GET(d[2], BUF_WORD2, BASE_ADDRESS_HI) << 32,
                     (uint64_t)d[1] + 1);
   if (type != SQ_RESOURCE_TEXTURE)
      return false;

   /* A target may follow a texture at once, so that it is not enough to know about how large that
    * is: a draw that reads what it writes, or what others of its pass write, costs much. */
   const uint64_t base = (uint64_t)d[2] << 8, mips = (uint64_t)d[3] << 8;
   const uint64_t bound = texture_bound(d);
   uint64_t size[2];

   if (!overlap(range, base, bound) && !overlap(range, mips, bound))
      return false;
   texture_sizes(d, size);
   return overlap(range, base, size[0]) || overlap(range, mips, size[1]);
}

bool
bind_any_reads(const struct bind_source *source, struct target_range range)
{
   for (unsigned n = 0; n < BIND_STAGE_RESOURCES; n++)
      if (bind_descriptor_reads(bind_resource(source, n), range))
         return true;
   return false;
}

bool
bind_constants_read(const struct bind_source *source, uint32_t buffers, struct target_range range)
{
   for (uint32_t left = buffers; left; left &= left - 1) {
      const struct target_range one = constant_range(source, (unsigned)__builtin_ctz(left));

      if (overlap(range, one.va, one.size))
         return true;
   }
   return false;
}

const struct core_program *
bind_cached_program(struct core_cache *cache, const struct core_source *words, const char **why)
{
   const struct core_program *program = core_cache_get(cache, words);

   if (!program)
      *why = "out of memory";
   else if (program->error)
      *why = program->error;
   return program && !program->error ? program : NULL;
}

bool
bind_no_ring(struct core_bind *bind, const struct bind_source *source, uint64_t va)
{
   (void)bind;
   (void)source;
   (void)va;
   return true;
}
