/* SPDX-License-Identifier: MIT */
/* Groups and clauses: the hardware's rules hold for every program, and what can go together does.
 * */
#include "ir_text.h"

#include "compiler/cayman/schedule.h"

static struct compiler *c;

static void
schedule(const char *text)
{
   if (c)
      ir_end(c);
   c = ir_begin(text);
   ir_run(c, cc_collect);
   ir_run(c, cc_schedule);
}

/* --- the rules -------------------------------------------------------------------------------- */

/* Where each value is written, and what the walk has seen. */
struct rules {
   uint32_t written[4096]; /* position + 1 */
   uint32_t position;
   uint32_t clause_first; /* fetches: results before this position are ready */
   unsigned seen;
};

static void
read_value(struct cc_operand *o, void *data)
{
   struct rules *r = data;

   if (o->kind == OPERAND_VALUE && ir_value(c, o->value)->ssa && ir_value(c, o->value)->def) {
      if (!r->written[o->value] || r->written[o->value] > r->clause_first) {
         fail_msg("%%%u is read at %u, written at %u", o->value, r->position,
                  r->written[o->value] - 1);
      }
   }
}

static void
write_value(value_id *v, void *data)
{
   struct rules *r = data;
   r->written[*v] = r->position + 1;
}

/* A lane's slot is its result's channel; no slot has two; kills are alone with theirs. */
static void
check_group(struct rules *r, const struct group *g)
{
   unsigned slots = 0;

   r->position = r->clause_first = g->position;
   for (unsigned s = 0; s < 4; s++) {
      const struct lane *lane = cc_group_lane(g, s);
      slots += lane != NULL;
      if (lane && lane->dst && g->slot[s]->shape == SHAPE_SCALAR)
         assert_int_equal(ir_value(c, lane->dst)->chan, s);
   }
   assert_in_range(slots, 1, 4);
   for (unsigned p = 0; p < g->num_parts; p++) {
      cc_visit_operands(g->part[p], read_value, r);
      r->seen++;
   }
   for (unsigned p = 0; p < g->num_parts; p++)
      cc_visit_dsts(g->part[p], write_value, r);
}

static bool
has_flag(const struct group *g, unsigned flag)
{
   bool found = false;
   for (unsigned p = 0; p < g->num_parts; p++)
      found |= (cayman_alu_info(g->part[p]->lane[0].op)->flags & flag) != 0;
   return found;
}

static bool
uses_ar(const struct group *g)
{
   bool found = false;
   for (unsigned p = 0; p < g->num_parts; p++)
      found |= g->part[p]->ar != 0;
   return found;
}

static void
check_alu(struct rules *r, const struct clause *clause)
{
   bool ar = false;

   assert_in_range(clause->num_slots, 1, 128);
   for (uint32_t i = 0; i < clause->num_groups; i++) {
      const struct group *g = &clause->groups[i];
      const bool last = i + 1 == clause->num_groups, mova = has_flag(g, CAYMAN_ALU_FLAG_MOVA);
      assert_true(last || !has_flag(g, CAYMAN_ALU_FLAG_KILL));
      assert_false(last && mova);
      assert_true(ar || !uses_ar(g)); /* set in this clause, in a group before */
      assert_false(mova && uses_ar(g));
      ar |= mova;
      check_group(r, g);
   }
}

static void
check_others(struct rules *r, const struct clause *clause)
{
   if (clause->kind == CLAUSE_FETCH)
      assert_in_range(clause->num_fetches, 1, 16);
   r->clause_first = r->position = clause->first_position;
   for (uint32_t i = 0; i < clause->num_insts; i++) {
      cc_visit_operands(clause->insts[i], read_value, r);
      r->seen++;
   }
   r->position += clause->num_fetches - 1; /* of the last one */
   for (uint32_t i = 0; i < clause->num_insts; i++)
      cc_visit_dsts(clause->insts[i], write_value, r);
}

/* What is known of a block before it is scheduled never costs more than its schedule: a trial that
 * can be no better is given up. */
static void
check_least_cost(const struct cc_block *b)
{
   struct cc_left left;
   uint32_t longest = 0;

   cc_left_begin(&left, c, b);
   for (uint32_t i = 0; i < b->num_insts; i++)
      longest = b->insts[i]->groups > longest ? b->insts[i]->groups : longest;
   assert_true(cc_left_cost(&left, longest) <= cc_block_cost(b));
   for (uint32_t i = 0; i < b->num_insts; i++)
      cc_left_take(&left, b->insts[i]);
   assert_int_equal(cc_left_cost(&left, 0), b->pred != NULL);
}

