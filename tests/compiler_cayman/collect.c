/* SPDX-License-Identifier: MIT */
/* Values that share a GPR, and the copies where they cannot: a program before and after. */
#include "ir_text.h"

#define PASS cc_collect

static void
exports(void **state)
{
   (void)state;
   CASE("%1 = MOV 2.0; %2 = MOV 3.0;" OUT("%1 %2 0.0 1.0"),
        "tuple %1 %2; %1 = MOV 2.0; %2 = MOV 3.0;" OUT("%1 %2 0.0 1.0"));
   CASE("%1 = MOV 2.0; %2 = MOV 3.0;" OUT("%1 %2 _ _") ";" OUT("%2 %1 %2 _"),
        "tuple %1 %2; %1 = MOV 2.0; %2 = MOV 3.0;" OUT("%1 %2 _ _") ";" OUT("%2 %1 %2 _"));
   /* chains of tuples, up to four */
   CASE(OUT("%1 %2 _ _") ";" OUT("%2 %3 _ _") ";" OUT("%3 %4 _ _"),
        "tuple %1 %2 %3 %4;" OUT("%1 %2 _ _") ";" OUT("%2 %3 _ _") ";" OUT("%3 %4 _ _"));
   /* no fifth: both are copied */
   CASE(OUT("%1 %2 %3 %4") ";" OUT("%1 %5 _ _") "@7",
        "tuple %1 %2 %3 %4; tuple %6 %7;" OUT("%1 %2 %3 %4") "; %6 = MOV %5 @7; %7 = MOV %1 @7;" //
        OUT("%7 %6 _ _") "@7");
   NEGCASE(OUT("%1 0.0 0.0 1.0"));
}

/* Inputs stay where the hardware put them. */
static void
inputs(void **state)
{
   (void)state;
   CASE("input %1.x:R0 %2.y:R0;" OUT("%1 %2 _ _"),
        "input %1.x:R0 %2.y:R0; tuple %1 %2;" OUT("%1 %2 _ _"));
   CASE("input %1.x:R0 %2.x:R1;" OUT("%1 %2 _ _"),
        "input %1.x:R0 %2.x:R1; tuple %3 %4.x; %3 = MOV %2; %4 = MOV %1;" OUT("%4 %3 _ _"));
   CASE("input %1.x:R0; %2 = MOV 2.0;" OUT("%1 %2 _ _"),
        "input %1.x:R0; %2 = MOV 2.0; tuple %2 %3.x; %3 = MOV %1;" OUT("%3 %2 _ _"));
   /* a copy stays in the channel, unless another has it or the input lives on */
   CASE("input %1.y:R0; %2 = MOV 2.0; %3.y! = MOV 3.0;" OUT("%1 %2 %3 _"),
        "input %1.y:R0; %2 = MOV 2.0; %3.y! = MOV 3.0; tuple %2 %4 %3; %4 = MOV %1;" OUT(
           "%4 %2 %3 _"));
   CASE("input %1.x:R0; %2 = MOV %1;" OUT("%1 %2 _ _"),
        "input %1.x:R0; tuple %2 %3; %2 = MOV %1; %3 = MOV %1;" OUT("%3 %2 _ _"));
}

/* Channels that are given must not meet. */
static void
channels(void **state)
{
   (void)state;
   CASE(OUT("%1.x! %2.y! _ _"), "tuple %1.x! %2.y!;" OUT("%1 %2 _ _"));
   CASE(OUT("%1.x! %2.x! _ _"), "tuple %1.x! %3; %3 = MOV %2.x!;" OUT("%1 %3 _ _"));
}

