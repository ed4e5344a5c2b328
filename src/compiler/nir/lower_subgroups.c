/* SPDX-License-Identifier: MIT */
/* What the invocations of a wave tell each other.  IL has ballots alone: a vote looks at one, and a
 * value comes from another invocation bit by bit, a ballot each in which no one else votes.
 *
 * Groups are the waves of the target: 64 invocations at most.  An invocation that does not run
 * where it is asked has no voice, and what is read from it is 0.  Which invocation is read is what
 * the first one that runs says: GLSL wants all to say the same, and where they do not all get one
 * value nevertheless, as from hardware that has the number in a register of the wave. */
#include "translate.h"

#include "nir_builder.h"

static nir_def *
ballot(nir_builder *b, nir_def *condition)
{
   return nir_ballot(b, 2, 32, condition);
}

static nir_def *
any(nir_builder *b, nir_def *condition)
{
   nir_def *votes = ballot(b, condition);
   return nir_ine_imm(b, nir_ior(b, nir_channel(b, votes, 0), nir_channel(b, votes, 1)), 0);
}

/* The lowest invocation that runs here: there is one. */
static nir_def *
first_invocation(nir_builder *b)
{
   nir_def *votes = ballot(b, nir_imm_true(b));
   nir_def *low = nir_channel(b, votes, 0), *high = nir_channel(b, votes, 1);
   return nir_bcsel(b, nir_ine_imm(b, low, 0), nir_find_lsb(b, low),
                    nir_iadd_imm(b, nir_find_lsb(b, high), 32));
}

/* The low `bits` bits of an invocation's value; a loop, of which the code is short. */
static nir_def *
read_bits(nir_builder *b, nir_def *value, nir_def *invocation, unsigned bits)
{
   nir_def *mine = nir_ieq(b, nir_load_subgroup_invocation(b), invocation);
   nir_variable *bit = nir_local_variable_create(b->impl, glsl_uint_type(), "bit");
   nir_variable *result = nir_local_variable_create(b->impl, glsl_uint_type(), "read");

   nir_store_var(b, bit, nir_imm_int(b, 1), 1);
   nir_store_var(b, result, nir_imm_int(b, 0), 1);
   nir_loop *loop = nir_push_loop(b);
   loop->control = nir_loop_control_dont_unroll;
   {
      nir_def *now = nir_load_var(b, bit);
      nir_break_if(b, nir_ieq_imm(b, now, bits < 32 ? 1 << bits : 0));
      nir_def *set = nir_ine_imm(b, nir_iand(b, value, now), 0);
      nir_def *add = nir_bcsel(b, any(b, nir_iand(b, mine, set)), now, nir_imm_int(b, 0));
      nir_store_var(b, result, nir_ior(b, nir_load_var(b, result), add), 1);
      nir_store_var(b, bit, nir_ishl_imm(b, now, 1), 1);
   }
   nir_pop_loop(b, loop);
   return nir_load_var(b, result);
}

static nir_def *
read_dword(nir_builder *b, nir_def *value, nir_def *invocation)
{
   return read_bits(b, value, invocation, 32);
}

/* The number of an invocation that all mean; what is too large for any stays so. */
static nir_def *
one_invocation(nir_builder *b, nir_src *number)
{
   if (nir_src_is_const(*number))
      return number->ssa;
   return read_bits(b, nir_umin(b, nir_u2u32(b, number->ssa), nir_imm_int(b, 64)),
                    first_invocation(b), 7);
}

static nir_def *
read_invocation(nir_builder *b, nir_def *value, nir_def *invocation)
{
   nir_def *parts[2];

   switch (value->bit_size) {
   case 1:
      return any(b, nir_iand(b, nir_ieq(b, nir_load_subgroup_invocation(b), invocation), value));
   case 64:
      parts[0] = read_dword(b, nir_unpack_64_2x32_split_x(b, value), invocation);
      parts[1] = read_dword(b, nir_unpack_64_2x32_split_y(b, value), invocation);
      return nir_pack_64_2x32_split(b, parts[0], parts[1]);
   default:
      return nir_u2uN(b, read_dword(b, nir_u2u32(b, value), invocation), value->bit_size);
   }
}

static bool
lower(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   nir_def *x = intr->src[0].ssa, *result;

   b->cursor = nir_before_instr(&intr->instr);
   switch (intr->intrinsic) {
   case nir_intrinsic_vote_any:
      result = any(b, x);
      break;
   case nir_intrinsic_vote_all:
      result = nir_inot(b, any(b, nir_inot(b, x)));
      break;
   case nir_intrinsic_read_first_invocation:
      result = read_invocation(b, x, first_invocation(b));
      break;
   case nir_intrinsic_read_invocation:
      result = read_invocation(b, x, one_invocation(b, &intr->src[1]));
      break;
   default:
      return false;
   }
   nir_def_replace(&intr->def, result);
   return true;
}

bool
atoll_nir_lower_subgroups(nir_shader *nir, unsigned wave)
{
   const nir_lower_subgroups_options simple = {
      .subgroup_size = wave,
      .ballot_bit_size = 32,
      .ballot_components = 2,
      .lower_to_scalar = true,
      .lower_vote_eq = true,
      .lower_vote_bool_eq = true,
      .lower_subgroup_masks = true,
   };
   bool progress = false;

   NIR_PASS(progress, nir, nir_lower_subgroups, &simple);
   NIR_PASS(progress, nir, nir_shader_intrinsics_pass, lower, nir_metadata_none, NULL);
   return progress;
}
