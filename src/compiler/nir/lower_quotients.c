/* SPDX-License-Identifier: MIT */
/* Quotients of floats, by way of the reciprocal and one correction.
 *
 * The reciprocal r of b is the nearest float to 1 / b, but a * r is rounded again: 41 * (1 / 41) is
 * not 1.  What the product misses is known exactly where multiply and add round once:
 *
 *     r = 1 / b    q = a * r    e = a - q * b    q' = q + e * r
 *
 * q' is the nearest float to a / b, as long as r and e are no denormals.
 *
 *  1. q' is taken where |e| < |a|, else q: infinities, zeros with their signs, and overflow are
 *     what the product makes of them; e is a NaN, infinite or a itself there.
 *  2. The reciprocal of a constant is split into h, rounded towards zero, and l, the rest:
 *     q' = a * h + (a * l).  Both parts have one sign, so that infinities remain.  Of a power of
 *     two there is no rest, and a power of two over b is exact with the product alone.
 *  3. Within a - b * floor(a / b) what is not finite makes a NaN with q and with q': no choice.
 *  4. The remainder by a constant c needs of the quotient what floor() makes of it.  h, the float
 *     nearest to 1 / c, is off by at most 2^-24 of it, and where it is by at most 2^-25, k * c * h
 *     rounds to k: the product alone will do.  Where it is not, and dividend and constant are
 *     whole, floor(a * h + s) is right with an s between what k * c * h lacks at most and what
 *     (k * c - 1) * h has room for: for multiples of c up to 2^24, and for all a below 2^22.
 *  5. Where the driver works out what is made of uniforms alone (hoist_values.c), the reciprocal of
 *     such a divisor is split as a constant's is: h is less than it by 2^-22, l the rest.  Beyond
 *     2^60, of zero and of infinity h is the reciprocal, and l, too little to matter, has its sign.
 *  6. A target that rounds twice splits b and q into halves: their products are exact.
 *  7. Where a or b has no exact value (is_number()), the quotient is the product alone: so is a
 *     root's or a power's, which have reciprocals of their own.
 */
#include "translate.h"

#include "nir_builder.h"

#include <math.h>

/* Both parts of the reciprocal of a constant or a uniform, and their products, are no denormals. */
#define LEAST_CONSTANT 0x1p-60
#define MOST_CONSTANT  0x1p60

/* How far values are followed, how many are looked at for one answer, and products of a sum that
 * index arithmetic has at most. */
#define MAX_DEPTH    24
#define MAX_VALUES   4096
#define MAX_WHOLE    512
#define MAX_UNIFORM  64
#define MAX_PRODUCTS 2

/* ----------------------------------------------------------------------------- exact values -- */

static unsigned
products(const nir_def *def, unsigned depth)
{
   if (def->parent_instr->type != nir_instr_type_alu || depth == 0)
      return 0;
   const nir_alu_instr *alu = nir_instr_as_alu(def->parent_instr);
   switch (alu->op) {
   case nir_op_fdot2:
   case nir_op_fdot3:
   case nir_op_fdot4:
      return nir_op_infos[alu->op].input_sizes[0];
   case nir_op_fmul:
      return 1;
   case nir_op_ffma:
      return 1 + products(alu->src[2].src.ssa, depth - 1);
   case nir_op_fadd:
      return products(alu->src[0].src.ssa, depth - 1) + products(alu->src[1].src.ssa, depth - 1);
   case nir_op_fneg:
   case nir_op_fabs:
      return products(alu->src[0].src.ssa, depth - 1);
   default:
      return 0;
   }
}

static bool number(const nir_def *def, unsigned depth, unsigned *left);

static bool
alu_is_number(const nir_alu_instr *alu, unsigned depth, unsigned *left)
{
   switch (alu->op) {
   case nir_op_frcp:
   case nir_op_frsq:
   case nir_op_fsqrt:
   case nir_op_fexp2:
   case nir_op_flog2:
   case nir_op_fpow:
   case nir_op_fsin:
   case nir_op_fcos:
   case nir_op_fdiv:
      return false;
   case nir_op_ffloor:
   case nir_op_fceil:
   case nir_op_ftrunc:
   case nir_op_fround_even:
   case nir_op_i2f32:
   case nir_op_u2f32:
   case nir_op_b2f32:
      return true;
   default:
      break;
   }
   for (unsigned s = alu->op == nir_op_bcsel; s < nir_op_infos[alu->op].num_inputs; s++)
      if (!number(alu->src[s].src.ssa, depth, left))
         return false;
   return true;
}

/* Whether a program can count on the value to the last bit: not on what is interpolated, filtered,
 * a derivative, an approximated function, a quotient, or a sum of many products, and what depends
 * on one of these without being rounded to an integer. */
