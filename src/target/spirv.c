/* SPDX-License-Identifier: MIT */
/*
 * SPIR-V that is no SPIR-V is an error of glSpecializeShader's.
 *
 * OpenGL allows anything to happen with a module that is not valid, and Mesa makes use of it: it
 * looks at a module's entry point and constants when it is specialised, translates it when the
 * program is linked, and goes on with what the translation gave even if that is nothing.  The
 * linker sends the first look here (--wrap).  A module is refused if Khronos' validator refuses it,
 * where there is one when this is built, if Mesa cannot translate it, which is tried at once, and
 * if OpenGL has no room for what it declares.
 */
#include "main/context.h"
#include "main/spirv_capabilities.h"

#include "compiler/spirv/nir_spirv.h"
#include "compiler/spirv/spirv_info.h"
#include "util/ralloc.h"

#ifdef HAVE_SPIRV_TOOLS
/* The header defines it in every file that includes it, of which Mesa has one. */
#define kDefaultMaxIdBound atoll_spirv_max_id_bound
#include <spirv-tools/libspirv.h>
#endif

enum spirv_verify_result __real_spirv_verify_gl_specialization_constants(
   const uint32_t *words, size_t word_count, struct nir_spirv_specialization *spec,
   unsigned num_spec, gl_shader_stage stage, const char *entry_point_name);
enum spirv_verify_result __wrap_spirv_verify_gl_specialization_constants(
   const uint32_t *words, size_t word_count, struct nir_spirv_specialization *spec,
   unsigned num_spec, gl_shader_stage stage, const char *entry_point_name);

#define HEADER_WORDS 5
#define MAGIC        0x07230203u
/* SPIR-V 2.17, universal limits: no id is greater. */
#define MAX_BOUND 0x3fffff

/* What Mesa itself finds wrong with a header it cannot say without a fault. */
static bool
has_header(const uint32_t *words, size_t count)
{
   return count > HEADER_WORDS && words[0] == MAGIC && words[1] >= 0x10000 && words[3] &&
          words[3] <= MAX_BOUND && !words[4];
}

#ifdef HAVE_SPIRV_TOOLS
/* Decorations that say how memory is laid out, and what variables are: the validator's other rules
 * depend on them. */
static bool
is_of_memory(uint32_t decoration)
{
   switch (decoration) {
   case SpvDecorationSpecId:
   case SpvDecorationBlock:
   case SpvDecorationBufferBlock:
   case SpvDecorationRowMajor:
   case SpvDecorationColMajor:
   case SpvDecorationArrayStride:
   case SpvDecorationMatrixStride:
   case SpvDecorationBuiltIn:
   case SpvDecorationOffset:
      return true;
   default:
      return false;
   }
}

/* Copies a module without its other decorations, which compilers put where they do not belong and
 * nobody minds. Returns how many words are left; 0: instructions do not fill the module. */
static size_t
copy_module(uint32_t *copy, const uint32_t *words, size_t count)
{
   size_t left = HEADER_WORDS;
   memcpy(copy, words, HEADER_WORDS * sizeof(*words));
   for (size_t at = HEADER_WORDS, length; at < count; at += length) {
      const unsigned opcode = words[at] & 0xffff;
      length = words[at] >> 16;
      if (!length || length > count - at)
         return 0;
      if ((opcode == SpvOpDecorate && length > 2 && !is_of_memory(words[at + 2])) ||
          (opcode == SpvOpMemberDecorate && length > 3 && !is_of_memory(words[at + 3])))
         continue;
      memcpy(copy + left, words + at, length * sizeof(*words));
      left += length;
   }
   return left;
}

/* What programs are known to take liberties with, and Mesa not to mind, is let pass. */
static bool
is_valid(const uint32_t *words, size_t count)
{
   spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
   spv_validator_options options = spvValidatorOptionsCreate();
   uint32_t *copy = malloc(count * sizeof(*copy));
   spv_const_binary_t module = { copy, copy ? copy_module(copy, words, count) : 0 };
   bool valid = false;

   if (context && options && module.wordCount) {
      spvValidatorOptionsSetSkipBlockLayout(options, true);
      spvValidatorOptionsSetRelaxStoreStruct(options, true);
      spvValidatorOptionsSetRelaxLogicalPointer(options, true);
      spvValidatorOptionsSetBeforeHlslLegalization(options, true);
      spvValidatorOptionsSetAllowLocalSizeId(options, true);
      valid = spvValidateWithOptions(context, options, &module, NULL) == SPV_SUCCESS;
   }
   if (options)
      spvValidatorOptionsDestroy(options);
   if (context)
      spvContextDestroy(context);
   free(copy);
   return valid;
}
#else
static bool
is_valid(const uint32_t *words, size_t count)
{
   return true;
}
#endif

/* ---- What OpenGL has room for ---- */

