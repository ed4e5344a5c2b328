/* SPDX-License-Identifier: MIT */
/*
 * Atoms of programs: what runs in which hardware stage, and what links them.
 */
#include "emit.h"

#include "util/u_math.h"

#include <atoll/cayman/enums.h>

/* Scratch memory is private to the device; it needs to know the size alone. */
static void
emit_scratch(struct atoll_cs *cs, uint32_t item_reg, const struct atoll_program *p)
{
   emit_context_reg(cs, item_reg, p->scratch_dw);
}

/* The API's vertex shader may call a fetch shader, which writes a GPR for each element. */
static unsigned
num_gprs(const struct atoll_context *ctx, const struct atoll_variant *v)
{
   if (v != ctx->variants[ATOLL_VS] || !ctx->screen->backend->fetch_writes_gprs)
      return v->p.num_gprs;
   return MAX2(v->p.num_gprs, 1 + ctx->elements->count);
}

/* SQ_PGM_START_x, SQ_PGM_RESOURCES_x and SQ_PGM_RESOURCES_2_x, which follow each other and have one
 * layout. */
void
atoll_emit_code(struct atoll_context *ctx, uint32_t start_reg, const struct atoll_variant *v)
{
   struct atoll_cs *cs = &ctx->cs;
   emit_context_seq(cs, start_reg, 3);
   atoll_emit(cs, (uint32_t)(v->bo->va >> 8));
   atoll_emit(cs, REG_FIELD(SQ_PGM_RESOURCES_VS, NUM_GPRS, num_gprs(ctx, v)) |
                     REG_FIELD(SQ_PGM_RESOURCES_VS, DX10_CLAMP, 1) |
                     REG_FIELD(SQ_PGM_RESOURCES_VS, STACK_SIZE, v->p.stack));
   atoll_emit(cs, ctx->screen->backend->resources_2 |
                     REG_FIELD(SQ_PGM_RESOURCES_2_VS, RAT_TABLE, v->p.uavs_rat != 0));
   atoll_cs_add_bo(cs, v->bo, ATOLL_USAGE_READ);
}

/* ---- Geometry shader ---- */

void
atoll_emit_stages(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_variant *gs = ctx->variants[ATOLL_GS];
   bool tess = ctx->variants[ATOLL_TES] != NULL;
   uint32_t stages = 0, mode = 0, primitive_id = 0;

   if (gs) {
      unsigned max = gs->p.max_vertices;
      unsigned cut = max <= 128   ? GS_CUT_128
                     : max <= 256 ? GS_CUT_256
                     : max <= 512 ? GS_CUT_512
                                  : GS_CUT_1024;
      stages = REG_FIELD(VGT_SHADER_STAGES_EN, ES_EN, tess ? ES_STAGE_DS : ES_STAGE_REAL) |
               REG_FIELD(VGT_SHADER_STAGES_EN, GS_EN, 1) |
               REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_COPY_SHADER);
      mode = REG_FIELD(VGT_GS_MODE, MODE, GS_SCENARIO_G) | REG_FIELD(VGT_GS_MODE, CUT_MODE, cut);
      primitive_id = gs->p.uses_primitive_id;
   } else if (tess) {
      stages = REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, VS_STAGE_DS);
   } else if (ctx->variants[ATOLL_VS]->p.uses_primitive_id) {
      mode = REG_FIELD(VGT_GS_MODE, MODE, GS_SCENARIO_A);
      primitive_id = 1;
   }
   if (tess)
      stages |= REG_FIELD(VGT_SHADER_STAGES_EN, LS_EN, LS_STAGE_ON) |
                REG_FIELD(VGT_SHADER_STAGES_EN, HS_EN, 1);
   emit_context_reg(cs, R_VGT_VTX_CNT_EN, stages != 0);
   emit_context_reg(cs, R_VGT_SHADER_STAGES_EN, stages);
   emit_context_reg(cs, R_VGT_GS_MODE, mode);
   emit_context_reg(cs, R_VGT_PRIMITIVEID_EN, primitive_id);
}

/* What lies in the rings is between the programs; the driver only provides their memory. */
void
atoll_emit_rings(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   struct atoll_bo *esgs = ctx->screen->esgs_ring, *gsvs = ctx->screen->gsvs_ring;
   if (!ctx->variants[ATOLL_GS])
      return;
   emit_event(cs, EVENT_VGT_FLUSH, EVENT_INDEX_PLAIN);
   emit_config_reg(cs, R_SQ_ESGS_RING_BASE, (uint32_t)(esgs->va >> 8));
   emit_config_reg(cs, R_SQ_ESGS_RING_SIZE, ATOLL_ESGS_RING_BYTES >> 8);
   emit_config_reg(cs, R_SQ_GSVS_RING_BASE, (uint32_t)(gsvs->va >> 8));
   emit_config_reg(cs, R_SQ_GSVS_RING_SIZE, ATOLL_GSVS_RING_BYTES >> 8);
   emit_event(cs, EVENT_VGT_FLUSH, EVENT_INDEX_PLAIN);
   atoll_emit_ring_resource(ctx, SLOT_GS, esgs, ATOLL_ESGS_RING_BYTES);
   atoll_emit_ring_resource(ctx, SLOT_VS, gsvs, ATOLL_GSVS_RING_BYTES);
}

