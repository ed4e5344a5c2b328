/* SPDX-License-Identifier: MIT */
/*
 * Tessellation: the API's vertex shader as LS, the control shader as HS, the tessellator, and the
 * evaluation shader as VS or ES.
 *
 * A patch has a work group and its local data to itself; what lies where is between the programs
 * (shader_code.tess), and what depends on the draw is a driver constant. Without a
 * control shader a program of ours hands the control points through, with the default levels.
 */
#include "emit.h"

#include <stdio.h>

#include "util/u_debug.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include <atoll/cayman/enums.h>

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_to_il.h"

/* What SQ_LDS_ALLOC can say: 16 K dwords less one. A SIMD of the chip has half of it; the device
 * gives patches all (docs/errata.rst). */
#define MAX_LDS_BYTES 65532
/* Lanes that HS_NUM_WAVES counts in. */
#define HS_WAVE 64

/* ---- Control shaders of our own ---- */

struct atoll_passthrough {
   struct atoll_passthrough *next;
   uint64_t inputs; /* VARYING_BIT_* of control points that are handed through */
   unsigned vertices;
   struct atoll_shader *shader;
};

static struct atoll_shader *
create_passthrough(struct atoll_context *ctx, uint64_t inputs, unsigned vertices)
{
   unsigned locations[64], count = 0;
   u_foreach_bit64(slot, inputs) locations[count++] = slot;
   struct pipe_shader_state state = {
      .type = PIPE_SHADER_IR_NIR,
      .ir.nir = nir_create_passthrough_tcs_impl(atoll_screen_nir_options(ctx->screen), locations,
                                                count, vertices),
   };
   return ctx->base.create_tcs_state(&ctx->base, &state);
}

static struct atoll_shader *
passthrough(struct atoll_context *ctx)
{
   const struct shader_info *info = &ctx->shaders[ATOLL_TES]->nir->info;
   uint64_t inputs =
      info->inputs_read & ~(VARYING_BIT_TESS_LEVEL_OUTER | VARYING_BIT_TESS_LEVEL_INNER);

   for (struct atoll_passthrough *p = ctx->passthroughs; p; p = p->next)
      if (p->inputs == inputs && p->vertices == ctx->patch_vertices)
         return p->shader;
   struct atoll_passthrough *p = CALLOC_STRUCT(atoll_passthrough);
   if (!p)
      return NULL;
   p->inputs = inputs;
   p->vertices = ctx->patch_vertices;
   p->shader = create_passthrough(ctx, inputs, p->vertices);
   if (!p->shader) {
      FREE(p);
      return NULL;
   }
   p->next = ctx->passthroughs;
   ctx->passthroughs = p;
   return p->shader;
}

void
atoll_free_passthroughs(struct atoll_context *ctx)
{
   while (ctx->passthroughs) {
      struct atoll_passthrough *p = ctx->passthroughs;
      ctx->passthroughs = p->next;
      ctx->base.delete_tcs_state(&ctx->base, p->shader);
      FREE(p);
   }
}

struct atoll_shader *
atoll_control_shader(struct atoll_context *ctx)
{
   return ctx->shaders[ATOLL_TCS] ? ctx->shaders[ATOLL_TCS] : passthrough(ctx);
}

/* ---- State ---- */

/* What depends on the patch: registers, and constants of both stages. */
void
atoll_dirty_patches(struct atoll_context *ctx)
{
   atoll_dirty(ctx, ATOM_TESS);
   ctx->drv_va[ATOLL_TCS] = ctx->drv_va[ATOLL_TES] = 0;
}

static void
set_tess_state(struct pipe_context *pipe, const float outer[4], const float inner[2])
{
   struct atoll_context *ctx = atoll_context(pipe);
   memcpy(ctx->tess_outer, outer, sizeof(ctx->tess_outer));
   memcpy(ctx->tess_inner, inner, sizeof(ctx->tess_inner));
   atoll_dirty_patches(ctx);
}

static void
set_patch_vertices(struct pipe_context *pipe, uint8_t vertices)
{
   struct atoll_context *ctx = atoll_context(pipe);
   if (ctx->patch_vertices == vertices)
      return;
   ctx->patch_vertices = vertices;
   atoll_dirty_patches(ctx);
}

void
atoll_init_tess(struct atoll_context *ctx)
{
   ctx->base.set_tess_state = set_tess_state;
   ctx->base.set_patch_vertices = set_patch_vertices;
   ctx->patch_vertices = 3;
}

/** What the tessellator makes. */
unsigned
atoll_tessellated_prim(const struct atoll_shader *tes)
{
   const struct shader_info *info = &tes->nir->info;
   return info->tess.point_mode                                   ? MESA_PRIM_POINTS
          : info->tess._primitive_mode == TESS_PRIMITIVE_ISOLINES ? MESA_PRIM_LINES
                                                                  : MESA_PRIM_TRIANGLES;
}

/* ---- Local data ---- */

static unsigned
input_bytes(const struct atoll_context *ctx)
{
   return ctx->patch_vertices * ctx->variants[ATOLL_TCS]->p.input_bytes;
}

