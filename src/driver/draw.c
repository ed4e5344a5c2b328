/* SPDX-License-Identifier: MIT */
/*
 * Draws: indices, driver constants, the state that comes with a draw, and the draw packets. All
 * of GL's primitive types are the device's own, but for one order of vertices: every second
 * triangle of a strip with adjacency reaches a geometry shader rotated by one vertex, so these
 * strips are drawn as lists.
 */
#include "context.h"
#include "draw_values.h"

#include "util/u_draw.h"
#include "util/u_index_modify.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_prim.h"
#include "util/u_upload_mgr.h"

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

/* All atoms, the start of a stream left aside, fit in this; so does what comes with one draw. */
#define DRAW_STATE_DW 12288
#define DRAW_DW       512

static unsigned
hw_prim(unsigned prim)
{
   static const uint8_t table[] = {
      [MESA_PRIM_POINTS] = DI_PT_POINTLIST,
      [MESA_PRIM_LINES] = DI_PT_LINELIST,
      [MESA_PRIM_LINE_LOOP] = DI_PT_LINELOOP,
      [MESA_PRIM_LINE_STRIP] = DI_PT_LINESTRIP,
      [MESA_PRIM_TRIANGLES] = DI_PT_TRILIST,
      [MESA_PRIM_TRIANGLE_STRIP] = DI_PT_TRISTRIP,
      [MESA_PRIM_TRIANGLE_FAN] = DI_PT_TRIFAN,
      [MESA_PRIM_QUADS] = DI_PT_QUADLIST,
      [MESA_PRIM_QUAD_STRIP] = DI_PT_QUADSTRIP,
      [MESA_PRIM_POLYGON] = DI_PT_POLYGON,
      [MESA_PRIM_LINES_ADJACENCY] = DI_PT_LINELIST_ADJ,
      [MESA_PRIM_LINE_STRIP_ADJACENCY] = DI_PT_LINESTRIP_ADJ,
      [MESA_PRIM_TRIANGLES_ADJACENCY] = DI_PT_TRILIST_ADJ,
      [MESA_PRIM_TRIANGLE_STRIP_ADJACENCY] = DI_PT_TRISTRIP_ADJ,
      [MESA_PRIM_PATCHES] = DI_PT_PATCH,
      [ATOLL_PRIM_RECTLIST] = DI_PT_RECTLIST,
   };
   return prim < ARRAY_SIZE(table) ? table[prim] : DI_PT_NONE;
}

/* ---- Driver constants ---- */

static void
fill_vs_constants(struct atoll_context *ctx, uint32_t *c, const uint32_t draw[6])
{
   memcpy(c + 4 * IL_DRV_CLIP_PLANE0, ctx->clip.ucp, sizeof(ctx->clip.ucp));
   memcpy(c + 4 * IL_DRV_DRAW, draw, 16);
   c[4 * IL_DRV_DRAW2] = draw[4];
   c[4 * IL_DRV_DRAW2 + 1] = ctx->samples;
   c[4 * IL_DRV_VIEW] = (uint32_t)MAX2(ctx->view, 0);
}

static void
fill_ps_constants(struct atoll_context *ctx, uint32_t *c)
{
   for (unsigned i = 0; i < 32; i++)
      c[4 * IL_DRV_STIPPLE + i] = ctx->stipple.stipple[i];
   for (unsigned i = 0; i < 16; i++) {
      float pos[2];
      atoll_sample_position(ctx, ctx->samples, i, pos);
      c[4 * IL_DRV_SAMPLE_POS + 2 * i] = fui(pos[0]);
      c[4 * IL_DRV_SAMPLE_POS + 2 * i + 1] = fui(pos[1]);
   }
   c[4 * IL_DRV_DRAW2 + 1] = ctx->samples;
   c[4 * IL_DRV_VIEW] = (uint32_t)MAX2(ctx->view, 0);
   for (unsigned i = 0; i < ctx->fb.nr_cbufs && i < ATOLL_MAX_CB; i++) {
      const struct pipe_surface *target = ctx->fb.cbufs[i];
      if (target && target->texture->target == PIPE_TEXTURE_3D)
         c[4 * IL_DRV_TARGETS + i / 2] |= (uint32_t)(target->u.tex.first_layer + MAX2(ctx->view, 0))
                                          << 16 * (i & 1);
   }
}

