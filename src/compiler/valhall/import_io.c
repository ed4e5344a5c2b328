/* SPDX-License-Identifier: MIT */
/*
 * Import of inputs, system values and outputs of vertex and pixel programs.
 *
 * Inputs are loaded where they are read first, by the vector; of a pixel's parameter each kind of
 * interpolation is a message of its own.  Outputs are written at the end: a vertex program stores
 * them in the window of its vertex, a pixel program hands them to ATEST, ZS_EMIT and BLEND, in that
 * order.
 */
#include "import.h"

#define R_PRIMITIVE 57 /* of a vertex program */
#define R_VERTEX    60
#define R_INSTANCE  61
#define R_FACE      58 /* of a pixel program */
#define R_PIXEL     59
#define R_COVERAGE  60
#define R_SAMPLE    61

#define TABLE_CLOCK 9u

/* --- which inputs are read -------------------------------------------------------------------- */

static void
note_read(const struct il_src *src, unsigned mask, void *data)
{
   struct vim *im = data;

   if (src->r.type != IL_REGTYPE_INPUT || src->dim2)
      return;
   /* any that lies next to it and is declared */
   if (src->r.rel != IL_ADDR_ABSOLUTE)
      for (uint32_t n = src->r.num; n < MAX_INPUTS && im->decl.input[n].declared; n++)
         im->used[n] = 15;
   if (src->r.num < MAX_INPUTS)
      im->used[src->r.num] |= (uint8_t)il_swizzled_mask(src, mask);
}

static void
number_parameters(struct vim *im)
{
   struct shader_code *out = im->c->out;
   const char *wrong = front_number_parameters(out, &im->decl, im->used, im->param);

   if (wrong)
      vim_unsupported(im, wrong);
   out->ps.bary = 1u << SHADER_BARY_PERSP_CENTER;
   out->ps.position_gpr = out->ps.face_gpr = out->ps.fixed_pt_gpr = -1;
   out->ps.per_sample |= im->used[IL_PS_INPUT_SAMPLE_INDEX] != 0;
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
      il_visit_reads(&im->decl, inst, note_read, im);
      if (inst->op == IL_OP_X_SYSVAL && il_number(inst) == IL_SYSVAL_SAMPLE_POS)
         im->used[IL_PS_INPUT_SAMPLE_INDEX] = 1;
   }
   if (im->il->shader == IL_SHADER_PIXEL)
      number_parameters(im);
   if (im->il->shader != IL_SHADER_VERTEX)
      return;
   for (unsigned n = 0; n < 32; n++) {
      out->vs.inputs |= (uint32_t)(im->used[n] != 0) << n;
      out->vs.input_mask[n] = im->used[n];
   }
   out->vs.uses_vertex_id = im->used[IL_VS_INPUT_VERTEX_ID];
   out->vs.uses_instance_id = im->used[IL_VS_INPUT_INSTANCE_ID];
   out->vs.uses_primitive_id = im->used[IL_VS_INPUT_PRIMITIVE_ID];
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

