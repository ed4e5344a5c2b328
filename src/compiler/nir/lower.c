/* SPDX-License-Identifier: MIT */
/* The NIR pipeline: what the state tracker is told to hand over, what is done once a shader, what
 * is done once a variant. */
#include "translate.h"

#include <atoll/float_bits.h>

#include "compiler/glsl_types.h"
#include "nir_builder.h"
#include "pipe/p_state.h"

/* Operations on each component by itself. */
static bool
by_component(const nir_instr *instr, const void *data)
{
   return instr->type == nir_instr_type_alu &&
          !nir_op_infos[nir_instr_as_alu((nir_instr *)instr)->op].output_size;
}

/* The same, and sums of products: where no instruction has them, they are a chain of those that
 * multiply and add. */
static bool
by_component_or_dot(const nir_instr *instr, const void *data)
{
   if (instr->type != nir_instr_type_alu)
      return false;
   const nir_op op = nir_instr_as_alu((nir_instr *)instr)->op;
   return op == nir_op_fdot2 || op == nir_op_fdot3 || op == nir_op_fdot4 ||
          by_component(instr, data);
}

/* What a target cannot do with doubles, or all that Mesa's library does in integers instead. */
enum {
   OWN_DOUBLES = nir_lower_dtrunc | nir_lower_dfloor | nir_lower_dceil | nir_lower_dround_even |
                 nir_lower_dmod | nir_lower_dsub | nir_lower_ddiv | nir_lower_dsign,
   NO_DOUBLES = OWN_DOUBLES | nir_lower_drcp | nir_lower_dsqrt | nir_lower_drsq | nir_lower_dfract |
                nir_lower_dminmax | nir_lower_fp64_full_software,
};

/* clang-format off */
#define OPTIONS(doubles, apart, chains, unrolled) { \
   /* What is not exact becomes one: fma, or mad, which rounds between multiply and add as they do \
    * apart. */ \
   .fuse_ffma32 = true, \
   /* Of doubles there is fma alone, for what GLSL leaves open. */ \
   .fuse_ffma64 = (doubles) == OWN_DOUBLES, \
   /* A target without dot products has no fract, and a thread's number among all. */ \
   .has_cs_global_id = (chains), \
   .lower_ffract = (chains), \
   .lower_flrp16 = true, \
   .lower_flrp32 = true, \
   .lower_flrp64 = true, \
   .lower_fpow = true, \
   .lower_fsign = true, \
   .lower_isign = true, \
   .lower_iabs = true, \
   .lower_fdph = true, \
   .lower_ldexp = true, \
   .lower_scmp = true, \
   .lower_vector_cmp = true, \
   .lower_fisnormal = true, \
   .lower_bitfield_extract = true, \
   .has_bfe = true, \
   .has_find_msb_rev = true, \
   .lower_ufind_msb = true, \
   .lower_ifind_msb = true, \
   .lower_extract_byte = true, \
   .lower_extract_word = true, \
   .lower_insert_byte = true, \
   .lower_insert_word = true, \
   .lower_pack_half_2x16 = true, \
   .lower_pack_unorm_2x16 = true, \
   .lower_pack_snorm_2x16 = true, \
   .lower_pack_unorm_4x8 = true, \
   .lower_pack_snorm_4x8 = true, \
   .lower_pack_64_2x32 = true, \
   .lower_pack_32_2x16 = true, \
   .lower_pack_32_2x16_split = true, \
   .lower_unpack_half_2x16 = true, \
   .lower_unpack_unorm_2x16 = true, \
   .lower_unpack_snorm_2x16 = true, \
   .lower_unpack_unorm_4x8 = true, \
   .lower_unpack_snorm_4x8 = true, \
   .lower_unpack_32_2x16_split = true, \
   .lower_hadd = true, \
   .lower_hadd64 = true, \
   .lower_uadd_sat = true, \
   .lower_usub_sat = true, \
   .lower_iadd_sat = true, \
   .lower_mul_2x32_64 = true, \
   .lower_mul_32x16 = true, \
   .lower_fquantize2f16 = true, \
   .lower_int64_options = ~(nir_lower_imul64 | nir_lower_bcsel64 | nir_lower_icmp64 | \
                            nir_lower_iadd64 | nir_lower_ineg64 | nir_lower_logic64 | \
                            nir_lower_minmax64 | nir_lower_shift64 | nir_lower_divmod64), \
   .lower_doubles_options = (nir_lower_doubles_options)(doubles), \
   /* atoll_nir_lower() does it: the state tracker, which finalises a shader when it is linked and \
    * each of its variants, would merge parameters that variants then number anew. */ \
   .lower_uniforms_to_ubo = false, \
   .lower_device_index_to_zero = true, \
   .lower_cs_local_index_to_id = true, \
   .force_indirect_unrolling_sampler = true, \
   /* What goes apart does so before varyings are linked: one component of them may be a constant. \
    */ \
   .lower_to_scalar = true, \
   .lower_to_scalar_filter = (apart), \
   .max_unroll_iterations = (unrolled), \
   /* Indexed inputs and outputs become indexed temporaries, but for what several threads share. */ \
   .support_indirect_inputs = \
      BITFIELD_BIT(MESA_SHADER_TESS_CTRL) | BITFIELD_BIT(MESA_SHADER_TESS_EVAL), \
   .support_indirect_outputs = BITFIELD_BIT(MESA_SHADER_TESS_CTRL), \
   .io_options = \
      nir_io_has_intrinsics | nir_io_mediump_is_32bit | nir_io_separate_clip_cull_distance_arrays, \
}
/* clang-format on */

