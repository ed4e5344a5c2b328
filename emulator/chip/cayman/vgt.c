/* SPDX-License-Identifier: MIT */
/*
 * VGT_*: stages, topology, indices, streamout; the rings and item sizes of geometry shaders, and
 * tessellation.
 */
#include "vgt/vgt.h"

#include <atoll/cayman/enums.h>

#include "chip/cayman/cayman.h"
#include "chip/cayman/map.h"
#include "port/state.h"
#include "vgt/geometry.h"

/* VGT_SHADER_STAGES_EN of a pipeline. */
static uint32_t
stages_of(bool gs, bool tess)
{
   const unsigned es = tess ? ES_STAGE_DS : ES_STAGE_REAL, vs = tess ? VS_STAGE_DS : VS_STAGE_REAL;

   return REG_FIELD(VGT_SHADER_STAGES_EN, LS_EN, tess ? LS_STAGE_ON : LS_STAGE_OFF) |
          REG_FIELD(VGT_SHADER_STAGES_EN, HS_EN, tess) |
          REG_FIELD(VGT_SHADER_STAGES_EN, ES_EN, gs ? es : ES_STAGE_OFF) |
          REG_FIELD(VGT_SHADER_STAGES_EN, GS_EN, gs) |
          REG_FIELD(VGT_SHADER_STAGES_EN, VS_EN, gs ? VS_STAGE_COPY_SHADER : vs);
}

static void
decode_streams(struct vgt_streams *s, const struct regs *r)
{
   const uint32_t config = reg(r, R_VGT_STRMOUT_CONFIG);
   const uint32_t buffers = reg(r, R_VGT_STRMOUT_BUFFER_CONFIG);

   s->on = config & 0xf;
   for (unsigned n = 0; s->on && n < VGT_STREAMS; n++) {
      s->of_stream[n] = s->on >> n & 1 ? buffers >> 4 * n & 0xf : 0;
      s->buffers |= s->of_stream[n];
      s->va[n] = (uint64_t)reg(r, REG_AT(VGT_STRMOUT_BUFFER_BASE_0, n)) << 8;
      s->size[n] = (uint64_t)reg(r, REG_AT(VGT_STRMOUT_BUFFER_SIZE_0, n)) * 4;
      s->stride[n] = REG_FIELD_GET(reg(r, REG_AT(VGT_STRMOUT_VTX_STRIDE_0, n)),
                                   VGT_STRMOUT_VTX_STRIDE_0, STRIDE) *
                     4;
   }
}

const char *
cayman_decode_vgt(struct vgt_state *s, const struct regs *r)
{
   const uint32_t stages = reg(r, R_VGT_SHADER_STAGES_EN);

   *s = (struct vgt_state){ 0 };
   s->gs = REG_FIELD_GET(stages, VGT_SHADER_STAGES_EN, GS_EN);
   s->tess = REG_FIELD_GET(stages, VGT_SHADER_STAGES_EN, HS_EN);
   if ((stages & 0xff) != stages_of(s->gs, s->tess))
      return "VGT_SHADER_STAGES_EN names no combination of stages";
   s->topology =
      cayman_topology[REG_FIELD_GET(reg(r, R_VGT_PRIMITIVE_TYPE), VGT_PRIMITIVE_TYPE, PRIM_TYPE)];
   if (s->topology == TOPOLOGY_NONE)
      return "VGT_PRIMITIVE_TYPE names no type";
   s->patch_verts = REG_FIELD_GET(reg(r, R_VGT_LS_HS_CONFIG), VGT_LS_HS_CONFIG, HS_NUM_INPUT_CP);
   s->provoking_last =
      REG_FIELD_GET(reg(r, R_PA_SU_SC_MODE_CNTL), PA_SU_SC_MODE_CNTL, PROVOKING_VTX_LAST);
   s->index_offset = reg(r, R_VGT_INDX_OFFSET);
   s->index_min = reg(r, R_VGT_MIN_VTX_INDX);
   s->index_max = reg(r, R_VGT_MAX_VTX_INDX);
   s->primitive_id =
      REG_FIELD_GET(reg(r, R_VGT_PRIMITIVEID_EN), VGT_PRIMITIVEID_EN, PRIMITIVEID_EN);
   s->restart =
      REG_FIELD_GET(reg(r, R_VGT_MULTI_PRIM_IB_RESET_EN), VGT_MULTI_PRIM_IB_RESET_EN, RESET_EN);
   s->restart_index = reg(r, R_VGT_MULTI_PRIM_IB_RESET_INDX);
   decode_streams(&s->streams, r);
   return NULL;
}

