/* SPDX-License-Identifier: MIT */
/*
 * Import of a program's end: outputs are exported as positions, parameters and colours, or captured
 * by streamout.
 */
#include "import.h"

#include <string.h>

struct inst *
im_export(struct importer *im, unsigned cf_op, unsigned type, unsigned base)
{
   struct compiler *c = im->c;
   struct inst *inst = cc_inst(c, INST_EXPORT);

   inst->export.proto.op = cf_op;
   inst->export.proto.form = cayman_cf_info(cf_op)->form;
   inst->export.proto.type = type;
   inst->export.proto.array_base = base;
   inst->export.proto.barrier = true;
   inst->side_effect = true;
   cc_append(c, cc_block(c), inst);
   return inst;
}

struct cc_operand
im_export_src(struct importer *im, struct cc_operand o, bool constants)
{
   if (o.kind == OPERAND_CONST && constants && (o.value == 0 || o.value == 0x3f800000))
      return o;
   if (o.kind == OPERAND_VALUE && !o.neg && !o.abs)
      return o;
   return op_value(cc_mov(im->c, 0, o));
}

static void
export_output(struct importer *im, unsigned type, unsigned base, unsigned reg, unsigned absent)
{
   struct cc_operand src[4];

   for (unsigned i = 0; i < 4; i++) {
      src[i] = im->out[reg][i].defs ? im_out_value(im, &im->out[reg][i])
               : absent             ? op_const(i == 3 ? 0x3f800000 : 0)
                                    : op_none();
      if (src[i].kind != OPERAND_NONE)
         src[i] = im_export_src(im, src[i], true);
   }
   struct inst *inst = im_export(im, CAYMAN_CF_EXPORT, type, base);
   memcpy(inst->export.src, src, sizeof(src));
}

bool
im_out_written(const struct importer *im, unsigned reg)
{
   return im->out[reg][0].defs || im->out[reg][1].defs || im->out[reg][2].defs ||
          im->out[reg][3].defs;
}

void
im_stream_out(struct importer *im, unsigned wanted)
{
   struct compiler *c = im->c;

   for (uint32_t n = 0; n < im->il->ninsts; n++) {
      const struct il_inst *inst = &im->il->insts[n];
      if (inst->op == IL_OP_DCL_X_STREAMOUT_STRIDE && inst->ndata)
         c->out->vs.streamout_stride[il_streamout_buffer(inst)] = inst->data[0];
      if (inst->op != IL_OP_DCL_X_STREAMOUT || !inst->ndst || !inst->ndata)
         continue;
      unsigned buffer = il_streamout_buffer(inst), stream = il_streamout_stream(inst);
      const struct il_dst *dst = &inst->dst[0];
      unsigned mask = il_dst_mask(dst), offset = inst->data[0];
      if (dst->r.type != IL_REGTYPE_OUTPUT || dst->r.num >= MAX_OUTPUTS || offset > 4095)
         im_unsupported(im, "streamout declaration");
      if (stream != wanted)
         continue;
      c->out->vs.stream_buffers |= 1u << (4 * stream + buffer);
      c->out->vs.streamout = true;
      c->out->vs.streamout_buffers |= 1u << buffer;
      /* COMP_MASK and ARRAY_BASE: component i goes to dword base + i.  Components next to each
       * other stay where they are if the base is not below zero; others are moved together. */
      struct cc_operand src[4] = { { 0 } };
      unsigned first = mask ? __builtin_ctz(mask) : 0, end = first;
      if (mask & (mask + (1u << first)) || offset < first)
         first = end = 0;
      for (unsigned i = 0; i < 4; i++)
         if (mask >> i & 1)
            src[end++] = im_export_src(im, im_out_value(im, &im->out[dst->r.num][i]), false);
      struct inst *store = im_export(im, CAYMAN_CF_MEM_STREAM0_BUF0 + 4 * stream + buffer,
                                     CAYMAN_MEM_WRITE, offset - first);
      memcpy(store->export.src, src, sizeof(src));
      store->export.proto.elem_size = 3;
      store->export.proto.array_size = 0xfff;
      store->export.proto.comp_mask = (1u << end) - (1u << first);
   }
}

