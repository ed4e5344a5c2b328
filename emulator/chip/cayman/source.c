/* SPDX-License-Identifier: MIT */
/*
 * Where the registers have programs, constants, resources and samplers of a stage; see source.h.
 */
#include "chip/cayman/source.h"

#include <string.h>

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "chip/cayman/cayman.h"
#include "chip/cayman/descriptors/map.h"
#include "chip/cayman/descriptors/surface.h"
#include "chip/cayman/r600.h"
#include "memory/pool.h"
#include "memory/vm.h"
#include "pass/pass.h"
#include "port/format.h"
#include "regs.h"

#define PROGRAM_WORDS   (1u << 18) /* longest program, in dwords */
#define STAGE_RESOURCES 176u       /* of a stage, those of images and buffers included */
#define FETCH_RESOURCES 992u

/* A stage: the program's registers are `pgm`'s, constants, resources and samplers `data`'s. */
#define STAGE(name, pgm, data, fs)                                                                \
   {                                                                                              \
      .stage = STAGE_##name, .pgm_start = R_SQ_PGM_START_##pgm,                                   \
      .pgm_resources = R_SQ_PGM_RESOURCES_##pgm, .pgm_resources_2 = R_SQ_PGM_RESOURCES_2_##pgm,   \
      .scratch_item = R_SQ_##pgm##TMP_RING_ITEMSIZE, .const_cache = R_ALU_CONST_CACHE_##data##_0, \
      .const_size = R_ALU_CONST_BUFFER_SIZE_##data##_0, .resource_base = CAYMAN_RESOURCE_##data,  \
      .loop_base = CAYMAN_LOOP_CONST_##data, .sampler_base = CAYMAN_SAMPLER_##data, .fetch = fs,  \
   }
/* clang-format off */
const struct cayman_stage
   cayman_ps        = STAGE(PS, PS, PS, false),
   cayman_vs        = STAGE(VS, VS, VS, true),
   cayman_vs_inner  = STAGE(VS, VS, VS, false),
   cayman_gs        = STAGE(GS, GS, GS, false),
   cayman_es        = STAGE(ES, ES, VS, true),
   cayman_es_domain = STAGE(ES, ES, VS, false),
   cayman_hs        = STAGE(HS, HS, HS, false),
   cayman_ls        = STAGE(LS, LS, LS, true);
/* clang-format on */

