/* SPDX-License-Identifier: MIT */
/* What folding makes one instruction of, and what it must leave alone: a program before and after.
 * */
#include "ir_text.h"

#define PASS cc_fold
#define OUT4 OUT("%4 _ _ _")
#define OUT5 OUT("%5 _ _ _")

static void
multiply_add(void **state)
{
   (void)state;
   CASE("%3 = MUL_IEEE %1, %2 @5; %4 = ADD %3, CB0[0].x @7;" OUT4,
        "%4 = MULADD_IEEE %1, %2, CB0[0].x @7;" OUT4);
   CASE("%3 = MUL %1, %2; %4 = ADD %5, %3;" OUT4, "%4 = MULADD %1, %2, %5;" OUT4);
   CASE("%3 = MUL_IEEE %1, -%2; %4 = ADD -%3, -%5;" OUT4, "%4 = MULADD_IEEE -%1, -%2, -%5;" OUT4);
   CASE("%3 = MUL_IEEE %1, %2; %4 = ADD %3, %5 CLAMP;" OUT4,
        "%4 = MULADD_IEEE %1, %2, %5 CLAMP;" OUT4);
   /* another reader; a product that is changed first; what a MULADD cannot say */
   NEGCASE("%3 = MUL_IEEE %1, %2; %4 = ADD %3, %5;" OUT("%4 %3 _ _"));
   NEGCASE("%3 = MUL_IEEE %1, %2 CLAMP; %4 = ADD %3, %5;" OUT4);
   NEGCASE("%3 = MUL_IEEE*2 %1, %2; %4 = ADD %3, %5;" OUT4);
   NEGCASE("%3 = MUL_IEEE %1, %2; %4 = ADD |%3|, %5;" OUT4);
   NEGCASE("%3 = MUL_IEEE %1, |%2|; %4 = ADD %3, %5;" OUT4);
   NEGCASE("%3 = MUL_IEEE %1, %2; %4 = ADD*2 %3, %5;" OUT4);
   /* a factor that is another by then */
   CASE("%3 = MUL_IEEE $1, %2; %4 = ADD %3, %5; $1 = MOV %5;" OUT("%4 $1 _ _"),
        "%4 = MULADD_IEEE $1, %2, %5; $1 = MOV %5;" OUT("%4 $1 _ _"));
   NEGCASE("%3 = MUL_IEEE $1, %2; $1 = MOV %5; %4 = ADD %3, %5;" OUT("%4 $1 _ _"));
   NEGCASE("array x0[4].x R1; %3 = MUL_IEEE x0[1].x, %2; x0[1].x = MOV %5 {effect};"
           "%4 = ADD %3, %5;" OUT4);
}

static void
conditions(void **state)
{
   (void)state;
   CASE("%3 = SETGT_DX10 %1, %2; PRED_SETNE_INT %3, 0 UPDATE_EXEC_MASK UPDATE_PRED {effect} @4; "
        "if; endif",
        "PRED_SETGT %1, %2 UPDATE_EXEC_MASK UPDATE_PRED {effect} @4; if; endif");
   CASE(
      "%3 = SETE_INT %1, %2; PRED_SETE_INT %3, 0 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; endif",
      "PRED_SETNE_INT %1, %2 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; endif");
   CASE("%3 = SETGE_UINT %1, %2; KILLNE_INT %3, 0 {effect}", "KILLGE_UINT %1, %2 {effect}");
   CASE("%3 = SETNE_DX10 %1, %2; KILLE_INT %3, 0 {effect}", "KILLE %1, %2 {effect}");
   CASE("%3 = SETGT_INT %1, %2; %4 = NOT_INT %3; KILLE_INT %4, 0 {effect}",
        "KILLGT_INT %1, %2 {effect}");
   /* The opposite of greater is not "less or equal" of NaN; NOT_INT of any number is no "not". */
   NEGCASE("%3 = SETGT_DX10 %1, %2; KILLE_INT %3, 0 {effect}");
   CASE("%3 = SETGE_UINT %1, %2; KILLE_INT %3, 0 {effect}", "KILLGT_UINT %2, %1 {effect}");
   NEGCASE("%3 = ADD_INT %1, %2; %4 = NOT_INT %3; KILLNE_INT %4, 0 {effect}");
   NEGCASE("%3 = SETGT_DX10 %1, %2; KILLNE_INT %3, 1 {effect}");
   NEGCASE("%3 = SETGT_DX10 $1, %2; $1 = MOV %2; KILLNE_INT %3, 0 {effect};" OUT("$1 _ _ _"));
}