/* The most iterations that loops are unrolled of: where loops are quick, Mesa's linker leaves the
 * longer ones to unroll(). */
enum { UNROLLED = 255, UNROLLED_BY_LINKER = 16 };

static const nir_shader_compiler_options with_doubles =
   OPTIONS(OWN_DOUBLES, by_component, false, UNROLLED_BY_LINKER);
static const nir_shader_compiler_options with_doubles_unrolled =
   OPTIONS(OWN_DOUBLES, by_component, false, UNROLLED);
static const nir_shader_compiler_options with_dots =
   OPTIONS(NO_DOUBLES, by_component, false, UNROLLED_BY_LINKER);
static const nir_shader_compiler_options with_dots_unrolled =
   OPTIONS(NO_DOUBLES, by_component, false, UNROLLED);
static const nir_shader_compiler_options without_doubles =
   OPTIONS(NO_DOUBLES, by_component, false, UNROLLED);
static const nir_shader_compiler_options chained =
   OPTIONS(NO_DOUBLES, by_component_or_dot, true, UNROLLED);

const struct nir_shader_compiler_options *
atoll_nir_options(bool doubles, bool fuses, bool dots)
{
   return doubles          ? &with_doubles
          : fuses && !dots ? &chained
          : fuses          ? &with_dots
                           : &without_doubles;
}

/* Cayman and the chips of its family. */
static bool
is_family(const nir_shader_compiler_options *options)
{
   return options == &with_doubles || options == &with_dots;
}

bool
tr_fuses(const nir_shader *nir)
{
   return nir->options != &without_doubles;
}

/* The driver's part of it is for these. */
bool
tr_hoists(const nir_shader *nir)
{
   return is_family(nir->options);
}

/* A sum of products one of which is by 0, or of four one that is by 1 or -1: where each product
 * takes a slot, a chain of what is left takes fewer. */
static bool
has_plain_product(const nir_alu_instr *alu)
{
   const unsigned products = nir_op_infos[alu->op].input_sizes[0];

   for (unsigned s = 0; s < 2 && !alu->exact; s++) {
      for (unsigned i = 0; i < products; i++) {
         const nir_scalar factor = nir_scalar_resolved(alu->src[s].src.ssa, alu->src[s].swizzle[i]);
         if (!nir_scalar_is_const(factor))
            continue;
         const uint32_t magnitude = (uint32_t)nir_scalar_as_uint(factor) & F32_MAGNITUDE;
         if (factor.def->bit_size == 32 &&
             (magnitude == 0 || (magnitude == F32_ONE && products == 4)))
            return true;
      }
   }
   return false;
}

/* Whether to take an operation apart into its components (`data`: the options; those of `chained`
 * ask for sums of products, too): those that pack a vector into one dword exist only one component
 * at a time, and where some components meet 0 or 1 and others do not, each has its own
 * simplification.  Selects are better as they are: `b2f` of `not` is longer. */
