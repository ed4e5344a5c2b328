/* SPDX-License-Identifier: MIT */
/* What of a program the driver works out for a draw, and what stays. */
#include "common.h"

static nir_def *
uniform(nir_builder *b, unsigned vec4, unsigned comps)
{
   return nir_load_ubo_vec4(b, comps, 32, nir_imm_int(b, 0), nir_imm_int(b, (int)vec4));
}

static unsigned
count(const struct atoll_nir_values *v, unsigned op)
{
   unsigned n = 0;
   for (unsigned i = 0; i < v->num_steps; i++)
      n += v->steps[i].op == op;
   return n;
}

/* The first multiple of what values are aligned to after the driver's own constants. */
enum { FIRST = (IL_DRV_SIZE + ATOLL_VALUES_VEC4S - 1) / ATOLL_VALUES_VEC4S * ATOLL_VALUES_VEC4S };

/* The shader's text, for contains() and lacks(). */
static struct {
   struct atoll_nir_values values;
   char *text;
} last;

static void
hoist(nir_builder *b)
{
   free(last.values.steps);
   free(last.text);
   last.text = finish_with(b, NULL, &last.values);
}

/* A product of uniforms is read, by what multiplies and what adds alike; its operands are not. */
static void
products(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *u = uniform(&b, 3, 2), *p = nir_fmul(&b, nir_channel(&b, u, 0), nir_channel(&b, u, 1));
   nir_def *in = vs_input(&b, 0, 1);
   output(&b, VARYING_SLOT_VAR0, nir_vec2(&b, nir_fmul(&b, in, p), nir_fadd(&b, in, p)));
   hoist(&b);
   assert_int_equal(last.values.first, FIRST);
   assert_int_equal(last.values.vec4s, 1);
   assert_int_equal(count(&last.values, ATOLL_VALUE_LOAD), 2);
   assert_int_equal(count(&last.values, ATOLL_VALUE_FMUL), 1);
   assert_int_equal(count(&last.values, ATOLL_VALUE_STORE), 1);
   contains(last.text, "dcl_cb cb15[97]");
   contains(last.text, "cb15[96]");
   lacks(last.text, "cb0[");
}

/* The reciprocal of a divisor of uniforms leaves in two parts; a quotient of uniforms leaves. */
static void
quotients(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *u =
      nir_load_ubo(&b, 2, 32, nir_imm_int(&b, 0), nir_imm_int(&b, 0), .align_mul = 16, .range = ~0);
   nir_def *d = nir_fadd_imm(&b, nir_channel(&b, u, 1), 1);
   output(
      &b, VARYING_SLOT_VAR0,
      nir_vec2(&b, nir_fdiv(&b, vs_input(&b, 0, 1), d), nir_fdiv(&b, nir_channel(&b, u, 0), d)));
   hoist(&b);
   assert_int_equal(count(&last.values, ATOLL_VALUE_STORE), 3);
   lacks(last.text, "rcp");
   lacks(last.text, "cmov");
   lacks(last.text, "cb0[");
}

/* Values that only others of them read are not stored; a vector lies in one vec4. */
static void
chains(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *u = uniform(&b, 0, 4);
   nir_def *scalar = nir_frcp(&b, nir_fdot4(&b, u, uniform(&b, 1, 4)));
   nir_def *vector = nir_fmin(&b, u, uniform(&b, 2, 4));
   nir_def *in = vs_input(&b, 0, 4);
   output(&b, VARYING_SLOT_VAR0, nir_fmul(&b, in, scalar));
   output(&b, VARYING_SLOT_VAR1, nir_fadd(&b, in, vector));
   hoist(&b);
   assert_int_equal(last.values.vec4s, 2);
   assert_int_equal(count(&last.values, ATOLL_VALUE_STORE), 5);
   assert_int_equal(count(&last.values, ATOLL_VALUE_FMUL), 4);
   assert_int_equal(count(&last.values, ATOLL_VALUE_FADD), 3);
   lacks(last.text, "rcp");
   lacks(last.text, "dp4");
}

/* The product of two matrices, as GLSL multiplies them: no factor leaves its sums
 * (factor_sums.c). */
static void
matrices(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *out[4], *m[8][4], *v = vs_input(&b, 0, 4);
   for (unsigned i = 0; i < 32; i++)
      m[i / 4][i % 4] = nir_channel(&b, uniform(&b, i / 4, 4), i % 4);
   for (unsigned i = 0; i < 4; i++) {
      out[i] = NULL;
      for (unsigned j = 0; j < 4; j++) {
         nir_def *sum = nir_fmul(&b, m[0][i], m[4 + j][0]);
         for (unsigned k = 1; k < 4; k++)
            sum = nir_fadd(&b, sum, nir_fmul(&b, m[k][i], m[4 + j][k]));
         sum = nir_fmul(&b, sum, nir_channel(&b, v, j));
         out[i] = out[i] ? nir_fadd(&b, out[i], sum) : sum;
      }
   }
   output(&b, VARYING_SLOT_POS, nir_vec(&b, out, 4));
   hoist(&b);
   assert_int_equal(last.values.vec4s, 4);
   assert_int_equal(count(&last.values, ATOLL_VALUE_STORE), 16);
   lacks(last.text, "cb0[");
}

/* Signs, copies, constants and uniforms themselves; a branch's own comparison; what is fetched at
 * an index, from another block, or varies. */
static void
left_alone(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *in = vs_input(&b, 0, 1), *u = uniform(&b, 0, 1);
   nir_def *block = nir_load_ubo_vec4(&b, 1, 32, nir_imm_int(&b, 1), nir_imm_int(&b, 0));
   nir_def *indexed = nir_load_ubo_vec4(&b, 1, 32, nir_imm_int(&b, 0), nir_f2i32(&b, in));
   output(&b, VARYING_SLOT_VAR0,
          nir_vec4(&b, nir_fadd(&b, nir_fneg(&b, u), in), nir_fmul(&b, block, block),
                   nir_fmul(&b, indexed, indexed), nir_fmul(&b, in, in)));
   nir_push_if(&b, nir_flt(&b, u, nir_imm_float(&b, 7)));
   nir_store_ssbo(&b, in, nir_imm_int(&b, 0), nir_imm_int(&b, 0), .write_mask = 1, .align_mul = 4);
   nir_pop_if(&b, NULL);
   hoist(&b);
   assert_int_equal(last.values.num_steps, 0);
   assert_null(last.values.steps);
   lacks(last.text, "cb15");
}

/* More than there is room for: what comes first goes. */
static void
too_many(void **state)
{
   (void)state;
   nir_builder b = begin(MESA_SHADER_VERTEX);
   nir_def *in = vs_input(&b, 0, 1), *sum = in;
   for (unsigned i = 0; i < 400; i++) {
      nir_def *u = uniform(&b, i, 2);
      sum = nir_fmin(&b, sum, nir_fmul(&b, nir_channel(&b, u, 0), nir_channel(&b, u, 1)));
   }
   output(&b, VARYING_SLOT_VAR0, sum);
   hoist(&b);
   assert_int_equal(last.values.vec4s, ATOLL_MAX_VALUE_VEC4S);
   contains(last.text, "mul_ieee");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(products), cmocka_unit_test(quotients),  cmocka_unit_test(chains),
      cmocka_unit_test(matrices), cmocka_unit_test(left_alone), cmocka_unit_test(too_many),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
