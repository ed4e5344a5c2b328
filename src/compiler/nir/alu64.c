/* SPDX-License-Identifier: MIT */
/* Doubles and 64-bit integers: NIR's 64-bit values as pairs of components, and its operations on
 * them as IL's.
 *
 * A 64-bit component is two of a register, the low dword first.  IL's operations take one value
 * from .xy of each source and leave it in .xy and .zw alike, so a value lies in either half of a
 * temp.  Vectors have two of them at most, and operations one: atoll_nir_lower_wide() sees to it.
 */
#include "translate.h"

#include "nir_builder.h"

#include <atoll/float_bits.h>

/* One instruction on both sides. */
static const uint16_t rows[nir_num_opcodes] = {
   [nir_op_fadd] = IL_OP_D_ADD,
   [nir_op_fmul] = IL_OP_D_MUL,
   [nir_op_ffma] = IL_OP_D_MULADD,
   [nir_op_fmin] = IL_OP_D_MIN,
   [nir_op_fmax] = IL_OP_D_MAX,
   [nir_op_ffract] = IL_OP_D_FRAC,
   [nir_op_fsqrt] = IL_OP_D_SQRT,
   [nir_op_feq32] = IL_OP_DEQ,
   [nir_op_fneu32] = IL_OP_DNE,
   [nir_op_flt32] = IL_OP_DLT,
   [nir_op_fge32] = IL_OP_DGE,
   [nir_op_f2f32] = IL_OP_D_2_F,
   [nir_op_f2f64] = IL_OP_F_2_D,
   [nir_op_f2i32] = IL_OP_DTOI,
   [nir_op_f2u32] = IL_OP_DTOU,
   [nir_op_i2f64] = IL_OP_ITOD,
   [nir_op_u2f64] = IL_OP_UTOD,
   [nir_op_b32csel] = IL_OP_CMOV_LOGICAL,
   [nir_op_iadd] = IL_OP_I64_ADD,
   [nir_op_ineg] = IL_OP_I64_NEGATE,
   [nir_op_imul] = IL_OP_I64_MUL,
   [nir_op_udiv] = IL_OP_U64_DIV,
   [nir_op_umod] = IL_OP_U64_MOD,
   [nir_op_ishl] = IL_OP_I64_SHL,
   [nir_op_ishr] = IL_OP_I64_SHR,
   [nir_op_ushr] = IL_OP_U64_SHR,
   [nir_op_imin] = IL_OP_I64_MIN,
   [nir_op_imax] = IL_OP_I64_MAX,
   [nir_op_umin] = IL_OP_U64_MIN,
   [nir_op_umax] = IL_OP_U64_MAX,
   [nir_op_ieq32] = IL_OP_I64_EQ,
   [nir_op_ine32] = IL_OP_I64_NE,
   [nir_op_ilt32] = IL_OP_I64_LT,
   [nir_op_ige32] = IL_OP_I64_GE,
   [nir_op_ult32] = IL_OP_U64_LT,
   [nir_op_uge32] = IL_OP_U64_GE,
   /* dword by dword */
   [nir_op_iand] = IL_OP_AND,
   [nir_op_ior] = IL_OP_I_OR,
   [nir_op_ixor] = IL_OP_I_XOR,
   [nir_op_inot] = IL_OP_I_NOT,
};

unsigned
tr_dwords(const nir_def *def)
{
   return def->bit_size == 64 ? 2 * def->num_components : def->num_components;
}

unsigned
tr_dword_mask(unsigned mask, unsigned bit_size)
{
   unsigned dwords = 0;
   for (unsigned c = 0; bit_size == 64 && c < 2; c++)
      dwords |= mask >> c & 1 ? 3u << 2 * c : 0;
   return bit_size == 64 ? dwords : mask;
}

/* Component `comp` of a source of any width: low, high, low, high of a double, or one dword. */
static struct il_src
operand(struct translator *t, const nir_def *def, unsigned comp)
{
   if (def->bit_size != 64)
      return tr_scalar(t, def, comp);
   struct tr_value v;
   if (def->parent_instr->type == nir_instr_type_load_const) {
      uint64_t bits = nir_instr_as_load_const(def->parent_instr)->value[comp].u64;
      v = tr_literal(t, (const uint32_t[]){ (uint32_t)bits, (uint32_t)(bits >> 32) }, 2);
      comp = 0;
   } else {
      v = *tr_value(t, def);
   }
   comp = MIN2(comp, 1);
   return il_swizzle(il_src(v.type, v.num), v.comp[2 * comp], v.comp[2 * comp + 1],
                     v.comp[2 * comp], v.comp[2 * comp + 1]);
}

