/* SPDX-License-Identifier: MIT */
/* Control flow, phis, indexed arrays, discard. */
#include "common.h"

static void
branch(void **state)
{
   nir_builder b = begin(MESA_SHADER_FRAGMENT);
   nir_def *v = ps_smooth(&b, VARYING_SLOT_VAR0, 4, INTERP_MODE_SMOOTH);
   nir_def *x = nir_channel(&b, v, 0);
   nir_push_if(&b, nir_flt_imm(&b, x, 0.5));
   nir_demote_if(&b, nir_flt_imm(&b, x, 0.25));
   nir_def *a = nir_ddx(&b, v);
   nir_push_else(&b, NULL);
   nir_def *c = nir_ddy_fine(&b, v);
   nir_pop_if(&b, NULL);
   output(&b, FRAG_RESULT_DATA0, nir_if_phi(&b, a, c));
   char *t = finish(&b, NULL);
   contains(t, "if_logicalnz r");
   contains(t, "\n   discard_logicalnz r");
   contains(t, "\n   dsx r");
   contains(t, "\nelse\n   dsy_fine r");
   contains(t, "\nendif\n");
   free(t);
}

static void
loop(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *limit = nir_f2i32(&b, vs_input(&b, 0, 1));
   nir_variable *i = nir_local_variable_create(b.impl, glsl_int_type(), "i");
   nir_variable *sum = nir_local_variable_create(b.impl, glsl_vec4_type(), "sum");
   nir_store_var(&b, i, nir_imm_int(&b, 0), 1);
   nir_store_var(&b, sum, nir_imm_vec4(&b, 0, 0, 0, 0), 15);
   nir_push_loop(&b);
   {
      nir_def *n = nir_load_var(&b, i);
      nir_break_if(&b, nir_ige(&b, n, limit));
      nir_store_var(&b, sum, nir_fadd(&b, nir_load_var(&b, sum), vs_input(&b, 1, 4)), 15);
      nir_store_var(&b, i, nir_iadd_imm(&b, n, 1), 1);
   }
   nir_pop_loop(&b, NULL);
   output(&b, VARYING_SLOT_POS, nir_load_var(&b, sum));
   char *t = finish(&b, NULL);
   contains(t, "\nwhileloop\n");
   contains(t, "\n      break\n");
   contains(t, "\nendloop\n");
   free(t);
}

static void
indexed_array(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_variable *a =
      nir_local_variable_create(b.impl, glsl_array_type(glsl_vec4_type(), 12, 0), "a");
   nir_def *index = nir_f2i32(&b, vs_input(&b, 0, 2));
   nir_store_array_var(&b, a, nir_channel(&b, index, 0), vs_input(&b, 1, 4), 15);
   nir_store_array_var(&b, a, nir_imm_int(&b, 3), vs_input(&b, 2, 4), 15);
   output(&b, VARYING_SLOT_POS, nir_load_array_var(&b, a, nir_channel(&b, index, 1)));
   char *t = finish(&b, NULL);
   contains(t, "dcl_indexed_temp_array x0[12]\n");
   contains(t, "mov x0[r");
   contains(t, "mov x0[3], r");
   contains(t, ", x0[r");
   free(t);
}

/* A component chosen at run time, of a local vector. */
static void
indexed_vector(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_variable *v = nir_local_variable_create(b.impl, glsl_vec4_type(), "v");
   nir_store_var(&b, v, vs_input(&b, 0, 4), 15);
   nir_def *index = nir_f2i32(&b, vs_input(&b, 1, 1));
   nir_deref_instr *d = nir_build_deref_array(&b, nir_build_deref_var(&b, v), index);
   nir_store_deref(&b, d, nir_imm_float(&b, 3.0), 1);
   output(&b, VARYING_SLOT_POS, nir_load_var(&b, v));
   char *t = finish(&b, NULL);
   contains(t, "cmov_logical r");
   lacks(t, "dcl_indexed_temp_array");
   free(t);
}

/* A table that is only read goes to the immediate constant buffer. */
static void
constant_table(void **state)
{
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_variable *a =
      nir_local_variable_create(b.impl, glsl_array_type(glsl_float_type(), 24, 0), "a");
   for (unsigned i = 0; i < 24; i++)
      nir_store_array_var(&b, a, nir_imm_int(&b, i), nir_imm_float(&b, i * i), 1);
   nir_def *index = nir_f2i32(&b, vs_input(&b, 0, 1));
   nir_def *x = nir_load_array_var(&b, a, index);
   output(&b, VARYING_SLOT_POS, nir_vec4(&b, x, x, x, x));
   char *t = finish(&b, NULL);
   contains(t, "dcl_cb icb[96], 0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x3F800000, ");
   contains(t, ", icb[r");
   lacks(t, "dcl_indexed_temp_array");
   free(t);
}

/* What a program with one array of `length` elements says of it, the element at a run-time index
 * written and read; the IL's text, or why there is none. */
static char *
array_of(const struct glsl_type *type, unsigned length, char error[200])
{
   static const struct atoll_nir_key none;
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_variable *a = nir_local_variable_create(b.impl, glsl_array_type(type, length, 0), "a");
   nir_def *index = nir_channel(&b, vs_input(&b, 0, 1), 0);
   const unsigned comps = glsl_get_vector_elements(type);
   nir_store_array_var(&b, a, index, vs_input(&b, 1, comps), BITFIELD_MASK(comps));
   nir_def *other = nir_iadd_imm(&b, index, 5);
   output(&b, VARYING_SLOT_POS, nir_pad_vec4(&b, nir_load_array_var(&b, a, other)));
   nir_shader_gather_info(b.shader, b.impl);
   atoll_nir_lower(b.shader, NULL, 64);
   struct il_program *p = atoll_nir_to_il(b.shader, &none, NULL, NULL, error, 200);
   ralloc_free(b.shader);
   char *text = p ? il_print(p) : NULL;
   il_program_free(p);
   return text;
}

/* Elements have a vec4 each while there is room for that, share vec4s where there is not, and are
 * refused where that does not do. */
static void
packed_arrays(void **state)
{
   static const struct {
      unsigned comps, length;
      const char *declared; /* NULL: refused */
   } cases[] = {
      { 1, 3840, "x0[3840]\n" }, { 1, 3841, "x0[961]\n" },  { 1, 15360, "x0[3840]\n" },
      { 1, 15361, NULL },        { 2, 3840, "x0[3840]\n" }, { 2, 7679, "x0[3840]\n" },
      { 2, 7681, NULL },         { 3, 5120, "x0[3840]\n" }, { 3, 5121, NULL },
      { 4, 3840, "x0[3840]\n" }, { 4, 3841, NULL },
   };
   for (unsigned n = 0; n < ARRAY_SIZE(cases); n++) {
      char error[200] = "";
      char *text = array_of(glsl_vec_type(cases[n].comps), cases[n].length, error);
      if (cases[n].declared) {
         assert_non_null(text);
         contains(text, cases[n].declared);
      } else {
         assert_null(text);
         contains(error, "and a thread has 61440");
      }
      free(text);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(branch),         cmocka_unit_test(loop),
      cmocka_unit_test(indexed_array),  cmocka_unit_test(packed_arrays),
      cmocka_unit_test(indexed_vector), cmocka_unit_test(constant_table),
   };
   glsl_type_singleton_init_or_ref();
   int failed = cmocka_run_group_tests(tests, NULL, NULL);
   glsl_type_singleton_decref();
   return failed;
}