static void
selects(void **state)
{
   (void)state;
   CASE("%3 = SETE_INT %1, 0; %4 = CNDE_INT %3, %5, %6;" OUT4, "%4 = CNDE_INT %1, %6, %5;" OUT4);
   CASE("%3 = SETNE_INT 0, %1; %4 = CNDE_INT %3, %5, %6;" OUT4, "%4 = CNDE_INT %1, %5, %6;" OUT4);
   CASE("%3 = SETGT_INT %1, 0; %4 = CNDE_INT %3, %5, %6;" OUT4, "%4 = CNDGT_INT %1, %6, %5;" OUT4);
   CASE("%3 = SETGE_DX10 %1, 0.0; %4 = CNDE_INT %3, %5, %6;" OUT4, "%4 = CNDGE %1, %6, %5;" OUT4);
   CASE("%3 = SETGT_DX10 0.0, %1; %4 = CNDE_INT %3, %5, %6;" OUT4, "%4 = CNDGT -%1, %6, %5;" OUT4);
   CASE("%3 = SETE_DX10 0.0, %1; %4 = CNDE_INT %3, %5, %6;" OUT4, "%4 = CNDE %1, %6, %5;" OUT4);
   NEGCASE("%3 = SETE_INT %1, 1; %4 = CNDE_INT %3, %5, %6;" OUT4);
   NEGCASE("%3 = SETGT_DX10 |%1|, 0.0; %4 = CNDE_INT %3, %5, %6;" OUT4);
   NEGCASE("%3 = SETNE_DX10 %1, 0.0; %4 = CNDE_INT %3, %5, %6;" OUT4);
}

/* Not of a comparison, what a boolean masks, and choices by them. */
static void
booleans(void **state)
{
   (void)state;
   CASE("%3 = SETE_INT %1, %2; %4 = NOT_INT %3;" OUT4, "%4 = SETNE_INT %1, %2;" OUT4);
   CASE("%3 = SETNE_DX10 %1, -%2; %4 = NOT_INT %3;" OUT4, "%4 = SETE_DX10 %1, -%2;" OUT4);
   CASE("%3 = SETGT_INT %1, 5; %4 = NOT_INT %3;" OUT4, "%4 = SETGE_INT 5, %1;" OUT4);
   CASE("%3 = SETGE_UINT %1, %2; %4 = NOT_INT %3;" OUT4, "%4 = SETGT_UINT %2, %1;" OUT4);
   CASE("%3 = SETE_INT %1, %2; %4 = NOT_INT %3;" OUT("%3 %4 _ _"),
        "%3 = SETE_INT %1, %2; %4 = SETNE_INT %1, %2;" OUT("%3 %4 _ _"));
   NEGCASE("%3 = SETGT_DX10 %1, %2; %4 = NOT_INT %3;" OUT4); /* of NaN */

   CASE("%3 = SETE_INT %1, 0; %4 = AND_INT %3, 0x3F800000;" OUT4,
        "%4 = CNDE_INT %1, 0x3F800000, 0;" OUT4);
   CASE("%3 = SETNE_INT 0, %1; %4 = AND_INT %2, %3;" OUT4, "%4 = CNDE_INT %1, 0, %2;" OUT4);
   CASE("%3 = SETGT_INT %1, 0; %4 = AND_INT %3, %2;" OUT4, "%4 = CNDGT_INT %1, %2, 0;" OUT4);
   CASE("%3 = SETGT_INT 0, %1; %4 = AND_INT %3, %2;" OUT4, "%4 = CNDGE_INT %1, 0, %2;" OUT4);
   CASE("%3 = SETGE_INT %1, 0; %4 = AND_INT %3, %2;" OUT4, "%4 = CNDGE_INT %1, %2, 0;" OUT4);
   CASE("%3 = SETGE_INT 0, %1; %4 = AND_INT %3, %2;" OUT4, "%4 = CNDGT_INT %1, 0, %2;" OUT4);
   CASE("%3 = SETGT_DX10 %1, %2; %5 = NOT_INT %3; %4 = AND_INT %5, 0x3F800000;" OUT4,
        "%3 = SETGT_DX10 %1, %2; %4 = CNDE_INT %3, 0x3F800000, 0;" OUT4);
   CASE("%3 = SETGT_DX10 %1, %2; %6 = SETGT_DX10 %2, %1; %7 = OR_INT %3, %6; %5 = NOT_INT %7;"
        "%4 = AND_INT %5, 4;" OUT4,
        "%3 = SETGT_DX10 %1, %2; %6 = SETGT_DX10 %2, %1; %7 = OR_INT %3, %6;"
        "%4 = CNDE_INT %7, 4, 0;" OUT4);
   NEGCASE("%3 = SETGT_INT %1, 1; %4 = AND_INT %3, %2;" OUT4);
   NEGCASE("%3 = SETGT_UINT 0, %1; %4 = AND_INT %3, %2;" OUT4);
   NEGCASE("%3 = ADD_INT %1, %2; %5 = NOT_INT %3; %4 = AND_INT %5, 4;" OUT4); /* any number */

   CASE("%3 = SETGT_INT 0, %1; %4 = CNDE_INT %3, %5, %6;" OUT4, "%4 = CNDGE_INT %1, %5, %6;" OUT4);
   CASE("%3 = SETGE_INT 0, %1; %4 = CNDE_INT %3, %5, %6;" OUT4, "%4 = CNDGT_INT %1, %5, %6;" OUT4);
   CASE("%3 = SETGT_DX10 %1, %2; %7 = NOT_INT %3; %4 = CNDE_INT %7, %5, %6;" OUT4,
        "%3 = SETGT_DX10 %1, %2; %4 = CNDE_INT %3, %6, %5;" OUT4);
   NEGCASE("%7 = NOT_INT %1; %4 = CNDE_INT %7, %5, %6;" OUT4);
}

