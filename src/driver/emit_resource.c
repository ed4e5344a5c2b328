/* SPDX-License-Identifier: MIT */
/*
 * Atoms of what programs read: vertex buffers, constants, textures and samplers.
 */
#include "emit.h"

#include "util/bitscan.h"
#include "util/u_atomic.h"
#include "util/u_inlines.h"
#include "util/u_math.h"

#include <atoll/cayman/descriptors.h>
#include <atoll/cayman/enums.h>

/* ---- Resources ---- */

void
atoll_emit_fetch(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   emit_context_reg(cs, R_SQ_PGM_START_FS, (uint32_t)(ctx->elements->bo->va >> 8));
   atoll_cs_add_bo(cs, ctx->elements->bo, ATOLL_USAGE_READ);
}

static void
emit_resource(struct atoll_cs *cs, unsigned index, const uint32_t words[8])
{
   atoll_emit(cs, pm4_header(PM4_SET_RESOURCE, 9, false) | cs->header_bits);
   atoll_emit(cs, index * CAYMAN_RESOURCE_DWORDS);
   memcpy(cs->buf + cs->cdw, words, 32);
   cs->cdw += 8;
}

void
atoll_emit_vertex_buffers(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_vertex_elements *ve = ctx->elements;
   uint32_t mask = ve->buffer_mask;

   ctx->copied_vertices = 0;
   while (mask) {
      unsigned i = u_bit_scan(&mask);
      const struct pipe_vertex_buffer *vb = &ctx->vbs[i];
      uint32_t words[8] = { 0 };
      struct pipe_resource *buffer = ctx->vb_mask >> i & 1 ? vb->buffer.resource : NULL;
      /* With a stride of half the distance, the draw's first instance is to be added once more. */
      uint64_t offset = vb->buffer_offset;
      if (ve->twice_mask >> i & 1)
         offset += (uint64_t)ctx->start_instance * ve->strides[i];
      if (buffer && offset < buffer->width0) {
         unsigned at = (unsigned)offset;
         struct pipe_resource *copy =
            atoll_copy_for_draw(ctx, buffer, &at, buffer->width0, ve->excess[i]);
         if (copy) {
            ctx->copied_vertices |= 1u << i;
            ctx->copy_vertices_writes[i] = p_atomic_read(&atoll_resource(buffer)->writes);
         }
         const struct atoll_resource *res = atoll_resource(copy ? copy : buffer);
         uint64_t va = res->bo->va + at;
         words[0] = (uint32_t)va;
         words[1] = buffer->width0 - (unsigned)offset - 1 + ve->excess[i];
         words[2] = REG_FIELD(BUF_WORD2, BASE_ADDRESS_HI, va >> 32) |
                    REG_FIELD(BUF_WORD2, STRIDE, ve->strides[i]);
         words[3] =
            REG_FIELD(BUF_WORD3, DST_SEL_X, SQ_SEL_X) | REG_FIELD(BUF_WORD3, DST_SEL_Y, SQ_SEL_Y) |
            REG_FIELD(BUF_WORD3, DST_SEL_Z, SQ_SEL_Z) | REG_FIELD(BUF_WORD3, DST_SEL_W, SQ_SEL_W);
         words[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
         atoll_cs_add_bo(cs, res->bo, ATOLL_USAGE_READ);
         pipe_resource_reference(&copy, NULL);
      }
      emit_resource(cs, CAYMAN_RESOURCE_FS + i, words);
   }
}

static const struct {
   uint32_t resource, sampler, const_size, const_cache, border;
} slot_regs[SLOT_COUNT] = {
   [SLOT_PS] = { CAYMAN_RESOURCE_PS, CAYMAN_SAMPLER_PS, R_ALU_CONST_BUFFER_SIZE_PS_0,
                 R_ALU_CONST_CACHE_PS_0, R_TD_PS_SAMPLER0_BORDER_INDEX },
   [SLOT_VS] = { CAYMAN_RESOURCE_VS, CAYMAN_SAMPLER_VS, R_ALU_CONST_BUFFER_SIZE_VS_0,
                 R_ALU_CONST_CACHE_VS_0, R_TD_VS_SAMPLER0_BORDER_INDEX },
   [SLOT_GS] = { CAYMAN_RESOURCE_GS, CAYMAN_SAMPLER_GS, R_ALU_CONST_BUFFER_SIZE_GS_0,
                 R_ALU_CONST_CACHE_GS_0, R_TD_GS_SAMPLER0_BORDER_INDEX },
   [SLOT_HS] = { CAYMAN_RESOURCE_HS, CAYMAN_SAMPLER_HS, R_ALU_CONST_BUFFER_SIZE_HS_0,
                 R_ALU_CONST_CACHE_HS_0, R_TD_HS_SAMPLER0_BORDER_INDEX },
   [SLOT_LS] = { CAYMAN_RESOURCE_LS, CAYMAN_SAMPLER_LS, R_ALU_CONST_BUFFER_SIZE_LS_0,
                 R_ALU_CONST_CACHE_LS_0, R_TD_LS_SAMPLER0_BORDER_INDEX },
   /* Compute runs as LS and has LS's constants, but resources and samplers of its own. */
   [SLOT_CS] = { CAYMAN_RESOURCE_CS, CAYMAN_SAMPLER_CS, R_ALU_CONST_BUFFER_SIZE_LS_0,
                 R_ALU_CONST_CACHE_LS_0, R_TD_CS_SAMPLER0_BORDER_INDEX },
};

/* Where a stage of the API runs now. */
static enum atoll_slot
slot_of(const struct atoll_context *ctx, enum atoll_stage stage)
{
   switch (stage) {
   case ATOLL_VS:
      return ctx->variants[ATOLL_TES] ? SLOT_LS : SLOT_VS;
   case ATOLL_TCS:
      return SLOT_HS;
   case ATOLL_TES:
      return SLOT_VS;
   case ATOLL_GS:
      return SLOT_GS;
   case ATOLL_CS:
      return SLOT_CS;
   default:
      return SLOT_PS;
   }
}

/* Constant buffers that programs read by kcache; they are resources where the program at hand
 * fetches from them. */
#define KCACHE_BANKS 16

static bool
is_fetched(const struct atoll_context *ctx, enum atoll_stage stage, unsigned index)
{
   return index >= KCACHE_BANKS || (ctx->variants[stage]->p.const_buffers_fetch >> index & 1);
}

void
atoll_emit_constant_buffer(struct atoll_context *ctx, enum atoll_stage stage, unsigned index,
                           struct atoll_bo *bo, uint64_t va, unsigned size)
{
   struct atoll_cs *cs = &ctx->cs;
   enum atoll_slot slot = slot_of(ctx, stage);
   if (index < KCACHE_BANKS) {
      emit_context_reg(cs, slot_regs[slot].const_size + index * 4,
                       REG_FIELD(ALU_CONST_BUFFER_SIZE_PS_0, SIZE, DIV_ROUND_UP(size, 256)) |
                          REG_FIELD(ALU_CONST_BUFFER_SIZE_PS_0, BASE_LOW, (uint32_t)va >> 4 & 15));
      emit_context_reg(cs, slot_regs[slot].const_cache + index * 4, (uint32_t)(va >> 8));
   }
   atoll_cs_add_bo(cs, bo, ATOLL_USAGE_READ);
   if (!is_fetched(ctx, stage, index))
      return;
   uint32_t words[8] = {
      (uint32_t)va,
      size - 1,
      REG_FIELD(BUF_WORD2, BASE_ADDRESS_HI, va >> 32) | REG_FIELD(BUF_WORD2, STRIDE, 16) |
         REG_FIELD(BUF_WORD2, DATA_FORMAT, FMT_32_32_32_32_FLOAT),
      REG_FIELD(BUF_WORD3, DST_SEL_X, SQ_SEL_X) | REG_FIELD(BUF_WORD3, DST_SEL_Y, SQ_SEL_Y) |
         REG_FIELD(BUF_WORD3, DST_SEL_Z, SQ_SEL_Z) | REG_FIELD(BUF_WORD3, DST_SEL_W, SQ_SEL_W),
   };
   words[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
   emit_resource(cs, slot_regs[slot].resource + index, words);
}

void
atoll_emit_stage_resource(struct atoll_context *ctx, enum atoll_stage stage, unsigned index,
                          const uint32_t words[8])
{
   emit_resource(&ctx->cs, slot_regs[slot_of(ctx, stage)].resource + index, words);
}

/* Rings are read by dwords, from wherever an earlier program wrote them. */
void
atoll_emit_ring_resource(struct atoll_context *ctx, enum atoll_slot slot, struct atoll_bo *bo,
                         unsigned size)
{
   uint32_t words[8] = {
      (uint32_t)bo->va,
      size - 1,
      REG_FIELD(BUF_WORD2, BASE_ADDRESS_HI, bo->va >> 32) | REG_FIELD(BUF_WORD2, STRIDE, 4) |
         REG_FIELD(BUF_WORD2, DATA_FORMAT, FMT_32_32_32_32_FLOAT),
      REG_FIELD(BUF_WORD3, UNCACHED, 1) | REG_FIELD(BUF_WORD3, DST_SEL_X, SQ_SEL_X) |
         REG_FIELD(BUF_WORD3, DST_SEL_Y, SQ_SEL_Y) | REG_FIELD(BUF_WORD3, DST_SEL_Z, SQ_SEL_Z) |
         REG_FIELD(BUF_WORD3, DST_SEL_W, SQ_SEL_W),
   };
   words[7] = REG_FIELD(BUF_WORD7, TYPE, SQ_RESOURCE_BUFFER);
   emit_resource(&ctx->cs, slot_regs[slot].resource + ATOLL_RING_RESOURCE, words);
   atoll_cs_add_bo(&ctx->cs, bo, ATOLL_USAGE_READ | ATOLL_USAGE_WRITE);
}

void
atoll_emit_constants(struct atoll_context *ctx, enum atoll_stage stage)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_constants *c = &ctx->constants[stage];
   enum atoll_slot slot = slot_of(ctx, stage);
   if (!ctx->variants[stage])
      return;
   const struct atoll_program *p = &ctx->variants[stage]->p;
   const uint32_t used = p->const_buffers | p->const_buffers_fetch;

   ctx->copied[stage] = 0;
   for (unsigned n = 0; n < ATOLL_MAX_CONST; n++) {
      const unsigned i = il_constant_buffer(n);
      const struct pipe_constant_buffer *cb = &c->cb[n];
      if (!(used >> i & 1))
         continue;
      if (!(c->enabled >> n & 1) || !cb->buffer_size) {
         const uint32_t none[8] = { 0 };
         if (i < KCACHE_BANKS)
            emit_context_reg(cs, slot_regs[slot].const_size + i * 4, 0);
         if (is_fetched(ctx, stage, i))
            emit_resource(cs, slot_regs[slot].resource + i, none);
         continue;
      }
      unsigned offset = cb->buffer_offset;
      struct pipe_resource *copy =
         atoll_copy_for_draw(ctx, cb->buffer, &offset, cb->buffer_size, 0);
      if (copy) {
         ctx->copied[stage] |= 1u << n;
         ctx->copy_writes[stage][n] = p_atomic_read(&atoll_resource(cb->buffer)->writes);
      }
      const struct atoll_resource *res = atoll_resource(copy ? copy : cb->buffer);
      atoll_emit_constant_buffer(ctx, stage, i, res->bo, res->bo->va + offset, cb->buffer_size);
      pipe_resource_reference(&copy, NULL);
   }
}

void
atoll_emit_views(struct atoll_context *ctx, enum atoll_stage stage)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_textures *t = &ctx->textures[stage];
   enum atoll_slot slot = slot_of(ctx, stage);
   if (!ctx->variants[stage])
      return;
   /* A resource of the last stream or of another context must not show through. */
   uint32_t mask = t->view_mask | ctx->textures_emitted[slot] | t->null_mask;
   while (mask) {
      unsigned i = u_bit_scan(&mask);
      struct atoll_sampler_view *view = t->views[i];
      unsigned index = slot_regs[slot].resource + ATOLL_VIEW_RESOURCE + i;
      uint32_t words[8] = { 0 };
      if (!view) {
         emit_resource(cs, index, words);
         continue;
      }
      struct atoll_resource *res = atoll_resource(view->base.texture);
      if (res->base.b.target != PIPE_BUFFER)
         atoll_update_view(view);
      memcpy(words, view->words, sizeof(words));
      if (res->base.b.target == PIPE_BUFFER) {
         uint64_t va = res->bo->va + view->base.u.buf.offset;
         words[0] = (uint32_t)va;
         words[2] |= REG_FIELD(BUF_WORD2, BASE_ADDRESS_HI, va >> 32);
      }
      emit_resource(cs, index, words);
      atoll_cs_add_bo(cs, res->bo, ATOLL_USAGE_READ);
      if (res->mips)
         atoll_cs_add_bo(cs, res->mips, ATOLL_USAGE_READ);
   }
   ctx->textures_emitted[slot] |= t->view_mask;
}

