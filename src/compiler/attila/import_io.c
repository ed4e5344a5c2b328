/* SPDX-License-Identifier: MIT */
/*
 * Import of declarations, inputs and outputs (docs/attila-chip.rst), system values and discards.
 *
 * Vertex elements that are read are loaded at the top.  Outputs go to their registers at once,
 * but for those that are wanted in two, which stay in temporaries until the end.
 */
#include "import.h"

#include <stdlib.h>

/* --- declarations --- */

static void
declare_icb(struct importer *im, const struct il_inst *inst)
{
   struct shader_code *out = im->c->out;
   const uint32_t words = inst->ndata ? inst->ndata - 1 : 0;

   im->icb = true;
   out->num_icb = (words + 3) / 4;
   out->icb = calloc(out->num_icb ? out->num_icb : 1, 16);
   if (!out->icb)
      ac_fail(im->c, "out of memory");
   if (words)
      memcpy(out->icb, inst->data + 1, 4 * (size_t)words);
}

static void
declare_array(struct importer *im, const struct il_inst *inst)
{
   if (!inst->nsrc || inst->src[0].r.num >= AI_ARRAYS)
      ai_refuse(im, "an array of this number");
   const uint32_t n = inst->src[0].r.num, size = inst->src[0].r.imm;
   if (size > AI_ARRAY_SIZE)
      ai_refuse(im, "an array of more than 64 elements");
   im->array[n].size = size;
   im->array[n].first = im->c->num_regs;
   im->c->num_regs += size;
}

static void
declare(struct importer *im, const struct il_inst *inst)
{
   switch (inst->op) {
   case IL_OP_DCL_LITERAL:
      if (inst->nsrc && inst->ndata >= 4 && inst->src[0].r.num < im->num_literals)
         im->literals[inst->src[0].r.num] = inst->data;
      break;
   case IL_OP_DCL_CONST_BUFFER:
      if (il_immediate(inst) && !im->icb)
         declare_icb(im, inst);
      break;
   case IL_OP_DCL_INDEXED_TEMP_ARRAY:
      declare_array(im, inst);
      break;
   case IL_OP_DCL_RESOURCE: {
      const unsigned n = il_resource(inst);
      if (n >= 32)
         ai_refuse(im, "a resource above 31");
      im->resource[n].declared = true;
      im->resource[n].texels = il_resource_unnorm(inst);
      im->resource[n].type = (uint8_t)il_resource_type(inst);
      im->resource[n].integer = il_resource_format(inst, 0) == IL_ELEMENTFORMAT_SINT ||
                                il_resource_format(inst, 0) == IL_ELEMENTFORMAT_UINT;
      break;
   }
   case IL_OP_DCL_INPUT:
      if (inst->ndst && inst->dst[0].r.type == IL_REGTYPE_INPUT && !inst->dst[0].dim2) {
         if (inst->dst[0].r.num >= AI_SLOTS)
            ai_refuse(im, "an input of this number");
         im->input[inst->dst[0].r.num].declared = true;
         im->input[inst->dst[0].r.num].mode = (uint8_t)il_interp(inst);
      }
      break;
   case IL_OP_DCL_X_STAGE:
      if (il_number(inst) != IL_HW_STAGE_VS)
         ai_refuse(im, "a stage in front of another");
      break;
   case IL_OP_DCL_X_STREAMOUT:
   case IL_OP_DCL_X_STREAMOUT_STRIDE:
      ai_refuse(im, "transform feedback");
   case IL_OP_DCL_GLOBAL_FLAGS:
      if (il_global_flags(inst) & IL_GLOBAL_FLAG_FORCE_EARLY_DEPTH_STENCIL)
         im->c->out->ps.early_depth = im->c->out->stage == SHADER_STAGE_PS;
      break;
   default:
      break;
   }
}

/* --- what is read and written --- */

static void
scan_src(struct importer *im, const struct il_src *src)
{
   const uint32_t n = src->r.num;

   if (src->r.type == IL_REGTYPE_INPUT && src->r.rel == IL_ADDR_REG_RELATIVE)
      for (uint32_t k = 0; k < 64; k++)
         im->input[k].used |= im->input[k].declared ? 15 : 0;
   else if (src->r.type == IL_REGTYPE_INPUT && n < AI_SLOTS)
      for (unsigned c = 0; c < 4; c++)
         if (il_src_swz(src, c) < 4)
            im->input[n].used |= (uint8_t)(1u << il_src_swz(src, c));
   if (src->r.index)
      scan_src(im, src->r.index);
}

