/* SPDX-License-Identifier: MIT */
/* Breaks without branches, and branches without an empty side: a program before and after. */
#include "ir_text.h"

#define PASS cc_shorten_flow
#define OUT3 OUT("$3 _ _ _")

static void
breaks(void **state)
{
   (void)state;
   CASE(
      "loop; PRED_SETE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect} @1; if @1; break @2; endif;"
      "$3 = ADD_INT $3, 1; endloop;" OUT3,
      "loop; PRED_SETNE_INT $3, 4 UPDATE_EXEC_MASK_BREAK {effect} @1; break @2;"
      "$3 = ADD_INT $3, 1; endloop;" OUT3);
   CASE("loop; PRED_SETGE_INT $3, %1 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; continue; endif;"
        "$3 = ADD_INT $3, 1; endloop;" OUT3,
        "loop; PRED_SETGT_INT %1, $3 UPDATE_EXEC_MASK_CONTINUE {effect}; continue;"
        "$3 = ADD_INT $3, 1; endloop;" OUT3);
   CASE("loop; PRED_SETGT_UINT $3, %1 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; break; endif;"
        "$3 = ADD_INT $3, 1; endloop;" OUT3,
        "loop; PRED_SETGE_UINT %1, $3 UPDATE_EXEC_MASK_BREAK {effect}; break;"
        "$3 = ADD_INT $3, 1; endloop;" OUT3);
   /* Not greater is not less or equal of NaN. */
   CASE("loop; PRED_SETGT $3, %1 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; break; endif;"
        "$3 = ADD $3, 1.0; endloop;" OUT3,
        "loop; %4 = SETGT_DX10 $3, %1; PRED_SETE_INT %4, 0 UPDATE_EXEC_MASK_BREAK {effect}; break;"
        "$3 = ADD $3, 1.0; endloop;" OUT3);
   /* The side that stays in comes after. */
   CASE("loop; PRED_SETNE $3, %1 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; break; else;"
        "$3 = ADD $3, 1.0; endif; $3 = ADD $3, 2.0; endloop;" OUT3,
        "loop; PRED_SETE $3, %1 UPDATE_EXEC_MASK_BREAK {effect}; break;"
        "$3 = ADD $3, 1.0; $3 = ADD $3, 2.0; endloop;" OUT3);
   CASE("loop; PRED_SETGT $3, %1 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; $3 = ADD $3, 1.0; else;"
        "break; endif; $3 = ADD $3, 2.0; endloop;" OUT3,
        "loop; PRED_SETGT $3, %1 UPDATE_EXEC_MASK_BREAK {effect}; break;"
        "$3 = ADD $3, 1.0; $3 = ADD $3, 2.0; endloop;" OUT3);
   /* Both loops, one in the other; the branch around stays. */
   CASE(
      "loop; loop; PRED_SETE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; break; endif;"
      "$3 = ADD_INT $3, 1; endloop; PRED_SETE_INT $3, 5 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if;"
      "PRED_SETE_INT $3, 6 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; break; endif;"
      "$3 = ADD_INT $3, 2; endif; endloop;" OUT3,
      "loop; loop; PRED_SETNE_INT $3, 4 UPDATE_EXEC_MASK_BREAK {effect}; break;"
      "$3 = ADD_INT $3, 1; endloop; PRED_SETE_INT $3, 5 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if;"
      "PRED_SETNE_INT $3, 6 UPDATE_EXEC_MASK_BREAK {effect}; break;"
      "$3 = ADD_INT $3, 2; endif; endloop;" OUT3);
   /* There is more to do on the way out; nothing to tell the opposite by. */
   NEGCASE("loop; PRED_SETE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if;"
           "$3 = ADD_INT $3, 2; break; endif; $3 = ADD_INT $3, 1; endloop;" OUT3);
   NEGCASE("loop; PRED_SETGT_PUSH $3, %1 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; break; endif;"
           "$3 = ADD_INT $3, 1; endloop;" OUT3);
}

static void
empty_sides(void **state)
{
   (void)state;
   CASE("$3 = MOV %1; PRED_SETE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; endif;"
        "$3 = ADD_INT $3, 1;" OUT3,
        "$3 = MOV %1; $3 = ADD_INT $3, 1;" OUT3);
   CASE("$3 = MOV %1; PRED_SETE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; else; endif;"
        "$3 = ADD_INT $3, 1;" OUT3,
        "$3 = MOV %1; $3 = ADD_INT $3, 1;" OUT3);
   CASE(
      "PRED_SETE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; $3 = MOV 1; else; endif @3;" //
      OUT3,
      "PRED_SETE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; $3 = MOV 1; endif @3;" OUT3);
   CASE("PRED_SETE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; else; $3 = MOV 1; endif;" //
        OUT3,
        "PRED_SETNE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; $3 = MOV 1; endif;" OUT3);
   CASE("PRED_SETE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; $3 = MOV 1; else;"
        "PRED_SETE_INT $3, 5 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; endif; endif;" OUT3,
        "PRED_SETE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; $3 = MOV 1; endif;" OUT3);
   NEGCASE("PRED_SETE_INT $3, 4 UPDATE_EXEC_MASK UPDATE_PRED {effect}; if; $3 = MOV 1; else;"
           "$3 = MOV 2; endif;" OUT3);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(breaks),
      cmocka_unit_test(empty_sides),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
