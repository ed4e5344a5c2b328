/* SPDX-License-Identifier: MIT */
/*
 * Clears, copies and blits: draws by u_blitter, with rectangles as the device's own primitive, and
 * copies between buffers by the command processor.
 */
#include "context.h"

#include "compiler/nir/nir_builder.h"
#include "util/format/u_format.h"
#include "util/u_framebuffer.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_range.h"
#include "util/u_surface.h"
#include "util/u_transfer.h"
#include "util/u_upload_mgr.h"

#include <atoll/cayman/enums.h>

#include "compiler/nir/nir_to_il.h"
#include "format.h"

enum blit_op {
   OP_TEXTURES = 1 << 0,       /* reads textures */
   OP_KEEP_CONDITION = 1 << 1, /* subject to conditional rendering */
   OP_CLEAR = 1 << 2,          /* util_blitter_clear(): keeps the targets, uses constants */
};

void
atoll_blitter_begin(struct atoll_context *ctx, unsigned ops)
{
   struct blitter_context *b = ctx->blitter;
   struct atoll_textures *t = &ctx->textures[ATOLL_PS];

   util_blitter_save_vertex_buffers(b, ctx->vbs, util_last_bit(ctx->vb_mask));
   util_blitter_save_vertex_elements(b, ctx->elements);
   util_blitter_save_vertex_shader(b, ctx->shaders[ATOLL_VS]);
   util_blitter_save_tessctrl_shader(b, ctx->shaders[ATOLL_TCS]);
   util_blitter_save_tesseval_shader(b, ctx->shaders[ATOLL_TES]);
   util_blitter_save_geometry_shader(b, ctx->shaders[ATOLL_GS]);
   util_blitter_save_so_targets(b, ctx->num_so_targets,
                                (struct pipe_stream_output_target **)ctx->so_targets,
                                MESA_PRIM_UNKNOWN);
   util_blitter_save_rasterizer(b, ctx->rs);
   util_blitter_save_viewport(b, &ctx->viewports[0]);
   util_blitter_save_scissor(b, &ctx->scissors[0]);
   util_blitter_save_window_rectangles(b, ctx->window_rects_include, ctx->num_window_rects,
                                       ctx->window_rects);
   util_blitter_save_fragment_shader(b, ctx->shaders[ATOLL_PS]);
   util_blitter_save_blend(b, ctx->blend);
   util_blitter_save_depth_stencil_alpha(b, ctx->dsa);
   util_blitter_save_stencil_ref(b, &ctx->stencil_ref);
   util_blitter_save_sample_mask(b, ctx->sample_mask, ctx->min_samples);
   /* What is saved and not restored keeps its references for ever. */
   if (ops & OP_CLEAR)
      util_blitter_save_fragment_constant_buffer_slot(b, ctx->constants[ATOLL_PS].cb);
   else
      util_blitter_save_framebuffer(b, &ctx->fb);
   if (ops & OP_TEXTURES) {
      util_blitter_save_fragment_sampler_states(b, util_last_bit(t->sampler_mask),
                                                (void **)t->samplers);
      util_blitter_save_fragment_sampler_views(b, util_last_bit(t->view_mask),
                                               (struct pipe_sampler_view **)t->views);
   }
   if (!(ops & OP_KEEP_CONDITION))
      util_blitter_save_render_condition(b, (struct pipe_query *)ctx->cond_query, ctx->cond_cond,
                                         ctx->cond_mode);
   ctx->blitting = true;
}

void
atoll_blitter_end(struct atoll_context *ctx)
{
   ctx->blitting = false;
}

/* ---- Rectangles ---- */

/* gl_FragColor = the vec4 in constant buffer 0: nothing varies from pixel to pixel. */
static void *
create_clear_shader(struct pipe_context *pipe)
{
   nir_builder b = nir_builder_init_simple_shader(
      MESA_SHADER_FRAGMENT, atoll_screen_nir_options(atoll_screen(pipe->screen)),
      "constant colour");
   b.shader->info.num_ubos = 1;
   nir_variable *out = nir_variable_create(b.shader, nir_var_shader_out, glsl_vec4_type(), "color");
   out->data.location = FRAG_RESULT_COLOR;
   b.shader->info.outputs_written = BITFIELD64_BIT(FRAG_RESULT_COLOR);
   b.shader->info.first_ubo_is_default_ubo = true;
   nir_def *color = nir_load_ubo(&b, 4, 32, nir_imm_int(&b, 0), nir_imm_int(&b, 0), .align_mul = 16,
                                 .align_offset = 0, .range_base = 0, .range = 16);
   nir_store_var(&b, out, color, 0xF);
   struct pipe_shader_state state = { .type = PIPE_SHADER_IR_NIR, .ir.nir = b.shader };
   return pipe->create_fs_state(pipe, &state);
}

static void
set_rect_draw(struct atoll_context *ctx, bool on)
{
   ctx->rect_draw = on;
   ctx->dirty |= ATOM_BIT(ATOM_VIEWPORT) | ATOM_BIT(ATOM_SCISSOR) | ATOM_BIT(ATOM_CLIP);
}

/* A rectangle with a vertex beyond these pixels the device does not draw. */
#define MIN_AT (-8192)
#define MAX_AT 24575

/* One direction of a rectangle, and of the attribute that varies along it. */
struct edge {
   float at[2], attrib[2];
};

