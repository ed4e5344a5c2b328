/* SPDX-License-Identifier: MIT */
/*
 * Sampler views and surfaces: a resource as a texture, a colour or a depth target sees it.
 */
#include "context.h"

#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

#include "format.h"
#include "no_memory.h"

/* The view's swizzle of what the format delivers. */
static unsigned
combined_select(const uint8_t format_swizzle[4], unsigned view_swizzle)
{
   if (view_swizzle <= PIPE_SWIZZLE_W)
      return atoll_select(format_swizzle[view_swizzle]);
   return atoll_select(view_swizzle);
}

bool
atoll_element_words(uint32_t words[8], enum pipe_format format, const uint8_t swizzle[4],
                    unsigned elements)
{
   struct atoll_vtx_format f;
   unsigned stride = util_format_get_blocksize(format);

   memset(words, 0, 32);
   if (!atoll_vtx_format(format, &f) || !elements)
      return false;
   words[1] = elements * stride - 1;
   words[2] = REG_FIELD(BUF_WORD2, STRIDE, stride) | REG_FIELD(BUF_WORD2, DATA_FORMAT, f.format) |
              REG_FIELD(BUF_WORD2, NUM_FORMAT_ALL, f.num_format) |
              REG_FIELD(BUF_WORD2, FORMAT_COMP_ALL, f.is_signed);
   words[3] = REG_FIELD(BUF_WORD3, DST_SEL_X, combined_select(f.swizzle, swizzle[0])) |
              REG_FIELD(BUF_WORD3, DST_SEL_Y, combined_select(f.swizzle, swizzle[1])) |
              REG_FIELD(BUF_WORD3, DST_SEL_Z, combined_select(f.swizzle, swizzle[2])) |
              REG_FIELD(BUF_WORD3, DST_SEL_W, combined_select(f.swizzle, swizzle[3]));
   words[4] = elements;
   words[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
   return true;
}

void
atoll_buffer_words(uint32_t words[8], const struct atoll_resource *res, enum pipe_format format,
                   const uint8_t swizzle[4], unsigned offset, unsigned size)
{
   memset(words, 0, 32);
   if (offset >= res->base.b.width0)
      return;
   unsigned texels = MIN2(size, res->base.b.width0 - offset) / util_format_get_blocksize(format);
   atoll_element_words(words, format, swizzle, MIN2(texels, ATOLL_MAX_TEXELS));
}

static unsigned
tex_dim(enum pipe_texture_target resource, enum pipe_texture_target view, bool msaa)
{
   if (msaa)
      return resource == PIPE_TEXTURE_2D_ARRAY ? SQ_TEX_DIM_2D_ARRAY_MSAA : SQ_TEX_DIM_2D_MSAA;
   if (resource == PIPE_TEXTURE_1D_ARRAY && view == PIPE_TEXTURE_2D_ARRAY)
      return SQ_TEX_DIM_2D_ARRAY;
   bool cube_view = view == PIPE_TEXTURE_CUBE || view == PIPE_TEXTURE_CUBE_ARRAY;
   bool cube = resource == PIPE_TEXTURE_CUBE || resource == PIPE_TEXTURE_CUBE_ARRAY;
   if (cube_view)
      return SQ_TEX_DIM_CUBEMAP;
   if (cube)
      return SQ_TEX_DIM_2D_ARRAY;
   switch (resource) {
   case PIPE_TEXTURE_1D:
      return SQ_TEX_DIM_1D;
   case PIPE_TEXTURE_1D_ARRAY:
      return SQ_TEX_DIM_1D_ARRAY;
   case PIPE_TEXTURE_2D_ARRAY:
      return SQ_TEX_DIM_2D_ARRAY;
   case PIPE_TEXTURE_3D:
      return SQ_TEX_DIM_3D;
   default:
      return SQ_TEX_DIM_2D;
   }
}

/* The addresses of levels 0 (or that which is shown as such) and 1. */
static void
address_words(uint32_t words[8], const struct atoll_resource *res, const struct atoll_level *level0,
              const struct atoll_level *level1)
{
   words[2] = (uint32_t)((res->bo->va + level0->offset) >> 8);
   words[3] = (uint32_t)((atoll_level_bo(res, level0 != level1)->va + level1->offset) >> 8);
}

static void
texture_words(uint32_t words[8], const struct atoll_resource *res,
              const struct pipe_sampler_view *view)
{
   const struct pipe_resource *b = &res->base.b;
   struct atoll_tex_format f;

   memset(words, 0, 32);
   if (!atoll_tex_format(view->format, &f))
      return;
   const struct atoll_level *levels = f.stencil && res->has_stencil ? res->stencil : res->level;
   unsigned dim = tex_dim(b->target, view->target, b->nr_samples > 1);
   unsigned width = b->width0, height = b->height0, depth = b->depth0;
   unsigned first = view->u.tex.first_level, last = view->u.tex.last_level;
   unsigned mip = b->last_level ? 1 : 0;
   if (dim == SQ_TEX_DIM_1D_ARRAY) {
      height = 1;
      depth = b->array_size;
   } else if (dim == SQ_TEX_DIM_2D_ARRAY || dim == SQ_TEX_DIM_2D_ARRAY_MSAA) {
      depth = b->array_size;
   } else if (dim == SQ_TEX_DIM_CUBEMAP) {
      depth = MAX2(b->array_size / 6, 1);
   }
   /* The pitch is in texels also where blocks are larger. */
   unsigned pitch = levels[0].pitch * util_format_get_blockwidth(view->format);
   unsigned last_layer = view->u.tex.last_layer;
   if (view->target != b->target && depth == 1)
      last_layer = view->u.tex.first_layer;
   bool no_mip = first == last;
   unsigned log_samples = util_logbase2(MAX2(b->nr_samples, 1));
   if (log_samples)
      last = log_samples;

   words[0] = REG_FIELD(TEX_WORD0, DIM, dim) | REG_FIELD(TEX_WORD0, PITCH, pitch / 8 - 1) |
              REG_FIELD(TEX_WORD0, TEX_WIDTH, width - 1);
   words[1] = REG_FIELD(TEX_WORD1, TEX_HEIGHT, height - 1) |
              REG_FIELD(TEX_WORD1, TEX_DEPTH, depth - 1) |
              REG_FIELD(TEX_WORD1, ARRAY_MODE, ARRAY_LINEAR_ALIGNED);
   address_words(words, res, &levels[0], &levels[mip]);
   words[4] = REG_FIELD(TEX_WORD4, FORMAT_COMP_X, f.signs & 1) |
              REG_FIELD(TEX_WORD4, FORMAT_COMP_Y, f.signs >> 1 & 1) |
              REG_FIELD(TEX_WORD4, FORMAT_COMP_Z, f.signs >> 2 & 1) |
              REG_FIELD(TEX_WORD4, FORMAT_COMP_W, f.signs >> 3 & 1) |
              REG_FIELD(TEX_WORD4, NUM_FORMAT_ALL, f.num_format) |
              REG_FIELD(TEX_WORD4, FORCE_DEGAMMA, f.degamma) |
              REG_FIELD(TEX_WORD4, LOG2_NUM_FRAGMENTS, log_samples) |
              REG_FIELD(TEX_WORD4, DST_SEL_X, combined_select(f.swizzle, view->swizzle_r)) |
              REG_FIELD(TEX_WORD4, DST_SEL_Y, combined_select(f.swizzle, view->swizzle_g)) |
              REG_FIELD(TEX_WORD4, DST_SEL_Z, combined_select(f.swizzle, view->swizzle_b)) |
              REG_FIELD(TEX_WORD4, DST_SEL_W, combined_select(f.swizzle, view->swizzle_a)) |
              REG_FIELD(TEX_WORD4, BASE_LEVEL, first);
   words[5] = REG_FIELD(TEX_WORD5, LAST_LEVEL, last) |
              REG_FIELD(TEX_WORD5, BASE_ARRAY, view->u.tex.first_layer) |
              REG_FIELD(TEX_WORD5, LAST_ARRAY, last_layer);
   words[6] = REG_FIELD(TEX_WORD6, MAX_ANISO_RATIO, no_mip ? 0 : 4);
   words[7] = REG_FIELD(TEX_WORD7, DATA_FORMAT, f.format) |
              REG_FIELD(TEX_WORD7, DEPTH_SAMPLE_ORDER, atoll_shares_pitches(res)) |
              REG_FIELD(TEX_WORD7, TYPE, SQ_RESOURCE_TEXTURE);
}

void
atoll_target_words(uint32_t words[8], const struct pipe_surface *surface, enum pipe_format format)
{
   const struct pipe_resource *texture = surface->texture;
   struct pipe_sampler_view view = {
      .format = format,
      .target = texture->target,
      .swizzle_r = PIPE_SWIZZLE_X,
      .swizzle_g = PIPE_SWIZZLE_Y,
      .swizzle_b = PIPE_SWIZZLE_Z,
      .swizzle_a = PIPE_SWIZZLE_W,
   };

   /* The program has the layer in z. */
   if (texture->target == PIPE_TEXTURE_CUBE || texture->target == PIPE_TEXTURE_CUBE_ARRAY ||
       texture->target == PIPE_TEXTURE_1D_ARRAY)
      view.target = PIPE_TEXTURE_2D_ARRAY;
   view.u.tex.first_level = view.u.tex.last_level = surface->u.tex.level;
   if (texture->target != PIPE_TEXTURE_3D) {
      view.u.tex.first_layer = surface->u.tex.first_layer;
      view.u.tex.last_layer = surface->u.tex.last_layer;
   }
   texture_words(words, atoll_resource(surface->texture), &view);
}

void
atoll_image_words(uint32_t words[8], const struct pipe_image_view *image, bool layered)
{
   const struct atoll_resource *res = atoll_resource(image->resource);
   const struct pipe_resource *b = &res->base.b;
   const bool volume = b->target == PIPE_TEXTURE_3D;
   const unsigned l = image->u.tex.level;
   const struct pipe_sampler_view view = {
      .format = image->format,
      .target = volume ? PIPE_TEXTURE_3D : PIPE_TEXTURE_2D_ARRAY,
      .swizzle_r = PIPE_SWIZZLE_X,
      .swizzle_g = PIPE_SWIZZLE_Y,
      .swizzle_b = PIPE_SWIZZLE_Z,
      .swizzle_a = PIPE_SWIZZLE_W,
      .u.tex = { .first_level = l,
                 .last_level = l,
                 .first_layer = volume ? 0 : image->u.tex.first_layer,
                 .last_layer = volume ? 0 : image->u.tex.last_layer },
   };

   texture_words(words, res, &view);
   if (layered) {
      words[0] = (words[0] & ~REG_FIELD_MASK(TEX_WORD0, DIM)) |
                 REG_FIELD(TEX_WORD0, DIM, volume ? SQ_TEX_DIM_3D : SQ_TEX_DIM_2D_ARRAY);
      return;
   }
   /* One layer or slice of one level is a texture by itself. */
   const struct atoll_level *level = &res->level[l];
   const uint64_t va =
      atoll_level_bo(res, l)->va + level->offset + level->slice_bytes * image->u.tex.first_layer;

   words[0] = REG_FIELD(TEX_WORD0, DIM, SQ_TEX_DIM_2D) |
              REG_FIELD(TEX_WORD0, PITCH, level->pitch / 8 - 1) |
              REG_FIELD(TEX_WORD0, TEX_WIDTH, u_minify(b->width0, l) - 1);
   words[1] = REG_FIELD(TEX_WORD1, TEX_HEIGHT, u_minify(b->height0, l) - 1) |
              REG_FIELD(TEX_WORD1, ARRAY_MODE, ARRAY_LINEAR_ALIGNED);
   words[2] = words[3] = (uint32_t)(va >> 8);
   words[4] &= ~REG_FIELD_MASK(TEX_WORD4, BASE_LEVEL);
   words[5] = 0;
   words[7] &= ~REG_FIELD_MASK(TEX_WORD7, DEPTH_SAMPLE_ORDER);
}

void
atoll_update_view(struct atoll_sampler_view *view)
{
   const struct atoll_resource *res = atoll_resource(view->base.texture);
   /* Storage of stencil planes is not replaced. */
   if (view->va != res->bo->va)
      address_words(view->words, res, &res->level[0], &res->level[res->base.b.last_level ? 1 : 0]);
   view->va = res->bo->va;
}

void
atoll_add_user(struct atoll_context *ctx, struct atoll_resource *res)
{
   struct atoll_context *user = NULL;
   if (__atomic_load_n(&res->user, __ATOMIC_RELAXED) == ctx ||
       __atomic_compare_exchange_n(&res->user, &user, ctx, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE) ||
       user == ctx)
      return;
   simple_mtx_lock(&ctx->screen->storage_lock);
   res->several_users = true;
   simple_mtx_unlock(&ctx->screen->storage_lock);
}

static struct pipe_sampler_view *
create_sampler_view(struct pipe_context *pipe, struct pipe_resource *texture,
                    const struct pipe_sampler_view *templ)
{
   struct atoll_sampler_view *view = CALLOC_STRUCT_CL(atoll_sampler_view);
   if (!view)
      return atoll_spare_view(atoll_context(pipe));
   view->base = *templ;
   view->base.texture = NULL;
   pipe_resource_reference(&view->base.texture, texture);
   view->base.reference.count = 1;
   view->base.context = pipe;

   struct atoll_resource *res = atoll_resource(texture);
   if (texture->target == PIPE_BUFFER) {
      const uint8_t swizzle[4] = { templ->swizzle_r, templ->swizzle_g, templ->swizzle_b,
                                   templ->swizzle_a };
      atoll_buffer_words(view->words, res, templ->format, swizzle, templ->u.buf.offset,
                         templ->u.buf.size);
   } else {
      struct atoll_context *ctx = atoll_context(pipe);
      atoll_add_user(ctx, res);
      /* The driver's thread may just now give the texture new storage. */
      simple_mtx_lock(&ctx->screen->storage_lock);
      texture_words(view->words, res, &view->base);
      view->va = res->bo->va;
      res->dt_fixed = true;
      simple_mtx_unlock(&ctx->screen->storage_lock);
   }
   return &view->base;
}

static void
sampler_view_destroy(struct pipe_context *pipe, struct pipe_sampler_view *view)
{
   pipe_resource_reference(&view->texture, NULL);
   FREE_CL(view);
}

static void
set_sampler_views(struct pipe_context *pipe, enum pipe_shader_type shader, unsigned start,
                  unsigned count, unsigned unbind, bool take_ownership,
                  struct pipe_sampler_view **views)
{
   struct atoll_context *ctx = atoll_context(pipe);
   int stage = atoll_stage_of(shader);
   for (unsigned i = 0; i < count + unbind; i++) {
      struct pipe_sampler_view *view = i < count && views ? views[i] : NULL;
      if (stage < 0 || start + i >= ATOLL_MAX_SAMPLERS) {
         if (take_ownership)
            pipe_sampler_view_reference(&view, NULL);
         continue;
      }
      if (view)
         atoll_touch_display(atoll_resource(view->texture), false);
      struct atoll_textures *t = &ctx->textures[stage];
      struct pipe_sampler_view **dst = (struct pipe_sampler_view **)&t->views[start + i];
      if (take_ownership) {
         pipe_sampler_view_reference(dst, NULL);
         *dst = view;
      } else {
         pipe_sampler_view_reference(dst, view);
      }
      const uint32_t bit = 1u << (start + i);
      t->view_mask = view ? t->view_mask | bit : t->view_mask & ~bit;
      t->null_mask = i < count && views && !view ? t->null_mask | bit : t->null_mask & ~bit;
      const bool limited = view && atoll_depth_is_floats(view->format);
      t->limited_mask = limited ? t->limited_mask | bit : t->limited_mask & ~bit;
   }
   if (stage >= 0) {
      /* Border colours depend on the view's format. */
      ctx->dirty |= ATOM_BIT(ATOM_VIEWS + stage) | ATOM_BIT(ATOM_SAMPLERS + stage);
      ctx->drv_va[stage] = 0;
   }
}

/* ---- Surfaces ---- */

static void
init_color(struct atoll_surface *surf, const struct atoll_resource *res,
           const struct atoll_cb_format *f)
{
   unsigned l = surf->base.u.tex.level;
   const struct atoll_level *level = &res->level[l];
   uint64_t tiles = (uint64_t)level->pitch * level->rows / 64;
   unsigned log_samples = util_logbase2(MAX2(res->base.b.nr_samples, 1));
   bool clamp = f->number_type == NUMBER_UNORM || f->number_type == NUMBER_SNORM ||
                f->number_type == NUMBER_SRGB;

   surf->base_offset = level->offset;
   surf->integer = f->integer;
   surf->cb_pitch = REG_FIELD(CB_COLOR0_PITCH, PITCH_TILE_MAX, level->pitch / 8 - 1);
   surf->cb_slice = REG_FIELD(CB_COLOR0_SLICE, SLICE_TILE_MAX, tiles ? tiles - 1 : 0);
   surf->cb_view = REG_FIELD(CB_COLOR0_VIEW, SLICE_START, surf->base.u.tex.first_layer) |
                   REG_FIELD(CB_COLOR0_VIEW, SLICE_MAX, surf->base.u.tex.last_layer);
   surf->cb_info = REG_FIELD(CB_COLOR0_INFO, FORMAT, f->format) |
                   REG_FIELD(CB_COLOR0_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED) |
                   REG_FIELD(CB_COLOR0_INFO, NUMBER_TYPE, f->number_type) |
                   REG_FIELD(CB_COLOR0_INFO, COMP_SWAP, f->swap) |
                   REG_FIELD(CB_COLOR0_INFO, BLEND_CLAMP, clamp) |
                   REG_FIELD(CB_COLOR0_INFO, BLEND_BYPASS, f->integer) |
                   REG_FIELD(CB_COLOR0_INFO, SIMPLE_FLOAT, 1) |
                   REG_FIELD(CB_COLOR0_INFO, SOURCE_FORMAT, EXPORT_4C_32BPC);
   surf->cb_attrib = REG_FIELD(CB_COLOR0_ATTRIB, NON_DISP_TILING_ORDER, 1) |
                     REG_FIELD(CB_COLOR0_ATTRIB, FORCE_DST_ALPHA_1, f->alpha_one) |
                     REG_FIELD(CB_COLOR0_ATTRIB, NUM_SAMPLES, log_samples) |
                     REG_FIELD(CB_COLOR0_ATTRIB, NUM_FRAGMENTS, log_samples);
}

static void
init_depth(struct atoll_surface *surf, const struct atoll_resource *res, unsigned z_format,
           bool stencil)
{
   unsigned l = surf->base.u.tex.level;
   const struct atoll_level *level = &res->level[l];
   uint64_t tiles = (uint64_t)level->pitch * level->rows / 64;

   surf->base_offset = level->offset;
   unsigned log_samples = util_logbase2(MAX2(res->base.b.nr_samples, 1));
   surf->db_z_info = REG_FIELD(DB_Z_INFO, FORMAT, z_format) |
                     REG_FIELD(DB_Z_INFO, NUM_SAMPLES, log_samples) |
                     REG_FIELD(DB_Z_INFO, ARRAY_MODE, ARRAY_LINEAR_ALIGNED);
   if (stencil && res->has_stencil) {
      surf->db_stencil_info = REG_FIELD(DB_STENCIL_INFO, FORMAT, DB_STENCIL_8);
      surf->stencil_offset = res->stencil[l].offset;
   } else {
      surf->stencil_offset = level->offset;
   }
   surf->db_depth_view = REG_FIELD(DB_DEPTH_VIEW, SLICE_START, surf->base.u.tex.first_layer) |
                         REG_FIELD(DB_DEPTH_VIEW, SLICE_MAX, surf->base.u.tex.last_layer);
   surf->db_depth_size =
      REG_FIELD(DB_DEPTH_SIZE, PITCH_TILE_MAX, level->pitch / 8 - 1) |
      REG_FIELD(DB_DEPTH_SIZE, HEIGHT_TILE_MAX, DIV_ROUND_UP(level->rows, 8) - 1);
   surf->db_depth_slice = REG_FIELD(DB_DEPTH_SLICE, SLICE_TILE_MAX, tiles ? tiles - 1 : 0);
}

static struct pipe_surface *
create_surface(struct pipe_context *pipe, struct pipe_resource *texture,
               const struct pipe_surface *templ)
{
   struct atoll_surface *surf = CALLOC_STRUCT(atoll_surface);
   if (!surf)
      return atoll_spare_surface(atoll_context(pipe));
   unsigned level = templ->u.tex.level;
   pipe_reference_init(&surf->base.reference, 1);
   pipe_resource_reference(&surf->base.texture, texture);
   surf->base.context = pipe;
   surf->base.format = templ->format;
   surf->base.nr_samples = templ->nr_samples;
   surf->base.u = templ->u;
   surf->base.width = u_minify(texture->width0, level);
   surf->base.height = u_minify(texture->height0, level);

   struct atoll_resource *res = atoll_resource(texture);
   struct atoll_cb_format cb;
   unsigned z_format;
   bool stencil;
   if (texture->target == PIPE_BUFFER)
      return &surf->base;
   atoll_add_user(atoll_context(pipe), res);
   if (atoll_db_format(templ->format, &z_format, &stencil))
      init_depth(surf, res, z_format, stencil);
   else if (atoll_cb_format(templ->format, &cb))
      init_color(surf, res, &cb);
   return &surf->base;
}

static void
surface_destroy(struct pipe_context *pipe, struct pipe_surface *surf)
{
   pipe_resource_reference(&surf->texture, NULL);
   FREE(surf);
}

void
atoll_init_views(struct atoll_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;
   pipe->create_sampler_view = create_sampler_view;
   pipe->sampler_view_destroy = sampler_view_destroy;
   pipe->set_sampler_views = set_sampler_views;
   pipe->create_surface = create_surface;
   pipe->surface_destroy = surface_destroy;
}