/* The uniforms that are bound for a stage, and how many dwords of them. */
static const uint32_t *
uniforms_of(const struct atoll_context *ctx, enum atoll_stage stage, unsigned *dwords)
{
   const struct pipe_constant_buffer *cb = &ctx->constants[stage].cb[0];
   const char *map = NULL;

   if (cb->buffer && cb->buffer_offset <= cb->buffer->width0)
      map = atoll_bo_map(atoll_resource(cb->buffer)->bo);
   *dwords = map ? MIN2(cb->buffer_size, cb->buffer->width0 - cb->buffer_offset) / 4 : 0;
   return map ? (const uint32_t *)(map + cb->buffer_offset) : NULL;
}

/* Whether the uniforms that the stage's values are made of have changed since these were made.
 * Many programs change a uniform for each draw that no value is made of. */
static bool
loads_changed(struct atoll_context *ctx, enum atoll_stage stage)
{
   const struct atoll_variant *v = ctx->variants[stage];
   unsigned dwords;
   const uint32_t *uniforms = uniforms_of(ctx, stage, &dwords);

   ctx->new_uniforms &= ~(1u << stage);
   return atoll_loads_changed(v->steps, v->p.num_steps, uniforms, dwords, ctx->loaded[stage],
                              ATOLL_MAX_LOADED);
}

/* The values that the stage's program reads instead of making them, of the uniforms bound. */
static void
fill_values(struct atoll_context *ctx, enum atoll_stage stage, uint32_t *out)
{
   const struct atoll_variant *v = ctx->variants[stage];
   unsigned dwords;
   const uint32_t *uniforms = uniforms_of(ctx, stage, &dwords);

   atoll_run_values(v->steps, v->p.num_steps, uniforms, dwords, out);
}

/* Making a vertex program's values for a draw takes about as long as the program takes for so many
 * vertices to make them itself.  One that is drawn with fewer, again and again before a submission
 * is full, and each time with other uniforms, makes them itself from then on. */
#define FEW_VERTICES 512
#define MANY_DRAWS   256

static void
note_values(struct atoll_context *ctx, enum atoll_stage stage)
{
   if (stage == ATOLL_VS && ctx->vertices < FEW_VERTICES && ++ctx->small_draws > MANY_DRAWS)
      __atomic_store_n(&ctx->shaders[stage]->makes_values, true, __ATOMIC_RELAXED);
}

/* Of most vertex programs: the first vec4s that fill_vs_constants() knows are all that is read. */
#define FEW_CONSTANTS (IL_DRV_VIEW + 1)

static bool
reads_few(enum atoll_stage stage, const struct atoll_program *p)
{
   return stage == ATOLL_VS && p->driver_vec4s && p->driver_vec4s <= FEW_CONSTANTS;
}

static void
fill_few_constants(struct atoll_context *ctx, const uint32_t draw[6], uint32_t *c, unsigned size)
{
   uint32_t few[FEW_CONSTANTS * 4] = { 0 };

   fill_vs_constants(ctx, few, draw);
   memcpy(c, few, size);
}

