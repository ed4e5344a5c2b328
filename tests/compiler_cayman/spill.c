/* SPDX-License-Identifier: MIT */
/* Values that live in scratch memory: a program before and after. */
#include "ir_text.h"

/* Spills %3 and $4, in this order, as if they lived long, and nothing else. */
static void
spill(struct compiler *c)
{
   uint32_t *lifetime = cc_alloc(c, sizeof(*lifetime) * c->num_values);

   lifetime[3] = 1000;
   if (c->num_values > 4 && !ir_value(c, 4)->ssa)
      lifetime[4] = 500;
   assert_true(cc_spill(c, lifetime, 4, 2));
}

#define PASS spill
#define STORE(value, mask)                                           \
   "MEM_WR_SCRATCH (" value ") TYPE(2) ELEM_SIZE(3) COMP_MASK(" mask \
   ") MARK(1) {writes scratch, effect}"
#define LOAD(value)                                                                        \
   "(" value                                                                               \
   ") = MEM_RD_SCRATCH (_ _ _ _) ELEM_SIZE(3) UNCACHED(1) DATA_FORMAT(35) SRF_MODE_ALL(1)" \
   " {reads scratch}"

/* As many instructions as a register keeps what memory has. */
#define SOME OUT("%1 _ _ _") ";" OUT("%1 _ _ _") ";" OUT("%1 _ _ _") ";" OUT("%1 _ _ _") ";"
#define FAR  SOME SOME SOME

/* After the writer, before each reader that is far from it; one that is near has the register. */
static void
values(void **state)
{
   (void)state;
   CASE(
      "%3 = ADD %1, %2 @1; %5 = ADD %3, %3 @2;" OUT("%3 %5 _ _") "@3",
      "%6 = ADD %1, %2 @1;" STORE("%6 _ _ _", "1") "@1; %5 = ADD %6, %6 @2;" OUT("%6 %5 _ _") "@3");
   CASE(
      "%3 = ADD %1, %2 @1;" FAR
      "%5 = ADD %3, %3 @2;" OUT("%3 %5 _ _") "@3;" FAR OUT("%3 _ _ _") "@4",
      "%6 = ADD %1, %2 @1;" STORE("%6 _ _ _", "1") "@1;" FAR LOAD(
         "%7 _ _ _") "@2; %5 = ADD %7, %7 @2;" OUT("%7 %5 _ _") "@3;" FAR LOAD("%8 _ _ _") "@4;" //
      OUT("%8 _ _ _") "@4");
   CASE("%3 = ADD %1, %2;" FAR "PRED_SETGT %3, 0.0 {effect} @4; if; endif",
        "%4 = ADD %1, %2;" STORE("%4 _ _ _", "1") ";" FAR LOAD(
           "%5 _ _ _") "@4;"
                       "PRED_SETGT %5, 0.0 {effect} @4; if; endif");
   CASE("(%3 %5 _ _) = SAMPLE (%1 %2 0.0 0.0) @1;" FAR OUT("%3 %5 _ _"),
        "(%6 %5 _ _) = SAMPLE (%1 %2 0.0 0.0) @1;" STORE("%6 _ _ _",
                                                         "1") "@1;" FAR LOAD("%7 _ _ _") ";" //
        OUT("%7 %5 _ _"));
   CASE("array x0[4].x R1; %3 = FLT_TO_INT %1;" FAR "%5 = MOV x0[0+AR].x {AR=%3};" OUT("%5 _ _ _"),
        "array x0[4].x R1; %6 = FLT_TO_INT %1;" STORE("%6 _ _ _", "1") ";" FAR LOAD("%7 _ _ _") //
        "; %5 = MOV x0[0+AR].x {AR=%7};" OUT("%5 _ _ _"));
}

/* Components of one vec4 for those with writers near each other, and one store and one load for
 * those that are near; a variable is stored after each writer, and has the last one's value. */