static void
scan_dst(struct importer *im, const struct il_dst *dst)
{
   unsigned mask = 0;

   for (unsigned c = 0; c < 4; c++)
      mask |= (unsigned)(il_dst_comp(dst, c) != IL_MODCOMP_NOWRITE) << c;
   if (dst->r.index)
      scan_src(im, dst->r.index);
   switch (dst->r.type) {
   case IL_REGTYPE_OUTPUT:
      if (dst->r.rel == IL_ADDR_ABSOLUTE && dst->r.num < AI_SLOTS)
         im->output[dst->r.num].written |= (uint8_t)mask;
      break;
   case IL_REGTYPE_DEPTH:
      im->depth_reg = 0;
      break;
   case IL_REGTYPE_EDGEFLAG:
      im->edge_reg = 0;
      break;
   default:
      break;
   }
}

/* Those of indices, too. */
static void
count_temps(const struct il_ref *r, uint32_t *temps)
{
   for (; r; r = r->index ? &r->index->r : NULL)
      if (r->type == IL_REGTYPE_TEMP && r->num >= *temps)
         *temps = r->num == UINT32_MAX ? UINT32_MAX : r->num + 1;
}

/* What is read of a temp, and of its indices, as components of *read. */
static void
note_reads(const struct il_src *src, uint8_t *read)
{
   for (unsigned c = 0; c < 4 && src->r.type == IL_REGTYPE_TEMP; c++)
      if (il_src_swz(src, c) < 4)
         read[src->r.num] |= (uint8_t)(1u << il_src_swz(src, c));
   if (src->r.index)
      note_reads(src->r.index, read);
}

/* Components of temps that are read and that nothing writes are 0: registers are shared. */
static void
clear_unwritten(struct importer *im, uint32_t temps)
{
   uint8_t *read = ac_alloc(im->c, temps + 1), *written = ac_alloc(im->c, temps + 1);
   const struct ac_src zero = ac_bits(0);

   il_foreach(inst, im->il)
   {
      for (unsigned k = 0; k < inst->nsrc; k++)
         note_reads(&inst->src[k], read);
      for (unsigned k = 0; k < inst->ndst; k++) {
         const struct il_dst *dst = &inst->dst[k];
         if (dst->r.index)
            note_reads(dst->r.index, read);
         for (unsigned c = 0; c < 4 && dst->r.type == IL_REGTYPE_TEMP; c++)
            if (il_dst_comp(dst, c) != IL_MODCOMP_NOWRITE)
               written[dst->r.num] |= (uint8_t)(1u << c);
      }
   }
   for (uint32_t n = 0; n < temps; n++)
      if (read[n] & ~written[n])
         ac_emit(im->c, ATTILA_MOV, n, read[n] & ~written[n] & 15u, 1, zero, zero, zero);
}

void
ai_scan(struct importer *im)
{
   struct ac_compiler *c = im->c;
   uint32_t temps = 0;

   im->depth_reg = im->edge_reg = AC_NO_REG;
   for (uint32_t n = 0; n < AI_SLOTS; n++)
      im->output[n].reg = AC_NO_REG;
   il_foreach(inst, im->il)
   {
      if (inst->op == IL_OP_DCL_LITERAL && inst->nsrc && inst->src[0].r.num < 1u << 20 &&
          inst->src[0].r.num >= im->num_literals)
         im->num_literals = inst->src[0].r.num + 1;
      for (unsigned k = 0; k < inst->nsrc; k++)
         count_temps(&inst->src[k].r, &temps);
      for (unsigned k = 0; k < inst->ndst; k++)
         count_temps(&inst->dst[k].r, &temps);
   }
   if (temps > 65536)
      ac_fail(c, "not implemented: more than 65536 temporaries");
   c->num_regs = temps;
   im->literals = ac_alloc(c, (im->num_literals + 1) * sizeof(*im->literals));
   for (im->pos = 0; im->pos < im->il->ninsts; im->pos++) {
      const struct il_inst *inst = im->inst = &im->il->insts[im->pos];
      const struct il_op_info *info = il_op_info(inst->op);

      declare(im, inst);
      if (!info || info->flow == IL_FLOW_STATIC) {
         /* Outputs at a run-time index are those that are declared. */
         if (inst->op == IL_OP_DCL_OUTPUT && inst->ndst)
            scan_dst(im, &inst->dst[0]);
         continue;
      }
      for (unsigned s = 0; s < inst->nsrc; s++)
         scan_src(im, &inst->src[s]);
      for (unsigned d = 0; d < inst->ndst; d++)
         scan_dst(im, &inst->dst[d]);
   }
   clear_unwritten(im, temps);
}