static void
wide_signs(void **state)
{
   (void)state;
   CASE("%3 = XOR_INT %1, 0x80000000; x: %4 = ADD_64 %3, %5 | y: %6 = ADD_64 %2, %7;" //
        OUT("%4 %6 _ _"),
        "x: %4 = ADD_64 -%1, %5 | y: %6 = ADD_64 %2, %7;" OUT("%4 %6 _ _"));
   CASE("%3 = AND_INT %1, 0x7FFFFFFF; %8 = XOR_INT %3, 0x80000000;"
        "x: %4 = SETGT_64 %5, %8 | y: %6 = SETGT_64 %2, %7;" OUT4,
        "x: %4 = SETGT_64 %5, -|%1| | y: %6 = SETGT_64 %2, %7;" OUT4);
   CASE("%3 = XOR_INT %1, 0x80000000; %8 = AND_INT %3, 0x7FFFFFFF;"
        "x: %4 = SETGT_64 %5, %8 | y: %6 = SETGT_64 %2, %7;" OUT4,
        "x: %4 = SETGT_64 %5, |%1| | y: %6 = SETGT_64 %2, %7;" OUT4);
   /* the low dword; other bits; a factor */
   NEGCASE("%3 = XOR_INT %1, 0x80000000; x: %4 = ADD_64 %2, %5 | y: %6 = ADD_64 %3, %7;" //
           OUT("%4 %6 _ _"));
   NEGCASE("%3 = XOR_INT %1, 0x80000001; x: %4 = ADD_64 %3, %5 | y: %6 = ADD_64 %2, %7;" //
           OUT("%4 %6 _ _"));
   NEGCASE("%3 = XOR_INT %1, 0x80000000; x: %4 = MUL_64 %3, %5 | y: %6 = MUL_64 %3, %5 |"
           " z: MUL_64 %3, %5 | w: MUL_64 %2, %7;" OUT("%4 %6 _ _"));
}

static void
equal_arms(void **state)
{
   (void)state;
   CASE("%4 = CNDE_INT %3, %5, %5;" OUT4, "%4 = MOV %5;" OUT4);
   CASE("%4 = CNDGT %3, -%5, -%5;" OUT4, "%4 = MOV -%5;" OUT4);
   CASE("%4 = CNDGE_INT %3, CB1[2].y, CB1[2].y;" OUT4, "%4 = MOV CB1[2].y;" OUT4);
   NEGCASE("%4 = CNDE_INT %3, %5, %6;" OUT4);
   NEGCASE("%4 = CNDE %3, %5, -%5;" OUT4);
   NEGCASE("%4 = CNDE %3, CB1[2].y, CB1[2].x;" OUT4);
}

