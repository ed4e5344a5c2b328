/* SPDX-License-Identifier: MIT */
/*
 * Bound state to packets: the start of a stream, cache work, and one function for each atom.
 *
 * An atom's function emits everything of the atom, whatever was emitted before, and lists the BOs
 * that the stream uses through it.
 */
#include "emit.h"

#include <atoll/device.h>

/* ---- Start of a stream ---- */

/* Cayman's alone.  On five-slot chips the kernel divides registers, threads and stack among the
 * stages, and centroids have no priority. */
static void
emit_cayman_start(struct atoll_cs *cs)
{
   /* Clause temporaries R124..R127. */
   emit_config_reg(cs, R_SQ_GPR_RESOURCE_MGMT_1,
                   REG_FIELD(SQ_GPR_RESOURCE_MGMT_1, NUM_CLAUSE_TEMP_GPRS, 4));
   emit_context_seq(cs, R_PA_SC_CENTROID_PRIORITY_0, 2);
   atoll_emit(cs, 0x76543210);
   atoll_emit(cs, 0xFEDCBA98);
   emit_context_reg(cs, R_IA_MULTI_VGT_PARAM, REG_FIELD(IA_MULTI_VGT_PARAM, PRIMGROUP_SIZE, 127));
}

static void
emit_start(struct atoll_cs *cs)
{
   atoll_emit(cs, pm4_header(PM4_CONTEXT_CONTROL, 2, false));
   atoll_emit(cs, 0x80000000);
   atoll_emit(cs, 0x80000000);
   emit_event(cs, EVENT_PS_PARTIAL_FLUSH, EVENT_INDEX_PARTIAL_FLUSH);
   emit_event(cs, EVENT_PIPELINESTAT_START, EVENT_INDEX_PLAIN);

   emit_config_reg(cs, R_SPI_CONFIG_CNTL, 0);
   emit_config_reg(cs, R_SPI_CONFIG_CNTL_1, REG_FIELD(SPI_CONFIG_CNTL_1, VTX_DONE_DELAY, 4));
   emit_config_reg(cs, R_PA_CL_ENHANCE, 7);

   emit_zeros(cs, R_SQ_ESGS_RING_ITEMSIZE, 6);
   emit_zeros(cs, R_SQ_GS_VERT_ITEMSIZE, 4);
   emit_zeros(cs, R_VGT_OUTPUT_PATH_CNTL, 13);
   emit_zeros(cs, R_SQ_LDS_ALLOC, 2);
   emit_context_reg(cs, R_SQ_VTX_SEMANTIC_CLEAR, ~0u);
   emit_context_seq(cs, R_VGT_MAX_VTX_INDX, 2);
   atoll_emit(cs, ~0u);
   atoll_emit(cs, 0);
   emit_ctl_const(cs, R_SQ_VTX_BASE_VTX_LOC, 0);
   emit_context_reg(cs, R_DB_STENCIL_CLEAR, 0);
   emit_context_reg(cs, R_SPI_FOG_CNTL, 0);
   emit_zeros(cs, R_DB_SRESULTS_COMPARE_STATE0, 3);
   emit_context_reg(cs, R_PA_SC_WINDOW_OFFSET, 0);
   emit_context_reg(cs, R_PA_SC_EDGERULE, 0xAAAAAAAA);
   emit_context_reg(cs, R_PA_CL_NANINF_CNTL, 0);
   emit_context_seq(cs, R_PA_SC_GENERIC_SCISSOR_TL, 2);
   atoll_emit(cs, 0);
   atoll_emit(cs, REG_FIELD(PA_SC_GENERIC_SCISSOR_BR, BR_X, MAX_XY) |
                     REG_FIELD(PA_SC_GENERIC_SCISSOR_BR, BR_Y, MAX_XY));
   emit_context_seq(cs, R_PA_SC_SCREEN_SCISSOR_TL, 2);
   atoll_emit(cs, 0);
   atoll_emit(cs, REG_FIELD(PA_SC_SCREEN_SCISSOR_BR, BR_X, MAX_XY) |
                     REG_FIELD(PA_SC_SCREEN_SCISSOR_BR, BR_Y, MAX_XY));
   emit_context_reg(cs, R_SQ_PGM_RESOURCES_FS, 0);
   emit_zeros(cs, R_ALU_CONST_BUFFER_SIZE_PS_0, 16);
   emit_zeros(cs, R_ALU_CONST_BUFFER_SIZE_VS_0, 16);
   emit_context_reg(cs, R_VGT_STRMOUT_DRAW_OPAQUE_OFFSET, 0);
   emit_context_reg(cs, R_DB_RENDER_OVERRIDE2, 0);
   emit_context_reg(cs, R_PA_SU_HARDWARE_SCREEN_OFFSET, 0);
   emit_context_reg(cs, R_SPI_THREAD_GROUPING, 0);
   emit_zeros(cs, R_SPI_PS_IN_CONTROL_2, 2);
   emit_zeros(cs, R_VGT_SHADER_STAGES_EN, 2);
   emit_context_reg(cs, R_VGT_TF_PARAM, 0);
   emit_context_reg(cs, R_VGT_PRIMITIVEID_EN, 0);
   emit_context_reg(cs, R_VGT_REUSE_OFF, 0);
   emit_context_reg(cs, R_SX_MISC, 0);
   emit_context_reg(cs, R_DB_HTILE_SURFACE, 0);
   emit_context_reg(cs, R_DB_PRELOAD_CONTROL, 0);
   for (unsigned stage = 0; stage < 5; stage++) {
      /* Loops end by BREAK: the counter must not. */
      atoll_emit(cs, pm4_header(PM4_SET_LOOP_CONST, 2, false));
      atoll_emit(cs, stage * 32);
      atoll_emit(cs, 0x01000FFF);
   }
}

