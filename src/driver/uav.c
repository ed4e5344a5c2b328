/* SPDX-License-Identifier: MIT */
/*
 * Memory that shaders write: GL's storage buffers, atomic counters and images, as random access
 * targets (RATs) of every stage.
 *
 * UAV n of a program is entry n of its stage's table of RATs.  What operations on it return lies in
 * a buffer of the number's own, which the program reads as a resource; plain loads of storage
 * buffers and images go through a resource, too.  Atomic counters arrive as storage buffers.
 */
#include "emit.h"

#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_range.h"
#include "util/u_upload_mgr.h"

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "compiler/cayman/cayman_compile.h"
#include "format.h"
#include "il/il.h"

/* One element for each lane of each wave that can be in flight, of up to 16 bytes. */
#define RETURN_ELEMENTS 32768u
#define RETURN_BYTES    (RETURN_ELEMENTS * 16)

static const uint8_t xyzw[4] = { PIPE_SWIZZLE_X, PIPE_SWIZZLE_Y, PIPE_SWIZZLE_Z, PIPE_SWIZZLE_W };

/* Dwords of a table's entry: a colour slot's registers in their order, and CB_IMMEDn_BASE. */
#define ENTRY_DWORDS 8

/* The contents of an entry, and the resources that read the buffer or image, and its results. */
struct rat {
   struct atoll_resource *res; /* NULL: nothing is bound */
   struct atoll_bo *bo;        /* where it lies */
   uint32_t base, pitch, slice, view, info, attrib, dim;
   uint32_t words[8], returned[8];
   uint32_t size[3]; /* what the shader may ask for */
};

static void
set_address(uint32_t words[8], uint64_t va)
{
   words[0] = (uint32_t)va;
   words[2] |= REG_FIELD(BUF_WORD2, BASE_ADDRESS_HI, va >> 32);
   words[3] |= REG_FIELD(BUF_WORD3, UNCACHED, 1);
}

/* A buffer's address: what the base leaves out takes the pitch's word (chip/cayman/rat.c). */
static void
set_base(struct rat *rat, uint64_t va)
{
   rat->base = (uint32_t)(va >> 8);
   rat->pitch = (uint32_t)va & 0xff;
}

static void
fill_buffer(struct rat *rat, const struct pipe_shader_buffer *buffer)
{
   struct pipe_resource *b = buffer->buffer;
   if (!b || buffer->buffer_offset >= b->width0 || !buffer->buffer_size)
      return;
   unsigned bytes = MIN2(buffer->buffer_size, b->width0 - buffer->buffer_offset);
   unsigned dwords = DIV_ROUND_UP(bytes, 4);
   uint64_t va = atoll_resource(b)->bo->va + buffer->buffer_offset;
   rat->res = atoll_resource(b);
   rat->bo = rat->res->bo;
   set_base(rat, va);
   rat->info = REG_FIELD(CB_COLOR0_INFO, FORMAT, FMT_32) |
               REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, NUMBER_UINT) |
               REG_FIELD(CB_COLOR0_INFO, RESOURCE_TYPE, RAT_BUFFER) |
               REG_FIELD(CB_COLOR0_INFO, RAT, 1);
   rat->dim = dwords - 1;
   rat->size[0] = bytes;
   atoll_element_words(rat->words, PIPE_FORMAT_R32_UINT, xyzw, dwords);
   memcpy(rat->returned, rat->words, sizeof(rat->words));
   set_address(rat->words, va);
}

static unsigned
rat_type(unsigned type)
{
   switch (type) {
   case IL_USAGE_PIXTEX_1D:
      return RAT_TEXTURE1D;
   case IL_USAGE_PIXTEX_1DARRAY:
      return RAT_TEXTURE1DARRAY;
   case IL_USAGE_PIXTEX_2D:
      return RAT_TEXTURE2D;
   case IL_USAGE_PIXTEX_3D:
      return RAT_TEXTURE3D;
   case IL_USAGE_PIXTEX_BUFFER:
      return RAT_BUFFER;
   default:
      return RAT_TEXTURE2DARRAY;
   }
}

static bool
fill_texels(struct rat *rat, const struct pipe_image_view *view)
{
   struct atoll_resource *res = rat->res;
   const struct pipe_resource *b = &res->base.b;
   unsigned bytes = util_format_get_blocksize(view->format);
   if (view->u.buf.offset >= b->width0)
      return false;
   rat->size[0] = MIN2(view->u.buf.size, b->width0 - view->u.buf.offset) / bytes;
   rat->size[0] = MIN2(rat->size[0], ATOLL_MAX_TEXELS);
   set_base(rat, res->bo->va + view->u.buf.offset);
   rat->dim = rat->size[0] - 1;
   return rat->size[0] != 0;
}