static struct il_src
source(struct translator *t, const nir_alu_instr *alu, unsigned i)
{
   return operand(t, alu->src[i].src.ssa, alu->src[i].swizzle[0]);
}

/* Half of a double, everywhere. */
static struct il_src
half(struct translator *t, const nir_alu_instr *alu, unsigned high)
{
   struct il_src s = source(t, alu, 0);
   return il_replicate(s, il_src_swz(&s, high));
}

static void
move(struct translator *t, const struct tr_value *d, unsigned mask, struct il_src s)
{
   tr_emit(t, IL_OP_MOV, 0, tr_dst(d, mask), 1, &s);
}

/* What only puts dwords elsewhere. */
static bool
rearrange(struct translator *t, const nir_alu_instr *alu, const struct tr_value *d)
{
   switch (alu->op) {
   case nir_op_mov:
      for (unsigned n = 0; n < alu->def.num_components; n++)
         move(t, d, 3u << 2 * n, operand(t, alu->src[0].src.ssa, alu->src[0].swizzle[n]));
      return true;
   case nir_op_vec2:
      for (unsigned n = 0; n < 2; n++)
         move(t, d, 3u << 2 * n, source(t, alu, n));
      return true;
   case nir_op_pack_64_2x32_split:
      for (unsigned n = 0; n < 2; n++)
         move(t, d, 1u << n, source(t, alu, n));
      return true;
   case nir_op_pack_64_2x32:
      for (unsigned n = 0; n < 2; n++)
         move(t, d, 1u << n, tr_scalar(t, alu->src[0].src.ssa, alu->src[0].swizzle[n]));
      return true;
   case nir_op_unpack_64_2x32:
      for (unsigned n = 0; n < 2; n++)
         move(t, d, 1u << n, half(t, alu, n));
      return true;
   case nir_op_u2u64:
      move(t, d, 1, source(t, alu, 0));
      move(t, d, 2, tr_bits(t, 0));
      return true;
   case nir_op_i2i32:
   case nir_op_u2u32:
   case nir_op_unpack_64_2x32_split_x:
   case nir_op_unpack_64_2x32_split_y:
      move(t, d, 1, half(t, alu, alu->op == nir_op_unpack_64_2x32_split_y));
      return true;
   default:
      return false;
   }
}

static void
compute(struct translator *t, const nir_alu_instr *alu, const struct tr_value *d)
{
   struct il_dst dst = tr_dst(d, BITFIELD_MASK(tr_dwords(&alu->def)));
   struct il_src s[3];

   if (rows[alu->op]) {
      unsigned n = nir_op_infos[alu->op].num_inputs;
      for (unsigned k = 0; k < n; k++)
         s[k] = source(t, alu, k);
      tr_emit(t, rows[alu->op], 0, dst, n, s);
      return;
   }
   s[0] = source(t, alu, 0);
   switch (alu->op) {
   case nir_op_fneg:
      s[0] = il_negate(s[0]);
      tr_emit(t, IL_OP_D_MOV, 0, dst, 1, s);
      break;
   case nir_op_fabs:
      s[0] = il_absolute(s[0]);
      tr_emit(t, IL_OP_D_MOV, 0, dst, 1, s);
      break;
   case nir_op_frcp:
      tr_emit(t, IL_OP_D_RCP, IL_ZEROOP_INFINITY, dst, 1, s);
      break;
   case nir_op_frsq:
      tr_emit(t, IL_OP_D_RSQ, IL_ZEROOP_INFINITY, dst, 1, s);
      break;
   case nir_op_fsat:
      tr_emit(t, IL_OP_D_MOV, 0, il_dst_saturate(dst), 1, s);
      break;
   case nir_op_b2f64: /* 1.0 has bits in its high dword alone */
      move(t, d, 1, tr_bits(t, 0));
      s[1] = tr_bits(t, F64_HIGH_ONE);
      tr_emit(t, IL_OP_AND, 0, tr_dst(d, 2), 2, s);
      break;
   case nir_op_i2i64:
      move(t, d, 1, s[0]);
      s[1] = tr_bits(t, 31);
      tr_emit(t, IL_OP_I_SHR, 0, tr_dst(d, 2), 2, s);
      break;
   case nir_op_b2i64:
      move(t, d, 2, tr_bits(t, 0));
      s[1] = tr_bits(t, 1);
      tr_emit(t, IL_OP_AND, 0, tr_dst(d, 1), 2, s);
      break;
   default:
      tr_fail(t, "not implemented: NIR op %s of 64 bits", nir_op_infos[alu->op].name);
   }
}

