/* SPDX-License-Identifier: MIT */
/* ALU instructions of NIR as IL.
 *
 * The table holds what is one instruction on both sides; the rest has a few lines of its own below.
 * Numbers: float arithmetic in the _ieee form; NIR's exact ffma is fma, and so is any other where
 * the target fuses; else that is mad, which rounds twice.  `exact` becomes _prec on what is
 * written.
 */
#include "translate.h"

struct row {
   uint16_t il; /* il_opcode; 0: not in the table */
   uint8_t ctl;
};

#define IEEE     1
#define INFINITE IL_ZEROOP_INFINITY

/* Component by component, operands in the same order. */
static const struct row rows[nir_num_opcodes] = {
   [nir_op_mov] = { IL_OP_MOV, 0 },
   [nir_op_fadd] = { IL_OP_ADD, 0 },
   [nir_op_fmul] = { IL_OP_MUL, IEEE },
   [nir_op_fmin] = { IL_OP_MIN, IEEE },
   [nir_op_fmax] = { IL_OP_MAX, IEEE },
   [nir_op_frcp] = { IL_OP_RCP_VEC, INFINITE },
   [nir_op_frsq] = { IL_OP_RSQ_VEC, 0 },
   [nir_op_fsqrt] = { IL_OP_SQRT_VEC, 0 },
   [nir_op_fexp2] = { IL_OP_EXP_VEC, 0 },
   [nir_op_flog2] = { IL_OP_LOG_VEC, 0 },
   [nir_op_fsin] = { IL_OP_SIN_VEC, 0 },
   [nir_op_fcos] = { IL_OP_COS_VEC, 0 },
   [nir_op_ffloor] = { IL_OP_ROUND_NEG_INF, 0 },
   [nir_op_fceil] = { IL_OP_ROUND_PLUS_INF, 0 },
   [nir_op_ftrunc] = { IL_OP_ROUND_ZERO, 0 },
   [nir_op_fround_even] = { IL_OP_ROUND_NEAR, 0 },
   [nir_op_ffract] = { IL_OP_FRC, 0 },
   [nir_op_flt32] = { IL_OP_LT, 0 },
   [nir_op_fge32] = { IL_OP_GE, 0 },
   [nir_op_feq32] = { IL_OP_EQ, 0 },
   [nir_op_fneu32] = { IL_OP_NE, 0 },
   [nir_op_ilt32] = { IL_OP_I_LT, 0 },
   [nir_op_ige32] = { IL_OP_I_GE, 0 },
   [nir_op_ieq32] = { IL_OP_I_EQ, 0 },
   [nir_op_ine32] = { IL_OP_I_NE, 0 },
   [nir_op_ult32] = { IL_OP_U_LT, 0 },
   [nir_op_uge32] = { IL_OP_U_GE, 0 },
   [nir_op_iadd] = { IL_OP_I_ADD, 0 },
   [nir_op_ineg] = { IL_OP_I_NEGATE, 0 },
   [nir_op_imul] = { IL_OP_I_MUL, 0 },
   [nir_op_imul_high] = { IL_OP_I_MUL_HIGH, 0 },
   [nir_op_umul_high] = { IL_OP_U_MUL_HIGH, 0 },
   [nir_op_udiv] = { IL_OP_U_DIV, 0 },
   [nir_op_umod] = { IL_OP_U_MOD, 0 },
   [nir_op_imin] = { IL_OP_I_MIN, 0 },
   [nir_op_imax] = { IL_OP_I_MAX, 0 },
   [nir_op_umin] = { IL_OP_U_MIN, 0 },
   [nir_op_umax] = { IL_OP_U_MAX, 0 },
   [nir_op_iand] = { IL_OP_AND, 0 },
   [nir_op_ior] = { IL_OP_I_OR, 0 },
   [nir_op_ixor] = { IL_OP_I_XOR, 0 },
   [nir_op_inot] = { IL_OP_I_NOT, 0 },
   [nir_op_ishl] = { IL_OP_I_SHL, 0 },
   [nir_op_ishr] = { IL_OP_I_SHR, 0 },
   [nir_op_ushr] = { IL_OP_U_SHR, 0 },
   [nir_op_uadd_carry] = { IL_OP_I_CARRY, 0 },
   [nir_op_usub_borrow] = { IL_OP_I_BORROW, 0 },
   [nir_op_f2i32] = { IL_OP_FTOI, 0 },
   [nir_op_f2u32] = { IL_OP_FTOU, 0 },
   [nir_op_i2f32] = { IL_OP_ITOF, 0 },
   [nir_op_u2f32] = { IL_OP_UTOF, 0 },
   [nir_op_b32csel] = { IL_OP_CMOV_LOGICAL, 0 },
   [nir_op_bit_count] = { IL_OP_I_COUNTBITS, 0 },
   [nir_op_bitfield_reverse] = { IL_OP_U_BIT_REVERSE, 0 },
   [nir_op_find_lsb] = { IL_OP_I_FIRSTBIT, IL_FIRSTBIT_TYPE_LOW_UINT },
   [nir_op_ufind_msb_rev] = { IL_OP_I_FIRSTBIT, IL_FIRSTBIT_TYPE_HIGH_UINT },
   [nir_op_ifind_msb_rev] = { IL_OP_I_FIRSTBIT, IL_FIRSTBIT_TYPE_HIGH_INT },
};