static void
fetches(void **state)
{
   (void)state;
   CASE("(%3 %4 _ _) = SAMPLE (%1 %2 0.0 0.0)",
        "tuple %1 %2; tuple %3 %4; (%3 %4 _ _) = SAMPLE (%1 %2 0.0 0.0)");
   CASE("(%3 %4 _ _) = SAMPLE (%1 %2 0.0 0.0); (%5 _ _ _) = SAMPLE (%4 %3 %1 0.0)",
        "tuple %3 %4 %1 %2; (%3 %4 _ _) = SAMPLE (%1 %2 0.0 0.0); (%5 _ _ _) = SAMPLE (%4 %3 %1 "
        "0.0)");
   CASE("input %1.x:R0 %2.x:R1; (%3 _ _ _) = LD (%1 %1 %2 %2) @9",
        "input %1.x:R0 %2.x:R1; tuple %4 %5; %4 = MOV %2 @9; %5 = MOV %1 @9; (%3 _ _ _) = LD (%5 "
        "%5 %4 %4) @9");
}

/* What is made again for a tuple is not made for nothing, and serves as long as there is room. */
static void
made_again(void **state)
{
   (void)state;
   CASE("%1 = ADD %9, 1.0; %2 = ADD %9, 2.0; %3 = ADD %9, 3.0; %4 = ADD %9, 4.0; %5 = ADD %9, 5.0;"
        "%6 = ADD %9, 6.0;" OUT("%1 %2 %3 %4") "; (%7 _ _ _) = LD (%1 %5 _ _) @3;"
                                               "(%8 _ _ _) = LD (%1 %6 _ _) @4;" OUT("%7 %8 _ _"),
        "%1 = ADD %9, 1.0; %2 = ADD %9, 2.0; %3 = ADD %9, 3.0; %4 = ADD %9, 4.0;"
        "tuple %1 %2 %3 %4; tuple %10 %11 %6; tuple %7 %8; %6 = ADD %9, 6.0;" OUT(
           "%1 %2 %3 %4") "; %10 = ADD %9, 5.0 @3; %11 = ADD %9, 1.0 @3; (%7 _ _ _) = LD (%11 %10 "
                          "_ _) @3;"
                          "(%8 _ _ _) = LD (%11 %6 _ _) @4;" OUT("%7 %8 _ _"));
}

/* A write to memory has no selects: component i is in channel i. */
static void
memory_writes(void **state)
{
   (void)state;
   CASE("%1 = MOV 2.0; %2 = MOV 3.0; MEM_WR_SCRATCH (%1 %2 _ _) COMP_MASK(3) {effect}",
        "tuple %1.x! %2.y!; %1 = MOV 2.0; %2 = MOV 3.0; MEM_WR_SCRATCH (%1 %2 _ _) COMP_MASK(3) "
        "{effect}");
   CASE("%1 = MOV 2.0; MEM_WR_SCRATCH (%1 %1 _ _) COMP_MASK(3) {effect} @4",
        "tuple %1.x! %2.y!; %1 = MOV 2.0; %2 = MOV 2.0 @4; MEM_WR_SCRATCH (%1 %2 _ _) COMP_MASK(3) "
        "{effect} @4");
   CASE("$1 = MOV 2.0; MEM_WR_SCRATCH ($1 _ _ _) COMP_MASK(1) {effect}",
        "$1 = MOV 2.0; %2.x! = MOV $1; MEM_WR_SCRATCH (%2 _ _ _) COMP_MASK(1) {effect}");
   CASE("input %1.y:R0; MEM_WR_SCRATCH (_ %1 _ _) COMP_MASK(2) {effect}",
        "input %1.y:R0; %2.y! = MOV %1; MEM_WR_SCRATCH (_ %2 _ _) COMP_MASK(2) {effect}");
   CASE("%1 = MOV 1; MEM_RING (%2 _ _ _) (%1 _ _ _) COMP_MASK(1) {effect}",
        "%1.x! = MOV 1; %3.x! = MOV %2; MEM_RING (%3 _ _ _) (%1 _ _ _) COMP_MASK(1) {effect}");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(exports), cmocka_unit_test(inputs),        cmocka_unit_test(channels),
      cmocka_unit_test(fetches), cmocka_unit_test(memory_writes), cmocka_unit_test(made_again),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
