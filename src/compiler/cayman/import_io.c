/* SPDX-License-Identifier: MIT */
/*
 * Import of inputs; outputs are in import_out.c.
 *
 * Vertex shaders: R0 holds vertex id (x), primitive id (z) and instance id (w); element i is in
 * R(1+i) after CALL_FS.  Pixel shaders: barycentric pairs, then position, front face and coverage,
 * sample index, each in a GPR of its own, as SPI is told to load them.  Interpolation happens once,
 * at the top.
 */
#include "import.h"

/* --- which inputs are read -------------------------------------------------------------------- */

static void
note_read(const struct il_src *src, unsigned mask, void *data)
{
   struct importer *im = data;
   uint32_t reg = src->dim2 ? src->dim2->num : src->r.num;

   if (src->r.type == IL_REGTYPE_INPUT && src->r.rel == IL_ADDR_REG_RELATIVE && !src->dim2)
      for (uint32_t n = im->in_array.first; n <= im->in_array.last; n++)
         im->used[n] |= im->decl.input[n].declared ? 15 : 0;
   if (src->r.type == IL_REGTYPE_INPUT && reg < MAX_INPUTS)
      im->used[reg] |= il_swizzled_mask(src, mask);
   if (src->r.type == IL_REGTYPE_INPUT_COVERAGE_MASK) {
      im->c->out->ps.face_gpr = 0; /* wanted; numbered in im_begin() */
      im->c->out->ps.fixed_pt_gpr = 0;
   }
}

/* The barycentrics from which eval_* finds an input's value elsewhere in the pixel. */
static unsigned
eval_bary(unsigned op, unsigned mode)
{
   if (op == IL_OP_EVAL_CENTROID)
      return front_is_linear(mode) ? SHADER_BARY_LINEAR_CENTROID : SHADER_BARY_PERSP_CENTROID;
   return front_is_linear(mode) ? SHADER_BARY_LINEAR_CENTER : SHADER_BARY_PERSP_CENTER;
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
   im->c->out->ps.bary |= 1u << eval_bary(inst->op, im->decl.input[inst->src[0].r.num].mode);
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
      il_visit_reads(&im->decl, inst, note_read, im);
      note_eval(im, inst);
      if (inst->op == IL_OP_X_SYSVAL && il_number(inst) == IL_SYSVAL_SAMPLE_POS)
         im->used[IL_PS_INPUT_SAMPLE_INDEX] = 1;
   }
}

