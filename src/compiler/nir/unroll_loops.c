/* SPDX-License-Identifier: MIT */
/*
 * Unrolls loops, but for those that lanes may leave early.
 *
 *   1. A loop with a known number of iterations, and no other way out, becomes its iterations: what
 *      its counter indexes is known then.
 *   2. A loop with a known limit that lanes leave before, each when its own condition holds, would
 *      become a branch in the branch of the iteration before it, as deep as there are iterations.
 *      It stays a loop: it is shorter, and runs as one function of machine code where nests of more
 *      than a few branches do not (emulator/sq/regions.c).  Few iterations are unrolled all the
 *      same, and so are loops in which the counter names a sampler, and those with lookups, which
 *      no function of machine code runs.
 */
#include "translate.h"

/* The most iterations that become nested branches. */
#define FEW_ITERATIONS 4u

static bool
looks_up(const nir_loop *loop)
{
   nir_foreach_block_in_cf_node(block, (nir_cf_node *)&loop->cf_node)
   {
      nir_foreach_instr(instr, block)
      {
         if (instr->type == nir_instr_type_tex)
            return true;
      }
   }
   return false;
}

static bool
leaves_early(const nir_loop *loop)
{
   const nir_loop_info *info = loop->info;

   return info->limiting_terminator && !info->exact_trip_count_known &&
          info->max_trip_count > FEW_ITERATIONS && !info->force_unroll && !looks_up(loop);
}

bool
atoll_nir_unroll_loops(nir_shader *nir)
{
   nir_foreach_function_impl(impl, nir)
   {
      nir_metadata_require(impl, nir_metadata_loop_analysis, nir->options->force_indirect_unrolling,
                           (int)nir->options->force_indirect_unrolling_sampler);
      nir_foreach_block(block, impl)
      {
         nir_cf_node *parent = block->cf_node.parent;

         if (parent->type != nir_cf_node_loop)
            continue;
         nir_loop *loop = nir_cf_node_as_loop(parent);
         if (loop->control == nir_loop_control_none && leaves_early(loop))
            loop->control = nir_loop_control_dont_unroll;
      }
   }
   return nir_opt_loop_unroll(nir);
}
