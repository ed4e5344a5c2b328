/* SPDX-License-Identifier: MIT */
/* Each operation that the driver does for a draw against the machine code that the program would
 * have had: the device runs it, bit for bit. */
#include "../compiler_cayman/case.h"

#include "driver/draw_values.h"

/* Of r1, r2 and r3 as uniforms, a component at a time. */
static void
run(unsigned op, const uint32_t v[3][4], uint32_t want[4])
{
   for (unsigned i = 0; i < 4; i++) {
      const uint32_t uniforms[3] = { v[0][i], v[1][i], v[2][i] };
      const struct atoll_value_step steps[] = {
         { ATOLL_VALUE_LOAD, { 0 } },     { ATOLL_VALUE_LOAD, { 1 } },
         { ATOLL_VALUE_LOAD, { 2 } },     { (uint16_t)op, { 0, 1, 2 } },
         { ATOLL_VALUE_STORE, { 3, i } },
      };
      assert_true(atoll_check_values(steps, COUNT(steps), 1));
      atoll_run_values(steps, COUNT(steps), uniforms, COUNT(uniforms), want);
   }
}

#define OPS(X)                                        \
   X(FSAT, floats, "mov_sat r0, r1")                  \
   X(FADD, floats, "add r0, r1, r2")                  \
   X(FMUL, floats, "mul_ieee r0, r1, r2")             \
   X(FFMA, floats, "fma r0, r1, r2, r3")              \
   X(FMIN, floats, "min_ieee r0, r1, r2")             \
   X(FMAX, floats, "max_ieee r0, r1, r2")             \
   X(FRCP, floats, "rcp_vec_zeroop(infinity) r0, r1") \
   X(FRSQ, floats, "rsq_vec r0, r1")                  \
   X(FSQRT, floats, "sqrt_vec r0, r1")                \
   X(FFLOOR, floats, "round_neginf r0, r1")           \
   X(FFRACT, floats, "frc r0, r1")                    \
   X(FLT, floats, "lt r0, r1, r2")                    \
   X(FGE, floats, "ge r0, r1, r2")                    \
   X(FEQ, floats, "eq r0, r1, r2")                    \
   X(FNEU, floats, "ne r0, r1, r2")                   \
   X(ILT, integers, "ilt r0, r1, r2")                 \
   X(IGE, integers, "ige r0, r1, r2")                 \
   X(IEQ, integers, "ieq r0, r1, r2")                 \
   X(INE, integers, "ine r0, r1, r2")                 \
   X(ULT, integers, "ult r0, r1, r2")                 \
   X(UGE, integers, "uge r0, r1, r2")                 \
   X(SELECT, integers, "cmov_logical r0, r1, r2, r3") \
   X(IADD, integers, "iadd r0, r1, r2")               \
   X(INEG, integers, "inegate r0, r1")                \
   X(IMUL, integers, "imul r0, r1, r2")               \
   X(IAND, integers, "iand r0, r1, r2")               \
   X(IOR, integers, "ior r0, r1, r2")                 \
   X(IXOR, integers, "ixor r0, r1, r2")               \
   X(INOT, integers, "inot r0, r1")                   \
   X(ISHL, integers, "ishl r0, r1, r2")               \
   X(ISHR, integers, "ishr r0, r1, r2")               \
   X(USHR, integers, "ushr r0, r1, r2")               \
   X(IMIN, integers, "imin r0, r1, r2")               \
   X(IMAX, integers, "imax r0, r1, r2")               \
   X(UMIN, integers, "umin r0, r1, r2")               \
   X(UMAX, integers, "umax r0, r1, r2")               \
   X(I2F, integers, "itof r0, r1")