static bool
number(const nir_def *def, unsigned depth, unsigned *left)
{
   const nir_instr *instr = def->parent_instr;

   if (depth == 0 || *left == 0)
      return true;
   (*left)--;
   if (products(def, MAX_PRODUCTS + 4) > MAX_PRODUCTS)
      return false;
   switch (instr->type) {
   case nir_instr_type_alu:
      return alu_is_number(nir_instr_as_alu((nir_instr *)instr), depth - 1, left);
   case nir_instr_type_tex:
      switch (nir_instr_as_tex((nir_instr *)instr)->op) {
      case nir_texop_tex:
      case nir_texop_txb:
      case nir_texop_txl:
      case nir_texop_txd:
         /* A target without fetches of texels has tables in textures that are not filtered. */
         return !tr_fuses(nir_cf_node_get_function(&instr->block->cf_node)->function->shader);
      case nir_texop_lod:
         return false;
      default:
         return true;
      }
   case nir_instr_type_intrinsic:
      switch (nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic) {
      case nir_intrinsic_load_interpolated_input:
      case nir_intrinsic_load_point_coord:
      case nir_intrinsic_ddx:
      case nir_intrinsic_ddx_fine:
      case nir_intrinsic_ddx_coarse:
      case nir_intrinsic_ddy:
      case nir_intrinsic_ddy_fine:
      case nir_intrinsic_ddy_coarse:
         return false;
      default:
         return true;
      }
   case nir_instr_type_phi:
      nir_foreach_phi_src(src, nir_instr_as_phi((nir_instr *)instr))
      {
         if (!number(src->src.ssa, depth > 4 ? depth - 4 : 0, left))
            return false;
      }
      return true;
   default:
      return true;
   }
}

static bool
is_number(const nir_def *def)
{
   unsigned left = MAX_VALUES;
   return number(def, MAX_DEPTH, &left);
}

/* Whether the value is a whole number, unless infinite or a NaN; `left`: values to look at. */
static bool
is_whole(nir_scalar s, unsigned *left)
{
   s = nir_scalar_chase_movs(s);
   if (*left == 0 || s.def->bit_size != 32)
      return false;
   (*left)--;
   if (nir_scalar_is_const(s)) {
      const double value = nir_scalar_as_float(s);
      return value == floor(value);
   }
   if (!nir_scalar_is_alu(s))
      return false;
   unsigned first = 0;
   switch (nir_scalar_alu_op(s)) {
   case nir_op_ffloor:
   case nir_op_fceil:
   case nir_op_ftrunc:
   case nir_op_fround_even:
   case nir_op_fsign:
   case nir_op_slt:
   case nir_op_sge:
   case nir_op_i2f32:
   case nir_op_u2f32:
   case nir_op_b2f32:
      return true;
   case nir_op_bcsel:
      first = 1;
      break;
   case nir_op_fneg:
   case nir_op_fabs:
   case nir_op_fsat:
   case nir_op_fadd:
   case nir_op_fsub:
   case nir_op_fmul:
   case nir_op_ffma:
   case nir_op_fmin:
   case nir_op_fmax:
      break;
   default:
      return false;
   }
   for (unsigned i = first; i < nir_op_infos[nir_scalar_alu_op(s)].num_inputs; i++)
      if (!is_whole(nir_scalar_chase_alu_src(s, i), left))
         return false;
   return true;
}

static bool
all_whole(nir_def *def)
{
   for (unsigned c = 0; c < def->num_components; c++) {
      unsigned left = MAX_WHOLE;
      if (!is_whole(nir_get_scalar(def, c), &left))
         return false;
   }
   return true;
}

/* ------------------------------------------------------------------------------ the formulas -- */

static bool
is_power_of_two(float x)
{
   int exponent;
   return fabs(frexp(x, &exponent)) == 0.5;
}

/* The components of a constant source; false: it is no constant. */
static bool
constant(const nir_alu_instr *alu, unsigned s, double *value)
{
   const nir_alu_src *src = &alu->src[s];
   if (!nir_src_is_const(src->src))
      return false;
   for (unsigned c = 0; c < alu->def.num_components; c++)
      value[c] = nir_src_comp_as_float(src->src, src->swizzle[c]);
   return true;
}

/* x = high + low, of 12 bits each; a NaN where x is huge. */
static void
split(nir_builder *b, nir_def *x, nir_def **high, nir_def **low)
{
   nir_def *big = nir_fmul_imm(b, x, 4097.0);
   *high = nir_fsub(b, big, nir_fsub(b, big, x));
   *low = nir_fsub(b, x, *high);
}