/* --- inputs --- */

struct ac_src
ai_input(struct importer *im, uint32_t n)
{
   if (n < AI_SLOTS && im->input[n].used && (im->input[n].declared || im->input[n].value.bank))
      return im->input[n].value;
   struct ac_src none = ac_bits(0);
   none.value[3] = 0x3f800000;
   return none;
}

/* An integer in x; 0, 0 and 1.0 behind it. */
static struct ac_src
number_vector(struct importer *im, struct ac_src x)
{
   struct ac_src rest = ac_bits(0), v = NEW1(MOV, 1, ac_comp(x, 0));

   rest.value[3] = 0x3f800000;
   ac_emit(im->c, ATTILA_MOV, v.reg, 14, 1, rest, rest, rest);
   return v;
}

static void
begin_vs(struct importer *im)
{
   struct ac_compiler *c = im->c;
   struct shader_code *out = c->out;

   for (uint32_t n = 0; n < 32; n++) {
      if (!im->input[n].used || !im->input[n].declared)
         continue;
      out->vs.inputs |= 1u << n;
      out->vs.input_mask[n] = im->input[n].used;
      struct ac_src vertex = ac_comp(ac_register(ATTILA_IN, 0), 0);
      im->input[n].value = NEW2(LDA, im->input[n].used, vertex, ac_register(ATTILA_IN, n));
   }
   out->vs.uses_vertex_id = im->input[IL_VS_INPUT_VERTEX_ID].used;
   out->vs.uses_instance_id = im->input[IL_VS_INPUT_INSTANCE_ID].used;
   if (out->vs.uses_vertex_id) {
      struct ac_src base = ac_comp(ac_register(ATTILA_PARAM2, IL_DRV_DRAW), 3);
      out->const_buffers |= 1u << IL_DRIVER_CB;
      im->input[IL_VS_INPUT_VERTEX_ID].value =
         number_vector(im, NEW2(ADDI, 1, ac_comp(ac_register(ATTILA_IN, 0), 0), base));
   }
   if (out->vs.uses_instance_id)
      im->input[IL_VS_INPUT_INSTANCE_ID].value =
         number_vector(im, ac_comp(ac_register(ATTILA_IN, 0), 1));
   for (uint32_t n = 34; n < AI_SLOTS; n++)
      if (im->input[n].used)
         ai_refuse(im, "a vertex input of this kind");
}

/* The inputs of a mode: the register of parameter 0, and its barycentrics. */
static unsigned
first_input(unsigned mode, unsigned *bary)
{
   switch (mode) {
   case IL_INTERPMODE_LINEAR_CENTROID:
      *bary = SHADER_BARY_PERSP_CENTROID;
      return ATTILA_PS_PERSP_CENTROID;
   case IL_INTERPMODE_LINEAR_NOPERSPECTIVE:
      *bary = SHADER_BARY_LINEAR_CENTER;
      return ATTILA_PS_LINEAR;
   case IL_INTERPMODE_LINEAR_NOPERSPECTIVE_CENTROID:
      *bary = SHADER_BARY_LINEAR_CENTROID;
      return ATTILA_PS_LINEAR_CENTROID;
   default:
      *bary = SHADER_BARY_PERSP_CENTER;
      return ATTILA_PS_PERSP;
   }
}

