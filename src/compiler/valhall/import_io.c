/* SPDX-License-Identifier: MIT */
/*
 * Import of declarations, inputs, system values and outputs of vertex and pixel programs.
 *
 * Inputs are loaded where they are read first, by the vector; of a pixel's parameter each kind of
 * interpolation is a message of its own.  Outputs are written at the end: a vertex program stores
 * them in the window of its vertex, a pixel program hands them to ATEST, ZS_EMIT and BLEND, in that
 * order.
 */
#include "import.h"

#include <stdlib.h>
#include <string.h>

#define R_PRIMITIVE 57 /* of a vertex program */
#define R_VERTEX    60
#define R_INSTANCE  61
#define R_FACE      58 /* of a pixel program */
#define R_PIXEL     59
#define R_COVERAGE  60
#define R_SAMPLE    61

#define TABLE_CLOCK 9u

/* --- declarations ----------------------------------------------------------------------------- */

static void
declare_icb(struct vim *im, const struct il_inst *inst)
{
   struct shader_code *out = im->c->out;
   uint32_t words = inst->ndata ? inst->ndata - 1 : 0;

   im->icb = inst;
   out->num_icb = (words + 3) / 4;
   out->icb = calloc(out->num_icb ? out->num_icb : 1, 16);
   if (!out->icb)
      vc_fail(im->c, "out of memory");
   if (words)
      memcpy(out->icb, inst->data + 1, (size_t)words * 4);
}

void
vim_declare(struct vim *im, const struct il_inst *inst)
{
   struct vc *c = im->c;
   uint32_t n;

   switch (inst->op) {
   case IL_OP_DCL_LITERAL:
      if (inst->nsrc && inst->ndata >= 4)
         im->literals[inst->src[0].r.num] = inst->data;
      break;
   case IL_OP_DEF:
   case IL_OP_DEFB:
      if (inst->ndst && inst->ndata >= (inst->op == IL_OP_DEF ? 4u : 1u)) {
         if (im->num_defs == 512)
            vim_unsupported(im, "more than 512 defined constants");
         im->defs = vc_grow(c, im->defs, im->num_defs, &im->cap_defs, sizeof(*im->defs));
         im->defs[im->num_defs++] = inst;
      }
      break;
   case IL_OP_DCL_CONST_BUFFER:
      if (il_immediate(inst) && !im->icb && !c->copy)
         declare_icb(im, inst);
      break;
   case IL_OP_DCL_INPUT:
      if (!inst->ndst || inst->dst[0].r.type != IL_REGTYPE_INPUT || inst->dst[0].dim2)
         break;
      n = inst->dst[0].r.num;
      if (n >= MAX_INPUTS)
         vim_unsupported(im, "input register out of range");
      im->input[n].declared = true;
      im->input[n].mode = (uint8_t)il_interp(inst);
      im->input[n].usage = (uint8_t)il_usage(inst);
      break;
   case IL_OP_DCL_OUTPUT:
      if (!inst->ndst || inst->dst[0].r.type != IL_REGTYPE_OUTPUT)
         break;
      n = inst->dst[0].r.num;
      if (n >= MAX_OUTPUTS)
         vim_unsupported(im, "output register out of range");
      im->out_declared[n] |= (uint8_t)il_dst_mask(&inst->dst[0]);
      break;
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
         vim_unsupported(im, "hardware stage");
      break;
   default:
      vim_texture_declare(im, inst);
      vim_memory_declare(im, inst);
      vim_stage_declare(im, inst);
      break;
   }
}

/* --- which inputs are read -------------------------------------------------------------------- */

static void
scan_src(struct vim *im, const struct il_src *src, unsigned mask)
{
   if (src->has_mod && src->divcomp != IL_DIVCOMP_NONE)
      mask = 15;
   if (src->r.type == IL_REGTYPE_INPUT && src->r.rel != IL_ADDR_ABSOLUTE && !src->dim2) {
      /* any that lies next to it and is declared */
      for (uint32_t n = src->r.num; n < MAX_INPUTS && im->input[n].declared; n++)
         im->input[n].used = 15;
   }
   if (src->r.type == IL_REGTYPE_INPUT && !src->dim2 && src->r.num < MAX_INPUTS) {
      for (unsigned c = 0; c < 4; c++) {
         unsigned sel = il_src_swz(src, c);
         if ((mask >> c & 1) && sel < 4)
            im->input[src->r.num].used |= (uint8_t)(1u << sel);
      }
   }
   if (src->r.rel == IL_ADDR_REG_RELATIVE && src->r.index)
      scan_src(im, src->r.index, 1);
}