/* a - q * b, which is a float. */
static nir_def *
residue(nir_builder *b, nir_def *a, nir_def *q, nir_def *divisor)
{
   nir_def *qh, *ql, *dh, *dl;

   if (tr_fuses(b->shader))
      return nir_ffma(b, nir_fneg(b, q), divisor, a);
   split(b, q, &qh, &ql);
   split(b, divisor, &dh, &dl);
   nir_def *product = nir_fmul(b, q, divisor);
   nir_def *rest = nir_fsub(b, product, nir_fmul(b, qh, dh));
   rest = nir_fsub(b, rest, nir_fmul(b, qh, dl));
   rest = nir_fsub(b, rest, nir_fmul(b, ql, dh));
   rest = nir_fsub(b, rest, nir_fmul(b, ql, dl));
   return nir_fadd(b, nir_fsub(b, a, product), rest);
}

/* a / b for a constant b (2). */
static nir_def *
by_constant(nir_builder *b, nir_def *a, const double *divisor)
{
   nir_const_value high[NIR_MAX_VEC_COMPONENTS], low[NIR_MAX_VEC_COMPONENTS];
   bool rest = false;

   for (unsigned c = 0; c < a->num_components; c++) {
      const double r = 1 / divisor[c];
      float h = (float)r;
      if (fabs(h) > fabs(r))
         h = nextafterf(h, 0);
      /* h * divisor has 48 bits: 1 less that is exact. */
      const float l =
         is_power_of_two((float)divisor[c]) ? 0 : (float)((1 - h * divisor[c]) / divisor[c]);
      high[c] = nir_const_value_for_float(h, 32);
      low[c] = nir_const_value_for_float(l, 32);
      rest |= l != 0;
   }
   nir_def *h = nir_build_imm(b, a->num_components, 32, high);
   if (!rest)
      return nir_fmul(b, a, h);
   return nir_ffma(b, a, h, nir_fmul(b, a, nir_build_imm(b, a->num_components, 32, low)));
}

/* What floor(), or trunc() if not `floors`, makes the whole part of a / b for a constant b (4);
 * NULL: there is nothing simpler than a quotient. */
static nir_def *
whole_by_constant(nir_builder *b, nir_def *a, const double *divisor, bool floors)
{
   nir_const_value near[NIR_MAX_VEC_COMPONENTS], room[NIR_MAX_VEC_COMPONENTS];
   bool close = true, whole = floors && tr_fuses(b->shader);

   for (unsigned c = 0; c < a->num_components; c++) {
      if (fabs(divisor[c]) < LEAST_CONSTANT || fabs(divisor[c]) > MOST_CONSTANT)
         return NULL;
      const float h = (float)(1 / divisor[c]);
      /* In units of 2^-24 of the reciprocal; exact. */
      const double off = fabs(h * divisor[c] - 1) * 0x1p24;
      close &= off <= 0.5;
      whole &= divisor[c] == floor(divisor[c]);
      near[c] = nir_const_value_for_float(h, 32);
      room[c] = nir_const_value_for_float(
         off <= 0.5 ? 0 : (float)((off - 0.5 + 0x1p-10) / fabs(divisor[c])), 32);
   }
   nir_def *h = nir_build_imm(b, a->num_components, 32, near);
   if (close)
      return nir_fmul(b, a, h);
   if (!whole || !all_whole(a))
      return NULL;
   return nir_ffma(b, a, h, nir_build_imm(b, a->num_components, 32, room));
}

/* Whether the driver makes the value of uniforms (hoist_values.c); `left`: values to look at. */
static bool
is_uniform(nir_scalar s, unsigned *left)
{
   s = nir_scalar_chase_movs(s);
   if (*left == 0 || s.def->bit_size != 32)
      return false;
   (*left)--;
   if (nir_scalar_is_const(s))
      return true;
   if (nir_scalar_is_intrinsic(s)) {
      const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(s.def->parent_instr);
      return intr->intrinsic == nir_intrinsic_load_ubo && nir_src_is_const(intr->src[0]) &&
             nir_src_as_uint(intr->src[0]) == 0 && nir_src_is_const(intr->src[1]);
   }
   if (!nir_scalar_is_alu(s) || !tr_hoists_op(nir_scalar_alu_op(s)) ||
       nir_op_infos[nir_scalar_alu_op(s)].output_size != 0)
      return false;
   for (unsigned i = 0; i < nir_op_infos[nir_scalar_alu_op(s)].num_inputs; i++)
      if (!is_uniform(nir_scalar_chase_alu_src(s, i), left))
         return false;
   return true;
}