void
atoll_emit_es(struct atoll_context *ctx)
{
   const struct atoll_variant *v = ctx->variants[ctx->variants[ATOLL_TES] ? ATOLL_TES : ATOLL_VS];
   if (!ctx->variants[ATOLL_GS])
      return;
   atoll_emit_code(ctx, R_SQ_PGM_START_ES, v);
   emit_scratch(&ctx->cs, R_SQ_ESTMP_RING_ITEMSIZE, &v->p);
}

void
atoll_emit_gs(struct atoll_context *ctx)
{
   static const uint8_t out_prim[] = {
      [MESA_PRIM_POINTS] = OUTPRIM_TYPE_POINTLIST,
      [MESA_PRIM_LINE_STRIP] = OUTPRIM_TYPE_LINESTRIP,
      [MESA_PRIM_TRIANGLE_STRIP] = OUTPRIM_TYPE_TRISTRIP,
   };
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_variant *v = ctx->variants[ATOLL_GS];
   if (!v)
      return;
   unsigned prim = ctx->shaders[ATOLL_GS]->output_prim;

   emit_context_reg(cs, R_VGT_GS_MAX_VERT_OUT, v->p.max_vertices);
   emit_context_reg(cs, R_VGT_GS_OUT_PRIM_TYPE, prim < ARRAY_SIZE(out_prim) ? out_prim[prim] : 0);
   emit_context_reg(cs, R_VGT_GS_INSTANCE_CNT,
                    REG_FIELD(VGT_GS_INSTANCE_CNT, ENABLE, 1) |
                       REG_FIELD(VGT_GS_INSTANCE_CNT, CNT, v->p.invocations));
   emit_context_seq(cs, R_SQ_GS_VERT_ITEMSIZE, 4);
   for (unsigned s = 0; s < 4; s++)
      atoll_emit(cs, v->p.gsvs_item_dw[s]);
   /* An input primitive's vertices: stream after stream, each with room for all. */
   uint32_t offset[5] = { 0 };
   for (unsigned s = 0; s < 4; s++)
      offset[s + 1] = offset[s] + v->p.gsvs_item_dw[s] * v->p.max_vertices;
   emit_context_seq(cs, R_SQ_ESGS_RING_ITEMSIZE, 2);
   atoll_emit(cs, v->p.esgs_item_dw);
   atoll_emit(cs, offset[4]);
   emit_context_seq(cs, R_SQ_GSVS_RING_OFFSET_1, 3);
   for (unsigned s = 1; s < 4; s++)
      atoll_emit(cs, offset[s]);
   emit_context_seq(cs, R_GS_PER_ES, 3);
   atoll_emit(cs, 128);
   atoll_emit(cs, 256);
   atoll_emit(cs, 2);
   atoll_emit_code(ctx, R_SQ_PGM_START_GS, v);
   emit_scratch(cs, R_SQ_GSTMP_RING_ITEMSIZE, &v->p);
}

/* ---- Vertex shader ---- */

void
atoll_emit_vs(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_variant *v = ctx->hw_vs;
   const struct atoll_program *p = &v->p;
   uint32_t ids[SPI_VS_OUT_ID_0__COUNT] = { 0 };

   for (unsigned i = 0; i < p->num_params && i < 32; i++) {
      /* 0 means "no parameter". */
      uint32_t semantic = p->param_slot[i] == 0xFF ? 0 : p->param_slot[i] + 1u;
      ids[i / 4] |= semantic << (8 * (i % 4));
   }
   emit_context_seq(cs, R_SPI_VS_OUT_ID_0, SPI_VS_OUT_ID_0__COUNT);
   for (unsigned i = 0; i < SPI_VS_OUT_ID_0__COUNT; i++)
      atoll_emit(cs, ids[i]);
   emit_context_reg(
      cs, R_SPI_VS_OUT_CONFIG,
      REG_FIELD(SPI_VS_OUT_CONFIG, VS_EXPORT_COUNT, p->num_params ? p->num_params - 1 : 0));
   atoll_emit_code(ctx, R_SQ_PGM_START_VS, v);
   emit_scratch(cs, R_SQ_VSTMP_RING_ITEMSIZE, p);
   if (p->window_space)
      emit_context_reg(cs, R_PA_CL_VTE_CNTL,
                       REG_FIELD(PA_CL_VTE_CNTL, VTX_XY_FMT, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VTX_Z_FMT, 1));
   else
      emit_context_reg(cs, R_PA_CL_VTE_CNTL,
                       REG_FIELD(PA_CL_VTE_CNTL, VTX_W0_FMT, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_X_SCALE_ENA, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_X_OFFSET_ENA, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_Y_SCALE_ENA, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_Y_OFFSET_ENA, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_Z_SCALE_ENA, 1) |
                          REG_FIELD(PA_CL_VTE_CNTL, VPORT_Z_OFFSET_ENA, 1));
}