/* A blit that is scaled may go far beyond its target: only the middle of it, with what the
 * attribute is there. */
static struct edge
cut_edge(int at0, int at1, float attrib0, float attrib1)
{
   struct edge e = { { (float)at0, (float)at1 }, { attrib0, attrib1 } };
   const double slope = at0 == at1 ? 0.0 : ((double)attrib1 - attrib0) / ((double)at1 - at0);
   for (unsigned i = 0; i < 2; i++) {
      const int at = i ? at1 : at0, cut = CLAMP(at, MIN_AT, MAX_AT);
      if (cut == at)
         continue;
      e.at[i] = (float)cut;
      e.attrib[i] = (float)(attrib0 + slope * ((double)cut - at0));
   }
   return e;
}

static void
draw_rectangle(struct blitter_context *blitter, void *elements, blitter_get_vs_func get_vs, int x1,
               int y1, int x2, int y2, float depth, unsigned num_instances,
               enum blitter_attrib_type type, const union blitter_attrib *attrib)
{
   struct pipe_context *pipe = util_blitter_get_pipe(blitter);
   struct atoll_context *ctx = atoll_context(pipe);
   struct pipe_vertex_buffer vb = { 0 };
   float *v = NULL;

   /* Three corners; position and one attribute each. */
   u_upload_alloc(ctx->upload, 0, 3 * 32, 256, &vb.buffer_offset, &vb.buffer.resource, (void **)&v);
   if (!v)
      return;
   memset(v, 0, 3 * 32);
   const bool varies = type != UTIL_BLITTER_ATTRIB_NONE && type != UTIL_BLITTER_ATTRIB_COLOR;
   const struct edge x =
      cut_edge(x1, x2, varies ? attrib->texcoord.x1 : 0.0f, varies ? attrib->texcoord.x2 : 0.0f);
   const struct edge y =
      cut_edge(y1, y2, varies ? attrib->texcoord.y1 : 0.0f, varies ? attrib->texcoord.y2 : 0.0f);
   for (unsigned i = 0; i < 3; i++) {
      float *pos = v + 8 * i, *a = pos + 4;
      pos[0] = x.at[i == 2];
      pos[1] = y.at[i == 1];
      pos[2] = depth;
      pos[3] = 1.0f;
      if (type == UTIL_BLITTER_ATTRIB_COLOR) {
         memcpy(a, attrib->color, 16);
      } else if (varies) {
         a[0] = x.attrib[i == 2];
         a[1] = y.attrib[i == 1];
         if (type == UTIL_BLITTER_ATTRIB_TEXCOORD_XYZW) {
            a[2] = attrib->texcoord.z;
            a[3] = attrib->texcoord.w;
         }
      }
   }

   const struct pipe_viewport_state viewport = {
      .scale = { 1.0f, 1.0f, 1.0f },
      .swizzle_x = PIPE_VIEWPORT_SWIZZLE_POSITIVE_X,
      .swizzle_y = PIPE_VIEWPORT_SWIZZLE_POSITIVE_Y,
      .swizzle_z = PIPE_VIEWPORT_SWIZZLE_POSITIVE_Z,
      .swizzle_w = PIPE_VIEWPORT_SWIZZLE_POSITIVE_W,
   };
   pipe->set_viewport_states(pipe, 0, 1, &viewport);
   pipe->bind_vertex_elements_state(pipe, elements);
   pipe->bind_vs_state(pipe, get_vs(blitter));
   struct pipe_constant_buffer saved = { 0 };
   bool constant = type == UTIL_BLITTER_ATTRIB_COLOR && ctx->clear_shader;
   if (constant) {
      saved = ctx->constants[ATOLL_PS].cb[0];
      ctx->constants[ATOLL_PS].cb[0].buffer = NULL;
      pipe->bind_fs_state(pipe, ctx->clear_shader);
      const struct pipe_constant_buffer color = {
         .buffer_size = 16,
         .user_buffer = attrib->color,
      };
      pipe->set_constant_buffer(pipe, PIPE_SHADER_FRAGMENT, 0, false, &color);
   }
   pipe->set_vertex_buffers(pipe, 1, &vb);

   const struct pipe_draw_info info = { .instance_count = num_instances };
   const struct pipe_draw_start_count_bias draw = { .count = 3 };
   set_rect_draw(ctx, true);
   atoll_draw(ctx, &info, 0, NULL, &draw, 1, ATOLL_PRIM_RECTLIST);
   set_rect_draw(ctx, false);
   if (constant)
      pipe->set_constant_buffer(pipe, PIPE_SHADER_FRAGMENT, 0, true, &saved);
}

void
atoll_init_blitter(struct atoll_context *ctx)
{
   ctx->blitter->draw_rectangle = draw_rectangle;
   ctx->clear_shader = create_clear_shader(&ctx->base);
   const struct pipe_blend_state state = { .independent_blend_enable = 1, .rt[0].colormask = 0xF };
   ctx->resolve_blend = ctx->base.create_blend_state(&ctx->base, &state);
   if (ctx->resolve_blend)
      ctx->resolve_blend->color_control =
         (ctx->resolve_blend->color_control & ~REG_FIELD_MASK(CB_COLOR_CONTROL, MODE)) |
         REG_FIELD(CB_COLOR_CONTROL, MODE, CB_MODE_RESOLVE);
}

