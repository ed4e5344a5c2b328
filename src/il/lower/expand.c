/* SPDX-License-Identifier: MIT */
/*
 * Opcodes that are formulas of others: which formula, and the temps, operands and results of all.
 *
 * What il/opcodes.def says about an opcode (its CORE column) decides whether it is expanded for a
 * target; the formulas are in the files named below.  A result is written at the formula's end, so
 * that it may overwrite operands.
 */
#include "formula.h"

/* An opcode's formula: of components, of the w of its operands for all components, of 64-bit
 * values, of those for all components, or the whole instruction; or what else the same is called.
 * */
struct expansion {
   uint16_t op;
   value_fn *components, *of_w;
   wide_fn *wide;
   part_fn *part;
   whole_fn *whole;
   uint16_t same;
};

static const struct expansion expansions[] = {
   /* other names */
   { IL_OP_INV_MOV, .same = IL_OP_MOV },
   { IL_OP_FLR, .same = IL_OP_ROUND_NEG_INF },
   { IL_OP_CLG, .same = IL_OP_ROUND_PLUS_INF },
   { IL_OP_TRC, .same = IL_OP_ROUND_ZERO },
   { IL_OP_F_2_F16_NEAR, .same = IL_OP_F_2_F16 },
   { IL_OP_IFNZ, .same = IL_OP_IF_LOGICALNZ },
   /* floats */
   { IL_OP_ABS, .components = formula_absolute },
   { IL_OP_SUB, .components = formula_sub },
   { IL_OP_DIV, .components = formula_quotient },
   { IL_OP_MOD, .components = formula_modulo },
   { IL_OP_RND, .components = formula_round_up },
   { IL_OP_PIREDUCE, .components = formula_reduce },
   { IL_OP_CLAMP, .components = formula_clamp },
   { IL_OP_COLORCLAMP, .components = formula_clamp_colour },
   { IL_OP_PROJECT, .components = formula_same },
   { IL_OP_LRP, .components = formula_mix },
   { IL_OP_SGN, .components = formula_sign },
   { IL_OP_SET, .components = formula_set },
   { IL_OP_CMP, .components = formula_compare },
   { IL_OP_MIN3, .components = formula_min3 },
   { IL_OP_MAX3, .components = formula_max3 },
   { IL_OP_MED3, .components = formula_med3 },
   { IL_OP_RCP, .of_w = formula_same_w },
   { IL_OP_SQRT, .of_w = formula_same_w },
   { IL_OP_EXP, .of_w = formula_same_w },
   { IL_OP_SIN, .of_w = formula_same_w },
   { IL_OP_COS, .of_w = formula_same_w },
   { IL_OP_EXN, .of_w = formula_exp_e },
   { IL_OP_LN, .of_w = formula_log_e },
   { IL_OP_POW, .of_w = formula_power },
   { IL_OP_TAN, .of_w = formula_tangent },
   { IL_OP_ASIN, .of_w = formula_arc_sine },
   { IL_OP_ACOS, .of_w = formula_arc_cosine },
   { IL_OP_ATAN, .of_w = formula_arc_tangent },
   /* vectors and matrices */
   { IL_OP_DP2, .whole = formula_dot },
   { IL_OP_DP3, .whole = formula_dot },
   { IL_OP_DP4, .whole = formula_dot },
   { IL_OP_CRS, .whole = formula_cross },
   { IL_OP_DIST, .whole = formula_distance },
   { IL_OP_LEN, .whole = formula_length },
   { IL_OP_DST, .whole = formula_distance_vector },
   { IL_OP_LIT, .whole = formula_light },
   { IL_OP_NRM, .whole = formula_normalize },
   { IL_OP_REFLECT, .whole = formula_reflect },
   { IL_OP_FACEFORWARD, .whole = formula_face_forward },
   { IL_OP_DP2ADD, .whole = formula_dp2_add },
   { IL_OP_EXPP, .whole = formula_partial_exp },
   { IL_OP_LOGP, .whole = formula_partial_log },
   { IL_OP_SINCOS, .whole = formula_sine_cosine },
   { IL_OP_DXSINCOS, .whole = formula_sine_cosine },
   { IL_OP_MMUL, .whole = formula_multiply_matrix },
   { IL_OP_TRANSPOSE, .whole = formula_transpose },
   { IL_OP_DET, .whole = formula_determinant },
   /* the parts of floats */
   { IL_OP_LDEXP, .components = formula_ldexp },
   { IL_OP_FREXP_EXP, .components = formula_frexp_exponent },
   { IL_OP_FREXP_MANT, .components = formula_frexp_mantissa },
   { IL_OP_CLASS, .components = formula_class },
   { IL_OP_F_2_F16_NEG_INF, .components = formula_half_down },
   { IL_OP_F_2_F16_PLUS_INF, .components = formula_half_up },
   { IL_OP_DIV_FIXUP, .components = formula_fixup },
   /* integers */
   { IL_OP_U_DIV, .components = formula_divide },
   { IL_OP_U_MOD, .components = formula_divide },
   { IL_OP_I_MAD, .components = formula_multiply_add },
   { IL_OP_U_MAD, .components = formula_multiply_add },
   { IL_OP_I_MIN3, .components = formula_min3 },
   { IL_OP_I_MAX3, .components = formula_max3 },
   { IL_OP_I_MED3, .components = formula_med3 },
   { IL_OP_U_MIN3, .components = formula_min3 },
   { IL_OP_U_MAX3, .components = formula_max3 },
   { IL_OP_U_MED3, .components = formula_med3 },
   { IL_OP_MSAD_U8, .components = formula_masked_sad },
   { IL_OP_SAD_4, .whole = formula_sad_4 },
   { IL_OP_QSAD_U8, .whole = formula_quad_sad },
   { IL_OP_MQSAD_U8, .whole = formula_quad_sad },
   { IL_OP_I64_ADD, .wide = formula_add64 },
   { IL_OP_I64_SUB, .wide = formula_subtract64 },
   { IL_OP_I64_NEGATE, .wide = formula_negate64 },
   { IL_OP_I64_MUL, .wide = formula_multiply64 },
   { IL_OP_U64_MUL, .wide = formula_multiply64 },
   { IL_OP_I64_MIN, .wide = formula_min64 },
   { IL_OP_U64_MIN, .wide = formula_min64 },
   { IL_OP_I64_MAX, .wide = formula_max64 },
   { IL_OP_U64_MAX, .wide = formula_max64 },
   { IL_OP_I64_SHL, .wide = formula_shift64 },
   { IL_OP_I64_SHR, .wide = formula_shift64 },
   { IL_OP_U64_SHR, .wide = formula_shift64 },
   { IL_OP_I64_DIV, .wide = formula_divide64 },
   { IL_OP_U64_DIV, .wide = formula_divide64 },
   { IL_OP_I64_MOD, .wide = formula_remainder64 },
   { IL_OP_U64_MOD, .wide = formula_remainder64 },
   { IL_OP_I64_EQ, .part = formula_equal64 },
   { IL_OP_I64_NE, .part = formula_unequal64 },
   { IL_OP_I64_LT, .part = formula_less64 },
   { IL_OP_U64_LT, .part = formula_less64 },
   { IL_OP_I64_GE, .part = formula_not_less64 },
   { IL_OP_U64_GE, .part = formula_not_less64 },
   /* doubles */
   { IL_OP_D_DIV, .wide = formula_divide_double },
   { IL_OP_D_DIV_FIXUP, .wide = formula_fixup64 },
   { IL_OP_D_MOVC, .wide = formula_move_if_double },
   { IL_OP_D_FREXP_MANT, .wide = formula_frexp_mantissa64 },
   { IL_OP_D_FREXP_EXP, .part = formula_frexp_exponent64 },
   { IL_OP_D_CLASS, .part = formula_class64 },
   { IL_OP_DTOI, .part = formula_to_integer },
   { IL_OP_DTOU, .part = formula_to_integer },
   { IL_OP_ITOD, .whole = formula_from_integer },
   { IL_OP_UTOD, .whole = formula_from_integer },
};

