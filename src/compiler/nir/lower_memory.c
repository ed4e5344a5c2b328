/* SPDX-License-Identifier: MIT */
/* Buffers and images with a number that is known at run time only: a branch for each that it may
 * be.  IL's UAVs have numbers, not indices. */
#include "translate.h"

#include "nir_builder.h"

static nir_def *
copy_with(nir_builder *b, const nir_intrinsic_instr *intr, unsigned src, unsigned number)
{
   nir_def *constant = nir_imm_int(b, number);
   nir_intrinsic_instr *copy = nir_instr_as_intrinsic(nir_instr_clone(b->shader, &intr->instr));
   nir_builder_instr_insert(b, &copy->instr);
   nir_src_rewrite(&copy->src[src], constant);
   return nir_intrinsic_infos[intr->intrinsic].has_dest ? &copy->def : NULL;
}

/* Numbers n to end - 1; the last one is not asked for. */
static nir_def *
choose(nir_builder *b, const nir_intrinsic_instr *intr, unsigned src, unsigned n, unsigned end)
{
   if (n + 1 >= end)
      return copy_with(b, intr, src, n);
   nir_if *branch = nir_push_if(b, nir_ieq_imm(b, intr->src[src].ssa, n));
   nir_def *here = copy_with(b, intr, src, n);
   nir_push_else(b, branch);
   nir_def *rest = choose(b, intr, src, n + 1, end);
   nir_pop_if(b, branch);
   return here ? nir_if_phi(b, here, rest) : NULL;
}

static bool
lower(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   bool image;
   int src = tr_memory_index(intr, &image);
   if (src < 0 || nir_src_is_const(intr->src[src]))
      return false;
   unsigned first = 0, end = image ? b->shader->info.num_images : b->shader->info.num_ssbos;
   end = MIN2(end, 32);
   nir_scalar index = nir_get_scalar(intr->src[src].ssa, 0);
   if (nir_scalar_is_alu(index) && nir_scalar_alu_op(index) == nir_op_iadd) {
      nir_scalar base = nir_scalar_chase_alu_src(index, 1);
      if (nir_scalar_is_const(base) && nir_scalar_as_uint(base) < end)
         first = nir_scalar_as_uint(base);
   }
   b->cursor = nir_before_instr(&intr->instr);
   nir_def *result = choose(b, intr, src, first, end);
   if (result)
      nir_def_rewrite_uses(&intr->def, result);
   nir_instr_remove(&intr->instr);
   return true;
}

bool
atoll_nir_lower_memory(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, lower, nir_metadata_none, NULL);
}