/* All that programs may read of the driver's constants. */
static void
fill_constants(struct atoll_context *ctx, enum atoll_stage stage, const uint32_t draw[6],
               uint32_t *c)
{
   const struct atoll_variant *v = ctx->variants[stage];

   memset(c, 0, IL_DRV_SIZE * 16);
   if (stage == ATOLL_PS)
      fill_ps_constants(ctx, c);
   else if (stage == ATOLL_CS)
      memcpy(c + 4 * IL_DRV_GRID, draw, 12);
   else
      fill_vs_constants(ctx, c, draw);
   atoll_fill_uav_sizes(ctx, stage, c);
   if (stage == ATOLL_TCS || stage == ATOLL_TES)
      atoll_fill_tess_constants(ctx, stage, c);
   for (unsigned i = 0; i < ATOLL_MAX_SAMPLERS; i++) {
      const struct atoll_sampler_view *view = ctx->textures[stage].views[i];
      if (!view)
         continue;
      if (view->base.texture->target == PIPE_BUFFER)
         c[4 * IL_DRV_ELEMENTS + i] = view->words[4];
      else
         c[4 * IL_DRV_CUBES + i] =
            (view->base.u.tex.last_layer - view->base.u.tex.first_layer + 1) / 6;
   }
   if (v->p.num_icb)
      memcpy(c + 4 * IL_DRV_SIZE, v->icb, v->p.num_icb * 16);
}

void
atoll_update_driver_constants(struct atoll_context *ctx, enum atoll_stage stage,
                              const uint32_t draw[6])
{
   const struct atoll_variant *v = ctx->variants[stage];
   if (!v || !((v->p.const_buffers | v->p.const_buffers_fetch) >> IL_DRIVER_CB & 1))
      return;
   const bool there = ctx->drv_va[stage] && (stage != ATOLL_VS || v->p.only_values ||
                                             !memcmp(ctx->drv_draw, draw, sizeof(ctx->drv_draw)));
   const bool others = v->p.num_steps && (!there || ctx->new_uniforms >> stage & 1);
   const bool changed = others && loads_changed(ctx, stage);
   if (there && !changed)
      return;
   if (changed)
      note_values(ctx, stage);

   const bool few = reads_few(stage, &v->p);
   const unsigned size = (few              ? v->p.driver_vec4s
                          : v->p.num_steps ? v->p.first_value + v->p.value_vec4s
                                           : IL_DRV_SIZE + v->p.num_icb) *
                         16;
   /* What is not read need not be there: the buffer begins that far before its values, in whatever
    * was uploaded before. */
   const unsigned unread = v->p.only_values ? v->p.first_value * 16 : 0;
   unsigned offset;
   struct pipe_resource *buffer = NULL;
   uint32_t *c;
   u_upload_alloc(ctx->upload, unread, size - unread, 256, &offset, &buffer, (void **)&c);
   if (!c)
      return;
   if (few) {
      fill_few_constants(ctx, draw, c, size);
   } else if (v->p.only_values) {
      fill_values(ctx, stage, c);
   } else {
      fill_constants(ctx, stage, draw, c);
      if (v->p.num_steps)
         fill_values(ctx, stage, c + 4 * v->p.first_value);
   }

   struct atoll_bo *bo = atoll_resource(buffer)->bo;
   ctx->drv_va[stage] = bo->va + offset - unread;
   if (stage == ATOLL_VS)
      memcpy(ctx->drv_draw, draw, sizeof(ctx->drv_draw));
   atoll_emit_constant_buffer(ctx, stage, IL_DRIVER_CB, bo, ctx->drv_va[stage], size);
   pipe_resource_reference(&buffer, NULL);
}

/* ---- State that comes with a draw ---- */