/* Compute has LS's program and constants, and resources of its own. */
const struct cayman_stage cayman_cs = {
   .stage = STAGE_CS,
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

static const struct cayman_source *
source_of(const struct bind_source *source)
{
   return (const struct cayman_source *)source;
}

/* A context register, as all of a stage's are. */
static inline uint32_t
context(const struct regs *r, uint32_t addr)
{
   return r->context[(addr - CAYMAN_CONTEXT_BASE) / 4];
}

/* At most as many as a program has. */
static struct source_words
words_at(const struct vm *vm, uint64_t va)
{
   struct source_words w = { .va = va };
   const uint64_t bytes = va ? vm_extent(vm, va, PROGRAM_WORDS * 4u) : 0;

   w.count = bytes / 4;
   w.words = w.count ? vm_pointer(vm, va) : NULL;
   return w;
}

static struct source_words
code(const struct bind_source *source, enum source_code part)
{
   const struct cayman_source *s = source_of(source);
   uint32_t start = s->stage->pgm_start;

   if (part == SOURCE_FETCHES && !s->stage->fetch)
      return (struct source_words){ .va = 0 };
   if (part != SOURCE_PROGRAM)
      start = part == SOURCE_FETCHES ? R_SQ_PGM_START_FS : R_SQ_PGM_START_BLEND;
   return words_at(source->vm, (uint64_t)context(s->regs, start) << 8);
}

static struct target_range
constants(const struct bind_source *source, unsigned n)
{
   const struct cayman_source *s = source_of(source);
   const uint32_t *sizes = &s->regs->context[(s->stage->const_size - CAYMAN_CONTEXT_BASE) / 4];
   const uint32_t *bases = &s->regs->context[(s->stage->const_cache - CAYMAN_CONTEXT_BASE) / 4];

   return (struct target_range){
      (uint64_t)bases[n] << 8 | REG_FIELD_GET(sizes[n], ALU_CONST_BUFFER_SIZE_PS_0, BASE_LOW) << 4,
      (uint64_t)REG_FIELD_GET(sizes[n], ALU_CONST_BUFFER_SIZE_PS_0, SIZE) << 8,
   };
}

/* The tables, copied. */
static const struct td_views *
keep(const struct bind_source *source, const struct td_views *reuse)
{
   const struct cayman_tables *from =
      reuse ? (const struct cayman_tables *)reuse : &source_of(source)->tables;
   struct {
      struct cayman_tables tables;
      uint32_t resources[STAGE_RESOURCES][8];
      uint32_t samplers[REGS_STAGE_SAMPLERS][3];
      struct cayman_border_color borders[REGS_STAGE_SAMPLERS];
      uint32_t fetches[CAYMAN_RESOURCE_COUNT - FETCH_RESOURCES][8];
   } *copy = pool_alloc(source->pool, sizeof(*copy));

   if (!copy)
      return NULL;
   memcpy(copy->resources, from->resources, sizeof(copy->resources));
   memcpy(copy->samplers, from->samplers, sizeof(copy->samplers));
   memcpy(copy->borders, from->borders, sizeof(copy->borders));
   memcpy(copy->fetches, from->fetches, sizeof(copy->fetches));
   copy->tables = *from;
   copy->tables.resources = (const uint32_t(*)[8])copy->resources;
   copy->tables.samplers = (const uint32_t(*)[3])copy->samplers;
   copy->tables.borders = copy->borders;
   copy->tables.fetches = (const uint32_t(*)[8])copy->fetches;
   return &copy->tables.views;
}

static void
rats(const struct bind_source *source, uint64_t mask, struct rat *out)
{
   const struct cayman_source *s = source_of(source);
   const bool table = source->state[1] & SOURCE_RAT_TABLE;

   cayman_decode_rats(out, mask, table ? s->tables.resources[CAYMAN_RESOURCE_RAT_TABLE] : NULL,
                      s->regs, source->vm);
}

/* Base and size count 256 bytes. */
static struct source_buffer
scatter(const struct bind_source *source)
{
   const struct regs *r = source_of(source)->regs;
   const uint64_t va = (uint64_t)reg(r, R_SX_SCATTER_EXPORT_BASE) << 8;
   const uint64_t bytes =
      vm_extent(source->vm, va, (uint64_t)reg(r, R_SX_SCATTER_EXPORT_SIZE) << 8);

   return (struct source_buffer){ bytes ? vm_pointer(source->vm, va) : NULL, bytes };
}

static void
semantics(const struct bind_source *source, uint8_t out[SOURCE_SEMANTICS])
{
   for (unsigned n = 0; n < SOURCE_SEMANTICS; n++)
      out[n] = reg(source_of(source)->regs, REG_AT(SQ_VTX_SEMANTIC_0, n)) & 0xff;
}

static void
layout(const struct bind_source *source, struct core_layout *out)
{
   cayman_layout(out, source->role, source_of(source)->regs);
}

static bool
view_reads(const struct bind_source *source, uint32_t n, struct target_range range)
{
   const struct cayman_tables *t = &source_of(source)->tables;

   if (n >= TD_VERTEX_BUFFERS)
      return n - TD_VERTEX_BUFFERS < t->num_fetches &&
             cayman_descriptor_reads(t->fetches[n - TD_VERTEX_BUFFERS], t->pipes, range);
   return n < t->views.count && cayman_descriptor_reads(t->resources[n], t->pipes, range);
}

/* Tessellation factors of a patch. */
static uint8_t
factors(const struct regs *r)
{
   switch (REG_FIELD_GET(reg(r, R_VGT_TF_PARAM), VGT_TF_PARAM, TYPE)) {
   case TESS_ISOLINE:
      return 2;
   case TESS_TRIANGLE:
      return 4;
   default:
      return 6;
   }
}

void
cayman_source(struct cayman_source *s, const struct cayman_stage *stage, enum core_stage role,
              struct regs *r, const struct vm *vm, struct gfx *gfx)
{
   static const struct source_ops ops = {
      .code = code,
      .constants = constants,
      .keep = keep,
      .view_reads = view_reads,
      .layout = layout,
      .rats = rats,
      .scatter = scatter,
      .semantics = semantics,
   };

   *s = (struct cayman_source){
      .source = {
         .ops = &ops,
         .views = &s->tables.views,
         .vm = vm,
         .kernels = gfx_kernels(gfx),
         .pool = gfx_pool(gfx),
         .role = role,
         .stage = stage->stage,
         .factors = factors(r),
         .sprite_top = REG_FIELD_GET(reg(r, R_SPI_INTERP_CONTROL_0), SPI_INTERP_CONTROL_0,
                                     PNT_SPRITE_TOP_1),
         .state = { context(r, stage->pgm_resources),
                    context(r, stage->pgm_resources_2) & ~SOURCE_NO_REGISTER },
         .base_vertex = r->ctl[0],
         .start_instance = r->ctl[1],
         .loops = stage->loop_base + SOURCE_LOOPS <= REGS_LOOPS ? r->loop + stage->loop_base : NULL,
         .bools = r->bools[stage->loop_base / 32],
         .append = &r->context[(R_GDS_APPEND_COUNT_0 - CAYMAN_CONTEXT_BASE) / 4],
      },
      .tables = {
         .views = { &cayman_views_ops, vm, STAGE_RESOURCES },
         .resources = (const uint32_t(*)[8])r->resource[stage->resource_base],
         .samplers = (const uint32_t(*)[3])r->sampler[stage->sampler_base],
         .borders = (const struct cayman_border_color *)r->border[stage->sampler_base],
         .fetches = (const uint32_t(*)[8])r->resource[FETCH_RESOURCES],
         .num_samplers = REGS_STAGE_SAMPLERS,
         .num_fetches = CAYMAN_RESOURCE_COUNT - FETCH_RESOURCES,
         .pipes = regs_chip(r)->pipes,
         .border_fractions = regs_chip(r)->five_slots && !regs_chip(r)->old,
      },
      .stage = stage,
      .regs = r,
   };
   if (regs_chip(r)->old && stage->stage == STAGE_PS)
      r600_pixel_state(r, s->source.state);
}

/* ---- What a descriptor lets read ---- */

static bool
overlap(struct target_range a, uint64_t va, uint64_t size)
{
   return size && a.va < va + size && va < a.va + a.size;
}

/* Bytes of a texture that can be read, at the base of level 0 and at that of the others. */
static void
texture_sizes(const uint32_t d[8], uint8_t pipes, uint64_t size[2])
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
      .exact_layers = dim == SQ_TEX_DIM_CUBEMAP && REG_FIELD_GET(d[7], TEX_WORD7, EXACT_CUBES),
   };
   struct surface_level levels[SURFACE_MAX_LEVELS];

   if (REG_FIELD_GET(d[7], TEX_WORD7, DEPTH_SAMPLE_ORDER))
      s.align_x = surface_plane_align(s.array_mode, width, pitch,
                                      REG_FIELD_GET(d[7], TEX_WORD7, BANK_HEIGHT));
   surface_macro_tile(&s, pipes, REG_FIELD_GET(d[7], TEX_WORD7, BANK_WIDTH),
                      REG_FIELD_GET(d[7], TEX_WORD7, BANK_HEIGHT),
                      REG_FIELD_GET(d[7], TEX_WORD7, MACRO_TILE_ASPECT),
                      REG_FIELD_GET(d[7], TEX_WORD7, NUM_BANKS));
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
cayman_descriptor_reads(const uint32_t d[8], uint8_t pipes, struct target_range range)
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
   texture_sizes(d, pipes, size);
   return overlap(range, base, size[0]) || overlap(range, mips, size[1]);
}