static bool
is_system_input(unsigned reg)
{
   return reg == IL_LINK_POSITION || reg == IL_PS_INPUT_FRONT_FACE ||
          reg == IL_PS_INPUT_SAMPLE_INDEX;
}

static void
number_parameters(struct vim *im)
{
   struct shader_code *out = im->c->out;

   for (unsigned n = 0; n < IL_LINK_COUNT; n++) {
      struct vim_input *in = &im->input[n];
      if (!in->used || is_system_input(n))
         continue;
      if (out->ps.num_inputs == 32)
         vim_unsupported(im, "more than 32 interpolated inputs");
      in->param = (uint8_t)out->ps.num_inputs++;
      out->ps.input[in->param].slot = (uint8_t)n;
      out->ps.input[in->param].mode =
         in->mode == IL_INTERPMODE_CONSTANT ? SHADER_INPUT_FLAT
         : in->mode == IL_INTERPMODE_NOTUSED && n >= IL_LINK_COLOR0 && n <= IL_LINK_BACK_COLOR1
            ? SHADER_INPUT_COLOR
            : SHADER_INPUT_SMOOTH;
      out->ps.per_sample |= in->mode == IL_INTERPMODE_LINEAR_SAMPLE ||
                            in->mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE;
   }
   out->ps.bary = 1u << SHADER_BARY_PERSP_CENTER;
   out->ps.position_gpr = out->ps.face_gpr = out->ps.fixed_pt_gpr = -1;
   out->ps.per_sample |= im->input[IL_PS_INPUT_SAMPLE_INDEX].used != 0;
}

void
vim_scan_inputs(struct vim *im)
{
   struct shader_code *out = im->c->out;

   for (im->pos = 0; im->pos < im->il->ninsts; im->pos++) {
      const struct il_inst *inst = im->inst = &im->il->insts[im->pos];
      const struct il_op_info *info = il_op_info(inst->op);
      if (!info || info->category == IL_CAT_DECL)
         continue;
      for (unsigned s = 0; s < inst->nsrc; s++)
         scan_src(im, &inst->src[s], vim_src_mask(im, inst, s));
      for (unsigned d = 0; d < inst->ndst; d++)
         if (inst->dst[d].r.index)
            scan_src(im, inst->dst[d].r.index, 1);
      if (inst->op == IL_OP_X_SYSVAL && il_number(inst) == IL_SYSVAL_SAMPLE_POS)
         im->input[IL_PS_INPUT_SAMPLE_INDEX].used = 1;
   }
   if (im->il->shader == IL_SHADER_PIXEL)
      number_parameters(im);
   if (im->il->shader != IL_SHADER_VERTEX)
      return;
   for (unsigned n = 0; n < 32; n++) {
      out->vs.inputs |= (uint32_t)(im->input[n].used != 0) << n;
      out->vs.input_mask[n] = im->input[n].used;
   }
   out->vs.uses_vertex_id = im->input[IL_VS_INPUT_VERTEX_ID].used;
   out->vs.uses_instance_id = im->input[IL_VS_INPUT_INSTANCE_ID].used;
   out->vs.uses_primitive_id = im->input[IL_VS_INPUT_PRIMITIVE_ID].used;
}

/* --- vertex inputs ---------------------------------------------------------------------------- */

static struct vc_operand
attribute(struct vim *im, unsigned n, unsigned comp)
{
   struct vc *c = im->c;
   struct vc_inst *inst = vc_new(c, n < 16 ? VALHALL_OP_LD_ATTR_IMM : VALHALL_OP_LD_ATTR);

   inst->src[0] = vc_preloaded(c, R_VERTEX);
   inst->src[1] = vc_preloaded(c, R_INSTANCE);
   if (n < 16) {
      inst->imm[0] = n;
      inst->imm[1] = 1;
   } else {
      inst->src[2] = vc_bits(1u << 24 | n);
   }
   vc_set(inst, VALHALL_MOD_VECTOR_SIZE, VALHALL_VECTOR_SIZE_V4);
   vc_set(inst, VALHALL_MOD_REGISTER_FORMAT, VALHALL_REGISTER_FORMAT_AUTO);
   return vc_word(vc_emit(c, inst, 4), comp);
}

