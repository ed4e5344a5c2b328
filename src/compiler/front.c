/* SPDX-License-Identifier: MIT */
/* See front.h. */
#include "front.h"

#include <stdlib.h>
#include <string.h>

static bool
set_stage(struct shader_code *out, const struct il_declared *d, bool copy)
{
   static const uint8_t stage[] = {
      [IL_SHADER_VERTEX] = SHADER_STAGE_VS,   [IL_SHADER_PIXEL] = SHADER_STAGE_PS,
      [IL_SHADER_GEOMETRY] = SHADER_STAGE_GS, [IL_SHADER_COMPUTE] = SHADER_STAGE_CS,
      [IL_SHADER_HULL] = SHADER_STAGE_HS,     [IL_SHADER_DOMAIN] = SHADER_STAGE_VS,
   };

   if (d->il->shader >= sizeof(stage))
      return false;
   out->stage = copy ? SHADER_STAGE_VS : (enum shader_stage)stage[d->il->shader];
   out->tess.domain_shader = d->il->shader == IL_SHADER_DOMAIN;
   if (d->hw_stage == IL_HW_STAGE_ES)
      out->stage = SHADER_STAGE_ES;
   else if (d->hw_stage == IL_HW_STAGE_LS && !out->tess.domain_shader)
      out->stage = SHADER_STAGE_LS;
   else if (d->hw_stage != IL_HW_STAGE_VS)
      return false;
   return true;
}

const char *
front_describe(struct shader_code *out, const struct il_declared *d, bool copy)
{
   if (d->num_temps > 65536)
      return "register number above 65535";
   if (!set_stage(out, d, copy))
      return "hardware stage";
   if (d->icb && !copy) {
      out->num_icb = (d->icb_dwords + 3) / 4;
      out->icb = calloc(out->num_icb, 16);
      if (!out->icb)
         return "out of memory";
      memcpy(out->icb, d->icb, 4 * (size_t)d->icb_dwords);
   }
   out->ps.early_depth =
      out->stage == SHADER_STAGE_PS && d->global_flags & IL_GLOBAL_FLAG_FORCE_EARLY_DEPTH_STENCIL;
   out->gs.input_prim = (uint8_t)d->gs.input;
   out->gs.output_prim = (uint8_t)d->gs.output;
   out->gs.max_vertices = d->gs.max_vertices;
   out->gs.invocations = d->gs.instances;
   out->tess.input_points = d->tess.input_points;
   out->tess.output_points = d->tess.output_points;
   out->tess.domain = (uint8_t)d->tess.domain;
   out->tess.partition = (uint8_t)d->tess.partition;
   out->tess.output_prim = (uint8_t)d->tess.output;
   out->tess.max_factor = d->tess.max_factor;
   for (unsigned i = 0; i < 3; i++)
      out->cs.block[i] = (uint16_t)d->block[i];
   out->cs.lds_dwords = d->lds_bytes / 4;
   return NULL;
}

/* --- inputs of pixels ------------------------------------------------------------------------- */

bool
front_is_system_input(unsigned input)
{
   return input == IL_LINK_POSITION || input == IL_PS_INPUT_FRONT_FACE ||
          input == IL_PS_INPUT_SAMPLE_INDEX;
}

int
front_bary(unsigned mode)
{
   switch (mode) {
   case IL_INTERPMODE_CONSTANT:
      return -1;
   case IL_INTERPMODE_LINEAR_CENTROID:
      return SHADER_BARY_PERSP_CENTROID;
   case IL_INTERPMODE_LINEAR_NOPERSPECTIVE:
      return SHADER_BARY_LINEAR_CENTER;
   case IL_INTERPMODE_LINEAR_NOPERSPECTIVE_CENTROID:
      return SHADER_BARY_LINEAR_CENTROID;
   case IL_INTERPMODE_LINEAR_SAMPLE:
      return SHADER_BARY_PERSP_SAMPLE;
   case IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE:
      return SHADER_BARY_LINEAR_SAMPLE;
   default:
      return SHADER_BARY_PERSP_CENTER;
   }
}

bool
front_is_linear(unsigned mode)
{
   return mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE ||
          mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE_CENTROID ||
          mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE;
}