void
atoll_emit_start(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const unsigned at = cs->cdw;

   ctx->order_said = 0;
   if (ctx->start_dw) {
      memcpy(cs->buf + at, ctx->start, ctx->start_dw * 4);
      cs->cdw += ctx->start_dw;
   } else {
      emit_start(cs);
      if (!has_five_slots(ctx))
         emit_cayman_start(cs);
      /* It is the same for every stream. */
      if (cs->cdw - at <= ATOLL_START_DW)
         ctx->start_dw = cs->cdw - at;
      memcpy(ctx->start, cs->buf + at, ctx->start_dw * 4);
   }
   ctx->flush |= FLUSH_READS;
}

void
atoll_emit_flush(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   uint32_t coher = 0;

   if (ctx->flush & (FLUSH_TARGETS | FLUSH_STREAMOUT)) {
      emit_event(cs, EVENT_PS_PARTIAL_FLUSH, EVENT_INDEX_PARTIAL_FLUSH);
      emit_event(cs, EVENT_CACHE_FLUSH_AND_INV, EVENT_INDEX_PLAIN);
   }
   if (ctx->flush & FLUSH_TARGETS)
      coher |= REG_FIELD(CP_COHER_CNTL, CB_ACTION_ENA, 1) |
               REG_FIELD(CP_COHER_CNTL, DB_ACTION_ENA, 1) |
               REG_FIELD_MASK(CP_COHER_CNTL, DB_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB0_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB1_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB2_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB3_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB4_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB5_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB6_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, CB7_DEST_BASE_ENA);
   if (ctx->flush & FLUSH_STREAMOUT)
      coher |= REG_FIELD_MASK(CP_COHER_CNTL, SO0_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, SO1_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, SO2_DEST_BASE_ENA) |
               REG_FIELD_MASK(CP_COHER_CNTL, SO3_DEST_BASE_ENA) |
               REG_FIELD(CP_COHER_CNTL, SMX_ACTION_ENA, 1);
   if (ctx->flush & (FLUSH_READS | FLUSH_STREAMOUT))
      coher |= REG_FIELD(CP_COHER_CNTL, TC_ACTION_ENA, 1) |
               REG_FIELD(CP_COHER_CNTL, VC_ACTION_ENA, 1) |
               REG_FIELD(CP_COHER_CNTL, SH_ACTION_ENA, 1);
   if (coher) {
      atoll_emit(cs, pm4_header(PM4_SURFACE_SYNC, 4, false));
      atoll_emit(cs, coher);
      atoll_emit(cs, 0xFFFFFFFF); /* CP_COHER_SIZE */
      atoll_emit(cs, 0);          /* CP_COHER_BASE */
      atoll_emit(cs, 10);         /* poll interval */
   }
   ctx->flush = 0;
}