/* ---- Pixel shader ---- */

void
atoll_emit_ps(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_variant *v = ctx->variants[ATOLL_PS];
   const struct atoll_program *p = &v->p;
   emit_context_seq(cs, R_SPI_PS_IN_CONTROL_0, 2);
   atoll_emit(cs, p->spi_in_control_0);
   atoll_emit(cs, p->spi_in_control_1);
   emit_context_reg(cs, R_SPI_INPUT_Z, p->spi_input_z);
   emit_context_reg(cs, R_SPI_BARYC_CNTL, p->spi_baryc_cntl);
   emit_context_seq(cs, R_SQ_PGM_START_PS, 4);
   atoll_emit(cs, (uint32_t)(v->bo->va >> 8));
   atoll_emit(cs, REG_FIELD(SQ_PGM_RESOURCES_PS, NUM_GPRS, p->num_gprs) |
                     REG_FIELD(SQ_PGM_RESOURCES_PS, DX10_CLAMP, 1) |
                     REG_FIELD(SQ_PGM_RESOURCES_PS, PRIME_CACHE_ON_DRAW, 1) |
                     REG_FIELD(SQ_PGM_RESOURCES_PS, STACK_SIZE, p->stack));
   atoll_emit(cs, ctx->screen->backend->resources_2 |
                     REG_FIELD(SQ_PGM_RESOURCES_2_PS, RAT_TABLE, p->uavs_rat != 0));
   atoll_emit(cs, p->exports_ps);
   emit_scratch(cs, R_SQ_PSTMP_RING_ITEMSIZE, p);
   atoll_cs_add_bo(cs, v->bo, ATOLL_USAGE_READ);
}

void
atoll_emit_ps_inputs(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_program *p = &ctx->variants[ATOLL_PS]->p;
   const struct pipe_rasterizer_state *s = &ctx->rs->state;
   unsigned count = MAX2(p->num_inputs, 1);

   emit_context_seq(cs, R_SPI_PS_INPUT_CNTL_0, count);
   for (unsigned i = 0; i < count; i++) {
      if (i >= p->num_inputs) {
         atoll_emit(cs, 0);
         continue;
      }
      unsigned slot = p->inputs[i].slot;
      bool flat = p->inputs[i].mode == SHADER_INPUT_FLAT ||
                  (p->inputs[i].mode == SHADER_INPUT_COLOR && s->flatshade);
      bool sprite = slot == IL_LINK_POINT_COORD ||
                    (slot >= IL_LINK_TEXCOORD0 && slot < IL_LINK_TEXCOORD0 + 8 &&
                     s->point_quad_rasterization &&
                     (s->sprite_coord_enable >> (slot - IL_LINK_TEXCOORD0) & 1));
      atoll_emit(cs, REG_FIELD(SPI_PS_INPUT_CNTL_0, SEMANTIC, slot + 1) |
                        REG_FIELD(SPI_PS_INPUT_CNTL_0, DEFAULT_VAL, SPI_DEFAULT_0001) |
                        REG_FIELD(SPI_PS_INPUT_CNTL_0, FLAT_SHADE, flat) |
                        REG_FIELD(SPI_PS_INPUT_CNTL_0, PT_SPRITE_TEX, sprite));
   }
}

/* ---- Streamout ---- */

void
atoll_emit_streamout(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   bool counting = ctx->num_prims_generated && !ctx->queries_disabled;
   const struct atoll_program *vs = &ctx->hw_vs->p;
   uint32_t buffers = 0;
   for (unsigned i = 0; i < ctx->num_so_targets; i++)
      buffers |= ctx->so_targets[i] ? 0x1111u << i : 0;
   emit_context_reg(cs, R_VGT_STRMOUT_BUFFER_CONFIG, buffers & vs->so_stream_buffers);
   /* Stream 0 is rasterised. Only streams that are on are counted. */
   bool on = ctx->num_so_targets || counting;
   emit_context_reg(cs, R_VGT_STRMOUT_CONFIG,
                    REG_FIELD(VGT_STRMOUT_CONFIG, STREAMOUT_0_EN, on) |
                       REG_FIELD(VGT_STRMOUT_CONFIG, STREAMOUT_1_EN, on) |
                       REG_FIELD(VGT_STRMOUT_CONFIG, STREAMOUT_2_EN, on) |
                       REG_FIELD(VGT_STRMOUT_CONFIG, STREAMOUT_3_EN, on));
}