/* ---- Clears ---- */

static unsigned
num_layers(const struct pipe_surface *surf)
{
   return surf->u.tex.last_layer - surf->u.tex.first_layer + 1;
}

/* A draw reaches the layers that all targets have. */
static bool
layers_differ(const struct pipe_framebuffer_state *fb)
{
   unsigned layers = util_framebuffer_get_num_layers(fb);
   for (unsigned i = 0; i < fb->nr_cbufs; i++)
      if (fb->cbufs[i] && num_layers(fb->cbufs[i]) != layers)
         return true;
   return fb->zsbuf && num_layers(fb->zsbuf) != layers;
}

static void
clear_each(struct pipe_context *pipe, unsigned buffers, const union pipe_color_union *color,
           double depth, unsigned stencil)
{
   struct pipe_framebuffer_state fb = { 0 };
   util_copy_framebuffer_state(&fb, &atoll_context(pipe)->fb);
   for (unsigned i = 0; i < fb.nr_cbufs; i++) {
      if (buffers & PIPE_CLEAR_COLOR0 << i)
         pipe->clear_render_target(pipe, fb.cbufs[i], color, 0, 0, fb.cbufs[i]->width,
                                   fb.cbufs[i]->height, true);
   }
   if (buffers & PIPE_CLEAR_DEPTHSTENCIL)
      pipe->clear_depth_stencil(pipe, fb.zsbuf, buffers & PIPE_CLEAR_DEPTHSTENCIL, depth, stencil,
                                0, 0, fb.zsbuf->width, fb.zsbuf->height, true);
   util_unreference_framebuffer_state(&fb);
}

static void
clear(struct pipe_context *pipe, unsigned buffers, const struct pipe_scissor_state *scissor,
      const union pipe_color_union *color, double depth, unsigned stencil)
{
   struct atoll_context *ctx = atoll_context(pipe);
   const struct pipe_framebuffer_state *fb = &ctx->fb;
   unsigned present = 0;

   for (unsigned i = 0; i < fb->nr_cbufs; i++)
      present |= fb->cbufs[i] ? PIPE_CLEAR_COLOR0 << i : 0;
   if (fb->zsbuf)
      present |= PIPE_CLEAR_DEPTHSTENCIL;
   buffers &= present;
   if (!buffers || ctx->noop)
      return;
   if (atoll_targets_may_have_turned(ctx))
      atoll_look_at_targets(ctx, ctx->cond_query ? 0 : buffers);
   if (layers_differ(fb)) {
      clear_each(pipe, buffers, color, depth, stencil);
      return;
   }
   atoll_blitter_begin(ctx, OP_KEEP_CONDITION | OP_CLEAR);
   util_blitter_clear(ctx->blitter, fb->width, fb->height, util_framebuffer_get_num_layers(fb),
                      buffers, color, depth, stencil, ctx->samples > 1);
   atoll_blitter_end(ctx);
}

static void
clear_render_target(struct pipe_context *pipe, struct pipe_surface *dst,
                    const union pipe_color_union *color, unsigned x, unsigned y, unsigned width,
                    unsigned height, bool render_condition_enabled)
{
   struct atoll_context *ctx = atoll_context(pipe);
   atoll_blitter_begin(ctx, render_condition_enabled ? OP_KEEP_CONDITION : 0);
   util_blitter_clear_render_target(ctx->blitter, dst, color, x, y, width, height);
   atoll_blitter_end(ctx);
}

static void
clear_depth_stencil(struct pipe_context *pipe, struct pipe_surface *dst, unsigned flags,
                    double depth, unsigned stencil, unsigned x, unsigned y, unsigned width,
                    unsigned height, bool render_condition_enabled)
{
   struct atoll_context *ctx = atoll_context(pipe);
   atoll_blitter_begin(ctx, render_condition_enabled ? OP_KEEP_CONDITION : 0);
   util_blitter_clear_depth_stencil(ctx->blitter, dst, flags, depth, stencil, x, y, width, height);
   atoll_blitter_end(ctx);
}

/* ---- Copies ---- */

#define COPY_MAX (1u << 20) /* bytes of a packet */

#define DMA_DW 6

static void
emit_dma(struct atoll_cs *cs, unsigned select, uint64_t from, uint64_t to, uint32_t bytes)
{
   uint32_t *packet = cs->buf + cs->cdw;

   cs->cdw += DMA_DW;
   packet[0] = pm4_header(PM4_CP_DMA, DMA_DW - 1, false);
   packet[1] = (uint32_t)from;
   packet[2] = CP_DMA_SYNC | CP_DMA_SRC_SEL(select) | ((uint32_t)(from >> 32) & 0xFF);
   packet[3] = (uint32_t)to;
   packet[4] = (uint32_t)(to >> 32) & 0xFF;
   packet[5] = bytes;
}

/* CP copies bytes from one range to another. */
static void
emit_copy(struct atoll_context *ctx, struct atoll_bo *dst, uint64_t to, struct atoll_bo *src,
          uint64_t from, uint64_t size)
{
   struct atoll_cs *cs = &ctx->cs;

   while (size) {
      uint32_t bytes = (uint32_t)MIN2(size, COPY_MAX);
      atoll_need_space(ctx, 64);
      emit_dma(cs, CP_DMA_SRC_ADDRESS, from, to, bytes);
      atoll_cs_add_bo(cs, src, ATOLL_USAGE_READ);
      atoll_cs_add_bo(cs, dst, ATOLL_USAGE_WRITE);
      from += bytes;
      to += bytes;
      size -= bytes;
   }
}

