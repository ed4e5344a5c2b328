/* SPDX-License-Identifier: MIT */
/*
 * What pixel shaders have of their own: interpolated inputs, derivatives, discards; and system
 * values of all stages (il/conventions.h).
 *
 * Inputs are interpolated once, at the start: p0 + i * p10 + j * p20.  A place in the pixel other
 * than those that the hardware has barycentrics for is the centre's, moved by its derivatives.
 */
#include "direct/lift.h"

#define STAGE_SOURCE ROW_STAGE
#define STAGE_RESULT (ROW_STAGE + 2)

static int
bary_of(unsigned mode)
{
   switch (mode) {
   case IL_INTERPMODE_CONSTANT:
      return -1;
   case IL_INTERPMODE_LINEAR_CENTROID:
      return DIRECT_PERSP_CENTROID;
   case IL_INTERPMODE_LINEAR_SAMPLE:
      return DIRECT_PERSP_SAMPLE;
   case IL_INTERPMODE_LINEAR_NOPERSPECTIVE:
      return DIRECT_LINEAR_CENTER;
   case IL_INTERPMODE_LINEAR_NOPERSPECTIVE_CENTROID:
      return DIRECT_LINEAR_CENTROID;
   case IL_INTERPMODE_LINEAR_NOPERSPECTIVE_SAMPLE:
      return DIRECT_LINEAR_SAMPLE;
   default:
      return DIRECT_PERSP_CENTER;
   }
}

static struct value
barycentric(unsigned bary, unsigned axis)
{
   return K(direct_row)(bary / 2, bary % 2 * 2 + axis);
}

static void
interpolate(struct direct *d, unsigned n, unsigned comp, struct value i, struct value j,
            uint32_t to)
{
   struct uop *u = K(direct_uop)(d, K(uop_interp), 1);
   u->dst = to;
   u->aux = (uint8_t)n;
   u->imm[1] = comp;
   K(direct_set)(u, 0, i);
   K(direct_set)(u, 1, j);
}

void
K(direct_pixel_begin)(struct direct *d)
{
   d->p->uses_parameters = true;
   d->input_row = K(direct_rows)(d, DIRECT_INPUTS);
   for (unsigned n = 0; n < DIRECT_INPUTS; n++) {
      for (unsigned c = 0; c < 4; c++) {
         uint32_t to = REG(d->input_row + n, c);
         if (n == IL_LINK_POSITION) {
            d->pool = 0;
            K(direct_move)
            (d, to, c == 3 ? DOP1(RECIP_IEEE, K(direct_row)(3, 3)) : K(direct_row)(3, c));
         } else if (!d->input[n].declared) {
            K(direct_move)(d, to, K(direct_literal)(d, c == 3 ? 0x3f800000 : 0));
         } else if (bary_of(d->input[n].mode) < 0) {
            struct uop *u = K(direct_uop)(d, K(uop_interp_load), 1);
            u->dst = to;
            u->aux = (uint8_t)n;
            u->imm[1] = c;
         } else {
            unsigned b = (unsigned)bary_of(d->input[n].mode);
            interpolate(d, n, c, barycentric(b, 0), barycentric(b, 1), to);
         }
      }
   }
}

/* How four values change along x (axis 0) or y, in STAGE_RESULT. */
static void
gradients(struct direct *d, unsigned axis, bool fine, const struct value v[4])
{
   struct program *p = d->p;

   for (unsigned c = 0; c < 4; c++) {
      K(direct_move)(d, REG(STAGE_SOURCE, c), v[c]);
   }
   struct sq_cf *cf = K(direct_cf)(d, CAYMAN_CF_TC);
   if (!K(lift_grow)(&d->l, (void **)&p->fetches, p->num_fetches, &d->l.cap_fetches,
                     sizeof(*p->fetches))) {
      return;
   }
   p->fetches[p->num_fetches] = (struct fetch){
      .kind = FETCH_GRADIENTS,
      .op = axis ? CAYMAN_TEX_GET_GRADIENTS_V : CAYMAN_TEX_GET_GRADIENTS_H,
      .inst_mod = fine,
      .src_gpr = STAGE_SOURCE,
      .dst_gpr = STAGE_RESULT,
      .src_sel = { 0, 1, 2, 3 },
      .dst_sel = { 0, 1, 2, 3 },
   };
   cf->first_fetch = p->num_fetches++;
   cf->num_fetches = 1;
   p->head.needs_helpers = true;
}

