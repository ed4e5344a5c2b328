/* SPDX-License-Identifier: MIT */
/* No instruction reads more than two pairs of channels of constant buffers: before and after. */
#include "ir_text.h"

#define PASS cc_limit_constants
#define OUT4 OUT("%4 _ _ _")

static void
two_pairs(void **state)
{
   (void)state;
   NEGCASE("%4 = MULADD CB0[0].x, CB0[0].y, CB0[0].z;" OUT4); /* xy and zw */
   NEGCASE("%4 = MULADD CB0[0].x, CB0[1].x, %1;" OUT4);
   NEGCASE("%4 = MULADD CB0[0].x, CB0[0].x, CB1[0].x;" OUT4);
   NEGCASE("%4 = ADD CB0[0].x, CB0[5].w;" OUT4);
   NEGCASE("%4 = MULADD CB0[0].z, CB2[0].x, CB0[0].w;" OUT4);
}

static void
copies(void **state)
{
   (void)state;
   CASE("%4 = MULADD CB0[0].x, CB0[1].x, CB0[2].x @3;" OUT4,
        "%5 = MOV CB0[0].x @3; %4 = MULADD %5, CB0[1].x, CB0[2].x @3;" OUT4);
   /* another buffer is another vector; the modifiers stay */
   CASE("%4 = MULADD -CB0[0].x, CB1[0].x, CB2[0].x;" OUT4,
        "%5 = MOV CB0[0].x; %4 = MULADD -%5, CB1[0].x, CB2[0].x;" OUT4);
   /* what most instructions read is copied, once */
   CASE("%3 = ADD CB0[2].x, %1; %4 = MULADD CB0[0].x, CB0[1].x, CB0[2].x;" OUT("%3 %4 _ _"),
        "%3 = ADD CB0[2].x, %1; %5 = MOV CB0[2].x; %4 = MULADD CB0[0].x, CB0[1].x, %5;" //
        OUT("%3 %4 _ _"));
   CASE(
      "%3 = MULADD CB0[0].x, CB0[1].x, CB0[2].x; %4 = MULADD CB0[0].x, CB0[3].x, CB0[4].x;" //
      OUT("%3 %4 _ _"),
      "%5 = MOV CB0[0].x; %3 = MULADD %5, CB0[1].x, CB0[2].x; %4 = MULADD %5, CB0[3].x, CB0[4].x;" //
      OUT("%3 %4 _ _"));
   /* the lanes of an instruction are one group */
   CASE("x: %4 = DOT4_IEEE CB0[0].x, %1 | y: DOT4_IEEE CB0[1].x, %1 | z: DOT4_IEEE CB0[2].x, %1 |"
        " w: DOT4_IEEE CB0[2].y, %1 @6;" OUT4,
        "%5 = MOV CB0[0].x @6; x: %4 = DOT4_IEEE %5, %1 | y: DOT4_IEEE CB0[1].x, %1 |"
        " z: DOT4_IEEE CB0[2].x, %1 | w: DOT4_IEEE CB0[2].y, %1 @6;" OUT4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_pairs),
      cmocka_unit_test(copies),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