static void
fill_level(struct rat *rat, const struct pipe_image_view *view, unsigned type)
{
   struct atoll_resource *res = rat->res;
   const struct pipe_resource *b = &res->base.b;
   unsigned l = view->u.tex.level;
   const struct atoll_level *level = &res->level[l];
   uint64_t tiles = (uint64_t)level->pitch * level->rows / 64;
   unsigned layers = view->u.tex.last_layer - view->u.tex.first_layer + 1;

   rat->bo = atoll_level_bo(res, l);
   rat->base = (uint32_t)((rat->bo->va + level->offset) >> 8);
   rat->pitch = REG_FIELD(CB_COLOR0_PITCH, PITCH_TILE_MAX, level->pitch / 8 - 1);
   rat->slice = REG_FIELD(CB_COLOR0_SLICE, SLICE_TILE_MAX, tiles ? tiles - 1 : 0);
   rat->view = REG_FIELD(CB_COLOR0_VIEW, SLICE_START, view->u.tex.first_layer) |
               REG_FIELD(CB_COLOR0_VIEW, SLICE_MAX, view->u.tex.last_layer);
   rat->attrib = REG_FIELD(CB_COLOR0_ATTRIB, NON_DISP_TILING_ORDER, 1);
   rat->size[0] = u_minify(b->width0, l);
   rat->size[1] = u_minify(b->height0, l);
   rat->size[2] = type == IL_USAGE_PIXTEX_CUBEMAP_ARRAY ? layers / 6 : layers;
   rat->dim = REG_FIELD(CB_COLOR0_DIM, WIDTH_MAX, rat->size[0] - 1) |
              REG_FIELD(CB_COLOR0_DIM, HEIGHT_MAX, rat->size[1] - 1);
}

/* Samples, texels, rows and layers as elements of a buffer (compiler/nir/lower_image_samples.c). */
static void
fill_samples(struct rat *rat, const struct pipe_image_view *view)
{
   struct atoll_resource *res = rat->res;
   const struct pipe_resource *b = &res->base.b;
   const struct atoll_level *level = &res->level[0];
   const unsigned layers = view->u.tex.last_layer - view->u.tex.first_layer + 1;

   rat->base =
      (uint32_t)((res->bo->va + level->offset + level->slice_bytes * view->u.tex.first_layer) >> 8);
   rat->dim = layers * level->rows * level->pitch * b->nr_samples - 1;
   rat->size[0] = b->width0 | (uint32_t)b->nr_samples << 16;
   rat->size[1] = b->height0 | level->pitch / 64 << 16;
   rat->size[2] = layers;
}

/* Whether texels have a layer or slice. */
static bool
is_layered(unsigned type)
{
   return type != IL_USAGE_PIXTEX_1D && type != IL_USAGE_PIXTEX_2D;
}

/* The shader's type decides how a texel is addressed: by an index or by coordinates.  The texture's
 * target must be addressed so, too. */
static void
fill_image(struct rat *rat, const struct pipe_image_view *view, unsigned type)
{
   struct atoll_cb_format f;
   if (!view->resource || !atoll_cb_format(view->format, &f))
      return;
   const bool samples = view->resource->nr_samples > 1;
   if ((view->resource->target == PIPE_BUFFER || samples) != (type == IL_USAGE_PIXTEX_BUFFER))
      return;
   rat->res = atoll_resource(view->resource);
   rat->bo = rat->res->bo;
   if (samples)
      fill_samples(rat, view);
   else if (type != IL_USAGE_PIXTEX_BUFFER)
      fill_level(rat, view, type);
   else if (!fill_texels(rat, view))
      return;
   rat->info = REG_FIELD(CB_COLOR0_INFO, FORMAT, f.format) |
               REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, f.number_type) |
               REG_FIELD(CB_COLOR0_INFO, COMP_SWAP, f.swap) |
               REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED) |
               REG_FIELD(CB_COLOR0_INFO, RESOURCE_TYPE, rat_type(type)) |
               REG_FIELD(CB_COLOR0_INFO, RAT, 1);
   atoll_element_words(rat->returned, view->format, xyzw, RETURN_ELEMENTS);
   if (type == IL_USAGE_PIXTEX_BUFFER) {
      const unsigned most = UINT32_MAX / util_format_get_blocksize(view->format);

      atoll_element_words(rat->words, view->format, xyzw, MIN2(rat->dim, most - 1) + 1);
      set_address(rat->words, (uint64_t)rat->base << 8 | rat->pitch);
   } else {
      atoll_image_words(rat->words, view, is_layered(type));
   }
}