static void
derivative(struct direct *d, const struct il_inst *inst)
{
   bool fine = inst->op != IL_OP_FWIDTH && (inst->ctl >> 7 & 1);
   struct value v[4], r[4];

   for (unsigned c = 0; c < 4; c++) {
      v[c] = K(direct_src)(d, &inst->src[0], c);
   }
   gradients(d, inst->op == IL_OP_DSY, fine, v);
   for (unsigned c = 0; c < 4; c++) {
      uint32_t to = K(direct_temp)(d);
      K(direct_move)(d, to, K(direct_row)(STAGE_RESULT, c));
      r[c] = K(direct_at)(to);
   }
   if (inst->op == IL_OP_FWIDTH) {
      gradients(d, 1, false, v);
      for (unsigned c = 0; c < 4; c++) {
         r[c] = DOP2(ADD, value_abs(r[c]), value_abs(K(direct_row)(STAGE_RESULT, c)));
      }
   }
   K(direct_store)(d, &inst->dst[0], r);
}

struct value
K(direct_sample_position)(struct direct *d, struct value id, unsigned axis)
{
   struct value half[2], one = K(direct_literal)(d, 1);
   struct value pair = DOP2(LSHR_INT, id, one);

   for (unsigned odd = 0; odd < 2; odd++) {
      half[odd] = K(direct_at)(K(direct_temp)(d));
      struct uop *u = K(direct_uop)(d, K(direct_uop_constant), 1);
      u->dst = half[odd].at;
      u->aux = IL_DRIVER_CB;
      u->imm[0] = IL_DRV_SAMPLE_POS;
      u->imm[1] = odd * 2 + axis;
      K(direct_set)(u, 0, pair);
   }
   return DOP3(CNDE_INT, DOP2(AND_INT, id, one), half[0], half[1]);
}