/* A border as fixed-point depth has it, where it is floats in memory. */
static uint32_t
limited_border(float depth)
{
   return fui(depth > 0.0f ? MIN2(depth, 1.0f) : 0.0f);
}

/* A border of integers as five-slot chips have it: the fraction of the channel's largest value; a
 * component that is no channel has the number itself. */
static uint32_t
border_fraction(const struct atoll_sampler_view *view, uint32_t value, unsigned c)
{
   static const unsigned char shifts[4] = {
      TEX_WORD4__DST_SEL_X__SHIFT,
      TEX_WORD4__DST_SEL_Y__SHIFT,
      TEX_WORD4__DST_SEL_Z__SHIFT,
      TEX_WORD4__DST_SEL_W__SHIFT,
   };
   const struct util_format_description *desc = util_format_description(view->base.format);
   const unsigned sel = view->words[4] >> shifts[c] & 7;
   const bool stencil = util_format_has_stencil(desc);
   const bool channel = sel < 4 && (stencil || desc->channel[sel].size);
   const bool is_signed =
      !channel || (!stencil && desc->channel[sel].type == UTIL_FORMAT_TYPE_SIGNED);
   const unsigned bits = stencil ? 8 : (channel ? desc->channel[sel].size : 32) - is_signed;
   const double number = is_signed ? (double)(int32_t)value : (double)value;

   return fui((float)(channel ? number / (double)((UINT64_C(1) << bits) - 1) : number));
}