static void
begin_ps(struct importer *im)
{
   struct ac_compiler *c = im->c;
   struct shader_code *out = c->out;

   out->ps.position_gpr = out->ps.face_gpr = out->ps.fixed_pt_gpr = -1;
   for (uint32_t n = 0; n < IL_LINK_COUNT; n++) {
      const unsigned mode = im->input[n].mode;
      unsigned bary;
      if (!im->input[n].used || n == IL_LINK_POSITION)
         continue;
      if (!im->input[n].declared)
         continue;
      if (mode == IL_INTERPMODE_LINEAR_SAMPLE || mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE)
         ai_refuse(im, "an input that is interpolated at each sample");
      if (out->ps.num_inputs == 32)
         ai_refuse(im, "more than 32 inputs");
      const unsigned first = first_input(mode, &bary), k = out->ps.num_inputs++;
      out->ps.input[k].slot = (uint8_t)n;
      out->ps.input[k].mode =
         mode == IL_INTERPMODE_CONSTANT ? SHADER_INPUT_FLAT
         : mode == IL_INTERPMODE_NOTUSED && n >= IL_LINK_COLOR0 && n <= IL_LINK_BACK_COLOR1
            ? SHADER_INPUT_COLOR
            : SHADER_INPUT_SMOOTH;
      out->ps.bary |= (uint8_t)(1u << bary);
      im->input[n].value = ac_register(ATTILA_IN, first + k);
   }
   if (!out->ps.bary)
      out->ps.bary = 1u << SHADER_BARY_PERSP_CENTER;
   if (im->input[IL_LINK_POSITION].used) {
      struct ac_src in = ac_register(ATTILA_IN, ATTILA_PS_POSITION);
      out->ps.position_gpr = 0;
      im->input[IL_LINK_POSITION].value = in;
      if (im->input[IL_LINK_POSITION].used & 8) {
         struct ac_src v = NEW1(MOV, 7, in);
         ac_emit(c, ATTILA_RCP, v.reg, 8, 1, ac_comp(in, 3), in, in);
         im->input[IL_LINK_POSITION].value = v;
      }
   }
   if (im->input[IL_PS_INPUT_FRONT_FACE].used) {
      struct ac_src in = ac_comp(ac_register(ATTILA_IN, ATTILA_PS_FACE), 0);
      out->ps.face_gpr = 0;
      im->input[IL_PS_INPUT_FRONT_FACE].value = ac_comp(NEW2(SGE, 1, in, ac_float(0)), 0);
   }
   for (uint32_t n = IL_LINK_COUNT; n < AI_SLOTS; n++)
      if (im->input[n].used && n != IL_PS_INPUT_FRONT_FACE)
         ai_refuse(im, "a pixel's input of this kind");
}

/* --- outputs --- */

/* Temporaries that are kept to the end; components that nothing writes are 0, 0, 0 and 1. */
static void
keep_output(struct importer *im, uint32_t n)
{
   im->output[n].bank = ATTILA_TEMP;
   im->output[n].reg = ac_new_reg(im->c);
   ac_emit(im->c, ATTILA_MOV, im->output[n].reg, 15, 1, ac_bits(0), ac_bits(0), ac_bits(0));
}

static void
place_output(struct importer *im, uint32_t n, uint32_t reg)
{
   struct ac_src absent = ac_bits(0);
   const unsigned mask = ~im->output[n].written & 15u;

   absent.value[3] = 0x3f800000;
   im->output[n].bank = ATTILA_OUT;
   im->output[n].reg = reg;
   if (mask && im->c->out->stage == SHADER_STAGE_VS)
      ac_emit(im->c, ATTILA_MOV, reg, mask, 1, absent, absent, absent)->bank = ATTILA_OUT;
}

static void
place_vs_outputs(struct importer *im)
{
   struct shader_code *out = im->c->out;

   place_output(im, IL_LINK_POSITION, 0);
   for (uint32_t n = 1; n < AI_SLOTS; n++) {
      if (!im->output[n].written)
         continue;
      if (n >= IL_LINK_COUNT)
         ai_refuse(im, "an output of this number");
      const bool both = (n >= IL_LINK_CLIP_DISTANCE0 && n <= IL_LINK_CULL_DISTANCE1) ||
                        n == IL_LINK_LAYER || n == IL_LINK_VIEWPORT;
      if (n == IL_LINK_POINT_SIZE || both)
         keep_output(im, n);
      else if (out->vs.num_params < 32)
         place_output(im, n, ATTILA_VS_PARAMETER + out->vs.num_params);
      if (n == IL_LINK_POINT_SIZE)
         continue;
      if (out->vs.num_params == 32)
         ai_refuse(im, "more than 32 parameters");
      out->vs.param_slot[out->vs.num_params++] = (uint8_t)n;
   }
   if (!out->vs.num_params)
      out->vs.param_slot[out->vs.num_params++] = 0xff;
}