static struct vc_operand
vertex_input(struct vim *im, uint32_t n, unsigned comp)
{
   struct vc *c = im->c;

   if (n < 32)
      return attribute(im, n, comp);
   if (comp || n > IL_VS_INPUT_PRIMITIVE_ID)
      return vc_bits(comp == 3 ? 0x3f800000 : 0);
   if (n == IL_VS_INPUT_VERTEX_ID) /* attributes alone add the first one */
      return vc_add(c, vc_preloaded(c, R_VERTEX), vim_driver(im, IL_DRV_DRAW, 3));
   return vc_preloaded(c, n == IL_VS_INPUT_INSTANCE_ID ? R_INSTANCE : R_PRIMITIVE);
}

/* --- pixel inputs ----------------------------------------------------------------------------- */

static bool
is_linear(unsigned mode)
{
   return mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE ||
          mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE_CENTROID ||
          mode == IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE;
}

static unsigned
sample_mode(unsigned mode)
{
   switch (mode) {
   case IL_INTERPMODE_LINEAR_CENTROID:
   case IL_INTERPMODE_LINEAR_NOPERSPECTIVE_CENTROID:
      return VALHALL_SAMPLE_MODE_CENTROID;
   case IL_INTERPMODE_LINEAR_SAMPLE:
   case IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE:
      return VALHALL_SAMPLE_MODE_SAMPLE;
   default:
      return VALHALL_SAMPLE_MODE_CENTER;
   }
}

/* A parameter at a place in the pixel, which `where` has the samples or the offset of. */
static struct vc_operand
parameter(struct vim *im, const struct vim_input *in, unsigned place, struct vc_operand where)
{
   struct vc *c = im->c;
   bool near = in->param < 16;
   struct vc_inst *inst;

   if (in->mode == IL_INTERPMODE_CONSTANT) {
      inst = vc_new(c, VALHALL_OP_LD_VAR_FLAT_IMM);
      inst->imm[1] = in->param;
      vc_set(inst, VALHALL_MOD_REGISTER_FORMAT, VALHALL_REGISTER_FORMAT_U32);
   } else if (is_linear(in->mode)) {
      inst = vc_new(c, VALHALL_OP_LD_VAR_IMM);
      inst->imm[0] = 1;
      inst->imm[1] = in->param;
      vc_set(inst, VALHALL_MOD_REGISTER_FORMAT, VALHALL_REGISTER_FORMAT_F32);
   } else {
      inst = vc_new(c, near ? VALHALL_OP_LD_VAR_BUF_IMM_F32 : VALHALL_OP_LD_VAR_BUF_F32);
      inst->imm[0] = near ? 16u * in->param : 0;
      if (!near)
         inst->src[1] = vc_bits(16u * in->param);
      vc_set(inst, VALHALL_MOD_SOURCE_FORMAT, VALHALL_SOURCE_FORMAT_SRC_F32);
   }
   vc_set(inst, VALHALL_MOD_VECTOR_SIZE, VALHALL_VECTOR_SIZE_V4);
   if (in->mode != IL_INTERPMODE_CONSTANT) {
      inst->src[0] = where;
      vc_set(inst, VALHALL_MOD_SAMPLE_MODE, place);
      vc_set(inst, VALHALL_MOD_UPDATE_MODE, VALHALL_UPDATE_MODE_STORE);
   }
   return vc_emit(c, inst, 4);
}

static struct vc_operand
special_varying(struct vim *im, unsigned index)
{
   struct vc *c = im->c;
   struct vc_inst *inst = vc_new(c, VALHALL_OP_LD_VAR_SPECIAL);
   inst->src[0] = vc_preloaded(c, R_SAMPLE);
   inst->imm[0] = index;
   vc_set(inst, VALHALL_MOD_REGISTER_FORMAT, VALHALL_REGISTER_FORMAT_F32);
   vc_set(inst, VALHALL_MOD_SAMPLE_MODE,
          c->out->ps.per_sample ? VALHALL_SAMPLE_MODE_SAMPLE : VALHALL_SAMPLE_MODE_CENTER);
   vc_set(inst, VALHALL_MOD_UPDATE_MODE, VALHALL_UPDATE_MODE_CLOBBER);
   return vc_emit(c, inst, 1);
}

static struct vc_operand
sample_index(struct vc *c)
{
   return vc_and(c, vc_shr(c, vc_preloaded(c, R_SAMPLE), vc_bits(16), false), vc_bits(31));
}