/* Rows that are looked for room for together. */
#define ROWS_MAX 64

/* CP copies rows, each by a packet: CP does those in a row as one copy of a rectangle. */
static void
emit_rows(struct atoll_context *ctx, struct atoll_bo *dst, uint64_t to, uint64_t to_pitch,
          struct atoll_bo *src, uint64_t from, uint64_t from_pitch, uint32_t size, unsigned rows)
{
   struct atoll_cs *cs = &ctx->cs;

   for (unsigned n; rows; rows -= n) {
      n = MIN2(rows, ROWS_MAX);
      atoll_need_space(ctx, n * DMA_DW);
      atoll_cs_add_bo(cs, src, ATOLL_USAGE_READ);
      atoll_cs_add_bo(cs, dst, ATOLL_USAGE_WRITE);
      for (unsigned y = 0; y < n; y++, from += from_pitch, to += to_pitch)
         emit_dma(cs, CP_DMA_SRC_ADDRESS, from, to, size);
   }
}

static void
copy_buffer(struct atoll_context *ctx, struct pipe_resource *dst, uint64_t dst_offset,
            struct pipe_resource *src, uint64_t src_offset, uint64_t size)
{
   struct atoll_resource *d = atoll_resource(dst), *s = atoll_resource(src);

   if (src_offset >= src->width0 || dst_offset >= dst->width0)
      return;
   size = MIN3(size, src->width0 - src_offset, dst->width0 - dst_offset);
   if (atoll_copy_at_once(ctx, d, dst_offset, s, src_offset, size))
      return;
   util_range_add(dst, &d->base.valid_buffer_range, (unsigned)dst_offset,
                  (unsigned)(dst_offset + size));
   atoll_need_space(ctx, 64);
   /* Earlier draws may still read or write either buffer. */
   emit_event(&ctx->cs, EVENT_PS_PARTIAL_FLUSH, EVENT_INDEX_PARTIAL_FLUSH);
   emit_copy(ctx, d->bo, d->bo->va + dst_offset, s->bo, s->bo->va + src_offset, size);
   ctx->flush |= FLUSH_READS;
}

/* CP fills with a dword; what is no such fill is written through a map. */
static void
clear_buffer(struct pipe_context *pipe, struct pipe_resource *dst, unsigned offset, unsigned size,
             const void *value, int value_size)
{
   struct atoll_context *ctx = atoll_context(pipe);
   struct atoll_resource *d = atoll_resource(dst);
   const uint8_t *bytes = value;
   uint8_t dword[4];
   bool alike = value_size > 0 && offset % 4 == 0 && size % 4 == 0;

   atoll_put_in_order(ctx->screen, d);
   for (int i = 0; i < 4 && value_size > 0; i++)
      dword[i] = bytes[i % value_size];
   for (int i = 0; i < value_size; i++)
      alike = alike && bytes[i] == dword[i % 4];
   if (!alike || offset >= dst->width0 || size > dst->width0 - offset || 4 % MIN2(value_size, 4)) {
      u_default_clear_buffer(pipe, dst, offset, size, value, value_size);
      return;
   }
   uint32_t word;
   memcpy(&word, dword, 4);
   util_range_add(dst, &d->base.valid_buffer_range, offset, offset + size);
   atoll_need_space(ctx, 64);
   emit_event(&ctx->cs, EVENT_PS_PARTIAL_FLUSH, EVENT_INDEX_PARTIAL_FLUSH);
   for (uint32_t left = size, n; left; left -= n, offset += n) {
      n = MIN2(left, COPY_MAX);
      atoll_need_space(ctx, 64);
      emit_dma(&ctx->cs, CP_DMA_SRC_DATA, word, d->bo->va + offset, n);
      atoll_cs_add_bo(&ctx->cs, d->bo, ATOLL_USAGE_WRITE);
   }
   ctx->flush |= FLUSH_READS;
}

/* A row costs a packet: a draw copies shorter ones for less. */
#define MIN_ROW_BYTES 64

/* Where blocks of a level are, of one plane: its storage, its layout, and the first block. */
struct rows {
   struct atoll_bo *bo;
   const struct atoll_level *level;
   unsigned x, y, z;
};

static uint64_t
rows_address(const struct rows *r, unsigned bytes, unsigned z)
{
   return r->bo->va + r->level->offset + (r->z + z) * r->level->slice_bytes +
          ((uint64_t)r->y * r->level->pitch + r->x) * bytes;
}

static bool
rows_inside(const struct rows *r, unsigned columns, unsigned rows, unsigned slices)
{
   return (uint64_t)r->x + columns <= r->level->pitch && (uint64_t)r->y + rows <= r->level->rows &&
          (uint64_t)r->z + slices <= r->level->slices;
}