static void
evaluate(struct direct *d, const struct il_inst *inst)
{
   const struct il_src *src = &inst->src[0];
   uint32_t n = src->r.num;
   struct value r[4], ij[2], offset[2], slope[2][2], zero = K(direct_literal)(d, 0);

   if (src->r.type != IL_REGTYPE_INPUT || n >= DIRECT_INPUTS || src->r.rel != IL_ADDR_ABSOLUTE ||
       !d->input[n].declared || n == IL_LINK_POSITION) {
      K(direct_refuse)(d, "the operand of an interpolation");
      return;
   }
   int mode = bary_of(d->input[n].mode);
   if (mode < 0) {
      for (unsigned c = 0; c < 4; c++) {
         r[c] = K(direct_src)(d, src, c);
      }
      K(direct_store)(d, &inst->dst[0], r);
      return;
   }
   unsigned b = mode >= DIRECT_LINEAR_SAMPLE ? DIRECT_LINEAR_CENTER : DIRECT_PERSP_CENTER;
   b += inst->op == IL_OP_EVAL_CENTROID;
   for (unsigned k = 0; k < 2; k++) {
      ij[k] = barycentric(b, k);
   }
   if (inst->op != IL_OP_EVAL_CENTROID) {
      for (unsigned axis = 0; axis < 2; axis++) {
         gradients(d, axis, false, (const struct value[]){ ij[0], ij[1], zero, zero });
         for (unsigned k = 0; k < 2; k++) {
            slope[axis][k] = K(direct_at)(K(direct_temp)(d));
            K(direct_move)(d, slope[axis][k].at, K(direct_row)(STAGE_RESULT, k));
         }
         offset[axis] =
            inst->op == IL_OP_EVAL_SNAPPED
               ? K(direct_src)(d, &inst->src[1], axis)
               : DOP2(ADD, K(direct_sample_position)(d, K(direct_src)(d, &inst->src[1], 0), axis),
                      K(direct_literal)(d, 0xbf000000));
      }
      for (unsigned k = 0; k < 2; k++) {
         ij[k] = DOP3(MULADD_IEEE, slope[0][k], offset[0], ij[k]);
         ij[k] = DOP3(MULADD_IEEE, slope[1][k], offset[1], ij[k]);
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      unsigned sel = il_src_swz(src, c);
      r[c] = K(direct_literal)(d, sel == IL_COMPSEL_1 ? 0x3f800000 : 0);
      if (sel < 4) {
         r[c] = K(direct_at)(K(direct_temp)(d));
         interpolate(d, n, sel, ij[0], ij[1], r[c].at);
      }
   }
   K(direct_store)(d, &inst->dst[0], r);
}

static void
discard(struct direct *d, unsigned op, struct value v)
{
   uint32_t trash = K(direct_temp)(d);
   struct uop *u = K(direct_uop)(d, K(sq_alu_fn)(op), 1);

   u->op = (uint16_t)op;
   u->dst = trash;
   K(direct_set)(u, 0, op == CAYMAN_ALU_KILLGT ? K(direct_literal)(d, 0) : v);
   K(direct_set)(u, 1, op == CAYMAN_ALU_KILLGT ? v : K(direct_literal)(d, 0));
   d->p->head.uses_kill = true;
}

/* Of a register, or of the texel that it is the coordinates of. */
static void
kill_negative(struct direct *d, const struct il_inst *inst)
{
   struct value v[4];

   for (unsigned c = 0; c < 4 && !(inst->ctl >> 8 & 1); c++) {
      v[c] = K(direct_src)(d, &inst->src[0], c);
   }
   if (inst->ctl >> 8 & 1) {
      K(direct_stage_texel)(d, inst, v);
   }
   for (unsigned c = 0; c < 4; c++) {
      discard(d, CAYMAN_ALU_KILLGT, v[c]);
   }
}

static struct value
driver_constant(struct direct *d, unsigned index, unsigned chan)
{
   return (struct value){ .at = K(lift_const)(&d->l, IL_DRIVER_CB, index * 4 + chan),
                          .keep = ~0u,
                          .uni = true };
}

static void
system_value(struct direct *d, const struct il_inst *inst)
{
   struct value r[4], zero = K(direct_literal)(d, 0);

   switch (inst->ctl & 0x3fff) {
   case IL_SYSVAL_BASE_VERTEX:
      r[0] = driver_constant(d, IL_DRV_DRAW, 0);
      break;
   case IL_SYSVAL_BASE_INSTANCE:
      r[0] = driver_constant(d, IL_DRV_DRAW, 1);
      break;
   case IL_SYSVAL_DRAW_ID:
      r[0] = driver_constant(d, IL_DRV_DRAW, 2);
      break;
   case IL_SYSVAL_FIRST_VERTEX:
      r[0] = driver_constant(d, IL_DRV_DRAW, 3);
      break;
   case IL_SYSVAL_IS_INDEXED_DRAW:
      r[0] = driver_constant(d, IL_DRV_DRAW2, 0);
      break;
   case IL_SYSVAL_NUM_SAMPLES:
      r[0] = driver_constant(d, IL_DRV_DRAW2, 1);
      break;
   case IL_SYSVAL_SAMPLE_POS:
      r[0] = K(direct_sample_position)(d, K(direct_row)(5, 3), 0);
      r[1] = K(direct_sample_position)(d, K(direct_row)(5, 3), 1);
      r[2] = r[3] = zero;
      K(direct_store)(d, &inst->dst[0], r);
      return;
   default:
      K(direct_refuse)(d, "a system value that the launcher does not give");
      return;
   }
   r[1] = r[2] = r[3] = r[0];
   K(direct_store)(d, &inst->dst[0], r);
}

static void
wave_number(struct direct *d, const struct il_inst *inst)
{
   struct value v = K(direct_literal)(d, 0); /* one unit of each kind */
   if (inst->op == IL_OP_WAVE_ID) {
      v.at = UNI_DYNAMIC | d->p->num_dynamic++;
      struct uop *u = K(direct_uop)(d, K(uop_load_special), 1);
      u->src[0] = v.at;
      u->uni = 1;
      u->imm[0] = CAYMAN_SRC_HW_WAVE_ID;
   }
   const struct value r[4] = { v, v, v, v };
   K(direct_store)(d, &inst->dst[0], r);
}

bool
K(direct_pixel)(struct direct *d, const struct il_inst *inst)
{
   switch (inst->op) {
   case IL_OP_DSX:
   case IL_OP_DSY:
   case IL_OP_FWIDTH:
      derivative(d, inst);
      return true;
   case IL_OP_EVAL_CENTROID:
   case IL_OP_EVAL_SNAPPED:
   case IL_OP_EVAL_SAMPLE_INDEX:
      evaluate(d, inst);
      return true;
   case IL_OP_DISCARD_LOGICALZ:
   case IL_OP_DISCARD_LOGICALNZ:
      discard(d, inst->op == IL_OP_DISCARD_LOGICALZ ? CAYMAN_ALU_KILLE_INT : CAYMAN_ALU_KILLNE_INT,
              K(direct_src)(d, &inst->src[0], 0));
      return true;
   case IL_OP_KILL:
      kill_negative(d, inst);
      return true;
   case IL_OP_X_SYSVAL:
      system_value(d, inst);
      return true;
   case IL_OP_CU_ID:
   case IL_OP_WAVE_ID:
      wave_number(d, inst);
      return true;
   default:
      return false;
   }
}