static unsigned
local_bytes(const struct atoll_context *ctx)
{
   const struct atoll_program *hs = &ctx->variants[ATOLL_TCS]->p;
   return input_bytes(ctx) + hs->patch_bytes + hs->output_points * hs->output_bytes;
}

bool
atoll_fits_patches(struct atoll_context *ctx)
{
   unsigned bytes = local_bytes(ctx);
   if (bytes <= MAX_LDS_BYTES)
      return true;
   if (!__atomic_exchange_n(&ctx->screen->told_patch, true, __ATOMIC_RELAXED))
      fprintf(stderr, "atoll: a patch needs %u bytes of local data; there are %u\n", bytes,
              MAX_LDS_BYTES);
   util_debug_message(&ctx->base.debug, ERROR,
                      "Draws are left out: a patch needs %u bytes of local data; there are %u",
                      bytes, MAX_LDS_BYTES);
   return false;
}

void
atoll_fill_tess_constants(const struct atoll_context *ctx, enum atoll_stage stage, uint32_t *c)
{
   if (!ctx->variants[ATOLL_TCS])
      return;
   c[4 * IL_DRV_TESS] = input_bytes(ctx);
   c[4 * IL_DRV_TESS + 1] =
      stage == ATOLL_TCS ? ctx->patch_vertices : ctx->variants[ATOLL_TCS]->p.output_points;
   if (stage != ATOLL_TCS)
      return;
   memcpy(c + 4 * IL_DRV_TESS_LEVELS, ctx->tess_outer, sizeof(ctx->tess_outer));
   memcpy(c + 4 * IL_DRV_TESS_LEVELS + 4, ctx->tess_inner, sizeof(ctx->tess_inner));
}

/* ---- Registers ---- */

static uint32_t
tessellator(const struct shader_info *info)
{
   static const uint8_t type[] = {
      [TESS_PRIMITIVE_TRIANGLES] = TESS_TRIANGLE,
      [TESS_PRIMITIVE_QUADS] = TESS_QUAD,
      [TESS_PRIMITIVE_ISOLINES] = TESS_ISOLINE,
   };
   static const uint8_t partitioning[] = {
      [TESS_SPACING_EQUAL] = PART_INTEGER,
      [TESS_SPACING_FRACTIONAL_ODD] = PART_FRAC_ODD,
      [TESS_SPACING_FRACTIONAL_EVEN] = PART_FRAC_EVEN,
   };
   unsigned mode = info->tess._primitive_mode;
   /* The device's domain has its origin at the top. */
   unsigned topology = info->tess.point_mode             ? OUTPUT_POINT
                       : mode == TESS_PRIMITIVE_ISOLINES ? OUTPUT_LINE
                       : info->tess.ccw                  ? OUTPUT_TRIANGLE_CW
                                                         : OUTPUT_TRIANGLE_CCW;
   return REG_FIELD(VGT_TF_PARAM, TYPE, mode < ARRAY_SIZE(type) ? type[mode] : TESS_TRIANGLE) |
          REG_FIELD(VGT_TF_PARAM, PARTITIONING, partitioning[info->tess.spacing]) |
          REG_FIELD(VGT_TF_PARAM, TOPOLOGY, topology);
}

void
atoll_emit_tess(struct atoll_context *ctx)
{
   struct atoll_cs *cs = &ctx->cs;
   const struct atoll_variant *ls = ctx->variants[ATOLL_VS], *hs = ctx->variants[ATOLL_TCS];

   if (!hs) {
      emit_context_reg(cs, R_VGT_LS_HS_CONFIG, 0);
      emit_context_reg(cs, R_SQ_LDS_ALLOC, 0);
      return;
   }
   atoll_emit_code(ctx, R_SQ_PGM_START_LS, ls);
   emit_context_reg(cs, R_SQ_LSTMP_RING_ITEMSIZE, ls->p.scratch_dw);
   atoll_emit_code(ctx, R_SQ_PGM_START_HS, hs);
   emit_context_reg(cs, R_SQ_HSTMP_RING_ITEMSIZE, hs->p.scratch_dw);
   emit_context_reg(cs, R_VGT_LS_HS_CONFIG,
                    REG_FIELD(VGT_LS_HS_CONFIG, NUM_PATCHES, 1) |
                       REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_INPUT_CP, ctx->patch_vertices) |
                       REG_FIELD(VGT_LS_HS_CONFIG, HS_NUM_OUTPUT_CP, hs->p.output_points));
   emit_context_reg(cs, R_SQ_LDS_ALLOC,
                    local_bytes(ctx) / 4 | DIV_ROUND_UP(hs->p.output_points, HS_WAVE) << 14);
   emit_context_reg(cs, R_VGT_TF_PARAM, tessellator(&ctx->shaders[ATOLL_TES]->nir->info));
   emit_context_seq(cs, R_VGT_HOS_MAX_TESS_LEVEL, 2);
   atoll_emit(cs, fui(64));
   atoll_emit(cs, 0); /* VGT_HOS_MIN_TESS_LEVEL */
}