static bool
goes_apart(const nir_instr *instr, const void *data)
{
   if (instr->type != nir_instr_type_alu)
      return false;
   const nir_alu_instr *alu = nir_instr_as_alu((nir_instr *)instr);
   switch (alu->op) {
   case nir_op_pack_half_2x16:
   case nir_op_unpack_half_2x16:
   case nir_op_pack_uvec2_to_uint:
   case nir_op_pack_uvec4_to_uint:
      return true;
   case nir_op_bcsel:
   case nir_op_mov:
      return false;
   default:
      break;
   }
   if (is_family(data) && by_component_or_dot(instr, NULL) && nir_op_infos[alu->op].output_size &&
       has_plain_product(alu))
      return true;
   if (data == &chained && by_component_or_dot(instr, NULL) && nir_op_infos[alu->op].output_size)
      return true; /* a sum of products */
   if (nir_op_infos[alu->op].output_size || nir_op_is_vec(alu->op))
      return false;
   for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++) {
      const nir_alu_src *src = &alu->src[s];
      bool differ = false, simple = false;
      for (unsigned i = 0; i < alu->def.num_components && nir_src_is_const(src->src); i++) {
         const uint64_t value = nir_src_comp_as_uint(src->src, src->swizzle[i]);
         differ |= value != nir_src_comp_as_uint(src->src, src->swizzle[0]);
         simple |= (value & F32_MAGNITUDE) == 0 || (value & F32_MAGNITUDE) == F32_ONE;
      }
      if (differ && simple)
         return true;
   }
   return false;
}

/* Up to how many elements an array at a run-time index becomes selects.  The pass counts the
 * dimensions that are indexed: where a long array has a short one of these, everything stays as it
 * is. */
static unsigned
selected_length(nir_shader *nir)
{
   nir_foreach_function_temp_variable(var, nir_shader_get_entrypoint(nir))
   {
      if (glsl_type_is_array(var->type) &&
          glsl_type_is_array_or_matrix(glsl_get_array_element(var->type)) &&
          glsl_count_vec4_slots(var->type, false, false) > 4)
         return 1;
   }
   return 4;
}

/* A store of constants beside components that it does not write, as a constant: tables that are
 * filled by parts of vectors count as tables then. */
static bool
store_constants(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   nir_const_value value[NIR_MAX_VEC_COMPONENTS] = { 0 };

   if (intr->intrinsic != nir_intrinsic_store_deref || nir_src_is_const(intr->src[1]))
      return false;
   nir_def *stored = intr->src[1].ssa;
   u_foreach_bit(i, nir_intrinsic_write_mask(intr))
   {
      nir_scalar s = nir_scalar_resolved(stored, i);
      if (!nir_scalar_is_const(s))
         return false;
      value[i] = nir_scalar_as_const_value(s);
   }
   b->cursor = nir_before_instr(&intr->instr);
   nir_src_rewrite(&intr->src[1],
                   nir_build_imm(b, stored->num_components, stored->bit_size, value));
   return true;
}

/* Constants can be read where nobody needs them: beyond a buffer's end there is 0. */
static bool
speculate(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if ((intr->intrinsic != nir_intrinsic_load_ubo &&
        intr->intrinsic != nir_intrinsic_load_ubo_vec4) ||
       !nir_src_is_const(intr->src[0]) || nir_intrinsic_access(intr) & ACCESS_CAN_SPECULATE)
      return false;
   nir_intrinsic_set_access(intr, nir_intrinsic_access(intr) | ACCESS_CAN_SPECULATE);
   return true;
}

/* The passes of optimize(), a bit each. */
enum {
   BIT_nir_copy_prop,
   BIT_nir_lower_alu_to_scalar,
   BIT_nir_lower_flrp,
   BIT_nir_lower_vars_to_ssa,
   BIT_nir_opt_algebraic,
   BIT_nir_opt_conditional_discard,
   BIT_nir_opt_constant_folding,
   BIT_nir_opt_copy_prop_vars,
   BIT_nir_opt_cse,
   BIT_nir_opt_dce,
   BIT_nir_opt_dead_cf,
   BIT_nir_opt_dead_write_vars,
   BIT_nir_opt_idiv_const,
   BIT_nir_opt_if,
   BIT_nir_opt_loop,
   BIT_nir_opt_peephole_select,
   BIT_nir_opt_remove_phis,
   BIT_nir_opt_shrink_vectors,
   BIT_nir_opt_undef,
   BIT_nir_shrink_vec_array_vars,
   BIT_nir_split_array_vars,
   BIT_unroll,
};

/* A pass that found nothing to do is left out until another one has done something: what
 * NIR_LOOP_PASS_NOT_IDEMPOTENT() does with a set, which takes longer than many a pass. */