void
ai_begin(struct importer *im)
{
   struct ac_compiler *c = im->c;

   im->inst = NULL;
   if (im->depth_reg != AC_NO_REG)
      im->depth_reg = ac_new_reg(c);
   if (im->edge_reg != AC_NO_REG)
      im->edge_reg = ac_new_reg(c);
   if (c->out->stage == SHADER_STAGE_VS) {
      place_vs_outputs(im);
      begin_vs(im);
      return;
   }
   for (uint32_t n = 0; n < AI_SLOTS; n++) {
      if (!im->output[n].written)
         continue;
      if (n >= 8)
         ai_refuse(im, "a colour above 7");
      place_output(im, n, n);
      c->out->ps.color_mask |= (uint32_t)im->output[n].written << 4 * n;
      c->out->ps.num_colors = n + 1;
   }
   begin_ps(im);
}

static void
emit_position(struct importer *im, uint32_t reg, unsigned mask, struct ac_src v)
{
   ac_emit(im->c, ATTILA_MOV, reg, mask, 1, v, v, v)->bank = ATTILA_OUT;
}

/* Clip distances where their numbers are, cull distances behind them. */
static void
finish_distances(struct importer *im, unsigned *pos)
{
   struct shader_code *out = im->c->out;
   unsigned n = 0;

   for (unsigned k = 0; k < 4; k++) {
      const uint32_t slot = IL_LINK_CLIP_DISTANCE0 + k;
      for (unsigned c = 0; c < 4 && im->output[slot].written; c++) {
         if (!(im->output[slot].written >> c & 1) || n >= 8)
            continue;
         if (k < 2)
            n = 4 * k + c;
         emit_position(im, *pos + n / 4, 1u << n % 4, ac_comp(ac_temp(im->output[slot].reg), c));
         if (k < 2)
            out->vs.clip_dist |= (uint8_t)(1u << n);
         else
            out->vs.cull_dist |= (uint8_t)(1u << n);
         n++;
      }
   }
   const unsigned all = out->vs.clip_dist | out->vs.cull_dist;
   /* Vectors lie one behind the other: the first is there if the second is. */
   out->vs.ccdist0 = all != 0;
   out->vs.ccdist1 = all > 15;
   for (unsigned v = 0; v < 1u + out->vs.ccdist1 && all; v++)
      out->vs.pos_exports |= (uint8_t)(1u << (*pos)++);
}

static void
finish_vs(struct importer *im)
{
   struct ac_compiler *c = im->c;
   struct shader_code *out = c->out;
   unsigned pos = 1;

   out->vs.pos_exports = 1;
   out->vs.writes_point_size = im->output[IL_LINK_POINT_SIZE].written & 1;
   out->vs.writes_edge_flag = im->edge_reg != AC_NO_REG;
   out->vs.writes_layer = im->output[IL_LINK_LAYER].written & 1;
   out->vs.writes_viewport = im->output[IL_LINK_VIEWPORT].written & 1;
   if (out->vs.writes_point_size || out->vs.writes_edge_flag || out->vs.writes_layer ||
       out->vs.writes_viewport) {
      if (out->vs.writes_point_size)
         emit_position(im, pos, 1, ac_comp(ac_temp(im->output[IL_LINK_POINT_SIZE].reg), 0));
      if (out->vs.writes_edge_flag) {
         struct ac_src v = NEW1(MOV, 1, ac_comp(ac_temp(im->edge_reg), 0));
         c->insts[c->num_insts - 1].sat = true;
         ac_emit(c, ATTILA_ARL, 3, 1, 1, ac_comp(v, 0), v, v)->bank = ATTILA_ADDR;
         emit_position(im, pos, 2, ac_comp(ac_register(ATTILA_ADDR, 3), 0));
      }
      if (out->vs.writes_layer)
         emit_position(im, pos, 4, ac_comp(ac_temp(im->output[IL_LINK_LAYER].reg), 0));
      if (out->vs.writes_viewport)
         emit_position(im, pos, 8, ac_comp(ac_temp(im->output[IL_LINK_VIEWPORT].reg), 0));
      out->vs.pos_exports |= (uint8_t)(1u << pos++);
   }
   finish_distances(im, &pos);
   for (unsigned k = 0; k < out->vs.num_params; k++) {
      const unsigned slot = out->vs.param_slot[k];
      if (slot < AI_SLOTS && im->output[slot].bank == ATTILA_TEMP)
         emit_position(im, ATTILA_VS_PARAMETER + k, 15, ac_temp(im->output[slot].reg));
   }
}

