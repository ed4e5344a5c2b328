/* SPDX-License-Identifier: MIT */
/*
 * Where atomic counters begin in their buffer, for targets whose memory has addresses in dwords.
 *
 * Counters are in storage buffers, and Mesa's state tracker hands a program, as a uniform, how far
 * their own buffer begins behind an address that storage buffers may have: less than 256, and a
 * multiple of 4.  Said as four times an extracted field, it is known to be both, and the division
 * of each counter's address by 4 is done once, for them all; where the counters have no index.
 */
#include "translate.h"

#include "nir_builder.h"
#include "program/prog_statevars.h"

static bool
is_offset(const nir_shader *nir, unsigned location)
{
   nir_foreach_variable_with_modes(var, nir, nir_var_uniform)
   {
      if (var->num_state_slots == 1 &&
          var->state_slots[0].tokens[0] == STATE_ATOMIC_COUNTER_OFFSET &&
          var->data.driver_location == location)
         return true;
   }
   return false;
}

/* Is it the place of counters, or that plus a constant, wherever it is read? */
static bool
has_no_index(const nir_def *offset)
{
   nir_foreach_use_including_if(use, offset)
   {
      if (nir_src_is_if(use))
         return false;
      const nir_instr *reader = nir_src_parent_instr(use);
      if (reader->type == nir_instr_type_intrinsic)
         continue;
      if (reader->type != nir_instr_type_alu)
         return false;
      const nir_alu_instr *alu = nir_instr_as_alu(reader);
      if (alu->op != nir_op_iadd || !nir_src_is_const(alu->src[alu->src[0].src.ssa == offset].src))
         return false;
   }
   return true;
}

static bool
lower(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if (intr->intrinsic != nir_intrinsic_load_ubo_vec4 || !nir_src_is_const(intr->src[0]) ||
       !nir_src_is_const(intr->src[1]) || nir_src_as_uint(intr->src[0]) ||
       nir_intrinsic_component(intr) || intr->def.num_components != 1 || intr->def.bit_size != 32 ||
       !is_offset(b->shader, nir_src_as_uint(intr->src[1]) + nir_intrinsic_base(intr)) ||
       !has_no_index(&intr->def))
      return false;
   b->cursor = nir_after_instr(&intr->instr);
   nir_def *dwords = nir_ubfe_imm(b, &intr->def, 2, 6);
   nir_def *bytes = nir_ishl_imm(b, dwords, 2);
   nir_def_rewrite_uses_after(&intr->def, bytes, bytes->parent_instr);
   return true;
}

bool
atoll_nir_lower_counters(nir_shader *nir)
{
   return nir_shader_intrinsics_pass(nir, lower, nir_metadata_control_flow, NULL);
}