static void
emit_draw_state(struct atoll_context *ctx, const struct pipe_draw_info *info, unsigned prim)
{
   struct atoll_cs *cs = &ctx->cs;

   if (ctx->last_prim != prim || !ctx->draw_state_known) {
      /* A separate line starts its pattern anew; a strip or a loop carries it on. */
      unsigned reset =
         prim == MESA_PRIM_LINES ? STIPPLE_RESET_EACH_PRIM : STIPPLE_RESET_EACH_PACKET;
      emit_context_reg(cs, R_PA_SC_LINE_STIPPLE,
                       ctx->rs->line_stipple |
                          REG_FIELD(PA_SC_LINE_STIPPLE, AUTO_RESET_CNTL, reset));
      emit_config_reg(cs, R_VGT_PRIMITIVE_TYPE, hw_prim(prim));
      ctx->last_prim = prim;
   }
   bool restart = info->index_size && info->primitive_restart;
   if (ctx->last_restart != restart || !ctx->draw_state_known) {
      emit_context_reg(cs, R_VGT_MULTI_PRIM_IB_RESET_EN, restart);
      ctx->last_restart = restart;
   }
   if (restart && (ctx->last_restart_index != info->restart_index || !ctx->draw_state_known)) {
      emit_context_reg(cs, R_VGT_MULTI_PRIM_IB_RESET_INDX, info->restart_index);
      ctx->last_restart_index = info->restart_index;
   }
   if (ctx->last_start_instance != info->start_instance || !ctx->draw_state_known) {
      emit_ctl_const(cs, R_SQ_VTX_START_INST_LOC, info->start_instance);
      ctx->last_start_instance = info->start_instance;
   }
   if (ctx->last_num_instances != info->instance_count || !ctx->draw_state_known) {
      atoll_emit(cs, pm4_header(PM4_NUM_INSTANCES, 1, false));
      atoll_emit(cs, info->instance_count);
      ctx->last_num_instances = info->instance_count;
   }
}

static void
emit_index_offset(struct atoll_context *ctx, uint32_t offset)
{
   if (ctx->last_index_offset == offset && ctx->draw_state_known)
      return;
   if (ctx->screen->backend->attributes_add_base)
      emit_ctl_const(&ctx->cs, R_SQ_VTX_BASE_VTX_LOC, offset);
   else
      emit_context_reg(&ctx->cs, R_VGT_INDX_OFFSET, offset);
   ctx->last_index_offset = offset;
}

static void
emit_opaque_count(struct atoll_context *ctx, struct atoll_so_target *target)
{
   struct atoll_cs *cs = &ctx->cs;
   emit_context_reg(cs, R_VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE, target->stride_dw);
   atoll_emit(cs, pm4_header(PM4_COPY_DW, 5, false));
   atoll_emit(cs, COPY_DW_SRC_MEM);
   atoll_emit(cs, (uint32_t)target->filled->va);
   atoll_emit(cs, (uint32_t)(target->filled->va >> 32));
   atoll_emit(cs, R_VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE >> 2);
   atoll_emit(cs, 0);
   atoll_cs_add_bo(cs, target->filled, ATOLL_USAGE_READ);
}

void
atoll_leave_out(struct atoll_context *ctx, const char *why)
{
   util_debug_message(&ctx->base.debug, ERROR, "A draw is left out: %s", why);
}

/* Makes room, emits what is dirty and leaves space for one draw's own packets. */
static void
prepare(struct atoll_context *ctx)
{
   /* A stream that is full ends here, and everything is dirty again. */
   atoll_need_space(ctx, DRAW_STATE_DW + DRAW_DW);
   /* What the last draw wrote this one reads. */
   if (ctx->shaders[ATOLL_PS]->reads_targets)
      ctx->flush |= FLUSH_TARGETS | FLUSH_READS;
   if (ctx->flush)
      atoll_emit_flush(ctx);
   atoll_emit_order(ctx);
   atoll_look_at_copies(ctx, BITFIELD_MASK(ATOLL_PS + 1));
   atoll_emit_atoms(ctx, ATOMS_OF_DRAWS);
   if (ctx->num_so_targets && !ctx->so_begun)
      atoll_streamout_begin(ctx);
}

struct indices {
   struct pipe_resource *buffer; /* referenced */
   unsigned offset;              /* bytes */
   unsigned size;                /* bytes per index, 2 or 4 */
   unsigned first;               /* index that is at `offset` */
};

/* The range that draws read of their indices; false: none. */
static bool
find_range(const struct pipe_draw_start_count_bias *draws, unsigned num_draws, unsigned *first,
           uint64_t *end)
{
   *first = ~0u;
   *end = 0;
   for (unsigned i = 0; i < num_draws; i++) {
      if (!draws[i].count)
         continue;
      *first = MIN2(*first, draws[i].start);
      *end = MAX2(*end, (uint64_t)draws[i].start + draws[i].count);
   }
   return *first < *end;
}