/* Of a sample in its pixel, 0 to 1. */
static struct vc_operand
sample_position(struct vim *im, struct vc_operand id, unsigned axis)
{
   struct vc *c = im->c;
   struct vc_operand half = vc_shr(c, id, vc_bits(1), false);
   struct vc_operand even = vim_indexed_constant(im, IL_DRIVER_CB, IL_DRV_SAMPLE_POS, half, axis);
   struct vc_operand odd =
      vim_indexed_constant(im, IL_DRIVER_CB, IL_DRV_SAMPLE_POS, half, 2 + axis);
   return vc_choose(c, vc_and(c, id, vc_bits(1)), odd, even);
}

static struct vc_operand
window_position(struct vim *im, unsigned comp)
{
   struct vc *c = im->c;

   if (comp > 1)
      return special_varying(im, comp == 2 ? 3 : 2);
   struct vc_operand pixel = vc_preloaded(c, R_PIXEL);
   pixel.select = comp ? VALHALL_SWIZZLES_16_BIT_H11 : VALHALL_SWIZZLES_16_BIT_H00;
   struct vc_operand inside =
      c->out->ps.per_sample ? sample_position(im, sample_index(c), comp) : vc_bits(0x3f000000);
   return vc_fadd(c, vc_op1(c, VALHALL_OP_U16_TO_F32, pixel), inside);
}

static struct vc_operand
pixel_input(struct vim *im, uint32_t n, unsigned comp)
{
   struct vc *c = im->c;

   switch (n) {
   case IL_LINK_POSITION:
      return window_position(im, comp);
   case IL_PS_INPUT_FRONT_FACE:
      return vc_compare(c, VALHALL_OP_ICMP_OR_U32, VALHALL_CONDITION_EQ, vc_preloaded(c, R_FACE),
                        vc_bits(0));
   case IL_PS_INPUT_SAMPLE_INDEX:
      return sample_index(c);
   default:
      break;
   }
   if (n >= MAX_INPUTS || !im->input[n].declared || n >= IL_LINK_COUNT)
      return vc_bits(comp == 3 ? 0x3f800000 : 0);
   return vc_word(
      parameter(im, &im->input[n], sample_mode(im->input[n].mode), vc_preloaded(c, R_SAMPLE)),
      comp);
}

struct vc_operand
vim_input(struct vim *im, const struct il_src *src, unsigned comp)
{
   const struct il_ref *r = &src->r;
   bool vertex = im->il->shader == IL_SHADER_VERTEX, pixel = im->il->shader == IL_SHADER_PIXEL;

   if (src->dim2 || (!vertex && !pixel))
      vim_unsupported(im, "inputs of this stage");
   if (r->rel == IL_ADDR_ABSOLUTE)
      return pixel ? pixel_input(im, r->num, comp) : vertex_input(im, r->num, comp);
   /* One of those that are declared in a row. */
   uint32_t first = r->has_imm ? r->imm : r->num, end = first;
   while (end < MAX_INPUTS && im->input[end].declared)
      end++;
   struct vc_operand index = vim_index(im, r), v = vc_bits(0);
   for (uint32_t n = first; n < end; n++) {
      struct vc_operand one = pixel ? pixel_input(im, n, comp) : vertex_input(im, n, comp);
      v = vc_csel(im->c, VALHALL_OP_CSEL_U32, VALHALL_CONDITION_EQ, index, vc_bits(n - first), one,
                  v);
   }
   return v;
}

struct vc_operand
vim_system(struct vim *im, unsigned regtype, unsigned comp)
{
   if (regtype == IL_REGTYPE_INPUT_COVERAGE_MASK && im->il->shader == IL_SHADER_PIXEL)
      return vc_preloaded(im->c, R_COVERAGE);
   if (im->il->shader == IL_SHADER_COMPUTE)
      return vim_thread(im, regtype, comp);
   vim_unsupported(im, "register type");
}

/* --- system values ---------------------------------------------------------------------------- */

/* Lanes for which a float comparison with 0 holds are discarded. */
static void
discard(struct vim *im, unsigned condition, struct vc_operand v)
{
   struct vc_inst *inst = vc_new(im->c, VALHALL_OP_DISCARD_F32);
   inst->memory = VC_WRITE;
   inst->src[0] = v;
   inst->src[1] = vc_bits(0);
   vc_set(inst, VALHALL_MOD_CONDITION, condition);
   vc_append(im->c, inst);
   im->c->out->ps.kills = true;
}

