/* SPDX-License-Identifier: MIT */
/*
 * The functions of the atoms, one for each, in files by the part of the pipeline that they program:
 * emit_target.c, emit_raster.c, emit_program.c, emit_resource.c.
 */
#ifndef ATOLL_EMIT_H
#define ATOLL_EMIT_H

#include "backend.h"
#include "context.h"

/* Largest coordinate of a target, in pixels. */
#define MAX_XY 16384

/** A set of registers and resources that belongs to one hardware stage. ES shares VS's. */
enum atoll_slot {
   SLOT_PS,
   SLOT_VS,
   SLOT_GS,
   SLOT_HS,
   SLOT_LS,
   SLOT_CS,
   SLOT_COUNT,
};

/* On a chip of five slots? */
static inline bool
has_five_slots(const struct atoll_context *ctx)
{
   return atoll_screen(ctx->base.screen)->backend->five_slots;
}

/* The address of a register that those have elsewhere. */
#define CHIP_REG(ctx, name) (has_five_slots(ctx) ? R_EVERGREEN_##name : R_##name)

static inline void
emit_zeros(struct atoll_cs *cs, uint32_t reg, unsigned count)
{
   emit_context_seq(cs, reg, count);
   for (unsigned i = 0; i < count; i++)
      atoll_emit(cs, 0);
}

/* emit_target.c */
void atoll_emit_framebuffer(struct atoll_context *ctx);
void atoll_emit_msaa(struct atoll_context *ctx);
void atoll_emit_blend(struct atoll_context *ctx);
void atoll_emit_blend_color(struct atoll_context *ctx);
void atoll_emit_cb_misc(struct atoll_context *ctx);
void atoll_emit_dsa(struct atoll_context *ctx);
void atoll_emit_stencil_ref(struct atoll_context *ctx);
void atoll_emit_alpha(struct atoll_context *ctx);
void atoll_emit_db_misc(struct atoll_context *ctx);
/* uav.c */
void atoll_emit_uavs(struct atoll_context *ctx, enum atoll_stage stage);
/* emit_raster.c */
void atoll_emit_rasterizer(struct atoll_context *ctx);
void atoll_emit_poly_offset(struct atoll_context *ctx);
void atoll_emit_clip(struct atoll_context *ctx);
void atoll_emit_viewport(struct atoll_context *ctx);
void atoll_emit_scissor(struct atoll_context *ctx);
void atoll_emit_clip_rects(struct atoll_context *ctx);
/* emit_program.c */
/** SQ_PGM_START_x, SQ_PGM_RESOURCES_x and SQ_PGM_RESOURCES_2_x of a stage. */
void atoll_emit_code(struct atoll_context *ctx, uint32_t start_reg, const struct atoll_variant *v);
void atoll_emit_stages(struct atoll_context *ctx);
void atoll_emit_rings(struct atoll_context *ctx);
void atoll_emit_es(struct atoll_context *ctx);
void atoll_emit_gs(struct atoll_context *ctx);
void atoll_emit_vs(struct atoll_context *ctx);
void atoll_emit_ps(struct atoll_context *ctx);
void atoll_emit_ps_inputs(struct atoll_context *ctx);
void atoll_emit_streamout(struct atoll_context *ctx);
/* tess.c */
void atoll_emit_tess(struct atoll_context *ctx);
/* emit_resource.c */
void atoll_emit_fetch(struct atoll_context *ctx);
void atoll_emit_vertex_buffers(struct atoll_context *ctx);
void atoll_emit_ring_resource(struct atoll_context *ctx, enum atoll_slot slot, struct atoll_bo *bo,
                              unsigned size);
/** Fills a resource, numbered from the stage's first. */
void atoll_emit_stage_resource(struct atoll_context *ctx, enum atoll_stage stage, unsigned index,
                               const uint32_t words[8]);
void atoll_emit_constants(struct atoll_context *ctx, enum atoll_stage stage);
void atoll_emit_views(struct atoll_context *ctx, enum atoll_stage stage);
void atoll_emit_samplers(struct atoll_context *ctx, enum atoll_stage stage);

#endif