/* Bindings of a kind of resource; UINT_MAX: it has none. */
static unsigned
max_bindings(const struct gl_constants *limits, const nir_variable *var)
{
   const struct glsl_type *type = glsl_without_array(var->type);
   switch (var->data.mode) {
   case nir_var_mem_ubo:
      return limits->MaxUniformBufferBindings;
   case nir_var_mem_ssbo:
      return limits->MaxShaderStorageBufferBindings;
   case nir_var_uniform:
   case nir_var_image:
      return glsl_type_is_image(type)         ? limits->MaxImageUnits
             : glsl_type_is_sampler(type)     ? limits->MaxCombinedTextureImageUnits
             : glsl_type_is_atomic_uint(type) ? limits->MaxAtomicBufferBindings
                                              : UINT_MAX;
   default:
      return UINT_MAX;
   }
}

static bool
has_binding(const struct gl_constants *limits, const nir_variable *var)
{
   const unsigned max = max_bindings(limits, var);
   const bool counters = glsl_type_is_atomic_uint(glsl_without_array(var->type));
   const unsigned count =
      glsl_type_is_array(var->type) && !counters ? glsl_get_aoa_size(var->type) : 1;
   return max == UINT_MAX || (var->data.binding < max && count <= max - var->data.binding);
}

/* Inputs, outputs and uniforms have locations that Mesa counts in small numbers. */
static bool
has_location(const struct gl_constants *limits, const nir_shader *nir, const nir_variable *var)
{
   const int end = var->data.mode == nir_var_uniform
                      ? (int)limits->MaxUserAssignableUniformLocations
                   : nir->info.stage == MESA_SHADER_VERTEX && var->data.mode == nir_var_shader_in
                      ? (int)VERT_ATTRIB_MAX
                   : nir->info.stage == MESA_SHADER_FRAGMENT && var->data.mode == nir_var_shader_out
                      ? (int)FRAG_RESULT_MAX
                      : (int)VARYING_SLOT_TESS_MAX;
   const struct glsl_type *type = var->type;
   if (nir_is_arrayed_io(var, nir->info.stage) && glsl_type_is_array(type))
      type = glsl_get_array_element(type);
   const unsigned slots = glsl_count_attribute_slots(type, false);
   return var->data.location < end && slots <= (unsigned)end &&
          (var->data.location < 0 || var->data.location + (int)slots <= end);
}

static bool
has_room(const struct gl_constants *limits, const nir_shader *nir)
{
   if (nir->info.stage == MESA_SHADER_COMPUTE && !nir->info.workgroup_size_variable) {
      uint64_t invocations = 1;
      for (unsigned i = 0; i < 3; i++) {
         if (!nir->info.workgroup_size[i] ||
             nir->info.workgroup_size[i] > limits->MaxComputeWorkGroupSize[i])
            return false;
         invocations *= nir->info.workgroup_size[i];
      }
      if (invocations > limits->MaxComputeWorkGroupInvocations)
         return false;
   }
   nir_foreach_variable_in_shader(var, nir)
   {
      const bool located =
         var->data.mode & (nir_var_shader_in | nir_var_shader_out | nir_var_uniform);
      if (!has_binding(limits, var) || (located && !has_location(limits, nir, var)))
         return false;
   }
   return true;
}

static bool
can_be_translated(const uint32_t *words, size_t count, struct nir_spirv_specialization *spec,
                  unsigned num_spec, gl_shader_stage stage, const char *entry_point)
{
   GET_CURRENT_CONTEXT(ctx);
   struct spirv_capabilities capabilities;
   _mesa_fill_supported_spirv_capabilities(&capabilities, &ctx->Const, &ctx->Extensions);
   /* As for a program that is linked. */
   const struct spirv_to_nir_options options = {
      .environment = NIR_SPIRV_OPENGL,
      .capabilities = &capabilities,
      .subgroup_size = SUBGROUP_SIZE_UNIFORM,
      .ubo_addr_format = nir_address_format_32bit_index_offset,
      .ssbo_addr_format = nir_address_format_32bit_index_offset,
      .shared_addr_format = nir_address_format_32bit_offset,
   };
   nir_shader *nir = spirv_to_nir(words, count, spec, num_spec, stage, entry_point, &options,
                                  ctx->Const.ShaderCompilerOptions[stage].NirOptions);
   const bool good = nir && has_room(&ctx->Const, nir);
   ralloc_free(nir);
   return good;
}

enum spirv_verify_result
__wrap_spirv_verify_gl_specialization_constants(const uint32_t *words, size_t word_count,
                                                struct nir_spirv_specialization *spec,
                                                unsigned num_spec, gl_shader_stage stage,
                                                const char *entry_point_name)
{
   if (!has_header(words, word_count) || !is_valid(words, word_count))
      return SPIRV_VERIFY_PARSER_ERROR;
   enum spirv_verify_result result = __real_spirv_verify_gl_specialization_constants(
      words, word_count, spec, num_spec, stage, entry_point_name);
   if (result == SPIRV_VERIFY_OK &&
       !can_be_translated(words, word_count, spec, num_spec, stage, entry_point_name))
      return SPIRV_VERIFY_PARSER_ERROR;
   return result;
}