static void
check_rules(void)
{
   struct rules r = { .position = 0 };
   unsigned insts = 0;

   for (uint32_t n = 0; n < c->num_blocks; n++) {
      const struct cc_block *b = &c->blocks[n];
      for (uint32_t k = 0; k < b->num_clauses; k++) {
         const struct clause *clause = &b->clauses[k];
         if (clause->kind == CLAUSE_ALU)
            check_alu(&r, clause);
         else
            check_others(&r, clause);
         for (uint32_t g = 0; g < clause->num_groups; g++) {
            for (unsigned p = 0; p < clause->groups[g].num_parts; p++) {
               const unsigned op = clause->groups[g].part[p]->lane[0].op;
               r.seen -= op == CAYMAN_ALU_NOP || op == CAYMAN_ALU_MOVA_INT; /* its own */
            }
         }
      }
      check_least_cost(b);
      insts += b->num_insts + (b->pred != NULL);
   }
   assert_int_equal(r.seen, insts); /* each once */
}

/* --- programs --------------------------------------------------------------------------------- */

static const struct clause *
clause_at(uint32_t n)
{
   assert_true(n < c->blocks[0].num_clauses);
   return &c->blocks[0].clauses[n];
}

static void
groups(void **state)
{
   (void)state;
   /* four in a group, results in the next, longest path first */
   schedule(
      "%3 = ADD %1, %2; %4 = MUL %1, %2; %5 = MAX %1, %2; %6 = MIN %1, %2;" OUT("%3 %4 %5 %6"));
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 1);
   schedule("%7 = MOV %1; %8 = MOV %1; %9 = MOV %1; %10 = MOV %1; %3 = ADD %1, %2; %4 = ADD %3, %2;"
            "%5 = ADD %4, %2;" OUT("%5 %7 %8 %9") ";" OUT("%10 _ _ _"));
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 3);
   /* channels that are given to two */
   schedule("%3.x! = ADD %1, %2; %4.x! = MUL %1, %2;" OUT("%3 _ _ _") ";" OUT("%4 _ _ _"));
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 2);
   /* all four slots, three of them */
   schedule("%3 = MULLO_INT %1, %2; %5 = RECIP_IEEE %1; %4 = ADD %1, %2;" OUT("%3 %4 %5 _"));
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 2);
   assert_int_equal(clause_at(0)->groups[0].num_parts + clause_at(0)->groups[1].num_parts, 3);
   /* a dot product of two terms leaves room for two more */
   schedule("x: %3 = DOT4_IEEE %1, %2 | y: DOT4_IEEE %1, %2 | z: DOT4_IEEE 0.0, 0x80000000 |"
            " w: DOT4_IEEE 0.0, 0x80000000 {terms 2}; %4 = ADD %1, %2; %5 = MUL %1, %2;" OUT(
               "%3 %4 %5 _"));
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 1);
}

/* Where program order takes more groups than there are slots for, another order is tried: the five
 * sums before RECIP leave no three slots to it in the second group. */
static void
other_orders(void **state)
{
   (void)state;
   schedule("$3 = ADD %1, %2; $4 = ADD %1, -%2; $5 = MUL %1, %2; $6 = MAX %1, %2;"
            "$7 = MIN %1, %2; $8 = RECIP_IEEE %1;");
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 2);
}

/* A result that leaves the program takes no group more: one more than the longest path is one too
 * many.  The sums share an export, so the next two leave no slot to the products' that are in the
 * same. */
static void
shortest(void **state)
{
   (void)state;
   schedule("%3 = FMA CB0[0].x, %1, CB0[3].x; %4 = FMA CB0[1].x, %2, %3;"
            "%5 = FMA CB0[0].y, %1, CB0[3].y; %6 = FMA CB0[1].y, %2, %5;"
            "%7 = ADD %1, %2; %8 = ADD %1, -%2; %9 = MUL %1, %2; %10 = MAX %1, %2;" OUT(
               "%4 %6 _ _") ";" OUT("%7 %8 %9 %10"));
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 2);
}

/* Two matrices: rows of the first two at a time, as their constants allow, before what waits for
 * some of them. */