static bool
all_uniform(nir_def *def)
{
   for (unsigned c = 0; c < def->num_components; c++) {
      unsigned left = MAX_UNIFORM;
      if (!is_uniform(nir_get_scalar(def, c), &left))
         return false;
   }
   return true;
}

/* a / b for a b of uniforms (5): what is made of b alone leaves the program. */
static nir_def *
by_uniform(nir_builder *b, nir_def *a, nir_def *divisor)
{
   nir_def *r = nir_frcp(b, divisor), *size = nir_fabs(b, r);
   nir_def *h = nir_fmul_imm(b, r, 1 - 0x1p-22);
   nir_def *l = nir_fmul(b, nir_ffma(b, nir_fneg(b, h), divisor, nir_imm_float(b, 1)), r);
   nir_def *usual =
      nir_iand(b, nir_flt_imm(b, size, MOST_CONSTANT), nir_fgt_imm(b, size, LEAST_CONSTANT));
   h = nir_bcsel(b, usual, h, r);
   l = nir_bcsel(b, usual, l, nir_fmul_imm(b, r, 0x1p-30));
   return nir_ffma(b, a, h, nir_fmul(b, a, l));
}

/* `guarded`: what is not finite remains (1). */
static nir_def *
by_reciprocal(nir_builder *b, nir_def *a, nir_def *divisor, bool guarded)
{
   nir_def *r = nir_frcp(b, divisor);
   nir_def *q = nir_fmul(b, a, r);
   nir_def *e = residue(b, a, q, divisor);
   nir_def *better = tr_fuses(b->shader) ? nir_ffma(b, e, r, q) : nir_fadd(b, nir_fmul(b, e, r), q);
   if (!guarded)
      return better;
   return nir_bcsel(b, nir_flt(b, nir_fabs(b, e), nir_fabs(b, a)), better, q);
}

static nir_def *
quotient(nir_builder *b, const nir_alu_instr *alu, nir_def *a, nir_def *divisor)
{
   const bool guarded = alu->op == nir_op_fdiv;
   double value[NIR_MAX_VEC_COMPONENTS];
   const unsigned comps = alu->def.num_components;
   bool simple = true;

   if (constant(alu, 1, value)) {
      bool powers = true;
      nir_def *whole = guarded ? NULL : whole_by_constant(b, a, value, alu->op == nir_op_fmod);
      if (whole)
         return whole;
      for (unsigned c = 0; c < comps; c++) {
         simple &= fabs(value[c]) >= LEAST_CONSTANT && fabs(value[c]) <= MOST_CONSTANT;
         powers &= is_power_of_two((float)value[c]);
      }
      if (simple && (powers || tr_fuses(b->shader)))
         return by_constant(b, a, value);
   } else if (constant(alu, 0, value)) {
      for (unsigned c = 0; c < comps; c++)
         simple &= is_power_of_two((float)value[c]);
      if (simple)
         return nir_fmul(b, a, nir_frcp(b, divisor));
   }
   if (tr_fuses(b->shader) && tr_hoists(b->shader) && !nir_src_is_const(alu->src[1].src) &&
       all_uniform(divisor) && !all_uniform(a))
      return by_uniform(b, a, divisor);
   return by_reciprocal(b, a, divisor, guarded);
}

static bool
lower(nir_builder *b, nir_alu_instr *alu, void *data)
{
   if ((alu->op != nir_op_fdiv && alu->op != nir_op_fmod && alu->op != nir_op_frem) ||
       alu->def.bit_size != 32)
      return false;
   b->cursor = nir_before_instr(&alu->instr);
   nir_def *a = nir_ssa_for_alu_src(b, alu, 0), *divisor = nir_ssa_for_alu_src(b, alu, 1);
   /* A number over itself is 1, whatever it is. */
   const bool same = nir_alu_srcs_equal(alu, alu, 0, 1);
   nir_def *result;
   b->exact = true;
   if (alu->exact || same || (is_number(alu->src[0].src.ssa) && is_number(alu->src[1].src.ssa))) {
      result = quotient(b, alu, a, divisor);
      b->exact = alu->exact;
   } else {
      b->exact = false;
      result = nir_fmul(b, a, nir_frcp(b, divisor));
   }
   if (alu->op != nir_op_fdiv) {
      nir_def *whole = alu->op == nir_op_fmod ? nir_ffloor(b, result) : nir_ftrunc(b, result);
      result = nir_fsub(b, a, nir_fmul(b, divisor, whole));
   }
   b->exact = false;
   nir_def_replace(&alu->def, result);
   return true;
}

bool
atoll_nir_lower_quotients(nir_shader *nir)
{
   return nir_shader_alu_pass(nir, lower, nir_metadata_control_flow, NULL);
}
