/* SPDX-License-Identifier: MIT */
/*
 * What the compiler says of a program as register values and limits: plain data that the disk cache
 * can keep.
 */
#include "context.h"

#include "compiler/nir/nir.h"
#include "util/u_math.h"

#include <atoll/cayman/enums.h>

static void
fill_vs(struct atoll_program *p, const struct shader_code *s, const struct nir_shader *nir)
{
   assert(s->vs.num_params <= ARRAY_SIZE(p->param_slot));
   p->num_params = s->vs.num_params;
   memcpy(p->param_slot, s->vs.param_slot, sizeof(p->param_slot));
   bool misc = s->vs.writes_point_size || s->vs.writes_edge_flag || s->vs.writes_layer ||
               s->vs.writes_viewport;
   p->pa_cl_vs_out_cntl =
      REG_FIELD(PA_CL_VS_OUT_CNTL, VS_OUT_MISC_VEC_ENA, misc) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, USE_VTX_POINT_SIZE, s->vs.writes_point_size) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, USE_VTX_EDGE_FLAG, s->vs.writes_edge_flag) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, USE_VTX_RENDER_TARGET_INDX, s->vs.writes_layer) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, USE_VTX_VIEWPORT_INDX, s->vs.writes_viewport) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST0_VEC_ENA, s->vs.ccdist0) |
      REG_FIELD(PA_CL_VS_OUT_CNTL, VS_OUT_CCDIST1_VEC_ENA, s->vs.ccdist1);
   p->clip_mask = s->vs.clip_dist;
   p->cull_mask = s->vs.cull_dist;
   /* NIR packs both kinds into one array, the clip distances first. */
   unsigned num_clip = nir->info.clip_distance_array_size;
   unsigned num_cull = nir->info.cull_distance_array_size;
   if (num_cull && !p->cull_mask) {
      p->cull_mask = p->clip_mask & BITFIELD_MASK(num_cull) << num_clip;
      p->clip_mask &= BITFIELD_MASK(num_clip);
   }
   p->window_space = nir->info.stage == MESA_SHADER_VERTEX && nir->info.vs.window_space_position;
   p->streamout = s->vs.streamout;
   p->so_stream_buffers = s->vs.stream_buffers ? s->vs.stream_buffers : s->vs.streamout_buffers;
   p->uses_primitive_id = s->vs.uses_primitive_id;
   memcpy(p->so_stride, s->vs.streamout_stride, sizeof(p->so_stride));
}

static void
fill_gs(struct atoll_program *p, const struct shader_code *s)
{
   p->input_slots = s->gs.input_slots;
   p->esgs_item_dw = s->gs.input_dwords;
   for (unsigned i = 0; i < 4; i++)
      p->gsvs_item_dw[i] = s->gs.vertex_dwords[i];
   p->max_vertices = s->gs.max_vertices;
   p->invocations = s->gs.invocations;
   p->uses_primitive_id = s->gs.uses_primitive_id;
}

static void
fill_cs(struct atoll_program *p, const struct shader_code *s)
{
   memcpy(p->block, s->cs.block, sizeof(p->block));
   p->lds_dw = s->cs.lds_dwords;
}

static void
fill_tess(struct atoll_program *p, const struct shader_code *s)
{
   p->input_slots = s->tess.input_slots;
   p->input_bytes = s->tess.input_bytes;
   p->output_bytes = s->tess.output_bytes + s->tess.own_bytes;
   p->patch_bytes = s->tess.patch_bytes;
   p->output_points = s->tess.output_points;
}

