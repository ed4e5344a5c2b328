/* SPDX-License-Identifier: MIT */
/* Moves of a register to itself: which go, what reads the register instead, and which stay. */
#include "ir_text.h"

static struct compiler *c;

static void
allocate_all(struct compiler *compiler)
{
   uint32_t *lifetime;

   cc_collect(compiler);
   cc_schedule(compiler);
   assert_true(cc_allocate(compiler, &lifetime));
}

/* Schedules, allocates and drops moves; how many slots of groups are left. */
static unsigned
slots(const char *text)
{
   unsigned count = 0, held = 0;

   if (c)
      ir_end(c);
   c = ir_begin(text);
   c->window = UINT32_MAX;
   ir_run(c, allocate_all);
   ir_run(c, cc_drop_moves);
   for (uint32_t n = 0; n < c->num_blocks; n++) {
      for (uint32_t k = 0; k < c->blocks[n].num_clauses; k++) {
         const struct clause *clause = &c->blocks[n].clauses[k];
         held += clause->num_slots;
         assert_true(clause->kind != CLAUSE_ALU || clause->num_groups);
         for (uint32_t g = 0; g < clause->num_groups; g++) {
            struct cayman_alu_group out;
            assert_true(cc_encode_group(c, clause, g, &out));
            assert_int_not_equal(out.num_slots, 0);
            count += out.num_slots;
            held -= (unsigned)out.num_literals / 2;
         }
      }
   }
   assert_int_equal(held, count); /* the clauses know how long they are */
   return count;
}

/* Slot `s` of the first group of the first clause. */
static struct cayman_alu
slot_of_first(unsigned s)
{
   struct cayman_alu_group out;

   assert_int_equal(c->blocks[0].clauses[0].kind, CLAUSE_ALU);
   assert_true(cc_encode_group(c, &c->blocks[0].clauses[0], 0, &out));
   return out.slot[s];
}

static void
moves_that_go(void **state)
{
   (void)state;
   /* alone in their group, which was alone in its clause */
   assert_int_equal(slots("input %1.x:R0; $2 = MOV %1;" OUT("$2 _ _ _")), 0);
   assert_int_equal(c->blocks[0].num_clauses, 1);
   /* beside others: an input that joins a vector stays where it is */
   assert_int_equal(slots("input %1.x:R0; %2 = ADD CB0[0].x, 2.0;" OUT("%1 %2 _ _")), 1);
   /* one of two registers */
   assert_int_equal(slots("input %1.x:R0 %2.y:R1;" OUT("%1 %2 _ _")), 1);
   /* what had it from the group before reads the register */
   assert_int_equal(slots("input %1.x:R3; $2 = MOV %1; %3 = ADD $2, CB0[0].x;" OUT("%3 _ _ _")), 1);
   assert_int_equal(slot_of_first(0).op, CAYMAN_ALU_ADD);
   assert_int_equal(slot_of_first(0).src[0].sel, 3);
}

static void
moves_that_stay(void **state)
{
   (void)state;
   /* to another register, which is written while the first is still read */
   assert_int_equal(
      slots("input %1.x:R0; $2 = MOV %1; $2 = ADD $2, %1; %3 = MUL $2, %1;" OUT("%3 $2 _ _")), 3);
   /* with a change */
   assert_int_equal(slots("input %1.x:R0; $2 = MOV -%1;" OUT("$2 _ _ _")), 1);
   assert_int_equal(slots("input %1.x:R0; $2 = MOV %1 CLAMP;" OUT("$2 _ _ _")), 1);
   /* three registers of channel x are all that the next group can read */
   assert_int_equal(slots("input %1.x:R0 %5.x:R1 %6.x:R2 %7.x:R3; $2 = MOV %1;"
                          "%8 = MULADD $2, %5, %6; %9 = ADD $2, %7;" OUT("%8 %9 _ _")),
                    3);
   /* in between may be the distance that an index needs */
   assert_int_equal(slots("array x0[2].x R1; input %1.y:R0; $2 = MOV %1;" OUT("$2 _ _ _")), 1);
}

static int
finish(void **state)
{
   (void)state;
   ir_end(c);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(moves_that_go),
      cmocka_unit_test(moves_that_stay),
   };
   return cmocka_run_group_tests(tests, NULL, finish);
}