static const struct expansion *
find_expansion(unsigned op)
{
   for (unsigned i = 0; i < sizeof(expansions) / sizeof(expansions[0]); i++)
      if (expansions[i].op == op)
         return &expansions[i];
   return NULL;
}

/* --- values ----------------------------------------------------------------------------------- */

static bool
is_scalar(const struct formula *f)
{
   return (f->mask & (f->mask - 1)) == 0;
}

void
formula_scalars(struct formula *f)
{
   f->mask = 1;
}

/* Scalars share temps. */
static struct il_dst
new_value(struct formula *f, struct il_src *value)
{
   struct il_lower *l = f->l;

   if (!is_scalar(f)) {
      *value = il_src(IL_REGTYPE_TEMP, l->next_temp);
      return lower_temp_dst(l->next_temp++, f->mask);
   }
   if (!l->scalar_room) {
      l->scalar_temp = l->next_temp++;
      l->scalar_room = 4;
   }
   const unsigned comp = 4 - l->scalar_room--;
   *value = lower_temp(l->scalar_temp, comp);
   return lower_temp_dst(l->scalar_temp, 1u << comp);
}

struct il_src
formula_op(struct formula *f, unsigned op, unsigned ctl, unsigned nsrc, struct il_src a,
           struct il_src b, struct il_src c)
{
   const struct il_src src[3] = { a, b, c };
   struct il_src value;
   struct il_dst dst = new_value(f, &value);