#define FORMULA(op, kind, text)                                       \
   static void formula_##op(const uint32_t v[3][4], uint32_t want[4]) \
   {                                                                  \
      run(ATOLL_VALUE_##op, v, want);                                 \
   }
OPS(FORMULA)

#define floats(op, text) { text, formula_##op, 15, 0 },
#define integers(op, text)
#define ROW(op, kind, text) kind(op, text)
static const struct kase of_floats[] = { OPS(ROW) };
#undef floats
#undef integers
#define floats(op, text)
#define integers(op, text) { text, formula_##op, 15, 0 },
static const struct kase of_integers[] = { OPS(ROW) };

static void
operations(void **state)
{
   (void)state;
   run_cases("", of_floats, COUNT(of_floats), FLOATS, FLOATS, FLOATS, 64);
   run_cases("", of_floats, COUNT(of_floats), MODERATE, MODERATE, MODERATE, 64);
   run_cases("", of_integers, COUNT(of_integers), INTEGERS, INTEGERS, INTEGERS, 64);
}

/* Signs are bits, as they are in an operand; sums of products are rounded as a dot product is. */
static void
signs(void **state)
{
   (void)state;
   static const struct atoll_value_step steps[] = {
      { ATOLL_VALUE_LOAD, { 0 } },     { ATOLL_VALUE_LOAD, { 1 } },
      { ATOLL_VALUE_FNEG, { 0 } },     { ATOLL_VALUE_FABS, { 2 } },
      { ATOLL_VALUE_STORE, { 2, 0 } }, { ATOLL_VALUE_STORE, { 3, 5 } },
      { ATOLL_VALUE_STORE, { 1, 4 } }, { ATOLL_VALUE_CONST, { 0, 0x1234, 0xabcd } },
      { ATOLL_VALUE_STORE, { 7, 7 } },
   };
   const uint32_t uniform = 0x00000001; /* a denormal */
   uint32_t out[8] = { 0 };
   assert_true(atoll_check_values(steps, COUNT(steps), 2));
   atoll_run_values(steps, COUNT(steps), &uniform, 1, out);
   assert_int_equal(out[0], 0x80000001);
   assert_int_equal(out[5], 0x00000001);
   assert_int_equal(out[4], 0); /* beyond the end of the uniforms */
   assert_int_equal(out[7], 0xabcd1234);
}

/* Uniforms that are loaded are compared, and no others; what there is no room for has changed. */
static void
loads(void **state)
{
   (void)state;
   static const struct atoll_value_step steps[] = {
      { ATOLL_VALUE_LOAD, { 2 } },
      { ATOLL_VALUE_LOAD, { 5 } },
      { ATOLL_VALUE_FADD, { 0, 1 } },
      { ATOLL_VALUE_STORE, { 2, 0 } },
   };
   uint32_t uniforms[6] = { 1, 2, 3, 4, 5, 6 }, seen[2] = { 0 };

   assert_true(atoll_loads_changed(steps, COUNT(steps), uniforms, 6, seen, 2));
   assert_false(atoll_loads_changed(steps, COUNT(steps), uniforms, 6, seen, 2));
   uniforms[0] = uniforms[4] = 9;
   assert_false(atoll_loads_changed(steps, COUNT(steps), uniforms, 6, seen, 2));
   uniforms[5] = 7;
   assert_true(atoll_loads_changed(steps, COUNT(steps), uniforms, 6, seen, 2));
   assert_false(atoll_loads_changed(steps, COUNT(steps), uniforms, 6, seen, 2));
   /* 0 beyond the end */
   assert_true(atoll_loads_changed(steps, COUNT(steps), uniforms, 5, seen, 2));
   assert_true(atoll_loads_changed(steps, COUNT(steps), uniforms, 5, seen, 1));
}

/* What a file may hold. */
static void
hostile(void **state)
{
   (void)state;
   static const struct atoll_value_step bad[][2] = {
      { { ATOLL_VALUE_LOAD, { 0 } }, { ATOLL_VALUE_FADD, { 0, 1 } } },  /* its own value */
      { { ATOLL_VALUE_LOAD, { 0 } }, { ATOLL_VALUE_STORE, { 0, 4 } } }, /* beyond a vec4 */
      { { ATOLL_VALUE_LOAD, { 0 } }, { ATOLL_VALUE_STORE, { 1, 0 } } },
      { { ATOLL_VALUE_LOAD, { 0 } }, { ATOLL_VALUE_OPS, { 0 } } },
      { { ATOLL_VALUE_FNEG, { 0 } }, { ATOLL_VALUE_LOAD, { 0 } } },
      { { ATOLL_VALUE_CONST, { 0 } }, { ATOLL_VALUE_LOAD, { 0 } } }, /* not at the start */
   };
   for (unsigned n = 0; n < COUNT(bad); n++)
      assert_false(atoll_check_values(bad[n], 2, 1));
   assert_false(atoll_check_values(bad[0], 1, ATOLL_MAX_VALUE_VEC4S + 1));
   assert_false(atoll_check_values(NULL, ATOLL_MAX_VALUE_STEPS + 1, 1));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations),
      cmocka_unit_test(signs),
      cmocka_unit_test(loads),
      cmocka_unit_test(hostile),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