static uint32_t
border_color(const struct atoll_context *ctx, const struct atoll_textures *t, unsigned i,
             unsigned c)
{
   const union pipe_color_union *color = &t->samplers[i]->border_color;

   if (t->limited_mask >> i & 1)
      return limited_border(color->f[c]);
   if (has_five_slots(ctx) && t->views[i] && util_format_is_pure_integer(t->views[i]->base.format))
      return border_fraction(t->views[i], color->ui[c], c);
   return color->ui[c];
}

/* The border colour replaces the texel after the view's swizzle. PIPE_QUIRK_TEXTURE_BORDER_COLOR_
 * SWIZZLE_R600 has Gallium hand it over that way. */
void
atoll_emit_samplers(struct atoll_context *ctx, enum atoll_stage stage)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_textures *t = &ctx->textures[stage];
   enum atoll_slot slot = slot_of(ctx, stage);
   if (!ctx->variants[stage])
      return;
   uint32_t mask = t->sampler_mask;
   while (mask) {
      unsigned i = u_bit_scan(&mask);
      const struct atoll_sampler *s = t->samplers[i];
      atoll_emit(cs, pm4_header(PM4_SET_SAMPLER, 4, false) | cs->header_bits);
      atoll_emit(cs, (slot_regs[slot].sampler + i) * CAYMAN_SAMPLER_DWORDS);
      for (unsigned w = 0; w < 3; w++)
         atoll_emit(cs, s->words[w]);
      if (!s->border)
         continue;
      atoll_emit(cs, pm4_header(PM4_SET_CONFIG_REG, 6, false));
      atoll_emit(cs, (slot_regs[slot].border - CAYMAN_CONFIG_BASE) >> 2);
      atoll_emit(cs, i);
      for (unsigned c = 0; c < 4; c++)
         atoll_emit(cs, border_color(ctx, t, i, c));
   }
}
