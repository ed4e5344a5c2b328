/* SPDX-License-Identifier: MIT */
/* Signed integer division by way of the unsigned one: IL has udiv and umod, and no signed form of
 * 32 bits.  C's rule: the quotient is rounded to zero, the remainder has the dividend's sign; imod
 * has the divisor's. */
#include "translate.h"

#include "nir_builder.h"

static nir_def *
negate_if(nir_builder *b, nir_def *mask, nir_def *x)
{
   return nir_isub(b, nir_ixor(b, x, mask), mask);
}

static bool
lower(nir_builder *b, nir_alu_instr *alu, void *data)
{
   if ((alu->op != nir_op_idiv && alu->op != nir_op_irem && alu->op != nir_op_imod) ||
       alu->def.bit_size < 32)
      return false;
   b->cursor = nir_before_instr(&alu->instr);
   nir_def *n = nir_ssa_for_alu_src(b, alu, 0), *d = nir_ssa_for_alu_src(b, alu, 1);
   unsigned top = alu->def.bit_size - 1;
   nir_def *n_sign = nir_ishr_imm(b, n, top), *d_sign = nir_ishr_imm(b, d, top);
   nir_def *un = negate_if(b, n_sign, n), *ud = negate_if(b, d_sign, d);
   nir_def *result;
   if (alu->op == nir_op_idiv) {
      result = negate_if(b, nir_ixor(b, n_sign, d_sign), nir_udiv(b, un, ud));
   } else {
      nir_def *rem = negate_if(b, n_sign, nir_umod(b, un, ud));
      result = rem;
      if (alu->op == nir_op_imod) {
         nir_def *differ = nir_ine(b, n_sign, d_sign);
         nir_def *add = nir_iand(b, differ, nir_ine_imm(b, rem, 0));
         result = nir_bcsel(b, add, nir_iadd(b, rem, d), rem);
      }
   }
   nir_def_replace(&alu->def, result);
   return true;
}

bool
atoll_nir_lower_signed_division(nir_shader *nir)
{
   return nir_shader_alu_pass(nir, lower, nir_metadata_control_flow, NULL);
}