static void
fill(const struct atoll_context *ctx, enum atoll_stage stage, const struct atoll_nir_uav *uav,
     struct rat *rat)
{
   /* Counters' buffers are bound once for all stages of a draw. */
   const bool counters = ctx->screen->backend->limits->counters && uav->kind == ATOLL_NIR_BUFFER &&
                         uav->index >= ATOLL_FIRST_COUNTERS;
   const struct atoll_memory *m = &ctx->memory[counters && stage < ATOLL_PS ? ATOLL_PS : stage];
   memset(rat, 0, sizeof(*rat));
   if (uav->kind == ATOLL_NIR_BUFFER && uav->index < ATOLL_MAX_BUFFERS)
      fill_buffer(rat, &m->buffers[uav->index]);
   else if (uav->kind == ATOLL_NIR_IMAGE && uav->index < ATOLL_MAX_IMAGES)
      fill_image(rat, &m->images[uav->index], uav->type);
}

/* ---- Registers ---- */

/* All contexts' streams run one after the other: one buffer does. */
bool
atoll_reserve_returns(struct atoll_screen *screen, const struct atoll_variant *v)
{
   if (!v->p.uavs_return || __atomic_load_n(&screen->uav_returns, __ATOMIC_ACQUIRE))
      return true;
   simple_mtx_lock(&screen->rings_lock);
   struct atoll_bo *bo = screen->uav_returns;
   if (!bo) {
      bo = atoll_bo_create(screen->ws, (uint64_t)RETURN_BYTES * ATOLL_NIR_UAVS, 256,
                           ATOLL_BO_NO_SUBALLOC);
      __atomic_store_n(&screen->uav_returns, bo, __ATOMIC_RELEASE);
   }
   simple_mtx_unlock(&screen->rings_lock);
   return bo != NULL;
}

static void
write_entry(uint32_t *entry, const struct rat *rat, uint64_t returns)
{
   const uint32_t words[ENTRY_DWORDS] = { rat->base,  rat->pitch,
                                          rat->slice, rat->view,
                                          rat->info,  rat->attrib,
                                          rat->dim,   (uint32_t)(returns >> 8) };
   memcpy(entry, words, sizeof(words));
}

/* A table of `count` entries, for the CPU to fill; NULL: no memory. */
static uint32_t *
emit_table(struct atoll_context *ctx, enum atoll_stage stage, unsigned count)
{
   unsigned size = count * ENTRY_DWORDS * 4, offset;
   struct pipe_resource *buffer = NULL;
   uint32_t *table, words[8];

   u_upload_alloc(ctx->upload, 0, size, 256, &offset, &buffer, (void **)&table);
   if (!table)
      return NULL;
   struct atoll_bo *bo = atoll_resource(buffer)->bo;
   atoll_element_words(words, PIPE_FORMAT_R32_UINT, xyzw, size / 4);
   set_address(words, bo->va + offset);
   atoll_emit_stage_resource(ctx, stage, CAYMAN_RESOURCE_RAT_TABLE, words);
   atoll_cs_add_bo(&ctx->cs, bo, ATOLL_USAGE_READ);
   pipe_resource_reference(&buffer, NULL);
   return table;
}

void
atoll_emit_uavs(struct atoll_context *ctx, enum atoll_stage stage)
{
   struct atoll_cs *cs = &ctx->cs;
   if (!ctx->variants[stage] || !ctx->variants[stage]->p.uavs.count)
      return;
   const struct atoll_program *p = &ctx->variants[stage]->p;
   struct atoll_bo *returns = __atomic_load_n(&ctx->screen->uav_returns, __ATOMIC_ACQUIRE);
   uint32_t *table = p->uavs_rat ? emit_table(ctx, stage, p->uavs.count) : NULL;

   for (unsigned n = 0; n < p->uavs.count; n++) {
      struct rat rat;
      const uint64_t va = p->uavs_return >> n & 1 ? returns->va + (uint64_t)n * RETURN_BYTES : 0;
      fill(ctx, stage, &p->uavs.uav[n], &rat);
      if (table)
         write_entry(table + n * ENTRY_DWORDS, &rat, va);
      if (p->uavs_fetch >> n & 1)
         atoll_emit_stage_resource(ctx, stage, CAYMAN_RESOURCE_UAV + n, rat.words);
      if (p->uavs_return >> n & 1) {
         uint32_t words[8];
         memcpy(words, rat.returned, sizeof(words));
         set_address(words, va);
         if (rat.info)
            words[1] = RETURN_BYTES - 1;
         atoll_emit_stage_resource(ctx, stage, CAYMAN_RESOURCE_UAV_RETURN + n, words);
         atoll_cs_add_bo(cs, returns, ATOLL_USAGE_READ | ATOLL_USAGE_WRITE);
      }
      if (rat.res && ctx->screen->sanitized && p->uavs_rat >> n & 1)
         p_atomic_set(&rat.res->is_stored, true);
      if (rat.res)
         atoll_cs_add_bo(cs, rat.bo,
                         ATOLL_USAGE_READ | (p->uavs_rat >> n & 1 ? ATOLL_USAGE_WRITE : 0));
   }
}

