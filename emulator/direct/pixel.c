/* SPDX-License-Identifier: MIT */
/*
 * What pixel shaders have of their own: interpolated inputs, derivatives, discards; and system
 * values of all stages (il/conventions.h).
 *
 * Inputs are interpolated once, at the start: p0 + i * p10 + j * p20.  Where the hardware has no
 * barycentrics for a position in the pixel, the centre's are moved by their derivatives.
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

static struct uop_operand
barycentric(unsigned bary, unsigned axis)
{
   return direct_row(bary / 2, bary % 2 * 2 + axis);
}

static void
interpolate(struct direct *d, unsigned n, unsigned comp, struct uop_operand i, struct uop_operand j,
            uint32_t to)
{
   struct uop *u = uop_emit(&d->b, UOP_INTERP, to, i, j, j);
   u->p.interp.input = (uint8_t)n;
   u->p.interp.comp = (uint8_t)comp;
}

void
direct_pixel_begin(struct direct *d)
{
   d->p->uses_parameters = true;
   d->input_row = direct_rows(d, DIRECT_INPUTS);
   for (unsigned n = 0; n < DIRECT_INPUTS; n++) {
      for (unsigned c = 0; c < 4; c++) {
         uint32_t to = REG(d->input_row + n, c);
         if (n == IL_LINK_POSITION) {
            d->pool = 0;
            direct_move(d, to, c == 3 ? DOP1(RECIP_IEEE, direct_row(3, 3)) : direct_row(3, c));
         } else if (!d->decl.input[n].declared) {
            direct_move(d, to, direct_literal(d, c == 3 ? 0x3f800000 : 0));
         } else if (bary_of(d->decl.input[n].mode) < 0) {
            struct uop *u = uop_add(&d->b, UOP_INTERP_LOAD);
            u->dst = to;
            u->p.interp.input = (uint8_t)n;
            u->p.interp.comp = (uint8_t)c;
         } else {
            unsigned b = (unsigned)bary_of(d->decl.input[n].mode);
            interpolate(d, n, c, barycentric(b, 0), barycentric(b, 1), to);
         }
      }
   }
}

/* How four values change along x (axis 0) or y, in STAGE_RESULT. */
static void
gradients(struct direct *d, unsigned axis, bool fine, const struct uop_operand v[4])
{
   struct program *p = d->p;

   for (unsigned c = 0; c < 4; c++)
      direct_move(d, REG(STAGE_SOURCE, c), v[c]);
   struct sq_cf *cf = direct_cf(d, CAYMAN_CF_TC);
   if (!uop_grow(&d->b, (void **)&p->fetches, p->num_fetches, &d->cap_fetches, sizeof(*p->fetches)))
      return;
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
   p->head.core.needs_helpers = true;
}

void
direct_derivative(struct direct *d, const struct il_inst *inst)
{
   bool fine = inst->op != IL_OP_FWIDTH && il_fine(inst);
   struct uop_operand v[4], r[4];

   for (unsigned c = 0; c < 4; c++)
      v[c] = direct_src(d, &inst->src[0], c);
   gradients(d, inst->op == IL_OP_DSY, fine, v);
   for (unsigned c = 0; c < 4; c++) {
      uint32_t to = direct_temp(d);
      direct_move(d, to, direct_row(STAGE_RESULT, c));
      r[c] = direct_at(to);
   }
   if (inst->op == IL_OP_FWIDTH) {
      gradients(d, 1, false, v);
      for (unsigned c = 0; c < 4; c++)
         r[c] = DOP2(ADD, uop_abs(r[c]), uop_abs(direct_row(STAGE_RESULT, c)));
   }
   direct_store(d, &inst->dst[0], r);
}

struct uop_operand
direct_sample_position(struct direct *d, struct uop_operand id, unsigned axis)
{
   struct uop_operand half[2], one = direct_literal(d, 1);
   struct uop_operand pair = DOP2(LSHR_INT, id, one);

   for (unsigned odd = 0; odd < 2; odd++) {
      half[odd] = direct_at(direct_temp(d));
      direct_element(d, half[odd].at, IL_DRIVER_CB, IL_DRV_SAMPLE_POS, odd * 2 + axis, pair);
   }
   return DOP3(CNDE_INT, DOP2(AND_INT, id, one), half[0], half[1]);
}

