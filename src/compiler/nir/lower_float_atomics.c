/* SPDX-License-Identifier: MIT */
/* Atomic operations on floats, which IL has not: what is there is read, and exchanged for the
 * result if it is still there, until it is.  Exchanges compare bits, so NaN is found again. */
#include "translate.h"

#include "nir_builder.h"

/* The operation `op` instead of `intr`, on integers: its operands are the address's and these. */
static nir_def *
operate(nir_builder *b, const nir_intrinsic_instr *intr, nir_intrinsic_op intrinsic,
        nir_atomic_op op, unsigned place, nir_def *first, nir_def *second)
{
   nir_intrinsic_instr *new = nir_intrinsic_instr_create(b->shader, intrinsic);

   for (unsigned i = 0; i < place; i++)
      new->src[i] = nir_src_for_ssa(intr->src[i].ssa);
   new->src[place] = nir_src_for_ssa(first);
   if (second)
      new->src[place + 1] = nir_src_for_ssa(second);
   nir_intrinsic_copy_const_indices(new, (nir_intrinsic_instr *)intr);
   nir_intrinsic_set_atomic_op(new, op);
   nir_def_init(&new->instr, &new->def, 1, 32);
   nir_builder_instr_insert(b, &new->instr);
   return &new->def;
}

/* Operands that name an address come first; 0: no operation on memory. */
static unsigned
operands_of_place(nir_intrinsic_op op, nir_intrinsic_op *plain, nir_intrinsic_op *swap)
{
   switch (op) {
   case nir_intrinsic_ssbo_atomic:
   case nir_intrinsic_ssbo_atomic_swap:
      *plain = nir_intrinsic_ssbo_atomic;
      *swap = nir_intrinsic_ssbo_atomic_swap;
      return 2;
   case nir_intrinsic_shared_atomic:
   case nir_intrinsic_shared_atomic_swap:
      *plain = nir_intrinsic_shared_atomic;
      *swap = nir_intrinsic_shared_atomic_swap;
      return 1;
   case nir_intrinsic_image_atomic:
   case nir_intrinsic_image_atomic_swap:
      *plain = nir_intrinsic_image_atomic;
      *swap = nir_intrinsic_image_atomic_swap;
      return 3;
   default:
      return 0;
   }
}

static nir_def *
result_of(nir_builder *b, nir_atomic_op op, nir_def *before, nir_def *first, nir_def *second)
{
   switch (op) {
   case nir_atomic_op_fadd:
      return nir_fadd(b, before, first);
   case nir_atomic_op_fmin:
      return nir_fmin(b, before, first);
   case nir_atomic_op_fmax:
      return nir_fmax(b, before, first);
   default:
      return nir_bcsel(b, nir_feq(b, before, first), second, before);
   }
}

static bool
lower(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   nir_intrinsic_op plain, swap;
   const unsigned place = operands_of_place(intr->intrinsic, &plain, &swap);
   if (!place || intr->def.bit_size != 32)
      return false;
   const nir_atomic_op op = nir_intrinsic_atomic_op(intr);
   if (op != nir_atomic_op_fadd && op != nir_atomic_op_fmin && op != nir_atomic_op_fmax &&
       op != nir_atomic_op_fcmpxchg)
      return false;
   b->cursor = nir_before_instr(&intr->instr);
   nir_def *first = intr->src[place].ssa;
   nir_def *second = op == nir_atomic_op_fcmpxchg ? intr->src[place + 1].ssa : NULL;
   nir_variable *found = nir_local_variable_create(b->impl, glsl_uint_type(), "found");

   nir_store_var(b, found,
                 operate(b, intr, plain, nir_atomic_op_ior, place, nir_imm_int(b, 0), NULL), 1);
   nir_loop *loop = nir_push_loop(b);
   {
      nir_def *before = nir_load_var(b, found);
      nir_def *after = result_of(b, op, before, first, second);
      nir_def *now = operate(b, intr, swap, nir_atomic_op_cmpxchg, place, before, after);
      nir_store_var(b, found, now, 1);
      nir_break_if(b, nir_ieq(b, now, before));
   }
   nir_pop_loop(b, loop);
   nir_def_replace(&intr->def, nir_load_var(b, found));
   return true;
}

bool
atoll_nir_lower_float_atomics(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, lower, nir_metadata_none, NULL);
}