void
atoll_fill_uav_sizes(const struct atoll_context *ctx, enum atoll_stage stage, uint32_t *constants)
{
   const struct atoll_nir_uavs *uavs = &ctx->variants[stage]->p.uavs;
   for (unsigned n = 0; n < uavs->count; n++) {
      struct rat rat;
      fill(ctx, stage, &uavs->uav[n], &rat);
      memcpy(constants + 4 * IL_DRV_UAV_SIZE + 3 * n, rat.size, sizeof(rat.size));
   }
}

/* ---- Binding ---- */

static void
changed(struct atoll_context *ctx, enum atoll_stage stage)
{
   ctx->drv_va[stage] = 0;
   atoll_dirty(ctx, ATOM_MEMORY + stage);
}

static void
set_shader_buffers(struct pipe_context *pipe, enum pipe_shader_type shader, unsigned start,
                   unsigned count, const struct pipe_shader_buffer *buffers, unsigned writable)
{
   struct atoll_context *ctx = atoll_context(pipe);
   int stage = atoll_stage_of(shader);
   if (stage < 0)
      return;
   struct atoll_memory *m = &ctx->memory[stage];
   for (unsigned i = 0; i < count && start + i < ATOLL_MAX_BUFFERS; i++) {
      struct pipe_shader_buffer *dst = &m->buffers[start + i];
      const struct pipe_shader_buffer *src = buffers ? &buffers[i] : NULL;
      pipe_resource_reference(&dst->buffer, src ? src->buffer : NULL);
      dst->buffer_offset = src ? src->buffer_offset : 0;
      dst->buffer_size = src ? src->buffer_size : 0;
      if (dst->buffer && writable >> i & 1)
         util_range_add(dst->buffer, &atoll_resource(dst->buffer)->base.valid_buffer_range,
                        dst->buffer_offset, dst->buffer_offset + dst->buffer_size);
   }
   changed(ctx, stage);
   if (stage == ATOLL_PS && start + count > ATOLL_FIRST_COUNTERS)
      for (unsigned other = 0; other < ATOLL_PS; other++)
         changed(ctx, other);
}

static void
set_shader_images(struct pipe_context *pipe, enum pipe_shader_type shader, unsigned start,
                  unsigned count, unsigned unbind, const struct pipe_image_view *images)
{
   struct atoll_context *ctx = atoll_context(pipe);
   int stage = atoll_stage_of(shader);
   if (stage < 0)
      return;
   for (unsigned i = 0; i < count + unbind && start + i < ATOLL_MAX_IMAGES; i++) {
      struct pipe_image_view *dst = &ctx->memory[stage].images[start + i];
      util_copy_image_view(dst, i < count && images ? &images[i] : NULL);
      if (dst->resource && dst->resource->target != PIPE_BUFFER)
         atoll_add_user(ctx, atoll_resource(dst->resource));
      if (dst->resource && dst->resource->target == PIPE_BUFFER &&
          dst->shader_access & PIPE_IMAGE_ACCESS_WRITE)
         util_range_add(dst->resource, &atoll_resource(dst->resource)->base.valid_buffer_range,
                        dst->u.buf.offset, dst->u.buf.offset + dst->u.buf.size);
   }
   changed(ctx, stage);
}

void
atoll_init_uavs(struct atoll_context *ctx)
{
   ctx->base.set_shader_buffers = set_shader_buffers;
   ctx->base.set_shader_images = set_shader_images;
}

void
atoll_finish_uavs(struct atoll_context *ctx)
{
   for (unsigned stage = 0; stage < ATOLL_STAGES; stage++) {
      for (unsigned i = 0; i < ATOLL_MAX_BUFFERS; i++)
         pipe_resource_reference(&ctx->memory[stage].buffers[i].buffer, NULL);
      for (unsigned i = 0; i < ATOLL_MAX_IMAGES; i++)
         util_copy_image_view(&ctx->memory[stage].images[i], NULL);
   }
}
