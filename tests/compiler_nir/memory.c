/* SPDX-License-Identifier: MIT */
/* Compute shaders, storage buffers, images, shared memory, barriers. */
#include "common.h"

static nir_builder
group(unsigned x, unsigned shared)
{
   nir_builder b = begin(MESA_SHADER_COMPUTE);
   b.shader->info.workgroup_size[0] = x;
   b.shader->info.workgroup_size[1] = b.shader->info.workgroup_size[2] = 1;
   b.shader->info.shared_size = shared;
   return b;
}

static nir_def *
number(nir_builder *b, unsigned n)
{
   return nir_imm_int(b, n);
}

static void
store(nir_builder *b, nir_def *value, nir_def *block, nir_def *offset, unsigned mask)
{
   nir_store_ssbo(b, value, block, offset, .write_mask = mask, .align_mul = 4);
}

/* The two buffers that are used are UAVs 0 and 1, whatever their numbers. */
static void
buffers(void **state)
{
   nir_builder b = group(64, 0);
   b.shader->info.num_ssbos = 6;
   nir_def *id = nir_load_local_invocation_id(&b);
   nir_def *at = nir_ishl_imm(&b, nir_channel(&b, id, 0), 4);
   nir_def *v = nir_load_ssbo(&b, 4, 32, number(&b, 2), at, .align_mul = 4);
   store(&b, nir_iadd(&b, v, nir_get_ssbo_size(&b, number(&b, 2))), number(&b, 5), at, 5);
   char *t = finish(&b, NULL);
   contains(t, "il_cs_2_0\n");
   contains(t, "dcl_num_thread_per_group 64, 1, 1\n");
   contains(t, "dcl_raw_uav_id(0)\n");
   contains(t, "dcl_raw_uav_id(1)\n");
   lacks(t, "dcl_raw_uav_id(2)\n");
   contains(t, ", vTidInGrp\n");
   contains(t, "uav_raw_load_id(0) r");
   contains(t, "uav_raw_store_id(1) mem.x_z_, r");
   contains(t, ", cb15[48].x\n");
   free(t);
}

/* An operation without a result that is read returns none. */
static void
operations(void **state)
{
   nir_builder b = group(1, 0);
   b.shader->info.num_ssbos = 1;
   nir_def *zero = number(&b, 0), *seven = number(&b, 7);
   nir_ssbo_atomic(&b, 32, zero, zero, seven, .atomic_op = nir_atomic_op_umax);
   nir_ssbo_atomic(&b, 32, zero, zero, seven, .atomic_op = nir_atomic_op_xchg);
   nir_def *old = nir_ssbo_atomic(&b, 32, zero, zero, seven, .atomic_op = nir_atomic_op_iadd);
   old = nir_ssbo_atomic_swap(&b, 32, zero, old, number(&b, 5), seven,
                              .atomic_op = nir_atomic_op_cmpxchg);
   store(&b, old, zero, number(&b, 4), 1);
   char *t = finish(&b, NULL);
   contains(t, "\nuav_umax_id(0) l");
   contains(t, "uav_read_xchg_id(0) r");
   contains(t, "uav_read_add_id(0) r");
   contains(t, "uav_read_cmp_xchg_id(0) r");
   contains(t, "mem.x___, l");
   free(t);
}

/* A shader that counts in buffers 0 and 2. */
static char *
counting(const struct atoll_nir_key *key)
{
   nir_builder b = group(1, 0);
   b.shader->info.num_ssbos = 1;
   b.shader->info.num_abos = 2;
   nir_def *zero = number(&b, 0);
   nir_def *old = nir_atomic_counter_inc(&b, 32, number(&b, 8), .base = 0);
   nir_atomic_counter_add(&b, 32, number(&b, 12), old, .base = 2);
   nir_def *less = nir_atomic_counter_pre_dec(&b, 32, number(&b, 4), .base = 2);
   store(&b, less, zero, zero, 1);
   return finish(&b, key);
}

