/* SPDX-License-Identifier: MIT */
/*
 * Import of declarations, inputs and system values; outputs are in import_out.c.
 *
 * Vertex shaders: R0 holds vertex id (x), primitive id (z) and instance id (w); element i is in
 * R(1+i) after CALL_FS.  Pixel shaders: barycentric pairs, then position, front face and coverage,
 * sample index, each in a GPR of its own, as SPI is told to load them.  Interpolation happens once,
 * at the top.
 */
#include "import.h"

#include <stdlib.h>
#include <string.h>

/* The values go to the driver, which appends them to constant buffer 15. */
static void
declare_icb(struct importer *im, const struct il_inst *inst)
{
   struct shader_code *out = im->c->out;
   uint32_t words = inst->ndata ? inst->ndata - 1 : 0;

   out->num_icb = (words + 3) / 4;
   out->icb = calloc(out->num_icb ? out->num_icb : 1, 16);
   if (!out->icb)
      cc_fail(im->c, "out of memory");
   if (words)
      memcpy(out->icb, inst->data + 1, (size_t)words * 4);
}

void
im_declare(struct importer *im, const struct il_inst *inst)
{
   struct compiler *c = im->c;

   switch (inst->op) {
   case IL_OP_DCL_LITERAL:
      if (inst->nsrc && inst->ndata >= 4)
         im->literals[inst->src[0].r.num] = inst->data;
      break;
   case IL_OP_DEF:
   case IL_OP_DEFB:
      if (inst->ndst && inst->ndata >= (inst->op == IL_OP_DEF ? 4u : 1u)) {
         if (im->num_defs == 512)
            im_unsupported(im, "more than 512 defined constants");
         im->defs = cc_grow(c, im->defs, im->num_defs, &im->cap_defs, sizeof(*im->defs));
         im->defs[im->num_defs++] = inst;
      }
      break;
   case IL_OP_DCL_CONST_BUFFER:
      if (il_immediate(inst) && !im->icb && !c->copy) {
         im->icb = inst;
         declare_icb(im, inst);
      }
      break;
   case IL_OP_DCLPT:
      im_stage_declare(im, inst);
      break;
   case IL_OP_DCL_RESOURCE: {
      unsigned n = il_resource(inst);
      if (n >= 32)
         im_unsupported(im, "resource above 31");
      im->resource[n].declared = true;
      im->resource[n].unnorm = il_resource_unnorm(inst);
      im->resource[n].type = il_resource_type(inst);
      im->resource[n].integer = il_resource_format(inst, 0) == IL_ELEMENTFORMAT_SINT ||
                                il_resource_format(inst, 0) == IL_ELEMENTFORMAT_UINT;
      break;
   }
   case IL_OP_DCL_INPUT: {
      if (!inst->ndst || inst->dst[0].r.type != IL_REGTYPE_INPUT || inst->dst[0].dim2)
         break; /* vCoverageMask and the like need no declaration here */
      uint32_t n = inst->dst[0].r.num;
      if (n >= MAX_INPUTS)
         im_unsupported(im, "input register out of range");
      im->input[n].declared = true;
      im->input[n].place = il_place(im->il, im->pos);
      im->input[n].mode = il_interp(inst);
      im->input[n].usage = il_usage(inst);
      break;
   }
   case IL_OP_DCL_OUTPUT: {
      if (!inst->ndst || inst->dst[0].r.type != IL_REGTYPE_OUTPUT)
         break;
      uint32_t n = inst->dst[0].r.num;
      if (n >= MAX_OUTPUTS)
         im_unsupported(im, "output register out of range");
      im->out_declared[n] |= il_dst_mask(&inst->dst[0]);
      im->out_usage[n] = il_usage(inst);
      break;
   }
   case IL_OP_DCL_GLOBAL_FLAGS:
      if (il_global_flags(inst) & IL_GLOBAL_FLAG_FORCE_EARLY_DEPTH_STENCIL &&
          c->out->stage == SHADER_STAGE_PS)
         c->out->ps.early_depth = true;
      break;
   case IL_OP_DCL_X_STAGE:
      if (il_number(inst) == IL_HW_STAGE_ES)
         c->out->stage = SHADER_STAGE_ES;
      else if (il_number(inst) == IL_HW_STAGE_LS && !c->out->tess.domain_shader)
         c->out->stage = SHADER_STAGE_LS;
      else if (il_number(inst) != IL_HW_STAGE_VS)
         im_unsupported(im, "hardware stage");
      break;
   default:
      im_cs_declare(im, inst);
      im_tess_declare(im, inst);
      im_gds_declare(im, inst);
      im_gs_declare(im, inst);
      break;
   }
}