/* A parameter elsewhere in its pixel; offsets are halves of 8.8 bits from the centre. */
static void
evaluate(struct vim *im, const struct il_inst *inst)
{
   struct vc *c = im->c;
   const struct il_src *src = &inst->src[0];
   uint32_t n = src->r.num;
   struct vc_operand r[4], value, offset[2];

   if (src->r.type != IL_REGTYPE_INPUT || n >= IL_LINK_COUNT || src->r.rel != IL_ADDR_ABSOLUTE ||
       !im->input[n].declared || n == IL_LINK_POSITION)
      vim_unsupported(im, "operand of an interpolation");
   if (inst->op == IL_OP_EVAL_CENTROID || im->input[n].mode == IL_INTERPMODE_CONSTANT) {
      value = parameter(im, &im->input[n], VALHALL_SAMPLE_MODE_CENTROID, vc_preloaded(c, R_SAMPLE));
   } else {
      for (unsigned axis = 0; axis < 2; axis++) {
         offset[axis] = inst->op == IL_OP_EVAL_SNAPPED
                           ? vim_src(im, &inst->src[1], axis)
                           : vc_fadd(c, sample_position(im, vim_bits(im, &inst->src[1], 0), axis),
                                     vc_bits(0xbf000000));
         struct vc_inst *fixed = vc_new(c, VALHALL_OP_F32_TO_S32);
         fixed->src[0] = vc_fmul(c, offset[axis], vc_bits(0x43800000));
         vc_set(fixed, VALHALL_MOD_ROUND_MODE, VALHALL_ROUND_MODE_RTE);
         offset[axis] = vc_emit(c, fixed, 1);
      }
      struct vc_operand both =
         vc_or(c, vc_shl(c, offset[1], vc_bits(16)), vc_and(c, offset[0], vc_bits(0xffff)));
      value = parameter(im, &im->input[n], VALHALL_SAMPLE_MODE_EXPLICIT, both);
   }
   for (unsigned i = 0; i < 4; i++) {
      unsigned sel = il_src_swz(src, i);
      r[i] = sel < 4 ? vc_word(value, sel) : vc_bits(sel == IL_COMPSEL_1 ? 0x3f800000 : 0);
   }
   vim_store(im, &inst->dst[0], r);
}

static void
system_value(struct vim *im, const struct il_inst *inst)
{
   struct vc *c = im->c;
   struct vc_operand r[4] = { { 0 } };
   static const struct {
      uint8_t vec4, comp;
   } places[] = {
      [IL_SYSVAL_BASE_VERTEX] = { IL_DRV_DRAW, 0 },
      [IL_SYSVAL_BASE_INSTANCE] = { IL_DRV_DRAW, 1 },
      [IL_SYSVAL_DRAW_ID] = { IL_DRV_DRAW, 2 },
      [IL_SYSVAL_FIRST_VERTEX] = { IL_DRV_DRAW, 3 },
      [IL_SYSVAL_IS_INDEXED_DRAW] = { IL_DRV_DRAW2, 0 },
      [IL_SYSVAL_NUM_SAMPLES] = { IL_DRV_DRAW2, 1 },
   };
   unsigned n = il_number(inst);

   if (n == IL_SYSVAL_SAMPLE_POS && im->il->shader == IL_SHADER_PIXEL) {
      for (unsigned axis = 0; axis < 2; axis++)
         r[axis] = sample_position(im, sample_index(c), axis);
      r[2] = r[3] = vc_bits(0);
      vim_store(im, &inst->dst[0], r);
      return;
   }
   if (n == IL_SYSVAL_LANE) {
      vim_store1(im, &inst->dst[0], vc_special(3, VALHALL_SPECIAL_3_LANE_ID, 0));
      return;
   }
   if (n >= sizeof(places) / sizeof(*places) || !places[n].vec4)
      vim_unsupported(im, "system value");
   vim_store1(im, &inst->dst[0], vim_driver(im, places[n].vec4, places[n].comp));
}

_Static_assert(VALHALL_WAVE == VALHALL_WARP, "a ballot is of a warp");

/* Who of the warp that runs here votes. */
static void
ballot(struct vim *im, const struct il_inst *inst)
{
   struct vc *c = im->c;
   struct vc_inst *votes = vc_new(c, VALHALL_OP_WMASK);
   struct vc_operand r[4] = { { 0 }, vc_bits(0), vc_bits(0), vc_bits(0) };

   votes->src[0] = vim_bits(im, &inst->src[0], 0);
   votes->memory = VC_READ; /* which lanes run has a part in it */
   r[0] = vc_emit(c, votes, 1);
   vim_store(im, &inst->dst[0], r);
}