static void
float_forms(void **state)
{
   (void)state;
   CASE("%3 = SETGT_DX10 %1, %2; %4 = AND_INT %3, 0x3F800000;" OUT4, "%4 = SETGT %1, %2;" OUT4);
   CASE("%3 = SETE_DX10 %1, %2; %4 = AND_INT 0x3F800000, %3;" OUT4, "%4 = SETE %1, %2;" OUT4);
   CASE("%3 = SETGE_DX10 %1, -%2; %4 = CNDE_INT %3, 0, 0x3F800000;" OUT4,
        "%4 = SETGE %1, -%2;" OUT4);
   CASE("%3 = SETE_DX10 %1, %2; %4 = CNDE_INT %3, 0x3F800000, 0;" OUT4, "%4 = SETNE %1, %2;" OUT4);
   /* The opposite is another one of NaN; other bits; another mask. */
   NEGCASE("%3 = SETGT_DX10 %1, %2; %4 = CNDE_INT %3, 0x3F800000, 0;" OUT4);
   NEGCASE("%3 = SETGT_DX10 %1, %2; %4 = AND_INT %3, 0x40000000;" OUT4);
   NEGCASE("%3 = SETGT_INT %1, %2; %4 = AND_INT %3, 0x3F800000;" OUT4);
}

static void
clamps(void **state)
{
   (void)state;
   CASE("%3 = ADD %1, %2; %4 = MOV %3 CLAMP;" OUT4, "%3 = ADD %1, %2 CLAMP; %4 = MOV %3;" OUT4);
   CASE("%3 = RECIP_IEEE %1; %4 = MOV %3 CLAMP;" OUT4,
        "%3 = RECIP_IEEE %1 CLAMP; %4 = MOV %3;" OUT4);
   NEGCASE("%3 = ADD %1, %2; %4 = MOV %3 CLAMP;" OUT("%4 %3 _ _"));
   NEGCASE("%3 = ADD %1, %2; %4 = MOV -%3 CLAMP;" OUT4);
   NEGCASE("%3 = ADD_INT %1, %2; %4 = MOV %3 CLAMP;" OUT4);
   NEGCASE("%3 = ADD %1, %2; %4 = MOV*2 %3 CLAMP;" OUT4);
   /* several clamped copies, and one that is none */
   CASE(
      "%3 = ADD %1, %2; %4 = MOV %3 CLAMP; %5 = MOV %3 CLAMP; %6 = MOV %3 CLAMP;" OUT("%4 %5 %6 _"),
      "%3 = ADD %1, %2 CLAMP; %4 = MOV %3; %5 = MOV %4; %6 = MOV %4;" OUT("%4 %5 %6 _"));
   CASE("%3 = ADD %1, %2; %4 = MOV %3 CLAMP; %5 = MOV %3 CLAMP;" OUT("%3 %4 %5 _"),
        "%3 = ADD %1, %2; %4 = MOV %3 CLAMP; %5 = MOV %4;" OUT("%3 %4 %5 _"));
   /* constants; minus zero, NaN and denormals are left to the chip */
   CASE("%4 = MOV 1.0 CLAMP;" OUT4, "%4 = MOV 1.0;" OUT4);
   CASE("%4 = MOV 2.0 CLAMP;" OUT4, "%4 = MOV 1.0;" OUT4);
   CASE("%4 = MOV -2.0 CLAMP;" OUT4, "%4 = MOV 0.0;" OUT4);
   CASE("%4 = MOV 0.25 CLAMP;" OUT4, "%4 = MOV 0.25;" OUT4);
   NEGCASE("%4 = MOV 0x80000000 CLAMP;" OUT4);
   NEGCASE("%4 = MOV 0x7fc00000 CLAMP;" OUT4);
   NEGCASE("%4 = MOV 0x00000001 CLAMP;" OUT4);
}