static void
same_constants(void **state)
{
   static const unsigned order[4] = { 1, 0, 2, 3 };
   char text[2048] = "";

   (void)state;
   for (unsigned i = 0; i < 4; i++) {
      snprintf(text + strlen(text), sizeof(text) - strlen(text),
               "%%%u = FMA CB0[0].%c, %%1, CB0[3].%c; %%%u = FMA CB0[1].%c, %%2, %%%u;", 10 + i,
               "xyzw"[i], "xyzw"[i], 20 + i, "xyzw"[i], 10 + i);
   }
   for (unsigned k = 0; k < 4; k++) {
      for (unsigned i = 0; i < 4; i++) {
         const unsigned to = 30 + 10 * k + i, by = order[k];
         snprintf(text + strlen(text), sizeof(text) - strlen(text),
                  k ? "%%%u = FMA CB0[%u].%c, %%%u, %%%u;" : "%%%u = MUL CB0[%u].%c, %%%u;", to,
                  4 + by, "xyzw"[i], 20 + by, to - 10);
      }
   }
   strcat(text, OUT("%60 %61 %62 %63"));
   schedule(text);
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 7);
}

/* Scheduled again, as for a narrower window, a block has the same groups: what the schedule before
 * left changes nothing. */
static void
once_more(void **state)
{
   struct group first[8];

   (void)state;
   schedule("%3 = ADD %1, %2; %4 = ADD %1, -%2; %5 = MUL %1, %2; %6 = MAX %1, %2;"
            "x: %7 = DOT4_IEEE %3, %4 | y: DOT4_IEEE %5, %6 | z: DOT4_IEEE 0.0, 0x80000000 |"
            " w: DOT4_IEEE 0.0, 0x80000000 {terms 2}; %8 = RECIP_IEEE %7;"
            "(%9 _ _ _) = LD (%8 %8 0.0 0.0);" OUT("%9 %7 _ _"));
   const struct clause *clause = clause_at(0);
   const uint32_t count = clause->num_groups;
   assert_in_range(count, 1, 8);
   memcpy(first, clause->groups, count * sizeof(*first));
   for (value_id v = 3; v <= 9; v++)
      c->values[v].chan = -1;
   ir_run(c, cc_schedule);
   check_rules();
   clause = clause_at(0);
   assert_int_equal(clause->num_groups, count);
   for (uint32_t g = 0; g < count; g++) {
      assert_memory_equal(first[g].slot, clause->groups[g].slot, sizeof(first[g].slot));
      assert_memory_equal(first[g].lane, clause->groups[g].lane, sizeof(first[g].lane));
   }
}

/* What does not wait for the fetch stands beside what does, one after another. */
static void
early_fetches(void **state)
{
   (void)state;
   schedule("%3 = ADD %1, %2; (%4 _ _ _) = LD (%3 %3 0.0 0.0);"
            "%5 = ADD %4, %1; %6 = ADD %5, %1; %7 = ADD %6, %1;"
            "%11 = ADD %1, %1; %12 = ADD %11, %1; %13 = ADD %12, %1; %14 = ADD %13, %1;" OUT(
               "%7 %14 _ _"));
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 1);
   assert_int_equal(clause_at(1)->kind, CLAUSE_FETCH);
   assert_int_equal(clause_at(2)->num_groups, 3);
}

/* More constants, or values of a channel, than a group reads. */
static void
ports(void **state)
{
   (void)state;
   schedule(
      "%3 = ADD %1, CB0[0].x; %4 = ADD %1, CB0[1].x; %5 = ADD %1, CB0[2].x;" OUT("%3 %4 %5 _"));
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 2);
   schedule(
      "input %1.x:R0 %2.x:R1 %3.x:R2 %4.x:R3; %5 = ADD %1, %2; %6 = ADD %3, %4;" OUT("%5 %6 _ _"));
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 2);
   schedule("%3 = ADD %1, 2.0; %4 = ADD %1, 3.0; %5 = MULADD %1, 5.0, 6.0; %6 = ADD %1, 7.0;" //
            OUT("%3 %4 %5 %6"));
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 2); /* four literals */
   /* x has room, but a fourth value there would fit into no group of the dot product */
   schedule("input %1.x:R1 %2.y:R1 %3.z:R1;"
            "%4.y = MUL %1, %2 {keep}; %5.z = MUL %1, %3 {keep}; %6.w = MUL %2, %3 {keep};"
            "%11.y = MUL %1, %1 {keep}; %12.z = MUL %2, %2 {keep}; %13.w = MUL %3, %3 {keep};"
            "%7 = ADD %11, %12; %8 = ADD %7, %13; %9 = ADD %8, %6;"
            "x: %10 = DOT4_IEEE %1, %7 | y: DOT4_IEEE %2, %8 | z: DOT4_IEEE %3, %9 |"
            " w: DOT4_IEEE 0.0, 0x80000000 {terms 3};" OUT("%10 _ _ _"));
   check_rules();
   unsigned in_x = 0;
   for (value_id v = 7; v <= 9; v++)
      in_x += ir_value(c, v)->chan == 0;
   assert_in_range(in_x, 0, 2);
}