/* Gives indices in a buffer, in a size that the device knows. */
static bool
prepare_indices(struct atoll_context *ctx, const struct pipe_draw_info *info,
                const struct pipe_draw_start_count_bias *draws, unsigned num_draws,
                struct indices *out)
{
   const unsigned bytes = info->index_size;
   unsigned first;
   uint64_t end;

   memset(out, 0, sizeof(*out));
   out->size = bytes;
   if (!info->has_user_indices && bytes != 1) {
      struct pipe_resource *buffer = info->index.resource;
      /* What lies beyond the buffer is not what lies beyond its copy. */
      if (buffer && find_range(draws, num_draws, &first, &end) && end * bytes <= buffer->width0) {
         out->first = first;
         out->offset = first * bytes;
         out->buffer = atoll_copy_for_draw(ctx, buffer, &out->offset, (end - first) * bytes, 0);
      }
      if (!out->buffer) {
         out->first = 0;
         out->offset = 0;
         pipe_resource_reference(&out->buffer, buffer);
      }
      return out->buffer != NULL;
   }

   if (!find_range(draws, num_draws, &first, &end) || (end - first) * MAX2(bytes, 2) > INT32_MAX)
      return false;
   out->first = first;
   if (bytes == 1) {
      void *data = NULL;
      u_upload_alloc(ctx->upload, 0, (unsigned)(end - first) * 2, 4, &out->offset, &out->buffer,
                     &data);
      if (!data)
         return false;
      util_shorten_ubyte_elts_to_userptr(&ctx->base, info, 0, 0, first, (unsigned)(end - first),
                                         data);
      out->size = 2;
   } else {
      u_upload_data(ctx->upload, 0, (unsigned)(end - first) * bytes, 4,
                    (const char *)info->index.user + (size_t)first * bytes, &out->offset,
                    &out->buffer);
   }
   return out->buffer != NULL;
}

static bool
any_vertex(const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   bool any = false;
   for (unsigned i = 0; i < num_draws; i++)
      any |= draws[i].count != 0;
   return any;
}

