/* SPDX-License-Identifier: MIT */
/* Subroutines, macros, counted loops, addresses and matrices: what the lowering pass expands; and
 * inputs and outputs at run-time indices, which become arrays. */
#include "case.h"

/* --- subroutines --- */

static void
f_sum(const uint32_t v[3][4], uint32_t want[4])
{
   for (unsigned i = 0; i < 4; i++)
      want[i] = v[0][i] + 3 * v[1][i];
}

/* Leaves by a conditional return. */
static void
f_early(const uint32_t v[3][4], uint32_t want[4])
{
   for (unsigned i = 0; i < 4; i++)
      want[i] = v[0][0] & 1 ? v[1][i] : v[0][1] & 1 ? v[2][i] : v[1][i] + v[2][i];
}

/* Out of a loop inside a switch inside a loop. */
static void
f_deep(const uint32_t v[3][4], uint32_t want[4])
{
   uint32_t sum = 0;
   for (uint32_t n = 0; n < 7; n++) {
      bool left = false;
      switch ((v[0][0] + n) & 3) {
      case 1:
         sum += 10;
         for (uint32_t k = 0; k < 3 && !left; k++) {
            sum += 1;
            left = (v[0][1] & 3) == k;
         }
         break;
      case 2:
         sum += 100;
         break;
      }
      if (left)
         break;
      sum += 1000;
   }
   ALL_OF(want, sum)
}

static void
f_recursion(const uint32_t v[3][4], uint32_t want[4])
{
   uint32_t n = v[0][0] & 7, sum = 0;
   for (uint32_t i = n;; i--) {
      sum += i;
      if (i == 0)
         break;
   }
   ALL_OF(want, sum)
}

/* The 33rd call on top of each other is skipped. */
static void
f_endless(const uint32_t v[3][4], uint32_t want[4])
{
   (void)v;
   ALL_OF(want, 32)
}

static void
f_main(const uint32_t v[3][4], uint32_t want[4])
{
   for (unsigned i = 0; i < 4; i++)
      want[i] = v[0][0] & 1 ? v[1][i] : v[2][i];
}

static void
subroutines(void **state)
{
   static const struct kase cases[] = {
      { "mov r4, r2\ncall 1\ncall 1\ncall 2\n"
        "endmain\nfunc 1\niadd r0, r0, r4\nret\nendfunc\n"
        "func 2\ncall 1\nret\nendfunc",
        f_sum, 15, 0 },
      { "dcl_literal l0, 1, 1, 1, 1\niand r5, r1, l0\ncall 7\n"
        "endmain\nfunc 7\nmov r0, r2\nret_logicalnz r5.x\nmov r0, r3\n"
        "if_logicalnz r5.y\nret_dyn\nendif\niadd r0, r0, r2\nret\nendfunc",
        f_early, 15, 0 },
      { "dcl_literal l0, 0, 1, 3, 7\ndcl_literal l1, 10, 100, 1000, 0\nmov r0, l0.x\ncall 3\n"
        "endmain\nfunc 3\nmov r4, l0.x\niand r8.x, r1.y, l0.z\nwhileloop\nige r5.x, r4.x, l0.w\n"
        "break_logicalnz r5.x\niadd r6.x, r1.x, r4.x\niand r6.x, r6.x, l0.z\n"
        "iadd r4.x, r4.x, l0.y\nswitch r6.x\ncase 1\niadd r0, r0, l1.x\nmov r7.x, l0.x\n"
        "whileloop\nige r5.x, r7.x, l0.z\nbreak_logicalnz r5.x\niadd r0, r0, l0.y\n"
        "ieq r5.x, r7.x, r8.x\nret_logicalnz r5.x\niadd r7.x, r7.x, l0.y\nendloop\nbreak\n"
        "case 2\niadd r0, r0, l1.y\nbreak\nendswitch\niadd r0, r0, l1.z\nendloop\nret\nendfunc",
        f_deep, 15, 0 },
      { "dcl_literal l0, 0, 7, -1, 0\niand r4.x, r1.x, l0.y\nmov r0, l0.x\ncall 1\n"
        "endmain\nfunc 1\niadd r0, r0, r4.x\nif_logicalnz r4.x\niadd r4.x, r4.x, l0.z\ncall 1\n"
        "endif\nret\nendfunc",
        f_recursion, 15, 0 },
      { "dcl_literal l0, 0, 1, 0, 0\nmov r0, l0.x\ncall 1\n"
        "endmain\nfunc 1\niadd r0, r0, l0.y\ncall 1\nret\nendfunc",
        f_endless, 15, 0 },
      { "dcl_literal l0, 1, 1, 1, 1\niand r5, r1, l0\nmov r0, r2\ncall_logicalz r5.x, 4\n"
        "endmain\nfunc 4\nmov r0, r3\nret\nendfunc",
        f_main, 15, 0 },
   };
   (void)state;
   run_cases("", cases, COUNT(cases), INTEGERS, INTEGERS, INTEGERS, 2);
}

