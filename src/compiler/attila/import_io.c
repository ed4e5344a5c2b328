/* SPDX-License-Identifier: MIT */
/*
 * Import of declarations, inputs and outputs (docs/attila-chip.rst), system values and discards.
 *
 * Vertex elements that are read are loaded at the top.  Outputs go to their registers at once,
 * but for those that are wanted in two, which stay in temporaries until the end.
 */
#include "import.h"

/* --- declarations --- */

static void *
allocate(void *data, size_t bytes)
{
   struct importer *im = data;
   return ac_alloc(im->c, bytes);
}

static void
refuse(void *data, uint32_t inst, const char *what)
{
   struct importer *im = data;
   im->inst = &im->il->insts[inst];
   im->pos = inst;
   ai_refuse(im, what);
}

static void
declare_array(struct importer *im, const struct il_inst *inst)
{
   if (!inst->nsrc || inst->src[0].r.num >= AI_ARRAYS)
      ai_refuse(im, "an array of this number");
   if (inst->src[0].r.imm > AI_ARRAY_SIZE)
      ai_refuse(im, "an array of more than 64 elements");
   im->array[inst->src[0].r.num] = im->c->num_regs;
   im->c->num_regs += inst->src[0].r.imm;
}

/* What other chips have and this one has not. */
static void
declare(struct importer *im, const struct il_inst *inst)
{
   switch (inst->op) {
   case IL_OP_DCL_INDEXED_TEMP_ARRAY:
      declare_array(im, inst);
      break;
   case IL_OP_DCL_X_STAGE:
      if (il_number(inst) != IL_HW_STAGE_VS)
         ai_refuse(im, "a stage in front of another");
      break;
   case IL_OP_DCL_X_STREAMOUT:
   case IL_OP_DCL_X_STREAMOUT_STRIDE:
      ai_refuse(im, "transform feedback");
   default:
      break;
   }
}

/* --- what is read and written --- */

static void
scan_src(const struct il_src *src, unsigned mask, void *data)
{
   struct importer *im = data;
   const uint32_t n = src->r.num;

   (void)mask;
   if (src->r.type == IL_REGTYPE_INPUT && src->r.rel == IL_ADDR_REG_RELATIVE)
      for (uint32_t k = 0; k < 64; k++)
         im->input[k].used |= im->decl.input[k].declared ? 15 : 0;
   else if (src->r.type == IL_REGTYPE_INPUT && n < AI_SLOTS)
      im->input[n].used |= (uint8_t)il_swizzled_mask(src, 15);
}

static void
scan_dst(struct importer *im, const struct il_dst *dst)
{
   const unsigned mask = il_dst_written(dst);

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

/* What is read and written of temps. */
struct temp_use {
   uint8_t *read, *written; /* by number, components */
};

static void
note_read(const struct il_src *src, unsigned mask, void *data)
{
   struct temp_use *use = data;

   (void)mask;
   if (src->r.type == IL_REGTYPE_TEMP)
      use->read[src->r.num] |= (uint8_t)il_swizzled_mask(src, 15);
}

/* Components of temps that are read and that nothing writes are 0: registers are shared. */
static void
clear_unwritten(struct importer *im, uint32_t temps)
{
   const struct temp_use use = { ac_alloc(im->c, temps + 1), ac_alloc(im->c, temps + 1) };
   const struct ac_src zero = ac_bits(0);

   il_foreach(inst, im->il)
   {
      il_visit_reads(&im->decl, inst, note_read, (void *)&use);
      for (unsigned k = 0; k < inst->ndst; k++)
         if (inst->dst[k].r.type == IL_REGTYPE_TEMP)
            use.written[inst->dst[k].r.num] |= (uint8_t)il_dst_written(&inst->dst[k]);
   }
   for (uint32_t n = 0; n < temps; n++) {
      const unsigned mask = use.read[n] & ~use.written[n] & 15u;
      if (mask)
         ac_emit(im->c, ATTILA_MOV, n, mask, 1, zero, zero, zero);
   }
}

void
ai_scan(struct importer *im)
{
   struct ac_compiler *c = im->c;
   const struct il_declare_to to = { allocate, refuse, im };

   im->depth_reg = im->edge_reg = AC_NO_REG;
   for (uint32_t n = 0; n < AI_SLOTS; n++)
      im->output[n].reg = AC_NO_REG;
   il_declare(&im->decl, im->il, false, &to);
   const char *wrong = front_describe(c->out, &im->decl, false);
   if (wrong)
      ai_refuse(im, wrong);
   c->num_regs = im->decl.num_temps;
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
      il_visit_reads(&im->decl, inst, scan_src, im);
      for (unsigned d = 0; d < inst->ndst; d++)
         scan_dst(im, &inst->dst[d]);
   }
   clear_unwritten(im, im->decl.num_temps);
}