static void
draw_direct(struct atoll_context *ctx, const struct pipe_draw_info *info, unsigned drawid_offset,
            struct atoll_so_target *opaque, const struct pipe_draw_start_count_bias *draws,
            unsigned num_draws, unsigned prim)
{
   struct atoll_cs *cs = &ctx->cs;
   struct indices indices = { 0 };

   if (info->index_size && !prepare_indices(ctx, info, draws, num_draws, &indices)) {
      if (any_vertex(draws, num_draws))
         atoll_leave_out(ctx, "its indices are in no buffer, or memory is out");
      return;
   }

   if (ctx->elements->twice_mask && ctx->start_instance != info->start_instance)
      atoll_dirty(ctx, ATOM_VERTEX_BUFFERS);
   ctx->start_instance = info->start_instance;
   for (unsigned i = 0; i < num_draws; i++) {
      const struct pipe_draw_start_count_bias *draw = &draws[i];
      if (!draw->count && !opaque)
         continue;
      prepare(ctx);
      /* How many have been captured the driver does not know. */
      ctx->vertices = opaque ? UINT64_MAX : (uint64_t)draw->count * info->instance_count;

      uint32_t bias = info->index_size ? (uint32_t)draw->index_bias : opaque ? 0 : draw->start;
      uint32_t constants[6] = {
         info->index_size ? (uint32_t)draw->index_bias : 0,
         info->start_instance,
         drawid_offset + (info->increment_draw_id ? i : 0),
         bias,
         info->index_size ? ~0u : 0,
         0,
      };
      for (unsigned stage = 0; stage <= ATOLL_PS; stage++)
         atoll_update_driver_constants(ctx, stage, constants);
      emit_index_offset(ctx, bias);
      emit_draw_state(ctx, info, prim);
      bool predicated = atoll_predicated(ctx);
      bool counts = atoll_load_counters(ctx, false);

      if (info->index_size) {
         struct atoll_resource *res = atoll_resource(indices.buffer);
         /* What lies beyond the buffer is no index of the draw's: it reads 0 there. */
         uint64_t offset = indices.offset + (uint64_t)(draw->start - indices.first) * indices.size;
         uint64_t bytes = offset < res->base.b.width0 ? res->base.b.width0 - offset : 0;
         uint64_t va = res->bo->va + offset;
         uint32_t type = indices.size == 4 ? VGT_INDEX_32 : VGT_INDEX_16;
         if (ctx->last_index_type != type || !ctx->draw_state_known) {
            atoll_emit(cs, pm4_header(PM4_INDEX_TYPE, 1, false));
            atoll_emit(cs, type);
            ctx->last_index_type = type;
         }
         atoll_emit(cs, pm4_header(PM4_DRAW_INDEX_2, 5, predicated));
         atoll_emit(cs, (uint32_t)(bytes / indices.size));
         atoll_emit(cs, (uint32_t)va);
         atoll_emit(cs, (uint32_t)(va >> 32) & 0xFF);
         atoll_emit(cs, draw->count);
         atoll_emit(cs, REG_FIELD(VGT_DRAW_INITIATOR, SOURCE_SELECT, DI_SRC_SEL_DMA));
         atoll_cs_add_bo(cs, res->bo, ATOLL_USAGE_READ);
         ctx->draw_state_known = true;
      } else {
         if (opaque)
            emit_opaque_count(ctx, opaque);
         atoll_emit(cs, pm4_header(PM4_DRAW_INDEX_AUTO, 2, predicated));
         atoll_emit(cs, opaque ? 0 : draw->count);
         atoll_emit(cs, REG_FIELD(VGT_DRAW_INITIATOR, SOURCE_SELECT, DI_SRC_SEL_AUTO_INDEX) |
                           REG_FIELD(VGT_DRAW_INITIATOR, USE_OPAQUE, opaque != NULL));
         /* The index type is still unknown: it is compared on its own. */
         if (!ctx->draw_state_known) {
            ctx->last_index_type = ~0u;
            ctx->draw_state_known = true;
         }
      }
      if (counts)
         atoll_store_counters(ctx, false);
   }
   pipe_resource_reference(&indices.buffer, NULL);
}

static void
select_view(struct atoll_context *ctx, int view)
{
   if (ctx->view == view)
      return;
   ctx->view = view;
   memset(ctx->drv_va, 0, sizeof(ctx->drv_va));
   atoll_dirty(ctx, ATOM_FRAMEBUFFER);
}

/* Once, or for each view of the framebuffer, which is a layer of its targets (OVR_multiview). */
static void
draw_views(struct atoll_context *ctx, const struct pipe_draw_info *info, unsigned drawid_offset,
           struct atoll_so_target *opaque, const struct pipe_draw_start_count_bias *draws,
           unsigned num_draws, unsigned prim)
{
   uint32_t views = ctx->blitting ? 0 : ctx->fb.viewmask;
   if (!views) {
      select_view(ctx, -1);
      draw_direct(ctx, info, drawid_offset, opaque, draws, num_draws, prim);
   }
   u_foreach_bit(view, views)
   {
      select_view(ctx, (int)view);
      draw_direct(ctx, info, drawid_offset, opaque, draws, num_draws, prim);
   }
}

