/* SPDX-License-Identifier: MIT */
/*
 * Functions of floats that Valhall's compiler composes (valhall/import_alu.c), run as machine
 * code, are within their bounds of the host's doubles; special values are what IEEE 754 and IL
 * say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/valhall/valhall_compile.h"
#include "il/il.h"
#include "machine.h"

#define COUNT 4096u

static uint32_t memory[2][COUNT + MACHINE_PADDING];

static uint32_t
bits_of(float f)
{
   uint32_t bits;
   memcpy(&bits, &f, 4);
   return bits;
}

static float
float_of(uint32_t bits)
{
   float f;
   memcpy(&f, &bits, 4);
   return f;
}

/* memory[1][n] = op memory[0][n] */
static void
run(const char *op)
{
   char text[512], error[256];
   struct il_error where;
   struct shader_code code;

   snprintf(text, sizeof(text),
            "il_cs_2_0\ndcl_num_thread_per_group 64\ndcl_raw_uav_id(0)\ndcl_raw_uav_id(1)\n"
            "dcl_literal l0, 4, 0, 0, 0\nimul r1.x, vAbsTid.x, l0.x\n"
            "uav_raw_load_id(0) r0.x, r1.x\n%s r0.x, r0.x\n"
            "uav_raw_store_id(1) mem.x, r1.x, r0.x\nend\n",
            op);
   struct il_program *p = il_parse(text, strlen(text), &where);
   if (!p)
      fail_msg("%s", where.text);
   if (!valhall_compiler.compile(p, 0, &code, error, sizeof(error)))
      fail_msg("%s", error);
   struct machine m = {
      .isa = ISA_ID_valhall,
      .words = code.words,
      .num_dwords = code.num_dwords,
      .chip = true,
      .threads = { 64, 1, 1 },
      .groups = { COUNT / 64, 1, 1 },
      .budget = 1u << 28,
   };
   m.buffer[0] = (struct machine_buffer){ memory[0], COUNT };
   m.buffer[1] = (struct machine_buffer){ memory[1], COUNT };
   if (!machine_run(&m, error, sizeof(error)))
      fail_msg("%s", error);
   shader_code_finish(&code);
   il_program_free(p);
}

/* Values spread over [low, high]. */
static void
spread(double low, double high)
{
   for (uint32_t n = 0; n < COUNT; n++)
      memory[0][n] = bits_of((float)(low + (high - low) * (n * 0x9e3779b1u) / 4294967296.0));
}

static double
unit_in_last_place(double x)
{
   int e;
   frexp(x, &e);
   return ldexp(1.0, e - 24);
}

/* Within the bound that the compiler has beside the operation. */
static void
check(const char *op, unsigned il_op, double (*f)(double), double low, double high)
{
   struct shader_bound bound;

   assert_true(valhall_compiler.bound(il_op, &bound));
   spread(low, high);
   run(op);
   for (uint32_t n = 0; n < COUNT; n++) {
      const double x = float_of(memory[0][n]), right = f(x), is = float_of(memory[1][n]);
      const double error = fabs(is - right);
      if (!(error <= bound.ulps * unit_in_last_place(right)) && !(error <= bound.absolute))
         fail_msg("%s of %.9g is %.9g, not %.9g", op, x, is, right);
   }
}

static void
test_bounds(void **state)
{
   (void)state;
   check("exp_vec", IL_OP_EXP_VEC, exp2, -120, 120);
   check("exp_vec", IL_OP_EXP_VEC, exp2, -1, 1);
   check("log_vec", IL_OP_LOG_VEC, log2, 1e-3, 0.7);
   check("log_vec", IL_OP_LOG_VEC, log2, 1.6, 1e6);
   check("log_vec", IL_OP_LOG_VEC, log2, 0.7, 1.6);
   check("sqrt_vec", IL_OP_SQRT_VEC, sqrt, 1e-6, 1e12);
   check("sin_vec", IL_OP_SIN_VEC, sin, -4, 4);
   check("cos_vec", IL_OP_COS_VEC, cos, -4, 4);
}

static void
special(const char *op, uint32_t from, uint32_t to)
{
   memory[0][0] = from;
   run(op);
   if (memory[1][0] != to)
      fail_msg("%s of %08x is %08x, not %08x", op, from, memory[1][0], to);
}

static void
test_special(void **state)
{
   (void)state;
   special("exp_vec", 0x7f800000, 0x7f800000); /* infinity */
   special("exp_vec", 0xff800000, 0);
   special("exp_vec", 0, 0x3f800000);
   special("log_vec", 0, 0xff800000);
   special("log_vec", 0x7f800000, 0x7f800000);
   special("log_vec", 0x3f800000, 0);
   special("sqrt_vec", 0, 0);
   special("sqrt_vec", 0x80000000, 0x80000000);
   special("sqrt_vec", 0x7f800000, 0x7f800000);
   special("sqrt_vec", 0x40800000, 0x40000000);
   special("sin_vec", 0, 0);
   special("cos_vec", 0, 0x3f800000);
   special("frc", 0x40200000, 0x3f000000); /* 2.5 */
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_special),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