   lower_emit(f->l, op, ctl, &dst, nsrc, src);
   return value;
}

struct il_src
formula_op4(struct formula *f, unsigned op, const struct il_src src[4])
{
   struct il_src value;
   struct il_dst dst = new_value(f, &value);

   lower_emit(f->l, op, 0, &dst, 4, src);
   return value;
}

/* --- operands --------------------------------------------------------------------------------- */

/* Component `comp` alone, everywhere. */
static struct il_src
component_of(struct il_src s, unsigned comp)
{
   bool negative = il_src_neg(&s, comp);

   s = il_replicate(s, il_src_swz(&s, comp));
   s.neg = negative ? 15 : 0;
   s.has_mod |= negative;
   return s;
}

/* What is as cheap and as good to read again. */
static bool
is_value(const struct il_src *s)
{
   return (s->r.type == IL_REGTYPE_TEMP || s->r.type == IL_REGTYPE_LITERAL) &&
          s->r.rel == IL_ADDR_ABSOLUTE && !s->dim2 && !il_src_modifiers(s);
}

static struct il_src
as_value(struct formula *f, struct il_src s)
{
   const struct il_op_info *info = il_op_info(f->inst->op);
   const bool integer = info->type == IL_TYPE_INT || info->type == IL_TYPE_UINT;

   if (is_value(&s))
      return s;
   return integer && il_src_modifiers(&s) ? OP2(f, I_ADD, BITS(f, 0), s) : OP1(f, MOV, s);
}

struct il_src
formula_component(struct formula *f, unsigned i, unsigned comp)
{
   return as_value(f, component_of(f->inst->src[i], comp));
}

struct il_src
formula_operand(struct formula *f, unsigned i)
{
   if (is_scalar(f)) {
      for (unsigned c = 0; c < 4; c++)
         if (f->mask >> c & 1)
            return formula_component(f, i, c);
   }
   return as_value(f, f->inst->src[i]);
}

struct il_src
formula_vector(struct formula *f, unsigned i)
{
   const unsigned mask = f->mask;

   f->mask = 15;
   struct il_src value = as_value(f, f->inst->src[i]);
   f->mask = mask;
   return value;
}

static void
note_literals(struct il_lower *l)
{
   l->num_declared = l->next_literal;
   l->declared = lower_alloc(l, (l->num_declared + 1) * sizeof(*l->declared));
   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = &l->insts[n];

      if (inst->op == IL_OP_DCL_LITERAL && inst->nsrc && inst->ndata >= 4 &&
          inst->src[0].r.num < l->num_declared)
         l->declared[inst->src[0].r.num] = inst->data;
   }
}