/* `whole`: rows of the target have no more than `columns`, so what follows them is padding. */
static void
copy_plane(struct atoll_context *ctx, const struct rows *to, const struct rows *from,
           unsigned bytes, unsigned columns, unsigned rows, unsigned slices, bool whole)
{
   const uint64_t from_pitch = (uint64_t)from->level->pitch * bytes;
   const uint64_t to_pitch = (uint64_t)to->level->pitch * bytes;
   uint64_t size = (uint64_t)columns * bytes;

   if (whole && from_pitch == to_pitch && !from->x && !to->x) {
      size += (rows - 1) * from_pitch;
      rows = 1;
   }
   for (unsigned z = 0; z < slices; z++) {
      uint64_t source = rows_address(from, bytes, z), target = rows_address(to, bytes, z);

      if (size > COPY_MAX)
         for (unsigned y = 0; y < rows; y++, source += from_pitch, target += to_pitch)
            emit_copy(ctx, to->bo, target, from->bo, source, size);
      else
         emit_rows(ctx, to->bo, target, to_pitch, from->bo, source, from_pitch, (uint32_t)size,
                   rows);
   }
}

/* Whether two ranges of one length have nothing in common. */
static bool
apart(int a, int b, int length)
{
   return a + length <= b || b + length <= a;
}

/* All textures are linear (layout.c), so rows of blocks are copied as bytes, by CP, at a fraction
 * of what a draw costs.  False: not these.  A window's picture lies in one storage or another, and
 * samples are rare. */
static bool
copy_rows(struct atoll_context *ctx, struct pipe_resource *dst, unsigned dst_level, unsigned dstx,
          unsigned dsty, unsigned dstz, struct pipe_resource *src, unsigned src_level,
          const struct pipe_box *box)
{
   const struct atoll_resource *d = atoll_resource(dst), *s = atoll_resource(src);
   const unsigned wide = util_format_get_blockwidth(src->format);
   const unsigned high = util_format_get_blockheight(src->format);
   const bool planes = s->has_depth || s->has_stencil || d->has_depth || d->has_stencil;

   if (s->dt || d->dt || src->nr_samples > 1 || dst->nr_samples > 1 ||
       s->block_bytes != d->block_bytes || (planes && src->format != dst->format) ||
       wide != util_format_get_blockwidth(dst->format) ||
       high != util_format_get_blockheight(dst->format))
      return false;
   if (src == dst && src_level == dst_level && !apart(box->x, (int)dstx, box->width) &&
       !apart(box->y, (int)dsty, box->height) && !apart(box->z, (int)dstz, box->depth))
      return false;
   if (box->x < 0 || box->y < 0 || box->z < 0 || box->width <= 0 || box->height <= 0 ||
       box->depth <= 0 || box->x % (int)wide || box->y % (int)high || dstx % wide || dsty % high)
      return false;

   const unsigned columns = DIV_ROUND_UP((unsigned)box->width, wide);
   const unsigned rows = DIV_ROUND_UP((unsigned)box->height, high);
   const unsigned slices = (unsigned)box->depth;
   const bool whole =
      columns >= util_format_get_nblocksx(dst->format, u_minify(dst->width0, dst_level));
   struct rows from = { atoll_level_bo(s, src_level), &s->level[src_level], (unsigned)box->x / wide,
                        (unsigned)box->y / high, (unsigned)box->z };
   struct rows to = { atoll_level_bo(d, dst_level), &d->level[dst_level], dstx / wide, dsty / high,
                      dstz };

   if (columns * s->block_bytes < MIN_ROW_BYTES || !rows_inside(&from, columns, rows, slices) ||
       !rows_inside(&to, columns, rows, slices))
      return false;
   atoll_add_user(ctx, atoll_resource(src));
   atoll_add_user(ctx, atoll_resource(dst));
   /* Earlier draws may still read or write either. */
   ctx->flush |= FLUSH_TARGETS;
   atoll_need_space(ctx, 64);
   atoll_emit_flush(ctx);
   copy_plane(ctx, &to, &from, s->block_bytes, columns, rows, slices, whole);
   if (s->has_depth && s->has_stencil) {
      from.level = &s->stencil[src_level];
      to.level = &d->stencil[dst_level];
      copy_plane(ctx, &to, &from, 1, columns, rows, slices, whole);
   }
   ctx->flush |= FLUSH_READS;
   return true;
}

/* A format of the same size of which a draw copies the bits: of integers, or where programs cannot
 * have such, of numbers that come back as they were. */
static enum pipe_format
copy_format(unsigned bytes, bool integers)
{
   switch (bytes) {
   case 1:
      return integers ? PIPE_FORMAT_R8_UINT : PIPE_FORMAT_R8_UNORM;
   case 2:
      return integers ? PIPE_FORMAT_R16_UINT : PIPE_FORMAT_R8G8_UNORM;
   case 4:
      return integers ? PIPE_FORMAT_R32_UINT : PIPE_FORMAT_R8G8B8A8_UNORM;
   case 8:
      return integers ? PIPE_FORMAT_R32G32_UINT : PIPE_FORMAT_R16G16B16A16_UNORM;
   case 12:
      return integers ? PIPE_FORMAT_R32G32B32_UINT : PIPE_FORMAT_NONE;
   case 16:
      return integers ? PIPE_FORMAT_R32G32B32A32_UINT : PIPE_FORMAT_NONE;
   default:
      return PIPE_FORMAT_NONE;
   }
}

/* Whether a blit reads a cube map where programs have no arrays of textures, as which the blitter
 * reads one: then each face is a picture of its own. */
