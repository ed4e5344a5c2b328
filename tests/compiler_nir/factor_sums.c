/* SPDX-License-Identifier: MIT */
/* Products of matrices and a vector: how many products of numbers they are, by components. */
#include "common.h"

/* `rows` components of matrices of four columns, A * B, and of those times v. */
struct shader {
   nir_builder b;
   nir_def *a[4][4], *m[4][4], *v[4];
};

static nir_def *
sum_of_products(nir_builder *b, nir_def *const x[], nir_def *const y[], unsigned count)
{
   nir_def *sum = nir_fmul(b, x[0], y[0]);

   for (unsigned n = 1; n < count; n++)
      sum = nir_fadd(b, sum, nir_fmul(b, x[n], y[n]));
   return sum;
}

static struct shader
begin_product(void)
{
   struct shader s = { .b = begin(MESA_SHADER_VERTEX) };

   for (unsigned n = 0; n < 4; n++) {
      nir_def *a = vs_input(&s.b, n, 4), *m = vs_input(&s.b, 4 + n, 4);
      for (unsigned i = 0; i < 4; i++) {
         s.a[i][n] = nir_channel(&s.b, a, i);
         s.m[n][i] = nir_channel(&s.b, m, i);
      }
   }
   nir_def *v = vs_input(&s.b, 8, 4);
   for (unsigned i = 0; i < 4; i++)
      s.v[i] = nir_channel(&s.b, v, i);
   return s;
}

static unsigned
count_products(struct shader *s, nir_def *const out[4])
{
   unsigned count = 0;

   output(&s->b, VARYING_SLOT_POS, nir_vec(&s->b, (nir_def **)out, 4));
   char *text = finish(&s->b, NULL);
   for (const char *at = text; (at = strchr(at, '\n')); at++)
      count += !strncmp(at, "\nmul_", 5) || !strncmp(at, "\nfma ", 5);
   free(text);
   return count;
}

/* (A * B) * v, of `terms` components of v and the last column as it is. */
static void
multiply(struct shader *s, nir_def *out[4], unsigned terms)
{
   for (unsigned i = 0; i < 4; i++) {
      nir_def *column[4];
      for (unsigned j = 0; j < 4; j++)
         column[j] = sum_of_products(&s->b, s->a[i], s->m[j], 4);
      out[i] = sum_of_products(&s->b, column, s->v, terms);
      if (terms < 4)
         out[i] = nir_fadd(&s->b, out[i], column[3]);
   }
}

static void
products(void **state)
{
   (void)state;
   nir_def *out[4];
   struct shader s = begin_product();
   multiply(&s, out, 4);
   assert_int_equal(count_products(&s, out), 16 + 16);
   s = begin_product();
   multiply(&s, out, 3); /* a point: its w is 1 */
   assert_int_equal(count_products(&s, out), 16 + 12);
   /* of three matrices, the second one twice */
   s = begin_product();
   for (unsigned i = 0; i < 4; i++) {
      nir_def *first[4], *column[4];
      for (unsigned j = 0; j < 4; j++)
         first[j] = sum_of_products(&s.b, s.a[i], s.m[j], 4);
      for (unsigned j = 0; j < 4; j++)
         column[j] = sum_of_products(&s.b, first, s.m[j], 4);
      out[i] = sum_of_products(&s.b, column, s.v, 4);
   }
   assert_int_equal(count_products(&s, out), 16 + 16 + 16);
}

/* What is exact, what has other readers, and what no other component shares. */
static void
left_alone(void **state)
{
   (void)state;
   nir_def *out[4];
   struct shader s = begin_product();
   s.b.exact = true;
   multiply(&s, out, 4);
   s.b.exact = false;
   assert_int_equal(count_products(&s, out), 64 + 16);
   s = begin_product();
   for (unsigned i = 0; i < 4; i++) {
      nir_def *column[4];
      for (unsigned j = 0; j < 4; j++)
         column[j] = sum_of_products(&s.b, s.a[i], s.m[j], 4);
      out[i] = nir_fmax(&s.b, sum_of_products(&s.b, column, s.v, 4),
                        sum_of_products(&s.b, column, s.a[0], 4));
   }
   assert_int_equal(count_products(&s, out), 64 + 32);
   s = begin_product();
   multiply(&s, out, 4);
   out[1] = out[2] = out[3] = out[0];
   assert_int_equal(count_products(&s, out), 16 + 4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(products),
      cmocka_unit_test(left_alone),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