/* What an output modifier multiplies by. */
static void
scales(void **state)
{
   (void)state;
   CASE("%3 = ADD %1, %2; %4 = MUL_IEEE %3, 2.0 @5;" OUT4,
        "%3 = ADD*2 %1, %2; %4 = MOV %3 @5;" OUT4);
   CASE("%3 = MUL_IEEE %1, |%2|; %4 = MUL_IEEE 4.0, %3 CLAMP;" OUT4,
        "%3 = MUL_IEEE*4 %1, |%2| CLAMP; %4 = MOV %3;" OUT4);
   CASE("%3 = RECIP_IEEE %1; %4 = MUL %3, 0.5;" OUT4, "%3 = RECIP_IEEE/2 %1; %4 = MOV %3;" OUT4);
   CASE("x: %4 = DOT4_IEEE %1, %2 | y: DOT4_IEEE %1, %2 | z: DOT4_IEEE %1, %2 |"
        " w: DOT4_IEEE 0.0, 0x80000000; %5 = MUL_IEEE %4, 2.0;" OUT5,
        "x: %4 = DOT4_IEEE*2 %1, %2 | y: DOT4_IEEE*2 %1, %2 | z: DOT4_IEEE*2 %1, %2 |"
        " w: DOT4_IEEE*2 0.0, 0x80000000; %5 = MOV %4;" OUT5);
   /* another factor; another reader; what is changed first or has changed; of three operands;
    * integers; a variable */
   NEGCASE("%3 = ADD %1, %2; %4 = MUL_IEEE %3, 3.0;" OUT4);
   NEGCASE("%3 = ADD %1, %2; %4 = MUL_IEEE %3, -2.0;" OUT4);
   NEGCASE("%3 = ADD %1, %2; %4 = MUL_IEEE %3, 2.0;" OUT("%4 %3 _ _"));
   NEGCASE("%3 = ADD %1, %2; %4 = MUL_IEEE -%3, 2.0;" OUT4);
   NEGCASE("%3 = ADD %1, %2 CLAMP; %4 = MUL_IEEE %3, 2.0;" OUT4);
   NEGCASE("%3 = ADD*2 %1, %2; %4 = MUL_IEEE %3, 2.0;" OUT4);
   NEGCASE("%3 = MULADD_IEEE %1, %2, %5; %4 = MUL_IEEE %3, 2.0;" OUT4);
   NEGCASE("%3 = ADD_INT %1, %2; %4 = MUL_IEEE %3, 2.0;" OUT4);
   NEGCASE("$3 = ADD %1, %2; %4 = MUL_IEEE $3, 2.0; $3 = MOV %1;" OUT4);
}

static void
neutral_operands(void **state)
{
   (void)state;
   CASE("%4 = ADD_INT %1, 0;" OUT4, "%4 = MOV %1;" OUT4);
   CASE("%4 = OR_INT 0, %1;" OUT4, "%4 = MOV %1;" OUT4);
   CASE("%4 = AND_INT 0xFFFFFFFF, %1;" OUT4, "%4 = MOV %1;" OUT4);
   CASE("%4 = SUB_INT %1, 0;" OUT4, "%4 = MOV %1;" OUT4);
   CASE("%4 = LSHL_INT %1, 0;" OUT4, "%4 = MOV %1;" OUT4);
   NEGCASE("%4 = SUB_INT 0, %1;" OUT4);
   NEGCASE("%4 = LSHR_INT 0, %1;" OUT4);
   NEGCASE("%4 = AND_INT %1, 0;" OUT4);
   NEGCASE("%4 = ADD %1, 0.0;" OUT4); /* of floats -0 + 0 is 0 */
}

static void
shifted_sums(void **state)
{
   (void)state;
   CASE("%1 = BFE_UINT %2, 2, 6; %3 = LSHL_INT %1, 2; %4 = LSHR_INT %3, 2;" OUT4,
        "%1 = BFE_UINT %2, 2, 6; %4 = MOV %1;" OUT4);
   CASE(
      "%1 = BFE_UINT %2, 2, 6; %3 = LSHL_INT %1, 2; %5 = ADD_INT %3, 8; %4 = LSHR_INT %5, 2;" OUT4,
      "%1 = BFE_UINT %2, 2, 6; %4 = ADD_INT %1, 2;" OUT4);
   CASE("%1 = AND_INT %2, 0x0FFFFFFF; %3 = LSHL_INT %1, 3; %5 = ADD_INT 16, %3; %4 = LSHR_INT %5, "
        "3;" OUT4,
        "%1 = AND_INT %2, 0x0FFFFFFF; %4 = ADD_INT %1, 2;" OUT4);
   /* another reader of the sum */
   CASE("%1 = LSHR_INT %2, 8; %3 = LSHL_INT %1, 2; %5 = ADD_INT %3, 8; %4 = LSHR_INT %5, 2;" OUT(
           "%4 %5 _ _"),
        "%1 = LSHR_INT %2, 8; %3 = LSHL_INT %1, 2; %5 = ADD_INT %3, 8; %4 = ADD_INT %1, 2;" OUT(
           "%4 %5 _ _"));
   /* bits that are lost above; a sum that may be 2^32; a term that is no multiple; another shift */
   NEGCASE("%3 = LSHL_INT %1, 2; %4 = LSHR_INT %3, 2;" OUT4);
   NEGCASE(
      "%1 = LSHR_INT %2, 2; %3 = LSHL_INT %1, 2; %5 = ADD_INT %3, 8; %4 = LSHR_INT %5, 2;" OUT4);
   NEGCASE(
      "%1 = BFE_UINT %2, 2, 6; %3 = LSHL_INT %1, 2; %5 = ADD_INT %3, 6; %4 = LSHR_INT %5, 2;" OUT4);
   NEGCASE("%1 = BFE_UINT %2, 2, 6; %3 = LSHL_INT %1, 3; %4 = LSHR_INT %3, 2;" OUT4);
}