static void
evaluate(struct direct *d, const struct il_inst *inst)
{
   const struct il_src *src = &inst->src[0];
   uint32_t n = src->r.num;
   struct uop_operand r[4], ij[2], offset[2], slope[2][2], zero = direct_literal(d, 0);

   if (src->r.type != IL_REGTYPE_INPUT || n >= DIRECT_INPUTS || src->r.rel != IL_ADDR_ABSOLUTE ||
       !d->decl.input[n].declared || n == IL_LINK_POSITION) {
      direct_refuse(d, "the operand of an interpolation");
      return;
   }
   int mode = bary_of(d->decl.input[n].mode);
   if (mode < 0) {
      for (unsigned c = 0; c < 4; c++)
         r[c] = direct_src(d, src, c);
      direct_store(d, &inst->dst[0], r);
      return;
   }
   unsigned b = mode >= DIRECT_LINEAR_SAMPLE ? DIRECT_LINEAR_CENTER : DIRECT_PERSP_CENTER;
   b += inst->op == IL_OP_EVAL_CENTROID;
   for (unsigned k = 0; k < 2; k++)
      ij[k] = barycentric(b, k);
   if (inst->op != IL_OP_EVAL_CENTROID) {
      for (unsigned axis = 0; axis < 2; axis++) {
         gradients(d, axis, false, (const struct uop_operand[]){ ij[0], ij[1], zero, zero });
         for (unsigned k = 0; k < 2; k++) {
            slope[axis][k] = direct_at(direct_temp(d));
            direct_move(d, slope[axis][k].at, direct_row(STAGE_RESULT, k));
         }
         offset[axis] =
            inst->op == IL_OP_EVAL_SNAPPED
               ? direct_src(d, &inst->src[1], axis)
               : DOP2(ADD, direct_sample_position(d, direct_src(d, &inst->src[1], 0), axis),
                      direct_literal(d, 0xbf000000));
      }
      for (unsigned k = 0; k < 2; k++) {
         ij[k] = DOP3(MULADD_IEEE, slope[0][k], offset[0], ij[k]);
         ij[k] = DOP3(MULADD_IEEE, slope[1][k], offset[1], ij[k]);
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      unsigned sel = il_src_swz(src, c);
      r[c] = direct_literal(d, sel == IL_COMPSEL_1 ? 0x3f800000 : 0);
      if (sel < 4) {
         r[c] = direct_at(direct_temp(d));
         interpolate(d, n, sel, ij[0], ij[1], r[c].at);
      }
   }
   direct_store(d, &inst->dst[0], r);
}

static void
discard(struct direct *d, unsigned op, struct uop_operand v)
{
   uint32_t trash = direct_temp(d);
   struct uop_operand zero = direct_literal(d, 0);

   uop_emit(&d->b, op, trash, op == UOP_KILLGT ? zero : v, op == UOP_KILLGT ? v : zero, zero);
   d->p->head.core.uses_kill = true;
}

static struct uop_operand
driver_constant(struct direct *d, unsigned index, unsigned chan)
{
   return direct_const(d, IL_DRIVER_CB, index * 4 + chan);
}

static void
system_value(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand r[4], zero = direct_literal(d, 0);

   unsigned vec4, comp;

   switch (il_number(inst)) {
   case IL_SYSVAL_LANE:
      r[0] = direct_at(direct_temp(d));
      uop_add(&d->b, UOP_RETURN_PLACE)->dst = r[0].at;
      r[0] = DOP2(AND_INT, r[0], direct_literal(d, 63));
      break;
   case IL_SYSVAL_SAMPLE_POS:
      r[0] = direct_sample_position(d, direct_row(5, 3), 0);
      r[1] = direct_sample_position(d, direct_row(5, 3), 1);
      r[2] = r[3] = zero;
      direct_store(d, &inst->dst[0], r);
      return;
   default:
      if (!il_sysval_constant(il_number(inst), &vec4, &comp)) {
         direct_refuse(d, "a system value that the launcher does not give");
         return;
      }
      r[0] = driver_constant(d, vec4, comp);
      break;
   }
   r[1] = r[2] = r[3] = r[0];
   direct_store(d, &inst->dst[0], r);
}

static void
wave_number(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand v = direct_literal(d, 0); /* one unit of each kind */
   if (inst->op == IL_OP_WAVE_ID)
      v = direct_special(d, UOP_SPECIAL_WAVE_SLOT);
   const struct uop_operand r[4] = { v, v, v, v };
   direct_store(d, &inst->dst[0], r);
}

static void
ballot(struct direct *d, const struct il_inst *inst)
{
   struct uop_operand vote = direct_src(d, &inst->src[0], 0), r[4];

   for (unsigned c = 0; c < 4; c++) {
      r[c] = direct_literal(d, 0);
      if (c < 2) {
         r[c] = direct_at(direct_temp(d));
         uop_emit(&d->b, UOP_BALLOT, r[c].at, vote, vote, vote)->p.special.source =
            c ? UOP_SPECIAL_MASK_HI : UOP_SPECIAL_MASK_LO;
      }
   }
   direct_store(d, &inst->dst[0], r);
}

bool
direct_system(struct direct *d, const struct il_inst *inst)
{
   switch (inst->op) {
   case IL_OP_EVAL_CENTROID:
   case IL_OP_EVAL_SNAPPED:
   case IL_OP_EVAL_SAMPLE_INDEX:
      evaluate(d, inst);
      return true;
   case IL_OP_SAMPLEPOS:
      direct_samplepos(d, inst);
      return true;
   case IL_OP_DISCARD_LOGICALZ:
      discard(d, UOP_KILLE_INT, direct_src(d, &inst->src[0], 0));
      return true;
   case IL_OP_DISCARD_LOGICALNZ:
      discard(d, UOP_KILLNE_INT, direct_src(d, &inst->src[0], 0));
      return true;
   case IL_OP_KILL:
      for (unsigned c = 0; c < 4; c++)
         discard(d, UOP_KILLGT, direct_src(d, &inst->src[0], c));
      return true;
   case IL_OP_X_SYSVAL:
      system_value(d, inst);
      return true;
   case IL_OP_X_BALLOT:
      ballot(d, inst);
      return true;
   case IL_OP_CU_ID:
   case IL_OP_WAVE_ID:
      wave_number(d, inst);
      return true;
   default:
      return false;
   }
}
