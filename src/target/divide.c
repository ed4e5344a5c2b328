/* SPDX-License-Identifier: MIT */
/*
 * The least number divided by -1, as Mesa folds constants: on the host it is a trap (SIGFPE), and
 * any shader may say it.  What devices give is the least number again, and no remainder, which is
 * what division by 1 gives: so the divisor becomes 1 there.  divide_ir.cpp does the same of GLSL's
 * own form.  The linker sends Mesa's calls here (--wrap).
 */
#include "compiler/nir/nir.h"

void __real_nir_eval_const_opcode(nir_op op, nir_const_value *dest, unsigned num_components,
                                  unsigned bit_size, nir_const_value **src,
                                  unsigned float_controls);
void __wrap_nir_eval_const_opcode(nir_op op, nir_const_value *dest, unsigned num_components,
                                  unsigned bit_size, nir_const_value **src,
                                  unsigned float_controls);

void
__wrap_nir_eval_const_opcode(nir_op op, nir_const_value *dest, unsigned num_components,
                             unsigned bit_size, nir_const_value **src, unsigned float_controls)
{
   nir_const_value divisors[NIR_MAX_VEC_COMPONENTS];
   nir_const_value *both[2];

   if ((op == nir_op_idiv || op == nir_op_irem || op == nir_op_imod) && bit_size > 1) {
      const int64_t least = INT64_MIN >> (64 - bit_size);

      for (unsigned i = 0; i < num_components; i++) {
         divisors[i] = src[1][i];
         if (nir_const_value_as_int(src[0][i], bit_size) == least &&
             nir_const_value_as_int(src[1][i], bit_size) == -1)
            divisors[i] = nir_const_value_for_int(1, bit_size);
      }
      both[0] = src[0];
      both[1] = divisors;
      src = both;
   }
   __real_nir_eval_const_opcode(op, dest, num_components, bit_size, src, float_controls);
}