static bool
reads_faces(const struct atoll_context *ctx, const struct pipe_resource *src)
{
   return src->target == PIPE_TEXTURE_CUBE && !ctx->base.screen->caps.max_texture_array_layers;
}

static bool
blit_view(struct atoll_context *ctx, const struct pipe_blit_info *info,
          const struct pipe_sampler_view *src_templ)
{
   struct pipe_resource *src = info->src.resource, *dst = info->dst.resource;
   struct pipe_surface dst_templ;

   util_blitter_default_dst_texture(&dst_templ, dst, info->dst.level, (unsigned)info->dst.box.z);
   dst_templ.format = info->dst.format;
   struct pipe_surface *dst_view = ctx->base.create_surface(&ctx->base, dst, &dst_templ);
   struct pipe_sampler_view *src_view = ctx->base.create_sampler_view(&ctx->base, src, src_templ);
   const bool ok = dst_view && src_view;
   if (ok) {
      atoll_blitter_begin(ctx,
                          OP_TEXTURES | (info->render_condition_enable ? OP_KEEP_CONDITION : 0));
      util_blitter_blit_generic(ctx->blitter, dst_view, &info->dst.box, src_view, &info->src.box,
                                src->width0, src->height0, info->mask, info->filter,
                                info->scissor_enable ? &info->scissor : NULL, info->alpha_blend,
                                info->sample0_only, info->dst_sample, NULL);
      atoll_blitter_end(ctx);
   }
   pipe_surface_reference(&dst_view, NULL);
   pipe_sampler_view_reference(&src_view, NULL);
   return ok;
}

static bool
blit_views(struct atoll_context *ctx, const struct pipe_blit_info *info,
           struct pipe_sampler_view *src_templ)
{
   bool ok = true;

   if (!reads_faces(ctx, info->src.resource))
      return blit_view(ctx, info, src_templ);
   for (int z = 0; ok && z < info->src.box.depth; z++) {
      struct pipe_blit_info one = *info;
      one.src.box.z += z;
      one.dst.box.z += z;
      one.src.box.depth = one.dst.box.depth = 1;
      src_templ->target = PIPE_TEXTURE_2D;
      src_templ->u.tex.first_layer = src_templ->u.tex.last_layer = (uint16_t)one.src.box.z;
      ok = blit_view(ctx, &one, src_templ);
   }
   return ok;
}

static bool
copy_by_draw(struct atoll_context *ctx, struct pipe_resource *dst, unsigned dst_level,
             unsigned dstx, unsigned dsty, unsigned dstz, struct pipe_resource *src,
             unsigned src_level, const struct pipe_box *box)
{
   struct pipe_sampler_view src_templ;
   bool depth = util_format_is_depth_or_stencil(dst->format);
   bool integers = ctx->screen->backend->limits->integer_textures;

   if (depth) {
      if (reads_faces(ctx, src) ||
          (!integers && util_format_has_stencil(util_format_description(dst->format))) ||
          dst->format != src->format || !util_blitter_is_copy_supported(ctx->blitter, dst, src))
         return false;
      atoll_blitter_begin(ctx, OP_TEXTURES);
      util_blitter_copy_texture(ctx->blitter, dst, dst_level, dstx, dsty, dstz, src, src_level,
                                box);
      atoll_blitter_end(ctx);
      return true;
   }
   enum pipe_format format = copy_format(util_format_get_blocksize(dst->format), integers);
   if (format == PIPE_FORMAT_NONE || util_format_is_compressed(src->format) ||
       util_format_is_compressed(dst->format) || util_format_is_depth_or_stencil(src->format) ||
       util_format_get_blocksize(src->format) != util_format_get_blocksize(dst->format) ||
       util_format_get_blockwidth(src->format) != 1)
      return false;

   struct pipe_blit_info info = {
      .dst = { .resource = dst, .level = dst_level, .format = format },
      .src = { .resource = src, .level = src_level, .box = *box, .format = format },
      .mask = PIPE_MASK_RGBA,
      .filter = PIPE_TEX_FILTER_NEAREST,
   };
   u_box_3d(dstx, dsty, dstz, abs(box->width), abs(box->height), abs(box->depth), &info.dst.box);
   util_blitter_default_src_texture(ctx->blitter, &src_templ, src, src_level);
   src_templ.format = format;
   src_templ.swizzle_r = PIPE_SWIZZLE_X;
   src_templ.swizzle_g = PIPE_SWIZZLE_Y;
   src_templ.swizzle_b = PIPE_SWIZZLE_Z;
   src_templ.swizzle_a = PIPE_SWIZZLE_W;
   return blit_views(ctx, &info, &src_templ);
}

static void
resource_copy_region(struct pipe_context *pipe, struct pipe_resource *dst, unsigned dst_level,
                     unsigned dstx, unsigned dsty, unsigned dstz, struct pipe_resource *src,
                     unsigned src_level, const struct pipe_box *box)
{
   struct atoll_context *ctx = atoll_context(pipe);

   atoll_touch_display(atoll_resource(src), false);
   atoll_touch_display(atoll_resource(dst), false);
   atoll_put_in_order(ctx->screen, atoll_resource(dst));
   if (dst->target == PIPE_BUFFER && src->target == PIPE_BUFFER) {
      copy_buffer(ctx, dst, dstx, src, box->x, box->width);
      return;
   }
   if (dst->target == PIPE_BUFFER || src->target == PIPE_BUFFER ||
       (!copy_rows(ctx, dst, dst_level, dstx, dsty, dstz, src, src_level, box) &&
        !copy_by_draw(ctx, dst, dst_level, dstx, dsty, dstz, src, src_level, box)))
      util_resource_copy_region(pipe, dst, dst_level, dstx, dsty, dstz, src, src_level, box);
}