struct alu {
   struct translator *t;
   const nir_alu_instr *alu;
   const struct tr_value *d;
   unsigned comps;
};

static struct il_src
source(const struct alu *a, unsigned i)
{
   const nir_alu_src *s = &a->alu->src[i];
   return tr_src(tr_value(a->t, s->src.ssa), s->swizzle, a->d, a->comps);
}

/* A source of a reduction: its components in x, y, z, w. */
static struct il_src
in_order(const struct alu *a, unsigned i, unsigned comps)
{
   const nir_alu_src *s = &a->alu->src[i];
   const struct tr_value *v = tr_value(a->t, s->src.ssa);
   uint8_t c[4];
   for (unsigned n = 0; n < 4; n++)
      c[n] = v->comp[s->swizzle[n < comps ? n : comps - 1]];
   return il_swizzle(il_src(v->type, v->num), c[0], c[1], c[2], c[3]);
}

static struct il_dst
result(const struct alu *a)
{
   return tr_dst(a->d, BITFIELD_MASK(a->comps));
}

static void
emit(const struct alu *a, enum il_opcode op, unsigned ctl, struct il_dst dst, unsigned nsrc,
     const struct il_src *src)
{
   struct il_inst *inst = tr_emit(a->t, op, ctl, dst, nsrc, src);
   if (inst && a->alu->exact && il_op_info(op)->type == IL_TYPE_FLOAT)
      il_set_prec(inst, il_dst_mask(&dst));
}

/* vecN: one mov for each source register, as wide as it goes. */
static void
gather(const struct alu *a)
{
   unsigned done = 0;
   for (unsigned first = 0; first < a->comps; first++) {
      if (done >> first & 1)
         continue;
      const struct tr_value *v = tr_value(a->t, a->alu->src[first].src.ssa);
      uint8_t swz[4];
      unsigned mask = 0;
      for (unsigned n = 0; n < 4; n++)
         swz[n] = v->comp[a->alu->src[first].swizzle[0]];
      for (unsigned n = first; n < a->comps; n++) {
         const struct tr_value *w = tr_value(a->t, a->alu->src[n].src.ssa);
         if (w->type != v->type || w->num != v->num)
            continue;
         swz[a->d->comp[n]] = w->comp[a->alu->src[n].swizzle[0]];
         mask |= 1u << n;
      }
      done |= mask;
      struct il_src s = il_swizzle(il_src(v->type, v->num), swz[0], swz[1], swz[2], swz[3]);
      tr_emit(a->t, IL_OP_MOV, 0, tr_dst(a->d, mask), 1, &s);
   }
}

/* Is the width of an insertion known not to be 32? */
static bool
inserts_part(const struct alu *a)
{
   const nir_alu_src *bits = &a->alu->src[3];

   for (unsigned n = 0; n < a->comps; n++)
      if (!nir_src_is_const(bits->src) || nir_src_comp_as_uint(bits->src, bits->swizzle[n]) >= 32)
         return false;
   return true;
}

/* NIR's width of 32 takes the whole insert; IL's width is modulo 32. */
static void
bitfield_insert(const struct alu *a)
{
   struct il_src base = source(a, 0), insert = source(a, 1), offset = source(a, 2),
                 bits = source(a, 3);
   struct il_dst d = result(a);
   unsigned mask = il_dst_mask(&d);
   struct il_src s[4] = { bits, offset, insert, base };
   if (inserts_part(a)) {
      emit(a, IL_OP_U_BIT_INSERT, 0, d, 4, s);
      return;
   }
   uint32_t part = tr_temp(a->t), all = tr_temp(a->t);
   emit(a, IL_OP_U_BIT_INSERT, 0, il_dst_masked(il_dst(IL_REGTYPE_TEMP, part), mask), 4, s);
   struct il_src c[2] = { bits, tr_bits(a->t, 32) };
   emit(a, IL_OP_U_GE, 0, il_dst_masked(il_dst(IL_REGTYPE_TEMP, all), mask), 2, c);
   struct il_src m[3] = { il_src(IL_REGTYPE_TEMP, all), insert, il_src(IL_REGTYPE_TEMP, part) };
   emit(a, IL_OP_CMOV_LOGICAL, 0, d, 3, m);
}