/* --- which inputs are read -------------------------------------------------------------------- */

static void
scan_src(struct importer *im, const struct il_src *src, unsigned mask)
{
   uint32_t reg = src->dim2 ? src->dim2->num : src->r.num;
   if (src->has_mod && src->divcomp != IL_DIVCOMP_NONE)
      mask = 15; /* one component divides the others */
   im_tess_scan_src(im, src);
   if (src->r.type == IL_REGTYPE_INPUT && src->r.rel == IL_ADDR_REG_RELATIVE && !src->dim2)
      for (uint32_t n = im->in_array.first; n <= im->in_array.last; n++)
         im->input[n].used |= im->input[n].declared ? 15 : 0;
   if (src->r.type == IL_REGTYPE_INPUT && reg < MAX_INPUTS) {
      for (unsigned c = 0; c < 4; c++) {
         unsigned sel = il_src_swz(src, c);
         if ((mask >> c & 1) && sel < 4)
            im->input[reg].used |= 1u << sel;
      }
   }
   if (src->r.type == IL_REGTYPE_INPUT_COVERAGE_MASK) {
      im->c->out->ps.face_gpr = 0; /* wanted; numbered in im_begin() */
      im->c->out->ps.fixed_pt_gpr = 0;
   }
   if (src->r.rel == IL_ADDR_REG_RELATIVE && src->r.index)
      scan_src(im, src->r.index, 1);
}

static bool
is_linear(unsigned mode)
{
   return mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE ||
          mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE_CENTROID ||
          mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE;
}

/* The barycentrics from which eval_* finds an input's value elsewhere in the pixel. */
static unsigned
eval_bary(unsigned op, unsigned mode)
{
   if (op == IL_OP_EVAL_CENTROID)
      return is_linear(mode) ? SHADER_BARY_LINEAR_CENTROID : SHADER_BARY_PERSP_CENTROID;
   return is_linear(mode) ? SHADER_BARY_LINEAR_CENTER : SHADER_BARY_PERSP_CENTER;
}

static void
note_eval(struct importer *im, const struct il_inst *inst)
{
   if (inst->op != IL_OP_EVAL_CENTROID && inst->op != IL_OP_EVAL_SNAPPED &&
       inst->op != IL_OP_EVAL_SAMPLE_INDEX)
      return;
   if (im->c->out->stage != SHADER_STAGE_PS || inst->src[0].r.type != IL_REGTYPE_INPUT ||
       inst->src[0].r.num >= IL_LINK_COUNT || inst->src[0].r.num == IL_LINK_POSITION ||
       inst->src[0].r.rel != IL_ADDR_ABSOLUTE)
      im_unsupported(im, "operand of an interpolation");
   im->c->out->ps.bary |= 1u << eval_bary(inst->op, im->input[inst->src[0].r.num].mode);
}

void
im_scan_inputs(struct importer *im)
{
   struct shader_code *out = im->c->out;

   if (out->stage == SHADER_STAGE_PS)
      out->ps.position_gpr = out->ps.face_gpr = out->ps.fixed_pt_gpr = -1;
   for (im->pos = 0; im->pos < im->il->ninsts; im->pos++) {
      const struct il_inst *inst = im->inst = &im->il->insts[im->pos];
      const struct il_op_info *info = il_op_info(inst->op);
      if (!info || info->category == IL_CAT_DECL)
         continue;
      for (unsigned s = 0; s < inst->nsrc; s++)
         scan_src(im, &inst->src[s], im_src_mask(im, inst, s));
      for (unsigned d = 0; d < inst->ndst; d++)
         if (inst->dst[d].r.index)
            scan_src(im, inst->dst[d].r.index, 1);
      note_eval(im, inst);
      if (inst->op == IL_OP_X_SYSVAL && il_number(inst) == IL_SYSVAL_SAMPLE_POS)
         im->input[IL_PS_INPUT_SAMPLE_INDEX].used = 1;
   }
}