/* An instruction that reads both words reads them at once. */
struct vc_operand
vim_clock(struct vim *im, unsigned comp)
{
   if (!im->clock || im->clock_at != im->pos) {
      im->clock = vc_load_buffer(im->c, TABLE_CLOCK << 24, vc_bits(0), 2, VC_READ);
      im->clock_at = im->pos;
   }
   return vc_at(im->clock, comp ? 1 : 0);
}

bool
vim_sysval(struct vim *im, const struct il_inst *inst)
{
   struct vc *c = im->c;
   bool zero = inst->op == IL_OP_DISCARD_LOGICALZ;
   struct vc_operand r[4], v;

   switch (inst->op) {
   case IL_OP_DISCARD_LOGICALZ:
   case IL_OP_DISCARD_LOGICALNZ:
      v = vc_compare(c, VALHALL_OP_ICMP_OR_U32, zero ? VALHALL_CONDITION_EQ : VALHALL_CONDITION_NE,
                     vim_bits(im, &inst->src[0], 0), vc_bits(0));
      discard(im, VALHALL_CONDITION_NE, v); /* ~0 is a NaN, which is not 0 */
      return true;
   case IL_OP_KILL:
      if (il_kill_sample(inst))
         return false;
      for (unsigned n = 0; n < 4; n++)
         discard(im, VALHALL_CONDITION_LT, vim_src(im, &inst->src[0], n));
      return true;
   case IL_OP_EVAL_CENTROID:
   case IL_OP_EVAL_SNAPPED:
   case IL_OP_EVAL_SAMPLE_INDEX:
      evaluate(im, inst);
      return true;
   case IL_OP_SAMPLEPOS: {
      unsigned n = il_resource(inst), type = n < 32 ? im->texture[n].type : 0;
      bool there = n >= 32 || !im->texture[n].declared || type == IL_USAGE_PIXTEX_2DMSAA ||
                   type == IL_USAGE_PIXTEX_2DARRAYMSAA;
      for (unsigned axis = 0; axis < 2; axis++) {
         r[axis] = vc_bits(0);
         if (there)
            r[axis] = vc_fadd(c, sample_position(im, vim_bits(im, &inst->src[0], 0), axis),
                              vc_bits(0xbf000000));
      }
      r[2] = r[3] = vc_bits(0);
      vim_store(im, &inst->dst[0], r);
      return true;
   }
   case IL_OP_X_SYSVAL:
      system_value(im, inst);
      return true;
   case IL_OP_X_BALLOT:
      ballot(im, inst);
      return true;
   case IL_OP_CU_ID:
      vim_store1(im, &inst->dst[0], vc_special(3, VALHALL_SPECIAL_3_CORE_ID, 0));
      return true;
   case IL_OP_WAVE_ID:
      vim_store1(im, &inst->dst[0], vc_special(0, VALHALL_SPECIAL_0_WARP_ID, 0));
      return true;
   case IL_OP_COLORCLAMP:
   case IL_OP_PROJECT:
      return vim_alu(im, inst);
   default:
      return false;
   }
}

/* --- outputs of vertices ---------------------------------------------------------------------- */

static void
store_output(struct vim *im, struct vc_operand window, unsigned byte, unsigned reg)
{
   struct vc_operand v[4];
   for (unsigned n = 0; n < 4; n++)
      v[n] = im->out_written[reg] >> n & 1 ? vim_out(im, reg, n) : vc_bits(n == 3 ? 0x3f800000 : 0);
   vc_store(im->c, window, (int)byte, 4, v);
}