static void
fetches(void **state)
{
   (void)state;
   /* independent ones share a clause, dependent ones never */
   schedule("(%3 _ _ _) = LD (%1 %1 0.0 0.0); (%4 _ _ _) = LD (%2 %2 0.0 0.0);"
            "(%5 _ _ _) = LD (%3 %4 0.0 0.0);" OUT("%5 _ _ _"));
   check_rules();
   assert_int_equal(clause_at(0)->num_fetches, 2);
   assert_int_equal(clause_at(1)->num_fetches, 1);
   /* sixteen a clause; gradients stay with their sample */
   char text[4096] = "";
   for (unsigned i = 0; i < 9; i++) {
      snprintf(text + strlen(text), sizeof(text) - strlen(text),
               "(_ _ _ _) = SET_GRADIENTS_H (%%1 %%1 0.0 0.0) | (%%%u _ _ _) = SAMPLE_G (%%2 %%2 "
               "0.0 0.0);"
               "EXPORT (%%%u _ _ _) {effect};",
               10 + i, 10 + i);
   }
   schedule(text);
   check_rules();
   assert_int_equal(clause_at(0)->num_fetches, 16);
   assert_int_equal(clause_at(1)->num_fetches, 2);
}

static void
kills(void **state)
{
   (void)state;
   schedule("KILLGT %1, 0.0 {effect}; %3 = ADD %1, %2; %4 = ADD %3, %2; KILLGT %2, 0.0 {effect};" //
            OUT("%4 _ _ _"));
   check_rules();
}

static void
indices(void **state)
{
   (void)state;
   /* one MOVA for two users of an index, another for another */
   schedule("array x0[4].xyzw R1; %3 = FLT_TO_INT %1 @1; %4 = FLT_TO_INT %2 @1;"
            "%5 = MOV x0[0+AR].x {AR=%3} @2; %6 = MOV x0[0+AR].y {AR=%3} @3;"
            "%7 = MOV x0[0+AR].x {AR=%4} @4;" OUT("%5 %6 %7 _"));
   check_rules();
   unsigned movas = 0;
   for (uint32_t g = 0; g < clause_at(0)->num_groups; g++) {
      const struct group *group = &clause_at(0)->groups[g];
      movas += has_flag(group, CAYMAN_ALU_FLAG_MOVA);
      for (unsigned p = 0; p < group->num_parts; p++)
         assert_in_range(group->part[p]->place, 1, 4); /* all have one, of the MOVAs their users' */
   }
   assert_int_equal(movas, 2);
   /* what was stored at an index can be read two groups later */
   schedule("array x0[4].x R1; %3 = FLT_TO_INT %1; x0[0+AR].x = MOV %2 {AR=%3, effect};"
            "%5 = MOV x0[1].x;" OUT("%5 _ _ _"));
   check_rules();
   const struct clause *clause = clause_at(0);
   uint32_t store = 0, load = 0;
   for (uint32_t g = 0; g < clause->num_groups; g++) {
      for (unsigned p = 0; p < clause->groups[g].num_parts; p++) {
         const struct lane *lane = &clause->groups[g].part[p]->lane[0];
         store = lane->to_array ? g : store;
         load = lane->src[0].kind == OPERAND_ARRAY ? g : load;
      }
   }
   assert_true(load >= store + 2);
}

/* The index of a resource is set in front of its clause. */
static void
resource_indices(void **state)
{
   (void)state;
   schedule("%3 = FLT_TO_INT %1; (%4 _ _ _) = LD (%2 %2 0.0 0.0) {CF_IDX0=%3};"
            "(%5 _ _ _) = LD (%1 %1 0.0 0.0);" OUT("%4 %5 _ _"));
   check_rules();
   const struct clause *alu = clause_at(0);
   assert_int_equal(alu->kind, CLAUSE_ALU);
   assert_int_equal(alu->groups[alu->num_groups - 2].part[0]->lane[0].mova_dst,
                    CAYMAN_MOVA_CF_IDX0);
   assert_int_equal(clause_at(1)->num_fetches, 2);
}

