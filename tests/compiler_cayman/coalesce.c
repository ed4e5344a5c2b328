/* SPDX-License-Identifier: MIT */
/* Copies from and to variables: a program before and after. */
#include "ir_text.h"

#define PASS cc_coalesce

/* Rule 1: what reads a copy of a variable reads the variable. */
static void
copies_of_variables(void **state)
{
   (void)state;
   CASE("%3 = MOV $1; %4 = ADD %3, %2;" OUT("%4 $1 _ _"),
        "%3 = MOV $1; %4 = ADD $1, %2;" OUT("%4 $1 _ _"));
   CASE("%3 = MOV -$1; %4 = ADD -%3, |%3|;" OUT("%4 $1 _ _"),
        "%3 = MOV -$1; %4 = ADD $1, |$1|;" OUT("%4 $1 _ _"));
   CASE("%3 = MOV $1; PRED_SETGT %3, 0.0 {effect}; if; endif;" OUT("$1 _ _ _"),
        "%3 = MOV $1; PRED_SETGT $1, 0.0 {effect}; if; endif;" OUT("$1 _ _ _"));
   /* written again; modifiers that the reader cannot have; the next block */
   NEGCASE("%3 = MOV $1; $1 = MOV %2; %4 = ADD %3, %2;" OUT("%4 $1 _ _"));
   NEGCASE("%3 = MOV -$1; %4 = ADD_INT %3, %2;" OUT("%4 $1 _ _"));
   NEGCASE("%3 = MOV |$1|; %4 = MULADD %3, %2, %2;" OUT("%4 $1 _ _"));
   NEGCASE("%3 = MOV $1 CLAMP; %4 = ADD %3, %2;" OUT("%4 $1 _ _"));
   NEGCASE("%3 = MOV -$1; (%4 _ _ _) = LD (%3 %2 0.0 0.0);" OUT("%4 $1 _ _"));
   NEGCASE("%3 = MOV $1; loop; %4 = ADD %3, %2; break; endloop;" OUT("$1 _ _ _"));
}

/* Rule 2: what becomes a variable's content is written to the variable. */
static void
copies_to_variables(void **state)
{
   (void)state;
   CASE("%3 = ADD %1, %2 @1; $4 = MOV %3 @2;" OUT("$4 _ _ _"),
        "$4 = ADD %1, %2 @1;" OUT("$4 _ _ _"));
   CASE("%3 = ADD %1, %2; $4 = MOV %3; %5 = ADD %3, %1;" OUT("$4 %5 _ _"),
        "$4 = ADD %1, %2; %5 = ADD $4, %1;" OUT("$4 %5 _ _"));
   CASE("%3 = ADD %1, %2; $4 = MOV %3 CLAMP;" OUT("$4 _ _ _"),
        "$4 = ADD %1, %2 CLAMP;" OUT("$4 _ _ _"));
   CASE("%3 = ADD %1, %2; $4 = MOV %3; PRED_SETGT %3, 0.0 {effect}; if; endif;" OUT("$4 _ _ _"),
        "$4 = ADD %1, %2; PRED_SETGT $4, 0.0 {effect}; if; endif;" OUT("$4 _ _ _"));
   /* the old content is still read, or another is written, in between */
   NEGCASE("%3 = RECIP_IEEE %1; %5 = ADD $4, %1; $4 = MOV %3;" OUT("$4 %5 _ _"));
   NEGCASE("%3 = RECIP_IEEE %1; $4 = ADD %2, %2; $4 = MOV %3;" OUT("$4 _ _ _"));
   /* another reader after the variable's next writer, or in another block */
   NEGCASE("%3 = RECIP_IEEE %1; $4 = MOV %3; $4 = ADD %1, %1; %5 = ADD %3, %1;" OUT("$4 %5 _ _"));
   NEGCASE("%3 = RECIP_IEEE %1; $4 = MOV %3; PRED_SETGT %1, 0.0 {effect}; if;" OUT("%3 _ _ _") //
           "; endif;" OUT("$4 _ _ _"));
   /* a copy that changes it; a maker that writes no variable; a clamp that is not the other's */
   NEGCASE("%3 = RECIP_IEEE %1; $4 = MOV -%3;" OUT("$4 _ _ _"));
   NEGCASE("(%3 _ _ _) = LD (%1 %2 0.0 0.0); $4 = MOV %3;" OUT("$4 _ _ _"));
   NEGCASE("%3 = RECIP_IEEE %1; $4 = MOV %3 CLAMP; %5 = ADD %3, %1;" OUT("$4 %5 _ _"));
   NEGCASE("%3 = MULLO_INT %1, %2; $4 = MOV %3 CLAMP;" OUT("$4 _ _ _"));
}

/* Rule 3: other copies are made in the same way. */
static void
made_again(void **state)
{
   (void)state;
   CASE("%3 = ADD %1, %2; $4 = MOV %3; $5 = MOV %3 @2;" OUT("$4 $5 _ _"),
        "$4 = ADD %1, %2; $5 = ADD %1, %2 @2;" OUT("$4 $5 _ _"));
   CASE("%3 = SETGT %1, CB0[0].x CLAMP; $4 = MOV %3; loop; break; endloop;" OUT("%3 $4 _ _"),
        "%3 = SETGT %1, CB0[0].x CLAMP; $4 = SETGT %1, CB0[0].x CLAMP; loop; break; endloop;" //
        OUT("%3 $4 _ _"));
   /* of what may have changed; in more than one slot; of another copy's value */
   NEGCASE("$4 = ADD $6, %2; $5 = MOV $4;" OUT("$4 $5 _ _"));
   NEGCASE("$4 = RECIP_IEEE %2; $5 = MOV $4;" OUT("$4 $5 _ _"));
   NEGCASE("$4 = ADD %1, %2; $5 = MOV -$4;" OUT("$4 $5 _ _"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_of_variables),
      cmocka_unit_test(copies_to_variables),
      cmocka_unit_test(made_again),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