/* Point size, edge flag, layer, viewport. */
static void
store_misc(struct vim *im, struct vc_operand window, unsigned *pos)
{
   struct vc *c = im->c;
   struct shader_code *out = c->out;
   struct vc_operand v[4] = { vc_bits(0), vc_bits(0), vc_bits(0), vc_bits(0) };

   out->vs.writes_point_size = im->out_written[IL_LINK_POINT_SIZE] & 1;
   out->vs.writes_edge_flag = im->special_written[OUT_EDGE_FLAG] & 1;
   out->vs.writes_layer = im->out_written[IL_LINK_LAYER] & 1;
   out->vs.writes_viewport = im->out_written[IL_LINK_VIEWPORT] & 1;
   if (!out->vs.writes_point_size && !out->vs.writes_edge_flag && !out->vs.writes_layer &&
       !out->vs.writes_viewport)
      return;
   if (out->vs.writes_point_size)
      v[0] = vim_out(im, IL_LINK_POINT_SIZE, 0);
   if (out->vs.writes_edge_flag) {
      struct vc_inst *clamp = vc_new(c, VALHALL_OP_FADD_F32), *whole;
      clamp->src[0] = im->vars[im->special_base + 4 * OUT_EDGE_FLAG];
      clamp->src[1] = vc_bits(0x80000000);
      vc_set(clamp, VALHALL_MOD_CLAMP, VALHALL_CLAMP_CLAMP_0_1);
      whole = vc_new(c, VALHALL_OP_F32_TO_S32);
      whole->src[0] = vc_emit(c, clamp, 1);
      vc_set(whole, VALHALL_MOD_ROUND_MODE, VALHALL_ROUND_MODE_RTZ);
      v[1] = vc_emit(c, whole, 1);
   }
   if (out->vs.writes_layer)
      v[2] = vim_out(im, IL_LINK_LAYER, 0);
   if (out->vs.writes_viewport)
      v[3] = vim_out(im, IL_LINK_VIEWPORT, 0);
   vc_store(c, window, (int)(16 * *pos), 4, v);
   out->vs.pos_exports |= (uint8_t)(1u << (*pos)++);
}

/* Clip distances at their numbers, cull distances behind them, in up to two vectors. */
static void
store_clip(struct vim *im, struct vc_operand window, unsigned *pos)
{
   struct shader_code *out = im->c->out;
   struct vc_operand dist[8];
   unsigned n = 0;

   for (unsigned k = 0; k < 8; k++)
      dist[k] = vc_bits(0);
   for (unsigned k = 0; k < 16 && n < 8; k++) {
      unsigned reg = IL_LINK_CLIP_DISTANCE0 + k / 4;
      if (!(im->out_written[reg] >> k % 4 & 1))
         continue;
      if (k < 8)
         n = k;
      dist[n] = vim_out(im, reg, k % 4);
      if (k < 8)
         out->vs.clip_dist |= (uint8_t)(1u << n);
      else
         out->vs.cull_dist |= (uint8_t)(1u << n);
      n++;
   }
   for (unsigned v = 0; v < 2 && n > v * 4; v++) {
      vc_store(im->c, window, (int)(16 * *pos), 4, dist + 4 * v);
      out->vs.pos_exports |= (uint8_t)(1u << (*pos)++);
      if (v == 0)
         out->vs.ccdist0 = true;
      else
         out->vs.ccdist1 = true;
   }
}

void
vim_vs_outputs(struct vim *im)
{
   struct shader_code *out = im->c->out;
   struct vc_operand window = vc_window(im->c, 0);
   unsigned pos = 1;

   store_output(im, window, 0, IL_LINK_POSITION);
   out->vs.pos_exports = 1;
   store_misc(im, window, &pos);
   store_clip(im, window, &pos);
   for (unsigned n = 1; n < MAX_OUTPUTS; n++) {
      if (n == IL_LINK_POINT_SIZE || !im->out_written[n])
         continue;
      if (out->vs.num_params == 32)
         vim_unsupported(im, "more than 32 parameters");
      out->vs.param_slot[out->vs.num_params] = (uint8_t)n;
      store_output(im, window, 64 + 16 * out->vs.num_params++, n);
   }
   if (!out->vs.num_params)
      out->vs.param_slot[out->vs.num_params++] = 0xff;
}