/* CB averages the samples of target 0 into target 1, pixel by pixel. */
static void
resolve(struct atoll_context *ctx, struct pipe_resource *dst, unsigned dst_level,
        unsigned dst_layer, struct pipe_resource *src, unsigned src_layer, enum pipe_format format,
        bool keep_condition)
{
   atoll_blitter_begin(ctx, keep_condition ? OP_KEEP_CONDITION : 0);
   util_blitter_custom_resolve_color(ctx->blitter, dst, dst_level, dst_layer, src, src_layer, ~0u,
                                     ctx->resolve_blend, format);
   atoll_blitter_end(ctx);
}

static bool
is_whole(const struct pipe_box *box, unsigned width, unsigned height)
{
   return box->x == 0 && box->y == 0 && box->width == (int)width && box->height == (int)height &&
          box->depth == 1;
}

static bool
blit_resolve(struct atoll_context *ctx, const struct pipe_blit_info *info)
{
   struct pipe_resource *src = info->src.resource, *dst = info->dst.resource;
   unsigned width = u_minify(dst->width0, info->dst.level);
   unsigned height = u_minify(dst->height0, info->dst.level);
   struct atoll_cb_format f;

   if (src->nr_samples <= 1 || dst->nr_samples > 1 || !atoll_cb_format(info->src.format, &f) ||
       f.integer || info->sample0_only || !(info->mask & PIPE_MASK_RGBA) ||
       info->src.box.depth != 1)
      return false;
   if (info->src.format == info->dst.format && !info->scissor_enable && !info->swizzle_enable &&
       !info->alpha_blend && !info->num_window_rectangles &&
       (info->mask & PIPE_MASK_RGBA) == PIPE_MASK_RGBA && width == src->width0 &&
       height == src->height0 && is_whole(&info->dst.box, width, height) &&
       is_whole(&info->src.box, width, height)) {
      resolve(ctx, dst, info->dst.level, info->dst.box.z, src, info->src.box.z, info->src.format,
              info->render_condition_enable);
      return true;
   }
   /* Resolve the whole, then blit what is wanted of it. */
   struct pipe_resource templ = {
      .target = PIPE_TEXTURE_2D,
      .format = src->format,
      .width0 = src->width0,
      .height0 = src->height0,
      .depth0 = 1,
      .array_size = 1,
   };
   struct pipe_resource *temp = ctx->base.screen->resource_create(ctx->base.screen, &templ);
   if (!temp)
      return false;
   resolve(ctx, temp, 0, 0, src, info->src.box.z, info->src.format, false);
   struct pipe_blit_info second = *info;
   second.src.resource = temp;
   second.src.box.z = 0;
   atoll_blitter_begin(ctx, OP_TEXTURES | (info->render_condition_enable ? OP_KEEP_CONDITION : 0));
   util_blitter_blit(ctx->blitter, &second, NULL);
   atoll_blitter_end(ctx);
   pipe_resource_reference(&temp, NULL);
   return true;
}

static struct pipe_box
upright(const struct pipe_box *box)
{
   struct pipe_box all = *box;
   all.x = MIN2(box->x, box->x + box->width);
   all.y = MIN2(box->y, box->y + box->height);
   all.width = abs(box->width);
   all.height = abs(box->height);
   return all;
}

/* Stencil that programs cannot read, row by row, with depth left as it is; without a change of size
 * or scissors. */
static void
copy_stencil(struct pipe_context *pipe, const struct pipe_blit_info *info)
{
   const struct pipe_box from = upright(&info->src.box), to = upright(&info->dst.box);
   const struct util_format_unpack_description *unpack =
      util_format_unpack_description(info->src.format);
   const struct util_format_pack_description *pack = util_format_pack_description(info->dst.format);
   const bool mirror_x = (info->src.box.width < 0) != (info->dst.box.width < 0);
   const bool mirror_y = (info->src.box.height < 0) != (info->dst.box.height < 0);
   struct pipe_transfer *reading = NULL, *writing = NULL;
   uint8_t *row = malloc((size_t)from.width);
   const uint8_t *src = row ? pipe->texture_map(pipe, info->src.resource, info->src.level,
                                                PIPE_MAP_READ, &from, &reading)
                            : NULL;
   uint8_t *dst = src ? pipe->texture_map(pipe, info->dst.resource, info->dst.level,
                                          PIPE_MAP_READ | PIPE_MAP_WRITE, &to, &writing)
                      : NULL;

   for (int z = 0; dst && z < from.depth; z++) {
      for (int y = 0; y < from.height; y++) {
         const int at = mirror_y ? from.height - 1 - y : y;
         unpack->unpack_s_8uint(row, 0,
                                src + z * reading->layer_stride + (size_t)at * reading->stride, 0,
                                (unsigned)from.width, 1);
         for (int x = 0; mirror_x && x < from.width / 2; x++) {
            const uint8_t left = row[x];
            row[x] = row[from.width - 1 - x];
            row[from.width - 1 - x] = left;
         }
         pack->pack_s_8uint(dst + z * writing->layer_stride + (size_t)y * writing->stride, 0, row,
                            0, (unsigned)from.width, 1);
      }
   }
   if (writing)
      pipe->texture_unmap(pipe, writing);
   if (reading)
      pipe->texture_unmap(pipe, reading);
   free(row);
}

