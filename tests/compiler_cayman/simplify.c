/* SPDX-License-Identifier: MIT */
/* Copies and repetitions: a program before and after. */
#include "ir_text.h"

#define PASS cc_simplify
#define OUT4 OUT("%4 _ _ _")

static void
copies(void **state)
{
   (void)state;
   CASE("%3 = MOV %1; %4 = ADD -%3, |%3|;" OUT4, "%3 = MOV %1; %4 = ADD -%1, |%1|;" OUT4);
   CASE("%3 = MOV 2.0; %4 = ADD -%3, %1;" OUT4, "%3 = MOV 2.0; %4 = ADD -2.0, %1;" OUT4);
   CASE("%3 = MOV %1; %5 = MOV %3; %4 = ADD %5, %5;" OUT4, "%3 = MOV %1; %4 = ADD %1, %1;" OUT4);
   CASE("%3 = MOV %1; KILLGT %3, 0.0 {effect}", "%3 = MOV %1; KILLGT %1, 0.0 {effect}");
   CASE("%3 = MOV %1; PRED_SETGT %3, 0.0 {effect}; if; endif",
        "%3 = MOV %1; PRED_SETGT %1, 0.0 {effect}; if; endif");
   CASE("%3 = MOV %1; (%4 _ _ _) = LD (%3 %3 0.0 0.0);" OUT4,
        "%3 = MOV %1; (%4 _ _ _) = LD (%1 %1 0.0 0.0);" OUT4);
   CASE("%3 = MOV %1; array x0[4].x R1; %4 = MOV x0[0+AR].x {AR=%3};" OUT4,
        "%3 = MOV %1; array x0[4].x R1; %4 = MOV x0[0+AR].x {AR=%1};" OUT4);
   /* a copy that changes what it copies, of what may change, in a channel that is given */
   NEGCASE("%3 = MOV -%1; %4 = ADD %3, %2;" OUT4);
   NEGCASE("%3 = MOV %1 CLAMP; %4 = ADD %3, %2;" OUT4);
   NEGCASE("%3 = MOV*2 %1; %4 = ADD %3, %2;" OUT4);
   NEGCASE("%3 = MOV $1; $1 = ADD %2, %2; %4 = ADD %3, %2;" OUT("%4 $1 _ _"));
   NEGCASE("%3.x! = MOV %1; MEM_WR_SCRATCH (%3.x! _ _ _) COMP_MASK(1) {effect}");
}

/* An export has selects for 0 and 1.0 alone; a write to memory has none, a fetch needs a value. */
static void
constants(void **state)
{
   (void)state;
   CASE("%3 = MOV 1.0; %4 = MOV 2.0;" OUT("%3 %4 _ _"),
        "%3 = MOV 1.0; %4 = MOV 2.0;" OUT("1.0 %4 _ _"));
   NEGCASE("%3 = MOV 1.0; MEM_WR_SCRATCH (%3 _ _ _) COMP_MASK(1) {effect}");
   NEGCASE("%3 = MOV 2.0; (%4 _ _ _) = LD (%3 %1 0.0 0.0);" OUT4);
   NEGCASE("%3 = MOV 2.0; x: %4 = DOT4_IEEE %3, %1 | y: DOT4_IEEE %3, %1 | z: DOT4_IEEE %3, %1 |"
           " w: DOT4_IEEE %3, %1;" OUT4);
   NEGCASE("%3 = MOV 2; A0.x = MOVA_INT %3 {keep}");
}

/* A variable is a copy up to its next writer, or the block's end. */
static void
variables(void **state)
{
   (void)state;
   CASE("$3 = MOV %1; %4 = ADD $3, %2; $3 = ADD %1, %2; %5 = ADD $3, %2;" OUT("%4 %5 $3 _"),
        "$3 = MOV %1; %4 = ADD %1, %2; $3 = ADD %1, %2; %5 = ADD $3, %2;" OUT("%4 %5 $3 _"));
   CASE("$3 = MOV %1; %4 = ADD $3, %2; $3 = MOV %1;" OUT("%4 $3 _ _"),
        "$3 = MOV %1; %4 = ADD %1, %2;" OUT("%4 %1 _ _"));
   NEGCASE("$3 = MOV %1; loop; %4 = ADD $3, %2; $3 = MOV %4; break; endloop;" OUT("$3 _ _ _"));
}