void
ai_finish(struct importer *im)
{
   struct ac_compiler *c = im->c;

   if (c->out->stage == SHADER_STAGE_VS) {
      finish_vs(im);
   } else if (im->depth_reg != AC_NO_REG) {
      struct ac_src z = ac_comp(ac_temp(im->depth_reg), 0);
      ac_emit(c, ATTILA_ZXP, 0, 0, 1, z, z, z);
      c->out->ps.exports_z = true;
   }
   ac_emit(c, ATTILA_END, 0, 0, 0, ac_bits(0), ac_bits(0), ac_bits(0));
}

/* --- system values and discards --- */

static void
discard(struct importer *im, const struct il_inst *inst)
{
   struct ac_compiler *c = im->c;
   struct ac_src v = ai_truth(im, &inst->src[0], 0);

   /* Below zero where the pixel goes. */
   if (inst->op == IL_OP_DISCARD_LOGICALNZ)
      v = ac_neg(v);
   else
      v = ac_comp(NEW2(ADD, 1, v, ac_float(-1)), 0);
   ac_emit(c, ATTILA_KIL, 0, 0, 1, v, v, v);
}

static const struct {
   uint8_t id, vector, comp;
} sysvals[] = {
   { IL_SYSVAL_BASE_VERTEX, IL_DRV_DRAW, 0 },      { IL_SYSVAL_BASE_INSTANCE, IL_DRV_DRAW, 1 },
   { IL_SYSVAL_DRAW_ID, IL_DRV_DRAW, 2 },          { IL_SYSVAL_FIRST_VERTEX, IL_DRV_DRAW, 3 },
   { IL_SYSVAL_IS_INDEXED_DRAW, IL_DRV_DRAW2, 0 }, { IL_SYSVAL_NUM_SAMPLES, IL_DRV_DRAW2, 1 },
};

bool
ai_system(struct importer *im, const struct il_inst *inst)
{
   struct ac_compiler *c = im->c;

   switch (inst->op) {
   case IL_OP_DISCARD_LOGICALZ:
   case IL_OP_DISCARD_LOGICALNZ:
   case IL_OP_KILL:
      if (c->out->stage != SHADER_STAGE_PS)
         ai_refuse(im, "a discard outside a pixel shader");
      c->out->ps.kills = true;
      if (inst->op == IL_OP_KILL && il_kill_sample(inst))
         return false;
      if (inst->op == IL_OP_KILL) {
         struct ac_src v = ai_src(im, &inst->src[0], 15);
         ac_emit(c, ATTILA_KIL, 0, 0, 1, v, v, v);
      } else {
         discard(im, inst);
      }
      return true;
   case IL_OP_X_SYSVAL:
      for (unsigned n = 0; n < sizeof(sysvals) / sizeof(sysvals[0]); n++) {
         if (sysvals[n].id != il_number(inst))
            continue;
         struct ac_src v = ac_comp(ac_register(ATTILA_PARAM2, sysvals[n].vector), sysvals[n].comp);
         struct ai_target t = ai_target(im, &inst->dst[0]);
         c->out->const_buffers |= 1u << IL_DRIVER_CB;
         ai_op(im, &t, 15, ATTILA_MOV, 1, v, v, v);
         ai_done(im, &inst->dst[0], &t);
         return true;
      }
      return false;
   default:
      return false;
   }
}