/* Where programs have no integers to read stencil as: depth is drawn, and stencil copied. */
static bool
blit_without_integers(struct atoll_context *ctx, const struct pipe_blit_info *info)
{
   const struct pipe_resource *src = info->src.resource, *dst = info->dst.resource;
   struct pipe_blit_info depth = *info;

   depth.mask &= ~PIPE_MASK_S;
   if (ctx->screen->backend->limits->integer_textures || !(info->mask & PIPE_MASK_S) ||
       !util_format_has_stencil(util_format_description(info->src.format)) ||
       !util_format_has_stencil(util_format_description(info->dst.format)) || src->nr_samples > 1 ||
       dst->nr_samples > 1 || info->scissor_enable || info->num_window_rectangles ||
       (info->render_condition_enable && ctx->cond_query) ||
       abs(info->src.box.width) != abs(info->dst.box.width) ||
       abs(info->src.box.height) != abs(info->dst.box.height) ||
       info->src.box.depth != info->dst.box.depth || !info->src.box.width ||
       (depth.mask && !util_blitter_is_blit_supported(ctx->blitter, &depth)))
      return false;
   if (depth.mask) {
      atoll_blitter_begin(ctx, OP_TEXTURES);
      util_blitter_blit(ctx->blitter, &depth, NULL);
      atoll_blitter_end(ctx);
   }
   copy_stencil(&ctx->base, info);
   return true;
}

/* Whether all of the resource is written, whatever it held. */
static bool
writes_all(const struct atoll_context *ctx, const struct pipe_blit_info *info)
{
   const struct pipe_resource *b = info->dst.resource;
   const struct pipe_box box = upright(&info->dst.box);

   return !info->scissor_enable && !info->num_window_rectangles && !info->alpha_blend &&
          !(info->render_condition_enable && ctx->cond_query) &&
          (info->mask & PIPE_MASK_RGBA) == PIPE_MASK_RGBA && box.x <= 0 && box.y <= 0 &&
          box.x + box.width >= (int)b->width0 && box.y + box.height >= (int)b->height0;
}

void
atoll_blit(struct atoll_context *ctx, const struct pipe_blit_info *info)
{
   struct pipe_context *pipe = &ctx->base;
   struct atoll_resource *src = atoll_resource(info->src.resource);
   atoll_touch_display(src, false);
   atoll_touch_display(atoll_resource(info->dst.resource), writes_all(ctx, info));
   if (src->dt_front && !ctx->tc && !atoll_cs_usage(&ctx->cs, src->bo))
      atoll_fetch_front(ctx->screen, src);
   if (blit_resolve(ctx, info))
      return;
   if (util_try_blit_via_copy_region(pipe, info, ctx->cond_query != NULL))
      return;
   if (blit_without_integers(ctx, info) || !util_blitter_is_blit_supported(ctx->blitter, info))
      return;
   if (reads_faces(ctx, info->src.resource)) {
      struct pipe_sampler_view templ;
      util_blitter_default_src_texture(ctx->blitter, &templ, info->src.resource, info->src.level);
      templ.format = info->src.format;
      if (info->swizzle_enable) {
         templ.swizzle_r = info->swizzle[0];
         templ.swizzle_g = info->swizzle[1];
         templ.swizzle_b = info->swizzle[2];
         templ.swizzle_a = info->swizzle[3];
      }
      blit_views(ctx, info, &templ);
      return;
   }
   /* The blitter's view of the source lives no longer than the blit: its address does not stay
    * with others. */
   const bool fixed = src->dt_fixed;
   atoll_blitter_begin(ctx, OP_TEXTURES | (info->render_condition_enable ? OP_KEEP_CONDITION : 0));
   util_blitter_blit(ctx->blitter, info, NULL);
   atoll_blitter_end(ctx);
   src->dt_fixed = fixed;
}

static void
blit(struct pipe_context *pipe, const struct pipe_blit_info *info)
{
   struct atoll_context *ctx = atoll_context(pipe);

   atoll_put_in_order(ctx->screen, atoll_resource(info->dst.resource));
   if (!ctx->noop)
      atoll_blit(ctx, info);
}

static void
set_frontend_noop(struct pipe_context *pipe, bool enable)
{
   atoll_context(pipe)->noop = enable;
}

static void
flush_resource(struct pipe_context *pipe, struct pipe_resource *resource)
{
   /* Nothing is compressed: what is drawn is what others see after the flush. */
}

void
atoll_init_blit(struct atoll_context *ctx)
{
   struct pipe_context *pipe = &ctx->base;
   pipe->clear = clear;
   pipe->clear_render_target = clear_render_target;
   pipe->clear_depth_stencil = clear_depth_stencil;
   pipe->resource_copy_region = resource_copy_region;
   pipe->clear_buffer = clear_buffer;
   pipe->blit = blit;
   pipe->set_frontend_noop = set_frontend_noop;
   pipe->flush_resource = flush_resource;
}