/* --- macros --- */

static void
f_macro(const uint32_t v[3][4], uint32_t want[4])
{
   for (unsigned i = 0; i < 4; i++)
      want[i] = (v[0][i] ^ v[1][i]) + 5 + 5;
}

static void
macros(void **state)
{
   static const char definitions[] =
      "mdef(1)_out(1)_in(1)\ndcl_literal l0, 5, 5, 5, 5\nmov r0, in0\niadd out0, r0, l0\nmend\n"
      "mdef(2)_out(1)_in(2)\nixor r0, in0, in1\nmcall(1) (r1), (r0)\nmcall(1) (out0), (r1)\nmend\n";
   static const struct kase cases[] = {
      { "dcl_literal l0, 77, 0, 0, 0\nmcall(2) (r0), (r1, r2)", f_macro, 15, 0 },
   };
   (void)state;
   run_cases(definitions, cases, COUNT(cases), INTEGERS, INTEGERS, INTEGERS, 2);
}

/* --- shader model 3 --- */

static void
f_counted(const uint32_t v[3][4], uint32_t want[4])
{
   uint32_t sum = v[0][0];
   for (uint32_t n = 0, al = 2; n < 5; n++, al += 3) {
      if ((v[0][0] + n) & 1)
         continue;
      sum += case_constants[0][al & 15][1];
   }
   ALL_OF(want, sum)
}

static void
f_address(const uint32_t v[3][4], uint32_t want[4])
{
   float x = in(v[0][0]);
   int at = 8 + (int)floorf(x) + 1;
   ALL_OF(want, case_constants[0][at & 15][2])
}

static void
f_defined(const uint32_t v[3][4], uint32_t want[4])
{
   ALL_OF(want, out(add(in(v[0][0]), 2.5f)))
}

static void
f_static_branch(const uint32_t v[3][4], uint32_t want[4])
{
   for (unsigned i = 0; i < 4; i++)
      want[i] = v[1][i];
}

static void
old_constants(void **state)
{
   static const struct kase counted[] = {
      { "dcl_literal l0, 0, 1, 0, 0\nmov r0, r1.x\nmov r4.x, l0.x\nloop i0\n"
        "iadd r5.x, r1.x, r4.x\niand r5.x, r5.x, l0.y\niadd r4.x, r4.x, l0.y\n"
        "continue_logicalnz r5.x\niadd r0, r0, c[aL+0].y\nendloop",
        f_counted, 15, 0 },
      { "ifnz b5\nmov r0, r2\nelse\nmov r0, r3\nendif", f_static_branch, 15, 0 },
      { "defb b2, 0\nifnz b2\nmov r0, r3\nelse\nmov r0, r2\nendif", f_static_branch, 15, 0 },
   };
   static const struct kase addressed[] = {
      { "mova a0.x, r1.x\nmov r0, c[a0.x+9].z", f_address, 15, 0 },
      { "def c3, 2.5, 2.5, 2.5, 2.5\nadd r0, r1.x, c3", f_defined, 15, 0 },
   };
   (void)state;
   for (unsigned i = 0; i < 16; i++)
      for (unsigned c = 0; c < 4; c++)
         case_constants[0][i][c] = 1000 * i + c;
   case_constants[1][0][0] = 5; /* rounds, first, step */
   case_constants[1][0][1] = 2;
   case_constants[1][0][2] = 3;
   case_constants[2][1][1] = 1; /* b5 */
   run_cases("", counted, COUNT(counted), INTEGERS, INTEGERS, INTEGERS, 2);
   run_cases("", addressed, COUNT(addressed), MODERATE, MODERATE, MODERATE, 2);
}

static float
dot4(const float *a, const float *b)
{
   return (float)((double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2] +
                  (double)a[3] * b[3]);
}

static void
rows_of(const uint32_t v[3][4], float m[4][4])
{
   for (unsigned i = 0; i < 4; i++)
      for (unsigned k = 0; k < 4; k++)
         m[i][k] = i < 3 ? in(v[i][k]) : in(v[0][3 - k]);
}

static void
f_mmul(const uint32_t v[3][4], uint32_t want[4])
{
   float m[4][4];
   rows_of(v, m);
   for (unsigned i = 0; i < 4; i++)
      want[i] = bits_of(dot4(m[0], m[i]));
}

static void
f_transpose(const uint32_t v[3][4], uint32_t want[4])
{
   for (unsigned i = 0; i < 4; i++)
      want[i] = i < 3 ? v[i][2] : v[0][1];
}