static void
repetitions(void **state)
{
   (void)state;
   CASE("%3 = ADD %1, %2 @1; %4 = ADD %1, %2 @2;" OUT("%3 %4 _ _"),
        "%3 = ADD %1, %2 @1;" OUT("%3 %3 _ _"));
   CASE("%3 = RECIP_IEEE CB0[0].x; %4 = RECIP_IEEE CB0[0].x;" OUT4,
        "%3 = RECIP_IEEE CB0[0].x;" OUT("%3 _ _ _"));
   CASE("%3 = MOV %1; %4 = ADD %1, 1.0; %5 = ADD %3, 1.0;" OUT("%4 %5 _ _"),
        "%3 = MOV %1; %4 = ADD %1, 1.0;" OUT("%4 %4 _ _"));
   /* of which one is used as an index */
   CASE(
      "array x0[4].x R1; %3 = FLT_TO_INT %1; %5 = FLT_TO_INT %1; %4 = MOV x0[0+AR].x {AR=%5};" OUT4,
      "array x0[4].x R1; %3 = FLT_TO_INT %1; %4 = MOV x0[0+AR].x {AR=%3};" OUT4);
   /* of several lanes */
   CASE("x: %3 = CUBE %1, %2 | y: %4 = CUBE %1, %1 | z: CUBE %2, %2 | w: %5 = CUBE %2, %1;"
        "x: %6 = CUBE %1, %2 | y: %7 = CUBE %1, %1 | z: CUBE %2, %2 | w: %8 = CUBE %2, %1;" //
        OUT("%3 %6 %7 %8"),
        "x: %3 = CUBE %1, %2 | y: %4 = CUBE %1, %1 | z: CUBE %2, %2 | w: %5 = CUBE %2, %1;" //
        OUT("%3 %3 %4 %5"));
   /* a constant in a register, from one block to the next, but not out of a branch */
   CASE("%3 = MOV 5; EXPORT (%3 _ _ _) {effect}; PRED_SETGT %1, 0.0 {effect}; if; %4 = MOV 5;" OUT4
        "; endif",
        "%3 = MOV 5; EXPORT (%3 _ _ _) {effect}; PRED_SETGT %1, 0.0 {effect}; if;" OUT(
           "%3 _ _ _") "; endif");
   NEGCASE("PRED_SETGT %1, 0.0 {effect}; if; %3 = MOV 5;" OUT("%3 _ _ _") "; endif; %4 = MOV 5;" //
           OUT4);
   /* in a channel that is given, if it is the same */
   CASE("%3.x! = ADD %1, %2; %4.x! = ADD %1, %2;" OUT("%3 %4 _ _"),
        "%3.x! = ADD %1, %2;" OUT("%3 %3 _ _"));
   NEGCASE("%3.x! = ADD %1, %2; %4.y! = ADD %1, %2;" OUT("%3 %4 _ _"));
   NEGCASE("%3.x! = ADD %1, %2; %4 = ADD %1, %2;" OUT("%3 %4 _ _"));
   CASE("x: %3 = DOT4 %1, %2 | y: DOT4 %1, %1 | z: DOT4 %2, %2 | w: DOT4 0, 0;"
        "x: %4 = DOT4 %1, %2 | y: DOT4 %1, %1 | z: DOT4 %2, %2 | w: DOT4 0, 0;" OUT("%3 %4 _ _"),
        "x: %3 = DOT4 %1, %2 | y: DOT4 %1, %1 | z: DOT4 %2, %2 | w: DOT4 0, 0;" OUT("%3 %3 _ _"));
   NEGCASE("x: %3 = DOT4 %1, %2 | y: DOT4 %1, %1 | z: DOT4 %2, %2 | w: DOT4 0, 0;"
           "x: %4 = DOT4 %1, %2 | y: DOT4 %1, %1 | z: DOT4 %2, %2 | w: DOT4 0, %1;" //
           OUT("%3 %4 _ _"));
   NEGCASE("x: %3 = CUBE %1, %2 | y: CUBE %1, %1 | z: CUBE %2, %2 | w: CUBE %2, %1;"
           "x: %4 = CUBE %1, %2 | y: %5 = CUBE %1, %1 | z: CUBE %2, %2 | w: CUBE %2, %1;" //
           OUT("%3 %4 %5 _"));
   NEGCASE("%3 = ADD %1, %2; %4 = ADD %1, -%2;" OUT("%3 %4 _ _"));
   NEGCASE("%3 = ADD %1, %2; %4 = ADD %1, %2 CLAMP;" OUT("%3 %4 _ _"));
   NEGCASE("%3 = ADD %1, %2; %4 = ADD*2 %1, %2;" OUT("%3 %4 _ _"));
   NEGCASE("%3 = ADD %1, $2; $2 = ADD %1, %1; %4 = ADD %1, $2;" OUT("%3 %4 $2 _"));
   NEGCASE("%3 = ADD %1, %2; PRED_SETGT %3, 0.0 {effect}; if; %4 = ADD %1, %2;" OUT4 "; endif");
   NEGCASE("array x0[4].x R1; %3 = MOV x0[1].x; x0[1].x = MOV %1 {effect}; %4 = MOV x0[1].x;" //
           OUT("%3 %4 _ _"));
   NEGCASE("x: LDS_READ_RET %1, 0, 0 {reads lds, keep}; %3 = MOV QA.pop.x {keep, pop};"
           "x: LDS_READ_RET %1, 0, 0 {reads lds, keep}; %4 = MOV QA.pop.x {keep, pop};" //
           OUT("%3 %4 _ _"));
}