const char *
front_number_parameters(struct shader_code *out, const struct il_declared *d,
                        const uint8_t used[IL_LINK_COUNT], uint8_t param[IL_LINK_COUNT])
{
   for (unsigned n = 0; n < IL_LINK_COUNT; n++) {
      const unsigned mode = d->input[n].mode;
      if (!used[n] || front_is_system_input(n))
         continue;
      if (out->ps.num_inputs == 32)
         return "more than 32 interpolated inputs";
      param[n] = (uint8_t)out->ps.num_inputs;
      out->ps.input[out->ps.num_inputs++] = (struct shader_ps_input){
         .slot = (uint8_t)n,
         .mode = mode == IL_INTERPMODE_CONSTANT ? SHADER_INPUT_FLAT
                 : mode == IL_INTERPMODE_NOTUSED && n >= IL_LINK_COLOR0 && n <= IL_LINK_BACK_COLOR1
                    ? SHADER_INPUT_COLOR
                    : SHADER_INPUT_SMOOTH,
      };
      out->ps.per_sample |=
         mode == IL_INTERPMODE_LINEAR_SAMPLE || mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE;
   }
   return NULL;
}

/* --- outputs of vertices ---------------------------------------------------------------------- */

/* GL enables planes by number, so a clip distance has its own; cull distances follow the last of
 * them. */
static unsigned
number_distances(struct shader_code *out, const uint8_t written[IL_MAX_OUTPUTS],
                 uint16_t distance[8])
{
   unsigned n = 0;

   for (unsigned k = 0; k < 8; k++)
      distance[k] = FRONT_NO_DISTANCE;
   for (unsigned k = 0; k < 16 && n < 8; k++) {
      const unsigned output = IL_LINK_CLIP_DISTANCE0 + k / 4;
      if (!(written[output] >> k % 4 & 1))
         continue;
      if (k < 8)
         n = k;
      distance[n] = (uint16_t)(4 * output + k % 4);
      if (k < 8)
         out->vs.clip_dist |= (uint8_t)(1u << n);
      else
         out->vs.cull_dist |= (uint8_t)(1u << n);
      n++;
   }
   return n;
}

const char *
front_vertex_outputs(struct shader_code *out, const uint8_t written[IL_MAX_OUTPUTS], bool edge,
                     uint16_t distance[8])
{
   out->vs.writes_point_size = written[IL_LINK_POINT_SIZE] & 1;
   out->vs.writes_edge_flag = edge;
   out->vs.writes_layer = written[IL_LINK_LAYER] & 1;
   out->vs.writes_viewport = written[IL_LINK_VIEWPORT] & 1;
   const unsigned distances = number_distances(out, written, distance);
   out->vs.ccdist0 = distances > 0;
   out->vs.ccdist1 = distances > 4;
   const unsigned vectors = 1u + front_has_misc(out) + out->vs.ccdist0 + out->vs.ccdist1;
   out->vs.pos_exports = (uint8_t)((1u << vectors) - 1);
   for (unsigned n = 1; n < IL_MAX_OUTPUTS; n++) {
      if (n == IL_LINK_POINT_SIZE || !written[n])
         continue;
      if (out->vs.num_params == 32)
         return "more than 32 parameters";
      out->vs.param_slot[out->vs.num_params++] = (uint8_t)n;
   }
   if (!out->vs.num_params)
      out->vs.param_slot[out->vs.num_params++] = 0xff;
   return NULL;
}

bool
front_next_capture(struct shader_code *out, const struct il_program *il, unsigned wanted,
                   uint32_t *at, struct front_capture *capture, const char **wrong)
{
   while (*at < il->ninsts) {
      const struct il_inst *inst = &il->insts[(*at)++];
      if (inst->op == IL_OP_DCL_X_STREAMOUT_STRIDE && inst->ndata)
         out->vs.streamout_stride[il_streamout_buffer(inst)] = (uint16_t)inst->data[0];
      if (inst->op != IL_OP_DCL_X_STREAMOUT || !inst->ndst || !inst->ndata)
         continue;
      const unsigned buffer = il_streamout_buffer(inst), stream = il_streamout_stream(inst);
      const struct il_dst *dst = &inst->dst[0];
      if (dst->r.type != IL_REGTYPE_OUTPUT || dst->r.num >= IL_MAX_OUTPUTS ||
          inst->data[0] > 4095) {
         *wrong = "streamout declaration";
         return false;
      }
      if (stream != wanted)
         continue;
      out->vs.stream_buffers |= (uint16_t)(1u << (4 * stream + buffer));
      out->vs.streamout = true;
      out->vs.streamout_buffers |= (uint8_t)(1u << buffer);
      *capture = (struct front_capture){ buffer, dst->r.num, il_dst_mask(dst), inst->data[0] };
      return true;
   }
   return false;
}