/* Counters lie in global data, 4096 bytes a buffer; up to the last one that may be touched. */
static void
counters(void **state)
{
   char *t = counting(NULL);
   contains(t, "dcl_gds_id(0) 8208\n");
   contains(t, "gds_read_add_id(0) r");
   contains(t, "\ngds_add_id(0) l");
   contains(t, "gds_read_sub_id(0) r");
   contains(t, "\niadd r");
   free(t);
}

/* Or in their buffers, which come after the storage buffers. */
static void
counters_in_memory(void **state)
{
   const struct atoll_nir_key key = { .counters_in_memory = true };
   char *t = counting(&key);
   lacks(t, "gds");
   contains(t, "dcl_raw_uav_id(2)\n");
   lacks(t, "dcl_raw_uav_id(3)");
   contains(t, "uav_read_add_id(1) r");
   contains(t, "\nuav_add_id(2) l");
   contains(t, "uav_read_add_id(2) r");
   contains(t, "\niadd r");
   free(t);
}

static void
shared(void **state)
{
   nir_builder b = group(256, 1030);
   b.shader->info.num_ssbos = 1;
   nir_def *flat = nir_channel(&b, nir_load_local_invocation_id(&b), 0);
   nir_def *at = nir_ishl_imm(&b, flat, 2);
   nir_store_shared(&b, flat, at, .base = 8, .write_mask = 1, .align_mul = 4);
   nir_barrier(&b, SCOPE_WORKGROUP, SCOPE_WORKGROUP, NIR_MEMORY_ACQ_REL, nir_var_mem_shared);
   nir_def *v = nir_load_shared(&b, 2, 32, nir_isub_imm(&b, 1020, at), .align_mul = 4);
   nir_shared_atomic(&b, 32, number(&b, 4), flat, .atomic_op = nir_atomic_op_iadd);
   nir_barrier(&b, SCOPE_NONE, SCOPE_DEVICE, NIR_MEMORY_ACQ_REL, nir_var_mem_ssbo);
   store(&b, v, number(&b, 0), at, 3);
   store(&b, nir_channel(&b, nir_load_num_workgroups(&b), 1), number(&b, 0), number(&b, 0), 1);
   char *t = finish(&b, NULL);
   contains(t, "dcl_lds_id(0) 1032\n");
   contains(t, "lds_store_vec_id(0) mem.x___, r");
   contains(t, "fence_threads_lds\n");
   contains(t, "lds_load_vec_id(0) r");
   contains(t, "\nlds_add_id(0) l");
   contains(t, "fence_memory\n");
   contains(t, "dcl_cb cb15[84]\n");
   contains(t, ", cb15[10]");
   free(t);
}

/* A vertex shader has no memory to order, and IL no fence for it. */
static void
vertex_barrier(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_barrier(&b, SCOPE_NONE, SCOPE_DEVICE, NIR_MEMORY_ACQ_REL, nir_var_mem_ssbo | nir_var_image);
   output(&b, VARYING_SLOT_POS, vs_input(&b, 0, 4));
   char *t = finish(&b, NULL);
   lacks(t, "fence");
   free(t);
}

/* Buffers come first, then images. */
static void
images(void **state)
{
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   b.shader->info.num_ssbos = 1;
   b.shader->info.num_images = 2;
   nir_def *zero = number(&b, 0), *at = nir_f2i32(&b, nir_load_frag_coord(&b));
   nir_def *v = nir_image_load(&b, 4, 32, zero, at, zero, zero, .image_dim = GLSL_SAMPLER_DIM_1D,
                               .image_array = true, .dest_type = nir_type_float32);
   nir_image_store(&b, number(&b, 1), at, zero, v, zero, .image_dim = GLSL_SAMPLER_DIM_CUBE,
                   .src_type = nir_type_float32);
   nir_image_atomic(&b, 32, zero, at, zero, number(&b, 3), .image_dim = GLSL_SAMPLER_DIM_1D,
                    .image_array = true, .atomic_op = nir_atomic_op_ixor);
   nir_def *size =
      nir_image_size(&b, 2, 32, zero, zero, .image_dim = GLSL_SAMPLER_DIM_1D, .image_array = true);
   store(&b, size, zero, zero, 3);
   output(&b, FRAG_RESULT_DATA0, v);
   char *t = finish(&b, NULL);
   contains(t, "dcl_raw_uav_id(0)\n");
   contains(t, "dcl_uav_id(1)_type(1darray)");
   contains(t, "dcl_uav_id(2)_type(2darray)");
   contains(t, "uav_load_id(1) r");
   contains(t, "uav_store_id(2) r");
   contains(t, "uav_xor_id(1) r");
   contains(t, ", cb15[48].w\n"); /* dwords 3 and 5 */
   contains(t, ", cb15[49].y\n");
   free(t);
}