static void
pack_half(const struct alu *a)
{
   struct il_dst d = result(a);
   unsigned mask = il_dst_mask(&d);
   uint32_t lo = tr_temp(a->t), hi = tr_temp(a->t);
   struct il_dst dlo = il_dst_masked(il_dst(IL_REGTYPE_TEMP, lo), mask);
   struct il_dst dhi = il_dst_masked(il_dst(IL_REGTYPE_TEMP, hi), mask);
   struct il_src s[2] = { source(a, 0), source(a, 1) };
   emit(a, IL_OP_F_2_F16, 0, dlo, 1, &s[0]);
   emit(a, IL_OP_F_2_F16, 0, dhi, 1, &s[1]);
   struct il_src sh[2] = { il_src(IL_REGTYPE_TEMP, hi), tr_bits(a->t, 16) };
   emit(a, IL_OP_I_SHL, 0, dhi, 2, sh);
   struct il_src o[2] = { il_src(IL_REGTYPE_TEMP, lo), il_src(IL_REGTYPE_TEMP, hi) };
   emit(a, IL_OP_I_OR, 0, d, 2, o);
}

static void
unpack_half(const struct alu *a, bool high)
{
   struct il_dst d = result(a);
   struct il_src s[2] = { source(a, 0), tr_bits(a->t, high ? 16 : 0xffff) };
   uint32_t half = tr_temp(a->t);
   emit(a, high ? IL_OP_U_SHR : IL_OP_AND, 0,
        il_dst_masked(il_dst(IL_REGTYPE_TEMP, half), il_dst_mask(&d)), 2, s);
   struct il_src h = il_src(IL_REGTYPE_TEMP, half);
   emit(a, IL_OP_F16_2_F, 0, d, 1, &h);
}

static void
dot(const struct alu *a, enum il_opcode op, unsigned comps)
{
   struct il_src s[2] = { in_order(a, 0, comps), in_order(a, 1, comps) };
   emit(a, op, IEEE, result(a), 2, s);
}

/* Three-operand extracts take (value, offset, width); IL has them the other way round. */
static void
extract(const struct alu *a, enum il_opcode op)
{
   struct il_src s[3] = { source(a, 2), source(a, 1), source(a, 0) };
   emit(a, op, 0, result(a), 3, s);
}

void
tr_alu(struct translator *t, const nir_alu_instr *alu)
{
   if (tr_alu64(t, alu))
      return;
   struct alu a = { t, alu, tr_define(t, &alu->def, false), alu->def.num_components };
   struct il_src s[4];

   if (rows[alu->op].il) {
      unsigned n = nir_op_infos[alu->op].num_inputs;
      for (unsigned k = 0; k < n; k++)
         s[k] = source(&a, k);
      emit(&a, rows[alu->op].il, rows[alu->op].ctl, result(&a), n, s);
      return;
   }

   switch (alu->op) {
   case nir_op_vec2:
   case nir_op_vec3:
   case nir_op_vec4:
      gather(&a);
      break;
   case nir_op_fneg:
      s[0] = il_negate(source(&a, 0));
      emit(&a, IL_OP_MOV, 0, result(&a), 1, s);
      break;
   case nir_op_fabs:
      s[0] = il_absolute(source(&a, 0));
      emit(&a, IL_OP_MOV, 0, result(&a), 1, s);
      break;
   case nir_op_fsat:
      s[0] = source(&a, 0);
      emit(&a, IL_OP_MOV, 0, il_dst_saturate(result(&a)), 1, s);
      break;
   case nir_op_ffma:
      for (unsigned k = 0; k < 3; k++)
         s[k] = source(&a, k);
      if (alu->exact || tr_fuses(t->nir))
         emit(&a, IL_OP_FMA, 0, result(&a), 3, s);
      else
         emit(&a, IL_OP_MAD, IEEE, result(&a), 3, s);
      break;
   case nir_op_fdot2:
      dot(&a, IL_OP_DP2, 2);
      break;
   case nir_op_fdot3:
      dot(&a, IL_OP_DP3, 3);
      break;
   case nir_op_fdot4:
      dot(&a, IL_OP_DP4, 4);
      break;
   case nir_op_b2f32:
      s[0] = source(&a, 0);
      s[1] = tr_float(t, 1.0f);
      emit(&a, IL_OP_AND, 0, result(&a), 2, s);
      break;
   case nir_op_b2i32:
      s[0] = source(&a, 0);
      s[1] = tr_bits(t, 1);
      emit(&a, IL_OP_AND, 0, result(&a), 2, s);
      break;
   case nir_op_b2b32:
      s[0] = source(&a, 0);
      emit(&a, IL_OP_MOV, 0, result(&a), 1, s);
      break;
   case nir_op_ubfe:
      extract(&a, IL_OP_U_BIT_EXTRACT);
      break;
   case nir_op_ibfe:
      extract(&a, IL_OP_I_BIT_EXTRACT);
      break;
   case nir_op_bitfield_insert:
      bitfield_insert(&a);
      break;
   case nir_op_pack_half_2x16_split:
      pack_half(&a);
      break;
   case nir_op_unpack_half_2x16_split_x:
      unpack_half(&a, false);
      break;
   case nir_op_unpack_half_2x16_split_y:
      unpack_half(&a, true);
      break;
   default:
      tr_fail(t, "not implemented: NIR op %s", nir_op_infos[alu->op].name);
   }
}