/* --- inputs --- */

struct ac_src
ai_input(struct importer *im, uint32_t n)
{
   if (n < AI_SLOTS && im->input[n].used && (im->decl.input[n].declared || im->input[n].value.bank))
      return im->input[n].value;
   struct ac_src none = ac_bits(0);
   none.value[3] = 0x3f800000;
   return none;
}

/* An integer in x; 0, 0 and 1.0 after it. */
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
      if (!im->input[n].used || !im->decl.input[n].declared)
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

   uint8_t used[IL_LINK_COUNT], param[IL_LINK_COUNT];
   out->ps.position_gpr = out->ps.face_gpr = out->ps.fixed_pt_gpr = -1;
   for (unsigned n = 0; n < IL_LINK_COUNT; n++)
      used[n] = im->decl.input[n].declared ? im->input[n].used : 0;
   const char *wrong = front_number_parameters(out, &im->decl, used, param);
   if (wrong || out->ps.per_sample)
      ai_refuse(im, wrong ? wrong : "an input that is interpolated at each sample");
   for (unsigned k = 0; k < out->ps.num_inputs; k++) {
      const unsigned n = out->ps.input[k].slot;
      unsigned bary;
      const unsigned first = first_input(im->decl.input[n].mode, &bary);
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
   uint8_t written[IL_MAX_OUTPUTS];
   unsigned param = 0;

   for (uint32_t n = IL_MAX_OUTPUTS; n < AI_SLOTS; n++)
      if (im->output[n].written)
         ai_refuse(im, "an output of this number");
   for (uint32_t n = 0; n < IL_MAX_OUTPUTS; n++)
      written[n] = im->output[n].written;
   const char *wrong =
      front_vertex_outputs(im->c->out, written, im->edge_reg != AC_NO_REG, im->distance);
   if (wrong)
      ai_refuse(im, wrong);
   place_output(im, IL_LINK_POSITION, 0);
   for (uint32_t n = 1; n < IL_MAX_OUTPUTS; n++) {
      if (!written[n])
         continue;
      if (n == IL_LINK_POINT_SIZE || n == IL_LINK_LAYER || n == IL_LINK_VIEWPORT ||
          (n >= IL_LINK_CLIP_DISTANCE0 && n <= IL_LINK_CULL_DISTANCE1))
         keep_output(im, n);
      else
         place_output(im, n, ATTILA_VS_PARAMETER + param);
      param += n != IL_LINK_POINT_SIZE;
   }
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

static void
finish_vs(struct importer *im)
{
   struct ac_compiler *c = im->c;
   struct shader_code *out = c->out;
   unsigned pos = 1;

   if (front_has_misc(out)) {
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
      pos++;
   }
   for (unsigned k = 0; k < 8; k++) {
      const uint16_t from = im->distance[k];
      if (from != FRONT_NO_DISTANCE)
         emit_position(im, pos + k / 4, 1u << k % 4,
                       ac_comp(ac_temp(im->output[from / 4].reg), from % 4));
   }
   for (unsigned k = 0; k < out->vs.num_params; k++) {
      const unsigned slot = out->vs.param_slot[k];
      if (slot < IL_MAX_OUTPUTS && im->output[slot].bank == ATTILA_TEMP)
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
      if (inst->op == IL_OP_KILL) {
         struct ac_src v = ai_src(im, &inst->src[0], 15);
         ac_emit(c, ATTILA_KIL, 0, 0, 1, v, v, v);
      } else {
         discard(im, inst);
      }
      return true;
   case IL_OP_X_SYSVAL: {
      unsigned vec4, comp;
      if (!il_sysval_constant(il_number(inst), &vec4, &comp))
         return false;
      struct ac_src v = ac_comp(ac_register(ATTILA_PARAM2, vec4), comp);
      struct ai_target t = ai_target(im, &inst->dst[0]);
      c->out->const_buffers |= 1u << IL_DRIVER_CB;
      ai_op(im, &t, 15, ATTILA_MOV, 1, v, v, v);
      ai_done(im, &inst->dst[0], &t);
      return true;
   }
   default:
      return false;
   }
}