/* With samples an image is a buffer of them, of which the constants say the extent. */
static void
images_of_samples(void **state)
{
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   b.shader->info.num_ssbos = b.shader->info.num_images = 1;
   nir_def *zero = number(&b, 0), *at = nir_f2i32(&b, nir_load_frag_coord(&b));
   nir_def *v = nir_image_load(&b, 4, 32, zero, at, nir_channel(&b, at, 3), zero,
                               .image_dim = GLSL_SAMPLER_DIM_MS, .image_array = true,
                               .dest_type = nir_type_float32);
   nir_image_store(&b, zero, at, nir_channel(&b, at, 2), v, zero, .image_dim = GLSL_SAMPLER_DIM_MS,
                   .image_array = true, .src_type = nir_type_float32);
   nir_def *size =
      nir_image_size(&b, 3, 32, zero, zero, .image_dim = GLSL_SAMPLER_DIM_MS, .image_array = true);
   store(&b, size, zero, zero, 7);
   store(&b, nir_image_samples(&b, 32, zero, .image_dim = GLSL_SAMPLER_DIM_MS), zero,
         number(&b, 12), 1);
   output(&b, FRAG_RESULT_DATA0, v);
   char *t = finish(&b, NULL);
   contains(t, "dcl_uav_id(1)_type(buffer)");
   contains(t, "uav_load_id(1) r");
   contains(t, "uav_store_id(1) r");
   contains(t, ", cb15[48].w\n"); /* width and samples; height and row; layers */
   contains(t, ", cb15[49].x\n");
   contains(t, ", cb15[49].y\n");
   contains(t, "ult r");
   lacks(t, "2darray");
   free(t);
}

/* A number known at run time: a branch for each buffer after the first that it may be. */
static void
indexed(void **state)
{
   nir_builder b = group(1, 0);
   b.shader->info.num_ssbos = 4;
   nir_def *i = nir_channel(&b, nir_load_workgroup_id(&b), 0);
   nir_def *v = nir_load_ssbo(&b, 1, 32, nir_iadd_imm(&b, i, 2), number(&b, 0), .align_mul = 4);
   store(&b, v, number(&b, 0), number(&b, 0), 1);
   char *t = finish(&b, NULL);
   contains(t, ", vThreadGrpId");
   contains(t, "uav_raw_load_id(1) r");
   contains(t, "uav_raw_load_id(2) r");
   contains(t, "uav_raw_store_id(0) mem");
   contains(t, "if_logicalnz r");
   lacks(t, "dcl_raw_uav_id(3)");
   free(t);
}

static void
too_many(void **state)
{
   static const struct atoll_nir_key key;
   char error[100];
   nir_builder b = group(1, 0);
   nir_def *zero = number(&b, 0);
   b.shader->info.num_ssbos = 32;
   b.shader->info.num_images = 17;
   for (unsigned n = 0; n < 32; n++)
      store(&b, number(&b, n), number(&b, n), zero, 1);
   for (unsigned n = 0; n < 17; n++)
      nir_image_store(&b, number(&b, n), nir_imm_ivec4(&b, 0, 0, 0, 0), zero,
                      nir_imm_vec4(&b, 0, 0, 0, 1), zero, .image_dim = GLSL_SAMPLER_DIM_2D,
                      .src_type = nir_type_float32);
   atoll_nir_lower(b.shader, NULL, 64);
   assert_null(atoll_nir_to_il(b.shader, &key, NULL, NULL, error, sizeof(error)));
   assert_string_equal(error, "49 buffers and images that may be written, and there are 48");
   ralloc_free(b.shader);
}