/* Tells the sanitizer which memory barriers there were before the draw that follows.  Contexts have
 * no order but by fences, which are not told: each has numbers of its own. */
void
atoll_emit_order(struct atoll_context *ctx)
{
   uint32_t order;

   if (!ctx->screen->sanitized)
      return;
   order = (p_atomic_read(&ctx->screen->orders) + 1) << 8 | (ctx->cs.context & 0xff);
   if (order == ctx->order_said)
      return;
   ctx->order_said = order;
   atoll_emit(&ctx->cs, pm4_header(PM4_NOP, 2, false));
   atoll_emit(&ctx->cs, ATOLL_NOTE_ORDER);
   atoll_emit(&ctx->cs, order);
}

/* ---- All atoms ---- */

static void
emit_atom(struct atoll_context *ctx, enum atoll_atom atom)
{
   static void (*const plain[])(struct atoll_context *) = {
      [ATOM_FRAMEBUFFER] = atoll_emit_framebuffer,
      [ATOM_BLEND] = atoll_emit_blend,
      [ATOM_BLEND_COLOR] = atoll_emit_blend_color,
      [ATOM_CB_MISC] = atoll_emit_cb_misc,
      [ATOM_DSA] = atoll_emit_dsa,
      [ATOM_STENCIL_REF] = atoll_emit_stencil_ref,
      [ATOM_ALPHA] = atoll_emit_alpha,
      [ATOM_DB_MISC] = atoll_emit_db_misc,
      [ATOM_RASTERIZER] = atoll_emit_rasterizer,
      [ATOM_POLY_OFFSET] = atoll_emit_poly_offset,
      [ATOM_CLIP] = atoll_emit_clip,
      [ATOM_VIEWPORT] = atoll_emit_viewport,
      [ATOM_SCISSOR] = atoll_emit_scissor,
      [ATOM_CLIP_RECTS] = atoll_emit_clip_rects,
      [ATOM_MSAA] = atoll_emit_msaa,
      [ATOM_STAGES] = atoll_emit_stages,
      [ATOM_TESS] = atoll_emit_tess,
      [ATOM_RINGS] = atoll_emit_rings,
      [ATOM_ES] = atoll_emit_es,
      [ATOM_GS] = atoll_emit_gs,
      [ATOM_VS] = atoll_emit_vs,
      [ATOM_PS] = atoll_emit_ps,
      [ATOM_PS_INPUTS] = atoll_emit_ps_inputs,
      [ATOM_FETCH] = atoll_emit_fetch,
      [ATOM_VERTEX_BUFFERS] = atoll_emit_vertex_buffers,
      [ATOM_STREAMOUT] = atoll_emit_streamout,
   };

   if (atom < ATOM_CONST)
      plain[atom](ctx);
   else if (atom < ATOM_VIEWS)
      atoll_emit_constants(ctx, atom - ATOM_CONST);
   else if (atom < ATOM_SAMPLERS)
      atoll_emit_views(ctx, atom - ATOM_VIEWS);
   else if (atom < ATOM_MEMORY)
      atoll_emit_samplers(ctx, atom - ATOM_SAMPLERS);
   else
      atoll_emit_uavs(ctx, atom - ATOM_MEMORY);
}

void
atoll_emit_atoms(struct atoll_context *ctx, uint64_t mask)
{
   /* An atom may make a later one dirty. */
   while (ctx->dirty & mask) {
      unsigned atom = ffsll(ctx->dirty & mask) - 1;
      ctx->dirty &= ~ATOM_BIT(atom);
      emit_atom(ctx, atom);
   }
}