/* A texture's size is asked for once a block, level by level. */
static void
sizes(void **state)
{
   (void)state;
   CASE(
      "(%3 _ _ _) = GET_TEXTURE_RESINFO (0.0 0.0 0.0 0.0) RESOURCE_ID(18);"
      "(%4 %5 _ _) = GET_TEXTURE_RESINFO (0.0 0.0 0.0 0.0) RESOURCE_ID(18); %6 = ADD_INT %4, %5;" //
      OUT("%3 %6 _ _"),
      "(%3 %5 _ _) = GET_TEXTURE_RESINFO (0.0 0.0 0.0 0.0) RESOURCE_ID(18);"
      "%6 = ADD_INT %3, %5;" OUT("%3 %6 _ _"));
   /* another texture, another level, one that has changed, an answer in a channel that is given,
    * a fetch of something else */
   NEGCASE("(%3 _ _ _) = GET_TEXTURE_RESINFO (0.0 0.0 0.0 0.0) RESOURCE_ID(18);"
           "(%4 _ _ _) = GET_TEXTURE_RESINFO (0.0 0.0 0.0 0.0) RESOURCE_ID(19);" OUT("%3 %4 _ _"));
   NEGCASE("(%3 _ _ _) = GET_TEXTURE_RESINFO (0.0 0.0 0.0 0.0) RESOURCE_ID(18);"
           "(%4 _ _ _) = GET_TEXTURE_RESINFO (%1 %1 %1 %1) RESOURCE_ID(18);" OUT("%3 %4 _ _"));
   NEGCASE("(%3 _ _ _) = GET_TEXTURE_RESINFO ($1 $1 $1 $1) RESOURCE_ID(18); $1 = ADD %2, %2;"
           "(%4 _ _ _) = GET_TEXTURE_RESINFO ($1 $1 $1 $1) RESOURCE_ID(18);" OUT("%3 %4 $1 _"));
   NEGCASE("(%3 _ _ _) = GET_TEXTURE_RESINFO (0.0 0.0 0.0 0.0) RESOURCE_ID(18);"
           "(%4.x! _ _ _) = GET_TEXTURE_RESINFO (0.0 0.0 0.0 0.0) RESOURCE_ID(18);" //
           OUT("%3 %4.x! _ _"));
   NEGCASE("(%3 _ _ _) = LD (%1 %1 0.0 0.0) RESOURCE_ID(18);"
           "(%4 _ _ _) = LD (%1 %1 0.0 0.0) RESOURCE_ID(18);" OUT("%3 %4 _ _"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies),      cmocka_unit_test(constants), cmocka_unit_test(variables),
      cmocka_unit_test(repetitions), cmocka_unit_test(sizes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