/* --- pixel shader inputs ---------------------------------------------------------------------- */

static int
bary_of(unsigned mode)
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

static bool
is_system_input(unsigned reg)
{
   return reg == IL_LINK_POSITION || reg == IL_PS_INPUT_FRONT_FACE ||
          reg == IL_PS_INPUT_SAMPLE_INDEX;
}

static void
interpolate_pair(struct importer *im, unsigned param, unsigned mask, const value_id ij[2],
                 unsigned first, value_id result[4])
{
   struct compiler *c = im->c;
   unsigned used = mask >> first & 3;
   bool single = used == 1; /* only x of the pair: two slots do */
   unsigned op = first == 0 ? (single ? CAYMAN_ALU_INTERP_X : CAYMAN_ALU_INTERP_XY)
                            : (single ? CAYMAN_ALU_INTERP_Z : CAYMAN_ALU_INTERP_ZW);

   if (!used)
      return;
   struct inst *inst = cc_alu_inst(c, SHAPE_FIXED, single ? 2 : 4);
   for (unsigned l = 0; l < inst->num_lanes; l++) {
      unsigned slot = single ? first + l : l;
      struct lane *lane = &inst->lane[l];
      lane->op = op;
      lane->slot = slot;
      /* Even slots add J, odd slots I (7.3.2, with the names set right). */
      lane->src[0] = op_value(ij[!(slot & 1)]);
      lane->src[1] = op_special(CAYMAN_SRC_PARAM + param, slot);
      if (slot >= first && slot < first + 2 && (used >> (slot - first) & 1)) {
         lane->dst = cc_value(c);
         c->values[lane->dst].def = inst;
         cc_pin(c, lane->dst, slot);
         result[slot] = lane->dst;
      }
   }
}

static void
interpolate_at(struct importer *im, unsigned param, unsigned mask, value_id i, value_id j,
               value_id result[4])
{
   const value_id ij[2] = { i, j };
   interpolate_pair(im, param, mask, ij, 0, result);
   interpolate_pair(im, param, mask, ij, 2, result);
}

static void
interpolate(struct importer *im)
{
   struct compiler *c = im->c;

   for (unsigned n = 0; n < IL_LINK_COUNT; n++) {
      struct ps_interp *in = &im->input[n];
      if (!in->used || is_system_input(n))
         continue;
      c->place = in->declared ? in->place : c->entry;
      int bary = bary_of(in->mode);
      if (bary < 0) {
         for (unsigned i = 0; i < 4; i++) {
            if (in->used >> i & 1) {
               struct inst *inst = cc_alu_inst(c, SHAPE_FIXED, 1);
               inst->lane[0].op = CAYMAN_ALU_INTERP_LOAD_P0;
               inst->lane[0].slot = i;
               inst->lane[0].src[0] = op_special(CAYMAN_SRC_PARAM + in->param, i);
               inst->lane[0].dst = in->value[i] = cc_value(c);
               c->values[in->value[i]].def = inst;
               cc_pin(c, in->value[i], i);
            }
         }
      } else {
         interpolate_at(im, in->param, in->used, im->bary_i[bary], im->bary_j[bary], in->value);
      }
   }
   c->place = c->entry;
}

