/* SPDX-License-Identifier: MIT */
/* Indices of uniform rows.  Front ends count bytes, IL counts vec4s: nir_lower_ubo_vec4 leaves
 * (byte offset) >> 4.  Here the division goes into the offset's own arithmetic, where it cancels
 * the multiplications that made bytes of indices.  Offsets that wrap at 2^32 would differ; no
 * buffer is that large, and outside a buffer everything reads 0. */
#include "translate.h"

#include "nir_builder.h"

/* x / 16 without a division, or NULL when the remainder is not seen; *rest adds it up. */
static nir_def *
divide(nir_builder *b, nir_scalar x, unsigned depth, unsigned *rest)
{
   if (nir_scalar_is_const(x)) {
      /* Programs may count back from an element: "a[i - 3]". */
      int32_t v = (int32_t)nir_scalar_as_uint(x);
      *rest += (uint32_t)v % 16;
      return nir_imm_int(b, v >> 4);
   }
   if (!nir_scalar_is_alu(x) || !depth)
      return NULL;
   nir_op op = nir_scalar_alu_op(x);
   if (op != nir_op_iadd && op != nir_op_ishl && op != nir_op_imul)
      return NULL;
   nir_scalar l = nir_scalar_chase_alu_src(x, 0), r = nir_scalar_chase_alu_src(x, 1);
   if (op == nir_op_iadd) {
      nir_def *dl = divide(b, l, depth - 1, rest);
      nir_def *dr = dl ? divide(b, r, depth - 1, rest) : NULL;
      return dr ? nir_iadd(b, dl, dr) : NULL;
   }
   if (!nir_scalar_is_const(r))
      return NULL;
   uint32_t c = nir_scalar_as_uint(r);
   if (op == nir_op_ishl)
      return c < 4 || c > 31 ? NULL : nir_ishl_imm(b, nir_channel(b, l.def, l.comp), c - 4);
   return c % 16 ? NULL : nir_imul_imm(b, nir_channel(b, l.def, l.comp), c / 16);
}

static bool
lower(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if (intr->intrinsic != nir_intrinsic_load_ubo_vec4)
      return false;
   nir_scalar row = nir_get_scalar(intr->src[1].ssa, 0);
   if (!nir_scalar_is_alu(row) || nir_scalar_alu_op(row) != nir_op_ushr)
      return false;
   nir_scalar shift = nir_scalar_chase_alu_src(row, 1);
   if (!nir_scalar_is_const(shift) || nir_scalar_as_uint(shift) != 4)
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   unsigned rest = 0;
   nir_def *index = divide(b, nir_scalar_chase_alu_src(row, 0), 8, &rest);
   if (!index || rest > 15) /* a remainder alone is of no importance, but together they may be */
      return false;
   nir_src_rewrite(&intr->src[1], index);
   return true;
}

bool
atoll_nir_lower_rows(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, lower, nir_metadata_control_flow, NULL);
}

/* A uniform block with a number that is known at run time only: the row of each block that it may
 * be, and a choice.  IL's constant buffers have numbers, not indices. */
static bool
choose(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if (intr->intrinsic != nir_intrinsic_load_ubo_vec4 || nir_src_is_const(intr->src[0]))
      return false;
   unsigned first = 0, count = MIN2(b->shader->info.num_ubos, IL_MAX_CONST_BUFFERS);
   nir_scalar index = nir_get_scalar(intr->src[0].ssa, 0);
   if (nir_scalar_is_alu(index) && nir_scalar_alu_op(index) == nir_op_iadd) {
      nir_scalar base = nir_scalar_chase_alu_src(index, 1);
      if (nir_scalar_is_const(base) && nir_scalar_as_uint(base) < count)
         first = nir_scalar_as_uint(base);
   }
   b->cursor = nir_before_instr(&intr->instr);
   nir_def *result = NULL;
   for (unsigned block = first; block < count; block++) {
      nir_def *row = nir_load_ubo_vec4(b, intr->def.num_components, 32, nir_imm_int(b, block),
                                       intr->src[1].ssa, .base = nir_intrinsic_base(intr),
                                       .component = nir_intrinsic_component(intr));
      result = result ? nir_bcsel(b, nir_ieq_imm(b, intr->src[0].ssa, block), row, result) : row;
   }
   if (!result)
      result = nir_imm_zero(b, intr->def.num_components, 32);
   nir_def_replace(&intr->def, result);
   return true;
}

bool
atoll_nir_lower_blocks(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, choose, nir_metadata_control_flow, NULL);
}

/* Constant parts of an index become the instruction's base. */
static bool
fold(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if (intr->intrinsic != nir_intrinsic_load_ubo_vec4 || nir_src_is_const(intr->src[1]))
      return false;
   nir_scalar index = nir_get_scalar(intr->src[1].ssa, 0);
   if (!nir_scalar_is_alu(index) || nir_scalar_alu_op(index) != nir_op_iadd)
      return false;
   for (unsigned i = 0; i < 2; i++) {
      nir_scalar constant = nir_scalar_chase_alu_src(index, i);
      uint64_t base = nir_intrinsic_base(intr);
      if (!nir_scalar_is_const(constant) || base + nir_scalar_as_uint(constant) >= 4096)
         continue;
      nir_scalar rest = nir_scalar_chase_alu_src(index, 1 - i);
      b->cursor = nir_before_instr(&intr->instr);
      nir_intrinsic_set_base(intr, base + nir_scalar_as_uint(constant));
      nir_src_rewrite(&intr->src[1], nir_channel(b, rest.def, rest.comp));
      return true;
   }
   return false;
}

bool
atoll_nir_fold_rows(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, fold, nir_metadata_control_flow, NULL);
}
