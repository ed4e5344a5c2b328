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

unsigned
im_out_written(const struct importer *im, unsigned reg)
{
   unsigned mask = 0;

   for (unsigned i = 0; i < 4; i++)
      mask |= (unsigned)(im->out[reg][i].defs != 0) << i;
   return mask;
}

void
im_stream_out(struct importer *im, unsigned stream)
{
   struct front_capture capture;
   const char *wrong = NULL;
   uint32_t at = 0;

   while (front_next_capture(im->c->out, im->il, stream, &at, &capture, &wrong)) {
      const unsigned mask = capture.mask;
      /* COMP_MASK and ARRAY_BASE: component i goes to dword base + i.  Components next to each
       * other stay where they are if the base is not below zero; others are moved together. */
      struct cc_operand src[4] = { { 0 } };
      unsigned first = mask ? __builtin_ctz(mask) : 0, end = first;
      if (mask & (mask + (1u << first)) || capture.offset < first)
         first = end = 0;
      for (unsigned i = 0; i < 4; i++)
         if (mask >> i & 1)
            src[end++] = im_export_src(im, im_out_value(im, &im->out[capture.output][i]), false);
      struct inst *store = im_export(im, CAYMAN_CF_MEM_STREAM0_BUF0 + 4 * stream + capture.buffer,
                                     CAYMAN_MEM_WRITE, capture.offset - first);
      memcpy(store->export.src, src, sizeof(src));
      store->export.proto.elem_size = 3;
      store->export.proto.array_size = 0xfff;
      store->export.proto.comp_mask = (1u << end) - (1u << first);
   }
   if (wrong)
      im_unsupported(im, wrong);
}

static void
finish_misc(struct importer *im, unsigned *pos)
{
   struct shader_code *out = im->c->out;
   struct cc_operand src[4];

   if (!front_has_misc(out))
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
   struct inst *inst = im_export(im, CAYMAN_CF_EXPORT, CAYMAN_EXPORT_POS, 60 + (*pos)++);
   memcpy(inst->export.src, src, sizeof(src));
}

static void
finish_distances(struct importer *im, unsigned pos, const uint16_t distance[8])
{
   struct cc_operand value[8];

   /* All of them are read before the first is exported. */
   for (unsigned k = 0; k < 8; k++)
      value[k] = distance[k] == FRONT_NO_DISTANCE
                    ? op_const(0)
                    : im_out_value(im, &im->out[distance[k] / 4][distance[k] % 4]);
   for (unsigned v = 0; v < (unsigned)im->c->out->vs.ccdist0 + im->c->out->vs.ccdist1; v++) {
      struct cc_operand src[4];
      for (unsigned i = 0; i < 4; i++)
         src[i] = im_export_src(im, value[v * 4 + i], true);
      struct inst *inst = im_export(im, CAYMAN_CF_EXPORT, CAYMAN_EXPORT_POS, 60 + pos++);
      memcpy(inst->export.src, src, sizeof(src));
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
   uint8_t written[MAX_OUTPUTS];
   uint16_t distance[8];
   unsigned pos = 1;

   for (unsigned n = 0; n < MAX_OUTPUTS; n++)
      written[n] = im_out_written(im, n);
   const char *wrong =
      front_vertex_outputs(out, written, im->out_special[OUT_EDGE_FLAG][0].defs != 0, distance);
   if (wrong)
      im_unsupported(im, wrong);
   export_output(im, CAYMAN_EXPORT_POS, 60, IL_LINK_POSITION, 1);
   finish_misc(im, &pos);
   finish_distances(im, pos, distance);
   for (unsigned k = 0; k < out->vs.num_params && out->vs.param_slot[k] < MAX_OUTPUTS; k++)
      export_output(im, CAYMAN_EXPORT_PARAM, k, out->vs.param_slot[k], 1);
   if (out->vs.param_slot[0] >= MAX_OUTPUTS) {
      struct inst *inst = im_export(im, CAYMAN_CF_EXPORT, CAYMAN_EXPORT_PARAM, 0);
      for (unsigned i = 0; i < 4; i++)
         inst->export.src[i] = op_const(i == 3 ? 0x3f800000 : 0);
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
      out->ps.color_mask |= (uint32_t)im_out_written(im, n) << 4 * n;
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