#define LOOP_PASS(progress, nir, pass, ...)                 \
   do {                                                     \
      bool changed = false;                                 \
      if (!(idle & BITFIELD_BIT(BIT_##pass)))               \
         NIR_PASS(changed, nir, pass, ##__VA_ARGS__);       \
      idle = changed ? 0 : idle | BITFIELD_BIT(BIT_##pass); \
      progress |= changed;                                  \
   } while (0)

/* Passes over variables and over undefined values take long to see that there are none. */
static bool
has_any(nir_shader *nir, nir_instr_type type)
{
   nir_foreach_function_impl(impl, nir)
   {
      nir_foreach_block(block, impl)
      {
         nir_foreach_instr(instr, block)
         {
            if (instr->type == type)
               return true;
         }
      }
   }
   return false;
}

static bool
unroll(nir_shader *nir)
{
   const nir_shader_compiler_options *options = nir->options;
   bool progress;

   if (!is_family(options))
      return nir_opt_loop_unroll(nir);
   nir->options = options == &with_doubles ? &with_doubles_unrolled : &with_dots_unrolled;
   progress = atoll_nir_unroll_loops(nir);
   nir->options = options;
   return progress;
}

static void
optimize(nir_shader *nir)
{
   bool progress, lower_flrp = true;
   unsigned rounds = 0;
   uint32_t idle = 0;
   do {
      progress = false;
      if (has_any(nir, nir_instr_type_deref)) {
         LOOP_PASS(progress, nir, nir_split_array_vars, nir_var_function_temp);
         LOOP_PASS(progress, nir, nir_shrink_vec_array_vars, nir_var_function_temp);
         LOOP_PASS(progress, nir, nir_opt_copy_prop_vars);
         LOOP_PASS(progress, nir, nir_opt_dead_write_vars);
         LOOP_PASS(progress, nir, nir_lower_vars_to_ssa);
      }
      LOOP_PASS(progress, nir, nir_copy_prop);
      LOOP_PASS(progress, nir, nir_opt_remove_phis);
      LOOP_PASS(progress, nir, nir_opt_dce);
      bool loop = false;
      LOOP_PASS(loop, nir, nir_opt_loop);
      if (loop) {
         progress = true;
         LOOP_PASS(progress, nir, nir_copy_prop);
         LOOP_PASS(progress, nir, nir_opt_dce);
      }
      LOOP_PASS(progress, nir, nir_opt_if, nir_opt_if_optimize_phi_true_false);
      LOOP_PASS(progress, nir, nir_opt_dead_cf);
      LOOP_PASS(progress, nir, nir_opt_cse);
      /* A branch costs three clauses and their stack work; a few ALU groups are cheaper. */
      LOOP_PASS(progress, nir, nir_opt_peephole_select, 32, true, true);
      LOOP_PASS(progress, nir, nir_opt_algebraic);
      LOOP_PASS(progress, nir, nir_lower_alu_to_scalar, goes_apart, nir->options);
      LOOP_PASS(progress, nir, nir_opt_constant_folding);
      LOOP_PASS(progress, nir, nir_opt_idiv_const, 32);
      if (lower_flrp) {
         LOOP_PASS(progress, nir, nir_lower_flrp, 16 | 32 | 64, false);
         LOOP_PASS(progress, nir, nir_opt_constant_folding);
         lower_flrp = false;
      }
      if (has_any(nir, nir_instr_type_undef))
         LOOP_PASS(progress, nir, nir_opt_undef);
      LOOP_PASS(progress, nir, nir_opt_conditional_discard);
      LOOP_PASS(progress, nir, nir_opt_shrink_vectors, true);
      LOOP_PASS(progress, nir, unroll);
   } while (progress && ++rounds < 64);
}

/* Matrices of a product for which an order is sought. */
#define MAX_MATRICES 6

/* Each time the last matrix of a product leaves it: the one before it may be next. */
static void
factor_sums(nir_shader *nir)
{
   bool progress = true;
   for (unsigned n = 0; n < MAX_MATRICES && progress; n++) {
      progress = false;
      NIR_PASS(progress, nir, atoll_nir_factor_sums);
      if (progress) {
         NIR_PASS_V(nir, nir_copy_prop);
         NIR_PASS_V(nir, nir_opt_cse);
         NIR_PASS_V(nir, nir_opt_dce);
      }
   }
}

/* Gallium's streamout map counts outputs; ours names slots.  Variables know both; without them the
 * outputs are counted in the order of their slots. */
static void
name_streamout(const nir_shader *nir, struct pipe_stream_output_info *so)
{
   for (unsigned i = 0; i < so->num_outputs; i++) {
      if (nir->info.io_lowered) {
         unsigned left = so->output[i].register_index;
         u_foreach_bit64(slot, nir->info.outputs_written)
         {
            if (!left--) {
               so->output[i].register_index = slot;
               break;
            }
         }
         continue;
      }
      nir_foreach_shader_out_variable(var, nir)
      {
         unsigned slots = glsl_count_attribute_slots(var->type, false);
         unsigned reg = so->output[i].register_index;
         if (reg >= var->data.driver_location && reg < var->data.driver_location + slots) {
            so->output[i].register_index = var->data.location + reg - var->data.driver_location;
            break;
         }
      }
   }
}

/* The store of gl_ClipVertex is about to go: what is captured of it gets a slot that nothing uses.
 */
static bool
copy_clip_vertex(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
   if (intr->intrinsic != nir_intrinsic_store_output ||
       nir_intrinsic_io_semantics(intr).location != VARYING_SLOT_CLIP_VERTEX)
      return false;
   b->cursor = nir_after_instr(&intr->instr);
   nir_intrinsic_instr *copy = nir_instr_as_intrinsic(nir_instr_clone(b->shader, &intr->instr));
   nir_io_semantics semantics = nir_intrinsic_io_semantics(copy);
   semantics.location = *(const unsigned *)data;
   nir_intrinsic_set_io_semantics(copy, semantics);
   nir_builder_instr_insert(b, &copy->instr);
   return true;
}

static void
capture_clip_vertex(nir_shader *nir, struct pipe_stream_output_info *so)
{
   bool captured = false;
   for (unsigned i = 0; so && i < so->num_outputs; i++)
      captured |= so->output[i].register_index == VARYING_SLOT_CLIP_VERTEX;
   unsigned slot = VARYING_SLOT_VAR31;
   while (slot > VARYING_SLOT_VAR0 && nir->info.outputs_written & BITFIELD64_BIT(slot))
      slot--;
   if (!captured || nir->info.outputs_written & BITFIELD64_BIT(slot))
      return;
   NIR_PASS_V(nir, nir_shader_intrinsics_pass, copy_clip_vertex, nir_metadata_control_flow, &slot);
   for (unsigned i = 0; i < so->num_outputs; i++)
      if (so->output[i].register_index == VARYING_SLOT_CLIP_VERTEX)
         so->output[i].register_index = slot;
}

static void
lower_clip_vertex(nir_shader *nir, struct pipe_stream_output_info *so)
{
   nir_shader_gather_info(nir, nir_shader_get_entrypoint(nir));
   if ((nir->info.stage != MESA_SHADER_VERTEX && nir->info.stage != MESA_SHADER_TESS_EVAL &&
        nir->info.stage != MESA_SHADER_GEOMETRY) ||
       !(nir->info.outputs_written & VARYING_BIT_CLIP_VERTEX) ||
       (nir->info.outputs_written & (VARYING_BIT_CLIP_DIST0 | VARYING_BIT_CLIP_DIST1)))
      return;
   capture_clip_vertex(nir, so);
   /* All eight planes: which count is the clipper's state. */
   if (nir->info.stage == MESA_SHADER_GEOMETRY)
      NIR_PASS_V(nir, nir_lower_clip_gs, 0xff, false, NULL);
   else
      NIR_PASS_V(nir, nir_lower_clip_vs, 0xff, false, false, NULL);
}

/* Where there are no derivatives a lookup is of level 0.  nir_lower_tex says so of all textures but
 * rectangles, which have no other level, and IL has no lookup without a level in these stages. */
static bool
level_of_rectangle(nir_builder *b, nir_instr *instr, void *data)
{
   if (instr->type != nir_instr_type_tex)
      return false;
   nir_tex_instr *tex = nir_instr_as_tex(instr);
   if (tex->op != nir_texop_tex || tex->sampler_dim != GLSL_SAMPLER_DIM_RECT)
      return false;
   b->cursor = nir_before_instr(instr);
   nir_tex_instr_add_src(tex, nir_tex_src_lod, nir_imm_float(b, 0));
   tex->op = nir_texop_txl;
   return true;
}

/* GLSL gives the gradients of a cube's direction.  IL, like the hardware, wants those of the
 * direction with a major axis of 1: the hardware is not told the axis' length. */
static bool
shorten_cube_gradients(nir_builder *b, nir_instr *instr, void *data)
{
   if (instr->type != nir_instr_type_tex)
      return false;
   nir_tex_instr *tex = nir_instr_as_tex(instr);
   if (tex->op != nir_texop_txd || tex->sampler_dim != GLSL_SAMPLER_DIM_CUBE)
      return false;
   b->cursor = nir_before_instr(instr);
   const int coord = nir_tex_instr_src_index(tex, nir_tex_src_coord);
   nir_def *direction = nir_fabs(b, tex->src[coord].src.ssa);
   nir_def *major =
      nir_fmax(b, nir_channel(b, direction, 0),
               nir_fmax(b, nir_channel(b, direction, 1), nir_channel(b, direction, 2)));
   nir_def *scale = nir_frcp(b, major);
   for (unsigned i = 0; i < tex->num_srcs; i++)
      if (tex->src[i].src_type == nir_tex_src_ddx || tex->src[i].src_type == nir_tex_src_ddy)
         nir_src_rewrite(&tex->src[i].src, nir_fmul(b, tex->src[i].src.ssa, scale));
   return true;
}

/* Up to four dwords of a storage buffer that follow each other are one access. */
static bool
follow_each_other(unsigned align_mul, unsigned align_offset, unsigned bit_size,
                  unsigned num_components, int64_t hole_size, nir_intrinsic_instr *low,
                  nir_intrinsic_instr *high, void *data)
{
   return bit_size == 32 && num_components <= 4 && hole_size <= 0 && align_mul >= 4 &&
          align_offset % 4 == 0;
}

/* An access that begins before a buffer, by wrapping around, has nothing of what follows. */
static bool
merge_accesses(nir_shader *nir)
{
   static const nir_load_store_vectorize_options options = {
      .callback = follow_each_other,
      .modes = nir_var_mem_ssbo,
      .robust_modes = nir_var_mem_ssbo,
   };

   return nir->info.num_ssbos && nir_opt_load_store_vectorize(nir, &options);
}

void
atoll_nir_lower(struct nir_shader *nir, struct pipe_stream_output_info *so, unsigned wave)
{
   NIR_PASS_V(nir, nir_lower_uniforms_to_ubo, false, false);
   NIR_PASS_V(nir, nir_lower_returns);
   NIR_PASS_V(nir, nir_inline_functions);
   nir_remove_non_entrypoints(nir);
   NIR_PASS_V(nir, nir_lower_global_vars_to_local);
   NIR_PASS_V(nir, nir_lower_system_values);
   if (nir->info.stage == MESA_SHADER_COMPUTE)
      NIR_PASS_V(nir, nir_lower_compute_system_values, NULL);

   if (so)
      name_streamout(nir, so);
   if (!nir->info.io_lowered) {
      NIR_PASS_V(nir, nir_split_var_copies);
      NIR_PASS_V(nir, nir_lower_var_copies);
      nir_lower_io_passes(nir, false);
   }
   if (nir->info.io_lowered)
      lower_clip_vertex(nir, so);
   if (nir->info.stage == MESA_SHADER_TESS_EVAL)
      NIR_PASS_V(nir, nir_lower_tess_coord_z,
                 nir->info.tess._primitive_mode == TESS_PRIMITIVE_TRIANGLES);
   if (nir->info.stage == MESA_SHADER_TESS_CTRL || nir->info.stage == MESA_SHADER_TESS_EVAL)
      NIR_PASS_V(nir, atoll_nir_lower_points);

   NIR_PASS_V(nir, atoll_nir_lower_subgroups, wave);
   NIR_PASS_V(nir, atoll_nir_lower_image_samples);
   NIR_PASS_V(nir, atoll_nir_lower_samples_identical);
   NIR_PASS_V(nir, atoll_nir_lower_float_atomics);
   NIR_PASS_V(nir, nir_lower_is_helper_invocation);
   NIR_PASS_V(nir, nir_split_struct_vars, nir_var_function_temp);
   NIR_PASS_V(nir, nir_split_var_copies);
   NIR_PASS_V(nir, nir_lower_var_copies);
   NIR_PASS_V(
      nir, nir_lower_array_deref_of_vec, nir_var_function_temp, NULL,
      nir_lower_direct_array_deref_of_vec_load | nir_lower_indirect_array_deref_of_vec_load |
         nir_lower_direct_array_deref_of_vec_store | nir_lower_indirect_array_deref_of_vec_store);
   NIR_PASS_V(nir, nir_lower_vars_to_ssa);
   NIR_PASS_V(nir, nir_lower_frexp);
   NIR_PASS_V(nir, atoll_nir_lower_wide);
   NIR_PASS_V(nir, nir_opt_constant_folding);
   NIR_PASS_V(nir, nir_opt_idiv_const, 32);
   NIR_PASS_V(nir, atoll_nir_lower_signed_division);

   const nir_lower_tex_options tex = {
      .lower_txp = ~0u,
      .lower_txf_offset = true,
      .lower_rect_offset = false,
      .lower_invalid_implicit_lod = true,
      .lower_tg4_offsets = true,
   };
   NIR_PASS_V(nir, nir_lower_tex, &tex);
   NIR_PASS_V(nir, nir_shader_instructions_pass, shorten_cube_gradients, nir_metadata_control_flow,
              NULL);
   if (!nir_shader_supports_implicit_lod(nir))
      NIR_PASS_V(nir, nir_shader_instructions_pass, level_of_rectangle, nir_metadata_control_flow,
                 NULL);

   NIR_PASS_V(nir, nir_shader_intrinsics_pass, speculate, nir_metadata_all, NULL);
   factor_sums(nir);
   optimize(nir);

   bool again = false;
   NIR_PASS(again, nir, atoll_nir_lower_quotients);
   /* Short arrays as selects, tables of constants in memory, the rest indexed. */
   NIR_PASS(again, nir, nir_lower_indirect_derefs, nir_var_function_temp, selected_length(nir));
   NIR_PASS(again, nir, nir_shader_intrinsics_pass, store_constants, nir_metadata_control_flow,
            NULL);
   NIR_PASS(again, nir, nir_opt_large_constants, glsl_get_vec4_size_align_bytes, 64);
   NIR_PASS(again, nir, atoll_nir_lower_wide);
   NIR_PASS(again, nir, nir_lower_ubo_vec4);
   NIR_PASS(again, nir, atoll_nir_lower_blocks);
   NIR_PASS(again, nir, atoll_nir_lower_memory);
   NIR_PASS(again, nir, atoll_nir_lower_rows);
   NIR_PASS_V(nir, nir_lower_continue_constructs);
   if (again)
      optimize(nir);
   NIR_PASS_V(nir, merge_accesses);
   NIR_PASS_V(nir, atoll_nir_fold_rows);
   NIR_PASS_V(nir, nir_copy_prop);
   NIR_PASS_V(nir, nir_opt_dce);
   nir_sweep(nir);
}

void
atoll_nir_lower_late(nir_shader *nir, struct atoll_nir_values *values)
{
   bool progress;
   do {
      progress = false;
      NIR_PASS(progress, nir, nir_opt_algebraic_late);
      if (progress) {
         NIR_PASS_V(nir, nir_opt_constant_folding);
         NIR_PASS_V(nir, nir_copy_prop);
         NIR_PASS_V(nir, nir_opt_dce);
         NIR_PASS_V(nir, nir_opt_cse);
      }
   } while (progress);

   NIR_PASS_V(nir, atoll_nir_lower_wide);
   /* Inputs that are fetched need registers from the fetch on: it stands before the first reader.
    * */
   NIR_PASS_V(nir, nir_opt_move, nir_move_load_input);
   NIR_PASS_V(nir, nir_lower_undef_to_zero);
   NIR_PASS_V(nir, nir_lower_bool_to_int32);
   if (values)
      NIR_PASS_V(nir, atoll_nir_hoist_values, values);
   NIR_PASS_V(nir, nir_copy_prop);
   NIR_PASS_V(nir, nir_opt_dce);
   NIR_PASS_V(nir, nir_lower_locals_to_regs, 32);
   bool packed = false;
   NIR_PASS(packed, nir, atoll_nir_pack_arrays);
   if (packed) {
      NIR_PASS_V(nir, nir_opt_constant_folding);
      NIR_PASS_V(nir, nir_opt_cse);
   }
   NIR_PASS_V(nir, nir_remove_dead_variables, nir_var_function_temp, NULL);
   NIR_PASS_V(nir, nir_opt_dce);
   NIR_PASS_V(nir, nir_convert_from_ssa, true, false);
}