static void
begin_ps(struct importer *im)
{
   struct compiler *c = im->c;
   struct shader_code *out = c->out;
   unsigned pairs = 0;

   for (unsigned n = 0; n < IL_LINK_COUNT; n++) {
      struct ps_interp *in = &im->input[n];
      if (!in->used || is_system_input(n))
         continue;
      if (out->ps.num_inputs == 32)
         im_unsupported(im, "more than 32 interpolated inputs");
      in->param = out->ps.num_inputs++;
      out->ps.input[in->param].slot = n;
      out->ps.input[in->param].mode =
         in->mode == IL_INTERPMODE_CONSTANT ? SHADER_INPUT_FLAT
         : in->mode == IL_INTERPMODE_NOTUSED && n >= IL_LINK_COLOR0 && n <= IL_LINK_BACK_COLOR1
            ? SHADER_INPUT_COLOR
            : SHADER_INPUT_SMOOTH;
      if (bary_of(in->mode) >= 0)
         out->ps.bary |= 1u << bary_of(in->mode);
      out->ps.per_sample |= in->mode == IL_INTERPMODE_LINEAR_SAMPLE ||
                            in->mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE;
   }
   if (!out->ps.bary)
      out->ps.bary = 1u << SHADER_BARY_PERSP_CENTER; /* SPI must load something */
   for (unsigned b = 0; b < SHADER_BARY_COUNT; b++) {
      if (out->ps.bary >> b & 1) {
         /* In a pair I is in the even channel, J in the odd one. */
         im->bary_i[b] = cc_input(c, pairs / 2, pairs % 2 * 2);
         im->bary_j[b] = cc_input(c, pairs / 2, pairs % 2 * 2 + 1);
         pairs++;
      }
   }
   unsigned gpr = (pairs + 1) / 2;
   if (im->input[IL_LINK_POSITION].used) {
      out->ps.position_gpr = gpr;
      for (unsigned i = 0; i < 4; i++)
         im->position[i] = cc_input(c, gpr, i);
      gpr++;
   }
   if (im->input[IL_PS_INPUT_FRONT_FACE].used || out->ps.face_gpr >= 0) {
      out->ps.face_gpr = gpr;
      for (unsigned i = 0; i < 4; i++)
         im->face[i] = cc_input(c, gpr, i);
      gpr++;
   }
   if (im->input[IL_PS_INPUT_SAMPLE_INDEX].used || out->ps.fixed_pt_gpr >= 0) {
      out->ps.per_sample |= im->input[IL_PS_INPUT_SAMPLE_INDEX].used != 0;
      out->ps.fixed_pt_gpr = gpr;
      for (unsigned i = 0; i < 4; i++)
         im->fixed_pt[i] = cc_input(c, gpr, i);
      gpr++;
   }
   c->first_free_gpr = gpr;

   if (im->input[IL_LINK_POSITION].used & 8)
      im->fragcoord_w = im_emit1(im, CAYMAN_ALU_RECIP_IEEE, op_value(im->position[3]));
   if (im->input[IL_PS_INPUT_FRONT_FACE].used)
      im->front_face = im_emit2(im, CAYMAN_ALU_SETGT_DX10, op_value(im->face[0]), op_const(0));
   interpolate(im);
}

static void
begin_vs(struct importer *im)
{
   struct compiler *c = im->c;
   struct shader_code *out = c->out;
   unsigned gprs = 1;

   for (unsigned n = 0; n < 32; n++) {
      struct ps_interp *in = &im->input[n];
      if (in->used) {
         out->vs.inputs |= 1u << n;
         out->vs.input_mask[n] = in->used;
         for (unsigned i = 0; i < 4; i++)
            if (in->used >> i & 1)
               in->value[i] = cc_input(c, CAYMAN_VS_INPUT_GPR(n), i);
         gprs = CAYMAN_VS_INPUT_GPR(n) + 1;
      }
   }
   if (im->input[IL_VS_INPUT_VERTEX_ID].used) {
      im->input[IL_VS_INPUT_VERTEX_ID].value[0] = cc_input(c, 0, 0);
      out->vs.uses_vertex_id = true;
   }
   if (im->input[IL_VS_INPUT_PRIMITIVE_ID].used) {
      im->input[IL_VS_INPUT_PRIMITIVE_ID].value[0] = cc_input(c, 0, 2);
      out->vs.uses_primitive_id = true;
   }
   if (im->input[IL_VS_INPUT_INSTANCE_ID].used) {
      im->input[IL_VS_INPUT_INSTANCE_ID].value[0] = cc_input(c, 0, 3);
      out->vs.uses_instance_id = true;
   }
   c->first_free_gpr = gprs;
   if (out->stage == SHADER_STAGE_LS)
      im->tess_reg[1] = cc_input(c, 0, 1);
}