bool
formula_literal(struct formula *f, const struct il_src *scalar, uint32_t *bits)
{
   struct il_lower *l = f->l;

   if (scalar->r.type != IL_REGTYPE_LITERAL || !is_value(scalar))
      return false;
   if (!l->declared)
      note_literals(l);
   if (scalar->r.num >= l->num_declared || !l->declared[scalar->r.num] ||
       il_src_swz(scalar, 0) > IL_COMPSEL_W_A)
      return false;
   *bits = l->declared[scalar->r.num][il_src_swz(scalar, 0)];
   return true;
}

/* --- results ---------------------------------------------------------------------------------- */

static void
move(struct formula *f, struct il_src value)
{
   lower_emit(f->l, IL_OP_MOV, 0, &f->dst, 1, &value);
}

void
formula_result(struct formula *f, struct il_src value)
{
   struct il_program *out = f->l->out;
   struct il_inst *last = out->ninsts ? &out->insts[out->ninsts - 1] : NULL;

   /* The instruction that made the value writes the result itself, if it is of the same components.
    * */
   if (last && value.r.type == IL_REGTYPE_TEMP && value.r.num >= f->first_temp && !value.neg &&
       !value.flags && last->ndst == 1 && last->dst[0].r.num == value.r.num &&
       last->dst[0].r.type == IL_REGTYPE_TEMP && f->mask == il_dst_mask(&f->dst) &&
       (!is_scalar(f) || il_dst_mask(&last->dst[0]) == 1u << il_src_swz(&value, 0))) {
      last->dst[0] = f->dst;
      return;
   }
   move(f, value);
}

void
formula_results(struct formula *f, const struct il_src value[4])
{
   const unsigned mask = il_dst_mask(&f->dst);
   const uint32_t t = f->l->next_temp++;

   for (unsigned c = 0; c < 4; c++)
      if (mask >> c & 1)
         lower_op(f->l, IL_OP_MOV, 0, t, 1u << c, 1, value[c], value[c], value[c]);
   move(f, il_src(IL_REGTYPE_TEMP, t));
}

/* --- the walk --------------------------------------------------------------------------------- */

bool
lower_expands(const struct il_target_caps *caps, enum il_core core)
{
   return core == IL_CORE_EXPAND ||
          (core >= IL_CORE_DOT && core < IL_CORE_DOUBLE && !(caps->has >> core & 1));
}

static void
expand(struct formula *f, const struct expansion *e)
{
   struct il_src s[MAX_OPERANDS] = { { { 0 } } };
   struct wide v[MAX_OPERANDS] = { { { { 0 } }, { { 0 } } } };
   const unsigned count = f->inst->nsrc, mask = f->mask;

   if (e->whole) {
      e->whole(f);
   } else if (e->wide || e->part) {
      formula_scalars(f);
      for (unsigned i = 0; i < count; i++)
         v[i] = formula_wide(f, i);
      if (e->wide)
         formula_wide_result(f, e->wide(f, v));
      else
         formula_part_result(f, e->part(f, v));
   } else if (e->of_w) {
      formula_scalars(f);
      for (unsigned i = 0; i < count; i++)
         s[i] = formula_component(f, i, 3);
      formula_result(f, e->of_w(f, s));
   } else {
      f->mask = mask ? mask : 1; /* nothing but 0 and 1 is written */
      for (unsigned i = 0; i < count; i++)
         s[i] = formula_operand(f, i);
      formula_result(f, e->components(f, s));
   }
}

void
lower_expand(struct il_lower *l)
{
   for (uint32_t n = 0; n < l->num_insts; n++) {
      const struct il_inst *inst = l->at = &l->insts[n];
      const struct il_op_info *info = il_op_info(inst->op);
      const struct expansion *e =
         info && lower_expands(l->caps, info->core) ? find_expansion(inst->op) : NULL;

      if (e && e->same) {
         lower_add(l, inst)->op = e->same;
      } else if (!e || inst->ndst != 1 || inst->nsrc != info->srcs || inst->nsrc > MAX_OPERANDS) {
         lower_add(l, inst); /* back ends refuse what has not its operands */
      } else {
         struct formula f = { .l = l, .inst = inst, .dst = inst->dst[0] };
         f.first_temp = l->next_temp;
         f.mask = il_dst_mask(&f.dst);
         l->scalar_room = 0;
         expand(&f, e);
      }
   }
   l->out->first_main = l->first_main;
}
