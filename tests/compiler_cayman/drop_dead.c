/* SPDX-License-Identifier: MIT */
/* What is dropped because nothing reads it, and what stays: a program before and after. */
#include "ir_text.h"

#define PASS cc_drop_dead
#define OUT4 OUT("%4 _ _ _")

static void
instructions(void **state)
{
   (void)state;
   CASE("%3 = ADD %1, %2;" OUT4, OUT4);
   CASE("%3 = ADD %1, %2; %5 = MUL %3, %3; %6 = MOV %5;" OUT4, OUT4); /* a chain */
   CASE("(%3 %5 _ _) = SAMPLE (%1 %2 0.0 0.0);" OUT4, OUT4);
   /* a variable that is only counted up */
   CASE("$3 = MOV 0; loop; $3 = ADD_INT $3, 1; break; endloop;" OUT4,
        "$3 = MOV 0; loop; $3 = ADD_INT $3, 1; break; endloop;" OUT4);
   CASE("$3 = MOV 0; loop; $3 = MOV %5; break; endloop;" OUT4, "loop; break; endloop;" OUT4);
   NEGCASE("%4 = ADD %1, %2;" OUT4);
   NEGCASE("%3 = SETGT_INT %1, %2; PRED_SETNE_INT %3, 0 {effect}; if; endif");
   NEGCASE("%3 = FLT_TO_INT %1; array x0[4].x R1; %4 = MOV x0[0+AR].x {AR=%3};" OUT4);
}

static void
effects(void **state)
{
   (void)state;
   NEGCASE("KILLGT %1, %2 {effect}");
   NEGCASE("array x0[4].x R1; x0[2].x = MOV %1 {effect}");
   NEGCASE("GROUP_BARRIER {barrier, keep}");
   NEGCASE("x: LDS_READ_RET %1, 0, 0 {reads lds, keep}; %3 = MOV QA.pop.x {keep, pop}");
   NEGCASE("(_ _ _ _) = MEM_GDS.ADD (%1 %2 0.0 0.0) {writes gds, keep}");
   NEGCASE("MEM_WR_SCRATCH (%1 %2 _ _) ELEM_SIZE(3) COMP_MASK(3) {writes scratch, effect}");
}

static void
results(void **state)
{
   (void)state;
   CASE("(%3 %4 %5 %6) = SAMPLE (%1 %2 0.0 0.0) RESOURCE_ID(18);" OUT4,
        "(_ %4 _ _) = SAMPLE (%1 %2 0.0 0.0) RESOURCE_ID(18);" OUT4);
   CASE(
      "(%3 _ _ _) = SET_GRADIENTS_H (%1 %1 0.0 0.0) | (%4 %5 _ _) = SAMPLE_G (%1 %2 0.0 0.0);" OUT4,
      "(_ _ _ _) = SET_GRADIENTS_H (%1 %1 0.0 0.0) | (%4 _ _ _) = SAMPLE_G (%1 %2 0.0 0.0);" OUT4);
   NEGCASE("(%3 %5 _ _) = MEM_GDS.ADD_RET (%1 %2 0.0 0.0) {writes gds, keep};" OUT4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(instructions),
      cmocka_unit_test(effects),
      cmocka_unit_test(results),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