bool
tr_alu64(struct translator *t, const nir_alu_instr *alu)
{
   bool wide = alu->def.bit_size == 64;
   for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++)
      wide |= nir_src_bit_size(alu->src[s].src) == 64;
   if (!wide)
      return false;
   /* vec3 and vec4 only hand their sources on: what reads them finds the sources. */
   if (tr_dwords(&alu->def) > 4) {
      tr_fail(t, "not implemented: %u doubles of NIR op %s", alu->def.num_components,
              nir_op_infos[alu->op].name);
      return true;
   }
   const struct tr_value *d = tr_define(t, &alu->def, false);
   if (!rearrange(t, alu, d))
      compute(t, alu, d);
   return true;
}

/* ------------------------------------------------------------------------------ lowering -- */

/* Loads of constants by dwords. */
static nir_mem_access_size_align
by_dwords(nir_intrinsic_op op, uint8_t bytes, uint8_t bit_size, uint32_t align_mul,
          uint32_t align_offset, bool offset_is_const, enum gl_access_qualifier access,
          const void *data)
{
   return (nir_mem_access_size_align){
      .num_components = MIN2(bytes / (bit_size == 64 ? 4 : bit_size / 8), 4),
      .bit_size = bit_size == 64 ? 32 : bit_size,
      .align = MIN2(bit_size / 8, 4),
   };
}

static bool
is_wide(const nir_instr *instr, const void *data)
{
   if (instr->type != nir_instr_type_alu)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)instr);
   if (nir_op_is_vec(alu->op))
      return false;
   bool wide = alu->def.bit_size == 64;
   for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++)
      wide |= nir_src_bit_size(alu->src[s].src) == 64;
   return wide;
}

static bool
has_wide(const nir_shader *nir)
{
   nir_foreach_block(block, nir_shader_get_entrypoint((nir_shader *)nir))
   {
      nir_foreach_instr(instr, block)
      {
         const nir_def *def = nir_instr_def(instr);
         if (def && def->bit_size == 64)
            return true;
      }
   }
   return false;
}

/* Quotients of doubles are products with reciprocals, and remainders what these leave.  (Of floats
 * they are not: lower_quotients.c.) */
static bool
lower_quotient(nir_builder *b, nir_alu_instr *alu, void *data)
{
   if (alu->def.bit_size != 64 ||
       (alu->op != nir_op_fdiv && alu->op != nir_op_fmod && alu->op != nir_op_frem))
      return false;
   b->cursor = nir_before_instr(&alu->instr);
   b->exact = alu->exact;
   nir_def *x = nir_ssa_for_alu_src(b, alu, 0), *y = nir_ssa_for_alu_src(b, alu, 1);
   nir_def *result = nir_fmul(b, x, nir_frcp(b, y));
   if (alu->op != nir_op_fdiv) {
      nir_def *whole = alu->op == nir_op_fmod ? nir_ffloor(b, result) : nir_ftrunc(b, result);
      result = nir_fsub(b, x, nir_fmul(b, y, whole));
   }
   b->exact = false;
   nir_def_replace(&alu->def, result);
   return true;
}

bool
atoll_nir_lower_wide_quotients(nir_shader *nir)
{
   bool progress = nir_shader_alu_pass(nir, lower_quotient, nir_metadata_control_flow, NULL);
   /* The reciprocal of a constant is the nearest double; a matrix has many quotients by one. */
   if (progress) {
      NIR_PASS_V(nir, nir_opt_constant_folding);
      NIR_PASS_V(nir, nir_opt_cse);
   }
   return progress;
}

bool
atoll_nir_lower_wide(nir_shader *nir)
{
   const nir_lower_mem_access_bit_sizes_options memory = {
      .callback = by_dwords,
      .modes = nir_var_mem_ubo | nir_var_mem_constant | nir_var_mem_ssbo | nir_var_mem_shared,
   };
   bool progress = false;
   if (!has_wide(nir))
      return false;
   NIR_PASS(progress, nir, nir_lower_int64);
   NIR_PASS(progress, nir, atoll_nir_lower_wide_quotients);
   NIR_PASS(progress, nir, nir_lower_doubles, NULL, nir->options->lower_doubles_options);
   NIR_PASS(progress, nir, nir_lower_mem_access_bit_sizes, &memory);
   NIR_PASS(progress, nir, nir_split_64bit_vec3_and_vec4);
   NIR_PASS(progress, nir, nir_lower_alu_to_scalar, is_wide, NULL);
   if (progress) {
      NIR_PASS_V(nir, nir_copy_prop);
      NIR_PASS_V(nir, nir_opt_dce);
   }
   return progress;
}