/* A parameter at a position in the pixel: `where` has the sample or the offset. */
static struct vc_operand
parameter(struct vim *im, unsigned n, unsigned place, struct vc_operand where)
{
   const unsigned mode = im->decl.input[n].mode, param = im->param[n];
   struct vc *c = im->c;
   bool near = param < 16;
   struct vc_inst *inst;

   if (mode == IL_INTERPMODE_CONSTANT) {
      inst = vc_new(c, VALHALL_OP_LD_VAR_FLAT_IMM);
      inst->imm[1] = param;
      vc_set(inst, VALHALL_MOD_REGISTER_FORMAT, VALHALL_REGISTER_FORMAT_U32);
   } else if (front_is_linear(mode)) {
      inst = vc_new(c, VALHALL_OP_LD_VAR_IMM);
      inst->imm[0] = 1;
      inst->imm[1] = param;
      vc_set(inst, VALHALL_MOD_REGISTER_FORMAT, VALHALL_REGISTER_FORMAT_F32);
   } else {
      inst = vc_new(c, near ? VALHALL_OP_LD_VAR_BUF_IMM_F32 : VALHALL_OP_LD_VAR_BUF_F32);
      inst->imm[0] = near ? 16u * param : 0;
      if (!near)
         inst->src[1] = vc_bits(16u * param);
      vc_set(inst, VALHALL_MOD_SOURCE_FORMAT, VALHALL_SOURCE_FORMAT_SRC_F32);
   }
   vc_set(inst, VALHALL_MOD_VECTOR_SIZE, VALHALL_VECTOR_SIZE_V4);
   if (mode != IL_INTERPMODE_CONSTANT) {
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
   if (n >= MAX_INPUTS || !im->decl.input[n].declared || n >= IL_LINK_COUNT)
      return vc_bits(comp == 3 ? 0x3f800000 : 0);
   return vc_word(parameter(im, n, sample_mode(im->decl.input[n].mode), vc_preloaded(c, R_SAMPLE)),
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
   while (end < MAX_INPUTS && im->decl.input[end].declared)
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
       !im->decl.input[n].declared || n == IL_LINK_POSITION)
      vim_unsupported(im, "operand of an interpolation");
   if (inst->op == IL_OP_EVAL_CENTROID || im->decl.input[n].mode == IL_INTERPMODE_CONSTANT) {
      value = parameter(im, n, VALHALL_SAMPLE_MODE_CENTROID, vc_preloaded(c, R_SAMPLE));
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
      value = parameter(im, n, VALHALL_SAMPLE_MODE_EXPLICIT, both);
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
   unsigned n = il_number(inst), vec4, word;

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
   if (!il_sysval_constant(n, &vec4, &word))
      vim_unsupported(im, "system value");
   vim_store1(im, &inst->dst[0], vim_driver(im, vec4, word));
}

_Static_assert(VALHALL_WAVE == VALHALL_WARP, "a ballot is of a warp");

/* The ballot of the warp's lanes that run here. */
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
      for (unsigned n = 0; n < 4; n++)
         discard(im, VALHALL_CONDITION_LT, vim_src(im, &inst->src[0], n));
      return true;
   case IL_OP_EVAL_CENTROID:
   case IL_OP_EVAL_SNAPPED:
   case IL_OP_EVAL_SAMPLE_INDEX:
      evaluate(im, inst);
      return true;
   case IL_OP_SAMPLEPOS: {
      unsigned n = il_resource(inst), type = n < 32 ? im->decl.resource[n].type : 0;
      bool there = n >= 32 || !im->decl.resource[n].declared || type == IL_USAGE_PIXTEX_2DMSAA ||
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

   if (!front_has_misc(out))
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
   vc_store(c, window, (int)(16 * (*pos)++), 4, v);
}

/* Clip and cull distances. */
static void
store_distances(struct vim *im, struct vc_operand window, unsigned pos, const uint16_t distance[8])
{
   const struct shader_code *out = im->c->out;
   struct vc_operand value[8];

   for (unsigned k = 0; k < 8; k++)
      value[k] = distance[k] == FRONT_NO_DISTANCE ? vc_bits(0)
                                                  : vim_out(im, distance[k] / 4, distance[k] % 4);
   for (unsigned v = 0; v < (unsigned)out->vs.ccdist0 + out->vs.ccdist1; v++)
      vc_store(im->c, window, (int)(16 * pos++), 4, value + 4 * v);
}

void
vim_vs_outputs(struct vim *im)
{
   struct shader_code *out = im->c->out;
   struct vc_operand window = vc_window(im->c, 0);
   uint16_t distance[8];
   unsigned pos = 1;
   const char *wrong =
      front_vertex_outputs(out, im->out_written, im->special_written[OUT_EDGE_FLAG] & 1, distance);

   if (wrong)
      vim_unsupported(im, wrong);
   store_output(im, window, 0, IL_LINK_POSITION);
   store_misc(im, window, &pos);
   store_distances(im, window, pos, distance);
   for (unsigned k = 0; k < out->vs.num_params && out->vs.param_slot[k] < MAX_OUTPUTS; k++)
      store_output(im, window, 64 + 16 * k, out->vs.param_slot[k]);
}

/* Outputs of a stream, into the vertex's part of the transform feedback buffers. */
void
vim_streamout(struct vim *im, unsigned stream)
{
   struct vc *c = im->c;
   struct front_capture capture;
   const char *wrong = NULL;
   uint32_t at = 0;

   while (front_next_capture(c->out, im->il, stream, &at, &capture, &wrong)) {
      struct vc_operand v[4];
      unsigned count = 0;
      for (unsigned i = 0; i < 4; i++)
         if (capture.mask >> i & 1)
            v[count++] = vim_out(im, capture.output, i);
      if (count)
         vc_store(c, vc_window(c, 8 + capture.buffer), (int)(4 * capture.offset), count, v);
   }
   if (wrong)
      vim_unsupported(im, wrong);
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
