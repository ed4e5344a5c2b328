/* SPDX-License-Identifier: MIT */
/* 64-bit values: pairs of components, one instruction each. */
#include "common.h"

#include "il/conventions.h"

/* Mesa's pass that splits variables of three and four doubles forgets 16 bytes for each. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);

const char *
__lsan_default_suppressions(void)
{
   return "leak:get_var_pair\n";
}

static nir_def *
uniform_wide(nir_builder *b, unsigned n, unsigned comps)
{
   return nir_load_ubo(b, comps, 64, nir_imm_int(b, 1), nir_imm_int(b, 8 * n), .align_mul = 16,
                       .align_offset = 8 * n % 16, .range = ~0);
}

static void
arithmetic(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_def *x = uniform_wide(&b, 0, 1), *y = nir_f2f64(&b, ps_smooth(&b, VARYING_SLOT_VAR0, 1, 0));
   nir_def *sum = nir_fadd(&b, nir_fmul(&b, x, y), nir_imm_double(&b, 0.1));
   nir_def *less = nir_flt(&b, sum, y);
   nir_def *chosen = nir_bcsel(&b, less, nir_fneg(&b, sum), nir_fabs(&b, x));
   output(&b, FRAG_RESULT_DATA0,
          nir_vec4(&b, nir_f2f32(&b, chosen), nir_i2f32(&b, nir_f2i32(&b, sum)),
                   nir_b2f32(&b, nir_feq(&b, x, sum)), nir_f2f32(&b, nir_fmin(&b, x, y))));
   char *text = finish(&b, NULL);
   contains(text, "f2d ");
   contains(text, "dmad "); /* nothing is exact */
   contains(text, "dlt ");
   contains(text, "deq ");
   contains(text, "dmin ");
   contains(text, "cmov_logical ");
   contains(text, "_neg(");
   contains(text, "_abs");
   contains(text, "dtoi ");
   contains(text, "d2f ");
   contains(text, "0x9999999A"); /* halves of 0.1 */
   contains(text, "0x3FB99999");
   free(text);
}

/* Four doubles are two loads and four additions. */
static void
vectors(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_def *sum = nir_fadd(&b, uniform_wide(&b, 0, 4), uniform_wide(&b, 4, 4));
   output(&b, FRAG_RESULT_DATA0, nir_f2f32(&b, sum));
   char *text = finish(&b, NULL);
   contains(text, "cb1[0]");
   contains(text, "cb1[1]");
   contains(text, "cb1[2]");
   contains(text, "cb1[3]");
   unsigned additions = 0;
   for (const char *at = text; (at = strstr(at, "\ndadd ")); at++)
      additions++;
   assert_int_equal(additions, 4);
   free(text);
}

/* A variable that a loop changes, and one that is indexed. */
static void
variables(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_function_impl *impl = nir_shader_get_entrypoint(b.shader);
   const struct glsl_type *array = glsl_array_type(glsl_dvec_type(3), 9, 0);
   nir_variable *table = nir_local_variable_create(impl, array, "table");
   nir_variable *value = nir_local_variable_create(impl, glsl_dvec_type(4), "value");
   nir_def *index = nir_f2i32(&b, ps_smooth(&b, VARYING_SLOT_VAR0, 1, 0));
   nir_store_var(&b, value, uniform_wide(&b, 0, 4), 15);
   for (unsigned n = 0; n < 9; n++)
      nir_store_deref(&b, nir_build_deref_array_imm(&b, nir_build_deref_var(&b, table), n),
                      uniform_wide(&b, 4 * n, 3), 7);
   nir_push_loop(&b);
   nir_def *now = nir_load_var(&b, value);
   nir_break_if(&b, nir_flt(&b, nir_channel(&b, now, 3), nir_imm_double(&b, 0.5)));
   nir_def *step =
      nir_load_deref(&b, nir_build_deref_array(&b, nir_build_deref_var(&b, table), index));
   nir_store_var(&b, value, nir_fadd(&b, now, nir_pad_vector(&b, step, 4)), 7);
   nir_store_var(&b, value, nir_fmul(&b, now, nir_imm_double(&b, 0.25)), 8);
   nir_pop_loop(&b, NULL);
   output(&b, FRAG_RESULT_DATA0, nir_f2f32(&b, nir_load_var(&b, value)));
   char *text = finish(&b, NULL);
   contains(text, "whileloop");
   contains(text, "dcl_indexed_temp_array");
   contains(text, "dadd ");
   free(text);
}

/* Halves are registers of their own: nothing is computed to take a double apart. */
static void
halves(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_def *x = uniform_wide(&b, 0, 1);
   nir_def *high = nir_unpack_64_2x32_split_y(&b, nir_fadd(&b, x, nir_imm_double(&b, 1)));
   nir_def *other = nir_pack_64_2x32_split(&b, nir_imm_int(&b, 0), high);
   output(&b, FRAG_RESULT_DATA0, nir_f2f32(&b, nir_fmul(&b, other, x)));
   char *text = finish(&b, NULL);
   contains(text, "dadd ");
   contains(text, "dmul ");
   lacks(text, "shl");
   lacks(text, "ior");
   free(text);
}

static void
integers(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_def *x = uniform_wide(&b, 0, 1), *n = ps_flat(&b, 0, 1), *wide = nir_i2i64(&b, n);
   nir_def *sum = nir_iadd(&b, nir_imul(&b, x, wide), nir_ishl(&b, nir_u2u64(&b, n), n));
   nir_def *quotient = nir_idiv(&b, sum, wide), *rest = nir_umod(&b, sum, x);
   nir_def *bits = nir_ixor(&b, quotient, nir_ushr(&b, rest, n));
   output(&b, FRAG_RESULT_DATA0,
          nir_vec4(&b, nir_u2u32(&b, bits), nir_unpack_64_2x32_split_y(&b, bits),
                   nir_b2i32(&b, nir_ilt(&b, sum, x)), nir_u2u32(&b, nir_imax(&b, rest, wide))));
   char *text = finish(&b, NULL);
   contains(text, "i64mul ");
   contains(text, "i64add ");
   contains(text, "i64shl ");
   contains(text, "u64div "); /* signed division has its signs put on */
   contains(text, "u64mod ");
   contains(text, "u64shr ");
   contains(text, "i64lt ");
   contains(text, "i64max ");
   contains(text, "ixor ");
   free(text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(arithmetic), cmocka_unit_test(vectors),  cmocka_unit_test(variables),
      cmocka_unit_test(halves),     cmocka_unit_test(integers),
   };
   glsl_type_singleton_init_or_ref();
   int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
