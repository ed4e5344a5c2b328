/* SPDX-License-Identifier: MIT */
/* Whether the samples of a texel are identical, which no fetch says: each is compared with the
 * first, bit for bit. */
#include "translate.h"

#include "nir_builder.h"

/* What fetches of the same texture make of its texels; floats where there are none. */
static nir_alu_type
type_of_texels(const nir_shader *nir, const nir_tex_instr *tex)
{
   nir_foreach_block(block, nir_shader_get_entrypoint((nir_shader *)nir))
   {
      nir_foreach_instr(instr, block)
      {
         if (instr->type != nir_instr_type_tex)
            continue;
         const nir_tex_instr *other = nir_instr_as_tex(instr);
         if (!nir_tex_instr_is_query((nir_tex_instr *)other) &&
             other->op != nir_texop_samples_identical && other->texture_index == tex->texture_index)
            return other->dest_type;
      }
   }
   return nir_type_float32;
}

/* `op` of the texture of `tex`, at its coordinates; of one sample, or of all (NULL). */
static nir_def *
ask(nir_builder *b, const nir_tex_instr *tex, nir_texop op, nir_alu_type type, nir_def *sample)
{
   nir_tex_instr *new = nir_tex_instr_create(b->shader, tex->num_srcs + (sample != NULL));
   new->op = op;
   new->sampler_dim = tex->sampler_dim;
   new->is_array = tex->is_array;
   new->coord_components = tex->coord_components;
   new->texture_index = tex->texture_index;
   new->sampler_index = tex->sampler_index;
   new->dest_type = type;
   for (unsigned i = 0; i < tex->num_srcs; i++)
      new->src[i] = nir_tex_src_for_ssa(tex->src[i].src_type, tex->src[i].src.ssa);
   if (sample)
      new->src[tex->num_srcs] = nir_tex_src_for_ssa(nir_tex_src_ms_index, sample);
   nir_def_init(&new->instr, &new->def, sample ? 4 : 1, 32);
   nir_builder_instr_insert(b, &new->instr);
   return &new->def;
}

static bool
lower(nir_builder *b, nir_instr *instr, void *data)
{
   if (instr->type != nir_instr_type_tex)
      return false;
   nir_tex_instr *tex = nir_instr_as_tex(instr);
   if (tex->op != nir_texop_samples_identical)
      return false;
   b->cursor = nir_before_instr(instr);
   const nir_alu_type type = type_of_texels(b->shader, tex);
   nir_variable *same = nir_local_variable_create(b->impl, glsl_bool_type(), "same");
   nir_variable *next = nir_local_variable_create(b->impl, glsl_uint_type(), "next");
   nir_def *count = ask(b, tex, nir_texop_texture_samples, nir_type_int32, NULL);
   nir_def *first = ask(b, tex, nir_texop_txf_ms, type, nir_imm_int(b, 0));

   nir_store_var(b, same, nir_imm_true(b), 1);
   nir_store_var(b, next, nir_imm_int(b, 1), 1);
   nir_loop *loop = nir_push_loop(b);
   {
      nir_def *sample = nir_load_var(b, next);
      nir_break_if(b, nir_ior(b, nir_uge(b, sample, count), nir_inot(b, nir_load_var(b, same))));
      nir_def *texel = ask(b, tex, nir_texop_txf_ms, type, sample);
      nir_store_var(b, same, nir_ball_iequal(b, texel, first), 1);
      nir_store_var(b, next, nir_iadd_imm(b, sample, 1), 1);
   }
   nir_pop_loop(b, loop);
   nir_def_replace(&tex->def, nir_load_var(b, same));
   return true;
}

bool
atoll_nir_lower_samples_identical(nir_shader *nir)
{
   return nir_shader_instructions_pass(nir, lower, nir_metadata_none, NULL);
}