static void
finish_misc(struct importer *im, unsigned *pos)
{
   struct shader_code *out = im->c->out;
   struct cc_operand src[4];

   out->vs.writes_point_size = im->out[IL_LINK_POINT_SIZE][0].defs != 0;
   out->vs.writes_edge_flag = im->out_special[OUT_EDGE_FLAG][0].defs != 0;
   out->vs.writes_layer = im->out[IL_LINK_LAYER][0].defs != 0;
   out->vs.writes_viewport = im->out[IL_LINK_VIEWPORT][0].defs != 0;
   if (!out->vs.writes_point_size && !out->vs.writes_edge_flag && !out->vs.writes_layer &&
       !out->vs.writes_viewport)
      return;
   src[0] =
      out->vs.writes_point_size ? im_out_value(im, &im->out[IL_LINK_POINT_SIZE][0]) : op_const(0);
   src[1] = op_const(0);
   if (out->vs.writes_edge_flag) {
      struct inst *clamp =
         cc_emit_inst(im->c, CAYMAN_ALU_MOV, cc_value(im->c),
                      im_out_value(im, &im->out_special[OUT_EDGE_FLAG][0]), op_none(), op_none());
      clamp->lane[0].clamp = true;
      src[1] = op_value(im_emit1(im, CAYMAN_ALU_FLT_TO_INT, op_value(clamp->lane[0].dst)));
   }
   src[2] = out->vs.writes_layer ? im_out_value(im, &im->out[IL_LINK_LAYER][0]) : op_const(0);
   src[3] = out->vs.writes_viewport ? im_out_value(im, &im->out[IL_LINK_VIEWPORT][0]) : op_const(0);
   for (unsigned i = 0; i < 4; i++)
      src[i] = im_export_src(im, src[i], true);
   struct inst *inst = im_export(im, CAYMAN_CF_EXPORT, CAYMAN_EXPORT_POS, 60 + *pos);
   memcpy(inst->export.src, src, sizeof(src));
   out->vs.pos_exports |= 1u << (*pos)++;
}

/* Clip distances first, cull distances behind them, in up to two vectors. */
static void
finish_clip(struct importer *im, unsigned *pos)
{
   struct shader_code *out = im->c->out;
   struct cc_operand dist[8];
   unsigned n = 0;

   for (unsigned k = 0; k < 4; k++) {
      for (unsigned i = 0; i < 4; i++) {
         if (im->out[IL_LINK_CLIP_DISTANCE0 + k][i].defs && n < 8) {
            dist[n] = im_out_value(im, &im->out[IL_LINK_CLIP_DISTANCE0 + k][i]);
            if (k < 2) {
               /* GL enables planes by number: distance k * 4 + i must sit there. */
               while (n < k * 4 + i) {
                  dist[n + 1] = dist[n];
                  dist[n++] = op_const(0);
               }
               out->vs.clip_dist |= 1u << n;
            } else {
               out->vs.cull_dist |= 1u << n;
            }
            n++;
         }
      }
   }
   for (unsigned v = 0; v < 2 && n > v * 4; v++) {
      struct cc_operand src[4];
      for (unsigned i = 0; i < 4; i++)
         src[i] = im_export_src(im, v * 4 + i < n ? dist[v * 4 + i] : op_const(0), true);
      struct inst *inst = im_export(im, CAYMAN_CF_EXPORT, CAYMAN_EXPORT_POS, 60 + *pos);
      memcpy(inst->export.src, src, sizeof(src));
      out->vs.pos_exports |= 1u << (*pos)++;
      if (v == 0)
         out->vs.ccdist0 = true;
      else
         out->vs.ccdist1 = true;
   }
}