/* The result of an operation on local data is copied from the queue by the next group. */
static void
queues(void **state)
{
   (void)state;
   schedule("x: LDS_READ_RET %1, 0, 0 {reads lds, keep}; %3 = MOV QA.pop.x {keep, pop};"
            "%4 = ADD %1, %2; %5 = ADD %4, %2; %6 = ADD %5, %2;" OUT("%3 %6 _ _"));
   check_rules();
   const struct clause *clause = clause_at(0);
   uint32_t at[2] = { 0 };
   for (uint32_t g = 0; g < clause->num_groups; g++) {
      for (unsigned p = 0; p < clause->groups[g].num_parts; p++) {
         at[0] = clause->groups[g].part[p]->pop ? g : at[0];
         at[1] = clause->groups[g].part[p]->pop_of ? g : at[1];
      }
   }
   assert_int_equal(at[1], at[0] + 1);
   /* which also has the next operation */
   schedule("x: LDS_READ_RET %1, 0, 0 {reads lds, keep}; %3 = MOV QA.pop.x {keep, pop};"
            "x: LDS_READ_RET %2, 0, 0 {reads lds, keep}; %4 = MOV QA.pop.x {keep, pop};" //
            OUT("%3 %4 _ _"));
   check_rules();
   assert_int_equal(clause_at(0)->num_groups, 3);
}

/* The branch's condition stands in the last group of its block. */
static void
branches(void **state)
{
   (void)state;
   schedule("%3 = ADD %1, %2; %4 = MUL %1, %2; PRED_SETGT %3, 0.0 UPDATE_EXEC_MASK UPDATE_PRED "
            "{effect}; if;"
            "%5 = ADD %3, %4;" OUT("%5 _ _ _") "; endif");
   check_rules();
   const struct clause *clause = clause_at(0);
   assert_true(clause->push_before);
   assert_true(has_flag(&clause->groups[clause->num_groups - 1], CAYMAN_ALU_FLAG_PRED));
}

/* Long blocks: clauses are full, and nothing is lost. */
static void
long_blocks(void **state)
{
   static char text[65536];
   uint32_t random = 1;

   (void)state;
   for (unsigned round = 0; round < 20; round++) {
      strcpy(text, "input %1.x:R0 %2.y:R0 %3.x:R1;");
      for (unsigned v = 4; v < 400; v++) {
         unsigned a[2];
         for (unsigned i = 0; i < 2; i++) {
            random = random * 1664525 + 1013904223;
            a[i] = 1 + (random >> 8) % (v - 1);
         }
         snprintf(text + strlen(text), sizeof(text) - strlen(text),
                  random >> 28 == 0   ? "(%%%u _ _ _) = LD (%%%u %%%u 0.0 0.0);"
                  : random >> 28 == 1 ? "%%%u = MULLO_INT %%%u, %%%u;"
                  : random >> 28 < 4  ? "%%%u = MULADD %%%u, %%%u, CB0[%u].x;"
                                      : "%%%u = ADD %%%u, %%%u;",
                  v, a[0], a[1], random >> 20 & 127);
      }
      strcat(text, OUT("%397 %398 %399 _"));
      schedule(text);
      check_rules();
   }
}

/* A narrow window keeps program order. */
static void
windows(void **state)
{
   (void)state;
   static const char text[] =
      "%3 = ADD %1, %2; %4 = ADD %3, %2; %5 = ADD %4, %2; %6 = MUL %1, %1;" OUT("%5 %6 _ _");

   schedule(text);
   check_rules();
   assert_int_equal(clause_at(0)->groups[0].num_parts, 2); /* the product is early */
   ir_end(c);
   c = ir_begin(text);
   c->window = 1;
   ir_run(c, cc_collect);
   ir_run(c, cc_schedule);
   check_rules();
   assert_int_equal(clause_at(0)->groups[0].num_parts, 1);
   assert_int_equal(clause_at(0)->groups[2].num_parts, 2);
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
      cmocka_unit_test(groups),
      cmocka_unit_test(other_orders),
      cmocka_unit_test(shortest),
      cmocka_unit_test(same_constants),
      cmocka_unit_test(once_more),
      cmocka_unit_test(early_fetches),
      cmocka_unit_test(ports),
      cmocka_unit_test(fetches),
      cmocka_unit_test(kills),
      cmocka_unit_test(indices),
      cmocka_unit_test(resource_indices),
      cmocka_unit_test(queues),
      cmocka_unit_test(branches),
      cmocka_unit_test(long_blocks),
      cmocka_unit_test(windows),
   };
   return cmocka_run_group_tests(tests, NULL, finish);
}