static void
f_det(const uint32_t v[3][4], uint32_t want[4])
{
   float m[4][4];
   double sum = 0;
   rows_of(v, m);
   for (unsigned p = 0; p < 256; p++) {
      unsigned at[4] = { p & 3, p >> 2 & 3, p >> 4 & 3, p >> 6 & 3 }, inversions = 0;
      bool once = true;
      for (unsigned i = 0; i < 4; i++) {
         for (unsigned k = i + 1; k < 4; k++) {
            once &= at[i] != at[k];
            inversions += at[i] > at[k];
         }
      }
      if (once) {
         double product = (double)m[0][at[0]] * m[1][at[1]] * m[2][at[2]] * m[3][at[3]];
         sum += inversions & 1 ? -product : product;
      }
   }
   ALL_OF(want, bits_of((float)sum))
}

static void
matrices(void **state)
{
   static const struct kase cases[] = {
      { "mov r4, r1.wzyx\nmmul_matrix(4x4) r0, r1, r1", f_mmul, 15, 1e-5f },
      { "mov r4, r1.wzyx\ntranspose_matrix(4x4) r5, r1\nmov r0, r7", f_transpose, 15, 0 },
      { "mov r4, r1.wzyx\ndet_matrix(4x4) r0, r1", f_det, 15, 1e-3f },
   };
   (void)state;
   run_cases("", cases, COUNT(cases), MODERATE, MODERATE, MODERATE, 4);
}

/* --- interfaces --- */

/* Instances 4 and 6 are of table 1, 5 of table 0, 7 of one that the pointer does not name. */
static void
f_interface(const uint32_t v[3][4], uint32_t want[4])
{
   unsigned instance = v[0][0] & 3;
   for (unsigned i = 0; i < 4; i++) {
      uint32_t first = instance == 1  ? v[0][i] + v[1][i]
                       : instance < 3 ? v[0][i] ^ v[1][i]
                                      : v[0][i];
      want[i] = first + v[2][i]; /* pointer 0, entry 1 of table 0 */
   }
}

static void
interfaces(void **state)
{
   static const struct kase cases[] = {
      { "dcl_literal l0, 3, 0, 0, 0\n"
        "dcl_function_body 0\ndcl_function_body 1\ndcl_function_body 2\n"
        "dcl_function_table_id(0) = {0, 2}\ndcl_function_table_id(1) = {1}\n"
        "dcl_interface_ptr_id(0)_dynamic(0)[1][2] = {0}\n"
        "dcl_interface_ptr_id(4)_dynamic(1)[4][1] = {0, 1}\n"
        "iand r4.x, r1.x, l0.x\nfcall_id(4) r4.x, 0\nfcall_id(0) l0.y, 1\n"
        "endmain\nfunc 0\niadd r0, r1, r2\nret\nendfunc\nfunc 1\nixor r0, r1, r2\nret\nendfunc\n"
        "func 2\niadd r0, r0, r3\nret\nendfunc",
        f_interface, 15, 0 },
   };
   (void)state;
   const uint32_t tables[4] = { 1, 0, 1, 9 };
   memcpy(case_driver[IL_DRV_INTERFACES + 1], tables, sizeof(tables));
   run_cases("", cases, COUNT(cases), INTEGERS, INTEGERS, INTEGERS, 2);
}

/* --- indexed inputs and outputs --- */

static void
f_input(const uint32_t v[3][4], uint32_t want[4])
{
   for (unsigned i = 0; i < 4; i++)
      want[i] = v[v[0][0] & 1][i] ^ v[1 + (v[0][1] & 1)][3 - i];
}

static void
f_output(const uint32_t v[3][4], uint32_t want[4])
{
   for (unsigned i = 0; i < 4; i++)
      want[i] = v[0][0] & 1 ? v[2][i] : i < 2 ? v[1][i] : v[2][i];
}

static void
indexed(void **state)
{
   static const struct kase cases[] = {
      { "dcl_literal l0, 1, 1, 1, 1\niand r4, r1, l0\nixor r0, v[r4.x+0], v[r4.y+1].wzyx", f_input,
        15, 0 },
      /* o16 is the first parameter */
      { "dcl_output_generic o16\ndcl_output_generic o17\ndcl_literal l0, 1, 1, 1, 1\n"
        "iand r4, r1, l0\nmov o16, r3\nmov o17, r3\nmov o[r4.x+16].xy__, r2",
        f_output, 15, 0 },
   };
   (void)state;
   run_cases("", cases, COUNT(cases), INTEGERS, INTEGERS, INTEGERS, 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(subroutines), cmocka_unit_test(macros),  cmocka_unit_test(old_constants),
      cmocka_unit_test(matrices),    cmocka_unit_test(indexed), cmocka_unit_test(interfaces),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
