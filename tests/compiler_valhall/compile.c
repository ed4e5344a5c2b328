/* SPDX-License-Identifier: MIT */
/*
 * Random programs of all stages compile to words that keep Valhall's rules, in all ways of
 * compiling, and always to the same words.  What the compiler says no to, it says with a message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/valhall/valhall_compile.h"

#include "../direct/case.h"

#define COUNT 60u

static const enum il_shader stages[NUM_STAGES] = { IL_SHADER_VERTEX,  IL_SHADER_PIXEL,
                                                   IL_SHADER_COMPUTE, IL_SHADER_GEOMETRY,
                                                   IL_SHADER_HULL,    IL_SHADER_DOMAIN };

typedef bool compile_fn(const struct il_program *il, unsigned flags, struct shader_code *out,
                        char *error, size_t error_size);

/* Whether it compiles. */
static bool
check(compile_fn *compile, const struct il_program *p, unsigned flags, unsigned n)
{
   struct shader_code code, again;
   char error[256], problem[256];

   bool ok = compile(p, flags, &code, error, sizeof(error));
   if (!ok) {
      if (strncmp(error, "not implemented: ", 17) != 0)
         fail_msg("case %u: %s", n, error);
      assert_null(code.words);
      return false;
   }
   if (!valhall_compiler.validate(&code, problem, sizeof(problem)))
      fail_msg("case %u: %s", n, problem);
   assert_true(code.num_gprs == 32 || code.num_gprs == 64);
   assert_true(compile(p, flags, &again, error, sizeof(error)));
   assert_int_equal(code.num_dwords, again.num_dwords);
   assert_memory_equal(code.words, again.words, 4 * code.num_dwords);
   for (unsigned i = 0; i < code.num_dwords / 2; i++)
      assert_true(code.places[i] < p->ninsts);
   shader_code_finish(&code);
   shader_code_finish(&again);
   return true;
}

static void
test_random(void **state)
{
   static const unsigned flags[] = { 0, SHADER_COMPILE_NO_OPT, SHADER_COMPILE_FEW_GPRS };
   unsigned compiled = 0, count = 0;

   (void)state;
   choose_opcodes(ISA_ID_valhall, false);
   for (unsigned n = 0; n < COUNT; n++) {
      struct rng r = { n * 0xd1342543de82ef95ull + 1 };
      static struct views views;
      struct about about;
      enum il_shader stage = stages[n % NUM_STAGES];
      make_views(&views, &r);
      struct il_program *p = make_program(&r, stage, &views, &about);
      assert_non_null(p);
      compiled += check(valhall_compiler.compile, p, flags[n / NUM_STAGES % 3], n);
      count++;
      if (stage == IL_SHADER_GEOMETRY) {
         compiled += check(valhall_compiler.compile_copy, p, 0, n);
         count++;
      }
      il_program_free(p);
   }
   if (compiled * 4 < count * 3)
      fail_msg("%u of %u programs compile", compiled, count);
}

/* The form with 32 registers where they do, and a message of what is missing. */
static void
test_forms(void **state)
{
   static const char small[] = "il_vs_2_0\ndcl_output_usage(position) o0\n"
                               "dcl_input_usage(generic) v0\nmov o0, v0\nend\n";
   static const char doubles[] = "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\n"
                                 "mov r0, vTidInGrp\ndadd r0.xy, r0.xyxy, r0.xyxy\n"
                                 "uav_raw_store_id(0) mem.xy, r0.x, r0\nend\n";
   struct il_error where;
   struct shader_code code;
   char error[256];

   (void)state;
   struct il_program *p = il_parse(small, strlen(small), &where);
   assert_non_null(p);
   assert_true(valhall_compiler.compile(p, 0, &code, error, sizeof(error)));
   assert_int_equal(code.num_gprs, 32);
   assert_int_equal(code.vs.inputs, 1);
   assert_int_equal(code.vs.input_mask[0], 15);
   assert_int_equal(code.vs.pos_exports, 1);
   shader_code_finish(&code);
   assert_false(valhall_compiler.compile_copy(p, 0, &code, error, sizeof(error)));
   il_program_free(p);
   p = il_parse(doubles, strlen(doubles), &where);
   assert_non_null(p);
   assert_false(valhall_compiler.compile(p, 0, &code, error, sizeof(error)));
   assert_string_equal(error, "not implemented: this instruction: dadd r0.xy__, r0.xyxy, r0.xyxy");
   il_program_free(p);
}

/* Arrays beyond what an offset reaches leave room in front for values that are spilled. */
static void
test_arrays(void **state)
{
   static const struct {
      unsigned size, vec4s; /* elements, and what a lane has of thread storage; 0: refused */
   } cases[] = { { 100, 100 }, { 1744, 1744 }, { 1745, 2001 }, { 3840, 4096 }, { 3841, 0 } };

   (void)state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(*cases); n++) {
      struct il_error where;
      struct shader_code code;
      char text[512], error[256];

      snprintf(text, sizeof(text),
               "il_ps_2_0\ndcl_input_generic_interp(constant) v32\n"
               "dcl_indexed_temp_array x0[%u]\nmov r0, v32\n"
               "mov x0[r0.x].x___, r0.y\nmov r1, x0[r0.y].xxxx\nmov o0, r1\nend\n",
               cases[n].size);
      struct il_program *p = il_parse(text, strlen(text), &where);
      if (!p)
         fail_msg("line %u: %s", where.where, where.text);
      const bool compiled = valhall_compiler.compile(p, 0, &code, error, sizeof(error));
      assert_int_equal(compiled, cases[n].vec4s != 0);
      if (compiled) {
         assert_int_equal(code.scratch_vec4s, cases[n].vec4s);
         shader_code_finish(&code);
      } else {
         assert_memory_equal(error, "not implemented: more than 61440 bytes of indexed arrays", 55);
      }
      il_program_free(p);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_forms),
      cmocka_unit_test(test_arrays),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