/* A pixel that covers nothing. */
static void
helper_invocation(void **state)
{
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_def *helper = nir_load_helper_invocation(&b, 1);
   output(&b, FRAG_RESULT_DATA0, nir_b2f32(&b, helper));
   char *t = finish(&b, NULL);
   contains(t, ", vCoverageMask.x, l");
   contains(t, "\nieq r");
   free(t);
}

/* What was demoted helps from then on, also where nobody knew at the start. */
static void
demoted(void **state)
{
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_def *x = ps_smooth(&b, VARYING_SLOT_VAR0, 1, INTERP_MODE_SMOOTH);
   b.shader->info.fs.uses_discard = true;
   nir_demote_if(&b, nir_flt_imm(&b, x, 0));
   output(&b, FRAG_RESULT_DATA0, nir_b2f32(&b, nir_is_helper_invocation(&b, 1)));
   char *t = finish(&b, NULL);
   contains(t, "discard_logicalnz ");
   contains(t, ", vCoverageMask.x, l");
   contains(t, "\nior r");
   free(t);
}

/* Each dispatch chooses the size of its groups: a program is made for one. */
static void
groups_of_any_size(void **state)
{
   const struct atoll_nir_key key = { .block = { 8, 4, 2 } };
   nir_builder b = begin(MESA_SHADER_COMPUTE);
   b.shader->info.workgroup_size_variable = true;
   b.shader->info.num_ssbos = 1;
   nir_def *size = nir_load_workgroup_size(&b);
   store(&b, number(&b, 0), number(&b, 0),
         nir_imul(&b, nir_channel(&b, size, 0), nir_channel(&b, size, 2)), 1);
   char *t = finish(&b, &key);
   contains(t, "dcl_num_thread_per_group 8, 4, 2\n");
   contains(t, "0x00000010");
   free(t);
}

/* A vertex shader's memory, and an image with a number that IL's own declaration has no room
 * for. */
static void
high_numbers(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *zero = number(&b, 0);
   b.shader->info.num_ssbos = 16;
   b.shader->info.num_images = 1;
   for (unsigned n = 0; n < 16; n++)
      store(&b, number(&b, n), number(&b, n), zero, 1);
   nir_image_store(&b, zero, nir_imm_ivec4(&b, 0, 0, 0, 0), zero, nir_imm_vec4(&b, 0, 0, 0, 1),
                   zero, .image_dim = GLSL_SAMPLER_DIM_2D, .src_type = nir_type_float32);
   output(&b, VARYING_SLOT_POS, vs_input(&b, 0, 4));
   char *t = finish(&b, NULL);
   contains(t, "dcl_x_version 1\n");
   contains(t, "dcl_raw_uav_id(15)\n");
   contains(t, "dcl_x_uav_id(16)_type(2d)\n");
   contains(t, "uav_store_id(16) ");
   free(t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(buffers),
      cmocka_unit_test(operations),
      cmocka_unit_test(counters),
      cmocka_unit_test(counters_in_memory),
      cmocka_unit_test(shared),
      cmocka_unit_test(images),
      cmocka_unit_test(images_of_samples),
      cmocka_unit_test(indexed),
      cmocka_unit_test(too_many),
      cmocka_unit_test(helper_invocation),
      cmocka_unit_test(demoted),
      cmocka_unit_test(groups_of_any_size),
      cmocka_unit_test(vertex_barrier),
      cmocka_unit_test(high_numbers),
   };
   glsl_type_singleton_init_or_ref();
   int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