static const char *
decode_tess(struct geometry *g, const struct regs *r)
{
   const uint32_t param = reg(r, R_VGT_TF_PARAM), config = reg(r, R_VGT_LS_HS_CONFIG);

   g->out_cp = REG_FIELD_GET(config, VGT_LS_HS_CONFIG, HS_NUM_OUTPUT_CP);
   g->group_patches = REG_FIELD_GET(config, VGT_LS_HS_CONFIG, NUM_PATCHES);
   /* Stock r600 writes bytes there, and has four times what it wants. */
   g->lds_bytes = cayman_lds_bytes(r);
   g->tess = (struct tess_config){
      .domain = cayman_tess_domain[REG_FIELD_GET(param, VGT_TF_PARAM, TYPE)],
      .partitioning = cayman_tess_partitioning[REG_FIELD_GET(param, VGT_TF_PARAM, PARTITIONING)],
      .topology = cayman_tess_topology[REG_FIELD_GET(param, VGT_TF_PARAM, TOPOLOGY)],
   };
   if (g->tess.topology == TESS_TOPOLOGIES || g->tess.domain == TESS_DOMAINS)
      return "VGT_TF_PARAM names no domain or topology";
   g->tess_min = reg_float(r, R_VGT_HOS_MIN_TESS_LEVEL);
   g->tess_max = reg_float(r, R_VGT_HOS_MAX_TESS_LEVEL);
   return NULL;
}

static const char *
decode_gs(struct geometry *g, const struct regs *r)
{
   const uint32_t instances = reg(r, R_VGT_GS_INSTANCE_CNT);
   const uint32_t out = reg(r, R_VGT_GS_OUT_PRIM_TYPE);

   g->out_topology = cayman_gs_topology[REG_FIELD_GET(out, VGT_GS_OUT_PRIM_TYPE, OUTPRIM_TYPE)];
   if (g->out_topology == TOPOLOGY_NONE)
      return "VGT_GS_OUT_PRIM_TYPE names no type";
   if (REG_FIELD_GET(instances, VGT_GS_INSTANCE_CNT, ENABLE))
      g->invocations = REG_FIELD_GET(instances, VGT_GS_INSTANCE_CNT, CNT);
   g->max_verts = REG_FIELD_GET(reg(r, R_VGT_GS_MAX_VERT_OUT), VGT_GS_MAX_VERT_OUT, MAX_VERT_OUT);
   g->es_item = reg(r, R_SQ_ESGS_RING_ITEMSIZE) & GEOMETRY_ITEM;
   g->gs_item = reg(r, R_SQ_GSVS_RING_ITEMSIZE) & GEOMETRY_ITEM;
   for (unsigned s = 0; s < VGT_STREAMS; s++) {
      g->vert_item[s] = reg(r, R_SQ_GS_VERT_ITEMSIZE + 4 * s) & GEOMETRY_ITEM;
      g->stream_first[s] = s ? reg(r, R_SQ_GSVS_RING_OFFSET_1 + 4 * (s - 1)) & GEOMETRY_ITEM : 0;
   }
   return NULL;
}

const char *
cayman_decode_geometry(struct geometry *g, const struct vgt_state *vgt, const struct regs *r)
{
   const uint32_t config = reg(r, R_VGT_STRMOUT_CONFIG);
   const char *why = NULL;

   *g = (struct geometry){ .has_gs = vgt->gs, .has_tess = vgt->tess };
   g->raster_streams = REG_FIELD_GET(config, VGT_STRMOUT_CONFIG, USE_RAST_STREAM_MASK)
                          ? REG_FIELD_GET(config, VGT_STRMOUT_CONFIG, RAST_STREAM_MASK)
                          : 1u << (REG_FIELD_GET(config, VGT_STRMOUT_CONFIG, RAST_STREAM) & 7);
   if (g->has_tess)
      why = decode_tess(g, r);
   if (g->has_gs && !why)
      why = decode_gs(g, r);
   return why;
}