/* --- pixel shader inputs ---------------------------------------------------------------------- */

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
      const struct il_declared_input *in = &im->decl.input[n];
      if (!im->used[n] || front_is_system_input(n))
         continue;
      c->place = in->declared ? il_place(im->il, in->inst) : c->entry;
      int bary = front_bary(in->mode);
      if (bary < 0) {
         for (unsigned i = 0; i < 4; i++) {
            if (im->used[n] >> i & 1) {
               struct inst *inst = cc_alu_inst(c, SHAPE_FIXED, 1);
               inst->lane[0].op = CAYMAN_ALU_INTERP_LOAD_P0;
               inst->lane[0].slot = i;
               inst->lane[0].src[0] = op_special(CAYMAN_SRC_PARAM + im->param[n], i);
               inst->lane[0].dst = im->input[n][i] = cc_value(c);
               c->values[im->input[n][i]].def = inst;
               cc_pin(c, im->input[n][i], i);
            }
         }
      } else {
         interpolate_at(im, im->param[n], im->used[n], im->bary_i[bary], im->bary_j[bary],
                        im->input[n]);
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

   const char *wrong = front_number_parameters(out, &im->decl, im->used, im->param);
   if (wrong)
      im_unsupported(im, wrong);
   for (unsigned k = 0; k < out->ps.num_inputs; k++) {
      const int bary = front_bary(im->decl.input[out->ps.input[k].slot].mode);
      if (bary >= 0)
         out->ps.bary |= 1u << bary;
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
   if (im->used[IL_LINK_POSITION]) {
      out->ps.position_gpr = gpr;
      for (unsigned i = 0; i < 4; i++)
         im->position[i] = cc_input(c, gpr, i);
      gpr++;
   }
   if (im->used[IL_PS_INPUT_FRONT_FACE] || out->ps.face_gpr >= 0) {
      out->ps.face_gpr = gpr;
      for (unsigned i = 0; i < 4; i++)
         im->face[i] = cc_input(c, gpr, i);
      gpr++;
   }
   if (im->used[IL_PS_INPUT_SAMPLE_INDEX] || out->ps.fixed_pt_gpr >= 0) {
      out->ps.per_sample |= im->used[IL_PS_INPUT_SAMPLE_INDEX] != 0;
      out->ps.fixed_pt_gpr = gpr;
      for (unsigned i = 0; i < 4; i++)
         im->fixed_pt[i] = cc_input(c, gpr, i);
      gpr++;
   }
   c->first_free_gpr = gpr;

   if (im->used[IL_LINK_POSITION] & 8)
      im->fragcoord_w = im_emit1(im, CAYMAN_ALU_RECIP_IEEE, op_value(im->position[3]));
   if (im->used[IL_PS_INPUT_FRONT_FACE])
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
      if (im->used[n]) {
         out->vs.inputs |= 1u << n;
         out->vs.input_mask[n] = im->used[n];
         for (unsigned i = 0; i < 4; i++)
            if (im->used[n] >> i & 1)
               im->input[n][i] = cc_input(c, CAYMAN_VS_INPUT_GPR(n), i);
         gprs = CAYMAN_VS_INPUT_GPR(n) + 1;
      }
   }
   if (im->used[IL_VS_INPUT_VERTEX_ID]) {
      im->input[IL_VS_INPUT_VERTEX_ID][0] = cc_input(c, 0, 0);
      out->vs.uses_vertex_id = true;
   }
   if (im->used[IL_VS_INPUT_PRIMITIVE_ID]) {
      im->input[IL_VS_INPUT_PRIMITIVE_ID][0] = cc_input(c, 0, 2);
      out->vs.uses_primitive_id = true;
   }
   if (im->used[IL_VS_INPUT_INSTANCE_ID]) {
      im->input[IL_VS_INPUT_INSTANCE_ID][0] = cc_input(c, 0, 3);
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
   if (reg >= MAX_INPUTS || !im->input[reg][comp])
      return op_const(comp == 3 ? 0x3f800000 : 0);
   return op_value(im->input[reg][comp]);
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
 * centre and their change along the window's axes give those of the other position. */
bool
im_evaluate(struct importer *im, const struct il_inst *inst)
{
   struct cc_operand result[4], offset[2];

   if (inst->op != IL_OP_EVAL_CENTROID && inst->op != IL_OP_EVAL_SNAPPED &&
       inst->op != IL_OP_EVAL_SAMPLE_INDEX)
      return false;
   const unsigned number = inst->src[0].r.num, mode = im->decl.input[number].mode;
   unsigned bary = eval_bary(inst->op, mode), mask = il_dst_mask(&inst->dst[0]), read = 0;
   value_id ij[2] = { im->bary_i[bary], im->bary_j[bary] }, value[4] = { 0 };

   if (front_bary(mode) < 0) {
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
   interpolate_at(im, im->param[number], read, ij[0], ij[1], value);
   for (unsigned i = 0; i < 4; i++) {
      unsigned sel = il_src_swz(&inst->src[0], i);
      result[i] = !(mask >> i & 1) || sel == IL_COMPSEL_0 ? op_const(0)
                  : sel == IL_COMPSEL_1                   ? op_const(0x3f800000)
                                                          : op_value(value[sel & 3]);
   }
   im_store(im, &inst->dst[0], result);
   return true;
}