static void
mark_last(struct importer *im, unsigned type)
{
   struct cc_block *b = cc_block(im->c);
   for (uint32_t i = b->num_insts; i-- > 0;) {
      if (b->insts[i]->kind == INST_EXPORT && b->insts[i]->export.proto.op == CAYMAN_CF_EXPORT &&
          b->insts[i]->export.proto.type == type) {
         b->insts[i]->export.proto.op = CAYMAN_CF_EXPORT_DONE;
         return;
      }
   }
}

void
im_finish_vs(struct importer *im)
{
   struct shader_code *out = im->c->out;
   unsigned pos = 1;

   export_output(im, CAYMAN_EXPORT_POS, 60, IL_LINK_POSITION, 1);
   out->vs.pos_exports = 1;
   finish_misc(im, &pos);
   finish_clip(im, &pos);

   for (unsigned n = 1; n < MAX_OUTPUTS; n++) {
      if (n == IL_LINK_POINT_SIZE || !im_out_written(im, n))
         continue;
      if (out->vs.num_params == 32)
         im_unsupported(im, "more than 32 parameters");
      out->vs.param_slot[out->vs.num_params] = n;
      export_output(im, CAYMAN_EXPORT_PARAM, out->vs.num_params++, n, 1);
   }
   if (!out->vs.num_params) {
      struct inst *inst = im_export(im, CAYMAN_CF_EXPORT, CAYMAN_EXPORT_PARAM, 0);
      for (unsigned i = 0; i < 4; i++)
         inst->export.src[i] = op_const(i == 3 ? 0x3f800000 : 0);
      out->vs.param_slot[out->vs.num_params++] = 0xff;
   }
   mark_last(im, CAYMAN_EXPORT_POS);
   mark_last(im, CAYMAN_EXPORT_PARAM);
}

static void
finish_ps(struct importer *im)
{
   struct shader_code *out = im->c->out;
   bool any = false;

   for (unsigned n = 0; n < 8; n++) {
      if (!im_out_written(im, n))
         continue;
      for (unsigned i = 0; i < 4; i++)
         out->ps.color_mask |= (uint32_t)(im->out[n][i].defs != 0) << (4 * n + i);
      out->ps.num_colors = n + 1;
      export_output(im, CAYMAN_EXPORT_PIXEL, n, n, 0);
      any = true;
   }
   out->ps.exports_z = im->out_special[OUT_DEPTH][0].defs != 0;
   out->ps.exports_stencil = im->out_special[OUT_STENCIL][0].defs != 0;
   out->ps.exports_mask = im->out_special[OUT_MASK][0].defs != 0;
   if (out->ps.exports_z || out->ps.exports_stencil || out->ps.exports_mask) {
      struct cc_operand src[4] = { { 0 } };
      for (unsigned i = 0; i < 3; i++)
         if (im->out_special[i][0].defs)
            src[i] = im_export_src(im, im_out_value(im, &im->out_special[i][0]), true);
      struct inst *inst = im_export(im, CAYMAN_CF_EXPORT, CAYMAN_EXPORT_PIXEL, 61);
      memcpy(inst->export.src, src, sizeof(src));
      any = true;
   }
   if (!any)
      im_export(im, CAYMAN_CF_EXPORT, CAYMAN_EXPORT_PIXEL, 0); /* fully masked */
   mark_last(im, CAYMAN_EXPORT_PIXEL);
}

void
im_finish(struct importer *im)
{
   switch (im->c->out->stage) {
   case SHADER_STAGE_PS:
      finish_ps(im);
      break;
   case SHADER_STAGE_VS:
      im_stream_out(im, 0);
      im_finish_vs(im);
      break;
   case SHADER_STAGE_ES:
      im_es_finish(im);
      break;
   case SHADER_STAGE_LS:
      im_ls_finish(im);
      break;
   case SHADER_STAGE_HS:
      im_hs_finish(im);
      break;
   case SHADER_STAGE_GS:
   case SHADER_STAGE_CS:
      break; /* everything has been written */
   }
}