static void
variables(void **state)
{
   (void)state;
   CASE("%3 = MOV %1; $4 = MOV %2; loop; $4 = ADD %3, $4 @5; break; endloop;" OUT("$4 _ _ _"),
        "%5 = MOV %1; %6 = MOV %2;" STORE("%5 %6 _ _", "3") "; loop;"      //
        LOAD("%7 %8 _ _") "@5; %9 = ADD %7, %8 @5;" STORE("_ %9 _ _", "2") //
        "@5; break; endloop;" LOAD("_ %10 _ _") ";" OUT("%10 _ _ _"));
   CASE("%3 = MOV %1; $4 = MOV %2; $4 = ADD %3, $4 @5; %5 = MOV $4;" OUT("%5 _ _ _"),
        "%6 = MOV %1; %7 = MOV %2;" STORE("%6 %7 _ _", "3") "; %8 = ADD %6, %7 @5;" //
        STORE("_ %8 _ _", "2") "@5; %5 = MOV %8;" OUT("%5 _ _ _"));
   /* Not what is written before it is read. */
   CASE("%3 = MOV %1; $4 = MOV %2;" FAR OUT("%3 _ _ _") "; $4 = MOV %1; " OUT("$4 _ _ _"),
        "%5 = MOV %1; %6 = MOV %2;" STORE("%5 %6 _ _", "3") ";" FAR LOAD("%7 _ _ _") ";" //
        OUT("%7 _ _ _") "; %8 = MOV %1;" STORE("_ %8 _ _", "2") ";" OUT("%8 _ _ _"));
   /* An input that is read before what shares its store is written. */
   CASE("input %3.x:R0; " OUT("%3 _ _ _") "; $4 = MOV %1;" OUT("$4 _ _ _"),
        "input %3.x:R0; " OUT("%3 _ _ _") "; %5 = MOV %1;" STORE("%3 %5 _ _", "3") ";" //
        OUT("%5 _ _ _"));
}

/* What the hardware loads is stored at the top, at the program's first offset, and is in its
 * register for readers that are near. */
static void
inputs(void **state)
{
   (void)state;
   CASE("input %3.x:R0; %1 = MOV 2.0 @7;" FAR "%2 = ADD %3, %1 @8;" OUT("%2 _ _ _"),
        "input %3.x:R0;" STORE("%3 _ _ _", "1") "; %1 = MOV 2.0 @7;" FAR LOAD(
           "%4 _ _ _") "@8;"
                       "%2 = ADD %4, %1 @8;" OUT("%2 _ _ _"));
   CASE("input %3.x:R0; %1 = MOV 2.0 @7; %2 = ADD %3, %1 @8;" OUT("%2 _ _ _"),
        "input %3.x:R0;" STORE("%3 _ _ _",
                               "1") "; %1 = MOV 2.0 @7; %2 = ADD %3, %1 @8;" OUT("%2 _ _ _"));
}

/* The weightiest go, not what lives too short, and never what is on its way from memory. */
static void
choice(void **state)
{
   struct compiler *c = ir_begin("%1 = MOV 2.0; %2 = MOV 3.0; %3 = MOV 4.0; %4 = ADD %1, %2;"
                                 "%5 = ADD %4, %3; %6 = ADD %5, %3;" OUT("%6 _ _ _"));
   uint32_t lifetime[64] = { 0 };

   (void)state;
   lifetime[1] = 10;
   lifetime[2] = 100;
   lifetime[3] = 101; /* read twice */
   assert_false(cc_spill(c, lifetime, 200, 1));
   assert_true(cc_spill(c, lifetime, 5, 1));
   assert_int_equal(c->out->num_spilled, 1);
   assert_int_equal(c->out->scratch_vec4s, 1);
   assert_int_equal(c->blocks[0].insts[2]->kind, INST_EXPORT); /* %2 is stored */
   for (value_id v = 7; v < c->num_values; v++)
      lifetime[v] = 1000;
   lifetime[1] = lifetime[2] = lifetime[3] = 0;
   assert_false(cc_spill(c, lifetime, 5, 1));
   ir_end(c);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(values),
      cmocka_unit_test(variables),
      cmocka_unit_test(inputs),
      cmocka_unit_test(choice),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