/* Outputs of a stream, into the vertex's place in the transform feedback buffers. */
void
vim_streamout(struct vim *im, unsigned wanted)
{
   struct vc *c = im->c;

   for (uint32_t n = 0; n < im->il->ninsts; n++) {
      const struct il_inst *inst = &im->il->insts[n];
      if (inst->op == IL_OP_DCL_X_STREAMOUT_STRIDE && inst->ndata)
         c->out->vs.streamout_stride[il_streamout_buffer(inst)] = (uint16_t)inst->data[0];
      if (inst->op != IL_OP_DCL_X_STREAMOUT || !inst->ndst || !inst->ndata)
         continue;
      unsigned buffer = il_streamout_buffer(inst), stream = il_streamout_stream(inst), count = 0;
      const struct il_dst *dst = &inst->dst[0];
      struct vc_operand v[4];
      if (dst->r.type != IL_REGTYPE_OUTPUT || dst->r.num >= MAX_OUTPUTS || inst->data[0] > 4095)
         vim_unsupported(im, "streamout declaration");
      if (stream != wanted)
         continue;
      c->out->vs.stream_buffers |= (uint16_t)(1u << (4 * stream + buffer));
      c->out->vs.streamout = true;
      c->out->vs.streamout_buffers |= (uint8_t)(1u << buffer);
      for (unsigned i = 0; i < 4; i++)
         if (il_dst_mask(dst) >> i & 1)
            v[count++] = vim_out(im, dst->r.num, i);
      if (count)
         vc_store(c, vc_window(c, 8 + buffer), (int)(4 * inst->data[0]), count, v);
   }
}

/* --- outputs of pixels ------------------------------------------------------------------------ */

static struct vc_operand
depth_and_stencil(struct vim *im, struct vc_operand coverage)
{
   struct vc *c = im->c;
   struct shader_code *out = c->out;
   struct vc_inst *inst = vc_new(c, VALHALL_OP_ZS_EMIT);

   inst->memory = VC_WRITE;
   inst->src[0] = out->ps.exports_z ? im->vars[im->special_base + 4 * OUT_DEPTH] : vc_bits(0);
   inst->src[1] =
      out->ps.exports_stencil ? im->vars[im->special_base + 4 * OUT_STENCIL] : vc_bits(0);
   inst->src[2] = coverage;
   vc_set(inst, VALHALL_MOD_Z, out->ps.exports_z);
   vc_set(inst, VALHALL_MOD_STENCIL, out->ps.exports_stencil);
   return vc_emit(c, inst, 1);
}

static void
finish_ps(struct vim *im)
{
   struct vc *c = im->c;
   struct shader_code *out = c->out;
   struct vc_operand coverage = vc_preloaded(c, R_COVERAGE);
   struct vc_inst *test = vc_new(c, VALHALL_OP_ATEST);

   out->ps.exports_z = im->special_written[OUT_DEPTH] & 1;
   out->ps.exports_stencil = im->special_written[OUT_STENCIL] & 1;
   out->ps.exports_mask = im->special_written[OUT_MASK] & 1;
   if (out->ps.exports_mask)
      coverage = vc_and(c, im->vars[im->special_base + 4 * OUT_MASK], coverage);
   test->memory = VC_WRITE;
   test->src[0] = coverage;
   test->src[1] = im->out_written[0] & 8 ? vim_out(im, 0, 3) : vc_bits(0x3f800000);
   test->src[2] = vc_special(0, VALHALL_SPECIAL_0_ATEST_DATUM, 0);
   coverage = vc_emit(c, test, 1);
   if (out->ps.exports_z || out->ps.exports_stencil)
      coverage = depth_and_stencil(im, coverage);
   for (unsigned n = 0; n < 8; n++) {
      if (!im->out_written[n])
         continue;
      unsigned count = 32u - (unsigned)__builtin_clz(im->out_written[n]);
      struct vc_operand v[4];
      for (unsigned i = 0; i < count; i++)
         v[i] = vim_out(im, n, i);
      struct vc_inst *blend = vc_new(c, VALHALL_OP_BLEND);
      blend->memory = VC_WRITE;
      blend->src[0] = vc_special(0, VALHALL_SPECIAL_0_BLEND_DESCRIPTOR_0 + n, 0);
      blend->src[1] = coverage;
      blend->staging = vc_collect(c, count, v);
      blend->staged = (uint8_t)count;
      vc_set(blend, VALHALL_MOD_VECTOR_SIZE, count - 1);
      vc_set(blend, VALHALL_MOD_REGISTER_FORMAT, VALHALL_REGISTER_FORMAT_U32);
      vc_append(c, blend);
      out->ps.color_mask |= (uint32_t)im->out_written[n] << (4 * n);
      out->ps.num_colors = n + 1;
   }
}

void
vim_finish(struct vim *im)
{
   switch (im->c->out->stage) {
   case SHADER_STAGE_PS:
      finish_ps(im);
      break;
   case SHADER_STAGE_VS:
      vim_streamout(im, 0);
      vim_vs_outputs(im);
      break;
   case SHADER_STAGE_CS:
      break; /* everything has been written */
   default:
      vim_stage_finish(im);
      break;
   }
}