static void
fill_ps(struct atoll_program *p, const struct shader_code *s, const struct nir_shader *nir)
{
   static const uint32_t bary_bit[SHADER_BARY_COUNT] = {
      [SHADER_BARY_PERSP_SAMPLE] = REG_FIELD(SPI_BARYC_CNTL, PERSP_SAMPLE_ENA, 1),
      [SHADER_BARY_PERSP_CENTER] = REG_FIELD(SPI_BARYC_CNTL, PERSP_CENTER_ENA, 1),
      [SHADER_BARY_PERSP_CENTROID] = REG_FIELD(SPI_BARYC_CNTL, PERSP_CENTROID_ENA, 1),
      [SHADER_BARY_LINEAR_SAMPLE] = REG_FIELD(SPI_BARYC_CNTL, LINEAR_SAMPLE_ENA, 1),
      [SHADER_BARY_LINEAR_CENTER] = REG_FIELD(SPI_BARYC_CNTL, LINEAR_CENTER_ENA, 1),
      [SHADER_BARY_LINEAR_CENTROID] = REG_FIELD(SPI_BARYC_CNTL, LINEAR_CENTROID_ENA, 1),
   };
   const unsigned persp = BITFIELD_BIT(SHADER_BARY_PERSP_SAMPLE) |
                          BITFIELD_BIT(SHADER_BARY_PERSP_CENTER) |
                          BITFIELD_BIT(SHADER_BARY_PERSP_CENTROID);

   assert(s->ps.num_inputs <= ARRAY_SIZE(p->inputs));
   p->num_inputs = s->ps.num_inputs;
   for (unsigned i = 0; i < p->num_inputs; i++) {
      p->inputs[i].slot = s->ps.input[i].slot;
      p->inputs[i].mode = s->ps.input[i].mode;
   }
   for (unsigned i = 0; i < SHADER_BARY_COUNT; i++)
      p->spi_baryc_cntl |= s->ps.bary >> i & 1 ? bary_bit[i] : 0;
   p->spi_in_control_0 =
      REG_FIELD(SPI_PS_IN_CONTROL_0, NUM_INTERP, MAX2(p->num_inputs, 1)) |
      REG_FIELD(SPI_PS_IN_CONTROL_0, PERSP_GRADIENT_ENA, (s->ps.bary & persp) != 0) |
      REG_FIELD(SPI_PS_IN_CONTROL_0, LINEAR_GRADIENT_ENA, (s->ps.bary & ~persp) != 0);
   if (s->ps.position_gpr >= 0) {
      p->spi_in_control_0 |= REG_FIELD(SPI_PS_IN_CONTROL_0, POSITION_ENA, 1) |
                             REG_FIELD(SPI_PS_IN_CONTROL_0, POSITION_ADDR, s->ps.position_gpr);
      p->spi_input_z = REG_FIELD(SPI_INPUT_Z, PROVIDE_Z_TO_SPI, 1);
   }
   if (s->ps.face_gpr >= 0)
      p->spi_in_control_1 |= REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ENA, 1) |
                             REG_FIELD(SPI_PS_IN_CONTROL_1, FRONT_FACE_ADDR, s->ps.face_gpr);
   if (s->ps.fixed_pt_gpr >= 0)
      p->spi_in_control_1 |=
         REG_FIELD(SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ENA, 1) |
         REG_FIELD(SPI_PS_IN_CONTROL_1, FIXED_PT_POSITION_ADDR, s->ps.fixed_pt_gpr);

   p->spi_in_control_0 |= REG_FIELD(SPI_PS_IN_CONTROL_0, POSITION_SAMPLE, s->ps.per_sample);

   bool z = s->ps.exports_z || s->ps.exports_stencil || s->ps.exports_mask;
   p->exports_ps = REG_FIELD(SQ_PGM_EXPORTS_PS, EXPORT_Z, z) |
                   REG_FIELD(SQ_PGM_EXPORTS_PS, EXPORT_COLORS, s->ps.num_colors);
   if (!p->exports_ps)
      p->exports_ps = REG_FIELD(SQ_PGM_EXPORTS_PS, EXPORT_COLORS, 1);
   p->shader_mask = s->ps.color_mask;
   p->per_sample = s->ps.per_sample;

   unsigned layout = nir->info.fs.depth_layout;
   p->db_shader_control =
      REG_FIELD(DB_SHADER_CONTROL, MASK_EXPORT_ENABLE, s->ps.exports_mask) |
      REG_FIELD(DB_SHADER_CONTROL, Z_EXPORT_ENABLE, s->ps.exports_z) |
      REG_FIELD(DB_SHADER_CONTROL, STENCIL_EXPORT_ENABLE, s->ps.exports_stencil) |
      REG_FIELD(DB_SHADER_CONTROL, KILL_ENABLE, s->ps.kills) |
      REG_FIELD(DB_SHADER_CONTROL, EXEC_ON_HIER_FAIL, p->writes_memory && !s->ps.early_depth) |
      REG_FIELD(DB_SHADER_CONTROL, EXEC_ON_NOOP, p->writes_memory) |
      REG_FIELD(DB_SHADER_CONTROL, DEPTH_BEFORE_SHADER, s->ps.early_depth) |
      REG_FIELD(DB_SHADER_CONTROL, PRE_SHADER_DEPTH_COVERAGE_ENABLE,
                nir->info.fs.post_depth_coverage) |
      REG_FIELD(DB_SHADER_CONTROL, CONSERVATIVE_Z_EXPORT,
                layout == FRAG_DEPTH_LAYOUT_GREATER ? DB_EXPORT_GREATER_THAN_Z
                : layout == FRAG_DEPTH_LAYOUT_LESS  ? DB_EXPORT_LESS_THAN_Z
                                                    : DB_EXPORT_ANY_Z);
}

void
atoll_fill_program(struct atoll_program *p, const struct atoll_backend *backend,
                   const struct shader_code *s, const struct nir_shader *nir,
                   const struct atoll_key *key)
{
   memset(p, 0, sizeof(*p));
   p->num_gprs = s->num_gprs;
   p->stack = s->stack_size;
   p->scratch_dw = s->scratch_vec4s * 4;
   p->num_icb = s->num_icb;
   p->num_dwords = s->num_dwords;
   p->const_buffers = s->const_buffers | (s->num_icb ? 1u << IL_DRIVER_CB : 0);
   p->const_buffers_fetch = s->const_buffers_fetch;
   backend->compiler->describe(s, p->statistics);
   atoll_nir_uavs(nir, key->counters_in_memory, &p->uavs);
   p->uavs_rat = s->uavs;
   p->uavs_fetch = s->uavs_fetch;
   p->uavs_return = s->uavs_return;
   p->writes_memory = s->uavs || s->uses_gds;
   if (!key->counters_in_memory)
      atoll_nir_counters(nir, &p->counters);
   switch (s->stage) {
   case SHADER_STAGE_VS:
   case SHADER_STAGE_ES:
      fill_vs(p, s, nir);
      if (s->tess.domain_shader)
         fill_tess(p, s);
      break;
   case SHADER_STAGE_GS:
      fill_gs(p, s);
      break;
   case SHADER_STAGE_HS:
      fill_tess(p, s);
      break;
   case SHADER_STAGE_PS:
      fill_ps(p, s, nir);
      break;
   case SHADER_STAGE_CS:
      fill_cs(p, s);
      break;
   case SHADER_STAGE_LS:
      break; /* nothing beside the words */
   }
}