void
im_begin(struct importer *im)
{
   im->inst = NULL;
   if (im->c->out->tess.domain_shader) {
      im_tess_begin(im);
      return;
   }
   switch (im->c->out->stage) {
   case SHADER_STAGE_HS:
      im_tess_begin(im);
      break;
   case SHADER_STAGE_PS:
      begin_ps(im);
      break;
   case SHADER_STAGE_GS:
      im_gs_begin(im);
      break;
   case SHADER_STAGE_CS:
      im_cs_begin(im);
      break;
   default:
      begin_vs(im);
   }
}

struct cc_operand
im_input(struct importer *im, unsigned reg, unsigned comp)
{
   if (im->c->out->stage == SHADER_STAGE_PS) {
      if (reg == IL_LINK_POSITION)
         return op_value(comp == 3 ? im->fragcoord_w : im->position[comp]);
      if (reg == IL_PS_INPUT_FRONT_FACE)
         return op_value(im->front_face);
      if (reg == IL_PS_INPUT_SAMPLE_INDEX)
         return op_value(im->fixed_pt[3]);
   }
   if (reg >= MAX_INPUTS || !im->input[reg].value[comp])
      return op_const(comp == 3 ? 0x3f800000 : 0);
   return op_value(im->input[reg].value[comp]);
}

struct cc_operand
im_coverage(struct importer *im)
{
   if (!im->face[2])
      im_unsupported(im, "coverage mask outside a pixel shader");
   return op_value(im->face[2]);
}

/* --- interpolation elsewhere in the pixel ----------------------------------------------------- */

/* A pixel input at its centroid, at a sample, or at an offset from the centre: barycentrics of the
 * centre and their change along the window's axes give those of the other place. */
bool
im_evaluate(struct importer *im, const struct il_inst *inst)
{
   struct cc_operand result[4], offset[2];

   if (inst->op != IL_OP_EVAL_CENTROID && inst->op != IL_OP_EVAL_SNAPPED &&
       inst->op != IL_OP_EVAL_SAMPLE_INDEX)
      return false;
   const struct ps_interp *in = &im->input[inst->src[0].r.num];
   unsigned bary = eval_bary(inst->op, in->mode), mask = il_dst_mask(&inst->dst[0]), read = 0;
   value_id ij[2] = { im->bary_i[bary], im->bary_j[bary] }, value[4] = { 0 };

   if (bary_of(in->mode) < 0) {
      for (unsigned i = 0; i < 4; i++)
         result[i] = mask >> i & 1 ? im_src(im, &inst->src[0], i) : op_const(0); /* flat */
      im_store(im, &inst->dst[0], result);
      return true;
   }
   if (inst->op != IL_OP_EVAL_CENTROID) {
      struct cc_operand slope[2][4];
      for (unsigned axis = 0; axis < 2; axis++) {
         im_gradient(im, axis, ij, slope[axis]);
         if (inst->op == IL_OP_EVAL_SAMPLE_INDEX) {
            struct cc_operand id = im_plain(im, im_src(im, &inst->src[1], 0));
            offset[axis] = op_value(
               im_emit2(im, CAYMAN_ALU_ADD, im_sample_position(im, id, axis), op_float(-0.5f)));
         } else {
            offset[axis] = im_src(im, &inst->src[1], axis);
         }
      }
      for (unsigned k = 0; k < 2; k++) {
         struct cc_operand moved = op_value(im_emit3(im, CAYMAN_ALU_MULADD_IEEE, slope[0][k],
                                                     im_plain(im, offset[0]), op_value(ij[k])));
         ij[k] = im_emit3(im, CAYMAN_ALU_MULADD_IEEE, slope[1][k], im_plain(im, offset[1]), moved);
      }
   }
   for (unsigned i = 0; i < 4; i++) {
      unsigned sel = il_src_swz(&inst->src[0], i);
      read |= (mask >> i & 1) && sel < 4 ? 1u << sel : 0;
   }
   interpolate_at(im, in->param, read, ij[0], ij[1], value);
   for (unsigned i = 0; i < 4; i++) {
      unsigned sel = il_src_swz(&inst->src[0], i);
      result[i] = !(mask >> i & 1) || sel == IL_COMPSEL_0 ? op_const(0)
                  : sel == IL_COMPSEL_1                   ? op_const(0x3f800000)
                                                          : op_value(value[sel & 3]);
   }
   im_store(im, &inst->dst[0], result);
   return true;
}