/* Draws with arguments in a buffer.  Those of the same instances are one list. */
static void
draw_indirect(struct atoll_context *ctx, const struct pipe_draw_info *info, unsigned drawid_offset,
              const struct pipe_draw_indirect_info *indirect, unsigned prim)
{
   enum { LIST = 64 };
   const unsigned words = info->index_size ? 5 : 4;
   struct pipe_draw_start_count_bias list[LIST];
   struct pipe_draw_info all = *info;
   struct pipe_transfer *transfer;
   unsigned count = indirect->draw_count, num = 0;

   if (indirect->indirect_draw_count) {
      unsigned wanted = 0;
      pipe_buffer_read(&ctx->base, indirect->indirect_draw_count,
                       indirect->indirect_draw_count_offset, 4, &wanted);
      count = MIN2(count, wanted);
   }
   if (!count)
      return;
   const char *args =
      pipe_buffer_map_range(&ctx->base, indirect->buffer, indirect->offset,
                            (count - 1) * indirect->stride + words * 4, PIPE_MAP_READ, &transfer);
   if (!args) {
      atoll_leave_out(ctx, "its arguments cannot be read");
      return;
   }
   all.increment_draw_id = true;
   for (unsigned i = 0; i <= count; i++) {
      uint32_t arg[5] = { 0 };

      if (i < count)
         memcpy(arg, args + (size_t)i * indirect->stride, words * 4);
      if (num && (i == count || num == LIST || arg[1] != all.instance_count ||
                  arg[words - 1] != all.start_instance)) {
         if (all.instance_count)
            draw_views(ctx, &all, drawid_offset + i - num, NULL, list, num, prim);
         num = 0;
      }
      all.instance_count = arg[1];
      all.start_instance = arg[words - 1];
      list[num++] = (struct pipe_draw_start_count_bias){
         .start = arg[2],
         .count = arg[0],
         .index_bias = info->index_size ? (int)arg[3] : 0,
      };
   }
   pipe_buffer_unmap(&ctx->base, transfer);
}

void
atoll_draw(struct atoll_context *ctx, const struct pipe_draw_info *info, unsigned drawid_offset,
           const struct pipe_draw_indirect_info *indirect,
           const struct pipe_draw_start_count_bias *draws, unsigned num_draws, unsigned prim)
{
   if (!info->instance_count && !indirect)
      return;
   if (indirect && indirect->buffer && prim == MESA_PRIM_TRIANGLE_STRIP_ADJACENCY) {
      util_draw_indirect(&ctx->base, info, drawid_offset, indirect);
      return;
   }
   if (!ctx->blend || !ctx->dsa || !ctx->rs || !ctx->elements) {
      atoll_leave_out(ctx, "a state object of it could not be made");
      return;
   }
   if (prim == MESA_PRIM_TRIANGLE_STRIP_ADJACENCY && ctx->shaders[ATOLL_GS] && !indirect) {
      atoll_draw_strip_adjacency(ctx, info, drawid_offset, draws, num_draws);
      return;
   }
   if ((prim == MESA_PRIM_PATCHES) != (ctx->shaders[ATOLL_TES] != NULL) &&
       prim != ATOLL_PRIM_RECTLIST)
      return; /* OpenGL leaves it undefined */
   if (hw_prim(prim) == DI_PT_NONE || !atoll_update_shaders(ctx, prim))
      return;
   if (unlikely(atoll_targets_may_have_turned(ctx)))
      atoll_look_at_targets(ctx, 0);
   if (indirect && indirect->buffer) {
      draw_indirect(ctx, info, drawid_offset, indirect, prim);
      return;
   }

   struct atoll_so_target *opaque = NULL;
   static const struct pipe_draw_start_count_bias none;
   if (indirect && indirect->count_from_stream_output) {
      opaque = (struct atoll_so_target *)indirect->count_from_stream_output;
      draws = &none;
      num_draws = 1;
      if (!opaque->stride_dw)
         return;
   }
   draw_views(ctx, info, drawid_offset, opaque, draws, num_draws, prim);
}

static void
draw_vbo(struct pipe_context *pipe, const struct pipe_draw_info *info, unsigned drawid_offset,
         const struct pipe_draw_indirect_info *indirect,
         const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct atoll_context *ctx = atoll_context(pipe);
   if (!ctx->noop || ctx->blitting)
      atoll_draw(ctx, info, drawid_offset, indirect, draws, num_draws, info->mode);
   if (info->index_size && info->take_index_buffer_ownership && !info->has_user_indices) {
      struct pipe_resource *buffer = info->index.resource;
      pipe_resource_reference(&buffer, NULL);
   }
}

void
atoll_init_draw(struct atoll_context *ctx)
{
   ctx->base.draw_vbo = draw_vbo;
}