static void
differences(void **state)
{
   (void)state;
   CASE("%3 = SUB_INT 0, %2; %4 = ADD_INT %1, %3;" OUT4, "%4 = SUB_INT %1, %2;" OUT4);
   CASE("%3 = SUB_INT 0, %2; %4 = ADD_INT %3, %1;" OUT("%4 %3 _ _"),
        "%3 = SUB_INT 0, %2; %4 = SUB_INT %1, %2;" OUT("%4 %3 _ _"));
   NEGCASE("%3 = SUB_INT 1, %2; %4 = ADD_INT %1, %3;" OUT4);
}

static void
constants(void **state)
{
   (void)state;
   CASE("%4 = LSHR_INT 20, 2;" OUT4, "%4 = MOV 5;" OUT4);
   CASE("%1 = MOV 20; %4 = SUB_INT %1, 21;" OUT4, "%4 = MOV 0xFFFFFFFF;" OUT4);
   /* the layer of an array of cubes */
   CASE("%1 = RNDNE 2.5; %2 = MAX_DX10 %1, 0.0; %3 = MIN_DX10 %2, 2048.0; %4 = MULADD_IEEE %3, "
        "8.0, 1.0;" OUT4,
        "%4 = MOV 17.0;" OUT4);
   CASE("%4 = ADD -2.0, 3.0;" OUT4, "%4 = MOV 1.0;" OUT4);
   CASE("%4 = FMA 3.0, -8.0, 25.0;" OUT4, "%4 = MOV 1.0;" OUT4);
   /* of a product with more bits than a float has */
   CASE("%4 = FMA 0x3F800001, 0x3F800001, 0xBF800002;" OUT4, "%4 = MOV 0x28800000;" OUT4);
   NEGCASE("%4 = MULADD_IEEE 0x3F800001, 0x3F800001, 0xBF800002;" OUT4);
   /* rounded; a denormal; zeros: the mode decides their signs */
   NEGCASE("%4 = ADD 1.0, 0x33000000;" OUT4);
   NEGCASE("%4 = MUL_IEEE 0x3F800001, 0x3F800001;" OUT4);
   NEGCASE("%4 = FMA 0x3F800001, 0x3F800001, 1.0;" OUT4);
   NEGCASE("%4 = FMA 1.0, 1.0, -1.0;" OUT4);
   NEGCASE("%4 = MUL_IEEE 0x00800000, 0.5;" OUT4);
   NEGCASE("%4 = ADD 0x00000001, 1.0;" OUT4);
   NEGCASE("%4 = ADD 1.0, -1.0;" OUT4);
   NEGCASE("%4 = MAX_DX10 0x7FC00000, 1.0;" OUT4);
   NEGCASE("%4 = ADD*2 1.0, 2.0;" OUT4);
}

/* What is left alone as a whole. */
static void
other_instructions(void **state)
{
   (void)state;
   NEGCASE("x: %4 = DOT4_IEEE %1, %2 | y: DOT4_IEEE %1, %2 | z: DOT4_IEEE 0.0, 0x80000000 |"
           " w: DOT4_IEEE 0.0, 0x80000000; %5 = ADD %4, %1;" OUT5);
   NEGCASE("(%3 _ _ _) = SAMPLE (%1 %2 0.0 0.0); %4 = ADD %3, %1;" OUT4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(multiply_add), cmocka_unit_test(conditions),
      cmocka_unit_test(selects),      cmocka_unit_test(booleans),
      cmocka_unit_test(wide_signs),   cmocka_unit_test(equal_arms),
      cmocka_unit_test(float_forms),  cmocka_unit_test(clamps),
      cmocka_unit_test(scales),       cmocka_unit_test(neutral_operands),
      cmocka_unit_test(shifted_sums), cmocka_unit_test(differences),
      cmocka_unit_test(constants),    cmocka_unit_test(other_instructions),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
